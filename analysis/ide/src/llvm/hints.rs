//! Inlay hints in LLVM IR: values of hexadecimal floating-point literals, numbers of blocks and arguments that are not written,
//! parameter names at calls, source places of instructions, what addresses and attachments mean, names of the source.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_llvm::arena::{Ranges, Tables};
use wavelens_llvm::body::{Body, Inst, InstId, LocalKind, Opcode};
use wavelens_llvm::context::RuleContext;
use wavelens_llvm::layout::Layout;
use wavelens_llvm::operand::{Const, Operand, Value};
use wavelens_llvm::types::TypeId;
use wavelens_syntax::llvm::LlvmKind::*;

use super::accesses::Addresses;
use super::cfg::block_name;
use super::place::{Tree, function_cx};
use super::{Cx, attached, decode, show};
use crate::answers::{Hint, HintKind};
use crate::demangle::demangle_short;
use crate::loops::{BlockText, Loops};

/// The hints in the chunk.
pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    let mut hints = Vec::new();
    let tree = Tree::new(cx.text);
    let mut seen = FxHashSet::default();
    for (kind, range) in tree.tokens() {
        if kind == HEX_FLOAT
            && let Some(value) = decode::hex_float(cx.slice(range))
        {
            let hint = Hint::new(range.end(), format!("= {value}"), HintKind::Note);
            hints.push(hint.minor_if(!seen.insert(cx.slice(range))));
        }
    }
    let layout = &cx.scope.layout;
    for body in &cx.lowered.bodies {
        cx.view.db.unwind_if_revision_cancelled();
        unwritten(cx, body, &mut hints);
        calls(cx, body, &mut hints);
        places(cx, body, &mut hints);
        attachments(cx, &body.tables, &body.ranges, None, &mut hints);
        if body.insts.len() <= LARGE
            && let Some(view) = function_cx(cx, body)
        {
            addresses(cx, &view, layout, &mut hints);
            blocks(cx, &view, &mut hints);
        }
    }
    module(cx, layout, &mut hints);
    few_in_each_line(cx.text, &mut hints);
    hints
}

/// Hints of one kind that a line can have without becoming hard to read.
const IN_LINE: usize = 2;

/// Makes those minor of which a line has many of one kind, such as the values of a list.
fn few_in_each_line(text: &str, hints: &mut [Hint]) {
    hints.sort_by_key(|hint| hint.offset);
    let between = |a: &Hint, b: &Hint| text.get(usize::from(a.offset)..usize::from(b.offset)).unwrap_or("");
    for line in hints.chunk_by_mut(|a, b| !between(a, b).contains('\n')) {
        let mut counts = FxHashMap::<HintKind, usize>::default();
        line.iter().filter(|hint| !hint.is_minor).for_each(|hint| *counts.entry(hint.kind).or_default() += 1);
        line.iter_mut()
            .for_each(|hint| hint.is_minor |= counts.get(&hint.kind).is_some_and(|n| *n > IN_LINE));
    }
}

/// Functions with more instructions have no hints about types and control flow.
const LARGE: usize = 100_000;

/// Names of the source of what is defined or declared here, attachments and constants of globals.
fn module(cx: &Cx<'_>, layout: &Layout, hints: &mut Vec<Hint>) {
    let summary = &*cx.lowered.summary;
    let (tables, ranges) = (&summary.tables, &cx.lowered.ranges);
    let variables = summary.globals.iter().map(|global| (&global.head, false));
    // What is declared is named where it is called.
    let functions = summary.functions.iter().map(|function| (&function.head, !function.is_definition));
    for (head, is_declared) in functions.chain(variables) {
        let name = head.name.as_name().and_then(|name| demangle_short(tables.name(name)));
        let range = cx.lowered.items.get(head.item as usize);
        if let (Some(name), Some(range)) = (name, range) {
            hints.push(Hint::new(range.end(), name, HintKind::Demangled).minor_if(is_declared));
        }
    }
    let Some((index, _)) = cx.scope.summary_of(cx.id()) else { return };
    attachments(cx, tables, ranges, Some(index), hints);
    let canonical = |ty| cx.scope.canonical(index, ty);
    let types = &*cx.scope.types;
    constants(
        cx,
        &Addresses { scope: cx.scope, types, layout, tables, canonical: &canonical },
        ranges,
        hints,
    );
}

