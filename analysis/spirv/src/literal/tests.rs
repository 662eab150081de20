//! Literals in each type.

use super::*;

fn words(text: &str, number: NumberType) -> Result<Vec<u32>, bool> {
    let mut out = Vec::new();
    encode(text, number, &mut out).map(|()| out).map_err(|e| e.mismatch)
}

const F32: NumberType = NumberType::Float { width: 32, encoding: None };
const F16: NumberType = NumberType::Float { width: 16, encoding: None };
const I16: NumberType = NumberType::Int { width: 16, signed: true };

#[test]
fn floats() {
    assert_eq!(words("0x1p+128", F32), Ok(vec![0x7f80_0000]));
    assert_eq!(words("-0x1.0002p+128", F32), Ok(vec![0xff80_0100]));
    assert_eq!(words("0x1p-149", F32), Ok(vec![1]));
    assert_eq!(words("1.5", F32), Ok(vec![0x3fc0_0000]));
    assert_eq!(words("65504", F16), Ok(vec![0x7bff]));
    assert_eq!(words("65536", F16), Err(true));
    assert_eq!(words("0x1.8p+1", F16), Ok(vec![0x4200]));
    assert_eq!(words("6.0e-8", F16), Ok(vec![1]));
    assert_eq!(words("1e", F32), Err(true));
    assert_eq!(words("nan", F32), Err(true));
    let f64 = NumberType::Float { width: 64, encoding: None };
    assert_eq!(words("-2", f64), Ok(vec![0, 0xc000_0000]));
}

#[test]
fn integers() {
    assert_eq!(words("0xffff", I16), Ok(vec![0xffff_ffff]));
    assert_eq!(words("32768", I16), Err(true));
    assert_eq!(words("-32768", I16), Ok(vec![0xffff_8000]));
    assert_eq!(words("-1", NumberType::Int { width: 32, signed: false }), Err(false));
    assert_eq!(words("010", NumberType::Unknown), Ok(vec![8]));
    assert_eq!(words("09", NumberType::Unknown), Err(true));
    assert_eq!(words("-1", NumberType::Int { width: 64, signed: true }), Ok(vec![u32::MAX, u32::MAX]));
}

#[test]
fn literals_come_back() {
    let f64 = NumberType::Float { width: 64, encoding: None };
    assert_eq!(decode(&[0x3dcc_cccd], F32).as_deref(), Some("0.1"));
    assert_eq!(decode(&[0xffc0_0001], F32).as_deref(), Some("-0x1.800002p+128"));
    assert_eq!(decode(&[0x8000_0000], F32).as_deref(), Some("-0"));
    assert_eq!(decode(&[1], F32).as_deref(), Some("1e-45"));
    assert_eq!(decode(&[0, 0x7ff0_0000], f64).as_deref(), Some("0x1p+1024"));
    assert_eq!(decode(&[0x7e01], F16).as_deref(), Some("0x1.804p+16"));
    assert_eq!(decode(&[0x1_7e01], F16), None);
    assert_eq!(decode(&[0xffff_fffe], I16).as_deref(), Some("-2"));
    assert_eq!(decode(&[0xfffe], I16), None);
    for bits in 0..=0xffff {
        assert!(decode(&[bits], F16).is_some(), "{bits:#x}");
    }
}

