//! `cargo xtask fuzz`: random inputs for all readers, checks, encoders and sessions.

use std::path::PathBuf;
use std::process::Command;

use crate::Outcome;
use crate::repository::{root, show, target_folder};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How long to run
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Only targets whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Where inputs that fail are kept
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Folders with more texts to begin from
    #[arg(long, value_name = "FOLDER")]
    seeds: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    // With overflow checks, which a release does not have.
    let mut cargo = Command::new(env!("CARGO"));
    show(cargo.current_dir(root()).args(["build", "--package", "wavelens-tests", "--bin", "fuzz"]))?;
    let out = arguments.out.clone().unwrap_or_else(|| target_folder().join("fuzz"));
    let mut fuzz = Command::new(target_folder().join("debug/fuzz"));
    fuzz.arg("run").arg(arguments.minutes.to_string()).arg(&arguments.only).arg(out);
    fuzz.arg(root().join("tests/data")).args(&arguments.seeds);
    show(&mut fuzz)
}
