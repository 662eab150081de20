//! The search for a smaller text: its limits, its progress, and how it is interrupted.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use wavelens_codegen::Cancel;
use wavelens_semantics::Options;
use wavelens_semantics::reduce::{Reduced, reduce};

use crate::cli::output::shows_progress;
use crate::compile::Job;

/// Wait between two drawings of the progress.
const REDRAW: Duration = Duration::from_millis(200);

/// Exit status after Ctrl-C, as shells give it.
pub(super) const INTERRUPTED: i32 = 130;

/// What is tested, and for how long.
pub(in crate::cli) struct Bounds<'b> {
    /// Only texts without errors of new codes under these options.
    pub(in crate::cli) valid: Option<&'b Options>,
    /// Seconds.
    pub(in crate::cli) limit: Option<u64>,
    pub(in crate::cli) cancel: &'b Cancel,
}

/// The first Ctrl-C ends the search with the best text so far, a second one the program.
pub(super) fn cancel_on_interrupt() -> Cancel {
    let cancel = Cancel::default();
    let handle = cancel.clone();
    // Without a handler the default one stops the program.
    let _ = ctrlc::set_handler(move || {
        if handle.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        handle.cancel();
    });
    cancel
}

/// The smallest text for which `holds`.
pub(in crate::cli) fn shrink(
    job: &Job,
    bounds: Bounds<'_>,
    holds: &mut dyn FnMut(&str) -> Result<bool, String>,
) -> Result<Reduced, String> {
    let end = bounds.limit.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut problem = None;
    let bar = progress();
    let (mut tests, mut size) = (0, job.text.len());
    let reduced = reduce(job.dialect, &job.text, bounds.valid, &mut |text| {
        if bounds.cancel.is_cancelled() || end.is_some_and(|end| Instant::now() >= end) {
            return ControlFlow::Break(());
        }
        match holds(text) {
            // The test may have been ended by it.
            _ if bounds.cancel.is_cancelled() => ControlFlow::Break(()),
            Ok(kept) => {
                tests += 1;
                size = if kept { text.len() } else { size };
                bar.set_message(format!("{size} of {} bytes after {tests} tests", job.text.len()));
                ControlFlow::Continue(kept)
            }
            Err(message) => {
                problem = Some(message);
                ControlFlow::Break(())
            }
        }
    });
    bar.finish_and_clear();
    problem.map_or(Ok(reduced), Err)
}

fn progress() -> ProgressBar {
    if !shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.enable_steady_tick(REDRAW);
    bar
}
