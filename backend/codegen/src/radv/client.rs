//! Talking to workers: one hot process a family, started when needed, replaced when it dies.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Executable, PipelineReply, PipelineRequest, families};
use crate::process::{Cancel, Limits};
use crate::report::Failure;
use crate::start::{kill, spawn};

/// Starts workers and keeps them.
#[derive(Debug)]
pub struct Workers {
    /// The program and the arguments that make it a worker; the driver's path is appended.
    program: PathBuf,
    arguments: Vec<String>,
    driver: PathBuf,
    /// Idle workers by processor.
    idle: Mutex<HashMap<String, Worker>>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill(&mut self.child);
        let _ = self.child.wait();
    }
}

/// How long a wait for a reply lasts before cancellation is looked at again.
const POLL: Duration = Duration::from_millis(10);

impl Workers {
    /// Workers are processes of `program`, which is this program, and load `driver`.
    pub fn new(program: PathBuf, arguments: Vec<String>, driver: PathBuf) -> Self {
        Workers { program, arguments, driver, idle: Mutex::default() }
    }

    /// What a user could type to have the same driver for a processor.
    pub fn shown(&self, target: &str) -> String {
        let family = families(target).first().unwrap_or(&"");
        format!("RADV_FORCE_FAMILY={family} {}", self.driver.display())
    }

    /// The driver's library.
    pub fn driver(&self) -> &Path {
        &self.driver
    }

    /// Compiles a pipeline for a processor. Blocks.
    pub fn compile(
        &self,
        target: &str,
        request: &PipelineRequest,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Vec<Executable>, Failure> {
        let names = families(target);
        if names.is_empty() {
            return Err(unknown(target));
        }
        let mut worker = self.worker(target, names, limits, cancel)?;
        let reply = worker.ask(request, limits, cancel)?;
        // Kept only after an answer: a worker that died or was stopped is gone.
        self.idle().insert(target.to_owned(), worker);
        match reply {
            PipelineReply::Compiled(executables) => Ok(executables),
            PipelineReply::Refused(problem) => Err(Failure::Refused(problem)),
        }
    }

    fn idle(&self) -> MutexGuard<'_, HashMap<String, Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(
        &self,
        target: &str,
        names: &[&str],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Worker, Failure> {
        let idle = self.idle().remove(target);
        if let Some(mut worker) = idle
            && matches!(worker.child.try_wait(), Ok(None))
        {
            return Ok(worker);
        }
        let mut problem = None;
        for name in names {
            match self.start(name, limits, cancel) {
                Ok(worker) => return Ok(worker),
                Err(Failure::Cancelled) => return Err(Failure::Cancelled),
                Err(failure) => problem = Some(failure),
            }
        }
        Err(problem.unwrap_or_else(|| unknown(target)))
    }

    fn start(&self, family: &str, limits: &Limits, cancel: &Cancel) -> Result<Worker, Failure> {
        let not_started = |reason: String| Failure::NotStarted { program: self.program.clone(), reason };
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .arg(&self.driver)
            .env("RADV_FORCE_FAMILY", family)
            .env("MESA_SHADER_CACHE_DISABLE", "true")
            .current_dir(crate::private::temporary_folder());
        let mut child = spawn(&mut command, limits.memory.max(8 << 30), None, Stdio::piped(), Stdio::null())
            .map_err(|e| not_started(e.to_string()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(not_started("no pipes".to_owned()));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let worker = Worker { child, stdin, lines };
        match worker.line(limits.time, cancel)? {
            line if line == "ready" => Ok(worker),
            problem => Err(Failure::NoTool(format!("RADV ({family}): {problem}"))),
        }
    }
}

fn unknown(target: &str) -> Failure {
    Failure::NotCompiled(format!(
        "SPIR-V for Vulkan is compiled by Mesa's RADV driver, and it has no processor `{target}`; it has those for graphics, \
         such as gfx900, gfx1030 and gfx1100"
    ))
}

impl Worker {
    fn ask(
        &mut self,
        request: &PipelineRequest,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<PipelineReply, Failure> {
        let died = |reason: &str| Failure::Crashed { reason: reason.to_owned(), function: None, line: None };
        let mut text = serde_json::to_string(request).map_err(|e| died(&e.to_string()))?;
        text.push('\n');
        self.stdin.write_all(text.as_bytes()).map_err(|_| died("the driver's process died"))?;
        let line = self.line(limits.time, cancel)?;
        serde_json::from_str(&line).map_err(|e| died(&e.to_string()))
    }

    fn line(&self, time: Duration, cancel: &Cancel) -> Result<String, Failure> {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => {
                    let reason = "the driver's process died".to_owned();
                    return Err(Failure::Crashed { reason, function: None, line: None });
                }
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return Err(Failure::Cancelled),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(Failure::TimedOut);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
