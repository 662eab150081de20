//! Attributes.

use wavelens_syntax::llvm::LlvmKind::*;

use super::{LlvmNode, LlvmToken, Lower, text};
use wavelens_syntax::wording;

use crate::Diagnostic;
use crate::llvm::attribute::{Attr, AttrKind, AttrValue, memory};
use crate::llvm::lower::rules::{ATTRIBUTE_PLACE, INVALID_ATTRIBUTE};
use crate::llvm::types::Span;

/// The place of an attribute.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Function,
    Parameter,
    Return,
}

impl Lower {
    /// Lowers one `ATTR` node and appends it to the table.
    pub(super) fn attribute(&mut self, node: LlvmNode<'_>, place: Place) {
        let Some(first) = node.first_token() else { return };
        let attr = self.attr(node, first);
        if let Some(info) = attr.kind.info() {
            let (allowed, what) = match place {
                // Function alignment is read as an attribute.
                Place::Function => (info.function || attr.kind == AttrKind::Alignment, "functions and calls"),
                Place::Parameter => (info.parameter, "parameters"),
                Place::Return => (info.result, "return values"),
            };
            let legacy_memory = place == Place::Function
                && matches!(attr.kind, AttrKind::ReadNone | AttrKind::ReadOnly | AttrKind::WriteOnly);
            if !allowed && !legacy_memory {
                let places = [
                    ("functions", info.function),
                    ("parameters", info.parameter),
                    ("return values", info.result),
                ];
                let places: Vec<_> =
                    places.iter().filter(|(_, fits)| *fits).map(|(place, _)| *place).collect();
                let message = match places.as_slice() {
                    [] => format!("`{}` does not apply to {what}", info.name),
                    places => format!("`{}` applies to {}, not to {what}", info.name, places.join(" and ")),
                };
                let diagnostic = Diagnostic::new(&ATTRIBUTE_PLACE, node.range(), message);
                let title = format!("Remove `{}`", info.name);
                self.diagnostics.push(diagnostic.fix(title, node.range(), ""));
            }
        }
        self.tables.attrs.push(attr);
        self.ranges.attrs.push(node.range());
    }

