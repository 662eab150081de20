//! Decodes instructions from standard input, a line of bytes each (`0x01,0x02`), into the text of each; `?` for no instruction.
//!
//!     cargo run -p wavelens-isa --example decode -- gfx1100 < bytes

use std::io::{BufWriter, Read as _, Write as _};
use wavelens_isa::{Level, Target, decode, print};

fn main() {
    let Some(target) = std::env::args().nth(1).and_then(|n| named(&n)) else {
        eprintln!("usage: decode TARGET < bytes");
        std::process::exit(2);
    };
    let mut text = String::new();
    if std::io::stdin().read_to_string(&mut text).is_err() {
        eprintln!("the input is not UTF-8");
        std::process::exit(2);
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in text.lines() {
        let digits =
            line.split([',', ' ']).filter_map(|w| u8::from_str_radix(w.strip_prefix("0x")?, 16).ok());
        let bytes: Vec<u8> = digits.collect();
        let answer = decode(target, &bytes).map_or_else(|| "?".to_owned(), |d| print(target, &d.inst));
        if writeln!(out, "{answer}").is_err() {
            return;
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
