//! Since when a word is part of the language, and until when.
//!
//! Source: the lexers, parsers and tables of LLVM 15.0, 16.0, 17.0, 18.1, 19.1, 20.1, 21.1 and 22, each compared with the one before
//! (lib/AsmParser/LLLexer.cpp and LLParser.cpp, include/llvm/AsmParser/LLToken.h, IR/Attributes.td, IR/Metadata.def,
//! IR/FixedMetadataKinds.def, IR/DebugInfoFlags.def, BinaryFormat/Dwarf.def; Apache-2.0 WITH LLVM-exception).

/// Oldest version that is distinguished: words of this and earlier versions exist in all.
#[cfg(test)]
const OLDEST: u8 = 15;

/// The place of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// First word of an attribute.
    Attribute,
    /// First word of an attribute of a function.
    FunctionAttribute,
    /// In `memory(...)`.
    Memory,
    /// An opcode, `opcode flag`, or a word after the opcode.
    Instruction,
    /// First word of a constant, or `word flag`.
    Constant,
    /// First word of a type.
    Type,
    /// `#dbg_value` and its like.
    Record,
    /// Kind of a metadata node.
    Metadata,
    /// `kind field` of a metadata node that is older than its field.
    Field,
    /// Symbolic value of such a field.
    FieldValue,
    /// Kind of an attachment. Older versions read it and take it for nothing.
    Attachment,
    /// Calling conventions and properties of globals.
    Header,
}

/// One word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub place: Place,
    pub text: &'static str,
    /// First version that reads it; 0: the oldest did.
    pub since: u8,
    /// Last version that writes it; 0: the newest still does.
    pub(crate) until: u8,
    /// What newer versions write.
    pub(crate) instead: &'static str,
}

use Place::*;

#[rustfmt::skip]
static NEW: &[(Place, u8, &[&str])] = &[
    (Attribute, 16, &["memory", "skipprofile"]),
    (Attribute, 17, &["nofpclass"]),
    (Attribute, 18, &["coro_only_destroy_when_complete", "dead_on_unwind", "optdebug", "writable"]),
    (Attribute, 19, &["hybrid_patchable", "initializes", "range", "sanitize_numerical_stability"]),
    (Attribute, 20, &[
        "captures", "coro_elide_safe", "nodivergencesource", "noext", "sanitize_realtime", "sanitize_realtime_blocking",
        "sanitize_type",
    ]),
    (Attribute, 21, &["dead_on_return"]),
    (Attribute, 22, &["nocreateundeforpoison", "sanitize_alloc_token"]),
    (Memory, 21, &["errnomem"]),
    (Memory, 22, &["target_mem0", "target_mem1"]),
    (Instruction, 16, &["uinc_wrap", "udec_wrap"]),
    (Instruction, 18, &["disjoint", "zext nneg"]),
    (Instruction, 19, &["getelementptr nusw", "getelementptr nuw", "trunc nuw", "trunc nsw", "uitofp nneg"]),
    (Instruction, 20, &["samesign", "usub_cond", "usub_sat", "fptrunc fast-math", "fpext fast-math"]),
    (Instruction, 21, &["fmaximum", "fminimum"]),
    (Instruction, 22, &["ptrtoaddr"]),
    (Constant, 18, &["splat"]),
    (Constant, 19, &["ptrauth", "getelementptr nusw", "getelementptr nuw"]),
    (Constant, 22, &["ptrtoaddr"]),
    (Type, 16, &["target"]),
    (Record, 19, &["dbg_value", "dbg_declare", "dbg_assign", "dbg_label"]),
    (Record, 22, &["dbg_declare_value"]),
    (Metadata, 16, &["!DIAssignID"]),
    (Metadata, 21, &["!DIFixedPointType", "!DISubrangeType"]),
    (Field, 19, &[
        "!DIDerivedType ptrAuthKey", "!DIDerivedType ptrAuthIsAddressDiscriminated", "!DIDerivedType ptrAuthExtraDiscriminator",
        "!DIDerivedType ptrAuthIsaPointer", "!DIDerivedType ptrAuthAuthenticatesNullValues",
    ]),
    (Field, 20, &[
        "!DIBasicType num_extra_inhabitants", "!DICompositeType num_extra_inhabitants", "!DICompositeType specification",
    ]),
    (Field, 21, &[
        "!DICompositeType bitStride", "!DICompositeType enumKind", "!DILabel column", "!DILabel coroSuspendIdx",
        "!DILabel isArtificial", "!DILocation atomGroup", "!DILocation atomRank", "!DISubprogram keyInstructions",
    ]),
    (Field, 22, &[
        "!DIBasicType dataSize", "!DICompileUnit sourceLanguageName", "!DICompileUnit sourceLanguageVersion",
    ]),
    (FieldValue, 16, &[
        "DW_LANG_Ada2005", "DW_LANG_Ada2012", "DW_LANG_C17", "DW_LANG_C_plus_plus_17", "DW_LANG_C_plus_plus_20",
        "DW_LANG_Crystal", "DW_LANG_Fortran18", "DW_LANG_Kotlin", "DW_LANG_Zig", "DW_TAG_LLVM_ptrauth_type",
    ]),
    (FieldValue, 17, &["Apple", "DW_LANG_Mojo", "DW_OP_LLVM_user"]),
    (FieldValue, 18, &["DW_CC_LLVM_M68kRTD"]),
    (FieldValue, 19, &[
        "DW_CC_LLVM_PreserveNone", "DW_CC_LLVM_RISCVVectorCall", "DW_CC_LLVM_SwiftTail", "DW_LANG_Assembly",
        "DW_LANG_CPP_for_OpenCL", "DW_LANG_C_sharp", "DW_LANG_GLSL", "DW_LANG_GLSL_ES", "DW_LANG_HIP", "DW_LANG_HLSL",
        "DW_LANG_Hylo", "DW_LANG_Move", "DW_LANG_OpenCL_CPP", "DW_LANG_Ruby", "DW_LANG_SYCL", "DW_OP_LLVM_extract_bits_sext",
        "DW_OP_LLVM_extract_bits_zext",
    ]),
    (FieldValue, 20, &["DW_LANG_Metal"]),
    (FieldValue, 21, &["DW_CC_LLVM_DeviceKernel", "DW_CC_LLVM_RISCVVLSCall", "DW_OP_GNU_implicit_pointer"]),
    (FieldValue, 22, &["DIFlagNameIsSimplified"]),
    (Attachment, 16, &["!DIAssignID", "!kcfi_type", "!pcsections"]),
    (Attachment, 18, &["!coro.outside.frame"]),
    (Attachment, 19, &["!mmra"]),
    (Attachment, 20, &["!noalias.addrspace"]),
    (Attachment, 22, &["!alloc_token", "!callee_type", "!captures", "!implicit.ref", "!nofree"]),
    (Header, 16, &["aarch64_sme_preservemost_from_x0", "aarch64_sme_preservemost_from_x2"]),
    (Header, 17, &["amdgpu_cs_chain", "amdgpu_cs_chain_preserve"]),
    (Header, 18, &["code_model", "graalcc", "m68k_rtdcc"]),
    (Header, 19, &["aarch64_sme_preservemost_from_x1", "preserve_nonecc", "riscv_vector_cc"]),
    (Header, 21, &["riscv_vls_cc"]),
    (Header, 22, &[
        "amdgpu_gfx_whole_wave", "cheriot_compartmentcallcc", "cheriot_compartmentcalleecc", "cheriot_librarycallcc",
    ]),
];

