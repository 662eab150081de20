//! Binaries that are shown as text: one entry, by the first bytes of a file.

use std::borrow::Cow;

use wavelens_amdgpu as amdgpu;
use wavelens_base::Dialect;
use wavelens_spirv as spirv;
pub use wavelens_spirv::IdStyle;

/// The language that a binary disassembles to; `None` for text and for what nobody reads.
pub fn binary_dialect(bytes: &[u8]) -> Option<Dialect> {
    if spirv::is_binary(bytes) {
        return Some(Dialect::Spirv);
    }
    let is_spirv = || {
        let images = amdgpu::images(bytes, spirv::is_binary).unwrap_or_default();
        !images.is_empty() && images.iter().all(|image| spirv::is_binary(image))
    };
    amdgpu::is_object(bytes).then(|| if is_spirv() { Dialect::Spirv } else { Dialect::Amdgpu })
}

/// Writes a SPIR-V module or an AMDGPU code object as text. `style` is how SPIR-V ids are written.
///
/// # Errors
/// It is neither, or cannot be read, or there are several code objects; the message says what is wrong.
pub fn disassemble(bytes: &[u8], style: IdStyle) -> Result<String, String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    match amdgpu::images(bytes, spirv::is_binary)?.as_slice() {
        [image] => text(image, style),
        [] if amdgpu::is_object(bytes) => amdgpu::disassemble(bytes),
        [] => Err("neither a SPIR-V module nor a file with AMDGPU code objects".to_owned()),
        several => Err(format!("the file holds {} code objects:\n{}", several.len(), list(several))),
    }
}

fn text(image: &[u8], style: IdStyle) -> Result<String, String> {
    match spirv::is_binary(image) {
        true => spirv::disassemble(image, style).map_err(|e| e.to_string()),
        false => amdgpu::disassemble(image),
    }
}

/// Whether a file holds more than one code object, of which [`disassemble_code_object`] shows one.
pub fn has_several_code_objects(bytes: &[u8]) -> bool {
    amdgpu::images(bytes, spirv::is_binary).is_ok_and(|images| images.len() > 1)
}

/// Writes one code object of several as text: by its number, from 1, or the first one for a processor, or in SPIR-V (`spirv`).
///
/// # Errors
/// The code object is missing, or it cannot be read.
pub fn disassemble_code_object(bytes: &[u8], choice: &str, style: IdStyle) -> Result<String, String> {
    let images = amdgpu::images(bytes, spirv::is_binary)?;
    let by_number = choice.parse::<usize>().ok().and_then(|number| images.get(number.checked_sub(1)?));
    match by_number.or_else(|| images.iter().find(|image| described(image).0 == choice)) {
        Some(image) => text(image, style),
        None => Err(format!("the file has no code object `{choice}`; it holds:\n{}", list(&images))),
    }
}

/// What a code object is for, and its kernels or entry points.
fn described(image: &[u8]) -> (&'static str, Vec<String>) {
    if !spirv::is_binary(image) {
        let object = amdgpu::described(Cow::Borrowed(image));
        return (object.processor, object.kernels);
    }
    let text = spirv::disassemble(image, IdStyle::Raw).unwrap_or_default();
    let entries = text.lines().filter(|line| line.trim_start().starts_with("OpEntryPoint "));
    (Dialect::Spirv.name(), entries.filter_map(|line| Some(line.split('"').nth(1)?.to_owned())).collect())
}

/// One line for each: `1  gfx942   kernels: scale`.
fn list(images: &[Cow<'_, [u8]>]) -> String {
    const SHOWN: usize = 4;
    let line = |(number, image): (usize, &Cow<'_, [u8]>)| {
        let (what, kernels) = described(image);
        let shown: Vec<&str> = kernels.iter().take(SHOWN).map(String::as_str).collect();
        let more = match kernels.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("  {}  {what:<8} {}{more}", number + 1, shown.join(", ")).trim_end().to_owned()
    };
    images.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
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
    /// A bundle of clang with these entries.
    fn bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let table: usize = entries.iter().map(|(id, _)| 24 + id.len()).sum();
        let mut out = [&b"__CLANG_OFFLOAD_BUNDLE__"[..], &(entries.len() as u64).to_le_bytes()].concat();
        let mut offset = out.len() + table;
        for (id, bytes) in entries {
            for number in [offset, bytes.len(), id.len()] {
                out.extend((number as u64).to_le_bytes());
            }
            out.extend(id.as_bytes());
            offset += bytes.len();
        }
        entries.iter().for_each(|(_, bytes)| out.extend(*bytes));
        out
    }

    #[test]
    fn spirv_in_a_bundle_opens() {
        let module: Vec<u8> = [0x0723_0203u32, 0x0001_0000, 0, 1, 0, 0x0002_0011, 6]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let one = bundle(&[("host-x86_64--", b""), ("hip-spirv64-amd-amdhsa--amdgcnspirv", &module)]);
        assert_eq!(binary_dialect(&one), Some(Dialect::Spirv));
        assert!(disassemble(&one, IdStyle::Raw).is_ok_and(|text| text.contains("OpCapability Kernel")));
        let two = bundle(&[("hip-spirv64-amd-amdhsa--amdgcnspirv", &module), ("sycl-spirv64--", &module)]);
        assert_eq!(
            disassemble(&two, IdStyle::Raw),
            Err("the file holds 2 code objects:\n  1  spirv\n  2  spirv".to_owned())
        );
        let chosen = |choice| disassemble_code_object(&two, choice, IdStyle::Raw).is_ok();
        assert_eq!(["spirv", "2", "3", "gfx942"].map(chosen), [true, true, false, false]);
    }
}
