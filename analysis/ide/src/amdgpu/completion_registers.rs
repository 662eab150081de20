//! Completion of registers in AMDGPU assembly.

use rustc_hash::FxHashSet;
use wavelens_isa::{Reg, RegFile, RegisterSet, Target, named_register};
use wavelens_syntax::amdgpu::AmdgpuKind::IDENT;

use super::completion::List;
use super::completion_order::{NEXT, statements_above};
use crate::answers::CompletionKind;

/// Instructions before the cursor whose results are looked at.
const RESULTS: usize = 24;

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
    /// Those that hold a result which is not read yet.
    unread: FxHashSet<Reg>,
    /// The one after that of the last line with the same mnemonic.
    next: Option<Reg>,
    /// Accumulators are written `acc0`, not `a0`.
    writes_acc: bool,
}

impl List<'_, '_> {
    /// The registers around the cursor, which is in an operand of a statement.
    pub(super) fn used(&self, statement: &str) -> Used {
        let text = self.cx.text;
        let is_accumulator = |after: &str| after.starts_with(|c: char| c == '[' || c.is_ascii_digit());
        let writes_acc = text.match_indices("acc").any(|(at, acc)| is_accumulator(&text[at + acc.len()..]));
        let (all, unread) = (self.registers_in_use(), self.unread_results());
        Used { all, unread, next: self.next_in_sequence(statement), writes_acc }
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

    /// The results of the last instructions that none reads so far.
    fn unread_results(&self) -> FxHashSet<Reg> {
        let (mut read, mut found) = (FxHashSet::default(), FxHashSet::default());
        for line in self.before().lines().rev().skip(1).take(RESULTS) {
            let Some((_, operands)) = line.trim().split_once(char::is_whitespace) else { continue };
            let mut names =
                operands.split(',').map(|operand| operand.split([';', ' ']).find(|w| !w.is_empty()));
            let result = names.next().flatten().and_then(named_register);
            found.extend(result.filter(|result| !read.contains(result)));
            read.extend(names.flatten().filter_map(named_register));
            read.extend(result);
        }
        found
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
            let rank = match reg.file {
                _ if used.next == Some(reg) => NEXT,
                _ if used.unread.contains(&reg) => 28,
                _ if used.all.contains(&reg) => 36,
                RegFile::Special => 45,
                RegFile::Agpr => 62,
                RegFile::Ttmp => 65,
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
