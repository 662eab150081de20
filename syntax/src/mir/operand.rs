//! The grammar of machine operands: registers, types, and everything else an instruction takes.

use rowan::{TextRange, TextSize};

use super::MirKind::{self, *};
use super::body::metadata_id;
use super::memory;
use super::mi_lexer::REGISTER_FLAGS;
use crate::diagnostic::{Diagnostic, TextEdit};
use crate::machine::{Marker, Parser};
use crate::wording::{self, unknown};

type P<'t> = Parser<'t, MirKind>;

pub(super) fn at_register(p: &mut P<'_>) -> bool {
    matches!(p.current(), REGISTER_FLAG | UNDERSCORE | PHYSREG | VREG | NAMED_VREG)
}

/// A register with its flags, subregister, class and type.
pub(super) fn register(p: &mut P<'_>, def: bool) -> bool {
    let m = p.start();
    let ok = register_parts(p, def);
    m.complete(p, REGISTER);
    ok
}

fn register_parts(p: &mut P<'_>, def: bool) -> bool {
    let start = p.range().start();
    let mut seen = if def { 1 << 2 } else { 0u32 };
    while p.at(REGISTER_FLAG) {
        let bits = match p.text() {
            "implicit" => 1,
            "implicit-def" => 1 | 1 << 2,
            "def" => 1 << 2,
            "dead" => 1 << 3,
            "killed" => 1 << 4,
            "undef" => 1 << 5,
            "internal" => 1 << 6,
            "early-clobber" => 1 << 7,
            "debug-use" => 1 << 8,
            _ => 1 << 9,
        };
        if seen | bits == seen {
            p.error(format!("duplicate register flag `{}`", p.text()));
            return false;
        }
        seen |= bits;
        p.bump();
    }
    let is_def = seen & 1 << 2 != 0;
    let register = p.current();
    if !matches!(register, UNDERSCORE | PHYSREG | VREG | NAMED_VREG) {
        // It may be one more flag.
        if !(p.at(IDENT) && is_misspelt(p, "register flag", &REGISTER_FLAGS)) {
            p.expected("a register after register flags");
        }
        return false;
    }
    let is_virtual = matches!(register, VREG | NAMED_VREG);
    p.bump();
    if p.eat(DOT) {
        if !p.expect(IDENT, "a subregister index after `.`") {
            return false;
        }
        if !is_virtual {
            p.error_since(start, "only a virtual register can have a subregister index");
            return false;
        }
    }
    if p.at(COLON) {
        p.bump();
        if !p.at_any(&[IDENT, UNDERSCORE]) {
            p.expected("`_`, a register class or a register bank");
            return false;
        }
        p.bump();
        if !is_virtual {
            p.error_since(start, "only a virtual register can have a register class");
            return false;
        }
    }
    if p.at(LPAREN) {
        p.bump();
        if is_def || !p.at(TIED_DEF_KW) {
            let errors = p.error_count();
            if !low_level_type(p) {
                if p.error_count() == errors {
                    p.expected("a type or `tied-def`");
                }
                return false;
            }
        } else {
            p.bump();
            if !p.expect(INT, "an operand number after `tied-def`") {
                return false;
            }
        }
        if !p.expect(RPAREN, "`)`") {
            return false;
        }
        if is_def && !is_virtual {
            p.error_since(start, "a physical register must not have a type");
            return false;
        }
    }
    if is_def && seen & 1 << 4 != 0 {
        p.error_since(start, "a definition must not be `killed`");
        return false;
    }
    if !is_def && seen & 1 << 3 != 0 {
        p.error_since(start, "a use must not be `dead`");
        return false;
    }
    true
}

/// Whether the current word is close to one of some that are known; reports it with its correction.
pub(super) fn is_misspelt(p: &mut P<'_>, what: &str, known: &[&str]) -> bool {
    let (word, range) = (p.text(), p.range());
    let Some(near) = crate::spelling::closest(word, known.iter().copied()) else { return false };
    let message = unknown(what, word, std::iter::once(near));
    let edit = TextEdit::new(range, near);
    p.report(Diagnostic::new(&super::SYNTAX_ERROR, range, message).respell(
        format!("Replace with `{near}`"),
        edit,
        word,
        near,
    ));
    true
}

