//! Offsets and strides of blocks (SPIR-V specification, section 2.16.2; Vulkan specification, Offset and Stride Assignment).

mod missing;

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{AddressingModel, Capability, Decoration, Op, StorageClass};

use crate::code::Id;
use crate::context::RuleContext;
use crate::ops;
use crate::type_names::storage_class_name;
use wavelens_base::Severity;
use wavelens_base::configuration::{DeviceFeature, DeviceFeatures};

pub(super) use self::missing::Missing;

wavelens_syntax::rules! {
    BLOCK_LAYOUT {
        code: "block-layout",
        severity: Severity::Error,
        title: "a block has explicit, aligned offsets and strides without overlap",
        explain: "Memory that is shared with the host requires Offset on every member, ArrayStride on arrays, and MatrixStride with RowMajor or ColMajor on matrices, aligned by the rules of its storage class. If the device supports another layout, `--device-feature`, `device-features` in wavelens.toml and the setting `wavelens.deviceFeatures` enable it: relaxed-block-layout, uniform-buffer-standard-layout, scalar-block-layout, workgroup-scalar-block-layout. The message names the feature that allows the layout, if one does.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %View Block
%float = OpTypeFloat 32
%View = OpTypeStruct %float
%ptr = OpTypePointer Uniform %View
%view = OpVariable %ptr Uniform
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %View Block
OpMemberDecorate %View 0 Offset 0
%float = OpTypeFloat 32
%View = OpTypeStruct %float
%ptr = OpTypePointer Uniform %View
%view = OpVariable %ptr Uniform
"#,
        source: "SPIR-V specification, section 2.16.2; Vulkan specification, Shader Resource and Storage Class Correspondence; SPIRV-Tools validate_decorations.cpp: \"must be explicitly laid out with Offset decorations\"; VUID-StandaloneSpirv-None-10684",
    }
}

/// Types nested deeper are not looked into.
const DEPTH: u32 = 64;

/// All alignments divide this number of bytes.
const PERIOD: u32 = 256;

#[derive(Clone, Copy, Default)]
struct Constraint {
    row_major: bool,
    matrix_stride: u32,
}

/// The layout rules that a block follows.
pub(super) struct Layout<'a, 'm> {
    m: &'a RuleContext<'m>,
    handle_size: OnceCell<u32>,
    constraints: FxHashMap<(Id, u32), Constraint>,
    /// Alignments of structures that were computed before; with and without rounding up.
    alignments: RefCell<FxHashMap<(Id, Option<bool>), u32>>,
    /// What was found at structures at offsets modulo [`PERIOD`], in workgroup memory or not.
    checked: RefCell<FxHashMap<(Id, u32, bool), Found>>,
    /// What the device allows.
    features: DeviceFeatures,
    /// Uniform buffer rules (std140), not those of storage buffers (std430).
    uniform: bool,
    class: u32,
}

/// A member of a structure in a block. Offset, size and alignment are in bytes.
struct Member {
    structure: Id,
    index: u32,
    ty: Id,
    /// [`u32::MAX`] without an Offset decoration.
    offset: u32,
    size: u32,
    alignment: u32,
    constraint: Constraint,
}

/// What is wrong with the layout of a structure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Misplaced {
    pub(super) structure: Id,
    /// The member that is misplaced.
    pub(super) member: Option<u32>,
    pub(super) message: String,
}

pub(crate) type Found = Result<(), Misplaced>;

fn align(x: u32, to: u32) -> u32 {
    x.wrapping_add(to).wrapping_sub(1) & !to.wrapping_sub(1)
}

fn is_aligned(offset: u32, to: u32) -> bool {
    if to == 0 { offset == 0 } else { offset.is_multiple_of(to) }
}

fn member_word(m: &RuleContext<'_>, id: Id, member: u32, kind: u32) -> Option<u32> {
    let d = m.member_decorations(id, member).rfind(|d| d.kind == kind)?;
    m.scope.params(d).first().copied()
}

/// What a decoration says by a number or by the id of a constant: what is not known before specialization is [`UNKNOWN`].
fn number_of(m: &RuleContext<'_>, decoration: &crate::scope::Decoration) -> Option<u32> {
    let parameter = m.scope.params(decoration).first().copied()?;
    Some(match decoration.kind {
        Decoration::OffsetIdEXT | Decoration::ArrayStrideIdEXT => {
            let is_spec = m.def(parameter).is_none_or(|def| ops::is_spec_constant(def.op()));
            m.const_int32(parameter).1.filter(|_| !is_spec).unwrap_or(UNKNOWN)
        }
        _ => parameter,
    })
}

