//! Running one process within limits, until it ends or is cancelled.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::private::missing_folder;
use crate::start::{Group, NOT_STARTED, Sandbox, kill, spawn};

/// What a process may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Wall-clock time from the start.
    pub time: Duration,
    /// Address space in bytes.
    pub memory: u64,
    /// Bytes kept of each output stream; a process that writes more is killed.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(30), memory: 4 << 30, output: 64 << 20 }
    }
}

/// A handle that ends running processes from another thread. Once cancelled, it stays so.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    /// How many processes were started.
    started: u64,
    /// Those whose result is not there yet, by number.
    runs: HashMap<u64, Run>,
}

#[derive(Debug, Default)]
struct Run {
    overflow: bool,
    open_streams: u8,
    /// What runs; nothing once it was waited for.
    group: Option<Group>,
}

/// How long a cancelled process stays stopped before it is killed. Killing it takes milliseconds of a core that the work after the
/// cancellation needs.
const STANDSTILL: Duration = Duration::from_millis(20);

impl Cancel {
    /// The processes take no time from now on, and are gone soon.
    pub fn cancel(&self) {
        self.change(|s| {
            s.cancelled = true;
            s.runs.values().filter_map(|run| run.group.as_ref()).for_each(Group::halt);
        });
    }

    /// Whether the caller has lost interest.
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let result = change(&mut self.lock());
        self.0.changed.notify_all();
        result
    }

    /// The number of a process that has just started.
    fn add(&self, child: &Child) -> u64 {
        self.change(|s| {
            s.started += 1;
            s.runs.insert(s.started, Run { overflow: false, open_streams: 2, group: Some(Group::of(child)) });
            s.started
        })
    }
}

/// How a process ended.
#[derive(Debug)]
pub struct Output {
    /// How the process ended.
    pub status: ExitStatus,
    /// What it wrote, up to the limit.
    pub stdout: Vec<u8>,
    /// As `stdout`.
    pub stderr: Vec<u8>,
}

/// Why the output is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// It could not be started: the reason.
    NotStarted(String),
    /// The caller did not wait for it.
    Cancelled,
    /// It took longer than the limit.
    TimedOut,
    /// It wrote more than the limit.
    TooMuchOutput,
}

/// How output and errors of a process are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    /// Each by itself.
    Apart,
    /// As one, in the order written; all of it is output.
    Together,
}

/// LLVM's programs do not print symbols of their stack when they crash: that takes far longer than the rest.
pub fn without_symbols(command: &mut Command) -> &mut Command {
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1").env("LLVM_DISABLE_CRASH_REPORT", "1")
}

/// Runs a command with `input` on its standard input. Blocks; whatever the outcome, no process of its group is left.
pub fn run(command: &mut Command, input: &[u8], limits: &Limits, cancel: &Cancel) -> Result<Output, Stopped> {
    run_with(command, input, limits, cancel, Streams::Apart)
}

/// [`run`], with the streams apart or as one.
pub fn run_with(
    command: &mut Command,
    input: &[u8],
    limits: &Limits,
    cancel: &Cancel,
    streams: Streams,
) -> Result<Output, Stopped> {
    run_within(command, input, limits, cancel, streams, None)
}

/// [`run_with`], for a program that may use the files of a sandbox alone.
pub(crate) fn run_within(
    command: &mut Command,
    input: &[u8],
    limits: &Limits,
    cancel: &Cancel,
    streams: Streams,
    sandbox: Option<&Sandbox>,
) -> Result<Output, Stopped> {
    let input = input.to_vec();
    run_fed(command, move || input, limits, cancel, streams, sandbox)
}

