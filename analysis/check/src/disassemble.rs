//! Binaries that are shown as text: one entry, by the first bytes of a file.

use wavelens_amdgpu as amdgpu;
use wavelens_base::Dialect;
use wavelens_spirv as spirv;
pub use wavelens_spirv::IdStyle;

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
/// It is neither, or cannot be read, or there are several code objects; the message says what is wrong.
pub fn disassemble(bytes: &[u8], style: IdStyle) -> Result<String, String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    if spirv::is_binary(bytes) {
        return spirv::disassemble(bytes, style).map_err(|e| e.to_string());
    }
    match amdgpu::code_objects(bytes)?.as_slice() {
        [object] => amdgpu::disassemble(&object.bytes),
        [] if amdgpu::is_object(bytes) => amdgpu::disassemble(bytes),
        [] => Err("neither a SPIR-V module nor a file with AMDGPU code objects".to_owned()),
        several => Err(format!("the file holds {} code objects:\n{}", several.len(), list(several))),
    }
}

/// Whether a file holds more than one code object, of which [`disassemble_code_object`] shows one.
pub fn has_several_code_objects(bytes: &[u8]) -> bool {
    !spirv::is_binary(bytes) && amdgpu::code_objects(bytes).is_ok_and(|objects| objects.len() > 1)
}

/// Writes one code object of several as text: by its number, from 1, or the first one for a processor.
///
/// # Errors
/// The code object is missing, or it cannot be read.
pub fn disassemble_code_object(bytes: &[u8], choice: &str) -> Result<String, String> {
    let objects = amdgpu::code_objects(bytes)?;
    let by_number = choice.parse::<usize>().ok().and_then(|number| objects.get(number.checked_sub(1)?));
    let chosen = by_number.or_else(|| objects.iter().find(|object| object.processor == choice));
    match chosen {
        Some(object) => amdgpu::disassemble(&object.bytes),
        None => Err(format!("the file has no code object `{choice}`; it holds:\n{}", list(&objects))),
    }
}

/// One line for each: `1  gfx942   kernels: scale`.
fn list(objects: &[amdgpu::CodeObject<'_>]) -> String {
    const SHOWN: usize = 4;
    let line = |(number, object): (usize, &amdgpu::CodeObject<'_>)| {
        let shown: Vec<&str> = object.kernels.iter().take(SHOWN).map(String::as_str).collect();
        let more = match object.kernels.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("  {}  {:<8} {}{more}", number + 1, object.processor, shown.join(", ")).trim_end().to_owned()
    };
    objects.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_binary_is_not_called_one() {
        let message = |bytes: &[u8]| disassemble(bytes, IdStyle::Raw).unwrap_err();
        assert_eq!(message(b""), "the file is empty");
        assert_eq!(message(b"text"), "neither a SPIR-V module nor a file with AMDGPU code objects");
    }
}
