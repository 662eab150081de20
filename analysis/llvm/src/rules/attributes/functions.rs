//! Attributes of a function itself.

use wavelens_syntax::wording;

use super::{Site, conflict, exclusive, value};
use crate::attribute::{AttrKind, AttrValue};
use crate::attribute_set::AttributeSet;
use crate::lower::rules::ATTRIBUTE_PLACE;
use crate::summary::UnnamedAddr;
use wavelens_base::{Verdict, fail_at};

/// Pairs that no function has both of.
const EXCLUSIVE_ON_FUNCTIONS: &[(AttrKind, AttrKind)] = &[
    (AttrKind::NoInline, AttrKind::AlwaysInline),
    (AttrKind::OptimizeNone, AttrKind::OptimizeForSize),
    (AttrKind::OptimizeNone, AttrKind::MinSize),
    (AttrKind::OptimizeNone, AttrKind::OptimizeForDebugging),
    (AttrKind::SanitizeRealtime, AttrKind::SanitizeRealtimeBlocking),
    (AttrKind::OptimizeForDebugging, AttrKind::OptimizeForSize),
    (AttrKind::OptimizeForDebugging, AttrKind::MinSize),
];

impl Site<'_> {
    /// Attributes of the function itself.
    pub(super) fn own(&self, set: &AttributeSet<'_>) -> Verdict {
        if self.unnamed_addr.is_none() {
            if let Some(entry) = set.get(AttrKind::Alignment) {
                return fail_at(&ATTRIBUTE_PLACE, entry.index as usize, "`align` does not apply to calls");
            }
        } else if let Some(entry) = set.get(AttrKind::Builtin) {
            return fail_at(&ATTRIBUTE_PLACE, entry.index as usize, "`builtin` applies only to calls");
        }
        if set.has(AttrKind::OptimizeNone) && !set.has(AttrKind::NoInline) {
            return conflict(set.get(AttrKind::OptimizeNone), "`optnone` requires `noinline`");
        }
        exclusive(set, EXCLUSIVE_ON_FUNCTIONS)?;
        if set.has(AttrKind::JumpTable) && self.unnamed_addr.is_some_and(|u| u != UnnamedAddr::Global) {
            return conflict(set.get(AttrKind::JumpTable), "`jumptable` requires `unnamed_addr`");
        }
        if let Some(entry) = set.get(AttrKind::AllocSize)
            && let AttrValue::Pair(size, count) = entry.attr.value
        {
            for (what, n) in [("the element size", Some(size)), ("the number of elements", count)] {
                let Some(n) = n else { continue };
                match self.params.get(n as usize) {
                    None => {
                        let count = wording::number(self.params.len(), "parameters");
                        let message = format!(
                            "`allocsize` names parameter {n}, counted from 0, as {what}, but the function has {count}"
                        );
                        return value(entry, message);
                    }
                    Some(ty) if !self.types.is_int(*ty) && !ty.is_error() => {
                        let ty = self.display(*ty);
                        return value(
                            entry,
                            format!("parameter {n}, {what} of `allocsize`, must be an integer, is `{ty}`"),
                        );
                    }
                    _ => {}
                }
            }
        }
        if let Some(entry) = set.get(AttrKind::AllocKind)
            && let AttrValue::Int(kind) = entry.attr.value
        {
            if (kind & 7).count_ones() != 1 {
                return value(entry, "`allockind` requires exactly one of `alloc`, `realloc` and `free`");
            }
            if kind & 4 != 0 && kind & 0x38 != 0 {
                return value(
                    entry,
                    "`allockind(\"free\")` excludes `uninitialized`, `zeroed` and `aligned`",
                );
            }
            if kind & 0x18 == 0x18 {
                return value(entry, "`zeroed` and `uninitialized` are mutually exclusive in `allockind`");
            }
        }
        if let Some(entry) = set.get(AttrKind::VScaleRange)
            && let AttrValue::Pair(min, max) = entry.attr.value
        {
            let max = max.unwrap_or(min);
            // LLVM takes two zeros for no attribute.
            if !min.is_power_of_two() && (min, max) != (0, 0) {
                return value(
                    entry,
                    format!("the minimum of `vscale_range` must be a power of two, is {min}"),
                );
            }
            if max != 0 && min > max {
                return value(
                    entry,
                    format!("the minimum of `vscale_range`, {min}, exceeds the maximum, {max}"),
                );
            }
            if max != 0 && !max.is_power_of_two() {
                return value(
                    entry,
                    format!("the maximum of `vscale_range` must be a power of two, is {max}"),
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare void @f() optnone
            ;                 ^^^^^^^ error[attribute-conflict]: `optnone` requires `noinline`
        "#]]);
        marks(expect![[r#"
            declare void @f() allocsize(0)
            ;                 ^^^^^^^^^^^^ error[attribute-value]: `allocsize` names parameter 0, counted from 0, as the element size, but the function has 0 parameters
        "#]]);
        marks(expect![[r#"
            declare void @f(ptr) allocsize(0)
            ;                    ^^^^^^^^^^^^ error[attribute-value]: parameter 0, the element size of `allocsize`, must be an integer, is `ptr`
        "#]]);
        marks(expect![[r#"
            declare void @f() vscale_range(0, 2)
            ;                 ^^^^^^^^^^^^^^^^^^ error[attribute-value]: the minimum of `vscale_range` must be a power of two, is 0
        "#]]);
    }
}
