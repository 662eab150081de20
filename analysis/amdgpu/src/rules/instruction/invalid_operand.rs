//! Operands that are not what the instruction takes at their place.

use wavelens_isa::{ErrorKind, Place, Problem, Term, Value};

use super::{RejectedLine, lane_mask, suggestion, with_suggestion, words};
use wavelens_base::{Diagnostic, Rule};

wavelens_syntax::rules! {
    INVALID_OPERAND {
        code: "invalid-operand",
        severity: wavelens_base::Severity::Error,
        title: "an operand must be of the kind that the instruction expects at its place",
        explain: "The register is in the wrong register file, the tuple has the wrong size, or a constant is written where only a \
register is possible.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32 s0, v1
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32 v0, v1
"#,
        source: "LLVM AMDGPUAsmParser: \"invalid operand for instruction\"",
    }
}

pub(super) fn report(line: &RejectedLine<'_>, problem: &Problem) -> Diagnostic {
    let mask = lane_mask::narrow(line.target, line.word());
    let mask = mask.map(|right| lane_mask::message(line.target, right, line.word()));
    report_as(line, &INVALID_OPERAND, problem, mask)
}

/// An operand that the line must not have, or not with this value. `mask` is the message about a mask of the other size of waves.
pub(super) fn report_as(
    line: &RejectedLine<'_>,
    rule: &'static Rule,
    problem: &Problem,
    mask: Option<String>,
) -> Diagnostic {
    let names_waves = problem.by_wave_size && mask.is_none();
    if !names_waves && lane_mask::fits_other_waves(line) {
        let message = mask.unwrap_or_else(|| {
            lane_mask::because_of_waves(line.target, &words::problem(problem, line.word()))
        });
        return Diagnostic::new(rule, line.range(), message);
    }
    if let Some(message) = mask {
        return Diagnostic::new(rule, line.range(), message);
    }
    with_suggestion(line, rule, problem, suggested(line))
}

