//! Export targets: `mrt0`, `mrtz`, `null`, `pos3`, `param7`, `prim`, `dual_src_blend0`.

use super::{Read, bad};
use crate::generation::{Generation::*, NEWEST, Span};
use crate::target::Target;

/// Names with their first number and largest index.
pub(crate) const TARGETS: [(&str, i64, i64); 7] = [
    ("null", 9, 0),
    ("mrtz", 8, 0),
    ("prim", 20, 0),
    ("mrt", 0, 7),
    ("pos", 12, 4),
    ("dual_src_blend", 21, 1),
    ("param", 32, 31),
];

pub(crate) fn supported(id: i64, t: Target) -> bool {
    let span = match id {
        32..=63 if Span(Gfx13, NEWEST).contains(t.generation()) => return true,
        9 | 32..=63 => Span(Unnamed, Gfx10_3),
        16 | 20 => Span(Gfx10_1, NEWEST),
        21 | 22 => Span(Gfx11, NEWEST),
        _ => return true,
    };
    span.contains(t.generation())
}

/// The number of an export target.
pub(crate) fn target(word: &str, t: Target) -> Read {
    for (name, first, max) in TARGETS {
        let id = if max == 0 {
            if word != name {
                continue;
            }
            first
        } else {
            let Some(digits) = word.strip_prefix(name) else { continue };
            let canonical = digits.len() == 1 || !digits.starts_with('0');
            match digits.parse::<i64>() {
                Ok(i) if i <= max && canonical && digits.bytes().all(|b| b.is_ascii_digit()) => first + i,
                _ => return bad(format!("unknown export target `{word}`")),
            }
        };
        return if supported(id, t) {
            Read::Value(id)
        } else {
            bad(format!("export target `{word}` does not exist on {}", t))
        };
    }
    bad(format!("unknown export target `{word}`"))
}

/// The name of an export target.
pub(crate) fn name(id: i64, t: Target) -> Option<String> {
    if !supported(id, t) {
        return None;
    }
    TARGETS.iter().find(|(_, first, max)| (*first..=first + max).contains(&id)).map(|(name, first, max)| {
        if *max == 0 { (*name).to_owned() } else { format!("{name}{}", id - first) }
    })
}
