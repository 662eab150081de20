//! Making a text smaller while it stays interesting: hierarchical delta debugging on the tree.
//!
//! Each pass lists units, changes that do not depend on each other. They are tried all at once, then by halves down to single ones,
//! and kept where the text stays interesting. Passes go from large to small: entities, what the dialect knows about functions,
//! blocks and instructions (`reduce.rs` in its folder), lines, then the nodes of the tree level by level.
//!
//! The search only asks. Whoever answers may copy it, to see what it asks next if the answer is this or that.

mod text;

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use wavelens_syntax::Dialect;

use self::text::{Lines, apply, levels, without};
use crate::check_text;
use wavelens_base::reduction_unit::{Stage, Unit};
use wavelens_base::{Options, Severity, TextEdit};

/// A pass can make room for an earlier one; more rounds than this were not seen to help.
const ROUNDS: usize = 8;

/// A search for a smaller text that is still interesting: [`question`](Search::question) and [`answer`](Search::answer) by turns.
#[derive(Clone)]
pub struct Search<'o> {
    dialect: Dialect,
    /// The smallest interesting text so far.
    text: String,
    valid: Option<Valid<'o>>,
    /// What each text says, as the first does.
    target: Vec<String>,
    /// How many rounds have begun, and the text at the start of this one.
    round: usize,
    before: String,
    step: Step,
    pass: Pass,
    asked: Option<Asked>,
    /// Whether definitions that nothing uses after the dialect's own passes go too.
    tidies: bool,
    /// Hashes of the changes that failed, with the length of the text then.
    failed: FxHashMap<u64, usize>,
    /// The valid texts that are not interesting.
    dull: Vec<Arc<Lines>>,
    /// Hashes of the texts that were asked about or are not valid.
    tried: FxHashSet<u64>,
}

/// The codes of errors that a text may have.
#[derive(Clone)]
struct Valid<'o> {
    options: &'o Options,
    codes: Arc<FxHashSet<&'static str>>,
}

/// What is tried in a round, in this order.
#[derive(Clone, Copy)]
enum Step {
    Trivia,
    Entities,
    /// Definitions that nothing uses, all at once.
    Unused,
    Stage(Stage),
    Lines,
    /// The nodes at a depth of the tree.
    Nodes(usize),
    End,
}

/// Units that are tried by halves.
#[derive(Clone)]
struct Pass {
    base: Arc<str>,
    units: Arc<[Unit]>,
    kept: Vec<bool>,
    /// How many units are tried at once, and the first of those that come next.
    width: usize,
    start: usize,
}

/// A text without an answer yet.
#[derive(Clone)]
struct Asked {
    text: String,
    /// The units that it takes out, and the hash of their changes; nothing for the step `Unused`.
    trial: Option<(Range<usize>, u64)>,
}

impl<'o> Search<'o> {
    /// A search from an interesting text. With `valid`, it does not ask about texts that have an error of a code that this text does
    /// not have: a test that runs a compiler takes far longer than a check.
    pub fn new(dialect: Dialect, text: &str, valid: Option<&'o Options>) -> Self {
        let codes = |options| Arc::new(error_codes(dialect, text, options));
        Search {
            dialect,
            text: text.to_owned(),
            valid: valid.map(|options| Valid { options, codes: codes(options) }),
            target: Vec::new(),
            round: 0,
            before: String::new(),
            step: Step::End,
            pass: Pass::new("", Vec::new()),
            asked: None,
            tidies: false,
            failed: FxHashMap::default(),
            dull: Vec::new(),
            tried: FxHashSet::default(),
        }
    }

    /// Each text says what it is compiled for, as the first does: a RUN line, the triple, the processor.
    #[must_use]
    pub fn with_target(self) -> Self {
        Search { target: text::target(&self.text), ..self }
    }

    /// The smallest interesting text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The next text to test; nothing if all passes were tried and none makes the text smaller.
    pub fn question(&mut self) -> Option<String> {
        loop {
            while let Some(window) = self.pass.next_window() {
                if let Some(asked) = self.trial(window) {
                    return Some(self.ask(asked));
                }
            }
            if let Some(asked) = self.next_step()? {
                return Some(self.ask(asked));
            }
        }
    }

    /// Whether the text asked about is interesting.
    pub fn answer(&mut self, is_interesting: bool) {
        let Some(Asked { text, trial }) = self.asked.take() else { return };
        if is_interesting {
            self.text = text;
            self.pass.accept(trial.map_or(0..0, |(window, _)| window));
            return;
        }
        if self.valid.is_some() {
            self.dull.push(Arc::new(Lines::new(&text)));
        }
        match trial {
            Some((_, change)) => drop(self.failed.insert(change, self.text.len())),
            None => self.tidies = false,
        }
    }

    fn ask(&mut self, asked: Asked) -> String {
        self.asked.insert(asked).text.clone()
    }

