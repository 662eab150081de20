//! `--baseline` and `--write-baseline`: findings that are known and not reported again.
//!
//! A known finding is one of the same code and message in the same file on a line with the same text: lines above it may come and go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wavelens_base::TextRange;

use super::levels::FINDINGS;
use super::output::{count, note, write_file};
use crate::checked::Checked;
use crate::shown;

#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct BaselineArguments {
    /// Report only findings that are not in this file, which `--write-baseline` wrote.
    #[arg(long, value_name = "FILE", help_heading = FINDINGS)]
    baseline: Option<PathBuf>,
    /// Write all findings to this file, and report none of them.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = FINDINGS)]
    write_baseline: Option<PathBuf>,
}

/// What makes two findings the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    file: String,
    code: String,
    message: String,
    /// The line that it is about, without white space around it.
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    /// How many there are.
    count: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct File {
    version: u32,
    findings: Vec<Entry>,
}

/// The version of the file's form.
const VERSION: u32 = 1;

/// The findings that are not reported.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeMap<Key, usize>,
    left_out: usize,
    /// It is being written.
    output: Option<PathBuf>,
    is_read: bool,
}

impl BaselineArguments {
    /// # Errors
    /// The file cannot be read, or is not a baseline.
    pub(super) fn read(&self) -> Result<Baseline, String> {
        let output = self.write_baseline.clone();
        let Some(path) = &self.baseline else { return Ok(Baseline { output, ..Baseline::default() }) };
        let shown = shown::path(path);
        let text = std::fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
        let file: File = serde_json::from_slice(&text)
            .map_err(|error| format!("{shown}: not written by `--write-baseline`: {error}"))?;
        if file.version != VERSION {
            return Err(format!("{shown}: written by another version; `--write-baseline` writes it again"));
        }
        let known = file.findings.into_iter().map(|entry| (entry.key, entry.count)).collect();
        Ok(Baseline { known, is_read: true, ..Baseline::default() })
    }
}

impl Baseline {
    /// Takes the known findings out of those of a file; while a baseline is written, all are.
    pub(super) fn leave_out_known(&mut self, checked: &mut Checked) {
        if self.output.is_none() && !self.is_read {
            return;
        }
        let before = checked.found.len();
        let file = checked.path.to_string_lossy().replace('\\', "/");
        let text = std::mem::take(&mut checked.source.text);
        checked.found.retain(|found| {
            let finding = &found.finding;
            let key = Key {
                file: file.clone(),
                code: finding.rule.code.to_owned(),
                message: finding.message.clone(),
                text: line_of(&text, finding.range).to_owned(),
            };
            if self.output.is_some() {
                *self.known.entry(key).or_default() += 1;
                return false;
            }
            match self.known.get_mut(&key) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                _ => true,
            }
        });
        checked.source.text = text;
        self.left_out += before - checked.found.len();
    }

    /// Writes the file, if it is to be written, and says what was left out.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn finish(self) -> Result<(), String> {
        if let Some(path) = &self.output {
            let findings = self.known.into_iter().map(|(key, count)| Entry { key, count }).collect();
            write_file(path, (shown::json(&File { version: VERSION, findings }) + "\n").as_bytes())?;
            note(format!("{}: {}", shown::path(path), count(self.left_out, "finding")));
        } else if self.is_read {
            let gone: usize = self.known.values().sum();
            let gone = match gone {
                0 => String::new(),
                1 => "; 1 other is gone, and `--write-baseline` leaves it out".to_owned(),
                _ => format!("; {gone} others are gone, and `--write-baseline` leaves them out"),
            };
            note(format!("{} in the baseline{gone}", count(self.left_out, "finding")));
        }
        Ok(())
    }
}

/// The line that a range starts in, for people and for comparison.
pub(super) fn line_of(text: &str, range: TextRange) -> &str {
    let start = usize::from(range.start()).min(text.len());
    let before = text.get(..start).map_or(0, |before| before.rfind('\n').map_or(0, |n| n + 1));
    text.get(before..).and_then(|rest| rest.lines().next()).unwrap_or("").trim()
}

/// What stays the same of a finding when lines above it come and go, as a number: two of one line differ by `occurrence`.
pub(super) fn fingerprint(path: &Path, code: &str, line: &str, occurrence: usize) -> String {
    // FNV-1a: the same in every build.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let path = path.to_string_lossy().replace('\\', "/");
    for part in [path.as_str(), code, line, &occurrence.to_string()] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
