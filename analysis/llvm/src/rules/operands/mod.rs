//! Operands of instructions: which types each instruction takes.

pub(super) mod calls;
pub(super) mod casts;
mod elements;
mod gep;
mod memory;
mod operators;

use rustc_hash::FxHashMap;

use crate::body::{Flags, Inst, InstId, Opcode};
use crate::context::RuleContext;
use crate::fixes;
use crate::layout::is_sized;
use crate::operand::{Const, Value};
use crate::types::{Type, TypeId, Types};
use wavelens_base::{Place, Related, Severity, TextEdit, TextRange, TextSize};

pub(crate) use casts::cast_is_valid;
pub(in crate::rules) use casts::{address_problem, right_cast};
pub(in crate::rules) use elements::mask_problem;
pub(crate) use gep::{GepProblem, gep_result};

wavelens_syntax::rules! {
    INVALID_OPERAND {
        code: "invalid-operand",
        severity: Severity::Error,
        title: "operands have types that the instruction works on",
        explain: "Each instruction is defined for certain types: `add` for integers and vectors of integers, `fadd` \
            for floating-point values, `load` for pointers.",
        example: r"define float @f(float %x) {
  %y = add float %x, 1.0
  ret float %y
}
",
        fixed: r"define float @f(float %x) {
  %y = fadd float %x, 1.0
  ret float %y
}
",
        source: "LLVM `LLParser`: \"invalid operand type for instruction\"; LLVM Language Reference, \"Arguments\" \
            of the instruction",
    }

    INVALID_FLAG {
        code: "invalid-flag",
        severity: Severity::Error,
        title: "fast-math flags are on an instruction with a floating-point result",
        explain: "Fast-math flags relax floating-point arithmetic. On `phi`, `select` and calls they are allowed \
            only if the result is a floating-point value, or an array or vector of them.",
        example: r"define i32 @f(i1 %c, i32 %a, i32 %b) {
  %x = select nnan i1 %c, i32 %a, i32 %b
  ret i32 %x
}
",
        fixed: r"define i32 @f(i1 %c, i32 %a, i32 %b) {
  %x = select i1 %c, i32 %a, i32 %b
  ret i32 %x
}
",
        source: "LLVM `LLParser`: \"fast-math-flags specified for select without floating-point scalar or vector \
            return type\"; LLVM Language Reference, \"Fast-Math Flags\"",
    }
}

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    for (id, inst) in cx.insts() {
        check(cx, id, inst);
    }
}

struct At<'c, 'a> {
    cx: &'c mut RuleContext<'a>,
    id: InstId,
    inst: &'a Inst,
}

impl At<'_, '_> {
    fn ty(&self, n: u32) -> TypeId {
        self.cx.operand_ty(self.inst, n)
    }

    fn bad(&mut self, n: u32, message: impl Into<String>) {
        let range = self.cx.body.operand_range(self.id, n);
        self.cx.report(&INVALID_OPERAND, range, message);
    }

    fn shown(&self, n: u32) -> String {
        self.cx.display_ty(self.ty(n))
    }

    /// Reports unless the operand's type passes; an unknown type does.
    fn want(&mut self, n: u32, what: &str, pass: impl FnOnce(&Types, TypeId) -> bool) -> bool {
        let ty = self.ty(n);
        let ok = ty.is_error() || pass(&self.cx.types, ty) || self.is_mismatch(n);
        if !ok {
            let message = format!("`{}` requires {what}, found `{}`", self.inst.opcode.word(), self.shown(n));
            let (range, fix) = (self.cx.body.operand_range(self.id, n), self.other_operator(n));
            let diagnostic = self.cx.report(&INVALID_OPERAND, range, message);
            if let Some(edit) = fix {
                diagnostic.set_guess(format!("Replace with `{}`", edit.text), vec![edit]);
            }
        }
        ok
    }