/// The letter and the number of a type such as `s32`; `bf16` has the letter of `b`. LLVM keeps the lower 64 bits of the number.
pub fn sized_type(text: &str) -> Option<(u8, u64)> {
    let letter = *text.as_bytes().first()?;
    let digits = text.strip_prefix("bf").or(text.get(1..)).filter(|digits| !digits.is_empty())?;
    let number = digits.bytes().try_fold(0u64, |number, digit| {
        let digit = char::from(digit).to_digit(10)?;
        Some(number.wrapping_mul(10).wrapping_add(digit.into()))
    });
    Some((letter, number?))
}

/// The number of elements of a vector, between 1 and 65535. LLVM ignores the sign of a negative number: it reads the bits of
/// the shortest two's complement form.
pub fn vector_elements(text: &str) -> Option<u16> {
    let number: i64 = text.parse().ok()?;
    let bits =
        if number < 0 { i128::from(number) + (1 << (65 - number.leading_ones())) } else { number.into() };
    u16::try_from(bits).ok().filter(|elements| *elements != 0)
}

/// `s32`, `p1` or a vector of them.
pub(super) fn low_level_type(p: &mut P<'_>) -> bool {
    let m = p.start();
    let ok = if p.at(LESS) { vector_type(p) } else { scalar_type(p, true) };
    m.complete(p, TYPE);
    ok
}

fn scalar_type(p: &mut P<'_>, token_allowed: bool) -> bool {
    let text = p.text();
    let is_newer = (text.starts_with(['i', 'f']) || text.starts_with("bf")) && sized_type(text).is_some();
    if is_newer {
        newer(p, format!("type `{text}`"));
    } else if !text.starts_with(['s', 'p']) {
        p.expected("a type: `s32`, `p0`, `<4 x s16>` or `<vscale x 4 x s32>`");
        return false;
    }
    match sized_type(text) {
        None => {
            p.error("expected a number of bits after `s`, or an address space after `p`");
            return false;
        }
        Some((b's' | b'i' | b'f' | b'b', bits))
            if bits > u16::MAX.into() || (bits == 0 && !token_allowed) =>
        {
            p.error("the size of a scalar must be between 1 and 65535 bits");
            return false;
        }
        Some((b'p', space)) if space >= 1 << 24 => {
            p.error("an address space must be less than 2^24");
            return false;
        }
        Some(_) => {}
    }
    p.bump();
    true
}

fn vector_type(p: &mut P<'_>) -> bool {
    p.bump();
    let word = |p: &mut P<'_>, text: &str| {
        let ok = p.at(IDENT) && p.text() == text;
        if ok {
            p.bump();
        } else {
            p.expected("`<M x sN>`, `<M x pA>` or the same with `vscale x` before it");
        }
        ok
    };
    if p.at(IDENT) && p.text() == "vscale" {
        p.bump();
        if !word(p, "x") {
            return false;
        }
    }
    if !p.at(INT) {
        p.expected("a number of vector elements");
        return false;
    }
    if vector_elements(p.text()).is_none() {
        p.error("the number of vector elements must be between 1 and 65535");
        return false;
    }
    p.bump();
    word(p, "x") && scalar_type(p, false) && p.expect(GREATER, "`>` at the end of the vector type")
}

/// Any operand after the opcode, with its target flags.
pub(super) fn operand(p: &mut P<'_>) -> bool {
    if !p.at(TARGET_FLAGS_KW) {
        return bare_operand(p);
    }
    let m = p.start();
    p.bump();
    let mut ok = p.expect(LPAREN, "`(` after `target-flags`");
    while ok {
        ok = p.expect(IDENT, "the name of a target flag");
        if !ok || !p.eat(COMMA) {
            break;
        }
    }
    ok = ok && p.expect(RPAREN, "`)`");
    m.complete(p, TARGET_FLAGS);
    if !ok {
        return false;
    }
    if at_register(p) {
        p.error("a register operand must not have target flags");
        return false;
    }
    bare_operand(p)
}

