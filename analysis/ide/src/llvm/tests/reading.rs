//! Reading mode: names of the source, addresses, attachments, blocks, layouts.

use expect_test::expect;
use wavelens_base::{TextRange, TextSize};

use super::*;

/// The lines of a module that have hints, with the hints in them.
fn check_hints(text: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, text, |view, _| {
        let mut shown = String::new();
        let mut hints = features::hints(view, TextRange::up_to(TextSize::of(text))).into_iter().peekable();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let (mut written, mut at) = (String::new(), 0);
            while let Some(hint) = hints.next_if(|h| usize::from(h.offset) <= start + line.trim_end().len()) {
                let offset = usize::from(hint.offset) - start;
                written.push_str(&format!("{}«{}»", &line[at..offset], hint.label));
                at = offset;
            }
            if at > 0 || !written.is_empty() {
                shown.push_str(format!("{written}{}", line[at..].trim_end()).trim_start());
                shown.push('\n');
            }
            start += line.len();
        }
        expected.assert_eq(&shown);
    });
}

#[test]
fn addresses_name_fields() {
    check_hints(
        r#"target datalayout = "e-i64:64"
%node = type { i32, ptr, [4 x i32], { i8, i64 } }
@table = global [8 x %node] zeroinitializer
define void @f(ptr %p, i64 %i, ptr byval(%node) %copy) {
  %own = alloca %node
  %1 = getelementptr %node, ptr %p, i64 0, i32 2
  %2 = getelementptr inbounds %node, ptr %p, i64 1, i32 2, i64 %i
  %3 = getelementptr %node, ptr %p, i64 %i, i32 3, i32 1
  %4 = getelementptr i8, ptr %own, i64 20
  %5 = getelementptr i8, ptr %copy, i64 8
  %6 = getelementptr i8, ptr @table, i64 48
  %7 = getelementptr i8, ptr %own, i64 4
  %8 = getelementptr i32, ptr %p, i64 3
  %9 = getelementptr i32, ptr %p, i64 %i
  %10 = getelementptr i8, ptr %p, i64 3
  %11 = getelementptr %node, <2 x ptr> undef, i64 1
  ret void
}
"#,
        expect![[r#"
            %1 = getelementptr %node, ptr %p, i64 0, i32 2«= +16 B: field 2 of %node»
            %2 = getelementptr inbounds %node, ptr %p, i64 1, i32 2, i64 %i«= +64 + 4*%i B: field 2 of %node, [%i]»
            %3 = getelementptr %node, ptr %p, i64 %i, i32 3, i32 1«= +40 + 48*%i B: field 3 of %node, field 1»
            %4 = getelementptr i8, ptr %own, i64 20«= +20 B: field 2 of %node, [1]»
            %5 = getelementptr i8, ptr %copy, i64 8«= +8 B: field 1 of %node»
            %6 = getelementptr i8, ptr @table, i64 48«= +48 B: [1], field 0 of %node»
            %7 = getelementptr i8, ptr %own, i64 4«= +4 B: padding»
            %8 = getelementptr i32, ptr %p, i64 3«= +12 B»
            %9 = getelementptr i32, ptr %p, i64 %i«= +4*%i B»
            %11 = getelementptr %node, <2 x ptr> undef, i64 1«= +48 B»
        "#]],
    );
}

#[test]
fn constant_expressions_have_values() {
    check_hints(
        r#"%pair = type { i32, i64 }
@g = global %pair zeroinitializer
@a = global ptr getelementptr (%pair, ptr @g, i64 1, i32 1)
@b = global i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @g, i64 12) to i64), i64 ptrtoint (ptr @g to i64))
@c = global i64 ptrtoint (ptr getelementptr (%pair, ptr null, i64 1) to i64)
define ptr @f() {
  ret ptr getelementptr inbounds (i8, ptr @g, i64 8)
}
"#,
        expect![[r#"
            @a = global ptr getelementptr (%pair, ptr @g, i64 1, i32 1)«= @g + 16»
            @b = global i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @g, i64 12) to i64), i64 ptrtoint (ptr @g to i64))«= 12»
            @c = global i64 ptrtoint (ptr getelementptr (%pair, ptr null, i64 1) to i64)«= 12»
            ret ptr getelementptr inbounds (i8, ptr @g, i64 8)«= @g + 8»
        "#]],
    );
}

