//! `cargo xtask bench`: our speed and memory compared with the reference tools, in one run.

mod inputs;
pub(crate) mod process;
mod session;
mod starts;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use self::inputs::{DIALECTS, Dialect};
use self::session::percentile;
use crate::Outcome;
use crate::repository::{Profile, Scratch, output, program, read_text, root, write};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this program instead of building one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Sizes of the inputs in kilobytes
    #[arg(long, value_delimiter = ',', default_value = "100,1000,10000")]
    sizes: Vec<usize>,
    /// Edits in each session
    #[arg(long, default_value_t = 400)]
    edits: usize,
    /// Runs of each process; their median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "docs/speed.md")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let program = program(arguments.program.as_deref(), Profile::Release)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let mut rows = String::new();
    for dialect in &DIALECTS {
        for kilobytes in &arguments.sizes {
            let row = runtime.block_on(measure(arguments, &program, dialect, kilobytes * 1000))?;
            print!("{row}");
            rows += &row;
        }
    }
    let starts = starts::rows(&program, arguments.runs)?;
    write(&root().join(&arguments.out), page(&rows, &starts, arguments))?;
    if arguments.out != Path::new("docs/speed.md") {
        return Ok(());
    }
    let summary = root().join("docs/SUMMARY.md");
    write(&summary, with_speed_page(&read_text(&summary)?))
}

/// The table of contents with a line for the page.
fn with_speed_page(summary: &str) -> String {
    const PAGE: &str = "  - [Speed](speed.md)\n";
    const ABOVE: &str = "- [Agreement and speed](agreement.md)\n";
    if summary.contains(PAGE) {
        summary.to_owned()
    } else {
        summary.replace(ABOVE, &format!("{ABOVE}{PAGE}"))
    }
}

/// One row of the table.
async fn measure(arguments: &Arguments, program: &Path, dialect: &Dialect, bytes: usize) -> Outcome<String> {
    let text = dialect.text(bytes);
    let scratch = Scratch::new("bench")?;
    let file = scratch.path().join(format!("input.{}", dialect.extension));
    write(&file, &text)?;
    let name = file.to_string_lossy();
    let ours: Vec<String> = [&program.to_string_lossy(), "check"]
        .into_iter()
        .chain(dialect.options.iter().copied())
        .chain([&*name])
        .map(str::to_owned)
        .collect();
    let reference: Vec<Vec<String>> = dialect
        .reference
        .iter()
        .map(|words| words.iter().map(|word| word.replace("{}", &name)).collect())
        .collect();
    let ours = process::median(&[ours], arguments.runs)?;
    let reference = process::median(&reference, arguments.runs)?;
    let session = session::run(program, dialect, &text, arguments.edits).await?;
    let mut row = String::new();
    let key = |share| milliseconds(percentile(&session.keystrokes, share));
    let _ = writeln!(
        row,
        "| {} | {:.1} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        dialect.name,
        text.len() as f64 / 1e6,
        milliseconds(ours.time),
        milliseconds(reference.time),
        megabytes(ours.memory),
        megabytes(reference.memory),
        milliseconds(session.open),
        key(0.5),
        key(0.95),
        key(0.99),
        milliseconds(percentile(&session.hovers, 0.95)),
        megabytes(session.memory),
    );
    Ok(row)
}

fn milliseconds(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < 10.0 { format!("{milliseconds:.1}") } else { format!("{milliseconds:.0}") }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.0}", bytes as f64 / 1e6)
}

/// What a program prints about its version: the words before the first comma of the line that contains a word.
fn version(program: &str, word: &str) -> String {
    let printed = output(Command::new(program).arg("--version")).unwrap_or_default();
    let text = String::from_utf8_lossy(&printed);
    let line = text.lines().find(|line| line.contains(word)).unwrap_or("unknown version");
    line.split([',', '(']).next().unwrap_or(line).replace(" unknown hash", "").trim().to_owned()
}

fn page(rows: &str, starts: &str, arguments: &Arguments) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown", |(_, m)| m);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "# Speed\n\n\
         Written by `cargo xtask bench`; do not edit. Inputs are generated, the same ones each time, and both sides accept them.\n\n\
         - **check**: `wavelens check FILE` as a whole process, and the reference tool on the same file: `llvm-as`, `llc -run-pass=none \
         -verify-machineinstrs`, `spirv-as` and `spirv-val`, `llvm-mc -filetype=obj`. Medians of {} runs; memory is the peak of one more.\n\
         - **open**: from opening the file in an editor to its first diagnostics.\n\
         - **key**: from one changed character to the diagnostics of that version, without delay, {} edits. **hover**: the 95th percentile in between.\n\
         - **server**: the server's memory after the edits.\n\n\
         Times in milliseconds, memory in megabytes. {model}, {threads} threads; {}; {}.\n\n\
         | language | MB | check | reference | check memory | reference memory | open | key p50 | p95 | p99 | hover p95 | server |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n{rows}\n\
         ## Small files\n\n\
         A kernel of LLVM IR for gfx1100, each command from start to end: `check` next to `llvm-as`, `isa` next to the `llc` that it runs. With an \
         empty cache it also asks `llc` for its version. Milliseconds.\n\n\
         | command | lines | wavelens | reference |\n|---|---:|---:|---:|\n{starts}",
        arguments.runs,
        arguments.edits,
        version("llvm-as-22", "LLVM version"),
        version("spirv-val", "SPIRV-Tools"),
    )
}

#[cfg(test)]
mod tests {
    use wavelens_test_support::required;

    use super::*;

    #[test]
    fn the_page_is_listed_once() {
        let summary = read_text(&root().join("docs/SUMMARY.md")).expect("the book has one");
        let new = with_speed_page(&summary);
        assert_eq!(new.matches("](speed.md)").count(), 1);
        assert_eq!(with_speed_page(&new), new);
    }

    /// What is measured is the work on text that the reference tool accepts.
    #[test]
    fn reference_tools_accept_the_inputs() {
        for dialect in &DIALECTS {
            let text = dialect.text(20_000);
            assert_eq!(text, dialect.text(20_000));
            if !dialect.reference.iter().all(|words| required::program(words[0])) {
                continue;
            }
            let scratch = Scratch::new(&format!("bench-{}", dialect.id)).expect("a folder");
            let file = scratch.path().join(format!("input.{}", dialect.extension));
            write(&file, &text).expect("is written");
            for words in dialect.reference {
                let outcome = output(&mut process::command(words, &file));
                assert!(outcome.is_ok(), "{}: {outcome:?}", dialect.name);
            }
        }
    }

    #[test]
    fn percentiles_are_of_sorted_values() {
        let values: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&values, 0.5), Duration::from_millis(51));
        assert_eq!(percentile(&values, 1.0), Duration::from_millis(100));
        assert_eq!(percentile(&[], 0.5), Duration::ZERO);
    }
}
