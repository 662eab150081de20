//! Machine code beside the document: compiled in the background, kept fresh while it is watched.
//!
//! An edit kills the running compiler; the next run starts after a pause that is a share of the last run's time. Compilers run on
//! threads of their own, without a snapshot of the database in hand; their reports come back as events.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lsp_types::notification::Notification;
use lsp_types::{MessageType, ShowDocumentParams, Uri};
use rayon::ThreadPool;
use serde::Serialize;
use serde_json::Value;
use wavelens_analysis::codegen::{Compilation, compilation};
use wavelens_analysis::{Dialect, Options};
use wavelens_codegen::cache::{Cache, default_folder};
use wavelens_codegen::{Cancel, Failure, KernelResources, Limits, Report, Tools, llc};

use super::commands::{Answer, refuse};
use super::event::{Compiled, Event};
use super::state::State;

/// Told to clients that show the code themselves: a fresh report can be asked for.
pub(super) enum IsaChanged {}

impl Notification for IsaChanged {
    type Params = Value;
    const METHOD: &'static str = "wavelens/isaChanged";
}

/// Compilers that run at once.
const PROCESSES: usize = 2;
/// Bounds of the pause between an edit and the next run.
const PAUSE: std::ops::RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_millis(1000);
/// Bytes of reports kept across restarts.
const CACHE_BYTES: u64 = 64 << 20;

/// What clients that show the code themselves get. Lines count from 0.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub(super) struct IsaAnswer {
    pub(super) text: String,
    /// Pairs of a line of the text and a line of the document.
    pub(super) map: Vec<(u32, u32)>,
    pub(super) kernels: Vec<KernelResources>,
    pub(super) command: String,
    /// Why there is no text, or only that of an earlier state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

/// Outside tools and the threads that wait for them.
pub(super) struct Compilers {
    threads: Option<ThreadPool>,
    tools: Arc<OnceLock<Tools>>,
    cache: Option<Cache>,
    watched: Vec<Watched>,
}

/// A document whose code somebody looks at.
struct Watched {
    uri: Uri,
    /// State of the document that the last run was started for.
    generation: Option<u64>,
    running: Option<Cancel>,
    due: Option<Instant>,
    last_run: Duration,
    report: Option<Arc<Report>>,
    problem: Option<String>,
    waiting: Vec<Answer>,
    /// A file kept fresh for clients that show nothing themselves.
    file: Option<PathBuf>,
}

impl Default for Compilers {
    fn default() -> Self {
        Compilers {
            threads: rayon::ThreadPoolBuilder::new().num_threads(PROCESSES).build().ok(),
            tools: Arc::default(),
            cache: default_folder().map(|folder| Cache::new(folder, CACHE_BYTES)),
            watched: Vec::new(),
        }
    }
}

impl Drop for Compilers {
    fn drop(&mut self) {
        for watched in &self.watched {
            watched.stop();
            if let Some(file) = &watched.file {
                let _ = std::fs::remove_file(file);
            }
        }
    }
}

impl Watched {
    fn stop(&self) {
        if let Some(cancel) = &self.running {
            cancel.cancel();
        }
    }

    fn answer(&self) -> IsaAnswer {
        let report = self.report.as_deref().cloned().unwrap_or_default();
        IsaAnswer {
            text: report.isa,
            map: report.line_map,
            kernels: report.kernels,
            command: report.command,
            problem: self.problem.clone(),
        }
    }

    /// The text of the file: what went wrong, the kernels' table, the code.
    fn file_text(&self) -> String {
        let report = self.report.as_deref();
        let mut text = String::new();
        for line in self.problem.iter().flat_map(|p| p.lines()) {
            text.push_str(&format!("; {line}\n"));
        }
        if let Some(report) = report {
            text.push_str(&format!("; {}\n", report.command));
            for k in &report.kernels {
                text.push_str(&format!(
                    "; {}: {} VGPRs, {} SGPRs, {} bytes of LDS, {} waves\n",
                    k.name, k.vgprs, k.sgprs, k.lds, k.occupancy
                ));
            }
            text.push_str(&report.isa);
        }
        text
    }
}

