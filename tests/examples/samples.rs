//! Prints sample lines for every encoding of every instruction that a processor has.
//!
//!     cargo run -p wavelens-tests --example samples -- gfx1100 [lines an encoding]

use std::io::{BufWriter, Write as _};
use wavelens_isa::{Level, Target, all_mnemonics};
use wavelens_tests::isa_samples::Samples;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().and_then(|n| named(n)) else {
        eprintln!("usage: samples TARGET [lines an encoding]");
        std::process::exit(2);
    };
    let count = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut samples = Samples::new(target);
    for mnemonic in all_mnemonics() {
        for line in samples.lines(mnemonic, count) {
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
