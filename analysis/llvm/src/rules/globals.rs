//! Global values: what linkage, storage and special names ask for.
//!
//! Which linkage words a declaration or definition may have is another rule's. Source: LLVM Language Reference, "Global
//! Variables", "Intrinsic Global Variables".

use rustc_hash::FxHashSet;

use super::super::arena::Tables;
use super::super::body::Opcode;
use super::super::metadata::MdValue;
use super::super::metadata_view::Md;
use super::super::operand::{Const, Operand, OperandId, Value};
use super::super::scope::{GlobalKind, NodeRef};
use super::super::summary::{AddressSpace, ComdatRef, DllStorage, Global, GlobalHead, Linkage, Visibility};
use super::super::types::{Type, TypeId};
use super::attachments::{fault, ranges};
use crate::context::ModuleContext;
use crate::layout::{is_scalable, is_sized};
use crate::target_types;
use wavelens_base::{Severity, Verdict, fail};

wavelens_syntax::rules! {
    GLOBAL {
        code: "global-variable",
        severity: Severity::Error,
        title: "linkage, storage class, comdat, type and initializer of a global agree",
        explain: "The linker imposes limits: a `common` global is zero and mutable, an `appending` one is an array, \
            a `dllimport` one is not defined here.",
        example: "@g = common global i32 1\n",
        fixed: "@g = common global i32 0\n",
        source: "LLVM `Verifier::visitGlobalVariable`: \"'common' global must have a zero initializer!\"; LLVM \
            Language Reference, \"Global Variables\" and \"Linkage Types\"",
    }

    SPECIAL {
        code: "intrinsic-global",
        severity: Severity::Error,
        title: "`@llvm.used`, `@llvm.compiler.used`, `@llvm.global_ctors` and `@llvm.global_dtors` have their \
            fixed form",
        explain: "The linker concatenates these lists and code generation reads them by position: they are \
            `appending` arrays of pointers, or of `{ i32, ptr, ptr }`.",
        example: "@llvm.global_ctors = appending global [1 x i32] zeroinitializer\n",
        fixed: r"declare void @init()
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @init, ptr null }]
",
        source: "LLVM `Verifier::visitGlobalVariable`: \"wrong type for intrinsic global variable\"; LLVM Language \
            Reference, \"Intrinsic Global Variables\"",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    let mut found = Vec::new();
    let mut add = |item, verdict: Verdict| {
        found.extend(verdict.err().map(|fault| fault.diagnostic(|_| cx.item_range(item))));
    };
    for global in &summary.globals {
        let item = global.head.item;
        add(item, variable(cx, global));
        add(item, value(cx, &global.head, global.init.is_none(), global.comdat));
        add(item, attached(cx, global));
    }
    for function in &summary.functions {
        add(function.head.item, value(cx, &function.head, !function.is_definition, function.comdat));
    }
    for alias in &summary.cold.aliases {
        add(alias.head.item, value(cx, &alias.head, false, None));
    }
    cx.diagnostics.append(&mut found);
}

fn wrong(message: impl Into<String>) -> Verdict {
    fail(&GLOBAL, message)
}

fn name<'a>(cx: &ModuleContext<'a>, head: &GlobalHead) -> &'a str {
    head.name.as_name().map_or("", |n| cx.summary.tables.names.get(n))
}

/// What all global values have in common.
fn value(
    cx: &ModuleContext<'_>,
    head: &GlobalHead,
    is_declaration: bool,
    comdat: Option<ComdatRef>,
) -> Verdict {
    let name = || head.name.display('@', &cx.summary.tables.names);
    let for_linker = is_declaration || head.linkage == Linkage::AvailableExternally;
    if for_linker && comdat.is_some() {
        return wrong(format!("`{}` is a declaration and must not be in a comdat", name()));
    }
    match head.dll_storage {
        DllStorage::Export if head.visibility == Visibility::Hidden => {
            wrong(format!("`{}` must not be both `dllexport` and hidden", name()))
        }
        DllStorage::Import if head.visibility != Visibility::Default => {
            wrong(format!("`{}` is `dllimport`, which requires default visibility", name()))
        }
        DllStorage::Import => {
            let external =
                matches!(head.linkage, Linkage::Implicit | Linkage::External | Linkage::ExternWeak);
            if is_declaration && external || head.linkage == Linkage::AvailableExternally {
                Ok(())
            } else {
                wrong(format!("`{}` is `dllimport`, but defined in this module", name()))
            }
        }
        _ => Ok(()),
    }
}

