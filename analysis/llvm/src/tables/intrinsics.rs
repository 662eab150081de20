//! Every intrinsic function of LLVM and its signature: those of LLVM 22 from its headers, newer ones from `newer_intrinsics.txt`.
//!
//! The list is one sorted text that is searched in place: nothing is built at start-up.

use memchr::{memchr, memrchr};

use super::intrinsic_data::{PROPERTIES, SIGNATURES};

static LIST: &str = include_str!("intrinsics.txt");

/// First name components that stand for a target: such an intrinsic is searched among that target's only.
pub(crate) const TARGETS: &[&str] = &[
    "aarch64",
    "amdgcn",
    "arm",
    "bpf",
    "dx",
    "hexagon",
    "loongarch",
    "mips",
    "nvvm",
    "ppc",
    "r600",
    "riscv",
    "s390",
    "spv",
    "ve",
    "wasm",
    "x86",
    "xcore",
];

/// A signature that is not known.
const OPEN: &str = "?";

/// Intrinsics whose signature a newer version changed, as found with its verifier (tests/corpus/newer_intrinsics.py), sorted by name: that
/// version, the signature, and whether it still reads calls of the older one.
const CHANGED: &[(&str, u8, &str, bool)] = &[
    ("llvm.amdgcn.flat.load.monitor.b128", 23, "any@0(ptr,i32,metadata)", false),
    ("llvm.amdgcn.flat.load.monitor.b32", 23, "any@0(ptr,i32,metadata)", false),
    ("llvm.amdgcn.flat.load.monitor.b64", 23, "any@0(ptr,i32,metadata)", false),
    ("llvm.amdgcn.global.load.monitor.b128", 23, "any@0(ptr(1),i32,metadata)", false),
    ("llvm.amdgcn.global.load.monitor.b32", 23, "any@0(ptr(1),i32,metadata)", false),
    ("llvm.amdgcn.global.load.monitor.b64", 23, "any@0(ptr(1),i32,metadata)", false),
    ("llvm.amdgcn.make.buffer.rsrc", 23, "ptr*@0(ptr*@1,i16,int@2,i32)", true),
    ("llvm.amdgcn.permlane.bcast", 23, "any@0(@0,i32,i32)", true),
    ("llvm.amdgcn.permlane.down", 23, "any@0(@0,i32,i32)", true),
    ("llvm.amdgcn.permlane.up", 23, "any@0(@0,i32,i32)", true),
    ("llvm.amdgcn.permlane.xor", 23, "any@0(@0,i32,i32)", true),
    ("llvm.amdgcn.s.barrier.init", 24, "void(ptr(15),i32)", false),
    ("llvm.amdgcn.s.barrier.join", 24, "void(ptr(15))", false),
    ("llvm.amdgcn.s.barrier.signal.var", 24, "void(ptr(15),i32)", false),
    ("llvm.amdgcn.s.get.named.barrier.state", 24, "i32(ptr(15))", false),
    ("llvm.amdgcn.s.wakeup.barrier", 24, "void(ptr(15))", false),
    (
        "llvm.amdgcn.tensor.load.to.lds",
        23,
        "void(<4 x i32>,<8 x i32>,<4 x i32>,<4 x i32>,<8 x i32>,i32)",
        false,
    ),
    (
        "llvm.amdgcn.tensor.store.from.lds",
        23,
        "void(<4 x i32>,<8 x i32>,<4 x i32>,<4 x i32>,<8 x i32>,i32)",
        false,
    ),
    ("llvm.loop.dependence.raw.mask", 23, "vec@0(int@1,int@1,i64)", false),
    ("llvm.loop.dependence.war.mask", 23, "vec@0(int@1,int@1,i64)", false),
];

/// A signature in place of an older one.
pub(crate) struct NewerSignature {
    /// The first version that has it.
    pub since: u8,
    pub signature: Signature,
    /// Whether that version makes calls of the older one anew.
    pub upgrades: bool,
}

/// An intrinsic without its overload suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Intrinsic {
    /// Byte offset of its line in [`LIST`].
    line: u32,
}

