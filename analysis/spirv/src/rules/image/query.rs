//! Questions about images.

use wavelens_syntax::spirv::tables::{Capability, Dim, Op, StorageClass};

use super::{coordinate, dim_name, image, is_plain_dim, needs_derivatives, plane, sampled, wrong};
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Verdict;

/// Whether an instruction asks about an image.
pub(super) fn is_query(op: Op) -> bool {
    matches!(
        op,
        Op::ImageQueryFormat
            | Op::ImageQueryOrder
            | Op::ImageQuerySizeLod
            | Op::ImageQuerySize
            | Op::ImageQueryLod
            | Op::ImageQueryLevels
            | Op::ImageQuerySamples
    )
}

/// A tile attachment is not asked (SPIRV-Tools validate_memory.cpp: "must not be consumed by an OpImageQuery* instruction").
pub(super) fn of_tile_attachment(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let load = m.def(inst.operand(2)).filter(|load| load.op() == Op::Load);
    let variable = load.and_then(|load| m.def(load.operand(2))).filter(|def| def.op() == Op::Variable);
    let Some(variable) = variable.filter(|_| m.has_capability(Capability::TileShadingQCOM)) else {
        return Ok(());
    };
    let (class, image) = m.pointer(variable.ty()).unwrap_or_default();
    if class != StorageClass::TileAttachmentQCOM || m.op(image) != Op::TypeImage {
        return Ok(());
    }
    let name = m.name(variable.id());
    wrong(2, format!("{} must not be used with the tile attachment `{name}`", inst.op().name()))
}

pub(super) fn int_result(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_int(inst.ty()) {
        return wrong(
            0,
            format!(
                "expected an integer as Result Type of {}, found {}",
                inst.op().name(),
                m.type_name(inst.ty())
            ),
        );
    }
    Ok(())
}

pub(super) fn query_size(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_int_scalar_or_vector(inst.ty()) {
        return wrong(
            0,
            format!("expected an integer scalar or vector as size, found {}", m.type_name(inst.ty())),
        );
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
                format!("{} must not be used with an image of Dim {}", inst.op().name(), dim_name(image.dim)),
            );
        }
    };
    let count = image.arrayed.saturating_add(count);
    if levels {
        if image.multisampled != 0 {
            return wrong(2, "a multisampled image does not have levels of detail");
        }
        if m.scope.env.is_vulkan() && image.sampled != 1 {
            return wrong(
                2,
                "in Vulkan, only an image with Sampled 1 has levels of detail [VUID-StandaloneSpirv-OpImageQuerySizeLod-04659]",
            );
        }
    } else if is_plain_dim(&image) && image.multisampled != 1 && !matches!(image.sampled, 0 | 2) {
        return wrong(2, "this image has levels of detail; use OpImageQuerySizeLod");
    }
    if m.dimension(inst.ty()) != count {
        return wrong(0, format!("Result Type must have {count} components for this image"));
    }
    if levels && !m.is_int(m.operand_type(inst, 3)) {
        return wrong(
            3,
            format!("expected an integer scalar as Level of Detail, found {}", m.describe_operand(inst, 3)),
        );
    }
    Ok(())
}

pub(super) fn query_lod(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_float_vector(inst.ty()) || m.dimension(inst.ty()) != 2 {
        return wrong(
            0,
            format!(
                "expected a vector of 2 floats as Result Type of OpImageQueryLod, found {}",
                m.type_name(inst.ty())
            ),
        );
    }
    let image = sampled(m, inst)?;
    if !is_plain_dim(&image) {
        return wrong(2, format!("an image of Dim {} does not have levels of detail", dim_name(image.dim)));
    }
    coordinate(m, inst, 3, plane(&image), true, m.has_capability(Capability::Kernel))?;
    needs_derivatives(m, inst)
}

pub(super) fn query_levels(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    int_result(m, inst)?;
    let image = image(m, inst, 2)?;
    if inst.op() == Op::ImageQueryLevels {
        if !is_plain_dim(&image) {
            return wrong(
                2,
                format!("an image of Dim {} does not have levels of detail", dim_name(image.dim)),
            );
        }
        if m.scope.env.is_vulkan() && image.sampled != 1 {
            return wrong(
                2,
                "in Vulkan, only an image with Sampled 1 has levels of detail [VUID-StandaloneSpirv-OpImageQuerySizeLod-04659]",
            );
        }
        return Ok(());
    }
    if image.dim != Dim::_2D || image.multisampled != 1 {
        return wrong(2, "expected a multisampled image of Dim 2D");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::image::in_fragment_shader;
    use crate::rules::testing::findings;

    #[test]
    fn tile_attachments_are_not_asked() {
        let text = |load: &str| {
            format!(
                "; target-env: spv1.0\nOpCapability Shader\nOpCapability ImageQuery\nOpCapability TileShadingQCOM\n\
                 OpExtension \"SPV_QCOM_tile_shading\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n\
                 OpExecutionMode %main OriginUpperLeft\nOpDecorate %color Binding 2\nOpDecorate %color DescriptorSet 0\n\
                 OpDecorate %other Binding 3\nOpDecorate %other DescriptorSet 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                 %int = OpTypeInt 32 1\n%v2int = OpTypeVector %int 2\n%image = OpTypeImage %int 2D 0 0 0 2 Rgba32i\n\
                 %tile = OpTypePointer TileAttachmentQCOM %image\n%constant = OpTypePointer UniformConstant %image\n\
                 %color = OpVariable %tile TileAttachmentQCOM\n%other = OpVariable %constant UniformConstant\n\
                 %main = OpFunction %void None %fn\n%entry = OpLabel\n%loaded = OpLoad %image %{load}\n\
                 %size = OpImageQuerySize %v2int %loaded\nOpReturn\nOpFunctionEnd\n"
            )
        };
        expect![[r#"
            error[image] 25:33 `%loaded`: OpImageQuerySize must not be used with the tile attachment `%color`
              24:1 `%loaded = OpLoad %image %color`: defined here
        "#]]
        .assert_eq(&findings(&text("color")));
        expect![""].assert_eq(&findings(&text("other")));
    }

    #[test]
    fn questions_fit_the_image() {
        let text = in_fragment_shader(
            r#"%a = OpImageQueryLod %vec2 %t %uv
%b = OpImageQuerySizeLod %int %i %i0
%c = OpImageQueryLevels %float %i
%d = OpImageQuerySamples %int %i
"#,
        );
        expect![[r#"
            error[image] 36:26 `%int`: Result Type must have 2 components for this image
              12:1 `%int`: defined here
            error[image] 37:25 `%float`: expected an integer as Result Type of OpImageQueryLevels, found float
              13:1 `%float`: defined here
            error[image] 38:31 `%i`: expected a multisampled image of Dim 2D
              33:1 `%i = OpImage %image %t`: defined here
        "#]]
        .assert_eq(&findings(&text));
    }
}
