//! The thread that owns the database. It alone edits; everything that takes time runs on snapshots elsewhere.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use lsp_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, MessageType, PublishDiagnosticsParams, Uri,
};
use rayon::ThreadPool;
use serde_json::Value;
use wavelens_base::Dialect;
use wavelens_check::project::FILE_NAME;
use wavelens_codegen::{Message, SourceCosts};

use super::commands::Opening;
use super::config::Config;
use super::configuration::Choice;
use super::document::{Complaints, Diagnosis, OpenDocument};
use super::documents::Documents;
use super::event::{Client, Event, Question, Refreshes, Tested};
use super::index::{Index, Workspace};
use super::legalization::Legalizations;
use super::memory::Memory;
use super::outbox::Outbox;
use super::position::Encoding;
use super::progress::Progress;
use super::questions::Pool;
use super::recovery::checking_threads;
use super::reduce::Reductions;
use super::runs::{Runs, Ticket};
use super::scratch::Scratch;
use super::snapshot::{DocumentView, Snapshot};
use super::store::Store;
use super::tokens::Sent;
use super::watch::Watch;
use super::{code, commands, compilers, config, counterpart, isa, legalization, progress, uri};
use crate::clock::Instant;

/// Events handled before findings are looked at again, so that a flood of events does not keep them away.
const BURST: usize = 256;

pub(super) struct State {
    pub(super) store: Store,
    pub(super) documents: Documents,
    pub(super) config: Arc<Config>,
    /// Of the workspace.
    pub(super) folders: Vec<PathBuf>,
    pub(super) encoding: Encoding,
    pub(super) sent_tokens: Arc<Sent>,
    pub(super) push: bool,
    pub(super) watch: Watch,
    pub(super) progress: bool,
    pub(super) opening: Opening,
    /// The client can ask the user before it makes an edit.
    pub(super) confirms_edits: bool,
    /// The client shows machine code itself, and is notified of each fresh report.
    pub(super) shows_code: bool,
    refreshes: Refreshes,
    pub(super) outbox: Outbox,
    pub(super) mailbox: Sender<Event>,
    pub(super) compilers: compilers::Compilers,
    pub(super) legalizations: Legalizations,
    pub(super) reductions: Reductions,
    pub(super) scratch: Scratch,
    /// Of files that are not open.
    index: Arc<Index>,
    pub(super) runs: Runs,
    /// Requests without a thread.
    pub(super) questions: VecDeque<Question>,
    pub(super) pool: Pool,
    /// For findings, so that they and requests never wait for each other's threads.
    pub(super) checking: Option<Arc<ThreadPool>>,
    pub(super) memory: Memory,
    /// The document last opened, edited or asked about: commands without an argument are about it.
    pub(super) last_used: Option<Uri>,
    /// Bytes of documents that were closed and are still in the database.
    pub(super) closed_bytes: usize,
    /// The client reports what is wrong with settings.
    checks_settings: bool,
    /// What was said about settings.
    complained: Vec<String>,
    generation: u64,
    /// Questions about code of documents whose project file is not found yet.
    pub(super) early: Vec<Event>,
}

impl State {
    pub(super) fn new(outbox: Outbox, mailbox: Sender<Event>, index: Arc<Index>) -> Self {
        State {
            runs: Runs::new(mailbox.clone()),
            questions: VecDeque::new(),
            pool: Pool::new(0),
            checking: checking_threads(),
            memory: Memory::start(&outbox, mailbox.clone()),
            store: Store::default(),
            documents: Documents::default(),
            config: Arc::default(),
            folders: Vec::new(),
            encoding: Encoding::default(),
            sent_tokens: Arc::default(),
            push: true,
            watch: Watch::default(),
            progress: false,
            opening: Opening::Message,
            confirms_edits: false,
            shows_code: false,
            refreshes: Refreshes::default(),
            outbox,
            mailbox,
            compilers: compilers::Compilers::default(),
            legalizations: Legalizations::default(),
            reductions: Reductions::default(),
            scratch: Scratch::default(),
            index,
            last_used: None,
            closed_bytes: 0,
            checks_settings: false,
            complained: Vec::new(),
            generation: 0,
            early: Vec::new(),
        }
    }

