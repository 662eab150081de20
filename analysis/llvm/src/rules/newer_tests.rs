//! Rules that came with LLVM 24: they hold where a module is for that version or says that it comes from it.

use expect_test::expect;
use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::{check_text, testing};

fn errors(text: &str, llvm_level: Option<u8>) -> Vec<String> {
    let found = check_text(Dialect::Llvm, text, &Options { llvm_level, ..Options::default() });
    found.into_iter().filter(|f| f.severity == Severity::Error).map(|f| f.message).collect()
}

const HEAD: &str = "define void @f(ptr %q, i32 %i, i64 %l, float %x, i128 %w, i1 %c) {\n";
const TAIL: &str = "\n  ret void\n}\ndeclare void @g()\ndeclare void @llvm.assume(i1)\n";

/// Each as the body of a function, with metadata after it: LLVM 22 accepts it, LLVM 24 does not.
#[test]
fn in_bodies() {
    for (line, metadata, words) in [
        ("%a = add i32 %i, 1, !noundef !0", "!{}", "applies to loads, not to `add`"),
        ("%a = load i32, ptr %q, !noundef !0", "!{i32 1}", "must be empty"),
        ("%a = fadd float %x, %x, !nofpclass !0", "!{i32 3}", "applies to loads, not to `fadd`"),
        ("%a = load i32, ptr %q, !nofpclass !0", "!{i32 3}", "requires a floating-point value, found `i32`"),
        ("%a = load float, ptr %q, !nofpclass !0", "!{i32 1024}", "between 1 and 1023, is 1024"),
        ("store i32 1, ptr %q, !invariant.load !0", "!{}", "not to `store`"),
        ("call void @g(), !invariant.load !0", "!{}", "not to `call`"),
        ("%a = add i32 %i, 1, !inline_history !0", "!{null}", "applies to calls"),
        ("call void @g(), !inline_history !0", "!{i32 1}", "must be a function or `null`"),
        ("call void @g(), !amdgpu.expected.active.lanes !0", "!{i64 5}", "one operand, an `i32`"),
        (
            "%a = call ptr %q(), !memprof !0",
            "!{!1}\n!1 = !{!2, !\"cold\"}\n!2 = !{i64 1}",
            "requires `!callsite`",
        ),
        (
            "call void @g(), !prof !0",
            "!{!\"VP\", i32 0, i64 10, i64 1, i64 5, i64 1, i64 5}",
            "the value 1 occurs twice",
        ),
        (
            "br label %next, !prof !0\nnext:",
            "!{!\"branch_weights\", i32 1}",
            "`branch_weights` does not apply to `br`",
        ),
        ("call void @llvm.assume(i1 true) [ \"align\"(ptr %q, i128 %w) ]", "!{}", "at most 64 bits"),
        (
            "call void @llvm.assume(i1 true) [ \"noalias\"(ptr %q) ]",
            "!{}",
            "not an attribute that can be assumed",
        ),
        ("call void @llvm.assume(i1 true) [ \"nonnull\"(i64 %l) ]", "!{}", "requires a pointer"),
        ("%a = getelementptr <8 x i1>, ptr %q, i32 0, i32 1", "!{}", "not whole bytes"),
    ] {
        let text = format!("{HEAD}  {line}{TAIL}!0 = {metadata}\n");
        assert_eq!(errors(&text, Some(22)), [""; 0], "{line}");
        assert_eq!(errors(&text, None), [""; 0], "{line}");
        let found = errors(&text, Some(24));
        assert!(matches!(&found[..], [one] if one.contains(words)), "{line}: {found:?}");
    }
}

