//! What LLVM has dropped from the language: each is one finding, with a fix where one is certain, and reading goes on after it.

use rowan::{TextRange, TextSize};

use super::P;
use super::types::{ty as any_type, ty_of_value};
use super::values::value;
use crate::diagnostic::{Diagnostic, Fix, Severity, TextEdit};
use crate::llvm::LlvmKind::*;
use crate::llvm::{REMOVED, TYPED_POINTER};

/// After a `*`: the type from `start` to here is a typed pointer. `space` is its `addrspace(n)`, if one is written. A pointer to a
/// function may also be the type of a callee, as LLVM 3.6 wrote it, if that is possible here: `is_certain` is false.
pub(super) fn typed_pointer(p: &mut P<'_, '_>, start: TextSize, space: &str, is_certain: bool) {
    let range = TextRange::new(start, p.inner.end_of_last().end());
    let written = p.inner.slice(range);
    let pointee = written.split(|c: char| c == '*' || c.is_whitespace()).next().unwrap_or("");
    let is_function = written.contains('(');
    let invalid = !is_function && matches!(pointee, "void" | "label" | "metadata" | "token" | "x86_amx");
    let ptr = if space.is_empty() { "ptr".to_owned() } else { format!("ptr {space}") };
    let message = match written {
        _ if invalid => format!("`{pointee}` cannot be a pointee type: use `{ptr}`"),
        // A pointer to a pointer to ...: one finding about all of it.
        _ if written.len() > LONGEST_SHOWN || written.contains('\n') => {
            format!("typed pointers were removed in LLVM 17: use `{ptr}`")
        }
        _ => format!("typed pointers were removed in LLVM 17: `{written}` is read as `{ptr}`"),
    };
    let mut diagnostic = Diagnostic::new(&TYPED_POINTER, range, message);
    let (title, edit) = (format!("Replace with `{ptr}`"), TextEdit::new(range, ptr));
    diagnostic.fix = Some(Fix { title, certain: is_certain || !is_function, edits: vec![edit] });
    if invalid {
        diagnostic.severity = Severity::Error;
    } else {
        p.inner.retract(&TYPED_POINTER, start);
    }
    p.report(diagnostic);
}

/// After the `*` that ends a pointer's type, where the type at `pointee` and a comma are wanted too.
pub(super) fn pointer_after_pointee(p: &mut P<'_, '_>, pointee: TextRange, space: &str) {
    let end = p.inner.end_of_last().start();
    let ptr = if space.is_empty() { "ptr".to_owned() } else { format!("ptr {space}") };
    let new = format!("{}, {ptr}", p.inner.slice(pointee));
    let message = match new.len() {
        ..=LONGEST_SHOWN if !new.contains('\n') => {
            format!("typed pointers were removed in LLVM 17: write `{new}`")
        }
        _ => format!("typed pointers were removed in LLVM 17: write the type, a comma, and `{ptr}`"),
    };
    let range = TextRange::new(pointee.end(), end);
    let mut diagnostic = Diagnostic::new(&TYPED_POINTER, range, message);
    diagnostic.severity = Severity::Error;
    p.report(diagnostic.fix(format!("Replace with `, {ptr}`"), range, format!(", {ptr}")));
}

/// At the `*` after the type of a variadic callee, which no other type of a call ends with.
pub(super) fn pointer_to_callee(p: &mut P<'_, '_>) {
    let range = p.inner.range();
    let message = "typed pointers were removed in LLVM 17: a call has the type of its callee, without `*`";
    let mut diagnostic = Diagnostic::new(&TYPED_POINTER, range, message);
    diagnostic.severity = Severity::Error;
    p.report(diagnostic.fix("Remove the `*`", range, ""));
    p.bump();
}

/// Bytes of a type in a message.
const LONGEST_SHOWN: usize = 40;

/// At the `*` of `ptr*`.
pub(super) fn pointer_to_ptr(p: &mut P<'_, '_>) {
    let range = p.inner.range();
    let mut diagnostic = Diagnostic::new(&TYPED_POINTER, range, "`ptr*` is invalid: use `ptr`");
    diagnostic.severity = Severity::Error;
    p.report(diagnostic.fix("Remove the `*`", range, ""));
}

