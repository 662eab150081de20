//! Constraints and clobbers of inline assembly: outputs first, then inputs, then clobbers, as LLVM reads them.

use wavelens_base::{TextRange, TextSize};

use crate::answers::{Completion, CompletionKind};
use crate::llvm::Cx;
use crate::llvm::strings::described;

/// What a target has: places of outputs and inputs, constants and the like of inputs, what clobbers name.
struct Words {
    places: &'static [&'static str],
    inputs: &'static [&'static str],
    clobbers: &'static [&'static str],
}

const AMDGPU: Words = Words {
    places: &["v", "s", "a"],
    inputs: &["i", "n", "I", "J", "A"],
    clobbers: &[
        "memory",
        "vcc",
        "scc",
        "exec",
        "m0",
        "v0",
        "s0",
        "vcc_lo",
        "vcc_hi",
        "exec_lo",
        "exec_hi",
        "flat_scratch",
    ],
};

/// Of targets whose registers are not known here.
const OTHERS: Words = Words {
    places: &["r"],
    inputs: &["i", "n", "m", "X"],
    clobbers: &["memory", "cc", "dirflag", "fpsr", "flags"],
};

/// What may be written after `typed`, the text between the quote and the cursor, and before `rest`, the text up to the next quote.
pub(super) fn constraints(cx: &Cx<'_>, at: TextSize, typed: &str, rest: &str) -> Vec<Completion> {
    let (before, own) = typed.rsplit_once(',').unwrap_or(("", typed));
    let after = rest.find(',').unwrap_or(rest.len());
    let range = TextRange::new(at - TextSize::of(own), at + TextSize::new(after as u32));
    let is_amdgpu = cx.scope.triple.as_deref().is_none_or(wavelens_isa::is_amdgpu);
    let words = if is_amdgpu { &AMDGPU } else { &OTHERS };
    let item = |constraint: String, rank| {
        let text = described(&constraint).unwrap_or_default();
        Completion::new(CompletionKind::Constant, range, constraint).documentation(text).rank(rank)
    };
    let earlier = || before.split(',').filter(|one| !one.is_empty());
    let is_output = |one: &str| one.starts_with(['=', '+']);
    let mut items = Vec::new();
    if earlier().all(is_output) {
        items.extend((10..).zip(words.places).map(|(rank, place)| item(format!("={place}"), rank)));
        items.extend((13..).zip(words.places).map(|(rank, place)| item(format!("=&{place}"), rank)));
    }
    if !earlier().any(|one| one.starts_with('~')) {
        items.extend((10..).zip(words.places).map(|(rank, place)| item((*place).to_owned(), rank)));
        let outputs = earlier().filter(|one| is_output(one)).count();
        items.extend((0..outputs).map(|number| item(number.to_string(), 16)));
        items.extend(words.inputs.iter().map(|input| item((*input).to_owned(), 17)));
    }
    items.extend(words.clobbers.iter().map(|name| item(format!("~{{{name}}}"), 30)));
    items
}
