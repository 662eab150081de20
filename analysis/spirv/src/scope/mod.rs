//! The module as all chunks see it: types, constants, decorations, capabilities, entry points, functions.

mod calls;
mod listed;
mod modes;
mod read;
mod summary;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use thin_vec::ThinVec;
use wavelens_syntax::spirv::tables::{AddressingModel, Decoration as Deco, ExtSet, Kind, Op};

use self::listed::Listed;
use self::modes::Modes;
use crate::code::{Code, Id, Inst, OperandError};
use crate::contents::Contents;
use crate::flat::{HashedMap, NONE, OPEN_STRING};
use crate::literal::NumberType;
use crate::operands::Sound;
use crate::rules::debug_source::SourceLines;
use wavelens_base::cfg::sets;
use wavelens_base::configuration::Env;
use wavelens_base::configuration::{Configuration, DeviceFeature, DeviceFeatures, Stated};
use wavelens_base::{
    ChunkId, Diagnostic, Dialect, Fix, ModuleDiagnostic, Options, Place, TextEdit, TextRange, TextSize,
};

pub use summary::{BodyName, FunctionSummary, Summary, summarize};

/// An instruction anywhere in the module: its chunk, and its number there.
pub(crate) type Site = (ChunkId, u32);

/// A decoration of an id or of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoration {
    /// A value of [`Deco`].
    pub kind: u32,
    /// The member that is decorated; `None` for the id itself.
    pub member: Option<u32>,
    /// The instruction in the scope's code that says it.
    pub inst: u32,
    /// Offset of the first parameter word in that instruction.
    pub params: u32,
}

/// Items with this bit are operands, the others are instructions.
pub(super) const OPERAND_ITEM: u32 = 1 << 31;

/// An OpEntryPoint.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryPoint {
    /// The function's id.
    pub function: Id,
    /// The execution model.
    pub model: u32,
    /// Its name, without quotes.
    pub name: SmolStr,
    pub(crate) interface: Vec<Id>,
    pub(crate) inst: u32,
    /// Whether an earlier one has its model and name.
    pub(crate) is_redefinition: bool,
}

/// Entry points that use a variable, by index.
#[derive(Debug, Clone, PartialEq)]
struct References {
    /// A bit for each.
    row: Vec<u64>,
    /// Of those with one model and the same modes, the first.
    kinds: Vec<u32>,
}

/// A function with a body or without.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Function {
    pub(crate) calls: ThinVec<Id>,
    /// Indices in [`Scope::entry_points`] of those that reach it: of those with one model and the same modes, the first.
    pub entry_points: ThinVec<u32>,
    pub(crate) has_body: bool,
    pub(crate) is_called: bool,
    /// Whether an entry point reaches it and calls lead from it into a cycle.
    pub(crate) is_recursive: bool,
}

/// An id defined inside a function, mentioned in the preamble.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyDef {
    /// The function that defines it.
    pub chunk: ChunkId,
    /// The opcode.
    pub op: Op,
    pub(crate) ty: Id,
}

/// Relaxations that capabilities, extensions and versions bring.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Features {
    /// What the Vulkan device supports.
    pub(crate) device: DeviceFeatures,
    pub(crate) declare_int16: bool,
    pub(crate) declare_float16: bool,
    pub(crate) declare_float8: bool,
    pub(crate) declare_int8: bool,
    pub(crate) use_int8: bool,
    pub(crate) free_fp_rounding_mode: bool,
    pub(crate) variable_pointers: bool,
    pub(crate) group_ops_reduce_and_scans: bool,
    pub(crate) uconvert_spec_constant_op: bool,
    pub(crate) allow_local_size_id: bool,
    pub(crate) relaxed_block_layout: bool,
    /// Whether something is decorated as a built-in.
    pub(crate) built_ins: bool,
    /// Whether some entry point has the mode FPFastMathDefault.
    pub(crate) fast_math_default: bool,
    /// Whether some entry point has the mode LocalSizeId.
    pub(crate) local_size_id: bool,
    /// Whether something is decorated as the built-in WorkgroupSize.
    pub(crate) workgroup_size: bool,
    /// Whether an entry point could not be read.
    pub(crate) unread_entry_point: bool,
    /// Whether an execution mode could not be read: one that seems to be missing may be there.
    pub(crate) unread_mode: bool,
    /// Whether an instruction could not be read, so that what it defines is not known.
    pub(crate) unread_line: bool,
    /// Whether it is not even known which instruction that was: it may be one that seems to be missing.
    pub(crate) unknown_line: bool,
    /// Whether an instruction among the capabilities and extensions could not be read: what seems to be missing may be there.
    pub(crate) unread_declaration: bool,
}