impl Compilers {
    fn find(&mut self, uri: &Uri) -> Option<&mut Watched> {
        self.watched.iter_mut().find(|w| w.uri == *uri)
    }

    /// The entry of a document, made if there is none.
    fn watch(&mut self, uri: &Uri) -> &mut Watched {
        let index = self.watched.iter().position(|w| w.uri == *uri).unwrap_or_else(|| {
            self.watched.push(Watched {
                uri: uri.clone(),
                generation: None,
                running: None,
                due: None,
                last_run: Duration::ZERO,
                report: None,
                problem: None,
                waiting: Vec::new(),
                file: None,
            });
            self.watched.len() - 1
        });
        &mut self.watched[index]
    }

    /// A document changed: what runs for it is stale.
    pub(super) fn changed(&mut self, uri: &Uri) {
        if let Some(watched) = self.find(uri) {
            watched.stop();
            watched.due =
                Some(Instant::now() + watched.last_run.mul_f32(0.5).clamp(*PAUSE.start(), *PAUSE.end()));
        }
    }

    pub(super) fn closed(&mut self, uri: &Uri) {
        if let Some(index) = self.watched.iter().position(|w| w.uri == *uri) {
            let mut watched = self.watched.swap_remove(index);
            watched.stop();
            for answer in watched.waiting.drain(..) {
                refuse(answer, "the document was closed");
            }
            if let Some(file) = watched.file {
                let _ = std::fs::remove_file(file);
            }
        }
    }

    /// The settings changed: tools are searched again, every watched document is compiled again.
    pub(super) fn configured(&mut self) {
        self.tools = Arc::default();
        for watched in &mut self.watched {
            watched.stop();
            watched.generation = None;
            watched.due = Some(Instant::now());
        }
    }

    pub(super) fn next_due(&self) -> Option<Instant> {
        self.watched.iter().filter_map(|w| w.due).min()
    }

    /// Documents whose time has come.
    pub(super) fn take_due(&mut self, now: Instant) -> Vec<Uri> {
        let due = self.watched.iter_mut().filter(|w| w.due.is_some_and(|d| d <= now));
        due.map(|w| {
            w.due = None;
            w.uri.clone()
        })
        .collect()
    }
}

/// `wavelens.showIsa`: for clients that show nothing themselves, a file that is kept fresh.
pub(super) fn show(state: &mut State, uri: &Uri, _argument: &Value, answer: Answer) {
    if state.document(uri).is_none() {
        refuse(answer, "the document is not open");
        return;
    }
    let name = uri.path().segments().next_back().map_or("code".to_owned(), |s| s.to_string());
    let safe: String = name.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
    let file = std::env::temp_dir().join(format!("wavelens-{}-{safe}.s", std::process::id()));
    state.compilers.watch(uri).file = Some(file);
    ask(state, uri, answer);
}

/// `wavelens/isa`: the code of the current state, compiled if it is not there yet.
pub(super) fn ask(state: &mut State, uri: &Uri, answer: Answer) {
    let Some(generation) = state.document(uri).map(|d| d.generation) else {
        refuse(answer, "the document is not open");
        return;
    };
    let watched = state.compilers.watch(uri);
    let fresh = watched.generation == Some(generation) && watched.running.is_none() && watched.due.is_none();
    if fresh {
        let _ = answer.send(Ok(serde_json::to_value(watched.answer()).ok()));
        present(state, uri, true);
    } else {
        watched.waiting.push(answer);
        if watched.running.is_none() {
            start(state, uri);
        }
    }
}

/// Starts a run for the document's current state.
pub(super) fn start(state: &mut State, uri: &Uri) {
    let Some(document) = state.document(uri) else { return };
    let (generation, text) = (document.generation, document.positions.rope.clone());
    let dialect = document.document.file().dialect(&state.db);
    let options = state.config.options.clone();
    let opt_level = state.config.isa_opt_level;
    let llvm_path = state.config.llvm.path.clone();
    let mailbox = state.mailbox.clone();
    let compilers = &mut state.compilers;
    let (tools, cache) = (compilers.tools.clone(), compilers.cache.clone());
    let watched = compilers.watch(uri);
    watched.stop();
    let cancel = Cancel::default();
    (watched.generation, watched.running, watched.due) = (Some(generation), Some(cancel.clone()), None);
    let uri = uri.clone();
    let work = move || {
        let began = Instant::now();
        let result = if cancel.is_cancelled() {
            Err(Failure::Cancelled)
        } else {
            let tools = tools.get_or_init(|| Tools::find(llvm_path.as_deref()));
            compile(dialect, &text.to_string(), &options, opt_level, tools, cache.as_ref(), &cancel)
        };
        let _ = mailbox.send(Event::Compiled(Compiled { uri, generation, took: began.elapsed(), result }));
    };
    match &compilers.threads {
        Some(threads) => threads.spawn(work),
        None => drop(std::thread::spawn(work)),
    }
}

