//! Attributes of functions, parameters, return values, calls and globals.
//!
//! The list of kinds, what they carry and where they may stand follows `llvm/IR/Attributes.td` of LLVM 22 (Apache-2.0 WITH LLVM-exception).

use super::names::NameId;
use super::types::TypeId;

/// One attribute as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attr {
    pub kind: AttrKind,
    pub value: AttrValue,
}

/// What an attribute carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttrValue {
    /// Nothing, or nothing that could be understood (already reported).
    None,
    /// `align`, `alignstack`, `dereferenceable`: the number. `nofpclass`: the mask. `allockind`: a mask of alloc 1, realloc 2, free 4,
    /// uninitialized 8, zeroed 16, aligned 32. `uwtable`: 1 sync, 2 async. `memory`: two bits (read 1, write 2) a location, see [`memory`].
    Int(u64),
    /// `byval(T)` and its like.
    Type(TypeId),
    /// `"key"` or `"key"="value"`.
    String { key: NameId, value: Option<NameId> },
    /// `#3`.
    Group(u32),
    /// `allocsize(elem, count)`, `vscale_range(min, max)`; the second is `None` where it was not written.
    Pair(u32, Option<u32>),
    /// `captures(...)`: bits address_is_null 1, address 2 (with 1), read_provenance 4, provenance 8 (with 4); apart for the return value.
    Captures { other: u8, ret: u8 },
    /// `range(T low, high)`: the type, and the index into [`super::tables::Tables::attr_ranges`].
    Range(TypeId, u32),
    /// `initializes((low, high), ...)`: start and length in [`super::tables::Tables::attr_ranges`].
    Ranges(u32, u32),
}

/// Locations of `memory(...)`: the shift of each one's two bits in [`AttrValue::Int`].
pub mod memory {
    pub const ARGMEM: u32 = 0;
    pub const INACCESSIBLEMEM: u32 = 2;
    pub const ERRNOMEM: u32 = 4;
    pub const OTHER: u32 = 6;
    pub const TARGET_MEM0: u32 = 8;
    pub const TARGET_MEM1: u32 = 10;
    pub const LOCATIONS: [u32; 6] = [ARGMEM, INACCESSIBLEMEM, ERRNOMEM, OTHER, TARGET_MEM0, TARGET_MEM1];
}

/// What kind of argument an attribute takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttrClass {
    Enum,
    Int,
    Type,
    Range,
    RangeList,
}

macro_rules! attributes {
    ($($variant:ident $text:literal $class:ident $places:literal),* $(,)?) => {
        /// The kind of an attribute.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AttrKind {
            /// Not understood; already reported.
            Error,
            /// `"key"="value"`.
            String,
            /// `#3`.
            Group,
            $($variant,)*
        }

        impl AttrKind {
            /// All kinds that have a word of their own.
            pub const WORDS: &'static [AttrKind] = &[$(AttrKind::$variant,)*];

            pub fn from_word(word: &str) -> Option<AttrKind> {
                match word {
                    $($text => Some(AttrKind::$variant),)*
                    _ => None,
                }
            }

            /// The word; `""` for strings and groups.
            pub fn word(self) -> &'static str {
                match self {
                    AttrKind::Error | AttrKind::String | AttrKind::Group => "",
                    $(AttrKind::$variant => $text,)*
                }
            }

            pub fn class(self) -> AttrClass {
                match self {
                    AttrKind::Error | AttrKind::String | AttrKind::Group => AttrClass::Enum,
                    $(AttrKind::$variant => AttrClass::$class,)*
                }
            }

            /// Where it may stand: any of `F`unction, `P`arameter, `R`eturn value.
            fn places(self) -> &'static str {
                match self {
                    AttrKind::Error | AttrKind::String | AttrKind::Group => "FPR",
                    $(AttrKind::$variant => $places,)*
                }
            }
        }
    };
}

impl AttrKind {
    pub fn on_function(self) -> bool {
        self.places().contains('F')
    }

    pub fn on_parameter(self) -> bool {
        self.places().contains('P')
    }

    pub fn on_return(self) -> bool {
        self.places().contains('R')
    }
}

