//! Constraints of inline assembly that code generation for AMDGPU knows.

use wavelens_isa::{Half, RegError, register_range};

use super::call_site::Site;
use crate::operand::Value;
use wavelens_base::{Severity, Verdict};

wavelens_syntax::rules! {
    ASM_CONSTRAINT {
        code: "asm-constraint",
        severity: Severity::Warning,
        title: "the constraints of inline assembly name registers and kinds of operands that AMDGPU has",
        explain: "The verifier accepts any letter and any name in braces. Code generation for AMDGPU takes `v`, `s`, `a` and `VA` for \
            registers, `A`, `B`, `C`, `DA`, `DB`, `I` and `J` for constants, the letters that all targets have, and registers by \
            name: `{v5}`, `{s[4:5]}`. Tuples of scalar registers are aligned.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i64 %x) {
  call void asm sideeffect "s_mov_b64 vcc, $0", "{s[1:2]}"(i64 %x)
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i64 %x) {
  call void asm sideeffect "s_mov_b64 vcc, $0", "{s[2:3]}"(i64 %x)
  ret void
}
"#,
        source: "LLVM Language Reference, \"Supported Constraint Code List\", AMDGPU; LLVM SelectionDAGBuilder: \"unknown asm \
            constraint\", \"couldn't allocate input reg for constraint\"",
    }
}

/// Letters that stand for one kind of operand on AMDGPU or on all targets. `g` is what front ends take apart.
const LETTERS: &str = "rmoVnEFispXIJKLMNOP<>gvaABC";

/// What is wrong with the register in `{...}`; `None` also for names that are not followed.
fn register(name: &str) -> Option<String> {
    let digits = name.find(|c: char| !c.is_ascii_lowercase())?;
    let (prefix, rest) = name.split_at_checked(digits)?;
    if !matches!(prefix, "v" | "s" | "a") {
        return None;
    }
    let (first, last) = match rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        Some(range) => range.split_once(':').unwrap_or((range, range)),
        None => (rest, rest),
    };
    let error = register_range(prefix, first.parse().ok()?, last.parse().ok()?, Half::Full)?.err()?;
    Some(match error {
        RegError::Alignment => format!(
            "`{name}` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4"
        ),
        RegError::BadCount => format!("no tuple has as many registers as `{name}`"),
        RegError::Reversed => format!("`{name}` ends before it starts"),
        RegError::OutOfRange => format!("register `{name}` does not exist"),
    })
}

/// What is wrong with one constraint.
fn problem(constraint: &str) -> Option<String> {
    // What a clobber names may be of another processor; alternatives are chosen among.
    if constraint.starts_with(['~', '!']) || constraint.contains('|') {
        return None;
    }
    let mut codes = constraint.trim_start_matches(['=', '+', '&', '%', '*']);
    let mut first = None;
    // Of several codes LLVM chooses among those that it knows.
    while let Some(letter) = codes.chars().next() {
        let length = match codes.strip_prefix('{') {
            Some(rest) => rest.find('}').map_or(codes.len(), |end| end + "{}".len()),
            None if ["DA", "DB", "VA"].iter().any(|two| codes.starts_with(two)) => 2,
            None => letter.len_utf8(),
        };
        let (code, rest) = codes.split_at(length);
        let problem = match code.strip_prefix('{') {
            Some(name) => register(name.strip_suffix('}')?),
            None if letter.is_ascii_digit() || letter == '^' => None,
            None => (length == 1 && !LETTERS.contains(letter))
                .then(|| format!("AMDGPU has no constraint `{letter}`")),
        };
        first = Some(first.unwrap_or(problem?));
        codes = rest;
    }
    first
}

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let tables = &site.cx.body.tables;
    let Value::Asm(index) = tables.operand(site.call.callee).value else { return Ok(()) };
    let amdgpu = site.cx.scope.triple.as_deref().is_some_and(wavelens_isa::is_amdgpu);
    let Some(asm) = tables.rare.asms.get(index as usize).filter(|_| amdgpu) else { return Ok(()) };
    match tables.name(asm.constraints).split(',').find_map(problem) {
        Some(message) => site.wrong_at(site.cx.operand_range(site.call.callee), message),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn constraints_of_all_kinds() {
        let good = [
            "=v",
            "=&s",
            "a",
            "VA",
            "=^VA",
            "I",
            "DA",
            "DB",
            "imr",
            "0",
            "{v5}",
            "{s[4:7]}",
            "={vcc}",
            "{m0}",
            "~{v999}",
            "=*m",
            "=VA",
            " {v0}",
            "=${v1}",
            "v={v[5:8]}",
        ];
        for constraint in good {
            assert_eq!(problem(constraint), None, "{constraint}");
        }
        let message = |constraint| problem(constraint).unwrap_or_default();
        assert_eq!(message("Q"), "AMDGPU has no constraint `Q`");
        assert_eq!(message("={v256}"), "register `v256` does not exist");
        assert_eq!(message("{s[3:2]}"), "`s[3:2]` ends before it starts");
        assert_eq!(
            message("{s[1:4]}"),
            "`s[1:4]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4"
        );
    }
}
