//! User-defined outputs of a stage and inputs of the next one (Vulkan specification, Interface Matching).

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{Capability, Decoration, ExecutionModel, Kind, StorageClass};

use super::stage::{Declared, Stage, shown};
use super::types::{TypeOf, same_type};
use super::{Found, Mismatch};
use crate::code::Id;
use wavelens_base::Severity;
use wavelens_base::configuration::Env;

wavelens_syntax::rules! {
    STAGE_INPUT {
        code: "stage-input",
        severity: Severity::Error,
        title: "every component of an input is an output of the stage before",
        explain: "Inputs and outputs are matched by Location and Component, not by name. An input without an output has an undefined value, and Vulkan does not allow it. Outputs that the next stage does not read are allowed.",
        example: pipeline!("OpDecorate %out Location 0\nOpDecorate %in Location 1", "%float", "%float"),
        fixed: pipeline!("OpDecorate %out Location 1\nOpDecorate %in Location 1", "%float", "%float"),
        source: "Vulkan specification, Interface Matching; VUID-RuntimeSpirv-OpEntryPoint-08743",
    }

    STAGE_TYPE {
        code: "stage-type",
        severity: Severity::Error,
        title: "an input has the type of the output at its location",
        explain: "Each component must have the same type and width in both stages. The types must also be declared alike; an output vector may have more components than the input (feature maintenance4, part of Vulkan 1.3). A difference that leaves the bits of each component as they are, such as the sign of integers, is a warning.",
        example: pipeline!("OpDecorate %out Location 0\nOpDecorate %in Location 0\nOpDecorate %in Flat", "%float", "%int"),
        fixed: pipeline!("OpDecorate %out Location 0\nOpDecorate %in Location 0\nOpDecorate %in Flat", "%int", "%int"),
        source: "Vulkan specification, Interface Matching; VUID-RuntimeSpirv-OpEntryPoint-07754, VUID-RuntimeSpirv-maintenance4-06817",
    }

    STAGE_DECORATION {
        code: "stage-decoration",
        severity: Severity::Error,
        title: "an input and its output have the same decorations",
        explain: "Patch and PerPrimitiveEXT say for what a value is stored: both stages must agree. Interpolation decorations need not match.",
        example: patch!(""),
        fixed: patch!("OpDecorate %out Patch\n"),
        source: "Vulkan specification, Interface Matching; VUID-RuntimeSpirv-OpVariable-08746",
    }

    STAGE_INTERPOLATION {
        code: "stage-interpolation",
        severity: Severity::Warning,
        title: "an output is interpolated as its input says",
        explain: "Only the decorations of the fragment shader's input count: Flat, NoPerspective, Centroid or Sample on the output have no effect. Reported if the output has other ones than the input; an output without any is not.",
        example: pipeline!("OpDecorate %out Location 0\nOpDecorate %in Location 0\nOpDecorate %out Flat", "%float", "%float"),
        fixed: pipeline!("OpDecorate %out Location 0\nOpDecorate %in Location 0\nOpDecorate %out Flat\nOpDecorate %in Flat", "%float", "%float"),
        source: "Vulkan specification, Interface Matching and Interpolation Decorations",
    }

    STAGE_BLOCK {
        code: "stage-block",
        severity: Severity::Warning,
        title: "an input block has the members of its output block",
        explain: "Blocks match if all their members match. A block with another number of members works on most implementations, and the values are read from other members than meant as soon as locations shift.",
        example: block!("%float %float", "%float"),
        fixed: block!("%float %float", "%float %float"),
        source: "Vulkan specification, Interface Matching",
    }
}

/// The parts of a matched pair that are reported once for each variable.
#[derive(Default)]
struct Reported {
    blocks: FxHashSet<(Id, Id)>,
}

