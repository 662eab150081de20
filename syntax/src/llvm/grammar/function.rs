//! Functions: header and body.

use rowan::{TextRange, TextSize};

use super::attributes::{
    alignment, calling_convention, function_attributes, linkage, opt_comdat, unnamed_addr, value_attributes,
};
use super::metadata::{attachment, metadata, node};
use super::module::{is_entity_start, use_list_order};
use super::types::{is_type_start, opt_address_space, ty};
use super::values::typed;
use super::{P, instruction, opcodes};
use crate::diagnostic::{Diagnostic, Place, TextEdit};
use crate::llvm::LlvmKind::*;
use crate::llvm::SYNTAX_ERROR;
use crate::wording;

/// At `define` or `declare`.
pub(super) fn function(p: &mut P<'_, '_>) {
    let defines = p.at(DEFINE_KW);
    p.bump();
    let after_keyword = p.inner.end_of_last();
    let first = attachments(p);
    p.returns_void = false;
    let name = header(p);
    let last = attachments(p);
    if !defines {
        if let Some(range) = last.filter(|_| !p.failed) {
            let message = "the metadata attachments of a declaration must follow `declare`";
            misplaced(p, range, after_keyword, message);
        }
        return;
    }
    if let Some(range) = first.filter(|_| !p.failed) {
        let message = "the metadata attachments of a definition must be right before its `{`";
        let place = p.inner.end_of_last();
        misplaced(p, range, place, message);
    }
    if p.failed {
        // The body is worth reading all the same.
        p.recover(|p| {
            p.at(L_BRACE) && p.brace_ends_line() || p.at_line_start() && (p.at(R_BRACE) || is_entity_start(p))
        });
        if !p.at(L_BRACE) {
            p.eat(R_BRACE);
            return;
        }
    }
    body(p, name);
}

/// Attachments, if there are some, and their range.
fn attachments(p: &mut P<'_, '_>) -> Option<TextRange> {
    let start = p.inner.range().start();
    while p.at(METADATA_NAME) && p.nth(1) != EQUAL {
        attachment(p);
    }
    let end = p.inner.end_of_last().end();
    (end > start).then(|| TextRange::new(start, end))
}

/// Reports attachments that belong to another place.
fn misplaced(p: &mut P<'_, '_>, range: TextRange, place: TextRange, message: &str) {
    let text = p.inner.slice(range);
    let space = TextRange::new(range.start() - TextSize::new(1), range.start());
    let removed = if p.inner.slice(space) == " " { space.cover(range) } else { range };
    let mut diagnostic = Diagnostic::new(&SYNTAX_ERROR, range, message);
    let edits = vec![TextEdit::new(place, format!(" {text}")), TextEdit::new(removed, "")];
    diagnostic.set_fix(format!("Move `{text}`"), edits);
    p.report(diagnostic);
}

/// Returns the name.
fn header<'t>(p: &mut P<'t, '_>) -> &'t str {
    linkage(p);
    calling_convention(p);
    value_attributes(p);
    let void = p.at(VOID_KW);
    ty(p);
    p.returns_void = void && matches!(p.current, GLOBAL | GLOBAL_ID);
    let name = p.text();
    if !p.eat(GLOBAL) {
        p.expect(GLOBAL_ID, "the function's name");
    }
    params(p);
    unnamed_addr(p);
    opt_address_space(p);
    function_attributes(p, false);
    if p.eat(SECTION_KW) {
        p.expect(STRING, "the section as a string");
    }
    if p.eat(PARTITION_KW) {
        p.expect(STRING, "the partition as a string");
    }
    opt_comdat(p);
    if p.at(ALIGN_KW) {
        alignment(p);
    }
    if p.eat(GC_KW) {
        p.expect(STRING, "the name of a garbage collector");
    }
    for word in [PREFIX_KW, PROLOGUE_KW, PERSONALITY_KW] {
        if p.eat(word) {
            typed(p);
        }
    }
    name
}

fn params(p: &mut P<'_, '_>) {
    let m = p.start();
    p.expect(L_PAREN, "`(` and the parameters");
    if !p.at(R_PAREN) {
        loop {
            if p.eat(ELLIPSIS) {
                break;
            }
            let param = p.start();
            ty(p);
            value_attributes(p);
            if is_type_start(p.current) && !matches!(p.current, LOCAL | LOCAL_ID) {
                p.expected("the parameter's name, `,` or `)` after its type");
            }
            if !p.eat(LOCAL) {
                p.eat(LOCAL_ID);
            }
            p.complete(param, PARAM);
            if !p.eat(COMMA) {
                break;
            }
        }
    }
    p.expect(R_PAREN, "`)` at the end of the parameters");
    p.complete(m, PARAM_LIST);
}

