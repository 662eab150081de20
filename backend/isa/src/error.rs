//! What can be wrong with an instruction line, as data: whoever shows a mistake makes the words.

use std::borrow::Cow;

use crate::{operand::Term, register::Reg, target::WaveSize};

/// Where in the line a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The mnemonic.
    Mnemonic,
    /// Index into [`crate::Line::operands`].
    Operand(u8),
    /// Something is missing after the last operand.
    End,
}

/// What kind of mistake; stable, for diagnostic codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// No target has an instruction of this name.
    UnknownMnemonic,
    /// Other targets have it.
    WrongTarget,
    /// The instruction exists, but not in the encoding that the suffix asks for.
    WrongEncoding,
    /// An operand is missing.
    MissingOperand,
    /// There is an operand too many.
    ExtraOperand,
    /// Not what this operand can be.
    InvalidOperand,
    /// The register is not available on the target.
    NoSuchRegister,
    /// A tuple that must start at an even register (or a multiple of four) does not.
    Alignment,
    /// A number does not fit.
    OutOfRange,
    /// A modifier the instruction does not have, has twice, or with a wrong value.
    InvalidModifier,
    /// A literal where none can be, or two different ones.
    Literal,
    /// Too many scalar registers and literals in a vector instruction.
    ConstantBus,
    /// Operands that must be, or must not be, the same.
    Conflict,
}

/// Why a line is not an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchError {
    /// What is wrong.
    pub place: Place,
    /// The rule that is not met.
    pub kind: ErrorKind,
    /// Why, with the values and operands involved.
    pub fault: Fault,
}

/// Why a rule is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No target has an instruction of this name.
    UnknownMnemonic,
    /// These targets would take the mnemonic, and this one does not.
    OtherTargets(Vec<&'static str>),
    /// Waves of this size only have the instruction.
    OtherWaveSize(WaveSize),
    /// The instruction does not have the encoding of this suffix; where it is empty, none with such operands.
    NoEncoding(&'static str),
    /// A register or a tuple starts where it must not.
    Alignment(Alignment),
    /// An offset has more bits than its field.
    Offset {
        /// The smallest that fits.
        least: i64,
        /// The largest that fits.
        most: i64,
        /// The offset.
        found: i64,
    },
    /// A literal that the encoding has no room for.
    Literal(Literal),
    /// A vector instruction reads more scalar values than it can.
    ConstantBus {
        /// The instruction, without the suffix of an encoding.
        mnemonic: &'static str,
        /// Scalar registers and literals that it reads.
        reads: usize,
        /// How many it can read.
        limit: usize,
    },
    /// Operands contradict each other.
    Conflict(Conflict),
    /// Any other mistake in an operand.
    Operand(Problem),
}

/// What is wrong with where a register or a tuple starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// A tuple of vector registers must start at an even one.
    OddTuple(Reg),
    /// A single register must have an even number.
    OddRegister,
    /// Listed registers that form no tuple.
    NoTuple,
}

/// What is wrong with a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// There is another one with another value.
    Second,
    /// It has more than 32 bits.
    Wide,
    /// The encoding, of this name, has no room for any.
    NoRoom {
        /// `VOP3` or `VOP3P`.
        encoding: &'static str,
        /// The value of a symbol, which is always a literal.
        is_symbol: bool,
    },
}

/// Which operands contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// `op_sel` and the suffix of a register select different halves.
    OpSel,
    /// The size of an address, in registers, that is for the other setting of `a16`.
    AddressSize {
        /// Registers of the address.
        registers: i64,
        /// Whether `a16` is set.
        a16: bool,
    },
    /// A source overlaps the result in part.
    PartialOverlap,
    /// Both halves of a dual instruction write one register.
    DualResults,
    /// Both halves of a dual instruction write even registers, or both odd ones.
    DualParity,
    /// Sources of this number of both halves of a dual instruction are in one bank.
    DualBanks(usize),
}

/// A mistake in an operand that is specific to its syntax.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// A clause about what is required, without what was found.
    pub text: Cow<'static, str>,
    /// What was found, and how the clause goes on to it.
    pub found: Option<(Joint, Found)>,
    /// How the clause ends after what was found.
    pub end: &'static str,
    /// The words of which one is expected.
    pub choices: Vec<&'static str>,
    /// What is required depends on the size of waves.
    pub by_wave_size: bool,
    /// Operands of the same list before the one that is wrong: counters of a wait.
    pub(crate) skipped: u8,
}

/// How a clause goes on to what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// "expected a number, found 3"
    Found,
    /// "must be between 0 and 2, is 3"
    Is,
    /// "cannot represent 3"
    Object,
}

/// What was found in the place of something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A number, or an expression with this value.
    Int(i64),
    /// A word.
    Word(String),
    /// A string, without its quotes.
    Str(String),
    /// A register.
    Register(Reg),
    /// A call of this name.
    Call(String),
    /// A list in brackets.
    List,
    /// An expression that the line does not hold: its text is the operand's.
    Expression,
}

impl Found {
    /// What a term is; nothing where it is not known.
    pub(crate) fn of(term: Option<&Term<'_>>) -> Option<Found> {
        Some(match term? {
            Term::Int(number) => Found::Int(*number),
            Term::Word(word) => Found::Word((*word).to_owned()),
            Term::Str(text) => Found::Str((*text).to_owned()),
            Term::Reg(register) => Found::Register(*register),
            Term::Call { name, .. } => Found::Call((*name).to_owned()),
            Term::List(_) => Found::List,
            Term::Unknown => return None,
        })
    }
}

impl Problem {
    /// A clause that depends on nothing.
    pub const fn of(text: &'static str) -> Problem {
        let text = Cow::Borrowed(text);
        Problem { text, found: None, end: "", choices: Vec::new(), by_wave_size: false, skipped: 0 }
    }

    pub(crate) fn new(text: impl Into<Cow<'static, str>>) -> Problem {
        Problem { text: text.into(), ..Problem::default() }
    }

    pub(crate) fn with(self, joint: Joint, found: Option<Found>) -> Problem {
        Problem { found: found.map(|found| (joint, found)), ..self }
    }
}

impl MatchError {
    pub(crate) fn new(place: Place, fault: Fault) -> MatchError {
        let kind = match &fault {
            Fault::UnknownMnemonic => ErrorKind::UnknownMnemonic,
            Fault::OtherTargets(_) | Fault::OtherWaveSize(_) => ErrorKind::WrongTarget,
            Fault::NoEncoding(_) => ErrorKind::WrongEncoding,
            Fault::Alignment(_) => ErrorKind::Alignment,
            Fault::Offset { .. } => ErrorKind::OutOfRange,
            Fault::Literal(_) => ErrorKind::Literal,
            Fault::ConstantBus { .. } => ErrorKind::ConstantBus,
            Fault::Conflict(_) => ErrorKind::Conflict,
            Fault::Operand(_) => ErrorKind::InvalidOperand,
        };
        MatchError { place, kind, fault }
    }

    pub(crate) fn operand(place: Place, kind: ErrorKind, problem: Problem) -> MatchError {
        MatchError { place, kind, fault: Fault::Operand(problem) }
    }
}
