//! Constraints of inline assembly that code generation for AMDGPU knows.

use wavelens_isa::{Half, RegError, Target, register_range};
use wavelens_syntax::closest;

use super::asm_instructions::processor;
use super::asm_values;
use super::call_site::Site;
use super::conventions::AMDGPU_KERNEL;
use crate::operand::Value;
use wavelens_base::{Severity, TextRange, Verdict};

wavelens_syntax::rules! {
    ASM_CONSTRAINT {
        code: "asm-constraint",
        severity: Severity::Warning,
        title: "the constraints of inline assembly name registers and kinds of operands that AMDGPU has",
        explain: "The verifier accepts any letter and any name in braces. Code generation for AMDGPU takes `v`, `s`, `a` and `VA` for \
            registers, `A`, `B`, `C`, `DA`, `DB`, `I` and `J` for constants, the letters that all targets have except those for memory, and \
            registers by name: `{v5}`, `{s[4:5]}`. Tuples of scalar registers are aligned, and a tuple is as large as its value. Registers hold \
            values of 16, 32 and 64 bits and vectors of them. A clobber that names no register is ignored without a word.",
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

/// The registers that `v[0:3]` or `v5` names: its file, the first and the last one.
pub(super) fn tuple(name: &str) -> Option<(&str, u32, u32)> {
    let digits = name.find(|c: char| !c.is_ascii_lowercase())?;
    let (prefix, rest) = name.split_at_checked(digits)?;
    if !matches!(prefix, "v" | "s" | "a") {
        return None;
    }
    let (first, last) = match rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        Some(range) => range.split_once(':')?,
        None => (rest, rest),
    };
    Some((prefix, first.parse().ok()?, last.parse().ok()?))
}

/// What is wrong with the register in `{...}`.
fn register(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let Some((prefix, first, last)) = tuple(&lower) else { return unknown(name, &lower) };
    let error = register_range(prefix, first.into(), last.into(), Half::Full)?.err()?;
    Some(match error {
        RegError::Alignment => format!(
            "`{name}` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4"
        ),
        RegError::BadCount => format!("no tuple has as many registers as `{name}`"),
        RegError::Reversed => format!("`{name}` ends before it starts"),
        RegError::OutOfRange => format!("register `{name}` does not exist"),
    })
}

/// The registers with a name. Not all processors have all.
const NAMED: &[&str] = &[
    "exec",
    "exec_hi",
    "exec_lo",
    "flat_scratch",
    "flat_scratch_hi",
    "flat_scratch_lo",
    "lds_direct",
    "m0",
    "mode",
    "null",
    "scc",
    "src_lds_direct",
    "tba",
    "tba_hi",
    "tba_lo",
    "tma",
    "tma_hi",
    "tma_lo",
    "vcc",
    "vcc_hi",
    "vcc_lo",
    "xnack_mask",
    "xnack_mask_hi",
    "xnack_mask_lo",
];

/// What clobbers name besides registers: words of all targets, and those that front ends write for hosts.
const WORDS: &[&str] = &["cc", "dirflag", "flags", "fpsr", "memory"];

/// A name that is none of a register, with the one that is meant.
fn unknown(name: &str, lower: &str) -> Option<String> {
    // Halves, registers of traps and apertures are not followed.
    let is_other = ["ttmp", "src_"].iter().any(|start| lower.starts_with(start)) || lower.contains('.');
    if is_other || NAMED.contains(&lower) {
        return None;
    }
    let digits = lower.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let own = match lower.strip_suffix(digits) {
        Some("vgpr") => "v",
        Some("sgpr") => "s",
        Some("agpr") => "a",
        Some(prefix @ ("v" | "s" | "a")) => prefix,
        _ => "",
    };
    let inner = digits.trim_matches(['[', ']']);
    let right = match inner.split_once([':', '-', '_']) {
        _ if own.is_empty() => None,
        Some((first, last)) if is_number(first) && is_number(last) => Some(format!("{own}[{first}:{last}]")),
        None if is_number(inner) => Some(format!("{own}{inner}")),
        _ => None,
    };
    let right = right.or_else(|| closest(lower, NAMED.iter().chain(WORDS).copied()).map(str::to_owned));
    Some(match right {
        Some(right) => format!("unknown register `{name}`; did you mean `{right}`?"),
        None => format!("unknown register `{name}`"),
    })
}

/// The constraint of accumulation registers on a processor without them. By name LLVM takes them on all.
fn accumulation(constraint: &str, target: Option<Target>) -> Option<String> {
    let target = target.filter(|target| !target.facts().has_agprs)?;
    let is_one = constraint.trim_start_matches(['=', '&']) == "a";
    is_one.then(|| format!("{target} has no accumulation registers for the constraint `{constraint}`"))
}

/// What a clobber means to LLVM: nothing, if it is a slip of a register's name.
fn clobber(constraint: &str, target: Option<Target>) -> Option<String> {
    let name = constraint.strip_prefix("~{")?.strip_suffix('}')?;
    if WORDS.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let fault = register(name)?;
    // Which numbers there are depends on the processor.
    let is_certain = !fault.contains("does not exist")
        || name.starts_with(['v', 'V', 'a', 'A'])
            && target.is_some_and(|target| !target.facts().has_vgpr_msb);
    is_certain.then(|| format!("LLVM ignores this clobber: {fault}"))
}

/// Scalar registers that a kernel of GFX8 and GFX9 cannot have; elsewhere LLVM does not ask.
fn too_high(constraint: &str, target: Option<Target>) -> Option<String> {
    let target = target.filter(|target| (8..10).contains(&target.major()))?;
    let start = constraint.find('{')? + 1;
    let name = constraint.get(start..)?.strip_suffix('}')?;
    let ("s", _, last) = tuple(&name.to_ascii_lowercase())? else { return None };
    let count = target.limits().addressable_sgprs;
    (last >= count).then(|| format!("a kernel has {count} scalar registers on {target}, and no `{name}`"))
}

/// The place of the n-th constraint in the text.
fn place(site: &Site<'_, '_>, constraints: &str, n: usize) -> TextRange {
    let whole = site.cx.operand_range(site.call.callee);
    let find = || {
        let text = site.cx.text.get(std::ops::Range::<usize>::from(whole))?;
        let start = text.strip_suffix('"')?.strip_suffix(constraints)?.len();
        let before: usize = constraints.split(',').take(n).map(|c| c.len() + 1).sum();
        let length = constraints.split(',').nth(n)?.len();
        let start = u32::try_from(start + before).ok()?;
        Some(TextRange::at(
            whole.start() + wavelens_base::TextSize::new(start),
            u32::try_from(length).ok()?.into(),
        ))
    };
    find().unwrap_or(whole)
}

/// What can be before the codes of a constraint.
const MODIFIERS: [char; 5] = ['=', '+', '&', '%', '*'];

/// The code for memory in a constraint that is not a clobber. Of several codes LLVM takes that for memory, unless a constant can be one
/// of the others (`imr`).
fn memory_code(constraint: &str) -> Option<&str> {
    if constraint.starts_with(['~', '!']) {
        return None;
    }
    let mut codes = constraint.trim_start_matches(MODIFIERS);
    let mut memory = None;
    while let Some(letter) = codes.chars().next() {
        let length = match letter {
            '{' => codes.find('}').map_or(codes.len(), |end| end + 1),
            '^' => codes.len().min(3),
            // Two letters make one code before those.
            'V' if codes.starts_with("VA") => 2,
            _ => letter.len_utf8(),
        };
        let (code, rest) = codes.split_at_checked(length)?;
        match code {
            "m" | "o" | "V" => memory = memory.or(Some(code)),
            "i" | "n" | "I" | "J" | "A" | "B" | "C" | "^DA" | "^DB" => return None,
            _ => {}
        }
        codes = rest;
    }
    memory
}

/// What is wrong with one constraint.
fn problem(constraint: &str) -> Option<String> {
    if let Some(memory) = memory_code(constraint) {
        return Some(match constraint.trim_start_matches(MODIFIERS) == memory {
            true => format!("AMDGPU has no memory operands such as `{constraint}`"),
            false => format!(
                "LLVM chooses the memory operand `{memory}` of `{constraint}`, which AMDGPU does not have"
            ),
        });
    }
    // What a clobber names may be of another processor; alternatives are chosen among.
    if constraint.starts_with(['~', '!']) || constraint.contains('|') {
        return None;
    }
    if constraint.starts_with('*') {
        return Some(format!("an input cannot be read through a pointer (`{constraint}`): pass the value"));
    }
    let mut codes = constraint.trim_start_matches(MODIFIERS);
    match codes {
        "VA" | "DA" | "DB" => {
            return Some(format!("LLVM reads `{codes}` as two constraints: write `^{codes}`"));
        }
        "g" => return Some("AMDGPU has no constraint `g`".to_owned()),
        _ => {}
    }
    let mut first = None;
    // Of several codes LLVM chooses among those that it knows.
    while let Some(letter) = codes.chars().next() {
        let length = match codes.strip_prefix('{') {
            Some(rest) => rest.find('}').map_or(codes.len(), |end| end + "{}".len()),
            None if letter == '^' => codes.char_indices().nth(3).map_or(codes.len(), |(at, _)| at),
            None => letter.len_utf8(),
        };
        let (code, rest) = codes.split_at(length);
        let problem = match code.strip_prefix('{') {
            Some(name) => register(name.strip_suffix('}')?),
            None if letter == '^' => {
                (!matches!(code, "^DA" | "^DB" | "^VA")).then(|| format!("AMDGPU has no constraint `{code}`"))
            }
            None if letter.is_ascii_digit() => None,
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
    let Some(asm) = tables.cold.asms.get(index as usize).filter(|_| amdgpu) else { return Ok(()) };
    let constraints = tables.name(asm.constraints);
    let target = processor(site);
    let is_kernel = site.cx.function.cc == AMDGPU_KERNEL;
    let mut faults = constraints.split(',').enumerate().filter_map(|(n, constraint)| {
        let message = problem(constraint)
            .or_else(|| accumulation(constraint, target))
            .or_else(|| clobber(constraint.trim(), target))
            .or_else(|| too_high(constraint, target.filter(|_| is_kernel)));
        message.map(|message| (n, message))
    });
    match faults.next().or_else(|| asm_values::check(site, constraints, target)) {
        Some((n, message)) => site.wrong_at(place(site, constraints, n), message),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::problem;
    use crate::rules::{check, marks};

    #[test]
    fn accumulation_registers_are_of_some_processors() {
        let text = |cpu: &str| {
            format!(
                "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f(i32 %x) \"target-cpu\"=\"{cpu}\" {{\n  \
                 call void asm sideeffect \"; $0 $1\", \"{{a5}},a\"(i32 %x, i32 %x)\n  ret void\n}}\n"
            )
        };
        check(&text("gfx908"), expect![""]);
        check(
            &text("gfx1100"),
            expect![[r#"
                warning[asm-constraint] 3:45 `a`: gfx1100 has no accumulation registers for the constraint `a`
            "#]],
        );
    }

    #[test]
    fn clobbers_name_registers() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define void @f() "target-cpu"="gfx942" {
              call void asm sideeffect "", "~{memory},~{v300}"()
            ;                                         ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: register `v300` does not exist
              call void asm sideeffect "", "~{s[1:2]}"()
            ;                               ^^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: `s[1:2]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
              call void asm sideeffect "", "~{vccc}"()
            ;                               ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `vccc`; did you mean `vcc`?
              call void asm sideeffect "", "~{VCC},~{v5},~{a[0:3]},~{scc},~{s105},~{rax}"()
            ;                                                                     ^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `rax`
              ret void
            }
            define amdgpu_kernel void @k() "target-cpu"="gfx942" {
              call void asm sideeffect "", "~{s101},~{s[102:103]}"()
            ;                                       ^^^^^^^^^^^^^ warning[asm-constraint]: a kernel has 102 scalar registers on gfx942, and no `s[102:103]`
              ret void
            }
            define void @g() {
              call void asm sideeffect "", "~{v300}"()
              ret void
            }
        "#]]);
    }

    #[test]
    fn constraints_of_all_kinds() {
        let good = [
            "=v",
            "=&s",
            "a",
            "=^VA",
            "I",
            "^DA",
            "^DB",
            "imr",
            "0",
            "{v5}",
            "{s[4:7]}",
            "={vcc}",
            "=*v",
            "{m0}",
            "~{v999}",
            " {v0}",
            "=${v1}",
            "v={v[5:8]}",
        ];
        for constraint in good {
            assert_eq!(problem(constraint), None, "{constraint}");
        }
        let message = |constraint| problem(constraint).unwrap_or_default();
        assert_eq!(message("^aé"), "AMDGPU has no constraint `^aé`");
        assert_eq!(message("*v"), "an input cannot be read through a pointer (`*v`): pass the value");
        assert_eq!(message("Q"), "AMDGPU has no constraint `Q`");
        assert_eq!(message("={v256}"), "register `v256` does not exist");
        assert_eq!(message("{s[3:2]}"), "`s[3:2]` ends before it starts");
        assert_eq!(
            message("{s[1:4]}"),
            "`s[1:4]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4"
        );
    }
}
