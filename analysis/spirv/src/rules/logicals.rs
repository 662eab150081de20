//! Relations and logic (SPIR-V specification, section 3.52.15).

use wavelens_syntax::spirv::tables::{AddressingModel, Capability, Op};

use super::arithmetics::{unfit, unfit_dimension, wrong};
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Verdict;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    let result = inst.ty();
    let ty = |i: usize| m.operand_type(inst, i);
    let bool_result = || match m.is_bool_scalar_or_vector(result) {
        true => Ok(()),
        false => unfit(m, inst, 0, "a Boolean or vector of Booleans as Result Type"),
    };
    match op {
        Op::Any | Op::All => {
            if !m.is_bool(result) {
                return unfit(m, inst, 0, "a Boolean as Result Type");
            }
            if !m.is_bool_vector(ty(2)) {
                return unfit(m, inst, 2, "a vector of Booleans");
            }
            Ok(())
        }
        Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet => {
            bool_result()?;
            if !m.is_float_scalar_or_vector(ty(2)) {
                return unfit(m, inst, 2, "a float scalar or vector");
            }
            if m.dimension(ty(2)) != m.dimension(result) {
                return unfit_dimension(m, inst, 2);
            }
            Ok(())
        }
        Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual
        | Op::LessOrGreater
        | Op::Ordered
        | Op::Unordered => {
            bool_result()?;
            if !m.is_float_scalar_or_vector(ty(2)) {
                return unfit(m, inst, 2, "a float scalar or vector");
            }
            if m.dimension(ty(2)) != m.dimension(result) {
                return unfit_dimension(m, inst, 2);
            }
            if ty(3) != ty(2) {
                return unfit(m, inst, 3, &format!("{}, the type of the left operand", m.type_name(ty(2))));
            }
            Ok(())
        }
        Op::LogicalEqual | Op::LogicalNotEqual | Op::LogicalOr | Op::LogicalAnd | Op::LogicalNot => {
            bool_result()?;
            (2..inst.count()).try_for_each(|i| match ty(i) == result {
                true => Ok(()),
                false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
            })
        }
        Op::Select => select(m, inst),
        Op::IEqual
        | Op::INotEqual
        | Op::UGreaterThan
        | Op::UGreaterThanEqual
        | Op::ULessThan
        | Op::ULessThanEqual
        | Op::SGreaterThan
        | Op::SGreaterThanEqual
        | Op::SLessThan
        | Op::SLessThanEqual => {
            bool_result()?;
            for i in [2, 3] {
                if !m.is_int_scalar_or_vector(ty(i)) {
                    return unfit(m, inst, i, "an integer scalar or vector");
                }
                if m.dimension(ty(i)) != m.dimension(result) {
                    return unfit_dimension(m, inst, i);
                }
            }
            if m.width(ty(2)) != m.width(ty(3)) {
                return unfit(
                    m,
                    inst,
                    3,
                    &format!("components of the same width as in {}", m.type_name(ty(2))),
                );
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn select(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    let composites = m.scope.version >= 0x10400;
    let mut dimension = 1;
    match m.op(result) {
        Op::TypePointer | Op::TypeUntypedPointerKHR => {
            if m.scope.addressing_model == AddressingModel::Logical
                && !m.has_capability(Capability::VariablePointersStorageBuffer)
            {
                return wrong(
                    0,
                    "OpSelect of pointers requires the VariablePointers or VariablePointersStorageBuffer capability",
                );
            }
        }
        Op::TypeSampledImage | Op::TypeImage | Op::TypeSampler => {
            if !m.has_capability(Capability::BindlessTextureNV) {
                return wrong(0, "OpSelect of images and samplers requires the BindlessTextureNV capability");
            }
        }
        Op::TypeVector | Op::TypeVectorIdEXT => dimension = m.dimension(result),
        Op::TypeBool | Op::TypeInt | Op::TypeFloat => {}
        Op::TypeArray | Op::TypeMatrix | Op::TypeStruct if composites => {}
        _ => {
            let needed = if composites {
                "a scalar or composite as Result Type"
            } else {
                "a scalar or vector as Result Type"
            };
            return unfit(m, inst, 0, needed);
        }
    }
    let condition = m.operand_type(inst, 2);
    if !m.is_bool_scalar_or_vector(condition) {
        return unfit(m, inst, 2, "a Boolean or vector of Booleans as Condition");
    }
    if m.dimension(condition) != dimension && (!composites || m.is_bool_vector(condition)) {
        return unfit(m, inst, 2, "a Condition with as many components as Result Type");
    }
    (3..5).try_for_each(|i| match m.operand_type(inst, i) == result {
        true => Ok(()),
        false => unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(result))),
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn comparisons_result_in_booleans() {
        let shader = Shader {
            body: "%a = OpFOrdEqual %int %f1 %f1
%b = OpIEqual %bool %i0 %f1
%c = OpLogicalAnd %bool %true %i0
%d = OpSelect %float %i0 %f1 %f1
%e = OpSelect %float %true %f1 %i0
%f = OpAny %bool %v2",
            ..Shader::NEW
        };
        expect![[r#"
            error[operand-type] `%int`: expected a Boolean or vector of Booleans as Result Type, found int
              10:1 `%int`: defined here
            error[operand-type] `%f1`: expected an integer scalar or vector, found float
              25:1 `%f1`: defined here
            error[operand-type] `%i0`: expected bool, the Result Type, found int
              19:1 `%i0`: defined here
            error[operand-type] `%i0`: expected a Boolean or vector of Booleans as Condition, found int
              19:1 `%i0`: defined here
            error[operand-type] `%i0`: expected float, the Result Type, found int
              19:1 `%i0`: defined here
            error[operand-type] `%v2`: expected a vector of Booleans, found vec2
              26:1 `%v2`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn operands_and_result_have_the_same_number_of_components() {
        let shader = Shader {
            types: "%bvec2 = OpTypeVector %bool 2
%bvec3 = OpTypeVector %bool 3
%long = OpTypeInt 64 1
%uvec2 = OpTypeVector %uint 2
%bb = OpConstantComposite %bvec2 %true %true
%b3 = OpConstantComposite %bvec3 %true %true %true
%l0 = OpConstant %long 0
%i2 = OpConstantComposite %ivec2 %i0 %i1
%u22 = OpConstantComposite %uvec2 %u0 %u1",
            head: "OpCapability Shader\nOpCapability Int64\nOpCapability Kernel\nOpCapability Linkage",
            body: "%any1 = OpAny %bool %bb
%any2 = OpAny %bvec2 %bb
%all1 = OpAll %bool %true
%nan1 = OpIsNan %bool %f1
%nan2 = OpIsNan %bvec2 %v2
%nan3 = OpIsNan %bool %v2
%nan4 = OpIsInf %bool %i0
%nan5 = OpIsInf %int %f1
%nan6 = OpIsFinite %bvec2 %f1
%nan7 = OpIsNormal %bool %u0
%nan8 = OpSignBitSet %float %f1
%eq1 = OpFOrdEqual %bool %f1 %f1
%eq2 = OpFOrdEqual %bvec2 %v2 %v2
%eq3 = OpFUnordEqual %bvec3 %v2 %v2
%eq4 = OpFOrdNotEqual %bool %f1 %i0
%eq5 = OpFUnordNotEqual %bool %i0 %i0
%eq6 = OpFOrdLessThan %bvec2 %v2 %v4
%eq7 = OpFUnordLessThan %float %f1 %f1
%eq8 = OpFOrdGreaterThan %bool %v2 %v2
%eq9 = OpLessOrGreater %bool %f1 %f1
%eq10 = OpUnordered %bool %true %true
%eq11 = OpOrdered %bool %f1 %v2
%log1 = OpLogicalAnd %bool %true %true
%log2 = OpLogicalOr %bvec2 %bb %bb
%log3 = OpLogicalOr %bvec2 %bb %true
%log4 = OpLogicalEqual %bool %bb %true
%log5 = OpLogicalNot %bool %f1
%log6 = OpLogicalNot %float %true
%log7 = OpLogicalNotEqual %bvec3 %b3 %bb
%int1 = OpIEqual %bool %i0 %u1
%int2 = OpINotEqual %bvec2 %i2 %u22
%int3 = OpUGreaterThan %bool %i2 %u22
%int4 = OpULessThan %bvec2 %i2 %u0
%int5 = OpSLessThan %bool %i0 %l0
%int6 = OpSGreaterThanEqual %bool %f1 %i0
%int7 = OpSLessThanEqual %int %i0 %i0
%int8 = OpULessThanEqual %bool %l0 %l0",
            ..Shader::NEW
        };
        expect![[r#"
            error[type-declaration] `1`: Signedness must be 0 with the Kernel capability
            error[operand-type] `%bvec2`: expected a Boolean as Result Type, found bvec2
              32:1 `%bvec2`: defined here
            error[operand-type] `%true`: expected a vector of Booleans, found bool
              20:1 `%true`: defined here
            error[operand-type] `%v2`: expected as many components as in Result Type (bool), found vec2
              28:1 `%v2`: defined here
            error[operand-type] `%i0`: expected a float scalar or vector, found int
              21:1 `%i0`: defined here
            error[operand-type] `%int`: expected a Boolean or vector of Booleans as Result Type, found int
              12:1 `%int`: defined here
            error[operand-type] `%f1`: expected as many components as in Result Type (bvec2), found float
              27:1 `%f1`: defined here
            error[operand-type] `%u0`: expected a float scalar or vector, found uint
              23:1 `%u0`: defined here
            error[operand-type] `%float`: expected a Boolean or vector of Booleans as Result Type, found float
              14:1 `%float`: defined here
            error[operand-type] `%v2`: expected as many components as in Result Type (bvec3), found vec2
              28:1 `%v2`: defined here
            error[operand-type] `%i0`: expected float, the type of the left operand, found int
              21:1 `%i0`: defined here
            error[operand-type] `%i0`: expected a float scalar or vector, found int
              21:1 `%i0`: defined here
            error[operand-type] `%v4`: expected vec2, the type of the left operand, found vec4
              29:1 `%v4`: defined here
            error[operand-type] `%float`: expected a Boolean or vector of Booleans as Result Type, found float
              14:1 `%float`: defined here
            error[operand-type] `%v2`: expected as many components as in Result Type (bool), found vec2
              28:1 `%v2`: defined here
            error[operand-type] `%true`: expected a float scalar or vector, found bool
              20:1 `%true`: defined here
            error[operand-type] `%v2`: expected float, the type of the left operand, found vec2
              28:1 `%v2`: defined here
            error[operand-type] `%true`: expected bvec2, the Result Type, found bool
              20:1 `%true`: defined here
            error[operand-type] `%bb`: expected bool, the Result Type, found bvec2
              36:1 `%bb`: defined here
            error[operand-type] `%f1`: expected bool, the Result Type, found float
              27:1 `%f1`: defined here
            error[operand-type] `%float`: expected a Boolean or vector of Booleans as Result Type, found float
              14:1 `%float`: defined here
            error[operand-type] `%bb`: expected bvec3, the Result Type, found bvec2
              36:1 `%bb`: defined here
            error[operand-type] `%i2`: expected as many components as in Result Type (bool), found ivec2
              39:1 `%i2`: defined here
            error[operand-type] `%u0`: expected as many components as in Result Type (bvec2), found uint
              23:1 `%u0`: defined here
            error[operand-type] `%l0`: expected components of the same width as in int, found int64_t
              38:1 `%l0`: defined here
            error[operand-type] `%f1`: expected an integer scalar or vector, found float
              27:1 `%f1`: defined here
            error[operand-type] `%int`: expected a Boolean or vector of Booleans as Result Type, found int
              12:1 `%int`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn selections() {
        let types = "%bvec2 = OpTypeVector %bool 2
%bb = OpConstantComposite %bvec2 %true %true
%pair = OpTypeStruct %float %int
%array = OpTypeArray %float %u2
%none = OpConstantNull %pair
%nones = OpConstantNull %array
%ptr = OpTypePointer Private %float
%p0 = OpVariable %ptr Private
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%to_image = OpTypePointer UniformConstant %image
%texture = OpVariable %to_image UniformConstant";
        let body = "%s1 = OpSelect %float %true %f1 %f1
%s2 = OpSelect %vec2 %bb %v2 %v2
%s3 = OpSelect %vec2 %true %v2 %v2
%s4 = OpSelect %float %bb %f1 %f1
%s5 = OpSelect %vec4 %bb %v4 %v4
%s6 = OpSelect %float %true %i0 %f1
%s7 = OpSelect %pair %true %none %none
%s8 = OpSelect %array %true %nones %nones
%s9 = OpSelect %mat2 %true %m2 %m2
%s10 = OpSelect %bool %true %true %true
%s11 = OpSelect %ptr %true %p0 %p0
%loaded = OpLoad %image %texture
%s12 = OpSelect %image %true %loaded %loaded
%s13 = OpSelect %void %true %f1 %f1";
        let check = |head: &str| Shader { head, types, body, ..Shader::NEW }.findings();
        expect![[r#"
            error[operand-type] `%true`: expected a Condition with as many components as Result Type, found bool
              18:1 `%true`: defined here
            error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
              31:1 `%bb`: defined here
            error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
              31:1 `%bb`: defined here
            error[operand-type] `%i0`: expected float, the Result Type, found int
              19:1 `%i0`: defined here
            error[operand-type] `%pair`: expected a scalar or vector as Result Type, found struct %pair
              32:1 `%pair`: defined here
            error[operand-type] `%array`: expected a scalar or vector as Result Type, found float[2]
              33:1 `%array`: defined here
            error[operand-type] `%mat2`: expected a scalar or vector as Result Type, found mat2
              17:1 `%mat2`: defined here
            error[operand-type] `%ptr`: OpSelect of pointers requires the VariablePointers or VariablePointersStorageBuffer capability
              36:1 `%ptr`: defined here
            error[operand-type] `%image`: OpSelect of images and samplers requires the BindlessTextureNV capability
              38:1 `%image`: defined here
            error[operand-type] `%void`: expected a scalar or vector as Result Type, found void
              8:1 `%void`: defined here
        "#]].assert_eq(&check(""));
        expect![[r#"
            error[interface] `OpEntryPoint GLCompute %main "main"`: `%p0` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
              36:1 `%p0`: the variable
            error[interface] `OpEntryPoint GLCompute %main "main"`: `%texture` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
              39:1 `%texture`: the variable
            error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
              30:1 `%bb`: defined here
            error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
              30:1 `%bb`: defined here
            error[operand-type] `%i0`: expected float, the Result Type, found int
              18:1 `%i0`: defined here
            error[operand-type] `%ptr`: OpSelect of pointers requires the VariablePointers or VariablePointersStorageBuffer capability
              35:1 `%ptr`: defined here
            error[operand-type] `%image`: OpSelect of images and samplers requires the BindlessTextureNV capability
              37:1 `%image`: defined here
            error[operand-type] `%void`: expected a scalar or composite as Result Type, found void
              7:1 `%void`: defined here
        "#]].assert_eq(&check("; target-env: spv1.4"));
        expect![[r#"
            error[interface] `OpEntryPoint GLCompute %main "main"`: `%p0` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
              37:1 `%p0`: the variable
            error[interface] `OpEntryPoint GLCompute %main "main"`: `%texture` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
              40:1 `%texture`: the variable
            error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
              31:1 `%bb`: defined here
            error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
              31:1 `%bb`: defined here
            error[operand-type] `%i0`: expected float, the Result Type, found int
              19:1 `%i0`: defined here
            error[operand-type] `%image`: OpSelect of images and samplers requires the BindlessTextureNV capability
              38:1 `%image`: defined here
            error[operand-type] `%void`: expected a scalar or composite as Result Type, found void
              8:1 `%void`: defined here
        "#]].assert_eq(&check(
            "; target-env: spv1.4\nOpCapability Shader\nOpCapability VariablePointersStorageBuffer",
        ));
    }
}
