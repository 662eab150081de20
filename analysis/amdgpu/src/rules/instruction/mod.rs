//! What an instruction must look like on its processor. The machine finds the first mistake while it looks for an encoding
//! ([`wavelens_isa::assemble`]), because whether an encoding fits decides which one is taken; each rule here has a file with
//! its card, what is reported of the mistake, what may be meant instead, and tests. The assembler asks [`report`].

mod carry;
pub(crate) mod constant_bus_limit;
mod encoding_not_on_target;
pub mod instruction_not_on_target;
mod invalid_modifier;
pub(crate) mod invalid_operand;
mod lane_mask;
pub(crate) mod literal_not_allowed;
pub(crate) mod no_processor;
pub(crate) mod no_such_register;
mod operand_conflict;
mod operand_count;
mod operand_out_of_range;
mod other_counters;
pub(crate) mod register_alignment;
mod suggestion;
pub(crate) mod unknown_instruction;
mod words;

use wavelens_isa::{self as isa, ErrorKind, Fault, Line, MatchError, Place, Problem, Target};

use wavelens_base::{Diagnostic, Rule, TextRange};

/// The rules of this folder.
pub(crate) static RULES: [&[&Rule]; 13] = [
    no_processor::RULES,
    unknown_instruction::RULES,
    instruction_not_on_target::RULES,
    encoding_not_on_target::RULES,
    invalid_operand::RULES,
    operand_count::RULES,
    no_such_register::RULES,
    register_alignment::RULES,
    operand_out_of_range::RULES,
    invalid_modifier::RULES,
    literal_not_allowed::RULES,
    constant_bus_limit::RULES,
    operand_conflict::RULES,
];

/// A line that is not an instruction of the processor.
pub(crate) struct RejectedLine<'a> {
    pub(crate) target: Target,
    pub(crate) line: &'a Line<'a>,
    /// The mistake that the machine met first.
    pub(crate) error: &'a MatchError,
    /// What the ranges are in.
    pub(crate) text: &'a str,
    /// The whole line.
    pub(crate) whole: TextRange,
    pub(crate) mnemonic: TextRange,
    pub(crate) operands: &'a [TextRange],
    /// The line is in the file, where it can be corrected: it does not come from a macro or a repetition.
    pub(crate) is_in_file: bool,
    /// The processor that the file names, where LLVM does not know it and assumes another one.
    pub(crate) unknown_processor: Option<&'a str>,
    /// The macros that are defined, where a mnemonic may be a misspelled one of them. `None` after many suggestions, because each takes
    /// a while.
    pub(crate) macros: Option<Vec<&'a str>>,
}

impl<'a> RejectedLine<'a> {
    /// The part of the line that is wrong.
    fn range(&self) -> TextRange {
        match self.error.place {
            // The wide mask of a compare is read as a source, so that its last operand is one too many.
            Place::Operand(_)
                if self.error.kind == ErrorKind::ExtraOperand && self.begins_with_other_mask() =>
            {
                self.operands.first().copied().unwrap_or(self.whole)
            }
            Place::Operand(index) => self.operands.get(usize::from(index)).copied().unwrap_or(self.whole),
            Place::Mnemonic | Place::End => self.mnemonic,
        }
    }

    fn begins_with_other_mask(&self) -> bool {
        let first = self.operands.first().map(|range| self.slice(*range));
        first.is_some_and(|word| lane_mask::own(self.target, word).is_some())
    }

    fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
    }

    /// The part of the line that is wrong, as written.
    fn word(&self) -> &'a str {
        self.slice(self.range())
    }

    /// Whether the line is an instruction after a change.
    fn fits_with(&self, change: impl FnOnce(&mut Line<'a>)) -> bool {
        let mut other = self.line.clone();
        change(&mut other);
        isa::assemble(self.target, &other).is_ok()
    }

    /// Whether the line is an instruction with a register as one of its operands.
    fn fits_with_register(&self, index: usize, register: isa::Reg) -> bool {
        self.fits_with(|other| {
            if let Some(operand) = other.operands.get_mut(index) {
                operand.value = isa::Value::Reg(register);
            }
        })
    }
}

/// What is wrong with a line.
pub(crate) fn report(line: &RejectedLine<'_>) -> Diagnostic {
    let is_operand = matches!(line.error.kind, ErrorKind::InvalidOperand | ErrorKind::ExtraOperand);
    if is_operand
        && line.is_in_file
        && let Some(found) =
            carry::report(line).or_else(|| lane_mask::report(line)).or_else(|| other_counters::report(line))
    {
        return found;
    }
    let range = line.range();
    let plain = |rule, message: String| Diagnostic::new(rule, range, message);
    match (&line.error.fault, line.error.kind) {
        (Fault::UnknownMnemonic, _) => unknown_instruction::report(line),
        (Fault::OtherTargets(_) | Fault::OtherWaveSize(_), _) => instruction_not_on_target::report(line),
        (Fault::NoEncoding(suffix), _) => encoding_not_on_target::report(line, suffix),
        (Fault::Alignment(fault), _) => {
            plain(&register_alignment::REGISTER_ALIGNMENT, register_alignment::message(*fault, line.target))
        }
        (Fault::Offset { least, most, found }, _) => {
            let found = words::number(*found, words::quoted(line.word()));
            plain(&operand_out_of_range::OPERAND_RANGE, operand_out_of_range::message(*least, *most, &found))
        }
        (Fault::Literal(fault), _) => {
            plain(&literal_not_allowed::LITERAL, literal_not_allowed::message(*fault, line.target))
        }
        (Fault::ConstantBus { mnemonic, reads, limit }, _) => {
            let message = constant_bus_limit::message(mnemonic, *reads, *limit, line.target);
            plain(&constant_bus_limit::CONSTANT_BUS, message)
        }
        (Fault::Conflict(fault), _) => {
            plain(&operand_conflict::OPERAND_CONFLICT, operand_conflict::message(*fault))
        }
        (Fault::Operand(problem), ErrorKind::MissingOperand | ErrorKind::ExtraOperand) => {
            operand_count::report(line, problem)
        }
        (Fault::Operand(problem), ErrorKind::InvalidModifier) => invalid_modifier::report(line, problem),
        (Fault::Operand(problem), ErrorKind::NoSuchRegister) => no_such_register::report(line, problem),
        (Fault::Operand(problem), _) => invalid_operand::report(line, problem),
    }
}

/// The words about an operand, and what is suggested in its place.
fn with_suggestion(
    line: &RejectedLine<'_>,
    rule: &'static Rule,
    problem: &Problem,
    suggestion: Option<suggestion::Suggestion>,
) -> Diagnostic {
    let Some(suggestion) = suggestion.filter(|_| line.is_in_file) else {
        return Diagnostic::new(rule, line.range(), words::problem(problem, line.word()));
    };
    // The word that is likely meant is shown in place of all that are possible.
    let message = words::without_choices(problem, line.word());
    suggestion.add_to(Diagnostic::new(rule, line.range(), message))
}
