//! The search for a smaller text, and its limits. While a text is tested, so is the one that is next if the answer is as expected.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Scope;
use std::time::Duration;

use wavelens_base::Options;
use wavelens_check::reduce::Search;
use wavelens_codegen::Cancel;

use crate::clock::Instant;
use crate::compile::Job;

/// What a reduction came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reduced {
    /// The reduced text.
    pub(crate) text: String,
    /// Texts that were tested and whose result was of use.
    pub(crate) tests: usize,
    /// Whether all passes were tried until none made the text smaller; false if it was cancelled or the time was over.
    pub(crate) is_complete: bool,
}

/// What is tested, and for how long.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'b> {
    /// Only texts without errors of new codes under these options.
    pub(crate) valid: Option<&'b Options>,
    /// Only texts that say what they are compiled for, as the first does: nobody else says it to the compiler.
    pub(crate) has_target: bool,
    /// Seconds.
    pub(crate) limit: Option<u64>,
    /// Texts that are tested at the same time: more than two are of no use.
    pub(crate) jobs: usize,
    pub(crate) cancel: &'b Cancel,
    /// Called after each test with how far the search is.
    pub(crate) progress: &'b dyn Fn(String),
}

/// Whether a text is interesting. What it starts ends when it is cancelled.
pub(crate) type Test<'t> = dyn Fn(&str, &Cancel) -> Result<bool, String> + Sync + 't;

/// Wait between two looks at the time and the caller's interest.
const PAUSE: Duration = Duration::from_millis(50);

/// The smallest text that passes the test; `kept` sees each smaller text.
///
/// # Errors
/// The first error of the test or of `kept`.
pub(crate) fn shrink(
    job: &Job,
    bounds: Bounds<'_>,
    test: &Test<'_>,
    kept: &mut dyn FnMut(&str) -> Result<(), String>,
) -> Result<Reduced, String> {
    let end = bounds.limit.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let is_over = || bounds.cancel.is_cancelled() || end.is_some_and(|end| Instant::now() >= end);
    let (mut tests, mut expected, mut is_complete) = (0, true, true);
    let search = Search::new(job.dialect, &job.text, bounds.valid);
    let mut search = if bounds.has_target { search.with_target() } else { search };
    std::thread::scope(|scope| {
        let mut running = Running::start(scope, test, search.question());
        while let Some(current) = running.take() {
            let ahead = (bounds.jobs > 1).then(|| {
                let mut ahead = search.clone();
                ahead.answer(expected);
                let next = Running::start(scope, test, ahead.question());
                (ahead, next)
            });
            let Some(answer) = current.wait(is_over) else {
                is_complete = false;
                break;
            };
            let is_kept = answer?;
            tests += 1;
            running = match ahead {
                Some((ahead, next)) if is_kept == expected => {
                    search = ahead;
                    next
                }
                // Dropping what runs ahead ends it.
                _ => {
                    search.answer(is_kept);
                    Running::start(scope, test, search.question())
                }
            };
            // Answers come in rows.
            expected = is_kept;
            if is_kept {
                kept(search.text())?;
            }
            (bounds.progress)(format!(
                "{} of {} bytes after {tests} tests",
                search.text().len(),
                job.text.len()
            ));
        }
        Ok(Reduced { text: search.text().to_owned(), tests, is_complete })
    })
}

/// A test on a thread of its own; it ends when this is dropped.
struct Running {
    answer: Receiver<Result<bool, String>>,
    cancel: Cancel,
}

impl Running {
    fn start<'s>(scope: &'s Scope<'s, '_>, test: &'s Test<'s>, text: Option<String>) -> Option<Self> {
        let text = text?;
        let (sender, answer) = channel();
        let cancel = Cancel::default();
        let handle = cancel.clone();
        // Nobody may be waiting any more.
        scope.spawn(move || drop(sender.send(test(&text, &handle))));
        Some(Running { answer, cancel })
    }

    /// The result; nothing if the caller loses interest.
    fn wait(&self, is_over: impl Fn() -> bool) -> Option<Result<bool, String>> {
        loop {
            match self.answer.recv_timeout(PAUSE) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) if !is_over() => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
