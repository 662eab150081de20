//! The language server.
//!
//! [`process`] serves a client on standard input and output, [`session`] one in a browser. The transport reads messages and calls [`backend`], which puts each as an [`event::Event`] into a mailbox before it awaits anything. The thread
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
mod compilers;
mod config;
mod configuration;
mod convert;
mod costs;
mod counterpart;
mod diagnostics;
mod disassembly;
mod document;
mod documents;
mod ending;
mod event;
#[cfg(not(target_family = "wasm"))]
mod frames;
mod hints;
mod included;
mod index;
mod interface;
mod isa;
mod job;
mod left_alone;
mod legalization;
mod lit;
mod memory;
mod message;
mod modules;
mod outbox;
#[cfg(not(target_family = "wasm"))]
mod output;
mod params;
mod permission;
mod plain;
mod position;
#[cfg(not(target_family = "wasm"))]
mod process;
mod progress;
mod projects;
mod questions;
mod recovery;
mod reduce;
mod requests;
mod resolve;
mod runs;
mod runtime;
mod scratch;
#[cfg(target_family = "wasm")]
mod session;
mod snapshot;
mod source_lines;
mod sources;
mod state;
mod store;
mod tables;
#[doc(hidden)]
pub mod testing;
mod tokens;
#[cfg(not(target_family = "wasm"))]
mod transport;
mod uri;
mod views;
mod watch;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use lsp_types::PublishDiagnosticsParams;
use tower_lsp::{ClientSocket, LspService};

pub use config::{Config, SETTINGS};
#[cfg(not(target_family = "wasm"))]
pub use process::{run, serve};
#[cfg(target_family = "wasm")]
pub use session::Session;

/// The handlers. `publish` sends findings, `start` starts the owner of the database.
fn service(
    mailbox: Sender<event::Event>,
    shut_down: Arc<AtomicBool>,
    ending: ending::Ending,
    publish: impl Fn(PublishDiagnosticsParams) + Send + 'static,
    start: impl FnOnce(state::State),
) -> (LspService<backend::Backend>, ClientSocket) {
    LspService::build(move |client| {
        let outbox = outbox::Outbox::new(client, publish);
        let index = Arc::<index::Index>::default();
        start(state::State::new(outbox.clone(), mailbox.clone(), index.clone()));
        backend::Backend::new(mailbox, outbox, shut_down, ending, index)
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
}
