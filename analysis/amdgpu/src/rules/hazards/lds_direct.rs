//! gfx11 and gfx12: loads from LDS through the vector unit do not wait for who still uses their result.

use wavelens_isa::Generation::Gfx12;
use wavelens_isa::{Reg, Traits};

use super::{Code, Field, Hazard, Mitigation, Step};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-lds-direct",
        severity: wavelens_base::Severity::Warning,
        title: "`lds_direct_load` and `lds_param_load` must wait for earlier users of their register",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. They write their \
register on another path than vector instructions: `wait_vdst` (gfx12: `wait_va_vdst`) is how many vector instructions \
may still be running, and must not be more than there are since the last use of the register; 0 if a transcendental one \
is among them. For memory instructions that still read it, `s_waitcnt_depctr depctr_vm_vsrc(0)` is needed, on gfx12 \
`wait_vm_vsrc:0`.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nv_mov_b32 v1, v2\nlds_direct_load v1 wait_vdst:1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nv_mov_b32 v1, v2\nlds_direct_load v1 wait_vdst:0\n",
        source: "RDNA3 and RDNA4 instruction set manuals 12.2.1.2, \"Parameter Load Data Hazard Avoidance\"; LLVM \
GCNHazardRecognizer::fixLdsDirectVALUHazard",
    }
}

/// `wait_vdst` with all bits set waits for nothing.
const ALL: u32 = 15;

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::LDS_DIRECT) {
        return None;
    }
    let reg = code.register(index, "vdst")?;
    vector(code, index, reg).or_else(|| memory(code, index, reg))
}

fn touches(code: &Code<'_>, i: usize, reg: Reg) -> bool {
    code.reads_register(i, reg) || code.writes_register(i, reg)
}

fn vector(code: &Code<'_>, index: usize, reg: Reg) -> Option<Hazard> {
    let given = u32::try_from(code.number(index, "waitvdst")?).ok()?;
    let mut closest: Option<(u32, usize)> = None;
    let mut transcendental = false;
    code.search(index, 0, |since, i| {
        if code.is(i, Traits::VALU) {
            transcendental |= code.is(i, Traits::TRANS);
            if touches(code, i, reg) {
                closest = Some(closest.map_or((*since, i), |c| c.min((*since, i))));
                return Step::Stop;
            }
            *since += 1;
        }
        if *since >= ALL || code.waits_for_vectors(i) { Step::Stop } else { Step::Go }
    });
    let (since, producer) = closest?;
    let most = if transcendental { 0 } else { since };
    let word = if code.is_from(Gfx12) { "wait_va_vdst" } else { "wait_vdst" };
    let what = format!("`{}` is loaded while a vector instruction may still use it", reg.name());
    (given > most).then_some(Hazard {
        producer,
        what,
        cause: "used here",
        mitigation: Mitigation::Modifier(word, most),
    })
}

fn memory(code: &Code<'_>, index: usize, reg: Reg) -> Option<Hazard> {
    let by_itself = code.is_from(Gfx12);
    let waits = |i: usize| by_itself && code.number(i, "waitvsrc") == Some(0);
    if waits(index) {
        return None;
    }
    let producer = code.reaching(
        index,
        |i| (code.is(i, Traits::VMEM) || code.is(i, Traits::DS)) && touches(code, i, reg),
        |i| {
            let zero = || code.number(i, "simm16") == Some(0);
            let name = code.mnemonic(i);
            code.is(i, Traits::VALU)
                || code.is(i, Traits::EXPORT)
                || (name == "s_waitcnt" || by_itself && name.ends_with("cnt")) && zero()
                || code.waits_for_field(i, Field::MemorySource)
                // What an earlier load of the register needs is enough for this one; it is reported there.
                || code.is(i, Traits::LDS_DIRECT) && (waits(i) || code.register(i, "vdst") == Some(reg))
        },
    )?;
    let what = format!("`{}` is loaded while memory may still read it", reg.name());
    let mitigation = match by_itself {
        true => Mitigation::Modifier("wait_vm_vsrc", 0),
        false => Mitigation::Line("s_waitcnt_depctr depctr_vm_vsrc(0)"),
    };
    Some(Hazard { producer, what, cause: "read here", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn loads_wait_for_who_uses_the_register() {
        marks_pedantic(
            "gfx1100",
            expect![[r#"
                v_mov_b32 v1, v2
                v_mov_b32 v3, v4
                lds_direct_load v1 wait_vdst:1
                lds_direct_load v2 wait_vdst:2
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-lds-direct]: `v2` is loaded while a vector instruction may still use it; `wait_vdst:1` is needed
                ;                            = line 1:1: used here
                global_store_b32 v[8:9], v5, off
                lds_direct_load v5 wait_vdst:15
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-lds-direct]: `v5` is loaded while memory may still read it; `s_waitcnt_depctr depctr_vm_vsrc(0)` is needed between them
                ;                             = line 5:1: read here
                ;                             = fix: s_waitcnt_depctr depctr_vm_vsrc(0)
                lds_direct_load v6 wait_vdst:15
            "#]],
        );
    }

    #[test]
    fn of_loads_of_the_same_register_the_first_waits() {
        marks_pedantic(
            "gfx1100",
            expect![[r#"
                global_store_b32 v[8:9], v5, off
                lds_direct_load v6 wait_vdst:15
                lds_direct_load v5 wait_vdst:15
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-lds-direct]: `v5` is loaded while memory may still read it; `s_waitcnt_depctr depctr_vm_vsrc(0)` is needed between them
                ;                             = line 1:1: read here
                ;                             = fix: s_waitcnt_depctr depctr_vm_vsrc(0)
                lds_direct_load v5 wait_vdst:15
            "#]],
        );
    }

    #[test]
    fn gfx12_waits_by_itself() {
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                v_exp_f32 v1, v2
                v_mov_b32 v3, v4
                ds_direct_load v1 wait_va_vdst:1 wait_vm_vsrc:1
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-lds-direct]: `v1` is loaded while a vector instruction may still use it; `wait_va_vdst:0` is needed
                ;                                             = line 1:1: used here
                global_store_b32 v[8:9], v5, off
                ds_direct_load v5 wait_va_vdst:15 wait_vm_vsrc:1
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-lds-direct]: `v5` is loaded while memory may still read it; `wait_vm_vsrc:0` is needed
                ;                                              = line 4:1: read here
                global_store_b32 v[8:9], v6, off
                ds_direct_load v6 wait_va_vdst:15 wait_vm_vsrc:0
            "#]],
        );
    }
}
