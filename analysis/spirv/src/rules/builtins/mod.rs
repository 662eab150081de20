//! Built-in variables in Vulkan: their types, storage classes and stages.

mod mesh;
mod spec;
mod vuid;

use wavelens_syntax::spirv::tables::{
    BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Kind, Op, StorageClass,
};

use self::spec::{COMPUTE, Ty, spec, words};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::scope::{self, EntryPoint, model_name};
use crate::type_names;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail};

wavelens_syntax::rules! {
    BUILT_IN {
        code: "built-in",
        severity: Severity::Error,
        title: "a built-in variable has the type, storage class and execution models that Vulkan requires",
        explain: "The driver writes or reads the variable as the Vulkan specification describes it; another type or shader stage has no defined meaning. The message ends with the VUID of the rule.",
        example: r#"; target-env: vulkan1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%ptr = OpTypePointer Input %uint
%id = OpVariable %ptr Input
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"; target-env: vulkan1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%ptr = OpTypePointer Input %uvec3
%id = OpVariable %ptr Input
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "Vulkan specification, Built-In Variables; SPIRV-Tools validate_builtins.cpp: \"According to the\", \"spec BuiltIn\"; VUID-FragDepth-FragDepth-04216, and the VUIDs of each built-in",
    }
}

fn fits(m: &RuleContext<'_>, ty: Id, needed: Ty) -> bool {
    let element = |op: Op| m.def(ty).filter(|d| d.op() == op).map_or(NONE, |d| d.word(2));
    let array = element(Op::TypeArray);
    let vector = |id: Id, count: u32| m.dimension(id) == count && m.width(id) == 32;
    match needed {
        Ty::Any => true,
        Ty::Bool => m.is_bool(ty),
        Ty::Int => m.is_int(ty),
        Ty::I32 => m.is_int(ty) && m.width(ty) == 32,
        Ty::I32s(n) => m.is_int_vector(ty) && vector(ty, n),
        Ty::I32Array => m.is_int(array) && m.width(array) == 32,
        Ty::I32sArray(n) => m.is_int_vector(array) && vector(array, n),
        Ty::F32 => m.is_float(ty) && m.width(ty) == 32,
        Ty::F32s(n) => m.is_float_vector(ty) && vector(ty, n),
        Ty::F32Array(n) => {
            let length = m.def(ty).and_then(|d| m.uint(d.word(3)));
            m.is_float(array) && m.width(array) == 32 && (n == 0 || length.is_none_or(|l| l == u64::from(n)))
        }
        Ty::F32x3x4 => m.matrix(ty).is_some_and(|(rows, columns, _, component)| {
            rows == 3 && columns == 4 && m.is_float(component) && m.width(component) == 32
        }),
        Ty::Vertex(inner) => fits(m, ty, *inner) || array != NONE && fits(m, array, *inner),
    }
}

fn name(built_in: u32) -> &'static str {
    Kind::BuiltIn.valued(built_in).map_or("the built-in", |e| e.name)
}

/// Built-ins that an id or its members are decorated with.
fn built_ins<'m>(m: &'m RuleContext<'_>, id: Id) -> impl Iterator<Item = (&'m scope::Decoration, u32)> {
    let all = m.decorations_of(id, Decoration::BuiltIn);
    all.filter_map(|d| Some((d, m.scope.params(d).first().copied()?)))
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.id() == NONE {
        return Ok(());
    }
    let vulkan = m.scope.env.is_vulkan();
    for (d, built_in) in built_ins(m, inst.id()) {
        if built_in == BuiltIn::WorkgroupSize {
            if vulkan && d.member.is_none() {
                if !fits(m, inst.ty(), Ty::I32s(3)) {
                    return wrong_type(m, inst, built_in, Ty::I32s(3), inst.ty());
                }
                for entry in entries(m, inst.id()) {
                    if !COMPUTE.contains(&entry.model) {
                        return not_in_stage(entry, built_in, "");
                    }
                }
            }
            let size =
                inst.words().get(3..).filter(|_| inst.op() == Op::ConstantComposite).unwrap_or_default();
            let known = size.iter().all(|id| m.op(*id) == Op::Constant);
            if known && size.iter().any(|id| m.uint(*id) == Some(0)) {
                let message = format!("no component of WorkgroupSize `{}` may be 0", m.name(inst.id()));
                return fail(&BUILT_IN, message);
            }
            continue;
        }
        if vulkan {
            defined(m, inst, d, built_in)?;
        }
    }
    if vulkan && inst.op() == Op::Variable {
        let mut pointee = m.pointer(inst.ty()).map_or(NONE, |(_, p)| p);
        for (_, built_in) in built_ins(m, inst.id()) {
            variable(m, inst, built_in, true)?;
        }
        for _ in 0..4 {
            if matches!(m.op(pointee), Op::TypeArray | Op::TypeRuntimeArray) {
                pointee = m.element(pointee);
            }
        }
        if m.op(pointee) == Op::TypeStruct {
            for (_, built_in) in built_ins(m, pointee) {
                variable(m, inst, built_in, false)?;
            }
        }
    }
    Ok(())
}

