//! What LLVM knows about the types of targets, `target("name", ...)`, by their names.
//!
//! Source: `getTargetTypeInfo` in LLVM's `lib/IR/Type.cpp`.

use super::layout::any_part;
use super::scope::Scope;
use super::types::{Type, TypeId, Types};

/// How a target type is laid out in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As `void`: it has no size.
    Unsized,
    Sized,
    /// As a scalable vector.
    Scalable,
}

/// What a target type may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Properties {
    pub shape: Shape,
    /// `zeroinitializer` is a value of it.
    pub(crate) has_zero: bool,
    /// A global variable may have it.
    pub(crate) is_global: bool,
    /// An `alloca` may have it.
    pub(crate) is_local: bool,
    /// A vector may have such elements.
    pub(crate) is_element: bool,
}

pub(crate) fn properties(name: &str) -> Properties {
    let nothing = Properties {
        shape: Shape::Unsized,
        has_zero: false,
        is_global: false,
        is_local: false,
        is_element: false,
    };
    let sized = Properties { shape: Shape::Sized, ..nothing };
    let variable = Properties { is_global: true, is_local: true, ..sized };
    match name {
        "spirv.IntegralConstant" | "spirv.Literal" => nothing,
        "spirv.Image" | "spirv.SignedImage" | "spirv.Type" => variable,
        _ if name.starts_with("spirv.") => Properties { has_zero: true, ..variable },
        _ if name.starts_with("dx.") => variable,
        "aarch64.svcount" | "riscv.vector.tuple" => {
            Properties { shape: Shape::Scalable, has_zero: true, is_local: true, ..nothing }
        }
        "amdgcn.named.barrier" => Properties { is_global: true, ..sized },
        "llvm.test.vectorelement" => Properties { is_local: true, is_element: true, ..sized },
        _ => nothing,
    }
}

/// Whether a type is a `token` in all but its name, to LLVM 24.
pub(crate) fn is_token(scope: &Scope, types: &Types, ty: TypeId) -> bool {
    let Type::Target(index) = types.get(ty) else { return false };
    scope.follows(24) && types.target(index).is_some_and(|t| t.name == "amdgpu.stridemark")
}

/// The name of a target type within a type that does not have a property.
pub(crate) fn without(
    scope: &Scope,
    types: &Types,
    ty: TypeId,
    property: impl Fn(Properties) -> bool,
) -> Option<String> {
    if !types.has_targets() {
        return None;
    }
    let mut found = None;
    any_part(scope, types, ty, &mut |part| {
        let Type::Target(index) = part else { return false };
        let name = types.target(index).map(|t| &t.name).filter(|name| !property(properties(name)));
        found = name.map(|name| name.to_string());
        found.is_some()
    });
    found
}
