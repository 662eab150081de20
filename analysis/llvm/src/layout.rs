//! The data layout: its syntax, and the sizes that it gives to types.
//!
//! Source: LLVM Language Reference, "Data Layout".

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::scope::Scope;
use super::struct_facts;
use super::types::{Type, TypeId, Types};

/// What a `target datalayout` string says. Sizes and alignments in bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Address space, size, ABI alignment, index size.
    pointers: BTreeMap<u32, (u32, u32, u32, u32)>,
    /// Width and ABI alignment of integers.
    ints: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
    aggregate_align: u32,
    pub(crate) alloca_space: u32,
    pub(crate) program_space: u32,
    pub(crate) globals_space: u32,
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            pointers: BTreeMap::from([(0, (0, 64, 64, 64))]),
            ints: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            aggregate_align: 8,
            alloca_space: 0,
            program_space: 0,
            globals_space: 0,
        }
    }
}

const DEPTH_LIMIT: u32 = 64;

impl Layout {
    /// Reads a layout string; a wrong part is left out.
    pub fn of(text: Option<&str>) -> Layout {
        let mut layout = Layout::default();
        for spec in text.unwrap_or("").split('-') {
            // Errors are the data layout rule's business.
            let _ = layout.read(spec);
        }
        layout
    }

    /// The first mistake of a layout string.
    pub(crate) fn mistake(text: &str) -> Option<String> {
        if text.is_empty() {
            return None;
        }
        let mut layout = Layout::default();
        text.split('-').find_map(|spec| {
            if spec.is_empty() {
                return Some("empty specification in the data layout".into());
            }
            let why = layout.read(spec).err()?;
            Some(format!("invalid specification `{spec}`: {why}").replace('\n', "\\n"))
        })
    }

    fn read(&mut self, spec: &str) -> Result<(), String> {
        if let Some(rest) = spec.strip_prefix("ni") {
            let rest = rest.strip_prefix(':').ok_or("expected `ni:<address space>[:<address space>]...`")?;
            for space in rest.split(':') {
                if address_space(space)? == 0 {
                    return Err("address space 0 must be integral".into());
                }
            }
            return Ok(());
        }
        let Some(letter) = spec.chars().next() else { return Ok(()) };
        let rest = &spec[letter.len_utf8()..];
        match letter {
            'e' | 'E' if rest.is_empty() => {}
            'e' | 'E' => return Err(format!("`{letter}` takes no value")),
            's' => {}
            'i' | 'f' | 'v' => self.primitive(letter, rest)?,
            'a' => {
                let parts = parts(rest, 2..=3, "a:<abi>[:<preferred>]")?;
                if !parts[0].is_empty() && parts[0].parse() != Ok(0u32) {
                    return Err("the size of aggregates must be 0".into());
                }
                let (abi, _) = alignments(&parts[1..], true)?;
                self.aggregate_align = abi.max(8);
            }
            'p' => self.pointer(rest)?,
            'n' => {
                for width in rest.split(':') {
                    size(width, "size")?;
                }
            }
            'S' if rest.is_empty() => return Err("expected `S<size>`".into()),
            'S' => {
                alignment(rest, "stack", false)?;
            }
            'F' => match rest.chars().next() {
                None => return Err("expected `F<type><abi>`".into()),
                Some('i' | 'n') => {
                    alignment(&rest[1..], "function pointer", false)?;
                }
                Some(other) => return Err(format!("unknown function pointer alignment type `{other}`")),
            },
            'P' => self.program_space = address_space(rest)?,
            'A' => self.alloca_space = address_space(rest)?,
            'G' => self.globals_space = address_space(rest)?,
            'm' => match rest.strip_prefix(':') {
                Some("e" | "l" | "o" | "m" | "w" | "x" | "a") => {}
                Some(mode) if !mode.is_empty() => return Err(format!("unknown mangling mode `{mode}`")),
                _ => return Err("expected `m:<mangling>`".into()),
            },
            other => return Err(format!("unknown specification `{other}`")),
        }
        Ok(())
    }

    fn primitive(&mut self, letter: char, rest: &str) -> Result<(), String> {
        let parts = parts(rest, 2..=3, &format!("{letter}<size>:<abi>[:<preferred>]"))?;
        let width = size(parts[0], "size")?;
        let (abi, _) = alignments(&parts[1..], false)?;
        if letter == 'i' && width == 8 && abi != 8 {
            return Err("the alignment of `i8` must be 8 bits".into());
        }
        let list = match letter {
            'i' => &mut self.ints,
            'f' => &mut self.floats,
            _ => &mut self.vectors,
        };
        list.retain(|(w, _)| *w != width);
        list.push((width, abi));
        list.sort_unstable();
        Ok(())
    }

