//! Checks of one document for several processors. The findings for one hold for every other with the same facts.

use std::sync::{Arc, Mutex, PoisonError};

use wavelens_isa::mir::CpuRows;
use wavelens_isa::{Dependencies, Target, with_dependencies};

use super::model::Function;
use super::rules;
use super::scope::{Basis, Scope};
use crate::Diagnostic;

/// What was found in a document so far.
#[derive(Debug, Default)]
pub(crate) struct SharedChecks {
    functions: Mutex<Vec<Arc<Checked>>>,
    ir: Mutex<Vec<CheckedIr>>,
}

/// What was found in the embedded module for a triple.
#[derive(Debug)]
struct CheckedIr {
    basis: Arc<Basis>,
    found: Arc<[Diagnostic]>,
}

#[derive(Debug)]
struct Checked {
    processor: Processor,
    dependencies: Dependencies,
    basis: Arc<Basis>,
    /// How many findings about the document were there before.
    before: usize,
    found: Vec<Diagnostic>,
}

/// A processor as the rules read it.
#[derive(Debug, Clone, Copy)]
struct Processor {
    target: Target,
    rows: CpuRows,
}

impl Processor {
    /// The one that a function is compiled for; `None` if it is not known.
    fn of(function: &Function, scope: &Scope) -> Option<Processor> {
        let ir = scope.functions.get(&function.properties.name.text);
        let target = Target::named(scope.cpu_of(ir)?)?;
        Some(Processor { target, rows: scope.cpu_rows(scope.machine?, ir) })
    }
}

impl SharedChecks {
    /// What the rules of LLVM IR find in the embedded module. A RUN line changes its triple and its data layout, and nothing else.
    pub(super) fn check_ir(
        &self,
        basis: &Arc<Basis>,
        check: impl FnOnce() -> Vec<Diagnostic>,
    ) -> Arc<[Diagnostic]> {
        let known = || self.ir.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known().iter().find(|known| known.basis == *basis) {
            return same.found.clone();
        }
        let found: Arc<[Diagnostic]> = check().into();
        known().push(CheckedIr { basis: basis.clone(), found: found.clone() });
        found
    }

    /// Adds what the rules find in the function to what was found in the document before.
    pub(super) fn check(
        &self,
        function: &Function,
        scope: &Scope,
        text: &str,
        mut diagnostics: Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let Some((processor, machine)) = Processor::of(function, scope).zip(scope.machine) else {
            rules::check(function, scope, text, &mut diagnostics);
            return diagnostics;
        };
        let before = diagnostics.len();
        let holds = |known: &&Arc<Checked>| {
            let own = known.processor;
            known.before == before
                && known.basis == scope.basis
                && known.dependencies.are_equal_for(own.target, processor.target)
                && known.dependencies.has_same_rows(machine.tables(), own.rows, processor.rows)
        };
        let known = || self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known().iter().find(holds) {
            diagnostics.extend(same.found.iter().cloned());
            return diagnostics;
        }
        let ((), dependencies) = with_dependencies(|| rules::check(function, scope, text, &mut diagnostics));
        let found = diagnostics.get(before..).unwrap_or_default().to_vec();
        let checked = Checked { processor, dependencies, basis: scope.basis.clone(), before, found };
        known().push(Arc::new(checked));
        diagnostics
    }
}
