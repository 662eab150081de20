//! Small inputs through the library: what a contributor runs after each change.

mod assemble;
mod built_ins;
mod code_objects;
mod digests;
mod file_sizes;
mod fuzz_regressions;
mod hover_findings;
mod inputs;
mod instructions;
mod llvm_catalogue;
mod llvm_fixes;
mod machines;
mod mir_catalogue;
mod programs;
mod purity;
mod recomputation;
mod recorded;
mod reference_words;
mod rule_files;
mod spirv_interfaces;
mod words;

#[path = "../../../backend/isa/examples/line/mod.rs"]
mod line;
