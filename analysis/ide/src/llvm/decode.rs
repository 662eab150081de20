//! Explanations of literals and strings.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

/// The value of a hexadecimal floating-point literal, as a decimal number; `None` for one that is damaged.
pub(super) fn hex_float(literal: &str) -> Option<String> {
    let digits = literal.strip_prefix("0x")?;
    let bits = |digits: &str| u128::from_str_radix(digits, 16).ok();
    let text = match digits.chars().next()? {
        'K' => plain(X87DoubleExtended::from_bits(bits(digits.get(1..)?)?)),
        // Two words, the low one first.
        'L' => {
            let (low, high) = digits.get(1..)?.split_at_checked(16)?;
            plain(Quad::from_bits(bits(high)? << 64 | bits(low)?))
        }
        'M' => {
            let high = digits.get(1..17)?;
            let low = digits.get(17..).filter(|l| !l.is_empty()).unwrap_or("0");
            let value = f64::from_bits(u64::from_str_radix(high, 16).ok()?)
                + f64::from_bits(u64::from_str_radix(low, 16).ok()?);
            format!("{value:?}")
        }
        'H' => plain(Half::from_bits(bits(digits.get(1..)?)?)),
        'R' => plain(BFloat::from_bits(bits(digits.get(1..)?)?)),
        _ => plain(Double::from_bits(bits(digits)?)),
    };
    Some(text)
}

/// Shortest decimal of the value as a double; exact for all but the wide formats.
fn plain<F: Float + FloatConvert<Double>>(value: F) -> String {
    let double = f64::from_bits(value.convert(&mut false).value.to_bits() as u64);
    // What a `float` can hold is shown with as many digits as a `float` needs.
    let single = Double::from_bits(u128::from(double.to_bits()));
    let narrow: Single = FloatConvert::<Single>::convert(single, &mut false).value;
    let narrow = f32::from_bits(narrow.to_bits() as u32);
    if f64::from(narrow) == double { format!("{narrow:?}") } else { format!("{double:?}") }
}

/// An integer literal in other notations; `bits` is its type's width if known.
pub(super) fn integer(literal: &str, bits: Option<u32>) -> Option<String> {
    let (negative, digits) = match literal.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, literal),
    };
    let magnitude = match digits.strip_prefix("u0x").or_else(|| digits.strip_prefix("s0x")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u128>().ok()?,
    };
    if magnitude < 10 && !negative {
        return None;
    }
    let mask = match bits {
        Some(bits @ 1..128) => (1u128 << bits) - 1,
        _ => u128::MAX,
    };
    let pattern = if negative { magnitude.wrapping_neg() } else { magnitude } & mask;
    let mut lines = vec![format!("hexadecimal `0x{pattern:X}`")];
    if negative && bits.is_none() {
        lines = vec![format!("hexadecimal `-0x{magnitude:X}`")];
    }
    if let Some(bits @ 1..=128) = bits {
        let top = pattern >> (bits - 1) & 1 == 1;
        if negative {
            lines.push(format!("unsigned `{pattern}`"));
        } else if top {
            lines.push(format!("signed `-{}`", pattern.wrapping_neg() & mask));
        }
    }
    if !negative && magnitude.is_power_of_two() {
        lines.push(format!("2^{}", magnitude.trailing_zeros()));
    }
    if let (false, Ok(byte)) = (negative, u8::try_from(magnitude))
        && (byte.is_ascii_graphic() || byte == b' ')
    {
        lines.push(format!("character `{}`", byte as char));
    }
    Some(lines.join(", "))
}

/// A data layout as a list of what it says.
pub(super) fn data_layout(layout: &str) -> String {
    let mut lines = String::new();
    for spec in layout.split('-').filter(|s| !s.is_empty()) {
        lines.push_str(&format!("- `{spec}`: {}\n", layout_spec(spec)));
    }
    if lines.is_empty() {
        return "An empty data layout: LLVM's defaults hold.".to_owned();
    }
    lines
}

