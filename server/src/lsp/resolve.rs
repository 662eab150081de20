//! Documentation of proposals, which clients that can ask for it get with the proposal that they show: it is a third of a list.

use std::sync::{Mutex, PoisonError};

use lsp_types::*;
use serde_json::json;

/// The documentation that the last list of proposals was sent without.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    last: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    number: u64,
    texts: Vec<Option<Documentation>>,
}

/// Whether a client asks for the documentation of a proposal.
pub(super) fn resolves(capabilities: &TextDocumentClientCapabilities) -> bool {
    let item = capabilities.completion.as_ref().and_then(|completion| completion.completion_item.as_ref());
    let properties = item.and_then(|item| item.resolve_support.as_ref()).map(|support| &support.properties);
    properties.is_some_and(|properties| properties.iter().any(|property| property == "documentation"))
}

impl Withheld {
    /// Keeps what a list has of documentation, and notes in each proposal where it is.
    pub(super) fn keep(&self, answer: &mut CompletionResponse) {
        let (CompletionResponse::Array(items) | CompletionResponse::List(CompletionList { items, .. })) =
            answer;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.number += 1;
        last.texts = items.iter_mut().map(|item| item.documentation.take()).collect();
        for (at, item) in items.iter_mut().enumerate().filter(|(at, _)| last.texts[*at].is_some()) {
            item.data = Some(json!([last.number, at]));
        }
    }

    /// A proposal with its documentation; that of an older list stays as it is.
    pub(super) fn resolve(&self, mut item: CompletionItem) -> CompletionItem {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let data = item.data.as_ref().and_then(|data| data.as_array());
        let number = |at: usize| data.and_then(|data| data.get(at)?.as_u64());
        if number(0) == Some(last.number)
            && let Some(text) = number(1).and_then(|at| last.texts.get(at as usize)?.clone())
        {
            item.documentation = Some(text);
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_sent_with_the_proposal_that_is_shown() {
        let item = |label: &str| CompletionItem {
            label: label.to_owned(),
            documentation: (label != "c").then(|| Documentation::String(format!("what {label} does"))),
            ..Default::default()
        };
        let withheld = Withheld::default();
        let list = || CompletionResponse::Array(vec![item("a"), item("b"), item("c")]);
        let keep = |mut answer: CompletionResponse| {
            withheld.keep(&mut answer);
            let CompletionResponse::Array(items) = answer else { return Vec::new() };
            items
        };
        let items = keep(list());
        assert!(items.iter().all(|item| item.documentation.is_none()));
        assert_eq!(items[2].data, None);
        assert_eq!(withheld.resolve(items[1].clone()).documentation, item("b").documentation);
        assert_eq!(withheld.resolve(items[2].clone()).documentation, None);
        // Of an older list nothing is known any more.
        keep(list());
        assert_eq!(withheld.resolve(items[1].clone()).documentation, None);
    }

    #[test]
    fn clients_say_whether_they_ask() {
        let client = |json: serde_json::Value| resolves(&serde_json::from_value(json).unwrap_or_default());
        let item = |support: serde_json::Value| json!({ "completion": { "completionItem": support } });
        assert!(client(item(json!({ "resolveSupport": { "properties": ["detail", "documentation"] } }))));
        assert!(!client(item(json!({ "resolveSupport": { "properties": ["additionalTextEdits"] } }))));
        assert!(!client(item(json!({}))));
    }
}
