//! Images and samplers (SPIR-V specification, section 3.52.10).

mod operands;
mod qcom;
mod query;
mod sample;
mod sampled_image;
mod storage;
mod types;

use query::{int_result, query_levels, query_lod, query_size};
use sample::{fetch, gather, sample, sample_dref};
use sampled_image::sampled_image;
use storage::{read, texel_pointer, write};
use types::{type_image, type_sampled_image};
use wavelens_syntax::spirv::tables::{Dim, ExecutionMode, ExecutionModel, Kind, Op};

use super::execution_limitations::{require_models, require_modes};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use wavelens_base::Severity;
use wavelens_base::{Fault, Part, Verdict};

pub(super) use sampled_image::use_of_sampled_image;

wavelens_syntax::rules! {
    IMAGE_TYPE {
        code: "image-type",
        severity: Severity::Error,
        title: "the operands of OpTypeImage and OpTypeSampledImage are in range and consistent",
        explain: "Dim, Depth, Arrayed, MS, Sampled and Image Format describe the resource that is bound; some combinations do not exist, others are excluded by the environment.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%image = OpTypeImage %float 2D 3 0 0 1 Unknown
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%image = OpTypeImage %float 2D 2 0 0 1 Unknown
"#,
        source: "SPIR-V specification, OpTypeImage; Vulkan specification, Standalone SPIR-V Validation; SPIRV-Tools validate_image.cpp: \"Invalid Depth\", \"Invalid Sampled\"; VUID-StandaloneSpirv-OpTypeImage-04656, VUID-StandaloneSpirv-OpTypeImage-04657, VUID-StandaloneSpirv-OpTypeImage-06214, VUID-StandaloneSpirv-OpTypeImage-09638",
    }

    IMAGE {
        code: "image",
        severity: Severity::Error,
        title: "an image instruction has an image, coordinates, image operands and a Result Type that fit together",
        explain: "The number of coordinates follows from Dim and Arrayed, the texel from Sampled Type, the allowed image operands from the instruction and the image.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%zero = OpConstant %float 0
%xy = OpConstantComposite %vec2 %zero %zero
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%ptr = OpTypePointer UniformConstant %sampled
%texture = OpVariable %ptr UniformConstant
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%tex = OpLoad %sampled %texture
%texel = OpImageSampleExplicitLod %vec4 %tex %zero Lod %zero
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%zero = OpConstant %float 0
%xy = OpConstantComposite %vec2 %zero %zero
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%ptr = OpTypePointer UniformConstant %sampled
%texture = OpVariable %ptr UniformConstant
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%tex = OpLoad %sampled %texture
%texel = OpImageSampleExplicitLod %vec4 %tex %xy Lod %zero
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, Image Instructions; SPIRV-Tools validate_image.cpp: \"Expected Coordinate to have at least\"; VUID-RuntimeSpirv-Offset-10213, VUID-StandaloneSpirv-OpImage-04777, VUID-StandaloneSpirv-OpImageGather-04664, VUID-StandaloneSpirv-OpImageQuerySizeLod-04659, VUID-StandaloneSpirv-OpImageTexelPointer-04658, VUID-StandaloneSpirv-OpTypeSampledImage-06671, VUID-StandaloneSpirv-Result-04780",
    }
}

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

fn wrong<T>(operand: usize, message: impl Into<String>) -> Result<T, Box<Fault>> {
    Err(Fault::new(&IMAGE, message).at(Part::Operand(operand)))
}

