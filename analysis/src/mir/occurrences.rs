//! Names in a chunk of Machine IR.

use smol_str::SmolStr;
use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::{function, ir};
use super::model::{OperandKind, RegisterName, VirtualName};
use crate::ide::{Occurrence, Role, Space, SymbolKey};
use crate::{TextEdit, TextRange, llvm};

/// The digits behind a prefix.
fn number(text: &str, prefix: &str) -> SmolStr {
    let rest = text.strip_prefix(prefix).unwrap_or(text);
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().into()
}

/// Every name in the chunk.
pub fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    if let Some(inner) = ir(cx) {
        return llvm::occurrences::occurrences(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let mut found = Vec::new();
    let mut defined = vec![false; f.registers.len()];
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lexed = parse.lexed();
    let definitions: Vec<TextRange> = f
        .operands
        .iter()
        .filter(|o| o.is_def())
        .filter_map(|o| match o.kind {
            OperandKind::Register(r) => match r.name {
                RegisterName::Virtual(v) => Some((v, o.range)),
                _ => None,
            },
            _ => None,
        })
        .filter(|(v, _)| defined.get_mut(*v as usize).is_some_and(|d| !std::mem::replace(d, true)))
        .map(|(_, range)| range)
        .collect();
    for decl in &f.register_decls {
        let key = SymbolKey::local(Space::Register, 0, decl.id.to_string());
        found.push(Occurrence { key, range: decl.id_range, role: Role::Declaration });
    }
    for object in &f.frame {
        let key = SymbolKey::local(Space::StackSlot, u32::from(object.fixed), object.id.to_string());
        found.push(Occurrence { key, range: object.id_range, role: Role::Definition });
    }
    for constant in &f.constants {
        let key = SymbolKey::local(Space::ConstantSlot, 0, constant.id.to_string());
        found.push(Occurrence { key, range: constant.id_range, role: Role::Definition });
    }
    for table in &f.jump_tables {
        let key = SymbolKey::local(Space::JumpTable, 0, table.id.to_string());
        found.push(Occurrence { key, range: table.id_range, role: Role::Definition });
    }
    for index in 0..lexed.len() {
        let (kind, text, range) = (lexed.kind(index), lexed.text(cx.text, index), lexed.range(index));
        let local = |space, owner, name: SmolStr| SymbolKey { space, owner: Some(owner), name };
        let (key, role) = match kind {
            MirKind::VREG | MirKind::NAMED_VREG => {
                let written = definitions.binary_search_by(|d| {
                    if d.contains_range(range) {
                        std::cmp::Ordering::Equal
                    } else {
                        d.start().cmp(&range.start())
                    }
                });
                let role = if written.is_ok() { Role::Definition } else { Role::Reference };
                (local(Space::Register, 0, text.get(1..).unwrap_or("").into()), role)
            }
            MirKind::LABEL => (local(Space::Block, 0, number(text, "bb.")), Role::Definition),
            MirKind::BLOCK_NAME => (local(Space::Block, 0, number(text, "%bb.")), Role::Reference),
            MirKind::STACK_OBJECT => (local(Space::StackSlot, 0, number(text, "%stack.")), Role::Reference),
            MirKind::FIXED_STACK_OBJECT => {
                (local(Space::StackSlot, 1, number(text, "%fixed-stack.")), Role::Reference)
            }
            MirKind::CONSTANT_POOL => {
                (local(Space::ConstantSlot, 0, number(text, "%const.")), Role::Reference)
            }
            MirKind::JUMP_TABLE => {
                (local(Space::JumpTable, 0, number(text, "%jump-table.")), Role::Reference)
            }
            MirKind::GLOBAL => {
                (SymbolKey::module(Space::Global, super::lower::bare(text, "@")), Role::Reference)
            }
            _ => continue,
        };
        found.push(Occurrence { key, range, role });
    }
    found
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    if let Some(inner) = ir(cx) {
        return llvm::occurrences::renamed(&inner, key, new_name);
    }
    let name = new_name.trim_start_matches(['%', '@']).trim_start_matches("bb.");
    let is_number = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    let was_number = key.name.bytes().all(|b| b.is_ascii_digit());
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$');
    match key.space {
        Space::Global => {}
        Space::Register if !was_number && !is_number && !name.is_empty() && name.chars().all(word) => {}
        _ if was_number && is_number => {}
        _ if was_number => return Err("this name is a number, and its new name must be one too".to_owned()),
        _ => {
            return Err(
                "a register's name has letters, digits, `_`, `-` and `$`, and does not start with a digit"
                    .to_owned(),
            );
        }
    }
    if let (Some(f), Space::Register) = (function(cx), key.space) {
        let taken = f.registers.iter().any(|r| match r.name {
            VirtualName::Number(n) => n.to_string() == name,
            VirtualName::Name(s) => f.names.get(s) == name,
        });
        if taken && key.name != name {
            return Err(format!("`%{name}` is there already"));
        }
    }
    Ok(SymbolKey { name: name.into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name, with sigil and quotes as they are needed there.
pub fn spell(cx: &Cx<'_>, occurrence: &Occurrence, new: &SymbolKey) -> String {
    if let Some(inner) = ir(cx) {
        return llvm::occurrences::spell(&inner, occurrence, new);
    }
    let text = cx.slice(occurrence.range);
    let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    if new.name.bytes().all(|b| b.is_ascii_digit()) {
        // What stands before the number and behind it stays: `%stack.0.x`.
        let rest = text.get(digits..).unwrap_or("").trim_start_matches(|c: char| c.is_ascii_digit());
        return format!("{}{}{rest}", text.get(..digits).unwrap_or(""), new.name);
    }
    let sigil = if new.space == Space::Global { "@" } else { "%" };
    format!("{sigil}{}", new.name)
}

/// Takes a rename over from the shared code, when it changes more than the name's places. Edits are relative to the chunk.
pub fn rename(cx: &Cx<'_>, occurrence: &Occurrence, new_name: &str) -> Option<Result<Vec<TextEdit>, String>> {
    let inner = ir(cx);
    // `name: f`, `%ir.x`, `%ir-block.x` and `bb.1.x` in the machine functions say the same names as the IR.
    let shared = occurrence.key.space == Space::Global || (inner.is_some() && occurrence.key.owner.is_some());
    if shared {
        let reason =
            "machine functions refer to this name of the embedded IR in ways that a rename does not reach";
        return Some(Err(reason.to_owned()));
    }
    llvm::occurrences::rename(&inner?, occurrence, new_name)
}
