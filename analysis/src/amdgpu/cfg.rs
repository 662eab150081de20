//! Control flow of AMDGPU assembly, for showing it.

use super::Cx;
use crate::TextSize;
use crate::ide::Flow;

/// The graph of the function around an offset.
pub fn flow(_cx: &Cx<'_>, _at: TextSize) -> Option<Flow> {
    None
}
