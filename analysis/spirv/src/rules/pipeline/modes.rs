//! Execution modes that stages must agree on: tessellation and primitives.

use wavelens_syntax::spirv::tables::{ExecutionMode as M, ExecutionModel as X, Kind};

use super::stage::{OfStage, Stage};
use super::{Found, Mismatch, Place};
use wavelens_base::Severity;

wavelens_syntax::rules! {
    STAGE_MODE {
        code: "stage-mode",
        severity: Severity::Error,
        title: "tessellation and geometry shaders agree on patches and primitives",
        explain: "The two tessellation shaders together say once how a patch is divided and how many vertices it has: where both say it, they must say the same. A geometry shader reads the primitives that tessellation makes.",
        example: tessellation!("Quads"),
        fixed: tessellation!("Triangles"),
        source: "Vulkan specification, VkGraphicsPipelineCreateInfo; VUID-VkGraphicsPipelineCreateInfo-pStages-00732, VUID-VkGraphicsPipelineCreateInfo-pStages-00733, VUID-VkGraphicsPipelineCreateInfo-pStages-00734, VUID-VkGraphicsPipelineCreateInfo-pStages-00735, VUID-VkGraphicsPipelineCreateInfo-pStages-00739",
    }
}

const DIVISIONS: [u32; 3] = [M::Triangles, M::Quads, M::Isolines];
const PRIMITIVES: [u32; 5] =
    [M::InputPoints, M::InputLines, M::InputLinesAdjacency, M::Triangles, M::InputTrianglesAdjacency];

pub(super) fn check(first: &Stage<'_>, second: &Stage<'_>, found: &mut Found<'_>) {
    match (first.model, second.model) {
        (X::TessellationControl, X::TessellationEvaluation) => tessellation(first, second, found),
        (X::TessellationEvaluation, X::Geometry) => geometry(first, second, found),
        _ => {}
    }
}

fn name(mode: u32) -> &'static str {
    Kind::ExecutionMode.valued(mode).map_or("?", |e| e.name)
}

/// The first of some modes that a stage has, with its place.
fn mode_of(stage: &Stage<'_>, modes: &[u32]) -> Option<(u32, Place)> {
    modes.iter().find_map(|mode| {
        let inst = stage.mode(*mode)?;
        Some((*mode, Place { inst: inst.at, operand: Some(1) }))
    })
}

fn report(
    first: OfStage<'_, '_, Place>,
    second: OfStage<'_, '_, Place>,
    message: String,
    found: &mut Found<'_>,
) {
    let label = format!("{} is here", first.stage.title());
    let mismatch =
        Mismatch { rule: &STAGE_MODE, at: second.item, message, other: first.item, label, is_warning: false };
    found.add(second.stage, first.stage, mismatch);
}

fn tessellation(control: &Stage<'_>, evaluation: &Stage<'_>, found: &mut Found<'_>) {
    let own = mode_of(evaluation, &DIVISIONS);
    match (mode_of(control, &DIVISIONS), own) {
        (None, None) => {
            let message = "neither tessellation shader has a mode Triangles, Quads or Isolines [VUID-VkGraphicsPipelineCreateInfo-pStages-00732]";
            report(
                control.with(control.place()),
                evaluation.with(evaluation.place()),
                message.to_owned(),
                found,
            );
        }
        (Some((first, at)), Some((second, place))) if first != second => {
            let message = format!(
                "mode {} differs from {} of {} [VUID-VkGraphicsPipelineCreateInfo-pStages-00733]",
                name(second),
                name(first),
                control.title()
            );
            report(control.with(at), evaluation.with(place), message, found);
        }
        _ => {}
    }
    let vertices = |stage: &Stage<'_>| {
        Some((stage.mode(M::OutputVertices)?.opt_operand(2)?, mode_of(stage, &[M::OutputVertices])?.1))
    };
    match (vertices(control), vertices(evaluation)) {
        (None, None) => {
            let message = "neither tessellation shader has the mode OutputVertices [VUID-VkGraphicsPipelineCreateInfo-pStages-00734]";
            report(
                control.with(control.place()),
                evaluation.with(evaluation.place()),
                message.to_owned(),
                found,
            );
        }
        (Some((first, at)), Some((second, place))) if first != second => {
            let message = format!(
                "OutputVertices is {second}, in {} it is {first} [VUID-VkGraphicsPipelineCreateInfo-pStages-00735]",
                control.title()
            );
            report(control.with(at), evaluation.with(place), message, found);
        }
        _ => {}
    }
}

fn geometry(evaluation: &Stage<'_>, geometry: &Stage<'_>, found: &mut Found<'_>) {
    let made = match mode_of(evaluation, &[M::PointMode]).or_else(|| mode_of(evaluation, &DIVISIONS)) {
        Some((M::PointMode, place)) => (M::InputPoints, place),
        Some((M::Isolines, place)) => (M::InputLines, place),
        Some((_, place)) => (M::Triangles, place),
        None => return,
    };
    let Some((read, place)) = mode_of(geometry, &PRIMITIVES).filter(|(read, _)| *read != made.0) else {
        return;
    };
    let message = format!(
        "{} reads {}, tessellation makes {} [VUID-VkGraphicsPipelineCreateInfo-pStages-00739]",
        geometry.title(),
        primitives(read),
        primitives(made.0)
    );
    report(evaluation.with(made.1), geometry.with(place), message, found);
}

fn primitives(mode: u32) -> &'static str {
    match mode {
        M::InputPoints => "points",
        M::InputLines => "lines",
        M::InputLinesAdjacency => "lines with adjacency",
        M::InputTrianglesAdjacency => "triangles with adjacency",
        _ => "triangles",
    }
}
