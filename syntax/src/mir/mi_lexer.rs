//! Tokens of the machine body language, after LLVM's `MILexer`.

use super::MirKind::{self, *};
use crate::machine::Lexed;

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')
}

fn is_register(byte: u8) -> bool {
    is_identifier(byte) && byte != b'.'
}

/// What precedes a register operand.
pub(super) const REGISTER_FLAGS: [&str; 10] = [
    "implicit",
    "implicit-def",
    "def",
    "dead",
    "killed",
    "undef",
    "internal",
    "early-clobber",
    "debug-use",
    "renamable",
];

/// What `CFI_INSTRUCTION` does.
pub const CFI_WORDS: [&str; 21] = [
    "same_value",
    "offset",
    "rel_offset",
    "def_cfa_register",
    "def_cfa_offset",
    "adjust_cfa_offset",
    "escape",
    "def_cfa",
    "llvm_def_aspace_cfa",
    "llvm_register_pair",
    "llvm_vector_offset",
    "llvm_vector_register_mask",
    "llvm_vector_registers",
    "remember_state",
    "restore",
    "restore_state",
    "undefined",
    "register",
    "window_save",
    "negate_ra_sign_state",
    "negate_ra_sign_state_with_pc",
];

/// The kind of a word that starts with a letter or `_`.
pub(super) fn word_kind(word: &str) -> MirKind {
    if word.as_bytes().first().is_some_and(u8::is_ascii_uppercase) {
        return IDENT;
    }
    match word {
        "_" => UNDERSCORE,
        word if REGISTER_FLAGS.contains(&word) => REGISTER_FLAG,
        "frame-setup" | "frame-destroy" | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn"
        | "reassoc" | "nuw" | "nsw" | "exact" | "nofpexcept" | "noconvergent" | "unpredictable" | "nneg"
        | "disjoint" | "nusw" | "samesign" | "inbounds" | "lr-split" => INSTRUCTION_FLAG,
        "half" | "bfloat" | "float" | "double" | "x86_fp80" | "fp128" | "ppc_fp128" => FP_TYPE,
        "volatile" | "non-temporal" | "dereferenceable" | "invariant" => MEMORY_FLAG,
        "stack" | "got" | "jump-table" | "constant-pool" => PSEUDO_SOURCE,
        "landing-pad"
        | "inlineasm-br-indirect-target"
        | "ehfunclet-entry"
        | "ehscope-entry"
        | "machine-block-address-taken" => BLOCK_FLAG,
        "tied-def" => TIED_DEF_KW,
        "debug-location" => DEBUG_LOCATION_KW,
        "debug-instr-number" => DEBUG_INSTR_NUMBER_KW,
        "dbg-instr-ref" => DBG_INSTR_REF_KW,
        "blockaddress" => BLOCKADDRESS_KW,
        "intrinsic" => INTRINSIC_KW,
        "target-index" => TARGET_INDEX_KW,
        "target-flags" => TARGET_FLAGS_KW,
        "align" => ALIGN_KW,
        "basealign" => BASEALIGN_KW,
        "addrspace" => ADDRSPACE_KW,
        "call-entry" => CALL_ENTRY_KW,
        "custom" => CUSTOM_KW,
        "liveout" => LIVEOUT_KW,
        "liveins" => LIVEINS_KW,
        "successors" => SUCCESSORS_KW,
        "floatpred" => FLOATPRED_KW,
        "intpred" => INTPRED_KW,
        "shufflemask" => SHUFFLEMASK_KW,
        "lanemask" => LANEMASK_KW,
        "pre-instr-symbol" => PRE_INSTR_SYMBOL_KW,
        "post-instr-symbol" => POST_INSTR_SYMBOL_KW,
        "heap-alloc-marker" => HEAP_ALLOC_MARKER_KW,
        "pcsections" => PCSECTIONS_KW,
        "mmra" => MMRA_KW,
        "cfi-type" => CFI_TYPE_KW,
        "deactivation-symbol" => DEACTIVATION_SYMBOL_KW,
        "bbsections" => BBSECTIONS_KW,
        "bb_id" => BB_ID_KW,
        "unknown-size" => UNKNOWN_SIZE_KW,
        "unknown-address" => UNKNOWN_ADDRESS_KW,
        "distinct" => DISTINCT_KW,
        "ir-block-address-taken" => IR_BLOCK_ADDRESS_TAKEN_KW,
        "call-frame-size" => CALL_FRAME_SIZE_KW,
        word if CFI_WORDS.contains(&word) => CFI_WORD,
        _ => IDENT,
    }
}

