//! Commands, and the lenses and actions that run them.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use lsp_types::{CodeLens, Command, ExecuteCommandParams, MessageType, Position, ShowDocumentParams, Uri};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_base::TextSize;
use wavelens_codegen::compare::Comparison;
use wavelens_codegen::passes::PassFilter;
use wavelens_ide::codegen::{ends_before_assembly, functions, is_compiled};
use wavelens_ide::db::View;
use wavelens_ide::features;

use super::event::{CodeQuestion, Question};
use super::interface::{self, INTERFACE};
use super::job::Ask;
use super::outbox::{Outbox, plain_text};
use super::reduce::{self, REDUCE};
use super::snapshot::{DocumentView, Snapshot};
use super::state::State;
use super::{code, costs, isa, lit, views};
use crate::file_uri::file_uri;
use crate::{picture, tables};

// For clients that show nothing themselves: each opens a file. The argument is a URI, or `{"uri": ...}` with what each command adds.

/// Compiles the document and shows the machine code. Its file is kept fresh.
pub(super) const SHOW_ISA: &str = "wavelens.showIsa";
/// Draws the function at `position` (or `line` and `column`, which count from 1), or all of them; with `"dominators": true` dominator
/// trees. `"format"` is `"svg"` or `"text"`.
const CFG: &str = "wavelens.cfg";
/// What kernels take on several processors: `"targets": ["gfx1030", ...]`, or one of each generation.
const COMPARE: &str = "wavelens.compare";
/// What passes changed: `"pass"` and `"function"` filter.
const PASSES: &str = "wavelens.passes";

/// What each pass did to the value or line at `position`.
const TRACE: &str = "wavelens.trace";

/// What passes could not do, and did.
const REMARKS: &str = "wavelens.remarks";
/// Changes that give kernels more waves or fewer spills, each tried.
const ADVISE: &str = "wavelens.advise";

/// Every command, for the client.
pub(super) const NAMES: &[&str] = &[
    SHOW_ISA,
    CFG,
    COMPARE,
    PASSES,
    TRACE,
    REMARKS,
    ADVISE,
    INTERFACE,
    REDUCE,
    lit::RUN,
    lit::OUTPUT,
    lit::UPDATE,
    lit::USE,
];

/// Where a command's answer goes.
pub(super) type Answer = oneshot::Sender<Result<Option<Value>>>;

/// Starts a command. Runs on the thread that owns the database and must not wait for anything: what takes time goes to
/// `state.spawn` (work on a snapshot) or `state.outbox.spawn` (processes, talking with the client).
pub(super) fn execute(state: &mut State, params: ExecuteCommandParams, answer: Answer) {
    let argument = params.arguments.into_iter().next().unwrap_or_default();
    let command = params.command.as_str();
    if !NAMES.contains(&command) {
        return refuse(answer, &format!("unknown command `{command}`"));
    }
    // Helix runs commands without arguments.
    let Some(uri) = uri(&argument).or_else(|| state.last_used.clone()) else {
        return refuse(answer, "the command needs a document: {\"uri\": ...}");
    };
    match command {
        CFG => draw(state, uri, argument, answer),
        REDUCE => reduce::start(state, &uri, &argument, answer),
        INTERFACE => interface::start(state, &uri, &argument, answer),
        lit::RUN | lit::OUTPUT => lit::start(state, &uri, &argument, command == lit::OUTPUT, answer),
        lit::UPDATE => lit::update(state, &uri, answer),
        lit::USE => lit::use_run(state, &uri, &argument, answer),
        COMPARE => {
            let targets = argument.get("targets").cloned().unwrap_or_default();
            let targets = serde_json::from_value(targets).unwrap_or_default();
            let question = CodeQuestion::Compare { targets, levels: Vec::new() };
            ask_and_show(state, &uri, question, "targets.txt", answer, |found| {
                let table: Comparison = serde_json::from_value(found).ok()?;
                Some(tables::comparison(&table)).filter(|_| !table.rows.is_empty())
            });
        }
        PASSES => {
            let filter: PassFilter = serde_json::from_value(argument).unwrap_or_default();
            ask_and_show(state, &uri, CodeQuestion::Passes(filter), "passes.diff", answer, |found| {
                Some(tables::pass_changes(&serde_json::from_value(found).ok()?, false))
            });
        }
        TRACE => {
            let Some(position) = position(&argument) else {
                return refuse(answer, "the command needs a position: {\"uri\": ..., \"position\": ...}");
            };
            ask_and_show(state, &uri, CodeQuestion::Trace { position }, "history.txt", answer, its_text);
        }
        REMARKS => ask_and_show(state, &uri, CodeQuestion::Remarks, "remarks.txt", answer, its_text),
        ADVISE => ask_and_show(state, &uri, CodeQuestion::Advise, "advice.txt", answer, its_text),
        _ => isa::show(state, &uri, argument.get("function").and_then(Value::as_str), answer),
    }
}