fn wrong_type(m: &RuleContext<'_>, inst: Inst<'_>, built_in: u32, needed: Ty, ty: Id) -> Verdict {
    let found = type_names::describe(m, ty);
    let what = m.name(inst.id());
    fail(
        &BUILT_IN,
        format!(
            "expected {} for the built-in {}, but `{what}` is {found}{}",
            words(needed),
            name(built_in),
            vuid::of(built_in, vuid::TYPE)
        ),
    )
}

/// Built-ins that only variables have in Vulkan, never members of a structure.
const VARIABLES: &[u32] = &[
    BuiltIn::SubgroupId,
    BuiltIn::NumSubgroups,
    BuiltIn::SubgroupLocalInvocationId,
    BuiltIn::SubgroupSize,
    BuiltIn::SubgroupEqMask,
    BuiltIn::SubgroupGeMask,
    BuiltIn::SubgroupGtMask,
    BuiltIn::SubgroupLeMask,
    BuiltIn::SubgroupLtMask,
];

/// The type of what is decorated.
fn defined(m: &RuleContext<'_>, inst: Inst<'_>, d: &scope::Decoration, built_in: u32) -> Verdict {
    if built_in == BuiltIn::VertexId {
        return fail(&BUILT_IN, "the built-in VertexId is not supported in Vulkan; use VertexIndex");
    }
    if d.member.is_some() && VARIABLES.contains(&built_in) {
        let message = format!("the built-in {} must not decorate a member of a structure", name(built_in));
        return fail(&BUILT_IN, message);
    }
    let Some(spec) = spec(built_in) else { return Ok(()) };
    let ty = match d.member {
        Some(member) => m.members(inst.id()).get(member as usize).copied(),
        None => Some(m.pointer(inst.ty()).map_or(inst.ty(), |(_, p)| p)),
    };
    let Some(ty) = ty.filter(|t| *t != NONE && m.def(*t).is_some()) else { return Ok(()) };
    if mesh::is_per_primitive(m, built_in) {
        return mesh::per_primitive(m, inst, built_in, ty);
    }
    let is_used = || match d.member {
        Some(_) => m.scope.listed_with(inst).iter().any(|(_, id)| entries(m, *id).next().is_some()),
        None => entries(m, inst.id()).next().is_some(),
    };
    // A library has no stage, and what no function uses is in none.
    if is_typed_by_stage(built_in) && !is_used() {
        return Ok(());
    }
    // A structure is arrayed around, not inside.
    let needed = match spec.ty {
        Ty::Vertex(one) if d.member.is_some() => *one,
        ty => ty,
    };
    if !fits(m, ty, needed) {
        return wrong_type(m, inst, built_in, needed, ty);
    }
    mesh::indices(m, inst, built_in, ty)
}

