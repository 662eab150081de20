//! The text of decoded instructions, compared with what `llvm-mc -disassemble` of LLVM 22 prints for the same bytes.

use std::collections::BTreeMap;

use wavelens_isa::{Target, decode, print};

use crate::isa::{disassembled, hex};

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
pub type Wrong = BTreeMap<String, String>;

/// Compares the texts of instructions: how many there are, and how many have the same. `None` where `llvm-mc` is not installed.
pub fn compare(name: &str, instructions: &[Vec<u8>], wrong: &mut Wrong) -> Option<(usize, usize)> {
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

/// Prints the differences, which may be one in 2,000.
///
/// # Panics
///
/// If there are more.
pub fn is_one_in_two_thousand(wrong: &Wrong, total: usize) {
    for (what, difference) in wrong {
        println!("{what}: {difference}");
    }
    assert!(wrong.len() * 2000 <= total, "{} of {total} texts differ", wrong.len());
}
