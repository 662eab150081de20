//! The optional image operands: Bias, Lod, Grad, offsets, samples, texel availability.

use wavelens_syntax::spirv::tables::{Capability, Dim, ImageOperands as O, Op};

use super::{
    Image, described, dim_name, is_explicit, is_gather, is_implicit, is_plain_dim, not_dim, plane, wrong,
};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::ops;
use crate::rules::scopes;
use wavelens_base::Verdict;
use wavelens_base::configuration::DeviceFeature;

/// Counts ids after an operand mask.
fn ids_of(mask: u32) -> u32 {
    let without =
        O::NonPrivateTexelKHR | O::VolatileTexelKHR | O::SignExtend | O::ZeroExtend | O::Nontemporal;
    (mask & !without).count_ones() + u32::from(mask & O::Grad != 0)
}

/// The image operands; `at` is the index of the mask.
pub(super) fn operands(m: &RuleContext<'_>, inst: Inst<'_>, image: &Image, at: usize) -> Verdict {
    let mask = inst.opt_operand(at).unwrap_or(0);
    let mut operands = Operands { m, inst, image, at, mask, next: at };
    if inst.count() > at && ids_of(mask) as usize != inst.count() - at - 1 {
        return wrong(at, "the number of image operands does not match the image operands mask");
    }
    if image.multisampled != 0 && !operands.has(O::Sample) {
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
    // In the order of the bits, which is that of the operands.
    operands.check_level_of_detail()?;
    operands.check_gradient()?;
    operands.check_offset(O::ConstOffset, "ConstOffset")?;
    operands.check_offset(O::Offset, "Offset")?;
    operands.check_constant_offsets()?;
    operands.check_sample()?;
    operands.check_minimum_level()?;
    operands.check_texel_access(O::MakeTexelAvailableKHR, "MakeTexelAvailable", &[Op::ImageWrite])?;
    operands.check_texel_access(
        O::MakeTexelVisibleKHR,
        "MakeTexelVisible",
        &[Op::ImageRead, Op::ImageSparseRead],
    )
}

/// A cursor over the operands of a mask.
struct Operands<'a> {
    m: &'a RuleContext<'a>,
    inst: Inst<'a>,
    image: &'a Image,
    /// Index of the mask.
    at: usize,
    mask: u32,
    /// Index of the last operand that was taken.
    next: usize,
}

