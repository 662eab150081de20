//! Operations that code generation for AMDGPU cannot do for a type.

use wavelens_isa::Target;
use wavelens_syntax::llvm::NEWER_SINCE;
use wavelens_syntax::wording;

use super::values::differs;
use super::{LDS, REGION, constrained};
use crate::attribute_set::AttributeSet;
use crate::body::{Inst, InstId, Opcode};
use crate::context::RuleContext;
use crate::metadata_view::Md;
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
            indirect branches, scalable vectors, `llvm.frameaddress` and its kind, and on GFX6 any access through a generic pointer. For mathematics, call the device library (`__ocml_pow_f64`).",
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

/// Further ones, which `fp128`, `x86_fp80` and `ppc_fp128` lack too.
const WITHOUT_WIDE: &[&str] = &[
    "canonicalize",
    "ceil",
    "floor",
    "fma",
    "fmuladd",
    "ldexp",
    "llrint",
    "llround",
    "lrint",
    "lround",
    "nearbyint",
    "powi",
    "rint",
    "round",
    "roundeven",
    "sqrt",
    "trunc",
];

/// Of these, what newer versions of LLVM compile.
const NEWER_DOUBLE: &[&str] = &["exp", "exp10", "exp2"];
const NEWER_ANY: &[&str] = &["modf"];

/// Intrinsics that no processor has at any type, with what to use.
const WITHOUT_ALL: &[(&str, &str)] = &[
    ("addressofreturnaddress", ""),
    ("clear_cache", ""),
    ("frameaddress", ""),
    ("localaddress", ""),
    ("reset.fpenv", "; use `llvm.set.fpenv.i64`"),
    ("reset.fpmode", "; use `llvm.set.fpmode.i32`"),
    ("vscale", ": it has no scalable vectors"),
];

/// Whether the module may be for a version of LLVM that compiles more than LLVM 22.
pub(super) fn may_be_newer(cx: &RuleContext<'_>) -> bool {
    cx.scope.llvm_level.is_none_or(|level| level >= NEWER_SINCE)
}

/// Registers that `llvm.read_register` knows, and their bits.
const READABLE: &[(&str, u32)] = &[
    ("exec", 64),
    ("exec_hi", 32),
    ("exec_lo", 32),
    ("flat_scratch", 64),
    ("flat_scratch_hi", 32),
    ("flat_scratch_lo", 32),
    ("m0", 32),
];

/// Synchronization scopes; each may end with `-one-as`.
const SCOPES: &[&str] = &["", "agent", "cluster", "singlethread", "system", "wavefront", "workgroup"];

