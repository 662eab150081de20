//! Words that the version of LLVM that a file is for does not have. Only where such a version is set.

use wavelens_syntax::llvm::LlvmKind::*;
use wavelens_syntax::llvm::{
    LlvmKind, NEWER, NEWER_SINCE, REMOVED, TYPED_POINTER, newer_since, removed_since,
};
use wavelens_syntax::machine::{Node, Token};

use super::super::fixes::slice;
use super::super::scope::Scope;
use super::super::tables::Intrinsic;
use super::super::tables::language_levels::{Place, Word, find};
use wavelens_base::{Diagnostic, Severity};

wavelens_syntax::rules! {
    LANGUAGE_LEVEL {
        code: "language-level",
        severity: Severity::Warning,
        title: "a word, attribute or intrinsic exists in the LLVM version that the file is for",
        explain: "The setting `llvm.level` (option `--llvm-level`) names the version of LLVM that must read the \
            file. What that version does not have yet, or writes in another way, is reported. Without the \
            setting nothing is reported, since newer versions read older files.\n\n\
            Switch it off, or remove the setting, if only current LLVM reads the file.",
        example: "declare void @f(ptr captures(none)) ; with `llvm.version` 19\n",
        fixed: "declare void @f(ptr nocapture)\n",
        source: "The lexers, parsers and intrinsic tables of LLVM 15 to 22",
    }
}

/// The first version that takes a call of an intrinsic for its declaration.
const UNDECLARED: u8 = 19;

/// `level` is the version that the file is for.
pub(crate) fn check(text: &str, scope: &Scope, level: u8, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.retain(|d| {
        // Pointers had types then.
        let is_typed = level < 17 && d.rule == &TYPED_POINTER && d.severity != Severity::Error;
        let is_there_still =
            d.rule == &REMOVED && removed_since(slice(text, d.range)).is_some_and(|s| level < s);
        let is_there_already = d.rule == &NEWER && level >= newer_since(slice(text, d.range));
        !is_typed && !is_there_still && !is_there_already
    });
    let parse = wavelens_syntax::llvm::parse(text);
    for node in parse.root(text).descendants() {
        words(node, &mut |place, token, spelling| {
            if let Some(word) = find(place, spelling) {
                // Several words about memory make one attribute.
                let alone = place != Place::FunctionAttribute || words_about_memory(node) == 1;
                diagnostics.extend(judge(word, level, token, alone));
            }
        });
        match node.kind() {
            // LLVM reads a declaration of an intrinsic that it does not know.
            FUNCTION => {
                let found = node.token(GLOBAL).and_then(|name| intrinsic(name, level));
                diagnostics.extend(found.map(|found| Diagnostic { severity: Severity::Warning, ..found }));
            }
            VALUE => diagnostics.extend(undeclared(node, scope, level)),
            _ => {}
        }
    }
}

/// The words of a node that may be bound to a version.
fn words<'t>(node: Node<'t, LlvmKind>, found: &mut dyn FnMut(Place, Token<'t, LlvmKind>, &str)) {
    let Some(first) = node.first_token() else { return };
    match node.kind() {
        ATTR => {
            found(Place::Attribute, first, first.text());
            if first.kind() == MEMORY_KW {
                node.tokens().skip(1).for_each(|token| found(Place::Memory, token, token.text()));
            }
        }
        VALUE => {
            found(Place::Constant, first, first.text());
            for flag in node.tokens().skip(1).filter(|t| matches!(t.kind(), NUSW_KW | NUW_KW)) {
                found(Place::Constant, flag, &format!("{} {}", first.text(), flag.text()));
            }
        }
        TYPE => found(Place::Type, first, first.text()),
        METADATA_NODE => {
            found(Place::Metadata, first, first.text());
            for field in node.children().filter(|n| n.kind() == FIELD) {
                let Some(label) = field.first_token() else { continue };
                found(
                    Place::Field,
                    label,
                    &format!("{} {}", first.text(), label.text().trim_end_matches(':')),
                );
            }
            let values = node.children().flat_map(|n| n.tokens()).chain(node.tokens());
            values.filter(|t| t.kind() == WORD).for_each(|t| found(Place::FieldValue, t, t.text()));
        }
        ATTACHMENT => found(Place::Attachment, first, first.text()),
        DEBUG_RECORD => {
            if let Some(token) = node.tokens().nth(1) {
                found(Place::Record, token, token.text());
            }
        }
        INST => {
            function_attributes(node, found);
            instruction(node, found);
        }
        ATTR_GROUP_DEF => function_attributes(node, found),
        FUNCTION | GLOBAL_DEF => {
            function_attributes(node, found);
            let words = node.tokens().filter(|t| matches!(t.kind(), CC_KW | RISCV_VLS_CC_KW | CODE_MODEL_KW));
            words.for_each(|token| found(Place::Header, token, token.text()));
        }
        _ => {}
    }
}

