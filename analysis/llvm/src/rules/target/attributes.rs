//! String attributes of functions that code generation for AMDGPU reads.

use wavelens_isa::{Generation, Target, WaveSize, agrees_with_triple, triple_with_processor};
use wavelens_syntax::{nearest, wording};

use super::functions::{is_chain, is_entry};
use super::target;
use crate::attribute_set::{AttributeSet, Entry};
use crate::context::ModuleContext;
use crate::rules::attributes::{at, range};
use crate::scope::Scope;
use crate::types::TypeId;
use wavelens_base::configuration::{AMDGPU_TRIPLE, other_processor, removed_processor, unknown_processor};
use wavelens_base::lit::known::{amdgpu_features, is_amdgpu_feature};
use wavelens_base::{Fault, Severity, Verdict};

wavelens_syntax::rules! {
    TARGET_ATTRIBUTE {
        code: "target-attribute",
        severity: Severity::Warning,
        title: "string attributes have names and values that AMDGPU's code generation reads",
        explain: "The verifier takes any string attribute. Code generation reads those that begin with `amdgpu-`, and `target-cpu` and \
            `target-features`, as text: a value that is not in the expected form ends the compilation, one out of range is ignored, and a \
            misspelt name does nothing. Names that resemble no known one are not reported.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() "amdgpu-flat-work-group-size"="64" {
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() "amdgpu-flat-work-group-size"="64,64" {
  ret void
}
"#,
        source: "LLVM `AMDGPU::getIntegerPairAttribute`: \"can't parse second integer attribute\", and its likes in AMDGPUBaseInfo; User \
            Guide for AMDGPU, \"LLVM IR Attributes\"",
    }
}

/// The attributes that LLVM's passes for AMDGPU or front ends write, for suggestions.
const NAMES: &[&str] = &[
    "amdgpu-32bit-address-high-bits",
    "amdgpu-agpr-alloc",
    "amdgpu-calls",
    "amdgpu-cluster-dims",
    "amdgpu-color-export",
    "amdgpu-depth-export",
    "amdgpu-dx10-clamp",
    "amdgpu-dynamic-vgpr-block-size",
    "amdgpu-early-inline-all",
    "amdgpu-expert-scheduling-mode",
    "amdgpu-flat-work-group-size",
    "amdgpu-gds-size",
    "amdgpu-git-ptr-high",
    "amdgpu-hidden-argument",
    "amdgpu-ieee",
    "amdgpu-implicitarg-num-bytes",
    "amdgpu-lds-size",
    "amdgpu-max-num-workgroups",
    "amdgpu-memory-bound",
    "amdgpu-no-agpr",
    "amdgpu-no-cluster-id-x",
    "amdgpu-no-cluster-id-y",
    "amdgpu-no-cluster-id-z",
    "amdgpu-no-completion-action",
    "amdgpu-no-default-queue",
    "amdgpu-no-dispatch-id",
    "amdgpu-no-dispatch-ptr",
    "amdgpu-no-flat-scratch-init",
    "amdgpu-no-heap-ptr",
    "amdgpu-no-hostcall-ptr",
    "amdgpu-no-implicitarg-ptr",
    "amdgpu-no-lds-kernel-id",
    "amdgpu-no-multigrid-sync-arg",
    "amdgpu-no-queue-ptr",
    "amdgpu-no-workgroup-id-x",
    "amdgpu-no-workgroup-id-y",
    "amdgpu-no-workgroup-id-z",
    "amdgpu-no-workitem-id-x",
    "amdgpu-no-workitem-id-y",
    "amdgpu-no-workitem-id-z",
    "amdgpu-num-sgpr",
    "amdgpu-num-vgpr",
    "amdgpu-promote-alloca-to-vector-max-regs",
    "amdgpu-promote-alloca-to-vector-vgpr-ratio",
    "amdgpu-prealloc-sgpr-spill-vgprs",
    "amdgpu-ps-wqm-outputs",
    "amdgpu-sched-strategy",
    "amdgpu-sgpr-hazard-boundary-cull",
    "amdgpu-sgpr-hazard-mem-wait-cull",
    "amdgpu-sgpr-hazard-mem-wait-cull-threshold",
    "amdgpu-sgpr-hazard-wait",
    "amdgpu-stack-objects",
    "amdgpu-unroll-threshold",
    "amdgpu-unsafe-fp-atomics",
    "amdgpu-wait-sgpr-hazards",
    "amdgpu-wave-limiter",
    "amdgpu-waves-per-eu",
];

