//! The source lines of machine code, found by experiment: Mesa drops OpLine. Operations are replaced one by one by others of the same
//! shape (an addition by a subtraction). A machine instruction that changes with one line's operations only comes from that line;
//! the others are left without a line.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::asm::LINE_MARK;

/// Words before the first instruction.
const HEADER: usize = 5;
/// An operation that changes more machine instructions than this changes the code around it too.
const MOST_CHANGES: usize = 12;

// Opcodes of the SPIR-V specification, section 3.52.
const OP_LINE: u32 = 8;
const OP_EXT_INST: u32 = 12;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;

/// Operations with the same operands and types of which the compiler makes different instructions.
const TWINS: &[(u32, u32)] = &[
    (109, 110), // OpConvertFToU, OpConvertFToS
    (112, 111), // OpConvertUToF, OpConvertSToF
    (128, 130), // OpIAdd, OpISub
    (129, 131), // OpFAdd, OpFSub
    (132, 128), // OpIMul, OpIAdd
    (133, 129), // OpFMul, OpFAdd
    (170, 171), // OpIEqual, OpINotEqual
    (172, 176), // OpUGreaterThan, OpULessThan
    (173, 177), // OpSGreaterThan, OpSLessThan
    (174, 178), // OpUGreaterThanEqual, OpULessThanEqual
    (175, 179), // OpSGreaterThanEqual, OpSLessThanEqual
    (180, 182), // OpFOrdEqual, OpFOrdNotEqual
    (184, 186), // OpFOrdLessThan, OpFOrdGreaterThan
    (188, 190), // OpFOrdLessThanEqual, OpFOrdGreaterThanEqual
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
    (13, 14), // Sin, Cos
    (29, 30), // Exp2, Log2
    (31, 32), // Sqrt, InverseSqrt
    (37, 40), // FMin, FMax
    (38, 41), // UMin, UMax
    (39, 42), // SMin, SMax
];

/// A memory operand that sets cache bits of the machine instruction.
const VOLATILE: u32 = 1;

/// A module without lines, and the operations that can be replaced.
#[derive(Debug, PartialEq)]
pub(super) struct Source {
    pub(super) words: Vec<u32>,
    pub(super) operations: Vec<Operation>,
}

/// An operation, where it is in the words, its line of the user's text from 0, and what it is replaced by.
#[derive(Debug, PartialEq)]
pub(super) struct Operation {
    at: Range<usize>,
    pub(super) line: u32,
    twin: Vec<u32>,
}

impl Source {
    /// Takes our own OpLine out of a module.
    pub(super) fn read(words: &[u32]) -> Source {
        let (header, mut rest) = words.split_at(words.len().min(HEADER));
        let mut source = Source { words: header.to_vec(), operations: Vec::new() };
        let mut line = None;
        while let Some(first) = rest.first() {
            let (inst, after) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
            rest = after;
            if let [_, _, number, LINE_MARK] = inst
                && first & 0xffff == OP_LINE
            {
                line = number.checked_sub(1);
                continue;
            }
            let at = source.words.len()..source.words.len() + inst.len();
            if let Some(line) = line.take()
                && let Some(twin) = twin(inst)
            {
                source.operations.push(Operation { at, line, twin });
            }
            source.words.extend(inst);
        }
        source
    }

    /// The module with one operation replaced.
    pub(super) fn with_twin(&self, operation: &Operation) -> Vec<u32> {
        let mut words = self.words.clone();
        words.splice(operation.at.clone(), operation.twin.iter().copied());
        words
    }
}

