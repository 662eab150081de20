//! The module: what all summaries say together.

mod definitions;
mod producer;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use wavelens_isa::mir::Machine;
use wavelens_syntax::closest_known;

use crate::arena::IndexKind;
use crate::arena::Tables;
use crate::debug_info::{DebugInfo, Expression, Key};
use crate::layout::Layout;
use crate::metadata::{FieldName, MdField, MdKind, MdNode, MdValue};
use crate::metadata_index::MetadataIndex;
use crate::metadata_view::Md;
use crate::names::{Names, Symbol};
use crate::operand::BlockAddress;
use crate::struct_facts::StructFacts;
use crate::summary::{Alias, AttrGroup, Function, Global, GlobalHead, Ordered, Summary, UseListOrder};
use crate::types::{ListId, Type, TypeId, TypeMap, Types};
use wavelens_base::configuration::{Configuration, Origin, Stated};
use wavelens_base::{ChunkId, Dialect, Options, Place};

/// Everything that can be named across chunks.
#[derive(Debug)]
pub struct Scope {
    /// The canonical types of the module.
    pub types: Arc<Types>,
    /// Definitions of named structs, by the index in [`Type::NamedStruct`].
    pub(crate) structs: Vec<StructDef>,
    /// All global values of the module.
    pub globals: Vec<GlobalInfo>,
    /// In the order of the file.
    pub summaries: Vec<(ChunkId, Arc<Summary>)>,
    /// The module's data layout; LLVM's defaults where it has none.
    pub layout: Layout,
    /// Whether it has one.
    pub has_layout: bool,
    /// The module's target triple, where it has one.
    pub triple: Option<String>,
    /// What the module is compiled for, as far as its triple and the options say.
    pub configuration: Arc<Configuration>,
    /// The version of LLVM that the file is for, if one is set.
    pub llvm_level: Option<u8>,
    /// The version of LLVM that wrote the module, as far as the module says.
    pub written_by: Option<u8>,
    /// Whether RUN lines make the file a test, and none runs the pass `lint`: its `undef` is a placeholder.
    pub(crate) is_test: bool,
    /// Whether a directive orders the uses of a block by name.
    pub(crate) orders_blocks: bool,
    named_globals: FxHashMap<SmolStr, u32>,
    numbered_globals: FxHashMap<u32, u32>,
    /// Names of types: what they mean.
    named_types: FxHashMap<SmolStr, TypeId>,
    numbered_types: FxHashMap<u32, TypeId>,
    comdats: FxHashMap<SmolStr, (u32, u32)>,
    attr_groups: FxHashMap<u32, (u32, u32)>,
    metadata: MetadataIndex,
    /// Summary and item of the last entry of a ThinLTO summary with a number.
    index: FxHashMap<(IndexKind, u32), (u32, u32)>,
    /// For each summary the canonical types of its local ones.
    type_maps: Vec<TypeMap>,
    chunks: FxHashMap<ChunkId, u32>,
    /// What the rules about debug information say of the module, of its long expressions, and of the elements of long lists: the first
    /// one that is not what a field of such a node wants.
    pub(crate) debug_info: DebugInfo,
    pub(crate) long_expressions: FxHashMap<Key, Result<Expression, String>>,
    pub(crate) long_lists: FxHashMap<(Key, MdKind, FieldName), Option<usize>>,
    struct_facts: StructFacts,
    block_addresses: FxHashMap<u32, Vec<(u32, BlockAddress)>>,
    module_flags: FxHashMap<SmolStr, Vec<ModuleFlag>>,
}

/// An entry of `!llvm.module.flags`.
#[derive(Debug)]
struct ModuleFlag {
    /// Where the definition is that names it: the summary and its item.
    definition: (u32, u32),
    value: MdValue,
}

/// All else follows from these.
impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        self.summaries == other.summaries
            && self.llvm_level == other.llvm_level
            && self.configuration == other.configuration
    }
}

