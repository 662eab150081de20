//! Answers for LLVM IR, as an editor would ask for them.

use expect_test::{Expect, expect};

use crate::Dialect;
use crate::ide::tests::{at_cursor, edited, places};
use crate::ide::{self, CompletionKind};

const MODULE: &str = r#"target datalayout = "e-i64:64"
%pair = type { i32, ptr }
@limit = constant i32 10, align 4
@.str = private constant [3 x i8] c"hi\00"

; Adds.
define i32 @sum(i32 noundef %a, i32 %b) #0 {
entry:
  %less = icmp slt i32 %a, %b
  br i1 %less, label %then, label %done

then:                                             ; preds = %entry
  %0 = add nsw i32 %a, %b
  %1 = call i32 @get(ptr @limit, i32 %0)
  br label %done

done:
  %r = phi i32 [ 0, %entry ], [ %1, %then ]
  ret i32 %r
}

declare i32 @get(ptr, i32) #1

attributes #0 = { nounwind "target-cpu"="x86-64" }
attributes #1 = { nofree }
!llvm.ident = !{!0}
!0 = !{!"wavelens"}
"#;

/// The module with the cursor before the first occurrence of `mark`, moved right by `skip`.
fn cursor(mark: &str, skip: usize) -> String {
    let at = MODULE.find(mark).expect("the mark is there") + skip;
    format!("{}$0{}", &MODULE[..at], &MODULE[at..])
}

fn check_hover(fixture: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let text = ide::hover(view, at).map_or_else(|| "nothing".to_owned(), |h| h.markdown);
        expected.assert_eq(&(text + "\n"));
    });
}

fn check_references(fixture: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        expected.assert_eq(&places(view, ide::references(view, at, true)));
    });
}

fn check_rename(fixture: &str, name: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let text = match ide::rename(view, at, name) {
            Ok(edits) => edited(view, edits),
            Err(error) => format!("error: {error}\n"),
        };
        expected.assert_eq(&text);
    });
}

/// The first suggestions, with their details.
fn check_completion(fixture: &str, count: usize, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let completions = ide::complete(view, at);
        let shown: String =
            completions.items.iter().take(count).map(|c| format!("{} {}\n", c.label, c.detail)).collect();
        expected.assert_eq(&shown);
    });
}

