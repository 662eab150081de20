//! Undefined behavior and poison that the text of a function shows by itself. LLVM accepts all of it; optimizers use it.
//!
//! Source: LLVM Language Reference, and the pass `lint` (lib/Analysis/Lint.cpp). Code that no path reaches is left out.

pub(super) mod arguments;
pub(super) mod attributes;
pub(super) mod bounds;
pub(super) mod calls;
pub(super) mod dereference;
pub(super) mod effects;
mod flags;
pub(super) mod flow;
pub(super) mod lifetime;
mod references;
pub(super) mod results;

use self::references::Reference;
use crate::arena::Tables;
use crate::attribute::{Attr, AttrKind, AttrValue};
use crate::attribute_set::AttributeSet;
use crate::body::{Call, InstId};
use crate::context::RuleContext;
use crate::operand::{Const, Operand};
use crate::summary::{Function, Summary};
use crate::types::{Span, TypeId};
use crate::underlying::{Root, Source, Underlying};
use wavelens_base::{Diagnostic, Place, Rule, Severity, TextRange};

pub(super) use self::flow::module;

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    let effects = own.int(AttrKind::Memory);
    let never_returns = own.has(AttrKind::NoReturn);
    let has_valid_null = own.has(AttrKind::NullPointerIsValid);
    let objects = Underlying::new(cx);
    let mut finder = Finder { objects, effects, never_returns, has_valid_null, found: Vec::new() };
    let mut accesses = Vec::new();
    for (id, inst) in cx.insts() {
        if !finder.is_reachable(id) {
            continue;
        }
        finder.check(id, inst, &mut accesses);
    }
    lifetime::check(&mut finder);
    flow::endless(&mut finder, own.has(AttrKind::WillReturn), own.has(AttrKind::MustProgress));
    let mut found = finder.found;
    cx.diagnostics.append(&mut found);
}

/// What the rules here share: the function, what its pointers point into, and what was found.
struct Finder<'c, 'a> {
    objects: Underlying<'c, 'a>,
    /// What `memory(...)` of the function allows.
    effects: Option<u64>,
    /// It is `noreturn`.
    never_returns: bool,
    /// It is `null_pointer_is_valid`.
    has_valid_null: bool,
    found: Vec<Diagnostic>,
}

/// The attributes of a parameter or an argument, as they are written: those have no groups.
#[derive(Clone, Copy)]
struct Written<'t> {
    tables: &'t Tables,
    list: &'t [Attr],
}

impl<'t> Written<'t> {
    fn new(tables: &'t Tables, span: Span) -> Self {
        Written { tables, list: tables.attrs(span) }
    }

