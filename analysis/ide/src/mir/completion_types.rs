//! Which low-level types may come in parentheses: the one that the register has elsewhere, or that other operands have whose
//! type the opcode says is the same; in memory operands, sizes of accesses.

use wavelens_isa::mir::Tables;
use wavelens_mir::model::{Function, Type};

use super::Cx;
use super::completion_registers::{Typed, register};
use super::ide_support::{register_index, virtuals};

/// Of registers, those that LLVM's tests have most of first.
const REGISTERS: &[&str] = &[
    "s32",
    "s64",
    "p1",
    "s1",
    "<2 x s32>",
    "s16",
    "<2 x s16>",
    "<4 x s32>",
    "p3",
    "p0",
    "p4",
    "p5",
    "s8",
    "s128",
    "<3 x s32>",
    "<8 x s32>",
    "s96",
];
/// Of what is loaded and stored.
const ACCESSES: &[&str] = &[
    "s32",
    "s64",
    "s128",
    "s8",
    "s16",
    "<4 x s32>",
    "<2 x s32>",
    "s96",
    "s256",
    "s512",
    "<2 x s16>",
    "<8 x s32>",
    "<16 x s32>",
    "p1",
    "p0",
    "p3",
    "p5",
];

/// The types of registers that tell integers from floating-point numbers, as LLVM 24 writes them.
const NAMED: &[&str] =
    &["i32", "f32", "i16", "f16", "i64", "f64", "i1", "i8", "bf16", "<2 x f16>", "<2 x i16>", "<2 x i32>"];

/// Whether registers have types that tell integers from floating-point numbers.
pub(super) fn is_named(text: &str) -> bool {
    ["(i32)", "(f32)", "(i16)", "(f16)", "(i64)", "(f64)"].iter().any(|ty| text.contains(ty))
}

/// The types that may follow a line that ends in a parenthesis, the likely ones first; `after` goes on after the type.
pub(super) fn types(
    cx: &Cx<'_>,
    f: &Function,
    tables: &Tables,
    before: &str,
    after: &str,
) -> Vec<(String, u8)> {
    let is_access = before.contains("::");
    let is_named = is_named(cx.text);
    let named = if is_named && !is_access { NAMED } else { &[] };
    let listed = named.iter().chain(if is_access { ACCESSES } else { REGISTERS });
    let known = if is_access || is_named { None } else { known(f, tables, before, after) };
    let listed = listed.map(|ty| (*ty).to_owned()).filter(|ty| known.as_ref() != Some(ty));
    let listed = listed.enumerate().map(|(index, ty)| (ty, 1 + u8::from(index >= 10)));
    known.clone().map(|ty| (ty, 0)).into_iter().chain(listed).collect()
}

/// The type that the register must have.
fn known(f: &Function, tables: &Tables, before: &str, after: &str) -> Option<String> {
    let all = virtuals(f);
    let type_of =
        |operand: &str| -> Option<Type> { all.get(register_index(f, register(operand))? as usize)?.ty };
    let own = before.strip_suffix('(')?.rsplit([' ', ',']).next()?;
    let from_operands = || {
        let line = format!("{before}{after}");
        let typed = Typed::whole(&line);
        let desc = typed.desc(tables)?;
        let at = typed.all().position(|operand| register(operand) == register(own))?;
        let number = desc.operand(at)?.type_index()?;
        let mut others = typed.all().enumerate().filter(|(index, _)| *index != at);
        others.find_map(|(index, operand)| {
            type_of(operand).filter(|_| desc.operand(index).and_then(|o| o.type_index()) == Some(number))
        })
    };
    type_of(own).or_else(from_operands).map(|ty| ty.to_string())
}
