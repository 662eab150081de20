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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_files() {
        let file = |path: &str| Arc::new(IncludedFile { path: path.into(), text: "".into(), size: 0 });
        let (a, b) = (file("a"), file("b"));
        let found = |file: &Arc<IncludedFile>| Included::File(file.clone());
        let includes: Includes =
            [("b".to_owned(), found(&b)), ("c".to_owned(), Included::Unread), ("a".to_owned(), found(&a))]
                .into_iter()
                .chain([("a".to_owned(), Included::Missing)])
                .collect();
        assert_eq!(includes.names().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(includes.find("b"), Some((1, &found(&b))));
        assert_eq!(includes.find("d"), None);
        assert_eq!((includes.file(0), includes.file(2), includes.file(3)), (Some(&a), None, None));
        assert_eq!(includes.files().collect::<Vec<_>>(), [(0, &a), (1, &b)]);
        assert!(!includes.misses_files());
        assert!(Includes::from_iter([("a".to_owned(), Included::Missing)]).misses_files());
    }
}
