//! Folding of AMDGPU assembly.

use wavelens_semantics::amdgpu::assembler::cursor::Cursor;
use wavelens_semantics::{TextRange, TextSize};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use crate::answers::{Fold, FoldKind};

/// Blocks from their directive to its end, runs of comment lines, and functions up to the next one.
pub fn folds(cx: &Cx<'_>) -> Vec<Fold> {
    let mut all = Vec::new();
    let mut open: Vec<(&str, TextSize)> = Vec::new();
    let mut c = Cursor::new(cx.text, &cx.lowered.lexed);
    while !c.at(EOF) {
        if c.eat(EOL) {
            continue;
        }
        let word = if c.at(IDENT) { c.word() } else { "" };
        let (start, is_end) = (c.range().start(), end_of(word));
        c.skip_line();
        let line_end = c.since(start).end();
        if let Some(begins) = is_end {
            let matching = open.iter().rposition(|(w, _)| begins.iter().any(|b| w.starts_with(b)));
            if let Some(at) = matching {
                let (_, from) = open.remove(at);
                open.truncate(at);
                all.push(Fold { range: TextRange::new(from, line_end), kind: FoldKind::Region });
            }
        } else if begins_block(word) {
            open.push((word, line_end));
        }
    }
    for line in cx.text.split_inclusive('\n') {
        let text = line.trim();
        if text.starts_with(';') || text.starts_with("//") {
            let start = line.as_ptr() as usize - cx.text.as_ptr() as usize;
            let range = TextRange::at(TextSize::new(start as u32), TextSize::of(line.trim_end()));
            all.push(Fold { range, kind: FoldKind::Comment });
        }
    }
    all
}

fn begins_block(word: &str) -> bool {
    matches!(word, ".macro" | ".rept" | ".rep" | ".irp" | ".irpc" | ".amdhsa_kernel" | ".amdgpu_metadata")
        || (word.starts_with(".if") && word != ".ident")
}

fn end_of(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        ".endm" | ".endmacro" => &[".macro"],
        ".endr" => &[".rep", ".irp"],
        ".endif" => &[".if"],
        ".end_amdhsa_kernel" => &[".amdhsa_kernel"],
        ".end_amdgpu_metadata" => &[".amdgpu_metadata"],
        _ => return None,
    })
}
