//! The findings of a document from one state to the next.
//!
//! An edit changes the text of a bundle, and rarely what the others see of it. Salsa verifies the check of every bundle, and the memos that
//! it was made from: five for each bundle (`tests/tests/fast/recomputation.rs`), where comparing two addresses is enough. So the document
//! keeps what was found with what it was found from: the bundle's texts and the scope. A check is a function of these (and of the bundle's
//! ids, which change with its texts), so equal addresses mean equal findings.
//!
//! That is also what is shown while an edit of a signature or a type makes all of a large module to be checked again: the bundles around
//! the edit are checked at once, and the others keep what was found in the scope before until they are. While someone types in a file
//! with thousands of findings, those around the edit are what is looked at: [`Checked::findings_around`] makes these alone.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_base::Finding;
use wavelens_base::finding;
use wavelens_base::{Diagnostic, ModuleDiagnostic, Severity, TextSize};
use wavelens_llvm::uses::{Unused, Uses};

use crate::db::{
    Bundle, Database, File, SharedScope, View, check, check_module, loose_ends, scope, uses, whole_findings,
};

/// What is known of a document's last state.
#[derive(Debug, Default)]
pub struct Checked {
    bundles: FxHashMap<Bundle, CheckedBundle>,
    /// The bundles in order, each with the index of its first chunk.
    order: Vec<(usize, Bundle)>,
    unused: Unused,
    /// The scope that `unused` holds the loose ends of.
    ends_of: Option<SharedScope>,
    /// The scope of the last complete update: an edit is often taken back.
    complete: Option<SharedScope>,
    /// The scope of the database, and the same one as it is known here.
    last_scope: Option<(SharedScope, SharedScope)>,
}

#[derive(Debug)]
struct CheckedBundle {
    texts: Vec<Arc<str>>,
    scope: SharedScope,
    found: Arc<Vec<Vec<Diagnostic>>>,
    uses: Arc<Vec<Uses>>,
    /// How many errors and warnings there are, and how many other findings.
    counts: [usize; 2],
}

impl CheckedBundle {
    fn has_texts(&self, texts: &[Arc<str>]) -> bool {
        self.texts.len() == texts.len() && self.texts.iter().zip(texts).all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// Its findings, each with the index of the chunk.
    fn findings(&self, first: usize) -> impl Iterator<Item = (usize, &Diagnostic)> {
        (first..).zip(self.found.iter()).flat_map(|(index, found)| found.iter().map(move |d| (index, d)))
    }
}

fn is_serious(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.severity, Severity::Error | Severity::Warning)
}

/// So many bundles before and after an edit that changes the scope are checked before its findings are shown.
const NEAR: usize = 8;

impl Checked {
    /// All findings of a file, in order, with ranges in the file.
    pub fn findings(&mut self, db: &Database, file: File) -> Vec<Finding> {
        whole_findings(db, file).clone().unwrap_or_else(|| self.chunk_findings(db, file))
    }

    /// The findings of all chunks by themselves.
    pub fn chunk_findings(&mut self, db: &Database, file: File) -> Vec<Finding> {
        self.update(db, file, None);
        self.all_findings(db, file)
    }

