//! Names and text of documents in Markdown.
//!
//! [`code`] and [`block`] write a text so that it is shown as it is. What an editor is given passes [`safe`], which reads it as an editor does
//! and takes from names that were written in another way what they could do: show an image, be a link, hide text.

use wavelens_syntax::visible;

/// Where links of our own lead.
const MANUALS: [&str; 3] =
    ["https://llvm.org/", "https://registry.khronos.org/", "https://github.khronos.org/SPIRV-Registry/"];

/// A code span that shows a text, whatever is in it, in one line.
pub fn code(text: &str) -> String {
    let text = visible::line(text);
    let ticks = "`".repeat(longest_run(&text) + 1);
    // One space on each side is not shown. Without it ticks at an end would join the delimiter.
    let ends = |c: char| text.starts_with(c) || text.ends_with(c);
    let space = if ends('`') || ends(' ') && !text.trim().is_empty() { " " } else { "" };
    match text.is_empty() {
        true => String::new(),
        false => format!("{ticks}{space}{text}{space}{ticks}"),
    }
}

/// A block of code that shows a text, whatever is in it.
pub fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", visible::text(text))
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Markdown whose links lead to manuals only, without images, HTML and characters that cannot be seen. Code is left as it is.
pub fn safe(markdown: &str) -> String {
    let visible = visible::text(markdown);
    let mut out = String::with_capacity(visible.len());
    let mut fence = 0;
    // What a link leads to is defined at the start of a paragraph's line, or of an entry of a list. Its name may go on for lines.
    let markers = |c: char| c.is_ascii_digit() || " \t>-*+.)".contains(c);
    let mut defines = false;
    for line in visible.split_inclusive('\n') {
        let text = line.trim_start_matches(' ').trim_end();
        let ticks = text.len() - text.trim_start_matches('`').len();
        let is_fence = ticks >= 3 && line.len() - line.trim_start_matches(' ').len() <= 3;
        let goes_on = defines && line.contains(|c: char| !c.is_ascii_whitespace());
        defines = goes_on || line.trim_start_matches(markers).starts_with('[');
        match fence {
            0 if is_fence && !text[ticks..].contains('`') => {
                fence = ticks;
                out.push_str(line);
            }
            0 => safe_line(line, defines, &mut out),
            _ => {
                if is_fence && ticks >= fence && ticks == text.len() {
                    fence = 0;
                }
                out.push_str(line);
            }
        }
    }
    out
}

/// A line outside of blocks of code. Code spans end in their line: a run of backticks whose other end is elsewhere begins none.
/// `defines`: in the line may be where the definition of a link begins or goes on.
fn safe_line(line: &str, defines: bool, out: &mut String) {
    let mut rest = line;
    // A fence of another kind.
    if let Some(tildes) = line.trim_start().strip_prefix("~~~") {
        out.push_str("\\~~~");
        rest = tildes;
    }
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back().unwrap_or(' ');
        let length = match c {
            '\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => 2,
            '`' => {
                let ticks = rest.len() - rest.trim_start_matches('`').len();
                match span_end(rest, ticks) {
                    Some(end) => end,
                    None => {
                        out.push_str(&"\\`".repeat(ticks));
                        rest = &rest[ticks..];
                        continue;
                    }
                }
            }
            '!' if rest.starts_with("![") => escape("![", "!\\[", &mut rest, out),
            ']' if rest.starts_with("](") => {
                let address = rest[2..].split(')').next().unwrap_or("");
                let is_ours = MANUALS.iter().any(|manual| address.starts_with(manual));
                match is_ours && rest[2..].len() > address.len() && is_plain(address) {
                    true => address.len() + 3,
                    false => escape("](", "]\\(", &mut rest, out),
                }
            }
            ']' if defines && rest.starts_with("]:") => escape("]:", "]\\:", &mut rest, out),
            '<' if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) => {
                escape("<", "\\<", &mut rest, out)
            }
            ':' if rest.starts_with("://") => escape("://", ":\\//", &mut rest, out),
            'w' | 'W' if rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) => {
                out.push_str(&rest[..3]);
                rest = &rest[3..];
                escape(".", "\\.", &mut rest, out)
            }
            '@' if before.is_alphanumeric() || LOCAL_PART.contains(before) => {
                escape("@", "\\@", &mut rest, out)
            }
            c => c.len_utf8(),
        };
        let (done, left) = rest.split_at(length);
        out.push_str(done);
        rest = left;
    }
}

