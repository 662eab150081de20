//! Sections, and symbols in them.

use expect_test::expect;

use crate::testing::marks;

#[test]
fn bindings_and_types_of_symbols() {
    marks(
        "gfx900",
        expect![[r#"
            .globl a
            .globl a
            .weak a
            ;     ^ warning[directive-argument]: `a` was made visible above: from here on it is weak
            .globl a
            ;      ^ error[directive-argument]: `a` was made weak above
            .local a
            ;      ^ error[directive-argument]: `a` was made weak above
            .local b
            .local b
            .globl b
            ;      ^ error[directive-argument]: `b` was made local above
            .weak b
            ;     ^ warning[directive-argument]: `b` was made local above: from here on it is weak
            .weak c
            .globl c
            ;      ^ error[directive-argument]: `c` was made weak above
            .local c
            ;      ^ error[directive-argument]: `c` was made weak above
            .globl d
            .local d
            ;      ^ error[directive-argument]: `d` was made visible above
            .globl .Le
            ;      ^^^ error[directive-argument]: `.Le` is private to this file: names with `.L` never leave it
            .weak .Le
            .type a, @function
            .type a @object
            .type a, %common
            .type a, #notype
            .type a, "gnu_unique_object"
            .type a, STT_TLS
            .type a, @gnu_indirect_function
            .type a, @method
            ;         ^^^^^^ error[directive-argument]: `method` is not a type of a symbol
            .type a, 1
            ;        ^ error[directive-argument]: expected the symbol's type: `@function` or `@object`
            .type a
            ;      ^ error[directive-argument]: expected the symbol's type: `@function` or `@object`
            .size a
            ;      ^ error[syntax-error]: expected `,`, found the end of the line
            .size a, 4 4
            ;          ^ error[syntax-error]: expected the end of the line, found `4`
        "#]],
    );
}

/// The type, flags or entry size that a section has by its name.
#[test]
fn sections_have_a_kind_by_their_names() {
    marks(
        "gfx900",
        expect![[r#"
            .section .text, "G", @note, g
            .section .text, "w"
            ;^^^^^^^ error[section]: section `.text` already has the flags `ax`
            .section .text.a
            .section .text.a, "w"
            ;^^^^^^^ error[section]: section `.text.a` already has the flags `ax`
            .section .text.a, "x"
            .section .data
            .section .data, "x"
            ;^^^^^^^ error[section]: section `.data` already has the flags `aw`
            .section .data1
            .section .data1, "x"
            ;^^^^^^^ error[section]: section `.data1` already has the flags `aw`
            .section .rodata.x
            .section .rodata.x, "x"
            ;^^^^^^^ error[section]: section `.rodata.x` already has the flags `a`
            .section .datax
            .section .datax, "x"
            ;^^^^^^^ error[section]: section `.datax` has no flags
            .section .rodata
            .section .rodata, "x"
            ;^^^^^^^ error[section]: section `.rodata` already has the flags `a`
            .section .rodata1
            .section .rodata1, "w"
            ;^^^^^^^ error[section]: section `.rodata1` already has the flags `a`
            .section .bss, "x"
            .section .bss, "aw", @progbits
            ;^^^^^^^ error[section]: section `.bss` already has the type `@nobits`
            .section .tbss
            .section .tbss, "x"
            ;^^^^^^^ error[section]: section `.tbss` already has the flags `awT`
            .section .tdata
            .section .tdata, "x"
            ;^^^^^^^ error[section]: section `.tdata` already has the flags `awT`
            .section .init
            .section .init, "w"
            ;^^^^^^^ error[section]: section `.init` already has the flags `ax`
            .section .fini
            .section .fini, "w"
            ;^^^^^^^ error[section]: section `.fini` already has the flags `ax`
            .section .init_array, "x"
            .section .init_array, "aw", @note
            ;^^^^^^^ error[section]: section `.init_array` already has the type `@init_array`
            .section .fini_array
            .section .fini_array, "aw", @note
            ;^^^^^^^ error[section]: section `.fini_array` already has the type `@fini_array`
            .section .preinit_array
            .section .preinit_array, "aw", @note
            ;^^^^^^^ error[section]: section `.preinit_array` already has the type `@preinit_array`
            .section .note.x, "a", @progbits
            .section .note.x, "a", @note
            ;^^^^^^^ error[section]: section `.note.x` already has the type `@progbits`
            .section .debug_info, "a"
            ;^^^^^^^ error[section]: section `.debug_info` has no flags
            .section .debug_str, "a"
            ;^^^^^^^ error[section]: section `.debug_str` already has the flags `MS`
            .section .debug_str, "MS", @progbits, 2
            ;^^^^^^^ error[section]: section `.debug_str` already has the entry size 1
            .section .debug_str.dwo, "a"
            ;^^^^^^^ error[section]: section `.debug_str.dwo` already has the flags `eMS`
            .section .debug_info.dwo, "a"
            ;^^^^^^^ error[section]: section `.debug_info.dwo` already has the flags `e`
            .section .debug_other, "a"
            .section .debug_other, "aw"
            ;^^^^^^^ error[section]: section `.debug_other` already has the flags `a`
            .section .data.rel.ro, "x"
            ;^^^^^^^ error[section]: section `.data.rel.ro` already has the flags `aw`
            .section .eh_frame, "w"
            ;^^^^^^^ error[section]: section `.eh_frame` already has the flags `a`
            .section .sframe, "a", @progbits
            ;^^^^^^^ error[section]: section `.sframe` already has the type `@0x6ffffff4`
            .section .stack_sizes, "a"
            ;^^^^^^^ error[section]: section `.stack_sizes` has no flags
            .section .apple_names, "a"
            ;^^^^^^^ error[section]: section `.apple_names` has no flags
            .section .rodata.cst4, "aM", @progbits, 8
            ;^^^^^^^ error[section]: section `.rodata.cst4` already has the entry size 4
            .section .rodata.cst8, "aM", @progbits, 4
            ;^^^^^^^ error[section]: section `.rodata.cst8` already has the entry size 8
            .section .rodata.cst16, "aM", @progbits, 4
            ;^^^^^^^ error[section]: section `.rodata.cst16` already has the entry size 16
            .section .rodata.cst32, "aM", @progbits, 4
            ;^^^^^^^ error[section]: section `.rodata.cst32` already has the entry size 32
            .section .rodata.cst64, "aM", @progbits, 4
            .section .rodata.cst64, "aM", @progbits, 8
            ;^^^^^^^ error[section]: section `.rodata.cst64` already has the entry size 4
            .section .own
            .section .own, "aexwoMSTGR?", @progbits, 4, 0, g
            .section .own, "a"
            ;^^^^^^^ error[section]: section `.own` has no flags
            .section .numbers, "0x7"
            .section .numbers, "0x6"
            ;^^^^^^^ error[section]: section `.numbers` already has the flags `axw`
            .section .typed, "", @0x7000001
            .section .typed, "", @nobits
            ;^^^^^^^ error[section]: section `.typed` already has the type `@0x7000001`
            .section .sun, #alloc, #write, #execinstr, #tls
            .section .sun, "a"
            ;^^^^^^^ error[section]: section `.sun` already has the flags `axwT`
            .section .sun2, #other
            ;                ^^^^^ error[section]: unknown section flag
        "#]],
    );
}

#[test]
fn arguments_of_sections() {
    marks(
        "gfx900",
        expect![[r#"
            .section
            ;       ^ error[section]: expected the section's name, found the end of the line
            .section .a, 1
            ;            ^ error[section]: expected the section's flags as a string, found `1`
            .section .b, "M"
            ;               ^ error[section]: a section with `M` or `G` must name its type
            .section .b, "G"
            ;               ^ error[section]: a section with `M` or `G` must name its type
            .section .b, "M", @progbits
            ;                          ^ error[syntax-error]: expected `,`, found the end of the line
            .section .b, "M", @progbits, 0
            ;                             ^ error[section]: the entry size must be positive
            .section .c, "M", @progbits, 1
            .section .d, "", progbits
            ;                ^^^^^^^^ error[section]: expected the section's type: `@progbits`, `%note` or `"nobits"`
            .section .d, "", @
            ;                 ^ error[section]: expected the section's type
            .section .d, "", @other
            ;                 ^^^^^ error[section]: unknown section type
            .section .e, "o", @progbits
            ;                          ^ error[syntax-error]: expected `,`, found the end of the line
            .section .e, "o", @progbits, 1
            ;                            ^ error[section]: expected a symbol of the linked section, or 0, found `1`
            .section .e, "o", @progbits, unknown
            ;                            ^^^^^^^ error[section]: `unknown` must be defined in a section above to be linked to
            .section .e, "o", @progbits, .c
            .section .f, "G", @progbits, g, comdat
            .section .f, "G", @progbits, g, other
            ;                               ^^^^^ error[section]: expected `comdat`
            .section .f, "G", @progbits
            ;                          ^ error[syntax-error]: expected `,`, found the end of the line
            .section .g, "", @progbits, unique, 0
            .section .g, "", @progbits, unique, 0xfffffffe
            .section .g, "", @progbits, unique, 0xffffffff
            ;                                             ^ error[section]: the unique number is out of range
            .section .g, "", @progbits, unique, -1
            ;                                     ^ error[section]: the unique number is out of range
            .section .g, "w", @progbits, unique, 1
            .text 0
            .text 2147483647
            .text 2147483648
            ;     ^^^^^^^^^^ error[section]: subsections have numbers from 0 to 2147483647
            .subsection 1
            .previous
            .pushsection .h, 1
            .pushsection .h, 1, "a"
            ;^^^^^^^^^^^ error[section]: section `.h` has no flags
            .popsection
            .popsection
            .popsection
            ;^^^^^^^^^^ error[section]: `.popsection` without `.pushsection`
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            .previous
            ;^^^^^^^^ error[section]: `.previous` without an earlier section
            .data
            .previous
        "#]],
    );
}
