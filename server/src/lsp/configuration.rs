//! `wavelens/configuration` and `wavelens/setConfiguration`: what a document is for, and the user's choice for it.

use lsp_types::TextDocumentIdentifier;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use wavelens_base::configuration::{Configuration, Stated};
use wavelens_ide::codegen::{compiled_for, is_compiled, is_for_gpu, target_name};
use wavelens_isa::processor::Processor;

use super::snapshot::Snapshot;
use crate::target::target;

/// Parameters of `wavelens/configuration`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfigurationParams {
    pub(super) text_document: TextDocumentIdentifier,
}

/// Parameters of `wavelens/setConfiguration`: what is absent is left to the file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetConfigurationParams {
    pub(super) text_document: TextDocumentIdentifier,
    #[serde(flatten)]
    pub(super) choice: Choice,
}

/// The user's choice for a document. Forgotten when it is closed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Choice {
    pub(super) target: Option<String>,
    pub(super) target_env: Option<String>,
    /// By its number.
    pub(super) run_line: Option<u32>,
}

/// What a document is checked and compiled for. What can be chosen in its place is in the answer to `initialize`.
pub(super) fn answer(snapshot: &Snapshot) -> Result<Option<Value>> {
    let Some(document) = snapshot.document() else { return Ok(None) };
    let view = snapshot.view(document);
    let text = view.whole_text();
    let dialect = document.file.dialect(view.db);
    let options = document.file.options(view.db);
    // Without what commands that compile assume.
    let configuration = Configuration::decide(dialect, &Stated::of(dialect, &text), options);
    let label = target_name(dialect, &text, options);
    let origin = configuration.processor.as_ref().map(|known| known.origin.to_string());
    let origin = configuration.environment.as_ref().map(|known| known.origin.to_string()).or(origin);
    let is_for_gpu = configuration.target().is_some() || is_for_gpu(dialect, &text);
    let is_compiled = is_for_gpu && is_compiled(dialect);
    let processor = is_compiled.then(|| compiled_for(dialect, &text, options).join(", "));
    let name = processor.as_deref().unwrap_or(&label).split([' ', ':', ',']).next().unwrap_or_default();
    let family = Processor::named(name).map(|processor| processor.architecture());
    Ok(Some(json!({
        "dialect": dialect.name(),
        "family": family,
        "label": label,
        "origin": origin,
        "isForGpu": is_for_gpu,
        // What generated code is for, whether or not the file names it.
        "processor": processor,
        "configuration": target(dialect, &text, options),
    })))
}
