//! `offset:swizzle(QUAD_PERM, 0, 1, 2, 3)` of `ds_swizzle_b32`.

use super::{Read, bad, bad_number, bad_term, bad_value, unknown_word};
use crate::{
    operand::{Line, Term, TermRange, Value},
    target::Target,
};

/// `offset:` with a number or a swizzle.
pub(crate) fn offset(line: &Line<'_>, v: &Value<'_>, t: Target) -> Read {
    let Value::Named { name: "offset", value } = v else { return Read::No };
    match line.terms(*value) {
        [Term::Int(v)] if (0..=0xFFFF).contains(v) => Read::Value(*v),
        [Term::Int(v)] => bad_number("`offset` must be between 0 and 65535", *v),
        [Term::Unknown] => Read::Unknown,
        [Term::Call { name: "swizzle", args }] => swizzle(line, *args, t),
        terms => bad_term("expected an offset or `swizzle(...)`", terms.first()),
    }
}

/// The modes of a processor.
pub(crate) fn modes(t: Target) -> &'static [&'static str] {
    const MODES: [&str; 7] = ["QUAD_PERM", "BITMASK_PERM", "BROADCAST", "REVERSE", "SWAP", "FFT", "ROTATE"];
    MODES.get(..if t.facts().has_fft_swizzle { 7 } else { 5 }).unwrap_or(&[])
}

fn bitmask(and: i64, or: i64, xor: i64) -> i64 {
    and | or << 5 | xor << 10
}

fn swizzle(line: &Line<'_>, args: TermRange, t: Target) -> Read {
    let terms = line.terms(args);
    let [Term::Word(mode), rest @ ..] = terms else {
        let modes = modes(t).join(", ");
        return bad_term(format!("expected a swizzle mode: one of {modes}"), terms.first());
    };
    if rest.iter().any(|x| matches!(x, Term::Unknown)) {
        return Read::Unknown;
    }
    let int = |i: usize| match rest.get(i) {
        Some(Term::Int(v)) => Some(*v),
        _ => None,
    };
    let count = |n: usize| rest.len() == n;
    let group = |i: usize, lo: i64, hi: i64| int(i).filter(|g| (lo..=hi).contains(g) && g.count_ones() == 1);
    match *mode {
        "QUAD_PERM" if count(4) => {
            let mut out = 0x8000;
            for i in 0..4 {
                match int(i) {
                    Some(v @ 0..=3) => out |= v << (2 * i),
                    _ => return bad_value("the lanes of QUAD_PERM must be between 0 and 3", rest.get(i)),
                }
            }
            Read::Value(out)
        }
        "BITMASK_PERM" if count(1) => {
            let Some(Term::Str(mask)) = rest.first() else {
                return bad_term("expected a mask in quotes, such as \"01pip\"", rest.first());
            };
            if mask.len() != 5 {
                return bad(format!("expected a mask of 5 characters, found {}", mask.chars().count()));
            }
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for (i, c) in mask.bytes().enumerate() {
                let bit = 1 << (4 - i);
                match c {
                    b'0' => {}
                    b'1' => or |= bit,
                    b'p' => and |= bit,
                    b'i' => {
                        and |= bit;
                        xor |= bit;
                    }
                    _ => return bad_term("a mask has the characters 0, 1, p and i", rest.first()),
                }
            }
            Read::Value(bitmask(and, or, xor))
        }
        "BROADCAST" if count(2) => match (group(0, 2, 32), int(1)) {
            (Some(g), Some(l)) if (0..g).contains(&l) => Read::Value(bitmask(0x1F - g + 1, l, 0)),
            (None, _) => bad_value("the group size must be a power of two from 2 to 32", rest.first()),
            _ => bad_value("the lane must be at least 0 and less than the group size", rest.get(1)),
        },
        "REVERSE" if count(1) => match group(0, 2, 32) {
            Some(g) => Read::Value(bitmask(0x1F, 0, g - 1)),
            None => bad_value("the group size must be a power of two from 2 to 32", rest.first()),
        },
        "SWAP" if count(1) => match group(0, 1, 16) {
            Some(g) => Read::Value(bitmask(0x1F, 0, g)),
            None => bad_value("the group size must be a power of two from 1 to 16", rest.first()),
        },
        "FFT" | "ROTATE" if !t.facts().has_fft_swizzle => {
            bad(format!("swizzle mode {mode} does not exist on {}", t))
        }
        "FFT" if count(1) => match int(0) {
            Some(v @ 0..=31) => Read::Value(0xE000 | v),
            _ => bad_value("the mask of an FFT swizzle must be between 0 and 31", rest.first()),
        },
        "ROTATE" if count(2) => match (int(0), int(1)) {
            (Some(d @ 0..=1), Some(s @ 0..=31)) => Read::Value(0xC000 | d << 10 | s << 5),
            (Some(0..=1), _) => bad_value("the size of a rotation must be between 0 and 31", rest.get(1)),
            _ => bad_value("the direction of a rotation must be 0 or 1", rest.first()),
        },
        "QUAD_PERM" | "BITMASK_PERM" | "BROADCAST" | "REVERSE" | "SWAP" | "FFT" | "ROTATE" => {
            let arguments = match *mode {
                "QUAD_PERM" => "4 arguments",
                "BROADCAST" | "ROTATE" => "2 arguments",
                _ => "1 argument",
            };
            bad(format!("swizzle mode `{mode}` takes {arguments}, found {}", rest.len()))
        }
        _ => unknown_word(format!("unknown swizzle mode `{mode}`"), modes(t).iter().copied()),
    }
}

/// The operand without its leading space; empty for 0.
pub(crate) fn print(v: i64, t: Target) -> String {
    if v == 0 {
        return String::new();
    }
    let text = if t.facts().has_fft_swizzle && v & !31 == 0xE000 {
        format!("swizzle(FFT,{})", v & 31)
    } else if t.facts().has_fft_swizzle && v & !(1 << 10 | 31 << 5) == 0xC000 {
        format!("swizzle(ROTATE,{},{})", v >> 10 & 1, v >> 5 & 31)
    } else if v & 0xFF00 == 0x8000 {
        format!("swizzle(QUAD_PERM,{},{},{},{})", v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3)
    } else if v & 0x8000 == 0 {
        let (and, or, xor) = (v & 31, v >> 5 & 31, v >> 10 & 31);
        if and == 31 && or == 0 && xor.count_ones() == 1 {
            format!("swizzle(SWAP,{xor})")
        } else if and == 31 && or == 0 && xor > 0 && (xor + 1).count_ones() == 1 {
            format!("swizzle(REVERSE,{})", xor + 1)
        } else {
            let group = 0x1F - and + 1;
            if group > 1 && group.count_ones() == 1 && or < group && xor == 0 {
                format!("swizzle(BROADCAST,{group},{or})")
            } else {
                let mut mask = String::new();
                for i in (0..5).rev() {
                    let bit = |m: i64| m >> i & 1;
                    // what the lane bit becomes when it is 0, and when it is 1
                    let p0 = bit(or) ^ bit(xor);
                    let p1 = (bit(and) | bit(or)) ^ bit(xor);
                    mask.push(match (p0, p1) {
                        (0, 0) => '0',
                        (1, 1) => '1',
                        (0, _) => 'p',
                        _ => 'i',
                    });
                }
                format!("swizzle(BITMASK_PERM,\"{mask}\")")
            }
        }
    } else {
        v.to_string()
    };
    format!("offset:{text}")
}
