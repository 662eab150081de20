//! The text of decoded instructions: what `llvm-mc -disassemble` of LLVM 22 prints for the same bytes.
//!
//! Every run looks at the bytes of a part of the rows, chosen as in `isa_samples`. `WAVELENS_ISA_BYTES=FOLDER` adds the
//! tests of LLVM's own disassembler (`llvm/test/MC/Disassembler/AMDGPU`): lines of bytes, and the processor after `-mcpu=`.

use std::collections::BTreeMap;
use std::path::Path;

use wavelens_isa::{Target, decode, print};
use wavelens_tests::isa::{self, disassembled, hex, ours, part, samples, unhex};
use wavelens_tests::required;

type Tells = fn(&str, &str) -> bool;

/// Kinds of text that stay different: what tells them (the reference's text, ours), and why.
const KNOWN: &[(&str, Tells, &str)] = &[
    (
        "float of an integer",
        is_float_of_integer_operand,
        "of a float in a 16-bit integer operand LLVM shows the low 16 bits; this does not assemble to the same bytes, `1.0` does",
    ),
    (
        "MSAA",
        |theirs, _| theirs.starts_with("image_") && theirs.contains("_MSAA"),
        "samplers do not take this dimension: LLVM shows the registers of the first row it has",
    ),
    (
        "fmac",
        |theirs, _| theirs.starts_with("v_fmac_") && theirs.contains("_dpp"),
        "LLVM shows the code of an inline constant in the second source, not its value",
    ),
    (
        "carry",
        |theirs, _| theirs.contains(", vcc_lo| "),
        "LLVM puts the bar of `|src|` after the carry register",
    ),
    (
        "register",
        |theirs, _| theirs.contains("/*Invalid register"),
        "LLVM remarks on registers that its own assembler takes there: vector registers in `v_s_exp_f32` and its kin",
    ),
];

/// `0x3c00` where we have `1.0`, and nothing else.
fn is_float_of_integer_operand(theirs: &str, ours: &str) -> bool {
    const HALVES: [(&str, &str); 9] = [
        ("0x3c00", "1.0"),
        ("0xbc00", "-1.0"),
        ("0x3800", "0.5"),
        ("0xb800", "-0.5"),
        ("0x4000", "2.0"),
        ("0xc000", "-2.0"),
        ("0x4400", "4.0"),
        ("0xc400", "-4.0"),
        ("0x3118", "0.15915494"),
    ];
    // the low bits of a literal that is a float of 32 bits
    let is_rest = |a: &str, b: &str| a == "0x0" && b.contains('.');
    let words = |text: &str| text.split([' ', ',', '(', ')', '|']).map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (words(theirs), words(ours));
    a.len() == b.len()
        && a.iter()
            .zip(&b)
            .all(|(a, b)| a == b || HALVES.contains(&(a.as_str(), b.as_str())) || is_rest(a, b))
}

/// One difference an entry: `target: bytes` and both texts.
type Wrong = BTreeMap<String, String>;

/// Compares the texts of instructions; how many have the same.
fn compare(name: &str, instructions: &[Vec<u8>], wrong: &mut Wrong) -> Option<(usize, usize)> {
    let target = Target::named(name)?;
    let (mut total, mut equal, mut known) = (0, 0, BTreeMap::<&str, usize>::new());
    for (bytes, theirs) in instructions.iter().zip(disassembled(name, instructions)?) {
        // several instructions, or none: bytes that do not decode are ignored here
        let Some(theirs) = theirs.filter(|t| !t.contains('\n')) else { continue };
        let ours = decode(target, bytes).map_or_else(|| "?".to_owned(), |d| print(target, &d.inst));
        total += 1;
        if ours == theirs {
            equal += 1;
        } else if let Some((kind, ..)) = KNOWN.iter().find(|(_, tells, _)| tells(&theirs, &ours)) {
            *known.entry(kind).or_default() += 1;
        } else {
            wrong.insert(format!("{name}: {}", hex(bytes)), format!("{theirs}, not {ours}"));
        }
    }
    println!("{name}: {equal} of {total} texts are equal; known {known:?}");
    Some((total, equal))
}

fn is_one_in_two_thousand(wrong: &Wrong, total: usize) {
    for (what, difference) in wrong {
        println!("{what}: {difference}");
    }
    assert!(wrong.len() * 2000 <= total, "{} of {total} texts differ", wrong.len());
}

#[test]
fn samples_print_as_the_reference_prints_them() {
    let (mut wrong, mut total) = (Wrong::new(), 0);
    for name in isa::chosen() {
        let target = Target::named(name).expect("a processor");
        let lines = samples(target, part());
        let instructions: Vec<Vec<u8>> =
            ours(name, &lines).iter().filter_map(|a| a.bytes()).map(unhex).collect();
        let Some((n, _)) = compare(name, &instructions, &mut wrong) else {
            required::skip("llvm-mc-22 is not installed");
            return;
        };
        total += n;
    }
    is_one_in_two_thousand(&wrong, total);
}

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

#[test]
#[ignore = "reads LLVM's tests of its disassembler in the folder that WAVELENS_ISA_BYTES names"]
fn bytes_of_the_reference_tests_print_as_there() {
    let folder = std::env::var("WAVELENS_ISA_BYTES").expect("WAVELENS_ISA_BYTES names a folder");
    let mut by_target: BTreeMap<&str, Vec<Vec<u8>>> = BTreeMap::new();
    for entry in std::fs::read_dir(Path::new(&folder)).expect("a folder").flatten() {
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
