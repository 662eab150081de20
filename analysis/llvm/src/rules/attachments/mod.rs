//! Metadata attached to instructions: `!range`, `!nonnull`, `!align`, `!fpmath`, `!noalias`, `!annotation` and their like.
//!
//! Source: LLVM Language Reference, "Metadata" and the paragraph of each kind.

mod cache_hints;
mod facts;
pub(super) mod fault;
mod memory_profile;
pub(super) mod profile;

use rustc_hash::FxHashMap;

use self::fault::{ATTACHMENT, wrong};
use super::intrinsics::is_remade;
use crate::body::{Inst, InstId, Opcode};
use crate::context::RuleContext;
use crate::metadata::{MdKind, MdValue};
use crate::metadata_view::Md;
use crate::operand::Const;
use crate::scope::{NodeRef, Scope};
use crate::types::{Type, TypeId};
use wavelens_base::{Fault, Severity, Verdict, fail};

wavelens_syntax::rules! {
    RANGE {
        code: "range-metadata",
        severity: Severity::Error,
        title: "`!range` lists ascending, disjoint, non-adjacent intervals of the result's type",
        explain: "`!range` states the possible values of a load or call as pairs of integers, each a half-open \
            interval. Intervals must ascend, must not overlap or touch, and must be neither empty nor full, \
            so that each set of values has exactly one form.",
        example: r"define i8 @f(ptr %p) {
  %x = load i8, ptr %p, !range !0
  ret i8 %x
}
!0 = !{i8 0, i8 2, i8 2, i8 4}
",
        fixed: r"define i8 @f(ptr %p) {
  %x = load i8, ptr %p, !range !0
  ret i8 %x
}
!0 = !{i8 0, i8 4}
",
        source: "LLVM `Verifier::verifyRangeLikeMetadata`: \"Intervals are contiguous\"; LLVM Language Reference, \
            \"'range' Metadata\"",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let mut found = Vec::new();
    // What many instructions share is looked at once.
    let mut known: FxHashMap<_, Verdict> = FxHashMap::default();
    let loops: Vec<MdValue> = match body.tables.names.find("llvm.loop") {
        Some(kind) => {
            body.tables.cold.attachments.iter().filter(|a| a.kind == kind).map(|a| a.value).collect()
        }
        None => Vec::new(),
    };
    for (id, inst) in cx.insts() {
        if is_remade(cx, inst) {
            continue;
        }
        for (n, attachment) in body.attachments(inst).iter().enumerate() {
            let kind = body.tables.name(attachment.kind);
            // The two that most instructions have, first.
            if matches!(kind, "dbg" | "tbaa") {
                continue;
            }
            let Some(node) = cx.node(attachment.value) else { continue };
            // LLVM looks at a node once: one that a loop has may contain locations.
            let place = if loops.contains(&attachment.value) { "llvm.loop" } else { kind };
            let look = || location(cx.scope, place, node).and_then(|()| check(cx, id, inst, kind, node));
            let verdict = match is_list(kind) {
                true => known.entry((kind, node.key(), inst.opcode, inst.ty)).or_insert_with(look).clone(),
                false => look(),
            };
            if let Err(fault) = verdict {
                let at = inst.attachments.start as usize + n;
                let range = body.ranges.cold.attachments.get(at).copied();
                found.push(fault.diagnostic(|_| range.unwrap_or_else(|| body.inst_range(id))));
            }
        }
    }
    cx.diagnostics.append(&mut found);
}

/// Whether a kind's node is a list of any length, about which opcode and type of the instruction decide.
fn is_list(kind: &str) -> bool {
    matches!(kind, "range" | "noalias.addrspace" | "noalias" | "alias.scope" | "llvm.access.group")
}

