//! The source lines of machine code, found by experiment: Mesa drops OpLine. Operations are replaced one by one by others of the same
//! shape (an addition by a subtraction). A machine instruction that changes with one line's operations only comes from that line;
//! the others are left without a line.

use std::collections::BTreeSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// An operation that changes more machine instructions than this changes the code around it too.
const MOST_CHANGES: usize = 12;

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

    /// Takes the disassembly with a line's operation replaced; whether it tells something.
    pub(super) fn compare(&mut self, line: u32, assembly: &str) -> bool {
        let changed = changes(&self.base, &shapes(assembly));
        if changed.len() > MOST_CHANGES {
            return false;
        }
        let is_told = changed.iter().any(|at| self.base.get(*at).is_some_and(|line| !is_filler(line)));
        for at in changed {
            if let Some(lines) = self.changed_by.get_mut(at) {
                lines.insert(line);
            }
        }
        is_told
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

/// Lines in whose place another instruction with the same operands is, or the same one with another literal.
fn changes(base: &[String], other: &[String]) -> Vec<usize> {
    let mut changed = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, base, other) {
        if let DiffOp::Replace { old_index, old_len, new_index, new_len } = op
            && old_len == new_len
        {
            let pairs = (old_index..).zip(base.iter().skip(old_index).zip(other.iter().skip(new_index)));
            let replaced = pairs.take(old_len).filter(|(_, (old, new))| is_replaced(old, new));
            changed.extend(replaced.map(|(at, _)| at));
        }
    }
    changed
}

fn is_replaced(old: &str, new: &str) -> bool {
    let (before, after) = (operands(old), operands(new));
    if before == after {
        return true;
    }
    let mnemonic = |text: &str| text.split(' ').next().unwrap_or("").to_owned();
    let differing: Vec<_> = before.iter().zip(&after).filter(|(one, two)| one != two).collect();
    // The offset of an address is not the instruction's own.
    let is_memory = ["buffer_", "global_", "flat_", "scratch_", "ds_", "s_load", "s_buffer", "image_"];
    mnemonic(old) == mnemonic(new)
        && before.len() == after.len()
        && matches!(differing[..], [(one, two)] if is_literal(one) && is_literal(two))
        && !is_memory.iter().any(|name| old.starts_with(name))
}

fn is_literal(operand: &str) -> bool {
    operand.starts_with(|c: char| c.is_ascii_digit())
}

/// The operands of an instruction without signs and cache bits, which replacements change.
fn operands(line: &str) -> Vec<&str> {
    let is_bit = |word: &&str| matches!(*word, "" | "glc" | "slc" | "dlc");
    let words = line.split([' ', ',']).skip(1).filter(|word| !is_bit(word));
    let words = words.map(|word| word.trim_start_matches('-').trim_matches('|'));
    if !line.starts_with("image_") {
        return words.collect();
    }
    // A bias is one more register of the address.
    let mut all: Vec<&str> = words.map(|word| word.trim_matches(['[', ']'])).collect();
    all.dedup();
    all
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
}
