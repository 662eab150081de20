//! Reading files that somebody else named: never without end, and never more than can be worked on.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::shown;

/// Bytes of the largest text: offsets have 32 bits.
pub(crate) const LIMIT: u64 = (u32::MAX / 2) as u64;

/// Bytes of a file that all cores read together, each a part of it: half of the time goes to memory that was not used before.
const LARGE: u64 = 8 << 20;

static STANDARD_INPUT: OnceLock<PathBuf> = OnceLock::new();

/// Gives standard input the name of a file: from here on to read that path is to read standard input.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn name_standard_input(path: &Path) {
    let _ = STANDARD_INPUT.set(path.to_owned());
}

/// Whether a path stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-") || STANDARD_INPUT.get().is_some_and(|named| named == path)
}

/// The bytes of a path; `-` is standard input. An error is a sentence for the user.
pub(crate) fn read_bytes(path: impl AsRef<Path>) -> Result<Vec<u8>, String> {
    let path = path.as_ref();
    let (name, file) = match is_standard_input(path) {
        true => ("standard input".to_owned(), standard_input()),
        false => (shown::path(path).to_string(), open(path)),
    };
    file.and_then(|file| read_within(file, LIMIT)).map_err(|error| format!("{name}: {}", sentence(&error)))
}

fn sentence(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::FileTooLarge => "larger than 2 GiB".to_owned(),
        _ => error.to_string(),
    }
}

