//! `file:` URIs and paths.

use std::path::{Path, PathBuf};

use lsp_types::Uri;

/// The path that a `file:` URI names.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
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

/// The last part of a URI, decoded if it is a `file:` URI.
pub(super) fn file_name(uri: &Uri) -> String {
    let decoded = path(uri.as_str()).and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    decoded.unwrap_or_else(|| uri.as_str().rsplit('/').next().unwrap_or_default().to_owned())
}

/// The `file:` URI of an absolute path.
pub(super) fn uri(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let lead = if text.starts_with('/') { "" } else { "/" };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~:".contains(&b);
    let encoded: String = text
        .bytes()
        .map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect();
    format!("file://{lead}{encoded}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_become_paths() {
        assert_eq!(path("file:///a%20b/c%C3%A9.spv"), Some(PathBuf::from("/a b/cé.spv")));
        assert_eq!(path("file:///C:/x.spv"), Some(PathBuf::from("C:/x.spv")));
        assert_eq!(path("untitled:a"), None);
        let back = uri(Path::new("/a b/cé%.spv"));
        assert_eq!(back.as_ref().map(|u| u.as_str()), Some("file:///a%20b/c%C3%A9%25.spv"));
    }
}
