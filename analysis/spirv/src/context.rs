//! One chunk within its module, as the rules see it.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use wavelens_syntax::spirv::tables::Op;

use super::code::{Code, Context, Id, Inst, LOCAL, OperandError};
use super::contents::{Contents, KnownContents};
use super::flat::{BROKEN, FORWARD, Flat, FlatInst, NONE};
use super::ops;
use super::rules;
use super::rules::block_layout::Found;
use super::rules::matrix_types::LocalSizes;
use super::scope::{Decoration, Scope};
use wavelens_base::memo::Memo;
use wavelens_base::{ChunkId, Place};

/// Some rules are about where a name is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// At this instruction of the chunk's code.
    Here(u32),
    /// In the preamble or at a function's head: at this instruction of the scope's code.
    Module(u32),
    /// In another function's body.
    Elsewhere,
    /// No instruction defines it.
    Missing,
}

/// Suggestions for undefined names in one chunk.
const SUGGESTIONS: u32 = 200;

/// A chunk's instructions with the module around them.
pub struct RuleContext<'a> {
    /// The module's names.
    pub scope: &'a Scope,
    pub(crate) flat: &'a Flat,
    chunk: Option<ChunkId>,
    own: Option<Arc<Code>>,
    /// The instructions of `own` that give plain values, as a row of bits.
    pub(super) plain_values: Arc<Vec<u64>>,
    /// What the function's own types can be.
    pub(super) own_contents: Contents,
    /// Index in [`RuleContext::code`] of the chunk's first instruction.
    pub first: u32,
    pub(crate) count: u32,
    /// Ids of the chunk's names.
    pub ids: Arc<Vec<Id>>,
    /// The scope's id of each name, or [`NONE`].
    global: Arc<Vec<Id>>,
    pub(crate) operand_errors: Vec<(u32, OperandError)>,
    /// How many undefined names may still be compared with all others.
    pub suggestions: Cell<u32>,
    pub(super) contents: KnownContents,
    /// Faults of the layouts that untyped pointers refer to, by type, storage class and rules.
    pub(super) untyped_layouts: Memo<(Id, u32, bool), Found>,
    pub(super) local_sizes: OnceCell<LocalSizes>,
    families: OnceCell<u64>,
    function_end: OnceCell<Option<u32>>,
}

impl<'a> RuleContext<'a> {
    /// Of a chunk of the scope's module.
    pub fn new(flat: &'a Flat, scope: &'a Scope, chunk: ChunkId) -> Self {
        // Where the scope's code has it.
        let (first, count) = scope.chunks.get(&chunk).copied().unwrap_or((0, 0));
        let global = flat.names.iter().map(|n| scope.names.get(&n.hash).copied().unwrap_or(NONE));
        let global: Arc<Vec<Id>> = Arc::new(global.collect());
        if count as usize == flat.insts.len() && (count != 1 || !flat.is_function()) {
            let errors = &scope.operand_errors;
            let from = errors.partition_point(|(at, _)| *at < first);
            let own = errors.iter().skip(from).take_while(|(at, _)| *at < first + count);
            let operand_errors = own.map(|(at, e)| (at - first, e.clone())).collect();
            let ids = global.clone();
            let chunk = Some(chunk);
            return RuleContext { chunk, first, ids, global, operand_errors, ..Self::of(flat, scope, count) };
        }
        let ids: Vec<Id> = flat
            .names
            .iter()
            .zip(global.iter())
            .enumerate()
            .map(|(local, (name, global))| {
                let in_module = scope.defs.get(*global as usize).is_some_and(|d| *d != NONE);
                if *global != NONE && (in_module || name.def == NONE) {
                    *global
                } else {
                    LOCAL | local as u32
                }
            })
            .collect();
        let count = flat.insts.len() as u32;
        let (chunk, ids) = (Some(chunk), Arc::new(ids));
        let mut module = RuleContext { chunk, ids, global, ..Self::of(flat, scope, count) };
        let mut code = Code::default();
        code.insts.reserve(flat.insts.len());
        code.operands.reserve(flat.operands.len());
        code.words.reserve(flat.operands.len() + flat.insts.len());
        for (at, inst) in flat.insts.iter().enumerate() {
            let context = module.context(inst);
            if let Err(error) = code.append(flat, inst, &module.ids, context) {
                module.operand_errors.push((at as u32, error));
            }
        }
        let mut has_types = false;
        for inst in code.iter().filter(|inst| ops::generates_type(inst.op())) {
            module.own_contents.add(inst);
            has_types = true;
        }
        // Few functions have any.
        if has_types {
            code.mark_forward_types(|id| match module.definition(id) {
                Definition::Here(at) => at,
                _ => NONE,
            });
        }
        module.plain_values = Arc::new(scope.sound.values_of(&code));
        module.own = Some(Arc::new(code));
        module
    }

