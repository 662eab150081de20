//! What the user can set about checking.

/// Settings that change what is right. Part of the module scope's input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// AMDGPU processor (`gfx1100`), for assembly and Machine IR that name none.
    pub target: Option<String>,
    /// SPIR-V environment (`vulkan1.3`, `spv1.6`), for modules that name none.
    pub target_env: Option<String>,
    /// Assembly symbols that a build would define: name and value.
    pub defines: Vec<(String, String)>,
    /// LLVM major version (15 to 22) to be strict about; `None` is the newest.
    pub llvm_level: Option<u8>,
    /// Report also what only follows from an earlier mistake in a block, line by line, as the reference assembler does.
    pub follow_on: bool,
    /// Codes of warnings that are switched off.
    pub disabled: Vec<String>,
}

impl Options {
    pub fn is_enabled(&self, code: &str) -> bool {
        !self.disabled.iter().any(|d| d == code)
    }
}
