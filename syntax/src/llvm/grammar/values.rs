//! Values and constants.

use super::types::{pointee, ty, ty_of_value};
use super::{P, newer, removed};
use crate::llvm::LlvmKind::*;

/// A type and a value.
pub(super) fn typed(p: &mut P<'_, '_>) {
    ty_of_value(p);
    value(p);
}

/// `VALUE`, without its type.
pub(super) fn value(p: &mut P<'_, '_>) {
    let m = p.start();
    let is_missing = p.at_next_result();
    match p.current {
        _ if is_missing => p.expected("a value"),
        LOCAL | LOCAL_ID | GLOBAL | GLOBAL_ID | NUMBER | HEX_NUMBER | FLOAT | TRUE_KW | FALSE_KW
        | NULL_KW | UNDEF_KW | POISON_KW | ZEROINITIALIZER_KW | NONE_KW => p.bump(),
        HEX_FLOAT => newer::literal(p),
        L_BRACE => {
            p.bump();
            elements(p);
            p.expect(R_BRACE, "`}` at the end of the struct constant");
        }
        L_BRACKET => {
            p.bump();
            elements(p);
            p.expect(R_BRACKET, "`]` at the end of the array constant");
        }
        LESS => {
            p.bump();
            let packed = p.eat(L_BRACE);
            elements(p);
            if packed {
                p.expect(R_BRACE, "`}` at the end of the packed struct constant");
            }
            p.expect(GREATER, "`>` at the end of the constant");
        }
        C_KW => {
            p.bump();
            p.expect(STRING, "a string after `c`");
        }
        ASM_KW => inline_assembly(p),
        BLOCKADDRESS_KW => block_address(p),
        DSO_LOCAL_EQUIVALENT_KW | NO_CFI_KW => {
            p.bump();
            if !matches!(p.current, GLOBAL | GLOBAL_ID) {
                p.expected("the name of a global");
            }
            p.bump();
        }
        _ => expression(p),
    }
    p.complete(m, VALUE);
}

/// Constant expressions, those of older versions of LLVM too.
fn expression(p: &mut P<'_, '_>) {
    match p.current {
        PTRAUTH_KW => signed_pointer(p),
        SPLAT_KW => {
            p.bump();
            p.expect(L_PAREN, "`(` after `splat`");
            p.nested(typed);
            p.expect(R_PAREN, "`)` at the end of `splat`");
        }
        TRUNC_KW | CAST_KW
            if matches!(
                p.text(),
                "trunc" | "bitcast" | "addrspacecast" | "inttoptr" | "ptrtoint" | "ptrtoaddr"
            ) =>
        {
            cast(p);
        }
        ARITH_KW | PLAIN_BINARY_KW if matches!(p.text(), "add" | "sub" | "xor") => binary(p),
        GETELEMENTPTR_KW | SHUFFLEVECTOR_KW | INSERTELEMENT_KW | EXTRACTELEMENT_KW => address_or_element(p),
        ARITH_KW | SHIFT_DIV_KW | PLAIN_BINARY_KW | FLOAT_BINARY_KW | OR_KW | FNEG_KW | SELECT_KW
        | NNEG_CAST_KW | FLOAT_CAST_KW | CAST_KW | ICMP_KW | FCMP_KW | EXTRACTVALUE_KW | INSERTVALUE_KW => {
            removed::expression(p);
        }
        _ => p.expected("a value"),
    }
}

fn inline_assembly(p: &mut P<'_, '_>) {
    p.bump();
    p.eat(SIDEEFFECT_KW);
    p.eat(ALIGNSTACK_KW);
    p.eat(INTELDIALECT_KW);
    p.eat(UNWIND_KW);
    p.expect(STRING, "the assembly text");
    p.expect(COMMA, "`,` after the assembly text");
    p.expect(STRING, "the constraints of the assembly");
}

fn block_address(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(` after `blockaddress`");
    p.nested(value);
    p.expect(COMMA, "`,` after the function");
    p.nested(value);
    p.expect(R_PAREN, "`)` after the block");
}

fn signed_pointer(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(` after `ptrauth`");
    p.nested(typed);
    p.expect(COMMA, "`,` after the pointer");
    p.nested(typed);
    let mut more = 0;
    while more < 3 && p.eat(COMMA) {
        p.nested(typed);
        more += 1;
    }
    p.expect(R_PAREN, "`)` at the end of `ptrauth`");
}

fn cast(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(` after the cast");
    p.nested(typed);
    p.expect(TO_KW, "`to` in the cast");
    p.nested(ty);
    p.expect(R_PAREN, "`)` at the end of the cast");
}

fn binary(p: &mut P<'_, '_>) {
    let wraps = p.at(ARITH_KW);
    p.bump();
    if wraps {
        p.eat(NUW_KW);
        if p.eat(NSW_KW) {
            p.eat(NUW_KW);
        }
    }
    p.expect(L_PAREN, "`(` after the operator");
    p.nested(typed);
    p.expect(COMMA, "`,` between the operands");
    p.nested(typed);
    p.expect(R_PAREN, "`)` at the end of the expression");
}

/// `getelementptr` and the expressions on vectors.
fn address_or_element(p: &mut P<'_, '_>) {
    let gep = p.at(GETELEMENTPTR_KW);
    p.bump();
    if gep {
        while p.eat(INBOUNDS_KW) || p.eat(NUSW_KW) || p.eat(NUW_KW) {}
        if p.eat(INRANGE_KW) {
            p.expect(L_PAREN, "`(` after `inrange`");
            p.expect(NUMBER, "the start of the range");
            p.expect(COMMA, "`,` in the range");
            p.expect(NUMBER, "the end of the range");
            p.expect(R_PAREN, "`)` after the range");
        }
    }
    p.expect(L_PAREN, "`(` in the expression");
    if gep {
        p.nested(|p| {
            pointee(p, "`,` after the type");
            value(p);
            while p.eat(COMMA) && !p.at(INRANGE_KW) {
                typed(p);
            }
        });
    } else {
        elements(p);
    }
    if gep && p.at(INRANGE_KW) {
        return p.error(
            "`inrange` of an index was replaced in LLVM 19: write `getelementptr inrange(START, END) (...)`",
        );
    }
    p.expect(R_PAREN, "`)` at the end of the expression");
}

/// Typed values with commas; may be empty.
fn elements(p: &mut P<'_, '_>) {
    if matches!(p.current, R_BRACE | R_BRACKET | GREATER | R_PAREN) {
        return;
    }
    p.nested(|p| {
        typed(p);
        while p.eat(COMMA) {
            if p.at(INRANGE_KW) {
                return;
            }
            typed(p);
        }
    });
}