/// What may be meant instead.
fn suggested(line: &RejectedLine<'_>) -> Option<suggestion::Suggestion> {
    let Place::Operand(index) = line.error.place else { return None };
    let index = usize::from(index);
    match (line.error.kind, line.line.operands.get(index)?.value) {
        (_, Value::Word(_) | Value::Symbol) => {
            let known = suggestion::words(line.target, line.line);
            let mut known = suggestion::borrowed(&known);
            known.extend(suggestion::modifiers(line.target, line.line));
            suggestion::word(line, index, line.word(), &known).or_else(|| suggestion::register(line, index))
        }
        (ErrorKind::InvalidOperand, Value::Call { name, args }) => {
            let calls = suggestion::calls(line.target, line.line);
            match line.line.terms(args).first() {
                Some(Term::Word(first)) if calls.contains(&name) => {
                    let known = wavelens_isa::arguments(line.target, name, 0, first);
                    suggestion::word(line, index, first, &known)
                }
                _ => suggestion::word(line, index, name, &calls),
            }
        }
        (ErrorKind::InvalidOperand, Value::Reg(reg)) => suggestion::tuple(line, index, reg),
        (_, Value::Int(value)) => {
            let null = (value == 0).then(|| suggestion::null(line, index)).flatten();
            null.or_else(|| suggestion::swapped(line, index)).or_else(|| suggestion::register(line, index))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_operand_of_another_kind() {
        marks(
            "gfx900",
            expect![[r#"
                v_mov_b32 s0, v1
                ;         ^^ error[invalid-operand]: `v_mov_b32`: expected a single vector register, found `s0`
            "#]],
        );
    }

    #[test]
    fn an_offset_beyond_its_bits_is_not_an_extra_operand() {
        marks(
            "gfx600",
            expect![[r#"
                s_load_dword s1, s[2:3], 0x100
                ;                        ^^^^^ error[invalid-operand]: `s_load_dword`: expected a single scalar register, found 0x100
                s_load_dword s1, s[2:3], 0xff
            "#]],
        );
    }

    #[test]
    fn masks_have_the_size_of_a_wave() {
        marks(
            "gfx1100",
            expect![[r#"
                v_cmp_lt_f32 vcc, v0, v1
                ;            ^^^ error[invalid-operand]: expected `vcc_lo`, found `vcc`, because waves of gfx1100 have 32 lanes here
                ;              = fix: v_cmp_lt_f32 vcc_lo, v0, v1
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                v_subb_co_u32 v5, vcc_lo, v1, v2, vcc_lo
                ;                 ^^^^^^ error[invalid-operand]: expected `vcc`, found `vcc_lo`, because waves of gfx900 have 64 lanes here
                ;                      = fix: v_subb_co_u32 v5, vcc, v1, v2, vcc
                v_subb_co_u32 v5, vcc, v1, v2, vcc_lo
                ;                              ^^^^^^ error[invalid-operand]: expected `vcc`, found `vcc_lo`, because waves of gfx900 have 64 lanes here
                ;                                   = fix: v_subb_co_u32 v5, vcc, v1, v2, vcc
            "#]],
        );
    }

    #[test]
    fn a_misspelled_word_gets_a_suggestion() {
        marks(
            "gfx900",
            expect![[r#"
                s_waitcnt vmct(0)
                ;         ^^^^^^^ error[invalid-operand]: unknown counter `vmct` of s_waitcnt; did you mean `vmcnt`?
                ;               = fix: s_waitcnt vmcnt(0)
                s_mulk_i32 vcc__hi, 1
                ;          ^^^^^^^ error[invalid-operand]: `s_mulk_i32`: expected a single scalar register, found `vcc__hi`; did you mean `vcc_hi`?
                ;                = fix: s_mulk_i32 vcc_hi, 1
                s_getreg_b32 s0, hwreg(HW_REG_MDOE)
                ;                ^^^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown hardware register `HW_REG_MDOE`; did you mean `HW_REG_MODE`?
                ;                                 = fix: s_getreg_b32 s0, hwreg(HW_REG_MODE)
                s_getreg_b32 s0, hwreg(HW_REG_MDOE, 0, 8)
                ;                ^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown hardware register `HW_REG_MDOE`; did you mean `HW_REG_MODE`?
                ;                                       = fix: s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)
                s_sendmsg sendmsg(MSG_INTERUPT)
                ;         ^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown message `MSG_INTERUPT`; did you mean `MSG_INTERRUPT`?
                ;                             = fix: s_sendmsg sendmsg(MSG_INTERRUPT)
                v_interp_p2_f32 v0, v1, atr0.x
                ;                       ^^^^^^ error[invalid-operand]: `v_interp_p2_f32`: expected an attribute such as attr0.x, found `atr0.x`; did you mean `attr0.x`?
                ;                            = fix: v_interp_p2_f32 v0, v1, attr0.x
                v_interp_mov_f32 v0, p13, attr0.x
                ;                    ^^^ error[invalid-operand]: `v_interp_mov_f32`: expected p0, p10 or p20, found `p13`
                exp mrtt0 v0, v0, v0, v0
                ;   ^^^^^ error[invalid-operand]: `exp`: expected an export target such as mrt0, found `mrtt0`; did you mean `mrt0`?
                ;       = fix: exp mrt0 v0, v0, v0, v0
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                s_waitcnt_depctr depct_rsa_sdst(0)
                ;                ^^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown counter `depct_rsa_sdst` on gfx1030; did you mean `depctr_sa_sdst`?
                ;                                = fix: s_waitcnt_depctr depctr_sa_sdst(0)
            "#]],
        );
    }

    #[test]
    fn a_word_may_be_a_register() {
        marks(
            "gfx900",
            expect![[r#"
                v_mov_b32 o5, v1
                ;         ^^ error[invalid-operand]: `v_mov_b32`: expected a single vector register, found `o5`; did you mean `v5`?
                ;          = guess: v_mov_b32 v5, v1
                v_mov_b32 v5, vp1
                s_mov_b32 us2, 0
                ;         ^^^ error[invalid-operand]: `s_mov_b32`: expected a single scalar register, found `us2`; did you mean `s2`?
                ;           = guess: s_mov_b32 s2, 0
                v_add_u32 v0, wv3, v4
                v_add_u32 v0, x3, v4
                v_mov_b32 v0, value
            "#]],
        );
    }

    #[test]
    fn a_word_one_slip_from_a_register() {
        marks(
            "gfx900",
            expect![[r#"
                v_mov_b32 3v, s2
                ;         ^ error[invalid-operand]: `v_mov_b32`: expected a single vector register, found 3; did you mean `v3`?
                ;         = guess: v_mov_b32 v3, s2
                s_mov_b64 exec, ds[20:21]
                ;               ^^^^^^^^^ error[no-such-register]: unknown register file `ds`; did you mean `s[20:21]`?
                ;                       = guess: s_mov_b64 exec, s[20:21]
                global_store_dword iv[0:1], v2, off
                ;                  ^^^^^^^ error[no-such-register]: unknown register file `iv`; did you mean `v[0:1]`?
                ;                        = guess: global_store_dword v[0:1], v2, off
                v_lshlrev_b64 c[16:17], 3, v[0:1]
                ;             ^^^^^^^^ error[no-such-register]: unknown register file `c`; did you mean `v[16:17]`?
                ;                    = guess: v_lshlrev_b64 v[16:17], 3, v[0:1]
                v_add_f64 v[0:1], b[2:3], v[4:5]
                ;                 ^^^^^^ error[no-such-register]: unknown register file `b`; did you mean `s[2:3]` or `v[2:3]`?
                s_mov_b32 s4x2, 0
                ;         ^^^^ error[invalid-operand]: `s_mov_b32`: expected a single scalar register, found `s4x2`; did you mean `s42`?
                ;            = guess: s_mov_b32 s42, 0
                v_mov_b32_e32 1v2, s2
                ;             ^ error[invalid-operand]: `v_mov_b32_e32`: expected a single vector register, found 1; did you mean `v12`?
                ;             = guess: v_mov_b32_e32 v12, s2
                v_lshlrev_b32_e32 8, 2, v8
                ;                 ^ error[invalid-operand]: `v_lshlrev_b32_e32`: expected a single vector register, found 8; did you mean `v8`?
                ;                 = guess: v_lshlrev_b32_e32 v8, 2, v8
                v_mov_b32_e32 0, v10
                ;             ^ error[invalid-operand]: `v_mov_b32_e32`: expected a single vector register, found 0; did you mean `v10, 0`?
                ;             = guess: v_mov_b32_e32 v10, 0
                v_mov_b32 v0, long[2:3]
                ;             ^^^^^^^^^ error[no-such-register]: unknown register file `long`
            "#]],
        );
    }

    #[test]
    fn a_zero_may_be_null() {
        marks(
            "gfx1201",
            expect![[r#"
                buffer_load_b32 v0, off, s[0:3], 0
                ;                                ^ error[invalid-operand]: `buffer_load_b32`: expected a single scalar register, found 0; did you mean `null`?
                ;                                = fix: buffer_load_b32 v0, off, s[0:3], null
                s_load_b64 s[4:5], 0
                ;                  ^ error[invalid-operand]: `s_load_b64`: expected a pair of scalar registers, found 0
                v_readlane_b32 0, v1, 0
                ;              ^ error[invalid-operand]: `v_readlane_b32`: expected a single scalar register, found 0; did you mean `s0`?
                ;              = guess: v_readlane_b32 s0, v1, 0
            "#]],
        );
    }

    #[test]
    fn a_tuple_of_another_size_has_a_fix_where_one_fits() {
        marks(
            "gfx900",
            expect![[r#"
                s_mov_b64 s[4:4], 0
                ;         ^^^^^^ error[invalid-operand]: `s_mov_b64`: expected a pair of scalar registers, found `s4`; did you mean `s[4:5]`?
                ;              = fix: s_mov_b64 s[4:5], 0
                s_load_dwordx4 s[7:7], s[0:1], 0
                ;              ^^^^^^ error[invalid-operand]: `s_load_dwordx4`: expected a tuple of 4 scalar registers, found `s7`; did you mean `s[4:7]`?
                ;                   = fix: s_load_dwordx4 s[4:7], s[0:1], 0
                v_add_f64 v[0:1], v[2:4], v[6:7]
                ;                 ^^^^^^ error[invalid-operand]: `v_add_f64`: expected a pair of vector or scalar registers or an immediate, found `v[2:4]`
            "#]],
        );
        // Vector tuples start at even registers.
        marks(
            "gfx90a",
            expect![[r#"
                v_add_f64 v[0:1], v[2:4], v[6:7]
                ;                 ^^^^^^ error[invalid-operand]: `v_add_f64`: expected a pair of vector or scalar registers or an immediate, found `v[2:4]`; did you mean `v[2:3]`?
                ;                      = guess: v_add_f64 v[0:1], v[2:3], v[6:7]
            "#]],
        );
    }
}
