//! The words that the grammar knows, found by a hash table that is built when this is compiled.

use super::LlvmKind::{self, *};

/// Word and kind, sorted by word. Attributes, calling conventions and their like share a kind: their text tells them apart.
#[rustfmt::skip]
pub(super) const WORDS: &[(&str, LlvmKind)] = &[
    ("aarch64_sme_preservemost_from_x0", CC_KW), ("aarch64_sme_preservemost_from_x1", CC_KW),
    ("aarch64_sme_preservemost_from_x2", CC_KW), ("aarch64_sve_vector_pcs", CC_KW), ("aarch64_vector_pcs", CC_KW),
    ("acq_rel", ORDERING_KW), ("acquire", ORDERING_KW), ("add", ARITH_KW), ("addrspace", ADDRSPACE_KW),
    ("addrspacecast", CAST_KW), ("afn", FAST_FLAG_KW), ("alias", ALIAS_KW), ("align", ALIGN_KW),
    ("alignstack", ALIGNSTACK_KW), ("alloca", ALLOCA_KW), ("allocalign", ATTR_KW), ("allockind", ALLOCKIND_KW),
    ("allocptr", ATTR_KW), ("allocsize", ALLOCSIZE_KW), ("alwaysinline", ATTR_KW), ("amdgpu_cs", CC_KW),
    ("amdgpu_cs_chain", CC_KW), ("amdgpu_cs_chain_preserve", CC_KW), ("amdgpu_es", CC_KW), ("amdgpu_gfx", CC_KW),
    ("amdgpu_gfx_whole_wave", CC_KW), ("amdgpu_gs", CC_KW), ("amdgpu_hs", CC_KW), ("amdgpu_kernel", CC_KW),
    ("amdgpu_ls", CC_KW), ("amdgpu_ps", CC_KW), ("amdgpu_vs", CC_KW), ("and", PLAIN_BINARY_KW), ("anyregcc", CC_KW),
    ("appending", LINKAGE_KW), ("arcp", FAST_FLAG_KW), ("argmemonly", LEGACY_ATTR_KW), ("arm_aapcs_vfpcc", CC_KW),
    ("arm_aapcscc", CC_KW), ("arm_apcscc", CC_KW), ("ashr", SHIFT_DIV_KW), ("asm", ASM_KW), ("atomic", ATOMIC_KW),
    ("atomicrmw", ATOMICRMW_KW), ("attributes", ATTRIBUTES_KW), ("available_externally", LINKAGE_KW),
    ("avr_intrcc", CC_KW), ("avr_signalcc", CC_KW), ("bfloat", FLOAT_TYPE_KW), ("bitcast", CAST_KW),
    ("blockaddress", BLOCKADDRESS_KW), ("br", BR_KW), ("builtin", ATTR_KW), ("byref", TYPE_ATTR_KW),
    ("byval", TYPE_ATTR_KW), ("c", C_KW), ("call", CALL_KW), ("callbr", CALLBR_KW), ("caller", CALLER_KW),
    ("captures", CAPTURES_KW), ("catch", CATCH_KW), ("catchpad", CATCHPAD_KW), ("catchret", CATCHRET_KW),
    ("catchswitch", CATCHSWITCH_KW), ("cc", CC_NUMBER_KW), ("ccc", CC_KW), ("cfguard_checkcc", CC_KW),
    ("cheriot_compartmentcallcc", CC_KW), ("cheriot_compartmentcalleecc", CC_KW), ("cheriot_librarycallcc", CC_KW),
    ("cleanup", CLEANUP_KW), ("cleanuppad", CLEANUPPAD_KW), ("cleanupret", CLEANUPRET_KW), ("cmpxchg", CMPXCHG_KW),
    ("code_model", CODE_MODEL_KW), ("cold", ATTR_KW), ("coldcc", CC_KW), ("comdat", COMDAT_KW),
    ("common", LINKAGE_KW), ("constant", CONSTANT_KW), ("contract", FAST_FLAG_KW), ("convergent", ATTR_KW),
    ("coro_elide_safe", ATTR_KW), ("coro_only_destroy_when_complete", ATTR_KW), ("cxx_fast_tlscc", CC_KW),
    ("datalayout", DATALAYOUT_KW), ("dead_on_return", ATTR_KW), ("dead_on_unwind", ATTR_KW), ("declare", DECLARE_KW),
    ("default", VISIBILITY_KW), ("define", DEFINE_KW), ("denormal_fpenv", DENORMAL_FPENV_KW), ("dereferenceable", DEREFERENCEABLE_KW),
    ("dereferenceable_or_null", DEREFERENCEABLE_KW), ("disable_sanitizer_instrumentation", ATTR_KW),
    ("disjoint", DISJOINT_KW), ("distinct", DISTINCT_KW), ("dllexport", DLL_KW), ("dllimport", DLL_KW),
    ("double", FLOAT_TYPE_KW), ("dso_local", DSO_KW), ("dso_local_equivalent", DSO_LOCAL_EQUIVALENT_KW),
    ("dso_preemptable", DSO_KW), ("elementtype", TYPE_ATTR_KW), ("eq", PREDICATE_KW), ("exact", EXACT_KW),
    ("extern_weak", LINKAGE_KW), ("external", LINKAGE_KW), ("externally_initialized", EXTERNALLY_INITIALIZED_KW),
    ("extractelement", EXTRACTELEMENT_KW), ("extractvalue", EXTRACTVALUE_KW), ("fadd", FLOAT_BINARY_KW),
    ("false", FALSE_KW), ("fast", FAST_FLAG_KW), ("fastcc", CC_KW), ("fcmp", FCMP_KW), ("fdiv", FLOAT_BINARY_KW),
    ("fence", FENCE_KW), ("filter", FILTER_KW), ("flatten", ATTR_KW), ("float", FLOAT_TYPE_KW), ("fmax", RMW_KW), ("fmaximum", RMW_KW), ("fmaximumnum", RMW_KW),
    ("fmin", RMW_KW), ("fminimum", RMW_KW), ("fminimumnum", RMW_KW), ("fmul", FLOAT_BINARY_KW), ("fn_ret_thunk_extern", ATTR_KW),
    ("fneg", FNEG_KW), ("fp128", FLOAT_TYPE_KW), ("fpext", FLOAT_CAST_KW), ("fptosi", CAST_KW), ("fptoui", CAST_KW),
    ("fptrunc", FLOAT_CAST_KW), ("freeze", FREEZE_KW), ("frem", FLOAT_BINARY_KW), ("from", FROM_KW),
    ("fsub", FLOAT_BINARY_KW), ("gc", GC_KW), ("getelementptr", GETELEMENTPTR_KW), ("ghccc", CC_KW),
    ("global", GLOBAL_KW), ("graalcc", CC_KW), ("half", FLOAT_TYPE_KW), ("hhvm_ccc", CC_KW), ("hhvmcc", CC_KW),
    ("hidden", VISIBILITY_KW), ("hot", ATTR_KW), ("hybrid_patchable", ATTR_KW), ("icmp", ICMP_KW),
    ("ifunc", IFUNC_KW), ("immarg", ATTR_KW), ("inaccessiblemem_or_argmemonly", LEGACY_ATTR_KW),
    ("inaccessiblememonly", LEGACY_ATTR_KW), ("inalloca", INALLOCA_KW), ("inbounds", INBOUNDS_KW),
    ("indirectbr", INDIRECTBR_KW), ("initialexec", TLS_MODEL_KW), ("initializes", INITIALIZES_KW),
    ("inlinehint", ATTR_KW), ("inrange", INRANGE_KW), ("inreg", ATTR_KW), ("insertelement", INSERTELEMENT_KW),
    ("insertvalue", INSERTVALUE_KW), ("intel_ocl_bicc", CC_KW), ("inteldialect", INTELDIALECT_KW),
    ("internal", LINKAGE_KW), ("inttoptr", CAST_KW), ("invoke", INVOKE_KW), ("jumptable", ATTR_KW),
    ("label", LABEL_KW), ("landingpad", LANDINGPAD_KW), ("linkonce", LINKAGE_KW), ("linkonce_odr", LINKAGE_KW),
    ("load", LOAD_KW), ("local_unnamed_addr", UNNAMED_ADDR_KW), ("localdynamic", TLS_MODEL_KW),
    ("localexec", TLS_MODEL_KW), ("lshr", SHIFT_DIV_KW), ("m68k_rtdcc", CC_KW), ("max", RMW_KW),
    ("memory", MEMORY_KW), ("metadata", METADATA_KW), ("min", RMW_KW), ("minsize", ATTR_KW), ("module", MODULE_KW),
    ("monotonic", ORDERING_KW), ("msp430_intrcc", CC_KW), ("mul", ARITH_KW), ("mustprogress", ATTR_KW),
    ("musttail", MUSTTAIL_KW), ("naked", ATTR_KW), ("nand", RMW_KW), ("ne", PREDICATE_KW), ("nest", ATTR_KW),
    ("ninf", FAST_FLAG_KW), ("nnan", FAST_FLAG_KW), ("nneg", NNEG_KW), ("no_cfi", NO_CFI_KW),
    ("no_sanitize_address", NO_SANITIZE_ADDRESS_KW), ("no_sanitize_hwaddress", NO_SANITIZE_HWADDRESS_KW),
    ("noalias", ATTR_KW), ("nobuiltin", ATTR_KW), ("nocallback", ATTR_KW), ("nocapture", LEGACY_ATTR_KW),
    ("nocf_check", ATTR_KW), ("nocreateundeforpoison", ATTR_KW), ("nodivergencesource", ATTR_KW),
    ("noduplicate", ATTR_KW), ("noext", ATTR_KW), ("nofpclass", NOFPCLASS_KW), ("nofree", ATTR_KW), ("nofreeobj", ATTR_KW),
    ("noimplicitfloat", ATTR_KW), ("noinline", ATTR_KW), ("noipa", ATTR_KW), ("nomerge", ATTR_KW), ("none", NONE_KW),
    ("nonlazybind", ATTR_KW), ("nonnull", ATTR_KW), ("nooutline", ATTR_KW), ("noprofile", ATTR_KW), ("norecurse", ATTR_KW),
    ("noredzone", ATTR_KW), ("noreturn", ATTR_KW), ("nosanitize_bounds", ATTR_KW), ("nosanitize_coverage", ATTR_KW),
    ("nosync", ATTR_KW), ("notail", NOTAIL_KW), ("noundef", ATTR_KW), ("nounwind", ATTR_KW), ("nsw", NSW_KW),
    ("nsz", FAST_FLAG_KW), ("null", NULL_KW), ("null_pointer_is_valid", ATTR_KW), ("nusw", NUSW_KW), ("nuw", NUW_KW),
    ("oeq", PREDICATE_KW), ("oge", PREDICATE_KW), ("ogt", PREDICATE_KW), ("ole", PREDICATE_KW), ("olt", PREDICATE_KW),
    ("one", PREDICATE_KW), ("opaque", OPAQUE_KW), ("optdebug", ATTR_KW), ("optforfuzzing", ATTR_KW),
    ("optnone", ATTR_KW), ("optsize", ATTR_KW), ("or", OR_KW), ("ord", PREDICATE_KW), ("partition", PARTITION_KW),
    ("personality", PERSONALITY_KW), ("phi", PHI_KW), ("poison", POISON_KW), ("ppc_fp128", FLOAT_TYPE_KW),
    ("preallocated", TYPE_ATTR_KW), ("prefalign", PREFALIGN_KW), ("prefix", PREFIX_KW), ("preserve_allcc", CC_KW), ("preserve_mostcc", CC_KW),
    ("preserve_nonecc", CC_KW), ("presplitcoroutine", ATTR_KW), ("private", LINKAGE_KW), ("prologue", PROLOGUE_KW),
    ("protected", VISIBILITY_KW), ("ptr", PTR_KW), ("ptrauth", PTRAUTH_KW), ("ptrtoaddr", CAST_KW),
    ("ptrtoint", CAST_KW), ("ptx_device", CC_KW), ("ptx_kernel", CC_KW), ("range", RANGE_KW), ("readnone", ATTR_KW),
    ("readonly", ATTR_KW), ("reassoc", FAST_FLAG_KW), ("release", ORDERING_KW), ("resume", RESUME_KW),
    ("ret", RET_KW), ("returned", ATTR_KW), ("returns_twice", ATTR_KW), ("riscv_vector_cc", CC_KW),
    ("riscv_vls_cc", RISCV_VLS_CC_KW), ("safestack", ATTR_KW), ("samesign", SAMESIGN_KW),
    ("sanitize_address", ATTR_KW), ("sanitize_address_dyninit", SANITIZE_ADDRESS_DYNINIT_KW),
    ("sanitize_alloc_token", ATTR_KW), ("sanitize_hwaddress", ATTR_KW), ("sanitize_memory", ATTR_KW),
    ("sanitize_memtag", SANITIZE_MEMTAG_KW), ("sanitize_numerical_stability", ATTR_KW),
    ("sanitize_realtime", ATTR_KW), ("sanitize_realtime_blocking", ATTR_KW), ("sanitize_thread", ATTR_KW),
    ("sanitize_type", ATTR_KW), ("sdiv", SHIFT_DIV_KW), ("section", SECTION_KW), ("select", SELECT_KW),
    ("seq_cst", ORDERING_KW), ("sext", CAST_KW), ("sge", PREDICATE_KW), ("sgt", PREDICATE_KW),
    ("shadowcallstack", ATTR_KW), ("shl", ARITH_KW), ("shufflevector", SHUFFLEVECTOR_KW),
    ("sideeffect", SIDEEFFECT_KW), ("signext", ATTR_KW), ("sitofp", CAST_KW), ("skipprofile", ATTR_KW),
    ("sle", PREDICATE_KW), ("slt", PREDICATE_KW), ("source_filename", SOURCE_FILENAME_KW), ("speculatable", ATTR_KW),
    ("speculative_load_hardening", ATTR_KW), ("spir_func", CC_KW), ("spir_kernel", CC_KW), ("splat", SPLAT_KW),
    ("srem", PLAIN_BINARY_KW), ("sret", TYPE_ATTR_KW), ("ssp", ATTR_KW), ("sspreq", ATTR_KW), ("sspstrong", ATTR_KW),
    ("store", STORE_KW), ("strictfp", ATTR_KW), ("sub", ARITH_KW), ("swiftasync", ATTR_KW), ("swiftcc", CC_KW),
    ("swifterror", SWIFTERROR_KW), ("swiftself", ATTR_KW), ("swifttailcc", CC_KW), ("switch", SWITCH_KW),
    ("syncscope", SYNCSCOPE_KW), ("tail", TAIL_KW), ("tailcc", CC_KW), ("target", TARGET_KW),
    ("thread_local", THREAD_LOCAL_KW), ("to", TO_KW), ("token", FLOAT_TYPE_KW), ("triple", TRIPLE_KW),
    ("true", TRUE_KW), ("trunc", TRUNC_KW), ("type", TYPE_KW), ("udec_wrap", RMW_KW), ("udiv", SHIFT_DIV_KW),
    ("ueq", PREDICATE_KW), ("uge", PREDICATE_KW), ("ugt", PREDICATE_KW), ("uinc_wrap", RMW_KW),
    ("uitofp", NNEG_CAST_KW), ("ule", PREDICATE_KW), ("ult", PREDICATE_KW), ("umax", RMW_KW), ("umin", RMW_KW),
    ("undef", UNDEF_KW), ("une", PREDICATE_KW), ("unnamed_addr", UNNAMED_ADDR_KW), ("uno", PREDICATE_KW),
    ("unordered", ORDERING_KW), ("unreachable", UNREACHABLE_KW), ("unwind", UNWIND_KW), ("urem", PLAIN_BINARY_KW),
    ("uselistorder", USELISTORDER_KW), ("uselistorder_bb", USELISTORDER_BB_KW), ("usub_cond", RMW_KW),
    ("usub_sat", RMW_KW), ("uwtable", UWTABLE_KW), ("va_arg", VA_ARG_KW), ("void", VOID_KW),
    ("volatile", VOLATILE_KW), ("vscale", VSCALE_KW), ("vscale_range", VSCALE_RANGE_KW), ("weak", WEAK_KW),
    ("weak_odr", LINKAGE_KW), ("willreturn", ATTR_KW), ("win64cc", CC_KW), ("within", WITHIN_KW),
    ("writable", ATTR_KW), ("writeonly", ATTR_KW), ("x", X_KW), ("x86_64_sysvcc", CC_KW), ("x86_amx", FLOAT_TYPE_KW),
    ("x86_fastcallcc", CC_KW), ("x86_fp80", FLOAT_TYPE_KW), ("x86_intrcc", CC_KW), ("x86_regcallcc", CC_KW),
    ("x86_stdcallcc", CC_KW), ("x86_thiscallcc", CC_KW), ("x86_vectorcallcc", CC_KW), ("xchg", RMW_KW),
    ("xor", PLAIN_BINARY_KW), ("zeroext", ATTR_KW), ("zeroinitializer", ZEROINITIALIZER_KW), ("zext", NNEG_CAST_KW),
];

