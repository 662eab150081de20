//! Mnemonics of a processor, and which of them are likely next to those around the cursor: tests of assemblers and tables list
//! instructions in the order of their names or opcodes.

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::Target;

use super::completion::List;
use super::formatting::VERBATIM;
use crate::answers::CompletionKind;

/// What a mnemonic can end with to choose an encoding.
const ENCODINGS: [&str; 5] = ["_e32", "_e64", "_dpp", "_sdwa", "_e64_dpp"];
/// Lines before and after the cursor that are looked at.
const LINES: usize = 1000;
/// Changes of the mnemonic by which an order is judged.
const CHANGES: usize = 8;
/// How many places apart in an order two mnemonics are neighbors.
const REACH: usize = 4;
/// The rank of a mnemonic that is not likely at all, and how much better one is that is certain.
const UNLIKELY: f32 = 50.0;
const BEST: f32 = 45.0;

/// A mnemonic that an assembler takes.
#[derive(Debug)]
pub(super) struct Mnemonic {
    pub(super) name: String,
    /// What it does.
    pub(super) text: String,
    /// It is the target's own name, and not one of another generation.
    pub(super) is_own: bool,
    opcode: u128,
}

impl Mnemonic {
    /// The suffix of an encoding.
    pub(super) fn suffix(&self) -> &str {
        wavelens_isa::split_mnemonic(&self.name).1
    }
}

/// Every mnemonic of a target with the suffixes that it takes, made once.
pub(super) fn mnemonics(target: Target) -> Arc<Vec<Mnemonic>> {
    type Cache = Mutex<FxHashMap<Target, Arc<Vec<Mnemonic>>>>;
    static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);
    let own: FxHashSet<&str> = target.mnemonics().collect();
    // LLVM also reads the names by which it tells rows of its tables apart.
    let is_internal = |base: &&&str| base.contains("_fake16") || base.ends_with("_t16");
    let with_suffixes = |base: &&'static str| {
        let longer = ENCODINGS.map(|suffix| format!("{base}{suffix}")).into_iter();
        let has_suffix = ENCODINGS.iter().any(|suffix| base.ends_with(suffix));
        let is_vector = base.starts_with("v_") && !base.starts_with("v_dual_") && !has_suffix;
        let longer = longer.filter(|name| is_vector && !wavelens_isa::templates(target, name).is_empty());
        let text = super::formula::describe_on(base, Some(target)).unwrap_or_default().markdown();
        let is_own = own.contains(base);
        let all = longer.chain([(*base).to_owned()]);
        let mnemonic = |name: String| {
            let opcode = wavelens_isa::opcode(target, &name).unwrap_or(0);
            Mnemonic { name, text: text.clone(), is_own, opcode }
        };
        all.map(mnemonic).collect::<Vec<_>>()
    };
    let mut cache = CACHE.lock().unwrap_or_else(|e| e.into_inner());
    cache
        .entry(target)
        .or_insert_with(|| {
            let names = target.spellings().iter().filter(|base| !is_internal(base));
            Arc::new(names.flat_map(with_suffixes).collect())
        })
        .clone()
}

/// An order in which instructions are listed.
#[derive(Debug, Clone, Copy)]
enum Order {
    Name,
    Opcode,
}

impl Order {
    fn compare(self, a: &Mnemonic, b: &Mnemonic) -> Ordering {
        match self {
            Order::Name => a.name.cmp(&b.name),
            Order::Opcode => (a.opcode, &a.name).cmp(&(b.opcode, &b.name)),
        }
    }

    /// The next mnemonics in the order after or before one, the next first.
    fn neighbors<'a>(self, all: &'a [Mnemonic], of: &Mnemonic, side: Ordering) -> Vec<&'a Mnemonic> {
        let is_next = |m: &&Mnemonic| is_listed_with(m, of) && self.compare(m, of) == side;
        let mut found: Vec<&Mnemonic> = all.iter().filter(is_next).collect();
        found.sort_by(|a, b| if side.is_gt() { self.compare(a, b) } else { self.compare(b, a) });
        found.truncate(REACH);
        found
    }
}