    /// Lowers the `ATTR` nodes among some children.
    pub(super) fn attributes<'t>(&mut self, nodes: impl Iterator<Item = LlvmNode<'t>>, place: Place) -> Span {
        let start = self.tables.attrs.len() as u32;
        for node in nodes {
            if node.kind() == ATTR {
                self.attribute(node, place);
            }
        }
        Span { start, len: self.tables.attrs.len() as u32 - start }
    }

    fn attr(&mut self, node: LlvmNode<'_>, first: LlvmToken<'_>) -> Attr {
        match first.kind() {
            STRING => {
                let key = self.string(first);
                let value = node.tokens().skip(1).find(|t| t.kind() == STRING).map(|t| self.string(t));
                return Attr { kind: AttrKind::String, value: AttrValue::String { key, value } };
            }
            ATTR_GROUP_ID => {
                let number = text::number(first.text().get(1..).unwrap_or(""));
                return Attr { kind: AttrKind::Group, value: AttrValue::Group(number) };
            }
            LEGACY_ATTR_KW => return legacy(first.text()),
            _ => {}
        }
        let kind = AttrKind::from_word(first.text()).unwrap_or(AttrKind::Error);
        let value = match kind {
            AttrKind::ByVal
            | AttrKind::ByRef
            | AttrKind::ElementType
            | AttrKind::Preallocated
            | AttrKind::StructRet
            | AttrKind::InAlloca => match node.child(TYPE) {
                Some(child) => AttrValue::Type(self.ty(child)),
                None => AttrValue::None,
            },
            AttrKind::Alignment
            | AttrKind::StackAlignment
            | AttrKind::Dereferenceable
            | AttrKind::DereferenceableOrNull => self.attr_number(node, kind),
            AttrKind::AllocSize | AttrKind::VScaleRange => self.attr_pair(node, kind),
            AttrKind::UWTable => {
                AttrValue::Int(if node.tokens().any(|t| t.text() == "sync") { 1 } else { 2 })
            }
            AttrKind::AllocKind => self.alloc_kind(node),
            AttrKind::Memory => memory_effects(node),
            AttrKind::Captures => captures(node),
            AttrKind::NoFPClass => self.fp_classes(node),
            AttrKind::Range => self.attr_range(node),
            AttrKind::Initializes => self.initializes(node),
            _ => AttrValue::None,
        };
        Attr { kind, value }
    }

    fn attr_number(&mut self, node: LlvmNode<'_>, kind: AttrKind) -> AttrValue {
        let Some(token) = node.token(NUMBER) else { return AttrValue::None };
        let Some(number) = self.unsigned(token) else { return AttrValue::None };
        let power = number.is_power_of_two();
        let problem = match kind {
            AttrKind::Alignment | AttrKind::StackAlignment if !power => {
                &format!("the alignment must be a power of two, is {}", token.text())
            }
            AttrKind::Alignment if number > MAX_ALIGNMENT => {
                &format!("the alignment must be at most {MAX_ALIGNMENT}, is {number}")
            }
            AttrKind::Dereferenceable | AttrKind::DereferenceableOrNull if number == 0 => {
                "the number of bytes must not be 0"
            }
            _ => return AttrValue::Int(number),
        };
        self.report(&INVALID_ATTRIBUTE, token.range(), problem);
        AttrValue::None
    }

    /// An unsigned 64-bit number; reports others.
    pub(super) fn unsigned(&mut self, token: LlvmToken<'_>) -> Option<u64> {
        if token.text().starts_with('-') {
            let message = wording::expected("an unsigned number", format!("`{}`", token.text()));
            self.report(&INVALID_ATTRIBUTE, token.range(), message);
            return None;
        }
        Some(token.text().parse().unwrap_or(u64::MAX))
    }

    /// An unsigned 32-bit number; reports others.
    pub(super) fn unsigned32(&mut self, token: LlvmToken<'_>) -> Option<u32> {
        let number = self.unsigned(token)?;
        let number = u32::try_from(number).ok();
        if number.is_none() {
            self.report(&INVALID_ATTRIBUTE, token.range(), "the number must fit 32 bits");
        }
        number
    }

    fn attr_pair(&mut self, node: LlvmNode<'_>, kind: AttrKind) -> AttrValue {
        let mut numbers = node.tokens().filter(|t| t.kind() == NUMBER);
        let (first, second) = (numbers.next(), numbers.next());
        let Some(low) = first.and_then(|t| self.unsigned32(t)) else { return AttrValue::None };
        let Some(token) = second else { return AttrValue::Pair(low, None) };
        let Some(high) = self.unsigned32(token) else { return AttrValue::None };
        if kind == AttrKind::AllocSize && low == high {
            self.report(&INVALID_ATTRIBUTE, token.range(), "`allocsize` names the same parameter twice");
        }
        AttrValue::Pair(low, Some(high))
    }

    fn alloc_kind(&mut self, node: LlvmNode<'_>) -> AttrValue {
        let Some(token) = node.token(STRING) else { return AttrValue::None };
        let mut mask = 0;
        for word in text::unquote(token.text()).split(',') {
            mask |= match word {
                "alloc" => 1,
                "realloc" => 2,
                "free" => 4,
                "uninitialized" => 8,
                "zeroed" => 16,
                "aligned" => 32,
                _ => {
                    let message = format!("unknown allocation kind `{word}`");
                    self.report(&INVALID_ATTRIBUTE, token.range(), message);
                    return AttrValue::None;
                }
            };
        }
        AttrValue::Int(mask)
    }

    fn fp_classes(&mut self, node: LlvmNode<'_>) -> AttrValue {
        let mut mask = 0;
        for token in node.tokens().skip(2) {
            mask |= match token.text() {
                "all" => 0x3ff,
                "nan" => 0x3,
                "snan" => 0x1,
                "qnan" => 0x2,
                "inf" => 0x204,
                "ninf" => 0x4,
                "pinf" => 0x200,
                "norm" => 0x108,
                "nnorm" => 0x8,
                "pnorm" => 0x100,
                "sub" => 0x90,
                "nsub" => 0x10,
                "psub" => 0x80,
                "zero" => 0x60,
                "nzero" => 0x20,
                "pzero" => 0x40,
                number if token.kind() == NUMBER => match number.parse::<u64>() {
                    Ok(n) if n > 0 && n <= 0x3ff => n,
                    _ => {
                        self.report(&INVALID_ATTRIBUTE, token.range(), "the mask must be between 1 and 1023");
                        return AttrValue::None;
                    }
                },
                _ => 0,
            };
        }
        AttrValue::Int(mask)
    }

    fn attr_range(&mut self, node: LlvmNode<'_>) -> AttrValue {
        let Some(child) = node.child(TYPE) else { return AttrValue::None };
        let ty = self.ty(child);
        let Some(bits) = self.tables.types.int_bits(ty) else {
            if !ty.is_error() {
                self.report(&INVALID_ATTRIBUTE, child.range(), "`range` requires an integer type");
            }
            return AttrValue::None;
        };
        let mut limits = [0i128; 2];
        let tokens = node.tokens().filter(|t| matches!(t.kind(), NUMBER | HEX_NUMBER));
        for (limit, token) in limits.iter_mut().zip(tokens) {
            let Some(value) = text::wide(token.text()) else {
                self.too_many_digits(&INVALID_ATTRIBUTE, token);
                return AttrValue::None;
            };
            // What is negative needs a bit for its sign.
            let magnitude = value.words.first().copied().unwrap_or(0);
            let smallest = value.words.len() == 1 && magnitude.is_power_of_two();
            let needed = if value.negative { value.bits() + u32::from(!smallest) } else { value.bits() };
            if needed > bits {
                let message = format!("the limit does not fit `i{bits}`");
                self.report(&INVALID_ATTRIBUTE, token.range(), message);
                return AttrValue::None;
            }
            *limit = small(&value);
        }
        let [low, high] = limits;
        let wrap = |value: i128| if bits < 127 { value & ((1i128 << bits) - 1) } else { value };
        if wrap(low) == wrap(high) && low != 0 {
            self.report(&INVALID_ATTRIBUTE, node.range(), "equal limits are allowed only if both are 0");
        }
        self.tables.rare.attr_ranges.push((low, high));
        AttrValue::Range(ty, self.tables.rare.attr_ranges.len() as u32 - 1)
    }

    fn initializes(&mut self, node: LlvmNode<'_>) -> AttrValue {
        let numbers: Vec<i128> = node
            .tokens()
            .filter(|t| matches!(t.kind(), NUMBER | HEX_NUMBER))
            .map(|t| text::wide(t.text()).map_or(i128::MAX, |value| small(&value)))
            .collect();
        let start = self.tables.rare.attr_ranges.len() as u32;
        let mut last = None;
        for pair in numbers.chunks_exact(2) {
            let (low, high) = (pair[0], pair[1]);
            if low >= high || last.is_some_and(|end| low <= end) {
                let message = "the ranges must be non-empty, in ascending order, and must not touch";
                self.report(&INVALID_ATTRIBUTE, node.range(), message);
                return AttrValue::None;
            }
            last = Some(high);
            self.tables.rare.attr_ranges.push((low, high));
        }
        AttrValue::Ranges(start, self.tables.rare.attr_ranges.len() as u32 - start)
    }

    /// `align N` of an instruction, a function or a global, as log2(N) + 1.
    pub(super) fn alignment(&mut self, token: LlvmToken<'_>) -> u8 {
        let Some(number) = self.unsigned(token) else { return 0 };
        if !number.is_power_of_two() {
            self.report(
                &INVALID_ATTRIBUTE,
                token.range(),
                format!("the alignment must be a power of two, is {}", token.text()),
            );
            return 0;
        }
        if number > MAX_ALIGNMENT {
            self.report(
                &INVALID_ATTRIBUTE,
                token.range(),
                format!("the alignment must be at most {MAX_ALIGNMENT}, is {number}"),
            );
            return 0;
        }
        number.trailing_zeros() as u8 + 1
    }
}

