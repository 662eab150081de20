//! Opcodes, their flags and the words of their fields.

macro_rules! opcodes {
    ($($(#[$doc:meta])* $variant:ident $text:literal),* $(,)?) => {
        /// What an instruction (or a constant expression) does. The documentation lists `operands` and what `ty` and `extra` hold.
        #[allow(missing_docs, reason = "LLVM's own names")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Opcode {
            /// Not understood; already reported.
            Error,
            $($(#[$doc])* $variant,)*
        }

        impl Opcode {
            /// The opcode of a word in the text.
            pub fn from_word(word: &str) -> Option<Opcode> {
                match word {
                    $($text => Some(Opcode::$variant),)*
                    _ => None,
                }
            }

            pub(crate) fn word(self) -> &'static str {
                match self {
                    Opcode::Error => "",
                    $(Opcode::$variant => $text,)*
                }
            }
        }
    };
}

opcodes! {
    /// `value`, or nothing for void.
    Ret "ret",
    /// `destination`, or `condition, if true, if false`.
    Br "br",
    /// `condition, default`, then `value, destination` for each case.
    Switch "switch",
    /// `address`, then destinations.
    IndirectBr "indirectbr",
    /// The arguments; `extra`: [`super::body::Call`].
    Invoke "invoke",
    /// The arguments; `extra`: [`super::body::Call`].
    CallBr "callbr",
    /// `value`.
    Resume "resume",
    /// Parent pad, handlers, then the unwind destination unless [`Flags::UNWIND_TO_CALLER`].
    CatchSwitch "catchswitch",
    /// `pad, destination`.
    CatchRet "catchret",
    /// `pad`, then the unwind destination unless [`Flags::UNWIND_TO_CALLER`].
    CleanupRet "cleanupret",
    Unreachable "unreachable",
    /// `value`.
    FNeg "fneg",
    /// Both sides, as for all binary operators.
    Add "add", FAdd "fadd", Sub "sub", FSub "fsub", Mul "mul", FMul "fmul", UDiv "udiv", SDiv "sdiv", FDiv "fdiv",
    URem "urem", SRem "srem", FRem "frem", Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor",
    /// `vector, index`.
    ExtractElement "extractelement",
    /// `vector, element, index`.
    InsertElement "insertelement",
    /// `vector, vector, mask`.
    ShuffleVector "shufflevector",
    /// `aggregate`; numbers by [`super::body::Body::index_list`].
    ExtractValue "extractvalue",
    /// `aggregate, element`; numbers as for extractvalue.
    InsertValue "insertvalue",
    /// The number of elements, if written; `ty`: the allocated type; `extra`: the address space, if written.
    Alloca "alloca",
    /// `pointer`; `ty`: the loaded type; `extra`: [`super::body::Atomic`].
    Load "load",
    /// `value, pointer`; `extra`: [`super::body::Atomic`].
    Store "store",
    /// `extra`: [`super::body::Atomic`].
    Fence "fence",
    /// `pointer, compare, new`; `extra`: [`super::body::Atomic`].
    CmpXchg "cmpxchg",
    /// `pointer, value`; `sub`: [`RmwOp`]; `extra`: [`super::body::Atomic`].
    AtomicRmw "atomicrmw",
    /// `pointer`, then indices; `ty`: the source element type.
    GetElementPtr "getelementptr",
    /// `value`; `ty`: the type cast to, as for all casts.
    Trunc "trunc", ZExt "zext", SExt "sext", FpTrunc "fptrunc", FpExt "fpext", FpToUi "fptoui", FpToSi "fptosi",
    UiToFp "uitofp", SiToFp "sitofp", PtrToInt "ptrtoint", PtrToAddr "ptrtoaddr", IntToPtr "inttoptr",
    BitCast "bitcast", AddrSpaceCast "addrspacecast",
    /// Both sides; `sub`: [`Predicate`].
    ICmp "icmp",
    /// Both sides; `sub`: [`Predicate`].
    FCmp "fcmp",
    /// `value, block` for each incoming edge; `ty`: the type.
    Phi "phi",
    /// `condition, if true, if false`.
    Select "select",
    /// `value`.
    Freeze "freeze",
    /// The arguments; `extra`: [`super::body::Call`].
    Call "call",
    /// `list`; `ty`: the type read.
    VaArg "va_arg",
    /// Clause values; `ty`: the result type; clause kinds by [`super::body::Body::index_list`]; [`Flags::CLEANUP`].
    LandingPad "landingpad",
    /// Parent, then arguments.
    CatchPad "catchpad",
    /// Parent, then arguments.
    CleanupPad "cleanuppad",
}

impl Opcode {
    /// Ends a block.
    pub fn is_terminator(self) -> bool {
        matches!(
            self,
            Opcode::Ret
                | Opcode::Br
                | Opcode::Switch
                | Opcode::IndirectBr
                | Opcode::Invoke
                | Opcode::CallBr
                | Opcode::Resume
                | Opcode::CatchSwitch
                | Opcode::CatchRet
                | Opcode::CleanupRet
                | Opcode::Unreachable
        )
    }

    /// Whether it takes two operands of one type and gives that type.
    pub fn is_binary(self) -> bool {
        self.is_int_binary() || self.is_float_binary()
    }

    pub(crate) fn is_int_binary(self) -> bool {
        matches!(
            self,
            Opcode::Add
                | Opcode::Sub
                | Opcode::Mul
                | Opcode::UDiv
                | Opcode::SDiv
                | Opcode::URem
                | Opcode::SRem
                | Opcode::Shl
                | Opcode::LShr
                | Opcode::AShr
                | Opcode::And
                | Opcode::Or
                | Opcode::Xor
        )
    }

    pub(crate) fn is_float_binary(self) -> bool {
        matches!(self, Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem)
    }

    /// Whether it is a conversion, such as `zext`.
    pub fn is_cast(self) -> bool {
        matches!(
            self,
            Opcode::Trunc
                | Opcode::ZExt
                | Opcode::SExt
                | Opcode::FpTrunc
                | Opcode::FpExt
                | Opcode::FpToUi
                | Opcode::FpToSi
                | Opcode::UiToFp
                | Opcode::SiToFp
                | Opcode::PtrToInt
                | Opcode::PtrToAddr
                | Opcode::IntToPtr
                | Opcode::BitCast
                | Opcode::AddrSpaceCast
        )
    }

    pub(crate) fn is_call(self) -> bool {
        matches!(self, Opcode::Call | Opcode::Invoke | Opcode::CallBr)
    }

    /// `landingpad`, `catchpad`, `cleanuppad`, `catchswitch`.
    pub fn is_eh_pad(self) -> bool {
        matches!(self, Opcode::LandingPad | Opcode::CatchPad | Opcode::CleanupPad | Opcode::CatchSwitch)
    }
}

/// Flag words of an instruction, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub(crate) u32);

impl Flags {
    pub(crate) const NUW: Flags = Flags(1);
    pub(crate) const NSW: Flags = Flags(1 << 1);
    pub(crate) const EXACT: Flags = Flags(1 << 2);
    pub(crate) const DISJOINT: Flags = Flags(1 << 3);
    pub(crate) const NNEG: Flags = Flags(1 << 4);
    pub(crate) const SAMESIGN: Flags = Flags(1 << 5);
    pub(crate) const INBOUNDS: Flags = Flags(1 << 6);
    pub(crate) const NUSW: Flags = Flags(1 << 7);
    pub(crate) const NNAN: Flags = Flags(1 << 8);
    pub(crate) const NINF: Flags = Flags(1 << 9);
    pub(crate) const NSZ: Flags = Flags(1 << 10);
    pub(crate) const ARCP: Flags = Flags(1 << 11);
    pub(crate) const CONTRACT: Flags = Flags(1 << 12);
    pub(crate) const AFN: Flags = Flags(1 << 13);
    pub(crate) const REASSOC: Flags = Flags(1 << 14);
    /// All seven of the floating point ones.
    pub(crate) const FAST: Flags = Flags(0x7f << 8);
    pub(crate) const VOLATILE: Flags = Flags(1 << 15);
    pub(crate) const ATOMIC: Flags = Flags(1 << 16);
    pub(crate) const WEAK: Flags = Flags(1 << 17);
    pub(crate) const TAIL: Flags = Flags(1 << 18);
    pub(crate) const MUSTTAIL: Flags = Flags(1 << 19);
    pub(crate) const NOTAIL: Flags = Flags(1 << 20);
    pub(crate) const INALLOCA: Flags = Flags(1 << 21);
    pub(crate) const SWIFTERROR: Flags = Flags(1 << 22);
    pub(crate) const CLEANUP: Flags = Flags(1 << 23);
    pub(crate) const UNWIND_TO_CALLER: Flags = Flags(1 << 24);
    pub(crate) const ELEMENTWISE: Flags = Flags(1 << 25);

    pub(crate) fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 == flag.0
    }

    pub(crate) fn any(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }

    pub(crate) fn insert(&mut self, flag: Flags) {
        self.0 |= flag.0;
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "LLVM's own names")]
        pub enum $name { $($variant,)* }

        impl $name {
            const ALL: &'static [$name] = &[$($name::$variant,)*];

            pub(crate) fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($text => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// As written.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }

            /// The inverse of `as u8`.
            pub fn from_raw(raw: u8) -> Option<$name> {
                Self::ALL.get(usize::from(raw)).copied()
            }
        }
    };
}

words! {
    /// The predicate of a comparison; `ugt`, `uge`, `ult` and `ule` occur in both `icmp` and `fcmp`.
    Predicate {
        False "false", Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord", Uno "uno", Ueq "ueq",
        Une "une", True "true", Eq "eq", Ne "ne", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Sgt "sgt", Sge "sge", Slt "slt", Sle "sle",
    }
}

words! {
    /// What an `atomicrmw` does.
    RmwOp {
        Xchg "xchg", Add "add", Sub "sub", And "and", Nand "nand", Or "or", Xor "xor", Max "max", Min "min", UMax "umax",
        UMin "umin", FAdd "fadd", FSub "fsub", FMax "fmax", FMin "fmin", FMaximum "fmaximum", FMinimum "fminimum",
        FMaximumNum "fmaximumnum", FMinimumNum "fminimumnum",
        UIncWrap "uinc_wrap", UDecWrap "udec_wrap", USubCond "usub_cond", USubSat "usub_sat",
    }
}

words! {
    /// Memory orderings of atomic instructions.
    OrderingWord {
        Unordered "unordered", Monotonic "monotonic", Acquire "acquire", Release "release", AcqRel "acq_rel", SeqCst "seq_cst",
    }
}
