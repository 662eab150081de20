//! What editors show at a place of a text, in few words: what recorded answers are made of.

use std::fmt::Write;

use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_ide::db::View;
use wavelens_ide::features::{self, Call, Completion, Flow, Symbol, TokenModifiers, TokenSpan};
use wavelens_ide::formatting::Style;

use crate::recording::place;

/// Letters of an answer, of its end if it is longer, and of a detail; proposals of a completion; registers of a function.
const LETTERS: usize = 240;
const LAST: usize = 80;
const DETAIL: usize = 40;
const PROPOSALS: usize = 6;
const REGISTERS: usize = 12;

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
        _ = writeln!(out, "ranks: {}", ranks(&proposals));
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
    let renamed = ["renamed", "7"].map(|name| match features::rename(view, at, name) {
        Ok(edits) => renaming(text, &edits),
        // Most places do not name anything.
        Err(_) if highlights.is_empty() => String::new(),
        Err(why) => why,
    });
    let is_same = renamed[0] == renamed[1];
    for (what, answer) in ["rename", "rename to 7"].iter().zip(renamed).take(if is_same { 1 } else { 2 }) {
        if !answer.is_empty() {
            _ = writeln!(out, "{what}: {answer}");
        }
    }
    let called = |call: &Call| format!("{} at {}", call.other.name, places(call.ranges.clone()));
    for (name, calls) in
        [("callers", features::incoming_calls(view, at)), ("calls", features::outgoing_calls(view, at))]
    {
        if !calls.is_empty() {
            let calls: Vec<String> = calls.iter().map(called).collect();
            _ = writeln!(out, "{name}: {}", calls.join(", "));
        }
    }
    for action in features::actions(view, TextRange::empty(at)) {
        let edits = action.edits.iter().map(|edit| format!(" {} {:?}", range(text, edit.range), edit.text));
        _ = writeln!(out, "action: {}:{}", action.title, one_line(&edits.collect::<String>()));
    }
    out
}

/// How many names become the same, and the edits that write something else.
fn renaming(text: &str, edits: &[TextEdit]) -> String {
    let new = edits.first().map_or("", |edit| &edit.text);
    let others = edits.iter().filter(|edit| edit.text != new);
    let others: Vec<String> =
        others.map(|edit| format!(" {} {:?}", range(text, edit.range), edit.text)).collect();
    format!("{} as {new:?}{}", edits.len() - others.len(), others.concat())
}

/// The first of the proposals of each rank and kind, its detail, and how many others there are.
fn ranks(sorted: &[Completion]) -> String {
    let groups = sorted.chunk_by(|a, b| (a.rank, a.kind) == (b.rank, b.kind)).map(|group| {
        let first = &group[0];
        let detail: String = first.detail.chars().take(DETAIL).collect();
        let others = if group.len() > 1 { format!(" and {}", group.len() - 1) } else { String::new() };
        format!("{} {:?} {:?} {detail:?}{others}", first.rank, first.kind, first.label)
    });
    groups.take(2 * PROPOSALS).collect::<Vec<_>>().join(", ")
}

/// A line for each feature that answers about a whole text.
pub fn of_text(view: View<'_>, text: &str) -> String {
    let mut out = String::new();
    let whole = TextRange::up_to(TextSize::of(text));
    let mut tooltip = String::new();
    for hint in features::hints(view, whole) {
        let minor = if hint.is_minor { " (minor)" } else { "" };
        _ = writeln!(
            out,
            "hint {}: {:?}{minor} {}",
            place(text, hint.offset),
            hint.kind,
            one_line(&hint.label)
        );
        if !hint.tooltip.is_empty() && tooltip != hint.tooltip {
            _ = writeln!(out, "  {}", one_line(&hint.tooltip));
            tooltip = hint.tooltip;
        }
    }
    let tokens: Vec<String> = features::tokens(view, whole).into_iter().map(token).collect();
    if !tokens.is_empty() {
        _ = writeln!(out, "tokens: {}", tokens.join(" "));
    }
    for edit in features::format(view, None, Style::default()).into_iter().take(PROPOSALS) {
        _ = writeln!(out, "format {}: {:?}", range(text, edit.range), edit.text);
    }
    for fold in features::folds(view) {
        _ = writeln!(out, "fold {} {:?}", range(text, fold.range), fold.kind);
    }
    features::document_outline(view)
        .iter()
        .for_each(|item| _ = writeln!(out, "symbol {}", symbol(text, item)));
    for flow in features::flows(view) {
        _ = writeln!(out, "flow {}", edges(text, &flow));
        let start = flow.nodes.first().map_or(TextSize::new(0), |node| node.range.start());
        let Some(live) = features::live_map(view, start) else { continue };
        let registers = live.registers.iter().take(REGISTERS).map(|register| {
            let spans = register.spans.iter().map(|(first, last)| format!(" {first}-{last}"));
            format!("{}{}", register.name, spans.collect::<String>())
        });
        let registers: Vec<String> = registers.collect();
        if !registers.is_empty() {
            _ = writeln!(out, "live in {}: {}", live.function, registers.join(", "));
        }
    }
    out
}

/// What a token is, with its modifiers.
fn token(token: TokenSpan) -> String {
    let names = [
        (TokenModifiers::DEFINITION, "definition"),
        (TokenModifiers::DECLARATION, "declaration"),
        (TokenModifiers::READONLY, "readonly"),
        (TokenModifiers::DEPRECATED, "deprecated"),
    ];
    let has = names.iter().filter(|(modifier, _)| token.modifiers.0 & modifier.0 != 0);
    format!("{:?}{}", token.kind, has.map(|(_, name)| format!("+{name}")).collect::<String>())
}

/// An item of the outline, with what is in it.
fn symbol(text: &str, item: &Symbol) -> String {
    let children: Vec<String> = item.children.iter().map(|child| symbol(text, child)).collect();
    let (whole, name) = (range(text, item.range), place(text, item.selection.start()));
    format!("{whole} at {name}: {:?} {} {} [{}]", item.kind, item.name, item.detail, children.join(", "))
}

/// The blocks of a function, with the number of their instructions, and the ways between them.
fn edges(text: &str, flow: &Flow) -> String {
    let name = |index: usize| flow.nodes.get(index).map_or("?", |node| &node.name);
    let nodes = flow.nodes.iter().map(|node| {
        let lines = (place(text, node.range.start()), place(text, node.range.end()));
        format!("{} {}-{} {}", node.name, lines.0, lines.1, node.instructions)
    });
    let edges =
        flow.edges.iter().map(|edge| format!("{} ->{} {}", name(edge.from), edge.label, name(edge.to)));
    format!("{}: {}", flow.function, nodes.chain(edges).collect::<Vec<_>>().join(", "))
}

fn range(text: &str, range: TextRange) -> String {
    format!("{}-{}", place(text, range.start()), place(text, range.end()))
}

fn one_line(text: &str) -> String {
    let mut shown: String = text.chars().take(LETTERS).collect();
    let rest: Vec<char> = text.chars().skip(LETTERS).collect();
    if rest.len() > LAST {
        shown.push_str(" … ");
    }
    shown.extend(&rest[rest.len().saturating_sub(LAST)..]);
    shown.replace('\n', "\\n").trim_end().to_owned()
}
