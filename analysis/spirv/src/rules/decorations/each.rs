//! Each decoration on its own.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{
    Capability, Decoration, FPRoundingMode, LinkageType, MemoryModel, Op, StorageClass,
};

use super::buffers::{allows_layout, uses_layout, writable_pointers};
use super::{DECORATION, Found, ModuleFinding};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::ops;
use crate::rules::annotation::name;
use crate::rules::block_layout::BLOCK_LAYOUT;
use crate::rules::scopes;
use crate::scope;
use wavelens_base::{Verdict, fail, fail_at};

pub(super) fn check_repeated(m: &RuleContext<'_>, found: &mut Found) {
    const OTHER: &str = "the other decoration is here";
    // The last place of each.
    let mut seen: FxHashMap<(Id, Option<u32>, u32), u32> = FxHashMap::default();
    const EXCLUSIVE: [(u32, u32); 3] = [
        (Decoration::Block, Decoration::BufferBlock),
        (Decoration::Restrict, Decoration::Aliased),
        (Decoration::RestrictPointer, Decoration::AliasedPointer),
    ];
    const MEMBER_EXCLUSIVE: [(u32, u32); 1] = [(Decoration::RowMajor, Decoration::ColMajor)];
    for inst in m.scope.code.iter().filter(|i| i.is_whole()) {
        let (member, kind, pairs): (Option<u32>, u32, &[(u32, u32)]) = match inst.op() {
            Op::Decorate => (None, inst.operand(1), &EXCLUSIVE),
            Op::MemberDecorate => (Some(inst.operand(1)), inst.operand(2), &MEMBER_EXCLUSIVE),
            _ => continue,
        };
        let target = inst.operand(0);
        let before = seen.insert((target, member, kind), inst.at);
        let repeatable =
            kind == Decoration::UserSemantic || kind == Decoration::FuncParamAttr && member.is_none();
        let what = match member {
            Some(n) => format!("member {n} of `{}`", m.name(target)),
            None => format!("`{}`", m.name(target)),
        };
        if before.is_some() && !repeatable {
            let message = format!("{what} is already decorated with {}", name(kind));
            found.add(ModuleFinding::new(inst.at, &DECORATION, message).related(before, OTHER));
            continue;
        }
        for (a, b) in pairs {
            let other = if kind == *a {
                *b
            } else if kind == *b {
                *a
            } else {
                continue;
            };
            if let Some(place) = seen.get(&(target, member, other)) {
                let message =
                    format!("{what} must not be decorated with both {} and {}", name(kind), name(other));
                found.add(ModuleFinding::new(inst.at, &DECORATION, message).related(Some(*place), OTHER));
            }
        }
    }
}

fn is_imported(m: &RuleContext<'_>, id: Id) -> bool {
    m.decorations(id).iter().any(|d| {
        d.kind == Decoration::LinkageAttributes
            && m.scope.params(d).len() >= 2
            && m.scope.params(d).last() == Some(&LinkageType::Import)
    })
}

