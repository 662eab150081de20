//! Memory that is used after its lifetime ended or after it was freed.

use super::{Finder, Written, references};
use crate::attribute::{AttrKind, AttrValue};
use crate::attribute_set::AttributeSet;
use crate::body::{Call, InstId};
use crate::operand::{Operand, OperandId};
use crate::types::TypeId;
use crate::underlying::Root;
use wavelens_base::{Place, Severity};

wavelens_syntax::rules! {
    ENDED {
        code: "use-after-lifetime",
        severity: Severity::Warning,
        title: "memory is used while it is alive",
        explain: "After `llvm.lifetime.end` of an `alloca`, and after a pointer was freed, a load gives poison and a store \
            has undefined behavior; so has freeing a pointer again, or one that was not allocated. The code after the end is \
            followed as long as it is executed certainly.\n\n\
            Switch it off for tests that contain such uses on purpose.",
        example: r"declare void @free(ptr)
define void @f(ptr %p) {
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret void
}
",
        fixed: r"declare void @free(ptr)
define void @f(ptr %p) {
  call void @free(ptr %p)
  ret void
}
",
        source: "LLVM Language Reference, \"'llvm.lifetime.end' Intrinsic\", and \"Function Attributes\", `allockind`",
    }
}

/// Instructions after an end that are looked at.
const FOLLOWED: usize = 256;

pub(super) fn check(finder: &mut Finder<'_, '_>) {
    let cx = finder.cx();
    let ends: Vec<(InstId, Operand, &'static str)> = cx
        .body
        .named_calls()
        .filter_map(|(id, call, name)| {
            let args = cx.body.operands(call.args);
            if name.starts_with("llvm.lifetime.end") {
                return Some((id, *args.last()?, "the lifetime ends here"));
            }
            Some((id, freed(finder, call, name)?, "freed here"))
        })
        .collect();
    for (end, pointer, what) in ends {
        if finder.is_reachable(end) {
            after(finder, end, pointer, what);
        }
    }
}

/// The pointer that a call frees.
fn freed(finder: &Finder<'_, '_>, call: &Call, name: &str) -> Option<Operand> {
    let cx = finder.cx();
    let args = cx.body.operands(call.args);
    let (summary, function) = cx.callee(call)?;
    if function.is_definition {
        return None;
    }
    if matches!(name, "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" | "__rust_dealloc") {
        return args.first().copied();
    }
    let attrs = AttributeSet::new(cx.scope, &summary.tables, function.attrs, |_| TypeId::ERROR);
    let kind = attrs.get(AttrKind::AllocKind)?.attr.value;
    // Bit 2 is `free`; `realloc` (bit 1) frees only if it succeeds.
    if !matches!(kind, AttrValue::Int(mask) if mask & 4 != 0) {
        return None;
    }
    let is_freed = |param: &crate::summary::Param| {
        Written::new(&summary.tables, param.attrs).has(AttrKind::AllocatedPointer)
    };
    args.get(summary.params(function).iter().position(is_freed)?).copied()
}

/// What certainly follows an end.
fn after(finder: &mut Finder<'_, '_>, end: InstId, pointer: Operand, what: &'static str) {
    let cx = finder.cx();
    let body = cx.body;
    let ended = finder.objects.source(pointer);
    let is_freed = what == "freed here";
    match ended.root {
        Root::Alloca(_) | Root::Global(_) if is_freed => {
            let name = finder.name(ended.root);
            let message = format!("`{name}` was not allocated: freeing it is undefined behavior");
            let range = body.call(&body.insts[end.0 as usize]).map(|call| OperandId(call.args.start));
            let range = range.map_or(body.inst_range(end), |id| body.ranges.operand(id));
            finder.report_pointer(&ENDED, range, message, &ended);
            return;
        }
        Root::Alloca(_) => {}
        Root::Argument(_) | Root::Result(_) if is_freed && ended.is_whole() => {}
        _ => return,
    }
    let name = finder.name(ended.root);
    let mut block = cx.block_of_inst(end);
    let mut at = end.0 + 1;
    let mut accesses = Vec::new();
    for _ in 0..FOLLOWED {
        let Some(span) = body.blocks.get(block as usize).map(|block| block.insts) else { return };
        if at >= span.start + span.len {
            let [next] = cx.cfg().successors(block) else { return };
            if cx.cfg().predecessors(*next).len() != 1 {
                return;
            }
            block = *next;
            let Some(span) = body.blocks.get(block as usize).map(|block| block.insts) else { return };
            at = span.start;
            continue;
        }
        let Some(inst) = cx.inst(InstId(at)) else { return };
        // The alloca, or the result that was freed, is made anew.
        if matches!(ended.root, Root::Alloca(id) | Root::Result(id) if id.0 == at) {
            return;
        }
        if let Some(call) = body.call(inst) {
            let callee = cx.callee_name(call).unwrap_or("");
            let args = body.operands(call.args);
            if callee.starts_with("llvm.lifetime.")
                && args.last().is_some_and(|arg| finder.objects.source(*arg).root == ended.root)
            {
                return;
            }
            if is_freed
                && let Some(again) = freed(finder, call, callee)
                && finder.objects.source(again).root == ended.root
            {
                let message = format!("`{name}` is freed again, which is undefined behavior");
                let range = cx.operand_range(OperandId(call.args.start));
                finder.report(&ENDED, range, message).related.push(wavelens_base::Related {
                    place: Place::Here(body.inst_range(end)),
                    message: what.to_owned(),
                });
                return;
            }
        }
        accesses.clear();
        references::of(finder, InstId(at), inst, &mut accesses);
        for access in &accesses {
            let source = finder.objects.source(access.pointer);
            if source.root != ended.root || access.is_call {
                continue;
            }
            let verb = if is_freed { "it was freed" } else { "its lifetime ended" };
            let message = format!("{} of `{name}` after {verb}", access.what);
            let diagnostic = finder.report_pointer(&ENDED, access.range, message, &source);
            diagnostic.related.insert(
                0,
                wavelens_base::Related { place: Place::Here(body.inst_range(end)), message: what.to_owned() },
            );
            return;
        }
        at += 1;
    }
}
