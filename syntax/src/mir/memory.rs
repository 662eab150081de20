//! The grammar of memory operands, CFI directives and debug locations.

use rowan::TextSize;

use super::MirKind::{self, *};
use super::body::{metadata_id, power_of_two};
use super::operand::low_level_type;
use crate::machine::Parser;

type P<'t> = Parser<'t, MirKind>;

/// A number of at most `bits` bits, without a sign.
pub(super) fn unsigned(p: &mut P<'_>, bits: u32, what: &str) -> bool {
    let text = p.text();
    let digits = text.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16));
    let value = digits.unwrap_or_else(|| text.parse::<u64>());
    let ok = p.at_any(&[INT, HEX]) && value.is_ok_and(|v| bits == 64 || v >> bits == 0);
    if ok {
        p.bump();
    } else {
        p.expected(what);
    }
    ok
}

/// `+ 4` or `- 4`, or nothing.
pub(super) fn offset(p: &mut P<'_>) -> bool {
    if !p.at_any(&[PLUS, MINUS]) {
        return true;
    }
    let m = p.start();
    p.bump();
    let ok = p.at(INT) && p.text().parse::<i64>().is_ok();
    if ok {
        p.bump();
    } else {
        p.expected("a 64-bit integer");
    }
    m.complete(p, OFFSET);
    ok
}

/// `(volatile load (s32) from %ir.p + 4, align 8, addrspace 1)`
pub(super) fn operand(p: &mut P<'_>) -> bool {
    let m = p.start();
    let ok =
        p.expect(LPAREN, "`(` and a memory operand") && access(p) && attributes(p) && p.expect(RPAREN, "`)`");
    m.complete(p, MEMORY_OPERAND);
    ok
}

fn word(p: &mut P<'_>, text: &str) -> bool {
    let ok = p.at(IDENT) && p.text() == text;
    if ok {
        p.bump();
    }
    ok
}

fn access(p: &mut P<'_>) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    while p.at_any(&[MEMORY_FLAG, STRING]) {
        let flag = p.text();
        if seen.contains(&flag) {
            p.error(format!("duplicate memory flag `{flag}`"));
            return false;
        }
        seen.push(flag);
        p.bump();
    }
    let load = word(p, "load");
    if !load && !word(p, "store") {
        p.expected("`load` or `store`");
        return false;
    }
    let stores = word(p, "store");
    let both = load && stores;
    if p.at(IDENT) && p.text() == "syncscope" {
        p.bump();
        let ok = p.expect(LPAREN, "`(`") && p.expect(STRING, "the scope's name") && p.expect(RPAREN, "`)`");
        if !ok {
            return false;
        }
    }
    for _ in 0..2 {
        if !p.at(IDENT) {
            break;
        }
        if !matches!(p.text(), "unordered" | "monotonic" | "acquire" | "release" | "acq_rel" | "seq_cst") {
            p.expected("a sync scope, an atomic ordering or a memory type such as `(s32)`");
            return false;
        }
        p.bump();
    }
    match p.current() {
        INT => {
            let ok = p.text().parse::<u64>().is_ok() || p.text().starts_with('-');
            if !ok {
                p.error("the size is too large");
                return false;
            }
            p.bump();
        }
        UNKNOWN_SIZE_KW => p.bump(),
        LPAREN => {
            p.bump();
            if !low_level_type(p) || !p.expect(RPAREN, "`)`") {
                return false;
            }
        }
        _ => {
            p.expected("a type in parentheses, a size in bytes or `unknown-size`");
            return false;
        }
    }
    if !p.at(IDENT) {
        return true;
    }
    let preposition = if both {
        "on"
    } else if load {
        "from"
    } else {
        "into"
    };
    if !word(p, preposition) {
        p.expected(&format!("`{preposition}`"));
        return false;
    }
    pointer(p)
}

fn pointer(p: &mut P<'_>) -> bool {
    match p.current() {
        PSEUDO_SOURCE | FIXED_STACK_OBJECT | STACK_OBJECT | IR_VALUE | GLOBAL | QUOTED_IR
        | UNKNOWN_ADDRESS_KW => {
            p.bump();
        }
        CALL_ENTRY_KW => {
            p.bump();
            if !p.at_any(&[GLOBAL, EXTERNAL]) {
                p.expected("a global or an external symbol after `call-entry`");
                return false;
            }
            p.bump();
        }
        CUSTOM_KW => {
            p.bump();
            if !p.at_any(&[IDENT, STRING]) {
                p.expected("the name of a target's pseudo source");
                return false;
            }
            p.bump();
        }
        _ => {
            p.expected("an IR value (`%ir.name`) or a pseudo source");
            return false;
        }
    }
    offset(p)
}

fn attributes(p: &mut P<'_>) -> bool {
    while p.eat(COMMA) {
        let m = p.start();
        let ok = match p.current() {
            ALIGN_KW | BASEALIGN_KW => {
                p.bump();
                power_of_two(p)
            }
            ADDRSPACE_KW => {
                p.bump();
                unsigned(p, 32, "the number of an address space")
            }
            MD_WORD => {
                p.bump();
                metadata_id(p)
            }
            _ => {
                p.expected(
                    "`align`, `basealign`, `addrspace`, `!tbaa`, `!alias.scope`, `!noalias` or `!range`",
                );
                false
            }
        };
        m.complete(p, MEMORY_ATTRIBUTE);
        if !ok {
            return false;
        }
    }
    true
}

