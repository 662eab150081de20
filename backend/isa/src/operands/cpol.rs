//! Cache policies: `glc slc dlc scc`, `sc0 sc1 nt`, `th:` and `scope:`.

use super::{Read, bad, bad_term, unknown_word};
use crate::{
    generation::Policies,
    operand::{Line, Term, TermRange},
    tables::{Row, flag, flag_set},
    target::Target,
};

pub(crate) const GLC: i64 = 1;
pub(crate) const SLC: i64 = 2;
pub(crate) const DLC: i64 = 4;
pub(crate) const SCC: i64 = 16;
pub(crate) const NV: i64 = 1 << 5;
pub(crate) const TH: i64 = 7;
pub(crate) const TH_ATOMIC_RETURN: i64 = 1;
pub(crate) const SCOPE: i64 = 3 << 3;
/// `SCOPE_DEV` in the bits of [`SCOPE`].
const DEVICE_SCOPE: i64 = 2 << 3;
pub(crate) const SCALE_OFFSET: i64 = 1 << 11;
pub(crate) const TYPE_LOAD: i64 = 1 << 7;
pub(crate) const TYPE_STORE: i64 = 1 << 8;
pub(crate) const TYPE_ATOMIC: i64 = 1 << 9;
pub(crate) const REAL_BYPASS: i64 = 1 << 10;

/// The bit of a bare word, and whether the word clears it (`noglc`).
pub(crate) fn word(word: &str, mnemonic: &str, t: Target) -> Option<(i64, bool)> {
    let (name, off) = match word.strip_prefix("no") {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    let bit = if t.facts().policies == Policies::Scopes && !mnemonic.starts_with("s_") {
        match name {
            "nt" => SLC,
            "sc0" => GLC,
            "sc1" => SCC,
            _ => return None,
        }
    } else {
        match name {
            "dlc" => DLC,
            "glc" => GLC,
            "scc" => SCC,
            "slc" => SLC,
            _ => return None,
        }
    };
    Some((bit, off))
}

/// Whether the target has the policy of a bit.
pub(crate) fn supported(bit: i64, t: Target) -> bool {
    match bit {
        DLC => t.facts().has_dlc,
        SCC => t.facts().has_scc,
        _ => true,
    }
}

/// Whether a word belongs to a cache policy on some processor.
pub(crate) fn is_word(word: &str) -> bool {
    const WORDS: [&str; 11] =
        ["glc", "slc", "dlc", "scc", "sc0", "sc1", "nt", "th", "scope", "nv", "scale_offset"];
    WORDS.contains(&word) || word.strip_prefix("no").is_some_and(|w| WORDS.contains(&w))
}

/// The words of the policies of an instruction; those with values end in a colon.
pub(crate) fn words(t: Target, mnemonic: &str) -> Vec<&'static str> {
    if t.facts().has_scale_offset {
        return vec!["th:", "scope:", "nv", "scale_offset"];
    }
    if t.facts().policies == Policies::Hints {
        return vec!["th:", "scope:"];
    }
    let all = ["glc", "slc", "dlc", "scc", "sc0", "sc1", "nt"];
    let scalar = mnemonic.starts_with("s_");
    let fits = |w: &&str| {
        word(w, mnemonic, t).is_some_and(|(bit, _)| supported(bit, t) && !(scalar && bit & (SLC | SCC) != 0))
    };
    all.into_iter().filter(fits).collect()
}

pub(crate) const SCOPES: [&str; 4] = ["SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"];

/// Every temporal hint.
pub(crate) const HINTS: &[&str] = &[
    "TH_DEFAULT",
    "TH_LOAD_RT",
    "TH_LOAD_NT",
    "TH_LOAD_HT",
    "TH_LOAD_LU",
    "TH_LOAD_BYPASS",
    "TH_LOAD_NT_RT",
    "TH_LOAD_RT_NT",
    "TH_LOAD_NT_HT",
    "TH_STORE_RT",
    "TH_STORE_NT",
    "TH_STORE_HT",
    "TH_STORE_WB",
    "TH_STORE_BYPASS",
    "TH_STORE_NT_RT",
    "TH_STORE_RT_NT",
    "TH_STORE_NT_HT",
    "TH_STORE_NT_WB",
    "TH_ATOMIC_RT",
    "TH_ATOMIC_RETURN",
    "TH_ATOMIC_NT",
    "TH_ATOMIC_NT_RETURN",
    "TH_ATOMIC_CASCADE_RT",
    "TH_ATOMIC_CASCADE_NT",
];

/// `scope:SCOPE_SE`.
pub(crate) fn scope(line: &Line<'_>, value: TermRange) -> Read {
    match line.terms(value) {
        [Term::Word(w)] => match SCOPES.iter().position(|n| n == w) {
            Some(i) => Read::Value((i as i64) << 3),
            None => bad(format!("unknown scope `{w}`; expected SCOPE_CU, SCOPE_SE, SCOPE_DEV or SCOPE_SYS")),
        },
        [Term::Int(v @ 0..=3)] => Read::Value(v << 3),
        [Term::Unknown] => Read::Unknown,
        terms => bad_term("expected a scope: SCOPE_CU, SCOPE_SE, SCOPE_DEV or SCOPE_SYS", terms.first()),
    }
}

