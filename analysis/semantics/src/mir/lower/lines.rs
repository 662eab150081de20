//! Lowering after an edit inside a block: the instructions on the lines that differ are read again, those before and after are taken over.
//!
//! An instruction ends with its line, so what a line says does not depend on the others, except for bundles and comments of several
//! lines. Where an edit touches these, or a header, the body is read as a whole.

use std::ops::Range;
use std::sync::Arc;

use thin_vec::ThinVec;
use wavelens_syntax::machine::Parse;
use wavelens_syntax::mir::{MirKind, is_printable};

use super::again::only_body;
use super::body;
use crate::difference::{common_ends, line_end, moved_range};
use crate::mir::model::*;
use crate::mir::{Lowered, Summary, yaml_error};
use crate::{Diagnostic, Place, TextRange, TextSize};

/// After so many names that may not be mentioned any more a body is read as a whole.
const STALE: usize = 1000;

/// What is known of the lines of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    /// Columns before the first line; a line with fewer ends the body.
    indent: usize,
    /// The syntax errors among the diagnostics: the first ones.
    errors: usize,
    /// How many names there were when the body was read as a whole.
    names: usize,
}

impl Lines {
    /// Of a text whose only body was parsed, if it has nothing but blocks of instructions.
    pub(super) fn of(parse: &Parse<MirKind>, text: &str, names: usize) -> Option<Lines> {
        let (_, body) = only_body(parse.root(text))?;
        let is_plain = |kind| {
            use MirKind::*;
            matches!(kind, BLOCK_HEADER | LIVEINS | SUCCESSORS | INSTRUCTION | BROKEN)
        };
        let mut parts = body.children().map(|block| (block.kind(), block));
        if !parts.all(|(kind, block)| kind == MirKind::BLOCK && block.children().all(|n| is_plain(n.kind())))
        {
            return None;
        }
        let first = line_end(text, body.range().start().into());
        let indent = text.get(first..)?.lines().find(|line| !is_blank(line)).map(spaces)?;
        Some(Lines { indent, errors: parse.errors.len(), names })
    }
}

fn spaces(line: &str) -> usize {
    line.bytes().take_while(|b| *b == b' ').count()
}

fn is_blank(line: &str) -> bool {
    matches!(line.as_bytes().get(spaces(line)), None | Some(b'\r' | b'\n'))
}

/// The lines that differ.
struct Window {
    /// Where they start in both texts.
    start: usize,
    /// Where they end in the text before, and now.
    ends: (usize, usize),
    /// The block that they are in.
    block: usize,
    /// The old instructions on them.
    instructions: Range<usize>,
    /// Whether they are in a bundle.
    is_bundled: bool,
}

impl Window {
    /// How far the text after it has moved.
    fn moved(&self) -> i64 {
        self.ends.1 as i64 - self.ends.0 as i64
    }

    /// `None` if the lines of the two texts cannot be read by themselves.
    fn new(text: &str, before: &str, f: &Function, indent: usize) -> Option<Window> {
        let (prefix, suffix) = common_ends(before.as_bytes(), text.as_bytes());
        let start = before.as_bytes().get(..prefix)?.iter().rposition(|b| *b == b'\n')? + 1;
        let end = line_end(before, before.len() - suffix);
        let ends = (end, text.len() - (before.len() - end));
        let place = |offset: usize| f.instructions.partition_point(|i| usize::from(i.range.start()) < offset);
        let instructions = place(start)..place(end);
        // What precedes them is in the same block, after its header and lists.
        let last = instructions.start.checked_sub(1)?;
        let block = f.blocks.partition_point(|b| b.instructions.indices().end <= last);
        let (own, next) = (f.blocks.get(block)?, f.blocks.get(block + 1));
        if !own.instructions.indices().contains(&last)
            || instructions.end > own.instructions.indices().end
            || next.is_some_and(|next| usize::from(next.range.start()) < end)
        {
            return None;
        }
        let last = f.instructions.get(last)?;
        let after_last = usize::from(last.range.end());
        let (gap, new) = (before.get(after_last..end)?, text.get(start..ends.1)?);
        // Of characters that YAML does not allow, the first in the text is reported.
        let concerns_others = |text: &str| {
            text.contains(['{', '}']) || text.contains("/*") || text.contains(|c| !is_printable(c))
        };
        let is_inside = |lines: &str| lines.lines().all(|line| is_blank(line) || spaces(line) >= indent);
        let lines = before.get(line_end(before, after_last)..end).unwrap_or_default();
        if after_last > start
            || ![gap, new].into_iter().all(|text| text.ends_with('\n') && !concerns_others(text))
        {
            return None;
        }
        let is_bundled = last.flags & instruction_flag::BUNDLED != 0;
        (is_inside(lines) && is_inside(new)).then_some(Window {
            start,
            ends,
            block,
            instructions,
            is_bundled,
        })
    }
}

