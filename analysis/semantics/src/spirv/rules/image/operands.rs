//! The optional image operands: Bias, Lod, Grad, offsets, samples, texel availability.

use wavelens_syntax::spirv::tables::{Capability, Dim, ImageOperands, Op};

use super::{
    Image, described, dim_name, is_explicit, is_gather, is_implicit, is_plain_dim, not_dim, plane, wrong,
};
use crate::Verdict;
use crate::spirv::code::{Id, Inst};
use crate::spirv::context::RuleContext;
use crate::spirv::ops;
use crate::spirv::rules::scopes;

/// Counts ids after an operand mask.
fn ids_of(mask: u32) -> u32 {
    let without = ImageOperands::NonPrivateTexelKHR
        | ImageOperands::VolatileTexelKHR
        | ImageOperands::SignExtend
        | ImageOperands::ZeroExtend
        | ImageOperands::Nontemporal;
    (mask & !without).count_ones() + u32::from(mask & ImageOperands::Grad != 0)
}

/// The image operands; `at` is the mask's place.
pub(super) fn operands(m: &RuleContext<'_>, inst: Inst<'_>, image: &Image, at: usize) -> Verdict {
    use ImageOperands as O;
    let op = inst.op();
    let mask = inst.opt_operand(at).unwrap_or(0);
    let has = |bit: u32| mask & bit != 0;
    if inst.count() > at && ids_of(mask) as usize != inst.count() - at - 1 {
        return wrong(at, "the number of image operands does not match the image operands mask");
    }
    if image.multisampled != 0 && !has(O::Sample) {
        return wrong(
            at.min(inst.count().saturating_sub(1)),
            "a multisampled image requires the image operand Sample",
        );
    }
    if mask == 0 {
        return Ok(());
    }
    if (mask & (O::Offset | O::ConstOffset | O::ConstOffsets | O::Offsets)).count_ones() > 1 {
        return wrong(at, "only one of Offset, ConstOffset, ConstOffsets and Offsets can be used");
    }
    let lod_on_storage = matches!(op, Op::ImageRead | Op::ImageWrite | Op::ImageSparseRead)
        && m.has_capability(Capability::ImageReadWriteLodAMD);
    let gathers_lod = matches!(op, Op::ImageGather | Op::ImageSparseGather)
        && m.has_capability(Capability::ImageGatherBiasLodAMD);
    let levels = |name: &str| match is_plain_dim(image) {
        true => Ok(()),
        false => wrong(at, format!("{name} must not be used with an image of Dim {}", dim_name(image.dim))),
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
                "expected {} scalar as {name}, found {}",
                if float { "a float" } else { "an integer" },
                described(m, ty)
            ),
        ),
    };
    if has(O::Bias) {
        if !is_implicit(op) && !gathers_lod {
            return wrong(at, "Bias can be used only with an implicit level of detail");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, true, "Bias")?;
        levels("Bias")?;
    }
    if has(O::Lod) {
        let fetches = matches!(op, Op::ImageFetch | Op::ImageSparseFetch);
        if !is_explicit(op) && !lod_on_storage && !fetches && !gathers_lod {
            return wrong(at, "Lod can be used only with an explicit level of detail or OpImageFetch");
        }
        if has(O::Grad) {
            return wrong(at, "Lod and Grad must not be used together");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, is_explicit(op) || gathers_lod, "Lod")?;
        levels("Lod")?;
    }
    if has(O::Grad) {
        if !is_explicit(op) {
            return wrong(at, "Grad can be used only with an explicit level of detail");
        }
        for _ in 0..2 {
            let (index, _, ty) = take();
            if !m.is_float_scalar_or_vector(ty) || m.dimension(ty) != plane(image) {
                return wrong(
                    index,
                    format!("expected {} float components as Grad, found {}", plane(image), described(m, ty)),
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
                format!("expected {} integer components as {name}, found {}", plane(image), described(m, ty)),
            );
        }
        if bit == O::ConstOffset && !ops::is_constant(m.op(id)) {
            return wrong(index, "ConstOffset must be a constant");
        }
        if bit == O::Offset && m.scope.env.is_vulkan() && !is_gather(op) {
            return wrong(
                at,
                "in Vulkan, Offset can be used only with gather instructions; use ConstOffset [VUID-RuntimeSpirv-Offset-10213]",
            );
        }
    }
    if has(O::ConstOffsets) {
        if !is_gather(op) {
            return wrong(at, "ConstOffsets can be used only with gather instructions");
        }
        not_dim(image, at, Dim::Cube)?;
        let (index, id, ty) = take();
        let array = m.def(ty).filter(|d| d.op() == Op::TypeArray && m.uint(d.word(3)) == Some(4));
        let pairs = array.is_some_and(|d| m.is_int_vector(d.word(2)) && m.dimension(d.word(2)) == 2);
        if !pairs || !ops::is_constant(m.op(id)) {
            return wrong(index, "ConstOffsets must be a constant array of 4 vectors of 2 integers");
        }
    }
    if has(O::Sample) {
        let reads = matches!(
            op,
            Op::ImageFetch | Op::ImageRead | Op::ImageWrite | Op::ImageSparseFetch | Op::ImageSparseRead
        );
        if !reads || image.multisampled == 0 {
            return wrong(at, "Sample can be used only to fetch from, read or write a multisampled image");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, false, "Sample")?;
    }
    if has(O::MinLod) {
        if !is_implicit(op) && !has(O::Grad) {
            return wrong(at, "MinLod can be used only with an implicit level of detail or with Grad");
        }
        let (index, _, ty) = take();
        int_or_float(index, ty, true, "MinLod")?;
        levels("MinLod")?;
        if image.multisampled != 0 {
            return wrong(at, "MinLod must not be used with a multisampled image");
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
            return wrong(at, format!("{name} must not be used with {}", op.name()));
        }
        if !has(O::NonPrivateTexelKHR) {
            return wrong(at, format!("{name} requires NonPrivateTexel"));
        }
        let (index, ..) = take();
        scopes::memory(m, inst, index)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::image::in_fragment_shader;
    use crate::spirv::rules::testing::findings;

    #[test]
    fn image_operands_fit_the_instruction() {
        let text = in_fragment_shader(
            r#"%a = OpImageSampleImplicitLod %vec4 %t %uv Lod %f1
%b = OpImageSampleExplicitLod %vec4 %t %uv Lod %i0
%c = OpImageFetch %vec4 %i %at Bias %f1
%d = OpImageSampleImplicitLod %vec4 %t %uv Offset %f1
%e = OpImageSampleImplicitLod %vec4 %t %uv Sample %i0
"#,
        );
        expect![[r#"
            error[image] 35:44 `Lod`: Lod can be used only with an explicit level of detail or OpImageFetch
            error[image] 36:48 `%i0`: expected a float scalar as Lod, found int
            error[image] 37:32 `Bias`: Bias can be used only with an implicit level of detail
            error[missing-capability] 38:44 `Offset`: Offset requires the ImageGatherExtended capability
            error[image] 39:44 `Sample`: Sample can be used only to fetch from, read or write a multisampled image
        "#]].assert_eq(&findings(&text));
    }
}
