//! Inlay hints: which of those that the analysis and the compiler have are shown, and where.

use std::collections::HashSet;

use lsp_types::*;
use tower_lsp::jsonrpc::Result;
use wavelens_ide::features::{self, HintKind};

use super::config::{HintPreset, Hints};
use super::convert::{inlay_hint, markup};
use super::costs;
use super::requests::whole;
use super::snapshot::{DocumentView, Snapshot};

/// What is shown of several hints at the end of a line: that of the highest rank.
pub(super) mod rank {
    /// Where most registers are live.
    pub(in crate::lsp) const PEAK: u8 = 90;
    pub(in crate::lsp) const REMARK: u8 = 80;
    /// Machine instructions of a line.
    pub(in crate::lsp) const COST: u8 = 20;
}

fn rank(kind: HintKind) -> u8 {
    match kind {
        HintKind::Live => rank::PEAK,
        HintKind::LoopHints => 75,
        HintKind::Profile => 70,
        HintKind::Range => 65,
        HintKind::Access => 60,
        HintKind::Note => 55,
        HintKind::Demangled => 50,
        HintKind::Block => 45,
        HintKind::LiveCount => 40,
        HintKind::Encoding => 35,
        HintKind::Distance => 30,
        HintKind::Place => 25,
        HintKind::AccessType | HintKind::Decoration | HintKind::Type | HintKind::Parameter => 10,
    }
}

fn is_wanted(switches: Hints, kind: HintKind) -> bool {
    match kind {
        HintKind::Type => switches.types,
        HintKind::Parameter => switches.parameters,
        HintKind::Note => switches.values,
        HintKind::Place => switches.places,
        HintKind::Demangled => switches.demangled,
        HintKind::Access => switches.accesses,
        HintKind::Profile => switches.profile,
        HintKind::Range => switches.ranges,
        HintKind::AccessType => switches.access_types,
        HintKind::LoopHints => switches.loop_hints,
        HintKind::Block => switches.blocks,
        HintKind::Decoration => switches.decorations,
        HintKind::Live => switches.live_registers,
        HintKind::LiveCount => switches.live_counts,
        HintKind::Encoding => switches.encoding,
        HintKind::Distance => switches.branch_distance,
    }
}

pub(super) fn inlay_hints(snapshot: &Snapshot, p: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let (switches, preset) = (snapshot.config.shown_hints(), snapshot.config.hint_preset);
    if preset == HintPreset::Off {
        return Ok(Some(Vec::new()));
    }
    let range = document.positions.text_range(p.range);
    let is_calm = preset == HintPreset::Calm;
    let own = features::hints(view, range)
        .into_iter()
        .filter(|hint| is_wanted(switches, hint.kind) && !(is_calm && hint.is_minor));
    let mut hints: Vec<_> = own.map(|hint| (rank(hint.kind), inlay_hint(document, hint))).collect();
    hints.extend(costs::hints(document, range, switches, is_calm));
    if is_calm {
        hints = one_at_each_end(document, hints);
    }
    let mut hints: Vec<InlayHint> = hints.into_iter().map(|(_, hint)| hint).collect();
    separate(&mut hints);
    Ok(Some(hints))
}

/// Leaves one hint at the end of each line, whose tooltip has the others.
fn one_at_each_end(document: &DocumentView, hints: Vec<(u8, InlayHint)>) -> Vec<(u8, InlayHint)> {
    let (mut at_ends, mut shown): (Vec<_>, Vec<_>) =
        hints.into_iter().partition(|(_, hint)| is_at_end(document, hint.position));
    at_ends.sort_by_key(|(rank, hint)| (hint.position.line, std::cmp::Reverse(*rank)));
    for of_line in at_ends.chunk_by(|a, b| a.1.position.line == b.1.position.line) {
        let Some(((rank, first), others)) = of_line.split_first() else { continue };
        let mut first = first.clone();
        let others: Vec<String> = others.iter().map(|(_, hint)| described(hint)).collect();
        if !others.is_empty() {
            let own = match &first.tooltip {
                Some(InlayHintTooltip::MarkupContent(content)) => content.value.clone() + "\n\n",
                _ => String::new(),
            };
            first.tooltip = Some(InlayHintTooltip::MarkupContent(markup(own + &others.join("\n\n"))));
        }
        shown.push((*rank, first));
    }
    shown.sort_by_key(|(_, hint)| (hint.position.line, hint.position.character));
    shown
}

/// Whether what follows in the line is nothing, a comment or attachments of an instruction.
fn is_at_end(document: &DocumentView, position: Position) -> bool {
    let positions = &document.positions;
    let rest = std::ops::Range::<usize> {
        start: positions.offset(position).into(),
        end: positions.offset(Position::new(position.line, u32::MAX)).into(),
    };
    let rest = positions.rope.get_byte_slice(rest).map(|rest| rest.to_string()).unwrap_or_default();
    let rest = rest.trim();
    rest.is_empty()
        || rest.starts_with([';', '!', '{', ':'])
        || rest.starts_with("//")
        || rest.starts_with(", !")
}

/// The label of a hint with its tooltip.
fn described(hint: &InlayHint) -> String {
    let InlayHintLabel::String(label) = &hint.label else { return String::new() };
    let label = wavelens_ide::markdown::code(label);
    match &hint.tooltip {
        Some(InlayHintTooltip::MarkupContent(content)) => format!("{label}: {}", content.value),
        _ => label,
    }
}

/// Editors put hints of one place side by side, without a space between them: those after the first begin with one.
fn separate(hints: &mut [InlayHint]) {
    let mut seen = HashSet::new();
    for hint in hints {
        if let InlayHintLabel::String(label) = &mut hint.label
            && !seen.insert((hint.position.line, hint.position.character))
        {
            label.insert(0, '\u{2002}');
        }
    }
}
