//! The command line. Exit status 0: no errors; 1: errors found; 2: could not do its work.

mod cfg;
mod check;
mod compare;
mod compiled_file;
mod disassemble;
mod doctor;
mod encode;
mod explain;
mod human;
mod isa;
mod json;
mod parse;
mod passes;
mod sarif;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use wavelens_codegen::start::{NOT_STARTED, start_through, turn_into};

pub(crate) use self::compare::human as comparison_table;
pub(crate) use self::passes::human as pass_diffs;

/// Language server and checker for LLVM IR, Machine IR, SPIR-V assembly and AMDGPU assembly.
#[derive(Debug, Parser)]
#[command(name = "wavelens", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find errors in files and folders.
    Check(check::Arguments),
    /// Assemble AMDGPU or SPIR-V assembly and print the bytes of each instruction.
    Encode(encode::Arguments),
    /// Print a SPIR-V binary or an AMDGPU code object as text.
    Disassemble(disassemble::Arguments),
    /// Print the syntax tree of a file.
    Parse(parse::Arguments),
    /// Explain a diagnostic's code.
    Explain(explain::Arguments),
    /// Print the machine code a file compiles to, and what each kernel takes.
    Isa(isa::Arguments),
    /// Compare what each kernel takes on several processors.
    Compare(compare::Arguments),
    /// Print what each pass of the compiler changed.
    Passes(passes::Arguments),
    /// Print the control-flow graphs of a file's functions.
    Cfg(cfg::Arguments),
    /// Say which outside tools were found, and what is missing.
    Doctor(doctor::Arguments),
    /// Hold a Vulkan driver for the parent process.
    #[command(hide = true)]
    RadvWorker {
        /// The driver library.
        driver: std::path::PathBuf,
    },
    /// Become another program, within limits and no longer than the parent process.
    #[command(hide = true)]
    Start {
        /// Process id of the parent.
        parent: u32,
        /// Bytes of addresses.
        memory: u64,
        program: std::path::PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Serve an editor on standard input and output.
    Lsp {
        /// Accepted because many clients give it; there is no other way.
        #[arg(long)]
        stdio: bool,
    },
}

/// How a command that answers about one file prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Human,
    Json,
}

/// What a command came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Clean = 0,
    ErrorsFound = 1,
    CouldNotWork = 2,
}

/// Runs the program on the process's arguments.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let failed = error.use_stderr();
            // Nothing can be said about a closed terminal.
            let _ = error.print();
            return ExitCode::from(if failed { Outcome::CouldNotWork as u8 } else { 0 });
        }
    };
    if let Ok(program) = std::env::current_exe() {
        start_through(program);
    }
    let outcome = match arguments.command {
        Some(Command::Check(a)) => check::run(&a),
        Some(Command::Encode(a)) => encode::run(&a),
        Some(Command::Disassemble(a)) => disassemble::run(&a),
        Some(Command::Parse(a)) => parse::run(&a),
        Some(Command::Explain(a)) => explain::run(&a),
        Some(Command::Isa(a)) => isa::run(&a),
        Some(Command::Compare(a)) => compare::run(&a),
        Some(Command::Passes(a)) => passes::run(&a),
        Some(Command::Cfg(a)) => cfg::run(&a),
        Some(Command::Doctor(a)) => doctor::run(&a),
        Some(Command::RadvWorker { driver }) => return wavelens_codegen::radv::worker::run(&driver),
        Some(Command::Start { parent, memory, program, arguments }) => {
            eprintln!("{}", turn_into(parent, memory, &program, &arguments));
            return ExitCode::from(NOT_STARTED);
        }
        Some(Command::Lsp { .. }) => return crate::lsp::run(),
        None => {
            let _ = Arguments::command().print_help();
            Outcome::Clean
        }
    };
    ExitCode::from(outcome as u8)
}

/// One clear line on standard error.
fn complain(message: impl std::fmt::Display) -> Outcome {
    eprintln!("wavelens: {message}");
    Outcome::CouldNotWork
}

/// A note for each setting that nothing here knows; the work goes on without it.
fn note_unknown(options: &wavelens_semantics::Options) {
    for complaint in options.complaints() {
        eprintln!("wavelens: note: {complaint}");
    }
}

/// Writes to standard output; a closed pipe ends the program quietly.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
