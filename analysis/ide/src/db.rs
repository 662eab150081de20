//! The salsa database: inputs, and thin queries over the dialects' plain functions.
//!
//! Writes wait for every snapshot (a clone of [`Database`]) to drop, so nothing that can block is done while one is held.

use std::sync::Arc;

use rayon::prelude::*;
use rowan::{GreenNode, NodeCache};
use rustc_hash::FxHashMap;
use wavelens_base::budget::set_cancellation_hook;
use wavelens_base::finding::{self, ChunkLayout, Finding};
use wavelens_base::{ChunkId, Diagnostic, Dialect, ModuleDiagnostic, Options, TextRange, TextSize, sizes};
use wavelens_check::dialect::{self, Lowered, Scope, Summary};
use wavelens_check::{TestMarks, check_text};
use wavelens_llvm::uses::{LooseEnds, Uses};

use crate::assembly::{Assembled, Assembly};

/// A document as its chunks, in order.
#[salsa::input]
#[derive(Debug)]
pub struct File {
    /// Its language.
    #[returns(copy)]
    pub dialect: Dialect,
    /// In the order of the text.
    pub chunks: Vec<Chunk>,
    /// Position of each chunk among the chunks.
    pub(crate) indexes: Arc<FxHashMap<ChunkId, usize>>,
    /// File offset of each chunk's start, and of the file's end. Set at each edit, so that no query has to ask all chunks.
    pub starts: Arc<Vec<TextSize>>,
    /// What it is checked with.
    pub options: Options,
    /// What in the text makes its check more than that of its chunks.
    #[default]
    #[returns(copy)]
    pub marks: TestMarks,
    /// The result of assembling the current text as a whole; for large files.
    #[default]
    pub assembled: Option<Assembled>,
}

/// Chunks in a row whose queries run together: after each edit salsa looks at all it knows, and to look at a function of a few lines
/// takes as long as to check it again. A chunk of some size is a bundle of its own.
#[salsa::input]
#[derive(Debug)]
pub struct Bundle {
    /// The language of its texts.
    #[returns(copy)]
    pub dialect: Dialect,
    /// Names of the chunks, in order.
    pub ids: Vec<ChunkId>,
    /// The texts of the chunks, in order.
    pub texts: Vec<Arc<str>>,
}

/// The summaries of a bundle's chunks.
pub(crate) type BundleSummary = Arc<Vec<Summary>>;

/// A scope that is passed on without being copied. Comparing one with itself takes no time.
#[derive(Debug, Clone)]
pub struct SharedScope(Arc<Scope>);

impl SharedScope {
    /// Whether it is the same value in memory.
    pub fn is(&self, other: &SharedScope) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for SharedScope {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.0
    }
}

impl PartialEq for SharedScope {
    fn eq(&self, other: &SharedScope) -> bool {
        self.is(other) || self.0 == other.0
    }
}

/// A function, or a bounded run of small top-level entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chunk {
    /// The bundle that holds it.
    pub bundle: Bundle,
    /// Its place in the bundle.
    pub place: usize,
}

impl Chunk {
    /// Its name, which edits elsewhere do not change.
    pub fn id(self, db: &dyn salsa::Database) -> ChunkId {
        self.bundle.ids(db)[self.place]
    }

    /// Its text.
    pub fn text(self, db: &dyn salsa::Database) -> &Arc<str> {
        &self.bundle.texts(db)[self.place]
    }
}

impl File {
    /// The bundles, in order.
    pub fn bundles(self, db: &dyn salsa::Database) -> impl Iterator<Item = Bundle> {
        self.chunks(db).iter().filter(|chunk| chunk.place == 0).map(|chunk| chunk.bundle)
    }
}

/// The chunks of a bundle lexed, parsed and lowered; ranges are relative to the chunk.
// no_eq: depends on the text alone and holds ranges, so a new text always gives a new value.
#[salsa::tracked(no_eq)]
pub fn lowered(db: &dyn salsa::Database, bundle: Bundle) -> Vec<Lowered> {
    bundle.texts(db).iter().map(|text| dialect::lower(bundle.dialect(db), text)).collect()
}

