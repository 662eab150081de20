//! Machine code next to the document: compiled in the background, kept fresh while it is watched.
//!
//! An edit kills the running compiler; the next run starts after a pause that is a share of the last run's time. Compilers run on
//! threads of their own, without a snapshot of the database in hand; their reports come back as events.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::notification::Notification;
use lsp_types::{MessageType, Uri};
use serde::Serialize;
use serde_json::Value;
use wavelens_codegen::priority::step_back;
use wavelens_codegen::{Cancel, Failure, IsaLine, KernelResources, Message, Report, SourceCosts, SourceLine};
use wavelens_ide::codegen::{Detail, ends_before_assembly, function_at, is_for_gpu, may_need_experiments};

use super::commands::{Answer, Opening, refuse, show_file};
use super::event::{Compiled, Event, LinesFound};
use super::runtime;
use super::state::State;
use super::uri::{file_name, path};
use crate::clock::Instant;
use crate::compile::{Job, compiled_by, complaints, machine_code, remarks};
use crate::written_code::WrittenCode;

/// Told to clients that show the code themselves: a fresh report can be asked for.
pub(super) enum IsaChanged {}

impl Notification for IsaChanged {
    type Params = Value;
    const METHOD: &'static str = "wavelens/isaChanged";
}

/// Larger modules are cut down to the function that is looked at.
const SLICED_LINES: usize = 5000;
/// Larger documents are not compiled without being asked.
const BACKGROUND_BYTES: usize = 1 << 20;
/// Bytes at the start of a document that say what it is for.
const HEAD: usize = 64 << 10;

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
    /// Where the code comes from, if another program compiled the document before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    /// Why the text is missing or from an earlier state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    /// The problem is a crash of the compiler: `wavelens.reduce` can reduce the document to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) crashed: bool,
    /// The file that `wavelens.showIsa` keeps fresh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<PathBuf>,
    /// The line of the file where the text starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) starts: Option<u32>,
}

/// `wavelens.showIsa`: for clients that show nothing themselves, a file that is kept fresh.
pub(super) fn show(state: &mut State, uri: &Uri, function: Option<&str>, answer: Answer) {
    let Some(document) = state.document(uri) else {
        return refuse(answer, "the document is not open");
    };
    let text = document.positions.rope.to_string();
    let options = document.options(&state.config);
    let ends_early = ends_before_assembly(document.dialect, &text, &options);
    match state.scratch.file(uri, if ends_early { "out.mir" } else { "s" }) {
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
        let mut note = None;
        let (result, complaints, compiler_name) = match cancel.is_cancelled() {
            true => (Err(Failure::Cancelled), Vec::new(), None),
            false => {
                let mut job = job();
                job.settings.no_experiments = true;
                let written = path(uri.as_str()).and_then(|path| WrittenCode::of(&job, &path));
                note = written.as_ref().map(|code| code.note(&file_name(&uri)));
                let code = written.filter(|code| !code.is_older);
                let is_written = code.is_some();
                let mut result = match code {
                    Some(code) => code.report(&compiler, &job, &cancel),
                    None => machine_code(&compiler, &job, Detail::Costs, &cancel),
                };
                if let (Ok(report), true) = (&mut result, with_remarks) {
                    report.remarks = remarks(&compiler, &job, &cancel).map(|r| r.remarks).unwrap_or_default();
                }
                let complaints = result.as_ref().err().map(|f| complaints(f, &job)).unwrap_or_default();
                let by = compiled_by(&compiler, &job).filter(|_| !is_written);
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
            note,
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
    let Compiled { uri, generation, took, compiler, note, result, complaints, lines_follow } = compiled;
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
            (watched.report, watched.problem) = (Some(report), None);
            (watched.compiler, watched.note) = (compiler, note);
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
