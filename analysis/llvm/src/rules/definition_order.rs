//! Structs whose fields must be known where they are used: LLVM reads a module once, from its start.
//!
//! A `%T` that is defined further down is opaque until then. Source: LLVM Language Reference, *Structure Types*.

use rustc_hash::FxHashSet;

use wavelens_syntax::wording;

use super::duplicates::next_item;
use crate::arena::Tables;
use crate::body::{Inst, Opcode};
use crate::context::{ModuleContext, RuleContext};
use crate::operand::{Const, Operand};
use crate::scope::Scope;
use crate::types::{Type, TypeId, Types};
use wavelens_base::{Diagnostic, Severity};

wavelens_syntax::rules! {
    TYPE_ORDER {
        code: "type-order",
        severity: Severity::Error,
        title: "a struct is defined before its fields or size are used",
        explain: "LLVM reads a module from its start and treats a type that is not yet defined as opaque: it has no \
            fields and no size until its definition. Move the definition up.",
        example: r"@g = global %T zeroinitializer
%T = type { i32 }
",
        fixed: r"%T = type { i32 }
@g = global %T zeroinitializer
",
        source: "LLVM `LLParser`: \"invalid type for null constant\", \"base element of getelementptr must be \
            sized\"; LLVM Language Reference, \"Structure Type\"",
    }
}

/// Summary and item, in the order of the file.
type At = (u32, u32);

/// The struct that a type is, if its fields are not known yet.
fn unknown(scope: &Scope, types: &Types, ty: TypeId, at: At) -> Option<TypeId> {
    let Type::NamedStruct(index) = types.get(ty) else { return None };
    let def = scope.struct_def(index)?;
    (def.fields.is_none() || def.order > at).then_some(ty)
}

/// A struct within a type whose fields are not known yet, so that the type has no size; opaque ones are another rule's.
fn late(scope: &Scope, types: &Types, ty: TypeId, at: At) -> Option<TypeId> {
    let mut seen = FxHashSet::default();
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        match types.get(ty) {
            Type::Array { element, .. } => todo.push(element),
            Type::Struct { fields, .. } => todo.extend(types.list(fields).iter().rev()),
            Type::NamedStruct(index) => {
                let Some(def) = scope.struct_def(index) else { continue };
                let Some(fields) = def.fields else { continue };
                if def.order > at {
                    return Some(ty);
                }
                if !scope.struct_facts().is_backward(index) && seen.insert(index) {
                    todo.extend(types.list(fields).iter().rev());
                }
            }
            _ => {}
        }
    }
    None
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let at = (cx.summary_index, cx.function.head.item);
    if cx.scope.last_struct() <= at {
        return;
    }
    let mut found = Vec::new();
    for (id, inst) in cx.insts() {
        found.extend(instruction(cx, inst, at).map(|ty| (id, ty)));
    }
    for (id, ty) in found {
        let message = format!("use of type `{}` before its definition", cx.display_ty(ty));
        let range = cx.body.inst_range(id);
        cx.report(&TYPE_ORDER, range, message);
    }
}

fn instruction(cx: &RuleContext<'_>, inst: &Inst, at: At) -> Option<TypeId> {
    let (scope, types) = (cx.scope, &cx.types);
    let direct = |ty| late(scope, types, ty, at).filter(|found| *found == ty);
    let own = match inst.opcode {
        Opcode::GetElementPtr if inst.operands.len > 1 => late(scope, types, cx.ty(inst.ty), at),
        Opcode::Alloca if inst.align == 0 => late(scope, types, cx.ty(inst.ty), at),
        Opcode::Load | Opcode::Phi | Opcode::VaArg => direct(cx.ty(inst.ty)),
        Opcode::ExtractValue | Opcode::InsertValue => direct(cx.operand_ty(inst, 0)),
        _ => None,
    };
    let (resolve, late) = (|ty| cx.ty(ty), |ty| late(scope, types, ty, at));
    let operands = cx.body.operands(inst.operands);
    own.or_else(|| operands.iter().find_map(|o| constant(cx.tables(), &resolve, &late, *o, 0)))
}

/// The struct type of a constant, or of one of its operands, that `late` finds.
fn constant(
    tables: &Tables,
    resolve: &dyn Fn(TypeId) -> TypeId,
    late: &dyn Fn(TypeId) -> Option<TypeId>,
    operand: Operand,
    depth: u32,
) -> Option<TypeId> {
    if depth > 64 {
        return None;
    }
    let ty = resolve(operand.ty);
    let direct = || late(ty).filter(|found| *found == ty);
    let inner =
        |operands: &[Operand]| operands.iter().find_map(|o| constant(tables, resolve, late, *o, depth + 1));
    match tables.const_of(operand)? {
        Const::ZeroInitializer | Const::Undef | Const::Poison => direct(),
        Const::Aggregate { elements, .. } => direct().or_else(|| inner(elements.of(&tables.operands))),
        Const::Expr(index) => {
            let expr = tables.cold.exprs.get(index as usize)?;
            let source = (expr.opcode == Opcode::GetElementPtr && expr.operands.len > 1)
                .then(|| late(resolve(expr.ty)))
                .flatten();
            source.or_else(|| inner(expr.operands.of(&tables.operands)))
        }
        _ => None,
    }
}

