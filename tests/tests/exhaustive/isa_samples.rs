//! Sample lines of the rows of the instruction table: the same verdicts and bytes as `llvm-mc` of LLVM 22, and back.
//!
//! Every run looks at a part of the rows of each target; `WAVELENS_ISA_PART=1/1` looks at all of them (minutes), `3/40`
//! at the third fortieth. `WAVELENS_ISA_TARGETS=gfx900,gfx1250` chooses targets. What stays different, and why, is in
//! [`KNOWN`].

use std::collections::BTreeMap;

use wavelens_isa::{Target, decode, print};
use wavelens_tests::isa::{self, Agreement, ours, part, unhex};
use wavelens_tests::required;

/// Kinds of difference from `llvm-mc` that are left as they are: a part of the line, and the reason.
const KNOWN: &[(&str, &str)] = &[
    (
        "v_dual_dot2acc_f32_bf16",
        "gfx1250: LLVM does not count the modifiers of this instruction, and so looks at other operands' register banks",
    ),
    ("_sdwa", "gfx10: LLVM does not accept `sext` of a number next to a float source (v_ldexp_f16)"),
    ("0x8000", "LLVM takes -0x8000 and 0x8000 for two different 16-bit literals"),
    ("lit(", "before gfx10 LLVM takes a literal in an encoding without room for it, and then leaves it out"),
];

fn known(line: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(part, _)| line.contains(part)).map(|(part, _)| *part)
}

/// The agreement of each target on lines that `make` gives.
fn compare(make: fn(Target, (usize, usize)) -> Vec<String>) -> Vec<Agreement> {
    if !required::program("llvm-mc-22") {
        return Vec::new();
    }
    let targets = isa::chosen().into_iter();
    targets
        .filter_map(|name| {
            let target = Target::named(name).expect("a processor");
            Agreement::of(name, &make(target, part()), known)
        })
        .collect()
}

#[test]
fn samples_are_what_the_reference_makes_of_them() {
    for found in compare(isa::samples) {
        assert!(found.good > 0);
        assert!(found.wrong.is_empty(), "{:#?}", found.wrong);
        assert!(found.equal * 10_000 >= found.good * 9995, "{:?}", found.known);
    }
}

/// One mistake in each line, and lines of other targets.
#[test]
fn damaged_samples_are_told_from_good_ones() {
    for found in compare(isa::damaged_samples) {
        assert!(found.good > 0);
        assert!(found.false_alarms * 1000 <= found.good, "{:#?}", found.wrong);
        assert!(found.missed * 200 <= found.lines, "{:#?}", found.wrong);
    }
}

/// What we encode decodes to an instruction that encodes to the same bytes.
///
/// Exceptions, as in LLVM: a swizzle with bits that have no meaning, `op_sel` together with halves named by suffix in `v_fmac_f16`, and
/// literals that LLVM encodes in formats without room for them (`v_fma_mix*_dpp`, `s_get_barrier_state`). The comparisons of gfx12 take
/// halves, which LLVM 22 does not decode.
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
            .filter(|l| !(l.starts_with("v_cmp") && l.contains(".h") && name.starts_with("gfx12")))
            .collect();
        let first = ours(name, &lines);
        let mut texts = Vec::new();
        for (line, hex) in lines.iter().zip(first) {
            let Some(hex) = hex.bytes() else { continue };
            let text = decode(target, &unhex(hex)).map_or_else(|| "?".to_owned(), |d| print(target, &d.inst));
            texts.push((line, hex.to_owned(), text));
        }
        let again = ours(name, &texts.iter().map(|t| t.2.clone()).collect::<Vec<_>>());
        for ((line, hex, text), again) in texts.into_iter().zip(again) {
            total += 1;
            if again.bytes() == Some(&hex) {
                equal += 1;
            } else {
                wrong.insert(format!("{name}: {line}"), format!("{hex} {text}, again {again:?}"));
            }
        }
    }
    println!("{equal} of {total} lines decode to themselves");
    assert!(wrong.len() * 2000 <= total, "{wrong:#?}");
}
