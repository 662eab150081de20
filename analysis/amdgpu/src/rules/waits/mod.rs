//! Waits for memory operations, one rule a file, over what is pending at each instruction ([`pending`]).

pub(super) mod async_copy_wait;
pub(super) mod barrier_wait;
mod halves;
#[cfg(test)]
mod hidden_tests;
pub(super) mod lds_copy_wait;
pub(super) mod missing_alu_wait;
pub(crate) mod missing_wait;
pub(super) mod overwritten_load;
mod pending;
#[cfg(test)]
mod tests;
mod wave_part;
