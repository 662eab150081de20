//! Operations of a SPIR-V module, and others of the same shape that could be in their place.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::asm::LINE_MARK;

/// Words before the first instruction, and that of the bound of ids.
const HEADER: usize = 5;
const BOUND: usize = 3;

// Opcodes of the SPIR-V specification, section 3.52.
const OP_LINE: u32 = 8;
const OP_EXT_INST: u32 = 12;
const OP_TYPE_INT: u32 = 21;
const OP_TYPE_FLOAT: u32 = 22;
const OP_CONSTANT: u32 = 43;
const OP_FUNCTION: u32 = 54;
const OP_VARIABLE: u32 = 59;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;
const OP_ACCESS_CHAIN: u32 = 65;
const OP_IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
const OP_IMAGE_SAMPLE_IMPLICIT_LOD: u32 = 87;
/// Arithmetic, bits, comparisons and selections, from OpConvertFToU to OpBitCount.
const COMPUTES: std::ops::RangeInclusive<u32> = 109..=205;

/// Operations with the same operands and types of which the compiler makes different instructions.
const TWINS: &[(u32, u32)] = &[
    (109, 110), // OpConvertFToU, OpConvertFToS
    (112, 111), // OpConvertUToF, OpConvertSToF
    (128, 130), // OpIAdd, OpISub
    (129, 131), // OpFAdd, OpFSub
    (132, 128), // OpIMul, OpIAdd
    (133, 129), // OpFMul, OpFAdd
    (166, 167), // OpLogicalOr, OpLogicalAnd
    (170, 171), // OpIEqual, OpINotEqual
    (172, 176), // OpUGreaterThan, OpULessThan
    (173, 177), // OpSGreaterThan, OpSLessThan
    (174, 178), // OpUGreaterThanEqual, OpULessThanEqual
    (175, 179), // OpSGreaterThanEqual, OpSLessThanEqual
    (180, 182), // OpFOrdEqual, OpFOrdNotEqual
    (181, 183), // OpFUnordEqual, OpFUnordNotEqual
    (184, 186), // OpFOrdLessThan, OpFOrdGreaterThan
    (185, 187), // OpFUnordLessThan, OpFUnordGreaterThan
    (188, 190), // OpFOrdLessThanEqual, OpFOrdGreaterThanEqual
    (189, 191), // OpFUnordLessThanEqual, OpFUnordGreaterThanEqual
    (194, 196), // OpShiftRightLogical, OpShiftLeftLogical
    (195, 196), // OpShiftRightArithmetic, OpShiftLeftLogical
    (197, 199), // OpBitwiseOr, OpBitwiseAnd
    (198, 199), // OpBitwiseXor, OpBitwiseAnd
    (207, 208), // OpDPdx, OpDPdy
    (234, 240), // OpAtomicIAdd, OpAtomicAnd
    (236, 238), // OpAtomicSMin, OpAtomicSMax
    (237, 239), // OpAtomicUMin, OpAtomicUMax
    (241, 240), // OpAtomicOr, OpAtomicAnd
    (242, 240), // OpAtomicXor, OpAtomicAnd
];

/// Likewise in GLSL.std.450.
const EXT_TWINS: &[(u32, u32)] = &[
    (8, 9),   // Floor, Ceil
    (3, 9),   // Trunc, Ceil
    (10, 8),  // Fract, Floor
    (13, 14), // Sin, Cos
    (29, 30), // Exp2, Log2
    (31, 32), // Sqrt, InverseSqrt
    (37, 40), // FMin, FMax
    (38, 41), // UMin, UMax
    (39, 42), // SMin, SMax
];

/// UniformConstant, Input, Output, Private, Function, PushConstant: storage classes of variables that are in registers, or whose loads
/// are not changed by memory operands.
const NO_MEMORY: &[u32] = &[0, 1, 3, 6, 7, 9];
/// A memory operand that sets cache bits of the machine instruction.
const VOLATILE: u32 = 1;
/// An image operand that makes `image_sample_b` of `image_sample`.
const BIAS: u32 = 1;

/// A module without lines, and the operations that can be replaced.
#[derive(Debug, PartialEq)]
pub(super) struct Source {
    pub(super) words: Vec<u32>,
    pub(super) operations: Vec<Operation>,
    /// Where a constant can be added: before the first function.
    functions: usize,
}

/// An operation, where it is in the words, its line of the user's text from 0, and what it can be replaced by.
#[derive(Debug, PartialEq)]
pub(super) struct Operation {
    at: Range<usize>,
    pub(super) line: u32,
    pub(super) twins: Vec<Twin>,
}

