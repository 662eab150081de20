//! Call frames: every path sets up and destroys them in pairs.

use wavelens_isa::mir::{Machine, flag};

use crate::context::{Inst, RuleContext};

wavelens_syntax::rules! {
    CALL_FRAME {
        code: "call-frame-mismatch",
        severity: wavelens_base::Severity::Error,
        title: "a call frame that is set up is destroyed with the same size on every path",
        explain: "Otherwise the stack pointer is wrong after the call.",
        example: r#"---
name: f
body: |
  bb.0:
    ADJCALLSTACKUP 0, 0, implicit-def $scc, implicit-def $sgpr32, implicit $sgpr32
    ADJCALLSTACKUP 0, 0, implicit-def $scc, implicit-def $sgpr32, implicit $sgpr32
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyStackFrame: \"FrameSetup is after another FrameSetup\", \"FrameDestroy is not after a FrameSetup\"",
    }

    ADJUSTS_STACK {
        code: "adjusts-stack",
        severity: wavelens_base::Severity::Error,
        title: "a function that sets up call frames has `adjustsStack: true`",
        explain: "Frame lowering reserves the call frame only if the key is set.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    %0:sreg_32 = S_MOV_B32 1
    ADJCALLSTACKUP 0, 0, implicit-def $scc
    ADJCALLSTACKDOWN 0, 0, implicit-def $scc
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
frameInfo:
  adjustsStack: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    %0:sreg_32 = S_MOV_B32 1
    ADJCALLSTACKUP 0, 0, implicit-def $scc
    ADJCALLSTACKDOWN 0, 0, implicit-def $scc
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineFunctionBefore: \"AdjustsStack not set in presence of a frame pseudo instruction.\"",
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct State {
    entry: (i64, bool),
    exit: (i64, bool),
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let [setup, destroy] = cx.t.facts().call_frame;
    let instructions = std::mem::take(&mut cx.instructions);
    let mut names = [cx.t.opcode_name(setup), cx.t.opcode_name(destroy)];
    // The tables are those of 64-bit processors.
    if cx.machine == Machine::X86 && cx.scope.has_short_pointers {
        names = names.map(|name| name.replace("64", "32"));
    }
    let used = instructions.iter().flatten().any(|i| names.iter().any(|n| n == cx.f.opcode_text(i.source)));
    let sized = cx.f.blocks.iter().any(|b| b.call_frame_size != 0);
    if used || sized {
        walk(cx, &instructions, &names);
    }
    cx.instructions = instructions;
}

fn walk(cx: &mut RuleContext<'_>, instructions: &[Option<Inst<'_>>], names: &[String; 2]) {
    let mut states: Vec<Option<State>> = vec![None; cx.f.blocks.len()];
    let mut stack: Vec<(u32, Option<u32>)> = vec![(0, None)];
    while let Some((block, from)) = stack.pop() {
        if states.get(block as usize).is_none_or(Option::is_some) {
            continue;
        }
        let inherited =
            from.and_then(|f| states.get(f as usize).copied().flatten()).map_or((0, false), |s| s.exit);
        let mut state = State { entry: inherited, exit: inherited };
        let range = cx.block_range(block);
        let left = inherited.0.wrapping_neg();
        if cx.block_of(block).is_some_and(|b| i64::from(b.call_frame_size) != left) {
            cx.report(
                &CALL_FRAME,
                range,
                format!("the block's `call-frame-size` must be {left}, as its predecessor leaves it"),
            );
        }
        let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(instructions));
        for inst in own.iter().flatten().filter(|i| !i.is_bundled()) {
            instruction(cx, inst, names, &mut state);
        }
        let returns =
            own.iter().flatten().rfind(|i| !i.is_bundled()).is_some_and(|i| i.desc.is(flag::RETURN));
        if returns && (state.exit.1 || state.exit.0 != 0) {
            cx.report(&CALL_FRAME, range, "the block returns without destroying its call frame");
        }
        if let Some(slot) = states.get_mut(block as usize) {
            *slot = Some(state);
        }
        for predecessor in cx.cfg.predecessors(block).to_vec() {
            if let Some(other) = states.get(predecessor as usize).copied().flatten()
                && other.exit != state.entry
            {
                let text = cx.block_text(predecessor);
                cx.report(
                    &CALL_FRAME,
                    range,
                    format!(
                        "the call frame at the end of `{text}` differs from that at the start of this block"
                    ),
                );
            }
        }
        for successor in cx.cfg.successors(block).to_vec().into_iter().rev() {
            match states.get(successor as usize).copied().flatten() {
                Some(other) if successor != block && other.entry != state.exit => {
                    let text = cx.block_text(successor);
                    cx.report(
                        &CALL_FRAME,
                        range,
                        format!("the call frame at the start of `{text}` differs from that at the end of this block"),
                    );
                }
                Some(_) => {}
                None => stack.push((successor, Some(block))),
            }
        }
    }
}

