//! Files that are shown to the user, in a folder of this session's own that goes with it.

use std::fs::create_dir;
use std::path::PathBuf;

use lsp_types::Uri;
use wavelens_codegen::private::Temporary;

/// A folder that is made when it is first needed and removed in the end.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    folder: Option<Temporary>,
    /// Documents that have a folder in it, by its number: the number distinguishes documents with the same name.
    documents: Vec<Uri>,
    /// The client keeps what it has read of a file: each view has a new one.
    pub(super) is_numbered: bool,
}

impl Scratch {
    /// The file for something shown about a document: the document's name and an ending. An error is a sentence for the user.
    pub(super) fn file(&mut self, uri: &Uri, ending: &str) -> Result<PathBuf, String> {
        let folder = match &self.folder {
            Some(folder) => folder,
            None => self.folder.insert(Temporary::new("session").map_err(|error| error.to_string())?),
        };
        let number = self.documents.iter().position(|d| d == uri).unwrap_or_else(|| {
            self.documents.push(uri.clone());
            self.documents.len() - 1
        });
        let name = uri.path().segments().next_back().map_or("code".to_owned(), |s| s.to_string());
        let safe: String = name
            .chars()
            .map(|c| if c.is_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' })
            .collect();
        let folder = folder.path().join(number.to_string());
        // Who writes the file says what went wrong.
        let _ = create_dir(&folder);
        let name = safe.trim_start_matches('.');
        let first = folder.join(format!("{name}.{ending}"));
        let mut others = (2..).map(|number: u32| folder.join(format!("{name}.{number}.{ending}")));
        Ok(match self.is_numbered && first.exists() {
            true => others.find(|file| !file.exists()).unwrap_or(first),
            false => first,
        })
    }

    /// Whether a document is one of these files.
    pub(super) fn holds(&self, uri: &Uri) -> bool {
        let path = super::uri::path(uri.as_str());
        self.folder.as_ref().zip(path).is_some_and(|(folder, path)| path.starts_with(folder.path()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_does_not_read_a_file_again_gets_another() {
        let uri: Uri = "file:///t/a.ll".parse().expect("a URI");
        let name = |scratch: &mut Scratch| {
            let file = scratch.file(&uri, "cfg.txt").expect("a folder");
            std::fs::write(&file, "").expect("a file");
            file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let mut scratch = Scratch { is_numbered: true, ..Scratch::default() };
        let names: Vec<String> = (0..3).map(|_| name(&mut scratch)).collect();
        assert_eq!(names, ["a.ll.cfg.txt", "a.ll.2.cfg.txt", "a.ll.3.cfg.txt"]);
        let mut scratch = Scratch::default();
        assert_eq!(name(&mut scratch), name(&mut scratch));
    }
}
