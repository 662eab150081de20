//! When documents are checked, and what is done with their findings.

use std::sync::Arc;
use std::time::Duration;

use lsp_types::{MessageType, PublishDiagnosticsParams};
use wavelens_ide::db;

use super::document::Diagnosis;
use super::event::{Diagnosed, Event};
use super::job::{Outcome, guard, guard_on};
use super::recovery::checking_threads;
use super::state::State;
use super::{diagnostics, progress, runtime};
use crate::clock::Instant;

/// Quiet time before a document is looked at as a whole, where that takes longer than a keystroke.
const WHOLE_DELAY: Duration = Duration::from_millis(400);

/// How often other documents end the check of one, by edits or by work that is abandoned. Then it is checked apart from the database,
/// where they do not reach it.
const INTERRUPTIONS: u8 = 2;

impl State {
    pub(super) fn next_due(&self) -> Option<Instant> {
        let due = self.documents.iter().filter_map(|d| match d.diagnosis {
            Diagnosis::Due(at) | Diagnosis::WholeDue(at) | Diagnosis::Completing(at) => Some(at),
            Diagnosis::Running | Diagnosis::Apart | Diagnosis::Published => None,
        });
        due.chain(self.compilers.next_due()).chain(self.next_look()).min()
    }

    pub(super) fn diagnose_due(&mut self) {
        let now = Instant::now();
        for index in 0..self.documents.len() {
            let Some(document) = self.documents.get_mut(index) else { return };
            let (whole, all) = match document.diagnosis {
                Diagnosis::Due(at) if at <= now => (false, false),
                Diagnosis::WholeDue(at) if at <= now => (true, true),
                Diagnosis::Completing(at) if at <= now => (false, true),
                _ => continue,
            };
            if !self.push {
                document.diagnosis = Diagnosis::Published;
                continue;
            }
            if document.quarantine.is_some() {
                document.diagnosis = Diagnosis::Published;
                let (diagnostics, version) = (document.diagnostics(), Some(document.version));
                self.outbox.publish(PublishDiagnosticsParams::new(
                    document.uri.clone(),
                    diagnostics,
                    version,
                ));
                continue;
            }
            if whole || document.interruptions >= INTERRUPTIONS {
                self.check_whole(index);
            } else {
                self.check(index, all);
            }
        }
    }

    /// Computes the findings of a document: all of them, or those around its last edit.
    fn check(&mut self, index: usize, all: bool) {
        let Some(document) = self.documents.get_mut(index) else { return };
        document.diagnosis = Diagnosis::Running;
        let (uri, generation) = (document.uri.clone(), document.generation);
        let large = document.positions.rope.len_bytes() > progress::LARGE;
        let progress = (self.progress && large && document.is_new)
            .then(|| progress::begin(&self.outbox, "Checking", uri.as_str(), Duration::ZERO));
        // A document that did not come to an end before is alone: its work is not taken up by the threads of others.
        let threads = if document.strikes == 0 { self.checking.clone() } else { checking_threads() };
        let ticket = self.runs.register(Some(&uri), None, None);
        let snapshot = self.snapshot(Some(&uri), false, ticket);
        let mailbox = self.mailbox.clone();
        let work = move || {
            snapshot.start();
            let (mut checks_whole_later, mut is_all) = (false, true);
            let outcome = guard_on(&snapshot.db, || match snapshot.document() {
                Some(document) if all => diagnostics::compute(&snapshot, document),
                Some(document) => {
                    checks_whole_later = db::checks_whole_later(&snapshot.db, document.file);
                    let first = diagnostics::compute_first(&snapshot, document);
                    is_all = first.1;
                    first.0
                }
                None => Vec::new(),
            });
            let outcome = outcome.map(|found| (found, None));
            drop(snapshot);
            drop(progress);
            let diagnosed = Diagnosed { uri, generation, checks_whole_later, is_all, outcome };
            let _ = mailbox.send(Event::Diagnosed(diagnosed));
        };
        match threads {
            Some(threads) => threads.spawn(work),
            None => work(),
        }
    }

    /// Looks at a document as a whole. No edit can end that, so it has a thread of its own, and each document at most one.
    fn check_whole(&mut self, index: usize) {
        let Some(document) = self.documents.get_mut(index) else { return };
        if Arc::strong_count(&document.whole_check) > 1 {
            document.diagnosis = Diagnosis::WholeDue(Instant::now() + WHOLE_DELAY);
            return;
        }
        document.diagnosis = Diagnosis::Apart;
        let (uri, generation) = (document.uri.clone(), document.generation);
        let whole_check = document.whole_check.clone();
        let ticket = self.runs.register(Some(&uri), None, None);
        let snapshot = self.snapshot(Some(&uri), false, ticket);
        let mailbox = self.mailbox.clone();
        let work = move || {
            snapshot.start();
            let outcome = guard(|| diagnostics::check_whole(snapshot));
            drop(whole_check);
            let diagnosed = Diagnosed { uri, generation, checks_whole_later: false, is_all: true, outcome };
            let _ = mailbox.send(Event::Diagnosed(diagnosed));
        };
        // Without a thread the findings are those that there are.
        if !runtime::thread("whole-check", work)
            && let Some(document) = self.documents.get_mut(index)
        {
            document.diagnosis = Diagnosis::Published;
        }
    }

    pub(super) fn diagnosed(&mut self, diagnosed: Diagnosed) {
        let Some(index) = self.position_of(&diagnosed.uri) else { return };
        let Some(document) = self.documents.get_mut(index) else { return };
        if document.generation != diagnosed.generation {
            // Stale: the edit that made it so has set a new time.
            return;
        }
        let (diagnostics, assembled) = match diagnosed.outcome {
            Outcome::Done(done) => done,
            Outcome::Cancelled => {
                // An edit of another document.
                document.interruptions = document.interruptions.saturating_add(1);
                document.diagnosis = Diagnosis::Due(Instant::now());
                return;
            }
            Outcome::Panicked(message) => {
                self.outbox.log(MessageType::ERROR, format!("wavelens hit a bug: {message}"));
                (Vec::new(), None)
            }
        };
        let later = Instant::now() + WHOLE_DELAY;
        document.diagnosis = match diagnosed {
            Diagnosed { checks_whole_later: true, .. } => Diagnosis::WholeDue(later),
            Diagnosed { is_all: false, .. } => Diagnosis::Completing(later),
            _ => Diagnosis::Published,
        };
        document.is_new = false;
        document.findings = diagnostics;
        (document.strikes, document.interruptions) = (0, 0);
        let is_assembled = assembled.is_some();
        if is_assembled {
            self.claim();
        }
        let Some(document) = self.documents.get_mut(index) else { return };
        let is_current = document.generation == diagnosed.generation;
        if is_assembled && is_current {
            document.document.set_assembled(self.store.db_mut(), assembled);
        }
        let (diagnostics, version) = (document.diagnostics(), Some(document.version));
        self.outbox.publish(PublishDiagnosticsParams::new(diagnosed.uri, diagnostics, version));
        if is_assembled {
            self.refresh();
        }
    }
}
