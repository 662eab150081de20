//! Types, interned: equal types have equal ids within one table.
//!
//! There are two kinds of tables. A *local* table belongs to a chunk's lowered form; its named types are just names. The
//! *canonical* table of a module is made with the scope: there a named struct is an identity ([`Type::Struct`] by index
//! into the scope's definitions) and names for other types (`%t = type i32`) are already replaced by what they stand for.
//! Rules only ever see canonical ids.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::names::Symbol;
use thin_vec::ThinVec;
use wavelens_base::lazy_box::{LazyBox, empty};

/// A type in a [`Types`] table. The constants hold in every table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

impl TypeId {
    /// A type that could not be understood; rules pass over it in silence.
    pub const ERROR: TypeId = TypeId(0);
    pub(crate) const VOID: TypeId = TypeId(1);
    pub(crate) const LABEL: TypeId = TypeId(2);
    pub(crate) const TOKEN: TypeId = TypeId(3);
    pub(crate) const METADATA: TypeId = TypeId(4);
    pub(crate) const HALF: TypeId = TypeId(5);
    pub(crate) const BFLOAT: TypeId = TypeId(6);
    pub(crate) const FLOAT: TypeId = TypeId(7);
    pub(crate) const DOUBLE: TypeId = TypeId(8);
    pub(crate) const X86_FP80: TypeId = TypeId(9);
    pub(crate) const FP128: TypeId = TypeId(10);
    pub(crate) const PPC_FP128: TypeId = TypeId(11);
    pub(crate) const X86_AMX: TypeId = TypeId(12);
    /// `ptr` in address space 0.
    pub(crate) const PTR: TypeId = TypeId(13);
    pub(crate) const I1: TypeId = TypeId(14);
    pub(crate) const I8: TypeId = TypeId(15);
    pub(crate) const I16: TypeId = TypeId(16);
    pub(crate) const I32: TypeId = TypeId(17);
    pub(crate) const I64: TypeId = TypeId(18);
    pub(crate) const I128: TypeId = TypeId(19);

    /// Whether the type was not understood.
    pub fn is_error(self) -> bool {
        self == TypeId::ERROR
    }
}

const BUILTIN: [Type; 20] = [
    Type::Error,
    Type::Void,
    Type::Label,
    Type::Token,
    Type::Metadata,
    Type::Half,
    Type::BFloat,
    Type::Float,
    Type::Double,
    Type::X86Fp80,
    Type::Fp128,
    Type::PpcFp128,
    Type::X86Amx,
    Type::Ptr(0),
    Type::Int(1),
    Type::Int(8),
    Type::Int(16),
    Type::Int(32),
    Type::Int(64),
    Type::Int(128),
];

/// A run of entries in a side list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First index.
    pub start: u32,
    /// How many entries.
    pub len: u32,
}

impl Span {
    /// As a range of indexes.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The entries of `list`; empty for a span of another list.
    pub fn of<T>(self, list: &[T]) -> &[T] {
        list.get(self.range()).unwrap_or(&[])
    }
}

/// The shape of a type. Lists are read with [`Types::list`].
#[allow(missing_docs, reason = "LLVM's own names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    Error,
    Void,
    Label,
    Token,
    Metadata,
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
    X86Amx,
    /// Width in bits, 1 to 2^23.
    Int(u32),
    /// Memory as it is, `b8`: width in bits, 1 to 2^23.
    Byte(u32),
    /// Address space.
    Ptr(u32),
    Array {
        len: u64,
        element: TypeId,
    },
    Vector {
        len: u32,
        scalable: bool,
        element: TypeId,
    },
    /// A literal struct.
    Struct {
        fields: ListId,
        packed: bool,
    },
    /// Local tables only: `%name` or `%0`.
    Named(Symbol),
    /// Canonical tables only: a struct with a name, an index into the scope's type definitions.
    NamedStruct(u32),
    Function {
        result: TypeId,
        params: ListId,
        vararg: bool,
    },
    /// `target("name", types..., integers...)`.
    Target(u32),
}

/// An interned list of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ListId(u32);

