//! What a chunk refers to: with the scope's definitions it shows what nothing uses.
//!
//! Apart from the summary, because a body's uses change while it is edited, and a summary must not.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::Lowered;
use super::arena::Tables;
use super::attribute::AttrValue;
use super::metadata::MdValue;
use super::names::{Names, Symbol};
use super::operand::{Const, Value};
use super::scope::Scope;
use super::summary::{ComdatRef, Global, GlobalHead, UnnamedAddr};
use super::types::{Type, TypeId};
use crate::{ChunkId, Severity};

/// What is named: `@f`, `%T`, `#0`, `$c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    Global,
    Type,
    Attributes,
    Comdat,
}

/// Hash of a name and its sort. Two that collide hide an unused one: nothing worse.
type Key = u64;

fn key(sort: Sort, symbol: Symbol, names: &Names) -> Key {
    let mut hasher = FxHasher::default();
    sort.hash(&mut hasher);
    match symbol.as_name() {
        Some(name) => names.get(name).hash(&mut hasher),
        None => symbol.as_number().hash(&mut hasher),
    }
    hasher.finish()
}

/// What the function bodies of a chunk refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// Sorted.
    names: Vec<Key>,
    /// Numbers of metadata nodes, sorted.
    metadata: Vec<u32>,
    /// Something in the chunk could not be read: nobody knows what it refers to.
    incomplete: bool,
}

/// Numbers from here on are not followed: no file has so many nodes.
const MOST_NODES: u32 = 1 << 24;

/// A set of metadata numbers.
#[derive(Debug, Clone, Default, PartialEq)]
struct Numbers(Vec<u64>);

impl Numbers {
    fn insert(&mut self, number: u32) {
        let at = number as usize / 64;
        if number < MOST_NODES {
            if self.0.len() <= at {
                self.0.resize(at + 1, 0);
            }
            self.0[at] |= 1 << (number % 64);
        }
    }

    fn contains(&self, number: u32) -> bool {
        number >= MOST_NODES || self.0.get(number as usize / 64).is_some_and(|w| w >> (number % 64) & 1 == 1)
    }
}

pub fn uses(lowered: &Lowered) -> Uses {
    let mut names: Vec<Key> = Vec::new();
    let mut metadata: Vec<u32> = Vec::new();
    for body in &lowered.bodies {
        // A function that calls itself is not used by that.
        let summary = &lowered.summary;
        let own = summary.functions.get(body.function as usize);
        let own = own.map(|f| key(Sort::Global, f.head.name, &summary.tables.names));
        references(&body.tables, &mut |k| names.extend(Some(k).filter(|k| Some(*k) != own)), &mut |number| {
            metadata.push(number)
        });
    }
    names.sort_unstable();
    names.dedup();
    metadata.sort_unstable();
    metadata.dedup();
    let incomplete = lowered.diagnostics.iter().any(|d| d.severity == Severity::Error);
    Uses { names, metadata, incomplete }
}

/// Everything that a set of tables refers to, each name at least once.
fn references(tables: &Tables, name: &mut dyn FnMut(Key), number: &mut dyn FnMut(u32)) {
    let names = &tables.names;
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut global = |symbol| {
        if seen.insert(symbol) {
            name(key(Sort::Global, symbol, names));
        }
    };
    for operand in &tables.operands {
        if let Value::Global(symbol) = operand.value {
            global(symbol);
        }
    }
    for constant in &tables.consts {
        if let Const::NoCfi(symbol) | Const::DsoLocalEquivalent(symbol) = constant {
            global(*symbol);
        }
    }
    tables.block_addresses.iter().for_each(|address| global(address.function));
    for id in 0..tables.types.len() as u32 {
        if let Type::Named(symbol) = tables.types.get(TypeId(id)) {
            name(key(Sort::Type, symbol, names));
        }
    }
    for attr in &tables.attrs {
        if let AttrValue::Group(group) = attr.value {
            name(key(Sort::Attributes, Symbol::number(group), names));
        }
    }
    let mut value = |value: MdValue| {
        if let MdValue::Number(n) = value {
            number(n);
        }
    };
    tables.attachments.iter().for_each(|a| value(a.value));
    tables.md_fields.iter().for_each(|f| value(f.value));
    tables.md_values.iter().for_each(|v| value(*v));
}