    /// Begins the next step; nothing after the last one. A step that is a single change is a question at once.
    fn next_step(&mut self) -> Option<Option<Asked>> {
        self.step = match self.step {
            Step::Trivia => Step::Entities,
            Step::Entities => Step::Unused,
            Step::Unused => Step::Stage(Stage::Functions),
            Step::Stage(Stage::Functions) => Step::Stage(Stage::Blocks),
            Step::Stage(Stage::Blocks) => Step::Stage(Stage::Instructions),
            Step::Stage(Stage::Instructions) => Step::Stage(Stage::Values),
            Step::Stage(Stage::Values) => Step::Lines,
            Step::Lines => Step::Nodes(1),
            Step::Nodes(depth) => Step::Nodes(depth + 1),
            Step::Stage(Stage::Operands) => Step::End,
            Step::End if self.round == ROUNDS || self.text == self.before => return None,
            Step::End => {
                self.round += 1;
                self.before.clone_from(&self.text);
                Step::Trivia
            }
        };
        let units = match self.step {
            Step::Trivia => text::trivia(&self.text, !self.target.is_empty()),
            Step::Entities => text::entities(self.dialect, &self.text),
            Step::Unused => {
                self.tidies = true;
                let text = self.finished(self.text.clone());
                if text == self.text {
                    return Some(None);
                }
                self.tidies = self.is_to_ask(&text);
                return Some(self.tidies.then_some(Asked { text, trial: None }));
            }
            Step::Stage(stage) => units(self.dialect, &self.text, stage),
            Step::Lines => {
                self.tidies = false;
                text::lines(&self.text)
            }
            Step::Nodes(depth) => match levels(self.dialect, &self.text).get(depth) {
                Some(nodes) => {
                    let edit = |range| TextEdit::new(without(&self.text, range), "");
                    nodes.iter().map(|range| vec![edit(*range)]).collect()
                }
                None => {
                    self.step = Step::Stage(Stage::Operands);
                    units(self.dialect, &self.text, Stage::Operands)
                }
            },
            Step::End => Vec::new(),
        };
        self.pass = Pass::new(&self.text, units);
        Some(None)
    }

    /// The text without the units of a window, if it is worth a test.
    fn trial(&mut self, window: Range<usize>) -> Option<Asked> {
        let change = self.pass.change(&window)?;
        if self.failed.get(&change).is_some_and(|length| !is_much_shorter(self.text.len(), *length)) {
            return None;
        }
        let text = self.finished(self.pass.text_without(&window)?);
        if text == self.text {
            return None;
        }
        // A change that is not valid now, because a name is still used, may be later: only answers are remembered.
        if !self.is_to_ask(&text) {
            return None;
        }
        Some(Asked { text, trial: Some((window, change)) })
    }

    /// A text to test: where the dialect's own passes change it, without the definitions that nothing uses after them.
    fn finished(&self, text: String) -> String {
        match self.dialect {
            Dialect::Mir if self.tidies => wavelens_mir::reduce::repaired(&self.text, &text),
            _ => text,
        }
    }

    fn is_to_ask(&mut self, text: &str) -> bool {
        let is_new = !text.trim().is_empty() && self.tried.insert(FxBuildHasher.hash_one(text));
        if !self.target.iter().all(|part| text.contains(part.as_str())) {
            return false;
        }
        let lines = Lines::new(text);
        // What was needed is missing in a part of a text too.
        is_new && !self.dull.iter().any(|dull| lines.are_in(dull)) && self.is_valid(text)
    }

    fn is_valid(&self, text: &str) -> bool {
        let Some(Valid { options, codes }) = &self.valid else { return true };
        error_codes(self.dialect, text, options).is_subset(codes)
    }
}

impl Pass {
    fn new(base: &str, units: Vec<Unit>) -> Self {
        Pass {
            base: base.into(),
            kept: vec![false; units.len()],
            width: units.len(),
            start: 0,
            units: units.into(),
        }
    }

    /// The next units to try at once.
    fn next_window(&mut self) -> Option<Range<usize>> {
        while self.width > 0 {
            if self.start < self.units.len() {
                let window = self.start..(self.start + self.width).min(self.units.len());
                self.start = window.end;
                return Some(window);
            }
            self.start = 0;
            self.width /= 2;
        }
        None
    }

    /// A hash of what the units of a window change; nothing if all of them are kept already.
    fn change(&self, window: &Range<usize>) -> Option<u64> {
        if self.kept.get(window.clone())?.iter().all(|kept| *kept) {
            return None;
        }
        let edits = self.units.get(window.clone())?.iter().flatten();
        let changes: Vec<_> = edits.map(|edit| text::change(&self.base, edit)).collect();
        Some(FxBuildHasher.hash_one(changes))
    }

    /// The text with the changes that are kept, and those of a window.
    fn text_without(&self, window: &Range<usize>) -> Option<String> {
        let chosen = self.units.iter().zip(&self.kept).enumerate();
        let chosen = chosen.filter(|(n, (_, kept))| **kept || window.contains(n));
        apply(&self.base, chosen.flat_map(|(_, (unit, _))| unit))
    }

    fn accept(&mut self, window: Range<usize>) {
        self.kept.get_mut(window).unwrap_or_default().fill(true);
    }
}

