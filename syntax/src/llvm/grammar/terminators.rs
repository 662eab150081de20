//! Instructions that end a block.

use super::P;
use super::calls::call;
use super::instruction::scope;
use super::types::ty_of_value;
use super::values::{typed, value};
use crate::diagnostic::{Diagnostic, Place};
use crate::llvm::LlvmKind::*;
use crate::llvm::SYNTAX_ERROR;
use crate::wording;
use rowan::TextRange;

/// An instruction that ends its block, without its attachments.
pub(super) fn terminator(p: &mut P<'_, '_>) {
    let opcode = p.current;
    p.bump();
    match opcode {
        RET_KW => ret(p),
        BR_KW => br(p),
        SWITCH_KW => switch(p),
        INDIRECTBR_KW => {
            typed(p);
            p.expect(COMMA, "`,` after the address");
            destinations(p);
        }
        INVOKE_KW => {
            call(p, true);
            p.expect(TO_KW, "`to` and the normal destination");
            typed(p);
            p.expect(UNWIND_KW, "`unwind` and the unwind destination");
            typed(p);
        }
        CALLBR_KW => {
            call(p, false);
            p.expect(TO_KW, "`to` and the default destination");
            typed(p);
            destinations(p);
        }
        RESUME_KW => typed(p),
        CLEANUPRET_KW => {
            p.expect(FROM_KW, "`from` and the cleanup pad");
            value(p);
            p.expect(UNWIND_KW, "`unwind`");
            unwind_target(p);
        }
        CATCHRET_KW => {
            p.expect(FROM_KW, "`from` and the catch pad");
            value(p);
            p.expect(TO_KW, "`to` and a destination");
            typed(p);
        }
        CATCHSWITCH_KW => catchswitch(p),
        // `unreachable`.
        _ => {}
    }
}

fn ret(p: &mut P<'_, '_>) {
    // `void ()* @f` is a value of old.
    let void = p.at(VOID_KW) && !matches!(p.nth(1), STAR | L_PAREN | ADDRSPACE_KW);
    ty_of_value(p);
    if !void {
        value(p);
    }
}

/// Reports the type that a block or a condition alone lacks.
fn missing_type(p: &mut P<'_, '_>) {
    let is_block = p.inner.nth_at_line_start(1) || p.nth(1) == EOF;
    let is_condition = p.nth(1) == COMMA;
    let missing = match p.current {
        LOCAL | LOCAL_ID if is_block => "label ",
        LOCAL | LOCAL_ID if is_condition => "i1 ",
        WORD if is_block => "label %",
        _ => return,
    };
    let range = p.inner.range();
    let message = format!("missing `{}` before `{}`", missing.trim_end(), p.text());
    let before = TextRange::empty(range.start());
    let mut found = Diagnostic::new(&SYNTAX_ERROR, range, message);
    // LLVM takes a name for a type, and misses the value at the next token.
    if missing == "label " && p.nth(1) != EOF {
        found = found.related(Place::Here(p.inner.nth_range(1)), wording::REFERENCE);
    }
    p.report(found.guess(format!("Insert `{}`", missing.trim_end()), before, missing));
    p.fail();
}

fn br(p: &mut P<'_, '_>) {
    missing_type(p);
    let label = p.at(LABEL_KW);
    let (first, ty) = (p.inner.range(), p.text());
    typed(p);
    if !label && ty != "i1" && !p.at(COMMA) {
        return p.expected_at(first, "`label`", ty);
    }
    if !label {
        p.expect(COMMA, "`,` after the condition");
        typed(p);
        p.expect(COMMA, "`,` after the first destination");
        typed(p);
    }
}

fn switch(p: &mut P<'_, '_>) {
    typed(p);
    p.expect(COMMA, "`,` after the condition");
    typed(p);
    p.expect(L_BRACKET, "`[` and the cases");
    while !p.at(R_BRACKET) && !p.at(EOF) {
        typed(p);
        p.expect(COMMA, "`,` after the case value");
        typed(p);
    }
    p.expect(R_BRACKET, "a case or `]`");
}

fn catchswitch(p: &mut P<'_, '_>) {
    scope(p, true);
    p.expect(L_BRACKET, "`[` and the handlers");
    typed(p);
    while p.eat(COMMA) {
        typed(p);
    }
    p.expect(R_BRACKET, "`]` after the handlers");
    p.expect(UNWIND_KW, "`unwind`");
    unwind_target(p);
}

/// `[label %a, label %b]`.
fn destinations(p: &mut P<'_, '_>) {
    p.expect(L_BRACKET, "`[` and the destinations");
    if !p.at(R_BRACKET) {
        typed(p);
        while p.eat(COMMA) {
            typed(p);
        }
    }
    p.expect(R_BRACKET, "`]` after the destinations");
}

/// `to caller` or a destination.
fn unwind_target(p: &mut P<'_, '_>) {
    if p.eat(TO_KW) {
        p.expect(CALLER_KW, "`caller`");
    } else {
        typed(p);
    }
}
