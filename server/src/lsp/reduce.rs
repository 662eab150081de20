//! `wavelens.reduce`: makes a document smaller while it keeps a finding or crashes the compiler.

use std::path::PathBuf;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, DiagnosticSeverity, NumberOrString,
    Uri,
};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_check::dialect::rule;
use wavelens_codegen::Cancel;
use wavelens_codegen::priority::step_back;

use super::code::passed_on;
use super::commands::{Answer, Opening, refuse, show_files};
use super::compilers::FoundCompiler;
use super::outbox::Outbox;
use super::progress::{self, Steps};
use super::snapshot::DocumentView;
use super::state::State;
use super::uri::file_name;
use crate::compile::Job;
use crate::reduce::{Bounds, CRASH, Interest, reduce, report};

/// `{"uri": ..., "while": CODE or "crash"}`. Without `while`: the first error, else a crash. The answer names the reduced file and the
/// report about it; with `"shows": false` the client opens them. With `"cancel": true` ends the one that runs.
pub(super) const REDUCE: &str = "wavelens.reduce";

/// Of its actions: they make another file and fix nothing.
pub(super) const KIND: CodeActionKind = CodeActionKind::new("refactor.reduce");

/// Seconds after which the smallest text so far is the result.
const TIME_LIMIT: u64 = 120;

/// Reductions that run, with the documents that they are about and the tokens of their progress.
#[derive(Default)]
pub(super) struct Reductions(Vec<(Uri, Option<NumberOrString>, Cancel)>);

impl Reductions {
    /// The user cancelled a progress.
    pub(super) fn cancelled(&self, token: &NumberOrString) {
        let own = self.0.iter().filter(|(_, own, _)| own.as_ref() == Some(token));
        own.for_each(|(_, _, cancel)| cancel.cancel());
    }

    /// Ends what runs for a document.
    fn end(&mut self, uri: &Uri) {
        for (_, _, cancel) in self.0.extract_if(.., |(of, _, _)| of == uri) {
            cancel.cancel();
        }
    }
}

impl Drop for Reductions {
    fn drop(&mut self) {
        self.0.iter().for_each(|(_, _, cancel)| cancel.cancel());
    }
}

/// What is reduced to what, and where the result goes.
struct Task {
    compiler: FoundCompiler,
    /// A code, or a crash.
    condition: String,
    /// What the document's file is called.
    name: String,
    reduced: PathBuf,
    report: PathBuf,
    opening: Opening,
    outbox: Outbox,
    steps: Option<Steps>,
    cancel: Cancel,
}

/// Starts a reduction of the document as it is in the editor; later edits do not matter to it.
pub(super) fn start(state: &mut State, uri: &Uri, argument: &Value, answer: Answer) {
    state.reductions.end(uri);
    if argument.get("cancel").and_then(Value::as_bool) == Some(true) {
        let _ = answer.send(Ok(None));
        return;
    }
    let Some(document) = state.document(uri) else { return refuse(answer, "the document is not open") };
    let condition = argument.get("while").and_then(Value::as_str).map(str::to_owned);
    let condition = condition.unwrap_or_else(|| first_error(&document.diagnostics()));
    let (rope, dialect) = (document.positions.rope.clone(), document.dialect);
    let (options, settings) = (document.options(&state.config), state.config.isa.clone());
    // Editors know the language by the file's name.
    let ending = dialect.extensions().first().copied().unwrap_or_default();
    let files = [format!("reduced.{ending}"), "report.md".to_owned()];
    let [reduced, report] = match files.map(|ending| state.scratch.file(uri, &ending)) {
        [Ok(reduced), Ok(report)] => [reduced, report],
        [Err(problem), _] | [_, Err(problem)] => return refuse(answer, &problem),
    };
    let is_client = argument.get("shows").and_then(Value::as_bool) == Some(false);
    let name = file_name(uri);
    let steps =
        || progress::begin_steps(&state.outbox, format!("Reducing to {}", shown(&condition)), name.clone());
    let task = Task {
        compiler: state.compilers.compiler.clone(),
        opening: if is_client { Opening::Client } else { state.opening },
        outbox: state.outbox.clone(),
        steps: state.progress.then(steps),
        cancel: Cancel::default(),
        condition,
        name,
        reduced,
        report,
    };
    let token = task.steps.as_ref().map(Steps::token);
    state.reductions.0.push((uri.clone(), token, task.cancel.clone()));
    let cancel = task.cancel.clone();
    let answer = passed_on(&state.outbox, answer, move || cancel.cancel());
    let work = move || {
        step_back();
        let job = Job { dialect, text: rope.to_string(), options, settings };
        let _ = answer.send(task.run(&job));
    };
    // Neither the threads that wait for compilers nor those of requests: it takes minutes. Without a thread the answer is an error.
    let _ = std::thread::Builder::new().name("reduction".to_owned()).spawn(work);
}