fn compile(
    dialect: Dialect,
    text: &str,
    options: &Options,
    opt_level: u8,
    tools: &Tools,
    cache: Option<&Cache>,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let request = match compilation(dialect, text, options, opt_level) {
        Compilation::Llc(request) => request,
        Compilation::Assembly => return Err(Failure::NoTool("this is assembly already".to_owned())),
        Compilation::Impossible(why) => return Err(Failure::NoTool(why)),
    };
    let cached = cache.zip(tools.llc.as_ref());
    if let Some(report) = cached.and_then(|(cache, llc)| cache.get(&request, llc)) {
        return Ok(report);
    }
    let report = llc::compile(&request, tools, &Limits::default(), cancel)?;
    if let Some((cache, llc)) = cached {
        cache.put(&request, llc, &report);
    }
    Ok(report)
}

/// Takes a run's result over and tells whoever waits.
pub(super) fn compiled(state: &mut State, compiled: Compiled) {
    let Compiled { uri, generation, took, result } = compiled;
    let Some(current) = state.document(&uri).map(|d| d.generation) else { return };
    let Some(watched) = state.compilers.find(&uri) else { return };
    if watched.generation != Some(generation) {
        return;
    }
    watched.running = None;
    if result == Err(Failure::Cancelled) || current != generation {
        // The edit that made it stale has set a time for the next run; a caller that waits is answered then.
        if watched.due.is_none() {
            watched.due = Some(Instant::now());
        }
        return;
    }
    watched.last_run = took;
    let crashed = matches!(result, Err(Failure::Crashed { .. }));
    match result {
        Ok(report) => (watched.report, watched.problem) = (Some(Arc::new(report)), None),
        Err(failure) => watched.problem = Some(failure.sentence()),
    }
    let problem = watched.problem.clone().filter(|_| crashed);
    let asked = !watched.waiting.is_empty();
    let answer = serde_json::to_value(watched.answer()).ok();
    for waiting in std::mem::take(&mut watched.waiting) {
        let _ = waiting.send(Ok(answer.clone()));
    }
    if let Some(problem) = problem {
        state.outbox.log(MessageType::WARNING, problem);
    }
    present(state, &uri, asked);
}

/// Writes the file of a document that has one, and opens it if the user has just asked; tells the others that there is something new.
fn present(state: &mut State, uri: &Uri, asked: bool) {
    let show_document = state.show_document;
    let outbox = state.outbox.clone();
    let Some(watched) = state.compilers.find(uri) else { return };
    let Some(file) = watched.file.clone() else {
        if !asked {
            let params = serde_json::json!({ "uri": uri.as_str() });
            outbox.spawn(|client| async move { client.send_notification::<IsaChanged>(params).await });
        }
        return;
    };
    if let Err(error) = std::fs::write(&file, watched.file_text()) {
        outbox.log(MessageType::WARNING, format!("{}: {error}", file.display()));
        return;
    }
    let path = format!("file://{}", file.display());
    let problem = watched.problem.clone();
    if !asked {
        return;
    }
    outbox.spawn(move |client| async move {
        if let Some(problem) = problem {
            client.show_message(MessageType::WARNING, problem).await;
            return;
        }
        let shown = match path.parse() {
            Ok(uri) if show_document => {
                let params =
                    ShowDocumentParams { uri, external: None, take_focus: Some(false), selection: None };
                client.show_document(params).await.unwrap_or(false)
            }
            _ => false,
        };
        if !shown {
            client.show_message(MessageType::INFO, format!("the generated ISA is in {path}")).await;
        }
    });
}
