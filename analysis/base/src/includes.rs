//! Files that a document includes. The caller reads them; nothing here opens a file.

use std::path::PathBuf;
use std::sync::Arc;

/// A file that another one includes.
#[derive(Debug, PartialEq, Eq)]
pub struct IncludedFile {
    /// Where it was read.
    pub path: PathBuf,
    /// Empty for a file that is taken as bytes only.
    pub text: Arc<str>,
    /// In bytes.
    pub size: u64,
}

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Included {
    /// It was read.
    File(Arc<IncludedFile>),
    /// It was not found, or may not be read.
    Missing,
    /// It may be there, but not where files may be read, or it is too large.
    Unread,
}

/// The files that a file and its included files name, as they are written, in the order of the names. A name that
/// is not there is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Includes(Arc<Vec<(String, Included)>>);

impl FromIterator<(String, Included)> for Includes {
    fn from_iter<I: IntoIterator<Item = (String, Included)>>(names: I) -> Self {
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        names.dedup_by(|(a, _), (b, _)| a == b);
        Includes(Arc::new(names))
    }
}

impl Includes {
    /// The names, wherever they lead.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Whether some name leads nowhere.
    pub fn misses_files(&self) -> bool {
        self.0.iter().any(|(_, found)| *found == Included::Missing)
    }

    /// A file by its number among the names.
    pub fn file(&self, number: u32) -> Option<&Arc<IncludedFile>> {
        match self.0.get(number as usize)? {
            (_, Included::File(file)) => Some(file),
            _ => None,
        }
    }

    /// All files, with their numbers.
    pub fn files(&self) -> impl Iterator<Item = (u32, &Arc<IncludedFile>)> {
        (0..).zip(self.0.iter()).filter_map(|(number, (_, found))| match found {
            Included::File(file) => Some((number, file)),
            _ => None,
        })
    }

    /// What a name refers to, with its number; `None` for a name that nobody asked about.
    pub fn find(&self, name: &str) -> Option<(u32, &Included)> {
        let number = self.0.binary_search_by(|(n, _)| n.as_str().cmp(name)).ok()?;
        Some((number as u32, &self.0.get(number)?.1))
    }
}

/// A name in `.include` or `.incbin`, and whether it is that of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludedName {
    /// As it is written.
    pub name: String,
    /// Its bytes are taken as they are, and not read as assembly.
    pub is_binary: bool,
}
