//! Directives that emit data, and those that move the place where it goes.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, unquote};
use super::expression::Expr;
use crate::assembler::{Assembler, Parsed};
use crate::rules::directive::data_out_of_range::{self, DATA_RANGE};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use wavelens_base::{TextRange, TextSize};

/// The names of relocations.
pub const RELOCATIONS: &[&str] = &[
    "R_AMDGPU_NONE",
    "R_AMDGPU_ABS32_LO",
    "R_AMDGPU_ABS32_HI",
    "R_AMDGPU_ABS64",
    "R_AMDGPU_REL32",
    "R_AMDGPU_REL64",
    "R_AMDGPU_ABS32",
    "R_AMDGPU_GOTPCREL",
    "R_AMDGPU_GOTPCREL32_LO",
    "R_AMDGPU_GOTPCREL32_HI",
    "R_AMDGPU_REL32_LO",
    "R_AMDGPU_REL32_HI",
    "R_AMDGPU_RELATIVE64",
    "R_AMDGPU_REL16",
    "BFD_RELOC_NONE",
    "BFD_RELOC_32",
    "BFD_RELOC_64",
];

impl Assembler<'_> {
    /// Does what a directive of data says, which is in lower case here. Whether it is one.
    pub(super) fn data_directive(
        &mut self,
        c: &mut Cursor<'_>,
        name: &str,
        range: TextRange,
    ) -> Parsed<bool> {
        match name {
            ".ascii" => self.strings(c, false)?,
            ".asciz" | ".string" => self.strings(c, true)?,
            ".byte" | ".dc.b" => self.values(c, 1)?,
            ".dc" | ".dc.w" | ".short" | ".value" | ".2byte" => self.values(c, 2)?,
            ".long" | ".int" | ".4byte" | ".dc.l" => {
                let (start, offset) = (range.start(), self.sections.offset());
                self.words.clear();
                let read = self.values(c, 4);
                self.words_in_code(c.since(start), offset);
                read?;
            }
            ".quad" | ".8byte" | ".dc.a" => self.values(c, 8)?,
            ".octa" => self.octas(c)?,
            ".single" | ".float" | ".dc.s" => self.reals(c, 4)?,
            ".double" | ".dc.d" => self.reals(c, 8)?,
            ".align" | ".balign" | ".align32" | ".balignw" | ".balignl" => {
                self.align(c, false, name == ".balign" || name == ".align")?;
            }
            ".p2align" => self.align(c, true, true)?,
            ".p2alignw" | ".p2alignl" => self.align(c, true, false)?,
            ".org" => self.org(c)?,
            ".fill" => self.fill(c)?,
            ".zero" | ".skip" | ".space" => self.space(c)?,
            ".dcb" | ".dcb.w" => self.repeated(c, 2)?,
            ".dcb.b" => self.repeated(c, 1)?,
            ".dcb.l" => self.repeated(c, 4)?,
            ".dcb.s" | ".dcb.d" => {
                self.absolute(c)?;
                self.comma(c)?;
                self.real_value(c)?;
                self.end_of_line(c)?;
            }
            ".ds" | ".ds.w" => self.reserved(c, 2)?,
            ".ds.b" => self.reserved(c, 1)?,
            ".ds.l" | ".ds.s" => self.reserved(c, 4)?,
            ".ds.d" => self.reserved(c, 8)?,
            ".ds.p" | ".ds.x" => self.reserved(c, 12)?,
            ".sleb128" | ".uleb128" => self.leb128(c)?,
            ".reloc" => self.relocation_directive(c)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads a string and gives its bytes' number, escapes counted once.
    pub(crate) fn string(&mut self, c: &mut Cursor<'_>) -> Parsed<usize> {
        let rule = &DIRECTIVE_ARGUMENT;
        if c.at(BAD) {
            return Err(self.bad_token(c));
        }
        if !c.at(STRING) {
            return Err(self.error(c, rule, c.range(), c.expected("a string")));
        }
        let range = c.range();
        let length = match string_length(unquote(c.word())) {
            Ok(length) => length,
            Err((at, message)) => {
                let place = TextRange::at(range.start() + TextSize::new(at as u32 + 1), TextSize::new(1));
                return Err(self.error(c, rule, place, message));
            }
        };
        c.bump();
        Ok(length)
    }

    /// A string whose escapes LLVM does not read.
    pub(crate) fn raw_string(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        if !c.at(STRING) {
            // What is not a string has its message there.
            return self.string(c).map(drop);
        }
        c.bump();
        Ok(())
    }

    fn strings(&mut self, c: &mut Cursor<'_>, zero: bool) -> Parsed<()> {
        self.many(c, |this, c| {
            loop {
                let length = this.string(c)?;
                this.sections.advance(length as u64);
                if zero || !c.at(STRING) {
                    break;
                }
            }
            this.sections.advance(u64::from(zero));
            Ok(())
        })
    }

    fn values(&mut self, c: &mut Cursor<'_>, size: u32) -> Parsed<()> {
        self.many(c, |this, c| this.value_of(c, size, 1))
    }

    /// One value, `count` times.
    fn value_of(&mut self, c: &mut Cursor<'_>, size: u32, count: u64) -> Parsed<()> {
        let start = c.start();
        let expr = self.expression(c)?;
        let range = c.since(start);
        if size == 4 && count == 1 {
            self.words.push(if let Expr::Const(value) = expr { Some(value as u32) } else { None });
        }
        if let Expr::Const(value) = expr {
            if !data_out_of_range::fits(value, size) {
                let message = data_out_of_range::written(value, size);
                return Err(self.error(c, &DATA_RANGE, range, message));
            }
        } else if count > 0 {
            self.add_data_fixup(c, expr, range, size);
        }
        self.sections.advance(u64::from(size).saturating_mul(count));
        Ok(())
    }

    fn octas(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        self.many(c, |this, c| {
            if !c.at(INT) || super::cursor::integer(c.word()).is_none() {
                return Err(this.error(
                    c,
                    &DIRECTIVE_ARGUMENT,
                    c.range(),
                    c.expected("a number of 128 bits"),
                ));
            }
            c.bump();
            this.sections.advance(16);
            Ok(())
        })
    }

    fn real_value(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        if matches!(c.kind(), MINUS | PLUS) {
            c.bump();
        }
        let ok = match c.kind() {
            INT => true,
            REAL => super::cursor::real(c.word()).is_some(),
            IDENT => matches!(c.word().to_ascii_lowercase().as_str(), "infinity" | "inf" | "nan"),
            _ => false,
        };
        if !ok {
            return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a floating-point number")));
        }
        c.bump();
        Ok(())
    }

    fn reals(&mut self, c: &mut Cursor<'_>, size: u64) -> Parsed<()> {
        self.many(c, |this, c| {
            this.real_value(c)?;
            this.sections.advance(size);
            Ok(())
        })
    }

    fn align(&mut self, c: &mut Cursor<'_>, power: bool, bytes: bool) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        if power && bytes && c.at_eol() {
            return Ok(());
        }
        let start = c.start();
        let value = self.absolute(c)?;
        let range = c.since(start);
        let mut limit = None;
        if c.eat(COMMA) {
            if !c.at(COMMA) {
                self.absolute(c)?;
            }
            if c.eat(COMMA) {
                let start = c.start();
                let value = self.absolute(c)?;
                limit = value.map(|v| (v, c.since(start)));
            }
        }
        self.end_of_line(c)?;
        let Some(value) = value else { return Ok(()) };
        let alignment = match (power, value) {
            (true, 0..32) => 1u64 << value,
            (true, ..0) => 1,
            (true, _) => {
                return Err(self.error(
                    c,
                    rule,
                    range,
                    format!("the alignment must be at most 2^31, is 2^{value}"),
                ));
            }
            (false, 0) => 1,
            (false, _) if value > 0 && (value as u64).is_power_of_two() && value < 1 << 32 => value as u64,
            (false, _) => {
                return Err(self.error(
                    c,
                    rule,
                    range,
                    format!("expected a power of two below 2^32, found {value}"),
                ));
            }
        };
        let offset = self.sections.offset();
        let padding = offset.next_multiple_of(alignment) - offset;
        match limit {
            Some((..1, range)) => {
                self.error(c, rule, range, "no padding is this short");
            }
            Some((most, range)) if most >= alignment as i64 => {
                let message = format!("padding is shorter than {alignment} bytes: this limit has no effect");
                self.warning(c, rule, range, message);
            }
            Some((most, _)) if padding > most as u64 => return Ok(()),
            _ => {}
        }
        self.sections.advance(padding);
        Ok(())
    }

    fn org(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let expr = self.expression(c)?;
        let range = c.since(start);
        if c.eat(COMMA) {
            self.absolute(c)?;
        }
        self.end_of_line(c)?;
        self.move_to(c, expr, range)
    }

    /// `.reloc offset, name[, value]`
    fn relocation_directive(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        self.expression(c)?;
        self.comma(c)?;
        let (name, range) = self.symbol_name(c)?;
        if !RELOCATIONS.contains(&name) {
            return Err(self.unknown_word(c, &DIRECTIVE_ARGUMENT, range, "relocation", RELOCATIONS));
        }
        if c.eat(COMMA) {
            self.expression(c)?;
        }
        self.end_of_line(c)
    }

    fn fill(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let count = self.expression(c)?;
        let range = c.since(start);
        let mut size = 1;
        let mut size_range = range;
        if c.eat(COMMA) {
            let start = c.start();
            size = self.absolute(c)?.unwrap_or(1);
            size_range = c.since(start);
            if c.eat(COMMA) {
                self.absolute(c)?;
            }
        }
        self.end_of_line(c)?;
        if matches!(count, Expr::Const(..0)) {
            self.warning(c, &DIRECTIVE_ARGUMENT, range, "a negative count of `.fill` has no effect");
        } else if size < 0 {
            self.warning(c, &DIRECTIVE_ARGUMENT, size_range, "a negative size of `.fill` has no effect");
        } else if size > 8 {
            let message = format!("values of `.fill` have at most 8 bytes, not {size}");
            self.warning(c, &DIRECTIVE_ARGUMENT, size_range, message);
        }
        if size >= 0 && !matches!(count, Expr::Const(..0)) {
            self.reserve(c, count, range, size.min(8));
        }
        Ok(())
    }

    fn space(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.start();
        let count = self.expression(c)?;
        let range = c.since(start);
        if c.eat(COMMA) {
            self.absolute(c)?;
        }
        self.end_of_line(c)?;
        self.reserve(c, count, range, 1);
        Ok(())
    }

    fn repeated(&mut self, c: &mut Cursor<'_>, size: u32) -> Parsed<()> {
        // a negative count has no effect, but then nothing may follow it
        if let count @ 0.. = self.absolute(c)?.unwrap_or(0) {
            self.comma(c)?;
            self.value_of(c, size, count as u64)?;
        }
        self.end_of_line(c)
    }

    fn reserved(&mut self, c: &mut Cursor<'_>, size: u64) -> Parsed<()> {
        let count = self.absolute(c)?.unwrap_or(0);
        self.end_of_line(c)?;
        self.sections.advance(size.saturating_mul(count.max(0) as u64));
        Ok(())
    }

    fn leb128(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        self.many(c, |this, c| {
            let start = c.start();
            let expr = this.expression(c)?;
            let bytes = match expr {
                Expr::Const(value) => u64::from((64 - value.unsigned_abs().leading_zeros()) / 7 + 1),
                expr => {
                    this.add_bits(expr, c.since(start));
                    1
                }
            };
            this.sections.advance(bytes);
            Ok(())
        })
    }
}

