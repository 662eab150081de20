//! What a wrong or missing operand may be: a value of the function that nothing uses, or another block.
//!
//! A use that was lost leaves its value without one. Each is tried, as other spellings are.

use wavelens_base::{Dialect, Finding, TextEdit, TextRange, TextSize};

use super::ask;
use super::respellings::{bare, line_around, repairs, slice, words, words_of};
use super::trial::Trial;
use crate::answers::{Action, Completion, CompletionKind};
use crate::db::View;

/// Changes that are tried for one finding.
const TRIED: usize = 8;

/// Changes that are offered: more are a guess.
const OFFERED: usize = 3;

/// The changes to another value or block with which an error is gone. `left` is how much text may be checked to try them, in bytes.
pub(super) fn others(
    view: View<'_>,
    finding: &Finding,
    trial: &Trial<'_>,
    left: &mut usize,
) -> Option<Vec<Action>> {
    let text = trial.text();
    let own = words_of(view.dialect(), text, finding.range);
    let replaced =
        own.into_iter().filter(|word| word.intersect(finding.range).is_some_and(|r| !r.is_empty()));
    let replaced = replaced.filter(|word| slice(text, *word).starts_with('%')).flat_map(|word| {
        let fitting = fitting(view, text, word).into_iter();
        fitting
            .map(move |other| (format!("Replace with `{}`", other.label), TextEdit::new(word, other.label)))
    });
    let added = added(view, text, finding).unwrap_or_default();
    let mut found = Vec::new();
    for (title, edit) in replaced.chain(added).take(TRIED) {
        view.db.unwind_if_revision_cancelled();
        *left = left.checked_sub(trial.cost(edit.range.start()))?;
        if repairs(finding, trial, &edit) {
            found.push(Action { likely: true, ..Action::in_file(title, vec![edit]).fixing(finding.clone()) });
        }
    }
    (found.len() <= OFFERED).then_some(found)
}

/// Lines of a block that are looked at for its name: its start may be far away.
const LONG: usize = 1000;

