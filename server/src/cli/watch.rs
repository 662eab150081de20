//! `--watch`: does the work again when a file changes.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::Outcome;
use super::output::say;

/// Wait between two looks at the files; shorter than anybody takes to look up.
const INTERVAL: Duration = Duration::from_millis(300);

/// What tells that a file was written, or that a folder has a new file.
type State = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// Runs `work`, which returns the files that it read, again and again.
pub(super) fn run(work: impl Fn() -> (Outcome, Vec<PathBuf>)) -> Outcome {
    loop {
        if std::io::stderr().is_terminal() {
            // Clears the screen and what was scrolled off it; a terminal that cannot is left as it is.
            let _ = std::io::stderr().write_all(b"\x1b[2J\x1b[3J\x1b[H");
        }
        let (outcome, files) = work();
        if files.is_empty() {
            return outcome;
        }
        let before = state(&files);
        say("waiting for changes; Ctrl-C ends");
        while state(&files) == before {
            std::thread::sleep(INTERVAL);
        }
    }
}

fn state(files: &[PathBuf]) -> State {
    let mut paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    paths.extend(files.iter().filter_map(|file| file.parent()));
    paths.sort_unstable();
    paths.dedup();
    let known = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let found = std::fs::metadata(path).ok()?;
        Some((found.modified().ok()?, if found.is_file() { found.len() } else { 0 }))
    };
    paths.into_iter().map(|path| (path.to_owned(), known(path))).collect()
}
