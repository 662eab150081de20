//! CHECK lines, with the variables that they define and use.

use std::collections::BTreeSet;

use memchr::{memchr, memchr_iter};
use smol_str::{SmolStr, ToSmolStr};

use super::shell::{Command, Script};
use crate::{TextRange, TextSize};

/// How a CHECK line matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `CHECK:`
    Plain,
    /// `CHECK-NEXT:`
    Next,
    /// `CHECK-SAME:`
    Same,
    /// `CHECK-NOT:`
    Not,
    /// `CHECK-DAG:`
    Dag,
    /// `CHECK-LABEL:`
    Label,
    /// `CHECK-EMPTY:`
    Empty,
    /// `CHECK-COUNT-3:`
    Count,
}

impl Kind {
    /// With what follows the prefix, and what it means.
    pub const ALL: [(Kind, &str, &str); 8] = [
        (Kind::Plain, "", "The pattern matches somewhere after the previous match."),
        (Kind::Next, "-NEXT", "The pattern matches on the line after the previous match."),
        (Kind::Same, "-SAME", "The pattern matches on the line of the previous match, after it."),
        (Kind::Not, "-NOT", "The pattern does not match between the matches before and after it."),
        (Kind::Dag, "-DAG", "The patterns of consecutive `-DAG` lines match in any order."),
        (
            Kind::Label,
            "-LABEL",
            "Divides the output into blocks that are matched on their own. The pattern may not use variables, and variables whose names \
             do not start with `$` are forgotten here.",
        ),
        (Kind::Empty, "-EMPTY", "The line after the previous match is empty."),
        (Kind::Count, "-COUNT-", "The pattern matches this many times in a row: `-COUNT-3`."),
    ];
}

/// One CHECK line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The word before the suffix, such as `CHECK`.
    pub prefix: SmolStr,
    /// Where the prefix is.
    pub prefix_range: TextRange,
    /// The suffix.
    pub kind: Kind,
    /// Prefix, suffix and colon.
    pub word_range: TextRange,
    /// What follows the colon.
    pub pattern_range: TextRange,
    /// Those that the pattern defines or uses.
    pub variables: Vec<Variable>,
    /// A `[[` that no `]]` follows.
    pub unclosed: Option<TextRange>,
}

/// A variable in a CHECK line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Without `$` and `#`.
    pub name: SmolStr,
    /// Where the name is.
    pub range: TextRange,
    /// Whether it gets its value here.
    pub is_definition: bool,
    /// `[[#NAME]]`
    pub is_numeric: bool,
}

/// A FileCheck of a RUN line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileCheck {
    /// Words that FileCheck looks for.
    pub prefixes: Vec<SmolStr>,
    /// Those of `--comment-prefixes`.
    pub comment_prefixes: Vec<SmolStr>,
    /// A name may not be known: it is in a substitution.
    pub is_open: bool,
    /// Whether `--allow-unused-prefixes` is given.
    pub allows_unused: bool,
    /// `-DNAME=value`
    pub defines: Vec<SmolStr>,
    /// It reads this file for patterns.
    pub reads_test: bool,
}

impl FileCheck {
    /// All of a script.
    pub fn of(script: &Script) -> Vec<FileCheck> {
        script.commands().filter_map(FileCheck::read).collect()
    }

    fn read(command: &Command) -> Option<FileCheck> {
        let mut words = command.words.iter().map(|word| word.text.as_str()).peekable();
        while words.next_if(|word| matches!(*word, "not" | "--crash" | "env") || word.contains('=')).is_some()
        {
        }
        let program = words.next()?;
        // A substitution may be a FileCheck with options.
        let is_open = program.starts_with('%');
        if program.rsplit('/').next() != Some("FileCheck")
            && !(is_open && program.to_lowercase().contains("filecheck"))
        {
            return None;
        }
        let mut found = FileCheck { is_open, ..FileCheck::default() };
        while let Some(word) = words.next() {
            found.is_open |= word.contains("%{") || word == "%if";
            let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else {
                found.reads_test |= word == "%s";
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            };
            let list = match name {
                "check-prefix" | "check-prefixes" => &mut found.prefixes,
                "comment-prefixes" => &mut found.comment_prefixes,
                "allow-unused-prefixes" => {
                    found.allows_unused = value != Some("false");
                    continue;
                }
                _ => {
                    let define = name.strip_prefix('D').map(|name| name.trim_start_matches('#'));
                    found
                        .defines
                        .extend(define.map(|name| name.rsplit(',').next().unwrap_or(name).to_smolstr()));
                    continue;
                }
            };
            let value = value.or_else(|| words.next()).unwrap_or("");
            list.extend(value.split(',').map(SmolStr::from));
        }
        if found.prefixes.is_empty() {
            found.prefixes.push("CHECK".into());
        }
        Some(found)
    }
}