/// A `target("...")` type's content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetType {
    pub(crate) name: SmolStr,
    pub(crate) types: ListId,
    pub(crate) integers: Vec<u32>,
}

/// What the types of one table are in another one. Those of [`BUILTIN`] are the same in all.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TypeMap(ThinVec<TypeId>);

impl TypeMap {
    /// The type in the other table; [`TypeId::ERROR`] if the other table lacks it.
    #[inline]
    pub(crate) fn get(&self, id: TypeId) -> TypeId {
        match id.0.checked_sub(BUILTIN.len() as u32) {
            Some(own) => self.0.get(own as usize).copied().unwrap_or(TypeId::ERROR),
            None => id,
        }
    }

    /// Says what the next type is.
    pub(crate) fn push(&mut self, id: TypeId) {
        self.0.push(id);
    }
}

/// A table of types on top of another one, whose ids keep their meaning: of a table, or of [`BUILTIN`] and the empty list.
#[derive(Debug, Clone)]
pub struct Types {
    base: Option<Arc<Types>>,
    /// Numbers of entries below: ids from there on are this table's own.
    base_types: u32,
    base_lists: u32,
    base_targets: u32,
    own: LazyBox<OwnTypes>,
}

/// The types of one table alone: most functions use those that are built in.
#[derive(Debug, Clone, Default)]
struct OwnTypes {
    types: ThinVec<Type>,
    list_items: ThinVec<TypeId>,
    lists: ThinVec<Span>,
    targets: ThinVec<TargetType>,
    index: Option<Box<Index>>,
}

empty!(OwnTypes);

/// Where each type and list of a table is, if the table has more than [`FEW`] of one.
#[derive(Debug, Clone, Default)]
struct Index {
    types: FxHashMap<Type, TypeId>,
    lists: FxHashMap<Box<[TypeId]>, ListId>,
}

/// So many types, or lists, are compared one by one: most functions have fewer, and there may be a million functions.
const FEW: usize = 8;

impl Types {
    /// Gives back what vectors have reserved: there is one of these for each chunk or function.
    pub(crate) fn shrink(&mut self) {
        let Some(own) = self.own.written() else { return };
        own.types.shrink_to_fit();
        own.list_items.shrink_to_fit();
        own.lists.shrink_to_fit();
        own.targets.shrink_to_fit();
    }
}

impl PartialEq for Types {
    fn eq(&self, other: &Self) -> bool {
        self.own == other.own
    }
}

/// Where types are follows from the others.
impl PartialEq for OwnTypes {
    fn eq(&self, other: &Self) -> bool {
        self.types == other.types
            && self.list_items == other.list_items
            && self.lists == other.lists
            && self.targets == other.targets
    }
}

impl Default for Types {
    fn default() -> Self {
        Types {
            base: None,
            base_types: BUILTIN.len() as u32,
            base_lists: 1,
            base_targets: 0,
            own: LazyBox::default(),
        }
    }
}

impl ListId {
    pub(crate) const EMPTY: ListId = ListId(0);
}

