//! Findings for people: the code, what is wrong, the lines of the text, the other end, and what could be done.

use std::collections::HashMap;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use wavelens_base::{Severity, TextRange};

use super::excerpt::{Excerpt, can_share};
use super::output::grouped;
use crate::checked::positions::{Positions, Text};
use crate::checked::{Checked, Found};
use crate::shown;

/// Findings of one code in one file that are shown; more of them are counted.
const ERRORS: usize = 50;
const OTHERS: usize = 10;
/// Of what `--fix` rewrites in any case.
const FIXED: usize = 1;

fn limit(found: &Found) -> usize {
    match found.finding.severity {
        Severity::Error => ERRORS,
        _ if found.suggestions.iter().any(|fix| fix.certain) => FIXED,
        _ => OTHERS,
    }
}

/// Suggestions shown of one finding.
const SUGGESTIONS: usize = 4;

/// The findings of a file, with lines of the text. Where there are many of one code, the first are shown.
pub(super) fn file(checked: &Checked, is_colored: bool) -> String {
    if checked.found.is_empty() {
        return String::new();
    }
    let renderer = if is_colored { Renderer::styled() } else { Renderer::plain() };
    let positions = Positions::new(checked);
    let mut out = String::new();
    let mut codes: Vec<(&Found, usize, usize)> = Vec::new();
    for found in &checked.found {
        let (code, severity) = (found.finding.rule.code, found.finding.severity);
        let same = |(other, _, _): &(&Found, usize, usize)| {
            other.finding.rule.code == code && other.finding.severity == severity
        };
        let at = codes.iter().position(same).unwrap_or_else(|| {
            codes.push((found, 0, 0));
            codes.len() - 1
        });
        let (first, count, fixable) = &mut codes[at];
        *count += 1;
        if *count <= limit(first) {
            out.push_str(&render(&renderer, &positions, found));
            out.push_str("\n\n");
        } else {
            *fixable += usize::from(found.suggestions.iter().any(|fix| fix.certain));
        }
    }
    for (found, count, fixable) in codes {
        let more = count.saturating_sub(limit(found));
        let fixes = match fixable {
            _ if more == 0 => continue,
            0 => "`--format concise` lists all".to_owned(),
            n if n == more => "`--fix` rewrites all".to_owned(),
            n => format!("`--fix` rewrites {} of them", grouped(n)),
        };
        let title = format!("and {} more in {}; {fixes}", grouped(more), shown::path(&checked.path));
        let group = level(found).primary_title(title).id(found.finding.rule.code);
        out.push_str(&renderer.render(&[Group::with_title(group)]));
        out.push_str("\n\n");
    }
    out
}

/// A line for each finding of a file: `file:3:12: error: message [code]`.
pub(super) fn concise(checked: &Checked, is_colored: bool) -> String {
    if checked.found.is_empty() {
        return String::new();
    }
    let positions = Positions::new(checked);
    let own = positions.own();
    let path = shown::path(own.path);
    let line = |found: &Found| {
        let (finding, at) = (&found.finding, own.point(found.finding.range.start()));
        let (name, color) = match finding.severity {
            Severity::Error => ("error", 31),
            Severity::Warning => ("warning", 33),
            Severity::Info => ("info", 36),
            Severity::Hint => ("hint", 36),
        };
        let name = if is_colored { format!("\u{1b}[1;{color}m{name}\u{1b}[0m") } else { name.to_owned() };
        let (message, code) = (&finding.message, finding.rule.code);
        format!("{path}:{}:{}: {name}: {message} [{code}]\n", at.line, at.utf16)
    };
    checked.found.iter().map(line).collect()
}

fn level(found: &Found) -> Level<'static> {
    match found.finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP.with_name("hint"),
    }
}

/// A range that is shown, and what is said of it.
struct Mark<'a> {
    kind: AnnotationKind,
    range: TextRange,
    label: Option<&'a str>,
}

/// Marks in one file that one excerpt can show.
struct Place<'a> {
    text: Text<'a>,
    marks: Vec<Mark<'a>>,
}

fn render(renderer: &Renderer, positions: &Positions<'_>, found: &Found) -> String {
    let finding = &found.finding;
    let primary = Mark { kind: AnnotationKind::Primary, range: finding.range, label: None };
    let mut shown = vec![Place { text: positions.own(), marks: vec![primary] }];
    for related in &finding.related {
        let label = Some(related.message.as_str());
        let mark = Mark { kind: AnnotationKind::Context, range: related.range, label };
        let first = shown.first_mut().filter(|_| related.file.is_none());
        match first {
            Some(place) if can_share(positions.own(), place.marks.iter().map(|m| m.range), related.range) => {
                place.marks.push(mark);
            }
            _ => {
                let text = positions.of_related(related.file.as_ref());
                shown.push(Place { text, marks: vec![mark] });
            }
        }
    }
    let excerpts: Vec<Excerpt> =
        shown.iter().map(|p| Excerpt::new(p.text, p.marks.iter().map(|m| m.range))).collect();
    let mut headings = HashMap::new();
    let mut group = level(found).primary_title(finding.message.as_str()).id(finding.rule.code).elements(
        shown.iter().zip(&excerpts).enumerate().map(|(number, (place, excerpt))| {
            let marks =
                place.marks.iter().map(|mark| mark.kind.span(excerpt.local(mark.range)).label(mark.label));
            headings.insert(number, heading(place));
            Snippet::source(excerpt.source.as_str())
                .line_start(excerpt.first_line)
                .path(token(number))
                .annotations(marks)
        }),
    );
    for fix in found.suggestions.iter().take(SUGGESTIONS) {
        group = group.element(Level::HELP.message(fix.title.as_str()));
    }
    with_headings(&renderer.render(&[group]), &headings)
}

/// Path, line and column, counted as editors do, of what an excerpt is shown for.
fn heading(place: &Place<'_>) -> String {
    let at = place.marks.first().map(|m| place.text.point(m.range.start()));
    let at = at.map(|at| format!(":{}:{}", at.line, at.utf16)).unwrap_or_default();
    shown::path(place.text.path) + &at
}

/// The renderer counts columns in characters of the excerpt. It is given a token instead of a path, with a character that it prints nowhere
/// else, and the token with its line and column is replaced afterwards.
fn token(number: usize) -> String {
    format!("\0{number}")
}

fn with_headings(rendered: &str, headings: &HashMap<usize, String>) -> String {
    let mut parts = rendered.split('\0');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c != ':' && !c.is_ascii_digit()).unwrap_or(part.len());
        let (token, rest) = part.split_at(end);
        let number = token.split(':').next().and_then(|n| n.parse().ok());
        out.push_str(number.and_then(|n: usize| headings.get(&n)).map_or("", String::as_str));
        out.push_str(rest);
    }
    out
}
