//! Names in the workspace's files that are not open: for symbol search, and for definition and references across modules.
//!
//! A thread of its own ([`fill`]) reads the files and keeps what it found on disk; in the next session it reads those that have changed.
//! Questions are answered from memory, with what is known by then.

mod entry;
mod fill;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use lsp_types::{Location, SymbolKind};
use wavelens_ide::features;

use super::outbox::Outbox;
use super::position::Encoding;
use super::uri;
use entry::Entry;
pub(super) use entry::Use;

/// Results of a symbol search.
pub(super) const MANY_SYMBOLS: usize = 1000;

type Files = BTreeMap<PathBuf, Entry>;

/// What is known of the workspace's files.
#[derive(Default)]
pub(super) struct Index {
    files: RwLock<Files>,
    /// To the thread, once it runs: files that may have changed.
    changes: Mutex<Option<Sender<Vec<PathBuf>>>>,
    is_stopped: AtomicBool,
}

/// What a session indexes, and how.
pub(super) struct Workspace {
    pub(super) folders: Vec<PathBuf>,
    pub(super) encoding: Encoding,
    /// Where progress is shown.
    pub(super) progress: Option<Outbox>,
}

impl Index {
    /// Starts to read the workspace, unless that has begun.
    pub(super) fn start(self: &Arc<Self>, workspace: Workspace) {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let roots: Vec<PathBuf> = workspace.folders.iter().filter(|f| fill::is_project(f)).cloned().collect();
        if changes.is_some() || roots.is_empty() {
            return;
        }
        let (sender, receiver) = channel();
        *changes = Some(sender);
        self.is_stopped.store(false, Ordering::Relaxed);
        let index = self.clone();
        let work = move || fill::run(&index, &Workspace { folders: roots, ..workspace }, &receiver);
        // Without the thread only open files are known.
        let _ = std::thread::Builder::new().name("index".to_owned()).spawn(work);
    }

    /// Forgets everything, and ends the thread.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        *self.changes.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.files.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Looks at files again that may have changed.
    pub(super) fn changed(&self, files: Vec<PathBuf>) {
        if let Some(changes) = &*self.changes.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = changes.send(files);
        }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn stamp(&self, path: &Path) -> Option<entry::Stamp> {
        Some(self.files().get(path)?.stamp)
    }

    fn set(&self, path: PathBuf, entry: Option<Entry>) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        match entry {
            // After a stop nothing is known.
            _ if self.is_stopped() => {}
            Some(entry) => drop(files.insert(path, entry)),
            None => drop(files.remove(&path)),
        }
    }

    fn files(&self) -> RwLockReadGuard<'_, Files> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where files that are not open use a name, with what they do there.
    pub(super) fn places(&self, name: &str, open: &HashSet<PathBuf>) -> Vec<(Location, Use)> {
        let mut found = Vec::new();
        for (path, entry) in closed(&self.files(), open) {
            let named = entry.names.iter().filter(|(own, ..)| **own == *name);
            let place = |(_, role, span): &(_, Use, entry::Span)| {
                Some((Location::new(uri::uri(path)?, span.range()), *role))
            };
            found.extend(named.filter_map(place));
        }
        found
    }

    /// Symbols that match a query, in files that are not open.
    pub(super) fn symbols(
        &self,
        query: &str,
        open: &HashSet<PathBuf>,
    ) -> Vec<(String, SymbolKind, Location)> {
        let mut found = Vec::new();
        for (path, entry) in closed(&self.files(), open) {
            if found.len() >= MANY_SYMBOLS {
                break;
            }
            let is_meant =
                |(name, ..): &&(Box<str>, SymbolKind, entry::Span)| features::is_meant(name, query);
            let mut meant = entry.symbols.iter().filter(is_meant).peekable();
            // Most files have none.
            let Some(uri) = meant.peek().and_then(|_| uri::uri(path)) else { continue };
            found.extend(meant.map(|(name, kind, span)| {
                (name.to_string(), *kind, Location::new(uri.clone(), span.range()))
            }));
        }
        found
    }
}

/// The files but those that are open.
fn closed<'f>(files: &'f Files, open: &HashSet<PathBuf>) -> impl Iterator<Item = (&'f PathBuf, &'f Entry)> {
    files.iter().filter(move |(path, _)| !open.contains(*path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("wavelens-index-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("a")).expect("is writable");
        folder
    }

    fn filled(folder: &Path, disk: &Path) -> Arc<Index> {
        let index = Arc::new(Index::default());
        let workspace =
            Workspace { folders: vec![folder.to_owned()], encoding: Encoding::Utf16, progress: None };
        fill::fill(&index, &workspace, Some(disk));
        index
    }

    fn places(index: &Index, name: &str, open: &[PathBuf]) -> Vec<(String, u32, Use)> {
        let place = |(location, role): (Location, Use)| {
            (uri::file_name(&location.uri), location.range.start.line, role)
        };
        index.places(name, &open.iter().cloned().collect()).into_iter().map(place).collect()
    }

    #[test]
    fn closed_files_are_read_once_and_again_when_they_change() {
        let folder = workspace("files");
        let disk = folder.join("index.json");
        let (f, g) = (folder.join("a/f.ll"), folder.join("g.ll"));
        std::fs::write(&f, "define void @f() {\n  ret void\n}\n").expect("is writable");
        std::fs::write(&g, "declare void @f()\n\ndefine void @g() {\n  call void @f()\n  ret void\n}\n")
            .expect("is writable");
        std::fs::write(folder.join("x86.s"), ".globl f\nf: ret\n").expect("is writable");
        let index = filled(&folder, &disk);
        let all = [
            ("f.ll".to_owned(), 0, Use::Definition),
            ("g.ll".to_owned(), 0, Use::Declaration),
            ("g.ll".to_owned(), 3, Use::Reference),
        ];
        assert_eq!(places(&index, "f", &[]), all);
        assert_eq!(places(&index, "f", std::slice::from_ref(&g)), all[..1]);
        let symbols = index.symbols("G", &HashSet::new());
        assert_eq!(symbols.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>(), ["@g"]);

        // The second session takes over what is on disk: the entry is not that of the file.
        let written = std::fs::read_to_string(&disk).expect("it was written").replace("\"@g\"", "\"@h\"");
        std::fs::write(&disk, written).expect("is writable");
        let index = filled(&folder, &disk);
        assert_eq!(index.symbols("h", &HashSet::new()).len(), 1);
        std::fs::write(&g, "declare void @f()\n").expect("is writable");
        std::fs::remove_file(&f).expect("it is there");
        let index = filled(&folder, &disk);
        assert_eq!(places(&index, "f", &[]), [("g.ll".to_owned(), 0, Use::Declaration)]);
        // Damage is as if there were none.
        std::fs::write(&disk, "{").expect("is writable");
        assert_eq!(places(&filled(&folder, &disk), "f", &[]).len(), 1);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn ignored_files_and_whole_disks_are_left_out() {
        let folder = workspace("ignored");
        std::fs::write(folder.join(".ignore"), "a\n").expect("is writable");
        std::fs::write(folder.join("a/f.ll"), "define void @f() {\n  ret void\n}\n").expect("is writable");
        assert_eq!(places(&filled(&folder, &folder.join("index.json")), "f", &[]), []);
        let _ = std::fs::remove_dir_all(folder);
        assert!(!fill::is_project(Path::new("/")));
        assert!(std::env::home_dir().is_none_or(|home| !fill::is_project(&home)));
        assert!(fill::is_project(Path::new("/home/me/kernels")));
    }
}