impl P<'_, '_> {
    fn brace_ends_line(&mut self) -> bool {
        self.inner.nth_at_line_start(1)
    }
}

/// Does the body go on here after damage? At the start of a line: an instruction, a label, a record, or the closing brace.
pub(super) fn is_resume_point(p: &mut P<'_, '_>) -> bool {
    p.at_line_start()
        && match p.current {
            R_BRACE | LABEL | LABEL_ID | HASH => true,
            LOCAL | LOCAL_ID => p.nth(1) == EQUAL,
            // A misspelt opcode.
            WORD => is_type_start(p.nth(1)),
            kind => opcodes::is_opcode(kind) || is_entity_start(p),
        }
}

fn body(p: &mut P<'_, '_>, function: &str) {
    let unclosed = || format!("missing `}}` at the end of function `{function}`");
    let m = p.start();
    p.expect(L_BRACE, "`{` and the function's body");
    if matches!(p.current, R_BRACE | USELISTORDER_KW) {
        p.expected("a basic block");
    }
    let mut terminator = None;
    loop {
        if p.failed {
            p.recover(is_resume_point);
        }
        let forgotten = p.at_line_start() && is_entity_start(p);
        match p.current {
            R_BRACE | USELISTORDER_KW => break,
            EOF => {
                p.error(unclosed());
                p.complete(m, BODY);
                // There is nothing to go on with.
                p.recover(|_| true);
                return;
            }
            // A closing brace was forgotten.
            _ if forgotten => {
                p.error(unclosed());
                p.complete(m, BODY);
                p.recover(|_| true);
                return;
            }
            _ => terminator = block(p, terminator),
        }
    }
    while p.at(USELISTORDER_KW) {
        let order = p.start();
        use_list_order(p);
        p.complete(order, USE_LIST_ORDER);
    }
    p.expect(R_BRACE, "`}` at the end of the function");
    p.complete(m, BODY);
}

/// A label, if there is one, and instructions up to a terminator, whose range is returned. `after` is the terminator of the block before.
fn block(p: &mut P<'_, '_>, mut after: Option<TextRange>) -> Option<TextRange> {
    let m = p.start();
    let mut terminator = None;
    if matches!(p.current, LABEL | LABEL_ID) {
        let label = p.start();
        p.bump();
        p.complete(label, LABEL_DEF);
        after = None;
    }
    let first = p.inner.end_of_last().end();
    // What begins a block that has no label.
    let stray = after.map(|terminator| {
        let opcode = if p.nth(1) == EQUAL { 2 } else { 0 };
        Stray { terminator, range: p.inner.nth_range(opcode), opcode: p.inner.nth_text(opcode) }
    });
    loop {
        if p.at(HASH) {
            record(p);
        } else if matches!(p.current, LABEL | LABEL_ID | R_BRACE) {
            unfinished(p, first, stray);
        } else {
            let start = p.inner.range().start();
            let terminates = instruction::instruction(p);
            if terminates && !p.failed {
                terminator = Some(TextRange::new(start, p.inner.end_of_last().end()));
                break;
            }
        }
        if p.failed {
            p.recover(is_resume_point);
            // What follows belongs to this block, unless it says otherwise.
            if matches!(p.current, LABEL | LABEL_ID | R_BRACE | EOF) || is_entity_start(p) {
                break;
            }
        }
    }
    p.complete(m, BLOCK);
    terminator
}

/// The first instruction after a terminator, in place of a label.
#[derive(Clone, Copy)]
struct Stray<'t> {
    terminator: TextRange,
    /// Of its opcode.
    range: TextRange,
    opcode: &'t str,
}

impl Stray<'_> {
    /// `end` is where the text ends that follows the terminator.
    fn diagnostic(self, p: &P<'_, '_>, end: TextSize, found: TextRange) -> Diagnostic {
        let Stray { terminator, range, opcode } = self;
        let ends = p.inner.slice(terminator);
        let word = ends.split_whitespace().next().unwrap_or("");
        let message = format!("`{opcode}` follows the terminator of its block, `{word}`");
        let diagnostic = Diagnostic::new(&SYNTAX_ERROR, range, message)
            .related(Place::Here(terminator), "the block ends here")
            .related(Place::Here(found), wording::REFERENCE);
        let rest = p.inner.slice(TextRange::new(terminator.end(), end));
        let head = p.inner.slice(TextRange::up_to(terminator.start()));
        let indentation = head.rsplit('\n').next().unwrap_or("");
        // What uses the terminator's result, or belongs to a comment next to it, cannot be moved.
        let is_alone = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') && !ends.contains('\n');
        if word.starts_with('%') || !is_alone || !indentation.trim().is_empty() {
            return diagnostic;
        }
        let moved = format!("{}\n{indentation}{ends}", rest.trim_start());
        diagnostic.guess(format!("Move before `{word}`"), TextRange::new(terminator.start(), end), moved)
    }
}

