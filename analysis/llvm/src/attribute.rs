//! Attributes of functions, parameters, return values, calls and globals.
//!
//! What each kind takes and where it applies is in [`super::tables::attributes`].

use rustc_hash::FxHashSet;
use thin_vec::ThinVec;

use super::arena::Tables;
use super::names::NameId;
use super::tables::Attribute;
use super::tables::attributes::BOOLEAN_STRINGS;
use super::types::TypeId;

/// One attribute as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attr {
    /// Which attribute it is.
    pub kind: AttrKind,
    /// Its argument.
    pub value: AttrValue,
}

/// What an attribute carries.
#[allow(missing_docs, reason = "the variants describe their fields")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// `range(T low, high)`: the type, and the index into [`super::arena::ColdTables::attr_ranges`].
    Range(TypeId, u32),
    /// `initializes((low, high), ...)`: start and length in [`super::arena::ColdTables::attr_ranges`].
    Ranges(u32, u32),
}

/// What two attributes share of which the later one replaces the other.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Word {
    Key(NameId),
    Group(u32),
    Kind(AttrKind),
}

impl Word {
    /// `None` for what could not be understood, which has been reported, and for legacy words, which join their bits.
    pub(crate) fn of(attr: &Attr) -> Option<Word> {
        match (attr.value, attr.kind) {
            (AttrValue::String { key, .. }, _) => Some(Word::Key(key)),
            (AttrValue::Group(number), _) => Some(Word::Group(number)),
            (_, AttrKind::Error | AttrKind::Memory | AttrKind::Group) => None,
            (_, kind) => Some(Word::Kind(kind)),
        }
    }
}

/// Keys of strings with a rule, besides [`BOOLEAN_STRINGS`].
const RULED_STRINGS: &[&str] = &[
    "aarch64_in_za",
    "aarch64_in_zt0",
    "aarch64_inout_za",
    "aarch64_inout_zt0",
    "aarch64_new_za",
    "aarch64_new_zt0",
    "aarch64_out_za",
    "aarch64_out_zt0",
    "aarch64_preserves_za",
    "aarch64_preserves_zt0",
    "aarch64_pstate_sm_compatible",
    "aarch64_pstate_sm_enabled",
    "aarch64_za_state_agnostic",
    "aarch64_zt0_undef",
    "alloc-family",
    "alloc-variant-zeroed",
    "branch-protection-pauth-lr",
    "branch-target-enforcement",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "frame-pointer",
    "guarded-control-stack",
    "modular-format",
    "patchable-function-entry",
    "patchable-function-entry-section",
    "patchable-function-prefix",
    "sign-return-address",
    "sign-return-address-key",
    "target-cpu",
    "target-features",
    "thunk",
    "uniform-work-group-size",
    "vector-function-abi-variant",
    "warn-stack-size",
];

/// Whether some rule looks at strings with this key: or at what may be a slip of it.
pub(crate) fn is_ruled(key: &str) -> bool {
    RULED_STRINGS.binary_search(&key).is_ok()
        || BOOLEAN_STRINGS.contains(&key)
        || ["amdgpu-", "target-", "uniform-"].iter().any(|start| key.starts_with(start))
}

/// The attributes that rules look at, in order: of those that replace each other the last, and no strings without a rule.
pub(crate) fn ruled(tables: &Tables, attrs: &[Attr]) -> ThinVec<Attr> {
    let (mut words, mut others) = (FxHashSet::default(), FxHashSet::default());
    let is_ruled = |attr: &&Attr| match attr.value {
        AttrValue::String { key, .. } => is_ruled(tables.name(key)),
        _ => true,
    };
    let last = |attr: &&Attr| match Word::of(attr) {
        Some(word) => words.insert(word),
        None => others.insert(**attr),
    };
    let mut ruled: ThinVec<Attr> = attrs.iter().rev().filter(is_ruled).filter(last).copied().collect();
    ruled.reverse();
    ruled.shrink_to_fit();
    ruled
}

/// Locations of `memory(...)`: the shift of each one's two bits in [`AttrValue::Int`].
pub mod memory {
    /// Memory that arguments point at.
    pub const ARGMEM: u32 = 0;
    /// Memory that the module cannot access.
    pub const INACCESSIBLEMEM: u32 = 2;
    /// `errno`
    pub const ERRNOMEM: u32 = 4;
    /// All other memory.
    pub const OTHER: u32 = 6;
    /// First memory of the target.
    pub const TARGET_MEM0: u32 = 8;
    /// Second memory of the target.
    pub const TARGET_MEM1: u32 = 10;
    pub(crate) const LOCATIONS: [u32; 6] =
        [ARGMEM, INACCESSIBLEMEM, ERRNOMEM, OTHER, TARGET_MEM0, TARGET_MEM1];
}