/// `th:TH_LOAD_NT`.
pub(crate) fn th(line: &Line<'_>, value: TermRange) -> Read {
    let [Term::Word(name)] = line.terms(value) else {
        return bad_term("expected a temporal hint such as TH_LOAD_NT", line.terms(value).first());
    };
    let invalid = || {
        let kinds = ["TH_ATOMIC_", "TH_LOAD_", "TH_STORE_"];
        match kinds.into_iter().find(|kind| name.starts_with(kind)) {
            Some(kind) => {
                let known = HINTS.iter().copied().filter(|hint| hint.starts_with(kind));
                unknown_word(format!("unknown temporal hint `{name}`"), known)
            }
            None => bad(format!("unknown temporal hint `{name}`; expected a hint such as TH_LOAD_NT")),
        }
    };
    if *name == "TH_DEFAULT" {
        return Read::Value(0);
    }
    if matches!(*name, "TH_STORE_LU" | "TH_LOAD_WB" | "TH_LOAD_NT_WB") {
        return invalid();
    }
    let (kind, rest) = if let Some(r) = name.strip_prefix("TH_ATOMIC_") {
        (TYPE_ATOMIC, r)
    } else if let Some(r) = name.strip_prefix("TH_LOAD_") {
        (TYPE_LOAD, r)
    } else if let Some(r) = name.strip_prefix("TH_STORE_") {
        (TYPE_STORE, r)
    } else {
        return invalid();
    };
    let hint = if kind == TYPE_ATOMIC {
        match rest {
            "RT" => 0,
            "RETURN" | "RT_RETURN" => 1,
            "NT" => 2,
            "NT_RETURN" => 3,
            "CASCADE_RT" => 4,
            "CASCADE_NT" => 6,
            _ => return invalid(),
        }
    } else {
        match rest {
            "RT" => 0,
            "NT" => 1,
            "HT" => 2,
            "LU" | "WB" => 3,
            "BYPASS" => 3 | REAL_BYPASS,
            "NT_RT" => 4,
            "RT_NT" => 5,
            "NT_HT" => 6,
            "NT_WB" => 7,
            _ => return invalid(),
        }
    };
    Read::Value(kind | hint)
}

/// The policy of an instruction as LLVM prints it: words with a space before each.
pub(crate) fn print(v: i64, row: Row, t: Target) -> String {
    let mut out = String::new();
    if t.facts().policies == Policies::Hints {
        if v & SCALE_OFFSET != 0 {
            out += " scale_offset";
        }
        out += &print_hint(v & TH, v & SCOPE, row);
        out += ["", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"][(v & SCOPE) as usize >> 3];
        if v & NV != 0 {
            out += " nv";
        }
        return out;
    }
    let has_scopes = t.facts().policies == Policies::Scopes;
    if v & GLC != 0 {
        out += if has_scopes && !row.has(flag::SMRD) { " sc0" } else { " glc" };
    }
    if v & SLC != 0 {
        out += if has_scopes { " nt" } else { " slc" };
    }
    if v & DLC != 0 && supported(DLC, t) {
        out += " dlc";
    }
    if v & SCC != 0 && supported(SCC, t) {
        out += if has_scopes { " sc1" } else { " scc" };
    }
    out
}

/// Whether an instruction that is not an atomic takes the hints of stores. Those that copy from LDS load too.
pub(crate) fn stores(row: Row) -> bool {
    let copies = || ["store_async", "store_from_lds"].iter().any(|name| row.mnemonic().contains(name));
    row.has(flag::MAY_STORE) && (!row.has(flag::MAY_LOAD) || copies())
}

/// A temporal hint with a space before it; empty for the default.
fn print_hint(th: i64, scope: i64, row: Row) -> String {
    if th == 0 {
        return String::new();
    }
    if row.has(flag_set::ATOMIC) {
        let (cascades, non_temporal, returns) = (th & 4 != 0, th & 2 != 0, th & 1 != 0);
        let name = match (cascades, non_temporal, returns) {
            (true, true, _) if scope >= DEVICE_SCOPE => "CASCADE_NT",
            (true, false, _) if scope >= DEVICE_SCOPE => "CASCADE_RT",
            (true, ..) => return format!(" th:TH_ATOMIC_{th:#x}"),
            (_, true, true) => "NT_RETURN",
            (_, true, _) => "NT",
            _ => "RETURN",
        };
        return format!(" th:TH_ATOMIC_{name}");
    }
    let stores = stores(row);
    let name = match th {
        1 => "NT",
        2 => "HT",
        3 if scope == SCOPE => "BYPASS",
        3 if stores => "WB",
        3 => "LU",
        4 => "NT_RT",
        5 => "RT_NT",
        6 => "NT_HT",
        _ if stores => "NT_WB",
        _ => return " th:0x7".into(),
    };
    format!(" th:TH_{}_{name}", if stores { "STORE" } else { "LOAD" })
}
