//! Intrinsics of AMDGPU against the processor, and those that only the compiler's passes write.

use wavelens_isa::Generation::{self, Gfx6, Gfx10_1, Gfx11, Gfx11_7, Gfx12, Gfx908, Gfx940, Gfx950, Unnamed};
use wavelens_isa::{Span, Target};
use wavelens_syntax::wording;

use super::super::call_site::Site;
use super::Used;
use crate::body::{Inst, Opcode};
use crate::context::RuleContext;
use crate::intrinsic_match::match_signature;
use crate::mangling::mangled;
use crate::operand::{Const, Operand, Value};
use crate::tables::Intrinsic;
use crate::tables::selection::{Groups, Selection, Selector, includes, leaders};
use wavelens_base::{Diagnostic, Severity, TextRange, Verdict};

wavelens_syntax::rules! {
    TARGET_INTRINSIC {
        code: "target-intrinsic",
        severity: Severity::Warning,
        title: "the processor has the instruction that an intrinsic stands for",
        explain: "The verifier checks the signature of an intrinsic, not whether the processor has it: code generation ends with \"Cannot \
            select\", or with a crash, and names no line. Some intrinsics exist on all processors of a family but take other types there, as \
            those of matrices do: shapes differ between GFX11 and GFX12, and between waves of 32 and of 64 lanes.\n\n\
            Intrinsics of another target than the module's are reported too.\n\n\
            Reported is what LLVM 22 does not select for the function's processor: SelectionDAG or, under a RUN line with `-global-isel`, \
            GlobalISel. Without a processor, or with a feature that the processor does not have by itself, nothing is reported.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.buffer.wbinvl1()
define amdgpu_kernel void @k() "target-cpu"="gfx1100" {
  call void @llvm.amdgcn.buffer.wbinvl1()
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() "target-cpu"="gfx1100" {
  fence syncscope("agent") acquire
  ret void
}
"#,
        source: "LLVM `SelectionDAGISel::CannotYetSelect`: \"Cannot select: intrinsic\"; SITargetLowering: \"intrinsic not supported on \
            subtarget\"",
    }

    PASS_INTRINSIC {
        code: "pass-intrinsic",
        severity: Severity::Warning,
        title: "the intrinsics of structured control flow are left to the compiler",
        explain: "`llvm.amdgcn.if`, `else`, `loop` and `end.cf` are what the pass `si-annotate-control-flow` makes of branches that differ \
            between lanes. They are selected only in the place and form in which it writes them, next to the branch. In other code selection \
            ends with \"Cannot select\", or lanes are lost. Write an ordinary `br`.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
declare { i1, i64 } @llvm.amdgcn.if.i64(i1)
define void @f(i1 %c) {
  %both = call { i1, i64 } @llvm.amdgcn.if.i64(i1 %c)
  %go = extractvalue { i1, i64 } %both, 0
  br i1 %go, label %body, label %end
body:
  br label %end
end:
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i1 %c) {
  br i1 %c, label %body, label %end
body:
  br label %end
end:
  ret void
}
"#,
        source: "LLVM IntrinsicsAMDGPU.td: \"Internal intrinsics to handle control flow\"; pass `si-annotate-control-flow`",
    }
}

/// What to use in place of intrinsics, by the beginning of the name and the first generation that lacks it.
const INSTEAD: &[(&str, Generation, &str)] = &[
    ("buffer.wbinvl1", Gfx10_1, "use a `fence` with `acquire`"),
    ("ds.read.tr", Gfx12, "use `llvm.amdgcn.ds.load.tr8.b64` or its likes"),
    ("exp.compr", Gfx11, "use `llvm.amdgcn.exp` with `half` values in 32 bits"),
    ("global.load.lds", Gfx10_1, "use a load and a store to LDS"),
    ("raw.buffer.load.lds", Gfx10_1, "use a load and a store to LDS"),
    ("raw.ptr.buffer.load.lds", Gfx10_1, "use a load and a store to LDS"),
    ("interp.p1", Gfx11, "use `llvm.amdgcn.lds.param.load` and `llvm.amdgcn.interp.inreg.p10`"),
    ("interp.p2", Gfx11, "use `llvm.amdgcn.lds.param.load` and `llvm.amdgcn.interp.inreg.p2`"),
    ("interp.mov", Gfx11, "use `llvm.amdgcn.lds.param.load`"),
    ("s.memtime", Gfx12, "use `llvm.readcyclecounter`"),
    ("s.dcache.wb", Gfx10_1, "use a `fence`"),
    ("s.dcache.inv", Gfx12, "use a `fence`"),
    ("sdot4", Gfx11, "use `llvm.amdgcn.sudot4`"),
    ("sdot8", Gfx11, "use `llvm.amdgcn.sudot8`"),
];

/// What LLVM 22 selects for processors for which LLVM 24 does not: how names begin, and the generations.
const LACKED_BY_24: &[(&str, Span)] = &[
    ("cooperative.atomic.", Span(Unnamed, Gfx11_7)),
    ("cubeid", Span(Gfx940, Gfx950)),
    ("cubema", Span(Gfx940, Gfx950)),
    ("cubesc", Span(Gfx940, Gfx950)),
    ("cubetc", Span(Gfx940, Gfx950)),
    ("mqsad.u32.u8", Span(Gfx6, Gfx6)),
    ("pops.exiting.wave.id", Span(Gfx908, Gfx950)),
    ("qsad.pk.u16.u8", Span(Gfx6, Gfx6)),
];

pub(super) fn check(site: &Site<'_, '_>, target: Option<Target>, by: Selector, used: &Used<'_>) -> Verdict {
    let Some(short) = site.name.strip_prefix("llvm.amdgcn.") else { return Ok(()) };
    let is_suffixed =
        |name: &str| short == name || short.strip_prefix(name).is_some_and(|s| s.starts_with(".i"));
    if let Some(word) = ["if", "else", "loop", "end.cf"].into_iter().find(|name| is_suffixed(name)) {
        let message =
            format!("`llvm.amdgcn.{word}` is written by the compiler's passes only; use an ordinary branch");
        return site.under(&PASS_INTRINSIC).wrong(message);
    }
    let (Some(target), Some(intrinsic)) = (target, Intrinsic::lookup(site.name)) else { return Ok(()) };
    let Some(base) = intrinsic.name().strip_prefix("llvm.amdgcn.") else { return Ok(()) };
    // Of what one of them selects for no processor, the other one knows which have it.
    let selection = [by, Selector::Dag, Selector::Global]
        .into_iter()
        .filter_map(|by| Selection::of(base, by))
        .find(|selection| selection.any() != 0);
    let Some(selection) = selection else { return Ok(()) };
    let generation = target.generation();
    let lacks = |(start, span): &(&str, Span)| base.starts_with(start) && span.contains(generation);
    if site.cx.scope.follows(24) && LACKED_BY_24.iter().any(lacks) {
        return site.wrong(format!("{} in LLVM 24", wording::not_supported(site.name, target)));
    }
    let form = form(site, intrinsic, selection, used);
    let groups = form.as_deref().map_or_else(|| selection.any(), |form| selection.groups(form));
    // What no processor has in any form was asked for in the wrong one.
    let is_known = selection.any() != 0;
    if includes(groups, target) != Some(false)
        || !is_known
        || is_clamp(site, base)
        || is_dropped(site.cx, site.inst, used, 0)
    {
        return Ok(());
    }
    // A newer version has these types, or a size is not known.
    let Some(form) = form else { return site.wrong(without_support(base, groups, target)) };
    let is_here = |groups| includes(groups, target) == Some(true);
    let is_without_result = |known: &str| known.strip_suffix('~') == Some(form.as_str());
    if selection.forms().any(|(known, groups)| is_without_result(known) && is_here(groups)) {
        return site.wrong(format!("`llvm.amdgcn.{base}` has no result on {target}, and this one is used"));
    }
    let here: Vec<_> = selection.forms().filter(|(_, groups)| is_here(*groups)).collect();
    site.wrong(explain(base, &form, groups, &here, selection, target))
}

/// Whether an instruction becomes a modifier: the middle of a value, 0 and 1.
fn is_clamp(site: &Site<'_, '_>, base: &str) -> bool {
    let is_constant = |operand: &&Operand| matches!(operand.value, Value::Const(_));
    base == "fmed3" && site.args().iter().filter(is_constant).count() >= 2
}

/// In functions with more instructions, users are not looked for: each call that is reported would look at all of them.
const MANY: usize = 5_000;

/// Whether an instruction is gone before selection: nothing but its result depends on it, and nothing uses that but such instructions.
pub(super) fn is_dropped(cx: &RuleContext<'_>, inst: &Inst, used: &Used<'_>, depth: u32) -> bool {
    let is_pure = match cx.body.call(inst) {
        Some(call) => cx
            .callee_name(call)
            .and_then(Intrinsic::lookup)
            .is_some_and(|intrinsic| intrinsic.has("nomem") && !intrinsic.has("effects")),
        None => inst.opcode.is_binary() || inst.opcode.is_cast() || inst.opcode == Opcode::ExtractElement,
    };
    let Some(result) = inst.result.filter(|_| is_pure && depth < 4) else { return false };
    if !used.contains(&result) {
        return true;
    }
    if cx.body.insts.len() > MANY {
        return false;
    }
    let uses = |inst: &Inst| {
        let call = cx.body.call(inst).map(|call| cx.body.operands(call.args)).unwrap_or_default();
        let own: &[Operand] = inst.operands.of(&cx.body.tables.operands);
        own.iter().chain(call).any(|operand| operand.value == Value::Local(result))
    };
    cx.body.insts.iter().filter(|inst| uses(inst)).all(|user| is_dropped(cx, user, used, depth + 1))
}

/// How the table names what a call has: its types, or the size that an immediate names.
fn form(site: &Site<'_, '_>, intrinsic: Intrinsic, selection: Selection, used: &Used<'_>) -> Option<String> {
    let (structs, types) = (&site.cx.scope.structs, &site.cx.types);
    let overloads = match_signature(structs, types, intrinsic, site.cx.call_ty(site.inst)).ok()?;
    let names: Option<Vec<String>> = overloads.iter().map(|ty| mangled(types, *ty)).collect();
    let mut form = names?.join(".");
    if selection.forms().any(|(form, _)| form.contains('#')) {
        let size = intrinsic.immediates().min()?;
        match site.cx.constant(*site.args().get(size)?)? {
            Const::Int(bytes) => form.push_str(&format!("#{bytes}")),
            _ => return None,
        }
    }
    // Some processors have atomics only without a result.
    let is_read = |id| used.contains(&id);
    if selection.forms().any(|(form, _)| form.ends_with('~')) && !site.inst.result.is_some_and(is_read) {
        form.push('~');
    }
    Some(form)
}

fn explain(
    name: &str,
    form: &str,
    groups: Groups,
    here: &[(&str, Groups)],
    selection: Selection,
    target: Target,
) -> String {
    let on = match target.facts().has_wave32 {
        true => format!("{target} with waves of {} lanes", target.wave_size().lanes()),
        false => target.to_string(),
    };
    if let Some((_, size)) = form.split_once('#') {
        let sizes = here.iter().filter_map(|(form, _)| form.split_once('#'));
        let mut sizes: Vec<u32> = sizes.filter_map(|(_, size)| size.parse().ok()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        if !sizes.is_empty() {
            let sizes = wording::alternatives(sizes);
            return format!("`llvm.amdgcn.{name}` loads {sizes} bytes on {target}, not {size}");
        }
    } else if !here.is_empty() {
        let mut forms: Vec<&str> =
            here.iter().map(|(form, _)| *form).filter(|form| !form.ends_with('~')).collect();
        forms.sort_unstable();
        let shown = wording::list(forms.iter().map(|form| format!("`{}`", spelled(form))));
        let given = spelled(form.trim_end_matches('~'));
        return format!("`llvm.amdgcn.{name}` does not take `{given}` on {on}, but {shown}");
    }
    without_support(name, if groups == 0 { selection.any() } else { groups }, target)
}

/// The finding about an intrinsic in Machine IR that GlobalISel selects in no form for a processor: there types have lost what integers and
/// floating-point numbers differ in.
pub fn not_selected(name: &str, target: Target, range: TextRange) -> Option<Diagnostic> {
    let base = Intrinsic::lookup(name)?.name().strip_prefix("llvm.amdgcn.")?;
    let has = Selection::of(base, Selector::Global)?.any();
    let is_lacking = has != 0 && includes(has, target) == Some(false);
    is_lacking.then(|| Diagnostic::new(&TARGET_INTRINSIC, range, without_support(base, has, target)))
}

fn without_support(name: &str, has: Groups, target: Target) -> String {
    let message = wording::not_supported(format!("llvm.amdgcn.{name}"), target);
    let instead =
        INSTEAD.iter().find(|(start, from, _)| name.starts_with(start) && target.generation() >= *from);
    match instead {
        Some((.., instead)) => format!("{message}; {instead}"),
        None => format!("{message}; it is supported on {}", wording::list(leaders(has))),
    }
}

/// `<8 x float>, <16 x half>` of `v8f32.v16f16`.
fn spelled(form: &str) -> String {
    let one = |ty: &str| {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (lanes, element) = match ty.strip_prefix('v') {
            Some(rest) => rest.split_at(digits(rest)),
            None => ("", ty),
        };
        let element = match element {
            "f16" => "half".to_owned(),
            "bf16" => "bfloat".to_owned(),
            "f32" => "float".to_owned(),
            "f64" => "double".to_owned(),
            "p0" => "ptr".to_owned(),
            other => match other.strip_prefix('p') {
                Some(space) => format!("ptr addrspace({space})"),
                None => other.to_owned(),
            },
        };
        if lanes.is_empty() { element } else { format!("<{lanes} x {element}>") }
    };
    form.split('.').map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, findings, marks};

    const CALLS: &str = r#"target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half>, <16 x half>, <8 x float>)
declare float @llvm.amdgcn.rcp.f32(float)
define void @f(ptr addrspace(1) %p, ptr addrspace(3) %l, <16 x half> %a, <8 x float> %c) ATTRIBUTES {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 16, i32 0, i32 0)
  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %c)
  %x = call float @llvm.amdgcn.rcp.f32(float 3.0)
  store <8 x float> %d, ptr addrspace(1) %p
  ret void
}
"#;

    #[test]
    fn what_a_processor_lacks() {
        let with = |attributes: &str| CALLS.replace("ATTRIBUTES", attributes);
        check(
            &with("\"target-cpu\"=\"gfx942\""),
            expect![[r#"
                warning[target-intrinsic] 7:13 `@llvm.amdgcn.s.barrier.signal`: `llvm.amdgcn.s.barrier.signal` is not supported on gfx942; it is supported on gfx1200, gfx1250 and gfx1251
                warning[target-intrinsic] 8:13 `@llvm.amdgcn.global.load.lds`: `llvm.amdgcn.global.load.lds` loads 1, 2 or 4 bytes on gfx942, not 16
                warning[target-intrinsic] 9:25 `@llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16`: `llvm.amdgcn.wmma.f32.16x16x16.f16` is not supported on gfx942; it is supported on gfx1100, gfx1150, gfx1153 and 1 other
            "#]],
        );
        check(
            &with("\"target-cpu\"=\"gfx1201\""),
            expect![[r#"
                warning[target-intrinsic] 8:13 `@llvm.amdgcn.global.load.lds`: `llvm.amdgcn.global.load.lds` is not supported on gfx1201; use a load and a store to LDS
                warning[target-intrinsic] 9:25 `@llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16`: `llvm.amdgcn.wmma.f32.16x16x16.f16` does not take `<8 x float>, <16 x half>` on gfx1201 with waves of 32 lanes, but `<8 x float>, <8 x half>`
            "#]],
        );
        check(&with("\"target-cpu\"=\"gfx1201\" \"target-features\"=\"+some-newer-insts\""), expect![""]);
        check(&with(""), expect![""]);
        let global = "; RUN: llc -mtriple=amdgcn -mcpu=gfx942 -global-isel < %s\n";
        check(
            &(global.to_owned() + &with("")),
            expect![[r#"
            warning[target-intrinsic] 8:13 `@llvm.amdgcn.s.barrier.signal`: `llvm.amdgcn.s.barrier.signal` is not supported on gfx942; it is supported on gfx1200, gfx1250 and gfx1251
            warning[target-intrinsic] 9:13 `@llvm.amdgcn.global.load.lds`: `llvm.amdgcn.global.load.lds` loads 1, 2 or 4 bytes on gfx942, not 16
            warning[target-intrinsic] 10:25 `@llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16`: `llvm.amdgcn.wmma.f32.16x16x16.f16` is not supported on gfx942; it is supported on gfx1100, gfx1150, gfx1153 and 1 other
        "#]],
        );
        let by_dag = findings(&(global.replace(" -global-isel", "") + &with("")));
        assert_eq!(by_dag.matches("target-intrinsic").count(), 3, "{by_dag}");
    }

    #[test]
    fn intrinsics_of_passes() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            declare void @llvm.amdgcn.end.cf.i64(i64)
            declare i64 @llvm.amdgcn.if.break.i64(i1, i64)
            define i64 @f(i64 %mask) {
              call void @llvm.amdgcn.end.cf.i64(i64 %mask)
            ;           ^^^^^^^^^^^^^^^^^^^^^^^ warning[pass-intrinsic]: `llvm.amdgcn.end.cf` is written by the compiler's passes only; use an ordinary branch
              %r = call i64 @llvm.amdgcn.if.break.i64(i1 true, i64 %mask)
              ret i64 %r
            }
        "#]]);
    }
}