pub(super) fn check_linkage(m: &RuleContext<'_>, found: &mut Found) {
    for inst in m.scope.code.iter().filter(|i| i.is_whole()) {
        match inst.op() {
            Op::Variable
                if inst.operand(2) != StorageClass::Function
                    && inst.words().len() == 5
                    && is_imported(m, inst.id()) =>
            {
                found.push(inst.at, &DECORATION, "an imported variable must not have an initializer");
            }
            Op::Function => {
                let has_body = m.scope.functions.get(&inst.id()).is_some_and(|f| f.has_body);
                match (has_body, is_imported(m, inst.id())) {
                    (false, false) if !m.may_be_decorated(inst.id()) => {
                        found.push(
                            inst.at,
                            &DECORATION,
                            "a function without a body requires the decoration LinkageAttributes with Import",
                        );
                    }
                    (true, true) => {
                        found.push(inst.at, &DECORATION, "a function with a body must not be imported")
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

pub(super) fn check_decorations(m: &RuleContext<'_>, found: &mut Found) {
    let writable = writable_pointers(m);
    for id in 0..m.scope.texts.len() as u32 {
        let decorations = m.scope.decorations(id);
        if decorations.is_empty() || m.op(id) == Op::DecorationGroup || m.op(id) == Op::Nop {
            continue;
        }
        for decoration in decorations {
            check_decoration(m, id, decoration, &writable, found);
        }
    }
}

fn check_decoration(
    m: &RuleContext<'_>,
    id: Id,
    d: &scope::Decoration,
    writable: &FxHashSet<Id>,
    found: &mut Found,
) {
    let (op, ty) = (m.op(id), m.type_of(id));
    let mut wrong = |message: String| found.push(d.inst, &DECORATION, message);
    // `decoration-target` reports wrong targets of OpDecorate, this rule those of decoration groups.
    let is_direct = m.scope.code.inst(d.inst).is_some_and(|i| i.op() == Op::Decorate);
    let is_member = d.member.is_some() && op == Op::TypeStruct;
    match d.kind {
        Decoration::Coherent | Decoration::Volatile if m.scope.memory_model == Some(MemoryModel::Vulkan) => {
            wrong(format!("{} is not allowed with the Vulkan memory model", name(d.kind)));
        }
        Decoration::Component => {
            let first = m.scope.params(d).first().copied().unwrap_or(0);
            component(m, id, d.member, first).into_iter().for_each(wrong);
        }
        Decoration::FPRoundingMode if m.has_capability(Capability::Shader) => {
            rounding_mode(m, op, m.scope.params(d).first().copied()).into_iter().for_each(wrong);
        }
        Decoration::NonWritable if d.member.is_none() => {
            non_writable(m, id, is_direct, writable).into_iter().for_each(wrong);
        }
        Decoration::Uniform | Decoration::UniformId if ty == NONE => {
            wrong(format!("{} can decorate only values", name(d.kind)));
        }
        Decoration::Uniform | Decoration::UniformId if m.is_void(ty) => {
            wrong(format!("{} must not decorate a void value", name(d.kind)));
        }
        Decoration::UniformId => {
            if let Some(inst) = m.scope.code.inst(d.inst).filter(|i| i.op() == Op::DecorateId)
                && let Err(fault) = scopes::uniform(m, inst)
            {
                found.push(d.inst, fault.rule, fault.message);
            }
        }
        Decoration::NoSignedWrap | Decoration::NoUnsignedWrap
            if !matches!(
                op,
                Op::IAdd
                    | Op::ISub
                    | Op::IMul
                    | Op::ShiftLeftLogical
                    | Op::SNegate
                    | Op::ExtInst
                    | Op::ExtInstWithForwardRefsKHR
            ) =>
        {
            wrong(format!("{} must not decorate the result of {}", name(d.kind), op.name()));
        }
        Decoration::Block | Decoration::BufferBlock if op != Op::TypeStruct && !is_direct => {
            wrong(format!("{} can decorate only structure types", name(d.kind)));
        }
        Decoration::Location
            if op != Op::Variable && !is_member && (op == Op::UntypedVariableKHR || !is_direct) =>
        {
            wrong("Location can decorate only variables and structure members".to_owned());
        }
        Decoration::RelaxedPrecision if ops::generates_type(op) && !is_member => {
            wrong("RelaxedPrecision must not decorate a type".to_owned());
        }
        _ => {}
    }
}

fn rounding_mode(m: &RuleContext<'_>, op: Op, mode: Option<u32>) -> Option<String> {
    if op != Op::FConvert {
        return Some(format!(
            "FPRoundingMode can decorate only the result of OpFConvert, this is the result of {}",
            op.name()
        ));
    }
    let is_allowed = matches!(mode, Some(FPRoundingMode::RTE | FPRoundingMode::RTZ));
    (m.scope.env.is_vulkan() && !is_allowed).then(|| {
        "in Vulkan, the rounding mode must be RTE or RTZ [VUID-StandaloneSpirv-FPRoundingMode-04675]"
            .to_owned()
    })
}

/// `writable` are the pointer types to memory that NonWritable can make read-only.
fn non_writable(m: &RuleContext<'_>, id: Id, is_direct: bool, writable: &FxHashSet<Id>) -> Option<String> {
    let op = m.op(id);
    // Such a target is reported as one that is not a pointer.
    if is_direct && !m.is_pointer(m.type_of(id)) {
        return None;
    }
    let class = match op {
        Op::Variable => m.def(id).map_or(NONE, |v| v.operand(2)),
        Op::UntypedVariableKHR => m.def(id).map_or(NONE, |v| v.operand(3)),
        Op::FunctionParameter | Op::RawAccessChainNV => NONE,
        _ if is_direct => return None,
        _ => {
            return Some(format!(
                "NonWritable can decorate only variables and parameters, this is the result of {}",
                op.name()
            ));
        }
    };
    // A variable inside a function has its class in its pointer type.
    let is_private = matches!(class, StorageClass::Function | StorageClass::Private)
        || op == Op::Variable && m.def(id).is_none();
    let is_unknown =
        m.def(m.type_of(id)).is_some_and(|ty| ty.op() == Op::TypePointer && m.def(ty.word(3)).is_none());
    let is_allowed = is_unknown
        || is_private && m.scope.version >= 0x10400
        || class == StorageClass::TileAttachmentQCOM
        || op == Op::RawAccessChainNV
        || writable.contains(&m.type_of(id));
    (!is_allowed).then(|| {
        "NonWritable can decorate only storage images, uniform blocks and storage buffers".to_owned()
    })
}

fn component(m: &RuleContext<'_>, id: Id, member: Option<u32>, component: u32) -> Option<String> {
    let mut ty = match member {
        None => {
            let op = m.op(id);
            if !matches!(op, Op::Variable | Op::FunctionParameter) {
                return Some("Component can decorate only variables and parameters".to_owned());
            }
            let class = m.def(id).filter(|d| d.op() == Op::Variable).map(|d| d.operand(2));
            if class.is_some_and(|c| !matches!(c, StorageClass::Input | StorageClass::Output)) {
                return Some("Component can decorate only variables in Input or Output".to_owned());
            }
            let ty = m.type_of(id);
            m.pointer(ty).map_or(ty, |p| p.1)
        }
        Some(index) => *m.members(id).get(index as usize)?,
    };
    if !m.scope.env.is_vulkan() {
        return None;
    }
    while m.op(ty) == Op::TypeArray {
        ty = m.element(ty);
    }
    if !m.is_int_scalar_or_vector(ty) && !m.is_float_scalar_or_vector(ty) {
        return Some(format!(
            "Component can decorate only scalars and vectors, found {} [VUID-StandaloneSpirv-Component-10583]",
            m.type_name(ty)
        ));
    }
    let (n, width) = (m.dimension(ty), m.width(ty));
    let wide = width == 64;
    let end = component.saturating_add(if wide { 2 * n } else { n });
    let wrong = component > 3
        || matches!(width, 16 | 32) && end > 4
        || wide && (n > 2 || component == 1 || component == 3 || end > 4);
    wrong.then(|| {
        let vuid = match component {
            4.. => "04920",
            _ if wide && n > 2 => "07703",
            1 | 3 if wide => "04923",
            _ if wide => "04922",
            _ => "04921",
        };
        format!(
            "{} does not fit at component {component} [VUID-StandaloneSpirv-Component-{vuid}]",
            m.type_name(ty)
        )
    })
}

/// Variables in Function with an explicit layout: the part of the rule about function bodies.
pub(in crate::rules) fn local_variable(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.op() == Op::Variable
        && m.scope.env.is_vulkan()
        && inst.operand(2) == StorageClass::Function
        && !allows_layout(m, inst.operand(2))
        && uses_layout(m, inst.ty(), &mut FxHashMap::default(), 0)
    {
        return fail_at(
            &BLOCK_LAYOUT,
            0,
            format!(
                "{} has an explicit layout, which is not allowed in Function [VUID-StandaloneSpirv-None-10684]",
                m.type_name(inst.ty())
            ),
        );
    }
    Ok(())
}

/// What a rounding conversion is for in shaders: a store of 16-bit floats to where other stages or the host see them.
pub(in crate::rules) fn rounding(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.op() != Op::FConvert
        || !m.has_capability(Capability::Shader)
        || !m.has_decoration(inst.id(), Decoration::FPRoundingMode)
    {
        return Ok(());
    }
    let users = m.insts().filter(|user| user.ids().any(|(_, _, id)| id == inst.id()));
    for user in users.filter(|user| user.op() != Op::FConvert && !user.is_non_semantic()) {
        if user.op() != Op::Store {
            let message = format!(
                "a value decorated with FPRoundingMode can be used only by OpStore, found {}",
                user.op().name()
            );
            return fail(&DECORATION, message);
        }
        let Some((class, pointee)) = m.pointer(m.operand_type(user, 0)) else { continue };
        if !m.is_float_scalar_or_vector(pointee) || m.width(pointee) != 16 {
            let message = format!(
                "a value decorated with FPRoundingMode must be stored as a 16-bit float, found {}",
                m.type_name(pointee)
            );
            return fail(&DECORATION, message);
        }
        let is_shared = matches!(
            class,
            StorageClass::StorageBuffer
                | StorageClass::Uniform
                | StorageClass::PushConstant
                | StorageClass::Input
                | StorageClass::Output
                | StorageClass::PhysicalStorageBuffer
        );
        if !is_shared {
            return fail(
                &DECORATION,
                "a value decorated with FPRoundingMode can be stored only to a buffer, push constant, input or output",
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn a_decoration_stands_once_where_it_belongs() {
        let shader = Shader {
            head: "; target-env: vulkan1.3",
            annotations: "OpDecorate %a Location 0
OpDecorate %a Location 1
OpDecorate %b NonWritable
OpDecorate %c Component 5
OpDecorate %c Location 3",
            types: "%p = OpTypePointer Private %float
%a = OpVariable %p Private
%b = OpVariable %p Private
%q = OpTypePointer Input %vec4
%c = OpVariable %q Input",
            ..Shader::NEW
        };
        expect![[r#"
            error[decoration-target] `%a`: in Vulkan, Location cannot decorate a variable in Private [VUID-StandaloneSpirv-Location-06672]
              34:1 `%a`: defined here
            error[decoration] `OpDecorate %a Location 1`: `%a` is already decorated with Location
              6:1 `OpDecorate %a Location 0`: the other decoration is here
            error[decoration-target] `%a`: in Vulkan, Location cannot decorate a variable in Private [VUID-StandaloneSpirv-Location-06672]
              34:1 `%a`: defined here
            error[decoration] `OpDecorate %c Component 5`: vec4 does not fit at component 5 [VUID-StandaloneSpirv-Component-04920]
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn a_scope_of_uniformity_is_a_scope() {
        let shader = Shader {
            head: "; target-env: vulkan1.2",
            annotations: "OpDecorateId %f1 UniformId %u0\nOpDecorateId %v2 UniformId %u2\nOpDecorateId %v4 UniformId %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[scope] `OpDecorateId %f1 UniformId %u0`: in Vulkan, the execution scope must be Workgroup or Subgroup [VUID-StandaloneSpirv-None-04636]
            error[scope] `OpDecorateId %v4 UniformId %f1`: expected a 32-bit integer as scope
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn what_is_rounded_is_stored_in_16_bits() {
        let shader = Shader {
            head: "; target-env: spv1.3\nOpCapability Shader\nOpCapability StorageBuffer16BitAccess",
            annotations: "OpDecorate %a FPRoundingMode RTE\nOpDecorate %b FPRoundingMode RTE\nOpDecorate %c FPRoundingMode RTE",
            types: "%half = OpTypeFloat 16
%p_half = OpTypePointer StorageBuffer %half
%p_float = OpTypePointer StorageBuffer %float
%vh = OpVariable %p_half StorageBuffer
%vf = OpVariable %p_float StorageBuffer",
            body: "%a = OpFConvert %half %f1
OpStore %vh %a
%b = OpFConvert %float %f1
OpStore %vf %b
%c = OpFConvert %half %f1
%d = OpCopyObject %half %c",
            ..Shader::NEW
        };
        expect![[r#"
            error[decoration] `%b = OpFConvert %float %f1`: a value decorated with FPRoundingMode must be stored as a 16-bit float, found float
            error[decoration] `%c = OpFConvert %half %f1`: a value decorated with FPRoundingMode can be used only by OpStore, found OpCopyObject
        "#]].assert_eq(&shader.findings());
    }
}