/// What an answer says for people.
fn its_text(found: Value) -> Option<String> {
    found.get("text").and_then(Value::as_str).map(str::to_owned)
}

fn uri(argument: &Value) -> Option<Uri> {
    argument.as_str().or_else(|| argument.get("uri")?.as_str())?.parse().ok()
}

/// `position`, or a `line` and a `column` that count from 1, as editors' key bindings can name them.
fn position(argument: &Value) -> Option<Position> {
    let number =
        |name: &str| argument.get(name)?.as_u64().and_then(|n| u32::try_from(n).ok()?.checked_sub(1));
    let named = || Some(Position::new(number("line")?, number("column")?));
    argument.get("position").and_then(|p| serde_json::from_value(p.clone()).ok()).or_else(named)
}

pub(super) fn refuse(answer: Answer, message: &str) {
    let _ = answer.send(Err(Error::invalid_params(message.to_owned())));
}

/// How the user gets to see a file that a command wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// The client opens the result of the command itself.
    Client,
    /// The client opens the file on a `window/showDocument` request.
    ShowDocument,
    /// A message names the path of the file.
    Message,
}

/// Shows a file to the user. Pictures open outside the editor.
pub(super) fn show_file(outbox: &Outbox, opening: Opening, file: &Path) {
    show_files(outbox, opening, vec![file.to_owned()]);
}

/// Shows several files, the most important one last.
pub(super) fn show_files(outbox: &Outbox, opening: Opening, files: Vec<PathBuf>) {
    if opening == Opening::Client {
        return;
    }
    outbox.spawn(move |client| async move {
        for file in files {
            let path = file_uri(&file);
            let external = file.extension().is_some_and(|e| e == "svg").then_some(true);
            let shown = match path.parse() {
                Ok(uri) if opening == Opening::ShowDocument => {
                    let params =
                        ShowDocumentParams { uri, external, take_focus: Some(false), selection: None };
                    client.show_document(params).await.unwrap_or(false)
                }
                _ => false,
            };
            if !shown {
                let message = plain_text(&format!("wavelens wrote {path}"));
                client.show_message(MessageType::INFO, message).await;
            }
        }
    });
}

fn draw(state: &mut State, uri: Uri, argument: Value, answer: Answer) {
    let position = position(&argument);
    let dominators = argument.get("dominators").and_then(Value::as_bool) == Some(true);
    let is_text = match argument.get("format").and_then(Value::as_str) {
        Some("text") => true,
        Some("svg") => false,
        _ => state.config.text_tables,
    };
    let file = match state.scratch.file(&uri, if is_text { "cfg.txt" } else { "svg" }) {
        Ok(file) => file,
        Err(problem) => return refuse(answer, &problem),
    };
    let (outbox, opening) = (state.outbox.clone(), state.opening);
    let work = move |snapshot: &Snapshot| {
        let problem = |message: String| Err(Error::invalid_params(message));
        let Some(document) = snapshot.document() else {
            return problem("the document is not open".to_owned());
        };
        let view = snapshot.view(document);
        let at = position.map(|p| document.positions.offset(p));
        let mut flows = match at.and_then(|at| features::flow(view, at)) {
            Some(flow) => vec![flow],
            None => features::flows(view),
        };
        if flows.is_empty() {
            return problem("this file has no function with a body".to_owned());
        }
        if dominators {
            flows.iter_mut().for_each(|f| *f = f.dominator_tree());
        }
        let drawn = match is_text {
            true if dominators => Ok(picture::text::trees(&flows)),
            true => Ok(picture::text::graphs(&flows, views::blocks(document))),
            false => views::picture(document, &flows),
        };
        match drawn {
            Ok(drawn) => shown(&outbox, opening, &file, &drawn),
            Err(message) => problem(message),
        }
    };
    state.asked(Question {
        uri: Some(uri),
        reads_all: false,
        version: None,
        job: Box::new(Ask::new(work, answer)),
    });
}