/// What an operation is replaced by.
#[derive(Debug, PartialEq)]
pub(super) struct Twin {
    words: Vec<u32>,
    /// Type and value of a new constant, whose id is the module's bound.
    constant: Option<(u32, u32)>,
}

/// Types of 32 bits, and constants that have one.
#[derive(Default)]
struct Constants {
    /// Whether a type is a floating-point type.
    types: HashMap<u32, bool>,
    values: HashMap<u32, (u32, u32)>,
}

impl Source {
    /// Takes our own OpLine out of a module.
    pub(super) fn read(words: &[u32]) -> Source {
        let (header, mut rest) = words.split_at(words.len().min(HEADER));
        let bound = header.get(BOUND).copied().unwrap_or(0);
        let mut source = Source { words: header.to_vec(), operations: Vec::new(), functions: 0 };
        let (mut line, mut constants) = (None, Constants::default());
        let mut registers = HashSet::new();
        while let Some(first) = rest.first() {
            let (inst, after) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
            rest = after;
            if let [_, _, number, LINE_MARK] = inst
                && first & 0xffff == OP_LINE
            {
                line = number.checked_sub(1);
                continue;
            }
            if first & 0xffff == OP_FUNCTION && source.functions == 0 {
                source.functions = source.words.len();
            }
            constants.read(inst);
            match (first & 0xffff, inst) {
                (OP_VARIABLE, [_, _, id, class, ..]) if NO_MEMORY.contains(class) => {
                    registers.insert(*id);
                }
                (OP_ACCESS_CHAIN | OP_IN_BOUNDS_ACCESS_CHAIN, [_, _, id, base, ..])
                    if registers.contains(base) =>
                {
                    registers.insert(*id);
                }
                _ => {}
            }
            let at = source.words.len()..source.words.len() + inst.len();
            if let Some(line) = line.take() {
                let other = twin(inst, &registers).map(|words| Twin { words, constant: None });
                let twins: Vec<Twin> = other.into_iter().chain(constants.twin(inst, bound)).collect();
                if !twins.is_empty() {
                    source.operations.push(Operation { at, line, twins });
                }
            }
            source.words.extend(inst);
        }
        source
    }

    /// The module with one operation replaced.
    pub(super) fn with_twin(&self, operation: &Operation, twin: &Twin) -> Vec<u32> {
        let mut words = self.words.clone();
        words.splice(operation.at.clone(), twin.words.iter().copied());
        if let Some((type_, value)) = twin.constant
            && let Some(bound) = words.get_mut(BOUND)
        {
            let id = *bound;
            *bound += 1;
            words.splice(self.functions..self.functions, [4 << 16 | OP_CONSTANT, type_, id, value]);
        }
        words
    }
}

/// The instruction with another opcode, or with a memory operand; `registers` are pointers to variables in registers.
fn twin(inst: &[u32], registers: &HashSet<u32>) -> Option<Vec<u32>> {
    let mut twin = inst.to_vec();
    let opcode = inst.first()? & 0xffff;
    // The memory operands, if there are any.
    let memory = match opcode {
        OP_LOAD if !registers.contains(inst.get(3)?) => Some(4),
        OP_STORE if !registers.contains(inst.get(1)?) => Some(3),
        OP_LOAD | OP_STORE => return None,
        _ => None,
    };
    match memory {
        Some(at) if inst.len() == at => twin.push(VOLATILE),
        Some(at) if inst.get(at)? & VOLATILE == 0 => *twin.get_mut(at)? |= VOLATILE,
        Some(_) => return None,
        None if opcode == OP_EXT_INST => *twin.get_mut(4)? = other(EXT_TWINS, *inst.get(4)?)?,
        None => *twin.first_mut()? = other(TWINS, opcode)?,
    }
    *twin.first_mut()? = (twin.len() as u32) << 16 | twin.first()? & 0xffff;
    Some(twin)
}

fn other(twins: &[(u32, u32)], of: u32) -> Option<u32> {
    twins.iter().find_map(|&(one, two)| match of {
        _ if of == one => Some(two),
        _ if of == two => Some(one),
        _ => None,
    })
}

impl Constants {
    fn read(&mut self, inst: &[u32]) {
        match (inst.first().map_or(0, |first| first & 0xffff), inst) {
            (OP_TYPE_INT, [_, id, 32, _]) => drop(self.types.insert(*id, false)),
            (OP_TYPE_FLOAT, [_, id, 32]) => drop(self.types.insert(*id, true)),
            (OP_CONSTANT, [_, type_, id, value]) if self.types.contains_key(type_) => {
                self.values.insert(*id, (*type_, *value));
            }
            _ => {}
        }
    }

