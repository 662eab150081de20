//! The end of a block and its successors.

use wavelens_isa::mir::{flag, opcode};

use super::block_headers::successor_range;
use super::branch_analysis::{Exit, analyze, bundle_is, target_of};
use super::{block_headers, block_order};
use crate::context::{Inst, RuleContext};
use wavelens_base::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    SUCCESSOR_MISMATCH {
        code: "successor-mismatch",
        severity: wavelens_base::Severity::Error,
        title: "the successors of a block are its branch targets and fall-through block",
        explain: "Passes follow the list, not the branches: a missing successor makes reachable code look dead. Landing pads are successors without a branch.",
        example: r#"---
name: f
body: |
  bb.0:
    successors: %bb.1

    S_BRANCH %bb.2

  bb.1:
    S_ENDPGM 0

  bb.2:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    successors: %bb.2

    S_BRANCH %bb.2

  bb.1:
    S_ENDPGM 0

  bb.2:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineBasicBlockBefore: \"MBB exits via jump or conditional branch, but its target isn't a CFG successor!\"",
    }

    BLOCK_END {
        code: "bad-block-end",
        severity: wavelens_base::Severity::Error,
        title: "a block ends in a barrier if and only if it does not fall through",
        explain: "A barrier is an instruction that control never passes, such as an unconditional branch or a return.",
        example: r#"---
name: f
body: |
  bb.0:
    successors: %bb.1

    S_BRANCH %bb.1
    $sgpr0 = S_MOV_B32_term 0

  bb.1:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    successors: %bb.1

    $sgpr0 = S_MOV_B32_term 0
    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineBasicBlockBefore: \"MBB exits via unconditional branch but doesn't end with a barrier instruction!\"",
    }
}

/// Everything about blocks.
pub(super) fn function(cx: &mut RuleContext<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    for block in 0..cx.f.blocks.len() as u32 {
        let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(&instructions));
        let own: Vec<&Inst<'_>> = own.iter().flatten().collect();
        block_headers::check(cx, block);
        block_order::check(cx, &own);
        check_asm_targets(cx, block, &own);
        check_landing_pads(cx, block);
        if let Some(exit) = analyze(cx, &own) {
            let last = own.iter().rfind(|i| !i.is_bundled()).copied();
            let at = last.map_or_else(|| cx.block_range(block), |i| i.source.opcode_range);
            check_last_instruction(cx, exit, &own, at);
            check_branch_targets(cx, block, exit, &own, at);
            check_fall_through(cx, block, exit, at);
            check_successors(cx, block, exit);
        }
    }
    cx.instructions = instructions;
}

/// Inline assembly jumps only to successors.
fn check_asm_targets(cx: &mut RuleContext<'_>, block: u32, own: &[&Inst<'_>]) {
    for inst in own.iter().filter(|i| i.is(opcode::INLINEASM_BR)) {
        for index in 0..inst.order.len() {
            let (Some(target), Some(operand)) = (target_of(cx, inst, index), cx.operand(inst, index)) else {
                continue;
            };
            if !cx.cfg.successors(block).contains(&target) {
                let text = cx.block_text(target);
                let message = format!("target `{text}` of inline assembly is not a successor of this block");
                let d = add_successor(
                    cx,
                    block,
                    None,
                    &text,
                    Diagnostic::new(&SUCCESSOR_MISMATCH, operand.range, message),
                );
                cx.diagnostics.push(d);
            }
        }
    }
}

fn check_landing_pads(cx: &mut RuleContext<'_>, block: u32) {
    let is_pad = |block: &&u32| cx.block_of(**block).is_some_and(|b| b.landing_pad);
    let pads = cx.cfg.successors(block).iter().filter(is_pad).count();
    if pads > 1 && !cx.ir.is_some_and(|ir| ir.has_scoped_unwinding) {
        let range = cx.block_range(block);
        cx.report(&SUCCESSOR_MISMATCH, range, "a block must not have more than one landing pad successor");
    }
}