/// [`run_within`], with an input that may come after the start: a program of LLVM is loaded for 20 ms before it reads.
pub(crate) fn run_fed(
    command: &mut Command,
    input: impl FnOnce() -> Vec<u8> + Send + 'static,
    limits: &Limits,
    cancel: &Cancel,
    streams: Streams,
    sandbox: Option<&Sandbox>,
) -> Result<Output, Stopped> {
    if cancel.is_cancelled() {
        return Err(Stopped::Cancelled);
    }
    // The system says the same of a program and of a folder that does not exist.
    let missing = command.get_current_dir().and_then(missing_folder);
    let not_started =
        |error: std::io::Error| Stopped::NotStarted(missing.clone().unwrap_or(error.to_string()));
    let (mut child, joined) = match streams {
        Streams::Apart => {
            let child = spawn(command, limits.memory, sandbox, Stdio::piped(), Stdio::piped());
            (child.map_err(not_started)?, None)
        }
        Streams::Together => {
            let (reader, writer) = std::io::pipe().map_err(not_started)?;
            let copy = writer.try_clone().map_err(not_started)?;
            let child = spawn(command, limits.memory, sandbox, writer.into(), copy.into());
            // The stream ends when no command holds an end of it.
            command.stdout(Stdio::null()).stderr(Stdio::null());
            (child.map_err(not_started)?, Some(reader))
        }
    };
    let number = cancel.add(&child);
    if cancel.is_cancelled() {
        // Between the question above and the start.
        cancel.cancel();
    }
    if let Some(mut stdin) = child.stdin.take() {
        std::thread::spawn(move || stdin.write_all(&input()));
    }
    let stdout = match joined {
        Some(reader) => Stream::drain(Some(reader), limits.output, cancel, number),
        None => Stream::drain(child.stdout.take(), limits.output, cancel, number),
    };
    let stderr = Stream::drain(child.stderr.take(), limits.output, cancel, number);
    let result = wait(&mut child, limits.time, cancel, number);
    if result == Err(Stopped::Cancelled) {
        std::thread::sleep(STANDSTILL);
    }
    // From here on its number may become another's.
    cancel.change(|s| s.runs.entry(number).or_default().group = None);
    // Also ends children of the process that outlive it, so that the readers see the streams' ends.
    kill(&mut child);
    let last = Instant::now() + LAST_OUTPUT;
    let (stdout, stderr) = (stdout.read(last), stderr.read(last));
    let _ = child.wait();
    // A process whose full stream was closed may have ended before anybody looked.
    let overflow = cancel.change(|s| s.runs.remove(&number)).is_some_and(|run| run.overflow);
    if result.is_ok() && overflow {
        return Err(Stopped::TooMuchOutput);
    }
    match result? {
        status if status.code() == Some(NOT_STARTED.into()) => {
            Err(Stopped::NotStarted(String::from_utf8_lossy(&stderr).trim().to_owned()))
        }
        status => Ok(Output { status, stdout, stderr }),
    }
}

fn wait(child: &mut Child, time: Duration, cancel: &Cancel, number: u64) -> Result<ExitStatus, Stopped> {
    let deadline = Instant::now() + time;
    loop {
        let mut state = cancel.lock();
        let cancelled = state.cancelled;
        let run = state.runs.entry(number).or_default();
        let pause = if run.open_streams == 0 { Duration::from_millis(1) } else { Duration::from_millis(100) };
        let left = deadline.saturating_duration_since(Instant::now());
        let mut state = if cancelled || run.overflow {
            state
        } else {
            match cancel.0.changed.wait_timeout(state, pause.min(left)) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            }
        };
        if state.cancelled {
            return Err(Stopped::Cancelled);
        }
        let run = state.runs.entry(number).or_default();
        if run.overflow {
            return Err(Stopped::TooMuchOutput);
        }
        // With the lock held: whoever cancels finds the group as long as it is there.
        let ended = child.try_wait();
        if !matches!(ended, Ok(None)) {
            run.group = None;
        }
        drop(state);
        match ended {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if Instant::now() >= deadline => return Err(Stopped::TimedOut),
            Ok(None) => {}
            Err(error) => return Err(Stopped::NotStarted(error.to_string())),
        }
    }
}

/// How long streams are read after their process ended. Some other process may hold them open.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// What a thread reads from a stream. Nothing waits for the thread: it ends when the last process that holds the stream does.
struct Stream {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Stream {
    fn drain(
        stream: Option<impl Read + Send + 'static>,
        limit: usize,
        cancel: &Cancel,
        number: u64,
    ) -> Stream {
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let (end, ended) = channel();
        let (read, cancel) = (bytes.clone(), cancel.clone());
        std::thread::spawn(move || {
            let mut is_full = false;
            if let Some(mut stream) = stream {
                let mut piece = vec![0; PIECE];
                while let Ok(size @ 1..) = stream.read(&mut piece)
                    && !is_full
                {
                    let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = limit - read.len();
                    is_full = size > room;
                    read.extend_from_slice(&piece[..size.min(room)]);
                    drop(read);
                    if size < PIECE / 2 {
                        std::thread::sleep(PAUSE);
                    }
                }
            }
            cancel.change(|s| {
                // It is not there any more when the stream outlives the process.
                if let Some(run) = s.runs.get_mut(&number) {
                    run.open_streams = run.open_streams.saturating_sub(1);
                    run.overflow |= is_full;
                }
            });
            drop(end);
        });
        Stream { bytes, ended }
    }

