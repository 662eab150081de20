//! The branches at the end of a block, as LLVM's `analyzeBranch` understands them.

use wavelens_isa::mir::{Machine, flag, opcode};

use crate::mir::context::{Inst, RuleContext};
use crate::mir::model::*;

/// Where control goes at the end of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exit {
    pub(super) taken: Option<u32>,
    pub(super) otherwise: Option<u32>,
    pub(super) conditional: bool,
}

/// Whether an instruction, or any in the bundle that it heads, has a flag. LLVM asks bundles for any of their parts.
pub(super) fn bundle_is(own: &[&Inst<'_>], inst: &Inst<'_>, flag: u64) -> bool {
    if inst.desc.is(flag) {
        return true;
    }
    if !inst.is(opcode::BUNDLE) {
        return false;
    }
    own.iter().skip_while(|i| i.index <= inst.index).take_while(|i| i.is_bundled()).any(|i| i.desc.is(flag))
}

pub(super) fn target_of(cx: &RuleContext<'_>, inst: &Inst<'_>, index: usize) -> Option<u32> {
    match cx.operand(inst, index)?.kind {
        OperandKind::Block(number, _) => cx.blocks.get(&number).copied(),
        _ => None,
    }
}

/// The branches at the end of a block; `None` if LLVM does not understand them.
pub(super) fn analyze(cx: &RuleContext<'_>, own: &[&Inst<'_>]) -> Option<Exit> {
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
        // LLVM reads the number 0 as no block: it falls through.
        if cx.operand(first, 0)?.immediate() == Some(0) {
            return Some(Exit::default());
        }
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
                    // Pairs of conditions (parity and equality) are not analyzed.
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
