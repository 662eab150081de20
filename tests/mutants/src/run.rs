//! Which tests reach which mutants, and which of them fail.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::build::Program;

/// A test that passes without a mutant.
pub(crate) struct Test {
    program: usize,
    name: String,
    time: Duration,
    reached: BTreeSet<u32>,
}

pub(crate) struct Runner {
    pub(crate) programs: Vec<Program>,
    /// Holds links to the programs that tests may start.
    pub(crate) path: PathBuf,
    pub(crate) records: PathBuf,
    pub(crate) jobs: usize,
}

/// The result of a mutant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fate {
    /// By this test.
    Killed(String),
    Survived,
    Unreached,
}

#[derive(PartialEq)]
enum Verdict {
    Passed,
    /// The place of the test among those that were run, unless the process ended or took too long.
    Failed(Option<usize>),
}

/// Tests that take longer tell little for their time.
const SLOW: Duration = Duration::from_secs(600);

/// As many tests as run in this time start together: most of them take less time than the start of a process.
const TOGETHER: Duration = Duration::from_secs(4);

/// Tests of one program that one process runs.
struct Batch<'a> {
    program: usize,
    tests: Vec<&'a str>,
    time: Duration,
}

impl Runner {
    /// What each test reaches. Those that fail or are slow are left out.
    pub(crate) fn record(&self, words: &[String]) -> Outcome<Vec<Test>> {
        let mut names = Vec::new();
        for (index, program) in self.programs.iter().enumerate() {
            let output = Command::new(&program.path).arg("--list").output().map_err(|e| e.to_string())?;
            let output = String::from_utf8_lossy(&output.stdout).into_owned();
            names.extend(
                output.lines().filter_map(|line| Some((index, line.strip_suffix(": test")?.to_owned()))),
            );
        }
        let is_chosen = |(program, name): &(usize, String)| {
            let name = format!("{} {name}", self.programs[*program].name);
            words.is_empty() || words.iter().any(|word| name.contains(word))
        };
        names.retain(is_chosen);
        let tests = Mutex::new(Vec::new());
        self.each(names.len(), |index| {
            let (program, name) = &names[index];
            match self.recorded(*program, name) {
                Some(test) => lock(&tests).push(test),
                None => eprintln!("left out: {} {name}", self.programs[*program].name),
            }
        });
        let mut tests = tests.into_inner().unwrap_or_default();
        tests.sort_by_key(|test| (test.program, test.name.clone()));
        Ok(tests)
    }

    /// Runs a test in a process of its own, unless it passed in an earlier run and the record of it is newer than its program.
    fn recorded(&self, program: usize, name: &str) -> Option<Test> {
        let folder = self.records.join(self.programs[program].path.file_name()?);
        std::fs::create_dir_all(&folder).ok()?;
        let (record, time) = (folder.join(name), folder.join(format!("{name} time")));
        let written = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        let has_passed = std::fs::metadata(&time).is_ok_and(|data| data.len() > 0);
        if !has_passed || written(&time) < written(&self.programs[program].path) {
            _ = std::fs::remove_file(&record);
            let start = Instant::now();
            let variable = ("MUTANT_RECORD", record.as_os_str().to_owned());
            let verdict = self.run(program, &[name], variable, SLOW);
            let taken = if verdict == Verdict::Passed {
                start.elapsed().as_millis().to_string()
            } else {
                String::new()
            };
            std::fs::write(&time, taken).ok()?;
        }
        let time = Duration::from_millis(std::fs::read_to_string(&time).ok()?.parse().ok()?);
        let reached = std::fs::read_to_string(&record).unwrap_or_default();
        let reached = reached.lines().filter_map(|line| line.parse().ok()).collect();
        Some(Test { program, name: name.to_owned(), time, reached })
    }

    /// The result of each mutant; `each` is called with it at once.
    pub(crate) fn fates(
        &self,
        tests: &[Test],
        mutants: &[(u32, String)],
        each: impl Fn(u32, &Fate) + Sync,
    ) -> BTreeMap<u32, Fate> {
        let fates = Mutex::new(BTreeMap::new());
        self.each(mutants.len(), |index| {
            let (number, file) = &mutants[index];
            let fate = self.fate(tests, *number, file);
            each(*number, &fate);
            lock(&fates).insert(*number, fate);
        });
        fates.into_inner().unwrap_or_default()
    }