pub(super) fn check(producer: &Stage<'_>, consumer: &Stage<'_>, found: &mut Found<'_>) {
    // Passthrough geometry shaders take over outputs without declaring them.
    if producer.m.has_capability(Capability::GeometryShaderPassthroughNV) {
        return;
    }
    let outputs = producer.declared(StorageClass::Output);
    let inputs = consumer.declared(StorageClass::Input);
    let is_known = outputs.iter().all(|output| output.slots.is_some());
    let mut taken: FxHashMap<(bool, u32), usize> = FxHashMap::default();
    for (index, output) in outputs.iter().enumerate() {
        for (at, _) in output.slots.iter().flatten() {
            taken.entry((output.has(Decoration::Patch), *at)).or_insert(index);
        }
    }
    let mut reported = Reported::default();
    for input in &inputs {
        let Some(slots) = &input.slots else { continue };
        let patch = input.has(Decoration::Patch);
        let at = |patch: bool, at: u32| outputs.get(*taken.get(&(patch, at))?);
        let missing: Vec<u32> =
            slots.iter().map(|(slot, _)| *slot).filter(|slot| at(patch, *slot).is_none()).collect();
        let other = missing.iter().find_map(|slot| at(!patch, *slot));
        let pair = Pair { producer, consumer, input };
        if let Some(output) = other {
            found.add(consumer, producer, pair.decoration(output, "Patch", patch));
            continue;
        }
        if !missing.is_empty() {
            if is_known {
                found.add(consumer, producer, pair.missing(&missing, &outputs));
            }
            continue;
        }
        let matched = slots.iter().filter_map(|(slot, number)| Some((*slot, *number, at(patch, *slot)?)));
        let matched: Vec<_> = matched.collect();
        if let Some(mismatch) = pair.numbers(&matched) {
            found.add(consumer, producer, mismatch);
            continue;
        }
        if let Some((.., output)) = matched.first() {
            for mismatch in pair.declarations(output, &mut reported) {
                found.add(consumer, producer, mismatch);
            }
        }
    }
}

/// An input, and the stages it is between.
struct Pair<'p, 'a> {
    producer: &'p Stage<'a>,
    consumer: &'p Stage<'a>,
    input: &'p Declared,
}

impl Pair<'_, '_> {
    fn mismatch(&self, rule: &'static wavelens_base::Rule, message: String, output: &Declared) -> Mismatch {
        let label = format!("the output of {} is here", self.producer.title());
        let (at, other) = (self.input.place(self.consumer.m), output.place(self.producer.m));
        Mismatch { rule, at, message, other, label, is_warning: false }
    }

    fn input_name(&self) -> String {
        self.input.name(self.consumer.m)
    }

    /// Location and component of the first component, as a message names them.
    fn slot(&self, slots: &[u32]) -> String {
        let first = slots.first().copied().unwrap_or(0);
        let own = self.input.slots.as_ref().map_or(0, Vec::len);
        let location = first / 4;
        if slots.len() == own && slots.first() == self.input.slots.iter().flatten().map(|(at, _)| at).min() {
            return format!("location {}", self.input.location);
        }
        match slots.iter().filter(|at| **at / 4 == location).max() {
            Some(last) if *last != first => {
                format!("location {location}, components {} to {}", first % 4, last % 4)
            }
            _ => format!("location {location}, component {}", first % 4),
        }
    }

    fn missing(&self, slots: &[u32], outputs: &[Declared]) -> Mismatch {
        let message = format!(
            "missing output of {} at {} for input {} of type {} [VUID-RuntimeSpirv-OpEntryPoint-08743]",
            self.producer.title(),
            self.slot(slots),
            self.input_name(),
            self.consumer.m.type_name(self.input.ty),
        );
        let m = self.producer.m;
        let name = self.input.source_name(self.consumer.m);
        let near = outputs.iter().find(|output| name.is_some() && output.source_name(m) == name);
        let (other, label) = match near {
            Some(output) => {
                let ty = m.type_name(output.ty);
                (output.place(m), format!("the output of this name is {ty} at location {}", output.location))
            }
            None => (self.producer.place(), format!("{} is here", self.producer.title())),
        };
        let at = self.input.place(self.consumer.m);
        Mismatch { rule: &STAGE_INPUT, at, message, other, label, is_warning: false }
    }

    fn decoration(&self, output: &Declared, decoration: &str, of_input: bool) -> Mismatch {
        let (input, output_name) = (self.input_name(), output.name(self.producer.m));
        let message = match of_input {
            true => format!("input {input} is decorated with {decoration}, output {output_name} is not"),
            false => format!("output {output_name} is decorated with {decoration}, input {input} is not"),
        };
        let message = format!("{message} [VUID-RuntimeSpirv-OpVariable-08746]");
        self.mismatch(&STAGE_DECORATION, message, output)
    }

