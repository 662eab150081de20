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
use super::operand::{Const, OperandId, Value};
use super::scope::Scope;
use super::summary::{Global, GlobalHead, Ordered, UnnamedAddr};
use super::types::{Span, Type, TypeId};
use wavelens_base::{ChunkId, Severity};

/// What is named: `@f`, `%T`, `#0`, `$c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
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

/// How something is referred to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    /// As an operand of an instruction or of a global.
    direct: u32,
    /// Within constants, of which LLVM keeps one of a kind.
    within: bool,
    /// Only by itself: a function that calls itself is not used by that.
    own: bool,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.direct = self.direct.saturating_add(other.direct);
        self.within |= other.within;
        self.own &= other.own;
    }
}

/// What the function bodies of a chunk refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// Sorted by name.
    names: Vec<(Key, Count)>,
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

/// What a chunk's bodies refer to in other chunks.
pub fn uses(lowered: &Lowered) -> Uses {
    let mut names: Vec<(Key, Count)> = Vec::new();
    let mut metadata: Vec<u32> = Vec::new();
    for body in &lowered.bodies {
        let summary = &lowered.summary;
        let own = summary.functions.get(body.function as usize);
        let own = own.map(|f| key(Sort::Global, f.head.name, &summary.tables.names));
        references(
            &body.tables,
            &mut |key, count| names.push((key, Count { own: Some(key) == own, ..count })),
            &mut |number| metadata.push(number),
        );
    }
    names.sort_unstable_by_key(|(key, _)| *key);
    names.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1.add(next.1);
        }
        same
    });
    metadata.sort_unstable();
    metadata.dedup();
    let incomplete = lowered.diagnostics.iter().any(|d| d.severity == Severity::Error);
    Uses { names, metadata, incomplete }
}

/// Which operands are parts of constants, or metadata.
fn indirect(tables: &Tables) -> Vec<bool> {
    let mut indirect = vec![false; tables.operands.len()];
    let mut mark = |span: Span| {
        if let Some(parts) = indirect.get_mut(span.range()) {
            parts.fill(true);
        }
    };
    let one = |id: OperandId| Span { start: id.0, len: 1 };
    for constant in &tables.consts {
        match constant {
            Const::Aggregate { elements: span, .. } | Const::PtrAuth(span) => mark(*span),
            Const::Splat(id) => mark(one(*id)),
            _ => {}
        }
    }
    tables.cold.exprs.iter().for_each(|expr| mark(expr.operands));
    let fields = tables.cold.md_fields.iter().map(|f| f.value);
    let attached = tables.cold.attachments.iter().map(|a| a.value);
    for value in fields.chain(attached).chain(tables.cold.md_values.iter().copied()) {
        if let MdValue::Value(id) = value {
            mark(one(id));
        }
    }
    indirect
}

/// Everything that a set of tables refers to, each name at least once.
fn references(tables: &Tables, name: &mut dyn FnMut(Key, Count), number: &mut dyn FnMut(u32)) {
    let names = &tables.names;
    let within = Count { within: true, ..Count::default() };
    let mut globals: FxHashMap<Symbol, Count> = FxHashMap::default();
    let mut global = |symbol, count| globals.entry(symbol).or_default().add(count);
    let indirect = indirect(tables);
    for (operand, indirect) in tables.operands.iter().zip(indirect) {
        if let Value::Global(symbol) = operand.value {
            global(symbol, if indirect { within } else { Count { direct: 1, ..Count::default() } });
        }
    }
    for constant in &tables.consts {
        if let Const::NoCfi(symbol) | Const::DsoLocalEquivalent(symbol) = constant {
            global(*symbol, within);
        }
    }
    tables.cold.block_addresses.iter().for_each(|address| global(address.function, within));
    for (symbol, count) in globals {
        name(key(Sort::Global, symbol, names), count);
    }
    for id in 0..tables.types.len() as u32 {
        if let Type::Named(symbol) = tables.types.get(TypeId(id)) {
            name(key(Sort::Type, symbol, names), within);
        }
    }
    for attr in &tables.attrs {
        if let AttrValue::Group(group) = attr.value {
            name(key(Sort::Attributes, Symbol::number(group), names), within);
        }
    }
    let mut value = |value: MdValue| {
        if let MdValue::Number(n) = value {
            number(n);
        }
    };
    tables.cold.attachments.iter().for_each(|a| value(a.value));
    tables.cold.md_fields.iter().for_each(|f| value(f.value));
    tables.cold.md_values.iter().for_each(|v| value(*v));
}

/// What no module-level entity refers to: unused unless a body does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LooseEnds {
    pub(crate) names: Vec<LooseName>,
    /// Number, chunk, item.
    pub metadata: Vec<(u32, ChunkId, u32)>,
    /// Directives about the uses of globals.
    orders: Vec<Order>,
}

/// `uselistorder` of a global, after everything that may use it.
#[derive(Debug, Clone, PartialEq)]
struct Order {
    /// As printed.
    name: String,
    key: Key,
    /// By module-level entities.
    uses: Count,
    indexes: u32,
    chunk: ChunkId,
    item: u32,
}

