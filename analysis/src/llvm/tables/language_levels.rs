//! Since when a word is part of the language, and until when.
//!
//! Source: LLVM Release Notes 15 to 22, "Changes to the LLVM IR", and the words that the parsers of LLVM 21 and 22 know
//! (lib/AsmParser/LLLexer.cpp, include/llvm/IR/Attributes.td; Apache-2.0 WITH LLVM-exception).

/// Oldest version that is told apart: what came with it or before is taken to be there always.
pub const OLDEST: u8 = 15;

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// First word of an attribute.
    Attribute,
    /// In `memory(...)`.
    Memory,
    /// An opcode, `opcode flag`, or a word after the opcode.
    Instruction,
    /// First word of a constant.
    Constant,
    /// First word of a type.
    Type,
    /// `#dbg_value` and its like.
    Record,
    /// Kind of a metadata node.
    Metadata,
    /// Calling conventions and properties of globals.
    Header,
}

/// One word.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub place: Place,
    pub text: &'static str,
    /// First version that reads it.
    pub since: u8,
    /// Last version that writes it; 0: the newest still does.
    pub until: u8,
    /// What newer versions write.
    pub instead: &'static str,
}

const fn new(place: Place, text: &'static str, since: u8) -> Word {
    Word { place, text, since, until: 0, instead: "" }
}

const fn old(place: Place, text: &'static str, until: u8, instead: &'static str) -> Word {
    Word { place, text, since: 0, until, instead }
}

use Place::*;

pub const WORDS: &[Word] = &[
    new(Attribute, "memory", 16),
    new(Attribute, "nofpclass", 17),
    new(Attribute, "skipprofile", 17),
    new(Attribute, "coro_only_destroy_when_complete", 18),
    new(Attribute, "dead_on_unwind", 18),
    new(Attribute, "writable", 18),
    new(Attribute, "optdebug", 19),
    new(Attribute, "range", 19),
    new(Attribute, "sanitize_numerical_stability", 19),
    new(Attribute, "coro_elide_safe", 20),
    new(Attribute, "hybrid_patchable", 20),
    new(Attribute, "initializes", 20),
    new(Attribute, "nodivergencesource", 20),
    new(Attribute, "noext", 20),
    new(Attribute, "sanitize_realtime", 20),
    new(Attribute, "sanitize_realtime_blocking", 20),
    new(Attribute, "sanitize_type", 20),
    new(Attribute, "captures", 21),
    new(Attribute, "dead_on_return", 21),
    new(Attribute, "nocreateundeforpoison", 22),
    new(Attribute, "sanitize_alloc_token", 22),
    old(Attribute, "argmemonly", 15, "memory(argmem: readwrite)"),
    old(Attribute, "inaccessiblememonly", 15, "memory(inaccessiblemem: readwrite)"),
    old(
        Attribute,
        "inaccessiblemem_or_argmemonly",
        15,
        "memory(argmem: readwrite, inaccessiblemem: readwrite)",
    ),
    old(Attribute, "nocapture", 20, "captures(none)"),
    new(Memory, "errnomem", 21),
    new(Memory, "target_mem0", 22),
    new(Memory, "target_mem1", 22),
    new(Instruction, "uinc_wrap", 16),
    new(Instruction, "udec_wrap", 16),
    new(Instruction, "disjoint", 18),
    new(Instruction, "zext nneg", 18),
    new(Instruction, "getelementptr nusw", 19),
    new(Instruction, "getelementptr nuw", 19),
    new(Instruction, "trunc nuw", 19),
    new(Instruction, "trunc nsw", 19),
    new(Instruction, "uitofp nneg", 19),
    new(Instruction, "samesign", 20),
    new(Instruction, "usub_cond", 20),
    new(Instruction, "usub_sat", 20),
    new(Instruction, "fmaximum", 21),
    new(Instruction, "fminimum", 21),
    new(Instruction, "ptrtoaddr", 22),
    new(Constant, "splat", 18),
    new(Constant, "ptrauth", 19),
    new(Constant, "ptrtoaddr", 22),
    new(Type, "target", 16),
    new(Record, "dbg_value", 19),
    new(Record, "dbg_declare", 19),
    new(Record, "dbg_assign", 19),
    new(Record, "dbg_label", 19),
    new(Record, "dbg_declare_value", 22),
    new(Metadata, "!DIAssignID", 16),
    new(Metadata, "!DIFixedPointType", 21),
    new(Metadata, "!DISubrangeType", 21),
    new(Header, "amdgpu_cs_chain", 17),
    new(Header, "amdgpu_cs_chain_preserve", 17),
    new(Header, "code_model", 18),
    new(Header, "graalcc", 18),
    new(Header, "preserve_nonecc", 18),
    new(Header, "riscv_vls_cc", 21),
    new(Header, "amdgpu_gfx_whole_wave", 22),
    new(Header, "cheriot_compartmentcallcc", 22),
    new(Header, "cheriot_compartmentcalleecc", 22),
    new(Header, "cheriot_librarycallcc", 22),
];

pub fn find(place: Place, text: &str) -> Option<&'static Word> {
    WORDS.iter().find(|w| w.place == place && w.text == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::attribute::AttrKind;

    #[test]
    fn words_are_known_and_versions_in_range() {
        for word in WORDS {
            let bound = word.since.max(word.until);
            assert!((OLDEST..=22).contains(&bound), "{}", word.text);
            assert_eq!(word.until == 0, word.instead.is_empty(), "{}", word.text);
            if word.place == Attribute && word.until == 0 {
                assert!(AttrKind::from_word(word.text).is_some(), "{}", word.text);
            }
            let same = WORDS.iter().filter(|w| w.place == word.place && w.text == word.text);
            assert_eq!(same.count(), 1, "{}", word.text);
        }
    }
}
