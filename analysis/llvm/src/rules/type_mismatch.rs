//! Each use of a value must name the type that the value has.

use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::{differ_in_number, is_one_slip, wording};

use super::intrinsics::SIGNATURE;
use crate::body::{Body, Inst, Local, LocalKind, Opcode};
use crate::context::{RuleContext, targets};
use crate::fixes;
use crate::lower::rules::DUPLICATE_NAME;
use crate::operand::{Const, LocalId, Operand, OperandId, Value};
use crate::types::{Type, TypeId};
use wavelens_base::{Diagnostic, Fix, Place, Related, Severity, TextEdit, TextRange};

wavelens_syntax::rules! {
    TYPE_MISMATCH {
        code: "type-mismatch",
        severity: Severity::Error,
        title: "a value is used with the type it was defined with",
        explain: "Each operand repeats its type. The type must be that of the definition: LLVM IR does not have implicit \
            conversions.",
        example: r"define i64 @f(i32 %x) {
  %y = add i64 %x, 1
  ret i64 %y
}
",
        fixed: r"define i32 @f(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
",
        source: "LLVM `LLParser`: \"'%x' defined with type 'i32' but expected 'i64'\"; LLVM Language Reference, \
            \"Type System\"",
    }
}

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    // What the first use ahead of the definition took a local for, with the operand.
    let mut ahead: Vec<Option<(TypeId, OperandId)>> = vec![None; body.locals.len()];
    // Where LLVM reports that a block was used as a value first.
    let mut contradicted: Vec<Option<TextRange>> = vec![None; body.locals.len()];
    // The last operand that does not have the type written before it, with both types.
    let mut last: Option<(usize, (TypeId, TypeId))> = None;
    let mut callees = body.calls.iter().filter(|c| c.address_space.is_none()).map(|c| c.callee.0).peekable();
    let program_space = cx.scope.layout.program_space;
    // Made where something is wrong.
    let users = OnceCell::new();
    let users = || users.get_or_init(|| Users::new(body));
    let mut found: Vec<Mismatch> = Vec::new();
    for (index, operand) in body.tables.operands.iter().enumerate() {
        let mut ty = cx.ty(operand.ty);
        let range = body.ranges.operands.get(index).copied().unwrap_or_default();
        if callees.peek() == Some(&(index as u32)) {
            callees.next();
            if ty == TypeId::PTR && program_space != 0 {
                ty = cx.types.ptr(program_space);
            }
        }
        match operand.value {
            Value::Local(id) => {
                let (Some(local), Some(slot)) = (body.local(id), ahead.get_mut(id.0 as usize)) else {
                    continue;
                };
                let is_defined = local.range.start() < range.start();
                let first = (!is_defined).then(|| slot.get_or_insert((ty, OperandId(index as u32))).0);
                if matches!(local.kind, LocalKind::Block(_))
                    && first.is_some_and(|first| first != TypeId::LABEL)
                {
                    if first != Some(ty)
                        && let Some(place) = contradicted.get_mut(id.0 as usize)
                    {
                        place.get_or_insert(range);
                    }
                    continue;
                }
                // What nothing defines is one mistake, whatever types its uses have.
                if local.kind == LocalKind::Undefined {
                    continue;
                }
                let actual = first.unwrap_or_else(|| cx.local_ty(id));
                if actual == ty || actual.is_error() || ty.is_error() {
                    continue;
                }
                let wrong = (ty, actual);
                let shares = last.replace((index, wrong))
                    == index.checked_sub(1).map(|before| (before, wrong))
                    && fixes::shares_type(cx.text, range);
                let is_cut = actual == TypeId::LABEL && is_cut_branch(users(), index);
                // The type that both operands share, or that of `ret` or `br`, is wrong once.
                if shares || is_cut || is_returned_as_declared(cx, users(), index, actual) {
                    continue;
                }
                found.push(Mismatch {
                    at: cx.diagnostics.len(),
                    operand: Some(index),
                    local: id,
                    ty,
                    actual,
                });
                mismatch(cx, users(), index, ty, actual, local.range);
            }
            Value::Global(_) => {
                if ty.is_error() {
                    continue;
                }
                let Some(space) = (match cx.types.get(ty) {
                    Type::Ptr(space) => Some(space),
                    _ => None,
                }) else {
                    let (name, ty) = (cx.display_value(*operand), cx.display_ty(ty));
                    cx.report(
                        &TYPE_MISMATCH,
                        range,
                        format!("expected a pointer type before `{name}`, found `{ty}`"),
                    );
                    continue;
                };
                if let Some(global) = cx.global(*operand)
                    && global.address_space != space
                    // A line that was not read to its type may have its address space after that.
                    && !global.value_type.is_error()
                {
                    let place = cx.scope.place(global.summary, global.head.item);
                    let message = format!(
                        "`{}` is in address space {}, but is used as a pointer to address space {space}",
                        cx.display_value(*operand),
                        global.address_space
                    );
                    cx.report(&TYPE_MISMATCH, range, message)
                        .related
                        .push(Related { place, message: "defined here".into() });
                }
            }
            _ => {}
        }
    }
    for (index, first) in ahead.iter().enumerate() {
        let (Some((expected, used)), Some(local)) = (first, body.locals.get(index)) else { continue };
        let actual = cx.local_types.get(index).copied().unwrap_or(TypeId::ERROR);
        let known = !actual.is_error() && !expected.is_error();
        if known && matches!(local.kind, LocalKind::Block(_)) && *expected != TypeId::LABEL {
            if is_cut_branch(users(), used.0 as usize) {
                continue;
            }
            let place = contradicted.get(index).copied().flatten().unwrap_or(local.range);
            let is_destination = is_destination(cx, users(), used.0 as usize);
            let diagnostic = mismatch(cx, users(), used.0 as usize, *expected, TypeId::LABEL, local.range);
            if !is_destination {
                let message = wording::REFERENCE.into();
                diagnostic.related.push(Related { place: Place::Here(place), message });
            }
            continue;
        }
        if known && actual != *expected && local.kind != LocalKind::Undefined {
            let message = format!(
                "`{}` has type `{}`, but was used as `{}` before",
                cx.display_local(local.name),
                cx.display_ty(actual),
                cx.display_ty(*expected)
            );
            let place = Place::Here(cx.operand_range(*used));
            let (at, local_id) = (cx.diagnostics.len(), LocalId(index as u32));
            found.push(Mismatch { at, operand: None, local: local_id, ty: *expected, actual });
            cx.report(&TYPE_MISMATCH, local.range, message)
                .related
                .push(Related { place, message: "used here".into() });
        }
    }
    if found.len() > 1 {
        leave_out_consequences(cx, users(), &found);
    }
}

