//! What words of LLVM IR mean, in our own words, with a link to the language reference.

use std::sync::LazyLock;

use crate::descriptions::Descriptions;

mod attributes;
mod opcodes;
mod words;

/// Where the language is described.
const REFERENCE: &str = "https://llvm.org/docs/LangRef.html";

/// Stands for the manual of the AMDGPU back end instead of an anchor in the language reference.
const AMDGPU: &str = "AMDGPUUsage";
const AMDGPU_MANUAL: &str = "https://llvm.org/docs/AMDGPUUsage.html#llvm-ir-attributes";

static INTRINSICS: LazyLock<Descriptions> =
    LazyLock::new(|| Descriptions::read(include_str!("intrinsics.txt")));
static STRINGS: LazyLock<Descriptions> = LazyLock::new(|| Descriptions::read(include_str!("strings.txt")));
static METADATA: LazyLock<Descriptions> = LazyLock::new(|| Descriptions::read(include_str!("metadata.txt")));
static DEBUG_INFO: LazyLock<Descriptions> =
    LazyLock::new(|| Descriptions::read(include_str!("debug_info.txt")));

/// What an intrinsic does, by its name without overload suffix.
pub(super) fn intrinsic(name: &str) -> Option<String> {
    INTRINSICS.find("", name.strip_prefix("llvm.")?)
}

/// What the metadata attached under a name says, with a link.
fn attachment(name: &str) -> Option<String> {
    let text = METADATA.find("Attachments", name)?;
    Some(format!("{text} [Language reference]({REFERENCE}#{})", attachment_anchor(name)))
}

/// The section about an attachment: the kinds that have one.
fn attachment_anchor(name: &str) -> String {
    const OWN: &[&str] = &[
        "tbaa",
        "fpmath",
        "range",
        "callees",
        "callback",
        "unpredictable",
        "dereferenceable",
        "heapallocsite",
        "prof",
        "associated",
        "annotation",
        "absolute_symbol",
    ];
    match name {
        "llvm.loop" => "llvm-loop".to_owned(),
        "llvm.access.group" => "llvm-access-group-metadata".to_owned(),
        "invariant.group" => "invariant-group-metadata".to_owned(),
        "alias.scope" | "noalias" => "noalias-and-alias-scope-metadata".to_owned(),
        "tbaa.struct" => "tbaa-struct-metadata".to_owned(),
        _ if OWN.contains(&name) => format!("{name}-metadata"),
        _ => "metadata".to_owned(),
    }
}

/// The page or section about an intrinsic.
pub(super) fn intrinsic_page(name: &str) -> String {
    let families = [
        ("llvm.amdgcn.", "AMDGPUUsage.html#llvm-ir-intrinsics"),
        ("llvm.nvvm.", "NVPTXUsage.html#nvptx-intrinsics"),
        ("llvm.spv.", "SPIRVUsage.html#target-intrinsics"),
        ("llvm.coro.", "Coroutines.html#intrinsics"),
        ("llvm.eh.", "ExceptionHandling.html#exception-handling-intrinsics"),
        ("llvm.experimental.gc.", "Statepoints.html"),
        ("llvm.gc", "GarbageCollection.html"),
        ("llvm.ptrauth.", "PointerAuth.html#intrinsics"),
        ("llvm.dbg.", "SourceLevelDebugging.html"),
        ("llvm.vp.", "LangRef.html#vector-predication-intrinsics"),
        ("llvm.experimental.constrained.", "LangRef.html#constrained-floating-point-intrinsics"),
        ("llvm.matrix.", "LangRef.html#matrix-intrinsics"),
        ("llvm.vector.reduce.", "LangRef.html#vector-reduction-intrinsics"),
        ("llvm.masked.", "LangRef.html#masked-vector-load-and-store-intrinsics"),
    ];
    let found = families.iter().find(|(prefix, _)| name.starts_with(prefix));
    format!("https://llvm.org/docs/{}", found.map_or("LangRef.html#intrinsic-functions", |(_, page)| page))
}

/// What a kind of specialized node describes, with a link.
fn node(kind: &str) -> Option<String> {
    let text = METADATA.find("Nodes", kind)?;
    Some(format!("{text} [Language reference]({REFERENCE}#{})", kind.to_lowercase()))
}

/// What an attachment or a kind of node, named without `!`, says.
pub(super) fn metadata(name: &str) -> Option<String> {
    attachment(name).or_else(|| node(name))
}

/// What named metadata of the module holds.
pub(super) fn named_metadata(name: &str) -> Option<String> {
    METADATA.find("Named", name)
}

/// What a field of a summary of the module says.
pub(super) fn summary(name: &str) -> Option<String> {
    METADATA.find("Summary", name)
}

