//! From bytes to an instruction, and from an instruction to text.

use crate::{inst::Inst, target::Target};

/// An instruction found in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoded {
    pub inst: Inst,
    /// Bytes taken: 4 to 20.
    pub len: usize,
}

/// Decodes the instruction at the start of `bytes`; `None` when the target has none like this.
pub fn decode(_target: Target, _bytes: &[u8]) -> Option<Decoded> {
    None
}

/// Writes the instruction as `llvm-mc` prints it, without leading white space.
pub fn print(_target: Target, _inst: &Inst) -> String {
    String::new()
}