/// Bytes of a string's contents, or where an escape is wrong and what is wrong with it.
fn string_length(text: &str) -> Result<usize, (usize, &'static str)> {
    const UNKNOWN: &str = "unknown escape in this string";
    let bytes = text.as_bytes();
    let (mut at, mut length) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        length += 1;
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let escape = at;
        at += 2;
        match bytes.get(escape + 1) {
            Some(b'x' | b'X') => {
                let digits =
                    bytes.get(at..).unwrap_or(&[]).iter().take_while(|b| b.is_ascii_hexdigit()).count();
                if digits == 0 {
                    return Err((escape, UNKNOWN));
                }
                at += digits;
            }
            Some(first @ b'0'..=b'7') => {
                let more =
                    bytes.get(at..).unwrap_or(&[]).iter().take(2).take_while(|b| (b'0'..=b'7').contains(b));
                let more = more.count();
                if more == 2 && *first > b'3' {
                    return Err((escape, "the octal escape must be at most \\377"));
                }
                at += more;
            }
            Some(b'b' | b'f' | b'n' | b'r' | b't' | b'"' | b'\\') => {}
            _ => return Err((escape, UNKNOWN)),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_lengths() {
        assert_eq!(string_length("a\\n\\x41\\101"), Ok(4));
        assert_eq!(string_length("\\377\\47"), Ok(2));
        let wrong = |text| string_length(text).map_err(|(at, _)| at);
        assert_eq!((wrong("a\\q"), wrong("a\\400"), wrong("\\0\\777")), (Err(1), Err(1), Err(2)));
    }
}
