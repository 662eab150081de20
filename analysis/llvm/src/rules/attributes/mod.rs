//! Attributes: what excludes what, which types and values each may have, and which function they fit.
//!
//! Whether a word applies to the place is checked by the parser. Source: LLVM Language Reference, "Parameter Attributes" and "Function
//! Attributes".

mod functions;
mod strings;
mod values;
mod vector_variant;

use crate::attribute::{AttrKind, memory};
use crate::attribute_set::{AttributeSet, Entry};
use crate::context::{ModuleContext, RuleContext};
use crate::intrinsic_match::{is_upgraded, match_signature};
use crate::layout::Layout;
use crate::rules::intrinsics::is_remade;
use crate::scope::Scope;
use crate::summary::UnnamedAddr;
use crate::tables::Intrinsic;
use crate::types::{Type, TypeId, Types};
use wavelens_base::{Fault, Part, Severity, TextRange, Verdict, fail, fail_at};

wavelens_syntax::rules! {
    CONFLICT {
        code: "attribute-conflict",
        severity: Severity::Error,
        title: "attributes do not contradict each other and have what they require",
        explain: "Two attributes that contradict each other leave no valid meaning, and some attributes are defined \
            only together with another one.",
        example: "declare void @f() optnone\n",
        fixed: "declare void @f() optnone noinline\n",
        source: "LLVM `Verifier::verifyFunctionAttrs`: \"Attribute 'optnone' requires 'noinline'!\" and \
            \"Attributes ... are incompatible\"; LLVM Language Reference, \"Function Attributes\" and \
            \"Parameter Attributes\"",
    }

    TYPE {
        code: "attribute-type",
        severity: Severity::Error,
        title: "a parameter attribute suits the type of its value",
        explain: "A parameter attribute describes values of certain types: `zeroext` describes integers, `nonnull` \
            pointers, `nofpclass` floating-point values.",
        example: "declare void @f(float zeroext)\n",
        fixed: "declare void @f(i8 zeroext)\n",
        source: "LLVM `Verifier::verifyParameterAttrs`: \"Attribute 'zeroext' applied to incompatible type!\"; \
            LLVM Language Reference, \"Parameter Attributes\"",
    }

    VALUE {
        code: "attribute-value",
        severity: Severity::Error,
        title: "the value of an attribute is one that its definition allows",
        explain: "Values of attributes select code generation or describe the function's parameters. A value that \
            the attribute does not define would be ignored or misread.",
        example: "declare void @f() vscale_range(3, 8)\n",
        fixed: "declare void @f() vscale_range(2, 8)\n",
        source: "LLVM `Verifier::verifyFunctionAttrs`: \"'vscale_range' minimum must be power-of-two value\"; LLVM \
            Language Reference, \"Function Attributes\"",
    }
}

/// Where a fault is: `Part::Operand` counts the attributes of the tables.
pub(super) fn range(part: Part, attrs: &[TextRange], whole: TextRange) -> TextRange {
    match part {
        Part::Operand(n) => attrs.get(n).copied().unwrap_or(whole),
        Part::Range(range) => range,
        Part::Whole => whole,
    }
}

fn conflict(entry: Option<&Entry<'_>>, message: impl Into<String>) -> Verdict {
    match entry {
        Some(entry) => at(entry, Fault::new(&CONFLICT, message)),
        None => fail(&CONFLICT, message),
    }
}

fn value(entry: &Entry<'_>, message: impl Into<String>) -> Verdict {
    at(entry, Fault::new(&VALUE, message))
}

/// Fails at what is written in place; the group that the attribute is from is the other place.
pub(super) fn at(entry: &Entry<'_>, fault: Box<Fault>) -> Verdict {
    let fault = fault.at(Part::Operand(entry.index as usize));
    Err(match entry.group {
        Some(group) => fault.related(group, "the attribute is in this group"),
        None => fault,
    })
}