    fn pointer(&mut self, rest: &str) -> Result<(), String> {
        let parts = parts(rest, 3..=5, "p[<n>]:<size>:<abi>[:<preferred>[:<index>]]")?;
        // Letters in front of the number say more about the pointer, not about its size.
        let space = match parts[0].trim_start_matches(['u', 'e']) {
            "" => 0,
            number => address_space(number.split('(').next().unwrap_or(""))?,
        };
        if space == 0 && parts[0].starts_with(['u', 'e']) {
            return Err("address space 0 must be stable and without external state".into());
        }
        let width = size(parts[1], "pointer size")?;
        let (abi, _) = alignments(&parts[2..parts.len().min(4)], false)?;
        let index = parts.get(4).map_or(Ok(width), |index| size(index, "index size"))?;
        if index > width {
            return Err("the index size must not exceed the pointer size".into());
        }
        self.pointers.insert(space, (space, width, abi, index));
        Ok(())
    }

    fn pointer_spec(&self, space: u32) -> (u32, u32, u32, u32) {
        let find = |wanted| self.pointers.get(&wanted).copied();
        find(space).or_else(|| find(0)).unwrap_or((0, 64, 64, 64))
    }

    /// The address space of a letter: `A` for alloca, `G` for globals, `P` for functions.
    pub(crate) fn named_space(&self, letter: u8) -> u32 {
        match letter {
            b'A' => self.alloca_space,
            b'G' => self.globals_space,
            _ => self.program_space,
        }
    }

    /// Width of a pointer in bits.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer_spec(space).1
    }

    /// Width in bits of what a pointer is indexed with.
    pub fn index_bits(&self, space: u32) -> u32 {
        self.pointer_spec(space).3
    }

    /// Size of a type in bits; of a scalable vector its least size. `None` for what has no size.
    pub fn bits(&self, scope: &Scope, types: &Types, ty: TypeId) -> Option<u64> {
        Measure::new(self, scope, types).of(ty, 0).map(|(bits, _)| bits)
    }

    /// Bytes from one element of an array to the next.
    pub fn alloc_bytes(&self, scope: &Scope, types: &Types, ty: TypeId) -> Option<u64> {
        let (bits, align) = Measure::new(self, scope, types).of(ty, 0)?;
        Some(round_up(bits.div_ceil(8), u64::from(align / 8)))
    }

    /// Size, padding at the end included, and ABI alignment, both in bytes.
    pub fn bytes_and_align(&self, scope: &Scope, types: &Types, ty: TypeId) -> Option<(u64, u64)> {
        let (bits, align) = Measure::new(self, scope, types).of(ty, 0)?;
        let align = u64::from(align / 8);
        Some((round_up(bits.div_ceil(8), align), align))
    }

    /// Where the fields of a struct begin, in bytes.
    pub fn offsets(&self, scope: &Scope, types: &Types, ty: TypeId) -> Option<Vec<u64>> {
        let (fields, packed) = fields_of(scope, types, ty)?;
        let mut at = 0u64;
        let place = |field: &TypeId| {
            let (bytes, align) = self.bytes_and_align(scope, types, *field)?;
            let start = if packed { at } else { round_up(at, align) };
            at = start.saturating_add(bytes);
            Some(start)
        };
        fields.iter().map(place).collect()
    }
}

/// One measurement. Each named struct is measured once: structs of structs of ... share their parts.
struct Measure<'a> {
    layout: &'a Layout,
    scope: &'a Scope,
    types: &'a Types,
    structs: FxHashMap<u32, Option<(u64, u32)>>,
}

impl<'a> Measure<'a> {
    fn new(layout: &'a Layout, scope: &'a Scope, types: &'a Types) -> Self {
        Measure { layout, scope, types, structs: FxHashMap::default() }
    }

    /// Size and ABI alignment in bits.
    fn of(&mut self, ty: TypeId, depth: u32) -> Option<(u64, u32)> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let Measure { layout, scope, types, .. } = *self;
        let float = |bits: u32| {
            let align = layout.floats.iter().find(|(w, _)| *w == bits).map(|(_, a)| *a);
            Some((u64::from(bits), align.unwrap_or_else(|| bits.next_power_of_two())))
        };
        match types.get(ty) {
            Type::Int(bits) | Type::Byte(bits) => {
                let next = layout.ints.iter().find(|(w, _)| *w >= bits).or(layout.ints.last());
                Some((u64::from(bits), next.map_or(8, |(_, a)| *a)))
            }
            Type::Ptr(space) => {
                let (_, bits, align, _) = layout.pointer_spec(space);
                Some((u64::from(bits), align))
            }
            Type::Half | Type::BFloat => float(16),
            Type::Float => float(32),
            Type::Double => float(64),
            Type::X86Fp80 => float(80),
            Type::Fp128 | Type::PpcFp128 => float(128),
            Type::X86Amx => Some((8192, 512)),
            Type::Array { len, element } => {
                let (bits, align) = self.of(element, depth + 1)?;
                let bytes = round_up(bits.div_ceil(8), u64::from(align / 8));
                Some((bytes.saturating_mul(len).saturating_mul(8), align))
            }
            Type::Vector { len, element, .. } => {
                let (bits, _) = self.of(element, depth + 1)?;
                let bits = bits.saturating_mul(u64::from(len));
                let align = layout.vectors.iter().find(|(w, _)| u64::from(*w) == bits).map(|(_, a)| *a);
                let natural = bits.div_ceil(8).checked_next_power_of_two().unwrap_or(1).saturating_mul(8);
                Some((bits, align.unwrap_or(u32::try_from(natural).unwrap_or(1 << 31))))
            }
            Type::Struct { fields, packed } => self.fields(types.list(fields), packed, depth),
            Type::NamedStruct(index) => {
                if let Some(known) = self.structs.get(&index) {
                    return *known;
                }
                let def = scope.struct_def(index)?;
                let size = self.fields(types.list(def.fields?), def.packed, depth);
                self.structs.insert(index, size);
                size
            }
            _ => None,
        }
    }

    fn fields(&mut self, fields: &[TypeId], packed: bool, depth: u32) -> Option<(u64, u32)> {
        let (mut at, mut most) = (0u64, if packed { 8 } else { self.layout.aggregate_align });
        for field in fields {
            let (bits, align) = self.of(*field, depth + 1)?;
            // Packed fields keep the padding at their own end.
            let bytes = round_up(bits.div_ceil(8), u64::from(align / 8));
            let align = if packed { 8 } else { align.max(8) };
            most = most.max(align);
            at = round_up(at, u64::from(align / 8)).saturating_add(bytes);
        }
        Some((round_up(at, u64::from(most / 8)).saturating_mul(8), most))
    }
}