/// Blocks, and values that nothing uses, which completion proposes in place of a word.
fn fitting(view: View<'_>, text: &str, word: TextRange) -> Vec<Completion> {
    let Some((index, chunk, at)) = view.chunk_at(word.end()) else { return Vec::new() };
    let own = view.text(chunk);
    let times = |name: &str| words(view.dialect(), own).filter(|other| slice(own, *other) == name).count();
    let mut proposals = ask!(view, index, completion::complete(at)).unwrap_or_default();
    let block = own_block(view.dialect(), text, word);
    proposals.retain(|p| p.label.starts_with('%') && p.label != slice(text, word));
    // A branch back to where it is means an endless loop. Blocks of Machine IR can have a name after the number.
    let rest = |p: &Completion| block.and_then(|block| block.strip_prefix(p.label.strip_prefix('%')?));
    proposals.retain(|p| !rest(p).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')));
    proposals.retain(|p| match p.kind {
        // What several branches name is missing itself.
        CompletionKind::Label => times(slice(text, word)) == 1,
        CompletionKind::Local => times(&p.label) == 1,
        _ => false,
    });
    proposals.sort_by_key(|p| p.rank);
    proposals.truncate(TRIED);
    proposals
}

/// The name of the block that a place is in, if it has one.
fn own_block(dialect: Dialect, text: &str, place: TextRange) -> Option<&str> {
    let lines = text.get(..place.start().into())?.lines().rev().take(LONG).skip(1);
    let found = lines.filter_map(|line| block_name(dialect, line)).next()?;
    // `bb.1.name (machine-block-address-taken)`
    let end = found.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(found.len());
    found.get(..end)
}

/// What a block is called that a line begins.
fn block_name(dialect: Dialect, line: &str) -> Option<&str> {
    let line = line.split([';', '#']).next().unwrap_or_default().trim();
    match dialect {
        Dialect::Llvm => line.strip_suffix(':'),
        Dialect::Mir => line.starts_with("bb.").then(|| line.trim_end_matches(':')),
        Dialect::Spirv => line.strip_suffix("= OpLabel")?.trim_end().strip_prefix('%'),
        Dialect::Amdgpu => None,
    }
}

/// One operand more, after the last one of the instruction.
fn added(view: View<'_>, text: &str, finding: &Finding) -> Option<Vec<(String, TextEdit)>> {
    let dialect = view.dialect();
    let line = line_around(text, TextRange::empty(finding.range.start()));
    let written = slice(text, line);
    let end = match dialect {
        Dialect::Llvm => written.rfind(')')?,
        Dialect::Mir => {
            let more = [" ::", ", implicit", ", debug-location", " ;"];
            more.iter().filter_map(|word| written.find(word)).min().unwrap_or(written.len())
        }
        Dialect::Spirv => written.find(';').unwrap_or(written.len()),
        Dialect::Amdgpu => return None,
    };
    let operands = written.get(..end)?.trim_end();
    let last = words(dialect, operands).last().filter(|word| usize::from(word.end()) == operands.len())?;
    if !slice(operands, last).starts_with('%') || bare(operands, last).is_empty() {
        return None;
    }
    let at = line.start() + TextSize::of(operands);
    let separator = if dialect == Dialect::Spirv { " " } else { ", " };
    let add = |value: Completion| {
        let operand = match dialect {
            Dialect::Llvm => format!("{} {}", value.detail, value.label),
            _ => value.label,
        };
        (format!("Add `{operand}`"), TextEdit::new(TextRange::empty(at), format!("{separator}{operand}")))
    };
    let values = fitting(view, text, last + line.start()).into_iter();
    Some(values.filter(|value| value.kind == CompletionKind::Local).map(add).collect())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::features::trial;

    fn offered(dialect: Dialect, text: &str) -> String {
        trial::offered(dialect, text, |view, finding, trial| {
            others(view, finding, trial, &mut usize::MAX.clone()).unwrap_or_default()
        })
    }

    #[test]
    fn an_unused_value_is_the_missing_argument() {
        let text = "declare float @llvm.fmuladd.f32(float, float, float)\ndefine float @f(float %a, ptr %p, i32 %n) {\n  %x = load float, ptr %p\n  %s = call float @llvm.fmuladd.f32(float %a, float %a)\n  ret float %s\n}\n";
        expect![[r#"
            `@llvm.fmuladd.f32` is declared as `float (float, float, float)`, but called as `float (float, float)`
              Add `float %x`
        "#]].assert_eq(&offered(Dialect::Llvm, text));
        let body = |line: &str| {
            format!(
                "---\nname: f\nbody: |\n  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s64) = G_IMPLICIT_DEF\n    %2:_(s32) = G_IMPLICIT_DEF\n    {line}\n    S_ENDPGM 0, implicit %1, implicit %3\n...\n"
            )
        };
        expect![[r#"
            `G_FMA`: expected 4 operands, found 3
              Add `%2`
        "#]]
        .assert_eq(&offered(Dialect::Mir, &body("%3:_(s32) = G_FMA %0, %0")));
        expect![[r#"
            `%1` has type `s64`, but must have the type of `%3`, `s32`
              Replace with `%2`
        "#]]
        .assert_eq(&offered(Dialect::Mir, &body("%3:_(s32) = G_ADD %0, %1")));
    }

    #[test]
    fn another_block_is_meant() {
        let text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%b = OpTypeBool\n%c = OpConstantTrue %b\n%f = OpFunction %v None %t\n%entry = OpLabel\nOpSelectionMerge %30 None\nOpBranchConditional %c %then %exit\n%then = OpLabel\nOpBranch %exit\n%exit = OpLabel\nOpReturn\nOpFunctionEnd\n";
        expect![[r#"
            use of undefined id `%30`
              Replace with `%exit`
        "#]]
        .assert_eq(&offered(Dialect::Spirv, text));
    }

    #[test]
    fn a_block_does_not_branch_to_itself() {
        let text = "---\nname: f\nbody: |\n  bb.0.entry:\n    successors: %bb.7\n    S_BRANCH %bb.7\n...\n";
        expect![[r#"
            use of undefined block `%bb.7`
        "#]]
        .assert_eq(&offered(Dialect::Mir, text));
    }

    #[test]
    fn what_is_used_is_not_proposed() {
        let text = "declare i32 @g(i32, i32)\ndefine i32 @f(i32 %a) {\n  %s = call i32 @g(i32 %a)\n  ret i32 %s\n}\n";
        expect![[r#""#]].assert_eq(&offered(Dialect::Llvm, text));
    }
}
