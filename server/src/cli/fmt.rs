//! `wavelens fmt`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use wavelens_base::{Dialect, TextEdit};
use wavelens_ide::features::format_text;
use wavelens_ide::formatting::{SpirvLayout, Style};

use super::gather::FileArguments;
use super::output::{complain, count, detail, is_quiet, note, print, print_document, print_error};
use super::{Outcome, fix, replace};
use crate::input::is_standard_input;
use crate::left_alone::left_as_it_is;
use crate::shown;
use crate::source::read;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write nothing; print the files that are not formatted, and exit with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Write nothing; print what would change as a unified diff, and exit with 1 if anything would.
    #[arg(long)]
    diff: bool,
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Layout of SPIR-V, as `spirv-dis` prints it: opcodes in a column, indented by control flow, or not at all.
    #[arg(long, value_name = "LAYOUT", default_value = "aligned", value_parser = ["aligned", "nested", "plain"])]
    spirv_layout: String,
    #[command(flatten)]
    files: FileArguments,
    /// Files and folders, default: the current folder; `-` is standard input, whose formatted text goes to standard output.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// A file and what it would be.
struct Formatted {
    path: PathBuf,
    before: String,
    after: String,
    /// What is left as it is, if anything is.
    left: Option<String>,
}

impl Formatted {
    fn changes(&self) -> bool {
        self.before != self.after
    }
}

/// Files formatted at once, between two writes of the output.
const BATCH: usize = 64;

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let style = Style { spirv: SpirvLayout::from_name(&arguments.spirv_layout).unwrap_or_default() };
    let gathered = match arguments.files.gather(&arguments.paths, arguments.dialect) {
        Ok(gathered) => gathered,
        Err(message) => return complain(message),
    };
    let mut outcome = if gathered.unreadable > 0 { Outcome::CouldNotWork } else { Outcome::Clean };
    if gathered.files.is_empty() {
        return Outcome::CouldNotWork;
    }
    let (mut files, mut changed, mut failed) = (0, 0, 0);
    for batch in gathered.files.chunks(BATCH) {
        let formatted: Vec<_> =
            batch.par_iter().map(|path| format_file(path, arguments.dialect, style)).collect();
        for file in formatted {
            let changes = file.as_ref().is_ok_and(Formatted::changes);
            match file.and_then(|file| put(&file, arguments)) {
                Ok(found) => {
                    files += 1;
                    changed += usize::from(changes);
                    outcome = outcome.max(found);
                }
                Err(problem) => {
                    failed += 1;
                    outcome = outcome.max(complain(problem));
                }
            }
        }
    }
    let writes = !arguments.check && !arguments.diff;
    let is_stdin = matches!(&gathered.files[..], [path] if is_standard_input(path));
    if files + failed > 0 && !is_quiet() && !is_stdin {
        let done = if writes { "formatted" } else { "would be formatted" };
        let rest = count(files - changed, "file");
        let failed = if failed > 0 { format!(", {} failed", count(failed, "file")) } else { String::new() };
        print_error(&format!("{} {done}, {rest} left unchanged{failed}\n", count(changed, "file")));
    }
    outcome
}

/// A panic while formatting one file must not keep the others from being formatted.
fn format_file(path: &Path, dialect: Option<Dialect>, style: Style) -> Result<Formatted, String> {
    let name = shown::path(path);
    catch_unwind(AssertUnwindSafe(|| {
        let source = read(path, dialect)?;
        if !source.is_exact {
            return Err(format!("{name}: only files that are UTF-8 text are formatted"));
        }
        let edits = format_text(source.dialect, &source.text, style);
        let after = TextEdit::apply_all(&source.text, &edits).ok_or_else(|| {
            format!("{name}: internal error while formatting; please report it with the file")
        })?;
        let left = left_as_it_is(source.dialect, &source.text);
        Ok(Formatted { path: path.to_owned(), before: source.text, after, left })
    }))
    .unwrap_or_else(|_| {
        Err(format!("{name}: internal error while formatting; please report it with the file"))
    })
}

/// Writes or prints what came of a file.
fn put(file: &Formatted, arguments: &Arguments) -> Result<Outcome, String> {
    let name = shown::path(&file.path);
    if let Some(left) = &file.left {
        note(format!("{name}: {left}"));
    }
    let is_stdin = is_standard_input(&file.path);
    if arguments.check || arguments.diff {
        if !file.changes() {
            return Ok(Outcome::Clean);
        }
        if arguments.diff {
            print_document(&fix::diff(&file.path, &file.before, &file.after, &std::io::stdout()));
        } else {
            print(&format!("{name}\n"));
        }
        return Ok(Outcome::ErrorsFound);
    }
    if is_stdin {
        print_document(&file.after);
    } else if file.changes() {
        replace::write(&file.path, &file.before, &file.after).map_err(|e| format!("{name}: {e}"))?;
        detail(|| format!("{name}: formatted"));
    }
    Ok(Outcome::Clean)
}
