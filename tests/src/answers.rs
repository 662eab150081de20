//! What editors show at a place of a text, in few words: what recorded answers are made of.

use std::fmt::Write;

use wavelens_base::{TextRange, TextSize};
use wavelens_ide::db::View;
use wavelens_ide::features;
use wavelens_ide::formatting::Style;

use crate::recording::place;

/// Letters of a hover, and proposals of a completion, that are recorded: the first ones decide most.
const LETTERS: usize = 240;
const PROPOSALS: usize = 6;

/// A line for each feature that answers about a place.
pub fn at_place(view: View<'_>, text: &str, at: TextSize) -> String {
    let mut out = String::new();
    if let Some(hover) = features::hover(view, at) {
        _ = writeln!(out, "hover {}: {}", range(text, hover.range), one_line(&hover.markdown));
    }
    let mut proposals = features::complete(view, at).items;
    proposals.sort_by_key(|proposal| proposal.rank);
    if !proposals.is_empty() {
        let shown =
            proposals.iter().take(PROPOSALS).map(|proposal| match proposal.insert == proposal.label {
                true => format!("{:?}", proposal.label),
                false => format!("{:?} as {:?}", proposal.label, proposal.insert),
            });
        let shown: Vec<String> = shown.collect();
        _ = writeln!(out, "completion {}: {}", range(text, proposals[0].range), shown.join(", "));
    }
    if let Some(signature) = features::signature(view, at) {
        let active = signature.active.and_then(|active| signature.parameters.get(active));
        let active = active.and_then(|active| signature.label.get(active.clone())).unwrap_or_default();
        _ = writeln!(out, "signature: {}; now `{active}`", one_line(&signature.label));
    }
    let places = |ranges: Vec<TextRange>| {
        let shown: Vec<String> = ranges.into_iter().map(|r| range(text, r)).collect();
        shown.join(" ")
    };
    let definitions = features::definition(view, at).into_iter().map(|target| target.range).collect();
    let highlights = features::highlights(view, at).into_iter();
    let highlights: Vec<String> =
        highlights.map(|(r, role)| format!("{} {role:?}", range(text, r))).collect();
    for (name, answer) in [
        ("definition", places(definitions)),
        ("highlights", highlights.join(" ")),
        ("selection", places(features::selection_ranges(view, at))),
    ] {
        if !answer.is_empty() {
            _ = writeln!(out, "{name}: {answer}");
        }
    }
    for action in features::actions(view, TextRange::empty(at)) {
        let edits = action.edits.iter().map(|edit| format!(" {} {:?}", range(text, edit.range), edit.text));
        _ = writeln!(out, "action: {}:{}", action.title, one_line(&edits.collect::<String>()));
    }
    out
}

/// A line for each feature that answers about a whole text.
pub fn of_text(view: View<'_>, text: &str) -> String {
    let mut out = String::new();
    let whole = TextRange::up_to(TextSize::of(text));
    for hint in features::hints(view, whole) {
        _ = writeln!(out, "hint {}: {}", place(text, hint.offset), one_line(&hint.label));
    }
    let tokens: Vec<String> =
        features::tokens(view, whole).into_iter().map(|token| format!("{:?}", token.kind)).collect();
    if !tokens.is_empty() {
        _ = writeln!(out, "tokens: {}", tokens.join(" "));
    }
    for edit in features::format(view, None, Style::default()).into_iter().take(PROPOSALS) {
        _ = writeln!(out, "format {}: {:?}", range(text, edit.range), edit.text);
    }
    for fold in features::folds(view) {
        _ = writeln!(out, "fold {} {:?}", range(text, fold.range), fold.kind);
    }
    for symbol in features::outline(view) {
        let children: Vec<&str> = symbol.children.iter().map(|child| child.name.as_str()).collect();
        _ = writeln!(
            out,
            "symbol {}: {} {} {children:?}",
            range(text, symbol.range),
            symbol.name,
            symbol.detail
        );
    }
    out
}

fn range(text: &str, range: TextRange) -> String {
    format!("{}-{}", place(text, range.start()), place(text, range.end()))
}

fn one_line(text: &str) -> String {
    let shown: String = text.chars().take(LETTERS).collect();
    shown.replace('\n', "\\n").trim_end().to_owned()
}
