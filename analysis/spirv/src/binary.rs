//! What the words of a binary mean: opcodes, strings, and what the meaning of operands depends on.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{ExtSet, Op};

use super::literal::NumberType;

pub(super) fn opcode(inst: &[u32]) -> Op {
    Op(inst.first().map_or(0, |first| *first as u16))
}

/// What operands' meaning depends on.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) numbers: FxHashMap<u32, NumberType>,
    /// Types of values that are numbers.
    pub(super) types: FxHashMap<u32, u32>,
    pub(super) sets: FxHashMap<u32, ExtSet>,
}

impl Known {
    pub(super) fn gather(insts: &[&[u32]]) -> Known {
        let mut known = Known::default();
        for inst in insts {
            match (opcode(inst), *inst) {
                (Op::TypeInt, [_, id, width, signed, ..]) => {
                    known.numbers.insert(*id, NumberType::Int { width: *width, signed: *signed != 0 });
                }
                (Op::TypeFloat, [_, id, width, rest @ ..]) => {
                    let encoding = rest.first().copied();
                    known.numbers.insert(*id, NumberType::Float { width: *width, encoding });
                }
                (Op::ExtInstImport, [_, id, name @ ..]) => {
                    let set = string(name).and_then(|(name, _)| ExtSet::from_import(&name));
                    known.sets.extend(set.map(|set| (*id, set)));
                }
                (op, [_, ty, id, ..]) if known.numbers.contains_key(ty) && has_type(op) => {
                    known.types.insert(*id, *ty);
                }
                _ => {}
            }
        }
        known
    }

    /// The type that an instruction's typed literals have.
    pub(super) fn number(&self, inst: &[u32]) -> Option<NumberType> {
        let ty = match opcode(inst) {
            Op::Switch => self.types.get(inst.get(1)?)?,
            _ => inst.get(1)?,
        };
        self.numbers.get(ty).copied()
    }
}

fn has_type(op: Op) -> bool {
    op.info().is_some_and(|i| i.has_type && i.has_result)
}

/// The string that words start with and the number of its words; `None` if it does not end, is not UTF-8, or is padded with
/// anything but zeros.
pub fn string(words: &[u32]) -> Option<(String, usize)> {
    let last = words.iter().position(|w| w.to_le_bytes().contains(&0))?;
    let bytes: Vec<u8> = words.get(..=last)?.iter().flat_map(|w| w.to_le_bytes()).collect();
    let end = bytes.iter().position(|b| *b == 0)?;
    let (text, padding) = bytes.split_at(end);
    if padding.iter().any(|b| *b != 0) {
        return None;
    }
    Some((String::from_utf8(text.to_vec()).ok()?, last + 1))
}
