//! A report about a compiler that fails, for its issue tracker.

use std::fmt::Write as _;
use std::path::Path;

use wavelens_codegen::Failure;

use super::interest::Interest;
use super::search::Reduced;
use crate::compile::{Job, failed_run};
use crate::shown::{self, fence};

/// The report about a reduced text; `file` is what the text's file is called.
///
/// # Errors
/// One sentence, if the compiler cannot be run again.
pub(crate) fn report(
    file: &str,
    job: &Job,
    reduced: &Reduced,
    interest: &Interest<'_>,
) -> Result<String, String> {
    let mut out = String::new();
    let size = format!("- reduced from {} to {} bytes\n", job.text.len(), reduced.text.len());
    let input = format!("\n`{file}`:\n\n{}", fence(&reduced.text));
    match interest {
        Interest::Crash { compiler, .. } => {
            let job = Job { text: reduced.text.clone(), ..job.clone() };
            let run = failed_run(compiler, &job).map_err(|failure: Failure| failure.sentence())?;
            let _ = write!(out, "# {}\n\n- {}\n", run.title(), run.version);
            if let Some(pass) = &run.pass {
                let _ = writeln!(out, "- failing pass: {pass}");
            }
            let _ = write!(out, "{size}{input}\n`{} < {file}`:\n\n{}", run.command, fence(&run.output));
        }
        Interest::Command { words, .. } => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let command = match words.iter().any(|word| word.contains("{}")) {
                true => words.join(" ").replace("{}", file),
                false => format!("{} {file}", words.join(" ")),
            };
            let _ =
                write!(out, "# Reduced `{file}`\n\n{size}- the command exits with 0\n{input}\n`{command}`\n");
        }
        Interest::Finding { code, .. } => {
            let _ = write!(out, "# `{code}` in `{}`\n\n{size}{input}", shown::path(Path::new(file)));
        }
    }
    Ok(out)
}