fn bare_operand(p: &mut P<'_>) -> bool {
    if at_register(p) {
        return register(p, false);
    }
    let m = p.start();
    let simple = |p: &mut P<'_>, m: Marker, kind: MirKind| {
        p.bump();
        m.complete(p, kind);
        true
    };
    let with_offset = |p: &mut P<'_>, m: Marker, kind: MirKind| {
        p.bump();
        let ok = memory::offset(p);
        m.complete(p, kind);
        ok
    };
    let node = |p: &mut P<'_>, m: Marker, kind: MirKind, read: fn(&mut P<'_>) -> bool| {
        let ok = read(p);
        m.complete(p, kind);
        ok
    };
    match p.current() {
        INT => {
            let text = p.text();
            let ok =
                if text.starts_with('-') { text.parse::<i64>().is_ok() } else { text.parse::<u64>().is_ok() };
            if !ok {
                p.error("the integer is too large for an immediate");
            }
            p.bump();
            m.complete(p, IMMEDIATE);
            ok
        }
        FP_TYPE => {
            p.bump();
            let ok = p.at_any(&[FLOAT, HEX]);
            if ok {
                p.bump();
            } else {
                p.expected("a floating point number");
            }
            m.complete(p, FP_IMMEDIATE);
            ok
        }
        BLOCK_NAME => simple(p, m, BLOCK_REF),
        STACK_OBJECT | FIXED_STACK_OBJECT => simple(p, m, FRAME_REF),
        JUMP_TABLE => simple(p, m, JUMP_TABLE_REF),
        SUBREG_NAME => simple(p, m, SUBREG_REF),
        GLOBAL => with_offset(p, m, GLOBAL_REF),
        CONSTANT_POOL => with_offset(p, m, CONSTANT_POOL_REF),
        EXTERNAL => with_offset(p, m, EXTERNAL_REF),
        MCSYMBOL => with_offset(p, m, MCSYMBOL_REF),
        EXCLAIM => node(p, m, METADATA_REF, metadata_id),
        DIEXPRESSION => {
            p.bump();
            let ok = p.expect(MD_TEXT, "the expression in parentheses");
            m.complete(p, METADATA_REF);
            ok
        }
        CFI_WORD => node(p, m, CFI, memory::cfi),
        BLOCKADDRESS_KW => node(p, m, BLOCK_ADDRESS, block_address),
        INTRINSIC_KW => node(p, m, INTRINSIC, intrinsic),
        INTPRED_KW | FLOATPRED_KW => node(p, m, PREDICATE, predicate),
        SHUFFLEMASK_KW => node(p, m, SHUFFLE_MASK, shuffle_mask),
        LANEMASK_KW => node(p, m, LANE_MASK, lane_mask),
        DBG_INSTR_REF_KW => node(p, m, DBG_INSTR_REF, instruction_reference),
        TARGET_INDEX_KW => node(p, m, TARGET_INDEX, target_index),
        LIVEOUT_KW => node(p, m, LIVEOUT, live_out),
        IDENT => identifier(p, m),
        DOT => mnemonic(p, m),
        BAD => {
            bad_token(p);
            m.abandon(p);
            false
        }
        _ => {
            p.expected("an operand");
            m.abandon(p);
            false
        }
    }
}

/// `blockaddress(@f, %ir-block.b)`
fn block_address(p: &mut P<'_>) -> bool {
    p.bump();
    p.expect(LPAREN, "`(`")
        && p.expect(GLOBAL, "a function")
        && p.expect(COMMA, "`,`")
        && p.expect(IR_BLOCK, "an IR block (`%ir-block.name`)")
        && p.expect(RPAREN, "`)`")
        && memory::offset(p)
}

/// `intrinsic(@llvm.name)`
fn intrinsic(p: &mut P<'_>) -> bool {
    p.bump();
    p.expect(LPAREN, "`(@llvm.name)`") && {
        let named = p.at(GLOBAL) && !p.text().as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if named {
            p.bump();
        } else {
            p.expected("the name of an intrinsic (`@llvm.name`)");
        }
        named && p.expect(RPAREN, "`)` after the intrinsic's name")
    }
}

