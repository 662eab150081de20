//! The language server.
//!
//! [`transport`] reads messages and calls [`backend`], which puts each as an [`event::Event`] into a mailbox before it awaits anything. The thread
//! in [`state`] owns the database and the texts and takes the events in order. Requests ([`requests`]) and findings
//! ([`diagnostics`]) run on snapshots in thread pools; [`job`] catches cancellation and panics. What the client did not ask for goes
//! through [`outbox`].
//!
//! The files around [`state`] import each other in circles: [`state`] dispatches each event to the file that handles it, and that file
//! changes the state.

mod backend;
mod capabilities;
mod checking;
mod code;
mod commands;
mod config;
mod configuration;
mod convert;
mod costs;
mod diagnostics;
mod disassembly;
mod document;
mod documents;
mod ending;
mod event;
mod frames;
mod hints;
mod included;
mod index;
mod interface;
mod isa;
mod job;
mod legalization;
mod lit;
mod memory;
mod message;
mod modules;
mod outbox;
mod output;
mod plain;
mod position;
mod progress;
mod projects;
mod questions;
mod recovery;
mod reduce;
mod requests;
mod runs;
mod scratch;
mod snapshot;
mod source_lines;
mod sources;
mod state;
mod store;
mod tables;
#[doc(hidden)]
pub mod testing;
mod tokens;
mod transport;
mod uri;
mod views;
mod watch;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::LspService;

pub use config::{Config, SETTINGS};

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
    let ending = ending::Ending::default();
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
    serve_until(input, output, ending::Ending::default()).await
}

async fn serve_until(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
    own_ending: ending::Ending,
) -> bool {
    let (mailbox, events) = channel();
    let shut_down = Arc::new(AtomicBool::new(false));
    let (ending, ended) = tokio::sync::oneshot::channel::<()>();
    let mut ending = Some(ending);
    let (output, written) = output::Output::new(output);
    let (service, socket) = {
        let to_client = output.downgrade();
        let (mailbox, shut_down, own_ending) = (mailbox.clone(), shut_down.clone(), own_ending.clone());
        LspService::build(move |client| {
            let outbox = outbox::Outbox::new(client, to_client);
            let index = Arc::<index::Index>::default();
            let state = state::State::new(outbox.clone(), mailbox.clone(), index.clone());
            let owner = std::thread::Builder::new().name("database".to_owned());
            // Without the thread every request is answered with an error.
            let ending = ending.take();
            let _ = owner.spawn(move || {
                state.run(&events);
                drop(ending);
            });
            backend::Backend::new(mailbox, outbox, shut_down, own_ending, index)
        })
        .custom_method("wavelens/syntaxTree", backend::Backend::syntax_tree)
        .custom_method("wavelens/configuration", backend::Backend::configuration)
        .custom_method("wavelens/setConfiguration", backend::Backend::set_configuration)
        .custom_method("wavelens/isa", backend::Backend::isa)
        .custom_method("wavelens/disassemble", backend::Backend::disassemble)
        .custom_method("wavelens/codeOfLine", backend::Backend::code_of_line)
        .custom_method("wavelens/compare", backend::Backend::compare)
        .custom_method("wavelens/passes", backend::Backend::passes)
        .custom_method("wavelens/trace", backend::Backend::trace)
        .custom_method("wavelens/remarks", backend::Backend::remarks)
        .custom_method("wavelens/advise", backend::Backend::advise)
        .custom_method("wavelens/liveRegisters", backend::Backend::live_registers)
        .custom_method("wavelens/runTo", backend::Backend::run_to)
        .custom_method("wavelens/controlFlow", backend::Backend::control_flow)
        .custom_method("window/workDoneProgress/cancel", backend::Backend::progress_cancelled)
        .finish()
    };
    let input_ended = || drop(mailbox.send(event::Event::InputEnded));
    transport::run(input, output, service, socket, &own_ending, input_ended).await;
    // The last answers still go out, unless nobody reads them.
    let _ = tokio::time::timeout(Duration::from_millis(500), written).await;
    let _ = mailbox.send(event::Event::Stop);
    // It stops compilers and takes its files away.
    let _ = tokio::time::timeout(Duration::from_millis(500), ended).await;
    shut_down.load(Ordering::Acquire)
}
