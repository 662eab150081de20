//! `wavelens disassemble`.

use std::path::PathBuf;

use wavelens_semantics::disassemble::IdStyle;

use super::{Outcome, complain, print, shown};
use crate::input::read_bytes;
use crate::source::text_of_binary;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write SPIR-V ids as numbers: assembling then gives the same words, bit for bit.
    #[arg(long)]
    raw_id: bool,
    /// A SPIR-V binary, an AMDGPU code object, or LLVM bitcode if there is `llvm-dis`; `-` is standard input.
    path: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let style = if arguments.raw_id { IdStyle::Raw } else { IdStyle::Friendly };
    let text = read_bytes(&arguments.path).and_then(|bytes| {
        text_of_binary(&bytes, style).map_err(|e| format!("{}: {e}", shown::path(&arguments.path)))
    });
    match text {
        Ok(text) => {
            print(&text);
            Outcome::Clean
        }
        Err(message) => complain(message),
    }
}
