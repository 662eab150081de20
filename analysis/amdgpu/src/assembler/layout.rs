//! What is known only when everything has its address: branch distances, differences, and symbols nobody defined.

use rustc_hash::FxHashSet;
use wavelens_isa::{Encoded, FixupKind};
use wavelens_syntax::amdgpu::AmdgpuKind;

use super::cursor::Cursor;
use super::expression::{Base, Expr, NoValue, Value, When};
use super::symbols::{Binding, Definition, SectionId, SymbolId};
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::data_out_of_range::{self, DATA_RANGE};
use crate::rules::instruction::invalid_operand::INVALID_OPERAND;
use crate::rules::symbol::branch_range::{self, BRANCH_RANGE};
use crate::rules::symbol::expression::EXPRESSION;
use crate::rules::symbol::layout::{self, LAYOUT};
use crate::rules::symbol::not_absolute::{self, NOT_ABSOLUTE};
use crate::rules::symbol::undefined_label::{self, UNDEFINED_LABEL};
use crate::rules::symbol::undefined_symbol::{self, UNDEFINED_SYMBOL};
use wavelens_base::{Diagnostic, Lack, Rule, TextRange};

/// What a place waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A branch in the instruction that starts at the offset.
    Branch,
    Data,
    /// So many bytes of an instruction, at an offset from its start.
    Literal(u8, u8),
    /// Too short for an address: no relocation fills it.
    ShortData,
    /// The number of bytes to leave free.
    Count,
    /// The address to go on at.
    Origin,
    /// What a symbol stands for.
    Equated,
    Size,
    /// A few bits of a kernel descriptor.
    Bits,
}

/// A place that an expression's value goes to.
#[derive(Debug)]
pub(crate) struct Fixup {
    kind: Use,
    expr: Expr,
    range: TextRange,
    section: SectionId,
    /// Bytes from the start of the section.
    offset: u64,
    /// The number of the instruction that it is in, if it is in one.
    instruction: usize,
}

