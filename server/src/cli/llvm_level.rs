//! The value of `--llvm-level`.

use wavelens_base::LLVM_VERSIONS;
use wavelens_check::project::INSTALLED;
pub(crate) use wavelens_syntax::llvm::LEVELS;

use crate::compile::installed_level;

/// What `--llvm-level` takes: a version, or the word for the installed one.
///
/// # Errors
/// It is neither, or LLVM is not installed.
pub(crate) fn level_named(text: &str) -> Result<u8, String> {
    if text == INSTALLED {
        return installed_level(None).ok_or_else(|| "no LLVM is installed".to_owned());
    }
    let (oldest, newest) = LLVM_VERSIONS.into_inner();
    let level = text.parse().ok().filter(|level| LLVM_VERSIONS.contains(level));
    level.ok_or_else(|| format!("expected a version from {oldest} to {newest} or `{INSTALLED}`"))
}
