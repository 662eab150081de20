//! Words that the version of LLVM that a file is for does not have. Only where such a version is set.

use wavelens_syntax::llvm::LlvmKind::*;
use wavelens_syntax::llvm::{LlvmKind, TYPED_POINTER};
use wavelens_syntax::machine::{Node, Token};

use super::super::tables::language_levels::{Place, Word, find};
use crate::{Diagnostic, Rule, Severity};

pub(super) static LANGUAGE_LEVEL: Rule = Rule {
    code: "language-level",
    severity: Severity::Warning,
    explain: "The file is for a version of LLVM (setting `llvm.version`, option `--llvm-level`) that does not have this word yet, or \
              writes something else in its place. Without a version nothing is said: newer LLVM reads older words.\n\n\
              ```llvm\ndeclare void @f(ptr captures(none))   ; LLVM 20 and older: nocapture\n```\n\n\
              Source: LLVM Release Notes, \"Changes to the LLVM IR\".",
};

pub(super) const RULES: &[&Rule] = &[&LANGUAGE_LEVEL];

/// `level` is the version that the file is for.
pub fn check(text: &str, level: u8, diagnostics: &mut Vec<Diagnostic>) {
    if level < 17 {
        // Pointers had types then.
        diagnostics.retain(|d| d.rule != &TYPED_POINTER || d.severity == Severity::Error);
    }
    let parse = wavelens_syntax::llvm::parse(text);
    for node in parse.root(text).descendants() {
        words(node, &mut |place, token, spelling| {
            if let Some(word) = find(place, spelling) {
                diagnostics.extend(judge(word, level, token));
            }
        });
    }
}

/// The words of a node that may be bound to a version.
fn words<'t>(node: Node<'t, LlvmKind>, found: &mut dyn FnMut(Place, Token<'t, LlvmKind>, &str)) {
    let first = node.first_token();
    let place = match node.kind() {
        ATTR => Place::Attribute,
        VALUE => Place::Constant,
        TYPE => Place::Type,
        METADATA_NODE => Place::Metadata,
        DEBUG_RECORD => {
            if let Some(token) = node.tokens().nth(1) {
                found(Place::Record, token, token.text());
            }
            return;
        }
        INST => return instruction(node, found),
        FUNCTION | GLOBAL_DEF => {
            let words = node.tokens().filter(|t| matches!(t.kind(), CC_KW | RISCV_VLS_CC_KW | CODE_MODEL_KW));
            words.for_each(|token| found(Place::Header, token, token.text()));
            return;
        }
        _ => return,
    };
    let Some(first) = first else { return };
    found(place, first, first.text());
    if first.kind() == MEMORY_KW {
        node.tokens().skip(1).for_each(|token| found(Place::Memory, token, token.text()));
    }
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
            _ => found(Place::Instruction, token, token.text()),
        }
    }
}

fn judge(word: &Word, level: u8, token: Token<'_, LlvmKind>) -> Option<Diagnostic> {
    let (text, range) = (word.text, token.range());
    let sigil = if word.place == Place::Record { "#" } else { "" };
    if level < word.since {
        let since = word.since;
        let message = format!("`{sigil}{text}` is new in LLVM {since}, and this is for LLVM {level}");
        return Some(Diagnostic::new(&LANGUAGE_LEVEL, range, message));
    }
    if word.until == 0 || level <= word.until {
        return None;
    }
    let (since, instead) = (word.until + 1, word.instead);
    let message = format!("`{text}` is older than LLVM {level}: since LLVM {since} it is `{instead}`");
    Some(Diagnostic::new(&LANGUAGE_LEVEL, range, message).fix(format!("Write `{instead}`"), range, instead))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::testing::findings_with;
    use crate::{Dialect, Options};

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
    fn words_of_another_version() {
        check(
            16,
            expect![[r#"
                warning[language-level] 1:36 `captures`: `captures` is new in LLVM 21, and this is for LLVM 16
                warning[language-level] 1:56 `range`: `range` is new in LLVM 19, and this is for LLVM 16
                warning[language-level] 1:94 `errnomem`: `errnomem` is new in LLVM 21, and this is for LLVM 16
                warning[language-level] 2:8 `preserve_nonecc`: `preserve_nonecc` is new in LLVM 18, and this is for LLVM 16
                warning[language-level] 2:57 `argmemonly`: `argmemonly` is older than LLVM 16: since LLVM 16 it is `memory(argmem: readwrite)`
                  fix: Write `memory(argmem: readwrite)`
                  | define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) memory(argmem: readwrite) {
                warning[language-level] 3:14 `nuw`: `trunc nuw` is new in LLVM 19, and this is for LLVM 16
                warning[language-level] 4:13 `samesign`: `samesign` is new in LLVM 20, and this is for LLVM 16
                warning[language-level] 5:26 `splat`: `splat` is new in LLVM 18, and this is for LLVM 16
                warning[language-level] 5:41 `splat`: `splat` is new in LLVM 18, and this is for LLVM 16
                warning[language-level] 6:22 `nusw`: `getelementptr nusw` is new in LLVM 19, and this is for LLVM 16
                warning[language-level] 7:13 `nneg`: `zext nneg` is new in LLVM 18, and this is for LLVM 16
            "#]],
        );
        check(
            20,
            expect![[r#"
            warning[language-level] 1:36 `captures`: `captures` is new in LLVM 21, and this is for LLVM 20
            warning[language-level] 1:94 `errnomem`: `errnomem` is new in LLVM 21, and this is for LLVM 20
            warning[typed-pointer] 2:32 `i32*`: typed pointers were removed in LLVM 17: `i32*` is read as `ptr`
              fix: Write `ptr`
              | define preserve_nonecc void @g(ptr %p, i64 %l, i32 %i) argmemonly {
            warning[language-level] 2:57 `argmemonly`: `argmemonly` is older than LLVM 20: since LLVM 16 it is `memory(argmem: readwrite)`
              fix: Write `memory(argmem: readwrite)`
              | define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) memory(argmem: readwrite) {
        "#]],
        );
        check(
            22,
            expect![[r#"
            warning[language-level] 1:21 `nocapture`: `nocapture` is older than LLVM 22: since LLVM 21 it is `captures(none)`
              fix: Write `captures(none)`
              | declare void @f(ptr captures(none), ptr captures(none), i32 range(i32 0, 9)) memory(argmem: read, errnomem: write)
            warning[typed-pointer] 2:32 `i32*`: typed pointers were removed in LLVM 17: `i32*` is read as `ptr`
              fix: Write `ptr`
              | define preserve_nonecc void @g(ptr %p, i64 %l, i32 %i) argmemonly {
            warning[language-level] 2:57 `argmemonly`: `argmemonly` is older than LLVM 22: since LLVM 16 it is `memory(argmem: readwrite)`
              fix: Write `memory(argmem: readwrite)`
              | define preserve_nonecc void @g(i32* %p, i64 %l, i32 %i) memory(argmem: readwrite) {
        "#]],
        );
    }
}
