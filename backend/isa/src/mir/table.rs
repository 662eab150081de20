//! Reading the packed tables in place.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::target::{Target, WaveSize};

use super::newer::stand_ins;
use super::{Bank, Class, CpuRows, Desc, Facts, Opcode, OperandDesc, Register, SubIndex};

/// One machine's tables.
#[derive(Debug)]
pub struct Tables {
    sections: [&'static [u8]; 22],
    facts: OnceLock<Facts>,
    /// Names of opcodes by their length. What is close to a misspelt one is found in 0.1 ms among 20,000; to read all took 2 ms.
    opcodes_by_length: OnceLock<Vec<Vec<Box<str>>>>,
}

const OPCODE_NAMES: usize = 0;
const OPCODES: usize = 1;
const DESCS: usize = 2;
const OPERANDS: usize = 3;
const IMPLICIT: usize = 4;
const OPERAND_NAMES: usize = 5;
const NAMES: usize = 6;
const REGISTER_NAMES: usize = 7;
const REGISTER_ORDER: usize = 8;
const REGISTERS: usize = 9;
const UNITS: usize = 10;
const CLASS_NAMES: usize = 11;
const CLASS_ORDER: usize = 12;
const CLASSES: usize = 13;
const CLASS_LISTS: usize = 14;
const SUBCLASSES: usize = 15;
const SUB_INDEX_NAMES: usize = 16;
const SUB_INDICES: usize = 17;
const MISC: usize = 18;
const MASKS: usize = 19;
const MODES: usize = 20;
const RESERVED: usize = 21;

pub(super) fn u16_at(data: &[u8], index: usize) -> u16 {
    data.get(index * 2..index * 2 + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(data: &[u8], index: usize) -> u32 {
    data.get(index * 4..index * 4 + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

fn u64_at(data: &[u8], offset: usize) -> u64 {
    u64::from(u32_at(data, offset / 4)) | u64::from(u32_at(data, offset / 4 + 1)) << 32
}

/// Names in blocks of 16: the first whole, the others as what they share with the one before and the rest.
#[derive(Clone, Copy)]
struct Names(&'static [u8]);

impl Names {
    fn len(self) -> usize {
        u32_at(self.0, 0) as usize
    }

    fn blocks(self) -> usize {
        u32_at(self.0, 1) as usize
    }

    /// Visits a block's names until `visit` says stop.
    fn walk(self, block: usize, mut visit: impl FnMut(usize, &[u8]) -> bool) {
        let data = self.0.get(8 + self.blocks() * 4..).unwrap_or(&[]);
        let mut at = u32_at(self.0, 2 + block) as usize;
        let mut name: Vec<u8> = Vec::with_capacity(64);
        for i in block * 16..(block * 16 + 16).min(self.len()) {
            let shared = data.get(at).copied().unwrap_or(0) as usize;
            let length = data.get(at + 1..at + 3).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]) as usize);
            name.truncate(shared);
            name.extend_from_slice(data.get(at + 3..at + 3 + length).unwrap_or(&[]));
            at += 3 + length;
            if visit(i, &name) {
                return;
            }
        }
    }

    /// The first name of a block, which is stored in full.
    fn head(self, block: usize) -> &'static [u8] {
        let data = self.0.get(8 + self.blocks() * 4..).unwrap_or(&[]);
        let at = u32_at(self.0, 2 + block) as usize;
        let length = data.get(at + 1..at + 3).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]) as usize);
        data.get(at + 3..at + 3 + length).unwrap_or(&[])
    }

    fn get(self, index: usize) -> String {
        let mut found = String::new();
        self.walk(index / 16, |i, name| {
            if i == index {
                found = String::from_utf8_lossy(name).into_owned();
            }
            i == index
        });
        found
    }

    /// The block that would hold a name.
    fn block_of(self, name: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let mid = (low + high) / 2;
            if self.head(mid) <= name { low = mid + 1 } else { high = mid }
        }
        low.checked_sub(1)
    }

    /// The place of a name in a sorted table. Most entries of a block are passed over by how much they share with the one before.
    fn find(self, name: &str) -> Option<usize> {
        let block = self.block_of(name.as_bytes())?;
        let data = self.0.get(8 + self.blocks() * 4..).unwrap_or(&[]);
        let mut at = u32_at(self.0, 2 + block) as usize;
        // Bytes that the name has in common with the entry before, which is smaller.
        let mut common = 0;
        for i in block * 16..(block * 16 + 16).min(self.len()) {
            let shared = usize::from(*data.get(at)?);
            let length = usize::from(u16::from_le_bytes([*data.get(at + 1)?, *data.get(at + 2)?]));
            let rest = data.get(at + 3..at + 3 + length)?;
            at += 3 + length;
            if shared > common {
                continue;
            }
            common = shared;
            let wanted = name.as_bytes().get(shared..)?;
            if rest == wanted {
                return Some(i);
            }
            if rest > wanted {
                return None;
            }
            common += rest.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        }
        None
    }
}