impl Types {
    /// An empty table on top of `base`.
    pub fn on(base: Arc<Types>) -> Self {
        Types {
            base_types: base.len() as u32,
            base_lists: base.base_lists + base.own.lists.len() as u32,
            base_targets: base.base_targets + base.own.targets.len() as u32,
            base: Some(base),
            own: LazyBox::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.base_types as usize + self.own.types.len()
    }

    /// The types that are not built in, in the order in which they were interned.
    pub(crate) fn interned(&self) -> impl Iterator<Item = Type> {
        (BUILTIN.len() as u32..self.len() as u32).map(|id| self.get(TypeId(id)))
    }

    /// The shape; [`Type::Error`] for an id of another table.
    #[inline]
    pub fn get(&self, id: TypeId) -> Type {
        match id.0.checked_sub(self.base_types) {
            Some(own) => self.own.types.get(own as usize).copied().unwrap_or(Type::Error),
            None => match &self.base {
                Some(base) => base.get(id),
                None => BUILTIN.get(id.0 as usize).copied().unwrap_or(Type::Error),
            },
        }
    }

    /// The types of a list; empty for an id of another table.
    pub fn list(&self, id: ListId) -> &[TypeId] {
        match id.0.checked_sub(self.base_lists) {
            Some(own) => self.own.lists.get(own as usize).map_or(&[], |s| s.of(&self.own.list_items)),
            None => self.base.as_ref().map_or(&[], |b| b.list(id)),
        }
    }

    pub(crate) fn target(&self, index: u32) -> Option<&TargetType> {
        match index.checked_sub(self.base_targets) {
            Some(own) => self.own.targets.get(own as usize),
            None => self.base.as_ref()?.target(index),
        }
    }

    /// Whether the table or the one below has types of targets.
    pub(crate) fn has_targets(&self) -> bool {
        self.base_targets > 0 || !self.own.targets.is_empty()
    }

    fn type_id(&self, own: usize) -> TypeId {
        TypeId(self.base_types + own as u32)
    }

    fn list_id(&self, own: usize) -> ListId {
        ListId(self.base_lists + own as u32)
    }

    /// Notes where things are, once there are many of them.
    fn index_if_many(&mut self) {
        if self.own.index.is_some() || self.own.types.len().max(self.own.lists.len()) <= FEW {
            return;
        }
        let types = self.own.types.iter().enumerate().map(|(at, ty)| (*ty, self.type_id(at)));
        let lists = self.own.lists.iter().enumerate();
        let lists = lists.map(|(at, list)| (list.of(&self.own.list_items).into(), self.list_id(at)));
        self.own.index = Some(Box::new(Index { types: types.collect(), lists: lists.collect() }));
    }

    fn find(&self, ty: Type) -> Option<TypeId> {
        let own = match &self.own.index {
            Some(index) => index.types.get(&ty).copied(),
            None => self.own.types.iter().position(|own| *own == ty).map(|at| self.type_id(at)),
        };
        own.or_else(|| self.base.as_ref()?.find(ty))
    }

    fn find_list(&self, items: &[TypeId]) -> Option<ListId> {
        let own = match &self.own.index {
            Some(index) => index.lists.get(items).copied(),
            None => {
                let found = self.own.lists.iter().position(|own| own.of(&self.own.list_items) == items);
                found.map(|at| self.list_id(at))
            }
        };
        own.or_else(|| self.base.as_ref()?.find_list(items))
    }

    fn find_target(&self, target: &TargetType) -> Option<u32> {
        let own = self.own.targets.iter().position(|t| t == target).map(|i| self.base_targets + i as u32);
        own.or_else(|| self.base.as_ref()?.find_target(target))
    }

    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        match ty {
            Type::Int(1) => return TypeId::I1,
            Type::Int(8) => return TypeId::I8,
            Type::Int(16) => return TypeId::I16,
            Type::Int(32) => return TypeId::I32,
            Type::Int(64) => return TypeId::I64,
            Type::Int(128) => return TypeId::I128,
            Type::Ptr(0) => return TypeId::PTR,
            Type::Int(_)
            | Type::Byte(_)
            | Type::Ptr(_)
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::NamedStruct(_)
            | Type::Function { .. }
            | Type::Target(_) => {}
            simple => return TypeId(BUILTIN.iter().position(|b| *b == simple).unwrap_or(0) as u32),
        }
        if let Some(id) = self.find(ty) {
            return id;
        }
        let id = self.type_id(self.own.types.len());
        self.own.types.push(ty);
        match &mut self.own.index {
            Some(index) => drop(index.types.insert(ty, id)),
            None => self.index_if_many(),
        }
        id
    }

    pub(crate) fn intern_list(&mut self, items: &[TypeId]) -> ListId {
        if items.is_empty() {
            return ListId::EMPTY;
        }
        if let Some(id) = self.find_list(items) {
            return id;
        }
        let start = self.own.list_items.len() as u32;
        self.own.list_items.extend_from_slice(items);
        self.own.lists.push(Span { start, len: items.len() as u32 });
        let id = self.list_id(self.own.lists.len() - 1);
        match &mut self.own.index {
            Some(index) => drop(index.lists.insert(items.into(), id)),
            None => self.index_if_many(),
        }
        id
    }

