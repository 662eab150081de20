//! `!mem.cache_hint`: hints to the caches, by operand. LLVM 24 checks them.
//!
//! Source: LLVM `Verifier::visitMemCacheHintMetadata`: "!mem.cache_hint must have even number of operands (operand_no, hint_node pairs)".

use rustc_hash::FxHashSet;

use super::fault::wrong;
use crate::body::{Inst, Opcode};
use crate::context::RuleContext;
use crate::metadata_view::Md;
use crate::operand::Operand;
use crate::scope::{NodeRef, Scope};
use wavelens_base::Verdict;

pub(super) fn check(cx: &RuleContext<'_>, inst: &Inst, node: NodeRef<'_>) -> Verdict {
    let word = inst.opcode.word();
    let is_access = matches!(inst.opcode, Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::CmpXchg);
    let operands: &[Operand] = match cx.body.call(inst) {
        Some(call) if inst.opcode.is_call() => {
            if cx.callee_name(call).is_some_and(|name| !name.starts_with("llvm.")) {
                return wrong("`!mem.cache_hint` applies to calls of intrinsics only");
            }
            cx.body.operands(call.args)
        }
        _ if is_access => cx.body.operands(inst.operands),
        _ if inst.opcode == Opcode::Error => return Ok(()),
        _ => return wrong(format!("`!mem.cache_hint` applies to memory operations, not to `{word}`")),
    };
    if !node.is_tuple() {
        return Ok(());
    }
    if !node.len().is_multiple_of(2) {
        return wrong("`!mem.cache_hint` must list pairs of an operand's number and a node of hints");
    }
    let mut last = None;
    for pair in (0..node.len()).step_by(2) {
        let number = match node.operand(cx.scope, pair) {
            Md::Int { value: Some(number), .. } => number,
            Md::Unknown | Md::Int { value: None, .. } => return Ok(()),
            _ => return wrong("the number of an operand in `!mem.cache_hint` must be an integer"),
        };
        let operand = usize::try_from(number).ok().and_then(|n| operands.get(n));
        let Some(operand) = operand else {
            let count = operands.len();
            return wrong(format!(
                "the number of an operand in `!mem.cache_hint` must be less than {count}, is {}",
                number as i32
            ));
        };
        let ty = cx.ty(operand.ty);
        if !ty.is_error() && !cx.types.is_ptr_or_vector(ty) {
            return wrong(format!("operand {number} in `!mem.cache_hint` is not a pointer"));
        }
        if last.is_some_and(|last| last >= number) {
            return wrong("the operands of `!mem.cache_hint` must be in ascending order");
        }
        last = Some(number);
        match node.operand(cx.scope, pair + 1) {
            Md::Node(hints) => check_hints(cx.scope, hints)?,
            Md::Unknown => {}
            _ => return wrong("the hints of an operand in `!mem.cache_hint` must be a node"),
        }
    }
    Ok(())
}

fn check_hints(scope: &Scope, hints: NodeRef<'_>) -> Verdict {
    if !hints.is_tuple() {
        return Ok(());
    }
    if !hints.len().is_multiple_of(2) {
        return wrong("a node of hints in `!mem.cache_hint` must list pairs of a key and a value");
    }
    let mut keys = FxHashSet::default();
    for pair in (0..hints.len()).step_by(2) {
        match hints.operand(scope, pair) {
            Md::String(key) if !keys.insert(key) => {
                return wrong(format!("duplicate key `{key}` in a node of hints of `!mem.cache_hint`"));
            }
            Md::String(_) | Md::Unknown => {}
            _ => return wrong("a key in `!mem.cache_hint` must be a string"),
        }
        if !matches!(hints.operand(scope, pair + 1), Md::String(_) | Md::Int { .. } | Md::Unknown) {
            return wrong("a value in `!mem.cache_hint` must be a string or an integer");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use wavelens_base::{Dialect, Options};
    use wavelens_check::testing::findings_with;

    #[test]
    fn hints() {
        let found = |hints: &str, llvm_level| {
            let text = format!(
                "define void @f(ptr %p, i32 %i) {{\n  store i32 %i, ptr %p, !mem.cache_hint !0\n  ret void\n}}\n!0 = !{{{hints}}}\n"
            );
            findings_with(Dialect::Llvm, &text, &Options { llvm_level, ..Options::default() })
        };
        assert_eq!(found("i32 1, !{!\"a\", i32 1}", Some(24)), "");
        for (hints, words) in [
            ("i32 1", "pairs of an operand's number"),
            ("i32 -1, !{}", "must be less than 2, is -1"),
            ("i32 0, !{}", "operand 0 in `!mem.cache_hint` is not a pointer"),
            ("i32 1, !{}, i32 1, !{}", "ascending order"),
            ("i32 1, !\"a\"", "must be a node"),
            ("!\"a\", !{}", "must be an integer"),
            ("i32 1, !{!\"a\"}", "pairs of a key and a value"),
            ("i32 1, !{i32 1, !\"a\"}", "a key in `!mem.cache_hint` must be a string"),
            ("i32 1, !{!\"a\", i32 1, !\"a\", i32 2}", "duplicate key `a`"),
            ("i32 1, !{!\"a\", float 1.0}", "must be a string or an integer"),
        ] {
            let shown = found(hints, Some(24));
            assert!(shown.contains(words), "{hints}: {shown}");
            assert_eq!(found(hints, None), "", "{hints}");
            assert_eq!(found(hints, Some(22)), "", "{hints}");
        }
    }
}
