//! Characters that cannot be seen, or that assembly does not know: one of them explains every error of its line.

use std::cell::LazyCell;

use rustc_hash::FxHashMap;
use wavelens_syntax::wording;

use wavelens_base::{
    Diagnostic, Dialect, Finding, Fix, Place, Rule, Severity, TextEdit, TextRange, TextSize,
};

/// A line that holds such a character outside strings and comments.
struct Line {
    range: TextRange,
    /// Where what it makes unreadable ends: the line, or the body of a machine function.
    explained: TextSize,
    /// The first of them.
    character: char,
    at: TextRange,
}

/// Puts one error at the first invisible character of a line in the place of that line's errors. Editors paste such
/// characters from web pages and documents; what the parser makes of the pieces on both sides misleads.
pub(crate) fn explain_errors(dialect: Dialect, text: &str, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_error = |d: &Diagnostic| d.severity == Severity::Error;
    if !found.iter().any(is_error) || !may_have_invisible(text) {
        return found;
    }
    let lines = lines(dialect, text);
    let mut reported = vec![false; lines.len()];
    // Few texts need them.
    let words = LazyCell::new(|| count_words(text));
    let count = |word: &str| words.get(word).copied().unwrap_or(0);
    found.retain_mut(|d| {
        let at = lines.partition_point(|line| line.explained < d.range.start());
        let Some(line) = lines.get(at).filter(|line| is_error(d) && line.range.start() <= d.range.start())
        else {
            return true;
        };
        let is_new = !std::mem::replace(&mut reported[at], true);
        if is_new {
            let explanation = to_diagnostic(dialect, line, text, &count);
            *d = match d.range.start() <= line.range.end() {
                true => explanation,
                false => explanation.related(Place::Here(d.range), wording::REFERENCE),
            };
        }
        is_new
    });
    found
}

/// Bytes at the start of a text that tell how it is encoded.
const HEAD: usize = 512;

/// The one finding of a text in UTF-16: every other byte of it is NUL.
pub(crate) fn wrong_encoding(dialect: Dialect, text: &str) -> Option<Finding> {
    let head = text.as_bytes().get(..HEAD.min(text.len()))?;
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let is_utf16 = head.len() >= 8 && even.max(odd) * 8 >= head.len() * 3 && even.min(odd) * 8 <= head.len();
    let start = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
    let range = TextRange::up_to(TextSize::new(u32::try_from(start).unwrap_or(0)));
    is_utf16.then(|| Finding::new(syntax_error(dialect), range, "the file is UTF-16 text, and must be UTF-8"))
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether a text starts with a byte order mark.
pub(crate) fn has_byte_order_mark(text: &str) -> bool {
    text.starts_with(BYTE_ORDER_MARK)
}

/// The finding of the byte order mark that a text starts with, and the text after it, which is as it would be without.
pub(crate) fn byte_order_mark(dialect: Dialect, text: &str) -> Option<(Finding, &str)> {
    // Machine IR may begin with one.
    let rest = text.strip_prefix(BYTE_ORDER_MARK).filter(|_| dialect != Dialect::Mir)?;
    let range = TextRange::up_to(TextSize::of(BYTE_ORDER_MARK));
    let mut finding =
        Finding::new(syntax_error(dialect), range, wording::unexpected_character(BYTE_ORDER_MARK));
    let edits = vec![TextEdit { range, text: String::new() }];
    finding.fix = Some(Fix { title: "Remove the invisible character".to_owned(), certain: true, edits });
    Some((finding, rest))
}

fn syntax_error(dialect: Dialect) -> &'static Rule {
    match dialect {
        Dialect::Llvm => &wavelens_syntax::llvm::SYNTAX_ERROR,
        Dialect::Mir => &wavelens_syntax::mir::SYNTAX_ERROR,
        Dialect::Spirv => &wavelens_syntax::spirv::SYNTAX_ERROR,
        Dialect::Amdgpu => &wavelens_syntax::amdgpu::SYNTAX_ERROR,
    }
}

