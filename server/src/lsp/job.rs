//! Requests as jobs for the pool, and the one boundary where cancellation and panics are caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use salsa::Database as _;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use wavelens_ide::db::is_in_query;
use wavelens_ide::{Cancelled, Database};

use super::runs::Refusal;
use super::snapshot::Snapshot;

/// A request that waits for its answer.
pub(super) trait Job: Send {
    /// Answers from the snapshot. Gives itself back when an edit came in between.
    fn run(self: Box<Self>, snapshot: Snapshot) -> Option<Box<dyn Job>>;
    /// Whether nobody waits any more.
    fn is_abandoned(&self) -> bool;
    fn refuse(self: Box<Self>, error: Error);
    /// The same for when the job runs; what it answers after that is dropped.
    fn refusal(&self) -> Refusal;
}

/// A job made of a function and the place its answer goes to.
pub(super) struct Ask<F, R> {
    work: F,
    answer: Slot<R>,
}

type Slot<R> = Arc<Mutex<Option<oneshot::Sender<Result<R>>>>>;

impl<F, R> Ask<F, R> {
    pub(super) fn new(work: F, answer: oneshot::Sender<Result<R>>) -> Self {
        Ask { work, answer: Arc::new(Mutex::new(Some(answer))) }
    }
}

fn lock<R>(slot: &Slot<R>) -> MutexGuard<'_, Option<oneshot::Sender<Result<R>>>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

fn give<R>(slot: &Slot<R>, answer: Result<R>) {
    if let Some(sender) = lock(slot).take() {
        let _ = sender.send(answer);
    }
}

impl<F, R> Job for Ask<F, R>
where
    F: Fn(&Snapshot) -> Result<R> + Send + 'static,
    R: Send + 'static,
{
    fn run(self: Box<Self>, snapshot: Snapshot) -> Option<Box<dyn Job>> {
        match guard_on(&snapshot.db, || (self.work)(&snapshot)) {
            Outcome::Done(answer) => {
                // Free the database before anybody can react to the answer.
                drop(snapshot);
                give(&self.answer, answer);
                None
            }
            Outcome::Cancelled => Some(self),
            Outcome::Panicked(message) => {
                drop(snapshot);
                self.refuse(internal_error(&message));
                None
            }
        }
    }

    fn is_abandoned(&self) -> bool {
        lock(&self.answer).as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    fn refuse(self: Box<Self>, error: Error) {
        give(&self.answer, Err(error));
    }

    fn refusal(&self) -> Refusal {
        let slot = self.answer.clone();
        Box::new(move |error| give(&slot, Err(error)))
    }
}

/// The outcome of work on a snapshot.
#[derive(Debug)]
pub(super) enum Outcome<R> {
    Done(R),
    /// An edit is waiting.
    Cancelled,
    Panicked(String),
}

impl<R> Outcome<R> {
    pub(super) fn map<S>(self, change: impl FnOnce(R) -> S) -> Outcome<S> {
        match self {
            Outcome::Done(done) => Outcome::Done(change(done)),
            Outcome::Cancelled => Outcome::Cancelled,
            Outcome::Panicked(message) => Outcome::Panicked(message),
        }
    }
}

/// Runs work on a snapshot, catching salsa's cancellation and panics.
pub(super) fn guard<R>(work: impl FnOnce() -> R) -> Outcome<R> {
    // The database stays whole when a query unwinds, and the rest of a snapshot is thrown away.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Outcome::Done(done),
        Err(payload) => match payload.downcast::<Cancelled>() {
            Ok(cancelled) => match *cancelled {
                Cancelled::PropagatedPanic => {
                    Outcome::Panicked("a query that this one waited for panicked".to_owned())
                }
                _ => Outcome::Cancelled,
            },
            Err(payload) => Outcome::Panicked(panic_message(payload)),
        },
    }
}

fn panic_message(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(message) => (*message).to_owned(),
            Err(payload) => {
                // A payload of unknown type may panic again when it is dropped.
                std::mem::forget(payload);
                "unknown panic".to_owned()
            }
        },
    }
}

