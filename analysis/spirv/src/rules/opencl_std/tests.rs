//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn operands_are_of_the_results_type() {
    marks(expect![[r#"
        ; target-env: spv1.2
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        %cl = OpExtInstImport "OpenCL.std"
        OpMemoryModel Physical64 OpenCL
        OpDecorate %f LinkageAttributes "f" Export
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %fn = OpTypeFunction %float %float %uint
        %f = OpFunction %float None %fn
        %a = OpFunctionParameter %float
        %b = OpFunctionParameter %uint
        %entry = OpLabel
        %good = OpExtInst %float %cl fmax %a %a
        %bad = OpExtInst %float %cl fmax %a %b
        ;                                   ^^ error[operand-type]: expected float, the Result Type, found uint
        ;                                    = line 13:1: defined here
        OpReturnValue %good
        OpFunctionEnd
    "#]]);
}

#[test]
fn each_instruction_takes_its_types() {
    marks(expect![[r#"
        ; target-env: spv1.2
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpCapability Vector16
        OpCapability Float16
        OpCapability Int64
        OpCapability Int8
        OpCapability Int16
        %cl = OpExtInstImport "OpenCL.std"
        OpMemoryModel Physical64 OpenCL
        %void = OpTypeVoid
        %char = OpTypeInt 8 0
        %short = OpTypeInt 16 0
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %half = OpTypeFloat 16
        %float = OpTypeFloat 32
        %uint2 = OpTypeVector %uint 2
        %float2 = OpTypeVector %float 2
        %float3 = OpTypeVector %float 3
        %float8 = OpTypeVector %float 8
        %half2 = OpTypeVector %half 2
        %u = OpConstant %uint 1
        %l = OpConstant %ulong 1
        %c = OpConstant %char 1
        %s = OpConstant %short 1
        %f = OpConstant %float 1
        %h = OpConstant %half 1
        %u2 = OpConstantNull %uint2
        %f2 = OpConstantNull %float2
        %f3 = OpConstantNull %float3
        %f8 = OpConstantNull %float8
        %pf = OpTypePointer CrossWorkgroup %float
        %pu = OpTypePointer CrossWorkgroup %uint
        %ph = OpTypePointer CrossWorkgroup %half
        %ps = OpTypePointer CrossWorkgroup %short
        %pcf = OpTypePointer UniformConstant %float
        %pch = OpTypePointer UniformConstant %half
        %fn = OpTypeFunction %void %pf %pu %ph %ps %pcf %pch
        %main = OpFunction %void None %fn
        %p = OpFunctionParameter %pf
        %q = OpFunctionParameter %pu
        %r = OpFunctionParameter %ph
        %t = OpFunctionParameter %ps
        %k = OpFunctionParameter %pcf
        %kh = OpFunctionParameter %pch
        %entry = OpLabel
        %x0 = OpExtInst %float %cl fract %f %p
        %x1 = OpExtInst %float %cl fract %f %q
        ;                                   ^^ error[operand-type]: expected a pointer to Result Type, found ptr CrossWorkgroup uint
        ;                                    = line 43:1: defined here
        %x2 = OpExtInst %float %cl fract %f %k
        ;                                   ^^ error[operand-type]: expected a pointer to a storage class that this instruction can access, found ptr UniformConstant float
        ;                                    = line 46:1: defined here
        %x3 = OpExtInst %float %cl fract %f %f
        ;                                   ^^ error[operand-type]: expected a pointer to Result Type, found float
        ;                                    = line 28:1: defined here
        %x4 = OpExtInst %uint %cl fract %u %q
        ;               ^^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found uint
        ;                   = line 15:1: defined here
        %x5 = OpExtInst %float %cl frexp %f %q
        %x6 = OpExtInst %float %cl frexp %f %p
        ;                                   ^^ error[operand-type]: expected a pointer to as many 32-bit integers as in Result Type, found ptr CrossWorkgroup float
        ;                                    = line 42:1: defined here
        %x7 = OpExtInst %float %cl remquo %f %f %q
        %x8 = OpExtInst %float %cl remquo %f %u %q
        ;                                    ^^ error[operand-type]: expected float, the Result Type, found uint
        ;                                     = line 24:1: defined here
        %x9 = OpExtInst %float2 %cl lgamma_r %f2 %q
        ;                                        ^^ error[operand-type]: expected a pointer to as many 32-bit integers as in Result Type, found ptr CrossWorkgroup uint
        ;                                         = line 43:1: defined here
        %x10 = OpExtInst %uint %cl ilogb %f
        %x11 = OpExtInst %uint %cl ilogb %f2
        ;                                ^^^ error[operand-type]: expected as many floats as Result Type has components, found vec2
        ;                                  = line 31:1: defined here
        %x12 = OpExtInst %uint %cl ilogb %u
        ;                                ^^ error[operand-type]: expected as many floats as Result Type has components, found uint
        ;                                 = line 24:1: defined here
        %x13 = OpExtInst %ulong %cl ilogb %f
        ;                ^^^^^^ error[operand-type]: expected a 32-bit integer scalar or vector as Result Type, found uint64_t
        ;                     = line 16:1: defined here
        %x14 = OpExtInst %float %cl ldexp %f %u
        %x15 = OpExtInst %float %cl ldexp %f %l
        ;                                    ^^ error[operand-type]: expected as many 32-bit integers as Result Type has components, found uint64_t
        ;                                     = line 25:1: defined here
        %x16 = OpExtInst %float %cl pown %f %u2
        ;                                   ^^^ error[operand-type]: expected as many 32-bit integers as Result Type has components, found uvec2
        ;                                     = line 30:1: defined here
        %x17 = OpExtInst %float %cl rootn %u %u
        ;                                 ^^ error[operand-type]: expected float, the Result Type, found uint
        ;                                  = line 24:1: defined here
        %x18 = OpExtInst %float %cl nan %u
        %x19 = OpExtInst %float %cl nan %l
        ;                               ^^ error[operand-type]: expected integers of the same size as Result Type, found uint64_t
        ;                                = line 25:1: defined here
        %x20 = OpExtInst %float %cl nan %f
        ;                               ^^ error[operand-type]: expected integers of the same size as Result Type, found float
        ;                                = line 28:1: defined here
        %x21 = OpExtInst %uint %cl u_upsample %s %s
        %x22 = OpExtInst %uint %cl u_upsample %u %u
        ;                                     ^^ error[operand-type]: expected integers of half the width of Result Type, found uint
        ;                                      = line 24:1: defined here
        %x23 = OpExtInst %uint %cl u_upsample %s %c
        ;                                        ^^ error[operand-type]: both operands must have the same type
        ;                                         = line 26:1: defined here
        %x24 = OpExtInst %char %cl u_upsample %c %c
        ;                ^^^^^ error[operand-type]: expected integers of 16, 32 or 64 bits as Result Type, found uint8_t
        ;                    = line 13:1: defined here
        %x25 = OpExtInst %ulong %cl s_upsample %u %u
        %x26 = OpExtInst %short %cl u_upsample %c %c
        %x27 = OpExtInst %uint %cl u_mad24 %u %u %u
        %x28 = OpExtInst %ulong %cl u_mad24 %l %l %l
        ;                ^^^^^^ error[operand-type]: expected a 32-bit integer scalar or vector as Result Type, found uint64_t
        ;                     = line 16:1: defined here
        %x29 = OpExtInst %uint %cl s_mul24 %u %f
        ;                                     ^^ error[operand-type]: expected uint, the Result Type, found float
        ;                                      = line 28:1: defined here
        %x30 = OpExtInst %float3 %cl cross %f3 %f3
        %x31 = OpExtInst %float2 %cl cross %f2 %f2
        ;                ^^^^^^^ error[operand-type]: expected a vector of 3 or 4 floats as Result Type, found vec2
        ;                      = line 20:1: defined here
        %x32 = OpExtInst %float3 %cl cross %f3 %f2
        ;                                      ^^^ error[operand-type]: expected vec3, the Result Type, found vec2
        ;                                        = line 31:1: defined here
        %x33 = OpExtInst %float %cl distance %f2 %f2
        %x34 = OpExtInst %float %cl distance %f2 %f3
        ;                                        ^^^ error[operand-type]: both points must have the same type
        ;                                          = line 32:1: defined here
        %x35 = OpExtInst %float %cl distance %u %u
        ;                                    ^^ error[operand-type]: expected up to 4 floats of Result Type, found uint
        ;                                     = line 24:1: defined here
        %x36 = OpExtInst %float %cl length %f3
        %x37 = OpExtInst %float %cl length %f8
        ;                                  ^^^ error[operand-type]: expected up to 4 floats of Result Type, found vec8
        ;                                    = line 33:1: defined here
        %x38 = OpExtInst %float2 %cl length %f2
        ;                ^^^^^^^ error[operand-type]: expected a float scalar as Result Type, found vec2
        ;                      = line 20:1: defined here
        %x39 = OpExtInst %float %cl fast_length %u
        ;                                       ^^ error[operand-type]: expected up to 4 floats of Result Type, found uint
        ;                                        = line 24:1: defined here
        %x40 = OpExtInst %float2 %cl normalize %f2
        %x41 = OpExtInst %float8 %cl normalize %f8
        ;                ^^^^^^^ error[operand-type]: expected up to 4 floats as Result Type, found vec8
        ;                      = line 22:1: defined here
        %x42 = OpExtInst %uint %cl normalize %u
        ;                ^^^^^ error[operand-type]: expected up to 4 floats as Result Type, found uint
        ;                    = line 15:1: defined here
        %x43 = OpExtInst %float2 %cl fast_normalize %f3
        ;                                           ^^^ error[operand-type]: expected vec2, the Result Type, found vec3
        ;                                             = line 32:1: defined here
        %x44 = OpExtInst %uint %cl bitselect %u %u %u
        %x45 = OpExtInst %uint %cl bitselect %u %f %u
        ;                                       ^^ error[operand-type]: expected uint, the Result Type, found float
        ;                                        = line 28:1: defined here
        %x46 = OpExtInst %float %cl select %f %f %u
        %x47 = OpExtInst %float %cl select %f %f %l
        ;                                        ^^ error[operand-type]: expected integers of the same size as Result Type, found uint64_t
        ;                                         = line 25:1: defined here
        %x48 = OpExtInst %float %cl select %f %f %f
        ;                                        ^^ error[operand-type]: expected integers of the same size as Result Type, found float
        ;                                         = line 28:1: defined here
        %x49 = OpExtInst %uint %cl clz %u
        %x50 = OpExtInst %uint %cl clz %f
        ;                              ^^ error[operand-type]: expected uint, the Result Type, found float
        ;                               = line 28:1: defined here
        %x51 = OpExtInst %float %cl popcount %f
        ;                ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                     = line 18:1: defined here
        %x52 = OpExtInst %float %cl sign %f
        %x53 = OpExtInst %uint %cl sign %u
        ;                ^^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found uint
        ;                    = line 15:1: defined here
        %x54 = OpExtInst %float %cl exp %u
        ;                               ^^ error[operand-type]: expected float, the Result Type, found uint
        ;                                = line 24:1: defined here
        %x55 = OpExtInst %float2 %cl vloadn %l %p 2
        %x56 = OpExtInst %float2 %cl vloadn %l %p 3
        ;                                         ^ error[operand-type]: expected 2 components in Result Type, found 3
        %x57 = OpExtInst %float2 %cl vloadn %u %p 2
        ;                                   ^^ error[operand-type]: expected a 64-bit integer as size, found uint
        ;                                    = line 24:1: defined here
        %x58 = OpExtInst %float %cl vloadn %l %p 2
        ;                ^^^^^^ error[operand-type]: expected a vector of integers or floats as Result Type, found float
        ;                     = line 18:1: defined here
        %x59 = OpExtInst %float2 %cl vloadn %l %q 2
        ;                                      ^^ error[operand-type]: expected a pointer to the component type of Result Type, found ptr CrossWorkgroup uint
        ;                                       = line 43:1: defined here
        %x60 = OpExtInst %float2 %cl vloadn %l %k 2
        %x61 = OpExtInst %void %cl vstoren %f2 %l %p
        %x62 = OpExtInst %void %cl vstoren %f2 %l %k
        ;                                         ^^ error[operand-type]: expected a pointer to a storage class that this instruction can access, found ptr UniformConstant float
        ;                                          = line 46:1: defined here
        %x63 = OpExtInst %void %cl vstoren %f %l %p
        ;                                  ^^ error[operand-type]: expected a vector of integers or floats, found float
        ;                                   = line 28:1: defined here
        %x64 = OpExtInst %void %cl vstoren %f2 %u %p
        ;                                      ^^ error[operand-type]: expected a 64-bit integer as size, found uint
        ;                                       = line 24:1: defined here
        %x65 = OpExtInst %void %cl vstoren %u2 %l %p
        ;                                         ^^ error[operand-type]: expected a pointer to the component type of the data, found ptr CrossWorkgroup float
        ;                                          = line 42:1: defined here
        %x66 = OpExtInst %float %cl vstoren %f2 %l %p
        ;                ^^^^^^ error[operand-type]: expected void as Result Type, found float
        ;                     = line 18:1: defined here
        %x67 = OpExtInst %float %cl vload_half %l %r
        %x68 = OpExtInst %float %cl vload_half %l %kh
        %x69 = OpExtInst %float %cl vload_half %l %p
        ;                                         ^^ error[operand-type]: expected a pointer to 16-bit floats, found ptr CrossWorkgroup float
        ;                                          = line 42:1: defined here
        %x70 = OpExtInst %float %cl vload_half %l %t
        ;                                         ^^ error[operand-type]: expected a pointer to 16-bit floats, found ptr CrossWorkgroup uint16_t
        ;                                          = line 45:1: defined here
        %x71 = OpExtInst %uint %cl vload_half %l %r
        ;                ^^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found uint
        ;                    = line 15:1: defined here
        %x72 = OpExtInst %float2 %cl vload_halfn %l %r 2
        %x73 = OpExtInst %float2 %cl vloada_halfn %l %r 4
        ;                                               ^ error[operand-type]: expected 2 components in Result Type, found 4
        %x74 = OpExtInst %float %cl vload_halfn %l %r 2
        ;                ^^^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found float
        ;                     = line 18:1: defined here
        %x75 = OpExtInst %void %cl vstore_half %f %l %r
        %x76 = OpExtInst %void %cl vstore_half %h %l %r
        ;                                      ^^ error[operand-type]: expected floats of 32 or 64 bits, found float16_t
        ;                                       = line 29:1: defined here
        %x77 = OpExtInst %void %cl vstore_half %f2 %l %r
        ;                                      ^^^ error[operand-type]: expected floats of 32 or 64 bits, found vec2
        ;                                        = line 31:1: defined here
        %x78 = OpExtInst %void %cl vstore_half %f %l %kh
        ;                                            ^^^ error[operand-type]: expected a pointer to a storage class that this instruction can access, found ptr UniformConstant float16_t
        ;                                              = line 47:1: defined here
        %x79 = OpExtInst %void %cl vstore_halfn %f2 %l %r
        %x80 = OpExtInst %void %cl vstore_halfn %f %l %r
        ;                                       ^^ error[operand-type]: expected floats of 32 or 64 bits, found float
        ;                                        = line 28:1: defined here
        %x81 = OpExtInst %void %cl vstore_half %f %l %t
        ;                                            ^^ error[operand-type]: expected a pointer to 16-bit floats, found ptr CrossWorkgroup uint16_t
        ;                                             = line 45:1: defined here
        %x82 = OpExtInst %void %cl prefetch %p %l
        %x83 = OpExtInst %void %cl prefetch %k %l
        ;                                   ^^ error[operand-type]: expected a pointer to a storage class that this instruction can access, found ptr UniformConstant float
        ;                                    = line 46:1: defined here
        %x84 = OpExtInst %void %cl prefetch %p %u
        ;                                      ^^ error[operand-type]: expected a 64-bit integer as size, found uint
        ;                                       = line 24:1: defined here
        %x85 = OpExtInst %float %cl prefetch %p %l
        ;                ^^^^^^ error[operand-type]: expected void as Result Type, found float
        ;                     = line 18:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