/// The lossless trees, for what shows or edits text.
// lru: trees are about ten times the text; the editor needs those in view.
// no_eq: a new text always gives a new tree.
#[salsa::tracked(no_eq, lru = 128)]
pub fn green(db: &dyn salsa::Database, bundle: Bundle) -> Vec<GreenNode> {
    let cache = &mut NodeCache::default();
    bundle.texts(db).iter().map(|text| dialect::green(bundle.dialect(db), text, cache)).collect()
}

/// What other chunks can see. Equal for most edits inside a body: the firewall between chunks.
#[salsa::tracked]
pub fn summary(db: &dyn salsa::Database, bundle: Bundle) -> BundleSummary {
    Arc::new(lowered(db, bundle).iter().map(dialect::summarize).collect())
}

/// Everything that can be named across chunks.
#[salsa::tracked]
pub fn scope(db: &dyn salsa::Database, file: File) -> SharedScope {
    let of_bundle = |bundle: Bundle| bundle.ids(db).iter().copied().zip(summary(db, bundle).iter());
    let summaries = file.bundles(db).flat_map(of_bundle);
    SharedScope(Arc::new(dialect::scope(file.dialect(db), summaries, file.options(db))))
}

/// All findings of each chunk, relative to its start.
#[salsa::tracked]
pub fn check(db: &dyn salsa::Database, file: File, bundle: Bundle) -> Arc<Vec<Vec<Diagnostic>>> {
    let chunks = lowered(db, bundle).iter().zip(bundle.ids(db)).zip(bundle.texts(db));
    let check = |((lowered, id), text): ((&Lowered, &ChunkId), &Arc<str>)| {
        dialect::check(lowered, scope(db, file), *id, text)
    };
    Arc::new(chunks.map(check).collect())
}

/// How many lines end in each chunk.
#[salsa::tracked]
fn line_ends(db: &dyn salsa::Database, bundle: Bundle) -> Vec<usize> {
    bundle.texts(db).iter().map(|text| text.matches('\n').count()).collect()
}

/// Findings about names in several chunks.
#[salsa::tracked]
pub(crate) fn check_module(db: &dyn salsa::Database, file: File) -> Vec<ModuleDiagnostic> {
    dialect::check_module(scope(db, file))
}

/// What the bodies of each chunk refer to: like the summary, equal for most edits.
#[salsa::tracked]
pub fn uses(db: &dyn salsa::Database, bundle: Bundle) -> Arc<Vec<Uses>> {
    Arc::new(lowered(db, bundle).iter().map(dialect::uses).collect())
}

/// What no module-level entity refers to.
#[salsa::tracked]
pub fn loose_ends(db: &dyn salsa::Database, file: File) -> LooseEnds {
    dialect::loose_ends(scope(db, file))
}

/// What is defined and nothing refers to.
#[salsa::tracked]
pub fn check_uses(db: &dyn salsa::Database, file: File) -> Vec<ModuleDiagnostic> {
    dialect::check_uses(loose_ends(db, file), file.bundles(db).flat_map(|bundle| uses(db, bundle).iter()))
}

/// When a file is looked at as a whole, because chunks do not show all that is wrong with it: addresses, registers and counters of
/// assembly run through whole functions, RUN lines decide what all of a file is checked for, and sections are files of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Never: chunks show everything.
    Chunks,
    /// After every edit.
    Whole,
    /// After a pause.
    WholeLater,
}

/// When a file is looked at as a whole.
#[salsa::tracked(returns(copy))]
pub(crate) fn reading(db: &dyn salsa::Database, file: File) -> Reading {
    let marks = file.marks(db);
    let is_small = || file.starts(db).last().is_none_or(|size| usize::from(*size) < sizes::AFTER_A_PAUSE);
    let is_assembly = file.dialect(db) == Dialect::Amdgpu && file.chunks(db).len() > 1;
    match marks.has_runs || is_assembly {
        // Parts are languages of their own, and chunks would show what nobody wrote.
        _ if marks.has_parts => Reading::Whole,
        true if is_small() => Reading::Whole,
        true => Reading::WholeLater,
        false => Reading::Chunks,
    }
}

/// Whether checking the whole file after a pause finds more than [`findings`].
pub fn checks_whole_later(db: &dyn salsa::Database, file: File) -> bool {
    reading(db, file) == Reading::WholeLater
}

