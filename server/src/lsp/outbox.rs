//! What goes to the client without being asked for, in order, never awaited by who sends it.

use std::future::Future;

use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{MessageType, PublishDiagnosticsParams};
use serde::Serialize;
use tokio::sync::mpsc;
use tower_lsp::Client;

use super::output::WeakOutput;

enum Message {
    Publish(PublishDiagnosticsParams),
    Log(MessageType, String),
    Show(MessageType, String),
}

/// A message without an answer.
#[derive(Serialize)]
struct Notification<P> {
    jsonrpc: &'static str,
    method: &'static str,
    params: P,
}

/// The way to the client.
#[derive(Clone)]
pub(super) struct Outbox {
    client: Client,
    runtime: tokio::runtime::Handle,
    messages: mpsc::UnboundedSender<Message>,
}

impl Outbox {
    /// Must be called within a tokio runtime.
    pub(super) fn new(client: Client, output: WeakOutput) -> Self {
        let (messages, mut receiver) = mpsc::unbounded_channel();
        let sender = client.clone();
        let runtime = tokio::runtime::Handle::current();
        runtime.spawn(async move {
            while let Some(message) = receiver.recv().await {
                match message {
                    // Findings are written as they are: through the client they would become a tree of values first.
                    Message::Publish(params) => {
                        let method = PublishDiagnostics::METHOD;
                        output.send(&Notification { jsonrpc: "2.0", method, params });
                    }
                    Message::Log(kind, text) => sender.log_message(kind, text).await,
                    Message::Show(kind, text) => sender.show_message(kind, text).await,
                }
            }
        });
        Outbox { client, runtime, messages }
    }

    pub(super) fn publish(&self, params: PublishDiagnosticsParams) {
        let _ = self.messages.send(Message::Publish(params));
    }

    pub(super) fn log(&self, kind: MessageType, text: impl Into<String>) {
        let _ = self.messages.send(Message::Log(kind, text.into()));
    }

    pub(super) fn show(&self, kind: MessageType, text: impl Into<String>) {
        let _ = self.messages.send(Message::Show(kind, text.into()));
    }

    /// Runs work that takes a moment.
    pub(super) fn spawn_blocking(&self, work: impl FnOnce() + Send + 'static) {
        self.runtime.spawn_blocking(work);
    }

    /// Runs something that talks with the client, such as a request to it, concurrently with everything else.
    pub(super) fn spawn<F: Future<Output = ()> + Send + 'static>(&self, talk: impl FnOnce(Client) -> F) {
        self.runtime.spawn(talk(self.client.clone()));
    }
}
