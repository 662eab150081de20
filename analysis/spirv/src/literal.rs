//! Number literals to words and back, with the reference assembler's ranges and rounding (SPIRV-Tools, source/util/parse_number.cpp and
//! hex_float.h).

use wavelens_syntax::spirv::tables::FPEncoding;

/// The type that a literal is read as.
#[allow(missing_docs, reason = "the variants describe their fields")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberType {
    /// `width` in bits.
    Int { width: u32, signed: bool },
    /// `encoding` is an [`FPEncoding`] where OpTypeFloat names one.
    Float { width: u32, encoding: Option<u32> },
    /// The text decides: a point makes a float, a minus a signed integer; 32 bits.
    Unknown,
}

/// Says what is wrong with words as one number.
pub(crate) fn check_words(words: &[u32], number: NumberType) -> Result<(), String> {
    let width = number.width();
    let needed = width.div_ceil(32).max(1) as usize;
    if words.len() != needed {
        return Err(format!("expected a number of {width} bits, found {} words", words.len()));
    }
    let used = width % 32;
    let (Some(last), true) = (words.last(), used != 0) else { return Ok(()) };
    let signed = matches!(number, NumberType::Int { signed: true, .. });
    let is_negative = signed && last >> (used - 1) & 1 == 1;
    let above = if is_negative { u32::MAX << used } else { 0 };
    match last & u32::MAX << used == above {
        true => Ok(()),
        false => Err(format!(
            "the upper {} bits are not the sign or zero extension of the lower {used}",
            32 - used
        )),
    }
}

impl NumberType {
    /// Bits of a value.
    fn width(self) -> u32 {
        match self {
            NumberType::Int { width, .. } | NumberType::Float { width, .. } => width,
            NumberType::Unknown => 32,
        }
    }
}

/// Why a literal has no words. `mismatch` is true if the text is not a number of this type at all: an optional operand ends
/// there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteralError {
    pub(crate) message: String,
    pub(crate) mismatch: bool,
}

fn mismatch(message: String) -> LiteralError {
    LiteralError { message, mismatch: true }
}

/// Appends the words of a literal, low word first.
pub fn encode(text: &str, number: NumberType, words: &mut Vec<u32>) -> Result<(), LiteralError> {
    match number {
        NumberType::Int { width, signed } => integer(text, width, signed, words),
        NumberType::Float { width, encoding } => float(text, width, encoding, words),
        NumberType::Unknown if text.contains('.') => float(text, 32, None, words),
        NumberType::Unknown => integer(text, 32, text.starts_with('-'), words),
    }
}

/// An unsigned integer in decimal, octal (`0` in front) or hexadecimal; `None` if it is none or does not fit.
pub(crate) fn parse_u64(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix('-') {
        return (magnitude(digits)? == 0).then_some(0);
    }
    magnitude(text.strip_prefix('+').unwrap_or(text))
}

/// Like [`parse_u64`], in 32 bits.
pub fn parse_u32(text: &str) -> Option<u32> {
    parse_u64(text)?.try_into().ok()
}

fn magnitude(digits: &str) -> Option<u64> {
    let (digits, radix) = radix(digits)?;
    if digits.starts_with(['+', '-']) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok()
}

/// The digits without their prefix, and their base.
fn radix(digits: &str) -> Option<(&str, u32)> {
    Some(match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (digits.get(2..)?, 16),
        [b'0', _, ..] => (digits.get(1..)?, 8),
        _ => (digits, 10),
    })
}

/// Whether a text that is not read as an integer has only too many digits.
fn is_long_integer(text: &str) -> bool {
    radix(text.trim_start_matches(['+', '-']))
        .is_some_and(|(digits, radix)| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix)))
}

fn integer(text: &str, width: u32, signed: bool, words: &mut Vec<u32>) -> Result<(), LiteralError> {
    let negative = text.starts_with('-');
    if width > 64 {
        return Err(LiteralError {
            message: format!("{width}-bit integer literals are not supported"),
            mismatch: false,
        });
    }
    if negative && !signed {
        return Err(LiteralError {
            message: format!("`{text}` is negative, but the literal is unsigned"),
            mismatch: false,
        });
    }
    let unfit = || {
        let kind = if signed { "signed" } else { "unsigned" };
        mismatch(format!("`{text}` is out of the range of {width}-bit {kind} integers"))
    };
    let invalid = || match is_long_integer(text) {
        true => unfit(),
        false => mismatch(format!("`{text}` is not an integer literal")),
    };
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let bits = if negative {
        let magnitude = magnitude(text.get(1..).unwrap_or_default()).ok_or_else(invalid)?;
        let limit = mask / 2 + 1;
        if magnitude > limit {
            return Err(unfit());
        }
        magnitude.wrapping_neg()
    } else {
        let value = parse_u64(text).ok_or_else(invalid)?;
        let hex = matches!(text.as_bytes(), [b'0', b'x' | b'X', ..]);
        let room = if signed && !hex { mask >> 1 } else { mask };
        if value & !room != 0 {
            return Err(unfit());
        }
        // A hexadecimal literal with the sign bit set is negative.
        if hex && signed && value & (mask ^ mask >> 1) != 0 { value | !mask } else { value }
    };
    words.push(bits as u32);
    if width > 32 {
        words.push((bits >> 32) as u32);
    }
    Ok(())
}