/// All of a file, if it has at most `limit` bytes.
///
/// # Errors
/// `FileTooLarge`, before anything is read where the size is known. Also for devices, whose data has no end.
pub(crate) fn read_within(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let found = file.metadata()?;
    if found.len() > limit {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::new();
    if !found.is_file() || found.len() < LARGE || !read_on_all_cores(&file, &found, &mut bytes)? {
        bytes.reserve(found.len() as usize);
        begin(&file, &found, &mut bytes)?;
    }
    // It may grow meanwhile, and a pipe has no size.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Reads a file from its current position. False, with nothing read, if it is shorter than its size says.
#[cfg(unix)]
fn read_on_all_cores(mut file: &File, found: &std::fs::Metadata, bytes: &mut Vec<u8>) -> io::Result<bool> {
    use std::io::{Seek, SeekFrom};
    use std::os::unix::fs::FileExt;

    use rayon::prelude::*;

    let start = file.stream_position()?;
    let mut read = vec![0; found.len().saturating_sub(start) as usize];
    let part = 1 << 20;
    let parts = read.par_chunks_mut(part).enumerate();
    let outcome =
        parts.try_for_each(|(index, bytes)| file.read_exact_at(bytes, start + (index * part) as u64));
    match outcome {
        Ok(()) => {
            file.seek(SeekFrom::Start(start + read.len() as u64))?;
            *bytes = read;
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn read_on_all_cores(_: &File, _: &std::fs::Metadata, _: &mut Vec<u8>) -> io::Result<bool> {
    Ok(false)
}

#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(target_family = "wasm")]
fn standard_input() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Opens a file for reading. A named pipe that no program writes to would make that wait.
#[cfg(unix)]
pub(crate) fn open(path: impl AsRef<Path>) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
pub(crate) fn open(path: impl AsRef<Path>) -> io::Result<File> {
    File::open(path)
}

/// The bytes of a small regular file. What else may have its name is not read: a pipe would wait, and a device has no end.
///
/// # Errors
/// `FileTooLarge` above `limit` bytes; `InvalidInput` for what is not a regular file.
pub(crate) fn read_small(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    match file.metadata()?.is_file() {
        true => read_within(file, limit),
        false => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Opens a regular file in one of several folders. Links and `..` are followed as far as they stay in the folder; this holds at the
/// moment of opening, whoever changes them meanwhile.
///
/// # Errors
/// `PermissionDenied` for a path that is in none of the folders, or leads out of it; `InvalidInput` for what is not a regular file.
pub(crate) fn open_below<'r>(
    folders: impl IntoIterator<Item = &'r PathBuf>,
    path: &Path,
) -> io::Result<File> {
    let mut problem = io::Error::from(io::ErrorKind::PermissionDenied);
    for folder in folders {
        // A folder may be named by a link, and a file in it by its real path.
        let real = folder.canonicalize().ok();
        let mut names = std::iter::once(folder).chain(&real);
        let Some(rest) = names.find_map(|name| path.strip_prefix(name).ok()) else { continue };
        match open_in(folder, rest) {
            Ok(file) if file.metadata()?.is_file() => return Ok(file),
            Ok(_) => return Err(io::ErrorKind::InvalidInput.into()),
            Err(error) => problem = error,
        }
    }
    Err(problem)
}

#[cfg(not(target_family = "wasm"))]
fn open_in(folder: &Path, path: &Path) -> io::Result<File> {
    use cap_std::fs::{Dir, OpenOptions};
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let folder = Dir::open_ambient_dir(folder, cap_std::ambient_authority())?;
    folder.open_with(path, &options).map(cap_std::fs::File::into_std)
}

/// A browser has no folders.
#[cfg(target_family = "wasm")]
fn open_in(_: &Path, _: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// How long a named pipe may have no writer.
#[cfg(unix)]
const NO_WRITER: rustix::event::Timespec = rustix::event::Timespec { tv_sec: 10, tv_nsec: 0 };

/// Takes files, terminals, and pipes that somebody writes to; reads the first byte of a pipe to find out.
#[cfg(unix)]
fn begin(mut file: &File, found: &std::fs::Metadata, bytes: &mut Vec<u8>) -> io::Result<()> {
    use std::io::IsTerminal;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

    let kind = found.file_type();
    let null = std::fs::metadata("/dev/null");
    let is_null = kind.is_char_device() && null.is_ok_and(|null| null.rdev() == found.rdev());
    if (kind.is_char_device() && !is_null && !file.is_terminal()) || kind.is_block_device() {
        return Err(io::Error::other("a device cannot be read"));
    }
    let flags = fcntl_getfl(file)?;
    if kind.is_file() || !flags.contains(OFlags::NONBLOCK) {
        return Ok(());
    }
    let mut first = [0];
    match file.read(&mut first) {
        Ok(0) => {
            let mut waits = [PollFd::new(file, PollFlags::IN)];
            if !matches!(poll(&mut waits, Some(&NO_WRITER)), Ok(1..)) {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "no program has opened this pipe for writing",
                ));
            }
        }
        Ok(_) => bytes.extend(first),
        // There is a writer.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
        Err(error) => return Err(error),
    }
    // From here on reads wait.
    Ok(fcntl_setfl(file, flags - OFlags::NONBLOCK)?)
}

#[cfg(not(unix))]
fn begin(_: &File, _: &std::fs::Metadata, _: &mut Vec<u8>) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn devices_are_refused_and_the_empty_one_is_empty() {
        assert_eq!(read_bytes("/dev/zero"), Err("/dev/zero: a device cannot be read".to_owned()));
        assert_eq!(read_bytes("/dev/null"), Ok(Vec::new()));
    }

    #[test]
    fn a_large_file_is_refused_before_it_is_read() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("wavelens-large-{}", std::process::id()));
        // All of it is a hole.
        File::create(&path)?.set_len(LIMIT + 1)?;
        let name = path.display().to_string();
        assert_eq!(read_bytes(&name), Err(format!("{name}: larger than 2 GiB")));
        std::fs::write(&path, "12345")?;
        assert_eq!(read_within(File::open(&path)?, 5)?, b"12345");
        assert_eq!(
            read_within(File::open(&path)?, 4).map_err(|e| e.kind()),
            Err(io::ErrorKind::FileTooLarge)
        );
        std::fs::remove_file(path)
    }

    #[test]
    fn parts_of_a_large_file_are_in_order() -> io::Result<()> {
        let path = std::env::temp_dir().join(format!("wavelens-parts-{}", std::process::id()));
        let text: Vec<u8> = (0..LARGE + 5).map(|n| (n % 251) as u8).collect();
        std::fs::write(&path, &text)?;
        assert!(read_within(File::open(&path)?, LIMIT)? == text);
        let mut file = File::open(&path)?;
        file.read_exact(&mut [0; 3])?;
        assert!(read_within(file, LIMIT)? == text[3..]);
        std::fs::remove_file(path)
    }

    #[test]
    fn pipes_are_read_if_somebody_writes() -> io::Result<()> {
        use std::io::Write;
        use std::os::fd::AsRawFd;
        let (reader, mut writer) = io::pipe()?;
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        let thread = std::thread::spawn(move || {
            writer.write_all(b"12").expect("it is read");
            std::thread::sleep(std::time::Duration::from_millis(20));
            writer.write_all(b"3").expect("it is read");
        });
        assert_eq!(read_bytes(&path), Ok(b"123".to_vec()));
        thread.join().expect("no panic");
        Ok(())
    }
}
