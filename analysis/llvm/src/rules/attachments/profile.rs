//! `!prof`: branch weights, value profiles, entry counts.
//!
//! Source: LLVM, "LLVM Branch Weight Metadata".

use rustc_hash::FxHashSet;
use wavelens_syntax::wording;

use super::fault::{ATTACHMENT, wrong};
use crate::attribute_set::AttributeSet;
use crate::body::{Inst, InstId, Opcode};
use crate::context::{ModuleContext, RuleContext};
use crate::metadata_view::Md;
use crate::scope::{NodeRef, Scope};
use crate::types::TypeId;
use wavelens_base::{Rule, Severity, Verdict, fail};

wavelens_syntax::rules! {
    PROFILE {
        code: "profile-metadata",
        severity: Severity::Error,
        title: "`!prof` has the form of its kind, with one weight per successor",
        explain: "Optimizers match branch weights to successors by position. On an instruction `!prof` is \
            `!{!\"branch_weights\", i32 w, ...}` or a value profile `!{!\"VP\", ...}`; on a function it is \
            `!{!\"function_entry_count\", i64 n}`.",
        example: r#"define void @f(i1 %c) {
  br i1 %c, label %a, label %b, !prof !0
a:
  ret void
b:
  ret void
}
!0 = !{!"branch_weights", i32 1}
"#,
        fixed: r#"define void @f(i1 %c) {
  br i1 %c, label %a, label %b, !prof !0
a:
  ret void
b:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 9}
"#,
        source: "LLVM `Verifier::visitProfMetadata`: \"Wrong number of operands\"; LLVM, \"LLVM Branch Weight \
            Metadata\"",
    }
}

fn bad(message: impl Into<String>) -> Verdict {
    fail(&PROFILE, message)
}

/// Ways out that weights are given for.
fn ways(cx: &RuleContext<'_>, inst: &Inst) -> u32 {
    match inst.opcode {
        Opcode::Br if inst.operands.len >= 3 => 2,
        Opcode::Br => u32::from(!cx.scope.follows(24)),
        Opcode::Switch => inst.operands.len / 2,
        Opcode::Call => 1,
        Opcode::IndirectBr => inst.operands.len.saturating_sub(1),
        Opcode::Select => 2,
        Opcode::CallBr => cx.body.call(inst).map_or(0, |c| c.destinations.len),
        _ => 0,
    }
}

pub(super) fn check(cx: &RuleContext<'_>, _id: InstId, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    let scope = cx.scope;
    if inst.opcode == Opcode::Error {
        return Ok(());
    }
    if !node.is_tuple() {
        return bad("`!prof` must be a tuple that begins with a string");
    }
    let name = match node.operand(scope, 0) {
        _ if node.is_empty() => return bad("`!prof` must not be empty"),
        Md::String(name) => name,
        Md::Unknown => return Ok(()),
        _ => return bad("the first operand of `!prof`, its kind, must be a string"),
    };
    let ways = ways(cx, inst);
    let word = inst.opcode.word();
    if name == "unknown" {
        if ways == 0 && inst.opcode != Opcode::Invoke {
            return bad(format!(
                "`unknown` applies only to instructions with branch weights, not to `{word}`"
            ));
        }
        return unknown(scope, node);
    }
    if node.len() < 2 {
        return bad(format!("`{name}` must not have operands"));
    }
    match name {
        "branch_weights" => {
            let from = if matches!(node.operand(scope, 1), Md::String(_)) { 2 } else { 1 };
            let weights = (node.len() - from) as u32;
            match inst.opcode {
                Opcode::Invoke if matches!(weights, 1 | 2) => {}
                Opcode::Invoke => {
                    return bad(format!("expected 1 or 2 weights for `invoke`, found {weights}"));
                }
                _ if ways == 0 => return bad(format!("`branch_weights` does not apply to `{word}`")),
                _ if ways != weights => {
                    return bad(format!(
                        "`{word}`: {}",
                        wording::count("weights", ways as usize, weights as usize)
                    ));
                }
                _ => {}
            }
            for n in from..node.len() {
                if !matches!(node.operand(scope, n), Md::Int { .. } | Md::Unknown) {
                    return bad("a weight must be an integer");
                }
            }
            Ok(())
        }
        "VP" => values(scope, inst, node),
        _ => bad(format!("expected `branch_weights` or `VP` in `!prof`, found `{name}`")),
    }
}

/// `!{!"unknown", !"pass"}`.
fn unknown(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    match node.operand(scope, 1) {
        Md::Unknown if node.len() == 2 => Ok(()),
        Md::String(pass) if node.len() == 2 && !pass.is_empty() => Ok(()),
        _ => bad("the operand after `unknown`, the name of a pass, must be a string"),
    }
}

