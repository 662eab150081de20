//! Making a file smaller while it keeps a finding, crashes a compiler, or passes a command's test: for the command line and for the
//! server alike.

mod interest;
mod report;
mod search;

use wavelens_base::TextEdit;
use wavelens_codegen::Cancel;
use wavelens_ide::features::format_text;

pub(crate) use self::interest::Interest;
pub(crate) use self::report::report;
pub(crate) use self::search::{Bounds, Reduced, Test, shrink};
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
    if !interest.begins(job, bounds.cancel)? {
        return Err(format!("nothing to keep: {}", interest.absence()));
    }
    let test = |text: &str, cancel: &Cancel| interest.holds(job, text, cancel);
    let reduced = shrink(job, bounds, &test, kept)?;
    let (reduced, is_confirmed) = confirmed(job, reduced, &test, bounds.cancel)?;
    if is_confirmed || bounds.jobs == 1 || !reduced.is_complete {
        return Ok(reduced);
    }
    // Tests that ran at the same time have disturbed each other.
    let reduced = shrink(job, Bounds { jobs: 1, ..bounds }, &test, kept)?;
    Ok(confirmed(job, reduced, &test, bounds.cancel)?.0)
}

/// The text as the formatter writes it, because a reduction leaves blanks where something was; otherwise as it is. With whether it
/// passes the test while no other test runs.
fn confirmed(
    job: &Job,
    reduced: Reduced,
    test: &Test<'_>,
    cancel: &Cancel,
) -> Result<(Reduced, bool), String> {
    let edits = format_text(job.dialect, &reduced.text, Default::default());
    let formatted = TextEdit::apply_all(&reduced.text, &edits).filter(|text| *text != reduced.text);
    if let Some(text) = formatted
        && test(&text, cancel)?
    {
        return Ok((Reduced { text, tests: reduced.tests + 1, ..reduced }, true));
    }
    let is_interesting = test(&reduced.text, cancel)?;
    Ok((reduced, is_interesting))
}