/// What attachments mean, at their ends.
fn attachments(cx: &Cx<'_>, tables: &Tables, ranges: &Ranges, summary: Option<u32>, hints: &mut Vec<Hint>) {
    for (attachment, range) in tables.cold.attachments.iter().zip(&ranges.cold.attachments) {
        let kind = tables.name(attachment.kind);
        if kind == "dbg" {
            continue;
        }
        let node = cx.scope.resolve(attachment.value, tables, summary);
        if let Some((kind, label)) = node.and_then(|node| attached::text(cx.scope, kind, node)) {
            // Front ends write it on every loop.
            let is_usual = label == MUST_PROGRESS;
            hints.push(Hint::new(range.end(), label, kind).minor_if(is_usual));
        }
    }
}

/// The hint on loops that says only that they end or do something.
const MUST_PROGRESS: &str = "the loop must make progress";

/// What addresses select, and values of constant expressions.
fn addresses(cx: &Cx<'_>, view: &RuleContext<'_>, layout: &Layout, hints: &mut Vec<Hint>) {
    let body = view.body;
    let canonical = |ty: TypeId| view.ty(ty);
    let addresses = Addresses {
        scope: cx.scope,
        types: &view.types,
        layout,
        tables: &body.tables,
        canonical: &canonical,
    };
    for (id, inst) in view.insts().filter(|(_, inst)| inst.opcode == Opcode::GetElementPtr) {
        if let Some((label, is_written)) = addresses.of_gep(body, inst, view) {
            let hint = Hint::new(body.inst_range(id).end(), label, HintKind::Access);
            hints.push(hint.minor_if(is_written));
        }
    }
    constants(cx, &addresses, &body.ranges, hints);
}

/// Values of constant expressions that are not part of others; what repeats one before is minor.
fn constants(cx: &Cx<'_>, addresses: &Addresses<'_>, ranges: &Ranges, hints: &mut Vec<Hint>) {
    let tables = addresses.tables;
    let mut inner = vec![false; tables.operands.len()];
    for expr in &tables.cold.exprs {
        inner.get_mut(expr.operands.range()).into_iter().flatten().for_each(|is_inner| *is_inner = true);
    }
    let outer = tables.operands.iter().zip(&ranges.operands).zip(&inner).filter(|(_, is_inner)| !**is_inner);
    let mut seen = FxHashSet::default();
    for ((operand, range), _) in outer {
        let Some(Const::Expr(index)) = tables.const_of(*operand) else { continue };
        let Some(expr) = tables.cold.exprs.get(index as usize) else { continue };
        if let Some(label) = addresses.constant(expr, (addresses.canonical)(operand.ty)) {
            let is_minor = addresses.says_bytes(expr) || !seen.insert(cx.slice(*range));
            hints.push(Hint::new(range.end(), label, HintKind::Note).minor_if(is_minor));
        }
    }
}

/// Predecessors and loop depth at labels. Predecessors are left out where LLVM's own comment lists them.
fn blocks(cx: &Cx<'_>, view: &RuleContext<'_>, hints: &mut Vec<Hint>) {
    let body = view.body;
    let (cfg, dominators) = (view.cfg(), view.dominators());
    let loops = Loops::new(cfg, dominators);
    for (block, own) in body.blocks.iter().enumerate() {
        let Some(range) = body.local(own.local).map(|local| local.range).filter(|range| !range.is_empty())
        else {
            continue;
        };
        let rest = cx.text.get(usize::from(range.end())..).unwrap_or("");
        let is_listed = rest.lines().next().is_some_and(|line| line.contains("; preds = "));
        let names = || {
            let mut blocks = cfg.predecessors(block as u32).to_vec();
            blocks.dedup();
            blocks.into_iter().map(|from| block_name(body, from)).collect()
        };
        let predecessors = (!is_listed && block > 0).then(names);
        hints.extend(BlockText::new(predecessors, loops.text(block)).hints(range.end()));
    }
}

