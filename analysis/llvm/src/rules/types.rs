//! Types: which types may contain which.

use crate::attribute::AttrKind;
use crate::context::ModuleContext;
use crate::lower::rules::INVALID_TYPE;
use crate::types::{Type, TypeId};

pub(crate) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    for def in &summary.cold.type_defs {
        let Some(ty) = def.ty else { continue };
        if matches!(summary.tables.types.get(ty), Type::Struct { .. } | Type::Error) {
            continue;
        }
        // Only structs may be used before they are defined, or within themselves.
        let span = cx.lowered.item_spans.get(def.item as usize).copied().unwrap_or_default();
        let used =
            cx.ranges.cold.named_types.iter().any(|(name, at)| *name == def.name && at.start() < span.end());
        if used {
            let name = def.name.display('%', &summary.tables.names);
            let range = cx.item_range(def.item);
            cx.report(
                &INVALID_TYPE,
                range,
                format!("`{name}` is not a struct and must not be used before its definition"),
            );
        }
    }
    for function in &summary.functions {
        // `sret` is for the first or the second parameter.
        let sret = summary
            .params(function)
            .iter()
            .take(2)
            .any(|p| summary.tables.attrs(p.attrs).iter().any(|a| a.kind == AttrKind::StructRet));
        if sret && function.result != TypeId::VOID && !function.result.is_error() {
            let range = cx.item_range(function.head.item);
            cx.report(&INVALID_TYPE, range, "a function with an `sret` parameter must return `void`");
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn faults() {
        marks(expect![[r#"
            %t = type [4 x %t]
            ;^ error[invalid-type]: `%t` is not a struct and must not be used before its definition
        "#]]);
        marks(expect![[r#"
            declare void @f() builtin
            ;                 ^^^^^^^ error[attribute-place]: `builtin` applies only to calls
        "#]]);
        marks(expect![[r#"
            declare i32 @f(ptr sret(i32))
            ;           ^^ error[invalid-type]: a function with an `sret` parameter must return `void`
        "#]]);
    }

    #[test]
    fn pointers_to_pointers_are_one_finding() {
        let text = format!("@g = external global i32{}\n@h = external global void**\n", "*".repeat(5_000));
        check(
            &text.replace(&"*".repeat(5_000), "***"),
            expect![[r#"
                warning[typed-pointer] 1:22 `i32***`: typed pointers were removed in LLVM 17: `i32***` is read as `ptr`
                  fix: Replace with `ptr`
                  | @g = external global ptr
                error[typed-pointer] 2:22 `void**`: `void` cannot be a pointee type: use `ptr`
                  fix: Replace with `ptr`
                  | @h = external global ptr
            "#]],
        );
        let found = wavelens_check::check_text(
            wavelens_base::Dialect::Llvm,
            &text,
            &wavelens_base::Options::default(),
        );
        assert_eq!(found.len(), 2);
    }
}
