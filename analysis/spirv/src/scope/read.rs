//! Building a module from its chunks.

use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_syntax::spirv::tables::{
    BuiltIn, Capability, Decoration as Deco, ExecutionMode, ExtSet, Instruction, Kind, Op, Quantifier,
    StorageClass, extension,
};
use wavelens_syntax::wording;

use super::calls::CallGraph;
use super::summary::{BodyName, is_of_body};
use super::{BodyDef, Decoration, EntryPoint, FEW_DECORATIONS, Function, Scope, Site, Summary};
use crate::code::{Context, Id, Inst};
use crate::flat::{Flat, FlatInst, HashedMap, NONE, OPEN_END, PassThrough};
use crate::lower::rules::{LIMIT, REDEFINED_ID};
use crate::ops;
use crate::rules::extensions;
use crate::tables::extensions::facts;
use wavelens_base::{ChunkId, Diagnostic, ModuleDiagnostic, TextRange, TextSize};

/// So many copies of the decorations of groups are made for what they decorate.
const GROUP_COPIES: usize = 1_000_000;

/// A set of hashes that may claim to hold one that it does not hold: small enough for the processor's cache.
struct Filter(Vec<u64>);

impl Filter {
    /// For so many hashes.
    fn new(count: usize) -> Filter {
        Filter(vec![0; (count / 4).next_power_of_two()])
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & (self.0.len() - 1), 1 << (hash & 63))
    }

    /// Whether the hash is new for certain.
    fn insert(&mut self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    fn contains(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.0[word] & bit != 0
    }
}