/// What LLVM 24 accepts and LLVM 22 does not.
#[test]
fn only_newer_versions_accept() {
    for line in [
        "%a = load atomic elementwise <2 x i32>, ptr %q unordered, align 8",
        "%a = atomicrmw elementwise add ptr %q, <2 x i32> zeroinitializer monotonic",
        "%a = atomicrmw add ptr %q, <2 x i32> zeroinitializer monotonic",
        "%a = atomicrmw xchg ptr %q, <2 x ptr> zeroinitializer monotonic",
    ] {
        let text = format!("{HEAD}  {line}{TAIL}");
        assert_ne!(errors(&text, Some(22)), [""; 0], "{line}");
        assert_eq!(errors(&text, None), [""; 0], "{line}");
        assert_eq!(errors(&text, Some(24)), [""; 0], "{line}");
    }
    for line in [
        "%a = load elementwise <2 x i32>, ptr %q, align 8",
        "%a = load atomic elementwise i32, ptr %q unordered, align 8",
        "%a = load atomic elementwise <2 x i32>, ptr %q seq_cst, align 8",
        "%a = atomicrmw elementwise add ptr %q, i32 1 monotonic",
        "%a = atomicrmw fadd ptr %q, <2 x i32> zeroinitializer monotonic",
        "%a = atomicrmw add ptr %q, <vscale x 2 x i32> zeroinitializer monotonic",
        "%a = atomicrmw add ptr %q, <3 x i32> zeroinitializer monotonic",
    ] {
        let text = format!("{HEAD}  {line}{TAIL}");
        assert_ne!(errors(&text, Some(24)), [""; 0], "{line}");
    }
    for memory in ["target_mem: read", "read, target_mem: none", "target_mem: none, target_mem0: read"] {
        let text = format!("declare void @f() memory({memory})\n");
        assert_ne!(errors(&text, Some(22)), [""; 0], "{memory}");
        assert_eq!(errors(&text, Some(24)), [""; 0], "{memory}");
    }
    for declaration in ["declare nofreeobj ptr @f()\n", "declare void @f(ptr nofreeobj)\n"] {
        assert_ne!(errors(declaration, Some(22)), [""; 0], "{declaration}");
        assert_eq!(errors(declaration, Some(24)), [""; 0], "{declaration}");
    }
    let late = "declare void @f() memory(target_mem0: read, target_mem: none)\n";
    assert_eq!(errors(late, Some(24)).len(), 1);
}

#[test]
fn in_modules() {
    let flag = |flag: &str| format!("!llvm.module.flags = !{{!0}}\n!0 = !{{{flag}}}\n");
    let work_group = |attribute: &str| {
        format!(
            "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @f() {attribute} !reqd_work_group_size !0 {{\n  ret void\n}}\n\
             !0 = !{{i32 16, i32 16, i32 1}}\n"
        )
    };
    for (text, words) in [
        (flag("i32 7, !\"amdgpu.xnack\", i32 1"), "requires the behavior `error` (1)"),
        (flag("i32 1, !\"amdgpu.sramecc\", i32 2"), "between 0 and 1, is 2"),
        (flag("i32 1, !\"amdgpu.sramecc\", float 1.0"), "requires an integer"),
        (flag("i32 1, !\"amdgpu.buffer.oob.mode\", i32 2"), "requires the behavior `max` (7)"),
        (flag("i32 1, !\"float-abi\", !\"softfp\""), "must be `soft` or `hard`"),
        (flag("i32 1, !\"ptrauth-init-fini-address-discrimination\", i32 1"), "requires `ptrauth-init-fini`"),
        (
            "define void @f() !prof !0 {\n  ret void\n}\n!0 = !{!\"synthetic_function_entry_count\", i64 1}\n".to_owned(),
            "expected `function_entry_count` in `!prof` of a function",
        ),
        (work_group(""), "requires the attribute `\"amdgpu-flat-work-group-size\"`"),
        (work_group("\"amdgpu-flat-work-group-size\"=\"1,256\""), "must be `\"256,256\"`"),
        (
            "!llvm.x = !{!0}\n!0 = !DISubprogram(name: \"f\", spFlags: 0)\n".to_owned(),
            "missing field `type` of `!DISubprogram`, which LLVM 24 requires",
        ),
        (
            "target datalayout = \"e-p3:32:32\"\n@g = addrspace(3) global [4294967296 x i8] poison\n"
                .to_owned(),
            "whose pointers have 32 bits",
        ),
        (
            "define void @f() {\n  br label %a\na:\n  ret void\n}\n@b = global ptr blockaddress(@f, %a)\n\
             @c = global ptr blockaddress(@f, %a)\nuselistorder_bb @f, %a, { 1, 0 }\n"
                .to_owned(),
            "`uselistorder_bb` is not part of the language",
        ),
    ] {
        assert_eq!(errors(&text, Some(22)), [""; 0], "{text}");
        assert_eq!(errors(&text, None), [""; 0], "{text}");
        let found = errors(&text, Some(24));
        assert!(matches!(&found[..], [one] if one.contains(words)), "{text}: {found:?}");
    }
    assert_eq!(errors(&work_group("\"amdgpu-flat-work-group-size\"=\"256,256\""), Some(24)), [""; 0]);
}

