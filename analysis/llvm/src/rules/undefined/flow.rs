//! Control flow that is undefined or unusual: branches on `undef`, `indirectbr` without destinations, returns from `noreturn` functions.

use super::Finder;
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::{Flags, Inst, InstId, Opcode};
use crate::context::ModuleContext;
use crate::types::TypeId;
use crate::underlying::Root;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    BRANCH {
        code: "undefined-branch",
        severity: Severity::Warning,
        title: "a branch depends on a defined value, has a destination, and leaves loops that must end",
        explain: "A `br` or `switch` on `undef` or `poison` has undefined behavior, and so has an `indirectbr` without \
            destinations or to something that is not the address of a block. The loops of a `willreturn` function end, and \
            those of a `mustprogress` function that have no effect. Write `freeze` if either way is right. In \
            tests with RUN lines, `undef` is a placeholder and is not reported, unless a RUN line runs the pass \
            `lint`.\n\n\
            Switch it off for reduced test cases.",
        example: r"define void @f() {
  br i1 undef, label %a, label %b
a:
  ret void
b:
  ret void
}
",
        fixed: r"define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}
",
        source: "LLVM Language Reference, \"'br' Instruction\", \"Semantics\"; \"Function Attributes\", `willreturn`, `mustprogress`; LLVM pass `lint`: \"indirectbr with no \
            destinations\", \"Branch to non-blockaddress\"",
    }

    NORETURN {
        code: "noreturn-returns",
        severity: Severity::Warning,
        title: "a `noreturn` function does not return",
        explain: "A function with `noreturn` that returns anyway has undefined behavior: callers have no code after the \
            call.\n\n\
            Switch it off for functions whose return is never executed.",
        example: r"define void @f() noreturn {
  ret void
}
",
        fixed: r"define void @f() noreturn {
  unreachable
}
",
        source: "LLVM Language Reference, \"Function Attributes\", `noreturn`; LLVM pass `lint`: \"Return statement in \
            function with noreturn attribute\"",
    }

    UNREACHABLE_AFTER {
        code: "unreachable-after",
        severity: Severity::Hint,
        title: "what precedes `unreachable` is why it is not reached",
        explain: "`unreachable` usually follows a call that does not return. Where it follows an instruction without side \
            effects, control does get there, and all code that leads to it is undefined.\n\n\
            Switch it off for code from front ends that mark impossible cases so.",
        example: r"define void @f(i32 %x) {
  %y = add i32 %x, 1
  unreachable
}
",
        fixed: r"declare void @abort() noreturn
define void @f(i32 %x) {
  call void @abort()
  unreachable
}
",
        source: "LLVM pass `lint`: \"unreachable immediately preceded by instruction without side effects\"",
    }

    UNNAMED {
        code: "unnamed-function",
        severity: Severity::Hint,
        title: "a function that other modules can call has a name",
        explain: "A function with a number in place of a name has no symbol: no other module can call it. If none is meant \
            to, `internal` or `private` says so.\n\n\
            Switch it off for reduced test cases.",
        example: r"define void @0() {
  ret void
}
",
        fixed: r"define void @f() {
  ret void
}
",
        source: "LLVM pass `lint`: \"Unnamed function with non-local linkage\"",
    }
}

/// Functions that nothing can call.
pub(in crate::rules) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    for function in summary.functions.iter().filter(|function| function.is_definition) {
        let head = function.head;
        if head.name.as_number().is_some() && !head.linkage.is_local() && !cx.scope.is_test {
            let range = cx.item_range(head.item);
            cx.report(&UNNAMED, range, "other modules cannot call a function without a name");
        }
    }
}

pub(super) fn check(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let cx = finder.cx();
    let body = cx.body;
    match inst.opcode {
        Opcode::Br if inst.operands.len == 3 => condition(finder, id, inst),
        Opcode::Switch => condition(finder, id, inst),
        Opcode::IndirectBr => indirect(finder, id, inst),
        Opcode::Ret if finder.never_returns => {
            let message = "`ret` in a `noreturn` function is undefined behavior";
            finder.report(&NORETURN, body.inst_range(id), message.to_owned());
        }
        Opcode::Unreachable if !cx.scope.is_test => {
            let first = body.blocks.get(cx.block_of_inst(id) as usize).map(|block| block.insts.start);
            if first.is_none_or(|first| first == id.0) {
                return;
            }
            let Some(before) = id.0.checked_sub(1).and_then(|at| cx.inst(InstId(at))) else { return };
            let has_effect = before.opcode.is_call() && !is_pure_call(finder, before)
                || before.flags.has(Flags::VOLATILE)
                || before.flags.has(Flags::ATOMIC)
                || matches!(
                    before.opcode,
                    Opcode::Store
                        | Opcode::CmpXchg
                        | Opcode::AtomicRmw
                        | Opcode::Fence
                        | Opcode::VaArg
                        | Opcode::LandingPad
                        | Opcode::CatchPad
                        | Opcode::CleanupPad
                        | Opcode::Error
                );
            if !has_effect {
                let message = format!(
                    "`unreachable` follows `{}`, which does not keep control from it",
                    before.opcode.word()
                );
                finder.report(&UNREACHABLE_AFTER, body.inst_range(id), message);
            }
        }
        _ => {}
    }
}

