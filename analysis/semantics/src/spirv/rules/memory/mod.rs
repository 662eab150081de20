//! Variables, loads, stores, copies and access chains (SPIR-V specification, section 3.52.8).

mod access;
mod chain;
mod variable;

use access::{copy, load, store};
use chain::{access_chain, array_length, comparison, pointer_access_chain, raw_access_chain};
use variable::variable;
use wavelens_syntax::spirv::tables::Op;

use super::cooperative;
use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Module, fail_at};
use crate::{Rule, Severity};

pub(super) use access::memory_operands;

pub static MEMORY_ACCESS: Rule = Rule {
    code: "memory-access",
    severity: Severity::Error,
    explain: "Loads and stores go through a pointer to the type that is moved, with memory operands that fit the storage class.\n\n\
        Source: SPIR-V specification, section 3.52.8 (Memory Instructions) and 3.26 (Memory Operands).",
    ..Rule::UNDOCUMENTED
};

pub static VARIABLE: Rule = Rule {
    code: "variable",
    severity: Severity::Error,
    explain: "A variable's storage class is that of its pointer type, stands where the class allows, holds types that the class allows, \
        and is initialized by a constant of its type.\n\n\
        Source: SPIR-V specification, OpVariable and section 3.7 (Storage Class); Vulkan specification, Standalone SPIR-V Validation.",
    ..Rule::UNDOCUMENTED
};

pub static ACCESS_CHAIN: Rule = Rule {
    code: "access-chain",
    severity: Severity::Error,
    explain: "An access chain starts from a pointer, its indexes are integers (constants into structures), and its result points to what the \
        indexes lead to, in the same storage class.\n\nSource: SPIR-V specification, OpAccessChain.",
    ..Rule::UNDOCUMENTED
};

fn wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&MEMORY_ACCESS, operand, message)
}

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    match inst.op() {
        Op::Variable | Op::UntypedVariableKHR => variable(m, inst),
        Op::Load => load(m, inst),
        Op::Store => store(m, inst),
        Op::CopyMemory | Op::CopyMemorySized => copy(m, inst),
        Op::PtrAccessChain | Op::UntypedPtrAccessChainKHR | Op::UntypedInBoundsPtrAccessChainKHR => {
            pointer_access_chain(m, inst)
        }
        Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::UntypedAccessChainKHR
        | Op::UntypedInBoundsAccessChainKHR => access_chain(m, inst),
        Op::RawAccessChainNV => raw_access_chain(m, inst),
        Op::ArrayLength | Op::UntypedArrayLengthKHR => array_length(m, inst),
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => comparison(m, inst),
        _ => cooperative::check(m, inst),
    }
}