/// What is known about the function that attributes belong to.
struct Site<'a> {
    scope: &'a Scope,
    types: &'a Types,
    layout: &'a Layout,
    result: TypeId,
    /// Of the function type; a call may have more arguments.
    params: &'a [TypeId],
    /// Its name begins with `llvm.`.
    is_intrinsic: bool,
    is_asm: bool,
    /// `None` for a call.
    unnamed_addr: Option<UnnamedAddr>,
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let (scope, summary, at) = (cx.scope, cx.summary, cx.summary_index);
    let tables = &summary.tables;
    let canonical = |ty| scope.canonical(at, ty);
    let mut found: Vec<(u32, Box<Fault>)> = Vec::new();
    for function in &summary.functions {
        let params = summary.params(function);
        if function.attrs.is_empty()
            && function.ret_attrs.is_empty()
            && params.iter().all(|p| p.attrs.is_empty())
        {
            continue;
        }
        let name = function.head.name.as_name().map_or("", |n| tables.names.get(n));
        // LLVM replaces what is written by what it knows, where the signature is the intrinsic's.
        let own_type = || Some(scope.global(function.head.name, &tables.names)?.value_type);
        let fits = |intrinsic| {
            own_type().is_none_or(|ty| match_signature(&scope.structs, &scope.types, intrinsic, ty).is_ok())
                || is_upgraded(name, params.len())
        };
        if Intrinsic::lookup(name).is_some_and(fits) {
            continue;
        }
        let param_types: Vec<_> = params.iter().map(|p| canonical(p.ty)).collect();
        let set = |span| AttributeSet::new(scope, tables, span, canonical);
        let sets: Vec<_> = params.iter().map(|p| set(p.attrs)).collect();
        let site = Site {
            scope,
            types: &cx.types,
            layout: &scope.layout,
            result: canonical(function.result),
            params: &param_types,
            is_intrinsic: name.starts_with("llvm."),
            is_asm: false,
            unnamed_addr: Some(function.head.unnamed_addr),
        };
        let own = set(function.attrs);
        site.verify(&set(function.ret_attrs), &sets, &own, &mut |m| found.push((function.head.item, m)));
        if let Some((entry, _)) = own.string_entry("aarch64_zt0_undef") {
            let message = "`aarch64_zt0_undef` applies only to calls".to_owned();
            let fault = Fault::new(&CONFLICT, message).at(Part::Operand(entry.index as usize));
            found.push((function.head.item, fault));
        }
        strings::variant(scope, &own, name, function.head.item, &mut found);
    }
    for (item, fault) in found {
        let diagnostic = fault.diagnostic(|part| range(part, &cx.ranges.attrs, cx.item_range(item)));
        cx.diagnostics.push(diagnostic);
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let mut found: Vec<(TextRange, Box<Fault>)> = Vec::new();
    let body = cx.body;
    for (id, inst) in cx.insts() {
        let Some(call) = body.call(inst) else { continue };
        let arg_attrs = call.arg_attrs.of(&body.cold.arg_attrs);
        if call.fn_attrs.is_empty() && call.ret_attrs.is_empty() && arg_attrs.iter().all(|a| a.is_empty()) {
            continue;
        }
        let Type::Function { result, params, .. } = cx.types.get(cx.call_ty(inst)) else { continue };
        if is_remade(cx, inst) {
            continue;
        }
        let callee = body.tables.operand(call.callee);
        let scope = cx.scope;
        let set = |span| AttributeSet::new(scope, &body.tables, span, |ty| cx.ty(ty));
        let sets: Vec<_> = arg_attrs.iter().map(|span| set(*span)).collect();
        let site = Site {
            scope,
            types: &cx.types,
            layout: &scope.layout,
            result,
            params: cx.types.list(params),
            is_intrinsic: cx.callee_name(call).is_some_and(|n| n.starts_with("llvm.")),
            is_asm: matches!(callee.value, crate::operand::Value::Asm(_)),
            unnamed_addr: None,
        };
        let whole = body.inst_range(id);
        site.verify(&set(call.ret_attrs), &sets, &set(call.fn_attrs), &mut |m| found.push((whole, m)));
        // Arguments beyond the function type's parameters.
        let args = body.operands(call.args);
        for n in site.params.len()..args.len() {
            let (Some(arg), Some(set)) = (args.get(n), sets.get(n)) else { break };
            if let Err(fault) = site.extra_argument(n, cx.ty(arg.ty), set, &sets) {
                found.push((whole, fault));
            }
        }
    }
    for (whole, fault) in found {
        cx.diagnostics.push(fault.diagnostic(|part| range(part, &body.ranges.attrs, whole)));
    }
}

fn exclusive(set: &AttributeSet<'_>, pairs: &[(AttrKind, AttrKind)]) -> Verdict {
    for (a, b) in pairs {
        if set.has(*a) && set.has(*b) {
            return conflict(
                set.get(*b),
                format!("`{}` and `{}` are mutually exclusive", a.word(), b.word()),
            );
        }
    }
    Ok(())
}

