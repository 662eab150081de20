//! Constraints of inline assembly that code generation for AMDGPU knows, and the values that they hold.

use wavelens_isa::{Half, RegError, Target, register_range};
use wavelens_syntax::closest;

use super::asm_instructions::processor;
use super::call_site::Site;
use crate::operand::Value;
use crate::types::{Type, TypeId};
use wavelens_base::{Severity, TextRange, Verdict};

wavelens_syntax::rules! {
    ASM_CONSTRAINT {
        code: "asm-constraint",
        severity: Severity::Warning,
        title: "the constraints of inline assembly name registers and kinds of operands that AMDGPU has",
        explain: "The verifier accepts any letter and any name in braces. Code generation for AMDGPU takes `v`, `s`, `a` and `VA` for \
            registers, `A`, `B`, `C`, `DA`, `DB`, `I` and `J` for constants, the letters that all targets have, and registers by \
            name: `{v5}`, `{s[4:5]}`. Tuples of scalar registers are aligned, and a tuple is as large as its value. A clobber that names no \
            register is ignored without a word.",
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
fn tuple(name: &str) -> Option<(&str, u32, u32)> {
    let digits = name.find(|c: char| !c.is_ascii_lowercase())?;
    let (prefix, rest) = name.split_at_checked(digits)?;
    if !matches!(prefix, "v" | "s" | "a") {
        return None;
    }
    let (first, last) = match rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        Some(range) => range.split_once(':').unwrap_or((range, range)),
        None => (rest, rest),
    };
    Some((prefix, first.parse().ok()?, last.parse().ok()?))
}

/// What is wrong with the register in `{...}`; `None` also for names that are not followed.
fn register(name: &str) -> Option<String> {
    let (prefix, first, last) = tuple(name)?;
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

/// Registers that a clobber may name, besides those with numbers; and the words of all targets.
const CLOBBERS: &[&str] = &[
    "cc",
    "dirflag",
    "exec",
    "exec_hi",
    "exec_lo",
    "flags",
    "flat_scratch",
    "flat_scratch_hi",
    "flat_scratch_lo",
    "fpsr",
    "m0",
    "memory",
    "mode",
    "scc",
    "vcc",
    "vcc_hi",
    "vcc_lo",
    "xnack_mask",
    "xnack_mask_hi",
    "xnack_mask_lo",
];

/// The constraint of accumulation registers on a processor without them. By name LLVM takes them on all.
fn accumulation(constraint: &str, target: Option<Target>) -> Option<String> {
    let target = target.filter(|target| !target.facts().has_agprs)?;
    let is_one = constraint.trim_start_matches(['=', '&']) == "a";
    is_one.then(|| format!("{target} has no accumulation registers for the constraint `{constraint}`"))
}

/// What a clobber means to LLVM: nothing, if it is a slip of a register's name.
fn clobber(constraint: &str, target: Option<Target>) -> Option<String> {
    let name = constraint.strip_prefix("~{")?.strip_suffix('}')?;
    let ignored = |why: String| Some(format!("LLVM ignores this clobber: {why}"));
    if let Some((prefix, ..)) = tuple(name) {
        // Which numbers there are depends on the processor.
        let is_known = prefix != "s" && target.is_some_and(|target| !target.facts().has_vgpr_msb);
        let fault = register(name)?;
        return if is_known || !fault.contains("does not exist") { ignored(fault) } else { None };
    }
    if CLOBBERS.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let near = closest(name, CLOBBERS.iter().copied())?;
    ignored(format!("unknown register `{name}`; did you mean `{near}`?"))
}

/// Bits of a value in a tuple, where LLVM takes tuples of exactly this size only.
fn bits(site: &Site<'_, '_>, ty: TypeId) -> Option<u64> {
    match site.cx.types.get(ty) {
        Type::Ptr(2 | 3 | 5 | 6) => Some(32),
        Type::Ptr(0 | 1 | 4) => Some(64),
        // LLVM extends others to wider ones.
        Type::Int(bits) if !matches!(bits, 8 | 16) && bits % 32 != 0 => None,
        Type::Int(_) | Type::Vector { .. } => site.cx.scope.layout.bits(site.cx.scope, &site.cx.types, ty),
        _ => match ty {
            TypeId::HALF | TypeId::BFLOAT => Some(16),
            TypeId::FLOAT => Some(32),
            TypeId::DOUBLE => Some(64),
            _ => None,
        },
    }
}

/// A tuple by name whose size is not that of its value.
fn size(site: &Site<'_, '_>, constraint: &str, ty: TypeId) -> Option<String> {
    let name = constraint.trim_start_matches(['=', '&']).strip_prefix('{')?.strip_suffix('}')?;
    let (_, first, last) = tuple(name)?;
    let registers = u64::from(last.checked_sub(first).filter(|n| *n > 0)? + 1);
    let bits = bits(site, ty).filter(|bits| *bits != 32 * registers)?;
    Some(format!(
        "`{name}` has {registers} registers of 32 bits, but a value of type `{}` has {bits} bits",
        site.cx.display_ty(ty)
    ))
}

/// What is wrong with how a constraint's register and its value go together.
fn values(site: &Site<'_, '_>, constraints: &str) -> Option<(usize, String)> {
    let types = &site.cx.types;
    let results = match types.get(site.result) {
        Type::Struct { fields, .. } => types.list(fields),
        _ => &[site.result][..],
    };
    let (mut results, mut arguments) = (results.iter(), site.args().iter());
    for (n, constraint) in constraints.split(',').enumerate().filter(|(_, c)| !c.is_empty()) {
        if constraint.starts_with(['~', '!']) {
            continue;
        }
        let is_output =
            constraint.starts_with('=') && !constraint.trim_start_matches(['=', '&']).starts_with('*');
        if is_output && site.result == TypeId::VOID {
            return Some((n, format!("the output `{constraint}` has no value: the call returns `void`")));
        }
        let ty = if is_output { results.next().copied() } else { arguments.next().map(|a| site.cx.ty(a.ty)) };
        if let Some(message) = size(site, constraint, ty?) {
            return Some((n, message));
        }
    }
    None
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
    let constraints = tables.name(asm.constraints);
    let target = processor(site);
    let mut faults = constraints.split(',').enumerate().filter_map(|(n, constraint)| {
        let message = problem(constraint)
            .or_else(|| accumulation(constraint, target))
            .or_else(|| clobber(constraint.trim(), target));
        message.map(|message| (n, message))
    });
    match faults.next().or_else(|| values(site, constraints)) {
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
    fn registers_are_as_large_as_their_values() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            define void @f(i64 %w, <4 x i32> %q, half %h, ptr %p, ptr addrspace(3) %l) {
              call void asm sideeffect "; use $0", "{v[0:3]}"(i64 %w)
            ;                                       ^^^^^^^^ warning[asm-constraint]: `v[0:3]` has 4 registers of 32 bits, but a value of type `i64` has 64 bits
              call void asm sideeffect "; use $0", "v,{v[0:1]}"(i64 %w, <4 x i32> %q)
            ;                                         ^^^^^^^^ warning[asm-constraint]: `v[0:1]` has 2 registers of 32 bits, but a value of type `<4 x i32>` has 128 bits
              %a = call <4 x i32> asm sideeffect "; def $0", "={s[8:10]}"()
            ;                                                 ^^^^^^^^^^ warning[asm-constraint]: `s[8:10]` has 3 registers of 32 bits, but a value of type `<4 x i32>` has 128 bits
              %b = call { i32, i64 } asm sideeffect "; def $0", "={v1},={v[2:4]}"()
            ;                                                          ^^^^^^^^^ warning[asm-constraint]: `v[2:4]` has 3 registers of 32 bits, but a value of type `i64` has 64 bits
              call void asm sideeffect "; use $0", "{v0},{v1},{v[2:3]},{v4}"(i64 %w, half %h, ptr %p, ptr addrspace(3) %l)
              call void asm sideeffect "v_mov_b32 v0, $0", "={v1}"()
            ;                                               ^^^^^ warning[asm-constraint]: the output `={v1}` has no value: the call returns `void`
              ret void
            }
        "#]]);
    }

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
