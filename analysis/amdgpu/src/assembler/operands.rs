//! Instruction lines: operands as written, for the machine crate to match.

use std::borrow::Cow;

use wavelens_isa::{self as isa, ErrorKind, Line, Mods, Sep, Term, TermRange, Value};
use wavelens_syntax::amdgpu::AmdgpuKind::*;
use wavelens_syntax::amdgpu::SYNTAX_ERROR;

use super::cursor::{self, Cursor, unquote};
use super::expression::{Expr, Function, When};
use super::listing;
use super::operand_words::is_operand_word;
use super::program::{Data, Instruction};
use super::registers::{at_register, tuple_of_unknown_file};
use super::rejected::LineRanges;
use super::symbols::Definition;
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::instruction::invalid_operand::INVALID_OPERAND;
use crate::rules::instruction::literal_not_allowed;
use crate::rules::instruction::no_such_register::NO_SUCH_REGISTER;
use crate::rules::symbol::not_absolute::NOT_ABSOLUTE;
use wavelens_base::{TextRange, TextSize};

/// What the reader of one line collects apart from the line.
#[derive(Default)]
struct Written {
    ranges: Vec<TextRange>,
    /// Expressions that are not numbers yet, by operand.
    symbolic: Vec<(u8, Expr)>,
}

/// Branches take labels, which may be called `done` or `high`.
fn is_branch(mnemonic: &str) -> bool {
    ["s_branch", "s_cbranch", "s_call", "s_subvector"].iter().any(|m| mnemonic.starts_with(m))
}