/// Words of types and constant expressions that are no more, with the first version of LLVM that does not read them.
/// Source: lib/AsmParser/LLParser.cpp and LLLexer.cpp of LLVM 15 to 21.
const REMOVED_WORDS: &[(u8, &[&str])] = &[
    (
        15,
        &[
            "extractvalue",
            "insertvalue",
            "udiv",
            "sdiv",
            "urem",
            "srem",
            "fadd",
            "fsub",
            "fmul",
            "fdiv",
            "frem",
        ],
    ),
    (16, &["fneg"]),
    (17, &["select"]),
    (
        18,
        &[
            "and", "or", "lshr", "ashr", "zext", "sext", "fptrunc", "fpext", "uitofp", "sitofp", "fptoui",
            "fptosi",
        ],
    ),
    (19, &["icmp", "fcmp", "shl"]),
    (20, &["x86_mmx"]),
    (21, &["mul"]),
];

/// The first version of LLVM that does not read what [`REMOVED`] reports at `word`.
pub fn removed_since(word: &str) -> Option<u8> {
    REMOVED_WORDS.iter().find(|(_, words)| words.contains(&word)).map(|(since, _)| *since)
}

/// Whether the current word was a type once.
pub(super) fn is_type(p: &P<'_, '_>) -> bool {
    p.text() == "x86_mmx"
}

pub(super) fn ty(p: &mut P<'_, '_>) {
    let range = p.inner.range();
    let message = "`x86_mmx` was removed in LLVM 20: use `<1 x i64>`";
    p.report(Diagnostic::new(&REMOVED, range, message).fix("Replace with `<1 x i64>`", range, "<1 x i64>"));
    p.bump();
}

/// At an opcode where a value is wanted: a constant expression that is no more.
pub(super) fn expression(p: &mut P<'_, '_>) {
    let flags = (1..8).take_while(|n| is_flag(p, *n)).count();
    if p.nth(flags + 1) != L_PAREN {
        // The next instruction, after one that was left unfinished.
        return p.expected("a value");
    }
    let (word, range) = (p.text(), p.inner.range());
    let message = match removed_since(word) {
        Some(since) => {
            format!(
                "constant expression `{word}` was removed in LLVM {since}: compute the value with an instruction"
            )
        }
        None => format!("`{word}` is not a constant expression: compute the value with an instruction"),
    };
    let mut diagnostic = Diagnostic::new(&REMOVED, range, message);
    let plain = flags == usize::from(word == "icmp");
    if let Some((value, last)) = fold(p, word).filter(|_| plain) {
        let whole = TextRange::new(range.start(), p.inner.nth_range(last).end());
        diagnostic = diagnostic.fix(format!("Replace with its value, `{value}`"), whole, value);
    }
    p.report(diagnostic);
    for _ in 0..flags + 2 {
        p.bump();
    }
    // `getelementptr`, which the word may have been, has a type alone.
    let operand = |p: &mut P<'_, '_>| {
        ty_of_value(p);
        if !p.at(COMMA) {
            value(p);
        }
    };
    p.nested(|p| {
        operand(p);
        while p.eat(COMMA) {
            if !p.eat(NUMBER) {
                operand(p);
            }
        }
        if p.eat(TO_KW) {
            any_type(p);
        }
    });
    p.inner.retract(&REMOVED, range.end());
    p.expect(R_PAREN, "`)` at the end of the expression");
}

fn is_flag(p: &mut P<'_, '_>, n: usize) -> bool {
    matches!(
        p.nth(n),
        NUW_KW
            | NSW_KW
            | EXACT_KW
            | DISJOINT_KW
            | NNEG_KW
            | SAMESIGN_KW
            | INBOUNDS_KW
            | FAST_FLAG_KW
            | PREDICATE_KW
            | TRUE_KW
            | FALSE_KW
    )
}

