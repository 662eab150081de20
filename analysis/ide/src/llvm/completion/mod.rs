//! Completion in LLVM IR.
//!
//! While one types the tree is broken at the cursor, so the tokens of the statement before it decide what may come.

mod intrinsics;
mod metadata;
mod strings;
mod words;

pub(super) use strings::values as attribute_values;

use wavelens_semantics::llvm::body::LocalKind;
use wavelens_semantics::llvm::scope::GlobalKind;
use wavelens_semantics::{TextRange, TextSize};
use wavelens_syntax::llvm::LlvmKind::{self, *};

use crate::answers::{Completion, CompletionKind};
use crate::llvm::place::{Tree, body_at, function_cx, spell};
use crate::llvm::{Cx, show};

/// The kind of completion at the cursor, from the tokens before it.
struct Place<'t> {
    /// What is being typed, sigil included.
    range: TextRange,
    typed: &'t str,
    /// Tokens of the statement before that.
    before: Vec<(LlvmKind, &'t str)>,
    in_body: bool,
}

impl Place<'_> {
    fn last(&self) -> LlvmKind {
        self.before.last().map_or(EOF, |(k, _)| *k)
    }

    fn has(&self, kind: LlvmKind) -> bool {
        self.before.iter().any(|(k, _)| *k == kind)
    }

    fn opcode(&self) -> Option<&str> {
        let mut words = self.before.iter();
        if self.before.get(1).is_some_and(|(k, _)| *k == EQUAL) {
            words.nth(1);
        }
        words.map(|(_, text)| *text).find(|t| !matches!(*t, "tail" | "musttail" | "notail"))
    }
}