/// The CHECK lines of a text with some prefixes, in order.
pub fn checks(text: &str, prefixes: &BTreeSet<SmolStr>) -> Vec<Check> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut read_to = 0;
    // A colon ends the word: one search, however many prefixes there are.
    for colon in memchr_iter(b':', bytes) {
        // The first prefix of a line counts.
        if colon < read_to {
            continue;
        }
        let before = bytes.get(read_to..colon).unwrap_or(&[]);
        let start = before.iter().rposition(|byte| !is_part(byte)).map_or(read_to, |at| read_to + at + 1);
        let word = text.get(start..colon).unwrap_or("");
        if COMMENTS.contains(&word) {
            read_to = colon + memchr(b'\n', &bytes[colon..]).unwrap_or(bytes.len() - colon);
        } else if let Some(check) = check(text, start, word, prefixes) {
            read_to = usize::from(check.pattern_range.end());
            found.push(check);
        }
    }
    found
}

/// Prefixes of lines that FileCheck skips.
const COMMENTS: [&str; 2] = ["COM", "RUN"];

/// What the word of a CHECK line is made of.
fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'{' | b'}')
}

/// The CHECK line whose word, which a colon follows, starts at an offset: a prefix and a suffix.
fn check(text: &str, start: usize, word: &str, prefixes: &BTreeSet<SmolStr>) -> Option<Check> {
    let (kind, prefix) = Kind::ALL.iter().find_map(|(kind, suffix, _)| {
        let prefix = match kind {
            Kind::Count => word.rsplit_once(suffix).filter(|(_, n)| n.parse::<u32>().is_ok())?.0,
            _ => without_modifiers(word).strip_suffix(suffix)?,
        };
        (!prefix.is_empty() && prefixes.contains(prefix)).then_some((*kind, prefix))
    })?;
    let at = start + word.len() + 1;
    let after = text.get(at..)?;
    let pattern = after.get(..memchr(b'\n', after.as_bytes()).unwrap_or(after.len()))?.trim_end();
    let (variables, unclosed) = match word.ends_with("{LITERAL}") {
        true => (Vec::new(), None),
        false => variables(pattern, at),
    };
    Some(Check {
        prefix: prefix.into(),
        prefix_range: TextRange::at(size(start), TextSize::of(prefix)),
        kind,
        word_range: TextRange::new(size(start), size(at)),
        pattern_range: TextRange::at(size(at), TextSize::of(pattern)),
        variables,
        unclosed,
    })
}

/// `CHECK{LITERAL}`
fn without_modifiers(word: &str) -> &str {
    word.split('{').next().unwrap_or(word)
}

/// Where an ASCII character first occurs twice in a row. A search for a string takes longer to set up than a line takes to read.
fn doubled(text: &str, byte: u8) -> Option<usize> {
    memchr_iter(byte, text.as_bytes()).find(|at| text.as_bytes().get(at + 1) == Some(&byte))
}

