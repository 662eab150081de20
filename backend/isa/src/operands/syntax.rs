//! How the simple modifiers are written: one list for reading, printing and completing them.

use crate::tables::{
    KINDS,
    kind::{Class, Imm},
};

/// The form of a modifier that needs no syntax of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Syntax {
    /// `clamp`, and `noclamp` for 0.
    Flag(&'static str),
    /// `offset0:16`, from 0 to `max`.
    Number { name: &'static str, max: i64 },
    /// `row_mask:0xf`, from 0 to `max`. LLVM accepts greater numbers and encodes their low bits.
    Masked { name: &'static str, max: i64 },
    /// `op_sel:[0,1]`
    Bits(&'static str),
    /// `dst_sel:BYTE_0`, or the index of the word.
    Word { name: &'static str, words: &'static [&'static str] },
}

const SELECTIONS: &[&str] = &["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];
const UNUSED: &[&str] = &["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"];
const MATRIX_FORMATS: &[&str] =
    &["MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"];
const MATRIX_SCALES: &[&str] = &["MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"];
const SCALE_FORMATS: &[&str] = &["MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"];

impl Syntax {
    /// The word, or that before the `:`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Syntax::Flag(name) | Syntax::Bits(name) => name,
            Syntax::Number { name, .. } | Syntax::Masked { name, .. } | Syntax::Word { name, .. } => name,
        }
    }

    /// The form of a modifier; `None` for operands with a syntax of their own.
    pub(crate) fn of(imm: Imm) -> Option<Syntax> {
        use Syntax::{Bits, Flag, Masked, Number, Word};
        Some(match imm {
            Imm::A16 => Flag("a16"),
            Imm::Clamp => Flag("clamp"),
            Imm::D16 => Flag("d16"),
            Imm::DA => Flag("da"),
            Imm::ExpCompr => Flag("compr"),
            Imm::ExpVM => Flag("vm"),
            Imm::GDS => Flag("gds"),
            Imm::High => Flag("high"),
            Imm::LWE => Flag("lwe"),
            Imm::TFE => Flag("tfe"),
            Imm::UNorm => Flag("unorm"),
            Imm::MatrixAReuse => Flag("matrix_a_reuse"),
            Imm::MatrixBReuse => Flag("matrix_b_reuse"),
            Imm::ABID => Number { name: "abid", max: 15 },
            Imm::BLGP => Number { name: "blgp", max: 7 },
            Imm::CBSZ => Number { name: "cbsz", max: 7 },
            Imm::ByteSel => Number { name: "byte_sel", max: 3 },
            Imm::DppBoundCtrl => Number { name: "bound_ctrl", max: 1 },
            Imm::Offset0 => Number { name: "offset0", max: 255 },
            Imm::Offset1 => Number { name: "offset1", max: 255 },
            Imm::WaitEXP => Number { name: "wait_exp", max: 7 },
            Imm::WaitVAVDst => Number { name: "wait_va_vdst", max: 15 },
            Imm::WaitVDST => Number { name: "wait_vdst", max: 15 },
            Imm::WaitVMVSrc => Number { name: "wait_vm_vsrc", max: 1 },
            Imm::IndexKey8bit => Number { name: "index_key", max: 3 },
            Imm::IndexKey16bit | Imm::IndexKey32bit => Number { name: "index_key", max: 1 },
            Imm::ScaleSel => Number { name: "scale_sel", max: 15 },
            Imm::DMask => Masked { name: "dmask", max: 15 },
            Imm::BitOp3 => Masked { name: "bitop3", max: 255 },
            Imm::DppBankMask => Masked { name: "bank_mask", max: 15 },
            Imm::DppRowMask => Masked { name: "row_mask", max: 15 },
            Imm::DppFI => Masked { name: "fi", max: 1 },
            Imm::OpSel => Bits("op_sel"),
            Imm::OpSelHi => Bits("op_sel_hi"),
            Imm::NegLo => Bits("neg_lo"),
            Imm::NegHi => Bits("neg_hi"),
            Imm::SDWADstSel => Word { name: "dst_sel", words: SELECTIONS },
            Imm::SDWASrc0Sel => Word { name: "src0_sel", words: SELECTIONS },
            Imm::SDWASrc1Sel => Word { name: "src1_sel", words: SELECTIONS },
            Imm::SDWADstUnused => Word { name: "dst_unused", words: UNUSED },
            Imm::MatrixAFMT => Word { name: "matrix_a_fmt", words: MATRIX_FORMATS },
            Imm::MatrixBFMT => Word { name: "matrix_b_fmt", words: MATRIX_FORMATS },
            Imm::MatrixAScale => Word { name: "matrix_a_scale", words: MATRIX_SCALES },
            Imm::MatrixBScale => Word { name: "matrix_b_scale", words: MATRIX_SCALES },
            Imm::MatrixAScaleFmt => Word { name: "matrix_a_scale_fmt", words: SCALE_FORMATS },
            Imm::MatrixBScaleFmt => Word { name: "matrix_b_scale_fmt", words: SCALE_FORMATS },
            Imm::CPol
            | Imm::DPP8
            | Imm::DPPCtrl
            | Imm::DepCtr
            | Imm::Dim
            | Imm::Endpgm
            | Imm::ExpTgt
            | Imm::FORMAT
            | Imm::FlatOffset
            | Imm::GPRIdxMode
            | Imm::Hwreg
            | Imm::InterpAttr
            | Imm::InterpSlot
            | Imm::OModSI
            | Imm::Offset
            | Imm::OptSMEMOffsetMod
            | Imm::R128A16
            | Imm::SDelayALU
            | Imm::SMEMOffsetMod
            | Imm::SWaitCnt
            | Imm::SendMsg
            | Imm::Swizzle
            | Imm::WaitEvent => return None,
        })
    }
}

/// The word of a modifier's value; `None` for modifiers without words.
pub(crate) fn word(imm: Imm, value: i64) -> Option<&'static str> {
    let Some(Syntax::Word { words, .. }) = Syntax::of(imm) else { return None };
    words.get(usize::try_from(value).ok()?).copied()
}

/// The words that can follow `name:`, in the order of their numbers.
pub(crate) fn words_of(name: &str) -> Option<&'static [&'static str]> {
    KINDS.iter().find_map(|kind| match kind.class {
        Class::Imm(imm) => match Syntax::of(imm) {
            Some(Syntax::Word { name: n, words }) if n == name => Some(words),
            _ => None,
        },
        _ => None,
    })
}
