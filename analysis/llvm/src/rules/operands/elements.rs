//! Elements of vectors, and members of arrays and structs.

use super::{At, INVALID_OPERAND};
use crate::arena::Tables;
use crate::body::Opcode;
use crate::operand::{Const, OperandId};
use crate::types::{Type, TypeId, Types};

pub(super) fn insert_element(at: &mut At<'_, '_>) {
    if !at.want(0, "a vector", Types::is_vector) {
        return;
    }
    let (vector, element) = (at.ty(0), at.ty(1));
    if let Type::Vector { element: own, .. } = at.cx.types.get(vector)
        && own != element
        && !element.is_error()
    {
        let message =
            format!("expected an element of type `{}`, found `{}`", at.cx.display_ty(own), at.shown(1));
        at.bad(1, message);
    }
    at.want(2, "an integer index", Types::is_int);
}

pub(super) fn shuffle(at: &mut At<'_, '_>) {
    let (first, second, mask) = (at.ty(0), at.ty(1), at.ty(2));
    if first.is_error() || second.is_error() || mask.is_error() {
        return;
    }
    let Type::Vector { len, scalable, .. } = at.cx.types.get(first) else {
        at.want(0, "vectors", Types::is_vector);
        return;
    };
    if first != second {
        let message =
            format!("both vectors must have the same type, found `{}` and `{}`", at.shown(0), at.shown(1));
        return at.bad(1, message);
    }
    match at.cx.types.get(mask) {
        Type::Vector { element: TypeId::I32, scalable: s, .. } if s == scalable => {}
        Type::Vector { element: TypeId::I32, .. } => {
            let (with, without) =
                if scalable { ("vectors are", "mask is") } else { ("mask is", "vectors are") };
            let message = format!("the {with} scalable, but the {without} not: found `{}`", at.shown(2));
            return at.bad(2, message);
        }
        _ => {
            let message = format!("expected a vector of `i32` as mask, found `{}`", at.shown(2));
            return at.bad(2, message);
        }
    }
    let constant = at.constant(2);
    if let Some((message, element)) = mask_problem(&at.cx.body.tables, constant, len, scalable) {
        match element.map(|id| at.cx.operand_range(id)).filter(|range| !range.is_empty()) {
            Some(range) => {
                at.cx.report(&INVALID_OPERAND, range, message);
            }
            None => at.bad(2, message),
        }
    }
}

/// What is wrong with the mask of a `shufflevector` of two vectors of this length, and with which element.
pub(in crate::rules) fn mask_problem(
    tables: &Tables,
    mask: Option<Const>,
    len: u32,
    scalable: bool,
) -> Option<(String, Option<OperandId>)> {
    let limit = 2 * u64::from(len);
    let fits = |id: &OperandId| match tables.const_of(tables.operand(*id)) {
        Some(Const::Undef | Const::Poison | Const::Error) => true,
        _ => tables.i32_of(tables.operand(*id)).is_some_and(|index| u64::from(index) < limit),
    };
    let wrong = match mask {
        Some(Const::Undef | Const::Poison | Const::ZeroInitializer | Const::Error) => return None,
        _ if scalable => {
            let message = "the mask of scalable vectors must be `zeroinitializer`, `undef` or `poison`";
            return Some((message.to_owned(), None));
        }
        Some(Const::Aggregate { elements, .. }) => {
            elements.range().map(|index| OperandId(index as u32)).find(|id| !fits(id))
        }
        Some(Const::Splat(element)) => Some(element).filter(|id| !fits(id)),
        _ => {
            let message =
                format!("the mask must be a constant whose elements are between 0 and {}", limit - 1);
            return Some((message, None));
        }
    };
    let id = wrong?;
    let is = match tables.const_of(tables.operand(id)) {
        Some(Const::Int(n)) => format!(", is {n}"),
        _ => String::new(),
    };
    Some((format!("a mask element must be between 0 and {}{is}", limit - 1), Some(id)))
}

pub(super) fn aggregate(at: &mut At<'_, '_>) {
    let ty = at.ty(0);
    if ty.is_error() {
        return;
    }
    if !matches!(at.cx.types.get(ty), Type::Array { .. } | Type::Struct { .. } | Type::NamedStruct(_)) {
        let message =
            format!("`{}` requires an array or a struct, found `{}`", at.inst.opcode.word(), at.shown(0));
        return at.bad(0, message);
    }
    let path = at.cx.body.index_list(at.inst);
    match at.cx.indexed(ty, path) {
        None => {
            let path: Vec<_> = path.iter().map(u32::to_string).collect();
            let message = match path.as_slice() {
                [index] => format!("`{}` does not have an element {index}", at.shown(0)),
                path => {
                    format!("`{}` does not have an element at the indices {}", at.shown(0), path.join(", "))
                }
            };
            at.bad(0, message);
        }
        Some(own) if at.inst.opcode == Opcode::InsertValue && !own.is_error() => {
            let value = at.ty(1);
            if value != own && !value.is_error() {
                let message = format!(
                    "expected an element of type `{}`, found `{}`",
                    at.cx.display_ty(own),
                    at.shown(1)
                );
                at.bad(1, message);
            }
        }
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn vectors_and_aggregates() {
        marks(expect![[r#"
            define void @f(<4 x i32> %v, { i32, ptr } %s, i32 %i) {
              %a = insertelement <4 x i32> %v, i64 1, i32 0
            ;                                      ^ error[invalid-operand]: expected an element of type `i32`, found `i64`
              %b = extractelement i32 %i, i32 0
            ;                         ^^ error[invalid-operand]: `extractelement` requires a vector, found `i32`
              %c = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> <i32 0, i32 9>
            ;                                                                      ^ error[invalid-operand]: a mask element must be between 0 and 7, is 9
              %d = extractvalue { i32, ptr } %s, 2
            ;                                ^^ error[invalid-operand]: `{ i32, ptr }` does not have an element 2
              %e = insertvalue { i32, ptr } %s, i32 1, 1
            ;                                       ^ error[invalid-operand]: expected an element of type `ptr`, found `i32`
              %g = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> <i32 4294967296, i32 -4294967289>
              %h = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> <i32 0, i32 -1>
            ;                                                                      ^^ error[invalid-operand]: a mask element must be between 0 and 7, is -1
              ret void
            }
        "#]]);
    }

    #[test]
    fn a_mask_is_scalable_where_the_vectors_are() {
        marks(expect![[r#"
            define void @f(<4 x i32> %v, <vscale x 4 x i32> %w) {
              %a = shufflevector <4 x i32> %v, <4 x i32> %v, <vscale x 4 x i32> zeroinitializer
            ;                                                                   ^^^^^^^^^^^^^^^ error[invalid-operand]: the mask is scalable, but the vectors are not: found `<vscale x 4 x i32>`
              %b = shufflevector <vscale x 4 x i32> %w, <vscale x 4 x i32> %w, <vscale x 4 x i32> zeroinitializer
              %c = shufflevector <vscale x 4 x i32> %w, <vscale x 4 x i32> %w, <4 x i32> zeroinitializer
            ;                                                                            ^^^^^^^^^^^^^^^ error[invalid-operand]: the vectors are scalable, but the mask is not: found `<4 x i32>`
              ret void
            }
        "#]]);
    }
}
