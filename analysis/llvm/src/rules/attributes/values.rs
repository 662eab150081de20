//! Attributes of one parameter or result: which types they are for, and which exclude each other.

use super::{Site, TYPE, conflict, exclusive, value};
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::layout::is_sized;
use crate::types::{Type, TypeId};
use wavelens_base::{Verdict, fail_at};

/// Pairs that no parameter has both of.
const EXCLUSIVE: &[(AttrKind, AttrKind)] = &[
    (AttrKind::InAlloca, AttrKind::ReadOnly),
    (AttrKind::StructRet, AttrKind::Returned),
    (AttrKind::ZExt, AttrKind::SExt),
    (AttrKind::ReadNone, AttrKind::ReadOnly),
    (AttrKind::ReadNone, AttrKind::WriteOnly),
    (AttrKind::ReadOnly, AttrKind::WriteOnly),
    (AttrKind::Writable, AttrKind::ReadNone),
    (AttrKind::Writable, AttrKind::ReadOnly),
];

/// For pointers only.
const ON_POINTERS: &[AttrKind] = &[
    AttrKind::NoAlias,
    AttrKind::NonNull,
    AttrKind::ReadNone,
    AttrKind::ReadOnly,
    AttrKind::Dereferenceable,
    AttrKind::DereferenceableOrNull,
    AttrKind::Writable,
    AttrKind::DeadOnUnwind,
    AttrKind::Initializes,
    AttrKind::Captures,
    AttrKind::DeadOnReturn,
    AttrKind::Nest,
    AttrKind::SwiftError,
    AttrKind::Preallocated,
    AttrKind::InAlloca,
    AttrKind::ByVal,
    AttrKind::StructRet,
    AttrKind::ByRef,
    AttrKind::ElementType,
    AttrKind::AllocatedPointer,
];

impl Site<'_> {
    /// Attributes of one parameter or result.
    pub(super) fn value(&self, set: &AttributeSet<'_>, ty: TypeId) -> Verdict {
        if set.is_empty() || ty.is_error() {
            return Ok(());
        }
        self.words(set)?;
        if let Some(entry) = set.get(AttrKind::ImmArg)
            && set.iter().any(|e| !matches!(e.attr.kind, AttrKind::ImmArg | AttrKind::Range))
        {
            return conflict(Some(entry), "`immarg` excludes all other attributes except `range`");
        }
        let passing =
            [AttrKind::ByVal, AttrKind::InAlloca, AttrKind::Preallocated, AttrKind::Nest, AttrKind::ByRef];
        let mut ways: Vec<_> = passing.iter().filter_map(|k| set.get(*k)).collect();
        ways.extend(set.get(AttrKind::StructRet).or_else(|| set.get(AttrKind::InReg)));
        if let [first, second, ..] = ways[..] {
            let (a, b) = (first.attr.kind.word(), second.attr.kind.word());
            return conflict(Some(second), format!("`{a}` and `{b}` are mutually exclusive"));
        }
        exclusive(set, EXCLUSIVE)?;
        for entry in set.iter() {
            if let Some(wants) = self.wrong_type(entry.attr.kind, ty) {
                let (word, ty) = (entry.attr.kind.word(), self.display(ty));
                let message = format!("`{word}` requires {wants}, found `{ty}`");
                return fail_at(&TYPE, entry.index as usize, message);
            }
            if entry.attr.kind == AttrKind::Range
                && let (Some(range), Some(own)) =
                    (self.types.int_bits(entry.ty), self.types.int_bits(self.types.scalar(ty)))
                && range != own
            {
                let message = format!(
                    "expected a `range` of the type of the value, `{}`, found `i{range}`",
                    self.display(ty)
                );
                return fail_at(&TYPE, entry.index as usize, message);
            }
        }
        for kind in [AttrKind::ByVal, AttrKind::ByRef, AttrKind::InAlloca, AttrKind::Preallocated] {
            let Some(entry) = set.get(kind) else { continue };
            let word = kind.word();
            if is_sized(self.scope, self.types, entry.ty) == Some(false) {
                return value(
                    entry,
                    format!(
                        "`{word}` requires a type with a size, `{}` does not have a size",
                        self.display(entry.ty)
                    ),
                );
            }
            let size = self.layout.alloc_bytes(self.scope, self.types, entry.ty);
            if size.is_some_and(|bytes| bytes >= 1 << 32) {
                return value(entry, format!("the type of `{word}` must be smaller than 4 GiB"));
            }
        }
        Ok(())
    }

    /// What an attribute is for, if a type is not of that.
    fn wrong_type(&self, kind: AttrKind, ty: TypeId) -> Option<&'static str> {
        let types = self.types;
        match kind {
            AttrKind::SExt | AttrKind::ZExt if types.is_byte(ty) => None,
            AttrKind::AllocAlign | AttrKind::SExt | AttrKind::ZExt if !types.is_int(ty) => Some("integers"),
            AttrKind::Range if !types.is_int_or_vector(ty) => Some("integers"),
            AttrKind::Alignment if !types.is_ptr_or_vector(ty) => Some("pointers"),
            AttrKind::NoUndef if ty == TypeId::VOID => Some("values"),
            AttrKind::NoFPClass if !self.has_float(ty) => Some("a floating-point value"),
            kind if ON_POINTERS.contains(&kind) && !types.is_ptr(ty) => Some("pointers"),
            _ => None,
        }
    }

    fn has_float(&self, mut ty: TypeId) -> bool {
        for _ in 0..64 {
            match self.types.get(ty) {
                Type::Array { element, .. } => ty = element,
                Type::Struct { .. } | Type::NamedStruct(_) => return true,
                _ => break,
            }
        }
        self.types.is_float_or_vector(ty)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare noalias i32 @f()
            ;       ^^^^^^^ error[attribute-type]: `noalias` requires pointers, found `i32`
        "#]]);
        marks(expect![[r#"
            declare void @f(ptr inreg nest)
            ;                   ^^^^^ error[attribute-conflict]: `nest` and `inreg` are mutually exclusive
        "#]]);
        marks(expect![[r#"
            declare void @f(i32 range(i64 0, 1))
            ;                   ^^^^^^^^^^^^^^^ error[attribute-type]: expected a `range` of the type of the value, `i32`, found `i64`
        "#]]);
        marks(expect![[r#"
            declare void @llvm.foo(i32 immarg zeroext)
            ;                          ^^^^^^ error[attribute-conflict]: `immarg` excludes all other attributes except `range`
        "#]]);
    }
}
