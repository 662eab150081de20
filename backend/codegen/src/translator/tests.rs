//! Each replacement by its smallest module. A line is an instruction: its number, then its operands.

use expect_test::{Expect, expect};

use super::*;

const MAGIC: u32 = 0x0723_0203;

/// A Boolean 1, a number 2 and a float 3 of 32 bits, vectors of 2 and 4 numbers 4 and 5, a pair 6, another 7, a pointer to a number 8.
const TYPES: &str =
    "20 1\n21 2 32 0\n22 3 32\n23 4 2 2\n23 5 2 4\n30 6 2 2\n30 7 2 2\n32 8 7 2\n43 2 10 64\n43 2 11 3\n";

fn words(version: u32, text: &str) -> Vec<u32> {
    let mut words = vec![MAGIC, version, 0, 100, 0];
    for line in text.lines() {
        let numbers: Vec<u32> = line.split_whitespace().map(|n| n.parse().expect("a number")).collect();
        words.push((numbers.len() as u32) << 16 | numbers[0]);
        words.extend(&numbers[1..]);
    }
    words
}

fn text(words: &[u32]) -> String {
    let numbers = |inst: &[u32]| {
        let opcode = inst[0] & 0xffff;
        let numbers: Vec<String> = [&[opcode], &inst[1..]].concat().iter().map(u32::to_string).collect();
        numbers.join(" ") + "\n"
    };
    instructions(&words[HEADER..]).map(numbers).collect()
}

/// What a line becomes in the module of [`TYPES`], and what comes in front of the functions for it.
fn check(line: &str, expected: Expect) {
    let module = format!("{TYPES}54 0 90 0 0\n{line}\n");
    let made = readable(&words(VERSION, &module));
    let made = text(&made);
    expected.assert_eq(&made.strip_prefix(TYPES).unwrap_or(&made).replacen("54 0 90 0 0\n", "--\n", 1));
}

#[test]
fn the_rest_stays_and_the_version_is_no_newer_than_1_4() {
    let plain = format!("17 6\n14 2 2\n{TYPES}54 0 90 0 0\n128 2 20 10 11\n");
    assert_eq!(readable(&words(0x0001_0600, &plain)), words(VERSION, &plain));
    assert_eq!(readable(&words(0x0001_0000, &plain)), words(0x0001_0000, &plain));
    assert_eq!(readable(&[MAGIC]), [MAGIC]);
}

#[test]
fn what_only_other_tools_read_goes() {
    let module = "5632 6 5635 0\n5633 6 0 5635 0\n";
    assert_eq!(text(&readable(&words(VERSION, module))), "");
}

#[test]
fn execution_modes_take_numbers() {
    // The last is a sum of specialization constants, of which one is none.
    let constants = "50 2 12 7\n46 2 13\n52 2 14 128 12 13\n";
    let made = |modes: &str| text(&readable(&words(VERSION, &format!("{modes}{TYPES}{constants}"))));
    let first = |modes: &str| made(modes).lines().take(2).collect::<Vec<_>>().join("\n");
    assert_eq!(first("331 90 38 10 11 14\n331 90 39 10 11 11\n"), "16 90 17 64 3 7\n16 90 18 64 3 3");
    // A mode without an alternative, and an unknown constant.
    assert_eq!(first("331 90 6028 11\n331 90 37 99\n"), "331 90 6028 11\n331 90 37 99");
}

#[test]
fn nulls_are_numbers() {
    let nulls = "20 1\n21 2 64 0\n22 3 32\n23 4 3 2\n46 1 5\n46 2 6\n46 3 7\n46 4 8\n";
    let made = text(&readable(&words(VERSION, nulls)));
    assert!(made.ends_with("42 1 5\n43 2 6 0 0\n43 3 7 0\n46 4 8\n"), "{made}");
}