    /// Handles an event and those that wait, and then what is due. False after a request to stop.
    pub(super) fn turn(&mut self, first: Option<Event>, events: &Receiver<Event>) -> bool {
        // What has arrived already goes first: a burst of edits is checked once.
        for event in first.into_iter().chain(events.try_iter().take(BURST)) {
            #[cfg(not(target_family = "wasm"))]
            if matches!(event, Event::Stop) {
                // At once: to free a large database takes longer than the program waits.
                drop(std::mem::take(&mut self.compilers));
                drop(std::mem::take(&mut self.reductions));
                drop(std::mem::take(&mut self.scratch));
                self.index.stop();
                return false;
            }
            self.survive(|state| state.handle(event));
        }
        self.survive(|state| {
            for event in std::mem::take(&mut state.early) {
                state.handle(event);
            }
            state.give_up_overdue();
            state.dispatch();
            state.diagnose_due();
            for uri in state.compilers.take_due(Instant::now()) {
                isa::start(state, &uri);
            }
        });
        true
    }

    fn handle(&mut self, event: Event) {
        // Not the files that commands wrote.
        if let Some(uri) = event.document()
            && !self.scratch.holds(uri)
            && self.last_used.as_ref() != Some(uri)
        {
            self.last_used = Some(uri.clone());
        }
        match event {
            Event::Initialized(client) => self.initialized(client),
            Event::Opened(params) => self.opened(params),
            Event::Changed(params) => self.changed(params),
            Event::Closed(uri) => self.closed(&uri),
            Event::FilesChanged(files) => self.files_changed(&files),
            Event::ProjectsFound(found) => self.projects_found(found),
            Event::Configured(value) => self.configured(&value),
            Event::Requested(question) => self.asked(question),
            Event::Chosen { uri, choice } => self.chosen(&uri, choice),
            Event::Commanded { params, answer } => commands::execute(self, params, answer),
            Event::Diagnosed(diagnosed) => self.diagnosed(diagnosed),
            // The turn ends with a look at what waits.
            Event::Freed => {}
            Event::Memory(resident) => self.relieve_memory(resident),
            Event::CodeAsked { ref uri, .. } if self.awaits_files(uri) => self.early.push(event),
            Event::CodeAsked { uri, question, answer } => code::asked(self, &uri, question, answer),
            Event::CounterpartAsked { uri, line, answer } => counterpart::asked(self, &uri, line, answer),
            Event::LegalizationAsked { request, answer } => legalization::asked(self, request, answer),
            Event::Legalized { request, note } => legalization::answered(self, request, note),
            Event::CodeTakenBack(uri) => isa::taken_back(self, &uri),
            Event::ProgressCancelled(token) => self.reductions.cancelled(&token),
            Event::LookedAt(uri) => isa::looked_at(self, &uri),
            Event::CostsAwaited(uri, ready) => self.compilers.awaited(&uri, ready),
            Event::Compiled(compiled) => isa::compiled(self, compiled),
            Event::LinesFound(found) => isa::lines_found(self, found),
            Event::Tested(tested) => self.tested(tested),
            Event::IncludesRead(read) => self.includes_read(read),
            #[cfg(not(target_family = "wasm"))]
            Event::InputEnded => {
                self.compilers.stop();
                drop(std::mem::take(&mut self.reductions));
            }
            #[cfg(not(target_family = "wasm"))]
            Event::Stop => {}
        }
    }

