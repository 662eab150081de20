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
    expect!["S_CMP_EQ_U32 ADJCALLSTACKDOWN ADJCALLSTACKUP S_BITCMP0_B32"]
        .assert_eq(&body("$0 $sgpr1, 0, implicit-def $scc"));
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

/// What each position of each kind of line takes: a line up to the position, and the first proposals.
#[test]
fn each_position_takes_its_operands() {
    let head = "---\nname: f\ntracksRegLiveness: true\nfixedStack:\n  - { id: 0, size: 8 }\nstack:\n  - { id: 0, size: 4 }\nconstants:\n  - { id: 0, value: 'i32 1' }\nbody: |\n  bb.0.entry:\n    successors: %bb.1, %bb.2\n    liveins: $sgpr0_sgpr1, $vgpr0\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(p1) = G_IMPLICIT_DEF\n    %2:_(s1) = G_IMPLICIT_DEF\n    %3:vgpr_32 = COPY $vgpr0\n    %4:sreg_64 = COPY $sgpr0_sgpr1\n    %5:vreg_64 = IMPLICIT_DEF\n    %6:sreg_32 = IMPLICIT_DEF\n    S_CBRANCH_SCC0 %bb.2, implicit $scc\n  bb.1:\n    successors: %bb.2\n    ";
    let lines = [
        "",
        "%9",
        "%9:",
        "%9:_(",
        "%9:_(<2 x ",
        "%9:_(s32) = ",
        "%9:_(s32) = nsw ",
        "%9:_(s32) = G_ADD ",
        "%9:_(s32) = G_ADD %0, ",
        "%9:_(s32) = G_LOAD ",
        "%9:_(s32) = G_LOAD %1(p1) :: ",
        "%9:_(s32) = G_LOAD %1(p1) :: (",
        "%9:_(s32) = G_LOAD %1(p1) :: (load ",
        "%9:_(s32) = G_LOAD %1(p1) :: (load (s32), ",
        "%9:_(s32) = G_LOAD %1(p1) :: (load (s32) ",
        "%9:_(s32) = G_LOAD %1(p1) :: (load (s32) from ",
        "G_STORE ",
        "G_STORE %0(s32), ",
        "%9:_(s1) = G_ICMP ",
        "%9:_(s1) = G_ICMP intpred(",
        "%9:_(s1) = G_ICMP intpred(eq), %0",
        "%9:_(s1) = G_FCMP floatpred(",
        "%9:_(s32) = G_CONSTANT ",
        "%9:_(s32) = G_CONSTANT i32 ",
        "%9:_(s32) = G_FCONSTANT ",
        "%9:_(s32) = G_SELECT ",
        "%9:_(s32) = G_SELECT %2(s1), ",
        "%9:_(s64) = G_ZEXT ",
        "%9:_(s16) = G_TRUNC ",
        "%9:_(p1) = G_PTR_ADD ",
        "%9:_(p1) = G_PTR_ADD %1, ",
        "%9:_(p5) = G_FRAME_INDEX ",
        "%9:_(s32), ",
        "%9:_(s16), %10:_(s16) = G_UNMERGE_VALUES ",
        "%9:_(s32) = G_PHI ",
        "%9:_(s32) = G_PHI %0(s32), ",
        "G_BRCOND ",
        "G_BRCOND %2(s1), ",
        "G_BR ",
        "%9:vgpr_32 = ",
        "%9:vgpr_32 = V_ADD_U32",
        "%9:vgpr_32 = V_ADD_U32_e32 ",
        "%9:vgpr_32 = V_ADD_U32_e32 %3, ",
        "%9:vgpr_32 = V_ADD_U32_e32 %3, %3, ",
        "%9:vgpr_32 = COPY ",
        "%9:vgpr_32 = COPY %5.",
        "%9:vgpr_32 = COPY killed ",
        "%9:sreg_32 = S_MOV_B32 ",
        "%9:sreg_32 = S_ADD_I32 %6, ",
        "%9:sreg_32 = S_ADD_I32 %6, 1, ",
        "%9:vreg_64 = REG_SEQUENCE ",
        "%9:vreg_64 = REG_SEQUENCE %3, ",
        "%9:vreg_64 = REG_SEQUENCE %3, %subreg.",
        "%9:vgpr_32 = GLOBAL_LOAD_DWORD ",
        "%9:vgpr_32 = GLOBAL_LOAD_DWORD %5, 0, 0, ",
        "%9:sreg_32 = S_LOAD_DWORD_IMM ",
        "S_BRANCH ",
        "S_CBRANCH_VCCNZ %bb.2, ",
        "S_ENDPGM ",
        "INLINEASM ",
        "BUNDLE ",
        "$vgpr1 = ",
        "$vgpr1 = COPY ",
        "$",
        "$sg",
        "dead ",
        "early-clobber ",
        "S_NOP 0, ",
        "S_NOP 0, implicit ",
        "S_NOP 0, implicit-def ",
        "S_NOP 0, implicit killed ",
        "S_NOP 0, debug-",
        "DBG_VALUE ",
        "DBG_VALUE %3, ",
        "liveins: ",
        "successors: ",
        "bb.",
        "%9:_(s32) = G_INTRINSIC ",
        "%9:_(s32) = G_INTRINSIC_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.s.",
        "%9:vgpr_32 = V_CMP",
    ];
    let mut shown = String::new();
    for line in lines {
        let fixture = format!("{head}{line}$0\n  bb.2:\n    S_ENDPGM 0\n...\n");
        let labels = at_cursor(Dialect::Mir, &fixture, |view, at| {
            let items = features::complete(view, at).items;
            items.iter().take(7).map(|item| item.label.clone()).collect::<Vec<_>>().join(" ")
        });
        shown += &format!("{}: {labels}\n", line.trim_end());
    }
    expect![[r#"
        : liveins $scc successors IMPLICIT_DEF S_CBRANCH_SCC0 COPY G_IMPLICIT_DEF
        %9: 
        %9:: _ sreg_32 vreg_64 sreg_64 vgpr_32 sgpr_32 sgpr_64
        %9:_(: s1 p1 s32 <2 x s16> <2 x s32> <4 x s32> p0
        %9:_(<2 x: s1 p1 s32 p0 p3 p4 p5
        %9:_(s32) =: G_IMPLICIT_DEF IMPLICIT_DEF COPY G_ANYEXT G_BUILD_VECTOR G_CONSTANT G_ICMP
        %9:_(s32) = nsw: nsw IMPLICIT_DEF COPY G_IMPLICIT_DEF G_ANYEXT G_BUILD_VECTOR G_CONSTANT
        %9:_(s32) = G_ADD: %0 dead killed renamable undef blockaddress debug-instr-number
        %9:_(s32) = G_ADD %0,: %0 dead killed renamable undef blockaddress debug-instr-number
        %9:_(s32) = G_LOAD: $scc %1 $sgpr0_sgpr1 $vgpr0 dead killed renamable
        %9:_(s32) = G_LOAD %1(p1) ::: acq_rel acquire addrspace align basealign dereferenceable from
        %9:_(s32) = G_LOAD %1(p1) :: (: load load store store volatile load volatile store
        %9:_(s32) = G_LOAD %1(p1) :: (load: load acq_rel acquire addrspace align basealign dereferenceable
        %9:_(s32) = G_LOAD %1(p1) :: (load (s32),: load acq_rel acquire addrspace align basealign dereferenceable
        %9:_(s32) = G_LOAD %1(p1) :: (load (s32): load acq_rel acquire addrspace align basealign dereferenceable
        %9:_(s32) = G_LOAD %1(p1) :: (load (s32) from: stack call-entry constant-pool custom got jump-table %const.0
        G_STORE: %2 %1 %0 dead killed renamable undef
        G_STORE %0(s32),: $scc %0 $vgpr0 $sgpr0_sgpr1 dead killed renamable
        %9:_(s1) = G_ICMP: %6 %5 %4 %3 %2 %1 %0
        %9:_(s1) = G_ICMP intpred(: eq ne sge sgt sle slt uge
        %9:_(s1) = G_ICMP intpred(eq), %0: %0
        %9:_(s1) = G_FCMP floatpred(: true false oeq oge ogt ole olt
        %9:_(s32) = G_CONSTANT: i32 i1 i8 i16 i64 i128
        %9:_(s32) = G_CONSTANT i32: $scc %6 %5 %4 %3 %2 %1
        %9:_(s32) = G_FCONSTANT: bfloat double float fp128 half x86_fp80
        %9:_(s32) = G_SELECT: %2 %1 %0 dead killed renamable undef
        %9:_(s32) = G_SELECT %2(s1),: %0 dead killed renamable undef blockaddress debug-instr-number
        %9:_(s64) = G_ZEXT: %2 %0 dead killed renamable undef blockaddress
        %9:_(s16) = G_TRUNC: %0 dead killed renamable undef blockaddress debug-instr-number
        %9:_(p1) = G_PTR_ADD: %1 dead killed renamable undef blockaddress debug-instr-number
        %9:_(p1) = G_PTR_ADD %1,: $scc %2 %0 $vgpr0 $sgpr0_sgpr1 dead killed
        %9:_(p5) = G_FRAME_INDEX: %6 %5 %4 %3 %2 %1 %0
        %9:_(s32),: $scc implicit $vgpr0 $sgpr0_sgpr1 dead debug-use def
        %9:_(s16), %10:_(s16) = G_UNMERGE_VALUES: $scc $sgpr0_sgpr1 $vgpr0 dead killed renamable undef
        %9:_(s32) = G_PHI: $scc %6 %5 %4 %3 %2 %1
        %9:_(s32) = G_PHI %0(s32),: $scc implicit $vgpr0 $sgpr0_sgpr1 %bb.0 dead debug-use
        G_BRCOND: %2 %0 dead killed renamable undef blockaddress
        G_BRCOND %2(s1),: %bb.2 %bb.1 %bb.0
        G_BR: %bb.2 %bb.1 %bb.0
        %9:vgpr_32 =: COPY IMPLICIT_DEF G_IMPLICIT_DEF G_ANYEXT G_BUILD_VECTOR G_CONSTANT G_ICMP
        %9:vgpr_32 = V_ADD_U32: V_ADD_U32_e32 V_ADD_U32_e64 V_ADD_U32_dpp V_ADD_U32_e64_dpp V_ADD_U32_sdwa V_ADD_U32_dpp_gfx9 V_ADD_U32_dpp_vi
        %9:vgpr_32 = V_ADD_U32_e32: $scc %6 %3 $sgpr0_sgpr1 $vgpr0 $exec_hi $exec_lo
        %9:vgpr_32 = V_ADD_U32_e32 %3,: %3 $scc $vgpr0 $sgpr0_sgpr1 $vgpr1 $vgpr2 $vgpr3
        %9:vgpr_32 = V_ADD_U32_e32 %3, %3,: %3 implicit $scc %6 %5 %4 %2
        %9:vgpr_32 = COPY: %6 %3 %0 dead killed renamable undef
        %9:vgpr_32 = COPY %5.: hi16 lo16 sub0 sub1 sub1_hi16 sub1_lo16
        %9:vgpr_32 = COPY killed: killed %6 %3 %0 dead renamable undef
        %9:sreg_32 = S_MOV_B32: %6 $exec_hi $exec_lo $flat_scr_hi $flat_scr_lo $sgpr102 $sgpr103
        %9:sreg_32 = S_ADD_I32 %6,: %6 $scc $vgpr0 $sgpr0_sgpr1 $exec_hi $exec_lo $flat_scr_hi
        %9:sreg_32 = S_ADD_I32 %6, 1,: $scc %6 %5 %4 implicit %3 %2
        %9:vreg_64 = REG_SEQUENCE: %6 %5 %4 %3 %2 %1 %0
        %9:vreg_64 = REG_SEQUENCE %3,: implicit %subreg.hi16 %subreg.lo16 %subreg.none %subreg.sub0 %subreg.sub1 %subreg.sub2
        %9:vreg_64 = REG_SEQUENCE %3, %subreg.: hi16 lo16 none sub0 sub1 sub2 sub3
        %9:vgpr_32 = GLOBAL_LOAD_DWORD: $scc %5 $sgpr0_sgpr1 $vgpr0 $vgpr0_vgpr1 $vgpr1_vgpr2 $vgpr2_vgpr3
        %9:vgpr_32 = GLOBAL_LOAD_DWORD %5, 0, 0,: $scc %5 %6 %4 implicit %3 %2
        %9:sreg_32 = S_LOAD_DWORD_IMM: %4 $exec $flat_scr $sgpr102_sgpr103 $sgpr104_sgpr105 $sgpr_null64 $src_flat_scratch_base
        S_BRANCH: %bb.2 %bb.1 %bb.0
        S_CBRANCH_VCCNZ %bb.2,: %bb.2 implicit $scc %bb.1 $vgpr0 $sgpr0_sgpr1 %bb.0
        S_ENDPGM: %bb.2 %bb.1 %bb.0 dead killed renamable undef
        INLINEASM: %6 %5 %4 %3 %2 implicit %1
        BUNDLE: %6 %5 %4 %3 %2 implicit %1
        $vgpr1 =: IMPLICIT_DEF COPY G_INTRINSIC REG_SEQUENCE V_MOV_B32_e32 afn arcp
        $vgpr1 = COPY: %6 %3 %0 dead killed renamable undef
        $: $scc $vgpr0 $sgpr0_sgpr1 $asynccnt $exec $mode $noreg
        $sg: $sgpr0_sgpr1 $sgpr0 $sgpr1 $sgpr2 $sgpr3 $sgpr4 $sgpr5
        dead: $scc dead implicit $sgpr0_sgpr1 $vgpr0 debug-use def
        early-clobber: $scc early-clobber implicit $sgpr0_sgpr1 $vgpr0 dead debug-use
        S_NOP 0,: $scc %6 %5 implicit %4 %3 %2
        S_NOP 0, implicit: implicit %6 %5 %4 %3 %2 %1
        S_NOP 0, implicit-def: implicit-def $scc %6 %5 %4 %3 %2
        S_NOP 0, implicit killed: implicit killed %6 %5 %4 %3 %2
        S_NOP 0, debug-: debug-use debug-instr-number debug-location
        DBG_VALUE: $scc %6 %5 %4 %3 %2 implicit
        DBG_VALUE %3,: implicit $scc %3 %6 %5 %4 %2
        liveins:: $sgpr0_sgpr1 $vgpr0 $asynccnt $exec $mode $sgpr0 $sgpr1
        successors:: %bb.2 %bb.1 %bb.0
        bb.: 
        %9:_(s32) = G_INTRINSIC: $scc %6 %5 %4 %3 %2 %1
        %9:_(s32) = G_INTRINSIC_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.s.: @llvm.amdgcn.s.alloc.vgpr @llvm.amdgcn.s.barrier @llvm.amdgcn.s.barrier.init @llvm.amdgcn.s.barrier.join @llvm.amdgcn.s.barrier.leave @llvm.amdgcn.s.barrier.signal @llvm.amdgcn.s.barrier.signal.isfirst
        %9:vgpr_32 = V_CMP: V_CMPSX_EQ_F32_e32 V_CMPSX_EQ_F32_e32_dpp V_CMPSX_EQ_F32_e32_gfx6_gfx7 V_CMPSX_EQ_F32_e64 V_CMPSX_EQ_F32_e64_dpp V_CMPSX_EQ_F32_e64_gfx6_gfx7 V_CMPSX_EQ_F32_nosdst_e32
    "#]].assert_eq(&shown);
}

#[test]
fn what_debug_instructions_and_frames_name() {
    let line = |line: &str| {
        let fixture = format!(
            "--- |\n  define void @f() {{\n    ret void\n  }}\n  !3 = !DILocalVariable(name: \"x\", scope: !5)\n  !4 = !DILocation(line: 1, scope: !5)\n...\n---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    {line}\n...\n"
        );
        at_cursor(Dialect::Mir, &fixture, |view, at| {
            let all = features::complete(view, at).items.into_iter().take(3);
            all.map(|c| c.label).collect::<Vec<_>>().join(" ")
        })
    };
    expect!["!3"].assert_eq(&line("DBG_VALUE %0, $noreg, $0"));
    expect!["!DIExpression"].assert_eq(&line("DBG_VALUE %0, $noreg, !3, $0"));
    expect!["!4 !DILocation("].assert_eq(&line("%1:vgpr_32 = COPY %0, debug-location $0"));
    expect!["adjust_cfa_offset def_cfa def_cfa_offset"].assert_eq(&line("CFI_INSTRUCTION $0"));
    // A part has another class than the whole.
    expect!["V_MOV_B32_e32 V_MOV_B32_e64 V_MOV_B32_e32_gfx6_gfx7"]
        .assert_eq(&line("%1.sub0:vreg_64 = V_MOV_B32_$0 0, implicit $exec"));
    expect!["S_SENDMSG S_SENDMSGHALT S_SENDMSGHALT_gfx6_gfx7"]
        .assert_eq(&line("S_SEND$0 3, implicit $exec, implicit $m0"));
}

#[test]
fn symbols_and_elements() {
    let file = |line: &str| {
        let ir = "--- |\n  @x = external global i32\n  define void @f() {\n    ret void\n  }\n...\n";
        format!("{ir}---\nname: f\nbody: |\n  bb.0:\n    %0:_(f32) = G_IMPLICIT_DEF\n    {line}\n...\n")
    };
    expect![[r#"
        @f 
        @x 
    "#]]
    .assert_eq(&suggestions(&file("$sgpr0 = S_MOV_B32 target-flags(amdgpu-rel32-lo) $0")));
    expect![[r#"
        f32 
        i32 
        bf16 
        f16 
        f64 
    "#]]
    .assert_eq(&suggestions(&file("%1:_(<2 x $0>) = G_IMPLICIT_DEF")));
}
