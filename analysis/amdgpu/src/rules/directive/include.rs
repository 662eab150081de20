//! Included files.

wavelens_syntax::rules! {
    INCLUDE {
        code: "include",
        severity: wavelens_base::Severity::Error,
        title: "an included file must exist",
        explain: "The file is in none of the folders that are searched. Files outside of the workspace are not read, and are reported \
only where code is encoded.",
        example: ".include \"missing.inc\"\n",
        fixed: ".byte 1\n",
        source: "LLVM AsmParser::parseDirectiveInclude: \"Could not find include file\"",
    }
}

/// How deep files include each other at most. A file may include itself under a condition, so a circle is one only when it is this deep.
pub(crate) const DEPTH: usize = 32;

/// The message about files that include each other deeper.
pub(crate) fn too_deep() -> String {
    format!("files include each other more than {DEPTH} levels deep")
}

/// The message about a file that is in none of the folders.
pub(crate) fn missing(name: &str) -> String {
    format!("file `{name}` not found")
}

/// The message about a file that may not be read, where all bytes are needed.
pub(crate) fn unread(name: &str) -> String {
    format!("file `{name}` was not read: addresses and distances after it are not known")
}
