//! Blocks: successors against branches, terminators at the end, PHIs at the start.

use rustc_hash::FxHashSet;
use wavelens_isa::mir::{Machine, Register, flag, opcode};

use super::reserved::is_reserved;
use crate::Diagnostic;
use crate::mir::context::{Inst, RuleContext};
use crate::mir::model::*;

wavelens_syntax::rules! {
    DUPLICATE_EDGE {
        code: "duplicate-successor",
        severity: crate::Severity::Error,
        title: "a successor is listed once",
        explain: "Analyses count edges; a second edge to the same block distorts probabilities.",
        example: r#"---
name: f
body: |
  bb.0:
    successors: %bb.1, %bb.1

    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    successors: %bb.1

    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineBasicBlockBefore: \"MBB has duplicate entries in its successor list.\"",
    }

    SUCCESSOR_MISMATCH {
        code: "successor-mismatch",
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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

    AFTER_TERMINATOR {
        code: "instruction-after-terminator",
        severity: crate::Severity::Error,
        title: "only terminators and debug instructions follow the first terminator",
        explain: "Passes insert code before the first terminator and assume that nothing else follows.",
        example: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
    S_NOP 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Non-terminator instruction after the first terminator\"",
    }

    LATE_PHI {
        code: "phi-position",
        severity: crate::Severity::Error,
        title: "PHIs precede all other instructions of a block",
        explain: "PHIs take effect on the edges into the block. A function with `noPhis: true` must not contain PHIs.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    S_NOP 0
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Found PHI instruction after non-PHI\", \"Found PHI instruction with NoPHIs property set\"",
    }

    LIVE_IN_BLOCK {
        code: "bad-live-in",
        severity: crate::Severity::Error,
        title: "in SSA form only the entry block and landing pads have allocatable live-ins",
        explain: "Before PHI elimination physical registers are live only around calls and at the entry. `$noreg` is never live.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    liveins: $vgpr0

    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineBasicBlockBefore: \"MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target.\"",
    }

    ADDRESS_TAKEN {
        code: "block-address-not-taken",
        severity: crate::Severity::Error,
        title: "`ir-block-address-taken` names a block whose address a `blockaddress` takes",
        explain: "Otherwise the attribute only blocks optimizations.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0.entry (ir-block-address-taken %ir-block.entry):
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0.entry:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineBasicBlockBefore: \"ir-block-address-taken is associated with basic block not used by a blockaddress.\"",
    }
}

/// What the branches at a block's end do.
#[derive(Debug, Clone, Copy, Default)]
struct Exit {
    taken: Option<u32>,
    otherwise: Option<u32>,
    conditional: bool,
}

pub(super) fn check(cx: &mut RuleContext<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    for block in 0..cx.f.blocks.len() as u32 {
        let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(&instructions));
        let own: Vec<&Inst<'_>> = own.iter().flatten().collect();
        edges(cx, block);
        live_ins(cx, block);
        order(cx, &own);
        asm_targets(cx, block, &own);
        exits(cx, block, &own);
    }
    cx.instructions = instructions;
}

fn edges(cx: &mut RuleContext<'_>, block: u32) {
    let successors = cx.cfg.successors(block).to_vec();
    let mut seen = FxHashSet::default();
    for target in &successors {
        if !seen.insert(*target) {
            let range = successor_range(cx, block, *target);
            let text = cx.block_text(*target);
            cx.report(&DUPLICATE_EDGE, range, format!("duplicate successor `{text}`"));
        }
    }
}

/// Where inline assembly may jump to.
fn asm_targets(cx: &mut RuleContext<'_>, block: u32, own: &[&Inst<'_>]) {
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
                    &text,
                    Diagnostic::new(&SUCCESSOR_MISMATCH, operand.range, message),
                );
                cx.diagnostics.push(d);
            }
        }
    }
}

/// Where a successor is named, the last time; the block's label if nowhere.
fn successor_range(cx: &RuleContext<'_>, block: u32, target: u32) -> crate::TextRange {
    let number = cx.block_of(target).map(|b| b.number);
    cx.block_of(block)
        .and_then(|b| b.successors)
        .and_then(|s| s.of(&cx.f.successors).iter().rfind(|s| Some(s.block) == number))
        .map_or_else(|| cx.block_range(block), |s| s.range)
}

