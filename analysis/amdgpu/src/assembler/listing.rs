//! Text of AMD's disassembler: what it writes in another way than LLVM's assembler reads.

use wavelens_isa as isa;

use super::Assembler;
use super::program::Instruction;
use wavelens_base::{TextRange, TextSize};

/// `VALU_DEP_1` of `INSTID_VALU_DEP_1`, and `NEXT` of `INSTSKIP_NEXT`.
pub(super) fn plain_word(word: &str) -> &str {
    ["INSTID_", "INSTSKIP_"].iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word)
}

impl Assembler<'_> {
    /// The instruction that the comment of a listed line has the encoding of: `// 000000000008: BE801F80`.
    pub(super) fn listed(&self, text: &str, name: &str, start: TextSize, offset: u64) -> Option<Instruction> {
        let target = self.target.filter(|_| self.expansions.is_empty())?;
        let line = text.get(usize::from(start)..)?.lines().next()?;
        let (code, comment) = line.rsplit_once("//")?;
        let words = comment.split_once(':')?.1.split_whitespace();
        let words = words.map(|word| u32::from_str_radix(word, 16).ok()).collect::<Option<Vec<u32>>>()?;
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let found = isa::decode(target, &bytes).filter(|found| found.len == bytes.len())?;
        let printed = isa::print(target, &found.inst);
        let suffix = printed.split_whitespace().next()?.strip_prefix(name)?;
        let range = TextRange::at(start, TextSize::of(code.trim_end()));
        let encoded = isa::Packed::decoded(&found.inst, &bytes);
        let is_same = suffix.is_empty() || suffix.starts_with("_e");
        is_same.then_some(Instruction { encoded, range, offset, nested: false, symbol: None })
    }
}
