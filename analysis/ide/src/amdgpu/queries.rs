//! What features read about a file as a whole, or about the code around a chunk.

use std::sync::Arc;

use wavelens_codegen::KernelResources;
use wavelens_semantics::amdgpu::lower;
use wavelens_semantics::{TextRange, dialect};

use super::Cx;
use crate::assembly::{Assembly, Extent, Listing};
use crate::db::{Chunk, File, View, assembly, is_small, whole_size};

// no_eq: holds ranges of the whole file, so an edit always changes it; only what is on the screen reads it.
#[salsa::tracked(no_eq)]
fn listing(db: &dyn salsa::Database, file: File) -> Arc<Listing> {
    Arc::new(Listing::new(assembly(db, file)))
}

/// What is known of the code around a chunk. In a large file that was just edited that is its function, or the chunk alone.
pub(super) fn facts<'db>(cx: &Cx<'db>) -> &'db Listing {
    let (db, file) = (cx.view.db, cx.view.file);
    if whole_size(db, file).is_none_or(is_small) {
        return listing(db, file);
    }
    match file.settled(db) {
        Some(settled) => &settled.0,
        None => nearby(db, file, cx.chunk),
    }
}

/// Functions up to this size (bytes) are assembled for what is shown in one place of a large file.
const NEARBY: usize = 64 << 10;

// no_eq: holds ranges of the file. lru: only what is on the screen is asked for.
#[salsa::tracked(no_eq, lru = 16)]
fn nearby(db: &dyn salsa::Database, file: File, chunk: Chunk) -> Arc<Listing> {
    let view = View::new(db, file);
    let dialect::Scope::Amdgpu(scope) = view.scope() else { return Arc::default() };
    let Some(index) = file.indexes(db).get(&chunk.id(db)) else { return Arc::default() };
    let mut range = scope.around(*index);
    let size = |range: &std::ops::Range<usize>| view.start(range.end) - view.start(range.start);
    let mut extent = Extent::Function;
    if usize::from(size(&range)) > NEARBY {
        range = *index..index + 1;
        extent = Extent::Chunk;
    }
    let chunks = view.chunks().get(range.clone()).unwrap_or(&[]);
    let text: String = chunks.iter().map(|c| view.text(*c)).collect();
    let Some(first) = chunks.first() else { return Arc::default() };
    let mut assembly = Assembly::new(&lower(&text), scope, first.id(db), &text);
    // What makes a label a function may be elsewhere in the file.
    let labels = assembly.program.labels.iter().map(|(id, ..)| *id);
    let functions = labels.filter(|id| scope.is_function(assembly.symbols.name(*id)));
    assembly.program.functions.extend(functions.collect::<Vec<_>>());
    let start = view.start(range.start);
    let shown = TextRange::new(view.start(*index) - start, view.start(*index + 1) - start);
    let mut listing = Listing::around(&assembly, Some(shown));
    listing.extent = extent;
    listing.shift(start);
    Arc::new(listing)
}

/// The kernels of a file with the ranges of their labels, as far as the file has been looked at as a whole.
pub fn kernels(db: &dyn salsa::Database, file: File) -> Vec<(TextRange, KernelResources)> {
    let listing = match file.settled(db) {
        Some(settled) => &settled.0,
        None if whole_size(db, file).is_none_or(is_small) => listing(db, file),
        None => return Vec::new(),
    };
    listing.functions.iter().filter_map(|f| Some((f.label?, f.kernel.clone()?))).collect()
}
