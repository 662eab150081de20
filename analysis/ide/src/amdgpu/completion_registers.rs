//! Completion of registers in AMDGPU assembly.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::{Reg, RegFile, RegisterSet, Target, named_register};
use wavelens_syntax::amdgpu::AmdgpuKind::IDENT;

use super::completion::List;
use super::completion_order::{NEXT, statements_above};
use crate::answers::CompletionKind;

/// Lines before and after the cursor in which a value's definition and its uses are looked for.
const LINES: usize = 160;
/// Lines below within which a value that nothing defines is what the cursor's instruction must compute.
const NEAR: usize = 8;

/// What precedes the numbers of a register in brackets.
const REGISTER_FILES: [(&str, RegFile); 5] = [
    ("v", RegFile::Vgpr),
    ("s", RegFile::Sgpr),
    ("a", RegFile::Agpr),
    ("acc", RegFile::Agpr),
    ("ttmp", RegFile::Ttmp),
];

/// The registers around the cursor.
pub(super) struct Used {
    all: FxHashSet<Reg>,
    /// What the lines around do with each dword.
    lives: FxHashMap<Dword, Life>,
    /// Whether the operand is what the instruction writes.
    is_result: bool,
    /// The one after that of the last line with the same mnemonic.
    next: Option<Reg>,
    /// Accumulators are written `acc0`, not `a0`.
    writes_acc: bool,
}

type Dword = (RegFile, u16);

/// The closest uses of a register before and after the cursor.
#[derive(Debug, Default, Clone, Copy)]
struct Life {
    above: Option<Touch>,
    /// With the number of lines to it.
    below: Option<(Touch, usize)>,
    /// Whether the cursor's instruction names it elsewhere.
    is_here: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read,
    Written,
}

impl Used {
    /// How late a register is proposed: values go from an instruction that writes them to those that read them.
    fn rank(&self, reg: Reg) -> Option<u8> {
        let dwords = (reg.index..reg.index + u16::from(reg.dwords)).map(|index| (reg.file, index));
        let lives: Option<Vec<Life>> = dwords.map(|dword| self.lives.get(&dword).copied()).collect();
        let lives = lives?;
        let is_read_below = |life: &Life| life.below.is_some_and(|(touch, _)| touch == Touch::Read);
        if self.is_result {
            let near = |life: &Life| life.below.is_some_and(|(_, lines)| lines < NEAR);
            let is_wanted = lives.iter().all(is_read_below);
            // What was written above and read nowhere would be lost.
            let is_lost = lives.iter().any(|life| life.above == Some(Touch::Written));
            let is_here = lives.iter().all(|life| life.is_here);
            return Some(match (is_wanted, is_lost) {
                (true, false) if is_here => 18,
                (true, false) if lives.iter().all(near) => 20,
                (true, false) => 28,
                (false, false) => 40,
                (_, true) => 42,
            });
        }
        let is_unread = lives.iter().all(|life| life.above == Some(Touch::Written));
        let is_known = lives.iter().all(|life| life.above.is_some());
        Some(match (is_unread, lives.iter().any(is_read_below)) {
            (true, false) => 18,
            (true, true) => 28,
            _ if is_known => 34,
            _ => 40,
        })
    }
}

impl List<'_, '_> {
    /// The registers around the cursor, which is in an operand of a statement.
    pub(super) fn used(&self, statement: &str) -> Used {
        let text = self.cx.text;
        let is_accumulator = |after: &str| after.starts_with(|c: char| c == '[' || c.is_ascii_digit());
        let writes_acc = text.match_indices("acc").any(|(at, acc)| is_accumulator(&text[at + acc.len()..]));
        let is_result = !statement.contains(',') && writes_first(statement);
        let (all, lives) = (self.registers_in_use(), self.lives(statement, is_result));
        Used { all, lives, is_result, next: self.next_in_sequence(statement), writes_acc }
    }

    /// The register that goes on with those in the same operand of the lines before, if these have the same mnemonic.
    fn next_in_sequence(&self, statement: &str) -> Option<Reg> {
        let mnemonic = statement.split_whitespace().next()?;
        let operand = statement.matches(',').count();
        let register = |line: &str| {
            let operands = line.strip_prefix(mnemonic)?.strip_prefix(char::is_whitespace)?;
            named_register(operands.split(',').nth(operand)?.split_whitespace().next()?)
        };
        let mut lines = statements_above(self.before()).map(register);
        let last = lines.next().flatten().filter(|last| last.file != RegFile::Special)?;
        let first = lines.next().flatten();
        let first = first.filter(|first| (first.file, first.dwords) == (last.file, last.dwords));
        let step =
            first.map_or(i32::from(last.dwords), |first| i32::from(last.index) - i32::from(first.index));
        let index = u16::try_from(i32::from(last.index) + step).ok()?;
        Some(Reg { index, ..last })
    }

