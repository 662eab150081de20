//! Binary modules as text that assembles back to the same words.

use std::fmt::Write as _;

use wavelens_syntax::spirv::tables::{ExtSet, Kind, Op, Operand, Quantifier, is_spec_constant_op};

use super::binary::{Known, opcode, string};
use super::encode::MAGIC;
use super::friendly::FriendlyNames;
use super::literal::{self, NumberType};
use super::pattern::push_mask_parameters;

/// How ids are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdStyle {
    /// By OpName, built-in, type or value (`%main`, `%float_1`). Assembling numbers such names anew, so a module with words
    /// that are not understood, where ids may hide, is written with numbers all the same.
    #[default]
    Friendly,
    /// By number, which assembling preserves.
    Raw,
}

/// Why bytes are not a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinaryError {
    /// Offset of the mistake, in units of 4 bytes.
    pub(crate) word: usize,
    pub(crate) message: String,
}

impl std::fmt::Display for BinaryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "corrupt SPIR-V at word {} (byte {:#x}): {}", self.word, self.word * 4, self.message)
    }
}

impl std::error::Error for BinaryError {}

/// Words in the header.
const HEADER: usize = 5;

/// Whether bytes start as a module does, in either byte order.
pub fn is_binary(bytes: &[u8]) -> bool {
    matches!(bytes.first_chunk(), Some(first) if *first == MAGIC.to_le_bytes() || *first == MAGIC.to_be_bytes())
}

/// Writes a binary module as text.
///
/// Instructions that the grammar does not know are written as `OpUnknown`, and operands that it does not know as `!` words.
///
/// # Errors
/// The header is incomplete, the length is not a multiple of 4 bytes, or an instruction's word count is 0 or reaches past the end.
pub fn disassemble(bytes: &[u8], style: IdStyle) -> Result<String, BinaryError> {
    let words = words(bytes)?;
    let insts = instructions(&words)?;
    let module = Known::gather(&insts);
    let names = match style {
        IdStyle::Friendly => Some(FriendlyNames::gather(&insts, &module)),
        IdStyle::Raw => None,
    };
    let text = Printer { module: &module, names }.print(&words, &insts);
    match text {
        (_, true) if style == IdStyle::Friendly => {
            Ok(Printer { module: &module, names: None }.print(&words, &insts).0)
        }
        (text, _) => Ok(text),
    }
}

fn words(bytes: &[u8]) -> Result<Vec<u32>, BinaryError> {
    let error = |word, message: String| Err(BinaryError { word, message });
    let (chunks, rest) = bytes.as_chunks::<4>();
    let Some(first) = chunks.first() else {
        return error(0, format!("expected a magic number of 4 bytes, found {} bytes", bytes.len()));
    };
    let read = match u32::from_le_bytes(*first) {
        MAGIC => u32::from_le_bytes,
        other if other.swap_bytes() == MAGIC => u32::from_be_bytes,
        other => return error(0, format!("expected the magic number {MAGIC:#010x}, found {other:#010x}")),
    };
    if chunks.len() < HEADER {
        return error(
            chunks.len(),
            format!("expected {HEADER} header words, the file ends after {}", chunks.len()),
        );
    }
    if !rest.is_empty() {
        return error(chunks.len(), format!("the last word of the file has only {} bytes", rest.len()));
    }
    Ok(chunks.iter().map(|b| read(*b)).collect())
}

/// Cuts a module's words, header included, into instructions.
fn instructions(words: &[u32]) -> Result<Vec<&[u32]>, BinaryError> {
    let mut insts = Vec::with_capacity(words.len() / 4);
    let mut at = HEADER;
    while let Some(first) = words.get(at) {
        let (count, op) = ((first >> 16) as usize, Op(*first as u16));
        if count == 0 {
            return Err(BinaryError { word: at, message: format!("{} has a word count of 0", op.name()) });
        }
        let Some(inst) = words.get(at..at + count) else {
            let left = words.len() - at;
            let message =
                format!("{} has a word count of {count}, but the module ends after {left} words", op.name());
            return Err(BinaryError { word: at, message });
        };
        insts.push(inst);
        at += count;
    }
    Ok(insts)
}

/// Column at which opcodes start, as the reference disassembler has it.
const INDENT: usize = 12;

struct Printer<'m> {
    module: &'m Known,
    /// Ids are numbers if there are none.
    names: Option<FriendlyNames>,
}

