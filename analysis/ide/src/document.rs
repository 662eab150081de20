//! A document's chunks while it is edited: only what an edit touches is split and set again.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use wavelens_base::{ChunkId, Dialect, Options, TextRange, TextSize, sizes};
use wavelens_check::TestMarks;
use wavelens_syntax::{resplit, split};

use crate::assembly::Assembled;
use crate::db::{Bundle, Chunk, Database, File};

/// A replacement of a range of the current text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, in the text before the edit.
    pub range: TextRange,
    /// The text afterwards.
    pub text: String,
}

/// An open document: the salsa file, and plain copies of what edits need. Owned by the thread that writes the database.
#[derive(Debug)]
pub struct Document {
    file: File,
    dialect: Dialect,
    chunks: Vec<Arc<str>>,
    /// The bundles of these chunks, and how many each holds.
    bundles: Vec<(Bundle, usize)>,
    /// How large (bytes) a bundle becomes.
    bundle_size: usize,
    /// How many chunks have each of the [`TestMarks`].
    marked: Marked,
    /// Bundles that an edit took away, by their texts. Opening a block or a comment makes one chunk of many, and what they are known to
    /// mean is good again once it is closed.
    retired: FxHashMap<Vec<Arc<str>>, Bundle>,
    next_id: u32,
}

/// How many bundles that went are kept for their return.
const RETIRED: usize = 1 << 16;

/// Of how many chunks each of the [`TestMarks`] is.
#[derive(Debug, Default)]
struct Marked {
    runs: usize,
    parts: usize,
}

impl Marked {
    fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Marked {
        texts.into_iter().map(TestMarks::of).fold(Marked::default(), |marked, marks| Marked {
            runs: marked.runs + usize::from(marks.has_runs),
            parts: marked.parts + usize::from(marks.has_parts),
        })
    }

    fn marks(&self) -> TestMarks {
        TestMarks { has_runs: self.runs > 0, has_parts: self.parts > 0 }
    }
}

impl Document {
    /// Splits a text and puts it into the database.
    pub fn new(db: &mut Database, dialect: Dialect, text: &str, options: Options) -> Self {
        let file = File::builder(dialect, Vec::new(), Arc::default(), Arc::default(), options);
        let file = file.dialect_durability(Durability::NEVER_CHANGE).new(db);
        let mut document = Document {
            file,
            dialect,
            chunks: Vec::new(),
            bundles: Vec::new(),
            bundle_size: 0,
            marked: Marked::default(),
            retired: FxHashMap::default(),
            next_id: 0,
        };
        document.set_text(db, text);
        document
    }

    /// The input that queries are asked about.
    pub fn file(&self) -> File {
        self.file
    }

    /// Replaces the whole text.
    pub fn set_text(&mut self, db: &mut Database, text: &str) {
        self.set_assembled(db, None);
        let spans = split(self.dialect, text);
        let texts: Vec<&str> = spans.iter().map(|s| slice(text, s.range)).collect();
        self.chunks.clear();
        self.marked = Marked::default();
        self.bundle_size = sizes::bundle(text.len());
        let old = std::mem::take(&mut self.bundles);
        self.retire(db, old);
        self.replace(db, 0..0, &texts);
        self.set_places(db);
    }

    /// Sets where the chunks start, and what is in them.
    fn set_places(&self, db: &mut Database) {
        let mut at = TextSize::new(0);
        let mut starts = Vec::with_capacity(self.chunks.len() + 1);
        starts.push(at);
        for text in &self.chunks {
            at += TextSize::of(&**text);
            starts.push(at);
        }
        self.file.set_starts(db).to(Arc::new(starts));
        if self.file.marks(db) != self.marked.marks() {
            self.file.set_marks(db).to(self.marked.marks());
        }
    }

    /// Checks the document with other options from now on.
    pub fn set_options(&mut self, db: &mut Database, options: Options) {
        if *self.file.options(db) != options {
            self.set_assembled(db, None);
            self.file.set_options(db).to(options);
        }
    }

    /// Sets the result of assembling the current text as a whole; the next edit clears it.
    pub fn set_assembled(&mut self, db: &mut Database, assembled: Option<Assembled>) {
        if self.file.assembled(db).is_some() || assembled.is_some() {
            self.file.set_assembled(db).to(assembled);
        }
    }

