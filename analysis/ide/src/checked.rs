//! The findings of a document from one state to the next.
//!
//! An edit changes the text of a bundle, and rarely what the others see of it. To ask salsa about every bundle takes longer than to
//! check the one that changed, so the document keeps what was found with what it was found from: the bundle's texts and the scope,
//! held and compared by address. A check is a function of these (and of the bundle's ids, which change with its texts), so equal
//! addresses mean equal findings.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wavelens_semantics::Diagnostic;
use wavelens_semantics::Finding;
use wavelens_semantics::llvm::uses::{Unused, Uses};

use crate::db::{
    Bundle, Database, File, LARGE, SMALL, SharedScope, View, check, check_module, loose_ends, scope,
    test_findings, to_findings, uses, whole_findings, whole_size,
};

/// What is known of a document's last state.
#[derive(Debug, Default)]
pub struct Checked {
    bundles: FxHashMap<Bundle, CheckedBundle>,
    unused: Unused,
    /// The scope that `unused` holds the loose ends of.
    ends_of: Option<SharedScope>,
    /// Counts the updates: bundles that the last one did not see are gone.
    round: u64,
}

#[derive(Debug)]
struct CheckedBundle {
    texts: Vec<Arc<str>>,
    scope: SharedScope,
    found: Arc<Vec<Vec<Diagnostic>>>,
    uses: Arc<Vec<Uses>>,
    round: u64,
}

impl CheckedBundle {
    fn holds(&self, texts: &[Arc<str>], scope: &SharedScope) -> bool {
        let same_texts = self.texts.len() == texts.len();
        let same_texts = same_texts && self.texts.iter().zip(texts).all(|(a, b)| Arc::ptr_eq(a, b));
        same_texts && self.scope.is(scope)
    }
}

/// From this many bundles on they are checked on all cores.
const MANY: usize = 8;

impl Checked {
    /// All findings of a file, in order, with ranges in the file.
    pub fn findings(&mut self, db: &Database, file: File) -> Vec<Finding> {
        if let Some(found) = test_findings(db, file) {
            return found.clone();
        }
        match whole_size(db, file) {
            Some(..SMALL) => whole_findings(db, file).clone(),
            _ => self.chunk_findings(db, file),
        }
    }

    /// The findings of all chunks by themselves.
    pub fn chunk_findings(&mut self, db: &Database, file: File) -> Vec<Finding> {
        self.update(db, file);
        let chunks = file.bundles(db).filter_map(|bundle| self.bundles.get(&bundle));
        let chunks = chunks.flat_map(|checked| checked.found.iter());
        let module = check_module(db, file).iter().cloned().chain(self.unused.findings());
        to_findings(View::new(db, file), chunks, module)
    }

    /// Checks what is not known. It may be cancelled at any query: what was checked until then stays.
    fn update(&mut self, db: &Database, file: File) {
        let scope = scope(db, file);
        self.round += 1;
        let mut stale = Vec::new();
        let mut count = 0;
        for bundle in file.bundles(db) {
            count += 1;
            match self.bundles.get_mut(&bundle) {
                Some(checked) if checked.holds(bundle.texts(db), scope) => checked.round = self.round,
                _ => stale.push(bundle),
            }
        }
        if stale.len() >= MANY {
            db.on_all_cores(&stale, |db, bundle| {
                check(db, file, bundle);
                uses(db, bundle);
            });
        }
        for bundle in stale {
            let (found, uses) = (check(db, file, bundle).clone(), uses(db, bundle).clone());
            let (texts, scope, round) = (bundle.texts(db).clone(), scope.clone(), self.round);
            let checked = CheckedBundle { texts, scope, found, uses, round };
            checked.uses.iter().for_each(|uses| self.unused.add(uses));
            if let Some(old) = self.bundles.insert(bundle, checked) {
                old.uses.iter().for_each(|uses| self.unused.remove(uses));
            }
        }
        if self.bundles.len() > count {
            let (round, unused) = (self.round, &mut self.unused);
            self.bundles.retain(|_, checked| {
                let stays = checked.round == round;
                if !stays {
                    checked.uses.iter().for_each(|uses| unused.remove(uses));
                }
                stays
            });
        }
        if !self.ends_of.as_ref().is_some_and(|known| known.is(scope)) {
            self.unused.set_ends(loose_ends(db, file).clone());
            self.ends_of = Some(scope.clone());
        }
    }
}

/// The findings of all chunks by themselves, from nothing.
pub fn chunk_findings(db: &Database, file: File) -> Vec<Finding> {
    Checked::default().chunk_findings(db, file)
}

/// What the command line says about a file: takes as long as reading all of it.
pub fn settled_findings(db: &Database, file: File) -> Vec<Finding> {
    if let Some(found) = test_findings(db, file) {
        return found.clone();
    }
    match whole_size(db, file) {
        Some(..LARGE) => whole_findings(db, file).clone(),
        _ => chunk_findings(db, file),
    }
}
