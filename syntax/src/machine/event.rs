//! What a grammar does, as the parser records it and the tree is built from it.

/// What the grammar did, in order. `Open.forward` links a node to one that was opened later around it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event<K> {
    Open {
        kind: K,
        forward: u32,
    },
    Close,
    /// The significant token with this index was consumed.
    Token(u32),
    Abandoned,
}
