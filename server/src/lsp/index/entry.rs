//! What the index keeps of a file.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use lsp_types::{Position, Range, SymbolKind};
use ropey::Rope;
use serde::{Deserialize, Serialize};
use wavelens_base::{Dialect, Options, TextRange};
use wavelens_check::disassemble::binary_dialect;
use wavelens_codegen::bitcode::is_bitcode;
use wavelens_ide::db::View;
use wavelens_ide::features::{self, Role};
use wavelens_ide::{Database, Document};

use crate::input::{open, read_within};
use crate::lsp::convert::symbol_kind;
use crate::lsp::job::{Outcome, guard};
use crate::lsp::position::{Encoding, Positions};
use crate::source::decode;

/// Larger files are left out.
const LARGEST: u64 = 16 << 20;

/// Tells a file from what it was before: the time of its last change in nanoseconds, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Stamp(u64, u64);

impl Stamp {
    pub(super) fn of(data: &Metadata) -> Stamp {
        let time = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Stamp(time.map_or(0, |time| time.as_nanos() as u64), data.len())
    }
}

/// A line, and the columns where a name starts and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Span(u32, u32, u32);

impl Span {
    fn of(range: Range) -> Span {
        let end =
            if range.end.line == range.start.line { range.end.character } else { range.start.character };
        Span(range.start.line, range.start.character, end)
    }

    pub(super) fn range(self) -> Range {
        Range::new(Position::new(self.0, self.1), Position::new(self.0, self.2))
    }
}

/// What a module does with a name that other modules can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::lsp) enum Use {
    Definition,
    Declaration,
    Reference,
}

impl From<Role> for Use {
    fn from(role: Role) -> Use {
        match role {
            Role::Definition => Use::Definition,
            Role::Declaration => Use::Declaration,
            Role::Reference | Role::Write | Role::Call => Use::Reference,
        }
    }
}

/// The names of a file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) stamp: Stamp,
    /// Entries of the outline.
    pub(super) symbols: Vec<(Box<str>, SymbolKind, Span)>,
    /// Names that other modules can mean.
    pub(super) names: Vec<(Box<str>, Use, Span)>,
}

/// Reads a file. What cannot be read, and what is not text of its dialect, has no names.
pub(super) fn read(path: &Path, stamp: Stamp, encoding: Encoding) -> Entry {
    let empty = Entry { stamp, ..Entry::default() };
    let Some((dialect, text)) = text_of(path) else { return empty };
    // A mistake of ours in one file must not end the thread.
    match guard(|| names_of(dialect, &text, encoding)) {
        Outcome::Done(entry) => Entry { stamp, ..entry },
        Outcome::Cancelled | Outcome::Panicked(_) => empty,
    }
}

fn text_of(path: &Path) -> Option<(Dialect, String)> {
    let name = path.file_name()?.to_str()?;
    let dialect = Dialect::from_file_name(name)?;
    let bytes = read_within(open(path).ok()?, LARGEST).ok()?;
    if is_bitcode(&bytes) || binary_dialect(&bytes).is_some() {
        return None;
    }
    let text = decode(bytes);
    let is_own = !dialect.is_shared_name(name) || Dialect::from_content(&text) == Some(dialect);
    is_own.then_some((dialect, text))
}

fn names_of(dialect: Dialect, text: &str, encoding: Encoding) -> Entry {
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let view = View::new(&db, document.file());
    let positions = Positions { rope: Rope::from_str(text), encoding };
    let span = |range: TextRange| Span::of(positions.range(range));
    let symbols = features::workspace_symbols(view, "").into_iter();
    let names = features::linked_names(view).into_iter();
    Entry {
        stamp: Stamp::default(),
        symbols: symbols.map(|s| (s.name.into(), symbol_kind(s.kind), span(s.selection))).collect(),
        names: names.map(|n| (n.name.as_str().into(), n.role.into(), span(n.range))).collect(),
    }
}