impl Intrinsic {
    /// The intrinsic that a function's full name means, suffix included: `llvm.memcpy.p0.p0.i64` means `llvm.memcpy`.
    /// As LLVM does, an intrinsic that is not overloaded must be named exactly.
    pub fn lookup(name: &str) -> Option<Intrinsic> {
        let rest = name.strip_prefix("llvm.")?;
        let (mut low, mut high) = (FIRST_LINE, LIST.len());
        let mut last = low;
        let mut end = 4;
        let first = rest.split('.').next().unwrap_or("");
        let target = TARGETS.contains(&first);
        while end < name.len() && low < high {
            let start = end;
            end = name[start + 1..].find('.').map_or(name.len(), |dot| start + 1 + dot);
            let part = name.get(start..end)?.as_bytes();
            let of = |line: &'static str| {
                let bytes = line.as_bytes();
                bytes.get(start.min(bytes.len())..end.min(bytes.len())).unwrap_or(&[])
            };
            if start > 4 || !target {
                last = low;
            }
            let below = partition(low, high, |line| of(line) < part);
            high = partition(below, high, |line| of(line) <= part);
            low = below;
        }
        if low < high {
            last = low;
        }
        let found = Intrinsic { line: last as u32 };
        let base = found.name();
        let suffix = name.strip_prefix(base)?;
        (suffix.is_empty() || suffix.starts_with('.') && found.is_overloaded()).then_some(found)
    }

    /// All intrinsics whose name starts with `prefix`, sorted.
    pub fn with_prefix(prefix: &str) -> impl Iterator<Item = Intrinsic> {
        let mut at = partition(FIRST_LINE, LIST.len(), |line| name_of(line) < prefix);
        std::iter::from_fn(move || {
            let line = line_at(at);
            let found = Intrinsic { line: at as u32 };
            at += line.len() + 1;
            (line.starts_with("llvm.") && line.starts_with(prefix)).then_some(found)
        })
    }

    /// The first component of the name, where it stands for a machine: `amdgcn`.
    pub fn machine(self) -> Option<&'static str> {
        let first = self.name().strip_prefix("llvm.")?.split('.').next()?;
        TARGETS.contains(&first).then_some(first)
    }

    /// The name without overload suffix.
    pub fn name(self) -> &'static str {
        name_of(LIST.get(self.line as usize..).unwrap_or(""))
    }

    fn column(self, n: usize) -> usize {
        line_at(self.line as usize).split(' ').nth(n).and_then(|w| w.parse().ok()).unwrap_or(usize::MAX)
    }

    /// The first version of LLVM that has it; 0 for what the oldest version told apart has.
    pub fn since(self) -> u8 {
        u8::try_from(self.column(3)).unwrap_or(0)
    }

    /// The signature as the table spells it, for people: `void(ptr*@0,ptr*@1,int@2,i1)`.
    pub fn signature_text(self) -> &'static str {
        SIGNATURES.get(self.column(1)).copied().unwrap_or("")
    }

    /// Whether the signature is not known.
    pub(crate) fn is_open(self) -> bool {
        self.signature_text() == OPEN
    }

    /// The signature that a newer version gave it in place of [`Intrinsic::signature`].
    pub(crate) fn newer_signature(self) -> Option<NewerSignature> {
        let at = CHANGED.binary_search_by(|(name, ..)| (*name).cmp(self.name())).ok()?;
        let (_, since, text, upgrades) = *CHANGED.get(at)?;
        Some(NewerSignature { since, signature: Signature::parse(text), upgrades })
    }

    pub(crate) fn signature(self) -> Signature {
        Signature::parse(self.signature_text())
    }

    /// Whether its name has suffixes for types.
    pub fn is_overloaded(self) -> bool {
        let newer = CHANGED.iter().find(|(name, ..)| *name == self.name()).map(|(_, _, text, _)| *text);
        let has_slot = |text: &str| {
            ["any@", "int@", "float*@", "vec@", "ptr*@", "pointers"].iter().any(|slot| text.contains(slot))
        };
        self.is_open() || has_slot(self.signature_text()) || newer.is_some_and(has_slot)
    }

    fn properties(self) -> impl Iterator<Item = &'static str> {
        PROPERTIES.get(self.column(2)).copied().unwrap_or("").split(' ')
    }

    /// Whether a word is among the properties: `nomem`, `read`, `write`, `convergent`, `noreturn`, `effects`, `throws`.
    pub fn has(self, property: &str) -> bool {
        self.properties().any(|p| p == property)
    }

    /// Indices of the arguments that must be constants in place.
    pub fn immediates(self) -> impl Iterator<Item = usize> {
        self.properties().filter_map(|p| p.strip_prefix("imm")?.parse().ok())
    }

    /// Arguments whose value must be in `[low, high)`.
    pub fn ranges(self) -> impl Iterator<Item = (usize, i64, i64)> {
        self.properties().filter_map(|p| {
            let mut words = p.strip_prefix("range")?.split(':');
            let argument = words.next()?.parse().ok()?;
            Some((argument, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        })
    }
}

/// Past the comments at the top.
const FIRST_LINE: usize = {
    let list = LIST.as_bytes();
    let mut at = 0;
    while list[at] == b'#' {
        while list[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    at
};

fn name_of(line: &'static str) -> &'static str {
    line.bytes().position(|byte| byte == b' ').and_then(|end| line.get(..end)).unwrap_or(line)
}

fn line_at(start: usize) -> &'static str {
    let rest = LIST.get(start..).unwrap_or("");
    memchr(b'\n', rest.as_bytes()).and_then(|end| rest.get(..end)).unwrap_or(rest)
}

/// The start of the first line in `low..high`, both starts of lines, for which `below` does not hold; `high` if there is none.
fn partition(mut low: usize, mut high: usize, below: impl Fn(&'static str) -> bool) -> usize {
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memrchr(b'\n', &LIST.as_bytes()[low..middle]).map_or(low, |i| low + i + 1);
        let line = line_at(start);
        if below(line) {
            low = start + line.len() + 1;
        } else {
            high = start;
        }
    }
    low
}

/// What a signature asks of one type, in the order that LLVM matches: result, parameters, with what is inside a type right
/// after it.
#[allow(missing_docs, reason = "LLVM's own names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Void,
    /// The function takes more arguments.
    Variadic,
    Int(u32),
    Half,
    Bfloat,
    Float,
    Double,
    Fp128,
    PpcFp128,
    X86Amx,
    Token,
    Metadata,
    /// `target("aarch64.svcount")`.
    Svcount,
    /// In this address space.
    Pointer(u32),
    /// Its element's slot follows.
    Vector {
        count: u32,
        scalable: bool,
    },
    /// This many fields' slots follow.
    Struct(u32),
    /// An overloaded type, and what is asked of it.
    Overload(u32, Overload),
    /// The same type as an overloaded one.
    Same(u32),
    /// Integers of twice the width.
    Extend(u32),
    /// Integers of half the width.
    Truncate(u32),
    /// A vector with a share of the elements.
    Part {
        of: u32,
        share: u32,
    },
    /// As many elements as the overloaded type; the element's slot follows.
    Like(u32),
    /// Overloaded vector of pointers with as many elements as another.
    Pointers {
        slot: u32,
        of: u32,
    },
    /// The element type of a vector.
    Element(u32),
    /// Each element split in 2 or 4.
    Split {
        of: u32,
        times: u32,
    },
    /// A vector of integers of the same shape.
    Bits(u32),
}

/// Types that an overloaded slot takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overload {
    /// Any type.
    Any,
    /// Integers or vectors of them.
    Int,
    /// Floating point or vectors of it.
    Float,
    /// Vectors.
    Vector,
    /// Pointers or vectors of them.
    Pointer,
}

/// The slots of result and parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub(crate) slots: Vec<Slot>,
}