/// A module that says which version wrote it is judged by that version's rules, unless another is set.
#[test]
fn the_version_that_wrote_a_module() {
    let module = "!llvm.x = !{!0}\n!0 = !DISubprogram(name: \"f\", spFlags: 0)\n";
    let ident =
        "!llvm.ident = !{!1}\n!1 = !{!\"clang version 24.0.0git (https://github.com/llvm/llvm-project)\"}\n";
    let unit = "!llvm.dbg.cu = !{!1}\n!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, producer: \"clang version 24.0.0\")\n\
                !2 = !DIFile(filename: \"a.c\", directory: \"/\")\n";
    for says in [ident, unit, "target triple = \"amdgpu9.42-amd-amdhsa\"\n"] {
        let text = format!("{says}{module}");
        assert_eq!(errors(&text, None).len(), 1, "{says}");
    }
    assert_eq!(errors(&format!("{ident}{module}"), Some(22)), [""; 0]);
    assert_eq!(errors(&format!("{}{module}", ident.replace("24", "22")), None), [""; 0]);
}

/// What LLVM 24 writes and LLVM 22 does not read.
#[test]
fn newer_forms() {
    let domain =
        "!0 = !{!1}\n!1 = distinct !{!1, !2, !\"scope\"}\n!2 = distinct !{!2, i1 true, !\"domain\"}\n";
    let scope = format!(
        "define void @f(ptr %p) {{\n  store i32 0, ptr %p, !alias.scope !0\n  ret void\n}}\n{domain}"
    );
    let splice = "define <2 x i32> @f(<2 x i32> %a) {\n  %r = call <2 x i32> @llvm.vector.splice.left.v2i32(<2 x i32> %a, \
<2 x i32> %a, i32 7)\n  ret <2 x i32> %r\n}\ndeclare <2 x i32> @llvm.vector.splice.left.v2i32(<2 x i32>, <2 x i32>, i32)\n";
    for text in [
        "module asm\n    \".globl a\"\n    \".globl b\"\n",
        "define ptr @f(ptr addrspace(5) %p) {\n  %q = addrspacecast nonnull ptr addrspace(5) %p to ptr\n  ret ptr %q\n}\n",
        &scope,
        splice,
        "define void @f() \"denormal-fp-math\"=\"ieee.ieee\" {\n  ret void\n}\n",
    ] {
        assert_eq!(errors(text, Some(22)).len(), 1, "{text}");
        assert_eq!(errors(text, None), [""; 0], "{text}");
        assert_eq!(errors(text, Some(24)), [""; 0], "{text}");
    }
}

/// Whole modules that LLVM 22 rejects, and newer versions accept.
#[test]
fn modules_that_only_newer_versions_accept() {
    for text in [
        "define void @f(ptr %p) {\n  %a = atomicrmw fmaximumnum ptr %p, float 1.0 seq_cst\n  ret void\n}\n",
        "@g = global float -0xfff.fffp5\n@h = global float +0x10.fdep5\n",
        "define { float, float } @f(float %x) {\n  %r = call { float, float } @g(float %x), !fpmath !0\n  ret { float, float } %r\n}\n\
declare { float, float } @g(float)\n!0 = !{float 4.0}\n",
        "define void @f() {\n  %a = call elementtype(i32) ptr @llvm.structured.alloca()\n  ret void\n}\n",
        "define float @f(float %x) {\n  %a = call float @llvm.amdgcn.permlane.up.f32(float %x, i32 0, i32 0)\n  ret float %a\n}\n",
        "define void @f() {\n  call void @g(), !nofree !0\n  ret void\n}\ndeclare void @g()\n!0 = !{i32 1}\n",
        "declare amdgpu_cs_chain void @c()\ndefine amdgpu_vs void @f(i32 inreg %s) {\n  call void (ptr, i32, i32, i32, i32, ...) \
@llvm.amdgcn.cs.chain(ptr @c, i32 -1, i32 inreg %s, i32 1, i32 0)\n  unreachable\n}\n",
        "^0 = module: (path: \"a\", hash: (0, 0, 0, 0, 0))\n^1 = gv: (guid: 1, summaries: (alias: (module: ^0, flags: (linkage: \
external, noRenameOnPromotion: 0), aliasee: null)))\n",
    ] {
        assert_ne!(errors(text, Some(22)), [""; 0], "{text}");
        assert_eq!(errors(text, None), [""; 0], "{text}");
        assert_eq!(errors(text, Some(24)), [""; 0], "{text}");
    }
}