/// Whether a struct holds itself by value, by way of structs that are defined before it.
fn holds_itself(scope: &Scope, types: &Types, index: u32) -> bool {
    if scope.struct_facts().is_backward(index) {
        return false;
    }
    let Some(own) = scope.struct_def(index) else { return false };
    let mut seen = FxHashSet::default();
    let mut todo: Vec<TypeId> = own.fields.map(|f| types.list(f).to_vec()).unwrap_or_default();
    while let Some(ty) = todo.pop() {
        match types.get(ty) {
            Type::Array { element, .. } => todo.push(element),
            Type::Struct { fields, .. } => todo.extend(types.list(fields)),
            Type::NamedStruct(inner) if inner == index => return true,
            Type::NamedStruct(inner) if seen.insert(inner) => {
                let def = scope.struct_def(inner).filter(|d| d.order < own.order);
                todo.extend(def.and_then(|d| d.fields).map(|f| types.list(f)).unwrap_or_default());
            }
            _ => {}
        }
    }
    false
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let (scope, summary, index) = (cx.scope, cx.summary, cx.summary_index);
    let tables = &summary.tables;
    let mut found = Vec::new();
    for function in &summary.functions {
        let at = (index, function.head.item);
        for (n, param) in summary.params(function).iter().enumerate() {
            if let Some(ty) = unknown(scope, &cx.types, cx.ty(param.ty), at) {
                let place = function.params.start as usize + n;
                let range = cx.lowered.param_ranges.get(place).copied();
                let range = range.unwrap_or_else(|| cx.item_range(function.head.item));
                let message =
                    format!("a parameter has type `{}`, which is not defined before", cx.display_ty(ty));
                found.push((range, message));
            }
        }
    }
    for def in &summary.cold.type_defs {
        let Some(ty) = scope.named_type(def.name, &tables.names) else { continue };
        if let Type::NamedStruct(number) = cx.types.get(ty)
            && scope.struct_def(number).is_some_and(|d| d.order == (index, def.item))
            && holds_itself(scope, &cx.types, number)
        {
            let message =
                format!("type `{}` contains itself, so that it does not have a size", cx.display_ty(ty));
            let recursive = Diagnostic::new(&TYPE_ORDER, cx.item_range(def.item), message);
            // LLVM looks at the type when it has read it, and reports the token that follows.
            cx.diagnostics.push(match next_item(scope, index as usize, def.item) {
                Some(next) => recursive.related(next, wording::REFERENCE),
                None => recursive,
            });
        }
    }
    for global in &summary.globals {
        let at = (index, global.head.item);
        let Some(init) = global.init.filter(|_| scope.last_struct() > at) else { continue };
        let (resolve, late) = (|ty| cx.ty(ty), |ty| late(scope, &cx.types, ty, at));
        if let Some(ty) = constant(tables, &resolve, &late, summary.operand(init), 0) {
            let message = format!("use of type `{}` before its definition", cx.display_ty(ty));
            found.push((cx.item_range(global.head.item), message));
        }
    }
    for (range, message) in found {
        cx.report(&TYPE_ORDER, range, message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn fields_are_known_in_time() {
        let text = "%O = type opaque
%U = type { %T }
@a = global %T zeroinitializer
@b = global [1 x %T] zeroinitializer
@c = external global %T
@d = global ptr getelementptr (%T, ptr @c, i32 0, i32 1)
declare void @f(ptr, %O)
define void @g(ptr %p) {
  %x = getelementptr %U, ptr %p, i32 1
  %y = load %T, ptr %p
  ret void
}
%T = type { i32, i32 }
%R = type { i32, [2 x %S] }
%S = type { %R }
define void @h(ptr %p, %T %q) {
  %y = load %T, ptr %p
  ret void
}
";
        expect![[r#"
            3: type-order: use of type `%T` before its definition
            6: type-order: use of type `%T` before its definition
            7: type-order: a parameter has type `%O`, which is not defined before
            9: type-order: use of type `%T` before its definition
            10: type-order: use of type `%T` before its definition
            15: type-order: type `%S` contains itself, so that it does not have a size
        "#]]
        .assert_eq(&findings(text));
    }

    #[test]
    fn recursive_types_have_the_place_where_llvm_reports_them() {
        let text = "%S = type { { i32, %S } }\n\n; c\ndefine void @f() {\n  ret void\n}\n";
        expect![[r#"
            error[type-order] 1:1 `%S`: type `%S` contains itself, so that it does not have a size
              4:13 `@f`: LLVM reports it here
        "#]]
        .assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, text));
    }

    #[test]
    fn structs_that_hold_others_twice_are_looked_at_once() {
        let types: String = (0..200).map(|n| format!("%t{} = type {{ %t{n}, %t{n} }}\n", n + 1)).collect();
        let function = "define void @f(ptr %p) {\n  %x = alloca %t200\n  %y = getelementptr %t200, ptr %p, i32 1\n  ret void\n}\n";
        // The last struct makes the rule look at those that are used before.
        let text = format!(
            "%t0 = type {{ i32 }}\n{types}{function}%late = type {{ i32 }}\n@g = global %late zeroinitializer\n"
        );
        expect![""].assert_eq(&findings(&text));
        let text = format!(
            "%t0 = type {{ %late }}\n{types}{function}%late = type {{ i32 }}\n@g = global %late zeroinitializer\n"
        );
        expect![[r#"
            203: type-order: use of type `%late` before its definition
            204: type-order: use of type `%late` before its definition
        "#]]
        .assert_eq(&findings(&text));
    }
}