/// Words of texts in each type, and the text that is written for them.
#[test]
fn limits_of_each_type() {
    let int = |width, signed| NumberType::Int { width, signed };
    let float = |width, encoding| NumberType::Float { width, encoding };
    let types = [
        ("i8", int(8, true), &["127", "128", "-128", "-129", "0x7F", "0x80", "0xFF", "0x100"][..]),
        ("u8", int(8, false), &["255", "256", "-1", "0377", "0400", "+5", "08", "0x"]),
        ("i16", int(16, true), &["32767", "32768", "-32768", "-32769", "0x8000", "0x10000"]),
        ("i32", int(32, true), &["2147483647", "2147483648", "-2147483648", "-2147483649", "0xFFFFFFFF"]),
        ("u32", int(32, false), &["4294967295", "4294967296", "-0", "1.5", "x"]),
        ("i64", int(64, true), &["9223372036854775807", "9223372036854775808", "-9223372036854775808"]),
        ("u64", int(64, false), &["18446744073709551615", "18446744073709551616"]),
        ("u65", int(65, false), &["1"]),
        (
            "half",
            float(16, None),
            &[
                "1",
                "-0",
                "0.1",
                "65504",
                "65535",
                "65536",
                "131072",
                "6.1e-5",
                "6e-8",
                "1e-9",
                "0x1p-14",
                "0x1.ffcp+15",
                "0x1p16",
                "0x1.8p-24",
                "-0x1p-25",
                "0x0p0",
                "0x1",
                "0x1p",
                "inf",
                "--1",
            ],
        ),
        ("bfloat", float(16, Some(FPEncoding::BFloat16KHR)), &["1", "65504", "131072", "0x1p16"]),
        (
            "e4m3",
            float(8, Some(FPEncoding::Float8E4M3EXT)),
            &["1", "448", "449", "-448", "0.015625", "0.001953125", "0.0009765625", "0x1p8", "0x1.8p+8"],
        ),
        (
            "e5m2",
            float(8, Some(FPEncoding::Float8E5M2EXT)),
            &["1", "57344", "65536", "131072", "-0", "0x1p-16"],
        ),
        (
            "float",
            float(32, None),
            &[
                "3.4028235e38",
                "3.5e38",
                "1e-45",
                "1e-46",
                "0x1p-149",
                "0x1p-150",
                "0x1.fffffep+127",
                "0x1p128",
            ],
        ),
        (
            "double",
            float(64, None),
            &[
                "1.7976931348623157e308",
                "1.8e308",
                "5e-324",
                "0x1p-1074",
                "0x1p1024",
                "0x1.fffffffffffffp+1023",
            ],
        ),
        ("f128", float(128, None), &["1"]),
        ("unknown", NumberType::Unknown, &["1", "-1", "1.5", "4294967295", "4294967296"]),
    ];
    let mut shown = String::new();
    for (name, number, texts) in types {
        for text in texts {
            let mut words = Vec::new();
            let outcome = match encode(text, number, &mut words) {
                Ok(()) => {
                    format!("{words:x?} {}", decode(&words, number).unwrap_or("not a literal".to_owned()))
                }
                Err(error) => format!("{}{}", if error.mismatch { "mismatch: " } else { "" }, error.message),
            };
            shown += &format!("{name} {text}: {outcome}\n");
        }
    }
    expect_test::expect![[r#"
        i8 127: [7f] 127
        i8 128: mismatch: `128` is out of the range of 8-bit signed integers
        i8 -128: [ffffff80] -128
        i8 -129: mismatch: `-129` is out of the range of 8-bit signed integers
        i8 0x7F: [7f] 127
        i8 0x80: [ffffff80] -128
        i8 0xFF: [ffffffff] -1
        i8 0x100: mismatch: `0x100` is out of the range of 8-bit signed integers
        u8 255: [ff] 255
        u8 256: mismatch: `256` is out of the range of 8-bit unsigned integers
        u8 -1: `-1` is negative, but the literal is unsigned
        u8 0377: [ff] 255
        u8 0400: mismatch: `0400` is out of the range of 8-bit unsigned integers
        u8 +5: [5] 5
        u8 08: mismatch: `08` is not an integer literal
        u8 0x: mismatch: `0x` is not an integer literal
        i16 32767: [7fff] 32767
        i16 32768: mismatch: `32768` is out of the range of 16-bit signed integers
        i16 -32768: [ffff8000] -32768
        i16 -32769: mismatch: `-32769` is out of the range of 16-bit signed integers
        i16 0x8000: [ffff8000] -32768
        i16 0x10000: mismatch: `0x10000` is out of the range of 16-bit signed integers
        i32 2147483647: [7fffffff] 2147483647
        i32 2147483648: mismatch: `2147483648` is out of the range of 32-bit signed integers
        i32 -2147483648: [80000000] -2147483648
        i32 -2147483649: mismatch: `-2147483649` is out of the range of 32-bit signed integers
        i32 0xFFFFFFFF: [ffffffff] -1
        u32 4294967295: [ffffffff] 4294967295
        u32 4294967296: mismatch: `4294967296` is out of the range of 32-bit unsigned integers
        u32 -0: `-0` is negative, but the literal is unsigned
        u32 1.5: mismatch: `1.5` is not an integer literal
        u32 x: mismatch: `x` is not an integer literal
        i64 9223372036854775807: [ffffffff, 7fffffff] 9223372036854775807
        i64 9223372036854775808: mismatch: `9223372036854775808` is out of the range of 64-bit signed integers
        i64 -9223372036854775808: [0, 80000000] -9223372036854775808
        u64 18446744073709551615: [ffffffff, ffffffff] 18446744073709551615
        u64 18446744073709551616: mismatch: `18446744073709551616` is out of the range of 64-bit unsigned integers
        u65 1: 65-bit integer literals are not supported
        half 1: [3c00] 1
        half -0: [8000] -0
        half 0.1: [2e66] 0.099975586
        half 65504: [7bff] 65504
        half 65535: [7bff] 65504
        half 65536: mismatch: `65536` is out of the range of 16-bit floats
        half 131072: mismatch: `131072` is out of the range of 16-bit floats
        half 6.1e-5: [3ff] 0.00006097555
        half 6e-8: [1] 5.9604645e-8
        half 1e-9: [0] 0
        half 0x1p-14: [400] 0.000061035156
        half 0x1.ffcp+15: [7bff] 65504
        half 0x1p16: [7c00] 0x1p+16
        half 0x1.8p-24: [1] 5.9604645e-8
        half -0x1p-25: [8000] -0
        half 0x0p0: [0] 0
        half 0x1: mismatch: `0x1` is not a 16-bit float literal
        half 0x1p: mismatch: `0x1p` is not a 16-bit float literal
        half inf: mismatch: `inf` is out of the range of 16-bit floats
        half --1: mismatch: `--1` is not a 16-bit float literal
        bfloat 1: [3c00] 1
        bfloat 65504: [7bff] 65504
        bfloat 131072: mismatch: `131072` is out of the range of 16-bit floats
        bfloat 0x1p16: [7c00] 0x1p+16
        e4m3 1: [38] 1
        e4m3 448: [7e] 448
        e4m3 449: mismatch: `449` is out of the range of E4M3 floats
        e4m3 -448: [fe] -448
        e4m3 0.015625: [8] 0.015625
        e4m3 0.001953125: [1] 0.001953125
        e4m3 0.0009765625: [0] 0
        e4m3 0x1p8: [78] 256
        e4m3 0x1.8p+8: [7c] 384
        e5m2 1: [3c] 1
        e5m2 57344: [7b] 57344
        e5m2 65536: mismatch: `65536` is out of the range of E5M2 floats
        e5m2 131072: mismatch: `131072` is out of the range of E5M2 floats
        e5m2 -0: [80] -0
        e5m2 0x1p-16: [1] 0.000015258789
        float 3.4028235e38: [7f7fffff] 3.4028235e38
        float 3.5e38: mismatch: `3.5e38` is out of the range of 32-bit floats
        float 1e-45: [1] 1e-45
        float 1e-46: [0] 0
        float 0x1p-149: [1] 1e-45
        float 0x1p-150: [0] 0
        float 0x1.fffffep+127: [7f7fffff] 3.4028235e38
        float 0x1p128: [7f800000] 0x1p+128
        double 1.7976931348623157e308: [ffffffff, 7fefffff] 1.7976931348623157e308
        double 1.8e308: mismatch: `1.8e308` is out of the range of 64-bit floats
        double 5e-324: [1, 0] 5e-324
        double 0x1p-1074: [1, 0] 5e-324
        double 0x1p1024: [0, 7ff00000] 0x1p+1024
        double 0x1.fffffffffffffp+1023: [ffffffff, 7fefffff] 1.7976931348623157e308
        f128 1: a float literal must have 16, 32 or 64 bits, but its type has 128
        unknown 1: [1] 1
        unknown -1: [ffffffff] 4294967295
        unknown 1.5: [3fc00000] 1069547520
        unknown 4294967295: [ffffffff] 4294967295
        unknown 4294967296: mismatch: `4294967296` is out of the range of 32-bit unsigned integers
    "#]].assert_eq(&shown);
    let checked = [
        (&[0x7f][..], int(8, true)),
        (&[0x80], int(8, true)),
        (&[0xffff_ff80], int(8, true)),
        (&[0x80], int(8, false)),
        (&[0x180], int(8, false)),
        (&[1, 2], int(32, false)),
        (&[1], int(64, false)),
        (&[1, 2], int(64, false)),
        (&[1, 0xffff_ffff], int(48, true)),
        (&[1, 0xffff], int(48, false)),
        (&[0x1_0000], float(16, None)),
        (&[], int(32, true)),
    ];
    let checked = checked.map(|(words, number)| {
        format!("{words:x?} {number:?}: {}\n", check_words(words, number).err().unwrap_or("fits".to_owned()))
    });
    expect_test::expect![[r#"
        [7f] Int { width: 8, signed: true }: fits
        [80] Int { width: 8, signed: true }: the upper 24 bits are not the sign or zero extension of the lower 8
        [ffffff80] Int { width: 8, signed: true }: fits
        [80] Int { width: 8, signed: false }: fits
        [180] Int { width: 8, signed: false }: the upper 24 bits are not the sign or zero extension of the lower 8
        [1, 2] Int { width: 32, signed: false }: expected a number of 32 bits, found 2 words
        [1] Int { width: 64, signed: false }: expected a number of 64 bits, found 1 words
        [1, 2] Int { width: 64, signed: false }: fits
        [1, ffffffff] Int { width: 48, signed: true }: fits
        [1, ffff] Int { width: 48, signed: false }: fits
        [10000] Float { width: 16, encoding: None }: the upper 16 bits are not the sign or zero extension of the lower 16
        [] Int { width: 32, signed: true }: expected a number of 32 bits, found 0 words
    "#]].assert_eq(&checked.concat());
}