/// Everything that can be named across chunks.
#[derive(Debug, PartialEq)]
pub struct Scope {
    /// What the module is checked for.
    pub configuration: Box<Configuration>,
    /// The environment that it is checked for.
    pub env: Env,
    /// Version word of the module.
    pub version: u32,
    /// Instructions outside function bodies.
    pub code: Code,
    /// Chunk and instruction of each instruction of `code`.
    pub origin: Vec<Site>,
    /// First operand, in its chunk, of each instruction of `code`.
    pub(crate) first_operands: Vec<u32>,
    /// First instruction in `code` and number of instructions of each chunk.
    pub chunks: FxHashMap<ChunkId, (u32, u32)>,
    /// Ids by the hash of their name.
    pub names: HashedMap<Id>,
    /// Names by id, without `%`.
    pub texts: Vec<SmolStr>,
    /// Defining instruction in `code` by id, or [`NONE`].
    pub defs: Vec<u32>,
    /// The sets that ids of OpExtInstImport stand for.
    imports: FxHashMap<Id, ExtSet>,
    /// A string without an end took definitions.
    pub(crate) has_open_string: bool,
    /// Ids that function bodies define.
    pub bodies: FxHashMap<Id, BodyDef>,
    /// What decorations that could not be read decorate; [`NONE`] for a line of which nothing is known.
    unread_decorations: FxHashSet<Id>,
    decoration_starts: Vec<u32>,
    decorations: Vec<Decoration>,
    /// Of ids with many decorations: id, kind, and whether it is a member that has it.
    crowded: FxHashSet<(Id, u32, bool)>,
    /// The decorations of members by structure and member, as places in `decorations`.
    member_decorations: Vec<(Id, u32, u32)>,
    capabilities: Vec<u64>,
    extensions: Vec<u64>,
    /// Extensions that a capability needs, and that are declared by a misspelled name: reported there.
    pub(crate) misspelled_extensions: Vec<u16>,
    pub(crate) features: Features,
    /// Values of [`AddressingModel`] and of the memory model.
    /// Logical where nothing declares it; `None` where a line that was not read may.
    pub(crate) addressing_model: Option<u32>,
    pub(crate) memory_model: Option<u32>,
    /// In the order of the text.
    pub entry_points: Vec<EntryPoint>,
    /// Indices in `entry_points` by function.
    entry_points_of: FxHashMap<Id, Vec<u32>>,
    /// Execution models by function.
    models_of: FxHashMap<Id, Vec<u32>>,
    listed: Listed,
    /// Execution models that each function of an entry point has.
    pub(crate) common_models: FxHashSet<u32>,
    /// Execution modes by function.
    modes: FxHashMap<Id, Modes>,
    /// Functions by id.
    pub functions: FxHashMap<Id, Function>,
    /// Entry points, by index, that use a global variable or a built-in constant.
    references: FxHashMap<Id, Arc<References>>,
    /// Pointer types to PhysicalStorageBuffer that some value has.
    physical_pointers: Vec<Id>,
    /// The OpName of ids.
    pub(crate) debug_names: FxHashMap<Id, u32>,
    /// The OpMemberName of members of structure types.
    pub(crate) member_names: FxHashMap<(Id, u32), u32>,
    /// Ids of OpTypeForwardPointer.
    pub(crate) forward_pointers: FxHashSet<Id>,
    /// Structures with members that are built-ins.
    pub(crate) builtin_structures: FxHashSet<Id>,
    /// How deep structures are nested in each structure; 1 for one without others.
    pub(crate) structure_depths: FxHashMap<Id, u32>,
    pub(crate) contents: Contents,
    pub(crate) sound: Sound,
    /// The lines of sources that debug information holds.
    pub(crate) source_lines: SourceLines,
    /// Ids that are defined again, in `code` or in a body.
    pub(crate) redefined: FxHashSet<Id>,
    /// Instructions outside functions that are in the wrong place.
    pub(crate) misplaced: FxHashSet<Site>,
    /// Instructions of bodies that define an id of another function again, with the first definition. Only the chunk has their names.
    pub(crate) redefined_in_bodies: FxHashMap<ChunkId, Vec<(u32, Site)>>,
    /// Where another module begins in the same file: a chunk and an instruction of it. What follows is not part of this one.
    pub(crate) next_module: Option<Site>,
    /// Instructions in `code` whose operands could not be encoded.
    pub(crate) operand_errors: Vec<(u32, OperandError)>,
    pub(crate) diagnostics: Vec<ModuleDiagnostic>,
}

