//! What `%` names mean in a function.

use std::cell::LazyCell;

use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;
use wavelens_syntax::{differ_in_number, wording};

use super::{LlvmToken, Lower};
use crate::body::{Inst, Local, LocalKind, Opcode};
use crate::lower::rules::{DUPLICATE_NAME, UNDEFINED_VALUE, WRONG_NUMBER};
use crate::names::{MAX_COMPARISONS, Names, Symbol, display, suggestion};
use crate::operand::{BlockAddress, LocalId, Operand, Value};
use wavelens_base::{Diagnostic, TextEdit, TextRange};

/// What `%` names mean in a function.
pub(super) struct Locals {
    pub(super) locals: ThinVec<Local>,
    named: Vec<u32>,
    numbered: FxHashMap<u32, u32>,
    /// The next number that an unnamed value gets.
    pub(super) next: u32,
    /// The last number that left others out.
    jump: Option<Jump>,
    /// Within a constant.
    pub(super) forbidden: bool,
    /// The function's own name, to recognise its block addresses.
    function: String,
    pub(super) block_addresses: ThinVec<(Symbol, TextRange)>,
    /// Those that were used as a block before anything defined them, in order.
    pub(super) used_as_block: Vec<LocalId>,
    /// The number of the first block, if it has no label.
    pub(super) entry_number: Option<u32>,
}

/// A number that left out those before it.
#[derive(Debug, Clone, Copy)]
struct Jump {
    number: u32,
    /// The first one that is left out.
    expected: u32,
    range: TextRange,
    is_block: bool,
}

const NONE: u32 = u32::MAX;

impl Jump {
    /// The finding at the number that is too high, since the next one, at `after`, is not.
    fn diagnostic(self, after: TextRange, what: &str) -> wavelens_base::Diagnostic {
        let Jump { number, expected, range, is_block } = self;
        let own = if is_block { "block" } else { "instruction" };
        let meant = if is_block { format!("{expected}:") } else { format!("%{expected}") };
        let message = format!(
            "expected number {expected} for this {own}, found {number}: the next {what} has number {}",
            expected + 1
        );
        wavelens_base::Diagnostic::new(&WRONG_NUMBER, range, message)
            .related(wavelens_base::Place::Here(after), wording::REFERENCE)
            .guess(format!("Renumber to `{meant}`"), range, meant.clone())
    }
}

impl Locals {
    /// Lets uses of the number that was meant find what has another one.
    fn rename(&mut self, jump: Jump) {
        let Some(id) = self.find(Symbol::number(jump.number)) else { return };
        let meant = Symbol::number(jump.expected);
        let Some(local) = self.locals.get(id.0 as usize).map(|local| (local.kind, local.range)) else {
            return;
        };
        match self.find(meant).and_then(|id| self.locals.get_mut(id.0 as usize)) {
            Some(used) if used.kind == LocalKind::Undefined => (used.kind, used.range) = local,
            Some(_) => {}
            None => self.insert(meant, id),
        }
    }

    pub(super) fn new(function: String) -> Self {
        Locals {
            locals: ThinVec::new(),
            named: Vec::new(),
            numbered: FxHashMap::default(),
            next: 0,
            jump: None,
            forbidden: false,
            function,
            block_addresses: ThinVec::new(),
            used_as_block: Vec::new(),
            entry_number: None,
        }
    }

    pub(super) fn find(&self, symbol: Symbol) -> Option<LocalId> {
        match symbol.as_name() {
            Some(name) => self.named.get(name.0 as usize).copied().filter(|id| *id != NONE),
            None => self.numbered.get(&symbol.as_number()?).copied(),
        }
        .map(LocalId)
    }

    fn insert(&mut self, symbol: Symbol, id: LocalId) {
        match symbol.as_name() {
            Some(name) => {
                let index = name.0 as usize;
                if self.named.len() <= index {
                    self.named.resize(index + 1, NONE);
                }
                self.named[index] = id.0;
            }
            None => {
                self.numbered.insert(symbol.as_number().unwrap_or(0), id.0);
            }
        }
    }

