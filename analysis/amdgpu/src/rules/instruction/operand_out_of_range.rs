//! Offsets that do not fit into their field.

wavelens_syntax::rules! {
    OPERAND_RANGE {
        code: "operand-out-of-range",
        severity: wavelens_base::Severity::Error,
        title: "a number must fit into its field of the encoding",
        explain: "Offsets, counters and masks have a few bits each; how many depends on the instruction and the generation.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
ds_read_b32 v0, v1 offset:70000
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
ds_read_b32 v0, v1 offset:65532
"#,
        source: "LLVM AMDGPUAsmParser: \"expected a 16-bit unsigned offset\"",
    }
}

pub(super) fn message(least: i64, most: i64, found: &str) -> String {
    format!("the offset must be between {least} and {most}, is {found}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn the_bits_of_an_offset_depend_on_the_instruction() {
        marks(
            "gfx900",
            expect![[r#"
                ds_read_b32 v0, v1 offset:70000
                ;                  ^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 65535, is 70000
                ds_read_b32 v0, v1 offset:0x11170
                ;                  ^^^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 65535, is 0x11170
                global_load_dword v0, v[2:3], off offset:4096
                ;                                 ^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between -4096 and 4095, is 4096
                global_load_dword v0, v[2:3], off offset:-4096
            "#]],
        );
    }

    #[test]
    fn the_last_number_that_fits_and_the_next_one() {
        marks(
            "gfx900",
            expect![[r#"
                ds_read_b32 v0, v1 offset:65535
                ds_read_b32 v0, v1 offset:65536
                ;                  ^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 65535, is 65536
                global_load_dword v0, v[2:3], off offset:4095
                global_load_dword v0, v[2:3], off offset:-4097
                ;                                 ^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between -4096 and 4095, is -4097
                flat_load_dword v0, v[2:3] offset:4095
                flat_load_dword v0, v[2:3] offset:4096
                ;                          ^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 4095, is 4096
            "#]],
        );
        marks(
            "gfx1200",
            expect![[r#"
                buffer_load_b32 v0, off, s[0:3], null offset:8388607
                buffer_load_b32 v0, off, s[0:3], null offset:8388608
                ;                                     ^^^^^^^^^^^^^^ error[operand-out-of-range]: the offset must be between 0 and 8388607, is 8388608
                s_load_b32 s0, s[2:3], 0x7fffff
                s_load_b32 s0, s[2:3], 0x800000
                ;                      ^^^^^^^^ error[operand-out-of-range]: the offset must be between -8388608 and 8388607, is 0x800000
            "#]],
        );
    }
}