/// Decorations of one id that are looked through each time.
const FEW_DECORATIONS: usize = 32;

/// Builds the module from its chunks, in order.
pub fn build(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let stated = Stated::join(summaries.iter().filter_map(|(_, s)| match &**s {
        Summary::Preamble { stated, .. } => Some(&**stated),
        Summary::Function(_) => None,
    }));
    let mut scope = Scope::new(Configuration::decide(Dialect::Spirv, &stated, options));
    for (chunk, summary) in summaries {
        match &**summary {
            Summary::Preamble { flat, .. } => {
                scope.has_open_string |= flat.insts.iter().any(|inst| inst.flags & OPEN_STRING != 0);
                scope.add(*chunk, flat);
            }
            Summary::Function(function) => scope.add(*chunk, &function.head),
        }
    }
    let defs = &scope.defs;
    scope.code.mark_forward_types(|id| defs.get(id as usize).copied().unwrap_or(NONE));
    scope.find_bodies(summaries);
    scope.read_preamble();
    scope.read_functions(summaries);
    let graph = scope.read_calls();
    scope.read_common_models();
    scope.read_interfaces();
    scope.gather_decorations();
    scope.read_uses(&graph, summaries);
    scope.next_module = summaries.iter().find_map(|(chunk, summary)| match &**summary {
        Summary::Function(function) => Some((*chunk, function.next_module?)),
        Summary::Preamble { .. } => None,
    });
    scope
}

