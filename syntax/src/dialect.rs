//! The four languages, and how a file's language is recognised.

use std::fmt;
use std::str::FromStr;

/// A language that Wavelens reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// LLVM IR, `.ll`.
    Llvm,
    /// LLVM Machine IR, `.mir`.
    Mir,
    /// SPIR-V assembly, `.spvasm`.
    Spirv,
    /// AMDGPU assembly, `.s`.
    Amdgpu,
}

impl Dialect {
    pub const ALL: [Dialect; 4] = [Dialect::Llvm, Dialect::Mir, Dialect::Spirv, Dialect::Amdgpu];

    /// The name used on the command line, in JSON output and as the protocol's language id.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Llvm => "llvm",
            Dialect::Mir => "mir",
            Dialect::Spirv => "spirv",
            Dialect::Amdgpu => "amdgpu",
        }
    }

    /// File name endings, without the leading dot, that belong to this dialect.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Dialect::Llvm => &["ll"],
            Dialect::Mir => &["mir"],
            Dialect::Spirv => &["spvasm", "spv.txt", "spv", "spvasm64"],
            Dialect::Amdgpu => &["s", "S", "asm", "co", "hsaco"],
        }
    }

    /// The dialect that a file's name says, if it says one.
    pub fn from_file_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|d| {
            d.extensions().iter().any(|e| name.strip_suffix(e).is_some_and(|stem| stem.ends_with('.')))
        })
    }

    /// A guess from the text alone, for standard input and unknown endings.
    pub fn from_content(text: &str) -> Option<Dialect> {
        for line in text.lines().take(400) {
            let line = line.trim_start();
            if line.starts_with("--- |") || line == "---" {
                return Some(Dialect::Mir);
            }
            if line.starts_with("OpCapability") || line.starts_with("; SPIR-V") || line.contains("= OpType") {
                return Some(Dialect::Spirv);
            }
            let llvm = [
                "define ",
                "declare ",
                "target triple",
                "target datalayout",
                "source_filename",
                "; ModuleID",
            ];
            if llvm.iter().any(|w| line.starts_with(w)) {
                return Some(Dialect::Llvm);
            }
            let amdgpu =
                [".amdgcn_target", ".amdhsa_", ".text", ".globl", "s_endpgm", "s_mov_b32", "v_mov_b32"];
            if amdgpu.iter().any(|w| line.starts_with(w)) {
                return Some(Dialect::Amdgpu);
            }
        }
        None
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Dialect::ALL
            .into_iter()
            .find(|d| d.name() == s)
            .ok_or_else(|| format!("unknown dialect `{s}`: use llvm, mir, spirv or amdgpu"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_before_content() {
        assert_eq!(Dialect::from_file_name("a.ll"), Some(Dialect::Llvm));
        assert_eq!(Dialect::from_file_name("a.b.spv.txt"), Some(Dialect::Spirv));
        assert_eq!(Dialect::from_file_name("ll"), None);
        assert_eq!(Dialect::from_content("\ndefine void @f() {"), Some(Dialect::Llvm));
    }
}