    /// The local that a use means; a new, for now undefined one if it is the first to name it.
    #[inline]
    pub(super) fn used(&mut self, symbol: Symbol, range: TextRange, is_block: bool) -> LocalId {
        if let Some(id) = self.find(symbol) {
            return id;
        }
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: symbol, kind: LocalKind::Undefined, range });
        self.insert(symbol, id);
        if is_block {
            self.used_as_block.push(id);
        }
        id
    }
}

impl Lower {
    /// Notes a block address of this function's own blocks: they must exist.
    pub(super) fn block_address_of(&mut self, address: BlockAddress, block: LlvmToken<'_>) {
        let Some(locals) = &mut self.locals else { return };
        let own = address.function.as_name().is_some_and(|n| self.tables.names.get(n) == locals.function);
        if own {
            locals.block_addresses.push((address.block, block.range()));
        }
    }

    /// Defines what a name means; a second definition gets a local that no use finds. The second definition of a number is reported
    /// once, as a wrong number.
    pub(super) fn define(&mut self, symbol: Symbol, kind: LocalKind, range: TextRange) -> LocalId {
        let Some(locals) = &mut self.locals else { return LocalId(0) };
        let new = LocalId(locals.locals.len() as u32);
        match locals.find(symbol) {
            Some(id) => match locals.locals.get_mut(id.0 as usize) {
                Some(local) if local.kind == LocalKind::Undefined => {
                    (local.kind, local.range) = (kind, range);
                    id
                }
                first => {
                    let first = first.map(|f| f.range);
                    locals.locals.push(Local { name: symbol, kind, range });
                    if symbol.as_number().is_some() {
                        // `numbered` reported it. An unlabelled block is not meant by the uses that follow.
                        if first.is_some_and(|f| f.is_empty()) {
                            locals.insert(symbol, new);
                        }
                        return new;
                    }
                    let name = symbol.display('%', &self.tables.names);
                    let mut diagnostic =
                        wavelens_base::Diagnostic::new(&DUPLICATE_NAME, range, wording::redefinition(name));
                    if let Some(first) = first {
                        diagnostic = diagnostic.related(wavelens_base::Place::Here(first), wording::PREVIOUS);
                    }
                    self.diagnostics.push(diagnostic);
                    new
                }
            },
            None => {
                locals.locals.push(Local { name: symbol, kind, range });
                locals.insert(symbol, new);
                new
            }
        }
    }

    /// The symbol of something that has or gets a number; reports a number that was passed already.
    pub(super) fn numbered(&mut self, written: Option<(Symbol, TextRange)>, what: &str) -> Symbol {
        let Some(locals) = &mut self.locals else { return Symbol::number(0) };
        let next = locals.next;
        let written = written
            .filter(|(symbol, _)| symbol.as_number().is_some() || !self.tables.names.is_unnamed(*symbol));
        match written {
            Some((symbol, range)) => {
                if let Some(number) = symbol.as_number() {
                    if let Some(jump) = locals.jump.take_if(|jump| number == jump.expected + 1) {
                        // One number was changed: those after it go on from the one that it had.
                        locals.next = number + 1;
                        locals.rename(jump);
                        self.diagnostics.push(jump.diagnostic(range, what));
                    } else if number < next {
                        // Someone who changed one number wants the others to go on from there.
                        let mut message = format!("expected number {next} or higher for this {what}");
                        if locals.entry_number == Some(number) {
                            message =
                                format!("`%{number}` is the first block, which has no label: {message}");
                        }
                        let sigil = if what == "block" { "" } else { "%" };
                        self.diagnostics.push(
                            wavelens_base::Diagnostic::new(&WRONG_NUMBER, range, message).guess(
                                format!("Renumber to `{sigil}{next}`"),
                                range,
                                format!("{sigil}{next}{}", if what == "block" { ":" } else { "" }),
                            ),
                        );
                    } else {
                        let jump = Jump { number, expected: next, range, is_block: what == "block" };
                        locals.jump = (number > next).then_some(jump).or(locals.jump);
                        locals.next = number + 1;
                    }
                }
                symbol
            }
            None => {
                locals.next += 1;
                Symbol::number(next)
            }
        }
    }
}

