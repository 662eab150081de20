//! Files that are shown to the user, in a folder of this session's own that goes with it.

use std::fs::{File, create_dir, remove_dir_all};
use std::io;
use std::path::{Path, PathBuf};

use lsp_types::Uri;
use wavelens_codegen::private;

/// Names of folders start so, in the system's folder for temporary files.
const PREFIX: &str = "wavelens-session-";
/// A file in each folder that is locked as long as its session lives, also in another container.
const LOCK: &str = "lock";

/// A folder that is made when it is first needed and removed in the end.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    folder: Option<Folder>,
    /// Documents that have a folder in it, by its number: the number distinguishes documents with the same name.
    documents: Vec<Uri>,
    /// The client keeps what it has read of a file: each view has a new one.
    pub(super) is_numbered: bool,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    _lock: Option<File>,
}

impl Scratch {
    /// The file for something shown about a document: the document's name and an ending. An error is a sentence for the user.
    pub(super) fn file(&mut self, uri: &Uri, ending: &str) -> Result<PathBuf, String> {
        let temporary = std::env::temp_dir();
        let folder = match &self.folder {
            Some(folder) => folder,
            None => {
                let made = make(&temporary).map_err(|error| {
                    format!("{}: cannot make a private folder: {error}", temporary.display())
                })?;
                self.folder.insert(made)
            }
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
        let folder = folder.path.join(number.to_string());
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
        self.folder.as_ref().zip(path).is_some_and(|(folder, path)| path.starts_with(&folder.path))
    }
}

/// A new folder, never one that somebody else has put there; those that killed sessions have left are removed.
fn make(parent: &Path) -> io::Result<Folder> {
    sweep(parent);
    let path = private::new_folder(parent, PREFIX)?;
    let lock = File::create_new(path.join(LOCK)).ok().filter(|l| l.try_lock().is_ok());
    Ok(Folder { path, _lock: lock })
}

/// Removes the user's folders whose lock nobody holds.
fn sweep(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX)) {
        let is_own = || entry.metadata().is_ok_and(|m| m.is_dir() && private::is_own(&m));
        let is_left = || File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_own() && is_left() {
            let _ = remove_dir_all(entry.path());
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = remove_dir_all(&self.path);
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

    #[test]
    fn what_a_killed_session_left_goes_and_what_is_in_use_stays() {
        let parent = std::env::temp_dir().join(format!("wavelens-scratch-{}", std::process::id()));
        let left = parent.join(format!("{PREFIX}1-0"));
        std::fs::create_dir_all(left.join("0")).expect("a folder");
        std::fs::write(left.join(LOCK), "").expect("a file");
        std::fs::write(left.join("0/k.s"), "s_endpgm").expect("a file");
        let other = parent.join("somebody-else");
        create_dir(&other).expect("a folder");
        let used = make(&parent).expect("a folder");
        assert!(!left.exists() && other.exists());
        let second = make(&parent).expect("a folder");
        assert!(used.path.exists() && second.path != used.path);
        let path = used.path.clone();
        drop(used);
        assert!(!path.exists());
        drop(second);
        let _ = remove_dir_all(parent);
    }
}