/// Asks what needs compilers, writes the answer as a text and opens it.
fn ask_and_show(
    state: &mut State,
    uri: &Uri,
    question: CodeQuestion,
    ending: &str,
    answer: Answer,
    text: impl FnOnce(Value) -> Option<String> + Send + 'static,
) {
    let (found, wait) = oneshot::channel();
    let file = match state.scratch.file(uri, ending) {
        Ok(file) => file,
        Err(problem) => return refuse(answer, &problem),
    };
    let opening = state.opening;
    let nothing = match question {
        CodeQuestion::Compare { .. } => "no kernel to compare",
        CodeQuestion::Advise => "no kernel to advise on",
        CodeQuestion::Passes(_) => "no pass changed anything",
        _ => "there is nothing to show",
    };
    code::asked(state, uri, question, found);
    let outbox = state.outbox.clone();
    state.outbox.spawn(move |_| async move {
        let result = match wait.await {
            Ok(Ok(Some(found))) => {
                let problem = reason(&found).unwrap_or(nothing).to_owned();
                let note = found["note"].as_str().map(|note| format!("\n{note}\n")).unwrap_or_default();
                match text(found).filter(|t| !t.is_empty()) {
                    Some(text) => shown(&outbox, opening, &file, &(text + &note)),
                    None => Err(Error::invalid_params(problem)),
                }
            }
            Ok(other) => other,
            Err(_) => Err(Error::internal_error()),
        };
        let _ = answer.send(result);
    });
}

/// Why an answer is empty: its problem, or that of the first of several targets.
fn reason(found: &Value) -> Option<&str> {
    let targets = found["targets"].as_array().into_iter().flatten();
    std::iter::once(found).chain(targets).find_map(|part| part["problem"].as_str())
}

/// Writes a file and opens it; the answer of the command names it.
pub(super) fn shown(outbox: &Outbox, opening: Opening, file: &Path, text: &str) -> Result<Option<Value>> {
    if let Err(error) = std::fs::write(file, text) {
        return Err(Error::invalid_params(format!("{}: {error}", file.display())));
    }
    show_file(outbox, opening, file);
    Ok(Some(json!({ "file": file })))
}

/// The command that shows the machine code of the function at an offset, where there can be any.
pub(super) fn show_isa_command(view: View<'_>, document: &DocumentView, at: TextSize) -> Option<Command> {
    if !is_compiled(view.dialect()) {
        return None;
    }
    let function = features::enclosing_symbol(view, at)?;
    Some(show_isa(document, &function.name, show_title(view, document).to_owned()))
}

/// The title of the command that shows what a document compiles to.
fn show_title(view: View<'_>, document: &DocumentView) -> &'static str {
    match ends_before_assembly(view.dialect(), &view.whole_text(), document.file.options(view.db)) {
        true => "Show generated Machine IR",
        false => "Show generated ISA",
    }
}

pub(super) fn show_isa(document: &DocumentView, function: &str, title: String) -> Command {
    Command {
        title,
        command: SHOW_ISA.to_owned(),
        arguments: Some(vec![json!({ "uri": document.uri.as_str(), "function": function })]),
    }
}

/// Draws the control flow of the function at a position.
pub(super) fn show_flow(document: &DocumentView, position: Position, title: String) -> Command {
    let argument = json!({ "uri": document.uri.as_str(), "position": position });
    Command { title, command: CFG.to_owned(), arguments: Some(vec![argument]) }
}

/// A lens over every function that can be compiled: what it takes, once that is known and wanted, else the way to see it.
pub(super) fn lenses(view: View<'_>, document: &DocumentView, resources: bool) -> Vec<CodeLens> {
    if !is_compiled(view.dialect()) {
        return if resources { costs::kernel_lenses(view, document) } else { Vec::new() };
    }
    let title = LazyCell::new(|| show_title(view, document).to_owned());
    functions(view)
        .into_iter()
        .filter_map(|f| {
            let known = if resources { costs::lens(document, &f) } else { None };
            // A browser has no compiler.
            known.or_else(|| {
                cfg!(not(target_family = "wasm")).then(|| CodeLens {
                    range: document.positions.range(f.selection),
                    command: Some(show_isa(document, &f.name, title.clone())),
                    data: None,
                })
            })
        })
        .collect()
}
