//! Labels, assignments, and the directives that say something about a symbol.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::Cursor;
use super::expression::Expr;
use super::symbols::{Binding, Definition, SymbolId};
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::directive_argument::{DIRECTIVE_ARGUMENT, negative_size};
use crate::rules::symbol::expression::EXPRESSION;
use crate::rules::symbol::symbol_redefinition::{self, SYMBOL_REDEFINITION};
use crate::rules::symbol::undefined_label::{self, UNDEFINED_LABEL};
use wavelens_base::{Diagnostic, TextRange};

impl Assembler<'_> {
    pub(crate) fn define(
        &mut self,
        id: SymbolId,
        definition: Definition,
        redefinable: bool,
        range: TextRange,
    ) {
        if self.mode == Mode::Outline {
            self.defined.push((id, self.item));
        }
        let place = self.place(range);
        let symbol = self.symbols.get_mut(id);
        symbol.definition = definition;
        symbol.redefinable = redefinable;
        symbol.place = Some(place);
        symbol.imported = true;
    }

    /// What a line with an error was to give a value has one that is not known: the error is not repeated where it is used.
    pub(crate) fn lose(&mut self, name: &str, range: TextRange) {
        let id = self.symbol(name);
        if !self.symbols.get(id).is_defined() {
            self.define(id, Definition::Unknown, true, range);
        }
    }

    pub(crate) fn define_label(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<()> {
        let id = self.symbol(name);
        let symbol = self.symbols.get(id);
        if symbol.is_defined() && !symbol.redefinable {
            let old = symbol.place;
            // The code below still reads better with the first definition.
            self.redefinition(c, name, range, old);
            return Ok(());
        }
        let definition = match self.mode {
            Mode::Outline => Definition::Elsewhere,
            _ => Definition::Label { section: self.sections.current(), offset: self.sections.offset() },
        };
        self.define(id, definition, false, range);
        if self.mode != Mode::Outline {
            self.program.label(id, self.outer_range(range));
        }
        Ok(())
    }

    /// A symbol that a directive defines, in a section of its own.
    pub(crate) fn define_elsewhere(&mut self, c: &Cursor<'_>, name: &str, range: TextRange) {
        let id = self.symbol(name);
        let symbol = self.symbols.get(id);
        if symbol.is_defined() && !symbol.redefinable {
            self.redefinition(c, name, range, symbol.place);
            return;
        }
        self.define(id, Definition::Elsewhere, false, range);
    }

    fn redefinition(
        &mut self,
        c: &Cursor<'_>,
        name: &str,
        range: TextRange,
        old: Option<wavelens_base::Place>,
    ) {
        let message = symbol_redefinition::message(name);
        let mut diagnostic: Diagnostic = self.located(c.text, &SYMBOL_REDEFINITION, range, message);
        if let Some(place) = old {
            diagnostic = diagnostic.related(place, "the first definition");
        }
        self.push(diagnostic);
    }

    /// `1:` can be defined again and again.
    pub(crate) fn define_numbered(&mut self, digits: &str) {
        let number = super::cursor::integer(digits).unwrap_or(0) as i64;
        let instance = self.numbered.entry(number).or_insert(0);
        *instance += 1;
        let name = numbered_name(number, *instance);
        let id = self.symbols.intern(&name);
        let definition = match self.mode {
            Mode::Outline => Definition::Elsewhere,
            _ => Definition::Label { section: self.sections.current(), offset: self.sections.offset() },
        };
        let symbol = self.symbols.get_mut(id);
        symbol.definition = definition;
        symbol.imported = true;
        if self.mode != Mode::Outline {
            self.program.label(id, self.statement);
        }
    }

    /// `1b`, `1f`
    pub(crate) fn numbered_label(
        &mut self,
        c: &Cursor<'_>,
        number: i64,
        back: bool,
        range: TextRange,
    ) -> Parsed<Expr> {
        let instance = self.numbered.get(&number).copied().unwrap_or(0);
        if back && instance == 0 {
            if self.mode == Mode::Whole && !self.open {
                let message = undefined_label::numbered(number, "before");
                return Err(self.error(c, &UNDEFINED_LABEL, range, message));
            }
            return Ok(Expr::Unknown);
        }
        let id = self.symbols.intern(&numbered_name(number, if back { instance } else { instance + 1 }));
        if !back && self.symbols.get(id).place.is_none() {
            let place = self.place(range);
            self.symbols.get_mut(id).place = Some(place);
        }
        self.symbols.get_mut(id).imported = true;
        self.symbols.get_mut(id).used = true;
        Ok(Expr::Symbol(id))
    }

    /// After the `=` or the comma.
    pub(crate) fn assignment(
        &mut self,
        c: &mut Cursor<'_>,
        name: &str,
        range: TextRange,
        redefinable: bool,
    ) -> Parsed<()> {
        let start = c.start();
        let expr = self.expression(c)?;
        let value_range = c.since(start);
        self.end_of_line(c)?;
        if matches!(expr, Expr::Specified(_)) {
            let message = "a relocation cannot be given a name";
            return Err(self.error(c, &EXPRESSION, value_range, message));
        }
        if name == "." {
            return self.move_to(c, expr, value_range);
        }
        let id = self.symbol(name);
        let symbol = self.symbols.get(id);
        if symbol.is_defined() && !(redefinable && symbol.redefinable) {
            let old = symbol.place;
            self.redefinition(c, name, range, old);
            return Ok(());
        }
        if self.mentions(&expr, id, 50, &mut FxHashSet::default()) && !self.incomplete {
            let message = format!("the value of `{name}` depends on itself");
            return Err(self.error(c, &EXPRESSION, value_range, message));
        }
        if !matches!(expr, Expr::Const(_) | Expr::Symbol(_) | Expr::Unknown) {
            self.add_equated(expr.clone(), value_range);
        }
        let definition = match (self.mode, expr) {
            (Mode::Outline, expr @ Expr::Const(_)) => Definition::Variable(expr),
            (Mode::Outline, _) => Definition::Unknown,
            (_, Expr::Unknown) => Definition::Unknown,
            (_, expr) => Definition::Variable(expr),
        };
        self.define(id, definition, redefinable, range);
        Ok(())
    }

    /// Whether an expression depends on a symbol. Each symbol is looked at once.
    fn mentions(&self, expr: &Expr, id: SymbolId, depth: u32, seen: &mut FxHashSet<SymbolId>) -> bool {
        let Some(deeper) = depth.checked_sub(1) else { return false };
        match expr {
            Expr::Symbol(other) if *other == id => true,
            Expr::Symbol(other) if !seen.insert(*other) => false,
            Expr::Symbol(other) => match &self.symbols.get(*other).definition {
                Definition::Variable(value) => self.mentions(value, id, deeper, seen),
                _ => false,
            },
            Expr::Unary(_, inner) => self.mentions(inner, id, deeper, seen),
            Expr::Binary(_, both) => {
                self.mentions(&both.0, id, deeper, seen) || self.mentions(&both.1, id, deeper, seen)
            }
            Expr::Call(_, args) => args.iter().any(|a| self.mentions(a, id, deeper, seen)),
            _ => false,
        }
    }

    pub(crate) fn symbol_name<'t>(&mut self, c: &mut Cursor<'t>) -> Parsed<(&'t str, TextRange)> {
        match c.name() {
            Some(found) => Ok(found),
            None if c.at(BAD) => Err(self.bad_token(c)),
            None => Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a symbol"))),
        }
    }

    /// `.globl`, `.weak` and the like.
    pub(crate) fn binding(&mut self, c: &mut Cursor<'_>, name: &str) -> Parsed<()> {
        let name = name.to_owned();
        self.many(c, |this, c| {
            let (symbol, range) = this.symbol_name(c)?;
            let id = this.symbol(symbol);
            if name == ".globl" && symbol.starts_with(".L") {
                let message = format!("`{symbol}` is private to this file: names with `.L` never leave it");
                return Err(this.error(c, &DIRECTIVE_ARGUMENT, range, message));
            }
            let binding = match name.as_str() {
                ".globl" => Binding::Global,
                ".weak" => Binding::Weak,
                ".local" => Binding::Local,
                _ => return Ok(()),
            };
            let old = this.symbols.get(id).binding;
            let changed = matches!(
                (old, binding),
                (Some(Binding::Local | Binding::Weak), Binding::Global)
                    | (Some(Binding::Global | Binding::Weak), Binding::Local)
            );
            if changed {
                let message = format!(
                    "`{symbol}` was made {} above",
                    match old {
                        Some(Binding::Local) => "local",
                        Some(Binding::Weak) => "weak",
                        _ => "visible",
                    }
                );
                return Err(this.error(c, &DIRECTIVE_ARGUMENT, range, message));
            }
            if binding == Binding::Weak && matches!(old, Some(Binding::Global | Binding::Local)) {
                let above = if old == Some(Binding::Local) { "local" } else { "visible" };
                let message = format!("`{symbol}` was made {above} above: from here on it is weak");
                this.warning(c, &DIRECTIVE_ARGUMENT, range, message);
            }
            if old.is_none() || binding == Binding::Weak || old == Some(Binding::Weak) {
                this.symbols.get_mut(id).binding = Some(binding);
            }
            Ok(())
        })
    }

    pub(crate) fn size(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let (name, _) = self.symbol_name(c)?;
        let id = self.symbol(name);
        self.comma(c)?;
        let start = c.start();
        let expr = self.expression(c)?;
        let range = c.since(start);
        self.end_of_line(c)?;
        if self.mode == Mode::Whole && self.symbols.get(id).is_defined() {
            self.add_size(expr, self.outer_range(range));
        }
        Ok(())
    }

    pub(crate) fn symbol_type(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        let (name, _) = self.symbol_name(c)?;
        let id = self.symbol(name);
        c.eat(COMMA);
        if !matches!(c.kind(), IDENT | HASH | PERCENT | STRING | AT) {
            let message = "expected the symbol's type: `@function` or `@object`";
            return Err(self.error(c, rule, c.range(), message));
        }
        if !matches!(c.kind(), STRING | IDENT) {
            c.bump();
        }
        let Some((kind, range)) = c.name() else {
            return Err(self.error(c, rule, c.range(), c.expected("the symbol's type")));
        };
        let function = matches!(kind, "STT_FUNC" | "function");
        let known = function
            || matches!(
                kind,
                "STT_OBJECT"
                    | "object"
                    | "STT_TLS"
                    | "tls_object"
                    | "STT_COMMON"
                    | "common"
                    | "STT_NOTYPE"
                    | "notype"
                    | "STT_GNU_IFUNC"
                    | "gnu_indirect_function"
                    | "gnu_unique_object"
            );
        if !known {
            return Err(self.error(c, rule, range, format!("`{kind}` is not a type of a symbol")));
        }
        if function {
            self.program.function(id);
        }
        self.end_of_line(c)
    }

    pub(crate) fn common(&mut self, c: &mut Cursor<'_>, local: bool) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        let (name, range) = self.symbol_name(c)?;
        let id = self.symbol(name);
        self.comma(c)?;
        let start = c.start();
        let size = self.absolute(c)?;
        let size_range = c.since(start);
        if c.eat(COMMA) {
            if local {
                return Err(self.error(c, rule, c.range(), "`.lcomm` takes no alignment here"));
            }
            self.absolute(c)?;
        }
        self.end_of_line(c)?;
        if let Some(size) = size.filter(|s| *s < 0) {
            return Err(self.error(c, rule, size_range, negative_size(size)));
        }
        self.define_storage(c, id, range, !local)
    }

    /// Storage that a linker lays out can be named again, and can become a label.
    fn define_storage(
        &mut self,
        c: &Cursor<'_>,
        id: SymbolId,
        range: TextRange,
        redefinable: bool,
    ) -> Parsed<()> {
        let symbol = self.symbols.get(id);
        if symbol.is_defined() && !symbol.redefinable {
            let (old, name) = (symbol.place, SmolStr::clone(self.symbols.name(id)));
            self.redefinition(c, &name, range, old);
            return Ok(());
        }
        self.define(id, Definition::Storage, redefinable, range);
        Ok(())
    }

    /// `.amdgpu_lds name, size[, alignment]`
    pub(crate) fn amdgpu_lds(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        let (name, range) = self.symbol_name(c)?;
        let id = self.symbol(name);
        self.comma(c)?;
        let start = c.start();
        let size = self.absolute(c)?;
        let size_range = c.since(start);
        if let Some(size) = size {
            if size < 0 {
                return Err(self.error(c, rule, size_range, negative_size(size)));
            }
            if let Some(machine) = self.machine()
                && size > machine.local_memory()
            {
                let message = format!(
                    "the size must be at most {} bytes, the size of LDS, is {size}",
                    machine.local_memory()
                );
                return Err(self.error(c, rule, size_range, message));
            }
        }
        if c.eat(COMMA) {
            let start = c.start();
            let align = self.absolute(c)?;
            let range = c.since(start);
            if align.is_some_and(|a| a <= 0 || !(a as u64).is_power_of_two() || a >= 1 << 31) {
                return Err(self.error(c, rule, range, "the alignment must be a power of two below 2^31"));
            }
        }
        self.end_of_line(c)?;
        self.define_storage(c, id, range, true)
    }
}

fn numbered_name(number: i64, instance: u32) -> String {
    // A space keeps it apart from every written name.
    format!("{number}: {instance}")
}
