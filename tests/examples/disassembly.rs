//! Compares the text of decoded instructions with `llvm-mc`'s: `cargo run -p wavelens-tests --example disassembly -- FOLDER`
//!
//! The folder has tests of LLVM's disassembler (`llvm/test/MC/Disassembler/AMDGPU`): lines of bytes, and the processor after `-mcpu=`.

use std::collections::BTreeMap;

use wavelens_isa::Target;
use wavelens_tests::isa_text::{Wrong, compare, is_one_in_two_thousand};

/// The bytes of a line `0x01,0x02 # comment`.
fn bytes_of(line: &str) -> Option<Vec<u8>> {
    let line = line.split('#').next()?.trim().trim_matches(['[', ']']);
    let words = line.split([',', ' ']).filter(|w| !w.is_empty());
    words.map(|w| u8::from_str_radix(w.strip_prefix("0x")?, 16).ok()).collect::<Option<Vec<u8>>>()
}

/// The processors after `-mcpu=` in the text.
fn processors(text: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = text
        .lines()
        .filter(|l| l.contains("RUN:") && !l.contains("not "))
        .flat_map(|l| l.split("-mcpu=").skip(1))
        .filter_map(|rest| rest.split_whitespace().next())
        .filter_map(|name| Target::named(name).map(Target::name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn main() {
    let Some(folder) = std::env::args().nth(1) else { return eprintln!("usage: disassembly FOLDER") };
    let mut by_target: BTreeMap<&str, Vec<Vec<u8>>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        let bytes: Vec<Vec<u8>> = text.lines().filter_map(bytes_of).filter(|b| !b.is_empty()).collect();
        for name in processors(&text) {
            by_target.entry(name).or_default().extend(bytes.iter().cloned());
        }
    }
    let (mut wrong, mut total) = (Wrong::new(), 0);
    for (name, mut instructions) in by_target {
        instructions.sort_unstable();
        instructions.dedup();
        total += compare(name, &instructions, &mut wrong).map_or(0, |c| c.0);
    }
    is_one_in_two_thousand(&wrong, total);
}
