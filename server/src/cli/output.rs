//! What goes to standard output and standard error, and how the user wants it.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};

use super::Outcome;
use crate::shown;

/// Options of every command.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Style {
    /// When to use colors: auto means on a terminal, and follows NO_COLOR and CLICOLOR_FORCE.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        help_heading = "Output"
    )]
    color: clap::ColorChoice,
    /// Print results only: no notes, no progress, no summary.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    /// Print on standard error what is done with each file.
    #[arg(short, long, global = true, help_heading = "Output")]
    verbose: bool,
}

static STYLE: OnceLock<Style> = OnceLock::new();

impl Style {
    /// Holds from here on for all that is printed.
    pub(super) fn set(self) {
        match self.color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        }
        .write_global();
        let _ = STYLE.set(self);
    }
}

/// Whether a stream is written in color.
pub(super) fn is_colored(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

pub(super) fn is_quiet() -> bool {
    STYLE.get().is_some_and(|s| s.quiet)
}

pub(super) fn is_verbose() -> bool {
    STYLE.get().is_some_and(|s| s.verbose)
}

/// Progress is for someone who watches.
pub(super) fn shows_progress() -> bool {
    !is_quiet() && !is_verbose() && std::io::stderr().is_terminal()
}

static OUTPUT: OnceLock<(PathBuf, Mutex<File>)> = OnceLock::new();

/// What would go to standard output goes to a file from here on.
///
/// # Errors
/// One line, with the path.
pub(super) fn redirect(path: &Path) -> Result<(), String> {
    let file = File::create(path).map_err(|error| format!("{}: {error}", shown::path(path)))?;
    if STYLE.get().is_none_or(|style| style.color == clap::ColorChoice::Auto) {
        ColorChoice::Never.write_global();
    }
    let _ = OUTPUT.set((path.to_owned(), Mutex::new(file)));
    Ok(())
}

/// Writes to standard output what people read. A closed pipe ends the program quietly; where it cannot be written, that is said.
pub(super) fn print(text: &str) {
    let text = shown::terminal(text, is_colored(&std::io::stdout()));
    print_with(|out| out.write_all(text.as_bytes()));
}

/// Writes the text of a document: to a file or another program as it is.
pub(super) fn print_document(text: &str) {
    match std::io::stdout().is_terminal() && OUTPUT.get().is_none() {
        true => print(text),
        false => print_with(|out| out.write_all(text.as_bytes())),
    }
}

/// Writes bytes to standard output, for what need not be held as a whole.
pub(super) fn print_with(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) {
    if let Some((path, file)) = OUTPUT.get() {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = BufWriter::new(&mut *file);
        if let Err(error) = write(&mut out).and_then(|()| out.flush()) {
            std::process::exit(complain(format!("{}: {error}", shown::path(path))) as i32);
        }
        return;
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => std::process::exit(complain(format!("standard output: {error}")) as i32),
    }
}

/// Writes a file.
///
/// # Errors
/// One line, with the path.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", shown::path(path)))
}

/// Writes the output of a command to a file.
pub(super) fn save(path: &Path, bytes: &[u8]) -> Outcome {
    match write_file(path, bytes) {
        Ok(()) => Outcome::Clean,
        Err(problem) => complain(problem),
    }
}

/// Writes to standard error; a failure cannot be reported anywhere.
pub(super) fn print_error(text: &str) {
    let text = shown::terminal(text, is_colored(&std::io::stderr()));
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// One clear line on standard error.
pub(super) fn complain(message: impl Display) -> Outcome {
    say(message);
    Outcome::CouldNotWork
}

/// A line on standard error that `--quiet` leaves out.
pub(super) fn note(message: impl Display) {
    if !is_quiet() {
        say(format_args!("note: {message}"));
    }
}

/// A line on standard error that only `--verbose` asks for.
pub(super) fn detail(message: impl FnOnce() -> String) {
    if is_verbose() {
        say(message());
    }
}

pub(super) fn say(message: impl Display) {
    print_error(&format!("wavelens: {message}\n"));
}

/// A word that stands out.
pub(super) fn bold(text: &str, is_colored: bool) -> String {
    if is_colored { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// A text whose blocks begin with a name, in bold where there are colors.
pub(super) fn headed(text: String) -> String {
    if !is_colored(&std::io::stdout()) {
        return text;
    }
    let mut is_first = true;
    let shown = text.lines().map(|line| {
        let is_head = std::mem::replace(&mut is_first, line.is_empty()) && !line.starts_with([' ', '*']);
        let (head, rest) = line.split_once(':').map_or((line, ""), |(head, _)| line.split_at(head.len()));
        if is_head && !line.is_empty() {
            format!("{}{rest}\n", bold(head, true))
        } else {
            format!("{line}\n")
        }
    });
    shown.collect()
}

/// Columns of text that is read.
const WIDTH: usize = 80;

/// Paragraphs in lines of at most 80 columns, if words are not longer.
pub(super) fn wrapped(text: &str) -> String {
    text.lines().map(|paragraph| wrapped_after(0, paragraph)).collect()
}

/// A paragraph that starts in a column, to which its other lines are indented.
pub(super) fn wrapped_after(indent: usize, text: &str) -> String {
    let (mut out, mut column) = (String::new(), indent);
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > indent && column + 1 + width > WIDTH {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out + "\n"
}

/// A number with its digits in groups: `15,619`.
pub(super) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`.
pub(super) fn count(n: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}