/// The storage class of a variable that is or holds a built-in, and the stages that use it.
///
/// `is_decorated` says that it is one.
fn variable(m: &RuleContext<'_>, inst: Inst<'_>, built_in: u32, is_decorated: bool) -> Verdict {
    let Some(spec) = spec(built_in) else { return Ok(()) };
    let class = inst.operand(2);
    let (input, output) = (class == StorageClass::Input, class == StorageClass::Output);
    let allowed = input && spec.input || output && spec.output;
    if !allowed {
        let classes = match (spec.input, spec.output) {
            (true, true) => "Input or Output",
            (true, false) => "Input",
            _ => "Output",
        };
        let vuid = vuid::of(built_in, vuid::CLASS);
        let message = format!(
            "the storage class of a variable with built-in {} must be {classes}{vuid}",
            name(built_in)
        );
        return fail(&BUILT_IN, message);
    }
    for entry in entries(m, inst.id()) {
        let model = entry.model;
        if let Ty::Vertex(one) = spec.ty
            && is_decorated
            && is_single(built_in, model)
        {
            let ty = m.pointer(inst.ty()).map_or(NONE, |(_, p)| p);
            if !fits(m, ty, *one) {
                return wrong_type(m, inst, built_in, *one, ty);
            }
        }
        let excluded = !spec.models.is_empty() && !spec.models.contains(&model)
            || input && spec.no_input.contains(&model)
            || output && spec.no_output.contains(&model)
            || built_in == BuiltIn::ViewIndex && model == ExecutionModel::GLCompute;
        if excluded {
            return not_in_stage(entry, built_in, if input { " as an input" } else { " as an output" });
        }
        if built_in == BuiltIn::FragDepth && !m.scope.has_mode(entry.function, ExecutionMode::DepthReplacing)
        {
            return fail(
                &BUILT_IN,
                format!(
                    "FragDepth requires the execution mode DepthReplacing on entry point \"{}\" [VUID-FragDepth-FragDepth-04216]",
                    entry.name
                ),
            );
        }
        let layered = matches!(built_in, BuiltIn::Layer | BuiltIn::ViewportIndex)
            && matches!(model, ExecutionModel::Vertex | ExecutionModel::TessellationEvaluation);
        let own = if built_in == BuiltIn::Layer {
            Capability::ShaderLayer
        } else {
            Capability::ShaderViewportIndex
        };
        if layered && !m.has_capability(Capability::ShaderViewportIndexLayerEXT) && !m.has_capability(own) {
            return fail(
                &BUILT_IN,
                format!(
                    "{} in a {} entry point requires the ShaderLayer or ShaderViewportIndex capability",
                    name(built_in),
                    model_name(model)
                ),
            );
        }
    }
    Ok(())
}

/// Entry points that use an id: one for each model with its modes.
fn entries<'m>(m: &'m RuleContext<'_>, id: Id) -> impl Iterator<Item = &'m EntryPoint> {
    let kinds = m.scope.kinds_of_references(id).iter();
    kinds.filter_map(|index| m.scope.entry_points.get(*index as usize))
}

/// Whether the stage decides the type of a built-in.
fn is_typed_by_stage(built_in: u32) -> bool {
    matches!(built_in, BuiltIn::ClipDistance | BuiltIn::CullDistance | BuiltIn::Position | BuiltIn::PointSize)
}

/// Whether a stage has the built-in for one vertex at a time.
fn is_single(built_in: u32, model: u32) -> bool {
    match built_in {
        BuiltIn::ClipDistance | BuiltIn::CullDistance => {
            matches!(model, ExecutionModel::Vertex | ExecutionModel::Fragment)
        }
        BuiltIn::Position | BuiltIn::PointSize => model == ExecutionModel::Vertex,
        _ => false,
    }
}

