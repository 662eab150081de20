//! The bits of an instruction in words: a table of its fields, and what a number in it is.

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
            None => ("", "tells the instruction".to_owned()),
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
fn shown(value: i64, ty: &str) -> String {
    match ty {
        "f32" => format!("{:?} = {:#010x}", f32::from_bits(value as u32), value as u32),
        "f64" => format!("{:?} = {value:#018x}", f64::from_bits(value as u64)),
        "f16" => format!("{:?} = {:#06x}", super::hover::half_value(value as u16), value as u16),
        "bf16" => format!("{:?} = {:#06x}", f32::from_bits((value as u32) << 16), value as u16),
        _ if (-16..=64).contains(&value) => value.to_string(),
        _ => format!("{value:#x}"),
    }
}

/// What a number as written is in an instruction: the operands that hold it, with how they hold it.
pub(super) fn number_in(inst: &Inst, target: Target, word: &str) -> Option<String> {
    let integer = wavelens_semantics::amdgpu::assembler::cursor::integer(word).map(|v| v as i64);
    let real = wavelens_semantics::amdgpu::assembler::cursor::real(word).filter(|_| word.contains('.'));
    let fields = bit_fields(inst, target);
    let mut lines = Vec::new();
    for (index, operand) in inst.operands().iter().enumerate() {
        let (MachineOperand::Imm(value), Some(ty)) = (operand, inst.operand_type(index)) else { continue };
        let bits = real.map(|real| match ty {
            "f32" | "v2f32" => i64::from((real as f32).to_bits()),
            "f64" => real.to_bits() as i64,
            "f16" | "v2f16" => i64::from(super::hover::half_bits(real)),
            "bf16" | "v2bf16" => i64::from((real as f32).to_bits() >> 16),
            _ => i64::from((real as f32).to_bits()),
        });
        let negated = integer.map(i64::wrapping_neg);
        if ![integer, negated, bits].contains(&Some(*value)) {
            continue;
        }
        let Some(field) = fields.iter().find(|f| f.operand == Some((index, 0))) else { continue };
        let how = match LITERALS.contains(&field.value) {
            true => "a literal after the instruction".to_owned(),
            false => format!("inline constant {}", field.value),
        };
        let name = inst.operand_name(index);
        lines.push(format!("`{name}` is of type {ty}: {how}, `{}`", shown(*value, ty)));
    }
    (!lines.is_empty()).then(|| lines.join("  \n"))
}
