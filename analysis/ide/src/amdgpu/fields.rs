//! The bits of an instruction as a table of its fields, and what a number in it is.

use std::fmt::Write as _;

use wavelens_isa::{BitField, Inst, MachineOperand, Target, bit_fields};

/// Codes of source operands that say that a literal follows.
const LITERALS: [u64; 2] = [254, 255];

/// A table of the fields, from the highest bit down as in the instruction set documents.
pub(super) fn table(inst: &Inst, target: Target) -> String {
    let mut text = String::from("| bits | field | value | meaning |\n|---|---|---|---|\n");
    for field in bit_fields(inst, target).iter().rev() {
        let last = field.first + field.count - 1;
        let bits = if field.count == 1 { last.to_string() } else { format!("{last}:{}", field.first) };
        let (name, meaning) = match field.operand {
            None => ("", "encoding and opcode".to_owned()),
            Some((operand, _)) => (inst.operand_name(operand), meaning(inst, operand, field)),
        };
        let _ = writeln!(text, "| {bits} | {name} | {} | {meaning} |", number(field));
    }
    text
}

fn number(field: &BitField) -> String {
    if field.value < 10 { field.value.to_string() } else { format!("{:#x} = {0}", field.value) }
}

fn meaning(inst: &Inst, operand: usize, field: &BitField) -> String {
    match inst.operands().get(operand) {
        Some(MachineOperand::Reg(reg)) => format!("`{}`", reg.name()),
        Some(MachineOperand::Symbol(_)) => "a symbol".to_owned(),
        Some(MachineOperand::Imm(value)) if inst.operand_type(operand).is_some() => {
            let how =
                if LITERALS.contains(&field.value) { "the literal that follows" } else { "inline constant" };
            format!("{how}, `{}`", shown(*value, inst.operand_type(operand).unwrap_or_default()))
        }
        _ => String::new(),
    }
}

/// A stored number as its type says it.
pub(super) fn shown(value: i64, ty: &str) -> String {
    match ty {
        "f32" => format!("{:?} = {:#010x}", f32::from_bits(value as u32), value as u32),
        "f64" => format!("{:?} = {value:#018x}", f64::from_bits(value as u64)),
        "f16" => format!("{:?} = {:#06x}", super::hover::half_value(value as u16), value as u16),
        "bf16" => format!("{:?} = {:#06x}", f32::from_bits((value as u32) << 16), value as u16),
        _ if (-16..=64).contains(&value) => value.to_string(),
        _ => format!("{value:#x}"),
    }
}
