//! The structure of statements. What a statement means depends on the macros, conditions and symbols before it, so the
//! tree never reports a mistake: the assembler of the analysis does.

use super::AmdgpuKind::{self, *};
use crate::machine::Parser;

pub(super) fn chunk(p: &mut Parser<'_, AmdgpuKind>) {
    while !p.at_end() {
        statement(p);
    }
}

fn statement(p: &mut Parser<'_, AmdgpuKind>) {
    if p.eat(EOL) {
        return;
    }
    let m = p.start();
    while matches!(p.current(), IDENT | INT | STRING) && p.nth(1) == COLON && p.nth(2) != COLON {
        let label = p.start();
        p.bump();
        p.bump();
        label.complete(p, LABEL);
    }
    match p.current() {
        EOL | EOF => {}
        IDENT | DOT if p.nth(1) == EQUAL => {
            let m = p.start();
            p.bump();
            p.bump();
            operands(p);
            m.complete(p, ASSIGNMENT);
        }
        IDENT => {
            let m = p.start();
            let kind = if p.text().starts_with('.') { DIRECTIVE } else { INSTRUCTION };
            p.bump();
            operands(p);
            m.complete(p, kind);
        }
        _ => p.skip_until(|p| p.at(EOL)),
    }
    p.eat(EOL);
    m.complete(p, STATEMENT);
}

/// Comma-separated operands up to the end of the line.
fn operands(p: &mut Parser<'_, AmdgpuKind>) {
    while !matches!(p.current(), EOL | EOF) {
        if p.eat(COMMA) {
            continue;
        }
        let m = p.start();
        let mut depth = 0u32;
        loop {
            match p.current() {
                EOL | EOF => break,
                COMMA if depth == 0 => break,
                L_PAREN | L_BRACKET => depth += 1,
                R_PAREN | R_BRACKET => depth = depth.saturating_sub(1),
                _ => {}
            }
            p.bump();
        }
        m.complete(p, OPERAND);
    }
}
