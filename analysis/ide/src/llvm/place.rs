//! Finding one's way in the text of a chunk, for the answers that show or edit text.

use wavelens_base::{TextRange, TextSize, sizes};
use wavelens_llvm::body::Body;
use wavelens_llvm::context::RuleContext;
use wavelens_llvm::names::display;
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::{Node, Parse, Token};

use super::Cx;

/// A chunk's tree with its text.
pub(super) struct Tree<'t> {
    text: &'t str,
    parse: Parse<LlvmKind>,
}

impl<'t> Tree<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Tree { text, parse: wavelens_syntax::llvm::parse(text) }
    }

    /// What is needed of the tree to see the token at an offset and the nodes around it. Of a large function that is its header and the
    /// instructions around the offset.
    pub(super) fn around(cx: &Cx<'t>, at: TextSize) -> Self {
        Self::around_in(cx, at, TextSize::new(sizes::TREE))
    }

    fn around_in(cx: &Cx<'t>, at: TextSize, large: TextSize) -> Self {
        let body = body_at(cx, at).filter(|body| body.range.len() > large);
        let Some(ranges) = body.and_then(|body| ranges_around(cx.text, body, at)) else {
            return Self::new(cx.text);
        };
        Tree { text: cx.text, parse: wavelens_syntax::llvm::parse_ranges(cx.text, &ranges) }
    }

    pub(super) fn root(&self) -> Node<'_, LlvmKind> {
        self.parse.root(self.text)
    }

    /// The tokens that are not trivia, in order.
    pub(super) fn tokens(&self) -> Vec<(LlvmKind, TextRange)> {
        let lexed = self.parse.lexed();
        let significant = (0..lexed.len()).filter(|i| !matches!(lexed.kind(*i), WHITESPACE | COMMENT));
        significant.map(|i| (lexed.kind(i), lexed.range(i))).collect()
    }

    /// Comments, in order.
    pub(super) fn comments(&self) -> impl Iterator<Item = TextRange> {
        let lexed = self.parse.lexed();
        (0..lexed.len()).filter(|i| lexed.kind(*i) == COMMENT).map(|i| lexed.range(i))
    }

    /// The significant token at an offset (the one with letters where two meet), and the nodes around it, outermost first.
    pub(super) fn at(&self, at: TextSize) -> Option<(Token<'_, LlvmKind>, Vec<Node<'_, LlvmKind>>)> {
        let mut best: Option<(u8, Token<'_, LlvmKind>, Vec<Node<'_, LlvmKind>>)> = None;
        let mut stack = vec![vec![self.root()]];
        while let Some(path) = stack.pop() {
            let Some(node) = path.last().copied() else { continue };
            for token in node.tokens().filter(|t| t.range().contains_inclusive(at)) {
                let rank = rank(token.kind()) + u8::from(token.range().contains(at));
                if best.as_ref().is_none_or(|(r, ..)| *r < rank) {
                    best = Some((rank, token, path.clone()));
                }
            }
            for child in node.children().filter(|n| n.range().contains_inclusive(at)) {
                let mut path = path.clone();
                path.push(child);
                stack.push(path);
            }
        }
        best.map(|(_, token, path)| (token, path))
    }
}

/// The parts of a chunk that are read for an offset in a function: all but its instructions, and of these the ones around the offset.
fn ranges_around(text: &str, body: &Body, at: TextSize) -> Option<[TextRange; 3]> {
    let open = body.range.start() + TextSize::of('{');
    let close = body.range.end().checked_sub(TextSize::of('}'))?;
    // A body without its closing brace ends with some other token.
    text.get(..usize::from(close))?.trim_end_matches([' ', '\t']).strip_suffix('\n')?;
    let insts = &body.inst_ranges;
    let next = insts.partition_point(|range| range.start() <= at);
    // An instruction more in each direction: what is between two of them, such as a label, belongs to neither.
    let start = next.checked_sub(2).and_then(|first| insts.get(first)).map_or(open, |range| range.start());
    let end = insts.get(next + 1).map_or(close, |range| range.start());
    let is_read = at <= open || at >= close || start <= at && at < end;
    (is_read && open <= start && start <= end && end <= close).then(|| {
        [TextRange::up_to(open), TextRange::new(start, end), TextRange::new(close, TextSize::of(text))]
    })
}

/// How much more likely one means this token than its neighbour.
fn rank(kind: LlvmKind) -> u8 {
    match kind {
        EQUAL | COMMA | STAR | L_BRACKET | R_BRACKET | L_BRACE | R_BRACE | LESS | GREATER | L_PAREN
        | R_PAREN | BAR | COLON | ELLIPSIS => 0,
        _ => 2,
    }
}

/// Is the kind a word of the grammar?
pub(super) fn is_keyword(kind: LlvmKind) -> bool {
    kind > BAD && kind < SOURCE_FILENAME
}

