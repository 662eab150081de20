//! Running the RUN lines of a document: lenses, commands, and the finding of a test that failed.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{
    AnnotatedTextEdit, ChangeAnnotation, CodeLens, Command, DocumentChanges, MessageType, OneOf,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, Uri, WorkspaceEdit,
};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;
use wavelens_base::configuration::{Configuration, Stated};
use wavelens_base::lit::Test;
use wavelens_base::lit::checks::{FileCheck, checks};
use wavelens_base::lit::directives::{Directive, Keyword, directives};
use wavelens_base::lit::shell::parse;
use wavelens_codegen::Cancel;
use wavelens_codegen::lit::LineReport;
use wavelens_ide::codegen::is_compiled;
use wavelens_ide::db::View;

use super::commands::{Answer, refuse, shown};
use super::configuration::Choice;
use super::event::{Event, Tested};
use super::snapshot::DocumentView;
use super::state::State;
use crate::lit::{Outcome, Setup, Verdict, run, script, transcript};

/// Runs the test, or with `"line"` one RUN line: `{"uri": ..., "line": 2}`.
pub(super) const RUN: &str = "wavelens.lit.run";
/// Runs it and opens what the programs wrote.
pub(super) const OUTPUT: &str = "wavelens.lit.output";

/// Writes the CHECK lines again, as an edit of the document.
pub(super) const UPDATE: &str = "wavelens.lit.update";

/// Larger documents are dumps, not tests.
const SIZE: usize = 4 << 20;

/// Makes the RUN line `"line"` the one that the document is checked and compiled for.
pub(super) const USE: &str = "wavelens.lit.use";

/// One row of lenses over the first RUN line for the whole test; with several that compile, a lens over each of those.
pub(super) fn lenses(view: View<'_>, document: &DocumentView) -> Vec<CodeLens> {
    if document.positions.rope.len_bytes() > SIZE {
        return Vec::new();
    }
    let text = view.whole_text();
    let mut runs = directives(&text);
    runs.retain(|directive| directive.keyword == Keyword::Run);
    let Some(first) = runs.first() else { return Vec::new() };
    let lens = |range, title: String, command: &str, more: Value| {
        let mut argument = json!({ "uri": document.uri.as_str() });
        if let (Value::Object(argument), Value::Object(more)) = (&mut argument, more) {
            argument.extend(more);
        }
        let (command, arguments) = (command.to_owned(), Some(vec![argument]));
        let range = document.positions.range(range);
        CodeLens { range, command: Some(Command { title, command, arguments }), data: None }
    };
    let title = match runs.len() {
        1 => "Run test".to_owned(),
        n => format!("Run test ({n} RUN lines)"),
    };
    let mut lenses = vec![
        lens(first.range, title, RUN, Value::Null),
        lens(first.range, "Show output".to_owned(), OUTPUT, Value::Null),
    ];
    if script(&path_of(&document.uri), &text, &Test::read(&text, &[])).is_some() {
        lenses.push(lens(first.range, "Update checks".to_owned(), UPDATE, Value::Null));
    }
    let compiling: Vec<_> = (1u32..).zip(&runs).filter(|(_, run)| names_compiler(run)).collect();
    if compiling.len() > 1 && is_compiled(view.dialect()) {
        let options = document.file.options(view.db);
        let stated = Stated::of(view.dialect(), &text);
        let used = Configuration::decide(view.dialect(), &stated, options).run.map(|run| run.number);
        for (number, run) in compiling {
            let title = if used == Some(number) { "Used for ISA" } else { "Use for ISA" };
            lenses.push(lens(run.range, title.to_owned(), USE, json!({ "line": number })));
        }
    }
    lenses
}

/// Whether a RUN line starts a compiler whose code can be shown.
fn names_compiler(run: &Directive) -> bool {
    let starts = |word: &str| matches!(word.rsplit('/').next(), Some("llc" | "opt" | "clang" | "%llc"));
    parse(&run.text).commands().any(|command| command.words.iter().any(|word| starts(&word.text)))
}

/// Takes the user's choice of a RUN line over.
pub(super) fn use_run(state: &mut State, uri: &Uri, argument: &Value, answer: Answer) {
    if state.document(uri).is_none() {
        return refuse(answer, "the document is not open");
    }
    let Some(line) = line_of(argument) else {
        return refuse(answer, "the command needs a RUN line: {\"uri\": ..., \"line\": 2}");
    };
    let choice = Choice { run_line: Some(line), ..Choice::default() };
    let _ = state.mailbox.send(Event::Chosen { uri: uri.clone(), choice });
    let _ = answer.send(Ok(None));
}

fn line_of(argument: &Value) -> Option<u32> {
    argument.get("line").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok())
}

fn path_of(uri: &Uri) -> PathBuf {
    super::uri::path(uri.as_str()).unwrap_or_else(|| PathBuf::from("test"))
}