    fn initialized(&mut self, client: Client) {
        self.encoding = client.encoding;
        self.folders = client.folders.clone();
        self.push = client.push;
        self.watch.is_possible = client.watches;
        self.progress = client.progress;
        self.confirms_edits = client.confirms_edits;
        self.opening = match client {
            Client { shows_files: true, .. } => Opening::Client,
            Client { show_document: true, .. } => Opening::ShowDocument,
            _ => Opening::Message,
        };
        self.shows_code = client.shows_code;
        self.scratch.is_numbered = client.keeps_files;
        self.checks_settings = client.checks_settings;
        Arc::make_mut(&mut self.config).text_tables = client.shows_pipes;
        self.outbox
            .log(MessageType::INFO, format!("wavelens {} at {}", env!("CARGO_PKG_VERSION"), program()));
        if let Some(options) = client.options {
            self.configured(&options);
        }
        // Only now: nothing may be asked of the client before it is initialized.
        self.refreshes = client.refreshes;
    }

    pub(super) fn document(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.documents.find(uri)
    }

    /// Makes what a compiler made of a document's current state known to answers about it.
    pub(super) fn set_costs(&mut self, uri: &Uri, costs: Arc<SourceCosts>) {
        if let Some(document) = self.documents.find_mut(uri) {
            document.costs = Some(costs);
            self.refresh();
        }
    }

    /// Lets the client ask for hints and lenses again.
    pub(super) fn refresh(&self) {
        let Refreshes { hints, lenses, .. } = self.refreshes;
        self.outbox.spawn(move |client| async move {
            // A client that fails shows the new ones later.
            if hints {
                let _ = client.inlay_hint_refresh().await;
            }
            if lenses {
                let _ = client.code_lens_refresh().await;
            }
        });
    }

    /// Lets a client that asks for findings ask again.
    pub(super) fn refresh_diagnostics(&self) {
        if !self.push && self.refreshes.diagnostics {
            // A client that fails asks again after the next edit.
            self.outbox.spawn(|client| async move { drop(client.workspace_diagnostic_refresh().await) });
        }
    }

    /// Takes over what a compiler said against a state of a document, and publishes it if that is the current one.
    pub(super) fn set_complaints(
        &mut self,
        uri: &Uri,
        generation: u64,
        complaints: Vec<Message>,
        crashed: bool,
    ) {
        let messages = complaints.into();
        self.change_complaints(uri, |known| {
            (known.generation, known.messages, known.crashed) = (generation, messages, crashed);
        });
    }

    /// Takes over what running a document's RUN lines has found.
    fn tested(&mut self, tested: Tested) {
        let Tested { uri, generation, findings } = tested;
        self.change_complaints(&uri, |known| (known.tested, known.findings) = (generation, findings));
    }

    fn change_complaints(&mut self, uri: &Uri, change: impl FnOnce(&mut Complaints)) {
        let revision = self.next_generation();
        let Some(document) = self.documents.find_mut(uri) else { return };
        let before = document.diagnostics();
        change(&mut document.complaints);
        document.complaints.revision = revision;
        let diagnostics = document.diagnostics();
        if diagnostics == before {
            return;
        }
        if !self.push {
            self.refresh_diagnostics();
        } else if !matches!(document.diagnosis, Diagnosis::Due(_) | Diagnosis::Running | Diagnosis::Apart) {
            let version = Some(document.version);
            self.outbox.publish(PublishDiagnosticsParams::new(uri.clone(), diagnostics, version));
        }
    }

    pub(super) fn position_of(&self, uri: &Uri) -> Option<usize> {
        self.documents.position(uri)
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        self.closed(&item.uri);
        if item.text.len() > u32::MAX as usize / 2 {
            self.outbox.log(MessageType::WARNING, "a document larger than 2 GiB is not checked");
            return;
        }
        let name = item.uri.as_str().rsplit('/').next().unwrap_or("");
        let Some(dialect) = Dialect::of_document(&item.language_id, name, &item.text) else {
            self.outbox.log(
                MessageType::INFO,
                format!("{}: wavelens does not support this language", item.uri.as_str()),
            );
            return;
        };
        let options = self.config.options.clone();
        self.claim();
        let (db, encoding) = (self.store.db_mut(), self.encoding);
        let mut document = OpenDocument::new(db, item, dialect, encoding, options);
        document.generation = self.next_generation();
        let uri = document.uri.clone();
        self.documents.push(document);
        self.find_projects(|meant| *meant == uri);
        self.load_includes(&uri, false);
        self.index_workspace();
    }

