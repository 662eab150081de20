//! Commands, and the lenses and actions that run them.

use lsp_types::{CodeLens, Command, ExecuteCommandParams, Uri};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_analysis::db::View;
use wavelens_analysis::ide::{self, SymbolKind};
use wavelens_analysis::{Dialect, TextSize};

use super::isa;
use super::snapshot::DocumentView;
use super::state::State;

/// Compiles the document and shows the machine code. Argument: `{"uri": ..., "function"?: ...}`.
pub(super) const SHOW_ISA: &str = "wavelens.showIsa";

/// Every command, for the client.
pub(super) const NAMES: &[&str] = &[SHOW_ISA];

/// Where a command's answer goes.
pub(super) type Answer = oneshot::Sender<Result<Option<Value>>>;

/// Starts a command. Runs on the thread that owns the database and must not wait for anything: what takes time goes to
/// `state.spawn` (work on a snapshot) or `state.outbox.spawn` (processes, talking with the client).
pub(super) fn execute(state: &mut State, params: ExecuteCommandParams, answer: Answer) {
    let argument = params.arguments.into_iter().next().unwrap_or_default();
    match params.command.as_str() {
        SHOW_ISA => match uri(&argument) {
            Some(uri) => isa::show(state, &uri, &argument, answer),
            None => refuse(answer, "the command needs a document: {\"uri\": ...}"),
        },
        other => refuse(answer, &format!("unknown command `{other}`")),
    }
}

fn uri(argument: &Value) -> Option<Uri> {
    argument.as_str().or_else(|| argument.get("uri")?.as_str())?.parse().ok()
}

pub(super) fn refuse(answer: Answer, message: &str) {
    let _ = answer.send(Err(Error::invalid_params(message.to_owned())));
}

/// The command that shows the machine code of the function at an offset, where there can be any.
pub(super) fn show_isa_command(view: View<'_>, document: &DocumentView, at: TextSize) -> Option<Command> {
    if !compiles(view.dialect()) {
        return None;
    }
    let function = ide::enclosing_symbol(view, at)?;
    Some(command(document, &function.name))
}

fn compiles(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Llvm | Dialect::Mir)
}

fn command(document: &DocumentView, function: &str) -> Command {
    Command {
        title: "Show generated ISA".to_owned(),
        command: SHOW_ISA.to_owned(),
        arguments: Some(vec![json!({ "uri": document.uri.as_str(), "function": function })]),
    }
}

/// A lens over every function that can be compiled.
pub(super) fn lenses(view: View<'_>, document: &DocumentView) -> Vec<CodeLens> {
    if !compiles(view.dialect()) {
        return Vec::new();
    }
    let functions = ide::outline(view)
        .into_iter()
        .filter(|s| matches!(s.kind, SymbolKind::Function | SymbolKind::EntryPoint));
    functions
        .map(|f| CodeLens {
            range: document.positions.range(f.selection),
            command: Some(command(document, &f.name)),
            data: None,
        })
        .collect()
}
