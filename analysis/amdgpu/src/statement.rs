//! The instruction at a place of a chunk, with what each of its operands is: for editors.

use wavelens_isa::{Inst, Line, MachineOperand, Slot, Target, Term, Value, bit_fields};
use wavelens_syntax::amdgpu::AmdgpuKind;
use wavelens_syntax::machine::Lexed;

use super::assembler::{Assembler, Mode};
use super::{Lowered, Scope};
use wavelens_base::{ChunkId, TextRange, TextSize};

/// A number as written: its value after symbols and signs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// A floating point number.
    Float(f64),
}

/// One operand as written.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenOperand {
    /// Where it is written.
    pub range: TextRange,
    /// What it is in the instruction; `None` where no encoding takes it.
    pub slot: Option<Slot>,
    /// The value, when it is a number or `name:number`.
    pub number: Option<Number>,
}

/// How a number in an operand is encoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Encoding {
    /// One of the constants that the encoding has numbers for.
    Inline(u64),
    /// A dword (or two) after the instruction.
    Literal,
}

/// The instruction at a place.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The processor.
    pub target: Target,
    /// Where the mnemonic is written.
    pub mnemonic: TextRange,
    /// The mnemonic as written.
    pub name: String,
    /// In the order of the text.
    pub operands: Vec<WrittenOperand>,
    /// The instruction, if the line is one.
    pub inst: Option<Inst>,
    /// What is valid at the place: what follows the operands before it.
    pub expected: Vec<Slot>,
    /// How many operands end before the place.
    pub before: usize,
}

impl Statement {
    /// The operand that covers an offset.
    pub fn operand_at(&self, at: TextSize) -> Option<(usize, &WrittenOperand)> {
        self.operands.iter().enumerate().find(|(_, o)| o.range.contains_inclusive(at))
    }

    /// How the number in an operand is encoded, and the number as it is stored.
    pub fn encoding(&self, slot: &Slot) -> Option<(Encoding, i64)> {
        let inst = self.inst.as_ref()?;
        let index = slot.operand?;
        let MachineOperand::Imm(stored) = *inst.operands().get(index)? else { return None };
        let field = bit_fields(inst, self.target).into_iter().find(|f| f.operand == Some((index, 0)));
        // Codes of source operands for which a literal follows.
        let code = field.map(|f| f.value).filter(|code| !matches!(code, 254 | 255));
        Some((code.map_or(Encoding::Literal, Encoding::Inline), stored))
    }
}

/// What the assembler notes about the statement at an offset of the chunk.
#[derive(Debug)]
pub(crate) struct Watch {
    at: TextSize,
    found: Option<Statement>,
}

impl Watch {
    /// Notes an instruction when the offset is in it. `line_end` is where its line ends.
    pub(crate) fn note(
        &mut self,
        target: Target,
        mnemonic: TextRange,
        line_end: TextSize,
        line: &Line<'_>,
        ranges: &[TextRange],
    ) {
        if self.at < mnemonic.start() || self.at > line_end {
            return;
        }
        let reading = wavelens_isa::read_line(target, line);
        let operands = ranges.iter().zip(&line.operands).zip(reading.slots);
        let operands = operands.map(|((range, operand), slot)| {
            let term = |value| match line.terms(value) {
                [Term::Int(value)] => Some(Number::Integer(*value)),
                _ => None,
            };
            let number = match operand.value {
                Value::Int(value) => Some(Number::Integer(value)),
                Value::Float(bits) => Some(Number::Float(f64::from_bits(bits))),
                Value::Named { value, .. } => term(value),
                _ => None,
            };
            WrittenOperand { range: *range, slot, number }
        });
        let operands: Vec<WrittenOperand> = operands.collect();
        let before = ranges.iter().filter(|r| r.end() < self.at).count();
        let mut typed = line.clone();
        typed.operands.truncate(before);
        self.found = Some(Statement {
            target,
            mnemonic,
            name: line.mnemonic.to_owned(),
            operands,
            inst: reading.inst,
            expected: wavelens_isa::expected(target, &typed),
            before,
        });
    }
}

/// Where the line of a statement starts.
fn statement_start(lexed: &Lexed<AmdgpuKind>, at: TextSize) -> TextSize {
    let before = (0..lexed.at_offset(at)).rev().find(|token| lexed.kind(*token) == AmdgpuKind::EOL);
    before.map_or(TextSize::default(), |token| lexed.range(token).end())
}

/// The instruction at an offset of a chunk. `None` in directives, macros and where nothing names a processor.
pub fn statement_at(
    lowered: &Lowered,
    scope: &Scope,
    chunk: ChunkId,
    text: &str,
    at: TextSize,
) -> Option<Statement> {
    let mut assembler = match scope.whole {
        true => Assembler::with_settings(Mode::Whole, scope),
        false => Assembler::resume(Mode::Chunk, scope, scope.order(chunk)),
    };
    let start = match scope.whole {
        true => TextSize::default(),
        false => statement_start(&lowered.lexed, at),
    };
    assembler.watch = Some(Watch { at, found: None });
    assembler.window = Some(TextRange::new(start, at + TextSize::new(1)));
    assembler.run(text, &lowered.lexed);
    assembler.watch?.found
}
