//! Helpers that need no part of Wavelens: missing tools, a protocol client, generated inputs.

pub mod client;
pub mod macros;
pub mod random;
pub mod required;
