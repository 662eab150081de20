//! Inlay hints in LLVM IR: values of hexadecimal floating-point literals, numbers of blocks and arguments that are not written,
//! parameter names at calls, source places of instructions.

use wavelens_semantics::llvm::body::{Body, InstId, LocalKind};
use wavelens_syntax::llvm::LlvmKind::*;

use super::place::Tree;
use super::{Cx, decode, show};
use crate::answers::{Hint, HintKind};

/// The hints in the chunk.
pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    let mut hints = Vec::new();
    let tree = Tree::new(cx.text);
    for (kind, range) in tree.tokens() {
        if kind == HEX_FLOAT
            && let Some(value) = decode::hex_float(cx.slice(range))
        {
            let tooltip = String::new();
            hints.push(Hint {
                offset: range.end(),
                label: format!("= {value}"),
                tooltip,
                kind: HintKind::Note,
            });
        }
    }
    for body in &cx.lowered.bodies {
        unwritten(cx, body, &mut hints);
        calls(cx, body, &mut hints);
        places(cx, body, &mut hints);
    }
    hints
}

/// Arguments and results that are numbered without being written.
fn unwritten(cx: &Cx<'_>, body: &Body, hints: &mut Vec<Hint>) {
    for local in &body.locals {
        let Some(number) = local.name.as_number() else { continue };
        let written = cx.slice(local.range);
        if written.starts_with('%') || written.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (offset, label, kind) = match local.kind {
            LocalKind::Argument(_) => (local.range.end(), format!("%{number}"), HintKind::Type),
            LocalKind::Inst(_) => (local.range.start(), format!("%{number} ="), HintKind::Parameter),
            LocalKind::Block(_) | LocalKind::Undefined => continue,
        };
        hints.push(Hint { offset, label, tooltip: String::new(), kind });
    }
}

/// Names of parameters, where the called function names them and the argument does not say the same.
fn calls(cx: &Cx<'_>, body: &Body, hints: &mut Vec<Hint>) {
    for call in &body.calls {
        let callee = body.tables.operand(call.callee);
        let wavelens_semantics::llvm::operand::Value::Global(symbol) = callee.value else { continue };
        let Some(global) = cx.scope.global(symbol, &body.tables.names) else { continue };
        let Some((summary, function)) = cx.scope.function(global) else { continue };
        for (param, at) in summary.params(function).iter().zip(call.args.range()) {
            let Some(name) = param.name.and_then(|n| n.as_name()) else { continue };
            let name = summary.tables.names.get(name);
            let Some(range) = body.ranges.operands.get(at).copied() else { continue };
            if cx.slice(range).trim_start_matches('%') != name {
                let tooltip = String::new();
                hints.push(Hint {
                    offset: range.start(),
                    label: format!("{name}:"),
                    tooltip,
                    kind: HintKind::Parameter,
                });
            }
        }
    }
}

/// Where in the source an instruction comes from, when that changes.
fn places(cx: &Cx<'_>, body: &Body, hints: &mut Vec<Hint>) {
    let mut last = None;
    for (index, inst) in body.insts.iter().enumerate() {
        let id = InstId(index as u32);
        let Some(attachment) = body.tables.attachment(inst.attachments, "dbg") else { continue };
        let Some(node) = cx.scope.resolve(attachment.value, &body.tables, None) else { continue };
        let Some(place) = show::short_location(cx.scope, node) else { continue };
        if last.as_ref() == Some(&place) {
            continue;
        }
        let tooltip = show::source_line(cx, body, id).unwrap_or_default();
        hints.push(Hint {
            offset: body.inst_range(id).end(),
            label: place.clone(),
            tooltip,
            kind: HintKind::Place,
        });
        last = Some(place);
    }
}
