use expect_test::expect;

use crate::rules::{marks, related};

#[test]
fn a_use_after_a_kill_names_the_kill() {
    let keys = "tracksRegLiveness: true\n";
    let body = "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY killed %0\n    %2:vgpr_32 = COPY %0\n    S_ENDPGM 0\n";
    assert_eq!(related(keys, body), "use-after-kill `%0`: killed here `killed %0`\n");
    let blocks = "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    S_NOP 0, implicit killed %0\n  bb.1:\n    S_NOP 0, implicit %0\n    S_ENDPGM 0\n";
    assert_eq!(related(keys, blocks), "use-after-kill `implicit %0`: killed here `implicit killed %0`\n");
}

#[test]
fn uses() {
    marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                %1:vgpr_32 = COPY %0:vgpr_32
            ;                     ^^^^^^^^^^ error[register-without-definition]: use of undefined register `%0`
                S_ENDPGM 0
            ...
        "#]]);
    marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                %0:vgpr_32 = COPY $vgpr0
            ;                     ^^^^^^ error[undefined-physical-register]: use of undefined physical register `$vgpr0`: it is neither defined before nor a live-in of the block
            ;                          = guess:     liveins: $vgpr0
                S_ENDPGM 0
            ...
        "#]]);
    marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:vgpr_32 = COPY killed %0
                %2:vgpr_32 = COPY %0
            ;                     ^^ error[use-after-kill]: use of killed register `%0`
            ;                      = line 7:23: killed here
                S_ENDPGM 0
            ...
        "#]]);
}

#[test]
fn only_registers_that_a_convention_saves_are_live_where_others_are_saved() {
    let with = |register: &str| {
        let text = format!(
            "# RUN: llc -march=hexagon %s\n---\nname: f\ntracksRegLiveness: true\nfixedStack:\n\
             \u{20}- {{ id: 0, offset: 0, size: 4, alignment: 4, callee-saved-register: '$r23' }}\nbody: |\n\
             \u{20} bb.0:\n    $r0 = A2_tfr {register}\n    PS_jmpret $r31, implicit-def $pc\n...\n"
        );
        wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
    };
    expect![""].assert_eq(&with("$r22"));
    expect![[r#"
            error[undefined-physical-register] 9:18 `$r1`: use of undefined physical register `$r1`: it is neither defined before nor a live-in of the block
              fix: Add `$r1` to the live-ins
              |     liveins: $r1
        "#]].assert_eq(&with("$r1"));
    expect![[r#"
            error[undefined-physical-register] 9:18 `$r23`: use of undefined physical register `$r23`: it is neither defined before nor a live-in of the block
              fix: Add `$r23` to the live-ins
              |     liveins: $r23
        "#]].assert_eq(&with("$r23"));
}

#[test]
fn killed_physical_registers_show_where() {
    marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                liveins: $sgpr0_sgpr1
                $sgpr2 = COPY killed $sgpr1
                $sgpr3 = COPY $sgpr1
            ;                 ^^^^^^ error[undefined-physical-register]: use of killed physical register `$sgpr1`
            ;                      = line 7:19: killed here
                $sgpr3 = COPY $sgpr5
            ;                 ^^^^^^ error[undefined-physical-register]: use of undefined physical register `$sgpr5`: it is neither defined before nor a live-in of the block
            ;                      = guess:     liveins: $sgpr0_sgpr1, $sgpr5
                S_ENDPGM 0
            ...
        "#]]);
}
