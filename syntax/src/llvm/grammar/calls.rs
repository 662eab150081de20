//! The operands of `call`, `invoke` and `callbr`, and the arguments of exception pads.

use super::P;
use super::attributes::{calling_convention, function_attributes, value_attributes};
use super::metadata::metadata;
use super::types::{callee_type, opt_address_space, ty, ty_of_value};
use super::values::value;
use crate::llvm::LlvmKind::*;

/// After `call`, `invoke` or `callbr`: convention, type, callee, arguments, attributes, bundles.
pub(super) fn call(p: &mut P<'_, '_>, address: bool) {
    calling_convention(p);
    value_attributes(p);
    if address {
        opt_address_space(p);
    }
    callee_type(p);
    value(p);
    let list = p.start();
    p.expect(L_PAREN, "`(` and the arguments");
    let mut first = true;
    while !p.at(R_PAREN) && !p.at(EOF) {
        if !std::mem::replace(&mut first, false) {
            p.expect(COMMA, "`,` between the arguments");
        }
        if p.eat(ELLIPSIS) {
            break;
        }
        let arg = p.start();
        if p.at(METADATA_KW) {
            ty(p);
            metadata(p);
        } else {
            ty_of_value(p);
            value_attributes(p);
            value(p);
        }
        p.complete(arg, ARG);
    }
    p.expect(R_PAREN, "`)` at the end of the arguments");
    p.complete(list, ARG_LIST);
    function_attributes(p, false);
    if p.at(L_BRACKET) {
        bundles(p);
    }
}

pub(super) fn exception_args(p: &mut P<'_, '_>) {
    p.expect(L_BRACKET, "`[` and the arguments");
    let mut first = true;
    while !p.at(R_BRACKET) && !p.at(EOF) {
        if !std::mem::replace(&mut first, false) {
            p.expect(COMMA, "`,` between the arguments");
        }
        typed_or_metadata(p);
    }
    p.expect(R_BRACKET, "`]` after the arguments");
}

fn typed_or_metadata(p: &mut P<'_, '_>) {
    let is_metadata = p.at(METADATA_KW) && p.nth(1) != STAR;
    ty_of_value(p);
    if is_metadata { metadata(p) } else { value(p) }
}

fn bundles(p: &mut P<'_, '_>) {
    let m = p.start();
    p.bump();
    let mut first = true;
    while !p.at(R_BRACKET) && !p.at(EOF) {
        if !std::mem::replace(&mut first, false) {
            p.expect(COMMA, "`,` between the bundles");
        }
        let bundle = p.start();
        p.expect(STRING, "the tag of an operand bundle");
        p.expect(L_PAREN, "`(` in the operand bundle");
        let mut first = true;
        while !p.at(R_PAREN) && !p.at(EOF) {
            if !std::mem::replace(&mut first, false) {
                p.expect(COMMA, "`,` between the inputs");
            }
            typed_or_metadata(p);
        }
        p.expect(R_PAREN, "`)` at the end of the operand bundle");
        p.complete(bundle, BUNDLE);
    }
    if first {
        p.error("a list of operand bundles must not be empty");
    }
    p.expect(R_BRACKET, "`]` after the operand bundles");
    p.complete(m, BUNDLE_LIST);
}
