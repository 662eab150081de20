//! Attributes that change nothing, because they are there twice.

use rustc_hash::FxHashMap;

use super::super::arena::{Ranges, Tables};
use super::super::attribute::{Attr, AttrKind, AttrValue, Word};
use super::super::scope::Scope;
use super::super::types::Span;
use crate::context::{ModuleContext, RuleContext};
use wavelens_base::{Diagnostic, Place, Severity, Tag, TextRange};

wavelens_syntax::rules! {
    WITHOUT_EFFECT {
        code: "attribute-without-effect",
        severity: Severity::Hint,
        title: "an attribute is given once",
        explain: "Of two equal attributes one is superfluous; of two with different values only the last counts.\n\n\
            Switch it off for generated files that repeat attributes.",
        example: "declare void @f() nounwind nounwind\n",
        fixed: "declare void @f() nounwind\n",
        source: "No rule of the language: LLVM accepts repeated attributes and keeps the last",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    let mut found = Vec::new();
    let mut look = |span: Span| list(cx.scope, &summary.tables, cx.ranges, span, &mut found);
    for function in &summary.functions {
        look(function.attrs);
        look(function.ret_attrs);
    }
    summary.params.iter().for_each(|param| look(param.attrs));
    summary.cold.attr_groups.iter().for_each(|group| look(group.attrs));
    cx.diagnostics.append(&mut found);
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let mut found = Vec::new();
    let mut look = |span: Span| list(cx.scope, &body.tables, &body.ranges, span, &mut found);
    for call in &body.calls {
        look(call.fn_attrs);
        look(call.ret_attrs);
        call.arg_attrs.of(&body.cold.arg_attrs).iter().for_each(|span| look(*span));
    }
    cx.diagnostics.append(&mut found);
}

fn list(scope: &Scope, tables: &Tables, ranges: &Ranges, span: Span, found: &mut Vec<Diagnostic>) {
    let attrs = tables.attrs(span);
    if attrs.len() < 2 {
        return;
    }
    let range = |n: usize| ranges.attrs.get(span.start as usize + n).copied().unwrap_or_default();
    // The first place of each word: lists of attributes can be long.
    let mut firsts: FxHashMap<Word, usize> = FxHashMap::default();
    let mut simple: Vec<(usize, &Attr)> = Vec::new();
    for (n, attr) in attrs.iter().enumerate() {
        let first = Word::of(attr).map_or(n, |word| *firsts.entry(word).or_insert(n));
        if first < n {
            let (rule, message) = if attrs.get(first) == Some(attr) {
                (range(n), format!("duplicate attribute {}", word(attr, tables)))
            } else {
                (range(first), format!("{} has no effect: a later one overrides it", word(attr, tables)))
            };
            let other = if rule == range(n) { range(first) } else { range(n) };
            found.push(finding(rule, message).related(Place::Here(other), "the other attribute"));
        } else if let AttrValue::Group(number) = attr.value {
            in_group(scope, number, tables, &simple, range, found);
        } else if attr.value == AttrValue::None && !matches!(attr.kind, AttrKind::Error) {
            simple.push((n, attr));
        }
    }
}

/// The attributes before `#number` and in the group.
fn in_group(
    scope: &Scope,
    number: u32,
    tables: &Tables,
    simple: &[(usize, &Attr)],
    range: impl Fn(usize) -> TextRange,
    found: &mut Vec<Diagnostic>,
) {
    if let Some((at, _, group)) = scope.attr_group(number) {
        for &(n, attr) in simple {
            if group.ruled.contains(attr) {
                let message = format!("duplicate attribute {}, already in `#{number}`", word(attr, tables));
                found.push(
                    finding(range(n), message).related(scope.place(at, group.item), "the attribute group"),
                );
            }
        }
    }
}

fn word(attr: &Attr, tables: &Tables) -> String {
    match attr.value {
        AttrValue::String { key, .. } => format!("`\"{}\"`", tables.name(key)),
        AttrValue::Group(number) => format!("`#{number}`"),
        _ => format!("`{}`", attr.kind.word()),
    }
}

fn finding(range: TextRange, message: String) -> Diagnostic {
    Diagnostic::new(&WITHOUT_EFFECT, range, message).tag(Tag::Unnecessary).fix(
        "Remove this attribute",
        range,
        "",
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn attributes_written_twice() {
        marks(expect![[r#"
            declare void @f(ptr nonnull align 4 nonnull align 8 %p) nounwind cold nounwind #0
            ;                           ^^^^^^^ hint[attribute-without-effect]: `align` has no effect: a later one overrides it
            ;                                 = line 1:45: the other attribute
            ;                                 = fix: declare void @f(ptr nonnull nonnull align 8 %p) nounwind cold nounwind #0
            ;                                   ^^^^^^^ hint[attribute-without-effect]: duplicate attribute `nonnull`
            ;                                         = line 1:21: the other attribute
            ;                                         = fix: declare void @f(ptr nonnull align 4 align 8 %p) nounwind cold nounwind #0
            ;                                                                ^^^^ hint[attribute-without-effect]: duplicate attribute `cold`, already in `#0`
            ;                                                                   = line 7:12: the attribute group
            ;                                                                   = fix: declare void @f(ptr nonnull align 4 nonnull align 8 %p) nounwind nounwind #0
            ;                                                                     ^^^^^^^^ hint[attribute-without-effect]: duplicate attribute `nounwind`
            ;                                                                            = line 1:57: the other attribute
            ;                                                                            = fix: declare void @f(ptr nonnull align 4 nonnull align 8 %p) nounwind cold #0
            declare void @g() cold #0 #0
            ;                 ^^^^ hint[attribute-without-effect]: duplicate attribute `cold`, already in `#0`
            ;                    = line 7:12: the attribute group
            ;                    = fix: declare void @g() #0 #0
            ;                         ^^ hint[attribute-without-effect]: duplicate attribute `#0`
            ;                          = line 2:24: the other attribute
            ;                          = fix: declare void @g() cold #0
            define void @h() "a"="1" "a"="2" {
            ;                ^^^^^^^ hint[attribute-without-effect]: `"a"` has no effect: a later one overrides it
            ;                      = line 3:26: the other attribute
            ;                      = fix: define void @h() "a"="2" {
              call void @g() nounwind nounwind
            ;                         ^^^^^^^^ hint[attribute-without-effect]: duplicate attribute `nounwind`
            ;                                = line 4:18: the other attribute
            ;                                = fix:   call void @g() nounwind
              ret void
            }
            attributes #0 = { cold }
        "#]]);
    }

    #[test]
    fn long_lists_of_attributes() {
        let text = format!("declare void @f() {}\n", "nounwind \"a\" ".repeat(5_000));
        let found = wavelens_check::check_text(
            wavelens_base::Dialect::Llvm,
            &text,
            &wavelens_base::Options::default(),
        );
        assert_eq!(found.len(), 2 * 4_999);
    }
}