/// A binary floating-point format: sign, exponent and fraction bits.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
    name: &'static str,
}

const E4M3: Format = Format { exponent: 4, fraction: 3, name: "E4M3" };
const E5M2: Format = Format { exponent: 5, fraction: 2, name: "E5M2" };
const BINARY16: Format = Format { exponent: 5, fraction: 10, name: "16-bit" };
const BINARY32: Format = Format { exponent: 8, fraction: 23, name: "32-bit" };
const BINARY64: Format = Format { exponent: 11, fraction: 52, name: "64-bit" };

fn float(text: &str, width: u32, encoding: Option<u32>, words: &mut Vec<u32>) -> Result<(), LiteralError> {
    let Some(format) = Format::of(width, encoding) else {
        return Err(LiteralError {
            message: format!("a float literal must have 16, 32 or 64 bits, but its type has {width}"),
            mismatch: false,
        });
    };
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let bits = if matches!(unsigned.as_bytes(), [b'0', b'x' | b'X', ..]) {
        hex_float(unsigned.get(2..).unwrap_or_default(), format)
            .map(|bits| bits | u64::from(text.starts_with('-')) << (format.exponent + format.fraction))
    } else {
        decimal_float(text, format)
    };
    let bits = bits.ok_or_else(|| {
        mismatch(match text.parse::<f64>() {
            Ok(value) if !value.is_nan() => format!("`{text}` is out of the range of {} floats", format.name),
            _ => format!("`{text}` is not a {} float literal", format.name),
        })
    })?;
    words.push(bits as u32);
    if format.fraction == BINARY64.fraction {
        words.push((bits >> 32) as u32);
    }
    Ok(())
}

fn decimal_float(text: &str, format: Format) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let allowed = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
    if !digits.bytes().all(allowed) || text.starts_with('-') && digits.starts_with(['+', '-']) {
        return None;
    }
    if format.fraction == BINARY64.fraction {
        let value: f64 = text.parse().ok()?;
        return value.is_finite().then(|| value.to_bits());
    }
    let value: f32 = text.parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    if format.fraction == BINARY32.fraction {
        return Some(u64::from(value.to_bits()));
    }
    if format.exponent == E4M3.exponent && value.abs() > 448.0 {
        return None;
    }
    narrow(value, format)
}

/// Rounds toward zero; `None` where the result would be an infinity.
fn narrow(value: f32, format: Format) -> Option<u64> {
    let bits = value.to_bits();
    let sign = u64::from(bits >> 31) << (format.exponent + format.fraction);
    if value == 0.0 {
        return Some(sign);
    }
    let (mut exponent, mut fraction) = ((bits >> 23 & 0xff) as i32 - 127, bits & 0x7f_ffff);
    if exponent == -127 {
        let shift = fraction.leading_zeros() as i32 - 8;
        fraction = fraction << shift & 0x7f_ffff;
        exponent = -126 - shift;
    }
    let bias = (1i32 << (format.exponent - 1)) - 1;
    let infinite = if format.exponent == E4M3.exponent { bias + 1 } else { bias };
    if exponent > infinite {
        return None;
    }
    let drop = 23 - format.fraction;
    let biased = exponent + bias;
    let magnitude = if biased > 0 {
        (biased as u64) << format.fraction | u64::from(fraction >> drop)
    } else {
        let shift = drop as i32 + 1 - biased;
        if shift > 31 { 0 } else { u64::from((fraction | 1 << 23) >> shift) }
    };
    Some(sign | magnitude)
}