/// A global whose uses a directive orders, and their number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OrderedUses {
    /// As printed.
    pub(crate) name: String,
    pub(crate) uses: u32,
    pub(crate) indexes: u32,
    pub(crate) chunk: ChunkId,
    pub(crate) item: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LooseName {
    pub(crate) sort: Sort,
    /// As printed.
    pub(crate) name: String,
    pub(crate) chunk: ChunkId,
    pub(crate) item: u32,
    key: Key,
}

/// What no module-level entity refers to.
pub fn loose_ends(scope: &Scope) -> LooseEnds {
    let mut named: FxHashSet<Key> = FxHashSet::default();
    let mut numbers = Numbers::default();
    for (_, summary) in &scope.summaries {
        let tables = &summary.tables;
        let mut name = |key, _| {
            named.insert(key);
        };
        references(tables, &mut name, &mut |_| {});
        for (_, comdat) in summary.comdat_uses() {
            named.insert(key(Sort::Comdat, comdat, &tables.names));
        }
        let mut number = |value: MdValue| {
            if let MdValue::Number(n) = value {
                numbers.insert(n);
            }
        };
        summary.cold.named_metadata_values.iter().for_each(|v| number(*v));
        tables.cold.attachments.iter().for_each(|a| number(a.value));
        tables.cold.md_values.iter().for_each(|v| number(*v));
        // A node that refers to itself is not used by that.
        let mut own: Vec<(u32, u32)> =
            summary.cold.metadata.iter().map(|def| (def.node, def.number)).collect();
        own.sort_unstable();
        let mut own = own.into_iter().peekable();
        for (index, node) in tables.cold.md_nodes.iter().enumerate() {
            while own.next_if(|(at, _)| (*at as usize) < index).is_some() {}
            let own = own.peek().filter(|(at, _)| *at as usize == index).map(|(_, number)| *number);
            for field in tables.fields(node) {
                if field.value != own.map_or(MdValue::Null, MdValue::Number) {
                    number(field.value);
                }
            }
        }
    }
    let mut ends = LooseEnds { orders: orders(scope), ..LooseEnds::default() };
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
        let aliases = summary.cold.aliases.iter().map(|a| a.head);
        let local = |head: &GlobalHead| head.linkage.is_local();
        for head in globals.chain(functions).chain(aliases).filter(local) {
            end(Sort::Global, '@', head.name, head.item);
        }
        for def in &summary.cold.type_defs {
            end(Sort::Type, '%', def.name, def.item);
        }
        for group in &summary.cold.attr_groups {
            end(Sort::Attributes, '#', Symbol::number(group.number), group.item);
        }
        for comdat in &summary.cold.comdats {
            end(Sort::Comdat, '$', Symbol::name(comdat.name), comdat.item);
        }
        for def in summary.cold.metadata.iter().filter(|def| !numbers.contains(def.number)) {
            ends.metadata.push((def.number, *chunk, def.item));
        }
    }
    ends
}

/// Directives about the uses of globals, those left out that a global or function follows: it may use the global too.
fn orders(scope: &Scope) -> Vec<Order> {
    let mut orders = Vec::new();
    for (chunk, summary) in scope.summaries.iter().rev() {
        let globals = summary.globals.iter().map(|g| g.head);
        let aliases = summary.cold.aliases.iter().map(|a| a.head);
        let heads = globals.chain(aliases).chain(summary.functions.iter().map(|f| f.head));
        let last = heads.map(|head| head.item).max();
        let names = &summary.tables.names;
        for order in &summary.cold.use_list_orders {
            let Ordered::Global(symbol) = order.of else { continue };
            // LLVM declares intrinsics where they are called, and makes some calls anew.
            let is_intrinsic = symbol.as_name().is_some_and(|name| names.get(name).starts_with("llvm."));
            if last.is_some_and(|last| last > order.item) || is_intrinsic {
                continue;
            }
            orders.push(Order {
                name: symbol.display('@', names),
                key: key(Sort::Global, symbol, names),
                uses: Count::default(),
                indexes: order.count,
                chunk: *chunk,
                item: order.item,
            });
        }
        if last.is_some() {
            break;
        }
    }
    if orders.is_empty() {
        return orders;
    }
    let mut counts: FxHashMap<Key, Count> = FxHashMap::default();
    for (_, summary) in &scope.summaries {
        let mut add = |key, count| counts.entry(key).or_default().add(count);
        references(&summary.tables, &mut add, &mut |_| {});
    }
    for order in &mut orders {
        order.uses = counts.get(&order.key).copied().unwrap_or_default();
    }
    orders
}

/// How the chunks refer to something.
#[derive(Debug, Default)]
struct Total {
    /// Chunks that do; not those in which it only refers to itself.
    chunks: u32,
    uses: u32,
    /// Chunks that do within constants.
    within: u32,
}

