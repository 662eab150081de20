//! What a pointer points into and what an integer is, as far as the function itself tells: through offsets, casts, phis with one value, and
//! loads of a slot that was just written.
//!
//! Source: what LLVM's pass `lint` looks through (lib/Analysis/Lint.cpp, `findValue`), and `getUnderlyingObject`.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use super::attribute::AttrKind;
use super::attribute_set::AttributeSet;
use super::body::{Flags, Inst, InstId, LocalKind, Opcode};
use super::layout::Layout;
use super::operand::{Const, LocalId, Operand, OperandId, Value};
use super::scope::{GlobalInfo, GlobalKind};
use super::summary::Linkage;
use super::types::{Span, Type, TypeId};
use crate::context::RuleContext;
use wavelens_base::TextRange;

/// Steps from a pointer to what it points into.
const STEPS: u32 = 32;
/// Instructions before a load among which the store is looked for: the reference looks at 6, but debug records and slots of unoptimized
/// code are between them.
const SCANNED: u32 = 16;
/// Integers that an integer is computed from, one through another.
const DEPTH: u32 = 4;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Root<'a> {
    Null,
    Undef,
    Poison,
    /// An integer that was made a pointer.
    Int(i64),
    Global(&'a GlobalInfo),
    BlockAddress,
    Alloca(InstId),
    Argument(u32),
    /// The result of another instruction.
    Result(InstId),
    Unknown,
}

/// An integer constant, cut to its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Int {
    pub(crate) bits: u32,
    pub(crate) value: u64,
}

impl Int {
    fn new(bits: u32, value: u64) -> Option<Int> {
        (1..=64).contains(&bits).then(|| Int { bits, value: value & (u64::MAX >> (64 - bits)) })
    }

    pub(crate) fn signed(self) -> i64 {
        let unused = 64 - self.bits;
        ((self.value << unused) as i64) >> unused
    }
}

/// What was found about a pointer.
#[derive(Debug, Clone)]
pub(crate) struct Source<'a> {
    pub(crate) root: Root<'a>,
    /// The `getelementptr`s on the way, the last one first.
    geps: Vec<Gep>,
    /// Whether the value went through something else than offsets and casts.
    pub(crate) way: Vec<(TextRange, &'static str)>,
}

/// A `getelementptr` on the way: the type that it counts in, its operands, and whether it stays within its object.
#[derive(Debug, Clone, Copy)]
struct Gep {
    ty: TypeId,
    operands: Span,
    is_inbounds: bool,
}

impl Source<'_> {
    /// Whether nothing was added to the pointer on the way.
    pub(crate) fn is_whole(&self) -> bool {
        self.geps.is_empty()
    }

    /// Whether each offset stays within the object.
    pub(crate) fn is_inbounds(&self) -> bool {
        self.geps.iter().all(|gep| gep.is_inbounds)
    }
}

/// Looks for what the values of a function are made from.
pub(crate) struct Underlying<'c, 'a> {
    pub(crate) cx: &'c RuleContext<'a>,
    pub(crate) layout: &'a Layout,
    sizes: RefCell<FxHashMap<TypeId, Option<(u64, u64)>>>,
    offsets: RefCell<FxHashMap<TypeId, Option<Vec<u64>>>>,
    /// Whether the address of each local is used for anything but accesses.
    escapes: OnceCell<Vec<bool>>,
}

enum Step<'a> {
    Next(Operand),
    End(Root<'a>),
}

impl<'c, 'a> Underlying<'c, 'a> {
    pub(crate) fn new(cx: &'c RuleContext<'a>) -> Self {
        let (sizes, offsets) = Default::default();
        Underlying { cx, layout: &cx.scope.layout, sizes, offsets, escapes: OnceCell::new() }
    }

    /// Size, padding included, and ABI alignment of a type in bytes; `None` also for one whose size only the machine knows.
    pub(crate) fn size_and_align(&self, ty: TypeId) -> Option<(u64, u64)> {
        if let Some(known) = self.sizes.borrow().get(&ty) {
            return *known;
        }
        let types = &self.cx.types;
        let found = if ty.is_error() || super::layout::is_scalable(self.cx.scope, types, ty) {
            None
        } else {
            self.layout.bytes_and_align(self.cx.scope, types, ty)
        };
        self.sizes.borrow_mut().insert(ty, found);
        found
    }

