//! Values that violate what the attributes of their parameter promise.

use super::{Finder, Written, parameter, weaken};
use crate::attribute::{AttrKind, AttrValue};
use crate::body::{Inst, InstId, Opcode};
use crate::operand::{Operand, OperandId};
use crate::underlying::{Int, Root};
use wavelens_base::{Severity, TextRange};

wavelens_syntax::rules! {
    VIOLATED {
        code: "attribute-violated",
        severity: Severity::Warning,
        title: "a value is what the attributes of its parameter or result promise",
        explain: "An argument or a returned value that violates `nonnull`, `range` or `align` is poison; one that violates \
            `noundef` or `dereferenceable` has undefined behavior. A function that returns something else than its \
            `returned` parameter misleads its callers. A pointer that is stored or returned although the `captures` of \
            its parameter does not allow it must not be used after the function has returned: that is a hint.\n\n\
            Switch it off for calls that are known not to be executed.",
        example: r"declare void @g(ptr nonnull)
define void @f() {
  call void @g(ptr null)
  ret void
}
",
        fixed: r"declare void @g(ptr)
define void @f() {
  call void @g(ptr null)
  ret void
}
",
        source: "LLVM Language Reference, \"Parameter Attributes\": `nonnull`, `noundef`, `range`, `align`, \
            `dereferenceable`, `returned`, `captures`; \"Pointer Capture\"",
    }
}

/// The arguments of a call.
pub(super) fn check(finder: &mut Finder<'_, '_>, _: InstId, inst: &Inst) {
    let cx = finder.cx();
    let Some(call) = cx.body.call(inst) else { return };
    let is_intrinsic = cx.callee_name(call).is_some_and(|name| name.starts_with("llvm."));
    let callee = if is_intrinsic { None } else { finder.callee(call) };
    for (n, arg) in cx.body.operands(call.args).iter().enumerate() {
        let range = cx.operand_range(OperandId(call.args.start + n as u32));
        if value(finder, finder.argument(call, n), *arg, range, "argument") {
            continue;
        }
        if let Some(theirs) = parameter(callee, n) {
            value(finder, theirs, *arg, range, "parameter");
        }
    }
}

/// A copy of a pointer that outlives the function, while the `captures` of its parameter excludes accesses through it.
pub(super) fn kept(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    /// The provenance for reads, the weakest that an access needs.
    const READ_PROVENANCE: u8 = 4;
    let cx = finder.cx();
    let body = cx.body;
    let is_copied = matches!(inst.opcode, Opcode::Ret | Opcode::Store) && !inst.operands.is_empty();
    if !is_copied || cx.scope.is_test || !cx.types.is_ptr(cx.operand_ty(inst, 0)) {
        return;
    }
    let source = finder.objects.source(body.operand(inst, 0));
    let Root::Argument(n) = source.root else { return };
    let Some(param) = cx.summary.params(cx.function).get(n as usize) else { return };
    let Some(captures) = Written::new(&cx.summary.tables, param.attrs).get(AttrKind::Captures) else {
        return;
    };
    let AttrValue::Captures { other, ret } = captures.value else { return };
    let (allowed, how, copy) = match inst.opcode {
        Opcode::Ret => (ret, "returned", "result"),
        // A copy on the stack ends with the function; where a loaded pointer points is not known.
        _ if matches!(
            finder.objects.source(body.operand(inst, 1)).root,
            Root::Global(_) | Root::Argument(_)
        ) =>
        {
            (other, "stored", "copy")
        }
        _ => return,
    };
    if allowed & READ_PROVENANCE == 0 {
        let name = finder.name(source.root);
        let message = format!(
            "`{name}` is {how}, but its `captures` does not allow accesses through the {copy} when the function has returned"
        );
        weaken(finder.report_pointer(&VIOLATED, body.operand_range(id, 0), message, &source));
    }
}