/// What no module-level entity refers to: unused unless a body does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LooseEnds {
    pub names: Vec<LooseName>,
    /// Number, chunk, item.
    pub metadata: Vec<(u32, ChunkId, u32)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LooseName {
    pub sort: Sort,
    /// As printed.
    pub name: String,
    pub chunk: ChunkId,
    pub item: u32,
    key: Key,
}

pub fn loose_ends(scope: &Scope) -> LooseEnds {
    let mut named: FxHashSet<Key> = FxHashSet::default();
    let mut numbers = Numbers::default();
    for (_, summary) in &scope.summaries {
        let tables = &summary.tables;
        let mut name = |key| {
            named.insert(key);
        };
        references(tables, &mut name, &mut |_| {});
        let comdats = summary.globals.iter().map(|g| (g.head, g.comdat));
        for (head, comdat) in comdats.chain(summary.functions.iter().map(|f| (f.head, f.comdat))) {
            let symbol = match comdat {
                Some(ComdatRef::Named(name)) => Symbol::name(name),
                Some(ComdatRef::Own) => head.name,
                None => continue,
            };
            named.insert(key(Sort::Comdat, symbol, &tables.names));
        }
        let mut number = |value: MdValue| {
            if let MdValue::Number(n) = value {
                numbers.insert(n);
            }
        };
        summary.named_metadata_values.iter().for_each(|v| number(*v));
        tables.attachments.iter().for_each(|a| number(a.value));
        tables.md_values.iter().for_each(|v| number(*v));
        // A node that refers to itself is not used by that.
        let mut own: Vec<(u32, u32)> = summary.metadata.iter().map(|def| (def.node, def.number)).collect();
        own.sort_unstable();
        let mut own = own.into_iter().peekable();
        for (index, node) in tables.md_nodes.iter().enumerate() {
            while own.next_if(|(at, _)| (*at as usize) < index).is_some() {}
            let own = own.peek().filter(|(at, _)| *at as usize == index).map(|(_, number)| *number);
            for field in tables.fields(node) {
                if field.value != own.map_or(MdValue::Null, MdValue::Number) {
                    number(field.value);
                }
            }
        }
    }
    let mut ends = LooseEnds::default();
    for (chunk, summary) in &scope.summaries {
        let names = &summary.tables.names;
        let mut end = |sort, sigil: char, symbol: Symbol, item| {
            let key = key(sort, symbol, names);
            if !named.contains(&key) {
                let name = symbol.display(sigil, names);
                ends.names.push(LooseName { sort, name, chunk: *chunk, item, key });
            }
        };
        // What is in a section may be found by the linker; literals that optimizers leave are not a mistake.
        let literal = |g: &Global| g.is_constant && g.head.unnamed_addr != UnnamedAddr::None;
        let globals = summary.globals.iter();
        let globals =
            globals.filter(|g| g.section.is_none() && g.init.is_some() && !literal(g)).map(|g| g.head);
        let functions = summary.functions.iter().filter(|f| f.section.is_none()).map(|f| f.head);
        let aliases = summary.aliases.iter().map(|a| a.head);
        let local = |head: &GlobalHead| head.linkage.is_local();
        for head in globals.chain(functions).chain(aliases).filter(local) {
            end(Sort::Global, '@', head.name, head.item);
        }
        for def in &summary.type_defs {
            end(Sort::Type, '%', def.name, def.item);
        }
        for group in &summary.attr_groups {
            end(Sort::Attributes, '#', Symbol::number(group.number), group.item);
        }
        for comdat in &summary.comdats {
            end(Sort::Comdat, '$', Symbol::name(comdat.name), comdat.item);
        }
        for def in summary.metadata.iter().filter(|def| !numbers.contains(def.number)) {
            ends.metadata.push((def.number, *chunk, def.item));
        }
    }
    ends
}

/// The loose ends that no body refers to either, kept up to date chunk by chunk.
#[derive(Debug, Default)]
pub struct Unused {
    ends: LooseEnds,
    /// How many chunks refer to each.
    names: FxHashMap<Key, u32>,
    numbers: FxHashMap<u32, u32>,
    /// Indexes into the loose ends.
    ends_of_name: FxHashMap<Key, Vec<u32>>,
    ends_of_number: FxHashMap<u32, Vec<u32>>,
    /// Indexes of those that no chunk refers to.
    unused_names: BTreeSet<u32>,
    unused_numbers: BTreeSet<u32>,
    /// Chunks that could not be read: what they refer to is not known.
    incomplete: u32,
}

