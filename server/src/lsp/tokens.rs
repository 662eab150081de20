//! Semantic tokens on the wire: relative positions, and the difference to what was sent before.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lsp_types::{SemanticToken, SemanticTokensEdit};
use wavelens_ide::features::TokenSpan;

use super::capabilities::modifier_bits;
use super::snapshot::DocumentView;

/// Tokens as they went to a client.
type Encoded = Arc<Vec<SemanticToken>>;

/// What was last sent for each document, by its URI.
#[derive(Debug, Default)]
pub(super) struct Sent {
    next: AtomicU64,
    last: Mutex<HashMap<String, (String, Encoded)>>,
}

impl Sent {
    /// Keeps what is sent now; its result id, and what was sent before if its id is `previous`.
    pub(super) fn exchange(&self, uri: &str, tokens: Encoded, previous: &str) -> (String, Option<Encoded>) {
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let before = last.insert(uri.to_owned(), (id.clone(), tokens));
        (id, before.filter(|(id, _)| id == previous).map(|(_, tokens)| tokens))
    }

    pub(super) fn forget(&self, uri: &str) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }
}

pub(super) fn encode(document: &DocumentView, spans: &[TokenSpan]) -> Vec<SemanticToken> {
    let positions = &document.positions;
    let mut tokens = Vec::with_capacity(spans.len());
    let (mut line, mut character) = (0, 0);
    for span in spans {
        let range = positions.range(span.range);
        // Clients do not take tokens over several lines.
        if range.start.line != range.end.line || range.start >= range.end {
            continue;
        }
        let start = range.start;
        let same_line = start.line == line;
        if start.line < line || (same_line && start.character < character) {
            continue;
        }
        tokens.push(SemanticToken {
            delta_line: start.line - line,
            delta_start: if same_line { start.character - character } else { start.character },
            length: range.end.character - start.character,
            token_type: span.kind as u32,
            token_modifiers_bitset: modifier_bits(span.kind, span.modifiers),
        });
        (line, character) = (start.line, start.character);
    }
    tokens
}

/// One edit that makes `old` into `new`, in the protocol's units of five numbers a token.
pub(super) fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.get(front..).unwrap_or(&[]), new.get(front..).unwrap_or(&[]));
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let deleted = old_rest.len() - back;
    let inserted = new_rest.get(..new_rest.len() - back).unwrap_or(&[]);
    if deleted == 0 && inserted.is_empty() {
        return Vec::new();
    }
    vec![SemanticTokensEdit {
        start: front as u32 * 5,
        delete_count: deleted as u32 * 5,
        data: Some(inserted.to_vec()),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(length: u32) -> SemanticToken {
        SemanticToken { delta_line: 1, delta_start: 0, length, token_type: 0, token_modifiers_bitset: 0 }
    }

    #[test]
    fn the_difference_is_the_middle() {
        let old: Vec<_> = [1, 2, 3, 4].map(token).to_vec();
        let new: Vec<_> = [1, 9, 9, 3, 4].map(token).to_vec();
        let edits = difference(&old, &new);
        assert_eq!((edits[0].start, edits[0].delete_count), (5, 5));
        assert_eq!(edits[0].data.as_ref().map(Vec::len), Some(2));
        assert!(difference(&old, &old).is_empty());
    }
}
