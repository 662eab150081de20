//! Outline of AMDGPU assembly.

use rustc_hash::FxHashSet;
use wavelens_base::{TextRange, TextSize};

use super::Cx;
use crate::amdgpu::words::{Word, words};
use crate::answers::{Symbol, SymbolKind};

/// The chunk's outline entries, in order: kernels and functions with their labels, macros, and named values.
pub fn outline(cx: &Cx<'_>) -> Vec<Symbol> {
    let (mut kernels, mut functions) = (FxHashSet::default(), FxHashSet::default());
    let mut last = String::new();
    words(cx.text, &cx.lowered.lexed, |_, word, kind| match kind {
        Word::Directive => last = word.to_owned(),
        Word::Symbol if last == ".amdhsa_kernel" => {
            kernels.insert(word.to_owned());
        }
        Word::Symbol if last == ".type" => {
            functions.insert(word.to_owned());
        }
        _ => {}
    });
    let mut all: Vec<Symbol> = Vec::new();
    // The kernel or function that the lines belong to, among them.
    let mut open = None;
    let end = TextSize::of(cx.text);
    let mut seen = FxHashSet::default();
    words(cx.text, &cx.lowered.lexed, |range, word, kind| {
        let (kind, detail) = match kind {
            Word::Label if word.starts_with(".L") || word.starts_with(|c: char| c.is_ascii_digit()) => {
                (SymbolKind::Label, "")
            }
            Word::Label if kernels.contains(word) => (SymbolKind::EntryPoint, "kernel"),
            Word::Label if functions.contains(word) || word.starts_with(|c: char| c != '.') => {
                (SymbolKind::Function, "")
            }
            Word::Label => (SymbolKind::Label, ""),
            Word::MacroName => (SymbolKind::Other, "macro"),
            Word::Assigned if seen.insert(word.to_owned()) => (SymbolKind::Constant, ""),
            _ => return,
        };
        let starts_part = matches!(kind, SymbolKind::EntryPoint | SymbolKind::Function);
        if starts_part {
            if let Some(part) = open.and_then(|at: usize| all.get_mut(at)) {
                part.range = TextRange::new(part.range.start(), range.start());
            }
            open = Some(all.len());
        }
        let whole = if starts_part { TextRange::new(range.start(), end) } else { range };
        let symbol = Symbol {
            name: word.to_owned(),
            detail: detail.to_owned(),
            kind,
            range: whole,
            selection: range,
            children: Vec::new(),
        };
        match open.filter(|_| kind == SymbolKind::Label).and_then(|at| all.get_mut(at)) {
            Some(part) => part.children.push(symbol),
            None => all.push(symbol),
        }
        // Compilers write this label after the last instruction.
        if word.starts_with(".Lfunc_end")
            && let Some(part) = open.take().and_then(|at| all.get_mut(at))
        {
            part.range = TextRange::new(part.range.start(), range.end());
        }
    });
    all
}
