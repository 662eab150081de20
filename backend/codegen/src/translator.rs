//! What the older releases of `llvm-spirv` cannot read, said in words that they can. The module means the same.

use std::collections::HashMap;

/// The newest version in a header that every release reads: 1.4.
const VERSION: u32 = 0x0001_0400;

const OP_EXECUTION_MODE: u32 = 16;
const OP_CONSTANT: u32 = 43;
const OP_SPEC_CONSTANT: u32 = 50;
const OP_EXECUTION_MODE_ID: u32 = 331;
const OP_DECORATE_STRING: u32 = 5632;
const OP_MEMBER_DECORATE_STRING: u32 = 5633;
/// A decoration that only other tools read.
const USER_SEMANTIC: u32 = 5635;

/// Execution modes whose operands are ids of constants, and those that take the numbers: sub-groups, sizes, hints.
const MODES: [(u32, u32); 3] = [(37, 36), (38, 17), (39, 18)];

/// The words of a module, header first.
pub(crate) fn readable(words: &[u32]) -> Vec<u32> {
    let (header, body) = words.split_at(words.len().min(5));
    let mut out = header.to_vec();
    if let Some(version) = out.get_mut(1) {
        *version = VERSION.min(*version);
    }
    let constants: HashMap<u32, u32> = instructions(body)
        .filter_map(|i| match i {
            [first, _, id, value] if matches!(first & 0xffff, OP_CONSTANT | OP_SPEC_CONSTANT) => {
                Some((*id, *value))
            }
            _ => None,
        })
        .collect();
    for inst in instructions(body) {
        match (inst[0] & 0xffff, inst) {
            (OP_DECORATE_STRING, [_, _, USER_SEMANTIC, ..])
            | (OP_MEMBER_DECORATE_STRING, [_, _, _, USER_SEMANTIC, ..]) => {}
            (OP_EXECUTION_MODE_ID, [first, entry, mode, ids @ ..]) => {
                let plain = MODES.iter().find(|(by_id, _)| by_id == mode).map(|(_, plain)| *plain);
                let values: Option<Vec<u32>> = ids.iter().map(|id| constants.get(id).copied()).collect();
                match plain.zip(values) {
                    Some((plain, values)) => {
                        out.extend([(first & !0xffff) | OP_EXECUTION_MODE, *entry, plain]);
                        out.extend(values);
                    }
                    None => out.extend(inst),
                }
            }
            _ => out.extend(inst),
        }
    }
    out
}

/// The instructions behind a header; none is empty.
fn instructions(mut words: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let count = (*words.first()? >> 16) as usize;
        let (inst, rest) = words.split_at_checked(count).filter(|_| count > 0)?;
        words = rest;
        Some(inst)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_words_become_older_ones() {
        let inst = |op: u32, operands: &[u32]| {
            let mut words = vec![(operands.len() as u32 + 1) << 16 | op];
            words.extend(operands);
            words
        };
        let module =
            |version: u32, insts: &[Vec<u32>]| [&[7, version, 0, 9, 0][..], &insts.concat()].concat();
        let constants = [inst(OP_CONSTANT, &[1, 2, 64]), inst(OP_CONSTANT, &[1, 3, 1])].concat();
        let own = inst(OP_EXECUTION_MODE_ID, &[5, 6028, 3]);
        let new = module(
            0x0001_0600,
            &[
                inst(OP_EXECUTION_MODE_ID, &[5, 38, 2, 3, 3]),
                own.clone(),
                inst(OP_DECORATE_STRING, &[6, USER_SEMANTIC, 0]),
                inst(OP_MEMBER_DECORATE_STRING, &[6, 0, USER_SEMANTIC, 0]),
                constants.clone(),
            ],
        );
        let old = module(VERSION, &[inst(OP_EXECUTION_MODE, &[5, 17, 64, 1, 1]), own, constants]);
        assert_eq!(readable(&new), old);
        assert_eq!(readable(&old), old);
    }
}
