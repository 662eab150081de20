//! What types contain: numbers of a width, opaque types, blocks, at any depth.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{Capability, Decoration, FPEncoding, Op, StorageClass};

use super::code::{Id, Inst, LOCAL};
use super::context::RuleContext;
use super::ops;
use wavelens_base::memo::Memo;

/// Types nested deeper than this are not looked into.
const DEPTH: usize = 300;

/// Types with one part each that are followed without a list of those that were seen.
const PLAIN_DEPTH: u32 = 16;

/// What rules look for in types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Content {
    /// An 8-bit integer.
    Int8,
    /// A 16-bit integer.
    Int16,
    /// A 32-bit integer.
    Int32,
    /// A 16-bit float of IEEE 754.
    Float16,
    /// A bfloat16 or an 8-bit float.
    SmallFloat,
    /// The Boolean.
    Bool,
    /// A Boolean outside of built-ins.
    BoolOfNoBuiltIn,
    /// A cooperative matrix or vector.
    CooperativeMatrixOrVector,
    /// An array without a length.
    RuntimeArray,
    /// A structure with the decoration Block or BufferBlock.
    Block,
    /// An image, sampler, sampled image or acceleration structure.
    Resource,
    /// What only a descriptor or a queue gives.
    Opaque,
    /// A pointer into PhysicalStorageBuffer.
    PhysicalPointer,
}

const ALL: [Content; 13] = [
    Content::Int8,
    Content::Int16,
    Content::Int32,
    Content::Float16,
    Content::SmallFloat,
    Content::Bool,
    Content::BoolOfNoBuiltIn,
    Content::CooperativeMatrixOrVector,
    Content::RuntimeArray,
    Content::Block,
    Content::Resource,
    Content::Opaque,
    Content::PhysicalPointer,
];

impl Content {
    /// Whether a type can be this itself, as far as its own words say.
    fn fits(self, ty: Inst<'_>) -> bool {
        let is_number = |op: Op, width: u32| ty.op() == op && ty.word(2) == width;
        match self {
            Content::Int8 => is_number(Op::TypeInt, 8),
            Content::Int16 => is_number(Op::TypeInt, 16),
            Content::Int32 => is_number(Op::TypeInt, 32),
            Content::Float16 => is_number(Op::TypeFloat, 16) && ty.words().len() == 3,
            Content::SmallFloat => {
                let small = [FPEncoding::BFloat16KHR, FPEncoding::Float8E4M3EXT, FPEncoding::Float8E5M2EXT];
                ty.op() == Op::TypeFloat
                    && ty.opt_operand(2).is_some_and(|encoding| small.contains(&encoding))
            }
            Content::Bool | Content::BoolOfNoBuiltIn => ty.op() == Op::TypeBool,
            Content::CooperativeMatrixOrVector => matches!(
                ty.op(),
                Op::TypeCooperativeMatrixNV | Op::TypeCooperativeMatrixKHR | Op::TypeVectorIdEXT
            ),
            Content::RuntimeArray => ty.op() == Op::TypeRuntimeArray,
            Content::Block => ty.op() == Op::TypeStruct,
            Content::Resource => matches!(
                ty.op(),
                Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR
            ),
            Content::Opaque => ops::is_base_opaque_type(ty.op()),
            Content::PhysicalPointer => {
                matches!(ty.op(), Op::TypePointer | Op::TypeUntypedPointerKHR)
                    && ty.word(2) == StorageClass::PhysicalStorageBuffer
            }
        }
    }

    /// Whether what pointers point to counts, and what functions take.
    fn is_behind_pointers(self) -> bool {
        !matches!(self, Content::Bool | Content::BoolOfNoBuiltIn | Content::RuntimeArray | Content::Block)
    }
}

/// What some type of a module can be itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Contents(u16);

impl Contents {
    pub(crate) fn add(&mut self, ty: Inst<'_>) {
        let fitting = ALL.into_iter().filter(|content| content.fits(ty));
        self.0 |= fitting.map(|content| 1 << content as u8).sum::<u16>();
    }

