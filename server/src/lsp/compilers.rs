//! Compilers that run in the background, and the documents whose code somebody looks at.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use lsp_types::Uri;
use rayon::ThreadPool;
use tokio::sync::oneshot;
use wavelens_codegen::cache::{Cache, default_folder};
use wavelens_codegen::priority::step_back;
use wavelens_codegen::{Cancel, Compiler, Report};

use super::commands::{Answer, refuse};
use super::config::Config;
use super::isa::IsaAnswer;
use super::runtime;
use crate::clock::Instant;
use crate::compile::find_compiler;

/// Compilers that run at once: a core is left to who types.
fn processes() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get() - 1).clamp(1, 4)
}

/// Bounds of the pause between an edit and the next run.
const PAUSE: std::ops::RangeInclusive<Duration> = Duration::from_millis(20)..=Duration::from_millis(1000);
/// Bytes of reports kept across restarts.
const CACHE_BYTES: u64 = 64 << 20;

pub(super) type FoundCompiler = Arc<LazyLock<Compiler, Box<dyn FnOnce() -> Compiler + Send>>>;

fn find(llvm: Option<PathBuf>) -> FoundCompiler {
    let cache = default_folder().map(|folder| Cache::new(folder, CACHE_BYTES));
    Arc::new(LazyLock::new(Box::new(move || find_compiler(llvm.as_deref(), cache))))
}

/// Outside tools and the threads that wait for them.
pub(super) struct Compilers {
    pub(super) threads: Option<ThreadPool>,
    /// Searched by the first that needs it.
    pub(super) compiler: FoundCompiler,
    pub(super) watched: Vec<Watched>,
    /// What runs for questions that are asked once.
    pub(super) questions: Vec<(Uri, Cancel)>,
}

/// A document whose code somebody looks at.
pub(super) struct Watched {
    pub(super) uri: Uri,
    /// State of the document that the last run was started for.
    pub(super) generation: Option<u64>,
    pub(super) running: Option<Cancel>,
    /// Finds source lines for the report that is there.
    pub(super) experimenting: Option<Cancel>,
    pub(super) due: Option<Instant>,
    pub(super) last_run: Duration,
    pub(super) report: Option<Arc<Report>>,
    pub(super) problem: Option<String>,
    /// It is a crash.
    pub(super) crashed: bool,
    pub(super) compiler: Option<String>,
    /// Where the code comes from, if another program compiled the document before.
    pub(super) note: Option<String>,
    pub(super) waiting: Vec<Answer>,
    /// Hints that wait for the run; dropping is enough.
    pub(super) hints: Vec<oneshot::Sender<()>>,
    /// The one that is looked at, in a module that is too large to compile as a whole; an edit moves the look elsewhere.
    pub(super) function: Option<String>,
    /// A file kept fresh for clients that show nothing themselves.
    pub(super) file: Option<PathBuf>,
    /// A client shows hints or lenses of it.
    pub(super) looked_at: bool,
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
    pub(super) fn stop(&self) {
        self.running.iter().chain(&self.experimenting).for_each(Cancel::cancel);
    }

    /// Gives those who wait what there is. A large report takes a while to write: this is not for the thread that owns the database.
    pub(super) fn answer(&self, waiting: Vec<Answer>) -> impl FnOnce() + Send + 'static {
        let (report, problem, file) = (self.report.clone(), self.problem.clone(), self.file.clone());
        let (compiler, crashed, starts) = (self.compiler.clone(), self.crashed, self.code_starts());
        let note = self.note.clone();
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
                note,
                problem,
                crashed,
                starts: file.as_ref().map(|_| starts),
                file,
            };
            let answer = serde_json::to_value(answer).ok();
            for waiting in waiting {
                let _ = waiting.send(Ok(answer.clone()));
            }
        }
    }

    /// Brings the file up to date, if there is one.
    pub(super) fn write(&self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        std::fs::write(file, self.file_text()).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn file_text(&self) -> String {
        self.head() + self.report.as_deref().map_or("", |report| &report.isa)
    }

    /// What the file says before the code: what went wrong, the command, the kernels' table.
    pub(super) fn head(&self) -> String {
        let mut lines: Vec<String> =
            self.problem.iter().chain(&self.note).flat_map(|p| p.lines()).map(str::to_owned).collect();
        if let Some(report) = &self.report {
            lines.extend(Some(report.command.clone()).filter(|command| !command.is_empty()));
            lines.extend(report.kernels.iter().map(|k| {
                format!("{}: {}, {} bytes of LDS, {} waves", k.name, k.registers(), k.lds, k.occupancy)
            }));
        }
        let is_yaml = self.file.as_ref().is_some_and(|file| file.extension().is_some_and(|e| e == "mir"));
        let comment = if is_yaml { '#' } else { ';' };
        lines.iter().map(|line| format!("{comment} {line}\n")).collect()
    }
}

impl Compilers {
    /// Whether a document's code is being compiled.
    pub(super) fn is_busy(&self) -> bool {
        self.watched.iter().any(|w| w.running.is_some())
    }

    pub(super) fn find(&mut self, uri: &Uri) -> Option<&mut Watched> {
        self.watched.iter_mut().find(|w| w.uri == *uri)
    }

    /// The entry of a document, made if there is none.
    pub(super) fn watch(&mut self, uri: &Uri) -> &mut Watched {
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
                note: None,
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
    pub(super) fn function(&self, uri: &Uri) -> Option<String> {
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
