//! `wavelens disassemble`.

use std::path::PathBuf;

use wavelens_check::disassemble::{IdStyle, disassemble_code_object, has_several_code_objects};

use super::output::print_document;
use super::{Outcome, complain, shown};
use crate::input::read_bytes;
use crate::source::text_of_binary;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write SPIR-V ids as numbers: assembling then gives the same words, bit for bit.
    #[arg(long)]
    raw_id: bool,
    /// Of a file with several code objects, such as a bundle of clang or a program: its number, its processor, or spirv.
    #[arg(long, value_name = "N|gfxNNN|spirv")]
    code_object: Option<String>,
    /// A SPIR-V binary, a file with AMDGPU code objects or with SPIR-V for a GPU, or LLVM bitcode if there is `llvm-dis`; `-` is standard input.
    path: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let style = if arguments.raw_id { IdStyle::Raw } else { IdStyle::Friendly };
    let text = read_bytes(&arguments.path).and_then(|bytes| {
        let text = match &arguments.code_object {
            Some(choice) => disassemble_code_object(&bytes, choice, style),
            None => text_of_binary(&bytes, style).map_err(|message| match has_several_code_objects(&bytes) {
                true => format!("{message}\nchoose one with `--code-object`"),
                false => message,
            }),
        };
        text.map_err(|e| format!("{}: {e}", shown::path(&arguments.path)))
    });
    match text {
        Ok(text) => {
            print_document(&text);
            Outcome::Clean
        }
        Err(message) => complain(message),
    }
}
