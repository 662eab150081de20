//! What LLVM 22 defines by name: intrinsics and attributes. Generated data, and how to ask it.
//!
//! A generated file imports the types of its rows from the file that asks it, which imports the rows.

mod attribute_data;
pub mod attributes;
mod debug_word_data;
pub mod debug_words;
mod intrinsic_data;
mod intrinsic_words;
pub mod intrinsics;
pub(crate) mod language_levels;
pub mod selection;

pub use attributes::Attribute;
pub use intrinsics::Intrinsic;
