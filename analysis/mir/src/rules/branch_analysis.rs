//! The branches at the end of a block, as LLVM's `analyzeBranch` understands them.

use wavelens_isa::mir::{Machine, flag, opcode};

use crate::context::{Inst, RuleContext};
use crate::model::*;

/// Where control goes at the end of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exit {
    pub(super) taken: Option<u32>,
    pub(super) otherwise: Option<u32>,
    pub(super) conditional: bool,
}

impl Exit {
    /// How many blocks come next.
    pub(super) fn ways(self) -> usize {
        let falls_through = self.taken.is_none() || self.conditional && self.otherwise.is_none();
        [self.taken, self.otherwise].into_iter().flatten().count() + usize::from(falls_through)
    }
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
        Machine::M68k | Machine::Nvptx => None,
        _ => regular(cx, own, &heads),
    }
}

/// What a machine's `analyzeBranch` takes a terminator for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Branch {
    Always,
    Conditional,
    /// LLVM gives up.
    Other,
}

/// The ends that the `analyzeBranch` of every other machine understands: nothing, one branch, or a conditional one and one that is
/// always taken. What some understand besides is left out.
fn regular(cx: &RuleContext<'_>, own: &[&Inst<'_>], heads: &[&Inst<'_>]) -> Option<Exit> {
    let has_labels = || heads.iter().any(|i| i.is(opcode::EH_LABEL));
    let is_structured = || {
        cx.f.properties
            .target_values
            .iter()
            .any(|(key, value)| key == "isCFGStackified" && value.text != "false")
    };
    match cx.machine {
        Machine::Hexagon if has_labels() => return None,
        Machine::Wasm if is_structured() => return None,
        _ => {}
    }
    let end = heads.iter().rposition(|i| !i.is_debug()).map_or(0, |last| last + 1);
    let start = heads[..end].iter().rposition(|i| !i.is_terminator()).map_or(0, |last| last + 1);
    let is_clear = !own.iter().any(|i| i.is_bundled()) && !heads[..start].iter().any(|i| i.is_terminator());
    let branch = |inst: &Inst<'_>| Some((kind_of(cx, inst), block_of(cx, inst)?));
    match heads[start..end] {
        _ if !is_clear => None,
        [] => Some(Exit::default()),
        [last] => match branch(last)? {
            (Branch::Always, target) => Some(Exit { taken: Some(target), ..Exit::default() }),
            (Branch::Conditional, target) => {
                Some(Exit { taken: Some(target), otherwise: None, conditional: true })
            }
            (Branch::Other, _) => None,
        },
        [first, last] => match (branch(first)?, branch(last)?) {
            ((Branch::Conditional, target), (Branch::Always, other)) => {
                Some(Exit { taken: Some(target), otherwise: Some(other), conditional: true })
            }
            _ => None,
        },
        _ => None,
    }
}

