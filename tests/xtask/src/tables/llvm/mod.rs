//! Tables of LLVM IR, from the descriptions in LLVM 22's headers.

mod attributes;
mod debug_words;
mod intrinsics;
mod records;
mod signature;

use super::{Made, Sources};
use crate::Outcome;

const NOTE: &str =
    "Derived from LLVM 22 (Apache-2.0 WITH LLVM-exception) by `cargo xtask tables`; do not edit.";

pub(crate) fn make(sources: &Sources) -> Outcome<Vec<Made>> {
    let mut made = intrinsics::make(sources)?;
    made.push(attributes::make(sources)?);
    made.push(debug_words::make(sources)?);
    Ok(made)
}
