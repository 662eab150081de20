use expect_test::expect;

use crate::rules::{check, marks};

const UNIT: &str = r#"!llvm.module.flags = !{!100}
!llvm.dbg.cu = !{!101}
!100 = !{i32 2, !"Debug Info Version", i32 3}
!101 = distinct !DICompileUnit(language: DW_LANG_C, file: !102)
!102 = !DIFile(filename: "a.c", directory: "")
!103 = distinct !DISubprogram(name: "f", file: !102, unit: !101)
!104 = distinct !DISubprogram(name: "g", file: !102, unit: !101)
!105 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!106 = !DILocation(line: 1, scope: !103)
"#;

#[test]
fn fields_tags_and_lists() {
    check(
        &format!(
            r#"!llvm.dbg.cu = !{{!1}}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{{!2, !102}})
!2 = !DIDerivedType(tag: DW_TAG_base_type, baseType: !102, dwarfAddressSpace: 1)
{UNIT}"#
        ),
        expect![[r#"
            warning[invalid-debug-info] 2:63 `retainedTypes: !{!2, !102}`: LLVM drops the module's debug information: expected a type or the declaration of a subprogram for element 1 of `retainedTypes` of `!DICompileUnit`, found a `!DIFile`
              8:1 `!102`: the referenced node
            warning[invalid-debug-info] 3:21 `tag: DW_TAG_base_type`: LLVM drops the module's debug information: `!DIDerivedType` must not have tag `DW_TAG_base_type`; expected `DW_TAG_typedef`, `DW_TAG_pointer_type`, `DW_TAG_ptr_to_member_type`, `DW_TAG_reference_type`, `DW_TAG_rvalue_reference_type`, `DW_TAG_const_type`, `DW_TAG_immutable_type`, `DW_TAG_volatile_type`, `DW_TAG_restrict_type`, `DW_TAG_atomic_type`, `DW_TAG_LLVM_ptrauth_type`, `DW_TAG_member`, `DW_TAG_variable`, `DW_TAG_inheritance`, `DW_TAG_friend`, `DW_TAG_set_type` or `DW_TAG_template_alias`
            warning[invalid-debug-info] 3:44 `baseType: !102`: LLVM drops the module's debug information: expected a type for `baseType` of `!DIDerivedType`, found a `!DIFile`
              8:1 `!102`: the referenced node
            warning[invalid-debug-info] 3:60 `dwarfAddressSpace: 1`: LLVM drops the module's debug information: `dwarfAddressSpace` applies only to pointers and references
            hint[unused-metadata] 10:1 `!104`: unused metadata node `!104`
            hint[unused-metadata] 11:1 `!105`: unused metadata node `!105`
            hint[unused-metadata] 12:1 `!106`: unused metadata node `!106`
        "#]],
    );
}

#[test]
fn code_is_in_its_own_subprogram() {
    check(
        &format!(
            r#"define void @f(i32 %x) !dbg !103 {{
  #dbg_value(i32 %x, !1, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !106)
  %y = add i32 %x, 1, !dbg !2
  call void @g()
  ret void
}}
define void @g() !dbg !104 {{
  ret void
}}
define void @h() !dbg !104 {{
  ret void
}}
!1 = !DILocalVariable(name: "x", scope: !103, type: !105)
!2 = !DILocation(line: 1, scope: !104)
{UNIT}"#
        ),
        expect![[r#"
            warning[invalid-debug-info] 2:3 `#dbg_value(i32 %x, !1, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !106)`: LLVM drops the module's debug information: the fragment covers all 32 bits of its variable; omit it
              13:1 `!1`: the variable
            warning[invalid-debug-info] 3:23 `!dbg !2`: LLVM drops the module's debug information: the location is in the subprogram `g`, but the function's subprogram is `f`
              21:1 `!104`: the subprogram of the location
            warning[invalid-debug-info] 4:3 `call void @g()`: LLVM drops the module's debug information: missing `!dbg` on this call of `@g`: both functions have debug information
              21:1 `!104`: the subprogram of the callee
            warning[invalid-debug-info] 10:18 `!dbg !104`: LLVM drops the module's debug information: this `!DISubprogram` is also attached to another function
              7:13 `@g`: the other function
        "#]],
    );
}

#[test]
fn nodes_that_stay_referenced_are_errors() {
    marks(expect![[r#"
        !named = !{!1}
        !1 = !DISubroutineType(types: !{!2})
        ;                      ^^^^^^^^^^^^ error[invalid-debug-info]: expected a type for element 0 of `types` of `!DISubroutineType`, found a `!DIFile`
        ;                                 = line 3:1: the referenced node
        !2 = !DIFile(filename: "a.c", directory: "")
    "#]]);
}

#[test]
fn a_module_without_the_version_is_not_looked_at() {
    marks(expect![[r#"
        !llvm.dbg.cu = !{!1}
        ;^^^^^^^^^^^ warning[debug-info-version]: LLVM drops the module's debug information: the module does not have the flag `Debug Info Version`
        !1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, enums: !2)
        !2 = !DIFile(filename: "a.c", directory: "")
    "#]]);
}

#[test]
fn assignments_are_distinct_wherever_they_are_written() {
    let text = "declare void @g(metadata)\ndefine void @f() {\n  call void @g(metadata !DIAssignID())\n  ret void\n}\n\
        !0 = !DIAssignID()\n!1 = !{!DIAssignID()}\n!2 = distinct !DIAssignID()\n";
    expect![[r#"
        error[function-signature] 1:14 `@g`: `@g` takes `metadata`, which only intrinsics may
        error[call-site] 3:3 `call void @g(metadata`: only intrinsics take arguments of type `metadata`
        error[syntax-error] 3:25 `!DIAssignID`: `!DIAssignID` must be `distinct`
        error[syntax-error] 6:6 `!DIAssignID`: `!DIAssignID` must be `distinct`
        error[syntax-error] 7:8 `!DIAssignID`: `!DIAssignID` must be `distinct`
    "#]]
    .assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, text));
}

#[test]
fn the_location_of_a_debug_call_is_reported_once() {
    marks(expect![[r#"
        define void @f(i32 %x) !dbg !4 {
          call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !4
        ;                                                                                    ^^^^^^^ warning[invalid-debug-info]: LLVM drops the module's debug information: expected a `!DILocation` for `!dbg` of an instruction, found a `!DISubprogram`
        ;                                                                                          = line 11:1: the referenced node
          ret void
        }
        declare void @llvm.dbg.value(metadata, metadata, metadata)
        !llvm.dbg.cu = !{!0}
        !llvm.module.flags = !{!3}
        !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
        !1 = !DIFile(filename: "a.c", directory: "/")
        !3 = !{i32 2, !"Debug Info Version", i32 3}
        !4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0)
        !5 = !DISubroutineType(types: !6)
        !6 = !{}
        !7 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1)
    "#]]);
}

/// The size of a variable is looked for through 500 types: variables can share a chain.
#[test]
fn long_chains_of_types_hide_the_size() {
    let text = |types: u32| {
        let chain: String = (0..types)
            .map(|n| {
                let (own, next) = (1000 + n, 1001 + n);
                format!("!{own} = !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", baseType: !{next})\n")
            })
            .collect();
        format!(
            "define void @f(i32 %x) !dbg !103 {{
  #dbg_value(i32 %x, !1, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !106)
  ret void
}}
!1 = !DILocalVariable(name: \"x\", scope: !103, type: !1000)
{chain}!{} = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)
{UNIT}",
            1000 + types
        )
    };
    let is_found = |types| crate::rules::findings(&text(types)).contains("the fragment covers");
    assert!(is_found(499) && !is_found(500));
}

/// Nodes that share a list, and records that share an expression, each have a finding.
#[test]
fn what_is_shared_is_reported_for_each() {
    let types = "!105, ".repeat(20);
    let steps = "DW_OP_plus_uconst, 1, ".repeat(20);
    let text = format!(
        "define void @f(i32 %x) !dbg !103 {{
  #dbg_value(i32 %x, !1, !2, !106)
  #dbg_value(i32 %x, !1, !2, !106)
  ret void
}}
!1 = !DILocalVariable(name: \"x\", scope: !103, type: !105)
!2 = !DIExpression({steps}DW_OP_LLVM_fragment, 0, 32)
!3 = !{{{types}!102}}
!4 = !DISubroutineType(types: !3)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !3)
{UNIT}"
    );
    let found = crate::rules::findings(&text);
    let count = |part: &str| found.matches(part).count();
    assert_eq!((count("the fragment covers"), count("expected a type for element 20")), (2, 2), "{found}");
}

#[test]
fn nodes_attached_to_instructions_are_kept() {
    marks(expect![[r#"
        define void @f(ptr %p) {
          fence seq_cst, !foo !1
        ;                ^^^^^^^ error[invalid-debug-info]: missing `unit` of a `!DISubprogram` that is a definition
        ;                      = line 6:1: the node
          store i32 0, ptr %p, !foo !1
          ret void
        }
        !0 = distinct !DISubprogram(name: "x", spFlags: DISPFlagDefinition)
        !1 = !{!0}
    "#]]);
}

/// LLVM makes records of them and drops those.
#[test]
fn calls_without_all_arguments() {
    marks(expect![[r#"
        define void @f(i32 %x) {
          call void @llvm.dbg.value(metadata i32 %x)
          call void @llvm.dbg.declare()
          ret void
        }
        declare void @llvm.dbg.value(metadata, metadata, metadata)
        declare void @llvm.dbg.declare(metadata, metadata, metadata)
    "#]]);
}
