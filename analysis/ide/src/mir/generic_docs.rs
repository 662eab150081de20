//! What the generic opcodes compute, in a sentence each. <https://llvm.org/docs/GlobalISel/GenericOpcode.html>

/// In Markdown; `None` for opcodes that are not described.
pub(super) fn words(opcode: &str) -> Option<&'static str> {
    let shared = SHARED.iter().find(|(opcodes, _)| opcodes.split(' ').any(|name| name == opcode));
    shared.map(|(_, text)| *text).or_else(|| target_words(opcode))
}

/// Opcodes of all targets.
const SHARED: &[(&str, &str)] = &[
    ("G_ADD", "Adds two integers, lane by lane; wraps around."),
    ("G_SUB", "Subtracts the second integer from the first; wraps around."),
    ("G_MUL", "Multiplies two integers and keeps the low half."),
    ("G_SDIV G_UDIV", "Divides integers, signed or unsigned; rounds towards zero."),
    ("G_SREM G_UREM", "The remainder of an integer division, signed or unsigned."),
    ("G_AND G_OR G_XOR", "Combines two values bit by bit."),
    ("G_SHL", "Shifts the first value left by the second; a shift by the width or more is poison."),
    ("G_LSHR", "Shifts right and fills with zeros."),
    ("G_ASHR", "Shifts right and fills with the sign bit."),
    (
        "G_FSHL G_FSHR",
        "Puts two values side by side, shifts them, and takes the high (`FSHL`) or low (`FSHR`) half.",
    ),
    ("G_ROTL G_ROTR", "Rotates the bits of the first value."),
    ("G_CONSTANT", "An integer constant."),
    ("G_FCONSTANT", "A floating point constant."),
    ("G_IMPLICIT_DEF", "A value that may be anything."),
    ("G_FRAME_INDEX", "The address of a stack object."),
    ("G_GLOBAL_VALUE", "The address of a global."),
    ("G_BLOCK_ADDR", "The address of an IR block."),
    ("G_CONSTANT_POOL", "The address of a constant pool item."),
    ("G_JUMP_TABLE", "The address of a jump table."),
    ("G_BRJT", "Branches through a jump table by an index."),
    ("G_LOAD", "Loads a value; a memory operand says how much, from where, and how aligned."),
    ("G_SEXTLOAD G_ZEXTLOAD", "Loads a smaller value and extends it with its sign or with zeros."),
    ("G_STORE", "Stores a value; a memory operand says how much, and where."),
    (
        "G_MEMCPY G_MEMMOVE G_MEMCPY_INLINE",
        "Copies bytes; two memory operands describe the store and the load.",
    ),
    ("G_MEMSET G_BZERO", "Fills bytes with a value or with zeros."),
    (
        "G_ATOMICRMW_ADD G_ATOMICRMW_XCHG G_ATOMICRMW_SUB",
        "Changes memory in one indivisible step and gives the old value.",
    ),
    ("G_ATOMIC_CMPXCHG", "Stores a value if memory holds the expected one; gives the old value."),
    ("G_FENCE", "Orders memory accesses around it."),
    (
        "G_PTR_ADD",
        "Adds an offset in bytes to a pointer. The offset is as wide as the address space's index.",
    ),
    ("G_PTRMASK", "Clears the bits of a pointer that a mask does not have."),
    ("G_INTTOPTR G_PTRTOINT", "Turns an integer into a pointer, or the other way."),
    ("G_ADDRSPACE_CAST", "Turns a pointer into one of another address space."),
    ("G_BITCAST", "Reads the same bits as another type of the same size."),
    ("G_ANYEXT", "Extends; what the new high bits are does not matter."),
    ("G_SEXT", "Extends with the sign bit."),
    ("G_ZEXT", "Extends with zeros."),
    ("G_TRUNC", "Keeps the low bits."),
    ("G_SEXT_INREG", "Copies a bit of the value into all bits above it."),
    ("G_ASSERT_SEXT G_ASSERT_ZEXT", "Passes the value on and promises what its high bits are."),
    ("G_ASSERT_ALIGN", "Passes a pointer on and promises its alignment."),
    ("G_FPEXT G_FPTRUNC", "Changes the precision of a floating point number."),
    ("G_FPTOSI G_FPTOUI", "Turns a floating point number into an integer; rounds towards zero."),
    ("G_SITOFP G_UITOFP", "Turns an integer into a floating point number."),
    ("G_ICMP", "Compares integers or pointers by a predicate."),
    ("G_FCMP", "Compares floating point numbers by a predicate."),
    ("G_SELECT", "The second operand where the first is true, otherwise the third."),
    ("G_FADD G_FSUB G_FMUL G_FDIV G_FREM", "Arithmetic on floating point numbers."),
    ("G_FMA", "Multiplies and adds with one rounding."),
    ("G_FMAD", "Multiplies and adds with a rounding after each."),
    ("G_FNEG G_FABS", "Changes the sign bit."),
    ("G_FMINNUM G_FMAXNUM", "The smaller or larger of two numbers; a NaN loses against a number."),
    ("G_SMIN G_SMAX G_UMIN G_UMAX", "The smaller or larger of two integers."),
    ("G_CTPOP", "Counts the bits that are set."),
    ("G_CTLZ G_CTTZ", "Counts zeros from the top or from the bottom."),
    ("G_BSWAP", "Reverses the bytes."),
    ("G_BITREVERSE", "Reverses the bits."),
    ("G_MERGE_VALUES", "Puts scalars together to a larger one, lowest part first."),
    ("G_UNMERGE_VALUES", "Takes a value apart into equal pieces, lowest first."),
    ("G_BUILD_VECTOR", "Makes a vector of scalars, one for each lane."),
    ("G_BUILD_VECTOR_TRUNC", "Makes a vector of scalars that are wider than its elements."),
    ("G_CONCAT_VECTORS", "Concatenates vectors."),
    ("G_EXTRACT", "Takes bits out of a value at an offset."),
    ("G_INSERT", "Puts a value into a larger one at a bit offset."),
    ("G_EXTRACT_VECTOR_ELT", "The element of a vector at an index."),
    ("G_INSERT_VECTOR_ELT", "The vector with one element replaced."),
    (
        "G_EXTRACT_SUBVECTOR G_INSERT_SUBVECTOR",
        "Takes a vector out of a larger one, or puts it in, at a constant index.",
    ),
    ("G_SHUFFLE_VECTOR", "Picks elements of two vectors by a constant mask."),
    ("G_SPLAT_VECTOR", "A scalable vector with one value in every lane."),
    ("G_PHI", "The value of the predecessor that control came from."),
    ("G_BR", "Branches."),
    ("G_BRCOND", "Branches if a value is true."),
    ("G_BRINDIRECT", "Branches to an address."),
    ("G_INTRINSIC", "Calls an intrinsic that touches no memory and is not convergent."),
    ("G_INTRINSIC_W_SIDE_EFFECTS", "Calls an intrinsic that accesses memory or has side effects."),
    ("G_INTRINSIC_CONVERGENT", "Calls a convergent intrinsic without side effects."),
    ("G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS", "Calls a convergent intrinsic with side effects."),
    ("G_UADDO G_SADDO G_USUBO G_SSUBO G_UMULO G_SMULO", "Arithmetic that also says whether it overflowed."),
    ("G_UADDE G_SADDE G_USUBE G_SSUBE", "Arithmetic with a carry in and a carry out."),
    ("G_UMULH G_SMULH", "The high half of a product."),
    ("G_DYN_STACKALLOC", "Allocates stack space of a size known at run time."),
    ("G_FREEZE", "The value, or some fixed value where it is poison."),
    ("G_SDIVREM G_UDIVREM", "Divides integers; gives the quotient and the remainder."),
    ("G_ABDS G_ABDU", "The distance between two integers, signed or unsigned."),
    ("G_UAVGFLOOR G_SAVGFLOOR", "The average of two integers, rounded down, without overflow."),
    ("G_UAVGCEIL G_SAVGCEIL", "The average of two integers, rounded up, without overflow."),
    ("G_PTRAUTH_GLOBAL_VALUE", "The signed address of a global (AArch64 pointer authentication)."),
    ("G_CONSTANT_FOLD_BARRIER", "Passes a constant on and keeps it from being folded."),
    ("G_INTRINSIC_FPTRUNC_ROUND", "Narrows a floating point number with the rounding mode that it names."),
    ("G_INTRINSIC_TRUNC", "Rounds a floating point number towards zero."),
    ("G_INTRINSIC_ROUND", "Rounds to the nearest integral number, halves away from zero."),
    ("G_INTRINSIC_ROUNDEVEN", "Rounds to the nearest integral number, halves to even."),
    ("G_INTRINSIC_LRINT G_INTRINSIC_LLRINT", "Rounds by the current mode and turns into an integer."),
    ("G_LROUND G_LLROUND", "Rounds, halves away from zero, and turns into an integer."),
    ("G_READCYCLECOUNTER G_READSTEADYCOUNTER", "Reads a clock: cycles, or steady time."),
    (
        "G_INDEXED_LOAD G_INDEXED_SEXTLOAD G_INDEXED_ZEXTLOAD",
        "Loads from a base and an offset, and gives the changed base too; an immediate says before or after the access.",
    ),
    ("G_INDEXED_STORE", "Stores at a base and an offset, and gives the changed base."),
    (
        "G_ATOMIC_CMPXCHG_WITH_SUCCESS",
        "Stores a value if memory holds the expected one; gives the old value and whether it did.",
    ),
    (
        "G_ATOMICRMW_AND G_ATOMICRMW_NAND G_ATOMICRMW_OR G_ATOMICRMW_XOR",
        "Combines memory with a value bit by bit in one indivisible step; gives the old value.",
    ),
    (
        "G_ATOMICRMW_MAX G_ATOMICRMW_MIN G_ATOMICRMW_UMAX G_ATOMICRMW_UMIN",
        "Keeps the larger or smaller integer in memory in one indivisible step; gives the old value.",
    ),
    (
        "G_ATOMICRMW_FADD G_ATOMICRMW_FSUB G_ATOMICRMW_FMAX G_ATOMICRMW_FMIN G_ATOMICRMW_FMAXIMUM G_ATOMICRMW_FMINIMUM",
        "Floating point arithmetic on memory in one indivisible step; gives the old value.",
    ),
    (
        "G_ATOMICRMW_UINC_WRAP",
        "Adds one to memory, or sets it to zero from the given limit on; gives the old value.",
    ),
    (
        "G_ATOMICRMW_UDEC_WRAP",
        "Takes one from memory, or sets it to the given limit at zero or above the limit; gives the old value.",
    ),
    ("G_ATOMICRMW_USUB_COND", "Subtracts from memory if the result is not negative; gives the old value."),
    ("G_ATOMICRMW_USUB_SAT", "Subtracts from memory and stops at zero; gives the old value."),
    ("G_PREFETCH", "Hints that memory will be used soon."),
    (
        "G_INVOKE_REGION_START",
        "Marks where a call that may unwind begins, between the terminators of its block.",
    ),
    (
        "G_TRUNC_SSAT_S G_TRUNC_SSAT_U G_TRUNC_USAT_U",
        "Narrows an integer and stops at the ends of the smaller type's range.",
    ),
    ("G_VASTART", "Starts a list of variable arguments."),
    ("G_VAARG", "The next variable argument."),
    ("G_SCMP G_UCMP", "Compares integers: -1, 0 or 1."),
    (
        "G_UADDSAT G_SADDSAT G_USUBSAT G_SSUBSAT",
        "Adds or subtracts integers and stops at the ends of the range.",
    ),
    ("G_USHLSAT G_SSHLSAT", "Shifts left and stops at the ends of the range."),
    ("G_SMULFIX G_UMULFIX", "Multiplies fixed point numbers of the scale that the last operand gives."),
    ("G_SMULFIXSAT G_UMULFIXSAT", "Multiplies fixed point numbers and stops at the ends of the range."),
    ("G_SDIVFIX G_UDIVFIX", "Divides fixed point numbers of the scale that the last operand gives."),
    ("G_SDIVFIXSAT G_UDIVFIXSAT", "Divides fixed point numbers and stops at the ends of the range."),
    ("G_FMODF", "Takes a number apart into its fraction and its integral part."),
    ("G_FPOW", "A floating point number to the power of another."),
    ("G_FPOWI", "A floating point number to the power of an integer."),
    ("G_FEXP G_FEXP2 G_FEXP10", "Raises e, 2 or 10 to a power."),
    ("G_FLOG G_FLOG2 G_FLOG10", "The logarithm to base e, 2 or 10."),
    ("G_FLDEXP", "Multiplies a number by a power of two, the second operand."),
    ("G_FFREXP", "Takes a number apart into its significand and its exponent."),
    (
        "G_FPTOSI_SAT G_FPTOUI_SAT",
        "Turns a floating point number into an integer and stops at the ends of the range; NaN gives 0.",
    ),
    ("G_FCOPYSIGN", "The first number with the sign of the second."),
    (
        "G_IS_FPCLASS",
        "Whether a number is in one of the classes (NaN, infinity, zero, ...) that the mask names.",
    ),
    ("G_FCANONICALIZE", "The number in its canonical form: NaNs quiet, denormals as the mode has it."),
    (
        "G_FMINNUM_IEEE G_FMAXNUM_IEEE",
        "The smaller or larger of two numbers by IEEE 754-2008: a signaling NaN gives a quiet NaN.",
    ),
    ("G_FMINIMUM G_FMAXIMUM", "The smaller or larger of two numbers; a NaN wins, and -0.0 is below 0.0."),
    (
        "G_FMINIMUMNUM G_FMAXIMUMNUM",
        "The smaller or larger of two numbers; a NaN loses, and -0.0 is below 0.0.",
    ),
    ("G_GET_FPENV G_SET_FPENV G_RESET_FPENV", "Reads, writes or resets the floating point environment."),
    ("G_GET_FPMODE G_SET_FPMODE G_RESET_FPMODE", "Reads, writes or resets the floating point modes."),
    ("G_GET_ROUNDING G_SET_ROUNDING", "Reads or writes the rounding mode."),
    ("G_ABS", "The absolute value of an integer; the smallest integer stays."),
    ("G_VSCALE", "A multiple of `vscale`, the factor of scalable vectors."),
    ("G_STEP_VECTOR", "A scalable vector 0, s, 2s, ... with the step of the operand."),
    (
        "G_VECTOR_COMPRESS",
        "Moves the elements that a mask selects to the front; the rest comes from the last operand.",
    ),
    (
        "G_CTTZ_ZERO_UNDEF G_CTLZ_ZERO_UNDEF",
        "Counts zeros from the bottom or from the top; of zero the result may be anything.",
    ),
    (
        "G_CTTZ_ZERO_POISON G_CTLZ_ZERO_POISON",
        "Counts zeros from the bottom or from the top; of zero the result is poison.",
    ),
    ("G_FCEIL G_FFLOOR", "Rounds up or down to an integral number."),
    ("G_FRINT G_FNEARBYINT", "Rounds to an integral number by the current mode."),
    ("G_FSQRT", "The square root."),
    ("G_FSIN G_FCOS G_FTAN", "A trigonometric function of an angle in radians."),
    ("G_FSINCOS", "Sine and cosine of an angle in radians."),
    ("G_FASIN G_FACOS G_FATAN", "The angle of a sine, cosine or tangent, in radians."),
    ("G_FATAN2", "The angle of a point, in radians; the first operand is its y."),
    ("G_FSINH G_FCOSH G_FTANH", "A hyperbolic function."),
    (
        "G_STACKSAVE G_STACKRESTORE",
        "Reads the stack pointer, or sets it back and frees what was allocated since.",
    ),
    (
        "G_STRICT_FADD G_STRICT_FSUB G_STRICT_FMUL G_STRICT_FDIV G_STRICT_FREM G_STRICT_FMA G_STRICT_FSQRT G_STRICT_FLDEXP",
        "Floating point arithmetic that keeps to the current modes and raises exceptions as written.",
    ),
    ("G_READ_REGISTER G_WRITE_REGISTER", "Reads or writes the physical register that metadata names."),
    ("G_TRAP G_UBSANTRAP", "Stops the program."),
    ("G_DEBUGTRAP", "Stops for a debugger."),
    (
        "G_VECREDUCE_SEQ_FADD G_VECREDUCE_SEQ_FMUL",
        "Adds or multiplies the lanes of a vector, one after the other, from a start value.",
    ),
    (
        "G_VECREDUCE_FADD G_VECREDUCE_FMUL G_VECREDUCE_ADD G_VECREDUCE_MUL",
        "The sum or product of a vector's lanes, in any order.",
    ),
    (
        "G_VECREDUCE_FMAX G_VECREDUCE_FMIN G_VECREDUCE_FMAXIMUM G_VECREDUCE_FMINIMUM G_VECREDUCE_SMAX G_VECREDUCE_SMIN G_VECREDUCE_UMAX G_VECREDUCE_UMIN",
        "The largest or smallest of a vector's lanes.",
    ),
    ("G_VECREDUCE_AND G_VECREDUCE_OR G_VECREDUCE_XOR", "All lanes of a vector combined bit by bit."),
    (
        "G_SBFX G_UBFX",
        "Takes a field of bits out of an integer (offset, then width) and extends it with its sign or with zeros.",
    ),
    ("COPY", "Copies a register; between a virtual and a physical register at calls and entries."),
    ("PHI", "The value of the predecessor that control came from."),
    ("REG_SEQUENCE", "Puts registers together to a tuple, each at a subregister index."),
    ("IMPLICIT_DEF", "A register whose value may be anything."),
    ("INSERT_SUBREG", "The first register with one part replaced."),
    ("SUBREG_TO_REG", "A register whose part is given and whose rest has a known value."),
    ("DBG_VALUE", "Says where a variable of the source is from here on."),
    ("DBG_VALUE_LIST", "Says where a variable of the source is, from several operands."),
    ("DBG_INSTR_REF", "Says that a variable of the source is the result of a numbered instruction."),
    ("DBG_PHI", "Numbers the value of a register at the start of a block, for `DBG_INSTR_REF`."),
    ("DBG_LABEL", "A label of the source."),
    ("COPY_TO_REGCLASS", "Copies a register to one of another class."),
    ("COPY_LANEMASK", "Copies some lanes of a register."),
    ("EXTRACT_SUBREG", "One part of a register."),
    ("INIT_UNDEF", "An undefined register that is kept apart from the instruction's operands."),
    (
        "INLINEASM INLINEASM_BR",
        "Inline assembly: the text, flags, then groups of operands; `_BR` may also branch.",
    ),
    ("CFI_INSTRUCTION", "A directive for unwinding the stack."),
    ("EH_LABEL GC_LABEL ANNOTATION_LABEL", "A label for exceptions, garbage collection or annotations."),
    ("KILL", "Ends the life of registers; no code."),
    ("BUNDLE", "The head of instructions that belong together."),
    (
        "LIFETIME_START LIFETIME_END",
        "From here on, or up to here, the contents of a stack object are meaningful.",
    ),
    ("PSEUDO_PROBE", "A place that sampled profiles refer to."),
    ("ARITH_FENCE", "Passes a value on; floating point transformations do not cross it."),
    ("STACKMAP PATCHPOINT STATEPOINT", "A place that a runtime knows, with the locations of live values."),
    ("LOAD_STACK_GUARD", "Loads the value that protects the stack."),
    ("PREALLOCATED_SETUP PREALLOCATED_ARG", "Memory for preallocated arguments of a call."),
    ("LOCAL_ESCAPE", "Makes stack objects known to functions that recover them."),
    ("FAULTING_OP", "A memory access whose fault is an implicit null check."),
    ("FAKE_USE", "A use without code, to keep a value for the debugger."),
    (
        "PATCHABLE_OP PATCHABLE_FUNCTION_ENTER PATCHABLE_FUNCTION_EXIT PATCHABLE_RET PATCHABLE_TAIL_CALL PATCHABLE_EVENT_CALL PATCHABLE_TYPED_EVENT_CALL",
        "A place that can be patched while the program runs (XRay).",
    ),
    ("ICALL_BRANCH_FUNNEL", "Jumps to one of several targets of a devirtualized call."),
    ("FENTRY_CALL", "Calls the entry hook of a profiler."),
    ("MEMBARRIER", "A barrier for the compiler only."),
    ("JUMP_TABLE_DEBUG_INFO", "Connects a jump with its table for debuggers."),
    ("RELOC_NONE", "A relocation without effect, to keep a symbol."),
    (
        "CONVERGENCECTRL_ENTRY CONVERGENCECTRL_ANCHOR CONVERGENCECTRL_LOOP CONVERGENCECTRL_GLUE",
        "A token that tells which dynamic instances of convergent operations belong together.",
    ),
];

