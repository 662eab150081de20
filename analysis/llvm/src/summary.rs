//! What a chunk says at module level, without function bodies and without ranges: this is what other chunks see.
//!
//! Ids in a summary point into its own [`Summary::tables`]. Its range in the chunk is kept separately in the
//! lowered form ([`super::Lowered::ranges`], [`super::Lowered::items`]).

use thin_vec::ThinVec;

use super::arena::{IndexKind, Tables};
use super::attribute::Attr;
use super::metadata::MdValue;
use super::names::{NameId, Symbol};
use super::operand::{Operand, OperandId};
use super::types::{Span, TypeId};
use wavelens_base::configuration::Stated;
use wavelens_base::lazy_box::{LazyBox, empty};

/// Module-level content of one chunk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Values, types and attributes that the ids point into.
    pub tables: Tables,
    /// How many items there are.
    pub items: u32,
    /// Whether there is anything but `source_filename` and `target` lines.
    pub(crate) has_entities: bool,
    /// How the bodies first say where variables are: a module does it in one way.
    pub(crate) debug_format: Option<DebugFormat>,
    /// Global variables.
    pub globals: ThinVec<Global>,
    /// Declared and defined functions.
    pub functions: ThinVec<Function>,
    pub(crate) params: ThinVec<Param>,
    /// All else: the chunk of a function has nothing of it.
    pub cold: LazyBox<ColdSummary>,
}

/// What chunks that are not functions define.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColdSummary {
    pub(crate) source_filename: Option<NameId>,
    /// The `target datalayout`.
    pub data_layout: Option<Item<NameId>>,
    /// The `target triple`.
    pub triple: Option<Item<NameId>>,
    /// What RUN lines say.
    pub(crate) stated: Stated,
    /// `source_filename` and `target` lines; whether another entity precedes one in this chunk.
    pub targets: ThinVec<Item<bool>>,
    /// Whether it has lines with `module asm`.
    pub(crate) has_assembly: bool,
    /// Named types.
    pub type_defs: ThinVec<TypeDef>,
    /// Aliases and ifuncs.
    pub aliases: ThinVec<Alias>,
    /// Comdats.
    pub comdats: ThinVec<Comdat>,
    /// Comdats that a later one of the same global variable replaces; they must exist too.
    pub(crate) replaced_comdats: ThinVec<(GlobalHead, ComdatRef)>,
    /// Attribute groups.
    pub attr_groups: ThinVec<AttrGroup>,
    /// Named metadata.
    pub named_metadata: ThinVec<NamedMetadata>,
    /// Values of named metadata.
    pub(crate) named_metadata_values: ThinVec<MdValue>,
    /// Numbered metadata.
    pub metadata: ThinVec<MetadataDef>,
    /// Entries of a ThinLTO summary.
    pub index: ThinVec<IndexEntry>,
    pub(crate) use_list_orders: ThinVec<UseListOrder>,
}

empty!(ColdSummary);

impl Summary {
    /// Each comdat that a global value is written with, and that value.
    pub(crate) fn comdat_uses(&self) -> impl Iterator<Item = (GlobalHead, Symbol)> {
        let globals = self.globals.iter().map(|g| (g.head, g.comdat));
        let functions = self.functions.iter().map(|f| (f.head, f.comdat));
        let replaced = self.cold.replaced_comdats.iter().copied();
        let written = globals.chain(functions).filter_map(|(head, comdat)| Some((head, comdat?)));
        written.chain(replaced).map(|(head, comdat)| match comdat {
            ComdatRef::Named(name) => (head, Symbol::name(name)),
            ComdatRef::Own => (head, head.name),
        })
    }

    /// Gives back what vectors have reserved: there is one of these for each chunk or function.
    pub(crate) fn shrink(&mut self) {
        self.tables.shrink();
        self.globals.shrink_to_fit();
        self.functions.shrink_to_fit();
        self.params.shrink_to_fit();
        let Some(cold) = self.cold.written() else { return };
        cold.targets.shrink_to_fit();
        cold.type_defs.shrink_to_fit();
        cold.aliases.shrink_to_fit();
        cold.comdats.shrink_to_fit();
        cold.replaced_comdats.shrink_to_fit();
        cold.attr_groups.shrink_to_fit();
        cold.named_metadata.shrink_to_fit();
        cold.named_metadata_values.shrink_to_fit();
        cold.metadata.shrink_to_fit();
        cold.index.shrink_to_fit();
        cold.use_list_orders.shrink_to_fit();
    }
}