fn layout_spec(spec: &str) -> String {
    let mut parts = spec.split(':');
    let head = parts.next().unwrap_or("");
    let rest: Vec<&str> = parts.collect();
    let sizes = |from: usize| {
        let bits = |n: usize| rest.get(n).map(|b| format!("{b} bits"));
        let abi = bits(from).map(|b| format!("aligned to {b}"));
        let preferred = bits(from + 1).map(|b| format!("preferably to {b}"));
        [abi, preferred].into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    let number = head.get(1..).unwrap_or("");
    match head.chars().next() {
        Some('e') if number.is_empty() => "little-endian".to_owned(),
        Some('E') if number.is_empty() => "big-endian".to_owned(),
        Some('m') => match rest.first().copied() {
            Some("e") => "ELF name mangling: private names get the prefix `.L`",
            Some("l") => "GOFF name mangling: private names get the prefix `@`",
            Some("m") => "MIPS name mangling: private names get the prefix `$`",
            Some("o") => "Mach-O name mangling: private names get the prefix `L`, others `_`",
            Some("x") => "32-bit Windows COFF name mangling",
            Some("w") => "Windows COFF name mangling",
            Some("a") => "XCOFF name mangling: private names get the prefix `L..`",
            _ => "name mangling",
        }
        .to_owned(),
        Some('p') => {
            let space = number.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let space = if space.is_empty() { "0" } else { space };
            let size = rest.first().map_or(String::new(), |s| format!("{s} bits, "));
            let index = rest.get(3).map_or(String::new(), |i| format!("; address arithmetic in {i} bits"));
            format!("pointers in address space {space}: {size}{}{index}", sizes(1))
        }
        Some('i') => format!("`i{number}` is {}", sizes(0)),
        Some('f') => format!("{number}-bit floating point is {}", sizes(0)),
        Some('v') => format!("{number}-bit vectors are {}", sizes(0)),
        Some('a') => format!("structs and arrays are {}", sizes(0)),
        Some('F') => format!("function pointers are aligned to {}", number.get(1..).unwrap_or("")),
        Some('n') if number.starts_with('i') => {
            let spaces = [number.trim_start_matches('i').trim_start_matches(':')];
            let spaces: Vec<&str> = spaces.into_iter().filter(|s| !s.is_empty()).chain(rest).collect();
            format!("pointers in address spaces {} are non-integral", spaces.join(", "))
        }
        Some('n') => {
            let widths: Vec<&str> = std::iter::once(number).chain(rest).collect();
            format!("native integers of {} bits", widths.join(", "))
        }
        Some('S') => format!("the stack is aligned to {number} bits"),
        Some('A') => format!("`alloca` allocates in address space {number}"),
        Some('G') => format!("globals are in address space {number}"),
        Some('P') => format!("functions are in address space {number}"),
        Some('s') => "the alignment of stack objects in older versions; LLVM ignores it".to_owned(),
        _ => "not known".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn literals_are_read() {
        let float = |l: &str| hex_float(l).unwrap_or_default();
        assert_eq!(float("0x400921FB54442D18"), "3.141592653589793");
        assert_eq!(float("0x3FB99999A0000000"), "0.1");
        assert_eq!(float("0xH3C00"), "1.0");
        assert_eq!(float("0xR3F80"), "1.0");
        assert_eq!(float("0xK3FFF8000000000000000"), "1.0");
        assert_eq!(float("0xL00000000000000003FFF000000000000"), "1.0");
        assert_eq!(float("0x7FF0000000000000"), "inf");
        assert_eq!(hex_float("0xZ"), None);
        assert_eq!(integer("-1", Some(8)).as_deref(), Some("hexadecimal `0xFF`, unsigned `255`"));
        assert_eq!(integer("255", Some(8)).as_deref(), Some("hexadecimal `0xFF`, signed `-1`"));
        assert_eq!(integer("65", None).as_deref(), Some("hexadecimal `0x41`, character `A`"));
        assert_eq!(integer("3", None), None);
    }

    #[test]
    fn layouts_are_readable() {
        expect![[r#"
            - `e`: little-endian
            - `m:e`: ELF name mangling: private names get the prefix `.L`
            - `p:64:64`: pointers in address space 0: 64 bits, aligned to 64 bits
            - `p7:160:256:256:32`: pointers in address space 7: 160 bits, aligned to 256 bits, preferably to 256 bits; address arithmetic in 32 bits
            - `i64:64`: `i64` is aligned to 64 bits
            - `n8:16:32`: native integers of 8, 16, 32 bits
            - `S128`: the stack is aligned to 128 bits
            - `ni:7:8`: pointers in address spaces 7, 8 are non-integral
            - `A5`: `alloca` allocates in address space 5
        "#]]
        .assert_eq(&data_layout("e-m:e-p:64:64-p7:160:256:256:32-i64:64-n8:16:32-S128-ni:7:8-A5"));
        assert_eq!(data_layout(""), "An empty data layout: LLVM's defaults hold.");
    }
}