    /// Reads the workspace's other files in the background, or forgets them, as the user wants it.
    fn index_workspace(&mut self) {
        if !self.config.index {
            return self.index.stop();
        }
        if self.documents.is_empty() {
            return;
        }
        self.watch.set_index(!self.folders.is_empty(), &self.outbox);
        let progress = self.progress.then(|| self.outbox.clone());
        self.index.start(Workspace { folders: self.folders.clone(), encoding: self.encoding, progress });
    }

    /// Takes over the user's choice for a document.
    fn chosen(&mut self, uri: &Uri, choice: Choice) {
        let generation = self.next_generation();
        self.claim();
        let Some(index) = self.position_of(uri) else { return };
        let Some(document) = self.documents.get_mut(index).filter(|d| d.choice != choice) else { return };
        document.choice = choice;
        document.document.set_options(self.store.db_mut(), document.options(&self.config));
        document.generation = generation;
        document.diagnosis = Diagnosis::Due(Instant::now());
        self.compilers.changed(uri);
        self.refresh();
        self.refresh_diagnostics();
    }

    /// Reads what documents include again where a file of such a name has come, gone or changed.
    fn files_changed(&mut self, files: &[Uri]) {
        self.index.changed(files.iter().filter_map(|file| uri::path(file.as_str())).collect());
        if files.iter().any(|file| file.as_str().ends_with(FILE_NAME)) {
            self.find_projects(|_| true);
        }
        let paths = files.iter().filter_map(|f| uri::path(f.as_str()));
        let names: BTreeSet<String> = paths.filter_map(|p| file_name(&p)).collect();
        let is_affected = |d: &OpenDocument| {
            d.includes.names().any(|n| file_name(Path::new(n)).is_some_and(|n| names.contains(&n)))
        };
        if self.load_includes_of(is_affected) {
            self.refresh();
        }
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let due = Instant::now() + self.config.diagnostics_debounce;
        // First of all: compilers take no time from the answer.
        self.compilers.changed(&params.text_document.uri);
        let generation = self.next_generation();
        let Some(index) = self.position_of(&params.text_document.uri) else { return };
        self.claim();
        let Some(document) = self.documents.get_mut(index) else { return };
        document.version = params.text_document.version;
        document.generation = generation;
        document.diagnosis = Diagnosis::Due(due);
        document.change(self.store.db_mut(), params.content_changes);
        self.edited(index);
        self.load_includes(&params.text_document.uri, true);
    }

    fn closed(&mut self, uri: &Uri) {
        let Some(index) = self.position_of(uri) else { return };
        let document = self.documents.remove(index);
        self.closed_bytes += document.positions.rope.len_bytes();
        self.sent_tokens.forget(uri.as_str());
        self.compilers.closed(uri);
        if self.push {
            self.outbox.publish(PublishDiagnosticsParams::new(document.uri, Vec::new(), None));
        }
        self.load_includes(uri, false);
        self.index.changed(uri::path(uri.as_str()).into_iter().collect());
        self.collect();
        self.memory.configured(&self.config);
    }

    /// The database forgets nothing; once most of it is closed documents, the open ones move into a new one.
    fn collect(&mut self) {
        let open: usize = self.documents.iter().map(|d| d.positions.rope.len_bytes()).sum();
        if self.closed_bytes <= open {
            return;
        }
        self.claim();
        self.store.renew();
        self.reopen_all();
    }

