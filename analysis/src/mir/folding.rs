//! Folding of Machine IR.

use super::Cx;
use crate::ide::Fold;

pub fn folds(_cx: &Cx<'_>) -> Vec<Fold> {
    Vec::new()
}
