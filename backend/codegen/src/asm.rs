//! Reading the assembly that `llc` prints: line directives become a map, debug sections go.

use crate::report::IsaLine;

/// Assembly without what only carried information, and where its instructions came from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mapped {
    /// The assembly without what only the object writer needs.
    pub text: String,
    /// Its instructions.
    pub lines: Vec<IsaLine>,
}

/// The column that marks a debug location as ours: the greatest that fits, which no front end writes.
pub const LINE_MARK: u32 = 65_535;

/// Takes `.loc` and `.file` directives and debug sections out. An instruction without a line of ours (prologues, spills, what
/// scheduling inserts, code merged from several lines) stays without one.
pub fn map_lines(assembly: &str) -> Mapped {
    let mut mapped = Mapped::default();
    let (mut source, mut in_debug, mut line_number) = (None, false, 0u32);
    for line in assembly.lines() {
        let word = line.trim_start();
        if let Some(rest) = word.strip_prefix(".section") {
            in_debug = rest.trim_start().trim_start_matches('"').starts_with(".debug");
        } else if [".text", ".data", ".amdgpu_metadata"].iter().any(|s| word.starts_with(s)) {
            in_debug = false;
        }
        if in_debug || word.starts_with(".file") || word.starts_with(".cfi_") {
            continue;
        }
        if let Some(rest) = word.strip_prefix(".loc") {
            let mut numbers = rest.split_whitespace().skip(1).map_while(|n| n.parse::<u32>().ok());
            let (line, column) = (numbers.next(), numbers.next());
            source = line.filter(|_| column == Some(LINE_MARK)).and_then(|n| n.checked_sub(1));
            continue;
        }
        // Labels that only line tables use.
        if word.starts_with(".Ltmp") || word.starts_with(".Lfunc_begin") {
            continue;
        }
        if word.starts_with(".Lfunc_end") || word.starts_with(".size") {
            source = None;
        }
        if is_instruction(word) {
            mapped.lines.push(IsaLine { line: line_number, source, ..IsaLine::default() });
        }
        mapped.text.push_str(line);
        mapped.text.push('\n');
        line_number += 1;
    }
    mapped
}

/// Whether a trimmed line holds an instruction: neither directive, comment nor label.
pub fn is_instruction(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_alphabetic())
        && !line.split([' ', '\t', ';']).next().is_some_and(|w| w.ends_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_become_a_map() {
        let mapped = map_lines(
            "k:\n\ts_first\n\t.loc\t1 5 65535\n\ts_nop 0\n.Ltmp0:\n\t.loc\t1 0 65535\n\ts_spill\n\t.loc\t1 9 3\n\tv_nop\n\t.section\t.debug_line\nx\n\t.text\nend:\n",
        );
        assert_eq!(mapped.text, "k:\n\ts_first\n\ts_nop 0\n\ts_spill\n\tv_nop\n\t.text\nend:\n");
        let lines: Vec<_> = mapped.lines.iter().map(|l| (l.line, l.source)).collect();
        assert_eq!(lines, [(1, None), (2, Some(4)), (3, None), (4, None)]);
    }
}