fn not_in_stage(entry: &EntryPoint, built_in: u32, class: &str) -> Verdict {
    fail(
        &BUILT_IN,
        format!(
            "the {} entry point \"{}\" must not use the built-in {}{class}{}",
            model_name(entry.model),
            entry.name,
            name(built_in),
            vuid::of(built_in, vuid::MODEL)
        ),
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{Shader, marks};

    #[test]
    fn a_built_in_has_its_type_class_and_stage() {
        let shader = Shader {
            head: "; target-env: vulkan1.3",
            entry: r#"OpEntryPoint GLCompute %main "main" %id %position
OpExecutionMode %main LocalSize 1 1 1"#,
            annotations: "OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %position BuiltIn Position",
            types: "%in_uint = OpTypePointer Input %uint
%in_v4 = OpTypePointer Input %vec4
%id = OpVariable %in_uint Input
%position = OpVariable %in_v4 Input",
            body: "%x = OpLoad %vec4 %position",
        };
        expect![[r#"
            error[built-in] `%id = OpVariable %in_uint Input`: expected a vector of 3 32-bit integers for the built-in GlobalInvocationId, but `%id` is uint [VUID-GlobalInvocationId-GlobalInvocationId-04238]
            error[built-in] `%position = OpVariable %in_v4 Input`: the GLCompute entry point "main" must not use the built-in Position as an input [VUID-Position-Position-04318]
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn a_vertex_shader_has_one_position_and_no_workgroup() {
        let shader = Shader {
            head: "; target-env: vulkan1.3",
            entry: r#"OpEntryPoint Vertex %main "main" %position"#,
            annotations: "OpDecorate %position BuiltIn Position
OpDecorate %size BuiltIn WorkgroupSize",
            types: "%v3uint = OpTypeVector %uint 3
%size = OpConstantComposite %v3uint %u3 %u3 %u3
%positions = OpTypeArray %vec4 %u3
%out = OpTypePointer Output %positions
%position = OpVariable %out Output",
            body: "%p = OpLoad %positions %position
%x = OpCompositeExtract %uint %size 0",
        };
        expect![[r#"
            error[built-in] `%size = OpConstantComposite %v3uint %u3 %u3 %u3`: the Vertex entry point "main" must not use the built-in WorkgroupSize [VUID-WorkgroupSize-WorkgroupSize-04425]
            error[built-in] `%position = OpVariable %out Output`: expected a vector of 4 32-bit floats for the built-in Position, but `%position` is vec4[3] [VUID-Position-Position-04321]
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn a_library_decides_no_type_that_depends_on_the_stage() {
        marks(expect![[r#"
            ; target-env: vulkan1.3
            OpCapability Shader
            OpCapability Linkage
            ;            ^^^^^^^ error[environment-capability]: vulkan1.3 does not support the Linkage capability
            OpMemoryModel Logical GLSL450
            OpDecorate %s Block
            OpMemberDecorate %s 0 BuiltIn Position
            OpMemberDecorate %s 1 BuiltIn Position
            %float = OpTypeFloat 32
            %s = OpTypeStruct %float %float
        "#]]);
    }

    #[test]
    fn a_block_that_no_function_uses_is_in_no_stage() {
        marks(expect![[r#"
            ; target-env: vulkan1.1
            OpCapability Geometry
            OpMemoryModel Logical GLSL450
            OpEntryPoint Geometry %main "main" %out %used
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[entry-point]: an entry point must not have more than one block of built-ins for input and one for output
            ;                                       ^^^^^ error[entry-point]: duplicate built-in Position among the output variables: `%used` [VUID-StandaloneSpirv-OpEntryPoint-09659]
            ;                                           = line 19:1: the other variable
            OpExecutionMode %main InputPoints
            OpExecutionMode %main OutputPoints
            OpExecutionMode %main OutputVertices 1
            OpDecorate %block Block
            OpMemberDecorate %block 0 BuiltIn Position
            OpDecorate %read Block
            OpMemberDecorate %read 0 BuiltIn Position
            %void = OpTypeVoid
            %fn = OpTypeFunction %void
            %float = OpTypeFloat 32
            %block = OpTypeStruct %float
            %read = OpTypeStruct %float
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^ error[built-in]: expected a vector of 4 32-bit floats for the built-in Position, but `%read` is float [VUID-Position-Position-04321]
            %ptr = OpTypePointer Output %block
            %read_ptr = OpTypePointer Output %read
            %out = OpVariable %ptr Output
            %used = OpVariable %read_ptr Output
            %main = OpFunction %void None %fn
            %label = OpLabel
            %v = OpLoad %read %used
            OpReturn
            OpFunctionEnd
        "#]]);
    }

    #[test]
    fn members_are_not_what_only_variables_are() {
        marks(expect![[r#"
            ; target-env: vulkan1.3
            OpCapability Shader
            OpCapability GroupNonUniform
            OpCapability Linkage
            ;            ^^^^^^^ error[environment-capability]: vulkan1.3 does not support the Linkage capability
            OpMemoryModel Logical GLSL450
            OpMemberDecorate %s 0 BuiltIn SubgroupSize
            %uint = OpTypeInt 32 0
            %s = OpTypeStruct %uint
            ;^^^^^^^^^^^^^^^^^^^^^^ error[built-in]: the built-in SubgroupSize must not decorate a member of a structure
        "#]]);
        marks(expect![[r#"
            ; target-env: spv1.6
            OpCapability Shader
            OpCapability GroupNonUniform
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            OpMemberDecorate %s 0 BuiltIn SubgroupSize
            %uint = OpTypeInt 32 0
            %s = OpTypeStruct %uint
        "#]]);
    }
}
