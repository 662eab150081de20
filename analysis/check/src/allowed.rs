//! Comments that allow codes: on a line (`wavelens: allow(CODE)`), in a function (`allow-function`) or in a file (`allow-file`).

use memchr::memmem;
use wavelens_base::{Dialect, Finding, Fix, Options, Rule, Severity, TextEdit, TextRange, TextSize};
use wavelens_syntax::closest;

use crate::dialect;

wavelens_syntax::rules! {
    UNUSED_ALLOW {
        code: "unused-allow",
        severity: Severity::Warning,
        title: "a comment that allows a code names one that is reported there",
        explain: "`wavelens: allow(CODE)` at the start of a comment keeps findings of a code from being reported: on its line, or on the \
            next one if the comment is alone on its line. `allow-function(CODE)` does so for the function around or after it, \
            `allow-file(CODE)` for the file; several codes are separated by commas. A comment that keeps nothing from being reported \
            is left over, or names the wrong code or place. Switch it off for files that are checked for several targets.",
        example: "define void @f() {\n  ret void ; wavelens: allow(undefined-value)\n}\n",
        fixed: "define void @f() {\n  ret void\n}\n",
        source: "Wavelens, command line, comments that allow codes",
    }
}

/// What every such comment has.
pub(crate) const MARK: &str = "wavelens: allow";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Line,
    Function,
    File,
}

/// A code that a comment allows.
#[derive(Debug)]
struct Allowed<'t> {
    code: &'t str,
    range: TextRange,
    /// Where its findings start; `None`: nowhere.
    place: Option<TextRange>,
    /// The comment, if it allows this code alone.
    comment: Option<TextRange>,
    is_used: bool,
}

/// Leaves out the findings that comments allow, and adds one for each code of theirs that was not needed.
pub(crate) fn apply(
    dialect: Dialect,
    text: &str,
    options: &Options,
    mut findings: Vec<Finding>,
) -> Vec<Finding> {
    let mut all = read(dialect, text);
    if all.is_empty() {
        return findings;
    }
    findings.retain(|finding| {
        let at = finding.range.start();
        let holds = |a: &Allowed<'_>| {
            a.code == finding.rule.code
                && a.place.is_some_and(|p| p.contains(at) || p.is_empty() && p.start() == at)
        };
        let mut is_kept = true;
        for allowed in all.iter_mut().filter(|a| holds(a)) {
            (allowed.is_used, is_kept) = (true, false);
        }
        is_kept
    });
    findings.extend(all.iter().filter(|a| !a.is_used).filter_map(|allowed| unused(allowed, options)));
    findings
}

fn unused(allowed: &Allowed<'_>, options: &Options) -> Option<Finding> {
    let code = allowed.code;
    let message = match dialect::rule(code) {
        None => match closest(code, dialect::codes()) {
            Some(near) => format!("unknown code `{code}`; did you mean `{near}`?"),
            None => format!("unknown code `{code}`"),
        },
        _ if allowed.place.is_none() => "no function is around or after this comment".to_owned(),
        Some(rule) if may_be_elsewhere(rule, options) => return None,
        Some(_) => format!("`{code}` is not reported here"),
    };
    let mut finding = Finding::new(&UNUSED_ALLOW, allowed.range, message);
    let remove = |range| Fix {
        title: "Remove the comment".to_owned(),
        certain: true,
        edits: vec![TextEdit { range, text: String::new() }],
    };
    finding.fix = allowed.comment.map(remove);
    Some(finding)
}

/// Whether a code may be reported when the file is checked as it is without these options.
fn may_be_elsewhere(rule: &Rule, options: &Options) -> bool {
    let has_target = options.triple.is_some() || options.target.is_some() || options.target_env.is_some();
    let has_rules = options.run.is_some() || options.llvm_level.is_some() || !options.features.is_empty();
    let is_optional = matches!(rule.severity, Severity::Hint | Severity::Info) && !options.pedantic;
    has_target || has_rules || is_optional || !options.is_enabled(rule.code)
}

