//! Helpers that need no part of Wavelens: missing tools, verdicts of reference tools, a protocol client, generated inputs, damage, the features of editors.

pub mod client;
pub mod damage;
pub mod features;
pub mod macros;
pub mod random;
pub mod reference;
pub mod required;
pub mod texts;