#[test]
fn hover_of_an_argument() {
    check_hover(
        &cursor("%a, %b\n  br", 1),
        expect![[r#"
        ```llvm
        i32 noundef %a
        ```
        Parameter 1 of `@sum`. 2 uses.
    "#]],
    );
}

#[test]
fn hover_of_a_result() {
    check_hover(
        &cursor("%less, label", 2),
        expect![[r#"
        ```llvm
        %less = icmp slt i32 %a, %b
        ```
        `i1`. One use. In block `%entry`.
    "#]],
    );
}

#[test]
fn hover_of_a_block() {
    check_hover(
        &cursor("label %done\n\nthen", 8),
        expect![[r#"
        ```llvm
        label %done
        ```
        2 instructions.

        - Comes from: `%entry`, `%then`
        - Goes to: none
    "#]],
    );
}

#[test]
fn hover_of_functions() {
    check_hover(
        &cursor("@get(ptr @limit", 2),
        expect![[r#"
        ```llvm
        declare i32 @get(ptr, i32) #1
        ```

        Attributes: `nofree`

        At line 22.
    "#]],
    );
    check_hover(
        &cursor("@sum", 2),
        expect![[r#"
        ```llvm
        define i32 @sum(i32 noundef %a, i32 %b) #0
        ```

        Attributes: `nounwind` `"target-cpu"="x86-64"`

        3 blocks, 7 instructions.
    "#]],
    );
}

#[test]
fn hover_of_a_global() {
    check_hover(
        &cursor("@limit, i32", 2),
        expect![[r#"
        ```llvm
        @limit = constant i32 10, align 4
        ```

        Constant of type `i32`; `@limit` is a pointer to it.

        At line 3.
    "#]],
    );
}

#[test]
fn hover_of_words() {
    check_hover(
        &cursor("icmp", 1),
        expect![[r#"
        ```llvm
        <result> = icmp [samesign] <predicate> <ty> <op1>, <op2>
        ```
        Compares integers or pointers (or vectors of them); the result is `i1` or a vector of it. Predicates: `eq ne`, unsigned `ugt uge ult ule`, signed `sgt sge slt sle`.

        [Language reference](https://llvm.org/docs/LangRef.html#icmp-instruction)
    "#]],
    );
    check_hover(
        &cursor("nsw", 1),
        expect![[r#"
        No signed wrap: overflow as signed numbers is poison.

        [Language reference](https://llvm.org/docs/LangRef.html#add-instruction)
    "#]],
    );
    check_hover(
        &cursor("noundef", 1),
        expect![[r#"
        The value holds no `undef` or `poison` bits: such a value is undefined behaviour at once.

        [Language reference](https://llvm.org/docs/LangRef.html#parameter-attributes)
    "#]],
    );
    check_hover(
        &cursor("private", 1),
        expect![[r#"
        Visible in this module only, and not even in the object's symbol table.

        [Language reference](https://llvm.org/docs/LangRef.html#linkage-types)
    "#]],
    );
    check_hover(
        &cursor("e-i64", 1),
        expect![[r#"
        - `e`: little-endian
        - `i64:64`: `i64` is aligned to 64 bits

    "#]],
    );
}

#[test]
fn hover_of_groups_and_metadata() {
    check_hover(
        &cursor("#0 {", 1),
        expect![[r#"
        Attribute group `#0`

        - `nounwind`: Never throws. Unwinding out of it is undefined behaviour.
        - `"target-cpu"="x86-64"`: The processor to compile for.
    "#]],
    );
    check_hover(
        &cursor("!0}", 1),
        expect![[r#"
        ```llvm
        !0 = !{!"wavelens"}
        ```
    "#]],
    );
    check_hover(
        &cursor("\"target-cpu\"", 3),
        expect![[r#"
        The processor to compile for.

        [Language reference](https://llvm.org/docs/LangRef.html#function-attributes)
    "#]],
    );
}

#[test]
fn hover_of_literals() {
    let function = |body: &str| format!("define void @f() {{\n  {body}\n  ret void\n}}\n");
    check_hover(
        &function("%x = fadd float 0x$03FB99999A0000000, 1.0"),
        expect![[r#"
        `0.1`
    "#]],
    );
    check_hover(
        &function("%x = add i8 2$055, 0"),
        expect![[r#"
        hexadecimal `0xFF`, signed `-1`
    "#]],
    );
}

#[test]
fn hover_of_a_location() {
    check_hover(
        r#"define void @f() {
  ret void, !dbg $0!7
}
!1 = !DIFile(filename: "src/a.c", directory: "/")
!2 = distinct !DISubprogram(name: "outer", file: !1, line: 1)
!3 = distinct !DISubprogram(name: "inner", file: !1, line: 9)
!6 = !DILocation(line: 3, column: 4, scope: !2)
!7 = !DILocation(line: 10, column: 2, scope: !3, inlinedAt: !6)
"#,
        expect![[r#"
            ```llvm
            !7 = !DILocation(line: 10, column: 2, scope: !3, inlinedAt: !6)
            ```
            At a.c:10:2 in `inner`, inlined at a.c:3:4 in `outer`
        "#]],
    );
}

#[test]
fn hover_of_an_undeclared_intrinsic() {
    check_hover(
        "define void @f(ptr %p) {\n  call void @llvm.mem$0set.p0.i64(ptr %p, i8 0, i64 8, i1 false)\n  ret void\n}\n",
        expect![[r#"
            Intrinsic `llvm.memset`: `void(ptr*@0,i8,int@1,i1)`; writes memory. Must be constant: argument 4. [Intrinsics](https://llvm.org/docs/LangRef.html#intrinsic-functions)

            Not declared in this module.
        "#]],
    );
}

#[test]
fn references_of_names() {
    check_references(
        &cursor("%a, i32 %b", 1),
        expect![[r#"
        7:29 %a
        9:24 %a
        13:20 %a
    "#]],
    );
    check_references(
        &cursor("@limit", 1),
        expect![[r#"
        3:1 @limit
        14:26 @limit
    "#]],
    );
    check_references(
        &cursor("done:", 1),
        expect![[r#"
        10:35 %done
        15:12 %done
        17:1 done
    "#]],
    );
    check_references(
        &cursor("#1", 1),
        expect![[r#"
        22:28 #1
        25:12 #1
    "#]],
    );
    check_references(
        &cursor("!0 =", 1),
        expect![[r#"
        26:17 !0
        27:1 !0
    "#]],
    );
}

#[test]
fn definitions_of_what_is_not_written() {
    let fixture = "define i32 @f(i32) {\n  %2 = add i32 %0$0, 1\n  ret i32 %2\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let targets = ide::definition(view, at).into_iter().map(|t| t.range);
        expect![[r#"
            1:15 
        "#]]
        .assert_eq(&places(view, targets));
    });
}

#[test]
fn rename_of_names() {
    let fixture =
        "define i32 @f(i32 %a) {\nx:\n  %b = add i32 %a$0, %a\n  br label %y\ny:\n  ret i32 %b\n}\n";
    check_rename(
        fixture,
        "my value",
        expect![[r#"
        define i32 @f(i32 %"my value") {
        x:
          %b = add i32 %"my value", %"my value"
          br label %y
        y:
          ret i32 %b
        }
    "#]],
    );
    check_rename(
        fixture,
        "b",
        expect![[r#"
        error: the name `b` is already in use
    "#]],
    );
    check_rename(
        fixture,
        "7",
        expect![[r#"
        error: the number 7 would have to fit the numbering here: choose a name
    "#]],
    );
    check_rename(
        &fixture.replace("$0", "").replace("%y", "%y$0"),
        "%end",
        expect![[r#"
        define i32 @f(i32 %a) {
        x:
          %b = add i32 %a, %a
          br label %end
        end:
          ret i32 %b
        }
    "#]],
    );
    check_rename(
        &fixture.replace("$0", "").replace("@f", "@f$0"),
        "g",
        expect![[r#"
        define i32 @g(i32 %a) {
        x:
          %b = add i32 %a, %a
          br label %y
        y:
          ret i32 %b
        }
    "#]],
    );
}

#[test]
fn rename_of_numbered_values_renumbers() {
    let fixture = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = mul i32 %2, %2\n  br label %4\n4:\n  ret i32 %3\n}\n";
    check_rename(
        &fixture.replace("%2, %2", "%2$0, %2"),
        "sum",
        expect![[r#"
        define i32 @f(i32 %0) {
          %sum = add i32 %0, 1
          %2 = mul i32 %sum, %sum
          br label %3
        3:
          ret i32 %2
        }
    "#]],
    );
    check_rename(
        &fixture.replace("%0, 1", "%0$0, 1"),
        "x",
        expect![[r#"
        define i32 @f(i32 %x) {
          %1 = add i32 %x, 1
          %2 = mul i32 %1, %1
          br label %3
        3:
          ret i32 %2
        }
    "#]],
    );
    check_rename(
        &fixture.replace("%4", "%4$0"),
        "end",
        expect![[r#"
        define i32 @f(i32 %0) {
          %2 = add i32 %0, 1
          %3 = mul i32 %2, %2
          br label %end
        end:
          ret i32 %3
        }
    "#]],
    );
}

#[test]
fn rename_writes_what_was_not_written() {
    let fixture = "define i32 @f(i32) {\n  br label %2\n2:\n  %3 = add i32 %0$0, 1\n  ret i32 %3\n}\n";
    check_rename(
        fixture,
        "x",
        expect![[r#"
        define i32 @f(i32 %x) {
          br label %1
        1:
          %2 = add i32 %x, 1
          ret i32 %2
        }
    "#]],
    );
}

#[test]
fn rename_writes_a_label() {
    let fixture = "define void @f() {\n  %1 = add i32 0, 0\n  br label %2\n2:\n  br label %0$0\n}\n";
    check_rename(
        fixture,
        "entry",
        expect![[r#"
        define void @f() {
        entry:
          %0 = add i32 0, 0
          br label %1
        1:
          br label %entry
        }
    "#]],
    );
}

#[test]
fn outline_of_a_module() {
    at_cursor(Dialect::Llvm, MODULE, |view, _| {
        fn show(symbols: &[ide::Symbol], depth: usize, out: &mut String) {
            for s in symbols {
                out.push_str(&format!("{}{:?} {} {}\n", "  ".repeat(depth), s.kind, s.name, s.detail));
                show(&s.children, depth + 1, out);
            }
        }
        let mut out = String::new();
        show(&ide::outline(view), 0, &mut out);
        expect![[r#"
            Group types 
              Type %pair { i32, ptr }
            Constant @limit i32
            Group strings and private constants 
              Constant @.str [3 x i8]
            Function @sum i32 (i32, i32)
              Label %entry 
              Label %then 
              Label %done 
            Group declarations 
              Declaration @get i32 (ptr, i32)
            Group attributes 
              Other #0 
              Other #1 
            Group metadata 
              Other !llvm.ident 
        "#]]
        .assert_eq(&out);
    });
}

#[test]
fn completion_of_values() {
    let body = |line: &str| {
        format!(
            "define i32 @f(i32 %a, ptr %p) {{\nentry:\n  %b = add i32 %a, 1\n  {line}\n  br label %done\ndone:\n  ret i32 0\n}}\n"
        )
    };
    check_completion(
        &body("%c = mul i32 %$0"),
        4,
        expect![[r#"
            %a i32
            %b i32
            %p ptr
        "#]],
    );
    check_completion(
        &body("%c = mul i32 %a, %$0"),
        4,
        expect![[r#"
            %a i32
            %b i32
            %p ptr
        "#]],
    );
    check_completion(
        &body("store i32 %a, ptr %$0"),
        4,
        expect![[r#"
        %p ptr
        %a i32
        %b i32
    "#]],
    );
    check_completion(
        &body("br label %$0"),
        4,
        expect![[r#"
        %done 
        %entry 
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
            nobuiltin 
            nocallback 
            nocf_check 
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
        @f void ()
        @puts i32 (ptr)
        @x i32
    "#]],
    );
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let puts = ide::complete(view, at).items.into_iter().find(|c| c.label == "@puts");
        let puts = puts.map(|c| (c.kind, c.insert));
        assert_eq!(puts, Some((CompletionKind::Function, "@puts(ptr ${1:%0})".to_owned())));
    });
    check_completion(
        "define void @f() {\n  call void @llvm.memse$0\n}\n",
        3,
        expect![[r#"
        @llvm.memset void(ptr*@0,i8,int@1,i1)
        @llvm.memset.element.unordered.atomic void(ptr*@0,i8,int@1,i32)
        @llvm.memset.inline void(ptr*@0,i8,int@1,i1)
    "#]],
    );
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
        let signature = ide::signature(view, at).expect("in a call");
        let active = signature.active.and_then(|a| signature.parameters.get(a)).cloned();
        expect![[r#"
            i32 @get(ptr captures(none), i32) / i32
        "#]]
        .assert_eq(&format!("{} / {}\n", signature.label, active.map_or("", |r| &signature.label[r])));
    });
}

#[test]
fn hints_in_a_module() {
    let fixture = "define double @f(double) {\n  %2 = fadd double %0, 0x400921FB54442D18\n  call double @g(double %2)\n  ret double %2\n}\ndefine double @g(double %angle) {\n  ret double %angle\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, _| {
        let end = view.start(view.chunks().len());
        let mut text = view.whole_text();
        for hint in ide::hints(view, crate::TextRange::up_to(end)).into_iter().rev() {
            text.insert_str(usize::from(hint.offset), &format!("«{}»", hint.label));
        }
        expect![[r#"
            define double @f(double«%0») {
              %2 = fadd double %0, 0x400921FB54442D18«= 3.141592653589793»
              «%3 =»call double @g(double «angle:»%2)
              ret double %2
            }
            define double @g(double %angle) {
              ret double %angle
            }
        "#]]
        .assert_eq(&text);
    });
}

#[test]
fn actions_at_a_place() {
    let check = |fixture: &str, expected: Expect| {
        at_cursor(Dialect::Llvm, fixture, |view, at| {
            let mut out = String::new();
            for action in ide::actions(view, crate::TextRange::empty(at)) {
                if action.finding.is_none() {
                    out.push_str(&format!("{}:\n{}", action.title, edited(view, action.edits)));
                }
            }
            expected.assert_eq(&out);
        });
    };
    check(
        "define i1 @f(i32 %a) {\n  %c = icmp $0ult i32 %a, 5\n  ret i1 %c\n}\n",
        expect![[r#"
        Swap the operands:
        define i1 @f(i32 %a) {
          %c = icmp ugt i32 5, %a
          ret i1 %c
        }
    "#]],
    );
    check(
        "define void @f(i32 %a) {\n  call$0 void @g(i32 %a, ptr null)\n  ret void\n}\n",
        expect![[r#"
        Declare `@g`:
        declare void @g(i32, ptr)

        define void @f(i32 %a) {
          call void @g(i32 %a, ptr null)
          ret void
        }
    "#]],
    );
}

#[test]
fn flow_of_a_function() {
    at_cursor(Dialect::Llvm, &cursor("icmp", 0), |view, at| {
        let flow = ide::flow(view, at).expect("in a function");
        expect![[r#"
            digraph "@sum" {
              node [shape=box];
              n0 [label="%entry (2)"];
              n1 [label="%then (3)"];
              n2 [label="%done (2)"];
              n0 -> n1 [label="true"];
              n0 -> n2 [label="false"];
              n1 -> n2;
            }
        "#]]
        .assert_eq(&flow.dot());
    });
}

#[test]
fn calls_between_functions() {
    at_cursor(Dialect::Llvm, &cursor("@get(ptr @limit", 2), |view, at| {
        let items = ide::call_items(view, at);
        assert_eq!(items.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["@get"]);
        let callers = ide::incoming_calls(view, at);
        assert_eq!(callers.iter().map(|c| c.other.name.as_str()).collect::<Vec<_>>(), ["@sum"]);
    });
    at_cursor(Dialect::Llvm, &cursor("@sum", 2), |view, at| {
        let callees = ide::outgoing_calls(view, at);
        assert_eq!(callees.iter().map(|c| c.other.name.as_str()).collect::<Vec<_>>(), ["@get"]);
    });
}

#[test]
fn tokens_of_a_function() {
    let fixture = "define i32 @f(i32 %a) nounwind {\n  %b = add nsw i32 %a, 1 ; one\n  ret i32 %b\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, _| {
        let text = view.whole_text();
        let end = view.start(view.chunks().len());
        let shown: Vec<String> = ide::tokens(view, crate::TextRange::up_to(end))
            .iter()
            .map(|t| format!("{:?}:{}", t.kind, &text[std::ops::Range::<usize>::from(t.range)]))
            .collect();
        expect![[r#"
            Keyword:define Type:i32 Function:@f Type:i32 Parameter:%a Attribute:nounwind Local:%b Opcode:add Modifier:nsw Type:i32 Parameter:%a Number:1 Comment:; one Opcode:ret Type:i32 Local:%b
        "#]].assert_eq(&(shown.join(" ") + "\n"));
    });
}

#[test]
fn folds_of_a_module() {
    at_cursor(Dialect::Llvm, MODULE, |view, _| {
        let text = view.whole_text();
        let line = |at: crate::TextSize| text[..usize::from(at)].matches('\n').count() + 1;
        let shown: Vec<String> = ide::folds(view)
            .iter()
            .map(|f| format!("{}-{}", line(f.range.start()), line(f.range.end())))
            .collect();
        expect![[r#"
            7-20 8-10 12-15 17-19
        "#]]
        .assert_eq(&(shown.join(" ") + "\n"));
    });
}

#[test]
fn selection_grows() {
    at_cursor(Dialect::Llvm, &cursor("%a, %b\n  br", 1), |view, at| {
        let ranges = ide::selection_ranges(view, at);
        assert!(ranges.windows(2).all(|w| w[1].contains_range(w[0])), "{ranges:?}");
        expect![[r#"
            9:24 %a
            9:3 %less = icmp slt i32 %a, %b
            8:1 entry:
              %less = icmp slt i32 %a, %b
              br i1 %less, label %then, label %done
        "#]]
        .assert_eq(&places(view, ranges.into_iter().take(3)));
    });
}
