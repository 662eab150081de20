//! Checks of one file for several processors. The findings for one hold for every other with the same facts.

use std::sync::{Arc, Mutex, PoisonError};

use wavelens_isa::{Dependencies, Target, Traits, with_dependencies};

use super::assembler::program::Program;
use super::assembler::{Assembler, Mode};
use super::flow::{EffectsTable, effects_of, functions};
use super::rules::hazards::Families;
use super::scope::{Scope, Settings};
use super::{Lowered, check_flow};
use crate::{Diagnostic, TextSize};

/// What was found in a file so far.
#[derive(Debug, Default)]
pub(crate) struct SharedChecks(Mutex<Vec<Arc<Assembled>>>);

/// A file as it was assembled for a processor.
#[derive(Debug)]
struct Assembled {
    target: Target,
    dependencies: Dependencies,
    settings: Arc<Settings>,
    /// Directives were compared with the configuration.
    reads_configuration: bool,
    program: Program,
    /// Of all instructions.
    traits: Traits,
    diagnostics: Vec<Diagnostic>,
    effects: Mutex<Vec<Arc<Effects>>>,
    flows: Mutex<Vec<Arc<Flow>>>,
}

/// What the instructions of each function do on a processor.
#[derive(Debug)]
struct Effects {
    target: Target,
    dependencies: Dependencies,
    functions: Vec<Arc<EffectsTable>>,
}

/// What the rules that follow the control flow found for a processor.
#[derive(Debug)]
struct Flow {
    target: Target,
    dependencies: Dependencies,
    effects: Arc<Effects>,
    families: Families,
    replays: bool,
    diagnostics: Vec<Diagnostic>,
}

/// The same as [`super::check`] of a whole file.
pub(super) fn check(
    lowered: &Lowered,
    (scope, target): (&Scope, Target),
    text: &str,
    shared: &SharedChecks,
) -> Vec<Diagnostic> {
    let assembled = shared.assembled(lowered, (scope, target), text);
    let flow = assembled.flow((scope, target), text);
    assembled.diagnostics.iter().chain(&flow.diagnostics).cloned().collect()
}

impl SharedChecks {
    fn assembled(&self, lowered: &Lowered, (scope, target): (&Scope, Target), text: &str) -> Arc<Assembled> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().iter().find(|known| known.holds_for(scope, target)) {
            return found.clone();
        }
        let mut assembler = Assembler::with_settings(Mode::Whole, scope);
        let ((), dependencies) = with_dependencies(|| {
            assembler.run(text, &lowered.lexed);
            assembler.finish(TextSize::of(text));
        });
        let instructions = &assembler.program.instructions;
        let traits = instructions.iter().fold(Traits::default(), |all, i| all.or(i.encoded.traits()));
        let assembled = Arc::new(Assembled {
            traits,
            target,
            dependencies,
            settings: scope.settings.clone(),
            reads_configuration: assembler.reads_configuration,
            program: assembler.program,
            diagnostics: assembler.diagnostics,
            effects: Mutex::default(),
            flows: Mutex::default(),
        });
        known().push(assembled.clone());
        assembled
    }
}

impl Assembled {
    /// Whether the same comes out for another processor.
    fn holds_for(&self, scope: &Scope, target: Target) -> bool {
        let (own, other) = (&self.settings, &scope.settings);
        let os = |settings: &Settings| settings.configuration.as_ref().map(|c| c.os());
        let same_configuration = own.configuration == other.configuration || !self.reads_configuration;
        same_configuration
            && os(own) == os(other)
            && (&own.defines, own.follow_on, &own.includes)
                == (&other.defines, other.follow_on, &other.includes)
            && self.dependencies.are_equal_for(self.target, target)
    }

    fn effects(&self, target: Target) -> Arc<Effects> {
        let known = || self.effects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().iter().find(|e| e.dependencies.are_equal_for(e.target, target)) {
            return found.clone();
        }
        let (functions, dependencies) = with_dependencies(|| {
            let functions = functions(&self.program).into_iter();
            functions.map(|function| Arc::new(effects_of(target, &self.program, &function))).collect()
        });
        let effects = Arc::new(Effects { target, dependencies, functions });
        known().push(effects.clone());
        effects
    }

    fn flow(&self, (scope, target): (&Scope, Target), text: &str) -> Arc<Flow> {
        let families = Families::of(target, self.traits, scope.settings.pedantic);
        let replays = super::xnack(scope);
        let effects = self.effects(target);
        let known = || self.flows.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |flow: &&Arc<Flow>| {
            flow.replays == replays
                && Arc::ptr_eq(&flow.effects, &effects)
                && flow.families == families
                && flow.dependencies.are_equal_for(flow.target, target)
        };
        if let Some(found) = known().iter().find(holds) {
            return found.clone();
        }
        let mut diagnostics = Vec::new();
        let ((), dependencies) = with_dependencies(|| {
            check_flow(target, scope, text, (&self.program, &effects.functions), &mut diagnostics)
        });
        let flow = Arc::new(Flow { target, dependencies, effects, families, replays, diagnostics });
        known().push(flow.clone());
        flow
    }
}
