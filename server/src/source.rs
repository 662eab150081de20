//! Reading files: bytes to text, once, at the edge.

use std::path::Path;

use wavelens_codegen::bitcode::{self, is_bitcode};
use wavelens_semantics::Dialect;
use wavelens_semantics::disassemble::{IdStyle, binary_dialect, disassemble};

use crate::input::read_bytes;

use crate::shown;

/// A file's text. Offsets in the text are offsets in the file, but for binaries, whose text is their disassembly.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) dialect: Dialect,
    pub(crate) text: String,
    /// The text is the file's bytes, and not a disassembly or with bytes replaced: the file may be written.
    pub(crate) is_exact: bool,
}

/// Reads a path (`-` is standard input) and decides its dialect: the one given, else by name, else by content.
pub(crate) fn read(path: &Path, dialect: Option<Dialect>) -> Result<Source, String> {
    let bytes = read_bytes(path)?;
    let shown = shown::path(path);
    if is_bitcode(&bytes) && dialect.is_none_or(|d| d == Dialect::Llvm) {
        let text = text_of_binary(&bytes, IdStyle::Friendly).map_err(|e| format!("{shown}: {e}"))?;
        return Ok(Source { dialect: Dialect::Llvm, text, is_exact: false });
    }
    if let Some(own) = binary_dialect(&bytes).filter(|own| dialect.is_none_or(|d| d == *own)) {
        let text = disassemble(&bytes, IdStyle::Friendly).map_err(|e| format!("{shown}: {e}"))?;
        return Ok(Source { dialect: own, text, is_exact: false });
    }
    let (text, is_exact) = match String::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => (decode(error.into_bytes()), false),
    };
    let dialect = dialect
        .or_else(|| path.file_name().and_then(|n| Dialect::from_file_name(&n.to_string_lossy())))
        .or_else(|| Dialect::from_content(&text))
        .ok_or_else(|| format!("{shown}: cannot tell the dialect from name or content; use `--dialect` (llvm, mir, spirv or amdgpu)"))?;
    Ok(Source { dialect, text, is_exact })
}

/// The text of a SPIR-V binary, an AMDGPU code object or LLVM bitcode. An error is a sentence for the user.
pub(crate) fn text_of_binary(bytes: &[u8], style: IdStyle) -> Result<String, String> {
    match is_bitcode(bytes) {
        true => bitcode::disassemble(bytes, None),
        false => disassemble(bytes, style),
    }
}

/// Text of the same length: each byte that is not UTF-8 becomes `?`, so that offsets stay.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcode_is_read_through_llvm_dis_or_its_absence_is_reported() {
        let problem = text_of_binary(b"BC\xc0\xde123", IdStyle::Friendly).unwrap_err();
        assert!(problem.contains("llvm-dis"), "{problem}");
    }

    #[test]
    fn bytes_that_are_not_text_keep_their_place() {
        assert_eq!(decode(b"a\xff\xfeb".to_vec()), "a??b");
    }
}