/// Lists are of one encoding, and of one generation's names.
fn is_listed_with(a: &Mnemonic, b: &Mnemonic) -> bool {
    a.is_own == b.is_own && a.name.as_bytes().first() == b.name.as_bytes().first() && a.suffix() == b.suffix()
}

/// Ranks of the mnemonics that come next in an order. How far an order is trusted depends on how often it went on like that in the lines
/// before.
pub(super) fn likely_mnemonics<'a>(all: &'a [Mnemonic], before: &str, after: &str) -> FxHashMap<&'a str, u8> {
    let known: FxHashMap<&str, &Mnemonic> = all.iter().map(|m| (m.name.as_str(), m)).collect();
    let above = changes(&known, before.lines().rev());
    let below = changes(&known, after.lines().skip(1));
    let mut scores: FxHashMap<&str, f32> = FxHashMap::default();
    let mut add = |found: &[&'a Mnemonic], trust: f32| {
        for (place, mnemonic) in found.iter().enumerate() {
            let score = scores.entry(&mnemonic.name).or_default();
            *score = score.max(trust * (1.0 - 0.1 * place as f32));
        }
    };
    for order in [Order::Name, Order::Opcode] {
        let steps = above.windows(2).map(|pair| (pair[1], pair[0]));
        let steps: Vec<_> = steps.chain(below.windows(2).map(|pair| (pair[0], pair[1]))).collect();
        let is_near = |(from, to): &&(&Mnemonic, &Mnemonic)| {
            order.neighbors(all, from, Ordering::Greater).iter().any(|near| near.name == to.name)
        };
        let hits = steps.iter().filter(is_near).count();
        let trust = (hits as f32 + PRIOR) / (steps.len() as f32 + 1.0);
        if let Some(last) = above.first() {
            add(&order.neighbors(all, last, Ordering::Greater), trust);
        }
        if let Some(next) = below.first() {
            add(&order.neighbors(all, next, Ordering::Less), trust);
        }
    }
    let rank = |score: f32| (UNLIKELY - BEST * score) as u8;
    scores.into_iter().map(|(name, score)| (name, rank(score))).collect()
}

/// How far an order is trusted of which nothing is known.
const PRIOR: f32 = 0.3;

/// The mnemonics of some lines, each once where it is repeated.
fn changes<'a, 't>(
    known: &FxHashMap<&str, &'a Mnemonic>,
    lines: impl Iterator<Item = &'t str>,
) -> Vec<&'a Mnemonic> {
    let mut found: Vec<&Mnemonic> = Vec::new();
    for line in lines.take(LINES) {
        let word = line.split_whitespace().next().unwrap_or("");
        let Some(mnemonic) = known.get(word) else { continue };
        if found.last().is_none_or(|last| last.name != mnemonic.name) {
            found.push(mnemonic);
        }
        if found.len() > CHANGES {
            break;
        }
    }
    found
}

/// What opens other blocks, and what ends or divides them.
const OTHER_BLOCKS: &[(&[&str], &[&str])] =
    &[(&[".if"], &[".endif", ".else", ".elseif"]), (&[".amdhsa_kernel"], &[".end_amdhsa_kernel"])];
const KERNEL: &str = ".amdhsa_kernel";
/// The settings without which a kernel cannot end.
const REQUIRED: [&str; 2] = [".amdhsa_next_free_vgpr", ".amdhsa_next_free_sgpr"];
/// Directives that a file has once, before its instructions.
const ONCE: [&str; 2] = [".amdgcn_target", ".amdhsa_code_object_version"];
/// Ranks of directives that are due, and of those that would be errors.
const DUE: u8 = 20;
pub(super) const WRONG: u8 = 76;

