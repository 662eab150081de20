//! What the string of inline assembly names: operands by number, with modifiers.

use wavelens_syntax::wording;

use super::asm_instructions::{Placed, template};
use super::call_site::Site;
use crate::operand::Value;
use wavelens_base::{Severity, TextRange, Verdict};

wavelens_syntax::rules! {
    ASM_OPERAND {
        code: "asm-operand",
        severity: Severity::Warning,
        title: "the string of inline assembly names operands that it has",
        explain: "`$0`, `$1` count the constraints from 0; `${0:c}` prints one with a modifier. The verifier does not read the string: a number \
            without a constraint, or a modifier that the target does not know, ends code generation. A `$` of the assembly itself is written \
            `$$`.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i32 %x) {
  call void asm sideeffect "v_mov_b32 v0, $1", "v"(i32 %x)
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i32 %x) {
  call void asm sideeffect "v_mov_b32 v0, $0", "v"(i32 %x)
  ret void
}
"#,
        source: "LLVM AsmPrinter: \"invalid operand in inline asm\", \"Bad $ operand number in inline asm string\"; LLVM Language Reference, \
            \"Asm template argument modifiers\"",
    }
}

/// Modifiers of all targets and those of AMDGPU.
const MODIFIERS: &[&str] = &["a", "c", "l", "n", "r", "s"];
/// What `${:...}` prints.
const SPECIAL: &[&str] = &["comment", "private", "uid"];

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let tables = &cx.body.tables;
    let Value::Asm(index) = tables.operand(site.call.callee).value else { return Ok(()) };
    let amdgpu = cx.scope.triple.as_deref().is_some_and(wavelens_isa::is_amdgpu);
    let Some(asm) = tables.cold.asms.get(index as usize).filter(|_| amdgpu) else { return Ok(()) };
    let range = cx.operand_range(site.call.callee);
    let text = cx.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
    let Some(text) = template(text, range.start().into()) else { return Ok(()) };
    // Clobbers are operands too.
    let count = tables.name(asm.constraints).split(',').filter(|c| !c.is_empty()).count();
    match problem(&text, count) {
        Some((range, message)) => site.wrong_at(range, message),
        None => Ok(()),
    }
}

/// The first reference that LLVM cannot print.
fn problem(text: &[Placed], count: usize) -> Option<(TextRange, String)> {
    let mut at = 0;
    while let Some((byte, first)) = text.get(at).copied() {
        at += 1;
        if byte != b'$' {
            continue;
        }
        let rest: String =
            text[at..].iter().map(|(byte, _)| char::from(*byte)).take_while(|c| *c != '\n').collect();
        let to = |length: usize| {
            let last = text.get(at + length.max(1) - 1).map_or(first, |(_, range)| *range);
            first.cover(last)
        };
        let (reference, length) = match rest.chars().next() {
            Some('$' | '(' | ')' | '|') => {
                at += 1;
                continue;
            }
            Some('{') => match rest.find('}') {
                Some(end) => (&rest[1..end], end + 1),
                None => return Some((to(1), "`${` without `}`".to_owned())),
            },
            _ => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                (&rest[..digits], digits)
            }
        };
        let (number, modifier) = reference.split_once(':').map_or((reference, None), |(n, m)| (n, Some(m)));
        let message = match (number.parse::<usize>(), modifier) {
            (Err(_), Some(word)) if number.is_empty() && SPECIAL.contains(&word) => None,
            (Err(_), _) => {
                Some("expected the number of an operand after `$`; write `$$` for a dollar sign".to_owned())
            }
            (Ok(number), _) if number >= count => {
                let has = wording::number(count, "constraints");
                Some(format!("the string names operand {number}, counted from 0, but the call has {has}"))
            }
            (Ok(_), Some(modifier)) if !MODIFIERS.contains(&modifier) => {
                Some(format!("AMDGPU has no operand modifier `{modifier}`"))
            }
            _ => None,
        };
        if let Some(message) = message {
            return Some((to(length), message));
        }
        at += length;
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn references_have_a_constraint() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define void @f(i32 %x) {
              call void asm sideeffect "; $0 $1", "v"(i32 %x)
            ;                                ^^ warning[asm-operand]: the string names operand 1, counted from 0, but the call has 1 constraint
              call void asm sideeffect "; $0 $1", "v,~{v3}"(i32 %x)
              call void asm sideeffect "; ${0:r} ${0:q}", "v"(i32 %x)
            ;                                    ^^^^^^ warning[asm-operand]: AMDGPU has no operand modifier `q`
              call void asm sideeffect "; ${:uid} $$ ${:foo}", "v"(i32 %x)
            ;                                        ^^^^^^^ warning[asm-operand]: expected the number of an operand after `$`; write `$$` for a dollar sign
              call void asm sideeffect "; $x", "v"(i32 %x)
            ;                             ^^ warning[asm-operand]: expected the number of an operand after `$`; write `$$` for a dollar sign
              call void asm sideeffect "; ${0", "v"(i32 %x)
            ;                             ^^ warning[asm-operand]: `${` without `}`
              call void asm sideeffect "; $(a $0$|b$) ${0}", "v"(i32 %x)
              ret void
            }
        "#]]);
    }
}