impl Assembler<'_> {
    fn defer(&mut self, kind: Use, expr: Expr, range: TextRange) {
        if self.mode == Mode::Whole {
            let (section, offset) = (self.sections.current(), self.sections.offset());
            let instruction = self.program.instructions.len();
            let range = self.outer_range(range);
            self.fixups.push(Fixup { kind, expr, range, section, offset, instruction });
        }
    }

    pub(crate) fn add_fixup(
        &mut self,
        c: &Cursor<'_>,
        _encoded: &Encoded,
        fixup: wavelens_isa::Fixup,
        expr: Expr,
        range: TextRange,
    ) -> Parsed<()> {
        let kind = match fixup.kind {
            FixupKind::Branch16 => Use::Branch,
            FixupKind::Data32 => Use::Literal(4, fixup.offset),
            FixupKind::Data64 => Use::Literal(8, fixup.offset),
        };
        if kind == Use::Branch && !matches!(expr, Expr::Symbol(_) | Expr::Here(..) | Expr::Unknown) {
            let message = "a branch goes to a label or a number of dwords, not to an expression";
            return Err(self.error(c, &INVALID_OPERAND, range, message));
        }
        self.defer(kind, expr, range);
        Ok(())
    }

    pub(crate) fn add_data_fixup(&mut self, c: &Cursor<'_>, expr: Expr, range: TextRange, size: u32) {
        if let Ok(value) = self.evaluate(&expr, When::Placed)
            && value.is_number()
        {
            if !data_out_of_range::fits(value.constant, size) {
                let message = data_out_of_range::computed(value.constant, size);
                self.error(c, &DATA_RANGE, range, message);
            }
            return;
        }
        self.defer(if size < 4 { Use::ShortData } else { Use::Data }, expr, range);
    }

    pub(crate) fn add_bits(&mut self, expr: Expr, range: TextRange) {
        self.defer(Use::Bits, expr, range);
    }

    pub(crate) fn add_equated(&mut self, expr: Expr, range: TextRange) {
        self.defer(Use::Equated, expr, range);
    }

    pub(crate) fn add_size(&mut self, expr: Expr, range: TextRange) {
        self.defer(Use::Size, expr, range);
    }

    /// Leaves `count` values of `size` bytes free.
    pub(crate) fn reserve(&mut self, c: &Cursor<'_>, count: Expr, range: TextRange, size: i64) {
        match self.evaluate(&count, When::Placed) {
            Ok(value) if value.is_number() => {
                let bytes = value.constant.saturating_mul(size);
                if bytes < 0 {
                    self.error(c, &LAYOUT, range, "the number of bytes is negative");
                }
                self.sections.advance(bytes.max(0) as u64);
            }
            Err(NoValue::Unknown) => {}
            _ => self.defer(Use::Count, count, range),
        }
    }

    /// `.org`, and an assignment to the current address.
    pub(crate) fn move_to(&mut self, c: &Cursor<'_>, to: Expr, range: TextRange) -> Parsed<()> {
        if self.mode != Mode::Whole {
            return Ok(());
        }
        let here = Some(Base::Place(self.sections.current()));
        let value = match self.evaluate(&to, When::Placed) {
            Ok(value) if value.minus.is_none() && (value.plus.is_none() || value.plus == here) => value,
            Err(NoValue::Unknown) => return Ok(()),
            _ => {
                self.defer(Use::Origin, to, range);
                return Ok(());
            }
        };
        let offset = self.sections.offset() as i64;
        let distance = value.constant.saturating_sub(offset);
        if !layout::ORIGIN.contains(&distance) {
            let message = layout::unreachable(offset, value.constant);
            return Err(self.error(c, &LAYOUT, range, message));
        }
        self.sections.advance(distance as u64);
        Ok(())
    }

    fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) {
        self.diagnostics.push(Diagnostic::new(rule, range, message));
    }

    /// A use of a symbol that this file must define: all of them are one mistake.
    fn report_undefined(&mut self, range: TextRange, symbol: SymbolId, message: fn(&str) -> String) {
        let name = self.symbols.name(symbol).as_str();
        let found = Diagnostic::new(&UNDEFINED_SYMBOL, range, message(name));
        let found = found.with_lack(Lack::InFile(name.into()));
        self.diagnostics.push(found);
    }

    pub(crate) fn layout(&mut self) {
        // As in LLVM, no error is reported for what follows from an error.
        let causes = [&UNDEFINED_SYMBOL, &NOT_ABSOLUTE, &EXPRESSION];
        if self.incomplete || self.diagnostics.iter().any(|d| causes.contains(&d.rule)) {
            return;
        }
        // Undefined labels for which all labels are searched: the first few.
        let mut searches = 5;
        // Undefined symbols that were reported: what is computed from one is not reported again.
        let mut missing = FxHashSet::default();
        for fixup in std::mem::take(&mut self.fixups) {
            let value = match self.evaluate(&fixup.expr, When::Placed) {
                Ok(value) => value,
                Err(NoValue::Unknown) => continue,
                Err(NoValue::Complex) if fixup.kind == Use::Equated && self.open => continue,
                Err(NoValue::Complex) if self.missing(&fixup.expr).is_some_and(|id| !missing.insert(id)) => {
                    continue;
                }
                Err(NoValue::Complex) => {
                    self.report(&LAYOUT, fixup.range, self.too_complex(&fixup.expr));
                    continue;
                }
            };
            if let Some(Base::Symbol(id)) = value.minus
                && self.symbols.get(id).definition == Definition::Undefined
                && !self.open
            {
                self.report_undefined(fixup.range, id, undefined_symbol::subtracted);
                continue;
            }
            if let Some(Base::Symbol(id)) = value.plus
                && matches!(fixup.kind, Use::Bits | Use::Size)
                && self.symbols.get(id).definition == Definition::Undefined
                && self.symbols.name(id).starts_with(".L")
                && !self.open
            {
                self.report_undefined(fixup.range, id, undefined_symbol::private);
                continue;
            }
            match fixup.kind {
                Use::Branch => self.branch(&fixup, value.constant, value.plus, &mut searches),
                Use::Count if !value.is_number() => {
                    self.report(&NOT_ABSOLUTE, fixup.range, "this must be a number".into());
                }
                Use::Origin => self.origin(fixup.range, value.plus),
                Use::Equated => {}
                Use::Bits if !value.is_number() => {
                    self.report(&NOT_ABSOLUTE, fixup.range, not_absolute::AT_THE_END.into());
                }
                Use::Size if !value.is_number() => {
                    self.report(&NOT_ABSOLUTE, fixup.range, "a size must be a number".into());
                }
                kind => {
                    if let Use::Literal(size, offset) = kind {
                        self.literal(&fixup, size, offset, value);
                    }
                    self.relocation(&fixup, value.plus, value.minus);
                }
            }
        }
    }

    /// An undefined symbol that the expression is computed from; of the first few symbols, as expressions can be long.
    fn missing(&self, expr: &Expr) -> Option<SymbolId> {
        let mut seen = expr.symbols();
        let mut next = 0;
        while let Some(id) = seen.get(next).filter(|_| next < 200).copied() {
            next += 1;
            match &self.symbols.get(id).definition {
                Definition::Undefined => return Some(id),
                Definition::Variable(value) => seen.extend(value.symbols()),
                _ => {}
            }
        }
        None
    }

    /// Why nothing but a number can be added to a symbol: linkers compute nothing else.
    fn too_complex(&self, expr: &Expr) -> String {
        let is_undefined = |id: &SymbolId| self.symbols.get(*id).definition == Definition::Undefined;
        let symbols = expr.symbols();
        let symbol = symbols.iter().find(|id| is_undefined(id)).or(symbols.first());
        layout::too_complex(symbol.map(|id| (self.symbols.name(*id).as_str(), is_undefined(id))))
    }

    /// Writes a literal that no linker has to: a number, or the distance to a label of this section that is local.
    fn literal(&mut self, fixup: &Fixup, size: u8, offset: u8, value: Value) {
        let place = fixup.offset as i64 + i64::from(offset);
        let number = match (self.is_relative(&fixup.expr), value) {
            (Some(false), value) if value.is_number() => value.constant,
            (Some(true), Value { constant, plus: Some(Base::Place(section)), minus: None })
                if section == fixup.section =>
            {
                constant.wrapping_sub(place)
            }
            _ => return,
        };
        if let Some(instruction) = self.program.instructions.get_mut(fixup.instruction) {
            let bytes = number.to_le_bytes();
            instruction.encoded.patch(offset.into(), bytes.get(..size.into()).unwrap_or(&bytes));
        }
    }

    /// Whether a literal stands for a distance from its own place: for a symbol, or a sum with one (LLVM's `needsPCRel`). `None`
    /// with a symbol that a linker may replace.
    fn is_relative(&self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Symbol(id) => {
                let is_local = matches!(self.symbols.get(*id).binding, None | Some(Binding::Local));
                is_local.then_some(true)
            }
            Expr::Specified(_) | Expr::Unknown | Expr::Call(..) => None,
            Expr::Const(_) => Some(false),
            Expr::Here(..) => Some(true),
            Expr::Unary(_, inner) => self.is_relative(inner),
            Expr::Binary(AmdgpuKind::MINUS, _) => Some(false),
            Expr::Binary(_, both) => Some(self.is_relative(&both.0)? | self.is_relative(&both.1)?),
        }
    }

    /// An address to go on at that is not in this file.
    fn origin(&mut self, range: TextRange, base: Option<Base>) {
        let Some(Base::Symbol(id)) = base else { return };
        if !self.symbols.get(id).is_defined() && !self.open {
            let name = self.symbols.name(id);
            let message = undefined_symbol::as_origin(name);
            self.report(&UNDEFINED_SYMBOL, range, message);
        }
    }

    fn branch(&mut self, fixup: &Fixup, to: i64, base: Option<Base>, searches: &mut u32) {
        match base {
            Some(Base::Place(section)) if section == fixup.section => {
                let dwords = (to - fixup.offset as i64 - 4) / 4;
                let distance = match branch_range::reach(dwords) {
                    Ok(distance) => distance,
                    Err(message) => return self.report(&BRANCH_RANGE, fixup.range, message),
                };
                if let Some(instruction) = self.program.instructions.get_mut(fixup.instruction) {
                    instruction.encoded.patch(0, &distance.to_le_bytes());
                }
            }
            Some(Base::Symbol(id)) if !self.symbols.get(id).is_defined() && !self.open => {
                let name = self.symbols.name(id);
                if is_filled_in_by_the_driver(name) {
                    return;
                }
                let diagnostic = match name.split_once(": ") {
                    Some((number, _)) => {
                        let message = undefined_label::numbered(number, "after");
                        Diagnostic::new(&UNDEFINED_LABEL, fixup.range, message)
                    }
                    None => self.undefined_label(name, fixup.range, searches),
                };
                self.diagnostics.push(diagnostic);
            }
            _ => {}
        }
    }

    fn undefined_label(&self, name: &str, range: TextRange, searches: &mut u32) -> Diagnostic {
        let is_compared = *searches > 0;
        *searches = searches.saturating_sub(1);
        let labels = self.program.labels.iter().filter(|_| is_compared);
        undefined_label::report(name, range, labels.map(|(id, ..)| self.symbols.name(*id).as_str()))
    }

    fn relocation(&mut self, fixup: &Fixup, plus: Option<Base>, minus: Option<Base>) {
        if let Some(Base::Place(section)) = minus
            && section != fixup.section
        {
            let message = "the two symbols are in different sections, and neither is in this one".to_owned();
            self.report(&LAYOUT, fixup.range, message);
            return;
        }
        if let Some(Base::Symbol(id)) = plus
            && !self.symbols.get(id).is_defined()
            && !self.open
        {
            let name = self.symbols.name(id);
            if is_filled_in_by_the_driver(name) {
                return;
            }
            if let Some((number, _)) = name.split_once(": ") {
                let message = undefined_label::numbered(number, "after");
                self.report(&UNDEFINED_LABEL, fixup.range, message);
            } else if fixup.kind == Use::ShortData {
                let message = undefined_symbol::in_short_data(name);
                self.report(&UNDEFINED_SYMBOL, fixup.range, message);
            } else if name.starts_with(".L") {
                self.report_undefined(fixup.range, id, undefined_symbol::private);
            }
        }
    }
}

