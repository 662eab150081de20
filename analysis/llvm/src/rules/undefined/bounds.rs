//! Accesses and pointers outside of their objects, and less aligned ones than they claim.

use super::Finder;
use super::references::Reference;
use crate::body::{Flags, Inst, InstId, Opcode};
use crate::operand::{Operand, Value};
use crate::underlying::{Root, Source};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    OUT_OF_BOUNDS {
        code: "out-of-bounds",
        severity: Severity::Warning,
        title: "an access stays within its object",
        explain: "An access that begins before its `alloca` or global, or ends after it, has undefined behavior. So \
            has the use of an `inbounds` pointer that is more than one byte after the last of its object. Globals whose \
            initializer another module can replace are not checked.\n\n\
            Switch it off for code that is known not to be executed.",
        example: r"@g = global i32 0
define i64 @f() {
  %x = load i64, ptr @g
  ret i64 %x
}
",
        fixed: r"@g = global i64 0
define i64 @f() {
  %x = load i64, ptr @g
  ret i64 %x
}
",
        source: "LLVM pass `lint`: \"Buffer overflow\"; LLVM Language Reference, \"'getelementptr' Instruction\", \
            `inbounds`",
    }

    MISALIGNED {
        code: "misaligned-access",
        severity: Severity::Warning,
        title: "an access does not claim more alignment than its address has",
        explain: "An access with an alignment that its address does not have has undefined behavior: the code may use \
            instructions that fault, or read other bytes. The alignment of an `alloca` or global that is defined here \
            is known; an access without `align` has that of its type.\n\n\
            Switch it off for objects that something else aligns.",
        example: r"@g = global i32 0, align 4
define i32 @f() {
  %x = load i32, ptr @g, align 16
  ret i32 %x
}
",
        fixed: r"@g = global i32 0, align 4
define i32 @f() {
  %x = load i32, ptr @g, align 4
  ret i32 %x
}
",
        source: "LLVM pass `lint`: \"Memory reference address is misaligned\"; LLVM Language Reference, \"'load' \
            Instruction\", `align`",
    }
}

/// What an access touches of an object of known size.
pub(super) fn access(finder: &mut Finder<'_, '_>, access: &Reference, source: &Source<'_>) {
    let (size, alignment) = finder.objects.extent(source.root);
    if size.is_none() && alignment.is_none() {
        return;
    }
    let Some(offset) = finder.objects.offset(source) else { return };
    let (what, name) = (access.what, finder.name(source.root));
    if let (Some(bytes), Some(size)) = (access.bytes.filter(|bytes| *bytes > 0), size)
        && (offset < 0 || u128::from(offset.unsigned_abs()) + u128::from(bytes) > u128::from(size))
    {
        let message = format!(
            "{what} of {} at offset {offset} of `{name}`, which has {}, is undefined behavior",
            count(bytes),
            count(size)
        );
        finder.report_pointer(&OUT_OF_BOUNDS, access.range, message, source);
        return;
    }
    if let (Some(wanted), Some(own)) = (access.align, alignment) {
        let at = match offset {
            0 => own,
            _ => own.min(1 << offset.trailing_zeros()),
        };
        if wanted > at {
            let place = if offset == 0 { String::new() } else { format!(" at offset {offset}") };
            let message =
                format!("{what} with alignment {wanted}, but `{name}`{place} is aligned to {at} only");
            finder.report_pointer(&MISALIGNED, access.range, message, source);
        }
    }
}

fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

/// An `inbounds` pointer outside of its object is poison.
pub(super) fn pointer(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    if inst.opcode != Opcode::GetElementPtr || !inst.flags.has(Flags::INBOUNDS) {
        return;
    }
    let Some(result) = inst.result else { return };
    let ty = crate::types::TypeId::ERROR;
    let source = finder.objects.source(Operand { ty, value: Value::Local(result) });
    if !matches!(source.root, Root::Alloca(_) | Root::Global(_)) {
        return;
    }
    let (Some(size), _) = finder.objects.extent(source.root) else { return };
    let Some(offset) = finder.objects.offset(&source) else { return };
    if offset < 0 || offset.unsigned_abs() > size {
        let name = finder.name(source.root);
        let message = format!(
            "`inbounds` pointer at offset {offset} of `{name}`, which has {}, is poison",
            count(size)
        );
        finder.report_pointer(&OUT_OF_BOUNDS, finder.cx().body.inst_range(id), message, &source);
    }
}
