//! `llvm.call.preallocated.setup` and the call that it sets up.

use super::arguments::{at, int, is_unknown};
use crate::attribute::AttrKind;
use crate::operand::{Operand, Value};
use crate::rules::call_site::Site;
use crate::types::{Type, TypeId};
use wavelens_base::Verdict;

/// Rules of the three `llvm.call.preallocated` intrinsics.
pub(super) fn check(site: &Site<'_, '_>, short: &str) -> Verdict {
    match short {
        "call.preallocated.setup" => setup(site),
        "call.preallocated.arg" => {
            if !super::from(site, 0, "llvm.call.preallocated.setup") {
                return at(site, 0, "the token must come from `llvm.call.preallocated.setup`");
            }
            if !site.fn_attrs().has(AttrKind::Preallocated) {
                return site.wrong("`llvm.call.preallocated.arg` requires the attribute `preallocated(T)`");
            }
            Ok(())
        }
        "call.preallocated.teardown" if !super::from(site, 0, "llvm.call.preallocated.setup") => {
            at(site, 0, "the token must come from `llvm.call.preallocated.setup`")
        }
        _ => Ok(()),
    }
}

fn setup(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let Some(count) = int(site, 0) else {
        return if is_unknown(site, 0) {
            Ok(())
        } else {
            at(site, 0, "the number of arguments must be a constant")
        };
    };
    let Some(token) = site.inst.result else { return Ok(()) };
    let mut calls = 0;
    for (id, inst) in cx.insts() {
        let Some(call) = cx.body.call(inst) else { continue };
        let args = cx.body.operands(call.args);
        let name = cx.callee_name(call).unwrap_or("");
        let is_token = |o: &Operand| o.value == Value::Local(token);
        if name == "llvm.call.preallocated.arg" && args.first().is_some_and(is_token) {
            let index = args.get(1).and_then(|o| cx.body.tables.int_of(*o));
            match index {
                Some(index) if !(0..count).contains(&index) => {
                    return site.wrong(format!("the argument index must be less than {count}, is {index}"));
                }
                None => return site.wrong("the index of a preallocated argument must be a constant"),
                _ => {}
            }
            continue;
        }
        let bundle = call
            .bundles
            .of(&cx.body.cold.bundles)
            .iter()
            .find(|b| cx.body.operands(b.operands).iter().any(is_token));
        if bundle.is_none() || name.starts_with("llvm.call.preallocated.") {
            continue;
        }
        calls += 1;
        if calls > 1 {
            return site.wrong("more than one call uses these preallocated arguments");
        }
        let Type::Function { params, .. } = cx.types.get(cx.call_ty(inst)) else { continue };
        let theirs = Site {
            rule: site.rule,
            cx,
            id,
            inst,
            call,
            name,
            result: TypeId::ERROR,
            params: cx.types.list(params),
            vararg: false,
        };
        let given = (0..args.len()).filter(|n| theirs.param_has(*n, AttrKind::Preallocated)).count() as i64;
        if given != count {
            return site.wrong(format!("expected {count} `preallocated` arguments, found {given}"));
        }
    }
    Ok(())
}