/// How a function body says where variables are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugFormat {
    /// `#dbg_value(...)`.
    Records,
    /// `call void @llvm.dbg.value(...)`.
    Calls,
}

/// Something with a place: `item` is the number that [`crate::item_range`] resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<T> {
    /// Its number among the chunk's items.
    pub item: u32,
    /// What the item says.
    pub value: T,
}

/// `%name = type ...`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeDef {
    /// Name or number, without `%`.
    pub name: Symbol,
    /// Number of the item, see [`Item`].
    pub item: u32,
    /// `None`: opaque.
    pub ty: Option<TypeId>,
}

/// How a global value is linked (LLVM Language Reference, Linkage Types).
#[allow(missing_docs, reason = "LLVM's own names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Linkage {
    /// Not written.
    #[default]
    Implicit,
    External,
    Private,
    Internal,
    Weak,
    WeakOdr,
    LinkOnce,
    LinkOnceOdr,
    AvailableExternally,
    Appending,
    Common,
    ExternWeak,
}

impl Linkage {
    /// Whether it is gone where nothing in the module uses it.
    pub(crate) fn is_discardable(self) -> bool {
        self.is_local()
            || matches!(self, Linkage::LinkOnce | Linkage::LinkOnceOdr | Linkage::AvailableExternally)
    }

    /// Whether other modules cannot name it.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }

    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            Linkage::Implicit | Linkage::External => "external",
            Linkage::Private => "private",
            Linkage::Internal => "internal",
            Linkage::Weak => "weak",
            Linkage::WeakOdr => "weak_odr",
            Linkage::LinkOnce => "linkonce",
            Linkage::LinkOnceOdr => "linkonce_odr",
            Linkage::AvailableExternally => "available_externally",
            Linkage::Appending => "appending",
            Linkage::Common => "common",
            Linkage::ExternWeak => "extern_weak",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Visibility {
    #[default]
    Default,
    Hidden,
    Protected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum DllStorage {
    #[default]
    None,
    Import,
    Export,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum UnnamedAddr {
    #[default]
    None,
    Local,
    Global,
}

/// What all global values have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobalHead {
    /// Name or number, without `@`.
    pub name: Symbol,
    /// Number of the item, see [`Item`].
    pub item: u32,
    /// How it is linked.
    pub linkage: Linkage,
    pub(crate) visibility: Visibility,
    pub(crate) dll_storage: DllStorage,
    pub(crate) is_thread_local: bool,
    pub(crate) unnamed_addr: UnnamedAddr,
    pub(crate) dso_local: bool,
    /// `addrspace(n)` as written.
    pub address_space: Option<AddressSpace>,
    pub(crate) partition: Option<NameId>,
}

/// An address space as written: a number or a letter of the data layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressSpace {
    /// `addrspace(1)`
    Number(u32),
    /// `"A"`, `"G"` or `"P"`.
    Symbolic(u8),
}

/// `comdat` or `comdat($name)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComdatRef {
    /// Named like the global.
    Own,
    /// `comdat($name)`
    Named(NameId),
}

/// A global variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Global {
    /// What all global values have.
    pub head: GlobalHead,
    /// `constant` instead of `global`.
    pub is_constant: bool,
    pub(crate) externally_initialized: bool,
    /// The value's type.
    pub ty: TypeId,
    pub(crate) init: Option<OperandId>,
    pub(crate) section: Option<NameId>,
    pub(crate) comdat: Option<ComdatRef>,
    /// As [`super::body::Inst::align`].
    pub align: u8,
    pub(crate) code_model: Option<NameId>,
    /// no_sanitize_address 1, no_sanitize_hwaddress 2, sanitize_memtag 4, sanitize_address_dyninit 8.
    pub(crate) sanitizers: u8,
    pub(crate) attrs: Span,
    pub(crate) attachments: Span,
}

