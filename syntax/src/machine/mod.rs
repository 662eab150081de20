//! The parser machine that all grammars share: kinds, tokens, flat trees, green trees, and the splitter.
//!
//! A dialect's lexer fills [`Lexed`]; its grammar drives a [`Parser`], which makes a [`Parse`]: a flat pre-order tree over
//! the tokens. Lowering reads the flat tree; what shows or edits text asks for the rowan tree ([`Parse::green`]).

mod kind;
mod lexed;
mod parser;
pub mod split;
mod tree;
mod words;

pub use kind::Kind;
pub(crate) use kind::kinds;
pub use lexed::Lexed;
pub use parser::{Marker, Parser};
pub use tree::{Element, Node, Parse, Token};
pub use words::Words;
