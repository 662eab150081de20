//! Functions, parameters and calls (SPIR-V specification, section 3.52.9).

use crate::type_names::storage_class_name;
use wavelens_syntax::spirv::tables::{AddressingModel, Capability, Op, StorageClass};
use wavelens_syntax::wording;

use crate::code::Inst;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    FUNCTION_TYPE {
        code: "function-type",
        severity: Severity::Error,
        title: "a function, its parameters and its calls agree with its OpTypeFunction",
        explain: "Callers use the function type: a parameter or result of another type would be passed wrongly.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %void
%f = OpFunction %float None %fn
%entry = OpLabel
OpReturnValue %one
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %float
%f = OpFunction %float None %fn
%entry = OpLabel
OpReturnValue %one
OpFunctionEnd
"#,
        source: "SPIR-V specification, Function Instructions; SPIRV-Tools validate_function.cpp: \"does not match the Function Type's return type\", \"parameter count does not match the argument count\"",
    }
}

fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&FUNCTION_TYPE, operand, message)
}

/// Whether instructions of an opcode are, take or call functions.
pub(super) fn concerns(op: Op) -> bool {
    matches!(
        op,
        Op::Function | Op::FunctionParameter | Op::FunctionCall | Op::CooperativeMatrixPerElementOpEXT
    )
}

/// Also looks at other instructions with an operand that is a function.
pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::Function => {
            let ty = inst.operand(3);
            let Some(function) = m.def(ty).filter(|d| d.op() == Op::TypeFunction) else {
                let found = match m.op(ty) {
                    op if ops::generates_type(op) => m.type_name(ty),
                    op => format!("the result of {}", op.name()),
                };
                return wrong(3, format!("expected a function type, but `{}` is {found}", m.name(ty)));
            };
            if function.operand(1) != inst.ty() {
                let (returned, result) = m.type_names(function.operand(1), inst.ty());
                return wrong(
                    0,
                    format!("the function type returns {returned}, but Result Type is {result}"),
                );
            }
            Ok(())
        }
        Op::FunctionParameter => parameter(m, inst),
        Op::FunctionCall => call(m, inst),
        Op::CooperativeMatrixPerElementOpEXT => per_element(m, inst),
        _ => value_use(m, inst),
    }
}

/// A function is called or named, never computed with.
fn value_use(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let acceptable = matches!(
        inst.op(),
        Op::GroupDecorate
            | Op::Decorate
            | Op::DecorateId
            | Op::EnqueueKernel
            | Op::EntryPoint
            | Op::ConditionalEntryPointINTEL
            | Op::ConstantFunctionPointerINTEL
            | Op::ExecutionMode
            | Op::ExecutionModeId
            | Op::GetKernelNDrangeSubGroupCount
            | Op::GetKernelNDrangeMaxSubGroupSize
            | Op::GetKernelWorkGroupSize
            | Op::GetKernelPreferredWorkGroupSizeMultiple
            | Op::GetKernelLocalSizeForSubgroupCount
            | Op::GetKernelMaxNumSubgroups
            | Op::Name
            | Op::CooperativeMatrixReduceEXT
            | Op::CooperativeMatrixLoadTensorNV
    ) || inst.is_non_semantic()
        || inst.is_debug_info();
    if acceptable {
        return Ok(());
    }
    for (operand, _, id) in inst.ids() {
        if m.op(id) == Op::Function {
            return wrong(
                operand,
                format!("{} must not use the function `{}`", inst.op().name(), m.name(id)),
            );
        }
    }
    Ok(())
}

fn parameter(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let mut index = 0;
    let mut function = None;
    for at in (0..inst.at).rev() {
        match m.inst(at) {
            Some(i) if i.op() == Op::Function => {
                function = Some(i);
                break;
            }
            Some(i) if i.op() == Op::FunctionParameter => index += 1,
            _ => {}
        }
    }
    let Some(function) = function else { return Ok(()) };
    let Some(ty) = m.def(function.operand(3)).filter(|d| d.op() == Op::TypeFunction) else { return Ok(()) };
    let Some(needed) = ty.opt_operand(index + 2) else {
        let expected = ty.count() - 2;
        // The first one that is too many is enough.
        return match index == expected {
            true => {
                let parameters = wording::number(expected, "parameters");
                wrong(1, format!("expected {parameters}, as in the function type, found {}", index + 1))
            }
            false => Ok(()),
        };
    };
    if needed != inst.ty() {
        return wrong(
            0,
            format!(
                "parameter {index} of the function type is {}, but OpFunctionParameter is {}",
                m.type_name(needed),
                m.type_name(inst.ty())
            ),
        );
    }
    Ok(())
}