fn variable(cx: &ModuleContext<'_>, global: &Global) -> Verdict {
    let ty = cx.ty(global.ty);
    let head = &global.head;
    let tables = &cx.summary.tables;
    let shown = || format!("`{}`", head.name.display('@', &tables.names));
    if global.init.is_some() && is_sized(cx.scope, &cx.types, ty) == Some(false) {
        return wrong(format!(
            "the initializer of {} has the type `{}`, which has no size",
            shown(),
            cx.display_ty(ty)
        ));
    }
    if cx.scope.follows(24)
        && let Some(own) = cx.scope.global(head.name, &tables.names)
    {
        let layout = &cx.scope.layout;
        let bits = layout.pointer_bits(own.address_space);
        let size = layout.alloc_bytes(cx.scope, &cx.types, ty);
        if bits < 64 && size.is_some_and(|size| size >> bits != 0) {
            return wrong(format!(
                "{} is too large for its address space, whose pointers have {bits} bits",
                shown()
            ));
        }
    }
    if head.linkage == Linkage::Common
        && let Some(init) = global.init
    {
        if !is_zero(tables, cx.summary.operand(init)) {
            return wrong(format!("the initializer of {}, which is `common`, must be zero", shown()));
        }
        if global.is_constant {
            return wrong(format!("{} is `common` and must not be constant", shown()));
        }
        if global.comdat.is_some() {
            return wrong(format!("{} is `common` and must not be in a comdat", shown()));
        }
    }
    // One that is defined again is reported as that, and what these ask of the module would be asked for each.
    let is_first = |name: &str| {
        let first = cx.scope.global_named(name);
        first.is_some_and(|first| (first.summary, first.head.item) == (cx.summary_index, head.item))
    };
    match name(cx, head) {
        name @ ("llvm.global_ctors" | "llvm.global_dtors") if is_first(name) => {
            structors(cx, global, name, ty)?;
        }
        name @ ("llvm.used" | "llvm.compiler.used") if is_first(name) => used(cx, global, name, ty)?,
        _ => {}
    }
    if head.linkage == Linkage::Appending && !ty.is_error() && !matches!(cx.types.get(ty), Type::Array { .. })
    {
        return wrong(format!("{} is `appending`, which requires an array", shown()));
    }
    if is_scalable(cx.scope, &cx.types, ty) {
        return wrong(format!("{} must not have a scalable type", shown()));
    }
    if let Some(name) = target_types::without(cx.scope, &cx.types, ty, |p| p.is_global) {
        return wrong(format!("{} must not have the type `target(\"{name}\")`", shown()));
    }
    Ok(())
}

/// Whether a constant is all zero; what is not known is.
fn is_zero(tables: &Tables, operand: Operand) -> bool {
    match tables.const_of(operand) {
        Some(Const::Int(value)) => value == 0,
        Some(Const::Bool(value)) => !value,
        Some(Const::Double(bits) | Const::Decimal(bits)) => bits == 0,
        Some(Const::Null | Const::ZeroInitializer | Const::Error | Const::HexFloat(_) | Const::Expr(_)) => {
            true
        }
        Some(Const::Aggregate { elements, .. }) => {
            elements.of(&tables.operands).iter().all(|e| match tables.const_of(*e) {
                // One level is enough for all that is written; deeper ones are taken as zero.
                Some(Const::Aggregate { .. }) => true,
                _ => is_zero(tables, *e),
            })
        }
        // A string may be all zero bytes.
        Some(Const::String { .. }) => true,
        _ => false,
    }
}

fn fail_special(message: impl Into<String>) -> Verdict {
    fail(&SPECIAL, message)
}

fn special_linkage(cx: &ModuleContext<'_>, global: &Global, name: &str) -> Verdict {
    if global.init.is_some() && global.head.linkage != Linkage::Appending {
        return fail_special(format!("`@{name}` must have `appending` linkage"));
    }
    let used = |tables: &Tables| {
        // What metadata names is not in use for that.
        let fields = tables.cold.md_fields.iter().filter_map(|field| match field.value {
            MdValue::Value(id) => Some(id),
            _ => None,
        });
        let named: FxHashSet<OperandId> = fields.collect();
        (0..).map(OperandId).zip(&tables.operands).any(|(id, o)| match o.value {
            Value::Global(symbol) if symbol.as_name().is_some_and(|n| tables.names.get(n) == name) => {
                !named.contains(&id)
            }
            _ => false,
        })
    };
    if cx.scope.summaries.iter().any(|(_, s)| s.tables.names.find(name).is_some() && used(&s.tables)) {
        return fail_special(format!("`@{name}` is used in this module: its name must not be an operand"));
    }
    Ok(())
}

