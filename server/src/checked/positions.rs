//! Lines and columns of findings, in a checked file and in the files that it includes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wavelens_base::includes::IncludedFile;
use wavelens_base::{Finding, TextRange, TextSize};

use super::Checked;
use crate::LineIndex;

/// A place in a line; all numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) line: u32,
    /// In bytes.
    pub(crate) column: u32,
    /// In UTF-16 units, as editors count.
    pub(crate) utf16: u32,
}

/// One file: its path, text and lines.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "only the command line shows excerpts"))]
pub(crate) struct Text<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
    pub(crate) index: &'a LineIndex,
}

impl Text<'_> {
    pub(crate) fn point(&self, offset: TextSize) -> Point {
        let (line, column) = self.index.position(offset);
        Point { line: line + 1, column: column + 1, utf16: self.index.utf16_column(offset) + 1 }
    }

    pub(crate) fn points(&self, range: TextRange) -> (Point, Point) {
        (self.point(range.start()), self.point(range.end()))
    }
}

/// The lines of a checked file and of each file that its findings refer to, found once.
#[derive(Debug)]
pub(crate) struct Positions<'a> {
    path: &'a Path,
    text: &'a str,
    index: LineIndex,
    included: HashMap<&'a PathBuf, (&'a IncludedFile, LineIndex)>,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(checked: &'a Checked) -> Self {
        Positions::of(&checked.path, &checked.source.text, checked.found.iter().map(|f| &f.finding))
    }

    fn of(path: &'a Path, text: &'a str, findings: impl Iterator<Item = &'a Finding>) -> Self {
        let mut included = HashMap::new();
        for file in findings.flat_map(|f| &f.related).filter_map(|r| r.file.as_deref()) {
            included.entry(&file.path).or_insert_with(|| (file, LineIndex::new(&file.text)));
        }
        Positions { path, text, index: LineIndex::new(text), included }
    }

    /// The checked file.
    pub(crate) fn own(&self) -> Text<'_> {
        Text { path: self.path, text: self.text, index: &self.index }
    }

    /// The file that something related is in.
    pub(crate) fn of_related(&self, file: Option<&Arc<IncludedFile>>) -> Text<'_> {
        match file.and_then(|f| self.included.get(&f.path)) {
            Some((file, index)) => Text { path: &file.path, text: &file.text, index },
            None => self.own(),
        }
    }
}