/// One value and the attributes of its place; whether something was found.
pub(super) fn value(
    finder: &mut Finder<'_, '_>,
    attrs: Written<'_>,
    operand: Operand,
    range: TextRange,
    what: &str,
) -> bool {
    if attrs.list.is_empty() {
        return false;
    }
    if attrs.has(AttrKind::NoUndef)
        && let Some(word) = finder.undefined(operand)
    {
        let message = format!("`{word}` for a `noundef` {what} is undefined behavior");
        finder.report(&VIOLATED, range, message);
        return true;
    }
    if let Some(entry) = attrs.get(AttrKind::Range)
        && let AttrValue::Range(_, index) = entry.value
        && let Some((low, high)) = attrs.tables.cold.attr_ranges.get(index as usize)
        && let Some(int) = finder.objects.int(operand)
        && !is_within(int, *low, *high)
    {
        let message =
            format!("{} is outside of `range({low}, {high})` of this {what}: it is poison", int.signed());
        finder.report(&VIOLATED, range, message);
        return true;
    }
    let cx = finder.cx();
    if !cx.types.is_ptr(cx.ty(operand.ty)) {
        return false;
    }
    let words = [AttrKind::NonNull, AttrKind::Dereferenceable, AttrKind::Alignment];
    if !words.iter().any(|word| attrs.has(*word)) {
        return false;
    }
    let source = finder.objects.source(operand);
    let is_null = source.root == Root::Null && source.is_whole();
    if is_null && attrs.has(AttrKind::NonNull) {
        let message = format!("null for a `nonnull` {what} is poison");
        finder.report_pointer(&VIOLATED, range, message, &source);
        return true;
    }
    let Some(offset) = finder.objects.offset(&source) else { return false };
    if let Some(bytes) = attrs.int(AttrKind::Dereferenceable).filter(|bytes| *bytes > 0) {
        let space = cx.types.address_space(cx.ty(operand.ty));
        if is_null && space == Some(0) && !finder.has_valid_null {
            let message = format!("null for a `dereferenceable({bytes})` {what} is undefined behavior");
            finder.report_pointer(&VIOLATED, range, message, &source);
            return true;
        }
        let (Some(size), _) = finder.objects.extent(source.root) else { return false };
        let left = i128::from(size) - i128::from(offset);
        if left < i128::from(bytes) {
            let name = finder.name(source.root);
            let message = format!(
                "`{name}` has {left} bytes from here on, but the {what} is `dereferenceable({bytes})`"
            );
            finder.report_pointer(&VIOLATED, range, message, &source);
            return true;
        }
    }
    if let Some(align) = attrs.int(AttrKind::Alignment).filter(|align| align.is_power_of_two())
        && let (_, Some(own)) = finder.objects.extent(source.root)
        && own >= align
        && offset.rem_euclid(i64::try_from(align).unwrap_or(i64::MAX)) != 0
    {
        let name = finder.name(source.root);
        let message = format!("offset {offset} of `{name}` is not aligned to {align}: the {what} is poison");
        finder.report_pointer(&VIOLATED, range, message, &source);
        return true;
    }
    false
}

/// Whether an integer is in a range that may wrap around.
fn is_within(int: Int, low: i128, high: i128) -> bool {
    let mask = if int.bits == 64 { u64::MAX } else { (1 << int.bits) - 1 };
    let cut = |end: i128| (end as u64) & mask;
    let (low, high, value) = (cut(low), cut(high), int.value);
    if low < high { (low..high).contains(&value) } else { value >= low || value < high }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn pointers_that_are_kept() {
        marks(expect![[r#"
            @g = global ptr null
            define void @f(ptr captures(none) %p, ptr captures(address, read_provenance) %q, ptr %o) {
              %slot = alloca ptr
              store ptr %p, ptr %slot
              store ptr %p, ptr @g
            ;           ^^ hint[attribute-violated]: `%p` is stored, but its `captures` does not allow accesses through the copy when the function has returned
              store ptr %q, ptr %o
              ret void
            }
            define ptr @h(ptr captures(none) %p) {
              %q = getelementptr i8, ptr %p, i64 4
              ret ptr %q
            ;         ^^ hint[attribute-violated]: `%p` is returned, but its `captures` does not allow accesses through the result when the function has returned
            }
            define ptr @i(ptr captures(ret: address, provenance) %p) {
              ret ptr %p
            }
        "#]]);
    }
}
