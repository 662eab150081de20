//! Indices of getelementptr.

use super::At;
use crate::arena::Tables;
use crate::layout::{is_scalable, is_sized};
use crate::operand::{Const, Operand};
use crate::scope::Scope;
use crate::types::{Type, TypeId, Types};

/// What is wrong with a getelementptr.
pub(crate) struct GepProblem {
    /// The operand it is about.
    pub(crate) operand: usize,
    pub(crate) message: String,
}

/// The result type of a getelementptr. `types_of` are the canonical types of `operands`, none unknown.
pub(crate) fn gep_result(
    scope: &Scope,
    types: &mut Types,
    tables: &Tables,
    source: TypeId,
    operands: &[Operand],
    types_of: &[TypeId],
) -> Result<TypeId, GepProblem> {
    let problem = |operand: usize, message: &str| Err(GepProblem { operand, message: message.into() });
    let Some(base) = types_of.first().copied() else {
        return problem(0, "the base of `getelementptr` must be a pointer");
    };
    if !types.is_ptr_or_vector(base) {
        let found = scope.display_type(types, base);
        return problem(0, &format!("the base of `getelementptr` must be a pointer, is `{found}`"));
    }
    let mut lanes = types.lanes(base);
    for (n, index) in types_of.iter().enumerate().skip(1) {
        if !types.is_int_or_vector(*index) {
            let found = scope.display_type(types, *index);
            let message = format!(
                "an index of `getelementptr` must be an integer or a vector of integers, is `{found}`"
            );
            return problem(n, &message);
        }
        if let Some(own) = types.lanes(*index) {
            if lanes.is_some_and(|l| l != own) {
                return problem(n, "the vectors of `getelementptr` must have the same length");
            }
            lanes = Some(own);
        }
    }
    if source.is_error() {
        return Ok(TypeId::ERROR);
    }
    if types_of.len() > 1 && is_sized(scope, types, source) == Some(false) {
        return problem(0, "the source element type of `getelementptr` with indices must have a size");
    }
    if matches!(types.get(source), Type::Struct { .. } | Type::NamedStruct(_))
        && is_scalable(scope, types, source)
    {
        return problem(0, "`getelementptr` must not be of a struct that contains scalable vectors");
    }
    let mut ty = source;
    for (n, operand) in operands.iter().enumerate().skip(2) {
        ty = match types.get(ty) {
            Type::Error => return Ok(TypeId::ERROR),
            Type::Vector { element, .. } if scope.follows(24) && is_of_bits(types, element) => {
                let name = scope.display_type(types, ty);
                let message = format!("LLVM 24 does not index `{name}`, whose elements are not whole bytes");
                return problem(n, &message);
            }
            Type::Array { element, .. } | Type::Vector { element, .. } => element,
            shape @ (Type::Struct { .. } | Type::NamedStruct(_)) => {
                let fields = match shape {
                    Type::Struct { fields, .. } => types.list(fields),
                    Type::NamedStruct(def) => {
                        scope.struct_def(def).and_then(|d| d.fields).map_or(&[][..], |f| types.list(f))
                    }
                    _ => &[],
                };
                let index_ty = types_of.get(n).copied().unwrap_or(TypeId::ERROR);
                if types.scalar(index_ty) != TypeId::I32 {
                    let (ty, found) = (scope.display_type(types, ty), scope.display_type(types, index_ty));
                    let message = format!("the index of a field of `{ty}` must be an `i32`, is `{found}`");
                    return problem(n, &message);
                }
                if types.lanes(index_ty).is_some_and(|(_, scalable)| scalable) {
                    return problem(n, "the index of a struct field must not be a scalable vector");
                }
                let index = splat_int(tables, *operand);
                match index.map(|i| fields.get(i as usize)) {
                    Some(Some(field)) => *field,
                    Some(None) if fields.contains(&TypeId::ERROR) => return Ok(TypeId::ERROR),
                    Some(None) => {
                        let (name, count) = (scope.display_type(types, ty), fields.len());
                        let fields = if count == 1 { "field" } else { "fields" };
                        let index = index.map(|i| (i as i32).to_string()).unwrap_or_default();
                        return problem(
                            n,
                            &format!("index {index} is out of range: `{name}` has {count} {fields}"),
                        );
                    }
                    None => {
                        let ty = scope.display_type(types, ty);
                        return problem(n, &format!("the index of a field of `{ty}` must be a constant"));
                    }
                }
            }
            _ => {
                let name = scope.display_type(types, ty);
                return problem(n, &format!("too many indices: `{name}` cannot be indexed"));
            }
        };
    }
    Ok(match (types.lanes(base), lanes) {
        (None, Some((len, scalable))) => types.vector(len, scalable, base),
        _ => base,
    })
}

fn is_of_bits(types: &Types, element: TypeId) -> bool {
    types.int_bits(element).is_some_and(|bits| !bits.is_multiple_of(8))
}

/// The `i32` that a constant or all elements of a constant vector are.
fn splat_int(tables: &Tables, operand: Operand) -> Option<u32> {
    match tables.const_of(operand)? {
        Const::Splat(element) => tables.i32_of(tables.operand(element)),
        Const::Aggregate { elements, .. } => {
            let elements = elements.of(&tables.operands);
            let first = tables.i32_of(*elements.first()?)?;
            elements.iter().all(|e| tables.i32_of(*e) == Some(first)).then_some(first)
        }
        _ => tables.i32_of(operand),
    }
}

pub(super) fn gep(at: &mut At<'_, '_>) {
    let source = at.cx.ty(at.inst.ty);
    let body = at.cx.body;
    let operands = body.operands(at.inst.operands);
    let mut types_of = [TypeId::ERROR; 8];
    let heap: Vec<TypeId>;
    let types_of: &[TypeId] = if operands.len() <= types_of.len() {
        for (slot, operand) in types_of.iter_mut().zip(operands) {
            *slot = at.cx.ty(operand.ty);
        }
        types_of.get(..operands.len()).unwrap_or(&[])
    } else {
        heap = operands.iter().map(|o| at.cx.ty(o.ty)).collect();
        &heap
    };
    if types_of.contains(&TypeId::ERROR) {
        return;
    }
    let scope = at.cx.scope;
    if let Err(problem) = gep_result(scope, &mut at.cx.types, &body.tables, source, operands, types_of) {
        at.bad(problem.operand as u32, problem.message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn indices_of_getelementptr() {
        marks(expect![[r#"
            %pair = type { i32, i64 }
            define void @f(ptr %p, i32 %i, float %x) {
              %a = getelementptr %pair, ptr %p, i32 0, i32 2
            ;                                              ^ error[invalid-operand]: index 2 is out of range: `%pair` has 2 fields
              %b = getelementptr %pair, ptr %p, i32 0, i32 %i
            ;                                              ^^ error[invalid-operand]: the index of a field of `%pair` must be a constant
              %c = getelementptr i32, ptr %p, float %x
            ;                                       ^^ error[invalid-operand]: an index of `getelementptr` must be an integer or a vector of integers, is `float`
              %d = getelementptr i32, i32 %i, i32 0
            ;                             ^^ error[invalid-operand]: the base of `getelementptr` must be a pointer, is `i32`
              %e = getelementptr %pair, ptr %p, i32 0, i32 -1
            ;                                              ^^ error[invalid-operand]: index -1 is out of range: `%pair` has 2 fields
              %g = getelementptr %pair, ptr %p, i32 0, i32 18446744073709551617
              ret void
            }
        "#]]);
    }
}
