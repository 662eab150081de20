//! Operands of instructions: which types each instruction takes.

use rustc_hash::FxHashSet;

use crate::llvm::arena::Tables;
use crate::llvm::body::{Flags, Inst, InstId, LocalKind, Opcode, Ordering, RmwOp};
use crate::llvm::check::FunctionCx;
use crate::llvm::layout::{Layout, is_sized};
use crate::llvm::operand::{Const, Operand, Value};
use crate::llvm::scope::Scope;
use crate::llvm::types::{Type, TypeId, Types};
use crate::{Rule, Severity, TextRange};

pub static INVALID_OPERAND: Rule = Rule {
    code: "invalid-operand",
    severity: Severity::Error,
    explain: "An instruction's operand has a type that the instruction does not work on. Source: LLVM Language Reference, the \
              instruction's *Arguments*.",
};

pub static INVALID_CAST: Rule = Rule {
    code: "invalid-cast",
    severity: Severity::Error,
    explain: "Each cast turns one class of types into another: `trunc` a wider integer into a narrower one, `bitcast` a type into \
              another of the same size, `addrspacecast` a pointer into another address space. Source: LLVM Language Reference, \
              *Conversion Operations*.",
};

pub static CALL_ARGUMENTS: Rule = Rule {
    code: "call-arguments",
    severity: Severity::Error,
    explain: "The arguments of a call must agree in number and type with the function type written before the callee. Source: LLVM \
              Language Reference, *`call` Instruction*.",
};

pub static INVALID_FLAG: Rule = Rule {
    code: "invalid-flag",
    severity: Severity::Error,
    explain: "Fast-math flags apply to instructions that give floating point numbers. Source: LLVM Language Reference, *Fast-Math Flags*.",
};

pub const RULES: &[&Rule] = &[&INVALID_OPERAND, &INVALID_CAST, &CALL_ARGUMENTS, &INVALID_FLAG];

pub fn function(cx: &mut FunctionCx<'_>) {
    for (id, inst) in cx.insts() {
        check(cx, id, inst);
    }
}

