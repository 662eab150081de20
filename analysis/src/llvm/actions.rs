//! Code actions in LLVM IR, beyond the fixes of findings.

use super::Cx;
use crate::TextRange;
use crate::ide::Action;

pub fn actions(_cx: &Cx<'_>, _range: TextRange) -> Vec<Action> {
    Vec::new()
}
