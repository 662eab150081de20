//! What can be wrong with an instruction line.

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
    /// Why.
    pub kind: ErrorKind,
    /// One sentence for a diagnostic.
    pub message: String,
    /// For [`ErrorKind::WrongTarget`]: names of targets that would take the mnemonic.
    pub targets: Vec<&'static str>,
}

impl MatchError {
    pub(crate) fn new(place: Place, kind: ErrorKind, message: impl Into<String>) -> MatchError {
        MatchError { place, kind, message: message.into(), targets: Vec::new() }
    }
}