macro_rules! attributes {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// The kind of an attribute.
        #[allow(missing_docs, reason = "LLVM's own names")]
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

            /// The attribute of a word in the text.
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
        }
    };
}

impl AttrKind {
    /// LLVM's definition of the word: what it takes and where it applies.
    pub fn info(self) -> Option<&'static Attribute> {
        Attribute::find(self.word())
    }
}

attributes!(
    Alignment "align",
    StackAlignment "alignstack",
    AllocAlign "allocalign",
    AllocKind "allockind",
    AllocatedPointer "allocptr",
    AllocSize "allocsize",
    AlwaysInline "alwaysinline",
    Builtin "builtin",
    ByRef "byref",
    ByVal "byval",
    Captures "captures",
    Cold "cold",
    Convergent "convergent",
    CoroElideSafe "coro_elide_safe",
    CoroDestroyOnlyWhenComplete "coro_only_destroy_when_complete",
    DeadOnReturn "dead_on_return",
    DeadOnUnwind "dead_on_unwind",
    Dereferenceable "dereferenceable",
    DereferenceableOrNull "dereferenceable_or_null",
    DisableSanitizerInstrumentation "disable_sanitizer_instrumentation",
    ElementType "elementtype",
    FnRetThunkExtern "fn_ret_thunk_extern",
    Hot "hot",
    HybridPatchable "hybrid_patchable",
    ImmArg "immarg",
    InAlloca "inalloca",
    Initializes "initializes",
    InlineHint "inlinehint",
    InReg "inreg",
    JumpTable "jumptable",
    Memory "memory",
    MinSize "minsize",
    MustProgress "mustprogress",
    Naked "naked",
    Nest "nest",
    NoAlias "noalias",
    NoBuiltin "nobuiltin",
    NoCallback "nocallback",
    NoCfCheck "nocf_check",
    NoCreateUndefOrPoison "nocreateundeforpoison",
    NoDivergenceSource "nodivergencesource",
    NoDuplicate "noduplicate",
    NoExt "noext",
    NoFPClass "nofpclass",
    NoFree "nofree",
    NoImplicitFloat "noimplicitfloat",
    NoInline "noinline",
    NoMerge "nomerge",
    NonLazyBind "nonlazybind",
    NonNull "nonnull",
    NoProfile "noprofile",
    NoRecurse "norecurse",
    NoRedZone "noredzone",
    NoReturn "noreturn",
    NoSanitizeBounds "nosanitize_bounds",
    NoSanitizeCoverage "nosanitize_coverage",
    NoSync "nosync",
    NoUndef "noundef",
    NoUnwind "nounwind",
    NullPointerIsValid "null_pointer_is_valid",
    OptimizeForDebugging "optdebug",
    OptForFuzzing "optforfuzzing",
    OptimizeNone "optnone",
    OptimizeForSize "optsize",
    Preallocated "preallocated",
    PresplitCoroutine "presplitcoroutine",
    Range "range",
    ReadNone "readnone",
    ReadOnly "readonly",
    Returned "returned",
    ReturnsTwice "returns_twice",
    SafeStack "safestack",
    SanitizeAddress "sanitize_address",
    SanitizeAllocToken "sanitize_alloc_token",
    SanitizeHWAddress "sanitize_hwaddress",
    SanitizeMemory "sanitize_memory",
    SanitizeMemTag "sanitize_memtag",
    SanitizeNumericalStability "sanitize_numerical_stability",
    SanitizeRealtime "sanitize_realtime",
    SanitizeRealtimeBlocking "sanitize_realtime_blocking",
    SanitizeThread "sanitize_thread",
    SanitizeType "sanitize_type",
    ShadowCallStack "shadowcallstack",
    SExt "signext",
    SkipProfile "skipprofile",
    Speculatable "speculatable",
    SpeculativeLoadHardening "speculative_load_hardening",
    StructRet "sret",
    StackProtect "ssp",
    StackProtectReq "sspreq",
    StackProtectStrong "sspstrong",
    StrictFP "strictfp",
    SwiftAsync "swiftasync",
    SwiftError "swifterror",
    SwiftSelf "swiftself",
    UWTable "uwtable",
    VScaleRange "vscale_range",
    WillReturn "willreturn",
    Writable "writable",
    WriteOnly "writeonly",
    ZExt "zeroext",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attribute_has_a_kind() {
        for attribute in Attribute::all() {
            let kind = AttrKind::from_word(attribute.name);
            assert_eq!(kind.map(AttrKind::word), Some(attribute.name));
        }
        assert_eq!(AttrKind::WORDS.len(), Attribute::all().len());
    }
}