impl Signature {
    fn parse(text: &str) -> Signature {
        let mut slots = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if matches!(first, '(' | ')' | ',' | '>' | '}' | ' ') {
                rest = &rest[1..];
                continue;
            }
            if first == '{' {
                slots.push(Slot::Struct(fields(rest)));
                rest = &rest[1..];
                continue;
            }
            if let Some(vector) = rest.strip_prefix('<') {
                let (scalable, vector) = match vector.strip_prefix("vscale x ") {
                    Some(rest) => (true, rest),
                    None => (false, vector),
                };
                let (count, element) = vector.split_once(" x ").unwrap_or(("0", ""));
                slots.push(Slot::Vector { count: count.parse().unwrap_or(0), scalable });
                rest = element;
                continue;
            }
            let end = rest.find(['(', ')', ',', '>', '}', ' ', '{', '<']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            if word == "ptr" {
                // `ptr(8)`, but in `ptr(i32)` the result of a function ends.
                let space = rest.strip_prefix('(').and_then(|r| r.split_once(')'));
                match space.and_then(|(space, after)| Some((space.parse().ok()?, after))) {
                    Some((space, after)) => {
                        slots.push(Slot::Pointer(space));
                        rest = after;
                    }
                    None => slots.push(Slot::Pointer(0)),
                }
                continue;
            }
            slots.push(slot(word));
        }
        Signature { slots }
    }
}

fn fields(text: &str) -> u32 {
    let mut depth = 0;
    let mut fields = 0;
    let mut empty = true;
    for c in text.chars() {
        match c {
            '{' | '<' | '(' => depth += 1,
            '}' | '>' | ')' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ',' if depth == 1 => fields += 1,
            _ => empty = false,
        }
    }
    if empty { 0 } else { fields + 1 }
}