/// An offset or a stride that follows from a specialization constant.
const UNKNOWN: u32 = u32::MAX;

/// In bytes; `None` for a member without an offset.
fn member_offset(m: &RuleContext<'_>, id: Id, member: u32) -> Option<u32> {
    let kinds = [Decoration::Offset, Decoration::OffsetIdEXT];
    number_of(m, m.member_decorations(id, member).rfind(|d| kinds.contains(&d.kind))?)
}

/// In bytes; `None` for an array without a stride.
pub(super) fn array_stride(m: &RuleContext<'_>, id: Id) -> Option<u32> {
    let kinds = [Decoration::ArrayStride, Decoration::ArrayStrideIdEXT];
    number_of(m, m.decorations(id).iter().find(|d| kinds.contains(&d.kind))?)
}

impl<'a, 'm> Layout<'a, 'm> {
    pub(super) fn new(m: &'a RuleContext<'m>, uniform: bool) -> Self {
        Layout {
            m,
            handle_size: OnceCell::new(),
            constraints: FxHashMap::default(),
            alignments: RefCell::default(),
            checked: RefCell::default(),
            uniform: uniform && !m.scope.features.device.has(DeviceFeature::UNIFORM_BUFFER_STANDARD_LAYOUT),
            class: 0,
            features: m.scope.features.device,
        }
    }

    /// The same rules with a feature that the device does not have.
    fn with(&self, feature: DeviceFeature) -> Self {
        let uniform = self.uniform && feature != DeviceFeature::UNIFORM_BUFFER_STANDARD_LAYOUT;
        Layout { features: self.features.with(feature), ..Layout::new(self.m, uniform) }
    }

    /// Whether members are aligned to their scalars.
    fn is_scalar(&self) -> bool {
        self.features.has(DeviceFeature::SCALAR_BLOCK_LAYOUT)
            || self.is_workgroup() && self.features.has(DeviceFeature::WORKGROUP_SCALAR_BLOCK_LAYOUT)
    }

    fn is_workgroup(&self) -> bool {
        self.class == StorageClass::Workgroup
    }

    fn is_relaxed(&self) -> bool {
        self.m.scope.features.relaxed_block_layout || self.features.has(DeviceFeature::RELAXED_BLOCK_LAYOUT)
    }

    /// Checks a type that a pointer of a storage class goes to. A structure that was found wrong at the same offset in another one is
    /// wrong in the same way.
    pub(super) fn check_pointee(&mut self, id: Id, class: u32) -> Found {
        let found = self.check_with_these(id, class);
        found.map_err(|misplaced| match self.allowing(id, class) {
            Some(feature) => {
                let message = format!("{}; the feature {} allows it", misplaced.message, feature.vulkan);
                Misplaced { message, ..misplaced }
            }
            None => misplaced,
        })
    }

    fn check_with_these(&mut self, id: Id, class: u32) -> Found {
        self.class = class;
        self.constrain(id, 0);
        self.check(id, 0, 0)
    }

    /// The weakest feature with which a layout is right.
    fn allowing(&self, id: Id, class: u32) -> Option<DeviceFeature> {
        let workgroup = DeviceFeature::WORKGROUP_SCALAR_BLOCK_LAYOUT;
        let layouts = DeviceFeature::ALL.iter().copied().filter(|feature| match *feature {
            DeviceFeature::RELAXED_BLOCK_LAYOUT | DeviceFeature::SCALAR_BLOCK_LAYOUT => !self.is_workgroup(),
            DeviceFeature::UNIFORM_BUFFER_STANDARD_LAYOUT => self.uniform,
            feature => feature == workgroup && self.is_workgroup(),
        });
        let mut missing = layouts.filter(|feature| !self.features.has(*feature));
        missing.find(|feature| self.with(*feature).check_with_these(id, class).is_ok())
    }