/// The fields of a struct, and whether it is packed; `None` for other types and for opaque structs.
pub fn fields_of<'t>(scope: &Scope, types: &'t Types, ty: TypeId) -> Option<(&'t [TypeId], bool)> {
    match types.get(ty) {
        Type::Struct { fields, packed } => Some((types.list(fields), packed)),
        Type::NamedStruct(index) => {
            let def = scope.struct_def(index)?;
            Some((types.list(def.fields?), def.packed))
        }
        _ => None,
    }
}

/// Whether values of a type have a size: `None` where the type is not known.
pub(crate) fn is_sized(scope: &Scope, types: &Types, ty: TypeId) -> Option<bool> {
    struct_facts::is_sized(types, ty, &|index| scope.struct_facts().of(index))
}

/// Whether a type has parts whose size is known only at run time.
pub(crate) fn is_scalable(scope: &Scope, types: &Types, ty: TypeId) -> bool {
    struct_facts::is_scalable(types, ty, &|index| scope.struct_facts().of(index))
}

/// Whether some part of a type, within arrays and structs, satisfies a condition.
pub(crate) fn any_part(
    scope: &Scope,
    types: &Types,
    ty: TypeId,
    holds: &mut dyn FnMut(Type) -> bool,
) -> bool {
    // Structs of structs of ... share their parts: each is looked into once.
    let mut seen = FxHashSet::default();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        let ty = types.get(ty);
        match ty {
            _ if holds(ty) => return true,
            Type::Array { element, .. } => open.push(element),
            Type::Struct { fields, .. } => open.extend(types.list(fields)),
            Type::NamedStruct(def) if seen.insert(def) => {
                let fields = scope.struct_def(def).and_then(|d| d.fields);
                open.extend(fields.map_or(&[][..], |f| types.list(f)));
            }
            _ => {}
        }
    }
    false
}

fn round_up(bytes: u64, align: u64) -> u64 {
    bytes.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
}

fn parts<'t>(
    text: &'t str,
    count: std::ops::RangeInclusive<usize>,
    form: &str,
) -> Result<Vec<&'t str>, String> {
    let parts: Vec<_> = text.split(':').collect();
    if count.contains(&parts.len()) { Ok(parts) } else { Err(format!("expected `{form}`")) }
}

fn address_space(text: &str) -> Result<u32, String> {
    let space = text.parse().ok().filter(|n| *n < 1 << 24);
    space.ok_or_else(|| format!("the address space must be a number below 2^24, is `{text}`"))
}

fn size(text: &str, what: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|n| (1..1 << 24).contains(n));
    size.ok_or_else(|| match text {
        "" => format!("missing {what}: a number between 1 and 2^24 - 1"),
        _ => format!("{what} must be a number between 1 and 2^24 - 1, is `{text}`"),
    })
}

fn alignment(text: &str, what: &str, zero: bool) -> Result<u32, String> {
    let bits: u32 = text.parse().map_err(|_| format!("{what} alignment `{text}` is not a number"))?;
    match bits {
        0 if zero => Ok(8),
        0 => Err(format!("{what} alignment must not be 0")),
        _ if bits > 0xffff => Err(format!("{what} alignment {bits} does not fit 16 bits")),
        _ if !bits.is_multiple_of(8) || !(bits / 8).is_power_of_two() => {
            Err(format!("{what} alignment must be 8 times a power of two, is {bits}"))
        }
        _ => Ok(bits),
    }
}

/// ABI and preferred alignment.
fn alignments(parts: &[&str], zero: bool) -> Result<(u32, u32), String> {
    let abi = alignment(parts.first().unwrap_or(&""), "ABI", zero)?;
    let preferred = parts.get(1).map_or(Ok(abi), |p| alignment(p, "preferred", false))?;
    if preferred < abi {
        return Err(format!("preferred alignment {preferred} is less than the ABI alignment {abi}"));
    }
    Ok((abi, preferred))
}

#[cfg(test)]
mod tests;
