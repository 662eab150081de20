//! Instructions.

use super::P;
use super::attributes::{alignment, calling_convention, function_attributes, value_attributes};
use super::metadata::{attachment, metadata};
use super::types::{address_space, opt_address_space, ty};
use super::values::{typed, value};
use crate::llvm::LlvmKind::{self, *};

pub(super) fn is_opcode(kind: LlvmKind) -> bool {
    is_terminator(kind)
        || matches!(
            kind,
            FNEG_KW
                | ARITH_KW
                | SHIFT_DIV_KW
                | PLAIN_BINARY_KW
                | FLOAT_BINARY_KW
                | OR_KW
                | ICMP_KW
                | FCMP_KW
                | TRUNC_KW
                | NNEG_CAST_KW
                | FLOAT_CAST_KW
                | CAST_KW
                | SELECT_KW
                | VA_ARG_KW
                | EXTRACTELEMENT_KW
                | INSERTELEMENT_KW
                | SHUFFLEVECTOR_KW
                | PHI_KW
                | LANDINGPAD_KW
                | FREEZE_KW
                | CALL_KW
                | TAIL_KW
                | MUSTTAIL_KW
                | NOTAIL_KW
                | ALLOCA_KW
                | LOAD_KW
                | STORE_KW
                | CMPXCHG_KW
                | ATOMICRMW_KW
                | FENCE_KW
                | GETELEMENTPTR_KW
                | EXTRACTVALUE_KW
                | INSERTVALUE_KW
                | CATCHPAD_KW
                | CLEANUPPAD_KW
        )
}

fn is_terminator(kind: LlvmKind) -> bool {
    matches!(
        kind,
        RET_KW
            | BR_KW
            | SWITCH_KW
            | INDIRECTBR_KW
            | INVOKE_KW
            | CALLBR_KW
            | RESUME_KW
            | UNREACHABLE_KW
            | CLEANUPRET_KW
            | CATCHRET_KW
            | CATCHSWITCH_KW
    )
}

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
            let void = p.at(VOID_KW);
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
        LOAD_KW => {
            p.bump();
            let atomic = p.eat(ATOMIC_KW);
            p.eat(VOLATILE_KW);
            ty(p);
            p.expect(COMMA, "`,` after the loaded type");
            typed(p);
            if atomic {
                sync_scope(p);
                ordering(p);
            }
            comma_align(p)
        }
        STORE_KW => {
            p.bump();
            let atomic = p.eat(ATOMIC_KW);
            p.eat(VOLATILE_KW);
            operands(p, 2);
            if atomic {
                sync_scope(p);
                ordering(p);
            }
            comma_align(p)
        }
        CMPXCHG_KW => {
            p.bump();
            p.eat(WEAK_KW);
            p.eat(VOLATILE_KW);
            operands(p, 3);
            sync_scope(p);
            ordering(p);
            ordering(p);
            comma_align(p)
        }
        ATOMICRMW_KW => {
            p.bump();
            p.eat(VOLATILE_KW);
            match p.text() {
                "add" | "sub" | "and" | "or" | "xor" | "fadd" | "fsub" => p.bump(),
                _ => p.expect(RMW_KW, "an operation of `atomicrmw`"),
            }
            operands(p, 2);
            sync_scope(p);
            ordering(p);
            comma_align(p)
        }
        FENCE_KW => {
            p.bump();
            sync_scope(p);
            ordering(p);
            false
        }
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
            p.expected("an instruction");
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
fn operands(p: &mut P<'_, '_>, count: u32) {
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

fn exception_args(p: &mut P<'_, '_>) {
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
    ty(p);
    if is_metadata { metadata(p) } else { value(p) }
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

/// After `call`, `invoke` or `callbr`: convention, type, callee, arguments, attributes, bundles.
fn call(p: &mut P<'_, '_>, address: bool) {
    calling_convention(p);
    value_attributes(p);
    if address {
        opt_address_space(p);
    }
    ty(p);
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
            ty(p);
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
        p.error("a list of operand bundles cannot be empty");
    }
    p.expect(R_BRACKET, "`]` after the operand bundles");
    p.complete(m, BUNDLE_LIST);
}

fn sync_scope(p: &mut P<'_, '_>) {
    if p.eat(SYNCSCOPE_KW) {
        p.expect(L_PAREN, "`(` after `syncscope`");
        p.expect(STRING, "the name of a synchronization scope");
        p.expect(R_PAREN, "`)` after the scope");
    }
}

fn ordering(p: &mut P<'_, '_>) {
    p.expect(ORDERING_KW, "a memory ordering");
}

/// `, align 4` as often as it stands there. Returns whether the comma before attachments was taken.
fn comma_align(p: &mut P<'_, '_>) -> bool {
    while p.eat(COMMA) {
        if p.at(METADATA_NAME) {
            return true;
        }
        if !p.at(ALIGN_KW) {
            p.expected("metadata or `align`");
            return false;
        }
        alignment(p);
    }
    false
}

/// `, addrspace(5)` as often as it stands there.
fn comma_address_space(p: &mut P<'_, '_>) -> bool {
    while p.eat(COMMA) {
        if p.at(METADATA_NAME) {
            return true;
        }
        if !p.at(ADDRSPACE_KW) {
            p.expected("metadata or `addrspace`");
            return false;
        }
        address_space(p);
    }
    false
}

fn alloca(p: &mut P<'_, '_>) -> bool {
    p.bump();
    p.eat(INALLOCA_KW);
    p.eat(SWIFTERROR_KW);
    ty(p);
    for count_allowed in [true, false] {
        if !p.eat(COMMA) {
            return false;
        }
        match p.current {
            ALIGN_KW => {
                alignment(p);
                return comma_address_space(p);
            }
            ADDRSPACE_KW => {
                address_space(p);
                return false;
            }
            METADATA_NAME => return true,
            _ if count_allowed => typed(p),
            // The comma is gone, and only attachments may follow one.
            _ => return true,
        }
    }
    false
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