/// Lowers a text that differs from another one in some lines inside a block. `None` if it has to be read as a whole.
pub(super) fn lower(text: &str, before: &str, old: &Lowered, lines: Lines) -> Option<(Lowered, Lines)> {
    let f = old.function.as_ref()?;
    let window = Window::new(text, before, f, lines.indent)?;
    let mut read = Function {
        names: f.names.clone(),
        registers: f.registers.clone(),
        register_index: f.register_index.clone(),
        ..Function::default()
    };
    let source = format!("body: |\n{:indent$}bb.0:\n", "", indent = lines.indent);
    let by = window.start as i64 - source.len() as i64;
    let errors = read_lines(&[&source, text.get(window.start..window.ends.1)?].concat(), &mut read)?;
    if read.names.len() > lines.names + STALE {
        return None;
    }
    if window.is_bundled {
        read.instructions.iter_mut().for_each(|i| i.flags |= instruction_flag::BUNDLED);
    }
    let (diagnostics, errors) = join_errors(old, &window, lines.errors, &errors, by)?;
    let mut function = Join { old: f, window: &window, by }.function(read);
    number_registers(&mut function, text);
    let summary = Summary::of(text, None, Some(&function), false);
    let lowered = Lowered {
        summary: Arc::new(summary),
        ir: None,
        function: Some(function),
        unread: None,
        diagnostics,
        target_diagnostics: old.target_diagnostics.clone(),
    };
    Some((lowered, Lines { errors, ..lines }))
}

/// Reads a body with one block into a function. `None` if there is more to it than instructions.
fn read_lines(source: &str, function: &mut Function) -> Option<Vec<Diagnostic>> {
    let parse = wavelens_syntax::mir::parse(source);
    if yaml_error(&parse, source).is_some() {
        return None;
    }
    let (_, body) = only_body(parse.root(source))?;
    let mut blocks = body.children();
    let mut parts = blocks.next().filter(|block| block.kind() == MirKind::BLOCK)?.children();
    let is_header = parts.next()?.kind() == MirKind::BLOCK_HEADER;
    let is_instruction = |kind| matches!(kind, MirKind::INSTRUCTION | MirKind::BROKEN);
    if blocks.next().is_some() || !is_header || !parts.all(|part| is_instruction(part.kind())) {
        return None;
    }
    body::lower(body, function);
    Some(parse.errors.clone())
}

fn moved_error(error: &Diagnostic, by: i64) -> Diagnostic {
    let mut error = error.clone();
    error.range = moved_range(error.range, by);
    for related in &mut error.related {
        if let Place::Here(range) = &mut related.place {
            *range = moved_range(*range, by);
        }
    }
    error
        .fix
        .iter_mut()
        .flat_map(|fix| &mut fix.edits)
        .for_each(|edit| edit.range = moved_range(edit.range, by));
    error
}

/// All diagnostics, and how many of them are syntax errors. `by` is how far what was read has moved.
fn join_errors(
    old: &Lowered,
    window: &Window,
    errors: usize,
    read: &[Diagnostic],
    by: i64,
) -> Option<(Vec<Diagnostic>, usize)> {
    let (errors, others) = old.diagnostics.split_at_checked(errors)?;
    let is_before = |error: &&Diagnostic| usize::from(error.range.end()) <= window.start;
    let is_after = |error: &&Diagnostic| usize::from(error.range.start()) >= window.ends.0;
    let mut all: Vec<Diagnostic> = errors.iter().filter(is_before).cloned().collect();
    all.extend(read.iter().map(|error| moved_error(error, by)));
    all.extend(errors.iter().filter(is_after).map(|error| moved_error(error, window.moved())));
    let count = all.len();
    all.extend_from_slice(others);
    Some((all, count))
}

/// How far what is taken over or was read has moved, in the text and in each list.
struct Shift {
    bytes: i64,
    operands: u32,
    memory: u32,
    metadata: u32,
    masks: u32,
    listed: u32,
}

impl Shift {
    fn range(&self, range: TextRange) -> TextRange {
        // What is not written is at the start.
        if range == TextRange::default() { range } else { moved_range(range, self.bytes) }
    }

