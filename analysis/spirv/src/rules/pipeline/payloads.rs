//! Payloads: what a task shader hands to its mesh shader, and what a ray or a callable shader gets from the one that starts it.

use wavelens_syntax::spirv::tables::{ExecutionModel, Op, StorageClass};

use super::stage::{OfStage, Stage, shown};
use super::types::{TypeOf, same_type};
use super::{Found, Mismatch, Place};
use crate::code::Id;
use crate::context::RuleContext;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    STAGE_PAYLOAD {
        code: "stage-payload",
        severity: Severity::Warning,
        title: "a payload has one type in the stage that writes it and the stage that reads it",
        explain: "A mesh shader reads the payload of its task shader, a hit or miss shader the payload of the ray, a callable shader the data of its caller: the same memory, under the type that each declares. A ray or callable payload is reported only if no other stage declares one of its type.\n\nSwitch it off for shaders that read only the start of a payload.",
        example: payload!("%uint", "%uint %uint"),
        fixed: payload!("%uint %uint", "%uint %uint"),
        source: "SPV_EXT_mesh_shader, TaskPayloadWorkgroupEXT; SPV_KHR_ray_tracing, RayPayloadKHR and IncomingRayPayloadKHR; Vulkan specification, Ray Payload and Mesh Shading",
    }
}

/// The variables of a storage class that an entry point lists or uses.
fn variables(stage: &Stage<'_>, class: u32) -> Vec<Id> {
    let is_one =
        |id: &Id| stage.m.def(*id).is_some_and(|def| def.op() == Op::Variable && def.operand(2) == class);
    stage.entry.interface.iter().copied().filter(is_one).collect()
}

fn held(m: &RuleContext<'_>, variable: Id) -> Option<Id> {
    m.pointer(m.type_of(variable)).map(|(_, pointee)| pointee)
}

fn mismatch(own: OfStage<'_, '_, Id>, other: OfStage<'_, '_, Id>) -> Option<Mismatch> {
    let (m, n, writer) = (own.stage.m, other.stage.m, other.stage);
    let (own, other) = (own.item, other.item);
    let (mine, theirs) = (held(m, own)?, held(n, other)?);
    let members = |m: &RuleContext<'_>, ty: Id| match m.members(ty).len() {
        0 => m.type_name(ty),
        1 => "a structure with 1 member".to_owned(),
        count => format!("a structure with {count} members"),
    };
    let first = m
        .members(mine)
        .iter()
        .zip(n.members(theirs))
        .position(|(a, b)| !same_type(TypeOf(m, *a), TypeOf(n, *b)));
    let what = match first {
        Some(at) => format!(
            "member {at} is {}, but {}",
            m.type_name(m.members(mine)[at]),
            n.type_name(n.members(theirs)[at])
        ),
        None => format!("it is {}, but {}", members(m, mine), members(n, theirs)),
    };
    let message = format!("the payload {} is not what {} gives: {what} there", shown(m, own), writer.title());
    let label = format!("the payload of {} is here", writer.title());
    let (at, other) = (Place::of(m, own), Place::of(n, other));
    Some(Mismatch { rule: &STAGE_PAYLOAD, at, message, other, label, is_warning: false })
}

pub(super) fn check(stages: &[Stage<'_>], found: &mut Found<'_>) {
    type X = ExecutionModel;
    for task in stages.iter().filter(|stage| stage.model == X::TaskEXT) {
        for mesh in stages.iter().filter(|stage| stage.model == X::MeshEXT) {
            let class = StorageClass::TaskPayloadWorkgroupEXT;
            let ([own], [other]) = (&variables(mesh, class)[..], &variables(task, class)[..]) else {
                continue;
            };
            let is_same = match (held(mesh.m, *own), held(task.m, *other)) {
                (Some(a), Some(b)) => same_type(TypeOf(mesh.m, a), TypeOf(task.m, b)),
                _ => true,
            };
            if !is_same && let Some(mismatch) = mismatch(mesh.with(*own), task.with(*other)) {
                found.add(mesh, task, mismatch);
            }
        }
    }
    let classes = [
        (StorageClass::IncomingRayPayloadKHR, StorageClass::RayPayloadKHR),
        (StorageClass::IncomingCallableDataKHR, StorageClass::CallableDataKHR),
    ];
    for (incoming, outgoing) in classes {
        let given: Vec<OfStage<'_, '_, Id>> = stages
            .iter()
            .flat_map(|stage| variables(stage, outgoing).into_iter().map(|id| stage.with(id)))
            .collect();
        let Some((first, rest)) = given.split_first() else { continue };
        for stage in stages {
            for own in variables(stage, incoming) {
                let Some(ty) = held(stage.m, own) else { continue };
                let fits = |other: &OfStage<'_, '_, Id>| {
                    held(other.stage.m, other.item)
                        .is_none_or(|theirs| same_type(TypeOf(stage.m, ty), TypeOf(other.stage.m, theirs)))
                };
                if fits(first) || rest.iter().any(fits) {
                    continue;
                }
                if let Some(mismatch) = mismatch(stage.with(own), *first) {
                    found.add(stage, first.stage, mismatch);
                }
            }
        }
    }
}