impl Assembler<'_> {
    pub(crate) fn instruction(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        let before = self.program.instructions.len();
        let result = self.read_instruction(c, name, range);
        let added = self.program.instructions.get(before);
        if added.is_none_or(|i| i.encoded.unknown()) {
            self.program.gap();
        }
        result
    }

    fn read_instruction(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        let (reported, offset, text) = (self.diagnostics.len(), self.sections.offset(), c.text);
        let result = self.written_instruction(c, name, range);
        if !self.is_listing || self.diagnostics.len() == reported {
            return result;
        }
        // AMD's disassembler writes some operands in a way that LLVM's assembler does not read.
        let Some(instruction) = self.listed(text, name, range.start(), offset) else { return result };
        self.diagnostics.truncate(reported);
        let end = offset + instruction.encoded.bytes().len() as u64;
        self.sections.advance(end.saturating_sub(self.sections.offset()));
        self.program.instructions.push(instruction);
        c.skip_line();
        Ok(())
    }

    fn written_instruction(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        let mnemonic: Cow<'_, str> = match name.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Cow::Owned(name.to_ascii_lowercase()),
            false => Cow::Borrowed(name),
        };
        let Some(target) = self.target.filter(|_| self.mode != Mode::Outline) else {
            c.skip_line();
            self.sections.advance(4);
            if self.mode != Mode::Outline {
                self.without_processor(c, &mnemonic, range);
            }
            return Ok(());
        };
        let mut line = Line::default();
        line.clear(&mnemonic);
        let mut written = Written::default();
        let start = range.start();
        // A copy, so that the line may borrow the mnemonic as well as the text.
        let mut reading = *c;
        let reported = self.diagnostics.len();
        let parsed = self.operands(&mut reading, &mut line, &mut written);
        c.seek(reading.index());
        let whole = c.since(start);
        if self.expansions.is_empty()
            && let Some(mut watch) = self.watch.take()
        {
            let mut end = *c;
            end.skip_line();
            watch.note(target, range, end.start(), &line, &written.ranges);
            self.watch = Some(watch);
        }
        if parsed.is_err() {
            self.sections.advance(4);
            // An unknown instruction says more than what is wrong after it.
            return self.blame_mnemonic(c, target, &mnemonic, range, reported);
        }
        let other = || self.configuration.as_ref()?.other_wave_size().filter(|o| o.name() == target.name());
        let assembled = isa::assemble(target, &line)
            .or_else(|error| other().and_then(|other| isa::assemble(other, &line).ok()).ok_or(error));
        match assembled {
            Ok(encoded) => {
                if let Some((operand, taken)) = literal_not_allowed::rounded(&line, &encoded)
                    && let Some(range) = written.ranges.get(operand).copied()
                {
                    self.warning(
                        c,
                        &literal_not_allowed::LITERAL,
                        range,
                        literal_not_allowed::of_double(c.slice(range), taken),
                    );
                }
                let offset = self.sections.offset();
                for fixup in encoded.fixups() {
                    let Some((index, expr)) =
                        written.symbolic.iter().find(|(operand, _)| *operand == fixup.operand).cloned()
                    else {
                        continue;
                    };
                    let range = written.ranges.get(usize::from(index)).copied().unwrap_or(whole);
                    self.add_fixup(c, &encoded, fixup, expr, range)?;
                }
                let range = self.outer_range(whole);
                let symbol = written.symbolic.iter().find_map(|(_, expr)| match expr {
                    Expr::Symbol(id) => Some(*id),
                    _ => None,
                });
                let nested = !self.expansions.is_empty();
                self.sections.advance(encoded.bytes().len().max(4) as u64);
                let encoded = isa::Packed::new(&encoded);
                self.program.add(target, Instruction { encoded, range, offset, nested, symbol });
                Ok(())
            }
            Err(error) => {
                self.sections.advance(4);
                if error.kind == ErrorKind::UnknownMnemonic && self.open {
                    return Ok(());
                }
                let ranges = LineRanges { whole, mnemonic: range, operands: &written.ranges };
                self.reject(c, target, &line, &error, ranges);
                Ok(())
            }
        }
    }

    /// The words of one data directive in code: instructions where control reaches them, whatever wrote them, and data elsewhere. Words
    /// that are not instructions of the processor do what nobody knows.
    pub(crate) fn words_in_code(&mut self, range: TextRange, mut offset: u64) {
        if self.mode == Mode::Outline || !self.sections.is_code() {
            return;
        }
        let Some(target) = self.target else { return };
        let is_reached = self.program.is_reached(target);
        let is_known = !self.words.is_empty() && self.words.iter().all(Option::is_some);
        let bytes: Vec<u8> = self.words.iter().flat_map(|w| w.unwrap_or_default().to_le_bytes()).collect();
        let mut rest = bytes.as_slice();
        let (range, nested) = (self.outer_range(range), !self.expansions.is_empty());
        while let Some(found) = isa::decode(target, rest).filter(|_| is_reached && is_known) {
            let Some((own, after)) = rest.split_at_checked(found.len) else { break };
            let encoded = isa::Packed::decoded(&found.inst, own);
            self.program.instructions.push(Instruction { encoded, range, offset, nested, symbol: None });
            offset += own.len() as u64;
            rest = after;
        }
        if rest.is_empty() && is_known {
            return;
        }
        if is_reached {
            self.program.gap();
        }
        let before = self.program.instructions.len();
        self.program.data.push(Data { range, offset, bytes: rest.to_vec(), before });
    }

    fn operands<'a>(&mut self, c: &mut Cursor<'a>, line: &mut Line<'a>, written: &mut Written) -> Parsed<()> {
        let mut sep = Sep::Space;
        while !c.at_eol() {
            let start = c.start();
            if c.at(COLON) && c.nth(1) == COLON && c.next_is_adjacent() {
                c.bump();
                c.bump();
                if !c.at(IDENT) {
                    return Err(self.error(
                        c,
                        &SYNTAX_ERROR,
                        c.range(),
                        "expected the second instruction after `::`",
                    ));
                }
                line.push(Sep::DoubleColon, Mods::NONE, Value::Word(c.word()));
                c.bump();
            } else {
                let joined = line.operands.last().is_some_and(|o| matches!(o.value, Value::Call { .. }));
                if joined && sep == Sep::Space && matches!(c.kind(), AMP | PIPE) {
                    sep = if c.at(AMP) { Sep::Amp } else { Sep::Pipe };
                    c.bump();
                }
                // Registers follow commas; after a space, this is the modifier of image instructions.
                if c.word() == "a16" && sep == Sep::Space && !line.operands.is_empty() {
                    line.push(sep, Mods::NONE, Value::Word("a16"));
                    c.bump();
                } else {
                    let index = line.operands.len().min(255) as u8;
                    let (mods, value) = self.operand(c, line, written, index, 8)?;
                    line.push(sep, mods, value);
                }
            }
            written.ranges.push(c.since(start));
            sep = if c.eat(COMMA) { Sep::Comma } else { Sep::Space };
        }
        let counter = matches!(line.operands.last().map(|o| o.value), Some(Value::Call { .. }));
        if sep == Sep::Comma && counter && line.mnemonic.starts_with("s_waitcnt") {
            return Err(self.error(c, &SYNTAX_ERROR, c.since(c.start()), "expected another counter"));
        }
        Ok(())
    }

    fn operand<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
        written: &mut Written,
        index: u8,
        depth: u32,
    ) -> Parsed<(Mods, Value<'a>)> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), "the operand nests too deeply"));
        };
        match c.kind() {
            // The comma after a register or a symbol may be left out: `s_add_u32 s0, s0 (3)`.
            IDENT if c.nth(1) == L_PAREN && !at_register(c) && !is_symbol_before(c, line.mnemonic) => {
                self.called(c, line, written, index, depth)
            }
            IDENT if c.nth(1) == L_BRACKET && c.nth(2) == INT && c.next_is_adjacent() && !at_register(c) => {
                match tuple_of_unknown_file(c) {
                    Some(word) => Ok((Mods::NONE, Value::Word(word))),
                    None => {
                        let message = format!("unknown register file `{}`", c.word());
                        Err(self.error(c, &NO_SUCH_REGISTER, c.range(), message))
                    }
                }
            }
            IDENT
                if matches!(c.word(), "lit" | "lit64")
                    || matches!(c.word(), "neg" | "abs")
                        && isa::takes_neg(line.mnemonic, line.operands.len()) =>
            {
                let message = format!("expected `(` after `{}`", c.word());
                Err(self.error(c, &SYNTAX_ERROR, c.range(), message))
            }
            IDENT if c.nth(1) == COLON && c.nth(2) != COLON => Ok((Mods::NONE, self.named(c, line)?)),
            IDENT | L_BRACKET if at_register(c) => Ok((Mods::NONE, self.register(c, line, depth)?)),
            IDENT if is_operand_word(c.word()) && !is_branch(line.mnemonic) && !continues(c) => {
                let word = c.word();
                c.bump();
                Ok((Mods::NONE, Value::Word(word)))
            }
            MINUS if c.nth(1) == MINUS && isa::takes_neg(line.mnemonic, line.operands.len()) => {
                let message = "two signs in a row: the first is a modifier, write `neg(-...)`";
                Err(self.error(c, &SYNTAX_ERROR, c.range(), message))
            }
            MINUS if c.nth(1) == REAL => {
                c.bump();
                Ok((Mods::NONE, Value::Float((-self.float(c)?).to_bits())))
            }
            MINUS if negates(c) => {
                c.bump();
                let (mods, value) = self.operand(c, line, written, index, depth)?;
                Ok((Mods { neg: true, ..mods }, value))
            }
            REAL => Ok((Mods::NONE, Value::Float(self.float(c)?.to_bits()))),
            PIPE => {
                c.bump();
                let inner = c.start();
                let (mods, value) = match at_register(c) {
                    true => (Mods::NONE, self.register(c, line, depth)?),
                    false if matches!(c.kind(), REAL) => (Mods::NONE, Value::Float(self.float(c)?.to_bits())),
                    false if c.at(MINUS) && c.nth(1) == REAL => {
                        c.bump();
                        (Mods::NONE, Value::Float((-self.float(c)?).to_bits()))
                    }
                    false if c.at(IDENT) && c.nth(1) == L_PAREN => {
                        let (mods, value) = self.called(c, line, written, index, depth)?;
                        if !nests("abs", mods) {
                            let message =
                                format!("`|...|` must not contain `{}`", mods.outermost().unwrap_or(""));
                            return Err(self.error(c, &INVALID_OPERAND, c.since(inner), message));
                        }
                        (mods, value)
                    }
                    false => {
                        let expr = self.primary(c, 50)?;
                        (Mods::NONE, self.expression_value(expr, written, index))
                    }
                };
                self.changeable(c, value, inner, written, index)?;
                if !c.eat(PIPE) {
                    return Err(self.error(c, &SYNTAX_ERROR, c.range(), "expected `|`"));
                }
                Ok((Mods { abs: true, ..mods }, value))
            }
            L_BRACE => Ok((Mods::NONE, self.named_fields(c, line)?)),
            _ => {
                let expr = self.expression(c)?;
                Ok((Mods::NONE, self.expression_value(expr, written, index)))
            }
        }
    }

    fn expression_value<'a>(&mut self, expr: Expr, written: &mut Written, index: u8) -> Value<'a> {
        match expr {
            Expr::Const(value) => Value::Int(value),
            Expr::Unknown => Value::Unknown,
            Expr::Symbol(id) if self.symbols.get(id).definition == Definition::Unknown => Value::Unknown,
            expr => {
                written.symbolic.push((index, expr));
                Value::Symbol
            }
        }
    }

    fn float(&mut self, c: &mut Cursor<'_>) -> Parsed<f64> {
        match cursor::real(c.word()) {
            Some(value) => {
                c.bump();
                Ok(value)
            }
            None => Err(self.error(c, &SYNTAX_ERROR, c.range(), "not a floating-point number")),
        }
    }

    /// `name(...)`: a modifier, an expression, or a call of the operand syntax.
    fn called<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
        written: &mut Written,
        index: u8,
        depth: u32,
    ) -> Parsed<(Mods, Value<'a>)> {
        let name = c.word();
        if !is_modifier(name) {
            if Function::named(name).is_some() {
                let expr = self.expression(c)?;
                return Ok((Mods::NONE, self.expression_value(expr, written, index)));
            }
            c.bump();
            let args = self.call_terms(c, line, 4)?;
            return Ok((Mods::NONE, Value::Call { name, args }));
        }
        c.bump();
        c.bump();
        let inner = c.start();
        let (mut mods, value) = self.operand(c, line, written, index, depth)?;
        if !nests(name, mods) {
            let message = format!("`{name}` must not contain `{}`", mods.outermost().unwrap_or(""));
            return Err(self.error(c, &INVALID_OPERAND, c.since(inner), message));
        }
        match name {
            "neg" => mods.neg = true,
            "abs" => mods.abs = true,
            "sext" => mods.sext = true,
            "lit" => mods.lit = true,
            _ => mods.lit64 = true,
        }
        self.changeable(c, value, inner, written, index)?;
        if !c.eat(R_PAREN) {
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), "expected `)`"));
        }
        Ok((mods, value))
    }

    /// A value with a modifier around it must be known.
    fn changeable(
        &mut self,
        c: &Cursor<'_>,
        value: Value<'_>,
        start: TextSize,
        written: &mut Written,
        index: u8,
    ) -> Parsed<()> {
        if value != Value::Symbol {
            return Ok(());
        }
        written.symbolic.retain(|(operand, _)| *operand != index);
        Err(self.error(
            c,
            &NOT_ABSOLUTE,
            c.since(start),
            "expected a register or a number in this modifier, found a symbol",
        ))
    }

    /// The arguments of a call, parentheses included.
    fn call_terms<'a>(&mut self, c: &mut Cursor<'a>, line: &mut Line<'a>, depth: u32) -> Parsed<TermRange> {
        self.terms(c, line, depth, L_PAREN, R_PAREN)
    }

    fn terms<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
        depth: u32,
        open: wavelens_syntax::amdgpu::AmdgpuKind,
        close: wavelens_syntax::amdgpu::AmdgpuKind,
    ) -> Parsed<TermRange> {
        debug_assert!(c.at(open));
        c.bump();
        let mut terms: Vec<Term<'a>> = Vec::new();
        while !c.at(close) {
            if c.at_eol() {
                let what = if close == R_PAREN { "expected `)`" } else { "expected `]`" };
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), what));
            }
            terms.push(self.term(c, line, depth)?);
            let more = c.eat(COMMA);
            if !more && !c.at(close) {
                let what = if close == R_PAREN { "expected `,` or `)`" } else { "expected `,` or `]`" };
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), what));
            }
            if more && c.at(close) {
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), "expected a value after `,`"));
            }
        }
        c.bump();
        Ok(line.store(&terms))
    }

    fn term<'a>(&mut self, c: &mut Cursor<'a>, line: &mut Line<'a>, depth: u32) -> Parsed<Term<'a>> {
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), "nested too deeply"));
        };
        match c.kind() {
            STRING => {
                let text = unquote(c.word());
                c.bump();
                Ok(Term::Str(text))
            }
            IDENT if c.nth(1) == L_PAREN && Function::named(c.word()).is_none() => {
                let name = c.word();
                c.bump();
                let args = self.call_terms(c, line, deeper)?;
                Ok(Term::Call { name, args })
            }
            L_BRACKET => Ok(Term::List(self.terms(c, line, deeper, L_BRACKET, R_BRACKET)?)),
            IDENT if at_register(c) => match self.register(c, line, 4)? {
                Value::Reg(reg) => Ok(Term::Reg(reg)),
                _ => Ok(Term::Unknown),
            },
            IDENT if self.is_plain_word(c) => {
                let word = c.word();
                c.bump();
                Ok(Term::Word(if self.is_listing { listing::plain_word(word) } else { word }))
            }
            _ => Ok(self.absolute_term(c)?.map_or(Term::Unknown, Term::Int)),
        }
    }

    pub(crate) fn absolute_term(&mut self, c: &mut Cursor<'_>) -> Parsed<Option<i64>> {
        let start = c.start();
        let expr = self.expression(c)?;
        self.absolute_value(c, &expr, c.since(start), When::Reading)
    }

    /// A word that is neither the start of a longer expression nor a symbol with a value.
    fn is_plain_word(&mut self, c: &Cursor<'_>) -> bool {
        let word = c.word();
        if word.contains('@')
            || !matches!(c.nth(1), COMMA | R_PAREN | R_BRACKET | EOL | EOF | IDENT | COLON | INT)
        {
            return false;
        }
        if isa::is_named_field(word) {
            return true;
        }
        let has_value =
            |definition: &Definition| matches!(definition, Definition::Variable(_) | Definition::Unknown);
        match self.symbols.find(word) {
            Some(id) => {
                self.import(id);
                !has_value(&self.symbols.get(id).definition)
            }
            None if self.scope.is_some() => {
                let id = self.symbol(word);
                !has_value(&self.symbols.get(id).definition)
            }
            None => true,
        }
    }

    /// `name:value`
    fn named<'a>(&mut self, c: &mut Cursor<'a>, line: &mut Line<'a>) -> Parsed<Value<'a>> {
        let name = c.word();
        c.bump();
        c.bump();
        let start = c.start();
        let term = if name == "dim" && c.at(INT) && c.nth(1) == IDENT && c.next_is_adjacent() {
            // `2D_ARRAY`
            c.bump();
            let word = c.slice(TextRange::new(start, c.range().end()));
            c.bump();
            Term::Word(word)
        } else if c.at(IDENT) && isa::takes_word(name) {
            let word = c.word();
            c.bump();
            Term::Word(word)
        } else if c.at(IDENT) && c.nth(1) == L_BRACKET && !at_register(c) {
            return Err(self.error(c, &SYNTAX_ERROR, c.range(), c.expected("`[`")));
        } else {
            self.term(c, line, 4)?
        };
        Ok(Value::Named { name, value: line.store(&[term]) })
    }
}

