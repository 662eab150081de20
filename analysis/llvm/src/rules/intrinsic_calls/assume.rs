//! `llvm.assume`: what its bundles say.

use super::arguments::{at, is_unknown, uint};
use crate::body::Bundle;
use crate::operand::Const;
use crate::rules::call_site::Site;
use crate::tables::Attribute;
use crate::tables::attributes::Kind;
use crate::types::TypeId;
use wavelens_base::Verdict;

/// LLVM 24 has a list of its own of what can be assumed, where older versions take each attribute.
pub(super) fn assume(site: &Site<'_, '_>) -> Verdict {
    if !site.call.bundles.is_empty() && !is_unknown(site, 0) && !matches!(uint(site, 0), Some(1)) {
        return at(site, 0, "the condition of an `assume` with bundles must be `true`");
    }
    let scope = site.cx.scope;
    if scope.follows(24) {
        return check_bundles(site, true);
    }
    match check_bundles(site, false) {
        Err(_) if scope.reads(24) && check_bundles(site, true).is_ok() => Ok(()),
        verdict => verdict,
    }
}

/// `is_listed`: only what LLVM 24 lists can be assumed, and numbers have at most 64 bits.
fn check_bundles(site: &Site<'_, '_>, is_listed: bool) -> Verdict {
    let cx = site.cx;
    let body = cx.body;
    for bundle in site.call.bundles.of(&body.cold.bundles) {
        let tag = body.tables.name(bundle.tag);
        let operands = body.operands(bundle.operands);
        let wrong = |message: String| site.wrong_at(bundle.range, message);
        let ty = |n: usize| operands.get(n).map_or(TypeId::ERROR, |o| cx.ty(o.ty));
        let pointer = |n: usize| ty(n).is_error() || cx.types.is_ptr(ty(n));
        let fits = |bits: u32| !is_listed || bits <= 64;
        let integer = |n: usize| ty(n).is_error() || cx.types.int_bits(ty(n)).is_some_and(fits);
        let limit = |text: &'static str| if is_listed { text } else { "" };
        let count = operands.len();
        match tag {
            "separate_storage" if count != 2 || !pointer(0) || !pointer(1) => {
                return wrong("`separate_storage` requires two pointers".into());
            }
            "align" if !matches!(count, 2 | 3) || !pointer(0) || !integer(1) || count == 3 && !integer(2) => {
                let limit = limit(", each of at most 64 bits");
                return wrong(format!(
                    "`align` requires a pointer, an alignment and optionally an offset{limit}"
                ));
            }
            "dereferenceable" if count != 2 || !pointer(0) || !integer(1) => {
                let limit = limit(" of at most 64 bits");
                return wrong(format!("`dereferenceable` requires a pointer and a number of bytes{limit}"));
            }
            "separate_storage" | "align" | "dereferenceable" => {}
            _ if !is_listed => {
                check_attribute(site, bundle)?;
                // LLVM does not look at the bundles after it.
                if tag == "ignore" {
                    return Ok(());
                }
            }
            "dereferenceable_or_null" if count != 2 || !pointer(0) || !integer(1) => {
                return wrong(format!("`{tag}` requires a pointer and a number of bytes of at most 64 bits"));
            }
            "cold" if count != 0 => return wrong("`cold` takes no operand".into()),
            "nonnull" if count != 1 || !pointer(0) => return wrong("`nonnull` requires a pointer".into()),
            "noundef" if count != 1 => return wrong("`noundef` requires one operand".into()),
            "dereferenceable_or_null" | "cold" | "nonnull" | "noundef" | "ignore" => {}
            _ => return wrong(format!("`{tag}` is not an attribute that can be assumed")),
        }
    }
    Ok(())
}

/// Older versions take each attribute, with the operands that it has elsewhere.
fn check_attribute(site: &Site<'_, '_>, bundle: &Bundle) -> Verdict {
    let cx = site.cx;
    let tag = cx.body.tables.name(bundle.tag);
    let operands = cx.body.operands(bundle.operands);
    let count = operands.len();
    let wrong = |message: String| site.wrong_at(bundle.range, message);
    let attribute = Attribute::find(tag);
    if attribute.is_none() && tag != "ignore" {
        return wrong(format!("`{tag}` is not an attribute that can be assumed"));
    }
    if count > 2 {
        return wrong(format!("`{tag}` takes at most 2 operands"));
    }
    let Some(attribute) = attribute else { return Ok(()) };
    if attribute.kind == Kind::Int {
        if count != 2 {
            return wrong(format!("`{tag}` requires a value and a number"));
        }
        let constant = operands.get(1).and_then(|o| cx.constant(*o));
        if !matches!(
            constant,
            Some(Const::Int(_) | Const::Wide(_) | Const::Bool(_) | Const::ZeroInitializer | Const::Error)
        ) {
            return wrong(format!("the number of `{tag}` must be a constant"));
        }
    } else if attribute.parameter && count != 1 {
        return wrong(format!("`{tag}` requires one operand"));
    } else if !attribute.parameter && attribute.function && count != 0 {
        return wrong(format!("`{tag}` takes no operand"));
    }
    Ok(())
}
