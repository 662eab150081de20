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
    /// Every dialect, in the order in which they are listed.
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
            // Triton's cache has `.llir` and `.amdgcn`, IREE dumps `.rocmasm`.
            Dialect::Llvm => &["ll", "llir"],
            Dialect::Mir => &["mir"],
            Dialect::Spirv => &["spvasm", "spv.txt", "spv", "spvasm64"],
            Dialect::Amdgpu => &["s", "S", "asm", "amdgcn", "rocmasm", "co", "hsaco"],
        }
    }

    /// The dialect that a file's name says, if it says one.
    pub fn from_file_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|d| {
            d.extensions().iter().any(|e| name.strip_suffix(e).is_some_and(|stem| stem.ends_with('.')))
        })
    }

    /// What people call the language.
    pub fn title(self) -> &'static str {
        match self {
            Dialect::Llvm => "LLVM IR",
            Dialect::Mir => "Machine IR",
            Dialect::Spirv => "SPIR-V assembly",
            Dialect::Amdgpu => "AMDGPU assembly",
        }
    }

    /// Whether other languages have files of such a name too, so that only the content tells whose it is.
    pub fn is_shared_name(self, name: &str) -> bool {
        let own = [".amdgcn", ".rocmasm", ".co", ".hsaco"];
        self == Dialect::Amdgpu && !own.iter().any(|ending| name.ends_with(ending))
    }

    /// The dialect of an open document: by the language id that the editor gives, then the name, then the content. `None`: of
    /// another language.
    pub fn of_document(language_id: &str, name: &str, text: &str) -> Option<Dialect> {
        let own = match language_id.to_ascii_lowercase().as_str() {
            "llvm" | "ll" | "llvm-ir" | "llvmir" => Some(Dialect::Llvm),
            "mir" | "llvm-mir" | "machine-ir" => Some(Dialect::Mir),
            "spirv" | "spir-v" | "spvasm" | "spv" => Some(Dialect::Spirv),
            "amdgpu" | "amdgcn" | "amdgpu-asm" | "gcn" => Some(Dialect::Amdgpu),
            _ => None,
        };
        own.or_else(|| match Dialect::from_file_name(name).or_else(|| Dialect::from_content(text))? {
            Dialect::Amdgpu => has_amdgpu_marks(text).then_some(Dialect::Amdgpu),
            dialect => Some(dialect),
        })
    }

    /// A guess from the text alone, for standard input and unknown endings.
    pub fn from_content(text: &str) -> Option<Dialect> {
        for line in text.lines().take(400) {
            let line = line.trim_start();
            // What passes print.
            if line.trim_start_matches(['#', ';', ' ']).starts_with("*** IR Dump ") {
                return Some(Dialect::Llvm);
            }
            if line.starts_with("--- |") || line == "---" || line.starts_with("# Machine code for function ")
            {
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
            if is_amdgpu(line) {
                return Some(Dialect::Amdgpu);
            }
        }
        None
    }
}

/// Whether an assembly text is for AMD GPUs: something that no other assembler's files have.
fn has_amdgpu_marks(text: &str) -> bool {
    let marks = [
        "amdgcn",
        ".amdhsa_",
        ".amd_kernel_code_t",
        ".hsa_code_object",
        "s_endpgm",
        "s_waitcnt",
        "s_mov_b32",
        "v_mov_b32",
        "s_load_dword",
        "s_load_b",
    ];
    text.is_empty() || text.lines().take(2000).any(|line| marks.iter().any(|m| line.contains(m)))
}

/// Whether a trimmed line can only be AMDGPU assembly: a directive of the target, an instruction, or a RUN line for the target.
fn is_amdgpu(line: &str) -> bool {
    const DIRECTIVES: [&str; 4] = [".amdgcn_", ".amdhsa_", ".amdgpu_", ".amd_"];
    const FAMILIES: [&str; 9] =
        ["s_", "v_", "ds_", "buffer_", "tbuffer_", "global_", "flat_", "scratch_", "image_"];
    let is_test = line.contains("RUN:")
        && line.contains("llvm-mc")
        && (line.contains("amdgcn") || line.contains("=amdgpu"));
    if is_test || line.ends_with("file format elf64-amdgpu") || DIRECTIVES.iter().any(|d| line.starts_with(d))
    {
        return true;
    }
    // Other assemblers have such words as labels and symbols only: `s_size = 4`, `v_table:`.
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let is_statement =
        rest.is_empty() || rest.starts_with([' ', '\t']) && !rest.trim_start().starts_with('=');
    is_statement && FAMILIES.iter().any(|f| word.strip_prefix(f).is_some_and(|name| !name.is_empty()))
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
    fn assembly_is_recognised_by_what_only_this_target_has() {
        let of = Dialect::from_content;
        assert_eq!(of("// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s\n"), Some(Dialect::Amdgpu));
        assert_eq!(of("/* words */\n.macro x\n  v_add_f32 v0, v1, \\a\n.endm\n"), Some(Dialect::Amdgpu));
        assert_eq!(of("\t.text\n\t.globl f\nf:\n\ts_endpgm\n"), Some(Dialect::Amdgpu));
        assert_eq!(of("\t.text\n\t.globl f\nf:\n\tmovq %rdi, %rax\n\tretq\n"), None);
        assert_eq!(of("s_size = 4\nv_table:\n\t.word s_size\n"), None);
    }

    #[test]
    fn names_decide_before_content() {
        assert_eq!(Dialect::from_file_name("a.ll"), Some(Dialect::Llvm));
        assert_eq!(Dialect::from_file_name("a.b.spv.txt"), Some(Dialect::Spirv));
        assert_eq!(Dialect::from_file_name("ll"), None);
        assert_eq!(Dialect::from_content("\ndefine void @f() {"), Some(Dialect::Llvm));
    }

    #[test]
    fn assembly_of_other_machines_is_left_alone() {
        let of = Dialect::of_document;
        assert_eq!(of("asm", "a.s", ".text\n.globl f\nf:\n  ret\n"), None);
        assert_eq!(of("asm", "a.s", "f:\n  s_endpgm\n"), Some(Dialect::Amdgpu));
        assert_eq!(of("amdgpu", "a.s", "f:\n"), Some(Dialect::Amdgpu));
        assert_eq!(of("plaintext", "1", "define void @f() {"), Some(Dialect::Llvm));
        assert!(Dialect::Amdgpu.is_shared_name("a.s") && !Dialect::Amdgpu.is_shared_name("a.hsaco"));
    }
}
