//! Machine code next to the document: compiled in the background, kept fresh while it is watched.
//!
//! An edit kills the running compiler; the next run starts after a pause that is a share of the last run's time. Compilers run on
//! threads of their own, without a snapshot of the database in hand; their reports come back as events.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use lsp_types::notification::Notification;
use lsp_types::{MessageType, Uri};
use rayon::ThreadPool;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::oneshot;
use wavelens_codegen::cache::{Cache, default_folder};
use wavelens_codegen::priority::step_back;
use wavelens_codegen::{
    Cancel, Compiler, Failure, IsaLine, KernelResources, Live, Message, Report, SourceCosts, SourceLine,
};
use wavelens_ide::codegen::{Detail, function_at, is_for_gpu, may_need_experiments};

use super::commands::{Answer, Opening, refuse, show_file};
use super::config::Config;
use super::event::{Compiled, Event, LinesFound};
use super::runtime;
use super::state::State;
use super::uri::file_name;
use crate::clock::Instant;
use crate::compile::{Job, compiled_by, complaints, find_compiler, machine_code, remarks};

/// Told to clients that show the code themselves: a fresh report can be asked for.
pub(super) enum IsaChanged {}

impl Notification for IsaChanged {
    type Params = Value;
    const METHOD: &'static str = "wavelens/isaChanged";
}

/// Compilers that run at once: a core is left to who types.
fn processes() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get() - 1).clamp(1, 4)
}

/// Bounds of the pause between an edit and the next run.
const PAUSE: std::ops::RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_millis(1000);
/// Larger modules are cut down to the function that is looked at.
const SLICED_LINES: usize = 5000;
/// Larger documents are not compiled without being asked.
const BACKGROUND_BYTES: usize = 1 << 20;
/// Bytes at the start of a document that say what it is for.
const HEAD: usize = 64 << 10;
/// Bytes of reports kept across restarts.
const CACHE_BYTES: u64 = 64 << 20;

/// What clients that show the code themselves get. Lines count from 0.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub(super) struct IsaAnswer {
    pub(super) text: String,
    /// Pairs of a line of the text and a line of the document.
    pub(super) map: Vec<(u32, u32)>,
    /// Encodings, live registers and costs of the text's instructions.
    pub(super) lines: Vec<IsaLine>,
    /// What the lines of the document compiled to.
    pub(super) sources: Vec<SourceLine>,
    pub(super) target: String,
    pub(super) kernels: Vec<KernelResources>,
    pub(super) command: String,
    /// `LLVM 22.1.8`, or `LLVM 22` of a packaged one, where the compiler is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compiler: Option<String>,
    /// Why the text is missing or from an earlier state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    /// The problem is a crash of the compiler: `wavelens.reduce` can reduce the document to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) crashed: bool,
    /// The file that `wavelens.showIsa` keeps fresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<PathBuf>,
}

pub(super) type FoundCompiler = Arc<LazyLock<Compiler, Box<dyn FnOnce() -> Compiler + Send>>>;

fn find(llvm: Option<PathBuf>) -> FoundCompiler {
    let cache = default_folder().map(|folder| Cache::new(folder, CACHE_BYTES));
    Arc::new(LazyLock::new(Box::new(move || find_compiler(llvm.as_deref(), cache))))
}

/// Outside tools and the threads that wait for them.
pub(super) struct Compilers {
    threads: Option<ThreadPool>,
    /// Searched by the first that needs it.
    pub(super) compiler: FoundCompiler,
    watched: Vec<Watched>,
    /// What runs for questions that are asked once.
    questions: Vec<(Uri, Cancel)>,
}

