//! Which dialect a document is in.

use wavelens_semantics::Dialect;

/// By the language id that the client gives, then the name, then the content. `None`: not ours.
pub(super) fn dialect(language_id: &str, uri: &str, text: &str) -> Option<Dialect> {
    let own = match language_id.to_ascii_lowercase().as_str() {
        "llvm" | "ll" | "llvm-ir" | "llvmir" => Some(Dialect::Llvm),
        "mir" | "llvm-mir" | "machine-ir" => Some(Dialect::Mir),
        "spirv" | "spir-v" | "spvasm" | "spv" => Some(Dialect::Spirv),
        "amdgpu" | "amdgcn" | "amdgpu-asm" | "gcn" => Some(Dialect::Amdgpu),
        _ => None,
    };
    let by_name = Dialect::from_file_name(uri.rsplit('/').next().unwrap_or(uri));
    match own.or(by_name) {
        // Assembly files belong to many assemblers.
        Some(Dialect::Amdgpu) if own.is_none() => is_amdgpu(text).then_some(Dialect::Amdgpu),
        Some(dialect) => Some(dialect),
        None => match Dialect::from_content(text) {
            Some(Dialect::Amdgpu) => is_amdgpu(text).then_some(Dialect::Amdgpu),
            other => other,
        },
    }
}

/// Whether an assembly text is for AMD GPUs: something that no other assembler's files have.
fn is_amdgpu(text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assembly_of_other_machines_is_left_alone() {
        assert_eq!(dialect("asm", "file:///a.s", ".text\n.globl f\nf:\n  ret\n"), None);
        assert_eq!(dialect("asm", "file:///a.s", "f:\n  s_endpgm\n"), Some(Dialect::Amdgpu));
        assert_eq!(dialect("amdgpu", "file:///a.s", "f:\n"), Some(Dialect::Amdgpu));
        assert_eq!(dialect("plaintext", "untitled:1", "define void @f() {"), Some(Dialect::Llvm));
    }
}