    fn has(self, content: Content) -> bool {
        self.0 & 1 << content as u8 != 0
    }
}

/// The capabilities for arithmetic on 8- and 16-bit numbers.
const ARITHMETIC: [(u32, Content, &str); 3] = [
    (Capability::Int16, Content::Int16, "Int16"),
    (Capability::Int8, Content::Int8, "Int8"),
    (Capability::Float16, Content::Float16, "Float16"),
];

/// What is known of types and of what they are made of.
pub(super) type Known<T> = FxHashMap<Id, Option<T>>;

/// What types were found to contain.
pub(super) type KnownContents = Memo<Content, Known<()>>;

/// The first answer for a type or for its parts, which have numbers from 0, at any depth. Of structures in structures each is looked
/// into once, however often it is asked.
pub(super) fn first_inside<T: Clone>(
    known: &mut Known<T>,
    ty: Id,
    own: impl Fn(Id) -> Option<T>,
    part: impl Fn(Id, usize) -> Option<Id>,
) -> Option<T> {
    // The types on the way to `next`, each with the number of its parts that were looked at.
    let mut way: Vec<(Id, usize)> = Vec::new();
    let mut next = Some(ty);
    let found = loop {
        if let Some(ty) = next.take() {
            match known.get(&ty) {
                Some(Some(answer)) => break Some(answer.clone()),
                Some(None) => {}
                None => {
                    let answer = own(ty);
                    known.insert(ty, answer.clone());
                    if answer.is_some() {
                        break answer;
                    }
                    if way.len() < DEPTH {
                        way.push((ty, 0));
                    }
                }
            }
        }
        let Some((ty, parts)) = way.last_mut() else { break None };
        next = part(*ty, *parts);
        *parts += 1;
        if next.is_none() {
            way.pop();
        }
    };
    if found.is_some() {
        way.iter().for_each(|(ty, _)| _ = known.insert(*ty, found.clone()));
    }
    found
}