/// What the name in an electronic address has, other than letters and digits: `<'x'@y.z>` is a link too.
const LOCAL_PART: &str = "!#$%&'*+-./=?^_`{|}~";

/// Whether nothing in an address ends it, or begins something else in a reader that does not take it for one.
fn is_plain(address: &str) -> bool {
    address.chars().all(|c| c.is_ascii_graphic() && !"`<>\\[](".contains(c))
}

/// Writes something else for the start of a text; nothing more is taken over as it is.
fn escape(start: &str, written: &str, rest: &mut &str, out: &mut String) -> usize {
    out.push_str(written);
    *rest = &rest[start.len()..];
    0
}

/// Where the code span ends that a text begins with, in bytes.
fn span_end(text: &str, ticks: usize) -> Option<usize> {
    let mut at = ticks;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == ticks {
            return Some(start + run);
        }
        at = start + run;
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[test]
    fn a_code_span_is_longer_than_the_backticks_in_it() {
        let spans = ["%x", "a`b", "`", "a``", " a ", " ", "", "a\nb\u{1b}"].map(code);
        let expected = ["`%x`", "``a`b``", "`` ` ``", "``` a`` ```", "`  a  `", "` `", "", "`a\\nb\\u{1b}`"];
        assert_eq!(spans, expected);
        assert_eq!(block("llvm", "a\n```\nb"), "````llvm\na\n```\nb\n````");
    }

    #[track_caller]
    fn check(markdown: &str, expected: Expect) {
        expected.assert_eq(&safe(markdown));
    }

    #[test]
    fn our_own_text_stays() {
        let own = "**v_add**: `a` [Language reference](https://llvm.org/docs/LangRef.html#add)\n\n| a | b |\n|---|---|\n\n```llvm\n%x = add i32 %a, %b ; ![x](u)\n```\n- `@f` at <2 x i32>, a@b is not @g\n";
        check(
            &own.replace("a@b", "b"),
            expect![[r#"
            **v_add**: `a` [Language reference](https://llvm.org/docs/LangRef.html#add)

            | a | b |
            |---|---|

            ```llvm
            %x = add i32 %a, %b ; ![x](u)
            ```
            - `@f` at <2 x i32>, b is not @g
        "#]],
        );
    }

    #[test]
    fn a_name_that_ends_its_code_span_does_nothing() {
        check("`a`![x](http://e.example/t.png)`", expect![[r#"`a`!\[x]\(http:\//e.example/t.png)\`"#]]);
        check("`` a`![x](u)` ``", expect![[r#"`` a`![x](u)` ``"#]]);
        check("\\`![x](u)`", expect![[r#"\`!\[x]\(u)\`"#]]);
        check(
            "[x\ny]:z 't'\n[x y]",
            expect![[r#"
            [x
            y]\:z 't'
            [x y]"#]],
        );
        check(
            "[x][y] [x]\n\n[x]: http://e",
            expect![[r#"
            [x][y] [x]

            [x]\: http:\//e"#]],
        );
        check("<img src=x> <b>", expect![[r#"\<img src=x> \<b>"#]]);
        check("<''@e.example> <1!@e.example>", expect![[r#"<''\@e.example> <1!\@e.example>"#]]);
        check("www.e.example a@e.example", expect![[r#"www\.e.example a\@e.example"#]]);
        check("[x](https://llvm.org/a b`) [y](z) `c", expect![[r#"[x]\(https:\//llvm.org/a b`) [y](z) `c"#]]);
        check("![x](https://llvm.org/a.png)", expect![[r#"!\[x](https://llvm.org/a.png)"#]]);
        check("[x](https://llvm.org.evil/)", expect![[r#"[x]\(https:\//llvm.org.evil/)"#]]);
    }

    #[test]
    fn a_fence_that_is_opened_by_a_name_hides_nothing() {
        check(
            "~~~\n```\n~~~\n![x](u)\n",
            expect![[r#"
            \~~~
            ```
            ~~~
            ![x](u)
        "#]],
        );
        check(
            "```llvm\na\n```\n![x](u)\n```\n![y](v)",
            expect![[r#"
                ```llvm
                a
                ```
                !\[x]\(u)
                ```
                ![y](v)"#]],
        );
        check(
            "`a\n![x](u)`",
            expect![[r#"
                \`a
                !\[x]\(u)\`"#]],
        );
    }
}