/// With the last version that writes the word, and what newer ones write.
#[rustfmt::skip]
static OLD: &[(Place, &str, u8, &str)] = &[
    (FunctionAttribute, "argmemonly", 15, "memory(argmem: readwrite)"),
    (FunctionAttribute, "inaccessiblememonly", 15, "memory(inaccessiblemem: readwrite)"),
    (FunctionAttribute, "inaccessiblemem_or_argmemonly", 15, "memory(argmem: readwrite, inaccessiblemem: readwrite)"),
    (Attribute, "nocapture", 20, "captures(none)"),
    (FunctionAttribute, "readnone", 15, "memory(none)"),
    (FunctionAttribute, "readonly", 15, "memory(read)"),
    (FunctionAttribute, "writeonly", 15, "memory(write)"),
];

pub(crate) fn find(place: Place, text: &str) -> Option<Word> {
    let new = NEW.iter().filter(|(p, ..)| *p == place).find_map(|(_, since, words)| {
        let text = words.iter().find(|w| **w == text)?;
        Some(Word { place, text, since: *since, until: 0, instead: "" })
    });
    new.or_else(|| {
        let (_, text, until, instead) = OLD.iter().find(|(p, w, ..)| *p == place && *w == text)?;
        Some(Word { place, text, since: 0, until: *until, instead })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::AttrKind;
    use crate::tables::Attribute as Known;
    use crate::tables::attributes::LEGACY;
    use crate::tables::debug_words::is_debug_word;

    #[test]
    fn words_are_known_and_versions_in_range() {
        let mut seen: Vec<(Place, &str)> = OLD.iter().map(|(place, text, ..)| (*place, *text)).collect();
        for (place, since, words) in NEW {
            assert!((OLDEST + 1..=22).contains(since), "{words:?}");
            for word in *words {
                match place {
                    Attribute => {
                        assert!(Known::find(word).is_some() && AttrKind::from_word(word).is_some(), "{word}")
                    }
                    FieldValue => assert!(is_debug_word(word) || *word == "Apple", "{word}"),
                    _ => {}
                }
                seen.push((*place, word));
            }
        }
        for (_, text, until, _) in OLD {
            assert!((OLDEST..22).contains(until) && LEGACY.iter().any(|l| l.name == *text), "{text}");
        }
        for one in &seen {
            assert_eq!(seen.iter().filter(|other| *other == one).count(), 1, "{one:?}");
        }
    }
}