fn twin(inst: &[u32]) -> Option<Vec<u32>> {
    let mut twin = inst.to_vec();
    let opcode = inst.first()? & 0xffff;
    match (opcode, inst.len()) {
        (OP_EXT_INST, _) => *twin.get_mut(4)? = other(EXT_TWINS, *inst.get(4)?)?,
        // Without memory operands.
        (OP_LOAD, 4) | (OP_STORE, 3) => twin.push(VOLATILE),
        (OP_LOAD | OP_STORE, _) => return None,
        _ => *twin.first_mut()? = other(TWINS, opcode)?,
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

/// The lines of one stage's instructions, as far as experiments tell.
#[derive(Debug)]
pub(super) struct Attribution {
    base: Vec<String>,
    /// The source lines whose operations change each machine instruction.
    changed_by: Vec<BTreeSet<u32>>,
}

impl Attribution {
    pub(super) fn new(assembly: &str) -> Attribution {
        let base = shapes(assembly);
        Attribution { changed_by: vec![BTreeSet::new(); base.len()], base }
    }

    /// Takes the disassembly with a line's operation replaced.
    pub(super) fn compare(&mut self, line: u32, assembly: &str) {
        let changed = changes(&self.base, &shapes(assembly));
        if changed.len() > MOST_CHANGES {
            return;
        }
        for at in changed {
            if let Some(lines) = self.changed_by.get_mut(at) {
                lines.insert(line);
            }
        }
    }

    /// The source line of each line of the disassembly.
    pub(super) fn lines(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.base.iter().zip(&self.changed_by).map(|(shape, lines)| match lines.len() {
            1 if !is_filler(shape) => lines.first().copied(),
            _ => None,
        })
    }
}

/// Waits and the like, which any change around them changes.
fn is_filler(shape: &str) -> bool {
    let fillers =
        ["s_waitcnt", "s_nop", "s_clause", "s_delay_alu", "s_inst_prefetch", "s_cbranch", "s_cselect", "BB"];
    shape.is_empty() || fillers.iter().any(|filler| shape.starts_with(filler))
}

/// Lines in whose place another instruction with the same operands is.
fn changes(base: &[String], other: &[String]) -> Vec<usize> {
    let mut changed = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, base, other) {
        if let DiffOp::Replace { old_index, old_len, new_index, new_len } = op
            && old_len == new_len
        {
            let at =
                |i: usize| Some((operands(base.get(old_index + i)?), operands(other.get(new_index + i)?)));
            let is_replaced = |i: &usize| at(*i).is_some_and(|(old, new)| old == new);
            changed.extend((0..old_len).filter(is_replaced).map(|i| old_index + i));
        }
    }
    changed
}

/// The operands of an instruction without signs and cache bits, which replacements change.
fn operands(shape: &str) -> Vec<&str> {
    let words = shape.split([' ', ',']).skip(1).filter(|word| !matches!(*word, "" | "glc" | "slc" | "dlc"));
    words.map(|word| word.trim_start_matches('-').trim_matches('|')).collect()
}

/// Instructions without encodings and numbers of registers, which the allocator chooses.
fn shapes(assembly: &str) -> Vec<String> {
    assembly.lines().map(|line| shape(line.split(" ; ").next().unwrap_or(line).trim())).collect()
}

fn shape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_start = !out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let number = rest.get(1..).filter(|_| is_start && matches!(c, 'v' | 's' | 'a')).unwrap_or("");
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let length = match number.strip_prefix('[').and_then(|range| range.find(']')) {
            Some(end) => end + 2,
            None => digits,
        };
        out.push(c);
        rest = &rest[c.len_utf8() + length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const BASE: &str =
        "\tv_add_f32 v1, v2, v3 ; 02020702\n\ts_waitcnt vmcnt(0)\n\tv_mul_f32_e64 v4, -v1, s[0:1]\n";

    #[test]
    fn shapes_have_no_register_numbers() {
        expect![[r#"
            [
                "v_add_f32 v, v, v",
                "s_waitcnt vmcnt(0)",
                "v_mul_f32_e64 v, -v, s",
            ]
        "#]]
        .assert_debug_eq(&shapes(BASE));
    }

    #[test]
    fn a_line_is_told_by_what_changes_with_it_alone() {
        let mut attribution = Attribution::new(BASE);
        attribution.compare(7, &BASE.replace("v_add", "v_sub").replace("vmcnt(0)", "vmcnt(1)"));
        attribution.compare(8, &BASE.replace("v_mul", "v_add"));
        assert_eq!(attribution.lines().collect::<Vec<_>>(), [Some(7), None, Some(8)]);
        attribution.compare(9, &BASE.replace("v_mul", "v_sub"));
        assert_eq!(attribution.lines().collect::<Vec<_>>(), [Some(7), None, None]);
    }

    #[test]
    fn operations_are_read_with_their_lines() {
        let line = [4 << 16 | OP_LINE, 9, 12, LINE_MARK];
        let (add, load) = ([5 << 16 | 128, 1, 2, 3, 4], [4 << 16 | OP_LOAD, 1, 5, 6]);
        let words = [&[0; 5][..], &line, &add, &line, &load, &[1 << 16 | 253]].concat();
        let source = Source::read(&words);
        assert_eq!(source.words, [&[0; 5][..], &add, &load, &[1 << 16 | 253]].concat());
        let [one, two] = &source.operations[..] else { panic!("{source:?}") };
        assert_eq!((one.line, &source.with_twin(one)[5..7]), (11, &[5 << 16 | 130, 1][..]));
        assert_eq!(source.with_twin(two)[10..15], [5 << 16 | OP_LOAD, 1, 5, 6, VOLATILE]);
    }
}
