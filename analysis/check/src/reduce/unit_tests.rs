//! What the units of each stage change, in each dialect.

use expect_test::expect;

use super::*;

/// What each unit of a text changes, a line for each: the words that go, and those that come.
fn units_of(dialect: Dialect, text: &str) -> String {
    use wavelens_base::reduction_unit::Stage::*;

    let mut out = String::new();
    for stage in [Functions, Blocks, Instructions, Values, Operands] {
        out += &format!("{stage:?}\n");
        for unit in units(dialect, text, stage) {
            let edits = unit.iter().map(|edit| {
                let old = text.get(std::ops::Range::<usize>::from(edit.range)).unwrap_or("?");
                let line = text[..usize::from(edit.range.start())].matches('\n').count() + 1;
                format!("{line} {old:?} -> {:?}", edit.text).replace(" -> \"\"", "")
            });
            out += &format!("  {}\n", edits.collect::<Vec<_>>().join(", "));
        }
    }
    out
}

#[test]
fn units_of_llvm_ir() {
    let text = r#"target triple = "amdgcn-amd-amdhsa"
@g = global i32 0
declare i32 @other(i32, i32)
define i32 @f(i32 %a, ptr %p) #0 {
entry:
  %x = add i32 %a, 1
  %y = call i32 @other(i32 %x, i32 %a)
  br i1 true, label %then, label %end
then:
  store i32 %y, ptr %p
  br label %end
end:
  %z = phi i32 [ %x, %entry ], [ %y, %then ]
  %w = call i32 @f(i32 %z, ptr %p)
  ret i32 %w
}
attributes #0 = { nounwind }
"#;
    expect![[r#"
        Functions
          4 "define" -> "declare", 4 "{\nentry:\n  %x = add i32 %a, 1\n  %y = call i32 @other(i32 %x, i32 %a)\n  br i1 true, label %then, label %end\nthen:\n  store i32 %y, ptr %p\n  br label %end\nend:\n  %z = phi i32 [ %x, %entry ], [ %y, %then ]\n  %w = call i32 @f(i32 %z, ptr %p)\n  ret i32 %w\n}"
        Blocks
          9 "then:\n  store i32 %y, ptr %p\n  br label %end", 8 "br i1 true, label %then, label %end" -> "br label %end", 13 ", [ %y, %then ]"
          12 "end:\n  %z = phi i32 [ %x, %entry ], [ %y, %then ]\n  %w = call i32 @f(i32 %z, ptr %p)\n  ret i32 %w", 8 "br i1 true, label %then, label %end" -> "unreachable", 11 "br label %end" -> "unreachable"
          8 "br i1 true, label %then, label %end" -> "br label %end"
          8 "br i1 true, label %then, label %end" -> "br label %then", 13 "[ %x, %entry ],"
        Instructions
          6 "%x = add i32 %a, 1", 7 "%x" -> "poison", 13 "%x" -> "poison"
          7 "%y = call i32 @other(i32 %x, i32 %a)", 10 "%y" -> "poison", 13 "%y" -> "poison"
          8 "br i1 true, label %then, label %end"
          10 "store i32 %y, ptr %p"
          11 "br label %end"
          13 "%z = phi i32 [ %x, %entry ], [ %y, %then ]", 14 "%z" -> "poison"
          14 "%w = call i32 @f(i32 %z, ptr %p)", 15 "%w" -> "poison"
          15 "ret i32 %w"
          8 "br i1 true, label %then, label %end" -> "unreachable"
          10 "store i32 %y, ptr %p" -> "unreachable"
          11 "br label %end" -> "unreachable"
          15 "ret i32 %w" -> "unreachable"
        Values
          4 "" -> "i32 %x, ", 6 "%x = add i32 %a, 1"
          4 "" -> "i32 %y, ", 7 "%y = call i32 @other(i32 %x, i32 %a)"
          4 "" -> "i32 %z, ", 13 "%z = phi i32 [ %x, %entry ], [ %y, %then ]"
          4 "" -> "i32 %w, ", 14 "%w = call i32 @f(i32 %z, ptr %p)", 13 "%z = phi i32 [ %x, %entry ], [ %y, %then ]"
        Operands
          4 "i32 %a", 4 ",", 6 "%a" -> "poison", 7 "%a" -> "poison", 14 "i32 %z", 14 ","
          4 "ptr %p", 4 ",", 10 "%p" -> "poison", 14 "%p" -> "poison", 14 "ptr %p", 14 ","
          3 "i32", 3 ",", 7 "i32 %x", 7 ","
          3 "i32", 3 ",", 7 "i32 %a", 7 ","
          6 "%x = add i32 %a, 1", 7 "%x" -> "%a", 13 "%x" -> "%a"
          6 "%x = add i32 %a, 1", 7 "%x" -> "1", 13 "%x" -> "1"
          7 "%y = call i32 @other(i32 %x, i32 %a)", 10 "%y" -> "@other", 13 "%y" -> "@other"
          13 "%z = phi i32 [ %x, %entry ], [ %y, %then ]", 14 "%z" -> "%x"
          13 "%z = phi i32 [ %x, %entry ], [ %y, %then ]", 14 "%z" -> "%y"
          14 "%w = call i32 @f(i32 %z, ptr %p)", 15 "%w" -> "@f"
          6 "%a" -> "poison"
          7 "%x" -> "poison"
          7 "%a" -> "poison"
          8 "%then" -> "poison"
          8 "%end" -> "poison"
          10 "%y" -> "poison"
          10 "%p" -> "poison"
          11 "%end" -> "poison"
          13 "%x" -> "poison"
          13 "%entry" -> "poison"
          13 "%y" -> "poison"
          13 "%then" -> "poison"
          14 "%z" -> "poison"
          14 "%p" -> "poison"
          15 "%w" -> "poison"
          6 "%x = add i32 %a, 1", 7 "%x" -> "0", 13 "%x" -> "0"
          7 "%y = call i32 @other(i32 %x, i32 %a)", 10 "%y" -> "0", 13 "%y" -> "0"
          13 "%z = phi i32 [ %x, %entry ], [ %y, %then ]", 14 "%z" -> "0"
          14 "%w = call i32 @f(i32 %z, ptr %p)", 15 "%w" -> "%y"
          14 "%w = call i32 @f(i32 %z, ptr %p)", 15 "%w" -> "0"
    "#]].assert_eq(&units_of(Dialect::Llvm, text));
}

#[test]
fn units_of_machine_ir() {
    let text = r#"name: f
registers:
  - { id: 0, class: vgpr_32 }
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_CBRANCH_VCCNZ %bb.2, implicit $vcc
  bb.1:
    %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BRANCH %bb.2
  bb.2:
    $vgpr0 = COPY %1
    S_ENDPGM 0, implicit $vgpr0
...
---
name: g
body: |
  bb.0:
    S_ENDPGM 0
...
"#;
    expect![[r#"
        Functions
          2 "registers:\n", 3 "  - { id: 0, class: vgpr_32 }\n"
        Blocks
          11 "  bb.1:\n", 6 "    successors: %bb.1, %bb.2\n"
          14 "  bb.2:\n", 6 "    successors: %bb.1, %bb.2\n", 10 "    S_CBRANCH_VCCNZ %bb.2, implicit $vcc\n", 13 "    S_BRANCH %bb.2\n"
        Instructions
          8 "    %0:vgpr_32 = COPY $vgpr0\n"
          9 "    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec\n"
          10 "    S_CBRANCH_VCCNZ %bb.2, implicit $vcc\n"
          12 "    %2:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n"
          13 "    S_BRANCH %bb.2\n"
          15 "COPY %1" -> "IMPLICIT_DEF"
          16 "    S_ENDPGM 0, implicit $vgpr0\n"
          22 "    S_ENDPGM 0\n"
        Values
        Operands
    "#]].assert_eq(&units_of(Dialect::Mir, text));
}

#[test]
fn units_of_spirv() {
    let text = r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %x "x"
OpDecorate %x RelaxedPrecision
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%one = OpConstant %float 1
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpFAdd %float %one %one
%y = OpFMul %float %x %x
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#;
    expect![[r#"
        Functions
          13 "%main = OpFunction %void None %fn\n%entry = OpLabel\n%x = OpFAdd %float %one %one\n%y = OpFMul %float %x %x\nOpSelectionMerge %end None\nOpBranchConditional %true %then %end\n%then = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn\nOpFunctionEnd", 3 "OpEntryPoint GLCompute %main \"main\"", 4 "OpExecutionMode %main LocalSize 1 1 1"
        Blocks
          18 "OpBranchConditional %true %then %end" -> "OpBranch %then", 17 "OpSelectionMerge %end None"
          18 "OpBranchConditional %true %then %end" -> "OpBranch %end", 17 "OpSelectionMerge %end None"
          20 "OpBranch %end", 21 "%end = OpLabel"
        Instructions
          15 "%x = OpFAdd %float %one %one" -> "%x = OpUndef %float"
          16 "%y = OpFMul %float %x %x" -> "%y = OpUndef %float"
          21 "%end = OpLabel"
          19 "%then = OpLabel"
          16 "%y = OpFMul %float %x %x"
          15 "%x = OpFAdd %float %one %one", 5 "OpName %x \"x\"", 6 "OpDecorate %x RelaxedPrecision"
          14 "%entry = OpLabel"
          13 "%main = OpFunction %void None %fn", 3 "OpEntryPoint GLCompute %main \"main\"", 4 "OpExecutionMode %main LocalSize 1 1 1"
          12 "%fn = OpTypeFunction %void"
          11 "%true = OpConstantTrue %bool"
          10 "%one = OpConstant %float 1"
          9 "%float = OpTypeFloat 32"
          8 "%bool = OpTypeBool"
          7 "%void = OpTypeVoid"
        Values
        Operands
    "#]].assert_eq(&units_of(Dialect::Spirv, text));
}

#[test]
fn units_of_assembly() {
    let text = r#".amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
f:
  s_mov_b32 s0, 1
  s_cbranch_scc1 .end
  v_add_f32 v0, v1, v2
.end:
  s_setpc_b64 s[30:31]
.macro m a
  s_nop \a
.endm
g:
  m 1
  s_endpgm
.amdhsa_kernel g
  .amdhsa_next_free_vgpr 8
.end_amdhsa_kernel
"#;
    expect![[r#"
        Functions
          9 ".macro m a\n  s_nop \\a\n.endm\n"
          15 ".amdhsa_kernel g\n  .amdhsa_next_free_vgpr 8\n.end_amdhsa_kernel\n"
        Blocks
          3 "f:\n  s_mov_b32 s0, 1\n  s_cbranch_scc1 .end\n  v_add_f32 v0, v1, v2\n"
          12 "g:\n  m 1\n  s_endpgm\n"
        Instructions
        Values
        Operands
    "#]]
    .assert_eq(&units_of(Dialect::Amdgpu, text));
}
