//! Lowering after an edit: the instructions around it are read again, those before and after are taken over.
//!
//! How an instruction is read depends on its own words, on the first words of the next one, and on how the one before ended. So
//! reading starts an instruction before the edit, and stops once three in a row after it were read as they were before.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use thin_vec::ThinVec;
use wavelens_syntax::spirv::words;

use super::{Lowered, Lowering};
use crate::difference::{common_ends, line_end, moved_range};
use crate::rare::Rare;
use crate::spirv::flat::{Flat, FlatInst, FlatOperand, Form, NONE, Names};
use crate::{TextRange, TextSize};

/// How many instructions in a row must be read as before.
const SETTLED: usize = 3;

/// Bytes after the edit that are cut into words at first.
const WINDOW: usize = 1 << 10;

/// Lowers a text that differs in one place from one that was lowered before. `None` if it has to be read as a whole.
pub(super) fn lower(text: &str, before: &str, old: &Lowered) -> Option<Lowered> {
    if !old.is_plain || !old.flat.is_only_function() {
        return None;
    }
    let (prefix, suffix) = common_ends(before.as_bytes(), text.as_bytes());
    let first = old.inst_ranges.partition_point(|range| usize::from(range.end()) < prefix).checked_sub(1)?;
    let last = first.checked_sub(1)?;
    let start = usize::from(old.inst_ranges.get(first)?.start());
    let mut window = WINDOW;
    loop {
        let end = line_end(text, text.len() - suffix + window);
        let mut lowering = Lowering::new(text, words(text, start..end));
        // The instruction before is only looked back at.
        lowering.flat.insts.push(FlatInst { first: 0, count: 0, ..*old.flat.insts.get(last)? });
        lowering.inst_ranges.push(*old.inst_ranges.get(last)?);
        let settled = read_until_settled(&mut lowering, old, before.len() - suffix, text.len() - suffix);
        if !lowering.is_plain || lowering.names.is_respelled {
            return None;
        }
        let (read, rest) = match settled {
            Some(found) => found,
            None if end == text.len() => (lowering.flat.insts.len(), old.flat.insts.len()),
            None => {
                window *= 8;
                continue;
            }
        };
        let moved = text.len() as i64 - before.len() as i64;
        return join(&Parts { old, first, lowering, read, rest, moved }, TextSize::of(text));
    }
}

/// Reads until enough instructions were read as before. Returns how many of the instructions that were read stay, and the index of the
/// old one that follows them. What is from `old_rest` on in the old text is from `rest` on in the new one.
fn read_until_settled(
    lowering: &mut Lowering<'_>,
    old: &Lowered,
    old_rest: usize,
    rest: usize,
) -> Option<(usize, usize)> {
    let mut same: Vec<usize> = Vec::new();
    while !lowering.at_end() {
        lowering.instruction();
        let (inst, range) = (lowering.flat.insts.last()?, lowering.inst_ranges.last()?);
        let at = usize::from(range.start())
            .checked_sub(rest)
            .map(|after| TextSize::new((old_rest + after) as u32));
        let is_same = |index: &usize| {
            let (was, place) = (&old.flat.insts[*index], old.inst_ranges[*index]);
            (was.op, was.flags, was.count, place.len()) == (inst.op, inst.flags, inst.count, range.len())
                && same.last().is_none_or(|last| last + 1 == *index)
        };
        match at.and_then(|at| old.inst_ranges.binary_search_by_key(&at, |r| r.start()).ok()).filter(is_same)
        {
            Some(index) => same.push(index),
            None => same.clear(),
        }
        // The first words of another instruction were seen.
        if same.len() == SETTLED && !lowering.at_end() {
            return Some((lowering.flat.insts.len() - SETTLED + 1, same[1]));
        }
        if same.len() == SETTLED {
            same.remove(0);
        }
    }
    None
}

struct Parts<'o, 't> {
    old: &'o Lowered,
    /// The first old instruction that was read again.
    first: usize,
    lowering: Lowering<'t>,
    /// How many instructions of the lowering are taken, the one before the first included.
    read: usize,
    /// The old instruction that follows them.
    rest: usize,
    /// How many bytes later what follows is now.
    moved: i64,
}

