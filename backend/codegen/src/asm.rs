//! Reading the assembly that `llc` prints: line directives become a map, debug sections go.

/// Assembly without what only carried information, and where its lines came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapped {
    pub text: String,
    /// Pairs of a line of `text` and a source line, both counted from 0.
    pub lines: Vec<(u32, u32)>,
}

/// Takes `.loc` and `.file` directives and debug sections out. Lines that `.loc` gives as 0 have no source.
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
            let number = rest.split_whitespace().nth(1).and_then(|n| n.parse::<u32>().ok());
            source = number.and_then(|n| n.checked_sub(1));
            continue;
        }
        // Labels that only line tables use.
        if word.starts_with(".Ltmp") || word.starts_with(".Lfunc_begin") {
            continue;
        }
        if word.starts_with(".Lfunc_end") || word.starts_with(".size") {
            source = None;
        }
        if let Some(source) = source.filter(|_| is_instruction(word)) {
            mapped.lines.push((line_number, source));
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
            "k:\n\t.loc\t1 5 0\n\ts_nop 0\n.Ltmp0:\n\t.loc\t1 7 3 is_stmt 0\n\tv_nop\n\t.section\t.debug_line\nx\n\t.text\nend:\n",
        );
        assert_eq!(mapped.text, "k:\n\ts_nop 0\n\tv_nop\n\t.text\nend:\n");
        assert_eq!(mapped.lines, [(1, 4), (2, 6)]);
    }
}
