//! Files that hold several texts: sections that `split-file` writes, and the snapshots of a module that passes print.

use std::ops::Range;

use crate::configuration::{Configuration, Known, Origin, RunLine, Stated};
use crate::finding::Finding;
use crate::lit::sections::sections;
use crate::{Dialect, Options, Severity, TextRange, TextSize};

/// A text inside a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Of the file that a section becomes, or the pass: `After SROA on f`.
    pub name: String,
    /// Where the name is.
    pub name_range: TextRange,
    /// The text, without the line that starts it.
    pub range: TextRange,
    /// What it is checked as.
    pub kind: PartKind,
}

/// What a part is checked as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A text in this language.
    Text(Dialect),
    /// A function or a loop, without what the rest of its module defines.
    Piece(Dialect),
    /// A form that no tool reads back.
    Unread,
}

/// The parts of a text; empty if it is one.
pub fn parts(dialect: Dialect, text: &str) -> Vec<Part> {
    if is_log(text) {
        return match is_assembly_log(text) {
            true => dumped_assembly(text),
            false => snapshots(dialect, text),
        };
    }
    let part = |section: crate::lit::sections::Section| {
        let kind = Dialect::from_file_name(&section.name).unwrap_or(dialect);
        Part {
            name: section.name,
            name_range: section.name_range,
            range: section.range,
            kind: PartKind::Text(kind),
        }
    };
    sections(text).into_iter().map(part).collect()
}

/// Bytes at the start of a log in which its first banner is.
const HEAD: usize = 64 << 10;

/// Whether a text is what `-print-after-all` and its like write, or what Python writes next to the assembly that Triton prints.
pub fn is_log(text: &str) -> bool {
    let head = text.get(..HEAD.min(text.len())).unwrap_or(text);
    if head.contains(ASSEMBLY) {
        return is_assembly_log(text);
    }
    head.contains("IR Dump ") && head.lines().any(|line| banner(line).is_some())
        || head.contains(MACHINE_CODE) && head.lines().any(|line| line.starts_with(MACHINE_CODE))
}

/// What Triton's `AMDGCN_ENABLE_DUMP` writes before the assembly of a kernel.
pub const ASSEMBLY: &str = "// -----// AMDGCN Dump //----- //";

/// Whether a text with [`ASSEMBLY`] is more than the assembly of one kernel.
fn is_assembly_log(text: &str) -> bool {
    let mut banners = text.match_indices(ASSEMBLY);
    let Some((first, _)) = banners.next() else { return false };
    let is_before = text.get(..first).is_some_and(|before| !before.trim().is_empty());
    is_before || banners.next().is_some() || text.lines().any(is_python_warning)
}

/// `kernel.py:12: UserWarning: ...`
fn is_python_warning(line: &str) -> bool {
    line.split_once("Warning: ").and_then(|(before, _)| before.rsplit_once(": ")).is_some_and(
        |(place, kind)| {
            let number = place.rsplit_once(':').map_or("", |(_, number)| number);
            number.parse::<u32>().is_ok() && kind.chars().all(char::is_alphanumeric)
        },
    )
}

/// The assembly of each kernel, up to the next one or to what Python warns of.
fn dumped_assembly(text: &str) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let (mut start, mut is_open) = (0, false);
    for line in text.split_inclusive('\n') {
        let (line_start, is_banner) = (start, line.starts_with(ASSEMBLY));
        start += line.len();
        let is_end = is_banner || is_python_warning(line);
        if let Some(last) = found.last_mut().filter(|_| is_open && is_end) {
            last.range = TextRange::new(last.range.start(), size(line_start));
            is_open = false;
        }
        if is_banner {
            is_open = true;
            let name = ASSEMBLY.trim_matches(['/', '-', ' ']);
            let at = line.find(name).unwrap_or(0);
            found.push(Part {
                name: name.to_owned(),
                name_range: TextRange::at(size(line_start + at), TextSize::of(name)),
                range: TextRange::new(size(start), TextSize::of(text)),
                kind: PartKind::Text(Dialect::Amdgpu),
            });
        }
    }
    found
}

/// The assembly of such a text, on the same lines; `None` if it is nothing else.
pub fn assembly_of_log(text: &str) -> Option<String> {
    if !is_log(text) || !is_assembly_log(text) {
        return None;
    }
    let parts = dumped_assembly(text);
    let is_own = |at: usize| parts.iter().any(|part| range(part.range).contains(&at));
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        start += line.len();
        if is_own(start - line.len()) {
            line
        } else {
            line.get(line.trim_end_matches('\n').len()..).unwrap_or("")
        }
    });
    Some(lines.collect())
}

/// Starts a function of Machine IR as passes print it.
const MACHINE_CODE: &str = "# Machine code for function ";

/// `After SROAPass on f` of `; *** IR Dump After SROAPass on f ***`, and where it starts.
fn banner(line: &str) -> Option<(usize, &str)> {
    let start = line.find("*** IR Dump ")?;
    let before = line.get(..start)?;
    if !before.chars().all(|c| matches!(c, ';' | '#' | ' ')) {
        return None;
    }
    let at = start + "*** IR Dump ".len();
    let rest = line.get(at..)?;
    Some((at, rest.split(" ***").next().unwrap_or(rest).trim_end_matches([':', ' '])))
}

