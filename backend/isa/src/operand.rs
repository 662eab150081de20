//! What an instruction line says, before anything is known about the instruction.

use crate::register::Reg;

/// What stood between an operand and the one before it.
///
/// `llvm-mc` takes the comma as optional, so `Space` and `Comma` mean the same to the matcher; `&` and `|` only join
/// the calls of `s_waitcnt`, `s_wait_alu` and `s_delay_alu`; `::` starts the second half of a dual instruction, and the
/// operand after it is the second mnemonic as a [`Value::Word`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sep {
    /// First operand, or only white space.
    #[default]
    Space,
    /// `,`
    Comma,
    /// `&`
    Amp,
    /// `|`
    Pipe,
    /// `::`
    DoubleColon,
}

/// Source modifiers around a register or number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Mods {
    /// `-v0` or `neg(v0)`. A number with its sign (`-1`, `-1.5`) does not have a modifier: fold it into the value.
    pub neg: bool,
    /// `|v0|` or `abs(v0)`.
    pub abs: bool,
    /// `sext(v0)`.
    pub sext: bool,
    /// `lit(1.0)`: always as a literal.
    pub lit: bool,
    /// `lit64(1.0)`: always as a 64-bit literal.
    pub lit64: bool,
}

impl Mods {
    /// The outer modifier, as it is written.
    pub fn outermost(self) -> Option<&'static str> {
        Some(match self {
            Mods { neg: true, .. } => "neg",
            Mods { sext: true, .. } => "sext",
            Mods { abs: true, .. } => "abs",
            Mods { lit: true, .. } => "lit",
            Mods { lit64: true, .. } => "lit64",
            _ => return None,
        })
    }

    /// No modifier at all.
    pub const NONE: Mods = Mods { neg: false, abs: false, sext: false, lit: false, lit64: false };
}

/// Consecutive entries of [`Line::terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TermRange {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The main part of an operand.
#[allow(missing_docs, reason = "fields are named as in the syntax")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A register or a tuple, already looked up: [`crate::named_register`] and [`crate::register_range`].
    Reg(Reg),
    /// A bracketed list, `[v0, v4, v[6:7]]`: a non-sequential image address, or consecutive registers as SP3 writes
    /// them (`[s0, s1]`, `[v5]`). Every term is a [`Term::Reg`].
    RegList(TermRange),
    /// An integer, or an absolute expression with this value.
    Int(i64),
    /// A floating-point number: the bits of the nearest `f64`.
    Float(u64),
    /// An expression that stays for the linker, or a symbol whose value is not final; encodes as a fixup.
    Symbol,
    /// Something whose value cannot be known here (an undefined `-D` symbol, a failed macro argument). Matches wherever any
    /// expression could, and no check of its value complains.
    Unknown,
    /// A bare word that is not a register: `off`, `glc`, `mrt0`, `row_mirror`, `gds`, `attr0.x`; also a symbol without known
    /// value, when nothing else is around it. Where an expression is allowed, a word counts as [`Value::Symbol`].
    Word(&'a str),
    /// `name:value`. One term for `offset:16`, `dim:SQ_RSRC_IMG_2D`, `dim:1D`, `format:[A,B]` (a [`Term::List`]),
    /// `offset:swizzle(...)` (a [`Term::Call`]).
    Named { name: &'a str, value: TermRange },
    /// `name(arg, ...)`: `hwreg(...)`, `sendmsg(...)`, `vmcnt(0)`, `instid0(...)`, `depctr_sa_sdst(0)`, `gpr_idx(...)`.
    /// One operand per call, also when joined by `&`, `|` or nothing (see [`Sep`]).
    Call { name: &'a str, args: TermRange },
}

/// An argument inside a modifier, list or call.
#[allow(missing_docs, reason = "fields are named as in the syntax")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term<'a> {
    /// An absolute expression's value.
    Int(i64),
    /// A word that is not an absolute symbol; `1D` after `dim:` is a word too.
    Word(&'a str),
    /// A quoted string without its quotes (`swizzle(BITMASK_PERM, "01pip")`).
    Str(&'a str),
    Reg(Reg),
    /// `[a, b]`.
    List(TermRange),
    /// `name(a, b)`.
    Call {
        name: &'a str,
        args: TermRange,
    },
    /// See [`Value::Unknown`].
    Unknown,
}

/// One operand as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operand<'a> {
    pub(crate) sep: Sep,
    pub(crate) mods: Mods,
    /// What is written.
    pub value: Value<'a>,
}

/// One instruction line: the mnemonic in the spelling of the source (suffixes `_e64`, `_dpp`, `_sdwa` included) and its operands.
///
/// Reuse one `Line` for a whole file with [`Line::clear`]: nothing is allocated per line then.
#[derive(Clone, Debug, Default)]
pub struct Line<'a> {
    /// As written.
    pub mnemonic: &'a str,
    /// In the order of the text.
    pub operands: Vec<Operand<'a>>,
    pub(crate) terms: Vec<Term<'a>>,
}

impl<'a> Line<'a> {
    /// Forgets the operands and starts anew with `mnemonic`.
    pub fn clear(&mut self, mnemonic: &'a str) {
        self.mnemonic = mnemonic;
        self.operands.clear();
        self.terms.clear();
    }

    /// Appends an operand.
    pub fn push(&mut self, sep: Sep, mods: Mods, value: Value<'a>) {
        self.operands.push(Operand { sep, mods, value });
    }

    /// Stores arguments and returns their range. Inner lists are stored before the outer one.
    pub fn store(&mut self, terms: &[Term<'a>]) -> TermRange {
        let start = self.terms.len() as u32;
        self.terms.extend_from_slice(terms);
        TermRange { start, len: terms.len() as u32 }
    }

    /// Replaces the first term of a range.
    pub fn set_first_term(&mut self, range: TermRange, term: Term<'a>) {
        if let Some(first) = self.terms.get_mut(range.start as usize).filter(|_| range.len > 0) {
            *first = term;
        }
    }

    /// The terms of a range; empty when the range is not of this line.
    pub fn terms(&self, range: TermRange) -> &[Term<'a>] {
        let start = range.start as usize;
        self.terms.get(start..start + range.len as usize).unwrap_or(&[])
    }
}
