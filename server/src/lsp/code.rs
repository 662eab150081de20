//! Questions about compiled code that are asked once: a comparison of processors, what passes changed.

use lsp_types::Uri;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_codegen::Cancel;

use super::commands::{Answer, refuse};
use super::event::{CodeQuestion, Event};
use super::isa;
use super::outbox::Outbox;
use super::state::State;
use crate::compile::{comparison, pass_changes, run_to};

/// Starts what a question needs. A question about the document that comes before the answer, and an edit, end it.
pub(super) fn asked(state: &mut State, uri: &Uri, question: CodeQuestion, answer: Answer) {
    if let CodeQuestion::Isa { function } = &question {
        state.shows_code = true;
        let (mailbox, of) = (state.mailbox.clone(), uri.clone());
        let answer = passed_on(&state.outbox, answer, move || drop(mailbox.send(Event::CodeTakenBack(of))));
        isa::ask(state, uri, function.as_deref(), answer);
        return;
    }
    let Some(job) = isa::job(state, uri) else {
        refuse(answer, "the document is not open");
        return;
    };
    let compiler = state.compilers.compiler.clone();
    let cancel = Cancel::default();
    state.compilers.asked(uri, cancel.clone());
    let progress = state.progress_after_a_while("Compiling", uri);
    let cancelled = cancel.clone();
    let answer = passed_on(&state.outbox, answer, move || cancelled.cancel());
    state.compilers.spawn(move || {
        let _progress = progress;
        if cancel.is_cancelled() {
            refuse(answer, "the document was changed");
            return;
        }
        let found = match &question {
            CodeQuestion::Isa { .. } => Ok(Value::Null),
            CodeQuestion::Compare { targets } => {
                serde_json::to_value(comparison(&compiler, &job(), targets, &[], &cancel))
            }
            CodeQuestion::RunTo { pass } => serde_json::to_value(run_to(&compiler, &job(), pass, &cancel)),
            CodeQuestion::Passes(filter) => {
                serde_json::to_value(pass_changes(&compiler, &job(), filter, &cancel))
            }
        };
        let found: Result<Option<Value>> = match found {
            _ if cancel.is_cancelled() => Err(Error::request_cancelled()),
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(Error::invalid_params(error.to_string())),
        };
        let _ = answer.send(found);
    });
}

/// Passes an answer on, unless the client takes its question back.
fn passed_on(outbox: &Outbox, mut answer: Answer, taken_back: impl FnOnce() + Send + 'static) -> Answer {
    let (found, wait) = oneshot::channel();
    outbox.spawn(move |_| async move {
        let found = tokio::select! {
            found = wait => Some(found.unwrap_or_else(|_| Err(Error::internal_error()))),
            () = answer.closed() => None,
        };
        // By now nobody waits for what is found.
        match found {
            Some(found) => drop(answer.send(found)),
            None => taken_back(),
        }
    });
    found
}
