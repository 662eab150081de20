//! Coordinates, sizes and operands of images of each dimension.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn texel_pointers() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Shader
        OpCapability Linkage
        OpCapability Sampled1D
        OpCapability Image1D
        OpCapability ImageBuffer
        OpCapability SampledBuffer
        OpCapability ImageRect
        OpCapability SampledRect
        OpCapability ImageCubeArray
        OpCapability SampledCubeArray
        OpCapability ImageMSArray
        OpCapability ImageQuery
        OpCapability StorageImageMultisample
        OpCapability StorageImageReadWithoutFormat
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %int2 = OpTypeVector %int 2
        %int3 = OpTypeVector %int 3
        %int4 = OpTypeVector %int 4
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %vec4 = OpTypeVector %float 4
        %i = OpConstant %int 1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %f = OpConstant %float 1
        %i2 = OpConstantNull %int2
        %i3 = OpConstantNull %int3
        %i4 = OpConstantNull %int4
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %v4 = OpConstantNull %vec4
        %store_1d = OpTypeImage %int 1D 0 0 0 2 R32i
        %pstore_1d = OpTypePointer UniformConstant %store_1d
        %s_1d = OpVariable %pstore_1d UniformConstant
        %image_1d = OpTypeImage %float 1D 0 0 0 1 Unknown
        %sampled_1d = OpTypeSampledImage %image_1d
        %psampled_1d = OpTypePointer UniformConstant %sampled_1d
        %t_1d = OpVariable %psampled_1d UniformConstant
        %store_1d_array = OpTypeImage %int 1D 0 1 0 2 R32i
        %pstore_1d_array = OpTypePointer UniformConstant %store_1d_array
        %s_1d_array = OpVariable %pstore_1d_array UniformConstant
        %image_1d_array = OpTypeImage %float 1D 0 1 0 1 Unknown
        %sampled_1d_array = OpTypeSampledImage %image_1d_array
        %psampled_1d_array = OpTypePointer UniformConstant %sampled_1d_array
        %t_1d_array = OpVariable %psampled_1d_array UniformConstant
        %store_2d = OpTypeImage %int 2D 0 0 0 2 R32i
        %pstore_2d = OpTypePointer UniformConstant %store_2d
        %s_2d = OpVariable %pstore_2d UniformConstant
        %image_2d = OpTypeImage %float 2D 0 0 0 1 Unknown
        %sampled_2d = OpTypeSampledImage %image_2d
        %psampled_2d = OpTypePointer UniformConstant %sampled_2d
        %t_2d = OpVariable %psampled_2d UniformConstant
        %store_2d_array = OpTypeImage %int 2D 0 1 0 2 R32i
        %pstore_2d_array = OpTypePointer UniformConstant %store_2d_array
        %s_2d_array = OpVariable %pstore_2d_array UniformConstant
        %image_2d_array = OpTypeImage %float 2D 0 1 0 1 Unknown
        %sampled_2d_array = OpTypeSampledImage %image_2d_array
        %psampled_2d_array = OpTypePointer UniformConstant %sampled_2d_array
        %t_2d_array = OpVariable %psampled_2d_array UniformConstant
        %store_3d = OpTypeImage %int 3D 0 0 0 2 R32i
        %pstore_3d = OpTypePointer UniformConstant %store_3d
        %s_3d = OpVariable %pstore_3d UniformConstant
        %image_3d = OpTypeImage %float 3D 0 0 0 1 Unknown
        %sampled_3d = OpTypeSampledImage %image_3d
        %psampled_3d = OpTypePointer UniformConstant %sampled_3d
        %t_3d = OpVariable %psampled_3d UniformConstant
        %store_cube = OpTypeImage %int Cube 0 0 0 2 R32i
        %pstore_cube = OpTypePointer UniformConstant %store_cube
        %s_cube = OpVariable %pstore_cube UniformConstant
        %image_cube = OpTypeImage %float Cube 0 0 0 1 Unknown
        %sampled_cube = OpTypeSampledImage %image_cube
        %psampled_cube = OpTypePointer UniformConstant %sampled_cube
        %t_cube = OpVariable %psampled_cube UniformConstant
        %store_cube_array = OpTypeImage %int Cube 0 1 0 2 R32i
        %pstore_cube_array = OpTypePointer UniformConstant %store_cube_array
        %s_cube_array = OpVariable %pstore_cube_array UniformConstant
        %image_cube_array = OpTypeImage %float Cube 0 1 0 1 Unknown
        %sampled_cube_array = OpTypeSampledImage %image_cube_array
        %psampled_cube_array = OpTypePointer UniformConstant %sampled_cube_array
        %t_cube_array = OpVariable %psampled_cube_array UniformConstant
        %store_rect = OpTypeImage %int Rect 0 0 0 2 R32i
        %pstore_rect = OpTypePointer UniformConstant %store_rect
        %s_rect = OpVariable %pstore_rect UniformConstant
        %image_rect = OpTypeImage %float Rect 0 0 0 1 Unknown
        %sampled_rect = OpTypeSampledImage %image_rect
        %psampled_rect = OpTypePointer UniformConstant %sampled_rect
        %t_rect = OpVariable %psampled_rect UniformConstant
        %store_buffer = OpTypeImage %int Buffer 0 0 0 2 R32i
        %pstore_buffer = OpTypePointer UniformConstant %store_buffer
        %s_buffer = OpVariable %pstore_buffer UniformConstant
        %image_buffer = OpTypeImage %float Buffer 0 0 0 1 Unknown
        %store_ms = OpTypeImage %int 2D 0 0 1 2 R32i
        %pstore_ms = OpTypePointer UniformConstant %store_ms
        %s_ms = OpVariable %pstore_ms UniformConstant
        %store_ms_array = OpTypeImage %int 2D 0 1 1 2 R32i
        %pstore_ms_array = OpTypePointer UniformConstant %store_ms_array
        %s_ms_array = OpVariable %pstore_ms_array UniformConstant
        %texel = OpTypePointer Image %int
        %float_texel = OpTypePointer Image %float
        %function_texel = OpTypePointer Function %int
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %x0 = OpImageTexelPointer %texel %s_1d %i %u0
        %x1 = OpImageTexelPointer %texel %s_1d %i2 %u0
        ;                                      ^^^ error[image]: expected 1 integer components as Coordinate, found ivec2
        ;                                        = line 31:1: defined here
        %x2 = OpImageTexelPointer %texel %s_1d %f %u0
        ;                                      ^^ error[image]: expected 1 integer components as Coordinate, found float
        ;                                       = line 30:1: defined here
        %x3 = OpImageTexelPointer %texel %s_1d_array %i2 %u0
        %x4 = OpImageTexelPointer %texel %s_1d_array %i3 %u0
        ;                                            ^^^ error[image]: expected 2 integer components as Coordinate, found ivec3
        ;                                              = line 32:1: defined here
        %x5 = OpImageTexelPointer %texel %s_1d_array %i %u0
        ;                                            ^^ error[image]: expected 2 integer components as Coordinate, found int
        ;                                             = line 27:1: defined here
        %x6 = OpImageTexelPointer %texel %s_2d %i2 %u0
        %x7 = OpImageTexelPointer %texel %s_2d %i3 %u0
        ;                                      ^^^ error[image]: expected 2 integer components as Coordinate, found ivec3
        ;                                        = line 32:1: defined here
        %x8 = OpImageTexelPointer %texel %s_2d %i %u0
        ;                                      ^^ error[image]: expected 2 integer components as Coordinate, found int
        ;                                       = line 27:1: defined here
        %x9 = OpImageTexelPointer %texel %s_2d_array %i3 %u0
        %x10 = OpImageTexelPointer %texel %s_2d_array %i4 %u0
        ;                                             ^^^ error[image]: expected 3 integer components as Coordinate, found ivec4
        ;                                               = line 33:1: defined here
        %x11 = OpImageTexelPointer %texel %s_2d_array %i2 %u0
        ;                                             ^^^ error[image]: expected 3 integer components as Coordinate, found ivec2
        ;                                               = line 31:1: defined here
        %x12 = OpImageTexelPointer %texel %s_3d %i3 %u0
        %x13 = OpImageTexelPointer %texel %s_3d %i4 %u0
        ;                                       ^^^ error[image]: expected 3 integer components as Coordinate, found ivec4
        ;                                         = line 33:1: defined here
        %x14 = OpImageTexelPointer %texel %s_3d %i2 %u0
        ;                                       ^^^ error[image]: expected 3 integer components as Coordinate, found ivec2
        ;                                         = line 31:1: defined here
        %x15 = OpImageTexelPointer %texel %s_cube %i3 %u0
        %x16 = OpImageTexelPointer %texel %s_cube %i4 %u0
        ;                                         ^^^ error[image]: expected 3 integer components as Coordinate, found ivec4
        ;                                           = line 33:1: defined here
        %x17 = OpImageTexelPointer %texel %s_cube %i2 %u0
        ;                                         ^^^ error[image]: expected 3 integer components as Coordinate, found ivec2
        ;                                           = line 31:1: defined here
        %x18 = OpImageTexelPointer %texel %s_cube_array %i3 %u0
        %x19 = OpImageTexelPointer %texel %s_cube_array %i4 %u0
        ;                                               ^^^ error[image]: expected 3 integer components as Coordinate, found ivec4
        ;                                                 = line 33:1: defined here
        %x20 = OpImageTexelPointer %texel %s_cube_array %i2 %u0
        ;                                               ^^^ error[image]: expected 3 integer components as Coordinate, found ivec2
        ;                                                 = line 31:1: defined here
        %x21 = OpImageTexelPointer %texel %s_rect %i2 %u0
        %x22 = OpImageTexelPointer %texel %s_rect %i3 %u0
        ;                                         ^^^ error[image]: expected 2 integer components as Coordinate, found ivec3
        ;                                           = line 32:1: defined here
        %x23 = OpImageTexelPointer %texel %s_rect %i %u0
        ;                                         ^^ error[image]: expected 2 integer components as Coordinate, found int
        ;                                          = line 27:1: defined here
        %x24 = OpImageTexelPointer %texel %s_buffer %i %u0
        %x25 = OpImageTexelPointer %texel %s_buffer %i2 %u0
        ;                                           ^^^ error[image]: expected 1 integer components as Coordinate, found ivec2
        ;                                             = line 31:1: defined here
        %x26 = OpImageTexelPointer %texel %s_buffer %f %u0
        ;                                           ^^ error[image]: expected 1 integer components as Coordinate, found float
        ;                                            = line 30:1: defined here
        %x27 = OpImageTexelPointer %texel %s_ms %i2 %u1
        %x28 = OpImageTexelPointer %texel %s_ms %i3 %u0
        ;                                       ^^^ error[image]: expected 2 integer components as Coordinate, found ivec3
        ;                                         = line 32:1: defined here
        %x29 = OpImageTexelPointer %texel %s_ms %i %u0
        ;                                       ^^ error[image]: expected 2 integer components as Coordinate, found int
        ;                                        = line 27:1: defined here
        %x30 = OpImageTexelPointer %texel %s_ms_array %i3 %u1
        %x31 = OpImageTexelPointer %texel %s_ms_array %i4 %u0
        ;                                             ^^^ error[image]: expected 3 integer components as Coordinate, found ivec4
        ;                                               = line 33:1: defined here
        %x32 = OpImageTexelPointer %texel %s_ms_array %i2 %u0
        ;                                             ^^^ error[image]: expected 3 integer components as Coordinate, found ivec2
        ;                                               = line 31:1: defined here
        %x33 = OpImageTexelPointer %texel %s_2d %v2 %u0
        ;                                       ^^^ error[image]: expected 2 integer components as Coordinate, found vec2
        ;                                         = line 34:1: defined here
        %x34 = OpImageTexelPointer %texel %s_2d %i2 %u1
        ;                                           ^^^ error[image]: Sample must be the constant 0 for an image that is not multisampled
        ;                                             = line 29:1: defined here
        %x35 = OpImageTexelPointer %float_texel %s_2d %i2 %u0
        ;                                       ^^^^^ error[image]: Sampled Type of the image is int, but Result Type points to float
        ;                                           = line 53:1: defined here
        %x36 = OpImageTexelPointer %function_texel %s_2d %i2 %u0
        ;                          ^^^^^^^^^^^^^^^ error[image]: the storage class of Result Type must be Image
        ;                                        = line 105:1: defined here
        %x37 = OpImageTexelPointer %int %s_2d %i2 %u0
        ;                          ^^^^ error[image]: expected a pointer as Result Type of OpImageTexelPointer
        ;                             = line 18:1: defined here
        %x38 = OpImageTexelPointer %texel %i %i2 %u0
        ;                                 ^^ error[image]: `%i` is not a pointer to an image
        ;                                  = line 27:1: defined here
        %x39 = OpImageTexelPointer %texel %s_2d %i2 %f
        ;                                           ^^ error[image]: expected an integer scalar as Sample, found float
        ;                                            = line 30:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn reads_samples_and_queries() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Shader
        OpCapability Linkage
        OpCapability Sampled1D
        OpCapability Image1D
        OpCapability ImageBuffer
        OpCapability SampledBuffer
        OpCapability ImageRect
        OpCapability SampledRect
        OpCapability ImageCubeArray
        OpCapability SampledCubeArray
        OpCapability ImageMSArray
        OpCapability ImageQuery
        OpCapability StorageImageMultisample
        OpCapability StorageImageReadWithoutFormat
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %int2 = OpTypeVector %int 2
        %int3 = OpTypeVector %int 3
        %int4 = OpTypeVector %int 4
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %vec4 = OpTypeVector %float 4
        %i = OpConstant %int 1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %f = OpConstant %float 1
        %i2 = OpConstantNull %int2
        %i3 = OpConstantNull %int3
        %i4 = OpConstantNull %int4
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %v4 = OpConstantNull %vec4
        %store_1d = OpTypeImage %int 1D 0 0 0 2 R32i
        %pstore_1d = OpTypePointer UniformConstant %store_1d
        %s_1d = OpVariable %pstore_1d UniformConstant
        %image_1d = OpTypeImage %float 1D 0 0 0 1 Unknown
        %sampled_1d = OpTypeSampledImage %image_1d
        %psampled_1d = OpTypePointer UniformConstant %sampled_1d
        %t_1d = OpVariable %psampled_1d UniformConstant
        %store_1d_array = OpTypeImage %int 1D 0 1 0 2 R32i
        %pstore_1d_array = OpTypePointer UniformConstant %store_1d_array
        %s_1d_array = OpVariable %pstore_1d_array UniformConstant
        %image_1d_array = OpTypeImage %float 1D 0 1 0 1 Unknown
        %sampled_1d_array = OpTypeSampledImage %image_1d_array
        %psampled_1d_array = OpTypePointer UniformConstant %sampled_1d_array
        %t_1d_array = OpVariable %psampled_1d_array UniformConstant
        %store_2d = OpTypeImage %int 2D 0 0 0 2 R32i
        %pstore_2d = OpTypePointer UniformConstant %store_2d
        %s_2d = OpVariable %pstore_2d UniformConstant
        %image_2d = OpTypeImage %float 2D 0 0 0 1 Unknown
        %sampled_2d = OpTypeSampledImage %image_2d
        %psampled_2d = OpTypePointer UniformConstant %sampled_2d
        %t_2d = OpVariable %psampled_2d UniformConstant
        %store_2d_array = OpTypeImage %int 2D 0 1 0 2 R32i
        %pstore_2d_array = OpTypePointer UniformConstant %store_2d_array
        %s_2d_array = OpVariable %pstore_2d_array UniformConstant
        %image_2d_array = OpTypeImage %float 2D 0 1 0 1 Unknown
        %sampled_2d_array = OpTypeSampledImage %image_2d_array
        %psampled_2d_array = OpTypePointer UniformConstant %sampled_2d_array
        %t_2d_array = OpVariable %psampled_2d_array UniformConstant
        %store_3d = OpTypeImage %int 3D 0 0 0 2 R32i
        %pstore_3d = OpTypePointer UniformConstant %store_3d
        %s_3d = OpVariable %pstore_3d UniformConstant
        %image_3d = OpTypeImage %float 3D 0 0 0 1 Unknown
        %sampled_3d = OpTypeSampledImage %image_3d
        %psampled_3d = OpTypePointer UniformConstant %sampled_3d
        %t_3d = OpVariable %psampled_3d UniformConstant
        %store_cube = OpTypeImage %int Cube 0 0 0 2 R32i
        %pstore_cube = OpTypePointer UniformConstant %store_cube
        %s_cube = OpVariable %pstore_cube UniformConstant
        %image_cube = OpTypeImage %float Cube 0 0 0 1 Unknown
        %sampled_cube = OpTypeSampledImage %image_cube
        %psampled_cube = OpTypePointer UniformConstant %sampled_cube
        %t_cube = OpVariable %psampled_cube UniformConstant
        %store_cube_array = OpTypeImage %int Cube 0 1 0 2 R32i
        %pstore_cube_array = OpTypePointer UniformConstant %store_cube_array
        %s_cube_array = OpVariable %pstore_cube_array UniformConstant
        %image_cube_array = OpTypeImage %float Cube 0 1 0 1 Unknown
        %sampled_cube_array = OpTypeSampledImage %image_cube_array
        %psampled_cube_array = OpTypePointer UniformConstant %sampled_cube_array
        %t_cube_array = OpVariable %psampled_cube_array UniformConstant
        %store_rect = OpTypeImage %int Rect 0 0 0 2 R32i
        %pstore_rect = OpTypePointer UniformConstant %store_rect
        %s_rect = OpVariable %pstore_rect UniformConstant
        %image_rect = OpTypeImage %float Rect 0 0 0 1 Unknown
        %sampled_rect = OpTypeSampledImage %image_rect
        %psampled_rect = OpTypePointer UniformConstant %sampled_rect
        %t_rect = OpVariable %psampled_rect UniformConstant
        %store_buffer = OpTypeImage %int Buffer 0 0 0 2 R32i
        %pstore_buffer = OpTypePointer UniformConstant %store_buffer
        %s_buffer = OpVariable %pstore_buffer UniformConstant
        %image_buffer = OpTypeImage %float Buffer 0 0 0 1 Unknown
        %store_ms = OpTypeImage %int 2D 0 0 1 2 R32i
        %pstore_ms = OpTypePointer UniformConstant %store_ms
        %s_ms = OpVariable %pstore_ms UniformConstant
        %store_ms_array = OpTypeImage %int 2D 0 1 1 2 R32i
        %pstore_ms_array = OpTypePointer UniformConstant %store_ms_array
        %s_ms_array = OpVariable %pstore_ms_array UniformConstant
        %texel = OpTypePointer Image %int
        %float_texel = OpTypePointer Image %float
        %function_texel = OpTypePointer Function %int
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %r_1d = OpLoad %store_1d %s_1d
        %r_1d_array = OpLoad %store_1d_array %s_1d_array
        %r_2d = OpLoad %store_2d %s_2d
        %r_2d_array = OpLoad %store_2d_array %s_2d_array
        %r_3d = OpLoad %store_3d %s_3d
        %r_cube = OpLoad %store_cube %s_cube
        %r_cube_array = OpLoad %store_cube_array %s_cube_array
        %r_rect = OpLoad %store_rect %s_rect
        %r_buffer = OpLoad %store_buffer %s_buffer
        %r_ms = OpLoad %store_ms %s_ms
        %r_ms_array = OpLoad %store_ms_array %s_ms_array
        %l_1d = OpLoad %sampled_1d %t_1d
        %m_1d = OpImage %image_1d %l_1d
        %l_1d_array = OpLoad %sampled_1d_array %t_1d_array
        %m_1d_array = OpImage %image_1d_array %l_1d_array
        %l_2d = OpLoad %sampled_2d %t_2d
        %m_2d = OpImage %image_2d %l_2d
        %l_2d_array = OpLoad %sampled_2d_array %t_2d_array
        %m_2d_array = OpImage %image_2d_array %l_2d_array
        %l_3d = OpLoad %sampled_3d %t_3d
        %m_3d = OpImage %image_3d %l_3d
        %l_cube = OpLoad %sampled_cube %t_cube
        %m_cube = OpImage %image_cube %l_cube
        %l_cube_array = OpLoad %sampled_cube_array %t_cube_array
        %m_cube_array = OpImage %image_cube_array %l_cube_array
        %l_rect = OpLoad %sampled_rect %t_rect
        %m_rect = OpImage %image_rect %l_rect
        %x0 = OpImageRead %int4 %r_1d %i
        %x1 = OpImageRead %int4 %r_1d_array %i2
        %x2 = OpImageRead %int4 %r_1d_array %i
        ;                                   ^^ error[image]: expected at least 2 coordinate components for this image, `%i` has 1
        ;                                    = line 27:1: defined here
        %x3 = OpImageRead %int4 %r_2d %i2
        %x4 = OpImageRead %int4 %r_2d %i
        ;                             ^^ error[image]: expected at least 2 coordinate components for this image, `%i` has 1
        ;                              = line 27:1: defined here
        %x5 = OpImageRead %int4 %r_2d_array %i3
        %x6 = OpImageRead %int4 %r_2d_array %i2
        ;                                   ^^^ error[image]: expected at least 3 coordinate components for this image, `%i2` has 2
        ;                                     = line 31:1: defined here
        %x7 = OpImageRead %int4 %r_3d %i3
        %x8 = OpImageRead %int4 %r_3d %i2
        ;                             ^^^ error[image]: expected at least 3 coordinate components for this image, `%i2` has 2
        ;                               = line 31:1: defined here
        %x9 = OpImageRead %int4 %r_cube %i3
        %x10 = OpImageRead %int4 %r_cube %i2
        ;                                ^^^ error[image]: expected at least 3 coordinate components for this image, `%i2` has 2
        ;                                  = line 31:1: defined here
        %x11 = OpImageRead %int4 %r_cube_array %i3
        %x12 = OpImageRead %int4 %r_cube_array %i2
        ;                                      ^^^ error[image]: expected at least 3 coordinate components for this image, `%i2` has 2
        ;                                        = line 31:1: defined here
        %x13 = OpImageRead %int4 %r_rect %i2
        %x14 = OpImageRead %int4 %r_rect %i
        ;                                ^^ error[image]: expected at least 2 coordinate components for this image, `%i` has 1
        ;                                 = line 27:1: defined here
        %x15 = OpImageRead %int4 %r_buffer %i
        %x16 = OpImageRead %int4 %r_ms %i2 Sample %i
        %x17 = OpImageRead %int4 %r_ms %i2
        ;                              ^^^ error[image]: a multisampled image requires the image operand Sample
        ;                                = line 31:1: defined here
        %x18 = OpImageRead %int4 %r_2d %v2
        ;                              ^^^ error[image]: expected integers as Coordinate, but `%v2` is vec2
        ;                                = line 34:1: defined here
        %x19 = OpImageRead %vec4 %r_2d %i2
        ;                  ^^^^^ error[image]: Sampled Type of the image is int, but the texel is vec4
        ;                      = line 26:1: defined here
        %x20 = OpImageRead %int4 %r_2d %i2 Sample %i
        ;                                  ^^^^^^ error[image]: Sample can be used only to fetch from, read or write a multisampled image
        %x21 = OpImageRead %int4 %i %i2
        ;                        ^^ error[image]: OpImageRead expects an image, but `%i` is int
        ;                         = line 27:1: defined here
        %x22 = OpImageSampleExplicitLod %vec4 %l_1d %f Lod %f
        %x23 = OpImageSampleExplicitLod %vec4 %l_1d_array %v2 Lod %f
        %x24 = OpImageSampleExplicitLod %vec4 %l_1d_array %f Lod %f
        ;                                                 ^^ error[image]: expected at least 2 coordinate components for this image, `%f` has 1
        ;                                                  = line 30:1: defined here
        %x25 = OpImageSampleExplicitLod %vec4 %l_2d %v2 Lod %f
        %x26 = OpImageSampleExplicitLod %vec4 %l_2d %f Lod %f
        ;                                           ^^ error[image]: expected at least 2 coordinate components for this image, `%f` has 1
        ;                                            = line 30:1: defined here
        %x27 = OpImageSampleExplicitLod %vec4 %l_2d_array %v3 Lod %f
        %x28 = OpImageSampleExplicitLod %vec4 %l_2d_array %v2 Lod %f
        ;                                                 ^^^ error[image]: expected at least 3 coordinate components for this image, `%v2` has 2
        ;                                                   = line 34:1: defined here
        %x29 = OpImageSampleExplicitLod %vec4 %l_3d %v3 Lod %f
        %x30 = OpImageSampleExplicitLod %vec4 %l_3d %v2 Lod %f
        ;                                           ^^^ error[image]: expected at least 3 coordinate components for this image, `%v2` has 2
        ;                                             = line 34:1: defined here
        %x31 = OpImageSampleExplicitLod %vec4 %l_cube %v3 Lod %f
        %x32 = OpImageSampleExplicitLod %vec4 %l_cube %v2 Lod %f
        ;                                             ^^^ error[image]: expected at least 3 coordinate components for this image, `%v2` has 2
        ;                                               = line 34:1: defined here
        %x33 = OpImageSampleExplicitLod %vec4 %l_cube_array %v4 Lod %f
        %x34 = OpImageSampleExplicitLod %vec4 %l_cube_array %v3 Lod %f
        ;                                                   ^^^ error[image]: expected at least 4 coordinate components for this image, `%v3` has 3
        ;                                                     = line 35:1: defined here
        %x35 = OpImageSampleExplicitLod %vec4 %l_rect %v2 Lod %f
        ;                                                 ^^^ error[image]: Lod must not be used with an image of Dim Rect
        %x36 = OpImageSampleExplicitLod %vec4 %l_rect %f Lod %f
        ;                                             ^^ error[image]: expected at least 2 coordinate components for this image, `%f` has 1
        ;                                              = line 30:1: defined here
        %x38 = OpImageSampleExplicitLod %vec4 %l_2d %v2 Lod %i
        ;                                                   ^^ error[image]: expected a float scalar as Lod, found int
        ;                                                    = line 27:1: defined here
        %x39 = OpImageSampleExplicitLod %vec4 %l_2d %v2 Grad %v2 %v2
        %x40 = OpImageSampleExplicitLod %vec4 %l_2d %v2 Grad %f %v2
        ;                                                    ^^ error[image]: expected 2 float components as Grad, found float
        ;                                                     = line 30:1: defined here
        %x41 = OpImageSampleExplicitLod %vec4 %l_2d %v2 Lod|ConstOffset %f %i2
        %x42 = OpImageSampleExplicitLod %vec4 %l_2d %v2 Lod|ConstOffset %f %i
        ;                                                                  ^^ error[image]: expected 2 integer components as ConstOffset, found int
        ;                                                                   = line 27:1: defined here
        %x43 = OpImageSampleExplicitLod %vec4 %l_cube %v3 Lod|ConstOffset %f %i3
        ;                                                 ^^^^^^^^^^^^^^^ error[image]: Dim of the image must not be Cube
        %x44 = OpImageSampleExplicitLod %int4 %l_2d %v2 Lod %f
        ;                               ^^^^^ error[image]: Sampled Type of the image is float, but the texel is ivec4
        ;                                   = line 23:1: defined here
        %x45 = OpImageSampleExplicitLod %vec3 %l_2d %v2 Lod %f
        ;                               ^^^^^ error[image]: expected a vector of 4 integers or floats as texel, found vec3
        ;                                   = line 25:1: defined here
        %x46 = OpImageSampleExplicitLod %vec4 %m_2d %v2 Lod %f
        ;                                     ^^^^^ error[image]: OpImageSampleExplicitLod expects a sampled image, but `%m_2d` is image2D of float
        ;                                         = line 125:1: defined here
        %x47 = OpImageFetch %vec4 %m_2d %i2
        %x48 = OpImageFetch %vec4 %m_2d %i2 Lod %i
        %x49 = OpImageFetch %vec4 %m_2d %i2 Lod %f
        ;                                       ^^ error[image]: expected an integer scalar as Lod, found float
        ;                                        = line 30:1: defined here
        %x50 = OpImageFetch %vec4 %m_2d %v2
        ;                               ^^^ error[image]: expected integers as Coordinate, but `%v2` is vec2
        ;                                 = line 34:1: defined here
        %x51 = OpImageFetch %vec4 %m_cube %i3
        ;                         ^^^^^^^ error[image]: Dim of the image must not be Cube
        ;                               = line 131:1: defined here
        %x52 = OpImageFetch %vec4 %m_3d %i3
        %x53 = OpImageFetch %vec4 %r_2d %i2
        ;                   ^^^^^ error[image]: Sampled Type of the image is int, but the texel is vec4
        ;                       = line 26:1: defined here
        %x54 = OpImageFetch %vec4 %l_2d %i2
        ;                         ^^^^^ error[image]: OpImageFetch expects an image, but `%l_2d` is sampled image2D of float
        ;                             = line 124:1: defined here
        %x55 = OpImageGather %vec4 %l_2d %v2 %i
        %x56 = OpImageGather %vec4 %l_2d %v2 %f
        ;                                    ^^ error[image]: expected a 32-bit integer as Component, found float
        ;                                     = line 30:1: defined here
        %x57 = OpImageGather %vec4 %l_3d %v3 %i
        ;                          ^^^^^ error[image]: expected an image of Dim 2D, Cube or Rect for a gather, found 3D
        ;                              = line 128:1: defined here
        %x58 = OpImageGather %vec4 %l_cube %v3 %i
        %x59 = OpImageGather %float %l_2d %v2 %i
        ;                    ^^^^^^ error[image]: expected a vector of 4 integers or floats as texel, found float
        ;                         = line 20:1: defined here
        %x60 = OpImageQuerySizeLod %int %m_1d %i
        %x61 = OpImageQuerySizeLod %int2 %m_1d %i
        ;                          ^^^^^ error[image]: Result Type must have 1 components for this image
        ;                              = line 21:1: defined here
        %x62 = OpImageQuerySizeLod %int2 %m_1d_array %i
        %x63 = OpImageQuerySizeLod %int3 %m_1d_array %i
        ;                          ^^^^^ error[image]: Result Type must have 2 components for this image
        ;                              = line 22:1: defined here
        %x64 = OpImageQuerySizeLod %int2 %m_2d %i
        %x65 = OpImageQuerySizeLod %int3 %m_2d %i
        ;                          ^^^^^ error[image]: Result Type must have 2 components for this image
        ;                              = line 22:1: defined here
        %x66 = OpImageQuerySizeLod %int3 %m_2d_array %i
        %x67 = OpImageQuerySizeLod %int4 %m_2d_array %i
        ;                          ^^^^^ error[image]: Result Type must have 3 components for this image
        ;                              = line 23:1: defined here
        %x68 = OpImageQuerySizeLod %int3 %m_3d %i
        %x69 = OpImageQuerySizeLod %int4 %m_3d %i
        ;                          ^^^^^ error[image]: Result Type must have 3 components for this image
        ;                              = line 23:1: defined here
        %x70 = OpImageQuerySizeLod %int2 %m_cube %i
        %x71 = OpImageQuerySizeLod %int3 %m_cube %i
        ;                          ^^^^^ error[image]: Result Type must have 2 components for this image
        ;                              = line 22:1: defined here
        %x72 = OpImageQuerySizeLod %int3 %m_cube_array %i
        %x73 = OpImageQuerySizeLod %int4 %m_cube_array %i
        ;                          ^^^^^ error[image]: Result Type must have 3 components for this image
        ;                              = line 23:1: defined here
        %x74 = OpImageQuerySizeLod %vec2 %m_2d %i
        ;                          ^^^^^ error[image]: expected an integer scalar or vector as size, found vec2
        ;                              = line 24:1: defined here
        %x75 = OpImageQuerySizeLod %int2 %m_2d %f
        ;                                      ^^ error[image]: expected an integer scalar as Level of Detail, found float
        ;                                       = line 30:1: defined here
        %x76 = OpImageQuerySizeLod %int2 %r_2d %i
        %x77 = OpImageQuerySize %int %r_1d
        %x78 = OpImageQuerySize %int2 %r_1d
        ;                       ^^^^^ error[image]: Result Type must have 1 components for this image
        ;                           = line 21:1: defined here
        %x79 = OpImageQuerySize %int3 %r_2d_array
        %x80 = OpImageQuerySize %int4 %r_2d_array
        ;                       ^^^^^ error[image]: Result Type must have 3 components for this image
        ;                           = line 23:1: defined here
        %x81 = OpImageQuerySize %int2 %r_rect
        %x82 = OpImageQuerySize %int3 %r_rect
        ;                       ^^^^^ error[image]: Result Type must have 2 components for this image
        ;                           = line 22:1: defined here
        %x83 = OpImageQuerySize %int %r_buffer
        %x84 = OpImageQuerySize %int2 %r_buffer
        ;                       ^^^^^ error[image]: Result Type must have 1 components for this image
        ;                           = line 21:1: defined here
        %x85 = OpImageQuerySize %int2 %r_ms
        %x86 = OpImageQuerySize %int3 %r_ms
        ;                       ^^^^^ error[image]: Result Type must have 2 components for this image
        ;                           = line 22:1: defined here
        %x87 = OpImageQuerySize %int3 %r_ms_array
        %x88 = OpImageQuerySize %int4 %r_ms_array
        ;                       ^^^^^ error[image]: Result Type must have 3 components for this image
        ;                           = line 23:1: defined here
        %x89 = OpImageQuerySize %int2 %r_cube
        %x90 = OpImageQuerySize %int3 %r_cube
        ;                       ^^^^^ error[image]: Result Type must have 2 components for this image
        ;                           = line 22:1: defined here
        %x91 = OpImageQuerySize %int2 %m_2d
        ;                             ^^^^^ error[image]: this image has levels of detail; use OpImageQuerySizeLod
        ;                                 = line 125:1: defined here
        %x92 = OpImageQueryLevels %int %m_2d
        %x93 = OpImageQueryLevels %int2 %m_2d
        ;                         ^^^^^ error[image]: expected an integer as Result Type of OpImageQueryLevels, found ivec2
        ;                             = line 21:1: defined here
        %x94 = OpImageQueryLevels %int %m_rect
        ;                              ^^^^^^^ error[image]: an image of Dim Rect does not have levels of detail
        ;                                    = line 135:1: defined here
        %x95 = OpImageQueryLevels %int %r_2d
        %x96 = OpImageQuerySamples %int %r_ms
        %x97 = OpImageQuerySamples %int %r_2d
        ;                               ^^^^^ error[image]: expected a multisampled image of Dim 2D
        ;                                   = line 111:1: defined here
        %x98 = OpImageQuerySamples %float %r_ms
        ;                          ^^^^^^ error[image]: expected an integer as Result Type of OpImageQuerySamples, found float
        ;                               = line 20:1: defined here
        OpImageWrite %r_2d %i2 %i4
        OpImageWrite %r_2d %i2 %v4
        ;                      ^^^ error[image]: Sampled Type of the image is int, but the texel is vec4
        ;                        = line 36:1: defined here
        OpImageWrite %r_2d %v2 %i4
        ;                  ^^^ error[image]: expected integers as Coordinate, but `%v2` is vec2
        ;                    = line 34:1: defined here
        OpImageWrite %r_3d %i2 %i4
        ;                  ^^^ error[image]: expected at least 3 coordinate components for this image, `%i2` has 2
        ;                    = line 31:1: defined here
        OpImageWrite %r_3d %i3 %i4
        OpImageWrite %r_cube %i3 %i4
        OpImageWrite %r_cube %i2 %i4
        ;                    ^^^ error[image]: expected at least 3 coordinate components for this image, `%i2` has 2
        ;                      = line 31:1: defined here
        OpImageWrite %m_2d %i2 %v4
        ;            ^^^^^ error[image]: expected an image type with Sampled 0 or 2
        ;                = line 125:1: defined here
        OpImageWrite %r_ms %i2 %i4
        ;                      ^^^ error[image]: a multisampled image requires the image operand Sample
        ;                        = line 33:1: defined here
        OpImageWrite %i %i2 %i4
        ;            ^^ error[image]: OpImageWrite expects an image, but `%i` is int
        ;             = line 27:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