/// The last instruction of a block is a barrier if and only if control does not fall through.
fn check_last_instruction(cx: &mut RuleContext<'_>, exit: Exit, own: &[&Inst<'_>], at: TextRange) {
    let last = own.iter().rfind(|i| !i.is_bundled()).copied();
    let barrier = last.is_some_and(|i| bundle_is(own, i, flag::BARRIER));
    let terminator = last.is_some_and(|i| bundle_is(own, i, flag::TERMINATOR));
    let message = match exit {
        Exit { taken: None, .. } if barrier => {
            "the block falls through, but its last instruction is a barrier"
        }
        Exit { taken: Some(_), otherwise: None, conditional: true } if barrier || !terminator => {
            "the block ends in a conditional branch and falls through, but its last instruction is not the branch"
        }
        Exit { taken: Some(_), otherwise: None, conditional: false } | Exit { otherwise: Some(_), .. }
            if !barrier || !terminator =>
        {
            "the block ends in an unconditional branch, but its last instruction is not a barrier"
        }
        _ => return,
    };
    cx.report(&BLOCK_END, at, message);
}

fn check_branch_targets(cx: &mut RuleContext<'_>, block: u32, exit: Exit, own: &[&Inst<'_>], at: TextRange) {
    for target in [exit.taken, exit.otherwise].into_iter().flatten() {
        if cx.cfg.successors(block).contains(&target) {
            continue;
        }
        let text = cx.block_text(target);
        let mut terminators = own.iter().filter(|i| i.is_terminator());
        let branch = terminators.find_map(|i| {
            let index = (0..i.order.len()).find(|n| target_of(cx, i, *n) == Some(target))?;
            Some(cx.operand(i, index)?.range)
        });
        let message = format!("branch target `{text}` is not a successor of this block");
        let d = Diagnostic::new(&SUCCESSOR_MISMATCH, branch.unwrap_or(at), message);
        let d = add_successor(cx, block, Some(exit.ways()), &text, d);
        cx.diagnostics.push(d);
    }
}

/// A conditional branch at the end falls through to the next block, which is a successor.
fn check_fall_through(cx: &mut RuleContext<'_>, block: u32, exit: Exit, at: TextRange) {
    if !exit.conditional || exit.otherwise.is_some() {
        return;
    }
    let next = block + 1;
    if next as usize >= cx.f.blocks.len() {
        let message = "the last block of the function has no terminator and falls through";
        cx.report(&SUCCESSOR_MISMATCH, at, message);
    } else if !cx.cfg.successors(block).contains(&next) {
        let text = cx.block_text(next);
        let message = format!("the block falls through to `{text}`, which is not a successor of it");
        let d = add_successor(
            cx,
            block,
            Some(exit.ways()),
            &text,
            Diagnostic::new(&SUCCESSOR_MISMATCH, at, message),
        );
        cx.diagnostics.push(d);
    }
}

/// Control reaches each successor: by a branch, by falling through, or by an exception. The first wrong one is reported.
fn check_successors(cx: &mut RuleContext<'_>, block: u32, exit: Exit) {
    let falls_through = exit.taken.is_none() || (exit.conditional && exit.otherwise.is_none());
    let next = falls_through.then_some(block + 1).filter(|next| (*next as usize) < cx.f.blocks.len());
    let is_expected = |successor: u32| {
        [exit.taken, exit.otherwise, next].contains(&Some(successor))
            || cx.block_of(successor).is_some_and(|b| b.landing_pad || b.inline_asm_target)
    };
    let Some(successor) = cx.cfg.successors(block).iter().copied().find(|s| !is_expected(*s)) else { return };
    let text = cx.block_text(successor);
    let range = successor_range(cx, block, successor);
    let message = format!("successor `{text}` is neither a branch target nor the fall-through block");
    let d = remove_successor(cx, block, range, &text, Diagnostic::new(&SUCCESSOR_MISMATCH, range, message));
    cx.diagnostics.push(d);
}