fn check(cx: &RuleContext<'_>, id: InstId, inst: &Inst, kind: &str, node: NodeRef<'_>) -> Verdict {
    let scope = cx.scope;
    let word = inst.opcode.word();
    match kind {
        "range" => {
            if !matches!(inst.opcode, Opcode::Load | Opcode::Call | Opcode::Invoke) {
                return wrong(format!("`!range` applies to loads and calls, not to `{word}`"));
            }
            let ty = cx.result_ty(inst);
            if ty.is_error() {
                return Ok(());
            }
            let name = cx.display_ty(ty);
            ranges(scope, node, cx.types.int_bits(cx.types.scalar(ty)), &format!("`{name}`"))
        }
        "noalias.addrspace" => {
            let memory = matches!(
                inst.opcode,
                Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::Call
            );
            if !memory {
                return wrong(format!("`!noalias.addrspace` applies to memory operations, not to `{word}`"));
            }
            ranges(scope, node, Some(32), "`i32`")
        }
        "fpmath" => fpmath(cx, inst, node),
        "invariant.group" if !matches!(inst.opcode, Opcode::Load | Opcode::Store) => {
            wrong(format!("`!invariant.group` applies to loads and stores, not to `{word}`"))
        }
        "nonnull" => {
            pointer_load(cx, inst, kind)?;
            if node.is_tuple() && !node.is_empty() {
                return wrong("the node of `!nonnull` must be empty");
            }
            Ok(())
        }
        "dereferenceable" | "dereferenceable_or_null" => {
            pointer_load(cx, inst, kind)?;
            i64_operand(scope, node, kind).map(|_| ())
        }
        "align" => {
            pointer_load(cx, inst, kind)?;
            let Some(align) = i64_operand(scope, node, kind)? else { return Ok(()) };
            if !align.is_power_of_two() {
                return wrong(format!("the value of `!align` must be a power of two, is {align}"));
            }
            if align > 1 << 32 {
                return wrong(format!("the value of `!align` must be at most 2^32, is {align}"));
            }
            Ok(())
        }
        "noalias" | "alias.scope" => scope_list(scope, node),
        "llvm.access.group" => access_group(scope, node),
        "prof" => profile::check(cx, id, inst, node),
        "memprof" if !inst.opcode.is_call() => wrong(format!("`!memprof` applies to calls, not to `{word}`")),
        "memprof" => {
            memory_profile::check(scope, node)?;
            let has_callsite =
                || cx.body.attachments(inst).iter().any(|a| cx.body.tables.name(a.kind) == "callsite");
            if scope.follows(24) && !has_callsite() {
                return wrong("`!memprof` requires `!callsite` in LLVM 24");
            }
            Ok(())
        }
        "callsite" if !inst.opcode.is_call() => {
            wrong(format!("`!callsite` applies to calls, not to `{word}`"))
        }
        "callsite" => memory_profile::call_stack(scope, node),
        "annotation" => annotation(scope, node),
        "mmra" => mmra(cx, inst, node),
        "llvm.loop" => facts::loop_properties(cx.scope, node),
        "mem.cache_hint" if scope.follows(24) => cache_hints::check(cx, inst, node),
        "tbaa.struct" if scope.follows(24) => facts::copied_fields(scope, node),
        "nofpclass" | "noundef" | "invariant.load" | "inline_history" | "amdgpu.expected.active.lanes"
            if scope.follows(24) =>
        {
            facts::check_of_24(cx, inst, kind, node)
        }
        "nofree" | "captures" | "alloc_token" | "callee_type" => facts::check(cx, inst, kind, node),
        _ => Ok(()),
    }
}

/// Only `!dbg` and `!llvm.loop` may contain locations. Such a node outlives the debug information that LLVM drops when
/// it is wrong, so that this is an error.
fn location(scope: &Scope, kind: &str, node: NodeRef<'_>) -> Verdict {
    let is_location = |md: Md<'_>| md.node().is_some_and(|n| n.node.kind == MdKind::DILocation);
    let mut fields = node.fields().iter().map(|f| Md::new(scope, node.tables, node.summary, f.value));
    if kind != "llvm.loop" && fields.any(is_location) {
        return wrong(format!("`!{kind}` must not contain a debug location"));
    }
    Ok(())
}

/// An interval of integers, `low..high` around the end.
#[derive(Clone, Copy)]
struct Interval {
    low: u64,
    high: u64,
}

fn overlap(first: Interval, second: Interval) -> String {
    format!("the ranges {} to {} and {} to {} overlap", first.low, first.high, second.low, second.high)
}

impl Interval {
    fn overlaps(self, other: Interval) -> bool {
        let holds = |i: Interval, x: u64| {
            if i.low < i.high { i.low <= x && x < i.high } else { x >= i.low || x < i.high }
        };
        holds(self, other.low) || holds(other, self.low)
    }

    fn touches(self, other: Interval) -> bool {
        self.high == other.low || self.low == other.high
    }
}

