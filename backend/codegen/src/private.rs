//! Folders that only this user can read: whoever can write to a folder of ours decides what we read from it.

use std::fs::DirBuilder;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// How many names are tried before somebody must be guessing them.
const TRIES: usize = 16;

/// Makes a new folder below `parent`, with a name that nobody can foresee. Nothing that was there before is ever used.
///
/// # Errors
/// When none can be made.
pub fn new_folder(parent: &Path, prefix: &str) -> io::Result<PathBuf> {
    let mut problem = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..TRIES {
        let [first, second] = [(); 2].map(|()| RandomState::new().build_hasher().finish());
        let path = parent.join(format!("{prefix}{first:016x}{second:016x}"));
        match builder().create(&path).and_then(|()| check(&path)) {
            Ok(()) => return Ok(path),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

/// Makes a folder and those above it, or closes one that is there to others.
///
/// # Errors
/// When it is a link, or another user's, or cannot be made.
pub fn folder(path: &Path) -> io::Result<()> {
    builder().recursive(true).create(path)?;
    close(path)?;
    check(path)
}

/// Whether a folder is this user's and nobody else can read or write it.
///
/// # Errors
/// When it is not, or when this cannot be determined.
pub fn check(path: &Path) -> io::Result<()> {
    let found = std::fs::symlink_metadata(path)?;
    if found.is_dir() && is_own(&found) && is_closed(&found) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "the folder is not private"))
}

fn builder() -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Takes the rights of others away, which an earlier version or a wide umask left.
#[cfg(unix)]
fn close(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = std::fs::symlink_metadata(path)?;
    if found.is_dir() && is_own(&found) && !is_closed(&found) {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether a file is this user's. Elsewhere than on Unix each user has their own folders.
#[cfg(unix)]
pub fn is_own(found: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(found) == rustix::process::geteuid().as_raw()
}

/// On this system folders of the user are private anyway.
#[cfg(not(unix))]
pub fn is_own(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_closed(found: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(found) & 0o077 == 0
}

#[cfg(not(unix))]
fn is_closed(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn folders_are_closed_to_others() -> io::Result<()> {
        let parent = new_folder(&std::env::temp_dir(), "wavelens-test-")?;
        assert_eq!(std::fs::metadata(&parent)?.mode() & 0o777, 0o700);
        assert_ne!(new_folder(&parent, "x")?, new_folder(&parent, "x")?);
        // One of an earlier version.
        let open = parent.join("open");
        std::fs::create_dir(&open)?;
        std::fs::set_permissions(&open, PermissionsExt::from_mode(0o755))?;
        assert!(check(&open).is_err());
        folder(&open)?;
        assert_eq!(std::fs::metadata(&open)?.mode() & 0o777, 0o700);
        folder(&parent.join("a/b"))?;
        // A link may lead anywhere.
        symlink(&open, parent.join("link"))?;
        assert!(folder(&parent.join("link")).is_err());
        assert!(folder(&parent.join("nowhere/../link")).is_err());
        std::fs::remove_dir_all(parent)
    }
}