fn live_ins(cx: &mut RuleContext<'_>, block: u32) {
    let Some(source) = cx.block_of(block) else { return };
    let no_phis = cx.f.properties.no_phis.unwrap_or(!cx.has_phis);
    if cx.f.properties.tracks_liveness {
        for live_in in source.live_ins.of(&cx.f.block_live_ins) {
            if cx.known_register(live_in.register) == Some(Register::NONE) {
                cx.report(&LIVE_IN_BLOCK, live_in.range, "`$noreg` must not be a live-in");
            }
        }
    }
    if block == 0
        || source.landing_pad
        || source.inline_asm_target
        || no_phis
        || !cx.f.properties.tracks_liveness
    {
        return;
    }
    for live_in in source.live_ins.of(&cx.f.block_live_ins) {
        let Some(register) = cx.known_register(live_in.register) else { continue };
        if cx.t.in_allocatable_class(register) && !is_reserved(cx, register) {
            let name = cx.f.names.get(live_in.register);
            cx.report(
                &LIVE_IN_BLOCK,
                live_in.range,
                format!("allocatable register `${name}` must not be live into this block while the function has PHIs"),
            );
        }
    }
}

fn order(cx: &mut RuleContext<'_>, own: &[&Inst<'_>]) {
    let mut first_terminator: Option<&Inst<'_>> = None;
    let mut non_phi = false;
    let no_phis = cx.f.properties.no_phis == Some(true);
    for inst in own {
        if inst.is_phi() {
            if no_phis {
                cx.report(&LATE_PHI, inst.source.opcode_range, "PHI in a function with `noPhis: true`");
            } else if non_phi {
                cx.report(&LATE_PHI, inst.source.opcode_range, "PHI follows a non-PHI instruction");
            }
        } else {
            non_phi = true;
        }
        if inst.is_bundled() {
            continue;
        }
        if bundle_is(own, inst, flag::TERMINATOR) {
            first_terminator.get_or_insert(inst);
        } else if let Some(first) = first_terminator
            && !first.is(opcode::G_INVOKE_REGION_START)
        {
            let name = cx.f.opcode_text(inst.source);
            let message = format!("`{name}` follows a terminator");
            let d = Diagnostic::new(&AFTER_TERMINATOR, inst.source.opcode_range, message);
            let place = crate::Place::Here(first.source.opcode_range);
            cx.diagnostics.push(d.related(place, "first terminator is here"));
        }
    }
}

/// Whether an instruction, or any in the bundle that it heads, has a flag. LLVM asks bundles for any of their parts.
fn bundle_is(own: &[&Inst<'_>], inst: &Inst<'_>, flag: u64) -> bool {
    if inst.desc.is(flag) {
        return true;
    }
    if !inst.is(opcode::BUNDLE) {
        return false;
    }
    own.iter().skip_while(|i| i.index <= inst.index).take_while(|i| i.is_bundled()).any(|i| i.desc.is(flag))
}

fn target_of(cx: &RuleContext<'_>, inst: &Inst<'_>, index: usize) -> Option<u32> {
    match cx.operand(inst, index)?.kind {
        OperandKind::Block(number, _) => cx.blocks.get(&number).copied(),
        _ => None,
    }
}

/// What LLVM's `analyzeBranch` makes of a block's end; `None` where it gives up.
fn analyze(cx: &RuleContext<'_>, own: &[&Inst<'_>]) -> Option<Exit> {
    let heads: Vec<&Inst<'_>> = own.iter().copied().filter(|i| !i.is_bundled()).collect();
    match cx.machine {
        Machine::Amdgpu => amdgpu(cx, &heads),
        Machine::X86 => x86(cx, &heads),
        Machine::Aarch64 => aarch64(cx, &heads),
        _ => None,
    }
}