    /// The first component that has another type.
    fn numbers(&self, matched: &[(u32, super::stage::Number, &Declared)]) -> Option<Mismatch> {
        let number = |output: &Declared, at: u32| {
            output.slots.iter().flatten().find(|(slot, _)| *slot == at).map(|(_, number)| *number)
        };
        let (.., output) = matched.iter().find(|(at, own, output)| {
            number(output, *at).is_some_and(|other| (other.op, other.width) != (own.op, own.width))
        })?;
        Some(self.types(output, " [VUID-RuntimeSpirv-OpEntryPoint-07754]"))
    }

    fn types(&self, output: &Declared, rule: &str) -> Mismatch {
        let (m, n) = (self.consumer.m, self.producer.m);
        let message = format!(
            "input {} at location {} has type {}, output {} at location {} has type {}{rule}",
            self.input_name(),
            self.input.location,
            m.type_name(self.input.ty),
            output.name(n),
            output.location,
            n.type_name(output.ty)
        );
        self.mismatch(&STAGE_TYPE, message, output)
    }

    /// What differs although every component matches.
    fn declarations(&self, output: &Declared, reported: &mut Reported) -> Vec<Mismatch> {
        let input = self.input;
        let mut all = Vec::new();
        let per_primitive = Decoration::PerPrimitiveEXT;
        if input.has(per_primitive) != output.has(per_primitive) {
            return vec![self.decoration(output, "PerPrimitiveEXT", input.has(per_primitive))];
        }
        all.extend(self.interpolation(output));
        // A stage may declare a member as a variable.
        if let (Some((own, _)), Some((other, _))) = (input.member, output.member) {
            let (members, others) =
                (self.consumer.m.members(own).len(), self.producer.m.members(other).len());
            if members != others && reported.blocks.insert((input.variable, output.variable)) {
                let message = format!(
                    "input block {} has {members} members, output block {} has {others}",
                    shown(self.consumer.m, input.variable),
                    shown(self.producer.m, output.variable)
                );
                all.push(self.mismatch(&STAGE_BLOCK, message, output));
            }
        }
        let first = |d: &Declared| d.slots.iter().flatten().map(|(at, _)| *at).min();
        match first(input) == first(output) {
            true => all.extend(self.shape(output)),
            false => all.push(self.types(output, "").warning()),
        }
        all
    }

    /// Types that are declared in another way.
    fn shape(&self, output: &Declared) -> Option<Mismatch> {
        let (m, n) = (self.consumer.m, self.producer.m);
        if same_type(TypeOf(m, self.input.ty), TypeOf(n, output.ty)) {
            return None;
        }
        let is_shorter = m.is_vector(self.input.ty)
            && n.is_vector(output.ty)
            && m.dimension(self.input.ty) < n.dimension(output.ty);
        let is_same_element =
            || same_type(TypeOf(m, m.element(self.input.ty)), TypeOf(n, n.element(output.ty)));
        if is_shorter && is_same_element() {
            let is_old = |env: Env| {
                matches!(env, Env::Vulkan10 | Env::Vulkan11 | Env::Vulkan11Spirv14 | Env::Vulkan12)
            };
            if !is_old(m.scope.env) {
                return None;
            }
            let rule = ", which requires the feature maintenance4 [VUID-RuntimeSpirv-maintenance4-06817]";
            return Some(self.types(output, rule).warning());
        }
        Some(self.types(output, "").warning())
    }

    fn interpolation(&self, output: &Declared) -> Option<Mismatch> {
        const KINDS: [u32; 4] =
            [Decoration::Flat, Decoration::NoPerspective, Decoration::Centroid, Decoration::Sample];
        if self.consumer.model != ExecutionModel::Fragment || self.input.has(Decoration::PerVertexKHR) {
            return None;
        }
        let of = |declared: &Declared| -> Vec<&'static str> {
            let own = KINDS.iter().filter(|kind| declared.has(**kind));
            own.filter_map(|kind| Some(Kind::Decoration.valued(*kind)?.name)).collect()
        };
        let (own, other) = (of(self.input), of(output));
        if other.is_empty() || own == other {
            return None;
        }
        let words = |all: &[&str]| if all.is_empty() { "none".to_owned() } else { all.join(" and ") };
        let message = format!(
            "interpolation of input {} is {}, of output {} it is {}; the output's has no effect",
            self.input_name(),
            words(&own),
            output.name(self.producer.m),
            words(&other)
        );
        Some(self.mismatch(&STAGE_INTERPOLATION, message, output))
    }
}
