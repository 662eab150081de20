//! What the arguments of an intrinsic are.

use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::Opcode;
use crate::metadata::MdValue;
use crate::operand::{Const, Operand, Value};
use crate::rules::call_site::Site;
use crate::types::TypeId;
use wavelens_base::Verdict;

pub(super) fn at(site: &Site<'_, '_>, n: usize, message: impl Into<String>) -> Verdict {
    site.wrong_argument(n, message)
}

/// The n-th argument; an error past the end.
pub(super) fn arg(site: &Site<'_, '_>, n: usize) -> Operand {
    site.args().get(n).copied().unwrap_or(Operand { ty: TypeId::ERROR, value: Value::Error })
}

pub(super) fn is_unknown(site: &Site<'_, '_>, n: usize) -> bool {
    let arg = arg(site, n);
    arg.value == Value::Error
        || matches!(site.cx.constant(arg), Some(Const::Error | Const::Expr(_)))
        || site.cx.body.local_of(arg).is_some_and(|l| l.kind == crate::body::LocalKind::Undefined)
        || matches!(arg.value, Value::Global(_)) && site.cx.global(arg).is_none()
}

/// The n-th argument as a constant, cut to its width.
pub(super) fn uint(site: &Site<'_, '_>, n: usize) -> Option<u64> {
    let arg = arg(site, n);
    let value = site.cx.body.tables.int_of(arg)?;
    let bits = site.cx.types.int_bits(site.cx.ty(arg.ty))?;
    Some(crate::metadata_view::cut(value, bits))
}

/// As [`uint`], with its sign.
pub(super) fn int(site: &Site<'_, '_>, n: usize) -> Option<i64> {
    let arg = arg(site, n);
    let value = site.cx.body.tables.int_of(arg)?;
    match site.cx.types.int_bits(site.cx.ty(arg.ty))? {
        bits @ 1..=63 => Some((value << (64 - bits)) >> (64 - bits)),
        _ => Some(value),
    }
}

/// A string that is passed as metadata.
pub(super) enum Text<'a> {
    String(&'a str),
    Other,
    Unknown,
}

pub(super) fn text<'a>(site: &Site<'a, '_>, n: usize) -> Text<'a> {
    let tables = &site.cx.body.tables;
    match arg(site, n).value {
        Value::Metadata(index) => match tables.cold.md_values.get(index as usize) {
            Some(MdValue::String(name)) => Text::String(tables.name(*name)),
            Some(MdValue::Error) | None => Text::Unknown,
            Some(_) => Text::Other,
        },
        Value::Error => Text::Unknown,
        _ => Text::Other,
    }
}

pub(super) fn is_rounding(mode: &str) -> bool {
    matches!(
        mode,
        "round.dynamic"
            | "round.tonearest"
            | "round.tonearestaway"
            | "round.downward"
            | "round.upward"
            | "round.towardzero"
    )
}

/// The opcode of the instruction that an argument is the result of.
pub(super) fn opcode(site: &Site<'_, '_>, n: usize) -> Option<Opcode> {
    if is_unknown(site, n) {
        return Some(Opcode::Error);
    }
    site.cx.inst(site.cx.body.defining_inst(arg(site, n))?).map(|i| i.opcode)
}

pub(super) fn has_bundle(site: &Site<'_, '_>, tag: &str) -> bool {
    let body = site.cx.body;
    site.call.bundles.of(&body.cold.bundles).iter().any(|b| body.tables.name(b.tag) == tag)
}

pub(super) fn uses_gc(site: &Site<'_, '_>) -> Verdict {
    if site.cx.function.gc.is_some() {
        return Ok(());
    }
    site.wrong(format!("`{}` requires a function with a garbage collector (`gc \"...\"`)", site.name))
}

/// Whether an argument is a parameter of the function with an attribute; `None` if it is not a parameter.
pub(super) fn parameter_has(site: &Site<'_, '_>, n: usize, kind: AttrKind) -> Option<bool> {
    let cx = site.cx;
    let Value::Local(local) = arg(site, n).value else { return None };
    if local.0 >= cx.body.arguments {
        return None;
    }
    let param = cx.summary.params(cx.function).get(local.0 as usize)?;
    let set = AttributeSet::new(cx.scope, &cx.summary.tables, param.attrs, |_| TypeId::ERROR);
    Some(set.has(kind))
}
