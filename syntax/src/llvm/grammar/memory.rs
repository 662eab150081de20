//! Instructions on memory. Each returns whether it took the comma before its attachments.

use super::P;
use super::attributes::alignment;
use super::instruction::operands;
use super::newer::{elementwise, word};
use super::types::{address_space, pointee, ty};
use super::values::{typed, value};
use crate::llvm::LlvmKind::*;

pub(super) fn load(p: &mut P<'_, '_>) -> bool {
    p.bump();
    let atomic = p.eat(ATOMIC_KW);
    p.eat(VOLATILE_KW);
    elementwise(p);
    pointee(p, "`,` after the loaded type");
    value(p);
    if atomic {
        sync_scope(p);
        ordering(p);
    }
    comma_align(p)
}

pub(super) fn store(p: &mut P<'_, '_>) -> bool {
    p.bump();
    let atomic = p.eat(ATOMIC_KW);
    p.eat(VOLATILE_KW);
    elementwise(p);
    operands(p, 2);
    if atomic {
        sync_scope(p);
        ordering(p);
    }
    comma_align(p)
}

pub(super) fn cmpxchg(p: &mut P<'_, '_>) -> bool {
    p.bump();
    p.eat(WEAK_KW);
    p.eat(VOLATILE_KW);
    operands(p, 3);
    sync_scope(p);
    ordering(p);
    ordering(p);
    comma_align(p)
}

pub(super) fn atomicrmw(p: &mut P<'_, '_>) -> bool {
    p.bump();
    p.eat(VOLATILE_KW);
    elementwise(p);
    match p.text() {
        "add" | "sub" | "and" | "or" | "xor" | "fadd" | "fsub" => p.bump(),
        "fmaximumnum" | "fminimumnum" => word(p),
        _ => p.expect(RMW_KW, "an operation of `atomicrmw`"),
    }
    operands(p, 2);
    sync_scope(p);
    ordering(p);
    comma_align(p)
}

pub(super) fn fence(p: &mut P<'_, '_>) -> bool {
    p.bump();
    sync_scope(p);
    ordering(p);
    false
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

/// `, align 4`, repeated. Returns whether the comma before attachments was taken.
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

/// `, addrspace(5)`, repeated.
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

/// Whether a word is a misspelt `align` or `addrspace`, not a type.
fn is_near_clause(word: &str) -> bool {
    crate::spelling::closest(word, ["align", "addrspace"]).is_some()
}

pub(super) fn alloca(p: &mut P<'_, '_>) -> bool {
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
            WORD if is_near_clause(p.text()) => {
                p.expected("metadata, `align` or `addrspace`");
                return false;
            }
            _ if count_allowed => typed(p),
            // The comma is gone, and only attachments may follow one.
            _ => return true,
        }
    }
    false
}