    /// The operator of the other kind of numbers, if the first operand is of these.
    fn other_operator(&self, n: u32) -> Option<TextEdit> {
        let (types, ty) = (&self.cx.types, self.ty(n));
        let to_float = types.is_float_or_vector(ty);
        if n != 0 || !to_float && !types.is_int_or_vector(ty) {
            return None;
        }
        let start = self.cx.body.inst_range(self.id).start();
        let head = self.cx.text.get(start.into()..self.cx.body.operand_range(self.id, 0).start().into())?;
        let (range, text) = operators::replacement(head, to_float)?;
        Some(TextEdit::new(range + start, text))
    }

    /// Whether an operand is reported as one that has another type than the one written before it.
    fn is_mismatch(&self, n: u32) -> bool {
        match self.cx.body.operand(self.inst, n).value {
            Value::Local(id) => {
                let actual = self.cx.local_ty(id);
                !actual.is_error() && actual != self.ty(n)
            }
            _ => false,
        }
    }

    fn constant(&self, n: u32) -> Option<Const> {
        self.cx.constant(self.cx.body.operand(self.inst, n))
    }

    fn sized(&self, ty: TypeId) -> bool {
        ty.is_error() || is_sized(self.cx.scope, &self.cx.types, ty).unwrap_or(true)
    }

    fn first_class(&self, ty: TypeId) -> bool {
        match self.cx.types.get(ty) {
            Type::Function { .. } | Type::Void => false,
            Type::NamedStruct(def) => self.cx.scope.struct_def(def).is_none_or(|s| s.fields.is_some()),
            _ => true,
        }
    }
}

fn is_ptr(types: &Types, ty: TypeId) -> bool {
    types.is_ptr(ty)
}

fn check<'a>(cx: &mut RuleContext<'a>, id: InstId, inst: &'a Inst) {
    let mut at = At { cx, id, inst };
    match inst.opcode {
        op if op.is_int_binary() => {
            at.want(0, "integers", |t, ty| t.is_int_or_vector(ty));
        }
        op if op.is_float_binary() || op == Opcode::FNeg => {
            at.want(0, "floating-point values", |t, ty| t.is_float_or_vector(ty));
        }
        op if op.is_cast() => casts::cast(&mut at),
        op if op.is_call() => calls::call(&mut at),
        Opcode::ICmp => {
            at.want(0, "integers or pointers", |t, ty| t.is_int_or_vector(ty) || t.is_ptr_or_vector(ty));
        }
        Opcode::FCmp => {
            at.want(0, "floating-point values", |t, ty| t.is_float_or_vector(ty));
        }
        Opcode::Ret => ret(&mut at),
        Opcode::Br => branch(&mut at),
        Opcode::Switch => switch(&mut at),
        Opcode::IndirectBr => {
            at.want(0, "a pointer", is_ptr);
            labels(&mut at, 1);
        }
        Opcode::CatchRet => labels(&mut at, 1),
        Opcode::Select => select(&mut at),
        Opcode::Phi => {
            let ty = at.cx.ty(inst.ty);
            if !ty.is_error() && !at.first_class(ty) {
                let message = format!("a `phi` must not have type `{}`", at.cx.display_ty(ty));
                let range = at.cx.body.inst_range(id);
                at.cx.report(&INVALID_OPERAND, range, message);
            }
            fast_flags(&mut at);
        }
        Opcode::ExtractElement => {
            at.want(0, "a vector", Types::is_vector);
            at.want(1, "an integer index", Types::is_int);
        }
        Opcode::InsertElement => elements::insert_element(&mut at),
        Opcode::ShuffleVector => elements::shuffle(&mut at),
        Opcode::ExtractValue | Opcode::InsertValue => elements::aggregate(&mut at),
        Opcode::GetElementPtr => gep::gep(&mut at),
        Opcode::Alloca => memory::alloca(&mut at),
        Opcode::Load => memory::load(&mut at),
        Opcode::Store => memory::store(&mut at),
        Opcode::CmpXchg => memory::cmpxchg(&mut at),
        Opcode::AtomicRmw => memory::rmw(&mut at),
        Opcode::Fence => memory::fence(&mut at),
        Opcode::VaArg => {
            let ty = at.cx.ty(inst.ty);
            if !ty.is_error() && !at.first_class(ty) {
                at.bad(0, "`va_arg` requires a first-class type");
            }
        }
        Opcode::LandingPad => landingpad(&mut at),
        _ => {}
    }
}

