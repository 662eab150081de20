//! Comparing the shader stages of a pipeline: documents as they are in the editor, other files as they are on disk.

use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, DiagnosticSeverity, Uri};
use ropey::Rope;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;
use wavelens_base::Options;
use wavelens_check::stages::{DIALECT, Module, check};

use super::commands::{Answer, refuse, shown};
use super::diagnostics::diagnostic_at;
use super::position::{Encoding, Positions};
use super::state::State;
use super::uri;
use crate::shown;
use crate::source::read;

/// Compares the modules of a pipeline: `{"uri": ..., "others": [URI, ...], "entries": [NAME, ...]}`. The answer has the findings of
/// each file, and a file with all of them as text.
pub(super) const INTERFACE: &str = "wavelens.interface";

/// A module's file: its text, if it is open.
struct Input {
    uri: Uri,
    path: PathBuf,
    text: Option<Rope>,
    options: Options,
}

/// Starts a comparison.
pub(super) fn start(state: &mut State, uri: &Uri, argument: &Value, answer: Answer) {
    let list = |name: &str| -> Vec<String> {
        argument.get(name).and_then(|v| serde_json::from_value(v.clone()).ok()).unwrap_or_default()
    };
    let mut uris = vec![uri.clone()];
    for other in list("others").iter().filter_map(|other| other.parse::<Uri>().ok()) {
        if !uris.contains(&other) {
            uris.push(other);
        }
    }
    let inputs: Vec<Input> = uris.into_iter().map(|uri| input(state, uri)).collect();
    let entries = list("entries");
    let file = match state.scratch.file(uri, "interface.txt") {
        Ok(file) => file,
        Err(problem) => return refuse(answer, &problem),
    };
    let (outbox, opening, encoding) = (state.outbox.clone(), state.opening, state.encoding);
    state.spawn(move || {
        let found = compare(inputs, &entries, encoding).map_err(Error::invalid_params);
        let _ = answer.send(found.and_then(|(files, text)| {
            let mut found = shown(&outbox, opening, &file, &text)?.unwrap_or_default();
            found["files"] = json!(files);
            Ok(Some(found))
        }));
    });
}

fn input(state: &State, uri: Uri) -> Input {
    let path = uri::path(uri.as_str()).unwrap_or_else(|| PathBuf::from(uri.as_str()));
    let open = state.document(&uri);
    let text = open.map(|document| document.positions.rope.clone());
    let options =
        open.map_or_else(|| state.config.options.clone(), |document| document.options(&state.config));
    Input { uri, path, text, options }
}

/// The findings of each file, and all of them as text.
fn compare(
    inputs: Vec<Input>,
    entries: &[String],
    encoding: Encoding,
) -> Result<(Vec<Value>, String), String> {
    let (mut modules, mut owners, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, input) in inputs.iter().enumerate() {
        let text = match &input.text {
            Some(rope) => rope.to_string(),
            None => read(&input.path, Some(DIALECT))?.text,
        };
        let own = Module::read(input.path.clone(), &text, &input.options);
        owners.extend(own.iter().map(|_| index));
        modules.extend(own);
        texts.push(Positions { rope: input.text.clone().unwrap_or_else(|| Rope::from_str(&text)), encoding });
    }
    let options = inputs.first().map(|input| input.options.clone()).unwrap_or_default();
    let found = check(&modules, entries, &options)?;
    let mut diagnostics: Vec<Vec<Diagnostic>> = inputs.iter().map(|_| Vec::new()).collect();
    for (owner, findings) in owners.into_iter().zip(found) {
        let (Some(input), Some(positions), Some(own)) =
            (inputs.get(owner), texts.get(owner), diagnostics.get_mut(owner))
        else {
            continue;
        };
        own.extend(findings.into_iter().map(|finding| diagnostic_at(&input.uri, positions, finding)));
    }
    let text = report(&inputs, &diagnostics);
    let files = inputs.iter().zip(diagnostics);
    let files = files.map(|(input, found)| json!({ "uri": input.uri.as_str(), "diagnostics": found }));
    Ok((files.collect(), text))
}

/// One line for each finding and each of its other ends.
fn report(inputs: &[Input], diagnostics: &[Vec<Diagnostic>]) -> String {
    let mut text = String::new();
    let line = |path: &Path, range: lsp_types::Range| {
        format!("{}:{}:{}", shown::path(path), range.start.line + 1, range.start.character + 1)
    };
    for (input, diagnostic) in
        inputs.iter().zip(diagnostics).flat_map(|(i, all)| all.iter().map(move |d| (i, d)))
    {
        let severity = match diagnostic.severity {
            Some(DiagnosticSeverity::ERROR) => "error",
            _ => "warning",
        };
        text += &format!("{}: {severity}: {}\n", line(&input.path, diagnostic.range), diagnostic.message);
        for related in diagnostic.related_information.iter().flatten() {
            let path = uri::path(related.location.uri.as_str());
            let path = path.as_deref().unwrap_or(&input.path);
            text += &format!("  {}: {}\n", line(path, related.location.range), related.message);
        }
    }
    if text.is_empty() {
        text = "no findings\n".to_owned();
    }
    text
}