/// Attributes whose value is a number.
const NUMBERS: &[&str] = &[
    "InitialPSInputAddr",
    "amdgpu-dynamic-vgpr-block-size",
    "amdgpu-implicitarg-num-bytes",
    "amdgpu-num-sgpr",
    "amdgpu-num-vgpr",
    "amdgpu-promote-alloca-to-vector-max-regs",
    "amdgpu-promote-alloca-to-vector-vgpr-ratio",
    "amdgpu-sgpr-hazard-mem-wait-cull-threshold",
];

/// Attributes of all targets on which the code of a function depends.
const COMMON: &[&str] = &["target-cpu", "target-features", "uniform-work-group-size"];

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let (scope, summary) = (cx.scope, cx.summary);
    let mut found = Vec::new();
    for function in summary.functions.iter().filter(|f| !f.attrs.is_empty()) {
        let own = AttributeSet::new(scope, &summary.tables, function.attrs, |_| TypeId::ERROR);
        let target = target(scope, &own);
        let has_own_registers = function.is_definition && (is_entry(function.cc) || is_chain(function.cc));
        for (entry, key, text) in own.strings() {
            let verdict = match key {
                "amdgpu-dynamic-vgpr-block-size" if has_own_registers => block_size(entry, key, text, target),
                "target-cpu" => processor(entry, text, scope),
                _ => attribute(entry, key, text, target),
            };
            found.extend(verdict.err().map(|fault| (function.head.item, fault)));
        }
    }
    for (item, fault) in found {
        let diagnostic = fault.diagnostic(|part| range(part, &cx.ranges.attrs, cx.item_range(item)));
        cx.diagnostics.push(diagnostic);
    }
}

fn wrong(entry: &Entry<'_>, message: impl Into<String>) -> Verdict {
    at(entry, Fault::new(&TARGET_ATTRIBUTE, message))
}

fn attribute(entry: &Entry<'_>, key: &str, text: &str, target: Option<Target>) -> Verdict {
    match key {
        "amdgpu-flat-work-group-size" => work_group_size(entry, key, &numbers(entry, key, text, &[2])?),
        "amdgpu-waves-per-eu" => waves(entry, key, &numbers(entry, key, text, &[1, 2])?),
        "amdgpu-lds-size" | "amdgpu-agpr-alloc" => numbers(entry, key, text, &[1, 2]).map(drop),
        "amdgpu-max-num-workgroups" | "amdgpu-cluster-dims" => numbers(entry, key, text, &[3]).map(drop),
        _ if NUMBERS.contains(&key) => numbers(entry, key, text, &[1]).map(drop),
        "amdgpu-ieee" | "amdgpu-dx10-clamp" | "amdgpu-unsafe-fp-atomics" | "uniform-work-group-size"
            if !matches!(text, "true" | "false") && !is_valueless(key, text) =>
        {
            wrong(entry, format!("`\"{key}\"` must be `\"true\"` or `\"false\"`, is `\"{text}\"`"))
        }
        "target-features" => features(entry, text, target),
        _ if NAMES.contains(&key) || COMMON.contains(&key) => Ok(()),
        _ => {
            let known = if key.starts_with("amdgpu-") { NAMES } else { COMMON };
            let near: Vec<_> =
                nearest(key, known.iter().copied()).iter().map(|near| format!("`\"{near}\"`")).collect();
            if near.is_empty() {
                return Ok(());
            }
            wrong(
                entry,
                format!("unknown attribute `\"{key}\"`; did you mean {}?", wording::alternatives(near)),
            )
        }
    }
}

/// LLVM 24 writes this one without a value, where older versions wrote `"true"`.
fn is_valueless(key: &str, text: &str) -> bool {
    key == "uniform-work-group-size" && text.is_empty()
}

/// A number as LLVM reads it: with the prefix of its base.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, base) = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (text.get(2..)?, 16),
        Some("0b") => (text.get(2..)?, 2),
        Some("0o") => (text.get(2..)?, 8),
        _ => (text, 10),
    };
    u32::from_str_radix(digits, base).ok().map(u64::from).filter(|_| !digits.starts_with('+'))
}

/// The numbers of a list of one of these lengths.
fn numbers(entry: &Entry<'_>, key: &str, text: &str, lengths: &[usize]) -> Result<Vec<u64>, Box<Fault>> {
    let parsed: Option<Vec<u64>> = text.split(',').map(number).collect();
    let form = match lengths {
        [1] => "a number",
        [2] => "two numbers, `\"minimum,maximum\"`",
        [1, 2] => "a number or two, `\"minimum,maximum\"`",
        _ => "three numbers, `\"x,y,z\"`",
    };
    match parsed.filter(|numbers| lengths.contains(&numbers.len())) {
        Some(numbers) => Ok(numbers),
        None => wrong(entry, format!("`\"{key}\"` must be {form}, is `\"{text}\"`")).map(|()| Vec::new()),
    }
}

