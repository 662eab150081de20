//! Blocks and instructions, and what the texts of names mean.

use wavelens_syntax::machine::Element as Part;
use wavelens_syntax::mir::MirKind;

use super::super::ir::Metadata;
use super::super::model::*;
use super::memory::memory;
use super::operand::{operand, register_flags};
use super::{N, T};
use wavelens_base::TextRange;

/// Lowers a `BODY`.
pub(super) fn lower(body: N<'_>, f: &mut Function) {
    for node in body.children() {
        match node.kind() {
            MirKind::BLOCK => block(node, f),
            _ => f.broken = true,
        }
    }
}

pub(super) fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// The number after a prefix, and the name after the dot that follows the number.
pub(super) fn numbered<'t>(text: &'t str, prefix: &str) -> (u32, &'t str) {
    let rest = text.strip_prefix(prefix).unwrap_or(text);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(u32::MAX);
    (number, rest.get(digits..).and_then(|r| r.strip_prefix('.')).unwrap_or(""))
}

fn block(node: N<'_>, f: &mut Function) {
    let mut block = Block { ..Block::default() };
    let first_instruction = f.instructions.len();
    let first_live_in = f.block_live_ins.len();
    let first_successor = f.successors.len();
    let mut in_bundle = false;
    let mut explicit = false;
    for part in node.elements() {
        match part {
            Part::Token(token) => match token.kind() {
                MirKind::LBRACE => in_bundle = true,
                MirKind::RBRACE => in_bundle = false,
                _ => {}
            },
            Part::Node(child) => match child.kind() {
                MirKind::BLOCK_HEADER => header(child, &mut block, f),
                MirKind::LIVEINS => {
                    for live_in in child.children() {
                        if let Some(token) = live_in.token(MirKind::PHYSREG) {
                            let register = f.names.add(token.text().get(1..).unwrap_or(""));
                            f.block_live_ins.push(LiveIn { register, range: token.range() });
                        }
                    }
                }
                MirKind::SUCCESSORS => {
                    explicit = true;
                    for successor in child.children() {
                        if let Some(token) = successor.token(MirKind::BLOCK_NAME) {
                            let (number, name) = numbered(token.text(), "%bb.");
                            let name = f.names.add(name);
                            let written = successor.token(MirKind::HEX).or(successor.token(MirKind::INT));
                            let probability = written.and_then(|t| probability(t.text()));
                            let (block, range) = (number, token.range());
                            f.successors.push(Successor { block, name, range, probability });
                        }
                    }
                }
                MirKind::INSTRUCTION => instruction(child, in_bundle, false, f),
                MirKind::BROKEN => {
                    f.broken = true;
                    instruction(child, in_bundle, true, f);
                }
                _ => f.broken = true,
            },
        }
    }
    block.instructions = span(first_instruction, f.instructions.len());
    block.live_ins = span(first_live_in, f.block_live_ins.len());
    block.successors = explicit.then(|| span(first_successor, f.successors.len()));
    f.blocks.push(block);
}

fn header(node: N<'_>, block: &mut Block, f: &mut Function) {
    if let Some(label) = node.token(MirKind::LABEL) {
        let (number, name) = numbered(label.text(), "bb.");
        block.number = number;
        block.name = f.names.add(name);
        block.range = label.range();
    }
    for attribute in node.children() {
        let mut frame_size = false;
        for token in attribute.tokens() {
            match (token.kind(), token.text()) {
                (MirKind::BLOCK_FLAG, "landing-pad") => block.landing_pad = true,
                (MirKind::BLOCK_FLAG, "inlineasm-br-indirect-target") => block.inline_asm_target = true,
                (MirKind::CALL_FRAME_SIZE_KW, _) => frame_size = true,
                (MirKind::INT, text) if frame_size => block.call_frame_size = text.parse().unwrap_or(0),
                (MirKind::IR_BLOCK, text) => {
                    let name = f.names.add(&bare(text, "%ir-block."));
                    block.ir_blocks.push((name, token.range()));
                }
                _ => {}
            }
        }
    }
}

