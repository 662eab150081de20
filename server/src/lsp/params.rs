//! Parameters of the requests that are not part of the protocol.

use lsp_types::TextDocumentIdentifier;
use wavelens_codegen::passes::PassFilter;

/// Parameters of `wavelens/isa`, `wavelens/disassemble`, `wavelens/remarks` and `wavelens/advise`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IsaParams {
    pub(super) text_document: TextDocumentIdentifier,
    /// The function that is looked at; matters in large modules alone.
    #[serde(default)]
    pub(super) function: Option<String>,
}

/// Parameters of `wavelens/codeOfLine`: a line of a source file, counted from 0.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeOfLineParams {
    pub(super) text_document: TextDocumentIdentifier,
    pub(super) line: u32,
}

/// Parameters of `wavelens/compare`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompareParams {
    pub(super) text_document: TextDocumentIdentifier,
    /// Processors; empty: one of each generation.
    #[serde(default)]
    pub(super) targets: Vec<String>,
    /// Optimization levels, 0 to 3; empty: that of the file or the settings.
    #[serde(default)]
    pub(super) levels: Vec<u8>,
}

/// Parameters of `wavelens/runTo`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunToParams {
    pub(super) text_document: TextDocumentIdentifier,
    /// As `-stop-after` takes it.
    pub(super) pass: String,
}

/// Parameters of `wavelens/passes`.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassesParams {
    pub(super) text_document: TextDocumentIdentifier,
    #[serde(flatten)]
    pub(super) filter: PassFilter,
}