/// The text of a name: without sigil, quotes and a label's colon, escapes undone. A name in quotes that looks like a number keeps
/// its quotes, to tell it from the number.
pub(super) fn plain_name(written: &str) -> String {
    let name = written.strip_suffix(':').unwrap_or(written);
    let name = name.strip_prefix(['%', '@', '$', '!', '#', '^']).unwrap_or(name);
    let Some(quoted) = name.strip_prefix('"') else { return unescape(name) };
    let name = unescape(quoted.strip_suffix('"').unwrap_or(quoted));
    if is_number(&name) { format!("\"{name}\"") } else { name }
}

pub(super) fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())
}

/// `\41` is `A`, `\\` is `\`. What does not make UTF-8 is replaced.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        match (byte, bytes.get(at + 1), code) {
            (b'\\', Some(b'\\'), _) => {
                out.push(b'\\');
                at += 2;
            }
            (b'\\', _, Some(code)) => {
                out.push(code);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A name as it must be written, with its sigil.
pub(super) fn spell(sigil: &str, name: &str) -> String {
    let inner = name.strip_prefix('"').and_then(|n| n.strip_suffix('"'));
    if is_number(name) {
        return format!("{sigil}{name}");
    }
    let name = inner.unwrap_or(name);
    let mut escaped = String::new();
    for c in name.chars() {
        match c {
            '"' | '\\' => escaped.push_str(&format!("\\{:02X}", u32::from(c))),
            c if c.is_control() => escaped.push_str(&format!("\\{:02X}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    let written = display('%', &escaped);
    format!("{sigil}{}", written.strip_prefix('%').unwrap_or(&written))
}

/// The body around an offset. The function's header belongs to it.
pub(super) fn body_at<'db>(cx: &Cx<'db>, at: TextSize) -> Option<&'db Body> {
    cx.lowered.bodies.iter().find(|b| function_span(cx, b).contains_inclusive(at))
}

/// The whole function of a body, from `define` to the brace.
pub(super) fn function_span(cx: &Cx<'_>, body: &Body) -> TextRange {
    let function = cx.lowered.summary.functions.get(body.function as usize);
    let span = function.and_then(|f| cx.lowered.item_spans.get(f.head.item as usize)).copied();
    span.map_or(body.range, |s| s.cover(body.range))
}

/// The rules' view of a body: canonical types of all values.
pub(super) fn function_cx<'db>(cx: &Cx<'db>, body: &'db Body) -> Option<RuleContext<'db>> {
    RuleContext::new(cx.lowered, cx.scope, cx.id(), cx.text, body)
}

#[cfg(test)]
mod tests {
    use wavelens_base::Dialect;
    use wavelens_check::dialect::{Lowered, Scope};

    use super::*;
    use crate::features::tests::at_cursor;

    /// A token with its range, and the nodes around it, with those ranges that lie in one instruction.
    type Shown = (LlvmKind, TextRange, Vec<(LlvmKind, Option<TextRange>)>);

    fn shown(tree: &Tree<'_>, at: TextSize) -> Option<Shown> {
        let (token, path) = tree.at(at)?;
        let wide = |kind| matches!(kind, ROOT | FUNCTION | BODY | BLOCK);
        let path = path.iter().map(|n| (n.kind(), (!wide(n.kind())).then(|| n.range()))).collect();
        Some((token.kind(), token.range(), path))
    }

    #[test]
    fn a_part_of_a_function_has_the_tokens_of_the_whole() {
        let text = r#"define i32 @f(i32 %a, ptr %p) personality ptr @g !dbg !1 {
entry:
    #dbg_value(i32 %a, !2, !DIExpression(), !3)
  %b = add i32 %a, 1 ; a comment: entry
  switch i32 %b, label %other [
    i32 1, label %one
    i32 2, label %other
  ], !dbg !3
one:
  %c = call memory(read) i32 @h(i32 %b, { i32, i32 } { i32 1, i32 2 }), !dbg !3
  %d = lod i32, ptr %p
  store i32 %c, ptr %p, align
  br label %other
other:                                            ; preds = %one, %entry
  %e = phi i32 [ %b, %entry ], [ %c, %one ] fence seq_cst
  ret i32 %e
  uselistorder i32 %b, { 1, 0 }
}

"#;
        let damaged = text.replace("ret i32 %e\n", "ret i32 %e, {i32}").replace("}\n\n", "");
        for text in [text, &damaged] {
            let mut parts = 0;
            at_cursor(Dialect::Llvm, &format!("{text}$0"), |view, _| {
                let chunk = view.chunks()[0];
                let (Lowered::Llvm(lowered), Scope::Llvm(scope)) = (view.lowered(chunk), view.scope()) else {
                    return;
                };
                let cx = Cx::new(view, 0, chunk, lowered, scope);
                let whole = Tree::new(cx.text);
                for at in (0..=cx.text.len() as u32).map(TextSize::new) {
                    let part = Tree::around_in(&cx, at, TextSize::new(0));
                    parts += usize::from(part.tokens().len() < whole.tokens().len());
                    assert_eq!(shown(&part, at), shown(&whole, at), "at {at:?} of\n{}", cx.text);
                }
            });
            assert_eq!(parts > 0, text.ends_with("}\n\n"), "{parts} parts");
        }
    }
}
