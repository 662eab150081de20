//! Operations that code generation for AMDGPU cannot do for a type.

use wavelens_isa::Target;

use crate::body::{Inst, InstId, Opcode};
use crate::context::RuleContext;
use crate::operand::Value;
use crate::tables::selection::Selector;
use crate::types::{Type, TypeId};
use wavelens_base::{Diagnostic, Severity};

wavelens_syntax::rules! {
    TARGET_OPERATION {
        code: "target-operation",
        severity: Severity::Warning,
        title: "code generation for AMDGPU can do each operation for its type",
        explain: "The verifier accepts operations of all types. AMDGPU has no library that code generation could call, so what it has no \
            instructions for ends the compilation: arithmetic of `fp128`, `x86_fp80` and `ppc_fp128`, most mathematical intrinsics of `double`, \
            the trigonometric ones of every type but `sin` and `cos`, atomics of more than 64 bits or with less alignment than size, synchronization scopes of other targets, \
            and on GFX6 any access through a generic pointer. For mathematics, call the device library (`__ocml_pow_f64`).",
        example: r#"target triple = "amdgcn-amd-amdhsa"
declare double @llvm.pow.f64(double, double)
define double @f(double %x, double %y) {
  %z = call double @llvm.pow.f64(double %x, double %y)
  ret double %z
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
declare double @__ocml_pow_f64(double, double)
define double @f(double %x, double %y) {
  %z = call double @__ocml_pow_f64(double %x, double %y)
  ret double %z
}
"#,
        source: "LLVM SelectionDAG: \"Cannot select: f64 = fpow\", \"no libcall available for\", \"unsupported library call operation\"; \
            SIMemoryLegalizer: \"Unsupported atomic synchronization scope\"; AtomicExpand: \"unsupported cmpxchg\"; asked of llc 22",
    }
}

/// Mathematical intrinsics that only `double` lacks, and those that all types lack.
const WITHOUT_DOUBLE: &[&str] =
    &["cos", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "sin", "sincos"];
const WITHOUT_ANY: &[&str] =
    &["acos", "asin", "atan", "atan2", "cosh", "modf", "sincospi", "sinh", "tan", "tanh"];

/// Synchronization scopes; each may end with `-one-as`.
const SCOPES: &[&str] = &["", "agent", "cluster", "singlethread", "system", "wavefront", "workgroup"];

pub(super) fn function(
    cx: &RuleContext<'_>,
    target: Option<Target>,
    by: Selector,
    found: &mut Vec<Diagnostic>,
) {
    let lacks_flat = target.is_some_and(|target| !target.facts().has_flat);
    for (id, inst) in cx.insts() {
        let problem = arithmetic(cx, inst)
            .or_else(|| mathematics(cx, inst))
            .or_else(|| atomic(cx, inst))
            .or_else(|| constrained(cx, target, by, inst))
            .or_else(|| region(cx, target, inst))
            .or_else(|| if lacks_flat && by == Selector::Global { halves(cx, inst) } else { None })
            .or_else(|| if lacks_flat { generic(cx, inst) } else { None });
        if let Some((operand, message)) = problem {
            let range = match operand {
                Some(n) => cx.body.operand_range(id, n),
                None => place(cx, id, inst),
            };
            found.push(Diagnostic::new(&TARGET_OPERATION, range, message));
        }
    }
}

/// A call is reported at the callee, others whole.
fn place(cx: &RuleContext<'_>, id: InstId, inst: &Inst) -> wavelens_base::TextRange {
    cx.body.call(inst).map_or_else(|| cx.body.inst_range(id), |call| cx.operand_range(call.callee))
}

/// The operand that is reported, and the message.
type Problem = Option<(Option<u32>, String)>;

fn is_wide_float(cx: &RuleContext<'_>, ty: TypeId) -> bool {
    matches!(cx.types.scalar(ty), TypeId::FP128 | TypeId::X86_FP80 | TypeId::PPC_FP128)
}

fn arithmetic(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    let is_arithmetic =
        matches!(inst.opcode, Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem);
    let is_conversion = matches!(
        inst.opcode,
        Opcode::FpTrunc | Opcode::FpExt | Opcode::FpToSi | Opcode::FpToUi | Opcode::SiToFp | Opcode::UiToFp
    );
    let ty = match (is_arithmetic, is_conversion) {
        (true, _) => cx.operand_ty(inst, 0),
        (_, true) => {
            let (from, to) = (cx.operand_ty(inst, 0), cx.ty(inst.ty));
            if is_wide_float(cx, to) { to } else { from }
        }
        _ => return None,
    };
    // What folds is gone before selection.
    let is_constant = |n| matches!(cx.body.operand(inst, n).value, Value::Const(_));
    if !is_wide_float(cx, ty) || (0..inst.operands.len).all(is_constant) {
        return None;
    }
    let word = if is_arithmetic { "arithmetic" } else { "conversions" };
    Some((None, format!("AMDGPU has no {word} of `{}`", cx.display_ty(cx.types.scalar(ty)))))
}

fn mathematics(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    let call = cx.body.call(inst)?;
    let name = cx.callee_name(call)?.strip_prefix("llvm.")?;
    let word = name.split('.').next()?;
    let Type::Function { params, .. } = cx.types.get(cx.call_ty(inst)) else { return None };
    let ty = *cx.types.list(params).first()?;
    let element = cx.types.scalar(ty);
    let is_known = matches!(element, TypeId::HALF | TypeId::BFLOAT | TypeId::FLOAT | TypeId::DOUBLE);
    let lacks = WITHOUT_ANY.contains(&word) && is_known
        || WITHOUT_DOUBLE.contains(&word) && element == TypeId::DOUBLE;
    let is_constant = cx.body.operands(call.args).iter().all(|arg| matches!(arg.value, Value::Const(_)));
    // `llvm.sin` has no more dots than its type.
    if !lacks || is_constant || name.split('.').count() != 2 {
        return None;
    }
    let bits = match element {
        TypeId::DOUBLE => 64,
        TypeId::FLOAT => 32,
        _ => 16,
    };
    let library = matches!(word, "sincospi" | "modf" | "sincos").then_some("");
    let instead = match library {
        Some(_) => "the device library (`__ocml_...`)".to_owned(),
        None => format!("the device library's `__ocml_{word}_f{bits}`"),
    };
    Some((
        None,
        format!("AMDGPU cannot compile `llvm.{word}` of `{}`; call {instead}", cx.display_ty(element)),
    ))
}

fn atomic(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    let atomic = cx.body.atomic(inst)?;
    if let Some(scope) = atomic.scope.map(|name| cx.body.tables.name(name)) {
        let known = scope.strip_suffix("-one-as").unwrap_or(scope);
        let is_known = SCOPES.contains(&known) || scope == "one-as";
        if !is_known {
            let known = SCOPES.iter().copied().filter(|known| !known.is_empty());
            let message = wavelens_syntax::wording::unknown("AMDGPU synchronization scope", scope, known);
            return Some((None, message));
        }
    }
    let ty = match inst.opcode {
        Opcode::Load => cx.ty(inst.ty),
        Opcode::Store => cx.operand_ty(inst, 0),
        Opcode::AtomicRmw | Opcode::CmpXchg => cx.operand_ty(inst, 1),
        _ => return None,
    };
    let bits = cx.scope.layout.bits(cx.scope, &cx.types, ty)?;
    if bits > 64 {
        return Some((None, format!("AMDGPU has no atomic access of {bits} bits")));
    }
    let aligned = inst.align.checked_sub(1).map(|log| 1_u64 << log)?;
    (aligned * 8 < bits).then(|| {
        let bytes = bits / 8;
        (None, format!("an atomic access of {bytes} bytes must be aligned to {bytes} bytes on AMDGPU, not to {aligned}"))
    })
}

/// Constrained intrinsics that need instructions for `half` where their result is one.
const CONSTRAINED: &[&str] = &["fadd", "fdiv", "fma", "fmul", "fmuladd", "fsub", "rint", "sitofp", "sqrt"];

/// GFX6 and GFX7 compute `half` as `float`, which neither selector does where a rounding mode or exceptions count. GlobalISel rounds by a mode.
fn constrained(cx: &RuleContext<'_>, target: Option<Target>, by: Selector, inst: &Inst) -> Problem {
    let target = target.filter(|target| !target.facts().has_16_bit_arithmetic)?;
    let call = cx.body.call(inst)?;
    let name = cx.callee_name(call)?.strip_prefix("llvm.")?;
    let word = name.strip_prefix("experimental.constrained.").and_then(|rest| rest.split('.').next());
    let is_rounding = by == Selector::Dag && name.starts_with("fptrunc.round.");
    let Type::Function { result, .. } = cx.types.get(cx.call_ty(inst)) else { return None };
    let is_lacking = is_rounding || word.is_some_and(|word| CONSTRAINED.contains(&word));
    (is_lacking && cx.types.scalar(result) == TypeId::HALF).then(|| {
        let what = match word {
            Some(word) => format!("compute `llvm.experimental.constrained.{word}` of `half`"),
            None => "round to `half` by a given mode".to_owned(),
        };
        (None, format!("{target} cannot {what}; it is supported from GFX8 on"))
    })
}

/// Address space 2 is the global data share: it has atomics and counters, on processors that have it at all.
fn region(cx: &RuleContext<'_>, target: Option<Target>, inst: &Inst) -> Problem {
    let (pointer, is_atomic) = match inst.opcode {
        Opcode::Load => (0, false),
        Opcode::Store => (1, false),
        Opcode::AtomicRmw | Opcode::CmpXchg => (0, true),
        _ => return None,
    };
    let is_region = cx.types.get(cx.operand_ty(inst, pointer)) == Type::Ptr(REGION);
    let message = match target.filter(|target| is_region && !target.facts().has_gds) {
        Some(target) => format!("{target} has no global data share (address space 2)"),
        None if is_region && !is_atomic => {
            "the global data share (address space 2) has no loads and stores, only atomic operations"
                .to_owned()
        }
        None => return None,
    };
    Some((Some(pointer), message))
}

const LDS: u32 = 3;
const REGION: u32 = 2;

/// GlobalISel makes stores of 64 bits where GFX6 has none that are aligned to 32.
fn halves(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    if inst.opcode != Opcode::Store || cx.types.get(cx.operand_ty(inst, 1)) != Type::Ptr(LDS) {
        return None;
    }
    let bits = cx.scope.layout.bits(cx.scope, &cx.types, cx.operand_ty(inst, 0))?;
    let is_half_aligned = inst.align.checked_sub(1) == Some(2);
    (matches!(bits, 64 | 96 | 128) && is_half_aligned).then(|| {
        let message = "GlobalISel cannot store 64 bits to LDS with an alignment of 4 on GFX6; align to 8, or split the value";
        (None, message.to_owned())
    })
}

/// On GFX6 there are no flat instructions.
fn generic(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    let pointer = match inst.opcode {
        Opcode::Load | Opcode::AtomicRmw | Opcode::CmpXchg => 0,
        Opcode::Store => 1,
        _ => return None,
    };
    let is_generic = cx.types.get(cx.operand_ty(inst, pointer)) == Type::Ptr(0);
    let is_constant = matches!(cx.body.operand(inst, pointer).value, Value::Const(_));
    (is_generic && !is_constant).then(|| {
        (
            Some(pointer),
            "GFX6 has no flat instructions: a pointer must be in an address space of its own".to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn what_selection_refuses() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define void @f(fp128 %a, double %d, float %x, <2 x double> %v, ptr addrspace(1) %p, i128 %w) {
              %1 = fadd fp128 %a, %a
            ; ^^^^^^^^^^^^^^^^^^^^^^ warning[target-operation]: AMDGPU has no arithmetic of `fp128`
              %2 = fptrunc fp128 %a to double
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-operation]: AMDGPU has no conversions of `fp128`
              %3 = fneg fp128 %a
              %4 = call double @llvm.pow.f64(double %d, double %d)
            ;                  ^^^^^^^^^^^^^ warning[target-operation]: AMDGPU cannot compile `llvm.pow` of `double`; call the device library's `__ocml_pow_f64`
              %5 = call <2 x double> @llvm.sin.v2f64(<2 x double> %v)
            ;                        ^^^^^^^^^^^^^^^ warning[target-operation]: AMDGPU cannot compile `llvm.sin` of `double`; call the device library's `__ocml_sin_f64`
              %6 = call float @llvm.pow.f32(float %x, float %x)
              %7 = call float @llvm.tan.f32(float %x)
            ;                 ^^^^^^^^^^^^^ warning[target-operation]: AMDGPU cannot compile `llvm.tan` of `float`; call the device library's `__ocml_tan_f32`
              %8 = call double @llvm.sqrt.f64(double %d)
              %9 = call double @llvm.exp.f64(double 1.0)
              fence syncscope("agent-one-as") seq_cst
              fence syncscope("one-as") seq_cst
              fence syncscope("workgrup") seq_cst
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-operation]: unknown AMDGPU synchronization scope `workgrup`; did you mean `workgroup`?
              %10 = atomicrmw xchg ptr addrspace(1) %p, i128 %w seq_cst
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-operation]: AMDGPU has no atomic access of 128 bits
              %11 = atomicrmw xchg ptr addrspace(1) %p, i64 1 seq_cst
              %12 = atomicrmw xchg ptr addrspace(1) %p, i64 1 seq_cst, align 4
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-operation]: an atomic access of 8 bytes must be aligned to 8 bytes on AMDGPU, not to 4
              ret void
            }
        "#]]);
    }

    #[test]
    fn what_some_processors_lack() {
        let text = |cpu: &str| {
            format!(
                r#"; RUN: llc -mtriple=amdgcn -mcpu={cpu} < %s
define amdgpu_ps half @f(ptr addrspace(2) inreg %g, ptr addrspace(3) %l, float %x, i64 %y) {{
  %a = load i32, ptr addrspace(2) %g
  %b = atomicrmw add ptr addrspace(2) %g, i32 %a monotonic
  store i64 %y, ptr addrspace(3) %l, align 4
  store i64 %y, ptr addrspace(3) %l, align 8
  %r = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !"round.upward")
  %s = call half @llvm.experimental.constrained.sqrt.f16(half %r, metadata !"round.tonearest", metadata !"fpexcept.strict")
  ret half %s
}}
"#
            )
        };
        check(
            &text("tahiti"),
            expect![[r#"
                warning[target-operation] 3:35 `%g`: the global data share (address space 2) has no loads and stores, only atomic operations
                warning[target-operation] 7:18 `@llvm.fptrunc.round.f16.f32`: tahiti cannot round to `half` by a given mode; it is supported from GFX8 on
                warning[target-operation] 8:18 `@llvm.experimental.constrained.sqrt.f16`: tahiti cannot compute `llvm.experimental.constrained.sqrt` of `half`; it is supported from GFX8 on
            "#]],
        );
        check(
            &text("tahiti -global-isel"),
            expect![[r#"
                warning[target-operation] 3:35 `%g`: the global data share (address space 2) has no loads and stores, only atomic operations
                warning[target-operation] 5:3 `store i64 %y, ptr addrspace(3) %l, align 4`: GlobalISel cannot store 64 bits to LDS with an alignment of 4 on GFX6; align to 8, or split the value
                warning[target-operation] 8:18 `@llvm.experimental.constrained.sqrt.f16`: tahiti cannot compute `llvm.experimental.constrained.sqrt` of `half`; it is supported from GFX8 on
            "#]],
        );
        check(
            &text("gfx90a"),
            expect![[r#"
            warning[target-operation] 3:35 `%g`: gfx90a has no global data share (address space 2)
            warning[target-operation] 4:39 `%g`: gfx90a has no global data share (address space 2)
        "#]],
        );
        check(
            &text("gfx1030"),
            expect![[r#"
            warning[target-operation] 3:35 `%g`: the global data share (address space 2) has no loads and stores, only atomic operations
        "#]],
        );
    }

    #[test]
    fn the_first_processors_have_no_generic_accesses() {
        let text = |cpu: &str| {
            format!(
                "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f(ptr %p, ptr addrspace(1) %q) \"target-cpu\"=\"{cpu}\" {{\n  \
                 store i32 1, ptr %p\n  store i32 1, ptr addrspace(1) %q\n  ret void\n}}\n"
            )
        };
        check(
            &text("tahiti"),
            expect![[r#"
                warning[target-operation] 3:20 `%p`: GFX6 has no flat instructions: a pointer must be in an address space of its own
            "#]],
        );
        check(&text("gfx700"), expect![""]);
    }
}
