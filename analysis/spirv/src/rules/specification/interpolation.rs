//! Interpolation decorations: one kind on one variable, in Input and Output only, and not inside of nested structures.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{Decoration, ExecutionModel, Op, StorageClass};

use crate::code::Id;
use crate::context::RuleContext;
use crate::rules::annotation::name;
use crate::rules::decorations::{Found, ModuleFinding, held, variables};
use crate::type_names::storage_class_name;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    INTERPOLATION {
        code: "interpolation",
        severity: Severity::Warning,
        title: "interpolation decorations fit the variable and do not contradict each other",
        explain: "Flat, NoPerspective, Sample and Centroid say how the inputs of a fragment shader are interpolated. Flat excludes NoPerspective, and Sample excludes Centroid; only variables and blocks of Input and Output are interpolated, and a decoration in a structure within the block is not looked at.\n\nSwitch it off for generators that leave unused decorations.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %x
OpExecutionMode %main OriginUpperLeft
OpDecorate %x Flat
OpDecorate %x NoPerspective
OpDecorate %x Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%ptr = OpTypePointer Input %float
%x = OpVariable %ptr Input
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %x
OpExecutionMode %main OriginUpperLeft
OpDecorate %x Flat
OpDecorate %x Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%ptr = OpTypePointer Input %float
%x = OpVariable %ptr Input
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.20: Flat, NoPerspective, Sample and Centroid are only valid for the Input and Output storage classes, on a memory object declaration or a member of a structure type; Vulkan specification, Interpolation Decorations",
    }
}

const KINDS: [u32; 4] =
    [Decoration::Flat, Decoration::NoPerspective, Decoration::Sample, Decoration::Centroid];
const EXCLUSIVE: [(u32, u32); 2] =
    [(Decoration::Flat, Decoration::NoPerspective), (Decoration::Sample, Decoration::Centroid)];

pub(super) fn module(m: &RuleContext<'_>, found: &mut Found) {
    let mut seen: FxHashMap<(Id, Option<u32>, u32), u32> = FxHashMap::default();
    for inst in m.scope.code.iter().filter(|inst| inst.is_whole()) {
        let (member, kind) = match inst.op() {
            Op::Decorate => (None, inst.operand(1)),
            Op::MemberDecorate => (Some(inst.operand(1)), inst.operand(2)),
            _ => continue,
        };
        if !KINDS.contains(&kind) {
            continue;
        }
        let target = inst.operand(0);
        seen.insert((target, member, kind), inst.at);
        for (a, b) in EXCLUSIVE {
            let other = if kind == a { b } else { a };
            if kind != a && kind != b {
                continue;
            }
            if let Some(place) = seen.get(&(target, member, other)) {
                let message = format!("{} and {} exclude each other", name(other), name(kind));
                let finding = ModuleFinding::new(inst.at, &INTERPOLATION, message);
                found.add(finding.related(Some(*place), "the other decoration is here"));
            }
        }
        if member.is_none()
            && let Some(variable) = m.def(target).filter(|def| def.op() == Op::Variable)
            && !matches!(variable.operand(2), StorageClass::Input | StorageClass::Output)
        {
            let class = storage_class_name(variable.operand(2));
            let message =
                format!("{} has no meaning for a variable in {class}, only in Input and Output", name(kind));
            found.add(
                ModuleFinding::new(inst.at, &INTERPOLATION, message)
                    .related(Some(variable.at), "the variable"),
            );
        }
    }
    if !seen.is_empty() {
        nested(m, &seen, found);
        types(m, found);
    }
}

/// Members of structures within blocks.
fn nested(m: &RuleContext<'_>, seen: &FxHashMap<(Id, Option<u32>, u32), u32>, found: &mut Found) {
    let mut decorated: Vec<(Id, u32, u32)> = seen
        .iter()
        .filter(|((_, member, _), _)| member.is_some())
        .map(|((id, _, kind), at)| (*id, *kind, *at))
        .collect();
    decorated.sort_unstable_by_key(|(.., at)| *at);
    if decorated.is_empty() {
        return;
    }
    let interfaces: Vec<Id> = variables(m)
        .filter(|variable| matches!(variable.operand(2), StorageClass::Input | StorageClass::Output))
        .map(|variable| element(m, held(m, variable)))
        .collect();
    for (structure, kind, at) in decorated {
        let is_block = interfaces.contains(&structure);
        let outer =
            interfaces.iter().find(|block| m.members(**block).iter().any(|ty| element(m, *ty) == structure));
        if let Some(outer) = outer.filter(|_| !is_block) {
            let message = format!(
                "{} of a member of `{}`, a structure in the block `{}`: only the block's own members are interpolated",
                name(kind),
                m.name(structure),
                m.name(*outer)
            );
            found.push(at, &INTERPOLATION, message);
        }
    }
}

fn element(m: &RuleContext<'_>, mut ty: Id) -> Id {
    for _ in 0..8 {
        match m.op(ty) {
            Op::TypeArray | Op::TypeRuntimeArray => ty = m.element(ty),
            _ => break,
        }
    }
    ty
}

/// Inputs of fragment shaders that cannot be interpolated; of Vulkan the reference checks it.
fn types(m: &RuleContext<'_>, found: &mut Found) {
    if m.scope.env.is_vulkan() {
        return;
    }
    for entry in m.scope.entry_points.iter().filter(|entry| entry.model == ExecutionModel::Fragment) {
        for id in &entry.interface {
            let Some(variable) = m.def(*id).filter(|def| def.op() == Op::Variable) else { continue };
            if variable.operand(2) != StorageClass::Input || m.is_decorated(*id, Decoration::BuiltIn) {
                continue;
            }
            let ty = element(m, held(m, variable));
            let is_exact =
                m.is_int_scalar_or_vector(ty) || m.is_float_scalar_or_vector(ty) && m.width(ty) == 64;
            let wrong = [Decoration::NoPerspective, Decoration::Sample, Decoration::Centroid];
            let Some(kind) = wrong.into_iter().find(|kind| m.has_decoration(*id, *kind)) else { continue };
            if is_exact && !m.has_decoration(*id, Decoration::Flat) {
                let message = format!(
                    "`{}` is {}, which is not interpolated: it must be Flat, not {}",
                    m.name(*id),
                    m.type_name(ty),
                    name(kind)
                );
                let at = m.decorations_of(*id, kind).next().map_or(variable.at, |d| d.inst);
                found.add(
                    ModuleFinding::new(at, &INTERPOLATION, message)
                        .related(Some(variable.at), "the variable"),
                );
            }
        }
    }
}