/// A named struct.
#[derive(Debug, Clone, PartialEq)]
pub struct StructDef {
    /// With its sigil, as printed.
    pub(crate) name: SmolStr,
    /// `None`: opaque.
    pub fields: Option<ListId>,
    pub(crate) packed: bool,
    pub(crate) place: Place,
    /// Summary and item of the definition: their order is that of the file.
    pub(crate) order: (u32, u32),
}

/// A global value of any kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlobalInfo {
    /// Index into [`Scope::summaries`].
    pub summary: u32,
    /// Which kind of global value, with its index.
    pub kind: GlobalKind,
    /// Canonical; of a function its function type.
    pub value_type: TypeId,
    /// Where it is.
    pub address_space: u32,
    /// What all global values have.
    pub head: GlobalHead,
}

/// Index into the summary's list of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobalKind {
    /// Index into [`Summary::globals`].
    Variable(u32),
    /// Index into [`Summary::functions`].
    Function(u32),
    /// Index into [`Summary::aliases`].
    Alias(u32),
    /// Index into [`Summary::aliases`].
    Ifunc(u32),
}

/// A metadata node with the tables that its ids point into.
#[derive(Debug, Clone, Copy)]
pub struct NodeRef<'s> {
    /// Tables of the chunk that defines the node.
    pub tables: &'s Tables,
    /// The node.
    pub node: &'s MdNode,
    /// Index into [`Scope::summaries`]; `None` for a node that is written inside the body being checked.
    pub summary: Option<u32>,
    /// Its index in [`ColdTables::md_nodes`]; with `summary` its identity.
    pub index: u32,
}

impl<'s> NodeRef<'s> {
    /// The fields of a specialized node.
    pub fn fields(self) -> &'s [MdField] {
        self.tables.fields(self.node)
    }

    /// The value of a named field.
    pub fn field(self, name: super::metadata::FieldName) -> Option<MdValue> {
        self.fields().iter().find(|f| f.name == name).map(|f| f.value)
    }

    /// Whether both are one node.
    pub fn same(self, other: NodeRef<'_>) -> bool {
        std::ptr::eq(self.node, other.node)
    }
}

impl Scope {
    /// The addresses of a global's blocks that are taken outside of functions, each with its summary.
    pub(crate) fn block_addresses(&self, global: u32) -> &[(u32, BlockAddress)] {
        self.block_addresses.get(&global).map_or(&[], Vec::as_slice)
    }

    fn find_block_addresses(&self) -> FxHashMap<u32, Vec<(u32, BlockAddress)>> {
        let mut all: FxHashMap<u32, Vec<(u32, BlockAddress)>> = FxHashMap::default();
        for (index, (_, summary)) in self.summaries.iter().enumerate() {
            for address in &summary.tables.cold.block_addresses {
                if let Some(global) = self.global_index(address.function, &summary.tables.names) {
                    all.entry(global).or_default().push((index as u32, *address));
                }
            }
        }
        all
    }

