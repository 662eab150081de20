//! What other chunks see of a chunk.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use thin_vec::ThinVec;
use wavelens_syntax::spirv::tables::{Kind, Op};

use crate::flat::{BROKEN, Flat, FlatInst, FlatOperand, Form, NONE};
use crate::lower::Lowered;
use wavelens_base::configuration::Stated;
use wavelens_base::lazy_box::LazyBox;

/// What other chunks see of a chunk.
#[derive(Debug, PartialEq)]
pub enum Summary {
    /// Types, constants, annotations: all of it.
    Preamble {
        /// Its instructions.
        flat: Arc<Flat>,
        /// What its comments name.
        stated: LazyBox<Stated>,
    },
    /// A function.
    Function(FunctionSummary),
}

/// What other chunks see of a function.
#[derive(Debug, PartialEq)]
pub struct FunctionSummary {
    /// OpFunction alone.
    pub(crate) head: Flat,
    /// What the body defines.
    pub(crate) defs: BodyNames,
    /// Hashes of the names of their types, each once: there are few.
    pub(crate) types: ThinVec<u64>,
    /// Hashes of the functions it calls, in order of first call.
    pub(crate) calls: ThinVec<u64>,
    /// Hashes of names that are mentioned and not defined here.
    pub(crate) used: ThinVec<u64>,
    /// Whether there is an OpLabel.
    pub(crate) has_body: bool,
    /// Whether OpFunctionEnd is missing.
    pub(crate) is_open: bool,
    /// The first instruction of another module that follows.
    pub(crate) next_module: Option<u32>,
}

/// The ids that a function body defines, in order.
#[derive(Debug)]
pub(crate) enum BodyNames {
    /// Those of the function, which is held anyway.
    Of(Arc<Flat>),
    /// Written down: the function is forgotten.
    Listed(ThinVec<BodyName>),
}

impl BodyNames {
    pub(crate) fn iter(&self) -> impl Iterator<Item = BodyName> {
        let (flat, listed) = match self {
            BodyNames::Of(flat) => (Some(flat), &[][..]),
            BodyNames::Listed(listed) => (None, listed.as_slice()),
        };
        flat.into_iter().flat_map(|flat| body_names(flat)).chain(listed.iter().copied())
    }

    /// Hashes of their names, in any order, repeated or not.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = u64> {
        let (names, listed) = match self {
            BodyNames::Of(flat) => (&flat.names[..], &[][..]),
            BodyNames::Listed(listed) => (&[][..], listed.as_slice()),
        };
        // Instruction 0 is the function itself.
        let defined = names.iter().filter(|name| name.def != NONE && name.def != 0);
        defined.map(|name| name.hash).chain(listed.iter().map(|def| def.hash))
    }

    /// At least as many as there are.
    pub(crate) fn at_most(&self) -> usize {
        match self {
            BodyNames::Of(flat) => flat.insts.len(),
            BodyNames::Listed(listed) => listed.len(),
        }
    }
}

impl PartialEq for BodyNames {
    fn eq(&self, other: &BodyNames) -> bool {
        self.iter().eq(other.iter())
    }
}

fn body_names(flat: &Flat) -> impl Iterator<Item = BodyName> {
    let hash = |name: u32| flat.names.get(name as usize).map_or(0, |n| n.hash);
    flat.insts.iter().zip(0..).skip(1).filter(|(inst, _)| inst.result != NONE).map(move |(inst, index)| {
        let ty = if inst.ty == NONE { 0 } else { hash(inst.ty) };
        BodyName { hash: hash(inst.result), op: inst.op, ty, inst: index }
    })
}

/// An id that a function body defines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyName {
    pub(crate) hash: u64,
    pub(crate) op: Op,
    /// Hash of the type's name; 0 without a type.
    pub(crate) ty: u64,
    /// Index of the defining instruction in its chunk.
    pub(crate) inst: u32,
}

