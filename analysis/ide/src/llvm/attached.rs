//! Metadata attachments in a few words: profiles, ranges, access types, hints of loops.

use wavelens_llvm::metadata_view::Md;
use wavelens_llvm::scope::{NodeRef, Scope};

use super::help;
use crate::answers::HintKind;

/// Values of a list that are shown.
const SHOWN: usize = 6;

/// The hint for an attachment of a kind, if its node says more than its number.
pub(super) fn text(scope: &Scope, kind: &str, node: NodeRef<'_>) -> Option<(HintKind, String)> {
    Some(match kind {
        "prof" => (HintKind::Profile, profile(scope, node)?),
        "range" => (HintKind::Range, ranges(scope, node)?),
        "tbaa" => (HintKind::AccessType, access_type(scope, node)?),
        "llvm.loop" => (HintKind::LoopHints, loop_hints(scope, node)?),
        _ => return None,
    })
}

fn number(md: Md<'_>) -> Option<u64> {
    match md {
        Md::Int { value, .. } => value,
        _ => None,
    }
}

fn string(md: Md<'_>) -> Option<&str> {
    match md {
        Md::String(text) => Some(text),
        _ => None,
    }
}

/// `!{!"branch_weights", i32 99, i32 1}` is `99 % / 1 %`.
fn profile(scope: &Scope, node: NodeRef<'_>) -> Option<String> {
    let values = |from: usize| node.operands(scope).skip(from).map_while(number).collect::<Vec<u64>>();
    match string(node.operand(scope, 0))? {
        "branch_weights" => {
            let own = values(1);
            // A word may come first: `expected`.
            let weights = if own.is_empty() { values(2) } else { own };
            if let [count] = *weights.as_slice() {
                return Some(format!("{count} times"));
            }
            let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
            if total == 0 {
                return None;
            }
            let mut shares: Vec<String> =
                weights.iter().take(SHOWN).map(|weight| percent(u128::from(*weight), total)).collect();
            if weights.len() > SHOWN {
                shares.push("…".to_owned());
            }
            Some(shares.join(" / "))
        }
        "function_entry_count" => Some(format!("entered {} times", values(1).first()?)),
        "synthetic_function_entry_count" => Some(format!("entered about {} times", values(1).first()?)),
        "VP" => Some(format!("profile of {} values", values(3).len() / 2)),
        _ => None,
    }
}

fn percent(part: u128, total: u128) -> String {
    // In tenths, rounded; never 0 or 100 for what is neither.
    let tenths = (part * 1000 + total / 2) / total;
    match tenths {
        0 if part > 0 => "<0.1 %".to_owned(),
        1000 if part < total => ">99.9 %".to_owned(),
        _ if tenths.is_multiple_of(10) => format!("{} %", tenths / 10),
        _ => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

/// `[0, 10)`, several joined by `or`.
fn ranges(scope: &Scope, node: NodeRef<'_>) -> Option<String> {
    let ends: Option<Vec<i64>> = node
        .operands(scope)
        .map(|md| match md {
            // Ends are read as signed: the usual reason for a range around 0.
            Md::Int { bits, value: Some(value) } if (1..=64).contains(&bits) => {
                Some((value << (64 - bits)) as i64 >> (64 - bits))
            }
            _ => None,
        })
        .collect();
    let ends: Vec<i64> = ends?;
    let (pairs, rest) = ends.as_chunks::<2>();
    if !rest.is_empty() || pairs.is_empty() {
        return None;
    }
    let shown: Vec<String> = pairs.iter().take(SHOWN).map(|[low, high]| format!("[{low}, {high})")).collect();
    Some(shown.join(" or "))
}

/// `int`, or `int at 8 in node` for an access through a struct.
fn access_type(scope: &Scope, node: NodeRef<'_>) -> Option<String> {
    let name = |node: NodeRef<'_>| node.operands(scope).find_map(string).map(str::to_owned);
    let (base, access) = (node.operand(scope, 0).node(), node.operand(scope, 1).node());
    let (Some(base), Some(access)) = (base, access) else {
        // The older form: the node is the type.
        return name(node);
    };
    let offset = number(node.operand(scope, 2))?;
    let (base_name, access_name) = (name(base)?, name(access)?);
    let constant = if number(node.operand(scope, 3)) == Some(1) { "constant " } else { "" };
    Some(if base.same(access) {
        format!("{constant}{access_name}")
    } else {
        format!("{constant}{access_name} at {offset} in {base_name}")
    })
}

/// `unroll by 4, vectorize: off`.
fn loop_hints(scope: &Scope, node: NodeRef<'_>) -> Option<String> {
    // The first operand is the node itself.
    let hints = node.operands(scope).skip(1).filter_map(Md::node).filter_map(|hint| {
        let text = help::loop_hint(string(hint.operand(scope, 0))?)?;
        Some(match hint.operand(scope, 1) {
            Md::Int { bits: 1, value: Some(0) } => format!("{text}: off"),
            Md::Int { bits: 1, .. } => text,
            Md::Int { value: Some(value), .. } => format!("{text} {value}"),
            _ => text,
        })
    });
    let hints: Vec<String> = hints.take(SHOWN).collect();
    (!hints.is_empty()).then(|| hints.join(", "))
}
