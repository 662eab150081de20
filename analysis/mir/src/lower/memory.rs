//! Memory operands.

use wavelens_syntax::machine::Element as Part;
use wavelens_syntax::mir::MirKind;

use super::super::model::*;
use super::body::*;
use super::operand::*;
use super::{N, T};
use wavelens_base::{TextRange, TextSize};

pub(super) fn memory(node: N<'_>, f: &mut Function) {
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
                        "load" | "store" => {
                            m.load |= text == "load";
                            m.store |= text == "store";
                            operation = true;
                        }
                        "syncscope" => scope = true,
                        _ if m.ordering == Ordering::NotAtomic && ordering(text) != Ordering::NotAtomic => {
                            m.ordering = ordering(text);
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

/// The ordering that a word names.
fn ordering(word: &str) -> Ordering {
    match word {
        "unordered" => Ordering::Unordered,
        "monotonic" => Ordering::Monotonic,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcqRel,
        "seq_cst" => Ordering::SeqCst,
        _ => Ordering::NotAtomic,
    }
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
