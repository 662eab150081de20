//! Numbers in the addresses of x86 and AArch64, which their instructions could not encode (LLVM's `X86InstrInfo` and
//! `AArch64InstrInfo::verifyInstruction`).

use std::ops::RangeInclusive;

use wavelens_isa::mir::{Class, Machine, flag};

use crate::context::{Inst, Reg, RuleContext};
use crate::model::*;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    BAD_ADDRESS {
        code: "bad-address",
        severity: wavelens_base::Severity::Error,
        title: "scales, displacements and offsets fit the address encoding",
        explain: "On x86 an index is scaled by 1, 2, 4 or 8 and a displacement has 32 bits; on AArch64 each load and store has its own range of offsets, in units of the access if the instruction scales them.",
        example: r#"--- |
  target triple = "x86_64-unknown-linux-gnu"
  define void @f() { ret void }
...
---
name: f
body: |
  bb.0:
    $rax = LEA64r $rbx, 3, $rcx, 0, $noreg
    RET64
...
"#,
        fixed: r#"--- |
  target triple = "x86_64-unknown-linux-gnu"
  define void @f() { ret void }
...
---
name: f
body: |
  bb.0:
    $rax = LEA64r $rbx, 4, $rcx, 0, $noreg
    RET64
...
"#,
        source: "LLVM X86InstrInfo::verifyInstruction: \"Scale factor in address must be 1, 2, 4 or 8\"",
    }
}

pub(super) fn instructions(cx: &mut RuleContext<'_>) {
    let segment = cx.t.class("segment_reg");
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        let verdict = match (cx.machine, segment) {
            (Machine::X86, Some(segment)) => check_x86(cx, inst, segment),
            (Machine::Aarch64, _) => check_aarch64(cx, inst),
            _ => break,
        };
        cx.conclude(inst, verdict);
    }
    cx.instructions = instructions;
}

/// An address is base, scale, index, displacement and segment.
fn check_x86(cx: &RuleContext<'_>, inst: &Inst<'_>, segment: Class) -> Verdict {
    if inst.desc.is(flag::PSEUDO) {
        return Ok(());
    }
    let class = |index: usize| inst.desc.operand(index).and_then(|o| cx.t.operand_class(&o, cx.cpu_rows));
    let count = inst.desc.operand_count();
    let Some(base) = (0..count.saturating_sub(4)).find(|i| class(i + 4) == Some(segment)) else {
        return Ok(());
    };
    let [Some(pointer), Some(scale), Some(index), Some(displacement)] =
        [0, 1, 2, 3].map(|n| cx.operand(inst, base + n))
    else {
        return Ok(());
    };
    // LLVM checks no more if the displacement is a symbol or the base is a stack object.
    let (Some(_), Some(offset)) = (pointer.register(), displacement.immediate()) else { return Ok(()) };
    let is_scaled = index.register().is_some_and(|r| cx.reg(r) != Reg::None);
    if let Some(factor) = scale.immediate().filter(|factor| is_scaled && ![1, 2, 4, 8].contains(factor)) {
        let message = format!("the scale of an index must be 1, 2, 4 or 8, is {factor}");
        return fail_at(&BAD_ADDRESS, base + 1, message);
    }
    if i32::try_from(offset).is_err() {
        let message = format!("displacement {offset} does not fit in a signed 32-bit integer");
        return fail_at(&BAD_ADDRESS, base + 3, message);
    }
    Ok(())
}

fn check_aarch64(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let name = cx.f.opcode_text(inst.source);
    let Some((index, range)) = offsets(name) else { return Ok(()) };
    let (Some(base), Some(operand)) = (cx.operand(inst, index - 1), cx.operand(inst, index)) else {
        return Ok(());
    };
    // Frame lowering selects another instruction for a large offset from the stack pointer.
    if matches!(base.kind, OperandKind::Frame { .. }) {
        return Ok(());
    }
    if let Some(offset) = operand.immediate().filter(|offset| !range.contains(offset)) {
        let (start, end) = (range.start(), range.end());
        let message = format!("the offset of `{name}` must be between {start} and {end}, is {offset}");
        return fail_at(&BAD_ADDRESS, index, message);
    }
    Ok(())
}