/// A value that is used with another type than it has.
struct Mismatch {
    /// Its index among the diagnostics.
    at: usize,
    /// `None` where the definition is reported, after a use.
    operand: Option<usize>,
    local: LocalId,
    /// Where it is used, and of the value itself.
    ty: TypeId,
    actual: TypeId,
}

/// Where another type before an operand makes the result what all its uses take it for, they are not reported.
fn leave_out_consequences(cx: &mut RuleContext<'_>, users: &Users<'_>, found: &[Mismatch]) {
    let mut of_local: FxHashMap<LocalId, Vec<&Mismatch>> = FxHashMap::default();
    for mismatch in found {
        of_local.entry(mismatch.local).or_default().push(mismatch);
    }
    let mut left_out: Vec<usize> = Vec::new();
    for cause in found {
        let Some(operand) = cause.operand else { continue };
        let is_fixed = cx.diagnostics.get(cause.at).is_some_and(|diagnostic| diagnostic.fix.is_some());
        let inst = users.insts.get(operand).copied().flatten().filter(|_| is_fixed);
        let Some(result) = inst.and_then(|inst| users.results.get(&inst)) else { continue };
        let has_operand_type = users.inst(operand).is_some_and(|inst| inst.opcode.is_binary());
        let uses = of_local.get(result).map_or(&[][..], Vec::as_slice);
        if has_operand_type && uses.iter().all(|use_| use_.ty == cause.actual && use_.actual == cause.ty) {
            left_out.extend(uses.iter().map(|use_| use_.at));
        }
    }
    left_out.sort_unstable();
    let mut at = 0..;
    cx.diagnostics.retain(|_| at.next().is_none_or(|at: usize| left_out.binary_search(&at).is_err()));
}

