//! What a misspelt word may be: a word that completion proposes at its place, or the name of a definition that nothing else names.
//!
//! Each is tried: the finding must go, and no other error may come.

use std::collections::BTreeMap;

use wavelens_base::{Dialect, Finding, TextEdit, TextRange, TextSize};
use wavelens_syntax::is_slip;

use super::ask;
use super::trial::{Difference, Trial};
use super::unused::others;
use crate::answers::Action;
use crate::db::View;

/// Words of a finding that are looked at.
const WORDS: usize = 3;

/// Changes that are tried for one finding.
const TRIED: usize = 8;

/// Changes that are offered: more are a guess.
const OFFERED: usize = 3;

/// The changes of one slip in a word with which an error is gone. `left` is how much text may be checked to try them, in bytes.
pub fn respellings(view: View<'_>, finding: &Finding, trial: &Trial<'_>, left: &mut usize) -> Vec<Action> {
    let mut found: Vec<(bool, Action)> = Vec::new();
    let text = trial.text();
    // Its words are gone through up to eight times: of 2.4 MB with errors four looks took 0.7 s, the check 0.09.
    let Some(rest) = left.checked_sub(text.len()) else { return Vec::new() };
    *left = rest;
    let words = words_of(view.dialect(), text, finding.range);
    let edits = words.iter().flat_map(|word| {
        let mut edits = proposed(view, text, *word);
        edits.extend(definitions(view.dialect(), text, *word));
        edits
    });
    for edit in edits.take(TRIED) {
        view.db.unwind_if_revision_cancelled();
        let Some(rest) = left.checked_sub(trial.cost(edit.range.start())) else { break };
        *left = rest;
        if found.iter().any(|(_, action)| action.edits.first() == Some(&edit))
            || !repairs(finding, trial, &edit)
        {
            continue;
        }
        let old = slice(text, edit.range);
        let title = match edit.range.intersect(finding.range) {
            Some(_) => format!("Replace with `{}`", edit.text),
            None => format!("Replace `{old}` with `{}`", edit.text),
        };
        let is_number = digits(old) != digits(&edit.text);
        let action = Action { likely: true, ..Action::in_file(title, vec![edit]).fixing(finding.clone()) };
        found.push((is_number, action));
    }
    // If a change of either of two words repairs the line, neither is misspelt: they do not go together.
    let is_changed = |word: &&TextRange| {
        let mut edits = found.iter().flat_map(|(_, action)| &action.edits);
        edits.any(|edit| word.contains_range(edit.range))
    };
    if words.iter().filter(is_changed).nth(1).is_some() {
        return Vec::new();
    }
    // Which number is meant is not a question of spelling.
    if found.len() > 1 {
        found.retain(|(is_number, _)| !is_number);
    }
    match found.len() {
        0 => others(view, finding, trial, left).unwrap_or_default(),
        1..=OFFERED => found.into_iter().map(|(_, action)| action).collect(),
        _ => Vec::new(),
    }
}

/// Whether the finding is gone after an edit, and all that are left were there before.
pub(super) fn repairs(finding: &Finding, trial: &Trial<'_>, edit: &TextEdit) -> bool {
    let Some(Difference { before, after }) = trial.try_edits(std::slice::from_ref(edit)) else {
        return false;
    };
    let count = |all: &[Finding], one: &Finding| {
        all.iter().filter(|other| other.rule == one.rule && other.message == one.message).count()
    };
    count(&after, finding) < count(&before, finding)
        && after.iter().all(|one| count(&after, one) <= count(&before, one))
}

pub(super) fn slice(text: &str, range: TextRange) -> &str {
    text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
}

/// Before names of values, registers, functions and metadata.
const SIGILS: [char; 5] = ['%', '@', '$', '!', '#'];

fn is_in_word(dialect: Dialect, c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$') || c == '-' && dialect == Dialect::Mir
}

/// A range with all of its first and of its last line.
pub(super) fn line_around(text: &str, range: TextRange) -> TextRange {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line_end = text.get(end..).and_then(|after| after.find('\n')).map_or(text.len(), |at| end + at);
    TextRange::new(TextSize::new(line_start as u32), TextSize::new(line_end as u32))
}

/// The words of a range, with their sigils, and the one before it on its line.
pub(super) fn words_of(dialect: Dialect, text: &str, range: TextRange) -> Vec<TextRange> {
    let line = line_around(text, range);
    let words = words(dialect, slice(text, line)).map(|word| word + line.start());
    let (mut before, mut own) = (None, Vec::new());
    for word in words {
        if word.end() < range.start() || word.end() == range.start() && !range.is_empty() {
            before = Some(word);
        } else if word.start() < range.end() || word.contains_inclusive(range.start()) {
            own.push(word);
        }
    }
    own.truncate(WORDS);
    own.extend(before);
    own
}

/// The words of a text, each with its sigil.
pub(super) fn words(dialect: Dialect, text: &str) -> impl Iterator<Item = TextRange> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_word = |c: char| is_in_word(dialect, c);
        let start = at + text.get(at..)?.find(|c: char| is_word(c) || SIGILS.contains(&c))?;
        let rest = text.get(start..)?;
        let sigils = rest.len() - rest.trim_start_matches(SIGILS).len();
        let end = rest.get(sigils..)?.find(|c| !is_word(c)).map_or(text.len(), |end| start + sigils + end);
        at = end.max(start + 1);
        Some(TextRange::new(TextSize::new(start as u32), TextSize::new(at as u32)))
    })
}