/// The loose ends that no body refers to either, kept up to date chunk by chunk.
#[derive(Debug, Default)]
pub struct Unused {
    ends: LooseEnds,
    names: FxHashMap<Key, Total>,
    /// How many chunks refer to each.
    numbers: FxHashMap<u32, u32>,
    /// With indexes into the loose ends, sorted.
    ends_of_names: Vec<(Key, u32)>,
    ends_of_numbers: Vec<(u32, u32)>,
    /// Indexes of those that no chunk refers to.
    unused_names: BTreeSet<u32>,
    unused_numbers: BTreeSet<u32>,
    /// Chunks that could not be read: what they refer to is not known.
    incomplete: u32,
}

impl Unused {
    /// Replaces the loose ends.
    pub fn set_ends(&mut self, ends: LooseEnds) {
        self.ends_of_names = ends.names.iter().map(|end| end.key).zip(0..).collect();
        self.ends_of_names.sort_unstable();
        self.ends_of_numbers = ends.metadata.iter().map(|(number, ..)| *number).zip(0..).collect();
        self.ends_of_numbers.sort_unstable();
        let names = &self.names;
        let is_unused = |key| names.get(key).is_none_or(|total| total.chunks == 0);
        let unused = self.ends_of_names.iter().filter(|(key, _)| is_unused(key));
        self.unused_names = unused.map(|(_, end)| *end).collect();
        let unused = self.ends_of_numbers.iter().filter(|(number, _)| !self.numbers.contains_key(number));
        self.unused_numbers = unused.map(|(_, end)| *end).collect();
        self.ends = ends;
    }

    /// Counts what a chunk refers to.
    pub fn add(&mut self, uses: &Uses) {
        self.incomplete += u32::from(uses.incomplete);
        for (name, count) in &uses.names {
            let total = self.names.entry(*name).or_default();
            total.uses += count.direct;
            total.within += u32::from(count.within);
            if count.own {
                continue;
            }
            total.chunks += 1;
            if total.chunks == 1 {
                for end in ends_of(&self.ends_of_names, *name) {
                    self.unused_names.remove(&end);
                }
            }
        }
        for number in &uses.metadata {
            let count = self.numbers.entry(*number).or_default();
            *count += 1;
            if *count == 1 {
                for end in ends_of(&self.ends_of_numbers, *number) {
                    self.unused_numbers.remove(&end);
                }
            }
        }
    }

    /// Takes back what a chunk referred to.
    pub fn remove(&mut self, uses: &Uses) {
        self.incomplete -= u32::from(uses.incomplete);
        for (name, count) in &uses.names {
            let Entry::Occupied(mut entry) = self.names.entry(*name) else { continue };
            let total = entry.get_mut();
            total.uses -= count.direct;
            total.within -= u32::from(count.within);
            total.chunks -= u32::from(!count.own);
            let (is_last, is_empty) =
                (!count.own && total.chunks == 0, total.chunks + total.uses + total.within == 0);
            if is_empty {
                entry.remove();
            }
            if is_last {
                self.unused_names.extend(ends_of(&self.ends_of_names, *name));
            }
        }
        for number in &uses.metadata {
            if take_one(&mut self.numbers, *number) {
                self.unused_numbers.extend(ends_of(&self.ends_of_numbers, *number));
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
        LooseEnds { names: names.collect(), metadata: metadata.collect(), orders: Vec::new() }
    }

    /// The uses of the globals that directives order, of those whose uses can be counted.
    pub(super) fn ordered_uses(&self) -> impl Iterator<Item = OrderedUses> {
        let orders = self.ends.orders.iter().filter(|_| self.incomplete == 0);
        orders.filter_map(|order| {
            let total = self.names.get(&order.key);
            let is_known = !order.uses.within && total.is_none_or(|total| total.within == 0);
            is_known.then(|| OrderedUses {
                name: order.name.clone(),
                uses: order.uses.direct + total.map_or(0, |total| total.uses),
                indexes: order.indexes,
                chunk: order.chunk,
                item: order.item,
            })
        })
    }

    /// How many findings there are about them.
    pub fn count(&self) -> usize {
        if self.incomplete > 0 { 0 } else { self.unused_names.len() + self.unused_numbers.len() }
    }

    /// What nothing refers to closest to a place, at least `limit` if there is so much: in each direction, of names and of nodes.
    /// `is_before` tells which chunks precede the place.
    pub(crate) fn loose_ends_around(&self, is_before: impl Fn(ChunkId) -> bool, limit: usize) -> LooseEnds {
        if self.incomplete > 0 {
            return LooseEnds::default();
        }
        let LooseEnds { names, metadata, .. } = &self.ends;
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
            orders: Vec::new(),
        }
    }
}

/// The loose ends of a key, in a list that is sorted by keys.
fn ends_of<K: Ord + Copy>(ends: &[(K, u32)], key: K) -> impl Iterator<Item = u32> {
    let first = ends.partition_point(|(other, _)| *other < key);
    ends.iter().skip(first).take_while(move |(other, _)| *other == key).map(|(_, end)| *end)
}

/// Counts one less; whether that was the last one.
fn take_one<K: Hash + Eq>(counts: &mut FxHashMap<K, u32>, key: K) -> bool {
    let Entry::Occupied(mut count) = counts.entry(key) else { return false };
    *count.get_mut() -= 1;
    *count.get() == 0 && count.remove() == 0
}