fn amdgpu(cx: &RuleContext<'_>, heads: &[&Inst<'_>]) -> Option<Exit> {
    let tail = heads.iter().rposition(|i| !i.is_terminator() && !i.is_debug()).map_or(0, |p| p + 1);
    let mut rest = heads.get(tail..)?.iter().skip_while(|i| !i.is_terminator());
    let name = |i: &Inst<'_>| cx.f.opcode_text(i.source);
    let first = loop {
        let Some(inst) = rest.next() else { return Some(Exit::default()) };
        if inst.desc.is(flag::BRANCH) || inst.desc.is(flag::RETURN) {
            break inst;
        }
        if !name(inst).ends_with("_term") {
            return None;
        }
    };
    if name(first) == "S_BRANCH" {
        return Some(Exit { taken: Some(target_of(cx, first, 0)?), ..Exit::default() });
    }
    if !matches!(
        name(first),
        "S_CBRANCH_SCC0"
            | "S_CBRANCH_SCC1"
            | "S_CBRANCH_VCCZ"
            | "S_CBRANCH_VCCNZ"
            | "S_CBRANCH_EXECZ"
            | "S_CBRANCH_EXECNZ"
    ) {
        return None;
    }
    let taken = Some(target_of(cx, first, 0)?);
    match rest.next() {
        None => Some(Exit { taken, otherwise: None, conditional: true }),
        Some(next) if name(next) == "S_BRANCH" => {
            Some(Exit { taken, otherwise: Some(target_of(cx, next, 0)?), conditional: true })
        }
        Some(_) => None,
    }
}

fn x86(cx: &RuleContext<'_>, heads: &[&Inst<'_>]) -> Option<Exit> {
    let mut exit = Exit::default();
    let mut code = None;
    for inst in heads.iter().rev().filter(|i| !i.is_debug()) {
        if !inst.is_terminator() {
            break;
        }
        if !inst.desc.is(flag::BRANCH) {
            return None;
        }
        match cx.f.opcode_text(inst.source) {
            "JMP_1" => {
                exit = Exit { taken: Some(target_of(cx, inst, 0)?), ..Exit::default() };
                code = None;
            }
            "JCC_1" => {
                let target = target_of(cx, inst, 0)?;
                let condition = cx.operand(inst, 1)?.immediate()?;
                if cx.operands(inst).any(|o| o.is_implicit() && o.has(operand_flag::UNDEF)) {
                    return None;
                }
                match code {
                    None => {
                        exit = Exit { taken: Some(target), otherwise: exit.taken, conditional: true };
                        code = Some(condition);
                    }
                    Some(old) if old == condition && exit.taken == Some(target) => {}
                    // Pairs of conditions (parity and equality) are more than this needs to know.
                    Some(_) => return None,
                }
            }
            _ => return None,
        }
    }
    Some(exit)
}

fn aarch64(cx: &RuleContext<'_>, heads: &[&Inst<'_>]) -> Option<Exit> {
    let mut tail = heads.iter().rev().filter(|i| !i.is_debug()).peekable();
    tail.next_if(|i| cx.f.opcode_text(i.source).starts_with("SpeculationBarrier"));
    let Some(last) = tail.next().filter(|i| i.is_terminator()) else { return Some(Exit::default()) };
    let name = |i: &Inst<'_>| cx.f.opcode_text(i.source).to_owned();
    let conditional = |i: &Inst<'_>| -> Option<u32> {
        match name(i).as_str() {
            "Bcc" => target_of(cx, i, 1),
            "CBZW" | "CBZX" | "CBNZW" | "CBNZX" => target_of(cx, i, 1),
            "TBZW" | "TBZX" | "TBNZW" | "TBNZX" => target_of(cx, i, 2),
            _ => None,
        }
    };
    let before = tail.next().filter(|i| i.is_terminator());
    let Some(before) = before else {
        if name(last) == "B" {
            return Some(Exit { taken: Some(target_of(cx, last, 0)?), ..Exit::default() });
        }
        return Some(Exit { taken: Some(conditional(last)?), otherwise: None, conditional: true });
    };
    if tail.next().is_some_and(|i| i.is_terminator()) || name(last) != "B" {
        return None;
    }
    if name(before) == "B" {
        return Some(Exit { taken: Some(target_of(cx, before, 0)?), ..Exit::default() });
    }
    Some(Exit {
        taken: Some(conditional(before)?),
        otherwise: Some(target_of(cx, last, 0)?),
        conditional: true,
    })
}