/// Lanes in a workgroup that the hardware can start.
const LARGEST_GROUP: u64 = 1024;

fn work_group_size(entry: &Entry<'_>, key: &str, sizes: &[u64]) -> Verdict {
    let [least, greatest] = *sizes else { return Ok(()) };
    let why = if least > greatest {
        format!("the minimum {least} is greater than the maximum {greatest}")
    } else if least == 0 {
        "the minimum must be at least 1".to_owned()
    } else if greatest > LARGEST_GROUP {
        format!("the maximum must be at most {LARGEST_GROUP}, is {greatest}")
    } else {
        return Ok(());
    };
    wrong(entry, format!("LLVM ignores this `\"{key}\"`: {why}"))
}

/// More waves than a SIMD holds are a wish: `llc` says so itself.
fn waves(entry: &Entry<'_>, key: &str, waves: &[u64]) -> Verdict {
    let least = waves.first().copied().unwrap_or(1);
    let why = match waves.get(1).copied().filter(|n| *n != 0) {
        Some(greatest) if least > greatest => {
            format!("the minimum {least} is greater than the maximum {greatest}")
        }
        _ if least == 0 => "the minimum must be at least 1".to_owned(),
        _ => return Ok(()),
    };
    wrong(entry, format!("LLVM ignores this `\"{key}\"`: {why}"))
}

/// Waves that take and give back VGPRs while they run came with GFX12: for older processors LLVM crashes.
fn block_size(entry: &Entry<'_>, key: &str, text: &str, target: Option<Target>) -> Verdict {
    numbers(entry, key, text, &[1])?;
    match target.filter(|target| target.generation() < Generation::Gfx12 && number(text).unwrap_or(0) != 0) {
        Some(target) => {
            wrong(entry, format!("{target} does not support `\"{key}\"`; dynamic VGPRs came with GFX12"))
        }
        None => Ok(()),
    }
}

/// Whether a later LLVM may have the processor: its generation is at most one after those that are known. `gfx1042` is the stepping 2
/// of 10.4, `gfx9-4-generic` of generation 9.
fn may_be_newer(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("gfx") else { return false };
    let generation = match rest.split_once('-') {
        Some((generation, _)) => Some(generation),
        None => rest.len().checked_sub(2).and_then(|end| rest.get(..end)),
    };
    let known = Target::names().filter_map(|name| Target::named(name).map(Target::major)).max().unwrap_or(0);
    generation.and_then(|digits| digits.parse::<u8>().ok()).is_some_and(|generation| generation <= known + 1)
}

/// A processor that the triple does not allow, one of another target, or a misspelt one. A name of a later LLVM is not reported.
fn processor(entry: &Entry<'_>, name: &str, scope: &Scope) -> Verdict {
    let is_newer = triple_with_processor(AMDGPU_TRIPLE, name).is_some() || may_be_newer(name);
    let triple = scope.configuration.triple.as_ref().map(|triple| triple.value.as_str());
    if let Some(triple) = triple.filter(|triple| !agrees_with_triple(triple, name)) {
        return wrong(entry, other_processor(name, triple));
    }
    if name.is_empty() || Target::named(name).is_some() {
        return Ok(());
    }
    if let Some((processor, _)) =
        name.split_once(':').filter(|(processor, _)| Target::named(processor).is_some())
    {
        let message = format!(
            "LLVM ignores `{name}`: write `{processor}`, and features such as `+xnack` in `\"target-features\"`"
        );
        return wrong(entry, message);
    }
    if is_newer && removed_processor(name).is_none() {
        return Ok(());
    }
    let message = unknown_processor(name);
    wrong(entry, format!("LLVM ignores this processor: {message}"))
}

