//! Expressions: their syntax with the GNU priorities, and their values.
//!
//! A value can be asked for at three moments. While a line is read only constants fold; where a directive needs a number at
//! once, differences of labels in one section do too; and when everything is placed, all that is left is for the linker.

use rustc_hash::FxHashMap;
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};

use super::cursor::{self, Cursor};
use super::operand_words::is_operand_word;
use super::operands::is_modifier;
use super::registers::{is_register_file, numbered_register};
use super::symbols::{Definition, SectionId, SymbolId};
use crate::assembler::{Assembler, Parsed, Reported};
use crate::rules::symbol::expression::EXPRESSION;
use crate::rules::symbol::not_absolute::{self, NOT_ABSOLUTE};
use crate::rules::symbol::undefined_symbol::{self, UNDEFINED_SYMBOL};
use wavelens_base::{TextRange, TextSize};
use wavelens_isa::Level;
use wavelens_syntax::wording;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Const(i64),
    /// A symbol whose value was not a constant when the expression was read.
    Symbol(SymbolId),
    /// With `@rel32@lo` and the like.
    Specified(SymbolId),
    /// `.`
    Here(SectionId, u64),
    Unary(AmdgpuKind, Box<Expr>),
    Binary(AmdgpuKind, Box<(Expr, Expr)>),
    Call(Function, Vec<Expr>),
    /// Something that is not known to this run; quiet wherever it goes.
    Unknown,
}

impl Expr {
    /// The symbols in it, from left to right.
    pub(super) fn symbols(&self) -> Vec<SymbolId> {
        match self {
            Expr::Symbol(id) | Expr::Specified(id) => vec![*id],
            Expr::Unary(_, inner) => inner.symbols(),
            Expr::Binary(_, both) => [both.0.symbols(), both.1.symbols()].concat(),
            Expr::Call(_, args) => args.iter().flat_map(Expr::symbols).collect(),
            Expr::Const(_) | Expr::Here(..) | Expr::Unknown => Vec::new(),
        }
    }
}

/// The functions that LLVM knows in AMDGPU expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Max,
    Min,
    Or,
    ExtraSgprs,
    TotalNumVgprs,
    AlignTo,
    Occupancy,
    InstPrefSize,
}

impl Function {
    pub(crate) fn named(name: &str) -> Option<Function> {
        Some(match name {
            "max" => Function::Max,
            "min" => Function::Min,
            "or" => Function::Or,
            "extrasgprs" => Function::ExtraSgprs,
            "totalnumvgprs" => Function::TotalNumVgprs,
            "alignto" => Function::AlignTo,
            "occupancy" => Function::Occupancy,
            "instprefsize" => Function::InstPrefSize,
            _ => return None,
        })
    }

    /// How many arguments it takes; `None`: any number.
    fn arity(self) -> Option<usize> {
        match self {
            Function::Max | Function::Min | Function::Or => None,
            Function::ExtraSgprs => Some(3),
            Function::InstPrefSize => Some(1),
            Function::TotalNumVgprs | Function::AlignTo => Some(2),
            Function::Occupancy => Some(9),
        }
    }
}

/// Values of symbols that were computed for an expression: a symbol can be used in many places of it.
type Known = FxHashMap<SymbolId, Result<Value, NoValue>>;

/// What an expression is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) constant: i64,
    pub(crate) plus: Option<Base>,
    pub(crate) minus: Option<Base>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Symbol(SymbolId),
    Place(SectionId),
}

/// When a value is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// While a line is read: differences of labels stay.
    Reading,
    /// Labels that are placed count.
    Placed,
}

/// Why the value is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// Not to be reported.
    Unknown,
    /// Not a sum of a number, a symbol and a subtracted symbol.
    Complex,
}

const SPECIFIERS: &[&str] = &[
    "gotpcrel",
    "gotpcrel32@lo",
    "gotpcrel32@hi",
    "rel32@lo",
    "rel32@hi",
    "rel64",
    "abs32@lo",
    "abs32@hi",
    "abs64",
];

fn is_specifier(word: &str) -> bool {
    SPECIFIERS.iter().any(|s| s.eq_ignore_ascii_case(word))
}

/// GNU priority of an infix operator; 0 for everything else.
fn priority(kind: AmdgpuKind) -> u8 {
    match kind {
        PIPE_PIPE => 1,
        AMP_AMP => 2,
        EQUAL_EQUAL | EXCLAIM_EQUAL | LESS_GREATER | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL => 3,
        PLUS | MINUS => 4,
        PIPE | EXCLAIM | CARET | AMP => 5,
        STAR | SLASH | PERCENT | LESS_LESS | GREATER_GREATER => 6,
        _ => 0,
    }
}