/// Leaves out what else is found about an operand whose type is another one than is written, and what is found about names that the function
/// defines twice: the second definition is reported, and which one a use means is not known.
pub(crate) fn explain(found: &mut Vec<Diagnostic>, errors: &mut [Diagnostic]) {
    let mut mismatches: Vec<TextRange> =
        found.iter().filter(|d| d.rule == &TYPE_MISMATCH).map(|d| d.range).collect();
    mismatches.sort_unstable_by_key(|range| range.start());
    let first_in = |range: TextRange| {
        mismatches.get(mismatches.partition_point(|mismatch| mismatch.start() < range.start())).copied()
    };
    found.retain(|d| match first_in(d.range) {
        _ if d.rule == &TYPE_MISMATCH => true,
        // The call has the types that are written.
        Some(mismatch) if d.rule == &SIGNATURE => !d.range.contains_range(mismatch),
        mismatch => mismatch != Some(d.range),
    });
    let here = |place: &Place| match place {
        Place::Here(range) => Some(*range),
        _ => None,
    };
    let mut first_definitions: FxHashMap<TextRange, &mut Diagnostic> = FxHashMap::default();
    for error in errors.iter_mut().filter(|error| error.rule == &DUPLICATE_NAME) {
        if let Some(first) = error.related.first().and_then(|related| here(&related.place)) {
            first_definitions.insert(first, error);
        }
    }
    if first_definitions.is_empty() {
        return;
    }
    found.retain(|diagnostic| {
        let other = diagnostic.related.first().and_then(|related| here(&related.place));
        match first_definitions.get_mut(&diagnostic.range) {
            _ if diagnostic.rule != &TYPE_MISMATCH => true,
            // LLVM reads the first definition before the second.
            Some(error) => {
                let message = wording::REFERENCE.to_owned();
                error.related.push(Related { place: Place::Here(diagnostic.range), message });
                false
            }
            None => !other.is_some_and(|other| first_definitions.contains_key(&other)),
        }
    });
}

/// The `index`-th operand is written with type `ty`, but is `actual`.
fn mismatch<'c>(
    cx: &'c mut RuleContext<'_>,
    users: &Users<'_>,
    index: usize,
    ty: TypeId,
    actual: TypeId,
    definition: TextRange,
) -> &'c mut Diagnostic {
    let id = OperandId(index as u32);
    let (operand, range) = (cx.body.tables.operand(id), cx.operand_range(id));
    let name = cx.display_value(operand);
    let is_destination = actual == TypeId::LABEL && is_destination(cx, users, index);
    let written = fixes::type_before(cx.text, range, &cx.display_ty(ty)).filter(|_| {
        is_destination
            || is_free(cx, users, index, ty, actual)
                && partner_agrees(cx, id, actual)
                && result_agrees(cx, users, index, ty)
    });
    let certain = is_destination || is_confirmed(cx, users, index, actual) && !is_other_name(cx, operand, ty);
    let (wrong, right) = (cx.display_ty(ty), cx.display_ty(actual));
    let message = match (ty, actual) {
        (TypeId::LABEL, _) => {
            format!("expected a basic block, found `{name}` of type `{}`", cx.display_ty(actual))
        }
        (_, TypeId::LABEL) if is_destination => {
            format!("expected `label` before the basic block `{name}`, found `{wrong}`")
        }
        (_, TypeId::LABEL) => {
            let wanted = cx.display_ty(ty);
            format!("expected `{wanted}`, found the basic block `{name}`, whose type is `label`")
        }
        _ => {
            format!("expected `{1}`, found `{name}` of type `{0}`", cx.display_ty(actual), cx.display_ty(ty))
        }
    };
    let diagnostic = cx.report(&TYPE_MISMATCH, range, message);
    diagnostic.related.push(Related { place: Place::Here(definition), message: "defined here".into() });
    if let Some(written) = written {
        let title = format!("Replace `{wrong}` with `{right}`");
        diagnostic.fix = Some(Fix { title, certain, edits: vec![TextEdit::new(written, right)] });
    }
    diagnostic
}

/// What operands belong to. A function with a mistake may have thousands, and to look through it for each takes long.
struct Users<'b> {
    body: &'b Body,
    /// By operand: the instruction whose operand it is, and the one that goes there or depends on it to go somewhere.
    insts: Vec<Option<u32>>,
    targets: Vec<Option<u32>>,
    /// By operand: the call whose argument it is.
    calls: Vec<Option<u32>>,
    /// By instruction: its result.
    results: FxHashMap<u32, LocalId>,
    /// By local that is used: the types before it, of the body's own.
    types: FxHashMap<LocalId, FxHashSet<TypeId>>,
}

