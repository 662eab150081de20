//! What rules see: a function body, or a chunk's module-level entities, with canonical types and the module's scope.

use std::cell::OnceCell;

use super::Lowered;
use super::arena::{Ranges, Tables};
use super::attribute_set::AttributeSet;
use super::body::{Block, Body, Call, Inst, InstId, LocalKind, NO_EXTRA, Opcode};
use super::names::Symbol;
use super::operand::{Const, LocalId, Operand, OperandId, Value};
use super::scope::{GlobalInfo, NodeRef, Scope, canonicalize};
use super::summary::{Function, NamedMetadata, Summary};
use super::types::{Span, Type, TypeId, TypeMap, Types};
use wavelens_base::cfg::{Cfg, Dominators};
use wavelens_base::{ChunkId, Diagnostic, Part, Rule, TextRange};

/// What rules about a function body see. Fields are public: rules read what they need. Functions and module-level entities have a
/// context each, because their tables and scopes differ.
pub struct RuleContext<'a> {
    /// The module.
    pub scope: &'a Scope,
    /// The chunk's text, for fixes.
    pub text: &'a str,
    /// Of this chunk; [`RuleContext::function`] points into its tables.
    pub summary: &'a Summary,
    /// Index of this chunk's summary in the scope.
    pub(crate) summary_index: u32,
    /// The function that is checked.
    pub function: &'a Function,
    /// The function.
    pub body: &'a Body,
    /// Canonical types, with those on top that only this body has.
    pub types: Types,
    /// Canonical function type of the function; [`TypeId::ERROR`] if not understood.
    pub(crate) function_type: TypeId,
    /// Canonical types of the body's local ones.
    type_map: TypeMap,
    /// Canonical type of each local: argument, `label` of a block, result of an instruction. [`TypeId::ERROR`] where it is not known.
    pub local_types: Vec<TypeId>,
    /// Canonical function type of each call in [`Body::calls`].
    pub(crate) call_types: Vec<TypeId>,
    /// The block of each instruction.
    pub(crate) inst_blocks: Vec<u32>,
    cfg: OnceCell<(Cfg, Dominators)>,
    edges_known: OnceCell<bool>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> RuleContext<'a> {
    /// `None` if the body's function is not in the chunk's summary (never happens).
    pub fn new(
        lowered: &'a Lowered,
        scope: &'a Scope,
        chunk: ChunkId,
        text: &'a str,
        body: &'a Body,
    ) -> Option<Self> {
        let summary: &'a Summary = &lowered.summary;
        let (summary_index, _) = scope.summary_of(chunk)?;
        let function = summary.functions.get(body.function as usize)?;
        let mut types = Types::on(scope.types.clone());
        let type_map =
            canonicalize(&body.tables.types, &body.tables.names, &mut types, &|s, n| scope.named_type(s, n));
        let params: Vec<_> =
            summary.params(function).iter().map(|p| scope.canonical(summary_index, p.ty)).collect();
        let result = scope.canonical(summary_index, function.result);
        let broken = result.is_error() || params.contains(&TypeId::ERROR);
        let function_type =
            if broken { TypeId::ERROR } else { types.function(result, &params, function.vararg) };
        let mut inst_blocks = vec![0; body.insts.len()];
        for (number, Block { insts, .. }) in body.blocks.iter().enumerate() {
            if let Some(slots) = inst_blocks.get_mut(insts.range()) {
                slots.fill(number as u32);
            }
        }
        let mut cx = RuleContext {
            scope,
            text,
            summary,
            summary_index,
            function,
            body,
            types,
            function_type,
            type_map,
            local_types: Vec::new(),
            call_types: Vec::new(),
            inst_blocks,
            cfg: OnceCell::new(),
            edges_known: OnceCell::new(),
            diagnostics: Vec::new(),
        };
        cx.find_types(&params);
        Some(cx)
    }

    fn find_types(&mut self, params: &[TypeId]) {
        let body = self.body;
        self.local_types = body
            .locals
            .iter()
            .map(|local| match local.kind {
                LocalKind::Argument(n) => params.get(n as usize).copied().unwrap_or(TypeId::ERROR),
                LocalKind::Block(_) => TypeId::LABEL,
                LocalKind::Inst(_) | LocalKind::Undefined => TypeId::ERROR,
            })
            .collect();
        self.call_types = body.calls.iter().map(|_| TypeId::ERROR).collect();
        for inst in &body.insts {
            if let Some(call) = body.call(inst) {
                let ty = self.call_type(inst, call);
                if let Some(slot) = self.call_types.get_mut(inst.extra as usize) {
                    *slot = ty;
                }
            }
            if let Some(result) = inst.result {
                let ty = self.result_type(inst);
                if let Some(slot) = self.local_types.get_mut(result.0 as usize) {
                    *slot = ty;
                }
            }
        }
    }

    /// The function type that a call site means: as written, or built from the result and the arguments.
    fn call_type(&mut self, inst: &Inst, call: &Call) -> TypeId {
        let written = self.ty(inst.ty);
        if written.is_error() || self.types.is_function(written) {
            return written;
        }
        let args: Vec<_> = self.body.operands(call.args).iter().map(|a| self.ty(a.ty)).collect();
        if args.contains(&TypeId::ERROR) { TypeId::ERROR } else { self.types.function(written, &args, false) }
    }

    /// The type of an instruction's result, from the types written in it.
    fn result_type(&mut self, inst: &Inst) -> TypeId {
        let body = self.body;
        let operand = |cx: &Self, n| cx.ty(body.operand(inst, n).ty);
        match inst.opcode {
            op if op.is_binary() && inst.operands.len < 2 => TypeId::ERROR,
            op if op.is_binary() || matches!(op, Opcode::FNeg | Opcode::Freeze) => operand(self, 0),
            op if op.is_cast() => self.ty(inst.ty),
            Opcode::Load | Opcode::Phi | Opcode::VaArg | Opcode::LandingPad => self.ty(inst.ty),
            Opcode::Alloca if self.ty(inst.ty).is_error() => TypeId::ERROR,
            Opcode::Alloca => {
                // Even where the data layout puts the stack elsewhere, an alloca without a word on it is in address space 0.
                self.types.ptr(if inst.extra == NO_EXTRA { 0 } else { inst.extra })
            }
            Opcode::ICmp | Opcode::FCmp => match operand(self, 0) {
                TypeId::ERROR => TypeId::ERROR,
                ty => self.types.with_lanes_of(ty, TypeId::I1),
            },
            Opcode::Select => operand(self, 1),
            Opcode::ExtractElement => match self.types.get(operand(self, 0)) {
                Type::Vector { element, .. } => element,
                _ => TypeId::ERROR,
            },
            Opcode::InsertElement | Opcode::InsertValue => operand(self, 0),
            Opcode::ShuffleVector => {
                let (vector, mask) = (operand(self, 0), operand(self, 2));
                match (self.types.get(vector), self.types.get(mask)) {
                    (Type::Vector { element, .. }, Type::Vector { len, scalable, .. }) => {
                        self.types.vector(len, scalable, element)
                    }
                    _ => TypeId::ERROR,
                }
            }
            Opcode::ExtractValue => {
                self.indexed(operand(self, 0), body.index_list(inst)).unwrap_or(TypeId::ERROR)
            }
            Opcode::GetElementPtr => {
                let mut ty = operand(self, 0);
                for n in 0..inst.operands.len {
                    let index = operand(self, n);
                    if index.is_error() {
                        return TypeId::ERROR;
                    }
                    if !self.types.is_vector(ty) && self.types.is_vector(index) {
                        ty = self.types.with_lanes_of(index, ty);
                    }
                }
                ty
            }
            Opcode::AtomicRmw => operand(self, 1),
            Opcode::CmpXchg => match operand(self, 1) {
                TypeId::ERROR => TypeId::ERROR,
                ty => self.types.literal_struct(&[ty, TypeId::I1], false),
            },
            op if op.is_call() => {
                let ty = self.call_types.get(inst.extra as usize).copied().unwrap_or(TypeId::ERROR);
                match self.types.get(ty) {
                    Type::Function { result, .. } => result,
                    _ => TypeId::ERROR,
                }
            }
            Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch => TypeId::TOKEN,
            _ => TypeId::ERROR,
        }
    }

    /// The type inside an aggregate at a path of numbers; `None` if the path leads nowhere, an error type if that is not known.
    pub fn indexed(&self, mut ty: TypeId, path: &[u32]) -> Option<TypeId> {
        for index in path {
            ty = match self.types.get(ty) {
                Type::Error => return Some(TypeId::ERROR),
                Type::Array { len, element } => (u64::from(*index) < len).then_some(element)?,
                Type::Struct { fields, .. } => *self.types.list(fields).get(*index as usize)?,
                Type::NamedStruct(def) => {
                    let fields = self.types.list(self.scope.struct_def(def)?.fields?);
                    match fields.get(*index as usize) {
                        Some(field) => *field,
                        None if fields.contains(&TypeId::ERROR) => return Some(TypeId::ERROR),
                        None => return None,
                    }
                }
                _ => return None,
            };
        }
        Some(ty)
    }

    /// The canonical type of one that the body's tables name.
    #[inline]
    pub fn ty(&self, local: TypeId) -> TypeId {
        self.type_map.get(local)
    }

    /// The canonical type of one that the function's header (in the summary's tables) names.
    pub fn header_ty(&self, local: TypeId) -> TypeId {
        self.scope.canonical(self.summary_index, local)
    }

    /// The canonical type an instruction's n-th operand is written with.
    #[inline]
    pub(crate) fn operand_ty(&self, inst: &Inst, n: u32) -> TypeId {
        self.ty(self.body.operand(inst, n).ty)
    }

    /// The canonical type of what a local really is.
    pub fn local_ty(&self, local: LocalId) -> TypeId {
        self.local_types.get(local.0 as usize).copied().unwrap_or(TypeId::ERROR)
    }

    /// The canonical type of an instruction's result; `void` without one.
    pub(crate) fn result_ty(&self, inst: &Inst) -> TypeId {
        inst.result.map_or(TypeId::VOID, |r| self.local_ty(r))
    }

    /// The canonical function type of a call site.
    pub fn call_ty(&self, inst: &Inst) -> TypeId {
        if inst.opcode.is_call() {
            self.call_types.get(inst.extra as usize).copied().unwrap_or(TypeId::ERROR)
        } else {
            TypeId::ERROR
        }
    }

    pub(crate) fn tables(&self) -> &'a Tables {
        &self.body.tables
    }

    pub(crate) fn constant(&self, operand: Operand) -> Option<Const> {
        self.body.tables.const_of(operand)
    }

    /// The global that an operand names directly.
    pub fn global(&self, operand: Operand) -> Option<&'a GlobalInfo> {
        let Value::Global(symbol) = operand.value else { return None };
        self.scope.global(symbol, &self.body.tables.names)
    }

    /// The function that a call site calls directly, even if it is not declared: its name without sigil.
    pub fn callee_name(&self, call: &Call) -> Option<&'a str> {
        match self.body.tables.operand(call.callee).value {
            Value::Global(symbol) => Some(self.body.tables.names.get(symbol.as_name()?)),
            _ => None,
        }
    }

    /// The function that a call site calls directly, with the summary whose tables it points into.
    pub fn callee(&self, call: &Call) -> Option<(&'a Summary, &'a Function)> {
        self.scope.function(self.global(self.body.tables.operand(call.callee))?)
    }

    /// The metadata node that a value of the body's tables means.
    pub fn node(&self, value: super::metadata::MdValue) -> Option<NodeRef<'a>> {
        self.scope.resolve(value, &self.body.tables, None)
    }

    fn graph(&self) -> &(Cfg, Dominators) {
        self.cfg.get_or_init(|| {
            let body = self.body;
            let cfg = Cfg::new((0..body.blocks.len() as u32).map(|block| successors(body, block)));
            let dominators = Dominators::new(&cfg);
            (cfg, dominators)
        })
    }

    /// Whether it is known where each block goes: not if a terminator is missing or names an undefined block.
    pub fn are_edges_known(&self) -> bool {
        *self.edges_known.get_or_init(|| {
            let body = self.body;
            let is_known = |operand: &Operand| {
                let ty = self.ty(operand.ty);
                !ty.is_error() && (ty != TypeId::LABEL || body.block_of(*operand).is_some())
            };
            (0..body.blocks.len() as u32).all(|block| {
                let targets = body.terminator(block).map(|(_, inst)| targets(body, inst));
                targets.is_some_and(|targets| body.operands(targets).iter().all(is_known))
            })
        })
    }

    /// The control-flow graph over block numbers.
    pub fn cfg(&self) -> &Cfg {
        &self.graph().0
    }

    /// The dominator tree, computed when first asked for.
    pub fn dominators(&self) -> &Dominators {
        &self.graph().1
    }

    /// Does the definition dominate a use in a block: before `at`, or (for phis) at the block's end?
    pub fn dominates(&self, def: InstId, block: u32, at: Option<InstId>) -> bool {
        let def_block = self.block_of_inst(def);
        let dominators = self.dominators();
        if !dominators.is_reachable(block) {
            return true;
        }
        if !dominators.is_reachable(def_block) {
            return false;
        }
        let Some(inst) = self.inst(def) else { return true };
        if inst.opcode == Opcode::Invoke {
            // The value exists where the edge to the normal destination leads: the edge itself must dominate.
            let Some(call) = self.body.call(inst) else { return true };
            let destinations = self.body.operands(call.destinations);
            let Some(normal) = destinations.first().and_then(|o| self.body.block_of(*o)) else { return true };
            // At the end of the invoke's own block a phi in the normal destination may use it.
            if def_block == block && at.is_none() {
                return true;
            }
            if !dominators.dominates(normal, block) {
                return false;
            }
            // Other edges into the destination come from blocks that it dominates, or the value may be missing.
            let mut edges = 0;
            for predecessor in self.cfg().predecessors(normal) {
                if *predecessor == def_block {
                    edges += 1;
                } else if dominators.is_reachable(*predecessor) && !dominators.dominates(normal, *predecessor)
                {
                    return false;
                }
            }
            return edges == 1;
        }
        if def_block == block {
            return match at {
                Some(at) => def.0 < at.0,
                None => true,
            };
        }
        dominators.dominates(def_block, block)
    }

    /// An instruction of the function.
    pub fn inst(&self, id: InstId) -> Option<&'a Inst> {
        self.body.insts.get(id.0 as usize)
    }

    /// All instructions with their ids, in order.
    pub fn insts(&self) -> impl Iterator<Item = (InstId, &'a Inst)> + use<'a> {
        self.body.insts.iter().enumerate().map(|(i, inst)| (InstId(i as u32), inst))
    }

    /// Index of the block that holds an instruction.
    pub fn block_of_inst(&self, id: InstId) -> u32 {
        self.inst_blocks.get(id.0 as usize).copied().unwrap_or(0)
    }

    pub(crate) fn operand_range(&self, id: OperandId) -> TextRange {
        self.body.ranges.operand(id)
    }

    /// The range of a part of an instruction.
    pub(crate) fn part_range(&self, inst: InstId, part: Part) -> TextRange {
        match part {
            Part::Whole => self.body.inst_range(inst),
            Part::Operand(n) => self.body.operand_range(inst, n as u32),
            Part::Range(range) => range,
        }
    }

    /// The attributes that say which machine the function is compiled for, as written: code that leaves it needs them too.
    pub fn target_attributes(&self) -> Vec<String> {
        let set = AttributeSet::new(self.scope, &self.summary.tables, self.function.attrs, |_| TypeId::ERROR);
        let is_wanted = |key: &str| matches!(key, "target-cpu" | "target-features");
        let wanted = set.strings().filter(|(_, key, _)| is_wanted(key));
        wanted.map(|(_, key, value)| format!("\"{key}\"=\"{value}\"")).collect()
    }

    /// A canonical type as it is written.
    pub fn display_ty(&self, ty: TypeId) -> String {
        self.scope.display_type(&self.types, ty)
    }

    /// An operand's value as the language prints a reference to it; constants as `constant`.
    pub fn display_value(&self, operand: Operand) -> String {
        match operand.value {
            Value::Local(id) => {
                let name = self.body.local(id).map(|l| l.name);
                name.map_or_else(String::new, |n| n.display('%', &self.body.tables.names))
            }
            Value::Global(symbol) => symbol.display('@', &self.body.tables.names),
            _ => "constant".into(),
        }
    }

    pub(crate) fn display_local(&self, symbol: Symbol) -> String {
        symbol.display('%', &self.body.tables.names)
    }

    /// Reports a finding, to which related places and fixes can be added.
    pub fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        push(&mut self.diagnostics, rule, range, message)
    }
}