/// The variables of a pattern that starts at an offset, and the `[[` that no `]]` follows.
fn variables(pattern: &str, offset: usize) -> (Vec<Variable>, Option<TextRange>) {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = pattern.get(at..) {
        let Some(open) = doubled(rest, b'[') else { break };
        // A regular expression has brackets of its own.
        if let Some(regex) = doubled(rest, b'{').filter(|regex| *regex < open) {
            let end = rest.get(regex..).and_then(|rest| doubled(rest, b'}'));
            at += end.map_or(rest.len(), |end| regex + end + 2);
            continue;
        }
        // Of three brackets the first is one of the output.
        let literal = usize::from(rest.get(open..).is_some_and(|rest| rest.starts_with("[[[")));
        let open = at + open + literal + 2;
        let inside = pattern.get(open..).unwrap_or("");
        let Some(end) = doubled(inside, b']') else {
            return (found, Some(TextRange::at(size(offset + open - 2), TextSize::of("[["))));
        };
        let inside = inside.get(..end).unwrap_or("");
        match inside.strip_prefix('#') {
            Some(expression) => numeric(expression, offset + open + 1, &mut found),
            None => {
                let (name, rest) = name(inside);
                let is_definition = rest.starts_with(':');
                if !name.is_empty() && (rest.is_empty() || is_definition) {
                    let range = TextRange::at(size(offset + open), TextSize::of(name));
                    let name = name.trim_start_matches('$').into();
                    found.push(Variable { name, range, is_definition, is_numeric: false });
                }
            }
        }
        at = open + end;
    }
    (found, None)
}

/// `%x,NAME:`, `NAME+1`, `NAME: ==OTHER`
fn numeric(expression: &str, offset: usize, found: &mut Vec<Variable>) {
    let mut at = 0;
    while let Some(c) = expression.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = expression.get(at..).unwrap_or("");
        let (word, after) = name(rest);
        if word.is_empty() {
            // A format: `%x`, `%#.8X`; `@LINE` is not a variable.
            let skip = rest.starts_with(['%', '@']);
            let more = rest.get(c.len_utf8()..).unwrap_or("");
            let skipped = more
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '#' | '.')))
                .unwrap_or(more.len());
            at += c.len_utf8() + if skip { skipped } else { 0 };
            continue;
        }
        let is_call = after.starts_with('(');
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if !is_call && !is_number {
            let range = TextRange::at(size(offset + at), TextSize::of(word));
            let name = word.trim_start_matches('$').into();
            found.push(Variable { name, range, is_definition: after.starts_with(':'), is_numeric: true });
        }
        at += word.len();
    }
}

/// A name at the start of a text, and what follows it.
fn name(text: &str) -> (&str, &str) {
    let sign = usize::from(text.starts_with('$'));
    let rest = text.get(sign..).unwrap_or("");
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    if end == 0 { ("", text) } else { text.split_at(sign + end) }
}