impl Operands<'_> {
    fn has(&self, bit: u32) -> bool {
        self.mask & bit != 0
    }

    /// The next operand: index, id, type.
    fn take(&mut self) -> (usize, Id, Id) {
        self.next += 1;
        let id = self.inst.operand(self.next);
        (self.next, id, self.m.type_of(id))
    }

    /// Takes a scalar.
    fn take_scalar(&mut self, is_float: bool, name: &str) -> Verdict {
        let (index, _, ty) = self.take();
        let (fits, expected) = match is_float {
            true => (self.m.is_float(ty), "a float"),
            false => (self.m.is_int(ty), "an integer"),
        };
        if fits {
            return Ok(());
        }
        wrong(index, format!("expected {expected} scalar as {name}, found {}", described(self.m, ty)))
    }

    /// The image has levels of detail.
    fn check_has_levels(&self, name: &str) -> Verdict {
        if is_plain_dim(self.image) {
            return Ok(());
        }
        let dim = dim_name(self.image.dim);
        wrong(self.at, format!("{name} must not be used with an image of Dim {dim}"))
    }

    fn check_level_of_detail(&mut self) -> Verdict {
        let op = self.inst.op();
        let gathers_lod = matches!(op, Op::ImageGather | Op::ImageSparseGather)
            && self.m.has_capability(Capability::ImageGatherBiasLodAMD);
        if self.has(O::Bias) {
            if !is_implicit(op) && !gathers_lod {
                return wrong(self.at, "Bias can be used only with an implicit level of detail");
            }
            self.take_scalar(true, "Bias")?;
            self.check_has_levels("Bias")?;
        }
        if self.has(O::Lod) {
            let fetches = matches!(op, Op::ImageFetch | Op::ImageSparseFetch);
            let accesses_storage = matches!(op, Op::ImageRead | Op::ImageWrite | Op::ImageSparseRead)
                && self.m.has_capability(Capability::ImageReadWriteLodAMD);
            if !is_explicit(op) && !accesses_storage && !fetches && !gathers_lod {
                return wrong(
                    self.at,
                    "Lod can be used only with an explicit level of detail or OpImageFetch",
                );
            }
            if self.has(O::Grad) {
                return wrong(self.at, "Lod and Grad must not be used together");
            }
            self.take_scalar(is_explicit(op) || gathers_lod, "Lod")?;
            self.check_has_levels("Lod")?;
        }
        Ok(())
    }

    fn check_gradient(&mut self) -> Verdict {
        if !self.has(O::Grad) {
            return Ok(());
        }
        if !is_explicit(self.inst.op()) {
            return wrong(self.at, "Grad can be used only with an explicit level of detail");
        }
        let (m, components) = (self.m, plane(self.image));
        for _ in 0..2 {
            let (index, _, ty) = self.take();
            if !m.is_float_scalar_or_vector(ty) || m.dimension(ty) != components {
                return wrong(
                    index,
                    format!("expected {components} float components as Grad, found {}", described(m, ty)),
                );
            }
        }
        Ok(())
    }

    /// ConstOffset or Offset.
    fn check_offset(&mut self, bit: u32, name: &str) -> Verdict {
        if !self.has(bit) {
            return Ok(());
        }
        not_dim(self.image, self.at, Dim::Cube)?;
        let (m, components) = (self.m, plane(self.image));
        let (index, id, ty) = self.take();
        if !m.is_int_scalar_or_vector(ty) || m.dimension(ty) != components {
            return wrong(
                index,
                format!("expected {components} integer components as {name}, found {}", described(m, ty)),
            );
        }
        if bit == O::ConstOffset && !ops::is_constant(m.op(id)) {
            return wrong(index, "ConstOffset must be a constant");
        }
        if bit == O::Offset
            && m.scope.env.is_vulkan()
            && !is_gather(self.inst.op())
            && !m.scope.features.device.has(DeviceFeature::MAINTENANCE8)
        {
            return wrong(
                self.at,
                "in Vulkan, Offset can be used only with gather instructions; use ConstOffset, or enable the feature maintenance8 [VUID-RuntimeSpirv-Offset-10213]",
            );
        }
        Ok(())
    }

    fn check_constant_offsets(&mut self) -> Verdict {
        if !self.has(O::ConstOffsets) {
            return Ok(());
        }
        if !is_gather(self.inst.op()) {
            return wrong(self.at, "ConstOffsets can be used only with gather instructions");
        }
        not_dim(self.image, self.at, Dim::Cube)?;
        let m = self.m;
        let (index, id, ty) = self.take();
        let array = m.def(ty).filter(|d| d.op() == Op::TypeArray && m.uint(d.word(3)) == Some(4));
        let has_pairs = array.is_some_and(|d| m.is_int_vector(d.word(2)) && m.dimension(d.word(2)) == 2);
        if !has_pairs || !ops::is_constant(m.op(id)) {
            return wrong(index, "ConstOffsets must be a constant array of 4 vectors of 2 integers");
        }
        Ok(())
    }

    fn check_sample(&mut self) -> Verdict {
        if !self.has(O::Sample) {
            return Ok(());
        }
        let reads = matches!(
            self.inst.op(),
            Op::ImageFetch | Op::ImageRead | Op::ImageWrite | Op::ImageSparseFetch | Op::ImageSparseRead
        );
        if !reads || self.image.multisampled == 0 {
            return wrong(
                self.at,
                "Sample can be used only to fetch from, read or write a multisampled image",
            );
        }
        self.take_scalar(false, "Sample")
    }

    fn check_minimum_level(&mut self) -> Verdict {
        if !self.has(O::MinLod) {
            return Ok(());
        }
        if !is_implicit(self.inst.op()) && !self.has(O::Grad) {
            return wrong(self.at, "MinLod can be used only with an implicit level of detail or with Grad");
        }
        self.take_scalar(true, "MinLod")?;
        self.check_has_levels("MinLod")?;
        if self.image.multisampled != 0 {
            return wrong(self.at, "MinLod must not be used with a multisampled image");
        }
        Ok(())
    }

    /// MakeTexelAvailable or MakeTexelVisible, which only the `allowed` instructions take.
    fn check_texel_access(&mut self, bit: u32, name: &str, allowed: &[Op]) -> Verdict {
        if !self.has(bit) {
            return Ok(());
        }
        if !allowed.contains(&self.inst.op()) {
            return wrong(self.at, format!("{name} must not be used with {}", self.inst.op().name()));
        }
        if !self.has(O::NonPrivateTexelKHR) {
            return wrong(self.at, format!("{name} requires NonPrivateTexel"));
        }
        let (index, ..) = self.take();
        scopes::memory(self.m, self.inst, index)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::image::in_fragment_shader;
    use crate::rules::testing::findings;

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
              17:1 `%i0`: defined here
            error[image] 37:32 `Bias`: Bias can be used only with an implicit level of detail
            error[missing-capability] 38:44 `Offset`: Offset requires the ImageGatherExtended capability
            error[image] 39:44 `Sample`: Sample can be used only to fetch from, read or write a multisampled image
        "#]].assert_eq(&findings(&text));
    }
}
