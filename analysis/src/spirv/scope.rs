//! The module as all chunks see it: types, constants, decorations, capabilities, entry points, functions.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, Decoration as Deco, ExecutionModel, ExtSet, Extension, Kind, Op,
    StorageClass, extension,
};

use super::code::{Code, Context, Id, Inst, OperandError};
use super::env::Env;
use super::flat::{BROKEN, Flat, FlatOperand, Form, HashedMap, NONE};
use super::literal::NumberType;
use super::lower::Lowered;
use super::ops;
use super::rules::{assembler, layout};
use crate::{ChunkId, Diagnostic, ModuleDiagnostic, Options, TextRange, TextSize};

/// What other chunks see of a chunk.
#[derive(Debug, PartialEq)]
pub enum Summary {
    /// Types, constants, annotations: all of it.
    Preamble {
        flat: Arc<Flat>,
        env: Option<Env>,
    },
    Function(FunctionSummary),
}

/// What other chunks see of a function.
#[derive(Debug, PartialEq)]
pub struct FunctionSummary {
    /// OpFunction alone.
    pub head: Flat,
    /// What the body defines, in order.
    pub defs: Vec<BodyName>,
    /// Hashes of the functions it calls, in order of first call.
    pub calls: Vec<u64>,
    /// Hashes of names that are mentioned and not defined here.
    pub used: Vec<u64>,
    /// Whether there is an OpLabel.
    pub has_body: bool,
    /// Whether OpFunctionEnd is missing.
    pub is_open: bool,
}

/// An id that a function body defines.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyName {
    pub hash: u64,
    pub op: Op,
    /// Hash of the type's name; 0 without a type.
    pub ty: u64,
    /// Index of the defining instruction in its chunk.
    pub inst: u32,
}

/// A decoration of an id or of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoration {
    /// A value of [`Deco`].
    pub kind: u32,
    pub member: Option<u32>,
    /// The instruction in the scope's code that says it.
    pub inst: u32,
    /// Offset of the first parameter word in that instruction.
    pub params: u32,
}

/// An OpEntryPoint.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryPoint {
    pub function: Id,
    pub model: u32,
    pub name: SmolStr,
    pub interface: Vec<Id>,
    pub inst: u32,
}

/// A function with a body or without.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    pub calls: Vec<Id>,
    /// Indices in [`Scope::entry_points`] of those that reach it.
    pub entry_points: Vec<u32>,
    pub has_body: bool,
}

/// An id defined inside a function, mentioned in the preamble.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyDef {
    pub chunk: ChunkId,
    pub op: Op,
    pub ty: Id,
}

/// Relaxations that capabilities, extensions and versions bring.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Features {
    pub declare_int16: bool,
    pub declare_float16: bool,
    pub declare_float8: bool,
    pub declare_int8: bool,
    pub use_int8: bool,
    pub free_fp_rounding_mode: bool,
    pub variable_pointers: bool,
    pub group_ops_reduce_and_scans: bool,
    pub uconvert_spec_constant_op: bool,
    pub allow_local_size_id: bool,
    pub relaxed_block_layout: bool,
}

/// Everything that can be named across chunks.
#[derive(Debug, PartialEq)]
pub struct Scope {
    pub env: Env,
    /// Version word of the module.
    pub version: u32,
    pub code: Code,
    /// Chunk and instruction of each instruction of `code`.
    pub origin: Vec<(ChunkId, u32)>,
    /// First instruction in `code` and number of instructions of each chunk.
    pub chunks: FxHashMap<ChunkId, (u32, u32)>,
    pub names: HashedMap<Id>,
    /// Names by id, without `%`.
    pub texts: Vec<SmolStr>,
    /// Defining instruction in `code` by id, or [`NONE`].
    pub defs: Vec<u32>,
    pub bodies: FxHashMap<Id, BodyDef>,
    decoration_starts: Vec<u32>,
    decorations: Vec<Decoration>,
    capabilities: Vec<u64>,
    extensions: Vec<u64>,
    pub features: Features,
    /// Values of [`AddressingModel`] and of the memory model.
    pub addressing_model: u32,
    pub memory_model: Option<u32>,
    pub entry_points: Vec<EntryPoint>,
    /// Execution modes by function: mode and the instruction that sets it.
    pub modes: FxHashMap<Id, Vec<(u32, u32)>>,
    pub functions: FxHashMap<Id, Function>,
    /// Entry points, by index, that use a global variable.
    references: FxHashMap<Id, Vec<u32>>,
    /// Pointer types to PhysicalStorageBuffer that some value is of.
    physical_pointers: Vec<Id>,
    /// The OpName of ids.
    pub debug_names: FxHashMap<Id, u32>,
    /// Ids of OpTypeForwardPointer.
    pub forward_pointers: Vec<Id>,
    /// Instructions in `code` whose operands could not be encoded.
    pub operand_errors: Vec<(u32, OperandError)>,
    pub diagnostics: Vec<ModuleDiagnostic>,
}

