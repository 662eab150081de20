//! Types as other languages name them: one finding each, and reading goes on as if LLVM's name stood there.

use super::P;
use crate::diagnostic::Diagnostic;
use crate::llvm::SYNTAX_ERROR;

const NAMES: &[(&str, &str)] = &[
    ("bf16", "bfloat"),
    ("bool", "i1"),
    ("char", "i8"),
    ("f128", "fp128"),
    ("f16", "half"),
    ("f32", "float"),
    ("f64", "double"),
    ("int", "i32"),
    ("pointer", "ptr"),
    ("s16", "i16"),
    ("s32", "i32"),
    ("s64", "i64"),
    ("s8", "i8"),
    ("u128", "i128"),
    ("u16", "i16"),
    ("u32", "i32"),
    ("u64", "i64"),
    ("u8", "i8"),
];

fn name(word: &str) -> Option<&'static str> {
    NAMES.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours)
}

/// Whether the current word is such a type.
pub(super) fn is_type(p: &P<'_, '_>) -> bool {
    name(p.text()).is_some()
}

pub(super) fn ty(p: &mut P<'_, '_>) {
    let (word, range) = (p.text(), p.inner.range());
    let ours = name(word).unwrap_or_default();
    let message = format!("unknown type `{word}`; LLVM's type is `{ours}`");
    p.report(Diagnostic::new(&SYNTAX_ERROR, range, message).fix(
        format!("Replace with `{ours}`"),
        range,
        ours,
    ));
    p.bump();
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn one_finding_for_each() {
        let text = "define f32 @f(u8 %x, bool %y) {\n  %z = zext u8 %x to i64\n  ret f32 0.0\n}\n@g = global f64 0.0\n";
        let found = crate::llvm::parse(text).errors.into_iter().map(|d| {
            let at = &text[std::ops::Range::<usize>::from(d.range)];
            let fix = d.fix.map_or(String::new(), |f| f.title);
            format!("{at}: {}: {fix}\n", d.message)
        });
        expect![[r#"
            f32: unknown type `f32`; LLVM's type is `float`: Replace with `float`
            u8: unknown type `u8`; LLVM's type is `i8`: Replace with `i8`
            bool: unknown type `bool`; LLVM's type is `i1`: Replace with `i1`
            u8: unknown type `u8`; LLVM's type is `i8`: Replace with `i8`
            f32: unknown type `f32`; LLVM's type is `float`: Replace with `float`
            f64: unknown type `f64`; LLVM's type is `double`: Replace with `double`
        "#]]
        .assert_eq(&found.collect::<String>());
    }
}
