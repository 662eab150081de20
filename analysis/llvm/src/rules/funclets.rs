//! Calls within the funclets of exception handling on Windows and WebAssembly.
//!
//! Source: LLVM, "Exception Handling in LLVM", "Funclet parent tokens".

use rustc_hash::{FxHashMap, FxHashSet};

use super::exceptions::EXCEPTION;
use crate::body::{Call, InstId, Opcode};
use crate::context::{RuleContext, successors};
use crate::operand::Value;
use crate::tables::Intrinsic;
use crate::types::Type;

/// Personality functions whose pads become functions of their own.
const PERSONALITIES: &[&str] = &[
    "ProcessCLRException",
    "__C_specific_handler",
    "__CxxFrameHandler3",
    "__gxx_wasm_personality_v0",
    "_except_handler3",
    "_except_handler4",
];

pub(super) fn function(cx: &mut RuleContext<'_>) {
    if !is_scoped(cx) {
        return;
    }
    let calls: Vec<InstId> = cx
        .body
        .named_calls()
        .filter(|(_, call, name)| becomes_call(name) && !has_funclet(cx, call))
        .map(|(id, ..)| id)
        .collect();
    if calls.is_empty() {
        return;
    }
    let heads = heads(cx);
    let is_pad = |block: &u32| {
        let first = cx.body.block_insts(*block).find(|(_, i)| i.opcode != Opcode::Phi);
        first.is_some_and(|(_, i)| matches!(i.opcode, Opcode::CatchPad | Opcode::CleanupPad))
    };
    for id in calls {
        let own = heads.get(&cx.block_of_inst(id));
        if own.is_some_and(|own| own.iter().any(is_pad)) {
            let message = "a call of a runtime function in a funclet requires a `funclet` bundle";
            cx.report(&EXCEPTION, cx.body.inst_range(id), message);
        }
    }
}

/// Whether the function's personality function makes functions of its pads.
fn is_scoped(cx: &RuleContext<'_>) -> bool {
    let Some(personality) = cx.function.personality else { return false };
    let Value::Global(symbol) = cx.summary.operand(personality).value else { return false };
    let names = &cx.summary.tables.names;
    let is_function = |ty| matches!(cx.types.get(ty), Type::Function { .. });
    symbol.as_name().is_some_and(|name| PERSONALITIES.contains(&names.get(name)))
        && cx.scope.global(symbol, names).is_some_and(|global| is_function(global.value_type))
}

/// Whether code generation makes a call of the runtime library of an intrinsic.
fn becomes_call(name: &str) -> bool {
    let is_call = |rest: &str| {
        !rest.starts_with("arc.") && !rest.starts_with("clang.") && rest != "claimAutoreleasedReturnValue"
    };
    name.strip_prefix("llvm.objc.").is_some_and(is_call) && Intrinsic::lookup(name).is_some()
}

fn has_funclet(cx: &RuleContext<'_>, call: &Call) -> bool {
    call.bundles.of(&cx.body.cold.bundles).iter().any(|b| cx.body.tables.name(b.tag) == "funclet")
}

/// The first blocks of the funclets that each block belongs to, the function's own included.
fn heads(cx: &RuleContext<'_>) -> FxHashMap<u32, FxHashSet<u32>> {
    let body = cx.body;
    let mut heads: FxHashMap<u32, FxHashSet<u32>> = FxHashMap::default();
    let mut open = vec![(0, 0)];
    while let Some((block, mut head)) = open.pop() {
        let mut insts = body.block_insts(block);
        if insts.find(|(_, i)| i.opcode != Opcode::Phi).is_some_and(|(_, first)| first.opcode.is_eh_pad()) {
            head = block;
        }
        if heads.entry(block).or_default().insert(head) {
            let next = parent_of_return(cx, block).unwrap_or(head);
            open.extend(successors(body, block).map(|successor| (successor, next)));
        }
    }
    heads
}

/// Where a block ends in `catchret`: the first block of the funclet around the `catchswitch`.
fn parent_of_return(cx: &RuleContext<'_>, block: u32) -> Option<u32> {
    let body = cx.body;
    let (_, last) = body.terminator(block).filter(|(_, last)| last.opcode == Opcode::CatchRet)?;
    let pad = cx.inst(body.defining_inst(body.operand(last, 0))?)?;
    let switch = cx.inst(body.defining_inst(body.operand(pad, 0))?)?;
    let parent = body.defining_inst(body.operand(switch, 0));
    Some(parent.map_or(0, |parent| cx.block_of_inst(parent)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

    fn module(call: &str, personality: &str) -> String {
        format!(
            "declare i32 @{personality}(...)\ndeclare void @g()\ndeclare ptr @llvm.objc.retain(ptr)\n\
             define void @f() personality ptr @{personality} {{\n  invoke void @g() to label %done unwind label %dispatch\n\
             dispatch:\n  %s = catchswitch within none [label %catch] unwind to caller\n\
             catch:\n  %c = catchpad within %s []\n  br label %inner\n\
             inner:\n  {call}\n  catchret from %c to label %done\n\
             done:\n  call ptr @llvm.objc.retain(ptr null)\n  ret void\n}}\n"
        )
    }

    #[test]
    fn calls_of_the_runtime_in_a_catch_name_it() {
        check(
            &module("call ptr @llvm.objc.retain(ptr null)", "__CxxFrameHandler3"),
            expect![[r#"
                error[exception-handling] 12:3 `call ptr @llvm.objc.retain(ptr null)`: a call of a runtime function in a funclet requires a `funclet` bundle
            "#]],
        );
        check(
            &module("call ptr @llvm.objc.retain(ptr null) [ \"funclet\"(token %c) ]", "__CxxFrameHandler3"),
            expect![""],
        );
        check(&module("call void @g()", "__CxxFrameHandler3"), expect![""]);
        check(
            &module("call void @llvm.objc.end_catch()", "__CxxFrameHandler3")
                .replace("declare void @g()", "declare void @g()\ndeclare void @llvm.objc.end_catch()"),
            expect![""],
        );
        check(&module("call ptr @llvm.objc.retain(ptr null)", "__gxx_personality_v0"), expect![""]);
    }
}