/// Pairs of integers of `bits`; `None` for a type that is not an integer.
pub(super) fn ranges(scope: &Scope, node: NodeRef<'_>, bits: Option<u32>, ty: &str) -> Verdict {
    let bad = |message: String| fail(&RANGE, message);
    if !node.is_tuple() {
        return Ok(());
    }
    if !node.len().is_multiple_of(2) {
        return bad("expected pairs of integers in `!range`, found an odd number of operands".into());
    }
    if node.is_empty() {
        return bad("expected at least 1 range".into());
    }
    let mut intervals: Vec<Interval> = Vec::new();
    for n in (0..node.len()).step_by(2) {
        let mut ends = [0; 2];
        let mut widths = [0; 2];
        for (i, end) in ["lower", "upper"].iter().enumerate() {
            match node.operand(scope, n + i) {
                Md::Int { bits, value: Some(value) } => (widths[i], ends[i]) = (bits, value),
                Md::Int { .. } | Md::Unknown => return Ok(()),
                _ => return bad(format!("the {end} end of a range must be an integer")),
            }
        }
        let [low, high] = ends;
        if widths[0] != widths[1] {
            return bad(format!("the ends of a range differ in type: `i{}` and `i{}`", widths[0], widths[1]));
        }
        let width = widths[0];
        if bits != Some(width) {
            return bad(format!("expected a range of values of {ty}, found `i{width}`"));
        }
        if low == high {
            return bad(format!("the range from {low} to {high} is empty or full"));
        }
        let interval = Interval { low, high };
        if let Some(last) = intervals.last().copied() {
            if interval.overlaps(last) {
                return bad(overlap(last, interval));
            }
            let signed = |x: u64| (x << (64 - width.clamp(1, 64))) as i64;
            if signed(low) <= signed(last.low) {
                return bad("the ranges are not in ascending order".into());
            }
            if interval.touches(last) {
                return bad("two adjacent ranges must be written as one".into());
            }
        }
        intervals.push(interval);
    }
    if let [first, _, .., last] = intervals[..] {
        if first.overlaps(last) {
            return bad(overlap(first, last));
        }
        if first.touches(last) {
            return bad("the last range is adjacent to the first: they must be written as one".into());
        }
    }
    Ok(())
}

fn fpmath(cx: &RuleContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    let ty = cx.result_ty(inst);
    let is_float = |ty: TypeId| ty.is_error() || cx.types.is_float_or_vector(ty);
    // LLVM 23 allows it on several results.
    let all_float = match cx.types.get(ty) {
        Type::Struct { fields, .. } if cx.scope.reads(23) => {
            cx.types.list(fields).iter().all(|ty| is_float(*ty))
        }
        Type::Array { element, .. } if cx.scope.reads(23) => is_float(element),
        _ => is_float(ty),
    };
    if !all_float {
        return wrong("`!fpmath` requires a floating-point result");
    }
    if !node.is_tuple() {
        return Ok(());
    }
    if node.len() != 1 {
        return wrong(format!("expected 1 operand in `!fpmath`, found {}", node.len()));
    }
    let Md::Value(id, tables) = node.operand(cx.scope, 0) else {
        return match node.operand(cx.scope, 0) {
            Md::Unknown => Ok(()),
            _ => wrong("the accuracy of `!fpmath` must be a `float`"),
        };
    };
    let operand = tables.operand(id);
    match (tables.types.get(operand.ty), tables.const_of(operand)) {
        (Type::Float, Some(Const::Double(bits) | Const::Decimal(bits))) => {
            let accuracy = f64::from_bits(bits);
            if accuracy.is_finite() && accuracy > 0.0 {
                Ok(())
            } else {
                wrong(format!("the accuracy of `!fpmath` must be positive, is {accuracy}"))
            }
        }
        (Type::Float, Some(Const::HexFloat(_))) => Ok(()),
        _ => wrong("the accuracy of `!fpmath` must be a `float`"),
    }
}