/// The fix that writes a block into a block's list of successors.
fn add_successor(cx: &RuleContext<'_>, block: u32, text: &str, d: Diagnostic) -> Diagnostic {
    const KEY: &str = "successors:";
    let place = || {
        let own = cx.block_of(block)?;
        if let Some(last) = own.successors?.of(&cx.f.successors).last() {
            return Some((last.range.end(), ","));
        }
        let label = own.range.end();
        let at = cx.text.get(usize::from(label)..)?.find(KEY)? + KEY.len();
        Some((label + crate::TextSize::new(at as u32), ""))
    };
    match place() {
        Some((at, separator)) => d.fix(
            format!("Add `{text}` to the successors"),
            crate::TextRange::empty(at),
            format!("{separator} {text}"),
        ),
        None => d,
    }
}

/// The fix that takes a block out of a block's list of successors.
fn remove_successor(
    cx: &RuleContext<'_>,
    block: u32,
    range: crate::TextRange,
    text: &str,
    d: Diagnostic,
) -> Diagnostic {
    let list = cx.block_of(block).and_then(|b| b.successors).map(|s| s.of(&cx.f.successors));
    let list = list.unwrap_or_default();
    let Some(place) = list.iter().position(|s| s.range == range) else { return d };
    let before = place.checked_sub(1).and_then(|p| list.get(p));
    let range = match (list.get(place + 1), before) {
        (Some(next), _) => crate::TextRange::new(range.start(), next.range.start()),
        (None, Some(before)) => crate::TextRange::new(before.range.end(), range.end()),
        (None, None) => range,
    };
    d.guess(format!("Remove `{text}` from the successors"), range, "")
}

