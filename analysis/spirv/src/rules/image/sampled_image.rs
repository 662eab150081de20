//! OpSampledImage and the instructions that may use its result.

use wavelens_syntax::spirv::tables::{Capability, Dim, Op};

use super::qcom::is_processing;
use super::{Image, image, image_of, is_explicit, is_gather, is_implicit, not_dim, wrong};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use wavelens_base::Verdict;

/// Instructions that may use the result of OpSampledImage.
fn may_use_sampled_image(m: &RuleContext<'_>, op: Op) -> bool {
    is_implicit(op)
        || is_explicit(op)
        || is_gather(op)
        || is_processing(op)
        || matches!(
            op,
            Op::SampledImage | Op::Image | Op::ImageQueryLod | Op::CopyObject | Op::ImageSampleFootprintNV
        )
        || op == Op::Store && m.has_capability(Capability::BindlessTextureNV)
}

/// What two image types must share and do not. Their Depth may differ.
fn difference(a: &Image, b: &Image) -> Option<&'static str> {
    [
        ("Sampled Type", a.sampled_type == b.sampled_type),
        ("Dim", a.dim == b.dim),
        ("Arrayed", a.arrayed == b.arrayed),
        ("MS", a.multisampled == b.multisampled),
        ("Sampled", a.sampled == b.sampled),
        ("Image Format", a.format == b.format),
        ("Access Qualifier", a.access == b.access),
    ]
    .into_iter()
    .find_map(|(what, is_equal)| (!is_equal).then_some(what))
}

pub(super) fn sampled_image(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(result) = m.def(inst.ty()).filter(|d| d.op() == Op::TypeSampledImage) else {
        return wrong(
            0,
            format!(
                "expected a sampled image as Result Type of OpSampledImage, found {}",
                m.type_name(inst.ty())
            ),
        );
    };
    let own_type = m.operand_type(inst, 2);
    let own = image(m, inst, 2)?;
    if let Some(other) = image_of(m, result.word(2))
        && let Some(what) = difference(&own, &other)
    {
        let (own, other) = m.type_names(own_type, result.word(2));
        return wrong(
            2,
            format!("Image and the image of Result Type must have the same {what}, found {own} and {other}"),
        );
    }
    if m.scope.env.is_vulkan() && own.sampled != 1 {
        return wrong(
            2,
            "in Vulkan, Sampled of the image type must be 1 [VUID-StandaloneSpirv-OpTypeSampledImage-06671]",
        );
    }
    if own.sampled > 1 {
        return wrong(2, "Sampled of the image type must be 0 or 1");
    }
    not_dim(&own, 2, Dim::SubpassData)?;
    if m.op(m.operand_type(inst, 3)) != Op::TypeSampler {
        return wrong(3, format!("`{}` is not a sampler", m.name(inst.operand(3))));
    }
    Ok(())
}

/// The use of a result of OpSampledImage: in its own block, by instructions that are for it.
pub(in crate::rules) fn use_of_sampled_image(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if ops::is_debug(inst.op()) || ops::is_decoration(inst.op()) || inst.is_non_semantic() {
        return Ok(());
    }
    for (index, _, id) in inst.ids() {
        let Some(def) = m.def(id).filter(|d| d.op() == Op::SampledImage) else { continue };
        if !may_use_sampled_image(m, inst.op()) {
            return wrong(
                index,
                format!("{} must not use `{}`, the result of OpSampledImage", inst.op().name(), m.name(id)),
            );
        }
        let (from, to) = (def.at.min(inst.at), def.at.max(inst.at));
        if (from..to).filter_map(|at| m.inst(at)).any(|i| i.op() == Op::Label) {
            return wrong(
                index,
                format!("`{}` must be used in the same block as its OpSampledImage", m.name(id)),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::image::in_fragment_shader;
    use crate::rules::testing::findings;

    #[test]
    fn a_sampled_image_stays_in_its_block() {
        let text = in_fragment_shader(
            r#"%a = OpSampledImage %image %i %i
%b = OpSampledImage %sampled %s %i
%c = OpSampledImage %sampled %i %f1
"#,
        );
        expect![[r#"
            error[image] 35:21 `%image`: expected a sampled image as Result Type of OpSampledImage, found image2D of float
              22:1 `%image`: defined here
            error[image] 36:30 `%s`: Image and the image of Result Type must have the same Sampled, found storage image2D of float, R32f and image2D of float
              34:1 `%s = OpLoad %written %store`: defined here
            error[image] 37:33 `%f1`: `%f1` is not a sampler
              18:1 `%f1`: defined here
        "#]]
        .assert_eq(&findings(&text));
    }
}
