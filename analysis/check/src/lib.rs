//! What is wrong with a text of any dialect. Plain functions, no salsa.
//!
//! Every dialect offers the same plain functions (lower, summarize, scope, check); [`dialect`] chooses among them. The
//! command line calls them through [`check_text`], the server through the salsa queries of `wavelens-ide`. Ranges are byte
//! offsets. Nothing here knows the protocol.

#![warn(missing_docs)]

mod allowed;
#[cfg(test)]
mod cascade_tests;
pub mod check;
#[cfg(test)]
mod declaration_tests;
pub mod dialect;
pub mod disassemble;
pub mod documentation;
pub mod encode;
mod invisible;
#[cfg(test)]
mod parts_tests;
mod producer;
pub mod project;
pub mod reduce;
pub mod runs;
mod spans;
pub mod stages;
mod template;
pub mod testing;

pub use check::{TestMarks, check_text, is_checked_once};
