//! Numbers and names of machine basic blocks.

use rustc_hash::FxHashMap;

use crate::context::RuleContext;
use crate::model::*;
use wavelens_base::{Diagnostic, Place, TextRange};

wavelens_syntax::rules! {
    UNDEFINED_BLOCK {
        code: "undefined-machine-block",
        severity: wavelens_base::Severity::Error,
        title: "a `%bb.N` is a block of the function",
        explain: "If a name is given, it must be the name of the IR block.",
        example: r#"---
name: f
body: |
  bb.0:
    S_BRANCH %bb.7
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMBBReference: \"use of undefined machine basic block\"",
    }

    DUPLICATE_BLOCK {
        code: "duplicate-machine-block",
        severity: wavelens_base::Severity::Error,
        title: "a block number is defined once",
        explain: "A branch to the number would have two targets.",
        example: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0

  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0

  bb.1:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseBasicBlockDefinition: \"redefinition of machine basic block with id\"",
    }
}

/// The block that a number means.
pub(super) fn resolve_block(
    cx: &mut RuleContext<'_>,
    number: u32,
    name: Symbol,
    range: TextRange,
) -> Option<u32> {
    let found = find_block(cx.f, &cx.blocks, number, name);
    found.map_err(|message| cx.report_once(&UNDEFINED_BLOCK, range, message)).ok()
}

fn find_block(f: &Function, blocks: &FxHashMap<u32, u32>, number: u32, name: Symbol) -> Result<u32, String> {
    let Some(place) = blocks.get(&number).copied() else {
        return Err(match number {
            u32::MAX => "the number of this block does not fit in 32 bits".to_owned(),
            _ => format!("use of undefined block `%bb.{number}`"),
        });
    };
    let wanted = f.names.get(name);
    let own = f.blocks.get(place as usize).map_or("", |b| block_ir_name(f, b));
    if !wanted.is_empty() && wanted != own {
        return Err(format!("block `%bb.{number}` has the name `{own}`, found `{wanted}`"));
    }
    Ok(place)
}

fn block_ir_name<'a>(f: &'a Function, block: &'a Block) -> &'a str {
    if block.name.is_some() {
        return f.names.get(block.name);
    }
    block.ir_blocks.first().map_or("", |b| f.names.get(b.0))
}

/// Places of blocks by their numbers; reports duplicate numbers.
pub(super) fn number_blocks(f: &Function, diagnostics: &mut Vec<Diagnostic>) -> FxHashMap<u32, u32> {
    let mut blocks: FxHashMap<u32, u32> = FxHashMap::default();
    for (place, block) in f.blocks.iter().enumerate() {
        let first = *blocks.entry(block.number).or_insert(place as u32);
        if let Some(first) = f.blocks.get(first as usize).filter(|_| first as usize != place) {
            let message = format!("redefinition of `bb.{}`", block.number);
            let d = Diagnostic::new(&DUPLICATE_BLOCK, block.range, message);
            diagnostics.push(d.related(Place::Here(first.range), wavelens_syntax::wording::PREVIOUS));
        }
    }
    blocks
}

/// References to undefined blocks, for targets without tables.
pub(super) fn check_without_target(f: &Function, diagnostics: &mut Vec<Diagnostic>) {
    let blocks = number_blocks(f, diagnostics);
    let operands = f.operands.iter().filter_map(|o| match o.kind {
        OperandKind::Block(number, name) => Some((number, name, o.range)),
        _ => None,
    });
    let successors = f.successors.iter().map(|s| (s.block, s.name, s.range));
    for (number, name, range) in operands.chain(successors) {
        if let Err(message) = find_block(f, &blocks, number, name) {
            diagnostics.push(Diagnostic::new(&UNDEFINED_BLOCK, range, message).once());
        }
    }
}
