//! What the tests of rules share.

use wavelens_base::{Dialect, Options};
use wavelens_check::check_text;

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

fn check_with(options: &Options, text: &str, expected: &expect_test::Expect) {
    let mut shown = String::new();
    for finding in check_text(Dialect::Amdgpu, text, options) {
        let before = text.get(..usize::from(finding.range.start())).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        shown.push_str(&format!("{line}: {}: {}\n", finding.rule.code, finding.message));
    }
    expected.assert_eq(&shown);
}
