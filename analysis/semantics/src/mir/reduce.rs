//! What a reduction takes out of Machine IR so that the rest stays readable.

use wavelens_syntax::{TextRange, TextSize};

use crate::TextEdit;
use crate::reduction_unit::{Stage, Unit};

/// Instructions that define something become `IMPLICIT_DEF`, so that the uses keep their definition.
pub(crate) fn units(text: &str, stage: Stage) -> Vec<Unit> {
    if stage != Stage::Instructions {
        return Vec::new();
    }
    let mut units = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with(['%', '$'])
            && let Some((results, instruction)) = line.split_once(" = ")
            && !instruction.starts_with("IMPLICIT_DEF")
        {
            let from = start + results.len() + " = ".len();
            let range = TextRange::at(size(from), TextSize::of(instruction.trim_end()));
            units.push(vec![TextEdit::new(range, "IMPLICIT_DEF")]);
        }
        start += line.len();
    }
    units
}

fn size(bytes: usize) -> TextSize {
    TextSize::new(u32::try_from(bytes).unwrap_or(u32::MAX))
}
