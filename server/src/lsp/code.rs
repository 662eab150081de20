//! Questions about compiled code that are asked once: a comparison of processors, what passes changed.

use std::path::Path;

use lsp_types::{Position, Uri};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_codegen::Cancel;
use wavelens_codegen::trace::History;
use wavelens_ide::codegen::attribute_edits;
use wavelens_ide::trace::TraceQuery;

use super::commands::{Answer, refuse};
use super::event::{CodeQuestion, Event};
use super::isa;
use super::outbox::Outbox;
use super::position::Positions;
use super::state::State;
use super::uri;
use crate::advise::{Advice, Effect, Trial, advise, is_limited};
use crate::compile::{Job, comparison, pass_changes, remarks, run_to, trace};
use crate::written_code::WrittenCode;
use crate::{shown, tables};

/// Starts what a question needs. A question about the document that comes before the answer, and an edit, end it.
pub(super) fn asked(state: &mut State, uri: &Uri, question: CodeQuestion, answer: Answer) {
    if let CodeQuestion::Isa { function } = &question {
        state.shows_code = true;
        let (mailbox, of) = (state.mailbox.clone(), uri.clone());
        let answer = passed_on(&state.outbox, answer, move || drop(mailbox.send(Event::CodeTakenBack(of))));
        isa::ask(state, uri, function.as_deref(), answer);
        return;
    }
    let positions = state.document(uri).map(|document| document.positions.clone());
    let Some((job, positions)) = isa::job(state, uri).zip(positions) else {
        refuse(answer, "the document is not open");
        return;
    };
    let compiler = state.compilers.compiler.clone();
    let cancel = Cancel::default();
    state.compilers.asked(uri, cancel.clone());
    let progress = state.progress_after_a_while("Compiling", uri);
    let (cancelled, of) = (cancel.clone(), uri.clone());
    let answer = passed_on(&state.outbox, answer, move || cancelled.cancel());
    state.compilers.spawn(move || {
        let _progress = progress;
        if cancel.is_cancelled() {
            refuse(answer, "the document was changed");
            return;
        }
        let job = job();
        let found = match &question {
            CodeQuestion::Isa { .. } => Ok(Value::Null),
            CodeQuestion::Compare { targets, levels } => {
                serde_json::to_value(comparison(&compiler, &job, targets, levels, &cancel))
            }
            CodeQuestion::Remarks => match remarks(&compiler, &job, &cancel) {
                Ok(found) => {
                    let text = tables::remarks(&found, &uri::file_name(&of));
                    serde_json::to_value(found).map(|found| with_text(found, text))
                }
                Err(problem) => Ok(json!({ "remarks": [], "commands": [], "problem": problem })),
            },
            CodeQuestion::Advise => {
                let file = uri::path(of.as_str());
                match advise(&compiler, &job, &cancel) {
                    Ok(advice) => Ok(advised(&advice, &job, file.as_deref(), &positions)),
                    Err(problem) => Ok(json!({ "kernels": [], "problem": problem })),
                }
            }
            CodeQuestion::Trace { position } => {
                match trace(&compiler, &job, &query_at(&positions, *position), &cancel) {
                    Ok(history) => {
                        serde_json::to_value(TraceAnswer { text: tables::history(&history), history })
                    }
                    Err(problem) => {
                        serde_json::to_value(History { problem: Some(problem), ..History::default() })
                    }
                }
            }
            CodeQuestion::RunTo { pass } => serde_json::to_value(run_to(&compiler, &job, pass, &cancel)),
            CodeQuestion::Passes(filter) => {
                serde_json::to_value(pass_changes(&compiler, &job, filter, &cancel))
            }
        };
        let found = found.map(|found| with_note(found, &job, uri::path(of.as_str()).as_deref()));
        let found: Result<Option<Value>> = match found {
            _ if cancel.is_cancelled() => Err(Error::request_cancelled()),
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(Error::invalid_params(error.to_string())),
        };
        let _ = answer.send(found);
    });
}

/// An answer that says so if views show code that another compiler wrote.
fn with_note(mut found: Value, job: &Job, file: Option<&Path>) -> Value {
    let written = file.and_then(|file| WrittenCode::of(job, file)).filter(|code| !code.is_older);
    if let (Some(code), Some(answer)) = (written, found.as_object_mut()) {
        answer.insert("note".to_owned(), code.other_compiler().into());
    }
    found
}

