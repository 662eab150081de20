//! Whole processes: time and memory.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

/// A process from start to end.
pub(crate) struct Run {
    pub(crate) time: Duration,
    /// Peak of resident memory in bytes, sampled every millisecond; 0 if it was not watched.
    pub(crate) memory: u64,
}

/// The command of some words, in which `{}` is the file.
pub(crate) fn command(words: &[&str], file: &Path) -> Command {
    let file = file.to_string_lossy();
    let mut words = words.iter().map(|word| word.replace("{}", &file));
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs commands one after the other, `times` times: median of their total time, and the largest memory. They must succeed.
pub(crate) fn median(commands: &[Vec<String>], times: usize) -> Outcome<Run> {
    let mut runs = Vec::new();
    for _ in 0..times {
        let mut time = Duration::ZERO;
        for words in commands {
            time += measure(words, false)?.time;
        }
        runs.push(time);
    }
    runs.sort();
    // Looking at the memory takes time: it is a run of its own.
    let mut memory = 0;
    for words in commands {
        memory = memory.max(measure(words, true)?.memory);
    }
    Ok(Run { time: runs[runs.len() / 2], memory })
}

fn measure(words: &[String], watched: bool) -> Outcome<Run> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = command(&words, Path::new(""));
    let start = Instant::now();
    let mut child = command.spawn().map_err(|e| format!("{} cannot be started: {e}", words[0]))?;
    let mut memory = 0;
    while watched && matches!(child.try_wait(), Ok(None)) {
        memory = memory.max(resident(child.id(), "VmHWM:"));
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().map_err(|e| format!("{}: {e}", words[0]))?;
    let time = start.elapsed();
    match output.status.success() {
        true => Ok(Run { time, memory }),
        false => Err(format!("{words:?} failed: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// A size in bytes from `/proc/PID/status`: `VmRSS:` now, `VmHWM:` the peak.
pub(crate) fn resident(process: u32, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
