//! What features read about a file as a whole, or about the code around a chunk.

use std::ops::Range;
use std::sync::Arc;

use wavelens_amdgpu::scope::{FunctionSpan, OutlinePlace};
use wavelens_base::{TextRange, TextSize, sizes};
use wavelens_check::dialect;
use wavelens_codegen::KernelResources;

use super::Cx;
use crate::assembly::{Assembly, Extent, Listing};
use crate::db::{Chunk, File, Reading, View, assembly, reading};

// no_eq: holds ranges of the whole file, so an edit always changes it; only what is on the screen reads it.
#[salsa::tracked(no_eq)]
fn listing(db: &dyn salsa::Database, file: File) -> Arc<Listing> {
    Arc::new(Listing::new(assembly(db, file)))
}

/// What is known of the whole file; `None` for a large file that was just edited.
pub(super) fn whole_file<'db>(cx: &Cx<'db>) -> Option<&'db Listing> {
    let (db, file) = (cx.view.db, cx.view.file);
    match reading(db, file) != Reading::WholeLater {
        true => Some(listing(db, file)),
        false => file.assembled(db).as_ref().map(|assembled| &*assembled.0),
    }
}

/// What is known of the code around a statement. In a large file that was just edited that is its function, or the chunk alone.
pub(super) fn facts_at<'db>(cx: &Cx<'db>, at: TextSize) -> &'db Listing {
    let number = cx.lowered.statements_up_to(at);
    whole_file(cx).unwrap_or_else(|| nearby(cx, number..number))
}

/// What is known of the code around a chunk: of all functions with code in it.
pub(super) fn facts<'db>(cx: &Cx<'db>) -> &'db Listing {
    whole_file(cx).unwrap_or_else(|| nearby(cx, 0..u32::MAX))
}

fn nearby<'db>(cx: &Cx<'db>, statements: Range<u32>) -> &'db Listing {
    let (db, file) = (cx.view.db, cx.view.file);
    let functions = functions(db, file, cx.scope.functions_around(cx.index, statements));
    functions.as_ref().unwrap_or_else(|| chunk_alone(db, file, cx.chunk))
}

// no_eq: holds ranges of the file. lru: only what is on the screen is asked for.
#[salsa::tracked(no_eq, lru = 16)]
fn functions(db: &dyn salsa::Database, file: File, span: FunctionSpan) -> Option<Arc<Listing>> {
    let view = View::new(db, file);
    let place = |(chunk, item): OutlinePlace| {
        let range = dialect::item_range(view.lowered(*view.chunks().get(chunk)?), item);
        Some((chunk, range.start() + view.start(chunk)))
    };
    let count = view.chunks().len();
    let (first, start) = span.start.map_or(Some((0, TextSize::default())), place)?;
    let (last, end) = span.end.map_or_else(|| Some((count.checked_sub(1)?, view.start(count))), place)?;
    if end.checked_sub(start).is_none_or(|size| usize::from(size) > sizes::FUNCTION) {
        return None;
    }
    let listing = part(view, first..last + 1, TextRange::new(start, end));
    Some(Arc::new(Listing { extent: Extent::Function, ..listing }))
}

/// In functions that are too large.
// no_eq: holds ranges of the file. lru: only what is on the screen is asked for.
#[salsa::tracked(no_eq, lru = 16)]
fn chunk_alone(db: &dyn salsa::Database, file: File, chunk: Chunk) -> Arc<Listing> {
    let view = View::new(db, file);
    let Some(index) = view.index_of(chunk.id(db)) else { return Arc::default() };
    let range = TextRange::new(view.start(index), view.start(index + 1));
    let listing = part(view, index..index + 1, range);
    Arc::new(Listing { extent: Extent::Chunk, ..listing })
}

/// Assembles a range of the file, which begins and ends in these chunks.
fn part(view: View<'_>, chunks: Range<usize>, range: TextRange) -> Listing {
    let dialect::Scope::Amdgpu(scope) = view.scope() else { return Listing::default() };
    let start = view.start(chunks.start);
    let chunks = view.chunks().get(chunks).unwrap_or(&[]);
    let Some(first) = chunks.first() else { return Listing::default() };
    let text: String = chunks.iter().map(|c| view.text(*c)).collect();
    let mut assembly = Assembly::of_part(&text, scope, first.id(view.db), range - start);
    // What makes a label a function may be elsewhere in the file.
    let labels = assembly.program.labels.iter().map(|(id, ..)| *id);
    let functions = labels.filter(|id| scope.is_function(assembly.symbols.name(*id)));
    assembly.program.functions.extend(functions.collect::<Vec<_>>());
    let mut listing = Listing::new(&assembly);
    listing.shift(start);
    listing
}

/// The kernels of a file with the ranges of their labels, as far as the file has been looked at as a whole.
pub fn kernels(db: &dyn salsa::Database, file: File) -> Vec<(TextRange, KernelResources)> {
    let listing = match file.assembled(db) {
        Some(assembled) => &assembled.0,
        None if reading(db, file) != Reading::WholeLater => listing(db, file),
        None => return Vec::new(),
    };
    listing.functions.iter().filter_map(|f| Some((f.label?, f.kernel.clone()?))).collect()
}