fn structors(cx: &ModuleContext<'_>, global: &Global, name: &str, ty: TypeId) -> Verdict {
    special_linkage(cx, global, name)?;
    let Type::Array { element, .. } = cx.types.get(ty) else { return Ok(()) };
    let fields = match cx.types.get(element) {
        Type::Error => return Ok(()),
        Type::Struct { fields, .. } => cx.types.list(fields),
        Type::NamedStruct(def) => match cx.scope.struct_def(def).and_then(|d| d.fields) {
            Some(fields) => cx.types.list(fields),
            None => &[],
        },
        _ => &[],
    };
    if fields.contains(&TypeId::ERROR) {
        return Ok(());
    }
    let program = cx.scope.layout.program_space;
    let code = |ty: &TypeId| cx.types.get(*ty) == Type::Ptr(program);
    match fields {
        [TypeId::I32, function] if code(function) => {
            fail_special(format!("the elements of `@{name}` require a third field, which may be `ptr null`"))
        }
        [TypeId::I32, function, data] if code(function) && cx.types.is_ptr(*data) => Ok(()),
        _ => {
            let element = cx.display_ty(element);
            fail_special(format!(
                "expected an array of `{{ i32, ptr, ptr }}` for `@{name}`, found elements of type `{element}`"
            ))
        }
    }
}

fn used(cx: &ModuleContext<'_>, global: &Global, name: &str, ty: TypeId) -> Verdict {
    special_linkage(cx, global, name)?;
    let Type::Array { element, .. } = cx.types.get(ty) else { return Ok(()) };
    if !element.is_error() && !cx.types.is_ptr(element) {
        return fail_special(format!(
            "expected an array of pointers for `@{name}`, found elements of type `{}`",
            cx.display_ty(element)
        ));
    }
    let Some(init) = global.init else { return Ok(()) };
    let tables = &cx.summary.tables;
    let elements = match tables.const_of(cx.summary.operand(init)) {
        Some(Const::Aggregate { elements, .. }) if !elements.is_empty() => elements,
        Some(Const::Error | Const::Expr(_)) | None => return Ok(()),
        _ => return fail_special(format!("the initializer of `@{name}` must be an array of its members")),
    };
    for member in elements.of(&tables.operands) {
        match strip(tables, *member) {
            _ if is_computed(tables, *member) => {
                return fail_special(format!(
                    "members of `@{name}` must be symbols, found an address computed from one"
                ));
            }
            Target::Global(symbol) => {
                if symbol.as_name().is_none() {
                    return fail_special(format!("members of `@{name}` must have names"));
                }
                let info = cx.scope.global(symbol, &tables.names);
                if info.is_some_and(|g| matches!(g.kind, GlobalKind::Ifunc(_))) {
                    return fail_special(format!("an ifunc must not be a member of `@{name}`"));
                }
            }
            Target::Other => {
                return fail_special(format!("members of `@{name}` must be variables, functions or aliases"));
            }
            Target::Unknown => {}
        }
    }
    Ok(())
}

/// Whether an address is certainly not that of a symbol itself: LLVM looks through casts of pointers and indexes of zero.
fn is_computed(tables: &Tables, mut operand: Operand) -> bool {
    while let Some(Const::Expr(index)) = tables.const_of(operand)
        && let Some(expr) = tables.cold.exprs.get(index as usize)
    {
        let Some((inner, indexes)) = expr.operands.of(&tables.operands).split_first() else { return false };
        let is_offset = |o: &Operand| matches!(tables.const_of(*o), Some(Const::Int(value)) if value != 0);
        match expr.opcode {
            Opcode::IntToPtr => return true,
            Opcode::GetElementPtr if indexes.iter().any(is_offset) => return true,
            _ => operand = *inner,
        }
    }
    false
}

/// What a constant points to, casts aside.
pub(super) enum Target {
    Global(super::super::names::Symbol),
    Other,
    Unknown,
}