/// Generic opcodes of a target, by their families.
const FAMILIES: &[(&str, &str)] = &[
    ("G_AMDGPU_BUFFER_ATOMIC", "An atomic access through a buffer resource; gives the old value."),
    ("G_AMDGPU_BUFFER_LOAD", "Loads through a buffer resource; `TFE` also gives a status."),
    ("G_AMDGPU_BUFFER_STORE", "Stores through a buffer resource."),
    ("G_AMDGPU_TBUFFER", "A typed access through a buffer resource, with a format conversion."),
    ("G_AMDGPU_S_BUFFER", "A scalar access through a buffer resource."),
    ("G_AMDGPU_S_", "A scalar operation of the hardware."),
    ("G_AMDGPU_INTRIN_IMAGE", "An image intrinsic whose operands are legal."),
    ("G_AMDGPU_INTRIN_BVH", "Intersects a ray with a node of a BVH."),
    ("G_AMDGPU_BVH", "Intersects a ray with a node of a BVH."),
    ("G_AMDGPU_CVT", "A conversion of the hardware."),
    (
        "G_AMDGPU_FMIN_LEGACY",
        "The smaller number by the rules of old shader models: the second if one is a NaN.",
    ),
    (
        "G_AMDGPU_FMAX_LEGACY",
        "The larger number by the rules of old shader models: the second if one is a NaN.",
    ),
    ("G_AMDGPU_RCP_IFLAG", "The reciprocal, for conversions of integers."),
    ("G_AMDGPU_MAD_", "Multiplies two 32-bit integers and adds a 64-bit one; gives the carry too."),
    ("G_AMDGPU_FFBH", "The number of the highest bit, counted from the top, or all ones."),
    ("G_AMDGPU_FFBL", "The number of the lowest bit that is set, or all ones."),
    ("G_AMDGPU_SMED3", "The middle one of three signed integers."),
    ("G_AMDGPU_UMED3", "The middle one of three integers without a sign."),
    ("G_AMDGPU_FMED3", "The middle one of three numbers."),
    ("G_AMDGPU_CLAMP", "Limits a number to the range from 0 to 1."),
    ("G_AMDGPU_ATOMIC_CMPXCHG", "Stores a value if memory holds the expected one; gives the old value."),
    ("G_AMDGPU_READANYLANE", "The value of any active lane, for a value that is the same in all."),
    ("G_AMDGPU_WAVE_ADDRESS", "The address of a stack object as the wave sees it, unswizzled."),
    (
        "G_AMDGPU_WHOLE_WAVE_FUNC_SETUP",
        "Enables all lanes at the entry of a whole-wave function; gives the old mask.",
    ),
    (
        "G_AMDGPU_WHOLE_WAVE_FUNC_RETURN",
        "Restores the execution mask and returns from a whole-wave function.",
    ),
    ("G_AMDGPU_SPONENTRY", "The stack pointer at the entry of the function."),
    ("G_AMDGPU_COPY_SCC_VCC", "Copies a condition from VCC to SCC."),
    ("G_AMDGPU_COPY_VCC_SCC", "Copies a condition from SCC to VCC."),
    ("G_AMDGPU_FLAT_LOAD_MONITOR", "Loads through a flat pointer and watches the line for writes."),
    ("G_AMDGPU_GLOBAL_LOAD_MONITOR", "Loads from global memory and watches the line for writes."),
    ("G_SI_CALL", "A call, before its arguments are lowered."),
    ("G_AMDGPU_LOAD_D16", "Loads into one half of a register."),
];