/// A file, assembled in one go.
// no_eq: holds ranges of the whole file, so an edit always changes it.
#[salsa::tracked(no_eq)]
pub(crate) fn assembly(db: &dyn salsa::Database, file: File) -> Arc<Assembly> {
    Arc::new(Assembly::of_file(&View::new(db, file).whole_text(), file.options(db)))
}

/// The findings of a file that is looked at as a whole after every edit.
// no_eq: holds ranges of the whole file, so an edit always changes it.
#[salsa::tracked(no_eq)]
pub(crate) fn whole_findings(db: &dyn salsa::Database, file: File) -> Option<Vec<Finding>> {
    let is_whole = reading(db, file) == Reading::Whole;
    is_whole.then(|| check_text(file.dialect(db), &View::new(db, file).whole_text(), file.options(db)))
}

/// The findings of one chunk, with ranges in the file.
pub fn findings_of(view: View<'_>, index: usize) -> Vec<Finding> {
    let Some(chunk) = view.chunks().get(index) else { return Vec::new() };
    if let Some(whole) = whole_findings(view.db, view.file) {
        let range = TextRange::new(view.start(index), view.start(index + 1));
        let last = index + 1 == view.chunks().len();
        let inside = |f: &&Finding| range.contains(f.range.start()) || last && f.range.start() == range.end();
        return whole.iter().filter(inside).cloned().collect();
    }
    let id = chunk.id(view.db);
    let own = check(view.db, view.file, chunk.bundle)[chunk.place].iter().map(|d| (index, d.clone()));
    let module = check_module(view.db, view.file).iter().chain(check_uses(view.db, view.file));
    finding::findings(&view, own, module.filter(|m| m.chunk == id).cloned(), view.file.options(view.db))
}

/// All findings of a file as queries find them; [`crate::Checked`] is quicker when a document is checked again and again.
pub(crate) fn findings(view: View<'_>) -> Vec<Finding> {
    let (db, file) = (view.db, view.file);
    if let Some(found) = whole_findings(db, file) {
        return found.clone();
    }
    let chunks = file.bundles(db).flat_map(|bundle| check(db, file, bundle).iter()).enumerate();
    let own = chunks.flat_map(|(index, found)| found.iter().map(move |d| (index, d.clone())));
    let module = check_module(db, file).iter().chain(check_uses(db, file)).cloned();
    finding::findings(&view, own, module, file.options(db))
}

/// The database. A clone is a snapshot: cheap, sendable, read-only by convention.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

impl Default for Database {
    fn default() -> Self {
        set_cancellation_hook(unwind_if_cancelled);
        Database { storage: salsa::Storage::default() }
    }
}

/// Whether this thread is within a query. Where that waits for other threads of rayon, it may be given any work of its pool, and no
/// other handle of the database can be asked there: salsa panics.
pub fn is_in_query() -> bool {
    salsa::with_attached_database(|_| ()).is_some()
}

/// Ends the query that runs on this thread if an edit waits for it.
fn unwind_if_cancelled() {
    salsa::with_attached_database(|db| db.unwind_if_revision_cancelled());
}

#[salsa::db]
impl salsa::Database for Database {}

impl Database {
    /// With a callback for salsa's events, so that tests can see which queries ran.
    pub fn with_events(callback: Box<dyn Fn(salsa::Event) + Send + Sync>) -> Self {
        set_cancellation_hook(unwind_if_cancelled);
        Database { storage: salsa::Storage::new(Some(callback)) }
    }

    /// Runs a query of some bundles on all cores; of a single one it is sooner asked.
    pub(crate) fn on_all_cores(&self, bundles: &[Bundle], query: impl Fn(&Database, Bundle) + Sync) {
        if bundles.len() < 2 {
            return;
        }
        // Handles are made here, because a clone is `Send` but a shared reference is not.
        let workers: Vec<(Database, &[Bundle])> =
            bundles.chunks(8).map(|group| (self.clone(), group)).collect();
        let ask = |(db, group): (Database, &[Bundle])| {
            // What is left out is asked later, by who called this.
            if !is_in_query() {
                group.iter().for_each(|bundle| query(&db, *bundle));
            }
        };
        workers.into_par_iter().for_each(ask);
    }
}

