//! Decorations of buffers and of types with an explicit layout.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{Capability, Decoration, Op, StorageClass};

use super::entry_points::has_inside;
use super::{DECORATION, Found, ModuleFinding, held, variables};
use crate::code::Id;
use crate::contents::Known;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::annotation::{is_heap, name};
use crate::rules::block_layout::{BLOCK_LAYOUT, Layout, Misplaced, Missing};

pub(super) fn check_buffers(m: &RuleContext<'_>, found: &mut Found) {
    let vulkan = m.scope.env.is_vulkan();
    let mut push_constants: FxHashSet<Id> = FxHashSet::default();
    // What holds of a type is found out once, however many variables have it.
    let (mut blocks, mut buffer_blocks): (Known<()>, Known<()>) = Default::default();
    let mut explicit = Explicit::new(m);
    let mut laid_out_types: FxHashSet<(Id, u32)> = FxHashSet::default();
    for variable in variables(m) {
        let (id, class) = (variable.id(), variable.operand(2));
        let decorated = |kind: u32| m.is_decorated(id, kind);
        let bound = |found: &mut Found| {
            // Heaps of descriptors have no binding, and a line that was not understood may give one.
            if is_heap(m, id) || m.may_be_decorated(id) {
                return;
            }
            for kind in [Decoration::DescriptorSet, Decoration::Binding] {
                if !decorated(kind) && m.scope.references(id).next().is_some() {
                    let vuid = if vulkan { " [VUID-StandaloneSpirv-UniformConstant-06677]" } else { "" };
                    let message = format!("missing {} decoration on `{}`{vuid}", name(kind), m.name(id));
                    found.push(variable.at, &DECORATION, message);
                    return;
                }
            }
        };
        if vulkan && class == StorageClass::PushConstant {
            for entry in m.scope.references(id) {
                let function = m.scope.entry_points.get(entry as usize).map_or(NONE, |e| e.function);
                if !push_constants.insert(function) {
                    found.push(variable.at, &DECORATION, "an entry point must not use more than one push constant block [VUID-StandaloneSpirv-OpEntryPoint-06674]");
                    break;
                }
            }
        }
        if vulkan && class == StorageClass::UniformConstant {
            bound(found);
        }
        let workgroup = class == StorageClass::Workgroup
            && m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        let laid_out = workgroup
            || matches!(
                class,
                StorageClass::Uniform
                    | StorageClass::PushConstant
                    | StorageClass::StorageBuffer
                    | StorageClass::PhysicalStorageBuffer
            );
        if !laid_out {
            continue;
        }
        let mut ty = held(m, variable);
        if !workgroup && matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
            ty = m.element(ty);
        }
        if m.op(ty) != Op::TypeStruct {
            continue;
        }
        if vulkan {
            let block = has_inside(&mut blocks, m, ty, Decoration::Block);
            let buffer_block = has_inside(&mut buffer_blocks, m, ty, Decoration::BufferBlock);
            match class {
                StorageClass::StorageBuffer if buffer_block => {
                    found.push(variable.at, &DECORATION, "in Vulkan, a variable in StorageBuffer must not be decorated with BufferBlock [VUID-StandaloneSpirv-PushConstant-06675]");
                }
                _ if m.may_be_decorated(ty) => {}
                StorageClass::PushConstant | StorageClass::StorageBuffer if !block => {
                    found.push(
                        variable.at,
                        &DECORATION,
                        format!(
                            "missing Block decoration on `{}` [VUID-StandaloneSpirv-PushConstant-06675]",
                            m.name(ty)
                        ),
                    );
                }
                StorageClass::Uniform if !block && !buffer_block => {
                    found.push(
                        variable.at,
                        &DECORATION,
                        format!("missing Block or BufferBlock decoration on `{}` [VUID-StandaloneSpirv-Uniform-06676]", m.name(ty)),
                    );
                }
                _ => {}
            }
            if matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer) {
                bound(found);
            }
        }
        if !laid_out_types.insert((ty, class)) {
            continue;
        }
        for d in m.decorations(ty) {
            let block = d.kind == Decoration::Block;
            let buffer = d.kind == Decoration::BufferBlock;
            let uniform = class == StorageClass::Uniform;
            let uniform_rules = uniform && block;
            if uniform_rules || uniform && buffer || !uniform && block {
                explicit.check(ty, class, uniform_rules, variable.at, found);
                break;
            }
        }
    }
    // SPIRV-Tools of 2025 compares what such pointers go to with Vulkan's rules in every environment, that of 2026 in Vulkan's alone.
    let physical = m.scope.env.is_vulkan().then(|| m.scope.physical_pointers());
    for pointer in physical.into_iter().flatten() {
        let Some((class, pointee)) = m.pointer(pointer) else { continue };
        let misplaced = explicit.storage.check_pointee(pointee, class).err();
        misplaced.into_iter().for_each(|misplaced| explicit.report(misplaced, 0, found));
    }
}