/// Adds a finding, and gives it back for related places and fixes.
fn push<'d>(
    diagnostics: &'d mut Vec<Diagnostic>,
    rule: &'static Rule,
    range: TextRange,
    message: impl Into<String>,
) -> &'d mut Diagnostic {
    diagnostics.push(Diagnostic::new(rule, range, message));
    let last = diagnostics.len() - 1;
    &mut diagnostics[last]
}

/// The operands of a terminator among which its targets are.
pub(crate) fn targets(body: &Body, inst: &Inst) -> Span {
    body.call(inst).map_or(inst.operands, |call| call.destinations)
}

/// The blocks that a block's terminator names, one for each edge.
pub fn successors(body: &Body, block: u32) -> impl Iterator<Item = u32> {
    let span = body.terminator(block).map_or(Span::default(), |(_, inst)| targets(body, inst));
    body.operands(span).iter().filter_map(|o| body.block_of(*o))
}

/// What rules about a chunk's module-level entities see.
pub struct ModuleContext<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) summary: &'a Summary,
    pub(crate) summary_index: u32,
    /// Ranges side by side with [`Summary::tables`].
    pub(crate) ranges: &'a Ranges,
    pub(crate) lowered: &'a Lowered,
    pub(crate) types: Types,
    type_map: &'a TypeMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> ModuleContext<'a> {
    pub(crate) fn new(lowered: &'a Lowered, scope: &'a Scope, chunk: ChunkId) -> Option<Self> {
        let (summary_index, _) = scope.summary_of(chunk)?;
        Some(ModuleContext {
            scope,
            summary: &lowered.summary,
            summary_index,
            ranges: &lowered.ranges,
            lowered,
            types: Types::on(scope.types.clone()),
            type_map: scope.type_map(summary_index)?,
            diagnostics: Vec::new(),
        })
    }

    /// The canonical type of one that the summary's tables name.
    pub(crate) fn ty(&self, local: TypeId) -> TypeId {
        self.type_map.get(local)
    }

    pub(crate) fn node(&self, value: super::metadata::MdValue) -> Option<NodeRef<'a>> {
        self.scope.resolve(value, &self.summary.tables, Some(self.summary_index))
    }

    /// The range of an entity's name.
    pub(crate) fn item_range(&self, item: u32) -> TextRange {
        self.lowered.items.get(item as usize).copied().unwrap_or_default()
    }

    /// The n-th entry of a named metadata.
    pub(crate) fn entry_range(&self, named: &NamedMetadata, n: usize) -> TextRange {
        let entry = self.ranges.cold.named_metadata_values.get(named.values.start as usize + n);
        entry.copied().unwrap_or_else(|| self.item_range(named.item))
    }

    pub(crate) fn display_ty(&self, ty: TypeId) -> String {
        self.scope.display_type(&self.types, ty)
    }

    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        push(&mut self.diagnostics, rule, range, message)
    }
}

