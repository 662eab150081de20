//! Folders that only this user can read: whoever can write to a folder of ours decides what we read from it.

use std::fs::{DirBuilder, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// How many names are tried before somebody must be guessing them.
const TRIES: usize = 16;

/// A new folder in the system's folder for temporary files. It goes with this value; one that a killed process left is removed by the
/// next process that makes one.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    /// Locked as long as the process lives, also in another container. `None` where files cannot be locked.
    _lock: Option<File>,
}

/// Names of temporary folders start so.
const PREFIX: &str = "wavelens-";
/// The locked file in each of them.
const LOCK: &str = ".lock";

impl Temporary {
    /// Makes one whose name tells what it is for.
    ///
    /// # Errors
    /// When none can be made; the message names the folder that it should have been in.
    pub fn new(purpose: &str) -> io::Result<Temporary> {
        Temporary::below(&temporary_folder(), purpose)
    }

    /// Makes one in another folder.
    ///
    /// # Errors
    /// As [`Temporary::new`].
    pub fn below(parent: &Path, purpose: &str) -> io::Result<Temporary> {
        sweep(parent);
        let made = || {
            let path = new_folder(parent, &format!("{PREFIX}{purpose}-"))?;
            let lock = File::create_new(path.join(LOCK))?;
            Ok((path, lock))
        };
        for _ in 0..TRIES {
            let (path, lock) = made().map_err(|error: io::Error| {
                let unmade = || format!("{}: no private folder can be made: {error}", parent.display());
                io::Error::new(error.kind(), missing_folder(parent).unwrap_or_else(unmade))
            })?;
            match lock.try_lock() {
                Ok(()) => return Ok(Temporary { path, _lock: Some(lock) }),
                // Another process took it for one that was left.
                Err(std::fs::TryLockError::WouldBlock) => {}
                Err(std::fs::TryLockError::Error(_)) => return Ok(Temporary { path, _lock: None }),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The system's folder for temporary files, by an absolute path: programs start in other folders. `TMPDIR` without a value counts as
/// not set.
pub(crate) fn temporary_folder() -> PathBuf {
    absolute(std::env::temp_dir())
}

fn absolute(folder: PathBuf) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { PathBuf::from("/tmp") } else { folder };
    std::path::absolute(&folder).unwrap_or(folder)
}

/// What to say of a folder for temporary files that does not exist.
pub(crate) fn missing_folder(folder: &Path) -> Option<String> {
    (!folder.is_dir()).then(|| {
        format!(
            "the folder {} does not exist (temporary files are in the one that TMPDIR names)",
            folder.display()
        )
    })
}

/// Removes the user's temporary folders whose lock nobody holds.
fn sweep(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX)) {
        let is_left = || File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if check(&entry.path()).is_ok() && is_left() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

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
    fn what_a_killed_process_left_goes_and_what_is_in_use_stays() -> io::Result<()> {
        let parent = new_folder(&std::env::temp_dir(), "test-private-")?;
        let left = new_folder(&parent, "wavelens-lit-")?;
        std::fs::write(left.join(LOCK), "")?;
        std::fs::create_dir_all(left.join("out/deep"))?;
        let other = new_folder(&parent, "wavelens-other-")?;
        let used = Temporary::below(&parent, "lit")?;
        assert!(!left.exists() && other.exists());
        let second = Temporary::below(&parent, "lit")?;
        assert!(used.path().exists() && used.path() != second.path());
        let path = used.path().to_owned();
        drop(used);
        assert!(!path.exists() && second.path().exists());
        drop(second);
        std::fs::remove_dir_all(parent)
    }

    #[test]
    fn a_missing_parent_is_named() {
        let error = Temporary::below(Path::new("/no/such/folder"), "lit").map(drop).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the folder /no/such/folder does not exist (temporary files are in the one that TMPDIR names)"
        );
    }

    #[test]
    fn the_folder_for_temporary_files_is_absolute() -> io::Result<()> {
        assert_eq!(absolute(PathBuf::new()), Path::new("/tmp"));
        assert_eq!(absolute("/var/tmp".into()), Path::new("/var/tmp"));
        assert_eq!(absolute("here".into()), std::env::current_dir()?.join("here"));
        Ok(())
    }

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
