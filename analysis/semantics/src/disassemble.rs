//! Binaries that are shown as text: one entry, by the first bytes of a file.

pub use crate::spirv::IdStyle;
use crate::{Dialect, amdgpu, spirv};

/// The language that a binary disassembles to; `None` for text and for what nobody reads.
pub fn binary_dialect(bytes: &[u8]) -> Option<Dialect> {
    if spirv::is_binary(bytes) {
        return Some(Dialect::Spirv);
    }
    amdgpu::is_object(bytes).then_some(Dialect::Amdgpu)
}

/// Writes a SPIR-V module or an AMDGPU code object as text. `style` is how SPIR-V ids are written.
///
/// # Errors
/// It is neither, or cannot be read; the message says what is wrong.
pub fn disassemble(bytes: &[u8], style: IdStyle) -> Result<String, String> {
    match binary_dialect(bytes) {
        Some(Dialect::Amdgpu) => amdgpu::disassemble(bytes),
        Some(_) => spirv::disassemble(bytes, style).map_err(|e| e.to_string()),
        None if bytes.is_empty() => Err("the file is empty".to_owned()),
        None => Err("neither a SPIR-V module nor an AMDGPU code object (ELF)".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_binary_is_not_called_one() {
        let message = |bytes: &[u8]| disassemble(bytes, IdStyle::Raw).unwrap_err();
        assert_eq!(message(b""), "the file is empty");
        assert_eq!(message(b"text"), "neither a SPIR-V module nor an AMDGPU code object (ELF)");
    }
}
