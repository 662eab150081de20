//! Built-ins that a stage hands to the next one.

use wavelens_syntax::spirv::tables::{BuiltIn as B, ExecutionModel, Kind, Op, StorageClass};

use super::stage::{BuiltIn, Stage, shown};
use super::{Found, Mismatch};
use crate::context::RuleContext;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    STAGE_BUILT_IN {
        code: "stage-built-in",
        severity: Severity::Error,
        title: "built-ins that a stage reads are those of the stage before",
        explain: "The block of built-ins must have the same members in the same order in both stages, unless the next stage is the fragment shader. Position, PointSize, ClipDistance, CullDistance and tessellation levels are read from the stage before, which must declare them. A fragment shader after a geometry or mesh shader reads the PrimitiveId that this one writes.",
        example: primitive_id!(""),
        fixed: primitive_id!(" %out_id"),
        source: "Vulkan specification, Built-In Interface Block and Interface Matching; VUID-RuntimeSpirv-OpVariable-08746, VUID-VkGraphicsPipelineCreateInfo-pStages-00740, VUID-VkGraphicsPipelineCreateInfo-PrimitiveId-06264",
    }
}

pub(super) fn check(producer: &Stage<'_>, consumer: &Stage<'_>, found: &mut Found<'_>) {
    let outputs = producer.built_ins(StorageClass::Output);
    let inputs = consumer.built_ins(StorageClass::Input);
    if consumer.model == ExecutionModel::Fragment {
        primitive_id(producer, consumer, &outputs, &inputs, found);
        return;
    }
    if let Some(mismatch) = blocks(producer, consumer, &outputs, &inputs) {
        found.add(consumer, producer, mismatch);
        return;
    }
    for input in inputs.iter().filter(|input| is_handed_over(input.value)) {
        let output = outputs.iter().find(|output| output.value == input.value);
        let other = output.map_or_else(|| producer.place(), |output| output.place(producer.m));
        let message = match output {
            // A member of a block may be declared and not read.
            None if input.member.is_some() || !consumer.uses(input.variable) => continue,
            None => format!(
                "missing output {} of {} for input {}",
                name(input.value),
                producer.title(),
                shown(consumer.m, input.variable)
            ),
            Some(output) => {
                let (own, other) = (length(consumer.m, input), length(producer.m, output));
                let Some((own, other)) = own.zip(other).filter(|(own, other)| own > other) else { continue };
                format!(
                    "input {} has {own} elements, the output of {} has {other}",
                    name(input.value),
                    producer.title()
                )
            }
        };
        let label = match output {
            Some(_) => "the output is here".to_owned(),
            None => format!("{} is here", producer.title()),
        };
        let at = input.place(consumer.m);
        let is_warning = output.is_some();
        let mismatch = Mismatch { rule: &STAGE_BUILT_IN, at, message, other, label, is_warning };
        found.add(consumer, producer, mismatch);
    }
}

/// Whether a stage reads what the stage before wrote.
fn is_handed_over(built_in: u32) -> bool {
    matches!(
        built_in,
        B::Position
            | B::PointSize
            | B::ClipDistance
            | B::CullDistance
            | B::TessLevelOuter
            | B::TessLevelInner
    )
}

fn name(built_in: u32) -> &'static str {
    Kind::BuiltIn.valued(built_in).map_or("of a built-in", |e| e.name)
}

fn length(m: &RuleContext<'_>, built_in: &BuiltIn) -> Option<u32> {
    let def = m.def(built_in.ty).filter(|d| d.op() == Op::TypeArray)?;
    m.const_int32(def.word(3)).1
}

/// Blocks of built-ins with other members.
fn blocks(
    producer: &Stage<'_>,
    consumer: &Stage<'_>,
    outputs: &[BuiltIn],
    inputs: &[BuiltIn],
) -> Option<Mismatch> {
    let members = |all: &[BuiltIn]| -> Vec<u32> {
        all.iter().filter(|built_in| built_in.member.is_some()).map(|built_in| built_in.value).collect()
    };
    let (own, other) = (members(inputs), members(outputs));
    if own.is_empty() || other.is_empty() || own == other {
        return None;
    }
    let input = inputs.iter().find(|built_in| built_in.member.is_some())?;
    let output = outputs.iter().find(|built_in| built_in.member.is_some())?;
    let words = |all: &[u32]| all.iter().map(|value| name(*value)).collect::<Vec<_>>().join(", ");
    let message = format!(
        "input block {} has the built-ins {}, the output block of {} has {} [VUID-RuntimeSpirv-OpVariable-08746]",
        shown(consumer.m, input.variable),
        words(&own),
        producer.title(),
        words(&other)
    );
    let (at, other) = (input.place(consumer.m), output.place(producer.m));
    let label = "the output block is here".to_owned();
    Some(Mismatch { rule: &STAGE_BUILT_IN, at, message, other, label, is_warning: false })
}

fn primitive_id(
    producer: &Stage<'_>,
    consumer: &Stage<'_>,
    outputs: &[BuiltIn],
    inputs: &[BuiltIn],
    found: &mut Found<'_>,
) {
    let id = match producer.model {
        ExecutionModel::Geometry => "VUID-VkGraphicsPipelineCreateInfo-pStages-00740",
        ExecutionModel::MeshEXT | ExecutionModel::MeshNV => {
            "VUID-VkGraphicsPipelineCreateInfo-PrimitiveId-06264"
        }
        _ => return,
    };
    let is_id = |built_in: &&BuiltIn| built_in.value == B::PrimitiveId;
    let input = inputs.iter().find(is_id).filter(|input| consumer.uses(input.variable));
    let Some(input) = input.filter(|_| !outputs.iter().any(|output| is_id(&output))) else { return };
    let message = format!(
        "missing output PrimitiveId of {} for input {} [{id}]",
        producer.title(),
        shown(consumer.m, input.variable)
    );
    let label = format!("{} is here", producer.title());
    let (at, other) = (input.place(consumer.m), producer.place());
    let mismatch = Mismatch { rule: &STAGE_BUILT_IN, at, message, other, label, is_warning: false };
    found.add(consumer, producer, mismatch);
}
