//! `cargo xtask growth`: how time and memory of a check grow with hostile inputs.
//!
//! Each family is a text made by a rule for any size, or the example of a code, repeated. The exponent is that of the time between the last
//! two sizes: 1 is linear, 2 quadratic.

mod amdgpu;
mod examples;
mod llvm;
mod mir;
mod spirv;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench::process::resident;
use crate::repository::{Profile, Scratch, failed_at, program, root, write};
use crate::{Failure, Outcome};

use self::examples::{COUNTS, Example, Repeated};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this program instead of building one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Size of the largest input in kilobytes
    #[arg(long, default_value_t = 10_000)]
    largest: usize,
    /// How many sizes, each twice the one before
    #[arg(long, default_value_t = 5)]
    sizes: u32,
    /// Only families whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Do not try larger inputs of a family after one that took so many seconds
    #[arg(long, default_value_t = 20)]
    patience: u64,
    /// Write the largest text of each family into a folder, and measure nothing
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Only the examples of codes
    #[arg(long)]
    codes: bool,
}

/// A larger exponent is a defect, where the check takes long enough for one to notice.
const MOST: f64 = 1.2;
const NOTICED: Duration = Duration::from_secs(1);

/// A kind of text.
struct Family {
    name: &'static str,
    /// The text with a number of repetitions.
    text: fn(usize) -> String,
}

struct Dialect {
    name: &'static str,
    extension: &'static str,
    families: &'static [Family],
}

static DIALECTS: [Dialect; 4] = [
    Dialect { name: "LLVM IR", extension: "ll", families: llvm::FAMILIES },
    Dialect { name: "Machine IR", extension: "mir", families: mir::FAMILIES },
    Dialect { name: "SPIR-V", extension: "spvasm", families: spirv::FAMILIES },
    Dialect { name: "AMDGPU", extension: "s", families: amdgpu::FAMILIES },
];

/// `n` lines.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

/// Something within `n` pairs of brackets.
fn nested(n: usize, open: &str, inner: &str, close: &str) -> String {
    open.repeat(n) + inner + &close.repeat(n)
}

/// An LLVM function.
fn function(head: &str, body: &str, end: &str) -> String {
    format!("{head} {{\n{body}{end}}}\n")
}

/// The texts of the families as files, for a check that is not one of a single file: `tests/corpus/neighbours.py`.
fn write_largest(arguments: &Arguments, folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder).map_err(failed_at(folder))?;
    for dialect in &DIALECTS {
        for family in dialect.families.iter().filter(|f| f.name.contains(&arguments.only)) {
            let name: String =
                family.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
            let path = folder.join(name).with_extension(dialect.extension);
            write(&path, of_size(family, arguments.largest * 1000))?;
        }
    }
    Ok(())
}

/// One size of a family.
struct Point {
    bytes: usize,
    /// Processor time.
    time: Duration,
    /// Peak of resident memory in bytes.
    memory: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let Some(folder) = &arguments.write {
        return write_largest(arguments, folder);
    }
    let program = program(arguments.program.as_deref(), Profile::Release)?;
    println!("| language | family | MB | s | MB of memory | exponent |\n|---|---|---:|---:|---:|---:|");
    let mut slow = Vec::new();
    let mut report = |language: &str, name: &str, points: &[Point]| {
        print!("{}", row(language, name, points));
        if is_slow(points) {
            slow.push(format!("{language}, {name}"));
        }
    };
    for dialect in DIALECTS.iter().filter(|_| !arguments.codes) {
        for family in dialect.families.iter().filter(|f| f.name.contains(&arguments.only)) {
            let texts = (0..arguments.sizes).rev();
            let texts = texts.map(|size| of_size(family, (arguments.largest * 1000) >> size));
            let points = measure(arguments, &program, (dialect.extension, family.name), texts)?;
            report(dialect.name, family.name, &points);
        }
    }
    for example in Example::all(&root().join("docs/codes"))? {
        for (what, shown) in [(Repeated::Module, "module"), (Repeated::Line, "line")] {
            let name = format!("{}, {shown}", example.code);
            if name.contains(&arguments.only) {
                let texts = COUNTS.into_iter().map(|count| example.repeated(what, count));
                let points = measure(arguments, &program, (&example.extension, &name), texts)?;
                report(language(&example.extension), &name, &points);
            }
        }
    }
    if slow.is_empty() {
        return Ok(());
    }
    Err(format!("grow faster than {MOST}: {}", slow.join("; ")))
}

