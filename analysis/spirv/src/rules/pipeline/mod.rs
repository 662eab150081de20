//! Interfaces between shader stages: what the modules of one pipeline require of each other (Vulkan specification, Shader
//! Interfaces). Each module is valid on its own; [`check`] compares several.

#[macro_use]
mod examples;

mod built_ins;
mod layout;
mod matching;
mod modes;
mod payloads;
mod resources;
mod specialization;
mod stage;
mod types;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use wavelens_syntax::spirv::tables::ExecutionModel;

use self::resources::{Resource, resources};
use self::stage::Stage;
use crate::code::Id;
use crate::context::RuleContext;
use crate::flat::Flat;
use crate::scope::{OPERAND_ITEM, Scope, model_name};
use crate::{Lowered, lower, summarize};
use wavelens_base::finding::finish;
use wavelens_base::finding::{Finding, RelatedFinding};
use wavelens_base::includes::IncludedFile;
use wavelens_base::parts::parts;
use wavelens_base::{ChunkId, Dialect, Options, Rule, TextRange, TextSize};

/// The rules about several modules.
pub fn rules() -> impl Iterator<Item = &'static &'static Rule> {
    let families = [
        matching::RULES,
        built_ins::RULES,
        modes::RULES,
        resources::RULES,
        layout::RULES,
        specialization::RULES,
        payloads::RULES,
    ];
    families.into_iter().flatten()
}

/// A module of a pipeline.
#[derive(Debug)]
pub struct Module {
    file: Arc<IncludedFile>,
    scope: Scope,
    /// The lowered form of each chunk, with the chunk's start.
    chunks: Vec<(TextSize, Lowered)>,
}

impl Module {
    /// The modules of a file: one, or one in each section.
    pub fn read(path: PathBuf, text: &str, options: &Options) -> Vec<Module> {
        let file = Arc::new(IncludedFile { path, text: Arc::from(text), size: text.len() as u64 });
        let parts = parts(Dialect::Spirv, text);
        let ranges = match parts.is_empty() {
            true => vec![TextRange::up_to(TextSize::of(text))],
            false => parts.into_iter().map(|part| part.range).collect(),
        };
        let slice = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
        ranges.into_iter().map(|own| Module::new(file.clone(), slice(own), own.start(), options)).collect()
    }

    fn new(file: Arc<IncludedFile>, text: &str, start: TextSize, options: &Options) -> Module {
        let spans = wavelens_syntax::split(Dialect::Spirv, text);
        let slice = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
        let chunks: Vec<(TextSize, Lowered)> =
            spans.par_iter().map(|span| (span.range.start() + start, lower(slice(span.range)))).collect();
        let summaries: Vec<_> =
            (0..).map(ChunkId).zip(chunks.iter().map(|(_, lowered)| Arc::new(summarize(lowered)))).collect();
        let scope = crate::scope(&summaries, options);
        Module { file, scope, chunks }
    }

    /// The file that it is in.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The range of an instruction of the scope's code, or of one of its operands.
    fn range(&self, place: Place) -> TextRange {
        let at = place.inst as usize;
        let Some((chunk, item)) = self.scope.origin.get(at).copied() else { return TextRange::default() };
        let first = self.scope.first_operands.get(at).copied();
        let operand = place.operand.zip(first).map(|(operand, first)| OPERAND_ITEM | (first + operand));
        let Some((start, lowered)) = self.chunks.get(chunk.0 as usize) else { return TextRange::default() };
        crate::item_range(lowered, operand.unwrap_or(item)) + *start
    }

    /// The entry points: name and execution model.
    pub fn entry_points(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.scope.entry_points.iter().map(|entry| (entry.name.as_str(), model_name(entry.model)))
    }
}

/// An instruction of a scope's code, or one of its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    inst: u32,
    operand: Option<u32>,
}

impl Place {
    /// The instruction that defines an id.
    fn of(m: &RuleContext<'_>, id: Id) -> Place {
        Place { inst: m.def(id).map_or(0, |d| d.at), operand: None }
    }

    /// A member's type in its OpTypeStruct.
    fn of_member(m: &RuleContext<'_>, structure: Id, member: u32) -> Place {
        Place { operand: Some(member + 1), ..Place::of(m, structure) }
    }
}

/// What is wrong between two stages: the finding is in the first, the related place in the second.
struct Mismatch {
    rule: &'static Rule,
    at: Place,
    message: String,
    other: Place,
    label: String,
    /// Accepted, although the rule is an error otherwise.
    is_warning: bool,
}

impl Mismatch {
    fn warning(self) -> Mismatch {
        Mismatch { is_warning: true, ..self }
    }
}

/// Collects the findings of each module.
struct Found<'a> {
    modules: &'a [Module],
    findings: Vec<Vec<Finding>>,
}

