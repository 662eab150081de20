//! `sendmsg(MSG_GS, GS_OP_EMIT, 0)`.

use super::{Read, bad, bad_number, bad_term};
use crate::generation::{
    Generation::{self, *},
    NEWEST, Span,
};
use crate::{
    operand::{Line, Term, TermRange},
    target::Target,
};

struct Message {
    name: &'static str,
    number: i64,
    generations: Span,
    /// LLVM 22 does not know it.
    is_newer: bool,
}

impl Message {
    fn exists_on(&self, t: Target) -> bool {
        self.generations.contains(t.generation()) && (t.is_newer() || !self.is_newer)
    }

    const fn since_24(self) -> Message {
        Message { is_newer: true, ..self }
    }
}

const fn row(name: &'static str, number: i64, first: Generation, last: Generation) -> Message {
    Message { name, number, generations: Span(first, last), is_newer: false }
}

#[rustfmt::skip]
static MESSAGES: &[Message] = &[
    row("MSG_INTERRUPT", 1, Unnamed, NEWEST), row("MSG_GS", 2, Unnamed, Gfx10_3), row("MSG_GS_DONE", 3, Unnamed, Gfx10_3), row("MSG_SAVEWAVE", 4, Gfx8, Gfx10_3),
    row("MSG_STALL_WAVE_GEN", 5, Gfx9, Gfx11_7), row("MSG_HALT_WAVES", 6, Gfx9, Gfx11_7), row("MSG_ORDERED_PS_DONE", 7, Gfx9, Gfx10_3),
    row("MSG_EARLY_PRIM_DEALLOC", 8, Gfx9, Gfx10_3), row("MSG_GS_ALLOC_REQ", 9, Gfx9, NEWEST), row("MSG_GET_DOORBELL", 10, Gfx9, Gfx10_3),
    row("MSG_GET_DDID", 11, Gfx10_1, Gfx10_3), row("MSG_HS_TESSFACTOR", 2, Gfx11, NEWEST), row("MSG_DEALLOC_VGPRS", 3, Gfx11, NEWEST),
    row("MSG_SYSMSG", 15, Unnamed, NEWEST), row("MSG_RTN_GET_DOORBELL", 128, Gfx11, NEWEST), row("MSG_RTN_GET_DDID", 129, Gfx11, NEWEST),
    row("MSG_RTN_GET_TMA", 130, Gfx11, NEWEST), row("MSG_RTN_GET_REALTIME", 131, Gfx11, NEWEST), row("MSG_RTN_SAVE_WAVE", 132, Gfx11, NEWEST),
    row("MSG_RTN_GET_TBA", 133, Gfx11, NEWEST), row("MSG_RTN_GET_TBA_TO_PC", 134, Gfx11, NEWEST), row("MSG_RTN_GET_SE_AID_ID", 135, Gfx12, NEWEST),
    row("MSG_RTN_GET_CLUSTER_BARRIER_STATE", 136, Gfx12_5, NEWEST), row("MSG_SAVEWAVE_HAS_TDM", 10, Gfx12_5, NEWEST),
    row("MSG_RTN_SAVE_WAVE_HAS_TDM", 152, Gfx12_5, NEWEST).since_24(),
];
const GS_OPS: [&str; 4] = ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"];
const SYS_OPS: [&str; 5] =
    ["", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"];

const GS: i64 = 2;
const GS_DONE: i64 = 3;
const SYSMSG: i64 = 15;

/// Whether a word is the name of a message or of an operation on some processor.
pub(crate) fn is_name(word: &str) -> bool {
    MESSAGES.iter().any(|m| m.name == word)
        || GS_OPS.contains(&word)
        || (SYS_OPS.contains(&word) && !word.is_empty())
}

/// The messages of a processor.
pub(crate) fn names(t: Target) -> impl Iterator<Item = &'static str> {
    MESSAGES.iter().filter(move |m| m.exists_on(t)).map(|m| m.name)
}

/// The number of a message, if the processor has it.
pub(crate) fn number(name: &str, t: Target) -> Option<i64> {
    MESSAGES.iter().find(|m| m.name == name && m.exists_on(t)).map(|m| m.number)
}

/// The operations of a message.
pub(crate) fn operations(message: &str, t: Target) -> Vec<&'static str> {
    let Some(id) = number(message, t).filter(|id| requires_op(*id, t)) else { return Vec::new() };
    let first = i64::from(is_gs(id, t) && id == GS);
    (first..8).filter_map(|op| op_name(id, op, t)).collect()
}

fn is_gs(id: i64, t: Target) -> bool {
    t.facts().has_gs_messages && (id == GS || id == GS_DONE)
}

fn requires_op(id: i64, t: Target) -> bool {
    id == SYSMSG || is_gs(id, t)
}

fn op_name(id: i64, op: i64, t: Target) -> Option<&'static str> {
    let i = usize::try_from(op).ok()?;
    let name = if id == SYSMSG { *SYS_OPS.get(i)? } else { *GS_OPS.get(i)? };
    (!name.is_empty() && (name != "SYSMSG_OP_HOST_TRAP_ACK" || t.facts().has_trap_acknowledge))
        .then_some(name)
}

