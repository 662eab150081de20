//! Checking after an edit: rules look again only at instructions for which something they read has changed.
//!
//! While rules look at an instruction of a large function, the context notes which other instructions they read. If all of these are what
//! they were, in the same module, the rules would find the same. Only the absence of faults is remembered: what is wrong is looked at again.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::code::Code;
use super::context::{EVERYTHING, RuleContext};
use super::flat::{Flat, FlatInst, Form};
use super::ops;
use crate::Fault;

/// Tells the modules that were built from each other. It says nothing about what they hold.
#[derive(Debug)]
pub(super) struct Stamp(u64);

impl Default for Stamp {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Stamp(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl PartialEq for Stamp {
    fn eq(&self, _: &Stamp) -> bool {
        true
    }
}

/// The last check of a chunk's instructions, if it was one of a large function.
#[derive(Debug, Default)]
pub(crate) struct LastCheck(Mutex<Option<Known>>);

#[derive(Debug)]
struct Known {
    stamp: u64,
    flat: Arc<Flat>,
    code: Arc<Code>,
    reads: Reads,
}

/// What was read for each instruction: indexes of others, or [`EVERYTHING`] if its rules have to look again in any case.
#[derive(Debug, Default)]
struct Reads {
    /// The end of each instruction's part of `read`.
    ends: Vec<u32>,
    read: Vec<u32>,
}

/// Rules that read more instructions than this look again each time.
const FEW: usize = 16;

/// What is unchanged on both sides of a change counts as changed for so many instructions: their neighbours are others.
const MARGIN: usize = 2;

/// The fewest instructions that are worth another thread.
const SHARE: usize = 1024;

type Faults = Vec<(u32, Box<Fault>)>;
type Check = fn(&RuleContext<'_>, u32) -> Option<Box<Fault>>;

impl LastCheck {
    /// The faults of all instructions, in order, where `check` finds the one of an instruction.
    pub(super) fn faults(&self, m: &RuleContext<'_>, flat: &Arc<Flat>, check: Check) -> Faults {
        let Some(code) = m.own_code().filter(|code| !code.iter().any(|inst| ops::generates_type(inst.op())))
        else {
            // What is known of types is kept from one instruction to the next, so it is not noted who read them.
            return faults(m, check);
        };
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let same = known.as_ref().filter(|known| known.stamp == m.scope.stamp.0);
        let same = same.and_then(|known| Some((known, Same::new(known, flat, code)?)));
        let (found, reads) = match same {
            Some((known, same)) => check_changed(m, known, &same, check),
            None => check_all(m, check),
        };
        let known = Known { stamp: m.scope.stamp.0, flat: flat.clone(), code: code.clone(), reads };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        found
    }
}

/// The faults of all instructions, in order. Those of a large function are looked for on all cores.
pub(super) fn faults(m: &RuleContext<'_>, check: Check) -> Faults {
    if is_ordered(m) {
        return (m.first..m.first + m.count).filter_map(|at| Some((at, check(m, at)?))).collect();
    }
    let parts = shares(m, |m| m.fork());
    let find = |(m, range): (RuleContext<'_>, Range<u32>)| -> Faults {
        range.filter_map(|at| Some((at, check(&m, at)?))).collect()
    };
    parts.into_par_iter().flat_map_iter(find).collect()
}

fn check_all(m: &RuleContext<'_>, check: Check) -> (Faults, Reads) {
    let parts = shares(m, |m| m.recording());
    let look = |(m, range): (RuleContext<'_>, Range<u32>)| {
        let (mut faults, mut reads) = (Faults::new(), Reads::default());
        for at in range {
            faults.extend(look_at(&m, at, check, &mut reads));
        }
        (faults, reads)
    };
    let parts: Vec<_> = parts.into_par_iter().map(look).collect();
    let (mut faults, mut reads) = (Faults::new(), Reads::default());
    for (found, part) in parts {
        faults.extend(found);
        let before = reads.read.len() as u32;
        reads.ends.extend(part.ends.iter().map(|end| end + before));
        reads.read.extend(part.read);
    }
    (faults, reads)
}

/// The instructions in parts, each with a context.
fn shares<'m>(
    m: &'m RuleContext<'_>,
    context: impl Fn(&'m RuleContext<'_>) -> RuleContext<'m>,
) -> Vec<(RuleContext<'m>, Range<u32>)> {
    let share = if is_ordered(m) { m.count as usize } else { SHARE };
    let firsts = (m.first..m.first + m.count).step_by(share.max(1));
    firsts.map(|at| (context(m), at..(at + share as u32).min(m.first + m.count))).collect()
}

/// Below a number of names similar ones are looked for, a limited number in all: in order.
fn is_ordered(m: &RuleContext<'_>) -> bool {
    m.flat.names.len() <= super::rules::id::COMPARED
}

fn check_changed(m: &RuleContext<'_>, known: &Known, same: &Same, check: Check) -> (Faults, Reads) {
    let m = m.recording();
    let (mut faults, mut reads) = (Faults::new(), Reads::default());
    reads.ends.reserve(m.count as usize);
    reads.read.reserve(known.reads.read.len());
    for at in 0..m.count {
        let read = same.old(at).map(|old| known.reads.of(old));
        match read.filter(|read| read.iter().all(|read| same.stays(*read))) {
            Some(read) => reads.add(read.iter().map(|read| same.new_index(*read))),
            None => faults.extend(look_at(&m, at, check, &mut reads)),
        }
    }
    (faults, reads)
}

fn look_at(m: &RuleContext<'_>, at: u32, check: Check, reads: &mut Reads) -> Option<(u32, Box<Fault>)> {
    #[cfg(test)]
    tests_support::LOOKS.set(tests_support::LOOKS.get() + 1);
    m.take_reads();
    let fault = check(m, at);
    let mut read = m.take_reads();
    read.sort_unstable();
    read.dedup();
    match fault {
        None if read.len() <= FEW => reads.add(read.into_iter().filter(|read| *read != at)),
        _ => reads.add([EVERYTHING].into_iter()),
    }
    Some((at, fault?))
}

impl Reads {
    fn add(&mut self, read: impl Iterator<Item = u32>) {
        self.read.extend(read);
        self.ends.push(self.read.len() as u32);
    }

    fn of(&self, inst: usize) -> &[u32] {
        let start = inst.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(inst).copied().unwrap_or(start);
        self.read.get(start as usize..end as usize).unwrap_or(&[EVERYTHING])
    }
}

/// Which instructions are what they were.
struct Same {
    /// So many at the start.
    front: usize,
    /// The first old one, and the first new one, of those at the end.
    back: (usize, usize),
    /// Old ones among these that cannot be understood any more, or now can.
    others: Vec<usize>,
}

impl Same {
    /// `None` if a name means another instruction without a change of the instructions that mention it.
    fn new(known: &Known, flat: &Flat, code: &Code) -> Option<Same> {
        let (old, new) = (&known.flat.insts, &flat.insts);
        let equal = |(a, b): &(&FlatInst, &FlatInst)| is_same(&known.flat, a, flat, b);
        let front = old.iter().zip(new).take_while(equal).count();
        let rest = old.len().min(new.len()) - front;
        let back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(equal).count();
        let (front, back) = (front.saturating_sub(MARGIN), back.saturating_sub(MARGIN));
        let back = (old.len() - back, new.len() - back);
        let is_taken = |inst: &FlatInst| {
            let def = flat.names.get(inst.result as usize).map_or(0, |name| name.def as usize);
            (front..back.1).contains(&def)
        };
        if new[back.1..].iter().any(is_taken) {
            return None;
        }
        let mut same = Same { front, back, others: Vec::new() };
        let fate = |code: &Code, at: usize| code.insts.get(at).map(|inst| (inst.flags, inst.set));
        let is_other =
            |old: &usize| fate(&known.code, *old) != fate(code, same.new_index(*old as u32) as usize);
        same.others = (0..front).chain(back.0..old.len()).filter(is_other).collect();
        Some(same)
    }

    /// The old index of an instruction.
    fn old(&self, new: u32) -> Option<usize> {
        let new = new as usize;
        let old = match new {
            _ if new < self.front => new,
            _ => self.back.0 + new.checked_sub(self.back.1)?,
        };
        (!self.is_other(old)).then_some(old)
    }

    fn stays(&self, old: u32) -> bool {
        let index = old as usize;
        old != EVERYTHING && (index < self.front || index >= self.back.0) && !self.is_other(index)
    }

    fn is_other(&self, old: usize) -> bool {
        !self.others.is_empty() && self.others.binary_search(&old).is_ok()
    }

    /// The new index of an instruction that stays.
    fn new_index(&self, old: u32) -> u32 {
        match old as usize {
            index if index < self.front => old,
            index => (index - self.back.0 + self.back.1) as u32,
        }
    }
}

/// Whether two instructions say the same.
fn is_same(a: &Flat, one: &FlatInst, b: &Flat, other: &FlatInst) -> bool {
    let (own, others) = (a.operands_of(one), b.operands_of(other));
    let hash = |flat: &Flat, name: u32| flat.names.get(name as usize).map(|n| n.hash);
    (one.op, one.flags) == (other.op, other.flags)
        && hash(a, one.result) == hash(b, other.result)
        && own.len() == others.len()
        && own.iter().zip(others).all(|(x, y)| {
            (x.kind, x.form) == (y.kind, y.form)
                && match x.form {
                    Form::Id => hash(a, x.value) == hash(b, y.value),
                    Form::Word => x.value == y.value,
                    Form::Text => a.string(x.value) == b.string(y.value),
                }
        })
}

#[cfg(test)]
mod tests_support {
    use std::cell::Cell;

    thread_local! {
        /// How many instructions rules looked at in this thread.
        pub(super) static LOOKS: Cell<usize> = const { Cell::new(0) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use expect_test::expect;

    use crate::spirv::{LastLowered, check, lower, lower_again, scope, summarize};
    use crate::{ChunkId, Options};

    const PREAMBLE: &str = "OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%name = OpString \"a\"
OpDecorate %v7 RelaxedPrecision
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%float = OpTypeFloat 32
%int = OpTypeInt 32 0
%pointer = OpTypePointer Function %float
%c = OpConstant %float 1
%i = OpConstant %int 1
";

    /// A function with blocks, loads, stores, selections and switches.
    fn function(blocks: usize) -> String {
        let mut text = "%f = OpFunction %void None %fn\n%start = OpLabel\n%x = OpVariable %pointer Function\nOpBranch %b0\n".to_owned();
        for n in 0..blocks {
            text.push_str(&format!(
                "%b{n} = OpLabel ; block\n  %v{n} = OpLoad %float %x\n  %w{n} = OpFAdd %float %v{n} %c\n  %s{n} = OpIAdd %int %i %i\n\
                 OpStore %x %w{n}\nOpSelectionMerge %e{n} None\nOpSwitch %s{n} %e{n} 1 %d{n} 2 %e{n}\n\
                 %d{n} = OpLabel\nOpLine %name {n} 1\nOpBranch %e{n}\n%e{n} = OpLabel\nOpBranch %b{}\n",
                n + 1
            ));
        }
        text + &format!("%b{blocks} = OpLabel\nOpReturn\nOpFunctionEnd\n")
    }

    /// Findings as text, in the order of the text: lowering and checking a new text, or one that is edited.
    fn findings(text: &Arc<str>, last: Option<&LastLowered>, scope: &crate::spirv::Scope) -> String {
        let lowered = match last {
            Some(last) => lower_again(text, last),
            None => Arc::new(lower(text)),
        };
        let mut lines: Vec<String> =
            check(&lowered, scope, ChunkId(1), text).iter().map(|found| format!("{found:?}")).collect();
        lines.sort();
        lines.join("\n")
    }

    #[test]
    fn an_edited_function_is_checked_like_a_new_one() {
        let mut text = function(120);
        let last = LastLowered::default();
        let mut random = 7u64;
        let mut next = |limit: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % limit
        };
        let words = [
            "q",
            "",
            "%v3",
            " ",
            "\n",
            "%w5 = OpFAdd %float %c %c\n",
            "%float",
            "OpReturn\n",
            "\"",
            "; ",
            "= ",
            "7",
            "!",
            "%0x5 ",
        ];
        let preamble = Arc::new(summarize(&lower(PREAMBLE)));
        let mut scopes = None;
        for round in 0..80 {
            let (at, length) = (next(text.len() - 40), [0, 0, 1, 1, 12][next(5)]);
            let before = text.clone();
            text.replace_range(at..at + length, words[next(words.len())]);
            for text in [&text, &before] {
                let text: Arc<str> = Arc::from(text.as_str());
                let lowered = lower(&text);
                let again = lower_again(&text, &last);
                assert_eq!(again.flat, lowered.flat, "round {round} at {at}");
                assert_eq!(again.inst_ranges, lowered.inst_ranges, "round {round} at {at}");
                assert_eq!(again.operand_ranges, lowered.operand_ranges, "round {round} at {at}");
                // The same scope goes on for several edits, as in an editor.
                let summaries = [(ChunkId(0), preamble.clone()), (ChunkId(1), Arc::new(summarize(&lowered)))];
                if scopes.is_none() || round % 5 == 0 {
                    scopes = Some(scope(&summaries, &Options::default()));
                }
                let scope = scopes.as_ref().expect("it is set");
                assert_eq!(
                    findings(&text, Some(&last), scope),
                    findings(&text, None, scope),
                    "round {round} at {at}"
                );
            }
            if round % 3 > 0 {
                text = before;
            }
            if text.len() < 36 << 10 || round % 50 == 0 {
                text = function(120);
            }
        }
    }

    #[test]
    fn rules_look_again_at_what_an_edit_changed() {
        let text = function(600);
        let last = LastLowered::default();
        let preamble = Arc::new(summarize(&lower(PREAMBLE)));
        let lowered = lower_again(&Arc::from(text.as_str()), &last);
        let summaries = [(ChunkId(0), preamble), (ChunkId(1), Arc::new(summarize(&lowered)))];
        let scope = scope(&summaries, &Options::default());
        let looked = |text: &str| {
            let lowered = lower_again(&Arc::from(text), &last);
            super::tests_support::LOOKS.set(0);
            check(&lowered, &scope, ChunkId(1), text);
            super::tests_support::LOOKS.get()
        };
        let edited = text.replace("%w300 = OpFAdd %float %v300 %c", "%w300 = OpFAdd %float %v300 %v300");
        let undefined = text.replace("%v300 = OpLoad", "%v300q = OpLoad");
        expect![[r#"(7207, 7, 7)"#]]
            .assert_eq(&format!("{:?}", (looked(&text), looked(&edited), looked(&undefined))));
    }
}