fn read(dialect: Dialect, text: &str) -> Vec<Allowed<'_>> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), MARK) {
        let start = text.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |n| n + 1));
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let before = line.get(..at - start).unwrap_or("").trim_end();
        let sign = before.trim_end_matches([';', '#', '/', '*', '!']);
        if sign.len() == before.len() {
            continue;
        }
        let rest = line.get(at - start + MARK.len()..).unwrap_or("");
        let (extent, rest) = match (rest.strip_prefix("-function("), rest.strip_prefix("-file(")) {
            (Some(rest), _) => (Extent::Function, rest),
            (_, Some(rest)) => (Extent::File, rest),
            _ => match rest.strip_prefix('(') {
                Some(rest) => (Extent::Line, rest),
                None => continue,
            },
        };
        let Some((codes, _)) = rest.split_once(')') else { continue };
        let is_alone = sign.trim().is_empty();
        let own = match is_alone {
            true => next_code_line(text, start + line.len()),
            false => line_at(text, start),
        };
        let place = match extent {
            Extent::Line => Some(own),
            Extent::Function => function_around(dialect, text, own),
            Extent::File => Some(TextRange::up_to(TextSize::of(text))),
        };
        let comment = match is_alone {
            true => TextRange::new(size(start), size((start + line.len() + 1).min(text.len()))),
            false => TextRange::new(size(start + sign.trim_end().len()), size(start + line.len())),
        };
        let mut from = line.len() - rest.len();
        let is_one = !codes.contains(',');
        for code in codes.split(',') {
            let blank = code.len() - code.trim_start().len();
            let range = TextRange::at(size(start + from + blank), TextSize::of(code.trim()));
            let comment = is_one.then_some(comment);
            found.push(Allowed { code: code.trim(), range, place, comment, is_used: false });
            from += code.len() + 1;
        }
    }
    found
}

fn size(offset: usize) -> TextSize {
    TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX))
}

/// The line that an offset is in, with its end.
fn line_at(text: &str, offset: usize) -> TextRange {
    let start = text.get(..offset).map_or(0, |before| before.rfind('\n').map_or(0, |n| n + 1));
    let end = text.get(offset..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| offset + n + 1);
    TextRange::new(size(start), size(end))
}

/// The first line after an offset that has more than a comment.
fn next_code_line(text: &str, offset: usize) -> TextRange {
    let mut at = offset;
    for line in text.get(offset..).unwrap_or("").split_inclusive('\n').skip(1) {
        at = line.as_ptr() as usize - text.as_ptr() as usize;
        let code = line.trim_start();
        if !code.is_empty() && !code.starts_with([';', '#']) && !code.starts_with("//") {
            break;
        }
    }
    line_at(text, at)
}

/// How a line bounds a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Start,
    End,
}

fn bound(dialect: Dialect, line: &str) -> Option<Bound> {
    let line = line.trim_end();
    let word = |word: &str| line.split([' ', '\t', '(']).any(|w| w == word);
    match dialect {
        Dialect::Llvm if line.starts_with("define ") => Some(Bound::Start),
        Dialect::Llvm if line == "}" => Some(Bound::End),
        Dialect::Mir if line == "---" => Some(Bound::Start),
        Dialect::Mir if line == "..." => Some(Bound::End),
        Dialect::Spirv if word("OpFunctionEnd") => Some(Bound::End),
        Dialect::Spirv if word("OpFunction") => Some(Bound::Start),
        Dialect::Amdgpu => {
            let label = line.split(':').next().filter(|label| line.len() > label.len())?;
            let is_name = label.chars().all(|c| c.is_alphanumeric() || "_$.@".contains(c));
            let is_own =
                label.starts_with(|c: char| c.is_alphabetic() || c == '_') && !label.starts_with('L');
            (is_name && is_own).then_some(Bound::Start)
        }
        _ => None,
    }
}

