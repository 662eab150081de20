//! What the Vulkan specification says about each built-in: type, direction and stages (source: Built-In Variables).

use wavelens_syntax::spirv::tables::{BuiltIn, ExecutionModel};

/// The type of a built-in.
#[derive(Clone, Copy)]
pub(super) enum Ty {
    Any,
    Bool,
    /// An integer of any width.
    Int,
    I32,
    I32s(u32),
    I32Array,
    /// An array of vectors of this length.
    I32sArray(u32),
    F32,
    F32s(u32),
    /// With this length, or any if 0.
    F32Array(u32),
    /// Columns of three.
    F32x3x4,
    /// An array of it, one for each vertex, in stages with arrayed interfaces.
    Vertex(&'static Ty),
}

/// What the specification says about a built-in.
pub(super) struct Spec {
    pub(super) ty: Ty,
    pub(super) input: bool,
    pub(super) output: bool,
    /// Stages that have it; empty if any.
    pub(super) models: &'static [u32],
    /// Stages that do not have it as input.
    pub(super) no_input: &'static [u32],
    /// Stages that do not have it as output.
    pub(super) no_output: &'static [u32],
}

impl Spec {
    fn input(ty: Ty, models: &'static [u32]) -> Spec {
        Spec { ty, input: true, output: false, models, no_input: &[], no_output: &[] }
    }

    fn output(ty: Ty, models: &'static [u32]) -> Spec {
        Spec { ty, input: false, output: true, models, no_input: &[], no_output: &[] }
    }