impl Printer<'_> {
    /// The text, and whether some words could not be understood.
    fn print(&self, words: &[u32], insts: &[&[u32]]) -> (String, bool) {
        let mut text = String::with_capacity(words.len() * 12);
        header(words, &mut text);
        let mut is_raw = false;
        for inst in insts {
            match self.known(inst) {
                Some((line, raw)) => {
                    text.push_str(&line);
                    is_raw |= raw;
                }
                None => {
                    let op = opcode(inst).0;
                    let _ = write!(text, "{:INDENT$}   OpUnknown({op}, {})", "", inst.len());
                    for word in inst.get(1..).unwrap_or_default() {
                        let _ = write!(text, " {word:#x}");
                    }
                    is_raw = true;
                }
            }
            text.push('\n');
        }
        (text, is_raw)
    }

    fn id(&self, id: u32) -> String {
        let friendly = self.names.as_ref().and_then(|n| n.get(id));
        friendly.map_or_else(|| format!("%{id}"), |name| format!("%{name}"))
    }

    /// An instruction that the grammar knows: its line, and whether it needs `!` words.
    fn known(&self, inst: &[u32]) -> Option<(String, bool)> {
        let info = opcode(inst).info()?;
        let mut pattern: Vec<Operand> = info.operands.iter().rev().copied().collect();
        let (mut result, mut set) = (None, None);
        let mut text = info.name.to_owned();
        let mut rest = inst.get(1..)?;
        let mut is_raw = false;
        while !rest.is_empty() {
            let spec = pattern.pop()?;
            if spec.quantifier == Quantifier::Many {
                pattern.push(spec);
                expand(spec.kind, &mut pattern);
                continue;
            }
            if spec.kind == Kind::ResultId {
                result = rest.first().copied();
                rest = rest.get(1..)?;
                continue;
            }
            let (operand, count) = match self.operand(inst, spec.kind, rest, set, &mut pattern) {
                Some(read) => read,
                // The result must precede what is not understood.
                None if info.has_result && result.is_none() => return None,
                None => {
                    for word in rest {
                        let _ = write!(text, " !{word:#x}");
                    }
                    is_raw = true;
                    pattern.clear();
                    break;
                }
            };
            if matches!(info.op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR) && spec.kind == Kind::Id {
                // The assembler reads no instruction of a set that it does not know.
                set = Some(set.or_else(|| self.module.sets.get(rest.first()?).copied())?);
            }
            text.push(' ');
            text.push_str(&operand);
            rest = rest.get(count..)?;
        }
        if pattern.last().is_some_and(|o| o.quantifier == Quantifier::One) {
            return None;
        }
        let line = match result {
            Some(id) => format!("{:>INDENT$} = {text}", self.id(id)),
            None => format!("{:INDENT$}   {text}", ""),
        };
        Some((line, is_raw))
    }

    /// The text of one operand and the number of its words; what must follow it goes on the pattern.
    fn operand(
        &self,
        inst: &[u32],
        kind: Kind,
        rest: &[u32],
        set: Option<ExtSet>,
        pattern: &mut Vec<Operand>,
    ) -> Option<(String, usize)> {
        let word = *rest.first()?;
        let number = |number: NumberType| {
            let count = literal::word_count(number);
            Some((literal::decode(rest.get(..count)?, number)?, count))
        };
        let text = match kind {
            kind if kind.is_id() => self.id(word),
            Kind::LiteralInteger => word.to_string(),
            Kind::LiteralFloat => return number(NumberType::Float { width: 32, encoding: None }),
            Kind::TypedLiteral => return number(self.module.number(inst)?),
            Kind::LiteralString => {
                let (text, count) = string(rest)?;
                if opcode(inst) == Op::ExtInstImport && ExtSet::from_import(&text).is_none() {
                    return None;
                }
                return Some((quote(&text), count));
            }
            Kind::SpecConstantOp => {
                let info = u16::try_from(word).ok().and_then(|op| Op(op).info())?;
                if !is_spec_constant_op(info.op) {
                    return None;
                }
                pattern.extend(info.operands.get(2..)?.iter().rev());
                info.name.strip_prefix("Op")?.to_owned()
            }
            Kind::ExtInstNumber => match (set?, set?.numbered(word)) {
                (_, Some(known)) => {
                    pattern.extend(known.operands.iter().rev());
                    known.name.to_owned()
                }
                (set, None) if set.is_non_semantic() => {
                    pattern.push(Operand { kind: Kind::Id, quantifier: Quantifier::Many });
                    word.to_string()
                }
                _ => return None,
            },
            kind if kind.is_mask() => {
                let text = mask(kind, word)?;
                push_mask_parameters(kind, word, pattern);
                text
            }
            kind => {
                let value = kind.valued(word)?;
                pattern.extend(value.parameters.iter().rev());
                value.name.to_owned()
            }
        };
        Some((text, 1))
    }
}

fn expand(kind: Kind, pattern: &mut Vec<Operand>) {
    let one = |kind| Operand { kind, quantifier: Quantifier::One };
    match kind {
        Kind::PairLiteralId => pattern.extend([one(Kind::Id), one(Kind::TypedLiteral)]),
        Kind::PairIdLiteral => pattern.extend([one(Kind::LiteralInteger), one(Kind::Id)]),
        _ => pattern.push(one(kind)),
    }
}

fn mask(kind: Kind, word: u32) -> Option<String> {
    if word == 0 {
        return Some(kind.valued(0)?.name.to_owned());
    }
    let bits = (0..32).map(|n| 1u32 << n).filter(|bit| word & bit != 0);
    let names: Option<Vec<&str>> = bits.map(|bit| kind.valued(bit).map(|e| e.name)).collect();
    Some(names?.join("|"))
}

fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

fn header(words: &[u32], text: &mut String) {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    let (version, generator) = (word(1), word(2));
    let _ = writeln!(text, "; SPIR-V\n; Version: {}.{}", version >> 16 & 0xff, version >> 8 & 0xff);
    let _ = match generator_name(generator >> 16) {
        Some(name) => writeln!(text, "; Generator: {name}; {}", generator & 0xffff),
        None => writeln!(text, "; Generator: Unknown({}); {}", generator >> 16, generator & 0xffff),
    };
    let _ = writeln!(text, "; Bound: {}\n; Schema: {}", word(3), word(4));
}

/// The usual tools of the SPIR-V registry of generators.
fn generator_name(number: u32) -> Option<&'static str> {
    Some(match number {
        0 => "Khronos",
        6 => "Khronos LLVM/SPIR-V Translator",
        7 => "Khronos SPIR-V Tools Assembler",
        8 => "Khronos Glslang Reference Front End",
        13 => "Google Shaderc over Glslang",
        14 => "Google spiregg",
        15 => "Google rspirv",
        17 => "Khronos SPIR-V Tools Linker",
        21 => "Google clspv",
        22 => "Google MLIR SPIR-V Serializer",
        23 => "Google Tint Compiler",
        28 => "gfx-rs community naga",
        40 => "NVIDIA Slang Compiler",
        43 => "LLVM LLVM SPIR-V Backend",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