/// The explicit layouts of a module's blocks.
struct Explicit<'a, 'm> {
    m: &'a RuleContext<'m>,
    missing: Missing,
    /// By the rules of uniform buffers and of storage buffers.
    uniform: Layout<'a, 'm>,
    storage: Layout<'a, 'm>,
    /// What was reported: blocks can share a structure.
    reported: FxHashSet<Misplaced>,
}

impl<'a, 'm> Explicit<'a, 'm> {
    fn new(m: &'a RuleContext<'m>) -> Self {
        let (uniform, storage) = (Layout::new(m, true), Layout::new(m, false));
        Explicit { m, missing: Missing::default(), uniform, storage, reported: FxHashSet::default() }
    }

    /// Checks the type that a variable holds.
    fn check(&mut self, ty: Id, class: u32, uniform: bool, variable: u32, found: &mut Found) {
        let is_vulkan = self.m.scope.env.is_vulkan();
        // Memory of a work group is laid out by the rules of Vulkan alone: SPIRV-Tools of 2026 asks nothing of it elsewhere.
        if class == StorageClass::Workgroup && !is_vulkan {
            return;
        }
        let misplaced = match self.missing.first(self.m, ty) {
            Some(_) if self.m.scope.has_unread_decorations() => None,
            Some(((structure, member), what)) => Some(Misplaced {
                structure: ty,
                member: None,
                message: format!(
                    "missing {what} decoration on member {member} of `{}`, which is used as a block",
                    self.m.name(structure)
                ),
            }),
            None if is_vulkan => {
                let layout = if uniform { &mut self.uniform } else { &mut self.storage };
                layout.check_pointee(ty, class).err()
            }
            None => None,
        };
        misplaced.into_iter().for_each(|misplaced| self.report(misplaced, variable, found));
    }

    /// Reports a structure at its declaration, or `elsewhere` without one, with the offset of the member.
    fn report(&mut self, misplaced: Misplaced, elsewhere: u32, found: &mut Found) {
        if !self.reported.insert(misplaced.clone()) {
            return;
        }
        let Misplaced { structure, member, message } = misplaced;
        let place = self.m.scope.defs.get(structure as usize).copied().unwrap_or(elsewhere);
        let mut offset = self.m.decorations(structure).iter();
        let offset = offset.rfind(|d| d.kind == Decoration::Offset && member.is_some() && d.member == member);
        let finding = ModuleFinding::new(place, &BLOCK_LAYOUT, message);
        found.add(finding.related(offset.map(|d| d.inst), "the offset of this member"));
    }
}

/// Pointer types to uniform blocks and storage buffers, and to storage images.
pub(super) fn writable_pointers(m: &RuleContext<'_>) -> FxHashSet<Id> {
    let mut pointers = FxHashSet::default();
    let mut seen = FxHashSet::default();
    for variable in variables(m) {
        let class = variable.operand(2);
        // An untyped pointer does not say what the variable holds.
        if variable.op() == Op::Variable && !seen.insert((variable.ty(), class)) {
            continue;
        }
        let mut ty = held(m, variable);
        if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
            ty = m.element(ty);
        }
        let decorated = |kind: u32| m.is_decorated(ty, kind);
        let block = match class {
            StorageClass::Uniform => decorated(Decoration::Block) || decorated(Decoration::BufferBlock),
            StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => decorated(Decoration::Block),
            _ => false,
        };
        if block {
            pointers.insert(variable.ty());
        }
    }
    for inst in m
        .scope
        .code
        .iter()
        .filter(|i| i.op() == Op::TypePointer && i.operand(1) == StorageClass::UniformConstant)
    {
        let mut ty = inst.operand(2);
        if matches!(m.op(ty), Op::TypeArray | Op::TypeRuntimeArray) {
            ty = m.element(ty);
        }
        if m.def(ty).is_some_and(|d| d.op() == Op::TypeImage && d.operand(6) == 2) {
            pointers.insert(inst.id());
        }
    }
    pointers
}

pub(super) fn allows_layout(m: &RuleContext<'_>, class: u32) -> bool {
    match class {
        StorageClass::UniformConstant => false,
        StorageClass::Workgroup => m.has_capability(Capability::WorkgroupMemoryExplicitLayoutKHR),
        StorageClass::Function | StorageClass::Private => m.scope.version <= 0x10400,
        _ => true,
    }
}

