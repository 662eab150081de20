//! Named modifiers: bare flags, `name:number`, `name:[bits]` and the small families that need no file of their own.

use super::{Read, bad, dpp, export, hwreg, int, sendmsg, swizzle, wait};
use crate::register::{Reg, Special};
use crate::{
    operand::{Line, Operand, Term, TermRange, Value},
    tables::{feature, kind::Imm},
    target::Target,
};

/// A bare word, with `no` before it for off.
fn flag(v: &Value<'_>, name: &str) -> Read {
    match v {
        Value::Word(w) if *w == name => Read::Value(1),
        Value::Word(w) if w.strip_prefix("no") == Some(name) => Read::Value(0),
        _ => Read::No,
    }
}

/// `name:number`
fn named(line: &Line<'_>, v: &Value<'_>, name: &str) -> Read {
    match v {
        Value::Named { name: n, value } if *n == name => int(line, *value),
        _ => Read::No,
    }
}

/// `name:number` below `limit`.
fn below(line: &Line<'_>, v: &Value<'_>, name: &str, limit: i64) -> Read {
    match named(line, v, name) {
        Read::Value(x) if !(0..limit).contains(&x) => {
            bad(format!("`{name}` must be between 0 and {}, is {x}", limit - 1))
        }
        other => other,
    }
}

/// `name:[0,1]`, one to four bits.
fn bits(line: &Line<'_>, v: &Value<'_>, name: &str) -> Read {
    let Value::Named { name: n, value } = v else { return Read::No };
    if *n != name {
        return Read::No;
    }
    let [Term::List(list)] = line.terms(*value) else { return bad(format!("`{name}` takes a list of bits")) };
    let items = line.terms(*list);
    if items.is_empty() || items.len() > 4 {
        return bad(format!("`{name}` takes one to four bits"));
    }
    let mut out = 0;
    for (i, item) in items.iter().enumerate() {
        match item {
            Term::Int(b @ 0..=1) => out |= b << i,
            Term::Unknown => return Read::Unknown,
            _ => return bad(format!("`{name}` takes bits: 0 or 1")),
        }
    }
    Read::Value(out)
}

/// `name:WORD` or `name:number`, where the words count from 0.
fn choice(line: &Line<'_>, v: &Value<'_>, name: &str, words: &[&str]) -> Read {
    let Value::Named { name: n, value } = v else { return Read::No };
    if *n != name {
        return Read::No;
    }
    match line.terms(*value) {
        [Term::Word(w)] => match words.iter().position(|x| x == w) {
            Some(i) => Read::Value(i as i64),
            None => bad(format!("unknown value `{w}` of `{name}`; expected one of {}", words.join(", "))),
        },
        [Term::Int(i)] if (0..words.len() as i64).contains(i) => Read::Value(*i),
        [Term::Unknown] => Read::Unknown,
        _ => bad(format!("`{name}` takes one of {}", words.join(", "))),
    }
}

const SELECTS: [&str; 7] = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];
const UNUSED: [&str; 3] = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"];

/// Dimensions by number.
pub(crate) const DIMS: [&str; 8] =
    ["1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"];

fn dim(line: &Line<'_>, v: &Value<'_>, t: Target) -> Read {
    let Value::Named { name: "dim", value } = v else { return Read::No };
    if t.major() < 10 {
        return Read::No;
    }
    match line.terms(*value) {
        [Term::Word(w)] => {
            let short = w.strip_prefix("SQ_RSRC_IMG_").unwrap_or(w);
            match DIMS.iter().position(|d| *d == short) {
                Some(i) => Read::Value(i as i64),
                None => bad(format!("unknown image dimension `{w}`")),
            }
        }
        [Term::Unknown] => Read::Unknown,
        _ => bad("expected an image dimension such as SQ_RSRC_IMG_2D"),
    }
}

/// A plain number, or a call by `read`.
fn number_or(
    line: &Line<'_>,
    v: &Value<'_>,
    name: &str,
    limit: i64,
    read: impl Fn(TermRange) -> Read,
) -> Read {
    match v {
        Value::Int(x) if (0..limit).contains(x) => Read::Value(*x),
        Value::Int(_) => bad(format!("the number must be between 0 and {}", limit - 1)),
        Value::Unknown => Read::Unknown,
        Value::Call { name: n, args } if *n == name => read(*args),
        _ => {
            let _ = line;
            Read::No
        }
    }
}

pub(crate) const INDEX_MODES: [&str; 4] = ["SRC0", "SRC1", "SRC2", "DST"];

