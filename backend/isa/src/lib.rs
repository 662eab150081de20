//! The AMDGPU machine as data: targets, registers, instructions, inline constants; encoder and decoder.
//!
//! This crate is a leaf and does not parse source text. A parser lowers a line to [`Line`]; [`assemble`] returns an [`Inst`] with
//! its bytes, or a [`MatchError`] with the operand that is wrong and why. [`decode`] is the inverse, [`print`] writes an
//! [`Inst`] as `llvm-mc` does, and [`effects`] returns the registers that it reads and writes and the counters that it
//! increments.
//!
//! Deliberately absent: lexing, expressions, directives, symbols, control flow, diagnostics with ranges.

#![warn(missing_docs)]

mod assemble;
mod convert;
mod decode;
mod describe;
mod effects;
mod encode;
mod error;
mod fields;
pub mod generation;
mod inst;
mod literal;
mod live;
mod matched;
mod matcher;
pub mod mir;
mod operand;
mod operands;
mod packed;
mod prepare;
mod print;
pub mod processor;
mod register;
mod slots;
mod tables;
mod target;
mod traits;
mod triple;
mod validate;
mod vocabulary;

pub use assemble::{Encoded, assemble, takes_neg};
pub use decode::{Decoded, decode, unknown_length};
pub use effects::{Access, Counter, Effects, IssueClass, effects};
pub use encode::{Fixup, FixupKind};
pub use error::{Alignment, Conflict, ErrorKind, Fault, Found, Joint, Literal, MatchError, Place, Problem};
pub use fields::{BitField, bit_fields};
pub use generation::{Generation, Span};
pub use inst::{Inst, MachineOperand, RowId};
pub use live::Live;
pub use operand::{Line, Mods, Operand, Sep, Term, TermRange, Value};
pub use operands::{event_field, is_modifier_name, is_named_field, takes_word, waitcnt_counts};
pub use packed::{Code, Packed};
pub use prepare::is_register_number;
pub use print::print;
pub use register::{
    Half, Reg, RegError, RegFile, Special, named_register, register_range, special_registers,
};
pub use slots::{
    NamedValue, Reading, RegisterSet, Slot, SourceModifiers, Takes, Template, expected, inline_registers,
    read_line, templates,
};
pub use target::{Feature, Level, Limits, Target, WaveSize};
pub use traits::Traits;
pub use triple::{
    agrees_with_triple, is_amdgpu, older_triple, processor_of_triple, split_target_id, subarchitecture,
    triple_with_processor, unknown_architecture,
};
pub use vocabulary::{
    all_mnemonics, arguments, cache_policies, calls, counter_limit, differ_in_type, dpp_controls,
    export_targets, hardware_register, is_dpp_control, message, opcode, processors_with, split_mnemonic,
    values,
};
