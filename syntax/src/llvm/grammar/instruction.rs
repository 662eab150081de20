//! Instructions.

use super::P;
use super::calls::{call, exception_args};
use super::memory::{alloca, atomicrmw, cmpxchg, fence, load, store};
use super::metadata::attachment;
use super::opcodes::is_terminator;
use super::types::ty;
use super::values::{typed, value};
use crate::llvm::LlvmKind::*;

/// One instruction with its result name and attachments. Returns whether it ends its block.
pub(super) fn instruction(p: &mut P<'_, '_>) -> bool {
    let m = p.start();
    if matches!(p.current, LOCAL | LOCAL_ID) {
        p.bump();
        p.expect(EQUAL, "`=` after the name of the result");
    }
    let opcode = p.current;
    // Whether the instruction took the comma before its attachments.
    let comma = match opcode {
        UNREACHABLE_KW => {
            p.bump();
            false
        }
        RET_KW => {
            p.bump();
            // `void ()* @f` is a value of old.
            let void = p.at(VOID_KW) && !matches!(p.nth(1), STAR | L_PAREN | ADDRSPACE_KW);
            ty(p);
            if !void {
                value(p);
            }
            false
        }
        BR_KW => {
            p.bump();
            let label = p.at(LABEL_KW);
            typed(p);
            if !label {
                p.expect(COMMA, "`,` after the condition");
                typed(p);
                p.expect(COMMA, "`,` after the first destination");
                typed(p);
            }
            false
        }
        SWITCH_KW => {
            switch(p);
            false
        }
        INDIRECTBR_KW => {
            p.bump();
            typed(p);
            p.expect(COMMA, "`,` after the address");
            destinations(p);
            false
        }
        INVOKE_KW => {
            p.bump();
            call(p, true);
            p.expect(TO_KW, "`to` and the normal destination");
            typed(p);
            p.expect(UNWIND_KW, "`unwind` and the unwind destination");
            typed(p);
            false
        }
        CALLBR_KW => {
            p.bump();
            call(p, false);
            p.expect(TO_KW, "`to` and the default destination");
            typed(p);
            destinations(p);
            false
        }
        CALL_KW => {
            p.bump();
            fast_flags(p);
            call(p, true);
            false
        }
        TAIL_KW | MUSTTAIL_KW | NOTAIL_KW => {
            p.bump();
            p.expect(CALL_KW, "`call`");
            fast_flags(p);
            call(p, true);
            false
        }
        RESUME_KW | FREEZE_KW => {
            p.bump();
            typed(p);
            false
        }
        CLEANUPRET_KW => {
            p.bump();
            p.expect(FROM_KW, "`from` and the cleanup pad");
            value(p);
            p.expect(UNWIND_KW, "`unwind`");
            unwind_target(p);
            false
        }
        CATCHRET_KW => {
            p.bump();
            p.expect(FROM_KW, "`from` and the catch pad");
            value(p);
            p.expect(TO_KW, "`to` and a destination");
            typed(p);
            false
        }
        CATCHSWITCH_KW => {
            p.bump();
            scope(p, true);
            p.expect(L_BRACKET, "`[` and the handlers");
            typed(p);
            while p.eat(COMMA) {
                typed(p);
            }
            p.expect(R_BRACKET, "`]` after the handlers");
            p.expect(UNWIND_KW, "`unwind`");
            unwind_target(p);
            false
        }
        CATCHPAD_KW | CLEANUPPAD_KW => {
            p.bump();
            scope(p, opcode == CLEANUPPAD_KW);
            exception_args(p);
            false
        }
        FNEG_KW => {
            p.bump();
            fast_flags(p);
            typed(p);
            false
        }
        ARITH_KW => {
            p.bump();
            wrap_flags(p);
            binary(p);
            false
        }
        SHIFT_DIV_KW => {
            p.bump();
            p.eat(EXACT_KW);
            binary(p);
            false
        }
        PLAIN_BINARY_KW => {
            p.bump();
            binary(p);
            false
        }
        OR_KW => {
            p.bump();
            p.eat(DISJOINT_KW);
            binary(p);
            false
        }
        FLOAT_BINARY_KW => {
            p.bump();
            fast_flags(p);
            binary(p);
            false
        }
        ICMP_KW => {
            p.bump();
            p.eat(SAMESIGN_KW);
            match p.text() {
                "eq" | "ne" | "slt" | "sgt" | "sle" | "sge" | "ult" | "ugt" | "ule" | "uge" => p.bump(),
                _ => p.expected("a predicate of `icmp` (eq, ne, slt, ...)"),
            }
            binary(p);
            false
        }
        FCMP_KW => {
            p.bump();
            fast_flags(p);
            match p.current {
                TRUE_KW | FALSE_KW => p.bump(),
                PREDICATE_KW if !matches!(p.text(), "eq" | "ne" | "slt" | "sgt" | "sle" | "sge") => p.bump(),
                _ => p.expected("a predicate of `fcmp` (oeq, ult, ...)"),
            }
            binary(p);
            false
        }
        TRUNC_KW => {
            p.bump();
            wrap_flags(p);
            cast(p);
            false
        }
        NNEG_CAST_KW => {
            p.bump();
            p.eat(NNEG_KW);
            cast(p);
            false
        }
        FLOAT_CAST_KW => {
            p.bump();
            fast_flags(p);
            cast(p);
            false
        }
        CAST_KW => {
            p.bump();
            cast(p);
            false
        }
        SELECT_KW => {
            p.bump();
            fast_flags(p);
            operands(p, 3);
            false
        }
        INSERTELEMENT_KW | SHUFFLEVECTOR_KW => {
            p.bump();
            operands(p, 3);
            false
        }
        EXTRACTELEMENT_KW => {
            p.bump();
            operands(p, 2);
            false
        }
        VA_ARG_KW => {
            p.bump();
            typed(p);
            p.expect(COMMA, "`,` after the operand");
            ty(p);
            false
        }
        PHI_KW => {
            p.bump();
            fast_flags(p);
            phi(p)
        }
        LANDINGPAD_KW => {
            p.bump();
            ty(p);
            p.eat(CLEANUP_KW);
            while matches!(p.current, CATCH_KW | FILTER_KW) {
                p.bump();
                typed(p);
            }
            false
        }
        ALLOCA_KW => alloca(p),
        LOAD_KW => load(p),
        STORE_KW => store(p),
        CMPXCHG_KW => cmpxchg(p),
        ATOMICRMW_KW => atomicrmw(p),
        FENCE_KW => fence(p),
        GETELEMENTPTR_KW => {
            p.bump();
            while p.eat(INBOUNDS_KW) || p.eat(NUSW_KW) || p.eat(NUW_KW) {}
            ty(p);
            p.expect(COMMA, "`,` after the type");
            typed(p);
            let mut comma = false;
            while p.eat(COMMA) {
                if p.at(METADATA_NAME) {
                    comma = true;
                    break;
                }
                typed(p);
            }
            comma
        }
        EXTRACTVALUE_KW => {
            p.bump();
            typed(p);
            indices(p)
        }
        INSERTVALUE_KW => {
            p.bump();
            operands(p, 2);
            indices(p)
        }
        _ => {
            let misspelt = p.at(WORD);
            p.expected("an instruction");
            if misspelt {
                // Reading goes on at the next line, or at the next misspelt word.
                p.inner.bump();
            }
            false
        }
    };
    if comma || p.eat(COMMA) {
        attachment(p);
        while p.eat(COMMA) {
            attachment(p);
        }
    }
    p.complete(m, INST);
    is_terminator(opcode)
}

