//! What is shown about a word.

use expect_test::expect;

use super::{check_hover, cursor};

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

            - Predecessors: `%entry`, `%then`
            - Successors: none
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

        Declared at line 22.
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

        Declared at line 3.
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
            The value does not contain `undef` or `poison` bits; otherwise the behavior is undefined.

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

            - `nounwind`: Never throws. Unwinding out of the function has undefined behavior.
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
            The processor to compile for. For example `"target-cpu"="gfx90a"`.

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
            At `a.c:10:2` in `inner`, inlined at `a.c:3:4` in `outer`
        "#]],
    );
}

#[test]
fn hover_of_an_undeclared_intrinsic() {
    check_hover(
        "define void @f(ptr %p) {\n  call void @llvm.mem$0set.p0.i64(ptr %p, i8 0, i64 8, i1 false)\n  ret void\n}\n",
        expect![[r#"
            Intrinsic `llvm.memset`: `void (ptr, i8, T, i1)` where `T` is an integer or a vector of them; writes memory. Must be constant: argument 4.

            Fills memory with a byte. [Intrinsics](https://llvm.org/docs/LangRef.html#intrinsic-functions)

            Not declared in this module.
        "#]],
    );
}

#[test]
fn hover_of_a_struct_shows_its_layout() {
    check_hover(
        "target datalayout = \"e-i64:64\"\n%pair = type { i8, i64, [3 x i16] }\ndefine void @f() {\n  %x = alloca %p$0air\n  ret void\n}\n",
        expect![[r#"
            ```llvm
            %pair = type { i8, i64, [3 x i16] }
            ```
            24 bytes, aligned to 8, 9 bytes of padding.

            | field | offset | size | type |
            |--:|--:|--:|:--|
            | 0 | 0 | 1 | `i8` |
            |  | 1 | 7 | *padding* |
            | 1 | 8 | 8 | `i64` |
            | 2 | 16 | 6 | `[3 x i16]` |
            |  | 22 | 2 | *padding* |

        "#]],
    );
}

#[test]
fn hover_of_debug_information() {
    check_hover(
        "define void @f() {\n  #dbg_va$0lue(i32 0, !1, !DIExpression(), !2)\n  ret void\n}\n",
        expect![[r#"
            ```llvm
            #dbg_value(<value>, <variable>, <expression>, <location>)
            ```
            From here on the variable of the source has this value. A record, no instruction: it does not change what the program does.

            [Language reference](https://llvm.org/docs/LangRef.html#metadata)
        "#]],
    );
    check_hover(
        "!1 = !DIDerivedType(tag: DW_TAG_mem$0ber, baseType: null)\n",
        expect![[r#"
            `DW_TAG_member`: A member of a struct, union or class.
        "#]],
    );
}

#[test]
fn hover_of_a_value_names_variables_of_the_source() {
    let text = r#"define i32 @f(i32 %a) {
  #dbg_value(i32 %a, !4, !DIExpression(), !5)
  %b = add i32 %a, 1
  #dbg_value(i32 %b, !6, !DIExpression(), !5)
  #dbg_value(i32 %b, !4, !DIExpression(), !5)
  #dbg_value(i32 %b, !4, !DIExpression(), !5)
  ret i32 %b
}
!4 = !DILocalVariable(name: "count", scope: !3)
!6 = !DILocalVariable(name: "next", scope: !3)
"#;
    check_hover(
        &text.replace("add i32 %a", "add i32 %$0a"),
        expect![[r#"
        ```llvm
        i32 %a
        ```
        Parameter 1 of `@f`. One use.

        Variable `count` of the source.
    "#]],
    );
    check_hover(
        &text.replace("ret i32 %b", "ret i32 %$0b"),
        expect![[r#"
        ```llvm
        %b = add i32 %a, 1
        ```
        `i32`. One use. In block `%0`.

        Variables `next`, `count` of the source.
    "#]],
    );
}