struct At<'c, 'a> {
    cx: &'c mut FunctionCx<'a>,
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
        let ok = ty.is_error() || pass(&self.cx.types, ty);
        if !ok {
            let message = format!("`{}` wants {what}, not a `{}`", self.inst.opcode.word(), self.shown(n));
            self.bad(n, message);
        }
        ok
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

fn check(cx: &mut FunctionCx<'_>, id: InstId, inst: &Inst) {
    let cx_body = cx.body;
    let Some(inst) = cx_body.insts.get(id.0 as usize).filter(|i| std::ptr::eq(*i, inst)) else { return };
    let mut at = At { cx, id, inst };
    match inst.opcode {
        op if op.is_int_binary() => {
            at.want(0, "integers", |t, ty| t.is_int_or_vector(ty));
        }
        op if op.is_float_binary() || op == Opcode::FNeg => {
            at.want(0, "floating point numbers", |t, ty| t.is_float_or_vector(ty));
        }
        op if op.is_cast() => cast(&mut at),
        op if op.is_call() => call(&mut at),
        Opcode::ICmp => {
            at.want(0, "integers or pointers", |t, ty| t.is_int_or_vector(ty) || t.is_ptr_or_vector(ty));
        }
        Opcode::FCmp => {
            at.want(0, "floating point numbers", |t, ty| t.is_float_or_vector(ty));
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
                let message = format!("a phi cannot be a `{}`", at.cx.display_ty(ty));
                let range = at.cx.body.inst_range(id);
                at.cx.report(&INVALID_OPERAND, range, message);
            }
            fast_flags(&mut at);
        }
        Opcode::ExtractElement => {
            at.want(0, "a vector", Types::is_vector);
            at.want(1, "an integer index", Types::is_int);
        }
        Opcode::InsertElement => insert_element(&mut at),
        Opcode::ShuffleVector => shuffle(&mut at),
        Opcode::ExtractValue | Opcode::InsertValue => aggregate(&mut at),
        Opcode::GetElementPtr => gep(&mut at),
        Opcode::Alloca => alloca(&mut at),
        Opcode::Load => load(&mut at),
        Opcode::Store => store(&mut at),
        Opcode::CmpXchg => cmpxchg(&mut at),
        Opcode::AtomicRmw => rmw(&mut at),
        Opcode::Fence => {
            if let Some(atomic) = at.cx.body.atomic(inst)
                && matches!(atomic.ordering, Ordering::Unordered | Ordering::Monotonic)
            {
                let range = at.cx.body.inst_range(id);
                at.cx.report(&INVALID_OPERAND, range, "a fence is at least `acquire` or `release`");
            }
        }
        Opcode::VaArg => {
            let ty = at.cx.ty(inst.ty);
            if !ty.is_error() && !at.first_class(ty) {
                at.bad(0, "`va_arg` wants a first-class type");
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
    if !ty.is_error() && ty != TypeId::LABEL {
        let message = format!("a destination is a `label`, not a `{}`", at.cx.display_ty(ty));
        at.bad(n, message);
    }
}

fn ret(at: &mut At<'_, '_>) {
    let Type::Function { result, .. } = at.cx.types.get(at.cx.function_type) else { return };
    let own = if at.inst.operands.is_empty() { TypeId::VOID } else { at.ty(0) };
    if own == result || own.is_error() {
        return;
    }
    let message =
        format!("the function returns `{}`, not `{}`", at.cx.display_ty(result), at.cx.display_ty(own));
    let place = at.cx.scope.place(at.cx.summary_index, at.cx.function.head.item);
    let range = at.cx.body.operand_range(at.id, 0);
    at.cx
        .report(&super::type_mismatch::TYPE_MISMATCH, range, message)
        .related
        .push(crate::Related { place, message: "the function".into() });
}

fn branch(at: &mut At<'_, '_>) {
    if at.inst.operands.len == 1 {
        label(at, 0);
        return;
    }
    at.want(0, "an `i1` condition", |_, ty| ty == TypeId::I1);
    labels(at, 1);
}

fn switch(at: &mut At<'_, '_>) {
    let condition = at.ty(0);
    at.want(0, "an integer", Types::is_int);
    label(at, 1);
    let mut seen: FxHashSet<i64> = FxHashSet::default();
    let bits = at.cx.types.int_bits(condition);
    for n in (2..at.inst.operands.len).step_by(2) {
        let own = at.ty(n);
        match at.constant(n) {
            Some(Const::Int(value)) => {
                // Cases are equal when they are equal in the condition's width.
                let value = match bits {
                    Some(bits) if bits < 64 => value & ((1 << bits) - 1),
                    _ => value,
                };
                if !seen.insert(value) {
                    at.bad(n, "this case is already there");
                }
            }
            Some(Const::Wide(_) | Const::Bool(_) | Const::ZeroInitializer | Const::Error) => {}
            _ => at.bad(n, "a case is an integer constant"),
        }
        if own != condition && !own.is_error() && !condition.is_error() {
            let message =
                format!("the condition is a `{}`, not a `{}`", at.cx.display_ty(condition), at.shown(n));
            at.bad(n, message);
        }
        label(at, n + 1);
    }
}

fn select(at: &mut At<'_, '_>) {
    let (condition, yes, no) = (at.ty(0), at.ty(1), at.ty(2));
    if condition.is_error() || yes.is_error() || no.is_error() {
        return;
    }
    if yes != no {
        let message = format!("both values must have one type: `{}` and `{}`", at.shown(1), at.shown(2));
        return at.bad(2, message);
    }
    if yes == TypeId::TOKEN {
        return at.bad(1, "a token cannot be selected");
    }
    match at.cx.types.get(condition) {
        Type::Vector { len, scalable, element } => {
            if element != TypeId::I1 {
                at.bad(0, "a condition consists of `i1`");
            } else if at.cx.types.lanes(yes) != Some((len, scalable)) {
                at.bad(1, "a vector condition selects among vectors of its length");
            }
        }
        _ if condition != TypeId::I1 => {
            let message = format!("a condition is an `i1` or a vector of them, not a `{}`", at.shown(0));
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
    if at.inst.flags.any(Flags::FAST) {
        let ty = at.cx.result_ty(at.inst);
        if !is_float_result(&at.cx.types, ty) {
            let range = at.cx.body.inst_range(at.id);
            let message =
                format!("fast-math flags want a floating point result, not a `{}`", at.cx.display_ty(ty));
            at.cx.report(&INVALID_FLAG, range, message);
        }
    }
}

fn insert_element(at: &mut At<'_, '_>) {
    if !at.want(0, "a vector", Types::is_vector) {
        return;
    }
    let (vector, element) = (at.ty(0), at.ty(1));
    if let Type::Vector { element: own, .. } = at.cx.types.get(vector)
        && own != element
        && !element.is_error()
    {
        let message = format!("the elements are `{}`, not `{}`", at.cx.display_ty(own), at.shown(1));
        at.bad(1, message);
    }
    at.want(2, "an integer index", Types::is_int);
}

fn shuffle(at: &mut At<'_, '_>) {
    let (first, second, mask) = (at.ty(0), at.ty(1), at.ty(2));
    if first.is_error() || second.is_error() || mask.is_error() {
        return;
    }
    let Type::Vector { len, scalable, .. } = at.cx.types.get(first) else {
        at.want(0, "vectors", Types::is_vector);
        return;
    };
    if first != second {
        let message = format!("both vectors must have one type: `{}` and `{}`", at.shown(0), at.shown(1));
        return at.bad(1, message);
    }
    match at.cx.types.get(mask) {
        Type::Vector { element: TypeId::I32, scalable: s, .. } if s == scalable => {}
        _ => {
            let message = format!("the mask is a vector of `i32`, not a `{}`", at.shown(2));
            return at.bad(2, message);
        }
    }
    let limit = 2 * i64::from(len);
    let fits = |constant: Option<Const>| match constant {
        Some(Const::Int(n)) => (0..limit).contains(&n),
        Some(Const::Undef | Const::Poison | Const::ZeroInitializer | Const::Error) => true,
        _ => false,
    };
    let tables = &at.cx.body.tables;
    let ok = match at.constant(2) {
        Some(Const::Undef | Const::Poison | Const::ZeroInitializer | Const::Error) => true,
        _ if scalable => false,
        Some(Const::Aggregate { elements, .. }) => {
            at.cx.body.operands(elements).iter().all(|e| fits(tables.const_of(*e)))
        }
        Some(Const::Splat(element)) => fits(tables.const_of(tables.operand(element))),
        _ => false,
    };
    if !ok {
        let message = if scalable {
            "the mask of scalable vectors is `zeroinitializer`, `undef` or `poison`".to_owned()
        } else {
            format!("the mask is a constant of numbers below {limit}")
        };
        at.bad(2, message);
    }
}

fn aggregate(at: &mut At<'_, '_>) {
    let ty = at.ty(0);
    if ty.is_error() {
        return;
    }
    if !matches!(at.cx.types.get(ty), Type::Array { .. } | Type::Struct { .. } | Type::NamedStruct(_)) {
        let message =
            format!("`{}` wants an array or a struct, not a `{}`", at.inst.opcode.word(), at.shown(0));
        return at.bad(0, message);
    }
    let path = at.cx.body.index_list(at.inst);
    match at.cx.indexed(ty, path) {
        None => {
            let message = format!("`{}` has no such element", at.shown(0));
            at.bad(0, message);
        }
        Some(own) if at.inst.opcode == Opcode::InsertValue && !own.is_error() => {
            let value = at.ty(1);
            if value != own && !value.is_error() {
                let message =
                    format!("the element is a `{}`, not a `{}`", at.cx.display_ty(own), at.shown(1));
                at.bad(1, message);
            }
        }
        Some(_) => {}
    }
}

/// What is wrong with a getelementptr.
pub(super) struct GepProblem {
    /// The operand it is about.
    pub(super) operand: usize,
    pub(super) message: String,
}

/// The result type of a getelementptr. `types_of` are the canonical types of `operands`, none unknown.
pub(super) fn gep_result(
    scope: &Scope,
    types: &mut Types,
    tables: &Tables,
    source: TypeId,
    operands: &[Operand],
    types_of: &[TypeId],
) -> Result<TypeId, GepProblem> {
    let problem = |operand: usize, message: &str| Err(GepProblem { operand, message: message.into() });
    let Some(base) = types_of.first().copied() else {
        return problem(0, "the base of a getelementptr is a pointer");
    };
    if !types.is_ptr_or_vector(base) {
        return problem(0, "the base of a getelementptr is a pointer");
    }
    let mut lanes = types.lanes(base);
    for (n, index) in types_of.iter().enumerate().skip(1) {
        if !types.is_int_or_vector(*index) {
            return problem(n, "an index of a getelementptr is an integer");
        }
        if let Some(own) = types.lanes(*index) {
            if lanes.is_some_and(|l| l != own) {
                return problem(n, "the vectors of a getelementptr must have one length");
            }
            lanes = Some(own);
        }
    }
    if source.is_error() {
        return Ok(TypeId::ERROR);
    }
    if types_of.len() > 1 && is_sized(scope, types, source) == Some(false) {
        return problem(0, "the type of a getelementptr with indices must have a size");
    }
    let mut ty = source;
    for (n, operand) in operands.iter().enumerate().skip(2) {
        ty = match types.get(ty) {
            Type::Error => return Ok(TypeId::ERROR),
            Type::Array { element, .. } | Type::Vector { element, .. } => element,
            shape @ (Type::Struct { .. } | Type::NamedStruct(_)) => {
                let fields = match shape {
                    Type::Struct { fields, .. } => types.list(fields),
                    Type::NamedStruct(def) => {
                        scope.struct_def(def).and_then(|d| d.fields).map_or(&[][..], |f| types.list(f))
                    }
                    _ => &[],
                };
                if fields.contains(&TypeId::ERROR) {
                    return Ok(TypeId::ERROR);
                }
                let index_ty = types_of.get(n).copied().unwrap_or(TypeId::ERROR);
                if types.scalar(index_ty) != TypeId::I32 {
                    return problem(n, "the index of a struct's field is an `i32`");
                }
                let index = splat_int(tables, *operand);
                match index.and_then(|i| usize::try_from(i).ok()).map(|i| fields.get(i)) {
                    Some(Some(field)) => *field,
                    Some(None) => return problem(n, "the struct has no such field"),
                    None => {
                        return problem(
                            n,
                            "the index of a struct's field is a constant that is not negative",
                        );
                    }
                }
            }
            _ => return problem(n, "there is nothing to index here"),
        };
    }
    Ok(match (types.lanes(base), lanes) {
        (None, Some((len, scalable))) => types.vector(len, scalable, base),
        _ => base,
    })
}

/// The integer that a constant or all elements of a constant vector are.
fn splat_int(tables: &Tables, operand: Operand) -> Option<i64> {
    match tables.const_of(operand)? {
        Const::Splat(element) => tables.int_of(tables.operand(element)),
        Const::Aggregate { elements, .. } => {
            let elements = elements.of(&tables.operands);
            let first = tables.int_of(*elements.first()?)?;
            elements.iter().all(|e| tables.int_of(*e) == Some(first)).then_some(first)
        }
        _ => tables.int_of(operand),
    }
}

fn gep(at: &mut At<'_, '_>) {
    let source = at.cx.ty(at.inst.ty);
    let body = at.cx.body;
    let operands = body.operands(at.inst.operands);
    let mut types_of = [TypeId::ERROR; 8];
    let heap: Vec<TypeId>;
    let types_of: &[TypeId] = if operands.len() <= types_of.len() {
        for (slot, operand) in types_of.iter_mut().zip(operands) {
            *slot = at.cx.ty(operand.ty);
        }
        types_of.get(..operands.len()).unwrap_or(&[])
    } else {
        heap = operands.iter().map(|o| at.cx.ty(o.ty)).collect();
        &heap
    };
    if types_of.contains(&TypeId::ERROR) {
        return;
    }
    let scope = at.cx.scope;
    if let Err(problem) = gep_result(scope, &mut at.cx.types, &body.tables, source, operands, types_of) {
        at.bad(problem.operand as u32, problem.message);
    }
}

fn alloca(at: &mut At<'_, '_>) {
    let ty = at.cx.ty(at.inst.ty);
    let range = at.cx.body.inst_range(at.id);
    if ty.is_error() {
        return;
    }
    let bad = matches!(ty, TypeId::LABEL | TypeId::METADATA | TypeId::TOKEN | TypeId::X86_AMX)
        || at.cx.types.is_function(ty);
    if bad {
        let message = format!("a `{}` cannot stand in memory", at.cx.display_ty(ty));
        at.cx.report(&INVALID_OPERAND, range, message);
    } else if at.inst.align == 0 && !at.sized(ty) {
        let message = format!("`{}` has no size", at.cx.display_ty(ty));
        at.cx.report(&INVALID_OPERAND, range, message);
    }
    if !at.inst.operands.is_empty() {
        at.want(0, "an integer count", Types::is_int);
    }
}

fn atomic_problem(at: &mut At<'_, '_>, forbidden: [Ordering; 2], word: &str) {
    let Some(atomic) = at.cx.body.atomic(at.inst).filter(|_| at.inst.flags.has(Flags::ATOMIC)) else {
        return;
    };
    let range = at.cx.body.inst_range(at.id);
    if at.inst.align == 0 {
        at.cx.report(
            &INVALID_OPERAND,
            range,
            format!("an atomic `{}` needs an alignment", at.inst.opcode.word()),
        );
    } else if forbidden.contains(&atomic.ordering) {
        at.cx.report(&INVALID_OPERAND, range, format!("an atomic `{}` cannot {word}", at.inst.opcode.word()));
    }
}

fn load(at: &mut At<'_, '_>) {
    at.want(0, "a pointer", is_ptr);
    let ty = at.cx.ty(at.inst.ty);
    if !ty.is_error() && !at.first_class(ty) || at.inst.align == 0 && !at.sized(ty) {
        let message = format!("a `{}` cannot be loaded", at.cx.display_ty(ty));
        at.bad(0, message);
    }
    atomic_problem(at, [Ordering::Release, Ordering::AcqRel], "release");
}

fn store(at: &mut At<'_, '_>) {
    at.want(1, "a pointer", is_ptr);
    let ty = at.ty(0);
    if !ty.is_error() && !at.first_class(ty) || at.inst.align == 0 && !at.sized(ty) {
        let message = format!("a `{}` cannot be stored", at.cx.display_ty(ty));
        at.bad(0, message);
    }
    atomic_problem(at, [Ordering::Acquire, Ordering::AcqRel], "acquire");
}

fn cmpxchg(at: &mut At<'_, '_>) {
    at.want(0, "a pointer", is_ptr);
    let (compare, new) = (at.ty(1), at.ty(2));
    if compare != new && !compare.is_error() && !new.is_error() {
        let message = format!("both values must have one type: `{}` and `{}`", at.shown(1), at.shown(2));
        at.bad(2, message);
    }
    let range = at.cx.body.inst_range(at.id);
    if let Some(atomic) = at.cx.body.atomic(at.inst) {
        if atomic.ordering == Ordering::Unordered {
            at.cx.report(&INVALID_OPERAND, range, "a `cmpxchg` is at least `monotonic`");
        } else if matches!(atomic.failure, Ordering::Unordered | Ordering::Release | Ordering::AcqRel) {
            let message =
                "a failed `cmpxchg` stores nothing: its ordering is `monotonic`, `acquire` or `seq_cst`";
            at.cx.report(&INVALID_OPERAND, range, message);
        }
    }
}

fn rmw(at: &mut At<'_, '_>) {
    at.want(0, "a pointer", is_ptr);
    let ty = at.ty(1);
    let range = at.cx.body.inst_range(at.id);
    if let Some(atomic) = at.cx.body.atomic(at.inst)
        && atomic.ordering == Ordering::Unordered
    {
        at.cx.report(&INVALID_OPERAND, range, "an `atomicrmw` is at least `monotonic`");
    }
    if ty.is_error() {
        return;
    }
    let Some(op) = RmwOp::from_raw(at.inst.sub) else { return };
    let types = &at.cx.types;
    let word = op.word();
    let problem = match op {
        RmwOp::Xchg => (!types.is_int(ty) && !types.is_float(ty) && !types.is_ptr(ty))
            .then_some("an integer, a floating point number or a pointer"),
        RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin | RmwOp::FMaximum | RmwOp::FMinimum => {
            (!types.is_float_or_vector(ty) || types.lanes(ty).is_some_and(|(_, s)| s))
                .then_some("a floating point number")
        }
        _ => (!types.is_int(ty)).then_some("an integer"),
    };
    if let Some(what) = problem {
        let message = format!("`atomicrmw {word}` wants {what}, not a `{}`", at.shown(1));
        return at.bad(1, message);
    }
    let layout = Layout::of(at.cx.scope.data_layout.as_deref());
    if let Some(bits) = layout.bits(at.cx.scope, &at.cx.types, ty) {
        let bits = bits.div_ceil(8) * 8;
        if bits < 8 || !bits.is_power_of_two() {
            let message =
                format!("an atomic operation is on a power of two of bytes, not a `{}`", at.shown(1));
            at.bad(1, message);
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
            let message =
                if filter { "a `filter` clause is an array" } else { "a `catch` clause is no array" };
            at.bad(n, message);
        }
        if matches!(at.cx.body.operand(at.inst, n).value, Value::Local(_)) {
            at.bad(n, "a clause is a constant");
        }
    }
}

fn cast(at: &mut At<'_, '_>) {
    let (from, to) = (at.ty(0), at.cx.ty(at.inst.ty));
    if from.is_error() || to.is_error() || cast_is_valid(&at.cx.types, at.inst.opcode, from, to) {
        return;
    }
    let message = format!(
        "`{}` cannot turn a `{}` into a `{}`",
        at.inst.opcode.word(),
        at.shown(0),
        at.cx.display_ty(to)
    );
    let range = at.cx.body.operand_range(at.id, 0);
    at.cx.report(&INVALID_CAST, range, message);
}

/// May this cast turn the one type into the other? Both are known.
pub(super) fn cast_is_valid(types: &Types, op: Opcode, from: TypeId, to: TypeId) -> bool {
    let (a, b) = (types.scalar(from), types.scalar(to));
    let lanes = types.lanes(from) == types.lanes(to);
    let ints = || Some((types.int_bits(a)?, types.int_bits(b)?));
    let floats = || Some((types.float_bits(a)?, types.float_bits(b)?));
    match op {
        Opcode::Trunc => lanes && ints().is_some_and(|(a, b)| a > b),
        Opcode::ZExt | Opcode::SExt => lanes && ints().is_some_and(|(a, b)| a < b),
        Opcode::FpTrunc => lanes && floats().is_some_and(|(a, b)| a > b),
        Opcode::FpExt => lanes && floats().is_some_and(|(a, b)| a < b),
        Opcode::UiToFp | Opcode::SiToFp => lanes && types.is_int(a) && types.is_float(b),
        Opcode::FpToUi | Opcode::FpToSi => lanes && types.is_float(a) && types.is_int(b),
        Opcode::PtrToInt | Opcode::PtrToAddr => lanes && types.is_ptr(a) && types.is_int(b),
        Opcode::IntToPtr => lanes && types.is_int(a) && types.is_ptr(b),
        Opcode::AddrSpaceCast => match (types.get(a), types.get(b)) {
            (Type::Ptr(a), Type::Ptr(b)) => lanes && a != b,
            _ => false,
        },
        Opcode::BitCast => match (types.get(a), types.get(b)) {
            (Type::Ptr(a), Type::Ptr(b)) => {
                let single = |ty| types.lanes(ty).is_none_or(|l| l == (1, false));
                a == b
                    && match (types.lanes(from), types.lanes(to)) {
                        (Some(x), Some(y)) => x == y,
                        _ => single(from) && single(to),
                    }
            }
            (Type::Ptr(_), _) | (_, Type::Ptr(_)) => false,
            _ => match (primitive_bits(types, from), primitive_bits(types, to)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        },
        _ => true,
    }
}

/// Width of a type that is no aggregate, and whether it is a multiple known only at run time.
fn primitive_bits(types: &Types, ty: TypeId) -> Option<(u64, bool)> {
    let one = |ty| match types.get(ty) {
        Type::X86Amx => Some(8192),
        _ => types.int_bits(ty).or_else(|| types.float_bits(ty)).map(u64::from),
    };
    match types.get(ty) {
        Type::Vector { len, scalable, element } => Some((one(element)? * u64::from(len), scalable)),
        _ => Some((one(ty)?, false)),
    }
}

fn call(at: &mut At<'_, '_>) {
    let Some(call) = at.cx.body.call(at.inst) else { return };
    let range = at.cx.body.inst_range(at.id);
    let ty = at.cx.call_ty(at.inst);
    for n in 0..call.destinations.len {
        let operand = crate::llvm::operand::OperandId(call.destinations.start + n);
        let own = at.cx.ty(at.cx.body.tables.operand(operand).ty);
        if !own.is_error() && own != TypeId::LABEL {
            let message = format!("a destination is a `label`, not a `{}`", at.cx.display_ty(own));
            let range = at.cx.operand_range(operand);
            at.cx.report(&INVALID_OPERAND, range, message);
        }
    }
    let Type::Function { params, vararg, .. } = at.cx.types.get(ty) else {
        let written = at.cx.ty(at.inst.ty);
        if matches!(written, TypeId::LABEL | TypeId::METADATA) {
            at.cx.report(&INVALID_OPERAND, range, "a function cannot return this type");
        }
        return;
    };
    let params: Vec<TypeId> = at.cx.types.list(params).to_vec();
    for n in 0..call.args.len {
        let own = at.ty(n);
        let operand_range = at.cx.body.operand_range(at.id, n);
        match params.get(n as usize) {
            Some(param) if *param != own && !own.is_error() && !param.is_error() => {
                let message = format!(
                    "the parameter is a `{}`, not a `{}`",
                    at.cx.display_ty(*param),
                    at.cx.display_ty(own)
                );
                at.cx.report(&CALL_ARGUMENTS, operand_range, message);
            }
            None if !vararg => {
                let message = format!("the function takes {} arguments", params.len());
                at.cx.report(&CALL_ARGUMENTS, operand_range, message);
                break;
            }
            _ => {}
        }
    }
    if (call.args.len as usize) < params.len() {
        let message = format!("the function takes {} arguments, not {}", params.len(), call.args.len);
        at.cx.report(&CALL_ARGUMENTS, range, message);
    }
    if call.ellipsis {
        let musttail = at.inst.flags.has(Flags::MUSTTAIL);
        if !musttail || !at.cx.function.vararg {
            let message = "`...` only stands in `musttail` calls in variadic functions";
            at.cx.report(&CALL_ARGUMENTS, range, message);
        }
    } else if at.inst.flags.has(Flags::MUSTTAIL) && at.cx.function.vararg {
        let message = "a `musttail` call in a variadic function ends with `...`";
        at.cx.report(&CALL_ARGUMENTS, range, message);
    }
    fast_flags(at);
    void_named(at);
}

/// Lowering knows `void` when it is written; here also names for it count.
fn void_named(at: &mut At<'_, '_>) {
    let Some(result) = at.inst.result else { return };
    let Some(local) = at.cx.body.local(result) else { return };
    let range: TextRange = local.range;
    if at.cx.local_ty(result) == TypeId::VOID && matches!(local.kind, LocalKind::Inst(_)) {
        let message = "this instruction gives no value that could be named";
        at.cx.report(&super::names::VOID_NAMED, range, message);
    }
}
