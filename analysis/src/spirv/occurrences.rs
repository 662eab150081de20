//! Names in a chunk of SPIR-V assembly.

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Cx;
use super::flat::Form;
use crate::TextEdit;
use crate::ide::{Occurrence, Role, Space, SymbolKey};

/// Every name in the chunk.
pub fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    let flat = &cx.lowered.flat;
    let mut found = Vec::new();
    for inst in &flat.insts {
        let ranges = cx.lowered.operand_ranges.get(inst.first as usize..).unwrap_or_default();
        for (index, (operand, range)) in flat.operands_of(inst).iter().zip(ranges).enumerate() {
            if operand.form != Form::Id {
                continue;
            }
            let role = match (operand.kind, inst.op, index) {
                (Kind::ResultId, ..) => Role::Definition,
                (_, Op::FunctionCall, 2) => Role::Call,
                (_, Op::Store | Op::CopyMemory | Op::AtomicStore, 0) => Role::Write,
                _ => Role::Reference,
            };
            let key = SymbolKey::module(Space::Id, flat.name(operand.value));
            found.push(Occurrence { key, range: *range, role });
        }
    }
    found.sort_by_key(|o| o.range.start());
    found
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(_cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    let name = new_name.strip_prefix('%').unwrap_or(new_name);
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(super::rules::assembler::invalid_id(new_name));
    }
    Ok(SymbolKey { name: name.into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name.
pub fn spell(_cx: &Cx<'_>, _occurrence: &Occurrence, new: &SymbolKey) -> String {
    format!("%{}", new.name)
}

/// Takes a rename over from the shared code, when it changes more than the name's places. Edits are relative to the chunk.
pub fn rename(
    _cx: &Cx<'_>,
    _occurrence: &Occurrence,
    _new_name: &str,
) -> Option<Result<Vec<TextEdit>, String>> {
    None
}
