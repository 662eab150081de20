//! What an instruction's operands name, as far as it decides which rules look at it.

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::code::{Code, Id, Inst, LOCAL};
use super::context::{Definition, RuleContext};
use super::flat::NONE;
use super::ops;
use super::scope::Scope;
use wavelens_base::cfg::sets;

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

/// What of the module was understood, as rows of bits.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sound {
    /// Ids of types, without those of functions.
    types: Vec<u64>,
    /// Ids of types with a part that is not defined, or is not a type. That is reported once, where the part is named.
    partial: Vec<u64>,
    /// Instructions in the module's code that give plain values.
    values: Vec<u64>,
}

impl Sound {
    /// Of the module, when all of its types are known.
    pub(super) fn of(scope: &Scope) -> Sound {
        let flat = super::flat::Flat::default();
        let m = RuleContext::of_scope(&flat, scope);
        let partial = partial_types(&m);
        let is_type = |op: Op| ops::generates_type(op) && op != Op::TypeFunction;
        let types = sets::chosen(scope.defs.len(), |id| {
            m.def(id).is_some_and(|def| is_type(def.op())) && !sets::has(&partial, id)
        });
        let values = plain_values(&scope.code, &types);
        Sound { types, partial, values }
    }

    /// The instructions of a function that give plain values.
    pub(super) fn values_of(&self, function: &Code) -> Vec<u64> {
        plain_values(function, &self.types)
    }
}

/// Types with a part that is not defined before them, is not a type, or is such a type itself.
fn partial_types(m: &RuleContext<'_>) -> Vec<u64> {
    let mut partial = sets::chosen(m.scope.defs.len(), |_| false);
    for inst in m.scope.code.iter().filter(|inst| ops::generates_type(inst.op()) && inst.is_definite()) {
        let is_lost = |(_, _, id): (usize, Kind, Id)| {
            let is_length = matches!(inst.op(), Op::TypeArray) && id == inst.operand(2);
            let part = m.def(id).filter(|part| part.at < inst.at);
            !m.scope.forward_pointers.contains(&id)
                && part.is_none_or(|part| {
                    sets::has(&partial, id)
                        || !is_length && is_made_of_types(inst) && !ops::generates_type(part.op())
                })
        };
        if inst.ids().any(is_lost) {
            sets::add(&mut partial, inst.id());
        }
    }
    partial
}

fn is_made_of_types(inst: Inst<'_>) -> bool {
    matches!(
        inst.op(),
        Op::TypeVector
            | Op::TypeMatrix
            | Op::TypeArray
            | Op::TypeRuntimeArray
            | Op::TypeStruct
            | Op::TypePointer
    )
}

/// The instructions that give a value, of one of these types, that all instructions may use.
fn plain_values(code: &Code, types: &[u64]) -> Vec<u64> {
    let is_plain = |def: Inst<'_>| {
        let is_known = def.is_definite() && def.ty() & LOCAL == 0 && sets::has(types, def.ty());
        is_known && !is_restricted(def.op()) && !def.is_non_semantic()
    };
    sets::chosen(code.insts.len(), |at| code.inst(at).is_some_and(is_plain))
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
                Definition::Here(at) => at < inst.at && sets::has(&self.plain_values, at),
                Definition::Module(at) => sets::has(&self.scope.sound.values, at),
                Definition::Elsewhere | Definition::Missing => false,
            }
        };
        self.is_function() && inst.op() != Op::ExtInstWithForwardRefsKHR && inst.ids().all(is_plain)
    }

    /// What the operands of an instruction name.
    pub(super) fn operands(&self, inst: Inst<'_>) -> Operands {
        let is_partial = |function: Inst<'_>| sets::has(&self.scope.sound.partial, function.operand(3));
        if inst.op() == Op::FunctionParameter && self.code().inst(self.first).is_some_and(is_partial) {
            return Operands::Unsound;
        }
        let mut operands = Operands::Plain;
        for (_, kind, id) in inst.ids() {
            if kind == Kind::TypeId && self.is_sound_type(id) {
                continue;
            }
            let def = self.def(id);
            let is_callee = def.is_some_and(|def| def.op() == Op::Function && is_partial(def));
            if is_callee || def.is_none() && self.is_broken(id) {
                return Operands::Unsound;
            }
            let ty = if kind == Kind::TypeId { id } else { def.map_or(NONE, Inst::ty) };
            if ty != NONE && !self.is_sound_type(ty) {
                let is_type = kind == Kind::TypeId || ops::generates_type(self.op(ty));
                if !is_type || sets::has(&self.scope.sound.partial, ty) {
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
        id & LOCAL == 0 && sets::has(&self.scope.sound.types, id)
    }
}
