//! Tasks of the project, run as `cargo xtask NAME`.

mod agreement;
mod bench;
mod damage;
mod difference;
mod dist;
mod docs;
mod fuzz;
mod growth;
mod repository;
mod tables;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What stops a task, in one sentence.
type Failure = String;
type Outcome<T = ()> = Result<T, Failure>;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of the project")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make the committed tables again from public sources
    Tables(tables::Arguments),
    /// Compare speed and memory with the reference tools, and write docs/speed.md
    Bench(bench::Arguments),
    /// Compare verdicts on public corpora with the reference tools, and write the table of docs/agreement.md
    Agreement(agreement::Arguments),
    /// Write damaged variants of files, to compare verdicts with the reference tools
    Damage(damage::Arguments),
    /// Show what the program finds, encodes and answers differently from another one, such as that of the parent commit
    Diff(difference::Arguments),
    /// Write what the book takes from the program: pages of codes, table of contents, output
    Docs(docs::Arguments),
    /// Report how time and memory grow with hostile inputs
    Growth(growth::Arguments),
    /// Try random inputs on everything that reads some
    Fuzz(fuzz::Arguments),
    /// Make what a release attaches: archive, packages, extension, bill of materials, checksums
    Dist(dist::Arguments),
    /// Make the library as WebAssembly, and the playground
    Web(web::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Tables(arguments) => tables::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Agreement(arguments) => agreement::run(&arguments),
        Task::Damage(arguments) => damage::run(&arguments),
        Task::Diff(arguments) => difference::run(&arguments),
        Task::Docs(arguments) => docs::run(&arguments),
        Task::Growth(arguments) => growth::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Web(arguments) => web::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
