//! Images and samplers (SPIR-V specification, section 3.52.10).

use wavelens_syntax::spirv::tables::{
    Capability, Dim, ExecutionMode, ExecutionModel, ImageFormat, ImageOperands, Kind, Op, StorageClass,
};

use super::execution_limitations::{require_models, require_modes};
use super::scopes;
use crate::spirv::code::{Id, Inst};
use crate::spirv::flat::NONE;
use crate::spirv::module::{Check, Fault, Module, fail_at};
use crate::spirv::ops;
use crate::{Rule, Severity};

pub static IMAGE_TYPE: Rule = Rule {
    code: "image-type",
    severity: Severity::Error,
    explain: "The parameters of an image type are in range and fit each other and the environment.\n\n\
        Source: SPIR-V specification, OpTypeImage; Vulkan specification, Standalone SPIR-V Validation.",
};

pub static IMAGE: Rule = Rule {
    code: "image",
    severity: Severity::Error,
    explain: "An image instruction takes an image of the right kind, coordinates with enough components, and results in the image's sampled type. \
        OpSampledImage stands in the block that uses it.\n\n\
        Source: SPIR-V specification, section 3.52.10 (Image Instructions); section 2.16.1.",
};

/// An OpTypeImage taken apart.
#[derive(Clone, Copy, PartialEq)]
struct Image {
    sampled_type: Id,
    dim: u32,
    depth: u32,
    arrayed: u32,
    multisampled: u32,
    sampled: u32,
    format: u32,
    access: Option<u32>,
}

fn wrong<T>(operand: usize, message: impl Into<String>) -> Result<T, Fault> {
    fail_at(&IMAGE, operand, message)
}

/// The image type behind an image or sampled image type.
fn image_of(m: &Module<'_>, ty: Id) -> Option<Image> {
    let mut def = m.def(ty)?;
    if def.op() == Op::TypeSampledImage {
        def = m.def(def.word(2))?;
    }
    if def.op() != Op::TypeImage || !matches!(def.words().len(), 9 | 10) {
        return None;
    }
    Some(Image {
        sampled_type: def.word(2),
        dim: def.word(3),
        depth: def.word(4),
        arrayed: def.word(5),
        multisampled: def.word(6),
        sampled: def.word(7),
        format: def.word(8),
        access: def.words().get(9).copied(),
    })
}

fn dim_name(dim: u32) -> &'static str {
    Kind::Dim.valued(dim).map_or("?", |e| e.name)
}

fn is_implicit(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleImplicitLod
            | Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSparseSampleImplicitLod
            | Op::ImageSparseSampleDrefImplicitLod
    )
}

fn is_explicit(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleExplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefExplicitLod
            | Op::ImageSparseSampleExplicitLod
            | Op::ImageSparseSampleDrefExplicitLod
    )
}

fn is_projective(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefExplicitLod
    )
}

fn is_gather(op: Op) -> bool {
    matches!(op, Op::ImageGather | Op::ImageDrefGather | Op::ImageSparseGather | Op::ImageSparseDrefGather)
}

fn is_sparse(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSparseSampleImplicitLod
            | Op::ImageSparseSampleExplicitLod
            | Op::ImageSparseSampleDrefImplicitLod
            | Op::ImageSparseSampleDrefExplicitLod
            | Op::ImageSparseFetch
            | Op::ImageSparseGather
            | Op::ImageSparseDrefGather
            | Op::ImageSparseRead
    )
}

/// Stages that have derivatives.
pub(super) const DERIVATIVE_MODELS: &[u32] =
    &[ExecutionModel::Fragment, ExecutionModel::GLCompute, ExecutionModel::MeshEXT, ExecutionModel::TaskEXT];

