//! Which tests reach which mutants, and which of them fail.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use wait_timeout::ChildExt;

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

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fate {
    /// By this test.
    Killed(String),
    Survived,
    Unreached,
}

/// Tests that take longer tell little for their time.
const SLOW: Duration = Duration::from_secs(300);

impl Runner {
    /// Runs every test in a process of its own and records what it reaches. Those that fail or are slow are left out.
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
        std::fs::create_dir_all(&self.records).map_err(|e| e.to_string())?;
        let tests = Mutex::new(Vec::new());
        self.each(names.len(), |index| {
            let (program, name) = &names[index];
            let record = self.records.join(index.to_string());
            _ = std::fs::remove_file(&record);
            let start = Instant::now();
            let variable = ("MUTANT_RECORD", record.as_os_str().to_owned());
            if !self.passes(*program, name, variable, SLOW) {
                eprintln!("left out: {} {name}", self.programs[*program].name);
                return;
            }
            let reached = std::fs::read_to_string(&record).unwrap_or_default();
            let reached = reached.lines().filter_map(|line| line.parse().ok()).collect();
            let test = Test { program: *program, name: name.clone(), time: start.elapsed(), reached };
            lock(&tests).push(test);
        });
        let mut tests = tests.into_inner().unwrap_or_default();
        tests.sort_by_key(|test| (test.program, test.name.clone()));
        Ok(tests)
    }

    /// What becomes of each mutant; `each` hears of it at once.
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
        let mut tests: Vec<&Test> = tests.iter().filter(|test| test.reached.contains(&number)).collect();
        if tests.is_empty() {
            return Fate::Unreached;
        }
        // Tests of the module itself first, then quick ones.
        let module = file.split_once("/src/").map_or(file, |(_, module)| module);
        let module = module.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        tests.sort_by_key(|test| (!test.name.starts_with(&module), test.time));
        for test in tests {
            let limit = test.time * 5 + Duration::from_secs(20);
            let passes =
                |variable: (&str, std::ffi::OsString)| self.passes(test.program, &test.name, variable, limit);
            let is_on = || ("MUTANT", number.to_string().into());
            // A test that fails now and then tells nothing: it has to fail twice with the mutant, and pass without.
            if !passes(is_on()) && !passes(is_on()) && passes(("MUTANT", "".into())) {
                return Fate::Killed(format!("{} {}", self.programs[test.program].name, test.name));
            }
        }
        Fate::Survived
    }

    fn passes(
        &self,
        program: usize,
        test: &str,
        variable: (&str, std::ffi::OsString),
        limit: Duration,
    ) -> bool {
        let program = &self.programs[program];
        let mut command = Command::new(&program.path);
        command
            .current_dir(&program.folder)
            .args(["--exact", test, "--include-ignored"])
            .env(variable.0, variable.1);
        command.env("PATH", &self.path).env_remove("WAVELENS_REQUIRE_TOOLS");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let Ok(mut child) = command.spawn() else { return false };
        match child.wait_timeout(limit) {
            Ok(Some(status)) => status.success(),
            _ => {
                // With what it started itself.
                _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
                _ = child.wait();
                false
            }
        }
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
