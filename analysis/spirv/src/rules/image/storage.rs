//! Reading and writing without a sampler.

use wavelens_syntax::spirv::tables::{
    Capability, Dim, ExecutionModel, ImageFormat, ImageOperands, Op, StorageClass,
};

use super::operands::operands;
use super::{
    Image, coordinate, coordinates, described, image, image_of, not_dim, plane, same_component, texel, wrong,
};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::flat::NONE;
use crate::rules::execution_limitations::require_models;
use wavelens_base::Verdict;

/// Capabilities of storage images.
fn storage(m: &RuleContext<'_>, operand: usize, image: &Image) -> Verdict {
    if image.sampled != 2 {
        if image.sampled != 0 {
            return wrong(operand, "expected an image type with Sampled 0 or 2");
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
        if m.lacks_capability(capability) {
            return wrong(operand, format!("this storage image requires the {name} capability"));
        }
    }
    Ok(())
}

/// Images without a format need a capability in Vulkan.
fn formatted(m: &RuleContext<'_>, operand: usize, image: &Image, capability: u32, name: &str) -> Verdict {
    let unknown = image.format == ImageFormat::Unknown && image.dim != Dim::SubpassData;
    if m.scope.env.is_vulkan() && unknown && m.lacks_capability(capability) {
        return wrong(operand, format!("an image of unknown format requires the {name} capability"));
    }
    Ok(())
}

pub(super) fn read(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let texel = texel(m, inst)?;
    if !m.is_int_scalar_or_vector(texel) && !m.is_float_scalar_or_vector(texel) {
        return wrong(
            0,
            format!("expected an integer or float scalar or vector as texel, found {}", described(m, texel)),
        );
    }
    if m.scope.env.is_vulkan() && m.dimension(texel) != 4 {
        return wrong(0, "in Vulkan, a texel must have 4 components [VUID-StandaloneSpirv-Result-04780]");
    }
    let image = image(m, inst, 2)?;
    if m.scope.env.is_opencl() {
        if image.depth != 0 && !m.is_float(texel) {
            return wrong(0, "Result Type for a depth image must be a float");
        }
        if image.depth == 0 && m.dimension(texel) != 4 {
            return wrong(0, "a texel must have 4 components");
        }
        if inst.opt_operand(4).unwrap_or(0) & ImageOperands::ConstOffset != 0 {
            return wrong(4, "ConstOffset is not supported in OpenCL");
        }
    }
    if image.dim == Dim::SubpassData {
        if inst.op() == Op::ImageSparseRead {
            return wrong(2, "OpImageSparseRead must not use an image of Dim SubpassData");
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

pub(super) fn write(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let image = image(m, inst, 0)?;
    not_dim(&image, 0, Dim::SubpassData)?;
    not_dim(&image, 0, Dim::TileImageDataEXT)?;
    storage(m, 0, &image)?;
    coordinate(m, inst, 1, coordinates(inst.op(), &image), false, true)?;
    let texel = m.operand_type(inst, 2);
    if !m.is_int_scalar_or_vector(texel) && !m.is_float_scalar_or_vector(texel) {
        return wrong(
            2,
            format!("expected an integer or float scalar or vector as texel, found {}", described(m, texel)),
        );
    }
    same_component(m, 2, texel, &image, true)?;
    let capability = Capability::StorageImageWriteWithoutFormat;
    formatted(m, 0, &image, capability, "StorageImageWriteWithoutFormat")?;
    if inst.count() > 3 && m.scope.env.is_opencl() {
        return wrong(3, "image operands of OpImageWrite are not supported in OpenCL");
    }
    operands(m, inst, &image, 3)
}

pub(super) fn texel_pointer(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((class, pointee)) = m.pointer(inst.ty()) else {
        return wrong(0, "expected a pointer as Result Type of OpImageTexelPointer");
    };
    if class != StorageClass::Image {
        return wrong(0, "the storage class of Result Type must be Image");
    }
    let half = m.has_capability(Capability::AtomicFloat16VectorNV)
        && m.is_float_vector(pointee)
        && m.width(pointee) == 16
        && matches!(m.dimension(pointee), 2 | 4);
    let typed = pointee != NONE;
    if typed && !m.is_int(pointee) && !m.is_float(pointee) && !m.is_void(pointee) && !half {
        return wrong(0, "Result Type must be a pointer to an integer or float");
    }
    let target = m.pointer(m.operand_type(inst, 2)).map(|(_, p)| p).filter(|p| m.op(*p) == Op::TypeImage);
    let Some(image) = target.and_then(|p| image_of(m, p)) else {
        return wrong(2, format!("`{}` is not a pointer to an image", m.name(inst.operand(2))));
    };
    if typed && image.sampled_type != pointee && !half {
        let (sampled, pointee) = m.type_names(image.sampled_type, pointee);
        return wrong(
            2,
            format!("Sampled Type of the image is {sampled}, but Result Type points to {pointee}"),
        );
    }
    not_dim(&image, 2, Dim::SubpassData)?;
    not_dim(&image, 2, Dim::TileImageDataEXT)?;
    let needed = match (image.arrayed, image.dim) {
        (0, _) => plane(&image),
        (1, Dim::_1D) => 2,
        (1, Dim::Cube | Dim::_2D) => 3,
        (1, _) => return wrong(2, "an arrayed image must have Dim 1D, 2D or Cube"),
        _ => return Ok(()),
    };
    let ty = m.operand_type(inst, 3);
    if !m.is_int_scalar_or_vector(ty) || m.dimension(ty) != needed {
        return wrong(
            3,
            format!("expected {needed} integer components as Coordinate, found {}", described(m, ty)),
        );
    }
    if !m.is_int(m.operand_type(inst, 4)) {
        return wrong(
            4,
            format!("expected an integer scalar as Sample, found {}", m.describe_operand(inst, 4)),
        );
    }
    if image.multisampled == 0 && m.uint(inst.operand(4)) != Some(0) {
        return wrong(4, "Sample must be the constant 0 for an image that is not multisampled");
    }
    use ImageFormat as F;
    let atomic = matches!(image.format, F::R64i | F::R64ui | F::R32f | F::R32i | F::R32ui)
        || matches!(image.format, F::Rg16f | F::Rgba16f)
            && m.has_capability(Capability::AtomicFloat16VectorNV);
    if m.scope.env.is_vulkan() && !atomic {
        return wrong(
            2,
            "in Vulkan, Image Format must be R64i, R64ui, R32f, R32i or R32ui [VUID-StandaloneSpirv-OpImageTexelPointer-04658]",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::image::in_fragment_shader;
    use crate::rules::testing::findings;

    #[test]
    fn texels_fit_what_the_image_holds() {
        let text = in_fragment_shader(
            r#"%a = OpImageRead %vec4 %s %uv
%b = OpImageRead %ivec2 %s %at
OpImageWrite %t %at %v4
OpImageWrite %s %at %i0
"#,
        );
        expect![[r#"
            error[image] 35:27 `%uv`: expected integers as Coordinate, but `%uv` is vec2
              19:1 `%uv`: defined here
            error[image] 36:18 `%ivec2`: in Vulkan, a texel must have 4 components [VUID-StandaloneSpirv-Result-04780]
              15:1 `%ivec2`: defined here
            error[image] 37:14 `%t`: OpImageWrite expects an image, but `%t` is sampled image2D of float
              32:1 `%t = OpLoad %sampled %texture`: defined here
            error[image] 38:21 `%i0`: Sampled Type of the image is float, but the texel is int
              17:1 `%i0`: defined here
        "#]]
        .assert_eq(&findings(&text));
    }
}
