//! Making a file smaller while it keeps a finding, crashes a compiler, or passes a command's test: for the command line and for the
//! server alike.

mod interest;
mod report;
mod search;

use wavelens_codegen::Cancel;
use wavelens_ide::features::format_text;
use wavelens_semantics::TextEdit;
use wavelens_semantics::reduce::Reduced;

pub(crate) use self::interest::Interest;
pub(crate) use self::report::report;
pub(crate) use self::search::{Bounds, shrink};
use crate::compile::Job;

/// What `--while` calls a crash of the compiler; everything else is a code.
pub(crate) const CRASH: &str = "crash";

/// The smallest text that is still interesting, as the formatter writes it. `kept` sees each smaller text.
///
/// # Errors
/// One sentence, when the whole text is not interesting, or a tool is missing.
pub(crate) fn reduce(
    job: &Job,
    interest: &mut Interest<'_>,
    bounds: Bounds<'_>,
    kept: &mut dyn FnMut(&str) -> Result<(), String>,
) -> Result<Reduced, String> {
    let cancel = bounds.cancel;
    if !interest.begins(job, cancel)? {
        return Err(format!("nothing to keep: {}", interest.absence()));
    }
    let reduced = shrink(job, bounds, &mut |text| {
        let is_kept = interest.holds(job, text, cancel)?;
        if is_kept {
            kept(text)?;
        }
        Ok(is_kept)
    })?;
    Ok(formatted(job, reduced, interest, cancel))
}

/// The text as the formatter writes it, if it is still interesting: a reduction leaves blanks where something was.
fn formatted(job: &Job, reduced: Reduced, interest: &Interest<'_>, cancel: &Cancel) -> Reduced {
    let edits = format_text(job.dialect, &reduced.text, Default::default());
    let Some(text) = TextEdit::apply_all(&reduced.text, &edits) else { return reduced };
    if text == reduced.text || interest.holds(job, &text, cancel) != Ok(true) {
        return reduced;
    }
    Reduced { text, tests: reduced.tests + 1, ..reduced }
}