fn labels(at: &mut At<'_, '_>, from: u32) {
    for n in from..at.inst.operands.len {
        label(at, n);
    }
}

fn label(at: &mut At<'_, '_>, n: u32) {
    let operand = at.cx.body.operand(at.inst, n);
    let ty = at.cx.ty(operand.ty);
    // A value of another type than the one written is reported.
    if !ty.is_error() && ty != TypeId::LABEL && !at.is_mismatch(n) {
        let message = format!("expected a `label` as destination, found `{}`", at.cx.display_ty(ty));
        at.bad(n, message);
    }
}

fn ret(at: &mut At<'_, '_>) {
    let Type::Function { result, .. } = at.cx.types.get(at.cx.function_type) else { return };
    let own = if at.inst.operands.is_empty() { TypeId::VOID } else { at.ty(0) };
    if own == result || own.is_error() {
        return;
    }
    let message = format!(
        "expected `{}`, the function's result type, found `{}`",
        at.cx.display_ty(result),
        at.cx.display_ty(own)
    );
    let place = at.cx.scope.place(at.cx.summary_index, at.cx.function.head.item);
    let written = written_type(at);
    let range = written.unwrap_or_else(|| at.cx.body.operand_range(at.id, 0));
    let right = at.cx.display_ty(result);
    let is_local = |at: &At<'_, '_>| match at.cx.body.operand(at.inst, 0).value {
        Value::Local(id) => at.cx.local_ty(id) == result,
        _ => false,
    };
    let edit = written.filter(|_| is_local(at)).map(|written| TextEdit::new(written, right.clone()));
    let wrong = at.cx.display_ty(own);
    let diagnostic = at.cx.report(&super::type_mismatch::TYPE_MISMATCH, range, message);
    diagnostic.related.push(Related { place, message: "the function".into() });
    if let Some(edit) = edit {
        diagnostic.set_fix(format!("Replace `{wrong}` with `{right}`"), vec![edit]);
    }
}

/// The type between `ret` and its value.
fn written_type(at: &At<'_, '_>) -> Option<TextRange> {
    let value = (at.inst.operands.len > 0).then(|| at.cx.body.operand_range(at.id, 0))?;
    let inst = at.cx.body.inst_range(at.id);
    let text = at.cx.text.get(inst.start().into()..value.start().into())?;
    let ty = text.strip_prefix("ret")?.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let start = inst.start() + TextSize::of(text.get(..text.find(ty)?)?);
    (!ty.is_empty()).then(|| TextRange::at(start, TextSize::of(ty)))
}

fn branch(at: &mut At<'_, '_>) {
    // With another type than `label` it is a syntax error.
    if at.inst.operands.len == 1 {
        return;
    }
    // Without destinations it is a syntax error.
    if !at.ty(1).is_error() {
        at.want(0, "an `i1` condition", |_, ty| ty == TypeId::I1);
    }
    labels(at, 1);
}

fn switch(at: &mut At<'_, '_>) {
    // A condition of another type than the one written is reported.
    let condition = if at.is_mismatch(0) { TypeId::ERROR } else { at.ty(0) };
    at.want(0, "an integer", Types::is_int);
    label(at, 1);
    let mut seen: FxHashMap<u128, u32> = FxHashMap::default();
    let bits = at.cx.types.int_bits(condition);
    for n in (2..at.inst.operands.len).step_by(2) {
        let own = at.ty(n);
        match at.constant(n) {
            Some(Const::Error) => {}
            Some(value @ (Const::Int(_) | Const::Wide(_) | Const::Bool(_) | Const::ZeroInitializer)) => {
                let known = bits.and_then(|bits| case_value(at, value, bits));
                let first = known.map_or(n, |known| *seen.entry(known).or_insert(n));
                if let (true, Some(known)) = (first != n, known) {
                    let place = Place::Here(at.cx.body.operand_range(at.id, first));
                    let range = at.cx.body.operand_range(at.id, n);
                    let message = match value {
                        Const::Int(value) => format!("duplicate case value {value}"),
                        _ => format!("duplicate case value {known}"),
                    };
                    let diagnostic = at.cx.report(&INVALID_OPERAND, range, message);
                    diagnostic.related.push(Related { place, message: "previous case is here".into() });
                }
            }
            // A value that is missing is a syntax error.
            _ if own.is_error() => {}
            _ => at.bad(n, "a case value must be an integer constant"),
        }
        if own != condition && !own.is_error() && !condition.is_error() {
            let message = format!(
                "expected `{}`, the type of the condition, found `{}`",
                at.cx.display_ty(condition),
                at.shown(n)
            );
            at.bad(n, message);
        }
        label(at, n + 1);
    }
}

