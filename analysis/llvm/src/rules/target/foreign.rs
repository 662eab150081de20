//! Intrinsics of another target.

use super::super::call_site::Site;
use super::Used;
use super::intrinsics::is_dropped;
use crate::scope::Scope;
use crate::tables::Intrinsic;
use wavelens_base::Verdict;

/// How the names of a target's intrinsics begin, after `llvm.`; the target's name; and how its triples begin. AMD's SPIR-V has AMDGPU's.
const TARGETS: &[(&str, &str, &[&str])] = &[
    ("aarch64", "AArch64", &["aarch64", "arm64"]),
    ("amdgcn", "AMDGPU", &["amdgcn", "r600", "spirv"]),
    ("arm", "ARM", &["arm", "thumb", "aarch64"]),
    ("bpf", "BPF", &["bpf"]),
    ("dx", "DirectX", &["dxil"]),
    ("hexagon", "Hexagon", &["hexagon"]),
    ("loongarch", "LoongArch", &["loongarch"]),
    ("mips", "MIPS", &["mips"]),
    ("nvvm", "NVPTX", &["nvptx"]),
    ("ppc", "PowerPC", &["powerpc", "ppc"]),
    ("r600", "R600", &["r600"]),
    ("riscv", "RISC-V", &["riscv"]),
    ("s390", "SystemZ", &["s390", "systemz"]),
    ("spv", "SPIR-V", &["spirv"]),
    ("ve", "VE", &["ve"]),
    ("wasm", "WebAssembly", &["wasm"]),
    ("x86", "x86", &["x86", "i386", "i486", "i586", "i686"]),
];

/// What another GPU calls the same.
const SAME: &[(&str, &str)] = &[
    ("nvvm.barrier0", "amdgcn.s.barrier"),
    ("nvvm.read.ptx.sreg.ctaid.", "amdgcn.workgroup.id."),
    ("nvvm.read.ptx.sreg.tid.", "amdgcn.workitem.id."),
    ("r600.read.tgid.", "amdgcn.workgroup.id."),
    ("r600.read.tidig.", "amdgcn.workitem.id."),
];

pub(super) fn is_compiled(scope: &Scope) -> bool {
    scope.triple.is_some()
        && scope.configuration.run.as_ref().is_none_or(|run| run.is_compilation() && !run.fails)
}

pub(super) fn check(site: &Site<'_, '_>, used: &Used<'_>) -> Verdict {
    let Some(short) = site.name.strip_prefix("llvm.") else { return Ok(()) };
    let Some((family, _)) = short.split_once('.') else { return Ok(()) };
    let Some((_, target, own)) = TARGETS.iter().find(|(name, ..)| *name == family) else { return Ok(()) };
    let arch = site.cx.scope.triple.as_deref().and_then(|triple| triple.split('-').next());
    let Some(arch) = arch.filter(|arch| TARGETS.iter().any(|(.., own)| starts(arch, own))) else {
        return Ok(());
    };
    // Two families are left of the time before HSA.
    let is_before_hsa =
        ["r600.read.ngroups.", "r600.read.local.size."].iter().any(|name| short.starts_with(name));
    if is_before_hsa && arch == "amdgcn" {
        let is_hsa = site.cx.scope.triple.as_deref().is_some_and(|triple| triple.contains("amdhsa"));
        let message = || {
            format!(
                "`{}` is not for HSA; read the size through `llvm.amdgcn.implicitarg.ptr` or `llvm.amdgcn.dispatch.ptr`",
                site.name
            )
        };
        return if is_hsa { site.wrong(message()) } else { Ok(()) };
    }
    // Those of older versions are replaced by instructions of all targets.
    if starts(arch, own) || Intrinsic::lookup(site.name).is_none() || is_dropped(site.cx, site.inst, used, 0)
    {
        return Ok(());
    }
    let message = format!("`{}` is an intrinsic of {target}, but this module is for `{arch}`", site.name);
    let same = |(name, own): &(&str, &str)| {
        let rest = short.strip_prefix(name)?;
        TARGETS
            .iter()
            .any(|(family, _, archs)| own.starts_with(family) && starts(arch, archs))
            .then(|| format!("llvm.{own}{rest}"))
    };
    match SAME.iter().find_map(same) {
        Some(own) => site.wrong(format!("{message}; use `{own}`")),
        None => site.wrong(message),
    }
}

