//! What expressions are worth, and how many bytes directives emit.

use expect_test::expect;

use crate::testing::{accepts, marked, marks};

/// Checks that an expression is a number, after some lines: comparing it with the number finds nothing, with the next one something.
#[track_caller]
fn is_worth(target: &str, before: &str, expression: &str, value: i64) {
    let text =
        |value: i64| format!("{before}.if ({expression}) != ({value})\n.error \"{expression}\"\n.endif\n");
    accepts(target, &text(value));
    assert!(marked(target, &text(value.wrapping_add(1))).contains("error[user-error]"), "{expression}");
}

#[test]
fn operators_have_the_priorities_of_gnu_as() {
    for (expression, value) in [
        ("1 + 2 * 3", 7),
        ("2 * 3 + 1", 7),
        ("7 - 2 - 1", 4),
        ("24 / 4 / 2", 3),
        ("1 + 2 << 3", 17),
        ("8 >> 1 + 1", 5),
        ("7 % 4 * 2", 6),
        ("1 | 2 + 4", 7),
        ("7 & 3 + 1", 4),
        ("6 ^ 2 * 2", 2),
        ("5 ! 1", -1),
        ("4 ! -3", 6),
        ("1 + 1 == 2", -1),
        ("3 == 2 + 1", -1),
        ("1 == 2 && 1", 0),
        ("1 || 0 && 0", 1),
        ("(1 + 2) * 3", 9),
        ("-2 * 3", -6),
        ("- - 3", 3),
        ("~0", -1),
        ("!0", 1),
        ("!5", 0),
        ("+4", 4),
        ("~(1 + 1)", -3),
    ] {
        is_worth("gfx900", "", expression, value);
    }
}

#[test]
fn comparisons_are_minus_one_and_logic_is_one() {
    for (expression, value) in [
        ("1 == 1", -1),
        ("1 == 2", 0),
        ("1 != 2", -1),
        ("1 != 1", 0),
        ("1 <> 2", -1),
        ("1 < 2", -1),
        ("1 < 1", 0),
        ("1 <= 1", -1),
        ("2 <= 1", 0),
        ("2 > 1", -1),
        ("1 > 1", 0),
        ("1 >= 1", -1),
        ("1 >= 2", 0),
        ("-1 < 0", -1),
        ("2 && 3", 1),
        ("2 && 0", 0),
        ("0 && 2", 0),
        ("0 || 5", 1),
        ("5 || 0", 1),
        ("0 || 0", 0),
    ] {
        is_worth("gfx900", "", expression, value);
    }
}

#[test]
fn numbers_have_64_bits() {
    for (expression, value) in [
        ("0x7fffffffffffffff + 1", i64::MIN),
        ("0xffffffffffffffff", -1),
        ("1 << 63", i64::MIN),
        ("1 << 64", 0),
        ("-1 >> 60", 15),
        ("-1 >> 64", 0),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("0b101 + 017 + 0x1f", 51),
        ("0x4000000000000000 * 4", 0),
        ("6 & 3", 2),
        ("6 | 3", 7),
        ("6 ^ 3", 5),
    ] {
        is_worth("gfx900", "", expression, value);
    }
}

#[test]
fn functions_of_registers_depend_on_the_processor() {
    for (target, expression, value) in [
        ("gfx900", "max(1, 5, 3)", 5),
        ("gfx900", "min(4, 2, 3)", 2),
        ("gfx900", "or(1, 6, 8)", 15),
        ("gfx900", "alignto(5, 4)", 8),
        ("gfx900", "alignto(8, 4)", 8),
        ("gfx900", "alignto(9, 4)", 12),
        ("gfx90a", "totalnumvgprs(3, 5)", 11),
        ("gfx90a", "totalnumvgprs(3, 8)", 11),
        ("gfx90a", "totalnumvgprs(0, 5)", 5),
        ("gfx908", "totalnumvgprs(3, 5)", 5),
        ("gfx908", "totalnumvgprs(7, 5)", 7),
        ("gfx900", "extrasgprs(0, 0, 0)", 0),
        ("gfx900", "extrasgprs(1, 0, 0)", 2),
        ("gfx900", "extrasgprs(0, 0, 1)", 4),
        ("gfx900", "extrasgprs(0, 1, 0)", 6),
        ("gfx1030", "extrasgprs(1, 1, 1)", 2),
        ("gfx1030", "extrasgprs(0, 1, 1)", 0),
        ("gfx900", "extrasgprs(1, 1, 1)", 6),
        ("gfx701", "extrasgprs(1, 0, 0)", 2),
        ("gfx701", "extrasgprs(1, 1, 0)", 4),
    ] {
        is_worth(target, "", expression, value);
    }
}

