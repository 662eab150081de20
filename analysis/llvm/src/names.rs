//! Interned names of one chunk.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use thin_vec::{ThinVec, thin_vec};
use wavelens_syntax::closest_name;

/// A name in a [`Names`] table: unescaped, without sigil and quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub u32);

/// What follows a sigil (`%`, `@`, `!`, `#`, `$`): a name or a number. `@0` and `@"0"` differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

const NUMBERED: u32 = 1 << 31;

impl Symbol {
    /// Numbers of 2^31 and more (never seen) wrap.
    pub const fn number(number: u32) -> Self {
        Symbol(number | NUMBERED)
    }

    pub(crate) const fn name(name: NameId) -> Self {
        Symbol(name.0)
    }

    /// The number of `%5`.
    pub const fn as_number(self) -> Option<u32> {
        if self.0 & NUMBERED != 0 { Some(self.0 & !NUMBERED) } else { None }
    }

    /// The name of `%x`.
    pub const fn as_name(self) -> Option<NameId> {
        if self.0 & NUMBERED == 0 { Some(NameId(self.0)) } else { None }
    }

    /// As the language prints it, with its sigil and with quotes where they are needed.
    pub fn display(self, sigil: char, names: &Names) -> String {
        match self.as_name() {
            Some(name) => display(sigil, names.get(name)),
            None => format!("{sigil}{}", self.0 & !NUMBERED),
        }
    }
}

/// A name as the language prints it: quoted unless it is a plain word.
pub fn display(sigil: char, name: &str) -> String {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-$._".contains(&b))
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if plain { format!("{sigil}{name}") } else { format!("{sigil}\"{name}\"") }
}

/// A table of distinct strings.
#[derive(Debug, Clone, Default)]
pub struct Names {
    text: String,
    /// End of each name in `text`.
    ends: ThinVec<u32>,
    /// Open-addressed hash table of ids plus one; 0 is free. Its length is a power of two, or 0 where there are [`FEW_NAMES`].
    table: ThinVec<u32>,
}

impl Names {
    /// Gives back what vectors have reserved: there is one of these for each chunk or function.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.table.shrink_to_fit();
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Names {}

/// So many names are compared one by one.
const FEW_NAMES: usize = 8;

fn hash(name: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    (hasher.finish() >> 7) as usize
}

impl Names {
    /// Whether a symbol is a number or `""`, which LLVM treats as no name: what it names gets the next number.
    pub(crate) fn is_unnamed(&self, symbol: Symbol) -> bool {
        symbol.as_name().is_none_or(|name| self.get(name).is_empty())
    }

    /// The name's text; `""` for an id of another table.
    pub fn get(&self, id: NameId) -> &str {
        let index = id.0 as usize;
        let start = index.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        if self.table.is_empty() {
            return (0..self.ends.len() as u32).map(NameId).find(|id| self.get(*id) == name);
        }
        let mask = self.table.len() - 1;
        let mut at = hash(name) & mask;
        loop {
            match self.table[at] {
                0 => return None,
                id if self.get(NameId(id - 1)) == name => return Some(NameId(id - 1)),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The number of a name, which is added if it is new.
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.find(name) {
            return id;
        }
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        let id = NameId(self.ends.len() as u32 - 1);
        if self.ends.len() > FEW_NAMES && self.ends.len() * 2 > self.table.len() {
            self.grow();
        } else if !self.table.is_empty() {
            self.place(id);
        }
        id
    }

    fn grow(&mut self) {
        self.table = thin_vec![0; (self.table.len() * 2).max(4 * FEW_NAMES)];
        for id in 0..self.ends.len() as u32 {
            self.place(NameId(id));
        }
    }

    fn place(&mut self, id: NameId) {
        let mask = self.table.len() - 1;
        let mut at = hash(self.get(id)) & mask;
        while self.table[at] != 0 {
            at = (at + 1) & mask;
        }
        self.table[at] = id.0 + 1;
    }
}

/// Names that are compared to find suggestions in a function or chunk.
pub(crate) const MAX_COMPARISONS: usize = 200_000;

/// The near name for the `nth` undefined name, counted from 1. With many of both only the first get suggestions.
pub(crate) fn suggestion<'n>(
    nth: usize,
    count: usize,
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    if nth.saturating_mul(count) > MAX_COMPARISONS { None } else { closest_name(word, names) }
}