fn values(scope: &Scope, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    if node.len() < 5 {
        return bad("a value profile must have at least 5 operands");
    }
    let kind = match node.operand(scope, 1) {
        Md::Int { value: Some(kind), .. } => kind,
        Md::Unknown | Md::Int { .. } => return Ok(()),
        _ => return bad("the kind of a value profile must be an integer"),
    };
    if kind > 2 {
        return bad(format!("the kind of a value profile must be between 0 and 2, is {kind}"));
    }
    if node.len().is_multiple_of(2) {
        return bad("a value profile must list values and counts in pairs");
    }
    if kind < 2 && !inst.opcode.is_call() {
        return bad(format!("a value profile of calls does not apply to `{}`", inst.opcode.word()));
    }
    if scope.follows(24) {
        let mut seen = FxHashSet::default();
        for n in (3..node.len()).step_by(2) {
            match node.operand(scope, n) {
                Md::Int { value: Some(value), .. } if !seen.insert(value) => {
                    return bad(format!("the value {value} occurs twice in a value profile"));
                }
                Md::Int { .. } | Md::Unknown => {}
                _ => return bad("a value of a value profile must be an integer"),
            }
        }
    }
    Ok(())
}

/// `!prof`, `!kcfi_type` and `!reqd_work_group_size` of functions.
pub(in crate::rules) fn module(cx: &mut ModuleContext<'_>) {
    let (scope, summary) = (cx.scope, cx.summary);
    let mut found = Vec::new();
    let is_amdgpu = scope.triple.as_deref().is_some_and(wavelens_isa::is_amdgpu);
    for function in &summary.functions {
        let (mut counts, mut types) = (0, 0);
        for (n, attachment) in summary.tables.attachments(function.attachments).iter().enumerate() {
            let kind = summary.tables.name(attachment.kind);
            let Some(node) = cx.node(attachment.value) else { continue };
            let verdict = match kind {
                "prof" => {
                    counts += 1;
                    match (counts, function.is_definition) {
                        (1, true) => entry_count(scope, node),
                        (1, false) => bad("a declaration must not have `!prof`"),
                        _ => bad("a function must have at most one `!prof`"),
                    }
                }
                "kcfi_type" => {
                    types += 1;
                    if types > 1 {
                        wrong("a function must have at most one `!kcfi_type`")
                    } else {
                        kcfi(scope, node)
                    }
                }
                "reqd_work_group_size" if is_amdgpu && function.is_definition => {
                    let own = AttributeSet::new(scope, &summary.tables, function.attrs, |_| TypeId::ERROR);
                    three_sizes(scope, node, kind).and_then(|()| work_group(scope, node, &own))
                }
                "work_group_size_hint" if is_amdgpu && function.is_definition => {
                    three_sizes(scope, node, kind)
                }
                "vec_type_hint" if is_amdgpu && function.is_definition => vector_hint(scope, node),
                _ => Ok(()),
            };
            if let Err(fault) = verdict {
                let at = function.attachments.start as usize + n;
                let range = cx.ranges.cold.attachments.get(at).copied();
                found.push(fault.diagnostic(|_| range.unwrap_or_else(|| cx.item_range(function.head.item))));
            }
        }
    }
    cx.diagnostics.append(&mut found);
}

fn entry_count(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if !node.is_tuple() {
        return Ok(());
    }
    match node.operand(scope, 0) {
        Md::String("unknown") => return unknown(scope, node),
        _ if node.len() < 2 => {
            return bad("`!prof` of a function must have the form `!{!\"function_entry_count\", i64 n}`");
        }
        Md::String("function_entry_count") | Md::Unknown => {}
        Md::String("synthetic_function_entry_count") if !scope.follows(24) => {}
        Md::String(other) => {
            return bad(format!("expected `function_entry_count` in `!prof` of a function, found `{other}`"));
        }
        _ => return bad("the first operand of `!prof`, its kind, must be a string"),
    }
    match node.operand(scope, 1) {
        Md::Int { .. } | Md::Value(..) | Md::Unknown => Ok(()),
        _ => bad("the entry count must be an integer"),
    }
}

/// [`ATTACHMENT`] as a warning: versions before LLVM 24 do not verify what says how a kernel is started. Some crash when they write it.
static KERNEL: Rule = Rule { severity: Severity::Warning, ..ATTACHMENT };

fn of_kernel(scope: &Scope, message: String) -> Verdict {
    fail(if scope.follows(24) { &ATTACHMENT } else { &KERNEL }, message)
}

