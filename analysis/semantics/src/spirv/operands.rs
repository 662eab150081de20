//! What an instruction's operands name, as far as it decides which rules look at it.

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::code::{Code, Id, Inst, LOCAL};
use super::context::{Definition, RuleContext};
use super::flat::NONE;
use super::ops;
use super::scope::Scope;

/// What the operands of an instruction name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Something that was not understood, or whose type is unknown. That is reported where it is defined.
    Unsound,
    /// Also something that only few instructions may use.
    Restricted,
    /// Values and types.
    Plain,
}

/// Numbers from 0 on, 64 to a word.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Those of the numbers below `count` that `is_one` chooses.
    pub(super) fn of(count: usize, is_one: impl Fn(u32) -> bool) -> Bits {
        let word = |first: u32| (0..64).map(|bit| u64::from(is_one(first + bit)) << bit).sum();
        Bits((0..count.div_ceil(64) as u32).map(|index| word(64 * index)).collect())
    }

    fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & 1 << (number % 64) != 0)
    }
}

/// What of the module was understood.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sound {
    /// Ids of types, without those of functions.
    types: Bits,
    /// Instructions in the module's code that give plain values.
    values: Bits,
}

impl Sound {
    /// Of the module, when all of its types are known.
    pub(super) fn of(scope: &Scope) -> Sound {
        let flat = super::flat::Flat::default();
        let m = RuleContext::of_scope(&flat, scope);
        let is_type = |op: Op| ops::generates_type(op) && op != Op::TypeFunction;
        let types = Bits::of(scope.defs.len(), |id| {
            m.def(id).is_some_and(|def| is_type(def.op())) && !m.is_of_no_type(id)
        });
        let is_plain = |at| scope.code.inst(at).is_some_and(|def| is_plain_value(def, &types));
        let values = Bits::of(scope.code.insts.len(), is_plain);
        Sound { types, values }
    }
}

/// Whether an instruction gives a value, of a type that was understood, that all instructions may use.
fn is_plain_value(def: Inst<'_>, types: &Bits) -> bool {
    let is_known = def.is_definite() && def.ty() & LOCAL == 0 && types.has(def.ty());
    is_known && !is_restricted(def.op()) && !def.is_non_semantic()
}

/// What only few instructions may use.
fn is_restricted(op: Op) -> bool {
    matches!(op, Op::Function | Op::TypeFunction | Op::DecorationGroup | Op::SampledImage)
}

impl RuleContext<'_> {
    /// Whether an instruction of a function names only types that were understood and, before it, values of such types that all
    /// instructions may use, as most do. Then nothing is wrong with its ids, and [`RuleContext::operands`] are plain.
    pub(super) fn has_plain_operands(&self, inst: Inst<'_>) -> bool {
        let is_plain = |(_, kind, id): (usize, Kind, Id)| {
            if kind == Kind::TypeId {
                return self.is_sound_type(id);
            }
            match self.definition(id) {
                Definition::Here(at) => at < inst.at && self.plain_values.has(at),
                Definition::Module(at) => self.scope.sound.values.has(at),
                Definition::Elsewhere | Definition::Missing => false,
            }
        };
        self.is_function() && inst.op() != Op::ExtInstWithForwardRefsKHR && inst.ids().all(is_plain)
    }

    /// The instructions of a function that give plain values.
    pub(super) fn find_plain_values(code: &Code, scope: &Scope) -> Bits {
        Bits::of(code.insts.len(), |at| {
            code.inst(at).is_some_and(|def| is_plain_value(def, &scope.sound.types))
        })
    }

    /// What the operands of an instruction name.
    pub(super) fn operands(&self, inst: Inst<'_>) -> Operands {
        let mut operands = Operands::Plain;
        for (_, kind, id) in inst.ids() {
            if kind == Kind::TypeId && self.is_sound_type(id) {
                continue;
            }
            let def = self.def(id);
            if def.is_none() && self.is_broken(id) {
                return Operands::Unsound;
            }
            let ty = if kind == Kind::TypeId { id } else { def.map_or(NONE, Inst::ty) };
            if ty != NONE && !self.is_sound_type(ty) {
                let is_type = kind == Kind::TypeId || ops::generates_type(self.op(ty));
                if !is_type || self.is_of_no_type(ty) {
                    return Operands::Unsound;
                }
            }
            if is_restricted(def.map_or_else(|| self.op(id), Inst::op)) {
                operands = Operands::Restricted;
            }
        }
        operands
    }

    /// Whether an id is a type of the module that was understood, and not that of a function.
    pub(super) fn is_sound_type(&self, id: Id) -> bool {
        id & LOCAL == 0 && self.scope.sound.types.has(id)
    }

    /// Whether a vector or matrix is made of something that is not a type, which is reported there.
    fn is_of_no_type(&self, ty: Id) -> bool {
        let component = |ty: Id| {
            let def = self.def(ty).filter(|def| matches!(def.op(), Op::TypeVector | Op::TypeMatrix))?;
            Some(def.operand(1))
        };
        let is_no_type = |id: Id| !ops::generates_type(self.op(id));
        component(ty).is_some_and(|of| is_no_type(of) || component(of).is_some_and(is_no_type))
    }
}
