//! `cargo xtask agreement`: verdicts of both sides on public corpora, as a table for docs/agreement.md.

mod corpora;
mod encodings;
mod verdicts;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use wavelens_test_support::random::Random;

use self::corpora::{CORPORA, Corpus};
use self::encodings::Encodings;
use self::verdicts::{Reference, Tools, Verdict, cases, own_verdicts, references};
use crate::Outcome;
use crate::repository::{output, read_text, root, write};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program; default: the release build
    #[arg(long, default_value = "target/release/wavelens")]
    program: PathBuf,
    /// Where corpora are laid out; they are kept
    #[arg(long, value_name = "DIR", default_value = "target/agreement")]
    folder: PathBuf,
    /// A copy of a corpus's repository, instead of its address: `llvm-tests=/src/llvm/.git`
    #[arg(long = "copy", value_name = "NAME=DIR")]
    copies: Vec<String>,
    /// Only these corpora
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// At most so many files of a corpus, drawn at random; default: all
    #[arg(long)]
    sample: Option<usize>,
    /// The same seed draws the same files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What follows the names of LLVM's programs
    #[arg(long, default_value = "-22", allow_hyphen_values = true)]
    suffix: String,
    /// The validator of SPIR-V; the assembler is the `spirv-as` next to it
    #[arg(long, value_name = "PATH", default_value = "spirv-val")]
    spirv_val: PathBuf,
    /// Write the table into docs/agreement.md, instead of to standard output
    #[arg(long)]
    write: bool,
}

/// Why files of the corpora are judged differently, by a part of their path.
const REASONS: &[(&str, &str)] = &[
    ("xnack-mask.s", "no LLVM has the processor gfx1001: one warning, other rules stay quiet"),
    ("wave_any.s", "both wave sizes at once: nothing is encoded"),
];

const START: &str = "<!-- cargo xtask agreement -->\n";
const END: &str = "<!-- end -->\n";

#[derive(Default)]
struct Counts {
    files: usize,
    accepted: usize,
    rejected: usize,
    false_alarms: usize,
    missed: usize,
    /// Lines with errors of the reference, in files that both reject.
    reference_lines: usize,
    /// How many of them have our errors too.
    common_lines: usize,
    encodings: Encodings,
}

impl Counts {
    fn add(&mut self, own: &Verdict, reference: &Reference) {
        let Reference { verdict: reference, encodings } = reference;
        if let Some(encodings) = encodings {
            self.encodings.compared += encodings.compared;
            self.encodings.equal += encodings.equal;
        }
        self.files += 1;
        *(if reference.accepts { &mut self.accepted } else { &mut self.rejected }) += 1;
        match (own.accepts, reference.accepts) {
            (false, true) => self.false_alarms += 1,
            (true, false) => self.missed += 1,
            (false, false) => {
                self.reference_lines += reference.lines.len();
                self.common_lines += reference.lines.iter().filter(|line| own.lines.contains(line)).count();
            }
            (true, true) => {}
        }
    }

    fn row(&self) -> String {
        let Counts { files, accepted, rejected, false_alarms, missed, .. } = self;
        let Counts { reference_lines, common_lines, encodings: Encodings { compared, equal }, .. } = self;
        let percent = match reference_lines {
            0 => "-".to_owned(),
            known => format!("{:.2} %", 100.0 * *common_lines as f64 / *known as f64),
        };
        let encodings = match compared {
            0 => "-".to_owned(),
            _ => format!("{equal} of {compared}"),
        };
        format!("{files} | {accepted} | {rejected} | {false_alarms} | {missed} | {percent} | {encodings} |")
    }
}

