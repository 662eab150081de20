//! gfx11 with 64 lanes: a scalar register is written behind a vector instruction that reads it as a mask, and read again.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Cure, Field, Hazard, touches};
use crate::{Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "hazard-mask-write",
    severity: Severity::Warning,
    explain: "On gfx11 with 64 lanes, a scalar instruction gets an old value of a scalar register that another one wrote when, \
before that write, a vector instruction read the register as its mask (`v_cndmask`, additions with carry, `v_div_fmas`). \
`s_waitcnt_depctr depctr_sa_sdst(0)` must stand between the write and the read, or a vector instruction that reads another \
scalar register or a literal before the write.",
};

/// The register that a vector instruction reads as a mask.
fn mask(code: &Code<'_>, i: usize) -> Option<Reg> {
    const WITH_MASK: [&str; 7] = [
        "v_cndmask_b32",
        "v_cndmask_b16",
        "v_add_co_ci_u32",
        "v_sub_co_ci_u32",
        "v_subrev_co_ci_u32",
        "v_div_fmas_f32",
        "v_div_fmas_f64",
    ];
    if !code.is(i, Traits::VALU) || !WITH_MASK.contains(&code.mnemonic(i)) {
        return None;
    }
    if code.mnemonic(i).starts_with("v_div_fmas") {
        return Some(Reg::special(Special::VccLo, 2));
    }
    let implicit = code.reads(i).iter().filter(|a| a.implicit()).map(|a| a.reg);
    code.register(i, "src2").filter(|r| is_mask(*r)).or_else(|| implicit.into_iter().find(|r| is_mask(*r)))
}

fn is_mask(reg: Reg) -> bool {
    reg.file == RegFile::Sgpr || matches!(reg.as_special(), Some(Special::VccLo | Special::VccHi))
}

/// A vector instruction that reads a scalar register or a literal ends the hazard.
fn reads_scalar(code: &Code<'_>, i: usize) -> bool {
    if !code.is(i, Traits::VALU) {
        return false;
    }
    let plain = if code.is(i, Traits::VOP3) { 8 } else { 4 };
    let longer = code.graph.instructions.get(i).is_some_and(|i| i.encoded.bytes().len() > plain);
    longer || code.reads(i).iter().any(|a| is_mask(a.reg))
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::SALU) {
        return None;
    }
    code.reads(index).iter().map(|a| a.reg).filter(|r| is_mask(*r)).find_map(|reg| {
        let waits = |i: usize| code.waits_for_field(i, Field::ScalarResult);
        let writes = |i: usize| code.is(i, Traits::SALU) && code.writes_register(i, reg);
        let write = code.reaching(index, writes, |i| waits(i) || code.writes_register(i, reg))?;
        let reads = |i: usize| mask(code, i).is_some_and(|m| touches(m, reg));
        let producer = code.reaching(write, reads, |i| waits(i) || reads_scalar(code, i))?;
        let what = format!("`{}` may still have its value from before the write", reg.name());
        let cure = Cure::Line("s_waitcnt_depctr depctr_sa_sdst(0)");
        Some(Hazard { producer, what, cause: "read as a mask here", cure })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn masks_are_written_late() {
        let text = "v_cndmask_b32 v0, v1, v2, s[4:5]\ns_mov_b64 s[4:5], s[6:7]\ns_and_b64 s[8:9], s[4:5], s[10:11]\n\
v_cndmask_b32 v0, v1, v2, vcc\nv_mov_b32 v3, s0\ns_mov_b64 vcc, 0\ns_mov_b64 s[0:1], vcc\n";
        super::super::check(
            "gfx1100:wavefrontsize64",
            text,
            expect![[r#"
            3: hazard-mask-write: `s[4:5]` may still have its value from before the write; `s_waitcnt_depctr depctr_sa_sdst(0)` is needed between them
        "#]],
        );
    }
}
