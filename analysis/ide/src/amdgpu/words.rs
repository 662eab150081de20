//! The words of a chunk as an editor sees them: one list for names, colours, folds and outline.
//!
//! Unlike the assembler this does not expand or skip anything, so that what is in a macro's body and in a condition
//! that is off is shown as well.

use wavelens_amdgpu::assembler::cursor::Cursor;
use wavelens_amdgpu::assembler::operand_words::is_operand_word;
use wavelens_amdgpu::assembler::registers::numbered_register;
use wavelens_base::TextRange;
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::machine::Lexed;

/// What a word is in its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// `name:`
    Label,
    /// `name =`, and the first operand of `.set` and its kin.
    Assigned,
    /// A mnemonic, or a macro's name.
    Mnemonic,
    Directive,
    /// A name that a directive says something about.
    Symbol,
    /// The name after `.macro`, and its parameters.
    MacroName,
    Parameter,
    /// `\name`
    Argument,
    Register,
    /// `off`, `glc`, `row_mask` in `row_mask:1`, `vmcnt`.
    Modifier,
    /// A word in a call or after a colon: `HW_REG_MODE`, `SCOPE_DEV`.
    Constant,
    /// Any other name in an operand.
    Reference,
}

/// Calls `found` for every word of a chunk, in order.
pub(crate) fn words(text: &str, lexed: &Lexed<AmdgpuKind>, mut found: impl FnMut(TextRange, &str, Word)) {
    let mut c = Cursor::new(text, lexed);
    while !c.at(EOF) {
        if c.eat(EOL) {
            continue;
        }
        while matches!(c.kind(), IDENT | INT | STRING) && c.nth(1) == COLON && c.nth(2) != COLON {
            found(c.range(), c.word(), Word::Label);
            c.bump();
            c.bump();
        }
        let word = c.word();
        match c.kind() {
            IDENT if c.nth(1) == EQUAL => {
                found(c.range(), word, Word::Assigned);
                c.bump();
                operands(&mut c, false, &mut found);
            }
            IDENT if word == ".amdgpu_metadata" => {
                found(c.range(), word, Word::Directive);
                skip_metadata(&mut c);
            }
            IDENT if word.starts_with('.') => {
                found(c.range(), word, Word::Directive);
                c.bump();
                directive(&mut c, word, &mut found);
            }
            IDENT => {
                found(c.range(), word, Word::Mnemonic);
                c.bump();
                operands(&mut c, true, &mut found);
            }
            _ => operands(&mut c, false, &mut found),
        }
        c.skip_line();
    }
}

/// Metadata is YAML: its words name nothing of the assembly.
fn skip_metadata(c: &mut Cursor<'_>) {
    while !c.at(EOF) && c.word() != ".end_amdgpu_metadata" {
        c.skip_line();
        c.eat(EOL);
    }
}

fn directive(c: &mut Cursor<'_>, word: &str, found: &mut impl FnMut(TextRange, &str, Word)) {
    let first = match word {
        ".macro" => {
            if c.at(IDENT) {
                found(c.range(), c.word(), Word::MacroName);
                c.bump();
            }
            let mut fresh = true;
            while !c.at_eol() {
                if c.at(IDENT) && fresh {
                    found(c.range(), c.word(), Word::Parameter);
                }
                fresh = !matches!(c.kind(), EQUAL | COLON);
                c.bump();
            }
            return;
        }
        ".set" | ".equ" | ".equiv" => Word::Assigned,
        ".globl" | ".global" | ".weak" | ".local" | ".hidden" | ".protected" | ".internal" | ".type"
        | ".size" | ".amdhsa_kernel" | ".comm" | ".lcomm" | ".amdgpu_lds" => Word::Symbol,
        ".purgem" => Word::Mnemonic,
        ".irp" | ".irpc" => Word::Parameter,
        ".section" | ".pushsection" | ".ident" | ".file" | ".cfi_sections" | ".amdgpu_metadata" => return,
        _ => Word::Reference,
    };
    if c.at(IDENT) && first != Word::Reference {
        found(c.range(), c.word(), first);
        c.bump();
    }
    if word != ".type" {
        operands(c, false, found);
    }
}

fn operands(c: &mut Cursor<'_>, instruction: bool, found: &mut impl FnMut(TextRange, &str, Word)) {
    let mut constant = false;
    let mut depth = 0u32;
    while !c.at_eol() {
        let (word, range) = (c.word(), c.range());
        match c.kind() {
            BACKSLASH if c.nth(1) == IDENT && c.next_is_adjacent() => {
                c.bump();
                found(c.range(), c.word(), Word::Argument);
            }
            L_PAREN | L_BRACKET => depth += 1,
            R_PAREN | R_BRACKET => {
                depth = depth.saturating_sub(1);
                constant &= depth > 0;
            }
            IDENT if !instruction => found(range, word, Word::Reference),
            IDENT => {
                let is_register = numbered_register(word).is_some()
                    || wavelens_isa::named_register(word).is_some()
                    || (matches!(word, "v" | "s" | "a" | "acc" | "ttmp") && c.nth(1) == L_BRACKET);
                let kind = match c.nth(1) {
                    _ if is_register => Word::Register,
                    COLON if c.nth(2) == COLON => Word::Reference,
                    COLON => {
                        constant = true;
                        Word::Modifier
                    }
                    L_PAREN => {
                        constant = true;
                        Word::Modifier
                    }
                    _ if constant => Word::Constant,
                    _ if is_operand_word(word) => Word::Modifier,
                    _ if word.starts_with("v_dual_") => Word::Mnemonic,
                    _ => Word::Reference,
                };
                found(range, word, kind);
                if kind == Word::Constant && depth == 0 {
                    constant = false;
                }
            }
            COMMA if depth == 0 => constant = false,
            _ => {}
        }
        c.bump();
    }
}
