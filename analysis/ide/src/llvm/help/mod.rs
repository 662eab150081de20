//! What words of LLVM IR mean, in our own words, with a link to the language reference.

mod attributes;
mod opcodes;
mod words;

/// Where the language is described.
const REFERENCE: &str = "https://llvm.org/docs/LangRef.html";

/// A word with its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Help {
    pub(super) word: &'static str,
    /// How it is written; may be empty.
    pub(super) syntax: &'static str,
    pub(super) text: &'static str,
    /// Anchor in the language reference.
    anchor: &'static str,
}

impl Help {
    pub(super) fn link(self) -> String {
        format!("[Language reference]({REFERENCE}#{})", self.anchor)
    }

    /// Syntax, explanation and link.
    pub(super) fn markdown(self) -> String {
        let syntax =
            if self.syntax.is_empty() { String::new() } else { format!("```llvm\n{}\n```\n", self.syntax) };
        format!("{syntax}{}\n\n{}", self.text, self.link())
    }
}

/// An instruction, by its word.
pub(super) fn opcode(word: &str) -> Option<Help> {
    find(opcodes::OPCODES, word)
}

/// An attribute that has a word of its own.
pub(super) fn attribute(word: &str) -> Option<Help> {
    find(attributes::ATTRIBUTES, word)
}

/// A string attribute, by its key.
pub(super) fn string_attribute(key: &str) -> Option<Help> {
    find(attributes::STRINGS, key)
}

/// Any other word: linkage, flag, predicate, ordering, type, constant.
pub(super) fn word(word: &str) -> Option<Help> {
    find(words::WORDS, word)
}

/// Every instruction, for completion.
pub(super) fn opcodes() -> &'static [Help] {
    opcodes::OPCODES
}

fn find(list: &'static [Help], word: &str) -> Option<Help> {
    list.iter().find(|h| h.word == word).copied()
}

#[cfg(test)]
mod tests {
    use wavelens_semantics::llvm::attribute::AttrKind;
    use wavelens_semantics::llvm::body::Opcode;

    use super::*;

    #[test]
    fn every_attribute_is_explained() {
        let missing: Vec<_> =
            AttrKind::WORDS.iter().map(|k| k.word()).filter(|w| attribute(w).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn explained_instructions_exist() {
        for help in opcodes() {
            assert!(Opcode::from_word(help.word).is_some(), "{}", help.word);
        }
    }
}