fn blocks() -> impl Iterator<Item = &'static (&'static [&'static str], &'static [&'static str])> {
    VERBATIM.iter().chain(OTHER_BLOCKS)
}

/// The blocks of directives that are open at the cursor.
#[derive(Default)]
pub(super) struct Blocks<'t> {
    /// What ends or divides the innermost one.
    ends: &'static [&'static str],
    in_kernel: bool,
    /// How many of the required settings the last kernel has.
    required: usize,
    /// Directives of which a file has one, as far as there are any.
    once: Vec<&'t str>,
    has_instructions: bool,
}

impl<'t> Blocks<'t> {
    pub(super) fn before(text: &'t str) -> Blocks<'t> {
        let mut open: Vec<&'static [&'static str]> = Vec::new();
        let mut found = Blocks::default();
        for line in text.lines() {
            let Some(word) = line.split_whitespace().next() else { continue };
            found.has_instructions |= word.starts_with(|c: char| c.is_ascii_lowercase());
            if !word.starts_with('.') {
                continue;
            }
            found.required += usize::from(REQUIRED.contains(&word));
            found.once.extend(ONCE.contains(&word).then_some(word));
            let opens = |(words, _): &&(&[&str], &[&str])| {
                words.contains(&word) || words.contains(&".if") && word.starts_with(".if")
            };
            if let Some((_, ends)) = blocks().find(opens) {
                open.push(ends);
                found.in_kernel = word == KERNEL;
                found.required = 0;
            } else if open.last().is_some_and(|ends| ends.contains(&word)) && !word.starts_with(".else") {
                open.pop();
                found.in_kernel = false;
            }
        }
        found.ends = open.last().copied().unwrap_or_default();
        found
    }

    /// The rank of a directive, if it depends on the blocks.
    pub(super) fn rank(&self, directive: &str) -> Option<u8> {
        if ONCE.contains(&directive) {
            let is_due = !self.has_instructions && !self.once.contains(&directive);
            return Some(if is_due { DUE } else { WRONG });
        }
        let is_end = blocks().any(|(_, ends)| ends.contains(&directive));
        if is_end && self.ends.contains(&directive) {
            let can_end = self.in_kernel && self.required == REQUIRED.len();
            return Some(if can_end { NEXT } else { DUE });
        }
        // A kernel descriptor has settings only.
        (is_end || self.in_kernel).then_some(WRONG)
    }
}

/// The rank of what goes on with the lines before.
pub(super) const NEXT: u8 = 0;

impl List<'_, '_> {
    /// What follows, in a list of names, the one that the line before has; none if it is another instruction or directive.
    fn next_of(&self, names: &[String]) -> Option<usize> {
        let line = statement_of(self.before().rsplit('\n').next()?);
        let above = statements_above(self.before()).next()?;
        if line.split_whitespace().next() != above.split_whitespace().next() {
            return None;
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let words: FxHashSet<&str> = above.split(|c| !is_word(c)).collect();
        names.iter().rposition(|name| words.contains(name.as_str())).map(|last| last + 1)
    }

    /// Adds names in their order: what follows the one in the line before comes first.
    pub(super) fn add_in_order(&mut self, names: Vec<String>, rank: u8, text: impl Fn(&str) -> String) {
        let next = self.next_of(&names);
        for (at, name) in names.iter().enumerate() {
            let rank = if next == Some(at) { NEXT } else { rank };
            self.documented(CompletionKind::Constant, name, rank, &text(name));
        }
    }
}

/// Statements above the last line of a text that are looked at, from the last.
pub(super) fn statements_above(before: &str) -> impl Iterator<Item = &str> {
    let lines = before.lines().rev().skip(usize::from(!before.ends_with('\n')));
    lines.take(ABOVE).map(statement_of).filter(|line| !line.is_empty())
}

/// Lines above the cursor in which a statement is looked for.
const ABOVE: usize = 32;

/// A line without its comment.
fn statement_of(line: &str) -> &str {
    line.split("//").next().and_then(|line| line.split(';').next()).unwrap_or("").trim()
}
