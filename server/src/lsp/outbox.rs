//! What goes to the client without being asked for, in order, never awaited by who sends it.

use std::future::Future;

use lsp_types::{MessageType, PublishDiagnosticsParams};
use tokio::sync::mpsc;
use tower_lsp::Client;
use wavelens_syntax::visible;

use super::runtime::Tasks;

enum Message {
    Publish(PublishDiagnosticsParams),
    Log(MessageType, String),
    Show(MessageType, String),
}

/// A message as text that an editor shows. VS Code makes links of what looks like one in Markdown, and runs the command that it names.
pub(super) fn plain_text(text: &str) -> String {
    visible::text(text).replace("](", "] (")
}

/// The way to the client.
#[derive(Clone)]
pub(super) struct Outbox {
    client: Client,
    tasks: Tasks,
    messages: mpsc::UnboundedSender<Message>,
}

impl Outbox {
    /// `publish` sends findings: through the client they would become a tree of values first. Outside of a browser this must be
    /// called within a tokio runtime.
    pub(super) fn new(client: Client, publish: impl Fn(PublishDiagnosticsParams) + Send + 'static) -> Self {
        let (messages, mut receiver) = mpsc::unbounded_channel();
        let sender = client.clone();
        let tasks = Tasks::current();
        tasks.spawn(async move {
            while let Some(message) = receiver.recv().await {
                match message {
                    Message::Publish(params) => publish(params),
                    Message::Log(kind, text) => sender.log_message(kind, text).await,
                    Message::Show(kind, text) => sender.show_message(kind, plain_text(&text)).await,
                }
            }
        });
        Outbox { client, tasks, messages }
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
        self.tasks.spawn_blocking(work);
    }

    /// Runs something that talks with the client, such as a request to it, concurrently with everything else.
    pub(super) fn spawn<F: Future<Output = ()> + Send + 'static>(&self, talk: impl FnOnce(Client) -> F) {
        self.tasks.spawn(talk(self.client.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hold_no_links() {
        assert_eq!(plain_text("`[a](command:b)`\n\u{202e}"), "`[a] (command:b)`\n\\u{202e}");
    }
}