    fn configured(&mut self, value: &Value) {
        for complaint in config::complaints(value) {
            // Clients send the same settings more than once.
            if !self.checks_settings && !self.complained.contains(&complaint) {
                self.outbox.show(MessageType::WARNING, complaint.clone());
                self.complained.push(complaint);
            }
        }
        let mut config = (*self.config).clone();
        config.merge(value);
        if config == *self.config {
            return;
        }
        if let Some(passes) =
            config.refused_passes.as_ref().filter(|_| config.refused_passes != self.config.refused_passes)
        {
            let message = format!(
                "`isa.passes`: `{passes}` is not run: only passes that do nothing but change code are"
            );
            self.outbox.show(MessageType::WARNING, message);
        }
        if config.llvm != self.config.llvm
            && let Some(complaint) = config.llvm.complaint()
        {
            self.outbox.show(MessageType::ERROR, complaint);
        }
        self.memory.configured(&config);
        let paths_changed = config.include_paths != self.config.include_paths;
        let options_changed = config.options != self.config.options || paths_changed;
        if options_changed {
            config.options.complaints().into_iter().for_each(|c| self.outbox.show(MessageType::WARNING, c));
        }
        let code_changed =
            options_changed || config.isa != self.config.isa || config.llvm != self.config.llvm;
        self.config = Arc::new(config);
        if code_changed {
            self.compilers.configured(&self.config);
            self.legalizations.clear();
        }
        self.refresh();
        self.index_workspace();
        if options_changed {
            let count = self.documents.len();
            let includes: Vec<_> = (0..count).map(|index| self.read_includes(index)).collect();
            self.claim();
            for (document, includes) in self.documents.iter_mut().zip(includes) {
                if let Some(includes) = includes {
                    document.includes = includes;
                }
                document.document.set_options(self.store.db_mut(), document.options(&self.config));
                self.generation += 1;
                document.generation = self.generation;
                document.diagnosis = Diagnosis::Due(Instant::now());
            }
        }
    }

    /// What the documents are now, without those that are left alone. `uri` is the document that it is about; most work reads no other.
    pub(super) fn snapshot(&self, uri: Option<&Uri>, reads_all: bool, ticket: Ticket) -> Snapshot {
        let read: Vec<&OpenDocument> = match reads_all {
            true => self.documents.iter().collect(),
            false => uri.and_then(|uri| self.document(uri)).into_iter().collect(),
        };
        let read = read.into_iter().filter(|d| d.quarantine.is_none());
        let documents: Vec<DocumentView> = read.map(OpenDocument::view).collect();
        let current = uri.and_then(|uri| documents.iter().position(|d| d.uri == *uri)).unwrap_or(usize::MAX);
        let (db, config, sent) = (self.store.db().clone(), self.config.clone(), self.sent_tokens.clone());
        let mut snapshot = Snapshot::new(db, documents, current, config, sent, ticket);
        snapshot.folders = self.folders.clone();
        let left_alone = uri.and_then(|uri| self.document(uri)).filter(|d| d.quarantine.is_some());
        snapshot.notice = left_alone.map(OpenDocument::diagnostics).unwrap_or_default();
        snapshot
    }

    /// Shows that work on a document goes on, if it does so for longer than one notices, until the result is dropped.
    pub(super) fn progress_after_a_while(&self, title: &'static str, uri: &Uri) -> Option<Progress> {
        self.progress.then(|| progress::begin(&self.outbox, title, uri.as_str(), Duration::from_millis(400)))
    }

    /// Runs work that does not wait for anything on some other thread.
    pub(super) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        self.outbox.spawn_blocking(work);
    }

    pub(super) fn next_generation(&mut self) -> u64 {
        self.generation += 1;
        self.generation
    }
}

/// The last part of a path.
pub(super) fn file_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}

/// Where the server is, for the log.
fn program() -> String {
    std::env::current_exe().map_or_else(|_| "?".to_owned(), |path| path.display().to_string())
}
