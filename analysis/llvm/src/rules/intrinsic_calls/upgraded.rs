//! Calls of intrinsics as they once were: LLVM makes newer calls of them, and some arguments have no newer form.

use super::super::call_site::Site;
use super::arguments::{arg, at, uint};
use super::vectors;
use crate::intrinsic_match::match_parts;
use crate::operand::Const;
use crate::tables::Intrinsic;
use wavelens_base::Verdict;

pub(in super::super) fn check(site: &Site<'_, '_>) -> Verdict {
    let name = site.name.strip_prefix("llvm.").unwrap_or("");
    let name = name.strip_prefix("experimental.").unwrap_or(name);
    match site.params.len() {
        3 if name.starts_with("vector.splice.") => vectors::check(site, "vector.splice"),
        4 if name.starts_with("masked.load.") => masked(site, 1, false),
        4 if name.starts_with("masked.store.") => masked(site, 2, false),
        4 if name.starts_with("masked.gather.") => masked(site, 1, true),
        4 if name.starts_with("masked.scatter.") => masked(site, 2, true),
        _ => Ok(()),
    }
}

/// A masked access whose alignment, argument `n`, was not an attribute. `zero`: whether it may be 0.
fn masked(site: &Site<'_, '_>, n: usize, zero: bool) -> Verdict {
    alignment(site, n, zero)?;
    let Some(intrinsic) = Intrinsic::lookup(site.name) else { return Ok(()) };
    let mut params = site.params.to_vec();
    params.remove(n);
    match match_parts(&site.cx.scope.structs, &site.cx.types, intrinsic, site.result, &params, site.vararg) {
        Ok(_) => Ok(()),
        Err(_) => {
            let (name, signature) = (intrinsic.name(), intrinsic.readable());
            site.wrong(format!(
                "the types do not match the old form of `{name}`: {signature}, and `i32` for the alignment as argument {}",
                n + 1
            ))
        }
    }
}

/// The alignment that was an argument and is an attribute now.
fn alignment(site: &Site<'_, '_>, n: usize, zero: bool) -> Verdict {
    match uint(site, n) {
        Some(0) if zero => Ok(()),
        Some(align) if !align.is_power_of_two() => {
            at(site, n, format!("the alignment must be a power of two, is {align}"))
        }
        None if matches!(site.cx.constant(arg(site, n)), Some(Const::Undef | Const::Poison)) => {
            at(site, n, "the alignment must be an integer constant")
        }
        _ => Ok(()),
    }
}
