//! Global variables in address spaces of AMDGPU: LDS, private memory, thread-local storage.

use wavelens_isa::Target;

use super::LDS;
use crate::body::Opcode;
use crate::context::{ModuleContext, RuleContext};
use crate::operand::{Const, OperandId, Value};
use rustc_hash::FxHashSet;
use wavelens_base::{Diagnostic, Severity};

wavelens_syntax::rules! {
    TARGET_VARIABLE {
        code: "target-variable",
        severity: Severity::Warning,
        title: "a global variable is one that AMDGPU can place",
        explain: "LDS (address space 3) exists while a workgroup runs: nothing can fill it before, so a variable there has no initializer but \
            `poison` or `undef`, not even zeros, its address is not a constant that another initializer could hold as a generic pointer, and all \
            that a kernel uses must fit. Private memory (address space 5) is the stack, without variables. Lanes have no thread-local storage.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
@tile = addrspace(3) global [64 x i32] zeroinitializer
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
@tile = addrspace(3) global [64 x i32] poison
"#,
        source: "LLVM AMDGPUAsmPrinter: \"unsupported initializer for address space\"; AMDGPUMachineFunction: \"local memory (...) exceeds \
            limit\"; AsmPrinter: \"unsupported expression in static initializer\"; asked of llc 22",
    }
}

const PRIVATE: u32 = 5;

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    let mut found = Vec::new();
    for global in &summary.globals {
        let Some(init) = global.init else { continue };
        let Some(name) = global.head.name.as_name().map(|n| summary.tables.names.get(n)) else { continue };
        let space = cx.scope.global_named(name).map_or(0, |global| global.address_space);
        let operand = summary.tables.operand(init);
        let is_filled = match operand.value {
            Value::Const(_) => {
                !matches!(summary.tables.const_of(operand), Some(Const::Undef | Const::Poison | Const::Error))
            }
            Value::Global(_) => true,
            _ => false,
        };
        if space == LDS && is_filled {
            let message = format!("`@{name}` is in LDS, which cannot be initialized; write `poison`");
            found.push(Diagnostic::new(&TARGET_VARIABLE, cx.ranges.operand(init), message));
        }
    }
    for (n, operand) in summary.tables.operands.iter().enumerate() {
        let Some(Const::Expr(index)) = summary.tables.const_of(*operand) else { continue };
        let Some(cast) = summary.tables.cold.exprs.get(index as usize) else { continue };
        let start = cast.operands.start as usize;
        let Some(of) = summary.tables.operands.get(start).filter(|_| cast.opcode == Opcode::AddrSpaceCast)
        else {
            continue;
        };
        let Value::Global(symbol) = of.value else { continue };
        let global = cx.scope.global(symbol, &summary.tables.names);
        if global.is_some_and(|global| global.address_space == LDS) {
            let name = symbol.display('@', &summary.tables.names);
            let message = format!(
                "the generic address of `{name}` in LDS is not a constant that memory can be initialized with"
            );
            found.push(Diagnostic::new(&TARGET_VARIABLE, cx.ranges.operand(OperandId(n as u32)), message));
        }
    }
    cx.diagnostics.append(&mut found);
}

pub(super) fn function(cx: &RuleContext<'_>, target: Option<Target>, found: &mut Vec<Diagnostic>) {
    let layout = &cx.scope.layout;
    let mut used = FxHashSet::default();
    let mut bytes = 0;
    for (n, operand) in cx.body.tables.operands.iter().enumerate() {
        let Some((_, variable)) = cx.global(*operand).and_then(|global| cx.scope.variable(global)) else {
            continue;
        };
        let Some(global) = cx.global(*operand) else { continue };
        let shown = || cx.display_value(*operand);
        let range = || cx.operand_range(OperandId(n as u32));
        if variable.head.is_thread_local {
            let message = format!("AMDGPU has no thread-local storage: `{}` cannot be used", shown());
            found.push(Diagnostic::new(&TARGET_VARIABLE, range(), message));
        } else if global.address_space == PRIVATE {
            let message =
                format!("`{}` is in private memory, which has no variables; use an `alloca`", shown());
            found.push(Diagnostic::new(&TARGET_VARIABLE, range(), message));
        } else if global.address_space == LDS && used.insert((global.summary, global.head.item)) {
            let Some(size) = layout.alloc_bytes(cx.scope, &cx.types, global.value_type) else { continue };
            bytes += size;
            let Some(limit) =
                target.map(|target| target.facts().kernel_lds_bytes).filter(|limit| bytes > *limit)
            else {
                continue;
            };
            let on = target.map(|target| target.to_string()).unwrap_or_default();
            let message = match bytes == size {
                true => format!(
                    "`{}` has {size} bytes, but a kernel has at most {limit} bytes of LDS on {on}",
                    shown()
                ),
                false => format!(
                    "the function uses {bytes} bytes of LDS, but a kernel has at most {limit} on {on}"
                ),
            };
            found.push(Diagnostic::new(&TARGET_VARIABLE, range(), message));
            bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn what_cannot_be_placed() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            target datalayout = "e-p3:32:32-p5:32:32-A5"
            @a = internal addrspace(3) global i32 5
            ;^ hint[unused-global]: unused global `@a`
            ;                                     ^ warning[target-variable]: `@a` is in LDS, which cannot be initialized; write `poison`
            @b = internal addrspace(3) global i32 zeroinitializer
            ;^ hint[unused-global]: unused global `@b`
            ;                                     ^^^^^^^^^^^^^^^ warning[target-variable]: `@b` is in LDS, which cannot be initialized; write `poison`
            @c = internal addrspace(3) global [16384 x i32] poison
            @d = external addrspace(3) global [0 x i32]
            @e = addrspace(1) global ptr addrspacecast (ptr addrspace(3) @c to ptr)
            ;                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-variable]: the generic address of `@c` in LDS is not a constant that memory can be initialized with
            @f = addrspace(1) global ptr addrspace(3) @c
            @g = internal addrspace(5) global i32 poison
            @h = thread_local addrspace(1) global i32 0
            @i = internal addrspace(3) global i32 poison
            define amdgpu_kernel void @k() "target-cpu"="gfx942" {
              store i32 1, ptr addrspace(3) @c
              store i32 1, ptr addrspace(3) @c
              store i32 1, ptr addrspace(3) @i
            ;                               ^^ warning[target-variable]: the function uses 65540 bytes of LDS, but a kernel has at most 65536 on gfx942
              store i32 1, ptr addrspace(5) @g
            ;                               ^^ warning[target-variable]: `@g` is in private memory, which has no variables; use an `alloca`
              store i32 1, ptr addrspace(1) @h
            ;                               ^^ warning[target-variable]: AMDGPU has no thread-local storage: `@h` cannot be used
              ret void
            }
            define amdgpu_kernel void @l() "target-cpu"="gfx950" {
              store i32 1, ptr addrspace(3) @c
              store i32 1, ptr addrspace(3) @i
              ret void
            }
        "#]]);
    }
}