/// The same for work that runs queries. One that waits for a query of another thread panics when that is cancelled; as long as this
/// thread holds the database, it knows whether that was so. A thread that waits in a query may be given other work of its pool: that is
/// given back as well.
pub(super) fn guard_on<R>(db: &Database, work: impl FnOnce() -> R) -> Outcome<R> {
    if is_in_query() {
        return Outcome::Cancelled;
    }
    let outcome = guard(work);
    let is_cancelled = || Cancelled::catch(AssertUnwindSafe(|| db.unwind_if_revision_cancelled())).is_err();
    if matches!(outcome, Outcome::Panicked(_)) && is_cancelled() { Outcome::Cancelled } else { outcome }
}

/// Passes a cancellation on, and turns a panic into `None`: for work made of parts of which one may fail.
pub(super) fn part<R>(db: &Database, work: impl FnOnce() -> R) -> Option<R> {
    match guard_on(db, work) {
        Outcome::Done(done) => Some(done),
        Outcome::Cancelled => resume_unwind(Box::new(Cancelled::PendingWrite)),
        Outcome::Panicked(_) => None,
    }
}

fn internal_error(message: &str) -> Error {
    let mut error = Error::internal_error();
    error.message = format!("wavelens hit a bug: {message}").into();
    error
}

/// The document changed before the answer was ready; the client asks again if it still cares.
pub(super) fn content_modified() -> Error {
    Error { code: ErrorCode::ContentModified, message: "the document was changed".into(), data: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::runs::Runs;

    fn snapshot() -> Snapshot {
        let (mailbox, _) = std::sync::mpsc::channel();
        let ticket = Runs::new(mailbox).register(None, None, None);
        Snapshot::new(Default::default(), Vec::new(), 0, Default::default(), Default::default(), ticket)
    }

    #[test]
    fn a_job_that_was_refused_while_it_runs_answers_no_more() {
        let (answer, mut wait) = oneshot::channel();
        let job = Box::new(Ask::new(|_: &Snapshot| Ok(()), answer));
        job.refusal()(content_modified());
        assert!(job.is_abandoned());
        assert!(job.run(snapshot()).is_none());
        assert!(matches!(wait.try_recv(), Ok(Err(error)) if error == content_modified()));
    }

    #[test]
    fn a_panic_is_answered_with_an_error() {
        let (answer, mut wait) = oneshot::channel();
        let work = |_: &Snapshot| -> Result<()> { panic!("oh {}", "no") };
        assert!(Box::new(Ask::new(work, answer)).run(snapshot()).is_none());
        let error = wait.try_recv().map(|answer| answer.map_err(|e| e.message.to_string()));
        assert_eq!(error, Ok(Err("wavelens hit a bug: oh no".to_owned())));
    }

    /// What salsa does to a thread that waits for a query of another thread that is cancelled.
    #[test]
    fn a_panic_while_a_write_waits_is_a_cancellation() {
        let mut db = Database::default();
        let reader = db.clone();
        let writer = std::thread::spawn(move || db.trigger_cancellation());
        let outcome = guard_on(&reader, || {
            while Cancelled::catch(AssertUnwindSafe(|| reader.unwind_if_revision_cancelled())).is_ok() {}
            resume_unwind(Box::new(Cancelled::PropagatedPanic))
        });
        assert!(matches!(outcome, Outcome::<()>::Cancelled));
        drop(reader);
        writer.join().expect("no panic");
        let outcome = guard_on(&Database::default(), || resume_unwind(Box::new(Cancelled::PropagatedPanic)));
        assert!(matches!(outcome, Outcome::<()>::Panicked(_)));
    }

    /// What rayon does with a thread that waits in a query: salsa panics if it asks a second database.
    #[test]
    fn work_that_begins_within_a_query_is_given_back() {
        let (answer, mut wait) = oneshot::channel();
        let job = Box::new(Ask::new(|_: &Snapshot| Ok(()), answer));
        let waiting = Database::default();
        let job = salsa::attach(&waiting, || job.run(snapshot())).expect("it is given back");
        assert!(wait.try_recv().is_err());
        assert!(job.run(snapshot()).is_none());
        assert!(matches!(wait.try_recv(), Ok(Ok(()))));
    }

    #[test]
    fn cancelled_work_is_given_back() {
        let (answer, mut wait) = oneshot::channel();
        let work = |_: &Snapshot| -> Result<()> { resume_unwind(Box::new(Cancelled::PendingWrite)) };
        assert!(Box::new(Ask::new(work, answer)).run(snapshot()).is_some());
        assert!(wait.try_recv().is_err());
    }
}
