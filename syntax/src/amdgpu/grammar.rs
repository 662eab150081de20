//! The grammar.

use super::AmdgpuKind;
use crate::machine::Parser;

pub(super) fn chunk(p: &mut Parser<'_, AmdgpuKind>) {
    while !p.at_end() {
        p.bump();
    }
}
