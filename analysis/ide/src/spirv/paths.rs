//! What access chains and indexes select, as shading languages write it: `u.lights[i].col`.

use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::type_names::{debug_name, member_name};
use wavelens_syntax::spirv::tables::Op;

use super::fold::constant_value;

/// Chains of chains that are followed.
const DEPTH: u32 = 8;
/// Longer paths are cut off.
const LONGEST: usize = 64;

/// The object and the part of it that an access chain, extract or insert selects.
pub(super) fn path(m: &RuleContext<'_>, inst: Inst<'_>) -> Option<String> {
    let text = path_of(m, inst, 0)?;
    let cut: String = text.chars().take(LONGEST).collect();
    Some(if cut.len() < text.len() { cut + "…" } else { cut })
}

/// The path of an access chain by its result.
pub(super) fn path_to(m: &RuleContext<'_>, id: Id) -> Option<String> {
    m.def(id).filter(|def| is_chain(def.op())).and_then(|def| path(m, def))
}

fn is_chain(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain)
}

fn path_of(m: &RuleContext<'_>, inst: Inst<'_>, depth: u32) -> Option<String> {
    match inst.op() {
        op if is_chain(op) => {
            let base = inst.operand(2);
            let (_, held) = m.pointer(m.type_of(base))?;
            let mut text = base_text(m, base, depth)?;
            let mut first = 3;
            if matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain) {
                text.push_str(&format!("[{}]", index_text(m, inst.opt_operand(3)?)));
                first = 4;
            }
            let mut ty = held;
            for operand in first..inst.count() {
                let index = inst.operand(operand);
                let constant = m.uint(index).and_then(|value| u32::try_from(value).ok());
                ty = step(m, ty, constant, || index_text(m, index), &mut text)?;
            }
            Some(text)
        }
        Op::CompositeExtract | Op::CompositeInsert => {
            let composite = if inst.op() == Op::CompositeExtract { 2 } else { 3 };
            let (base, mut ty) = (inst.operand(composite), m.operand_type(inst, composite));
            let mut text = base_text(m, base, depth)?;
            for operand in composite + 1..inst.count() {
                let index = inst.operand(operand);
                ty = step(m, ty, Some(index), || index.to_string(), &mut text)?;
            }
            Some(text)
        }
        _ => None,
    }
}

/// Adds one index to a path; gives the type that it selects.
fn step(
    m: &RuleContext<'_>,
    ty: Id,
    constant: Option<u32>,
    index: impl Fn() -> String,
    text: &mut String,
) -> Option<Id> {
    let def = m.def(ty)?;
    match def.op() {
        Op::TypeStruct => {
            let member = constant?;
            let name = member_name(m, ty, member).unwrap_or_else(|| format!("_{member}"));
            text.push_str(&format!(".{name}"));
            m.members(ty).get(member as usize).copied()
        }
        Op::TypeVector => {
            match constant.and_then(component) {
                Some(component) => text.push_str(&format!(".{component}")),
                None => text.push_str(&format!("[{}]", index())),
            }
            Some(m.element(ty))
        }
        Op::TypeArray | Op::TypeRuntimeArray | Op::TypeMatrix => {
            text.push_str(&format!("[{}]", index()));
            Some(def.word(2))
        }
        _ => None,
    }
}

/// `x`, `y`, `z`, `w`.
pub(super) fn component(index: u32) -> Option<char> {
    "xyzw".chars().nth(index as usize)
}

fn base_text(m: &RuleContext<'_>, base: Id, depth: u32) -> Option<String> {
    if let Some(name) = debug_name(m, base) {
        return Some(name);
    }
    if let Some(chain) = m.def(base).filter(|def| is_chain(def.op()) && depth < DEPTH) {
        return path_of(m, chain, depth + 1);
    }
    let written = m.name(base);
    let is_number = written.trim_start_matches('%').bytes().all(|b| b.is_ascii_digit());
    // A block without a name of its own is known by that of its type.
    let block = m.pointer(m.type_of(base)).and_then(|(_, held)| debug_name(m, held)).filter(|_| is_number);
    Some(block.unwrap_or(written))
}

/// A constant's value, the name of the source, or the id.
fn index_text(m: &RuleContext<'_>, index: Id) -> String {
    let loaded = || {
        // A variable that is loaded directly before: its name says more than a number.
        let def = m.def(index).filter(|def| def.op() == Op::Load)?;
        debug_name(m, def.operand(2))
    };
    let known = constant_value(m, index).or_else(|| debug_name(m, index));
    known.or_else(loaded).unwrap_or_else(|| m.name(index))
}