/// A loop that nothing leaves, in a function that returns or makes progress.
pub(super) fn endless(finder: &mut Finder<'_, '_>, will_return: bool, must_progress: bool) {
    let word = match (will_return, must_progress) {
        (true, _) => "willreturn",
        (_, true) => "mustprogress",
        _ => return,
    };
    let cx = finder.cx();
    let cfg = cx.cfg();
    // A call may end the program or raise an exception.
    let is_end = |inst: &Inst| {
        let is_progress =
            inst.flags.has(Flags::VOLATILE) || inst.flags.has(Flags::ATOMIC) || inst.opcode == Opcode::Fence;
        inst.opcode.is_call() || inst.opcode == Opcode::Error || !will_return && is_progress
    };
    let mut can_end = vec![false; cfg.len()];
    let mut open: Vec<u32> =
        (0..cfg.len() as u32).filter(|block| cfg.successors(*block).is_empty()).collect();
    open.extend(cx.insts().filter(|(_, inst)| is_end(inst)).map(|(id, _)| cx.block_of_inst(id)));
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut can_end[block as usize], true) {
            open.extend(cfg.predecessors(block));
        }
    }
    let is_reached = |block: u32| block == 0 || cx.dominators().is_reachable(block);
    let Some(block) = (0..cfg.len() as u32).find(|block| !can_end[*block as usize] && is_reached(*block))
    else {
        return;
    };
    let Some(last) = cx
        .body
        .blocks
        .get(block as usize)
        .and_then(|block| (block.insts.start + block.insts.len).checked_sub(1))
    else {
        return;
    };
    let message =
        format!("no path from here leaves the loop: that is undefined behavior in a `{word}` function");
    finder.report(&BRANCH, cx.body.inst_range(InstId(last)), message);
}

/// Whether a call returns and nobody can notice it.
fn is_pure_call(finder: &Finder<'_, '_>, inst: &Inst) -> bool {
    /// The second bit of each location.
    const WRITES: u64 = 0xAAAA;
    let cx = finder.cx();
    let Some((summary, function)) = cx.body.call(inst).and_then(|call| finder.callee(call)) else {
        return false;
    };
    let own = AttributeSet::new(cx.scope, &summary.tables, function.attrs, |_| TypeId::ERROR);
    own.has(AttrKind::WillReturn)
        && own.has(AttrKind::NoUnwind)
        && !own.has(AttrKind::NoReturn)
        && own.int(AttrKind::Memory).is_some_and(|effects| effects & WRITES == 0)
}

fn condition(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let body = finder.cx().body;
    if let Some(what) = finder.undefined(body.operand(inst, 0)) {
        let message = format!("`{}` on `{what}` is undefined behavior", inst.opcode.word());
        finder.report(&BRANCH, body.operand_range(id, 0), message);
    }
}

fn indirect(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let body = finder.cx().body;
    if inst.operands.len == 1 && !finder.cx().ty(body.operand(inst, 0).ty).is_error() {
        let message = "`indirectbr` without destinations is undefined behavior";
        finder.report(&BRANCH, body.inst_range(id), message.to_owned());
        return;
    }
    let source = finder.objects.source(body.operand(inst, 0));
    let what = match source.root {
        root if finder.is_placeholder(root) => return,
        Root::Null => "null".to_owned(),
        Root::Undef | Root::Poison => "an undefined address".to_owned(),
        Root::Global(_) => format!("`{}`", finder.name(source.root)),
        _ => return,
    };
    let message =
        format!("`indirectbr` to {what}, which is not the address of a block, is undefined behavior");
    finder.report_pointer(&BRANCH, body.operand_range(id, 0), message, &source);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn calls_that_do_not_keep_control_from_unreachable() {
        marks(expect![[r#"
            declare i32 @pure() nounwind willreturn memory(read)
            declare i32 @writes() nounwind willreturn
            define void @f() {
              %x = call i32 @pure()
              unreachable
            ; ^^^^^^^^^^^ hint[unreachable-after]: `unreachable` follows `call`, which does not keep control from it
            }
            define void @g() {
              %x = call i32 @writes()
              unreachable
            }
        "#]]);
    }

    #[test]
    fn loops_that_nothing_leaves() {
        marks(expect![[r#"
            define void @f(i1 %c) willreturn {
              br i1 %c, label %a, label %b
            a:
              br label %a
            ; ^^^^^^^^^^^ warning[undefined-branch]: no path from here leaves the loop: that is undefined behavior in a `willreturn` function
            b:
              ret void
            }
            define void @g(ptr %p) mustprogress {
              br label %a
            a:
              store volatile i32 0, ptr %p
              br label %a
            }
            define void @h(ptr %p) mustprogress {
              br label %a
            ; ^^^^^^^^^^^ warning[undefined-branch]: no path from here leaves the loop: that is undefined behavior in a `mustprogress` function
            a:
              store i32 0, ptr %p
              br label %b
            b:
              br label %a
            }
            define void @i() willreturn {
              br label %a
            a:
              call void @g(ptr null)
              br label %a
            }
            define void @j() {
              br label %a
            a:
              br label %a
            }
        "#]]);
    }
}
