//! What one stage hands to the next as memory: payloads of meshes, rays and callables.

use std::fmt::Write as _;

use expect_test::expect;

use super::{Pair, TYPES};
use crate::rules::pipeline::check_sections;
use wavelens_base::Options;

const TYPE_PAIRS: &[&str] = &[
    "%float | %float",
    "%float | %half",
    "%float | %int",
    "%int | %uint",
    "%int | %short",
    "%vec3 | %vec3",
    "%vec3 | %vec4",
    "%vec2 | %ivec2",
    "%mat2 | %mat3x2",
    "%mat2 | %mat2x3",
    "%mat2x3 | %mat2x3",
    "%floats2 | %floats3",
    "%floats2 | %floats2",
    "%floats2 | %floats_spec",
    "%endless | %endless_ints",
    "%endless | %floats2",
    "%s_float | %s_float",
    "%s_float | %s_int",
    "%s_float | %s_float2",
    "%s_mixed | %s_mixed",
    "%s_mixed | %s_mixed4",
    "%s_mixed | %s_float2",
    "%s_float | %float",
];

#[test]
fn a_payload_has_one_type() {
    let mesh = Pair {
        models: ["TaskEXT", "MeshEXT"],
        modes: "",
        classes: ["TaskPayloadWorkgroupEXT"; 2],
        decorations: "OpName %second \"payload\"",
        types: "",
    };
    expect![[r#"
        %float | %float
        %float | %half
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is float16_t, but float there
        %float | %int
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is int, but float there
        %int | %uint
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is uint, but int there
        %int | %short
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is int16_t, but int there
        %vec3 | %vec3
        %vec3 | %vec4
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is vec4, but vec3 there
        %vec2 | %ivec2
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is ivec2, but vec2 there
        %mat2 | %mat3x2
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is mat3x2, but mat2 there
        %mat2 | %mat2x3
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is mat2x3, but mat2 there
        %mat2x3 | %mat2x3
        %floats2 | %floats3
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is float[3], but float[2] there
        %floats2 | %floats2
        %floats2 | %floats_spec
        %endless | %endless_ints
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is int[], but float[] there
        %endless | %floats2
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is float[2], but float[] there
        %s_float | %s_float
        %s_float | %s_int
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: member 0 is int, but float there
        %s_float | %s_float2
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is a structure with 2 members, but a structure with 1 member there
        %s_mixed | %s_mixed
        %s_mixed | %s_mixed4
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: member 1 is vec4, but vec3 there
        %s_mixed | %s_float2
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: member 1 is float, but vec3 there
        %s_float | %float
          stage-payload: the payload `%second` (`payload`) is not what the TaskEXT shader gives: it is float, but a structure with 1 member there
    "#]].assert_eq(&mesh.all(TYPE_PAIRS));
}

#[test]
fn rays_and_callables_get_what_they_are_given() {
    let pairs = &["%float | %float", "%float | %int", "%s_mixed | %s_mixed4", "%s_float | %s_float2"];
    let mut shown = String::new();
    for (models, classes) in [
        (["RayGenerationKHR", "ClosestHitKHR"], ["RayPayloadKHR", "IncomingRayPayloadKHR"]),
        (["RayGenerationKHR", "MissKHR"], ["RayPayloadKHR", "IncomingRayPayloadKHR"]),
        (["MissKHR", "CallableKHR"], ["CallableDataKHR", "IncomingCallableDataKHR"]),
        (["RayGenerationKHR", "CallableKHR"], ["RayPayloadKHR", "IncomingCallableDataKHR"]),
        (["RayGenerationKHR", "ClosestHitKHR"], ["CallableDataKHR", "IncomingRayPayloadKHR"]),
    ] {
        let pair = Pair { models, modes: "", classes, decorations: "", types: "" };
        _ = write!(shown, "{} to {}\n{}", classes[0], classes[1], pair.all(pairs));
    }
    expect![[r#"
        RayPayloadKHR to IncomingRayPayloadKHR
        %float | %float
        %float | %int
          stage-payload: the payload `%second` is not what the RayGenerationKHR shader gives: it is int, but float there
        %s_mixed | %s_mixed4
          stage-payload: the payload `%second` is not what the RayGenerationKHR shader gives: member 1 is vec4, but vec3 there
        %s_float | %s_float2
          stage-payload: the payload `%second` is not what the RayGenerationKHR shader gives: it is a structure with 2 members, but a structure with 1 member there
        RayPayloadKHR to IncomingRayPayloadKHR
        %float | %float
        %float | %int
          stage-payload: the payload `%second` is not what the RayGenerationKHR shader gives: it is int, but float there
        %s_mixed | %s_mixed4
          stage-payload: the payload `%second` is not what the RayGenerationKHR shader gives: member 1 is vec4, but vec3 there
        %s_float | %s_float2
          stage-payload: the payload `%second` is not what the RayGenerationKHR shader gives: it is a structure with 2 members, but a structure with 1 member there
        CallableDataKHR to IncomingCallableDataKHR
        %float | %float
        %float | %int
          stage-payload: the payload `%second` is not what the MissKHR shader gives: it is int, but float there
        %s_mixed | %s_mixed4
          stage-payload: the payload `%second` is not what the MissKHR shader gives: member 1 is vec4, but vec3 there
        %s_float | %s_float2
          stage-payload: the payload `%second` is not what the MissKHR shader gives: it is a structure with 2 members, but a structure with 1 member there
        RayPayloadKHR to IncomingCallableDataKHR
        %float | %float
        %float | %int
        %s_mixed | %s_mixed4
        %s_float | %s_float2
        CallableDataKHR to IncomingRayPayloadKHR
        %float | %float
        %float | %int
        %s_mixed | %s_mixed4
        %s_float | %s_float2
    "#]].assert_eq(&shown);
}

/// A payload is right if any stage gives one of its type.
#[test]
fn one_of_several_payloads_fits() {
    let text = |incoming: &str| {
        format!(
            "; Version: 1.3
OpCapability RayTracingKHR
OpExtension \"SPV_KHR_ray_tracing\"
OpMemoryModel Logical GLSL450
OpEntryPoint RayGenerationKHR %gen \"gen\" %a %b
OpEntryPoint ClosestHitKHR %hit \"hit\" %in
{TYPES}%a_ptr = OpTypePointer RayPayloadKHR %float
%b_ptr = OpTypePointer RayPayloadKHR %vec3
%in_ptr = OpTypePointer IncomingRayPayloadKHR {incoming}
%a = OpVariable %a_ptr RayPayloadKHR
%b = OpVariable %b_ptr RayPayloadKHR
%in = OpVariable %in_ptr IncomingRayPayloadKHR
"
        )
    };
    let found = |incoming| check_sections(&text(incoming), &Options::default()).len();
    assert_eq!(["%float", "%vec3", "%vec4"].map(found), [0, 0, 1]);
}
