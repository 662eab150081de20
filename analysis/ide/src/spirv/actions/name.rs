//! Gives an id a name for readers.

use wavelens_spirv::flat::Form;
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Here;
use crate::answers::Action;
use crate::answers::TokenKind;
use crate::spirv::place::{operand_at, token_kind};

/// `OpName` for the id at the cursor, or the one that the instruction defines, if it does not have a name.
pub(super) fn action(here: &Here<'_>) -> Option<Action> {
    let flat = &here.cx.lowered.flat;
    let raw = flat.insts.get(here.index)?;
    let local = match operand_at(here.cx, here.index, here.at) {
        Some(operand) => flat.operands_of(raw).get(operand).filter(|o| o.form == Form::Id)?.value,
        None => {
            let operands = flat.operands_of(raw).iter();
            operands.into_iter().find(|o| o.kind == Kind::ResultId)?.value
        }
    };
    let id = *here.m.ids.get(local as usize)?;
    if debug_name(here.m, id).is_some() || here.m.def(id).is_none() {
        return None;
    }
    let op = here.m.op(id);
    let text = flat.name(local);
    let word = match token_kind(op, here.m.is_function()) {
        TokenKind::Function => "function",
        TokenKind::Parameter => "parameter",
        TokenKind::Label => "block",
        TokenKind::Variable => "variable",
        TokenKind::Type => "type",
        TokenKind::Constant => "constant",
        _ => "value",
    };
    // A name that is one already is worth keeping.
    let name = match text.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("{word}_{text}"),
        false => text.to_owned(),
    };
    let edit = here.insert(Op::Name, &format!("OpName %{text} \"{name}\""))?;
    Some(Action::in_file(format!("Name `%{text}` with OpName"), vec![edit]))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::check;

    #[test]
    fn a_number_gets_a_name_in_its_place() {
        check(
            "OpName",
            "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpSource GLSL 450\nOpDecorate %2 SpecId 1\n%1 = OpTypeInt 32 0\n%2 = OpSpecConstant %$01 7\n",
            expect![[r#"
                [Rewrite] Name `%1` with OpName
                [Rewrite] Remove the unused `%2`
                ---
                OpCapability Shader
                OpCapability Linkage
                OpMemoryModel Logical GLSL450
                OpSource GLSL 450
                OpName %1 "type_1"
                OpDecorate %2 SpecId 1
                %1 = OpTypeInt 32 0
                %2 = OpSpecConstant %1 7
            "#]],
        );
    }
}
