//! Encodings of both sides: the bytes of each instruction of assembly, in order.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};

use super::verdicts::line_number;

/// How many instructions llvm-mc encodes, and how many of them have the same bytes on both sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Encodings {
    pub(super) compared: usize,
    pub(super) equal: usize,
}

/// At most so much data is between two instructions.
const FAR: usize = 256;

/// The bytes of an instruction; `None` for one that a relocation fills.
type Bytes = Vec<Option<u8>>;

/// Compares what two calls print; `None` where one does not start. The first call runs the program, the second llvm-mc.
pub(super) fn compare(own: &[String], reference: &[String]) -> Option<Encodings> {
    let (printed, errors) = run(reference)?;
    let rejected: HashSet<u64> = errors.lines().filter_map(line_number).collect();
    let reference: Vec<Bytes> = printed.lines().filter_map(printed_bytes).collect();
    let (printed, _) = run(own)?;
    let own: Vec<Bytes> = printed.lines().filter_map(|line| object_bytes(line, &rejected)).collect();
    Some(Encodings { compared: reference.len(), equal: equal(&own, &reference) })
}

fn run(call: &[String]) -> Option<(String, String)> {
    let (program, arguments) = call.split_first()?;
    let output = Command::new(Path::new(program)).args(arguments).stdin(Stdio::null()).output().ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((text(&output.stdout), text(&output.stderr)))
}

/// The bytes in `// encoding: [0x00,0x01,A,A]` of llvm-mc.
fn printed_bytes(line: &str) -> Option<Bytes> {
    let (_, list) = line.split_once("encoding: [")?;
    let (list, _) = list.split_once(']')?;
    let byte = |text: &str| text.trim().strip_prefix("0x").and_then(|hex| u8::from_str_radix(hex, 16).ok());
    Some(list.split(',').map(byte).collect())
}

/// The bytes in an object of `wavelens encode`, unless the reference rejects its line.
fn object_bytes(line: &str, rejected: &HashSet<u64>) -> Option<Bytes> {
    let object: serde_json::Value = serde_json::from_str(line).ok()?;
    if object["line"].as_u64().is_some_and(|line| rejected.contains(&line)) {
        return None;
    }
    let hex = object["bytes"].as_str()?.as_bytes().chunks(2);
    Some(hex.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect())
}

/// How many of the reference are equal to those of the program in the same order. The program also shows data between instructions.
fn equal(own: &[Bytes], reference: &[Bytes]) -> usize {
    let same = |own: &Bytes, reference: &Bytes| {
        own.len() == reference.len()
            && own.iter().zip(reference).all(|(own, byte)| byte.is_none() || own == byte)
    };
    if own.len() == reference.len() {
        return own.iter().zip(reference).filter(|(own, reference)| same(own, reference)).count();
    }
    let (mut rest, mut equal) = (own, 0);
    for bytes in reference {
        if let Some(at) = rest.iter().take(FAR).position(|own| same(own, bytes)) {
            rest = &rest[at + 1..];
            equal += 1;
        }
    }
    equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read() {
        let line = "\ts_branch l // encoding: [A,A,0x82,0xbf]";
        assert_eq!(printed_bytes(line), Some(vec![None, None, Some(0x82), Some(0xbf)]));
        let object = r#"{"line":3,"offset":0,"bytes":"000080bf","text":"s_nop 0"}"#;
        let bytes = Some(vec![Some(0), Some(0), Some(0x80), Some(0xbf)]);
        assert_eq!(object_bytes(object, &HashSet::new()), bytes);
        assert_eq!(object_bytes(object, &HashSet::from([3])), None);
    }

    #[test]
    fn data_between_instructions_is_passed_over() {
        let of = |bytes: &[u8]| bytes.iter().map(|byte| vec![Some(*byte)]).collect::<Vec<Bytes>>();
        assert_eq!(equal(&of(&[1, 2, 3]), &of(&[1, 2, 3])), 3);
        assert_eq!(equal(&of(&[1, 2, 3]), &of(&[1, 4, 3])), 2);
        assert_eq!(equal(&of(&[1, 2, 3, 4]), &of(&[1, 2, 4])), 3);
        assert_eq!(equal(&of(&[1, 2, 4]), &of(&[1, 2, 3, 4])), 3);
        assert_eq!(equal(&[vec![Some(1)]], &[vec![None]]), 1);
        assert_eq!(equal(&[vec![Some(1)]], &[vec![None, None]]), 0);
    }
}
