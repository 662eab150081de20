//! Completion of ids: those of the class and the type that the operand wants, whose definitions dominate it.

use rustc_hash::FxHashSet;
use wavelens_base::TextSize;
use wavelens_check::dialect::Lowered;
use wavelens_spirv::blocks::{Body, functions};
use wavelens_spirv::code::Inst;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::flat::NONE;
use wavelens_spirv::ops;
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Cx;
use super::completion_context::{WRITTEN, order_described, rest};
use super::completion_types::{Wanted, find};
use super::place::{Typing, inst_at, module, token_kind};
use crate::answers::{Completion, CompletionKind, TokenKind};
use crate::spirv::fold::constant_value;

/// What an operand that is an id must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Any,
    Type,
    TypeOf(Op),
    Constant,
    /// A value of some type.
    Value,
    Pointer,
    Label,
    Function,
    /// A variable in front of the functions.
    Global,
    Import,
    Text,
    /// What instructions of debug information refer to: texts, values, functions, void.
    Described,
}

/// The class of the operand at a position of an instruction's grammar.
fn class(op: Op, kind: Kind, index: usize) -> Class {
    if kind == Kind::TypeId {
        return match op {
            Op::Variable | Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain => {
                Class::TypeOf(Op::TypePointer)
            }
            _ => Class::Type,
        };
    }
    if matches!(kind, Kind::ScopeId | Kind::MemorySemanticsId) {
        return Class::Constant;
    }
    match (op, index) {
        (Op::Name | Op::MemberName | Op::Decorate | Op::DecorateId | Op::DecorateString, 0) => Class::Any,
        (Op::MemberDecorate | Op::MemberDecorateString, 0) => Class::TypeOf(Op::TypeStruct),
        (Op::EntryPoint, 1) => Class::Function,
        (Op::EntryPoint, _) => Class::Global,
        (Op::ExecutionMode | Op::ExecutionModeId, 0) | (Op::FunctionCall, 2) => Class::Function,
        (Op::ExtInst | Op::ExtInstWithForwardRefsKHR, 2) => Class::Import,
        (Op::Line | Op::Source, _) => Class::Text,
        (Op::TypeArray, 2) => Class::Constant,
        (Op::TypeMatrix, _) => Class::TypeOf(Op::TypeVector),
        (Op::TypeSampledImage, _) => Class::TypeOf(Op::TypeImage),
        (Op::Function, _) => Class::TypeOf(Op::TypeFunction),
        (op, _) if ops::generates_type(op) => Class::Type,
        (op, _) if ops::is_constant(op) || op == Op::Variable => Class::Constant,
        (Op::Branch | Op::SelectionMerge | Op::LoopMerge, _)
        | (Op::BranchConditional, 1 | 2)
        | (Op::Switch, 1..) => Class::Label,
        (
            Op::Load | Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::ImageTexelPointer,
            2,
        )
        | (Op::Store | Op::AtomicStore, 0)
        | (Op::CopyMemory, _) => Class::Pointer,
        (op, 2) if op.info().is_some_and(|i| i.class == "Atomic") => Class::Pointer,
        _ => Class::Value,
    }
}

fn fits(m: &RuleContext<'_>, class: Class, inst: Inst<'_>, is_global: bool) -> bool {
    let op = inst.op();
    match class {
        Class::Any => true,
        Class::Type => ops::generates_type(op),
        Class::TypeOf(wanted) => op == wanted,
        Class::Constant => ops::is_constant(op),
        Class::Value => inst.ty() != NONE && op != Op::Function,
        Class::Pointer => m.is_pointer(inst.ty()),
        Class::Label => op == Op::Label,
        Class::Function => op == Op::Function,
        Class::Global => matches!(op, Op::Variable | Op::UntypedVariableKHR) && is_global,
        Class::Import => op == Op::ExtInstImport,
        Class::Text => op == Op::String,
        Class::Described => {
            matches!(op, Op::String | Op::Function | Op::TypeVoid) || inst.ty() != NONE && op != Op::Label
        }
    }
}

/// Which values of a function are known at a place.
struct Reach {
    body: Option<Body>,
    /// The last instruction before the place.
    here: u32,
}

impl Reach {
    fn new(cx: &Cx<'_>, m: &RuleContext<'_>, at: TextSize) -> Reach {
        let before = cx.lowered.inst_ranges.partition_point(|range| range.start() < at);
        let here = m.first + (before as u32).saturating_sub(1);
        let around = functions(m).into_iter().find(|(first, last)| (*first..=*last).contains(&here));
        Reach { body: around.and_then(|(first, last)| Body::new(m, first, last)), here }
    }

    /// Whether the definition dominates the end of a block that the place's block follows.
    fn reaches_edge(&self, definition: u32) -> bool {
        let Some(body) = &self.body else { return true };
        let block_of = |at: u32| body.blocks.iter().position(|b| (b.first..=b.last).contains(&at));
        let (from, Some(to)) = (block_of(definition), block_of(self.here)) else { return true };
        let mut edges = body.cfg.predecessors(to as u32).iter();
        from.is_none_or(|from| edges.any(|edge| body.dominates(from as u32, *edge)))
    }

