//! Messages from the client. Every handler puts its event into the mailbox before it awaits anything, so that the order of events
//! is the order of arrival.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use lsp_types::request::{
    GotoDeclarationParams, GotoDeclarationResponse, GotoImplementationParams, GotoImplementationResponse,
};
use lsp_types::*;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::LanguageServer;
use tower_lsp::jsonrpc::{Error, Result};

use wavelens_codegen::Request;

use super::capabilities::server_capabilities;
use super::configuration::{self, ConfigurationParams, SetConfigurationParams};
use super::convert::workspace_symbol;
use super::disassembly::{self, Disassembly};
use super::ending::Ending;
use super::event::{Client, CodeQuestion, Event, Question, Refreshes};
use super::index::{Index, MANY_SYMBOLS, Use};
use super::job::Ask;
use super::left_alone::LeftAlone;
use super::legalization;
use super::modules::{self, Linked};
use super::outbox::Outbox;
use super::params::{CodeOfLineParams, CompareParams, IsaParams, PassesParams, RunToParams};
use super::permission::Permission;
use super::plain::Plain;
use super::position::Encoding;
use super::requests::{self, Definition, HoverParts};
use super::resolve::Withheld;
use super::snapshot::Snapshot;
use super::source_lines::SourceLines;
use super::sources::Source;
use super::views::{self, FlowParams};
use super::{hints, resolve, runtime, sources, tables, uri};

/// How long hints wait for a compiler at a client that does not ask for them again.
const COSTS_PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct Backend {
    mailbox: Sender<Event>,
    outbox: Outbox,
    shut_down: Arc<AtomicBool>,
    ending: Ending,
    index: Arc<Index>,
    source_lines: Arc<SourceLines>,
    permission: Arc<Permission>,
    /// The client opens files on request.
    shows_documents: AtomicBool,
    /// The client answers `workspace/configuration`.
    configuration: AtomicBool,
    /// The client does not ask for hints again when they change.
    asks_once: AtomicBool,
    /// The client lets the server register for changes of the configuration.
    registers: AtomicBool,
    /// Where the client takes plain text only.
    plain: OnceLock<Plain>,
    /// The client asks for the documentation of proposals.
    resolves: AtomicBool,
    withheld: Withheld,
    left_alone: LeftAlone,
}

impl Backend {
    pub(super) fn new(
        mailbox: Sender<Event>,
        outbox: Outbox,
        shut_down: Arc<AtomicBool>,
        ending: Ending,
        index: Arc<Index>,
    ) -> Self {
        let off = || AtomicBool::new(false);
        Backend {
            mailbox,
            outbox,
            shut_down,
            ending,
            index,
            source_lines: Arc::default(),
            permission: Arc::default(),
            shows_documents: off(),
            configuration: off(),
            asks_once: off(),
            registers: off(),
            plain: OnceLock::new(),
            resolves: off(),
            withheld: Withheld::default(),
            left_alone: LeftAlone::default(),
        }
    }

    fn plain(&self) -> Plain {
        self.plain.get().copied().unwrap_or_default()
    }

    /// Asks whether a file outside of the workspace may be shown. The request that led here does not wait for the answer: some clients
    /// do nothing else while they wait for a response.
    async fn ask_to_show(&self, source: Source) {
        if let Some(outside) = sources::outside(source).await {
            let shows_documents = self.shows_documents.load(Ordering::Relaxed);
            let permission = self.permission.clone();
            self.outbox.spawn(|client| async move {
                permission.ask(outside, client, shows_documents).await;
            });
        }
    }

    /// Puts an event into the mailbox. Fails only while the server ends, when nobody waits for the effect.
    fn post(&self, event: Event) {
        let _ = self.mailbox.send(event);
    }