/// Whether LLVM takes a number for one of 32 bits. It reads a positive one in as many bits as it has, and counts the first ones as its
/// sign.
fn is_offset(text: &str) -> bool {
    match text.parse::<i128>() {
        Ok(number) if number < 0 => number >= i128::from(i32::MIN),
        Ok(number) => {
            let number = number.unsigned_abs();
            let zeros = number.leading_zeros();
            let ones = number.checked_shl(zeros).map_or(0, u128::leading_ones);
            u128::BITS - zeros + 1 - ones <= 32
        }
        Err(_) => false,
    }
}

/// `offset $sgpr30, 16` and the other CFI directives.
pub(super) fn cfi(p: &mut P<'_>) -> bool {
    let directive = p.text();
    if directive.starts_with("llvm_register") || directive.starts_with("llvm_vector") {
        super::operand::newer(p, format!("`{directive}`"));
    }
    p.bump();
    let register = |p: &mut P<'_>| p.expect(PHYSREG, "a physical register (`$name`)");
    let comma = |p: &mut P<'_>| p.expect(COMMA, "`,`");
    let offset = |p: &mut P<'_>| {
        if !p.at(INT) || !is_offset(p.text()) {
            p.expected("a 32-bit offset");
            return false;
        }
        p.bump();
        true
    };
    match directive {
        "same_value" | "def_cfa_register" | "restore" | "undefined" => register(p),
        "offset" | "rel_offset" | "def_cfa" => register(p) && comma(p) && offset(p),
        "def_cfa_offset" | "adjust_cfa_offset" => offset(p),
        "llvm_def_aspace_cfa" => {
            register(p) && comma(p) && offset(p) && comma(p) && unsigned(p, 32, "an address space")
        }
        "register" => register(p) && comma(p) && register(p),
        "llvm_register_pair" | "llvm_vector_register_mask" => {
            let part = |p: &mut P<'_>| comma(p) && register(p) && comma(p) && offset(p);
            register(p) && part(p) && part(p)
        }
        "llvm_vector_offset" => {
            let size = |p: &mut P<'_>| comma(p) && offset(p);
            register(p) && size(p) && comma(p) && register(p) && size(p) && size(p)
        }
        "llvm_vector_registers" => {
            let mut ok = register(p) && p.at(COMMA);
            while ok && p.eat(COMMA) {
                ok = register(p) && comma(p) && offset(p) && comma(p) && offset(p);
            }
            ok
        }
        "escape" => loop {
            let value = p.text();
            if !p.at(HEX) {
                p.expected("a hexadecimal byte");
                break false;
            }
            if u64::from_str_radix(value.get(2..).unwrap_or(""), 16).is_ok_and(|v| v > 0xff) {
                p.error("a byte must be at most 0xff");
                break false;
            }
            p.bump();
            if !p.eat(COMMA) {
                break true;
            }
        },
        _ => true,
    }
}

/// `!DILocation(line: 3, column: 5, scope: !7)`
pub(super) fn di_location(p: &mut P<'_>) -> bool {
    p.nested(|p| {
        let start = p.range().start();
        let m = p.start();
        p.bump();
        let ok = di_location_fields(p, start);
        m.complete(p, DI_LOCATION);
        ok
    })
}

fn di_location_fields(p: &mut P<'_>, start: TextSize) -> bool {
    if !p.expect(LPAREN, "`(`") {
        return false;
    }
    let (mut line, mut scope) = (false, false);
    if !p.at(RPAREN) {
        loop {
            let field = if p.at(IDENT) { p.text() } else { "" };
            let known = matches!(
                field,
                "line" | "column" | "scope" | "inlinedAt" | "isImplicitCode" | "atomGroup" | "atomRank"
            );
            if !known {
                p.expected("a field of `!DILocation`");
                return false;
            }
            p.bump();
            if !p.expect(COLON, "`:`") {
                return false;
            }
            let ok = match field {
                "scope" => {
                    scope = true;
                    metadata_id(p)
                }
                "inlinedAt" if p.at(DILOCATION) => di_location(p),
                "inlinedAt" => metadata_id(p),
                "isImplicitCode" => {
                    let ok = matches!(p.text(), "true" | "false");
                    if ok {
                        p.bump();
                    } else {
                        p.expected("`true` or `false`");
                    }
                    ok
                }
                _ => {
                    line |= field == "line";
                    unsigned(p, 64, "an unsigned integer")
                }
            };
            if !ok {
                return false;
            }
            if !p.eat(COMMA) {
                break;
            }
        }
    }
    if !p.expect(RPAREN, "`)`") {
        return false;
    }
    if !line || !scope {
        p.error_since(start, "missing `line` or `scope` in `!DILocation`");
    }
    line && scope
}
