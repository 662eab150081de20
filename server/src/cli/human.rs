//! Findings for people: the code, what is wrong, and the other end.

use std::io::IsTerminal;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use wavelens_semantics::{Finding, Severity, TextRange};

use super::check::Checked;
use crate::LineIndex;

#[derive(Debug, Default)]
pub(super) struct Totals {
    files: usize,
    errors: usize,
    warnings: usize,
}

impl Totals {
    /// `3 files checked: 2 errors, 1 warning`.
    pub(super) fn line(&self) -> String {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let files = count(self.files, "file");
        match (self.errors, self.warnings) {
            (0, 0) => format!("{files} checked: no findings"),
            (errors, warnings) => {
                format!("{files} checked: {}, {}", count(errors, "error"), count(warnings, "warning"))
            }
        }
    }
}

/// All findings of a file, each with its place in the text.
pub(super) fn file(checked: &Checked, totals: &mut Totals) -> String {
    totals.files += 1;
    if checked.findings.is_empty() {
        return String::new();
    }
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let index = LineIndex::new(&checked.source.text);
    let mut out = String::new();
    for finding in &checked.findings {
        match finding.severity {
            Severity::Error => totals.errors += 1,
            Severity::Warning => totals.warnings += 1,
            Severity::Info | Severity::Hint => {}
        }
        out.push_str(&render(&renderer, checked, &index, finding));
        out.push_str("\n\n");
    }
    out
}

fn render(renderer: &Renderer, checked: &Checked, index: &LineIndex, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP,
    };
    let (here, elsewhere): (Vec<_>, Vec<_>) = finding.related.iter().partition(|r| r.file.is_none());
    let (near, far): (Vec<_>, Vec<_>) =
        here.into_iter().partition(|r| is_near(index, r.range, finding.range));
    let window = near.iter().fold(finding.range, |window, r| window.cover(r.range));
    let near = near.iter().map(|r| (AnnotationKind::Context, r.range, Some(r.message.as_str())));
    let primary = std::iter::once((AnnotationKind::Primary, finding.range, None));
    let mut group = level.primary_title(finding.message.as_str()).id(finding.rule.code).element(snippet(
        (&checked.path, &checked.source.text),
        index,
        window,
        primary.chain(near),
    ));
    for related in far {
        let annotation = (AnnotationKind::Context, related.range, Some(related.message.as_str()));
        group = group.element(snippet(
            (&checked.path, &checked.source.text),
            index,
            related.range,
            std::iter::once(annotation),
        ));
    }
    for related in &elsewhere {
        let Some(file) = &related.file else { continue };
        let annotation = (AnnotationKind::Context, related.range, Some(related.message.as_str()));
        let place = (file.path.to_str().unwrap_or("?"), &*file.text);
        let index = LineIndex::new(&file.text);
        group = group.element(snippet(place, &index, related.range, std::iter::once(annotation)));
    }
    if let Some(fix) = &finding.fix {
        group = group.element(Level::HELP.message(fix.title.as_str()));
    }
    renderer.render(&[group])
}

/// Close enough to be shown in one excerpt.
fn is_near(index: &LineIndex, a: TextRange, b: TextRange) -> bool {
    index.position(a.start()).0.abs_diff(index.position(b.start()).0) <= 10
}

/// Only the lines of the window are handed over: files are large.
fn snippet<'a>(
    (path, text): (&'a str, &'a str),
    index: &LineIndex,
    window: TextRange,
    annotations: impl Iterator<Item = (AnnotationKind, TextRange, Option<&'a str>)>,
) -> Snippet<'a, Annotation<'a>> {
    let lines = index.lines_around(text, window);
    let first_line = index.position(window.start()).0 as usize + 1;
    let source = text.get(lines.clone()).unwrap_or("");
    let local = |offset: usize| offset.saturating_sub(lines.start).min(source.len());
    annotations.fold(
        Snippet::source(source).line_start(first_line).path(path),
        |snippet, (kind, range, label)| {
            let span = local(range.start().into())..local(range.end().into());
            snippet.annotation(kind.span(span).label(label))
        },
    )
}
