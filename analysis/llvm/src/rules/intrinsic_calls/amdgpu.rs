//! Intrinsics of AMDGPU that call or chain functions, or name memory that many lanes share.

use super::arguments::{arg, at, is_unknown, parameter_has, uint};
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::{InstId, Opcode};
use crate::metadata::MdValue;
use crate::metadata_view::Md;
use crate::operand::Value;
use crate::rules::call_site::Site;
use crate::rules::conventions::{
    AMDGPU_CS, AMDGPU_CS_CHAIN, AMDGPU_CS_CHAIN_PRESERVE, AMDGPU_ES, AMDGPU_GFX_WHOLE_WAVE, AMDGPU_GS,
    AMDGPU_HS, AMDGPU_LS, AMDGPU_VS,
};
use crate::scope::NodeRef;
use crate::types::TypeId;
use wavelens_base::Verdict;

/// Rules of the intrinsics whose names, without `llvm.`, start with `amdgcn.`.
pub(super) fn check(site: &Site<'_, '_>, short: &str) -> Verdict {
    match short {
        "amdgcn.cs.chain" => cs_chain(site),
        "amdgcn.av.load.b128" | "amdgcn.av.store.b128" => scope_name(site),
        _ if site.cx.scope.follows(24) && loads_lds(short) => match uint(site, 2) {
            Some(1 | 2 | 4 | 12 | 16) | None => Ok(()),
            Some(size) => at(site, 2, format!("the size must be 1, 2, 4, 12 or 16, is {size}")),
        },
        "amdgcn.call.whole.wave" => whole_wave(site),
        _ if short.starts_with("amdgcn.cooperative.atomic.") => cooperative(site),
        "amdgcn.init.exec.from.input" => {
            if is_unknown(site, 0) || parameter_has(site, 0, AttrKind::InReg) == Some(true) {
                return Ok(());
            }
            at(site, 0, "the input must be an `inreg` parameter of the function")
        }
        "amdgcn.set.inactive.chain.arg" => inactive_chain(site),
        "amdgcn.s.prefetch.data" => match site.cx.types.address_space(site.params[0]) {
            Some(0 | 1 | 4 | 6) | None => Ok(()),
            Some(space) => at(
                site,
                0,
                format!("the pointer must be in global or constant memory, is in address space {space}"),
            ),
        },
        "amdgcn.mfma.scale.f32.16x16x128.f8f6f4" | "amdgcn.mfma.scale.f32.32x32x64.f8f6f4" => {
            matrices(site, [(0, 3), (1, 4)], [8, 6, 4])
        }
        "amdgcn.wmma.f32.16x16x128.f8f6f4"
        | "amdgcn.wmma.scale.f32.16x16x128.f8f6f4"
        | "amdgcn.wmma.scale16.f32.16x16x128.f8f6f4" => matrices(site, [(1, 0), (3, 2)], [16, 12, 8]),
        _ => Ok(()),
    }
}

/// Whether an intrinsic copies a number of bytes, its third argument, to LDS.
fn loads_lds(short: &str) -> bool {
    short.ends_with(".load.lds")
        || short.ends_with(".load.async.lds")
        || matches!(short, "amdgcn.load.to.lds" | "amdgcn.load.async.to.lds")
}

fn cs_chain(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let is_shader = matches!(cx.function.cc, AMDGPU_ES | AMDGPU_GS | AMDGPU_HS | AMDGPU_LS | AMDGPU_VS);
    let chains = matches!(cx.function.cc, AMDGPU_CS | AMDGPU_CS_CHAIN | AMDGPU_CS_CHAIN_PRESERVE);
    if !(chains || is_shader && cx.scope.reads(23)) {
        return site
            .wrong("only `amdgpu_cs`, `amdgpu_cs_chain` and `amdgpu_cs_chain_preserve` functions may call `llvm.amdgcn.cs.chain`");
    }
    if !site.param_has(2, AttrKind::InReg) {
        return at(site, 2, "arguments for SGPRs must be `inreg`");
    }
    if site.param_has(3, AttrKind::InReg) {
        return at(site, 3, "arguments for VGPRs must not be `inreg`");
    }
    if site.cx.scope.follows(24)
        && let Some(flags @ 2..) = uint(site, 4)
    {
        return at(site, 4, format!("the flags must be 0 or 1, are {flags}"));
    }
    let callee = |inst| cx.body.call(inst).and_then(|call| cx.callee_name(call)).unwrap_or("");
    let next = (site.id.0 + 1..)
        .map_while(|id| cx.inst(InstId(id)))
        .find(|inst| !callee(inst).starts_with("llvm.dbg."));
    let ends = next.is_some_and(|inst| {
        matches!(inst.opcode, Opcode::Unreachable | Opcode::Error)
            || callee(inst) == "llvm.amdgcn.unreachable"
    });
    if ends { Ok(()) } else { site.wrong("the call must be followed by `unreachable`") }
}

/// The pointer comes first, the scope last.
fn cooperative(site: &Site<'_, '_>) -> Verdict {
    let space = site.params.first().and_then(|ty| site.cx.types.address_space(*ty));
    if let Some(space) = space.filter(|s| !matches!(s, 0 | 1)) {
        return at(
            site,
            0,
            format!("the pointer must be in the generic or global address space, is in {space}"),
        );
    }
    scope_name(site)
}