impl Scope {
    pub(super) fn add(&mut self, chunk: ChunkId, flat: &Flat) {
        let ids: Vec<Id> = flat
            .names
            .iter()
            .zip(0..)
            .map(|(name, index)| {
                let next = self.texts.len() as u32;
                let id = *self.names.entry(name.hash).or_insert(next);
                if id == next {
                    self.texts.push(SmolStr::new(flat.name(index)));
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
            self.first_operands.push(inst.first);
            if let Err(error) = self.code.append(flat, inst, &ids, context) {
                self.operand_errors.push((at, error));
            }
            let Some(result) = ids.get(inst.result as usize).copied() else { continue };
            let Some(slot) = self.defs.get_mut(result as usize) else { continue };
            if *slot == NONE {
                *slot = at;
                let import = self.def(result).filter(|def| def.op() == Op::ExtInstImport);
                if let Some(set) = import.and_then(|import| ExtSet::from_import(&import.string(1))) {
                    self.imports.insert(result, set);
                }
            } else {
                let before = *slot;
                let first = self.origin.get(before as usize).copied();
                let message = format!("redefinition of `%{}`", flat.name(inst.result));
                self.redefined.insert(result);
                self.report_at(chunk, index as u32, &REDEFINED_ID, message);
                if let Some(first) = first {
                    self.relate(first, wording::PREVIOUS);
                }
                // The assembler notices a second type after it has looked for more operands.
                if inst.flags & OPEN_END != 0 && self.is_type_at(Some(at)) && self.is_type_at(Some(before)) {
                    self.relate((chunk, index as u32 + 1), wording::SPIRV_REFERENCE);
                }
            }
        }
        self.chunks.insert(chunk, (first, self.code.insts.len() as u32 - first));
    }

    fn is_type_at(&self, at: Option<u32>) -> bool {
        at.and_then(|at| self.code.inst(at)).is_some_and(|inst| ops::generates_type(inst.op()))
    }

    fn context(&self, flat: &Flat, inst: &FlatInst, ids: &[Id]) -> Context {
        let id = |local: u32| ids.get(local as usize).copied().unwrap_or(NONE);
        match inst.op {
            Op::Constant | Op::SpecConstant => Context { number: self.number_type(id(inst.ty)), set: None },
            Op::Switch => {
                let selector = flat.operands_of(inst).first().map_or(NONE, |o| id(o.value));
                let ty = self.encoded(selector).map_or(NONE, Inst::ty);
                Context { number: self.number_type(ty), set: None }
            }
            Op::ExtInst | Op::ExtInstWithForwardRefsKHR => {
                let set = flat.operands_of(inst).get(2).map_or(NONE, |o| id(o.value));
                Context { number: None, set: self.import(set) }
            }
            _ => Context::default(),
        }
    }

    pub(super) fn find_bodies(&mut self, summaries: &[(ChunkId, Arc<Summary>)]) {
        let functions = || {
            summaries.iter().filter_map(|(chunk, summary)| match &**summary {
                Summary::Function(function) => Some((*chunk, function)),
                Summary::Preamble { .. } => None,
            })
        };
        // Most names of bodies are defined once and mentioned nowhere else.
        let count =
            self.names.len() + functions().map(|(_, function)| function.defs.at_most()).sum::<usize>();
        let again_of_half = |half: u64| -> HashSet<u64, PassThrough> {
            let is_own = |hash: &u64| hash >> 63 == half;
            let mut filter = Filter::new(count / 2);
            self.names.keys().copied().filter(is_own).for_each(|hash| _ = filter.insert(hash));
            let defs = functions().flat_map(|(_, function)| function.defs.hashes());
            defs.filter(is_own).filter(|hash| !filter.insert(*hash)).collect()
        };
        let (mut again, rest) = rayon::join(|| again_of_half(0), || again_of_half(1));
        again.extend(rest);
        if again.is_empty() {
            return;
        }
        let mut again_filter = Filter::new(again.len());
        again.iter().for_each(|hash| _ = again_filter.insert(*hash));
        let mut seen: HashedMap<Site> = HashedMap::default();
        let mut next_module = None;
        for (chunk, function) in functions() {
            // Another module in the file defines its own ids.
            let end = if next_module.is_some() { Some(0) } else { function.next_module };
            next_module = next_module.or(function.next_module);
            for def in function.defs.iter().filter(|def| again_filter.contains(def.hash)) {
                let is_own = end.is_none_or(|end| def.inst < end) || self.names.contains_key(&def.hash);
                if is_own && again.contains(&def.hash) {
                    self.add_body(chunk, &def, &mut seen);
                }
            }
        }
    }

    fn add_body(&mut self, chunk: ChunkId, def: &BodyName, seen: &mut HashedMap<Site>) {
        let known = self.names.get(&def.hash).copied();
        let before = known.and_then(|id| self.defs.get(id as usize)).copied().filter(|d| *d != NONE);
        let global = before.and_then(|d| self.origin.get(d as usize).copied());
        if let Some(first) = global.or_else(|| seen.insert(def.hash, (chunk, def.inst))) {
            // A function's check finds what the function itself defines twice.
            if first.0 != chunk {
                let Some(name) = known.and_then(|id| self.texts.get(id as usize)) else {
                    self.redefined_in_bodies.entry(chunk).or_default().push((def.inst, first));
                    return;
                };
                let message = wording::redefinition(format_args!("%{name}"));
                self.redefined.extend(known);
                self.report_at(chunk, def.inst, &REDEFINED_ID, message);
                self.relate(first, wording::PREVIOUS);
                let is_open = |info: &Instruction| {
                    info.operands.last().is_some_and(|o| o.quantifier != Quantifier::One)
                };
                if def.op.info().is_some_and(is_open)
                    && ops::generates_type(def.op)
                    && self.is_type_at(before)
                {
                    self.relate((chunk, def.inst + 1), wording::SPIRV_REFERENCE);
                }
            }
        } else if let Some(id) = known {
            let ty = self.names.get(&def.ty).copied().unwrap_or(NONE);
            self.bodies.insert(id, BodyDef { chunk, op: def.op, ty });
        }
    }

    pub(super) fn read_preamble(&mut self) {
        let code = std::mem::take(&mut self.code);
        for inst in code.iter().filter(|i| i.is_broken()) {
            self.features.unread_line |= inst.id() == NONE;
            self.features.unknown_line |= inst.id() == NONE && inst.op() == Op::Nop;
            self.features.unread_mode |= matches!(inst.op(), Op::ExecutionMode | Op::ExecutionModeId);
            let meant = (0..inst.count()).filter(|i| inst.kind(*i) == Some(Kind::Capability));
            meant.for_each(|i| self.add_capability(inst.operand(i)));
        }
        self.features.unread_mode |= self.features.unknown_line;
        for inst in code.iter() {
            match inst.op() {
                Op::EntryPoint => self.features.unread_entry_point |= !inst.is_whole(),
                // Whether there is one is known when the module is specialized; those of graphs are not looked into.
                Op::ConditionalEntryPointINTEL | Op::GraphEntryPointARM => {
                    self.features.unread_entry_point = true;
                }
                Op::Decorate => {
                    self.features.workgroup_size |=
                        inst.operand(1) == Deco::BuiltIn && inst.operand(2) == BuiltIn::WorkgroupSize;
                }
                op if ops::generates_type(op) => {
                    self.contents.add(inst);
                    let is_first = self.defs.get(inst.id() as usize) == Some(&inst.at);
                    if op == Op::TypeStruct && inst.is_definite() && is_first {
                        let members = inst.words().get(2..).unwrap_or_default().iter();
                        let inner = members.filter_map(|id| self.structure_depths.get(id)).max();
                        let depth = 1 + inner.copied().unwrap_or(0);
                        self.structure_depths.insert(inst.id(), depth);
                    }
                }
                _ => {}
            }
        }
        let mut entry_points = FxHashSet::default();
        for inst in code.iter().filter(|i| i.is_whole()) {
            match inst.op() {
                Op::Capability => self.add_capability(inst.operand(0)),
                Op::Extension => {
                    if let Some(known) = extension(&inst.string(0)) {
                        self.add_extension(known);
                    }
                }
                Op::MemoryModel if self.memory_model.is_none() => {
                    self.addressing_model = Some(inst.operand(0));
                    self.memory_model = Some(inst.operand(1));
                }
                Op::EntryPoint => {
                    let (model, name) = (inst.operand(0), inst.string(2));
                    self.entry_points.push(EntryPoint {
                        function: inst.operand(1),
                        model,
                        is_redefinition: !entry_points.insert((model, name.clone())),
                        name,
                        interface: (3..inst.count()).map(|i| inst.operand(i)).collect(),
                        inst: inst.at,
                    });
                }
                Op::ExecutionMode | Op::ExecutionModeId => {
                    self.features.fast_math_default |= inst.operand(1) == ExecutionMode::FPFastMathDefault;
                    self.features.local_size_id |= inst.operand(1) == ExecutionMode::LocalSizeId;
                    self.modes.entry(inst.operand(0)).or_default().add(inst);
                }
                Op::Name => {
                    self.debug_names.insert(inst.operand(0), inst.at);
                }
                Op::MemberName => {
                    self.member_names.insert((inst.operand(0), inst.operand(1)), inst.at);
                }
                Op::TypeForwardPointer => _ = self.forward_pointers.insert(inst.operand(0)),
                _ => {}
            }
        }
        let is_unread = || self.features.unknown_line || code.iter().any(|inst| inst.op() == Op::MemoryModel);
        if self.memory_model.is_none() && is_unread() {
            self.addressing_model = None;
        }
        let is_declaration = |op: Op| matches!(op, Op::Nop | Op::Capability | Op::Extension);
        let is_read =
            |inst: Inst<'_>| inst.is_whole() && (inst.op() == Op::Nop || !inst.operands().is_empty());
        self.features.unread_declaration =
            code.iter().take_while(|inst| is_declaration(inst.op())).any(|inst| !is_read(inst));
        // Each once: 16,000 of both took 16 s.
        let capabilities = code.iter().filter(|inst| inst.is_whole() && inst.op() == Op::Capability);
        let mut capabilities: Vec<u32> = capabilities.map(|inst| inst.operand(0)).collect();
        capabilities.sort_unstable();
        capabilities.dedup();
        for inst in code.iter().filter(|inst| inst.is_whole() && inst.op() == Op::Extension) {
            if let Some(near) = extensions::misspelled(self, &inst.string(0))
                && !self.misspelled_extensions.contains(&near)
                && capabilities.iter().any(|user| extensions::is_needed(self, near, *user))
            {
                self.misspelled_extensions.push(near);
            }
        }
        self.code = code;
    }

    /// Whether a line among the capabilities and extensions may declare what seems to be missing: it could not be read, or its extension
    /// is not known and may be another one misspelt.
    pub fn has_unknown_declaration(&self) -> bool {
        if self.features.unread_declaration {
            return true;
        }
        let mut extensions = self.code.iter().filter(|inst| inst.is_whole() && inst.op() == Op::Extension);
        extensions.any(|inst| !extensions::is_known(&inst.string(0)))
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
            Capability::Float8EXT | Capability::Float8UnsignedE8M0EXT | Capability::MXInt8EXT => {
                f.declare_float8 = true;
            }
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
        if let Some(facts) = facts(extension) {
            (facts.enable)(&mut self.features);
        }
    }

    pub(super) fn read_functions(&mut self, summaries: &[(ChunkId, Arc<Summary>)]) {
        for (chunk, summary) in summaries {
            let Some((first, count)) = self.chunks.get(chunk).copied() else { continue };
            match &**summary {
                Summary::Function(function) => {
                    let Some(id) = self.code.inst(first).map(Inst::id) else { continue };
                    let calls = function.calls.iter().filter_map(|h| self.names.get(h).copied()).collect();
                    let function = Function { calls, has_body: function.has_body, ..Function::default() };
                    self.functions.insert(id, function);
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
                            (Op::FunctionEnd, _) => current = None,
                            (op, Some(id)) => {
                                let function = self.functions.entry(id).or_default();
                                function.has_body |= is_of_body(op);
                                if op == Op::FunctionCall {
                                    function.calls.push(inst.operand(2));
                                }
                            }
                            (_, None) => {}
                        }
                    }
                }
            }
        }
    }