fn gpr_idx(line: &Line<'_>, args: TermRange) -> Read {
    let mut out = 0;
    for term in line.terms(args) {
        let bit = match term {
            Term::Word(w) => INDEX_MODES.iter().position(|m| m == w).map(|i| 1 << i),
            Term::Unknown => return Read::Unknown,
            _ => None,
        };
        match bit {
            Some(b) if out & b == 0 => out |= b,
            Some(_) => return bad("duplicate mode of gpr_idx"),
            None => return bad("expected modes of gpr_idx: SRC0, SRC1, SRC2 or DST"),
        }
    }
    Read::Value(out)
}

/// A wait operand: a number or joined calls.
fn joined<'a>(
    line: &Line<'a>,
    operands: &[Operand<'a>],
    calls: impl Fn(&Line<'a>, &[Operand<'a>]) -> Read,
) -> (Read, usize) {
    match operands.first().map(|o| o.value) {
        Some(Value::Int(v)) => (Read::Value(v), 1),
        Some(Value::Unknown) => (Read::Unknown, 1),
        Some(Value::Call { .. }) => (calls(line, operands), operands.len()),
        _ => (Read::No, 1),
    }
}

/// Reads the operand at `at` as `imm`. The second part is how many operands it took.
pub(crate) fn read(imm: Imm, line: &Line<'_>, at: usize, t: Target) -> (Read, usize) {
    let Some(o) = line.operands.get(at) else { return (Read::No, 1) };
    if o.mods != crate::operand::Mods::NONE {
        return (Read::No, 1);
    }
    let v = &o.value;
    let rest = line.operands.get(at..).unwrap_or(&[]);
    let r = match imm {
        Imm::SWaitCnt => return joined(line, rest, |l, o| wait::waitcnt(l, o, t)),
        Imm::DepCtr => {
            let (r, n) = joined(line, rest, |l, o| wait::depctr(l, o, t));
            let r = match r {
                Read::Value(x) if !(-0x8000..=0xFFFF).contains(&x) => bad("expected a 16-bit number"),
                r => r,
            };
            return (r, n);
        }
        Imm::SDelayALU => return joined(line, rest, wait::delay),
        Imm::A16 => match flag(v, "a16") {
            Read::Value(x) if t.major() != 9 && t.has(feature::A16) => Read::Value(x),
            _ => Read::No,
        },
        Imm::R128A16 => match flag(v, "r128") {
            Read::Value(x) if t.has(feature::MIMG_R128) => Read::Value(x),
            _ => match flag(v, "a16") {
                Read::Value(x) if t.major() == 9 && (t.has(feature::A16) || t.has(feature::R128_A16)) => {
                    Read::Value(x)
                }
                _ => Read::No,
            },
        },
        Imm::Clamp => flag(v, "clamp"),
        Imm::D16 => flag(v, "d16"),
        Imm::DA => flag(v, "da"),
        Imm::ExpCompr => flag(v, "compr"),
        Imm::ExpVM => flag(v, "vm"),
        Imm::GDS => flag(v, "gds"),
        Imm::High => flag(v, "high"),
        Imm::LWE => flag(v, "lwe"),
        Imm::TFE => flag(v, "tfe"),
        Imm::UNorm => flag(v, "unorm"),
        Imm::MatrixAReuse => flag(v, "matrix_a_reuse"),
        Imm::MatrixBReuse => flag(v, "matrix_b_reuse"),
        Imm::ABID => below(line, v, "abid", 16),
        Imm::CBSZ => below(line, v, "cbsz", 8),
        Imm::DMask => named(line, v, "dmask"),
        Imm::ByteSel => below(line, v, "byte_sel", 4),
        Imm::BitOp3 => named(line, v, "bitop3"),
        Imm::DppBankMask => named(line, v, "bank_mask"),
        Imm::DppRowMask => named(line, v, "row_mask"),
        Imm::DppFI => named(line, v, "fi"),
        Imm::DppBoundCtrl => match below(line, v, "bound_ctrl", 2) {
            Read::Value(x) => Read::Value(if t.major() >= 11 { x } else { 1 }),
            other => other,
        },
        Imm::Offset | Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod => named(line, v, "offset"),
        Imm::FlatOffset => match named(line, v, "offset") {
            Read::No => named(line, v, "inst_offset"),
            other => other,
        },
        Imm::Offset0 => below(line, v, "offset0", 256),
        Imm::Offset1 => below(line, v, "offset1", 256),
        Imm::WaitEXP => below(line, v, "wait_exp", 8),
        Imm::WaitVAVDst => below(line, v, "wait_va_vdst", 16),
        Imm::WaitVDST => below(line, v, "wait_vdst", 16),
        Imm::WaitVMVSrc => below(line, v, "wait_vm_vsrc", 2),
        Imm::OpSel => bits(line, v, "op_sel"),
        Imm::OpSelHi => bits(line, v, "op_sel_hi"),
        Imm::NegLo => bits(line, v, "neg_lo"),
        Imm::NegHi => bits(line, v, "neg_hi"),
        Imm::BLGP => match below(line, v, "blgp", 8) {
            Read::No => bits(line, v, "neg"),
            other => other,
        },
        Imm::IndexKey8bit => below(line, v, "index_key", 4),
        Imm::IndexKey16bit | Imm::IndexKey32bit => below(line, v, "index_key", 2),
        Imm::OModSI => match named(line, v, "mul") {
            Read::Value(1) => Read::Value(0),
            Read::Value(2) => Read::Value(1),
            Read::Value(4) => Read::Value(2),
            Read::Value(_) => bad("`mul` takes 1, 2 or 4"),
            Read::No => match named(line, v, "div") {
                Read::Value(1) => Read::Value(0),
                Read::Value(2) => Read::Value(3),
                Read::Value(_) => bad("`div` takes 1 or 2"),
                other => other,
            },
            other => other,
        },
        Imm::SDWADstSel => choice(line, v, "dst_sel", &SELECTS),
        Imm::SDWASrc0Sel => choice(line, v, "src0_sel", &SELECTS),
        Imm::SDWASrc1Sel => choice(line, v, "src1_sel", &SELECTS),
        Imm::SDWADstUnused => choice(line, v, "dst_unused", &UNUSED),
        Imm::MatrixAFMT => choice(line, v, "matrix_a_fmt", &FMTS),
        Imm::MatrixBFMT => choice(line, v, "matrix_b_fmt", &FMTS),
        Imm::MatrixAScale => choice(line, v, "matrix_a_scale", &SCALES),
        Imm::MatrixBScale => choice(line, v, "matrix_b_scale", &SCALES),
        Imm::MatrixAScaleFmt => choice(line, v, "matrix_a_scale_fmt", &SCALE_FMTS),
        Imm::MatrixBScaleFmt => choice(line, v, "matrix_b_scale_fmt", &SCALE_FMTS),
        Imm::ScaleSel => below(line, v, "scale_sel", 16),
        Imm::Dim => dim(line, v, t),
        Imm::DPP8 => dpp::dpp8(line, v, t),
        Imm::DPPCtrl => dpp::control(line, v, t),
        Imm::Swizzle => swizzle::offset(line, v, t),
        Imm::Hwreg => number_or(line, v, "hwreg", 0x1_0000, |a| hwreg::call(line, a, t)),
        Imm::SendMsg => number_or(line, v, "sendmsg", 0x1_0000, |a| sendmsg::call(line, a, t)),
        Imm::GPRIdxMode => number_or(line, v, "gpr_idx", 16, |a| gpr_idx(line, a)),
        Imm::Endpgm => number_or(line, v, "", 0x1_0000, |_| Read::No),
        Imm::InterpSlot => match v {
            Value::Word("p10") => Read::Value(0),
            Value::Word("p20") => Read::Value(1),
            Value::Word("p0") => Read::Value(2),
            _ => Read::No,
        },
        Imm::ExpTgt => match v {
            Value::Word(w) => export::target(w, t),
            // as a word it is a register
            Value::Reg(r) if *r == Reg::special(Special::Null, 1) => export::target("null", t),
            _ => Read::No,
        },
        // read while the operands are prepared
        Imm::CPol | Imm::FORMAT | Imm::InterpAttr => Read::No,
    };
    (r, 1)
}