/// A document whose code somebody looks at.
struct Watched {
    uri: Uri,
    /// State of the document that the last run was started for.
    generation: Option<u64>,
    running: Option<Cancel>,
    /// Finds source lines for the report that is there.
    experimenting: Option<Cancel>,
    due: Option<Instant>,
    last_run: Duration,
    report: Option<Arc<Report>>,
    problem: Option<String>,
    /// It is a crash.
    crashed: bool,
    compiler: Option<String>,
    waiting: Vec<Answer>,
    /// Hints that wait for the run; dropping is enough.
    hints: Vec<oneshot::Sender<()>>,
    /// The one that is looked at, in a module that is too large to compile as a whole; an edit moves the look elsewhere.
    function: Option<String>,
    /// A file kept fresh for clients that show nothing themselves.
    file: Option<PathBuf>,
    /// A client shows hints or lenses of it.
    looked_at: bool,
}

impl Default for Compilers {
    fn default() -> Self {
        Compilers {
            threads: rayon::ThreadPoolBuilder::new()
                .num_threads(processes())
                .start_handler(|_| step_back())
                .build()
                .ok(),
            compiler: find(None),
            watched: Vec::new(),
            questions: Vec::new(),
        }
    }
}

impl Drop for Compilers {
    fn drop(&mut self) {
        self.questions.iter().for_each(|(_, cancel)| cancel.cancel());
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
        self.running.iter().chain(&self.experimenting).for_each(Cancel::cancel);
    }

    /// Gives those who wait what there is. A large report takes a while to write: this is not for the thread that owns the database.
    fn answer(&self, waiting: Vec<Answer>) -> impl FnOnce() + Send + 'static {
        let (report, problem, file) = (self.report.clone(), self.problem.clone(), self.file.clone());
        let (compiler, crashed) = (self.compiler.clone(), self.crashed);
        move || {
            let report = report.as_deref().cloned().unwrap_or_default();
            let answer = IsaAnswer {
                text: report.isa,
                map: report.lines.iter().filter_map(|l| Some((l.line, l.source?))).collect(),
                lines: report.lines,
                sources: report.sources,
                target: report.target,
                kernels: report.kernels,
                command: report.command,
                compiler,
                problem,
                crashed,
                file,
            };
            let answer = serde_json::to_value(answer).ok();
            for waiting in waiting {
                let _ = waiting.send(Ok(answer.clone()));
            }
        }
    }

    /// Brings the file up to date, if there is one.
    fn write(&self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        std::fs::write(file, self.file_text()).map_err(|error| format!("{}: {error}", file.display()))
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
                let registers = Live { vgprs: k.vgprs, agprs: k.agprs, sgprs: k.sgprs };
                text.push_str(&format!(
                    "; {}: {registers}, {} bytes of LDS, {} waves\n",
                    k.name, k.lds, k.occupancy
                ));
            }
            text.push_str(&report.isa);
        }
        text
    }
}

