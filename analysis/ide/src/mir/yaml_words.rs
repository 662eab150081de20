//! What the keys of the YAML around a machine function and the words of CFI directives mean. <https://llvm.org/docs/MIRLangRef.html>

use std::sync::LazyLock;

use crate::descriptions::Descriptions;

static KEYS: LazyLock<Descriptions> = LazyLock::new(|| Descriptions::read(include_str!("yaml_words.txt")));

/// What a key says.
pub(super) fn key(name: &str) -> Option<String> {
    KEYS.find("Keys", name)
}

/// What a value of a key says.
pub(super) fn value(key: &str, value: &str) -> Option<String> {
    KEYS.find(key, value)
}

/// What a word of an operand says: of inline assembly, mostly.
pub(super) fn operand(word: &str) -> Option<String> {
    KEYS.find("Operands", word)
}

/// What a CFI directive does.
pub(super) fn cfi(word: &str) -> Option<String> {
    KEYS.find("CFI", word)
}

#[cfg(test)]
mod tests {
    use wavelens_isa::mir::Machine;
    use wavelens_mir::lower::keys::{FUNCTION, Key, Shape, info_keys};
    use wavelens_syntax::mir::{MirKind, lex_fragment};

    use super::*;

    fn missing(keys: &[Key], found: &mut Vec<&'static str>) {
        for own in keys {
            if key(own.name).is_none() {
                found.push(own.name);
            }
            match own.shape {
                Shape::Map(inner) | Shape::List(&Shape::Map(inner)) => missing(inner, found),
                Shape::OneOf(values) => {
                    found.extend(values.iter().filter(|text| value(own.name, text).is_none()));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_key_and_value_is_explained() {
        let mut found = Vec::new();
        missing(FUNCTION, &mut found);
        Machine::ALL.iter().for_each(|machine| missing(info_keys(*machine), &mut found));
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn explained_directives_exist() {
        for word in KEYS.names("CFI") {
            assert_eq!(lex_fragment(word).first().map(|(kind, _)| *kind), Some(MirKind::CFI_WORD), "{word}");
        }
        assert!(KEYS.names("CFI").count() >= 17);
    }
}
