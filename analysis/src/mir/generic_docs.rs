//! What the generic opcodes compute, in a sentence each. <https://llvm.org/docs/GlobalISel/GenericOpcode.html>

/// In Markdown; `None` for opcodes that are not described.
pub(super) fn words(opcode: &str) -> Option<&'static str> {
    Some(match opcode {
        "G_ADD" => "Adds two integers, lane by lane; wraps around.",
        "G_SUB" => "Subtracts the second integer from the first; wraps around.",
        "G_MUL" => "Multiplies two integers and keeps the low half.",
        "G_SDIV" | "G_UDIV" => "Divides integers, signed or unsigned; rounds towards zero.",
        "G_SREM" | "G_UREM" => "The remainder of an integer division, signed or unsigned.",
        "G_AND" | "G_OR" | "G_XOR" => "Combines two values bit by bit.",
        "G_SHL" => "Shifts the first value left by the second; a shift by the width or more is poison.",
        "G_LSHR" => "Shifts right and fills with zeros.",
        "G_ASHR" => "Shifts right and fills with the sign bit.",
        "G_FSHL" | "G_FSHR" => {
            "Puts two values side by side, shifts them, and takes the high (`FSHL`) or low (`FSHR`) half."
        }
        "G_ROTL" | "G_ROTR" => "Rotates the bits of the first value.",
        "G_CONSTANT" => "An integer constant.",
        "G_FCONSTANT" => "A floating point constant.",
        "G_IMPLICIT_DEF" => "A value that may be anything.",
        "G_FRAME_INDEX" => "The address of a stack object.",
        "G_GLOBAL_VALUE" => "The address of a global.",
        "G_BLOCK_ADDR" => "The address of an IR block.",
        "G_CONSTANT_POOL" => "The address of a constant pool item.",
        "G_JUMP_TABLE" => "The address of a jump table.",
        "G_BRJT" => "Branches through a jump table by an index.",
        "G_LOAD" => "Loads a value; a memory operand says how much, from where, and how aligned.",
        "G_SEXTLOAD" | "G_ZEXTLOAD" => "Loads a smaller value and extends it with its sign or with zeros.",
        "G_STORE" => "Stores a value; a memory operand says how much, and where.",
        "G_MEMCPY" | "G_MEMMOVE" | "G_MEMCPY_INLINE" => {
            "Copies bytes; two memory operands describe the store and the load."
        }
        "G_MEMSET" | "G_BZERO" => "Fills bytes with a value or with zeros.",
        "G_ATOMICRMW_ADD" | "G_ATOMICRMW_XCHG" | "G_ATOMICRMW_SUB" => {
            "Changes memory in one indivisible step and gives the old value."
        }
        "G_ATOMIC_CMPXCHG" => "Stores a value if memory holds the expected one; gives the old value.",
        "G_FENCE" => "Orders memory accesses around it.",
        "G_PTR_ADD" => {
            "Adds an offset in bytes to a pointer. The offset is as wide as the address space's index."
        }
        "G_PTRMASK" => "Clears the bits of a pointer that a mask does not have.",
        "G_INTTOPTR" | "G_PTRTOINT" => "Turns an integer into a pointer, or the other way.",
        "G_ADDRSPACE_CAST" => "Turns a pointer into one of another address space.",
        "G_BITCAST" => "Reads the same bits as another type of the same size.",
        "G_ANYEXT" => "Extends; what the new high bits are does not matter.",
        "G_SEXT" => "Extends with the sign bit.",
        "G_ZEXT" => "Extends with zeros.",
        "G_TRUNC" => "Keeps the low bits.",
        "G_SEXT_INREG" => "Copies a bit of the value into all bits above it.",
        "G_ASSERT_SEXT" | "G_ASSERT_ZEXT" => "Passes the value on and promises what its high bits are.",
        "G_ASSERT_ALIGN" => "Passes a pointer on and promises its alignment.",
        "G_FPEXT" | "G_FPTRUNC" => "Changes the precision of a floating point number.",
        "G_FPTOSI" | "G_FPTOUI" => "Turns a floating point number into an integer; rounds towards zero.",
        "G_SITOFP" | "G_UITOFP" => "Turns an integer into a floating point number.",
        "G_ICMP" => "Compares integers or pointers by a predicate.",
        "G_FCMP" => "Compares floating point numbers by a predicate.",
        "G_SELECT" => "The second operand where the first is true, otherwise the third.",
        "G_FADD" | "G_FSUB" | "G_FMUL" | "G_FDIV" | "G_FREM" => "Arithmetic on floating point numbers.",
        "G_FMA" => "Multiplies and adds with one rounding.",
        "G_FMAD" => "Multiplies and adds with a rounding after each.",
        "G_FNEG" | "G_FABS" => "Changes the sign bit.",
        "G_FMINNUM" | "G_FMAXNUM" => "The smaller or larger of two numbers; a NaN loses against a number.",
        "G_SMIN" | "G_SMAX" | "G_UMIN" | "G_UMAX" => "The smaller or larger of two integers.",
        "G_CTPOP" => "Counts the bits that are set.",
        "G_CTLZ" | "G_CTTZ" => "Counts zeros from the top or from the bottom.",
        "G_BSWAP" => "Reverses the bytes.",
        "G_BITREVERSE" => "Reverses the bits.",
        "G_MERGE_VALUES" => "Puts scalars together to a larger one, lowest part first.",
        "G_UNMERGE_VALUES" => "Takes a value apart into equal pieces, lowest first.",
        "G_BUILD_VECTOR" => "Makes a vector of scalars, one for each lane.",
        "G_BUILD_VECTOR_TRUNC" => "Makes a vector of scalars that are wider than its elements.",
        "G_CONCAT_VECTORS" => "Puts vectors one behind the other.",
        "G_EXTRACT" => "Takes bits out of a value at an offset.",
        "G_INSERT" => "Puts a value into a larger one at a bit offset.",
        "G_EXTRACT_VECTOR_ELT" => "The element of a vector at an index.",
        "G_INSERT_VECTOR_ELT" => "The vector with one element replaced.",
        "G_EXTRACT_SUBVECTOR" | "G_INSERT_SUBVECTOR" => {
            "Takes a vector out of a larger one, or puts it in, at a constant index."
        }
        "G_SHUFFLE_VECTOR" => "Picks elements of two vectors by a constant mask.",
        "G_SPLAT_VECTOR" => "A scalable vector with one value in every lane.",
        "G_PHI" => "The value of the predecessor that control came from.",
        "G_BR" => "Branches.",
        "G_BRCOND" => "Branches if a value is true.",
        "G_BRINDIRECT" => "Branches to an address.",
        "G_INTRINSIC" => "Calls an intrinsic that touches no memory and is not convergent.",
        "G_INTRINSIC_W_SIDE_EFFECTS" => "Calls an intrinsic that accesses memory or has side effects.",
        "G_INTRINSIC_CONVERGENT" => "Calls a convergent intrinsic without side effects.",
        "G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS" => "Calls a convergent intrinsic with side effects.",
        "G_UADDO" | "G_SADDO" | "G_USUBO" | "G_SSUBO" | "G_UMULO" | "G_SMULO" => {
            "Arithmetic that also says whether it overflowed."
        }
        "G_UADDE" | "G_SADDE" | "G_USUBE" | "G_SSUBE" => "Arithmetic with a carry in and a carry out.",
        "G_UMULH" | "G_SMULH" => "The high half of a product.",
        "G_DYN_STACKALLOC" => "Allocates stack space of a size known at run time.",
        "G_FREEZE" => "The value, or some fixed value where it is poison.",
        "COPY" => "Copies a register; between a virtual and a physical register at calls and entries.",
        "PHI" => "The value of the predecessor that control came from.",
        "REG_SEQUENCE" => "Puts registers together to a tuple, each at a subregister index.",
        "IMPLICIT_DEF" => "A register whose value may be anything.",
        "INSERT_SUBREG" => "The first register with one part replaced.",
        "SUBREG_TO_REG" => "A register whose part is given and whose rest has a known value.",
        "DBG_VALUE" => "Says where a variable of the source is from here on.",
        _ => return None,
    })
}
