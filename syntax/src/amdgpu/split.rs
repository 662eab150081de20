//! Where chunks may start: at every line that is not inside a block which must be read as one.

use crate::machine::split::Line;

const COMMENT: u32 = 1 << 31;

/// See [`crate::machine::split::LineRule`]. The state is the depth of open blocks, and whether a comment is open.
pub(crate) fn line_rule(state: u32, line: &str) -> (Line, u32) {
    let class = if state == 0 { Line::Boundary } else { Line::Inside };
    let mut depth = state & !COMMENT;
    let mut rest = line;
    if state & COMMENT != 0 {
        match rest.split_once("*/") {
            Some((_, after)) => rest = after,
            None => return (Line::Inside, state),
        }
    }
    let word = rest.trim_start();
    if word.starts_with('.') {
        let end =
            word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(word.len());
        match word.get(..end).unwrap_or("") {
            ".macro"
            | ".rept"
            | ".rep"
            | ".irp"
            | ".irpc"
            | ".amdhsa_kernel"
            | ".amdgpu_metadata"
            | ".amd_kernel_code_t"
            | ".amdgpu_pal_metadata" => depth += 1,
            ".endm"
            | ".endmacro"
            | ".endr"
            | ".end_amdhsa_kernel"
            | ".end_amdgpu_metadata"
            | ".end_amd_kernel_code_t"
            | ".end_amdgpu_pal_metadata" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let open = opens_comment(rest);
    (class, depth | if open { COMMENT } else { 0 })
}

/// Whether a `/*` that begins on this line does not end on it.
fn opens_comment(line: &str) -> bool {
    let mut rest = line;
    while let Some(at) = rest.find(['/', ';', '"']) {
        let tail = rest.get(at..).unwrap_or("");
        if tail.starts_with("/*") {
            match tail.get(2..).and_then(|t| t.split_once("*/")) {
                Some((_, after)) => rest = after,
                None => return true,
            }
        } else if tail.starts_with('"') {
            match tail.get(1..).and_then(|t| t.split_once('"')) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        } else if tail.starts_with(';') || tail.starts_with("//") {
            return false;
        } else {
            rest = tail.get(1..).unwrap_or("");
        }
    }
    false
}