/// All candidates at the cursor; the driver filters by the typed characters and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let tree = Tree::new(cx.text);
    let Some(place) = place(cx, &tree, at) else { return strings::complete(cx, at) };
    let mut items = Vec::new();
    match place.typed.chars().next() {
        Some('%') => percent(cx, at, &place, &mut items),
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
    // The statement may have begun on an earlier line: inside brackets it goes on.
    let (mut first, mut depth) = (all.len(), 0i32);
    while let Some(index) = first.checked_sub(1) {
        let (kind, range) = all.get(index)?;
        match kind {
            R_PAREN | R_BRACKET => depth += 1,
            L_PAREN | L_BRACKET => depth -= 1,
            _ => {}
        }
        let at = usize::from(range.start());
        if at < line_start && depth >= 0 || all.len() - index > 2000 {
            break;
        }
        first = index;
        // Nothing goes on over something that begins a line, but a label.
        if text.as_bytes().get(at.wrapping_sub(1)).is_none_or(|b| *b == b'\n') {
            break;
        }
    }
    let before = all.get(first..)?.iter().map(|(kind, range)| (*kind, cx.slice(*range))).collect();
    let in_body = body_at(cx, at).is_some_and(|b| b.range.contains(at)) || brace_is_open(all);
    let range = TextRange::new(TextSize::new(start as u32), at);
    Some(Place { range, typed, before, in_body })
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

/// Does a type end with this token?
fn ends_type(kind: LlvmKind) -> bool {
    matches!(kind, INT_TYPE | FLOAT_TYPE_KW | PTR_KW | R_BRACKET | GREATER | R_BRACE | METADATA_KW | VOID_KW)
}

/// The type that the value at the cursor should have, as written.
fn expected_type(place: &Place<'_>) -> Option<String> {
    let before = &place.before;
    let ty_at = |end: usize| -> Option<String> {
        let (kind, text) = before.get(end)?;
        if matches!(kind, INT_TYPE | FLOAT_TYPE_KW | PTR_KW | LOCAL | LOCAL_ID) {
            return Some((*text).to_owned());
        }
        // `<4 x i32>` and its like, back to the opening bracket.
        let open = match kind {
            GREATER => LESS,
            R_BRACKET => L_BRACKET,
            R_BRACE => L_BRACE,
            _ => return None,
        };
        let start = before.get(..end)?.iter().rposition(|(k, _)| *k == open)?;
        let words: Vec<&str> = before.get(start..=end)?.iter().map(|(_, t)| *t).collect();
        Some(words.join(" "))
    };
    let last = before.len().checked_sub(1)?;
    if ends_type(place.last()) || matches!(place.last(), LOCAL | LOCAL_ID) {
        return ty_at(last);
    }
    // The second operand of a binary operation has the type of the first; phi's values the phi's.
    let opcode = place.opcode()?;
    let opcode_at = before.iter().position(|(_, t)| *t == opcode)?;
    if place.last() == COMMA || place.last() == L_BRACKET {
        return (opcode_at + 1..before.len())
            .find_map(|i| if ends_type(before.get(i)?.0) { ty_at(i) } else { None });
    }
    None
}

fn wants_label(place: &Place<'_>) -> bool {
    let phi = place.opcode() == Some("phi");
    let in_pair = place.before.iter().rposition(|(k, _)| *k == L_BRACKET).is_some_and(|open| {
        let since = place.before.get(open..).unwrap_or(&[]);
        since.iter().any(|(k, _)| *k == COMMA) && !since.iter().any(|(k, _)| *k == R_BRACKET)
    });
    place.last() == LABEL_KW || phi && in_pair
}

fn percent(cx: &Cx<'_>, at: TextSize, place: &Place<'_>, items: &mut Vec<Completion>) {
    let labels = wants_label(place);
    let expected = expected_type(place);
    if place.in_body
        && let Some(body) = body_at(cx, at)
        && let Some(view) = function_cx(cx, body)
    {
        for (index, local) in body.locals.iter().enumerate() {
            let ty = view.display_ty(view.local_ty(wavelens_semantics::llvm::operand::LocalId(index as u32)));
            let label = local.name.display('%', &body.tables.names);
            let here = match local.kind {
                LocalKind::Inst(i) => {
                    body.inst_ranges.get(i as usize).is_some_and(|r| r.contains_inclusive(at))
                }
                LocalKind::Undefined => true,
                _ => false,
            };
            let own = place.before.get(1).is_some_and(|(k, _)| *k == EQUAL)
                && place.before.first().is_some_and(|(_, text)| *text == label);
            if here || own || labels != matches!(local.kind, LocalKind::Block(_)) {
                continue;
            }
            let kind = if labels { CompletionKind::Label } else { CompletionKind::Local };
            let fits = expected.as_deref().is_none_or(|e| squeeze(e) == squeeze(&ty));
            let before = local.range.start() < at;
            let rank = match (fits, before) {
                _ if labels => 10,
                (true, true) => 10,
                (true, false) => 14,
                (false, _) => 80,
            };
            let detail = if labels { String::new() } else { ty };
            items.push(Completion::new(kind, place.range, label).detail(detail).rank(rank));
        }
    }
    if !labels && expected.is_none() {
        types(cx, place, items, 30);
    }
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Named types.
fn types(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>, rank: u8) {
    for (_, summary) in &cx.scope.summaries {
        for def in &summary.rare.type_defs {
            let detail =
                def.ty.map_or_else(|| "opaque".to_owned(), |ty| show::local_type(&summary.tables, ty));
            let label = def.name.display('%', &summary.tables.names);
            let item = Completion::new(CompletionKind::Type, place.range, label);
            items.push(item.detail(show::cut(detail, 60)).rank(rank));
        }
    }
}

fn globals(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    let calls = place.has(CALL_KW) || place.has(INVOKE_KW) || place.has(CALLBR_KW);
    let callee = calls && !place.has(L_PAREN);
    for global in &cx.scope.globals {
        let Some(summary) = cx.scope.summary(global.summary) else { continue };
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
    if place.typed.starts_with("@l") {
        intrinsics::intrinsics(cx, place, items);
    }
}

/// For a snippet.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

fn comdats(cx: &Cx<'_>, place: &Place<'_>, items: &mut Vec<Completion>) {
    for (_, summary) in &cx.scope.summaries {
        for comdat in &summary.rare.comdats {
            let label = spell("$", summary.tables.names.get(comdat.name));
            items.push(Completion::new(CompletionKind::Label, place.range, label));
        }
    }
}