/// The last argument names a scope.
fn scope_name(site: &Site<'_, '_>) -> Verdict {
    let last = site.args().len().saturating_sub(1);
    if site.args().is_empty() || is_unknown(site, last) {
        return Ok(());
    }
    let scope = site.cx.scope;
    let value = match arg(site, last).value {
        Value::Metadata(index) => site.cx.body.tables.cold.md_values.get(index as usize).copied(),
        _ => None,
    };
    let node = value.and_then(|value| site.cx.node(value));
    let names = |node: NodeRef<'_>| {
        let mut operands = node.operands(scope);
        matches!((operands.next(), operands.next()), (Some(Md::String(_) | Md::Unknown), None))
    };
    match node {
        Some(node) if node.is_tuple() && names(node) => Ok(()),
        // An undefined node is reported as that.
        None if matches!(value, Some(MdValue::Number(_) | MdValue::Error)) => Ok(()),
        _ => at(site, last, "the scope must be a node with one string, such as `!{!\"agent\"}`"),
    }
}

/// The callee, a whole wave function, gets all arguments but its first.
fn whole_wave(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if is_unknown(site, 0) {
        return Ok(());
    }
    let Some(global) = cx.global(arg(site, 0)) else {
        return at(
            site,
            0,
            "the callee must be named: whole wave functions cannot be called through pointers",
        );
    };
    let Some((summary, function)) = cx.scope.function(global) else {
        return at(site, 0, "the callee must be a function");
    };
    if function.cc != AMDGPU_GFX_WHOLE_WAVE {
        return at(site, 0, "the callee must be an `amdgpu_gfx_whole_wave` function");
    }
    if function.vararg {
        return at(site, 0, "the callee must not have variable arguments");
    }
    let params = summary.params(function);
    if params.len() != site.args().len() {
        let (wanted, given) = (params.len().saturating_sub(1), site.args().len().saturating_sub(1));
        return site.wrong(format!("expected {wanted} arguments after the callee's first, found {given}"));
    }
    for (n, param) in params.iter().enumerate().skip(1) {
        let wanted = cx.scope.canonical(global.summary, param.ty);
        let given = cx.ty(arg(site, n).ty);
        if !wanted.is_error() && !given.is_error() && wanted != given {
            let (wanted, given) = (cx.display_ty(wanted), cx.display_ty(given));
            return at(site, n, format!("expected `{wanted}`, found `{given}`"));
        }
        let theirs = AttributeSet::new(cx.scope, &summary.tables, param.attrs, |_| TypeId::ERROR);
        if theirs.has(AttrKind::InReg) != site.arg_attrs(n).has(AttrKind::InReg) {
            return at(site, n, "`inreg` of the argument and of the callee's parameter must agree");
        }
    }
    Ok(())
}

fn inactive_chain(site: &Site<'_, '_>) -> Verdict {
    if !matches!(site.cx.function.cc, AMDGPU_CS_CHAIN | AMDGPU_CS_CHAIN_PRESERVE) {
        return site.wrong(
            "only `amdgpu_cs_chain` and `amdgpu_cs_chain_preserve` functions may call `llvm.amdgcn.set.inactive.chain.arg`",
        );
    }
    if site.param_has(1, AttrKind::InReg) {
        return at(site, 1, "the value for inactive lanes must not be `inreg`");
    }
    match parameter_has(site, 1, AttrKind::InReg) {
        Some(false) => Ok(()),
        _ if is_unknown(site, 1) => Ok(()),
        _ => at(
            site,
            1,
            "the value for inactive lanes must be a parameter of the function that is not `inreg`",
        ),
    }
}

/// Matrices, each with the argument that names its format, and how many registers formats of 8, 6 and 4 bits fill.
fn matrices(site: &Site<'_, '_>, operands: [(usize, usize); 2], registers: [u32; 3]) -> Verdict {
    for (n, format) in operands {
        let Some(value) = uint(site, format) else { continue };
        let wanted = match value {
            0 | 1 => registers[0],
            2 | 3 => registers[1],
            4 => registers[2],
            _ => return at(site, format, format!("the matrix format must be between 0 and 4, is {value}")),
        };
        let ty = site.params.get(n).copied().unwrap_or(TypeId::ERROR);
        let lanes = site.cx.types.lanes(ty).map_or(0, |(n, _)| n);
        if site.cx.types.scalar(ty) != TypeId::I32 || !registers.contains(&lanes) {
            let [a, b, c] = registers;
            let found = site.cx.display_ty(ty);
            return at(
                site,
                n,
                format!("the matrix must be a vector of {c}, {b} or {a} `i32`, is `{found}`"),
            );
        }
        if lanes < wanted {
            return at(site, n, format!("expected {wanted} registers for format {value}, found {lanes}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn matrices_have_as_many_registers_as_their_formats_need() {
        let is_good = |lanes: u32, format: u32| {
            let text = format!(
                "define <4 x float> @f(<{lanes} x i32> %a, <4 x i32> %b, <4 x float> %c) {{\n  \
                 %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v{lanes}i32.v4i32(<{lanes} x i32> %a, <4 x i32> %b, \
                 <4 x float> %c, i32 {format}, i32 4, i32 0, i32 0, i32 0, i32 0)\n  ret <4 x float> %r\n}}\n"
            );
            let found = wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, &text);
            assert!(found.is_empty() || found.contains("intrinsic-operands"), "{found}");
            found.is_empty()
        };
        let allowed: Vec<(u32, u32)> = (2..=9)
            .flat_map(|lanes| (0..=5).map(move |format| (lanes, format)))
            .filter(|(lanes, format)| is_good(*lanes, *format))
            .collect();
        assert_eq!(allowed, [(4, 4), (6, 2), (6, 3), (6, 4), (8, 0), (8, 1), (8, 2), (8, 3), (8, 4)]);
    }
}
