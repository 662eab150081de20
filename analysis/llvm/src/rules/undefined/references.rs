//! The memory that an instruction says it reads or writes.

use super::Finder;
use crate::attribute::AttrKind;
use crate::body::{Flags, Inst, InstId, Opcode};
use crate::operand::{Operand, OperandId};
use crate::types::TypeId;
use wavelens_base::TextRange;

/// One access through a pointer.
pub(super) struct Reference {
    pub(super) pointer: Operand,
    pub(super) range: TextRange,
    /// `load`, `store`, `call`: what the message calls it.
    pub(super) what: &'static str,
    /// How many bytes it touches, if that is known.
    pub(super) bytes: Option<u64>,
    /// The alignment that it relies on.
    pub(super) align: Option<u64>,
    pub(super) is_read: bool,
    pub(super) is_write: bool,
    pub(super) is_call: bool,
    /// What such an access does is up to the machine.
    pub(super) is_volatile: bool,
}

/// Adds all accesses of an instruction.
pub(super) fn of(finder: &Finder<'_, '_>, id: InstId, inst: &Inst, found: &mut Vec<Reference>) {
    let cx = finder.cx();
    let body = cx.body;
    let at = |n: u32, what, is_read, is_write, ty: Option<TypeId>| {
        let measured = ty.and_then(|ty| finder.objects.size_and_align(ty));
        let written = (inst.align > 0).then(|| 1u64 << (inst.align - 1).min(62));
        Reference {
            pointer: body.operand(inst, n),
            range: body.operand_range(id, n),
            what,
            bytes: ty.and_then(|ty| finder.objects.store_size(ty)),
            align: written.or(measured.map(|(_, align)| align)),
            is_read,
            is_write,
            is_call: false,
            is_volatile: inst.flags.has(Flags::VOLATILE),
        }
    };
    match inst.opcode {
        Opcode::Load => found.push(at(0, "load", true, false, Some(cx.ty(inst.ty)))),
        Opcode::Store => found.push(at(1, "store", false, true, Some(cx.operand_ty(inst, 0)))),
        Opcode::CmpXchg => found.push(at(0, "cmpxchg", true, true, Some(cx.operand_ty(inst, 1)))),
        Opcode::AtomicRmw => found.push(at(0, "atomicrmw", true, true, Some(cx.operand_ty(inst, 1)))),
        Opcode::VaArg => found.push(at(0, "va_arg", true, true, None)),
        Opcode::Call | Opcode::Invoke | Opcode::CallBr => of_call(finder, inst, found),
        _ => {}
    }
}

fn of_call(finder: &Finder<'_, '_>, inst: &Inst, found: &mut Vec<Reference>) {
    let cx = finder.cx();
    let Some(call) = cx.body.call(inst) else { return };
    let args = cx.body.operands(call.args);
    let at = |n: usize, what, bytes, (is_read, is_write)| {
        let id = OperandId(call.args.start + n as u32);
        Some(Reference {
            pointer: *args.get(n)?,
            range: cx.operand_range(id),
            what,
            bytes,
            align: None,
            is_read,
            is_write,
            is_call: false,
            is_volatile: false,
        })
    };
    let Some(name) = cx.callee_name(call).filter(|name| name.starts_with("llvm.")) else {
        found.push(Reference {
            pointer: cx.body.tables.operand(call.callee),
            range: cx.operand_range(call.callee),
            what: "call",
            bytes: None,
            align: None,
            is_read: false,
            is_write: false,
            is_call: true,
            is_volatile: false,
        });
        for n in 0..args.len() {
            // Optimizers write null for a `byval` argument that nothing reads.
            if let Some(ty) = finder.argument(call, n).ty(AttrKind::StructRet) {
                let bytes = finder.objects.store_size(cx.ty(ty));
                found.extend(at(n, "`sret` argument", bytes, (false, true)));
            }
        }
        return;
    };
    let family = name.split('.').nth(1).unwrap_or("");
    let (read, write) = ((true, false), (false, true));
    match family {
        "va_start" | "va_end" | "stackrestore" => found.extend(at(0, "access", None, (true, true))),
        "va_copy" => {
            found.extend(at(0, "access", None, write));
            found.extend(at(1, "access", None, read));
        }
        "memcpy" | "memmove" | "memset" => {
            // The bytes; `None` where their number is not constant, no access at all where it is 0.
            let length = args.get(2).and_then(|length| finder.objects.int(*length)).map(|int| int.value);
            if length == Some(0) || name.starts_with("llvm.memset.pattern") {
                return;
            }
            let what = match family {
                "memcpy" => "memcpy",
                "memmove" => "memmove",
                _ => "memset",
            };
            let last = args.last().and_then(|last| finder.objects.literal(*last));
            let is_volatile = last.is_some_and(|last| last.bits == 1 && last.value == 1);
            let sides: &[(usize, (bool, bool))] =
                if what == "memset" { &[(0, write)] } else { &[(0, write), (1, read)] };
            for (n, effect) in sides {
                let align = finder.argument(call, *n).int(AttrKind::Alignment);
                let reference = at(*n, what, length, *effect);
                found.extend(reference.map(|reference| Reference { align, is_volatile, ..reference }));
            }
        }
        _ => {}
    }
}
