//! Metadata.

use super::P;
use super::types::{ty, ty_of_value_or};
use super::values::value;
use crate::llvm::LlvmKind::*;

/// `!dbg !7`, at the name.
pub(super) fn attachment(p: &mut P<'_, '_>) {
    let m = p.start();
    p.expect(METADATA_NAME, "metadata such as `!dbg`, or the end of the operands");
    node(p);
    p.complete(m, ATTACHMENT);
}

/// `!7`, `!{...}` or `!DIFile(...)`.
pub(super) fn node(p: &mut P<'_, '_>) {
    match p.current {
        METADATA_NAME => specialized(p, false),
        EXCLAIM => reference_or_tuple(p),
        _ => p.expected("`!` and metadata"),
    }
}

/// At `!`: `!7` or `!{...}`.
fn reference_or_tuple(p: &mut P<'_, '_>) {
    let m = p.start();
    p.bump();
    if p.at(L_BRACE) {
        tuple(p, "`{`");
        p.complete(m, METADATA_NODE);
    } else {
        p.expect(NUMBER, "the number of a metadata node");
        p.complete(m, METADATA_REF);
    }
}

/// `{...}`; without the brace, the error names what was expected.
pub(super) fn tuple(p: &mut P<'_, '_>, expected: &'static str) {
    p.expect(L_BRACE, expected);
    if p.eat(R_BRACE) {
        return;
    }
    p.nested(|p| {
        loop {
            if !p.eat(NULL_KW) {
                metadata(p);
            }
            if !p.eat(COMMA) {
                break;
            }
        }
    });
    p.expect(R_BRACE, "`}` at the end of the metadata node");
}

/// Metadata in any form: a node, a string, a typed value.
pub(super) fn metadata(p: &mut P<'_, '_>) {
    let current = p.current;
    match current {
        METADATA_NAME => specialized(p, false),
        EXCLAIM if p.nth(1) == STRING => {
            let m = p.start();
            p.bump();
            p.bump();
            p.complete(m, METADATA_STRING);
        }
        EXCLAIM => reference_or_tuple(p),
        _ => typed_value(p),
    }
}

/// `i32 7` as metadata.
fn typed_value(p: &mut P<'_, '_>) {
    let m = p.start();
    let kind = p.current;
    let range = p.inner.range();
    ty_of_value_or(p, "metadata");
    if kind == METADATA_KW {
        p.report(crate::diagnostic::Diagnostic::new(
            &crate::llvm::SYNTAX_ERROR,
            range,
            "metadata in a node must be written without the type `metadata`",
        ));
        p.fail();
    }
    value(p);
    p.complete(m, METADATA_VALUE);
}

/// `!DIFile(...)`, at the name. Only a node with a number of its own can be `distinct`.
pub(super) fn specialized(p: &mut P<'_, '_>, is_distinct: bool) {
    let m = p.start();
    let name = p.text();
    if name == "!DIAssignID" && !is_distinct {
        p.error("`!DIAssignID` must be `distinct`");
    }
    if !crate::llvm::is_metadata_kind(name.strip_prefix('!').unwrap_or(name)) {
        let message = match p.nth(1) {
            L_PAREN => format!("unknown kind of metadata node `{name}`"),
            _ => format!("expected a metadata node, found `{name}`"),
        };
        p.error(message);
    }
    p.bump();
    p.expect(L_PAREN, "`(` after the kind of node");
    match name {
        "!DIExpression" => expression(p),
        "!DIArgList" => arguments(p),
        "!DIAssignID" => {}
        _ => fields(p),
    }
    p.expect(R_PAREN, "`,` or `)` in the node");
    p.complete(m, METADATA_NODE);
}

fn expression(p: &mut P<'_, '_>) {
    if p.at(R_PAREN) {
        return;
    }
    loop {
        match p.current {
            NUMBER if !p.text().starts_with('-') => p.bump(),
            WORD if p.text().starts_with("DW_OP_") || p.text().starts_with("DW_ATE_") => p.bump(),
            HEX_NUMBER if p.text().starts_with('u') => p.bump(),
            _ => p.expected("an operator or a number of the expression"),
        }
        if !p.eat(COMMA) {
            return;
        }
    }
}

fn arguments(p: &mut P<'_, '_>) {
    if p.at(R_PAREN) {
        return;
    }
    loop {
        p.nested(|p| {
            let m = p.start();
            ty(p);
            value(p);
            p.complete(m, METADATA_VALUE);
        });
        if !p.eat(COMMA) {
            return;
        }
    }
}

fn fields(p: &mut P<'_, '_>) {
    if p.at(R_PAREN) {
        return;
    }
    loop {
        let m = p.start();
        let operands = p.text() == "operands:";
        match p.text() {
            ":" => p.error("missing the name of the field before `:`"),
            _ => p.expect(LABEL, "the name of a field and `:`"),
        }
        p.nested(|p| if operands && p.at(L_BRACE) { list(p) } else { field_value(p) });
        p.complete(m, FIELD);
        if !p.eat(COMMA) {
            return;
        }
    }
}

/// What kind of value a field wants is checked later: here any kind will do.
fn field_value(p: &mut P<'_, '_>) {
    match p.current {
        NUMBER | HEX_NUMBER | TRUE_KW | FALSE_KW | NULL_KW | STRING | FLOAT | HEX_FLOAT => p.bump(),
        WORD => {
            p.bump();
            while p.eat(BAR) {
                if !p.eat(NUMBER) {
                    p.expect(WORD, "a flag");
                }
            }
        }
        _ => metadata(p),
    }
}

/// `{!1, null}`: operands of a generic node.
fn list(p: &mut P<'_, '_>) {
    let m = p.start();
    tuple(p, "`{` and the operands");
    p.complete(m, METADATA_NODE);
}
