//! Joined calls: `vmcnt(0) & lgkmcnt(0)`, `depctr_sa_sdst(0)`, `instid0(VALU_DEP_1) | instskip(NEXT)`.

use super::{Problem, Read, bad, bad_number, bad_term, unknown_word};
use crate::{
    generation::Field,
    operand::{Line, Operand, Sep, Term, TermRange, Value},
    tables::feature,
    target::Target,
};

/// A counter in the operand of `s_waitcnt`.
fn counter(name: &str, t: Target) -> Option<Field> {
    let facts = t.facts();
    Some(match name {
        "vmcnt" => facts.vmcnt,
        "expcnt" => facts.expcnt,
        "lgkmcnt" => facts.lgkmcnt,
        _ => return None,
    })
}

/// The counters of `s_waitcnt`.
pub(crate) const COUNTERS: [&str; 3] = ["vmcnt", "expcnt", "lgkmcnt"];

/// The fields of `s_delay_alu`.
pub(crate) const DELAY_FIELDS: [&str; 3] = ["instid0", "instskip", "instid1"];

/// The largest value of a counter.
pub(crate) fn limit(name: &str, t: Target) -> Option<i64> {
    let counter = counter(name, t).map(|parts| (1 << width(parts)) - 1);
    counter.or_else(|| dependency_counters(t).find(|c| c.name == name).map(DependencyCounter::max))
}

fn width(parts: Field) -> u32 {
    parts[0].1 + parts[1].1
}

/// The operand with `count` in a counter.
fn with_count(value: i64, parts: Field, count: i64) -> i64 {
    let mut out = value;
    let mut rest = count;
    for (pos, w) in parts {
        let mask = (1i64 << w) - 1;
        out = (out & !(mask << pos)) | (rest & mask) << pos;
        rest >>= w;
    }
    out
}

/// The operand that waits for nothing.
fn wait_for_nothing(t: Target) -> i64 {
    COUNTERS.iter().filter_map(|n| counter(n, t)).fold(0, |v, p| with_count(v, p, -1))
}

/// The count in a counter of the operand.
fn count_in(value: i64, parts: Field) -> i64 {
    let (lo, hi) = (parts[0], parts[1]);
    let part = |(pos, w): (u32, u32)| value >> pos & ((1 << w) - 1);
    part(lo) | part(hi) << lo.1
}

/// Consecutive calls from the first operand on; the separators must be `allowed`.
fn calls<'l, 'a>(
    operands: &'l [Operand<'a>],
    allowed: &'l [Sep],
) -> impl Iterator<Item = Option<(&'a str, crate::operand::TermRange)>> + use<'l, 'a> {
    operands.iter().enumerate().map(move |(i, o)| match o.value {
        Value::Call { name, args } if i == 0 || allowed.contains(&o.sep) => Some((name, args)),
        _ => None,
    })
}

/// What is wrong with the operand after so many others.
fn after(others: usize, read: Read) -> Read {
    match read {
        Read::Bad(problem) => Read::Bad(Problem { skipped: others.min(254) as u8, ..problem }),
        other => other,
    }
}

/// All operands of `s_waitcnt`.
pub(crate) fn waitcnt(line: &Line<'_>, operands: &[Operand<'_>], t: Target) -> Read {
    let mut value = wait_for_nothing(t);
    let mut unknown = false;
    for (at, call) in calls(operands, &[Sep::Space, Sep::Comma, Sep::Amp]).enumerate() {
        let Some((name, args)) = call else { return after(at, bad("expected a counter such as vmcnt(0)")) };
        let (plain, saturate) = match name.strip_suffix("_sat") {
            Some(p) => (p, true),
            None => (name, false),
        };
        let Some(parts) = counter(plain, t) else {
            let known = COUNTERS.into_iter().filter(|c| counter(c, t).is_some());
            return after(at, unknown_word(format!("unknown counter `{name}` of s_waitcnt"), known));
        };
        match super::int(line, args) {
            Read::Value(v) => {
                let max = (1i64 << width(parts)) - 1;
                if (0..=max).contains(&v) {
                    value = with_count(value, parts, v);
                } else if saturate {
                    value = with_count(value, parts, -1);
                } else {
                    return after(at, bad_number(format!("`{name}` must be between 0 and {max} on {t}"), v));
                }
            }
            Read::Unknown => unknown = true,
            other => return after(at, other),
        }
    }
    if unknown { Read::Unknown } else { Read::Value(value) }
}

