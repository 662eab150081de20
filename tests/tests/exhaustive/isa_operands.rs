//! Operands and modifiers of AMDGPU instructions with each word and with numbers around each limit, compared with `llvm-mc`.

use std::collections::BTreeMap;

use wavelens_test_support::texts::operands::families;
use wavelens_tests::isa::Agreement;
use wavelens_tests::required;

const TARGETS: [&str; 9] =
    ["gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1150", "gfx1200", "gfx1250"];

#[test]
fn operands_are_what_the_reference_makes_of_them() {
    if !required::program("llvm-mc-22") {
        return;
    }
    let mut wrong = BTreeMap::new();
    let mut lines_in_all = 0;
    for family in families() {
        for target in TARGETS {
            println!("{}", family.name);
            let found = Agreement::of(target, &family.lines(), |_| None).expect("llvm-mc runs");
            lines_in_all += found.lines;
            wrong.extend(found.wrong);
        }
    }
    println!("{} of {lines_in_all} lines differ", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