fn three_sizes(scope: &Scope, node: NodeRef<'_>, kind: &str) -> Verdict {
    if !node.is_tuple() {
        return Ok(());
    }
    if node.len() != 3 {
        return of_kernel(scope, format!("expected 3 operands in `!{kind}`, found {}", node.len()));
    }
    match node.operands(scope).all(|size| matches!(size, Md::Int { .. } | Md::Unknown)) {
        true => Ok(()),
        false => of_kernel(scope, format!("the operands of `!{kind}` must be integer constants")),
    }
}

/// `!{<4 x float> poison, i32 1}`: the type, and whether it is signed.
fn vector_hint(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    let is_right =
        !node.is_tuple() || node.len() == 2 && matches!(node.operand(scope, 1), Md::Int { .. } | Md::Unknown);
    match is_right {
        true => Ok(()),
        false => of_kernel(
            scope,
            "`!vec_type_hint` must have the form `!{<4 x float> poison, i32 is-signed}`".to_owned(),
        ),
    }
}

/// LLVM 24 wants the size of the work group in an attribute as well.
fn work_group(scope: &Scope, node: NodeRef<'_>, own: &AttributeSet<'_>) -> Verdict {
    const NAME: &str = "amdgpu-flat-work-group-size";
    if !node.is_tuple() || !scope.follows(24) {
        return Ok(());
    }
    let Some(text) = own.string(NAME) else {
        return wrong(format!("`!reqd_work_group_size` requires the attribute `\"{NAME}\"` in LLVM 24"));
    };
    let mut product = 1u64;
    for size in node.operands(scope) {
        let Md::Int { value: Some(size), .. } = size else { return Ok(()) };
        product = product.saturating_mul(size);
    }
    let number = |text: &str| match text.trim().strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.trim().parse::<u64>().ok(),
    };
    match text.split_once(',').map(|(least, most)| (number(least), number(most))) {
        Some((Some(least), Some(most))) if (least, most) == (product, product) => Ok(()),
        Some((Some(_), Some(_))) => wrong(format!(
            "`\"{NAME}\"` must be `\"{product},{product}\"`, the product of `!reqd_work_group_size`, is `\"{text}\"`"
        )),
        _ => wrong(format!("`\"{NAME}\"` must be a pair of numbers, is `\"{text}\"`")),
    }
}

fn kcfi(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    let wrong = |message: &str| fail(&ATTACHMENT, message);
    if !node.is_tuple() {
        return Ok(());
    }
    if node.len() != 1 {
        return wrong("`!kcfi_type` must have one operand");
    }
    match node.operand(scope, 0) {
        Md::Int { bits: 32, .. } | Md::Unknown => Ok(()),
        _ => wrong("the operand of `!kcfi_type` must be an `i32`"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn sizes_of_work_groups_are_three_numbers() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define amdgpu_kernel void @f() !reqd_work_group_size !0 {
            ;                              ^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-attachment]: expected 3 operands in `!reqd_work_group_size`, found 2
              ret void
            }
            define amdgpu_kernel void @g() !work_group_size_hint !1 !reqd_work_group_size !2 {
            ;                              ^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-attachment]: the operands of `!work_group_size_hint` must be integer constants
              ret void
            }
            define amdgpu_kernel void @h() !vec_type_hint !0 {
              ret void
            }
            define amdgpu_kernel void @i() !vec_type_hint !2 {
            ;                              ^^^^^^^^^^^^^^^^^ warning[metadata-attachment]: `!vec_type_hint` must have the form `!{<4 x float> poison, i32 is-signed}`
              ret void
            }
            !0 = !{i32 64, i32 1}
            !1 = !{!"64", i32 1, i32 1}
            !2 = !{i32 64, i32 1, i32 1}
        "#]]);
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f() !kcfi_type !0 {
            ;                ^^^^^^^^^^^^^ error[metadata-attachment]: `!kcfi_type` must have one operand
            ret void
            }
            !0 = !{}
        "#]]);
        marks(expect![[r#"
            define void @f() !kcfi_type !0 {
            ;                ^^^^^^^^^^^^^ error[metadata-attachment]: the operand of `!kcfi_type` must be an `i32`
            ret void
            }
            !0 = !{null}
        "#]]);
        marks(expect![[r#"
            define void @f() !prof !0 {
            ;                ^^^^^^^^ error[profile-metadata]: the operand after `unknown`, the name of a pass, must be a string
            ret void
            }
            !0 = !{!"unknown"}
        "#]]);
        marks(expect![[r#"
            define void @f() !prof !0 {
            ;                ^^^^^^^^ error[profile-metadata]: the first operand of `!prof`, its kind, must be a string
            ret void
            }
            !0 = !{null, i64 1}
        "#]]);
    }
}
