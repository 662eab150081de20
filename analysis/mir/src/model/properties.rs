//! What the YAML of a machine function says, apart from its body.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use thin_vec::ThinVec;

use super::Symbol;
use wavelens_base::TextRange;

/// A text in the YAML with its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// Without quotes.
    pub text: SmolStr,
    /// Where it is written; empty where the key is missing.
    pub range: TextRange,
}

/// A virtual register.
#[derive(Debug, Clone)]
pub struct VirtualRegister {
    /// Its number, or its name without `%`.
    pub name: VirtualName,
    /// Where it is first named in the body, or declared.
    pub(crate) first: TextRange,
}

/// How a virtual register is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VirtualName {
    /// `%5`
    Number(u32),
    /// `%name`
    Name(Symbol),
}

/// An entry of `registers:`.
#[derive(Debug, Clone)]
pub struct RegisterDecl {
    /// Index into [`Function::registers`](super::Function::registers).
    pub register: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// The number after `id:`.
    pub id: u32,
    /// Register class or bank, or `_`.
    pub class: Symbol,
    pub(crate) class_range: TextRange,
    /// The value of `preferred-register:`.
    pub preferred: Text,
    /// The value of `assigned-phys:`.
    pub(crate) assigned: Text,
    /// The value of `split-from:`.
    pub(crate) split_from: Text,
    pub(crate) flags: Vec<Text>,
}

/// An entry of `liveins:`.
#[derive(Debug, Clone)]
pub struct FunctionLiveIn {
    pub(crate) register: Text,
    /// The value of `virtual-reg:`.
    pub virtual_register: Text,
}

/// An entry of `stack:` or `fixedStack:`.
#[derive(Debug, Clone)]
pub struct FrameObject {
    /// The number after `id:`.
    pub id: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// Whether it is an entry of `fixedStack:`.
    pub fixed: bool,
    /// The IR name of an `alloca`, without `%`.
    pub name: Text,
    /// `default`, `spill-slot` or `variable-sized`.
    pub kind: Text,
    /// Bytes from the incoming stack pointer.
    pub offset: i64,
    /// Bytes.
    pub size: u64,
    pub(crate) stack_id: Text,
    pub(crate) callee_saved: Text,
    /// Variable, expression and location.
    pub(crate) debug: [Text; 3],
}

/// An entry of `constants:`.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The number after `id:`.
    pub id: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// The IR constant.
    pub value: Text,
    pub(crate) target_specific: bool,
}

/// An entry of `jumpTable:`.
#[derive(Debug, Clone)]
pub struct JumpTable {
    /// The number after `id:`.
    pub id: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// Its targets, such as `%bb.2`.
    pub blocks: Vec<Text>,
}

/// An entry of `callSites:` or `calledGlobals:`.
#[derive(Debug, Clone)]
pub struct CallSite {
    pub(crate) block: u32,
    pub(crate) offset: u32,
    pub(crate) range: TextRange,
    pub(crate) registers: Vec<Text>,
    /// The value of `callee:`.
    pub callee: Text,
}

/// What the YAML around a body says.
#[derive(Debug, Clone, Default)]
pub struct Properties {
    /// The function's name.
    pub name: Text,
    /// `legalized:`
    pub legalized: bool,
    /// `regBankSelected:`
    pub reg_bank_selected: bool,
    /// `selected:`
    pub selected: bool,
    pub(crate) failed_isel: bool,
    pub(crate) tracks_liveness: bool,
    pub(crate) tracks_debug_user_values: bool,
    pub(crate) no_phis: Option<bool>,
    /// `isSSA:`, where it is written.
    pub is_ssa: Option<bool>,
    pub(crate) no_vregs: Option<bool>,
    pub(crate) has_fake_uses: Option<bool>,
    pub(crate) adjusts_stack: bool,
    pub(crate) has_calls: bool,
    /// Whether the stack pointer or the funclets of the function may require a base pointer.
    pub(crate) may_need_base_pointer: bool,
    pub(crate) callee_saved_valid: bool,
    pub(crate) stack_size: u64,
    /// Range of the key where a property is given.
    pub ranges: FxHashMap<&'static str, TextRange>,
    /// Values that name a stack object.
    pub stack_refs: ThinVec<Text>,
    /// Values that name a block.
    pub block_refs: ThinVec<Text>,
    pub(crate) callee_saved_registers: ThinVec<Text>,
    pub(crate) entry_value_registers: ThinVec<Text>,
    /// Debug metadata of entry values: variable, expression, location of each.
    pub(crate) entry_value_debug: ThinVec<[Text; 3]>,
    pub(crate) machine_metadata: ThinVec<Text>,
    /// Values of the target's own section: the key and the text.
    pub target_values: ThinVec<(SmolStr, Text)>,
    /// A key at the top, with a value, was not understood, or not read: it may declare what the body uses.
    pub(crate) has_unknown_key: bool,
    /// Where the mapping starts.
    pub range: TextRange,
}