impl Scope {
    fn new(configuration: Configuration) -> Scope {
        let env = configuration.environment.as_ref().map_or(Env::Universal16, |known| known.value);
        let version = configuration.module_version.as_ref().map_or(env.version(), |known| known.value);
        let device = configuration.device_features;
        let features = Features {
            device,
            relaxed_block_layout: env.is_vulkan() && env != Env::Vulkan10
                || device.has(DeviceFeature::RELAXED_BLOCK_LAYOUT),
            allow_local_size_id: !matches!(
                env,
                Env::Vulkan10 | Env::Vulkan11 | Env::Vulkan11Spirv14 | Env::Vulkan12
            ) || device.has(DeviceFeature::MAINTENANCE4),
            uconvert_spec_constant_op: version >= 0x10400,
            ..Features::default()
        };
        Scope {
            configuration: Box::new(configuration),
            env,
            version,
            code: Code::default(),
            origin: Vec::new(),
            first_operands: Vec::new(),
            chunks: FxHashMap::default(),
            names: HashedMap::default(),
            texts: Vec::new(),
            defs: Vec::new(),
            imports: FxHashMap::default(),
            has_open_string: false,
            misspelled_extensions: Vec::new(),
            bodies: FxHashMap::default(),
            unread_decorations: FxHashSet::default(),
            decoration_starts: Vec::new(),
            decorations: Vec::new(),
            crowded: FxHashSet::default(),
            member_decorations: Vec::new(),
            capabilities: vec![0; 128],
            extensions: vec![0; 8],
            features,
            addressing_model: Some(AddressingModel::Logical),
            memory_model: None,
            entry_points: Vec::new(),
            entry_points_of: FxHashMap::default(),
            models_of: FxHashMap::default(),
            listed: Listed::default(),
            common_models: FxHashSet::default(),
            modes: FxHashMap::default(),
            functions: FxHashMap::default(),
            references: FxHashMap::default(),
            physical_pointers: Vec::new(),
            debug_names: FxHashMap::default(),
            member_names: FxHashMap::default(),
            forward_pointers: FxHashSet::default(),
            builtin_structures: FxHashSet::default(),
            structure_depths: FxHashMap::default(),
            contents: Contents::default(),
            sound: Sound::default(),
            source_lines: SourceLines::default(),
            redefined: FxHashSet::default(),
            misplaced: FxHashSet::default(),
            redefined_in_bodies: FxHashMap::default(),
            next_module: None,
            operand_errors: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Reports a finding about an instruction of `code`.
    pub fn report(&mut self, inst: u32, rule: &'static wavelens_base::Rule, message: impl Into<String>) {
        if let Some((chunk, item)) = self.origin.get(inst as usize).copied() {
            self.report_at(chunk, item, rule, message);
        }
    }

    /// Reports a finding about the `item`-th instruction of a chunk.
    pub(crate) fn report_at(
        &mut self,
        chunk: ChunkId,
        item: u32,
        rule: &'static wavelens_base::Rule,
        message: impl Into<String>,
    ) {
        let diagnostic = Diagnostic::new(rule, TextRange::empty(TextSize::new(0)), message);
        self.diagnostics.push(ModuleDiagnostic { chunk, item, diagnostic });
    }

    /// Shows the other end of the finding reported last.
    pub(crate) fn relate(&mut self, site: Site, message: &str) {
        let (chunk, item) = site;
        if let Some(last) = self.diagnostics.pop() {
            let diagnostic = last.diagnostic.related(Place::Item { chunk, item }, message);
            self.diagnostics.push(ModuleDiagnostic { diagnostic, ..last });
        }
    }

    /// Gives the finding reported last the fix that adds an operand after its instruction.
    pub(crate) fn append(&mut self, operand: &str, certain: bool) {
        if let Some(last) = self.diagnostics.last_mut() {
            let edits = vec![TextEdit::new(ModuleDiagnostic::AFTER_ITEM, format!(" {operand}"))];
            last.diagnostic.fix = Some(Fix { title: format!("Add `{operand}`"), certain, edits });
        }
    }

    /// Whether an instruction is of another module that follows in the same file.
    pub(crate) fn is_after(&self, chunk: ChunkId, inst: u32) -> bool {
        let Some((last, next)) = self.next_module else { return false };
        let first = |chunk| self.chunks.get(&chunk).map_or(0, |(first, _)| *first);
        if chunk == last { inst > next } else { first(chunk) > first(last) }
    }

    /// The number type that an OpTypeInt or OpTypeFloat declares.
    pub fn number_type(&self, ty: Id) -> Option<NumberType> {
        let def = self.encoded(ty)?;
        match def.op() {
            Op::TypeInt => Some(NumberType::Int { width: def.word(2), signed: def.word(3) != 0 }),
            Op::TypeFloat => {
                Some(NumberType::Float { width: def.word(2), encoding: def.words().get(3).copied() })
            }
            _ => None,
        }
    }

    /// The set that an OpExtInstImport imports.
    pub fn import(&self, id: Id) -> Option<ExtSet> {
        self.imports.get(&id).copied()
    }

    /// The instruction in `code` that defines an id, also one with injected words, of which rules know nothing.
    pub fn encoded(&self, id: Id) -> Option<Inst<'_>> {
        self.code.inst(*self.defs.get(id as usize)?).filter(|i| !i.is_broken())
    }

    /// The instruction in `code` that defines an id; `None` also for one that could not be understood.
    pub fn def(&self, id: Id) -> Option<Inst<'_>> {
        self.code.inst(*self.defs.get(id as usize)?).filter(|i| i.is_definite())
    }

    /// Whether a capability is declared, or implied by one that is.
    pub fn has_capability(&self, capability: u32) -> bool {
        self.capabilities.get(capability as usize / 64).is_some_and(|w| w >> (capability % 64) & 1 == 1)
    }

