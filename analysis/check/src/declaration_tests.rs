//! What a damaged declaration declares is not missing at each use: the damage is reported, or one use.

use expect_test::{Expect, expect};
use wavelens_base::Dialect;

/// A text with what is found below its lines.
#[track_caller]
fn marks(dialect: Dialect, text: Expect) {
    crate::testing::marks(dialect, text.data(), |marked| text.assert_eq(marked));
}

#[test]
fn what_an_unknown_key_declares_is_not_missing() {
    marks(
        Dialect::Mir,
        expect![[r#"
            ---
            name: f
            registerz:
            ;^^^^^^^^ error[mir-yaml]: unknown key `registerz`
            ;       = fix: registers:
              - { id: 0, class: vgpr_32 }
            jumpTable:
              kind: block-address
              entries:
                - { id: 0, blocks: [ '%bb.0' ] }
            body: |
              bb.0:
                %0 = V_MOV_B32_e32 %stack.0, implicit $exec
                %1:sreg_32 = S_MOV_B32 %const.0
                S_ENDPGM 0
            ...
        "#]],
    );
    marks(
        Dialect::Mir,
        expect![[r#"
            ---
            name: f
            jumpTable:
              kind: block-address
              entries:
                - { id: 0, blocks: [ '%bb.0' ] }
            :
            ;^ error[syntax-error]: missing key before `:`
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]],
    );
}

#[test]
fn what_is_not_a_set_is_said_once() {
    marks(
        Dialect::Spirv,
        expect![[r#"
            OpCapability Shader
            OpExtension "SPV_KHR_non_semantic_info"
            %debug = OpExtInstImport "NonSemantic.Shadr.DebugInfo.100"
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main"
            OpExecutionMode %main LocalSize 1 1 1
            %file = OpString "a.comp"
            %void = OpTypeVoid
            %source = OpExtInst %void %debug DebugSource %file
            ;                                ^^^^^^^^^^^ error[invalid-operand]: expected an instruction number for an unknown extended instruction set, found `DebugSource`
            ;                                          = line 10:33: also here
            %again = OpExtInst %void %debug DebugSource %file
            %type = OpTypeFunction %void
            %main = OpFunction %void None %type
            %entry = OpLabel
            OpReturn
            OpFunctionEnd
        "#]],
    );
}

#[test]
fn an_addressing_model_that_was_not_read_is_unknown() {
    marks(
        Dialect::Spirv,
        expect![[r#"
            OpCapability Addresses
            OpCapability Kernel
            OpCapability Linkage
            OpMemoryModel Physical64 OpenC
            ;                        ^^^^^ error[invalid-operand]: unknown MemoryModel `OpenC`; did you mean `OpenCL`?
            ;                            = fix: OpMemoryModel Physical64 OpenCL
            %int = OpTypeInt 32 0
            %pointer = OpTypePointer Function %int
            %type = OpTypeFunction %pointer %pointer %int
            %main = OpFunction %pointer None %type
            %p = OpFunctionParameter %pointer
            %i = OpFunctionParameter %int
            %entry = OpLabel
            %q = OpPtrAccessChain %pointer %p %i
            OpReturnValue %q
            OpFunctionEnd
        "#]],
    );
}

#[test]
fn an_address_space_that_was_not_read_is_unknown() {
    marks(
        Dialect::Llvm,
        expect![[r#"
            @a = intternal addrspace(3) global i32 poison
            ;    ^^^^^^^^^ error[syntax-error]: expected `global` or `constant`, found `intternal`
            define i32 @f() {
              %x = load i32, ptr addrspace(3) @a
              ret i32 %x
            }
            define void @g() {
              %p = alloca i32, align x, addrspace(5)
            ;                        ^ error[syntax-error]: expected the alignment, found `x`
              store i32 0, ptr addrspace(5) %p
              ret void
            }
        "#]],
    );
}

#[test]
fn what_a_damaged_line_of_assembly_declares_is_missed_once() {
    marks(
        Dialect::Amdgpu,
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
            .file 2 ccommon.h"
            ;       ^^^^^^^^^ error[directive-argument]: expected a string, found `ccommon.h`
            f:
            .loc 2 7 39
            s_nop 0
            .loc 2 8 39
            .Lbeegin:
            s_endpgm
            .Lend:
            .uleb128 .Lend-.Lbegin
            ;        ^^^^^^^^^^^^^ error[undefined-symbol]: `.Lbegin` is subtracted here, so this file must define it
            ;                    = line 11:10: also here
            ;                    = line 12:7: also here
            ;                    = line 13:7: also here
            .uleb128 .Lbegin-.Lend
            .long .Lend-.Lbegin
            .quad .Lbegin
        "#]],
    );
    marks(
        Dialect::Amdgpu,
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
            f:
            s_endpgm
            .section .debug_info,"",@progbits
            .long 0
            .tet
            ;^^^ error[unknown-directive]: unknown directive `.tet`
            .Lend:
            .size f, .Lend-f
        "#]],
    );
}

#[test]
fn what_ir_and_machine_code_lack_is_said_once() {
    marks(
        Dialect::Mir,
        expect![[r#"
            --- |
              define void @f() {
                call void @g(), !a !7
            ;             ^^ error[undefined-value]: use of undefined value `@g`
            ;              = line 12:24: also here
            ;              = line 13:24: also here
            ;                   ^^^^^ error[undefined-metadata]: use of undefined metadata `!7`
            ;                       = line 11:31: also here
            ;                       = line 11:35: also here
                ret void
              }
            ...
            ---
            name: f
            body: |
              bb.0:
                DBG_VALUE $noreg, $noreg, !7, !7
                $sgpr0 = S_MOV_B32 @g
                $sgpr1 = S_MOV_B32 @g
                S_ENDPGM 0
            ...
        "#]],
    );
}
