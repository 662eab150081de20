//! JSON Lines: one object for each file.

use super::output::print_with;
use crate::checked::{Checked, object};
use crate::lit::Verdict;
use crate::shown;

/// Prints the object of one file.
pub(super) fn print_file(checked: &Checked) {
    print_object(checked, None);
}

/// Prints the object of a test that was run.
pub(super) fn print_test(checked: &Checked, verdict: Verdict) {
    print_object(checked, Some(verdict));
}

fn print_object(checked: &Checked, verdict: Option<Verdict>) {
    let object = object(checked, verdict);
    print_with(|out| {
        shown::write_json(&mut *out, &object)?;
        out.write_all(b"\n")
    });
}