/// The counts of `vmcnt`, `expcnt` and `lgkmcnt` in the operand of `s_waitcnt`.
pub fn waitcnt_counts(t: Target, operand: u32) -> [u32; 3] {
    let facts = t.facts();
    [facts.vmcnt, facts.expcnt, facts.lgkmcnt].map(|field| count_in(operand.into(), field) as u32)
}

/// The operand of `s_waitcnt` as calls.
pub(crate) fn print_waitcnt(v: i64, t: Target) -> String {
    let mut out = Vec::new();
    let counts: Vec<_> = COUNTERS
        .iter()
        .filter_map(|n| counter(n, t).map(|p| (*n, count_in(v, p), (1i64 << width(p)) - 1)))
        .collect();
    let all_default = counts.iter().all(|(_, c, max)| c == max);
    for (name, count, max) in counts {
        if count != max || all_default {
            out.push(format!("{name}({count})"));
        }
    }
    out.join(" ")
}

/// A field of the operand of `s_waitcnt_depctr` and `s_wait_alu`.
#[derive(Clone, Copy)]
pub(crate) struct DependencyCounter {
    pub(crate) name: &'static str,
    /// Position of the lowest bit.
    shift: u32,
    /// Number of bits.
    width: u32,
}

impl DependencyCounter {
    /// The largest value, which waits for nothing.
    fn max(self) -> i64 {
        (1 << self.width) - 1
    }

    fn mask(self) -> i64 {
        self.max() << self.shift
    }

    fn get(self, operand: i64) -> i64 {
        operand >> self.shift & self.max()
    }
}

const DEPENDENCY_COUNTERS: [DependencyCounter; 7] = [
    DependencyCounter { name: "depctr_hold_cnt", shift: 7, width: 1 },
    DependencyCounter { name: "depctr_sa_sdst", shift: 0, width: 1 },
    DependencyCounter { name: "depctr_va_vdst", shift: 12, width: 4 },
    DependencyCounter { name: "depctr_va_sdst", shift: 9, width: 3 },
    DependencyCounter { name: "depctr_va_ssrc", shift: 8, width: 1 },
    DependencyCounter { name: "depctr_va_vcc", shift: 1, width: 1 },
    DependencyCounter { name: "depctr_vm_vsrc", shift: 2, width: 3 },
];

/// The counters of `s_waitcnt_depctr` and `s_wait_alu` that a processor has.
pub(crate) fn dependency_counters(t: Target) -> impl Iterator<Item = DependencyCounter> {
    let hold = t.has(feature::GFX10_BENCODING);
    DEPENDENCY_COUNTERS.into_iter().filter(move |c| hold || c.name != "depctr_hold_cnt")
}

/// All operands of `s_wait_alu`.
pub(crate) fn depctr(line: &Line<'_>, operands: &[Operand<'_>], t: Target) -> Read {
    let mut value = dependency_counters(t).fold(0, |all, c| all | c.mask());
    let mut written = 0;
    let mut unknown = false;
    for (at, call) in calls(operands, &[Sep::Space, Sep::Comma, Sep::Amp]).enumerate() {
        let Some((name, args)) = call else {
            return after(at, bad("expected a counter such as depctr_va_vdst(0)"));
        };
        let Some(counter) = dependency_counters(t).find(|c| c.name == name) else {
            return after(
                at,
                unknown_word(
                    format!("unknown counter `{name}` on {t}"),
                    dependency_counters(t).map(|c| c.name),
                ),
            );
        };
        let (mask, max) = (counter.mask(), counter.max());
        if written & mask != 0 {
            return after(at, bad(format!("duplicate counter `{name}`")));
        }
        written |= mask;
        match super::int(line, args) {
            Read::Value(v) if (0..=max).contains(&v) => value = (value & !mask) | v << counter.shift,
            Read::Value(v) => {
                return after(at, bad_number(format!("`{name}` must be between 0 and {max}"), v));
            }
            Read::Unknown => unknown = true,
            other => return after(at, other),
        }
    }
    if unknown { Read::Unknown } else { Read::Value(value) }
}