/// The image type of an image or sampled image type.
fn image_of(m: &RuleContext<'_>, ty: Id) -> Option<Image> {
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

/// Instructions that read, write or ask about an image.
fn is_access(op: Op) -> bool {
    is_implicit(op)
        || is_explicit(op)
        || is_gather(op)
        || matches!(
            op,
            Op::Image
                | Op::ImageFetch
                | Op::ImageSparseFetch
                | Op::ImageRead
                | Op::ImageSparseRead
                | Op::ImageWrite
        )
        || query::is_query(op)
}

/// Whether the family looks at instructions of an opcode.
pub(super) fn concerns(op: Op) -> bool {
    is_access(op)
        || is_sparse(op)
        || qcom::is_processing(op)
        || matches!(
            op,
            Op::TypeImage
                | Op::TypeSampledImage
                | Op::SampledImage
                | Op::ImageTexelPointer
                | Op::ImageSparseTexelsResident
        )
}

/// Stages that have derivatives.
pub(super) const DERIVATIVE_MODELS: &[u32] =
    &[ExecutionModel::Fragment, ExecutionModel::GLCompute, ExecutionModel::MeshEXT, ExecutionModel::TaskEXT];

/// Implicit levels of detail need derivatives.
fn needs_derivatives(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    require_models(m, inst, DERIVATIVE_MODELS)?;
    let modes = [ExecutionMode::DerivativeGroupLinearKHR, ExecutionMode::DerivativeGroupQuadsKHR];
    require_modes(m, inst, DERIVATIVE_MODELS.get(1..).unwrap_or(&[]), &modes)
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    if is_implicit(op) {
        needs_derivatives(m, inst)?;
    }
    if is_access(op) {
        qcom::other_use(m, inst)?;
    }
    if query::is_query(op) {
        query::of_tile_attachment(m, inst)?;
    }
    match op {
        _ if qcom::is_processing(op) => qcom::check(m, inst),
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
                return wrong(0, "expected an image as Result Type of OpImage");
            }
            let sampled = m.def(m.operand_type(inst, 2)).filter(|d| d.op() == Op::TypeSampledImage);
            match sampled {
                Some(d) if d.word(2) == inst.ty() => Ok(()),
                Some(_) => wrong(2, "the image type of the sampled image differs from Result Type"),
                None => wrong(2, format!("expected a sampled image, found {}", m.describe_operand(inst, 2))),
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
                return wrong(
                    0,
                    format!("expected a Boolean as Result Type, found {}", m.describe_operand(inst, 0)),
                );
            }
            if !m.is_int(m.operand_type(inst, 2)) {
                return wrong(
                    2,
                    format!(
                        "expected an integer scalar as Resident Code, found {}",
                        m.describe_operand(inst, 2)
                    ),
                );
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The image type of an operand.
fn image(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Result<Image, Box<Fault>> {
    let ty = m.operand_type(inst, operand);
    match image_of(m, ty).filter(|_| m.op(ty) == Op::TypeImage) {
        Some(image) => Ok(image),
        None => wrong(
            operand,
            format!(
                "{} expects an image, but `{}` is {}",
                inst.op().name(),
                m.name(inst.operand(operand)),
                described(m, ty)
            ),
        ),
    }
}

/// The image type of a sampled image operand.
fn sampled(m: &RuleContext<'_>, inst: Inst<'_>) -> Result<Image, Box<Fault>> {
    let ty = m.operand_type(inst, 2);
    match image_of(m, ty).filter(|_| m.op(ty) == Op::TypeSampledImage) {
        Some(image) => Ok(image),
        None => wrong(
            2,
            format!(
                "{} expects a sampled image, but `{}` is {}",
                inst.op().name(),
                m.name(inst.operand(2)),
                described(m, ty)
            ),
        ),
    }
}

fn described(m: &RuleContext<'_>, ty: Id) -> String {
    if ty == NONE { "not a value".to_owned() } else { m.type_name(ty) }
}

fn not_dim(image: &Image, operand: usize, dim: u32) -> Verdict {
    if image.dim == dim {
        return wrong(operand, format!("Dim of the image must not be {}", dim_name(dim)));
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

/// How many components an instruction's coordinate has at least, for an image or sampled image type.
pub fn coordinate_count(m: &RuleContext<'_>, op: Op, ty: Id) -> u32 {
    image_of(m, ty).map_or(0, |image| coordinates(op, &image))
}

/// The coordinate's components: floats, or integers where `int` says so.
fn coordinate(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    operand: usize,
    needed: u32,
    float: bool,
    int: bool,
) -> Verdict {
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
                "expected {kind} as Coordinate, but `{}` is {}",
                m.name(inst.operand(operand)),
                described(m, ty)
            ),
        );
    }
    let given = m.dimension(ty);
    if given < needed {
        return wrong(
            operand,
            format!(
                "expected at least {needed} coordinate components for this image, `{}` has {given}",
                m.name(inst.operand(operand))
            ),
        );
    }
    Ok(())
}

/// The texel type of a result: the second member where the instruction is sparse.
fn texel(m: &RuleContext<'_>, inst: Inst<'_>) -> Result<Id, Box<Fault>> {
    if !is_sparse(inst.op()) {
        return Ok(inst.ty());
    }
    match m.members(inst.ty()) {
        [code, texel] if m.is_int(*code) => Ok(*texel),
        _ => wrong(0, "Result Type of a sparse instruction must be a structure of an integer and a texel"),
    }
}

fn four_components(m: &RuleContext<'_>, inst: Inst<'_>) -> Result<Id, Box<Fault>> {
    let ty = texel(m, inst)?;
    if !(m.is_int_vector(ty) || m.is_float_vector(ty)) || m.dimension(ty) != 4 {
        return wrong(
            0,
            format!("expected a vector of 4 integers or floats as texel, found {}", described(m, ty)),
        );
    }
    Ok(ty)
}

/// The texel's components have the image's Sampled Type.
fn same_component(m: &RuleContext<'_>, operand: usize, texel: Id, image: &Image, void_fits: bool) -> Verdict {
    let is_undefined = m.def(image.sampled_type).is_none();
    if is_undefined || void_fits && m.is_void(image.sampled_type) || m.component(texel) == image.sampled_type
    {
        return Ok(());
    }
    wrong(
        operand,
        format!(
            "Sampled Type of the image is {}, but the texel is {}",
            m.type_name(image.sampled_type),
            m.type_name(texel)
        ),
    )
}

/// A fragment shader with a sampled image `%t`, its image `%i` and a storage image `%s`, for tests.
#[cfg(test)]
fn in_fragment_shader(instructions: &str) -> String {
    let before = r#"; target-env: vulkan1.3
OpCapability Shader
OpCapability ImageQuery
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %texture %store
OpExecutionMode %main OriginUpperLeft
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 0
OpDecorate %store DescriptorSet 0
OpDecorate %store Binding 1
%void = OpTypeVoid
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%ivec2 = OpTypeVector %int 2
%vec4 = OpTypeVector %float 4
%i0 = OpConstant %int 0
%f1 = OpConstant %float 1
%uv = OpConstantNull %vec2
%at = OpConstantNull %ivec2
%v4 = OpConstantNull %vec4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%written = OpTypeImage %float 2D 0 0 0 2 R32f
%p = OpTypePointer UniformConstant %sampled
%q = OpTypePointer UniformConstant %written
%texture = OpVariable %p UniformConstant
%store = OpVariable %q UniformConstant
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%t = OpLoad %sampled %texture
%i = OpImage %image %t
%s = OpLoad %written %store
"#;
    format!("{before}{instructions}OpReturn\nOpFunctionEnd\n")
}

#[cfg(test)]
mod dimension_tests;
#[cfg(test)]
mod tests;