    /// Whether an extension is declared, by its number in the grammar.
    pub fn has_extension(&self, extension: u16) -> bool {
        self.extensions.get(usize::from(extension) / 64).is_some_and(|w| w >> (extension % 64) & 1 == 1)
    }

    /// Entry points, by index, that use a global variable or a built-in constant in the functions they reach.
    pub fn references(&self, variable: Id) -> impl Iterator<Item = u32> {
        sets::numbers(self.references_row(variable))
    }

    /// [`Scope::references`] as a row of bits.
    pub(crate) fn references_row(&self, variable: Id) -> &[u64] {
        self.references.get(&variable).map_or(&[], |references| &references.row)
    }

    /// Of [`Scope::references`] with one model and the same modes, the first.
    pub(crate) fn kinds_of_references(&self, variable: Id) -> &[u32] {
        self.references.get(&variable).map_or(&[], |references| &references.kinds)
    }

    /// Whether an entry point, by its index, is one of [`Scope::references`].
    pub(crate) fn is_reference(&self, variable: Id, entry_point: u32) -> bool {
        sets::has(self.references_row(variable), entry_point)
    }

    /// Pointer types to PhysicalStorageBuffer that some value has, ascending.
    pub(crate) fn physical_pointers(&self) -> impl Iterator<Item = Id> {
        self.physical_pointers.iter().copied()
    }

    /// All decorations of an id and of its members.
    pub fn decorations(&self, id: Id) -> &[Decoration] {
        let id = id as usize;
        match (self.decoration_starts.get(id), self.decoration_starts.get(id + 1)) {
            (Some(from), Some(to)) => self.decorations.get(*from as usize..*to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Whether an id itself has a decoration of a kind, or its members have.
    pub(crate) fn is_decorated(&self, id: Id, kind: u32, of_members: bool) -> bool {
        match self.decorations(id) {
            few if few.len() <= FEW_DECORATIONS => {
                few.iter().any(|d| d.kind == kind && d.member.is_some() == of_members)
            }
            _ => self.crowded.contains(&(id, kind, of_members)),
        }
    }

    /// Whether a line that could not be read may decorate something: what it seems to lack may be there.
    pub(crate) fn may_be_decorated(&self, id: Id) -> bool {
        [id, NONE].iter().any(|target| self.unread_decorations.contains(target))
    }

    /// Whether a line that could not be read may decorate anything.
    pub(crate) fn has_unread_decorations(&self) -> bool {
        !self.unread_decorations.is_empty()
    }

    /// The decorations of a member, in order.
    pub(crate) fn member_decorations(
        &self,
        id: Id,
        member: u32,
    ) -> impl DoubleEndedIterator<Item = &Decoration> {
        let all = &self.member_decorations;
        let first = all.partition_point(|(i, m, _)| (*i, *m) < (id, member));
        let count = all.get(first..).unwrap_or(&[]).partition_point(|(i, m, _)| (*i, *m) == (id, member));
        let own = all.get(first..first + count).unwrap_or(&[]);
        own.iter().filter_map(|(.., at)| self.decorations.get(*at as usize))
    }

    /// The words that follow a decoration's kind.
    pub fn params(&self, decoration: &Decoration) -> &[u32] {
        let words = self.code.inst(decoration.inst).map_or(&[][..], Inst::words);
        words.get(decoration.params as usize..).unwrap_or(&[])
    }

    /// The built-in that decorates an id.
    pub(crate) fn builtin(&self, id: Id) -> Option<u32> {
        let d = self.decorations(id).iter().find(|d| d.kind == Deco::BuiltIn && d.member.is_none())?;
        self.params(d).first().copied()
    }

    /// The execution models of the entry points that name a function, each once.
    pub(crate) fn models_of(&self, function: Id) -> &[u32] {
        self.models_of.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The entry points that name a function.
    pub fn entry_points_of(&self, function: Id) -> impl Iterator<Item = &EntryPoint> {
        let indices = self.entry_points_of.get(&function).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(|index| self.entry_points.get(*index as usize))
    }
}

/// A name for an execution model.
pub fn model_name(model: u32) -> &'static str {
    Kind::ExecutionModel.valued(model).map_or("unknown", |e| e.name)
}
