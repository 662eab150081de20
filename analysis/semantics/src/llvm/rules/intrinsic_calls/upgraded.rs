//! Calls of intrinsics as they once were: LLVM makes newer calls of them, and some arguments have no newer form.

use super::super::call_site::Site;
use super::arguments::{at, uint};
use super::vectors;
use crate::Verdict;

pub(in super::super) fn check(site: &Site<'_, '_>) -> Verdict {
    let name = site.name.strip_prefix("llvm.").unwrap_or("");
    match site.params.len() {
        3 if name.starts_with("vector.splice.") => vectors::check(site, "vector.splice"),
        4 if name.starts_with("masked.load.") => alignment(site, 1, false),
        4 if name.starts_with("masked.store.") => alignment(site, 2, false),
        4 if name.starts_with("masked.gather.") => alignment(site, 1, true),
        4 if name.starts_with("masked.scatter.") => alignment(site, 2, true),
        _ => Ok(()),
    }
}

/// The alignment that was an argument and is an attribute now.
fn alignment(site: &Site<'_, '_>, n: usize, zero: bool) -> Verdict {
    match uint(site, n) {
        Some(0) if zero => Ok(()),
        Some(align) if !align.is_power_of_two() => {
            at(site, n, format!("the alignment must be a power of two, is {align}"))
        }
        _ => Ok(()),
    }
}
