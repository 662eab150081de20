//! Numbers in the addresses of x86 and AArch64, which their instructions could not encode (LLVM's `X86InstrInfo` and
//! `AArch64InstrInfo::verifyInstruction`).

use std::ops::RangeInclusive;

use wavelens_isa::mir::{Class, Machine, flag};

use crate::mir::context::{Cx, Inst, Reg};
use crate::mir::model::*;

rule!(
    BAD_ADDRESS,
    "bad-address",
    "The numbers of an address must fit its encoding: on x86 the index register is scaled by 1, 2, 4 or 8 and the displacement has 32 bits; on AArch64 each load and store has its range of offsets, counted in units of the access where the instruction scales them.\n\n```mir\n$x0 = LDRXui $x1, 4096   ; 4095 at most\n```"
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[&BAD_ADDRESS];

pub(super) fn check(cx: &mut Cx<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    match cx.machine {
        Machine::X86 => {
            if let Some(segment) = cx.t.class("segment_reg") {
                instructions.iter().flatten().for_each(|inst| x86(cx, inst, segment));
            }
        }
        Machine::Aarch64 => instructions.iter().flatten().for_each(|inst| aarch64(cx, inst)),
        _ => {}
    }
    cx.instructions = instructions;
}

/// An address is base, scale, index, displacement and segment.
fn x86(cx: &mut Cx<'_>, inst: &Inst<'_>, segment: Class) {
    if inst.desc.is(flag::PSEUDO) {
        return;
    }
    let class = |index: usize| inst.desc.operand(index).and_then(|o| cx.t.operand_class(&o, cx.cpu_rows));
    let count = inst.desc.operand_count();
    let Some(base) = (0..count.saturating_sub(4)).find(|i| class(i + 4) == Some(segment)) else { return };
    let [Some(pointer), Some(scale), Some(index), Some(displacement)] =
        [0, 1, 2, 3].map(|n| cx.operand(inst, base + n))
    else {
        return;
    };
    // A symbol as displacement leaves the rest unlooked at, as a stack object as base does.
    let (Some(_), Some(offset)) = (pointer.register(), displacement.immediate()) else { return };
    let is_scaled = index.register().is_some_and(|r| cx.reg(r) != Reg::None);
    if is_scaled
        && let Some(factor) = scale.immediate()
        && ![1, 2, 4, 8].contains(&factor)
    {
        cx.report(&BAD_ADDRESS, scale.range, format!("an index is scaled by 1, 2, 4 or 8, not {factor}"));
    } else if i32::try_from(offset).is_err() {
        cx.report(
            &BAD_ADDRESS,
            displacement.range,
            format!("a displacement is a signed number of 32 bits, {offset} is none"),
        );
    }
}

fn aarch64(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let name = cx.f.opcode_text(inst.source);
    let Some((index, range)) = offsets(name) else { return };
    let (Some(base), Some(operand)) = (cx.operand(inst, index - 1), cx.operand(inst, index)) else { return };
    // Frame lowering finds another instruction for what is too far away in the stack frame.
    if matches!(base.kind, OperandKind::Frame { .. }) {
        return;
    }
    if let Some(offset) = operand.immediate()
        && !range.contains(&offset)
    {
        let message =
            format!("`{name}` takes offsets from {} to {}, not {offset}", range.start(), range.end());
        cx.report(&BAD_ADDRESS, operand.range, message);
    }
}

/// Which operand of a load or store is its offset, and what it may be; `AArch64InstrInfo::getMemOpInfo` without the rarer ones.
fn offsets(name: &str) -> Option<(usize, RangeInclusive<i64>)> {
    const SINGLE: [&str; 14] =
        ["Q", "X", "D", "W", "S", "SW", "H", "HH", "SHW", "SHX", "B", "BB", "SBW", "SBX"];
    const WRITTEN_BACK: [&str; 8] = ["X", "D", "W", "S", "H", "HH", "B", "BB"];
    const PAIR: [&str; 5] = ["Q", "X", "D", "W", "S"];
    let unscaled = -256..=255;
    match name {
        "PRFMui" => return Some((2, 0..=4095)),
        "PRFUMi" | "LDR_ZXI" | "STR_ZXI" | "LDR_PXI" | "STR_PXI" => return Some((2, unscaled)),
        "ADDG" => return Some((2, 0..=63)),
        _ => {}
    }
    let width = |prefixes: &[&str], suffix: &str| {
        let rest = name.strip_suffix(suffix)?;
        prefixes.iter().find_map(|p| rest.strip_prefix(p))
    };
    let is_single = |w: &str| SINGLE.contains(&w);
    if width(&["LDR", "STR"], "ui").is_some_and(is_single) {
        return Some((2, 0..=4095));
    }
    if width(&["LDUR", "STUR", "STLUR"], "i").is_some_and(is_single)
        || width(&["LDAPUR"], "i").is_some_and(|w| w.is_empty() || is_single(w))
    {
        return Some((2, unscaled));
    }
    if width(&["LDP", "STP", "LDNP", "STNP"], "i").is_some_and(|w| PAIR.contains(&w)) {
        return Some((3, -64..=63));
    }
    for suffix in ["pre", "post"] {
        if width(&["LDP", "STP"], suffix).is_some_and(|w| PAIR.contains(&w)) {
            return Some((4, -64..=63));
        }
        if width(&["LDR", "STR"], suffix).is_some_and(|w| WRITTEN_BACK.contains(&w)) {
            return Some((3, unscaled));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    fn findings(triple: &str, body: &str) -> String {
        let text = format!(
            "--- |\n  target triple = \"{triple}\"\n  define void @f() {{ unreachable }}\n...\n---\nname: f\nbody: |\n  bb.0:\n{body}...\n"
        );
        crate::testing::findings(crate::Dialect::Mir, &text)
    }

    #[test]
    fn x86() {
        let body = "    $rax = LEA64r $rcx, 3, $rdx, 0, $noreg
    $rax = LEA64r $rcx, 3, $noreg, 0, $noreg
    $rax = LEA64r $rcx, 8, $rdx, 2147483647, $noreg
    $rax = MOV64rm $rcx, 1, $noreg, 2147483648, $noreg
    MOV64mr $rcx, 5, $rdx, 8, $noreg, $rax
    MOV64mr $rcx, 5, $rdx, &symbol, $noreg, $rax
";
        expect![[r#"
            error[bad-address] 9:25 `3`: an index is scaled by 1, 2, 4 or 8, not 3
            error[bad-address] 12:37 `2147483648`: a displacement is a signed number of 32 bits, 2147483648 is none
            error[bad-address] 13:19 `5`: an index is scaled by 1, 2, 4 or 8, not 5
        "#]]
        .assert_eq(&findings("x86_64-linux-gnu", body));
    }

    #[test]
    fn aarch64() {
        let body = "    STRXui $x0, $x1, 4095
    STRXui $x0, $x1, -1
    $x0, $x2 = LDPXi $sp, 64
    early-clobber $sp = STPXpre $x0, $x2, $sp, -65
    early-clobber $x1 = STRWpre $w0, $x1, 256
    $w0 = LDURBBi $x1, -257
";
        expect![[r#"
            error[bad-address] 10:22 `-1`: `STRXui` takes offsets from 0 to 4095, not -1
            error[bad-address] 11:27 `64`: `LDPXi` takes offsets from -64 to 63, not 64
            error[bad-address] 12:48 `-65`: `STPXpre` takes offsets from -64 to 63, not -65
            error[bad-address] 13:43 `256`: `STRWpre` takes offsets from -256 to 255, not 256
            error[bad-address] 14:24 `-257`: `LDURBBi` takes offsets from -256 to 255, not -257
        "#]]
        .assert_eq(&findings("aarch64-linux-gnu", body));
    }
}
