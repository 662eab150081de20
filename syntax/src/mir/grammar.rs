//! The grammar.

use super::MirKind;
use crate::machine::Parser;

pub(super) fn chunk(p: &mut Parser<'_, MirKind>) {
    while !p.at_end() {
        p.bump();
    }
}
