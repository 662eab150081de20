//! What the tests of rules share.

use std::sync::Arc;

use wavelens_base::finding::{self, ChunkLayout};
use wavelens_base::{ChunkId, Dialect, Finding, Options, TextRange, TextSize};
use wavelens_check::testing;

use crate::Lowered;

/// Checks a text for a processor and compares its marks: the text is both input and expected value
/// ([`wavelens_check::testing::marked`]).
#[track_caller]
pub(super) fn marks(target: &str, text: expect_test::Expect) {
    text.assert_eq(&marked(target, text.data()));
}

/// Likewise with hints.
#[track_caller]
pub(super) fn marks_pedantic(target: &str, text: expect_test::Expect) {
    text.assert_eq(&marked_with(&Options { pedantic: true, ..options(target) }, text.data()));
}

/// The text with the marks that the findings make.
pub(super) fn marked(target: &str, text: &str) -> String {
    marked_with(&options(target), text)
}

fn marked_with(options: &Options, text: &str) -> String {
    testing::marked(Dialect::Amdgpu, &testing::dedent(text), options)
}

/// Checks that nothing is found in a text.
#[track_caller]
pub(super) fn accepts(target: &str, text: &str) {
    assert_eq!(marked(target, text), text);
}

fn options(target: &str) -> Options {
    Options { target: Some(target.into()), ..Options::default() }
}

/// A text is one chunk.
struct Whole<'l>(&'l Lowered);

impl ChunkLayout for Whole<'_> {
    fn start(&self, _: usize) -> TextSize {
        TextSize::new(0)
    }

    fn index_of(&self, _: ChunkId) -> Option<usize> {
        Some(0)
    }

    fn item(&self, _: ChunkId, item: u32) -> Option<TextRange> {
        Some(crate::item_range(self.0, item))
    }
}

/// Compares the findings of a text, one a line: `LINE: code: message`. The limits of this crate are lower in its tests, so that what the
/// pipeline does for every dialect is left out.
pub(super) fn check_limits(target: &str, text: &str, expected: &expect_test::Expect) {
    testing::tell(text);
    let mut shown = String::new();
    for finding in findings(text, &options(target)) {
        let before = text.get(..usize::from(finding.range.start())).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        shown.push_str(&format!("{line}: {}: {}\n", finding.rule.code, finding.message));
    }
    expected.assert_eq(&shown);
}

fn findings(text: &str, options: &Options) -> Vec<Finding> {
    let lowered = crate::lower(text);
    let chunk = ChunkId(0);
    let scope = crate::scope(&[(chunk, Arc::new(crate::summarize(&lowered)))], options);
    let own = crate::check(&lowered, &scope, chunk, text);
    let module = crate::check_module(&scope);
    finding::findings(&Whole(&lowered), own.into_iter().map(|found| (0, found)), module.into_iter(), options)
}
