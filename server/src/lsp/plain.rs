//! Answers without Markdown, for clients that show text as it is written.

use lsp_types::*;

use super::tables;

/// Where a client takes plain text only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Plain {
    pub hover: bool,
    pub completion: bool,
    pub signature: bool,
}

impl Plain {
    /// A client that names no format is older than the question, and shows Markdown.
    pub(super) fn of(capabilities: &TextDocumentClientCapabilities) -> Plain {
        let is_plain =
            |formats: Option<&Vec<MarkupKind>>| formats.is_some_and(|f| !f.contains(&MarkupKind::Markdown));
        let hover = capabilities.hover.as_ref().and_then(|h| h.content_format.as_ref());
        let completion = capabilities.completion.as_ref().and_then(|c| c.completion_item.as_ref());
        let signature = capabilities.signature_help.as_ref().and_then(|s| s.signature_information.as_ref());
        Plain {
            hover: is_plain(hover),
            completion: is_plain(completion.and_then(|c| c.documentation_format.as_ref())),
            signature: is_plain(signature.and_then(|s| s.documentation_format.as_ref())),
        }
    }

    pub(super) fn hover(self, hover: &mut Hover) {
        if let HoverContents::Markup(content) = &mut hover.contents
            && self.hover
        {
            make_plain(content);
        }
    }

    pub(super) fn completion(self, answer: &mut CompletionResponse) {
        let (CompletionResponse::Array(items) | CompletionResponse::List(CompletionList { items, .. })) =
            answer;
        for item in items.iter_mut().filter(|_| self.completion) {
            documentation(item.documentation.as_mut());
        }
    }

    pub(super) fn signature(self, help: &mut SignatureHelp) {
        for signature in help.signatures.iter_mut().filter(|_| self.signature) {
            documentation(signature.documentation.as_mut());
        }
    }
}

fn documentation(documentation: Option<&mut Documentation>) {
    if let Some(Documentation::MarkupContent(content)) = documentation {
        make_plain(content);
    }
}

fn make_plain(content: &mut MarkupContent) {
    *content = MarkupContent { kind: MarkupKind::PlainText, value: text(&content.value) };
}

/// The text of Markdown as the analysis writes it: paragraphs, lists, tables, code, emphasis, links and escapes.
fn text(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut fence: Option<usize> = None;
    for line in tables::as_text(markdown).lines() {
        let trimmed = line.trim();
        let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
        match fence {
            Some(opened) if ticks >= opened && ticks == trimmed.len() => fence = None,
            None if ticks >= 3 && !trimmed[ticks..].contains('`') => fence = Some(ticks),
            Some(_) => out.extend([line, "\n"]),
            // A rule between parts.
            None if trimmed == "---" => {}
            None => {
                plain_line(line, &mut out);
                out.push('\n');
            }
        }
    }
    // What is left of fences and rules.
    while out.contains("\n\n\n") {
        out = out.replace("\n\n\n", "\n\n");
    }
    out.trim().to_owned()
}

/// A line outside of blocks of code.
fn plain_line(line: &str, out: &mut String) {
    let mut rest = line.trim_start_matches('#');
    if rest.len() != line.len() {
        rest = rest.trim_start();
    }
    while let Some(c) = rest.chars().next() {
        let next = &rest[c.len_utf8()..];
        rest = match c {
            '\\' if next.starts_with(|c: char| c.is_ascii_punctuation()) => {
                out.push_str(&next[..1]);
                &next[1..]
            }
            '`' => {
                let code = rest.trim_start_matches('`');
                let (ticks, _) = rest.split_at(rest.len() - code.len());
                match code.find(ticks) {
                    Some(end) => {
                        let inner = &code[..end];
                        let padded = inner.strip_prefix(' ').and_then(|i| i.strip_suffix(' '));
                        out.push_str(padded.filter(|i| i.contains('`')).unwrap_or(inner));
                        &code[end + ticks.len()..]
                    }
                    None => {
                        out.push_str(ticks);
                        code
                    }
                }
            }
            '*' if next.starts_with('*') => &next[1..],
            // The name of a link; where it leads is of no use without a mouse.
            '[' if link(next).is_some() => {
                let (name, after) = link(next).unwrap_or_default();
                plain_line(name, out);
                after
            }
            c => {
                out.push(c);
                next
            }
        };
    }
}

/// Name and what follows a link, of the text after its bracket.
fn link(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once("](")?;
    let (target, after) = rest.split_once(')')?;
    (!name.contains('[') && target.starts_with("http")).then_some((name, after))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn marks_go_and_text_stays() {
        let markdown = "```llvm\n%x = add i32 %a, %b ; `c` **d**\n```\n\n---\n\n**Adds** `a` to ``b`c``, \\*not\\* a list: \
                        [Language reference](https://llvm.org/docs/LangRef.html#add)\n\n- `<2 x i32>` a[0] ** b\n\n| field | bits |\n|---|---|\n| `src0` | 8:0 |\n";
        expect![[r#"
            %x = add i32 %a, %b ; `c` **d**

            Adds a to b`c, *not* a list: Language reference

            - <2 x i32> a[0]  b

            field  bits
            src0   8:0"#]]
        .assert_eq(&text(markdown));
    }

    #[test]
    fn only_what_a_client_asks_for_is_plain() {
        let plain = |capabilities: serde_json::Value| {
            Plain::of(&serde_json::from_value(capabilities).unwrap_or_default())
        };
        assert_eq!(plain(serde_json::json!({})), Plain::default());
        let both = serde_json::json!({ "hover": { "contentFormat": ["plaintext", "markdown"] } });
        assert_eq!(plain(both), Plain::default());
        let hover = serde_json::json!({ "hover": { "contentFormat": ["plaintext"] } });
        assert_eq!(plain(hover), Plain { hover: true, ..Plain::default() });
    }
}
