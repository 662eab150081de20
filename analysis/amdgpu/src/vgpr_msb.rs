//! `s_set_vgpr_msb` of gfx1250: the two high bits of vector register numbers, by place of the operand.
//!
//! The number holds two bits each for the first, second and third source and the result, from the lowest; the byte above is
//! the former setting, for traps. Source of the places: LLVM's AMDGPU backend (`getVGPRLoweringOperandTables`).

use wavelens_isa::{Effects, Inst, MachineOperand, Reg, RegFile};

/// The setting after an instruction.
pub(super) fn after(setting: u8, inst: &Inst) -> u8 {
    if inst.mnemonic() != "s_set_vgpr_msb" {
        return setting;
    }
    match inst.operands().first() {
        Some(MachineOperand::Imm(value)) => *value as u8,
        _ => 0,
    }
}

/// Bit in the setting where the place of a named operand starts.
fn shift(name: &str) -> Option<u8> {
    Some(match name {
        "src0" | "addr" | "vaddr" | "vaddr0" | "src0X" | "src0Y" => 0,
        "src1" | "data0" | "vaddr1" | "vsrc1X" | "vsrc1Y" => 2,
        "src2" | "data1" | "vaddr2" | "vsrc2X" | "vsrc2Y" => 4,
        "vdst" | "vdstX" | "vdstY" => 6,
        _ => return None,
    })
}

/// Numbers the vector registers of an instruction by the setting.
pub(super) fn apply(setting: u8, inst: &Inst, effects: &mut Effects) {
    if setting == 0 {
        return;
    }
    // Stores of flat instructions have their data in the second place, buffers and images in the result's.
    let flat = inst.traits().any(wavelens_isa::Traits::FLAT);
    for access in effects.reads.iter_mut().chain(&mut effects.writes) {
        let reg = access.reg();
        let Some(operand) = access.operand().filter(|_| reg.file == RegFile::Vgpr) else { continue };
        // What must be the same register as the result is encoded as the result.
        let operand = usize::from(operand);
        let tie = inst.ties().find(|(a, b)| *a == operand || *b == operand);
        let operand = tie.map_or(operand, |(a, b)| a.min(b));
        let name = inst.operand_name(operand);
        let place = match name {
            "vdata" => Some(if flat { 2 } else { 6 }),
            _ => shift(name),
        };
        if let Some(place) = place {
            let index = reg.index + (u16::from(setting >> place & 3) << 8);
            *access = access.with_reg(Reg { index, ..reg });
        }
    }
}
