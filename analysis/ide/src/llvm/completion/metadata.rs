//! Metadata: attachments, kinds of nodes, their fields, attribute groups and debug records.

use wavelens_llvm::rules::metadata_fields::fields_of;
use wavelens_llvm::tables::debug_words;
use wavelens_syntax::llvm::LlvmKind::*;

use super::Place;
use crate::answers::{Completion, CompletionKind};
use crate::llvm::{Cx, help, show};

/// The kinds of attachments that are proposed, common ones first.
pub(crate) const ATTACHMENTS: &[&str] = &[
    "dbg",
    "tbaa",
    "prof",
    "fpmath",
    "range",
    "unpredictable",
    "invariant.load",
    "invariant.group",
    "alias.scope",
    "noalias",
    "nontemporal",
    "llvm.loop",
    "llvm.access.group",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "align",
    "noundef",
    "callees",
    "srcloc",
    "annotation",
    "nosanitize",
    "tbaa.struct",
    "nofpclass",
    "noalias.addrspace",
    "callee_type",
    "callback",
    "type",
    "associated",
    "absolute_symbol",
    "vcall_visibility",
    "section_prefix",
    "heapallocsite",
    "memprof",
    "callsite",
    "make.implicit",
    "mmra",
    "pcsections",
    "kcfi_type",
    "DIAssignID",
    "amdgpu.no.fine.grained.memory",
    "amdgpu.no.remote.memory",
    "amdgpu.ignore.denormal.mode",
    "amdgpu.last.use",
    "reqd_work_group_size",
    "work_group_size_hint",
    "vec_type_hint",
    "kernel_arg_addr_space",
    "kernel_arg_access_qual",
    "kernel_arg_type",
    "kernel_arg_base_type",
    "kernel_arg_type_qual",
    "kernel_arg_name",
];

pub(super) fn metadata(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    if place.in_body && place.last() == COMMA || place.last() == R_PAREN && !place.in_body {
        return attachments(cx, place, items, 10);
    }
    if place.before.is_empty() {
        for name in ["llvm.module.flags", "llvm.ident", "llvm.dbg.cu"] {
            items.push(Completion::new(CompletionKind::Metadata, place.range, format!("!{name}")).rank(10));
        }
        return;
    }
    for kind in wavelens_syntax::llvm::METADATA_KINDS {
        let item = Completion::new(CompletionKind::Metadata, place.range, format!("!{kind}"));
        let help = help::metadata(kind).unwrap_or_default();
        items.push(item.snippet(format!("!{kind}($0)")).documentation(help).rank(30));
    }
    nodes(cx, place, items);
}

/// What may be attached to an instruction or a function, and what front ends attach elsewhere in the chunk.
pub(super) fn attachments(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>, rank: u8) {
    for name in ATTACHMENTS {
        let help = help::metadata(name).unwrap_or_default();
        let item = Completion::new(CompletionKind::Metadata, place.range, format!("!{name}"));
        items.push(item.documentation(help).insert(format!("!{name} !")).rank(rank));
    }
    let mut others: Vec<&str> = cx.text.split('!').skip(1).filter_map(attached_name).collect();
    others.sort_unstable();
    others.dedup();
    for name in others.into_iter().filter(|name| !ATTACHMENTS.contains(name)) {
        let item = Completion::new(CompletionKind::Metadata, place.range, format!("!{name}"));
        items.push(item.insert(format!("!{name} !")).rank(rank));
    }
}

/// The name in a text that ends where a node begins: `amdgpu.uniform ` before `!4`.
fn attached_name(text: &str) -> Option<&str> {
    let name = text.strip_suffix(' ')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-$".contains(c);
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_name)).then_some(name)
}

/// The numbered nodes of the module.
pub(super) fn nodes(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    let numbers = cx.scope.summaries.iter().flat_map(|(_, s)| s.cold.metadata.iter().map(move |d| (s, d)));
    for (summary, def) in numbers {
        let node = summary.tables.cold.md_nodes.get(def.node as usize);
        let detail = node.map_or("", |n| n.kind.name());
        let item = Completion::new(CompletionKind::Metadata, place.range, format!("!{}", def.number));
        items.push(item.detail(detail).rank(40));
    }
}