impl<'b> Users<'b> {
    fn new(body: &'b Body) -> Self {
        let none = || vec![None; body.tables.operands.len()];
        let mut users = Users {
            body,
            insts: none(),
            targets: none(),
            calls: none(),
            results: FxHashMap::default(),
            types: FxHashMap::default(),
        };
        let set = |places: &mut Vec<Option<u32>>, range: Range<usize>, user: usize| {
            places.get_mut(range).into_iter().flatten().for_each(|place| {
                place.get_or_insert(user as u32);
            });
        };
        for (index, inst) in body.insts.iter().enumerate() {
            set(&mut users.insts, inst.operands.range(), index);
            set(&mut users.targets, targets(body, inst).range(), index);
        }
        for (index, call) in body.calls.iter().enumerate() {
            set(&mut users.calls, call.args.range(), index);
        }
        for (index, local) in body.locals.iter().enumerate() {
            if let LocalKind::Inst(inst) = local.kind {
                users.results.entry(inst).or_insert(LocalId(index as u32));
            }
        }
        for operand in &body.tables.operands {
            if let Value::Local(local) = operand.value {
                users.types.entry(local).or_default().insert(operand.ty);
            }
        }
        users
    }

    /// Whether a use of a local has a type before it.
    fn has_use(&self, cx: &RuleContext<'_>, local: LocalId, ty: TypeId) -> bool {
        self.types.get(&local).is_some_and(|own| own.iter().any(|own| cx.ty(*own) == ty))
    }

    fn inst(&self, operand: usize) -> Option<&'b Inst> {
        let index = self.insts.get(operand).copied().flatten()?;
        self.body.insts.get(index as usize)
    }

    fn is_of(&self, operand: usize, opcode: Opcode) -> bool {
        self.inst(operand).is_some_and(|inst| inst.opcode == opcode)
    }
}

/// Whether an operand is that of a `br` with a type other than `label` and no destinations, which is a syntax error.
fn is_cut_branch(users: &Users<'_>, index: usize) -> bool {
    users.inst(index).is_some_and(|inst| inst.opcode == Opcode::Br && inst.operands.len == 1)
}

/// Whether an operand is where a terminator goes to.
fn is_destination(cx: &RuleContext<'_>, users: &Users<'_>, index: usize) -> bool {
    let user = users.targets.get(index).copied().flatten();
    user.and_then(|user| cx.body.insts.get(user as usize)).is_some_and(|inst| {
        let targets = targets(cx.body, inst).range();
        match inst.opcode {
            Opcode::Br => targets.len() > 1 && index != targets.start,
            // Each value is followed by its destination.
            Opcode::Switch => (index - targets.start) % 2 == 1,
            Opcode::IndirectBr => index != targets.start,
            Opcode::Invoke | Opcode::CallBr => true,
            _ => false,
        }
    })
}

/// Whether an operand's type is not the instruction's choice: conditions are `i1`, destinations labels, addresses pointers.
fn is_free(cx: &RuleContext<'_>, users: &Users<'_>, index: usize, ty: TypeId, actual: TypeId) -> bool {
    // Arithmetic and casts of integers are others than those of floating-point numbers.
    let is_of_kind = users.inst(index).is_some_and(|inst| {
        (inst.opcode.is_binary() || inst.opcode.is_cast())
            && cx.types.is_int_or_vector(ty) != cx.types.is_int_or_vector(actual)
    });
    actual != TypeId::LABEL
        && ty != TypeId::LABEL
        && !is_declared(cx, users, index, ty)
        && !is_of_kind
        && (!cx.types.is_ptr(ty) || cx.types.is_ptr(actual))
        && !(ty == TypeId::I1 && users.is_of(index, Opcode::Br))
}

/// Whether the function's header or the callee's declaration says that an operand has a type.
fn is_declared(cx: &RuleContext<'_>, users: &Users<'_>, index: usize, ty: TypeId) -> bool {
    let body = cx.body;
    if users.is_of(index, Opcode::Ret) {
        return matches!(cx.types.get(cx.function_type), Type::Function { result, .. } if result == ty);
    }
    let call = users.calls.get(index).copied().flatten().and_then(|call| body.calls.get(call as usize));
    let Some(call) = call else { return false };
    let declared = cx.global(body.tables.operand(call.callee)).map(|global| cx.types.get(global.value_type));
    let Some(Type::Function { params, .. }) = declared else { return false };
    cx.types.list(params).get(index - call.args.range().start) == Some(&ty)
}