    /// The last flag of a name in the definitions of `!llvm.module.flags` before one; those that only require others do not count.
    pub(crate) fn module_flag_before<'s>(
        &'s self,
        definition: (u32, u32),
        name: &str,
    ) -> Option<NodeRef<'s>> {
        let own = self.module_flags.get(name)?;
        let before = own.partition_point(|flag| flag.definition < definition);
        self.flag_node(own.get(..before)?.last()?)
    }

    /// Whether the module has a flag of this name with another value than 0.
    pub(crate) fn is_module_flag_set(&self, name: &str) -> bool {
        let flags = self.module_flags.get(name).into_iter().flatten();
        flags
            .filter_map(|flag| self.flag_node(flag))
            .any(|node| matches!(node.operand(self, 2), Md::Int { value: Some(value), .. } if value != 0))
    }

    fn flag_node(&self, flag: &ModuleFlag) -> Option<NodeRef<'_>> {
        let summary = flag.definition.0;
        self.resolve(flag.value, &self.summary(summary)?.tables, Some(summary))
    }

    fn find_module_flags(&self) -> FxHashMap<SmolStr, Vec<ModuleFlag>> {
        let mut all: FxHashMap<SmolStr, Vec<ModuleFlag>> = FxHashMap::default();
        for (index, (_, summary)) in self.summaries.iter().enumerate() {
            let named = summary.cold.named_metadata.iter();
            for named in named.filter(|n| summary.tables.name(n.name) == "llvm.module.flags") {
                for value in named.values.of(&summary.cold.named_metadata_values) {
                    let flag = ModuleFlag { definition: (index as u32, named.item), value: *value };
                    let Some(node) = self.flag_node(&flag) else { continue };
                    let is_requirement = matches!(node.operand(self, 0), Md::Int { value: Some(3), .. });
                    if let (Md::String(name), false) = (node.operand(self, 1), is_requirement) {
                        all.entry(name.into()).or_default().push(flag);
                    }
                }
            }
        }
        all
    }

    /// The summary of a chunk and its index.
    pub fn summary_of(&self, chunk: ChunkId) -> Option<(u32, &Arc<Summary>)> {
        let index = *self.chunks.get(&chunk)?;
        self.summaries.get(index as usize).map(|(_, s)| (index, s))
    }

    /// The summary of a chunk, by its index.
    pub fn summary(&self, index: u32) -> Option<&Summary> {
        self.summaries.get(index as usize).map(|(_, s)| &**s)
    }

    /// The place of an item of a summary, for related locations.
    pub fn place(&self, summary: u32, item: u32) -> Place {
        let chunk = self.summaries.get(summary as usize).map_or(ChunkId(0), |(c, _)| *c);
        Place::Item { chunk, item }
    }

    /// The first definition of a global; `names` is the table that `symbol` belongs to.
    pub fn global(&self, symbol: Symbol, names: &Names) -> Option<&GlobalInfo> {
        self.globals.get(self.global_index(symbol, names)? as usize)
    }

    pub(crate) fn global_index(&self, symbol: Symbol, names: &Names) -> Option<u32> {
        match symbol.as_name() {
            Some(name) => self.named_globals.get(names.get(name)).copied(),
            None => self.numbered_globals.get(&symbol.as_number()?).copied(),
        }
    }

    /// The global value of a name without `@`.
    pub fn global_named(&self, name: &str) -> Option<&GlobalInfo> {
        self.globals.get(*self.named_globals.get(name)? as usize)
    }

    /// All names of globals, in no particular order.
    pub(crate) fn global_names(&self) -> impl Iterator<Item = &str> {
        self.named_globals.keys().map(SmolStr::as_str)
    }

    /// All names of types, in no particular order.
    pub(crate) fn type_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.named_types.keys().map(SmolStr::as_str)
    }

    /// The function that a global value is, with its chunk's summary.
    pub fn function(&self, global: &GlobalInfo) -> Option<(&Summary, &Function)> {
        let summary = self.summary(global.summary)?;
        match global.kind {
            GlobalKind::Function(i) => Some((summary, summary.functions.get(i as usize)?)),
            _ => None,
        }
    }

    /// The variable that a global value is, with its chunk's summary.
    pub fn variable(&self, global: &GlobalInfo) -> Option<(&Summary, &Global)> {
        let summary = self.summary(global.summary)?;
        match global.kind {
            GlobalKind::Variable(i) => Some((summary, summary.globals.get(i as usize)?)),
            _ => None,
        }
    }

    pub(crate) fn alias(&self, global: &GlobalInfo) -> Option<(&Summary, &Alias)> {
        let summary = self.summary(global.summary)?;
        match global.kind {
            GlobalKind::Alias(i) | GlobalKind::Ifunc(i) => {
                Some((summary, summary.cold.aliases.get(i as usize)?))
            }
            _ => None,
        }
    }

    /// The name of a global as printed.
    pub fn global_name(&self, global: &GlobalInfo) -> String {
        self.summary(global.summary)
            .map_or_else(String::new, |s| global.head.name.display('@', &s.tables.names))
    }

    /// The comdat of a name without `$`.
    pub fn comdat(&self, name: &str) -> Option<(&Summary, &super::summary::Comdat)> {
        let (summary, index) = self.comdats.get(name)?;
        let summary = self.summary(*summary)?;
        Some((summary, summary.cold.comdats.get(*index as usize)?))
    }

    /// The group `#number`, with the summary whose tables its attributes are in and that one's index; of several definitions of one number the last counts.
    pub fn attr_group(&self, number: u32) -> Option<(u32, &Summary, &AttrGroup)> {
        let (index, group) = *self.attr_groups.get(&number)?;
        let summary = self.summary(index)?;
        Some((index, summary, summary.cold.attr_groups.get(group as usize)?))
    }

    /// Whether `#number` is defined.
    pub fn has_attr_group(&self, number: u32) -> bool {
        self.attr_groups.contains_key(&number)
    }

    /// The node of `!number`.
    pub fn metadata(&self, number: u32) -> Option<NodeRef<'_>> {
        let (summary, def) = self.metadata.get(number)?;
        let index = self.summary(summary)?.cold.metadata.get(def as usize)?.node;
        self.node(summary, index)
    }

    /// The width of indices into an address space. `None` for a module of AMDGPU without a layout: `llvm-as` takes the default one,
    /// other tools AMDGPU's own.
    pub(crate) fn index_bits(&self, space: u32) -> Option<u32> {
        let is_amdgpu = || self.triple.as_deref().is_some_and(wavelens_isa::is_amdgpu);
        (self.has_layout || !is_amdgpu()).then(|| self.layout.index_bits(space))
    }

    /// Whether what a version of LLVM added to the language is accepted.
    pub(crate) fn reads(&self, version: u8) -> bool {
        self.llvm_level.is_none_or(|level| level >= version)
    }

    /// Whether the rules that came with a version of LLVM are applied, which reject what older ones accept: the file is for that version,
    /// or no version is set and the module says that it comes from that version.
    pub(crate) fn follows(&self, version: u8) -> bool {
        self.llvm_level.or(self.written_by).is_some_and(|level| level >= version)
    }

    fn node(&self, summary: u32, index: u32) -> Option<NodeRef<'_>> {
        let tables = &self.summary(summary)?.tables;
        let node = tables.cold.md_nodes.get(index as usize)?;
        Some(NodeRef { tables, node, summary: Some(summary), index })
    }

    /// The node that a value of a summary's tables means. `None` for a number that is defined more than once: which node is meant is not
    /// known.
    pub fn resolve<'s>(
        &'s self,
        value: MdValue,
        tables: &'s Tables,
        summary: Option<u32>,
    ) -> Option<NodeRef<'s>> {
        match value {
            MdValue::Number(number) if self.metadata.is_repeated(number) => None,
            _ => self.resolve_first(value, tables, summary),
        }
    }

    /// As [`Scope::resolve`], with the first of several nodes.
    pub(crate) fn resolve_first<'s>(
        &'s self,
        value: MdValue,
        tables: &'s Tables,
        summary: Option<u32>,
    ) -> Option<NodeRef<'s>> {
        match value {
            MdValue::Number(number) => self.metadata(number),
            MdValue::Node(index) => {
                let node = tables.cold.md_nodes.get(index as usize)?;
                Some(NodeRef { tables, node, summary, index })
            }
            _ => None,
        }
    }

    /// The canonical type of a summary's local one.
    pub fn canonical(&self, summary: u32, ty: TypeId) -> TypeId {
        self.type_maps.get(summary as usize).map_or(TypeId::ERROR, |map| map.get(ty))
    }

    /// The canonical types of all of a summary's local ones.
    pub(crate) fn type_map(&self, summary: u32) -> Option<&TypeMap> {
        self.type_maps.get(summary as usize)
    }

    /// Whether `!number` is defined.
    #[inline]
    pub(crate) fn has_metadata(&self, number: u32) -> bool {
        self.metadata.get(number).is_some()
    }

    /// How many numbers of metadata nodes are defined.
    pub(crate) fn metadata_count(&self) -> usize {
        self.metadata.count()
    }

    /// Summary and item of the global with this name, without sigil.
    pub(crate) fn global_place(&self, name: &str) -> Option<(u32, u32)> {
        let global = self.globals.get(*self.named_globals.get(name)? as usize)?;
        Some((global.summary, global.head.item))
    }

    /// Summary and item of the last entry of a ThinLTO summary of this kind and number.
    pub(crate) fn index_entry(&self, kind: IndexKind, number: u32) -> Option<(u32, u32)> {
        self.index.get(&(kind, number)).copied()
    }

    /// What a `%name` means as a type.
    pub fn named_type(&self, symbol: Symbol, names: &Names) -> Option<TypeId> {
        match symbol.as_name() {
            Some(name) => self.named_types.get(names.get(name)).copied(),
            None => self.numbered_types.get(&symbol.as_number()?).copied(),
        }
    }

    /// Summary and item of the struct that is defined last.
    pub(crate) fn last_struct(&self) -> (u32, u32) {
        self.structs.last().map_or((0, 0), |s| s.order)
    }

    pub(crate) fn struct_facts(&self) -> &StructFacts {
        &self.struct_facts
    }

    /// The one global whose name is closest to a word.
    pub(crate) fn near_global(&self, word: &str) -> Option<&str> {
        closest_known(word, |name| self.named_globals.get_key_value(name).map(|(name, _)| name.as_str()))
    }

    /// The named structure of an index.
    pub(crate) fn struct_def(&self, index: u32) -> Option<&StructDef> {
        self.structs.get(index as usize)
    }

    /// A canonical type as it is written.
    pub fn display_type(&self, types: &Types, ty: TypeId) -> String {
        types.display(ty, &|named| match named {
            Type::NamedStruct(i) => self.struct_def(i).map_or_else(|| "%?".into(), |s| s.name.to_string()),
            _ => "%?".into(),
        })
    }
}

