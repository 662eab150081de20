//! Tokens and nodes.

use crate::machine::kinds;

kinds! {
    /// Tokens and nodes of the dialect: YAML around, the machine body language inside. The two share no token kinds.
    pub enum MirKind, MirLanguage {
        trivia { WHITESPACE, COMMENT }
        // YAML tokens.
        /// `---`
        DOC_START,
        /// `...`
        DOC_END,
        DIRECTIVE,
        /// What follows an unknown directive, with the directive.
        UNREAD,
        DASH,
        QUESTION,
        Y_COLON,
        Y_COMMA,
        Y_LBRACE,
        Y_RBRACE,
        Y_LBRACKET,
        Y_RBRACKET,
        /// Unquoted, possibly over several lines.
        PLAIN,
        SINGLE_QUOTED,
        DOUBLE_QUOTED,
        ANCHOR,
        ALIAS,
        TAG,
        /// `|` or `>` with its indicators.
        BLOCK_INDICATOR,
        /// The lines of a block scalar that is not a body.
        BLOCK_TEXT,
        /// The lines of the embedded LLVM IR module.
        IR_TEXT,
        /// What LLVM's YAML scanner stops at, to the end of the chunk.
        Y_BAD,

        // Body tokens; the first of them bounds the YAML tokens above.
        NEWLINE,
        /// `bb.0`, `bb.0.entry`
        LABEL,
        /// `%bb.0`
        BLOCK_NAME,
        IDENT,
        UNDERSCORE,
        REGISTER_FLAG,
        INSTRUCTION_FLAG,
        CFI_WORD,
        FP_TYPE,
        MEMORY_FLAG,
        PSEUDO_SOURCE,
        TIED_DEF_KW,
        DEBUG_LOCATION_KW,
        DEBUG_INSTR_NUMBER_KW,
        DBG_INSTR_REF_KW,
        BLOCKADDRESS_KW,
        INTRINSIC_KW,
        TARGET_INDEX_KW,
        TARGET_FLAGS_KW,
        ALIGN_KW,
        BASEALIGN_KW,
        ADDRSPACE_KW,
        CALL_ENTRY_KW,
        CUSTOM_KW,
        LIVEOUT_KW,
        LIVEINS_KW,
        SUCCESSORS_KW,
        FLOATPRED_KW,
        INTPRED_KW,
        SHUFFLEMASK_KW,
        LANEMASK_KW,
        PRE_INSTR_SYMBOL_KW,
        POST_INSTR_SYMBOL_KW,
        HEAP_ALLOC_MARKER_KW,
        PCSECTIONS_KW,
        MMRA_KW,
        CFI_TYPE_KW,
        DEACTIVATION_SYMBOL_KW,
        BBSECTIONS_KW,
        BB_ID_KW,
        CALL_FRAME_SIZE_KW,
        /// `landing-pad` and other words of a block's header that stand alone.
        BLOCK_FLAG,
        IR_BLOCK_ADDRESS_TAKEN_KW,
        UNKNOWN_SIZE_KW,
        UNKNOWN_ADDRESS_KW,
        DISTINCT_KW,
        VREG,
        NAMED_VREG,
        PHYSREG,
        STACK_OBJECT,
        FIXED_STACK_OBJECT,
        CONSTANT_POOL,
        JUMP_TABLE,
        SUBREG_NAME,
        IR_BLOCK,
        IR_VALUE,
        GLOBAL,
        EXTERNAL,
        MCSYMBOL,
        QUOTED_IR,
        STRING,
        INT,
        HEX,
        FLOAT,
        EXCLAIM,
        /// `!tbaa`, `!alias.scope`, `!noalias`, `!range`, `!noalias.addrspace`
        MD_WORD,
        DIEXPRESSION,
        DILOCATION,
        /// The parenthesised arguments of a `!DIExpression`.
        MD_TEXT,
        COMMA,
        DOT,
        EQUAL,
        COLON,
        COLON_COLON,
        LPAREN,
        RPAREN,
        LBRACE,
        RBRACE,
        PLUS,
        MINUS,
        LESS,
        GREATER,
        /// Not a token; extends to the end of its line.
        BAD,

        // Nodes.
        DOCUMENT,
        /// What follows the root of a document instead of its end.
        LEFTOVER,
        MAPPING,
        ENTRY,
        SEQUENCE,
        FLOW_MAPPING,
        FLOW_SEQUENCE,
        SCALAR,
        NULL,
        BLOCK_SCALAR,
        BODY,
        BLOCK,
        BLOCK_HEADER,
        BLOCK_ATTRIBUTE,
        LIVEINS,
        LIVEIN,
        SUCCESSORS,
        SUCCESSOR,
        INSTRUCTION,
        /// An instruction that could not be understood.
        BROKEN,
        REGISTER,
        IMMEDIATE,
        TYPED_IMMEDIATE,
        FP_IMMEDIATE,
        MNEMONIC_IMMEDIATE,
        BLOCK_REF,
        FRAME_REF,
        CONSTANT_POOL_REF,
        JUMP_TABLE_REF,
        GLOBAL_REF,
        EXTERNAL_REF,
        MCSYMBOL_REF,
        SUBREG_REF,
        METADATA_REF,
        CFI,
        BLOCK_ADDRESS,
        INTRINSIC,
        PREDICATE,
        SHUFFLE_MASK,
        LANE_MASK,
        /// A named register mask, or the start of a typed immediate: the name decides.
        REGISTER_MASK,
        CUSTOM_MASK,
        LIVEOUT,
        TARGET_INDEX,
        DBG_INSTR_REF,
        TARGET_FLAGS,
        OFFSET,
        /// Low-level type: `s32`, `p0`, `<4 x s16>`
        TYPE,
        MEMORY_OPERAND,
        MEMORY_ATTRIBUTE,
        /// `pre-instr-symbol <mcsymbol x>` and similar, after the operands.
        TRAILER,
        DI_LOCATION,
    }
}

impl MirKind {
    /// Whether the token belongs to the machine body language.
    pub fn is_body(self) -> bool {
        self >= MirKind::NEWLINE && self <= MirKind::BAD
    }
}