fn pointer_load(cx: &RuleContext<'_>, inst: &Inst, kind: &str) -> Verdict {
    let ty = cx.result_ty(inst);
    if !ty.is_error() && !cx.types.is_ptr(ty) {
        return wrong(format!("`!{kind}` requires a pointer, found `{}`", cx.display_ty(ty)));
    }
    let allowed = match inst.opcode {
        Opcode::Load | Opcode::Error => true,
        Opcode::IntToPtr => kind.starts_with("deref"),
        _ => false,
    };
    if allowed {
        return Ok(());
    }
    wrong(format!("`!{kind}` applies to loads, not to `{}`; use an attribute for calls", inst.opcode.word()))
}

fn i64_operand(scope: &Scope, node: NodeRef<'_>, kind: &str) -> Result<Option<u64>, Box<Fault>> {
    if !node.is_tuple() {
        return Ok(None);
    }
    let wrong = |message: String| Err(Fault::new(&ATTACHMENT, message));
    if node.len() != 1 {
        return wrong(format!("expected 1 operand in `!{kind}`, found {}", node.len()));
    }
    match node.operand(scope, 0) {
        Md::Int { bits: 64, value } => Ok(value),
        Md::Unknown => Ok(None),
        _ => wrong(format!("the operand of `!{kind}` must be a constant of type `i64`")),
    }
}

/// A list of alias scopes.
pub(super) fn scope_list(scope: &Scope, list: NodeRef<'_>) -> Verdict {
    for entry in list.operands(scope) {
        match entry {
            Md::Unknown => {}
            Md::Node(entry) => alias_scope(scope, entry)?,
            _ => return wrong("an element of a list of alias scopes must be a node"),
        }
    }
    Ok(())
}

fn alias_scope(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if !node.is_tuple() {
        return Ok(());
    }
    let named = |node: NodeRef<'_>, what: &str| match node.operand(scope, 0) {
        Md::String(_) | Md::Unknown => Ok(()),
        Md::Node(first) if first.key() == node.key() => Ok(()),
        _ => wrong(format!("the first operand of {what} must be a string or the node itself")),
    };
    if !matches!(node.len(), 2 | 3) {
        return wrong(format!("expected 2 or 3 operands in an alias scope, found {}", node.len()));
    }
    named(node, "an alias scope")?;
    if node.len() == 3 && !matches!(node.operand(scope, 2), Md::String(_) | Md::Unknown) {
        return wrong("the third operand of an alias scope, its name, must be a string");
    }
    let domain = match node.operand(scope, 1) {
        Md::Node(domain) => domain,
        Md::Unknown => return Ok(()),
        _ => return wrong("the second operand of an alias scope, its domain, must be a node"),
    };
    if !domain.is_tuple() {
        return Ok(());
    }
    // Since October 2026 LLVM 24 writes a truth value before the name: `!{!0, i1 true, !"name"}`. Earlier builds read the older form.
    let is_newer = scope.reads(24) && matches!(domain.operand(scope, 1), Md::Int { bits: 1, .. });
    let most = if is_newer { 3 } else { 2 };
    if domain.is_empty() || domain.len() > most {
        let count = format!("found {}", domain.len());
        return wrong(format!("expected 1 or 2 operands in the domain of an alias scope, {count}"));
    }
    named(domain, "the domain of an alias scope")?;
    if domain.len() == most && !matches!(domain.operand(scope, most - 1), Md::String(_) | Md::Unknown) {
        return wrong("the second operand of an alias domain, its name, must be a string");
    }
    Ok(())
}

fn access_group(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    let is_group = |node: NodeRef<'_>| node.is_empty() && node.node.distinct;
    if !node.is_tuple() || is_group(node) {
        return Ok(());
    }
    for entry in node.operands(scope) {
        match entry {
            Md::Unknown => {}
            Md::Node(group) if is_group(group) => {}
            Md::Node(_) => return wrong("an access group must be `distinct !{}`"),
            _ => return wrong("an element of a list of access groups must be a node"),
        }
    }
    Ok(())
}

fn annotation(scope: &Scope, node: NodeRef<'_>) -> Verdict {
    if !node.is_tuple() {
        return wrong("`!annotation` must be a tuple of strings");
    }
    if node.is_empty() {
        return wrong("`!annotation` must have at least one operand");
    }
    for entry in node.operands(scope) {
        let right = match entry {
            Md::String(_) | Md::Unknown => true,
            Md::Node(inner) => {
                inner.is_tuple() && inner.operands(scope).all(|e| matches!(e, Md::String(_) | Md::Unknown))
            }
            _ => false,
        };
        if !right {
            return wrong("an operand of `!annotation` must be a string or a tuple of strings");
        }
    }
    Ok(())
}

