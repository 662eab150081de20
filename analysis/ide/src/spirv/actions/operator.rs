//! The operator for a type: `OpFAdd` where `OpIAdd` is given floats, and the other way round.

use wavelens_base::TextEdit;
use wavelens_syntax::spirv::tables::Op;

use super::Here;
use super::modernise::word;
use crate::answers::Action;

/// Operators of integers with those of floats. The first that fits is taken: a signed one, an ordered comparison.
const OPERATORS: [(Op, Op); 17] = [
    (Op::IAdd, Op::FAdd),
    (Op::ISub, Op::FSub),
    (Op::IMul, Op::FMul),
    (Op::SDiv, Op::FDiv),
    (Op::UDiv, Op::FDiv),
    (Op::SRem, Op::FRem),
    (Op::SMod, Op::FMod),
    (Op::UMod, Op::FMod),
    (Op::SNegate, Op::FNegate),
    (Op::IEqual, Op::FOrdEqual),
    (Op::INotEqual, Op::FUnordNotEqual),
    (Op::SLessThan, Op::FOrdLessThan),
    (Op::ULessThan, Op::FOrdLessThan),
    (Op::SGreaterThan, Op::FOrdGreaterThan),
    (Op::UGreaterThan, Op::FOrdGreaterThan),
    (Op::SLessThanEqual, Op::FOrdLessThanEqual),
    (Op::SGreaterThanEqual, Op::FOrdGreaterThanEqual),
];

pub(super) fn action(here: &Here<'_>) -> Option<Action> {
    let (m, inst) = (here.m, here.inst);
    let operands = || (2..inst.count()).map(|n| m.operand_type(inst, n));
    let all = |fits: &dyn Fn(wavelens_spirv::code::Id) -> bool| inst.count() > 2 && operands().all(fits);
    let wanted = match inst.op() {
        op if all(&|ty| m.is_float_scalar_or_vector(ty)) => OPERATORS.iter().find(|(int, _)| *int == op)?.1,
        op if all(&|ty| m.is_int_scalar_or_vector(ty)) => OPERATORS.iter().find(|(_, float)| *float == op)?.0,
        _ => return None,
    };
    let (range, _) = word(here)?;
    let name = wanted.info()?.name;
    Some(Action::fix(format!("Replace with {name}"), vec![TextEdit { range, text: name.to_owned() }]))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::check;

    #[test]
    fn operators_fit_the_type() {
        check(
            "OpFAdd",
            "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%float = OpTypeFloat 32\n%c = OpConstant %float 1\n%f = OpFunction %v None %t\n%l = OpLabel\n%s = Op$0IAdd %float %c %c\nOpReturn\nOpFunctionEnd\n",
            expect![[r#"
                [QuickFix] Replace with OpFAdd
                [Rewrite] Name `%s` with OpName
                [Rewrite] Remove the unused `%s`
                ---
                OpCapability Shader
                OpCapability Linkage
                OpMemoryModel Logical GLSL450
                %v = OpTypeVoid
                %t = OpTypeFunction %v
                %float = OpTypeFloat 32
                %c = OpConstant %float 1
                %f = OpFunction %v None %t
                %l = OpLabel
                %s = OpFAdd %float %c %c
                OpReturn
                OpFunctionEnd
            "#]],
        );
    }
}