fn error_codes(dialect: Dialect, text: &str, options: &Options) -> FxHashSet<&'static str> {
    let findings = check_text(dialect, text, options);
    findings.iter().filter(|f| f.severity == Severity::Error || f.expected).map(|f| f.rule.code).collect()
}

/// Whether a change that failed in a longer text may succeed: what it depended on may be gone.
fn is_much_shorter(length: usize, longer: usize) -> bool {
    length * 5 < longer * 4
}

fn units(dialect: Dialect, text: &str, stage: Stage) -> Vec<Unit> {
    match dialect {
        Dialect::Llvm => wavelens_llvm::reduce::units(text, stage),
        Dialect::Mir => wavelens_mir::reduce::units(text, stage),
        Dialect::Spirv => wavelens_spirv::reduce::units(text, stage),
        Dialect::Amdgpu => wavelens_amdgpu::reduce::units(text, stage),
    }
}

#[cfg(test)]
mod unit_tests;
#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::check_text;
    use wavelens_base::Options;

    /// Reduces a text as long as the code is reported, and no error of a code that it did not have.
    fn while_reported(dialect: Dialect, text: &str, code: &str) -> String {
        let codes = |text: &str| -> Vec<&str> {
            let mut findings = check_text(dialect, text, &Options::default());
            findings.retain(|f| f.severity == wavelens_base::Severity::Error);
            findings.iter().map(|f| f.rule.code).collect()
        };
        let before = codes(text);
        let keeps = |text: &str| {
            let found = codes(text);
            found.contains(&code) && found.iter().all(|c| before.contains(c))
        };
        assert!(keeps(text));
        let mut search = Search::new(dialect, text, None);
        while let Some(text) = search.question() {
            search.answer(keeps(&text));
        }
        search.text().lines().flat_map(|line| [line.trim_start(), "\n"]).collect()
    }

    #[test]
    fn llvm_ir_shrinks_to_the_mistake() {
        let text = include_str!("../../../../examples/saxpy.ll");
        let text = text.replace("icmp slt i32 %i, %n", "icmp slt float poison, poison");
        expect![[r#"
            define  void @saxpy( )  {
            icmp slt float poison, poison
            unreachable
            }
        "#]]
        .assert_eq(&while_reported(Dialect::Llvm, &text, "invalid-operand"));
    }

    #[test]
    fn spirv_shrinks_to_the_mistake() {
        let text = include_str!("../../../../examples-broken/saxpy.spvasm")
            .replace("OpSelectionMerge %30 None", "OpNop");
        expect![[r#"
            OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main"
            %void = OpTypeVoid
            %3 = OpTypeFunction %void
            %float = OpTypeFloat 32
            %main = OpFunction %void None %3
            %5 = OpLabel
            %47 = OpUndef %float
            %50 = OpUndef %float
            %51 = OpIAdd %float %47 %50
            OpReturn
            OpFunctionEnd
        "#]]
        .assert_eq(&while_reported(Dialect::Spirv, &text, "operand-type"));
    }

    #[test]
    fn machine_ir_shrinks_to_the_mistake() {
        let text = include_str!("../../../../examples/saxpy.mir").replace("G_ADD %24, %22", "G_ADD %24, %18");
        expect![[r#"
            name:            saxpy
            body:             |
            bb.1.entry:
            %24:_(s32) = IMPLICIT_DEF
            %18:_(s64) = IMPLICIT_DEF
            %25:_(s32) = G_ADD %24, %18
        "#]]
        .assert_eq(&while_reported(Dialect::Mir, &text, "generic-type-mismatch"));
    }

    #[test]
    fn assembly_shrinks_to_the_mistake() {
        let text = include_str!("../../../../examples-broken/saxpy.s");
        expect![[r#"
            	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
            	s_load_b128 s[1:4]
        "#]]
        .assert_eq(&while_reported(Dialect::Amdgpu, text, "register-alignment"));
    }

    #[test]
    fn what_a_text_is_compiled_for_stays() {
        let text = "; RUN: llc -mcpu=gfx900 %s\n; RUN: llc -mcpu=gfx906 %s\ntarget triple = \"amdgcn\"\n\
            define void @f() {\n  ret void\n}\n";
        let mut search = Search::new(Dialect::Llvm, text, None).with_target();
        while search.question().is_some() {
            search.answer(true);
        }
        expect![[r#"
            ; RUN: llc -mcpu=gfx906 %s
            target triple = "amdgcn"
        "#]]
        .assert_eq(search.text());
    }

    #[test]
    fn a_copy_asks_what_follows_from_another_answer() {
        let mut search = Search::new(Dialect::Amdgpu, "s_nop 0\ns_nop 1\ns_nop 2\ns_endpgm\n", None);
        let all = search.question();
        let mut copy = search.clone();
        copy.answer(true);
        search.answer(false);
        let (half, after_all) = (search.question(), copy.question());
        expect![[r#"
            (
                Some(
                    "s_nop 2\ns_endpgm\n",
                ),
                Some(
                    "s_nop 0\ns_nop 1\n",
                ),
                Some(
                    "s_endpgm\n",
                ),
            )
        "#]]
        .assert_debug_eq(&(all, half, after_all));
        assert_eq!(search.text().lines().count(), 4);
    }
}