/// An integer in a type of so many bits: cases are equal when they are equal in the condition's width. `None` beyond 128.
fn case_value(at: &At<'_, '_>, constant: Const, bits: u32) -> Option<u128> {
    let value = match constant {
        Const::Int(value) => i128::from(value) as u128,
        Const::Bool(value) => u128::from(value),
        Const::ZeroInitializer => 0,
        Const::Wide(index) => {
            let wide = at.cx.tables().cold.wide.get(index as usize)?;
            let [low, high] = match wide.words[..] {
                [low] => [low, 0],
                [low, high] => [low, high],
                _ => return None,
            };
            let magnitude = u128::from(high) << 64 | u128::from(low);
            if wide.negative { magnitude.wrapping_neg() } else { magnitude }
        }
        _ => return None,
    };
    match bits {
        1..128 => Some(value & ((1 << bits) - 1)),
        128 => Some(value),
        _ => None,
    }
}

fn select(at: &mut At<'_, '_>) {
    let (condition, yes, no) = (at.ty(0), at.ty(1), at.ty(2));
    if condition.is_error() || yes.is_error() || no.is_error() {
        return;
    }
    if yes != no {
        let message =
            format!("both values must have the same type, found `{}` and `{}`", at.shown(1), at.shown(2));
        return at.bad(2, message);
    }
    if yes == TypeId::TOKEN {
        return at.bad(1, "a token must not be an operand of `select`");
    }
    match at.cx.types.get(condition) {
        Type::Vector { len, scalable, element } => {
            if element != TypeId::I1 {
                at.bad(0, "the elements of a condition must be `i1`");
            } else if at.cx.types.lanes(yes) != Some((len, scalable)) {
                at.bad(1, "a vector condition requires values that are vectors of the same length");
            }
        }
        _ if condition != TypeId::I1 => {
            let message =
                format!("expected an `i1` or a vector of `i1` as condition, found `{}`", at.shown(0));
            at.bad(0, message);
        }
        _ => {}
    }
    fast_flags(at);
}

/// Is this a type of floating point operations: a number, a vector, or arrays and structs of one?
fn is_float_result(types: &Types, mut ty: TypeId) -> bool {
    let float = |ty: TypeId| types.is_float_or_vector(ty);
    if let Type::Struct { fields, packed: false } = types.get(ty) {
        let fields = types.list(fields);
        return fields.first().is_some_and(|f| float(*f) && fields.iter().all(|g| g == f));
    }
    while let Type::Array { element, .. } = types.get(ty) {
        ty = element;
    }
    ty.is_error() || float(ty)
}

