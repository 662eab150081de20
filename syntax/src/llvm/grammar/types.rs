//! Types.

use rowan::{TextRange, TextSize};

use super::{P, foreign, newer, removed};
use crate::llvm::LlvmKind::{self, *};

/// May a type start with this token?
pub(in crate::llvm) fn is_type_start(kind: LlvmKind) -> bool {
    matches!(
        kind,
        INT_TYPE
            | FLOAT_TYPE_KW
            | PTR_KW
            | VOID_KW
            | LABEL_KW
            | METADATA_KW
            | TARGET_KW
            | L_BRACE
            | L_BRACKET
            | LESS
            | LOCAL
            | LOCAL_ID
    )
}

/// `TYPE`. Function types are part of it: `i32 (ptr, ...)`.
pub(super) fn ty(p: &mut P<'_, '_>) {
    ty_or(p, "a type");
}

/// The type of the value after it. A name alone is meant as the value.
pub(super) fn ty_of_value(p: &mut P<'_, '_>) {
    ty_of_value_or(p, "a type");
}

/// The type of a value, or an error that says what was expected.
pub(super) fn ty_of_value_or(p: &mut P<'_, '_>, what: &str) {
    let is_alone = match p.nth(1) {
        COMMA | R_PAREN | R_BRACE | R_BRACKET | GREATER | EOF => true,
        // The next instruction.
        LOCAL | LOCAL_ID => p.nth(2) == EQUAL,
        RET_KW | BR_KW | SWITCH_KW | UNREACHABLE_KW | STORE_KW | CALL_KW => p.inner.nth_at_line_start(1),
        _ => false,
    };
    if is_alone && matches!(p.current, LOCAL | LOCAL_ID) {
        p.missing_type();
    }
    ty_or(p, what);
}

/// A type, or an error that says what was expected.
pub(super) fn ty_or(p: &mut P<'_, '_>, what: &str) {
    let m = p.start();
    let start = p.inner.range().start();
    base(p, what);
    suffixes(p, start, Position::Other);
    p.complete(m, TYPE);
}

/// The type of what a pointer points to, `, `, and the pointer's own type: `i32, ptr`. LLVM 16 and before wrote `i32*`.
pub(super) fn pointee(p: &mut P<'_, '_>, comma: &str) {
    let m = p.start();
    let range = p.inner.range();
    base(p, "a type");
    suffixes(p, range.start(), Position::Pointee);
    let end = p.inner.end_of_last().start();
    p.complete(m, TYPE);
    if !ends_pointee(p) {
        p.expect(COMMA, comma);
        return ty_of_value(p);
    }
    let m = p.start();
    let space = opt_space(p);
    p.bump();
    removed::pointer_after_pointee(p, TextRange::new(range.start(), end), &space);
    p.complete(m, TYPE);
}

/// The type of a call's result, or of its callee. LLVM 3.6 and before wrote a pointer to that of a variadic one.
pub(super) fn callee_type(p: &mut P<'_, '_>) {
    let m = p.start();
    let start = p.inner.range().start();
    base(p, "a type");
    suffixes(p, start, Position::Callee);
    p.complete(m, TYPE);
    if p.at(STAR) {
        removed::pointer_to_callee(p);
    }
}

/// `addrspace(1)` before a `*`, if it is there.
fn opt_space(p: &mut P<'_, '_>) -> String {
    let start = p.inner.range().start();
    if !p.at(ADDRSPACE_KW) {
        return String::new();
    }
    address_space(p);
    p.inner.slice(TextRange::new(start, p.inner.end_of_last().start())).to_owned()
}

/// Whether a value follows the `*` here.
fn ends_pointee(p: &mut P<'_, '_>) -> bool {
    // `addrspace ( 1 ) *`
    let star = match p.current {
        STAR => 0,
        ADDRSPACE_KW => 4,
        _ => return false,
    };
    let is_star = p.nth(star) == STAR;
    is_star
        && matches!(
            p.nth(star + 1),
            LOCAL | LOCAL_ID | GLOBAL | GLOBAL_ID | NULL_KW | UNDEF_KW | POISON_KW | GETELEMENTPTR_KW
        )
}

/// A type without what may follow it.
fn base(p: &mut P<'_, '_>, what: &str) {
    if p.at_next_result() {
        return p.expected(what);
    }
    match p.current {
        PTR_KW => {
            p.bump();
            opt_address_space(p);
            while p.at(STAR) {
                removed::pointer_to_ptr(p);
                p.bump();
            }
        }
        INT_TYPE | FLOAT_TYPE_KW | VOID_KW | LABEL_KW | METADATA_KW | LOCAL | LOCAL_ID => p.bump(),
        L_BRACE => struct_body(p),
        L_BRACKET => {
            p.bump();
            sequence(p, R_BRACKET);
        }
        LESS => {
            p.bump();
            if p.at(L_BRACE) {
                struct_body(p);
                p.expect(GREATER, "`>` at the end of the packed struct");
            } else {
                p.eat_vscale();
                sequence(p, GREATER);
            }
        }
        TARGET_KW => target(p),
        WORD if removed::is_type(p) => removed::ty(p),
        WORD if newer::is_type(p) => newer::ty(p),
        WORD if foreign::is_type(p) => foreign::ty(p),
        _ => p.expected(what),
    }
}

