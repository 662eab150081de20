//! What is suggested while typing.

use expect_test::expect;
use wavelens_base::Dialect;

use crate::features;
use crate::features::tests::at_cursor;

/// The first suggestions at the cursor.
fn complete(line: &str) -> String {
    let fixture = format!(
        "---\nname: f\nstack:\n  - {{ id: 0, size: 4 }}\nbody: |\n  bb.0.entry:\n    %0:_(s32) = G_IMPLICIT_DEF\n    {line}\n...\n"
    );
    suggestions(&fixture)
}

fn suggestions(fixture: &str) -> String {
    at_cursor(Dialect::Mir, fixture, |view, at| {
        let all = features::complete(view, at).items.into_iter().take(5);
        all.map(|c| format!("{} {}\n", c.insert, c.detail)).collect()
    })
}

#[test]
fn in_the_body() {
    expect![[r#"
        G_ADD dst:type0 = G_ADD src1:type0, src2:type0
        G_ADDRSPACE_CAST dst:type0 = G_ADDRSPACE_CAST src:type1
    "#]]
    .assert_eq(&complete("%1:_(s32) = G_ADD$0"));
    expect![[r#"
        %0 _(s32)
    "#]]
    .assert_eq(&complete("%1:_(s32) = G_ADD %$0"));
    expect![[r#"
        %bb.0 entry
        %stack.0 4 bytes
    "#]]
    .assert_eq(&complete("S_BRANCH %$0"));
    expect![[r#"
        %bb.0 entry
    "#]]
    .assert_eq(&complete("S_BRANCH $0"));
    expect![[r#"
        sgpr_32 32 bits
        sgpr_64 64 bits
        sgpr_128 128 bits
        sgpr 1024 bits
        sgpr_96 96 bits
    "#]]
    .assert_eq(&complete("%1:sg$0"));
    expect![[r#"
        _ a generic register: no bank yet
        sgpr_32 32 bits
        sgpr_64 64 bits
        sgpr_128 128 bits
        sreg_32 32 bits
    "#]]
    .assert_eq(&complete("%1:$0"));
    expect![[r#"
        <2 x s16> 
        <2 x s32> 
        <4 x s32> 
        <3 x s32> 
        <8 x s32> 
    "#]]
    .assert_eq(&complete("%1:_(<$0"));
    expect![[r#"
        s32 
        <2 x s16> 
        <2 x s32> 
        <4 x s32> 
        p0 
    "#]]
    .assert_eq(&complete("%1:_($0"));
    expect![[r#"
        $vgpr0 
        $vgpr1 
        $vgpr2 
        $vgpr3 
        $vgpr4 
    "#]]
    .assert_eq(&complete("$sgpr0 = COPY $vg$0"));
    expect![[r#"
        V_ADD_F32_e32 vdst:vgpr_32 = V_ADD_F32_e32 src0:vs_32, src1:vgpr_32
        V_ADD_F32_e64 vdst:vgpr_32 = V_ADD_F32_e64 src0_modifiers, src0:vs_32, src1_modifiers, src1:vs_32, clamp:imm, omod:imm
        V_ADD_F16_e32 vdst:vgpr_32 = V_ADD_F16_e32 src0:vs_32, src1:vgpr_32
        V_ADD_F16_e64 vdst:vgpr_32 = V_ADD_F16_e64 src0_modifiers, src0:vs_32, src1_modifiers, src1:vs_32, clamp:imm, omod:imm
        V_ADD_F16_dpp vdst:vgpr_32 = V_ADD_F16_dpp old:vgpr_32, src0_modifiers, src0:vgpr_32, src1_modifiers, src1:vgpr_32, dpp_ctrl:imm, row_mask:imm, bank_mask:imm, bound_ctrl:imm
    "#]].assert_eq(&complete("%1:vgpr_32 = V_ADD_F$0"));
    expect![[r#"
        nofpexcept 
    "#]]
    .assert_eq(&complete("%1:vgpr_32 = nof$0"));
    expect![[r#"
        killed 
        blockaddress 
        lanemask 
        shufflemask 
    "#]]
    .assert_eq(&complete("%1:vgpr_32 = COPY k$0"));
}

#[test]
fn registers_have_the_type_or_class_and_are_defined() {
    let fixture = |line: &str| {
        format!(
            "---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s64) = G_IMPLICIT_DEF\n    %2:vgpr_32 = IMPLICIT_DEF\n    %3:sreg_64 = IMPLICIT_DEF\n    %4:vreg_64 = IMPLICIT_DEF\n    S_CBRANCH_SCC0 %bb.2, implicit $scc\n  bb.1:\n    successors: %bb.2\n    %5:_(s32) = G_IMPLICIT_DEF\n  bb.2:\n    {line}\n...\n"
        )
    };
    expect![[r#"
        %0 _(s32)
    "#]]
    .assert_eq(&suggestions(&fixture("%9:_(s32) = G_ADD %$0")));
    expect![[r#"
        %1 _(s64)
    "#]]
    .assert_eq(&suggestions(&fixture("%9:_(s32) = G_TRUNC %$0")));
    expect![[r#"
        %4 vreg_64
        %3 sreg_64
        %1 _(s64)
    "#]]
    .assert_eq(&suggestions(&fixture("$vgpr0_vgpr1 = COPY %$0(s64)")));
    expect![[r#"
        %2 vgpr_32
        %3.sub0 
        %3.sub1 
        %4.sub0 
        %4.sub1 
    "#]]
    .assert_eq(&suggestions(&fixture("%9:vgpr_32 = V_MOV_B32_e32 %$0, implicit $exec")));
    expect![[r#"
        %bb.1 
        %bb.0 
    "#]]
    .assert_eq(&suggestions(&fixture("%9:_(s32) = G_PHI %5, %$0")));
    expect![[r#"
        sub1 bits 32 to 63
        sub10 bits 320 to 351
        sub11 bits 352 to 383
        sub12 bits 384 to 415
        sub13 bits 416 to 447
    "#]]
    .assert_eq(&suggestions(&fixture("%9:vreg_64 = REG_SEQUENCE %2, %subreg.sub0, %2, %subreg.sub1$0")));
    expect![[r#"
        i64 
        i16 
    "#]]
    .assert_eq(&suggestions(&fixture("%9:_(s64) = G_CONSTANT i6$0")));
}

#[test]
fn in_parentheses_and_parts() {
    expect![[r#"
        sge 
        sgt 
        sle 
        slt 
    "#]]
    .assert_eq(&complete("%1:_(s1) = G_ICMP intpred(s$0), %0, %0"));
    expect![[r#"
        @llvm.amdgcn.workitem.id.x i32 ()
        @llvm.amdgcn.workitem.id.y i32 ()
        @llvm.amdgcn.workitem.id.z i32 ()
    "#]]
    .assert_eq(&complete("%1:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem$0"));
    expect![[r#"
        load 
        load store 
        store 
        volatile load 
        volatile store 
    "#]]
    .assert_eq(&complete("G_STORE %0, %1 :: ($0"));
    expect![[r#"
        hi16 bits 16 to 31
        lo16 bits 0 to 15
        sub0 bits 0 to 31
        sub1 bits 32 to 63
        sub1_hi16 bits 48 to 63
    "#]]
    .assert_eq(&complete("%1:vreg_64 = IMPLICIT_DEF\n    %2:vgpr_32 = COPY %1.$0"));
    expect![[r#"
        sub1 bits 32 to 63
        sub10 bits 320 to 351
        sub11 bits 352 to 383
        sub12 bits 384 to 415
        sub13 bits 416 to 447
    "#]]
    .assert_eq(&complete("%1:sgpr_64 = REG_SEQUENCE %0, %subreg.sub1$0"));
    expect![[r#"
        %ir.n 
        %ir.p 
    "#]].assert_eq(&suggestions(
        "--- |\n  define void @f(ptr %p, i32 %n) {\n  entry:\n    ret void\n  }\n...\n---\nname: f\nbody: |\n  bb.0:\n    G_STORE %0, %1 :: (store (s32) into %$0\n...\n",
    ));
}

#[test]
fn lists_of_blocks() {
    expect![[r#"
        %bb.0 entry
    "#]]
    .assert_eq(&complete("successors: $0"));
    expect![[r#"
        $asynccnt 
        $exec 
        $mode 
        $noreg 
        $scc 
    "#]]
    .assert_eq(&complete("liveins: $0"));
}

#[test]
fn keys() {
    expect![[r#"
        tracksDebugUserValues: true 
        tracksRegLiveness: true 
        entry_values: 
    "#]]
    .assert_eq(&suggestions("---\nname: f\ntra$0\nbody: |\n  bb.0:\n...\n"));
    expect![[r#"
        stack: 
        callSites: 
        calleeSavedRegisters: 
        callsEHReturn: true 
        callsUnwindInit: true 
    "#]]
    .assert_eq(&suggestions("---\nname: f\nst$0\n...\n"));
    expect![[""]].assert_eq(&suggestions("---\nname: f$0\nbody: |\n  bb.0:\n...\n"));
}

#[test]
fn registers_with_several_definitions_have_one_on_each_path() {
    let text = "---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_CBRANCH_SCC0 %bb.2, implicit $scc\n  bb.1:\n    successors: %bb.2\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = IMPLICIT_DEF\n  bb.2:\n    %2:vgpr_32 = V_MOV_B32_e32 %$0, implicit $exec\n...\n";
    expect![[r#"
        %0 vgpr_32
    "#]]
    .assert_eq(&suggestions(text));
}

#[test]
fn killed_registers_have_no_value() {
    let text = |body: &str| {
        let head = "---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    successors: %bb.1\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = IMPLICIT_DEF\n";
        suggestions(&format!("{head}{body}...\n"))
    };
    expect![[r#"
        %1 vgpr_32
    "#]]
    .assert_eq(&text("    S_NOP 0, implicit killed %0\n  bb.1:\n    %2:vgpr_32 = COPY %$0\n"));
    // A loop comes back to the kill.
    expect![[r#"
        %0 vgpr_32
    "#]]
    .assert_eq(&text(
        "  bb.1:\n    successors: %bb.1\n    %2:vgpr_32 = COPY %$0\n    S_NOP 0, implicit killed %1\n    S_BRANCH %bb.1\n",
    ));
    // What is read later must not be killed here.
    expect![[r#"
        %0 vgpr_32
    "#]]
    .assert_eq(&text("    S_NOP 0, implicit killed %$0\n  bb.1:\n    S_NOP 0, implicit %1\n"));
    // The part that a result is written to stays.
    let line = "    %1:vgpr_32 = IMPLICIT_DEF\n    undef %2.sub0:vreg_64 = COPY %0\n    %$0.sub1:vreg_64 = COPY %1\n";
    expect![[r#"
        %3 a new register
        %2 vreg_64
    "#]]
    .assert_eq(&text(line));
}

/// What comes where no sigil is written yet.
#[test]
fn registers_come_without_their_sigil() {
    let body = |line: &str| {
        let text = "%0:vgpr_32 = COPY $vgpr5\n    V_CMP_EQ_U32_e32 0, %0, implicit-def $vcc, implicit $exec";
        suggestions(&format!(
            "--- |\n  target triple = \"amdgcn\"\n...\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr5\n    {text}\n    {line}\n  bb.1:\n    S_ENDPGM 0\n...\n"
        ))
    };
    expect![[r#"
        $exec 
        $vcc 
        $vgpr5 
        %0 vgpr_32
        dead 
    "#]]
    .assert_eq(&body("%1:vgpr_32 = COPY $0"));
    expect![[r#"
        $exec 
        implicit 
        implicit-def 
        dead 
        debug-use 
    "#]]
    .assert_eq(&body("%1:vgpr_32 = V_MOV_B32_e32 0, implicit $0"));
    expect![[r#"
        implicit 
        $vcc 
        implicit-def 
        dead 
        debug-use 
    "#]]
    .assert_eq(&body("S_CBRANCH_VCCNZ %bb.1, implicit $0"));
    expect![[r#"
        vgpr_32 32 bits
        sgpr_32 32 bits
        sgpr_64 64 bits
        sgpr_128 128 bits
        sreg_32 32 bits
    "#]]
    .assert_eq(&body("%1:$0 = IMPLICIT_DEF"));
}

/// What is written after the cursor says what is missing.
#[test]
fn the_rest_of_the_line_counts() {
    let body = |line: &str| {
        let fixture = format!(
            "--- |\n  target triple = \"amdgcn\"\n  define void @f(ptr %p) {{\n    ret void\n  }}\n...\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0\n    %0:vgpr_32 = COPY $vgpr0\n    %1:_(s64) = G_IMPLICIT_DEF\n    {line}\n    S_NOP 0, implicit %9\n...\n"
        );
        at_cursor(Dialect::Mir, &fixture, |view, at| {
            let all = features::complete(view, at).items.into_iter().take(4);
            all.map(|c| c.label).collect::<Vec<_>>().join(" ")
        })
    };
    expect!["S_CMP_EQ_U32 BUNDLE DBG_VALUE G_INTRINSIC"].assert_eq(&body("$0 $sgpr1, 0, implicit-def $scc"));
    expect!["implicit dead debug-use def"].assert_eq(&body("S_NOP 0, $0 %0"));
    expect!["afn arcp contract ninf"]
        .assert_eq(&body("%5:vgpr_32 = $0 V_ADD_F32_e32 %0, %0, implicit $mode, implicit $exec"));
    expect!["%9 dead early-clobber renamable"].assert_eq(&body("$0:vgpr_32 = COPY %0"));
    expect!["_ agpr sgpr vcc"].assert_eq(&body("%5:$0(s32) = G_IMPLICIT_DEF"));
    expect!["s64 <2 x s16> <2 x s32> <4 x s32>"].assert_eq(&body("%5:_($0) = G_ADD %1, %1"));
    expect!["%ir.p call-entry constant-pool custom"].assert_eq(&body(
        "%5:vgpr_32 = GLOBAL_LOAD_DWORD undef %6:vreg_64, 0, 0, implicit $exec :: (load (s32) from $0)",
    ));
    expect!["implicit $exec dead debug-use"].assert_eq(&body("%5:vgpr_32 = V_MOV_B32_e32 0, implicit $0"));
}

#[test]
fn live_ins_go_on() {
    let fixture =
        "---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr0, $sgpr4_sgpr5, $0\n    S_ENDPGM 0\n...\n";
    expect![[r#"
        $sgpr6_sgpr7 
        $asynccnt 
        $exec 
        $mode 
        $noreg 
    "#]]
    .assert_eq(&suggestions(fixture));
}
