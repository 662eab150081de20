//! Names in a chunk of SPIR-V assembly.

use wavelens_base::TextEdit;
use wavelens_spirv::flat::Form;
use wavelens_spirv::literal::parse_u32;
use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Cx;
use crate::answers::{Occurrence, Role, Space, SymbolKey};

/// Every name in the chunk.
pub fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    let flat = &cx.lowered.flat;
    let mut found = Vec::new();
    for inst in &flat.insts {
        let ranges = cx.lowered.operand_ranges.get(inst.first as usize..).unwrap_or_default();
        for (index, (operand, range)) in flat.operands_of(inst).iter().zip(ranges).enumerate() {
            if operand.form != Form::Id {
                continue;
            }
            let role = match (operand.kind, inst.op, index) {
                (Kind::ResultId, ..) => Role::Definition,
                (_, Op::FunctionCall, 2) => Role::Call,
                (_, Op::Store | Op::CopyMemory | Op::AtomicStore, 0) => Role::Write,
                _ => Role::Reference,
            };
            let key = SymbolKey::module(Space::Id, canonical(flat.name(operand.value)).as_ref());
            found.push(Occurrence { key, range: *range, role });
        }
    }
    found.sort_by_key(|o| o.range.start());
    found
}

/// One spelling for numbers: `%0x10` and `%16` are one id.
fn canonical(name: &str) -> std::borrow::Cow<'_, str> {
    match parse_u32(name).filter(|_| name.starts_with('0')) {
        Some(number) => number.to_string().into(),
        None => name.into(),
    }
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(_cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    let name = new_name.strip_prefix('%').unwrap_or(new_name);
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(wavelens_spirv::invalid_id(new_name));
    }
    Ok(SymbolKey { name: canonical(name).as_ref().into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name.
pub(crate) fn spell(_cx: &Cx<'_>, _occurrence: &Occurrence, new: &SymbolKey) -> String {
    format!("%{}", new.name)
}

/// Takes a rename over from the shared code, when it changes more than the name's places. Edits are in the file.
pub fn rename(
    _cx: &Cx<'_>,
    _occurrence: &Occurrence,
    _new_name: &str,
) -> Option<Result<Vec<TextEdit>, String>> {
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::{at_cursor, edited, places};

    const TEXT: &str = "OpName %5 \"x\"\n%1 = OpTypeInt 32 0\n%$05 = OpConstant %1 7\n%6 = OpSpecConstantOp %1 IAdd %0x5 %5\n";

    #[test]
    fn a_number_is_found_where_it_is_used() {
        let found =
            at_cursor(Dialect::Spirv, TEXT, |view, at| places(view, features::references(view, at, true)));
        expect![[r#"
            1:8 %5
            3:1 %5
            4:31 %0x5
            4:36 %5
        "#]]
        .assert_eq(&found);
    }

    #[test]
    fn renaming_keeps_the_other_numbers() {
        let renamed = |name: &str| {
            at_cursor(Dialect::Spirv, TEXT, |view, at| match features::rename(view, at, name) {
                Ok(edits) => edited(view, edits),
                Err(reason) => format!("{reason}\n"),
            })
        };
        expect![[r#"
            OpName %seven "x"
            %1 = OpTypeInt 32 0
            %seven = OpConstant %1 7
            %6 = OpSpecConstantOp %1 IAdd %seven %seven
        "#]]
        .assert_eq(&renamed("%seven"));
        expect![[r#"
            OpName %12 "x"
            %1 = OpTypeInt 32 0
            %12 = OpConstant %1 7
            %6 = OpSpecConstantOp %1 IAdd %12 %12
        "#]]
        .assert_eq(&renamed("12"));
        expect![[r#"
            the name `1` is already in use
        "#]]
        .assert_eq(&renamed("1"));
        expect![[r#"
            `a-b` is not a valid id: `%` must be followed by letters, digits and underscores only
        "#]]
        .assert_eq(&renamed("a-b"));
    }
}
