//! The folders of the generated tables, relative to the repository.

/// Intrinsics, attributes and words of debug information.
pub(crate) const LLVM: &str = "analysis/llvm/src/tables";
/// The opcodes that all machines share.
pub(crate) const MIR: &str = "backend/isa/src/mir";
/// One file for each machine.
pub(crate) const MIR_MACHINES: &str = "backend/isa/src/mir/tables";
pub(crate) const SPIRV: &str = "syntax/src/spirv/tables";
/// What is kept of SPIRV-Headers' grammar.
pub(crate) const SPIRV_FACTS: &str = "tests/xtask/tables/spirv/facts";
/// Rows of instructions.
pub(crate) const ISA_ROWS: &str = "backend/isa/tables";
/// The words that the rows use.
pub(crate) const ISA_WORDS: &str = "backend/isa/src/tables";
/// Facts of LLVM's description of AMDGPU that the AMDGPU tables and those of Machine IR come from.
pub(crate) const ISA_FACTS: &str = "tests/xtask/tables/amdgpu/facts";
/// The generators that are not part of this program.
pub(crate) const GENERATORS: &str = "tests/xtask/tables";
/// Options and passes of RUN lines.
pub(crate) const LIT: &str = "analysis/base/src/lit/tables";
pub(crate) const RUN: &str = "backend/codegen/src/lit/tables";
