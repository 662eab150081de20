//! Notes on hovers that a compiler has to be asked for: how generic instructions are legalized.
//!
//! A hover waits for its note a moment at most, and not at all while compilers run; what comes later is there for the next one.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::oneshot;
use wavelens_codegen::{Cancel, Limits, Request};
use wavelens_ide::codegen::legalization_note;

use super::event::Event;
use super::state::State;

/// How long a hover waits.
pub(super) const PATIENCE: Duration = Duration::from_millis(150);
/// The legalizer comes to no end on some types. A loaded machine needs seconds for others.
const LIMITS: Limits = Limits { time: Duration::from_secs(10), memory: 2 << 30, output: 1 << 20 };
/// Notes that are kept; one is a few hundred bytes.
const KEPT: usize = 4096;

/// Where a note goes; `None` where there is nothing to say.
pub(super) type Answer = oneshot::Sender<Option<String>>;

/// What is known of each question.
#[derive(Default)]
pub(super) struct Legalizations(HashMap<Request, Known>);

enum Known {
    /// With those who wait.
    Pending(Vec<Answer>),
    Answered(Option<String>),
}

impl Legalizations {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Answers with what is known, or asks the compiler.
pub(super) fn asked(state: &mut State, request: Request, answer: Answer) {
    if !state.config.background {
        return;
    }
    let waits = !state.compilers.is_busy();
    let known = &mut state.legalizations.0;
    match known.get_mut(&request) {
        Some(Known::Answered(note)) => drop(answer.send(note.clone())),
        Some(Known::Pending(waiting)) => waiting.extend(waits.then_some(answer)),
        None => {
            if known.len() >= KEPT {
                known.clear();
            }
            known.insert(request.clone(), Known::Pending(waits.then_some(answer).into_iter().collect()));
            let (compiler, mailbox) = (state.compilers.compiler.clone(), state.mailbox.clone());
            state.compilers.spawn(move || {
                let result = compiler.run_pass(&request, &LIMITS, &Cancel::default());
                let note = legalization_note(&request, &result);
                let _ = mailbox.send(Event::Legalized { request, note });
            });
        }
    }
}

/// Takes an answer over and tells whoever waits.
pub(super) fn answered(state: &mut State, request: Request, note: Option<String>) {
    let known = state.legalizations.0.insert(request, Known::Answered(note.clone()));
    if let Some(Known::Pending(waiting)) = known {
        for answer in waiting {
            let _ = answer.send(note.clone());
        }
    }
}