/// Answer to `wavelens/advise`: for each kernel what it takes, and what the changes give, with commands that repeat them, and edits of
/// the document where attributes make them.
fn advised(advice: &[Advice], job: &Job, file: Option<&Path>, positions: &Positions) -> Value {
    let command = |trial: &Trial, kernel: &str| {
        file.map(|file| isa_command(job, file, kernel, &trial.options)).unwrap_or_default()
    };
    let kernel = |a: &Advice| {
        let trials = a.trials.iter().filter(|t| t.effect != Effect::Failed);
        let trials = trials.map(|t| {
            let mut trial = json!(t);
            trial["command"] = json!(file.map(|_| command(t, &a.kernel)));
            if let Some(attribute) = &t.attribute {
                let edits = attribute_edits(&job.text, std::slice::from_ref(attribute));
                trial["edits"] = edits
                    .into_iter()
                    .map(|e| json!({ "range": positions.range(e.range), "newText": e.text }))
                    .collect();
            }
            trial
        });
        json!({ "kernel": a.kernel, "base": a.base, "limited": is_limited(&a.base), "trials": trials.collect::<Vec<_>>() })
    };
    let texts: Vec<String> = advice.iter().map(|a| tables::advice(a, false, command)).collect();
    let found = json!({ "kernels": advice.iter().map(kernel).collect::<Vec<_>>() });
    with_text(found, texts.join("\n"))
}

/// An answer with the same for people.
fn with_text(mut found: Value, text: String) -> Value {
    found["text"] = text.into();
    found
}

/// The command that prints the code of a kernel with some more options.
fn isa_command(job: &Job, file: &Path, kernel: &str, more: &[String]) -> String {
    let options = [
        ("--mcpu", job.options.target.clone()),
        ("--opt", job.settings.opt_level.map(|level| level.to_string())),
        ("--passes", Some(job.settings.passes.clone()).filter(|passes| !passes.is_empty())),
        ("--function", Some(kernel.to_owned())),
    ];
    shown::isa_command(&options, more, file)
}

/// Answer to `wavelens/trace`. Lines count from 0.
#[derive(Serialize)]
struct TraceAnswer {
    #[serde(flatten)]
    history: History,
    /// The same for people.
    text: String,
}

/// The value whose name is at a position, else the line.
fn query_at(positions: &Positions, position: Position) -> TraceQuery {
    let (rope, number) = (&positions.rope, position.line as usize);
    let Some(line) = rope.get_line(number).map(|line| line.to_string()) else {
        return TraceQuery::Line(position.line);
    };
    let at = usize::from(positions.offset(position)) - rope.line_to_byte(number);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "%$._-".contains(c);
    let start = line[..at].rfind(|c| !is_name(c)).map_or(0, |before| before + 1);
    let end = line[at..].find(|c| !is_name(c)).map_or(line.len(), |after| at + after);
    match line.get(start..end) {
        // A block, a subregister of a value, or a value.
        Some(word) if word.starts_with('%') && !word.starts_with("%bb.") && word.len() > 1 => {
            let is_register = word[1..].starts_with(|c: char| c.is_ascii_digit());
            TraceQuery::Value(
                if is_register { word.split('.').next().unwrap_or(word) } else { word }.to_owned(),
            )
        }
        _ => TraceQuery::Line(position.line),
    }
}

/// Passes an answer on, unless the client takes its question back.
pub(super) fn passed_on(
    outbox: &Outbox,
    mut answer: Answer,
    taken_back: impl FnOnce() + Send + 'static,
) -> Answer {
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

#[cfg(test)]
mod tests {
    use ropey::Rope;

    use super::*;
    use crate::lsp::position::Encoding;

    #[test]
    fn a_name_or_its_line_is_traced() {
        let text =
            "define void @f() {\n  %a.b = add i32 %x, 1\n  %4:vgpr_32 = COPY %3.sub0\n  br label %bb.1\n";
        let positions = Positions { rope: Rope::from_str(text), encoding: Encoding::Utf16 };
        let at = |line, character| query_at(&positions, Position { line, character });
        let value = |name: &str| TraceQuery::Value(name.to_owned());
        assert_eq!(at(1, 3), value("%a.b"));
        assert_eq!(at(1, 2), value("%a.b"));
        assert_eq!(at(1, 17), value("%x"));
        assert_eq!(at(1, 10), TraceQuery::Line(1));
        assert_eq!(at(2, 3), value("%4"));
        assert_eq!(at(2, 22), value("%3"));
        assert_eq!(at(3, 13), TraceQuery::Line(3));
        assert_eq!(at(9, 4), TraceQuery::Line(9));
    }

    #[test]
    fn columns_count_in_the_units_of_the_client() {
        let text = "  call void @\"ää𝄞\"(i32 %x, i32 %y)\n";
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let at = |name| {
                let before = text.split(name).next().unwrap_or("");
                let positions = Positions { rope: Rope::from_str(text), encoding };
                query_at(&positions, Position { line: 0, character: encoding.len(before) })
            };
            for name in ["%x", "%y"] {
                assert_eq!(at(name), TraceQuery::Value(name.to_owned()), "{encoding:?}");
            }
        }
    }
}
