//! Helpers for whole-program tests.

pub mod client;
pub mod random;
