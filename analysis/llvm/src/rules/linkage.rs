//! Linkage, visibility and storage classes of globals and functions.

use crate::context::ModuleContext;
use crate::lower::rules::INVALID_LINKAGE;
use crate::summary::{DllStorage, GlobalHead, Linkage, Visibility};

pub(crate) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    for global in &summary.globals {
        local(cx, &global.head);
    }
    for alias in &summary.cold.aliases {
        local(cx, &alias.head);
        let valid = matches!(
            alias.head.linkage,
            Linkage::Implicit
                | Linkage::External
                | Linkage::Private
                | Linkage::Internal
                | Linkage::Weak
                | Linkage::WeakOdr
                | Linkage::LinkOnce
                | Linkage::LinkOnceOdr
                | Linkage::AvailableExternally
        );
        if !valid {
            let what = if alias.is_ifunc { "an ifunc" } else { "an alias" };
            let message = format!("{what} must not be `{}`", alias.head.linkage.word());
            bad(cx, &alias.head, &message);
        } else if alias.is_ifunc && alias.head.linkage == Linkage::AvailableExternally {
            bad(cx, &alias.head, "an ifunc must not be `available_externally`");
        }
        let ty = cx.ty(summary.operand(alias.target).ty);
        if !ty.is_error() && !cx.types.is_ptr(ty) {
            bad(cx, &alias.head, "the target of an alias or ifunc must be a pointer");
        }
    }
    for function in &summary.functions {
        local(cx, &function.head);
        let word = function.head.linkage.word();
        let problem = match function.head.linkage {
            Linkage::Implicit | Linkage::External => None,
            Linkage::ExternWeak => {
                function.is_definition.then(|| format!("a definition must not be `{word}`"))
            }
            Linkage::Appending | Linkage::Common => Some(format!("a function must not be `{word}`")),
            _ => (!function.is_definition).then(|| format!("a declaration must not be `{word}`")),
        };
        if let Some(problem) = problem {
            bad(cx, &function.head, &problem);
        }
    }
}

fn local(cx: &mut ModuleContext<'_>, head: &GlobalHead) {
    if !head.linkage.is_local() {
        return;
    }
    if head.visibility != Visibility::Default {
        bad(cx, head, "a symbol with local linkage must have default visibility");
    } else if head.dll_storage != DllStorage::None {
        bad(cx, head, "a symbol with local linkage must not have a DLL storage class");
    }
}

fn bad(cx: &mut ModuleContext<'_>, head: &GlobalHead, message: &str) {
    let range = cx.item_range(head.item);
    cx.report(&INVALID_LINKAGE, range, message);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare weak void @f()
            ;                 ^^ error[invalid-linkage]: a declaration must not be `weak`
        "#]]);
        marks(expect![[r#"
            declare common void @f()
            ;                   ^^ error[invalid-linkage]: a function must not be `common`
        "#]]);
        marks(expect![[r#"
            @g = internal hidden global i32 0
            ;^ error[invalid-linkage]: a symbol with local linkage must have default visibility
            ;^ hint[unused-global]: unused global `@g`
        "#]]);
        marks(expect![[r#"
            @g = internal dllexport global i32 0
            ;^ error[invalid-linkage]: a symbol with local linkage must not have a DLL storage class
            ;^ hint[unused-global]: unused global `@g`
        "#]]);
    }
}