/// Whether an architecture is known, and its code generation does not take what is AMDGPU's.
pub(super) fn is_other_than_amdgpu(arch: &str) -> bool {
    let mut known = TARGETS.iter().filter(|(.., archs)| starts(arch, archs)).peekable();
    known.peek().is_some() && known.all(|(family, ..)| !matches!(*family, "amdgcn" | "r600" | "spv"))
}

fn starts(arch: &str, with: &[&str]) -> bool {
    with.iter().any(|start| arch.starts_with(start))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

    #[test]
    fn intrinsics_of_another_target() {
        let text = |triple: &str| {
            format!(
                r#"target triple = "{triple}"
define i32 @f(float %x) {{
  %a = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.amdgcn.workitem.id.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %d = add i32 %a, %b
  ret i32 %d
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.amdgcn.workitem.id.x()
"#
            )
        };
        check(
            &text("amdgcn-amd-amdhsa"),
            expect![[r#"
            warning[target-intrinsic] 3:17 `@llvm.nvvm.read.ptx.sreg.tid.x`: `llvm.nvvm.read.ptx.sreg.tid.x` is an intrinsic of NVPTX, but this module is for `amdgcn`; use `llvm.amdgcn.workitem.id.x`
        "#]],
        );
        check(
            &text("nvptx64-nvidia-cuda"),
            expect![[r#"
            warning[target-intrinsic] 4:17 `@llvm.amdgcn.workitem.id.x`: `llvm.amdgcn.workitem.id.x` is an intrinsic of AMDGPU, but this module is for `nvptx64`
        "#]],
        );
        check(
            &text("x86_64-unknown-linux-gnu"),
            expect![[r#"
            warning[target-intrinsic] 3:17 `@llvm.nvvm.read.ptx.sreg.tid.x`: `llvm.nvvm.read.ptx.sreg.tid.x` is an intrinsic of NVPTX, but this module is for `x86_64`
            warning[target-intrinsic] 4:17 `@llvm.amdgcn.workitem.id.x`: `llvm.amdgcn.workitem.id.x` is an intrinsic of AMDGPU, but this module is for `x86_64`
        "#]],
        );
        check(&text("unknown"), expect![""]);
    }

    #[test]
    fn intrinsics_before_hsa() {
        let text = |triple: &str| {
            format!(
                r#"target triple = "{triple}"
define i32 @f() {{
  %a = call i32 @llvm.r600.read.ngroups.x()
  %b = call i32 @llvm.r600.read.tidig.x()
  %c = add i32 %a, %b
  ret i32 %c
}}
declare i32 @llvm.r600.read.ngroups.x()
declare i32 @llvm.r600.read.tidig.x()
"#
            )
        };
        check(
            &text("amdgcn-amd-amdhsa"),
            expect![[r#"
            warning[target-intrinsic] 3:17 `@llvm.r600.read.ngroups.x`: `llvm.r600.read.ngroups.x` is not for HSA; read the size through `llvm.amdgcn.implicitarg.ptr` or `llvm.amdgcn.dispatch.ptr`
            warning[target-intrinsic] 4:17 `@llvm.r600.read.tidig.x`: `llvm.r600.read.tidig.x` is an intrinsic of R600, but this module is for `amdgcn`; use `llvm.amdgcn.workitem.id.x`
        "#]],
        );
        check(
            &text("amdgcn--"),
            expect![[r#"
            warning[target-intrinsic] 4:17 `@llvm.r600.read.tidig.x`: `llvm.r600.read.tidig.x` is an intrinsic of R600, but this module is for `amdgcn`; use `llvm.amdgcn.workitem.id.x`
        "#]],
        );
        check(&text("r600--"), expect![""]);
    }
}