/// One set of tables with canonical types: what the rules about constants and references need, in and out of functions.
pub(crate) struct TablesContext<'a, 'c> {
    pub(crate) scope: &'a Scope,
    pub(crate) tables: &'a Tables,
    pub(crate) ranges: &'a Ranges,
    pub(crate) types: &'c mut Types,
    pub(crate) type_map: &'c TypeMap,
    pub(crate) diagnostics: &'c mut Vec<Diagnostic>,
}

impl<'a> RuleContext<'a> {
    /// The body's own tables.
    pub(crate) fn tables_context(&mut self) -> TablesContext<'a, '_> {
        TablesContext {
            scope: self.scope,
            tables: &self.body.tables,
            ranges: &self.body.ranges,
            types: &mut self.types,
            type_map: &self.type_map,
            diagnostics: &mut self.diagnostics,
        }
    }
}

impl<'a> ModuleContext<'a> {
    /// The summary's tables.
    pub(crate) fn tables_context(&mut self) -> TablesContext<'a, '_> {
        TablesContext {
            scope: self.scope,
            tables: &self.summary.tables,
            ranges: self.ranges,
            types: &mut self.types,
            type_map: self.type_map,
            diagnostics: &mut self.diagnostics,
        }
    }
}

impl TablesContext<'_, '_> {
    #[inline]
    pub(crate) fn ty(&self, local: TypeId) -> TypeId {
        self.type_map.get(local)
    }

    pub(crate) fn display_ty(&self, ty: TypeId) -> String {
        self.scope.display_type(self.types, ty)
    }

    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        push(self.diagnostics, rule, range, message)
    }
}