attributes!(
    Alignment "align" Int "PR",
    StackAlignment "alignstack" Int "FPR",
    AllocAlign "allocalign" Enum "P",
    AllocKind "allockind" Int "F",
    AllocatedPointer "allocptr" Enum "P",
    AllocSize "allocsize" Int "F",
    AlwaysInline "alwaysinline" Enum "F",
    Builtin "builtin" Enum "F",
    ByRef "byref" Type "P",
    ByVal "byval" Type "P",
    Captures "captures" Int "P",
    Cold "cold" Enum "F",
    Convergent "convergent" Enum "F",
    CoroElideSafe "coro_elide_safe" Enum "F",
    CoroDestroyOnlyWhenComplete "coro_only_destroy_when_complete" Enum "F",
    DeadOnReturn "dead_on_return" Enum "P",
    DeadOnUnwind "dead_on_unwind" Enum "P",
    Dereferenceable "dereferenceable" Int "PR",
    DereferenceableOrNull "dereferenceable_or_null" Int "PR",
    DisableSanitizerInstrumentation "disable_sanitizer_instrumentation" Enum "F",
    ElementType "elementtype" Type "P",
    FnRetThunkExtern "fn_ret_thunk_extern" Enum "F",
    Hot "hot" Enum "F",
    HybridPatchable "hybrid_patchable" Enum "F",
    ImmArg "immarg" Enum "P",
    InAlloca "inalloca" Type "P",
    Initializes "initializes" RangeList "P",
    InlineHint "inlinehint" Enum "F",
    InReg "inreg" Enum "PR",
    JumpTable "jumptable" Enum "F",
    Memory "memory" Int "F",
    MinSize "minsize" Enum "F",
    MustProgress "mustprogress" Enum "F",
    Naked "naked" Enum "F",
    Nest "nest" Enum "P",
    NoAlias "noalias" Enum "PR",
    NoBuiltin "nobuiltin" Enum "F",
    NoCallback "nocallback" Enum "F",
    NoCfCheck "nocf_check" Enum "F",
    NoCreateUndefOrPoison "nocreateundeforpoison" Enum "F",
    NoDivergenceSource "nodivergencesource" Enum "F",
    NoDuplicate "noduplicate" Enum "F",
    NoExt "noext" Enum "PR",
    NoFPClass "nofpclass" Int "PR",
    NoFree "nofree" Enum "FP",
    NoImplicitFloat "noimplicitfloat" Enum "F",
    NoInline "noinline" Enum "F",
    NoMerge "nomerge" Enum "F",
    NonLazyBind "nonlazybind" Enum "F",
    NonNull "nonnull" Enum "PR",
    NoProfile "noprofile" Enum "F",
    NoRecurse "norecurse" Enum "F",
    NoRedZone "noredzone" Enum "F",
    NoReturn "noreturn" Enum "F",
    NoSanitizeBounds "nosanitize_bounds" Enum "F",
    NoSanitizeCoverage "nosanitize_coverage" Enum "F",
    NoSync "nosync" Enum "F",
    NoUndef "noundef" Enum "PR",
    NoUnwind "nounwind" Enum "F",
    NullPointerIsValid "null_pointer_is_valid" Enum "F",
    OptimizeForDebugging "optdebug" Enum "F",
    OptForFuzzing "optforfuzzing" Enum "F",
    OptimizeNone "optnone" Enum "F",
    OptimizeForSize "optsize" Enum "F",
    Preallocated "preallocated" Type "FP",
    PresplitCoroutine "presplitcoroutine" Enum "F",
    Range "range" Range "PR",
    ReadNone "readnone" Enum "P",
    ReadOnly "readonly" Enum "P",
    Returned "returned" Enum "P",
    ReturnsTwice "returns_twice" Enum "F",
    SafeStack "safestack" Enum "F",
    SanitizeAddress "sanitize_address" Enum "F",
    SanitizeAllocToken "sanitize_alloc_token" Enum "F",
    SanitizeHWAddress "sanitize_hwaddress" Enum "F",
    SanitizeMemory "sanitize_memory" Enum "F",
    SanitizeMemTag "sanitize_memtag" Enum "F",
    SanitizeNumericalStability "sanitize_numerical_stability" Enum "F",
    SanitizeRealtime "sanitize_realtime" Enum "F",
    SanitizeRealtimeBlocking "sanitize_realtime_blocking" Enum "F",
    SanitizeThread "sanitize_thread" Enum "F",
    SanitizeType "sanitize_type" Enum "F",
    ShadowCallStack "shadowcallstack" Enum "F",
    SExt "signext" Enum "PR",
    SkipProfile "skipprofile" Enum "F",
    Speculatable "speculatable" Enum "F",
    SpeculativeLoadHardening "speculative_load_hardening" Enum "F",
    StructRet "sret" Type "P",
    StackProtect "ssp" Enum "F",
    StackProtectReq "sspreq" Enum "F",
    StackProtectStrong "sspstrong" Enum "F",
    StrictFP "strictfp" Enum "F",
    SwiftAsync "swiftasync" Enum "P",
    SwiftError "swifterror" Enum "P",
    SwiftSelf "swiftself" Enum "P",
    UWTable "uwtable" Int "F",
    VScaleRange "vscale_range" Int "F",
    WillReturn "willreturn" Enum "F",
    Writable "writable" Enum "P",
    WriteOnly "writeonly" Enum "P",
    ZExt "zeroext" Enum "PR",
);