    fn both(ty: Ty, models: &'static [u32], no_input: &'static [u32], no_output: &'static [u32]) -> Spec {
        Spec { ty, input: true, output: true, models, no_input, no_output }
    }
}

/// Stages that have workgroups.
pub(super) const COMPUTE: &[u32] = &[
    ExecutionModel::GLCompute,
    ExecutionModel::TaskNV,
    ExecutionModel::MeshNV,
    ExecutionModel::TaskEXT,
    ExecutionModel::MeshEXT,
];

pub(super) fn spec(built_in: u32) -> Option<Spec> {
    use BuiltIn as B;
    use ExecutionModel as E;
    const FRAGMENT: &[u32] = &[E::Fragment];
    const VERTICES: &[u32] =
        &[E::Vertex, E::TessellationControl, E::TessellationEvaluation, E::Geometry, E::MeshNV, E::MeshEXT];
    const INPUT_MESHES: &[u32] = &[E::Vertex, E::MeshNV, E::MeshEXT];
    Some(match built_in {
        B::ClipDistance | B::CullDistance => {
            const STAGES: &[u32] = &[
                E::Fragment,
                E::Vertex,
                E::TessellationControl,
                E::TessellationEvaluation,
                E::Geometry,
                E::MeshNV,
                E::MeshEXT,
            ];
            Spec::both(Ty::Vertex(&Ty::F32Array(0)), STAGES, INPUT_MESHES, FRAGMENT)
        }
        B::Position => Spec::both(Ty::Vertex(&Ty::F32s(4)), VERTICES, INPUT_MESHES, &[]),
        B::PointSize => Spec::both(Ty::Vertex(&Ty::F32), VERTICES, &[E::Vertex], &[]),
        B::FragCoord => Spec::input(Ty::F32s(4), FRAGMENT),
        B::FragDepth => Spec::output(Ty::F32, FRAGMENT),
        B::FrontFacing | B::HelperInvocation | B::FullyCoveredEXT => Spec::input(Ty::Bool, FRAGMENT),
        B::GlobalInvocationId | B::LocalInvocationId | B::NumWorkgroups | B::WorkgroupId => {
            Spec::input(Ty::I32s(3), COMPUTE)
        }
        B::BaryCoordKHR | B::BaryCoordNoPerspKHR => Spec::input(Ty::F32s(3), FRAGMENT),
        B::InvocationId => Spec::input(Ty::I32, &[E::TessellationControl, E::Geometry]),
        B::InstanceIndex | B::VertexIndex | B::BaseInstance | B::BaseVertex => {
            Spec::input(Ty::I32, &[E::Vertex])
        }
        B::Layer | B::ViewportIndex => {
            const STAGES: &[u32] =
                &[E::Geometry, E::Fragment, E::MeshNV, E::MeshEXT, E::Vertex, E::TessellationEvaluation];
            const NO_INPUT: &[u32] =
                &[E::Vertex, E::TessellationEvaluation, E::Geometry, E::MeshNV, E::MeshEXT];
            Spec::both(Ty::Vertex(&Ty::I32), STAGES, NO_INPUT, FRAGMENT)
        }
        B::PatchVertices => Spec::input(Ty::I32, &[E::TessellationControl, E::TessellationEvaluation]),
        B::PointCoord | B::SamplePosition => Spec::input(Ty::F32s(2), FRAGMENT),
        B::PrimitiveId => {
            const STAGES: &[u32] = &[
                E::Fragment,
                E::TessellationControl,
                E::TessellationEvaluation,
                E::Geometry,
                E::MeshNV,
                E::MeshEXT,
                E::IntersectionKHR,
                E::AnyHitKHR,
                E::ClosestHitKHR,
            ];
            const NO_OUTPUT: &[u32] = &[
                E::TessellationControl,
                E::TessellationEvaluation,
                E::Fragment,
                E::IntersectionKHR,
                E::AnyHitKHR,
                E::ClosestHitKHR,
            ];
            Spec::both(Ty::Vertex(&Ty::I32), STAGES, &[], NO_OUTPUT)
        }
        B::SampleId => Spec::input(Ty::I32, FRAGMENT),
        B::SampleMask => Spec::both(Ty::I32Array, FRAGMENT, &[], &[]),
        B::SubgroupId | B::NumSubgroups => Spec::input(Ty::I32, COMPUTE),
        B::SubgroupLocalInvocationId | B::SubgroupSize | B::DeviceIndex => Spec::input(Ty::I32, &[]),
        B::SubgroupEqMask | B::SubgroupGeMask | B::SubgroupGtMask | B::SubgroupLeMask | B::SubgroupLtMask => {
            Spec::input(Ty::I32s(4), &[])
        }
        B::TessCoord => Spec::input(Ty::F32s(3), &[E::TessellationEvaluation]),
        B::TessLevelOuter | B::TessLevelInner => {
            let length = if built_in == B::TessLevelOuter { 4 } else { 2 };
            const STAGES: &[u32] = &[E::TessellationControl, E::TessellationEvaluation];
            Spec::both(Ty::F32Array(length), STAGES, &[E::TessellationControl], &[E::TessellationEvaluation])
        }
        B::CoreIDARM
        | B::CoreCountARM
        | B::CoreMaxIDARM
        | B::WarpIDARM
        | B::WarpMaxIDARM
        | B::WarpsPerSMNV
        | B::SMCountNV
        | B::WarpIDNV
        | B::SMIDNV => Spec::input(Ty::I32, &[]),
        B::DrawIndex => Spec::input(Ty::I32, &[E::Vertex, E::MeshNV, E::TaskNV, E::MeshEXT, E::TaskEXT]),
        B::ViewIndex => Spec::input(Ty::I32, &[]),
        B::FragInvocationCountEXT | B::ShadingRateKHR => Spec::input(Ty::I32, FRAGMENT),
        B::FragSizeEXT => Spec::input(Ty::I32s(2), FRAGMENT),
        B::FragStencilRefEXT => Spec::output(Ty::Int, FRAGMENT),
        B::PrimitiveShadingRateKHR => {
            Spec::output(Ty::Vertex(&Ty::I32), &[E::Vertex, E::Geometry, E::MeshNV, E::MeshEXT])
        }
        B::PrimitivePointIndicesEXT => Spec::output(Ty::I32Array, &[E::MeshEXT]),
        B::PrimitiveLineIndicesEXT => Spec::output(Ty::I32sArray(2), &[E::MeshEXT]),
        B::PrimitiveTriangleIndicesEXT => Spec::output(Ty::I32sArray(3), &[E::MeshEXT]),
        B::CullPrimitiveEXT => Spec::output(Ty::Any, &[E::MeshEXT]),
        _ => return ray_spec(built_in),
    })
}

/// The built-ins of ray tracing.
fn ray_spec(built_in: u32) -> Option<Spec> {
    use BuiltIn as B;
    use ExecutionModel as E;
    const HITS: &[u32] = &[E::IntersectionKHR, E::AnyHitKHR, E::ClosestHitKHR];
    const RAYS: &[u32] = &[E::IntersectionKHR, E::AnyHitKHR, E::ClosestHitKHR, E::MissKHR];
    Some(match built_in {
        B::HitTNV => Spec::input(Ty::F32, &[E::AnyHitKHR, E::ClosestHitKHR]),
        B::HitKindKHR => Spec::input(Ty::I32, &[E::AnyHitKHR, E::ClosestHitKHR]),
        B::RayTminKHR | B::RayTmaxKHR => Spec::input(Ty::F32, RAYS),
        B::IncomingRayFlagsKHR | B::CullMaskKHR => Spec::input(Ty::I32, RAYS),
        B::InstanceCustomIndexKHR | B::InstanceId | B::RayGeometryIndexKHR => Spec::input(Ty::I32, HITS),
        B::ObjectRayDirectionKHR | B::ObjectRayOriginKHR => Spec::input(Ty::F32s(3), HITS),
        B::WorldRayDirectionKHR | B::WorldRayOriginKHR => Spec::input(Ty::F32s(3), RAYS),
        B::ObjectToWorldKHR | B::WorldToObjectKHR => Spec::input(Ty::F32x3x4, HITS),
        B::LaunchIdKHR | B::LaunchSizeKHR => {
            const STAGES: &[u32] = &[
                E::RayGenerationKHR,
                E::IntersectionKHR,
                E::AnyHitKHR,
                E::ClosestHitKHR,
                E::MissKHR,
                E::CallableKHR,
            ];
            Spec::input(Ty::I32s(3), STAGES)
        }
        _ => return None,
    })
}

/// "a vector of 4 32-bit floats": a type with its article.
pub(super) fn words(ty: Ty) -> String {
    match ty {
        Ty::Any => "anything".to_owned(),
        Ty::Bool => "a Boolean".to_owned(),
        Ty::Int => "an integer".to_owned(),
        Ty::I32 => "a 32-bit integer".to_owned(),
        Ty::I32s(n) => format!("a vector of {n} 32-bit integers"),
        Ty::I32Array => "an array of 32-bit integers".to_owned(),
        Ty::I32sArray(n) => format!("an array of vectors of {n} 32-bit integers"),
        Ty::F32 => "a 32-bit float".to_owned(),
        Ty::F32s(n) => format!("a vector of {n} 32-bit floats"),
        Ty::F32Array(0) => "an array of 32-bit floats".to_owned(),
        Ty::F32Array(n) => format!("an array of {n} 32-bit floats"),
        Ty::F32x3x4 => "a matrix of 4 columns of 3 32-bit floats".to_owned(),
        Ty::Vertex(inner) => format!("{}, or an array of it", words(*inner)),
    }
}
