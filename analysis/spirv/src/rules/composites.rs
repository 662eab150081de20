//! Building, taking apart and copying composites (SPIR-V specification, section 3.52.12).

use wavelens_syntax::spirv::tables::{Capability, Op};
use wavelens_syntax::wording;

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use crate::rules::instruction;
use wavelens_base::Severity;
use wavelens_base::{Fault, Part, Verdict, fail};

wavelens_syntax::rules! {
    COMPOSITE_TYPE {
        code: "composite-type",
        severity: Severity::Error,
        title: "indexes stay within the composite, and types match those of its parts",
        explain: "An index beyond the end of a composite has no meaning, and a value of another type cannot be inserted.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%vec4 = OpTypeVector %float 4
%v = OpConstantComposite %vec4 %one %one %one %one
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%w = OpCompositeExtract %float %v 4
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%vec4 = OpTypeVector %float 4
%v = OpConstantComposite %vec4 %one %one %one %one
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%w = OpCompositeExtract %float %v 3
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, Composite Instructions; SPIRV-Tools validate_composites.cpp: \"out of bounds\", \"Expected Constituents to be scalars or vectors\"",
    }
}

fn wrong<T>(operand: usize, message: impl Into<String>) -> Result<T, Box<Fault>> {
    Err(Fault::new(&COMPOSITE_TYPE, message).at(Part::Operand(operand)))
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::VectorExtractDynamic => vector_extract(m, inst)?,
        Op::VectorInsertDynamic => vector_insert(m, inst)?,
        Op::VectorShuffle => shuffle(m, inst)?,
        Op::CompositeConstruct => construct(m, inst)?,
        Op::CompositeExtract => {
            let found = indexed(m, inst, 2)?;
            expect(m, inst, 0, found, inst.ty())?;
        }
        Op::CompositeInsert => {
            expect(m, inst, 3, m.operand_type(inst, 3), inst.ty())?;
            let place = indexed(m, inst, 3)?;
            expect(m, inst, 2, m.operand_type(inst, 2), place)?;
        }
        Op::CopyObject => {
            expect(m, inst, 2, m.operand_type(inst, 2), inst.ty())?;
            if m.is_void(inst.ty()) {
                return wrong(0, "OpCopyObject must not copy void");
            }
            return Ok(());
        }
        Op::Transpose => transpose(m, inst)?,
        Op::CopyLogical => {
            let source = m.operand_type(inst, 2);
            if source == inst.ty() {
                return wrong(2, "Operand and Result Type must be different types; use OpCopyObject");
            }
            if !m.logically_match(source, inst.ty(), false) {
                let (source, result) = m.type_names(source, inst.ty());
                return wrong(2, format!("{source} does not match {result} member by member"));
            }
        }
        _ => return Ok(()),
    }
    if m.has_capability(Capability::Shader)
        && let Some(capability) = m.missing_arithmetic(inst.ty())
    {
        let what = format!("the use of {} in {}", m.type_name(inst.ty()), inst.op().name());
        return Err(instruction::missing_arithmetic(&COMPOSITE_TYPE, 0, &what, capability));
    }
    Ok(())
}

fn expect(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, found: Id, needed: Id) -> Verdict {
    // An undefined type is reported where it is named.
    if found == needed || found != NONE && m.def(found).is_none() {
        return Ok(());
    }
    let name = m.name(inst.operand(operand));
    let (needed, found) = m.type_names(needed, found);
    let text = match operand {
        0 => format!("Result Type is {needed}, but the selected part is {found}"),
        _ => format!("expected {needed}, but `{name}` is {found}"),
    };
    wrong(operand, text)
}

/// The type that the literal indexes after operand `composite` lead to.
fn indexed(m: &RuleContext<'_>, inst: Inst<'_>, composite: usize) -> Result<Id, Box<Fault>> {
    let first = composite + 1;
    let count = inst.count().saturating_sub(first);
    if count == 0 {
        return wrong(composite, format!("{} requires at least one index", inst.op().name()));
    }
    if count > 255 {
        return wrong(first, format!("{count} indexes exceed the limit of 255"));
    }
    let mut ty = m.operand_type(inst, composite);
    if ty == NONE {
        return wrong(composite, format!("`{}` is not a value", m.name(inst.operand(composite))));
    }
    for operand in first..inst.count() {
        let index = inst.operand(operand);
        let Some(def) = m.def(ty) else { return Ok(inst.ty()) };
        let (size, next) = match def.op() {
            Op::TypeVector | Op::TypeMatrix => (Some(u64::from(def.word(3))), def.word(2)),
            Op::TypeArray if ops::is_spec_constant(m.op(def.word(3))) => (None, def.word(2)),
            Op::TypeArray => (m.uint(def.word(3)), def.word(2)),
            Op::TypeRuntimeArray
            | Op::TypeNodePayloadArrayAMDX
            | Op::TypeVectorIdEXT
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeCooperativeMatrixNV => (None, def.word(2)),
            Op::TypeStruct => {
                let members = m.members(ty);
                (Some(members.len() as u64), members.get(index as usize).copied().unwrap_or(NONE))
            }
            _ => {
                return wrong(
                    operand,
                    format!("index {index} has nothing to select: {} is not a composite", m.type_name(ty)),
                );
            }
        };
        if size.is_some_and(|n| u64::from(index) >= n) {
            return wrong(operand, format!("index {index} is out of range for {}", m.type_name(ty)));
        }
        ty = next;
    }
    Ok(ty)
}

fn is_vector(m: &RuleContext<'_>, ty: Id) -> bool {
    m.is_vector(ty) || m.is_coop_vector(ty)
}

