//! The AMDGPU machine as data: targets, registers, instructions, inline constants; encoder and decoder.
//!
//! This crate is a leaf. It knows nothing of source text: whoever parses a line lowers it to [`Line`] and asks
//! [`assemble`]; the answer is an [`Inst`] with its bytes, or a [`MatchError`] that says which operand is wrong and why.
//! [`decode`] goes the other way, [`print`] writes an [`Inst`] as `llvm-mc` would, and [`effects`] tells what it reads,
//! writes and counts.
//!
//! Deliberately absent: lexing, expressions, directives, symbols, control flow, diagnostics with ranges.

mod assemble;
mod decode;
mod effects;
mod operand;
mod register;
mod target;

pub use assemble::{Encoded, ErrorKind, Fixup, FixupKind, Inst, MatchError, Place, RowId, assemble};
pub use decode::{Decoded, decode, print};
pub use effects::{Access, Counter, Effects, IssueClass, effects};
pub use operand::{Line, Mods, Operand, Sep, Term, TermRange, Value};
pub use register::{Half, Reg, RegError, RegFile, Special, named_register, register_range};
pub use target::{Limits, Target, WaveSize};