    /// Which entry points use which global variables and built-in constants, and which pointer types to physical storage are used.
    pub(super) fn read_uses(&mut self, graph: &CallGraph, summaries: &[(ChunkId, Arc<Summary>)]) {
        let mut used: FxHashMap<Id, Vec<Id>> = FxHashMap::default();
        let mut types: FxHashSet<Id> = FxHashSet::default();
        for (chunk, summary) in summaries {
            let Some((first, count)) = self.chunks.get(chunk).copied() else { continue };
            match &**summary {
                Summary::Function(function) => {
                    let Some(id) = self.code.inst(first).map(Inst::id) else { continue };
                    for variable in function.used.iter().filter_map(|h| self.names.get(h).copied()) {
                        if self.is_tracked(variable) {
                            used.entry(variable).or_default().push(id);
                        }
                    }
                    types.extend(function.types.iter().filter_map(|ty| self.names.get(ty).copied()));
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
                            if self.is_tracked(id) {
                                used.entry(id).or_default().push(function);
                            }
                        }
                    }
                }
            }
        }
        self.read_references(graph, used);
        self.physical_pointers = types.into_iter().filter(|id| self.is_physical_pointer(*id)).collect();
        self.physical_pointers.sort_unstable();
    }

    /// Whether it is known which entry points use an id.
    pub(super) fn is_tracked(&self, id: Id) -> bool {
        self.def(id).is_some_and(|d| match d.op() {
            Op::Variable | Op::UntypedVariableKHR => true,
            Op::ConstantComposite | Op::SpecConstantComposite => self.builtin(id).is_some(),
            _ => false,
        })
    }

    pub(super) fn is_physical_pointer(&self, id: Id) -> bool {
        self.def(id)
            .is_some_and(|d| d.op() == Op::TypePointer && d.operand(1) == StorageClass::PhysicalStorageBuffer)
    }

    pub(super) fn gather_decorations(&mut self) {
        let code = std::mem::take(&mut self.code);
        let mut found: Vec<(Id, Decoration)> = Vec::new();
        let mut groups: FxHashMap<Id, Vec<Decoration>> = FxHashMap::default();
        let (mut copies, mut beyond) = (0, Vec::new());
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
                Op::MemberDecorate | Op::MemberDecorateString | Op::MemberDecorateIdEXT => {
                    let member = Some(inst.word(2));
                    let d = Decoration { kind: inst.word(3), member, inst: inst.at, params: 4 };
                    found.push((target, d));
                }
                Op::GroupDecorate | Op::GroupMemberDecorate => {
                    let group = groups.get(&target).map_or(&[][..], Vec::as_slice);
                    copies += group.len() * inst.count();
                    if copies > GROUP_COPIES {
                        beyond.push(inst.at);
                        continue;
                    }
                    // Only decorations of whole ids are in a group.
                    let has_members = inst.op() == Op::GroupMemberDecorate;
                    for i in (1..inst.count()).step_by(if has_members { 2 } else { 1 }) {
                        let member = inst.opt_operand(i + 1).filter(|_| has_members);
                        found.extend(group.iter().map(|d| (inst.operand(i), Decoration { member, ..*d })));
                    }
                }
                _ => {}
            }
        }
        let is_decoration = |op| op == Op::Nop || ops::is_decoration(op);
        let unread = code.iter().filter(|i| i.is_broken() && i.id() == NONE && is_decoration(i.op()));
        let target = |inst: Inst<'_>| inst.opt_operand(0).filter(|_| inst.op() != Op::Nop);
        self.unread_decorations = unread.map(|inst| target(inst).unwrap_or(NONE)).collect();
        self.code = code;
        for inst in beyond {
            let message = format!(
                "decoration groups expand to more than {GROUP_COPIES} decorations; those of this instruction are not checked"
            );
            // The specification has no such limit.
            if let Some((chunk, item)) = self.origin.get(inst as usize).copied() {
                let diagnostic = Diagnostic::warning(&LIMIT, TextRange::empty(TextSize::new(0)), message);
                self.diagnostics.push(ModuleDiagnostic { chunk, item, diagnostic });
            }
        }
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
        let crowded = found.chunk_by(|(a, _), (b, _)| a == b).filter(|own| own.len() > FEW_DECORATIONS);
        let crowded = crowded.flatten().map(|(id, d)| (*id, d.kind, d.member.is_some()));
        self.crowded = crowded.collect();
        let members = found.iter().zip(0..).filter_map(|((id, d), at)| Some((*id, d.member?, at)));
        self.member_decorations = members.collect();
        self.member_decorations.sort_unstable();
        let built_ins = || found.iter().filter(|(_, d)| d.kind == Deco::BuiltIn);
        self.features.built_ins = built_ins().next().is_some();
        self.builtin_structures =
            built_ins().filter(|(_, d)| d.member.is_some()).map(|(id, _)| *id).collect();
        self.decorations = found.into_iter().map(|(_, d)| d).collect();
    }
}