pub(super) fn strip(tables: &Tables, mut operand: Operand) -> Target {
    for _ in 0..16 {
        match operand.value {
            Value::Global(symbol) => return Target::Global(symbol),
            Value::Error => return Target::Unknown,
            _ => {}
        }
        match tables.const_of(operand) {
            Some(Const::Expr(index)) => {
                let Some(expr) = tables.cold.exprs.get(index as usize) else { return Target::Unknown };
                if !matches!(expr.opcode, Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::GetElementPtr) {
                    return Target::Unknown;
                }
                match expr.operands.of(&tables.operands).first() {
                    Some(inner) => operand = *inner,
                    None => return Target::Unknown,
                }
            }
            Some(Const::Error) => return Target::Unknown,
            _ => return Target::Other,
        }
    }
    Target::Unknown
}

fn attached(cx: &ModuleContext<'_>, global: &Global) -> Verdict {
    let tables = &cx.summary.tables;
    for attachment in tables.attachments(global.attachments) {
        let Some(node) = cx.node(attachment.value) else { continue };
        match tables.name(attachment.kind) {
            "absolute_symbol" => absolute_symbol(cx, global, node)?,
            "elf_section_properties" => section_properties(cx, node)?,
            _ => {}
        }
    }
    Ok(())
}

fn absolute_symbol(cx: &ModuleContext<'_>, global: &Global, node: NodeRef<'_>) -> Verdict {
    let space = match global.head.address_space {
        Some(AddressSpace::Number(n)) => n,
        _ => 0,
    };
    let bits = cx.scope.layout.pointer_bits(space);
    let is_all = |end| matches!(end, Md::Int { value: Some(v), .. } if v == u64::MAX);
    if node.len() == 2 && node.operands(cx.scope).all(is_all) {
        return Ok(());
    }
    ranges(cx.scope, node, Some(bits), &format!("`i{bits}`, the size of the pointer"))
}

/// The type and the entry size of an ELF section; LLVM 24 is the first to ask for them.
fn section_properties(cx: &ModuleContext<'_>, node: NodeRef<'_>) -> Verdict {
    if !cx.scope.follows(24) || !node.is_tuple() {
        return Ok(());
    }
    if node.len() != 2 {
        let found = node.len();
        return fault::wrong(format!("expected 2 operands in `!elf_section_properties`, found {found}"));
    }
    for (operand, name) in node.operands(cx.scope).zip(["type", "entry size"]) {
        if !matches!(operand, Md::Int { .. } | Md::Unknown) {
            return fault::wrong(format!("the {name} in `!elf_section_properties` must be an integer"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn ifuncs_have_attachments_and_aliases_do_not() {
        marks(expect![[r#"
            @i = ifunc void (), ptr @r, !associated !0
            @a = alias i32, ptr @g, !associated !0
            ;                       ^^^^^^^^^^^ error[syntax-error]: expected `partition`, found `!associated`
            @g = global i32 0
            define ptr @r() {
              ret ptr null
            }
            !0 = !{ptr @g}
        "#]]);
    }

    #[test]
    fn metadata_may_name_llvm_used() {
        marks(expect![[r#"
            @g = global i32 0
            @llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"
            !llvm.asan.globals = !{!0}
            !0 = !{ptr @llvm.used, null}
        "#]]);
    }

    #[test]
    fn members_of_llvm_used_are_symbols() {
        let of = |member: &str| {
            wavelens_check::testing::findings(
                wavelens_base::Dialect::Llvm,
                &format!("@g = global i32 0\n@llvm.used = appending global [1 x ptr] [ptr {member}]\n"),
            )
        };
        for same in
            ["@g", "getelementptr (i8, ptr @g, i64 0)", "getelementptr (i8, ptr @g, i64 add (i64 1, i64 -1))"]
        {
            assert_eq!(of(same), "", "{same}");
        }
        for other in [
            "getelementptr (i8, ptr @g, i64 1)",
            "getelementptr (i8, ptr getelementptr (i8, ptr @g, i64 1), i64 0)",
            "inttoptr (i64 ptrtoint (ptr @g to i64) to ptr)",
        ] {
            let expected = "members of `@llvm.used` must be symbols, found an address computed from one";
            assert!(of(other).contains(expected), "{other}: {}", of(other));
        }
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            @a = alias i32, ptr @a
            ;^ error[alias-target]: aliases form a cycle
        "#]]);
        marks(expect![[r#"
            @g = common global i32 1
            ;^ error[global-variable]: the initializer of `@g`, which is `common`, must be zero
        "#]]);
        marks(expect![[r#"
            @a = alias i32, ptr null
            ;^ error[alias-target]: the target of an alias must be a global or an expression with one
        "#]]);
        marks(expect![[r#"
            @g = common constant i32 0
            ;^ error[global-variable]: `@g` is `common` and must not be constant
        "#]]);
    }
}