#[test]
fn attachments_are_put_in_words() {
    check_hints(
        r#"define i32 @f(ptr %p, i1 %c) !prof !0 {
  br i1 %c, label %a, label %b, !prof !1
a:
  %1 = load i32, ptr %p, !range !2, !tbaa !3
  br label %b, !llvm.loop !8
b:
  ret i32 0
}
!0 = !{!"function_entry_count", i64 120}
!1 = !{!"branch_weights", !"expected", i32 2000, i32 1}
!2 = !{i32 -1, i32 10}
!3 = !{!4, !5, i64 8}
!4 = !{!"node", !5, i64 0, !5, i64 8}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.unroll.count", i32 4}
!10 = !{!"llvm.loop.vectorize.enable", i1 false}
"#,
        expect![[r#"
            define i32 @f(ptr %p, i1 %c) !prof !0«entered 120 times» {
            br i1 %c, label %a, label %b, !prof !1«>99.9 % / <0.1 %»
            a:«← %0»
            %1 = load i32, ptr %p, !range !2«[-1, 10)», !tbaa !3«int at 8 in node»
            br label %b, !llvm.loop !8«unroll by 4, vectorize: off»
            b:«← %0, %a»
        "#]],
    );
}

#[test]
fn labels_show_predecessors_and_loops() {
    check_hints(
        "define void @_ZN3foo3runEi(i1 %c) {\nentry:\n  br label %head\nhead:\n  br label %body\nbody:             \
         ; preds = %head\n  call void @_ZN3foo3runEi(i1 %c)\n  br i1 %c, label %head, label %exit\nexit:\n  ret void\n\
         dead:\n  ret void\n}\n",
        expect![[r#"
            define void @_ZN3foo3runEi«foo::run»(i1 %c) {
            head:«← %entry, %body»«loop header, depth 1»
            body:«loop depth 1»             ; preds = %head
            call void @_ZN3foo3runEi«foo::run»(i1 %c)
            exit:«← %body»
            dead:«no predecessors»
        "#]],
    );
}

#[test]
fn structs_show_their_padding() {
    check_hover(
        "%t = type { i8, i64, { i16, i8 }, i8 }\ndefine void @f(ptr %p) {\n  %x = load $0%t, ptr %p\n  ret void\n}\n",
        expect![[r#"
            ```llvm
            %t = type { i8, i64, { i16, i8 }, i8 }
            ```
            20 bytes, aligned to 4, 6 bytes of padding.

            | field | offset | size | type |
            |--:|--:|--:|:--|
            | 0 | 0 | 1 | `i8` |
            |  | 1 | 3 | *padding* |
            | 1 | 4 | 8 | `i64` |
            | 2 | 12 | 4 | `{ i16, i8 }` |
            | 3 | 16 | 1 | `i8` |
            |  | 17 | 3 | *padding* |

        "#]],
    );
}

#[test]
fn hover_shows_the_name_of_the_source_and_addresses() {
    check_hover(
        "declare void @_ZN3foo3ru$0nEi(i32)\n",
        expect![[r#"
        ```llvm
        declare void @_ZN3foo3runEi(i32)
        ```

        `foo::run(int)`
    "#]],
    );
    check_hover(
        "%t = type { i8, i64 }\ndefine ptr @f(ptr %p) {\n  %x = getelementptr %t, ptr %p, i64 0, i32 1\n  ret ptr %$0x\n}\n",
        expect![[r#"
            ```llvm
            %x = getelementptr %t, ptr %p, i64 0, i32 1
            ```
            `ptr`. One use. In block `%0`.

            Address: `+4 B: field 1 of %t`.
        "#]],
    );
}

#[test]
fn hover_shows_what_an_attachment_says() {
    check_hover(
        "define void @f(i1 %c) {\n  br i1 %c, label %a, label %b, !pr$0of !0\na:\n  ret void\nb:\n  ret void\n}\n!0 = !{!\"branch_weights\", i32 3, i32 1}\n",
        expect![[r#"
            `!prof`: Profile: how often branches are taken or a function is called. [Language reference](https://llvm.org/docs/LangRef.html#prof-metadata)

            Here: 75 % / 25 %
        "#]],
    );
}

#[test]
fn symbols_are_found_by_their_names_in_the_source() {
    at_cursor(Dialect::Llvm, "define void @_ZN3foo3runEi(i32 %n) {\n  ret void\n}\n", |view, _| {
        let found = |query| features::workspace_symbols(view, query).len();
        assert_eq!((found("foo::run"), found("_ZN3foo"), found("foo::stop")), (1, 1, 0));
    });
}

#[test]
fn debug_information_folds_apart_from_other_metadata() {
    let text = "define void @f() {\n  #dbg_value(i32 0, !1, !DIExpression(), !2)\n  #dbg_value(i32 0, !1, \
                !DIExpression(), !2)\n  #dbg_value(i32 0, !1, !DIExpression(), !2)\n  ret void\n}\n!1 = !{}\n!2 = \
                !{}\n!3 = !{}\n!4 = !DIFile(filename: \"a\", directory: \"b\")\n!5 = distinct !DISubprogram(name: \
                \"f\")\n!6 = !DIFile(filename: \"a\", directory: \"b\")\n";
    at_cursor(Dialect::Llvm, text, |view, _| {
        let line = |at| text[..usize::from(at)].matches('\n').count() + 1;
        let folds = features::folds(view).into_iter();
        let shown =
            folds.map(|f| format!("{}-{} {:?}\n", line(f.range.start()), line(f.range.end()), f.kind));
        expect![[r#"
            1-6 Region
            2-4 DebugInfo
            2-5 Region
            7-9 Run('!')
            10-12 DebugInfo
        "#]]
        .assert_eq(&shown.collect::<String>());
    });
}

#[test]
fn few_hints_are_calm() {
    let text = r#"declare void @g(i32 %a, i32 %b, i32 %c)
declare void @h(i32 %a, i32)
@v = global [3 x float] [float 0x3FB99999A0000000, float 0x3FC99999A0000000, float 0x3FD3333340000000]
define void @f(i32, i32, float %x) {
  fadd float %x, 0x3FB99999A0000000
  fadd float %x, 0x3FB99999A0000000
  load i32, ptr getelementptr ([4 x i32], ptr null, i64 0, i64 2)
  load i32, ptr getelementptr ([4 x i32], ptr null, i64 0, i64 2)
  call void @g(i32 1, i32 2, i32 3)
  call void @h(i32 1, i32 2)
  call void @h(i32 1, i32 2)
  ret void
}
"#;
    at_cursor(Dialect::Llvm, text, |view, _| {
        let all = features::hints(view, TextRange::up_to(TextSize::of(text)));
        let line = |hint: &features::Hint| text[..usize::from(hint.offset)].matches('\n').count() + 1;
        let calm = all.iter().filter(|hint| !hint.is_minor);
        let calm: Vec<_> = calm.map(|hint| format!("{} {}\n", line(hint), hint.label)).collect();
        expect![[r#"
            4 %0
            5 %3 =
            5 = 0.1
            6 %4 =
            7 %5 =
            7 = 8
            8 %6 =
            10 a:
        "#]]
        .assert_eq(&calm.concat());
    });
}
