//! Code actions in SPIR-V assembly, beyond the fixes of findings.

mod declare;
mod modernise;
mod name;
mod operator;
mod order;
mod unused;

use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_check::dialect::Lowered;
use wavelens_spirv::code::Inst;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::rules::layout;
use wavelens_syntax::spirv::tables::Op;

use super::Cx;
use super::place::{inst_at, module};
use crate::answers::Action;

/// What can be changed at a range of the chunk.
pub fn actions(cx: &Cx<'_>, range: TextRange) -> Vec<Action> {
    let Some(index) = inst_at(cx, range.start()) else { return Vec::new() };
    let m = module(cx);
    let Some(inst) = m.inst(m.first + index as u32) else { return Vec::new() };
    let here = Here { cx, m: &m, inst, index, at: range.start() };
    let mut found: Vec<Action> = operator::action(&here).into_iter().collect();
    found.extend(declare::actions(&here));
    found.extend(name::action(&here));
    found.extend(modernise::actions(&here));
    found.extend(unused::action(&here));
    found.extend(order::action(&here));
    found
}

/// The instruction at the cursor.
struct Here<'a> {
    cx: &'a Cx<'a>,
    m: &'a RuleContext<'a>,
    inst: Inst<'a>,
    /// Index in the chunk.
    index: usize,
    at: TextSize,
}

impl<'a> Here<'a> {
    /// The instruction's range in the chunk.
    fn range(&self) -> TextRange {
        self.cx.lowered.inst_ranges.get(self.index).copied().unwrap_or_default()
    }

    fn insert(&self, op: Op, text: &str) -> Option<TextEdit> {
        insertion(self.cx, op, text)
    }
}

/// The file range of an instruction of the scope's code, and the text of its chunk with the chunk's start.
fn of_scope<'a>(cx: &Cx<'a>, at: u32) -> Option<(TextRange, &'a str, TextSize)> {
    let (chunk, item) = *cx.scope.origin.get(at as usize)?;
    let (index, chunk) = cx.other(chunk)?;
    let Lowered::Spirv(lowered) = cx.view.lowered(chunk) else { return None };
    let start = cx.view.start(index);
    let range = *lowered.inst_ranges.get(item as usize)?;
    Some((range + start, cx.view.text(chunk), start))
}

/// Puts an instruction where the module's layout wants it: after the last of its part, or of the parts before.
pub(super) fn insertion(cx: &Cx<'_>, op: Op, text: &str) -> Option<TextEdit> {
    let rank = layout::rank(op)?;
    let ranked = || cx.scope.code.iter().map_while(|i| layout::rank(i.op()).map(|r| (i.at, r)));
    let same = ranked().filter(|(_, r)| *r == rank).last();
    let before = || ranked().take_while(|(_, r)| *r <= rank).last();
    if let Some((at, _)) = same.or_else(before) {
        let (range, chunk, start) = of_scope(cx, at)?;
        let end = line_end(chunk, range.end() - start);
        let text = format!("\n{}{text}", indentation(chunk, range.start() - start));
        return Some(TextEdit { range: TextRange::empty(end + start), text });
    }
    let (range, chunk, start) = of_scope(cx, 0)?;
    let text = format!("{text}\n{}", indentation(chunk, range.start() - start));
    Some(TextEdit { range: TextRange::empty(range.start()), text })
}

/// The white space in front of a line's first instruction.
fn indentation(text: &str, at: TextSize) -> &str {
    let before = text.get(..usize::from(at)).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.split(|c: char| !c.is_whitespace()).next().unwrap_or("")
}

/// Where the line of an instruction ends, after a comment; where the instruction ends if another follows on the line.
fn line_end(text: &str, end: TextSize) -> TextSize {
    let rest = text.get(usize::from(end)..).unwrap_or("");
    let line = rest.split('\n').next().unwrap_or("").trim_end_matches('\r');
    match line.trim_start().chars().next() {
        None => end,
        Some(';') => end + TextSize::of(line),
        Some(_) => end,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::Expect;
    use wavelens_base::{Dialect, TextRange};

    use crate::features;
    use crate::features::tests::{at_cursor, edited};

    /// The titles of the actions at `$0`, and what the one that holds `title` makes of the text.
    pub(crate) fn check(title: &str, fixture: &str, expected: Expect) {
        let out = at_cursor(Dialect::Spirv, fixture, |view, at| {
            let actions = features::actions(view, TextRange::empty(at));
            let mut out = String::new();
            for action in &actions {
                let _ = writeln!(out, "[{:?}] {}", action.kind, action.title);
            }
            if let Some(action) = actions.into_iter().find(|a| a.title.contains(title)) {
                let _ = write!(out, "---\n{}", edited(view, action.edits));
            }
            out
        });
        expected.assert_eq(&out);
    }
}
