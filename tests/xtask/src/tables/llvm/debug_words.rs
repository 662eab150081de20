//! Words that debug-info metadata may name.

use std::collections::BTreeSet;

use super::NOTE;
use crate::Outcome;
use crate::repository::read_text;
use crate::tables::{Made, Sources, places};

/// The words of `llvm/BinaryFormat/Dwarf.def` and `llvm/IR/DebugInfoFlags.def` that metadata may name.
pub(crate) fn make(sources: &Sources) -> Outcome<Made> {
    let mut words = BTreeSet::new();
    for (file, prefixes) in [
        (
            "llvm/BinaryFormat/Dwarf.def",
            &[
                ("HANDLE_DW_TAG(", "DW_TAG_"),
                ("HANDLE_DW_OP(", "DW_OP_"),
                ("HANDLE_DW_ATE(", "DW_ATE_"),
                ("HANDLE_DW_LANG(", "DW_LANG_"),
                ("HANDLE_DW_LNAME(", "DW_LNAME_"),
                ("HANDLE_DW_CC(", "DW_CC_"),
                ("HANDLE_DW_VIRTUALITY(", "DW_VIRTUALITY_"),
                ("HANDLE_DW_APPLE_ENUM_KIND(", "DW_APPLE_ENUM_KIND_"),
            ][..],
        ),
        (
            "llvm/IR/DebugInfoFlags.def",
            &[("HANDLE_DI_FLAG(", "DIFlag"), ("HANDLE_DISP_FLAG(", "DISPFlag")][..],
        ),
    ] {
        for line in read_text(&sources.llvm_include.join(file))?.lines() {
            for (macro_name, prefix) in prefixes {
                let Some(arguments) = line.strip_prefix(macro_name) else { continue };
                let name = arguments.split(',').nth(1).unwrap_or("").trim_matches([' ', ')']);
                let name = name.split(')').next().unwrap_or("");
                // `Zero` is not a flag, and `Largest` is only a limit.
                if !(prefix.ends_with("Flag") && matches!(name, "Zero" | "Largest")) {
                    words.insert(format!("{prefix}{name}"));
                }
            }
        }
    }
    // Words that LLVM defines outside its lists.
    for word in [
        "convert",
        "fragment",
        "tag_offset",
        "entry_value",
        "implicit_pointer",
        "arg",
        "extract_bits_sext",
        "extract_bits_zext",
    ] {
        words.insert(format!("DW_OP_LLVM_{word}"));
    }
    for word in ["define", "undef", "start_file", "end_file", "vendor_ext"] {
        words.insert(format!("DW_MACINFO_{word}"));
    }
    let list: Vec<_> = words.iter().map(|w| format!("    \"{w}\",\n")).collect();
    let made = format!(
        "//! Words that debug-info metadata may name, sorted.\n//!\n//! {NOTE}\n\n#[rustfmt::skip]\npub(super) static WORDS: &[&str] = &[\n{}];\n",
        list.concat()
    );
    Ok(Made::new(places::LLVM, "debug_word_data.rs", made))
}