pub(super) fn hashes(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    if place.in_body && place.before.is_empty() {
        let records = [
            ("#dbg_value", "#dbg_value(${1:metadata}, ${2:!var}, !DIExpression(), ${3:!loc})"),
            ("#dbg_declare", "#dbg_declare(${1:ptr}, ${2:!var}, !DIExpression(), ${3:!loc})"),
            ("#dbg_label", "#dbg_label(${1:!label}, ${2:!loc})"),
        ];
        for (label, snippet) in records {
            items.push(Completion::new(CompletionKind::Opcode, place.range, label).snippet(snippet).rank(10));
        }
    }
    for (_, summary) in &cx.scope.summaries {
        for group in &summary.cold.attr_groups {
            let detail = show::cut(show::attrs(&summary.tables, group.attrs), 60);
            let label = format!("#{}", group.number);
            items
                .push(Completion::new(CompletionKind::Attribute, place.range, label).detail(detail).rank(15));
        }
    }
}

/// Whether a DWARF word contains a vendor's name (`DW_OP_GNU_entry_value`)?
fn is_vendor(word: &str) -> bool {
    let name = word.splitn(3, '_').nth(2).unwrap_or("");
    name.split_once('_')
        .is_some_and(|(first, _)| first.len() > 1 && first.bytes().all(|b| b.is_ascii_uppercase()))
}

/// Inside `!DIExpression(`: the operations of DWARF.
pub(super) fn operations(cx: &Cx<'_>, place: &Place<'_>) -> Option<Vec<Completion>> {
    let before = cx.text.get(..usize::from(place.range.start()))?;
    let line = before.rsplit('\n').next()?;
    let open = line.rfind("!DIExpression(")?;
    if line.get(open..)?.contains(')') {
        return None;
    }
    let all = debug_words::all().iter().filter(|word| word.starts_with("DW_OP_"));
    let item = |word: &&str| {
        let item = Completion::new(CompletionKind::Constant, place.range, *word);
        let rank = match COMMON_OPERATIONS.contains(word) {
            true => 5,
            false if is_vendor(word) => 30,
            false => 10,
        };
        item.documentation(help::debug_word(word).unwrap_or_default()).rank(rank)
    };
    Some(all.map(item).collect())
}

/// The operations that compilers write most.
const COMMON_OPERATIONS: [&str; 10] = [
    "DW_OP_plus_uconst",
    "DW_OP_deref",
    "DW_OP_stack_value",
    "DW_OP_LLVM_fragment",
    "DW_OP_constu",
    "DW_OP_consts",
    "DW_OP_LLVM_arg",
    "DW_OP_plus",
    "DW_OP_minus",
    "DW_OP_LLVM_convert",
];

/// Inside `!DISomething(: the fields that are not there yet, or the words that a field takes.
pub(super) fn fields(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    let Some(open) = place.before.iter().rposition(|(k, _)| *k == L_PAREN) else { return };
    let kind = open.checked_sub(1).and_then(|i| place.before.get(i));
    let Some((METADATA_NAME, kind)) = kind else { return };
    let written = place.before.get(open..).unwrap_or(&[]);
    let last = written.last().map_or("", |(_, text)| *text);
    let fields = fields_of(kind.trim_start_matches('!'));
    // After `|` another flag of the same field.
    let field = match last {
        "|" => written.iter().rev().find_map(|(_, text)| text.strip_suffix(':')),
        _ => last.strip_suffix(':'),
    };
    if let Some(name) = field {
        let words = fields.iter().find(|f| f.name == name).map(|f| f.words()).unwrap_or_default();
        let is_written = |word: &&str| last == "|" && written.iter().any(|(_, text)| text == word);
        for word in words.into_iter().filter(|word| !is_written(word)) {
            // `DW_TAG_GNU_call_site`: a vendor's own.
            let item = Completion::new(CompletionKind::Constant, place.range, word);
            items.push(item.rank(if is_vendor(word) { 30 } else { 10 }));
        }
        return nodes(cx, place, items);
    }
    // In the order in which they are printed.
    for (index, field) in fields.iter().enumerate() {
        let label = format!("{}:", field.name);
        if written.iter().any(|(_, text)| *text == label) {
            continue;
        }
        let detail = if field.required { "required" } else { "" };
        let item = Completion::new(CompletionKind::Keyword, place.range, label.clone());
        let rank = 10 + index.min(20) as u8;
        items.push(item.detail(detail).insert(format!("{label} ")).rank(rank));
    }
}
