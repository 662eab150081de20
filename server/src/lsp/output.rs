//! An output that never makes the server wait for a slow reader, as long as not too much is unread.
//!
//! With a small one, a client that writes before it reads stops the server's answers, and with them its edits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

/// Bytes that may be unread before the server reads no more messages.
const UNREAD: usize = 256 << 20;

/// Bytes that are written at once.
const PIECE: usize = 1 << 20;

/// Takes everything at once and hands it to a task that writes it.
#[derive(Clone)]
pub(super) struct Output {
    frames: mpsc::UnboundedSender<Vec<u8>>,
    unread: Arc<Unread>,
    limit: usize,
}

/// An output for something that lives longer than the session: the session ends without waiting for it.
pub(super) struct WeakOutput {
    frames: mpsc::WeakUnboundedSender<Vec<u8>>,
    unread: Arc<Unread>,
    limit: usize,
}

impl WeakOutput {
    /// Writes a message unless the session has ended.
    pub(super) fn send(&self, message: &impl Serialize) {
        if let Some(frames) = self.frames.upgrade() {
            Output { frames, unread: self.unread.clone(), limit: self.limit }.send(message);
        }
    }
}

#[derive(Default)]
struct Unread {
    bytes: AtomicUsize,
    less: Notify,
}

impl Output {
    /// The task ends once the writer is dropped and all is written, or when the reader has gone.
    pub(super) fn new(output: impl AsyncWrite + Unpin + Send + 'static) -> (Self, JoinHandle<()>) {
        Output::within(UNREAD, output)
    }

    fn within(limit: usize, mut output: impl AsyncWrite + Unpin + Send + 'static) -> (Self, JoinHandle<()>) {
        let (frames, mut queue) = mpsc::unbounded_channel::<Vec<u8>>();
        let unread = Arc::<Unread>::default();
        let counted = unread.clone();
        let task = tokio::spawn(async move {
            while let Some(mut piece) = queue.recv().await {
                while piece.len() < PIECE
                    && let Ok(more) = queue.try_recv()
                {
                    piece.extend_from_slice(&more);
                }
                let written = output.write_all(&piece).await.is_ok() && output.flush().await.is_ok();
                counted.bytes.fetch_sub(piece.len(), Ordering::AcqRel);
                counted.less.notify_one();
                if !written {
                    break;
                }
            }
            // Nobody reads any more: nobody waits for that either.
            drop(queue);
            counted.bytes.store(0, Ordering::Release);
            counted.less.notify_one();
        });
        (Output { frames, unread, limit }, task)
    }

    pub(super) fn downgrade(&self) -> WeakOutput {
        WeakOutput { frames: self.frames.downgrade(), unread: self.unread.clone(), limit: self.limit }
    }

    /// Writes a message with its header.
    pub(super) fn send(&self, message: &impl Serialize) {
        // What the server writes can be written as JSON.
        let Ok(body) = serde_json::to_vec(message) else { return };
        let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        frame.extend_from_slice(&body);
        let size = frame.len();
        self.unread.bytes.fetch_add(size, Ordering::AcqRel);
        if self.frames.send(frame).is_err() {
            self.unread.bytes.store(0, Ordering::Release);
        }
    }

    /// Waits until the client has read enough.
    pub(super) async fn has_room(&self) {
        while self.unread.bytes.load(Ordering::Acquire) > self.limit && !self.frames.is_closed() {
            self.unread.less.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn a_reader_that_stops_stops_the_server_until_it_reads_again() {
        let (writer, mut reader) = tokio::io::duplex(64);
        let (output, written) = Output::within(1000, writer);
        output.send(&"x");
        output.has_room().await;
        let long = "x".repeat(2000);
        output.send(&long);
        assert!(tokio::time::timeout(Duration::from_millis(20), output.has_room()).await.is_err());
        let reading = tokio::spawn(async move {
            let mut read = Vec::new();
            reader.read_to_end(&mut read).await.expect("readable");
            read.len()
        });
        output.has_room().await;
        drop(output);
        written.await.expect("no panic");
        assert_eq!(reading.await.expect("no panic"), 2 * "Content-Length: 3\r\n\r\n".len() + 3 + 2005);
    }

    #[tokio::test]
    async fn nobody_waits_for_a_reader_that_is_gone() {
        let (writer, reader) = tokio::io::duplex(64);
        let (output, _) = Output::within(10, writer);
        drop(reader);
        for _ in 0..10 {
            output.send(&"x".repeat(100));
            output.has_room().await;
        }
    }
}
