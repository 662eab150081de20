//! Completion in Machine IR.

use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::{function, ir, tables, token_at};
use crate::ide::{Completion, CompletionKind};
use crate::{TextRange, TextSize, llvm};

/// Everything that may stand at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    if let Some(inner) = ir(cx) {
        return llvm::completion::complete(&inner, at);
    }
    let (Some(f), Some(tables)) = (function(cx), tables(cx)) else { return Vec::new() };
    let parse = wavelens_syntax::mir::parse(cx.text);
    let (kind, range) = token_at(parse.lexed(), at).unwrap_or((MirKind::NEWLINE, TextRange::empty(at)));
    let typed = cx.slice(TextRange::new(range.start(), at.max(range.start())));
    let item = |label: String, kind, detail: String, rank| Completion {
        insert: label.clone(),
        label,
        kind,
        detail,
        documentation: String::new(),
        range,
        snippet: false,
        rank,
    };
    let before = cx.text.get(..usize::from(range.start())).unwrap_or("");
    if before.ends_with(':') && !before.ends_with("::") {
        let classes =
            (0..tables.class_count() as u16).map(|c| tables.class_name(wavelens_isa::mir::Class(c)));
        let banks = tables.facts().banks.iter().map(|b| b.name.clone());
        return banks.chain(classes).map(|n| item(n, CompletionKind::Type, String::new(), 1)).collect();
    }
    if before.ends_with('(') {
        return [
            "s1",
            "s8",
            "s16",
            "s32",
            "s64",
            "p0",
            "p1",
            "p3",
            "p4",
            "p5",
            "<2 x s16>",
            "<2 x s32>",
            "<4 x s32>",
        ]
        .iter()
        .map(|t| item((*t).to_owned(), CompletionKind::Type, String::new(), 1))
        .collect();
    }
    match kind {
        MirKind::PHYSREG => tables
            .registers_with_prefix(typed.strip_prefix('$').unwrap_or(""), 100)
            .into_iter()
            .map(|n| item(format!("${n}"), CompletionKind::Register, String::new(), 1))
            .collect(),
        MirKind::VREG | MirKind::NAMED_VREG | MirKind::BLOCK_NAME | MirKind::BAD
            if typed.starts_with('%') =>
        {
            let registers = (0..f.registers.len() as u32)
                .map(|i| item(f.register_text(i), CompletionKind::Local, String::new(), 1));
            let blocks = f.blocks.iter().map(|b| {
                item(format!("%bb.{}", b.number), CompletionKind::Label, f.names.get(b.name).to_owned(), 2)
            });
            let frame = f.frame.iter().map(|o| {
                let kind = if o.fixed { "%fixed-stack" } else { "%stack" };
                item(format!("{kind}.{}", o.id), CompletionKind::Variable, format!("{} bytes", o.size), 3)
            });
            registers.chain(blocks).chain(frame).collect()
        }
        MirKind::IDENT => tables
            .opcodes_with_prefix(typed, 200)
            .into_iter()
            .map(|(_, n)| {
                let detail = super::hover::signature_text(cx, &n).map_or(String::new(), |s| s.0);
                item(n, CompletionKind::Opcode, detail, 1)
            })
            .collect(),
        _ => Vec::new(),
    }
}
