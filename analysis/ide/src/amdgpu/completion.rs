//! Completion in AMDGPU assembly.

use wavelens_semantics::amdgpu::assembler::kernel_descriptor::directive_names;
use wavelens_semantics::{TextRange, TextSize};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::{Cx, queries::facts};
use crate::amdgpu::words::{Word, words};
use crate::answers::{Completion, CompletionKind};

const DIRECTIVES: &[&str] = &[
    ".amdgcn_target",
    ".amdhsa_kernel",
    ".end_amdhsa_kernel",
    ".amdgpu_metadata",
    ".end_amdgpu_metadata",
    ".amdgpu_lds",
    ".text",
    ".data",
    ".rodata",
    ".section",
    ".globl",
    ".type",
    ".size",
    ".p2align",
    ".balign",
    ".set",
    ".macro",
    ".endm",
    ".exitm",
    ".purgem",
    ".rept",
    ".irp",
    ".irpc",
    ".endr",
    ".if",
    ".ifdef",
    ".ifndef",
    ".elseif",
    ".else",
    ".endif",
    ".include",
    ".byte",
    ".short",
    ".long",
    ".quad",
    ".float",
    ".double",
    ".ascii",
    ".asciz",
    ".error",
    ".warning",
    ".print",
    ".altmacro",
    ".noaltmacro",
    ".fill",
    ".space",
    ".org",
];

/// Everything that may stand at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let before = cx.text.get(..usize::from(at)).unwrap_or("");
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    let typed = before.trim_end_matches(is_word).len();
    let after = cx.text.get(usize::from(at)..).unwrap_or("");
    let rest = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let range = TextRange::new(TextSize::new(typed as u32), at + TextSize::new(rest as u32));
    let line = before.get(..typed).unwrap_or("").rsplit('\n').next().unwrap_or("");
    let statement =
        line.rsplit_once(':').map_or(line, |(label, rest)| if label.contains(' ') { line } else { rest });
    let mut items = Vec::new();
    if cx.lowered.lexed.kind(cx.lowered.lexed.at_offset(at)) == COMMENT && line.contains([';', '#']) {
        return items;
    }
    let mut add = |kind, label: &str, rank| items.push(Completion::new(kind, range, label).rank(rank));
    if statement.trim().is_empty() {
        DIRECTIVES.iter().for_each(|d| add(CompletionKind::Keyword, d, 60));
        directive_names().for_each(|d| add(CompletionKind::Keyword, &d, 70));
        cx.scope.macro_names().for_each(|m| add(CompletionKind::Function, m, 20));
        if let Some(target) = cx.scope.settings.target.or(facts(cx).target) {
            mnemonics(target).iter().for_each(|m| add(CompletionKind::Opcode, m, 50));
        }
        return items;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    words(cx.text, &cx.lowered.lexed, |_, word, kind| {
        let shown = match kind {
            Word::Label => CompletionKind::Label,
            Word::Assigned => CompletionKind::Constant,
            Word::Modifier => CompletionKind::Keyword,
            Word::Register => CompletionKind::Register,
            Word::Constant => CompletionKind::Constant,
            _ => return,
        };
        if seen.insert(word.to_owned()) {
            add(shown, word, if kind == Word::Register { 80 } else { 40 });
        }
    });
    cx.scope.symbol_names().for_each(|s| add(CompletionKind::Variable, s, 45));
    for register in ["vcc", "exec", "m0", "scc", "vcc_lo", "vcc_hi", "exec_lo", "exec_hi", "null", "off"] {
        add(CompletionKind::Register, register, 75);
    }
    items
}

/// Every mnemonic of a target, made once.
fn mnemonics(target: wavelens_isa::Target) -> std::sync::Arc<Vec<String>> {
    use std::sync::{Arc, LazyLock, Mutex};
    type Cache = Mutex<rustc_hash::FxHashMap<wavelens_isa::Target, Arc<Vec<String>>>>;
    static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);
    let mut cache = CACHE.lock().unwrap_or_else(|e| e.into_inner());
    cache
        .entry(target)
        .or_insert_with(|| {
            let first_word = |id| {
                let line = wavelens_isa::samples(target, id, 1).into_iter().next()?;
                Some(line.split_whitespace().next()?.to_owned())
            };
            let mut all: Vec<String> = (0..wavelens_isa::rows()).filter_map(first_word).collect();
            all.sort();
            all.dedup();
            Arc::new(all)
        })
        .clone()
}