fn exits(cx: &mut RuleContext<'_>, block: u32, own: &[&Inst<'_>]) {
    let pads =
        cx.cfg.successors(block).iter().filter(|s| cx.block_of(**s).is_some_and(|b| b.landing_pad)).count();
    if pads > 1 && !cx.ir.is_some_and(|ir| ir.has_scoped_unwinding) {
        let range = cx.block_range(block);
        cx.report(&SUCCESSOR_MISMATCH, range, "a block must not have more than one landing pad successor");
    }
    if let Some(source) = cx.block_of(block)
        && cx.scope.has_ir
        && !cx.scope.takes_block_addresses
    {
        let text = cx.text.get(std::ops::Range::<usize>::from(source.range).end..).unwrap_or("");
        let header = text.lines().next().unwrap_or("");
        let is_block_address = |o: &Operand| matches!(o.kind, OperandKind::BlockAddress(..));
        if header.contains("ir-block-address-taken") && !cx.f.operands.iter().any(is_block_address) {
            cx.report(&ADDRESS_TAKEN, source.range, "no `blockaddress` takes the address of this IR block");
        }
    }
    let Some(exit) = analyze(cx, own) else { return };
    let range = cx.block_range(block);
    let last = own.iter().rfind(|i| !i.is_bundled()).copied();
    let barrier = last.is_some_and(|i| bundle_is(own, i, flag::BARRIER));
    let terminator = last.is_some_and(|i| bundle_is(own, i, flag::TERMINATOR));
    let at = last.map_or(range, |i| i.source.opcode_range);
    match exit {
        Exit { taken: None, .. } if barrier => {
            cx.report(&BLOCK_END, at, "the block falls through, but its last instruction is a barrier");
        }
        Exit { taken: Some(_), otherwise: None, conditional: true } if barrier || !terminator => {
            cx.report(
                &BLOCK_END,
                at,
                "the block ends in a conditional branch and falls through, but its last instruction is not the branch",
            );
        }
        Exit { taken: Some(_), otherwise: None, conditional: false } | Exit { otherwise: Some(_), .. }
            if !barrier || !terminator =>
        {
            cx.report(
                &BLOCK_END,
                at,
                "the block ends in an unconditional branch, but its last instruction is not a barrier",
            );
        }
        _ => {}
    }
    let successors = cx.cfg.successors(block).to_vec();
    for target in [exit.taken, exit.otherwise].into_iter().flatten() {
        if !successors.contains(&target) {
            let text = cx.block_text(target);
            let branch = own
                .iter()
                .filter(|i| i.is_terminator())
                .find_map(|i| {
                    let index = (0..i.order.len()).find(|n| target_of(cx, i, *n) == Some(target))?;
                    Some(cx.operand(i, index)?.range)
                })
                .unwrap_or(at);
            let mut d = Diagnostic::new(
                &SUCCESSOR_MISMATCH,
                branch,
                format!("branch target `{text}` is not a successor of this block"),
            );
            d = add_successor(cx, block, &text, d);
            cx.diagnostics.push(d);
        }
    }
    let falls = exit.taken.is_none() || (exit.conditional && exit.otherwise.is_none());
    let next = (block + 1 < cx.f.blocks.len() as u32).then_some(block + 1);
    if exit.conditional && exit.otherwise.is_none() {
        match next {
            None => cx.report(
                &SUCCESSOR_MISMATCH,
                at,
                "the last block of the function has no terminator and falls through",
            ),
            Some(next) if !successors.contains(&next) => {
                let text = cx.block_text(next);
                let message = format!("the block falls through to `{text}`, which is not a successor of it");
                let d = add_successor(cx, block, &text, Diagnostic::new(&SUCCESSOR_MISMATCH, at, message));
                cx.diagnostics.push(d);
            }
            Some(_) => {}
        }
    }
    for successor in successors {
        let expected = exit.taken == Some(successor)
            || exit.otherwise == Some(successor)
            || (falls && next == Some(successor))
            || cx.block_of(successor).is_some_and(|b| b.landing_pad || b.inline_asm_target);
        if !expected {
            let text = cx.block_text(successor);
            let range = successor_range(cx, block, successor);
            let message = format!("successor `{text}` is neither a branch target nor the fall-through block");
            let d = Diagnostic::new(&SUCCESSOR_MISMATCH, range, message);
            let d = remove_successor(cx, block, range, &text, d);
            cx.diagnostics.push(d);
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn successors() {
        expect![[r#"
            error[successor-mismatch] 5:17 `%bb.1`: successor `%bb.1` is neither a branch target nor the fall-through block
              fix: Remove `%bb.1` from the successors
              |     successors: 
            error[successor-mismatch] 6:14 `%bb.2`: branch target `%bb.2` is not a successor of this block
              fix: Add `%bb.2` to the successors
              |     successors: %bb.1, %bb.2
        "#]].assert_eq(&findings("", "  bb.0:\n    successors: %bb.1\n    S_BRANCH %bb.2\n  bb.1:\n    S_ENDPGM 0\n  bb.2:\n    S_ENDPGM 0\n"));
        expect![[r#"
            error[undefined-machine-block] 5:17 `%bb.1`: use of undefined block `%bb.1`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    successors: %bb.1\n    S_NOP 0\n"));
    }

    #[test]
    fn order() {
        expect![[r#"
            error[instruction-after-terminator] 6:5 `S_NOP`: `S_NOP` follows a terminator
              5:5 `S_ENDPGM`: first terminator is here
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_ENDPGM 0\n    S_NOP 0\n"));
        expect![[r#"
            error[phi-position] 8:18 `PHI`: PHI follows a non-PHI instruction
        "#]].assert_eq(&findings("", "  bb.0:\n    successors: %bb.1\n  bb.1:\n    S_NOP 0\n    %0:sgpr_32 = PHI undef %1:sgpr_32, %bb.0\n    S_ENDPGM 0\n"));
        expect![[r#"
            error[bad-live-in] 6:14 `$noreg`: `$noreg` must not be a live-in
        "#]]
        .assert_eq(&findings("tracksRegLiveness: true\n", "  bb.0:\n    liveins: $noreg\n    S_ENDPGM 0\n"));
    }

    #[test]
    fn landing_pads() {
        let with = |personality: &str| {
            let text = format!(
                "--- |\n  target triple = \"x86_64-pc-windows-msvc\"\n  declare i32 @{personality}(...)\n  define void @f() personality ptr @{personality} {{ unreachable }}\n...\n---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2, %bb.3\n    EH_LABEL <mcsymbol .Ltmp0>\n    JMP_1 %bb.1\n  bb.1:\n    RET64\n  bb.2 (landing-pad):\n    RET64\n  bb.3 (landing-pad):\n    RET64\n...\n"
            );
            crate::testing::findings(crate::Dialect::Mir, &text)
        };
        expect![""].assert_eq(&with("__CxxFrameHandler3"));
        expect![[r#"
            error[successor-mismatch] 9:3 `bb.0`: a block must not have more than one landing pad successor
        "#]]
        .assert_eq(&with("__gxx_personality_v0"));
    }
}
