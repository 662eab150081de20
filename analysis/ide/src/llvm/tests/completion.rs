//! What is suggested while typing.

use expect_test::expect;

use super::*;
use crate::answers::CompletionKind;

#[test]
fn completion_of_values() {
    let body = |line: &str| {
        format!(
            "define i32 @f(i32 %a, ptr %p) {{\nentry:\n  %b = add i32 %a, 1\n  {line}\n  br label %done\ndone:\n  ret i32 0\n}}\n"
        )
    };
    // A new name.
    check_completion(&body("%$0"), 4, expect![[r#""#]]);
    check_completion(
        &body("%c = mul i32 %$0"),
        4,
        expect![[r#"
            %b i32
            %a i32
        "#]],
    );
    check_completion(
        &body("%c = mul i32 %a, %$0"),
        4,
        expect![[r#"
            %b i32
            %a i32
        "#]],
    );
    check_completion(
        &body("store i32 %a, ptr %$0"),
        4,
        expect![[r#"
            %p ptr
        "#]],
    );
    check_completion(
        &body("br label %$0"),
        4,
        expect![[r#"
            %done 
        "#]],
    );
}

#[test]
fn values_are_defined_on_each_path() {
    let body = |join: &str| {
        format!(
            "define i32 @f(i1 %c, i32 %a) {{\nentry:\n  br i1 %c, label %then, label %else\nthen:\n  %x = add i32 %a, 1\n  br label %join\nelse:\n  br label %join\njoin:\n  {join}\n  %z = add i32 %a, 2\n  ret i32 %a\n}}\n"
        )
    };
    check_completion(
        &body("%y = mul i32 %$0"),
        5,
        expect![[r#"
        %a i32
    "#]],
    );
    check_completion(
        &body("%y = phi i32 [ %$0"),
        5,
        expect![[r#"
            %x i32
            %a i32
        "#]],
    );
    check_completion(
        &body("%y = phi i32 [ %x, %$0"),
        5,
        expect![[r#"
        %else 
        %then 
    "#]],
    );
    check_completion(
        &body("%y = phi i32 [ %x, %then ], [ 1, %$0"),
        5,
        expect![[r#"
        %else 
        %then 
    "#]],
    );
    check_completion(
        &body("call void @f(i1 %c,\n    i32 noundef %$0"),
        5,
        expect![[r#"
        %a i32
    "#]],
    );
    check_completion(
        &body("%y = tail $0"),
        5,
        expect![[r#"
        call 
    "#]],
    );
}

#[test]
fn completion_of_words() {
    let body = |line: &str| format!("define i32 @f(i32 %a) {{\n  {line}\n  ret i32 0\n}}\n");
    check_completion(
        &body("%c = fre$0"),
        3,
        expect![[r#"
        freeze 
        frem 
    "#]],
    );
    check_completion(
        &body("%c = icmp s$0"),
        4,
        expect![[r#"
        samesign 
        sge 
        sgt 
        sle 
    "#]],
    );
    check_completion(
        &body("%c = load i3$0"),
        3,
        expect![[r#"
        i32 
    "#]],
    );
    check_completion(
        &body("fence a$0"),
        3,
        expect![[r#"
        acq_rel 
        acquire 
        release 
    "#]],
    );
    check_completion(
        "def$0",
        3,
        expect![[r#"
        define 
    "#]],
    );
    check_completion(
        "define void @f() nor$0",
        3,
        expect![[r#"
            norecurse 
            noredzone 
            noreturn 
        "#]],
    );
    check_completion(
        "attributes #0 = { no$0 }",
        3,
        expect![[r#"
            nocallback 
            nofree 
            noinline 
        "#]],
    );
}

#[test]
fn completion_of_globals() {
    let fixture =
        "declare i32 @puts(ptr)\n@x = global i32 0\n\ndefine void @f() {\n  call i32 @$0\n  ret void\n}\n";
    check_completion(
        fixture,
        3,
        expect![[r#"
            @puts i32 (ptr)
            @x i32
            @llvm.amdgcn.cluster.id.x i32 ()
        "#]],
    );
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let puts = features::complete(view, at).items.into_iter().find(|c| c.label == "@puts");
        let puts = puts.map(|c| (c.kind, c.insert));
        assert_eq!(puts, Some((CompletionKind::Function, "@puts(ptr ${1:%0})".to_owned())));
    });
    check_completion(
        "define void @f() {\n  call void @llvm.memse$0\n}\n",
        3,
        expect![[r#"
            @llvm.memset void (ptr, i8, T, i1)
            @llvm.memset.element.unordered.atomic void (ptr, i8, T, i32)
            @llvm.memset.inline void (ptr, i8, T, i1)
        "#]],
    );
}

#[test]
fn globals_are_in_the_address_space() {
    let text = |line: &str| {
        format!(
            "@lds = addrspace(3) global i32 0\n@g = global i32 0\ndeclare i32 @h(i32)\ndefine void @f() {{\n  {line}\n  ret void\n}}\n"
        )
    };
    check_completion(
        &text("%x = load i32, ptr addrspace(3) @$0"),
        5,
        expect![[r#"
        @lds i32
    "#]],
    );
    check_completion(
        &text("%x = load i32, ptr @$0"),
        5,
        expect![[r#"
        @g i32
        @f void ()
        @h i32 (i32)
    "#]],
    );
    check_completion(
        &text("%x = call i32 @$0"),
        5,
        expect![[r#"
            @h i32 (i32)
            @g i32
            @llvm.amdgcn.cluster.id.x i32 ()
            @llvm.amdgcn.cluster.id.y i32 ()
            @llvm.amdgcn.cluster.id.z i32 ()
        "#]],
    );
    check_completion(&text("%x = add i32 @$0"), 5, expect![""]);
}

#[test]
fn nothing_is_suggested_in_comments_and_strings() {
    check_completion("; def$0", 3, expect![""]);
    check_completion("source_filename = \"def$0", 3, expect![""]);
}

#[test]
fn signature_of_a_call() {
    let fixture = "declare i32 @get(ptr nocapture, i32)\ndefine void @f(ptr %p) {\n  %x = call i32 @get(ptr %p, i32 $0)\n  ret void\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let signature = features::signature(view, at).expect("in a call");
        let active = signature.active.and_then(|a| signature.parameters.get(a)).cloned();
        expect![[r#"
            i32 @get(ptr captures(none), i32) / i32
        "#]]
        .assert_eq(&format!("{} / {}\n", signature.label, active.map_or("", |r| &signature.label[r])));
    });
}

#[test]
fn completion_where_nothing_is_typed_yet() {
    let body = |line: &str| {
        format!(
            "@g = global i32 1\ndefine i32 @f(i32 %a, ptr %p, i64 %l) {{\nentry:\n  {line}\n  ret i32 %a\n}}\n"
        )
    };
    check_completion(
        &body("%q = add i32 $0"),
        4,
        expect![[r#"
            %a i32
            poison 
            undef 
        "#]],
    );
    check_completion(
        &body("%q = add i32 %a, $0"),
        3,
        expect![[r#"
            %a i32
            poison 
            undef 
        "#]],
    );
    check_completion(
        &body("%q = load i32, ptr $0"),
        4,
        expect![[r#"
            %p ptr
            @g i32
            @f i32 (i32, ptr, i64)
            null 
        "#]],
    );
    check_completion(&body("br label $0"), 3, expect![""]);
    check_completion(
        &body("fence $0"),
        3,
        expect![[r#"
        acq_rel 
        acquire 
        monotonic 
    "#]],
    );
}

#[test]
fn completion_of_metadata_fields() {
    check_completion(
        "attributes #0 = { cold }\n!1 = !DILocation(line: 3, $0",
        3,
        expect![[r#"
            column: 
            scope: required
            inlinedAt: 
        "#]],
    );
    check_completion(
        "!1 = !DIDerivedType(tag: $0",
        3,
        expect![[r#"
        DW_TAG_access_declaration 
        DW_TAG_array_type 
        DW_TAG_atomic_type 
    "#]],
    );
    check_completion(
        "!1 = distinct !DICompileUnit(isOptimized: $0",
        3,
        expect![[r#"
            false 
            true 
            !1 
        "#]],
    );
}

/// What comes where no sigil is written yet.
#[test]
fn names_come_without_their_sigil() {
    let body = |line: &str| {
        format!(
            "@g = addrspace(1) global i32 0\ndeclare i32 @h(ptr addrspace(1))\ndefine amdgpu_kernel void @f(ptr addrspace(1) %p) #0 {{\n  \
             {line}\n  ret void\n}}\nattributes #0 = {{ nounwind }}\n!0 = !{{}}\n"
        )
    };
    check_completion(
        &body("store i32 0, ptr addrspace(1) $0"),
        2,
        expect![[r#"
        %p ptr addrspace(1)
        @g i32
    "#]],
    );
    check_completion(
        &body("%a = call i32 $0"),
        1,
        expect![[r#"
        @h i32 (ptr addrspace(1))
    "#]],
    );
    check_completion(
        &body("%a = call i32 @h(ptr addrspace(1) noundef $0"),
        1,
        expect![[r#"
        %p ptr addrspace(1)
    "#]],
    );
    check_completion(
        &body("%a = call i32 @h(ptr addrspace(1) %p) $0"),
        1,
        expect![[r#"
        #0 nounwind
    "#]],
    );
    check_completion(
        &body("%a = load <4 $0"),
        2,
        expect![[r#"
        x 
    "#]],
    );
    check_completion(
        &body("%a = load i32, ptr addrspace(1) %p, !range $0"),
        2,
        expect![[r#"
        !0 
    "#]],
    );
    check_completion(
        "define void @f(ptr $0",
        1,
        expect![[r#"
            addrspace 
        "#]],
    );
    check_completion(
        "define void @f() $0{\n  ret void\n}\nattributes #0 = { nounwind }\n",
        1,
        expect![[r#"
            #0 nounwind
        "#]],
    );
}

#[test]
fn words_that_the_place_in_debug_information_or_in_a_header_takes() {
    let first = |text: &str| {
        let items = at_cursor(Dialect::Llvm, text, features::complete).items;
        items.into_iter().take(3).map(|item| item.label).collect::<Vec<_>>().join(" ")
    };
    expect!["DW_OP_LLVM_arg DW_OP_LLVM_convert DW_OP_LLVM_fragment"]
        .assert_eq(&first("!0 = !DIExpression(DW_OP_$0)\n"));
    expect!["DW_OP_constu DW_OP_LLVM_arg DW_OP_LLVM_convert"]
        .assert_eq(&first("!0 = !DIExpression(DW_OP_constu, 4, $0)\n"));
    expect!["DIFlagAllCallsDescribed DIFlagAppleBlock DIFlagArtificial"]
        .assert_eq(&first("!0 = !DISubprogram(flags: DIFlagPrototyped | $0)\n"));
    expect![[r#""coreclr" "erlang" "ocaml""#]]
        .assert_eq(&first("define void @f() gc \"$0\" {\n  ret void\n}\n"));
    expect![""].assert_eq(&first("define void @f() section \"$0\" {\n  ret void\n}\n"));
}

#[test]
fn completion_of_constraints() {
    let asm = |constraints: &str| {
        format!(
            "define void @f(i32 %x) {{\n  %y = call i32 asm \"\", \"{constraints}\"(i32 %x)\n  ret void\n}}\n"
        )
    };
    check_completion(
        &asm("$0"),
        8,
        expect![[r#"
            =v 
            v 
            =s 
            s 
            =a 
            a 
            =&v 
            =&s 
        "#]],
    );
    check_completion(
        &asm("=$0v,v"),
        8,
        expect![[r#"
            =v 
            =s 
            =a 
            =&v 
            =&s 
            =&a 
        "#]],
    );
    check_completion(
        &asm("=v,$0"),
        8,
        expect![[r#"
            v 
            =v 
            =s 
            s 
            =a 
            a 
            =&v 
            =&s 
        "#]],
    );
    check_completion(
        &asm("=v,v,~{m$0}"),
        8,
        expect![[r#"
        ~{m0} 
        ~{memory} 
    "#]],
    );
    let host = format!("target triple = \"x86_64-linux-gnu\"\n{}", asm("=$0"));
    check_completion(
        &host,
        8,
        expect![[r#"
        =r 
        =&r 
    "#]],
    );
}
