//! Facts that Khronos' grammar does not have.

pub(crate) mod extensions;
