//! `s_set_vgpr_msb` of gfx1250: the two high bits of vector register numbers, by place of the operand.
//!
//! The number holds two bits each for the first, second and third source and the result, from the lowest; the byte above is
//! the former setting, for traps. Source of the places: LLVM's AMDGPU backend (`getVGPRLoweringOperandTables`).

use wavelens_isa::{Effects, Inst, MachineOperand, Reg, RegFile};

/// The bits of MODE that hold the setting: result, first, second and third source from the lowest.
pub(super) const MODE_BITS: u32 = 0xFF000;

/// `HW_REG_WAVE_MODE`
const MODE: i64 = 1;

/// Where the field of MODE that an instruction writes starts, and how many bits it has.
fn mode_field(inst: &Inst) -> Option<(i64, i64)> {
    if inst.mnemonic() != "s_setreg_imm32_b32" {
        return None;
    }
    let field = inst.number("simm16")?;
    (field & 63 == MODE).then_some((field >> 6 & 31, (field >> 11 & 31) + 1))
}

/// Whether the field that an instruction writes has any of the high bits.
pub(super) fn writes_high_bits(inst: &Inst) -> bool {
    mode_field(inst).is_some_and(|(start, bits)| start < 20 && start + bits > 12)
}

/// The setting that a write of MODE leaves: the hardware takes the bits out of the value whatever the field is. `None` where a field
/// that starts above bit 0 has some of them, and the value stands for other bits.
pub(super) fn written_mode(inst: &Inst) -> Option<u8> {
    let (start, _) = mode_field(inst)?;
    if start > 0 && writes_high_bits(inst) {
        return None;
    }
    let value = inst.number("imm")? as u32;
    Some(((value & MODE_BITS) >> 12) as u8).map(|bits| bits.rotate_right(2))
}

/// The setting after an instruction.
pub(super) fn after(setting: u8, inst: &Inst) -> u8 {
    if inst.mnemonic() != "s_set_vgpr_msb" {
        return written_mode(inst).unwrap_or(setting);
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