    /// At most `limit` findings, and whether these are all. Errors and warnings come before others, then what is closest to `offset`
    /// in the file. After a change of the scope only what is close to it may be up to date.
    pub fn findings_around(
        &mut self,
        db: &Database,
        file: File,
        offset: TextSize,
        limit: usize,
    ) -> (Vec<Finding>, bool) {
        if let Some(found) = whole_findings(db, file) {
            return (found.clone(), true);
        }
        let is_complete = self.update(db, file, Some(offset));
        let module = check_module(db, file);
        let own: usize = self.known().map(|(_, checked)| checked.counts.iter().sum::<usize>()).sum();
        if own + module.len() + self.unused.count() <= limit {
            return (self.all_findings(db, file), is_complete);
        }
        let view = View::new(db, file);
        let here = view.chunk_at(offset).map_or(0, |(index, ..)| index);
        let index_of = |m: &ModuleDiagnostic| view.index_of(m.chunk).unwrap_or(0);
        let is_before = |chunk| view.index_of(chunk).is_some_and(|index| index < here);
        let unused = self.unused.findings_around(is_before, limit);
        let own = self.around(here, limit);
        let own = own.iter().flat_map(|(first, checked)| checked.findings(*first));
        let own = own.map(|(index, d)| (index, Candidate::Own(d)));
        let module = module.iter().chain(&unused).map(|m| (index_of(m), Candidate::Module(m)));
        let mut near: Vec<(usize, Candidate<'_>)> = own.chain(module).collect();
        near.sort_by_key(|(index, candidate)| {
            (!is_serious(candidate.diagnostic()), index.abs_diff(here), *index)
        });
        near.truncate(limit);
        let own = near.iter().filter_map(|(index, candidate)| match candidate {
            Candidate::Own(diagnostic) => Some((*index, (*diagnostic).clone())),
            Candidate::Module(_) => None,
        });
        let module = near.iter().filter_map(|(_, candidate)| match candidate {
            Candidate::Own(_) => None,
            Candidate::Module(diagnostic) => Some((*diagnostic).clone()),
        });
        (finding::findings(&view, own, module, file.options(db)), false)
    }

    fn all_findings(&self, db: &Database, file: File) -> Vec<Finding> {
        let module = check_module(db, file).iter().cloned().chain(self.unused.findings());
        let own = self.known().flat_map(|(first, checked)| checked.findings(first));
        let own = own.map(|(index, diagnostic)| (index, diagnostic.clone()));
        finding::findings(&View::new(db, file), own, module, file.options(db))
    }

    /// What is known of the bundles, in order, each with the index of its first chunk.
    fn known(&self) -> impl DoubleEndedIterator<Item = (usize, &CheckedBundle)> {
        self.order.iter().filter_map(|(first, bundle)| Some((*first, self.bundles.get(bundle)?)))
    }

    /// The bundles closest to a chunk that have at least `limit` errors and warnings, and as many other findings, in each direction.
    fn around(&self, chunk: usize, limit: usize) -> Vec<(usize, &CheckedBundle)> {
        let before = nearest(self.known().rev().filter(|(first, _)| *first <= chunk), limit);
        before.into_iter().chain(nearest(self.known().filter(|(first, _)| *first > chunk), limit)).collect()
    }

    /// Checks what is not known. It may be cancelled at any query: what was checked until then stays.
    ///
    /// With `around`, an offset, bundles that did not change themselves and are far from there may keep what was found in another scope.
    /// Returns whether all is up to date.
    fn update(&mut self, db: &Database, file: File, around: Option<TextSize>) -> bool {
        let scope = self.known_scope(scope(db, file));
        let firsts = file.chunks(db).iter().enumerate().filter(|(_, chunk)| chunk.place == 0);
        self.order = firsts.map(|(index, chunk)| (index, chunk.bundle)).collect();
        let near = around.and_then(|offset| View::new(db, file).chunk_at(offset)).map(|(here, ..)| {
            let here = self.order.partition_point(|(first, _)| *first <= here);
            here.saturating_sub(NEAR)..here + NEAR
        });
        let (mut stale, mut is_complete) = (Vec::new(), true);
        for (index, (_, bundle)) in self.order.iter().enumerate() {
            let known = self.bundles.get(bundle).filter(|checked| checked.has_texts(bundle.texts(db)));
            match known {
                Some(checked) if checked.scope.is(&scope) => {}
                Some(_) if near.as_ref().is_some_and(|near| !near.contains(&index)) => is_complete = false,
                _ => stale.push(*bundle),
            }
        }
        self.check_bundles(db, file, &scope, &stale);
        if self.bundles.len() > self.order.len() {
            let there: FxHashSet<Bundle> = self.order.iter().map(|(_, bundle)| *bundle).collect();
            for (_, gone) in self.bundles.extract_if(|bundle, _| !there.contains(bundle)) {
                gone.uses.iter().for_each(|uses| self.unused.remove(uses));
            }
        }
        if !self.ends_of.as_ref().is_some_and(|known| known.is(&scope)) {
            self.unused.set_ends(loose_ends(db, file).clone());
            self.ends_of = Some(scope.clone());
        }
        if is_complete {
            self.complete = Some(scope);
        }
        is_complete
    }

    /// The scope of the last complete update, if this is equal.
    fn known_scope(&mut self, scope: &SharedScope) -> SharedScope {
        if let Some((_, known)) = self.last_scope.as_ref().filter(|(last, _)| last.is(scope)) {
            return known.clone();
        }
        let known = self.complete.as_ref().filter(|known| *known == scope).unwrap_or(scope).clone();
        self.last_scope = Some((scope.clone(), known.clone()));
        known
    }

    fn check_bundles(&mut self, db: &Database, file: File, scope: &SharedScope, bundles: &[Bundle]) {
        db.on_all_cores(bundles, |db, bundle| {
            check(db, file, bundle);
            uses(db, bundle);
        });
        for bundle in bundles.iter().copied() {
            let (found, uses) = (check(db, file, bundle).clone(), uses(db, bundle).clone());
            let all: usize = found.iter().map(Vec::len).sum();
            let serious = found.iter().flatten().filter(|d| is_serious(d)).count();
            let counts = [serious, all - serious];
            let (texts, scope) = (bundle.texts(db).clone(), scope.clone());
            let checked = CheckedBundle { texts, scope, found, uses, counts };
            checked.uses.iter().for_each(|uses| self.unused.add(uses));
            if let Some(old) = self.bundles.insert(bundle, checked) {
                old.uses.iter().for_each(|uses| self.unused.remove(uses));
            }
        }
    }
}

/// The first bundles that have at least `limit` errors and warnings, and as many other findings.
fn nearest<'c>(
    bundles: impl Iterator<Item = (usize, &'c CheckedBundle)>,
    limit: usize,
) -> Vec<(usize, &'c CheckedBundle)> {
    let (mut near, mut found) = (Vec::new(), [0; 2]);
    for (first, checked) in bundles {
        let [serious, minor] = checked.counts;
        if serious > 0 && found[0] < limit || minor > 0 && found[1] < limit {
            near.push((first, checked));
        }
        found = [found[0] + serious, found[1] + minor];
        if found.iter().all(|found| *found >= limit) {
            break;
        }
    }
    near
}

/// A finding that may be among the nearest.
enum Candidate<'a> {
    Own(&'a Diagnostic),
    Module(&'a ModuleDiagnostic),
}

impl Candidate<'_> {
    fn diagnostic(&self) -> &Diagnostic {
        match self {
            Candidate::Own(diagnostic) => diagnostic,
            Candidate::Module(module) => &module.diagnostic,
        }
    }
}

/// The findings of all chunks by themselves, from nothing.
pub fn chunk_findings(db: &Database, file: File) -> Vec<Finding> {
    Checked::default().chunk_findings(db, file)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use wavelens_base::{Dialect, Options, TextRange};

    use super::*;
    use crate::{Document, Edit};

    /// Functions with an error each, and as many nodes that nothing refers to.
    fn text(count: usize) -> String {
        let mut text = String::new();
        for number in 0..count {
            let _ = write!(
                text,
                "define void @f{number}() {{\n  call void @missing{number}()\n  ret void\n}}\n!{number} = !{{}}\n"
            );
        }
        text
    }

    fn messages(found: &[Finding]) -> Vec<&str> {
        found.iter().map(|f| f.message.as_str()).collect()
    }

    #[test]
    fn findings_near_a_place_come_first() {
        let (mut db, text) = (Database::default(), text(1000));
        let document = Document::new(&mut db, Dialect::Llvm, &text, Options::default());
        let mut checked = Checked::default();
        let at = TextSize::new(text.find("@missing500(").expect("it is there") as u32);
        let (near, is_all) = checked.findings_around(&db, document.file(), at, 3);
        assert!(!is_all);
        let mut near = messages(&near);
        near.sort_unstable();
        let wanted = ["499", "500", "501"].map(|n| format!("use of undefined value `@missing{n}`"));
        assert_eq!(near, wanted);
        // Errors come before hints, wherever they are.
        let (near, is_all) = checked.findings_around(&db, document.file(), at, 1500);
        assert!(!is_all);
        assert_eq!(near.iter().filter(|f| f.severity == Severity::Error).count(), 1000);
        assert_eq!(near.len(), 1500);
        let (all, is_all) = checked.findings_around(&db, document.file(), at, 2000);
        assert!(is_all);
        assert_eq!(all, Checked::default().findings(&db, document.file()));
    }

    #[test]
    fn edits_are_followed_without_a_look_at_other_bundles() {
        let (mut db, text) = (Database::default(), text(1000));
        let mut document = Document::new(&mut db, Dialect::Llvm, &text, Options::default());
        let mut checked = Checked::default();
        checked.findings(&db, document.file());
        for number in [7, 900, 400] {
            // The call is gone, then the function comes a second time.
            let call = format!("  call void @missing{number}()\n");
            let text = View::new(&db, document.file()).whole_text();
            let at = TextSize::new(text.find(&call).expect("it is there") as u32);
            let edits = [
                Edit { range: TextRange::at(at, TextSize::of(&*call)), text: String::new() },
                Edit {
                    range: TextRange::empty(TextSize::new(0)),
                    text: "define void @f3() {\n}\n".to_owned(),
                },
            ];
            for edit in &edits {
                document.edit(&mut db, edit);
                let fresh = Checked::default().findings(&db, document.file());
                assert_eq!(checked.findings(&db, document.file()), fresh);
                let (near, _) = checked.findings_around(&db, document.file(), at, 5);
                assert!(near.iter().all(|finding| fresh.contains(finding)), "{near:?}");
            }
        }
    }
}