pub(super) fn function(
    cx: &RuleContext<'_>,
    target: Option<Target>,
    by: Selector,
    found: &mut Vec<Diagnostic>,
) {
    let lacks_flat = target.is_some_and(|target| !target.facts().has_flat) || is_default(cx);
    for (id, inst) in cx.insts() {
        let problem = control(inst)
            .or_else(|| arithmetic(cx, inst))
            .or_else(|| unavailable(cx, by, inst))
            .or_else(|| mathematics(cx, inst))
            .or_else(|| atomic(cx, by, inst))
            .or_else(|| constrained::problem(cx, target, by, inst))
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

/// Whether a RUN line names no processor: outside HSA llc takes one without flat instructions.
fn is_default(cx: &RuleContext<'_>) -> bool {
    let configuration = &cx.scope.configuration;
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    configuration.run.is_some()
        && configuration.processor_of(own.string("target-cpu")).is_none()
        && configuration.features.is_empty()
        && own.string("target-features").is_none()
        && cx
            .scope
            .triple
            .as_deref()
            .is_some_and(|triple| triple.starts_with("amdgcn") && !triple.contains("amdhsa"))
}

/// A call is reported at the callee, others whole.
fn place(cx: &RuleContext<'_>, id: InstId, inst: &Inst) -> wavelens_base::TextRange {
    cx.body.call(inst).map_or_else(|| cx.body.inst_range(id), |call| cx.operand_range(call.callee))
}

/// The operand that is reported, and the message.
pub(super) type Problem = Option<(Option<u32>, String)>;

fn is_wide_float(cx: &RuleContext<'_>, ty: TypeId) -> bool {
    matches!(cx.types.scalar(ty), TypeId::FP128 | TypeId::X86_FP80 | TypeId::PPC_FP128)
}

/// Instructions of hosts.
fn control(inst: &Inst) -> Problem {
    let message = match inst.opcode {
        Opcode::IndirectBr => "AMDGPU has no indirect branches; use a `switch`",
        Opcode::VaArg => {
            "AMDGPU has no `va_arg`: `expand-variadics` replaces variable arguments before code generation"
        }
        _ => return None,
    };
    Some((None, message.to_owned()))
}

/// Intrinsics that code generation lacks.
fn unavailable(cx: &RuleContext<'_>, by: Selector, inst: &Inst) -> Problem {
    let call = cx.body.call(inst)?;
    let name = cx.callee_name(call)?.strip_prefix("llvm.")?;
    let family =
        |own: &str| name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if let Some((own, instead)) = WITHOUT_ALL.iter().find(|(own, _)| family(own)) {
        return Some((None, format!("AMDGPU cannot compile `llvm.{own}`{instead}")));
    }
    if family("sponentry") && !may_be_newer(cx) {
        return Some((None, "AMDGPU cannot compile `llvm.sponentry`".to_owned()));
    }
    if family("ubsantrap") && by == Selector::Global {
        return Some((None, "GlobalISel cannot select `llvm.ubsantrap`; use `llvm.trap`".to_owned()));
    }
    let Type::Function { result, params, .. } = cx.types.get(cx.call_ty(inst)) else { return None };
    let params = cx.types.list(params);
    if family("stacksave") || family("stackrestore") {
        let pointer = if family("stacksave") { result } else { *params.first()? };
        let message =
            "the stack of AMDGPU is in address space 5: use `llvm.stacksave.p5` and `llvm.stackrestore.p5`";
        return (cx.types.get(pointer) == Type::Ptr(0)).then(|| (None, message.to_owned()));
    }
    let value = match () {
        () if family("read_register") || family("read_volatile_register") => result,
        () if family("write_register") => *params.get(1)?,
        () => return None,
    };
    let register = cx.body.operands(call.args).first()?;
    let Value::Metadata(index) = register.value else { return None };
    let node = cx.node(cx.body.tables.cold.md_values.get(index as usize).copied()?)?;
    let Some(Md::String(register)) = node.operands(cx.scope).next() else { return None };
    let message = match READABLE.iter().find(|(known, _)| *known == register) {
        None => {
            let known = wording::alternatives(READABLE.iter().map(|(known, _)| format!("`{known}`")));
            format!("the register must be {known} on AMDGPU, is `{register}`")
        }
        Some((_, bits)) if cx.types.int_bits(value).is_some_and(|own| own != *bits) => {
            let own = cx.types.int_bits(value).unwrap_or(0);
            format!("register `{register}` has {bits} bits on AMDGPU, but the value has {own}")
        }
        // `m0` gets the first lane's.
        Some(_) if family("write_register") && register != "m0" => {
            let value = cx.body.operands(call.args).get(1)?;
            let why = "the value differs between lanes; use `llvm.amdgcn.readfirstlane`";
            return differs(cx, *value, 0)
                .then(|| (None, format!("`{register}` holds one value for all lanes, but {why}")));
        }
        Some(_) => return None,
    };
    Some((None, message))
}

fn arithmetic(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    let is_arithmetic =
        matches!(inst.opcode, Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem);
    let is_conversion = matches!(
        inst.opcode,
        Opcode::FpTrunc | Opcode::FpExt | Opcode::FpToSi | Opcode::FpToUi | Opcode::SiToFp | Opcode::UiToFp
    );
    let is_comparison = inst.opcode == Opcode::FCmp;
    let ty = match (is_arithmetic || is_comparison, is_conversion) {
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
    let word = match (is_arithmetic, is_comparison) {
        (true, _) => "arithmetic",
        (_, true) => "comparisons",
        _ => "conversions",
    };
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
    let is_lacking = |older: &[&str], newer: &[&str]| {
        older.contains(&word) && !(newer.contains(&word) && may_be_newer(cx))
    };
    let lacks = is_known && is_lacking(WITHOUT_ANY, NEWER_ANY)
        || element == TypeId::DOUBLE && is_lacking(WITHOUT_DOUBLE, NEWER_DOUBLE);
    let is_wide = is_wide_float(cx, element)
        && [WITHOUT_ANY, WITHOUT_DOUBLE, WITHOUT_WIDE].iter().any(|words| words.contains(&word));
    let is_constant = cx.body.operands(call.args).iter().all(|arg| matches!(arg.value, Value::Const(_)));
    if is_wide && !is_constant {
        return Some((None, format!("AMDGPU has no arithmetic of `{}`", cx.display_ty(element))));
    }
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

fn atomic(cx: &RuleContext<'_>, by: Selector, inst: &Inst) -> Problem {
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
    let element = cx.types.scalar(ty);
    if inst.opcode == Opcode::AtomicRmw && by == Selector::Global && element == TypeId::BFLOAT {
        return Some((None, "GlobalISel cannot compile `atomicrmw` of `bfloat`".to_owned()));
    }
    let is_access = matches!(inst.opcode, Opcode::Load | Opcode::Store);
    // SelectionDAG splits vectors of one element only, and GlobalISel takes those of 64 bits.
    let is_vector = element != ty && cx.scope.layout.bits(cx.scope, &cx.types, element) != Some(bits);
    if is_access && is_vector && (bits <= 32 || by == Selector::Dag) && !may_be_newer(cx) {
        let shown = cx.display_ty(ty);
        return Some((
            None,
            format!("LLVM 22 cannot compile an atomic access of `{shown}`; use an integer and `bitcast`"),
        ));
    }
    let aligned = inst.align.checked_sub(1).map(|log| 1_u64 << log)?;
    (aligned * 8 < bits).then(|| {
        let bytes = bits / 8;
        (None, format!("an atomic access of {bytes} bytes must be aligned to {bytes} bytes on AMDGPU, not to {aligned}"))
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

/// GlobalISel makes accesses of 64 bits that are aligned to 32, which GFX6 does not have. LLVM 24 splits them.
fn halves(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    let (pointer, ty, word) = match inst.opcode {
        Opcode::Load => (0, cx.ty(inst.ty), "load"),
        Opcode::Store => (1, cx.operand_ty(inst, 0), "store"),
        _ => return None,
    };
    if may_be_newer(cx) || cx.types.get(cx.operand_ty(inst, pointer)) != Type::Ptr(LDS) {
        return None;
    }
    let bits = cx.scope.layout.bits(cx.scope, &cx.types, ty)?;
    let is_split = match cx.types.get(ty) {
        Type::Ptr(_) => true,
        Type::Vector { element, .. } => {
            bits == 64 && cx.scope.layout.bits(cx.scope, &cx.types, element) == Some(16)
        }
        _ => false,
    };
    let is_half_aligned = inst.align.checked_sub(1) == Some(2);
    (matches!(bits, 64 | 96 | 128) && is_half_aligned && !is_split).then(|| {
        let message = format!("GlobalISel cannot {word} 64 bits of LDS with an alignment of 4 on GFX6; align to 8, or split the value");
        (None, message)
    })
}

/// On GFX6 there are no flat instructions.
fn generic(cx: &RuleContext<'_>, inst: &Inst) -> Problem {
    const MESSAGE: &str = "GFX6 has no flat instructions: a pointer must be in an address space of its own";
    let call = cx.body.call(inst);
    if let Some(name) = call.and_then(|call| cx.callee_name(call)?.strip_prefix("llvm.")) {
        let is_memory = ["memcpy.", "memmove.", "memset."].iter().any(|family| name.starts_with(family));
        let Type::Function { params, .. } = cx.types.get(cx.call_ty(inst)) else { return None };
        let is_generic = cx.types.list(params).iter().any(|ty| cx.types.get(*ty) == Type::Ptr(0));
        return (is_memory && is_generic).then(|| (None, MESSAGE.to_owned()));
    }
    let pointer = match inst.opcode {
        Opcode::Load | Opcode::AtomicRmw | Opcode::CmpXchg => 0,
        Opcode::Store => 1,
        _ => return None,
    };
    let is_generic = cx.types.get(cx.operand_ty(inst, pointer)) == Type::Ptr(0);
    is_generic.then(|| (Some(pointer), MESSAGE.to_owned()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

    #[test]
    fn what_selection_refuses() {
        check(
            r#"target triple = "amdgcn-amd-amdhsa"
define void @f(fp128 %a, double %d, float %x, <2 x double> %v, ptr addrspace(1) %p, i128 %w, i64 %w64) {
  %1 = fadd fp128 %a, %a
  %2 = fptrunc fp128 %a to double
  %3 = fneg fp128 %a
  %4 = call double @llvm.pow.f64(double %d, double %d)
  %5 = call <2 x double> @llvm.sin.v2f64(<2 x double> %v)
  %6 = call float @llvm.pow.f32(float %x, float %x)
  %7 = call float @llvm.tan.f32(float %x)
  %8 = call double @llvm.sqrt.f64(double %d)
  %9 = call double @llvm.exp.f64(double 1.0)
  fence syncscope("agent-one-as") seq_cst
  fence syncscope("one-as") seq_cst
  fence syncscope("workgrup") seq_cst
  %10 = atomicrmw xchg ptr addrspace(1) %p, i128 %w seq_cst
  %11 = atomicrmw xchg ptr addrspace(1) %p, i64 1 seq_cst
  %12 = atomicrmw xchg ptr addrspace(1) %p, i64 1 seq_cst, align 4
  %13 = call fp128 @llvm.sqrt.f128(fp128 %a)
  %14 = call fp128 @llvm.fabs.f128(fp128 %a)
  %15 = fcmp oeq fp128 %a, %14
  %16 = call ptr @llvm.stacksave.p0()
  %17 = call ptr addrspace(5) @llvm.stacksave.p5()
  %18 = call i64 @llvm.read_register.i64(metadata !{!"rsp"})
  %19 = call i32 @llvm.read_register.i32(metadata !{!"exec"})
  %20 = call i64 @llvm.read_register.i64(metadata !{!"exec"})
  call void @llvm.write_register.i64(metadata !{!"exec"}, i64 %20)
  call void @llvm.write_register.i64(metadata !{!"exec"}, i64 %w64)
  %21 = call ptr @llvm.frameaddress.p0(i32 0)
  %22 = call i32 @llvm.vscale.i32()
  indirectbr ptr %21, [label %b]
b:
  ret void
}
"#,
            expect![[r#"
                warning[target-operation] 3:3 `%1 = fadd fp128 %a, %a`: AMDGPU has no arithmetic of `fp128`
                warning[target-operation] 4:3 `%2 = fptrunc fp128 %a to double`: AMDGPU has no conversions of `fp128`
                warning[target-operation] 6:20 `@llvm.pow.f64`: AMDGPU cannot compile `llvm.pow` of `double`; call the device library's `__ocml_pow_f64`
                warning[target-operation] 7:26 `@llvm.sin.v2f64`: AMDGPU cannot compile `llvm.sin` of `double`; call the device library's `__ocml_sin_f64`
                warning[target-operation] 9:19 `@llvm.tan.f32`: AMDGPU cannot compile `llvm.tan` of `float`; call the device library's `__ocml_tan_f32`
                warning[target-operation] 14:3 `fence syncscope("workgrup") seq_cst`: unknown AMDGPU synchronization scope `workgrup`; did you mean `workgroup`?
                warning[target-operation] 15:3 `%10 = atomicrmw xchg ptr addrspace(1) %p, i128 %w seq_cst`: AMDGPU has no atomic access of 128 bits
                warning[target-operation] 17:3 `%12 = atomicrmw xchg ptr addrspace(1) %p, i64 1 seq_cst, align 4`: an atomic access of 8 bytes must be aligned to 8 bytes on AMDGPU, not to 4
                warning[target-operation] 18:20 `@llvm.sqrt.f128`: AMDGPU has no arithmetic of `fp128`
                warning[target-operation] 20:3 `%15 = fcmp oeq fp128 %a, %14`: AMDGPU has no comparisons of `fp128`
                warning[target-operation] 21:18 `@llvm.stacksave.p0`: the stack of AMDGPU is in address space 5: use `llvm.stacksave.p5` and `llvm.stackrestore.p5`
                warning[target-operation] 23:18 `@llvm.read_register.i64`: the register must be `exec`, `exec_hi`, `exec_lo`, `flat_scratch`, `flat_scratch_hi`, `flat_scratch_lo` or `m0` on AMDGPU, is `rsp`
                warning[target-operation] 24:18 `@llvm.read_register.i32`: register `exec` has 64 bits on AMDGPU, but the value has 32
                warning[target-operation] 27:13 `@llvm.write_register.i64`: `exec` holds one value for all lanes, but the value differs between lanes; use `llvm.amdgcn.readfirstlane`
                warning[target-operation] 28:18 `@llvm.frameaddress.p0`: AMDGPU cannot compile `llvm.frameaddress`
                warning[target-operation] 29:18 `@llvm.vscale.i32`: AMDGPU cannot compile `llvm.vscale`: it has no scalable vectors
                warning[target-operation] 30:3 `indirectbr ptr %21, [label %b]`: AMDGPU has no indirect branches; use a `switch`
            "#]],
        );
    }

    #[test]
    fn what_newer_versions_compile() {
        let text = r#"target triple = "amdgcn-amd-amdhsa"
define double @f(double %x, float %y, ptr addrspace(1) %p, <2 x half> %v) {
  %1 = call double @llvm.exp.f64(double %x)
  %2 = call { float, float } @llvm.modf.f32(float %y)
  %3 = call ptr addrspace(5) @llvm.sponentry.p5()
  %4 = call double @llvm.log.f64(double %x)
  store atomic <2 x half> %v, ptr addrspace(1) %p monotonic, align 4
  ret double %1
}
"#;
        let at = |level| {
            let options = wavelens_base::Options { llvm_level: Some(level), ..Default::default() };
            let found = wavelens_check::check_text(wavelens_base::Dialect::Llvm, text, &options);
            let found = found.iter().filter(|f| f.rule.code == "target-operation");
            found.map(|f| f.message.clone()).collect::<Vec<_>>().join("\n")
        };
        expect![[r#"
            AMDGPU cannot compile `llvm.exp` of `double`; call the device library's `__ocml_exp_f64`
            AMDGPU cannot compile `llvm.modf` of `float`; call the device library (`__ocml_...`)
            AMDGPU cannot compile `llvm.sponentry`
            AMDGPU cannot compile `llvm.log` of `double`; call the device library's `__ocml_log_f64`
            LLVM 22 cannot compile an atomic access of `<2 x half>`; use an integer and `bitcast`"#]]
        .assert_eq(&at(22));
        expect!["AMDGPU cannot compile `llvm.log` of `double`; call the device library's `__ocml_log_f64`"]
            .assert_eq(&at(24));
    }

    #[test]
    fn what_a_run_line_leaves_open() {
        let text = |run: &str| {
            format!(
                "; RUN: llc {run} < %s\ndeclare void @llvm.ubsantrap(i8)\ndefine void @f(i1 %b, ptr %p) {{\n  store i1 %b, ptr %p\n  \
                 call void @llvm.ubsantrap(i8 0)\n  ret void\n}}\n"
            )
        };
        check(
            &text("-mtriple=amdgcn"),
            expect![[r#"
            warning[target-operation] 4:20 `%p`: GFX6 has no flat instructions: a pointer must be in an address space of its own
        "#]],
        );
        check(&text("-mtriple=amdgcn-amd-amdhsa"), expect![""]);
        check(
            &text("-mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -global-isel"),
            expect![[r#"
            warning[target-operation] 5:13 `@llvm.ubsantrap`: GlobalISel cannot select `llvm.ubsantrap`; use `llvm.trap`
        "#]],
        );
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
                warning[target-operation] 8:18 `@llvm.experimental.constrained.sqrt.f16`: GlobalISel cannot select `llvm.experimental.constrained.sqrt`
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
                 store i32 1, ptr %p\n  store i32 1, ptr addrspace(1) %q\n  \
                 call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 16, i1 false)\n  \
                 call void @llvm.memset.p1.i64(ptr addrspace(1) %q, i8 0, i64 16, i1 false)\n  ret void\n}}\n"
            )
        };
        check(
            &text("tahiti"),
            expect![[r#"
                warning[target-operation] 3:20 `%p`: GFX6 has no flat instructions: a pointer must be in an address space of its own
                warning[target-operation] 5:13 `@llvm.memset.p0.i64`: GFX6 has no flat instructions: a pointer must be in an address space of its own
            "#]],
        );
        check(&text("gfx700"), expect![""]);
    }
}
