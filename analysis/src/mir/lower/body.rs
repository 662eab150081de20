//! Blocks, instructions and operands.

use wavelens_syntax::machine::{Element as Part, Node, Token};
use wavelens_syntax::mir::MirKind;

use super::super::model::*;
use crate::{TextRange, TextSize};

type N<'t> = Node<'t, MirKind>;
type T<'t> = Token<'t, MirKind>;

/// Lowers a `BODY`.
pub(super) fn lower(body: N<'_>, f: &mut Function) {
    for node in body.children() {
        match node.kind() {
            MirKind::BLOCK => block(node, f),
            _ => f.broken = true,
        }
    }
}

fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// The number behind a prefix, and the name behind the number's dot.
fn numbered<'t>(text: &'t str, prefix: &str) -> (u32, &'t str) {
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
                            f.successors.push(Successor { block: number, name, range: token.range() });
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
                    let name = f.names.add(text.strip_prefix("%ir-block.").unwrap_or(""));
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
fn metadata_numbers(node: N<'_>, f: &mut Function) {
    for inner in node.descendants() {
        let mut exclaim = None;
        for token in inner.tokens() {
            match (token.kind(), exclaim) {
                (MirKind::EXCLAIM, _) => exclaim = Some(token.range().start()),
                (MirKind::INT, Some(start)) => {
                    let number = token.text().parse().unwrap_or(u32::MAX);
                    f.metadata.push((number, TextRange::new(start, token.range().end())));
                    exclaim = None;
                }
                _ => exclaim = None,
            }
        }
    }
}

fn register_flags(node: N<'_>, definition: bool) -> u16 {
    if node.kind() != MirKind::REGISTER {
        return 0;
    }
    let mut flags = if definition { operand_flag::DEF } else { 0 };
    for token in node.tokens() {
        if token.kind() != MirKind::REGISTER_FLAG {
            break;
        }
        flags |= match token.text() {
            "implicit" => operand_flag::IMPLICIT,
            "implicit-def" => operand_flag::IMPLICIT | operand_flag::DEF,
            "def" => operand_flag::DEF,
            "dead" => operand_flag::DEAD,
            "killed" => operand_flag::KILLED,
            "undef" => operand_flag::UNDEF,
            "internal" => operand_flag::INTERNAL,
            "early-clobber" => operand_flag::EARLY_CLOBBER,
            "debug-use" => operand_flag::DEBUG,
            _ => operand_flag::RENAMABLE,
        };
    }
    flags
}

fn register(node: N<'_>, f: &mut Function) -> Option<OperandKind> {
    let mut name = None;
    let (mut sub, mut class) = (Symbol::NONE, Symbol::NONE);
    let (mut ty, mut tied) = (None, None);
    let mut before = MirKind::EOF;
    for part in node.elements() {
        match part {
            Part::Node(inner) if inner.kind() == MirKind::TYPE => ty = low_level_type(inner),
            Part::Node(_) => {}
            Part::Token(token) => {
                let text = token.text();
                match (token.kind(), before) {
                    (MirKind::IDENT, MirKind::DOT) => sub = f.names.add(text),
                    (MirKind::IDENT | MirKind::UNDERSCORE, MirKind::COLON) => class = f.names.add(text),
                    (MirKind::INT, MirKind::TIED_DEF_KW) => tied = text.parse().ok(),
                    (MirKind::UNDERSCORE, _) => name = Some(RegisterName::None),
                    (MirKind::PHYSREG, _) => {
                        name = Some(RegisterName::Physical(f.names.add(text.get(1..).unwrap_or(""))));
                    }
                    (MirKind::VREG, _) => {
                        let number = text.get(1..).and_then(|n| n.parse().ok()).unwrap_or(u32::MAX);
                        name = Some(RegisterName::Virtual(
                            f.register(VirtualName::Number(number), token.range()),
                        ));
                    }
                    (MirKind::NAMED_VREG, _) => {
                        let symbol = f.names.add(text.get(1..).unwrap_or(""));
                        name =
                            Some(RegisterName::Virtual(f.register(VirtualName::Name(symbol), token.range())));
                    }
                    _ => {}
                }
                before = token.kind();
            }
        }
    }
    name.map(|name| OperandKind::Register(RegisterOperand { name, sub, class, ty, tied }))
}

fn sized(text: &str) -> Option<(u8, u32)> {
    Some((*text.as_bytes().first()?, text.get(1..)?.parse().ok()?))
}

/// A `TYPE` node.
fn low_level_type(node: N<'_>) -> Option<Type> {
    let (mut scalable, mut lanes, mut vector) = (false, 0u16, false);
    for token in node.tokens() {
        match (token.kind(), token.text()) {
            (MirKind::LESS, _) => vector = true,
            (MirKind::IDENT, "vscale") => scalable = true,
            (MirKind::IDENT, "x") => {}
            (MirKind::INT, text) => lanes = text.parse().ok()?,
            (MirKind::IDENT, text) => {
                let (letter, number) = sized(text)?;
                return match (vector, letter) {
                    (false, b'p') => Some(Type::Pointer(number)),
                    (false, _) if number == 0 => Some(Type::Token),
                    (false, _) => Some(Type::Scalar(number)),
                    (true, b'p') => Some(Type::Vector { scalable, lanes, element: Element::Pointer(number) }),
                    (true, _) => Some(Type::Vector { scalable, lanes, element: Element::Scalar(number) }),
                };
            }
            _ => {}
        }
    }
    None
}

fn symbol_of(node: N<'_>, kind: MirKind, skip: usize, f: &mut Function) -> Symbol {
    match node.token(kind) {
        Some(token) => f.names.add(token.text().get(skip..).unwrap_or("")),
        None => Symbol::NONE,
    }
}

/// The name of a global or IR value, without sigil and quotes.
pub(in crate::mir) fn bare(text: &str, prefix: &str) -> String {
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
fn global(token: T<'_>, f: &mut Function) -> Symbol {
    let text = token.text();
    if text.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return f.names.add(text);
    }
    f.names.add(&bare(text, "@"))
}

fn frame(token: T<'_>, f: &mut Function) -> (bool, u32, Symbol) {
    let fixed = token.kind() == MirKind::FIXED_STACK_OBJECT;
    let (id, name) = numbered(token.text(), if fixed { "%fixed-stack." } else { "%stack." });
    (fixed, id, f.names.add(name))
}

fn operand(node: N<'_>, kind: MirKind, _definition: bool, f: &mut Function) -> Option<OperandKind> {
    let first = node.first_token();
    let text = first.map_or("", T::text);
    let listed = |f: &mut Function| {
        let start = f.listed_registers.len();
        for token in node.tokens().filter(|t| t.kind() == MirKind::PHYSREG) {
            let name = f.names.add(token.text().get(1..).unwrap_or(""));
            f.listed_registers.push((name, token.range()));
        }
        span(start, f.listed_registers.len())
    };
    Some(match kind {
        MirKind::REGISTER => return register(node, f),
        MirKind::IMMEDIATE => OperandKind::Immediate(
            text.parse::<i64>().ok().or_else(|| text.parse::<u64>().ok().map(|v| v as i64))?,
        ),
        MirKind::TYPED_IMMEDIATE => {
            let (letter, bits) = sized(text)?;
            let value = node.tokens().nth(1).map_or("", T::text);
            let boolean = matches!(value, "true" | "false");
            let value = if boolean { Some(i128::from(value == "true")) } else { value.parse().ok() };
            OperandKind::TypedImmediate { letter, bits, value, boolean }
        }
        MirKind::FP_IMMEDIATE => fp_immediate(text, node.tokens().nth(1).map_or("", T::text)),
        MirKind::MNEMONIC_IMMEDIATE => OperandKind::Mnemonic,
        MirKind::BLOCK_REF => {
            let (number, name) = numbered(text, "%bb.");
            OperandKind::Block(number, f.names.add(name))
        }
        MirKind::FRAME_REF => {
            let (fixed, id, name) = frame(first?, f);
            OperandKind::Frame { fixed, id, name }
        }
        MirKind::CONSTANT_POOL_REF => OperandKind::ConstantPool(numbered(text, "%const.").0),
        MirKind::JUMP_TABLE_REF => OperandKind::JumpTable(numbered(text, "%jump-table.").0),
        MirKind::GLOBAL_REF => OperandKind::Global(global(first?, f)),
        MirKind::EXTERNAL_REF => OperandKind::External,
        MirKind::MCSYMBOL_REF => OperandKind::McSymbol,
        MirKind::SUBREG_REF => OperandKind::SubIndex(f.names.add(&bare(text, "%subreg."))),
        MirKind::METADATA_REF => {
            let before = f.metadata.len();
            metadata_numbers(node, f);
            match f.metadata.get(before) {
                Some((number, _)) => OperandKind::Metadata(*number),
                None => OperandKind::Expression,
            }
        }
        MirKind::CFI => {
            listed(f);
            OperandKind::Cfi(f.names.add(text))
        }
        MirKind::BLOCK_ADDRESS => {
            let function = node.token(MirKind::GLOBAL).map_or(Symbol::NONE, |t| global(t, f));
            let block = node.token(MirKind::IR_BLOCK).map_or("", T::text);
            OperandKind::BlockAddress(function, f.names.add(&bare(block, "%ir-block.")))
        }
        MirKind::INTRINSIC => OperandKind::Intrinsic(match node.token(MirKind::GLOBAL) {
            Some(token) => global(token, f),
            None => Symbol::NONE,
        }),
        MirKind::PREDICATE => OperandKind::Predicate(first?.kind() == MirKind::FLOATPRED_KW),
        MirKind::SHUFFLE_MASK => {
            let start = f.masks.len();
            for token in node.tokens() {
                match token.kind() {
                    MirKind::INT => f.masks.push(token.text().parse().unwrap_or(i32::MAX)),
                    MirKind::REGISTER_FLAG => f.masks.push(-1),
                    _ => {}
                }
            }
            OperandKind::ShuffleMask(span(start, f.masks.len()))
        }
        MirKind::REGISTER_MASK => OperandKind::Mask(f.names.add(text)),
        MirKind::CUSTOM_MASK => OperandKind::CustomMask(listed(f)),
        MirKind::LIVEOUT => OperandKind::LiveOut(listed(f)),
        MirKind::TARGET_INDEX => OperandKind::TargetIndex(symbol_of(node, MirKind::IDENT, 0, f)),
        MirKind::DBG_INSTR_REF => OperandKind::DebugRef,
        _ => return None,
    })
}

/// Width and exactness of `float 1.0`: LLVM rejects a decimal that the type cannot hold exactly.
fn fp_immediate(ty: &str, value: &str) -> OperandKind {
    let bits = match ty {
        "half" | "bfloat" => 16,
        "float" => 32,
        "double" => 64,
        "x86_fp80" => 80,
        _ => 128,
    };
    let hex_prefix = value.get(..3).unwrap_or("");
    let special = match hex_prefix {
        "0xH" => Some("half"),
        "0xR" => Some("bfloat"),
        "0xK" => Some("x86_fp80"),
        "0xL" => Some("fp128"),
        "0xM" => Some("ppc_fp128"),
        _ => None,
    };
    let exact = match special {
        Some(wanted) => wanted == ty,
        None => {
            let value = match value.strip_prefix("0x").or(value.strip_prefix("0X")) {
                Some(hex) => u64::from_str_radix(hex, 16).ok().map(f64::from_bits),
                None => value.parse::<f64>().ok(),
            };
            value.is_some_and(|v| match ty {
                "double" => true,
                "float" => v.is_nan() || f64::from(v as f32) == v,
                "half" => fits(v, 10, -24, 15),
                "bfloat" => fits(v, 7, -133, 127),
                _ => false,
            })
        }
    };
    OperandKind::FpImmediate { bits, exact }
}

/// Whether a value has at most `precision` bits behind the first, none below 2^`lowest`, and magnitude below 2^(`highest` + 1).
fn fits(value: f64, precision: i32, lowest: i32, highest: i32) -> bool {
    if value == 0.0 || !value.is_finite() {
        return true;
    }
    let bits = value.abs().to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let last = exponent - 52 + mantissa.trailing_zeros() as i32;
    exponent <= highest && exponent - last <= precision && last >= lowest
}

fn memory(node: N<'_>, f: &mut Function) {
    let empty = TextRange::empty(TextSize::new(0));
    let mut m = MemoryOperand {
        load: false,
        store: false,
        size: MemorySize::Unknown,
        ordering: Ordering::NotAtomic,
        pointer: Pointer::None,
        pointer_range: empty,
        offset: 0,
        align: None,
        align_range: empty,
        address_space: None,
        target_flags: Vec::new(),
        metadata: Vec::new(),
        range: node.range(),
    };
    let mut operation = false;
    let mut scope = false;
    for part in node.elements() {
        match part {
            Part::Node(inner) => match inner.kind() {
                MirKind::TYPE => {
                    if let Some(ty) = low_level_type(inner) {
                        m.size = MemorySize::Type(ty);
                    }
                }
                MirKind::OFFSET => {
                    let negative = inner.token(MirKind::MINUS).is_some();
                    let value: i64 =
                        inner.token(MirKind::INT).and_then(|t| t.text().parse().ok()).unwrap_or(0);
                    m.offset = if negative { value.wrapping_neg() } else { value };
                }
                MirKind::MEMORY_ATTRIBUTE => memory_attribute(inner, &mut m, f),
                _ => {}
            },
            Part::Token(token) => {
                let text = token.text();
                match token.kind() {
                    MirKind::STRING if !operation => {
                        let name = f.names.add(&bare(text, ""));
                        m.target_flags.push((name, token.range()));
                    }
                    MirKind::IDENT => match text {
                        "load" => {
                            m.load = true;
                            operation = true;
                        }
                        "store" => {
                            m.store = true;
                            operation = true;
                        }
                        "syncscope" => scope = true,
                        "unordered" if m.ordering == Ordering::NotAtomic => m.ordering = Ordering::Unordered,
                        "monotonic" if m.ordering == Ordering::NotAtomic => m.ordering = Ordering::Monotonic,
                        "acquire" if m.ordering == Ordering::NotAtomic => m.ordering = Ordering::Acquire,
                        "release" if m.ordering == Ordering::NotAtomic => m.ordering = Ordering::Release,
                        "acq_rel" if m.ordering == Ordering::NotAtomic => {
                            m.ordering = Ordering::AcquireRelease
                        }
                        "seq_cst" if m.ordering == Ordering::NotAtomic => {
                            m.ordering = Ordering::SequentiallyConsistent;
                        }
                        "from" | "into" | "on" => {}
                        _ if matches!(m.pointer, Pointer::Custom(_)) => {
                            m.pointer = Pointer::Custom(f.names.add(text))
                        }
                        _ => {}
                    },
                    MirKind::INT if matches!(m.size, MemorySize::Unknown) => {
                        m.size = MemorySize::Bytes(text.parse().unwrap_or(0));
                    }
                    MirKind::IR_VALUE => {
                        m.pointer = Pointer::IrValue(ir_value(text, f));
                        m.pointer_range = token.range();
                    }
                    MirKind::GLOBAL if matches!(m.pointer, Pointer::CallEntry(_)) => {
                        m.pointer = Pointer::CallEntry(global(token, f));
                        m.pointer_range = token.range();
                    }
                    MirKind::GLOBAL => {
                        m.pointer = Pointer::Global(global(token, f));
                        m.pointer_range = token.range();
                    }
                    MirKind::QUOTED_IR => {
                        m.pointer = Pointer::Quoted;
                        m.pointer_range = token.range();
                    }
                    MirKind::STACK_OBJECT | MirKind::FIXED_STACK_OBJECT => {
                        let (fixed, id, name) = frame(token, f);
                        m.pointer = Pointer::Frame { fixed, id, name };
                        m.pointer_range = token.range();
                    }
                    MirKind::PSEUDO_SOURCE => m.pointer = Pointer::Pseudo,
                    MirKind::UNKNOWN_ADDRESS_KW => m.pointer = Pointer::UnknownAddress,
                    MirKind::CALL_ENTRY_KW => m.pointer = Pointer::CallEntry(Symbol::NONE),
                    MirKind::CUSTOM_KW => {
                        m.pointer = Pointer::Custom(Symbol::NONE);
                        m.pointer_range = token.range();
                    }
                    MirKind::STRING if !scope && matches!(m.pointer, Pointer::Custom(_)) => {
                        m.pointer = Pointer::Custom(f.names.add(&bare(text, "")));
                    }
                    _ => {}
                }
            }
        }
    }
    f.memory.push(m);
}

/// `%ir.name` as its name, `%ir.3` as `%3`.
fn ir_value(text: &str, f: &mut Function) -> Symbol {
    let rest = text.strip_prefix("%ir.").unwrap_or(text);
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return f.names.add(&format!("%{rest}"));
    }
    f.names.add(&bare(text, "%ir."))
}

fn memory_attribute(node: N<'_>, m: &mut MemoryOperand, f: &mut Function) {
    let Some(first) = node.first_token() else { return };
    let number = node.token(MirKind::INT);
    let value = number.and_then(|t| t.text().parse::<u64>().ok());
    match first.kind() {
        MirKind::ALIGN_KW => {
            m.align = value;
            m.align_range = number.map_or(node.range(), T::range);
        }
        MirKind::ADDRSPACE_KW => m.address_space = value.map(|v| v as u32),
        MirKind::MD_WORD => {
            let word = f.names.add(first.text());
            m.metadata.push((word, value.map_or(u32::MAX, |v| v as u32), node.range()));
        }
        _ => {}
    }
}
