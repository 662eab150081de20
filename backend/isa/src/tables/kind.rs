//! What an operand of an instruction row can be.

/// Sets of registers, as LLVM's register classes. Sizes in dwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Regs {
    None,
    V(u8),
    A(u8),
    Av(u8),
    /// `v0`..`v127`.
    VLo,
    /// `v0.l`, `v0.h`, ...
    V16,
    V16Lo,
    S32,
    S32XM0,
    S32XExec,
    S32XM0XExec,
    S32XExecHi,
    S64,
    S64XExec,
    S64XExecXNull,
    S(u8),
    SXNull(u8),
    /// A lane mask: a pair in wave64, one register in wave32.
    S1,
    S1XExec,
    SOrLds,
    VOrLds,
    Vs32,
    Vs32Lo,
    Vs16,
    Vs16Lo,
    Vs64,
    Vs128,
}

/// The value type that a number in an operand is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    I16,
    F16,
    BF16,
    I32,
    F32,
    I64,
    F64,
    V2I16,
    V2F16,
    V2BF16,
    V2I32,
    V2F32,
}

impl Ty {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ty::I16 => "i16",
            Ty::F16 => "f16",
            Ty::BF16 => "bf16",
            Ty::I32 => "i32",
            Ty::F32 => "f32",
            Ty::I64 => "i64",
            Ty::F64 => "f64",
            Ty::V2I16 => "v2i16",
            Ty::V2F16 => "v2f16",
            Ty::V2BF16 => "v2bf16",
            Ty::V2I32 => "v2i32",
            Ty::V2F32 => "v2f32",
        }
    }

    /// Bits of one element.
    pub(crate) fn scalar_bits(self) -> u32 {
        match self {
            Ty::I16 | Ty::F16 | Ty::BF16 | Ty::V2I16 | Ty::V2F16 | Ty::V2BF16 => 16,
            Ty::I32 | Ty::F32 | Ty::V2I32 | Ty::V2F32 => 32,
            Ty::I64 | Ty::F64 => 64,
        }
    }

    /// Bits of the whole operand.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Ty::I16 | Ty::F16 | Ty::BF16 => 16,
            Ty::I32 | Ty::F32 | Ty::V2I16 | Ty::V2F16 | Ty::V2BF16 => 32,
            Ty::I64 | Ty::F64 | Ty::V2I32 | Ty::V2F32 => 64,
        }
    }
}

/// Which source modifiers an operand can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModKind {
    No,
    /// `neg`, `abs`
    Fp,
    /// `sext`
    Int,
    /// Each of them.
    Any,
}

/// Operands with a syntax of their own, named as LLVM names them.
#[allow(clippy::upper_case_acronyms, dead_code, reason = "LLVM's names")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Imm {
    A16,
    ABID,
    BLGP,
    BitOp3,
    ByteSel,
    CBSZ,
    CPol,
    Clamp,
    D16,
    DA,
    DMask,
    DPP8,
    DPPCtrl,
    DepCtr,
    Dim,
    DppBankMask,
    DppBoundCtrl,
    DppFI,
    DppRowMask,
    Endpgm,
    ExpCompr,
    ExpTgt,
    ExpVM,
    FORMAT,
    FlatOffset,
    GDS,
    GPRIdxMode,
    High,
    Hwreg,
    IndexKey16bit,
    IndexKey32bit,
    IndexKey8bit,
    InterpAttr,
    InterpSlot,
    LWE,
    MatrixAReuse,
    MatrixBReuse,
    MatrixAFMT,
    MatrixBFMT,
    MatrixAScale,
    MatrixBScale,
    MatrixAScaleFmt,
    MatrixBScaleFmt,
    NegHi,
    NegLo,
    OModSI,
    Offset,
    Offset0,
    Offset1,
    OpSel,
    OpSelHi,
    OptSMEMOffsetMod,
    R128A16,
    SDWADstSel,
    SDWADstUnused,
    SDWASrc0Sel,
    SDWASrc1Sel,
    SDelayALU,
    SMEMOffsetMod,
    SWaitCnt,
    ScaleSel,
    SendMsg,
    Swizzle,
    TFE,
    UNorm,
    WaitEXP,
    WaitEvent,
    WaitVAVDst,
    WaitVDST,
    WaitVMVSrc,
}

