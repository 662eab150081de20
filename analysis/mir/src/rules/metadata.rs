//! Metadata nodes that machine functions name.

use wavelens_syntax::mir::{MirKind, lex_fragment};

use super::yaml_references::BAD_REFERENCE;
use crate::context::RuleContext;
use crate::ir::Metadata;
use crate::model::*;
use wavelens_base::{Diagnostic, TextRange, TextSize};

wavelens_syntax::rules! {
    UNDEFINED_METADATA {
        code: "undefined-metadata",
        severity: wavelens_base::Severity::Error,
        title: "a metadata node is defined in the IR module or in `machineMetadataNodes:`",
        explain: "The number refers to no node otherwise.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_NOP 0, debug-location !7
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMDNode: \"use of undefined metadata\"",
    }

    WRONG_METADATA {
        code: "wrong-metadata",
        severity: wavelens_base::Severity::Error,
        title: "a metadata node has the kind that its place requires",
        explain: "Debug information is read by kind: DILocation, DILocalVariable, DIExpression.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    S_NOP 0, debug-location !0
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseDILocation: \"referenced metadata is not a DILocation\"",
    }
}

fn kind_of(cx: &RuleContext<'_>, number: u32) -> Option<Metadata> {
    if let Some(kind) = cx.scope.metadata.get(&number) {
        return Some(*kind);
    }
    let own = format!("!{number} ");
    cx.f.properties
        .machine_metadata
        .iter()
        .any(|m| m.text.starts_with(&own) || m.text.starts_with(own.trim_end()))
        .then_some(Metadata::Other)
}

pub(super) fn check_number(cx: &mut RuleContext<'_>, number: u32, range: TextRange) -> bool {
    if kind_of(cx, number).is_some() {
        return true;
    }
    cx.report_undefined(&UNDEFINED_METADATA, range, "metadata", &format!("!{number}"));
    false
}

/// A node that an instruction names is defined and of the kind that its place requires.
pub(super) fn check_reference(cx: &mut RuleContext<'_>, node: &MetadataRef) -> bool {
    check_number(cx, node.number, node.range) && node.wanted.is_none_or(|wanted| check_kind(cx, node, wanted))
}

fn check_kind(cx: &mut RuleContext<'_>, node: &MetadataRef, wanted: Metadata) -> bool {
    if kind_of(cx, node.number).is_none_or(|kind| kind == wanted || kind == Metadata::Unknown) {
        return true;
    }
    let name = if wanted == Metadata::Scope {
        "scope (`!DISubprogram`, `!DILexicalBlock`)"
    } else {
        "`!DILocation`"
    };
    cx.report(&WRONG_METADATA, node.range, format!("`!{}` is not a {name}", node.number));
    false
}

/// The first node of a text that has several, and the range of the rest: what LLVM prints for a variable with several parts, and does not
/// read.
fn more_nodes(text: &Text) -> Option<(&str, TextRange)> {
    let name = text.text.strip_prefix('!')?;
    let end = match name.starts_with("DI") {
        true => name.find(')')? + 1,
        false => name.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?,
    };
    let (first, rest) = text.text.split_at(end + 1);
    let start = text.range.start() + TextSize::of(first);
    // Escapes in the string make the two differ.
    let is_verbatim = TextSize::of(text.text.as_str()) == text.range.len();
    (rest.starts_with('!') && is_verbatim).then(|| (first, TextRange::new(start, text.range.end())))
}

pub(super) fn check_debug_info(cx: &mut RuleContext<'_>, texts: &[Text; 3]) -> bool {
    let mut ok = true;
    let wanted = [
        (Metadata::Variable, "a `!DILocalVariable`"),
        (Metadata::Expression, "a `!DIExpression`"),
        (Metadata::Location, "a `!DILocation`"),
    ];
    for (text, (kind, name)) in texts.iter().zip(wanted) {
        if text.text.is_empty() {
            continue;
        }
        let tokens = lex_fragment(&text.text);
        let found = match tokens.as_slice() {
            [(MirKind::EXCLAIM, _), (MirKind::INT, number)] => {
                let number = number.parse().unwrap_or(u32::MAX);
                if !check_number(cx, number, text.range) {
                    ok = false;
                    continue;
                }
                kind_of(cx, number)
            }
            [(MirKind::DIEXPRESSION, _), (MirKind::MD_TEXT, _)] => Some(Metadata::Expression),
            [(MirKind::DILOCATION, _), ..] => Some(Metadata::Location),
            _ => None,
        };
        if ![Some(kind), Some(Metadata::Unknown)].contains(&found) {
            ok = false;
            match more_nodes(text) {
                Some((first, range)) => {
                    let message = format!("expected {name}, found more text after `{first}`");
                    let title = format!("Keep only `{first}`");
                    cx.diagnostics
                        .push(Diagnostic::new(&WRONG_METADATA, range, message).guess(title, range, ""));
                }
                None => {
                    cx.report(&WRONG_METADATA, text.range, format!("expected {name}"));
                }
            }
        }
    }
    ok
}

/// `!0 = distinct !{!1, !"x"}` in `machineMetadataNodes:`.
pub(super) fn check_node(cx: &mut RuleContext<'_>, text: &Text) -> bool {
    let tokens = lex_fragment(&text.text);
    let kinds: Vec<MirKind> = tokens.iter().map(|t| t.0).collect();
    let head = [MirKind::EXCLAIM, MirKind::INT, MirKind::EQUAL];
    let mut at = 3;
    if kinds.get(3) == Some(&MirKind::DISTINCT_KW) {
        at += 1;
    }
    let mut ok = kinds.starts_with(&head)
        && kinds.get(at) == Some(&MirKind::EXCLAIM)
        && kinds.get(at + 1) == Some(&MirKind::LBRACE);
    at += 2;
    while ok && kinds.get(at) != Some(&MirKind::RBRACE) {
        ok = kinds.get(at) == Some(&MirKind::EXCLAIM)
            && matches!(kinds.get(at + 1), Some(MirKind::INT | MirKind::STRING));
        at += 2;
        match kinds.get(at) {
            Some(MirKind::COMMA) if kinds.get(at + 1) == Some(&MirKind::EXCLAIM) => at += 1,
            Some(MirKind::RBRACE) => {}
            _ => ok = false,
        }
    }
    if !ok {
        cx.report(&BAD_REFERENCE, text.range, "expected a metadata node (`!0 = !{!1, !\"name\"}`)");
        return false;
    }
    for pair in tokens.windows(2).skip(2) {
        if let [(MirKind::EXCLAIM, _), (MirKind::INT, number)] = pair
            && !check_number(cx, number.parse().unwrap_or(u32::MAX), text.range)
        {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn nodes_that_are_printed_as_one() {
        marks(expect![[r#"
            ---
            name: f
            stack:
              - { id: 0, size: 4, debug-info-variable: '!6!7', debug-info-expression: '!DIExpression()!DIExpression()' }
            ;                                             ^^ error[wrong-metadata]: expected a `!DILocalVariable`, found more text after `!6`
            ;                                              = guess:   - { id: 0, size: 4, debug-info-variable: '!6', debug-info-expression: '!DIExpression()!DIExpression()' }
            ;                                                                                         ^^^^^^^^^^^^^^^ error[wrong-metadata]: expected a `!DIExpression`, found more text after `!DIExpression()`
            ;                                                                                                       = guess:   - { id: 0, size: 4, debug-info-variable: '!6!7', debug-info-expression: '!DIExpression()' }
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
    }
}