impl Summary {
    /// Lets go of the function's lowered form.
    pub fn detach(&mut self) {
        if let Summary::Function(function) = self
            && let BodyNames::Of(_) = function.defs
        {
            let mut listed: ThinVec<BodyName> = function.defs.iter().collect();
            listed.shrink_to_fit();
            function.defs = BodyNames::Listed(listed);
        }
    }
}

/// See the dialect's contract.
pub fn summarize(lowered: &Lowered) -> Summary {
    let flat = &lowered.flat;
    if !flat.is_only_function() {
        return Summary::Preamble { flat: flat.clone(), stated: lowered.stated.clone() };
    }
    let hash = |name: u32| flat.names.get(name as usize).map_or(0, |n| n.hash);
    let (mut calls, mut called) = (ThinVec::new(), FxHashSet::default());
    let (mut has_body, mut is_open) = (false, true);
    let mut types: ThinVec<u64> = ThinVec::new();
    let mut last = NONE;
    for inst in &flat.insts {
        has_body |= is_of_body(inst.op);
        match inst.op {
            Op::FunctionEnd => is_open = false,
            Op::FunctionCall => {
                if let Some(callee) = flat.operands_of(inst).get(2).filter(|o| o.form == Form::Id) {
                    let callee = hash(callee.value);
                    if called.insert(callee) {
                        calls.push(callee);
                    }
                }
            }
            _ => {}
        }
        if inst.result != NONE && inst.ty != NONE && inst.ty != last && inst.op != Op::Function {
            last = inst.ty;
            types.push(hash(inst.ty));
        }
    }
    // What was not understood at the end is meant as OpFunctionEnd.
    is_open &= flat.insts.last().is_none_or(|last| last.flags & BROKEN == 0);
    types.sort_unstable();
    types.dedup();
    types.shrink_to_fit();
    let mut used: ThinVec<u64> = flat.names.iter().filter(|n| n.def == NONE).map(|n| n.hash).collect();
    used.shrink_to_fit();
    calls.shrink_to_fit();
    Summary::Function(FunctionSummary {
        head: head(flat),
        defs: BodyNames::Of(flat.clone()),
        types,
        calls,
        used,
        has_body,
        is_open,
        next_module: next_module(flat),
    })
}

/// Where another module begins after the function: modules that were written to the same file.
fn next_module(flat: &Flat) -> Option<u32> {
    let mut insts = flat.insts.iter().zip(0..).skip_while(|(inst, _)| inst.op != Op::FunctionEnd);
    let (_, begin) = insts.find(|(inst, _)| inst.op == Op::Capability)?;
    insts.any(|(inst, _)| inst.op == Op::MemoryModel).then_some(begin)
}

/// The first instruction on its own.
fn head(flat: &Flat) -> Flat {
    let mut head = Flat::default();
    let Some(first) = flat.insts.first() else { return head };
    let mut name = |local: u32| -> u32 {
        match flat.names.get(local as usize) {
            Some(n) => head.names.push(flat.name(local), n.hash),
            None => NONE,
        }
    };
    let operands: Vec<FlatOperand> = flat
        .operands_of(first)
        .iter()
        .map(|o| if o.form == Form::Id { FlatOperand { value: name(o.value), ..*o } } else { *o })
        .collect();
    let of = |kind: Kind| operands.iter().find(|o| o.kind == kind).map_or(NONE, |o| o.value);
    let inst = FlatInst { first: 0, ty: of(Kind::TypeId), result: of(Kind::ResultId), ..*first };
    head.insts = vec![inst];
    head.operands = operands;
    head.names.shrink_to_fit();
    head
}

/// Whether a declaration does not hold such an instruction. Where no label precedes it, the label is missing, not the linkage.
pub(super) fn is_of_body(op: Op) -> bool {
    !matches!(
        op,
        Op::Function
            | Op::FunctionParameter
            | Op::FunctionEnd
            | Op::Line
            | Op::NoLine
            | Op::ExtInst
            | Op::Nop
    )
}
