//! Reading files: bytes to text, once, at the edge.

use std::path::Path;

use wavelens_base::Dialect;
use wavelens_check::disassemble::{IdStyle, binary_dialect, disassemble};
use wavelens_codegen::bitcode::{self, is_bitcode};

use crate::input::read_bytes;

use crate::shown;

/// A file's text. Offsets in the text are offsets in the file, but for binaries, whose text is their disassembly.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) dialect: Dialect,
    pub(crate) text: String,
    /// The text is the file's bytes, and not a disassembly or with bytes replaced: the file may be written.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "only the command line writes files"))]
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
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let dialect = dialect.or_else(|| dialect_of(&name, &text)).ok_or_else(|| format!("{shown}: cannot tell the dialect from name or content; use `--dialect` (llvm, mir, spirv or amdgpu)"))?;
    Ok(Source { dialect, text, is_exact })
}

/// The dialect of a file by its name, else by its text, else by what it was named before: `a.ll.orig`.
fn dialect_of(name: &str, text: &str) -> Option<Dialect> {
    let mut before = name.rmatch_indices('.').filter_map(|(dot, _)| name.get(..dot));
    Dialect::from_file_name(name)
        .or_else(|| Dialect::from_content(text))
        .or_else(|| before.find_map(Dialect::from_file_name))
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
    fn a_dialect_is_told_by_name_then_text_then_earlier_name() {
        let of = |name: &str, text: &str| dialect_of(name, text);
        let module = "define void @f() {\n  ret void\n}\n";
        assert_eq!(of("a.spvasm", module), Some(Dialect::Spirv));
        assert_eq!(of("a.spvasm.orig", module), Some(Dialect::Llvm));
        assert_eq!(of("a.ll.orig", "?"), Some(Dialect::Llvm));
        assert_eq!(of("a.spvasm.expected.wgsl", "?"), Some(Dialect::Spirv));
        assert_eq!((of("a.orig", "?"), of("spvasm", "?"), of("", "")), (None, None, None));
    }

    #[test]
    fn bytes_that_are_not_text_keep_their_place() {
        assert_eq!(decode(b"a\xff\xfeb".to_vec()), "a??b");
    }
}
