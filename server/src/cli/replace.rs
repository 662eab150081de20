//! Replacing the text of a file, so that neither a failure nor another program's save loses anything.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

static WRITING: Mutex<()> = Mutex::new(());

/// While this is held, no file is written.
pub(super) fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replaces the text of a file that still is `before`. The new text is written next to it, with its owner and permissions, and renamed
/// once it is on the disk: whatever fails, the old text stays. A file with several names, and one in a folder that takes no new file, is
/// written in place.
///
/// # Errors
/// Also when another program has written the file since it was read; then it is as that program left it.
pub(super) fn write(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let _writing = writing();
    // A link goes on to lead to the file, and a file that must not be written stays.
    let path = std::fs::canonicalize(path)?;
    let mut file = File::options().read(true).write(true).open(&path)?;
    let found = file.metadata()?;
    check(&mut file, before)?;
    if has_other_names(&found) {
        return write_in_place(&mut file, before, after);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let aside = path.with_file_name(name);
    let made = match File::create_new(&aside) {
        Ok(made) => made,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return write_in_place(&mut file, before, after);
        }
        Err(error) => return Err(error),
    };
    let replaced = prepare(made, &found, after).and_then(|()| swap(&aside, &path, before));
    // What is left there is the old text, or the new one that was not used.
    let _ = std::fs::remove_file(&aside);
    match replaced {
        // A file of another user, which cannot be given to them.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => write_in_place(&mut file, before, after),
        replaced => replaced,
    }
}

/// Fails if a file, read from its start, is not what was read before.
fn check(file: &mut File, before: &str) -> io::Result<()> {
    file.rewind()?;
    let mut now = Vec::with_capacity(before.len());
    file.take(before.len() as u64 + 1).read_to_end(&mut now)?;
    if now == before.as_bytes() { Ok(()) } else { Err(changed()) }
}

fn changed() -> io::Error {
    io::Error::other("another program has changed the file meanwhile")
}

fn write_in_place(file: &mut File, before: &str, after: &str) -> io::Result<()> {
    check(file, before)?;
    file.rewind()?;
    file.write_all(after.as_bytes())?;
    file.set_len(after.len() as u64)?;
    file.sync_all()
}

/// Writes the new text to the disk, with the owner and the permissions of the old one.
fn prepare(mut made: File, found: &Metadata, after: &str) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = made.metadata()?;
        if (own.uid(), own.gid()) != (found.uid(), found.gid()) {
            fchown(&made, Some(found.uid()), Some(found.gid()))?;
        }
    }
    made.set_permissions(found.permissions())?;
    made.write_all(after.as_bytes())?;
    made.sync_all()
}

/// Puts the new text in the place of the old one. The two change places, so that what was replaced can be looked at: if it is not the
/// old text any more, it is put back.
#[cfg(target_os = "linux")]
fn swap(aside: &Path, path: &Path, before: &str) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    let exchange = || renameat_with(CWD, aside, CWD, path, RenameFlags::EXCHANGE);
    match exchange() {
        Ok(()) => {}
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => return rename(aside, path, before),
        Err(error) => return Err(error.into()),
    }
    match File::open(aside).and_then(|mut old| check(&mut old, before)) {
        Ok(()) => sync_folder(path),
        Err(error) => {
            exchange()?;
            Err(error)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn swap(aside: &Path, path: &Path, before: &str) -> io::Result<()> {
    rename(aside, path, before)
}

fn rename(aside: &Path, path: &Path, before: &str) -> io::Result<()> {
    check(&mut File::open(path)?, before)?;
    std::fs::rename(aside, path)?;
    sync_folder(path)
}

/// A name is on the disk when its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        // Some file systems refuse; the text is there all the same.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

#[cfg(unix)]
fn has_other_names(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn in_folder(name: &str, test: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let folder = std::env::temp_dir().join(format!("wavelens-replace-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        test(&folder)?;
        assert!(
            std::fs::read_dir(&folder)?
                .flatten()
                .all(|e| !e.file_name().to_string_lossy().ends_with(".part")),
            "nothing is left"
        );
        std::fs::remove_dir_all(folder)
    }

    #[test]
    fn the_text_is_replaced_with_its_permissions() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        in_folder("permissions", |folder| {
            let file = folder.join("a.ll");
            std::fs::write(&file, "old")?;
            std::fs::set_permissions(&file, PermissionsExt::from_mode(0o751))?;
            std::os::unix::fs::symlink("a.ll", folder.join("link"))?;
            write(&folder.join("link"), "old", "new")?;
            assert_eq!(std::fs::read(&file)?, b"new");
            assert_eq!(std::fs::metadata(&file)?.permissions().mode() & 0o777, 0o751);
            assert!(folder.join("link").is_symlink());
            Ok(())
        })
    }

    #[test]
    fn what_another_program_saved_stays() -> io::Result<()> {
        in_folder("saved", |folder| {
            let file = folder.join("a.ll");
            std::fs::write(&file, "theirs")?;
            assert!(write(&file, "old", "new").is_err());
            assert_eq!(std::fs::read(&file)?, b"theirs");
            // Saved after the first look.
            let aside = folder.join("aside");
            std::fs::write(&aside, "new")?;
            assert!(swap(&aside, &file, "old").is_err());
            assert_eq!(std::fs::read(&file)?, b"theirs");
            Ok(())
        })
    }

    #[test]
    fn a_file_with_two_names_keeps_both() -> io::Result<()> {
        in_folder("names", |folder| {
            let (file, other) = (folder.join("a.ll"), folder.join("b.ll"));
            std::fs::write(&file, "older")?;
            std::fs::hard_link(&file, &other)?;
            write(&file, "older", "new")?;
            assert_eq!((std::fs::read(&file)?, std::fs::read(&other)?), (b"new".to_vec(), b"new".to_vec()));
            Ok(())
        })
    }
}
