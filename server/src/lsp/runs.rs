//! Unfinished work on snapshots, and the documents that it is for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_types::Uri;
use tower_lsp::jsonrpc::Error;
use wavelens_codegen::priority::{thread_id, yield_to_all};

use super::event::Event;
use crate::clock::Instant;

/// Answers a request with an error while its work still runs.
pub(super) type Refusal = Box<dyn FnOnce(Error) + Send>;

/// Work that runs on the current database, and what runs on earlier ones that were left to it.
pub(super) struct Runs {
    current: Arc<Shared>,
    abandoned: Vec<Arc<Shared>>,
    next: u64,
}

struct Shared {
    list: Mutex<Vec<Run>>,
    /// Questions wait for a thread: the end of a run is an event.
    has_waiting: AtomicBool,
    mailbox: Sender<Event>,
}

struct Run {
    id: u64,
    uri: Option<Uri>,
    /// The thread pool of a request; checks have their own.
    pool: Option<u64>,
    /// When it got a thread, and which.
    started: Option<(Instant, u32)>,
    refuse: Option<Refusal>,
}

/// Held as long as a run lasts, longer than its snapshot.
pub(super) struct Ticket {
    id: u64,
    shared: Arc<Shared>,
}

/// What did not end.
#[derive(Default)]
pub(super) struct Stuck {
    /// Documents whose work had a thread.
    pub(super) documents: Vec<Uri>,
    pub(super) refusals: Vec<Refusal>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Vec<Run>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runs {
    pub(super) fn new(mailbox: Sender<Event>) -> Self {
        Runs { current: shared(mailbox), abandoned: Vec::new(), next: 0 }
    }

    /// Registers a run. `pool`: that of a request.
    pub(super) fn register(
        &mut self,
        uri: Option<&Uri>,
        pool: Option<u64>,
        refuse: Option<Refusal>,
    ) -> Ticket {
        self.next += 1;
        let run = Run { id: self.next, uri: uri.cloned(), pool, started: None, refuse };
        self.current.lock().push(run);
        Ticket { id: self.next, shared: self.current.clone() }
    }

    /// Whether nothing runs on the current database.
    pub(super) fn is_empty(&self) -> bool {
        self.current.lock().is_empty()
    }

    pub(super) fn set_waiting(&self, has_waiting: bool) {
        self.current.has_waiting.store(has_waiting, Ordering::SeqCst);
    }

    /// How many requests run in a pool, how many of those for a document, and how many of them began longer ago than `age`.
    pub(super) fn requests(&self, pool: u64, uri: Option<&Uri>, age: Duration) -> (usize, usize, usize) {
        let list = self.current.lock();
        let in_pool = || list.iter().filter(|r| r.pool == Some(pool));
        let is_old = |r: &&Run| r.started.is_some_and(|(at, _)| at.elapsed() >= age);
        (
            in_pool().count(),
            in_pool().filter(|r| r.uri.as_ref() == uri).count(),
            in_pool().filter(is_old).count(),
        )
    }

    /// How many requests for a document run, in whatever pool.
    pub(super) fn requests_for(&self, uri: Option<&Uri>) -> usize {
        self.current.lock().iter().filter(|r| r.pool.is_some() && r.uri.as_ref() == uri).count()
    }

    /// Documents with work that has lasted longer than `limit` allows.
    pub(super) fn overdue(&self, limit: impl Fn(&Uri) -> Duration) -> Vec<Uri> {
        let list = self.current.lock();
        let overdue = |r: &Run| {
            let uri = r.uri.as_ref()?;
            (r.started?.0.elapsed() >= limit(uri)).then(|| uri.clone())
        };
        list.iter().filter_map(overdue).collect()
    }

    /// The document whose work has lasted longest, if that is longer than `age`.
    pub(super) fn oldest(&self, age: Duration) -> Option<Uri> {
        let list = self.current.lock();
        let old = list.iter().filter(|r| r.started.is_some_and(|(at, _)| at.elapsed() >= age));
        old.filter(|r| r.uri.is_some()).min_by_key(|r| r.started.map(|s| s.0))?.uri.clone()
    }

    /// Leaves what runs to itself, with as little of the processor as possible.
    pub(super) fn abandon(&mut self) -> Stuck {
        let new = shared(self.current.mailbox.clone());
        let old = std::mem::replace(&mut self.current, new);
        let mut stuck = Stuck::default();
        for run in old.lock().iter_mut() {
            stuck.refusals.extend(run.refuse.take());
            if let Some((_, thread)) = run.started {
                yield_to_all(thread);
                stuck.documents.extend(run.uri.clone());
            }
        }
        self.abandoned.push(old);
        stuck
    }

    /// How many databases are still held by work that was abandoned.
    pub(super) fn abandoned(&mut self) -> usize {
        self.abandoned.retain(|shared| !shared.lock().is_empty());
        self.abandoned.len()
    }
}

fn shared(mailbox: Sender<Event>) -> Arc<Shared> {
    Arc::new(Shared { list: Mutex::default(), has_waiting: AtomicBool::new(false), mailbox })
}

impl Ticket {
    /// The run has a thread: this one.
    pub(super) fn start(&self) {
        if let Some(run) = self.shared.lock().iter_mut().find(|r| r.id == self.id) {
            run.started = Some((Instant::now(), thread_id()));
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.shared.lock().retain(|run| run.id != self.id);
        if self.shared.has_waiting.load(Ordering::SeqCst) {
            let _ = self.shared.mailbox.send(Event::Freed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_abandoned_counts_until_it_ends() {
        let (mailbox, events) = std::sync::mpsc::channel();
        let mut runs = Runs::new(mailbox);
        let uri: Uri = "file:///a.ll".parse().expect("a URI");
        let check = runs.register(Some(&uri), None, None);
        let request = runs.register(Some(&uri), Some(0), Some(Box::new(|_| {})));
        check.start();
        assert_eq!(runs.requests(0, Some(&uri), Duration::ZERO), (1, 1, 0));
        assert_eq!(runs.oldest(Duration::ZERO), Some(uri.clone()));
        let stuck = runs.abandon();
        // The request had no thread: it is not its document's fault.
        assert_eq!((stuck.documents, stuck.refusals.len()), (vec![uri], 1));
        assert!(runs.is_empty());
        drop(check);
        assert_eq!(runs.abandoned(), 1);
        drop(request);
        assert_eq!(runs.abandoned(), 0);
        runs.set_waiting(true);
        drop(runs.register(None, Some(0), None));
        assert!(matches!(events.try_recv(), Ok(Event::Freed)));
    }
}
