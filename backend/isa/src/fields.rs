//! The bits of an encoding by field, for showing them.

use crate::{encode, inst::Inst, inst::MachineOperand, target::Target};

/// A run of bits of an instruction, without literals that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitField {
    /// The lowest bit of the instruction.
    pub first: u8,
    /// Number of bits.
    pub count: u8,
    /// The bits, shifted to 0.
    pub value: u64,
    /// Index of the operand, and the lowest of its bits that the field holds; `None` for the bits of the opcode and the
    /// encoding.
    pub operand: Option<(usize, u8)>,
}

/// The fields of an instruction from bit 0 on. Bits that nothing determines are left out.
pub fn bit_fields(inst: &Inst, target: Target) -> Vec<BitField> {
    let row = inst.row.row();
    let bytes = encode::encode(inst, target);
    let mut word = [0; 16];
    for (to, from) in word.iter_mut().zip(&bytes.bytes) {
        *to = *from;
    }
    let word = u128::from_le_bytes(word);
    let value = |first: u8, count: u8| {
        let mask = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
        (word >> first.min(127)) as u64 & mask
    };
    let mut fields = Vec::new();
    let mut fixed = row.mask();
    for field in row.fields() {
        let operand = usize::from(field.operand);
        if matches!(inst.operands().get(operand), None | Some(MachineOperand::None)) {
            continue;
        }
        for bit in field.pos..field.pos.saturating_add(field.count).min(128) {
            fixed &= !(1 << bit);
        }
        let (first, count) = (field.pos, field.count);
        fields.push(BitField {
            first,
            count,
            value: value(first, count),
            operand: Some((operand, field.first)),
        });
    }
    let mut first = 0;
    while first < 128 {
        if fixed >> first & 1 == 0 {
            first += 1;
            continue;
        }
        let count = (!(fixed >> first)).trailing_zeros().min(64) as u8;
        fields.push(BitField { first, count, value: value(first, count), operand: None });
        first += count;
    }
    fields.sort_by_key(|f| f.first);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_cover_the_bits_of_an_instruction() {
        let target = Target::named("gfx900").expect("a processor");
        // v_add_f32_e32 v2, 1.0, v1
        let found = crate::decode(target, &[0xf2, 0x02, 0x04, 0x02]).expect("an instruction");
        let shown: Vec<String> = bit_fields(&found.inst, target)
            .iter()
            .map(|f| {
                let name = f.operand.map_or("fixed", |(i, _)| found.inst.operand_name(i));
                format!("{}:{} {name} {}", f.first + f.count - 1, f.first, f.value)
            })
            .collect();
        assert_eq!(shown, ["8:0 src0 242", "16:9 src1 1", "24:17 vdst 2", "31:25 fixed 1"]);
    }
}
