//! Attributes.

use wavelens_syntax::llvm::LlvmKind::*;
use wavelens_syntax::llvm::NEWER;

use super::{LlvmNode, LlvmToken, Lower, text};
use wavelens_syntax::wording;

use crate::attribute::{Attr, AttrKind, AttrValue, memory};
use crate::lower::rules::{ATTRIBUTE_PLACE, INVALID_ATTRIBUTE};
use crate::types::Span;
use wavelens_base::Diagnostic;

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
            if place == Place::Return && attr.kind == AttrKind::ElementType {
                let message = "`elementtype` of a result requires LLVM 23";
                self.diagnostics.push(Diagnostic::new(&NEWER, node.range(), message));
            } else if !allowed && !legacy_memory {
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
        if node.token(EQUAL).is_some() {
            return self.number_in_group(token, number);
        }
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

    /// `align=8` and `alignstack=8` of a group: LLVM reads any number of 32 bits, and takes the power of two below it.
    fn number_in_group(&mut self, token: LlvmToken<'_>, number: u64) -> AttrValue {
        if u32::try_from(number).is_err() {
            self.report(&INVALID_ATTRIBUTE, token.range(), "the number must fit 32 bits");
            return AttrValue::None;
        }
        if !number.is_power_of_two() {
            let message = format!("the alignment should be a power of two, is {number}");
            self.diagnostics.push(Diagnostic::warning(&INVALID_ATTRIBUTE, token.range(), message));
            return AttrValue::None;
        }
        AttrValue::Int(number)
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
            let smallest = value.words.iter().map(|word| word.count_ones()).sum::<u32>() == 1;
            let needed = if value.negative { value.bits() + u32::from(!smallest) } else { value.bits() };
            if needed > bits {
                let message = format!("the limit does not fit `i{bits}`");
                self.report(&INVALID_ATTRIBUTE, token.range(), message);
                return AttrValue::None;
            }
            *limit = small(&value);
        }
        let [low, high] = limits;
        let wrap = |value: i128| value as u128 & (u128::MAX >> 128u32.saturating_sub(bits));
        if wrap(low) == wrap(high) && low != 0 {
            self.report(&INVALID_ATTRIBUTE, node.range(), "equal limits are allowed only if both are 0");
        }
        self.tables.cold.attr_ranges.push((low, high));
        AttrValue::Range(ty, self.tables.cold.attr_ranges.len() as u32 - 1)
    }

    fn initializes(&mut self, node: LlvmNode<'_>) -> AttrValue {
        let numbers: Vec<i128> = node
            .tokens()
            .filter(|t| matches!(t.kind(), NUMBER | HEX_NUMBER))
            .map(|t| text::wide(t.text()).map_or(i128::MAX, |value| small(&value)))
            .collect();
        let start = self.tables.cold.attr_ranges.len() as u32;
        let mut last = None;
        for pair in numbers.chunks_exact(2) {
            let (low, high) = (pair[0], pair[1]);
            if low >= high || last.is_some_and(|end| low <= end) {
                let message = "the ranges must be non-empty, in ascending order, and must not touch";
                self.report(&INVALID_ATTRIBUTE, node.range(), message);
                return AttrValue::None;
            }
            last = Some(high);
            self.tables.cold.attr_ranges.push((low, high));
        }
        AttrValue::Ranges(start, self.tables.cold.attr_ranges.len() as u32 - start)
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

fn small(value: &crate::operand::WideInt) -> i128 {
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
    let mut location: Option<&[u32]> = None;
    for token in node.tokens() {
        let access = match token.text() {
            "argmem" => {
                location = Some(&[memory::ARGMEM]);
                continue;
            }
            "inaccessiblemem" => {
                location = Some(&[memory::INACCESSIBLEMEM]);
                continue;
            }
            "errnomem" => {
                location = Some(&[memory::ERRNOMEM]);
                continue;
            }
            "target_mem0" => {
                location = Some(&[memory::TARGET_MEM0]);
                continue;
            }
            "target_mem1" => {
                location = Some(&[memory::TARGET_MEM1]);
                continue;
            }
            "target_mem" => {
                location = Some(&[memory::TARGET_MEM0, memory::TARGET_MEM1]);
                continue;
            }
            "none" => 0,
            "read" => 1,
            "write" => 2,
            "readwrite" => 3,
            _ => continue,
        };
        match location.take() {
            Some(shifts) => mask = shifts.iter().fold(mask, |m, shift| m & !(3 << shift) | access << shift),
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::lower::lower;

    /// The values of attributes, separated by semicolons, where the declaration has an `@@`, and what is wrong with them.
    fn values(declaration: &str, attributes: &str) -> String {
        let shown = attributes.split("; ").map(|written| {
            let lowered = lower(&declaration.replace("@@", written));
            let tables = &lowered.summary.tables;
            let mut shown = tables.attrs.first().map_or("none".into(), |attr| format!("{:?}", attr.value));
            if !tables.cold.attr_ranges.is_empty() {
                shown += &format!(" {:?}", tables.cold.attr_ranges);
            }
            lowered.diagnostics.iter().for_each(|d| shown += &format!(": {}", d.message));
            format!("{written}: {shown}\n")
        });
        shown.collect()
    }

    fn of_parameter(attributes: &str) -> String {
        values("declare i32 @f(i32 @@ %x)\n", attributes)
    }

    fn of_function(attributes: &str) -> String {
        values("declare ptr @f(i32, i32) @@\n", attributes)
    }

    #[test]
    fn words_of_masks() {
        expect![[r#"
            nofpclass(all): Int(1023)
            nofpclass(nan): Int(3)
            nofpclass(snan): Int(1)
            nofpclass(qnan): Int(2)
            nofpclass(inf): Int(516)
            nofpclass(ninf): Int(4)
            nofpclass(pinf): Int(512)
            nofpclass(norm): Int(264)
            nofpclass(nnorm): Int(8)
            nofpclass(pnorm): Int(256)
            nofpclass(sub): Int(144)
            nofpclass(nsub): Int(16)
            nofpclass(psub): Int(128)
            nofpclass(zero): Int(96)
            nofpclass(nzero): Int(32)
            nofpclass(pzero): Int(64)
            nofpclass(snan qnan): Int(3)
            nofpclass(ninf pzero nnorm): Int(76)
            nofpclass(0): None: the mask must be between 1 and 1023
            nofpclass(1): Int(1)
            nofpclass(1023): Int(1023)
            nofpclass(1024): None: the mask must be between 1 and 1023
            nocapture: Captures { other: 0, ret: 0 }
            captures(none): Captures { other: 0, ret: 0 }
            captures(address_is_null): Captures { other: 1, ret: 1 }
            captures(address): Captures { other: 3, ret: 3 }
            captures(read_provenance): Captures { other: 4, ret: 4 }
            captures(provenance): Captures { other: 12, ret: 12 }
            captures(ret: none): Captures { other: 0, ret: 0 }
            captures(address, ret: provenance): Captures { other: 3, ret: 12 }
            captures(ret: address_is_null): Captures { other: 0, ret: 1 }
            captures(address_is_null, read_provenance): Captures { other: 5, ret: 5 }
            captures(address, provenance, ret: address, read_provenance): Captures { other: 15, ret: 7 }
        "#]].assert_eq(&of_parameter(
            "nofpclass(all); nofpclass(nan); nofpclass(snan); nofpclass(qnan); nofpclass(inf); nofpclass(ninf); \
             nofpclass(pinf); nofpclass(norm); nofpclass(nnorm); nofpclass(pnorm); nofpclass(sub); nofpclass(nsub); \
             nofpclass(psub); nofpclass(zero); nofpclass(nzero); nofpclass(pzero); nofpclass(snan qnan); \
             nofpclass(ninf pzero nnorm); nofpclass(0); nofpclass(1); nofpclass(1023); nofpclass(1024); nocapture; \
             captures(none); captures(address_is_null); captures(address); captures(read_provenance); \
             captures(provenance); captures(ret: none); captures(address, ret: provenance); \
             captures(ret: address_is_null); captures(address_is_null, read_provenance); \
             captures(address, provenance, ret: address, read_provenance)",
        ));
        expect![[r#"
            memory(none): Int(0)
            memory(read): Int(1365)
            memory(write): Int(2730)
            memory(readwrite): Int(4095)
            memory(argmem: read): Int(1)
            memory(inaccessiblemem: write): Int(8)
            memory(errnomem: readwrite): Int(48)
            memory(target_mem0: read): Int(256)
            memory(target_mem1: write): Int(2048)
            memory(target_mem: read): Int(1280): `target_mem` requires LLVM 23
            memory(read, argmem: none): Int(1364)
            memory(readwrite, errnomem: write): Int(4079)
            memory(argmem: readwrite, inaccessiblemem: readwrite): Int(15)
            argmemonly: Int(3)
            inaccessiblememonly: Int(12)
            inaccessiblemem_or_argmemonly: Int(15)
            uwtable: Int(2)
            uwtable(sync): Int(1)
            uwtable(async): Int(2)
            allockind("alloc"): Int(1)
            allockind("realloc"): Int(2)
            allockind("free"): Int(4)
            allockind("uninitialized"): Int(8)
            allockind("zeroed"): Int(16)
            allockind("aligned"): Int(32)
            allockind("alloc,zeroed,aligned"): Int(49)
            allockind("other"): None: unknown allocation kind `other`
            allockind(""): None: unknown allocation kind ``
        "#]].assert_eq(&of_function(
            "memory(none); memory(read); memory(write); memory(readwrite); memory(argmem: read); \
             memory(inaccessiblemem: write); memory(errnomem: readwrite); memory(target_mem0: read); \
             memory(target_mem1: write); memory(target_mem: read); memory(read, argmem: none); memory(readwrite, errnomem: write); \
             memory(argmem: readwrite, inaccessiblemem: readwrite); argmemonly; inaccessiblememonly; \
             inaccessiblemem_or_argmemonly; uwtable; uwtable(sync); uwtable(async); allockind(\"alloc\"); \
             allockind(\"realloc\"); allockind(\"free\"); allockind(\"uninitialized\"); allockind(\"zeroed\"); \
             allockind(\"aligned\"); allockind(\"alloc,zeroed,aligned\"); allockind(\"other\"); allockind(\"\")",
        ));
    }

    #[test]
    fn numbers_at_their_limits() {
        expect![[r#"
            align 0: None: the alignment must be a power of two, is 0
            align 1: Int(1)
            align 3: None: the alignment must be a power of two, is 3
            align 4294967296: Int(4294967296)
            align 8589934592: None: the alignment must be at most 4294967296, is 8589934592
            align 6442450944: None: the alignment must be a power of two, is 6442450944
            alignstack(2): Int(2)
            alignstack(3): None: the alignment must be a power of two, is 3
            dereferenceable(0): None: the number of bytes must not be 0
            dereferenceable(1): Int(1)
            dereferenceable_or_null(0): None: the number of bytes must not be 0
            dereferenceable_or_null(3): Int(3)
            dereferenceable(-1): None: expected an unsigned number, found `-1`
            dereferenceable(18446744073709551615): Int(18446744073709551615)
        "#]]
        .assert_eq(&of_parameter(
            "align 0; align 1; align 3; align 4294967296; align 8589934592; align 6442450944; alignstack(2); \
             alignstack(3); dereferenceable(0); dereferenceable(1); dereferenceable_or_null(0); \
             dereferenceable_or_null(3); dereferenceable(-1); dereferenceable(18446744073709551615)",
        ));
        expect![[r#"
            allocsize(0): Pair(0, None)
            allocsize(0, 1): Pair(0, Some(1))
            allocsize(1, 1): Pair(1, Some(1)): `allocsize` names the same parameter twice
            allocsize(4294967294): Pair(4294967294, None)
            allocsize(4294967296): None: the number must fit 32 bits
            allocsize(0, 4294967296): None: the number must fit 32 bits
            vscale_range(1): Pair(1, None)
            vscale_range(2, 2): Pair(2, Some(2))
            vscale_range(0, 4294967295): Pair(0, Some(4294967295))
        "#]]
        .assert_eq(&of_function(
            "allocsize(0); allocsize(0, 1); allocsize(1, 1); allocsize(4294967294); allocsize(4294967296); \
             allocsize(0, 4294967296); vscale_range(1); vscale_range(2, 2); vscale_range(0, 4294967295)",
        ));
    }

    #[test]
    fn ranges_at_their_limits() {
        expect![[r#"
            range(i8 0, 255): Range(TypeId(15), 0) [(0, 255)]
            range(i8 0, 256): None: the limit does not fit `i8`
            range(i8 -128, 127): Range(TypeId(15), 0) [(-128, 127)]
            range(i8 -129, 127): None: the limit does not fit `i8`
            range(i8 -127, 0): Range(TypeId(15), 0) [(-127, 0)]
            range(i8 0, 0): Range(TypeId(15), 0) [(0, 0)]
            range(i8 1, 1): Range(TypeId(15), 0) [(1, 1)]: equal limits are allowed only if both are 0
            range(i8 -1, 255): Range(TypeId(15), 0) [(-1, 255)]: equal limits are allowed only if both are 0
            range(i8 5, 2): Range(TypeId(15), 0) [(5, 2)]
            range(i1 0, 1): Range(TypeId(14), 0) [(0, 1)]
            range(i1 -1, 0): Range(TypeId(14), 0) [(-1, 0)]
            range(i1 0, 2): None: the limit does not fit `i1`
            range(i64 -9223372036854775808, 9223372036854775807): Range(TypeId(18), 0) [(-9223372036854775808, 9223372036854775807)]
            range(i64 0, 18446744073709551616): None: the limit does not fit `i64`
            range(i64 -9223372036854775809, 1): None: the limit does not fit `i64`
            range(i126 -1, 85070591730234615865843651857942052863): Range(TypeId(20), 0) [(-1, 85070591730234615865843651857942052863)]: equal limits are allowed only if both are 0
            range(i127 -1, 170141183460469231731687303715884105727): Range(TypeId(20), 0) [(-1, 170141183460469231731687303715884105727)]: equal limits are allowed only if both are 0
            range(i128 -170141183460469231731687303715884105728, 1): Range(TypeId(19), 0) [(-170141183460469231731687303715884105728, 1)]
            range(i128 -170141183460469231731687303715884105729, 1): None: the limit does not fit `i128`
            range(i128 -1, 340282366920938463463374607431768211455): Range(TypeId(19), 0) [(-1, -1)]: equal limits are allowed only if both are 0
            range(float 0, 1): None: `range` requires an integer type
            initializes((0, 4)): Ranges(0, 1) [(0, 4)]
            initializes((0, 4), (5, 8)): Ranges(0, 2) [(0, 4), (5, 8)]
            initializes((0, 4), (4, 8)): None [(0, 4)]: the ranges must be non-empty, in ascending order, and must not touch
            initializes((4, 4)): None: the ranges must be non-empty, in ascending order, and must not touch
            initializes((5, 4)): None: the ranges must be non-empty, in ascending order, and must not touch
            initializes((5, 6), (0, 1)): None [(5, 6)]: the ranges must be non-empty, in ascending order, and must not touch
            initializes((-4, 0), (1, 2)): Ranges(0, 2) [(-4, 0), (1, 2)]
        "#]].assert_eq(&of_parameter(
            "range(i8 0, 255); range(i8 0, 256); range(i8 -128, 127); range(i8 -129, 127); range(i8 -127, 0); \
             range(i8 0, 0); range(i8 1, 1); range(i8 -1, 255); range(i8 5, 2); range(i1 0, 1); range(i1 -1, 0); \
             range(i1 0, 2); range(i64 -9223372036854775808, 9223372036854775807); \
             range(i64 0, 18446744073709551616); range(i64 -9223372036854775809, 1); \
             range(i126 -1, 85070591730234615865843651857942052863); \
             range(i127 -1, 170141183460469231731687303715884105727); \
             range(i128 -170141183460469231731687303715884105728, 1); \
             range(i128 -170141183460469231731687303715884105729, 1); \
             range(i128 -1, 340282366920938463463374607431768211455); range(float 0, 1); initializes((0, 4)); \
             initializes((0, 4), (5, 8)); initializes((0, 4), (4, 8)); initializes((4, 4)); initializes((5, 4)); \
             initializes((5, 6), (0, 1)); initializes((-4, 0), (1, 2))",
        ));
    }
}
