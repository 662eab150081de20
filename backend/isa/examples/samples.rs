//! Prints sample lines for every row of the instruction table that a target has.
//!
//!     cargo run -p wavelens-isa --example samples -- gfx1100 [samples a row]

use std::io::{BufWriter, Write as _};
use wavelens_isa::{Level, Target, rows, samples};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().and_then(|n| named(n)) else {
        eprintln!("usage: samples TARGET [samples a row]");
        std::process::exit(2);
    };
    let count = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut out = BufWriter::new(std::io::stdout().lock());
    for id in 0..rows() {
        for line in samples(target, id, count) {
            if writeln!(out, "{line}").is_err() {
                return;
            }
        }
    }
}

/// `gfx1100`, or `gfx1100@22` as LLVM 22 knows it.
fn named(name: &str) -> Option<Target> {
    match name.split_once('@') {
        Some((name, version)) => Some(Target::named(name)?.at_level(Level::of(version.parse().ok()?))),
        None => Target::named(name),
    }
}
