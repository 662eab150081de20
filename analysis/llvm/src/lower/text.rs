//! What literals mean.

use std::borrow::Cow;

use crate::operand::WideInt;

/// The content of a string in quotes, `\xx` and `\\` replaced. Bytes that make no UTF-8 become the character of that number.
pub(super) fn unquote(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    unescape(inner)
}

pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = |n: usize| tail.get(n).and_then(|b| (*b as char).to_digit(16));
        match (*first, tail.first(), hex(0), hex(1)) {
            (b'\\', Some(b'\\'), ..) => {
                bytes.push(b'\\');
                rest = &tail[1..];
            }
            (b'\\', _, Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    Cow::Owned(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    })
}

/// The number of bytes of a string in quotes.
pub(super) fn byte_length(text: &str) -> u32 {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner).as_bytes();
    let (mut at, mut length) = (0, 0);
    while at < inner.len() {
        at += match inner.get(at + 1..) {
            Some([b'\\', ..]) if inner[at] == b'\\' => 2,
            Some([a, b, ..]) if inner[at] == b'\\' && a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => 3,
            _ => 1,
        };
        length += 1;
    }
    length
}

/// A number of a symbol: as LLVM does, the lowest 32 bits of one that fits 64 bits (of which the highest is cut too), else 0.
pub(super) fn number(digits: &str) -> u32 {
    digits.parse::<u64>().unwrap_or(0) as u32 & (u32::MAX >> 1)
}

/// Digits of a decimal literal that are converted, without leading zeros; the conversion of n digits takes n * n steps.
pub(super) const MAX_DIGITS: usize = 100_000;

/// An unsigned number, decimal or `u0x`, that fits 64 bits.
pub(super) fn unsigned(text: &str) -> Option<u64> {
    match text.strip_prefix("u0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A long integer literal: decimal with a sign, or `u0x` and `s0x`. `None` for more than [`MAX_DIGITS`] decimal digits.
pub(super) fn wide(text: &str) -> Option<WideInt> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (signed_hex, radix, digits) = match digits.strip_prefix("u0x") {
        Some(hex) => (false, 16, hex),
        None => match digits.strip_prefix("s0x") {
            Some(hex) => (true, 16, hex),
            None => (false, 10, digits),
        },
    };
    let digits: Vec<u64> = digits.chars().filter_map(|c| c.to_digit(radix)).map(u64::from).collect();
    let words = match radix {
        16 => hexadecimal(&digits),
        _ => {
            let zeros = digits.iter().take_while(|d| **d == 0).count();
            let digits = digits.get(zeros..).unwrap_or(&[]);
            if digits.len() > MAX_DIGITS {
                return None;
            }
            decimal(digits)
        }
    };
    let mut value = WideInt { negative, words };
    if signed_hex {
        // The digits are a two's complement number of as many bits as they need.
        let bits = value.bits();
        if bits > 0 {
            negate(&mut value.words, bits);
            value.negative = true;
        }
    }
    Some(value)
}

/// The bits of a hexadecimal literal without a format letter, and whether they are all that is written. As in LLVM's lexer, digits are
/// added until the number becomes smaller, which makes it 0.
pub(super) fn double_bits(digits: &str) -> (u64, bool) {
    let mut bits = 0_u64;
    let mut fits = true;
    for digit in digits.chars().filter_map(|c| c.to_digit(16)) {
        let longer = bits << 4 | u64::from(digit);
        fits &= bits >> 60 == 0;
        if longer < bits {
            return (0, false);
        }
        bits = longer;
    }
    (bits, fits)
}

/// The number of `0x1.8p3`, as near as a double comes to it.
pub(super) fn binary_exponent(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.trim_start_matches("0x").split_once('.').unwrap_or((mantissa, ""));
    let digit = |c: char| f64::from(c.to_digit(16).unwrap_or(0));
    let value = whole.chars().chain(fraction.chars()).fold(0.0, |value, c| value * 16.0 + digit(c));
    let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX).saturating_mul(-4);
    value * 2_f64.powi(exponent.parse::<i32>().unwrap_or(0).saturating_add(places))
}

/// Words of a hexadecimal number, lowest first.
fn hexadecimal(digits: &[u64]) -> Vec<u64> {
    let word = |chunk: &[u64]| chunk.iter().fold(0, |word, digit| word << 4 | digit);
    let mut words: Vec<u64> = digits.rchunks(16).map(word).collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}

/// Words of a decimal number, lowest first.
fn decimal(digits: &[u64]) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    // As many digits at once as fit a word.
    for chunk in digits.chunks(19) {
        let scale = 10u128.pow(chunk.len() as u32);
        let mut carry = u128::from(chunk.iter().fold(0, |number, digit| number * 10 + digit));
        for word in &mut words {
            let product = u128::from(*word) * scale + carry;
            *word = product as u64;
            carry = product >> 64;
        }
        if carry > 0 {
            words.push(carry as u64);
        }
    }
    words
}

/// Two's complement of the low `bits` bits.
fn negate(words: &mut Vec<u64>, bits: u32) {
    let mut carry = true;
    for word in words.iter_mut() {
        let (sum, overflow) = (!*word).overflowing_add(u64::from(carry));
        *word = sum;
        carry = overflow;
    }
    if !bits.is_multiple_of(64)
        && let Some(top) = words.last_mut()
    {
        *top &= (1u64 << (bits % 64)) - 1;
    }
    while words.last() == Some(&0) {
        words.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        assert_eq!(unquote(r#""a\22b\\c""#), "a\"b\\c");
        assert_eq!(byte_length(r#""a\22b\\c\0""#), 7);
        assert_eq!(byte_length(r#""""#), 0);
    }

    #[test]
    fn doubles_that_overflow_become_zero() {
        assert_eq!(double_bits("7FF0000000000000"), (0x7ff0_0000_0000_0000, true));
        assert_eq!(double_bits("00000000000000001"), (1, true));
        assert_eq!(double_bits("10000000000000000"), (0, false));
        assert_eq!(double_bits("11000000000000000"), (0, false));
        // The cut number is not smaller.
        assert_eq!(double_bits("1C000000000000000"), (0xc000_0000_0000_0000, false));
        assert_eq!(double_bits("1FFFFFFFFFFFFFFFFF"), (u64::MAX, false));
    }

    #[test]
    fn wide_integers() {
        let number = |negative, words| Some(WideInt { negative, words });
        assert_eq!(wide("-18446744073709551616"), number(true, vec![0, 1]));
        assert_eq!(wide("340282366920938463463374607431768211455"), number(false, vec![u64::MAX; 2]));
        assert_eq!(wide("u0xFF"), number(false, vec![255]));
        assert_eq!(wide("s0xFF"), number(true, vec![1]));
        assert_eq!(wide("u0x00010000000000000000"), number(false, vec![0, 1]));
        assert_eq!(wide(&"9".repeat(MAX_DIGITS + 1)), None);
        assert!(wide(&format!("u0x{}", "9".repeat(MAX_DIGITS + 1))).is_some());
    }
}
