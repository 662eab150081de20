//! Requests on their way to a thread.
//!
//! Work that does not end takes no thread from other documents: each document may use all threads of the pool but one, and a pool whose
//! threads have all been busy for a while is replaced by another.

use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tower_lsp::jsonrpc::{Error, ErrorCode};

use super::event::{Event, Question};
use super::job::content_modified;
use super::state::State;

/// How long all threads may be busy before there are others.
const BUSY: Duration = Duration::from_millis(100);
/// Requests for one document that run at once, in whatever pool.
const PER_DOCUMENT: usize = 8;
/// Requests that wait; the oldest are refused. More than a client that scrolls and types sends in the time of a slow answer.
const WAITING: usize = 1024;

pub(super) struct Pool {
    threads: Option<ThreadPool>,
    number: u64,
    size: usize,
}

impl Pool {
    pub(super) fn new(number: u64) -> Pool {
        let size = std::thread::available_parallelism().map_or(2, |n| n.get()).clamp(3, 8);
        let threads =
            ThreadPoolBuilder::new().num_threads(size).thread_name(|i| format!("request {i}")).build();
        Pool { threads: threads.ok(), number, size }
    }

    /// Another one; nothing waits for what runs in this one.
    pub(super) fn next(&self) -> Pool {
        Pool::new(self.number + 1)
    }

    fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        match &self.threads {
            Some(threads) => threads.spawn(work),
            None => work(),
        }
    }
}

impl State {
    pub(super) fn asked(&mut self, mut question: Question) {
        if question.version.is_none() {
            question.version = question.uri.as_ref().and_then(|uri| self.document(uri)).map(|d| d.version);
        }
        self.questions.push_back(question);
        if self.questions.len() > WAITING
            && let Some(oldest) = self.questions.pop_front()
        {
            oldest.job.refuse(Error {
                code: ErrorCode::ServerError(-32802),
                message: "too many requests wait".into(),
                data: None,
            });
        }
        self.dispatch();
    }

    /// Gives threads to the questions that may have one.
    pub(super) fn dispatch(&mut self) {
        // Before the look at what runs: what ends from here on is an event.
        self.runs.set_waiting(true);
        let mut index = 0;
        while let Some(question) = self.questions.get(index) {
            let uri = question.uri.as_ref();
            let (all, own, old) = self.runs.requests(self.pool.number, uri, BUSY);
            if all >= self.pool.size {
                if old < all {
                    break;
                }
                self.pool = self.pool.next();
                continue;
            }
            let is_ready = uri.is_none_or(|uri| !self.awaits_files(uri));
            let may_run = is_ready && own + 1 < self.pool.size && self.runs.requests_for(uri) < PER_DOCUMENT;
            if !may_run {
                index += 1;
            } else if let Some(question) = self.questions.remove(index) {
                self.answer(question);
            }
        }
        self.runs.set_waiting(!self.questions.is_empty());
    }

    fn answer(&mut self, question: Question) {
        if question.job.is_abandoned() {
            return;
        }
        let now = question.uri.as_ref().and_then(|uri| self.document(uri)).map(|d| d.version);
        if question.version.is_some() && question.version != now {
            question.job.refuse(content_modified());
            return;
        }
        let ticket =
            self.runs.register(question.uri.as_ref(), Some(self.pool.number), Some(question.job.refusal()));
        let snapshot = self.snapshot(question.uri.as_ref(), question.reads_all, ticket);
        let mailbox = self.mailbox.clone();
        self.pool.spawn(move || {
            snapshot.start();
            let Question { uri, reads_all, version, job } = question;
            if job.is_abandoned() {
                return;
            }
            if let Some(job) = job.run(snapshot) {
                let _ = mailbox.send(Event::Requested(Question { uri, reads_all, version, job }));
            }
        });
    }
}
