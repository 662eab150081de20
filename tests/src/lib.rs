//! Helpers for whole-program tests.

pub mod random;
