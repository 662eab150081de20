//! An output that never makes the server wait for a slow reader.
//!
//! With a bounded one, a client that writes before it reads stops the server's answers, and with them its edits.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Takes everything at once and hands it to a task that writes it.
pub(super) struct Unbounded {
    bytes: mpsc::UnboundedSender<Vec<u8>>,
}

impl Unbounded {
    /// The task ends once the writer is dropped and all is written, or when the reader has gone.
    pub(super) fn new(mut output: impl AsyncWrite + Unpin + Send + 'static) -> (Self, JoinHandle<()>) {
        let (bytes, mut queue) = mpsc::unbounded_channel::<Vec<u8>>();
        let task = tokio::spawn(async move {
            while let Some(mut piece) = queue.recv().await {
                while let Ok(more) = queue.try_recv() {
                    piece.extend_from_slice(&more);
                }
                if output.write_all(&piece).await.is_err() || output.flush().await.is_err() {
                    return;
                }
            }
        });
        (Unbounded { bytes }, task)
    }
}

impl AsyncWrite for Unbounded {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, piece: &[u8]) -> Poll<io::Result<usize>> {
        let sent = self.bytes.send(piece.to_vec());
        Poll::Ready(sent.map(|()| piece.len()).map_err(|_| io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
