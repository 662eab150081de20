//! Showing the machine code that a document compiles to.

use lsp_types::Uri;
use serde_json::Value;

use super::commands::{Answer, refuse};
use super::state::State;

/// Compiles the document and shows the result.
pub(super) fn show(state: &mut State, uri: &Uri, _argument: &Value, answer: Answer) {
    if state.document(uri).is_none() {
        refuse(answer, "the document is not open");
        return;
    }
    refuse(answer, "this build cannot compile yet");
}