    /// What was read when the stream ended, or by a point in time.
    fn read(self, last: Instant) -> Vec<u8> {
        let _ = self.ended.recv_timeout(last.saturating_duration_since(Instant::now()));
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Bytes read at once.
const PIECE: usize = 64 << 10;
/// How long a reader lets a stream fill. LLVM's programs write what passes print word by word, and to wake a reader for each takes
/// longer than the rest.
const PAUSE: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: &Limits, cancel: &Cancel) -> Result<Output, Stopped> {
        run(Command::new("/bin/sh").args(["-c", script]), b"", limits, cancel)
    }

    fn quick() -> Limits {
        Limits { time: Duration::from_millis(300), memory: 1 << 30, output: 1 << 16 }
    }

    #[test]
    fn input_goes_in_and_output_comes_out() {
        let output = run(&mut Command::new("cat"), b"hello", &quick(), &Cancel::default()).expect("cat runs");
        assert_eq!(output.stdout, b"hello");
        assert!(output.status.success());
    }

    #[test]
    fn limits_end_a_process() {
        let stopped = |script| shell(script, &quick(), &Cancel::default()).err();
        assert_eq!(stopped("sleep 60"), Some(Stopped::TimedOut));
        assert_eq!(stopped("yes"), Some(Stopped::TooMuchOutput));
        // A child left in the background, holding the streams, dies with the group.
        assert_eq!(stopped("sleep 60 & exit 0"), None);
    }

    /// Found by its arguments, which no other test has.
    #[cfg(target_os = "linux")]
    fn runs(argument: &str) -> bool {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let arguments = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        arguments.into_iter().any(|found| found == format!("sleep\0{argument}\0").into_bytes())
    }

    /// In a session of its own it is in no group that could be killed.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_in_another_session_delays_nothing() {
        let long = |argument: &str, end: &str| format!("setsid sleep {argument} & {end}");
        let ended = shell(&long("20.001", "echo here; exit 0"), &Limits::default(), &Cancel::default());
        assert_eq!(ended.expect("it ends").stdout, b"here\n");
        let ended = shell(&long("20.002", "sleep 60"), &quick(), &Cancel::default());
        assert_eq!(ended.err(), Some(Stopped::TimedOut));
        assert!(!runs("20.002"));
    }

    #[test]
    fn cancelling_ends_all_processes_of_a_handle() {
        let (cancel, start) = (Cancel::default(), Instant::now());
        let limits = Limits { time: Duration::from_secs(60), ..quick() };
        std::thread::scope(|scope| {
            let runs = [(); 2].map(|()| scope.spawn(|| shell("sleep 60", &limits, &cancel).err()));
            // One that ends before them ends only itself.
            assert_eq!(shell("yes", &limits, &cancel).err(), Some(Stopped::TooMuchOutput));
            std::thread::sleep(Duration::from_millis(30));
            assert!(runs.iter().all(|run| !run.is_finished()));
            cancel.cancel();
            assert_eq!(runs.map(|run| run.join().ok().flatten()), [(); 2].map(|()| Some(Stopped::Cancelled)));
        });
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn cancelling_ends_a_process_soon() {
        let cancel = Cancel::default();
        let (other, start) = (cancel.clone(), Instant::now());
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            other.cancel();
        });
        let long = Limits { time: Duration::from_secs(60), ..quick() };
        assert_eq!(shell("sleep 60", &long, &cancel).err(), Some(Stopped::Cancelled));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_group_that_is_gone_is_not_signalled() {
        for script in ["exit 0", "sleep 60", "yes"] {
            let cancel = Cancel::default();
            let _ = shell(script, &quick(), &cancel);
            assert!(cancel.lock().runs.is_empty(), "{script}");
        }
    }

    #[test]
    fn a_missing_program_says_so() {
        let result = run(&mut Command::new("/no/such/program"), b"", &quick(), &Cancel::default());
        assert!(matches!(result, Err(Stopped::NotStarted(_))));
    }
}
