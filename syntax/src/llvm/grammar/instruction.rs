//! Instructions.

use super::calls::{call, exception_args};
use super::memory::{alloca, atomicrmw, cmpxchg, fence, load, store};
use super::metadata::attachment;
use super::opcodes::is_terminator;
use super::terminators::terminator;
use super::types::{pointee, ty};
use super::values::{typed, value};
use super::{P, newer};
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
    let comma = match is_terminator(opcode) {
        true => {
            terminator(p);
            false
        }
        false => operation(p),
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

/// An instruction that ends no block. Returns whether the comma before attachments was taken.
fn operation(p: &mut P<'_, '_>) -> bool {
    match p.current {
        CALL_KW => flagged(p, fast_flags, |p| call(p, true)),
        TAIL_KW | MUSTTAIL_KW | NOTAIL_KW => {
            p.bump();
            p.expect(CALL_KW, "`call`");
            fast_flags(p);
            call(p, true);
            false
        }
        FREEZE_KW => flagged(p, no_flags, typed),
        FNEG_KW => flagged(p, fast_flags, typed),
        ARITH_KW => flagged(p, wrap_flags, binary),
        SHIFT_DIV_KW => flagged(
            p,
            |p| {
                p.eat(EXACT_KW);
            },
            binary,
        ),
        PLAIN_BINARY_KW => flagged(p, no_flags, binary),
        OR_KW => flagged(
            p,
            |p| {
                p.eat(DISJOINT_KW);
            },
            binary,
        ),
        FLOAT_BINARY_KW => flagged(p, fast_flags, binary),
        ICMP_KW => flagged(
            p,
            |p| {
                p.eat(SAMESIGN_KW);
            },
            icmp,
        ),
        FCMP_KW => flagged(p, fast_flags, fcmp),
        TRUNC_KW => flagged(p, wrap_flags, cast),
        NNEG_CAST_KW => {
            let is_conversion = p.text() == "uitofp";
            let flags = |p: &mut P<'_, '_>| {
                if is_conversion {
                    newer::fast_flags(p);
                }
                p.eat(NNEG_KW);
            };
            flagged(p, flags, cast)
        }
        FLOAT_CAST_KW => flagged(p, fast_flags, cast),
        CAST_KW if p.text() == "sitofp" => flagged(p, newer::fast_flags, cast),
        CAST_KW if p.text() == "addrspacecast" => flagged(p, newer::non_null, cast),
        CAST_KW => flagged(p, no_flags, cast),
        SELECT_KW => flagged(p, fast_flags, |p| operands(p, 3)),
        INSERTELEMENT_KW | SHUFFLEVECTOR_KW => flagged(p, no_flags, |p| operands(p, 3)),
        EXTRACTELEMENT_KW => flagged(p, no_flags, |p| operands(p, 2)),
        CATCHPAD_KW | CLEANUPPAD_KW => {
            let may_have_none = p.at(CLEANUPPAD_KW);
            p.bump();
            scope(p, may_have_none);
            exception_args(p);
            false
        }
        LANDINGPAD_KW => flagged(p, no_flags, landingpad),
        VA_ARG_KW => flagged(p, no_flags, |p| {
            typed(p);
            p.expect(COMMA, "`,` after the operand");
            ty(p);
        }),
        PHI_KW => {
            p.bump();
            fast_flags(p);
            phi(p)
        }
        ALLOCA_KW => alloca(p),
        LOAD_KW => load(p),
        STORE_KW => store(p),
        CMPXCHG_KW => cmpxchg(p),
        ATOMICRMW_KW => atomicrmw(p),
        FENCE_KW => fence(p),
        GETELEMENTPTR_KW => getelementptr(p),
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
            match p.text() {
                "=" if p.at_line_start() => p.error("missing the name of the result before `=`"),
                _ => p.expected("an instruction"),
            }
            if misspelt {
                // Reading goes on at the next line, or at the next misspelt word.
                p.inner.bump();
            }
            false
        }
    }
}

/// The opcode, its flags and the rest, which takes no comma before attachments.
fn flagged(p: &mut P<'_, '_>, flags: impl Fn(&mut P<'_, '_>), rest: impl Fn(&mut P<'_, '_>)) -> bool {
    p.bump();
    flags(p);
    rest(p);
    false
}

fn no_flags(_: &mut P<'_, '_>) {}

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

/// The predicate and operands of an integer comparison.
fn icmp(p: &mut P<'_, '_>) {
    match p.text() {
        "eq" | "ne" | "slt" | "sgt" | "sle" | "sge" | "ult" | "ugt" | "ule" | "uge" => p.bump(),
        _ => p.expected("a predicate of `icmp` (eq, ne, slt, ...)"),
    }
    binary(p);
}

/// The predicate and operands of a comparison of floating-point values.
fn fcmp(p: &mut P<'_, '_>) {
    match p.current {
        TRUE_KW | FALSE_KW => p.bump(),
        PREDICATE_KW if !matches!(p.text(), "eq" | "ne" | "slt" | "sgt" | "sle" | "sge") => p.bump(),
        _ => p.expected("a predicate of `fcmp` (oeq, ult, ...)"),
    }
    binary(p);
}

fn cast(p: &mut P<'_, '_>) {
    typed(p);
    p.expect(TO_KW, "`to` and a type");
    ty(p);
}

/// `within %pad`.
pub(super) fn scope(p: &mut P<'_, '_>, none: bool) {
    p.expect(WITHIN_KW, "`within` and a pad");
    let known = matches!(p.current, LOCAL | LOCAL_ID) || none && p.at(NONE_KW);
    if !known {
        p.expected("a pad");
    }
    value(p);
}

fn landingpad(p: &mut P<'_, '_>) {
    ty(p);
    p.eat(CLEANUP_KW);
    while matches!(p.current, CATCH_KW | FILTER_KW) {
        p.bump();
        typed(p);
    }
}

/// Returns whether the comma before attachments was taken.
fn getelementptr(p: &mut P<'_, '_>) -> bool {
    p.bump();
    while p.eat(INBOUNDS_KW) || p.eat(NUSW_KW) || p.eat(NUW_KW) {}
    pointee(p, "`,` after the type");
    value(p);
    while p.eat(COMMA) {
        if p.at(METADATA_NAME) {
            return true;
        }
        typed(p);
    }
    false
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
