//! Which words begin instructions, and which of them end blocks.

use crate::llvm::LlvmKind::{self, *};

pub(super) fn is_opcode(kind: LlvmKind) -> bool {
    is_terminator(kind)
        || matches!(
            kind,
            FNEG_KW
                | ARITH_KW
                | SHIFT_DIV_KW
                | PLAIN_BINARY_KW
                | FLOAT_BINARY_KW
                | OR_KW
                | ICMP_KW
                | FCMP_KW
                | TRUNC_KW
                | NNEG_CAST_KW
                | FLOAT_CAST_KW
                | CAST_KW
                | SELECT_KW
                | VA_ARG_KW
                | EXTRACTELEMENT_KW
                | INSERTELEMENT_KW
                | SHUFFLEVECTOR_KW
                | PHI_KW
                | LANDINGPAD_KW
                | FREEZE_KW
                | CALL_KW
                | TAIL_KW
                | MUSTTAIL_KW
                | NOTAIL_KW
                | ALLOCA_KW
                | LOAD_KW
                | STORE_KW
                | CMPXCHG_KW
                | ATOMICRMW_KW
                | FENCE_KW
                | GETELEMENTPTR_KW
                | EXTRACTVALUE_KW
                | INSERTVALUE_KW
                | CATCHPAD_KW
                | CLEANUPPAD_KW
        )
}

pub(super) fn is_terminator(kind: LlvmKind) -> bool {
    matches!(
        kind,
        RET_KW
            | BR_KW
            | SWITCH_KW
            | INDIRECTBR_KW
            | INVOKE_KW
            | CALLBR_KW
            | RESUME_KW
            | UNREACHABLE_KW
            | CLEANUPRET_KW
            | CATCHRET_KW
            | CATCHSWITCH_KW
    )
}
