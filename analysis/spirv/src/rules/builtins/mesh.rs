//! Built-ins that a mesh shader writes once a primitive: their types, their arrays' lengths, their decorations.

use wavelens_syntax::spirv::tables::{
    BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Kind, Op,
};

use super::{BUILT_IN, built_ins, name};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::scope::EntryPoint;
use crate::type_names;
use wavelens_base::{Verdict, fail};

/// Whether the built-in is one that a mesh shader gives each primitive.
pub(super) fn is_per_primitive(m: &RuleContext<'_>, built_in: u32) -> bool {
    built_in == BuiltIn::CullPrimitiveEXT
        || m.has_capability(Capability::MeshShadingEXT)
            && matches!(
                built_in,
                BuiltIn::Layer
                    | BuiltIn::ViewportIndex
                    | BuiltIn::PrimitiveId
                    | BuiltIn::PrimitiveShadingRateKHR
            )
}

/// `ty` is the type of the variable or member that `d` decorates.
pub(super) fn per_primitive(m: &RuleContext<'_>, inst: Inst<'_>, built_in: u32, ty: Id) -> Verdict {
    // What a fragment shader reads of it is another thing.
    if !m.scope.entry_points.iter().any(is_mesh) {
        return Ok(());
    }
    let (what, built_in_name) = (m.name(inst.id()), name(built_in));
    let arrayed = m.op(ty) == Op::TypeArray;
    let scalar = if arrayed { m.element(ty) } else { ty };
    if !arrayed && !m.has_decoration(inst.id(), Decoration::Block) {
        return fail(
            &BUILT_IN,
            format!("{built_in_name} must be an array or a member of a Block, `{what}` is neither"),
        );
    }
    let (fits, needed) = match built_in {
        BuiltIn::CullPrimitiveEXT => (m.is_bool(scalar), "Booleans"),
        _ => (m.is_signed(scalar), "signed integers"),
    };
    if !fits {
        let found = type_names::describe(m, scalar);
        return fail(
            &BUILT_IN,
            format!("expected {needed} for {built_in_name} in a mesh shader, found {found} in `{what}`"),
        );
    }
    let mut is_output = false;
    for (index, variable) in m.scope.listed_with(inst) {
        let entry = m.scope.entry_points.get(index as usize).filter(|entry| is_mesh(entry));
        let Some((entry, variable)) = entry.zip(m.def(variable)) else { continue };
        is_output = true;
        let mut others =
            entry.interface.iter().filter_map(|id| m.def(*id)).filter(|v| v.id() != variable.id());
        if let Some(other) = others.find(|other| carries(m, *other, built_in)) {
            return fail(
                &BUILT_IN,
                format!(
                    "entry point \"{}\" lists {built_in_name} twice: in `{}` and in `{}`",
                    entry.name,
                    m.name(variable.id()),
                    m.name(other.id())
                ),
            );
        }
        let length = array_length(m, variable);
        let primitives = output_primitives(m, entry);
        if length != Some(primitives) {
            return fail(
                &BUILT_IN,
                format!(
                    "`{}` has {} for {built_in_name}, but OutputPrimitivesEXT of entry point \"{}\" is {primitives}",
                    m.name(variable.id()),
                    length.map_or("a type other than an array".to_owned(), |n| format!("{n} elements")),
                    entry.name
                ),
            );
        }
    }
    if !is_output {
        return fail(
            &BUILT_IN,
            format!("`{what}` with {built_in_name} is not in the interface of any mesh shader"),
        );
    }
    // A Block's members are decorated one by one.
    let decorated = m.is_decorated(inst.id(), Decoration::PerPrimitiveEXT);
    if !decorated {
        return fail(
            &BUILT_IN,
            format!(
                "{built_in_name} in a mesh shader requires the PerPrimitiveEXT decoration, which `{what}` does not have"
            ),
        );
    }
    Ok(())
}

/// The indices of points, lines and triangles: an array for each primitive of the mode.
pub(super) fn indices(m: &RuleContext<'_>, inst: Inst<'_>, built_in: u32, ty: Id) -> Verdict {
    let mode = match built_in {
        BuiltIn::PrimitivePointIndicesEXT => ExecutionMode::OutputPoints,
        BuiltIn::PrimitiveLineIndicesEXT => ExecutionMode::OutputLinesEXT,
        BuiltIn::PrimitiveTriangleIndicesEXT => ExecutionMode::OutputTrianglesEXT,
        _ => return Ok(()),
    };
    let built_in_name = name(built_in);
    let length = m.def(ty).filter(|d| d.op() == Op::TypeArray).and_then(|d| m.uint(d.word(3)));
    let uses = |entry: &&EntryPoint| is_mesh(entry) && entry.interface.contains(&inst.id());
    for entry in m.scope.entry_points.iter().filter(uses) {
        if !m.scope.has_mode(entry.function, mode) {
            let needed = Kind::ExecutionMode.valued(mode).map_or("", |e| e.name);
            return fail(
                &BUILT_IN,
                format!(
                    "{built_in_name} requires the execution mode {needed}, which entry point \"{}\" does not have",
                    entry.name
                ),
            );
        }
        let primitives = output_primitives(m, entry);
        if let Some(length) = length.filter(|n| *n != 0 && *n != primitives) {
            return fail(
                &BUILT_IN,
                format!(
                    "`{}` has {length} elements for {built_in_name}, but OutputPrimitivesEXT of entry point \"{}\" is {primitives}",
                    m.name(inst.id()),
                    entry.name
                ),
            );
        }
    }
    Ok(())
}