/// The one of `defined` that differs from an undefined name in having a number or not.
fn twin(nth: usize, name: &str, defined: impl Iterator<Item = Symbol>, names: &Names) -> Option<String> {
    let word = name.trim_start_matches('%');
    let mut found = None;
    for symbol in defined.take(MAX_COMPARISONS / nth) {
        let other = symbol.display('%', names);
        if differ_in_number(word, other.trim_start_matches('%')) && found.replace(other).is_some() {
            return None;
        }
    }
    found
}

/// The only block but the first that nothing uses, if all have labels and one name of a block is undefined.
fn unused_block(locals: &Locals, l: &Lower) -> Option<String> {
    let is_undefined = |id: &&LocalId| {
        locals.locals.get(id.0 as usize).is_some_and(|local| local.kind == LocalKind::Undefined)
    };
    if locals.entry_number.is_some() || locals.used_as_block.iter().filter(is_undefined).nth(1).is_some() {
        return None;
    }
    let named = |value: &Operand| if let Value::Local(id) = value.value { Some(id.0) } else { None };
    let used: FxHashSet<u32> = l.tables.operands.iter().filter_map(named).collect();
    let is_free = |(id, local): &(u32, &Local)| {
        matches!(local.kind, LocalKind::Block(block) if block > 0)
            && local.name.as_name().is_some()
            && !used.contains(id)
    };
    let mut free = (0..).zip(&locals.locals).filter(is_free);
    let (only, None) = (free.next()?.1, free.next()) else { return None };
    Some(only.name.display('%', &l.tables.names))
}

/// A local that nothing defines: names the one that was likely meant.
pub(super) fn undefined(
    nth: usize,
    id: LocalId,
    local: &Local,
    locals: &Locals,
    insts: &[Inst],
    l: &Lower,
) -> Diagnostic {
    let names = &l.tables.names;
    let name = local.name.display('%', names);
    let is_used_by = |inst: &Inst| {
        let operands: &[Operand] = inst.operands.of(&l.tables.operands);
        inst.opcode != Opcode::Phi && operands.iter().any(|o| o.value == Value::Local(id))
    };
    // A phi may use what is defined later. Not looked for where names are too many to compare.
    let user = LazyCell::new(|| insts.iter().position(is_used_by));
    let is_meant = |local: &&Local| match (local.kind, *user) {
        (LocalKind::Undefined, _) => false,
        (LocalKind::Inst(index), Some(user)) => (index as usize) < user,
        _ => true,
    };
    let defined = locals.locals.iter().filter(is_meant).filter_map(|l| l.name.as_name());
    let defined = defined.map(|d| names.get(d));
    let near = local.name.as_name().and_then(|n| suggestion(nth, locals.locals.len(), names.get(n), defined));
    let is_block = locals.used_as_block.binary_search_by_key(&id.0, |id| id.0).is_ok();
    let near = near.map(|near| display('%', near)).or_else(|| {
        let is_like = |l: &&Local| is_meant(l) && matches!(l.kind, LocalKind::Block(_)) == is_block;
        twin(nth, &name, locals.locals.iter().filter(is_like).map(|l| l.name), names)
    });
    let kind = if is_block { "block" } else { "value" };
    let mut message = wording::undefined(kind, &name, near.as_deref().into_iter());
    if is_block && near.is_none() && local.name.as_name().is_some() && locals.entry_number.is_some() {
        message.push_str("; the first block of the function has no label");
    }
    let mut diagnostic = Diagnostic::new(&UNDEFINED_VALUE, local.range, message);
    // Nothing in the name speaks for the block that nothing goes to: it is offered, and not named.
    let near = near.or_else(|| if is_block { unused_block(locals, l) } else { None });
    let Some(near) = near else { return diagnostic };
    let operands = l.tables.operands.iter().zip(&l.ranges.operands);
    let uses = operands.filter(|(o, _)| o.value == Value::Local(id));
    diagnostic.set_guess(
        format!("Replace with `{near}`"),
        uses.map(|(_, range)| TextEdit::new(*range, near.clone())).collect(),
    );
    diagnostic
}
