//! A session on standard input and output.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::ending::Ending;
use super::event::Event;
use super::message::published;
use super::output::Output;
use super::state::State;
use super::transport;
use crate::clock::Instant;

/// Serves one client on standard input and output. Exit status 0 after `shutdown` and `exit`; 1 when the client went away without.
pub fn run() -> ExitCode {
    wavelens_codegen::priority::take_short_turns();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("wavelens: cannot start: {error}");
            return ExitCode::from(2);
        }
    };
    let ending = Ending::default();
    let ends = ending.clone();
    // Without a handler a signal ends the program at once, and its files stay until the next session.
    let _ = ctrlc::set_handler(move || ends.end());
    let orderly = runtime.block_on(serve_until(tokio::io::stdin(), tokio::io::stdout(), ending));
    // The thread that reads standard input cannot be woken while the client keeps it open.
    runtime.shutdown_timeout(Duration::from_millis(100));
    ExitCode::from(u8::from(!orderly))
}

/// Serves one client until it exits or its input ends; whether it asked to shut down before. Must run on a tokio runtime of several
/// threads.
pub async fn serve(input: impl AsyncRead + Unpin, output: impl AsyncWrite + Unpin + Send + 'static) -> bool {
    serve_until(input, output, Ending::default()).await
}

async fn serve_until(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
    own_ending: Ending,
) -> bool {
    let (mailbox, events) = channel();
    let shut_down = Arc::new(AtomicBool::new(false));
    let (ending, ended) = tokio::sync::oneshot::channel::<()>();
    let (output, written) = Output::new(output);
    let to_client = output.downgrade();
    let (service, socket) = super::service(
        mailbox.clone(),
        shut_down.clone(),
        own_ending.clone(),
        move |params| to_client.send(&published(params)),
        |state| {
            let owner = std::thread::Builder::new().name("database".to_owned());
            // Without the thread every request is answered with an error.
            let _ = owner.spawn(move || {
                work(state, &events);
                drop(ending);
            });
        },
    );
    let input_ended = || drop(mailbox.send(Event::InputEnded));
    transport::run(input, output, service, socket, &own_ending, input_ended).await;
    // The last answers still go out, unless nobody reads them.
    let _ = tokio::time::timeout(Duration::from_millis(500), written).await;
    let _ = mailbox.send(Event::Stop);
    // It stops compilers and takes its files away.
    let _ = tokio::time::timeout(Duration::from_millis(500), ended).await;
    shut_down.load(Ordering::Acquire)
}

/// Works until told to stop.
fn work(mut state: State, events: &Receiver<Event>) {
    loop {
        let first = match state.next_due() {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => events.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        let first = match first {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if !state.turn(first, events) {
            return;
        }
    }
}
