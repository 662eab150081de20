//! Headers of blocks: successors, live-ins, attributes.

use rustc_hash::FxHashSet;
use wavelens_isa::mir::Register;

use super::reserved::is_reserved;
use crate::context::RuleContext;
use crate::model::*;
use wavelens_base::TextRange;

wavelens_syntax::rules! {
    DUPLICATE_EDGE {
        code: "duplicate-successor",
        severity: wavelens_base::Severity::Error,
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

    LIVE_IN_BLOCK {
        code: "bad-live-in",
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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

/// Everything in the header of a block.
pub(super) fn check(cx: &mut RuleContext<'_>, block: u32) {
    check_edges(cx, block);
    check_live_ins(cx, block);
    check_address_taken(cx, block);
}

fn check_edges(cx: &mut RuleContext<'_>, block: u32) {
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

/// The last place that names a successor, or the block's label.
pub(super) fn successor_range(cx: &RuleContext<'_>, block: u32, target: u32) -> TextRange {
    let number = cx.block_of(target).map(|b| b.number);
    cx.block_of(block)
        .and_then(|b| b.successors)
        .and_then(|s| s.of(&cx.f.successors).iter().rfind(|s| Some(s.block) == number))
        .map_or_else(|| cx.block_range(block), |s| s.range)
}

fn check_live_ins(cx: &mut RuleContext<'_>, block: u32) {
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

fn check_address_taken(cx: &mut RuleContext<'_>, block: u32) {
    let Some(source) = cx.block_of(block).filter(|_| cx.scope.has_ir && !cx.scope.takes_block_addresses)
    else {
        return;
    };
    let text = cx.text.get(std::ops::Range::<usize>::from(source.range).end..).unwrap_or("");
    let header = text.lines().next().unwrap_or("");
    let is_block_address = |o: &Operand| matches!(o.kind, OperandKind::BlockAddress(..));
    if header.contains("ir-block-address-taken") && !cx.f.operands.iter().any(is_block_address) {
        cx.report(&ADDRESS_TAKEN, source.range, "no `blockaddress` takes the address of this IR block");
    }
}
