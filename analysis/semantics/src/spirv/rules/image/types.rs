//! OpTypeImage and OpTypeSampledImage.

use wavelens_syntax::spirv::tables::{Capability, Dim, ImageFormat, Op};

use super::{IMAGE_TYPE, image_of};
use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Module, fail_at};

pub(super) fn type_image(m: &Module<'_>, inst: Inst<'_>) -> Check {
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

pub(super) fn type_sampled_image(m: &Module<'_>, inst: Inst<'_>) -> Check {
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn parameters_of_an_image_are_in_range() {
        let shader = Shader {
            types: "%a = OpTypeImage %float 2D 3 0 0 1 Unknown
%b = OpTypeImage %bool 2D 0 0 0 1 Unknown
%c = OpTypeImage %float 2D 0 0 0 3 Unknown
%d = OpTypeImage %float SubpassData 0 0 0 1 Unknown
%e = OpTypeSampledImage %float",
            ..Shader::NEW
        };
        expect![[r#"
            error[image-type] `3`: Depth is 0, 1 or 2
            error[image-type] `%bool`: an image holds numbers, or void
            error[image-type] `3`: Sampled is 0, 1 or 2
            error[missing-capability] `SubpassData`: SubpassData needs the capability InputAttachment
            error[image-type] `%float`: `%float` is no image type
        "#]]
        .assert_eq(&shader.findings());
    }
}
