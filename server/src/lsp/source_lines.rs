//! Lines of source files. Where lines start is remembered, so that a second line of a large file is found without reading all of it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Larger files are not read for a line.
const SIZE: u64 = 16 << 20;
/// Of so many lines one start is remembered.
const STEP: usize = 64;
/// So many files are remembered.
const FILES: usize = 32;

/// The files whose lines were read last, the newest at the end.
#[derive(Debug, Default)]
pub(super) struct SourceLines {
    files: Mutex<Vec<LineStarts>>,
}

/// Where lines of a file start, as long as it has this size and this time.
#[derive(Debug)]
struct LineStarts {
    path: PathBuf,
    size: u64,
    modified: SystemTime,
    /// Of each [`STEP`]-th line.
    starts: Vec<u64>,
}

impl SourceLines {
    /// A line, counted from 0, without its end; `None` if the file is too large or does not have it. `path` is that of the open file.
    pub(super) fn read(&self, path: &Path, file: File, line: usize) -> Option<Vec<u8>> {
        let data = file.metadata().ok().filter(|data| data.len() <= SIZE)?;
        let (size, modified) = (data.len(), data.modified().ok());
        if let Some(start) = modified.and_then(|modified| self.start(path, size, modified, line)) {
            return read_from(file, start?, line % STEP);
        }
        let mut text = Vec::new();
        file.take(SIZE).read_to_end(&mut text).ok()?;
        if let Some(modified) = modified.filter(|_| text.len() as u64 == size) {
            self.remember(LineStarts { path: path.to_owned(), size, modified, starts: line_starts(&text) });
        }
        text.split(|byte| *byte == b'\n').nth(line).map(<[u8]>::to_vec)
    }

    /// For a file that is known: where to look for a line, or `None` past its end.
    fn start(&self, path: &Path, size: u64, modified: SystemTime, line: usize) -> Option<Option<u64>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let known = files.iter().find(|f| f.path == path && (f.size, f.modified) == (size, modified))?;
        Some(known.starts.get(line / STEP).copied())
    }

    fn remember(&self, file: LineStarts) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|known| known.path != file.path);
        if files.len() >= FILES {
            files.remove(0);
        }
        files.push(file);
    }
}

fn line_starts(text: &[u8]) -> Vec<u64> {
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u64 + 1);
    std::iter::once(0).chain(ends).step_by(STEP).collect()
}

/// The line `skip` lines after an offset.
fn read_from(mut file: File, start: u64, skip: usize) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(start)).ok()?;
    // It may have grown since.
    let mut lines = BufReader::new(file.take(SIZE)).split(b'\n');
    lines.nth(skip)?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_lines_are_those_of_the_file() {
        let path = std::env::temp_dir().join(format!("wavelens-lines-{}", std::process::id()));
        let text = |count: usize, word: &str| {
            let lines: Vec<String> = (0..count).map(|line| format!("{word} {line}")).collect();
            lines.join("\n")
        };
        let lines = SourceLines::default();
        for (count, word) in [(200, "line"), (64, "other"), (1, "one"), (129, "more")] {
            std::fs::write(&path, text(count, word)).expect("the file is written");
            for line in (0..count + 2).chain([0, 1000]) {
                let read = lines
                    .read(&path, File::open(&path).expect("it is there"), line)
                    .map(|l| String::from_utf8_lossy(&l).into_owned());
                assert_eq!(read, (line < count).then(|| format!("{word} {line}")));
            }
        }
        assert_eq!(lines.files.lock().map(|files| files.len()).ok(), Some(1));
        std::fs::remove_file(&path).expect("the file is removed");
    }

    #[test]
    fn few_files_are_remembered() {
        let lines = SourceLines::default();
        for number in 0..FILES + 5 {
            let path = PathBuf::from(number.to_string());
            lines.remember(LineStarts { path, size: 0, modified: SystemTime::UNIX_EPOCH, starts: vec![0] });
        }
        let files = lines.files.lock().expect("no panic");
        assert_eq!((files.len(), files[0].path.clone()), (FILES, PathBuf::from("5")));
    }
}
