//! Where chunks may start: at each YAML document, and inside the embedded IR wherever the LLVM dialect says.

use super::{BYTE_ORDER_MARK, is_block_header};
use crate::machine::split::Line;

/// Inside a YAML document.
const YAML: u32 = 1;
/// After `...`: what follows is another document, even without `---`.
const ENDED: u32 = 2;
/// After `---` alone: a function or the embedded IR follows.
const BEGUN: u32 = 3;
/// Inside the embedded IR; the LLVM rule's state is in the lower bits.
const IR: u32 = 1 << 31;

/// See [`crate::machine::split::LineRule`].
pub(crate) fn line_rule(state: u32, line: &str) -> (Line, u32) {
    let line = if state == 0 { line.trim_start_matches(BYTE_ORDER_MARK) } else { line };
    if let Some(rest) =
        line.strip_prefix("---").filter(|r| r.is_empty() || r.starts_with([' ', '\t', '\r', '\n']))
    {
        let state = match rest.trim() {
            "" => BEGUN,
            comment if comment.starts_with('#') => BEGUN,
            content if is_block_header(content) => IR,
            _ => YAML,
        };
        return (Line::Start, state);
    }
    let blank = line.trim_start_matches([' ', '\t', '\r', '\n']).is_empty();
    let indented = line.starts_with([' ', '\t']);
    let ends =
        line.strip_prefix("...").is_some_and(|r| r.is_empty() || r.starts_with([' ', '\t', '\r', '\n']));
    match state {
        _ if ends && state != 0 => (Line::Inside, ENDED),
        ENDED if blank || line.starts_with('#') => (Line::Inside, ENDED),
        // A chunk that begins with an indented line is one of the embedded IR.
        ENDED if indented => (Line::Inside, YAML),
        ENDED => (Line::Start, YAML),
        0 if blank || line.trim_start_matches([' ', '\t']).starts_with('#') => (Line::Inside, 0),
        BEGUN if blank || line.trim_start_matches([' ', '\t']).starts_with('#') => (Line::Inside, BEGUN),
        0 | BEGUN if is_block_header(line.trim()) => (Line::Inside, IR),
        0 if !indented => (Line::Inside, YAML),
        YAML | BEGUN => (Line::Inside, YAML),
        _ if blank => (Line::Inside, state),
        _ if !indented => (Line::Inside, YAML),
        _ => {
            let line = line.strip_prefix("  ").unwrap_or(line);
            let (class, inner) = crate::llvm::split::line_rule(state & !IR, line);
            (class, inner & !IR | IR)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn documents_start_after_an_end_without_dashes() {
        let text = "---\nname: f\n...\n# g\nname: g\nbody: |\n  bb.0:\n...\n...\n---\nname: h\n";
        let spans = crate::machine::split::split(crate::machine::split::Lines::each(super::line_rule), text);
        let starts: Vec<_> =
            spans.iter().map(|s| text[usize::from(s.range.start())..].lines().next()).collect();
        assert_eq!(starts, [Some("---"), Some("name: g"), Some("---")]);
    }

    #[test]
    fn the_module_may_begin_below_the_dashes() {
        for header in ["--- |", "---\n|", "--- # a\n\n  |- # b", "|"] {
            let text = format!(
                "{header}\n  define void @f() {{\n    ret void\n  }}\n\n  define void @g() {{\n    ret void\n  }}\n...\n---\n# h\nname: h\n"
            );
            let spans =
                crate::machine::split::split(crate::machine::split::Lines::each(super::line_rule), &text);
            let chunks: Vec<&str> = spans.iter().map(|s| &text[s.range]).collect();
            let kinds: Vec<_> = chunks.iter().map(|chunk| super::super::chunk_kind(chunk)).collect();
            use super::super::ChunkKind::{Function, IrMore, IrStart};
            assert_eq!(kinds, [IrStart, IrMore, IrMore, Function], "{header}");
        }
    }
}
