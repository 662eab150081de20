//! OpTypeImage and OpTypeSampledImage.

use wavelens_syntax::spirv::tables::{Capability, Dim, ImageFormat, Op};

use super::{IMAGE_TYPE, image_of};
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::{Verdict, fail_at};

pub(super) fn type_image(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(image) = image_of(m, inst.id()) else { return Ok(()) };
    let bad = |operand: usize, message: &str| fail_at(&IMAGE_TYPE, operand, message);
    let ty = image.sampled_type;
    let env = m.scope.env;
    let (int, float, width) = (m.is_int(ty), m.is_float(ty), m.width(ty));
    if int && width == 64 && !m.has_capability(Capability::Int64ImageEXT) {
        return bad(1, "an image of 64-bit integers requires the Int64ImageEXT capability");
    }
    if env.is_vulkan() {
        if !(int && matches!(width, 32 | 64) || float && width == 32) {
            return bad(
                1,
                "in Vulkan, Sampled Type must be a 32-bit float or a 32- or 64-bit integer [VUID-StandaloneSpirv-OpTypeImage-04656]",
            );
        }
    } else if env.is_opencl() {
        if !m.is_void(ty) {
            return bad(1, "in OpenCL, Sampled Type must be void");
        }
    } else if !int && !float && !m.is_void(ty) {
        return bad(1, "Sampled Type must be an integer, a float or void");
    }
    if image.depth > 2 {
        return bad(3, "Depth must be 0, 1 or 2");
    }
    if image.arrayed > 1 {
        return bad(4, "Arrayed must be 0 or 1");
    }
    if image.multisampled > 1 {
        return bad(5, "MS must be 0 or 1");
    }
    if image.sampled > 2 {
        return bad(6, "Sampled must be 0, 1 or 2");
    }
    let subpass = image.dim == Dim::SubpassData;
    let tile = image.dim == Dim::TileImageDataEXT;
    if (subpass || tile) && image.sampled != 2 {
        return bad(6, "Sampled must be 2 with Dim SubpassData or TileImageDataEXT");
    }
    if (subpass || tile) && image.format != ImageFormat::Unknown {
        return bad(7, "Image Format must be Unknown with Dim SubpassData or TileImageDataEXT");
    }
    if tile && (m.is_void(ty) || image.depth != 0 || image.arrayed != 0) {
        return bad(
            2,
            "an image of Dim TileImageDataEXT must hold integers or floats and must not be a depth or arrayed image",
        );
    }
    let multisampled_storage = !subpass && !tile && image.multisampled != 0 && image.sampled == 2;
    if multisampled_storage && m.lacks_capability(Capability::StorageImageMultisample) {
        return bad(5, "a multisampled storage image requires the StorageImageMultisample capability");
    }
    if env.is_opencl() {
        if image.arrayed == 1 && !matches!(image.dim, Dim::_1D | Dim::_2D) {
            return bad(4, "in OpenCL, an arrayed image must have Dim 1D or 2D");
        }
        if image.multisampled != 0 {
            return bad(5, "in OpenCL, MS must be 0");
        }
        if image.sampled != 0 {
            return bad(6, "in OpenCL, Sampled must be 0");
        }
        if image.access.is_none() {
            return bad(7, "missing Access Qualifier, which OpenCL requires");
        }
    }
    if env.is_vulkan() {
        if image.sampled == 0 {
            return bad(6, "in Vulkan, Sampled must be 1 or 2 [VUID-StandaloneSpirv-OpTypeImage-04657]");
        }
        if subpass && image.arrayed != 0 {
            return bad(
                4,
                "in Vulkan, an image of Dim SubpassData must not be arrayed [VUID-StandaloneSpirv-OpTypeImage-06214]",
            );
        }
        if image.dim == Dim::Rect {
            return bad(2, "Dim Rect is not supported in Vulkan [VUID-StandaloneSpirv-OpTypeImage-09638]");
        }
    }
    Ok(())
}

pub(super) fn type_sampled_image(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let ty = inst.operand(1);
    let Some(image) = image_of(m, ty).filter(|_| m.op(ty) == Op::TypeImage) else {
        if m.op(ty) == Op::TypeImage {
            return Ok(());
        }
        return fail_at(&IMAGE_TYPE, 1, format!("`{}` is not an image type", m.name(ty)));
    };
    if image.sampled > 1 {
        return fail_at(&IMAGE_TYPE, 1, "OpTypeSampledImage requires an image type with Sampled 0 or 1");
    }
    if m.scope.version >= 0x10600 && image.dim == Dim::Buffer {
        return fail_at(
            &IMAGE_TYPE,
            1,
            "since SPIR-V 1.6, OpTypeSampledImage must not use an image of Dim Buffer",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

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
            error[image-type] `3`: Depth must be 0, 1 or 2
            error[image-type] `%bool`: Sampled Type must be an integer, a float or void
              9:1 `%bool`: defined here
            error[image-type] `3`: Sampled must be 0, 1 or 2
            error[missing-capability] `SubpassData`: SubpassData requires the InputAttachment capability
            error[image-type] `%float`: `%float` is not an image type
              12:1 `%float`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