struct Cursor<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    end: usize,
}

impl Cursor<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.end { self.bytes.get(at).copied().unwrap_or(0) } else { 0 }
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.at < self.end && self.bytes.get(self.at).is_some_and(|b| accept(*b)) {
            self.at += 1;
        }
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..self.end).unwrap_or(&[])
    }

    fn line_end(&self) -> usize {
        self.at + self.rest().iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(self.end - self.at)
    }

    /// A quoted string from the current `"`; false where the line ends first.
    fn string(&mut self) -> bool {
        let line_end = self.line_end();
        self.at += 1;
        while self.at < line_end {
            self.at += 1;
            if self.bytes.get(self.at - 1) == Some(&b'"') {
                return true;
            }
        }
        false
    }

    /// A name after a prefix: quoted or plain.
    fn name(&mut self, kind: MirKind) -> MirKind {
        if self.peek(0) == b'"' {
            return if self.string() { kind } else { BAD };
        }
        self.skip_while(is_identifier);
        kind
    }

    fn digits(&mut self, kind: MirKind) -> MirKind {
        self.skip_while(|b| b.is_ascii_digit());
        kind
    }
}

/// Lexes `text[from..to]` onto the end of `lexed`.
pub(super) fn lex(text: &str, from: usize, to: usize, lexed: &mut Lexed<MirKind>) {
    let mut c = Cursor { text, bytes: text.as_bytes(), at: from, end: to };
    while c.at < c.end {
        let kind = token(&mut c);
        lexed.push(kind, c.at);
    }
}

fn token(c: &mut Cursor<'_>) -> MirKind {
    let first = c.peek(0);
    match first {
        b' ' | b'\t' => {
            c.skip_while(|b| matches!(b, b' ' | b'\t'));
            WHITESPACE
        }
        b'\n' | b'\r' => {
            c.at += 1;
            NEWLINE
        }
        b';' => {
            c.at = c.line_end();
            COMMENT
        }
        b'/' if c.peek(1) == b'*' => {
            let length = c.rest().windows(2).position(|w| w == b"*/").map_or(c.rest().len(), |p| p + 2);
            c.at += length;
            COMMENT
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            if c.rest().starts_with(b"bb.") {
                return block(c, 3, LABEL);
            }
            let start = c.at;
            c.skip_while(is_identifier);
            word_kind(c.text.get(start..c.at).unwrap_or(""))
        }
        b'%' => percent(c),
        b'$' => {
            c.at += 1;
            c.skip_while(is_register);
            PHYSREG
        }
        b'@' => {
            c.at += 1;
            if c.peek(0).is_ascii_digit() { c.digits(GLOBAL) } else { named_or_bad(c, GLOBAL) }
        }
        b'&' => {
            c.at += 1;
            named_or_bad(c, EXTERNAL)
        }
        b'<' if c.rest().starts_with(b"<mcsymbol ") => mcsymbol(c),
        b'0'..=b'9' => number(c),
        b'-' if c.peek(1).is_ascii_digit() => number(c),
        b'!' => exclaim(c),
        b'`' => {
            let line_end = c.line_end();
            match c.bytes.get(c.at + 1..line_end).and_then(|l| l.iter().position(|b| *b == b'`')) {
                Some(p) => {
                    c.at += p + 2;
                    QUOTED_IR
                }
                None => bad(c),
            }
        }
        b'"' => named_or_bad(c, STRING),
        b':' if c.peek(1) == b':' => {
            c.at += 2;
            COLON_COLON
        }
        b'(' if is_expression_argument(c) => {
            let line_end = c.line_end();
            let length = c.bytes.get(c.at..line_end).and_then(|l| l.iter().position(|b| *b == b')'));
            c.at = length.map_or(line_end, |p| c.at + p + 1);
            MD_TEXT
        }
        _ => {
            let kind = match first {
                b',' => COMMA,
                b'.' => DOT,
                b'=' => EQUAL,
                b':' => COLON,
                b'(' => LPAREN,
                b')' => RPAREN,
                b'{' => LBRACE,
                b'}' => RBRACE,
                b'+' => PLUS,
                b'-' => MINUS,
                b'<' => LESS,
                b'>' => GREATER,
                _ => return bad(c),
            };
            c.at += 1;
            kind
        }
    }
}

/// LLVM stops at such a token; here its line is lost.
fn bad(c: &mut Cursor<'_>) -> MirKind {
    c.at = c.line_end();
    BAD
}