/// Four slots a word keep the table mostly free of collisions.
const SLOTS: usize = 2048;

const TABLE: [u16; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut i = 0;
    while i < WORDS.len() {
        let mut at = slot(WORDS[i].0.as_bytes());
        while table[at] != 0 {
            at = (at + 1) % SLOTS;
        }
        table[at] = i as u16 + 1;
        i += 1;
    }
    table
};

const fn slot(word: &[u8]) -> usize {
    let mut hash = word.len() as u32;
    let mut i = 0;
    while i < word.len() {
        hash = (hash ^ word[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash >> 12) as usize % SLOTS
}

/// The kind of a word; [`LlvmKind::WORD`] if the grammar has no keyword of that text.
pub(super) fn kind(word: &str) -> LlvmKind {
    let mut at = slot(word.as_bytes());
    loop {
        match TABLE[at] {
            0 => return WORD,
            n => match WORDS.get(n as usize - 1) {
                Some((text, kind)) if *text == word => return *kind,
                _ => at = (at + 1) % SLOTS,
            },
        }
    }
}

/// The keyword of a wanted kind that an unknown word is likely meant to be.
pub(super) fn closest(word: &str, is_wanted: impl Fn(LlvmKind) -> bool) -> Option<&'static str> {
    crate::spelling::closest(word, WORDS.iter().filter(|(_, kind)| is_wanted(*kind)).map(|(text, _)| *text))
}

/// The word that begins a type, or the usual integer type, that is closest to `word`.
pub(super) fn closest_type(word: &str) -> Option<&'static str> {
    let types = WORDS.iter().filter(|(_, kind)| super::grammar::is_type_start(*kind)).map(|(text, _)| *text);
    crate::spelling::closest(word, types.chain(["i1", "i8", "i16", "i32", "i64", "i128"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found() {
        for (word, kind) in WORDS {
            assert_eq!(super::kind(word), *kind, "{word}");
        }
        assert_eq!(super::kind("addd"), WORD);
        assert!(WORDS.is_sorted());
    }
}