/// What a word of debug information means: `DW_TAG_member`, `DW_OP_deref`, `DIFlagPublic`, `FullDebug`.
pub(super) fn debug_word(word: &str) -> Option<String> {
    DEBUG_INFO.find("Operations", word).or_else(|| DEBUG_INFO.find("Words", word))
}

/// What a field of a node of debug information says.
pub(super) fn field(name: &str) -> Option<String> {
    DEBUG_INFO.find("Fields", name)
}

/// What a hint in the metadata of a loop says.
pub(super) fn loop_hint(name: &str) -> Option<String> {
    METADATA.find("Loops", name)
}

/// What a name in a string means, by its section.
pub(super) fn string(section: &str, name: &str) -> Option<String> {
    STRINGS.find(section, &name.replace(' ', "_"))
}

/// Every name in a section of strings, in the order of the alphabet. Those with capitals have spaces.
pub(super) fn strings(section: &'static str) -> Vec<String> {
    let spelled = |name: &str| match name.contains(|c: char| c.is_ascii_uppercase()) {
        true => name.replace('_', " "),
        false => name.to_owned(),
    };
    let mut names: Vec<String> = STRINGS.names(section).map(spelled).collect();
    names.sort_unstable();
    names
}

/// Every hint of loops.
pub(super) fn loop_hints() -> Vec<&'static str> {
    let mut names: Vec<&str> = METADATA.names("Loops").collect();
    names.sort_unstable();
    names
}

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
        match self.anchor {
            AMDGPU => format!("[AMDGPU manual]({AMDGPU_MANUAL})"),
            anchor => format!("[Language reference]({REFERENCE}#{anchor})"),
        }
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
    use wavelens_llvm::attribute::AttrKind;
    use wavelens_llvm::body::Opcode;
    use wavelens_llvm::tables::Intrinsic;
    use wavelens_llvm::tables::attributes::LEGACY;
    use wavelens_syntax::llvm::{METADATA_KINDS, keywords};

    use super::*;

    #[test]
    fn every_attribute_is_explained() {
        let missing: Vec<_> =
            AttrKind::WORDS.iter().map(|k| k.word()).filter(|w| attribute(w).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_word_of_the_grammar_is_explained() {
        let legacy = |word: &str| LEGACY.iter().any(|l| l.name == word);
        let known = |word: &str| opcode(word).or(attribute(word)).or(super::word(word)).is_some();
        let missing: Vec<_> = keywords().filter(|word| !known(word) && !legacy(word)).collect();
        assert!(keywords().count() > 350 && missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_word_of_debug_information_is_explained() {
        let words = wavelens_llvm::tables::debug_words::all();
        let mut missing: Vec<_> = words.iter().filter(|word| debug_word(word).is_none()).copied().collect();
        let mut of_fields = Vec::new();
        for kind in METADATA_KINDS {
            for own in wavelens_llvm::rules::metadata_fields::fields_of(kind) {
                let words = own.words().into_iter().filter(|w| !["true", "false", "null"].contains(w));
                let words: Vec<_> = words.collect();
                missing.extend(words.iter().filter(|word| debug_word(word).is_none()));
                of_fields.extend(words);
                missing.extend(Some(own.name).filter(|name| field(name).is_none()));
            }
        }
        assert!(words.len() > 400 && missing.is_empty(), "{missing:?}");
        let used: Vec<_> = words
            .iter()
            .chain(&of_fields)
            .flat_map(|word| [("Operations", *word), ("Words", *word)])
            .collect();
        let unused = DEBUG_INFO.unused(&used);
        assert_eq!(unused.iter().filter(|name| name.contains("DW_")).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn every_kind_of_metadata_is_explained() {
        let missing: Vec<_> = METADATA_KINDS.iter().filter(|kind| node(kind).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_intrinsic_is_explained() {
        let all: Vec<_> = Intrinsic::with_prefix("llvm.").map(|i| i.name()).collect();
        let missing: Vec<_> = all.iter().filter(|name| intrinsic(name).is_none()).collect();
        assert!(all.len() > 10_000 && missing.is_empty(), "{missing:?}");
        // The tables of other targets are large, and each has one description.
        let own = all.iter().filter_map(|n| n.strip_prefix("llvm.")).filter(|n| {
            let target = n.split('.').next().unwrap_or("");
            !["aarch64", "arm", "hexagon", "mips", "nvvm", "ppc", "riscv", "ve", "x86"].contains(&target)
        });
        let known: Vec<_> = own.map(|name| ("", name)).collect();
        let unused = INTRINSICS.unused(&known);
        assert_eq!(unused.iter().filter(|n| n.matches('.').count() > 1).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn explained_instructions_exist() {
        for help in opcodes() {
            assert!(Opcode::from_word(help.word).is_some(), "{}", help.word);
        }
    }
}