fn features(entry: &Entry<'_>, text: &str, target: Option<Target>) -> Verdict {
    let is_on = |name: &str| text.split(',').any(|feature| feature.trim() == format!("+{name}"));
    for feature in text.split(',') {
        let name = feature.trim().trim_start_matches(['+', '-']);
        if name.is_empty() || is_amdgpu_feature(name) {
            continue;
        }
        if OF_HOSTS.contains(&name) {
            return wrong(entry, format!("LLVM ignores `{name}`: it is a feature of a host, not of AMDGPU"));
        }
        let near = nearest(name, amdgpu_features());
        if !near.is_empty() {
            let near = wording::one_of(near);
            return wrong(entry, format!("LLVM ignores the unknown feature `{name}`; did you mean {near}?"));
        }
    }
    if is_on("wavefrontsize32") && is_on("wavefrontsize64") {
        return wrong(entry, "a function must have one of `wavefrontsize32` and `wavefrontsize64`, not both");
    }
    if let Some(target) = target {
        for name in ["sramecc", "xnack"] {
            if is_on(name) && !target.has_feature(&format!("{name}-support")) {
                return wrong(entry, format!("{target} does not support `{name}`"));
            }
        }
        for (name, wave) in [("wavefrontsize32", WaveSize::W32), ("wavefrontsize64", WaveSize::W64)] {
            if is_on(name) && target.with_wave_size(wave).is_none() {
                let lanes = wave.lanes();
                let message =
                    format!("{target} has no waves of {lanes} lanes, and LLVM may leave the function out");
                return wrong(entry, message);
            }
        }
    }
    Ok(())
}