fn slot(word: &str) -> Slot {
    let number = |text: &str| text.parse().unwrap_or(0);
    if let Some((kind, of)) = word.split_once('@') {
        let of = number(of);
        return match kind {
            "any" => Slot::Overload(of, Overload::Any),
            "int" => Slot::Overload(of, Overload::Int),
            "float*" => Slot::Overload(of, Overload::Float),
            "vec" => Slot::Overload(of, Overload::Vector),
            "ptr*" => Slot::Overload(of, Overload::Pointer),
            "extend" => Slot::Extend(of),
            "truncate" => Slot::Truncate(of),
            "like" => Slot::Like(of),
            "element" => Slot::Element(of),
            "split2" => Slot::Split { of, times: 2 },
            "split4" => Slot::Split { of, times: 4 },
            "bits" => Slot::Bits(of),
            "" => Slot::Same(of),
            _ => match (kind.strip_prefix("part"), kind.strip_prefix("pointers")) {
                (Some(share), _) => Slot::Part { of, share: number(share) },
                (_, Some(slot)) => Slot::Pointers { slot: number(slot), of },
                _ => Slot::Same(of),
            },
        };
    }
    match word {
        "void" => Slot::Void,
        "..." => Slot::Variadic,
        "half" => Slot::Half,
        "bfloat" => Slot::Bfloat,
        "float" => Slot::Float,
        "double" => Slot::Double,
        "fp128" => Slot::Fp128,
        "ppc_fp128" => Slot::PpcFp128,
        "x86_amx" => Slot::X86Amx,
        "token" => Slot::Token,
        "metadata" => Slot::Metadata,
        "svcount" => Slot::Svcount,
        _ => Slot::Int(number(word.trim_start_matches('i'))),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn looks_up_by_full_name() {
        let base = |name| Intrinsic::lookup(name).map(Intrinsic::name);
        assert_eq!(base("llvm.memcpy.p0.p0.i64"), Some("llvm.memcpy"));
        assert_eq!(base("llvm.memcpy.inline.p0.p0.i64"), Some("llvm.memcpy.inline"));
        assert_eq!(base("llvm.memcpy"), Some("llvm.memcpy"));
        assert_eq!(base("llvm.amdgcn.workitem.id.x"), Some("llvm.amdgcn.workitem.id.x"));
        assert_eq!(base("llvm.amdgcn.workitem.id.x.i32"), None);
        assert_eq!(base("llvm.vector.reduce.add.v4i32"), Some("llvm.vector.reduce.add"));
        assert_eq!(base("llvm.trap"), Some("llvm.trap"));
        assert_eq!(base("llvm.tarp"), None);
        assert_eq!(base("llvm."), None);
        assert_eq!(base("llvm.amdgcn"), None);
        assert_eq!(base("llvm.zzz.zzz"), None);
    }

    #[test]
    fn every_intrinsic_finds_itself() {
        let mut seen = 0;
        for intrinsic in Intrinsic::with_prefix("llvm.") {
            assert_eq!(Intrinsic::lookup(intrinsic.name()), Some(intrinsic), "{}", intrinsic.name());
            assert!(!intrinsic.signature().slots.is_empty(), "{}", intrinsic.name());
            seen += 1;
        }
        assert!(seen > 14_000, "{seen}");
    }

    #[test]
    fn signatures() {
        let mut out = String::new();
        for name in [
            "llvm.memcpy",
            "llvm.sadd.with.overflow",
            "llvm.masked.gather",
            "llvm.experimental.gc.statepoint",
        ] {
            if let Some(i) = Intrinsic::lookup(name) {
                out += &format!("{name} {} {:?}\n", i.signature_text(), i.signature().slots);
                out += &format!("  {:?}\n", i.properties().collect::<Vec<_>>());
            }
        }
        expect![[r#"
            llvm.memcpy void(ptr*@0,ptr*@1,int@2,i1) [Void, Overload(0, Pointer), Overload(1, Pointer), Overload(2, Int), Int(1)]
              ["imm3"]
            llvm.sadd.with.overflow {int@0,like@0(i1)}(@0,@0) [Struct(2), Overload(0, Int), Like(0), Int(1), Same(0), Same(0)]
              ["nomem"]
            llvm.masked.gather vec@0(pointers1@0,like@0(i1),@0) [Overload(0, Vector), Pointers { slot: 1, of: 0 }, Like(0), Int(1), Same(0)]
              ["read"]
            llvm.experimental.gc.statepoint token(i64,i32,ptr*@0,i32,i32,...) [Token, Int(64), Int(32), Overload(0, Pointer), Int(32), Int(32), Variadic]
              ["imm0", "imm1", "imm3", "imm4", "throws"]
        "#]].assert_eq(&out);
    }
}