/// `dbg-instr-ref(1, 0)`
fn instruction_reference(p: &mut P<'_>) -> bool {
    p.bump();
    let number = |p: &mut P<'_>| memory::unsigned(p, 64, "an unsigned integer");
    p.expect(LPAREN, "`(`") && number(p) && p.expect(COMMA, "`,`") && number(p) && p.expect(RPAREN, "`)`")
}

/// `target-index(amdgpu-constdata-start)`
fn target_index(p: &mut P<'_>) -> bool {
    p.bump();
    p.expect(LPAREN, "`(`")
        && p.expect(IDENT, "the name of a target index")
        && p.expect(RPAREN, "`)`")
        && memory::offset(p)
}

/// `liveout($rax, $rbx)`
fn live_out(p: &mut P<'_>) -> bool {
    p.bump();
    let mut ok = p.expect(LPAREN, "`(`");
    while ok {
        ok = p.expect(PHYSREG, "a physical register (`$name`)");
        if !ok || !p.eat(COMMA) {
            break;
        }
    }
    ok && p.expect(RPAREN, "`)`")
}

fn bad_token(p: &mut P<'_>) {
    let text = p.text();
    let message = match text.as_bytes().first() {
        Some(b'%') if text.starts_with("%bb.") => "expected a number after `%bb.`".to_owned(),
        Some(b'!') => {
            let end = text.find([' ', '\t', ',', '(', ')']).unwrap_or(text.len());
            let word = text.get(..end).unwrap_or(text);
            let range = TextRange::at(p.range().start(), TextSize::of(word));
            p.report(Diagnostic::new(&super::SYNTAX_ERROR, range, format!("unknown metadata `{word}`")));
            return;
        }
        Some(b'"' | b'`' | b'<') => "missing closing delimiter before the end of the line".to_owned(),
        _ => match text.chars().next() {
            Some(c) => wording::unexpected_character(c),
            None => "unexpected character".to_owned(),
        },
    };
    p.error(message);
}

/// The flags of `INLINEASM`, as LLVM 24 writes them, with their bits.
const ASM_FLAGS: [(&str, i64); 8] = [
    ("sideeffect", 1),
    ("alignstack", 2),
    ("attdialect", 0),
    ("inteldialect", 4),
    ("mayload", 8),
    ("maystore", 16),
    ("isconvergent", 32),
    ("unwind", 64),
];

/// What a group of operands of `INLINEASM` begins with, as LLVM 24 writes it, with its number.
const ASM_GROUPS: [(&str, i64); 7] =
    [("reguse", 1), ("regdef", 2), ("regdef-ec", 3), ("clobber", 4), ("imm", 5), ("mem", 6), ("func", 7)];

/// Marks the number of a group of operands that was written as a word: how many operands follow is not written.
pub const ASM_WORD: i64 = 1 << 40;

/// The number that words such as `sideeffect attdialect` or `reguse` stand for.
pub fn asm_words<'t>(words: impl Iterator<Item = &'t str>) -> Option<i64> {
    let of = |words: &[(&str, i64)], word| words.iter().find(|(w, _)| *w == word).map(|(_, number)| *number);
    let mut sum = None;
    for word in words {
        match of(&ASM_GROUPS, word) {
            Some(group) => return Some(ASM_WORD | group),
            None => sum = Some(sum.unwrap_or(0) | of(&ASM_FLAGS, word)?),
        }
    }
    sum
}

/// `sideeffect attdialect`, `regdef:VGPR_32`, `reguse tiedto:$0`.
fn asm_operand(p: &mut P<'_>) {
    newer(p, format!("`{}`", p.text()));
    let is_flag = |p: &mut P<'_>| p.at(IDENT) && ASM_FLAGS.iter().any(|(word, _)| *word == p.text());
    if is_flag(p) {
        while is_flag(p) {
            p.bump();
        }
        return;
    }
    p.bump();
    if p.eat(COLON) {
        p.expect(IDENT, "a register class or a constraint after `:`");
    }
    if p.at(IDENT) && p.text() == "tiedto" {
        p.bump();
        let _ = p.expect(COLON, "`:` after `tiedto`") && p.expect(PHYSREG, "the operand's number (`$0`)");
    }
}