/// A message or an operation as it is written.
fn quoted(what: &str, term: Option<&Term<'_>>) -> String {
    match term {
        Some(Term::Word(word)) => format!("`{word}`"),
        Some(Term::Int(number)) => format!("{what} {number}"),
        _ => format!("this {what}"),
    }
}

/// Arguments of `sendmsg(...)`.
pub(crate) fn call(line: &Line<'_>, args: TermRange, t: Target) -> Read {
    let terms = line.terms(args);
    if terms.len() > 3 {
        return bad(format!(
            "sendmsg takes a message, an operation and a stream, found {} arguments",
            terms.len()
        ));
    }
    let (id, strict) = match terms.first() {
        Some(Term::Int(v)) => (*v, false),
        Some(Term::Word(w)) => {
            let mut known = MESSAGES.iter().filter(|m| m.name == *w).peekable();
            if known.peek().is_none() {
                return bad(format!("unknown message `{w}`"));
            }
            match known.find(|m| m.exists_on(t)) {
                Some(m) => (m.number, true),
                None => return bad(format!("message `{w}` does not exist on {}", t)),
            }
        }
        Some(Term::Unknown) => return Read::Unknown,
        term => return bad_term("expected a message such as MSG_INTERRUPT", term),
    };
    let message = quoted("message", terms.first());
    let mask = (1 << t.facts().message_bits) - 1;
    if !strict && id & !mask != 0 {
        return bad_number(format!("the number of a message must be between 0 and {mask}"), id);
    }
    let op = match terms.get(1) {
        None => None,
        Some(Term::Int(v)) => Some(*v),
        Some(Term::Word(w)) => {
            let list: &[&str] = if id == SYSMSG { &SYS_OPS } else { &GS_OPS };
            match list.iter().position(|n| n == w && !n.is_empty()) {
                Some(i) if op_name(id, i as i64, t).is_some() => Some(i as i64),
                Some(_) => return bad(format!("operation `{w}` does not exist on {}", t)),
                None => return bad(format!("unknown operation `{w}` of {message}")),
            }
        }
        Some(Term::Unknown) => return Read::Unknown,
        term => return bad_term("expected an operation such as GS_OP_EMIT", term),
    };
    let stream = match terms.get(2) {
        None => None,
        Some(Term::Int(v)) => Some(*v),
        Some(Term::Unknown) => return Read::Unknown,
        term => return bad_term("expected a stream number", term),
    };
    let (o, s) = (op.unwrap_or(0), stream.unwrap_or(0));
    if !strict {
        if !(0..8).contains(&o) {
            return bad_number("the operation of a message must be between 0 and 7", o);
        }
        if !(0..4).contains(&s) {
            return bad_number("the stream of a message must be between 0 and 3", s);
        }
        return Read::Value(id | o << 4 | s << 8);
    }
    if requires_op(id, t) != op.is_some() {
        return bad(match op.is_some() {
            true => format!("{message} does not take an operation"),
            false => format!("{message} requires an operation"),
        });
    }
    // LLVM looks up the name of the operation by its low 32 bits, and encodes the low bits of the whole: `1.5` is operation 0.
    let has_name = op_name(id, i64::from(o as u32), t).is_some();
    if requires_op(id, t) && ((is_gs(id, t) && id == GS && o == 0) || !has_name) {
        return bad(format!("{message} does not have {}", quoted("operation", terms.get(1))));
    }
    let streams = is_gs(id, t) && o != 0;
    if stream.is_some() && !streams {
        return bad(format!("{} does not take a stream", quoted("operation", terms.get(1))));
    }
    if streams && !(0..4).contains(&s) {
        return bad_number("the stream of a message must be between 0 and 3", s);
    }
    Read::Value((id | o << 4 | s << 8) & 0xffff)
}

/// An encoded operand as `sendmsg(...)`.
pub(crate) fn print(v: i64, t: Target) -> String {
    let mask = (1 << t.facts().message_bits) - 1;
    let id = v & mask;
    let (op, stream) = if t.facts().has_gs_messages { (v >> 4 & 7, v >> 8 & 3) } else { (0, 0) };
    let name = MESSAGES.iter().find(|m| m.number == id && m.exists_on(t)).map(|m| m.name);
    if let Some(name) = name {
        let op_ok = if requires_op(id, t) {
            op_name(id, op, t).is_some() && !(is_gs(id, t) && id == GS && op == 0)
        } else {
            op == 0
        };
        let streams = is_gs(id, t) && op != 0;
        if op_ok && (streams || stream == 0) && v == (id | op << 4 | stream << 8) {
            let mut out = format!("sendmsg({name}");
            if requires_op(id, t) {
                out += &format!(", {}", op_name(id, op, t).unwrap_or(""));
                if streams {
                    out += &format!(", {stream}");
                }
            }
            return out + ")";
        }
    }
    if v == (id | op << 4 | stream << 8) {
        return format!("sendmsg({id}, {op}, {stream})");
    }
    v.to_string()
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn messages_and_their_operations_are_names() {
        for name in ["MSG_INTERRUPT", "GS_OP_CUT", "SYSMSG_OP_REG_RD"] {
            assert!(is_name(name), "{name}");
        }
        assert!(!is_name(""));
        assert!(!is_name("MSG"));
    }
}