/// At the end of a block that has no terminator; its instructions begin after `start`.
fn unfinished(p: &mut P<'_, '_>, start: TextSize, stray: Option<Stray<'_>>) {
    let (range, last) = (p.inner.range(), p.inner.end_of_last());
    if last.end() == start {
        return p.expected("an instruction");
    }
    if let Some(stray) = stray {
        let diagnostic = stray.diagnostic(p, last.end(), range);
        p.report(diagnostic);
        return p.fail();
    }
    let word = p.text();
    let message = format!(
        "expected an instruction, found `{word}`; a block must end with a terminator (`br`, `ret`, ...)"
    );
    let mut diagnostic = Diagnostic::new(&SYNTAX_ERROR, range, message);
    if p.at(R_BRACE) {
        if p.returns_void {
            diagnostic = diagnostic.guess("Add `ret void`", last, "\n  ret void");
        }
    } else {
        let next = word.strip_suffix(':').unwrap_or(word);
        let branch = format!("br label %{next}");
        diagnostic = diagnostic.guess(format!("Add `{branch}`"), last, format!("\n  {branch}"));
    }
    p.report(diagnostic);
    p.fail();
}

/// At `#`.
fn record(p: &mut P<'_, '_>) {
    let m = p.start();
    p.bump();
    let kind = p.text();
    match kind {
        "dbg_value" | "dbg_declare" | "dbg_declare_value" | "dbg_assign" | "dbg_label" => p.bump(),
        _ => p.expected("a kind of debug record"),
    }
    p.expect(L_PAREN, "`(`");
    if kind != "dbg_label" {
        metadata(p);
        p.expect(COMMA, "`,`");
        node(p);
        p.expect(COMMA, "`,`");
    }
    node(p);
    p.expect(COMMA, "`,`");
    if kind == "dbg_assign" {
        node(p);
        p.expect(COMMA, "`,`");
        metadata(p);
        p.expect(COMMA, "`,`");
        node(p);
        p.expect(COMMA, "`,`");
    }
    node(p);
    p.expect(R_PAREN, "`)`");
    p.complete(m, DEBUG_RECORD);
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut out = String::new();
        for d in crate::llvm::parse(text).errors {
            let _ = writeln!(out, "{}: {}", &text[d.range], d.message);
            for related in &d.related {
                let _ = writeln!(out, "  {}", related.message);
            }
            if let Some(fix) = d.fix {
                let fixed = crate::TextEdit::apply_all(text, &fix.edits).unwrap_or_default();
                let _ = writeln!(out, "  {}:\n{fixed}", fix.title);
            }
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn attachments_of_declarations_and_definitions() {
        check(
            "declare void @a() nounwind !prof !0 !dbg !1\ndeclare void @b()\n!llvm.flags = !{!0}\n",
            expect![[r#"
                !prof !0 !dbg !1: the metadata attachments of a declaration must follow `declare`
                  Move `!prof !0 !dbg !1`:
                declare !prof !0 !dbg !1 void @a() nounwind
                declare void @b()
                !llvm.flags = !{!0}

            "#]],
        );
        check(
            "define !dbg !1 internal void @b() nounwind {\n  ret void\n}\ndeclare !prof !0 void @c()\n",
            expect![[r#"
                !dbg !1: the metadata attachments of a definition must be right before its `{`
                  Move `!dbg !1`:
                define internal void @b() nounwind !dbg !1 {
                  ret void
                }
                declare !prof !0 void @c()

            "#]],
        );
    }

    #[test]
    fn instructions_after_a_terminator() {
        check(
            "define i32 @f(ptr %p) {\nentry:\n  ret i32 1\n  store i32 1, ptr %p\n  %x = load i32, ptr %p\n}\n",
            expect![[r#"
                store: `store` follows the terminator of its block, `ret`
                  the block ends here
                  LLVM reports it here
                  Move before `ret`:
                define i32 @f(ptr %p) {
                entry:
                  store i32 1, ptr %p
                  %x = load i32, ptr %p
                  ret i32 1
                }

            "#]],
        );
        check(
            "define void @f() {\n  br label %a ; done\n  %x = add i32 1, 2\na:\n  ret void\n}\n",
            expect![[r#"
                add: `add` follows the terminator of its block, `br`
                  the block ends here
                  LLVM reports it here
            "#]],
        );
        // A block without a label.
        check("define void @f() {\n  ret void\n  unreachable\n}\n", expect![""]);
    }
}
