//! The layouts, and what stays.

use expect_test::{Expect, expect};
use wavelens_base::{Dialect, TextEdit};

use super::format_text as format;
use crate::formatting::{SpirvLayout, Style};

fn formatted(dialect: Dialect, text: &str, style: Style) -> String {
    let edits = format(dialect, text, style);
    let once = TextEdit::apply_all(text, &edits).unwrap();
    assert_eq!(format(dialect, &once, style), [], "formatting again changes\n{once}");
    once
}

fn check(dialect: Dialect, text: &str, expected: Expect) {
    expected.assert_eq(&formatted(dialect, text, Style::default()));
}

fn is_unchanged(dialect: Dialect, text: &str) {
    assert_eq!(formatted(dialect, text, Style::default()), text);
}

#[test]
fn llvm_functions() {
    check(
        Dialect::Llvm,
        "\n\n@g=global i32   0,align 4\ndefine  i32 @f( i32 %x ,ptr%p ) #0{\n %a=add nsw i32 %x , 1 ; one\n\t; two\n\tret i32 %a\nnext: %b = load i32,ptr %p\n\n\n  ret i32 %b}\n; three\ndefine void @g(){ ret void }\nattributes #0={nounwind \"a\" = \"b\"}\n!0=!{ !1 , i32 1,!\"s\" }",
        expect![[r#"
            @g = global i32 0, align 4

            define i32 @f(i32 %x, ptr %p) #0 {
              %a = add nsw i32 %x, 1 ; one
              ; two
              ret i32 %a

            next:
              %b = load i32, ptr %p

              ret i32 %b
            }

            ; three
            define void @g() {
              ret void
            }

            attributes #0 = { nounwind "a"="b" }
            !0 = !{!1, i32 1, !"s"}
        "#]],
    );
}

#[test]
fn llvm_instructions_of_several_lines() {
    check(
        Dialect::Llvm,
        "define void @f(i32 %x) personality ptr @p {\nswitch i32 %x, label %d [ i32 0,label %a i32 1 , label %d ]\na:\ninvoke void @g() to label %d unwind label %l\nl:\n%e = landingpad {ptr,i32} cleanup catch ptr null\n#dbg_value( i32 %x, !1, !DIExpression( ), !2)\nbr label %d\nd:\n%p = phi i32 [0,%0], [ %x, %a]\nret void\n}\n",
        expect![[r#"
            define void @f(i32 %x) personality ptr @p {
              switch i32 %x, label %d [
                i32 0, label %a
                i32 1, label %d
              ]

            a:
              invoke void @g()
                      to label %d unwind label %l

            l:
              %e = landingpad { ptr, i32 }
                      cleanup
                      catch ptr null
                #dbg_value(i32 %x, !1, !DIExpression(), !2)
              br label %d

            d:
              %p = phi i32 [ 0, %0 ], [ %x, %a ]
              ret void
            }
        "#]],
    );
}

#[test]
fn llvm_as_the_printer_writes_it() {
    is_unchanged(
        Dialect::Llvm,
        r#"; ModuleID = 'a.ll'
source_filename = "a.ll"
target triple = "amdgcn-amd-amdhsa"

%s = type <{ i8, { i32, ptr } }>
%e = type {}

$c = comdat any

@g = internal addrspace(3) constant [2 x [1 x i32]] [[1 x i32] [i32 1], [1 x i32] zeroinitializer], align 4, !dbg !0
@t = global ptr getelementptr inbounds nuw (i8, ptr @u, i64 4), section "a"
@u = global [3 x i8] c"ab\00", comdat($c)
@v = global <2 x i32> splat (i32 1)
@w = global target("spirv.Image", void, 1) poison

; Function Attrs: nounwind
define amdgpu_kernel void @f(ptr byval(i32) align 4 dereferenceable(8) %x, ...) #0 prefix i32 1 !prof !1 {
  %a = call i32 (ptr, ...) @printf(ptr @g, i32 1) #1 [ "deopt"(i32 1), "x"() ], !dbg !3
  %b = call addrspace(1) range(i32 0, 5) i32 asm sideeffect "x $0", "=r,r"(i32 %a)
  %c = cmpxchg ptr %x, i32 0, i32 1 syncscope("agent") seq_cst monotonic, align 4
  %d = getelementptr { i32, [2 x <4 x half>] }, ptr %x, i64 0, i32 1
  call void @g(metadata ptr %x, metadata !"s", metadata !{})
  indirectbr ptr blockaddress(@f, %bb), [label %bb, label %bb2]

bb:                                               ; preds = %0
  unreachable

; <label>:2
bb2:
  ret void
}

declare i32 @printf(ptr, ...) #0
declare <vscale x 4 x i32> @h(i32* %x)

attributes #0 = { nounwind memory(argmem: read, inaccessiblemem: none) vscale_range(1,16) allocsize(0,1) alignstack=4 "x"="y" }

!llvm.module.flags = !{!0, !1}
!0 = !{!"a", i32 1, !1, null}
!1 = distinct !DIFile(filename: "a", flags: DIFlagA | DIFlagB)

^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
"#,
    );
}

#[test]
fn llvm_with_errors_stays() {
    check(
        Dialect::Llvm,
        "define void @f() {\n %a = add i32 1\n   ret  void\n}\ndefine void @g( i32 {\n   ret  void\n}\n",
        expect![[r#"
            define void @f() {
             %a = add i32 1
              ret void
            }

            define void @g( i32 {
               ret  void
            }
        "#]],
    );
    is_unchanged(Dialect::Llvm, "define void @f() {\n    ret void\n}\n; CHECK: :[[@LINE-2]]:5\n");
}

#[test]
fn comments_for_test_tools_stay() {
    is_unchanged(
        Dialect::Llvm,
        "define void @f() {\n; CHECK-LABEL: @f\n    ; CHECK-NEXT:    ret   void\n  ret void\n}\n",
    );
}

#[test]
fn line_ends_stay() {
    check(
        Dialect::Llvm,
        "define void @f(){\r\nret void ; a\r\n}\r\n",
        expect!["define void @f() {\r\n  ret void ; a\r\n}\r\n"],
    );
    // Blank lines that are added to Machine IR are indented.
    let mir = "--- |\r\n  define i32 @f() { ret i32 0 }\r\n  declare i32 @g()\r\n...\r\n---\r\nname: f\r\nbody: |\r\n  bb.0:\r\n    successors: %bb.1\r\n  bb.1:\r\n    S_ENDPGM 0\r\n...\r\n";
    let mir = formatted(Dialect::Mir, mir, Style::default());
    assert_eq!(mir.matches("\r\n  \r\n").count(), 2, "{mir:?}");
    let spirv = formatted(Dialect::Spirv, "OpNop ; a\r\nOpNop\r\n", Style::default());
    assert_eq!(spirv, "               OpNop ; a\r\n               OpNop\r\n");
}

const FUNCTION: &str = "OpCapability   Shader\n%long_name_of_a_type = OpTypeVoid\n%1=OpBad\n%main = OpFunction %void None %fn\n%a = OpLabel\nOpSelectionMerge %m None\n  OpBranchConditional %c %t %m ; both\n%t = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn\nOpFunctionEnd";

#[test]
fn spirv_aligned() {
    check(
        Dialect::Spirv,
        FUNCTION,
        expect![[r#"
                           OpCapability Shader
            %long_name_of_a_type = OpTypeVoid
            %1=OpBad
                   %main = OpFunction %void None %fn
                      %a = OpLabel
                           OpSelectionMerge %m None
                           OpBranchConditional %c %t %m ; both
                      %t = OpLabel
                           OpBranch %m
                      %m = OpLabel
                           OpReturn
                           OpFunctionEnd
        "#]],
    );
}

#[test]
fn spirv_nested_and_plain() {
    let nested = Style { spirv: SpirvLayout::Nested };
    expect![[r#"
                       OpCapability Shader
        %long_name_of_a_type = OpTypeVoid
        %1=OpBad
               %main = OpFunction %void None %fn

                  %a = OpLabel
                         OpSelectionMerge %m None
                         OpBranchConditional %c %t %m ; both

                  %t =     OpLabel
                             OpBranch %m

                  %m = OpLabel
                         OpReturn
                       OpFunctionEnd
    "#]]
    .assert_eq(&formatted(Dialect::Spirv, FUNCTION, nested));
    let plain = Style { spirv: SpirvLayout::Plain };
    expect![[r#"
        OpNop
        %a = OpTypeVoid
        OpName %a "x  y"
    "#]]
    .assert_eq(&formatted(Dialect::Spirv, "  OpNop  %a  =  OpTypeVoid\n\tOpName %a  \"x  y\"\n", plain));
}

#[test]
fn mir() {
    check(
        Dialect::Mir,
        "--- |\n  define void @f(){\n      ret void\n  }\n...\n---\nname: f\nregisters:\n- {id: 0,class: vgpr_32}\n- { id: 1, class: sgpr_32 }\nframeInfo:\n    stackSize: 4\nbody: |\n    bb.0( %ir-block.0 ):\n      successors:%bb.1( 0x80000000 )\n      liveins : $vgpr0,$sgpr0\n      ; CHECK: %0:vgpr_32   = COPY\n      %0:vgpr_32=COPY   $vgpr0 ; a\n      BUNDLE implicit-def $vgpr1{\n      S_NOP 0\n      }\n    bb.1:\n     $vgpr1 = V_ADD_F32 ,\n     S_ENDPGM 0 ,implicit %0\n...\n",
        expect![[r#"
            --- |
              define void @f() {
                ret void
              }
            ...
            ---
            name:            f
            registers:
              - { id: 0, class: vgpr_32 }
              - { id: 1, class: sgpr_32 }
            frameInfo:
              stackSize:       4
            body:             |
              bb.0 (%ir-block.0):
                successors: %bb.1(0x80000000)
                liveins: $vgpr0, $sgpr0
                  ; CHECK: %0:vgpr_32   = COPY
                %0:vgpr_32 = COPY $vgpr0   ; a
                BUNDLE implicit-def $vgpr1 {
                  S_NOP 0
                }

              bb.1:
                 $vgpr1 = V_ADD_F32 ,
                S_ENDPGM 0, implicit %0
            ...
        "#]],
    );
}

#[test]
fn amdgpu() {
    check(
        Dialect::Amdgpu,
        ".text\n# a\nk: v_mov_b32 v0,v1 // b\n\ts_waitcnt   vmcnt( 0 )   & lgkmcnt(0)\n  // c\n  s_endpgm ; d\n.ascii \"a  b\" ,  \"c\"\nx=1\n  .macro  m a\n v_nop   \\a\n   .endm\n m  1  -1\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr   4\n.end_amdhsa_kernel\n v_add 'ab'\n",
        expect![[r#"
                .text
            # a
            k:  v_mov_b32           v0, v1                          // b
                s_waitcnt           vmcnt( 0 ) & lgkmcnt(0)
                // c
                s_endpgm                                            ; d
                .ascii "a  b" ,  "c"
                x = 1
              .macro  m a
             v_nop   \a
               .endm
                m                   1  -1
                .amdhsa_kernel k
                  .amdhsa_next_free_vgpr 4
                .end_amdhsa_kernel
             v_add 'ab'
        "#]],
    );
}

/// Edits that would change the tokens of a text with errors are dropped, and in debug builds fail.
#[test]
fn texts_with_errors_keep_their_tokens() {
    for text in [
        "%1 = OpString \"a\n",
        "%1 = OpString \"a",
        "%1 = OpString \"a\\\"",
        "OpNop\n}\"\nOpNop\n",
        "OpNop a\\",
        "OpNop \0OpNop\n",
        "OpN\0op\n",
        "OpNop ; \"\n",
    ] {
        formatted(Dialect::Spirv, text, Style::default());
    }
    for text in
        ["target triple = \"a", "target triple = \"a\r\n", "; a\r\n@g = global i32 0 \"a", "@g = /* a"]
    {
        formatted(Dialect::Llvm, text, Style::default());
    }
    for text in [".ascii \"a", "v_nop /* a", "v_nop '", ".macro m\nv_nop", "v_nop \\"] {
        formatted(Dialect::Amdgpu, text, Style::default());
    }
    for text in [
        // Text to the end of the file that is not a body.
        "---\nname: f\nbody |: |\n  bb.0:\n",
        "---\nname: f\n: |\n  bb.0:\n",
        "---\nname: f\nbody: |é\n  bb.0:\n",
        "---\nname: f\nbody: |\n  bb.0:\n%0:vgpr_32 = IMPLICIT_DEF\n",
        "---\nname: f\nbody: |\n  bb.0:\n\tS_NOP 0\n",
        "---\nname: f\nx: |\n  a",
        "---\nname: 'f",
        "---\nname: \"f",
        "%x\nname: f\n",
        "---\nname: f\nconstants:\n-\n id: 0\n value: i32 1\n-\n  # a\n id: 1\n value: i32 2\nbody: |\n  bb.0:\n",
        "---\nname: f\nbody: |\n\n",
        // A block that does not start its line.
        "---\nname: f\nbody: |\n  a bb.0:\n    S_ENDPGM 0\n",
        "---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0 bb.1:\n    S_ENDPGM 0\n",
        "---\nname: f\nbody: |\n  bb.0:\n    liveins: bb.1:\n    S_ENDPGM 0\n",
    ] {
        formatted(Dialect::Mir, text, Style::default());
    }
}

#[test]
fn bundles_in_bundles_are_indented_up_to_a_depth() {
    let text = format!(
        "---\nname: f\nbody: |\n  bb.0:\n{}    S_NOP 0\n{}...\n",
        "    BUNDLE {\n".repeat(2000),
        "    }\n".repeat(2000)
    );
    let shown = formatted(Dialect::Mir, &text, Style::default());
    let indents = shown.lines().map(|line| line.len() - line.trim_start().len());
    assert_eq!(indents.max(), Some(4 + 2 * 16));
}
