//! Sampling, fetching and gathering.

use wavelens_syntax::spirv::tables::{Capability, Dim, ImageOperands, Op};

use super::operands::operands;
use super::{
    Image, coordinate, coordinates, described, dim_name, four_components, image, is_projective, not_dim,
    same_component, sampled, texel, wrong,
};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use wavelens_base::Verdict;

fn single_sampled(image: &Image) -> Verdict {
    if image.multisampled != 0 {
        return wrong(2, "a multisampled image must not be sampled");
    }
    Ok(())
}

fn projective(op: Op, image: &Image) -> Verdict {
    if !is_projective(op) {
        return Ok(());
    }
    if !matches!(image.dim, Dim::_1D | Dim::_2D | Dim::_3D | Dim::Rect) {
        return wrong(
            2,
            format!("projective sampling is not allowed with an image of Dim {}", dim_name(image.dim)),
        );
    }
    if image.multisampled != 0 || image.arrayed != 0 {
        return wrong(2, "projective sampling is not allowed with a multisampled or arrayed image");
    }
    Ok(())
}

pub(super) fn sample(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
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
        return wrong(4, "ConstOffset is not supported in OpenCL");
    }
    operands(m, inst, &image, 4)
}

fn dref(m: &RuleContext<'_>, inst: Inst<'_>, image: &Image) -> Verdict {
    let ty = m.operand_type(inst, 4);
    if !m.is_float(ty) || m.width(ty) != 32 {
        return wrong(4, format!("expected a 32-bit float as Dref, found {}", described(m, ty)));
    }
    if m.scope.env.is_vulkan() && image.dim == Dim::_3D {
        return wrong(
            2,
            "in Vulkan, a depth comparison must not use an image of Dim 3D [VUID-StandaloneSpirv-OpImage-04777]",
        );
    }
    Ok(())
}

pub(super) fn sample_dref(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let texel = texel(m, inst)?;
    if !m.is_int(texel) && !m.is_float(texel) {
        return wrong(
            0,
            format!(
                "expected an integer or float as result of a depth comparison, found {}",
                described(m, texel)
            ),
        );
    }
    let image = sampled(m, inst)?;
    projective(inst.op(), &image)?;
    single_sampled(&image)?;
    same_component(m, 0, texel, &image, false)?;
    coordinate(m, inst, 3, coordinates(inst.op(), &image), true, false)?;
    dref(m, inst, &image)?;
    operands(m, inst, &image, 5)
}

pub(super) fn fetch(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let texel = four_components(m, inst)?;
    let image = image(m, inst, 2)?;
    same_component(m, 0, texel, &image, true)?;
    not_dim(&image, 2, Dim::Cube)?;
    if image.sampled != 1 {
        return wrong(2, "OpImageFetch requires an image type with Sampled 1");
    }
    coordinate(m, inst, 3, coordinates(inst.op(), &image), false, true)?;
    operands(m, inst, &image, 4)
}

pub(super) fn gather(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let texel = four_components(m, inst)?;
    let image = sampled(m, inst)?;
    single_sampled(&image)?;
    let compares = matches!(inst.op(), Op::ImageDrefGather | Op::ImageSparseDrefGather);
    same_component(m, 0, texel, &image, !compares)?;
    if !matches!(image.dim, Dim::_2D | Dim::Cube | Dim::Rect) {
        return wrong(
            2,
            format!("expected an image of Dim 2D, Cube or Rect for a gather, found {}", dim_name(image.dim)),
        );
    }
    coordinate(m, inst, 3, coordinates(inst.op(), &image), true, false)?;
    if compares {
        dref(m, inst, &image)?;
    } else {
        let ty = m.operand_type(inst, 4);
        if !m.is_int(ty) || m.width(ty) != 32 {
            return wrong(4, format!("expected a 32-bit integer as Component, found {}", described(m, ty)));
        }
        if m.scope.env.is_vulkan() && !ops::is_constant(m.op(inst.operand(4))) {
            return wrong(
                4,
                "in Vulkan, Component must be a constant [VUID-StandaloneSpirv-OpImageGather-04664]",
            );
        }
    }
    operands(m, inst, &image, 5)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::image::in_fragment_shader;
    use crate::rules::testing::findings;

    #[test]
    fn a_sample_needs_coordinates_and_gives_four_components() {
        let text = in_fragment_shader(
            r#"%a = OpImageSampleImplicitLod %vec2 %t %uv
%b = OpImageSampleImplicitLod %vec4 %t %f1
%c = OpImageSampleImplicitLod %vec4 %i %uv
%d = OpImageSampleDrefImplicitLod %vec4 %t %uv %f1
%e = OpImageGather %vec4 %t %uv %f1
%f = OpImageFetch %vec4 %i %uv
"#,
        );
        expect![[r#"
            error[image] 35:31 `%vec2`: expected a vector of 4 integers or floats as texel, found vec2
              14:1 `%vec2`: defined here
            error[image] 36:40 `%f1`: expected at least 2 coordinate components for this image, `%f1` has 1
              18:1 `%f1`: defined here
            error[image] 37:37 `%i`: OpImageSampleImplicitLod expects a sampled image, but `%i` is image2D of float
              33:1 `%i = OpImage %image %t`: defined here
            error[image] 38:35 `%vec4`: expected an integer or float as result of a depth comparison, found vec4
              16:1 `%vec4`: defined here
            error[image] 39:33 `%f1`: expected a 32-bit integer as Component, found float
              18:1 `%f1`: defined here
            error[image] 40:28 `%uv`: expected integers as Coordinate, but `%uv` is vec2
              19:1 `%uv`: defined here
        "#]]
        .assert_eq(&findings(&text));
    }
}
