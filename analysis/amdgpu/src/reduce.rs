//! What a reduction takes out of AMDGPU assembly so that the rest can be read.

use wavelens_syntax::TextRange;

use super::assembler::outline_text::block_end;
use wavelens_base::TextSize;
use wavelens_base::reduction_unit::{Stage, Unit, removal};

/// Blocks go from their directive to its end, keys and entries of metadata with what is below them.
pub fn units(text: &str, stage: Stage) -> Vec<Unit> {
    let lines: Vec<Line<'_>> = text.split_inclusive('\n').map(|text| Line { text }).collect();
    let last = |first: usize| match stage {
        Stage::Functions => end_of_block(&lines, first),
        Stage::Blocks => last_below(&lines, first),
        Stage::Instructions | Stage::Values | Stage::Operands => None,
    };
    let mut start = TextSize::new(0);
    let mut units = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        if let Some(last) = last(first) {
            let size = lines.iter().take(last + 1).skip(first).map(|line| TextSize::of(line.text)).sum();
            units.push(removal(TextRange::at(start, size)));
        }
        start += TextSize::of(line.text);
    }
    units
}

/// With its break.
struct Line<'t> {
    text: &'t str,
}

impl<'t> Line<'t> {
    /// The directive, or whatever is first.
    fn word(&self) -> &'t str {
        self.text.split_whitespace().next().unwrap_or("")
    }

    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// An entry of a list in YAML.
    fn is_entry(&self) -> bool {
        self.word() == "-"
    }
}

/// The line that ends the block which a line begins.
fn end_of_block(lines: &[Line<'_>], first: usize) -> Option<usize> {
    let word = lines.get(first)?.word();
    let is_condition = |word: &str| word.starts_with(".if");
    let ends = match is_condition(word) {
        true => &[".endif"],
        false => block_end(word),
    };
    let mut depth = 0;
    for (at, line) in lines.iter().enumerate().skip(first).filter(|_| !ends.is_empty()) {
        let begins = match is_condition(word) {
            true => is_condition(line.word()),
            false => block_end(line.word()) == ends,
        };
        depth += usize::from(begins);
        depth -= usize::from(ends.contains(&line.word()));
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The last line below a key of metadata, or in an entry; none where nothing is.
fn last_below(lines: &[Line<'_>], first: usize) -> Option<usize> {
    let line = lines.get(first)?;
    let is_key = line.is_entry() || line.text.trim_end().ends_with(':') && !line.word().starts_with(".end");
    let is_below = |other: &Line<'_>| {
        other.indent() > line.indent()
            || other.indent() == line.indent() && other.is_entry() && !line.is_entry()
    };
    let below = lines.iter().skip(first + 1).take_while(|other| is_below(other)).count();
    (is_key && below > 0).then_some(first + below)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use wavelens_base::TextEdit;

    /// What each unit takes out.
    fn removed(text: &str, stage: Stage) -> String {
        let ranges = units(text, stage).into_iter().flatten().map(|edit: TextEdit| edit.range);
        ranges.map(|range| format!("{:?}\n", &text[std::ops::Range::<usize>::from(range)])).collect()
    }

    #[test]
    fn blocks_go_with_their_end() {
        let text = ".amdhsa_kernel f\n  .amdhsa_next_free_vgpr 1\n.end_amdhsa_kernel\n.if 1\n.if 2\n.endif\ns_nop 0\n.endif\n\
            .rept 2\n";
        expect![[r#"
            ".amdhsa_kernel f\n  .amdhsa_next_free_vgpr 1\n.end_amdhsa_kernel\n"
            ".if 1\n.if 2\n.endif\ns_nop 0\n.endif\n"
            ".if 2\n.endif\n"
        "#]]
        .assert_eq(&removed(text, Stage::Functions));
    }

    #[test]
    fn entries_of_metadata_go_with_what_is_below_them() {
        let text = ".amdgpu_metadata\namdhsa.kernels:\n- .name: f\n  .args:\n    - .size: 4\n  .symbol: f.kd\n- .name: g\n\
            amdhsa.version:\n  - 1\n.end_amdgpu_metadata\nf:\n  s_endpgm\n";
        expect![[r#"
            "amdhsa.kernels:\n- .name: f\n  .args:\n    - .size: 4\n  .symbol: f.kd\n- .name: g\n"
            "- .name: f\n  .args:\n    - .size: 4\n  .symbol: f.kd\n"
            "  .args:\n    - .size: 4\n"
            "amdhsa.version:\n  - 1\n"
            "f:\n  s_endpgm\n"
        "#]]
        .assert_eq(&removed(text, Stage::Blocks));
    }
}
