//! Checking a test that is a template: its RUN line gives it to `sed` first, and the findings are about what comes out.

use wavelens_base::{Finding, TextRange, TextSize};

/// A template with what `sed` made of it: as many lines, each with at most one place that differs.
pub(crate) struct Edited<'t> {
    lines: Vec<(Line<'t>, Line<'t>)>,
}

/// Where a line starts, and its text.
#[derive(Clone, Copy)]
struct Line<'t> {
    start: usize,
    text: &'t str,
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    // Past the last line break there is a line too.
    text.split('\n').map(move |text| {
        let line = Line { start, text };
        start += text.len() + 1;
        line
    })
}

impl<'t> Edited<'t> {
    pub(crate) fn new(template: &'t str, edited: &'t str) -> Edited<'t> {
        Edited { lines: lines(template).zip(lines(edited)).collect() }
    }

    /// The place in the template of an offset in the edited text; at the start or the end of what differs.
    fn place(&self, offset: TextSize, is_end: bool) -> TextSize {
        let offset = usize::from(offset);
        let at = self.lines.partition_point(|(_, edited)| edited.start <= offset).saturating_sub(1);
        let Some((template, edited)) = self.lines.get(at) else { return TextSize::new(0) };
        let column = (offset - edited.start).min(edited.text.len() + 1);
        let (before, after) = common(template.text, edited.text);
        let column = if column <= before {
            column
        } else if column + after >= edited.text.len() {
            (template.text.len() + column).saturating_sub(edited.text.len())
        } else if is_end {
            template.text.len() - after
        } else {
            before
        };
        TextSize::new((template.start + column) as u32)
    }

    fn range(&self, range: TextRange) -> TextRange {
        let (start, end) = (self.place(range.start(), false), self.place(range.end(), true));
        TextRange::new(start, end.max(start))
    }

    /// Whether the template has the same text there.
    fn is_same(&self, range: TextRange) -> bool {
        let touched = self.lines.iter().skip_while(|(_, l)| l.start + l.text.len() < range.start().into());
        let mut touched = touched.take_while(|(_, line)| line.start <= range.end().into());
        touched.all(|(template, edited)| template.text == edited.text)
    }

    /// A finding about the edited text, at its place in the template. A fix stays where the template has the same lines.
    pub(crate) fn in_template(&self, mut finding: Finding) -> Finding {
        let is_same = |range: TextRange| self.is_same(range);
        finding.fix = finding.fix.filter(|fix| fix.edits.iter().all(|edit| is_same(edit.range)));
        let edits = finding.fix.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.range);
        let related = finding.related.iter_mut().filter(|related| related.file.is_none());
        let places = edits.chain(related.map(|related| &mut related.range));
        places.chain([&mut finding.range]).for_each(|range| *range = self.range(*range));
        finding
    }
}

/// How much two lines have in common at the start, and at the end of the rest.
fn common(a: &str, b: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let before: usize = a.chars().zip(b.chars()).take_while(same).map(length).sum();
    let (a, b) = (&a[before..], &b[before..]);
    (before, a.chars().rev().zip(b.chars().rev()).take_while(same).map(length).sum())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::{Dialect, Options};

    use crate::check_text;

    fn check(text: &str, expected: Expect) {
        let shown = check_text(Dialect::Llvm, text, &Options::default()).into_iter().map(|finding| {
            let place = &text[std::ops::Range::<usize>::from(finding.range)];
            let fix = finding.fix.iter().flat_map(|fix| &fix.edits);
            let fix: String = fix
                .map(|e| format!(" [{} -> {}]", &text[std::ops::Range::<usize>::from(e.range)], e.text))
                .collect();
            format!("`{place}` {}{fix}\n", finding.message)
        });
        expected.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn templates_are_checked_as_sed_makes_them() {
        let flag =
            "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 VERSION}\n";
        check(
            &format!(
                "; RUN: sed 's/VERSION/500/g' %s | llc -mtriple=amdgcn | FileCheck %s\n; CHECK: f\n{flag}"
            ),
            expect![""],
        );
        // Without `sed` the text is wrong.
        check(
            &format!("; RUN: llc -mtriple=amdgcn %s\n{flag}"),
            expect![[r#"
            `VERSION` expected a value, found `VERSION`
        "#]],
        );
        // What `sed` makes is wrong.
        check(
            &format!(
                "; RUN: sed -e 's/VERSION/x, i32 %y/' %s | llc -mtriple=amdgcn\n{flag}@a = global i32 VERSION, aligm 4\n@b = global i32 1, aligm 4\n"
            ),
            expect![[r#"
                `VERSION` expected a value, found `x`
                `VERSION` expected a value, found `x`
                `aligm` expected a property of the global (`section`, `align`, `comdat`, metadata, ...), found `aligm`; did you mean `align`? [aligm -> align]
            "#]],
        );
        // How it changes the text is not known.
        check(&format!("; RUN: sed -E 's/V.*N/500/g' %s | llc -mtriple=amdgcn\n{flag}"), expect![""]);
    }
}