/// The function that a line is in or starts.
fn function_around(dialect: Dialect, text: &str, line: TextRange) -> Option<TextRange> {
    let (mut start, mut offset) = (None, 0);
    for own in text.split_inclusive('\n') {
        let at = size(offset);
        offset += own.len();
        match bound(dialect, own) {
            Some(Bound::Start) if at > line.start() => {
                // In assembly the next function is the end of the one before.
                return start.map(|start| TextRange::new(start, at));
            }
            Some(Bound::Start) => start = Some(at),
            Some(Bound::End) if at >= line.start() => {
                return start.map(|start| TextRange::new(start, size(offset)));
            }
            Some(Bound::End) => start = None,
            None => {}
        }
    }
    start.map(|start| TextRange::new(start, TextSize::of(text)))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::check_text;

    fn check(dialect: Dialect, text: &str, expected: Expect) {
        let shown = |f: &Finding| {
            let line = text[..f.range.start().into()].matches('\n').count() + 1;
            format!("{line}: {}: {}\n", f.rule.code, f.message)
        };
        let found = check_text(dialect, text, &Options::default());
        expected.assert_eq(&found.iter().map(shown).collect::<String>());
    }

    const BAD: &str = "define i32 @f() {\n  %a = add i32 %x, 1@1\n@2\n  %b = add i32 %y, 1\n  ret i32 %b\n}\n\n\
        define i32 @g() {\n  ret i32 %z\n}\n";

    fn bad(first: &str, second: &str) -> String {
        BAD.replace("@1", first).replace("@2", second)
    }

    #[test]
    fn a_line_is_that_of_the_comment_or_the_next() {
        check(
            Dialect::Llvm,
            &bad(
                " ; wavelens: allow(undefined-value)",
                "  ; wavelens: allow(undefined-value, type-mismatch)",
            ),
            expect![[r#"
                3: unused-allow: `type-mismatch` is not reported here
                9: undefined-value: use of undefined value `%z`
            "#]],
        );
    }

    #[test]
    fn a_function_is_the_one_around_or_after_the_comment() {
        let found = expect![[r#"
            9: undefined-value: use of undefined value `%z`
        "#]];
        check(Dialect::Llvm, &bad("", "; wavelens: allow-function(undefined-value)"), found);
        check(
            Dialect::Llvm,
            &format!("; wavelens: allow-function(undefined-value) why\n{}", bad("", "")),
            expect![[r#"
                10: undefined-value: use of undefined value `%z`
            "#]],
        );
        check(
            Dialect::Llvm,
            &format!("{}; wavelens: allow-file(undefined-value)\n", bad("", "")),
            expect![""],
        );
        let kernels = "a:\n  foo_bar\n  ; wavelens: allow-function(unknown-instruction)\n  s_nop 0\n.Lb:\n  foo_bar\nc:\n  foo_bar\n";
        check(
            Dialect::Amdgpu,
            &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{kernels}"),
            expect![[r#"
                9: unknown-instruction: unknown instruction `foo_bar`
            "#]],
        );
    }

    #[test]
    fn comments_that_are_not_needed_are_reported() {
        check(
            Dialect::Llvm,
            "; wavelens: allow-file(undefind-value)\n; wavelens: allow-function(undefined-value)\n@x = global i32 0\n\
             ; it said wavelens: allow(undefined-value)\n",
            expect![[r#"
                1: unused-allow: unknown code `undefind-value`; did you mean `undefined-value`?
                2: unused-allow: no function is around or after this comment
            "#]],
        );
        let text = UNUSED_ALLOW.example;
        let found = check_text(Dialect::Llvm, text, &Options::default());
        let edits = &found[0].fix.as_ref().expect("a fix").edits;
        assert_eq!(TextEdit::apply_all(text, edits).as_deref(), Some(UNUSED_ALLOW.fixed));
        // Another target may report it.
        let asked = Options { target: Some("gfx900".to_owned()), ..Options::default() };
        assert_eq!(check_text(Dialect::Llvm, text, &asked), []);
    }
}
