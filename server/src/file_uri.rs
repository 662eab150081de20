//! URIs of files.

use std::path::Path;

#[cfg(not(target_family = "wasm"))]
use url::Url;

/// A browser has no files.
#[cfg(target_family = "wasm")]
pub(crate) fn file_uri(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The URI of a file: `file:` for an absolute path, else a reference relative to the working folder.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn file_uri(path: &Path) -> String {
    if let Ok(uri) = Url::from_file_path(path) {
        return encoded(&uri);
    }
    // Only absolute paths become URLs: the root is added, and removed again.
    let (root, prefix) = if cfg!(windows) { ("C:\\", "file:///C:/") } else { ("/", "file:///") };
    let uri = Url::from_file_path(Path::new(root).join(path)).map(|u| encoded(&u)).unwrap_or_default();
    // A colon in the first part would end a scheme.
    uri.strip_prefix(prefix).unwrap_or(&uri).replace(':', "%3A")
}

/// Browsers leave characters as they are that RFC 3986 does not allow in a path.
#[cfg(not(target_family = "wasm"))]
fn encoded(uri: &Url) -> String {
    let mut encoded = String::with_capacity(uri.as_str().len());
    for c in uri.as_str().chars() {
        match c {
            '[' | ']' | '|' | '^' | '`' | '\\' => encoded.push_str(&format!("%{:02X}", u32::from(c))),
            c => encoded.push(c),
        }
    }
    encoded
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_percent_encoded() {
        let uri = |path| file_uri(Path::new(path));
        assert_eq!(uri("/a b/100%#?.ll"), "file:///a%20b/100%25%23%3F.ll");
        assert_eq!(uri("/x[1]^|`{}\\"), "file:///x%5B1%5D%5E%7C%60%7B%7D%5C");
        assert_eq!(uri("./é/a:b.ll"), "%C3%A9/a%3Ab.ll");
        assert_eq!(uri("../x.ll"), "../x.ll");
        assert_eq!(uri("-"), "-");
    }
}
