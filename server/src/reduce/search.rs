//! The search for a smaller text, and its limits.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use wavelens_codegen::Cancel;
use wavelens_semantics::Options;
use wavelens_semantics::reduce::{Reduced, reduce};

use crate::compile::Job;

/// What is tested, and for how long.
pub(crate) struct Bounds<'b> {
    /// Only texts without errors of new codes under these options.
    pub(crate) valid: Option<&'b Options>,
    /// Seconds.
    pub(crate) limit: Option<u64>,
    pub(crate) cancel: &'b Cancel,
    /// Called after each test with how far the search is.
    pub(crate) progress: &'b dyn Fn(String),
}

/// The smallest text for which `holds`.
pub(crate) fn shrink(
    job: &Job,
    bounds: Bounds<'_>,
    holds: &mut dyn FnMut(&str) -> Result<bool, String>,
) -> Result<Reduced, String> {
    let end = bounds.limit.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut problem = None;
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
                (bounds.progress)(format!("{size} of {} bytes after {tests} tests", job.text.len()));
                ControlFlow::Continue(kept)
            }
            Err(message) => {
                problem = Some(message);
                ControlFlow::Break(())
            }
        }
    });
    problem.map_or(Ok(reduced), Err)
}
