//! The target that the embedded IR names.

use crate::scope::Scope;
use wavelens_base::Diagnostic;
use wavelens_llvm as llvm;
use wavelens_llvm::Lowered;

wavelens_syntax::rules! {
    UNKNOWN_TARGET {
        code: "unknown-target",
        severity: wavelens_base::Severity::Error,
        title: "the target triple names an architecture of LLVM",
        explain: "llc cannot compile the file unless its command line names another triple.",
        example: r#"--- |
  target triple = "foo-unknown-unknown"
  define void @f() { ret void }
...
---
name: f
body: |
  bb.0:
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() { ret void }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM TargetRegistry::lookupTarget: \"No available targets are compatible with triple\"",
    }
}

/// Architectures that some build of LLVM may generate code for.
const ARCHITECTURES: &str = "i386 i486 i586 i686 i786 i886 i986 amd64 x86_64 x86_64h powerpc powerpcspe ppc ppc32 powerpcle ppcle \
    ppc32le powerpc64 ppu ppc64 powerpc64le ppc64le xscale xscaleeb aarch64 arc avr m68k msp430 mips mipseb mipsallegrex mipsisa32r6 \
    mipsr6 mipsel mipsallegrexel mipsisa32r6el mipsr6el mips64 mips64eb mipsn32 mipsisa64r6 mips64r6 mipsn32r6 mips64el mipsn32el \
    mipsisa64r6el mips64r6el mipsn32r6el r600 amdgcn riscv32 riscv64 riscv32be riscv64be hexagon s390x systemz sparc sparcel sparcv9 \
    sparc64 xcore nvptx nvptx64 lanai ve wasm32 wasm64 csky loongarch32 loongarch64 xtensa";

/// Prefixes of names that end in a version.
const FAMILIES: [&str; 6] = ["arm", "thumb", "aarch64_", "bpf", "spirv", "dxil"];

/// Checks the triple of the module's chunk that has it.
pub(crate) fn check(ir: &Lowered, scope: &Scope, diagnostics: &mut Vec<Diagnostic>) {
    let Some(triple) = ir.summary.cold.triple.filter(|_| !scope.has_command) else { return };
    let text = ir.summary.tables.name(triple.value);
    let architecture = text.split('-').next().unwrap_or("");
    let known = ARCHITECTURES.split(' ').any(|a| a == architecture)
        || FAMILIES.iter().any(|family| architecture.starts_with(family))
        || wavelens_isa::is_amdgpu(architecture);
    if !known && !text.is_empty() {
        let message = format!("unknown architecture `{architecture}` in the target triple");
        diagnostics.push(Diagnostic::new(&UNKNOWN_TARGET, llvm::item_range(ir, triple.item), message));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn architectures() {
        let with = |command: &str, triple: &str| {
            let text = format!(
                "{command}--- |\n  target triple = \"{triple}\"\n  define void @f() {{ unreachable }}\n...\n---\nname: f\n...\n"
            );
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        expect![[r#"
            error[unknown-target] 2:19 `"x87_64-unknown-linux"`: unknown architecture `x87_64` in the target triple
        "#]]
        .assert_eq(&with("", "x87_64-unknown-linux"));
        expect![""].assert_eq(&with("# RUN: llc -mtriple=x86_64 -o - %s\n", "x87_64"));
        expect![""].assert_eq(&with("", ""));
        expect![""].assert_eq(&with("", "armv7-linux"));
        expect![""].assert_eq(&with("", "s390x-linux"));
    }
}
