//! What the dialects lay out a chunk with.
//!
//! A dialect lays out one chunk in `<dialect>/formatting.rs`, by naming the white space that it wants before each token ([`Gaps`]).
//! The driver is `features/formatting`.

mod gaps;

use wavelens_syntax::machine::{Kind, Lexed};

pub(crate) use gaps::{Blank, Gap, Gaps};

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Of SPIR-V.
    pub spirv: SpirvLayout,
}

/// The layouts that `spirv-dis` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpirvLayout {
    /// Opcodes in one column, result ids right-aligned before it.
    #[default]
    Aligned,
    /// As aligned, and opcodes indented by the structure of control flow: `spirv-dis --nested-indent`.
    Nested,
    /// No indentation: `spirv-dis --no-indent`.
    Plain,
}

impl SpirvLayout {
    /// Every layout, the default first.
    pub const ALL: [SpirvLayout; 3] = [SpirvLayout::Aligned, SpirvLayout::Nested, SpirvLayout::Plain];

    /// The name in settings and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SpirvLayout::Aligned => "aligned",
            SpirvLayout::Nested => "nested",
            SpirvLayout::Plain => "plain",
        }
    }

    /// The layout of a name in settings and on the command line.
    pub fn from_name(name: &str) -> Option<SpirvLayout> {
        SpirvLayout::ALL.into_iter().find(|l| l.name() == name)
    }
}

/// A chunk, and what its layout depends on outside of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkText<'t> {
    pub(crate) text: &'t str,
    /// The chunk starts the file.
    pub(crate) is_first: bool,
    /// The start of what follows; empty at the end of the file.
    pub(crate) next: &'t str,
    /// How lines end.
    pub(crate) newline: &'static str,
    pub(crate) style: Style,
    /// Assembly: names of the macros of the file.
    pub(crate) macros: &'t [&'t str],
}

/// How the lines of a text end: as its first one does.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Compares tokens and comments; several line ends in a row are one, and those at the end are none.
pub(crate) fn same<K: Kind>(
    before: &str,
    old: &Lexed<K>,
    after: &str,
    new: &Lexed<K>,
    line_end: Option<K>,
) -> bool {
    visible(before, old, line_end).eq(visible(after, new, line_end))
}

/// The tokens and comments, each with whether a line ends before it.
fn visible<'t, K: Kind>(
    text: &'t str,
    lexed: &'t Lexed<K>,
    line_end: Option<K>,
) -> impl Iterator<Item = (K, &'t str, bool)> {
    let mut ended = true;
    (0..lexed.len()).filter_map(move |index| {
        let (kind, text) = (lexed.kind(index), lexed.text(text, index));
        if Some(kind) == line_end {
            ended = true;
            return None;
        }
        if kind.is_trivia() && text.trim().is_empty() {
            return None;
        }
        Some((kind, text, std::mem::replace(&mut ended, false)))
    })
}
