//! What the flags and other words of machine instructions mean. <https://llvm.org/docs/MIRLangRef.html>

/// Flags of register operands.
pub(super) const REGISTER: &[(&str, &str)] = &[
    ("implicit", "Read, but not one of the operands that the opcode names."),
    ("implicit-def", "Written, but not one of the operands that the opcode names."),
    ("def", "Written, although it follows the opcode."),
    ("dead", "Written, and nobody reads that value."),
    ("killed", "Read here for the last time."),
    ("undef", "Read, but what it holds does not matter."),
    ("internal", "Read from an instruction before in the same bundle."),
    ("early-clobber", "Written before all operands are read, so it shares no register with one."),
    ("debug-use", "A use that only debuggers see."),
    ("renamable", "The register can be exchanged for another one of its class."),
];

/// Flags of instructions.
pub(super) const INSTRUCTION: &[(&str, &str)] = &[
    ("frame-setup", "Part of the prologue."),
    ("frame-destroy", "Part of the epilogue."),
    ("nnan", "Neither operands nor result are NaN, or the result is poison."),
    ("ninf", "Neither operands nor result are infinite, or the result is poison."),
    ("nsz", "The sign of a zero does not matter."),
    ("arcp", "A division may become a multiplication by the reciprocal."),
    ("contract", "May be fused with another operation."),
    ("afn", "An approximation will do."),
    ("reassoc", "May be regrouped as if it were associative."),
    ("nuw", "Does not wrap as unsigned, or the result is poison."),
    ("nsw", "Does not wrap as signed, or the result is poison."),
    ("exact", "Drops no bit that is set, or the result is poison."),
    ("nofpexcept", "Raises no floating point exception."),
    ("noconvergent", "May be made to depend on more control flow, though its opcode may not."),
    ("unpredictable", "Which way it goes cannot be foretold: better no branch."),
    ("nneg", "The operand is not negative, or the result is poison."),
    ("disjoint", "No bit is set in both operands, or the result is poison."),
    ("nusw", "Adds a signed offset to an unsigned address without wrapping, or the result is poison."),
    ("samesign", "Both operands have the same sign, or the result is poison."),
    ("lr-split", "Copies a register where the allocator splits its live range."),
    ("inbounds", "Stays within the object, or the result is poison."),
];

/// Words of blocks and operands.
const OTHERS: &[(&str, &str)] = &[
    ("successors", "The blocks that control may go to from here, each with its probability in 2^31 parts."),
    ("liveins", "The physical registers that hold a value where the block starts."),
    ("landing-pad", "Exceptions arrive here."),
    ("machine-block-address-taken", "The block's address is taken by machine code."),
    ("ir-block-address-taken", "The address of the block's IR block is taken."),
    ("inlineasm-br-indirect-target", "Inline assembly may jump here."),
    ("tied-def", "The use and that definition are one register."),
    ("intrinsic", "An intrinsic function, by its name without the types at the end."),
    ("intpred", "A predicate for integers and pointers."),
    ("floatpred", "A predicate for floating point numbers."),
    ("shufflemask", "For each lane of the result, the lane of both vectors side by side that it takes."),
    ("lanemask", "The lanes of a register, a bit for each."),
    ("debug-location", "The source position, as metadata."),
    ("debug-instr-number", "The number by which `DBG_INSTR_REF` names the value."),
    ("pcsections", "The instruction's address is put into sections that the metadata names."),
    ("target-flags", "What the target adds to a symbol, such as the kind of relocation."),
    ("pre-instr-symbol", "A label right before the instruction."),
    ("post-instr-symbol", "A label right after the instruction."),
    ("heap-alloc-marker", "The call allocates on the heap: the type, as metadata, for debuggers."),
    ("cfi-type", "The hash of the type of the function that the call may reach."),
    ("mmra", "Annotations of the memory model, as metadata."),
    ("deactivation-symbol", "A symbol whose value decides when it is linked whether the instruction stays."),
    ("call-frame-size", "Bytes that a call in progress has on the stack where the block starts."),
    ("bb_id", "The number by which profiles name the block."),
    ("bbsections", "The section that the block is put into."),
    ("unknown-size", "How much is accessed is not known."),
    ("unknown-address", "Where it is accessed is not known."),
    ("distinct", "The metadata is a node of its own, also where another is equal."),
    ("blockaddress", "The address of a block of the IR."),
    ("target-index", "An address that the target computes, by its name."),
    ("liveout", "The registers that hold a value after the instruction."),
    ("CustomRegMask", "The registers that the call leaves as they are, one by one."),
    ("dbg-instr-ref", "A value by the number of its instruction and of the operand in it."),
];

/// What a word means.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    let all = [REGISTER, INSTRUCTION, OTHERS].into_iter().flatten();
    all.into_iter().find(|(w, _)| *w == word).map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use wavelens_syntax::mir::{MirKind, lex_fragment};

    use super::*;

    #[test]
    fn flags_are_what_the_lexer_takes_for_them() {
        for (words, kind) in [(REGISTER, MirKind::REGISTER_FLAG), (INSTRUCTION, MirKind::INSTRUCTION_FLAG)] {
            for (word, _) in words {
                assert_eq!(lex_fragment(word).first().map(|(k, _)| *k), Some(kind), "{word}");
            }
        }
    }
}
