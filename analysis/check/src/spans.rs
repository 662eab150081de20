//! Where the chunks of a text are, found on all cores.

use wavelens_syntax::{ChunkSpan, resplit};

use wavelens_base::{Dialect, TextSize, sizes};

/// The chunks that [`wavelens_syntax::split`] finds.
pub(crate) fn split(dialect: Dialect, text: &str) -> Vec<ChunkSpan> {
    match middle(text) {
        Some(middle) => join(dialect, text, middle, split),
        None => wavelens_syntax::split(dialect, text),
    }
}

/// The first line start in the second half of a large text, before its end.
fn middle(text: &str) -> Option<usize> {
    let half = text.len() / 2;
    let lines = text.as_bytes().get(half..).filter(|_| text.len() > sizes::SPLIT)?;
    let middle = half + lines.iter().position(|byte| *byte == b'\n')? + 1;
    (middle < text.len()).then_some(middle)
}

/// Splits what is before and after a line start. The second part begins as if a chunk did: if none does, the last chunk of the first part
/// goes on, up to the first place where both parts would start one.
fn join(
    dialect: Dialect,
    text: &str,
    middle: usize,
    split: impl Fn(Dialect, &str) -> Vec<ChunkSpan> + Sync,
) -> Vec<ChunkSpan> {
    let (front, back) = text.split_at(middle);
    let (mut spans, mut rest) = rayon::join(|| split(dialect, front), || split(dialect, back));
    let shift = |spans: &mut [ChunkSpan], by: TextSize| spans.iter_mut().for_each(|span| span.range += by);
    shift(&mut rest, TextSize::new(middle as u32));
    let last = spans.pop().map_or(TextSize::new(0), |span| span.range.start());
    let open = text.get(last.into()..).unwrap_or_default();
    let starts: Vec<TextSize> = rest.iter().map(|span| span.range.start() - last).collect();
    let (mut between, agreed) = resplit(dialect, open, &starts);
    shift(&mut between, last);
    spans.extend(between);
    if let Some(agreed) = agreed {
        spans.extend(rest.into_iter().skip_while(|span| span.range.start() < last + agreed));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavelens_base::TextRange;

    #[test]
    fn parts_are_joined_where_both_start_a_chunk() {
        for dialect in Dialect::ALL {
            let rules = crate::dialect::rules(dialect);
            let text: String = rules.iter().flat_map(|rule| [rule.example, "\n", rule.fixed, "\n"]).collect();
            let text = format!("{text}; \"\n{text}\"\n{text}");
            let whole = wavelens_syntax::split(dialect, &text);
            let lines = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len());
            let lines: Vec<usize> = lines.collect();
            for middle in lines.iter().step_by(lines.len() / 300 + 1) {
                let joined = join(dialect, &text, *middle, wavelens_syntax::split);
                assert_eq!(joined, whole, "{dialect:?} {middle}");
            }
        }
    }

    #[test]
    fn large_texts_are_split_as_others() {
        let function = "define void @f() {\n  ret void\n}\n\n";
        let text = function.repeat(3 * sizes::SPLIT / function.len());
        assert_eq!(split(Dialect::Llvm, &text), wavelens_syntax::split(Dialect::Llvm, &text));
        let line = "x".repeat(2 * sizes::SPLIT);
        for text in [line.clone(), format!("{line}\n"), format!("{line}\n{line}\n"), format!("\n{line}")] {
            assert_eq!(split(Dialect::Spirv, &text), wavelens_syntax::split(Dialect::Spirv, &text));
        }
        assert_eq!(split(Dialect::Mir, "").first().map(|span| span.range), Some(TextRange::default()));
    }
}