fn function_attributes<'t>(
    node: Node<'t, LlvmKind>,
    found: &mut dyn FnMut(Place, Token<'t, LlvmKind>, &str),
) {
    for first in node.children().filter(|n| n.kind() == ATTR).filter_map(Node::first_token) {
        found(Place::FunctionAttribute, first, first.text());
    }
}

fn words_about_memory(node: Node<'_, LlvmKind>) -> usize {
    let attributes = node.children().filter(|n| n.kind() == ATTR).filter_map(Node::first_token);
    attributes.filter(|t| t.kind() == MEMORY_KW || find(Place::FunctionAttribute, t.text()).is_some()).count()
}

fn instruction<'t>(node: Node<'t, LlvmKind>, found: &mut dyn FnMut(Place, Token<'t, LlvmKind>, &str)) {
    let mut opcode = "";
    for token in node.tokens() {
        match token.kind() {
            LOCAL | LOCAL_ID | EQUAL | TAIL_KW | MUSTTAIL_KW | NOTAIL_KW => {}
            CC_KW | RISCV_VLS_CC_KW => found(Place::Header, token, token.text()),
            _ if opcode.is_empty() => {
                opcode = token.text();
                found(Place::Instruction, token, opcode);
            }
            NUW_KW | NSW_KW | NUSW_KW | NNEG_KW => {
                found(Place::Instruction, token, &format!("{opcode} {}", token.text()));
            }
            FAST_FLAG_KW => found(Place::Instruction, token, &format!("{opcode} fast-math")),
            _ => found(Place::Instruction, token, token.text()),
        }
    }
}

fn judge(word: Word, level: u8, token: Token<'_, LlvmKind>, alone: bool) -> Option<Diagnostic> {
    let (text, range) = (word.text, token.range());
    if level < word.since {
        let since = word.since;
        let new = match word.place {
            Place::Record => format!("`#{text}`"),
            Place::Field => {
                let (kind, field) = text.split_once(' ').unwrap_or_default();
                format!("field `{field}` of `{kind}`")
            }
            _ => format!("`{text}`"),
        };
        let message = format!("{new} requires LLVM {since}, but the file is for LLVM {level}");
        return Some(Diagnostic::new(&LANGUAGE_LEVEL, range, message));
    }
    if word.until == 0 || level <= word.until {
        return None;
    }
    let (since, instead) = (word.until + 1, word.instead);
    let message = format!("`{text}` is outdated: LLVM {since} replaced it by `{instead}`");
    let diagnostic = Diagnostic::new(&LANGUAGE_LEVEL, range, message);
    Some(if alone { diagnostic.fix(format!("Replace with `{instead}`"), range, instead) } else { diagnostic })
}

/// At the name of a function.
fn intrinsic(token: Token<'_, LlvmKind>, level: u8) -> Option<Diagnostic> {
    let known = Intrinsic::lookup(token.text().strip_prefix('@')?)?;
    let (name, since) = (known.name(), known.since());
    let message = format!("`{name}` requires LLVM {since}, but the file is for LLVM {level}");
    // The rules are otherwise those of LLVM 22, which rejects what it does not know. Older versions are a matter of advice.
    let is_error = since >= NEWER_SINCE && level + 1 == NEWER_SINCE;
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    let diagnostic = Diagnostic::new(&LANGUAGE_LEVEL, token.range(), message);
    (level < since).then_some(Diagnostic { severity, ..diagnostic })
}