fn target_words(opcode: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|(prefix, _)| opcode.starts_with(prefix)).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use wavelens_isa::mir::Machine;

    use super::*;

    #[test]
    fn every_shared_generic_opcode_is_described() {
        let all = Machine::Aarch64.tables().opcodes_with_prefix("G_", usize::MAX);
        let own = |name: &str| name.starts_with("G_AARCH64_");
        let shared = |o| Machine::X86.tables().opcode(o).is_some();
        let open: Vec<_> = all.iter().filter(|(_, n)| !own(n) && shared(n) && words(n).is_none()).collect();
        assert!(all.len() > 250 && open.is_empty(), "{open:?}");
    }

    #[test]
    fn every_opcode_of_all_targets_is_described() {
        let all = Machine::X86.tables().opcodes_with_prefix("", usize::MAX);
        let shared = all
            .iter()
            .map(|(_, name)| name)
            .filter(|name| Machine::ALL.iter().all(|machine| machine.tables().opcode(name).is_some()));
        let shared: Vec<_> = shared.collect();
        let open: Vec<_> = shared.iter().filter(|name| words(name).is_none()).take(40).collect();
        assert!(shared.len() > 300 && open.is_empty(), "{open:?}");
    }

    #[test]
    fn every_generic_opcode_of_amdgpu_is_described() {
        let all = Machine::Amdgpu.tables().opcodes_with_prefix("G_", usize::MAX);
        let open: Vec<_> = all.iter().filter(|(_, name)| words(name).is_none()).collect();
        assert!(all.len() > 300 && open.is_empty(), "{open:?}");
    }
}
