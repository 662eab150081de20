//! What a module says about its debug information as a whole. The rules about it gather this once for a scope.

use rustc_hash::{FxHashMap, FxHashSet};

use super::summary::DebugFormat;

/// Identity of a node, as [`NodeRef::key`](super::scope::NodeRef::key) gives it.
pub type Key = (u32, u32);

/// Facts that rules about single nodes and functions need.
#[derive(Debug, Default)]
pub struct DebugInfo {
    /// What the module flag `Debug Info Version` says.
    pub version: Option<u64>,
    /// Whether the module has the flag `SemanticInterposition`.
    pub(crate) interposition: bool,
    /// How the module says where variables are, where it first does.
    pub format: Option<DebugFormat>,
    /// Compile units that `!llvm.dbg.cu` lists.
    pub(crate) listed: FxHashSet<Key>,
    /// Nodes that something other than debug information refers to: they stay when LLVM drops it.
    pub(crate) kept: FxHashSet<Key>,
    /// The definition that each subprogram is attached to first: summary and item.
    pub(crate) attached: FxHashMap<Key, (u32, u32)>,
}

/// A part of a variable, in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// What a `!DIExpression` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Expression {
    pub(crate) fragment: Option<Fragment>,
    /// Whether it is about the value on entry to the function.
    pub(crate) is_entry_value: bool,
}
