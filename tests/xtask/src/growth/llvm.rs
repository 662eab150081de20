//! LLVM IR.

use super::{Family, function, lines, nested};

pub(super) static FAMILIES: &[Family] = &[
    Family {
        name: "undefined values",
        text: |n| {
            function(
                "define void @f()",
                &lines(n, |i| format!("  call void @g(i32 %u{i})\n")),
                "  ret void\n",
            )
        },
    },
    Family {
        name: "undefined functions",
        text: |n| {
            lines(n, |i| format!("define void @f{i}() {{\n  call void @undefined_{i}()\n  ret void\n}}\n"))
        },
    },
    Family {
        name: "redefinitions of a function",
        text: |n| lines(n, |_| "define void @f() {\n  ret void\n}\n".to_owned()),
    },
    Family {
        name: "words of test lines in one comment",
        text: |n| format!("; {}\n", "aRUN: END. target triple ".repeat(n)),
    },
    Family {
        name: "words of CHECK lines in one comment",
        text: |n| format!("; RUN: llc %s | FileCheck %s\n; {}\n", "CHECKS: CHECK ".repeat(n)),
    },
    Family { name: "declarations", text: |n| lines(n, |i| format!("declare void @f{i}(i32, ptr, float)\n")) },
    Family {
        name: "GEPs into a wide struct",
        text: |n| {
            let fields = vec!["i32"; n.min(1 << 16)].join(", ");
            let count = n.min(1 << 16);
            let gep =
                |i: usize| format!("  %g{i} = getelementptr %S, ptr %p, i32 0, i32 {}\n", i * 7919 % count);
            format!("%S = type {{ {fields} }}\n")
                + &function("define void @f(ptr %p)", &lines(n, gep), "  ret void\n")
        },
    },
    Family {
        name: "struct types in struct types",
        text: |n| {
            let types = lines(n, |i| format!("%t{} = type {{ i32, %t{i}, ptr }}\n", i + 1));
            format!("%t0 = type {{ i32 }}\n{types}@g = global %t{n} zeroinitializer\n")
        },
    },
    Family {
        name: "struct types that hold the last twice",
        text: |n| {
            let types = lines(n, |i| format!("%t{} = type {{ %t{i}, %t{i} }}\n", i + 1));
            format!("%t0 = type {{ i32 }}\n{types}@g = external global %t{n}\n")
        },
    },
    Family {
        name: "TBAA chain",
        text: |n| {
            let node = |i: usize| format!("!{} = !{{!\"t{i}\", !{i}, i64 0}}\n", i + 1);
            let tag = |i: usize| format!("!{} = !{{!{}, !{}, i64 0}}\n", n + 1 + i, i + 1, i + 1);
            let load = |i: usize| format!("  %l{i} = load i32, ptr %p, !tbaa !{}\n", n + 1 + i);
            function("define void @f(ptr %p)", &lines(n, load), "  ret void\n")
                + "!0 = !{!\"root\"}\n"
                + &lines(n, node)
                + &lines(n, tag)
        },
    },
    Family {
        name: "chain of metadata nodes",
        text: |n| {
            lines(n, |i| format!("!{i} = !{{!{}}}\n", i + 1)) + &format!("!{n} = !{{}}\n!named = !{{!0}}\n")
        },
    },
    Family {
        name: "metadata node of many",
        text: |n| {
            let all: Vec<String> = (1..=n).map(|i| format!("!{i}")).collect();
            format!("!named = !{{!0}}\n!0 = !{{{}}}\n", all.join(", "))
                + &lines(n, |i| format!("!{} = !{{i32 {i}}}\n", i + 1))
        },
    },
    Family {
        name: "inlined locations",
        text: |n| {
            let location = |i: usize| {
                let at = if i == 0 { String::new() } else { format!(", inlinedAt: !{}", i + 3) };
                format!("!{} = distinct !DILocation(line: 1, scope: !2{at})\n", i + 4)
            };
            let add = |i: usize| format!("  %a{i} = add i32 1, 2, !dbg !{}\n", i + 4);
            function("define void @f() !dbg !2", &lines(n, add), "  ret void\n")
                + "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n\
                   !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n\
                   !1 = !DIFile(filename: \"a\", directory: \"b\")\n\
                   !2 = distinct !DISubprogram(name: \"f\", file: !1, unit: !0, spFlags: DISPFlagDefinition)\n\
                   !3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
                + &lines(n, location)
        },
    },
    Family { name: "stars", text: |n| format!("@g = external global i32{}\n", "*".repeat(n * 8)) },
    Family {
        name: "nested array types",
        text: |n| format!("@g = external global {}\n", nested(n, "[1 x ", "i8", "]")),
    },
    Family {
        name: "nested constants",
        text: |n| format!("@g = global i32 {}\n", nested(n, "add (i32 1, i32 ", "2", ")")),
    },
    Family {
        name: "wide initializer",
        text: |n| format!("@g = global [{n} x i32] [{}]\n", vec!["i32 1"; n].join(", ")),
    },
    Family { name: "digits of an integer", text: |n| format!("@g = global i64 {}\n", "7".repeat(n * 8)) },
    Family {
        name: "blocks in a row",
        text: |n| {
            let block = |i: usize| format!("b{i}:\n  br label %b{}\n", i + 1);
            function(
                "define void @f()",
                &("  br label %b0\n".to_owned() + &lines(n, block)),
                &format!("b{n}:\n  ret void\n"),
            )
        },
    },
    Family {
        name: "loops in loops",
        text: |n| {
            let head = |i: usize| format!("h{i}:\n  br i1 %c, label %h{}, label %x{i}\n", i + 1);
            let exit = |i: usize| {
                let i = n - i;
                let next = if i == 0 { "end".to_owned() } else { format!("x{}", i - 1) };
                format!("x{i}:\n  br i1 %c, label %h{i}, label %{next}\n")
            };
            let body = "  br label %h0\n".to_owned()
                + &lines(n, head)
                + &format!("h{n}:\n  br label %x{n}\n")
                + &lines(n + 1, exit);
            function("define void @f(i1 %c)", &body, "end:\n  ret void\n")
        },
    },
    Family {
        name: "irreducible ladder",
        text: |n| {
            let rung = |i: usize| {
                let up = i.saturating_sub(1);
                format!(
                    "a{i}:\n  br i1 %c, label %b{up}, label %a{}\nb{i}:\n  br i1 %c, label %a{up}, label %b{}\n",
                    i + 1,
                    i + 1
                )
            };
            let body = "  br i1 %c, label %a0, label %b0\n".to_owned() + &lines(n, rung);
            let end = format!("a{n}:\n  br label %b{n}\nb{n}:\n  ret void\n");
            function("define void @f(i1 %c)", &body, &end)
        },
    },
    Family {
        name: "cases of a switch",
        text: |n| {
            let cases = lines(n, |i| format!("    i32 {i}, label %e\n"));
            function(
                "define void @f(i32 %x)",
                &format!("  switch i32 %x, label %e [\n{cases}  ]\n"),
                "e:\n  ret void\n",
            )
        },
    },
    Family {
        name: "phis of many blocks",
        text: |n| {
            // The square root: each phi names each block.
            let side = (n as f64).sqrt() as usize + 1;
            let cases = lines(side, |i| format!("    i32 {i}, label %b{i}\n"));
            let blocks = lines(side, |i| format!("b{i}:\n  br label %e\n"));
            let all: Vec<String> = (0..side).map(|i| format!("[ {i}, %b{i} ]")).collect();
            let phis = lines(side, |i| format!("  %p{i} = phi i32 {}\n", all.join(", ")));
            let body =
                format!("  switch i32 %x, label %d [\n{cases}  ]\nd:\n  unreachable\n{blocks}e:\n{phis}");
            function("define void @f(i32 %x)", &body, "  ret void\n")
        },
    },
    Family {
        name: "attribute groups",
        text: |n| {
            lines(n, |i| format!("declare void @f{i}() #{i}\n"))
                + &lines(n, |i| format!("attributes #{i} = {{ nounwind \"k{i}\"=\"v\" }}\n"))
        },
    },
    Family {
        name: "attribute group that functions share",
        text: |n| {
            let strings = (0..n).map(|i| format!("\"k{i}\"=\"v\"")).collect::<Vec<_>>().join(" ");
            format!("attributes #0 = {{ {strings} }}\n") + &lines(n, |i| format!("declare void @f{i}() #0\n"))
        },
    },
    Family {
        name: "type of !tbaa tags that instructions share",
        text: |n| {
            let stores = lines(n, |i| format!("  store i32 0, ptr %p, !tbaa !{}\n", i + 3));
            let fields: String = lines(n, |i| format!(", !1, i64 {}", 4 * i));
            let tags = lines(n, |i| format!("!{} = !{{!2, !1, i64 {}}}\n", i + 3, 4 * i));
            let types = format!("!0 = !{{!\"r\"}}\n!1 = !{{!\"t\", !0, i64 0}}\n!2 = !{{!\"s\"{fields}}}\n");
            function("define void @f(ptr %p)", &stores, "  ret void\n") + &types + &tags
        },
    },
    Family {
        name: "expression that debug records share",
        text: |n| {
            let records = "  #dbg_value(i32 %x, !1, !2, !3)\n".repeat(n);
            let steps = vec!["DW_OP_plus_uconst, 1"; n].join(", ");
            let nodes = "!0 = distinct !DISubprogram(name: \"f\")\n!1 = !DILocalVariable(name: \"x\", scope: !0)\n\
                         !3 = !DILocation(line: 1, scope: !0)\n";
            let function = function("define void @f(i32 %x) !dbg !0", &records, "  ret void\n");
            format!("{function}{nodes}!2 = !DIExpression({steps})\n")
        },
    },
    Family {
        name: "alias scopes that instructions share",
        text: |n| {
            let stores = lines(n, |_| " store i64 0, ptr %p, !alias.scope !0, !noalias !0\n".to_owned());
            let list: Vec<String> = (0..n).map(|i| format!("!{}", i + 2)).collect();
            let scopes = lines(n, |i| format!("!{} = distinct !{{!{}, !1}}\n", i + 2, i + 2));
            let list = list.join(", ");
            format!(
                "define void @f(ptr %p) {{\n{stores} ret void\n}}\n!0 = !{{{list}}}\n!1 = distinct !{{!1}}\n{scopes}"
            )
        },
    },
    Family {
        name: "calls of a function with many parameters",
        text: |n| {
            let parameters = vec!["i32"; n].join(", ");
            let calls = " call void @f(i32 0)\n".repeat(n);
            format!("declare void @f({parameters})\ndefine void @g() {{\n{calls} ret void\n}}\n")
        },
    },
    Family {
        name: "chain of aliases",
        text: |n| {
            "@a0 = global i32 0\n".to_owned() + &lines(n, |i| format!("@a{} = alias i32, ptr @a{i}\n", i + 1))
        },
    },
    Family { name: "open braces", text: |n| "define void @f() {\n".repeat(n) },
    Family { name: "junk", text: |n| lines(n, |i| format!("]] {i} )( % @ \" !\n")) },
];
