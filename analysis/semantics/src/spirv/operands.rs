//! What an instruction's operands name, as far as it decides which rules look at it.

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::code::{Id, Inst, LOCAL};
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

/// Types of the module that were understood, without those of functions: ids by number, 64 to a word.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SoundTypes(Vec<u64>);

impl SoundTypes {
    /// Of the module, when all of its types are known.
    pub(super) fn of(scope: &Scope) -> SoundTypes {
        let flat = super::flat::Flat::default();
        let m = RuleContext::of_scope(&flat, scope);
        let mut sound = vec![0; scope.defs.len().div_ceil(64)];
        for id in 0..scope.defs.len() as Id {
            let is_value = |op: Op| ops::generates_type(op) && op != Op::TypeFunction;
            let is_type = m.def(id).is_some_and(|def| is_value(def.op()));
            if is_type && !m.is_of_no_type(id) {
                sound[id as usize / 64] |= 1 << (id % 64);
            }
        }
        SoundTypes(sound)
    }

    fn has(&self, id: Id) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word & 1 << (id % 64) != 0)
    }
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
            let def = match self.definition(id) {
                Definition::Here(at) if at < inst.at => self.code().inst(at),
                Definition::Module(at) => self.scope.code.inst(at),
                _ => None,
            };
            def.is_some_and(|def| {
                let is_known = def.is_definite() && self.is_sound_type(def.ty());
                is_known && !is_restricted(def.op()) && !def.is_non_semantic()
            })
        };
        self.is_function() && inst.op() != Op::ExtInstWithForwardRefsKHR && inst.ids().all(is_plain)
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
        id & LOCAL == 0 && self.scope.sound_types.has(id)
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
