//! Descriptors that two stages share: a set and binding holds one descriptor (Vulkan specification, Shader Resource Interface).

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{Decoration, Dim, Kind, Op, StorageClass};

use super::stage::{OfStage, Stage, shown};
use super::types::number;
use super::{Found, Mismatch, Place};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::rules::decorations::{held, variables};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    SHARED_DESCRIPTOR {
        code: "shared-descriptor",
        severity: Severity::Error,
        title: "stages use a set and binding as the same kind of descriptor",
        explain: "A pipeline layout has one descriptor type for each set and binding, and an image view has one dimension and one format. A combined image sampler may also be used as an image or as a sampler. Arrays without a size and bindings that a module uses in several ways are not compared.",
        example: descriptor!("%storage", "%sampled"),
        fixed: descriptor!("%sampled", "%sampled"),
        source: "Vulkan specification, Shader Resource and Descriptor Type Correspondence; VUID-VkGraphicsPipelineCreateInfo-layout-07990, VUID-vkCmdDraw-viewType-07752, VUID-vkCmdDraw-format-07753",
    }
}

// Descriptor types that a variable can be used for, as bits.
const SAMPLER: u32 = 1;
const COMBINED: u32 = 1 << 1;
const SAMPLED_IMAGE: u32 = 1 << 2;
const STORAGE_IMAGE: u32 = 1 << 3;
const UNIFORM_TEXELS: u32 = 1 << 4;
const STORAGE_TEXELS: u32 = 1 << 5;
const UNIFORM_BUFFER: u32 = 1 << 6;
const STORAGE_BUFFER: u32 = 1 << 7;
const ATTACHMENT: u32 = 1 << 8;
const ACCELERATION: u32 = 1 << 9;

/// A variable with a set and binding.
pub(super) struct Resource {
    pub(super) set: u32,
    pub(super) binding: u32,
    pub(super) variable: Id,
    /// Without arrays.
    pub(super) ty: Id,
    /// Whether an array has no size.
    is_unbounded: bool,
    /// Whether it is an array.
    is_array: bool,
    types: u32,
}

/// The resources that a stage uses, by set and binding, but for bindings that it uses in several ways.
pub(super) fn resources(stage: &Stage<'_>) -> Vec<Resource> {
    let m = stage.m;
    let used = variables(m).filter(|variable| stage.uses(variable.id()));
    let all: Vec<Resource> = used.filter_map(|variable| resource(m, variable)).collect();
    let mut counts: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for r in &all {
        *counts.entry((r.set, r.binding)).or_default() += 1;
    }
    let alone = all.into_iter().filter(|r| counts.get(&(r.set, r.binding)) == Some(&1));
    let mut alone: Vec<Resource> = alone.collect();
    alone.sort_by_key(|r| (r.set, r.binding));
    alone
}

/// The resources of two stages with one set and binding.
pub(super) fn shared<'s>(
    others: &'s [Resource],
    own: &'s [Resource],
) -> impl Iterator<Item = (&'s Resource, &'s Resource)> {
    own.iter().filter_map(move |own| {
        let at = others.binary_search_by_key(&(own.set, own.binding), |other| (other.set, other.binding));
        Some((others.get(at.ok()?)?, own))
    })
}

fn resource(m: &RuleContext<'_>, variable: Inst<'_>) -> Option<Resource> {
    let word = |kind: u32| m.decoration_word(variable.id(), kind);
    let (set, binding) = (word(Decoration::DescriptorSet)?, word(Decoration::Binding)?);
    let mut ty = held(m, variable);
    let (mut arrays, mut is_unbounded) = (FxHashSet::default(), false);
    while let Some(def) = m.def(ty).filter(|d| matches!(d.op(), Op::TypeArray | Op::TypeRuntimeArray)) {
        // An array of itself is reported elsewhere.
        if !arrays.insert(ty) {
            return None;
        }
        is_unbounded |= def.op() == Op::TypeRuntimeArray;
        ty = def.word(2);
    }
    let is_array = !arrays.is_empty();
    let types = descriptor_types(m, variable.operand(2), ty)?;
    Some(Resource { set, binding, variable: variable.id(), ty, is_unbounded, is_array, types })
}

