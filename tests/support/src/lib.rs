//! Helpers that need no part of Wavelens: missing tools, a protocol client, generated inputs, damage.

pub mod client;
pub mod damage;
pub mod macros;
pub mod random;
pub mod required;