fn named_or_bad(c: &mut Cursor<'_>, kind: MirKind) -> MirKind {
    match c.name(kind) {
        BAD => bad(c),
        kind => kind,
    }
}

/// Whether the parenthesis belongs to a `!DIExpression` just before.
fn is_expression_argument(c: &Cursor<'_>) -> bool {
    c.bytes.get(..c.at).is_some_and(|b| b.ends_with(b"!DIExpression"))
}

fn block(c: &mut Cursor<'_>, prefix: usize, kind: MirKind) -> MirKind {
    if !c.peek(prefix).is_ascii_digit() {
        return bad(c);
    }
    c.at += prefix;
    c.digits(kind);
    if c.peek(0) == b'.' {
        c.at += 1;
        c.skip_while(is_identifier);
    }
    kind
}

fn percent(c: &mut Cursor<'_>) -> MirKind {
    let rest = c.rest();
    if rest.starts_with(b"%bb.") {
        return block(c, 4, BLOCK_NAME);
    }
    let numbered: [(&[u8], MirKind); 4] = [
        (b"%jump-table.", JUMP_TABLE),
        (b"%stack.", STACK_OBJECT),
        (b"%fixed-stack.", FIXED_STACK_OBJECT),
        (b"%const.", CONSTANT_POOL),
    ];
    for (prefix, kind) in numbered {
        if rest.starts_with(prefix) && c.peek(prefix.len()).is_ascii_digit() {
            c.at += prefix.len();
            c.digits(kind);
            if kind == STACK_OBJECT && c.peek(0) == b'.' {
                c.at += 1;
                c.skip_while(is_identifier);
            }
            return kind;
        }
    }
    let named: [(&[u8], MirKind); 3] =
        [(b"%subreg.", SUBREG_NAME), (b"%ir-block.", IR_BLOCK), (b"%ir.", IR_VALUE)];
    for (prefix, kind) in named {
        if rest.starts_with(prefix) {
            c.at += prefix.len();
            let digits = kind != SUBREG_NAME && c.peek(0).is_ascii_digit();
            return if digits { c.digits(kind) } else { named_or_bad(c, kind) };
        }
    }
    if c.peek(1).is_ascii_digit() {
        c.at += 1;
        return c.digits(VREG);
    }
    if is_register(c.peek(1)) {
        c.at += 1;
        c.skip_while(is_register);
        return NAMED_VREG;
    }
    bad(c)
}

fn mcsymbol(c: &mut Cursor<'_>) -> MirKind {
    let start = c.at;
    c.at += b"<mcsymbol ".len();
    let ok = c.name(MCSYMBOL) != BAD && c.peek(0) == b'>';
    if ok {
        c.at += 1;
        return MCSYMBOL;
    }
    c.at = start;
    bad(c)
}

fn number(c: &mut Cursor<'_>) -> MirKind {
    if c.peek(0) == b'0' && matches!(c.peek(1), b'x' | b'X') {
        let float = matches!(c.peek(2), b'H' | b'K' | b'L' | b'M' | b'R');
        let prefix = 2 + usize::from(float);
        if c.peek(prefix).is_ascii_hexdigit() {
            c.at += prefix;
            c.skip_while(|b| b.is_ascii_hexdigit());
            return if float { FLOAT } else { HEX };
        }
    }
    c.at += 1;
    c.digits(INT);
    if c.peek(0) != b'.' {
        return INT;
    }
    c.at += 1;
    c.digits(FLOAT);
    let exponent = matches!(c.peek(0), b'e' | b'E');
    let signed = matches!(c.peek(1), b'-' | b'+') && c.peek(2).is_ascii_digit();
    if exponent && (c.peek(1).is_ascii_digit() || signed) {
        c.at += 2;
        c.digits(FLOAT);
    }
    FLOAT
}

fn exclaim(c: &mut Cursor<'_>) -> MirKind {
    if c.peek(1).is_ascii_digit() || !is_identifier(c.peek(1)) {
        c.at += 1;
        return EXCLAIM;
    }
    let start = c.at;
    c.at += 1;
    c.skip_while(is_identifier);
    match c.text.get(start..c.at).unwrap_or("") {
        "!tbaa" | "!alias.scope" | "!noalias" | "!range" | "!noalias.addrspace" | "!mem.cache_hint" => {
            MD_WORD
        }
        "!DIExpression" => DIEXPRESSION,
        "!DILocation" => DILOCATION,
        _ => {
            c.at = start;
            bad(c)
        }
    }
}