/// See the dialect's contract.
pub fn summarize(lowered: &Lowered) -> Summary {
    let flat = &lowered.flat;
    if !flat.is_function() || flat.insts.iter().filter(|i| i.op == Op::Function).count() > 1 {
        return Summary::Preamble { flat: flat.clone(), env: lowered.env };
    }
    let hash = |name: u32| flat.names.get(name as usize).map_or(0, |n| n.hash);
    let mut calls = Vec::new();
    let (mut has_body, mut is_open) = (false, true);
    let mut defs = Vec::new();
    for (index, inst) in flat.insts.iter().enumerate() {
        match inst.op {
            Op::Label => has_body = true,
            Op::FunctionEnd => is_open = false,
            Op::FunctionCall => {
                if let Some(callee) = flat.operands_of(inst).get(2).filter(|o| o.form == Form::Id) {
                    let callee = hash(callee.value);
                    if !calls.contains(&callee) {
                        calls.push(callee);
                    }
                }
            }
            _ => {}
        }
        if inst.result != NONE && index > 0 {
            let ty = if inst.ty == NONE { 0 } else { hash(inst.ty) };
            defs.push(BodyName { hash: hash(inst.result), op: inst.op, ty, inst: index as u32 });
        }
    }
    let used = flat.names.iter().filter(|n| n.def == NONE).map(|n| n.hash).collect();
    Summary::Function(FunctionSummary { head: head(flat), defs, calls, used, has_body, is_open })
}

/// The first instruction on its own.
fn head(flat: &Flat) -> Flat {
    let mut head = Flat::default();
    let Some(first) = flat.insts.first() else { return head };
    let mut name = |local: u32| -> u32 {
        match flat.names.get(local as usize) {
            Some(n) => {
                head.names.push(super::flat::Name { def: NONE, ..n.clone() });
                head.names.len() as u32 - 1
            }
            None => NONE,
        }
    };
    let operands: Vec<FlatOperand> = flat
        .operands_of(first)
        .iter()
        .map(|o| if o.form == Form::Id { FlatOperand { value: name(o.value), ..*o } } else { *o })
        .collect();
    let of = |kind: Kind| operands.iter().find(|o| o.kind == kind).map_or(NONE, |o| o.value);
    let inst = super::flat::FlatInst { first: 0, ty: of(Kind::TypeId), result: of(Kind::ResultId), ..*first };
    head.insts.push(inst);
    head.operands = operands;
    head
}

/// Builds the module from its chunks, in order.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let named = summaries.iter().find_map(|(_, s)| match &**s {
        Summary::Preamble { env, .. } => *env,
        Summary::Function(_) => None,
    });
    let env =
        named.or_else(|| options.target_env.as_deref().and_then(Env::from_name)).unwrap_or(Env::Universal16);
    let mut scope = Scope::new(env);
    for (chunk, summary) in summaries {
        match &**summary {
            Summary::Preamble { flat, .. } => scope.add(*chunk, flat),
            Summary::Function(function) => scope.add(*chunk, &function.head),
        }
    }
    scope.find_bodies(summaries);
    scope.read_preamble();
    scope.read_functions(summaries);
    scope.read_uses(summaries);
    scope.gather_decorations();
    layout::module(&mut scope, summaries);
    super::rules::types::unique(&mut scope);
    for (at, rule, message) in super::rules::check_module(&scope) {
        scope.report(at, rule, message);
    }
    scope
}