    /// The same for another thread, without the findings about operands.
    pub(super) fn fork(&self) -> RuleContext<'_> {
        RuleContext {
            own: self.own.clone(),
            plain_values: self.plain_values.clone(),
            own_contents: self.own_contents,
            first: self.first,
            ids: self.ids.clone(),
            global: self.global.clone(),
            suggestions: self.suggestions.clone(),
            ..Self::of(self.flat, self.scope, self.count)
        }
    }

    /// The preamble of all chunks.
    pub(crate) fn of_scope(flat: &'a Flat, scope: &'a Scope) -> Self {
        Self::of(flat, scope, scope.code.insts.len() as u32)
    }

    /// So many instructions of the module's code, without names.
    fn of(flat: &'a Flat, scope: &'a Scope, count: u32) -> Self {
        RuleContext {
            scope,
            flat,
            chunk: None,
            own: None,
            plain_values: Arc::default(),
            own_contents: Contents::default(),
            first: 0,
            count,
            ids: Arc::default(),
            global: Arc::default(),
            operand_errors: Vec::new(),
            suggestions: Cell::new(SUGGESTIONS),
            function_end: OnceCell::new(),
            contents: KnownContents::default(),
            untyped_layouts: Memo::default(),
            local_sizes: OnceCell::new(),
            families: OnceCell::new(),
        }
    }

    fn context(&self, inst: &FlatInst) -> Context {
        let operand = |index: usize| {
            let local = self.flat.operands_of(inst).get(index).map_or(NONE, |o| o.value);
            (local, self.ids.get(local as usize).copied().unwrap_or(NONE))
        };
        match inst.op {
            Op::Switch => {
                let (local, id) = operand(0);
                let ty = if id & LOCAL == 0 || id == NONE {
                    self.scope.encoded(id).map_or(NONE, Inst::ty)
                } else {
                    let def = self.flat.names.get(local as usize).map_or(NONE, |n| n.def);
                    let ty = self.flat.insts.get(def as usize).map_or(NONE, |i| i.ty);
                    self.ids.get(ty as usize).copied().unwrap_or(NONE)
                };
                Context { number: self.scope.number_type(ty), set: None }
            }
            Op::ExtInst | Op::ExtInstWithForwardRefsKHR => {
                Context { number: None, set: self.scope.import(operand(2).1) }
            }
            Op::Constant | Op::SpecConstant => {
                let ty = self.ids.get(inst.ty as usize).copied().unwrap_or(NONE);
                Context { number: self.scope.number_type(ty), set: None }
            }
            _ => Context::default(),
        }
    }

    /// The code that holds the chunk's instructions.
    pub fn code(&self) -> &Code {
        self.own.as_deref().unwrap_or(&self.scope.code)
    }

    /// Whether the chunk is a function with ids of its own.
    pub fn is_function(&self) -> bool {
        self.own.is_some()
    }

    /// The instruction at an index of the chunk.
    pub fn inst(&self, at: u32) -> Option<Inst<'_>> {
        self.code().inst(at)
    }

    /// The chunk's instructions.
    pub fn insts(&self) -> impl DoubleEndedIterator<Item = Inst<'_>> {
        (self.first..self.first + self.count).filter_map(|at| self.code().inst(at))
    }

    /// The families of rules that have something to look at, as bits.
    pub(super) fn families(&self) -> u64 {
        *self.families.get_or_init(|| rules::families_here(self))
    }

    /// Where the chunk's first OpFunctionEnd is.
    pub(crate) fn function_end(&self) -> Option<u32> {
        let end = || self.insts().find(|inst| inst.op() == Op::FunctionEnd).map(|inst| inst.at);
        *self.function_end.get_or_init(end)
    }

    /// The instruction that defines an id.
    #[inline]
    pub fn definition(&self, id: Id) -> Definition {
        if id & LOCAL == 0 {
            match self.scope.defs.get(id as usize).copied() {
                Some(def) if def != NONE => Definition::Module(def),
                _ if self.scope.bodies.contains_key(&id) => Definition::Elsewhere,
                _ => Definition::Missing,
            }
        } else {
            // `NONE` is larger than any number of names.
            match self.flat.names.get((id & !LOCAL) as usize).map_or(NONE, |name| name.def) {
                NONE => Definition::Missing,
                def => Definition::Here(def),
            }
        }
    }

    /// The instruction that defines an id, whether it could be understood or not.
    #[inline]
    pub(super) fn defining(&self, id: Id) -> Option<Inst<'_>> {
        match self.definition(id) {
            Definition::Here(at) => self.code().inst(at),
            Definition::Module(at) => self.scope.code.inst(at),
            Definition::Elsewhere | Definition::Missing => None,
        }
    }

    /// The defining instruction; `None` also for one that could not be understood.
    #[inline]
    pub fn def(&self, id: Id) -> Option<Inst<'_>> {
        self.defining(id).filter(|i| i.is_definite())
    }

    /// Whether the defining instruction could not be understood.
    pub fn is_broken(&self, id: Id) -> bool {
        self.defining(id).is_some_and(|inst| inst.raw.flags & (BROKEN | FORWARD) != 0)
    }

    /// Opcode of the defining instruction; `OpNop` if there is none.
    pub fn op(&self, id: Id) -> Op {
        match self.def(id) {
            Some(def) => def.op(),
            None => self.scope.bodies.get(&id).map_or(Op::Nop, |b| b.op),
        }
    }

    /// The type of a value, or [`NONE`].
    pub fn type_of(&self, id: Id) -> Id {
        match self.def(id) {
            Some(def) => def.ty(),
            None => self.scope.bodies.get(&id).map_or(NONE, |b| b.ty),
        }
    }

    /// The type of the value that an operand names, or [`NONE`].
    pub fn operand_type(&self, inst: Inst<'_>, operand: usize) -> Id {
        self.type_of(inst.operand(operand))
    }

    /// An instruction of the chunk, as the other end of a finding.
    pub(crate) fn place(&self, at: u32) -> Option<Place> {
        Some(Place::Item { chunk: self.chunk?, item: at.checked_sub(self.first)? })
    }

    /// `%name` for messages.
    pub fn name(&self, id: Id) -> String {
        let text = if id & LOCAL != 0 && id != NONE {
            self.flat.name(id & !LOCAL)
        } else {
            self.scope.texts.get(id as usize).map_or("?", |t| t.as_str())
        };
        format!("%{text}")
    }

    /// The type of an operand, or of the result for operand 0 of an instruction that has one, for messages.
    pub(crate) fn describe_operand(&self, inst: Inst<'_>, operand: usize) -> String {
        let is_result = operand == 0 && inst.ty() != NONE;
        let id = inst.operand(operand);
        let ty = if is_result { inst.ty() } else { self.type_of(id) };
        match ty {
            NONE if ops::generates_type(self.op(id)) => format!("the type `{}`", self.name(id)),
            NONE => format!("`{}`, which has no type", self.name(id)),
            ty => self.type_name(ty),
        }
    }

    /// The type of a value for messages, or the instruction of something without a type.
    pub(crate) fn describe(&self, id: Id) -> String {
        match self.type_of(id) {
            NONE if ops::generates_type(self.op(id)) => "a type".to_owned(),
            NONE => format!("the result of {}", self.op(id).name()),
            ty => self.type_name(ty),
        }
    }

    /// "`%float` is the result of OpTypeFloat, not a structure type".
    pub(crate) fn not_a_structure(&self, id: Id) -> String {
        format!("`{}` is the result of {}, not a structure type", self.name(id), self.op(id).name())
    }

    /// The scope's id of an id: where its decorations are found.
    pub fn global(&self, id: Id) -> Id {
        if id & LOCAL == 0 || id == NONE {
            id
        } else {
            self.global.get((id & !LOCAL) as usize).copied().unwrap_or(NONE)
        }
    }

    /// Decorations of an id and of its members.
    pub fn decorations(&self, id: Id) -> &[Decoration] {
        self.scope.decorations(self.global(id))
    }

    /// Decorations of one kind of an id and of its members, in order.
    pub(crate) fn decorations_of(&self, id: Id, kind: u32) -> impl Iterator<Item = &Decoration> {
        let all = if self.is_decorated(id, kind) { self.decorations(id) } else { &[] };
        all.iter().filter(move |decoration| decoration.kind == kind)
    }

    /// Decorations of a member of a structure type, in order.
    pub(crate) fn member_decorations(
        &self,
        id: Id,
        member: u32,
    ) -> impl DoubleEndedIterator<Item = &Decoration> {
        self.scope.member_decorations(self.global(id), member)
    }

    /// The first parameter of an id's first decoration of a kind.
    pub(crate) fn decoration_word(&self, id: Id, kind: u32) -> Option<u32> {
        let found = self.decorations_of(id, kind).find(|d| d.member.is_none())?;
        self.scope.params(found).first().copied()
    }

    /// The same of a member.
    pub(crate) fn member_decoration_word(&self, id: Id, member: u32, kind: u32) -> Option<u32> {
        let found = self.member_decorations(id, member).find(|d| d.kind == kind)?;
        self.scope.params(found).first().copied()
    }

    pub(crate) fn has_decoration(&self, id: Id, kind: u32) -> bool {
        self.scope.is_decorated(self.global(id), kind, false)
    }

    /// Whether an id or one of its members has a decoration of a kind.
    pub(crate) fn is_decorated(&self, id: Id, kind: u32) -> bool {
        let id = self.global(id);
        [false, true].iter().any(|of_members| self.scope.is_decorated(id, kind, *of_members))
    }

    /// Whether a line that could not be read may decorate an id: what it seems to lack may be there.
    pub(crate) fn may_be_decorated(&self, id: Id) -> bool {
        self.scope.may_be_decorated(self.global(id))
    }

    pub(crate) fn has_member_decoration(&self, id: Id, member: u32, kind: u32) -> bool {
        self.member_decorations(id, member).any(|d| d.kind == kind)
    }

    pub(crate) fn has_capability(&self, capability: u32) -> bool {
        self.scope.has_capability(capability)
    }

    /// Whether the module certainly does not declare a capability: a declaration that could not be read may be of any.
    pub(crate) fn lacks_capability(&self, capability: u32) -> bool {
        !self.has_capability(capability) && !self.scope.features.unread_declaration
    }

    /// Whether the module declares an extension, by its number in the grammar.
    pub fn has_extension(&self, extension: u16) -> bool {
        self.scope.has_extension(extension)
    }
}
