//! Declarations of intrinsics: LLVM 24 verifies them, also those that are not called.

use super::{SIGNATURE, explain};
use crate::context::ModuleContext;
use crate::intrinsic_match::{Mismatch, current_name, is_upgraded, match_current, matches_newer};
use crate::scope::Scope;
use crate::tables::Intrinsic;
use crate::types::{Type, TypeId, Types};

/// The first version that verifies declarations.
pub(super) const VERIFIED: u8 = 24;

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    if !cx.scope.follows(VERIFIED) {
        return;
    }
    let (summary, scope) = (cx.summary, cx.scope);
    for function in summary.functions.iter().filter(|function| !function.is_definition) {
        let name = function.head.name.as_name().map_or("", |name| summary.tables.names.get(name));
        let Some(global) = scope.global(function.head.name, &summary.tables.names) else { continue };
        let Some((intrinsic, mismatch)) = mismatch(scope, &cx.types, name, global.value_type) else {
            continue;
        };
        let Type::Function { result, params, .. } = cx.types.get(global.value_type) else { continue };
        let message = explain(intrinsic, mismatch, result, cx.types.list(params), |ty| cx.display_ty(ty));
        cx.report(&SIGNATURE, cx.item_range(function.head.item), message);
    }
}

/// How a declaration differs from the intrinsic's signature, where LLVM does not replace it.
fn mismatch(scope: &Scope, types: &Types, name: &str, ty: TypeId) -> Option<(Intrinsic, Mismatch)> {
    let Type::Function { params, .. } = types.get(ty) else { return None };
    let name = &*current_name(name);
    // LLVM 24 no longer has most of `llvm.vp`, and drops lifetimes of what is not a pointer, whatever their types are.
    let is_replaced = ["llvm.vp.", "llvm.lifetime."].iter().any(|prefix| name.starts_with(prefix));
    let intrinsic = Intrinsic::lookup(name).filter(|_| !is_replaced)?;
    if is_upgraded(name, types.list(params).len()) || matches_newer(scope, types, intrinsic, ty) {
        return None;
    }
    Some((intrinsic, match_current(scope, types, intrinsic, ty).err()?))
}
