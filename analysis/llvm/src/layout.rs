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
            Type::Int(bits) => {
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
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn real_layouts_are_right() {
        for layout in [
            "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
            "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9",
            "",
        ] {
            assert_eq!(Layout::mistake(layout), None);
        }
    }

    #[test]
    fn mistakes() {
        let all: Vec<_> = ["z", "p:64", "i32:24", "S7", "m:z", "e--m:e", "A99999999", "p:32:32:32:64"]
            .iter()
            .filter_map(|l| Layout::mistake(l))
            .collect();
        expect![[r#"
            invalid specification `z`: unknown specification `z`
            invalid specification `p:64`: expected `p[<n>]:<size>:<abi>[:<preferred>[:<index>]]`
            invalid specification `i32:24`: ABI alignment must be 8 times a power of two, is 24
            invalid specification `S7`: stack alignment must be 8 times a power of two, is 7
            invalid specification `m:z`: unknown mangling mode `z`
            empty specification in the data layout
            invalid specification `A99999999`: the address space must be a number below 2^24, is `99999999`
            invalid specification `p:32:32:32:64`: the index size must not exceed the pointer size"#]]
        .assert_eq(&all.join("\n"));
    }

    /// Each kind of specification at its limits, as llvm-as judges it.
    #[test]
    fn specifications_at_their_limits() {
        let all = "e e1 E E1 s s8 ni ni: ni:0 ni:1 ni:1:0 ni:16777215 ni:16777216 a a: a:0 a0:8 a1:8 a:8:16 \
            a:16:8 a:8:8:8 p p:64:64 p:0:8 p1:16777215:8 p1:16777216:8 p16777216:64:64 p:64:0 p:64:8:16 \
            p:64:16:8 p:64:64:64:64 p:64:64:64:65 p:64:64:64:0 p:64:64:64:64:64 pu1:64:64 pe:64:64 \
            pe0:64:64 pue2:64:64 pz:64:64 n n8 n8:0 n16777216 S S0 S8 S12 S24 S32768 S65536 F Fi8 Fn0 Fn32 Fx8 P P1 \
            P16777216 A5 Ax G16777215 G-1 m m: m:e m:l m:o m:m m:w m:x m:a m:b me i8:8 i8:16 i8:8:16 i0:8 \
            i1 i1:8:8:8 i16777215:8 i16777216:8 i16:0 i16:8:4 i16:16:8 i16:x i16: i:8 f32:24 f32:32 \
            v64:32768 v64:65536 z -";
        let shown = all.split(' ').map(|spec| match Layout::mistake(spec) {
            None => format!("{spec}: right\n"),
            Some(mistake) => format!("{mistake}\n"),
        });
        expect![[r#"
            e: right
            invalid specification `e1`: `e` takes no value
            E: right
            invalid specification `E1`: `E` takes no value
            s: right
            s8: right
            invalid specification `ni`: expected `ni:<address space>[:<address space>]...`
            invalid specification `ni:`: the address space must be a number below 2^24, is ``
            invalid specification `ni:0`: address space 0 must be integral
            ni:1: right
            invalid specification `ni:1:0`: address space 0 must be integral
            ni:16777215: right
            invalid specification `ni:16777216`: the address space must be a number below 2^24, is `16777216`
            invalid specification `a`: expected `a:<abi>[:<preferred>]`
            invalid specification `a:`: ABI alignment `` is not a number
            a:0: right
            a0:8: right
            invalid specification `a1:8`: the size of aggregates must be 0
            a:8:16: right
            invalid specification `a:16:8`: preferred alignment 8 is less than the ABI alignment 16
            invalid specification `a:8:8:8`: expected `a:<abi>[:<preferred>]`
            invalid specification `p`: expected `p[<n>]:<size>:<abi>[:<preferred>[:<index>]]`
            p:64:64: right
            invalid specification `p:0:8`: pointer size must be a number between 1 and 2^24 - 1, is `0`
            p1:16777215:8: right
            invalid specification `p1:16777216:8`: pointer size must be a number between 1 and 2^24 - 1, is `16777216`
            invalid specification `p16777216:64:64`: the address space must be a number below 2^24, is `16777216`
            invalid specification `p:64:0`: ABI alignment must not be 0
            p:64:8:16: right
            invalid specification `p:64:16:8`: preferred alignment 8 is less than the ABI alignment 16
            p:64:64:64:64: right
            invalid specification `p:64:64:64:65`: the index size must not exceed the pointer size
            invalid specification `p:64:64:64:0`: index size must be a number between 1 and 2^24 - 1, is `0`
            invalid specification `p:64:64:64:64:64`: expected `p[<n>]:<size>:<abi>[:<preferred>[:<index>]]`
            pu1:64:64: right
            invalid specification `pe:64:64`: address space 0 must be stable and without external state
            invalid specification `pe0:64:64`: address space 0 must be stable and without external state
            pue2:64:64: right
            invalid specification `pz:64:64`: the address space must be a number below 2^24, is `z`
            invalid specification `n`: missing size: a number between 1 and 2^24 - 1
            n8: right
            invalid specification `n8:0`: size must be a number between 1 and 2^24 - 1, is `0`
            invalid specification `n16777216`: size must be a number between 1 and 2^24 - 1, is `16777216`
            invalid specification `S`: expected `S<size>`
            invalid specification `S0`: stack alignment must not be 0
            S8: right
            invalid specification `S12`: stack alignment must be 8 times a power of two, is 12
            invalid specification `S24`: stack alignment must be 8 times a power of two, is 24
            S32768: right
            invalid specification `S65536`: stack alignment 65536 does not fit 16 bits
            invalid specification `F`: expected `F<type><abi>`
            Fi8: right
            invalid specification `Fn0`: function pointer alignment must not be 0
            Fn32: right
            invalid specification `Fx8`: unknown function pointer alignment type `x`
            invalid specification `P`: the address space must be a number below 2^24, is ``
            P1: right
            invalid specification `P16777216`: the address space must be a number below 2^24, is `16777216`
            A5: right
            invalid specification `Ax`: the address space must be a number below 2^24, is `x`
            G16777215: right
            invalid specification `G`: the address space must be a number below 2^24, is ``
            invalid specification `m`: expected `m:<mangling>`
            invalid specification `m:`: expected `m:<mangling>`
            m:e: right
            m:l: right
            m:o: right
            m:m: right
            m:w: right
            m:x: right
            m:a: right
            invalid specification `m:b`: unknown mangling mode `b`
            invalid specification `me`: expected `m:<mangling>`
            i8:8: right
            invalid specification `i8:16`: the alignment of `i8` must be 8 bits
            i8:8:16: right
            invalid specification `i0:8`: size must be a number between 1 and 2^24 - 1, is `0`
            invalid specification `i1`: expected `i<size>:<abi>[:<preferred>]`
            invalid specification `i1:8:8:8`: expected `i<size>:<abi>[:<preferred>]`
            i16777215:8: right
            invalid specification `i16777216:8`: size must be a number between 1 and 2^24 - 1, is `16777216`
            invalid specification `i16:0`: ABI alignment must not be 0
            invalid specification `i16:8:4`: preferred alignment must be 8 times a power of two, is 4
            invalid specification `i16:16:8`: preferred alignment 8 is less than the ABI alignment 16
            invalid specification `i16:x`: ABI alignment `x` is not a number
            invalid specification `i16:`: ABI alignment `` is not a number
            invalid specification `i:8`: missing size: a number between 1 and 2^24 - 1
            invalid specification `f32:24`: ABI alignment must be 8 times a power of two, is 24
            f32:32: right
            v64:32768: right
            invalid specification `v64:65536`: ABI alignment 65536 does not fit 16 bits
            invalid specification `z`: unknown specification `z`
            empty specification in the data layout
        "#]].assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn what_a_layout_says_is_kept() {
        let default = Layout::of(None);
        let layout = Layout::of(Some("p:32:16:32:24-p3:16:8-i32:16:32-f64:32-v64:32-a:0:32-P1-A2-G3"));
        assert_eq!(Layout::of(Some("e-m:e-S8-Fi8-n8-ni:1-s-i8:8")), default);
        let spaces = [0, 1, 3].map(|space| (layout.pointer_bits(space), layout.index_bits(space)));
        assert_eq!(spaces, [(32, 24), (32, 24), (16, 16)]);
        assert_eq!((layout.program_space, layout.alloca_space, layout.globals_space), (1, 2, 3));
        assert_eq!((default.program_space, default.alloca_space, default.globals_space), (0, 0, 0));
        assert_eq!((default.pointer_bits(7), default.index_bits(7)), (64, 64));
        expect!["Layout { pointers: {0: (0, 32, 16, 24), 3: (3, 16, 8, 16)}, ints: [(1, 8), (8, 8), (16, 16), (32, 16), (64, 32)], floats: [(16, 16), (32, 32), (64, 32), (128, 128)], vectors: [(64, 32), (128, 128)], aggregate_align: 8, alloca_space: 2, program_space: 1, globals_space: 3 }"].assert_eq(&format!("{layout:?}"));
    }

    #[test]
    fn sizes() {
        let layout = Layout::of(Some("p5:32:32-A5"));
        assert_eq!((layout.pointer_bits(5), layout.pointer_bits(1), layout.alloca_space), (32, 64, 5));
        let scope = super::super::scope(&[], &wavelens_base::Options::default());
        let mut types = Types::default();
        let pair = types.literal_struct(&[TypeId::I8, TypeId::I32], false);
        assert_eq!(layout.alloc_bytes(&scope, &types, pair), Some(8));
        let array = types.array(3, pair);
        assert_eq!(layout.alloc_bytes(&scope, &types, array), Some(24));
        assert_eq!(is_sized(&scope, &types, array), Some(true));
        assert_eq!(is_sized(&scope, &types, TypeId::LABEL), Some(false));
    }

    /// Sizes with padding and ABI alignments, as opt folds them: `getelementptr (T, ptr null, i32 1)`, and a field after an `i8`.
    #[test]
    fn sizes_and_alignments() {
        let other = "e-p:32:32-p1:16:16-i64:32-i128:64-f64:32-f80:32-v64:32-v96:64-a:64";
        let layouts = [Layout::of(None), Layout::of(Some(other))];
        let scope = super::super::scope(&[], &wavelens_base::Options::default());
        let mut types = Types::default();
        let t = &mut types;
        let (i7, i9, i24, i40, i65, i200) = (t.int(7), t.int(9), t.int(24), t.int(40), t.int(65), t.int(200));
        let (near, v3i32, v2i16) =
            (t.ptr(1), t.vector(3, false, TypeId::I32), t.vector(2, false, TypeId::I16));
        let inner = t.literal_struct(&[TypeId::I16, TypeId::I8], false);
        let pair = t.literal_struct(&[TypeId::I8, v2i16], false);
        let mixed = [TypeId::I8, TypeId::I64, TypeId::I8];
        let table = [
            (TypeId::I1, [(1, 1), (1, 1)]),
            (i7, [(1, 1), (1, 1)]),
            (i9, [(2, 2), (2, 2)]),
            (i24, [(4, 4), (4, 4)]),
            (i40, [(8, 4), (8, 4)]),
            (i65, [(12, 4), (16, 8)]),
            (TypeId::I128, [(16, 4), (16, 8)]),
            (i200, [(28, 4), (32, 8)]),
            (TypeId::HALF, [(2, 2), (2, 2)]),
            (TypeId::BFLOAT, [(2, 2), (2, 2)]),
            (TypeId::FLOAT, [(4, 4), (4, 4)]),
            (TypeId::DOUBLE, [(8, 8), (8, 4)]),
            (TypeId::X86_FP80, [(16, 16), (12, 4)]),
            (TypeId::FP128, [(16, 16), (16, 16)]),
            (TypeId::PPC_FP128, [(16, 16), (16, 16)]),
            (TypeId::X86_AMX, [(1024, 64), (1024, 64)]),
            (TypeId::PTR, [(8, 8), (4, 4)]),
            (near, [(8, 8), (2, 2)]),
            (t.vector(3, false, TypeId::I8), [(4, 4), (4, 4)]),
            (t.vector(2, false, TypeId::I32), [(8, 8), (8, 4)]),
            (v3i32, [(16, 16), (16, 8)]),
            (t.vector(4, false, i24), [(16, 16), (16, 8)]),
            (t.vector(16, false, TypeId::I1), [(2, 2), (2, 2)]),
            (t.vector(3, false, TypeId::PTR), [(32, 32), (16, 8)]),
            (t.array(3, i24), [(12, 4), (12, 4)]),
            (t.array(0, TypeId::I64), [(0, 4), (0, 4)]),
            (t.literal_struct(&mixed, false), [(16, 4), (16, 8)]),
            (t.literal_struct(&mixed, true), [(10, 1), (10, 1)]),
            (t.literal_struct(&[], false), [(0, 1), (0, 8)]),
            (t.literal_struct(&[TypeId::I8, inner, TypeId::X86_FP80], false), [(32, 16), (32, 8)]),
            (t.literal_struct(&[TypeId::I8, v3i32], true), [(17, 1), (17, 1)]),
            (t.array(2, pair), [(16, 4), (16, 8)]),
        ];
        for (ty, expected) in table {
            let found = layouts.each_ref().map(|layout| layout.bytes_and_align(&scope, &types, ty));
            let name = types.display(ty, &|_| String::new());
            assert_eq!(found, expected.map(Some), "{name}");
            let bytes = layouts.each_ref().map(|layout| layout.alloc_bytes(&scope, &types, ty));
            assert_eq!(bytes, expected.map(|(bytes, _)| Some(bytes)), "{name}");
        }
    }

    /// Each level doubles the paths to the innermost struct.
    #[test]
    fn structs_that_share_their_parts_are_measured_once() {
        let levels = (1..60).map(|n| format!("%t{n} = type {{ %t{}, %t{} }}\n", n - 1, n - 1));
        let text = format!(
            "%t0 = type {{ i32, i32 }}\n{}@g = global %t59 zeroinitializer\n\
             define void @f() {{\n  %p = alloca %t50\n  ret void\n}}\n",
            levels.collect::<String>()
        );
        assert_eq!(crate::rules::findings(&text).lines().count(), 0);
    }
}
