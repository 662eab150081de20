//! The grammar of machine basic blocks and instructions, after LLVM's `MIParser`.
//!
//! A rule returns whether it succeeded; one that fails has reported, and the instruction skips the rest of its line.

use super::memory;
use super::mi_lexer::REGISTER_FLAGS;
use super::operand::{at_register, is_misspelt, newer, operand, register};
use super::{
    MirKind::{self, *},
    SYNTAX_ERROR,
};
use crate::machine::Parser;
use crate::{Diagnostic, wording};

type P<'t> = Parser<'t, MirKind>;

/// All blocks of a function.
pub(super) fn body(p: &mut P<'_>) {
    newlines(p);
    if at_body_end(p) {
        return;
    }
    if !p.at(LABEL) {
        if !is_misnumbered_block(p) {
            p.error(match p.text() {
                "-" => "a YAML list item must not be in the function's body",
                _ => "expected a basic block definition (`bb.0:`) before instructions",
            });
        }
        let m = p.start();
        while !at_body_end(p) && !at_label(p) {
            p.bump();
        }
        m.complete(p, BROKEN);
    }
    while !at_body_end(p) {
        block(p);
    }
}

/// Reports `bb.` without a number, a number without `bb.`, and other words where a block must begin.
fn is_misnumbered_block(p: &mut P<'_>) -> bool {
    let word = p.text();
    let number = word.trim_end_matches(':').strip_prefix("bb");
    let message = match (word.chars().find(|c| *c != ' ' && wording::is_invisible(*c)), number) {
        _ if word.starts_with('#') => {
            "unexpected `#`; a comment in the function's body starts with `;`".into()
        }
        (Some(c), _) if !p.at(NEWLINE) => wording::unexpected_character(c),
        (None, Some(number)) if number.starts_with('.') => {
            format!("invalid block `{word}`: expected a number after `bb.`")
        }
        (None, Some(number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            format!("invalid block `{word}`: expected `bb.{number}`")
        }
        _ => return false,
    };
    p.error(message);
    true
}

/// YAML goes on, or the chunk ends.
fn at_body_end(p: &mut P<'_>) -> bool {
    !p.current().is_body()
}

/// At a label that starts its line.
fn at_label(p: &mut P<'_>) -> bool {
    p.at(LABEL)
}

fn newlines(p: &mut P<'_>) {
    while p.eat(NEWLINE) {}
}

fn at_line_end(p: &mut P<'_>) -> bool {
    p.at(NEWLINE) || at_body_end(p)
}

fn skip_line(p: &mut P<'_>) {
    while !at_line_end(p) {
        p.bump();
    }
}

fn block(p: &mut P<'_>) {
    let m = p.start();
    header(p);
    loop {
        let list = match p.current() {
            NEWLINE => {
                p.bump();
                continue;
            }
            SUCCESSORS_KW => successors(p),
            LIVEINS_KW => liveins(p),
            _ => break,
        };
        if list && !at_line_end(p) {
            p.expected("`,` or the end of the line");
        }
        skip_line(p);
    }
    let mut depth = 0u32;
    loop {
        if at_body_end(p) || at_label(p) {
            break;
        }
        match p.current() {
            NEWLINE => p.bump(),
            RBRACE if depth == 0 => {
                p.error_and_bump("`}` without a matching `{`");
            }
            RBRACE => {
                depth -= 1;
                p.bump();
            }
            _ => {
                instruction(p);
                if p.at(LBRACE) {
                    if depth > 0 {
                        p.error("a bundle must not contain another bundle");
                    }
                    depth += 1;
                    p.bump();
                } else if p.at(LABEL) {
                    p.error("a basic block must start its own line");
                    break;
                } else if !at_line_end(p) && !p.at(RBRACE) {
                    // LLVM passes over one token here.
                    p.bump();
                }
            }
        }
    }
    if depth > 0 {
        p.error("expected `}` to close the bundle");
    }
    m.complete(p, BLOCK);
}

fn header(p: &mut P<'_>) {
    let m = p.start();
    let number = p.text().split('.').nth(1).unwrap_or("");
    if number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty() && number.parse::<u32>().is_err() {
        p.error("the number of a basic block must fit in 32 bits");
    }
    p.bump();
    let mut ok = true;
    if p.eat(LPAREN) {
        loop {
            ok = attribute(p);
            if !ok || !p.eat(COMMA) {
                break;
            }
        }
        ok = ok && p.expect(RPAREN, "`)` or a block attribute");
    }
    if ok {
        p.expect(COLON, "`:` after the block's name");
    } else {
        skip_line(p);
    }
    m.complete(p, BLOCK_HEADER);
}

fn attribute(p: &mut P<'_>) -> bool {
    let m = p.start();
    let ok = match p.current() {
        BLOCK_FLAG | IR_BLOCK => {
            p.bump();
            true
        }
        IR_BLOCK_ADDRESS_TAKEN_KW => {
            p.bump();
            p.expect(IR_BLOCK, "an IR block (`%ir-block.name`)")
        }
        ALIGN_KW => {
            p.bump();
            power_of_two(p)
        }
        BBSECTIONS_KW => {
            p.bump();
            if matches!(p.text(), "Exception" | "Cold") {
                p.bump();
                true
            } else {
                memory::unsigned(p, 32, "a section: a number, `Exception` or `Cold`")
            }
        }
        BB_ID_KW => {
            p.bump();
            memory::unsigned(p, 32, "the block's id")
                && (!p.at(INT) || memory::unsigned(p, 32, "the number of the block's clone"))
        }
        CALL_FRAME_SIZE_KW => {
            p.bump();
            memory::unsigned(p, 32, "the call frame's size in bytes")
        }
        _ => {
            m.abandon(p);
            return true;
        }
    };
    m.complete(p, BLOCK_ATTRIBUTE);
    ok
}

/// The number after `align` and `basealign`.
pub(super) fn power_of_two(p: &mut P<'_>) -> bool {
    let text = p.text();
    if !p.at(INT) || text.starts_with('-') {
        p.expected("an integer after `align`");
        return false;
    }
    let ok = text.parse::<u64>().is_ok_and(u64::is_power_of_two);
    if !ok {
        p.error("an alignment must be a power of two");
    }
    p.bump();
    ok
}

fn liveins(p: &mut P<'_>) -> bool {
    let m = p.start();
    p.bump();
    let ok = p.expect(COLON, "`:` after `liveins`") && (at_line_end(p) || livein_list(p));
    m.complete(p, LIVEINS);
    ok
}

fn livein_list(p: &mut P<'_>) -> bool {
    loop {
        let m = p.start();
        let mut ok = p.expect(PHYSREG, "a physical register (`$name`)");
        if ok && p.eat(COLON) {
            ok = memory::unsigned(p, 64, "a lane mask of 64 bits");
        }
        m.complete(p, LIVEIN);
        if !ok || !p.eat(COMMA) {
            return ok;
        }
    }
}

fn successors(p: &mut P<'_>) -> bool {
    let m = p.start();
    p.bump();
    let ok = p.expect(COLON, "`:` after `successors`") && (at_line_end(p) || successor_list(p));
    m.complete(p, SUCCESSORS);
    ok
}

fn successor_list(p: &mut P<'_>) -> bool {
    loop {
        let m = p.start();
        let mut ok = p.expect(BLOCK_NAME, "a basic block (`%bb.N`)");
        if ok && p.eat(LPAREN) {
            ok = memory::unsigned(p, 32, "a probability of 32 bits") && p.expect(RPAREN, "`)`");
        }
        m.complete(p, SUCCESSOR);
        if !ok || !p.eat(COMMA) {
            return ok;
        }
    }
}

fn instruction(p: &mut P<'_>) {
    let m = p.start();
    let ok = whole_instruction(p);
    if !ok {
        skip_line(p);
        // The lists of a block whose label was not understood belong to it.
        while p.at(NEWLINE) && matches!(p.nth(1), LIVEINS_KW | SUCCESSORS_KW) {
            p.bump();
            skip_line(p);
        }
    }
    m.complete(p, if ok { INSTRUCTION } else { BROKEN });
}

fn whole_instruction(p: &mut P<'_>) -> bool {
    let mut defs = false;
    while at_register(p) {
        defs = true;
        if !register(p, true) {
            return false;
        }
        if !p.eat(COMMA) {
            break;
        }
    }
    if defs && !p.expect(EQUAL, "`=` after the definitions") {
        return false;
    }
    while p.at(INSTRUCTION_FLAG) {
        if p.text() == "lr-split" {
            newer(p, "`lr-split`".to_owned());
        }
        p.bump();
    }
    if p.at(IDENT) && p.nth(1) == COLON && is_misspelt(p, "block attribute", &["liveins", "successors"]) {
        return false;
    }
    if matches!(p.current(), LIVEINS_KW | SUCCESSORS_KW) {
        p.error(format!("`{}` must precede the instructions of the block", p.text()));
        return false;
    }
    if is_misnumbered_block(p) {
        return false;
    }
    if p.at(IDENT) && p.nth(1) == COLON {
        let word = p.text();
        p.error(match word.bytes().all(|b| b.is_ascii_alphanumeric()) {
            true => format!("`{word}:` is not an instruction; the function's keys must not be in its body"),
            false => format!("expected an instruction, found `{word}:`"),
        });
        return false;
    }
    let opcode = p.range();
    if !p.expect(IDENT, "a machine instruction") {
        return false;
    }
    while !at_line_end(p) && !at_trailer(p) && !p.at(COLON_COLON) && !p.at(LBRACE) {
        let is_flag = p.at(IDENT) && matches!(p.nth(1), PHYSREG | VREG | NAMED_VREG | REGISTER_FLAG);
        if is_flag && is_misspelt(p, "register flag", &REGISTER_FLAGS) {
            return false;
        }
        if !operand(p) {
            return false;
        }
        if at_line_end(p) || p.at(COLON_COLON) || p.at(LBRACE) {
            break;
        }
        if p.at(EQUAL) {
            let message = format!("expected only definitions before `=`, found `{}`", p.slice(opcode));
            p.report(Diagnostic::new(&SYNTAX_ERROR, opcode, message));
            return false;
        }
        if !p.expect(COMMA, "`,` before the next operand") {
            return false;
        }
    }
    if !trailers(p) {
        return false;
    }
    if p.eat(COLON_COLON) {
        while !at_line_end(p) && !p.at(LBRACE) {
            if !memory::operand(p) {
                return false;
            }
            if at_line_end(p) || p.at(LBRACE) {
                break;
            }
            if !p.expect(COMMA, "`,` before the next memory operand") {
                return false;
            }
        }
    }
    true
}

fn at_trailer(p: &mut P<'_>) -> bool {
    matches!(
        p.current(),
        PRE_INSTR_SYMBOL_KW
            | POST_INSTR_SYMBOL_KW
            | HEAP_ALLOC_MARKER_KW
            | PCSECTIONS_KW
            | MMRA_KW
            | CFI_TYPE_KW
            | DEACTIVATION_SYMBOL_KW
            | DEBUG_LOCATION_KW
            | DEBUG_INSTR_NUMBER_KW
    )
}

/// What may follow the operands, in this order.
fn trailers(p: &mut P<'_>) -> bool {
    let order = [
        (PRE_INSTR_SYMBOL_KW, MCSYMBOL),
        (POST_INSTR_SYMBOL_KW, MCSYMBOL),
        (HEAP_ALLOC_MARKER_KW, EXCLAIM),
        (PCSECTIONS_KW, EXCLAIM),
        (MMRA_KW, EXCLAIM),
        (CFI_TYPE_KW, INT),
        (DEACTIVATION_SYMBOL_KW, GLOBAL),
        (DEBUG_INSTR_NUMBER_KW, INT),
    ];
    for (keyword, value) in order {
        if !p.at(keyword) {
            continue;
        }
        let m = p.start();
        p.bump();
        let ok = match value {
            EXCLAIM => metadata_id(p),
            MCSYMBOL => p.expect(MCSYMBOL, "a symbol (`<mcsymbol name>`)"),
            GLOBAL => p.expect(GLOBAL, "a global"),
            _ => p.expect(INT, "an integer"),
        };
        m.complete(p, TRAILER);
        if !ok {
            return false;
        }
        let optional = value == INT;
        if !optional && (at_line_end(p) || p.at(COLON_COLON) || p.at(LBRACE)) {
            continue;
        }
        if !p.eat(COMMA) && !optional {
            p.expected("`,`");
            return false;
        }
    }
    if p.at(DEBUG_LOCATION_KW) {
        let m = p.start();
        p.bump();
        let ok = match p.current() {
            EXCLAIM => metadata_id(p),
            DILOCATION => memory::di_location(p),
            _ => {
                p.expected("a metadata node after `debug-location`");
                false
            }
        };
        m.complete(p, TRAILER);
        return ok;
    }
    true
}

/// `!5`
pub(super) fn metadata_id(p: &mut P<'_>) -> bool {
    if !p.expect(EXCLAIM, "a metadata node") {
        return false;
    }
    if p.at(INT) && p.text().starts_with('-') {
        p.expected("a metadata number after `!`");
        return false;
    }
    p.expect(INT, "a metadata number after `!`")
}
