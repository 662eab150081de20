//! What recorded answers are made of.

use std::fmt::Debug;

use wavelens_base::{TextRange, TextSize};
use wavelens_ide::db::View;
use wavelens_ide::features;
use wavelens_ide::formatting::{SpirvLayout, Style};

/// An answer of an editor feature about a text, as Rust prints it.
type OfText = fn(View<'_>) -> String;

/// The same for an answer about a place in a text.
type AtPlace = fn(View<'_>, TextSize) -> String;

/// The features that answer about a text, by their names.
pub const OF_TEXT: [(&str, OfText); 6] = [
    ("outline", |view| shown(features::outline(view))),
    ("folds", |view| shown(features::folds(view))),
    ("hints", |view| shown(features::hints(view, whole(view)))),
    ("tokens", |view| shown(features::tokens(view, whole(view)))),
    ("flows", |view| shown(features::flows(view))),
    ("format", |view| {
        shown(SpirvLayout::ALL.map(|layout| features::format(view, None, Style { spirv: layout })))
    }),
];

/// The features that answer about a place, by their names.
pub const AT_PLACE: [(&str, AtPlace); 14] = [
    ("hover", |view, at| shown(features::hover(view, at))),
    ("definition", |view, at| shown(features::definition(view, at))),
    ("declaration", |view, at| shown(features::declaration(view, at))),
    ("references", |view, at| shown(features::references(view, at, true))),
    ("highlights", |view, at| shown(features::highlights(view, at))),
    ("rename", |view, at| shown(features::rename(view, at, "renamed"))),
    ("completion", |view, at| shown(features::complete(view, at))),
    ("signature", |view, at| shown(features::signature(view, at))),
    ("selection", |view, at| shown(features::selection_ranges(view, at))),
    ("actions", |view, at| shown(features::actions(view, TextRange::empty(at)))),
    ("callers", |view, at| shown(features::incoming_calls(view, at))),
    ("callees", |view, at| shown(features::outgoing_calls(view, at))),
    ("live", |view, at| shown(features::live_map(view, at))),
    ("source", |view, at| shown(features::source_place(view, at))),
];

fn shown(answer: impl Debug) -> String {
    format!("{answer:?}")
}

fn whole(view: View<'_>) -> TextRange {
    TextRange::up_to(view.start(view.chunks().len()))
}

/// `line:column` of an offset in a text, both counted from 1, columns in bytes.
pub fn place(text: &str, at: TextSize) -> String {
    let before = &text[..usize::from(at)];
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{column}", before.matches('\n').count() + 1)
}