/// The name of an intrinsic that has no declaration.
fn undeclared(node: Node<'_, LlvmKind>, scope: &Scope, level: u8) -> Option<Diagnostic> {
    let token = node.token(GLOBAL)?;
    let name = token.text().strip_prefix("@llvm.").and(token.text().strip_prefix('@'))?;
    if scope.global_named(name).is_some() {
        return None;
    }
    intrinsic(token, level).or_else(|| {
        let message =
            format!("missing declaration of `@{name}`, which LLVM up to version {} requires", UNDECLARED - 1);
        (level < UNDECLARED).then(|| Diagnostic::new(&LANGUAGE_LEVEL, token.range(), message))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use wavelens_base::{Dialect, Options};
    use wavelens_check::testing::findings_with;

    const MODULE: &str = r#"declare void @f(ptr nocapture, ptr captures(none), i32 range(i32 0, 9)) memory(argmem: read, errnomem: write)
define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) argmemonly {
  %a = trunc nuw i64 %l to i32
  %b = icmp samesign eq i32 %a, 1
  %c = add nuw <2 x i32> splat (i32 1), splat (i32 2)
  %d = getelementptr nusw i8, ptr %p, i64 %l
  %e = zext nneg i32 %i to i64
  ret void
}
"#;

    fn check(level: u8, expected: Expect) {
        let options = Options { llvm_level: Some(level), ..Options::default() };
        expected.assert_eq(&findings_with(Dialect::Llvm, MODULE, &options));
    }

    #[test]
    fn words_of_each_kind() {
        let module = r#"declare void @f(ptr readonly) readonly
declare i32 @llvm.umax.i32(i32, i32)
declare void @llvm.set.rounding(i32)
declare float @llvm.tan.f32(float)
@h = global i32 mul (i32 2, i32 3)
@i = global ptr getelementptr nusw (i8, ptr @h, i64 0)
define float @g(double %x) {
  %a = fptrunc fast double %x to float
  %b = load float, ptr @h, !mmra !0
  call void @llvm.trap()
  ret float %b
}
!0 = !{}
!1 = !DIBasicType(tag: DW_TAG_base_type, size: 8, dataSize: 4)
!2 = distinct !DICompileUnit(language: DW_LANG_GLSL, file: !3)
!3 = !DIFile(filename: "a", directory: "b")
!4 = !DIExpression(DW_OP_LLVM_extract_bits_zext, 1, 2)
"#;
        let shown = |level| {
            let options = Options { llvm_level: Some(level), ..Options::default() };
            findings_with(Dialect::Llvm, module, &options)
        };
        expect![[r#"
            warning[language-level] 1:31 `readonly`: `readonly` is outdated: LLVM 16 replaced it by `memory(read)`
              fix: Replace with `memory(read)`
              | declare void @f(ptr readonly) memory(read)
            warning[language-level] 4:15 `@llvm.tan.f32`: `llvm.tan` requires LLVM 19, but the file is for LLVM 18
            warning[language-level] 6:31 `nusw`: `getelementptr nusw` requires LLVM 19, but the file is for LLVM 18
            warning[language-level] 8:16 `fast`: `fptrunc fast-math` requires LLVM 20, but the file is for LLVM 18
            warning[language-level] 9:28 `!mmra`: `!mmra` requires LLVM 19, but the file is for LLVM 18
            warning[language-level] 10:13 `@llvm.trap`: missing declaration of `@llvm.trap`, which LLVM up to version 18 requires
            warning[language-level] 14:51 `dataSize:`: field `dataSize` of `!DIBasicType` requires LLVM 22, but the file is for LLVM 18
            warning[language-level] 15:40 `DW_LANG_GLSL`: `DW_LANG_GLSL` requires LLVM 19, but the file is for LLVM 18
            warning[language-level] 17:20 `DW_OP_LLVM_extract_bits_zext`: `DW_OP_LLVM_extract_bits_zext` requires LLVM 19, but the file is for LLVM 18
        "#]].assert_eq(&shown(18));
        expect![[r#"
            warning[language-level] 1:31 `readonly`: `readonly` is outdated: LLVM 16 replaced it by `memory(read)`
              fix: Replace with `memory(read)`
              | declare void @f(ptr readonly) memory(read)
            error[removed-syntax] 5:17 `mul`: constant expression `mul` was removed in LLVM 21: compute the value with an instruction
              fix: Replace with its value, `6`
              | @h = global i32 6
        "#]].assert_eq(&shown(22));
    }

    #[test]
    fn a_newer_version_reads_byte_types() {
        let module = "define b16 @f(ptr dead_on_return(2) %p, b8 %x) {
  %a = load b16, ptr %p
  %b = bitcast b16 %a to <2 x b8>
  %c = extractelement <2 x b8> %b, i32 0
  store b8 %c, ptr %p
  %d = freeze b16 %a
  ret b16 %dd
}
";
        let shown = |llvm_level| {
            let options = Options { llvm_level, ..Options::default() };
            findings_with(Dialect::Llvm, module, &options)
        };
        expect![[r#"
            error[undefined-value] 7:11 `%dd`: use of undefined value `%dd`; did you mean `%d`?
              fix: Replace with `%d`
              |   ret b16 %d
        "#]]
        .assert_eq(&shown(Some(23)));
        expect![[r#"
            error[newer-syntax] 1:8 `b16`: byte type `b16` requires LLVM 23
            error[newer-syntax] 1:34 `2`: the number of bytes of `dead_on_return` requires LLVM 23
            error[newer-syntax] 1:41 `b8`: byte type `b8` requires LLVM 23
            error[newer-syntax] 2:13 `b16`: byte type `b16` requires LLVM 23
            error[newer-syntax] 3:16 `b16`: byte type `b16` requires LLVM 23
            error[newer-syntax] 3:31 `b8`: byte type `b8` requires LLVM 23
            error[newer-syntax] 4:28 `b8`: byte type `b8` requires LLVM 23
            error[newer-syntax] 5:9 `b8`: byte type `b8` requires LLVM 23
            error[newer-syntax] 6:15 `b16`: byte type `b16` requires LLVM 23
            error[newer-syntax] 7:7 `b16`: byte type `b16` requires LLVM 23
            error[undefined-value] 7:11 `%dd`: use of undefined value `%dd`; did you mean `%d`?
              fix: Replace with `%d`
              |   ret b16 %d
        "#]]
        .assert_eq(&shown(Some(22)));
        assert_eq!(shown(None), shown(Some(24)));
    }

    #[test]
    fn one_word_of_several_about_memory_has_no_fix() {
        let options = Options { llvm_level: Some(22), ..Options::default() };
        let found = findings_with(Dialect::Llvm, "declare void @f() readonly argmemonly\n", &options);
        expect![[r#"
            warning[language-level] 1:19 `readonly`: `readonly` is outdated: LLVM 16 replaced it by `memory(read)`
            warning[language-level] 1:28 `argmemonly`: `argmemonly` is outdated: LLVM 16 replaced it by `memory(argmem: readwrite)`
        "#]].assert_eq(&found);
    }

    #[test]
    fn words_of_another_version() {
        check(
            16,
            expect![[r#"
                warning[language-level] 1:36 `captures`: `captures` requires LLVM 20, but the file is for LLVM 16
                warning[language-level] 1:56 `range`: `range` requires LLVM 19, but the file is for LLVM 16
                warning[language-level] 1:94 `errnomem`: `errnomem` requires LLVM 21, but the file is for LLVM 16
                warning[language-level] 2:8 `preserve_nonecc`: `preserve_nonecc` requires LLVM 19, but the file is for LLVM 16
                warning[language-level] 2:57 `argmemonly`: `argmemonly` is outdated: LLVM 16 replaced it by `memory(argmem: readwrite)`
                  fix: Replace with `memory(argmem: readwrite)`
                  | define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) memory(argmem: readwrite) {
                warning[language-level] 3:14 `nuw`: `trunc nuw` requires LLVM 19, but the file is for LLVM 16
                warning[language-level] 4:13 `samesign`: `samesign` requires LLVM 20, but the file is for LLVM 16
                warning[language-level] 5:26 `splat`: `splat` requires LLVM 18, but the file is for LLVM 16
                warning[language-level] 5:41 `splat`: `splat` requires LLVM 18, but the file is for LLVM 16
                warning[language-level] 6:22 `nusw`: `getelementptr nusw` requires LLVM 19, but the file is for LLVM 16
                warning[language-level] 7:13 `nneg`: `zext nneg` requires LLVM 18, but the file is for LLVM 16
            "#]],
        );
        check(
            20,
            expect![[r#"
                warning[language-level] 1:94 `errnomem`: `errnomem` requires LLVM 21, but the file is for LLVM 20
                warning[typed-pointer] 2:32 `i32*`: typed pointers were removed in LLVM 17: `i32*` is read as `ptr`
                  fix: Replace with `ptr`
                  | define preserve_nonecc void @g(ptr %p, i64 %l, i32 %i) argmemonly {
                warning[language-level] 2:57 `argmemonly`: `argmemonly` is outdated: LLVM 16 replaced it by `memory(argmem: readwrite)`
                  fix: Replace with `memory(argmem: readwrite)`
                  | define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) memory(argmem: readwrite) {
            "#]],
        );
        check(
            22,
            expect![[r#"
                warning[language-level] 1:21 `nocapture`: `nocapture` is outdated: LLVM 21 replaced it by `captures(none)`
                  fix: Replace with `captures(none)`
                  | declare void @f(ptr captures(none), ptr captures(none), i32 range(i32 0, 9)) memory(argmem: read, errnomem: write)
                warning[typed-pointer] 2:32 `i32*`: typed pointers were removed in LLVM 17: `i32*` is read as `ptr`
                  fix: Replace with `ptr`
                  | define preserve_nonecc void @g(ptr %p, i64 %l, i32 %i) argmemonly {
                warning[language-level] 2:57 `argmemonly`: `argmemonly` is outdated: LLVM 16 replaced it by `memory(argmem: readwrite)`
                  fix: Replace with `memory(argmem: readwrite)`
                  | define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) memory(argmem: readwrite) {
            "#]],
        );
    }
}