    /// The bytes that an access of a type touches.
    pub(crate) fn store_size(&self, ty: TypeId) -> Option<u64> {
        self.size_and_align(ty)?;
        Some(self.layout.bits(self.cx.scope, &self.cx.types, ty)?.div_ceil(8))
    }

    /// What a value is made from.
    pub(crate) fn source(&self, operand: Operand) -> Source<'a> {
        let mut source = Source { root: Root::Unknown, geps: Vec::new(), way: Vec::new() };
        let mut operand = operand;
        for _ in 0..STEPS {
            match self.step(operand, &mut source) {
                Step::Next(next) => operand = next,
                Step::End(root) => {
                    source.root = root;
                    return source;
                }
            }
        }
        source
    }

    fn step(&self, operand: Operand, source: &mut Source<'a>) -> Step<'a> {
        let (cx, body) = (self.cx, self.cx.body);
        let constant = match operand.value {
            Value::Const(_) => cx.constant(operand),
            Value::Global(_) => {
                return Step::End(cx.global(operand).map_or(Root::Unknown, Root::Global));
            }
            Value::Local(_) => match body.local_of(operand).map(|local| local.kind) {
                Some(LocalKind::Argument(n)) => return Step::End(Root::Argument(n)),
                Some(LocalKind::Inst(id)) => return self.step_inst(InstId(id), source),
                _ => None,
            },
            _ => None,
        };
        let is_pointer = cx.types.is_ptr(cx.ty(operand.ty));
        let root = match constant {
            Some(Const::Null) => Root::Null,
            Some(Const::ZeroInitializer) if is_pointer => Root::Null,
            Some(Const::Undef) => Root::Undef,
            Some(Const::Poison) => Root::Poison,
            Some(Const::Int(value)) if !is_pointer => Root::Int(value),
            Some(Const::BlockAddress(_)) => Root::BlockAddress,
            Some(Const::Expr(index)) => {
                let Some(expr) = body.tables.cold.exprs.get(index as usize) else {
                    return Step::End(Root::Unknown);
                };
                let Some(first) = body.operands(expr.operands).first() else {
                    return Step::End(Root::Unknown);
                };
                match expr.opcode {
                    Opcode::GetElementPtr => source.geps.push(Gep {
                        ty: cx.ty(expr.ty),
                        operands: expr.operands,
                        is_inbounds: expr.is_inbounds,
                    }),
                    Opcode::BitCast => {}
                    Opcode::IntToPtr | Opcode::PtrToInt if self.keeps_width(*first, expr.ty) => {}
                    Opcode::AddrSpaceCast if !matches!(cx.constant(*first), Some(Const::Null)) => {}
                    _ => return Step::End(Root::Unknown),
                }
                return Step::Next(*first);
            }
            _ => Root::Unknown,
        };
        Step::End(root)
    }

    fn step_inst(&self, id: InstId, source: &mut Source<'a>) -> Step<'a> {
        let (cx, body) = (self.cx, self.cx.body);
        let end = Step::End(Root::Result(id));
        let Some(inst) = cx.inst(id) else { return end };
        let first = body.operand(inst, 0);
        match inst.opcode {
            Opcode::Alloca => return Step::End(Root::Alloca(id)),
            Opcode::GetElementPtr if cx.types.is_ptr(cx.result_ty(inst)) => {
                let is_inbounds = inst.flags.has(Flags::INBOUNDS);
                source.geps.push(Gep { ty: cx.ty(inst.ty), operands: inst.operands, is_inbounds });
            }
            Opcode::BitCast => {}
            Opcode::IntToPtr | Opcode::PtrToInt if self.keeps_width(first, inst.ty) => {}
            Opcode::AddrSpaceCast if !matches!(cx.constant(first), Some(Const::Null)) => {}
            Opcode::Phi => match self.phi_value(id, inst) {
                Some(value) => return Step::Next(value),
                None => return end,
            },
            Opcode::Load => match self.stored_value(id, inst) {
                Some((store, value)) => {
                    source.way.push((body.inst_range(id), "loaded here"));
                    source.way.push((body.inst_range(store), "stored here"));
                    return Step::Next(value);
                }
                None => return end,
            },
            Opcode::Call => match self.returned(inst) {
                Some(value) => return Step::Next(value),
                None => return end,
            },
            _ => return end,
        }
        Step::Next(first)
    }

    /// Whether a cast between pointers and integers loses nothing.
    fn keeps_width(&self, from: Operand, to: TypeId) -> bool {
        let (from, to) = (self.cx.ty(from.ty), self.cx.ty(to));
        let width = |ty| match self.cx.types.get(ty) {
            Type::Int(bits) => Some(bits),
            Type::Ptr(space) => Some(self.layout.pointer_bits(space)),
            _ => None,
        };
        width(from).is_some_and(|bits| width(to) == Some(bits))
    }

    /// The one value that a phi can have.
    fn phi_value(&self, id: InstId, inst: &Inst) -> Option<Operand> {
        let operands = self.cx.body.operands(inst.operands);
        let mut values = operands.iter().step_by(2).filter(|o| self.cx.body.defining_inst(**o) != Some(id));
        let first = *values.next()?;
        let is_same = |other: &Operand| {
            other.value == first.value
                || matches!((self.cx.constant(*other), self.cx.constant(first)), (Some(a), Some(b)) if a == b)
        };
        values.all(is_same).then_some(first)
    }

    /// The argument that a call returns.
    fn returned(&self, inst: &Inst) -> Option<Operand> {
        let cx = self.cx;
        let call = cx.body.call(inst)?;
        let args = cx.body.operands(call.args);
        if matches!(
            cx.callee_name(call),
            Some(n) if n.starts_with("llvm.launder.invariant.group") || n.starts_with("llvm.strip.invariant.group")
        ) {
            return args.first().copied();
        }
        let (summary, callee) = cx.callee(call)?;
        let params = summary.params(callee);
        let is_returned = |param: &super::summary::Param| {
            !param.attrs.is_empty()
                && AttributeSet::new(cx.scope, &summary.tables, param.attrs, |_| TypeId::ERROR)
                    .has(AttrKind::Returned)
        };
        args.get(params.iter().position(is_returned)?).copied()
    }

    /// The store that wrote what a load reads, and the value, where nothing between them can have changed it.
    fn stored_value(&self, load: InstId, inst: &Inst) -> Option<(InstId, Operand)> {
        let (cx, body) = (self.cx, self.cx.body);
        if inst.flags.has(Flags::VOLATILE) {
            return None;
        }
        let slot = body.operand(inst, 0);
        let is_slot = self.is_private(slot);
        let mut block = cx.block_of_inst(load);
        let mut last = load.0;
        let mut left = SCANNED;
        loop {
            let first = body.blocks.get(block as usize)?.insts.start;
            for at in (first..last).rev() {
                left = left.checked_sub(1)?;
                let earlier = cx.inst(InstId(at))?;
                match earlier.opcode {
                    Opcode::Store => {
                        let to = body.operand(earlier, 1);
                        if to.value == slot.value {
                            let value = body.operand(earlier, 0);
                            let is_same = cx.ty(value.ty) == cx.ty(inst.ty);
                            return is_same.then_some((InstId(at), value));
                        }
                        if !is_slot && !self.are_apart(slot, to) {
                            return None;
                        }
                    }
                    Opcode::Call | Opcode::Invoke | Opcode::CallBr => {
                        let call = body.call(earlier)?;
                        let uses = body.operands(call.args).iter().any(|arg| arg.value == slot.value);
                        if !is_slot || uses {
                            return None;
                        }
                    }
                    Opcode::Alloca if body.defining_inst(slot) == Some(InstId(at)) => return None,
                    Opcode::CmpXchg | Opcode::AtomicRmw | Opcode::Fence | Opcode::VaArg if !is_slot => {
                        return None;
                    }
                    Opcode::Error => return None,
                    _ => {}
                }
            }
            let [predecessor] = cx.cfg().predecessors(block) else { return None };
            block = *predecessor;
            let insts = body.blocks.get(block as usize)?.insts;
            last = insts.start + insts.len;
            left = left.checked_sub(1)?;
        }
    }

    /// Whether two pointers are two different objects.
    fn are_apart(&self, a: Operand, b: Operand) -> bool {
        let object = |operand: Operand| match operand.value {
            Value::Global(_) => true,
            Value::Local(_) => self
                .cx
                .body
                .defining_inst(operand)
                .and_then(|id| self.cx.inst(id))
                .is_some_and(|inst| inst.opcode == Opcode::Alloca),
            _ => false,
        };
        a.value != b.value && object(a) && object(b)
    }

    /// Whether a pointer is an `alloca` that is only ever accessed by its own name.
    fn is_private(&self, slot: Operand) -> bool {
        let Value::Local(local) = slot.value else { return false };
        self.are_apart(
            slot,
            Operand { ty: TypeId::ERROR, value: Value::Global(super::names::Symbol::number(0)) },
        ) && !self.escapes().get(local.0 as usize).copied().unwrap_or(true)
    }

    fn escapes(&self) -> &[bool] {
        self.escapes.get_or_init(|| {
            let body = self.cx.body;
            let mut escapes = vec![false; body.locals.len()];
            let mut escape = |operand: Operand| {
                if let Value::Local(LocalId(n)) = operand.value
                    && let Some(slot) = escapes.get_mut(n as usize)
                {
                    *slot = true;
                }
            };
            for inst in &body.insts {
                let operands = body.operands(inst.operands);
                match inst.opcode {
                    Opcode::Load => {}
                    Opcode::Store => operands.first().copied().into_iter().for_each(&mut escape),
                    _ => operands.iter().copied().for_each(&mut escape),
                }
                let Some(call) = body.call(inst) else { continue };
                if !self.cx.callee_name(call).is_some_and(|name| name.starts_with("llvm.lifetime.")) {
                    body.operands(call.args).iter().copied().for_each(&mut escape);
                }
                let bundles = call.bundles.of(&body.cold.bundles).iter();
                bundles.flat_map(|b| body.operands(b.operands)).copied().for_each(&mut escape);
            }
            escapes
        })
    }

    /// How far a pointer is from the start of its root, in bytes.
    pub(crate) fn offset(&self, source: &Source<'_>) -> Option<i64> {
        source.geps.iter().try_fold(0i64, |sum, gep| sum.checked_add(self.gep_offset(gep.ty, gep.operands)?))
    }

    fn gep_offset(&self, ty: TypeId, operands: Span) -> Option<i64> {
        let indices = self.cx.body.operands(operands).get(1..)?;
        let (first, rest) = indices.split_first()?;
        let by = |bytes: u64, count: i64| i64::try_from(bytes).ok()?.checked_mul(count);
        let index = |operand: &Operand| Some(self.int(*operand)?.signed());
        let mut sum = by(self.size_and_align(ty)?.0, index(first)?)?;
        let mut ty = ty;
        for operand in rest {
            let (step, inner) = match self.cx.types.get(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => {
                    (by(self.size_and_align(element)?.0, index(operand)?)?, element)
                }
                Type::Struct { .. } | Type::NamedStruct(_) => {
                    let field = u32::try_from(index(operand)?).ok()?;
                    let start = self.field_offset(ty, field)?;
                    (i64::try_from(start).ok()?, self.cx.indexed(ty, &[field])?)
                }
                _ => return None,
            };
            sum = sum.checked_add(step)?;
            ty = inner;
        }
        Some(sum)
    }

    fn field_offset(&self, ty: TypeId, field: u32) -> Option<u64> {
        let mut known = self.offsets.borrow_mut();
        let offsets =
            known.entry(ty).or_insert_with(|| self.layout.offsets(self.cx.scope, &self.cx.types, ty));
        offsets.as_ref()?.get(field as usize).copied()
    }

    /// The bytes of what a root is, and the alignment that its address is known to have; `None` each where something else decides it.
    pub(crate) fn extent(&self, root: Root<'_>) -> (Option<u64>, Option<u64>) {
        let written = |align: u8| (align > 0).then(|| 1u64 << (align - 1).min(62));
        match root {
            Root::Alloca(id) => {
                let Some(inst) = self.cx.inst(id) else { return (None, None) };
                let measured = self.size_and_align(self.cx.ty(inst.ty));
                let count = match self.cx.body.operands(inst.operands).first() {
                    None => Some(1),
                    Some(count) => self.literal(*count).map(|n| n.value),
                };
                let bytes = measured.and_then(|(bytes, _)| bytes.checked_mul(count?));
                // Without a word on it LLVM takes the preferred alignment, of which the layout says at most 8 bytes more.
                let align = written(inst.align).or_else(|| measured.map(|(_, align)| align.max(8)));
                (bytes, align)
            }
            Root::Global(global) => match self.cx.scope.variable(global) {
                Some((_, variable)) if is_definitive(variable) => {
                    let measured = self.size_and_align(global.value_type);
                    let align = written(variable.align).or_else(|| measured.map(|(_, align)| align));
                    (measured.map(|(bytes, _)| bytes), align)
                }
                _ => (None, None),
            },
            _ => (None, None),
        }
    }

    /// An integer that is written as such.
    pub(crate) fn literal(&self, operand: Operand) -> Option<Int> {
        let bits = self.cx.types.int_bits(self.cx.ty(operand.ty))?;
        match self.cx.constant(operand)? {
            Const::Int(value) => Int::new(bits, value as u64),
            Const::Bool(value) => Int::new(bits, u64::from(value)),
            Const::ZeroInitializer => Int::new(bits, 0),
            Const::Wide(index) => {
                let wide = self.cx.body.tables.cold.wide.get(index as usize)?;
                let ([low], false) = (&wide.words[..], wide.negative) else { return None };
                Int::new(bits, *low)
            }
            _ => None,
        }
    }

    /// An integer that is a constant, or computed from constants.
    pub(crate) fn int(&self, operand: Operand) -> Option<Int> {
        self.int_at(operand, 0)
    }

    fn int_at(&self, operand: Operand, depth: u32) -> Option<Int> {
        if let Some(literal) = self.literal(operand) {
            return Some(literal);
        }
        if depth == DEPTH {
            return None;
        }
        let cx = self.cx;
        let id = cx.body.defining_inst(operand)?;
        let inst = cx.inst(id)?;
        let first = cx.body.operand(inst, 0);
        let bits = cx.types.int_bits(cx.result_ty(inst))?;
        match inst.opcode {
            Opcode::Trunc | Opcode::ZExt => Int::new(bits, self.int_at(first, depth + 1)?.value),
            Opcode::SExt => Int::new(bits, self.int_at(first, depth + 1)?.signed() as u64),
            Opcode::Phi => self.int_at(self.phi_value(id, inst)?, depth + 1),
            Opcode::Load => self.int_at(self.stored_value(id, inst)?.1, depth + 1),
            Opcode::And | Opcode::Mul => {
                let sides = [first, cx.body.operand(inst, 1)].map(|side| self.int_at(side, depth + 1));
                match sides {
                    [Some(zero), _] | [_, Some(zero)] if zero.value == 0 => Some(zero),
                    [Some(a), Some(b)] if inst.opcode == Opcode::And => Int::new(bits, a.value & b.value),
                    [Some(a), Some(b)] => Int::new(bits, a.value.wrapping_mul(b.value)),
                    _ => None,
                }
            }
            Opcode::Add | Opcode::Sub | Opcode::Or | Opcode::Xor => {
                let second = cx.body.operand(inst, 1);
                if matches!(inst.opcode, Opcode::Sub | Opcode::Xor)
                    && first.value == second.value
                    && matches!(first.value, Value::Local(_))
                {
                    return Int::new(bits, 0);
                }
                let (a, b) = (self.int_at(first, depth + 1)?.value, self.int_at(second, depth + 1)?.value);
                Int::new(
                    bits,
                    match inst.opcode {
                        Opcode::Add => a.wrapping_add(b),
                        Opcode::Sub => a.wrapping_sub(b),
                        Opcode::Or => a | b,
                        _ => a ^ b,
                    },
                )
            }
            _ => None,
        }
    }

    /// The n-th element of a vector constant, or an integer itself.
    pub(crate) fn elements(&self, operand: Operand) -> Vec<Operand> {
        match self.cx.constant(operand) {
            Some(Const::Aggregate { elements, .. }) => self.cx.body.operands(elements).to_vec(),
            Some(Const::Splat(element)) => vec![self.cx.body.tables.operand(OperandId(element.0))],
            _ => vec![operand],
        }
    }
}

/// Whether the initializer is what the program has: no other module can replace it.
pub(crate) fn is_definitive(variable: &super::summary::Global) -> bool {
    let is_replaceable = matches!(
        variable.head.linkage,
        Linkage::Weak | Linkage::LinkOnce | Linkage::Common | Linkage::ExternWeak | Linkage::Appending
    );
    variable.init.is_some() && !variable.externally_initialized && !is_replaceable
}

/// Whether a global is a function.
pub(crate) fn is_function(global: &GlobalInfo) -> bool {
    matches!(global.kind, GlobalKind::Function(_))
}