/// Whether an operand of `ret` has the function's result type: then the type before it is reported.
fn is_returned_as_declared(cx: &RuleContext<'_>, users: &Users<'_>, index: usize, actual: TypeId) -> bool {
    matches!(cx.types.get(cx.function_type), Type::Function { result, .. } if result == actual)
        && users.is_of(index, Opcode::Ret)
}

/// A type before the first of two operands is that of both: does it suit the second?
fn partner_agrees(cx: &RuleContext<'_>, first: OperandId, ty: TypeId) -> bool {
    let second = OperandId(first.0 + 1);
    let (a, b) = (cx.body.tables.operand(first), cx.body.tables.operand(second));
    if a.ty != b.ty || !fixes::shares_type(cx.text, cx.operand_range(second)) {
        return true;
    }
    match b.value {
        Value::Local(local) => cx.local_ty(local) == ty,
        Value::Const(_) => cx.types.is_int(ty) && matches!(cx.constant(b), Some(Const::Int(_))),
        _ => false,
    }
}

/// Whether more than the definition says that a value has its type: another use, the operand next to it, or a use of the result.
/// Otherwise the definition may be what is wrong.
fn is_confirmed(cx: &RuleContext<'_>, users: &Users<'_>, index: usize, actual: TypeId) -> bool {
    let typed = |local: LocalId| users.has_use(cx, local, actual);
    let Some(Operand { value: Value::Local(local), ty }) = cx.body.tables.operands.get(index) else {
        return false;
    };
    let inst = users.insts.get(index).copied().flatten();
    let is_partner = |other: usize| {
        users.insts.get(other).copied().flatten() == inst
            && cx.body.tables.operands.get(other).is_some_and(|o| match o.value {
                Value::Local(partner) => o.ty == *ty && partner != *local && cx.local_ty(partner) == actual,
                _ => false,
            })
    };
    let result = inst.filter(|_| users.inst(index).is_some_and(|i| i.opcode.is_binary()));
    typed(*local)
        || is_partner(index + 1)
        || index.checked_sub(1).is_some_and(is_partner)
        || result.and_then(|inst| users.results.get(&inst)).is_some_and(|result| typed(*result))
}

/// Locals among which names that are one slip away are looked for.
const MOST_NAMES: usize = 4096;

/// Whether the type is right for another value, whose name is one slip or a part such as `.addr` away, or numbers mean other values because one of them is not
/// defined.
fn is_other_name(cx: &RuleContext<'_>, operand: Operand, ty: TypeId) -> bool {
    let name = cx.display_value(operand);
    let is_number = |name: &str| name.trim_start_matches('%').bytes().all(|b| b.is_ascii_digit());
    let is_numbered = is_number(&name);
    let is_meant = |(index, local): (usize, &Local)| {
        let other = cx.display_local(local.name);
        let is_undefined = local.kind == LocalKind::Undefined && is_numbered && is_number(&other);
        is_undefined
            || cx.local_types.get(index) == Some(&ty)
                && (is_one_slip(&name, &other)
                    || differ_in_number(&name, &other)
                    || differ_in_part(&name, &other)
                    || is_numbered && is_one_digit_off(&name, &other))
    };
    cx.body.locals.iter().enumerate().take(MOST_NAMES).any(is_meant)
}

/// Whether one name is the other with a part more: `%fp` and `%fp.addr`.
fn differ_in_part(a: &str, b: &str) -> bool {
    let (shorter, longer) = if a.len() < b.len() { (a, b) } else { (b, a) };
    longer.strip_prefix(shorter).is_some_and(|rest| rest.starts_with(['.', '_']))
}

/// Whether one digit more, less or other makes a number of another.
fn is_one_digit_off(a: &str, b: &str) -> bool {
    let start = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let rest = |text: &str| text.len() - start;
    let end = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    a != b && rest(a).saturating_sub(end) <= 1 && rest(b).saturating_sub(end) <= 1
}

/// Whether nothing uses the result of the operand's instruction as a value of the same type, which would change too.
fn result_agrees(cx: &RuleContext<'_>, users: &Users<'_>, index: usize, ty: TypeId) -> bool {
    let inst = users.insts.get(index).copied().flatten();
    let result = inst.and_then(|inst| users.results.get(&inst));
    result.filter(|local| cx.local_ty(**local) == ty).is_none_or(|local| !users.has_use(cx, *local, ty))
}

#[cfg(test)]
mod tests;