impl Site<'_> {
    fn verify(
        &self,
        result: &AttributeSet<'_>,
        params: &[AttributeSet<'_>],
        own: &AttributeSet<'_>,
        report: &mut dyn FnMut(Box<Fault>),
    ) {
        if let Err(fault) = self.value(result, self.result) {
            report(fault);
        }
        if let Err(fault) = self.parameters(params, report) {
            report(fault);
        }
        if own.is_empty() {
            return;
        }
        for check in [Self::words, Self::own, Self::strings] {
            if let Err(fault) = check(self, own) {
                report(fault);
            }
        }
        let writes = |bits: u64| bits >> memory::ARGMEM & 2 != 0;
        let writable = params.iter().find_map(|p| p.get(AttrKind::Writable));
        if let (Some(writable), Some(effects)) = (writable, own.int(AttrKind::Memory))
            && !writes(effects)
        {
            let message = "`writable` requires that `memory(...)` of the function allows writes to `argmem`";
            report(Fault::new(&CONFLICT, message).at(Part::Operand(writable.index as usize)));
        }
    }

    fn parameters(&self, params: &[AttributeSet<'_>], report: &mut dyn FnMut(Box<Fault>)) -> Verdict {
        let once = [
            AttrKind::Nest,
            AttrKind::Returned,
            AttrKind::StructRet,
            AttrKind::SwiftSelf,
            AttrKind::SwiftAsync,
            AttrKind::SwiftError,
        ];
        let mut seen = [false; 6];
        for (n, (set, ty)) in params.iter().zip(self.params).enumerate() {
            if set.is_empty() {
                continue;
            }
            if !self.is_intrinsic {
                if let Some(entry) = set.get(AttrKind::ImmArg) {
                    return conflict(Some(entry), "`immarg` applies only to intrinsics");
                }
                if let Some(entry) = set.get(AttrKind::ElementType).filter(|_| !self.is_asm) {
                    return conflict(
                        Some(entry),
                        "`elementtype` applies only to intrinsics and inline assembly",
                    );
                }
            }
            if let Err(fault) = self.value(set, *ty) {
                report(fault);
            }
            for (kind, seen) in once.iter().zip(&mut seen) {
                if set.has(*kind) && std::mem::replace(seen, true) {
                    let word = kind.word();
                    return conflict(set.get(*kind), format!("more than one parameter has `{word}`"));
                }
            }
            if let Some(entry) = set.get(AttrKind::Returned) {
                self.returned(entry, *ty)?;
            }
            if set.has(AttrKind::StructRet) && n > 1 {
                let entry = set.get(AttrKind::StructRet);
                return conflict(entry, "`sret` must be on the first or second parameter");
            }
            if set.has(AttrKind::InAlloca) && n + 1 != self.params.len() {
                return conflict(set.get(AttrKind::InAlloca), "`inalloca` must be on the last parameter");
            }
        }
        Ok(())
    }

    fn returned(&self, entry: &Entry<'_>, ty: TypeId) -> Verdict {
        let vectors = self.types.is_vector(ty) && self.types.is_vector(self.result);
        if ty == self.result || vectors || ty.is_error() || self.result.is_error() {
            return Ok(());
        }
        let message = format!(
            "a `returned` parameter has type `{}`, but the result has type `{}`",
            self.display(ty),
            self.display(self.result)
        );
        fail_at(&TYPE, entry.index as usize, message)
    }

    fn extra_argument(
        &self,
        n: usize,
        ty: TypeId,
        set: &AttributeSet<'_>,
        all: &[AttributeSet<'_>],
    ) -> Verdict {
        if set.is_empty() {
            return Ok(());
        }
        self.value(set, ty)?;
        let before = all.get(..n).unwrap_or(&[]);
        for kind in [AttrKind::Nest, AttrKind::Returned] {
            if set.has(kind) && before.iter().any(|s| s.has(kind)) {
                return conflict(set.get(kind), format!("more than one argument has `{}`", kind.word()));
            }
        }
        if let Some(entry) = set.get(AttrKind::Returned) {
            self.returned(entry, ty)?;
        }
        // A statepoint's variable arguments are those of the function it wraps.
        if set.has(AttrKind::StructRet) && !self.is_intrinsic {
            return conflict(set.get(AttrKind::StructRet), "`sret` must not be on a variable argument");
        }
        if set.has(AttrKind::InAlloca) && n + 1 != all.len() {
            return conflict(set.get(AttrKind::InAlloca), "`inalloca` must be on the last argument");
        }
        Ok(())
    }

    fn display(&self, ty: TypeId) -> String {
        self.scope.display_type(self.types, ty)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn attributes_of_an_intrinsic_count_where_its_signature_is_another() {
        marks(expect![[r#"
            declare i32 @llvm.fshl.i32(i32 swifterror, i32, i32)
            declare void @llvm.fshr.i32(ptr swifterror, ptr swifterror)
            ;                                               ^^^^^^^^^^ error[attribute-conflict]: more than one parameter has `swifterror`
        "#]]);
    }

    #[test]
    fn alignments_in_groups_are_any_numbers_of_32_bits() {
        marks(expect![[r#"
            attributes #0 = { align=3 alignstack=0 }
            ;                       ^ warning[invalid-attribute]: the alignment should be a power of two, is 3
            ;                                    ^ warning[invalid-attribute]: the alignment should be a power of two, is 0
            attributes #1 = { align=16 alignstack=512 }
            attributes #2 = { align=4294967296 }
            ;                       ^^^^^^^^^^ error[invalid-attribute]: the number must fit 32 bits
            attributes #3 = { alignstack=4294967296 }
            ;                            ^^^^^^^^^^ error[invalid-attribute]: the number must fit 32 bits
        "#]]);
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare void @f(i32 immarg)
            ;                   ^^^^^^ error[attribute-conflict]: `immarg` applies only to intrinsics
        "#]]);
        marks(expect![[r#"
            declare i32 @f(i64 returned)
            ;                  ^^^^^^^^ error[attribute-type]: a `returned` parameter has type `i64`, but the result has type `i32`
        "#]]);
        marks(expect![[r#"
            declare void @f(ptr inreg nest)
            ;                   ^^^^^ error[attribute-conflict]: `nest` and `inreg` are mutually exclusive
        "#]]);
        marks(expect![[r#"
            declare void @f(ptr nest, ptr nest)
            ;                             ^^^^ error[attribute-conflict]: more than one parameter has `nest`
        "#]]);
    }
}