/// Whole modules that LLVM 22 accepts, and LLVM 24 does not.
#[test]
fn modules_that_newer_versions_reject() {
    for text in [
        "declare i32 @llvm.ctpop.i32(i64)\n",
        "declare i32 @llvm.vector.reduce.add.i32(i32)\n",
        "declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))\n",
        "@g = global i32 0, !elf_section_properties !{i32 0}\n",
        "@g = global i32 0, !elf_section_properties !{i32 0, float 0.0}\n",
        "declare void @f(target(\"amdgpu.stridemark\"))\n",
        "declare target(\"amdgpu.stridemark\") @f()\n",
        "define void @f() {\n  ret void, !dbg !0\n}\n!llvm.module.flags = !{!1}\n!0 = !{}\n\
!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n",
    ] {
        assert_eq!(errors(text, Some(22)), [""; 0], "{text}");
        assert_eq!(errors(text, None), [""; 0], "{text}");
        assert_eq!(errors(text, Some(24)).len(), 1, "{text}");
    }
    for text in [
        "define void @f() prefalign(0) {\n  ret void\n}\n",
        "define void @f() prefalign(8589934592) {\n  ret void\n}\n",
    ] {
        assert_ne!(errors(text, Some(24)), [""; 0], "{text}");
    }
}

/// LLVM 24 replaces these, whatever their types are.
#[test]
fn declarations_that_are_replaced() {
    for text in [
        "declare void @llvm.lifetime.start.i64(i64)\n",
        "declare <8 x float> @llvm.vp.fptoui.v8f32.v8f32(<8 x float>, <8 x i1>, i32)\n",
    ] {
        assert_eq!(errors(text, Some(24)), [""; 0], "{text}");
    }
}

/// A declaration with two calls is one mistake.
#[test]
fn a_wrong_declaration_is_reported_once() {
    let text = "declare i32 @llvm.ctpop.i32(i64)\ndefine void @f() {\n  %a = call i32 @llvm.ctpop.i32(i64 0)\n  \
%b = call i32 @llvm.ctpop.i32(i64 1)\n  ret void\n}\n";
    assert_eq!(errors(text, Some(24)).len(), 1);
    assert_eq!(errors(text, Some(22)).len(), 1);
}