/// The first version of LLVM that reads a word which [`super::NEWER`] reports.
pub fn newer_since(word: &str) -> u8 {
    if word.starts_with("llvm_") { 24 } else { 23 }
}

pub(super) fn newer(p: &mut P<'_>, what: String) {
    let message = format!("{what} requires LLVM {}", newer_since(p.text()));
    p.report(Diagnostic::new(&super::NEWER, p.range(), message));
}

/// A register mask's name, a custom mask, or a typed immediate.
fn identifier(p: &mut P<'_>, m: Marker) -> bool {
    if asm_words(std::iter::once(p.text())).is_some() {
        let errors = p.error_count();
        asm_operand(p);
        m.complete(p, IMMEDIATE);
        return p.error_count() == errors + 1;
    }
    if p.text() == "CustomRegMask" {
        p.bump();
        let mut ok = p.expect(LPAREN, "`(`");
        while ok {
            if !p.at(RPAREN) {
                ok = p.expect(PHYSREG, "a physical register (`$name`)");
            }
            if !ok || !p.eat(COMMA) {
                break;
            }
        }
        ok = ok && p.expect(RPAREN, "`)`");
        m.complete(p, CUSTOM_MASK);
        return ok;
    }
    let typed = sized_type(p.text()).is_some_and(|(first, _)| matches!(first, b'i' | b's' | b'p'));
    p.bump();
    if !typed {
        m.complete(p, REGISTER_MASK);
        return true;
    }
    let ok = p.at(INT) || (p.at(IDENT) && matches!(p.text(), "true" | "false"));
    if ok {
        p.bump();
    } else {
        p.expected("an integer literal");
    }
    m.complete(p, TYPED_IMMEDIATE);
    ok
}

/// `.id0_VALU_DEP_1`, which only some targets have.
fn mnemonic(p: &mut P<'_>, m: Marker) -> bool {
    p.bump();
    p.eat(INT);
    if !p.at(COMMA) {
        if !p.at(IDENT) {
            p.expected("the name of an immediate after `.`");
            m.complete(p, MNEMONIC_IMMEDIATE);
            return false;
        }
        p.bump();
    }
    m.complete(p, MNEMONIC_IMMEDIATE);
    true
}

/// What `intpred(...)` takes.
pub const INTEGER_PREDICATES: &[&str] = &["eq", "ne", "sgt", "sge", "slt", "sle", "ugt", "uge", "ult", "ule"];

/// What `floatpred(...)` takes.
pub const FLOAT_PREDICATES: &[&str] = &[
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule",
    "une", "true",
];

fn predicate(p: &mut P<'_>) -> bool {
    let float = p.at(FLOATPRED_KW);
    p.bump();
    if !p.expect(LPAREN, "`(`") {
        return false;
    }
    let known = if float { FLOAT_PREDICATES } else { INTEGER_PREDICATES }.contains(&p.text());
    if !p.at(IDENT) || !known {
        p.expected(if float { "a floating point predicate" } else { "an integer predicate" });
        return false;
    }
    p.bump();
    p.expect(RPAREN, "`)` after the predicate")
}

fn shuffle_mask(p: &mut P<'_>) -> bool {
    p.bump();
    if !p.expect(LPAREN, "`(`") {
        return false;
    }
    loop {
        let undefined = p.at(REGISTER_FLAG) && p.text() == "undef";
        if !undefined && !p.at(INT) {
            p.expected("an integer or `undef`");
            return false;
        }
        p.bump();
        if !p.eat(COMMA) {
            return p.expect(RPAREN, "`)` after the mask");
        }
    }
}

fn lane_mask(p: &mut P<'_>) -> bool {
    p.bump();
    if !p.expect(LPAREN, "`(`") {
        return false;
    }
    // LLVM reads a negative number as the bits that it needs.
    let is_negative = p.at(INT) && p.text().starts_with('-');
    if is_negative {
        p.bump();
    }
    (is_negative || memory::unsigned(p, 64, "a 64-bit integer")) && p.expect(RPAREN, "`)` after the mask")
}