impl P<'_, '_> {
    fn eat_vscale(&mut self) {
        if self.eat(VSCALE_KW) {
            self.expect(X_KW, "`x` after `vscale`");
        }
    }
}

/// What a type is the type of.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// What the pointer points to whose value follows. The last `*` before it belongs to the pointer.
    Pointee,
    /// The result of a call, or its callee.
    Callee,
    Other,
}

/// Whether the type from `start` to here is that of a variadic function.
fn is_variadic(p: &P<'_, '_>, start: TextSize) -> bool {
    let written = p.inner.slice(TextRange::new(start, p.inner.end_of_last().start()));
    written.trim_end().strip_suffix(')').is_some_and(|written| written.trim_end().ends_with("..."))
}

/// What follows a type that began at `start`. Pointers to pointers are one finding.
fn suffixes(p: &mut P<'_, '_>, start: TextSize, position: Position) {
    loop {
        let ends = match position {
            Position::Pointee => ends_pointee(p),
            Position::Callee => p.at(STAR) && ends_pointee(p) && is_variadic(p, start),
            Position::Other => false,
        };
        if ends {
            return;
        }
        let space = match p.current {
            STAR => {
                p.bump();
                ""
            }
            ADDRSPACE_KW => {
                let space = p.inner.range().start();
                let ty = p.inner.slice(TextRange::new(start, p.inner.end_of_last().start()));
                address_space(p);
                let space = p.inner.slice(TextRange::new(space, p.inner.end_of_last().start()));
                if !p.eat(STAR) {
                    p.error(format!(
                        "only pointers have an address space: expected `ptr {space}`, found `{ty} {space}`"
                    ));
                }
                space
            }
            L_PAREN => {
                function_params(p);
                continue;
            }
            _ => return,
        };
        let is_pointee = position == Position::Pointee;
        if !matches!(p.current, STAR | ADDRSPACE_KW) || is_pointee && ends_pointee(p) {
            removed::typed_pointer(p, start, space, position != Position::Callee);
        }
    }
}

/// `(i32, ptr, ...)` of a function type.
fn function_params(p: &mut P<'_, '_>) {
    p.bump();
    if !p.at(R_PAREN) {
        p.nested(|p| {
            loop {
                if p.eat(ELLIPSIS) {
                    break;
                }
                ty(p);
                if matches!(p.current, LOCAL | LOCAL_ID) {
                    p.error("a function type must not have parameter names");
                }
                if super::attributes::is_attribute(p.current) {
                    p.error("a function type must not have parameter attributes");
                }
                if !p.eat(COMMA) {
                    break;
                }
            }
        });
    }
    p.expect(R_PAREN, "`)` at the end of the parameters");
}

/// At `{`.
fn struct_body(p: &mut P<'_, '_>) {
    p.bump();
    if p.eat(R_BRACE) {
        return;
    }
    p.nested(|p| {
        ty(p);
        while p.eat(COMMA) {
            ty(p);
        }
    });
    p.expect(R_BRACE, "`}` at the end of the struct");
}

/// `4 x i32` and the closing bracket.
fn sequence(p: &mut P<'_, '_>, close: LlvmKind) {
    p.expect(NUMBER, "the number of elements");
    p.expect(X_KW, "`x` after the number of elements");
    p.nested(ty);
    p.expect(
        close,
        if close == GREATER {
            "`>` at the end of the vector type"
        } else {
            "`]` at the end of the array type"
        },
    );
}

/// `target("name", types, numbers)`.
fn target(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(` in the target type");
    p.expect(STRING, "the name of the target type");
    let mut numbers = false;
    while p.eat(COMMA) {
        if p.at(NUMBER) || p.at(HEX_NUMBER) {
            numbers = true;
            p.expect(NUMBER, "a number");
        } else if numbers {
            p.expected("a number");
        } else {
            p.nested(ty);
        }
    }
    p.expect(R_PAREN, "`)` at the end of the target type");
}

pub(super) fn opt_address_space(p: &mut P<'_, '_>) {
    if p.at(ADDRSPACE_KW) {
        address_space(p);
    }
}

/// At `addrspace`.
pub(super) fn address_space(p: &mut P<'_, '_>) {
    p.bump();
    p.expect(L_PAREN, "`(` after `addrspace`");
    if !p.eat(STRING) {
        p.expect(NUMBER, "the number of an address space");
    }
    p.expect(R_PAREN, "`)` after the address space");
}
