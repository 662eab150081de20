//! `m0` is read right after a scalar instruction wrote it.

use wavelens_isa::Generation::{Gfx9, Gfx10_1};
use wavelens_isa::{Reg, Special, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-m0",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx8 and gfx9, an instruction that reads `m0` early must be 1 wait state after a scalar write of it",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. It concerns messages \
and global data share operations; on gfx9 also interpolation, `s_movrel`, scratch and global loads into LDS, \
`ds_read_addtid` and `lds_direct`. Buffer loads into LDS are not in the manuals: they are reported as hints, on request \
(`pedantic`).",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_mov_b32 m0, 1\ns_sendmsg sendmsg(MSG_INTERRUPT)\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_mov_b32 m0, 1\ns_nop 0\n\
s_sendmsg sendmsg(MSG_INTERRUPT)\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": SALU writes M0; LLVM \
GCNHazardRecognizer::checkReadM0Hazards",
    }
}

fn reads_early(code: &Code<'_>, index: usize) -> bool {
    let name = code.mnemonic(index);
    let gfx9 = || {
        code.is_from(Gfx9)
            && !code.is_from(Gfx10_1)
            && (name.starts_with("v_interp_") && !code.is(index, Traits::VOP3)
                || name.starts_with("s_movrel")
                || matches!(name, "ds_write_addtid_b32" | "ds_read_addtid_b32")
                || code.is(index, Traits::VALU)
                && code.is(index, Traits::VMEM)
                // The manuals name stores from LDS, and scratch and global loads into it, but not buffer loads into it.
                && (code.is_cautious() || !code.is(index, Traits::BUFFER))
                || code.sources(index).any(|r| r.as_special() == Some(Special::LdsDirect)))
    };
    gfx9()
        || matches!(name, "s_sendmsg" | "s_sendmsghalt" | "s_ttracedata")
        || code.is(index, Traits::GWS)
        || code.is(index, Traits::DS) && code.number(index, "gds") == Some(1)
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    // Cheap to ask, and false almost always.
    let before = index.checked_sub(1)?;
    let m0 = Reg::special(Special::M0, 1);
    let first_of_block = code.graph.block(code.graph.block_of(index)).start == index;
    if !(first_of_block || code.writes_register(before, m0)) || !reads_early(code, index) {
        return None;
    }
    let (_, producer) = code.since(index, 1, |i| code.is(i, Traits::SALU) && code.writes_register(i, m0))?;
    let what = "`m0` is read before its new value is there".to_owned();
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(1) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn messages_and_moves_read_m0_late() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_mov_b32 m0, 1
                s_sendmsg sendmsg(MSG_INTERRUPT)
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-m0]: `m0` is read before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                              = line 1:1: written here
                ;                              = fix: s_nop 0
                s_mov_b32 m0, 1
                s_nop 0
                s_movrels_b32 s0, s1
                s_mov_b32 m0, 1
                v_interp_p2_legacy_f16 v0, v1, attr2.y, v0
                s_mov_b32 m0, 1
                v_interp_p1_f32 v0, v1, attr2.y
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-m0]: `m0` is read before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                             = line 8:1: written here
                ;                             = fix: s_nop 0
            "#]],
        );
    }
}