    async fn ask<R: Send + 'static>(
        &self,
        uri: Option<&Uri>,
        work: impl Fn(&Snapshot) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        self.ask_about(uri, uri.is_none(), work).await
    }

    /// The same, where the other open documents are read as well.
    async fn ask_all<R: Send + 'static>(
        &self,
        uri: &Uri,
        work: impl Fn(&Snapshot) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        self.ask_about(Some(uri), true, work).await
    }

    async fn ask_about<R: Send + 'static>(
        &self,
        uri: Option<&Uri>,
        reads_all: bool,
        work: impl Fn(&Snapshot) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (answer, wait) = oneshot::channel();
        let job = Box::new(Ask::new(work, answer));
        self.post(Event::Requested(Question { uri: uri.cloned(), reads_all, version: None, job }));
        wait.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    pub(super) async fn syntax_tree(&self, p: TextDocumentPositionParams) -> Result<Option<String>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| views::syntax_tree(s, &p)).await
    }

    pub(super) async fn configuration(&self, p: ConfigurationParams) -> Result<Option<Value>> {
        self.ask(Some(&p.text_document.uri), configuration::answer).await
    }

    pub(super) async fn set_configuration(&self, p: SetConfigurationParams) -> Result<Option<Value>> {
        let uri = p.text_document.uri;
        self.post(Event::Chosen { uri: uri.clone(), choice: p.choice });
        self.ask(Some(&uri), configuration::answer).await
    }

    pub(super) async fn control_flow(&self, p: FlowParams) -> Result<Option<Value>> {
        let uri = p.at.text_document.uri.clone();
        self.ask(Some(&uri), move |s| views::control_flow(s, &p)).await
    }

    pub(super) async fn isa(&self, p: IsaParams) -> Result<Option<Value>> {
        self.ask_code(p.text_document.uri, CodeQuestion::Isa { function: p.function }).await
    }

    pub(super) async fn compare(&self, p: CompareParams) -> Result<Option<Value>> {
        let levels = p.levels.into_iter().filter(|level| *level <= 3).collect();
        self.ask_code(p.text_document.uri, CodeQuestion::Compare { targets: p.targets, levels }).await
    }

    pub(super) async fn remarks(&self, p: IsaParams) -> Result<Option<Value>> {
        self.ask_code(p.text_document.uri, CodeQuestion::Remarks).await
    }

    pub(super) async fn advise(&self, p: IsaParams) -> Result<Option<Value>> {
        self.ask_code(p.text_document.uri, CodeQuestion::Advise).await
    }

    pub(super) async fn live_registers(&self, p: TextDocumentPositionParams) -> Result<Option<Value>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| views::live_registers(s, &p)).await
    }

    pub(super) async fn passes(&self, p: PassesParams) -> Result<Option<Value>> {
        self.ask_code(p.text_document.uri, CodeQuestion::Passes(p.filter)).await
    }

    pub(super) async fn trace(&self, p: TextDocumentPositionParams) -> Result<Option<Value>> {
        self.ask_code(p.text_document.uri, CodeQuestion::Trace { position: p.position }).await
    }

    pub(super) async fn run_to(&self, p: RunToParams) -> Result<Option<Value>> {
        self.ask_code(p.text_document.uri, CodeQuestion::RunTo { pass: p.pass }).await
    }

    pub(super) async fn progress_cancelled(&self, p: WorkDoneProgressCancelParams) {
        self.post(Event::ProgressCancelled(p.token));
    }

    async fn ask_code(&self, uri: Uri, question: CodeQuestion) -> Result<Option<Value>> {
        let (answer, wait) = oneshot::channel();
        self.post(Event::CodeAsked { uri, question, answer });
        wait.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    pub(super) async fn code_of_line(&self, p: CodeOfLineParams) -> Result<Vec<Location>> {
        self.ask(None, move |s| requests::code_of_line(s, &p.text_document.uri, p.line)).await
    }

    pub(super) async fn disassemble(&self, p: IsaParams) -> Result<Disassembly> {
        // Touches no document: nothing to wait for in the mailbox.
        let read = runtime::blocking(move || disassembly::read(&p.text_document.uri)).await;
        read.ok_or_else(Error::internal_error)
    }

    /// Adds what is known of an instruction's legalization to its hover, or is so within a moment.
    async fn with_legalization(&self, mut hover: Hover, request: Request) -> Hover {
        let (answer, wait) = oneshot::channel();
        self.post(Event::LegalizationAsked { request, answer });
        if let Some(Ok(Some(note))) = runtime::timeout(legalization::PATIENCE, wait).await
            && let HoverContents::Markup(markup) = &mut hover.contents
        {
            markup.value = format!("{}\n\n{note}\n", markup.value.trim_end());
        }
        hover
    }

    /// The places of a name in other modules.
    async fn places(&self, linked: Linked) -> Vec<(Location, Use)> {
        let index = self.index.clone();
        let Linked { name, mut places, open } = linked;
        // A large workspace takes longer than the thread that reads messages has.
        let closed = runtime::blocking(move || index.places(&name, &open)).await;
        places.extend(closed.unwrap_or_default());
        places
    }

    /// Asks the client for its configuration, and puts the answer into the mailbox.
    fn pull_configuration(&self) {
        let mailbox = self.mailbox.clone();
        self.outbox.spawn(|client| async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("wavelens".to_owned()) };
            if let Ok(values) = client.configuration(vec![item]).await {
                for value in values {
                    let _ = mailbox.send(Event::Configured(value));
                }
            }
        });
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        if let Some(process) = params.process_id {
            self.ending.end_with(process);
        }
        let capabilities = params.capabilities;
        let offered = capabilities.general.as_ref().and_then(|g| g.position_encodings.as_deref());
        let encoding = Encoding::negotiate(offered);
        let text = capabilities.text_document.unwrap_or_default();
        let _ = self.plain.set(Plain::of(&text));
        let resolves = resolve::resolves(&text);
        self.resolves.store(resolves, Ordering::Relaxed);
        let workspace = capabilities.workspace.unwrap_or_default();
        let window = capabilities.window.unwrap_or_default();
        let wanted = params.initialization_options.as_ref().and_then(|o| o.get("diagnostics")?.as_str());
        // Never both: editors would show every finding twice.
        let pull = match wanted {
            Some(mode) => mode == "pull",
            None => text.publish_diagnostics.is_none() && text.diagnostic.is_some(),
        };
        let refreshes = workspace.inlay_hint.and_then(|h| h.refresh_support) == Some(true);
        self.asks_once.store(text.inlay_hint.is_some() && !refreshes, Ordering::Relaxed);
        self.configuration.store(workspace.configuration == Some(true), Ordering::Relaxed);
        let registers = workspace.did_change_configuration.and_then(|c| c.dynamic_registration);
        self.registers.store(registers == Some(true), Ordering::Relaxed);
        let show_document = window.show_document.as_ref().is_some_and(|s| s.support);
        self.shows_documents.store(show_document, Ordering::Relaxed);
        let watches = workspace.did_change_watched_files.and_then(|c| c.dynamic_registration);
        let edits = workspace.workspace_edit.unwrap_or_default();
        let experimental = capabilities.experimental.unwrap_or_default();
        let own = |name: &str| experimental["wavelens"][name] == true;
        let (shows_code, shows_files) = (own("isaChanged"), own("showsFiles"));
        let folders = params.workspace_folders.unwrap_or_default();
        #[expect(deprecated, reason = "older clients send nothing else")]
        let root = params.root_uri.filter(|_| folders.is_empty());
        let folders = folders.into_iter().map(|f| f.uri).chain(root);
        self.post(Event::Initialized(Client {
            folders: folders.filter_map(|f| uri::path(f.as_str())).collect(),
            encoding,
            shows_code,
            checks_settings: own("checksSettings"),
            shows_files,
            options: params.initialization_options,
            push: !pull,
            watches: watches == Some(true),
            progress: window.work_done_progress == Some(true),
            keeps_files: params.client_info.as_ref().is_some_and(|c| tables::keeps_files(&c.name)),
            shows_pipes: params.client_info.is_some_and(|c| tables::shows_pipes(&c.name)),
            confirms_edits: edits.document_changes == Some(true) && edits.change_annotation_support.is_some(),
            show_document,
            refreshes: Refreshes {
                hints: refreshes,
                lenses: workspace.code_lens.and_then(|l| l.refresh_support) == Some(true),
                // lsp-types reads the capability (`workspace.diagnostics`) by a wrong name; a client without it answers with an error.
                diagnostics: pull,
            },
        }));
        Ok(InitializeResult {
            capabilities: ServerCapabilities {
                // A client that shows the code itself has the two sides follow each other.
                implementation_provider: (!shows_code || shows_files).then_some(true.into()),
                ..server_capabilities(encoding, pull, resolves)
            },
            server_info: Some(ServerInfo {
                name: "wavelens".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        if self.configuration.load(Ordering::Relaxed) {
            self.pull_configuration();
        }
        if self.registers.load(Ordering::Relaxed) {
            self.outbox.spawn(|client| async move {
                let registration = Registration {
                    id: "configuration".to_owned(),
                    method: "workspace/didChangeConfiguration".to_owned(),
                    register_options: Some(serde_json::json!({ "section": "wavelens" })),
                };
                // A client that refuses reports changes in its own way.
                let _ = client.register_capability(vec![registration]).await;
            });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.shut_down.store(true, Ordering::Release);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.post(Event::Opened(params));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.post(Event::Changed(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.post(Event::Closed(params.text_document.uri));
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {}

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.post(Event::FilesChanged(params.changes.into_iter().map(|c| c.uri).collect()));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.configuration.load(Ordering::Relaxed) && params.settings.is_null() {
            self.pull_configuration();
        } else {
            self.post(Event::Configured(params.settings));
        }
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let (answer, wait) = oneshot::channel();
        self.post(Event::Commanded { params, answer });
        wait.await.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    async fn hover(&self, p: HoverParams) -> Result<Option<Hover>> {
        let uri = p.text_document_position_params.text_document.uri.clone();
        let found = self.ask(Some(&uri), move |s| requests::hover(s, &p)).await?;
        let Some(HoverParts { mut hover, source, legalization }) = found else { return Ok(None) };
        if let Some(source) = source {
            hover =
                sources::with_line(hover, source, self.source_lines.clone(), self.permission.folders()).await;
        }
        if let Some(request) = legalization {
            hover = self.with_legalization(hover, request).await;
        }
        self.plain().hover(&mut hover);
        Ok(Some(hover))
    }

    async fn goto_definition(&self, p: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let uri = p.text_document_position_params.text_document.uri.clone();
        Ok(match self.ask_all(&uri, move |s| requests::definition(s, &p)).await? {
            Definition::Known(known) => known,
            Definition::Linked(linked, known) => {
                let defines = |(place, role): (Location, Use)| (role == Use::Definition).then_some(place);
                let found: Vec<Location> =
                    self.places(linked).await.into_iter().filter_map(defines).collect();
                if found.is_empty() { known } else { Some(GotoDefinitionResponse::Array(found)) }
            }
            Definition::Source(source, embedded) => {
                let found = sources::location(source.clone(), self.permission.folders()).await;
                if found.is_none() && embedded.is_none() {
                    self.ask_to_show(source).await;
                }
                found.map(GotoDefinitionResponse::Scalar).or(embedded)
            }
        })
    }

    async fn document_link(&self, p: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let links = self.ask(Some(&p.text_document.uri), requests::source_links).await?;
        let link = |(range, location): (Range, Location)| DocumentLink {
            range,
            target: Some(location.uri),
            tooltip: None,
            data: None,
        };
        Ok(Some(sources::existing(links, self.permission.folders()).await.into_iter().map(link).collect()))
    }

    async fn goto_declaration(&self, p: GotoDeclarationParams) -> Result<Option<GotoDeclarationResponse>> {
        let uri = p.text_document_position_params.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::declaration(s, &p)).await
    }

    async fn goto_implementation(
        &self,
        p: GotoImplementationParams,
    ) -> Result<Option<GotoImplementationResponse>> {
        let TextDocumentPositionParams { text_document, position } = p.text_document_position_params;
        let (answer, wait) = oneshot::channel();
        self.post(Event::CounterpartAsked { uri: text_document.uri, line: position.line, answer });
        let found = wait.await.unwrap_or_else(|_| Err(Error::internal_error()))?;
        Ok(Some(GotoImplementationResponse::Array(found)))
    }

    async fn references(&self, p: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let uri = p.text_document_position.text_document.uri.clone();
        let declarations = p.context.include_declaration;
        let Some((mut places, linked)) = self.ask_all(&uri, move |s| requests::references(s, &p)).await?
        else {
            return Ok(None);
        };
        let others = match linked {
            Some(linked) => self.places(linked).await,
            None => Vec::new(),
        };
        let wanted = others.into_iter().filter(|(_, role)| declarations || *role == Use::Reference);
        places.extend(wanted.map(|(place, _)| place));
        Ok(Some(places))
    }

    async fn document_highlight(&self, p: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let uri = p.text_document_position_params.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::highlights(s, &p)).await
    }

    async fn prepare_rename(&self, p: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::prepare_rename(s, &p)).await
    }

    async fn rename(&self, p: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let uri = p.text_document_position.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::rename(s, &p)).await
    }

    async fn document_symbol(&self, p: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), requests::document_symbols).await
    }

    async fn symbol(
        &self,
        p: WorkspaceSymbolParams,
    ) -> Result<Option<OneOf<Vec<SymbolInformation>, Vec<WorkspaceSymbol>>>> {
        let query = p.query.clone();
        let (mut found, open, demangles) = self.ask(None, move |s| modules::workspace_symbols(s, &p)).await?;
        let index = self.index.clone();
        let closed = runtime::blocking(move || index.symbols(&query, &open)).await;
        found.extend(
            closed
                .unwrap_or_default()
                .into_iter()
                .map(|(name, kind, place)| workspace_symbol(name, kind, place, demangles)),
        );
        found.truncate(MANY_SYMBOLS);
        Ok(Some(OneOf::Right(found)))
    }

    async fn folding_range(&self, p: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), requests::folding_ranges).await
    }

    async fn selection_range(&self, p: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::selection_ranges(s, &p)).await
    }

    async fn semantic_tokens_full(&self, p: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), requests::semantic_tokens_full).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        p: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::semantic_tokens_delta(s, &p)).await
    }

    async fn semantic_tokens_range(
        &self,
        p: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::semantic_tokens_range(s, &p)).await
    }

    async fn inlay_hint(&self, p: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = p.text_document.uri.clone();
        self.post(Event::LookedAt(uri.clone()));
        if self.asks_once.load(Ordering::Relaxed) {
            let (ready, wait) = oneshot::channel();
            self.post(Event::CostsAwaited(uri.clone(), ready));
            // Without the costs after that.
            let _ = runtime::timeout(COSTS_PATIENCE, wait).await;
        }
        self.ask(Some(&uri), move |s| hints::inlay_hints(s, &p)).await
    }

    async fn completion(&self, p: CompletionParams) -> Result<Option<CompletionResponse>> {
        let uri = p.text_document_position.text_document.uri.clone();
        let mut found = self.ask(Some(&uri), move |s| requests::completion(s, &p)).await?;
        found.iter_mut().for_each(|found| self.plain().completion(found));
        if self.resolves.load(Ordering::Relaxed) {
            found.iter_mut().for_each(|found| self.withheld.keep(found));
        }
        Ok(found)
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        Ok(self.withheld.resolve(item))
    }

    async fn formatting(&self, p: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = p.text_document.uri;
        let (edits, left) = self.ask(Some(&uri), requests::format_document).await?;
        self.left_alone.say(&uri, left, &self.outbox);
        Ok(edits)
    }

    async fn range_formatting(&self, p: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::format_range(s, &p)).await
    }

    async fn on_type_formatting(&self, p: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = p.text_document_position.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::format_on_type(s, &p)).await
    }

    async fn signature_help(&self, p: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let uri = p.text_document_position_params.text_document.uri.clone();
        let mut found = self.ask(Some(&uri), move |s| requests::signature_help(s, &p)).await?;
        found.iter_mut().for_each(|found| self.plain().signature(found));
        Ok(found)
    }

    async fn code_action(&self, p: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::code_actions(s, &p)).await
    }

    async fn code_lens(&self, p: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = p.text_document.uri.clone();
        self.post(Event::LookedAt(uri.clone()));
        self.ask(Some(&uri), requests::code_lenses).await
    }

    async fn prepare_call_hierarchy(
        &self,
        p: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let uri = p.text_document_position_params.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::call_items(s, &p)).await
    }

    async fn incoming_calls(
        &self,
        p: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        let uri = p.item.uri.clone();
        self.ask(Some(&uri), move |s| requests::incoming_calls(s, &p)).await
    }

    async fn outgoing_calls(
        &self,
        p: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        let uri = p.item.uri.clone();
        self.ask(Some(&uri), move |s| requests::outgoing_calls(s, &p)).await
    }

    async fn diagnostic(&self, p: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let uri = p.text_document.uri.clone();
        self.ask(Some(&uri), move |s| requests::document_diagnostics(s, &p)).await
    }
}
