//! Reading the assembly that `llc` prints: line directives become a map, debug sections go.

/// Assembly without what only carried information, and where its lines came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapped {
    pub text: String,
    /// Pairs of a line of `text` and a source line, both counted from 0.
    pub lines: Vec<(u32, u32)>,
}

/// The column that marks a debug location as ours: the greatest that fits, which no front end writes.
pub const LINE_MARK: u32 = 65_535;

/// Takes `.loc` and `.file` directives and debug sections out. Instructions that the compiler gives no line of ours (spills,
/// prologues) belong to the next instruction of their function that has one, or else to the last.
pub fn map_lines(assembly: &str) -> Mapped {
    let mut mapped = Mapped::default();
    let (mut source, mut in_debug, mut line_number) = (None, false, 0u32);
    // Instructions without a line so far, each with the last line before it.
    let (mut unplaced, mut last): (Vec<(u32, Option<u32>)>, _) = (Vec::new(), None);
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
            (last, source) = (None, None);
            settle(&mut unplaced, None, &mut mapped.lines);
        }
        if is_instruction(word) {
            match source {
                Some(source) => {
                    settle(&mut unplaced, Some(source), &mut mapped.lines);
                    mapped.lines.push((line_number, source));
                    last = Some(source);
                }
                None => unplaced.push((line_number, last)),
            }
        }
        mapped.text.push_str(line);
        mapped.text.push('\n');
        line_number += 1;
    }
    settle(&mut unplaced, None, &mut mapped.lines);
    mapped
}

/// Gives instructions without a line the next one's, or the last one's where none follows.
fn settle(unplaced: &mut Vec<(u32, Option<u32>)>, next: Option<u32>, lines: &mut Vec<(u32, u32)>) {
    lines.extend(unplaced.drain(..).filter_map(|(at, last)| Some((at, next.or(last)?))));
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
            "k:\n\ts_first\n\t.loc\t1 5 65535\n\ts_nop 0\n.Ltmp0:\n\t.loc\t1 9 3\n\tv_nop\n\t.section\t.debug_line\nx\n\t.text\nend:\n",
        );
        assert_eq!(mapped.text, "k:\n\ts_first\n\ts_nop 0\n\tv_nop\n\t.text\nend:\n");
        assert_eq!(mapped.lines, [(1, 4), (2, 4), (3, 4)]);
    }
}
