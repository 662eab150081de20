//! What a run over a chunk looked up in the chunks above and below it. The run is not repeated before an answer changes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::macros::Macro;
use crate::amdgpu::assembler::{Assembler, Mode};
use crate::amdgpu::scope::{Entry, Found, Scope, Settings};

/// Names that a run looked up in other chunks, with the answers.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    pub(crate) symbols: Vec<(SmolStr, Found)>,
    pub(crate) macros: FxHashMap<SmolStr, Option<Arc<Macro>>>,
}

/// All that a run over a chunk depended on, but for the chunk's text.
#[derive(Debug)]
pub(crate) struct Run {
    mode: Mode,
    settings: Arc<Settings>,
    entry: Option<Entry>,
    lookups: Lookups,
}

impl Run {
    pub(crate) fn of(assembler: Assembler<'_>, scope: &Scope, order: u32) -> Run {
        let (mode, lookups) = (assembler.mode, assembler.lookups);
        Run { mode, settings: scope.settings.clone(), entry: scope.entry(order).cloned(), lookups }
    }

    /// Whether a run in this scope would get the same answers.
    pub(crate) fn holds(&self, scope: &Scope, order: u32) -> bool {
        let outline = self.mode == Mode::Outline;
        let same_symbol = |was: &Found, is: &Found| match (outline, &was.before, &is.before) {
            // An outline holds no places, and reads from top to bottom.
            (true, Some((a, c, _)), Some((b, d, _))) => (a, c) == (b, d),
            (true, was, is) => was.is_none() && is.is_none(),
            (false, ..) => was == is,
        };
        let same_macro = |was: Option<&Arc<Macro>>, is: Option<&Arc<Macro>>| match (was, is) {
            (Some(was), Some(is)) if outline => was.has_effect_of(is),
            _ => was == is,
        };
        self.settings == scope.settings
            && self.entry.as_ref() == scope.entry(order)
            && self.lookups.macros.iter().all(|(n, was)| same_macro(was.as_ref(), scope.find_macro(n, order)))
            && self.lookups.symbols.iter().all(|(n, was)| same_symbol(was, &scope.symbol(n, order)))
    }
}

/// The last check of a chunk's text.
#[derive(Debug, Default)]
pub(crate) struct LastCheck(Mutex<(u64, Option<Run>)>);

impl LastCheck {
    /// A number that stays the same until a check in this scope would get another answer.
    pub(crate) fn stamp(&self, scope: &Scope, order: u32) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !last.1.as_ref().is_some_and(|run| run.holds(scope, order)) {
            *last = (NEXT.fetch_add(1, Ordering::Relaxed), None);
        }
        last.0
    }

    /// Remembers a check in the scope that [`LastCheck::stamp`] saw last.
    pub(crate) fn remember(&self, run: Run) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(run);
    }
}
