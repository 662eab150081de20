//! `cargo xtask tables`: makes the committed tables again from public sources, or checks that they are fresh.

mod amdgpu;
mod lit;
mod llvm;
mod options;
mod places;
mod spirv;

use std::path::PathBuf;

use clap::ValueEnum;

use crate::repository::{self, root};
use crate::{Failure, Outcome};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The tables to make; all of them if none is named
    #[arg(value_enum)]
    tables: Vec<Table>,
    /// Write nothing; fail if a table is not fresh
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    sources: Sources,
}

/// Where the public sources are.
#[derive(clap::Args, Clone)]
pub(crate) struct Sources {
    /// LLVM 22's headers, with its .td files (Debian: llvm-22-dev)
    #[arg(long, value_name = "DIR", default_value = "/usr/lib/llvm-22/include")]
    llvm_include: PathBuf,
    /// A source tree of LLVM 21, whose description of AMDGPU becomes facts; without it the committed facts are used
    #[arg(long, value_name = "DIR")]
    llvm_source: Option<PathBuf>,
    /// A folder with the headers of older versions as 15/include to 21/include, for the first version of intrinsics; without
    /// it the versions in the committed table are kept
    #[arg(long, value_name = "DIR")]
    llvm_history: Option<PathBuf>,
    /// A checkout of SPIRV-Headers, whose grammar becomes facts; without it the committed facts are used
    #[arg(long, value_name = "DIR")]
    spirv_headers: Option<PathBuf>,
}

impl Default for Sources {
    fn default() -> Self {
        Sources {
            llvm_include: "/usr/lib/llvm-22/include".into(),
            llvm_source: None,
            llvm_history: None,
            spirv_headers: None,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Table {
    /// Intrinsics, attributes and words of debug information
    Llvm,
    /// Opcodes and registers of Machine IR
    Mir,
    /// The grammar of SPIR-V
    Spirv,
    /// The instructions of AMDGPU
    Amdgpu,
    /// Options and passes of RUN lines
    Lit,
}

/// A table as it should be committed.
struct Made {
    /// Relative to the repository.
    place: String,
    content: Vec<u8>,
}

impl Made {
    fn new(folder: &str, name: &str, content: impl Into<Vec<u8>>) -> Made {
        Made { place: format!("{folder}/{name}"), content: content.into() }
    }

    fn is_fresh(&self) -> bool {
        std::fs::read(root().join(&self.place)).is_ok_and(|committed| committed == self.content)
    }
}

fn make(table: Table, sources: &Sources) -> Outcome<Vec<Made>> {
    match table {
        Table::Llvm => llvm::make(sources),
        Table::Mir => amdgpu::machine_ir(sources),
        Table::Spirv => spirv::make(sources),
        Table::Amdgpu => amdgpu::instructions(sources),
        Table::Lit => lit::make(),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let all = Table::value_variants();
    let tables = if arguments.tables.is_empty() { all } else { &arguments.tables };
    let mut stale = Vec::new();
    for table in tables {
        let made = make(*table, &arguments.sources).map_err(|why| format!("{table:?}: {why}"))?;
        for made in made.into_iter().filter(|made| !made.is_fresh()) {
            if !arguments.check {
                repository::write(&root().join(&made.place), &made.content)?;
            }
            println!("{} {}", if arguments.check { "stale" } else { "written" }, made.place);
            stale.push(made.place);
        }
    }
    match arguments.check && !stale.is_empty() {
        true => Err(Failure::from("tables are stale: `cargo xtask tables` writes them")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use wavelens_test_support::required;

    use super::*;

    /// Skipped where a program that makes the tables is missing.
    fn is_fresh(table: Table, programs: &[&str]) {
        if programs.iter().any(|program| !required::program(program)) {
            return;
        }
        let made = make(table, &Sources::default()).unwrap_or_else(|why| panic!("{why}"));
        assert!(!made.is_empty());
        let stale: Vec<_> = made.iter().filter(|made| !made.is_fresh()).map(|made| &made.place).collect();
        assert!(stale.is_empty(), "stale: {stale:?}: run `cargo xtask tables`");
    }

    #[test]
    fn llvm_tables_are_fresh() {
        is_fresh(Table::Llvm, &["llvm-tblgen-22"]);
    }

    #[test]
    fn machine_ir_tables_are_fresh() {
        is_fresh(Table::Mir, &["clang++-22", "llc-22", "python3"]);
    }

    #[test]
    fn spirv_tables_are_fresh() {
        is_fresh(Table::Spirv, &["python3"]);
    }

    #[test]
    fn amdgpu_tables_are_fresh() {
        is_fresh(Table::Amdgpu, &["python3", "rustfmt"]);
    }

    #[test]
    fn names_of_run_lines_are_fresh() {
        is_fresh(Table::Lit, &["clang++-22", "llvm-config-22", "llc-22", "opt-22"]);
    }
}
