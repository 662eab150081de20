//! What the tests of rules share.

use std::sync::Arc;

use wavelens_base::finding::{self, ChunkLayout};
use wavelens_base::{ChunkId, Dialect, Finding, Options, TextRange, TextSize};
use wavelens_check::testing;

use crate::Lowered;

/// The descriptor of a kernel `k` that asks for few registers.
pub(super) const DESCRIPTOR: &str = ".amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 4\n\
.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n";

/// Compares the findings of a text, one a line: `LINE: code: message`.
pub(super) fn check(target: &str, text: &str, expected: expect_test::Expect) {
    check_with(&Options { target: Some(target.into()), ..Options::default() }, text, &expected);
}

/// Likewise with hints.
pub(super) fn check_pedantic(target: &str, text: &str, expected: expect_test::Expect) {
    check_with(
        &Options { target: Some(target.into()), pedantic: true, ..Options::default() },
        text,
        &expected,
    );
}

/// Checks a text for a processor and compares its marks: the text is both input and expected value
/// ([`wavelens_check::testing::marked`]).
#[track_caller]
pub(super) fn marks(target: &str, text: expect_test::Expect) {
    text.assert_eq(&marked(target, text.data()));
}

/// The text with the marks that the findings make.
pub(super) fn marked(target: &str, text: &str) -> String {
    let options = Options { target: Some(target.into()), ..Options::default() };
    testing::marked(Dialect::Amdgpu, &testing::dedent(text), &options)
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

/// The findings about a text, without what the pipeline does for every dialect: this crate's limits are lower in its tests.
fn findings(text: &str, options: &Options) -> Vec<Finding> {
    let lowered = crate::lower(text);
    let chunk = ChunkId(0);
    let scope = crate::scope(&[(chunk, Arc::new(crate::summarize(&lowered)))], options);
    let own = crate::check(&lowered, &scope, chunk, text);
    let module = crate::check_module(&scope);
    finding::findings(&Whole(&lowered), own.into_iter().map(|found| (0, found)), module.into_iter(), options)
}

fn check_with(options: &Options, text: &str, expected: &expect_test::Expect) {
    testing::tell(text);
    let mut shown = String::new();
    for finding in findings(text, options) {
        let before = text.get(..usize::from(finding.range.start())).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        shown.push_str(&format!("{line}: {}: {}\n", finding.rule.code, finding.message));
    }
    expected.assert_eq(&shown);
}
