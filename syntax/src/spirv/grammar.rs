//! The grammar.

use super::SpirvKind;
use crate::machine::Parser;

pub(super) fn chunk(p: &mut Parser<'_, SpirvKind>) {
    while !p.at_end() {
        p.bump();
    }
}