#[test]
fn labels_differ_by_what_is_between_them() {
    let before =
        "s_nop 0\na:\ns_nop 0\nv_add_f32 v0, 1.5, v1\nb:\n1:\ns_nop 0\n1:\n.set c, b\n.set d, c - a\n";
    for (expression, value) in [
        ("b - a", 12),
        ("a - b", -12),
        ("b - a + 1", 13),
        ("(b - a) * 2", 24),
        ("-(b - a)", -12),
        ("c - a", 12),
        ("d / 4", 3),
        (". - a", 16),
        ("1b - b", 4),
        ("b - a > 11", -1),
        ("max(b - a, 3)", 12),
    ] {
        is_worth("gfx900", before, expression, value);
    }
}

#[test]
fn what_is_not_an_expression() {
    marks(
        "gfx900",
        expect![[r#"
            .set a, 1 +
            ;          ^ error[expression]: expected an expression, found the end of the line
            .set a, (1
            ;         ^ error[expression]: expected `)`
            .set a, 1 + )
            ;           ^ error[expression]: expected an expression, found `)`
            .set a, 0x10000000000000000
            ;       ^^^^^^^^^^^^^^^^^^^ error[expression]: the number needs more than 64 bits
            .set a, max(1 2)
            ;             ^ error[expression]: expected `,` or `)`
            .set a, max()
            ;           ^ error[expression]: expected another argument, found `)`
            .set a, max(1,)
            ;             ^ error[expression]: expected another argument, found `)`
            .set a, 1 @ foo
            ;           ^^^ error[expression]: no relocation of this name
            .set a, b@foo
            ;         ^^^ error[expression]: unknown relocation `foo`
            .set a, b@rel32@lo
            ;       ^^^^^^^^^^ error[expression]: a relocation cannot be given a name
            .set a, @foo
            ;       ^^^^ error[expression]: expected a symbol
            .set a, @rel32@lo
            ;       ^^^^^^^^^ error[expression]: a relocation cannot be given a name
            .set a, "b"@abs64
            ;       ^^^^^^^^^ error[expression]: a relocation cannot be given a name
            .set a, "b"@abs
            ;           ^^^ error[expression]: unknown relocation `abs`
            .set a, 1f
            .if 1 / 0
            ;   ^^^^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if 1 % 0
            ;   ^^^^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if 1 << -1
            ;   ^^^^^^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if alignto(1, 0)
            ;   ^^^^^^^^^^^^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if undefined
            ;   ^^^^^^^^^ error[undefined-symbol]: use of undefined symbol `undefined`; if the build defines it, pass `-D undefined=...`
            .endif
            .if undefined
            .endif
            .if v0
            ;   ^^ error[not-absolute]: expected a number, found `v0`
            .endif
            l:
            .if l
            ;   ^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if l + l
            ;   ^^^^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if -l
            ;   ^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
            .if l@abs64
            ;   ^^^^^^^ error[not-absolute]: expected an expression whose value is known when the line is read
            .endif
        "#]],
    );
    let nested = |count: usize| format!(".set a, {}1{}\n", "(".repeat(count), ")".repeat(count));
    accepts("gfx900", &nested(99));
    assert!(marked("gfx900", &nested(100)).contains("the expression nests too deeply"));
}

/// Bytes of a line between two labels, after a byte.
#[track_caller]
fn has_bytes(line: &str, bytes: i64) {
    is_worth("gfx900", &format!(".data\n.byte 0\na:\n{line}\nb:\n"), "b - a", bytes);
}

#[test]
fn directives_emit_bytes() {
    for (line, bytes) in [
        (".byte 1, 2, 3", 3),
        (".dc.b 1", 1),
        (".short 1", 2),
        (".2byte 1, 2", 4),
        (".value 1", 2),
        (".dc 1", 2),
        (".dc.w 1", 2),
        (".long 1", 4),
        (".int 1, 2", 8),
        (".4byte 1", 4),
        (".dc.l 1", 4),
        (".quad 1", 8),
        (".8byte 1, 2", 16),
        (".dc.a 1", 8),
        (".octa 1, 0x123456789abcdef0123456789abcdef0", 32),
        (".float 1.5, -2", 8),
        (".single 1", 4),
        (".dc.s inf", 4),
        (".double 1.5", 8),
        (".dc.d -nan", 8),
        (".ascii \"ab\" \"c\", \"d\"", 4),
        (".asciz \"ab\", \"c\"", 5),
        (".string \"\"", 1),
        (".ascii \"a\\n\\x41\\101\\0\"", 5),
        (".zero 5", 5),
        (".skip 0", 0),
        (".space 3, 1", 3),
        (".fill 3", 3),
        (".fill 3, 2", 6),
        (".fill 3, 8, 1", 24),
        (".fill 0, 4", 0),
        (".fill 2, 0", 0),
        (".dcb 3, 1", 6),
        (".dcb.w 1, 1", 2),
        (".dcb.b 3, 1", 3),
        (".dcb.l 3, 1", 12),
        (".dcb.l -1", 0),
        (".ds 1", 2),
        (".ds.b 3", 3),
        (".ds.w 3", 6),
        (".ds.l 2", 8),
        (".ds.s 2", 8),
        (".ds.d 2", 16),
        (".ds.p 1", 12),
        (".ds.x 2", 24),
        (".ds.b -1", 0),
        (".sleb128 63", 1),
        (".sleb128 64", 2),
        (".sleb128 -1", 1),
        (".uleb128 0, 1", 2),
        (".sleb128 8191", 2),
        (".sleb128 8192", 3),
    ] {
        has_bytes(line, bytes);
    }
}

/// After a byte of the section.
#[test]
fn alignments_fill_up() {
    for (line, bytes) in [
        (".align 8", 7),
        (".balign 2", 1),
        (".balign 1", 0),
        (".balign 0", 0),
        (".balign 16, 0", 15),
        (".balign 16, 0, 14", 0),
        (".balign 16, 0, 15", 15),
        (".balign 16, , 15", 15),
        (".balignl 8, 1", 7),
        (".balignw 4", 3),
        (".p2align 3", 7),
        (".p2align 0", 0),
        (".p2align -1", 0),
        (".p2align", 0),
        (".p2alignl 4, 0", 15),
        (".p2alignw 1", 1),
        (".org a - 1 + 9", 8),
    ] {
        has_bytes(line, bytes);
    }
}

#[test]
fn limits_of_data() {
    marks(
        "gfx900",
        expect![[r#"
            .data
            .byte 255, -128
            .byte 256
            ;     ^^^ error[data-out-of-range]: 256 does not fit into 1 byte
            .byte -129
            ;     ^^^^ error[data-out-of-range]: -129 does not fit into 1 byte
            .short 65535, -32768
            .short 65536
            ;      ^^^^^ error[data-out-of-range]: 65536 does not fit into 2 bytes
            .short -32769
            ;      ^^^^^^ error[data-out-of-range]: -32769 does not fit into 2 bytes
            .long 0xffffffff, -0x80000000
            .long 0x100000000
            ;     ^^^^^^^^^^^ error[data-out-of-range]: 4294967296 does not fit into 4 bytes
            .long -0x80000001
            ;     ^^^^^^^^^^^ error[data-out-of-range]: -2147483649 does not fit into 4 bytes
            .quad 0xffffffffffffffff
            .octa 1.5
            ;     ^^^ error[directive-argument]: expected a number of 128 bits, found `1.5`
            .octa 0x100000000000000000000000000000000
            ;     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[directive-argument]: expected a number of 128 bits, found `0x100000000000000000000000000000000`
            .float x
            ;      ^ error[directive-argument]: expected a floating-point number, found `x`
            .float 1 2
            ;        ^ error[syntax-error]: expected `,`, found `2`
            .ascii a
            ;      ^ error[directive-argument]: expected a string, found `a`
            .ascii "\q"
            ;       ^ error[directive-argument]: unknown escape in this string
            .ascii "\777"
            ;       ^ error[directive-argument]: the octal escape must be at most \377
            .balign 3
            ;       ^ error[directive-argument]: expected a power of two below 2^32, found 3
            .balign -1
            ;       ^^ error[directive-argument]: expected a power of two below 2^32, found -1
            .balign 0x80000000
            .balign 0x100000000
            ;       ^^^^^^^^^^^ error[directive-argument]: expected a power of two below 2^32, found 4294967296
            .p2align 31
            .p2align 32
            ;        ^^ error[directive-argument]: the alignment must be at most 2^31, is 2^32
            .p2alignl
            ;        ^ error[expression]: expected an expression, found the end of the line
            .balign 8, 0, 0
            ;             ^ error[directive-argument]: no padding is this short
            .balign 8, 0, 8
            ;             ^ warning[directive-argument]: padding is shorter than 8 bytes: this limit has no effect
            .balign 8, 0, 7
            .fill -1
            ;     ^^ warning[directive-argument]: a negative count of `.fill` has no effect
            .fill 1, -1
            ;        ^^ warning[directive-argument]: a negative size of `.fill` has no effect
            .fill 1, 8
            .fill 1, 9
            ;        ^ warning[directive-argument]: values of `.fill` have at most 8 bytes, not 9
            .dcb.b 1
            ;       ^ error[syntax-error]: expected `,`, found the end of the line
            .dcb.b -1, 2
            ;        ^ error[syntax-error]: expected the end of the line, found `,`
            .reloc 0, R_AMDGPU_NONE
            .reloc 0, R_AMDGPU_NON, 1
            ;         ^^^^^^^^^^^^ error[directive-argument]: unknown relocation `R_AMDGPU_NON`; did you mean `R_AMDGPU_NONE`?
            ;                    = fix: .reloc 0, R_AMDGPU_NONE, 1
            .comm c, 4
            .comm c, 8, 4
            .comm d, -1
            ;        ^^ error[directive-argument]: the size must not be negative, is -1
            .lcomm e, 4
            .lcomm e, 4
            ;      ^ error[symbol-redefinition]: `e` is already defined
            ;      = line 40:8: the first definition
            .lcomm f, 4, 4
            ;            ^ error[directive-argument]: `.lcomm` takes no alignment here
            .amdgpu_lds g, 65536
            .amdgpu_lds h, 65537
            ;              ^^^^^ error[directive-argument]: the size must be at most 65536 bytes, the size of LDS, is 65537
            .amdgpu_lds h, -1
            ;              ^^ error[directive-argument]: the size must not be negative, is -1
            .amdgpu_lds h, 0, 16
            .amdgpu_lds i, 0, 3
            ;                 ^ error[directive-argument]: the alignment must be a power of two below 2^31
            .amdgpu_lds i, 0, 0
            ;                 ^ error[directive-argument]: the alignment must be a power of two below 2^31
            .amdgpu_lds i, 0, 1 << 30
            .amdgpu_lds j, 0, 1 << 31
            ;                 ^^^^^^^ error[directive-argument]: the alignment must be a power of two below 2^31
        "#]],
    );
}

#[test]
fn a_value_that_an_error_hides_is_unknown_and_not_undefined() {
    marks(
        "gfx900",
        expect![[r#"
            .sett a, 5
            ;^^^^ error[unknown-directive]: unknown directive `.sett`; did you mean `.set`?
            ;   = fix: .set a, 5
            .set b 5
            ;      ^ error[syntax-error]: expected `,`, found `5`
            c = 5 +
            ;      ^ error[expression]: expected an expression, found the end of the line
            .if a > 2
            s_nop 0
            .endif
            .rept b
            s_nop 1
            .endr
            s_waitcnt lgkmcnt(c)
            v_mov_b32 v[a], v[b + 1]
            .rept d
            v_foo
            .endr
        "#]],
    );
}

#[test]
fn registers_whose_numbers_are_not_known_are_taken() {
    marks(
        "gfx900",
        expect![[r#"
            .include "missing.inc"
            v_mov_b32 v[a], v[b+1]
            v_add_co_u32 v[a], s[b:b+1], v[a], v[b]
            s_mov_b64 s[a:a+1], 0
            global_load_dword v[a], v[a:a+1], off
            v_cmp_eq_u32 s[a:a+1], v0, v1
            v_mov_b32 v[a]
            ;^^^^^^^^ error[operand-count]: missing operand of `v_mov_b32`: expected a vector or scalar register or an immediate
        "#]],
    );
}

#[test]
fn what_is_computed_from_an_undefined_symbol_is_reported_once() {
    marks(
        "gfx900",
        expect![[r#"
            .set used, max(0, callee, 3)
            ;          ^^^^^^^^^^^^^^^^^ error[layout]: `callee` is not defined in this file, so only a number can be added to it
            .set whole, max(used, 4)
            .set kernel, max(whole, other)
            ;            ^^^^^^^^^^^^^^^^^ error[layout]: `other` is not defined in this file, so only a number can be added to it
            .set last, max(kernel, 2)
        "#]],
    );
}
