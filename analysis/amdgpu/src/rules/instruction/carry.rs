//! Additions and subtractions with a carry-out, by the name that they have on older processors and that others have without one.

use wavelens_isa::{self as isa, Value};

use super::invalid_operand::INVALID_OPERAND;
use super::{RejectedLine, lane_mask};
use wavelens_base::{Diagnostic, TextEdit, TextRange};

/// Names with a carry on gfx6 to gfx8, and what these instructions are called on newer processors.
const WITH_CARRY: [(&str, &str); 6] = [
    ("v_add_i32", "v_add_co_u32"),
    ("v_add_u32", "v_add_co_u32"),
    ("v_sub_i32", "v_sub_co_u32"),
    ("v_sub_u32", "v_sub_co_u32"),
    ("v_subrev_i32", "v_subrev_co_u32"),
    ("v_subrev_u32", "v_subrev_co_u32"),
];

/// The newer name of the line's instruction with a carry, if the line has one.
pub(super) fn newer_name(line: &RejectedLine<'_>) -> Option<String> {
    let (mnemonic, suffix) = isa::split_mnemonic(line.line.mnemonic);
    let (_, name) = WITH_CARRY.iter().find(|(old, _)| *old == mnemonic)?;
    let name = format!("{name}{suffix}");
    let own = isa::named_register(lane_mask::whole(line.target))?;
    // The mask may be one of the other size of waves.
    let fits = line.fits_with(|other| {
        other.mnemonic = &name;
        if let Some(operand) = other.operands.get_mut(1).filter(|o| matches!(o.value, Value::Reg(_))) {
            operand.value = Value::Reg(own);
        }
    });
    fits.then_some(name)
}

/// The finding about a carry that the instruction does not have, or has and the line lacks.
pub(super) fn report(line: &RejectedLine<'_>) -> Option<Diagnostic> {
    let Some(name) = newer_name(line) else { return missing(line) };
    let range = *line.operands.get(1)?;
    let message = format!("`{}` does not have a carry on {}; use `{name}`", line.line.mnemonic, line.target);
    let mut found = Diagnostic::new(&INVALID_OPERAND, range, message);
    found.fix = lane_mask::renamed(line, &name);
    Some(found)
}

/// The finding about a carry that an older processor's instruction always writes. What else is in the mask is lost, so the fix is
/// likely only.
fn missing(line: &RejectedLine<'_>) -> Option<Diagnostic> {
    let mnemonic = line.line.mnemonic;
    let [_, at, _] = line.operands else { return None };
    let mask = lane_mask::whole(line.target);
    let register = isa::named_register(mask)?;
    let is_carry = WITH_CARRY.iter().any(|(old, _)| *old == isa::split_mnemonic(mnemonic).0);
    let fits = is_carry
        && line.fits_with(|other| {
            if let Some(mut operand) = other.operands.get(1).copied() {
                operand.value = Value::Reg(register);
                other.operands.insert(1, operand);
            }
        });
    let message = format!("`{mnemonic}` writes a carry on {}: missing `{mask}`", line.target);
    let mut found = Diagnostic::new(&INVALID_OPERAND, *at, message);
    found.set_guess(
        format!("Insert `{mask}`"),
        vec![TextEdit::new(TextRange::empty(at.start()), format!("{mask}, "))],
    );
    fits.then_some(found)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn carries_have_names_of_their_own() {
        marks(
            "gfx906",
            expect![[r#"
                v_add_u32 v0, vcc, v1, v2
                ;             ^^^ error[invalid-operand]: `v_add_u32` does not have a carry on gfx906; use `v_add_co_u32`
                ;               = fix: v_add_co_u32 v0, vcc, v1, v2
                v_add_u32 v0, v1, v2
            "#]],
        );
        marks(
            "gfx803",
            expect![[r#"
                v_add_u32 v0, v1, v2
                ;             ^^ error[invalid-operand]: `v_add_u32` writes a carry on gfx803: missing `vcc`
                ;              = guess: v_add_u32 v0, vcc, v1, v2
                v_add_co_u32 v0, vcc, v1, v2
                ;^^^^^^^^^^^ error[instruction-not-on-target]: `v_add_co_u32` is not supported on gfx803; use `v_add_u32`
                ;          = fix: v_add_u32 v0, vcc, v1, v2
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                v_subrev_u32 v0, vcc, v1, v2
                ;^^^^^^^^^^^ error[instruction-not-on-target]: `v_subrev_u32` is not supported on gfx1030; use `v_subrev_co_u32`
                ;          = fix: v_subrev_co_u32 v0, vcc_lo, v1, v2
                v_add_i32 v0, s[2:3], v1, v2
                ;^^^^^^^^ error[instruction-not-on-target]: `v_add_i32` is not supported on gfx1030; use `v_add_co_u32`
                v_addc_u32 v0, vcc, v1, v2, vcc
                ;^^^^^^^^^ error[instruction-not-on-target]: `v_addc_u32` is not supported on gfx1030; use `v_add_co_ci_u32`
                ;        = fix: v_add_co_ci_u32 v0, vcc_lo, v1, v2, vcc_lo
            "#]],
        );
        marks(
            "gfx1100",
            expect![[r#"
                v_sub_i32_e64 v0, vcc, v1, v2
                ;                 ^^^ error[invalid-operand]: `v_sub_i32_e64` does not have a carry on gfx1100; use `v_sub_co_u32_e64`
                ;                   = fix: v_sub_co_u32_e64 v0, vcc_lo, v1, v2
            "#]],
        );
    }
}