fn vector_extract(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_scalar(inst.ty()) {
        return wrong(0, format!("expected a scalar as Result Type, found {}", m.describe_operand(inst, 0)));
    }
    let vector = m.operand_type(inst, 2);
    if !is_vector(m, vector) {
        return wrong(2, format!("`{}` is not a vector", m.name(inst.operand(2))));
    }
    expect(m, inst, 0, m.element(vector), inst.ty())?;
    if !m.is_int(m.operand_type(inst, 3)) {
        return wrong(3, format!("expected an integer as Index, found {}", m.describe_operand(inst, 3)));
    }
    Ok(())
}

fn vector_insert(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !is_vector(m, inst.ty()) {
        return wrong(0, format!("expected a vector as Result Type, found {}", m.describe_operand(inst, 0)));
    }
    expect(m, inst, 2, m.operand_type(inst, 2), inst.ty())?;
    expect(m, inst, 3, m.operand_type(inst, 3), m.element(inst.ty()))?;
    if !m.is_int(m.operand_type(inst, 4)) {
        return wrong(4, format!("expected an integer as Index, found {}", m.describe_operand(inst, 4)));
    }
    Ok(())
}

fn check_count(m: &RuleContext<'_>, inst: Inst<'_>, needed: u64) -> Verdict {
    let given = inst.count().saturating_sub(2) as u64;
    if given == needed {
        return Ok(());
    }
    wrong(
        0,
        format!(
            "expected {} for {}, found {given}",
            wording::number(needed as usize, "constituents"),
            m.type_name(inst.ty())
        ),
    )
}

fn construct(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(ty) = m.def(inst.ty()) else { return Ok(()) };
    let operands = 2..inst.count();
    match ty.op() {
        Op::TypeVector | Op::TypeVectorIdEXT => {
            let vector = ty.op() == Op::TypeVector;
            if vector && inst.count() <= 3 {
                return wrong(0, "a vector must be constructed from at least 2 constituents");
            }
            let needed = if vector { Some(ty.word(3)) } else { m.const_int32(ty.word(3)).1 };
            let mut given = 0;
            for operand in operands {
                let own = m.operand_type(inst, operand);
                if own == ty.word(2) {
                    given += 1;
                } else if m.is_vector(own) && m.element(own) == ty.word(2) {
                    given = m.dimension(own).saturating_add(given);
                } else {
                    return wrong(
                        operand,
                        format!(
                            "`{}` is {}, but a constituent of {} must be a scalar or vector of {}",
                            m.name(inst.operand(operand)),
                            m.type_name(own),
                            m.type_name(inst.ty()),
                            m.type_name(ty.word(2))
                        ),
                    );
                }
            }
            match needed {
                Some(n) if n != given => {
                    wrong(0, format!("{} needs {n} components, found {given}", m.type_name(inst.ty())))
                }
                _ => Ok(()),
            }
        }
        Op::TypeMatrix => {
            check_count(m, inst, u64::from(ty.word(3)))?;
            operands.clone().try_for_each(|i| expect(m, inst, i, m.operand_type(inst, i), ty.word(2)))
        }
        Op::TypeArray => {
            if ops::is_spec_constant(m.op(ty.word(3))) {
                return Ok(());
            }
            if let Some(n) = m.uint(ty.word(3)) {
                check_count(m, inst, n)?;
            }
            operands.clone().try_for_each(|i| expect(m, inst, i, m.operand_type(inst, i), ty.word(2)))
        }
        Op::TypeStruct => {
            let members = m.members(inst.ty());
            check_count(m, inst, members.len() as u64)?;
            members
                .iter()
                .enumerate()
                .try_for_each(|(i, member)| expect(m, inst, i + 2, m.operand_type(inst, i + 2), *member))
        }
        Op::TypeCooperativeMatrixKHR | Op::TypeCooperativeMatrixNV => {
            check_count(m, inst, 1)?;
            expect(m, inst, 2, m.operand_type(inst, 2), ty.word(2))
        }
        _ => wrong(0, format!("{} is not a composite type", m.type_name(inst.ty()))),
    }
}

fn transpose(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((rows, columns, _, component)) = m.matrix(inst.ty()) else {
        return wrong(0, format!("expected a matrix as Result Type, found {}", m.describe_operand(inst, 0)));
    };
    let source = m.operand_type(inst, 2);
    let Some((own_rows, own_columns, _, own_component)) = m.matrix(source) else {
        return wrong(2, format!("`{}` is not a matrix", m.name(inst.operand(2))));
    };
    if component != own_component || rows != own_columns || columns != own_rows {
        return fail(
            &COMPOSITE_TYPE,
            format!("{} is not the transpose of {}", m.type_name(inst.ty()), m.type_name(source)),
        );
    }
    Ok(())
}

fn shuffle(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_vector(inst.ty()) {
        return wrong(0, format!("expected a vector as Result Type, found {}", m.describe_operand(inst, 0)));
    }
    let given = inst.count().saturating_sub(4);
    if given != m.dimension(inst.ty()) as usize {
        return wrong(
            0,
            format!(
                "expected one component index for each component of {}, found {given}",
                m.type_name(inst.ty())
            ),
        );
    }
    let mut size = 0;
    for operand in [2, 3] {
        let ty = m.operand_type(inst, operand);
        if !m.is_vector(ty) {
            return wrong(operand, format!("`{}` is not a vector", m.name(inst.operand(operand))));
        }
        if m.element(ty) != m.element(inst.ty()) {
            return wrong(
                operand,
                format!("the component type of {} differs from that of Result Type", m.type_name(ty)),
            );
        }
        size = m.dimension(ty).saturating_add(size);
    }
    for operand in 4..inst.count() {
        let index = inst.operand(operand);
        if index != u32::MAX && index >= size {
            return wrong(
                operand,
                format!(
                    "component index {index} is out of range: both vectors together have {size} components"
                ),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