    pub(crate) fn int(&mut self, bits: u32) -> TypeId {
        self.intern(Type::Int(bits))
    }

    pub(crate) fn ptr(&mut self, address_space: u32) -> TypeId {
        self.intern(Type::Ptr(address_space))
    }

    pub(crate) fn array(&mut self, len: u64, element: TypeId) -> TypeId {
        self.intern(Type::Array { len, element })
    }

    pub(crate) fn vector(&mut self, len: u32, scalable: bool, element: TypeId) -> TypeId {
        self.intern(Type::Vector { len, scalable, element })
    }

    pub(crate) fn literal_struct(&mut self, fields: &[TypeId], packed: bool) -> TypeId {
        let fields = self.intern_list(fields);
        self.intern(Type::Struct { fields, packed })
    }

    pub(crate) fn function(&mut self, result: TypeId, params: &[TypeId], vararg: bool) -> TypeId {
        let params = self.intern_list(params);
        self.intern(Type::Function { result, params, vararg })
    }

    pub(crate) fn target_type(&mut self, name: &str, types: &[TypeId], integers: Vec<u32>) -> TypeId {
        let target = TargetType { name: name.into(), types: self.intern_list(types), integers };
        let index = self.find_target(&target).unwrap_or_else(|| {
            self.own.targets.push(target);
            self.base_targets + self.own.targets.len() as u32 - 1
        });
        self.intern(Type::Target(index))
    }

    // ---- questions ----

    /// The element type of a vector, or the type itself.
    pub(crate) fn scalar(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Vector { element, .. } => element,
            _ => id,
        }
    }

    /// Lanes of a vector: count and whether it is scalable.
    pub fn lanes(&self, id: TypeId) -> Option<(u32, bool)> {
        match self.get(id) {
            Type::Vector { len, scalable, .. } => Some((len, scalable)),
            _ => None,
        }
    }

    pub(crate) fn is_int(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_))
    }

    pub(crate) fn is_int_or_vector(&self, id: TypeId) -> bool {
        self.is_int(self.scalar(id))
    }

    pub(crate) fn is_byte(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Byte(_))
    }

    /// Whether a type may be the element of a vector without being a target's type.
    pub(crate) fn is_element(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Byte(_) | Type::Ptr(_)) || self.is_float(id)
    }

    /// The bits of an integer type.
    pub fn int_bits(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Int(bits) => Some(bits),
            _ => None,
        }
    }

    pub(crate) fn is_float(&self, id: TypeId) -> bool {
        self.float_bits(id).is_some()
    }

    pub(crate) fn is_float_or_vector(&self, id: TypeId) -> bool {
        self.is_float(self.scalar(id))
    }

    /// Width of a floating point type in bits.
    pub(crate) fn float_bits(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Half | Type::BFloat => Some(16),
            Type::Float => Some(32),
            Type::Double => Some(64),
            Type::X86Fp80 => Some(80),
            Type::Fp128 | Type::PpcFp128 => Some(128),
            _ => None,
        }
    }

    pub(crate) fn is_ptr(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Ptr(_))
    }

    pub(crate) fn is_ptr_or_vector(&self, id: TypeId) -> bool {
        self.is_ptr(self.scalar(id))
    }

    /// Address space of a pointer or of a vector of pointers.
    pub fn address_space(&self, id: TypeId) -> Option<u32> {
        match self.get(self.scalar(id)) {
            Type::Ptr(space) => Some(space),
            _ => None,
        }
    }

    pub(crate) fn is_vector(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Vector { .. })
    }

    pub(crate) fn is_function(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function { .. })
    }

    /// The type with its scalar replaced: `scalar`, or a vector of it where `like` is a vector.
    pub(crate) fn with_lanes_of(&mut self, like: TypeId, scalar: TypeId) -> TypeId {
        match self.get(like) {
            Type::Vector { len, scalable, .. } => self.vector(len, scalable, scalar),
            _ => scalar,
        }
    }
}
