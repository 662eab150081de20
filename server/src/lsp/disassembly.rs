//! `wavelens/disassemble`: a SPIR-V binary, an AMDGPU code object or LLVM bitcode as text, for editors to show instead of the bytes.

use lsp_types::Uri;
use serde::Serialize;
use wavelens_check::disassemble::IdStyle;

use super::uri::path;
use crate::input::read_bytes;
use crate::source::text_of_binary;

/// The answer: a text, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Disassembly {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Reads the binary that a `file:` URI names.
pub(super) fn read(uri: &Uri) -> Disassembly {
    let text = path(uri.as_str())
        .ok_or_else(|| format!("{}: only files can be read", uri.as_str()))
        .and_then(|path| read_bytes(&path))
        .and_then(|bytes| text_of_binary(&bytes, IdStyle::Friendly));
    match text {
        Ok(text) => Disassembly { text, problem: None },
        Err(problem) => Disassembly { text: String::new(), problem: Some(problem) },
    }
}