impl Compilers {
    /// Whether a document's code is being compiled.
    pub(super) fn is_busy(&self) -> bool {
        self.watched.iter().any(|w| w.running.is_some())
    }

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
                experimenting: None,
                due: None,
                last_run: Duration::ZERO,
                report: None,
                problem: None,
                crashed: false,
                compiler: None,
                waiting: Vec::new(),
                hints: Vec::new(),
                function: None,
                file: None,
                looked_at: false,
            });
            self.watched.len() - 1
        });
        &mut self.watched[index]
    }

    /// Keeps the sender until the document is compiled, if it is going to be.
    pub(super) fn awaited(&mut self, uri: &Uri, ready: oneshot::Sender<()>) {
        if let Some(watched) = self.find(uri).filter(|w| w.running.is_some() || w.due.is_some()) {
            watched.hints.push(ready);
        }
    }

    /// Runs work that waits for compilers.
    pub(super) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        match &self.threads {
            Some(threads) => threads.spawn(work),
            None => drop(runtime::thread("compile", work)),
        }
    }

    /// Ends all that runs, and drops what waits for it.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn stop(&mut self) {
        self.questions.drain(..).for_each(|(_, cancel)| cancel.cancel());
        for watched in &mut self.watched {
            watched.stop();
            watched.due = None;
            watched.waiting.clear();
            watched.hints.clear();
        }
    }

    /// A question takes the place of the one before about the same document.
    pub(super) fn asked(&mut self, uri: &Uri, cancel: Cancel) {
        self.drop_questions(uri);
        self.questions.push((uri.clone(), cancel));
    }

    fn drop_questions(&mut self, uri: &Uri) {
        self.questions.retain(|(of, cancel)| {
            if of == uri {
                cancel.cancel();
            }
            of != uri
        });
    }

    /// The function of a document that was asked for.
    fn function(&self, uri: &Uri) -> Option<String> {
        self.watched.iter().find(|w| w.uri == *uri)?.function.clone()
    }

    /// A document changed: what runs for it is stale.
    pub(super) fn changed(&mut self, uri: &Uri) {
        self.drop_questions(uri);
        if let Some(watched) = self.find(uri) {
            watched.stop();
            watched.function = None;
            watched.due =
                Some(Instant::now() + watched.last_run.mul_f32(0.5).clamp(*PAUSE.start(), *PAUSE.end()));
        }
    }

    pub(super) fn closed(&mut self, uri: &Uri) {
        self.drop_questions(uri);
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
    pub(super) fn configured(&mut self, config: &Config) {
        self.compiler = find(config.llvm.folder());
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
pub(super) fn show(state: &mut State, uri: &Uri, function: Option<&str>, answer: Answer) {
    if state.document(uri).is_none() {
        refuse(answer, "the document is not open");
        return;
    }
    match state.scratch.file(uri, "s") {
        Ok(file) => state.compilers.watch(uri).file = Some(file),
        Err(problem) => return refuse(answer, &problem),
    }
    ask(state, uri, function, answer);
}

/// A client shows hints or lenses of a document: compiles it, and again after every edit, if that is wanted and it is for a GPU.
pub(super) fn looked_at(state: &mut State, uri: &Uri) {
    let config = &state.config;
    if !config.background
        || !(config.resource_lens || config.shown_hints().need_costs())
        || state.compilers.find(uri).is_some_and(|w| w.looked_at || w.generation.is_some())
    {
        return;
    }
    let Some(document) = state.document(uri) else { return };
    let rope = &document.positions.rope;
    let head = rope.get_byte_slice(..rope.len_bytes().min(HEAD)).map(|s| s.to_string());
    let dialect = document.dialect;
    if rope.len_bytes() <= BACKGROUND_BYTES && is_for_gpu(dialect, &head.unwrap_or_default()) {
        state.compilers.watch(uri).looked_at = true;
        start(state, uri);
    }
}

/// A client took a question about a document's code back: what runs for nobody else ends.
pub(super) fn taken_back(state: &mut State, uri: &Uri) {
    let Some(watched) = state.compilers.find(uri) else { return };
    watched.waiting.retain(|answer| !answer.is_closed());
    if watched.waiting.is_empty() && !watched.looked_at && watched.file.is_none() {
        watched.stop();
        // Whatever comes of the run is stale.
        (watched.generation, watched.running, watched.due) = (None, None, None);
    }
}

/// `wavelens/isa`: the code of the current state, compiled if it is not there yet.
pub(super) fn ask(state: &mut State, uri: &Uri, function: Option<&str>, answer: Answer) {
    let Some(document) = state.document(uri) else {
        refuse(answer, "the document is not open");
        return;
    };
    let (generation, lines) = (document.generation, document.positions.rope.len_lines());
    let watched = state.compilers.watch(uri);
    if lines > SLICED_LINES && function.is_some() && watched.function.as_deref() != function {
        watched.stop();
        (watched.function, watched.generation) = (function.map(str::to_owned), None);
        watched.running = None;
    }
    let fresh = watched.generation == Some(generation) && watched.running.is_none() && watched.due.is_none();
    if fresh {
        let written = watched.write();
        let answer = watched.answer(vec![answer]);
        state.spawn(answer);
        if let Err(problem) = written {
            state.outbox.log(MessageType::WARNING, problem);
        }
        present(state, uri, true);
    } else {
        watched.waiting.push(answer);
        if watched.running.is_none() {
            start(state, uri);
        }
    }
}

/// What is compiled for a document's current state; the text is copied out of the rope when it is called.
pub(super) fn job(state: &State, uri: &Uri) -> Option<impl FnOnce() -> Job + Send + 'static> {
    let document = state.document(uri)?;
    let rope = document.positions.rope.clone();
    let dialect = document.dialect;
    let (options, mut settings) = (document.options(&state.config), state.config.isa.clone());
    let (asked, line) = (state.compilers.function(uri), document.edited_line);
    Some(move || {
        let text = rope.to_string();
        if rope.len_lines() > SLICED_LINES {
            // Of a large module only what is looked at: the function asked for, or the one that is edited.
            settings.functions = asked.or_else(|| function_at(dialect, &text, line?)).into_iter().collect();
        }
        Job { dialect, text, options, settings }
    })
}

/// Starts a run for the document's current state.
pub(super) fn start(state: &mut State, uri: &Uri) {
    let Some(generation) = state.document(uri).map(|d| d.generation) else { return };
    let Some(job) = job(state, uri) else { return };
    let compiler = state.compilers.compiler.clone();
    let mailbox = state.mailbox.clone();
    let progress = state.progress_after_a_while("Compiling", uri);
    let with_remarks = state.config.shown_hints().remarks;
    let watched = state.compilers.watch(uri);
    watched.stop();
    let cancel = Cancel::default();
    (watched.generation, watched.running, watched.due) = (Some(generation), Some(cancel.clone()), None);
    let uri = uri.clone();
    state.compilers.spawn(move || {
        let _progress = progress;
        let began = Instant::now();
        let mut experiments = None;
        let (result, complaints, compiler_name) = match cancel.is_cancelled() {
            true => (Err(Failure::Cancelled), Vec::new(), None),
            false => {
                let mut job = job();
                job.settings.no_experiments = true;
                let mut result = machine_code(&compiler, &job, Detail::Costs, &cancel);
                if let (Ok(report), true) = (&mut result, with_remarks) {
                    report.remarks = remarks(&compiler, &job, &cancel).map(|r| r.remarks).unwrap_or_default();
                }
                let complaints = result.as_ref().err().map(|f| complaints(f, &job)).unwrap_or_default();
                let by = compiled_by(&compiler, &job);
                let has_no_lines = |r: &Report| r.lines.iter().all(|line| line.source.is_none());
                if may_need_experiments(job.dialect) && result.as_ref().is_ok_and(has_no_lines) {
                    job.settings.no_experiments = false;
                    experiments = Some((compiler, job));
                }
                (result, complaints, by)
            }
        };
        let first = Compiled {
            uri: uri.clone(),
            generation,
            took: began.elapsed(),
            compiler: compiler_name,
            result: result.map(with_costs),
            complaints,
            lines_follow: experiments.is_some(),
        };
        let _ = mailbox.send(Event::Compiled(first));
        let Some((compiler, job)) = experiments else { return };
        // Another document need not wait for it.
        runtime::thread("experiments", move || {
            step_back();
            if let Ok(report) = machine_code(&compiler, &job, Detail::Costs, &cancel) {
                let found = LinesFound { uri, generation, result: with_costs(report) };
                let _ = mailbox.send(Event::LinesFound(found));
            }
        });
    });
}

/// A report, and what each line of the source compiled to.
fn with_costs(report: Report) -> (Arc<SourceCosts>, Arc<Report>) {
    (Arc::new(report.source_costs()), Arc::new(report))
}

/// Takes over the report in which experiments found source lines, if it is still that of the text.
pub(super) fn lines_found(state: &mut State, found: LinesFound) {
    let LinesFound { uri, generation, result: (costs, report) } = found;
    let is_current = state.document(&uri).is_some_and(|d| d.generation == generation);
    let Some(watched) = state.compilers.find(&uri) else { return };
    if !is_current || watched.generation != Some(generation) || watched.running.is_some() {
        return;
    }
    (watched.report, watched.experimenting) = (Some(report), None);
    let written = watched.write();
    state.set_costs(&uri, costs);
    if let Err(problem) = written {
        state.outbox.log(MessageType::WARNING, problem);
    }
    present(state, &uri, false);
}

/// Takes a run's result over and tells whoever waits.
pub(super) fn compiled(state: &mut State, compiled: Compiled) {
    let Compiled { uri, generation, took, compiler, result, complaints, lines_follow } = compiled;
    let Some(current) = state.document(&uri).map(|d| d.generation) else { return };
    let Some(watched) = state.compilers.find(&uri) else { return };
    if watched.generation != Some(generation) {
        return;
    }
    watched.experimenting = watched.running.take().filter(|_| lines_follow);
    if result == Err(Failure::Cancelled) || current != generation {
        // The edit that made it stale has set a time for the next run; a caller that waits is answered then.
        if watched.due.is_none() {
            watched.due = Some(Instant::now());
        }
        return;
    }
    watched.last_run = took;
    let log = run_in_log(&uri, took, compiler.as_deref(), &result);
    let crashed = matches!(result, Err(Failure::Crashed { .. }));
    watched.crashed = crashed;
    let (mut costs, mut said) = (None, Vec::new());
    match result {
        Ok((found, report)) => {
            said = report.messages.iter().map(|m| spoken(&uri, m)).collect();
            costs = Some(found);
            (watched.report, watched.problem, watched.compiler) = (Some(report), None, compiler);
        }
        Err(failure) => watched.problem = Some(failure.sentence()),
    }
    // Whoever is answered may open the file.
    let written = watched.write();
    let waiting = std::mem::take(&mut watched.waiting);
    watched.hints.clear();
    let asked = !waiting.is_empty();
    if asked {
        let answer = watched.answer(waiting);
        state.spawn(answer);
    }
    if let Some(costs) = costs {
        state.set_costs(&uri, costs);
    }
    state.set_complaints(&uri, generation, complaints, crashed);
    state.outbox.log(MessageType::INFO, log);
    for message in said {
        state.outbox.log(MessageType::INFO, message);
    }
    if let Err(problem) = written {
        state.outbox.log(MessageType::WARNING, problem);
    }
    present(state, &uri, asked);
}

/// `a.ll: compiled by LLVM 22.1.8 in 43 ms: llc -mcpu=gfx1100 a.ll`
fn run_in_log(
    uri: &Uri,
    took: Duration,
    compiler: Option<&str>,
    result: &Result<(Arc<SourceCosts>, Arc<Report>), Failure>,
) -> String {
    let name = file_name(uri);
    let by = compiler.map(|compiler| format!(" by {compiler}")).unwrap_or_default();
    match result {
        Ok((_, report)) => format!("{name}: compiled{by} in {} ms: {}", took.as_millis(), report.command),
        Err(failure) => {
            format!("{name}: not compiled{by} after {} ms: {}", took.as_millis(), failure.sentence())
        }
    }
}

/// A line of the log.
fn spoken(uri: &Uri, message: &Message) -> String {
    let place = message.line.map(|l| format!(":{}", l + 1)).unwrap_or_default();
    format!("{}{place}: {}", uri.as_str(), message.text)
}

/// Opens the file of a document that has one if the user has just asked; else tells that there is something new.
fn present(state: &mut State, uri: &Uri, asked: bool) {
    let opening = state.opening;
    let outbox = state.outbox.clone();
    let Some(watched) = state.compilers.find(uri) else { return };
    let (file, problem) = (watched.file.clone(), watched.problem.clone());
    if !asked {
        if state.shows_code {
            let params = serde_json::json!({ "uri": uri.as_str(), "file": file });
            outbox.spawn(|client| async move { client.send_notification::<IsaChanged>(params).await });
        }
        return;
    }
    let Some(file) = file else { return };
    match problem {
        Some(_) if opening == Opening::Client => {}
        Some(problem) => {
            outbox.show(MessageType::WARNING, problem);
        }
        None => show_file(&outbox, opening, &file),
    }
}