/// Which operand of a load or store is its offset, and what it may be; `AArch64InstrInfo::getMemOpInfo`.
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
        "TAGPstack" => return Some((2, -63..=63)),
        "STGPi" => return Some((3, -64..=63)),
        "STGPpre" | "STGPpost" => return Some((4, -64..=63)),
        "LDG" => return Some((3, unscaled)),
        "StoreSwiftAsyncContext" => return Some((2, 0..=4095)),
        _ => {}
    }
    if let Some(found) = tag_store(name).or_else(|| scalable(name)) {
        return Some(found);
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

/// Stores of allocation tags.
fn tag_store(name: &str) -> Option<(usize, RangeInclusive<i64>)> {
    let prefixes = ["STG", "STZG", "ST2G", "STZ2G"];
    match prefixes.iter().find_map(|prefix| name.strip_prefix(prefix))? {
        "i" => Some((2, -256..=255)),
        "PreIndex" | "PostIndex" => Some((3, -256..=255)),
        _ => None,
    }
}

/// Loads and stores of scalable vectors and predicates.
fn scalable(name: &str) -> Option<(usize, RangeInclusive<i64>)> {
    let name = name.strip_suffix("_STRIDED_CONTIGUOUS").unwrap_or(name);
    let registers = ["LDR_", "STR_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    match registers {
        Some("PPXI" | "ZZXI") => return Some((2, -256..=254)),
        Some("ZZZXI") => return Some((2, -256..=253)),
        Some("ZZZZXI") => return Some((2, -256..=252)),
        _ => {}
    }
    if let Some(access) =
        name.strip_suffix("_ZRI").and_then(|n| n.strip_prefix("LDNT1").or(n.strip_prefix("STNT1")))
    {
        return matches!(access, "B" | "H" | "W" | "D").then_some((3, -8..=7));
    }
    let access = name.strip_suffix("_IMM")?;
    let (registers, range) = match access.strip_prefix("LD1R") {
        Some(rest) => (rest, 0..=63),
        None => {
            let prefixes = ["LDNF1", "LD1", "LD2", "LD3", "LD4", "ST1", "ST2", "ST3", "ST4"];
            (prefixes.iter().find_map(|prefix| access.strip_prefix(prefix))?, -8..=7)
        }
    };
    let element = registers.strip_prefix('S').unwrap_or(registers);
    let (memory, lane) = element.split_once('_').unwrap_or((element, ""));
    let is_element = |word: &str| matches!(word, "B" | "H" | "S" | "W" | "D" | "");
    (!memory.is_empty() && is_element(memory) && is_element(lane)).then_some((3, range))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    fn findings(triple: &str, body: &str) -> String {
        let text = format!(
            "--- |\n  target triple = \"{triple}\"\n  define void @f() {{ unreachable }}\n...\n---\nname: f\nbody: |\n  bb.0:\n{body}...\n"
        );
        wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
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
            error[bad-address] 9:25 `3`: the scale of an index must be 1, 2, 4 or 8, is 3
            error[bad-address] 12:37 `2147483648`: displacement 2147483648 does not fit in a signed 32-bit integer
            error[bad-address] 13:19 `5`: the scale of an index must be 1, 2, 4 or 8, is 5
        "#]]
        .assert_eq(&findings("x86_64-linux-gnu", body));
    }

    #[test]
    fn rarer_offsets_of_aarch64() {
        let of = |name: &str| {
            super::offsets(name).map(|(index, range)| format!("{index} {range:?}")).unwrap_or_default()
        };
        assert_eq!(of("PRFMui"), "2 0..=4095");
        assert_eq!(of("PRFUMi"), "2 -256..=255");
        assert_eq!(of("ADDG"), "2 0..=63");
        assert_eq!(of("STGPi"), "3 -64..=63");
        assert_eq!(of("STZ2GPostIndex"), "3 -256..=255");
        assert_eq!(of("ST2Gi"), "2 -256..=255");
        assert_eq!(of("LDR_ZZXI_STRIDED_CONTIGUOUS"), "2 -256..=254");
        assert_eq!(of("LDR_ZXI"), "2 -256..=255");
        assert_eq!(of("STR_ZZZXI"), "2 -256..=253");
        assert_eq!(of("LDR_ZZZZXI"), "2 -256..=252");
        assert_eq!(of("LD1RSB_H_IMM"), "3 0..=63");
        assert_eq!(of("LDNF1SW_D_IMM"), "3 -8..=7");
        assert_eq!(of("STNT1D_ZRI"), "3 -8..=7");
        assert_eq!(of("LD1RQ_B_IMM"), "");
        assert_eq!(of("LD1Q_IMM"), "");
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
            error[bad-address] 10:22 `-1`: the offset of `STRXui` must be between 0 and 4095, is -1
            error[bad-address] 11:27 `64`: the offset of `LDPXi` must be between -64 and 63, is 64
            error[bad-address] 12:48 `-65`: the offset of `STPXpre` must be between -64 and 63, is -65
            error[bad-address] 13:43 `256`: the offset of `STRWpre` must be between -256 and 255, is 256
            error[bad-address] 14:24 `-257`: the offset of `LDURBBi` must be between -256 and 255, is -257
        "#]]
        .assert_eq(&findings("aarch64-linux-gnu", body));
    }
}
