//! References in the YAML: blocks of jump tables, constants, metadata nodes.

use rustc_hash::FxHashMap;
use wavelens_syntax::mir::{MirKind, lex_fragment};

use super::{block_names, frame_objects, ir_constants, ir_names, metadata, names};
use crate::context::RuleContext;
use crate::model::*;
use wavelens_base::TextRange;

wavelens_syntax::rules! {
    BAD_REFERENCE {
        code: "bad-reference",
        severity: wavelens_base::Severity::Error,
        title: "a reference in the YAML is written as its key requires",
        explain: "For example a frame index is `%stack.0` and a metadata node `!0`.",
        example: r#"---
name: f
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ 'foo' ] }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ '%bb.0' ] }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParser: parseMBBReference, parseStackObjectReference, parseMDNode",
    }
}

/// All references outside instructions.
pub(super) fn check(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    for block in &f.blocks {
        if block.name.is_some() {
            ok &= ir_names::check_block(cx, block.name, block.range);
        }
        for (name, range) in &block.ir_blocks {
            ok &= ir_names::check_block(cx, *name, *range);
        }
    }
    ok &= frame_objects::check(cx);
    let mut ids = FxHashMap::default();
    for constant in &f.constants {
        if let Some(first) = ids.insert(constant.id, constant.id_range) {
            ok = false;
            let name = format!("%const.{}", constant.id);
            names::report_redefinition(cx, &names::UNDEFINED_CONSTANT, &name, first, constant.id_range);
        }
        if !constant.target_specific {
            ok &= ir_constants::check(cx, &constant.value.text, constant.value.range);
        }
    }
    ids.clear();
    for table in &f.jump_tables {
        if let Some(first) = ids.insert(table.id, table.id_range) {
            ok = false;
            let name = format!("%jump-table.{}", table.id);
            names::report_redefinition(cx, &names::UNDEFINED_JUMP_TABLE, &name, first, table.id_range);
        }
        for block in &table.blocks {
            ok &= check_block(cx, block);
        }
    }
    for text in f.properties.block_refs.iter().filter(|t| !t.text.is_empty()) {
        ok &= check_block(cx, text);
    }
    for text in f.properties.stack_refs.iter().filter(|t| !t.text.is_empty()) {
        ok &= frame_objects::check_text(cx, text);
    }
    for debug in &f.properties.entry_value_debug {
        ok &= metadata::check_debug_info(cx, debug);
    }
    let mut defined: FxHashMap<&str, TextRange> = FxHashMap::default();
    for node in &f.properties.machine_metadata {
        ok &= metadata::check_node(cx, node);
        let id = node.text.split('=').next().unwrap_or("").trim_end();
        if let Some(first) = defined.insert(id, node.range) {
            ok = false;
            names::report_redefinition(cx, &BAD_REFERENCE, id, first, node.range);
        }
    }
    ok
}

fn check_block(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    // The key of the body may be the one that is not known.
    if cx.f.blocks.is_empty() && cx.f.properties.has_unknown_key {
        return false;
    }
    match lex_fragment(&text.text).as_slice() {
        [(MirKind::BLOCK_NAME, name)] => {
            let rest = name.strip_prefix("%bb.").unwrap_or("");
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(u32::MAX);
            block_names::resolve_block(cx, number, Symbol::NONE, text.range).is_some()
        }
        _ => {
            cx.report(&BAD_REFERENCE, text.range, "expected a basic block (`%bb.N`)");
            false
        }
    }
}
