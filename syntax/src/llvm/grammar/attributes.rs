//! Attributes, linkage words, calling conventions.

use super::types::ty;
use super::{P, foreign, newer, removed, types, words};
use crate::llvm::LlvmKind::{self, *};

pub(super) fn is_attribute(kind: LlvmKind) -> bool {
    matches!(
        kind,
        ATTR_KW
            | TYPE_ATTR_KW
            | ALIGN_KW
            | ALIGNSTACK_KW
            | INALLOCA_KW
            | SWIFTERROR_KW
            | SANITIZE_MEMTAG_KW
            | MEMORY_KW
            | RANGE_KW
            | INITIALIZES_KW
            | CAPTURES_KW
            | NOFPCLASS_KW
            | DENORMAL_FPENV_KW
            | PREFALIGN_KW
            | ALLOCKIND_KW
            | ALLOCSIZE_KW
            | VSCALE_RANGE_KW
            | DEREFERENCEABLE_KW
            | UWTABLE_KW
    )
}

/// Attributes of a parameter or a return value; may be none.
pub(super) fn value_attributes(p: &mut P<'_, '_>) {
    loop {
        let current = p.current;
        match current {
            STRING => string(p),
            LEGACY_ATTR_KW if p.text() == "nocapture" => word(p),
            kind if is_attribute(kind) => attribute(p, false),
            WORD if is_misspelt(p) => p.skip_unknown_word("an attribute"),
            _ => return,
        }
    }
}

/// Attributes of a function, a call site or (`group`) an attribute group; may be none.
pub(super) fn function_attributes(p: &mut P<'_, '_>, group: bool) {
    loop {
        let current = p.current;
        match current {
            STRING => string(p),
            ATTR_GROUP_ID => {
                if group {
                    p.error("an attribute group must not refer to another one");
                }
                word(p);
            }
            LEGACY_ATTR_KW if p.text() != "nocapture" => word(p),
            kind if is_attribute(kind) => attribute(p, group),
            WORD if is_misspelt(p) => p.skip_unknown_word("an attribute"),
            _ => return,
        }
    }
}

/// Is the current word, which is none of the grammar's, close to one that is not a type? On a new line something else begins.
fn is_misspelt(p: &mut P<'_, '_>) -> bool {
    !p.at_line_start()
        && !removed::is_type(p)
        && !newer::is_type(p)
        && !foreign::is_type(p)
        && words::closest(p.text(), |_| true).is_some_and(|near| !types::is_type_start(words::kind(near)))
}

fn word(p: &mut P<'_, '_>) {
    let m = p.start();
    p.bump();
    p.complete(m, ATTR);
}

fn string(p: &mut P<'_, '_>) {
    let m = p.start();
    p.bump();
    if p.eat(EQUAL) {
        p.expect(STRING, "the attribute's value as a string");
    }
    p.complete(m, ATTR);
}

fn attribute(p: &mut P<'_, '_>, group: bool) {
    let m = p.start();
    match p.current {
        TYPE_ATTR_KW | INALLOCA_KW => {
            p.bump();
            p.expect(L_PAREN, "`(` and a type");
            ty(p);
            p.expect(R_PAREN, "`)` after the type");
        }
        ALIGN_KW if group => {
            p.bump();
            p.expect(EQUAL, "`=` after `align`");
            p.expect(NUMBER, "the alignment");
        }
        ALIGN_KW => {
            p.bump();
            let parenthesis = p.eat(L_PAREN);
            p.expect(NUMBER, "the alignment");
            if parenthesis {
                p.expect(R_PAREN, "`)` after the alignment");
            }
        }
        ALIGNSTACK_KW if group => {
            p.bump();
            p.expect(EQUAL, "`=` after `alignstack`");
            p.expect(NUMBER, "the alignment");
        }
        ALIGNSTACK_KW | DEREFERENCEABLE_KW => {
            p.bump();
            p.expect(L_PAREN, "`(`");
            p.expect(NUMBER, "a number of bytes");
            p.expect(R_PAREN, "`)`");
        }
        ALLOCSIZE_KW | VSCALE_RANGE_KW => {
            p.bump();
            p.expect(L_PAREN, "`(`");
            p.expect(NUMBER, "a number");
            if p.eat(COMMA) {
                p.expect(NUMBER, "a number");
            }
            p.expect(R_PAREN, "`)`");
        }
        UWTABLE_KW => {
            p.bump();
            if p.eat(L_PAREN) {
                if !p.eat_word("sync") && !p.eat_word("async") {
                    p.expected("`sync` or `async`");
                }
                p.expect(R_PAREN, "`)`");
            }
        }
        ALLOCKIND_KW => {
            p.bump();
            p.expect(L_PAREN, "`(`");
            p.expect(STRING, "a string of allocation kinds");
            p.expect(R_PAREN, "`)`");
        }
        MEMORY_KW => memory(p),
        CAPTURES_KW => captures(p),
        NOFPCLASS_KW => nofpclass(p),
        DENORMAL_FPENV_KW => newer::denormal_fpenv(p),
        PREFALIGN_KW => newer::preferred_alignment(p),
        ATTR_KW if newer::is_attribute(p.text()) => newer::word(p),
        RANGE_KW => {
            p.bump();
            p.expect(L_PAREN, "`(`");
            ty(p);
            integer(p);
            p.expect(COMMA, "`,` between the limits");
            integer(p);
            p.expect(R_PAREN, "`)`");
        }
        INITIALIZES_KW => {
            p.bump();
            p.expect(L_PAREN, "`(`");
            loop {
                p.expect(L_PAREN, "`(` before a range");
                integer(p);
                p.expect(COMMA, "`,` between the limits");
                integer(p);
                p.expect(R_PAREN, "`)` after a range");
                if !p.eat(COMMA) {
                    break;
                }
            }
            p.expect(R_PAREN, "`)`");
        }
        _ => {
            let has_size = p.text() == "dead_on_return";
            p.bump();
            if has_size && p.at(L_PAREN) {
                newer::size(p);
            }
        }
    }
    p.complete(m, ATTR);
}

