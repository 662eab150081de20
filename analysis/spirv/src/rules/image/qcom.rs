//! Image processing of SPV_QCOM_image_processing: its instructions take textures and samplers that are decorated for them, and
//! nothing else does.

use wavelens_syntax::spirv::tables::{Decoration, Op};

use super::wrong;
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::rules::annotation;
use wavelens_base::Verdict;

pub(super) fn is_processing(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleWeightedQCOM
            | Op::ImageBoxFilterQCOM
            | Op::ImageBlockMatchSSDQCOM
            | Op::ImageBlockMatchSADQCOM
            | Op::ImageBlockMatchWindowSADQCOM
            | Op::ImageBlockMatchWindowSSDQCOM
            | Op::ImageBlockMatchGatherSADQCOM
            | Op::ImageBlockMatchGatherSSDQCOM
    )
}

/// What the operands of an image processing instruction were loaded from carries the decoration it needs.
pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::ImageSampleWeightedQCOM => texture(m, inst, 4, Decoration::WeightTextureQCOM),
        Op::ImageBlockMatchSSDQCOM
        | Op::ImageBlockMatchSADQCOM
        | Op::ImageBlockMatchGatherSSDQCOM
        | Op::ImageBlockMatchGatherSADQCOM => {
            texture(m, inst, 2, Decoration::BlockMatchTextureQCOM)?;
            texture(m, inst, 4, Decoration::BlockMatchTextureQCOM)
        }
        Op::ImageBlockMatchWindowSSDQCOM | Op::ImageBlockMatchWindowSADQCOM => {
            window(m, inst, 2)?;
            window(m, inst, 4)
        }
        _ => Ok(()),
    }
}

/// The operands of the OpSampledImage that defines an id: image and sampler. Any other id is both.
fn image_and_sampler(m: &RuleContext<'_>, id: Id) -> (Id, Id) {
    match m.def(id).filter(|d| d.op() == Op::SampledImage) {
        Some(sampled) => (sampled.operand(2), sampled.operand(3)),
        None => (id, id),
    }
}

fn texture(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, kind: u32) -> Verdict {
    decorated(m, operand, image_and_sampler(m, inst.operand(operand)).0, kind)
}

fn window(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let (image, sampler) = image_and_sampler(m, inst.operand(operand));
    decorated(m, operand, image, Decoration::BlockMatchTextureQCOM)?;
    decorated(m, operand, sampler, Decoration::BlockMatchSamplerQCOM)
}

fn decorated(m: &RuleContext<'_>, operand: usize, id: Id, kind: u32) -> Verdict {
    let Some(load) = m.def(id).filter(|d| d.op() == Op::Load) else {
        return wrong(operand, format!("`{}` must be the result of an OpLoad", m.name(id)));
    };
    let variable = load.operand(2);
    if !m.has_decoration(variable, kind) && !m.may_be_decorated(variable) {
        let kind = annotation::name(kind);
        return wrong(
            operand,
            format!("missing {kind} decoration on `{}`, which is loaded here", m.name(variable)),
        );
    }
    Ok(())
}

/// Other image instructions do not use textures that are decorated for image processing.
pub(super) fn other_use(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    for (operand, _, id) in inst.ids() {
        let loaded = match m.op(id) {
            Op::Load => id,
            Op::SampledImage => image_and_sampler(m, id).0,
            _ => continue,
        };
        let Some(load) = m.def(loaded).filter(|d| d.op() == Op::Load) else { continue };
        let kinds = [
            Decoration::WeightTextureQCOM,
            Decoration::BlockMatchTextureQCOM,
            Decoration::BlockMatchSamplerQCOM,
        ];
        if let Some(kind) = kinds.into_iter().find(|k| m.has_decoration(load.operand(2), *k)) {
            let (variable, kind) = (m.name(load.operand(2)), annotation::name(kind));
            let op = inst.op().name();
            return wrong(operand, format!("{op} must not use `{variable}`, which is decorated with {kind}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn processing_takes_decorated_textures() {
        let shader = Shader {
            head: r#"; target-env: spv1.4
OpCapability Shader
OpCapability TextureBlockMatchQCOM
OpExtension "SPV_QCOM_image_processing""#,
            entry: r#"OpEntryPoint Fragment %main "main" %target %plain
OpExecutionMode %main OriginUpperLeft"#,
            annotations: "OpDecorate %target BlockMatchTextureQCOM",
            types: "%uvec2 = OpTypeVector %uint 2
%at = OpConstantNull %uvec2
%uv = OpConstantNull %vec2
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%pointer = OpTypePointer UniformConstant %sampled
%target = OpVariable %pointer UniformConstant
%plain = OpVariable %pointer UniformConstant",
            body: "%t = OpLoad %sampled %target
%p = OpLoad %sampled %plain
%a = OpImageBlockMatchSSDQCOM %vec4 %t %at %p %at %at
%b = OpImageSampleImplicitLod %vec4 %t %uv",
        };
        expect![[r#"
            error[image] `%p`: missing BlockMatchTextureQCOM decoration on `%plain`, which is loaded here
              42:1 `%p = OpLoad %sampled %plain`: defined here
            error[image] `%t`: OpImageSampleImplicitLod must not use `%target`, which is decorated with BlockMatchTextureQCOM
              41:1 `%t = OpLoad %sampled %target`: defined here
        "#]].assert_eq(&shader.findings());
    }
}