/// What an intrinsic is not selected for, with a signature of LLVM 23 or for fewer processors since LLVM 24.
#[test]
fn intrinsics_of_newer_versions_by_processor() {
    let text = "target triple = \"amdgcn-amd-amdhsa\"\n\
        define i32 @f(ptr %p, ptr addrspace(1) %g) \"target-cpu\"=\"gfx950\" {\n  \
        %a = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p0(ptr %p, i32 0, metadata !0)\n  \
        %b = call i32 @llvm.amdgcn.global.load.monitor.b32.i32(ptr addrspace(1) %g, i32 0, metadata !0)\n  \
        %c = add i32 %a, %b\n  ret i32 %c\n}\n\
        declare i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p0(ptr, i32, metadata)\n\
        declare i32 @llvm.amdgcn.global.load.monitor.b32.i32(ptr addrspace(1), i32, metadata)\n\
        declare void @llvm.amdgcn.something.new()\n!0 = !{!\"agent\"}\n";
    let warnings = |llvm_level| {
        let found = check_text(Dialect::Llvm, text, &Options { llvm_level, ..Options::default() });
        let messages = found.into_iter().filter(|f| f.severity == Severity::Warning).map(|f| f.message);
        messages.collect::<Vec<_>>().join("\n")
    };
    expect_test::expect![[r#"
        `llvm.amdgcn.cooperative.atomic.load.32x4B.p0` is not supported on gfx950 in LLVM 24
        `llvm.amdgcn.global.load.monitor.b32` is not supported on gfx950; it is supported on gfx1250 and gfx1251"#]].assert_eq(&warnings(Some(24)));
    expect_test::expect![[r#"
        `llvm.amdgcn.global.load.monitor.b32` is not supported on gfx950; it is supported on gfx1250 and gfx1251
        unknown intrinsic `llvm.amdgcn.something.new`: no version up to LLVM 24 has it"#]].assert_eq(&warnings(Some(22)));
}

#[test]
fn attachments_that_llvm_24_checks() {
    marks_of_24(expect![[r#"
        @g = global i32 0
        declare void @callee(ptr)
        declare i32 @llvm.amdgcn.workitem.id.x()
        define void @f(ptr %p, i32 %i, float %x) {
          %a = load i32, ptr %p, !noundef !0
          store i32 %a, ptr %p, !noundef !0
        ;                       ^^^^^^^^^^^ error[metadata-attachment]: `!noundef` applies to loads, not to `store`
          %b = load i32, ptr %p, !noundef !1
        ;                        ^^^^^^^^^^^ error[metadata-attachment]: the node of `!noundef` must be empty
          %c = load float, ptr %p, !nofpclass !1
          %d = load i32, ptr %p, !nofpclass !1
        ;                        ^^^^^^^^^^^^^ error[metadata-attachment]: `!nofpclass` requires a floating-point value, found `i32`
          %e = load ptr, ptr %p, !nofpclass !1
        ;                        ^^^^^^^^^^^^^ error[metadata-attachment]: `!nofpclass` requires a floating-point value, found `ptr`
          store float %x, ptr %p, !nofpclass !1
        ;                         ^^^^^^^^^^^^^ error[metadata-attachment]: `!nofpclass` applies to loads, not to `store`
          %h = load float, ptr %p, !nofpclass !2
        ;                          ^^^^^^^^^^^^^ error[metadata-attachment]: the mask of `!nofpclass` must be between 1 and 1023, is 1024
          %i0 = load float, ptr %p, !nofpclass !3
        ;                           ^^^^^^^^^^^^^ error[metadata-attachment]: `!nofpclass` must have one operand, an `i32`
          %j = load float, ptr %p, !nofpclass !0
        ;                          ^^^^^^^^^^^^^ error[metadata-attachment]: `!nofpclass` must have one operand, an `i32`
          %k = load <2 x float>, ptr %p, !nofpclass !4
          %l = load i32, ptr %p, !invariant.load !0
          store i32 0, ptr %p, !invariant.load !0
        ;                      ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!invariant.load` applies to loads and intrinsics that only read, not to `store`
          call void @callee(ptr %p), !invariant.load !0
        ;                            ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!invariant.load` applies to loads and intrinsics that only read, not to `call`
          %m = call i32 @llvm.amdgcn.workitem.id.x(), !invariant.load !0
          call void @callee(ptr %p), !inline_history !5
          call void @callee(ptr %p), !inline_history !6
        ;                            ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: an operand of `!inline_history` must be a function or `null`
          call void @callee(ptr %p), !inline_history !1
        ;                            ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: an operand of `!inline_history` must be a function or `null`
          store i32 0, ptr %p, !inline_history !5
        ;                      ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!inline_history` applies to calls, not to `store`
          call void @callee(ptr %p), !amdgpu.expected.active.lanes !1
          call void @callee(ptr %p), !amdgpu.expected.active.lanes !7
        ;                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!amdgpu.expected.active.lanes` must have one operand, an `i32`
          call void @callee(ptr %p), !amdgpu.expected.active.lanes !0
        ;                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!amdgpu.expected.active.lanes` must have one operand, an `i32`
          %n = add i32 %i, 1, !mem.cache_hint !8
        ;                     ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!mem.cache_hint` applies to memory operations, not to `add`
          call void @callee(ptr %p), !mem.cache_hint !8
        ;                            ^^^^^^^^^^^^^^^^^^ error[metadata-attachment]: `!mem.cache_hint` applies to calls of intrinsics only
          %o = load i32, ptr %p, !mem.cache_hint !8
          %q = atomicrmw add ptr %p, i32 1 seq_cst, !mem.cache_hint !8
          br label %loop
        loop:
          br label %loop, !llvm.loop !9
        ;                 ^^^^^^^^^^^^^ error[metadata-attachment]: `llvm.loop.vectorize.enable` must not have a value in LLVM 24
        }
        !0 = !{}
        !1 = !{i32 1}
        !2 = !{i32 1024}
        !3 = !{i64 1}
        !4 = !{i32 1023}
        !5 = !{ptr @callee, null}
        !6 = !{ptr @g}
        !7 = !{i64 1}
        !8 = !{i32 0, !{!"a", i32 1}}
        !9 = distinct !{!9, !10, !11, !12}
        !10 = !{!"llvm.loop.vectorize.enable", i1 true}
        !11 = !{!"llvm.loop.distribute.enable"}
        !12 = !{!"llvm.loop.estimated_trip_count", i32 4}
    "#]]);
}

#[test]
fn module_flags_of_each_behavior() {
    marks_of_24(expect![[r#"
        !llvm.module.flags = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16, !17, !18, !19, !20, !21, !22}
        !0 = !{i32 1, !"amdgpu.sramecc", i32 1}
        !1 = !{i32 2, !"amdgpu.xnack", i32 1}
        ;    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `amdgpu.xnack` requires the behavior `error` (1)
        !2 = !{i32 7, !"amdgpu.buffer.oob.mode", i32 2}
        !3 = !{i32 7, !"amdgpu.tbuffer.oob.mode", i32 3}
        ;    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `amdgpu.tbuffer.oob.mode` must be between 0 and 2, is 3
        !4 = !{i32 1, !"float-abi", !"soft"}
        !5 = !{i32 1, !"long-double-type", !"quad"}
        ;    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `long-double-type` must be `float`, `double`, `x86_fp80`, `fp128` or `ppc_fp128`
        !6 = !{i32 1, !"ptrauth-init-fini", !"a"}
        ;    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `ptrauth-init-fini` requires an integer
        !7 = !{i32 0, !"a", i32 1}
        ;    ^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: the behavior of a module flag must be between 1 and 8, is 0
        !8 = !{i32 9, !"b", i32 1}
        ;    ^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: the behavior of a module flag must be between 1 and 8, is 9
        !9 = !{!"1", !"c", i32 1}
        ;    ^^^^^^^^^^^^^^^^^^^^ error[module-flag]: the behavior of a module flag must be an integer between 1 and 8
        !10 = !{i32 1, i32 2, i32 1}
        ;     ^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: the name of a module flag must be a string
        !11 = !{i32 3, !"d", !{!"e", i32 1}}
        ;     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: this flag requires flag `e`, which the module does not have
        !12 = !{i32 3, !"f", !{i32 1, i32 1}}
        ;     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `f` with behavior `require` requires a pair that begins with the name of a flag
        !13 = !{i32 3, !"g", i32 1}
        ;     ^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `g` with behavior `require` requires a pair of a flag's name and its value
        !14 = !{i32 5, !"h", !{i32 1}}
        !15 = !{i32 5, !"i", i32 1}
        ;     ^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `i` with behavior `append` requires a node
        !16 = !{i32 6, !"j", !"k"}
        ;     ^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `j` with behavior `append-unique` requires a node
        !17 = !{i32 7, !"l", !"m"}
        ;     ^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `l` with behavior `max` requires an integer
        !18 = !{i32 8, !"n", i32 -1}
        ;     ^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `n` with behavior `min` requires a non-negative integer
        !19 = !{i32 8, !"o", i32 1}
        !20 = !{i32 8, !"p", !{}}
        ;     ^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `p` with behavior `min` requires a non-negative integer
        !21 = !{i32 1, !"wchar_size", !"4"}
        ;     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `wchar_size` requires an integer
        !22 = !{i32 5, !"CG Profile", !{!23, !24, !25, !26, !27}}
        ;     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: the caller and callee of a `CG Profile` entry must be functions or `null`
        !23 = !{ptr @f, null, i64 1}
        !24 = !{ptr @f, ptr @g, i64 1}
        !25 = !{ptr @f, ptr @f, !"1"}
        !26 = !{ptr @f, ptr @f}
        !27 = !{!"f", ptr @f, i64 1}
        @g = global i32 0
        declare void @f()
    "#]]);
}

#[test]
fn intrinsics_that_llvm_24_checks() {
    marks_of_24(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        declare amdgpu_gfx_whole_wave i32 @wave(i1, i32 inreg, float)
        declare i32 @plain(i32)
        @g = global i32 0
        define amdgpu_kernel void @f(ptr %p, i32 %i, float %x, ptr addrspace(1) %q, ptr addrspace(3) %l, ptr addrspace(5) %s) {
          %a = call float @llvm.convert.from.arbitrary.fp.f32.i8(i8 0, metadata !"Float8E5M2")
          %b = call float @llvm.convert.from.arbitrary.fp.f32.i8(i8 0, metadata !"Float9")
        ;                                                                       ^^^^^^^^^ error[intrinsic-operands]: unknown format `Float9`
          %c = call float @llvm.convert.from.arbitrary.fp.f32.i16(i16 0, metadata !"Float8E5M2")
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `Float8E5M2` requires an integer of 8 bits
          %d = call i8 @llvm.convert.to.arbitrary.fp.i8.f32(float %x, metadata !"Float8E4M3FN", metadata !"round.tonearest", i1 false)
          %e = call i8 @llvm.convert.to.arbitrary.fp.i8.f32(float %x, metadata !"Float8E4M3FN", metadata !"round.dynamic", i1 false)
        ;                                                                                                ^^^^^^^^^^^^^^^^ error[intrinsic-operands]: unknown rounding mode `round.dynamic`
          %h = call i8 @llvm.convert.to.arbitrary.fp.i8.f32(float %x, metadata !0, metadata !"round.upward", i1 false)
        ;                                                                      ^^ error[intrinsic-operands]: the format must be a string such as `Float8E5M2`
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %q, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %q, ptr addrspace(3) %l, i32 3, i32 0, i32 0)
        ;                                                                                      ^ error[intrinsic-operands]: the size must be 1, 2, 4, 12 or 16, is 3
          call void @llvm.amdgcn.s.prefetch.data.p1(ptr addrspace(1) %q, i32 1)
          call void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3) %l, i32 1)
        ;                                                            ^^ error[intrinsic-operands]: the pointer must be in global or constant memory, is in address space 3
          %j = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @wave, i32 inreg %i, float %x)
          %k = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @wave, i32 %i, float %x)
        ;                                                                             ^^ error[intrinsic-operands]: `inreg` of the argument and of the callee's parameter must agree
          %m = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @wave, i32 inreg %i)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: expected 2 arguments after the callee's first, found 1
          %n = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @wave, i32 inreg %i, i32 %i)
        ;                                                                                           ^^ error[intrinsic-operands]: expected `float`, found `i32`
          %o = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @plain, i32 %i)
        ;                                                                  ^^^^^^ error[intrinsic-operands]: the callee must be an `amdgpu_gfx_whole_wave` function
          %r = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr @g, i32 %i)
        ;                                                                  ^^ error[intrinsic-operands]: the callee must be a function
          %t = call i32 (ptr, ...) @llvm.amdgcn.call.whole.wave.i32.p0(ptr %p, i32 %i)
        ;                                                                  ^^ error[intrinsic-operands]: the callee must be named: whole wave functions cannot be called through pointers
          %u = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p1(ptr addrspace(1) %q, i32 0, metadata !1)
          %v = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p1(ptr addrspace(1) %q, i32 0, metadata !0)
        ;                                                                                                  ^^ error[intrinsic-operands]: the scope must be a node with one string, such as `!{!"agent"}`
          %w = call i32 @llvm.read_volatile_register.i32(metadata !1)
        ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-operation]: the register must be `exec`, `exec_hi`, `exec_lo`, `flat_scratch`, `flat_scratch_hi`, `flat_scratch_lo` or `m0` on AMDGPU, is `agent`
          %y = call i32 @llvm.read_volatile_register.i32(metadata !0)
        ;                                                         ^^ error[intrinsic-operands]: the register must be a node with one string
          %z = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 %i, i32 %i)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: only `amdgpu_cs_chain` and `amdgpu_cs_chain_preserve` functions may call `llvm.amdgcn.set.inactive.chain.arg`
          ret void
        }
        !0 = !{}
        !1 = !{!"agent"}
    "#]]);
}
/// Marks of a text that is checked for LLVM 24.
#[track_caller]
fn marks_of_24(text: expect_test::Expect) {
    let options = Options { llvm_level: Some(24), ..Options::default() };
    text.assert_eq(&testing::marked(Dialect::Llvm, &testing::dedent(text.data()), &options));
}

#[test]
fn an_older_version_takes_a_newer_intrinsic_for_any_function() {
    let text = "declare i32 @llvm.masked.udiv(i32, i32)\n\
        define i32 @f(i32 %a) {\n  %x = call i32 @llvm.masked.udiv(i32 %a, i32 %a)\n  ret i32 %x\n}\n";
    assert_eq!(errors(text, Some(22)), [""; 0]);
    assert_eq!(errors(text, Some(24)).len(), 1);
}