pub(super) fn uses_layout(m: &RuleContext<'_>, ty: Id, cache: &mut FxHashMap<Id, bool>, depth: u32) -> bool {
    if let Some(known) = cache.get(&ty) {
        return *known;
    }
    let Some(def) = m.def(ty).filter(|_| depth < 64) else { return false };
    let pointer = def.op() == Op::TypePointer;
    if !matches!(
        def.op(),
        Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray | Op::TypePointer | Op::TypeUntypedPointerKHR
    ) {
        return false;
    }
    let free = pointer && allows_layout(m, def.operand(1));
    let own = !free
        && m.decorations(ty).iter().any(|d| {
            matches!(
                d.kind,
                Decoration::Block
                    | Decoration::BufferBlock
                    | Decoration::Offset
                    | Decoration::ArrayStride
                    | Decoration::MatrixStride
            )
        });
    let result = own
        || match def.op() {
            Op::TypeStruct => m.members(ty).iter().any(|t| uses_layout(m, *t, cache, depth + 1)),
            Op::TypeArray | Op::TypeRuntimeArray => uses_layout(m, def.word(2), cache, depth + 1),
            Op::TypePointer if !free => uses_layout(m, def.word(3), cache, depth + 1),
            _ => false,
        };
    cache.insert(ty, result);
    result
}

