//! `cargo xtask diff BASE`: what two programs find, encode and answer differently, grouped by code, with the first texts of each group.
//!
//! Nothing is expected: the reader judges whether a change meant to make these differences.

mod editor;
mod findings;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use wavelens_test_support::random::Random;
use wavelens_test_support::texts::{
    DIALECTS, PROCESSORS, Text, combinations, damaged, families, inputs, operands,
};

use crate::Outcome;
use crate::repository::{Profile, failed_at, output, program, root, show, target_folder};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The program or the commit to compare with
    #[arg(value_name = "BASE")]
    base: String,
    /// The other program; built from this tree unless given
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Look at so many texts of each kind; without, at all
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The same seed gives the same texts; the default comes from the commit
    #[arg(long)]
    seed: Option<u64>,
    /// Texts of each group that are shown in full
    #[arg(long, default_value_t = 3)]
    shown: usize,
    /// Damaged variants of each input, without a sample
    #[arg(long, default_value_t = 20)]
    variants: usize,
}

/// Longer texts are shown around the difference only.
const WHOLE: usize = 40;
/// Lines before and after it.
const AROUND: usize = 3;

/// What one program says of a text and the other does not.
struct Difference {
    /// Differences with the same name are shown together.
    group: String,
    /// The line that it is about, counted from 1; 0 for the whole text.
    line: usize,
    before: Vec<String>,
    after: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let seed = arguments.seed.map_or_else(seed_of_commit, Ok)?;
    let new = program(arguments.program.as_deref(), Profile::Debug)?;
    let old = base(&arguments.base)?;
    let kept = kept(&new)?;
    let programs = [old.as_path(), kept.as_path()];
    let texts = texts(arguments, seed);
    let mut all: Vec<(&Text, Difference)> = Vec::new();
    let mut differing = 0;
    let found = findings::compare(programs, &texts)?;
    for (text, differences) in texts.iter().zip(found) {
        differing += usize::from(!differences.is_empty());
        all.extend(differences.into_iter().map(|difference| (text, difference)));
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let asked = runtime.block_on(editor::compare(programs, arguments.sample, seed))?;
    let changed_answers = asked.differences.len();
    let own = asked.differences.iter().map(|(text, _)| text);
    let own: Vec<Text> = own.cloned().collect();
    all.extend(own.iter().zip(asked.differences.into_iter().map(|(_, difference)| difference)));
    print!("{}", report(&all, arguments.shown));
    println!(
        "{differing} of {} texts and {changed_answers} of {} answers differ (seed {seed})",
        texts.len(),
        asked.answers
    );
    Ok(())
}

/// The groups, largest first, each with its first texts.
fn report(all: &[(&Text, Difference)], shown: usize) -> String {
    let mut groups: BTreeMap<&str, Vec<&(&Text, Difference)>> = BTreeMap::new();
    all.iter().for_each(|entry| groups.entry(&entry.1.group).or_default().push(entry));
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, entries)| std::cmp::Reverse(entries.len()));
    let mut out = String::new();
    for (group, entries) in groups {
        _ = writeln!(out, "== {group}: {}\n", entries.len());
        for (text, difference) in entries.iter().take(shown) {
            let machine = if text.machine == "-" { String::new() } else { format!(" for {}", text.machine) };
            _ = writeln!(out, "{}{machine}", text.name);
            _ = writeln!(out, "{}", excerpt(&text.text, difference.line));
            difference.before.iter().for_each(|line| _ = writeln!(out, "  - {line}"));
            difference.after.iter().for_each(|line| _ = writeln!(out, "  + {line}"));
            out.push('\n');
        }
    }
    out
}

/// A short text, or the lines of a long one around a line.
fn excerpt(text: &str, line: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let around = match lines.len() {
        0..=WHOLE => 0..lines.len(),
        count => line.saturating_sub(AROUND + 1)..(line + AROUND).min(count),
    };
    let numbered = around.map(|at| format!("{:5} | {}\n", at + 1, lines[at]));
    numbered.collect()
}

fn texts(arguments: &Arguments, seed: u64) -> Vec<Text> {
    let mut kinds: Vec<Vec<Text>> = Vec::new();
    for (_, extension) in DIALECTS {
        kinds.push(inputs(extension));
        let variants = if arguments.sample.is_some() { 2 } else { arguments.variants };
        kinds.push(damaged(extension, variants, seed));
        kinds.push(families::texts(extension));
    }
    kinds.push(operands::texts(&PROCESSORS));
    kinds.push(combinations::texts());
    let mut random = Random::new(seed);
    let sampled = kinds.into_iter().map(|kind| sample(kind, arguments.sample, &mut random));
    sampled.flatten().collect()
}

/// So many of some things, in their order; all without a number.
fn sample<T>(mut things: Vec<T>, count: Option<usize>, random: &mut Random) -> Vec<T> {
    let Some(mut wanted) = count else { return things };
    let mut left = things.len();
    things.retain(|_| {
        let is_taken = random.below(left) < wanted;
        left -= 1;
        wanted -= usize::from(is_taken);
        is_taken
    });
    things
}

/// The first digits of the checked-out commit, as a number.
fn seed_of_commit() -> Outcome<u64> {
    let commit = output(Command::new("git").current_dir(root()).args(["rev-parse", "HEAD"]))?;
    let digits = String::from_utf8_lossy(&commit[..commit.len().min(8)]).into_owned();
    u64::from_str_radix(&digits, 16).map_err(|_| format!("{digits} is not the start of a commit"))
}

fn folder() -> PathBuf {
    target_folder().join("diff")
}

/// A copy of the built program: the base is built into the same folder.
fn kept(new: &Path) -> Outcome<PathBuf> {
    let copy = folder().join("wavelens");
    std::fs::create_dir_all(folder()).map_err(failed_at(&folder()))?;
    let _ = std::fs::remove_file(&copy);
    std::fs::copy(new, &copy).map_err(failed_at(new))?;
    Ok(copy)
}

/// The program to compare with: the one given, or that of a commit, which is built once.
fn base(name: &str) -> Outcome<PathBuf> {
    if Path::new(name).is_file() {
        return std::path::absolute(name).map_err(failed_at(Path::new(name)));
    }
    let revision = format!("{name}^{{commit}}");
    let commit = output(Command::new("git").current_dir(root()).args(["rev-parse", "--verify", &revision]))
        .map_err(|_| format!("{name} is neither a program nor a commit"))?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let program = folder().join(format!("wavelens-{commit}"));
    if program.is_file() {
        return Ok(program);
    }
    let tree = folder().join("tree");
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(root()).args(arguments);
        git
    };
    let place = tree.to_string_lossy().into_owned();
    let _ = output(&mut git(&["worktree", "remove", "--force", &place]));
    output(&mut git(&["worktree", "add", "--detach", &place, &commit]))?;
    // The same target folder: what both depend on is built already.
    let target = std::path::absolute(target_folder()).map_err(failed_at(&target_folder()))?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&tree).env("CARGO_TARGET_DIR", &target);
    let built = show(cargo.args(["build", "--quiet", "--locked", "--workspace", "--bin", "wavelens"]));
    let _ = output(&mut git(&["worktree", "remove", "--force", &place]));
    built?;
    let made = target.join("debug/wavelens");
    std::fs::copy(&made, &program).map_err(failed_at(&made))?;
    Ok(program)
}
