//! The sizes (bytes, unless they say another) from which on a text is read in another way, each with what it saves and the test of
//! both sides. Everything else is done in one way whatever the size; limits of what is shown are next to what they limit.

use crate::Dialect;

/// A text is split by two cores: one takes 20 ms for 36 MiB.
///
/// Both ways: `large_texts_are_split_as_others`.
pub const SPLIT: usize = 4 << 20;

/// A text's chunks do not hold the ranges that only findings need, which in SPIR-V are as large as the text.
///
/// Both ways: `chunks_without_ranges_have_the_same_findings`.
pub const WITHOUT_RANGES: usize = 4 << 20;

/// Functions are lowered when they are checked, and not all held at once: a lowered form takes about eight times its text.
///
/// Both ways: `outlined_chunks_are_checked_as_others`.
pub const fn outlined(dialect: Dialect) -> usize {
    match dialect {
        // To outline short functions takes half as long as to check them.
        Dialect::Llvm => 16 << 20,
        // They are lowered twice.
        Dialect::Mir | Dialect::Spirv => 64 << 20,
        // Not all tokens are held.
        Dialect::Amdgpu => 4 << 20,
    }
}

/// So many chunks are lowered again rather than held, whatever they are: functions that are not closed have no outline.
///
/// Both ways: `outlined_chunks_are_checked_as_others`.
pub const OUTLINED_CHUNKS: usize = 1 << 18;

/// The editor looks at a file as a whole after a pause, and not after every edit, where chunks do not show all that is wrong with it:
/// 128 KiB take about 4 ms.
///
/// Both ways: `large_files_are_looked_at_after_a_pause`.
pub const AFTER_A_PAUSE: usize = 128 << 10;

/// Addresses and registers of a file of assembly are not held for hovers and hints: they take about 20 times its size.
///
/// Both ways: `very_large_files_hold_no_registers`.
pub const WITHOUT_REGISTERS: usize = 8 << 20;

/// Of a larger function of assembly only the chunk is assembled for what is shown at one place of a file that was just edited: 64 KiB take
/// about 2 ms.
///
/// Both ways: `what_is_live_in_a_large_function_is_not_known_at_once`.
pub const FUNCTION: usize = 64 << 10;

/// Of a larger function of LLVM IR only the lines around an offset are parsed to find its token: 4 KiB take about 0.1 ms.
///
/// Both ways: `a_part_of_a_function_has_the_tokens_of_the_whole`.
pub const TREE: u32 = 4 << 10;

/// Of a larger module of SPIR-V the words of one instruction show ids by name, because to number them all of it is assembled: 256 KiB
/// take about 5 ms.
///
/// Both ways: `words_of_a_large_module_name_their_ids`.
pub const WORDS: usize = 256 << 10;

/// Edits are not tried before they are offered, if so much text would be checked: 2 MiB take about 60 ms.
///
/// Both ways: `actions_in_large_files_are_not_tried`.
pub const TRIED_ACTIONS: usize = 2 << 20;

/// Completions are not tried before they are offered: 512 KiB take about 15 ms each.
///
/// Both ways: `completions_in_large_files_are_not_tried`.
pub const TRIED_COMPLETIONS: usize = 512 << 10;

/// Chunks in a row are checked and verified together, as a bundle of about this size: each bundle of a file costs an edit the look at what
/// is known of it, about as long as to check some lines again. Up to 4 MiB that is 4 KiB; of a larger file it grows with the square root of
/// the size, and so do what an edit checks again and how many bundles it looks at.
///
/// Both ways: `bundles_grow_with_the_root_of_the_size`.
pub const fn bundle(length: usize) -> usize {
    let grown = 2 * length.isqrt();
    if grown > (4 << 10) { grown } else { 4 << 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_grow_with_the_root_of_the_size() {
        assert_eq!([0, 1 << 20, 4 << 20].map(bundle), [4 << 10; 3]);
        assert_eq!([16 << 20, 36 << 20, 64 << 20].map(bundle), [8 << 10, 12 << 10, 16 << 10]);
    }
}
