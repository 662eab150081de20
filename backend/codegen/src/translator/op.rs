//! Numbers of SPIR-V's instructions and of their operands (source: the SPIR-V specification, section 3).

pub(super) const UNDEF: u32 = 1;
pub(super) const LINE: u32 = 8;
pub(super) const MEMORY_MODEL: u32 = 14;
pub(super) const EXECUTION_MODE: u32 = 16;
pub(super) const TYPES: std::ops::RangeInclusive<u32> = 19..=38;
pub(super) const TYPE_BOOL: u32 = 20;
pub(super) const TYPE_INT: u32 = 21;
pub(super) const TYPE_FLOAT: u32 = 22;
pub(super) const TYPE_VECTOR: u32 = 23;
pub(super) const TYPE_ARRAY: u32 = 28;
pub(super) const TYPE_STRUCT: u32 = 30;
pub(super) const TYPE_POINTER: u32 = 32;
pub(super) const CONSTANT_FALSE: u32 = 42;
pub(super) const CONSTANT: u32 = 43;
pub(super) const CONSTANT_COMPOSITE: u32 = 44;
pub(super) const CONSTANT_NULL: u32 = 46;
pub(super) const SPEC_CONSTANT: u32 = 50;
pub(super) const SPEC_CONSTANT_OP: u32 = 52;
pub(super) const FUNCTION: u32 = 54;
pub(super) const VARIABLE: u32 = 59;
pub(super) const LOAD: u32 = 61;
pub(super) const STORE: u32 = 62;
pub(super) const COPY_MEMORY: u32 = 63;
pub(super) const VECTOR_SHUFFLE: u32 = 79;
pub(super) const COMPOSITE_CONSTRUCT: u32 = 80;
pub(super) const COMPOSITE_EXTRACT: u32 = 81;
pub(super) const COMPOSITE_INSERT: u32 = 82;
pub(super) const COPY_OBJECT: u32 = 83;
pub(super) const SAMPLED_IMAGE: u32 = 86;
pub(super) const IMAGE: u32 = 100;
pub(super) const U_CONVERT: u32 = 113;
pub(super) const S_CONVERT: u32 = 114;
pub(super) const CONVERT_PTR_TO_U: u32 = 117;
pub(super) const CONVERT_U_TO_PTR: u32 = 120;
pub(super) const BITCAST: u32 = 124;
pub(super) const I_ADD: u32 = 128;
pub(super) const I_SUB: u32 = 130;
pub(super) const I_MUL: u32 = 132;
pub(super) const U_DIV: u32 = 134;
pub(super) const U_MOD: u32 = 137;
pub(super) const I_ADD_CARRY: u32 = 149;
pub(super) const I_SUB_BORROW: u32 = 150;
pub(super) const U_MUL_EXTENDED: u32 = 151;
pub(super) const S_MUL_EXTENDED: u32 = 152;
pub(super) const SELECT: u32 = 169;
pub(super) const I_EQUAL: u32 = 170;
pub(super) const I_NOT_EQUAL: u32 = 171;
pub(super) const U_LESS_THAN: u32 = 176;
pub(super) const SHIFT_RIGHT_LOGICAL: u32 = 194;
pub(super) const SHIFT_LEFT_LOGICAL: u32 = 196;
pub(super) const BITWISE_OR: u32 = 197;
pub(super) const BITWISE_AND: u32 = 199;
pub(super) const NO_LINE: u32 = 317;
pub(super) const EXECUTION_MODE_ID: u32 = 331;
pub(super) const COPY_LOGICAL: u32 = 400;
pub(super) const PTR_EQUAL: u32 = 401;
pub(super) const PTR_NOT_EQUAL: u32 = 402;
pub(super) const DECORATE_STRING: u32 = 5632;
pub(super) const MEMBER_DECORATE_STRING: u32 = 5633;

pub(super) const FUNCTION_STORAGE: u32 = 7;
/// The addressing model whose pointers have 32 bits.
pub(super) const PHYSICAL_32: u32 = 1;
/// A decoration that only other tools read.
pub(super) const USER_SEMANTIC: u32 = 5635;
/// A component of a shuffle that has no source.
pub(super) const NO_COMPONENT: u32 = u32::MAX;
/// The bits of memory operands that a word follows: alignment, scopes and lists of aliases.
pub(super) const MEMORY_OPERANDS_WITH_WORD: u32 = 0x2 | 0x8 | 0x10 | 0x1_0000 | 0x2_0000;

/// Execution modes whose operands are ids of constants, and those that take the numbers: sub-groups, sizes, hints.
pub(super) const MODES: [(u32, u32); 3] = [(37, 36), (38, 17), (39, 18)];