fn fast_flags(p: &mut P<'_, '_>) {
    while p.eat(FAST_FLAG_KW) {}
}

fn wrap_flags(p: &mut P<'_, '_>) {
    let unsigned = p.eat(NUW_KW);
    p.eat(NSW_KW);
    if !unsigned {
        p.eat(NUW_KW);
    }
}

/// `i32 %a, %b`.
fn binary(p: &mut P<'_, '_>) {
    typed(p);
    p.expect(COMMA, "`,` between the operands");
    value(p);
}

/// `i32 %a, i32 %b, ...`.
pub(super) fn operands(p: &mut P<'_, '_>, count: u32) {
    typed(p);
    for _ in 1..count {
        p.expect(COMMA, "`,` between the operands");
        typed(p);
    }
}

fn cast(p: &mut P<'_, '_>) {
    typed(p);
    p.expect(TO_KW, "`to` and a type");
    ty(p);
}

fn switch(p: &mut P<'_, '_>) {
    p.bump();
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

/// `within %pad`.
fn scope(p: &mut P<'_, '_>, none: bool) {
    p.expect(WITHIN_KW, "`within` and a pad");
    let known = matches!(p.current, LOCAL | LOCAL_ID) || none && p.at(NONE_KW);
    if !known {
        p.expected("a pad");
    }
    value(p);
}

/// Returns whether the comma before attachments was taken.
fn phi(p: &mut P<'_, '_>) -> bool {
    ty(p);
    if !p.at(L_BRACKET) {
        return false;
    }
    loop {
        p.expect(L_BRACKET, "`[` and an incoming value");
        value(p);
        p.expect(COMMA, "`,` after the incoming value");
        value(p);
        p.expect(R_BRACKET, "`]` after the incoming block");
        if !p.eat(COMMA) {
            return false;
        }
        if p.at(METADATA_NAME) {
            return true;
        }
    }
}

/// `, 1, 0`. Returns whether the comma before attachments was taken.
fn indices(p: &mut P<'_, '_>) -> bool {
    if !p.at(COMMA) {
        p.expected("`,` and an index");
    }
    let mut any = false;
    while p.eat(COMMA) {
        if p.at(METADATA_NAME) && any {
            return true;
        }
        p.expect(NUMBER, "an index");
        any = true;
    }
    false
}