/// Starts LLVM's script for the document as it is in the editor. What it changes is an edit that the client makes.
pub(super) fn update(state: &mut State, uri: &Uri, answer: Answer) {
    if !state.config.runs_tests {
        return refuse(
            answer,
            "tests are not updated: `wavelens.lit.enabled` is off, or the workspace is not trusted",
        );
    }
    let Some(document) = state.document(uri) else { return refuse(answer, "the document is not open") };
    let (version, rope) = (document.version, document.positions.rope.clone());
    let path = path_of(uri);
    let llvm = state.config.llvm.folder();
    let source = state.config.llvm.source.clone();
    let (outbox, confirms) = (state.outbox.clone(), state.confirms_edits);
    let cancel = Cancel::default();
    state.compilers.asked(uri, cancel.clone());
    let progress = state.progress_after_a_while("Updating", uri);
    let uri = uri.clone();
    state.compilers.spawn(move || {
        let _progress = progress;
        let old = rope.to_string();
        let updated =
            crate::lit::update(&path, &old, source.as_deref(), &Setup::find(llvm.as_deref()), &cancel);
        let new = match updated {
            _ if cancel.is_cancelled() => return drop(answer.send(Err(Error::request_cancelled()))),
            Ok(new) => new,
            Err(why) => return refuse(answer, &why),
        };
        let edits = line_edits(&old, &new);
        let changes = edits.len();
        let message = match changes {
            0 => "the CHECK lines are up to date".to_owned(),
            1 => "1 change to the CHECK lines".to_owned(),
            changes => format!("{changes} changes to the CHECK lines"),
        };
        if changes == 0 {
            outbox.show(MessageType::INFO, message.clone());
        } else {
            let edit = workspace_edit(uri, version, edits, confirms);
            outbox.spawn(move |client| async move {
                // A client that refuses says so itself.
                let _ = client.apply_edit(edit).await;
            });
        }
        let _ = answer.send(Ok(Some(json!({ "changes": changes, "message": message }))));
    });
}

/// The lines that differ.
fn line_edits(old: &str, new: &str) -> Vec<lsp_types::TextEdit> {
    let diff = similar::TextDiff::from_lines(old, new);
    let changed = diff.ops().iter().filter(|op| op.tag() != similar::DiffTag::Equal);
    let edit = |op: &similar::DiffOp| {
        let at = |line: usize| lsp_types::Position::new(line as u32, 0);
        let (lines, text) = (op.old_range(), diff.iter_changes(op));
        let text =
            text.filter(|change| change.tag() == similar::ChangeTag::Insert).map(|change| change.value());
        lsp_types::TextEdit {
            range: lsp_types::Range::new(at(lines.start), at(lines.end)),
            new_text: text.collect(),
        }
    };
    changed.map(edit).collect()
}

/// An edit of one document in this version, which the user confirms where the client can ask.
fn workspace_edit(uri: Uri, version: i32, edits: Vec<lsp_types::TextEdit>, confirms: bool) -> WorkspaceEdit {
    const ID: &str = "checks";
    let annotation = ChangeAnnotation {
        label: "Update checks".to_owned(),
        needs_confirmation: Some(true),
        description: Some("by LLVM's script".to_owned()),
    };
    let edit = |text_edit| match confirms {
        true => OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id: ID.to_owned() }),
        false => OneOf::Left(text_edit),
    };
    let text_document = OptionalVersionedTextDocumentIdentifier { uri, version: Some(version) };
    let edit = TextDocumentEdit { text_document, edits: edits.into_iter().map(edit).collect() };
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![edit])),
        change_annotations: confirms.then(|| [(ID.to_owned(), annotation)].into()),
        changes: None,
    }
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
    let path = path_of(uri);
    let line = line_of(argument);
    let is_quiet = argument.get("quiet").and_then(Value::as_bool) == Some(true);
    let llvm = state.config.llvm.folder();
    let (mailbox, outbox, opening) = (state.mailbox.clone(), state.outbox.clone(), state.opening);
    let cancel = Cancel::default();
    state.compilers.asked(uri, cancel.clone());
    let progress = state.progress_after_a_while("Running", uri);
    let uri = uri.clone();
    state.compilers.spawn(move || {
        let _progress = progress;
        let setup = Setup::find(llvm.as_deref());
        let text = rope.to_string();
        let outcome = run(&path, &text, line, &setup, &cancel);
        if cancel.is_cancelled() {
            let _ = answer.send(Err(Error::request_cancelled()));
            return;
        }
        let message = sentence(&outcome, line);
        let answered = match shows {
            true => shown(&outbox, opening, &file, &transcript(&outcome.report)),
            false => Ok(Some(json!({
                "verdict": outcome.verdict(),
                "message": message,
                "lines": results(&text, &outcome),
                "output": transcript(&outcome.report),
            }))),
        };
        if !shows && !is_quiet {
            outbox.show(kind(outcome.verdict()), message);
        }
        let _ =
            mailbox.send(Event::Tested(Tested { uri, generation, findings: Arc::from(outcome.findings) }));
        let _ = answer.send(answered);
    });
}

/// What came of each RUN line: `{"line": 1, "passed": false, "expected": ..., "actual": ...}`, texts where FileCheck failed.
fn results(text: &str, outcome: &Outcome) -> Vec<Value> {
    let result = |line: &LineReport| {
        let failed = line.commands.iter().find(|ran| !ran.passed && ran.program == "FileCheck");
        let mut found = json!({ "line": line.number, "passed": line.passed });
        if let Some(ran) = failed {
            found["expected"] = json!(expected(text, &ran.words));
            found["actual"] = json!(ran.input);
        }
        found
    };
    outcome.report.lines.iter().map(result).collect()
}

/// What the CHECK lines of a FileCheck say, without their prefixes.
fn expected(text: &str, words: &[String]) -> String {
    let prefixes = FileCheck::of(&parse(&words.join(" "))).into_iter().flat_map(|found| found.prefixes);
    let mut out = String::new();
    for check in checks(text, &prefixes.collect()) {
        let pattern = text.get(std::ops::Range::<usize>::from(check.pattern_range)).unwrap_or("");
        out.push_str(pattern.strip_prefix(' ').unwrap_or(pattern));
        out.push('\n');
    }
    out
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