/// The two words of the scratch descriptor: LLVM writes the same relocation, of 32 bits, for any use.
fn is_filled_in_by_the_driver(symbol: &str) -> bool {
    matches!(symbol, "SCRATCH_RSRC_DWORD0" | "SCRATCH_RSRC_DWORD1")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Options;

    /// The encodings of a text on gfx900, one a line.
    fn encoded(text: &str) -> String {
        let options = Options { target: Some("gfx900".into()), ..Options::default() };
        let (lines, _) = crate::encode(text, &options);
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        lines.iter().map(|line| format!("{} {}\n", hex(&line.bytes), line.text)).collect()
    }

    #[test]
    fn literals_have_the_distances_that_are_known() {
        let text = "s_nop 0\nhere:\ns_mov_b32 s0, here\ns_mov_b32 s0, here+8\ns_mov_b32 s0, later\ns_add_i32 s0, here, 4\n\
s_mov_b32 s0, later-here\ns_mov_b32 s0, (later-here)/4\nv_mov_b32 v0, here-later\nlater:\n.set same, here\n\
s_mov_b32 s0, same\ns_mov_b32 s0, .+8\n";
        expect![[r#"
            000080bf s_nop 0
            ff0080befcffffff s_mov_b32 s0, lit(0xfffffffc)
            ff0080befcffffff s_mov_b32 s0, lit(0xfffffffc)
            ff0080be24000000 s_mov_b32 s0, lit(0x24)
            ff840081e4ffffff s_add_i32 s0, 0xffffffe4, 4
            ff0080be38000000 s_mov_b32 s0, lit(0x38)
            ff0080be0e000000 s_mov_b32 s0, lit(0xe)
            ff02007ec8ffffff v_mov_b32_e32 v0, 0xffffffc8
            ff0080bec4ffffff s_mov_b32 s0, 0xffffffc4
            ff0080be04000000 s_mov_b32 s0, lit(0x4)
        "#]]
        .assert_eq(&encoded(text));
    }

    #[test]
    fn linkers_write_the_literals_that_they_may_change() {
        let text = "here:\ns_mov_b32 s0, outside\ns_mov_b32 s0, here@rel32@lo+4\ns_mov_b32 s0, outside-here\n.globl global\n\
global:\ns_mov_b32 s0, global\ns_mov_b32 s0, here-8\ns_mov_b32 s0, other\n.data\nother:\n.long 0\n";
        expect![[r#"
            ff0080be00000000 s_mov_b32 s0, lit(0x0)
            ff0080be00000000 s_mov_b32 s0, lit(0x0)
            ff0080be00000000 s_mov_b32 s0, lit(0x0)
            ff0080be00000000 s_mov_b32 s0, lit(0x0)
            ff0080be00000000 s_mov_b32 s0, lit(0x0)
            ff0080be00000000 s_mov_b32 s0, lit(0x0)
        "#]]
        .assert_eq(&encoded(text));
    }
}
