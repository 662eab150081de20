//! Functions: header and body.

use rowan::TextSize;

use super::attributes::{
    alignment, calling_convention, function_attributes, linkage, opt_comdat, unnamed_addr, value_attributes,
};
use super::metadata::{attachment, metadata, node};
use super::module::{is_entity_start, use_list_order};
use super::types::{is_type_start, opt_address_space, ty};
use super::values::typed;
use super::{P, instruction, opcodes};
use crate::diagnostic::Diagnostic;
use crate::llvm::LlvmKind::*;
use crate::llvm::SYNTAX_ERROR;

/// At `define` or `declare`.
pub(super) fn function(p: &mut P<'_, '_>) {
    let defines = p.at(DEFINE_KW);
    p.bump();
    if !defines {
        while p.at(METADATA_NAME) {
            attachment(p);
        }
    }
    p.returns_void = false;
    let name = header(p);
    if !defines {
        return;
    }
    while p.at(METADATA_NAME) {
        attachment(p);
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
            _ => block(p),
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

/// A label, if there is one, and instructions up to a terminator.
fn block(p: &mut P<'_, '_>) {
    let m = p.start();
    if matches!(p.current, LABEL | LABEL_ID) {
        let label = p.start();
        p.bump();
        p.complete(label, LABEL_DEF);
    }
    let first = p.inner.end_of_last().end();
    loop {
        if p.at(HASH) {
            record(p);
        } else if matches!(p.current, LABEL | LABEL_ID | R_BRACE) {
            unfinished(p, first);
        } else {
            let terminates = instruction::instruction(p);
            if terminates && !p.failed {
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
}

/// At the end of a block that has no terminator; its instructions begin after `start`.
fn unfinished(p: &mut P<'_, '_>, start: TextSize) {
    let (range, last) = (p.inner.range(), p.inner.end_of_last());
    if last.end() == start {
        return p.expected("an instruction");
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
