//! Physical registers: classes, parts, aliases, and who may use them.

use std::fmt::Write;

use wavelens_isa::mir::{Class, Machine, Register, Tables};
use wavelens_mir::Scope;

use super::Cx;
use super::hover::bits;
use super::ide_support::{function, is_written_class, tables};
use crate::amdgpu::operand_help::named_register;

/// Registers and masks that are listed.
const LISTED: usize = 8;

/// What is shown about a register, written with `$`.
pub(super) fn describe(cx: &Cx<'_>, text: &str) -> Option<String> {
    let tables = tables(cx)?;
    let register = tables.register(text.get(1..)?)?;
    if register == Register::NONE {
        return Some(format!("`{text}`: no register; the operand is not used"));
    }
    let mut out = format!("`{text}`");
    // Unions (`av_64`, `vs_64`) and special classes come after the usual class of a register.
    let plain = |c: &Class| {
        let name = tables.class_name(*c);
        (name.starts_with("av_") || name.starts_with("vs_"), name.len(), tables.class_len(*c))
    };
    let classes = (0..tables.class_count() as u16).map(Class).filter(|c| tables.contains(*c, register));
    let written = classes.filter(|c| is_written_class(&tables.class_name(*c)));
    if let Some(class) = written.min_by_key(plain) {
        let (bits, name) = (bits(tables.class_bits(class)), tables.class_name(class));
        let _ = write!(out, ": {bits}, in the class `{name}`");
    }
    // AMDGPU keeps flags above the number.
    let is_amdgpu = cx.scope.machine == Some(Machine::Amdgpu);
    let mask = if is_amdgpu { 0xff } else { u16::MAX };
    let _ = write!(out, ", hardware number {}", tables.encoding(register) & mask);
    if is_amdgpu && let Some(meaning) = named_register(text.get(1..)?) {
        let _ = write!(out, "\n\n{meaning}");
    }
    overlaps(tables, register, &mut out);
    usage(cx, tables, register, &mut out);
    Some(out)
}

/// Whether two registers, named without `$`, share a part.
pub(crate) fn overlap(scope: &Scope, a: &str, b: &str) -> bool {
    let Some(tables) = scope.machine.map(|machine| machine.tables()) else { return false };
    let (Some(a), Some(b)) = (tables.register(a), tables.register(b)) else { return false };
    tables.units(a).any(|unit| tables.units(b).any(|other| other == unit))
}

/// Parts of the register, and larger ones that hold it or a part of it.
fn overlaps(tables: &Tables, register: Register, out: &mut String) {
    let own: Vec<u16> = tables.units(register).collect();
    let (mut parts, mut around, mut equal) = (Vec::new(), Vec::new(), Vec::new());
    for other in (1..tables.register_count() as u16).map(Register).filter(|r| *r != register) {
        let units: Vec<u16> = tables.units(other).collect();
        let shared = units.iter().filter(|unit| own.contains(unit)).count();
        match (shared == units.len(), shared == own.len()) {
            _ if shared == 0 => {}
            (true, true) => equal.push(other),
            (true, false) => parts.push((units.len(), other)),
            _ => around.push((units.len(), other)),
        }
    }
    // Large parts and small aliases say the most.
    parts.sort_by_key(|(size, r)| (std::cmp::Reverse(*size), r.0));
    around.sort_by_key(|(size, r)| (*size, r.0));
    let mut list = |title: &str, registers: Vec<Register>| {
        let names: Vec<String> =
            registers.iter().take(LISTED).map(|r| format!("`${}`", tables.register_name(*r))).collect();
        if !names.is_empty() {
            let more = registers.len() - names.len();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let _ = write!(out, "\n\n{title}: {}{more}", names.join(", "));
        }
    };
    list("same as", equal);
    list("parts", parts.into_iter().map(|(_, r)| r).collect());
    list("overlaps", around.into_iter().map(|(_, r)| r).collect());
}

/// Whether the allocator uses it, and which calls preserve it.
fn usage(cx: &Cx<'_>, tables: &Tables, register: Register, out: &mut String) {
    let rows = cx.scope.rows_of(function(cx), tables);
    if tables.units(register).any(|unit| tables.is_reserved_unit(rows, unit)) {
        out.push_str("\n\nreserved: not used by the register allocator");
    }
    let keeps = |mask: &usize| tables.units(register).all(|unit| tables.mask_keeps(*mask, unit));
    let masks = &tables.facts().masks;
    let kept: Vec<&String> = (0..masks.len()).filter(keeps).filter_map(|mask| masks.get(mask)).collect();
    if !kept.is_empty() && tables.units(register).next().is_some() {
        let names: Vec<String> = kept.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
        let more = if kept.len() > LISTED { ", ..." } else { "" };
        let _ = write!(out, "\n\npreserved by calls with {}{more}", names.join(", "));
    }
}