/// The descriptor types that a variable of a type can be; `None` if that is not known.
fn descriptor_types(m: &RuleContext<'_>, class: u32, ty: Id) -> Option<u32> {
    let def = m.def(ty)?;
    match (class, def.op()) {
        (StorageClass::UniformConstant, Op::TypeSampler) => Some(SAMPLER | COMBINED),
        (StorageClass::UniformConstant, Op::TypeSampledImage) => match m.def(def.word(2))?.word(3) {
            Dim::Buffer => Some(UNIFORM_TEXELS),
            _ => Some(COMBINED),
        },
        (StorageClass::UniformConstant, Op::TypeAccelerationStructureKHR) => Some(ACCELERATION),
        (StorageClass::UniformConstant, Op::TypeImage) => match (def.word(3), def.word(7)) {
            (Dim::SubpassData, _) => Some(ATTACHMENT),
            (Dim::Buffer, 1) => Some(UNIFORM_TEXELS),
            (Dim::Buffer, 2) => Some(STORAGE_TEXELS),
            (_, 1) => Some(SAMPLED_IMAGE | COMBINED),
            (_, 2) => Some(STORAGE_IMAGE),
            _ => None,
        },
        (StorageClass::StorageBuffer, Op::TypeStruct) => Some(STORAGE_BUFFER),
        (StorageClass::Uniform, Op::TypeStruct) if m.has_decoration(ty, Decoration::BufferBlock) => {
            Some(STORAGE_BUFFER)
        }
        (StorageClass::Uniform, Op::TypeStruct) => Some(UNIFORM_BUFFER),
        _ => None,
    }
}

/// The name of the descriptor type that a variable is declared as.
fn kind(types: u32) -> &'static str {
    match types {
        _ if types & SAMPLER != 0 => "a sampler",
        _ if types & SAMPLED_IMAGE != 0 => "a sampled image",
        COMBINED => "a combined image sampler",
        STORAGE_IMAGE => "a storage image",
        UNIFORM_TEXELS => "a uniform texel buffer",
        STORAGE_TEXELS => "a storage texel buffer",
        UNIFORM_BUFFER => "a uniform buffer",
        STORAGE_BUFFER => "a storage buffer",
        ATTACHMENT => "an input attachment",
        _ => "an acceleration structure",
    }
}

pub(super) fn check(
    others: OfStage<'_, '_, &[Resource]>,
    own: OfStage<'_, '_, &[Resource]>,
    found: &mut Found<'_>,
) {
    let (first, second) = (others.stage, own.stage);
    for (other, own) in shared(others.item, own.item) {
        if own.is_unbounded || other.is_unbounded {
            continue;
        }
        let Some(difference) = difference(first.with(other), second.with(own)) else { continue };
        let message = format!(
            "{} at set {}, binding {} is {}",
            shown(second.m, own.variable),
            own.set,
            own.binding,
            difference
        );
        let label = format!("{} uses the binding here", first.title());
        let (at, other) = (Place::of(second.m, own.variable), Place::of(first.m, other.variable));
        let mismatch = Mismatch { rule: &SHARED_DESCRIPTOR, at, message, other, label, is_warning: false };
        found.add(second, first, mismatch);
    }
}

/// "a sampler, but a uniform buffer in the Vertex shader".
fn difference(other: OfStage<'_, '_, &Resource>, own: OfStage<'_, '_, &Resource>) -> Option<String> {
    let (title, m, n) = (other.stage.title(), own.stage.m, other.stage.m);
    let (own, other) = (own.item, other.item);
    if own.types & other.types == 0 {
        return Some(format!("{}, but {} in {title}", kind(own.types), kind(other.types)));
    }
    // Each element of an array can have a view of its own.
    let (own, other) = (image(m, own)?, image(n, other)?);
    for (word, what) in [(3, "dimension"), (5, "arrayed"), (6, "multisampled")] {
        let (a, b) = (own.word(word), other.word(word));
        if a != b {
            let value = |value: u32| match word {
                3 => Kind::Dim.valued(value).map_or("?", |e| e.name).to_owned(),
                _ => (value == 1).to_string(),
            };
            return Some(match word {
                3 => format!("an image of dimension {}, but {} in {title}", value(a), value(b)),
                _ if a == 1 => format!("{what}, but not in {title}"),
                _ => format!("not {what}, but is in {title}"),
            });
        }
    }
    let (a, b) = (number(m, own.word(2))?, number(n, other.word(2))?);
    if a != b {
        let (a, b) = (m.type_name(own.word(2)), n.type_name(other.word(2)));
        return Some(format!("an image of {a}, but of {b} in {title}"));
    }
    let (a, b) = (own.word(8), other.word(8));
    let format = |value: u32| Kind::ImageFormat.valued(value).map_or("?", |e| e.name);
    // 0 is Unknown: any format.
    (a != b && a != 0 && b != 0)
        .then(|| format!("an image of format {}, but {} in {title}", format(a), format(b)))
}

fn image<'m>(m: &'m RuleContext<'_>, resource: &Resource) -> Option<Inst<'m>> {
    let def = m.def(resource.ty).filter(|_| !resource.is_array)?;
    let image = if def.op() == Op::TypeSampledImage { m.def(def.word(2))? } else { def };
    Some(image).filter(|image| image.op() == Op::TypeImage)
}
