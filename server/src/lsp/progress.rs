//! Progress of work that takes long enough to be noticed.

use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::{NumberOrString, WorkDoneProgressCreateParams};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::outbox::Outbox;

/// Bytes from which a first check shows progress.
pub(super) const LARGE: usize = 4 << 20;

/// Ends the progress when dropped.
pub(super) struct Progress {
    _end: oneshot::Sender<()>,
}

/// Shows progress at the client until the result is dropped, unless that is before a pause is over.
pub(super) fn begin(outbox: &Outbox, title: &'static str, uri: &str, pause: Duration) -> Progress {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let token = NumberOrString::String(format!("wavelens/{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let name = uri.rsplit('/').next().unwrap_or(uri).to_owned();
    let (end, mut ended) = oneshot::channel::<()>();
    outbox.spawn(move |client| async move {
        if timeout(pause, &mut ended).await.is_ok() {
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