impl Task {
    fn run(self, job: &Job) -> Result<Option<Value>> {
        let bounds = Bounds {
            // A finding is looked for by the check that would tell whether the text is valid.
            valid: (self.condition == CRASH).then_some(&job.options),
            has_target: true,
            limit: Some(TIME_LIMIT),
            jobs: 2,
            cancel: &self.cancel,
            progress: &|message| self.steps.iter().for_each(|steps| steps.report(message.clone())),
        };
        let found = Interest::of(&self.condition, &self.compiler, job).and_then(|mut interest| {
            let reduced = reduce(job, &mut interest, bounds, &mut |_| Ok(()))?;
            let report = report(&self.name, job, &reduced, &interest)?;
            Ok((reduced, report))
        });
        if self.cancel.is_cancelled() {
            return Err(Error::request_cancelled());
        }
        let (reduced, report) = found.map_err(Error::invalid_params)?;
        for (file, text) in [(&self.report, &report), (&self.reduced, &reduced.text)] {
            std::fs::write(file, text)
                .map_err(|error| Error::invalid_params(format!("{}: {error}", file.display())))?;
        }
        show_files(&self.outbox, self.opening, vec![self.report.clone(), self.reduced.clone()]);
        Ok(Some(json!({
            "file": self.reduced,
            "report": self.report,
            "while": self.condition,
            "before": job.text.lines().count(),
            "after": reduced.text.lines().count(),
            "complete": reduced.is_complete,
        })))
    }
}

/// The code of the first error of the server's own, else a crash.
fn first_error(diagnostics: &[Diagnostic]) -> String {
    let mut errors: Vec<&Diagnostic> =
        diagnostics.iter().filter(|d| d.severity == Some(DiagnosticSeverity::ERROR)).collect();
    errors.sort_by_key(|d| d.range.start);
    errors.iter().find_map(|d| condition_of(d)).unwrap_or_else(|| CRASH.to_owned())
}

/// What a reduction to a diagnostic keeps.
fn condition_of(diagnostic: &Diagnostic) -> Option<String> {
    match &diagnostic.code {
        Some(NumberOrString::String(code)) if code == CRASH || rule(code).is_some() => Some(code.clone()),
        _ => None,
    }
}

fn shown(condition: &str) -> String {
    if condition == CRASH { "the compiler crash".to_owned() } else { format!("`{condition}`") }
}

/// Actions that reduce the file to one of the diagnostics that a client shows at a place.
pub(super) fn actions(document: &DocumentView, diagnostics: &[Diagnostic]) -> Vec<CodeActionOrCommand> {
    let mut seen = Vec::new();
    for diagnostic in diagnostics {
        let is_serious =
            matches!(diagnostic.severity, Some(DiagnosticSeverity::ERROR | DiagnosticSeverity::WARNING));
        if let Some(condition) = condition_of(diagnostic).filter(|_| is_serious)
            && !seen.iter().any(|(other, _)| *other == condition)
        {
            seen.push((condition, diagnostic));
        }
    }
    seen.into_iter().map(|(condition, diagnostic)| action(document, &condition, diagnostic)).collect()
}

fn action(document: &DocumentView, condition: &str, diagnostic: &Diagnostic) -> CodeActionOrCommand {
    let title = match condition {
        CRASH => "Reduce the file while the compiler crashes".to_owned(),
        code => format!("Reduce the file while `{code}` remains"),
    };
    CodeActionOrCommand::CodeAction(CodeAction {
        title: title.clone(),
        kind: Some(KIND),
        diagnostics: Some(vec![diagnostic.clone()]),
        command: Some(Command {
            title,
            command: REDUCE.to_owned(),
            arguments: Some(vec![json!({ "uri": document.uri.as_str(), "while": condition })]),
        }),
        ..CodeAction::default()
    })
}
