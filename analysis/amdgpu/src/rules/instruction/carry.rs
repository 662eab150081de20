//! Additions and subtractions with a carry-out, by the name that they have on older processors and that others have without one.

use wavelens_isa::{self as isa, Value};

use super::invalid_operand::INVALID_OPERAND;
use super::{RejectedLine, lane_mask};
use wavelens_base::{Diagnostic, TextEdit};

/// Names with a carry on gfx6 to gfx8, and what these instructions are called on newer processors.
const WITH_CARRY: [(&str, &str); 6] = [
    ("v_add_i32", "v_add_co_u32"),
    ("v_add_u32", "v_add_co_u32"),
    ("v_sub_i32", "v_sub_co_u32"),
    ("v_sub_u32", "v_sub_co_u32"),
    ("v_subrev_i32", "v_subrev_co_u32"),
    ("v_subrev_u32", "v_subrev_co_u32"),
];

/// The finding about a carry that the instruction does not have, if the line is one with the newer name, and maybe another mask.
pub(super) fn report(line: &RejectedLine<'_>) -> Option<Diagnostic> {
    let (mnemonic, suffix) = isa::split_mnemonic(line.line.mnemonic);
    let (_, name) = WITH_CARRY.iter().find(|(old, _)| *old == mnemonic)?;
    let range = *line.operands.get(1)?;
    let word = line.slice(range);
    let name = format!("{name}{suffix}");
    let mask = lane_mask::own(line.target, word);
    let fits = line.fits_with(|other| {
        other.mnemonic = &name;
        let register = mask.and_then(isa::named_register);
        if let Some((operand, register)) = other.operands.get_mut(1).zip(register) {
            operand.value = Value::Reg(register);
        }
    });
    let message = format!("`{}` does not have a carry on {}; use `{name}`", line.line.mnemonic, line.target);
    let mut edits = vec![TextEdit::new(line.mnemonic, name.as_str())];
    edits.extend(mask.map(|mask| TextEdit::new(range, mask)));
    let mut found = Diagnostic::new(&INVALID_OPERAND, range, message);
    found.set_fix(format!("Replace with `{name}`"), edits);
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
            "gfx1100",
            expect![[r#"
                v_sub_i32_e64 v0, vcc, v1, v2
                ;                 ^^^ error[invalid-operand]: `v_sub_i32_e64` does not have a carry on gfx1100; use `v_sub_co_u32_e64`
                ;                   = fix: v_sub_co_u32_e64 v0, vcc_lo, v1, v2
            "#]],
        );
    }
}