/// Canonical types of all local types of a table, made in `types`.
pub(crate) fn canonicalize(
    local: &Types,
    names: &Names,
    types: &mut Types,
    named: &dyn Fn(Symbol, &Names) -> Option<TypeId>,
) -> TypeMap {
    let mut map = TypeMap::default();
    // A type is interned after its parts, so one pass in order of ids suffices.
    for ty in local.interned() {
        let ty = match ty {
            Type::Named(symbol) => named(symbol, names).unwrap_or(TypeId::ERROR),
            Type::Array { len, element } => match map.get(element) {
                TypeId::ERROR => TypeId::ERROR,
                element => types.array(len, element),
            },
            Type::Vector { len, scalable, element } => match map.get(element) {
                TypeId::ERROR => TypeId::ERROR,
                element => types.vector(len, scalable, element),
            },
            Type::Struct { fields, packed } => {
                let fields: Vec<_> = local.list(fields).iter().map(|f| map.get(*f)).collect();
                if fields.contains(&TypeId::ERROR) {
                    TypeId::ERROR
                } else {
                    types.literal_struct(&fields, packed)
                }
            }
            Type::Function { result, params, vararg } => {
                let params: Vec<_> = local.list(params).iter().map(|f| map.get(*f)).collect();
                let result = map.get(result);
                if result.is_error() || params.contains(&TypeId::ERROR) {
                    TypeId::ERROR
                } else {
                    types.function(result, &params, vararg)
                }
            }
            Type::Target(index) => match local.target(index) {
                Some(target) => {
                    let items: Vec<_> = local.list(target.types).iter().map(|f| map.get(*f)).collect();
                    types.target_type(&target.name, &items, target.integers.clone())
                }
                None => TypeId::ERROR,
            },
            simple => types.intern(simple),
        };
        map.push(ty);
    }
    map
}

