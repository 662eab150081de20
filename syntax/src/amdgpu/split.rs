//! Where chunks may start: at every line that is not inside a block which must be read as one.

use crate::machine::split::Line;

const COMMENT: u32 = 1 << 31;

/// Bits for the depth of open blocks of one kind.
const DEPTH: u32 = 24;

/// What opens blocks, and what ends them. Inside a block only its own words count.
const BLOCKS: &[(&[&str], &[&str])] = &[
    (&[".macro"], &[".endm", ".endmacro"]),
    (&[".rept", ".rep", ".irp", ".irpc"], &[".endr"]),
    (&[".amdhsa_kernel"], &[".end_amdhsa_kernel"]),
    (&[".amdgpu_metadata"], &[".end_amdgpu_metadata"]),
    (&[".amdgpu_pal_metadata"], &[".end_amdgpu_pal_metadata"]),
    (&[".amd_kernel_code_t"], &[".end_amd_kernel_code_t"]),
];

/// See [`crate::machine::split::LineRule`]. The state is the kind and the depth of open blocks, and whether a comment is open.
pub(crate) fn line_rule(state: u32, line: &str) -> (Line, u32) {
    let class = if state == 0 { Line::Boundary } else { Line::Inside };
    let mut blocks = state & !COMMENT;
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
        blocks = after_word(blocks, word.get(..end).unwrap_or(""));
    }
    let open = opens_comment(rest);
    (class, blocks | if open { COMMENT } else { 0 })
}

fn after_word(blocks: u32, word: &str) -> u32 {
    if blocks == 0 {
        let opened = (0..).zip(BLOCKS).find(|(_, (open, _))| open.contains(&word));
        return opened.map_or(0, |(kind, _)| kind << DEPTH | 1);
    }
    match BLOCKS.get((blocks >> DEPTH) as usize) {
        Some((open, _)) if open.contains(&word) => blocks + 1,
        Some((_, end)) if !end.contains(&word) => blocks,
        _ if blocks & ((1 << DEPTH) - 1) > 1 => blocks - 1,
        _ => 0,
    }
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
