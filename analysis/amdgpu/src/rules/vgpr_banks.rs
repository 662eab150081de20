//! gfx1250: writes of MODE that change the high bits of vector register numbers, which `s_set_vgpr_msb` set.

use wavelens_isa::RegFile;

use crate::context::RuleContext;
use crate::flow::Graph;
use crate::vgpr_msb;
use wavelens_base::{Diagnostic, Place, TextRange, TextSize};

wavelens_syntax::rules! {
    VGPR_BANKS {
        code: "vgpr-banks",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx1250, `s_setreg_imm32_b32` of MODE must keep the high bits of vector register numbers",
        explain: "`s_set_vgpr_msb` sets the two high bits of vector register numbers, which are bits 12 to 19 of MODE. An \
`s_setreg_imm32_b32` of any field of MODE writes these bits too, from bits 12 to 19 of its value: instructions that follow use other \
registers. The value must repeat them (result, first, second and third source from the lowest), or another `s_set_vgpr_msb` must follow.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\ns_set_vgpr_msb 0x41\n\
s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 1\nv_mov_b32 v1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\ns_set_vgpr_msb 0x41\n\
s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 0x5001\nv_mov_b32 v1, v2\n",
        source: "LLVM AMDGPULowerVGPREncoding::handleSetregMode (feature setreg-vgpr-msb-fixup)",
    }
}

/// Reports the writes of one function that change what a later vector instruction names.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let graph = cx.graph;
    if !graph.target.facts().has_vgpr_msb {
        return;
    }
    let (mut setting, mut set_by) = (0, None);
    for (index, instruction) in graph.instructions.iter().enumerate() {
        let inst = instruction.encoded.inst();
        let after = vgpr_msb::after(setting, &inst);
        if inst.mnemonic() == "s_set_vgpr_msb" {
            set_by = Some(index);
        } else if after != setting && is_used(graph, index + 1) {
            cx.diagnostics.push(report(cx, index, setting, set_by));
        }
        setting = after;
    }
}

/// Whether a vector instruction comes before the next setting.
fn is_used(graph: &Graph<'_>, from: usize) -> bool {
    let rest = graph.instructions.iter().zip(graph.effects.iter()).skip(from);
    for (instruction, effect) in rest {
        let inst = instruction.encoded.inst();
        if inst.mnemonic() == "s_set_vgpr_msb" || vgpr_msb::written_mode(&inst).is_some() {
            return false;
        }
        let accesses = || effect.reads.iter().chain(effect.writes);
        if accesses().any(|a| a.operand().is_some() && a.reg().file == RegFile::Vgpr) {
            return true;
        }
    }
    false
}

fn report(cx: &RuleContext<'_>, index: usize, setting: u8, set_by: Option<usize>) -> Diagnostic {
    let graph = cx.graph;
    let Some(instruction) = graph.instructions.get(index) else {
        return Diagnostic::new(&VGPR_BANKS, TextRange::default(), String::new());
    };
    let line = cx.text.get(usize::from(instruction.range.start())..usize::from(instruction.range.end()));
    let line = line.unwrap_or("");
    let start = line.rfind(',').map_or(0, |comma| comma + 1);
    let written = line[start..].trim();
    let value = instruction.encoded.number("imm").map(|value| value as u32);
    let kept = value.filter(|_| !vgpr_msb::writes_high_bits(&instruction.encoded.inst()));
    let kept = kept.map(|value| value & !vgpr_msb::MODE_BITS | u32::from(setting.rotate_left(2)) << 12);
    let remedy = match kept {
        Some(kept) => format!("write `{kept:#x}`"),
        None => format!("`s_set_vgpr_msb {setting:#x}` must follow"),
    };
    let message = format!(
        "this write of MODE also sets the high bits of vector register numbers, from bits 12 to 19 of its value; {remedy}"
    );
    let mut diagnostic = Diagnostic::new(&VGPR_BANKS, instruction.range, message);
    if let Some(set) = set_by.and_then(|set| graph.instructions.get(set)) {
        diagnostic = diagnostic.related(Place::Here(set.range), "the high bits that are lost");
    }
    let is_number = written.starts_with(|c: char| c.is_ascii_digit())
        && written.chars().all(|c| c.is_ascii_alphanumeric());
    if let Some(kept) = kept.filter(|_| is_number && !instruction.nested) {
        let at = line.len() - line[start..].trim_start().len();
        let range = TextRange::at(
            instruction.range.start() + TextSize::new(at as u32),
            TextSize::new(written.len() as u32),
        );
        diagnostic = diagnostic.fix(format!("Replace with `{kept:#x}`"), range, format!("{kept:#x}"));
    }
    graph.show_nested(index, diagnostic)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_write_of_mode_keeps_the_high_bits() {
        marks(
            "gfx1250",
            expect![[r#"
                s_set_vgpr_msb 0x41
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 1
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[vgpr-banks]: this write of MODE also sets the high bits of vector register numbers, from bits 12 to 19 of its value; write `0x5001`
                ;                                                 = line 1:1: the high bits that are lost
                ;                                                 = fix: s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 0x5001
                v_mov_b32 v1, v2
            "#]],
        );
    }

    #[test]
    fn high_bits_that_are_repeated_or_set_again_are_kept() {
        marks(
            "gfx1250",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 1
                v_mov_b32 v1, v2
                s_set_vgpr_msb 0x41
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 0x5001
                v_mov_b32 v1, v2
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 1
                s_set_vgpr_msb 0x41
                v_mov_b32 v1, v2
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_STATUS, 4, 2), 1
                v_mov_b32 v1, v2
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), 0
                v_mov_b32 v1, v2
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 4, 2), 1
                s_endpgm
            "#]],
        );
        marks(
            "gfx1201",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 20), 0xff001
                v_mov_b32 v1, v2
            "#]],
        );
    }

    #[test]
    fn a_long_field_is_followed_by_a_setting() {
        marks(
            "gfx1250",
            expect![[r#"
                s_set_vgpr_msb 0x41
                s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 0, 17), 0xffff
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[vgpr-banks]: this write of MODE also sets the high bits of vector register numbers, from bits 12 to 19 of its value; `s_set_vgpr_msb 0x41` must follow
                ;                                                       = line 1:1: the high bits that are lost
                v_mov_b32 v1, v2
            "#]],
        );
    }
}