impl Scope {
    fn new(env: Env) -> Scope {
        let features = Features {
            relaxed_block_layout: env.is_vulkan() && env != Env::Vulkan10,
            allow_local_size_id: !matches!(
                env,
                Env::Vulkan10 | Env::Vulkan11 | Env::Vulkan11Spirv14 | Env::Vulkan12
            ),
            uconvert_spec_constant_op: env.version() >= 0x10400,
            ..Features::default()
        };
        Scope {
            env,
            version: env.version(),
            code: Code::default(),
            origin: Vec::new(),
            chunks: FxHashMap::default(),
            names: HashedMap::default(),
            texts: Vec::new(),
            defs: Vec::new(),
            bodies: FxHashMap::default(),
            decoration_starts: Vec::new(),
            decorations: Vec::new(),
            capabilities: vec![0; 128],
            extensions: vec![0; 8],
            features,
            addressing_model: AddressingModel::Logical,
            memory_model: None,
            entry_points: Vec::new(),
            modes: FxHashMap::default(),
            functions: FxHashMap::default(),
            references: FxHashMap::default(),
            physical_pointers: Vec::new(),
            debug_names: FxHashMap::default(),
            forward_pointers: Vec::new(),
            operand_errors: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Reports a finding about an instruction of `code`.
    pub fn report(&mut self, inst: u32, rule: &'static crate::Rule, message: impl Into<String>) {
        if let Some((chunk, item)) = self.origin.get(inst as usize).copied() {
            self.report_at(chunk, item, rule, message);
        }
    }

    /// Reports a finding about the `item`-th instruction of a chunk.
    pub fn report_at(
        &mut self,
        chunk: ChunkId,
        item: u32,
        rule: &'static crate::Rule,
        message: impl Into<String>,
    ) {
        let diagnostic = Diagnostic::new(rule, TextRange::empty(TextSize::new(0)), message);
        self.diagnostics.push(ModuleDiagnostic { chunk, item, diagnostic });
    }

    fn add(&mut self, chunk: ChunkId, flat: &Flat) {
        let ids: Vec<Id> = flat
            .names
            .iter()
            .map(|name| {
                let next = self.texts.len() as u32;
                let id = *self.names.entry(name.hash).or_insert(next);
                if id == next {
                    self.texts.push(name.text.clone());
                    self.defs.push(NONE);
                }
                id
            })
            .collect();
        let first = self.code.insts.len() as u32;
        for (index, inst) in flat.insts.iter().enumerate() {
            let context = self.context(flat, inst, &ids);
            let at = self.code.insts.len() as u32;
            self.origin.push((chunk, index as u32));
            if let Err(error) = self.code.append(flat, inst, &ids, context) {
                self.operand_errors.push((at, error));
            }
            let Some(result) = ids.get(inst.result as usize).copied() else { continue };
            let Some(slot) = self.defs.get_mut(result as usize) else { continue };
            if *slot == NONE {
                *slot = at;
            } else {
                let message = format!("`%{}` is defined a second time", flat.name(inst.result));
                self.report_at(chunk, index as u32, &assembler::REDEFINED_ID, message);
            }
        }
        self.chunks.insert(chunk, (first, self.code.insts.len() as u32 - first));
    }

    fn context(&self, flat: &Flat, inst: &super::flat::FlatInst, ids: &[Id]) -> Context {
        let id = |local: u32| ids.get(local as usize).copied().unwrap_or(NONE);
        match inst.op {
            Op::Constant | Op::SpecConstant => Context { number: self.number_type(id(inst.ty)), set: None },
            Op::Switch => {
                let selector = flat.operands_of(inst).first().map_or(NONE, |o| id(o.value));
                let ty = self.def(selector).map_or(NONE, Inst::ty);
                Context { number: self.number_type(ty), set: None }
            }
            Op::ExtInst | Op::ExtInstWithForwardRefsKHR => {
                let set = flat.operands_of(inst).get(2).map_or(NONE, |o| id(o.value));
                Context { number: None, set: self.import(set) }
            }
            _ => Context::default(),
        }
    }

    /// The number type that an OpTypeInt or OpTypeFloat declares.
    pub fn number_type(&self, ty: Id) -> Option<NumberType> {
        let def = self.def(ty)?;
        match def.op() {
            Op::TypeInt => Some(NumberType::Int { width: def.word(2), signed: def.word(3) != 0 }),
            Op::TypeFloat => Some(NumberType::Float { width: def.word(2), encoding: def.opt_operand(2) }),
            _ => None,
        }
    }

    /// The set that an OpExtInstImport imports.
    pub fn import(&self, id: Id) -> Option<ExtSet> {
        let def = self.def(id).filter(|d| d.op() == Op::ExtInstImport)?;
        ExtSet::from_import(&def.string(1))
    }

    /// The instruction in `code` that defines an id; `None` also for one that could not be understood.
    pub fn def(&self, id: Id) -> Option<Inst<'_>> {
        self.code.inst(*self.defs.get(id as usize)?).filter(|i| i.is_whole())
    }

    fn find_bodies(&mut self, summaries: &[(ChunkId, Arc<Summary>)]) {
        let mut seen: HashedMap<ChunkId> = HashedMap::default();
        for (chunk, summary) in summaries {
            let Summary::Function(function) = &**summary else { continue };
            for def in &function.defs {
                let known = self.names.get(&def.hash).copied();
                let global = known.is_some_and(|id| self.defs.get(id as usize).is_some_and(|d| *d != NONE));
                if global || seen.insert(def.hash, *chunk).is_some() {
                    let message = "this id is defined a second time";
                    self.report_at(*chunk, def.inst, &assembler::REDEFINED_ID, message);
                } else if let Some(id) = known {
                    let ty = self.names.get(&def.ty).copied().unwrap_or(NONE);
                    self.bodies.insert(id, BodyDef { chunk: *chunk, op: def.op, ty });
                }
            }
        }
    }

    fn read_preamble(&mut self) {
        let code = std::mem::take(&mut self.code);
        for inst in code.iter().filter(|i| i.is_whole()) {
            match inst.op() {
                Op::Capability => self.add_capability(inst.operand(0)),
                Op::Extension => {
                    if let Some(known) = extension(&inst.string(0)) {
                        self.add_extension(known);
                    }
                }
                Op::MemoryModel if self.memory_model.is_none() => {
                    self.addressing_model = inst.operand(0);
                    self.memory_model = Some(inst.operand(1));
                }
                Op::EntryPoint => self.entry_points.push(EntryPoint {
                    function: inst.operand(1),
                    model: inst.operand(0),
                    name: inst.string(2),
                    interface: (3..inst.count()).map(|i| inst.operand(i)).collect(),
                    inst: inst.at,
                }),
                Op::ExecutionMode | Op::ExecutionModeId => {
                    self.modes.entry(inst.operand(0)).or_default().push((inst.operand(1), inst.at));
                }
                Op::Name => {
                    self.debug_names.insert(inst.operand(0), inst.at);
                }
                Op::TypeForwardPointer => self.forward_pointers.push(inst.operand(0)),
                _ => {}
            }
        }
        self.code = code;
    }

    fn add_capability(&mut self, capability: u32) {
        let (slot, bit) = (capability as usize / 64, 1u64 << (capability % 64));
        match self.capabilities.get_mut(slot) {
            Some(word) if *word & bit == 0 => *word |= bit,
            _ => return,
        }
        for implied in Kind::Capability.valued(capability).map_or(&[][..], |e| e.capabilities) {
            self.add_capability(*implied);
        }
        let f = &mut self.features;
        match capability {
            Capability::Kernel => f.group_ops_reduce_and_scans = true,
            Capability::Int8 => (f.use_int8, f.declare_int8) = (true, true),
            Capability::StorageBuffer8BitAccess
            | Capability::UniformAndStorageBuffer8BitAccess
            | Capability::StoragePushConstant8
            | Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR => f.declare_int8 = true,
            Capability::Int16 => f.declare_int16 = true,
            Capability::Float16 | Capability::Float16Buffer => f.declare_float16 = true,
            Capability::Float8EXT => f.declare_float8 = true,
            Capability::StorageUniformBufferBlock16
            | Capability::StorageUniform16
            | Capability::StoragePushConstant16
            | Capability::StorageInputOutput16
            | Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR => {
                (f.declare_int16, f.declare_float16, f.free_fp_rounding_mode) = (true, true, true);
            }
            Capability::VariablePointers | Capability::VariablePointersStorageBuffer => {
                f.variable_pointers = true;
            }
            _ => {}
        }
    }

    fn add_extension(&mut self, extension: u16) {
        if let Some(word) = self.extensions.get_mut(usize::from(extension) / 64) {
            *word |= 1 << (extension % 64);
        }
        match extension {
            Extension::SPV_AMD_gpu_shader_half_float | Extension::SPV_AMD_gpu_shader_half_float_fetch => {
                self.features.declare_float16 = true;
            }
            Extension::SPV_AMD_gpu_shader_int16 => self.features.uconvert_spec_constant_op = true,
            Extension::SPV_AMD_shader_ballot => self.features.group_ops_reduce_and_scans = true,
            _ => {}
        }
    }

    pub fn has_capability(&self, capability: u32) -> bool {
        self.capabilities.get(capability as usize / 64).is_some_and(|w| w >> (capability % 64) & 1 == 1)
    }

    pub fn has_extension(&self, extension: u16) -> bool {
        self.extensions.get(usize::from(extension) / 64).is_some_and(|w| w >> (extension % 64) & 1 == 1)
    }

    fn read_functions(&mut self, summaries: &[(ChunkId, Arc<Summary>)]) {
        for (chunk, summary) in summaries {
            let Some((first, count)) = self.chunks.get(chunk).copied() else { continue };
            match &**summary {
                Summary::Function(function) => {
                    let Some(id) = self.code.inst(first).map(Inst::id) else { continue };
                    let calls = function.calls.iter().filter_map(|h| self.names.get(h).copied()).collect();
                    let entry_points = Vec::new();
                    self.functions.insert(id, Function { calls, entry_points, has_body: function.has_body });
                }
                Summary::Preamble { .. } => {
                    let mut current: Option<Id> = None;
                    for at in first..first + count {
                        let Some(inst) = self.code.inst(at) else { continue };
                        match (inst.op(), current) {
                            (Op::Function, _) => {
                                current = Some(inst.id());
                                self.functions.entry(inst.id()).or_default();
                            }
                            (Op::Label, Some(id)) => {
                                self.functions.entry(id).or_default().has_body = true;
                            }
                            (Op::FunctionCall, Some(id)) => {
                                let callee = inst.operand(2);
                                self.functions.entry(id).or_default().calls.push(callee);
                            }
                            (Op::FunctionEnd, _) => current = None,
                            _ => {}
                        }
                    }
                }
            }
        }
        for index in 0..self.entry_points.len() {
            let mut work = vec![self.entry_points[index].function];
            while let Some(id) = work.pop() {
                let Some(function) = self.functions.get_mut(&id) else { continue };
                if function.entry_points.last() != Some(&(index as u32)) {
                    function.entry_points.push(index as u32);
                    work.extend(&function.calls);
                }
            }
        }
    }

    /// Which entry points use which global variables, and which pointer types to physical storage are used.
    fn read_uses(&mut self, summaries: &[(ChunkId, Arc<Summary>)]) {
        let mut used: FxHashMap<Id, Vec<Id>> = FxHashMap::default();
        let mut types: rustc_hash::FxHashSet<Id> = rustc_hash::FxHashSet::default();
        let is_variable = |scope: &Scope, id: Id| {
            scope.def(id).is_some_and(|d| matches!(d.op(), Op::Variable | Op::UntypedVariableKHR))
        };
        for (chunk, summary) in summaries {
            let Some((first, count)) = self.chunks.get(chunk).copied() else { continue };
            match &**summary {
                Summary::Function(function) => {
                    let Some(id) = self.code.inst(first).map(Inst::id) else { continue };
                    for variable in function.used.iter().filter_map(|h| self.names.get(h).copied()) {
                        if is_variable(self, variable) {
                            used.entry(variable).or_default().push(id);
                        }
                    }
                    types.extend(function.defs.iter().filter_map(|d| self.names.get(&d.ty).copied()));
                }
                Summary::Preamble { .. } => {
                    let mut current = None;
                    for inst in (first..first + count).filter_map(|at| self.code.inst(at)) {
                        match inst.op() {
                            Op::Function => current = Some(inst.id()),
                            Op::FunctionEnd => current = None,
                            _ => {}
                        }
                        if inst.ty() != NONE && inst.op() != Op::Variable {
                            types.insert(inst.ty());
                        }
                        let Some(function) = current else { continue };
                        for (_, _, id) in inst.ids() {
                            if is_variable(self, id) {
                                used.entry(id).or_default().push(function);
                            }
                        }
                    }
                }
            }
        }
        for (variable, functions) in used {
            let mut entries: Vec<u32> = functions
                .iter()
                .filter_map(|f| self.functions.get(f))
                .flat_map(|f| f.entry_points.iter().copied())
                .collect();
            entries.sort_unstable();
            entries.dedup();
            self.references.insert(variable, entries);
        }
        let physical = |id: &Id| {
            self.def(*id).is_some_and(|d| {
                d.op() == Op::TypePointer && d.operand(1) == StorageClass::PhysicalStorageBuffer
            })
        };
        self.physical_pointers = types.into_iter().filter(physical).collect();
        self.physical_pointers.sort_unstable();
    }

    /// Entry points, by index, that use a global variable in the functions they reach.
    pub fn references(&self, variable: Id) -> &[u32] {
        self.references.get(&variable).map_or(&[], Vec::as_slice)
    }

    /// Pointer types to PhysicalStorageBuffer that some value is of, ascending.
    pub fn physical_pointers(&self) -> impl Iterator<Item = Id> {
        self.physical_pointers.iter().copied()
    }

    fn gather_decorations(&mut self) {
        let code = std::mem::take(&mut self.code);
        let mut found: Vec<(Id, Decoration)> = Vec::new();
        let mut groups: FxHashMap<Id, Vec<Decoration>> = FxHashMap::default();
        let is_group = |id: Id| {
            self.defs
                .get(id as usize)
                .and_then(|d| code.inst(*d))
                .is_some_and(|d| d.op() == Op::DecorationGroup)
        };
        for inst in code.iter().filter(|i| i.is_whole() && ops::is_decoration(i.op())) {
            let target = inst.operand(0);
            match inst.op() {
                Op::Decorate | Op::DecorateId | Op::DecorateString => {
                    let d = Decoration { kind: inst.word(2), member: None, inst: inst.at, params: 3 };
                    if is_group(target) {
                        groups.entry(target).or_default().push(d);
                    }
                    found.push((target, d));
                }
                Op::MemberDecorate | Op::MemberDecorateString => {
                    let member = Some(inst.word(2));
                    let d = Decoration { kind: inst.word(3), member, inst: inst.at, params: 4 };
                    found.push((target, d));
                }
                Op::GroupDecorate => {
                    let group = groups.get(&target).map_or(&[][..], Vec::as_slice);
                    for id in (1..inst.count()).map(|i| inst.operand(i)) {
                        found.extend(group.iter().map(|d| (id, *d)));
                    }
                }
                Op::GroupMemberDecorate => {
                    let group = groups.get(&target).map_or(&[][..], Vec::as_slice);
                    for i in (1..inst.count()).step_by(2) {
                        let member = inst.opt_operand(i + 1);
                        found.extend(group.iter().map(|d| (inst.operand(i), Decoration { member, ..*d })));
                    }
                }
                _ => {}
            }
        }
        self.code = code;
        let count = self.texts.len();
        let mut starts = vec![0u32; count + 2];
        for (id, _) in &found {
            if let Some(s) = starts.get_mut(*id as usize + 1) {
                *s += 1;
            }
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        found.sort_by_key(|(id, _)| *id);
        found.retain(|(id, _)| (*id as usize) < count);
        self.decoration_starts = starts;
        self.decorations = found.into_iter().map(|(_, d)| d).collect();
    }

    /// All decorations of an id and of its members.
    pub fn decorations(&self, id: Id) -> &[Decoration] {
        let id = id as usize;
        match (self.decoration_starts.get(id), self.decoration_starts.get(id + 1)) {
            (Some(from), Some(to)) => self.decorations.get(*from as usize..*to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The words that follow a decoration's kind.
    pub fn params(&self, decoration: &Decoration) -> &[u32] {
        let words = self.code.inst(decoration.inst).map_or(&[][..], Inst::words);
        words.get(decoration.params as usize..).unwrap_or(&[])
    }

    /// Whether the id itself (no member) carries a decoration.
    pub fn has_decoration(&self, id: Id, kind: u32) -> bool {
        self.decorations(id).iter().any(|d| d.kind == kind && d.member.is_none())
    }

    /// The built-in that decorates an id.
    pub fn builtin(&self, id: Id) -> Option<u32> {
        let d = self.decorations(id).iter().find(|d| d.kind == Deco::BuiltIn && d.member.is_none())?;
        self.params(d).first().copied()
    }

    /// Execution modes set for a function.
    pub fn modes_of(&self, function: Id) -> &[(u32, u32)] {
        self.modes.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The models of the entry points that reach a function.
    pub fn models_of(&self, function: Id) -> impl Iterator<Item = u32> {
        let entries = self.functions.get(&function).map_or(&[][..], |f| f.entry_points.as_slice());
        entries.iter().filter_map(|e| self.entry_points.get(*e as usize)).map(|e| e.model)
    }

    /// Whether an instruction of `code` could not be understood.
    pub fn is_broken(&self, id: Id) -> bool {
        self.defs
            .get(id as usize)
            .and_then(|d| self.code.insts.get(*d as usize))
            .is_some_and(|i| i.flags & BROKEN != 0)
    }
}

/// A name for an execution model.
pub fn model_name(model: u32) -> &'static str {
    Kind::ExecutionModel.valued(model).map_or("unknown", |e| e.name)
}

/// The model that most rules are about.
pub const FRAGMENT: u32 = ExecutionModel::Fragment;
