//! Accesses that the attributes of the function or of its parameters exclude.

use super::super::conventions::{AMDGPU_KERNEL, SPIR_KERNEL};
use super::references::Reference;
use super::{Finder, Written};
use crate::attribute::{AttrKind, memory};
use crate::body::Opcode;
use crate::context::RuleContext;
use crate::underlying::{Root, Source};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    EFFECT {
        code: "memory-effect",
        severity: Severity::Warning,
        title: "a function accesses only the memory that its attributes allow",
        explain: "`memory(...)` of a function, and `readonly`, `writeonly` and `readnone` of a parameter, promise callers \
            what is accessed. An access against that promise has undefined behavior: callers keep values in registers \
            or delete the call. Memory that the function allocates itself is not meant.\n\n\
            Switch it off for accesses that no caller can notice.",
        example: r"define void @f(ptr %p) memory(read) {
  store i32 0, ptr %p
  ret void
}
",
        fixed: r"define void @f(ptr %p) memory(argmem: readwrite) {
  store i32 0, ptr %p
  ret void
}
",
        source: "LLVM Language Reference, \"Function Attributes\", `memory(...)`; \"Parameter Attributes\", `readonly`, \
            `writeonly`, `readnone`",
    }
}

/// Whether nothing writes the memory while the function runs, as LLVM's AMDGPUAAResult knows: a read of it has no effect.
fn is_constant(cx: &RuleContext<'_>, access: &Reference, source: &Source<'_>) -> bool {
    /// Address spaces of constants, with pointers of 64 and of 32 bits.
    const CONSTANTS: [u32; 2] = [4, 6];
    let space = cx.types.address_space(cx.ty(access.pointer.ty));
    let is_untouched = |n: u32| {
        let param = cx.summary.params(cx.function).get(n as usize);
        let attrs = param.map(|param| Written::new(&cx.summary.tables, param.attrs));
        attrs.is_some_and(|attrs| attrs.has(AttrKind::NoAlias) && attrs.has(AttrKind::ReadOnly))
    };
    let is_kernel = matches!(cx.function.cc, AMDGPU_KERNEL | SPIR_KERNEL);
    cx.scope.triple.as_deref().is_some_and(wavelens_isa::is_amdgpu)
        && (space.is_some_and(|space| CONSTANTS.contains(&space))
            || matches!(source.root, Root::Argument(n) if is_kernel && is_untouched(n)))
}

pub(super) fn check(finder: &mut Finder<'_, '_>, access: &Reference, source: &Source<'_>) {
    let cx = finder.cx();
    if !(access.is_read || access.is_write) || access.is_volatile {
        return;
    }
    if let Root::Argument(n) = source.root {
        let Some(param) = cx.summary.params(cx.function).get(n as usize) else { return };
        let attrs = Written::new(&cx.summary.tables, param.attrs);
        // A copy on the stack of the function itself.
        if attrs.has(AttrKind::ByVal) {
            return;
        }
        let excluded = [
            (AttrKind::ReadNone, true),
            (AttrKind::ReadOnly, access.is_write),
            (AttrKind::WriteOnly, access.is_read),
        ];
        if let Some((kind, _)) = excluded.iter().find(|(kind, is_excluded)| *is_excluded && attrs.has(*kind))
        {
            let message = format!(
                "{} through the `{}` parameter `{}`",
                access.what,
                kind.word(),
                finder.name(source.root)
            );
            finder.report_pointer(&EFFECT, access.range, format!("{message} is undefined behavior"), source);
            return;
        }
    }
    let Some(effects) = finder.effects.filter(|_| access.is_write || !is_constant(cx, access, source)) else {
        return;
    };
    let allows = |location: u32| {
        let bits = effects >> location & 3;
        (!access.is_read || bits & 1 != 0) && (!access.is_write || bits & 2 != 0)
    };
    let is_allowed = match source.root {
        Root::Argument(_) => allows(memory::ARGMEM),
        Root::Global(global) => {
            let is_constant = cx.scope.variable(global).is_none_or(|(_, variable)| variable.is_constant);
            (is_constant && !access.is_write) || allows(memory::OTHER)
        }
        Root::Result(id) => {
            let is_loaded = cx.inst(id).is_some_and(|inst| inst.opcode == Opcode::Load);
            !is_loaded || allows(memory::ARGMEM) || allows(memory::OTHER)
        }
        _ => true,
    };
    if !is_allowed {
        let message = format!(
            "{} in a function whose `memory` attribute does not allow it is undefined behavior",
            access.what
        );
        finder.report_pointer(&EFFECT, access.range, message, source);
    }
}