    /// Whether the definition at an instruction dominates the place; where blocks are not well-formed, whether it comes before.
    fn allows(&self, definition: u32) -> bool {
        let block_of = |at: u32| {
            let blocks = &self.body.as_ref()?.blocks;
            blocks.iter().position(|b| (b.first..=b.last).contains(&at)).map(|index| index as u32)
        };
        match (&self.body, block_of(definition), block_of(self.here)) {
            (Some(body), Some(from), Some(to)) if from != to => body.dominates(from, to),
            _ => definition < self.here,
        }
    }
}

/// Names of the class and the type that the position wants.
pub(super) fn ids(cx: &Cx<'_>, typing: &Typing, kind: Kind, found: &mut Vec<Completion>) {
    let m = module(cx);
    let Some(op) = typing.op else { return };
    let returns_nothing = || {
        let ty = typing.written.first().map(|word| find(cx, &m, word));
        ty.and_then(|ty| m.def(ty)).is_some_and(|ty| ty.op() == Op::TypeVoid)
    };
    let class = match typing.in_inst {
        Some(_) if returns_nothing() => Class::Described,
        Some(_) => Class::Value,
        // After the type, values and the blocks that they come from take turns.
        None if op == Op::Phi && kind != Kind::TypeId && typing.written.len().is_multiple_of(2) => {
            Class::Label
        }
        None => class(op, kind, typing.index),
    };
    let wanted = match class {
        Class::Value | Class::Constant | Class::Pointer => Wanted::new(cx, &m, typing),
        _ => Wanted::Anything,
    };
    // Only a phi may have its own result as an operand.
    let here = inst_at(cx, typing.word.start()).filter(|_| op != Op::Phi);
    let own = here.and_then(|index| m.inst(m.first + index as u32)).map_or(NONE, |inst| inst.id());
    // The type of a function says what it returns.
    let returned = (op == Op::Function && kind == Kind::TypeId).then(|| {
        let ty = rest(cx, typing).split_whitespace().last()?;
        let ty = m.def(find(cx, &m, ty))?;
        (ty.op() == Op::TypeFunction).then(|| ty.operand(1))
    });
    let returned = returned.flatten();
    let mut add = |inst: Inst<'_>, is_global: bool| {
        if returned.is_some_and(|returned| m.global(inst.id()) != returned) {
            return;
        }
        if [NONE, own].contains(&inst.id()) || !fits(&m, class, inst, is_global) {
            return;
        }
        let Some(fit) = wanted.rank(&m, inst) else { return };
        let (shown, detail) = match token_kind(inst.op(), !is_global) {
            TokenKind::Type => (CompletionKind::Type, m.type_name(inst.id())),
            TokenKind::Function => (CompletionKind::Function, String::new()),
            TokenKind::Label => (CompletionKind::Label, String::new()),
            TokenKind::Constant => {
                let value = constant_value(&m, inst.id());
                (CompletionKind::Constant, value.unwrap_or_else(|| m.type_name(inst.ty())))
            }
            TokenKind::Variable => (CompletionKind::Variable, m.type_name(inst.ty())),
            TokenKind::Macro => (CompletionKind::Keyword, inst.string(1).to_string()),
            _ => (CompletionKind::Local, m.type_name(inst.ty())),
        };
        let name = debug_name(&m, inst.id()).filter(|n| format!("%{n}") != m.name(inst.id()));
        let detail = match name {
            Some(name) if detail.is_empty() => name,
            Some(name) => format!("{name}: {detail}"),
            None => detail,
        };
        let rank = u8::from(is_global) + fit;
        found.push(Completion::new(shown, typing.word, m.name(inst.id())).detail(detail).rank(rank));
    };
    if m.is_function() {
        let reach = Reach::new(cx, &m, typing.word.start());
        let is_free = op == Op::Phi || matches!(class, Class::Label | Class::Any | Class::Function);
        let is_from_edge = op == Op::Phi && class == Class::Value;
        let allows =
            |at: u32| if is_from_edge { reach.reaches_edge(at) } else { is_free || reach.allows(at) };
        m.insts().filter(|i| allows(i.at)).for_each(|i| add(i, false));
    }
    cx.scope.code.iter().for_each(|i| add(i, true));
    if class == Class::Any {
        described(cx, op, typing, found);
    }
}

/// The ids that may be named or decorated: of all functions too, those first that are not described yet.
fn described(cx: &Cx<'_>, op: Op, typing: &Typing, found: &mut Vec<Completion>) {
    let lines = cx.view.chunks().iter().flat_map(|chunk| cx.view.text(*chunk).lines());
    let name = op.info().map_or("", |info| info.name);
    let written: FxHashSet<&str> = lines
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            words.next().filter(|word| *word == name)?;
            words.next()
        })
        .collect();
    for chunk in cx.view.chunks() {
        let Lowered::Spirv(lowered) = cx.view.lowered(*chunk) else { continue };
        if !lowered.flat.is_function() {
            continue;
        }
        let results = lowered.flat.insts.iter().filter(|inst| inst.result != NONE);
        let named = results.map(|inst| (token_kind(inst.op, true), lowered.flat.name(inst.result)));
        found.extend(named.map(|(kind, name)| {
            let kind = match kind {
                TokenKind::Function => CompletionKind::Function,
                TokenKind::Label => CompletionKind::Label,
                _ => CompletionKind::Local,
            };
            Completion::new(kind, typing.word, format!("%{name}")).rank(3)
        }));
    }
    let is_written = |item: &Completion| written.contains(item.label.as_str());
    found.iter_mut().filter(|item| is_written(item)).for_each(|item| item.rank += WRITTEN);
    order_described(cx, op, typing, found);
}
