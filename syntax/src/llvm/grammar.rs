//! The grammar.

use super::LlvmKind;
use crate::machine::Parser;

pub(super) fn chunk(p: &mut Parser<'_, LlvmKind>) {
    while !p.at_end() {
        p.bump();
    }
}