    /// The instruction with a new constant.
    fn twin(&self, inst: &[u32], id: u32) -> Option<Twin> {
        let opcode = inst.first()? & 0xffff;
        let mut words = inst.to_vec();
        if opcode == OP_IMAGE_SAMPLE_IMPLICIT_LOD && inst.len() == 5 {
            let (type_, _) = self.types.iter().find(|(_, is_float)| **is_float)?;
            words.extend([BIAS, id]);
            *words.first_mut()? += 2 << 16;
            return Some(Twin { words, constant: Some((*type_, 1.0f32.to_bits())) });
        }
        let first = match opcode {
            OP_EXT_INST => 5,
            _ if COMPUTES.contains(&opcode) => 3,
            _ => return None,
        };
        let operands = inst.iter().enumerate().skip(first);
        let (at, type_, value) = operands
            .filter_map(|(at, word)| {
                let (type_, value) = self.values.get(word)?;
                Some((at, *type_, self.near(*type_, *value)?))
            })
            .next()?;
        *words.get_mut(at)? = id;
        Some(Twin { words, constant: Some((type_, value)) })
    }

    /// Another constant that an instruction holds in the same way: in itself, or as a literal of 32 bits.
    fn near(&self, type_: u32, value: u32) -> Option<u32> {
        if *self.types.get(&type_)? {
            let inline = [0.5f32, 1.0, 2.0, 4.0, 0.0].iter().any(|f| f.to_bits() == value & 0x7fff_ffff);
            return (!inline && f32::from_bits(value).is_normal()).then_some(value ^ 1);
        }
        // Small numbers and powers of two are often part of something else.
        match value {
            3..=62 if !value.is_power_of_two() && !(value + 2).is_power_of_two() => Some(value + 2),
            0..=64 | 0xffff_fff0.. => None,
            _ => Some(value ^ 4).filter(|v| !v.is_power_of_two() && !value.is_power_of_two()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [u32; 4] = [4 << 16 | OP_LINE, 9, 12, LINE_MARK];

    #[test]
    fn operations_are_read_with_their_lines() {
        let (add, load) = ([5 << 16 | 128, 1, 2, 3, 4], [4 << 16 | OP_LOAD, 1, 5, 6]);
        let words = [&[0; 5][..], &LINE, &add, &LINE, &load, &[1 << 16 | 253]].concat();
        let source = Source::read(&words);
        assert_eq!(source.words, [&[0; 5][..], &add, &load, &[1 << 16 | 253]].concat());
        let [one, two] = &source.operations[..] else { panic!("{source:?}") };
        assert_eq!((one.line, &source.with_twin(one, &one.twins[0])[5..7]), (11, &[5 << 16 | 130, 1][..]));
        assert_eq!(source.with_twin(two, &two.twins[0])[10..15], [5 << 16 | OP_LOAD, 1, 5, 6, VOLATILE]);
    }

    #[test]
    fn variables_in_registers_are_left_alone() {
        let variable = [4 << 16 | OP_VARIABLE, 1, 5, 7];
        let chain = [5 << 16 | OP_ACCESS_CHAIN, 2, 6, 5, 3];
        let (load, store) = ([4 << 16 | OP_LOAD, 1, 7, 6], [3 << 16 | OP_STORE, 5, 7]);
        let words = [&[0; 5][..], &variable, &chain, &LINE, &load, &LINE, &store].concat();
        assert_eq!(Source::read(&words).operations, []);
    }

    #[test]
    fn a_literal_is_replaced_by_one_of_the_same_size() {
        let type_ = [4 << 16 | OP_TYPE_INT, 1, 32, 0];
        let constant = [4 << 16 | OP_CONSTANT, 1, 2, 0x1234_5678];
        let (function, divide) = ([1 << 16 | OP_FUNCTION], [5 << 16 | 134, 1, 4, 3, 2]);
        let words = [&[0, 0, 0, 5, 0][..], &type_, &constant, &function, &LINE, &divide].concat();
        let source = Source::read(&words);
        let [only] = &source.operations[..] else { panic!("{source:?}") };
        let new = [4 << 16 | OP_CONSTANT, 1, 5, 0x1234_567c];
        let divide = [5 << 16 | 134, 1, 4, 3, 5];
        let expected = [&[0, 0, 0, 6, 0][..], &type_, &constant, &new, &function, &divide].concat();
        assert_eq!(source.with_twin(only, &only.twins[0]), expected);
    }
}