    /// What the lines before and after do with registers, up to the ends of the function.
    fn lives(&self, statement: &str, is_result: bool) -> FxHashMap<Dword, Life> {
        let mut lives: FxHashMap<Dword, Life> = FxHashMap::default();
        let after = self.cx.text.get(usize::from(self.range.end())..).unwrap_or("");
        // The cursor's instruction reads before it writes.
        let rest = after.lines().next().unwrap_or("");
        let own = format!("{}{}{rest}", statement.trim_start(), if is_result { "null" } else { "" });
        for (dword, touch) in touches(&own) {
            let life = lives.entry(dword).or_default();
            match touch {
                Touch::Read => life.above = Some(Touch::Read),
                Touch::Written => life.below = Some((Touch::Written, 0)),
            }
            life.is_here = true;
        }
        for line in self.before().lines().rev().skip(1).take(LINES).take_while(|line| !ends_function(line)) {
            for (dword, touch) in touches(line) {
                lives.entry(dword).or_default().above.get_or_insert(touch);
            }
        }
        for (count, line) in after.lines().enumerate().skip(1).take(LINES) {
            for (dword, touch) in touches(line).into_iter().rev() {
                lives.entry(dword).or_default().below.get_or_insert((touch, count));
            }
            if ends_function(line) {
                break;
            }
        }
        lives
    }

    /// The registers that the chunk names, as they are written.
    pub(super) fn registers_in_use(&self) -> FxHashSet<Reg> {
        let lexed = &self.cx.lowered.lexed;
        let tokens = (0..lexed.len()).filter(|t| lexed.kind(*t) == IDENT);
        tokens.filter_map(|t| super::hover::register_around(self.cx, t)).map(|(_, reg)| reg).collect()
    }

    pub(super) fn registers(&mut self, target: Target, set: RegisterSet, used: &Used) {
        if self.is_before_bracket() {
            let all = set.all(target);
            let has = |file: RegFile| all.iter().any(|reg| reg.file == file);
            let files = REGISTER_FILES.iter().filter(|(_, file)| has(*file));
            return files.for_each(|(name, _)| self.add(CompletionKind::Register, name, 30));
        }
        for reg in set.all(target) {
            let rank = match (used.rank(reg), reg.file) {
                _ if used.next == Some(reg) => NEXT,
                (Some(rank), _) => rank,
                _ if used.all.contains(&reg) => 36,
                (_, RegFile::Special) => 45,
                (_, RegFile::Agpr) => 62,
                (_, RegFile::Ttmp) => 65,
                _ => 60,
            };
            let name = reg.name();
            let accumulator = name.strip_prefix('a').filter(|_| reg.file == RegFile::Agpr && used.writes_acc);
            let name = accumulator.map_or(name.clone(), |number| format!("acc{number}"));
            self.add(CompletionKind::Register, &name, rank);
        }
    }

    /// Whether the numbers of a register follow what is typed: `v` in `v[0:1]`.
    fn is_before_bracket(&self) -> bool {
        self.cx.text.get(usize::from(self.range.end())..).is_some_and(|after| after.starts_with('['))
    }
}

/// Whether control does not go on past a line.
fn ends_function(line: &str) -> bool {
    line.starts_with(".Lfunc_end") || line.split_whitespace().next().is_some_and(|word| word == "s_endpgm")
}

/// Whether the first operand of an instruction is its result.
fn writes_first(statement: &str) -> bool {
    let mnemonic = statement.split_whitespace().next().unwrap_or("");
    let reads =
        ["_store", "ds_write", "s_cmp", "s_bitcmp", "v_cmpx", "s_set", "_atomic_", "s_cbranch", "exp"];
    !reads.iter().any(|part| mnemonic.contains(part))
}

/// The registers that a line reads and writes, the reads last: an instruction may read what it writes.
fn touches(line: &str) -> Vec<(Dword, Touch)> {
    let line = line.split([';', '/']).next().unwrap_or("").trim();
    let mut found = Vec::new();
    if !line.starts_with(|c: char| c.is_ascii_lowercase()) {
        return found;
    }
    for half in line.split("::") {
        let Some((mnemonic, operands)) = half.trim().split_once(char::is_whitespace) else { continue };
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_[]:".contains(c);
        let registers = |operand: &str| -> Vec<Dword> {
            let words = operand.split(|c| !is_word(c)).filter_map(named_register);
            words
                .flat_map(|reg| (reg.index..reg.index + u16::from(reg.dwords)).map(move |at| (reg.file, at)))
                .collect()
        };
        let (first, others) = operands.split_once(',').unwrap_or((operands, ""));
        let first = registers(first).into_iter();
        let is_sum = mnemonic.contains("mac_") || mnemonic.contains("dot2c");
        match writes_first(mnemonic) && !is_sum {
            true => found.extend(first.map(|dword| (dword, Touch::Written))),
            false => found.extend(first.map(|dword| (dword, Touch::Read))),
        }
        found.extend(registers(others).into_iter().map(|dword| (dword, Touch::Read)));
    }
    found
}