/// Implicit levels of detail need derivatives.
fn needs_derivatives(m: &Module<'_>, inst: Inst<'_>) -> Check {
    require_models(m, inst, DERIVATIVE_MODELS)?;
    let modes = [ExecutionMode::DerivativeGroupLinearKHR, ExecutionMode::DerivativeGroupQuadsKHR];
    require_modes(m, inst, DERIVATIVE_MODELS.get(1..).unwrap_or(&[]), &modes)
}

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let op = inst.op();
    if is_implicit(op) {
        needs_derivatives(m, inst)?;
    }
    match op {
        Op::TypeImage => type_image(m, inst),
        Op::TypeSampledImage => type_sampled_image(m, inst),
        Op::SampledImage => sampled_image(m, inst),
        Op::ImageTexelPointer => texel_pointer(m, inst),
        Op::ImageSampleImplicitLod
        | Op::ImageSampleExplicitLod
        | Op::ImageSampleProjImplicitLod
        | Op::ImageSampleProjExplicitLod
        | Op::ImageSparseSampleImplicitLod
        | Op::ImageSparseSampleExplicitLod => sample(m, inst),
        Op::ImageSampleDrefImplicitLod
        | Op::ImageSampleDrefExplicitLod
        | Op::ImageSampleProjDrefImplicitLod
        | Op::ImageSampleProjDrefExplicitLod
        | Op::ImageSparseSampleDrefImplicitLod
        | Op::ImageSparseSampleDrefExplicitLod => sample_dref(m, inst),
        Op::ImageFetch | Op::ImageSparseFetch => fetch(m, inst),
        _ if is_gather(op) => gather(m, inst),
        Op::ImageRead | Op::ImageSparseRead => read(m, inst),
        Op::ImageWrite => write(m, inst),
        Op::Image => {
            if m.op(inst.ty()) != Op::TypeImage {
                return wrong(0, "OpImage results in an image");
            }
            let sampled = m.def(m.operand_type(inst, 2)).filter(|d| d.op() == Op::TypeSampledImage);
            match sampled {
                Some(d) if d.word(2) == inst.ty() => Ok(()),
                Some(_) => wrong(2, "the sampled image has another image type than the result"),
                None => wrong(2, "OpImage takes a sampled image"),
            }
        }
        Op::ImageQueryFormat | Op::ImageQueryOrder => {
            int_result(m, inst)?;
            let image = image(m, inst, 2)?;
            not_dim(&image, 2, Dim::TileImageDataEXT)
        }
        Op::ImageQuerySizeLod | Op::ImageQuerySize => query_size(m, inst),
        Op::ImageQueryLod => query_lod(m, inst),
        Op::ImageQueryLevels | Op::ImageQuerySamples => query_levels(m, inst),
        Op::ImageSparseTexelsResident => {
            if !m.is_bool(inst.ty()) {
                return wrong(0, "the result is a Boolean");
            }
            if !m.is_int(m.operand_type(inst, 2)) {
                return wrong(2, "a resident code is an integer scalar");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The image type of an operand.
fn image(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Result<Image, Fault> {
    let ty = m.operand_type(inst, operand);
    match image_of(m, ty).filter(|_| m.op(ty) == Op::TypeImage) {
        Some(image) => Ok(image),
        None => wrong(
            operand,
            format!(
                "{} takes an image; `{}` is {}",
                inst.op().name(),
                m.name(inst.operand(operand)),
                described(m, ty)
            ),
        ),
    }
}

/// The image type of a sampled image operand.
fn sampled(m: &Module<'_>, inst: Inst<'_>) -> Result<Image, Fault> {
    let ty = m.operand_type(inst, 2);
    match image_of(m, ty).filter(|_| m.op(ty) == Op::TypeSampledImage) {
        Some(image) => Ok(image),
        None => wrong(
            2,
            format!(
                "{} takes a sampled image; `{}` is {}",
                inst.op().name(),
                m.name(inst.operand(2)),
                described(m, ty)
            ),
        ),
    }
}

fn described(m: &Module<'_>, ty: Id) -> String {
    if ty == NONE { "no value".to_owned() } else { m.type_name(ty) }
}

fn not_dim(image: &Image, operand: usize, dim: u32) -> Check {
    if image.dim == dim {
        return wrong(operand, format!("the image must not be of Dim {}", dim_name(dim)));
    }
    Ok(())
}

fn is_plain_dim(image: &Image) -> bool {
    matches!(image.dim, Dim::_1D | Dim::_2D | Dim::_3D | Dim::Cube)
}

/// Coordinates within one layer.
fn plane(image: &Image) -> u32 {
    match image.dim {
        Dim::_1D | Dim::Buffer => 1,
        Dim::_2D | Dim::Rect | Dim::SubpassData | Dim::TileImageDataEXT => 2,
        Dim::_3D | Dim::Cube => 3,
        _ => 0,
    }
}

fn coordinates(op: Op, image: &Image) -> u32 {
    if image.dim == Dim::Cube && matches!(op, Op::ImageRead | Op::ImageWrite | Op::ImageSparseRead) {
        return 3;
    }
    plane(image).saturating_add(image.arrayed).saturating_add(u32::from(is_projective(op)))
}

/// The coordinate's components: floats, or integers where `int` says so.
fn coordinate(m: &Module<'_>, inst: Inst<'_>, operand: usize, needed: u32, float: bool, int: bool) -> Check {
    let ty = m.operand_type(inst, operand);
    let fits = float && m.is_float_scalar_or_vector(ty) || int && m.is_int_scalar_or_vector(ty);
    if !fits {
        let kind = match (float, int) {
            (true, true) => "floats or integers",
            (true, false) => "floats",
            _ => "integers",
        };
        return wrong(
            operand,
            format!(
                "a coordinate is of {kind} here; `{}` is {}",
                m.name(inst.operand(operand)),
                described(m, ty)
            ),
        );
    }
    let given = m.dimension(ty);
    if given < needed {
        return wrong(
            operand,
            format!("this image needs {needed} coordinates; `{}` has {given}", m.name(inst.operand(operand))),
        );
    }
    Ok(())
}

/// The texel type of a result: the second member where the instruction is sparse.
fn texel(m: &Module<'_>, inst: Inst<'_>) -> Result<Id, Fault> {
    if !is_sparse(inst.op()) {
        return Ok(inst.ty());
    }
    match m.members(inst.ty()) {
        [code, texel] if m.is_int(*code) => Ok(*texel),
        _ => wrong(0, "a sparse instruction results in a structure of an integer and a texel"),
    }
}

fn four_components(m: &Module<'_>, inst: Inst<'_>) -> Result<Id, Fault> {
    let ty = texel(m, inst)?;
    if !(m.is_int_vector(ty) || m.is_float_vector(ty)) || m.dimension(ty) != 4 {
        return wrong(0, format!("a texel is a vector of four numbers, not {}", described(m, ty)));
    }
    Ok(ty)
}

/// The texel's components are of the image's sampled type.
fn same_component(m: &Module<'_>, operand: usize, texel: Id, image: &Image, void_fits: bool) -> Check {
    if void_fits && m.is_void(image.sampled_type) || m.component(texel) == image.sampled_type {
        return Ok(());
    }
    wrong(
        operand,
        format!("the image holds {}, the texel is {}", m.type_name(image.sampled_type), m.type_name(texel)),
    )
}

fn single_sampled(image: &Image) -> Check {
    if image.multisampled != 0 {
        return wrong(2, "a multisampled image cannot be sampled");
    }
    Ok(())
}

fn projective(op: Op, image: &Image) -> Check {
    if !is_projective(op) {
        return Ok(());
    }
    if !matches!(image.dim, Dim::_1D | Dim::_2D | Dim::_3D | Dim::Rect) {
        return wrong(2, format!("no projection for images of Dim {}", dim_name(image.dim)));
    }
    if image.multisampled != 0 || image.arrayed != 0 {
        return wrong(2, "no projection for multisampled or arrayed images");
    }
    Ok(())
}

fn sample(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let op = inst.op();
    let texel = four_components(m, inst)?;
    let image = sampled(m, inst)?;
    projective(op, &image)?;
    single_sampled(&image)?;
    same_component(m, 0, texel, &image, true)?;
    let explicit = matches!(op, Op::ImageSampleExplicitLod | Op::ImageSparseSampleExplicitLod);
    let int = explicit && m.has_capability(Capability::Kernel);
    coordinate(m, inst, 3, coordinates(op, &image), true, int)?;
    let mask = inst.opt_operand(4).unwrap_or(0);
    if mask & ImageOperands::ConstOffset != 0 && m.scope.env.is_opencl() && op == Op::ImageSampleExplicitLod {
        return wrong(4, "OpenCL has no ConstOffset");
    }
    operands(m, inst, &image, 4)
}

fn dref(m: &Module<'_>, inst: Inst<'_>, image: &Image) -> Check {
    let ty = m.operand_type(inst, 4);
    if !m.is_float(ty) || m.width(ty) != 32 {
        return wrong(4, format!("a depth reference is a 32-bit float, not {}", described(m, ty)));
    }
    if m.scope.env.is_vulkan() && image.dim == Dim::_3D {
        return wrong(2, "in Vulkan, images of Dim 3D have no depth comparison");
    }
    Ok(())
}

fn sample_dref(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let texel = texel(m, inst)?;
    if !m.is_int(texel) && !m.is_float(texel) {
        return wrong(0, format!("a depth comparison results in a number, not {}", described(m, texel)));
    }
    let image = sampled(m, inst)?;
    projective(inst.op(), &image)?;
    single_sampled(&image)?;
    same_component(m, 0, texel, &image, false)?;
    coordinate(m, inst, 3, coordinates(inst.op(), &image), true, false)?;
    dref(m, inst, &image)?;
    operands(m, inst, &image, 5)
}

fn fetch(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let texel = four_components(m, inst)?;
    let image = image(m, inst, 2)?;
    same_component(m, 0, texel, &image, true)?;
    not_dim(&image, 2, Dim::Cube)?;
    if image.sampled != 1 {
        return wrong(2, "OpImageFetch takes an image whose type has Sampled 1");
    }
    coordinate(m, inst, 3, coordinates(inst.op(), &image), false, true)?;
    operands(m, inst, &image, 4)
}

fn gather(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let texel = four_components(m, inst)?;
    let image = sampled(m, inst)?;
    single_sampled(&image)?;
    let compares = matches!(inst.op(), Op::ImageDrefGather | Op::ImageSparseDrefGather);
    same_component(m, 0, texel, &image, !compares)?;
    if !matches!(image.dim, Dim::_2D | Dim::Cube | Dim::Rect) {
        return wrong(
            2,
            format!("images of Dim {} cannot be gathered: only 2D, Cube and Rect", dim_name(image.dim)),
        );
    }
    coordinate(m, inst, 3, coordinates(inst.op(), &image), true, false)?;
    if compares {
        dref(m, inst, &image)?;
    } else {
        let ty = m.operand_type(inst, 4);
        if !m.is_int(ty) || m.width(ty) != 32 {
            return wrong(4, format!("a component is a 32-bit integer, not {}", described(m, ty)));
        }
        if m.scope.env.is_vulkan() && !ops::is_constant(m.op(inst.operand(4))) {
            return wrong(4, "in Vulkan, the component is a constant");
        }
    }
    operands(m, inst, &image, 5)
}

/// Capabilities of storage images.
fn storage(m: &Module<'_>, operand: usize, image: &Image) -> Check {
    if image.sampled != 2 {
        if image.sampled != 0 {
            return wrong(operand, "storage images have Sampled 0 or 2");
        }
        return Ok(());
    }
    let needed = match image.dim {
        Dim::_1D => Some((Capability::Image1D, "Image1D")),
        Dim::Rect => Some((Capability::ImageRect, "ImageRect")),
        Dim::Buffer => Some((Capability::ImageBuffer, "ImageBuffer")),
        Dim::Cube if image.arrayed == 1 => Some((Capability::ImageCubeArray, "ImageCubeArray")),
        _ => None,
    };
    let layers = image.multisampled == 1 && image.arrayed == 1;
    let layers = layers.then_some((Capability::ImageMSArray, "ImageMSArray"));
    for (capability, name) in needed.into_iter().chain(layers) {
        if !m.has_capability(capability) {
            return wrong(operand, format!("this storage image needs the capability {name}"));
        }
    }
    Ok(())
}

/// Images without a format need a capability in Vulkan.
fn formatted(m: &Module<'_>, operand: usize, image: &Image, capability: u32, name: &str) -> Check {
    let unknown = image.format == ImageFormat::Unknown && image.dim != Dim::SubpassData;
    if m.scope.env.is_vulkan() && unknown && !m.has_capability(capability) {
        return wrong(operand, format!("the image has no format: this needs the capability {name}"));
    }
    Ok(())
}

fn read(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let texel = texel(m, inst)?;
    if !m.is_int_scalar_or_vector(texel) && !m.is_float_scalar_or_vector(texel) {
        return wrong(0, format!("a texel is of numbers, not {}", described(m, texel)));
    }
    if m.scope.env.is_vulkan() && m.dimension(texel) != 4 {
        return wrong(0, "in Vulkan, a texel has four components");
    }
    let image = image(m, inst, 2)?;
    if m.scope.env.is_opencl() {
        if image.depth != 0 && !m.is_float(texel) {
            return wrong(0, "a depth image is read as a float");
        }
        if image.depth == 0 && m.dimension(texel) != 4 {
            return wrong(0, "a texel has four components");
        }
        if inst.opt_operand(4).unwrap_or(0) & ImageOperands::ConstOffset != 0 {
            return wrong(4, "OpenCL has no ConstOffset");
        }
    }
    if image.dim == Dim::SubpassData {
        if inst.op() == Op::ImageSparseRead {
            return wrong(2, "subpass data cannot be read sparsely");
        }
        require_models(m, inst, &[ExecutionModel::Fragment])?;
    }
    not_dim(&image, 2, Dim::TileImageDataEXT)?;
    same_component(m, 0, texel, &image, true)?;
    storage(m, 2, &image)?;
    coordinate(m, inst, 3, coordinates(inst.op(), &image), false, true)?;
    let capability = Capability::StorageImageReadWithoutFormat;
    formatted(m, 2, &image, capability, "StorageImageReadWithoutFormat")?;
    operands(m, inst, &image, 4)
}

fn write(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let image = image(m, inst, 0)?;
    not_dim(&image, 0, Dim::SubpassData)?;
    not_dim(&image, 0, Dim::TileImageDataEXT)?;
    storage(m, 0, &image)?;
    coordinate(m, inst, 1, coordinates(inst.op(), &image), false, true)?;
    let texel = m.operand_type(inst, 2);
    if !m.is_int_scalar_or_vector(texel) && !m.is_float_scalar_or_vector(texel) {
        return wrong(2, format!("a texel is of numbers, not {}", described(m, texel)));
    }
    same_component(m, 2, texel, &image, true)?;
    let capability = Capability::StorageImageWriteWithoutFormat;
    formatted(m, 0, &image, capability, "StorageImageWriteWithoutFormat")?;
    if inst.count() > 3 && m.scope.env.is_opencl() {
        return wrong(3, "OpenCL has no image operands here");
    }
    operands(m, inst, &image, 3)
}

fn int_result(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if !m.is_int(inst.ty()) {
        return wrong(
            0,
            format!("{} results in an integer, not {}", inst.op().name(), m.type_name(inst.ty())),
        );
    }
    Ok(())
}

fn query_size(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if !m.is_int_scalar_or_vector(inst.ty()) {
        return wrong(0, format!("a size is of integers, not {}", m.type_name(inst.ty())));
    }
    let image = image(m, inst, 2)?;
    let levels = inst.op() == Op::ImageQuerySizeLod;
    let count = match image.dim {
        Dim::_1D => 1,
        Dim::Buffer if !levels => 1,
        Dim::_2D | Dim::Cube => 2,
        Dim::Rect if !levels => 2,
        Dim::_3D => 3,
        _ => {
            return wrong(
                2,
                format!("{} is not for images of Dim {}", inst.op().name(), dim_name(image.dim)),
            );
        }
    };
    let count = image.arrayed.saturating_add(count);
    if levels {
        if image.multisampled != 0 {
            return wrong(2, "a multisampled image has no levels of detail");
        }
        if m.scope.env.is_vulkan() && image.sampled != 1 {
            return wrong(2, "in Vulkan, only images with Sampled 1 have levels of detail");
        }
    } else if is_plain_dim(&image) && image.multisampled != 1 && !matches!(image.sampled, 0 | 2) {
        return wrong(2, "this image has levels of detail: use OpImageQuerySizeLod");
    }
    if m.dimension(inst.ty()) != count {
        return wrong(0, format!("the size of this image has {count} components"));
    }
    if levels && !m.is_int(m.operand_type(inst, 3)) {
        return wrong(3, "a level of detail is an integer scalar");
    }
    Ok(())
}

fn query_lod(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if !m.is_float_vector(inst.ty()) || m.dimension(inst.ty()) != 2 {
        return wrong(
            0,
            format!("OpImageQueryLod results in a vector of two floats, not {}", m.type_name(inst.ty())),
        );
    }
    let image = sampled(m, inst)?;
    if !is_plain_dim(&image) {
        return wrong(2, format!("images of Dim {} have no levels of detail", dim_name(image.dim)));
    }
    coordinate(m, inst, 3, plane(&image), true, m.has_capability(Capability::Kernel))?;
    needs_derivatives(m, inst)
}

fn query_levels(m: &Module<'_>, inst: Inst<'_>) -> Check {
    int_result(m, inst)?;
    let image = image(m, inst, 2)?;
    if inst.op() == Op::ImageQueryLevels {
        if !is_plain_dim(&image) {
            return wrong(2, format!("images of Dim {} have no levels of detail", dim_name(image.dim)));
        }
        if m.scope.env.is_vulkan() && image.sampled != 1 {
            return wrong(2, "in Vulkan, only images with Sampled 1 have levels of detail");
        }
        return Ok(());
    }
    if image.dim != Dim::_2D || image.multisampled != 1 {
        return wrong(2, "only multisampled images of Dim 2D have samples");
    }
    Ok(())
}

/// Counts ids behind an operand mask.
fn ids_of(mask: u32) -> u32 {
    let without = ImageOperands::NonPrivateTexelKHR
        | ImageOperands::VolatileTexelKHR
        | ImageOperands::SignExtend
        | ImageOperands::ZeroExtend
        | ImageOperands::Nontemporal;
    (mask & !without).count_ones() + u32::from(mask & ImageOperands::Grad != 0)
}

/// The image operands; `at` is the mask's place.
fn operands(m: &Module<'_>, inst: Inst<'_>, image: &Image, at: usize) -> Check {
    use ImageOperands as O;
    let op = inst.op();
    let mask = inst.opt_operand(at).unwrap_or(0);
    let has = |bit: u32| mask & bit != 0;
    if inst.count() > at && ids_of(mask) as usize != inst.count() - at - 1 {
        return wrong(at, "the image operands do not fit their mask");
    }
    if image.multisampled != 0 && !has(O::Sample) {
        return wrong(
            at.min(inst.count().saturating_sub(1)),
            "a multisampled image needs the image operand Sample",
        );
    }
    if mask == 0 {
        return Ok(());
    }
    if (mask & (O::Offset | O::ConstOffset | O::ConstOffsets | O::Offsets)).count_ones() > 1 {
        return wrong(at, "Offset, ConstOffset, ConstOffsets and Offsets exclude each other");
    }
    let lod_on_storage = matches!(op, Op::ImageRead | Op::ImageWrite | Op::ImageSparseRead)
        && m.has_capability(Capability::ImageReadWriteLodAMD);
    let gathers_lod = matches!(op, Op::ImageGather | Op::ImageSparseGather)
        && m.has_capability(Capability::ImageGatherBiasLodAMD);
    let levels = |name: &str| match is_plain_dim(image) {
        true => Ok(()),
        false => wrong(at, format!("{name} is not for images of Dim {}", dim_name(image.dim))),
    };
    let mut next = at;
    let mut take = || {
        next += 1;
        (next, inst.operand(next), m.type_of(inst.operand(next)))
    };
    let int_or_float = |at: usize, ty: Id, float: bool, name: &str| match if float {
        m.is_float(ty)
    } else {
        m.is_int(ty)
    } {
        true => Ok(()),
        false => wrong(
            at,
            format!(
                "{name} is {} scalar here, not {}",
                if float { "a float" } else { "an integer" },
                described(m, ty)
            ),
        ),
    };
    if has(O::Bias) {
        if !is_implicit(op) && !gathers_lod {
            return wrong(at, "Bias is for instructions with an implicit level of detail");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, true, "Bias")?;
        levels("Bias")?;
    }
    if has(O::Lod) {
        let fetches = matches!(op, Op::ImageFetch | Op::ImageSparseFetch);
        if !is_explicit(op) && !lod_on_storage && !fetches && !gathers_lod {
            return wrong(at, "Lod is for instructions with an explicit level of detail, and OpImageFetch");
        }
        if has(O::Grad) {
            return wrong(at, "Lod and Grad exclude each other");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, is_explicit(op) || gathers_lod, "Lod")?;
        levels("Lod")?;
    }
    if has(O::Grad) {
        if !is_explicit(op) {
            return wrong(at, "Grad is for instructions with an explicit level of detail");
        }
        for _ in 0..2 {
            let (index, _, ty) = take();
            if !m.is_float_scalar_or_vector(ty) || m.dimension(ty) != plane(image) {
                return wrong(
                    index,
                    format!("Grad has {} floats for this image, not {}", plane(image), described(m, ty)),
                );
            }
        }
    }
    for (bit, name) in [(O::ConstOffset, "ConstOffset"), (O::Offset, "Offset")] {
        if !has(bit) {
            continue;
        }
        not_dim(image, at, Dim::Cube)?;
        let (index, id, ty) = take();
        if !m.is_int_scalar_or_vector(ty) || m.dimension(ty) != plane(image) {
            return wrong(
                index,
                format!("{name} has {} integers for this image, not {}", plane(image), described(m, ty)),
            );
        }
        if bit == O::ConstOffset && !ops::is_constant(m.op(id)) {
            return wrong(index, "ConstOffset is a constant");
        }
        if bit == O::Offset && m.scope.env.is_vulkan() && !is_gather(op) {
            return wrong(at, "in Vulkan, Offset is for gathering only: use ConstOffset");
        }
    }
    if has(O::ConstOffsets) {
        if !is_gather(op) {
            return wrong(at, "ConstOffsets is for gathering only");
        }
        not_dim(image, at, Dim::Cube)?;
        let (index, id, ty) = take();
        let array = m.def(ty).filter(|d| d.op() == Op::TypeArray && m.uint(d.word(3)) == Some(4));
        let pairs = array.is_some_and(|d| m.is_int_vector(d.word(2)) && m.dimension(d.word(2)) == 2);
        if !pairs || !ops::is_constant(m.op(id)) {
            return wrong(index, "ConstOffsets is a constant array of four pairs of integers");
        }
    }
    if has(O::Sample) {
        let reads = matches!(
            op,
            Op::ImageFetch | Op::ImageRead | Op::ImageWrite | Op::ImageSparseFetch | Op::ImageSparseRead
        );
        if !reads || image.multisampled == 0 {
            return wrong(at, "Sample is for fetching from, reading and writing multisampled images");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, false, "Sample")?;
    }
    if has(O::MinLod) {
        if !is_implicit(op) && !has(O::Grad) {
            return wrong(at, "MinLod is for instructions with an implicit level of detail, and beside Grad");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, true, "MinLod")?;
        levels("MinLod")?;
        if image.multisampled != 0 {
            return wrong(at, "MinLod is not for multisampled images");
        }
    }
    let accesses = [
        (O::MakeTexelAvailableKHR, "MakeTexelAvailable", &[Op::ImageWrite][..]),
        (O::MakeTexelVisibleKHR, "MakeTexelVisible", &[Op::ImageRead, Op::ImageSparseRead]),
    ];
    for (bit, name, allowed) in accesses {
        if !has(bit) {
            continue;
        }
        if !allowed.contains(&op) {
            return wrong(at, format!("{name} is not for {}", op.name()));
        }
        if !has(O::NonPrivateTexelKHR) {
            return wrong(at, format!("{name} needs NonPrivateTexel"));
        }
        let (index, ..) = take();
        scopes::memory(m, inst, index)?;
    }
    Ok(())
}

fn type_image(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let Some(image) = image_of(m, inst.id()) else { return Ok(()) };
    let bad = |operand: usize, message: &str| fail_at(&IMAGE_TYPE, operand, message);
    let ty = image.sampled_type;
    let env = m.scope.env;
    let (int, float, width) = (m.is_int(ty), m.is_float(ty), m.width(ty));
    if int && width == 64 && !m.has_capability(Capability::Int64ImageEXT) {
        return bad(1, "images of 64-bit integers need the capability Int64ImageEXT");
    }
    if env.is_vulkan() {
        if !(int && matches!(width, 32 | 64) || float && width == 32) {
            return bad(1, "in Vulkan, images hold 32-bit floats or 32- or 64-bit integers");
        }
    } else if env.is_opencl() {
        if !m.is_void(ty) {
            return bad(1, "in OpenCL, the sampled type is void");
        }
    } else if !int && !float && !m.is_void(ty) {
        return bad(1, "an image holds numbers, or void");
    }
    if image.depth > 2 {
        return bad(3, "Depth is 0, 1 or 2");
    }
    if image.arrayed > 1 {
        return bad(4, "Arrayed is 0 or 1");
    }
    if image.multisampled > 1 {
        return bad(5, "MS is 0 or 1");
    }
    if image.sampled > 2 {
        return bad(6, "Sampled is 0, 1 or 2");
    }
    let subpass = image.dim == Dim::SubpassData;
    let tile = image.dim == Dim::TileImageDataEXT;
    if (subpass || tile) && image.sampled != 2 {
        return bad(6, "subpass data and tile images have Sampled 2");
    }
    if (subpass || tile) && image.format != ImageFormat::Unknown {
        return bad(7, "subpass data and tile images have the format Unknown");
    }
    if tile && (m.is_void(ty) || image.depth != 0 || image.arrayed != 0) {
        return bad(2, "tile images hold numbers and are neither depth images nor arrayed");
    }
    let multisampled_storage = !subpass && !tile && image.multisampled != 0 && image.sampled == 2;
    if multisampled_storage && !m.has_capability(Capability::StorageImageMultisample) {
        return bad(5, "multisampled storage images need the capability StorageImageMultisample");
    }
    if env.is_opencl() {
        if image.arrayed == 1 && !matches!(image.dim, Dim::_1D | Dim::_2D) {
            return bad(4, "in OpenCL, only images of Dim 1D and 2D are arrayed");
        }
        if image.multisampled != 0 {
            return bad(5, "in OpenCL, MS is 0");
        }
        if image.sampled != 0 {
            return bad(6, "in OpenCL, Sampled is 0");
        }
        if image.access.is_none() {
            return bad(7, "in OpenCL, an image has an access qualifier");
        }
    }
    if env.is_vulkan() {
        if image.sampled == 0 {
            return bad(6, "in Vulkan, Sampled is 1 or 2");
        }
        if subpass && image.arrayed != 0 {
            return bad(4, "in Vulkan, subpass data is not arrayed");
        }
        if image.dim == Dim::Rect {
            return bad(2, "Vulkan has no images of Dim Rect");
        }
    }
    Ok(())
}

fn type_sampled_image(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let ty = inst.operand(1);
    let Some(image) = image_of(m, ty).filter(|_| m.op(ty) == Op::TypeImage) else {
        if m.op(ty) == Op::TypeImage {
            return Ok(());
        }
        return fail_at(&IMAGE_TYPE, 1, format!("`{}` is no image type", m.name(ty)));
    };
    if image.sampled > 1 {
        return fail_at(&IMAGE_TYPE, 1, "a sampled image is of an image type with Sampled 0 or 1");
    }
    if m.scope.version >= 0x10600 && image.dim == Dim::Buffer {
        return fail_at(&IMAGE_TYPE, 1, "since SPIR-V 1.6, buffers cannot be sampled");
    }
    Ok(())
}

/// Instructions that may use the result of OpSampledImage.
fn may_use_sampled_image(m: &Module<'_>, op: Op) -> bool {
    is_implicit(op)
        || is_explicit(op)
        || is_gather(op)
        || matches!(
            op,
            Op::SampledImage
                | Op::Image
                | Op::ImageQueryLod
                | Op::CopyObject
                | Op::ImageSampleWeightedQCOM
                | Op::ImageBoxFilterQCOM
                | Op::ImageBlockMatchSSDQCOM
                | Op::ImageBlockMatchSADQCOM
                | Op::ImageBlockMatchWindowSADQCOM
                | Op::ImageBlockMatchWindowSSDQCOM
                | Op::ImageBlockMatchGatherSADQCOM
                | Op::ImageBlockMatchGatherSSDQCOM
                | Op::ImageSampleFootprintNV
        )
        || op == Op::Store && m.has_capability(Capability::BindlessTextureNV)
}

fn sampled_image(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let Some(result) = m.def(inst.ty()).filter(|d| d.op() == Op::TypeSampledImage) else {
        return wrong(
            0,
            format!("OpSampledImage results in a sampled image, not {}", m.type_name(inst.ty())),
        );
    };
    let own = image(m, inst, 2)?;
    if let Some(other) = image_of(m, result.word(2))
        && (Image { depth: own.depth, ..other }) != own
    {
        return wrong(2, "the image's type and the result's differ in more than depth");
    }
    if own.sampled > 1 || m.scope.env.is_vulkan() && own.sampled != 1 {
        return wrong(2, "the image's type must have Sampled 1");
    }
    not_dim(&own, 2, Dim::SubpassData)?;
    if m.op(m.operand_type(inst, 3)) != Op::TypeSampler {
        return wrong(3, format!("`{}` is no sampler", m.name(inst.operand(3))));
    }
    Ok(())
}

/// The use of a result of OpSampledImage: in its own block, by instructions that are for it.
pub(super) fn use_of_sampled_image(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if ops::is_debug(inst.op()) || ops::is_decoration(inst.op()) || inst.is_non_semantic() {
        return Ok(());
    }
    for (index, _, id) in inst.ids() {
        let Some(def) = m.def(id).filter(|d| d.op() == Op::SampledImage) else { continue };
        if !may_use_sampled_image(m, inst.op()) {
            return wrong(
                index,
                format!("{} cannot use `{}`, the result of OpSampledImage", inst.op().name(), m.name(id)),
            );
        }
        let (from, to) = (def.at.min(inst.at), def.at.max(inst.at));
        if (from..to).filter_map(|at| m.inst(at)).any(|i| i.op() == Op::Label) {
            return wrong(
                index,
                format!("`{}` is used in another block than its OpSampledImage", m.name(id)),
            );
        }
    }
    Ok(())
}

fn texel_pointer(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let Some((class, pointee)) = m.pointer(inst.ty()) else {
        return wrong(0, "OpImageTexelPointer results in a pointer");
    };
    if class != StorageClass::Image {
        return wrong(0, "the result points into Image");
    }
    let half = m.has_capability(Capability::AtomicFloat16VectorNV)
        && m.is_float_vector(pointee)
        && m.width(pointee) == 16
        && matches!(m.dimension(pointee), 2 | 4);
    let typed = pointee != NONE;
    if typed && !m.is_int(pointee) && !m.is_float(pointee) && !m.is_void(pointee) && !half {
        return wrong(0, "the result points to a number");
    }
    let target = m.pointer(m.operand_type(inst, 2)).map(|(_, p)| p).filter(|p| m.op(*p) == Op::TypeImage);
    let Some(image) = target.and_then(|p| image_of(m, p)) else {
        return wrong(2, format!("`{}` is no pointer to an image", m.name(inst.operand(2))));
    };
    if typed && image.sampled_type != pointee && !half {
        return wrong(
            2,
            format!(
                "the image holds {}, the result points to {}",
                m.type_name(image.sampled_type),
                m.type_name(pointee)
            ),
        );
    }
    not_dim(&image, 2, Dim::SubpassData)?;
    not_dim(&image, 2, Dim::TileImageDataEXT)?;
    let needed = match (image.arrayed, image.dim) {
        (0, _) => plane(&image),
        (1, Dim::_1D) => 2,
        (1, Dim::Cube | Dim::_2D) => 3,
        (1, _) => return wrong(2, "only images of Dim 1D, 2D and Cube are arrayed"),
        _ => return Ok(()),
    };
    let ty = m.operand_type(inst, 3);
    if !m.is_int_scalar_or_vector(ty) || m.dimension(ty) != needed {
        return wrong(3, format!("this image needs {needed} integer coordinates, not {}", described(m, ty)));
    }
    if !m.is_int(m.operand_type(inst, 4)) {
        return wrong(4, "a sample is an integer scalar");
    }
    if image.multisampled == 0 && m.uint(inst.operand(4)) != Some(0) {
        return wrong(4, "an image that is not multisampled has the sample 0 only");
    }
    use ImageFormat as F;
    let atomic = matches!(image.format, F::R64i | F::R64ui | F::R32f | F::R32i | F::R32ui)
        || matches!(image.format, F::Rg16f | F::Rgba16f)
            && m.has_capability(Capability::AtomicFloat16VectorNV);
    if m.scope.env.is_vulkan() && !atomic {
        return wrong(2, "in Vulkan, the image has a format of one 32- or 64-bit component");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::findings;

    #[test]
    fn a_read_image_has_the_capability_and_coordinates_it_needs() {
        let text = r#"; target-env: vulkan1.3
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%image = OpTypeImage %float 2D 3 0 0 1 Unknown
%sampled = OpTypeSampledImage %float
"#;
        expect![[r#"
            environment-capability: vulkan1.3 does not allow the capability Linkage
            image-type: Depth is 0, 1 or 2
            image-type: `%float` is no image type
        "#]]
        .assert_eq(&findings(text));
    }
}