/// What the module is for, by its RUN lines, its triple and the options.
fn configuration(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> (Configuration, bool) {
    let mut stated = Stated::join(summaries.iter().map(|(_, summary)| &summary.cold.stated));
    stated.triple = summaries.iter().find_map(|(_, summary)| {
        let triple = summary.cold.triple?.value;
        Some(summary.tables.names.get(triple).into())
    });
    let is_lint = |argument: &SmolStr| argument.contains("lint");
    let is_test = stated.run_count > 0 && !stated.runs.iter().any(|run| run.arguments.iter().any(is_lint));
    (Configuration::decide(Dialect::Llvm, &stated, options), is_test)
}

/// The data layout that `opt` and `llc` give a module without one when their command line names the target.
fn layout_of_command(configuration: &Configuration) -> Option<&'static str> {
    let triple = configuration.triple.as_ref().filter(|triple| !matches!(triple.origin, Origin::File(_)))?;
    // Other machines have several, by processor and environment.
    let machine = Machine::from_triple(&triple.value).filter(|machine| *machine == Machine::Amdgpu)?;
    Some(&machine.tables().facts().data_layout)
}

/// Builds the module scope; `summaries` in the order of the file.
pub(super) fn build(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let mut types = Types::default();
    let (configuration, is_test) = configuration(summaries, options);
    let mut scope = Scope {
        types: Arc::new(Types::default()),
        structs: Vec::new(),
        globals: Vec::new(),
        summaries: summaries.to_vec(),
        layout: Layout::default(),
        has_layout: false,
        triple: configuration.triple.as_ref().map(|triple| triple.value.to_string()),
        configuration: Arc::new(configuration),
        llvm_level: options.llvm_level,
        written_by: None,
        is_test,
        orders_blocks: false,
        named_globals: FxHashMap::default(),
        numbered_globals: FxHashMap::default(),
        named_types: FxHashMap::default(),
        numbered_types: FxHashMap::default(),
        comdats: FxHashMap::default(),
        attr_groups: FxHashMap::default(),
        metadata: MetadataIndex::default(),
        index: FxHashMap::default(),
        type_maps: Vec::new(),
        chunks: summaries.iter().enumerate().map(|(i, (id, _))| (*id, i as u32)).collect(),
        debug_info: DebugInfo::default(),
        long_expressions: FxHashMap::default(),
        long_lists: FxHashMap::default(),
        struct_facts: StructFacts::default(),
        block_addresses: FxHashMap::default(),
        module_flags: FxHashMap::default(),
    };
    definitions::define_types(&mut scope, &mut types);
    let mut metadata_count = 0;
    let mut data_layout = None;
    for (index, (_, summary)) in summaries.iter().enumerate() {
        let index = index as u32;
        let tables = &summary.tables;
        data_layout = data_layout.or_else(|| Some(tables.names.get(summary.cold.data_layout?.value)));
        for (i, comdat) in summary.cold.comdats.iter().enumerate() {
            scope.comdats.entry(tables.names.get(comdat.name).into()).or_insert((index, i as u32));
        }
        for (i, group) in summary.cold.attr_groups.iter().enumerate() {
            scope.attr_groups.insert(group.number, (index, i as u32));
        }
        metadata_count += summary.cold.metadata.len();
        let orders_block = |order: &UseListOrder| matches!(order.of, Ordered::Block { .. });
        scope.orders_blocks |= summary.cold.use_list_orders.iter().any(orders_block);
    }
    let data_layout = data_layout.or_else(|| layout_of_command(&scope.configuration));
    (scope.layout, scope.has_layout) = (Layout::of(data_layout), data_layout.is_some());
    scope.metadata = MetadataIndex::with_capacity(metadata_count);
    for (index, (_, summary)) in summaries.iter().enumerate() {
        for (i, def) in summary.cold.metadata.iter().enumerate() {
            scope.metadata.insert(def.number, (index as u32, i as u32));
        }
        for entry in &summary.cold.index {
            scope.index.insert((entry.kind, entry.number), (index as u32, entry.item));
        }
    }
    definitions::define_globals(&mut scope, &mut types);
    scope.types = Arc::new(types);
    scope.struct_facts = StructFacts::new(&scope);
    scope.block_addresses = scope.find_block_addresses();
    scope.module_flags = scope.find_module_flags();
    scope.written_by = producer::version(&scope);
    scope
}