impl Unused {
    /// Replaces the loose ends.
    pub fn set_ends(&mut self, ends: LooseEnds) {
        self.ends_of_name.clear();
        self.ends_of_number.clear();
        self.unused_names.clear();
        self.unused_numbers.clear();
        for (index, end) in (0..).zip(&ends.names) {
            self.ends_of_name.entry(end.key).or_default().push(index);
            if !self.names.contains_key(&end.key) {
                self.unused_names.insert(index);
            }
        }
        for (index, (number, ..)) in (0..).zip(&ends.metadata) {
            self.ends_of_number.entry(*number).or_default().push(index);
            if !self.numbers.contains_key(number) {
                self.unused_numbers.insert(index);
            }
        }
        self.ends = ends;
    }

    /// Counts what a chunk refers to.
    pub fn add(&mut self, uses: &Uses) {
        self.incomplete += u32::from(uses.incomplete);
        for name in &uses.names {
            let count = self.names.entry(*name).or_default();
            *count += 1;
            if *count == 1 {
                for end in self.ends_of_name.get(name).into_iter().flatten() {
                    self.unused_names.remove(end);
                }
            }
        }
        for number in &uses.metadata {
            let count = self.numbers.entry(*number).or_default();
            *count += 1;
            if *count == 1 {
                for end in self.ends_of_number.get(number).into_iter().flatten() {
                    self.unused_numbers.remove(end);
                }
            }
        }
    }

    /// Takes back what a chunk referred to.
    pub fn remove(&mut self, uses: &Uses) {
        self.incomplete -= u32::from(uses.incomplete);
        for name in &uses.names {
            if take_one(&mut self.names, *name) {
                self.unused_names.extend(self.ends_of_name.get(name).into_iter().flatten());
            }
        }
        for number in &uses.metadata {
            if take_one(&mut self.numbers, *number) {
                self.unused_numbers.extend(self.ends_of_number.get(number).into_iter().flatten());
            }
        }
    }

    /// What nothing refers to; nothing while some chunk could not be read.
    pub fn loose_ends(&self) -> LooseEnds {
        if self.incomplete > 0 {
            return LooseEnds::default();
        }
        let names = self.unused_names.iter().filter_map(|end| self.ends.names.get(*end as usize).cloned());
        let numbers = &self.unused_numbers;
        let metadata = numbers.iter().filter_map(|end| self.ends.metadata.get(*end as usize).copied());
        LooseEnds { names: names.collect(), metadata: metadata.collect() }
    }

    /// How many findings there are about them.
    pub fn count(&self) -> usize {
        if self.incomplete > 0 { 0 } else { self.unused_names.len() + self.unused_numbers.len() }
    }

    /// What nothing refers to closest to a place, at least `limit` if there is so much: in each direction, of names and of nodes.
    /// `is_before` tells which chunks precede the place.
    pub fn loose_ends_around(&self, is_before: impl Fn(ChunkId) -> bool, limit: usize) -> LooseEnds {
        if self.incomplete > 0 {
            return LooseEnds::default();
        }
        let LooseEnds { names, metadata } = &self.ends;
        let around = |set: &BTreeSet<u32>, middle: usize| -> Vec<usize> {
            let middle = middle as u32;
            let around = set.range(..middle).rev().take(limit).chain(set.range(middle..).take(limit));
            around.map(|end| *end as usize).collect()
        };
        let near_names = around(&self.unused_names, names.partition_point(|end| is_before(end.chunk)));
        let near_nodes = around(&self.unused_numbers, metadata.partition_point(|end| is_before(end.1)));
        LooseEnds {
            names: near_names.into_iter().filter_map(|end| names.get(end).cloned()).collect(),
            metadata: near_nodes.into_iter().filter_map(|end| metadata.get(end).copied()).collect(),
        }
    }
}

/// Counts one less; whether that was the last one.
fn take_one<K: Hash + Eq>(counts: &mut FxHashMap<K, u32>, key: K) -> bool {
    let Entry::Occupied(mut count) = counts.entry(key) else { return false };
    *count.get_mut() -= 1;
    *count.get() == 0 && count.remove() == 0
}