/// The value of an expression of plain integers, and which token from here is its last.
fn fold(p: &mut P<'_, '_>, word: &str) -> Option<(String, usize)> {
    let mut n = 1;
    let predicate = if word == "icmp" {
        n = 2;
        p.inner.nth_text(1)
    } else {
        ""
    };
    let (bits, a) = integer(p, n + 1)?;
    if matches!(word, "zext" | "sext") {
        let to = width(p, n + 4).filter(|_| p.nth(n + 3) == TO_KW && p.nth(n + 5) == R_PAREN)?;
        let value = if word == "zext" { unsigned(a, bits) } else { signed(a, bits) };
        return (to > bits).then(|| (spell(value, to), n + 5));
    }
    let (other, b) = integer(p, n + 4)?;
    if p.nth(n + 3) != COMMA || p.nth(n + 6) != R_PAREN || bits != other {
        return None;
    }
    let (ua, ub, sa, sb) = (unsigned(a, bits), unsigned(b, bits), signed(a, bits), signed(b, bits));
    let shift = u32::try_from(ub).ok().filter(|s| *s < bits);
    let value = match word {
        "mul" => sa.wrapping_mul(sb),
        "and" => ua & ub,
        "or" => ua | ub,
        "udiv" => ua.checked_div(ub)?,
        "urem" => ua.checked_rem(ub)?,
        "sdiv" => sa.checked_div(sb).filter(|v| signed(*v, bits) == *v)?,
        "srem" => sa.checked_rem(sb)?,
        "shl" => ua << shift?,
        "lshr" => ua >> shift?,
        "ashr" => sa >> shift?,
        "icmp" => {
            let holds = match predicate {
                "eq" => ua == ub,
                "ne" => ua != ub,
                "ult" => ua < ub,
                "ule" => ua <= ub,
                "ugt" => ua > ub,
                "uge" => ua >= ub,
                "slt" => sa < sb,
                "sle" => sa <= sb,
                "sgt" => sa > sb,
                "sge" => sa >= sb,
                _ => return None,
            };
            return Some((holds.to_string(), n + 6));
        }
        _ => return None,
    };
    Some((spell(value, bits), n + 6))
}

/// `i32 7`: its width in bits (at most 64) and value.
fn integer(p: &mut P<'_, '_>, n: usize) -> Option<(u32, i128)> {
    let bits = width(p, n)?;
    let text = p.inner.nth_text(n + 1);
    let value = match p.nth(n + 1) {
        NUMBER => text.parse().ok()?,
        TRUE_KW => 1,
        FALSE_KW => 0,
        _ => return None,
    };
    Some((bits, value))
}

fn width(p: &mut P<'_, '_>, n: usize) -> Option<u32> {
    let digits = p.inner.nth_text(n).strip_prefix('i').filter(|_| p.nth(n) == INT_TYPE)?;
    digits.parse().ok().filter(|bits| (1..=64).contains(bits))
}

fn unsigned(value: i128, bits: u32) -> i128 {
    value & ((1 << bits) - 1)
}

fn signed(value: i128, bits: u32) -> i128 {
    let value = unsigned(value, bits);
    if value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value }
}

