//! Progress of work that takes long enough to be noticed.

use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::{NumberOrString, WorkDoneProgressCreateParams};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

use super::outbox::Outbox;
use super::runtime::{sleep, timeout};

/// Bytes from which a first check shows progress.
pub(super) const LARGE: usize = 4 << 20;

/// Time between two messages about how far work is.
const STEP: Duration = Duration::from_millis(200);

/// Ends the progress when dropped.
pub(super) struct Progress {
    _end: oneshot::Sender<()>,
}

/// Progress that says how far the work is, and that the user can cancel. Ends when dropped.
pub(super) struct Steps {
    token: NumberOrString,
    messages: watch::Sender<String>,
}

impl Steps {
    /// What a cancellation names.
    pub(super) fn token(&self) -> NumberOrString {
        self.token.clone()
    }

    /// Shows a message; those that come too quickly are left out.
    pub(super) fn report(&self, message: String) {
        self.messages.send_replace(message);
    }
}

fn next_token() -> NumberOrString {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NumberOrString::String(format!("wavelens/{}", NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// Shows progress with a button that cancels it.
pub(super) fn begin_steps(outbox: &Outbox, title: String, message: String) -> Steps {
    let token = next_token();
    let (messages, mut shown) = watch::channel(message.clone());
    let own = token.clone();
    outbox.spawn(move |client| async move {
        let params = WorkDoneProgressCreateParams { token: own.clone() };
        if client.send_request::<WorkDoneProgressCreate>(params).await.is_err() {
            return;
        }
        let progress = client.progress(own, title).with_message(message).with_cancel_button().begin().await;
        // Ends when the other half is dropped.
        while shown.changed().await.is_ok() {
            let message = shown.borrow_and_update().clone();
            progress.report_with_message(message, None).await;
            sleep(STEP).await;
        }
        progress.finish().await;
    });
    Steps { token, messages }
}

/// Shows progress at the client until the result is dropped, unless that is before a pause is over.
pub(super) fn begin(outbox: &Outbox, title: &'static str, uri: &str, pause: Duration) -> Progress {
    let token = next_token();
    let name = uri.rsplit('/').next().unwrap_or(uri).to_owned();
    let (end, mut ended) = oneshot::channel::<()>();
    outbox.spawn(move |client| async move {
        if timeout(pause, &mut ended).await.is_some() {
            return;
        }
        let params = WorkDoneProgressCreateParams { token: token.clone() };
        if client.send_request::<WorkDoneProgressCreate>(params).await.is_err() {
            return;
        }
        let progress = client.progress(token, title).with_message(name).begin().await;
        // Ends when the other half is dropped.
        let _ = ended.await;
        progress.finish().await;
    });
    Progress { _end: end }
}
