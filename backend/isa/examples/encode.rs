//! Encodes instruction lines from standard input, one answer a line: bytes in hexadecimal, or `!` and the message.
//!
//!     cargo run -p wavelens-isa --example encode -- gfx1100 [--decode] < lines.s

mod line;

use std::io::{BufWriter, Read as _, Write as _};
use wavelens_isa::{Level, Line, Target, assemble, decode, print};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(target) = args.first().and_then(|n| named(n)) else {
        eprintln!("usage: encode TARGET [--decode] < lines.s");
        std::process::exit(2);
    };
    let back = args.iter().any(|a| a == "--decode");
    let time = args.iter().any(|a| a == "--time");
    let mut text = String::new();
    if std::io::stdin().read_to_string(&mut text).is_err() {
        eprintln!("the input is not UTF-8");
        std::process::exit(2);
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut line = Line::default();
    let start = std::time::Instant::now();
    let mut n = 0u32;
    for l in text.lines() {
        let answer = match line::read(l, &mut line) {
            None => "!not an instruction line".to_owned(),
            Some(()) => match assemble(target, &line) {
                Ok(_) if time => {
                    n += 1;
                    continue;
                }
                Ok(e) => {
                    let mut hex: Vec<String> = e.bytes().iter().map(|b| format!("{b:02x}")).collect();
                    for f in e.fixups() {
                        let n = match f.kind {
                            wavelens_isa::FixupKind::Branch16 => 2,
                            wavelens_isa::FixupKind::Data32 => 4,
                            wavelens_isa::FixupKind::Data64 => 8,
                        };
                        for b in hex.iter_mut().skip(f.offset.into()).take(n) {
                            *b = "??".into();
                        }
                    }
                    let mut s = hex.concat();
                    if back {
                        s += " ";
                        s += &decode(target, e.bytes()).map_or("?".to_owned(), |d| print(target, &d.inst));
                    }
                    s
                }
                Err(e) => format!("!{:?} {:?}: {:?}", e.place, e.kind, e.fault),
            },
        };
        if !time && writeln!(out, "{answer}").is_err() {
            return;
        }
    }
    if time {
        let s = start.elapsed().as_secs_f64();
        eprintln!("{n} instructions in {s:.3} s: {:.0} a second", f64::from(n) / s);
    }
}

/// `gfx1100`, or `gfx1100@22` as LLVM 22 knows it.
fn named(name: &str) -> Option<Target> {
    match name.split_once('@') {
        Some((name, version)) => Some(Target::named(name)?.at_level(Level::of(version.parse().ok()?))),
        None => Target::named(name),
    }
}