impl Arguments {
    fn tools(&self) -> Tools {
        Tools {
            suffix: self.suffix.clone(),
            spirv_val: self.spirv_val.clone(),
            spirv_as: self.spirv_val.with_file_name("spirv-as"),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut page = String::from(
        "| corpus | files | accepted | rejected | false alarms | missed | lines | encodings |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut differing = String::new();
    let mut sources = String::new();
    for corpus in CORPORA {
        if !arguments.only.is_empty() && !arguments.only.iter().any(|name| name == corpus.name) {
            continue;
        }
        compare(arguments, corpus, &mut page, &mut differing)?;
        let Corpus { name, url, commit, folders, .. } = corpus;
        let _ = writeln!(sources, "- {name}: {url} at {commit}, {}", folders.join(", "));
    }
    let mut text = format!("{page}\n{sources}");
    for line in versions(arguments)? {
        let _ = writeln!(text, "- {line}");
    }
    if !differing.is_empty() {
        let _ = write!(text, "\n| judged differently | verdicts | reason |\n|---|---|---|\n{differing}");
    }
    if !arguments.write {
        print!("{text}");
        return Ok(());
    }
    let path = root().join("docs/agreement.md");
    let old = read_text(&path)?;
    let place = old.split_once(START).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = place.ok_or_else(|| format!("{}: no place for the table", path.display()))?;
    write(&path, format!("{before}{START}\n{text}\n{END}{after}"))
}

/// Rows for a corpus and for its folders.
fn compare(arguments: &Arguments, corpus: &Corpus, page: &mut String, differing: &mut String) -> Outcome {
    let copy = arguments.copies.iter().filter_map(|copy| copy.split_once('='));
    let copy = copy.filter(|(name, _)| *name == corpus.name).map(|(_, folder)| Path::new(folder)).next();
    let mut files = corpus.lay_out(&arguments.folder, copy)?;
    if let Some(count) = arguments.sample {
        files = sample(files, count, arguments.seed);
    }
    eprintln!("{}: {} files", corpus.name, files.len());
    let below = arguments.folder.join(corpus.name);
    let path = |file: &Path| file.strip_prefix(&below).unwrap_or(file).to_string_lossy().into_owned();
    let files = files.into_iter().map(|file| {
        let target = corpus.target(&path(&file));
        (file, target)
    });
    let cases = cases(&arguments.program, corpus.dialect, files.collect())?;
    let own = own_verdicts(&arguments.program, corpus, &cases)?;
    let references = references(&arguments.program, corpus, &arguments.tools(), &cases, &own)?;
    let mut all = Counts::default();
    let mut families: BTreeMap<String, Counts> = BTreeMap::new();
    for ((case, own), reference) in cases.iter().zip(&own).zip(&references) {
        let Some(reference) = reference else { continue };
        let path = path(&case.file);
        all.add(&own.verdict, reference);
        families.entry(family(&path)).or_default().add(&own.verdict, reference);
        let mut differences = Vec::new();
        if own.verdict.accepts != reference.verdict.accepts {
            differences.push(match reference.verdict.accepts {
                true => format!("false alarm: {}", own.verdict.message),
                false => format!("missed: {}", reference.verdict.message),
            });
        }
        if let Some(Encodings { compared, equal }) = reference.encodings
            && compared != equal
        {
            differences.push(format!("{} of {compared} encodings", compared - equal));
        }
        for verdict in differences {
            let reason = REASONS.iter().find(|(part, _)| path.contains(part)).map_or("not known", |(_, r)| r);
            let run = case.run.map_or(String::new(), |number| format!(", RUN line {number}"));
            let verdict = verdict.replace(&*case.file.to_string_lossy(), "").replace('|', "\\|");
            let _ = writeln!(differing, "| {path}{run} | {verdict} | {reason} |");
        }
    }
    let _ = writeln!(page, "| **{}** | {}", corpus.name, all.row());
    for (family, counts) in families {
        let _ = writeln!(page, "| {family} | {}", counts.row());
    }
    Ok(())
}

/// The folder of a file, up to the third.
fn family(path: &str) -> String {
    let folders: Vec<&str> = path.rsplit_once('/').map_or("", |(folder, _)| folder).split('/').collect();
    folders[..folders.len().min(3)].join("/")
}

/// Some of the files, in their order.
fn sample(mut files: Vec<PathBuf>, count: usize, seed: u64) -> Vec<PathBuf> {
    let mut random = Random::new(seed);
    while files.len() > count {
        files.swap_remove(random.below(files.len()));
    }
    files.sort();
    files
}

/// Versions of both sides, the date and the sample.
fn versions(arguments: &Arguments) -> Outcome<Vec<String>> {
    let llvm = format!("llvm-as{}", arguments.suffix);
    let mut lines = vec![format!("date: {}", first_line(Command::new("date").args(["-u", "+%Y-%m-%d"]))?)];
    let commit = first_line(Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(root()))?;
    lines.push(format!("commit: {commit}"));
    for (program, word) in [
        (arguments.program.as_path(), "wavelens"),
        (Path::new(&llvm), "version"),
        (&arguments.spirv_val, "SPIRV-Tools"),
    ] {
        let text = output(Command::new(program).arg("--version"))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let line = text.lines().find(|line| line.contains(word)).unwrap_or("").trim();
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        lines.push(format!("{name}: {line}"));
    }
    let sample = arguments.sample.map(|n| format!("at most {n} files of a corpus, seed {}", arguments.seed));
    lines.extend(sample);
    Ok(lines)
}

fn first_line(command: &mut Command) -> Outcome<String> {
    let text = output(command)?;
    Ok(String::from_utf8_lossy(&text).lines().next().unwrap_or("").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_folders() {
        assert_eq!(family("llvm/test/CodeGen/AMDGPU/a.ll"), "llvm/test/CodeGen");
        assert_eq!(family("a.ll"), "");
    }

    #[test]
    fn verdicts_are_counted() {
        let verdict =
            |accepts, lines: &[u64]| Verdict { accepts, lines: lines.to_vec(), message: String::new() };
        let reference = |accepts, lines| Reference { verdict: verdict(accepts, lines), encodings: None };
        let mut counts = Counts::default();
        counts.add(&verdict(true, &[]), &reference(true, &[]));
        counts.add(&verdict(false, &[3]), &reference(true, &[]));
        counts.add(&verdict(true, &[]), &reference(false, &[3]));
        counts.add(&verdict(false, &[3, 4]), &reference(false, &[4]));
        counts.add(&verdict(false, &[3]), &reference(false, &[4]));
        counts.add(&verdict(false, &[3]), &reference(false, &[]));
        assert_eq!(counts.row(), "6 | 2 | 4 | 1 | 1 | 50.00 % | - |");
        let encodings = Some(Encodings { compared: 3, equal: 2 });
        counts.add(&verdict(true, &[]), &Reference { encodings, ..reference(true, &[]) });
        assert_eq!(counts.row(), "7 | 3 | 4 | 1 | 1 | 50.00 % | 2 of 3 |");
    }
}
