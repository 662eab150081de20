//! Formats of typed buffer instructions: `format:`, `dfmt:`, `nfmt:` and their names.

use super::{Read, bad, bad_number, bad_term};
use crate::{
    operand::{Line, Term, TermRange},
    target::Target,
};

const DATA: [&str; 16] = [
    "INVALID",
    "8",
    "16",
    "8_8",
    "32",
    "16_16",
    "10_11_11",
    "11_11_10",
    "10_10_10_2",
    "2_10_10_10",
    "8_8_8_8",
    "32_32",
    "16_16_16_16",
    "32_32_32",
    "32_32_32_32",
    "RESERVED_15",
];
const NUMERIC: [&str; 8] = ["UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "", "FLOAT"];

const ALL: &str = "0123457";
const INT: &str = "012345";
const WIDE: &str = "457";

/// Unified formats in order: data format, and the numeric formats it comes with. The two gfx10 families differ in the
/// packed formats.
fn unified(t: Target) -> impl Iterator<Item = (usize, usize)> {
    let has_fewer = t.facts().has_fewer_packed_formats;
    let rows: [(usize, &str); 14] = [
        (1, INT),
        (2, ALL),
        (3, INT),
        (4, WIDE),
        (5, ALL),
        (6, if has_fewer { "7" } else { ALL }),
        (7, if has_fewer { "7" } else { ALL }),
        (8, if has_fewer { "0145" } else { INT }),
        (9, INT),
        (10, INT),
        (11, WIDE),
        (12, ALL),
        (13, WIDE),
        (14, WIDE),
    ];
    std::iter::once((0, 0))
        .chain(rows.into_iter().flat_map(|(d, ns)| ns.bytes().map(move |n| (d, usize::from(n - b'0')))))
}

fn data(name: &str) -> Option<usize> {
    let rest = name.strip_prefix("BUF_DATA_FORMAT_")?;
    DATA.iter().position(|d| *d == rest)
}

fn numeric_name(i: usize, t: Target) -> &'static str {
    match i {
        6 => t.facts().numeric_format_6,
        _ => NUMERIC.get(i).copied().unwrap_or(""),
    }
}

fn numeric(name: &str, t: Target) -> Option<usize> {
    let rest = name.strip_prefix("BUF_NUM_FORMAT_")?;
    (0..8).find(|&i| !rest.is_empty() && numeric_name(i, t) == rest)
}

fn unified_name(d: usize, n: usize) -> String {
    if d == 0 { "BUF_FMT_INVALID".to_owned() } else { format!("BUF_FMT_{}_{}", DATA[d & 15], NUMERIC[n & 7]) }
}

/// What stands for no `format:` at all.
pub(crate) fn default(t: Target) -> i64 {
    if t.facts().has_unified_formats { 1 } else { split(1, 0) }
}

/// Data and numeric format in one number, as before gfx10.
pub(crate) fn split(dfmt: i64, nfmt: i64) -> i64 {
    (dfmt & 15) | (nfmt & 7) << 4
}

/// `format:` with a number or names in brackets.
pub(crate) fn format(line: &Line<'_>, value: TermRange, t: Target) -> Read {
    let limit = 127;
    match line.terms(value) {
        [Term::Int(v)] if (0..=limit).contains(v) => Read::Value(*v),
        [Term::Int(v)] => bad_number(format!("`format` must be between 0 and {limit}"), *v),
        [Term::Unknown] => Read::Unknown,
        [Term::List(list)] => names(line, *list, t),
        terms => bad_term("expected a format number, or format names in square brackets", terms.first()),
    }
}

fn names(line: &Line<'_>, list: TermRange, t: Target) -> Read {
    let terms = line.terms(list);
    let [Term::Word(first), rest @ ..] = terms else {
        return bad_term("expected the name of a format", terms.first());
    };
    for major in [10, 11] {
        let known = unified_of(major).any(|(d, n)| unified_name(d, n) == *first);
        if known && !t.facts().has_unified_formats {
            return bad(format!("`{first}` is a unified format, which exists on gfx10 and later"));
        }
    }
    if let Some(i) = unified(t).position(|(d, n)| unified_name(d, n) == *first) {
        return if rest.is_empty() {
            Read::Value(i as i64)
        } else {
            bad("`format` takes one unified format, found two")
        };
    }
    let (mut d, mut n) = (None, None);
    for term in terms {
        let Term::Word(w) = term else { return bad_term("expected the name of a format", Some(term)) };
        if let Some(i) = data(w) {
            if d.replace(i).is_some() {
                return bad("`format` takes one data format, found two");
            }
        } else if let Some(i) = numeric(w, t) {
            if n.replace(i).is_some() {
                return bad("`format` takes one numeric format, found two");
            }
        } else {
            return bad(format!("unknown format `{w}` on {}", t));
        }
    }
    if terms.len() > 2 {
        return bad(format!("expected one data format and one numeric format, found {} names", terms.len()));
    }
    let (d, n) = (d.unwrap_or(1), n.unwrap_or(0));
    if !t.facts().has_unified_formats {
        return Read::Value(split(d as i64, n as i64));
    }
    match unified(t).position(|u| u == (d, n)) {
        Some(i) => Read::Value(i as i64),
        None => {
            let (data, numeric) = (DATA[d & 15], NUMERIC[n & 7]);
            bad(format!(
                "`BUF_DATA_FORMAT_{data}` and `BUF_NUM_FORMAT_{numeric}` do not form a unified format"
            ))
        }
    }
}

/// Every name of a format on a processor.
pub(crate) fn names_of(t: Target) -> Vec<String> {
    if t.facts().has_unified_formats {
        return unified(t).map(|(d, n)| unified_name(d, n)).collect();
    }
    let data = DATA.iter().map(|d| format!("BUF_DATA_FORMAT_{d}"));
    data.chain((0..8).map(|n| format!("BUF_NUM_FORMAT_{}", numeric_name(n, t)))).collect()
}

fn unified_of(major: u8) -> impl Iterator<Item = (usize, usize)> {
    let name = if major == 10 { "gfx1010" } else { "gfx1100" };
    Target::named(name).into_iter().flat_map(unified)
}

/// The operand text of a format, without the leading space; empty for the default.
pub(crate) fn print(v: i64, t: Target) -> String {
    if v == default(t) {
        return String::new();
    }
    if t.facts().has_unified_formats {
        return match unified(t).nth(v as usize) {
            Some((d, n)) => format!("format:[{}]", unified_name(d, n)),
            None => format!("format:{v}"),
        };
    }
    let (d, n) = ((v & 15) as usize, (v >> 4 & 7) as usize);
    let mut parts = Vec::new();
    if d != 1 {
        parts.push(format!("BUF_DATA_FORMAT_{}", DATA[d]));
    }
    if n != 0 {
        parts.push(format!("BUF_NUM_FORMAT_{}", numeric_name(n, t)));
    }
    format!("format:[{}]", parts.join(","))
}