fn call(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let callee = inst.operand(2);
    let Some(function) = m.def(callee) else { return Ok(()) };
    if function.op() != Op::Function {
        return wrong(
            2,
            format!("`{}` is the result of {}, not a function", m.name(callee), function.op().name()),
        );
    }
    if function.ty() != inst.ty() {
        let (returned, result) = m.type_names(function.ty(), inst.ty());
        return wrong(0, format!("`{}` returns {returned}, but Result Type is {result}", m.name(callee)));
    }
    let Some(ty) = m.def(function.operand(3)).filter(|d| d.op() == Op::TypeFunction) else { return Ok(()) };
    let (given, needed) = (inst.count() - 3, ty.count() - 2);
    if given != needed {
        return wrong(2, format!("`{}`: {}", m.name(callee), wording::count("arguments", needed, given)));
    }
    for index in 0..needed {
        let operand = 3 + index;
        let (own, parameter) = (m.operand_type(inst, operand), ty.operand(2 + index));
        if own == NONE || own != parameter {
            let (name, callee) = (m.name(inst.operand(operand)), m.name(callee));
            let (own, parameter) = m.type_names(own, parameter);
            return wrong(
                operand,
                format!("`{name}` is {own}, but parameter {index} of `{callee}` is {parameter}"),
            );
        }
        pointer_argument(m, inst, operand)?;
    }
    Ok(())
}

fn pointer_argument(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let id = inst.operand(operand);
    let Some((class, _)) = m.pointer(m.type_of(id)) else { return Ok(()) };
    if m.scope.addressing_model != Some(AddressingModel::Logical) {
        return Ok(());
    }
    match class {
        StorageClass::UniformConstant
        | StorageClass::Function
        | StorageClass::Private
        | StorageClass::Workgroup
        | StorageClass::AtomicCounter => {}
        StorageClass::StorageBuffer if m.scope.features.variable_pointers => {}
        StorageClass::StorageBuffer => {
            return wrong(
                operand,
                "a pointer to StorageBuffer as argument requires the VariablePointers or VariablePointersStorageBuffer capability",
            );
        }
        _ => {
            let class = storage_class_name(class);
            return wrong(operand, format!("a pointer to {class} must not be an argument"));
        }
    }
    if matches!(m.op(id), Op::Variable | Op::UntypedVariableKHR | Op::FunctionParameter) {
        return Ok(());
    }
    let allowed = match class {
        StorageClass::StorageBuffer => m.has_capability(Capability::VariablePointersStorageBuffer),
        StorageClass::Workgroup => m.has_capability(Capability::VariablePointers),
        StorageClass::UniformConstant => true,
        _ => false,
    };
    if allowed {
        return Ok(());
    }
    wrong(operand, format!("`{}` is neither a variable nor a parameter", m.name(id)))
}

fn per_element(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(function) = m.def(inst.operand(3)).filter(|d| d.op() == Op::Function) else {
        return wrong(3, format!("`{}` is not a function", m.name(inst.operand(3))));
    };
    let matrix = m.operand_type(inst, 2);
    if !m.is_coop_matrix_khr(matrix) {
        return wrong(2, format!("`{}` is not a cooperative matrix", m.name(inst.operand(2))));
    }
    if matrix != inst.ty() {
        return wrong(0, "Result Type must be the cooperative matrix type of the operand");
    }
    let Some(ty) = m.def(function.operand(3)).filter(|d| d.op() == Op::TypeFunction) else { return Ok(()) };
    let component = m.element(matrix);
    let int32 = |id| m.is_int(id) && m.width(id) == 32;
    let fits = ty.operand(1) == component
        && ty.count() >= 5
        && int32(ty.operand(2))
        && int32(ty.operand(3))
        && ty.operand(4) == component;
    if !fits {
        return wrong(3, "the function must take a row, a column and a component, and return a component");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn calls_fit_the_function() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %int = OpTypeInt 32 1
            %float = OpTypeFloat 32
            %f1 = OpConstant %float 1
            %fn = OpTypeFunction %float %float
            %callee = OpFunction %float None %fn
            %p = OpFunctionParameter %int
            ;                        ^^^^ error[function-type]: parameter 0 of the function type is float, but OpFunctionParameter is int
            ;                           = line 5:1: defined here
            %l1 = OpLabel
            OpReturnValue %f1
            OpFunctionEnd
            %caller = OpFunction %void None %fn
            ;                    ^^^^^ error[function-type]: the function type returns float, but Result Type is void
            ;                        = line 4:1: defined here
            %q = OpFunctionParameter %float
            %r = OpFunctionParameter %float
            ;^ error[function-type]: expected 1 parameter, as in the function type, found 2
            %l2 = OpLabel
            %a = OpFunctionCall %float %callee
            ;                          ^^^^^^^ error[function-type]: `%callee`: expected 1 argument, found 0
            ;                                = line 9:1: defined here
            %b = OpFunctionCall %int %callee %f1
            ;                   ^^^^ error[function-type]: `%callee` returns float, but Result Type is int
            ;                      = line 5:1: defined here
            %c = OpFunctionCall %float %callee %callee
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
