//! The command line. Exit status 0: no errors; 1: errors found; 2: could not do its work.

mod advise;
mod baseline;
mod cfg;
mod check;
mod checked;
mod compare;
mod compiled_file;
mod completions;
mod cycles;
mod disassemble;
mod doctor;
mod encode;
mod excerpt;
mod explain;
mod fix;
mod fmt;
mod functions;
mod gather;
mod github;
mod help;
mod human;
mod interface;
mod isa;
mod json;
mod levels;
mod lit;
mod llvm_level;
mod output;
mod page;
mod parse;
mod passes;
mod reduce;
mod remarks;
mod replace;
mod report;
mod rules;
mod sarif;
mod target;
mod totals;
mod trace;
mod version;
mod watch;
mod why;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use wavelens_codegen::start::{NOT_STARTED, Sandbox, start_through, turn_into};

use self::output::{complain, note, print};
use crate::shown;

/// Language server and checker for LLVM IR, Machine IR, SPIR-V assembly and AMDGPU assembly.
#[derive(Debug, Parser)]
#[command(name = "wavelens", version = version::SHORT, long_version = version::LONG, about, after_help = help::PROGRAM)]
struct Arguments {
    #[command(flatten)]
    style: output::Style,
    #[command(flatten)]
    project: target::ProjectArguments,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The definition of all commands and options.
fn command() -> clap::Command {
    let command = Arguments::command();
    let template = help::template(&command);
    command.help_template(template)
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find errors in files and folders.
    #[command(after_help = help::CHECK)]
    Check(check::Arguments),
    /// Format files and folders.
    #[command(after_help = help::FMT)]
    Fmt(fmt::Arguments),
    /// Assemble AMDGPU or SPIR-V assembly and print the bytes of each instruction.
    #[command(after_help = help::ENCODE)]
    Encode(encode::Arguments),
    /// Print a SPIR-V binary or an AMDGPU code object as text.
    #[command(after_help = help::DISASSEMBLE)]
    Disassemble(disassemble::Arguments),
    /// Print the syntax tree of a file.
    #[command(after_help = help::PARSE)]
    Parse(parse::Arguments),
    /// Print what a file is checked and compiled for, and where each value comes from.
    #[command(after_help = help::TARGET)]
    Target(target::Arguments),
    /// Run the RUN lines of LLVM tests, and report the first mismatch of each.
    #[command(after_help = help::LIT)]
    Lit(lit::Arguments),
    /// Explain the code of a finding, or list all codes.
    #[command(after_help = help::EXPLAIN)]
    Explain(explain::Arguments),
    /// Print the machine code that a file compiles to, and the resources of each kernel.
    #[command(after_help = help::ISA)]
    Isa(isa::Arguments),
    /// Compare the resources of each kernel on several processors.
    #[command(after_help = help::COMPARE)]
    Compare(compare::Arguments),
    /// Try changes that give kernels more waves or fewer spills.
    #[command(after_help = help::ADVISE)]
    Advise(advise::Arguments),
    /// Print what each pass of the compiler changed.
    #[command(after_help = help::PASSES)]
    Passes(passes::Arguments),
    /// Print the optimization remarks of the compiler.
    #[command(after_help = help::REMARKS)]
    Remarks(remarks::Arguments),
    /// Print what each pass of the compiler did to a value or a line.
    #[command(after_help = help::TRACE)]
    Trace(trace::Arguments),
    /// Compare the interfaces of the SPIR-V modules of a pipeline.
    #[command(after_help = help::INTERFACE)]
    Interface(interface::Arguments),
    /// Print the control-flow graphs of a file's functions.
    #[command(after_help = help::CFG)]
    Cfg(cfg::Arguments),
    /// Make a file smaller while it keeps a finding, crashes a compiler, or passes a test.
    #[command(after_help = help::REDUCE)]
    Reduce(reduce::Arguments),
    /// Write a report about a file on which Wavelens and the reference tool disagree.
    #[command(after_help = help::REPORT)]
    Report(report::Arguments),
    /// Report which external tools were found, and how to install the others.
    #[command(after_help = help::DOCTOR)]
    Doctor(doctor::Arguments),
    /// Print a script that completes commands in a shell.
    #[command(after_help = help::COMPLETIONS)]
    Completions(completions::Completions),
    /// Print manual pages.
    #[command(after_help = help::MAN)]
    Man(completions::Man),
    /// Hold a Vulkan driver for the parent process.
    #[command(hide = true)]
    RadvWorker {
        /// The driver library.
        driver: std::path::PathBuf,
    },
    /// Become another program, within limits and no longer than the parent process.
    #[command(hide = true)]
    Start {
        /// A folder that may be written; with one, nothing but these folders and files may be used.
        #[arg(long)]
        write: Vec<std::path::PathBuf>,
        /// A folder or file that may be read.
        #[arg(long)]
        read: Vec<std::path::PathBuf>,
        /// A folder or file that may be read and executed.
        #[arg(long)]
        execute: Vec<std::path::PathBuf>,
        /// Process id of the parent.
        parent: u32,
        /// Bytes of addresses.
        memory: u64,
        program: std::path::PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Serve an editor on standard input and output.
    #[command(after_help = help::LSP)]
    Lsp {
        /// Accepted because many clients pass it; the server always uses standard input and output.
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
    let parsed = command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            let failed = error.use_stderr();
            // Nothing can be said about a closed terminal.
            let _ = error.print();
            return ExitCode::from(if failed { Outcome::CouldNotWork as u8 } else { 0 });
        }
    };
    arguments.style.set();
    if let Err(message) = arguments.project.set() {
        return ExitCode::from(complain(message) as u8);
    }
    if let Ok(program) = std::env::current_exe() {
        start_through(program);
    }
    let outcome = match arguments.command {
        Some(Command::Check(a)) => check::run(&a),
        Some(Command::Fmt(a)) => fmt::run(&a),
        Some(Command::Encode(a)) => encode::run(&a),
        Some(Command::Disassemble(a)) => disassemble::run(&a),
        Some(Command::Parse(a)) => parse::run(&a),
        Some(Command::Target(a)) => target::run(&a),
        Some(Command::Lit(a)) => lit::run(&a),
        Some(Command::Explain(a)) => explain::run(&a),
        Some(Command::Isa(a)) => isa::run(&a),
        Some(Command::Compare(a)) => compare::run(&a),
        Some(Command::Advise(a)) => advise::run(&a),
        Some(Command::Passes(a)) => passes::run(&a),
        Some(Command::Remarks(a)) => remarks::run(&a),
        Some(Command::Trace(a)) => trace::run(&a),
        Some(Command::Interface(a)) => interface::run(&a),
        Some(Command::Cfg(a)) => cfg::run(&a),
        Some(Command::Reduce(a)) => reduce::run(&a),
        Some(Command::Report(a)) => report::run(&a),
        Some(Command::Doctor(a)) => doctor::run(&a),
        Some(Command::Completions(a)) => completions::completions(&a),
        Some(Command::Man(a)) => completions::man(&a),
        Some(Command::RadvWorker { driver }) => return wavelens_codegen::radv::worker::run(&driver),
        Some(Command::Start { write, read, execute, parent, memory, program, arguments }) => {
            let sandbox = (!write.is_empty()).then_some(Sandbox { write, read, execute });
            eprintln!("{}", turn_into(parent, memory, sandbox, &program, &arguments));
            return ExitCode::from(NOT_STARTED);
        }
        Some(Command::Lsp { .. }) => return crate::lsp::run(),
        None => {
            let _ = command().print_help();
            Outcome::Clean
        }
    };
    ExitCode::from(outcome as u8)
}

/// Whether the values of options are known: what would be done without one is not what is meant. A processor that LLVM no longer has is
/// warned about; LLVM goes on with the generic one.
///
/// # Errors
/// One line, with what is near or all that is known.
fn known_values(options: &mut wavelens_base::Options) -> Result<(), String> {
    if let Some(target) = &mut options.target {
        *target = kept_processor(std::mem::take(target));
    }
    options.complaints().into_iter().next().map_or(Ok(()), Err)
}

/// The processor that LLVM goes on with when it is asked for this one.
fn kept_processor(processor: String) -> String {
    match wavelens_base::configuration::removed_processor(&processor) {
        Some(removed) => {
            output::say(format_args!("warning: {removed}; LLVM goes on with the generic processor"));
            "generic".to_owned()
        }
        None => processor,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let command = super::command();
        let own = command.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name());
        let mut listed: Vec<&str> =
            super::help::GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut own: Vec<&str> = own.collect();
        own.sort_unstable();
        listed.sort_unstable();
        assert_eq!(own, listed);
    }

    #[test]
    fn the_definition_of_the_commands_is_sound() {
        super::command().debug_assert();
    }
}