/// An alias or ifunc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// What all global values have.
    pub head: GlobalHead,
    /// `ifunc` instead of `alias`.
    pub is_ifunc: bool,
    /// The value's type.
    pub ty: TypeId,
    pub(crate) target: OperandId,
    /// Only an ifunc has any.
    pub(crate) attachments: Span,
}

/// A function, declared or defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    /// What all global values have.
    pub head: GlobalHead,
    /// `define` instead of `declare`.
    pub is_definition: bool,
    /// Calling convention number, as LLVM numbers them; 0 is C.
    pub cc: u32,
    /// Type of the result.
    pub result: TypeId,
    pub(crate) ret_attrs: Span,
    /// Into [`Summary::params`].
    pub params: Span,
    /// Whether the list of parameters ends with `...`.
    pub vararg: bool,
    /// Attributes of the function, in [`Summary::tables`].
    pub attrs: Span,
    pub(crate) section: Option<NameId>,
    pub(crate) comdat: Option<ComdatRef>,
    pub(crate) align: u8,
    pub(crate) gc: Option<NameId>,
    pub(crate) prefix: Option<OperandId>,
    pub(crate) prologue: Option<OperandId>,
    /// The `personality` operand.
    pub personality: Option<OperandId>,
    /// Its metadata attachments.
    pub attachments: Span,
    /// How many allocas its body passes to `llvm.localescape`.
    pub(crate) escaped: u32,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its type.
    pub ty: TypeId,
    /// Its attributes, in [`Summary::tables`].
    pub attrs: Span,
    /// Name or number, where it is written.
    pub name: Option<Symbol>,
}

/// `$name = comdat any`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comdat {
    /// Without `$`.
    pub name: NameId,
    /// Number of the item, see [`Item`].
    pub item: u32,
    /// How duplicates are resolved.
    pub kind: ComdatKind,
}

/// How a linker resolves duplicate comdats.
#[allow(missing_docs, reason = "LLVM's own names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComdatKind {
    /// Not understood.
    Error,
    Any,
    ExactMatch,
    Largest,
    NoDeduplicate,
    SameSize,
}

/// `attributes #0 = {...}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttrGroup {
    /// The number of `#0`.
    pub number: u32,
    /// Number of the item, see [`Item`].
    pub item: u32,
    /// Its attributes, in [`Summary::tables`].
    pub attrs: Span,
    /// Those that rules look at: many functions can share a group, and each of them has all these attributes.
    pub(crate) ruled: ThinVec<Attr>,
}

/// `!name = !{...}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedMetadata {
    /// Without `!`.
    pub name: NameId,
    /// Number of the item, see [`Item`].
    pub item: u32,
    /// Into [`ColdSummary::named_metadata_values`].
    pub values: Span,
}

/// `!5 = ...`: the node's index in [`super::arena::ColdTables::md_nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataDef {
    /// The number of `!5`.
    pub number: u32,
    /// Number of the item, see [`Item`].
    pub item: u32,
    /// Index of the node in [`super::arena::ColdTables::md_nodes`].
    pub node: u32,
}

/// `^7 = ...`: an entry of a ThinLTO summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    pub(crate) number: u32,
    pub(crate) item: u32,
    pub(crate) kind: IndexKind,
}

/// `uselistorder` or `uselistorder_bb` at module level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UseListOrder {
    pub(crate) of: Ordered,
    /// How many indexes there are.
    pub(crate) count: u32,
    pub(crate) item: u32,
}

/// The value whose uses are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ordered {
    Global(Symbol),
    /// A block with a name.
    Block {
        function: Symbol,
        block: Symbol,
    },
    /// Of a function body.
    Local(super::operand::LocalId),
    /// Other constants, of which LLVM keeps one of a kind.
    Constant,
}

impl Summary {
    /// Parameters of a function.
    pub fn params(&self, function: &Function) -> &[Param] {
        function.params.of(&self.params)
    }

    pub(crate) fn operand(&self, id: OperandId) -> Operand {
        self.tables.operand(id)
    }
}
