//! Making a text smaller while it stays interesting: hierarchical delta debugging on the tree.
//!
//! Each pass lists units, changes that do not depend on each other. They are tried all at once, then by halves down to single ones,
//! and kept where the text stays interesting. Passes go from large to small: entities, what the dialect knows about functions,
//! blocks and instructions (`reduce.rs` in its folder), lines, then the nodes of the tree level by level.

mod text;

use std::hash::BuildHasher;
use std::ops::ControlFlow;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use wavelens_syntax::Dialect;

use self::text::{Lines, apply, levels, without};
use crate::reduction_unit::{Stage, Unit};
use crate::{Options, Severity, TextEdit, check_text};

/// What a reduction came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduced {
    /// The reduced text.
    pub text: String,
    /// Texts that were tested.
    pub tests: usize,
    /// Whether all passes were tried until none made the text smaller; false if the test broke off.
    pub is_complete: bool,
}

/// Whether a text is still interesting; `Break` ends the reduction with the best text so far.
pub type Test<'a> = dyn FnMut(&str) -> ControlFlow<(), bool> + 'a;

/// A pass can make room for an earlier one; more rounds than this were not seen to help.
const ROUNDS: usize = 8;

/// Makes an interesting text smaller. The caller has tested the text itself. With `valid`, texts that have an error of a code that the
/// first text does not have are not tested: a test that runs a compiler takes far longer than a check.
pub fn reduce(dialect: Dialect, text: &str, valid: Option<&Options>, test: &mut Test<'_>) -> Reduced {
    let valid = valid.map(|options| (options, error_codes(dialect, text, options)));
    let mut reducer = Reducer {
        dialect,
        text: text.to_owned(),
        valid,
        test,
        tests: 0,
        tidies: false,
        failed: FxHashMap::default(),
        dull: Vec::new(),
        tried: FxHashSet::default(),
    };
    let ended = reducer.rounds();
    Reduced { text: reducer.text, tests: reducer.tests, is_complete: ended.is_continue() }
}

fn error_codes(dialect: Dialect, text: &str, options: &Options) -> FxHashSet<&'static str> {
    let findings = check_text(dialect, text, options);
    findings.iter().filter(|f| f.severity == Severity::Error || f.expected).map(|f| f.rule.code).collect()
}

struct Reducer<'t, 'a> {
    dialect: Dialect,
    /// The smallest interesting text so far.
    text: String,
    /// The codes of errors that a text may have.
    valid: Option<(&'t Options, FxHashSet<&'static str>)>,
    test: &'t mut Test<'a>,
    tests: usize,
    /// Whether definitions that nothing uses after the dialect's own passes go too.
    tidies: bool,
    /// Hashes of the changes that failed, with the length of the text then.
    failed: FxHashMap<u64, usize>,
    /// The valid texts that failed their test.
    dull: Vec<Lines>,
    /// Hashes of the texts that were tested or are not valid.
    tried: FxHashSet<u64>,
}