    /// The last one of a kind: that is the one that counts.
    fn get(self, kind: AttrKind) -> Option<&'t Attr> {
        self.list.iter().rev().find(|attr| attr.kind == kind)
    }

    fn has(self, kind: AttrKind) -> bool {
        self.get(kind).is_some()
    }

    fn int(self, kind: AttrKind) -> Option<u64> {
        match self.get(kind)?.value {
            AttrValue::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The type of a kind, in its own table.
    fn ty(self, kind: AttrKind) -> Option<TypeId> {
        match self.get(kind)?.value {
            AttrValue::Type(ty) => Some(ty),
            _ => None,
        }
    }
}

impl<'c, 'a> Finder<'c, 'a> {
    fn cx(&self) -> &'c RuleContext<'a> {
        self.objects.cx
    }

    fn is_reachable(&self, id: InstId) -> bool {
        let cx = self.cx();
        let block = cx.block_of_inst(id);
        block == 0 || cx.dominators().is_reachable(block)
    }

    /// The attributes of the n-th argument of a call, as the call says.
    fn argument(&self, call: &Call, n: usize) -> Written<'a> {
        let body = self.cx().body;
        let span = call.arg_attrs.of(&body.cold.arg_attrs).get(n).copied().unwrap_or_default();
        Written::new(&body.tables, span)
    }

    /// The callee of a call, whose parameters [`parameter`] reads.
    fn callee(&self, call: &Call) -> Callee<'a> {
        self.cx().callee(call)
    }

    /// `accesses` is empty space.
    fn check(&mut self, id: InstId, inst: &crate::body::Inst, accesses: &mut Vec<Reference>) {
        flow::check(self, id, inst);
        results::check(self, id, inst);
        flags::check(self, id, inst);
        bounds::pointer(self, id, inst);
        if inst.opcode.is_call() {
            calls::check(self, id, inst);
            results::intrinsic(self, inst);
            arguments::check(self, id, inst);
            attributes::call(self, id, inst);
        }
        attributes::result(self, id, inst);
        arguments::kept(self, id, inst);
        accesses.clear();
        references::of(self, id, inst, accesses);
        for reference in &*accesses {
            let source = self.objects.source(reference.pointer);
            if dereference::check(self, reference, &source) {
                continue;
            }
            bounds::access(self, reference, &source);
            effects::check(self, reference, &source);
        }
    }

    /// In a test, `undef`, `poison` and `null` stand for a value that does not matter, unless the test is one of these findings.
    fn is_placeholder(&self, root: Root<'_>) -> bool {
        self.cx().scope.is_test && matches!(root, Root::Null | Root::Undef | Root::Poison)
    }

    /// Whether an operand is `undef` or `poison`, and which.
    fn undefined(&self, operand: Operand) -> Option<&'static str> {
        match self.cx().constant(operand) {
            _ if self.cx().scope.is_test => None,
            Some(Const::Undef) => Some("undef"),
            Some(Const::Poison) => Some("poison"),
            _ => None,
        }
    }

    fn report(&mut self, rule: &'static Rule, range: TextRange, message: String) -> &mut Diagnostic {
        self.found.push(Diagnostic::new(rule, range, message));
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// A finding about a pointer, with the way that it came and the object that it points into.
    fn report_pointer(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: String,
        source: &Source<'_>,
    ) -> &mut Diagnostic {
        let mut diagnostic = Diagnostic::new(rule, range, message);
        for (range, what) in &source.way {
            diagnostic = diagnostic.related(Place::Here(*range), *what);
        }
        match source.root {
            Root::Alloca(id) => {
                diagnostic = diagnostic.related(Place::Here(self.cx().body.inst_range(id)), "allocated here");
            }
            Root::Global(global) => {
                let place = self.cx().scope.place(global.summary, global.head.item);
                diagnostic = diagnostic.related(place, "declared here");
            }
            _ => {}
        }
        self.found.push(diagnostic);
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// The name of what a pointer points into, for messages.
    fn name(&self, root: Root<'_>) -> String {
        let cx = self.cx();
        let local = |result: Option<crate::operand::LocalId>| {
            let name = result.and_then(|local| cx.body.local(local)).map(|local| local.name);
            name.map_or_else(String::new, |name| cx.display_local(name))
        };
        match root {
            Root::Global(global) => cx.scope.global_name(global),
            Root::Alloca(id) | Root::Result(id) => local(cx.inst(id).and_then(|inst| inst.result)),
            Root::Argument(n) => local(Some(crate::operand::LocalId(n))),
            _ => String::new(),
        }
    }
}

/// A function with the summary whose tables it points into.
type Callee<'a> = Option<(&'a Summary, &'a Function)>;

/// The attributes of the n-th parameter of a callee.
fn parameter(callee: Callee<'_>, n: usize) -> Option<Written<'_>> {
    let (summary, function) = callee?;
    Some(Written::new(&summary.tables, summary.params(function).get(n)?.attrs))
}

/// Makes a finding a hint: whether it is a mistake depends on what the function is for.
fn weaken(diagnostic: &mut Diagnostic) {
    diagnostic.severity = Severity::Hint;
}

#[cfg(test)]
mod tests;