fn language(extension: &str) -> &'static str {
    DIALECTS.iter().find(|dialect| dialect.extension == extension).map_or("?", |dialect| dialect.name)
}

/// Whether the exponent is a defect.
fn is_slow(points: &[Point]) -> bool {
    points.last().is_some_and(|last| last.time >= NOTICED) && exponent(points).is_some_and(|e| e > MOST)
}

fn row(language: &str, name: &str, points: &[Point]) -> String {
    let Some(last) = points.last() else { return String::new() };
    format!(
        "| {} | {} | {:.2} | {:.2} | {:.0} | {} |\n",
        language,
        name,
        last.bytes as f64 / 1e6,
        last.time.as_secs_f64(),
        last.memory as f64 / 1e6,
        exponent(points).map_or("-".to_owned(), |exponent| format!("{exponent:.2}"))
    )
}

/// The exponent between the last two sizes; `None` if the time is too short to measure.
fn exponent(points: &[Point]) -> Option<f64> {
    let [.., before, last] = points else { return None };
    let (short, long) = (before.time.as_secs_f64(), last.time.as_secs_f64());
    let growth = last.bytes as f64 / before.bytes as f64;
    (short >= 0.1).then(|| (long / short).ln() / growth.ln())
}

/// Checks texts, the smallest first.
fn measure(
    arguments: &Arguments,
    program: &Path,
    (extension, name): (&str, &str),
    texts: impl Iterator<Item = String>,
) -> Outcome<Vec<Point>> {
    let scratch = Scratch::new("growth")?;
    let file = scratch.path().join(format!("input.{extension}"));
    let patience = Duration::from_secs(arguments.patience);
    let mut points: Vec<Point> = Vec::new();
    for text in texts {
        write(&file, &text)?;
        let (time, memory) = check(program, &file, 3 * patience)
            .map_err(|failure| format!("{name}, {} bytes: {failure}", text.len()))?;
        points.push(Point { bytes: text.len(), time, memory });
        if time > patience {
            break;
        }
    }
    Ok(points)
}

/// The family's text of about so many bytes.
fn of_size(family: &Family, bytes: usize) -> String {
    let mut n = 16;
    loop {
        let text = (family.text)(n);
        if text.len() * 20 >= bytes * 19 {
            return text;
        }
        n = (n * bytes / text.len().max(1)).clamp(n + 1, 4 * n);
    }
}

/// Processor time and peak of resident memory of a check.
fn check(program: &Path, file: &Path, limit: Duration) -> Result<(Duration, u64), Failure> {
    let mut command = Command::new(program);
    command.args(["check", "--mcpu", "gfx1100", "--format", "json"]).arg(file);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = children_time();
    let start = Instant::now();
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        memory = memory.max(resident(child.id(), "VmHWM:"));
        if start.elapsed() > limit {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    // 0 or 1: there are findings or not.
    if status.code().is_none() && start.elapsed() < limit {
        return Err(format!("the check ended with {status}"));
    }
    Ok((children_time().saturating_sub(before), memory))
}

/// Processor time of all child processes that have ended.
fn children_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields 16 and 17, counted after the name in parentheses, in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_texts_of_any_size() {
        for dialect in &DIALECTS {
            for family in dialect.families {
                let text = of_size(family, 20_000);
                assert!((19_000..80_000).contains(&text.len()), "{}: {}", family.name, text.len());
            }
        }
        assert!(DIALECTS.iter().map(|dialect| dialect.families.len()).sum::<usize>() >= 64);
    }

    #[test]
    fn the_exponent_of_a_square_is_two() {
        let point = |bytes: usize, ms| Point { bytes, time: Duration::from_millis(ms), memory: 0 };
        assert_eq!(exponent(&[point(1, 100), point(2, 400)]), Some(2.0));
        assert_eq!(exponent(&[point(1, 10), point(2, 40)]), None);
    }
}