const FMTS: [&str; 5] =
    ["MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"];
const SCALES: [&str; 2] = ["MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"];
const SCALE_FMTS: [&str; 3] = ["MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"];

/// The words that can follow `name:`, in the order of their numbers.
pub(crate) fn words_of(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "dst_sel" | "src0_sel" | "src1_sel" => &SELECTS,
        "dst_unused" => &UNUSED,
        "matrix_a_fmt" | "matrix_b_fmt" => &FMTS,
        "matrix_a_scale" | "matrix_b_scale" => &SCALES,
        "matrix_a_scale_fmt" | "matrix_b_scale_fmt" => &SCALE_FMTS,
        _ => return None,
    })
}

/// The word of a matrix operand's value.
pub(crate) fn matrix_word(imm: Imm, v: i64) -> Option<&'static str> {
    let list: &[&'static str] = match imm {
        Imm::MatrixAFMT | Imm::MatrixBFMT => &FMTS,
        Imm::MatrixAScale | Imm::MatrixBScale => &SCALES,
        Imm::MatrixAScaleFmt | Imm::MatrixBScaleFmt => &SCALE_FMTS,
        Imm::SDWADstSel | Imm::SDWASrc0Sel | Imm::SDWASrc1Sel => &SELECTS,
        Imm::SDWADstUnused => &UNUSED,
        _ => return None,
    };
    list.get(usize::try_from(v).ok()?).copied()
}
