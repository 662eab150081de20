//! Floating-point intrinsics with a rounding mode and exceptions: AMDGPU has few of them, and no library that code generation could call.
//!
//! Source: llc 22 and 24, asked for each intrinsic, type, selector and generation.

use wavelens_isa::{Generation, Target};

use super::operations::{Problem, may_be_newer};
use crate::body::Inst;
use crate::context::RuleContext;
use crate::tables::selection::Selector;
use crate::types::{Type, TypeId};

/// What no processor has at any type.
const NEVER: &[&str] = &[
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "cosh",
    "exp",
    "exp10",
    "fdiv",
    "frem",
    "llrint",
    "llround",
    "log",
    "log10",
    "lrint",
    "lround",
    "nearbyint",
    "rint",
    "round",
    "sin",
    "sinh",
    "tan",
    "tanh",
];

/// What only SelectionDAG selects, if it is selected at all.
const NOT_GLOBAL: &[&str] = &[
    "ceil",
    "exp2",
    "floor",
    "log2",
    "maximum",
    "maxnum",
    "minimum",
    "minnum",
    "pow",
    "powi",
    "roundeven",
    "sqrt",
    "trunc",
];

/// What GFX8 and later have for `half`. GFX6 and GFX7 compute `half` as `float`, which neither selector does where a rounding mode or
/// exceptions count.
const HALF: &[&str] = &[
    "ceil",
    "exp2",
    "fadd",
    "floor",
    "fma",
    "fmul",
    "fmuladd",
    "fsub",
    "ldexp",
    "log2",
    "roundeven",
    "sitofp",
    "sqrt",
    "trunc",
];

/// What of `bfloat` only newer versions of LLVM compile.
const BFLOAT: &[&str] =
    &["fadd", "fdiv", "fma", "fmul", "fmuladd", "fptrunc", "fsub", "rint", "sitofp", "sqrt"];

/// Why code generation cannot do a call.
pub(super) fn problem(cx: &RuleContext<'_>, target: Option<Target>, by: Selector, inst: &Inst) -> Problem {
    let call = cx.body.call(inst)?;
    let name = cx.callee_name(call)?.strip_prefix("llvm.")?;
    let Type::Function { result, params, .. } = cx.types.get(cx.call_ty(inst)) else { return None };
    let from = cx.types.list(params).first().copied().unwrap_or(TypeId::ERROR);
    if from.is_error() || result.is_error() {
        return None;
    }
    let message = if name.starts_with("fptrunc.round") {
        rounded(cx, target, by, from, result)
    } else {
        let word = name.strip_prefix("experimental.constrained.")?.split('.').next()?;
        // Those that make an integer are judged by what they make it from.
        let of = if cx.types.int_bits(cx.types.scalar(result)).is_some() { from } else { result };
        computed(cx, target, by, word, cx.types.scalar(of))
    };
    Some((None, message?))
}

/// `llvm.fptrunc.round`. GlobalISel rounds by a mode on every processor.
fn rounded(
    cx: &RuleContext<'_>,
    target: Option<Target>,
    by: Selector,
    from: TypeId,
    to: TypeId,
) -> Option<String> {
    let types = (cx.types.scalar(from), cx.types.scalar(to));
    if ![(TypeId::FLOAT, TypeId::HALF), (TypeId::DOUBLE, TypeId::FLOAT)].contains(&types) {
        return Some(format!(
            "AMDGPU cannot round `{}` to `{}` by a given mode",
            cx.display_ty(from),
            cx.display_ty(to)
        ));
    }
    let target = target.filter(|target| !target.facts().has_16_bit_arithmetic && by == Selector::Dag)?;
    (types.1 == TypeId::HALF)
        .then(|| format!("{target} cannot round to `half` by a given mode; it is supported from GFX8 on"))
}

