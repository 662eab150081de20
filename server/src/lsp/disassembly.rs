//! `wavelens/disassemble`: a SPIR-V binary or an AMDGPU code object as text, for editors to show instead of the bytes.

use std::path::PathBuf;

use lsp_types::Uri;
use serde::Serialize;
use wavelens_analysis::disassemble::{IdStyle, disassemble};

use crate::source::read_bytes;

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
        .and_then(|path| read_bytes(&path.to_string_lossy()))
        .and_then(|bytes| disassemble(&bytes, IdStyle::Friendly));
    match text {
        Ok(text) => Disassembly { text, problem: None },
        Err(problem) => Disassembly { text: String::new(), problem: Some(problem) },
    }
}

fn path(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix("file://")?;
    let encoded = encoded.get(encoded.find('/')?..)?;
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(..2).filter(|_| *first == b'%').and_then(|d| std::str::from_utf8(d).ok());
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/x` on Windows.
    let drive = path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(path.get(usize::from(drive)..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_become_paths() {
        assert_eq!(path("file:///a%20b/c%C3%A9.spv"), Some(PathBuf::from("/a b/cé.spv")));
        assert_eq!(path("file:///C:/x.spv"), Some(PathBuf::from("C:/x.spv")));
        assert_eq!(path("untitled:a"), None);
    }
}
