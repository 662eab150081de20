//! Completion.

use rustc_hash::FxHashSet;
use wavelens_base::{TextRange, TextSize};
use wavelens_syntax::visible;

use super::followers::Followers;
use super::harmless::keep_harmless;
use super::usage::Usage;
use super::{ask, test_lines};
use crate::answers::{Completion, Completions};
use crate::db::View;
use crate::markdown;

/// More than anybody reads, few enough to send at every keystroke.
const LIMIT: usize = 500;

/// Suggestions at an offset that fit what is written before it.
pub fn complete(view: View<'_>, offset: TextSize) -> Completions {
    let Some((index, chunk, at)) = chunk_before(view, offset) else { return Completions::default() };
    let (text, start) = (view.text(chunk), view.start(index));
    let mut items = test_lines::complete(view, offset);
    items.iter_mut().for_each(|item| item.range -= start);
    if items.is_empty() {
        items = ask!(view, index, completion::complete(at)).unwrap_or_default();
    }
    let typed = |item: &Completion| {
        let typed = TextRange::new(item.range.start().min(at), at);
        text.get(std::ops::Range::<usize>::from(typed)).unwrap_or("")
    };
    items.retain(|item| fits(&item.label, typed(item)));
    // What goes on with the typed characters comes before what only holds them.
    let continues = |item: &Completion| {
        let typed = typed(item);
        item.label.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    let (before, after) = around(view, index, &items, at);
    let usage = Usage::new(&before, &after);
    let followers = Followers::new(&before, &after);
    // In tenths of a rank; of what is used most, what is used more.
    let order = |item: &Completion| {
        let used = (usage.score(&item.label) * SCORE) as i32;
        let rank = i32::from(item.rank) * 10 - used.min(BEST);
        (rank - followers.score(&item.label) as i32 * FOLLOWER, -used)
    };
    items.sort_by_cached_key(|item| (!continues(item), order(item), counted(&item.label)));
    let mut seen = FxHashSet::default();
    items.retain(|item| seen.insert((item.label.clone(), item.insert.clone())));
    let incomplete = items.len() > LIMIT;
    items.truncate(LIMIT);
    items.iter_mut().for_each(|item| item.range += start);
    keep_harmless(view, offset, &mut items);
    for item in &mut items {
        item.label = visible::line(&item.label).into_owned();
        item.detail = visible::line(&item.detail).into_owned();
        item.documentation = markdown::safe(&item.documentation);
    }
    Completions { items, incomplete }
}

/// How many tenths of a rank one unit of [`Usage::score`] is worth.
const SCORE: f32 = 30.0;
/// The most that it is worth: what does not fit ranks after what does.
const BEST: i32 = 300;

/// How many tenths of a rank one unit of [`Followers::score`] is worth.
const FOLLOWER: i32 = 60;

/// The text around what is typed, with that of the chunks before and after.
fn around(view: View<'_>, index: usize, items: &[Completion], at: TextSize) -> (String, String) {
    let text = |index: usize| view.chunks().get(index).map_or("", |c| view.text(*c));
    let own = text(index);
    let start = items.first().map_or(at, |item| item.range.start().min(at));
    let mut before: Vec<&str> = vec![own.get(..usize::from(start)).unwrap_or("")];
    let mut size = before[0].len();
    for index in (0..index).rev().take_while(|i| index - i < NEIGHBOURS) {
        if size > ENOUGH {
            break;
        }
        size += text(index).len();
        before.push(text(index));
    }
    before.reverse();
    let next = text(index + 1);
    let after = [own.get(usize::from(at)..).unwrap_or(""), next.get(..ENOUGH).unwrap_or(next)];
    (before.concat(), after.concat())
}

/// Chunks before the cursor's that are looked at, and the bytes that are enough.
const NEIGHBOURS: usize = 64;
const ENOUGH: usize = 64 << 10;

/// A label that sorts by the numbers in it: `%2` before `%10`.
fn counted(label: &str) -> String {
    let mut out = String::with_capacity(label.len() + 8);
    let is_digit = |c: char| c.is_ascii_digit();
    let mut rest = label;
    while let Some(start) = rest.find(is_digit) {
        let (before, number) = rest.split_at(start);
        let end = number.find(|c| !is_digit(c)).unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        out.push_str(before);
        (number.len()..8).for_each(|_| out.push('0'));
        out.push_str(number);
        rest = after;
    }
    out + rest
}

/// The chunk that the cursor types into: at a boundary the one before, unless that ends a line.
fn chunk_before(view: View<'_>, offset: TextSize) -> Option<(usize, crate::db::Chunk, TextSize)> {
    let (index, chunk, at) = view.chunk_at(offset)?;
    let before = index.checked_sub(1).and_then(|i| Some((i, *view.chunks().get(i)?)));
    match before {
        Some((i, before)) if at == TextSize::new(0) && !view.text(before).ends_with('\n') => {
            Some((i, before, offset - view.start(i)))
        }
        _ => Some((index, chunk, at)),
    }
}

/// Whether the characters typed occur in the label in order, ignoring case.
fn fits(label: &str, typed: &str) -> bool {
    let mut rest = label.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|t| rest.any(|c| c == t))
}

#[cfg(test)]
mod tests {
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    /// Editors disagree about whether a sigil alone is a word: the range says so, in every dialect.
    #[test]
    fn a_bare_sigil_is_replaced() {
        let llvm = |line: &str| {
            format!(
                "declare void @g()\ndefine void @f(i32 %a) #0 {{\n  {line}\n  ret void\n}}\nattributes #0 = {{ nounwind }}\n!0 = !{{}}\n"
            )
        };
        let mir = |line: &str| {
            format!("---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    {line}\n...\n")
        };
        let cases = [
            (Dialect::Llvm, '%', llvm("%x = add i32 %$0")),
            (Dialect::Llvm, '@', llvm("call void @$0")),
            (Dialect::Llvm, '#', llvm("call void @g() #$0")),
            (Dialect::Llvm, '!', llvm("call void @g(), !$0")),
            (Dialect::Mir, '%', mir("%1:vgpr_32 = COPY %$0")),
            (Dialect::Mir, '$', mir("$vgpr0 = COPY $$0")),
            (Dialect::Spirv, '%', "%i = OpTypeInt 32 0\n%c = OpConstant %$0\n".to_owned()),
        ];
        for (dialect, sigil, fixture) in cases {
            at_cursor(dialect, &fixture, |view, at| {
                let items = features::complete(view, at).items;
                assert!(!items.is_empty(), "{fixture}");
                let text = view.whole_text();
                for item in items {
                    let replaced = &text[usize::from(item.range.start())..usize::from(at)];
                    assert_eq!(replaced, sigil.to_string(), "{}: {fixture}", item.label);
                    assert!(item.insert.starts_with(sigil), "{}: {fixture}", item.insert);
                }
            });
        }
    }
}
