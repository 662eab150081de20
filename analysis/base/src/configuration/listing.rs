//! The target that AMD's disassembler names before a shader, as Radeon GPU Analyzer writes it.

use smol_str::{SmolStr, format_smolstr};

/// Names of generations, and a processor of each.
const GENERATIONS: &[(&str, &str)] = &[
    ("GFX8", "gfx803"),
    ("GFX9", "gfx900"),
    ("GFX10", "gfx1010"),
    ("GFX10_1", "gfx1010"),
    ("GFX10_3", "gfx1030"),
    ("GFX11", "gfx1100"),
    ("GFX11_5", "gfx1150"),
    ("GFX12", "gfx1201"),
];

/// Lines of a text in which a shader starts, and lines after that in which its properties are.
const HEAD: usize = 40;
const PROPERTIES: usize = 16;

/// The target id of `asic(GFX11)` and `wave_size(64)` after `shader main`.
pub(super) fn target_id(text: &str) -> Option<SmolStr> {
    let start = text.lines().take(HEAD).position(|line| line.starts_with("shader "))?;
    let properties = || text.lines().skip(start + 1).take(PROPERTIES);
    let property = |name: &str| {
        let mut values = properties().filter_map(|line| line.trim().strip_prefix(name)?.strip_prefix('('));
        values.next()?.strip_suffix(')')
    };
    let asic = property("asic")?;
    let asic = asic.replace('.', "_");
    let (_, processor) = GENERATIONS.iter().find(|(name, _)| *name == asic)?;
    Some(match property("wave_size") {
        Some(size @ ("32" | "64")) if asic.len() > "GFX9".len() => {
            format_smolstr!("{processor}:wavefrontsize{size}")
        }
        _ => SmolStr::new_static(processor),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_and_wave_sizes() {
        let of = |text: &str| target_id(text).unwrap_or_default();
        assert_eq!(
            of("; x\nshader main\n  asic(GFX10_3)\n  type(CS)\n  wave_size(32)\n"),
            "gfx1030:wavefrontsize32"
        );
        assert_eq!(of("shader main\n  asic(GFX9)\n  wave_size(64)\n"), "gfx900");
        assert_eq!(of("shader main\n  asic(GFX10.1)\n"), "gfx1010");
        assert_eq!(of("shader main\n  asic(GFX99)\n"), "");
        assert_eq!(of("; asic(GFX11)\ns_nop 0\n"), "");
    }
}
