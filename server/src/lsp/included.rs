//! The files that documents include: read in threads of their own, since a disk can block, and set as options.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SendError, sync_channel};
use std::time::Duration;

use lsp_types::Uri;
use ropey::Rope;
use wavelens_base::includes::Includes;
use wavelens_check::dialect::includes_files;
use wavelens_check::project::FILE_NAME;

use super::document::{Diagnosis, OpenDocument};
use super::event::{Event, IncludesRead};
use super::projects::PATIENCE;
use super::state::{State, file_name};
use super::uri;
use crate::clock::Instant;
use crate::includes::Search;

/// How long an edit waits for files, so that a document that is opened is checked with them at once.
const WAIT: Duration = Duration::from_millis(30);

impl State {
    /// Reads what a document includes again, if an edit may have changed that, and does so for those that include it. Where it was
    /// opened or closed, files that were not there are looked for again.
    pub(super) fn load_includes(&mut self, changed: &Uri, is_edit: bool) {
        let path = uri::path(changed.as_str());
        self.load_includes_of(|document| {
            let includes = |path: &PathBuf| document.includes.files().any(|(_, f)| f.path == *path);
            let own = document.uri == *changed && document.names_files;
            let missing = !is_edit && document.uri != *changed && document.includes.misses_files();
            own || missing || path.as_ref().is_some_and(includes)
        });
    }

    /// Reads again what the affected documents include; whether that is not what it was.
    pub(super) fn load_includes_of(&mut self, is_affected: impl Fn(&OpenDocument) -> bool) -> bool {
        let mut is_other = false;
        for index in 0..self.documents.len() {
            let Some(document) = self.documents.get_mut(index) else { continue };
            if !is_affected(document) {
                // What is read may be older than the change; which files that are is not known yet.
                document.names_files |= document.awaits_includes.is_some();
                continue;
            }
            let includes = self.read_includes(index);
            let Some(document) = self.documents.get_mut(index) else { continue };
            document.names_files = false;
            if let Some(includes) = includes {
                is_other |= self.set_includes(index, includes, self.config.diagnostics_debounce);
            }
        }
        self.includes_changed(is_other);
        is_other
    }

    /// What was read after a while.
    pub(super) fn includes_read(&mut self, read: IncludesRead) {
        let Some(index) = self.position_of(&read.uri) else { return };
        let Some(document) = self.documents.get_mut(index) else { return };
        if document.includes_asked != read.question {
            return;
        }
        document.awaits_includes = None;
        document.check_when_ready();
        let reads_again = document.names_files;
        let mut is_other = self.set_includes(index, read.includes, Duration::ZERO);
        self.includes_changed(is_other);
        if reads_again {
            is_other |= self.load_includes_of(|document| document.uri == read.uri);
        }
        if is_other {
            self.refresh();
        }
    }

    /// Whether these are other files than before.
    fn set_includes(&mut self, index: usize, includes: Includes, debounce: Duration) -> bool {
        if self.documents.get(index).is_none_or(|document| document.includes == includes) {
            return false;
        }
        self.claim();
        let generation = self.next_generation();
        let Some(document) = self.documents.get_mut(index) else { return false };
        document.includes = includes;
        document.document.set_options(self.store.db_mut(), document.options(&self.config));
        document.generation = generation;
        document.diagnosis = Diagnosis::Due(Instant::now() + debounce);
        true
    }

    /// Asks for notifications of changes to the files that are included now.
    fn includes_changed(&mut self, is_other: bool) {
        let names = self.documents.iter().flat_map(|d| d.includes.names());
        let names = names.filter_map(|n| file_name(Path::new(n)));
        let project = (!self.documents.is_empty()).then(|| FILE_NAME.to_owned());
        self.watch.set(names.chain(project).collect(), &self.outbox);
        if is_other {
            self.refresh_diagnostics();
        }
    }

    /// Reads what a document includes in a thread of its own: a disk can block. `None` if that takes longer than an edit may wait; then
    /// it arrives as an event.
    pub(super) fn read_includes(&mut self, index: usize) -> Option<Includes> {
        let document = self.documents.get_mut(index)?;
        document.includes_asked += 1;
        let document = self.documents.get(index)?;
        let dialect = document.dialect;
        let Some(main) = uri::path(document.uri.as_str()).filter(|_| includes_files(dialect)) else {
            self.documents.get_mut(index)?.awaits_includes = None;
            return Some(Includes::default());
        };
        let mut roots = self.folders.clone();
        if roots.is_empty() {
            roots.extend(main.parent().map(Path::to_owned));
        }
        let paths = self.config.include_paths.iter();
        let paths = paths.flat_map(|path| roots.iter().map(move |root| root.join(path)));
        let project = document.project.iter().filter_map(|found| found.project.as_ref());
        let paths = paths.chain(project.flat_map(|project| project.include_paths())).collect();
        let own = document.positions.rope.clone();
        let (uri, question) = (document.uri.clone(), document.includes_asked);
        // Only what includes files itself is included by others.
        let others = self.documents.iter().filter(|other| includes_files(other.dialect));
        let others: HashMap<PathBuf, Rope> = others
            .filter_map(|other| Some((uri::path(other.uri.as_str())?, other.positions.rope.clone())))
            .collect();
        let mailbox = self.mailbox.clone();
        // Whoever waits takes it; once nobody does, it cannot be sent.
        let (sender, receiver) = sync_channel(0);
        let read = move || {
            let edited = |path: &Path| others.get(path).map(Rope::to_string);
            let includes = Search { roots, paths }.load(dialect, &own.to_string(), &main, edited);
            if let Err(SendError(includes)) = sender.send(includes) {
                let _ = mailbox.send(Event::IncludesRead(IncludesRead { uri, question, includes }));
            }
        };
        std::thread::Builder::new().name("includes".to_owned()).spawn(read).ok()?;
        let includes = receiver.recv_timeout(WAIT).ok();
        let document = self.documents.get_mut(index)?;
        document.awaits_includes = None;
        if includes.is_none() {
            document.awaits_includes = Some(Instant::now() + PATIENCE);
            document.check_when_ready();
        }
        includes
    }
}