/// A file with what is needed to go between offsets in it and in its chunks.
#[derive(Clone, Copy)]
pub struct View<'db> {
    /// A snapshot.
    pub db: &'db dyn salsa::Database,
    /// The document.
    pub file: File,
}

impl<'db> View<'db> {
    /// Looks at a document in a snapshot.
    pub fn new(db: &'db dyn salsa::Database, file: File) -> Self {
        View { db, file }
    }

    /// The language of the document.
    pub fn dialect(self) -> Dialect {
        self.file.dialect(self.db)
    }

    /// The chunks, in the order of the text.
    pub fn chunks(self) -> &'db [Chunk] {
        self.file.chunks(self.db)
    }

    /// What can be named across chunks.
    pub fn scope(self) -> &'db Scope {
        scope(self.db, self.file)
    }

    /// The lowered form of a chunk.
    pub fn lowered(self, chunk: Chunk) -> &'db Lowered {
        &lowered(self.db, chunk.bundle)[chunk.place]
    }

    /// The lossless tree of a chunk.
    pub fn green(self, chunk: Chunk) -> &'db GreenNode {
        &green(self.db, chunk.bundle)[chunk.place]
    }

    /// The text of a chunk.
    pub fn text(self, chunk: Chunk) -> &'db str {
        chunk.text(self.db)
    }

    /// File offset of the `index`-th chunk's start; the file's end past the last.
    pub fn start(self, index: usize) -> TextSize {
        let starts = self.file.starts(self.db);
        starts.get(index).or(starts.last()).copied().unwrap_or_default()
    }

    /// Position of a chunk among the chunks.
    pub(crate) fn index_of(self, chunk: ChunkId) -> Option<usize> {
        self.file.indexes(self.db).get(&chunk).copied()
    }

    /// Where the `item`-th entity of a chunk is named, in the file.
    pub fn item(self, chunk: ChunkId, item: u32) -> Option<TextRange> {
        let index = self.index_of(chunk)?;
        let lowered = self.lowered(*self.chunks().get(index)?);
        Some(dialect::item_range(lowered, item) + self.start(index))
    }

    /// The chunk that covers a file offset (the later one at a boundary), and the offset in it.
    pub fn chunk_at(self, offset: TextSize) -> Option<(usize, Chunk, TextSize)> {
        let starts = self.file.starts(self.db);
        let chunks = self.chunks();
        let index =
            starts.partition_point(|s| *s <= offset).saturating_sub(1).min(chunks.len().checked_sub(1)?);
        Some((index, *chunks.get(index)?, offset.checked_sub(self.start(index))?))
    }

    /// The indexes of the chunks that a file range touches.
    pub(crate) fn chunks_in(self, range: TextRange) -> std::ops::Range<usize> {
        let starts = self.file.starts(self.db);
        let first = starts.partition_point(|s| *s <= range.start()).saturating_sub(1);
        let end = starts.partition_point(|s| *s < range.end()).max(first + 1).min(self.chunks().len());
        first.min(end)..end
    }

    /// The line, counted from 1, of an offset in a chunk: for words to the user.
    pub fn line_of(self, index: usize, at: TextSize) -> Option<usize> {
        let before = self.file.bundles(self.db).flat_map(|bundle| line_ends(self.db, bundle));
        let before: usize = before.take(index).sum();
        let text = self.text(*self.chunks().get(index)?);
        Some(before + text.get(..usize::from(at))?.matches('\n').count() + 1)
    }

    /// The whole text.
    pub fn whole_text(self) -> String {
        self.chunks().iter().map(|c| self.text(*c)).collect()
    }
}

impl ChunkLayout for View<'_> {
    fn start(&self, index: usize) -> TextSize {
        View::start(*self, index)
    }

    fn index_of(&self, chunk: ChunkId) -> Option<usize> {
        View::index_of(*self, chunk)
    }

    fn item(&self, chunk: ChunkId, item: u32) -> Option<TextRange> {
        let chunk = self.chunks().get(View::index_of(*self, chunk)?)?;
        Some(dialect::item_range(self.lowered(*chunk), item))
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("View").field(&self.file).finish()
    }
}