#[test]
fn values_of_variables_are_stored_behind_all_of_them() {
    check(
        "59 8 20 7 10\n59 8 21 7\n8 1 2 3\n59 8 22 7 11\n253",
        expect![[r#"
            --
            59 8 20 7
            59 8 21 7
            8 1 2 3
            59 8 22 7
            62 20 10
            62 22 11
            253
        "#]],
    );
}

#[test]
fn memory_is_copied_by_a_load_and_a_store() {
    check(
        "59 8 20 7\n59 8 21 7\n63 20 21\n63 20 21 2 4\n63 20 21 2 4 1",
        expect![[r#"
            --
            59 8 20 7
            59 8 21 7
            61 2 100 21
            62 20 100
            61 2 101 21 2 4
            62 20 101 2 4
            61 2 102 21 1
            62 20 102 2 4
        "#]],
    );
}

#[test]
fn composites_are_put_together_part_by_part() {
    check(
        "80 6 20 10 11",
        expect![[r#"
            --
            1 6 100
            82 6 101 10 100 0
            82 6 20 11 101 1
        "#]],
    );
    check(
        "55 4 20\n80 5 21 10 20 11",
        expect![[r#"
            --
            55 4 20
            81 2 100 20 0
            81 2 101 20 1
            1 5 102
            82 5 103 10 102 0
            82 5 104 100 103 1
            82 5 105 101 104 2
            82 5 21 11 105 3
        "#]],
    );
}

#[test]
fn vectors_of_two_lengths_are_shuffled_component_by_component() {
    check(
        "55 4 20\n55 5 21\n79 4 22 20 21 1 2\n79 4 23 20 20 1 2\n79 4 24 21 20 4294967295 5",
        expect![[r#"
            --
            55 4 20
            55 5 21
            81 2 100 20 1
            81 2 101 21 0
            1 4 102
            82 4 103 100 102 0
            82 4 22 101 103 1
            79 4 23 20 20 1 2
            1 2 104
            81 2 105 20 1
            1 4 106
            82 4 107 104 106 0
            82 4 24 105 107 1
        "#]],
    );
}

#[test]
fn pointers_are_compared_and_cast_as_numbers() {
    check(
        "55 8 20\n55 8 21\n401 1 22 20 21\n402 1 23 20 21\n124 2 24 20\n124 8 25 24\n124 4 26 20\n124 8 27 26\n124 3 28 10",
        expect![[r#"
            21 100 64 0
            --
            55 8 20
            55 8 21
            117 100 101 20
            117 100 102 21
            170 1 22 101 102
            117 100 103 20
            117 100 104 21
            171 1 23 103 104
            117 2 24 20
            120 8 25 24
            117 100 105 20
            124 4 26 105
            124 100 106 26
            120 8 27 106
            124 3 28 10
        "#]],
    );
}

#[test]
fn sums_have_a_carry_and_products_an_upper_half() {
    check(
        "149 6 20 10 11\n150 6 21 10 11",
        expect![[r#"
            43 2 102 1
            43 2 103 0
            43 2 109 1
            43 2 110 0
            --
            128 2 100 10 11
            176 1 101 100 10
            169 2 104 101 102 103
            1 6 105
            82 6 106 100 105 0
            82 6 20 104 106 1
            130 2 107 10 11
            176 1 108 10 11
            169 2 111 108 109 110
            1 6 112
            82 6 113 107 112 0
            82 6 21 111 113 1
        "#]],
    );
    check(
        "152 6 20 10 11",
        expect![[r#"
            21 100 64 0
            43 100 104 32 0
            --
            114 100 101 10
            114 100 102 11
            132 100 103 101 102
            194 100 105 103 104
            113 2 106 103
            113 2 107 105
            1 6 108
            82 6 109 106 108 0
            82 6 20 107 109 1
        "#]],
    );
}

#[test]
fn structures_that_are_alike_are_copied_part_by_part() {
    check(
        "55 6 20\n400 7 21 20",
        expect![[r#"
            --
            55 6 20
            81 2 100 20 0
            81 2 101 20 1
            1 7 102
            82 7 103 100 102 0
            82 7 21 101 103 1
        "#]],
    );
}
