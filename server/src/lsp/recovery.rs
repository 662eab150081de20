//! What the server does about work that does not end, about panics, and when memory runs out.
//!
//! Work that does not respond to cancellation is abandoned together with the database that it holds; open documents move into a new
//! one. A document whose work is abandoned twice is not checked until it is edited. This is a safety net: checks have their own
//! budgets, which are much lower.

use std::sync::Arc;
use std::time::Duration;

use lsp_types::{MessageType, Uri};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::document::{Diagnosis, Quarantine};
use super::job::{Outcome, content_modified, guard};
use super::memory;
use super::state::State;
use crate::clock::Instant;

/// How long an edit waits for work to end.
const PATIENCE: Duration = Duration::from_millis(75);
/// Bytes of open documents that are read again in less than that. Above, an edit waits longer: to read all of them again takes longer
/// still.
const QUICKLY_READ: usize = 4 << 20;
const PATIENCE_PER_BYTE: Duration = Duration::from_nanos(25);
const MOST_PATIENCE: Duration = Duration::from_secs(2);

/// How long work on a document may take, and how much longer for each byte of it.
const DEADLINE: Duration = Duration::from_secs(30);
const DEADLINE_PER_BYTE: Duration = Duration::from_micros(1);

/// How often work on a document is abandoned before it is left alone.
const STRIKES: u8 = 2;
/// Databases that work may hold on to. From then on documents that are left alone stay so until some of it ends.
const ABANDONED: usize = 4;

/// How often a look at the questions that wait, and at the work that lasts.
const LOOK_AT_QUESTIONS: Duration = Duration::from_millis(50);
const LOOK_AT_WORK: Duration = Duration::from_secs(1);

/// Threads for findings.
pub(super) fn checking_threads() -> Option<Arc<ThreadPool>> {
    ThreadPoolBuilder::new().thread_name(|i| format!("check {i}")).build().ok().map(Arc::new)
}

impl State {
    /// Must precede each write: ends work on snapshots, or abandons it.
    pub(super) fn claim(&mut self) {
        if self.runs.is_empty() {
            return;
        }
        let open: usize = self.documents.iter().map(|d| d.positions.rope.len_bytes()).sum();
        let more = u32::try_from(open.saturating_sub(QUICKLY_READ)).unwrap_or(u32::MAX);
        let patience = (PATIENCE + PATIENCE_PER_BYTE * more).min(MOST_PATIENCE);
        if !self.store.claim(patience) {
            self.abandon();
        }
    }

    /// When something has to be looked at that no event tells.
    pub(super) fn next_look(&self) -> Option<Instant> {
        let pause = if !self.questions.is_empty() || !self.early.is_empty() {
            LOOK_AT_QUESTIONS
        } else if !self.runs.is_empty() {
            LOOK_AT_WORK
        } else {
            return None;
        };
        Some(Instant::now() + pause)
    }

    /// Moves all documents away from work that does not end.
    fn abandon(&mut self) {
        let stuck = self.runs.abandon();
        for refuse in stuck.refusals {
            refuse(content_modified());
        }
        let mut documents = stuck.documents;
        documents.sort();
        documents.dedup();
        let are_many = self.runs.abandoned() >= ABANDONED;
        for uri in documents {
            self.outbox.log(MessageType::WARNING, format!("{}: checking it timed out", uri.as_str()));
            let Some(document) = self.documents.find_mut(&uri) else { continue };
            document.strikes = document.strikes.saturating_add(1);
            if document.strikes >= STRIKES || are_many {
                self.leave_alone(&uri, Quarantine::Endless);
            }
        }
        self.checking = checking_threads();
        self.pool = self.pool.next();
        self.store.renew();
        self.reopen_all();
    }

    /// Abandons work that lasts too long even though nobody waits for it to end.
    pub(super) fn give_up_overdue(&mut self) {
        let size = |uri: &Uri| self.document(uri).map_or(0, |d| d.positions.rope.len_bytes());
        let limit = |uri: &Uri| DEADLINE + DEADLINE_PER_BYTE * u32::try_from(size(uri)).unwrap_or(u32::MAX);
        let overdue = self.runs.overdue(limit);
        if overdue.is_empty() {
            return;
        }
        for uri in &overdue {
            self.leave_alone(uri, Quarantine::Endless);
        }
        self.claim();
    }

