//! Names in a chunk.

use smol_str::SmolStr;
use wavelens_base::TextRange;

/// What kind of name it is; names of different spaces never mean the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// `@f` of LLVM IR, an assembly symbol.
    Global,
    /// `%x` of LLVM IR, labels included.
    Local,
    /// `%T` of LLVM IR as a type.
    Type,
    /// `!0`, `!name`.
    Metadata,
    /// `#0`.
    AttributeGroup,
    /// `$c`.
    Comdat,
    /// `^0` of a ThinLTO summary.
    SummaryEntry,
    /// `%id` of SPIR-V.
    Id,
    /// `bb.0` of Machine IR.
    Block,
    /// `%0`, `%name` of Machine IR: virtual registers.
    Register,
    /// `$vgpr0` of Machine IR.
    PhysicalRegister,
    /// `%stack.0`, `%fixed-stack.0`.
    StackSlot,
    /// `%const.0`.
    ConstantSlot,
    /// `%jump-table.0`.
    JumpTable,
    /// A name that `.macro` or the like makes.
    Macro,
    /// A section.
    Section,
}

/// Identity of a name within its file: what must agree for two names to mean the same thing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolKey {
    /// What kind of name it is.
    pub space: Space,
    /// For a name that is local to a function: which function of its chunk. `None`: the whole file sees it.
    pub owner: Option<u32>,
    /// Without sigil, quotes and escapes; the number of an unnamed thing in digits.
    pub name: SmolStr,
}

impl SymbolKey {
    /// A name that means the same in the whole file.
    pub fn module(space: Space, name: impl Into<SmolStr>) -> Self {
        SymbolKey { space, owner: None, name: name.into() }
    }

    /// A name that belongs to one owner of its chunk, such as a function by its number.
    pub fn local(space: Space, owner: u32, name: impl Into<SmolStr>) -> Self {
        SymbolKey { space, owner: Some(owner), name: name.into() }
    }
}

/// What a name does at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Makes the name known.
    Definition,
    /// Says what is defined elsewhere (`declare`).
    Declaration,
    /// Uses the name.
    Reference,
    /// A reference that writes: a store's pointer, a register that is defined again.
    Write,
    /// A reference as the callee.
    Call,
}

impl Role {
    /// Whether the name is made known here, in this file.
    pub(crate) fn introduces(self) -> bool {
        matches!(self, Role::Definition | Role::Declaration)
    }
}

/// One name in a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// What is named.
    pub key: SymbolKey,
    /// The name with its sigil and quotes (`@"f"`), without a label's colon. Empty, at the place that has the number, for the definition of a
    /// thing that is numbered without being written.
    pub range: TextRange,
    /// What the occurrence does.
    pub role: Role,
}