fn spell(value: i128, bits: u32) -> String {
    match bits {
        1 => (unsigned(value, 1) == 1).to_string(),
        _ => signed(value, bits).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    /// Code, text, message and what a fix writes instead.
    fn check(text: &str, expected: Expect) {
        let found = crate::llvm::parse(text).errors.into_iter().map(|d| {
            let slice = |r| &text[std::ops::Range::<usize>::from(r)];
            let fix = d.fix.and_then(|f| f.edits.into_iter().next());
            let fix = fix.map_or_else(String::new, |e| format!(" ({} -> {})", slice(e.range), e.text));
            format!("{} {}: {}{fix}\n", d.rule.code, slice(d.range), d.message)
        });
        expected.assert_eq(&found.collect::<String>());
    }

    #[test]
    fn typed_pointers() {
        check(
            "@p = global { i32 (i8*, i32**)*, i8 addrspace(3)* } undef\n@q = global ptr* null\ndeclare void @f(void*)\n!0 = !{void (i8)* null}\n%t = type { void* (i8)*, void\n* }\n",
            expect![[r#"
                typed-pointer i32 (i8*, i32**)*: typed pointers were removed in LLVM 17: `i32 (i8*, i32**)*` is read as `ptr` (i32 (i8*, i32**)* -> ptr)
                typed-pointer i8 addrspace(3)*: typed pointers were removed in LLVM 17: `i8 addrspace(3)*` is read as `ptr addrspace(3)` (i8 addrspace(3)* -> ptr addrspace(3))
                typed-pointer *: `ptr*` is invalid: use `ptr` (* -> )
                typed-pointer void*: `void` cannot be a pointee type: use `ptr` (void* -> ptr)
                typed-pointer void (i8)*: typed pointers were removed in LLVM 17: `void (i8)*` is read as `ptr` (void (i8)* -> ptr)
                typed-pointer void*: `void` cannot be a pointee type: use `ptr` (void* -> ptr)
                typed-pointer void
                *: `void` cannot be a pointee type: use `ptr` (void
                * -> ptr)
            "#]],
        );
    }

    #[test]
    fn pointers_that_tell_what_they_point_to() {
        check(
            "define void @f(ptr %p) {
  %a = load i32* %p
  %b = load volatile i8 addrspace(3) *null, align 1
  %c = getelementptr inbounds [2 x i8]* @g, i64 0
  %d = load i8** %p
  store i8* getelementptr ([2 x i8]* @g, i64 0), ptr %p
  ret void
}
",
            expect![[r#"
                typed-pointer *: typed pointers were removed in LLVM 17: write `i32, ptr` (* -> , ptr)
                typed-pointer  addrspace(3) *: typed pointers were removed in LLVM 17: write `i8, ptr addrspace(3)` ( addrspace(3) * -> , ptr addrspace(3))
                typed-pointer *: typed pointers were removed in LLVM 17: write `[2 x i8], ptr` (* -> , ptr)
                typed-pointer i8*: typed pointers were removed in LLVM 17: `i8*` is read as `ptr` (i8* -> ptr)
                typed-pointer *: typed pointers were removed in LLVM 17: write `i8*, ptr` (* -> , ptr)
                typed-pointer i8*: typed pointers were removed in LLVM 17: `i8*` is read as `ptr` (i8* -> ptr)
                typed-pointer *: typed pointers were removed in LLVM 17: write `[2 x i8], ptr` (* -> , ptr)
            "#]],
        );
    }

    #[test]
    fn types_of_callees() {
        check(
            "define void @f(ptr %p) {
  %a = call i32 (i8*, ...)* @printf(ptr %p, i32 1)
  %b = call i32 (i32)* %p(i32 1)
  %c = call i32* @g()
  ret void
}
",
            expect![[r#"
                typed-pointer i8*: typed pointers were removed in LLVM 17: `i8*` is read as `ptr` (i8* -> ptr)
                typed-pointer *: typed pointers were removed in LLVM 17: a call has the type of its callee, without `*` (* -> )
                typed-pointer i32 (i32)*: typed pointers were removed in LLVM 17: `i32 (i32)*` is read as `ptr` (i32 (i32)* -> ptr)
                typed-pointer i32*: typed pointers were removed in LLVM 17: `i32*` is read as `ptr` (i32* -> ptr)
            "#]],
        );
    }

    #[test]
    fn removed_types_and_expressions() {
        check(
            "declare void @f(x86_mmx)
@a = global i64 sext (i8 -1 to i64)
@b = global i1 icmp ult (i8 -1, i8 3)
@c = global i8 udiv (i8 -2, i8 2)
@d = global i8 sdiv (i8 1, i8 0)
@e = global i64 zext (i1 icmp eq (ptr @a, ptr @b) to i64)
@f = global i32 extractvalue ({ i32 } undef, 0)
",
            expect![[r#"
                removed-syntax x86_mmx: `x86_mmx` was removed in LLVM 20: use `<1 x i64>` (x86_mmx -> <1 x i64>)
                removed-syntax sext: constant expression `sext` was removed in LLVM 18: compute the value with an instruction (sext (i8 -1 to i64) -> -1)
                removed-syntax icmp: constant expression `icmp` was removed in LLVM 19: compute the value with an instruction (icmp ult (i8 -1, i8 3) -> false)
                removed-syntax udiv: constant expression `udiv` was removed in LLVM 15: compute the value with an instruction (udiv (i8 -2, i8 2) -> 127)
                removed-syntax sdiv: constant expression `sdiv` was removed in LLVM 15: compute the value with an instruction
                removed-syntax zext: constant expression `zext` was removed in LLVM 18: compute the value with an instruction
                removed-syntax extractvalue: constant expression `extractvalue` was removed in LLVM 15: compute the value with an instruction
            "#]],
        );
    }

    #[test]
    fn machine_ir_in_a_module_is_named() {
        check(
            "  bb.0:\n  %0:_(s32) = COPY $vgpr0\n",
            expect![[r#"
            syntax-error bb.0:: expected LLVM IR, found Machine IR; it must be in a document of its own, between `---` and `...`
        "#]],
        );
    }

    #[test]
    fn an_unfinished_line_is_no_expression() {
        check(
            "define void @f(i32 %x) {\n  %y = add i32 %x,\n  %z = mul i32 %x, 2\n  store i32\n  mul i32 %x, 2\n}\n",
            expect![[r#"
                syntax-error : expected a value, found the end of the line
                syntax-error : expected a value, found the end of the line
                syntax-error }: expected an instruction, found `}`; a block must end with a terminator (`br`, `ret`, ...) ( -> 
                  ret void)
            "#]],
        );
    }
}
