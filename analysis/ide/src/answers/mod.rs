//! What answers for editors are made of: what a dialect may read ([`ChunkCx`]) and what it returns.
//!
//! The dialects answer with these types for one chunk; the drivers in [`features`](crate::features) ask them and move the
//! answers into the file. Neither side imports the other.

mod actions;
mod completion;
mod context;
mod flow;
mod folding;
mod hints;
mod hover;
mod live;
mod occurrence;
mod outline;
mod signature;
mod source;
mod tokens;
mod trace;

pub use actions::{Action, ActionKind};
pub use completion::{Completion, CompletionKind, Completions};
pub use context::ChunkCx;
pub use flow::{Flow, FlowEdge, FlowNode};
pub use folding::{Fold, FoldKind};
pub use hints::{Hint, HintKind};
pub use hover::Hover;
pub use live::{LiveMap, LiveRegister};
pub use occurrence::{Occurrence, Role, Space, SymbolKey};
pub use outline::{Symbol, SymbolKind};
pub use signature::Signature;
pub use source::{EmbeddedText, SourcePlace};
pub use tokens::{TokenKind, TokenModifiers, TokenSpan};
pub use trace::{Additions, Subject, TraceQuery};
pub(crate) use trace::{Carrier, Item, Numbers, State, VARIABLE};