    /// No longer checks a document.
    fn leave_alone(&mut self, uri: &Uri, reason: Quarantine) {
        let Some(document) = self.documents.find_mut(uri) else { return };
        if document.quarantine.replace(reason).is_some() {
            return;
        }
        document.findings.clear();
        document.diagnosis = Diagnosis::Due(Instant::now());
        // The file it was is as good as closed.
        self.closed_bytes += document.positions.rope.len_bytes();
        let name = uri.path().segments().next_back().map_or(String::new(), |s| s.to_string());
        self.outbox.show(MessageType::WARNING, format!("{name}: {}", reason.sentence()));
        self.refresh_diagnostics();
    }

    /// A document was edited: if it was left alone it is tried again.
    pub(super) fn edited(&mut self, index: usize) {
        let may_retry = match self.documents.get(index).and_then(|d| d.quarantine) {
            None => return,
            Some(Quarantine::Endless) => self.runs.abandoned() < ABANDONED,
            Some(Quarantine::Memory) => {
                memory::resident().is_none_or(|r| r < self.memory.limits(&self.config).soft)
            }
        };
        let Some(document) = self.documents.get_mut(index).filter(|_| may_retry) else { return };
        document.quarantine = None;
        document.strikes = STRIKES - 1;
        self.reopen(index);
    }

    /// Reads all documents into a new database.
    pub(super) fn reopen_all(&mut self) {
        self.closed_bytes = 0;
        for index in (0..self.documents.len()).rev() {
            self.reopen(index);
        }
    }

    /// Reads a document into the database. One that cannot be read is closed.
    fn reopen(&mut self, index: usize) {
        let generation = self.next_generation();
        let Some(document) = self.documents.get_mut(index) else { return };
        // What ran on the old database counts no more. What runs apart from it does: the text is the same.
        if document.diagnosis == Diagnosis::Running {
            document.generation = generation;
            document.interruptions = document.interruptions.saturating_add(1);
            document.diagnosis = Diagnosis::Due(Instant::now());
        }
        let options = document.options(&self.config);
        let read = guard(|| document.rebuild(self.store.db_mut(), options));
        if let Outcome::Panicked(message) = read {
            let uri = self.documents.remove(index).uri;
            self.compilers.closed(&uri);
            let message = format!("{}: wavelens hit a bug and closed this document: {message}", uri.as_str());
            self.outbox.show(MessageType::ERROR, message);
        }
    }

    /// Does work of the owner's thread. After a panic all documents are read again: nobody knows what the database holds.
    pub(super) fn survive(&mut self, work: impl FnOnce(&mut Self)) {
        let Outcome::Panicked(message) = guard(|| work(self)) else { return };
        self.outbox.log(MessageType::ERROR, format!("wavelens hit a bug and starts again: {message}"));
        for refuse in self.runs.abandon().refusals {
            refuse(content_modified());
        }
        self.store.renew();
        self.reopen_all();
    }

    /// Gives memory back: first what can be computed again, then a document.
    pub(super) fn relieve_memory(&mut self, resident: u64) {
        let limits = self.memory.limits(&self.config);
        if resident >= limits.hard {
            // What was abandoned holds memory that no document's end gives back.
            if self.memory.may_close() && self.runs.abandoned() < ABANDONED {
                self.close_worst();
            }
        } else if resident < limits.soft || !self.runs.is_empty() {
            // Work that goes on would only begin again.
            return;
        }
        // Enough of what remains is needed: the next time is when there is more.
        self.memory.expect(resident.saturating_add(resident / 4));
        self.outbox.log(
            MessageType::INFO,
            format!("{} MiB of memory are in use: caches are dropped", resident >> 20),
        );
        self.sent_tokens = Arc::default();
        self.legalizations.clear();
        self.claim();
        self.store.renew();
        self.reopen_all();
        #[cfg(feature = "allocator")]
        self.spawn(crate::allocator::give_back);
    }

    /// Leaves the document alone that most likely takes the memory: the one whose work has lasted longest, else the largest.
    fn close_worst(&mut self) {
        let open = self.documents.iter().filter(|d| d.quarantine.is_none());
        let largest = open.max_by_key(|d| d.positions.rope.len_bytes()).map(|d| d.uri.clone());
        if let Some(uri) = self.runs.oldest(LOOK_AT_WORK).or(largest) {
            self.leave_alone(&uri, Quarantine::Memory);
        }
    }
}