/// Entry of a pool of byte strings.
fn pool(data: &'static [u8], index: usize) -> &'static [u8] {
    let count = u32_at(data, 0) as usize;
    let start = 4 * (count + 2);
    let (from, to) = (u32_at(data, 1 + index) as usize, u32_at(data, 2 + index) as usize);
    data.get(start + from..start + to).unwrap_or(&[])
}

impl Tables {
    pub(super) fn new(data: &'static [u8]) -> Tables {
        let section = |i: usize| {
            let (at, length) = (u32_at(data, 2 + 2 * i) as usize, u32_at(data, 3 + 2 * i) as usize);
            data.get(at..at + length).unwrap_or(&[])
        };
        Tables {
            sections: std::array::from_fn(section),
            facts: OnceLock::new(),
            opcodes_by_length: OnceLock::new(),
        }
    }

    fn names(&self, section: usize) -> Names {
        Names(self.sections[section])
    }

    /// The opcode of a name, such as `V_ADD_U32_e64`.
    pub fn opcode(&self, name: &str) -> Option<Opcode> {
        self.names(OPCODE_NAMES).find(name).map(|i| Opcode(i as u16))
    }

    /// Name of an opcode of this machine.
    pub fn opcode_name(&self, opcode: Opcode) -> String {
        self.names(OPCODE_NAMES).get(opcode.0.into())
    }

    /// Names of opcodes that start with `prefix`, in order, at most `limit`.
    pub fn opcodes_with_prefix(&self, prefix: &str, limit: usize) -> Vec<(Opcode, String)> {
        let names = self.names(OPCODE_NAMES);
        let mut found = Vec::new();
        let mut block = names.block_of(prefix.as_bytes()).unwrap_or(0);
        let mut past = false;
        while block < names.blocks() && found.len() < limit && !past {
            names.walk(block, |i, n| {
                if n.starts_with(prefix.as_bytes()) {
                    found.push((Opcode(i as u16), String::from_utf8_lossy(n).into_owned()));
                } else {
                    past = n > prefix.as_bytes();
                }
                past || found.len() >= limit
            });
            block += 1;
        }
        found
    }

    /// Names of opcodes of one of some lengths, in bytes.
    pub fn opcodes_of_length(&self, lengths: RangeInclusive<usize>) -> impl Iterator<Item = &str> {
        let by_length = self.opcodes_by_length.get_or_init(|| {
            let mut by_length: Vec<Vec<Box<str>>> = Vec::new();
            for (_, name) in self.opcodes_with_prefix("", usize::MAX) {
                if by_length.len() <= name.len() {
                    by_length.resize_with(name.len() + 1, Vec::new);
                }
                by_length[name.len()].push(name.into());
            }
            by_length
        });
        lengths.filter_map(|length| by_length.get(length)).flatten().map(|name| &**name)
    }

    /// What is known of an opcode of this machine.
    pub fn desc(&self, opcode: Opcode) -> Desc {
        let row = usize::from(opcode.0) * 2;
        let desc = pool(self.sections[DESCS], u16_at(self.sections[OPCODES], row).into());
        Desc {
            flags: u64_at(desc, 0),
            target_flags: u64_at(desc, 8),
            defs: desc.get(16).copied().unwrap_or(0),
            generic: u16_at(self.sections[OPCODES], row + 1),
            operands: pool(self.sections[OPERANDS], u16_at(desc, 9).into()),
            implicit: pool(self.sections[IMPLICIT], u16_at(desc, 10).into()),
            names: pool(self.sections[OPERAND_NAMES], u16_at(desc, 11).into()),
        }
    }

    /// The target description's name of an explicit operand (`vdst`, `src0`); `None` where it is not known.
    pub fn operand_name(&self, desc: &Desc, index: usize) -> Option<String> {
        (index < desc.names.len() / 2).then(|| self.names(NAMES).get(u16_at(desc.names, index).into()))
    }

    /// The number by which [`Tables::operand_named`] finds operands of this name.
    pub fn operand_name_id(&self, name: &str) -> Option<u16> {
        let names = self.names(NAMES);
        let mut found = None;
        for block in 0..names.blocks() {
            names.walk(block, |i, n| {
                if n == name.as_bytes() {
                    found = Some(i as u16);
                }
                found.is_some()
            });
        }
        found
    }

    /// Index of the explicit operand with a name.
    pub fn operand_named(&self, desc: &Desc, name: u16) -> Option<usize> {
        (0..desc.names.len() / 2).find(|i| u16_at(desc.names, *i) == name)
    }

    /// The register class of an explicit operand on a processor.
    pub fn operand_class(&self, operand: &OperandDesc, cpu: CpuRows) -> Option<Class> {
        if operand.by_mode() {
            return self.class_by_mode(operand.class, cpu);
        }
        (operand.class >= 0).then_some(Class(operand.class as u16))
    }

    /// The class of a number that depends on the processor.
    pub(crate) fn class_by_mode(&self, number: i16, cpu: CpuRows) -> Option<Class> {
        let classes = pool(self.sections[MODES], cpu.operand_classes?.into());
        let class = u16_at(classes, number.max(0) as usize) as i16;
        (class >= 0).then_some(Class(class as u16))
    }

    /// Those of `generic`, or of the only row (`-`), where a processor is not known. The wave size is for where it is not the
    /// processor's own.
    pub fn cpu_rows(&self, cpu: Option<&str>, wave: Option<WaveSize>) -> CpuRows {
        let cpus = &self.facts().cpus;
        let of = |cpu: &str| cpus.get(cpu).or_else(|| stand_ins(cpu).find_map(|name| cpus.get(name)));
        let rows = cpu.and_then(of).or_else(|| cpus.get("generic")).or_else(|| cpus.get("-"));
        let rows = rows.copied().unwrap_or_default();
        let own = cpu.and_then(Target::named);
        let is_own = |wave| wave == own.map_or(WaveSize::W64, Target::wave_size);
        let Some(wave) = wave.filter(|wave| !is_own(*wave)) else { return rows };
        // Processors with both sizes have the classes of any plain processor with the size.
        let has_both = own.is_none_or(|target| target.with_wave_size(wave).is_some());
        let other = if wave == WaveSize::W32 { "gfx1030" } else { "gfx900" };
        match cpus.get(other).filter(|_| has_both) {
            Some(other) => CpuRows { operand_classes: other.operand_classes, ..rows },
            None => rows,
        }
    }

    /// `noreg` is a register too.
    pub fn register(&self, name: &str) -> Option<Register> {
        let rank = self.names(REGISTER_NAMES).find(name)?;
        Some(Register(u16_at(self.sections[REGISTER_ORDER], rank)))
    }

    /// Name without `$`; `noreg` for 0.
    pub fn register_name(&self, register: Register) -> String {
        let rank = self.facts().register_ranks.get(usize::from(register.0)).copied().unwrap_or(0);
        self.names(REGISTER_NAMES).get(rank.into())
    }

    /// Visits all registers in the order of their names, which takes less time than to ask for each name.
    pub fn for_each_register(&self, mut visit: impl FnMut(Register, &str)) {
        let names = self.names(REGISTER_NAMES);
        for block in 0..names.blocks() {
            names.walk(block, |rank, name| {
                let register = Register(u16_at(self.sections[REGISTER_ORDER], rank));
                visit(register, std::str::from_utf8(name).unwrap_or(""));
                false
            });
        }
    }

    /// Names of registers that start with `prefix` and that are wanted, in order.
    pub fn registers_with_prefix(&self, prefix: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let names = self.names(REGISTER_NAMES);
        let mut found = Vec::new();
        for block in names.block_of(prefix.as_bytes()).unwrap_or(0)..names.blocks() {
            let mut past = false;
            names.walk(block, |_, n| {
                if n.starts_with(prefix.as_bytes()) {
                    // There are thousands, and few are wanted.
                    found.extend(std::str::from_utf8(n).ok().filter(|n| is_wanted(n)).map(str::to_owned));
                } else {
                    past = n > prefix.as_bytes();
                }
                past
            });
            if past {
                break;
            }
        }
        found
    }

    /// How many registers there are, with `noreg`.
    pub fn register_count(&self) -> usize {
        self.sections[REGISTERS].len() / 12
    }

    /// The register units that a register covers. Two registers overlap where they share one.
    pub fn units(&self, register: Register) -> impl Iterator<Item = u16> + use<'_> {
        let row = self.sections[REGISTERS].get(usize::from(register.0) * 12..).unwrap_or(&[]);
        let (start, count) = (u32_at(row, 0), u16_at(row, 2));
        let listed = start & 0x8000_0000 != 0;
        (0..count).map(move |i| {
            let at = (start & 0x7fff_ffff) as usize + usize::from(i);
            if listed { u16_at(self.sections[UNITS], at) } else { at as u16 }
        })
    }

    /// The hardware encoding.
    pub fn encoding(&self, register: Register) -> u16 {
        u16_at(self.sections[REGISTERS], usize::from(register.0) * 6 + 3)
    }

    /// The smallest class that contains the register.
    pub fn minimal_class(&self, register: Register) -> Option<Class> {
        let class = u16_at(self.sections[REGISTERS], usize::from(register.0) * 6 + 4);
        (class != u16::MAX).then_some(Class(class))
    }

    /// Whether debug information can name the register.
    pub fn has_dwarf_number(&self, register: Register) -> bool {
        u16_at(self.sections[REGISTERS], usize::from(register.0) * 6 + 5) & 1 != 0
    }

    /// Whether some allocatable class contains it.
    pub fn in_allocatable_class(&self, register: Register) -> bool {
        u16_at(self.sections[REGISTERS], usize::from(register.0) * 6 + 5) & 2 != 0
    }

    /// The class of a name, in lower case as Machine IR writes it.
    pub fn class(&self, name: &str) -> Option<Class> {
        let classes = &self.facts().classes;
        let at = classes.binary_search_by(|(n, _)| n.as_str().cmp(name)).ok()?;
        classes.get(at).map(|(_, class)| *class)
    }

    /// Name in lower case, as Machine IR writes it.
    pub fn class_name(&self, class: Class) -> String {
        self.names(CLASS_NAMES).get(class.0.into())
    }

    /// How many classes there are.
    pub fn class_count(&self) -> usize {
        self.sections[CLASSES].len() / 18
    }

    fn class_row(&self, class: Class) -> &'static [u8] {
        let at = usize::from(class.0) * 18;
        self.sections[CLASSES].get(at..at + 18).unwrap_or(&[])
    }

    /// Size of the class's registers, in bits.
    pub fn class_bits(&self, class: Class) -> u32 {
        u16_at(self.class_row(class), 6).into()
    }

    /// Whether registers of the class can be allocated.
    pub fn is_allocatable(&self, class: Class) -> bool {
        u16_at(self.class_row(class), 7) & 1 != 0
    }

    /// Number of registers in the class.
    pub fn class_len(&self, class: Class) -> u32 {
        u16_at(self.class_row(class), 8).into()
    }

    /// Whether a register belongs to a class.
    pub fn contains(&self, class: Class, register: Register) -> bool {
        let list = pool(self.sections[CLASS_LISTS], u32_at(self.class_row(class), 0) as usize);
        (0..list.len() / 6).any(|i| {
            let (first, count, stride) =
                (u16_at(list, 3 * i), u16_at(list, 3 * i + 1), u16_at(list, 3 * i + 2));
            let stride = stride.max(1);
            register.0 >= first
                && (register.0 - first).is_multiple_of(stride)
                && (register.0 - first) / stride < count
        })
    }

    /// The registers of a class.
    pub fn class_members(&self, class: Class) -> impl Iterator<Item = Register> + use<'_> {
        let list = pool(self.sections[CLASS_LISTS], u32_at(self.class_row(class), 0) as usize);
        (0..list.len() / 6).flat_map(move |i| {
            let (first, count, stride) =
                (u16_at(list, 3 * i), u16_at(list, 3 * i + 1), u16_at(list, 3 * i + 2));
            (0..count).map(move |n| Register(first + n * stride.max(1)))
        })
    }

    /// Whether every register of `sub` belongs to `class`; a class is a subclass of itself.
    pub fn is_subclass(&self, class: Class, sub: Class) -> bool {
        let width = self.class_count().div_ceil(8);
        let at = usize::from(class.0) * width + usize::from(sub.0) / 8;
        self.sections[SUBCLASSES].get(at).is_some_and(|b| b >> (sub.0 % 8) & 1 != 0)
    }

    /// The smallest class that holds the `index` parts of all registers of `class`; `None` if some register has no such part.
    pub fn part_class(&self, class: Class, index: SubIndex) -> Option<Class> {
        let list = pool(self.sections[CLASS_LISTS], u32_at(self.class_row(class), 1) as usize);
        let found = (0..list.len() / 4).find(|i| u16_at(list, 2 * i) == index.0)?;
        Some(Class(u16_at(list, 2 * found + 1)))
    }

    /// The low-level types whose values fit the class: lanes (0 for scalars, with the top bit set when scalable), and bits.
    fn class_types(&self, class: Class) -> impl Iterator<Item = (u16, u16)> + use<'_> {
        let list = pool(self.sections[CLASS_LISTS], u32_at(self.class_row(class), 2) as usize);
        (0..list.len() / 4).map(move |i| (u16_at(list, 2 * i), u16_at(list, 2 * i + 1)))
    }

    /// Whether a class that contains the register is for values of a low-level type, given as lanes (0 for scalars, with the
    /// top bit set when scalable) and bits.
    pub fn is_for_type(&self, register: Register, lanes: u16, bits: u16) -> bool {
        let facts = self.facts();
        let typed = facts.typed_classes.get(&(lanes, bits)).into_iter().flatten();
        typed.chain(&facts.untyped_classes).any(|class| self.contains(*class, register))
    }

    /// Whether a class that contains the register is for values of any type.
    pub fn is_for_any_type(&self, register: Register) -> bool {
        self.facts().untyped_classes.iter().any(|class| self.contains(*class, register))
    }

    /// The subregister index of a name.
    pub fn sub_index(&self, name: &str) -> Option<SubIndex> {
        self.facts().sub_indices.get(name).map(|i| SubIndex(*i))
    }

    /// Name of a subregister index; empty for 0.
    pub fn sub_index_name(&self, index: SubIndex) -> String {
        self.names(SUB_INDEX_NAMES).get(index.0.into())
    }

    /// Including the number 0, which names none.
    pub fn sub_index_count(&self) -> usize {
        self.sections[SUB_INDICES].len() / 4
    }

    /// Size and offset in bits; 65535 where it depends.
    pub fn sub_index_span(&self, index: SubIndex) -> (u16, u16) {
        let at = usize::from(index.0) * 2;
        (u16_at(self.sections[SUB_INDICES], at), u16_at(self.sections[SUB_INDICES], at + 1))
    }

    /// Whether a call with the mask leaves the unit's value alone.
    pub fn mask_keeps(&self, mask: usize, unit: u16) -> bool {
        let width = self.facts().units.div_ceil(8);
        self.sections[MASKS]
            .get(mask * width + usize::from(unit) / 8)
            .is_some_and(|b| b >> (unit % 8) & 1 != 0)
    }

    /// Whether code generation for a plain function never allocates a register unit.
    pub fn is_reserved_unit(&self, cpu: CpuRows, unit: u16) -> bool {
        let bits = pool(self.sections[RESERVED], cpu.reserved.into());
        bits.get(usize::from(unit) / 8).is_some_and(|b| b >> (unit % 8) & 1 != 0)
    }

    /// Facts that are text in the table, parsed on first use.
    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| {
            let mut facts = Facts::default();
            for line in std::str::from_utf8(self.sections[MISC]).unwrap_or("").lines() {
                let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
                let number = |s: &str| s.parse().unwrap_or(0);
                let words: Vec<&str> = rest.split(' ').collect();
                let word = |i: usize| words.get(i).copied().unwrap_or("");
                match key {
                    "datalayout" => facts.data_layout = rest.to_owned(),
                    "vectoridx" => facts.vector_index_bits = number(rest),
                    "callframe" => {
                        facts.call_frame = [0, 1].map(|i| Opcode(word(i).parse().unwrap_or(u16::MAX)));
                    }
                    "formatter" => facts.has_formatter = rest == "1",
                    "units" => facts.units = number(rest) as usize,
                    "stackid" => facts.stack_ids.push(number(rest)),
                    "bank" => facts.banks.push(Bank { name: word(0).to_owned(), size: number(word(1)) }),
                    "targetindex" => facts.target_indices.push(rest.to_owned()),
                    "flag" => facts.direct_flags.push(rest.to_owned()),
                    "bitflag" => facts.bitmask_flags.push(rest.to_owned()),
                    "memflag" => facts.memory_flags.push(rest.to_owned()),
                    "vregflag" => facts.register_flags.push(rest.to_owned()),
                    "mask" => facts.masks.push(rest.to_owned()),
                    "cpu" => {
                        let rows = CpuRows {
                            operand_classes: Some(number(word(1)) as u16),
                            reserved: number(word(2)) as u16,
                        };
                        facts.cpus.insert(word(0).to_owned(), rows);
                    }
                    _ => {}
                }
            }
            let names = self.names(SUB_INDEX_NAMES);
            facts.sub_indices = (1..names.len()).map(|i| (names.get(i), i as u16)).collect::<HashMap<_, _>>();
            facts.classes = (0..self.class_count())
                .map(|i| Class(u16_at(self.sections[CLASS_ORDER], i)))
                .map(|class| (self.class_name(class), class))
                .collect();
            for class in (0..self.class_count() as u16).map(Class) {
                let mut typed = false;
                for (lanes, bits) in self.class_types(class) {
                    // One lane is a scalar.
                    let lanes = if lanes == 1 { 0 } else { lanes };
                    facts.typed_classes.entry((lanes, bits)).or_default().push(class);
                    typed = true;
                }
                if !typed {
                    facts.untyped_classes.push(class);
                }
            }
            facts.register_ranks = vec![0; self.register_count()];
            for rank in 0..self.register_count() {
                let register = u16_at(self.sections[REGISTER_ORDER], rank);
                if let Some(slot) = facts.register_ranks.get_mut(usize::from(register)) {
                    *slot = rank as u16;
                }
            }
            facts
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Machine, flag};
    use super::*;

    #[test]
    fn names_are_found_and_given_back() {
        for machine in Machine::ALL {
            let tables = machine.tables();
            for i in (0..tables.names(OPCODE_NAMES).len()).step_by(97) {
                let name = tables.opcode_name(Opcode(i as u16));
                assert_eq!(tables.opcode(&name), Some(Opcode(i as u16)), "{name}");
            }
            for i in (0..tables.register_count()).step_by(13) {
                let name = tables.register_name(Register(i as u16));
                assert_eq!(tables.register(&name), Some(Register(i as u16)), "{name}");
            }
            for missing in ["", "!", "G_FROB", "S_ENDPGM_", "S_ENDPG", "~"] {
                assert_eq!(tables.opcode(missing), None, "{missing}");
            }
            let mut visited = 0;
            tables.for_each_register(|register, name| {
                visited += 1;
                assert!(register.0 % 13 != 0 || tables.register_name(register) == name, "{name}");
            });
            assert_eq!(visited, tables.register_count());
        }
    }

    #[test]
    fn amdgpu_facts() {
        let t = Machine::Amdgpu.tables();
        let add = t.desc(t.opcode("V_ADD_U32_e64").unwrap());
        assert_eq!(add.defs, 1);
        assert_eq!(add.operand_count(), 4);
        assert_eq!(t.operand_name(&add, 1).as_deref(), Some("src0"));
        assert_eq!(add.implicit_uses().map(|r| t.register_name(r)).collect::<Vec<_>>(), ["exec"]);
        assert!(t.desc(t.opcode("S_ENDPGM").unwrap()).is(flag::TERMINATOR | flag::RETURN));
        let vgpr = t.class("vgpr_32").unwrap();
        assert!(t.contains(vgpr, t.register("vgpr7").unwrap()));
        assert!(!t.contains(vgpr, t.register("sgpr7").unwrap()));
        let pair = t.class("vreg_64").unwrap();
        let part = t.part_class(pair, t.sub_index("sub1").unwrap()).unwrap();
        assert!(t.is_subclass(vgpr, part));
        assert_eq!(t.part_class(pair, t.sub_index("sub2").unwrap()), None);
        let units: Vec<u16> = t.units(t.register("vgpr0_vgpr1").unwrap()).collect();
        assert_eq!(units.len(), 4);
    }
}
