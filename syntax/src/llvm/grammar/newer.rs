//! What versions after LLVM 22 added to the language; `versions.rs` tells which. Values of byte types are not checked further.

use super::P;
use crate::diagnostic::Diagnostic;
use crate::llvm::LlvmKind::*;
use crate::llvm::NEWER;
use crate::llvm::versions::{newer_since, word_since};

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
    match p.text() {
        "0" => p.error("the number of bytes of `dead_on_return` must not be 0"),
        _ => report(p, "the number of bytes of `dead_on_return`".to_owned()),
    }
    p.expect(NUMBER, "the number of bytes");
    p.expect(R_PAREN, "`)` after the number of bytes");
}

/// At a floating-point literal of a new form: `f0x3F800000`, `+inf`, `-nan(0x1)`, `0x1.8p3`.
pub(super) fn literal(p: &mut P<'_, '_>) {
    if !p.text().starts_with("0x") || p.text().contains('.') {
        report(p, format!("the literal `{}`", p.text()));
    }
    p.bump();
}

/// A word that the table has.
pub(super) fn word(p: &mut P<'_, '_>) {
    report(p, format!("`{}`", p.text()));
    p.bump();
}

/// At the name of a field.
pub(super) fn field(p: &mut P<'_, '_>) {
    if word_since(p.text()).is_some() {
        report(p, format!("`{}`", p.text()));
    }
}

/// `load atomic elementwise <2 x i32>`: each element is accessed atomically.
pub(super) fn elementwise(p: &mut P<'_, '_>) {
    if p.text() == "elementwise" {
        word(p);
    }
}

/// `memory(target_mem: read)`: the memory of the target, all kinds of it.
pub(super) fn target_memory(p: &mut P<'_, '_>) {
    report(p, "`target_mem`".to_owned());
}

/// Attributes without arguments.
pub(super) fn is_attribute(word: &str) -> bool {
    word_since(word).is_some()
}

/// `prefalign(16)`.
pub(super) fn preferred_alignment(p: &mut P<'_, '_>) {
    word(p);
    p.expect(L_PAREN, "`(`");
    let alignment = p.text().parse::<u64>();
    if alignment.is_ok_and(|alignment| !alignment.is_power_of_two() || alignment > 1 << 32) {
        p.error(format!("the alignment must be a power of two and at most 2^32, is {}", p.text()));
    }
    p.expect(NUMBER, "the alignment");
    p.expect(R_PAREN, "`)`");
}

/// At the flags of `uitofp fast` and `sitofp fast`, which precede `nneg`.
pub(super) fn fast_flags(p: &mut P<'_, '_>) {
    if p.at(FAST_FLAG_KW) {
        report(p, "a fast-math flag of a conversion from integers".to_owned());
    }
    while p.eat(FAST_FLAG_KW) {}
}

/// `addrspacecast nonnull`: a pointer that is not null stays so.
pub(super) fn non_null(p: &mut P<'_, '_>) {
    if p.text() == "nonnull" {
        report(p, "`nonnull` of `addrspacecast`".to_owned());
        p.bump();
    }
}

/// `module asm "first line" "second line"`: the lines of one block.
pub(super) fn assembly_lines(p: &mut P<'_, '_>) {
    if p.at(STRING) {
        report(p, "a block of several lines of assembly".to_owned());
    }
    while p.eat(STRING) {}
}

/// `denormal_fpenv(preservesign)`, `denormal_fpenv(dynamic, float: preservesign|ieee)`: how results and operands are flushed.
pub(super) fn denormal_fpenv(p: &mut P<'_, '_>) {
    word(p);
    p.expect(L_PAREN, "`(`");
    let is_general = p.text() != "float";
    if is_general {
        denormal_modes(p);
    }
    if !is_general || p.eat(COMMA) {
        match p.text() {
            "float" => p.bump(),
            _ => p.expected("`float:`"),
        }
        p.expect(COLON, "`:` after `float`");
        denormal_modes(p);
    }
    p.expect(R_PAREN, "`)` after the modes");
}

/// The mode of results, and of operands if it differs.
fn denormal_modes(p: &mut P<'_, '_>) {
    loop {
        match p.text() {
            "ieee" | "preservesign" | "positivezero" | "dynamic" => p.bump(),
            _ => p.expected("a mode: `ieee`, `preservesign`, `positivezero` or `dynamic`"),
        }
        if !p.eat(BAR) {
            return;
        }
    }
}

fn report(p: &mut P<'_, '_>, what: String) {
    let message = format!("{what} requires LLVM {}", newer_since(p.text()));
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