/// In bytes, modulo 2^64, as LLVM adds them.
fn size(cx: &RuleContext<'_>, inst: &Inst<'_>, setup: bool) -> i64 {
    let number = |i: usize| cx.operand(inst, i).and_then(|o| o.immediate()).unwrap_or(0);
    // The second number is what was pushed before the frame was set up.
    if setup { number(0).wrapping_add(number(1)) } else { number(0) }
}

fn instruction(cx: &mut RuleContext<'_>, inst: &Inst<'_>, names: &[String; 2], state: &mut State) {
    let name = cx.f.opcode_text(inst.source);
    let setup = name == names[0];
    if !setup && name != names[1] {
        return;
    }
    let at = inst.source.opcode_range;
    if !cx.is_ssa && !cx.f.properties.adjusts_stack {
        cx.report(
            &ADJUSTS_STACK,
            at,
            "missing `adjustsStack: true` in `frameInfo` of a function that sets up call frames",
        );
    }
    let size = size(cx, inst, setup);
    if setup {
        if state.exit.1 {
            cx.report(&CALL_FRAME, at, "call frame setup inside another call frame");
        }
        state.exit = (state.exit.0.wrapping_sub(size), true);
        return;
    }
    if !state.exit.1 {
        cx.report(&CALL_FRAME, at, "call frame destroy without a call frame setup");
    } else if state.exit.0.wrapping_abs() != size {
        cx.report(
            &CALL_FRAME,
            at,
            format!(
                "call frame destroy of {size} bytes for a setup of {} bytes",
                state.exit.0.wrapping_abs()
            ),
        );
    }
    state.exit = (state.exit.0.wrapping_add(size), false);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn call_frames() {
        marks(expect![[r#"
            ---
            name: f
            frameInfo:
              adjustsStack: true
            body: |
              bb.0:
                ADJCALLSTACKDOWN 0, 16, implicit-def $scc
            ;   ^^^^^^^^^^^^^^^^ error[call-frame-mismatch]: call frame destroy without a call frame setup
                S_ENDPGM 0
            ...
        "#]]);
    }

    #[test]
    fn processors_with_short_pointers_have_their_own_call_frames() {
        let findings = |triple: &str, bits: u32| {
            let pointer = if bits == 32 { "$esp" } else { "$rsp" };
            let frame = format!(
                "ADJCALLSTACKDOWN{bits} 0, 0, 0, implicit-def dead {pointer}, implicit-def dead $eflags, implicit-def dead $ssp, \
                 implicit {pointer}, implicit $ssp"
            );
            let text = format!(
                "# RUN: llc -mtriple={triple} %s\n---\nname: f\nbody: |\n  bb.0:\n    %0:gr32 = MOV32ri 1\n    %0 = MOV32ri 1\n    {frame}\n...\n"
            );
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        for (triple, bits) in [("i386-linux", 32), ("x86_64-linux", 64)] {
            assert!(findings(triple, bits).contains("adjusts-stack"), "{}", findings(triple, bits));
        }
        assert!(!findings("i386-linux", 64).contains("adjusts-stack"));
    }

    #[test]
    fn sizes_of_call_frames_are_added_modulo_two_to_the_64() {
        let end = i64::MAX;
        expect![[r#"
            error[call-frame-mismatch] 9:3 `bb.1`: the block's `call-frame-size` must be -2, as its predecessor leaves it
            error[call-frame-mismatch] 10:5 `ADJCALLSTACKDOWN`: call frame destroy of -9223372036854775808 bytes for a setup of 2 bytes
            error[call-frame-mismatch] 13:3 `bb.2`: the block's `call-frame-size` must be -2, as its predecessor leaves it
        "#]].assert_eq(&findings(
            "frameInfo:\n  adjustsStack: true\n",
            &format!(
                "  bb.0:\n    ADJCALLSTACKUP {end}, {end}, implicit-def $scc\n    S_BRANCH %bb.1\n  bb.1:\n    \
                 ADJCALLSTACKDOWN -9223372036854775808, 16, implicit-def $scc\n    ADJCALLSTACKUP {end}, 1, implicit-def $scc\n    \
                 S_BRANCH %bb.2\n  bb.2:\n    S_ENDPGM 0\n"
            ),
        ));
    }
}