/// The operand as calls; a number if it has other bits.
pub(crate) fn print_depctr(v: i64, t: Target) -> String {
    if v & !dependency_counters(t).fold(0, |all, c| all | c.mask()) != 0 {
        return format!("{v:#x}");
    }
    let all_default = dependency_counters(t).all(|c| c.get(v) == c.max());
    dependency_counters(t)
        .filter(|c| all_default || c.get(v) != c.max())
        .map(|c| format!("{}({})", c.name, c.get(v)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The field of `s_wait_event`: from gfx12 on it asks for the event, before it asks not to wait for it.
pub fn event_field(t: Target) -> &'static str {
    if t.major() >= 12 { "export_ready" } else { "dont_wait_export_ready" }
}

/// The field's value, which LLVM writes into the lowest bit.
pub(crate) fn event(line: &Line<'_>, args: TermRange) -> Read {
    match super::int(line, args) {
        Read::Value(v) if !(0..=1).contains(&v) => bad_number("the field must be 0 or 1", v),
        other => other,
    }
}

/// The operand with its field; a number where that would assemble to other bits, as LLVM's name of bit 1 does from gfx12 on.
pub(crate) fn print_event(v: i64, t: Target) -> String {
    let most = if t.major() >= 12 { 0 } else { 1 };
    match v {
        _ if (0..=most).contains(&v) => format!("{{ {}: {v} }}", event_field(t)),
        _ => format!("{v:#x}"),
    }
}

pub(crate) const SKIPS: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];
pub(crate) const DEPS: [&str; 12] = [
    "NO_DEP",
    "VALU_DEP_1",
    "VALU_DEP_2",
    "VALU_DEP_3",
    "VALU_DEP_4",
    "TRANS32_DEP_1",
    "TRANS32_DEP_2",
    "TRANS32_DEP_3",
    "FMA_ACCUM_CYCLE_1",
    "SALU_CYCLE_1",
    "SALU_CYCLE_2",
    "SALU_CYCLE_3",
];

/// All operands of `s_delay_alu`.
pub(crate) fn delay(line: &Line<'_>, operands: &[Operand<'_>]) -> Read {
    let mut value = 0;
    for (at, call) in calls(operands, &[Sep::Pipe]).enumerate() {
        let Some((name, args)) = call else {
            return after(at, bad("each part between `|` must be a field such as instid0(VALU_DEP_1)"));
        };
        let (shift, names): (u32, &[&'static str]) = match name {
            "instid0" => (0, &DEPS),
            "instskip" => (4, &SKIPS),
            "instid1" => (7, &DEPS),
            _ => {
                return after(
                    at,
                    bad(format!(
                        "unknown field `{name}` of s_delay_alu; expected instid0, instskip or instid1"
                    )),
                );
            }
        };
        let [Term::Word(w)] = line.terms(args) else {
            let message = format!("expected a name such as {} for `{name}`", names.get(1).unwrap_or(&""));
            return bad_term(message, line.terms(args).first());
        };
        match names.iter().position(|n| n == w) {
            Some(i) => value |= (i as i64) << shift,
            None => {
                return after(
                    at,
                    unknown_word(format!("unknown value `{w}` of `{name}`"), names.iter().copied()),
                );
            }
        }
    }
    Read::Value(value)
}

/// The operand as calls.
pub(crate) fn print_delay(v: i64) -> String {
    let names = |i: i64, list: &[&str], what: &str| match list.get(i as usize) {
        Some(n) => format!("{what}({n})"),
        None => format!("{what}(/* invalid {what} value */)")
            .replace("instid0", "instid")
            .replace("instid1", "instid"),
    };
    let mut out = Vec::new();
    let (id0, skip, id1) = (v & 15, v >> 4 & 7, v >> 7 & 15);
    if id0 != 0 {
        out.push(names(id0, &DEPS, "instid0"));
    }
    if skip != 0 {
        out.push(names(skip, &SKIPS, "instskip"));
    }
    if id1 != 0 {
        out.push(names(id1, &DEPS, "instid1"));
    }
    if out.is_empty() { "0".to_owned() } else { out.join(" | ") }
}