/// Puts the parts together as reading the whole text would.
fn join(parts: &Parts<'_, '_>, end: TextSize) -> Option<Lowered> {
    let Parts { old, first, lowering, read, rest, moved } = parts;
    let (first, read, rest) = (*first, *read, *rest);
    // What was reported further down would have to be moved.
    if old.diagnostics.iter().any(|(at, _)| *at as usize >= rest) {
        return None;
    }
    let (was, new) = (&*old.flat, &lowering.flat);
    let operand_at =
        |flat: &Flat, inst: usize| flat.insts.get(inst).map_or(flat.operands.len(), |i| i.first as usize);
    let (head, body, tail) = (operand_at(was, first), operand_at(new, read), operand_at(was, rest));
    let mut names = Joined::new(old, lowering, &was.operands[..head]);
    let mut strings = was.strings[..string_at(was, head)].to_vec();
    let mut operands = Vec::with_capacity(head + body + was.operands.len() - tail);
    operands.extend_from_slice(&was.operands[..head]);
    let before = strings.len() as u32;
    operands.extend(
        new.operands[..body].iter().map(|o| o.renamed(|name| names.read(name), |text| text + before)),
    );
    strings.extend_from_slice(&new.strings[..string_at(new, body)]);
    let from = string_at(was, tail);
    let shift = (strings.len() as u32).wrapping_sub(from as u32);
    let rest_operands = was.operands[tail..].iter();
    operands
        .extend(rest_operands.map(|o| o.renamed(|name| names.old(name), |text| text.wrapping_add(shift))));
    strings.extend_from_slice(&was.strings[from..]);

    let mut insts = Vec::with_capacity(first + read - 1 + was.insts.len() - rest);
    insts.extend_from_slice(&was.insts[..first]);
    let by = head as u32;
    insts.extend(new.insts[1..read].iter().map(|i| i.renamed(i.first + by, |name| names.read(name))));
    let by = ((head + body) as u32).wrapping_sub(tail as u32);
    insts.extend(
        was.insts[rest..].iter().map(|i| i.renamed(i.first.wrapping_add(by), |name| names.old(name))),
    );

    let ranges = |old: &[TextRange], head: usize, read: &[TextRange], tail: usize| {
        let mut all = ThinVec::with_capacity(head + read.len() + old.len() - tail);
        all.extend_from_slice(&old[..head]);
        all.extend_from_slice(read);
        all.extend(old[tail..].iter().map(|range| moved_range(*range, *moved)));
        all
    };
    let mut diagnostics: ThinVec<_> =
        old.diagnostics.iter().filter(|(at, _)| (*at as usize) < first).cloned().collect();
    let read_again = lowering.diagnostics.iter().filter(|(at, _)| (*at as usize) < read);
    diagnostics.extend(read_again.map(|(at, found)| (at - 1 + first as u32, found.clone())));
    let flat = Flat { names: names.defined_by(&insts), insts, operands, strings };
    // Without OpFunction in front it is another kind of chunk, whose comments matter.
    flat.is_only_function().then(|| Lowered {
        flat: Arc::new(flat),
        inst_ranges: ranges(&old.inst_ranges, first, &lowering.inst_ranges[1..read], rest),
        operand_ranges: ranges(&old.operand_ranges, head, &lowering.operand_ranges[..body], tail),
        stated: Rare::default(),
        diagnostics,
        misfits: ThinVec::new(),
        end,
        is_plain: true,
        last_check: None,
    })
}

/// The number of strings before an operand.
fn string_at(flat: &Flat, operand: usize) -> usize {
    let text = flat.operands[operand..].iter().find(|o| o.form == Form::Text);
    text.map_or(flat.strings.len(), |o| o.value as usize)
}

/// The names of the joined text, in the order in which they are first mentioned.
struct Joined<'o> {
    old: &'o Names,
    read: &'o Names,
    all: Names,
    /// New index of each old name, and of each that was read again, or [`NONE`].
    of_old: Vec<u32>,
    of_read: Vec<u32>,
    /// Old index of each that was read again, or [`NONE`].
    was: Vec<u32>,
}

impl<'o> Joined<'o> {
    fn new(old: &'o Lowered, lowering: &'o Lowering<'_>, head: &[FlatOperand]) -> Self {
        let (old, read) = (&old.flat.names, &lowering.names.names);
        // Names are numbered as they are mentioned.
        let known =
            head.iter().filter(|o| o.form == Form::Id).map(|o| o.value as usize + 1).max().unwrap_or(0);
        let mut of_old = vec![NONE; old.len()];
        of_old.iter_mut().zip(0..known as u32).for_each(|(of, index)| *of = index);
        let by_hash: FxHashMap<u64, usize> = read.iter().enumerate().map(|(i, n)| (n.hash, i)).collect();
        let mut was = vec![NONE; read.len()];
        for (index, name) in old.iter().enumerate() {
            if let Some(place) = by_hash.get(&name.hash) {
                was[*place] = index as u32;
            }
        }
        let mut all = Names::with_capacity(old.len() + read.len());
        (0..).zip(&old[..known]).for_each(|(index, name)| _ = all.push(old.text(index), name.hash));
        Joined { old, read, all, of_old, of_read: vec![NONE; read.len()], was }
    }

    /// The index of a name of the old text.
    fn old(&mut self, name: u32) -> u32 {
        let Some(of) = self.of_old.get_mut(name as usize) else { return NONE };
        if *of == NONE {
            *of = self.all.push(self.old.text(name), self.old[name as usize].hash);
        }
        *of
    }

    /// The index of a name of the instructions that were read again.
    fn read(&mut self, name: u32) -> u32 {
        let Some(known) = self.of_read.get(name as usize).copied() else { return NONE };
        if known != NONE {
            return known;
        }
        let was = self.was[name as usize];
        let index = match self.of_old.get(was as usize) {
            Some(of) if *of != NONE => *of,
            _ => self.all.push(self.read.text(name), self.read[name as usize].hash),
        };
        self.of_read[name as usize] = index;
        if let Some(of) = self.of_old.get_mut(was as usize) {
            *of = index;
        }
        index
    }

    /// All names, with the first instruction that defines each.
    fn defined_by(mut self, insts: &[FlatInst]) -> Names {
        for (index, inst) in insts.iter().enumerate() {
            if let Some(name) = self.all.get_mut(inst.result as usize).filter(|n| n.def == NONE) {
                name.def = index as u32;
            }
        }
        self.all.shrink_to_fit();
        self.all
    }
}

impl FlatOperand {
    fn renamed(self, name: impl FnOnce(u32) -> u32, text: impl FnOnce(u32) -> u32) -> FlatOperand {
        let value = match self.form {
            Form::Id => name(self.value),
            Form::Word => self.value,
            Form::Text => text(self.value),
        };
        FlatOperand { value, ..self }
    }
}

impl FlatInst {
    fn renamed(self, first: u32, mut name: impl FnMut(u32) -> u32) -> FlatInst {
        FlatInst { first, ty: name(self.ty), result: name(self.result), ..self }
    }
}
