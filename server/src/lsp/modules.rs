//! Names across modules, as far as open documents use them. [`Index`](super::index::Index) knows the other files.

use std::collections::HashSet;
use std::path::PathBuf;

use lsp_types::{Location, WorkspaceSymbol, WorkspaceSymbolParams};
use tower_lsp::jsonrpc::Result;
use wavelens_ide::features;

use super::convert::{location, symbol_kind, workspace_symbol};
use super::index::Use;
use super::snapshot::{DocumentView, Snapshot};
use super::uri;

/// A name that other modules can mean too.
pub(super) struct Linked {
    pub(super) name: String,
    /// Where the other open documents use it.
    pub(super) places: Vec<(Location, Use)>,
    /// The open documents: the index has them as they are on disk.
    pub(super) open: HashSet<PathBuf>,
}

fn open_paths(snapshot: &Snapshot) -> HashSet<PathBuf> {
    snapshot.documents.iter().filter_map(|document| uri::path(document.uri.as_str())).collect()
}

impl Linked {
    /// What is open of a name that is at a place of the current document.
    pub(super) fn new(snapshot: &Snapshot, current: &DocumentView, name: &str) -> Linked {
        let others = snapshot.documents.iter().filter(|document| document.uri != current.uri);
        let places = others.flat_map(|document| {
            let places = features::linked_places(snapshot.view(document), name).into_iter();
            places.map(move |(range, role)| (location(document, range), Use::from(role)))
        });
        Linked { name: name.to_owned(), places: places.collect(), open: open_paths(snapshot) }
    }
}

/// Symbols of the open documents that match, the paths of these, and whether names of the source are shown.
pub(super) fn workspace_symbols(
    snapshot: &Snapshot,
    p: &WorkspaceSymbolParams,
) -> Result<(Vec<WorkspaceSymbol>, HashSet<PathBuf>, bool)> {
    let demangles = snapshot.config.demangle;
    let symbols = snapshot.documents.iter().flat_map(|document| {
        let found = features::workspace_symbols(snapshot.view(document), &p.query).into_iter();
        found.map(move |symbol| {
            let location = location(document, symbol.selection);
            workspace_symbol(symbol.name, symbol_kind(symbol.kind), location, demangles)
        })
    });
    Ok((symbols.collect(), open_paths(snapshot), demangles))
}
