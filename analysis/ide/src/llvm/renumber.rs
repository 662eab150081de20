//! Numbers the unnamed values of a function anew, in the order in which they are defined.

use rustc_hash::FxHashMap;
use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_llvm::body::{Body, LocalKind};
use wavelens_llvm::operand::Value;

use super::Cx;

/// One that has a number, in the order of definition.
struct Definition {
    old: u32,
    new: u32,
    /// From where on it is seen.
    at: TextSize,
}

/// The edits; empty where all numbers are right already. A number that is defined twice means, at each use, the last definition before
/// it.
pub(super) fn renumber(cx: &Cx<'_>, body: &Body) -> Vec<TextEdit> {
    if !body.cold.block_address_uses.is_empty() {
        return Vec::new();
    }
    let mut defined: Vec<_> = body.locals.iter().filter(|l| l.kind != LocalKind::Undefined).collect();
    defined.sort_by_key(|local| match local.kind {
        LocalKind::Argument(n) => (0, TextSize::new(n)),
        _ => (1, local.range.start()),
    });
    let mut edits = Vec::new();
    let mut by_number: FxHashMap<u32, Vec<Definition>> = FxHashMap::default();
    let numbered = defined.into_iter().filter_map(|local| Some((local, local.name.as_number()?)));
    for (new, (local, old)) in numbered.enumerate() {
        // LLVM cuts numbers of more than 32 bits: two that are written differently can be one.
        if digits(cx.slice(local.range)).is_some_and(|written| written != old.to_string()) {
            return Vec::new();
        }
        let new = new as u32;
        let at = match local.kind {
            // An instruction does not see its own result.
            LocalKind::Inst(i) => body.inst_ranges.get(i as usize).map_or(local.range.end(), |r| r.end()),
            _ => local.range.start(),
        };
        by_number.entry(old).or_default().push(Definition { old, new, at });
        edits.extend(rewrite(cx, local.range, old, new));
    }
    for (operand, range) in body.tables.operands.iter().zip(&body.ranges.operands) {
        let Value::Local(id) = operand.value else { continue };
        let Some(old) = body.local(id).and_then(|l| l.name.as_number()) else { continue };
        let Some(definitions) = by_number.get(&old) else { continue };
        let before = definitions.iter().rev().find(|d| d.at <= range.start());
        if let Some(definition) = before.or(definitions.first()) {
            edits.extend(rewrite(cx, *range, definition.old, definition.new));
        }
    }
    edits
}

/// `%7` or `7:` with its new number; nothing where the number is not written.
fn rewrite(cx: &Cx<'_>, range: TextRange, old: u32, new: u32) -> Option<TextEdit> {
    let written = cx.slice(range);
    let text = if written.ends_with(':') { format!("{new}:") } else { format!("%{new}") };
    let is_written = digits(written).is_some_and(|written| written == old.to_string());
    (old != new && is_written).then(|| TextEdit::new(range, text))
}

/// The digits of `%7` or `7:`.
fn digits(written: &str) -> Option<&str> {
    let digits = written.strip_suffix(':').or_else(|| written.strip_prefix('%'))?;
    digits.bytes().all(|b| b.is_ascii_digit()).then_some(digits)
}