/// Features that front ends write for the host's functions.
const OF_HOSTS: &[&str] = &[
    "aes",
    "avx",
    "avx2",
    "avx512f",
    "bmi",
    "cmov",
    "crc32",
    "cx16",
    "cx8",
    "fma",
    "fp-armv8",
    "fxsr",
    "mmx",
    "neon",
    "outline-atomics",
    "popcnt",
    "sse",
    "sse2",
    "sse3",
    "sse4.1",
    "sse4.2",
    "ssse3",
    "v8a",
    "x87",
    "xsave",
];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn names_of_all_targets() {
        check(
            "target triple = \"amdgcn-amd-amdhsa\"\ndeclare void @a() \"target-cpus\"=\"gfx90a\" \"target-feature\"=\"+xnack\"\n\
             declare void @b() \"uniform-work-group-sizes\"=\"true\" \"target-abi\"=\"x\" \"target-cpu\"=\"gfx90a:xnack+\"\n\
             declare void @d() \"target-cpu\"=\"gfx12O1\"\ndeclare void @e() \"target-cpu\"=\"gfx1205\"\n\
             declare void @c() \"target-cpu\"=\"gfx1100\" \"target-features\"=\"+xnack\"\n",
            expect![[r#"
                warning[target-attribute] 2:19 `"target-cpus"="gfx90a"`: unknown attribute `"target-cpus"`; did you mean `"target-cpu"`?
                warning[target-attribute] 2:42 `"target-feature"="+xnack"`: unknown attribute `"target-feature"`; did you mean `"target-features"`?
                warning[target-attribute] 3:19 `"uniform-work-group-sizes"="true"`: unknown attribute `"uniform-work-group-sizes"`; did you mean `"uniform-work-group-size"`?
                warning[target-attribute] 3:70 `"target-cpu"="gfx90a:xnack+"`: LLVM ignores `gfx90a:xnack+`: write `gfx90a`, and features such as `+xnack` in `"target-features"`
                warning[target-attribute] 6:42 `"target-features"="+xnack"`: gfx1100 does not support `xnack`
            "#]],
        );
    }

    #[test]
    fn the_triple_allows_the_processor() {
        marks(expect![[r#"
            target triple = "amdgpu9.4-amd-amdhsa"
            declare void @a() "target-cpu"="gfx942"
            declare void @b() "target-cpu"="gfx1100"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: processor `gfx1100` does not agree with the triple `amdgpu9.4-amd-amdhsa`
            declare void @c() "target-cpu"="gfx2000"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this processor: unknown processor `gfx2000`
        "#]]);
    }

    #[test]
    fn values_have_the_form_that_llvm_reads() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            declare void @a() "amdgpu-flat-work-group-size"="64"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-flat-work-group-size"` must be two numbers, `"minimum,maximum"`, is `"64"`
            declare void @b() "amdgpu-flat-work-group-size"="128,64"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this `"amdgpu-flat-work-group-size"`: the minimum 128 is greater than the maximum 64
            declare void @c() "amdgpu-flat-work-group-size"="1, 0x400"
            declare void @d() "amdgpu-flat-work-group-size"="1,2048"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this `"amdgpu-flat-work-group-size"`: the maximum must be at most 1024, is 2048
            declare void @e() "amdgpu-waves-per-eu"="four"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-waves-per-eu"` must be a number or two, `"minimum,maximum"`, is `"four"`
            declare void @f() "amdgpu-waves-per-eu"="4,2"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this `"amdgpu-waves-per-eu"`: the minimum 4 is greater than the maximum 2
            declare void @g() "amdgpu-waves-per-eu"="2,0"
            declare void @h() "amdgpu-waves-per-eu"="0"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this `"amdgpu-waves-per-eu"`: the minimum must be at least 1
            declare void @j() "amdgpu-max-num-workgroups"="1,2"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-max-num-workgroups"` must be three numbers, `"x,y,z"`, is `"1,2"`
            declare void @k() "amdgpu-cluster-dims"="1,2,x"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-cluster-dims"` must be three numbers, `"x,y,z"`, is `"1,2,x"`
            declare void @l() "amdgpu-num-vgpr"="-1"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-num-vgpr"` must be a number, is `"-1"`
            declare void @m() "amdgpu-ieee"="yes"
            ;                 ^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-ieee"` must be `"true"` or `"false"`, is `"yes"`
            declare void @p() "amdgpu-implicitarg-num-bytes"="-8" "InitialPSInputAddr"="0x2"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: `"amdgpu-implicitarg-num-bytes"` must be a number, is `"-8"`
            declare void @n() "amdgpu-lds-size"="16,32" "amdgpu-agpr-alloc"="0"
            declare void @o() "uniform-work-group-size"
        "#]]);
    }

    #[test]
    fn names_that_nothing_reads() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            declare void @a() "amdgpu-flat-workgroup-size"="64,64"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: unknown attribute `"amdgpu-flat-workgroup-size"`; did you mean `"amdgpu-flat-work-group-size"`?
            declare void @b() "amdgpu-my-front-end"="64"
            declare void @c() "target-cpu"="x86-64" "target-features"="+sse2"
            ;                 ^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this processor: unknown processor `x86-64`
            ;                                       ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores `sse2`: it is a feature of a host, not of AMDGPU
            declare void @d() "target-features"="+wavefrontsize46,-xnack"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores the unknown feature `wavefrontsize46`; did you mean `wavefrontsize16` or `wavefrontsize64`?
            declare void @e() "target-features"="+fxsr,+mmx"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores `fxsr`: it is a feature of a host, not of AMDGPU
            declare void @f() "target-cpu"="gfx1170" "target-features"="+some-newer-insts"
            declare void @g() "target-cpu"="gfx941"
            ;                 ^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this processor: processor `gfx941` was removed in LLVM 20; use `gfx942`
            declare void @h() "target-cpu"="gxf942"
            ;                 ^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this processor: unknown processor `gxf942`; did you mean `gfx942`?
            define amdgpu_kernel void @a11() "target-cpu"="gfx1150" "amdgpu-dynamic-vgpr-block-size"="16" { ret void }
            ;                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: gfx1150 does not support `"amdgpu-dynamic-vgpr-block-size"`; dynamic VGPRs came with GFX12
            define void @a9() "target-cpu"="gfx1150" "amdgpu-dynamic-vgpr-block-size"="16" { ret void }
            define amdgpu_cs_chain void @a8() "target-cpu"="gfx1150" "amdgpu-dynamic-vgpr-block-size"="16" { ret void }
            ;                           ^^^ warning[target-convention]: `amdgpu_cs_chain` functions are for Mesa and PAL, not for HSA
            ;                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: gfx1150 does not support `"amdgpu-dynamic-vgpr-block-size"`; dynamic VGPRs came with GFX12
            define amdgpu_kernel void @a12() "target-cpu"="gfx1200" "amdgpu-dynamic-vgpr-block-size"="32" { ret void }
            define amdgpu_kernel void @a0() "target-cpu"="gfx1150" "amdgpu-dynamic-vgpr-block-size"="0" { ret void }
            declare void @i() "target-cpu"="gfx90a" "target-features"="+wavefrontsize32"
            ;                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: gfx90a has no waves of 32 lanes, and LLVM may leave the function out
            declare void @j() "target-features"="+wavefrontsize32,+wavefrontsize64"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: a function must have one of `wavefrontsize32` and `wavefrontsize64`, not both
            declare void @k() "target-cpu"="gfx9000"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this processor: unknown processor `gfx9000`; did you mean `gfx900`?
            declare void @l() "target-cpu"="gfx9-5-generic"
            declare void @m() "target-cpu"="gfx1142"
            declare void @n() "target-cpu"="gfx9421"
            ;                 ^^^^^^^^^^^^^^^^^^^^^^ warning[target-attribute]: LLVM ignores this processor: unknown processor `gfx9421`; did you mean `gfx942`?
        "#]]);
        marks(expect![[r#"
            declare void @a() "amdgpu-flat-work-group-size"="64" "target-cpu"="x86-64"
        "#]]);
    }
}
