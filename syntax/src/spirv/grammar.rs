//! Instructions, as sequences of words. What the operands mean is the tables' business and found out when lowering.

use super::SpirvKind::{self, *};
use crate::machine::Parser;

pub(super) fn chunk(p: &mut Parser<'_, SpirvKind>) {
    while !p.at_end() {
        instruction(p);
    }
}

fn instruction(p: &mut Parser<'_, SpirvKind>) {
    let m = p.start();
    if p.at(ID) && p.nth(1) == EQ {
        let result = p.start();
        p.bump();
        p.bump();
        result.complete(p, RESULT);
    }
    // The first token belongs to this instruction, so that the parser moves on.
    p.bump();
    while !p.at_end() && !at_start(p) {
        p.bump();
    }
    m.complete(p, INSTRUCTION);
}

fn at_start(p: &mut Parser<'_, SpirvKind>) -> bool {
    match p.current() {
        OPCODE => true,
        ID => p.nth(1) == EQ,
        _ => false,
    }
}