/// In bytes.
const MAX_ALIGNMENT: u64 = 1 << 32;

fn small(value: &crate::llvm::operand::WideInt) -> i128 {
    let word = |i| i128::from(value.words.get(i).copied().unwrap_or(0));
    let magnitude = word(0) | word(1) << 64;
    if value.negative { magnitude.wrapping_neg() } else { magnitude }
}

/// Words of before LLVM 16, as what they mean now.
fn legacy(word: &str) -> Attr {
    let all = |bits: u64, locations: &[u32]| locations.iter().fold(0, |m, shift| m | bits << shift);
    match word {
        "nocapture" => Attr { kind: AttrKind::Captures, value: AttrValue::Captures { other: 0, ret: 0 } },
        "argmemonly" => Attr { kind: AttrKind::Memory, value: AttrValue::Int(all(3, &[memory::ARGMEM])) },
        "inaccessiblememonly" => {
            Attr { kind: AttrKind::Memory, value: AttrValue::Int(all(3, &[memory::INACCESSIBLEMEM])) }
        }
        _ => Attr {
            kind: AttrKind::Memory,
            value: AttrValue::Int(all(3, &[memory::ARGMEM, memory::INACCESSIBLEMEM])),
        },
    }
}

fn memory_effects(node: LlvmNode<'_>) -> AttrValue {
    let mut mask = 0u64;
    let mut location = None;
    for token in node.tokens() {
        let access = match token.text() {
            "argmem" => {
                location = Some(memory::ARGMEM);
                continue;
            }
            "inaccessiblemem" => {
                location = Some(memory::INACCESSIBLEMEM);
                continue;
            }
            "errnomem" => {
                location = Some(memory::ERRNOMEM);
                continue;
            }
            "target_mem0" => {
                location = Some(memory::TARGET_MEM0);
                continue;
            }
            "target_mem1" => {
                location = Some(memory::TARGET_MEM1);
                continue;
            }
            "none" => 0,
            "read" => 1,
            "write" => 2,
            "readwrite" => 3,
            _ => continue,
        };
        match location.take() {
            Some(shift) => mask = mask & !(3 << shift) | access << shift,
            None => mask = memory::LOCATIONS.iter().fold(0, |m, shift| m | access << shift),
        }
    }
    AttrValue::Int(mask)
}

fn captures(node: LlvmNode<'_>) -> AttrValue {
    let (mut other, mut ret) = (0, None);
    for token in node.tokens() {
        let bits = match token.text() {
            "ret" => {
                ret = Some(0);
                continue;
            }
            "address_is_null" => 1,
            "address" => 3,
            "read_provenance" => 4,
            "provenance" => 12,
            _ => continue,
        };
        *ret.as_mut().unwrap_or(&mut other) |= bits;
    }
    AttrValue::Captures { other, ret: ret.unwrap_or(other) }
}
