//! Completion in LLVM IR.
//!
//! While one types the tree is broken at the cursor, so the tokens of the statement before it decide what may come.

mod constraints;
mod intrinsics;
mod metadata;
mod strings;
mod values;
mod words;

pub(super) use strings::values as attribute_values;

use wavelens_base::{TextRange, TextSize};
use wavelens_llvm::scope::GlobalKind;
use wavelens_syntax::llvm::LlvmKind::{self, *};

use crate::answers::{Completion, CompletionKind};
use crate::llvm::place::{Tree, body_at, spell};
use crate::llvm::{Cx, show};

/// The kind of completion at the cursor, from the tokens before it.
struct Place<'t> {
    /// What is being typed, sigil included.
    range: TextRange,
    typed: &'t str,
    /// Tokens of the statement before that.
    before: Vec<(LlvmKind, &'t str)>,
    /// Where the statement starts.
    start: TextSize,
    in_body: bool,
}

impl Place<'_> {
    fn last(&self) -> LlvmKind {
        self.before.last().map_or(EOF, |(k, _)| *k)
    }

    fn has(&self, kind: LlvmKind) -> bool {
        self.before.iter().any(|(k, _)| *k == kind)
    }

    /// Whether what is called comes, and not an argument.
    fn is_callee(&self) -> bool {
        let is_call = self.has(CALL_KW) || self.has(INVOKE_KW) || self.has(CALLBR_KW);
        is_call && !self.has(L_PAREN)
    }

    fn opcode(&self) -> Option<&str> {
        self.before.get(self.opcode_at()).map(|(_, text)| *text)
    }

    /// Where the opcode is, after a result and what marks a call as a tail call.
    fn opcode_at(&self) -> usize {
        let result = if self.before.get(1).is_some_and(|(k, _)| *k == EQUAL) { 2 } else { 0 };
        let tail = self.before.get(result).is_some_and(|(_, t)| matches!(*t, "tail" | "musttail" | "notail"));
        result + usize::from(tail)
    }
}

/// All candidates at the cursor; the driver filters by the typed characters and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let tree = Tree::new(cx.text);
    let Some(place) = place(cx, &tree, at) else { return strings::complete(cx, at) };
    if let Some(operations) = metadata::operations(cx, &place) {
        return operations;
    }
    let mut items = Vec::new();
    match place.typed.chars().next() {
        Some('%') => values::percent(cx, at, &place, &mut items),
        Some('@') => globals(cx, &place, &mut items),
        Some('!') => metadata::metadata(cx, &place, &mut items),
        Some('#') => metadata::hashes(cx, &place, &mut items),
        Some('$') => comdats(cx, &place, &mut items),
        _ => words::words(cx, at, &place, &mut items),
    }
    items
}

fn place<'t>(cx: &Cx<'t>, tree: &Tree<'_>, at: TextSize) -> Option<Place<'t>> {
    let text = cx.text.get(..usize::from(at))?;
    let is_name = |c: char| c.is_alphanumeric() || "-$._".contains(c);
    let stem = text.trim_end_matches(is_name);
    let mut start = stem.len();
    if let Some(c) = stem.chars().next_back().filter(|c| "%@!#".contains(*c)) {
        start -= c.len_utf8();
    }
    let typed = text.get(start..)?;
    let line_start = stem.rfind('\n').map_or(0, |n| n + 1);
    // A comment or string swallows what is typed.
    let line = text.get(line_start..start)?;
    if line.contains(';') && !line.contains('"') || line.matches('"').count() % 2 == 1 {
        return None;
    }
    let all = tree.tokens();
    let end = all.partition_point(|(_, range)| usize::from(range.start()) < start);
    let all = all.get(..end)?;
    let first = statement_start(text, all, line_start);
    let begin = all.get(first).map_or(TextSize::new(start as u32), |(_, range)| range.start());
    let before: Vec<(LlvmKind, &str)> =
        all.get(first..)?.iter().map(|(kind, range)| (*kind, cx.slice(*range))).collect();
    let is_head = matches!(before.first(), Some((DEFINE_KW | DECLARE_KW, _)));
    let is_inside = body_at(cx, at).is_some_and(|b| b.range.contains(at)) || brace_is_open(all);
    let in_body = is_inside && !is_head;
    let range = TextRange::new(TextSize::new(start as u32), at);
    Some(Place { range, typed, before, start: begin, in_body })
}

