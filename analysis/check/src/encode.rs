//! Text as the bytes that it stands for: one entry for the dialects that are assembled.

use wavelens_amdgpu as amdgpu;
use wavelens_base::finding::{Finding, to_finding};
use wavelens_base::{Dialect, Options, Severity, TextRange, TextSize};
use wavelens_spirv as spirv;

/// The dialect of a text that is too short to tell.
pub const DEFAULT: Dialect = Dialect::Amdgpu;

/// An encoded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    /// In the order of the text. A line that has no bytes is left out.
    pub lines: Vec<EncodedLine>,
    /// Characters that [`EncodedLine::shown`] needs at most in a table; longer ones reach into the next column.
    pub width: usize,
    /// Whether something in the text makes no bytes, so that they are not the whole.
    pub is_refused: bool,
    /// What was found wrong on the way, in assembly: with what a check passes over.
    pub findings: Vec<Finding>,
}

/// The bytes of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedLine {
    /// In the text; `None` for a header, which nothing in the text says.
    pub range: Option<TextRange>,
    /// Bytes from the start of the module or section.
    pub offset: u64,
    /// In memory order.
    pub bytes: Vec<u8>,
    /// The bytes for people: in hexadecimal, in the units of the dialect.
    pub shown: String,
    /// The instruction as a disassembler prints it, or as it is written.
    pub text: String,
}

/// Encodes a text; `None` for dialects that are not assembled here.
pub fn encode(dialect: Dialect, text: &str, options: &Options) -> Option<Encoding> {
    match dialect {
        Dialect::Spirv => Some(words(text, options)),
        Dialect::Amdgpu => Some(instructions(text, options)),
        Dialect::Llvm | Dialect::Mir => None,
    }
}

fn instructions(text: &str, options: &Options) -> Encoding {
    let (lines, mistakes) = amdgpu::encode(text, options);
    let line = |line: amdgpu::EncodedLine| EncodedLine {
        range: Some(line.range),
        offset: line.offset,
        shown: hexadecimal(&line.bytes),
        bytes: line.bytes,
        text: line.text,
    };
    let is_refused = mistakes.iter().any(|m| m.severity == Severity::Error);
    let finding = |m| to_finding(m, TextSize::new(0), &options.includes, |_, _| None);
    let findings = mistakes.into_iter().map(finding).collect();
    Encoding { lines: lines.into_iter().map(line).collect(), width: 24, is_refused, findings }
}

fn words(text: &str, options: &Options) -> Encoding {
    let encoded = spirv::encode(text, options);
    let mut offset = 0;
    let mut line = |range: Option<TextRange>, words: &[u32]| {
        let written = range.unwrap_or(TextRange::empty(TextSize::new(0)));
        let written = text.get(std::ops::Range::<usize>::from(written)).unwrap_or("");
        let shown: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
        let line = EncodedLine {
            range,
            offset,
            bytes: words.iter().flat_map(|w| w.to_le_bytes()).collect(),
            shown: shown.join(" "),
            text: written.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        offset += words.len() as u64 * 4;
        line
    };
    let mut lines = vec![line(None, &encoded.header)];
    lines.extend(encoded.insts.iter().map(|inst| line(Some(inst.range), &inst.words)));
    Encoding { lines, width: 44, is_refused: encoded.is_refused, findings: Vec::new() }
}

/// Bytes as two digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn offsets_go_on_behind_the_header_and_units_are_the_dialect_s() {
        let shown = |dialect, text: &str| {
            let encoding = encode(dialect, text, &Options::default()).expect("is assembled");
            let lines = encoding.lines.iter();
            lines.map(|l| format!("{:02x}  {}  {}\n", l.offset, l.shown, l.text)).collect::<String>()
        };
        expect![[r#"
            00  07230203 00010600 00070000 00000002 00000000  
            14  00020013 00000001  %1 = OpTypeVoid
        "#]]
        .assert_eq(&shown(Dialect::Spirv, "%1 = OpTypeVoid\n"));
        let text =
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nl:\ns_nop 1\ns_cbranch_scc0 m\ns_branch l\nm:\n";
        expect![[r#"
            00  010080bf  s_nop 1
            04  010084bf  s_cbranch_scc0 1
            08  fdff82bf  s_branch 65533
        "#]]
        .assert_eq(&shown(Dialect::Amdgpu, text));
        assert_eq!(encode(Dialect::Llvm, "", &Options::default()), None);
    }
}