fn computed(
    cx: &RuleContext<'_>,
    target: Option<Target>,
    by: Selector,
    word: &str,
    element: TypeId,
) -> Option<String> {
    let name = format!("`llvm.experimental.constrained.{word}`");
    let of = format!("{name} of `{}`", cx.display_ty(element));
    if element == TypeId::BFLOAT {
        let has_none = target.is_some_and(|target| !target.has_feature("bf16-trans-insts"));
        let is_refused = BFLOAT.contains(&word) && by == Selector::Dag && has_none && !may_be_newer(cx);
        return is_refused.then(|| format!("LLVM 22 cannot compile {of}"));
    }
    let is_half = element == TypeId::HALF;
    if !is_half && element != TypeId::FLOAT && element != TypeId::DOUBLE {
        return None;
    }
    let is_missing = match word {
        "exp2" | "log2" | "sqrt" => !is_half,
        "pow" | "powi" => element != TypeId::FLOAT,
        _ => NEVER.contains(&word),
    };
    if is_missing {
        return Some(format!("AMDGPU cannot compute {of}"));
    }
    if by == Selector::Global && NOT_GLOBAL.contains(&word) {
        return Some(format!("GlobalISel cannot select {name}"));
    }
    let target = target?;
    let since = match word {
        "maxnum" | "minnum" if !may_be_newer(cx) => return Some(format!("LLVM 22 cannot compute {of}")),
        "maximum" | "minimum" | "maxnum" | "minnum" if target.generation() < Generation::Gfx12 => "GFX12",
        "ceil" | "roundeven" | "trunc"
            if element == TypeId::DOUBLE && target.generation() == Generation::Gfx6 =>
        {
            "GFX7"
        }
        word if is_half && HALF.contains(&word) && !target.facts().has_16_bit_arithmetic => "GFX8",
        _ => return None,
    };
    Some(format!("{target} cannot compute {of}; it is supported from {since} on"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

    #[test]
    fn operations_with_a_rounding_mode() {
        let text = |options: &str| {
            format!(
                r#"; RUN: llc -mtriple=amdgcn {options} < %s
define float @f(float %x, half %h, double %d, i32 %n) strictfp {{
  %a = call float @llvm.experimental.constrained.frem.f32(float %x, float %x, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %b = call float @llvm.experimental.constrained.floor.f32(float %a, metadata !"fpexcept.strict") strictfp
  %c = call double @llvm.experimental.constrained.ceil.f64(double %d, metadata !"fpexcept.strict") strictfp
  %e = call half @llvm.experimental.constrained.ldexp.f16.i32(half %h, i32 %n, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %g = call float @llvm.experimental.constrained.minimum.f32(float %b, float %x, metadata !"fpexcept.strict") strictfp
  %i = call half @llvm.experimental.constrained.exp2.f16(half %e, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %j = call float @llvm.experimental.constrained.exp2.f32(float %g, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %k = call float @llvm.experimental.constrained.fadd.f32(float %j, float %x, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret float %k
}}
"#
            )
        };
        check(
            &text("-mcpu=tahiti"),
            expect![[r#"
            warning[target-operation] 3:19 `@llvm.experimental.constrained.frem.f32`: AMDGPU cannot compute `llvm.experimental.constrained.frem` of `float`
            warning[target-operation] 5:20 `@llvm.experimental.constrained.ceil.f64`: tahiti cannot compute `llvm.experimental.constrained.ceil` of `double`; it is supported from GFX7 on
            warning[target-operation] 6:18 `@llvm.experimental.constrained.ldexp.f16.i32`: tahiti cannot compute `llvm.experimental.constrained.ldexp` of `half`; it is supported from GFX8 on
            warning[target-operation] 7:19 `@llvm.experimental.constrained.minimum.f32`: tahiti cannot compute `llvm.experimental.constrained.minimum` of `float`; it is supported from GFX12 on
            warning[target-operation] 8:18 `@llvm.experimental.constrained.exp2.f16`: tahiti cannot compute `llvm.experimental.constrained.exp2` of `half`; it is supported from GFX8 on
            warning[target-operation] 9:19 `@llvm.experimental.constrained.exp2.f32`: AMDGPU cannot compute `llvm.experimental.constrained.exp2` of `float`
        "#]],
        );
        check(
            &text("-mcpu=gfx900"),
            expect![[r#"
            warning[target-operation] 3:19 `@llvm.experimental.constrained.frem.f32`: AMDGPU cannot compute `llvm.experimental.constrained.frem` of `float`
            warning[target-operation] 7:19 `@llvm.experimental.constrained.minimum.f32`: gfx900 cannot compute `llvm.experimental.constrained.minimum` of `float`; it is supported from GFX12 on
            warning[target-operation] 9:19 `@llvm.experimental.constrained.exp2.f32`: AMDGPU cannot compute `llvm.experimental.constrained.exp2` of `float`
        "#]],
        );
        check(
            &text("-mcpu=gfx1200 -global-isel"),
            expect![[r#"
            warning[target-operation] 3:19 `@llvm.experimental.constrained.frem.f32`: AMDGPU cannot compute `llvm.experimental.constrained.frem` of `float`
            warning[target-operation] 4:19 `@llvm.experimental.constrained.floor.f32`: GlobalISel cannot select `llvm.experimental.constrained.floor`
            warning[target-operation] 5:20 `@llvm.experimental.constrained.ceil.f64`: GlobalISel cannot select `llvm.experimental.constrained.ceil`
            warning[target-operation] 7:19 `@llvm.experimental.constrained.minimum.f32`: GlobalISel cannot select `llvm.experimental.constrained.minimum`
            warning[target-operation] 8:18 `@llvm.experimental.constrained.exp2.f16`: GlobalISel cannot select `llvm.experimental.constrained.exp2`
            warning[target-operation] 9:19 `@llvm.experimental.constrained.exp2.f32`: AMDGPU cannot compute `llvm.experimental.constrained.exp2` of `float`
        "#]],
        );
        check(&text("-mcpu=gfx1200 -global-isel -stop-after=irtranslator"), expect![[""]]);
        check(
            &text("-mcpu=gfx1200 -global-isel -global-isel-abort=2"),
            expect![[r#"
            warning[target-operation] 3:19 `@llvm.experimental.constrained.frem.f32`: AMDGPU cannot compute `llvm.experimental.constrained.frem` of `float`
            warning[target-operation] 9:19 `@llvm.experimental.constrained.exp2.f32`: AMDGPU cannot compute `llvm.experimental.constrained.exp2` of `float`
        "#]],
        );
    }
}