fn snapshots(dialect: Dialect, text: &str) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let mut start = 0usize;
    for line in text.split_inclusive('\n') {
        let line_start = start;
        start += line.len();
        let machine = || line.strip_prefix(MACHINE_CODE);
        let (at, name) = match banner(line) {
            Some(found) => found,
            // One without a pass, or the second of a pass.
            None => match machine() {
                Some(rest) => (MACHINE_CODE.len(), rest.split(':').next().unwrap_or(rest).trim_end()),
                None => continue,
            },
        };
        let is_first = machine().is_some()
            && found
                .last()
                .is_some_and(|last| text.get(range(last.range)).is_some_and(|t| is_empty_before(t, line)));
        // The function that follows a banner belongs to it.
        if is_first {
            if let Some(last) = found.last_mut() {
                last.kind = PartKind::Unread;
            }
            continue;
        }
        if let Some(last) = found.last_mut() {
            last.range = TextRange::new(last.range.start(), size(line_start));
        }
        found.push(Part {
            name: name.to_owned(),
            name_range: TextRange::at(size(line_start + at), TextSize::of(name)),
            range: TextRange::new(size(start), TextSize::of(text)),
            kind: if machine().is_some() { PartKind::Unread } else { PartKind::Text(dialect) },
        });
    }
    for part in found.iter_mut().filter(|part| part.kind != PartKind::Unread) {
        let own = text.get(range(part.range)).unwrap_or("");
        part.kind = snapshot_kind(own);
        if matches!(part.kind, PartKind::Text(Dialect::Llvm) | PartKind::Piece(_)) {
            let module = module_lines(own);
            part.range = TextRange::at(part.range.start() + size(module.start), size(module.len()));
        }
    }
    found
}

/// The lines of a module in a snapshot. Before them a loop is named; lines of the pass manager, of `-print-changed` and warnings follow.
fn module_lines(text: &str) -> Range<usize> {
    const STARTS: [&str; 16] = [
        "define ",
        "declare ",
        "@",
        "%",
        "!",
        "attributes ",
        "target ",
        "source_filename",
        "module asm",
        ";",
        "$",
        "^",
        "uselistorder",
        "}",
        "\n",
        "\r",
    ];
    let (mut start, mut at, mut in_function) = (None, 0, false);
    for line in text.split_inclusive('\n') {
        let is_own = in_function || STARTS.iter().any(|word| line.starts_with(word));
        match (is_own, start) {
            (true, None) => start = Some(at),
            (false, Some(start)) => return start..at,
            _ => {}
        }
        in_function = (in_function || line.starts_with("define ")) && !line.starts_with('}');
        at += line.len();
    }
    start.unwrap_or(at)..at
}

/// Whether nothing but blank lines comes before a line of a text.
fn is_empty_before(text: &str, line: &str) -> bool {
    text.trim_start().starts_with(line.trim_end())
}

/// What a pass printed: a module, a function of one, a loop, Machine IR.
fn snapshot_kind(text: &str) -> PartKind {
    let starts = |word: &str| text.lines().any(|line| line.starts_with(word));
    if starts(MACHINE_CODE) || starts("; Preheader:") || starts("; Loop:") || starts("Printing <null>") {
        PartKind::Unread
    } else if starts("; ModuleID") || starts("source_filename") || starts("target ") {
        PartKind::Text(Dialect::Llvm)
    } else if starts("--- |") || starts("---") {
        PartKind::Text(Dialect::Mir)
    } else if starts("define ") {
        PartKind::Piece(Dialect::Llvm)
    } else {
        PartKind::Unread
    }
}

fn size(n: usize) -> TextSize {
    TextSize::new(u32::try_from(n).unwrap_or(u32::MAX))
}

fn range(range: TextRange) -> Range<usize> {
    range.into()
}

/// RUN lines, times parts, that are looked at for those of each part; 16,000 of both would take 8 s.
const RUNS_OF_PARTS: usize = 1 << 24;

/// The findings of all parts, each checked by `check` as a file of its own.
pub fn check_parts(
    dialect: Dialect,
    text: &str,
    parts: &[Part],
    runs: &[RunLine],
    options: &Options,
    check: impl Fn(Dialect, &str, &Options) -> Vec<Finding>,
) -> Vec<Finding> {
    let whole = Stated::of_lines(dialect, text, runs);
    let runs = runs.get(..RUNS_OF_PARTS / parts.len().max(1)).unwrap_or(runs);
    let mut found = Vec::new();
    for part in parts {
        let stated = Stated::of_section(dialect, runs, Some(&part.name));
        let stated = if stated.runs.is_empty() { &whole } else { &stated };
        let (options, fails) = with_runs(dialect, stated, options);
        let (dialect, is_piece) = match part.kind {
            PartKind::Text(dialect) => (dialect, false),
            PartKind::Piece(dialect) => (dialect, true),
            PartKind::Unread => continue,
        };
        let own = text.get(range(part.range)).unwrap_or("");
        for finding in check(dialect, own, &options) {
            let is_elsewhere =
                finding.rule.code.starts_with("undefined") || finding.severity != Severity::Error;
            if is_piece && is_elsewhere {
                continue;
            }
            let finding = if fails { finding.expected() } else { finding };
            found.push(finding.moved(part.range.start()));
        }
    }
    found
}

/// Options for a part with what RUN lines say about it, and whether all programs are to refuse it.
fn with_runs(dialect: Dialect, stated: &Stated, options: &Options) -> (Options, bool) {
    let fails = !stated.runs.is_empty() && stated.runs.iter().all(|run| run.fails);
    let configuration = Configuration::decide(dialect, stated, options);
    let mut options = options.clone();
    if let (None, Some(processor)) = (&options.target, &configuration.processor) {
        options.fallback.target = Some(Known::new(processor.value.to_string(), Origin::File("RUN")));
    }
    (options, fails)
}