fn mmra(cx: &RuleContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    let scope = cx.scope;
    let atomic = cx.body.atomic(inst).is_some_and(|a| a.ordering != crate::body::Ordering::NotAtomic);
    let memory = matches!(
        inst.opcode,
        Opcode::Load | Opcode::Store | Opcode::Fence | Opcode::CmpXchg | Opcode::AtomicRmw
    );
    if !atomic && !memory && !inst.opcode.is_call() {
        return wrong(format!("`!mmra` applies to memory operations, not to `{}`", inst.opcode.word()));
    }
    let is_tag = |node: NodeRef<'_>| {
        node.len() == 2 && node.operands(scope).all(|e| matches!(e, Md::String(_) | Md::Unknown))
    };
    if is_tag(node) {
        return Ok(());
    }
    if !node.is_tuple() {
        return wrong("`!mmra` must be a tag, `!{!\"prefix\", !\"suffix\"}`, or a tuple of tags");
    }
    for entry in node.operands(scope) {
        match entry {
            Md::Unknown => {}
            Md::Node(tag) if is_tag(tag) => {}
            _ => return wrong("a tag of `!mmra` must have the form `!{!\"prefix\", !\"suffix\"}`"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn dereferenceable_applies_to_inttoptr() {
        let of = |kind: &str| {
            format!(
                "define ptr @f(i64 %i) {{\n  %p = inttoptr i64 %i to ptr, !{kind} !0\n  ret ptr %p\n}}\n!0 = !{{i64 8}}\n"
            )
        };
        check(&of("dereferenceable"), expect![""]);
        check(
            &of("align"),
            expect![[r#"
            error[metadata-attachment] 2:32 `!align !0`: `!align` applies to loads, not to `inttoptr`; use an attribute for calls
        "#]],
        );
    }

    #[test]
    fn the_last_attachment_of_a_kind_counts() {
        marks(expect![[r#"
            define void @f(ptr %p) {
              %a = load i32, ptr %p, !range !0, !range !1
              %b = load i32, ptr %p, !range !1, !nonnull !2, !range !0
            ;                                   ^^^^^^^^^^^ error[metadata-attachment]: `!nonnull` requires a pointer, found `i32`
            ;                                                ^^^^^^^^^ error[range-metadata]: the range from 1 to 1 is empty or full
              %c = load i32, ptr %p, !tbaa !2, !tbaa !3
              ret void
            }
            !0 = !{i32 1, i32 1}
            !1 = !{i32 1, i32 2}
            !2 = !{}
            !3 = !{!4, !4, i64 0}
            !4 = !{!"int", !5}
            !5 = !{!"root"}
        "#]]);
        // As many that they are not compared one by one.
        let kinds: String = (0..20).map(|n| format!(", !k{n} !0")).collect();
        let text = |first: &str, last: &str| {
            format!(
                "define void @f(ptr %p) {{\n  %a = load i32, ptr %p, !range {first}{kinds}, !range {last}\n  ret void\n}}\n\
                 !0 = !{{i32 1, i32 1}}\n!1 = !{{i32 1, i32 2}}\n"
            )
        };
        let found = |first, last| crate::rules::findings(&text(first, last));
        assert_eq!(found("!0", "!1"), "");
        assert!(found("!1", "!0").contains("range-metadata"));
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(float %x) {
              %a = fadd float %x, %x, !fpmath !0
            ;                         ^^^^^^^^^^ error[metadata-attachment]: expected 1 operand in `!fpmath`, found 2
              ret void
            }
            !0 = !{float 1.0, float 2.0}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              fence seq_cst, !mmra !0
            ;                ^^^^^^^^ error[metadata-attachment]: a tag of `!mmra` must have the form `!{!"prefix", !"suffix"}`
              ret void
            }
            !0 = !{!"a"}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = load i32, ptr %p, !range !0
            ;                        ^^^^^^^^^ error[range-metadata]: expected at least 1 range
              ret void
            }
            !0 = !{}
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = load ptr, ptr %p, !align !0
            ;                        ^^^^^^^^^ error[metadata-attachment]: expected 1 operand in `!align`, found 0
              ret void
            }
            !0 = !{}
        "#]]);
    }
}