/// The only block among the operands.
fn block_of(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Option<u32> {
    let mut blocks = (0..inst.order.len()).filter_map(|index| target_of(cx, inst, index));
    blocks.next().filter(|_| blocks.next().is_none())
}

fn kind_of(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Branch {
    let name = cx.f.opcode_text(inst.source);
    let among = |always: &[&str], conditional: &[&str]| match name {
        _ if always.contains(&name) => Branch::Always,
        _ if conditional.contains(&name) => Branch::Conditional,
        _ => Branch::Other,
    };
    let immediate = |index| cx.operand(inst, index).and_then(|o| o.immediate());
    match cx.machine {
        Machine::Riscv32 | Machine::Riscv64 if inst.desc.is(flag::PRE_ISEL) => Branch::Other,
        Machine::Riscv32 | Machine::Riscv64 | Machine::Loongarch64 => by_flags(inst),
        Machine::Mips if MIPS.contains(&name) => by_flags(inst),
        Machine::Powerpc => among(&["B"], &["BCC", "BC", "BCn", "BDNZ", "BDNZ8", "BDZ", "BDZ8"]),
        Machine::Wasm => among(&["BR"], &["BR_IF", "BR_UNLESS"]),
        Machine::Avr => {
            among(&["RJMPk"], &["BREQk", "BRNEk", "BRSHk", "BRLOk", "BRMIk", "BRPLk", "BRGEk", "BRLTk"])
        }
        // Both know each of these as unconditional too: by a mask, or by a predicate.
        Machine::Systemz if immediate(1) != Some(15) => among(&["J", "JG"], &["BRC", "BRCL"]),
        Machine::Arm if matches!(immediate(1), None | Some(14)) => {
            among(&["B", "tB", "t2B"], &["Bcc", "tBcc", "t2Bcc"])
        }
        Machine::Arm => among(&[], &["Bcc", "tBcc", "t2Bcc"]),
        Machine::Hexagon => among(
            &["J2_jump"],
            &[
                "J2_jumpt",
                "J2_jumptpt",
                "J2_jumptnew",
                "J2_jumptnewpt",
                "J2_jumpf",
                "J2_jumpfpt",
                "J2_jumpfnew",
                "J2_jumpfnewpt",
                "ENDLOOP0",
                "ENDLOOP1",
            ],
        ),
        _ => Branch::Other,
    }
}

fn by_flags(inst: &Inst<'_>) -> Branch {
    match (inst.desc.is(flag::BRANCH), inst.desc.is(flag::INDIRECT_BRANCH), inst.desc.is(flag::BARRIER)) {
        (true, false, true) => Branch::Always,
        (true, false, false) => Branch::Conditional,
        _ => Branch::Other,
    }
}

/// `MipsSEInstrInfo::getAnalyzableBrOpc`.
const MIPS: &[&str] = &[
    "B",
    "B_MM",
    "BC",
    "BC_MMR6",
    "J",
    "J_MM",
    "BEQ",
    "BEQ64",
    "BEQ_MM",
    "BNE",
    "BNE64",
    "BNE_MM",
    "BGTZ",
    "BGTZ64",
    "BGEZ",
    "BGEZ64",
    "BLTZ",
    "BLTZ64",
    "BLEZ",
    "BLEZ64",
    "BC1T",
    "BC1F",
    "BEQZC_MM",
    "BNEZC_MM",
    "BEQC",
    "BNEC",
    "BLTC",
    "BGEC",
    "BLTUC",
    "BGEUC",
    "BGTZC",
    "BLEZC",
    "BGEZC",
    "BLTZC",
    "BEQZC",
    "BNEZC",
    "BEQC64",
    "BNEC64",
    "BGEC64",
    "BGEUC64",
    "BLTC64",
    "BLTUC64",
    "BGTZC64",
    "BGEZC64",
    "BLTZC64",
    "BLEZC64",
    "BEQZC64",
    "BNEZC64",
    "BBIT0",
    "BBIT1",
    "BBIT032",
    "BBIT132",
    "BEQC_MMR6",
    "BNEC_MMR6",
    "BLTC_MMR6",
    "BGEC_MMR6",
    "BLTUC_MMR6",
    "BGEUC_MMR6",
    "BGTZC_MMR6",
    "BLEZC_MMR6",
    "BGEZC_MMR6",
    "BLTZC_MMR6",
    "BEQZC_MMR6",
    "BNEZC_MMR6",
];

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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    /// What is found in a block with these instructions, whose successor is only the block after next, for the machine of a triple.
    fn ends(triple: &str, instructions: &str) -> String {
        let ir = format!("--- |\n  target triple = \"{triple}\"\n  define void @f() {{ ret void }}\n...\n");
        let body: String = instructions.split("; ").map(|line| format!("    {line}\n")).collect();
        let blocks = format!("  bb.0:\n    successors: %bb.2\n{body}  bb.1:\n  bb.2:\n");
        let text = format!("{ir}---\nname: f\nbody: |\n{blocks}...\n");
        let findings = wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text);
        findings.lines().filter(|line| line.starts_with("error")).map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn branches_of_each_machine() {
        let cases = [
            ("riscv64", "PseudoBR %bb.1"),
            ("riscv64", "BEQ $x10, $x11, %bb.2"),
            ("riscv64", "BEQ $x10, $x11, %bb.1; PseudoBR %bb.2"),
            ("riscv64", "G_BR %bb.1"),
            ("loongarch64", "BEQ $r4, $r5, %bb.1; PseudoBR %bb.2"),
            ("mips", "BEQ $a0, $a1, %bb.1, implicit-def $at; B %bb.2, implicit-def $at"),
            ("mips", "PseudoIndirectBranch $a0"),
            ("powerpc64le", "BCC 76, $cr0, %bb.1; B %bb.2"),
            ("wasm32", "BR %bb.1, implicit-def $arguments"),
            ("wasm32", "BR_IF %bb.1, $noreg, implicit-def $arguments; BR %bb.2, implicit-def $arguments"),
            ("avr", "BREQk %bb.1, implicit $sreg; RJMPk %bb.2"),
            ("s390x", "BRC 14, 8, %bb.1, implicit $cc; J %bb.2"),
            ("s390x", "BRC 15, 15, %bb.1, implicit $cc; J %bb.2"),
            ("armv7", "Bcc %bb.1, 0, $cpsr; B %bb.2"),
            ("thumbv7m", "t2B %bb.1, 14, $noreg"),
            ("thumbv7m", "t2B %bb.1, 0, $cpsr"),
            ("hexagon", "J2_jumpf $p1, %bb.1, implicit-def $pc; J2_jump %bb.2, implicit-def $pc"),
            ("hexagon", "EH_LABEL <mcsymbol .Ltmp0>; J2_jump %bb.1, implicit-def $pc"),
        ];
        let all: String =
            cases.map(|(triple, text)| format!("{triple}: {text}\n{}", ends(triple, text))).concat();
        expect![[r#"
            riscv64: PseudoBR %bb.1
            error[successor-mismatch] 9:17 `%bb.2`: successor `%bb.2` is neither a branch target nor the fall-through block
            error[successor-mismatch] 10:14 `%bb.1`: branch target `%bb.1` is not a successor of this block
            riscv64: BEQ $x10, $x11, %bb.2
            error[successor-mismatch] 10:5 `BEQ`: the block falls through to `%bb.1`, which is not a successor of it
            riscv64: BEQ $x10, $x11, %bb.1; PseudoBR %bb.2
            error[successor-mismatch] 10:21 `%bb.1`: branch target `%bb.1` is not a successor of this block
            riscv64: G_BR %bb.1
            loongarch64: BEQ $r4, $r5, %bb.1; PseudoBR %bb.2
            error[successor-mismatch] 10:19 `%bb.1`: branch target `%bb.1` is not a successor of this block
            mips: BEQ $a0, $a1, %bb.1, implicit-def $at; B %bb.2, implicit-def $at
            error[successor-mismatch] 10:19 `%bb.1`: branch target `%bb.1` is not a successor of this block
            mips: PseudoIndirectBranch $a0
            powerpc64le: BCC 76, $cr0, %bb.1; B %bb.2
            error[successor-mismatch] 10:19 `%bb.1`: branch target `%bb.1` is not a successor of this block
            wasm32: BR %bb.1, implicit-def $arguments
            error[successor-mismatch] 9:17 `%bb.2`: successor `%bb.2` is neither a branch target nor the fall-through block
            error[successor-mismatch] 10:8 `%bb.1`: branch target `%bb.1` is not a successor of this block
            wasm32: BR_IF %bb.1, $noreg, implicit-def $arguments; BR %bb.2, implicit-def $arguments
            error[successor-mismatch] 10:11 `%bb.1`: branch target `%bb.1` is not a successor of this block
            avr: BREQk %bb.1, implicit $sreg; RJMPk %bb.2
            error[successor-mismatch] 10:11 `%bb.1`: branch target `%bb.1` is not a successor of this block
            s390x: BRC 14, 8, %bb.1, implicit $cc; J %bb.2
            error[successor-mismatch] 10:16 `%bb.1`: branch target `%bb.1` is not a successor of this block
            s390x: BRC 15, 15, %bb.1, implicit $cc; J %bb.2
            armv7: Bcc %bb.1, 0, $cpsr; B %bb.2
            error[successor-mismatch] 10:9 `%bb.1`: branch target `%bb.1` is not a successor of this block
            thumbv7m: t2B %bb.1, 14, $noreg
            error[successor-mismatch] 9:17 `%bb.2`: successor `%bb.2` is neither a branch target nor the fall-through block
            error[successor-mismatch] 10:9 `%bb.1`: branch target `%bb.1` is not a successor of this block
            thumbv7m: t2B %bb.1, 0, $cpsr
            hexagon: J2_jumpf $p1, %bb.1, implicit-def $pc; J2_jump %bb.2, implicit-def $pc
            error[successor-mismatch] 10:19 `%bb.1`: branch target `%bb.1` is not a successor of this block
            hexagon: EH_LABEL <mcsymbol .Ltmp0>; J2_jump %bb.1, implicit-def $pc
        "#]].assert_eq(&all);
    }
}