fn is_mesh(entry: &EntryPoint) -> bool {
    matches!(entry.model, ExecutionModel::MeshEXT | ExecutionModel::MeshNV)
}

/// Whether a variable or a member of its structure is the built-in.
fn carries(m: &RuleContext<'_>, variable: Inst<'_>, built_in: u32) -> bool {
    [variable.id(), m.scope.held_element(variable.id())]
        .into_iter()
        .any(|id| built_ins(m, id).any(|(_, found)| found == built_in))
}

fn array_length(m: &RuleContext<'_>, variable: Inst<'_>) -> Option<u64> {
    let (_, pointee) = m.pointer(variable.ty())?;
    let array = m.def(pointee).filter(|d| d.op() == Op::TypeArray)?;
    Some(m.uint(array.word(3)).unwrap_or(0))
}

/// What OutputPrimitivesEXT says; 0 without it.
fn output_primitives(m: &RuleContext<'_>, entry: &EntryPoint) -> u64 {
    let set = m.scope.last_mode(entry.function, ExecutionMode::OutputPrimitivesEXT);
    set.map_or(0, |inst| u64::from(inst.operand(2)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::findings;

    const MESH: &str = r#"; target-env: vulkan1.3
OpCapability MeshShadingEXT
OpExtension "SPV_EXT_mesh_shader"
OpMemoryModel Logical GLSL450
OpEntryPoint MeshEXT %main "main" %indices %layer %block
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %main OutputVertices 3
OpExecutionMode %main OutputPrimitivesEXT 2
OpExecutionMode %main OutputTrianglesEXT
OpDecorate %indices BuiltIn PrimitiveTriangleIndicesEXT
OpDecorate %layer BuiltIn Layer
OpDecorate %layer PerPrimitiveEXT
OpDecorate %primitive Block
OpMemberDecorate %primitive 0 BuiltIn CullPrimitiveEXT
OpMemberDecorate %primitive 0 PerPrimitiveEXT
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%two = OpConstant %uint 2
%three = OpConstant %uint 3
%triangles = OpTypeArray %v3 %two
%layers = OpTypeArray %int %two
%primitive = OpTypeStruct %bool
%primitives = OpTypeArray %primitive %two
%out_triangles = OpTypePointer Output %triangles
%out_layers = OpTypePointer Output %layers
%out_primitives = OpTypePointer Output %primitives
%indices = OpVariable %out_triangles Output
%layer = OpVariable %out_layers Output
%block = OpVariable %out_primitives Output
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#;

    #[test]
    fn arrays_are_as_long_as_there_are_primitives() {
        assert_eq!(findings(MESH), "");
        let short = MESH.replace("OutputPrimitivesEXT 2", "OutputPrimitivesEXT 3");
        expect![[r#"
            error[built-in] 25:1 `%primitive = OpTypeStruct %bool`: `%block` has 2 elements for CullPrimitiveEXT, but OutputPrimitivesEXT of entry point "main" is 3
            error[built-in] 30:1 `%indices = OpVariable %out_triangles Output`: `%indices` has 2 elements for PrimitiveTriangleIndicesEXT, but OutputPrimitivesEXT of entry point "main" is 3
            error[built-in] 31:1 `%layer = OpVariable %out_layers Output`: `%layer` has 2 elements for Layer, but OutputPrimitivesEXT of entry point "main" is 3
        "#]].assert_eq(&findings(&short));
        let lines = MESH.replace("OutputTrianglesEXT", "OutputLinesEXT");
        expect![[r#"
            error[built-in] 30:1 `%indices = OpVariable %out_triangles Output`: PrimitiveTriangleIndicesEXT requires the execution mode OutputTrianglesEXT, which entry point "main" does not have
        "#]].assert_eq(&findings(&lines));
    }

    #[test]
    fn a_built_in_of_primitives_is_decorated_and_of_its_type() {
        let bare = MESH.replace("OpDecorate %layer PerPrimitiveEXT\n", "");
        expect![[r#"
            error[built-in] 30:1 `%layer = OpVariable %out_layers Output`: Layer in a mesh shader requires the PerPrimitiveEXT decoration, which `%layer` does not have
        "#]].assert_eq(&findings(&bare));
        let unsigned = MESH.replace("OpTypeArray %int %two", "OpTypeArray %uint %two");
        expect![[r#"
            error[built-in] 31:1 `%layer = OpVariable %out_layers Output`: expected signed integers for Layer in a mesh shader, found uint in `%layer`
        "#]].assert_eq(&findings(&unsigned));
        let no_block = MESH.replace("OpDecorate %primitive Block\n", "");
        expect![[r#"
            error[built-in] 24:1 `%primitive = OpTypeStruct %bool`: CullPrimitiveEXT must be an array or a member of a Block, `%primitive` is neither
        "#]].assert_eq(&findings(&no_block));
        let unlisted = MESH.replace(" %layer %block\n", " %block\n");
        expect![[r#"
            error[built-in] 31:1 `%layer = OpVariable %out_layers Output`: `%layer` with Layer is not in the interface of any mesh shader
        "#]].assert_eq(&findings(&unlisted));
    }
}