/// Nesting beyond which an expression is given up.
const DEPTH: u32 = 100;

impl Assembler<'_> {
    /// Vector registers of a wave that uses so many of its own and so many accumulation registers.
    pub(crate) fn total_vgprs(&self, vgprs: i64, agprs: i64) -> Option<i64> {
        match self.machine().is_some_and(|m| m.facts().unified_agprs) && agprs != 0 {
            true => Some(align_to(vgprs, 4)?.wrapping_add(agprs)),
            false => Some(vgprs.max(agprs)),
        }
    }

    /// Reads an expression, or reports what is wrong with it.
    #[inline]
    pub(crate) fn expression(&mut self, c: &mut Cursor<'_>) -> Parsed<Expr> {
        self.nested_expression(c, DEPTH)
    }

    fn nested_expression(&mut self, c: &mut Cursor<'_>, depth: u32) -> Parsed<Expr> {
        let first = self.primary(c, depth)?;
        if priority(c.kind()) == 0 && !c.at(AT) {
            return Ok(self.folded(first));
        }
        let whole = self.infix(c, 1, first, depth)?;
        if c.eat(AT) {
            let known = c.at(IDENT) && is_specifier(c.word());
            if !known {
                return Err(self.error(c, &EXPRESSION, c.range(), "no relocation of this name"));
            }
            c.bump();
        }
        Ok(self.folded(whole))
    }

    fn folded(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Const(_) | Expr::Symbol(_) | Expr::Unknown => expr,
            _ => match self.evaluate(&expr, When::Reading) {
                Ok(Value { constant, plus: None, minus: None }) => Expr::Const(constant),
                Err(NoValue::Unknown) => Expr::Unknown,
                _ => expr,
            },
        }
    }

    fn infix(&mut self, c: &mut Cursor<'_>, least: u8, mut left: Expr, depth: u32) -> Parsed<Expr> {
        loop {
            let operator = c.kind();
            let strength = priority(operator);
            if strength == 0 || strength < least {
                return Ok(left);
            }
            c.bump();
            let mut right = self.primary(c, depth)?;
            if strength < priority(c.kind()) {
                right = self.infix(c, strength + 1, right, depth)?;
            }
            left = match (&left, &right) {
                (Expr::Unknown, _) | (_, Expr::Unknown) => Expr::Unknown,
                (Expr::Const(a), Expr::Const(b)) => match binary(operator, *a, *b) {
                    Some(value) => Expr::Const(value),
                    None => Expr::Binary(operator, Box::new((left, right))),
                },
                _ => Expr::Binary(operator, Box::new((left, right))),
            };
        }
    }

    /// Reads what is between operators.
    pub(crate) fn primary(&mut self, c: &mut Cursor<'_>, depth: u32) -> Parsed<Expr> {
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(self.error(c, &EXPRESSION, c.range(), "the expression nests too deeply"));
        };
        match c.kind() {
            INT => self.number(c),
            IDENT if c.nth(1) == L_PAREN && Function::named(c.word()).is_some() => self.function(c, deeper),
            IDENT | STRING | AT | DOLLAR => self.symbol_value(c),
            REAL => {
                let value = cursor::real(c.word()).unwrap_or(0.0);
                c.bump();
                Ok(Expr::Const(value.to_bits() as i64))
            }
            DOT => {
                c.bump();
                Ok(self.here())
            }
            L_PAREN => {
                c.bump();
                let inner = self.nested_expression(c, deeper)?;
                if !c.eat(R_PAREN) {
                    return Err(self.error(c, &EXPRESSION, c.range(), "expected `)`"));
                }
                Ok(inner)
            }
            operator @ (MINUS | PLUS | TILDE | EXCLAIM) => {
                c.bump();
                let inner = self.primary(c, deeper)?;
                Ok(match inner {
                    Expr::Unknown => Expr::Unknown,
                    Expr::Const(value) => Expr::Const(unary(operator, value)),
                    inner => Expr::Unary(operator, Box::new(inner)),
                })
            }
            BAD => Err(self.bad_token(c)),
            _ => Err(self.error(c, &EXPRESSION, c.range(), c.expected("an expression"))),
        }
    }

    fn number(&mut self, c: &mut Cursor<'_>) -> Parsed<Expr> {
        let range = c.range();
        let Some(value) = cursor::integer(c.word()).and_then(|v| u64::try_from(v).ok()) else {
            return Err(self.error(c, &EXPRESSION, range, "the number needs more than 64 bits"));
        };
        c.bump();
        if c.at(IDENT) {
            let (direction, specifier) = c.word().split_once('@').unwrap_or((c.word(), ""));
            if matches!(direction, "f" | "b") && (specifier.is_empty() || is_specifier(specifier)) {
                let range = TextRange::new(range.start(), c.range().end());
                let back = direction == "b";
                c.bump();
                return self.numbered_label(c, value as i64, back, range);
            }
        }
        Ok(Expr::Const(value as i64))
    }

    fn symbol_value(&mut self, c: &mut Cursor<'_>) -> Parsed<Expr> {
        let quoted = c.at(STRING);
        let Some((name, range)) = c.name() else {
            return Err(self.error(c, &EXPRESSION, c.range(), c.expected("an expression")));
        };
        let (name, mut specifier) = match name.split_once('@') {
            Some((symbol, specifier)) if !quoted => (symbol, specifier),
            _ => (name, ""),
        };
        let mut own = TextRange::new(range.end() - TextSize::of(specifier), range.end());
        if quoted && c.at(AT) && c.nth(1) == IDENT {
            c.bump();
            (specifier, own) = (c.word(), c.range());
            c.bump();
        }
        // LLVM takes the symbol without a name in `@rel32@lo`.
        if name.is_empty() && !is_specifier(specifier) {
            return Err(self.error(c, &EXPRESSION, range, "expected a symbol"));
        }
        if !specifier.is_empty() && !is_specifier(specifier) {
            return Err(self.unknown_word(c, &EXPRESSION, own, "relocation", SPECIFIERS));
        }
        let id = self.symbols.intern(name);
        self.import(id);
        self.symbols.get_mut(id).used = true;
        match &self.symbols.get(id).definition {
            Definition::Variable(Expr::Const(value)) if specifier.is_empty() => Ok(Expr::Const(*value)),
            Definition::Variable(Expr::Unknown) | Definition::Unknown => Ok(Expr::Unknown),
            _ if specifier.is_empty() => Ok(Expr::Symbol(id)),
            _ => Ok(Expr::Specified(id)),
        }
    }

    fn function(&mut self, c: &mut Cursor<'_>, depth: u32) -> Parsed<Expr> {
        let Some(function) = Function::named(c.word()) else { return Ok(Expr::Unknown) };
        let start = c.start();
        c.bump();
        c.bump();
        let (mut args, mut commas) = (Vec::new(), 0);
        while !c.at(R_PAREN) {
            args.push(self.nested_expression(c, depth)?);
            if c.eat(COMMA) {
                commas += 1;
            } else if !c.at(R_PAREN) {
                return Err(self.error(c, &EXPRESSION, c.range(), "expected `,` or `)`"));
            }
        }
        if args.len() != commas + 1 {
            return Err(self.error(c, &EXPRESSION, c.range(), c.expected("another argument")));
        }
        // LLVM 22 does not count them.
        let is_counted = self.target.is_none_or(|t| t.level() != Level::Llvm22);
        if let Some(count) = function.arity().filter(|count| is_counted && *count != args.len()) {
            let message = wording::expected(wording::number(count, "arguments"), args.len());
            return Err(self.error(c, &EXPRESSION, c.since(start), message));
        }
        c.bump();
        Ok(Expr::Call(function, args))
    }

    /// Reads an expression that must be a number now. `None` when the value is unknown and that is not a mistake.
    pub(crate) fn absolute(&mut self, c: &mut Cursor<'_>) -> Parsed<Option<i64>> {
        let start = c.start();
        let expr = self.expression(c)?;
        self.absolute_value(c, &expr, c.since(start), When::Placed)
    }

    /// The number that an expression is, or a report why it is none.
    pub(crate) fn absolute_value(
        &mut self,
        c: &Cursor<'_>,
        expr: &Expr,
        range: TextRange,
        when: When,
    ) -> Parsed<Option<i64>> {
        match self.evaluate(expr, when) {
            Ok(Value { constant, plus: None, minus: None }) => Ok(Some(constant)),
            Err(NoValue::Unknown) => Ok(None),
            _ if self.open && self.first_undefined(expr).is_some() => Ok(None),
            _ => Err(self.not_absolute(c, expr, range)),
        }
    }

    fn not_absolute(&mut self, c: &Cursor<'_>, expr: &Expr, range: TextRange) -> Reported {
        match self.first_undefined(expr) {
            Some(symbol) if is_reserved(self.symbols.name(symbol)) => {
                let message = format!("expected a number, found `{}`", self.symbols.name(symbol));
                self.error(c, &NOT_ABSOLUTE, range, message)
            }
            Some(symbol) => {
                let first = !std::mem::replace(&mut self.symbols.get_mut(symbol).complained, true);
                if !first {
                    // Once is enough for a symbol that a build would define.
                    return Reported;
                }
                let name = self.symbols.name(symbol).clone();
                self.incomplete |= !self.symbols.get(symbol).defined_later;
                let message = undefined_symbol::message(&name, self.symbols.get(symbol).defined_later);
                self.error(c, &UNDEFINED_SYMBOL, range, message)
            }
            None => self.error(c, &NOT_ABSOLUTE, range, not_absolute::WHEN_READ),
        }
    }

    fn first_undefined(&self, expr: &Expr) -> Option<SymbolId> {
        match expr {
            Expr::Symbol(id) => match &self.symbols.get(*id).definition {
                Definition::Undefined => Some(*id),
                Definition::Variable(value) => self.first_undefined_in_variable(value, 20),
                _ => None,
            },
            Expr::Unary(_, inner) => self.first_undefined(inner),
            Expr::Binary(_, both) => self.first_undefined(&both.0).or_else(|| self.first_undefined(&both.1)),
            Expr::Call(_, args) => args.iter().find_map(|a| self.first_undefined(a)),
            _ => None,
        }
    }

    fn first_undefined_in_variable(&self, expr: &Expr, depth: u32) -> Option<SymbolId> {
        match expr {
            Expr::Symbol(id) => match &self.symbols.get(*id).definition {
                Definition::Undefined => Some(*id),
                Definition::Variable(value) if depth > 0 => {
                    self.first_undefined_in_variable(value, depth - 1)
                }
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn evaluate(&self, expr: &Expr, when: When) -> Result<Value, NoValue> {
        self.value(expr, when, 200, &mut Known::default())
    }

    fn value(&self, expr: &Expr, when: When, depth: u32, known: &mut Known) -> Result<Value, NoValue> {
        let number = |constant| Value { constant, plus: None, minus: None };
        let depth = depth.checked_sub(1).ok_or(NoValue::Complex)?;
        match expr {
            Expr::Const(value) => Ok(number(*value)),
            Expr::Unknown => Err(NoValue::Unknown),
            Expr::Here(section, offset) => {
                Ok(Value { constant: *offset as i64, plus: Some(Base::Place(*section)), minus: None })
            }
            Expr::Specified(id) => Ok(Value { constant: 0, plus: Some(Base::Symbol(*id)), minus: None }),
            Expr::Symbol(id) => match &self.symbols.get(*id).definition {
                Definition::Variable(value) => {
                    if let Some(value) = known.get(id) {
                        return *value;
                    }
                    let value = self.value(value, when, depth, known);
                    known.insert(*id, value);
                    value
                }
                Definition::Label { section, offset } => {
                    Ok(Value { constant: *offset as i64, plus: Some(Base::Place(*section)), minus: None })
                }
                Definition::Unknown | Definition::Elsewhere => Err(NoValue::Unknown),
                _ => Ok(Value { constant: 0, plus: Some(Base::Symbol(*id)), minus: None }),
            },
            Expr::Unary(operator, inner) => {
                let inner = self.value(inner, when, depth, known)?;
                match (operator, inner) {
                    (PLUS, value) => Ok(value),
                    (_, Value { constant, plus: None, minus: None }) => {
                        Ok(number(unary(*operator, constant)))
                    }
                    (MINUS, Value { constant, plus, minus: Some(minus) }) => {
                        Ok(Value { constant: constant.wrapping_neg(), plus: Some(minus), minus: plus })
                    }
                    _ => Err(NoValue::Complex),
                }
            }
            Expr::Binary(operator, both) => {
                let left = self.value(&both.0, when, depth, known)?;
                let right = self.value(&both.1, when, depth, known)?;
                match (operator, left.is_number() && right.is_number()) {
                    (_, true) => {
                        binary(*operator, left.constant, right.constant).map(number).ok_or(NoValue::Complex)
                    }
                    (PLUS, _) => self.sum(left, right, when),
                    (MINUS, _) => {
                        let negated = Value {
                            constant: right.constant.wrapping_neg(),
                            plus: right.minus,
                            minus: right.plus,
                        };
                        self.sum(left, negated, when)
                    }
                    _ => Err(NoValue::Complex),
                }
            }
            Expr::Call(function, args) => {
                let args: Vec<Value> =
                    args.iter().map(|a| self.value(a, when, depth, known)).collect::<Result<_, _>>()?;
                if !args.iter().all(|a| a.is_number()) {
                    return Err(NoValue::Complex);
                }
                let args: Vec<i64> = args.iter().map(|a| a.constant).collect();
                self.call(*function, &args).map(number)
            }
        }
    }

    fn sum(&self, a: Value, b: Value, when: When) -> Result<Value, NoValue> {
        let constant = a.constant.wrapping_add(b.constant);
        let mut plus: Vec<Base> = [a.plus, b.plus].into_iter().flatten().collect();
        let mut minus: Vec<Base> = [a.minus, b.minus].into_iter().flatten().collect();
        plus.retain(|base| match minus.iter().position(|m| m == base) {
            // Two places in one section, or one symbol twice.
            Some(at) if when == When::Placed || matches!(base, Base::Symbol(_)) => {
                minus.remove(at);
                false
            }
            _ => true,
        });
        if plus.len() > 1 || minus.len() > 1 {
            return Err(NoValue::Complex);
        }
        Ok(Value { constant, plus: plus.first().copied(), minus: minus.first().copied() })
    }

    fn call(&self, function: Function, args: &[i64]) -> Result<i64, NoValue> {
        let get = |i: usize| args.get(i).copied().ok_or(NoValue::Complex);
        Ok(match function {
            Function::Max => args.iter().copied().max().ok_or(NoValue::Complex)?,
            Function::Min => args.iter().copied().min().ok_or(NoValue::Complex)?,
            Function::Or => args.iter().fold(0, |a, b| a | b),
            Function::AlignTo => align_to(get(0)?, get(1)?).ok_or(NoValue::Complex)?,
            Function::TotalNumVgprs => {
                let (agprs, vgprs) = (get(0)?, get(1)?);
                self.total_vgprs(vgprs, agprs).ok_or(NoValue::Complex)?
            }
            Function::ExtraSgprs => {
                let machine = self.machine().ok_or(NoValue::Unknown)?;
                i64::from(machine.extra_sgprs(get(0)? != 0, get(1)? != 0, get(2)? != 0))
            }
            Function::Occupancy | Function::InstPrefSize => return Err(NoValue::Unknown),
        })
    }
}

impl Value {
    pub(crate) fn is_number(&self) -> bool {
        self.plus.is_none() && self.minus.is_none()
    }
}

/// Names that nobody gives to symbols: registers, register files, modifiers.
fn is_reserved(name: &str) -> bool {
    is_operand_word(name)
        || wavelens_isa::named_register(name).is_some()
        || numbered_register(name).is_some()
        || is_register_file(name)
        || wavelens_isa::is_modifier_name(name)
        || is_modifier(name)
        // a numbered label
        || name.contains(": ")
}

fn align_to(value: i64, align: i64) -> Option<i64> {
    value.checked_add(align.checked_sub(1)?)?.checked_div(align)?.checked_mul(align)
}

fn unary(operator: AmdgpuKind, value: i64) -> i64 {
    match operator {
        MINUS => value.wrapping_neg(),
        TILDE => !value,
        EXCLAIM => i64::from(value == 0),
        _ => value,
    }
}

/// `None` for a division by zero. Comparisons give -1 for true, as in GNU as.
fn binary(operator: AmdgpuKind, a: i64, b: i64) -> Option<i64> {
    let truth = |t: bool| if t { -1 } else { 0 };
    Some(match operator {
        PLUS => a.wrapping_add(b),
        MINUS => a.wrapping_sub(b),
        STAR => a.wrapping_mul(b),
        SLASH => a.checked_div(b)?,
        PERCENT => a.checked_rem(b)?,
        AMP => a & b,
        PIPE => a | b,
        CARET => a ^ b,
        EXCLAIM => a | !b,
        LESS_LESS => (a as u64).checked_shl(u32::try_from(b).ok()?).unwrap_or(0) as i64,
        GREATER_GREATER => (a as u64).checked_shr(u32::try_from(b).ok()?).unwrap_or(0) as i64,
        EQUAL_EQUAL => truth(a == b),
        EXCLAIM_EQUAL | LESS_GREATER => truth(a != b),
        LESS => truth(a < b),
        LESS_EQUAL => truth(a <= b),
        GREATER => truth(a > b),
        GREATER_EQUAL => truth(a >= b),
        AMP_AMP => i64::from(a != 0 && b != 0),
        PIPE_PIPE => i64::from(a != 0 || b != 0),
        _ => return None,
    })
}