/// `text` is without sign and `0x`. Excess digits are cut off, as the reference does.
fn hex_float(text: &str, format: Format) -> Option<u64> {
    let (mantissa, exponent_text) = text.split_once('p')?;
    let digits = exponent_text.strip_prefix(['+', '-']).unwrap_or(exponent_text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let written = digits.bytes().fold(0i64, |n, b| (n * 10 + i64::from(b - b'0')).min(1 << 20));
    let written = if exponent_text.starts_with('-') { -written } else { written };
    let (integer, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // The significant bits from the first 1 on, that one not stored; `exponent` is that bit's place value.
    let (mut fraction, mut count, mut exponent, mut found) = (0u64, 0u32, 0i64, false);
    let mut place = integer.trim_start_matches('0').len() as i64 * 4 - 1;
    for digit in integer.trim_start_matches('0').chars().chain(rest.chars()) {
        let nibble = digit.to_digit(16)?;
        for bit in [8, 4, 2, 1].map(|mask| u64::from(nibble & mask != 0)) {
            if found {
                if count < 64 {
                    fraction |= bit << (63 - count);
                    count += 1;
                }
            } else if bit == 1 {
                (found, exponent) = (true, place);
            }
            place -= 1;
        }
    }
    if !found {
        return Some(0);
    }
    let bias = (1i64 << (format.exponent - 1)) - 1;
    let max = (1i64 << format.exponent) - 1;
    let biased = exponent + written + bias;
    if biased > max {
        return Some((max as u64) << format.fraction);
    }
    if biased <= 0 {
        let shift = 1 - biased;
        let significand = 1u64 << 63 | fraction >> 1;
        let kept = if shift > 63 { 0 } else { significand >> shift };
        return Some(kept >> (63 - format.fraction));
    }
    Some((biased as u64) << format.fraction | fraction >> (64 - format.fraction))
}

/// The number of words of a literal.
pub(crate) fn word_count(number: NumberType) -> usize {
    match number {
        NumberType::Int { width, .. } | NumberType::Float { width, .. } if width > 32 => 2,
        _ => 1,
    }
}

/// A literal that [`encode`] turns into exactly these words; `None` if there is none, as for excess bits that are set.
pub fn decode(words: &[u32], number: NumberType) -> Option<String> {
    let low = *words.first()?;
    let bits = u64::from(low) | u64::from(words.get(1).copied().unwrap_or(0)) << 32;
    let is_same = |text: &String| {
        let mut again = Vec::with_capacity(2);
        encode(text, number, &mut again).is_ok() && again == words
    };
    let candidates = match number {
        NumberType::Int { width: 33.., signed: true } => [Some((bits as i64).to_string()), None],
        NumberType::Int { signed: true, .. } => [Some((low as i32).to_string()), None],
        NumberType::Int { .. } | NumberType::Unknown => [Some(bits.to_string()), None],
        NumberType::Float { width, encoding } => {
            let format = Format::of(width, encoding)?;
            [format.decimal(bits), Some(format.hexadecimal(bits))]
        }
    };
    candidates.into_iter().flatten().find(is_same)
}

impl Format {
    fn of(width: u32, encoding: Option<u32>) -> Option<Format> {
        Some(match (encoding, width) {
            (Some(FPEncoding::Float8E4M3EXT), _) => E4M3,
            (Some(FPEncoding::Float8E5M2EXT), _) => E5M2,
            // The reference reads bfloat16 literals as binary16.
            (Some(FPEncoding::BFloat16KHR), _) | (_, 16) => BINARY16,
            (_, 32) => BINARY32,
            (_, 64) => BINARY64,
            _ => return None,
        })
    }

    fn parts(self, bits: u64) -> (bool, i64, u64) {
        let exponent = bits >> self.fraction & ((1 << self.exponent) - 1);
        let sign = bits >> (self.exponent + self.fraction) & 1 == 1;
        (sign, exponent as i64, bits & ((1 << self.fraction) - 1))
    }

    /// The shortest decimal number with these bits; `None` for infinities and NaN.
    fn decimal(self, bits: u64) -> Option<String> {
        if self.fraction == BINARY64.fraction {
            return decimal_text(f64::from_bits(bits), |v| v.to_string(), |v| format!("{v:e}"));
        }
        if self.fraction == BINARY32.fraction {
            return decimal_text(f32::from_bits(bits as u32), |v| v.to_string(), |v| format!("{v:e}"));
        }
        let (sign, exponent, fraction) = self.parts(bits);
        let bias = (1i64 << (self.exponent - 1)) - 1;
        let (hidden, exponent) = if exponent == 0 { (0, 1) } else { (1 << self.fraction, exponent) };
        let scale = exponent - bias - i64::from(self.fraction);
        let value = (fraction | hidden) as f32 * (scale as f32).exp2();
        decimal_text(if sign { -value } else { value }, |v| v.to_string(), |v| format!("{v:e}"))
    }

    /// Exact for every bit pattern.
    fn hexadecimal(self, bits: u64) -> String {
        let (sign, mut exponent, mut fraction) = self.parts(bits);
        let sign = if sign { "-" } else { "" };
        if exponent == 0 {
            // Shifts the highest set bit to the place in front of the point.
            let shift = (fraction.leading_zeros() + self.fraction + 1).saturating_sub(64);
            fraction = fraction << shift & ((1 << self.fraction) - 1);
            exponent = 1 - i64::from(shift);
        }
        let digits = self.fraction.div_ceil(4) as usize;
        let digits = format!("{:0digits$x}", fraction << (digits as u32 * 4 - self.fraction));
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        format!("{sign}0x1{point}{digits}p{:+}", exponent - ((1i64 << (self.exponent - 1)) - 1))
    }
}

/// Digits without an exponent where they stay short.
fn decimal_text<F: Copy + Into<f64>>(
    value: F,
    plain: impl Fn(F) -> String,
    scientific: impl Fn(F) -> String,
) -> Option<String> {
    let size = value.into().abs();
    match size {
        _ if !size.is_finite() => None,
        0.0 => Some(plain(value)),
        1e-5..1e16 => Some(plain(value)),
        _ => Some(scientific(value)),
    }
}

#[cfg(test)]
mod tests;