/// The first token of the statement at the end of a text. It may have begun on an earlier line: inside brackets, after a comma and
/// before some words it goes on.
fn statement_start(text: &str, tokens: &[(LlvmKind, TextRange)], line: usize) -> usize {
    let start = |index: usize| tokens.get(index).map_or(line, |(_, range)| usize::from(range.start()));
    let kind = |index: usize| tokens.get(index).map_or(EOF, |(kind, _)| *kind);
    let begins_line = |at: usize| at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
    // Nothing goes on over something that begins a line, but a label.
    let lowest = tokens.len().saturating_sub(2000);
    let sync = (lowest..tokens.len()).rev().find(|index| begins_line(start(*index)));
    let sync = sync.unwrap_or(lowest);
    let (mut first, mut depth, mut end) = (sync, 0i32, 0);
    for index in sync..=tokens.len() {
        let is_first = text.get(end..start(index)).is_some_and(|gap| gap.contains('\n'));
        let defines = matches!(kind(index), LOCAL | LOCAL_ID) && kind(index + 1) == EQUAL;
        let goes_on = matches!(kind(index), TO_KW | UNWIND_KW | LABEL_KW | COMMA)
            || index > 0 && matches!(kind(index - 1), COMMA | EQUAL);
        if is_first && (defines || depth <= 0 && !goes_on) {
            (first, depth) = (index, 0);
        }
        match kind(index) {
            L_PAREN | L_BRACKET => depth += 1,
            R_PAREN | R_BRACKET => depth -= 1,
            _ => {}
        }
        end = tokens.get(index).map_or(end, |(_, range)| usize::from(range.end()));
    }
    first
}

/// Is a function's body open at the end of these tokens?
fn brace_is_open(tokens: &[(LlvmKind, TextRange)]) -> bool {
    let last =
        tokens.iter().rposition(|(k, _)| matches!(k, DEFINE_KW | DECLARE_KW | ATTRIBUTES_KW | METADATA_NAME));
    let Some(last) = last.filter(|i| tokens.get(*i).is_some_and(|(k, _)| *k != ATTRIBUTES_KW)) else {
        return false;
    };
    let start = tokens.get(..=last).and_then(|t| t.iter().rposition(|(k, _)| *k == DEFINE_KW));
    let Some(start) = start else { return false };
    let open = |kind| tokens.get(start..).map_or(0, |t| t.iter().filter(|(k, _)| *k == kind).count());
    open(L_BRACE) > open(R_BRACE)
}

/// Named types.
fn types(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>, rank: u8) {
    for (_, summary) in &cx.scope.summaries {
        for def in &summary.cold.type_defs {
            let detail =
                def.ty.map_or_else(|| "opaque".to_owned(), |ty| show::local_type(&summary.tables, ty));
            let label = def.name.display('%', &summary.tables.names);
            let item = Completion::new(CompletionKind::Type, place.range, label);
            items.push(item.detail(show::cut(detail, 60)).rank(rank));
        }
    }
}

fn globals(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    let callee = place.is_callee();
    let wanted = values::GlobalFilter::new(place, callee);
    for global in &cx.scope.globals {
        let Some(summary) = cx.scope.summary(global.summary) else { continue };
        if !wanted.allows(cx, global) {
            continue;
        }
        let label = cx.scope.global_name(global);
        let function = matches!(global.kind, GlobalKind::Function(_));
        let kind = if function { CompletionKind::Function } else { CompletionKind::Variable };
        let mut item = Completion::new(kind, place.range, label.clone());
        item = item.rank(if function == callee { 10 } else { 20 });
        item = item.detail(show::cut(cx.scope.display_type(&cx.scope.types, global.value_type), 60));
        if let (true, Some((_, f))) = (callee, cx.scope.function(global)) {
            let params = summary.params(f).iter().enumerate();
            let places: Vec<String> = params
                .map(|(n, p)| {
                    format!("{} ${{{}:%{}}}", escape(&show::local_type(&summary.tables, p.ty)), n + 1, n)
                })
                .collect();
            item = item.snippet(format!("{}({})", escape(&label), places.join(", ")));
        }
        items.push(item);
    }
    // After a sigil alone too: an editor keeps a list that is complete.
    if place.typed.starts_with("@l") || callee && place.typed == "@" {
        intrinsics::intrinsics(cx, place, items);
    }
}

/// For a snippet.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

fn comdats(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    for (_, summary) in &cx.scope.summaries {
        for comdat in &summary.cold.comdats {
            let label = spell("$", summary.tables.names.get(comdat.name));
            items.push(Completion::new(CompletionKind::Label, place.range, label));
        }
    }
}