impl Reducer<'_, '_> {
    fn rounds(&mut self) -> ControlFlow<()> {
        for _ in 0..ROUNDS {
            let before = self.text.clone();
            self.keep(text::trivia(&self.text))?;
            self.keep(text::entities(self.dialect, &self.text))?;
            self.tidies = true;
            let tidied = self.finished(self.text.clone());
            if tidied != self.text {
                self.tidies = self.is_interesting(&tidied)?;
                if self.tidies {
                    self.text = tidied;
                }
            }
            for stage in [Stage::Functions, Stage::Blocks, Stage::Instructions] {
                self.keep(units(self.dialect, &self.text, stage))?;
            }
            self.tidies = false;
            self.keep(text::lines(&self.text))?;
            self.nodes()?;
            self.keep(units(self.dialect, &self.text, Stage::Operands))?;
            if self.text == before {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes out the nodes of the tree, one level after the other.
    fn nodes(&mut self) -> ControlFlow<()> {
        let mut depth = 1;
        loop {
            let levels = levels(self.dialect, &self.text);
            let Some(nodes) = levels.get(depth) else { return ControlFlow::Continue(()) };
            let units = nodes.iter().map(|range| vec![TextEdit::new(without(&self.text, *range), "")]);
            self.keep(units.collect())?;
            depth += 1;
        }
    }

    /// Applies as many of the units as leave the text interesting.
    fn keep(&mut self, units: Vec<Unit>) -> ControlFlow<()> {
        let base = self.text.clone();
        let mut kept = vec![false; units.len()];
        let mut width = units.len();
        while width > 0 {
            for start in (0..units.len()).step_by(width) {
                let window = start..(start + width).min(units.len());
                if kept.get(window.clone()).is_some_and(|kept| kept.iter().all(|k| *k)) {
                    continue;
                }
                let own = units.get(window.clone()).unwrap_or(&[]).iter().flatten();
                let change =
                    FxBuildHasher.hash_one(own.map(|edit| text::change(&base, edit)).collect::<Vec<_>>());
                if self.failed.get(&change).is_some_and(|length| !is_much_shorter(self.text.len(), *length)) {
                    continue;
                }
                let chosen = units.iter().zip(&kept).enumerate();
                let chosen = chosen.filter(|(n, (_, kept))| **kept || window.contains(n));
                let trial = apply(&base, chosen.flat_map(|(_, (unit, _))| unit));
                let trial = trial.map(|trial| self.finished(trial));
                let Some(trial) = trial.filter(|trial| *trial != self.text) else { continue };
                if self.is_interesting(&trial)? {
                    self.text = trial;
                    kept.iter_mut().take(window.end).skip(window.start).for_each(|k| *k = true);
                } else {
                    self.failed.insert(change, self.text.len());
                }
            }
            width /= 2;
        }
        ControlFlow::Continue(())
    }

    /// A text to test: where the dialect's own passes change it, without the definitions that nothing uses after them.
    fn finished(&self, text: String) -> String {
        match self.dialect {
            Dialect::Mir if self.tidies => crate::mir::reduce::repaired(&self.text, &text),
            _ => text,
        }
    }

    fn is_interesting(&mut self, text: &str) -> ControlFlow<(), bool> {
        let is_new = !text.trim().is_empty() && self.tried.insert(FxBuildHasher.hash_one(text));
        let lines = Lines::new(text);
        // What was needed is missing in a part of a text too.
        if !is_new || self.dull.iter().any(|dull| lines.are_in(dull)) || !self.is_valid(text) {
            return ControlFlow::Continue(false);
        }
        self.tests += 1;
        let is_interesting = (self.test)(text)?;
        if !is_interesting && self.valid.is_some() {
            self.dull.push(lines);
        }
        ControlFlow::Continue(is_interesting)
    }

    fn is_valid(&self, text: &str) -> bool {
        let Some((options, codes)) = &self.valid else { return true };
        error_codes(self.dialect, text, options).is_subset(codes)
    }
}

/// Whether a change that failed in a longer text may succeed: what it depended on may be gone.
fn is_much_shorter(length: usize, longer: usize) -> bool {
    length * 5 < longer * 4
}

fn units(dialect: Dialect, text: &str, stage: Stage) -> Vec<Unit> {
    match dialect {
        Dialect::Llvm => crate::llvm::reduce::units(text, stage),
        Dialect::Mir => crate::mir::reduce::units(text, stage),
        Dialect::Spirv => crate::spirv::reduce::units(text, stage),
        Dialect::Amdgpu => crate::amdgpu::reduce::units(text, stage),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::{Options, check_text};

    /// Reduces a text as long as the code is reported, and no error of a code that it did not have.
    fn while_reported(dialect: Dialect, text: &str, code: &str) -> String {
        let codes = |text: &str| -> Vec<&str> {
            let mut findings = check_text(dialect, text, &Options::default());
            findings.retain(|f| f.severity == crate::Severity::Error);
            findings.iter().map(|f| f.rule.code).collect()
        };
        let before = codes(text);
        let keeps = |text: &str| {
            let found = codes(text);
            found.contains(&code) && found.iter().all(|c| before.contains(c))
        };
        assert!(keeps(text));
        let reduced = reduce(dialect, text, None, &mut |text| ControlFlow::Continue(keeps(text)));
        assert!(reduced.is_complete && reduced.tests > 0);
        reduced.text.lines().flat_map(|line| [line.trim_start(), "\n"]).collect()
    }

    #[test]
    fn llvm_ir_shrinks_to_the_mistake() {
        let text = include_str!("../../../../examples/saxpy.ll");
        let text = text.replace("icmp slt i32 %i, %n", "icmp slt float %i, %n");
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
        let text = include_str!("../../../../examples/broken/saxpy.spvasm")
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
        let text = include_str!("../../../../examples/broken/saxpy.s");
        expect![[r#"
            	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
            	s_load_b128 s[1:4]
        "#]]
        .assert_eq(&while_reported(Dialect::Amdgpu, text, "register-alignment"));
    }

    #[test]
    fn a_test_that_breaks_off_leaves_the_best_so_far() {
        let mut left = 2;
        let reduced = reduce(Dialect::Amdgpu, "s_nop 0\ns_nop 1\ns_endpgm\n", None, &mut |text| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(text.contains("s_endpgm")) }
        });
        assert_eq!((reduced.tests, reduced.is_complete), (2, false));
    }
}