/// Adds the fix that adds a block to the successors of a block.
fn add_successor(
    cx: &RuleContext<'_>,
    block: u32,
    ways: Option<usize>,
    text: &str,
    d: Diagnostic,
) -> Diagnostic {
    const KEY: &str = "successors:";
    let place = || {
        let own = cx.block_of(block)?;
        if let Some(last) = own.successors?.of(&cx.f.successors).last() {
            let end = last.range.end();
            // After its probability.
            let rest = cx.text.get(usize::from(end)..)?;
            let weight = rest.strip_prefix('(').and_then(|rest| rest.find(')')).map_or(0, |at| at + 2);
            return Some((end + wavelens_base::TextSize::new(weight as u32), ","));
        }
        let label = own.range.end();
        let at = cx.text.get(usize::from(label)..)?.find(KEY)? + KEY.len();
        Some((label + wavelens_base::TextSize::new(at as u32), ""))
    };
    // Where as many are listed as there are ways out, one of them may be wrong.
    let listed = cx.block_of(block).and_then(|b| b.successors).map_or(0, |s| s.of(&cx.f.successors).len());
    let is_replaced = ways.is_some_and(|ways| listed >= ways);
    // An empty list is written on purpose: what is wrong may be the end of the block.
    let is_empty = listed == 0;
    let has_weights =
        || place().is_some_and(|(at, _)| cx.text.get(..usize::from(at)).is_some_and(|t| t.ends_with(')')));
    let title = format!("Add `{text}` to the successors");
    match place() {
        // Of listed probabilities the new one cannot be known.
        Some((at, separator)) if is_empty || is_replaced || has_weights() => {
            d.guess(title, TextRange::empty(at), format!("{separator} {text}"))
        }
        Some((at, separator)) => d.fix(title, TextRange::empty(at), format!("{separator} {text}")),
        None => d,
    }
}

/// Adds the fix that removes a block from the successors of a block.
fn remove_successor(
    cx: &RuleContext<'_>,
    block: u32,
    range: TextRange,
    text: &str,
    d: Diagnostic,
) -> Diagnostic {
    let list = cx.block_of(block).and_then(|b| b.successors).map(|s| s.of(&cx.f.successors));
    let list = list.unwrap_or_default();
    let Some(place) = list.iter().position(|s| s.range == range) else { return d };
    let before = place.checked_sub(1).and_then(|p| list.get(p));
    let range = match (list.get(place + 1), before) {
        (Some(next), _) => TextRange::new(range.start(), next.range.start()),
        (None, Some(before)) => TextRange::new(before.range.end(), range.end()),
        (None, None) => range,
    };
    d.guess(format!("Remove `{text}` from the successors"), range, "")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn successors() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                successors: %bb.1
            ;               ^^^^^ error[successor-mismatch]: successor `%bb.1` is neither a branch target nor the fall-through block
            ;                   = guess:     successors: 
                S_BRANCH %bb.2
            ;            ^^^^^ error[successor-mismatch]: branch target `%bb.2` is not a successor of this block
            ;                = guess:     successors: %bb.1, %bb.2
              bb.1:
                S_ENDPGM 0
              bb.2:
                S_ENDPGM 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                successors: %bb.1
            ;               ^^^^^ error[undefined-machine-block]: use of undefined block `%bb.1`
                S_NOP 0
            ...
        "#]]);
    }

    #[test]
    fn an_empty_list_may_be_meant() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                successors:
                S_BRANCH %bb.1
            ;            ^^^^^ error[successor-mismatch]: branch target `%bb.1` is not a successor of this block
            ;                = guess:     successors: %bb.1
              bb.1:
                S_ENDPGM 0
            ...
        "#]]);
    }

    #[test]
    fn a_branch_to_the_number_zero_falls_through() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_BRANCH 0
            ;   ^^^^^^^^ error[bad-block-end]: the block falls through, but its last instruction is a barrier
              bb.1:
                S_ENDPGM 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_BRANCH 8
            ...
        "#]]);
    }

    #[test]
    fn landing_pads() {
        let with = |personality: &str| {
            let text = format!(
                "--- |\n  target triple = \"x86_64-pc-windows-msvc\"\n  declare i32 @{personality}(...)\n  define void @f() personality ptr @{personality} {{ unreachable }}\n...\n---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2, %bb.3\n    EH_LABEL <mcsymbol .Ltmp0>\n    JMP_1 %bb.1\n  bb.1:\n    RET64\n  bb.2 (landing-pad):\n    RET64\n  bb.3 (landing-pad):\n    RET64\n...\n"
            );
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        expect![""].assert_eq(&with("__CxxFrameHandler3"));
        expect![[r#"
            error[successor-mismatch] 9:3 `bb.0`: a block must not have more than one landing pad successor
        "#]]
        .assert_eq(&with("__gxx_personality_v0"));
    }
}
