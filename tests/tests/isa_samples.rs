//! Sample lines of the rows of the instruction table: the same verdicts and bytes as `llvm-mc` of LLVM 22, and back.
//!
//! Every run looks at a part of the rows of each target; `WAVELENS_ISA_PART=1/1` looks at all of them (minutes), `3/40`
//! at the third fortieth. `WAVELENS_ISA_TARGETS=gfx900,gfx1250` chooses targets. What stays different, and why, is in
//! [`KNOWN`].

use std::collections::BTreeMap;
use std::process::Command;

use wavelens_isa::{Target, decode, print};
use wavelens_tests::isa::{self, ours, part, reference, same, unhex};

/// Kinds of difference from `llvm-mc` that are left as they are: a part of the line, and the reason.
const KNOWN: &[(&str, &str)] = &[
    (
        "v_dual_dot2acc_f32_bf16",
        "gfx1250: LLVM compares the wrong operands' register banks in the long encoding",
    ),
    ("_sdwa", "gfx10: `sext` of a number beside a float source is no operand for LLVM (v_ldexp_f16)"),
    ("0x8000", "LLVM takes -0x8000 and 0x8000 for two different 16-bit literals"),
    ("lit(", "before gfx10 LLVM takes a literal in an encoding without room for it, and then leaves it out"),
];

#[test]
fn samples_are_what_the_reference_makes_of_them() {
    if Command::new("llvm-mc-22").arg("--version").output().is_err() {
        eprintln!("skipped: llvm-mc-22 is not installed");
        return;
    }
    let mut wrong = BTreeMap::new();
    for name in isa::chosen() {
        let target = Target::named(name).expect("a processor");
        let lines: Vec<String> = isa::samples(target, part())
            .into_iter()
            .filter(|l| !KNOWN.iter().any(|(part, _)| l.contains(part)))
            .collect();
        let Some(reference) = reference(name, &lines) else { continue };
        let ours = ours(name, &lines);
        let (mut accepted, mut equal) = (0, 0);
        for ((line, theirs), our) in lines.iter().zip(&reference).zip(&ours) {
            accepted += usize::from(theirs.is_some());
            match (theirs, our) {
                (Some(a), Some(b)) if same(a, b) => equal += 1,
                (None, None) => {}
                _ => {
                    wrong.insert(format!("{name}: {line}"), format!("{theirs:?}, not {our:?}"));
                }
            }
        }
        println!("{name}: {equal} of {accepted} accepted lines have equal bytes; {} lines", lines.len());
        assert!(accepted > 0);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What we encode decodes to an instruction that encodes to the same bytes.
#[test]
fn samples_decode_to_themselves() {
    let mut wrong = BTreeMap::new();
    let (mut total, mut equal) = (0, 0);
    for name in isa::chosen() {
        let target = Target::named(name).expect("a processor");
        let lines: Vec<String> = isa::samples(target, part())
            .into_iter()
            // an encoding longer than it need be has no spelling of its own
            .filter(|l| {
                !["_nop_", "clrexcp_", "pipeflush_", "s_waitcnt 0xffff"].iter().any(|w| l.contains(w))
            })
            .collect();
        let first = ours(name, &lines);
        let mut texts = Vec::new();
        for (line, hex) in lines.iter().zip(first) {
            let Some(hex) = hex else { continue };
            let text =
                decode(target, &unhex(&hex)).map_or_else(|| "?".to_owned(), |d| print(target, &d.inst));
            texts.push((line, hex, text));
        }
        let again = ours(name, &texts.iter().map(|t| t.2.clone()).collect::<Vec<_>>());
        for ((line, hex, text), again) in texts.into_iter().zip(again) {
            total += 1;
            if again.as_ref() == Some(&hex) {
                equal += 1;
            } else {
                wrong.insert(format!("{name}: {line}"), format!("{hex} {text}, again {again:?}"));
            }
        }
    }
    println!("{equal} of {total} lines decode to themselves");
    assert!(wrong.len() * 1000 <= total, "{wrong:#?}");
}
