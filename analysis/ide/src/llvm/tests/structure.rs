//! Outline, hints, actions, control flow, calls, tokens, folds, selection.

use expect_test::expect;

use super::*;

#[test]
fn outline_of_a_module() {
    at_cursor(Dialect::Llvm, MODULE, |view, _| {
        fn show(symbols: &[features::Symbol], depth: usize, out: &mut String) {
            for s in symbols {
                out.push_str(&format!("{}{:?} {} {}\n", "  ".repeat(depth), s.kind, s.name, s.detail));
                show(&s.children, depth + 1, out);
            }
        }
        let mut out = String::new();
        show(&features::outline(view), 0, &mut out);
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
fn hints_in_a_module() {
    let fixture = "define double @f(double) {\n  %2 = fadd double %0, 0x400921FB54442D18\n  call double @g(double %2)\n  ret double %2\n}\ndefine double @g(double %angle) {\n  ret double %angle\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, _| {
        let end = view.start(view.chunks().len());
        let mut text = view.whole_text();
        for hint in features::hints(view, wavelens_base::TextRange::up_to(end)).into_iter().rev() {
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
            for action in features::actions(view, wavelens_base::TextRange::empty(at)) {
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

/// What the actions make of the instructions between `«` and `»`; the checker must find nothing in it.
fn extracted(marked: &str) -> String {
    let mut out = String::new();
    for (title, made) in extractions(marked) {
        let wrong = wavelens_check::check_text(Dialect::Llvm, &made, &Default::default());
        let wrong: Vec<&str> = wrong.iter().map(|f| &*f.message).collect();
        assert!(wrong.is_empty(), "{wrong:?} in\n{made}");
        out.push_str(&format!("{title}:\n{made}"));
    }
    out
}

/// The titles, with what the text becomes.
fn extractions(marked: &str) -> Vec<(String, String)> {
    let (start, end) = (marked.find('«').expect("a start"), marked.find('»').expect("an end"));
    let end = end - '«'.len_utf8();
    let text = marked.replace(['«', '»'], "");
    let mut made = Vec::new();
    at_cursor(Dialect::Llvm, &format!("{text}$0"), |view, _| {
        let range = wavelens_base::TextRange::new((start as u32).into(), (end as u32).into());
        let actions = features::actions(view, range).into_iter().filter(|a| a.title.starts_with("Extract"));
        made.extend(actions.map(|a| (a.title.clone(), edited(view, a.edits))));
    });
    made
}

#[test]
fn instructions_become_a_function_or_a_block() {
    let text = "define i32 @f(i32 %a, i1 %c) \"target-cpu\"=\"gfx942\" {\nentry:\n  br i1 %c, label %then, label %done\nthen:\n«  %b = add i32 %a, 1\n  %d = mul i32 %b, %a\n»  %e = sub i32 %d, %a\n  br label %done\ndone:\n  %r = phi i32 [ 0, %entry ], [ %e, %then ]\n  ret i32 %r\n}\n";
    expect![[r#"
        Extract into a function `@f.extracted`:
        define internal i32 @f.extracted(i32 %a) "target-cpu"="gfx942" {
        entry:
          %b = add i32 %a, 1
          %d = mul i32 %b, %a
          ret i32 %d
        }

        define i32 @f(i32 %a, i1 %c) "target-cpu"="gfx942" {
        entry:
          br i1 %c, label %then, label %done
        then:
          %d = call i32 @f.extracted(i32 %a)
          %e = sub i32 %d, %a
          br label %done
        done:
          %r = phi i32 [ 0, %entry ], [ %e, %then ]
          ret i32 %r
        }
        Extract into a block:
        define i32 @f(i32 %a, i1 %c) "target-cpu"="gfx942" {
        entry:
          br i1 %c, label %then, label %done
        then:
          %b = add i32 %a, 1
          %d = mul i32 %b, %a
          br label %rest

        rest:
          %e = sub i32 %d, %a
          br label %done
        done:
          %r = phi i32 [ 0, %entry ], [ %e, %rest ]
          ret i32 %r
        }
    "#]]
    .assert_eq(&extracted(text));
    // Several results, numbers, and a block that begins and ends with the selection.
    let text = "define i32 @f(i32 %0, ptr %p) {\n  «%2 = add i32 %0, 1\n  %3 = mul i32 %2, 2\n»  store i32 %2, ptr %p\n  ret i32 %3\n}\n";
    expect![[r#"
        Extract into a function `@f.extracted`:
        define internal { i32, i32 } @f.extracted(i32 %0) {
        entry:
          %2 = add i32 %0, 1
          %3 = mul i32 %2, 2
          %result.0 = insertvalue { i32, i32 } poison, i32 %2, 0
          %result.1 = insertvalue { i32, i32 } %result.0, i32 %3, 1
          ret { i32, i32 } %result.1
        }

        define i32 @f(i32 %0, ptr %p) {
          %extracted = call { i32, i32 } @f.extracted(i32 %0)
          %2 = extractvalue { i32, i32 } %extracted, 0
          %3 = extractvalue { i32, i32 } %extracted, 1
          store i32 %2, ptr %p
          ret i32 %3
        }
        Extract into a block:
        define i32 @f(i32 %0, ptr %p) {
          %2 = add i32 %0, 1
          %3 = mul i32 %2, 2
          br label %rest

        rest:
          store i32 %2, ptr %p
          ret i32 %3
        }
    "#]]
    .assert_eq(&extracted(text));
    let text = "define void @f(ptr %p) {\n  store i32 0, ptr %p\n  «store i32 1, ptr %p\n  ret void»\n}\n";
    expect![[r#"
        Extract into a block:
        define void @f(ptr %p) {
          store i32 0, ptr %p
          br label %extracted

        extracted:
          store i32 1, ptr %p
          ret void
        }
    "#]]
    .assert_eq(&extracted(text));
}

#[test]
fn what_cannot_move_is_not_extracted() {
    for inst in [
        "%x = alloca i32",
        "ret void",
        "%x = va_arg ptr %p, i32",
        "musttail call void @f(ptr %p)\n  ret void",
    ] {
        let text = format!("define void @f(ptr %p) {{\n  «{inst}»\n  ret void\n}}\n");
        let made = extractions(&text);
        assert!(made.iter().all(|(title, _)| !title.contains("function")), "{inst}: {made:?}");
    }
    assert_eq!(
        extractions("define void @f() {\n  br label %a\na:\n  «br label %b\nb:\n  ret void»\n}\n"),
        []
    );
}

#[test]
fn flow_of_a_function() {
    at_cursor(Dialect::Llvm, &cursor("icmp", 0), |view, at| {
        let flow = features::flow(view, at).expect("in a function");
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
        let items = features::call_items(view, at);
        assert_eq!(items.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["@get"]);
        let callers = features::incoming_calls(view, at);
        assert_eq!(callers.iter().map(|c| c.other.name.as_str()).collect::<Vec<_>>(), ["@sum"]);
    });
    at_cursor(Dialect::Llvm, &cursor("@sum", 2), |view, at| {
        let callees = features::outgoing_calls(view, at);
        assert_eq!(callees.iter().map(|c| c.other.name.as_str()).collect::<Vec<_>>(), ["@get"]);
    });
}

#[test]
fn tokens_of_a_function() {
    let fixture = "define i32 @f(i32 %a) nounwind {\n  %b = add nsw i32 %a, 1 ; one\n  ret i32 %b\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, _| {
        let text = view.whole_text();
        let end = view.start(view.chunks().len());
        let shown: Vec<String> = features::tokens(view, wavelens_base::TextRange::up_to(end))
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
        let line = |at: wavelens_base::TextSize| text[..usize::from(at)].matches('\n').count() + 1;
        let shown: Vec<String> = features::folds(view)
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
        let ranges = features::selection_ranges(view, at);
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

/// What the text is after the action of a title.
fn after(fixture: &str, title: &str) -> String {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let actions = features::actions(view, wavelens_base::TextRange::empty(at));
        let titles: Vec<_> = actions.iter().map(|a| a.title.clone()).collect();
        match actions.into_iter().find(|a| a.title.starts_with(title)) {
            Some(action) => edited(view, action.edits),
            None => format!("no such action in {titles:?}\n"),
        }
    })
}

#[test]
fn all_fixes_of_a_code_at_once() {
    let text = "declare void @f(i3$02*, i8 addrspace(1)*)\ndefine void @g(i32* %p) {\n  store i32 1, i32* %p\n  ret void\n}\n";
    expect![[r#"
        declare void @f(ptr, ptr addrspace(1))
        define void @g(ptr %p) {
          store i32 1, ptr %p
          ret void
        }
    "#]]
    .assert_eq(&after(text, "Fix all"));
}

#[test]
fn what_is_only_likely_is_mended_one_by_one() {
    let text = "define void @f() {\n  call void @prin$0t()\n  call void @printt()\n  ret void\n}\ndeclare void @prints()\n";
    expect![[r#"
        define void @f() {
          call void @prints()
          call void @printt()
          ret void
        }
        declare void @prints()
    "#]]
    .assert_eq(&after(text, "Replace with"));
    expect![[r#"
        no such action in ["Replace with `@prints`", "Declare `@print`"]
    "#]]
    .assert_eq(&after(text, "Fix all"));
}

#[test]
fn unnamed_values_are_renumbered() {
    let text = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %2 = mul i32 %2, 3\n  $0br label %3\n\n3:\n  %4 = sub i32 %2, 1\n  %5 = add i32 %4, %2\n  br label %7\n7:\n  ret i32 %5\n}\n";
    expect![[r#"
        define i32 @f(i32 %0) {
          %2 = add i32 %0, 1
          %3 = mul i32 %2, 3
          br label %4

        4:
          %5 = sub i32 %3, 1
          %6 = add i32 %5, %3
          br label %7
        7:
          ret i32 %6
        }
    "#]]
    .assert_eq(&after(text, "Renumber the"));
}
