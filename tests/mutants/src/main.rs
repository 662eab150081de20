//! `tests/mutants/run`: how many small changes of the source the tests notice, with one build for all changes.

mod build;
mod mutant;
mod run;
mod schemata;
mod sites;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;

use mutant::Mutant;
use run::Fate;

/// What stops the task, in one sentence.
type Failure = String;
type Outcome<T = ()> = Result<T, Failure>;

/// Draw mutants of the source and count those that a test notices
#[derive(Parser)]
struct Arguments {
    /// The same seed draws the same mutants
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Mutants to draw
    #[arg(long, default_value_t = 600)]
    count: usize,
    /// Packages to draw from
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "wavelens-base,wavelens-amdgpu,wavelens-llvm,wavelens-mir,wavelens-spirv,wavelens-check,wavelens-isa,wavelens-ide"
    )]
    packages: Vec<String>,
    /// Try these of the drawn mutants only
    #[arg(long, value_delimiter = ',', value_name = "NUMBER")]
    only: Vec<u32>,
    /// Run only tests whose name or program has one of these words
    #[arg(long, value_delimiter = ',', value_name = "WORD")]
    tests: Vec<String>,
    /// Tests that run at the same time
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    jobs: usize,
    /// The folder for the copy of the project and the report
    #[arg(long, value_name = "DIR", default_value = "target/mutants")]
    out: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Outcome {
    let project =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().map_err(|e| e.to_string())?;
    let out = project.join(&arguments.out);
    let tree = build::Tree { copy: out.join("tree"), project };
    let all = mutant::list_once(&tree.project, &arguments.packages, &out)?;
    eprintln!("{} mutants to draw from", all.len());
    let drawn: BTreeMap<u32, Mutant> =
        (0..).zip(mutant::draw(all, arguments.seed, arguments.count)).collect();
    let (mutants, rejected) = viable(&tree, &drawn, &out.join("rejected.txt"))?;
    let runner = run::Runner {
        programs: tree.programs()?,
        path: run::path_without_reference(&out.join("bin"))?,
        records: out.join("records"),
        jobs: arguments.jobs,
    };
    let tests = runner.record(&arguments.tests)?;
    eprintln!("{} tests", tests.len());
    let chosen =
        mutants.iter().filter(|(number, _)| arguments.only.is_empty() || arguments.only.contains(number));
    let chosen: Vec<(u32, String)> = chosen.map(|(number, mutant)| (*number, mutant.file.clone())).collect();
    let report = out.join(format!("report-{}.txt", arguments.seed));
    let file = Mutex::new(std::fs::File::create(&report).map_err(|e| format!("{}: {e}", report.display()))?);
    let fates = runner.fates(&tests, &chosen, |number, fate| {
        let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        _ = writeln!(file, "{number} {}: {fate:?}", drawn[&number].name);
    });
    for number in &rejected {
        eprintln!("not viable: {number} {}", drawn[number].name);
    }
    print(&drawn, &fates);
    Ok(())
}

/// Writes the copy with the mutants that compile, and returns them, and those that do not. The names of these are kept in a file, so
/// that the next run changes no source to find them again.
fn viable(
    tree: &build::Tree,
    drawn: &BTreeMap<u32, Mutant>,
    known: &Path,
) -> Outcome<(BTreeMap<u32, Mutant>, BTreeSet<u32>)> {
    let files: BTreeSet<&str> = drawn.values().map(|mutant| mutant.file.as_str()).collect();
    tree.copy(&files)?;
    let names = std::fs::read_to_string(known).unwrap_or_default();
    let mut names: BTreeSet<&str> = names.lines().collect();
    let is_known = |mutant: &Mutant| names.contains(mutant.name.as_str());
    let (mut rejected, mut mutants) = (BTreeSet::new(), drawn.clone());
    rejected.extend(mutants.extract_if(.., |_, mutant| is_known(mutant)).map(|(number, _)| number));
    loop {
        let without_place = tree.mutate(&files, &mutants)?;
        let wrong = if without_place.is_empty() { tree.rejected()? } else { without_place };
        if wrong.is_empty() {
            return Ok((mutants, rejected));
        }
        eprintln!("{} mutants do not compile", wrong.len());
        mutants.retain(|number, _| !wrong.contains(number));
        names.extend(wrong.iter().map(|number| drawn[number].name.as_str()));
        rejected.extend(wrong);
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        std::fs::write(known, lines).map_err(|e| format!("{}: {e}", known.display()))?;
    }
}

/// Survivors, then the figures of each package.
fn print(drawn: &BTreeMap<u32, Mutant>, fates: &BTreeMap<u32, Fate>) {
    for (number, fate) in fates {
        if !matches!(fate, Fate::Killed(_)) {
            println!("{number} {}: {fate:?}", drawn[number].name);
        }
    }
    println!("package drawn viable reached killed");
    let packages: BTreeSet<&str> = drawn.values().map(|mutant| mutant.package.as_str()).collect();
    for package in packages.into_iter().chain([""]) {
        let is_of = |number: &u32| package.is_empty() || drawn[number].package == package;
        let of: Vec<&Fate> = fates.iter().filter(|(number, _)| is_of(number)).map(|(_, fate)| fate).collect();
        let count = |is: fn(&Fate) -> bool| of.iter().filter(|fate| is(fate)).count();
        let reached = count(|fate| *fate != Fate::Unreached);
        let killed = count(|fate| matches!(fate, Fate::Killed(_)));
        let name = if package.is_empty() { "all" } else { package };
        println!("{name} {} {} {reached} {killed}", drawn.keys().filter(|n| is_of(n)).count(), of.len());
    }
}