/// What the assembler accepts for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Reg(Regs),
    /// A register, an inline constant, and with `lit` a literal of that type.
    Src {
        regs: Regs,
        inline: Ty,
        lit: Option<Ty>,
        expr: bool,
        mods: ModKind,
    },
    AnyRegOrImm,
    /// A VGPR, or a pair where DPP works on 64 bits.
    DppReg(ModKind),
    RegMods(Regs, ModKind),
    Sdwa(Ty, ModKind),
    BoolReg,
    VRegOrOff,
    /// Any number.
    PlainImm,
    /// Mandatory literal.
    KImm(Ty),
    S16,
    U16,
    SmrdOffset8,
    SmrdLiteral,
    SmemOffset,
    SplitBarrier,
    Branch,
    AttrChan,
    CPolWith(bool),
    Imm(Imm),
}

/// How a number in the operand is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpType {
    Reg,
    Imm,
    InputMods,
    PcRel,
    /// Inline constant or literal.
    Src(Ty),
    /// Inline constant only.
    Inline(Ty),
    /// Every number is a literal.
    NoInline(Ty),
    /// An inline constant stands for both halves.
    Splat(Ty),
    KImm(Ty),
}

impl OpType {
    /// The value type of a source operand.
    pub(crate) fn src(self) -> Option<Ty> {
        match self {
            OpType::Src(t) | OpType::Inline(t) | OpType::NoInline(t) | OpType::Splat(t) | OpType::KImm(t) => {
                Some(t)
            }
            _ => None,
        }
    }
}

/// How a register becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enc {
    Plain,
    Av,
    SdwaSrc,
    SdwaVopcDst,
    T16,
    T16Lo,
    Branch,
}

/// How LLVM prints an operand: the printer method of its description without `print`. A method that is not here does not compile.
#[allow(clippy::upper_case_acronyms, reason = "named as LLVM's methods")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Print {
    /// `prefix:value`, or the prefix alone for a flag.
    Named(&'static str),
    BLGP,
    BitOp3,
    CPol,
    DPP8,
    DPPCtrl,
    DepCtr,
    Dim,
    DppBoundCtrl,
    DppFI,
    Endpgm,
    ExpSrc0,
    ExpSrc1,
    ExpSrc2,
    ExpSrc3,
    ExpTgt,
    FORMAT,
    FP64ImmOperand,
    FlatOffset,
    GPRIdxMode,
    Hwreg,
    IndexKey16bit,
    IndexKey32bit,
    IndexKey8bit,
    InterpAttr,
    InterpAttrChan,
    InterpSlot,
    NegHi,
    NegLo,
    OModSI,
    Offset,
    OpSel,
    OpSelHi,
    Operand,
    OperandAndFPInputMods,
    OperandAndIntInputMods,
    R128A16,
    RegularOperand,
    SDWADstSel,
    SDWADstUnused,
    SDWASrc0Sel,
    SDWASrc1Sel,
    SDelayALU,
    SMEMOffset,
    SMRDLiteralOffset,
    SMRDOffset8,
    SWaitCnt,
    SendMsg,
    Swizzle,
    U16ImmOperand,
    U32ImmOperand,
    VINTRPDst,
    VOPDst,
    WaitEvent,
}

impl Print {
    /// The prefix of a named value.
    pub(crate) fn prefix(self) -> Option<&'static str> {
        match self {
            Print::Named(prefix) => Some(prefix),
            _ => None,
        }
    }
}

/// One kind of operand.
pub(crate) struct Kind {
    #[allow(dead_code, reason = "names the kind in dumps")]
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    pub(crate) optype: OpType,
    pub(crate) enc: Enc,
    pub(crate) regs: Regs,
    pub(crate) print: Print,
    pub(crate) optional: bool,
    #[allow(dead_code, reason = "what the compiler, not the assembler, fills in")]
    pub(crate) default: i64,
}
