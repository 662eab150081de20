//! The text that a chunk's summary follows from: a function's header, and the lines of its body that a summary notes.

use memchr::memmem;

/// What the lines of a body that change its chunk's summary contain: how it says where variables are, and what it escapes.
const NOTED: [&str; 3] = ["#dbg_", "@llvm.dbg.", "@llvm.localescape"];

/// A function's chunk with little of its body.
pub(super) struct Outline {
    pub(super) text: String,
    /// Whether the summary notes something of the body.
    pub(super) is_body_noted: bool,
}

/// A text with the same summary as that of a function's chunk, if lines are laid out as LLVM does; `None` for other chunks.
pub(super) fn outline(text: &str) -> Option<Outline> {
    if !text.starts_with("define") {
        return None;
    }
    let open = memmem::find(text.as_bytes(), b"{\n")? + "{\n".len();
    let close = open + memmem::find(text.get(open..)?.as_bytes(), b"\n}")? + "\n".len();
    let (header, body, rest) = (text.get(..open)?, text.get(open..close)?, text.get(close..)?);
    let mut noted: Vec<&str> = NOTED.iter().filter_map(|word| line_with(body, word)).collect();
    noted.sort_unstable_by_key(|line| line.as_ptr());
    noted.dedup();
    Some(Outline {
        text: [header, &noted.concat(), "unreachable\n", rest].concat(),
        is_body_noted: !noted.is_empty(),
    })
}

/// The first line of a text that contains a word, line end included.
fn line_with<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let at = memmem::find(text.as_bytes(), word.as_bytes())?;
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text.get(at..)?.find('\n').map_or(text.len(), |end| at + end + 1);
    text.get(start..end)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::lower;

    fn check(text: &str, expected: Expect) {
        if let Some(summary) = lower::outline(text) {
            assert_eq!(summary, lower::lower(text).summary);
        }
        expected.assert_eq(&outline(text).map_or("none\n".to_owned(), |outline| outline.text));
    }

    #[test]
    fn bodies_are_left_out() {
        check(
            "define { i32, i32 } @f(i32 %a) #0 {\nentry:\n  %x = add i32 %a, 1\n  br label %next\n\nnext:\n  unreachable\n}\n\n; after\n",
            expect![[r#"
                define { i32, i32 } @f(i32 %a) #0 {
                unreachable
                }

                ; after
            "#]],
        );
    }

    #[test]
    fn lines_that_a_summary_notes_stay() {
        check(
            "define void @f(ptr %p) {\n  %x = alloca i8\n  call void (...) @llvm.localescape(ptr %x, ptr %x)\n    #dbg_value(ptr %p, !1, !DIExpression(), !2)\n    #dbg_value(ptr %p, !3, !DIExpression(), !2)\n  ret void\n}\n",
            expect![[r#"
                define void @f(ptr %p) {
                  call void (...) @llvm.localescape(ptr %x, ptr %x)
                    #dbg_value(ptr %p, !1, !DIExpression(), !2)
                unreachable
                }
            "#]],
        );
        check(
            "define void @f(ptr %p) {\n  call void @llvm.dbg.value(metadata ptr %p, metadata !1, metadata !DIExpression())\n  ret void\n}\n",
            expect![[r#"
                define void @f(ptr %p) {
                  call void @llvm.dbg.value(metadata ptr %p, metadata !1, metadata !DIExpression())
                unreachable
                }
            "#]],
        );
    }

    #[test]
    fn a_summary_is_confirmed() {
        // Here the first brace in the first column is not the one that closes the body.
        let text = "define void @f() {\n  ret void\n}\n@g = global i32 0\n";
        let odd = "define void @f() {\n  call void asm \"\n}\n@h = global i32 1\n\", \"\"()\n  ret void\n}\n@g = global i32 0\n";
        for (text, is_same) in [(text, true), (odd, false)] {
            let outline = lower::outline(text).unwrap_or_default();
            assert_eq!(crate::confirm(&mut lower::lower(text), &outline), is_same, "{text}");
        }
    }

    #[test]
    fn other_chunks_have_none() {
        check("declare void @f()\n", expect!["none\n"]);
        check("define void @f() { ret void }\n", expect!["none\n"]);
        check("define void @f() {\n  ret void\n", expect!["none\n"]);
    }
}