    fn instruction(&self, i: &Instruction) -> Instruction {
        Instruction {
            opcode_range: self.range(i.opcode_range),
            range: self.range(i.range),
            operands: i.operands.moved(self.operands),
            memory: i.memory.moved(self.memory),
            metadata: i.metadata.moved(self.metadata),
            ..*i
        }
    }

    fn operand(&self, operand: &Operand) -> Operand {
        let kind = match operand.kind {
            OperandKind::ShuffleMask(span) => OperandKind::ShuffleMask(span.moved(self.masks)),
            OperandKind::CustomMask(span) => OperandKind::CustomMask(span.moved(self.listed)),
            OperandKind::LiveOut(span) => OperandKind::LiveOut(span.moved(self.listed)),
            kind => kind,
        };
        Operand { kind, flags: operand.flags, range: self.range(operand.range) }
    }

    fn memory(&self, memory: &MemoryOperand) -> MemoryOperand {
        MemoryOperand {
            pointer_range: self.range(memory.pointer_range),
            align_range: self.range(memory.align_range),
            target_flags: memory
                .target_flags
                .iter()
                .map(|(flag, range)| (*flag, self.range(*range)))
                .collect(),
            metadata: memory
                .metadata
                .iter()
                .map(|(word, n, range)| (*word, *n, self.range(*range)))
                .collect(),
            range: self.range(memory.range),
            ..memory.clone()
        }
    }
}

/// Joins what precedes the window, what was read, and what follows.
struct Join<'o> {
    old: &'o Function,
    window: &'o Window,
    /// How far what was read has moved in the text.
    by: i64,
}

impl Join<'_> {
    fn function(&self, read: Function) -> Function {
        let (old, window) = (self.old, self.window);
        let spans = |of: fn(&Instruction) -> Span, length: usize| {
            let at = |inst: usize| old.instructions.get(inst).map_or(length, |i| of(i).indices().start);
            at(window.instructions.start)..at(window.instructions.end)
        };
        let operands = spans(|i| i.operands, old.operands.len());
        let memory = spans(|i| i.memory, old.memory.len());
        let metadata = spans(|i| i.metadata, old.metadata.len());
        let masks = masks_at(old, operands.start)..masks_at(old, operands.end);
        let listed = self.placed(&old.listed_registers, |(_, range)| *range);
        let flags = self.placed(&old.target_flags, |(_, range, _)| *range);
        let first = |at: &Range<usize>| at.start as u32;
        let own = Shift {
            bytes: self.by,
            operands: first(&operands),
            memory: first(&memory),
            metadata: first(&metadata),
            masks: first(&masks),
            listed: first(&listed),
        };
        let later = |at: &Range<usize>, read: usize| (at.start + read).wrapping_sub(at.end) as u32;
        let rest = Shift {
            bytes: window.moved(),
            operands: later(&operands, read.operands.len()),
            memory: later(&memory, read.memory.len()),
            metadata: later(&metadata, read.metadata.len()),
            masks: later(&masks, read.masks.len()),
            listed: later(&listed, read.listed_registers.len()),
        };
        let shifts = (&own, &rest);
        let count = later(&window.instructions, read.instructions.len());
        let range = old.properties.range;
        let properties = Properties {
            range: TextRange::new(range.start(), rest.range(TextRange::empty(range.end())).end()),
            ..old.properties.clone()
        };
        let instructions =
            join(&old.instructions, &window.instructions, &read.instructions, shifts, Shift::instruction);
        let broken = instructions.iter().any(|i| i.flags & instruction_flag::BROKEN != 0);
        Function {
            names: read.names,
            properties,
            registers: read.registers,
            register_decls: old.register_decls.clone(),
            live_ins: old.live_ins.clone(),
            frame: old.frame.clone(),
            constants: old.constants.clone(),
            jump_tables: old.jump_tables.clone(),
            call_sites: old.call_sites.clone(),
            called_globals: old.called_globals.clone(),
            blocks: self.blocks(&rest, count),
            instructions,
            operands: join(&old.operands, &operands, &read.operands, shifts, Shift::operand),
            memory: join(&old.memory, &memory, &read.memory, shifts, Shift::memory),
            masks: join(&old.masks, &masks, &read.masks, shifts, |_, mask| *mask),
            listed_registers: join(
                &old.listed_registers,
                &listed,
                &read.listed_registers,
                shifts,
                |by, l| (l.0, by.range(l.1)),
            ),
            target_flags: join(&old.target_flags, &flags, &read.target_flags, shifts, |by, flag| {
                (flag.0, by.range(flag.1), flag.2)
            }),
            block_live_ins: self.with_rest_moved(&old.block_live_ins, |l| &mut l.range, &rest),
            successors: self.with_rest_moved(&old.successors, |s| &mut s.range, &rest),
            metadata: join(&old.metadata, &metadata, &read.metadata, shifts, |by, m| MetadataRef {
                range: by.range(m.range),
                ..*m
            }),
            broken,
            register_index: read.register_index,
        }
    }

    /// The part of a list in the order of the text that is in the window.
    fn placed<T>(&self, all: &[T], range: impl Fn(&T) -> TextRange) -> Range<usize> {
        let at = |offset: usize| all.partition_point(|item| usize::from(range(item).start()) < offset);
        at(self.window.start)..at(self.window.ends.0)
    }

    /// A list with nothing in the window, its later part moved.
    fn with_rest_moved<T: Clone>(
        &self,
        all: &ThinVec<T>,
        range: fn(&mut T) -> &mut TextRange,
        rest: &Shift,
    ) -> ThinVec<T> {
        let mut all = all.clone();
        for range in all.iter_mut().map(range).filter(|r| usize::from(r.start()) >= self.window.ends.0) {
            *range = rest.range(*range);
        }
        all
    }

    /// `count` is how far instructions after the window have moved in their list.
    fn blocks(&self, rest: &Shift, count: u32) -> ThinVec<Block> {
        let mut blocks = self.old.blocks.clone();
        let mut later = blocks.iter_mut().skip(self.window.block);
        if let Some(own) = later.next() {
            own.instructions.end = own.instructions.end.wrapping_add(count);
        }
        for block in later {
            block.instructions = block.instructions.moved(count);
            block.range = rest.range(block.range);
            block.ir_blocks.iter_mut().for_each(|(_, range)| *range = rest.range(*range));
        }
        blocks
    }
}

