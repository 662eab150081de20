//! Running the RUN lines of a document: lenses, commands, and the finding of a test that failed.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{CodeLens, Command, MessageType, Uri};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;
use wavelens_codegen::Cancel;
use wavelens_ide::db::View;
use wavelens_semantics::lit::directives::{Keyword, directives};

use super::commands::{Answer, refuse, shown};
use super::event::{Event, Tested};
use super::snapshot::DocumentView;
use super::state::State;
use crate::lit::{Outcome, Setup, Verdict, run, transcript};

/// Runs the test, or with `"line"` one RUN line: `{"uri": ..., "line": 2}`.
pub(super) const RUN: &str = "wavelens.lit.run";
/// Runs it and opens what the programs wrote.
pub(super) const OUTPUT: &str = "wavelens.lit.output";

/// Larger documents are dumps, not tests.
const SIZE: usize = 4 << 20;

/// Two lenses over each RUN line.
pub(super) fn lenses(view: View<'_>, document: &DocumentView) -> Vec<CodeLens> {
    if document.positions.rope.len_bytes() > SIZE {
        return Vec::new();
    }
    let text = view.whole_text();
    let runs = (1u32..).zip(directives(&text).into_iter().filter(|d| d.keyword == Keyword::Run));
    let lens = |number: u32, range, title: &str, command: &str| CodeLens {
        range,
        command: Some(Command {
            title: title.to_owned(),
            command: command.to_owned(),
            arguments: Some(vec![json!({ "uri": document.uri.as_str(), "line": number })]),
        }),
        data: None,
    };
    let of_line = |(number, run): (u32, wavelens_semantics::lit::directives::Directive)| {
        let range = document.positions.range(run.range);
        [lens(number, range, "Run", RUN), lens(number, range, "Show output", OUTPUT)]
    };
    runs.flat_map(of_line).collect()
}

/// Starts a run of the document as it is in the editor. A later question about the document, and an edit, end it.
pub(super) fn start(state: &mut State, uri: &Uri, argument: &Value, shows: bool, answer: Answer) {
    if !state.config.runs_tests {
        return refuse(
            answer,
            "RUN lines are not run: `wavelens.lit.enabled` is off, or the workspace is not trusted",
        );
    }
    let Some(document) = state.document(uri) else { return refuse(answer, "the document is not open") };
    let (generation, rope) = (document.generation, document.positions.rope.clone());
    let file = match state.scratch.file(uri, "output.txt") {
        Ok(file) => file,
        Err(problem) => return refuse(answer, &problem),
    };
    let path = super::uri::path(uri.as_str()).unwrap_or_else(|| PathBuf::from("test"));
    let line = argument.get("line").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
    let llvm = state.config.llvm.path.clone().map(|path| folder(&path));
    let (mailbox, outbox, opening) = (state.mailbox.clone(), state.outbox.clone(), state.opening);
    let cancel = Cancel::default();
    state.compilers.asked(uri, cancel.clone());
    let progress = state.progress_after_a_while("Running", uri);
    let uri = uri.clone();
    state.compilers.spawn(move || {
        let _progress = progress;
        let setup = Setup::find(llvm.as_deref());
        let outcome = run(&path, &rope.to_string(), line, &setup, &cancel);
        if cancel.is_cancelled() {
            let _ = answer.send(Err(Error::request_cancelled()));
            return;
        }
        let message = sentence(&outcome, line);
        let answered = match shows {
            true => shown(&outbox, opening, &file, &transcript(&outcome.report)),
            false => Ok(Some(json!({ "verdict": outcome.verdict(), "message": message }))),
        };
        if !shows {
            outbox.show(kind(outcome.verdict()), message);
        }
        let _ =
            mailbox.send(Event::Tested(Tested { uri, generation, findings: Arc::from(outcome.findings) }));
        let _ = answer.send(answered);
    });
}

/// The setting may name `llc` itself.
fn folder(path: &std::path::Path) -> PathBuf {
    path.parent().filter(|_| path.is_file()).unwrap_or(path).to_owned()
}

fn kind(verdict: Verdict) -> MessageType {
    match verdict {
        Verdict::Passed | Verdict::ExpectedlyFailed | Verdict::Unsupported => MessageType::INFO,
        Verdict::Failed | Verdict::UnexpectedlyPassed | Verdict::NotRun => MessageType::WARNING,
    }
}

/// `RUN line 2 passed`
fn sentence(outcome: &Outcome, line: Option<u32>) -> String {
    let what = line.map_or("the test".to_owned(), |line| format!("RUN line {line}"));
    let verdict = match outcome.verdict() {
        Verdict::Unsupported => "is unsupported here",
        Verdict::NotRun => "was not run",
        verdict => verdict.name(),
    };
    let found = outcome.findings.first().map(|finding| finding.message.clone());
    let why = outcome.reason.clone().or(found).map_or(String::new(), |why| format!(": {why}"));
    format!("{what} {verdict}{why}")
}