pub(super) fn check_forbidden_layout(m: &RuleContext<'_>, found: &mut Found) {
    let mut cache = FxHashMap::default();
    for variable in variables(m) {
        let class = variable.operand(2);
        let ty = match variable.op() {
            Op::UntypedVariableKHR => variable.opt_operand(3).unwrap_or(variable.ty()),
            _ => variable.ty(),
        };
        if !allows_layout(m, class) && uses_layout(m, ty, &mut cache, 0) {
            let message = format!(
                "{} has an explicit layout, which is not allowed in this storage class [VUID-StandaloneSpirv-None-10684]",
                m.type_name(ty)
            );
            found.push(variable.at, &BLOCK_LAYOUT, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn blocks_say_how_they_are_laid_out() {
        let shader = Shader {
            head: "; target-env: vulkan1.3",
            annotations: "OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %var DescriptorSet 0
OpDecorate %other Block
OpMemberDecorate %other 0 Offset 0
OpMemberDecorate %other 1 Offset 2
OpDecorate %var2 DescriptorSet 0
OpDecorate %var2 Binding 0",
            types: "%block = OpTypeStruct %mat2
%p = OpTypePointer Uniform %block
%var = OpVariable %p Uniform
%other = OpTypeStruct %float %float
%p2 = OpTypePointer Uniform %other
%var2 = OpVariable %p2 Uniform
%plain = OpTypeStruct %float
%p3 = OpTypePointer StorageBuffer %plain
%var3 = OpVariable %p3 StorageBuffer",
            ..Shader::NEW
        };
        expect![[r#"
            error[block-layout] `%block`: missing MatrixStride decoration on member 0 of `%block`, which is used as a block
            error[block-layout] `%other`: member 1 of `%other` in Uniform at offset 2 is not aligned to 4 bytes (uniform buffer layout rules)
              11:1 `OpMemberDecorate %other 1 Offset 2`: the offset of this member
            error[decoration] `%var3`: missing Block decoration on `%plain` [VUID-StandaloneSpirv-PushConstant-06675]
        "#]].assert_eq(&shader.findings());
    }

    /// The storage classes in which a type with a decoration is not allowed.
    #[test]
    fn explicit_layouts_that_a_storage_class_does_not_allow() {
        let decorations = [
            ("", "%s"),
            ("OpDecorate %s Block", "%s"),
            ("OpDecorate %s BufferBlock", "%s"),
            ("OpMemberDecorate %s 0 Offset 0", "%s"),
            ("OpMemberDecorate %s 0 Offset 0", "%nested"),
            ("OpMemberDecorate %s 0 Offset 0", "%many"),
            ("OpMemberDecorate %s 0 Offset 0", "%holds"),
            ("OpDecorate %floats ArrayStride 4", "%floats"),
            ("OpDecorate %many ArrayStride 16", "%many"),
            ("OpMemberDecorate %matrices 0 MatrixStride 16", "%matrices"),
            ("OpMemberDecorate %s 0 NonWritable", "%s"),
            ("OpMemberDecorate %s 0 RelaxedPrecision", "%nested"),
        ];
        let classes = ["Private", "Workgroup", "Function", "UniformConstant", "Input", "Uniform"];
        let mut shown = String::new();
        for (env, capability) in [
            ("vulkan1.1", "Shader"),
            ("vulkan1.3", "Shader"),
            ("vulkan1.3", "WorkgroupMemoryExplicitLayoutKHR"),
            ("spv1.6", "Shader"),
        ] {
            for (annotations, ty) in decorations {
                shown += &format!("{env} {capability}, {ty} with {annotations}:");
                for class in classes {
                    let head = format!(
                        "; target-env: {env}\nOpCapability Shader\nOpCapability {capability}\n\
                        OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\""
                    );
                    let variable = format!("%v = OpVariable %p {class}");
                    let (global, local) =
                        if class == "Function" { ("", &*variable) } else { (&*variable, "") };
                    let types = format!(
                        "%s = OpTypeStruct %float\n%nested = OpTypeStruct %s %float\n\
                        %many = OpTypeArray %s %u2\n%floats = OpTypeArray %float %u2\n\
                        %matrices = OpTypeStruct %mat2\n%inner = OpTypePointer Private %s\n\
                        %holds = OpTypeStruct %inner\n%p = OpTypePointer {class} {ty}\n{global}"
                    );
                    let shader =
                        Shader { head: &head, annotations, types: &types, body: local, ..Shader::NEW };
                    if shader.findings().contains("has an explicit layout, which is not allowed in") {
                        shown += &format!(" {class}");
                    }
                }
                shown.push('\n');
            }
        }
        expect![[r#"
            vulkan1.1 Shader, %s with :
            vulkan1.1 Shader, %s with OpDecorate %s Block: Workgroup UniformConstant
            vulkan1.1 Shader, %s with OpDecorate %s BufferBlock: Workgroup UniformConstant
            vulkan1.1 Shader, %s with OpMemberDecorate %s 0 Offset 0: Workgroup UniformConstant
            vulkan1.1 Shader, %nested with OpMemberDecorate %s 0 Offset 0: Workgroup UniformConstant
            vulkan1.1 Shader, %many with OpMemberDecorate %s 0 Offset 0: Workgroup UniformConstant
            vulkan1.1 Shader, %holds with OpMemberDecorate %s 0 Offset 0:
            vulkan1.1 Shader, %floats with OpDecorate %floats ArrayStride 4: Workgroup UniformConstant
            vulkan1.1 Shader, %many with OpDecorate %many ArrayStride 16: Workgroup UniformConstant
            vulkan1.1 Shader, %matrices with OpMemberDecorate %matrices 0 MatrixStride 16: Workgroup UniformConstant
            vulkan1.1 Shader, %s with OpMemberDecorate %s 0 NonWritable:
            vulkan1.1 Shader, %nested with OpMemberDecorate %s 0 RelaxedPrecision:
            vulkan1.3 Shader, %s with :
            vulkan1.3 Shader, %s with OpDecorate %s Block: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %s with OpDecorate %s BufferBlock: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %s with OpMemberDecorate %s 0 Offset 0: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %nested with OpMemberDecorate %s 0 Offset 0: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %many with OpMemberDecorate %s 0 Offset 0: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %holds with OpMemberDecorate %s 0 Offset 0: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %floats with OpDecorate %floats ArrayStride 4: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %many with OpDecorate %many ArrayStride 16: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %matrices with OpMemberDecorate %matrices 0 MatrixStride 16: Private Workgroup Function UniformConstant
            vulkan1.3 Shader, %s with OpMemberDecorate %s 0 NonWritable:
            vulkan1.3 Shader, %nested with OpMemberDecorate %s 0 RelaxedPrecision:
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %s with :
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %s with OpDecorate %s Block: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %s with OpDecorate %s BufferBlock: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %s with OpMemberDecorate %s 0 Offset 0: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %nested with OpMemberDecorate %s 0 Offset 0: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %many with OpMemberDecorate %s 0 Offset 0: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %holds with OpMemberDecorate %s 0 Offset 0: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %floats with OpDecorate %floats ArrayStride 4: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %many with OpDecorate %many ArrayStride 16: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %matrices with OpMemberDecorate %matrices 0 MatrixStride 16: Private Function UniformConstant
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %s with OpMemberDecorate %s 0 NonWritable:
            vulkan1.3 WorkgroupMemoryExplicitLayoutKHR, %nested with OpMemberDecorate %s 0 RelaxedPrecision:
            spv1.6 Shader, %s with :
            spv1.6 Shader, %s with OpDecorate %s Block:
            spv1.6 Shader, %s with OpDecorate %s BufferBlock:
            spv1.6 Shader, %s with OpMemberDecorate %s 0 Offset 0:
            spv1.6 Shader, %nested with OpMemberDecorate %s 0 Offset 0:
            spv1.6 Shader, %many with OpMemberDecorate %s 0 Offset 0:
            spv1.6 Shader, %holds with OpMemberDecorate %s 0 Offset 0:
            spv1.6 Shader, %floats with OpDecorate %floats ArrayStride 4:
            spv1.6 Shader, %many with OpDecorate %many ArrayStride 16:
            spv1.6 Shader, %matrices with OpMemberDecorate %matrices 0 MatrixStride 16:
            spv1.6 Shader, %s with OpMemberDecorate %s 0 NonWritable:
            spv1.6 Shader, %nested with OpMemberDecorate %s 0 RelaxedPrecision:
        "#]].assert_eq(&shown);
    }
}