fn integer(p: &mut P<'_, '_>) {
    if !p.eat(HEX_NUMBER) {
        p.expect(NUMBER, "an integer");
    }
}

fn memory(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(`");
    let mut located = false;
    let mut is_target_numbered = false;
    loop {
        let location = matches!(
            p.text(),
            "argmem" | "inaccessiblemem" | "errnomem" | "target_mem" | "target_mem0" | "target_mem1"
        );
        if location {
            if p.text() == "target_mem" {
                if is_target_numbered {
                    p.error(
                        "the access of `target_mem` must come before that of `target_mem0` and `target_mem1`",
                    );
                } else {
                    newer::target_memory(p);
                }
            }
            is_target_numbered |= matches!(p.text(), "target_mem0" | "target_mem1");
            p.bump();
            p.expect(COLON, "`:` after the location");
        }
        match p.text() {
            "none" | "read" | "write" | "readwrite" => {
                if located && !location {
                    p.error("the default access must come before the access of a location");
                }
                p.bump();
            }
            _ if location => p.expected("an access: `none`, `read`, `write` or `readwrite`"),
            _ => p.expected(
                "a location (`argmem`, `inaccessiblemem`, `errnomem`) or an access (`none`, `read`, `write`, `readwrite`)",
            ),
        }
        located |= location;
        if p.eat(R_PAREN) {
            return;
        }
        if !p.eat(COMMA) {
            p.expected("`,` or `)`");
            return;
        }
    }
}

fn captures(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(`");
    let (mut seen, mut none, mut returned) = (false, false, false);
    loop {
        if p.eat(RET_KW) {
            p.expect(COLON, "`:` after `ret`");
            if returned {
                p.error("duplicate `ret`");
            }
            (seen, none, returned) = (false, false, true);
        }
        match p.text() {
            "none" => {
                if seen {
                    p.error("`none` excludes other components");
                }
                none = true;
            }
            "address" | "address_is_null" | "provenance" | "read_provenance" => {
                if none {
                    p.error("`none` excludes other components");
                }
            }
            _ => p.expected("`none`, `address`, `address_is_null`, `provenance` or `read_provenance`"),
        }
        p.bump();
        seen = true;
        if p.eat(R_PAREN) {
            return;
        }
        if !p.eat(COMMA) {
            p.expected("`,` or `)`");
            return;
        }
    }
}

fn nofpclass(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(`");
    let mut first = true;
    loop {
        match p.text() {
            "all" | "nan" | "snan" | "qnan" | "inf" | "ninf" | "pinf" | "norm" | "nnorm" | "pnorm"
            | "sub" | "nsub" | "psub" | "zero" | "nzero" | "pzero" => p.bump(),
            _ if first && p.at(NUMBER) => {
                p.bump();
                p.expect(R_PAREN, "`)`");
                return;
            }
            _ => {
                p.expected("a class of floating-point values such as `nan`");
                return;
            }
        }
        first = false;
        if p.eat(R_PAREN) {
            return;
        }
    }
}

/// Linkage, preemption, visibility, DLL storage: each may be missing.
pub(super) fn linkage(p: &mut P<'_, '_>) {
    if matches!(p.current, LINKAGE_KW | WEAK_KW) {
        p.bump();
    }
    let local = p.at(DSO_KW) && p.text() == "dso_local";
    p.eat(DSO_KW);
    p.eat(VISIBILITY_KW);
    let import = p.at(DLL_KW) && p.text() == "dllimport";
    p.eat(DLL_KW);
    if local && import {
        p.error("`dso_local` and `dllimport` are mutually exclusive");
    }
}

pub(super) fn calling_convention(p: &mut P<'_, '_>) {
    match p.current {
        CC_KW => p.bump(),
        CC_NUMBER_KW => {
            p.bump();
            p.expect(NUMBER, "the number of a calling convention");
        }
        RISCV_VLS_CC_KW => {
            p.bump();
            if p.eat(L_PAREN) {
                // The lengths that RISC-V's psABI has a convention for.
                let length = if p.at(NUMBER) { p.text().parse::<u32>().ok() } else { Some(32) };
                if !length.is_some_and(|length| length.is_power_of_two() && (32..=65536).contains(&length)) {
                    p.error("the vector length must be a power of two between 32 and 65536");
                }
                p.expect(NUMBER, "a vector length");
                p.expect(R_PAREN, "`)`");
            }
        }
        _ => {}
    }
}

pub(super) fn unnamed_addr(p: &mut P<'_, '_>) {
    p.eat(UNNAMED_ADDR_KW);
}

pub(super) fn thread_local(p: &mut P<'_, '_>) {
    if p.eat(THREAD_LOCAL_KW) && p.eat(L_PAREN) {
        p.expect(TLS_MODEL_KW, "`localdynamic`, `initialexec` or `localexec`");
        p.expect(R_PAREN, "`)` after the thread local model");
    }
}

/// `comdat` or `comdat($name)`.
pub(super) fn opt_comdat(p: &mut P<'_, '_>) -> bool {
    if !p.eat(COMDAT_KW) {
        return false;
    }
    if p.eat(L_PAREN) {
        p.expect(COMDAT, "the name of a comdat");
        p.expect(R_PAREN, "`)` after the comdat");
    }
    true
}

/// At `align`: the word and the number.
pub(super) fn alignment(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(NUMBER, "the alignment");
}
