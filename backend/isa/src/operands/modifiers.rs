//! Named modifiers: bare flags, `name:number`, `name:[bits]` and the small families that need no file of their own.

use super::{
    Read, bad, bad_number, bad_term, dpp, export, hwreg, int, sendmsg, swizzle, syntax::Syntax, unknown_word,
    wait,
};
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
            bad_number(format!("`{name}` must be between 0 and {}", limit - 1), x)
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
    let [Term::List(list)] = line.terms(*value) else {
        let message = format!("`{name}` takes a list of bits such as `[0,1]`");
        return bad_term(message, line.terms(*value).first());
    };
    let items = line.terms(*list);
    if items.is_empty() || items.len() > 4 {
        return bad(format!("`{name}` takes one to four bits, found {}", items.len()));
    }
    let mut out = 0;
    for (i, item) in items.iter().enumerate() {
        match item {
            Term::Int(b @ 0..=1) => out |= b << i,
            Term::Unknown => return Read::Unknown,
            _ => return bad_term(format!("`{name}` takes bits: 0 or 1"), Some(item)),
        }
    }
    Read::Value(out)
}

/// `name:WORD` or `name:number`, where the words count from 0.
fn choice(line: &Line<'_>, v: &Value<'_>, name: &str, words: &[&'static str]) -> Read {
    let Value::Named { name: n, value } = v else { return Read::No };
    if *n != name {
        return Read::No;
    }
    match line.terms(*value) {
        [Term::Word(w)] => match words.iter().position(|x| x == w) {
            Some(i) => Read::Value(i as i64),
            None => unknown_word(format!("unknown value `{w}` of `{name}`"), words.iter().copied()),
        },
        [Term::Int(i)] if (0..words.len() as i64).contains(i) => Read::Value(*i),
        [Term::Unknown] => Read::Unknown,
        terms => bad_term(format!("`{name}` takes one of {}", words.join(", ")), terms.first()),
    }
}

/// Dimensions by number.
pub(crate) const DIMS: [&str; 8] =
    ["1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"];

fn dim(line: &Line<'_>, v: &Value<'_>, t: Target) -> Read {
    let Value::Named { name: "dim", value } = v else { return Read::No };
    if !t.facts().has_image_dim {
        return Read::No;
    }
    match line.terms(*value) {
        [Term::Word(w)] => {
            let short = w.strip_prefix("SQ_RSRC_IMG_").unwrap_or(w);
            match DIMS.iter().position(|d| *d == short) {
                Some(i) => Read::Value(i as i64),
                None => unknown_word(format!("unknown image dimension `{w}`"), DIMS),
            }
        }
        [Term::Unknown] => Read::Unknown,
        terms => bad_term("expected an image dimension such as SQ_RSRC_IMG_2D", terms.first()),
    }
}

/// A number below `limit`, or the call `name`, whose arguments `read` reads.
fn number_or_call(v: &Value<'_>, name: &str, limit: i64, read: impl Fn(TermRange) -> Read) -> Read {
    match v {
        Value::Float(bits) if (0..limit).contains(&of_expression(*bits)) => Read::Value(of_expression(*bits)),
        Value::Int(x) if (0..limit).contains(x) => Read::Value(*x),
        Value::Int(x) => bad_number(format!("the number must be between 0 and {}", limit - 1), *x),
        Value::Unknown => Read::Unknown,
        Value::Call { name: n, args } if *n == name => read(*args),
        _ => Read::No,
    }
}

pub(crate) const INDEX_MODES: [&str; 4] = ["SRC0", "SRC1", "SRC2", "DST"];

fn gpr_idx(line: &Line<'_>, args: TermRange) -> Read {
    let mut out = 0;
    for term in line.terms(args) {
        let mode = match term {
            Term::Word(word) => INDEX_MODES.iter().position(|mode| mode == word),
            Term::Unknown => return Read::Unknown,
            _ => None,
        };
        match mode {
            Some(mode) if out & (1 << mode) == 0 => out |= 1 << mode,
            Some(mode) => return bad(format!("duplicate mode `{}` of gpr_idx", INDEX_MODES[mode])),
            None => return bad_term("expected modes of gpr_idx: SRC0, SRC1, SRC2 or DST", Some(term)),
        }
    }
    Read::Value(out)
}

/// The index mode as a call; a number where it has other bits.
pub(crate) fn print_gpr_idx(v: i64) -> String {
    if v & !15 != 0 {
        return format!("{v:#x}");
    }
    let modes: Vec<&str> =
        INDEX_MODES.iter().enumerate().filter(|(i, _)| v >> i & 1 == 1).map(|(_, mode)| *mode).collect();
    format!("gpr_idx({})", modes.join(","))
}

/// What a floating-point number is in an expression: the bits of a double, of which a sign makes the negative number.
pub(crate) fn of_expression(bits: u64) -> i64 {
    const SIGN: u64 = 1 << 63;
    match bits & SIGN == 0 {
        true => bits as i64,
        false => ((bits & !SIGN) as i64).wrapping_neg(),
    }
}

/// A wait operand: a number or joined calls.
fn number_or_calls<'a>(
    line: &Line<'a>,
    operands: &[Operand<'a>],
    calls: impl Fn(&Line<'a>, &[Operand<'a>]) -> Read,
) -> (Read, usize) {
    match operands.first().map(|o| o.value) {
        Some(Value::Int(v)) => (Read::Value(v), 1),
        Some(Value::Float(bits)) => (Read::Value(of_expression(bits)), 1),
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
    let rest = line.operands.get(at..).unwrap_or(&[]);
    match imm {
        Imm::SWaitCnt => number_or_calls(line, rest, |l, o| wait::waitcnt(l, o, t)),
        Imm::SDelayALU => number_or_calls(line, rest, wait::delay),
        Imm::DepCtr => match number_or_calls(line, rest, |l, o| wait::depctr(l, o, t)) {
            (Read::Value(x), n) if !(-0x8000..=0xFFFF).contains(&x) => {
                (bad_term("expected a 16-bit number", Some(&Term::Int(x))), n)
            }
            other => other,
        },
        _ => (read_value(imm, line, &o.value, t), 1),
    }
}

fn read_value(imm: Imm, line: &Line<'_>, v: &Value<'_>, t: Target) -> Read {
    match imm {
        Imm::A16 if t.facts().has_a16_for_r128 || !t.has(feature::A16) => Read::No,
        Imm::R128A16 => match flag(v, "r128") {
            Read::Value(x) if t.has(feature::MIMG_R128) => Read::Value(x),
            _ if t.facts().has_a16_for_r128 && (t.has(feature::A16) || t.has(feature::R128_A16)) => {
                flag(v, "a16")
            }
            _ => Read::No,
        },
        Imm::DppBoundCtrl => match below(line, v, "bound_ctrl", 2) {
            Read::Value(x) => Read::Value(if t.facts().bound_ctrl_is_bit { x } else { 1 }),
            other => other,
        },
        Imm::BLGP => match below(line, v, "blgp", 8) {
            Read::No => bits(line, v, "neg"),
            other => other,
        },
        Imm::Offset | Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod => named(line, v, "offset"),
        Imm::FlatOffset => match named(line, v, "offset") {
            Read::No => named(line, v, "inst_offset"),
            other => other,
        },
        Imm::OModSI => output_modifier(line, v),
        Imm::Dim => dim(line, v, t),
        Imm::DPP8 => dpp::dpp8(line, v, t),
        Imm::DPPCtrl => dpp::control(line, v, t),
        Imm::Swizzle => swizzle::offset(line, v, t),
        Imm::Hwreg => number_or_call(v, "hwreg", 0x1_0000, |a| hwreg::call(line, a, t)),
        Imm::SendMsg => number_or_call(v, "sendmsg", 0x1_0000, |a| sendmsg::call(line, a, t)),
        Imm::GPRIdxMode => number_or_call(v, "gpr_idx", 16, |a| gpr_idx(line, a)),
        Imm::WaitEvent => number_or_call(v, "event", 0x1_0000, |a| wait::event(line, a)),
        Imm::Endpgm => number_or_call(v, "", 0x1_0000, |_| Read::No),
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
        _ => match Syntax::of(imm) {
            Some(Syntax::Flag(name)) => flag(v, name),
            Some(Syntax::Number { name, max }) => below(line, v, name, max + 1),
            Some(Syntax::Masked { name, .. }) => named(line, v, name),
            Some(Syntax::Bits(name)) => bits(line, v, name),
            Some(Syntax::Word { name, words }) => choice(line, v, name, words),
            // cache policies, formats and attributes are read while the operands are prepared
            None => Read::No,
        },
    }
}

/// `mul:2`, `mul:4` or `div:2`.
fn output_modifier(line: &Line<'_>, v: &Value<'_>) -> Read {
    match named(line, v, "mul") {
        Read::Value(1) => Read::Value(0),
        Read::Value(2) => Read::Value(1),
        Read::Value(4) => Read::Value(2),
        Read::Value(x) => bad_number("`mul` must be 1, 2 or 4", x),
        Read::No => match named(line, v, "div") {
            Read::Value(1) => Read::Value(0),
            Read::Value(2) => Read::Value(3),
            Read::Value(x) => bad_number("`div` must be 1 or 2", x),
            other => other,
        },
        other => other,
    }
}
