//! The types in the names of overloaded intrinsics: `v4f32` in `llvm.sqrt.v4f32`.

use super::intrinsic_match::match_signature;
use super::scope::StructDef;
use super::tables::Intrinsic;
use super::types::{Type, TypeId, Types};

/// `v4f32` for `<4 x float>`; `None` for types whose names have no fixed spelling, such as structs.
pub(crate) fn mangled(types: &Types, ty: TypeId) -> Option<String> {
    Some(match types.get(ty) {
        Type::Vector { len, scalable, element } => {
            format!("{}v{len}{}", if scalable { "nx" } else { "" }, mangled(types, element)?)
        }
        Type::Int(bits) => format!("i{bits}"),
        Type::Byte(bits) => format!("b{bits}"),
        Type::Ptr(space) => format!("p{space}"),
        _ => match ty {
            TypeId::HALF => "f16".to_owned(),
            TypeId::BFLOAT => "bf16".to_owned(),
            TypeId::FLOAT => "f32".to_owned(),
            TypeId::DOUBLE => "f64".to_owned(),
            _ => return None,
        },
    })
}

/// The name of an intrinsic for a function type; `None` if the type is not one of it, or cannot be spelled.
pub(crate) fn full_name(
    structs: &[StructDef],
    types: &Types,
    intrinsic: Intrinsic,
    ty: TypeId,
) -> Option<String> {
    let overloads = match_signature(structs, types, intrinsic, ty).ok()?;
    let mut name = intrinsic.name().to_owned();
    for overload in &overloads {
        name.push('.');
        name.push_str(&mangled(types, *overload)?);
    }
    (!overloads.is_empty()).then_some(name)
}
