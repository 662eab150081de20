//! What LLVM 23 added to the language: LLVM 22 does not read it. Values of these types are not checked further.

use super::P;
use crate::diagnostic::Diagnostic;
use crate::llvm::LlvmKind::*;
use crate::llvm::NEWER;

/// The first version of LLVM that reads what [`NEWER`] reports.
pub const NEWER_SINCE: u8 = 23;

/// Whether the current word is a byte type such as `b8`.
pub(super) fn is_type(p: &P<'_, '_>) -> bool {
    p.text().strip_prefix('b').and_then(|width| width.parse::<u32>().ok()).is_some_and(|width| width > 0)
}

pub(super) fn ty(p: &mut P<'_, '_>) {
    report(p, format!("byte type `{}`", p.text()));
    p.bump();
}

/// At the parenthesis of `dead_on_return(8)`.
pub(super) fn size(p: &mut P<'_, '_>) {
    p.bump();
    report(p, "the number of bytes of `dead_on_return`".to_owned());
    p.expect(NUMBER, "the number of bytes");
    p.expect(R_PAREN, "`)` after the number of bytes");
}

fn report(p: &mut P<'_, '_>, what: String) {
    let message = format!("{what} requires LLVM {NEWER_SINCE}");
    p.report(Diagnostic::new(&NEWER, p.inner.range(), message));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn one_finding_for_each() {
        let text = "declare b8 @f(<4 x b16> %x, ptr dead_on_return(16))\n@b0 = global b0 0\n@b = global [2 x b64] poison\n";
        let found = crate::llvm::parse(text).errors.into_iter().map(|d| {
            let at = &text[std::ops::Range::<usize>::from(d.range)];
            format!("{} {at}: {}\n", d.rule.code, d.message)
        });
        expect![[r#"
            newer-syntax b8: byte type `b8` requires LLVM 23
            newer-syntax b16: byte type `b16` requires LLVM 23
            newer-syntax 16: the number of bytes of `dead_on_return` requires LLVM 23
            syntax-error b0: expected a type, found `b0`
            newer-syntax b64: byte type `b64` requires LLVM 23
        "#]]
        .assert_eq(&found.collect::<String>());
    }
}
