//! Outline of LLVM IR: functions with their blocks first of all; what comes in thousands is grouped, metadata most of all.

use wavelens_base::TextRange;
use wavelens_llvm::body::Body;
use wavelens_llvm::summary::{Function, GlobalHead, Linkage};
use wavelens_llvm::types::{Type, TypeId};

use super::Cx;
use super::cfg::{block_name, block_range};
use crate::answers::{Symbol, SymbolKind};

/// Blocks beyond this are left out of the outline.
const MANY_BLOCKS: usize = 400;

/// The chunk's outline entries, in order.
pub fn outline(cx: &Cx<'_>) -> Vec<Symbol> {
    let summary = &*cx.lowered.summary;
    let names = &summary.tables.names;
    let mut top = Vec::new();
    let mut groups: [(&str, Vec<Symbol>); 6] =
        ["types", "strings and private constants", "declarations", "comdats", "attributes", "metadata"]
            .map(|name| (name, Vec::new()));
    let [types, private, declarations, comdats, attributes, metadata] = &mut groups;
    for def in &summary.cold.type_defs {
        let detail = def.ty.map_or_else(|| "opaque".to_owned(), |ty| short(type_text(cx, ty)));
        types.1.push(entry(cx, def.item, def.name.display('%', names), detail, SymbolKind::Type));
    }
    for global in &summary.globals {
        let kind = if global.is_constant { SymbolKind::Constant } else { SymbolKind::Variable };
        let symbol = global_entry(cx, &global.head, short(type_text(cx, global.ty)), kind);
        let hidden = global.is_constant && global.head.linkage == Linkage::Private;
        if hidden { private.1.push(symbol) } else { top.push(symbol) }
    }
    for alias in &summary.cold.aliases {
        let what = if alias.is_ifunc { "ifunc" } else { "alias" };
        let detail = format!("{what} {}", short(type_text(cx, alias.ty)));
        top.push(global_entry(cx, &alias.head, detail, SymbolKind::Variable));
    }
    for (index, function) in summary.functions.iter().enumerate() {
        let detail = short(signature(cx, function));
        if !function.is_definition {
            declarations.1.push(global_entry(cx, &function.head, detail, SymbolKind::Declaration));
            continue;
        }
        let kind = if is_kernel(function) { SymbolKind::EntryPoint } else { SymbolKind::Function };
        let mut symbol = global_entry(cx, &function.head, detail, kind);
        if let Some(body) = cx.lowered.bodies.iter().find(|b| b.function as usize == index) {
            symbol.range = symbol.range.cover(body.range);
            symbol.children = blocks(body);
        }
        top.push(symbol);
    }
    for comdat in &summary.cold.comdats {
        let name = wavelens_llvm::names::display('$', names.get(comdat.name));
        comdats.1.push(entry(cx, comdat.item, name, String::new(), SymbolKind::Other));
    }
    for group in &summary.cold.attr_groups {
        let symbol = entry(cx, group.item, format!("#{}", group.number), String::new(), SymbolKind::Other);
        attributes.1.push(symbol);
    }
    for named in &summary.cold.named_metadata {
        let name = format!("!{}", names.get(named.name));
        metadata.1.push(entry(cx, named.item, name, String::new(), SymbolKind::Other));
    }
    top.extend(groups.into_iter().filter_map(|(name, children)| {
        let range = children.iter().map(|c| c.range).reduce(|a, b| a.cover(b))?;
        let selection = children.first()?.selection;
        let detail = String::new();
        Some(Symbol { name: name.to_owned(), detail, kind: SymbolKind::Group, range, selection, children })
    }));
    top.sort_by_key(|s| s.range.start());
    top
}

fn entry(cx: &Cx<'_>, item: u32, name: String, detail: String, kind: SymbolKind) -> Symbol {
    let at = |ranges: &[TextRange]| ranges.get(item as usize).copied().unwrap_or_default();
    let selection = at(&cx.lowered.items);
    let range = at(&cx.lowered.item_spans).cover(selection);
    Symbol { name, detail, kind, range, selection, children: Vec::new() }
}

fn global_entry(cx: &Cx<'_>, head: &GlobalHead, detail: String, kind: SymbolKind) -> Symbol {
    let name = head.name.display('@', &cx.lowered.summary.tables.names);
    entry(cx, head.item, name, detail, kind)
}

/// Calling conventions by number: `ptx_kernel`, `spir_kernel`, `amdgpu_kernel`.
fn is_kernel(function: &Function) -> bool {
    matches!(function.cc, 71 | 76 | 91)
}

fn blocks(body: &Body) -> Vec<Symbol> {
    if body.blocks.len() > MANY_BLOCKS {
        return Vec::new();
    }
    // Numbers of blocks tell nothing.
    let is_named = |block: &u32| {
        let local = body.blocks.get(*block as usize).and_then(|b| body.local(b.local));
        local.is_some_and(|l| l.name.as_name().is_some())
    };
    (0..body.blocks.len() as u32)
        .filter(is_named)
        .map(|block| {
            let range = block_range(body, block);
            let local = body.blocks.get(block as usize).and_then(|b| body.local(b.local));
            let selection = local.map_or(range, |l| l.range);
            let selection = range.intersect(selection).unwrap_or(TextRange::empty(range.start()));
            Symbol {
                name: block_name(body, block),
                detail: String::new(),
                kind: SymbolKind::Label,
                range,
                selection,
                children: Vec::new(),
            }
        })
        .collect()
}

/// A type of the summary as it is written.
pub(super) fn type_text(cx: &Cx<'_>, ty: TypeId) -> String {
    let tables = &cx.lowered.summary.tables;
    tables.types.display(ty, &|named| match named {
        Type::Named(symbol) => symbol.display('%', &tables.names),
        _ => "%?".to_owned(),
    })
}

/// `i32 (ptr, ...)`.
fn signature(cx: &Cx<'_>, function: &Function) -> String {
    let summary = &*cx.lowered.summary;
    let mut params: Vec<String> = summary.params(function).iter().map(|p| type_text(cx, p.ty)).collect();
    if function.vararg {
        params.push("...".to_owned());
    }
    format!("{} ({})", type_text(cx, function.result), params.join(", "))
}

fn short(mut text: String) -> String {
    const LONG: usize = 80;
    if text.len() > LONG {
        let cut = (0..=LONG).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        text.truncate(cut);
        text.push('…');
    }
    text
}