/// How often each word is in a text.
fn count_words(text: &str) -> FxHashMap<&str, u32> {
    let mut words = FxHashMap::default();
    text.split(|c| !is_letter(c)).for_each(|word| *words.entry(word).or_default() += 1);
    words
}

fn to_diagnostic(dialect: Dialect, line: &Line, text: &str, count: &dyn Fn(&str) -> u32) -> Diagnostic {
    let rule = syntax_error(dialect);
    let mut message = wording::unexpected_character(line.character);
    if (dialect, line.character) == (Dialect::Spirv, '\0') {
        message.push_str(", at which the text ends");
    }
    let found = Diagnostic::new(rule, line.at, message);
    match line.character {
        // What it was before the file was damaged is unknown.
        c if c.is_control() => found,
        c if c.is_whitespace() => match is_separator(line, text, count) {
            Some(true) => found.fix("Replace the invisible character with a space", line.at, " "),
            Some(false) => found.fix("Remove the invisible character", line.at, ""),
            None => found,
        },
        c if wording::is_invisible(c) => found.fix("Remove the invisible character", line.at, ""),
        c => found.fix(format!("Remove `{c}`"), line.at, ""),
    }
}

/// Quick, and false for nearly every text.
fn may_have_invisible(text: &str) -> bool {
    let is_odd = |b: &u8| *b >= 0x7f || (*b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r'));
    text.as_bytes().chunks(4096).any(|bytes| bytes.iter().fold(false, |odd, b| odd | is_odd(b)))
}

fn lines(dialect: Dialect, text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut start = TextSize::new(0);
    for line in text.split_inclusive('\n') {
        let range = TextRange::at(start, TextSize::of(line.trim_end_matches('\n')));
        start += TextSize::of(line);
        if lines.last().is_some_and(|line| range.start() < line.explained) {
            continue;
        }
        let Some((at, character)) = first_invisible(dialect, line) else { continue };
        let is_body = dialect == Dialect::Mir && line.starts_with("body:");
        let body = text
            .get(start.into()..)
            .filter(|_| is_body)
            .map(|rest| rest.split("\n...").next().unwrap_or(rest));
        let explained = body.map_or(range.end(), |body| start + TextSize::of(body));
        let at = TextRange::at(range.start() + TextSize::of(&line[..at]), TextSize::of(character));
        lines.push(Line { range, explained, character, at });
    }
    lines
}

/// Whether words are on both sides, rather than the halves of one; `None` if nothing tells.
fn is_separator(line: &Line, text: &str, count: &dyn Fn(&str) -> u32) -> Option<bool> {
    let part = |start: TextSize, end: TextSize| text.get(start.into()..end.into()).unwrap_or("");
    let (before, after) = (part(line.range.start(), line.at.start()), part(line.at.end(), line.range.end()));
    if after.starts_with(|c: char| c.is_whitespace() || ":,)".contains(c)) || after.is_empty() {
        return Some(false);
    }
    let first = before.rsplit(|c| !is_letter(c)).next().unwrap_or("");
    let second = after.split(|c| !is_letter(c)).next().unwrap_or("");
    match (first, second) {
        ("", _) | (_, "") => Some(true),
        _ if count(&format!("{first}{second}")) > 0 => Some(false),
        // The halves themselves are counted once.
        _ if count(first) > 1 || count(second) > 1 => Some(true),
        _ => (is_likely_word(first) && is_likely_word(second)).then_some(true),
    }
}

/// Names and keywords of one or two letters are rare, but for `i1` and `v0`.
fn is_likely_word(word: &str) -> bool {
    word.len() > 2 || word.contains(|c: char| c.is_ascii_digit())
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The first such character of a line outside strings and comments, and its offset.
fn first_invisible(dialect: Dialect, line: &str) -> Option<(usize, char)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_.$%@-".contains(c);
    let (mut is_string, mut is_escaped, mut before) = (false, false, ' ');
    for (at, c) in line.char_indices() {
        let rest = line.get(at + c.len_utf8()..)?;
        match c {
            _ if is_escaped => is_escaped = false,
            '"' => is_string = !is_string,
            // A quote is `\22` in LLVM IR.
            '\\' => is_escaped = is_string && dialect != Dialect::Llvm,
            _ if is_string => {}
            _ if starts_comment(dialect, c, rest) => return None,
            ' ' | '\t' | '\r' | '\n' => {}
            // Blank space: wrong only where it cuts a word.
            '\u{b}' | '\u{c}' if is_word(before) && rest.starts_with(is_word) => return Some((at, c)),
            '\u{b}' | '\u{c}' => {}
            '\0' if dialect == Dialect::Llvm
                && !(is_word(before) && rest.starts_with(|c| is_word(c) || c == ':')) => {}
            // Machine IR may begin with a byte order mark.
            '\u{feff}' if dialect == Dialect::Mir && at == 0 => {}
            c if wording::is_invisible(c) => return Some((at, c)),
            // It cuts a name or an operand in two.
            c if dialect != Dialect::Spirv && !c.is_ascii() => return Some((at, c)),
            _ => {}
        }
        before = c;
    }
    None
}

fn starts_comment(dialect: Dialect, c: char, rest: &str) -> bool {
    match (dialect, c) {
        (_, ';') => true,
        (Dialect::Mir, '#') => true,
        (Dialect::Amdgpu, '/') => rest.starts_with(['/', '*']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_syntax::wording;

    use crate::testing::findings;
    use wavelens_base::Dialect;

    fn check(dialect: Dialect, text: &str, expected: &Expect) {
        let escape = |c: char| match c {
            ' ' | '\n' => c.to_string(),
            _ if wording::is_invisible(c) => c.escape_unicode().to_string(),
            _ => c.to_string(),
        };
        expected.assert_eq(&findings(dialect, text).chars().map(escape).collect::<String>());
    }

    #[test]
    fn one_error_at_the_first_invisible_character() {
        check(
            Dialect::Llvm,
            "define i32 @f(i32 %a) {\n  %b = add i32\u{a0}%a, %c\u{a0}\n  ret i32 %b\n}\n",
            &expect![[r#"
                error[syntax-error] 2:15 `\u{a0}`: unexpected invisible character U+00A0 (no-break space)
                  fix: Replace the invisible character with a space
                  |   %b = add i32 %a, %c\u{a0}
            "#]],
        );
        check(
            Dialect::Llvm,
            "define i32 @f(i32 %a) {\n  %b = a\u{a0}dd i32 %a, 1\n  %c = add i32 %b, 1\n  ret i32 %c\n}\n",
            &expect![[r#"
                error[syntax-error] 2:9 `\u{a0}`: unexpected invisible character U+00A0 (no-break space)
                  fix: Remove the invisible character
                  |   %b = add i32 %a, 1
            "#]],
        );
        check(
            Dialect::Llvm,
            "define i32 @f(i32 %a) {\nbb\x00:\n  ret i\x0032 %a\n}\n",
            &expect![[r#"
                error[syntax-error] 2:3 `\u{0}`: unexpected invisible character U+0000 (NUL)
                error[syntax-error] 3:8 `\u{0}`: unexpected invisible character U+0000 (NUL)
            "#]],
        );
        check(
            Dialect::Mir,
            "name: f\nbody: |\n  bb.0:\n    S_NOP\u{200b} 0\n    S_ENDPGM\u{a0}0\n",
            &expect![[r#"
                error[syntax-error] 4:10 `\u{200b}`: unexpected invisible character U+200B (zero-width space)
                  fix: Remove the invisible character
                  |     S_NOP 0
                error[syntax-error] 5:13 `\u{a0}`: unexpected invisible character U+00A0 (no-break space)
                  fix: Replace the invisible character with a space
                  |     S_ENDPGM 0
            "#]],
        );
        check(
            Dialect::Spirv,
            "OpCapability\u{a0}Shader\nOpCapability Linkage\nOpMemoryModel Logical\u{200b} GLSL450\n",
            &expect![[r#"
                error[syntax-error] 1:13 `\u{a0}`: unexpected invisible character U+00A0 (no-break space)
                  fix: Replace the invisible character with a space
                  | OpCapability Shader
                error[syntax-error] 3:22 `\u{200b}`: unexpected invisible character U+200B (zero-width space)
                  fix: Remove the invisible character
                  | OpMemoryModel Logical GLSL450
            "#]],
        );
        check(
            Dialect::Amdgpu,
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nv_mov_b32\u{a0}v0, v1\ns_nop\x010\ns_nop \u{feff}0\n",
            &expect![[r#"
                error[syntax-error] 2:10 `\u{a0}`: unexpected invisible character U+00A0 (no-break space)
                  fix: Replace the invisible character with a space
                  | v_mov_b32 v0, v1
                error[syntax-error] 3:6 `\u{1}`: unexpected invisible character U+0001
                error[syntax-error] 4:7 `\u{feff}`: unexpected invisible character U+FEFF (byte order mark)
                  fix: Remove the invisible character
                  | s_nop 0
            "#]],
        );
    }

    #[test]
    fn letters_that_no_assembler_knows() {
        check(
            Dialect::Amdgpu,
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_clrexcép_e64\nv_mov_b32 v0, v１\ns_nop 0 // é\n.ascii \"é\"\n",
            &expect![[r#"
                error[syntax-error] 2:9 `é`: unexpected character `é`
                  fix: Remove `é`
                  | v_clrexcp_e64
                error[syntax-error] 3:16 `１`: unexpected character `１`
                  fix: Remove `１`
                  | v_mov_b32 v0, v
            "#]],
        );
    }

    #[test]
    fn not_in_strings_and_comments() {
        check(
            Dialect::Llvm,
            "define void @\"f\u{a0}\"() { ; \u{a0}\n  ret i32 %x ; \u{a0}\n}\n",
            &expect![[r#"
                error[type-mismatch] 2:7 `i32`: expected `void`, the function's result type, found `i32`
                  1:13 `@"f\u{a0}"`: the function
                error[undefined-value] 2:11 `%x`: use of undefined value `%x`
            "#]],
        );
        check(
            Dialect::Spirv,
            "OpCapability Shader\nOpExtension \"a\\\"\u{a0}\" 1\nOpMemoryModel Logical GLSL450\n",
            &expect![[r#"
                error[syntax-error] 2:21 `1`: unexpected operand `1` after the last operand of OpExtension
            "#]],
        );
        check(
            Dialect::Amdgpu,
            ".ascii \"\u{a0}\" x\nv_foo // \u{200b}\n",
            &expect![[r#"
                error[syntax-error] 1:13 `x`: expected `,`, found `x`
                error[unknown-instruction] 2:1 `v_foo`: unknown instruction `v_foo`
                info[no-processor] 2:1 `v_foo`: missing processor: operands and encodings are not checked; write `.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"`, use `--mcpu gfx1100`, or set a target in the editor or in wavelens.toml
            "#]],
        );
        check(Dialect::Mir, "\u{feff}name: f g # \u{a0}\n", &expect![]);
    }

    #[test]
    fn blank_space_between_words_is_not_blamed() {
        check(
            Dialect::Llvm,
            "define void @f() {\n  ret\0 i32 %x\n}\n",
            &expect![[r#"
                error[type-mismatch] 2:8 `i32`: expected `void`, the function's result type, found `i32`
                  1:13 `@f`: the function
                error[undefined-value] 2:12 `%x`: use of undefined value `%x`
            "#]],
        );
    }
}