/// Whether a word before parentheses changes the operand in them.
pub(super) fn is_modifier(word: &str) -> bool {
    matches!(word, "neg" | "abs" | "sext" | "lit" | "lit64")
}

/// Whether a word is a symbol, and the number in parentheses after it the next operand: `s_add_u32 s0, size (3)`. Only where the
/// instruction takes no `hwreg(1)` or the like.
fn is_symbol_before(c: &Cursor<'_>, mnemonic: &str) -> bool {
    const TAKE_CALLS: [&str; 6] =
        ["s_wait", "s_getreg", "s_setreg", "s_sendmsg", "s_delay_alu", "s_set_gpr_idx"];
    let takes_calls = || TAKE_CALLS.iter().any(|start| mnemonic.starts_with(start));
    !is_modifier(c.word()) && c.nth(2) == INT && Function::named(c.word()).is_none() && !takes_calls()
}

/// Whether the minus sign is a source modifier and not part of a number.
fn negates(c: &Cursor<'_>) -> bool {
    let mut next = *c;
    next.bump();
    next.at(PIPE) || at_register(&next) || (next.at(IDENT) && next.word() == "abs" && next.nth(1) == L_PAREN)
}

/// Whether an expression goes on after this word: `gds+4`, but not `attr0.x -v1`.
fn continues(c: &Cursor<'_>) -> bool {
    matches!(c.nth(1), PLUS | STAR | SLASH) || (c.nth(1) == MINUS && c.nth(2) == INT)
}

/// Whether the modifier is allowed around an operand with these: `neg` is outermost, then `abs`, then `lit`.
fn nests(name: &str, inner: Mods) -> bool {
    match name {
        "neg" => !inner.neg && !inner.sext,
        "abs" => !inner.neg && !inner.abs && !inner.sext,
        "sext" => inner == Mods::NONE,
        // `lit(|1.0|)`
        _ => inner == Mods { abs: inner.abs, ..Mods::NONE },
    }
}