    fn fate(&self, tests: &[Test], number: u32, file: &str) -> Fate {
        let tests: Vec<&Test> = tests.iter().filter(|test| test.reached.contains(&number)).collect();
        if tests.is_empty() {
            return Fate::Unreached;
        }
        for batch in batches(tests, file) {
            let limit = batch.time * 5 + Duration::from_secs(20);
            let run = |tests: &[&str], number: String| {
                self.run(batch.program, tests, ("MUTANT", number.into()), limit)
            };
            let failed = match run(&batch.tests, number.to_string()) {
                Verdict::Passed => continue,
                Verdict::Failed(Some(test)) => vec![batch.tests[test]],
                Verdict::Failed(None) => batch.tests.clone(),
            };
            // A test that fails now and then tells nothing: it has to fail twice with the mutant, and pass without.
            if run(&failed, number.to_string()) != Verdict::Passed
                && run(&failed, String::new()) == Verdict::Passed
            {
                return Fate::Killed(format!("{} {}", self.programs[batch.program].name, failed.join(" ")));
            }
        }
        Fate::Survived
    }

    /// Runs tests of a program in one process.
    fn run(&self, program: usize, tests: &[&str], variable: (&str, OsString), limit: Duration) -> Verdict {
        let program = &self.programs[program];
        let mut command = Command::new(&program.path);
        command.current_dir(&program.folder).arg("--exact").args(tests);
        command.args(["--include-ignored", "--test-threads", "1"]).env(variable.0, variable.1);
        command.env("PATH", &self.path).env_remove("WAVELENS_REQUIRE_TOOLS");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let Ok(mut child) = command.spawn() else { return Verdict::Failed(None) };
        let output = child.stdout.take();
        // The first failure decides; what still runs is stopped.
        let (sender, failure) = mpsc::channel();
        let names: Vec<String> = tests.iter().map(|name| format!("test {name} ... FAILED")).collect();
        std::thread::spawn(move || {
            for line in
                output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok)
            {
                if let Some(test) = names.iter().position(|name| line == *name) {
                    _ = sender.send(test);
                }
            }
        });
        let failed = match failure.recv_timeout(limit) {
            Ok(test) => Some(test),
            // The output has ended, and all tests passed, or the process died.
            Err(mpsc::RecvTimeoutError::Disconnected) => match child.wait() {
                Ok(status) if status.success() => return Verdict::Passed,
                _ => None,
            },
            Err(mpsc::RecvTimeoutError::Timeout) => None,
        };
        // With what it started itself.
        _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", child.id())])
            .stderr(Stdio::null())
            .status();
        _ = child.wait();
        Verdict::Failed(failed)
    }

    fn each(&self, count: usize, work: impl Fn(usize) + Sync) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            break;
                        }
                        work(index);
                    }
                });
            }
        });
    }
}

/// Tests of the module itself first, then quick ones.
fn batches<'a>(mut tests: Vec<&'a Test>, file: &str) -> Vec<Batch<'a>> {
    let module = file.split_once("/src/").map_or(file, |(_, module)| module);
    let module = module.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
    let is_other = |test: &Test| !test.name.starts_with(&module);
    tests.sort_by_key(|test| (is_other(test), test.program, test.time));
    let mut batches: Vec<(bool, Batch)> = Vec::new();
    for test in tests {
        match batches.last_mut() {
            Some((other, batch))
                if (*other, batch.program) == (is_other(test), test.program)
                    && batch.time + test.time <= TOGETHER =>
            {
                batch.tests.push(&test.name);
                batch.time += test.time;
            }
            _ => {
                let batch = Batch { program: test.program, tests: vec![&test.name], time: test.time };
                batches.push((is_other(test), batch));
            }
        }
    }
    batches.sort_by_key(|(other, batch)| (*other, batch.time));
    batches.into_iter().map(|(_, batch)| batch).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Names of the reference tools: tests that need one do not count.
const REFERENCE: &[&str] =
    &["llvm", "llc", "opt", "clang", "spirv", "glslang", "lli", "lld", "ld.lld", "FileCheck"];

/// A folder with links to every program but the reference tools.
pub(crate) fn path_without_reference(folder: &Path) -> Outcome<PathBuf> {
    _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    for entry in
        std::env::split_paths(&path).filter_map(|path| std::fs::read_dir(path).ok()).flatten().flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_reference = |start: &&str| {
            name.strip_prefix(*start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
        };
        if !REFERENCE.iter().any(is_reference) && !name.starts_with("glslang") {
            // The first one on the path stays.
            _ = std::os::unix::fs::symlink(entry.path(), folder.join(name));
        }
    }
    Ok(folder.to_owned())
}
