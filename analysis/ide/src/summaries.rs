//! The summaries of a document's bundles from one edit to the next.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_semantics::dialect::{Summary, add_definitions, remove_definitions, scope_stays};
use wavelens_semantics::spirv::Definitions;

use crate::db::{Bundle, BundleSummary, SharedScope};

/// The summary of each bundle, and what tells whether a new one changes the scope.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    bundles: FxHashMap<Bundle, BundleSummary>,
    definitions: Definitions,
}

/// What a new summary of a bundle changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    Nothing,
    /// The summaries, from which the same scope would be built.
    Summaries,
    Scope,
}

impl Summaries {
    /// Sets the summary of a bundle. `scope` is what was built from all summaries until now, if it is known.
    pub(crate) fn set(&mut self, bundle: Bundle, new: &BundleSummary, scope: Option<&SharedScope>) -> Change {
        let Some(old) = self.bundles.insert(bundle, new.clone()) else {
            new.iter().for_each(|summary| add_definitions(&mut self.definitions, summary));
            return Change::Scope;
        };
        if old == *new {
            return Change::Nothing;
        }
        let Some(scope) = scope.filter(|_| old.len() == new.len()) else {
            old.iter().for_each(|summary| remove_definitions(&mut self.definitions, summary));
            new.iter().for_each(|summary| add_definitions(&mut self.definitions, summary));
            return Change::Scope;
        };
        let mut change = Change::Summaries;
        for (old, new) in old.iter().zip(new.iter()) {
            if !scope_stays(scope, old, new, &mut self.definitions) {
                change = Change::Scope;
            }
        }
        change
    }

    pub(crate) fn get(&self, bundle: Bundle) -> Option<&BundleSummary> {
        self.bundles.get(&bundle)
    }

    /// Forgets the bundles that went.
    pub(crate) fn retain(&mut self, now: &FxHashSet<Bundle>) {
        let definitions = &mut self.definitions;
        self.bundles.retain(|bundle, summaries| {
            let stays = now.contains(bundle);
            if !stays {
                let forget = |summary: &Summary| remove_definitions(definitions, summary);
                summaries.iter().for_each(forget);
            }
            stays
        });
    }
}
