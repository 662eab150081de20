//! Which version of LLVM wrote a module: its triple, `!llvm.ident` and the producers of its compile units say.

use super::Scope;
use crate::metadata::{FieldName, MdValue};
use crate::metadata_view::Md;
use wavelens_isa::subarchitecture;

/// The first version whose triples of AMDGPU name the processor.
const SUBARCHITECTURES: u8 = 24;

/// The newest version that is named; `None` if none is.
pub(super) fn version(scope: &Scope) -> Option<u8> {
    let triple = scope.triple.as_deref().and_then(subarchitecture).filter(|part| !part.is_empty());
    let mut newest = triple.map(|_| SUBARCHITECTURES);
    for (at, (_, summary)) in (0..).zip(&scope.summaries) {
        for named in &summary.cold.named_metadata {
            let name = summary.tables.name(named.name);
            if !matches!(name, "llvm.ident" | "llvm.dbg.cu") {
                continue;
            }
            for value in named.values.of(&summary.cold.named_metadata_values) {
                let Some(node) = scope.resolve(*value, &summary.tables, Some(at)) else { continue };
                let text = match (name, node.field(FieldName::Producer)) {
                    ("llvm.ident", _) => match node.operand(scope, 0) {
                        Md::String(text) => text,
                        _ => continue,
                    },
                    (_, Some(MdValue::Text(text))) => node.tables.name(text),
                    _ => continue,
                };
                newest = newest.max(version_in(text));
            }
        }
    }
    newest
}

/// `24` of `clang version 24.0.0git (...)`. Apple counts its own versions.
fn version_in(producer: &str) -> Option<u8> {
    if producer.contains("Apple") {
        return None;
    }
    let rest = ["clang version ", "flang version ", "LLVM version "]
        .iter()
        .find_map(|words| producer.split_once(words).map(|(_, rest)| rest))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_of_producers() {
        for (text, version) in [
            ("clang version 24.0.0git (https://github.com/llvm/llvm-project 0123)", Some(24)),
            ("Ubuntu clang version 22.1.0", Some(22)),
            ("Apple clang version 17.0.0 (clang-1700.0.13.3)", None),
            ("flang version 23.1", Some(23)),
            ("rustc version 1.95.0", None),
            ("triton", None),
            ("clang version ", None),
        ] {
            assert_eq!(version_in(text), version, "{text}");
        }
    }
}