    /// Applies one edit. A range outside the text is cut to it; offsets inside a character move to its start.
    pub fn edit(&mut self, db: &mut Database, edit: &Edit) {
        self.set_assembled(db, None);
        let (first, start) = self.chunk_before(edit.range.start());
        let (mut last, mut end) = (first, start);
        // The window: the chunks the edit touches and one more, grown until the split meets an old boundary again.
        let mut window = String::new();
        let mut boundaries: Vec<usize> = Vec::new();
        let edit_end = usize::from(edit.range.end());
        let take = |window: &mut String, boundaries: &mut Vec<usize>, last: &mut usize, end: &mut usize| {
            let Some(text) = self.chunks.get(*last) else { return false };
            boundaries.push(window.len());
            window.push_str(text);
            *end += text.len();
            *last += 1;
            true
        };
        while end <= edit_end && take(&mut window, &mut boundaries, &mut last, &mut end) {}
        let local = |offset: TextSize, window: &str| {
            let mut at = usize::from(offset).saturating_sub(start).min(window.len());
            while !window.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let from = local(edit.range.start(), &window);
        let to = local(edit.range.end(), &window).max(from);
        window.replace_range(from..to, &edit.text);
        let edited_end = from + edit.text.len();
        boundaries.clear();
        let mut step = 1;
        loop {
            // Chunks beyond the window, so that the boundaries at their starts can be seen.
            let more = (0..step).all(|_| take(&mut window, &mut boundaries, &mut last, &mut end));
            step *= 2;
            let resume: Vec<TextSize> =
                boundaries.iter().filter(|b| **b > edited_end).map(|b| TextSize::new(*b as u32)).collect();
            let (spans, stop) = resplit(self.dialect, &window, &resume);
            if stop.is_none() && more {
                continue;
            }
            // Chunks taken into the window at or beyond the stop stay as they are.
            let kept = stop.map_or(0, |stop| boundaries.iter().filter(|b| **b >= usize::from(stop)).count());
            let texts: Vec<&str> = spans.iter().map(|s| slice(&window, s.range)).collect();
            self.replace(db, first..last - kept, &texts);
            self.set_places(db);
            return;
        }
    }

    /// Puts new texts in place of some chunks, keeping the chunks at both ends whose texts are the same.
    fn replace(&mut self, db: &mut Database, range: Range<usize>, texts: &[&str]) {
        let old = &self.chunks[range.clone()];
        let same_front = old.iter().zip(texts).take_while(|(o, n)| ***o == ***n).count();
        let rest = old.len().min(texts.len()) - same_front;
        let same_back =
            old.iter().rev().zip(texts.iter().rev()).take(rest).take_while(|(o, n)| ***o == ***n).count();
        let old_middle = range.start + same_front..range.end - same_back;
        let new_middle = &texts[same_front..texts.len() - same_back];
        let (gone, new) = (
            Marked::of(old[same_front..old.len() - same_back].iter().map(|text| &**text)),
            Marked::of(new_middle.iter().copied()),
        );
        self.marked.runs = self.marked.runs + new.runs - gone.runs;
        self.marked.parts = self.marked.parts + new.parts - gone.parts;
        let (bundles, chunks) = self.bundles_around(&old_middle);
        let chunks = chunks.start..chunks.end - old_middle.len() + new_middle.len();
        self.chunks.splice(old_middle, new_middle.iter().map(|text| Arc::from(*text)));
        self.bundle(db, bundles, chunks);
    }

    /// The bundles that hold some chunks, or the chunk before none, and all the chunks that these hold.
    fn bundles_around(&self, range: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let first_chunk = if range.is_empty() { range.start.saturating_sub(1) } else { range.start };
        let (mut bundles, mut chunks) = (0..0, 0..0);
        for (_, count) in &self.bundles {
            if chunks.end <= first_chunk {
                (bundles.start, chunks.start) = (bundles.end, chunks.end);
            } else if chunks.end >= range.end {
                break;
            }
            bundles.end += 1;
            chunks.end += count;
        }
        (bundles, chunks)
    }

    /// Puts some chunks into bundles, in place of those that held them. Bundles, and chunks in them, keep their identity as far as the
    /// count goes; an id stays with its bundle for good.
    fn bundle(&mut self, db: &mut Database, old: Range<usize>, chunks: Range<usize>) {
        let slots = self.bundles[old.clone()].to_vec();
        let mut new = Vec::new();
        let mut start = chunks.start;
        let texts = &self.chunks[chunks];
        // Assembly's chunks are runs of lines already.
        let size = if self.dialect == Dialect::Amdgpu { 0 } else { self.bundle_size };
        for count in kept_runs(&slots, texts, size).unwrap_or_else(|| runs(texts, size)) {
            let texts = self.chunks[start..start + count].to_vec();
            let bundle = if let Some((bundle, _)) = slots.get(new.len()) {
                if *bundle.texts(db) != texts {
                    self.set(db, *bundle, texts);
                }
                *bundle
            } else if let Some(bundle) = self.retired.remove(&texts) {
                bundle
            } else {
                let ids = self.fresh_ids(count);
                // What never changes is not a dependency. The texts have the lowest durability from the start: one that fell at the first
                // edit would make an equal summary count as changed.
                let bundle = Bundle::builder(self.dialect, ids, texts);
                bundle.dialect_durability(Durability::NEVER_CHANGE).new(db)
            };
            new.push((bundle, count));
            start += count;
        }
        if new == slots {
            return;
        }
        self.retire(db, slots.into_iter().skip(new.len()));
        self.bundles.splice(old, new);
        let place = |(bundle, count): &(Bundle, usize)| {
            let bundle = *bundle;
            (0..*count).map(move |place| Chunk { bundle, place })
        };
        let chunks: Vec<Chunk> = self.bundles.iter().flat_map(place).collect();
        let indexes = chunks.iter().enumerate().map(|(index, chunk)| (chunk.id(db), index)).collect();
        self.file.set_indexes(db).to(Arc::new(indexes));
        self.file.set_chunks(db).to(chunks);
    }

    fn set(&mut self, db: &mut Database, bundle: Bundle, texts: Vec<Arc<str>>) {
        let known = bundle.ids(db);
        if known.len() != texts.len() {
            let mut ids = known.clone();
            ids.truncate(texts.len());
            ids.extend(self.fresh_ids(texts.len() - ids.len()));
            bundle.set_ids(db).to(ids);
        }
        bundle.set_texts(db).to(texts);
    }

    fn fresh_ids(&mut self, count: usize) -> Vec<ChunkId> {
        let first = self.next_id;
        self.next_id += count as u32;
        (first..self.next_id).map(ChunkId).collect()
    }

    fn retire(&mut self, db: &Database, bundles: impl IntoIterator<Item = (Bundle, usize)>) {
        for (bundle, _) in bundles {
            if self.retired.len() >= RETIRED {
                self.retired.clear();
            }
            self.retired.insert(bundle.texts(db).clone(), bundle);
        }
    }

    /// The chunk to start splitting from for an edit at `offset`, and its start: the chunk of the line before.
    fn chunk_before(&self, offset: TextSize) -> (usize, usize) {
        let offset = usize::from(offset);
        let mut at = 0;
        for (index, text) in self.chunks.iter().enumerate() {
            let end = at + text.len();
            if offset < end || index + 1 == self.chunks.len() {
                let first_line = text.find('\n').map_or(text.len(), |n| n + 1);
                if index > 0 && offset < at + first_line {
                    let before = self.chunks[index - 1].len();
                    return (index - 1, at - before);
                }
                return (index, at);
            }
            at = end;
        }
        (0, 0)
    }
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(Range::<usize>::from(range)).unwrap_or("")
}

/// The chunks that each bundle has, if there are as many as before and no bundle has grown too large: most edits move no chunk from one
/// bundle to another.
fn kept_runs(slots: &[(Bundle, usize)], chunks: &[Arc<str>], size: usize) -> Option<Vec<usize>> {
    let mut rest = chunks;
    for (_, count) in slots {
        let (own, more) = rest.split_at_checked(*count)?;
        if own.len() > 1 && own.iter().map(|text| text.len()).sum::<usize>() > 2 * size {
            return None;
        }
        rest = more;
    }
    rest.is_empty().then(|| slots.iter().map(|(_, count)| *count).collect())
}

/// How many chunks each bundle of a size takes, of chunks in a row.
fn runs(chunks: &[Arc<str>], limit: usize) -> Vec<usize> {
    let (mut runs, mut count, mut size) = (Vec::new(), 0, 0);
    for text in chunks {
        if count > 0 && size + text.len() > limit {
            runs.push(count);
            (count, size) = (0, 0);
        }
        count += 1;
        size += text.len();
    }
    runs.extend((count > 0).then_some(count));
    runs
}