fn instruction(node: N<'_>, bundled: bool, broken: bool, f: &mut Function) {
    let (first_operand, first_memory, first_metadata) = (f.operands.len(), f.memory.len(), f.metadata.len());
    let mut flags = 0;
    if bundled {
        flags |= instruction_flag::BUNDLED;
    }
    if broken {
        flags |= instruction_flag::BROKEN;
    }
    let mut opcode = None;
    let mut debug_number = 0;
    let mut target_flags = false;
    for part in node.elements() {
        match part {
            Part::Token(token) => match token.kind() {
                MirKind::IDENT if opcode.is_none() => opcode = Some(token),
                MirKind::INSTRUCTION_FLAG if token.text() == "noconvergent" => {
                    flags |= instruction_flag::NO_CONVERGENT;
                }
                _ => {}
            },
            Part::Node(child) => match child.kind() {
                MirKind::MEMORY_OPERAND => memory(child, f),
                MirKind::TRAILER => {
                    trailer(child, &mut flags, &mut debug_number, f);
                }
                MirKind::TARGET_FLAGS => {
                    target_flags = true;
                    for (n, token) in child.tokens().filter(|t| t.kind() == MirKind::IDENT).enumerate() {
                        let name = f.names.add(token.text());
                        f.target_flags.push((name, token.range(), n == 0));
                    }
                }
                kind => {
                    if let Some(kind) = operand(child, kind, opcode.is_none(), f) {
                        let mut operand_flags = register_flags(child, opcode.is_none());
                        if std::mem::take(&mut target_flags) {
                            operand_flags |= operand_flag::TARGET_FLAGS;
                        }
                        f.operands.push(Operand { kind, flags: operand_flags, range: child.range() });
                    }
                }
            },
        }
    }
    let empty = TextRange::empty(node.range().start());
    f.instructions.push(Instruction {
        opcode: opcode.map_or(Symbol::NONE, |t| f.names.add(t.text())),
        opcode_range: opcode.map_or(empty, T::range),
        range: node.range(),
        flags,
        operands: span(first_operand, f.operands.len()),
        memory: span(first_memory, f.memory.len()),
        debug_number,
        metadata: span(first_metadata, f.metadata.len()),
    });
}

fn trailer(node: N<'_>, flags: &mut u8, debug_number: &mut u32, f: &mut Function) {
    let mut tokens = node.tokens();
    let keyword = tokens.next().map(T::kind);
    match keyword {
        Some(MirKind::DEBUG_INSTR_NUMBER_KW) => {
            *debug_number = tokens.next().and_then(|t| t.text().parse().ok()).unwrap_or(0);
        }
        Some(MirKind::DEBUG_LOCATION_KW) => *flags |= instruction_flag::DEBUG_LOCATION,
        _ => {}
    }
    metadata_numbers(node, f);
}

/// The `!5` directly in a node and in the debug locations below it.
pub(super) fn metadata_numbers(node: N<'_>, f: &mut Function) {
    for inner in node.descendants() {
        let mut exclaim = None;
        let mut wanted = None;
        for token in inner.tokens() {
            match (token.kind(), exclaim) {
                (MirKind::EXCLAIM, _) => exclaim = Some(token.range().start()),
                (MirKind::INT, Some(start)) => {
                    let number = token.text().parse().unwrap_or(u32::MAX);
                    let range = TextRange::new(start, token.range().end());
                    f.metadata.push(MetadataRef { number, range, wanted });
                    exclaim = None;
                }
                (MirKind::DEBUG_LOCATION_KW, _) => wanted = Some(Metadata::Location),
                (MirKind::IDENT, _) => {
                    wanted = match token.text() {
                        "scope" => Some(Metadata::Scope),
                        "inlinedAt" => Some(Metadata::Location),
                        _ => None,
                    };
                }
                _ => exclaim = None,
            }
        }
    }
}

pub(super) fn symbol_of(node: N<'_>, kind: MirKind, skip: usize, f: &mut Function) -> Symbol {
    match node.token(kind) {
        Some(token) => f.names.add(token.text().get(skip..).unwrap_or("")),
        None => Symbol::NONE,
    }
}

/// Parts of 2^31, decimal or hexadecimal.
fn probability(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The name of a global or IR value, without sigil and quotes.
pub fn bare(text: &str, prefix: &str) -> String {
    let rest = text.strip_prefix(prefix).unwrap_or(text);
    match rest.strip_prefix('"').and_then(|r| r.strip_suffix('"')) {
        Some(quoted) => unescape(quoted),
        None => rest.to_owned(),
    }
}

fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let (bytes, mut out, mut i) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(byte) = bytes.get(i) {
        let hex = bytes.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok());
        match (byte, bytes.get(i + 1), hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
            (b'\\', Some(b'\\'), _) => {
                out.push(b'\\');
                i += 2;
            }
            (b'\\', _, Some(value)) => {
                out.push(value);
                i += 3;
            }
            _ => {
                out.push(*byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A global as Machine IR names it: `name`, or `@3` for one without a name.
pub(super) fn global(token: T<'_>, f: &mut Function) -> Symbol {
    let text = token.text();
    if text.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return f.names.add(text);
    }
    f.names.add(&bare(text, "@"))
}

pub(super) fn frame(token: T<'_>, f: &mut Function) -> (bool, u32, Symbol) {
    let fixed = token.kind() == MirKind::FIXED_STACK_OBJECT;
    let (id, name) = numbered(token.text(), if fixed { "%fixed-stack." } else { "%stack." });
    (fixed, id, f.names.add(name))
}