/// How many numbers of shuffle masks precede an operand.
fn masks_at(f: &Function, operand: usize) -> usize {
    let mask = f.operands.iter().skip(operand).find_map(|o| match o.kind {
        OperandKind::ShuffleMask(span) => Some(span.indices().start),
        _ => None,
    });
    mask.unwrap_or(f.masks.len())
}

fn join<T: Clone>(
    old: &[T],
    replaced: &Range<usize>,
    read: &[T],
    (own, rest): (&Shift, &Shift),
    moved: impl Fn(&Shift, &T) -> T,
) -> ThinVec<T> {
    let (front, back) =
        (old.get(..replaced.start).unwrap_or_default(), old.get(replaced.end..).unwrap_or_default());
    let mut all = ThinVec::with_capacity(front.len() + read.len() + back.len());
    all.extend_from_slice(front);
    all.extend(read.iter().map(|item| moved(own, item)));
    all.extend(back.iter().map(|item| moved(rest, item)));
    all
}

/// Numbers virtual registers in the order in which they are mentioned, and forgets those that are not.
fn number_registers(f: &mut Function, text: &str) {
    let known = std::mem::take(&mut f.registers);
    let mut numbers: Vec<Option<u32>> = vec![None; known.len()];
    let mut is_same = true;
    for declaration in &f.register_decls {
        if let Some(number @ None) = numbers.get_mut(declaration.register as usize) {
            *number = Some(declaration.register);
            f.registers.extend(known.get(declaration.register as usize).cloned());
        }
    }
    for operand in &mut f.operands {
        let OperandKind::Register(register) = &mut operand.kind else { continue };
        let RegisterName::Virtual(index) = &mut register.name else { continue };
        let Some(number) = numbers.get_mut(*index as usize) else { continue };
        let Some(virtual_register) = known.get(*index as usize) else { continue };
        let next = f.registers.len() as u32;
        if number.is_none() {
            is_same &= *index == next;
            let first = name_range(text, operand.range);
            f.registers.push(VirtualRegister { name: virtual_register.name, first });
        }
        *index = *number.get_or_insert(next);
    }
    if !is_same || f.registers.len() != known.len() {
        f.register_index = f.registers.iter().map(|r| r.name).zip(0..).collect();
    }
}

/// Where a virtual register is named in an operand.
fn name_range(text: &str, operand: TextRange) -> TextRange {
    let own = text.get(Range::<usize>::from(operand)).unwrap_or("");
    let start = own.find('%').unwrap_or(0);
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$');
    let length = 1 + own.bytes().skip(start + 1).take_while(is_name).count();
    TextRange::at(operand.start() + TextSize::new(start as u32), TextSize::new(length as u32))
}
