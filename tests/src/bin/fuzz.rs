//! Fuzzing by random changes, in processes of their own: `cargo xtask fuzz` starts it.
//!
//! Each target gets a turn after the other. An input that ends the process, takes too long or too much memory is kept in the output folder;
//! `fuzz TARGET FILE` tries it again.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use wavelens_tests::fuzzing::mutate::Seeds;
use wavelens_tests::fuzzing::targets::{Differences, TARGETS, Target};
use wavelens_tests::random::Random;

/// How long a target is tried before the next one.
const TURN: Duration = Duration::from_secs(20);
/// Time of the processor that one input may take.
const LONGEST: Duration = Duration::from_secs(20);
const MEMORY: u64 = 2 << 30;
/// Differences of one kind that are noted.
const ALIKE: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["worker", name, seed, out, seeds @ ..] => match (target(name), seed.parse()) {
            (Some(target), Ok(seed)) => work(target, seed, Path::new(out), seeds),
            _ => return ExitCode::from(2),
        },
        ["run", minutes, only, out, seeds @ ..] => {
            let minutes: f64 = minutes.parse().unwrap_or(1.0);
            return supervise(Duration::from_secs_f64(60.0 * minutes), only, Path::new(out), seeds);
        }
        [name, file] => match (target(name), std::fs::read(file)) {
            (Some(target), Ok(data)) => {
                let mut differences = Vec::new();
                (target.run)(&data, &mut differences);
                differences.iter().for_each(|difference| println!("{difference}"));
            }
            _ => return ExitCode::from(2),
        },
        _ => {
            eprintln!("usage: fuzz run MINUTES TARGETS FOLDER [SEEDS]... | fuzz TARGET FILE");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The file that holds what a target tries.
fn current(out: &Path, target: &Target) -> PathBuf {
    out.join(format!("{}.current", target.name))
}

/// Tries inputs of a target for a turn.
fn work(target: &Target, seed: u64, out: &Path, folders: &[&str]) {
    let folders: Vec<&Path> = folders.iter().map(Path::new).collect();
    let seeds = Seeds::read(&folders);
    let mut random = Random::new(seed);
    let mut differences = Differences::new();
    let file = current(out, target);
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < TURN {
        let data = (target.make)(&seeds, &mut random);
        if std::fs::write(&file, &data).is_err() {
            return;
        }
        (target.run)(&data, &mut differences);
        count += 1;
    }
    println!("{count}");
    differences.iter().for_each(|difference| println!("{difference}"));
}

/// Starts a worker for each target in turn.
fn supervise(time: Duration, only: &str, out: &Path, folders: &[&str]) -> ExitCode {
    if std::fs::create_dir_all(out).is_err() {
        eprintln!("{} cannot be made", out.display());
        return ExitCode::from(2);
    }
    let start = Instant::now();
    let targets: Vec<&Target> = TARGETS.iter().filter(|target| target.name.contains(only)).collect();
    // Runs at the same time try other inputs.
    let seconds = std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_secs());
    let mut seed = (seconds << 22) + u64::from(std::process::id());
    let (mut inputs, mut failures) = (0, 0);
    let mut noted: Vec<(String, usize)> = Vec::new();
    while start.elapsed() < time && !targets.is_empty() {
        for target in &targets {
            seed += 1;
            let turn = match turn(target, seed, out, folders) {
                Ok(turn) => turn,
                Err(error) => {
                    eprintln!("no worker can be started: {error}");
                    return ExitCode::from(2);
                }
            };
            inputs += turn.inputs;
            if let Some(reason) = turn.failure {
                failures += 1;
                let kept = out.join(format!("{}-{seed}", target.name));
                let _ = std::fs::copy(current(out, target), &kept);
                println!("{}: {reason}: {}", target.name, kept.display());
            }
            for difference in turn.differences {
                note(target, &difference, &mut noted);
            }
            println!(
                "{:>6} s  {:<14} {:>6} inputs  {inputs} in all, {failures} failures",
                start.elapsed().as_secs(),
                target.name,
                turn.inputs
            );
            if start.elapsed() >= time {
                break;
            }
        }
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a difference unless some of its kind were: those with the same words before the first name.
fn note(target: &Target, difference: &str, noted: &mut Vec<(String, usize)>) {
    let kind = difference.split(['`', '%', '@', '\'']).next().unwrap_or_default();
    let kind = format!("{}: {}", target.name, kind.chars().take(40).collect::<String>());
    let count = match noted.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, count)) => {
            *count += 1;
            *count
        }
        None => {
            noted.push((kind, 1));
            1
        }
    };
    if count <= ALIKE {
        println!("{}: difference: {difference}", target.name);
    }
}

struct Turn {
    inputs: usize,
    failure: Option<String>,
    differences: Vec<String>,
}

/// Runs a worker. The error says why it cannot be started, as when the program was built anew.
fn turn(target: &Target, seed: u64, out: &Path, folders: &[&str]) -> std::io::Result<Turn> {
    let log = out.join(format!("{}.log", target.name));
    let result = out.join(format!("{}.result", target.name));
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["worker", target.name, &seed.to_string()]).arg(out).args(folders);
    command.stdin(Stdio::null()).stdout(std::fs::File::create(&result)?).stderr(std::fs::File::create(&log)?);
    let mut child = command.spawn()?;
    let failure = watch(&mut child, &current(out, target));
    let printed = std::fs::read_to_string(&result).unwrap_or_default();
    let mut lines = printed.lines();
    let inputs = lines.next().and_then(|line| line.parse().ok()).unwrap_or(0);
    let differences = lines.map(str::to_owned).collect();
    let failure = failure.map(|reason| {
        let log = std::fs::read_to_string(&log).unwrap_or_default();
        let panic = log.lines().skip_while(|line| !line.contains("panicked at")).take(2);
        format!("{reason} {}", panic.collect::<Vec<_>>().join(" "))
    });
    Ok(Turn { inputs, failure, differences })
}

/// Waits for a worker; what is wrong with the input that it tried last.
fn watch(child: &mut Child, current: &Path) -> Option<String> {
    let written = || std::fs::metadata(current).and_then(|data| data.modified()).ok();
    let (mut last, mut since) = (written(), Duration::ZERO);
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(status)) => return Some(format!("ended with {status}")),
            Ok(None) => {}
            Err(error) => return Some(error.to_string()),
        }
        let stop = |child: &mut Child, why: &str| {
            let _ = child.kill();
            let _ = child.wait();
            Some(why.to_owned())
        };
        let (used, memory) = usage(child.id());
        if memory > MEMORY {
            return stop(child, "takes more than 2 GiB");
        }
        let now = written();
        if now != last {
            (last, since) = (now, used);
        } else if used > since + LONGEST {
            return stop(child, "takes more than 20 s");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Time of the processor and bytes of memory of a process.
fn usage(process: u32) -> (Duration, u64) {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/{process}/{name}")).unwrap_or_default();
    let stat = read("stat");
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    let pages: u64 = read("statm").split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    (Duration::from_millis(10 * ticks), 4096 * pages)
}
