//! A session in a browser: messages in, messages out, on one thread. Between two messages nothing runs.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::task::{Context, Waker};
use std::time::Duration;

use futures::channel::mpsc::{UnboundedSender, unbounded};
use futures::executor::LocalPool;
use futures::{Future, SinkExt, StreamExt};
use tower_lsp::LspService;
use tower_lsp::jsonrpc::Response;
use tower_service::Service;

use super::backend::Backend;
use super::event::Event;
use super::message::{self, Message, published};
use super::runtime::{Tasks, run_tasks, wake};
use super::state::State;
use crate::clock::Instant;

/// One client.
pub struct Session {
    service: LspService<Backend>,
    state: Option<State>,
    events: Receiver<Event>,
    /// The first of them, if it was looked for.
    next: Option<Event>,
    tasks: LocalPool,
    /// Answers of the client to the server.
    answers: UnboundedSender<Response>,
    outgoing: std::sync::mpsc::Sender<String>,
    sent: Receiver<String>,
}

impl Default for Session {
    fn default() -> Session {
        let (mailbox, events) = channel();
        let (outgoing, sent) = channel();
        let mut state = None;
        let findings = outgoing.clone();
        let (service, socket) = super::service(
            mailbox,
            Arc::new(AtomicBool::new(false)),
            Default::default(),
            move |params| send(&findings, &published(params)),
            |owner| state = Some(owner),
        );
        let (mut requests, mut responses) = socket.split();
        let asked = outgoing.clone();
        Tasks::current().spawn(async move {
            while let Some(request) = requests.next().await {
                send(&asked, &request);
            }
        });
        let (answers, mut given) = unbounded();
        Tasks::current().spawn(async move {
            while let Some(answer) = given.next().await {
                // One that nobody waits for is dropped.
                let _ = responses.send(answer).await;
            }
        });
        Session { service, state, events, next: None, tasks: LocalPool::new(), answers, outgoing, sent }
    }
}

fn send(outgoing: &std::sync::mpsc::Sender<String>, message: &impl serde::Serialize) {
    // What the server writes can be written as JSON.
    if let Ok(text) = serde_json::to_string(message) {
        let _ = outgoing.send(text);
    }
}

impl Session {
    /// Takes a message of the client. Nothing is answered before the next turn, so that a burst of edits is checked once.
    pub fn receive(&mut self, message: Vec<u8>) {
        let outgoing = self.outgoing.clone();
        match message::read(message) {
            Message::Request(request) => {
                let call = self.service.call(request);
                let mut answer = Box::pin(async move {
                    if let Ok(Some(response)) = call.await {
                        send(&outgoing, &response);
                    }
                });
                // Handlers put their event into the mailbox before they first wait: polled here, they do so in the order of arrival.
                if Pin::new(&mut answer).poll(&mut Context::from_waker(Waker::noop())).is_pending() {
                    Tasks::current().spawn(answer);
                }
            }
            Message::Response(response) => drop(self.answers.unbounded_send(response)),
            Message::Refused(answer) => send(&outgoing, &answer),
        }
    }

    /// Works on what was received and what is due. After how long there is more to do; `None`: not before the next message.
    pub fn turn(&mut self) -> Option<Duration> {
        let first = self.next.take().or_else(|| self.events.try_recv().ok());
        let state = self.state.as_mut()?;
        state.turn(first, &self.events);
        let next_task = wake();
        run_tasks(&mut self.tasks);
        // Work on a snapshot is done at once, and what came of it is an event.
        self.next = self.events.try_recv().ok();
        if self.next.is_some() {
            return Some(Duration::ZERO);
        }
        let next = [state.next_due(), next_task].into_iter().flatten().min()?;
        Some(next.saturating_duration_since(Instant::now()))
    }

    /// The next message for the client.
    pub fn next_message(&mut self) -> Option<String> {
        self.sent.try_recv().ok()
    }
}
