//! What is found in the parts of files.

use expect_test::{Expect, expect};

use crate::check_text;
use wavelens_base::parts::parts;
use wavelens_base::{Dialect, Options, Severity};

fn check(dialect: Dialect, text: &str, expected: Expect) {
    let mut shown = String::new();
    for part in parts(dialect, text) {
        assert_eq!(text.get(std::ops::Range::<usize>::from(part.name_range)), Some(part.name.as_str()));
        shown.push_str(&format!("{}: {:?}\n", part.name, part.kind));
    }
    for f in check_text(dialect, text, &Options::default()) {
        let line = text[..f.range.start().into()].matches('\n').count() + 1;
        shown.push_str(&format!("{line}: {}\n", f.message));
    }
    expected.assert_eq(&shown);
}

#[test]
fn sections_are_files_of_their_own() {
    check(
        Dialect::Llvm,
        "; RUN: split-file %s %t\n; RUN: llvm-as %t/a.ll -o /dev/null\n;--- a.ll\ndefine void @f() {\n  ret void\n}\n\
         ;--- b.ll\ndefine i32 @f() {\n  ret i32 %x\n}\n;--- c.txt\ndefine void @f() {\n  ret void\n}\n",
        expect![[r#"
            a.ll: Text(Llvm)
            b.ll: Text(Llvm)
            c.txt: Text(Llvm)
            9: use of undefined value `%x`
        "#]],
    );
}

#[test]
fn errors_that_a_test_of_sections_expects_are_marked() {
    let text = "; RUN: split-file %s %t\n; RUN: not llvm-as %t/a.ll\n;--- a.ll\ndefine i32 @f() {\n  ret i32 %x\n}\n";
    let found = check_text(Dialect::Llvm, text, &Options::default());
    let shown: Vec<_> = found.iter().map(|f| (f.rule.code, f.severity, f.expected)).collect();
    assert_eq!(shown, [("undefined-value", Severity::Info, true)]);
}

#[test]
fn sections_are_checked_for_the_processor_of_their_run_line() {
    check(
        Dialect::Amdgpu,
        "// RUN: split-file %s %t\n// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %t/a.s\n// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 %t/b.s\n\
         //--- a.s\ns_load_dword s0, s[2:3], 0\n//--- b.s\ns_load_dword s0, s[2:3], 0\ns_load_dwordx3 s[0:2], s[2:3], 0\n",
        expect![[r#"
            a.s: Text(Amdgpu)
            b.s: Text(Amdgpu)
            8: unknown instruction `s_load_dwordx3`; did you mean `s_load_dwordx2`, `s_load_dwordx4` or `s_load_dwordx8`?
        "#]],
    );
}

#[test]
fn what_python_writes_is_not_part_of_dumped_assembly() {
    let kernel = |name: &str| {
        format!(
            "// -----// AMDGCN Dump //----- //\n.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n{name}:\n.Lend:\n  s_bad\n"
        )
    };
    let warning = "/a/kernel.py:12: UserWarning: old\n  warnings.warn(\"old\")\nmore of it\n";
    check(
        Dialect::Amdgpu,
        &format!("{warning}{}{}{warning}", kernel("f"), kernel("g")),
        expect![[r#"
            AMDGCN Dump: Text(Amdgpu)
            AMDGCN Dump: Text(Amdgpu)
            8: unknown instruction `s_bad`
            13: unknown instruction `s_bad`
        "#]],
    );
    assert!(parts(Dialect::Amdgpu, &kernel("f")).is_empty());
}

#[test]
fn lines_of_the_pass_manager_are_not_part_of_a_snapshot() {
    check(
        Dialect::Llvm,
        "Running pass: SROAPass on f (2 instructions)\n; *** IR Dump After SROAPass on f ***\ndefine i32 @f() {\n  ret i32 1\n}\n\
         Invalidating analysis: DominatorTreeAnalysis on f\nRunning pass: InlinerPass on (f)\n\
         ; *** IR Dump After InlinerPass on (f) ***\n; ModuleID = 'm'\ndefine i32 @f() {\n  ret i64 1\n}\n\n\
         Running analysis: LoopAnalysis on f\n",
        expect![[r#"
            After SROAPass on f: Piece(Llvm)
            After InlinerPass on (f): Text(Llvm)
            11: expected `i32`, the function's result type, found `i64`
        "#]],
    );
}

#[test]
fn what_compilers_print_around_a_snapshot_is_not_part_of_it() {
    check(
        Dialect::Llvm,
        "; *** IR Dump After LoopRotatePass on loop %l in function f ***\n (loop: %l)\ndefine i32 @f() {\n  ret i32 1\n}\n\
         *** IR Pass PassManager<Function> on f ignored ***\n\
         *** IR Dump After A on [module] ***\n; ModuleID = 'm'\ndefine i32 @f() {\n  ret i64 1\n}\nwarning: <unknown>:0:0: in f\n",
        expect![[r#"
            After LoopRotatePass on loop %l in function f: Piece(Llvm)
            After A on [module]: Text(Llvm)
            10: expected `i32`, the function's result type, found `i64`
        "#]],
    );
}

#[test]
fn snapshots_of_passes_are_modules_of_their_own() {
    check(
        Dialect::Llvm,
        "; *** IR Dump After SROAPass on f ***\ndefine i32 @f() #0 {\n  ret i32 1\n}\n\
         ; *** IR Dump After InlinerPass on (f) ***\ndefine i32 @f() #0 {\n  %x = call i32 @g()\n  ret i64 %x\n}\n\
         # *** IR Dump After Finalize ISel (finalize-isel) ***:\n# Machine code for function f: IsSSA\nbb.0:\n  $v0 = COPY %0:vgpr_32\n\
         # End machine code for function f.\n\n# Machine code for function g: IsSSA\nbb.0:\n# End machine code for function g.\n",
        expect![[r#"
            After SROAPass on f: Piece(Llvm)
            After InlinerPass on (f): Piece(Llvm)
            After Finalize ISel (finalize-isel): Unread
            g: Unread
            8: expected `i32`, the function's result type, found `i64`
        "#]],
    );
}
