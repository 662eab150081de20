//! Where register tuples start.

use wavelens_isa::{Alignment, Target};

wavelens_syntax::rules! {
    REGISTER_ALIGNMENT {
        code: "register-alignment",
        severity: wavelens_base::Severity::Error,
        title: "a register tuple must start at a register of the right alignment",
        explain: "Scalar pairs start at even registers, larger scalar tuples at multiples of 4, and vector tuples at even registers on \
gfx90a, gfx942 and gfx950.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
s_mov_b64 s[1:2], 0
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
s_mov_b64 s[2:3], 0
"#,
        source: "LLVM AMDGPUAsmParser: \"invalid register alignment\"",
    }
}

/// The message about a register or a tuple that the machine refuses.
pub(super) fn message(fault: Alignment, target: Target) -> String {
    match fault {
        Alignment::OddTuple(reg) => format!("`{}` must start at an even register on {target}", reg.name()),
        Alignment::OddRegister => "the number of the register must be even".to_owned(),
        Alignment::NoTuple => "this register tuple does not exist: check its size and alignment".to_owned(),
    }
}

/// The message about a range of scalar registers, on any processor.
pub(crate) fn scalar_range(prefix: &str, first: i64, last: i64) -> String {
    let step = if last - first == 1 { 2 } else { 4 };
    format!("`{prefix}[{first}:{last}]` must start at a multiple of {step}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn scalar_tuples_start_at_multiples_of_their_size_up_to_4() {
        marks(
            "gfx900",
            expect![[r#"
                s_mov_b64 s[1:2], 0
                ;         ^^^^^^ error[register-alignment]: `s[1:2]` must start at a multiple of 2
                s_load_dwordx4 s[2:5], s[0:1], 0
                ;              ^^^^^^ error[register-alignment]: `s[2:5]` must start at a multiple of 4
                s_load_dwordx8 s[4:11], s[0:1], 0
            "#]],
        );
    }

    #[test]
    fn vector_tuples_start_at_even_registers_on_some_processors() {
        let text = r#"
            v_add_f64 v[1:2], v[2:3], v[4:5]
        "#;
        for target in ["gfx900", "gfx908", "gfx1100"] {
            assert_eq!(
                crate::testing::marked(target, text),
                wavelens_check::testing::dedent(text),
                "{target}"
            );
        }
        marks(
            "gfx90a",
            expect![[r#"
                v_add_f64 v[1:2], v[2:3], v[4:5]
                ;         ^^^^^^ error[register-alignment]: `v[1:2]` must start at an even register on gfx90a
                ds_gws_init v1 gds
                ;           ^^ error[register-alignment]: the number of the register must be even
            "#]],
        );
    }
}
