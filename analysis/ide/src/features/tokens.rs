//! Semantic tokens.

use wavelens_base::TextRange;

use super::{ask, check_lines};
use crate::answers::TokenSpan;
use crate::db::View;

/// The tokens in a range of the file, in order; the chunks that the range touches, whole.
pub fn tokens(view: View<'_>, range: TextRange) -> Vec<TokenSpan> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let own = ask!(view, index, tokens::tokens()).unwrap_or_default();
        all.extend(own.into_iter().map(|t| TokenSpan { range: t.range + start, ..t }));
    }
    check_lines::add_tokens(view, range, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::{Dialect, TextRange, TextSize};

    use crate::features::tests::at_cursor;

    /// Each token with its kind and modifiers, a line of the text in a line.
    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let shown = at_cursor(dialect, text, |view, _| {
            let all = super::tokens(view, TextRange::up_to(TextSize::of(text)));
            let (mut shown, mut line) = (String::new(), 0);
            for token in all {
                let at = text[..usize::from(token.range.start())].matches('\n').count();
                shown += if at == line { " " } else { "\n" };
                line = at;
                let modifiers = match token.modifiers.0 {
                    0 => String::new(),
                    bits => format!("{bits:b}"),
                };
                shown += &format!(
                    "{:?}{modifiers}:{}",
                    token.kind,
                    &text[std::ops::Range::<usize>::from(token.range)]
                );
            }
            shown
        });
        expected.assert_eq(&(shown.trim_start().to_owned() + "\n"));
    }

    #[test]
    fn words_of_llvm_ir() {
        check(
            Dialect::Llvm,
            r#"target triple = "amdgcn"
%pair = type { i32, ptr }
@c = internal constant i32 1, align 4
@v = external global [2 x half]
@a = alias i32, ptr @c
$g = comdat any
; A comment.
define amdgpu_kernel void @f(i32 noundef %x, ptr addrspace(1) align 8 %p) #0 !dbg !1 {
entry:
  %a = tail call nnan float @llvm.sqrt.f32(float 1.5)
  %b = add nuw nsw i32 %x, -3
  %c = icmp eq i32 %b, poison
  store volatile i32 %b, ptr addrspace(1) %p, align 4, !tbaa !2
  %d = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("agent") seq_cst
  call void asm sideeffect "s_nop 0", ""()
    #dbg_value(i32 %x, !3, !DIExpression(), !4)
  br i1 true, label %next, label %next
next:
  ret void
}
declare float @llvm.sqrt.f32(float) #1
attributes #0 = { nounwind "target-cpu"="gfx900" }
attributes #1 = { memory(none) }
!llvm.ident = !{!0}
!0 = !{!"x", i32 7}
!1 = distinct !DISubprogram(name: "f", line: 4, flags: DIFlagPublic)
"#,
            expect![[r#"
                Keyword:target Keyword:triple String:"amdgcn"
                Type1:%pair Keyword:type Type:i32 Type:ptr
                Variable101:@c Modifier:internal Keyword:constant Type:i32 Number:1 Modifier:align Number:4
                Variable1:@v Modifier:external Keyword:global Number:2 Keyword:x Type:half
                Variable1:@a Keyword:alias Type:i32 Type:ptr Variable:@c
                Label:$g Keyword:comdat Constant:any
                Comment:; A comment.
                Keyword:define Modifier:amdgpu_kernel Type:void Function1:@f Type:i32 Attribute:noundef Parameter1:%x Type:ptr Keyword:addrspace Number:1 Attribute:align Number:8 Parameter1:%p Attribute:#0 Metadata:!dbg Metadata:! Metadata:1
                Label1:entry
                Local1:%a Modifier:tail Opcode:call Modifier:nnan Type:float Function:@llvm.sqrt.f32 Type:float Number:1.5
                Local1:%b Opcode:add Modifier:nuw Modifier:nsw Type:i32 Parameter:%x Number:-3
                Local1:%c Opcode:icmp Constant:eq Type:i32 Local:%b Constant:poison
                Opcode:store Modifier:volatile Type:i32 Local:%b Type:ptr Keyword:addrspace Number:1 Parameter:%p Modifier:align Number:4 Metadata:!tbaa Metadata:! Metadata:2
                Local1:%d Opcode:atomicrmw Modifier:add Type:ptr Keyword:addrspace Number:1 Parameter:%p Type:i32 Number:1 Modifier:syncscope String:"agent" Constant:seq_cst
                Opcode:call Type:void Opcode:asm Opcode:sideeffect String:"s_nop 0" String:""
                Opcode:# Constant:dbg_value Type:i32 Parameter:%x Metadata:! Metadata:3 Metadata:!DIExpression Metadata:! Metadata:4
                Opcode:br Type:i1 Constant:true Type:label Label:%next Type:label Label:%next
                Label1:next
                Opcode:ret Type:void
                Keyword:declare Type:float Function10:@llvm.sqrt.f32 Type:float Attribute:#1
                Keyword:attributes Attribute:#0 Attribute:nounwind Attribute:"target-cpu" Attribute:"gfx900"
                Keyword:attributes Attribute:#1 Attribute:memory Attribute:none
                Metadata:!llvm.ident Metadata:! Metadata:! Metadata:0
                Metadata:! Metadata:0 Metadata:! Metadata:! String:"x" Type:i32 Number:7
                Metadata:! Metadata:1 Keyword:distinct Metadata:!DISubprogram Attribute:name: String:"f" Attribute:line: Number:4 Attribute:flags: Constant:DIFlagPublic
            "#]],
        );
    }

    #[test]
    fn words_of_machine_ir() {
        check(
            Dialect::Mir,
            r#"---
name: f
alignment: 4
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32, preferred-register: '$vgpr1' }
stack:
  - { id: 0, size: 4, alignment: 4 }
body: |
  ; A comment.
  bb.0.entry (align 4):
    successors: %bb.1(0x80000000)
    liveins: $vgpr0, $sgpr0_sgpr1
    %0:vgpr_32 = COPY killed $vgpr0
    %1:_(<2 x s16>) = nsw G_ADD %2, %3
    dead %4:vgpr_32 = V_ADD_U32_e32 1, %0, implicit $exec
    %5:_(s1) = G_ICMP intpred(eq), %6(s32), %7
    %8:_(s32) = G_FCONSTANT float 1.5
    GLOBAL_STORE_DWORD %9.sub0_sub1, %0, 0, 0, implicit $exec :: (volatile store (s32) into %stack.0, align 4, addrspace 1)
    $sgpr4 = S_MOV_B32 @g, debug-location !1
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
...
"#,
            expect![[r#"
                Keyword:---
                Attribute:name Constant:f
                Attribute:alignment Constant:4
                Attribute:tracksRegLiveness Constant:true
                Attribute:registers
                Attribute:id Constant:0 Attribute:class Constant:vgpr_32 Attribute:preferred-register String:'$vgpr1'
                Attribute:stack
                Attribute:id Constant:0 Attribute:size Constant:4 Attribute:alignment Constant:4
                Attribute:body
                Comment:; A comment.
                Label1:bb.0.entry Keyword:align Number:4
                Keyword:successors Label:%bb.1 Number:0x80000000
                Keyword:liveins Register:$vgpr0 Register:$sgpr0_sgpr1
                Local:%0 Type:vgpr_32 Opcode:COPY Modifier:killed Register:$vgpr0
                Local:%1 Number:2 Opcode:x Constant:s16 Modifier:nsw Constant:G_ADD Local:%2 Local:%3
                Modifier:dead Local:%4 Type:vgpr_32 Opcode:V_ADD_U32_e32 Number:1 Local:%0 Modifier:implicit Register:$exec
                Local:%5 Type:s1 Opcode:G_ICMP Keyword:intpred Type:eq Local:%6 Type:s32 Local:%7
                Local:%8 Type:s32 Opcode:G_FCONSTANT Type:float Number:1.5
                Opcode:GLOBAL_STORE_DWORD Local:%9 Modifier:sub0_sub1 Local:%0 Number:0 Number:0 Modifier:implicit Register:$exec Modifier:volatile Constant:store Type:s32 Constant:into Variable:%stack.0 Keyword:align Number:4 Keyword:addrspace Number:1
                Register:$sgpr4 Opcode:S_MOV_B32 Function:@g Keyword:debug-location Metadata:! Number:1
                Opcode:S_BRANCH Label:%bb.1
                Label1:bb.1
                Opcode:S_ENDPGM Number:0
                Keyword:...
            "#]],
        );
    }

    #[test]
    fn words_of_spirv() {
        check(
            Dialect::Spirv,
            r#"; SPIR-V
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in
OpExecutionMode %main LocalSize 8 8 1
OpName %main "main"
OpDecorate %in Location 0
%void = OpTypeVoid
%float = OpTypeFloat 32
%p = OpTypePointer Input %float
%in = OpVariable %p Input
%half = OpConstant %float -0.5
%fn = OpTypeFunction %void
%main = OpFunction %void Inline|Pure %fn
%entry = OpLabel
%x = OpLoad %float %in Volatile|Aligned 4
%y = OpExtInst %float %glsl FMax %x %half
OpSelectionMerge %end None
OpSwitch %y %end 0 %end
%end = OpLabel
%z = OpUnknownThing %x !0x10
OpReturn
OpFunctionEnd
"#,
            expect![[r#"
                Comment:; SPIR-V
                Opcode:OpCapability Constant:Shader
                Macro1:%glsl Operator:= Opcode:OpExtInstImport String:"GLSL.std.450"
                Opcode:OpMemoryModel Constant:Logical Constant:GLSL450
                Opcode:OpEntryPoint Constant:Fragment Function:%main String:"main" Variable:%in
                Opcode:OpExecutionMode Function:%main Constant:LocalSize Number:8 Number:8 Number:1
                Opcode:OpName Function:%main String:"main"
                Opcode:OpDecorate Variable:%in Constant:Location Number:0
                Type1:%void Operator:= Opcode:OpTypeVoid
                Type1:%float Operator:= Opcode:OpTypeFloat Number:32
                Type1:%p Operator:= Opcode:OpTypePointer Constant:Input Type:%float
                Variable1:%in Operator:= Opcode:OpVariable Type:%p Constant:Input
                Constant1:%half Operator:= Opcode:OpConstant Type:%float Number:-0.5
                Type1:%fn Operator:= Opcode:OpTypeFunction Type:%void
                Function1:%main Operator:= Opcode:OpFunction Type:%void Constant:Inline|Pure Type:%fn
                Label1:%entry Operator:= Opcode:OpLabel
                Local1:%x Operator:= Opcode:OpLoad Type:%float Variable:%in Constant:Volatile|Aligned Number:4
                Local1:%y Operator:= Opcode:OpExtInst Type:%float Macro:%glsl Constant:FMax Local:%x Constant:%half
                Opcode:OpSelectionMerge Label:%end Constant:None
                Opcode:OpSwitch Local:%y Label:%end Number:0 Label:%end
                Label1:%end Operator:= Opcode:OpLabel
                Local1:%z Operator:= Opcode:OpUnknownThing Local:%x Number:!0x10
                Opcode:OpReturn
                Opcode:OpFunctionEnd
            "#]],
        );
    }

    #[test]
    fn words_of_assembly() {
        check(
            Dialect::Amdgpu,
            r#".amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl f
.set count, 4 + 0x10
.macro m a, b=1
  s_nop \a
.endm
f: // A comment.
  v_add_f32_e64 v1, |v0|, -s2 clamp mul:2
  s_load_b64 s[0:1], s[2:3], 0x8 glc
  global_load_b32 v4, v[2:3], off offset:16
  s_waitcnt vmcnt(0) & lgkmcnt(count)
  s_cbranch_scc0 done
  v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf
  v_cmp_eq_u32_e32 vcc_lo, 0.5, v0
  s_sendmsg sendmsg(MSG_INTERRUPT)
  m 3
  v_wrong v0
done:
  s_endpgm
.amdhsa_kernel f
  .amdhsa_next_free_vgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.kernels:
  - .name: f
    .sgpr_count: 4
...
.end_amdgpu_metadata
"#,
            expect![[r#"
                Directive:.amdgcn_target String:"amdgcn-amd-amdhsa--gfx1100"
                Directive:.text
                Directive:.globl Function:f
                Directive:.set Variable1:count Number:4 Number:0x10
                Directive:.macro Macro1:m Parameter1:a Parameter1:b Number:1
                Opcode:s_nop Parameter:a
                Directive:.endm
                Label1:f Comment:// A comment.
                Opcode:v_add_f32_e64 Register:v1 Register:v0 Register:s2 Modifier:clamp Modifier:mul Number:2
                Opcode:s_load_b64 Register:s Number:0 Number:1 Register:s Number:2 Number:3 Number:0x8 Modifier:glc
                Opcode:global_load_b32 Register:v4 Register:v Number:2 Number:3 Modifier:off Modifier:offset Number:16
                Opcode:s_waitcnt Modifier:vmcnt Number:0 Modifier:lgkmcnt Constant:count
                Opcode:s_cbranch_scc0 Modifier:done
                Opcode:v_mov_b32_dpp Register:v0 Register:v1 Modifier:quad_perm Number:0 Number:1 Number:2 Number:3 Modifier:row_mask Number:0xf
                Opcode:v_cmp_eq_u32_e32 Register:vcc_lo Number:0.5 Register:v0
                Opcode:s_sendmsg Modifier:sendmsg Constant:MSG_INTERRUPT
                Macro:m Number:3
                Opcode:v_wrong Register:v0
                Label1:done
                Opcode:s_endpgm
                Directive:.amdhsa_kernel Function:f
                Directive:.amdhsa_next_free_vgpr Number:8
                Directive:.end_amdhsa_kernel
                Directive:.amdgpu_metadata
                Number:4
            "#]],
        );
    }
}
