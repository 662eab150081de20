//! Where chunks may start.

use crate::machine::split::Line;

/// See [`crate::machine::split::LineRule`].
pub(crate) fn line_rule(_state: u32, _line: &str) -> (Line, u32) {
    (Line::Boundary, 0)
}
