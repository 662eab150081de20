//! Files that are shown to the user, in a folder of this session's own that goes with it.

use std::path::PathBuf;

use lsp_types::Uri;

/// A folder that is made when it is first needed and removed in the end.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    folder: Option<PathBuf>,
    /// Documents that have a folder in it, by its number: documents of one name are told apart.
    documents: Vec<Uri>,
}

impl Scratch {
    /// The file for something shown about a document: the document's name and an ending.
    pub(super) fn file(&mut self, uri: &Uri, ending: &str) -> PathBuf {
        let number = self.documents.iter().position(|d| d == uri).unwrap_or_else(|| {
            self.documents.push(uri.clone());
            self.documents.len() - 1
        });
        let name = uri.path().segments().next_back().map_or("code".to_owned(), |s| s.to_string());
        let safe: String = name
            .chars()
            .map(|c| if c.is_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' })
            .collect();
        let folder = self.folder.get_or_insert_with(make).join(number.to_string());
        // Who writes the file says what went wrong.
        let _ = std::fs::create_dir(&folder);
        folder.join(format!("{}.{ending}", safe.trim_start_matches('.')))
    }
}

/// A new folder: never one that somebody else has put there.
fn make() -> PathBuf {
    let name = |n| std::env::temp_dir().join(format!("wavelens-{}-{n}", std::process::id()));
    (0..1000).map(name).find(|path| std::fs::create_dir(path).is_ok()).unwrap_or_else(|| name(1000))
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
