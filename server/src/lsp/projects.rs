//! The search for the project files of documents. It runs on a thread, since a folder on a network may answer late; what is about a
//! document waits for it, but not for long.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lsp_types::{MessageType, Uri};

use super::document::{Diagnosis, OpenDocument};
use super::event::{Event, FoundFor, ProjectsFound};
use super::state::State;
use super::uri;
use crate::clock::Instant;
use crate::project::{self, Found};

/// How long requests and checks wait for the search, and for files that are included.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

impl State {
    /// Looks for the project files of documents.
    pub(super) fn find_projects(&mut self, is_meant: impl Fn(&Uri) -> bool) {
        let search = self.next_generation();
        let until = Instant::now() + PATIENCE;
        let mut files = Vec::new();
        for document in self.documents.iter_mut().filter(|d| is_meant(&d.uri)) {
            let Some(path) = uri::path(document.uri.as_str()) else { continue };
            document.search = search;
            document.awaits_project = Some(until);
            document.check_when_ready();
            files.push((document.uri.clone(), path));
        }
        if files.is_empty() {
            return;
        }
        let mailbox = self.mailbox.clone();
        self.spawn(move || {
            let mut known: HashMap<PathBuf, Option<Arc<Found>>> = HashMap::new();
            let mut find = |path: &Path| {
                let folder = path.parent().unwrap_or(path).to_owned();
                known.entry(folder).or_insert_with(|| project::find(path).map(Arc::new)).clone()
            };
            let found = files.into_iter().map(|(uri, path)| {
                let noted = project::noted_processor(&path);
                FoundFor { uri, project: find(&path), noted }
            });
            let found = found.collect();
            let _ = mailbox.send(Event::ProjectsFound(ProjectsFound { search, found }));
        });
    }

    /// Takes over what a search has found.
    pub(super) fn projects_found(&mut self, result: ProjectsFound) {
        let mut changed = Vec::new();
        for FoundFor { uri, project: found, noted } in result.found {
            let Some(index) = self.position_of(&uri) else { continue };
            let Some(document) = self.documents.get_mut(index).filter(|d| d.search == result.search) else {
                continue;
            };
            document.awaits_project = None;
            document.check_when_ready();
            let content =
                |found: &Option<Arc<Found>>| found.as_ref().map(|f| (f.path.clone(), f.text.clone()));
            if content(&document.project) != content(&found) || document.noted != noted {
                document.noted = noted;
                found.iter().flat_map(|found| found.complaints()).for_each(|complaint| {
                    self.outbox.log(MessageType::WARNING, complaint);
                });
                document.project = found;
                changed.push(uri);
            }
        }
        if changed.is_empty() {
            return;
        }
        self.claim();
        for uri in &changed {
            let generation = self.next_generation();
            let Some(index) = self.position_of(uri) else { continue };
            let Some(document) = self.documents.get_mut(index) else { continue };
            document.document.set_options(self.store.db_mut(), document.options(&self.config));
            document.generation = generation;
            document.diagnosis = Diagnosis::Due(Instant::now());
            // The project names folders of files to include.
            document.names_files = document.may_include();
            self.compilers.changed(uri);
            self.load_includes(uri, false);
        }
        self.refresh();
        self.refresh_diagnostics();
    }

    /// Whether requests about a document wait for its project file, or for what it includes.
    pub(super) fn awaits_files(&self, uri: &Uri) -> bool {
        self.document(uri).and_then(OpenDocument::is_ready_at).is_some_and(|until| Instant::now() < until)
    }
}