/// Arguments and results that are numbered without being written.
fn unwritten(cx: &Cx<'_>, body: &Body, hints: &mut Vec<Hint>) {
    // Arguments after the first one are counted from there.
    let mut is_counted = false;
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
        let is_argument = kind == HintKind::Type;
        hints.push(Hint::new(offset, label, kind).minor_if(is_argument && is_counted));
        is_counted |= is_argument;
    }
}

/// Names of parameters, where the called function names them and the argument does not say the same.
fn calls(cx: &Cx<'_>, body: &Body, hints: &mut Vec<Hint>) {
    let mut seen = FxHashSet::default();
    for call in &body.calls {
        let callee: Operand = body.tables.operand(call.callee);
        let Value::Global(symbol) = callee.value else { continue };
        let name = symbol.as_name().and_then(|name| demangle_short(body.tables.name(name)));
        let is_repeated = !seen.insert(symbol);
        if let Some(name) = name {
            let end = body.ranges.operand(call.callee).end();
            hints.push(Hint::new(end, name, HintKind::Demangled).minor_if(is_repeated));
        }
        let Some(global) = cx.scope.global(symbol, &body.tables.names) else { continue };
        let Some((summary, function)) = cx.scope.function(global) else { continue };
        for (param, at) in summary.params(function).iter().zip(call.args.range()) {
            let Some(name) = param.name.and_then(|n| n.as_name()) else { continue };
            let name = summary.tables.names.get(name);
            let Some(range) = body.ranges.operands.get(at).copied() else { continue };
            if cx.slice(range).trim_start_matches('%') != name {
                let hint = Hint::new(range.start(), format!("{name}:"), HintKind::Parameter);
                // A value has a name of its own.
                let is_constant =
                    body.tables.operands.get(at).is_some_and(|o| body.tables.const_of(*o).is_some());
                hints.push(hint.minor_if(!is_constant || is_repeated));
            }
        }
    }
}

/// Instructions in a row of one source line whose place is shown among few hints. In optimized code the line changes with nearly
/// every instruction.
const LINE_RUN: usize = 3;

/// Where in the source instructions come from: at the first one of each place.
fn places(cx: &Cx<'_>, body: &Body, hints: &mut Vec<Hint>) {
    let place = |index: usize, inst: &Inst| {
        let attachment = body.tables.attachment(inst.attachments, "dbg")?;
        let node = cx.scope.resolve(attachment.value, &body.tables, None)?;
        Some((InstId(index as u32), show::short_location(cx.scope, node)?))
    };
    let found: Vec<_> =
        body.insts.iter().enumerate().filter_map(|(index, inst)| place(index, inst)).collect();
    // The last line that was shown among few hints.
    let mut last = None;
    for run in found.chunk_by(|a, b| a.1.line == b.1.line) {
        for (n, same) in run.chunk_by(|a, b| a.1 == b.1).enumerate() {
            let Some((id, place)) = same.first() else { continue };
            let is_shown = n == 0 && run.len() >= LINE_RUN && last != Some(place.line);
            if is_shown {
                last = Some(place.line);
            }
            let hint = Hint::new(body.inst_range(*id).end(), place.to_string(), HintKind::Place);
            let tooltip = show::source_line(cx, body, *id).unwrap_or_default();
            hints.push(hint.tooltip(tooltip).minor_if(!is_shown));
        }
    }
}