fn fast_flags(at: &mut At<'_, '_>) {
    // LLVM forgets to look at a `phi` that has metadata.
    let forgotten = at.inst.opcode == Opcode::Phi && !at.inst.attachments.is_empty();
    if at.inst.flags.any(Flags::FAST) && !forgotten {
        let ty = at.cx.result_ty(at.inst);
        if !is_float_result(&at.cx.types, ty) {
            let range = at.cx.body.inst_range(at.id);
            let message =
                format!("fast-math flags require a floating-point result, found `{}`", at.cx.display_ty(ty));
            let flags = ["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];
            let words = flags.iter().filter_map(|word| fixes::word_in(at.cx.text, range, word));
            let edits = words.map(|word| TextEdit::new(word, "")).collect();
            at.cx.report(&INVALID_FLAG, range, message).set_fix("Remove the fast-math flags", edits);
        }
    }
}

fn landingpad(at: &mut At<'_, '_>) {
    let kinds = at.cx.body.index_list(at.inst);
    for n in 0..at.inst.operands.len {
        let ty = at.ty(n);
        let filter = kinds.get(n as usize) == Some(&1);
        let array = matches!(at.cx.types.get(ty), Type::Array { .. });
        if !ty.is_error() && filter != array {
            let message = if filter {
                "a `filter` clause must be an array"
            } else {
                "a `catch` clause must not be an array"
            };
            at.bad(n, message);
        }
        if matches!(at.cx.body.operand(at.inst, n).value, Value::Local(_)) {
            at.bad(n, "a clause must be a constant");
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn one_mistake_in_a_branch_is_reported_once() {
        marks(expect![[r#"
            define void @f(i32 %x) {
              br i32 %next
            ;    ^^^ error[syntax-error]: expected `label`, found `i32`
            next:
              br i1 true, i32 %next, label %end
            ;       ^^^^ hint[constant-branch]: this branch always goes to `%next`
            ;                 ^^^^^ error[type-mismatch]: expected `label` before the basic block `%next`, found `i32`
            ;                     = line 3:1: defined here
            ;                     = fix:   br i1 true, label %next, label %end
            end:
              %y = store i32 0, ptr null
            ; ^^ error[void-result-named]: an instruction without a result must not be named
            ;  = fix:   store i32 0, ptr null
            ;                       ^^^^ warning[invalid-dereference]: store through a null pointer is undefined behavior
              %z = add i32 %y, 1
              ret void
            }
        "#]]);
    }

    #[test]
    fn operand_types() {
        marks(expect![[r#"
            define i32 @f(float %x, i32 %i, ptr %p) {
              %a = add float %x, %x
            ;                ^^ error[invalid-operand]: `add` requires integers, found `float`
            ;                 = guess:   %a = fadd float %x, %x
              %b = fadd i32 %i, %i
            ;               ^^ error[invalid-operand]: `fadd` requires floating-point values, found `i32`
            ;                = guess:   %b = add i32 %i, %i
              %c = icmp eq float %x, %x
            ;                    ^^ error[invalid-operand]: `icmp` requires integers or pointers, found `float`
            ;                     = guess:   %c = fcmp oeq float %x, %x
              %d = select nnan i1 true, i32 1, i32 2
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-flag]: fast-math flags require a floating-point result, found `i32`
            ;                                      = fix:   %d = select i1 true, i32 1, i32 2
              %e = select i32 %i, i32 1, i32 2
            ;                 ^^ error[invalid-operand]: expected an `i1` or a vector of `i1` as condition, found `i32`
              switch i32 %i, label %end [
                i32 1, label %end
                i32 1, label %end
            ;       ^ error[invalid-operand]: duplicate case value 1
            ;       = line 8:9: previous case is here
              ]
            end:
              ret float %x
            ;     ^^^^^ error[type-mismatch]: expected `i32`, the function's result type, found `float`
            ;         = line 1:12: the function
            }
        "#]]);
    }

    #[test]
    fn equal_cases_are_found_in_all_widths() {
        marks(expect![[r#"
            define void @f(i128 %i, i1 %c, i64 %l) {
              switch i128 %i, label %end [
                i128 16201310291018008445, label %end
                i128 -1, label %end
                i128 340282366920938463463374607431768211455, label %end
            ;        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: duplicate case value 340282366920938463463374607431768211455
            ;                                              = line 4:10: previous case is here
                i128 16201310291018008445, label %end
            ;        ^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: duplicate case value 16201310291018008445
            ;                           = line 3:10: previous case is here
                i128 16201310291018008446, label %end
              ]
            end:
              switch i1 %c, label %last [
                i1 true, label %last
                i1 false, label %last
                i1 true, label %last
            ;      ^^^^ error[invalid-operand]: duplicate case value 1
            ;         = line 11:8: previous case is here
              ]
            last:
              switch i64 %l, label %last [
                i64 9223372036854775808, label %last
                i64 -9223372036854775808, label %last
            ;       ^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: duplicate case value -9223372036854775808
            ;                          = line 17:9: previous case is here
              ]
            }
        "#]]);
    }
}
