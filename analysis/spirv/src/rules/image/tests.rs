//! What images require.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn a_read_image_has_the_capability_and_coordinates_it_needs() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Linkage
        ;            ^^^^^^^ error[environment-capability]: vulkan1.3 does not support the Linkage capability
        OpMemoryModel Logical GLSL450
        %float = OpTypeFloat 32
        %image = OpTypeImage %float 2D 3 0 0 1 Unknown
        ;                              ^ error[image-type]: Depth must be 0, 1 or 2
        %sampled = OpTypeSampledImage %float
        ;                             ^^^^^^ error[image-type]: `%float` is not an image type
        ;                                  = line 5:1: defined here
    "#]]);
}
