//! gfx10.1: a scalar register is written while an earlier memory instruction may still read it.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation};
use crate::wait_counters::waitcnt_fields;

wavelens_syntax::rules! {
    RULE {
        code: "hazard-scalar-reuse",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx10.1, a scalar register must not be written while memory still reads it",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). Vector memory and LDS instructions read scalar registers late: a vector \
instruction or `s_waitcnt_depctr 0xffe3` must be before a scalar write. Scalar memory reads them late too: a scalar \
instruction (`s_mov_b32 null, 0`) or `s_waitcnt lgkmcnt(0)` must be before a vector write.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\nglobal_load_dword v0, v1, s[0:1]\ns_mov_b32 s0, 0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\nglobal_load_dword v0, v1, s[0:1]\n\
s_waitcnt_depctr 0xffe3\ns_mov_b32 s0, 0\n",
        source: "LLVM GCNHazardRecognizer::fixVMEMtoScalarWriteHazards, fixSMEMtoVectorWriteHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if code.is(index, Traits::SALU) || code.is(index, Traits::SMEM) {
        return scalar_write(code, index);
    }
    if code.is(index, Traits::VALU) { vector_write(code, index) } else { None }
}

fn scalar_write(code: &Code<'_>, index: usize) -> Option<Hazard> {
    code.results(index).find_map(|reg| {
        let producer = code.reaching(
            index,
            |i| (code.is(i, Traits::VMEM) || code.is(i, Traits::DS)) && code.reads_register(i, reg),
            |i| {
                let zero = |mask: i64| code.number(i, "simm16").is_some_and(|n| n & mask == 0);
                code.is(i, Traits::VALU)
                    || code.mnemonic(i) == "s_waitcnt" && zero(-1)
                    || code.mnemonic(i) == "s_waitcnt_depctr" && zero(0x1c)
            },
        )?;
        let what = format!("`{}` is written before memory has read it", reg.name());
        Some(Hazard {
            producer,
            what,
            cause: "read here",
            mitigation: Mitigation::Line("s_waitcnt_depctr 0xffe3"),
        })
    })
}

fn scalar_result(code: &Code<'_>, index: usize) -> Option<Reg> {
    code.writes(index).iter().map(|a| a.reg()).find(|reg| {
        reg.file == RegFile::Sgpr
            || matches!(reg.as_special(), Some(Special::VccLo | Special::VccHi | Special::M0))
    })
}

fn vector_write(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let reg = scalar_result(code, index)?;
    let producer = code.reaching(
        index,
        |i| code.is(i, Traits::SMEM) && code.reads_register(i, reg),
        |i| {
            let zero = || code.number(i, "simm16") == Some(0);
            match code.mnemonic(i) {
                _ if !code.is(i, Traits::SALU) => false,
                "s_setvskip" | "s_version" | "s_waitcnt_vscnt" | "s_waitcnt_vmcnt" | "s_waitcnt_expcnt" => {
                    false
                }
                "s_waitcnt_lgkmcnt" => zero(),
                "s_waitcnt" => code.number(i, "simm16").is_some_and(|n| {
                    let fields = waitcnt_fields(code.graph.target, n as u32);
                    fields.contains(&(wavelens_isa::Counter::Lgkm, 0))
                }),
                _ => !code.is(i, Traits::SOPP),
            }
        },
    )?;
    let what = format!("`{}` is written before scalar memory has read it", reg.name());
    Some(Hazard { producer, what, cause: "read here", mitigation: Mitigation::Line("s_mov_b32 null, 0") })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn memory_keeps_its_scalar_operands() {
        marks_pedantic(
            "gfx1010",
            expect![[r#"
                global_load_dword v0, v1, s[0:1]
                s_mov_b32 s0, 0
                ;^^^^^^^^^^^^^^ hint[hazard-scalar-reuse]: `s0` is written before memory has read it; `s_waitcnt_depctr 0xffe3` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;             = line 1:1: read here
                ;             = fix: s_waitcnt_depctr 0xffe3
                s_load_dword s2, s[4:5], 0x0
                v_readfirstlane_b32 s4, v3
                ;^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-scalar-reuse]: `s4` is written before scalar memory has read it; `s_mov_b32 null, 0` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                        = line 3:1: read here
                ;                        = fix: s_mov_b32 null, 0
            "#]],
        );
    }

    #[test]
    fn lds_reads_no_limit_in_m0() {
        marks_pedantic(
            "gfx1010",
            expect![[r#"
                ds_read_b32 v0, v1
                s_mov_b32 m0, s0
                ds_read_addtid_b32 v0
                s_mov_b32 m0, s0
                ;^^^^^^^^^^^^^^^ hint[hazard-scalar-reuse]: `m0` is written before memory has read it; `s_waitcnt_depctr 0xffe3` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;              = line 3:1: read here
                ;              = fix: s_waitcnt_depctr 0xffe3
            "#]],
        );
    }
}
