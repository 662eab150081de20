//! DPP controls: `dpp8:[...]`, `quad_perm:[...]`, `row_shl:1` and so on.

use super::{Read, bad, bad_number, bad_term};
use crate::{
    operand::{Line, Term, TermRange, Value},
    target::Target,
};

/// Numbers of a `[...]` list: exactly `n` of them, each of `bits` bits.
fn lanes(line: &Line<'_>, name: &str, value: TermRange, n: usize, bits: u32) -> Read {
    let limit = 1 << bits;
    let [Term::List(list)] = line.terms(value) else {
        let message = format!("`{name}` takes a list of {n} numbers in square brackets");
        return bad_term(message, line.terms(value).first());
    };
    let items = line.terms(*list);
    if items.len() != n {
        return bad(format!("`{name}` takes {n} numbers, found {}", items.len()));
    }
    let mut out = 0;
    for (i, item) in items.iter().enumerate() {
        match item {
            Term::Int(v) if (0..limit).contains(v) => out |= v << (bits * i as u32),
            Term::Unknown => return Read::Unknown,
            _ => {
                return bad_term(format!("`{name}` takes numbers from 0 to {}", limit - 1), Some(item));
            }
        }
    }
    Read::Value(out)
}

/// `dpp8:[7,6,5,4,3,2,1,0]`
pub(crate) fn dpp8(line: &Line<'_>, v: &Value<'_>, t: Target) -> Read {
    match v {
        Value::Named { name: "dpp8", value } if t.facts().has_dpp8 => lanes(line, "dpp8", *value, 8, 3),
        _ => Read::No,
    }
}

/// Every control.
pub(crate) const CONTROLS: &[&str] = &[
    "quad_perm",
    "row_shl",
    "row_shr",
    "row_ror",
    "row_mirror",
    "row_half_mirror",
    "row_share",
    "row_xmask",
    "row_newbcast",
    "row_bcast",
    "wave_shl",
    "wave_rol",
    "wave_shr",
    "wave_ror",
];

pub(crate) fn supported(name: &str, t: Target) -> bool {
    match name {
        "row_newbcast" => t.facts().has_row_newbcast,
        "row_share" | "row_xmask" => t.facts().has_row_share,
        "wave_shl" | "wave_shr" | "wave_rol" | "wave_ror" | "row_bcast" => t.facts().has_wave_shifts,
        "row_mirror" | "row_half_mirror" | "quad_perm" | "row_shl" | "row_shr" | "row_ror" => true,
        _ => false,
    }
}

/// Every DPP16 control.
pub(crate) fn control(line: &Line<'_>, v: &Value<'_>, t: Target) -> Read {
    let (name, value) = match v {
        Value::Word(w) => (*w, None),
        Value::Named { name, value } => (*name, Some(*value)),
        _ => return Read::No,
    };
    if !supported(name, t) {
        return Read::No;
    }
    match (name, value) {
        ("row_mirror", None) => return Read::Value(0x140),
        ("row_half_mirror", None) => return Read::Value(0x141),
        (_, None) => return bad(format!("`{name}` requires a value: `{name}:...`")),
        _ => {}
    }
    let value = value.unwrap_or_default();
    if name == "quad_perm" {
        return lanes(line, name, value, 4, 2);
    }
    let v = match super::int(line, value) {
        Read::Value(v) => v,
        other => return other,
    };
    let range = |base: i64, lo: i64, hi: i64| {
        if (lo..=hi).contains(&v) {
            Read::Value(if lo == hi { base } else { base | v })
        } else if lo == hi {
            bad_number(format!("`{name}` must be {lo}"), v)
        } else {
            bad_number(format!("`{name}` must be between {lo} and {hi}"), v)
        }
    };
    match name {
        "wave_shl" => range(0x130, 1, 1),
        "wave_rol" => range(0x134, 1, 1),
        "wave_shr" => range(0x138, 1, 1),
        "wave_ror" => range(0x13C, 1, 1),
        "row_shl" => range(0x100, 1, 15),
        "row_shr" => range(0x110, 1, 15),
        "row_ror" => range(0x120, 1, 15),
        "row_share" | "row_newbcast" => range(0x150, 0, 15),
        "row_xmask" => range(0x160, 0, 15),
        "row_bcast" => match v {
            15 => Read::Value(0x142),
            31 => Read::Value(0x143),
            _ => bad_number("`row_bcast` must be 15 or 31", v),
        },
        _ => Read::No,
    }
}

/// A control as LLVM prints it.
pub(crate) fn print(v: i64, t: Target) -> String {
    match v {
        0..=0xFF => format!("quad_perm:[{},{},{},{}]", v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3),
        0x101..=0x10F => format!("row_shl:{}", v & 15),
        0x111..=0x11F => format!("row_shr:{}", v & 15),
        0x121..=0x12F => format!("row_ror:{}", v & 15),
        0x130 => "wave_shl:1".into(),
        0x134 => "wave_rol:1".into(),
        0x138 => "wave_shr:1".into(),
        0x13C => "wave_ror:1".into(),
        0x140 => "row_mirror".into(),
        0x141 => "row_half_mirror".into(),
        0x142 => "row_bcast:15".into(),
        0x143 => "row_bcast:31".into(),
        0x150..=0x15F if t.facts().has_row_newbcast => format!("row_newbcast:{}", v & 15),
        0x150..=0x15F => format!("row_share:{}", v & 15),
        0x160..=0x16F => format!("row_xmask:{}", v & 15),
        _ => "/* Invalid dpp_ctrl value */".into(),
    }
}