    fn constrain(&mut self, id: Id, depth: u32) {
        if depth > DEPTH {
            return;
        }
        match self.m.op(id) {
            Op::TypeArray | Op::TypeRuntimeArray => self.constrain(self.m.element(id), depth + 1),
            Op::TypeStruct if !self.constraints.contains_key(&(id, 0)) => {
                for (index, ty) in self.m.members(id).iter().enumerate() {
                    let member = index as u32;
                    let has = |kind: u32| self.m.has_member_decoration(id, member, kind);
                    let constraint = Constraint {
                        row_major: has(Decoration::RowMajor) && !has(Decoration::ColMajor),
                        matrix_stride: member_word(self.m, id, member, Decoration::MatrixStride).unwrap_or(0),
                    };
                    self.constraints.insert((id, member), constraint);
                    self.constrain(*ty, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn constraint(&self, id: Id, member: u32) -> Constraint {
        self.constraints.get(&(id, member)).copied().unwrap_or_default()
    }

    fn pointer_size(&self) -> u32 {
        if self.m.scope.addressing_model == Some(AddressingModel::Physical32) { 4 } else { 8 }
    }

    /// The size of an image or a sampler, in bytes.
    fn handle_size(&self) -> u32 {
        *self.handle_size.get_or_init(|| {
            let mode = self.m.scope.code.iter().find(|i| i.op() == Op::SamplerImageAddressingModeNV);
            match mode {
                Some(mode) if self.m.has_capability(Capability::BindlessTextureNV) => mode.operand(0) / 8,
                _ => 0,
            }
        })
    }

    /// The alignment of an image or a sampler, in bytes. Without the device nothing is known of it.
    fn handle_alignment(&self) -> u32 {
        self.handle_size().max(1)
    }

    /// The alignment of a structure, computed once.
    fn known_alignment(&self, id: Id, round_up: Option<bool>, compute: impl FnOnce() -> u32) -> u32 {
        let key = (id, round_up);
        if let Some(known) = self.alignments.borrow().get(&key) {
            return *known;
        }
        let alignment = compute();
        self.alignments.borrow_mut().insert(key, alignment);
        alignment
    }

    fn base_alignment(&self, id: Id, round_up: bool, inherited: Constraint, depth: u32) -> u32 {
        let Some(def) = self.m.def(id).filter(|_| depth < DEPTH) else { return 1 };
        let inner = |id: Id| self.base_alignment(id, round_up, inherited, depth + 1);
        let vector = |component: u32, n: u32| component.saturating_mul(if n == 3 || n > 4 { 4 } else { n });
        let rounded = |x: u32| if round_up { align(x, 16) } else { x };
        match def.op() {
            Op::TypeSampledImage | Op::TypeSampler | Op::TypeImage => self.handle_alignment(),
            Op::TypeInt | Op::TypeFloat => def.word(2) / 8,
            Op::TypeVector | Op::TypeVectorIdEXT => vector(inner(def.word(2)), self.m.dimension(id)),
            Op::TypeMatrix if inherited.row_major => {
                rounded(vector(inner(self.m.element(def.word(2))), def.word(3)))
            }
            Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray => rounded(inner(def.word(2))),
            Op::TypeStruct => self.known_alignment(id, Some(round_up), || {
                let members = self.m.members(id).iter().enumerate();
                let largest = members.map(|(i, ty)| {
                    self.base_alignment(*ty, round_up, self.constraint(id, i as u32), depth + 1)
                });
                rounded(largest.max().unwrap_or(1).max(1))
            }),
            Op::TypePointer | Op::TypeUntypedPointerKHR => self.pointer_size(),
            _ => 1,
        }
    }

    /// The alignment that the rules ask of a member or an element.
    fn alignment(&self, id: Id, inherited: Constraint) -> u32 {
        match self.is_scalar() {
            true => self.scalar_alignment(id, 0),
            false => self.base_alignment(id, self.uniform, inherited, 0),
        }
    }

    fn scalar_alignment(&self, id: Id, depth: u32) -> u32 {
        let Some(def) = self.m.def(id).filter(|_| depth < DEPTH) else { return 1 };
        match def.op() {
            Op::TypeSampledImage | Op::TypeSampler | Op::TypeImage => self.handle_alignment(),
            Op::TypeInt | Op::TypeFloat => def.word(2) / 8,
            Op::TypeVector | Op::TypeVectorIdEXT | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray => {
                self.scalar_alignment(def.word(2), depth + 1)
            }
            Op::TypeStruct => self.known_alignment(id, None, || {
                let members = self.m.members(id).iter();
                members.map(|t| self.scalar_alignment(*t, depth + 1)).max().unwrap_or(1).max(1)
            }),
            Op::TypePointer | Op::TypeUntypedPointerKHR => self.pointer_size(),
            _ => 1,
        }
    }

    fn size(&self, id: Id, inherited: Constraint, depth: u32) -> u32 {
        let Some(def) = self.m.def(id).filter(|_| depth < DEPTH) else { return 0 };
        match def.op() {
            Op::TypeSampledImage | Op::TypeSampler | Op::TypeImage => self.handle_size(),
            Op::TypeInt | Op::TypeFloat => def.word(2) / 8,
            Op::TypeVector | Op::TypeVectorIdEXT => {
                self.size(def.word(2), inherited, depth + 1).wrapping_mul(self.m.dimension(id))
            }
            Op::TypeArray => {
                let Some(length) = self.m.def(def.word(3)).filter(|l| !ops::is_spec_constant(l.op())) else {
                    return 0;
                };
                let element = self.size(def.word(2), inherited, depth + 1);
                let stride = array_stride(self.m, id).unwrap_or(0);
                length.word(3).wrapping_sub(1).wrapping_mul(stride).wrapping_add(element)
            }
            Op::TypeMatrix => match inherited.row_major {
                false => def.word(3).wrapping_mul(inherited.matrix_stride),
                true => {
                    let rows = self.m.dimension(def.word(2));
                    let scalar = self.size(self.m.element(def.word(2)), inherited, depth + 1);
                    rows.wrapping_sub(1)
                        .wrapping_mul(inherited.matrix_stride)
                        .wrapping_add(def.word(3).wrapping_mul(scalar))
                }
            },
            Op::TypeStruct => {
                let members = self.m.members(id);
                let Some((last, ty)) = members.len().checked_sub(1).zip(members.last()) else { return 0 };
                let Some(offset) = member_offset(self.m, id, last as u32) else { return 0 };
                // The reference looks the last member's own constraint up by the member's type.
                let constraint = self.constraint(*ty, last as u32);
                offset.wrapping_add(self.size(*ty, constraint, depth + 1))
            }
            Op::TypePointer | Op::TypeUntypedPointerKHR => self.pointer_size(),
            _ => 0,
        }
    }

    /// Checks a structure (or another type that a pointer goes to) at an offset in bytes.
    fn check(&self, id: Id, incoming: u32, depth: u32) -> Found {
        if depth > DEPTH {
            return Ok(());
        }
        let key = (id, incoming % PERIOD, self.is_workgroup());
        if let Some(known) = self.checked.borrow().get(&key) {
            return known.clone();
        }
        let found = self.check_members(id, incoming, depth);
        self.checked.borrow_mut().insert(key, found.clone());
        found
    }

    fn check_members(&self, id: Id, incoming: u32, depth: u32) -> Found {
        let m = self.m;
        let members = self.members(id, incoming);
        let mut next = 0u32;
        for (index, member) in members.iter().enumerate() {
            let op = m.op(member.ty);
            if member.offset == UNKNOWN {
                if member_offset(m, member.structure, member.index).is_none() {
                    return self.fail(member, "is missing an Offset decoration");
                }
                continue;
            }
            if op == Op::TypeRuntimeArray && index + 1 != members.len() {
                let message = format!("the runtime array in `{}` must be its last member", m.name(id));
                return Err(Misplaced { structure: id, member: None, message });
            }
            self.check_offset(member, next)?;
            if op == Op::TypeStruct {
                self.check(member.ty, member.offset, depth + 1)?;
            }
            if op == Op::TypeMatrix {
                self.check_matrix_stride(member)?;
            }
            self.check_arrays(member, depth)?;
            next = member.offset.wrapping_add(member.size);
            if matches!(op, Op::TypeArray | Op::TypeStruct) && !self.is_scalar() {
                next = align(next, member.alignment);
            }
        }
        Ok(())
    }

    /// The members of a structure at an offset, or another type as its only member, in the order of their offsets.
    fn members(&self, id: Id, incoming: u32) -> Vec<Member> {
        let m = self.m;
        let is_structure = m.op(id) == Op::TypeStruct;
        let own = [id];
        let types: &[Id] = if is_structure { m.members(id) } else { &own };
        let member = |(index, ty): (u32, Id)| {
            let offset = match is_structure {
                true => {
                    let own = member_offset(m, id, index).unwrap_or(UNKNOWN);
                    if own == UNKNOWN { UNKNOWN } else { incoming.wrapping_add(own) }
                }
                false => 0,
            };
            let constraint = self.constraint(id, index);
            let alignment = self.alignment(ty, constraint);
            let size = self.size(ty, constraint, 0);
            Member { structure: id, index, ty, offset, size, alignment, constraint }
        };
        let mut members: Vec<Member> = (0..).zip(types.iter().copied()).map(member).collect();
        members.sort_by_key(|member| member.offset);
        members
    }

    fn fail(&self, member: &Member, message: impl std::fmt::Display) -> Found {
        let class = storage_class_name(self.class);
        let rules = match self.uniform {
            _ if self.is_scalar() => "scalar",
            true => "uniform buffer",
            false => "storage buffer",
        };
        let Member { structure, index, .. } = *member;
        let message = format!(
            "member {index} of `{}` in {class} {message} ({rules} layout rules)",
            self.m.name(structure)
        );
        let is_structure = self.m.op(structure) == Op::TypeStruct;
        Err(Misplaced { structure, member: is_structure.then_some(index), message })
    }

    /// Alignment, overlap with the previous member, which ends before `next`, and straddling.
    fn check_offset(&self, member: &Member, next: u32) -> Found {
        let Member { ty, offset, size, .. } = *member;
        let is_relaxed_vector = self.is_relaxed() && !self.is_scalar() && self.m.op(ty) == Op::TypeVector;
        let needed = match is_relaxed_vector {
            true => self.scalar_alignment(self.m.element(ty), 0),
            false => member.alignment,
        };
        if !is_aligned(offset, needed) {
            return self.fail(member, format_args!("at offset {offset} is not aligned to {needed} bytes"));
        }
        if offset < next {
            let end = next - 1;
            return self.fail(
                member,
                format_args!("at offset {offset} overlaps the previous member, which ends at offset {end}"),
            );
        }
        let straddles = match size {
            0..=16 => offset >> 4 != offset.wrapping_add(size).wrapping_sub(1) >> 4,
            _ => !offset.is_multiple_of(16),
        };
        if is_relaxed_vector && straddles {
            return self.fail(
                member,
                format_args!("is a vector at offset {offset} that straddles a 16-byte boundary"),
            );
        }
        Ok(())
    }

    fn check_matrix_stride(&self, member: &Member) -> Found {
        let (stride, alignment) = (member.constraint.matrix_stride, member.alignment);
        if is_aligned(stride, alignment) {
            return Ok(());
        }
        self.fail(member, format_args!("has MatrixStride {stride}, which is not a multiple of {alignment}"))
    }

    /// The strides of a member's array dimensions, and what the elements contain.
    fn check_arrays(&self, member: &Member, depth: u32) -> Found {
        let m = self.m;
        let (mut array, mut alignment) = (member.ty, member.alignment);
        for _ in 0..DEPTH {
            if !matches!(m.op(array), Op::TypeArray | Op::TypeRuntimeArray) {
                break;
            }
            let element = m.element(array);
            let stride = match array_stride(m, array) {
                Some(0) => return self.fail(member, "has an array with ArrayStride 0"),
                Some(UNKNOWN) => break,
                None if m.may_be_decorated(array) => break,
                None => return self.fail(member, "has an array without ArrayStride"),
                Some(stride) if !is_aligned(stride, alignment) => {
                    return self.fail(
                        member,
                        format_args!("has ArrayStride {stride}, which is not a multiple of {alignment}"),
                    );
                }
                stride => stride.unwrap_or(0),
            };
            match m.op(element) {
                Op::TypeStruct => self.check_elements(member, array, stride, depth)?,
                Op::TypeMatrix => self.check_matrix_stride(member)?,
                _ => {}
            }
            array = element;
            alignment = self.alignment(array, member.constraint);
            let size = self.size(array, member.constraint, 0);
            if size > stride {
                return self.fail(
                    member,
                    format_args!("has ArrayStride {stride}, but its elements have {size} bytes"),
                );
            }
        }
        Ok(())
    }

    /// The structures in an array, one for each different offset modulo 16.
    fn check_elements(&self, member: &Member, array: Id, stride: u32, depth: u32) -> Found {
        let m = self.m;
        let length = match m.op(array) {
            Op::TypeArray => m.def(array).and_then(|a| m.const_int32(a.word(3)).1).unwrap_or(0).max(1),
            _ => 1,
        };
        let mut is_checked = [false; 16];
        for i in 0..length {
            let at = i.wrapping_mul(stride).wrapping_add(member.offset);
            if std::mem::replace(&mut is_checked[(at % 16) as usize], true) {
                break;
            }
            self.check(m.element(array), at, depth + 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