fn size(n: usize) -> TextSize {
    TextSize::new(u32::try_from(n).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::lit::shell::parse;

    fn check(text: &str, prefixes: &[&str], expected: Expect) {
        let prefixes = prefixes.iter().map(|p| SmolStr::from(*p)).collect();
        let at = |range: TextRange| &text[usize::from(range.start())..usize::from(range.end())];
        let mut shown = String::new();
        for check in checks(text, &prefixes) {
            assert_eq!(at(check.prefix_range), check.prefix);
            shown.push_str(&format!(
                "{:?} `{}` `{}`",
                check.kind,
                at(check.word_range),
                at(check.pattern_range)
            ));
            for v in check.variables {
                shown.push_str(&format!(" {}{}", if v.is_definition { "defines " } else { "" }, at(v.range)));
            }
            shown.push('\n');
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn prefixes_suffixes_and_patterns_are_found() {
        check(
            "; CHECK-LABEL: f:\n; CHECK-NEXT: a\n; CHECKX: b\n; GFX9-DAG: c\n; GFX9-COUNT-3: d\n; XCHECK: e\n; CHECK{LITERAL}: [[x\n// GFX9-EMPTY:\n; COM: CHECK: g\n",
            &["CHECK", "GFX9"],
            expect![[r#"
                Label `CHECK-LABEL:` ` f:`
                Next `CHECK-NEXT:` ` a`
                Dag `GFX9-DAG:` ` c`
                Count `GFX9-COUNT-3:` ` d`
                Plain `CHECK{LITERAL}:` ` [[x`
                Empty `GFX9-EMPTY:` ``
            "#]],
        );
    }

    #[test]
    fn variables_are_found_where_they_are_defined_and_used() {
        check(
            "; CHECK: [[A:v[0-9]+]], [[A]], [[$B:x]] [[@LINE+1]] [[#C:]] [[#%.8X,D:C+1]] [[#add(C,2)]] [[#@LINE-1]]\n; CHECK: s[[[LO:[0-9]+]]:{{x[[Y]]}}] [[LO]]\n",
            &["CHECK"],
            expect![[r#"
                Plain `CHECK:` ` [[A:v[0-9]+]], [[A]], [[$B:x]] [[@LINE+1]] [[#C:]] [[#%.8X,D:C+1]] [[#add(C,2)]] [[#@LINE-1]]` defines A A defines $B defines C defines D C C
                Plain `CHECK:` ` s[[[LO:[0-9]+]]:{{x[[Y]]}}] [[LO]]` defines LO LO
            "#]],
        );
    }

    #[test]
    fn options_of_filecheck_are_read() {
        let script = parse(
            "llc %s | FileCheck -check-prefix=A --check-prefixes B,C -DX=1 -D#%x,Y=2 %s && not FileCheck %s",
        );
        let found = FileCheck::of(&script);
        expect![[r#"["A", "B", "C"] ["X", "Y"]"#]]
            .assert_eq(&format!("{:?} {:?}", found[0].prefixes, found[0].defines));
        expect![[r#"["CHECK"]"#]].assert_eq(&format!("{:?}", found[1].prefixes));
    }

    #[test]
    fn commands_that_are_filecheck() {
        let of = |command: &str| {
            let found = FileCheck::of(&parse(command));
            found.first().map(|f| (f.is_open, f.reads_test, f.allows_unused))
        };
        for (command, expected) in [
            ("FileCheck %s", Some((false, true, false))),
            ("not --crash env A=1 /bin/FileCheck %s", Some((false, true, false))),
            ("FileCheck other.txt", Some((false, false, false))),
            ("%FileCheckRaw %s", Some((true, true, false))),
            ("%check %s", None),
            ("MyFileCheck %s", None),
            ("llc FileCheck %s", None),
            ("FileCheck %{options} %s", Some((true, true, false))),
            ("FileCheck %if a %s", Some((true, true, false))),
            ("FileCheck --allow-unused-prefixes %s", Some((false, true, true))),
            ("FileCheck -allow-unused-prefixes=false %s", Some((false, true, false))),
            ("FileCheck -allow-unused-prefixes=true %s", Some((false, true, true))),
        ] {
            assert_eq!(of(command), expected, "{command}");
        }
        let found =
            FileCheck::of(&parse("FileCheck --comment-prefixes=A,B --check-prefix C -DX=1,2 -D#Y=3 %s"));
        let shown = format!("{:?} {:?} {:?}", found[0].prefixes, found[0].comment_prefixes, found[0].defines);
        assert_eq!(shown, r#"["C"] ["A", "B"] ["X", "Y"]"#);
    }

    #[test]
    fn classes_of_characters_are_not_variables() {
        check(
            "; CHECK: [[:alpha:]] [[@LINE]] [[A-B]] [[A]] [[#1+A]]\n",
            &["CHECK"],
            expect![[r#"
                Plain `CHECK:` ` [[:alpha:]] [[@LINE]] [[A-B]] [[A]] [[#1+A]]` A A
            "#]],
        );
    }

    #[test]
    fn brackets_that_nothing_closes() {
        let prefixes = BTreeSet::from([SmolStr::from("CHECK")]);
        let unclosed = |pattern: &str| {
            let text = format!("; CHECK:{pattern}\n");
            let found = checks(&text, &prefixes);
            found[0].unclosed.map(|range| u32::from(range.start()) - 8)
        };
        assert_eq!(unclosed("[[A:b]] [["), Some(8));
        assert_eq!(unclosed(" [[A]"), Some(1));
        assert_eq!(unclosed("[[[A]"), Some(1));
        assert_eq!(unclosed("[[A]] ]]"), None);
        assert_eq!(unclosed("{{[[}} [[A]]"), None);
        assert_eq!(unclosed("{{[[ [[A"), None);
        assert_eq!(unclosed("[A] [ ["), None);
    }
}
