//! The data of a wide store is overwritten right after it.

use wavelens_isa::{Reg, Traits};

use super::{Code, Hazard, Mitigation, is_vector};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-store-data",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx7 to gfx9, the data of a wide store must not be overwritten in the next instruction",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. A store of more than 8 \
bytes reads its last registers one instruction late (gfx942 and gfx950: two). Buffer stores with a scalar register as \
offset are not affected.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nglobal_store_dwordx4 v[0:1], v[4:7], off\n\
v_mov_b32 v7, 0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nglobal_store_dwordx4 v[0:1], v[4:7], off\n\
s_nop 0\nv_mov_b32 v7, 0\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": FLAT_STORE_X4, BUFFER_STORE_DWORDX4, write VGPRs holding \
writedata; LLVM GCNHazardRecognizer::checkVALUHazardsHelper",
    }
}

/// The data that a store still reads while the next instruction runs.
fn late_data(code: &Code<'_>, index: usize) -> Option<Reg> {
    if !code.is(index, Traits::MAY_STORE) || !code.is(index, Traits::VMEM) || code.is(index, Traits::IMAGE) {
        return None;
    }
    let data = code.register(index, "vdata").filter(|r| r.dwords > 2)?;
    let by_register = code.is(index, Traits::BUFFER) && code.register(index, "soffset").is_some();
    (!by_register).then_some(data)
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::VALU) {
        return None;
    }
    let states = if code.is_cdna3() { 2 } else { 1 };
    code.results(index).filter(|r| is_vector(*r)).find_map(|reg| {
        let (waited, producer) =
            code.since(index, states, |i| late_data(code, i).is_some_and(|data| data.overlaps(reg)))?;
        let what = format!("`{}` is overwritten before the store has read it", reg.name());
        Some(Hazard { producer, what, cause: "the store", mitigation: Mitigation::States(states - waited) })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn wide_stores_need_their_data_one_more_state() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                global_store_dwordx4 v[0:1], v[4:7], off
                v_mov_b32 v7, 0
                ;^^^^^^^^^^^^^^ warning[hazard-store-data]: `v7` is overwritten before the store has read it; 1 more wait state is needed: `s_nop 0`
                ;             = line 1:1: the store
                ;             = fix: s_nop 0
                global_store_dwordx2 v[0:1], v[4:5], off
                v_mov_b32 v4, 0
            "#]],
        );
    }
}
