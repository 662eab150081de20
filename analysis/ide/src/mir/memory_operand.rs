//! Descriptions of memory operands.

use std::fmt::Write;

use wavelens_isa::mir::Machine;
use wavelens_mir::model::{Function, MemoryOperand, MemorySize, Ordering, Pointer};

use super::Cx;
use crate::markdown::code;

/// The description of a memory operand.
pub(super) fn describe(cx: &Cx<'_>, f: &Function, m: &MemoryOperand) -> String {
    let text = cx.slice(m.range);
    let what = match (m.load, m.store) {
        (true, true) => "Loads and stores",
        (false, true) => "Stores",
        _ => "Loads",
    };
    let mut out = match m.size {
        MemorySize::Bytes(bytes) => format!("{what} {bytes} byte{}", if bytes == 1 { "" } else { "s" }),
        MemorySize::Type(ty) => format!("{what} one `{ty}`"),
        MemorySize::Unknown => format!("{what} an unknown number of bytes"),
    };
    let place = match m.pointer {
        Pointer::IrValue(name) => format!("through {}", code(&format!("%ir.{}", f.names.get(name)))),
        Pointer::Global(name) => format!("in {}", code(&format!("@{}", f.names.get(name)))),
        Pointer::Frame { fixed, id, .. } => {
            format!("in the stack object `%{}.{id}`", if fixed { "fixed-stack" } else { "stack" })
        }
        Pointer::Quoted => "through a constant of the IR".to_owned(),
        Pointer::CallEntry(name) => format!("at the entry of {}", code(f.names.get(name))),
        Pointer::Pseudo | Pointer::Custom(_) => "in memory that has no value in the IR".to_owned(),
        Pointer::None | Pointer::UnknownAddress => "at an address that is not known".to_owned(),
    };
    let _ = write!(out, " {place}");
    if m.offset != 0 {
        let _ = write!(out, ", {} bytes on", m.offset);
    }
    if let Some(space) = m.address_space.filter(|s| *s != 0) {
        let _ = write!(out, ", in address space {space}{}", space_name(cx, space));
    }
    match (m.align, m.size) {
        (Some(align), _) => {
            let _ = write!(out, ", aligned to {align}");
        }
        (None, MemorySize::Bytes(_) | MemorySize::Type(_)) => out.push_str(", aligned to its size"),
        _ => {}
    }
    out.push('.');
    let order = match m.ordering {
        Ordering::NotAtomic => None,
        Ordering::Unordered => Some("unordered: only torn values are ruled out"),
        Ordering::Monotonic => Some("monotonic: one order of changes for each address"),
        Ordering::Acquire => Some("acquire: later accesses are not moved before it"),
        Ordering::Release => Some("release: earlier accesses are not moved after it"),
        Ordering::AcqRel => Some("acquire and release: nothing moves across it"),
        Ordering::SeqCst => Some("sequentially consistent: one order for all"),
    };
    if let Some(order) = order {
        let _ = write!(out, "\n\nAtomic, {order}.");
    }
    let flags = [
        ("volatile", "must happen as written"),
        ("non-temporal", "will not be used again soon"),
        ("dereferenceable", "cannot fault, so it may be done early"),
        ("invariant", "memory that does not change while the program can see it"),
    ];
    let words: Vec<&str> = text.split([' ', '(']).collect();
    for (flag, meaning) in flags.iter().filter(|(flag, _)| words.contains(flag)) {
        let _ = write!(out, "\n\n`{flag}`: {meaning}.");
    }
    out
}

/// What AMDGPU calls an address space.
pub(super) fn space_name(cx: &Cx<'_>, space: u32) -> &'static str {
    if cx.scope.machine != Some(Machine::Amdgpu) {
        return "";
    }
    match space {
        1 => " (global)",
        2 => " (region)",
        3 => " (local: LDS)",
        4 => " (constant)",
        5 => " (private: scratch)",
        6 => " (constant, 32-bit)",
        7 => " (buffer fat pointer)",
        8 => " (buffer resource)",
        _ => "",
    }
}