impl RuleContext<'_> {
    /// Whether a type is something or contains it.
    pub(crate) fn contains(&self, ty: Id, content: Content) -> bool {
        if ty & LOCAL == 0 && !self.scope.contents.has(content) {
            return false;
        }
        match self.plain_type_contains(ty, content) {
            Some(found) => found,
            None => {
                let mut known = self.contents.known();
                let own = |ty| self.def(ty).is_some_and(|def| self.is_content(def, content)).then_some(());
                let part = |ty, number| self.part(self.def(ty)?, number, content);
                first_inside(known.entry(content).or_default(), ty, own, part).is_some()
            }
        }
    }

    /// Most types have one part or none: no list of types is needed before the first structure, where the answer is `None`.
    fn plain_type_contains(&self, mut ty: Id, content: Content) -> Option<bool> {
        for _ in 0..PLAIN_DEPTH {
            let Some(def) = self.def(ty) else { return Some(false) };
            if matches!(def.op(), Op::TypeStruct | Op::TypeFunction) {
                return None;
            }
            if self.is_content(def, content) {
                return Some(true);
            }
            match self.part(def, 0, content) {
                Some(part) => ty = part,
                None => return Some(false),
            }
        }
        None
    }

    /// Whether a type is something itself.
    fn is_content(&self, ty: Inst<'_>, content: Content) -> bool {
        content.fits(ty)
            && match content {
                Content::Block => self.is_block(ty.id()),
                Content::BoolOfNoBuiltIn => !self.has_builtins(ty.id()),
                Content::Opaque => {
                    !(self.has_capability(Capability::BindlessTextureNV)
                        && matches!(ty.op(), Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage))
                }
                _ => true,
            }
    }

    /// A type of which another one is made, by its number.
    fn part(&self, def: Inst<'_>, number: usize, content: Content) -> Option<Id> {
        if number == 0 && content == Content::BoolOfNoBuiltIn && self.has_builtins(def.id()) {
            return None;
        }
        match def.op() {
            Op::TypeArray
            | Op::TypeRuntimeArray
            | Op::TypeVector
            | Op::TypeMatrix
            | Op::TypeImage
            | Op::TypeSampledImage
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeVectorIdEXT => (number == 0).then(|| def.word(2)),
            Op::TypePointer if content.is_behind_pointers() => {
                (number == 0 && !self.scope.forward_pointers.contains(&def.id())).then(|| def.word(3))
            }
            Op::TypeFunction if !content.is_behind_pointers() => None,
            Op::TypeFunction | Op::TypeStruct => (number + 1 < def.count()).then(|| def.operand(number + 1)),
            _ => None,
        }
    }

    fn has_builtins(&self, ty: Id) -> bool {
        self.is_decorated(ty, Decoration::BuiltIn)
    }

    /// Whether a type holds 8- or 16-bit numbers that may only be loaded, stored and converted.
    pub(crate) fn contains_limited_use(&self, ty: Id) -> bool {
        self.missing_arithmetic(ty).is_some()
    }

    /// The capability that arithmetic on a type's 8- or 16-bit numbers requires, if the module does not declare it.
    pub(crate) fn missing_arithmetic(&self, ty: Id) -> Option<&'static str> {
        let missing = ARITHMETIC.into_iter().find(|(capability, content, _)| {
            !self.has_capability(*capability) && self.contains(ty, *content)
        });
        missing.map(|(.., name)| name)
    }

    /// Whether there are types, in the module or in the function, for which [`RuleContext::missing_arithmetic`] says something.
    pub(crate) fn has_limited_numbers(&self) -> bool {
        ARITHMETIC
            .into_iter()
            .any(|(capability, content, _)| !self.has_capability(capability) && self.has_content(content))
    }

    /// Whether some type, in the module or in the function, can be something itself.
    pub(crate) fn has_content(&self, content: Content) -> bool {
        self.own_contents.has(content) || self.scope.contents.has(content)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn structures_share_parts() {
        let shader = Shader {
            head: "; target-env: vulkan1.1",
            types: "%inner = OpTypeStruct %float %int
%a = OpTypeStruct %inner %inner %bool
%b = OpTypeStruct %inner %a
%c = OpTypeStruct %inner
%pa = OpTypePointer Uniform %a
%pb = OpTypePointer Uniform %b
%pc = OpTypePointer Uniform %c
%va = OpVariable %pa Uniform
%vb = OpVariable %pb Uniform
%vc = OpVariable %pc Uniform",
            ..Shader::NEW
        };
        expect![[r#"
            error[decoration] `%va`: missing Block or BufferBlock decoration on `%a` [VUID-StandaloneSpirv-Uniform-06676]
            error[variable] `%pa`: a variable in Uniform must not hold Booleans, but its type is struct %a
              33:1 `%pa`: defined here
            error[decoration] `%vb`: missing Block or BufferBlock decoration on `%b` [VUID-StandaloneSpirv-Uniform-06676]
            error[variable] `%pb`: a variable in Uniform must not hold Booleans, but its type is struct %b
              34:1 `%pb`: defined here
            error[decoration] `%vc`: missing Block or BufferBlock decoration on `%c` [VUID-StandaloneSpirv-Uniform-06676]
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn pointers_that_were_declared_before_their_types_are_not_followed() {
        let shader = Shader {
            head: "OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpCapability StorageBuffer16BitAccess
OpExtension \"SPV_KHR_16bit_storage\"
OpExtension \"SPV_KHR_physical_storage_buffer\"",
            types: "%half = OpTypeFloat 16
OpTypeForwardPointer %next PhysicalStorageBuffer
%list = OpTypeStruct %next %uint
%pair = OpTypeStruct %list %half
%next = OpTypePointer PhysicalStorageBuffer %pair
%outer = OpTypeStruct %list
%p = OpTypePointer Private %pair
%q = OpTypePointer Private %outer
%x = OpVariable %p Private
%y = OpVariable %q Private",
            ..Shader::NEW
        };
        expect![[r#"
            error[variable] `%p`: a variable with 16-bit types in Private requires the Int16 or Float16 capability
              39:1 `%p`: defined here
        "#]].assert_eq(&shader.findings());
    }
}