/// The word without its sigil.
pub(super) fn bare(text: &str, word: TextRange) -> TextRange {
    let written = slice(text, word);
    let sigils = written.len() - written.trim_start_matches(SIGILS).len();
    TextRange::new(word.start() + TextSize::new(sigils as u32), word.end())
}

/// Proposals of completion at a word's place that are one slip from it.
fn proposed(view: View<'_>, text: &str, word: TextRange) -> Vec<TextEdit> {
    let Some((index, _, at)) = view.chunk_at(word.start()) else { return Vec::new() };
    // What is written elsewhere too is not a slip.
    let is_same = |other: &TextRange| slice(text, *other) == slice(text, word);
    if words(view.dialect(), text).filter(is_same).nth(1).is_some() {
        return Vec::new();
    }
    let proposals = ask!(view, index, completion::complete(at)).unwrap_or_default();
    let mut edits: Vec<TextEdit> = Vec::new();
    for proposal in &proposals {
        let label = first_word(view.dialect(), &proposal.label);
        // Where the sigil is written already, completion may propose the name with it or without.
        let range = if label.starts_with(SIGILS) { word } else { bare(text, word) };
        let written = slice(text, range);
        let edit = TextEdit::new(range, label);
        if is_slip(written, label) && letters(written) != letters(label) && !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    edits
}

fn first_word(dialect: Dialect, label: &str) -> &str {
    let sigils = label.len() - label.trim_start_matches(SIGILS).len();
    let name = label.get(sigils..).unwrap_or("");
    let end = name.find(|c| !is_in_word(dialect, c)).unwrap_or(name.len());
    label.get(..sigils + end).unwrap_or(label)
}

/// Words elsewhere that occur once and are one slip from a word: what it names may be defined there.
fn definitions(dialect: Dialect, text: &str, word: TextRange) -> Vec<TextEdit> {
    let name = slice(text, bare(text, word));
    if name.len() < 2 {
        return Vec::new();
    }
    let mut near: BTreeMap<&str, Vec<TextRange>> = BTreeMap::new();
    for other in words(dialect, text) {
        let other = bare(text, other);
        let written = slice(text, other);
        let is_near = written.len().abs_diff(name.len()) <= 1 && is_slip(written, name);
        // `bb.0` and `bb.1` are two things.
        let is_other = letters(written) == letters(name) && digits(written).len().min(digits(name).len()) < 2;
        if is_near && !is_other {
            near.entry(written).or_default().push(other);
        }
    }
    let once = near.into_values().filter(|places| places.len() == 1).flatten();
    once.map(|place| TextEdit::new(place, name)).collect()
}

fn digits(word: &str) -> String {
    word.chars().filter(char::is_ascii_digit).collect()
}

fn letters(word: &str) -> String {
    word.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::features::trial;

    fn offered(dialect: Dialect, text: &str) -> String {
        trial::offered(dialect, text, |view, finding, trial| {
            respellings(view, finding, trial, &mut usize::MAX.clone())
        })
    }

    #[test]
    fn what_completion_proposes() {
        let mir = |line: &str| {
            let text = format!(
                "---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    {line}\n    S_ENDPGM 0\n...\n"
            );
            offered(Dialect::Mir, &text)
        };
        expect![[r#"
            unknown register `$lxec`
              Replace with `$exec`
        "#]]
        .assert_eq(&mir("%1:vgpr_32 = V_MOV_B32_e32 0, implicit $lxec"));
        expect![[r#"
            unknown register class or register bank `vgpr3_2`; did you mean `vgpr_32`?
        "#]]
        .assert_eq(&mir("%1:vgpr3_2 = COPY %0"));
    }

    #[test]
    fn words_that_do_not_go_together() {
        let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, s0, s1, v2\n";
        expect![[r#"
            reads 2 scalar values; `v_add3_u32` can read 1 on gfx900
        "#]]
        .assert_eq(&offered(Dialect::Amdgpu, text));
    }

    #[test]
    fn a_definition_that_nothing_names() {
        let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_branch .LBB0_2\n.LB0B_2:\ns_endpgm\n";
        expect![[r#"
            use of undefined label `.LBB0_2`
              Replace `.LB0B_2` with `.LBB0_2`
        "#]]
        .assert_eq(&offered(Dialect::Amdgpu, text));
        let text = "---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1\n    S_BRANCH %bb.1\n  bbm.1:\n    S_ENDPGM 0\n...\n";
        expect![[r#"
            use of undefined block `%bb.1`
              Replace `bbm.1` with `bb.1`
            expected an instruction, found `bbm.1:`
        "#]]
        .assert_eq(&offered(Dialect::Mir, text));
    }

    #[test]
    fn another_number_is_only_proposed_for_a_definition() {
        let text = "define i32 @f(i32 %a1, i32 %x50) {\n  %b = add i32 %a2, %x20\n  ret i32 %b\n}\n";
        expect![[r#"
            use of undefined value `%a2`
              Replace with `%a1`
              Replace with `%x50`
            use of undefined value `%x20`
              Replace `x50` with `x20`
        "#]]
        .assert_eq(&offered(Dialect::Llvm, text));
    }
}