impl Found<'_> {
    fn add(&mut self, stage: &Stage<'_>, other: &Stage<'_>, mismatch: Mismatch) {
        let (Some(own), Some(second)) = (self.modules.get(stage.module), self.modules.get(other.module))
        else {
            return;
        };
        let file = (!Arc::ptr_eq(&own.file, &second.file)).then(|| second.file.clone());
        let mut finding = Finding::new(mismatch.rule, own.range(mismatch.at), mismatch.message);
        if mismatch.is_warning {
            finding.severity = wavelens_base::Severity::Warning;
        }
        finding.related =
            vec![RelatedFinding { file, range: second.range(mismatch.other), message: mismatch.label }];
        if let Some(findings) = self.findings.get_mut(stage.module) {
            findings.push(finding);
        }
    }
}

/// Compares the modules in the sections of one text.
pub fn check_sections(text: &str, options: &Options) -> Vec<Finding> {
    let modules = Module::read(PathBuf::new(), text, options);
    check(&modules, &[], options).map(|found| found.into_iter().flatten().collect()).unwrap_or_default()
}

/// Compares the stages of a pipeline. `entries` are the names of the entry points that make it, all if it is empty. Findings are
/// returned for each module.
///
/// # Errors
/// The entry points do not make one pipeline; the message says why.
pub fn check(modules: &[Module], entries: &[String], options: &Options) -> Result<Vec<Vec<Finding>>, String> {
    let flat = Flat::default();
    let contexts: Vec<RuleContext<'_>> =
        modules.iter().map(|module| RuleContext::of_scope(&flat, &module.scope)).collect();
    let stages = chosen(modules, &contexts, entries)?;
    let resources: Vec<Vec<Resource>> = stages.iter().map(resources).collect();
    let mut found = Found { modules, findings: modules.iter().map(|_| Vec::new()).collect() };
    for (index, consumer) in stages.iter().enumerate() {
        let before = stages.get(..index).unwrap_or_default();
        if let Some(producer) = before.last().filter(|producer| feeds(producer.model, consumer.model)) {
            matching::check(producer, consumer, &mut found);
            built_ins::check(producer, consumer, &mut found);
        }
        for (other, theirs) in before.iter().zip(&resources) {
            modes::check(other, consumer, &mut found);
            resources::check(other.with(theirs), consumer.with(&resources[index]), &mut found);
            layout::check(other.with(theirs), consumer.with(&resources[index]), &mut found);
            specialization::check(other, consumer, &mut found);
        }
    }
    payloads::check(&stages, &mut found);
    Ok(found.findings.into_iter().map(|findings| finish(findings, options)).collect())
}

/// The stages in the order of the pipeline.
fn chosen<'a>(
    modules: &[Module],
    contexts: &'a [RuleContext<'a>],
    entries: &[String],
) -> Result<Vec<Stage<'a>>, String> {
    let mut stages: Vec<Stage<'a>> = Vec::new();
    for (module, m) in contexts.iter().enumerate() {
        for (index, entry) in (0..).zip(&m.scope.entry_points) {
            if entries.is_empty() || entries.iter().any(|name| *name == entry.name.as_str()) {
                stages.push(Stage::new(module, m, index, entry));
            }
        }
    }
    if let Some(missing) = entries.iter().find(|name| stages.iter().all(|s| s.entry.name != name.as_str())) {
        let names = modules.iter().flat_map(Module::entry_points).map(|(name, _)| name);
        return Err(wavelens_syntax::wording::unknown("entry point", missing, names));
    }
    stages.sort_by_key(|stage| (order(stage.model), stage.module));
    let is_twice = |pair: &&[Stage<'a>]| {
        pair.first().map(|s| s.model) == pair.last().map(|s| s.model)
            && pair.first().is_some_and(|s| order(s.model) < OTHER)
    };
    if let Some([first, second]) = stages.windows(2).find(is_twice) {
        let path = |stage: &Stage<'_>| modules.get(stage.module).map(|m| m.file.path.display().to_string());
        return Err(format!(
            "two {} entry points: `{}` of {} and `{}` of {}; name those of one pipeline",
            model_name(first.model),
            first.entry.name,
            path(first).unwrap_or_default(),
            second.entry.name,
            path(second).unwrap_or_default(),
        ));
    }
    match stages.len() {
        0 | 1 => Err("at least two entry points are needed".to_owned()),
        _ => Ok(stages),
    }
}

/// Where stages come that a pipeline may have several of, and those that are not connected by inputs and outputs.
const OTHER: u32 = 16;

fn order(model: u32) -> u32 {
    type X = ExecutionModel;
    match model {
        X::TaskNV | X::TaskEXT => 0,
        X::MeshNV | X::MeshEXT => 1,
        X::Vertex => 2,
        X::TessellationControl => 3,
        X::TessellationEvaluation => 4,
        X::Geometry => 5,
        X::Fragment => 6,
        _ => OTHER,
    }
}

/// Whether the outputs of a stage can be the inputs of the other.
fn feeds(producer: u32, consumer: u32) -> bool {
    type X = ExecutionModel;
    match producer {
        X::Vertex => matches!(consumer, X::TessellationControl | X::Geometry | X::Fragment),
        X::TessellationControl => consumer == X::TessellationEvaluation,
        X::TessellationEvaluation => matches!(consumer, X::Geometry | X::Fragment),
        X::Geometry | X::MeshNV | X::MeshEXT => consumer == X::Fragment,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
