//! Changes that may give a kernel more waves or fewer spills, each tried by compiling.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wavelens_base::Dialect;
use wavelens_codegen::{Cancel, Compiler, KernelResources, Limit};
use wavelens_ide::codegen::{Attribute, has_passes};

use crate::compile::{Job, resources};

/// What was tried for a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Advice {
    pub(crate) kernel: String,
    /// As the file is.
    pub(crate) base: KernelResources,
    /// Those that help first.
    pub(crate) trials: Vec<Trial>,
}

/// A change and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// As a phrase.
    pub(crate) change: String,
    /// What has to be true for the change to be correct.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) condition: Option<String>,
    /// Options of `wavelens isa` that make it.
    pub(crate) options: Vec<String>,
    /// The attribute that is the whole change: it can be written into the file.
    #[serde(skip)]
    pub(crate) attribute: Option<Attribute>,
    pub(crate) effect: Effect,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) resources: Option<KernelResources>,
    /// Why the figures are missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) problem: Option<String>,
}

/// What a change is worth, by the figures of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Effect {
    /// More waves without more spills, or fewer spills without fewer waves.
    Gain,
    /// Fewer spills, but fewer waves; or more waves, but more spills.
    Trade,
    None,
    /// It did not compile.
    Failed,
}

/// A change to try.
#[derive(Default)]
struct Candidate {
    change: String,
    condition: Option<String>,
    attribute: Option<(&'static str, String)>,
    flag: Option<&'static str>,
    /// Passes after those of the job.
    passes: Option<&'static str>,
    opt_level: Option<u8>,
}

/// Tries changes for each kernel that has spills or fewer waves than the hardware takes.
///
/// # Errors
/// One sentence, when the file is not compiled by `llc`, or does not compile as it is.
pub(crate) fn advise(compiler: &Compiler, job: &Job, cancel: &Cancel) -> Result<Vec<Advice>, String> {
    if !has_passes(job.dialect) {
        return Err("only LLVM IR and Machine IR are compiled by `llc`, whose options are tried".to_owned());
    }
    let kernels = resources(compiler, job, cancel).map_err(|failure| failure.sentence())?;
    let wanted = |k: &&KernelResources| is_limited(k);
    let mut advice: Vec<Advice> = Vec::new();
    for base in &kernels {
        let candidates = if wanted(&base) { candidates(base, job) } else { Vec::new() };
        let try_all = |candidates: Vec<Candidate>| -> Vec<Trial> {
            candidates.into_par_iter().map(|c| tried(compiler, job, base, c, cancel)).collect()
        };
        let mut trials = try_all(candidates);
        if !trials.is_empty() && trials.iter().all(|t| t.effect != Effect::Gain) {
            trials.extend(try_all(combined(base, job)));
        }
        if cancel.is_cancelled() {
            return Err("cancelled".to_owned());
        }
        trials.sort_by_key(|t| (t.effect, rank(t.resources.as_ref())));
        advice.push(Advice { kernel: base.name.clone(), base: base.clone(), trials });
    }
    Ok(advice)
}

/// The best first: few spills, then many waves, then few registers.
fn rank(resources: Option<&KernelResources>) -> (u32, u32, u32) {
    resources.map_or((u32::MAX, 0, 0), |k| (k.spills(), u32::MAX - k.occupancy, k.vgprs + k.agprs))
}

/// Whether there is something to gain.
pub(crate) fn is_limited(k: &KernelResources) -> bool {
    k.spills() > 0 || k.limit.is_some_and(|l| l != Limit::Hardware)
}

const WAVES: &str = "amdgpu-waves-per-eu";
const WORKGROUP: &str = "amdgpu-flat-work-group-size";
const VGPRS: &str = "amdgpu-num-vgpr";

/// The level of code that is meant to be fast.
const OPTIMIZED: u8 = 2;

/// Options of the schedulers and of what lengthens live ranges.
const FLAGS: &[(&str, &str)] = &[
    ("schedule for few registers", "-misched=gcn-iterative-minreg"),
    ("schedule for many waves", "-misched=gcn-iterative-max-occupancy-experimental"),
    ("count live registers with the target's own trackers", "-amdgpu-use-amdgpu-trackers"),
    ("schedule nothing", "-enable-misched=0"),
    ("leave values in loops instead of keeping them in registers", "-disable-machine-licm"),
    ("merge no loads and stores", "-amdgpu-load-store-vectorizer=0"),
    ("do not keep loads and stores together", "-misched-cluster=0"),
    ("let the scheduler weigh waves more than latency", "-amdgpu-schedule-metric-bias=100"),
    ("order the selected instructions for few registers", "-pre-RA-sched=list-burr"),
];

/// Tried with a wish for more waves where no change helps alone.
const COMBINED: &[&str] = &[
    "-misched=gcn-iterative-minreg",
    "-pre-RA-sched=list-burr",
    "-disable-machine-licm",
    "-misched-cluster=0",
];

impl Candidate {
    fn attribute(name: &'static str, value: String, condition: Option<String>) -> Candidate {
        let change = format!("\"{name}\"=\"{value}\"");
        Candidate { change, condition, attribute: Some((name, value)), ..Candidate::default() }
    }

    fn flag(change: &str, flag: &'static str) -> Candidate {
        Candidate { change: change.to_owned(), flag: Some(flag), ..Candidate::default() }
    }

    fn passes(change: &str, passes: &'static str) -> Candidate {
        Candidate { change: change.to_owned(), passes: Some(passes), ..Candidate::default() }
    }
}

/// More waves together with an option that shortens live ranges.
fn combined(base: &KernelResources, job: &Job) -> Vec<Candidate> {
    if job.dialect != Dialect::Llvm || base.limit != Some(Limit::Vgprs) {
        return Vec::new();
    }
    let with = |flag: &&'static str| {
        let attribute = Candidate::attribute(WAVES, (base.occupancy + 1).to_string(), None);
        Candidate { change: format!("{}, with {flag}", attribute.change), flag: Some(flag), ..attribute }
    };
    COMBINED.iter().map(with).collect()
}

fn candidates(base: &KernelResources, job: &Job) -> Vec<Candidate> {
    let mut found = Vec::new();
    let attribute = Candidate::attribute;
    let level = job.settings.opt_level.or_else(|| job.plan().run_level());
    if level.is_some_and(|level| level < OPTIMIZED) {
        let change = format!("optimize (`-O{OPTIMIZED}`)");
        found.push(Candidate { change, opt_level: Some(OPTIMIZED), ..Candidate::default() });
    }
    if job.dialect == Dialect::Llvm {
        let waves = base.occupancy;
        if waves > 0 && !matches!(base.limit, Some(Limit::Hardware)) {
            found.extend([1, 2, 4].map(|more| attribute(WAVES, (waves + more).to_string(), None)));
        }
        if base.spills() > 0 {
            let fewer: Vec<u32> = (1..waves).rev().take(3).collect();
            found.extend(fewer.into_iter().map(|most| attribute(WAVES, format!("1,{most}"), None)));
        }
        if base.spills() > 0 || base.limit == Some(Limit::Workgroup) {
            found.extend([256, 128, 64].map(|size| {
                let condition = format!("if no workgroup has more than {size} work-items");
                attribute(WORKGROUP, format!("1,{size}"), Some(condition))
            }));
        }
        if base.limit == Some(Limit::Lds) {
            found.extend([512, 1024].map(|size| {
                let condition = format!("if each workgroup has {size} work-items or more");
                attribute(WORKGROUP, format!("{size},1024"), Some(condition))
            }));
            found.push(Candidate::flag("keep arrays out of LDS", "-disable-promote-alloca-to-lds"));
        }
        if base.spills() > 0 && job.text.contains(VGPRS) {
            found.push(attribute(VGPRS, "256".to_owned(), None));
        }
        if base.agprs > 0 {
            found.push(attribute("amdgpu-agpr-alloc", "0".to_owned(), None));
        }
        found.push(Candidate::passes("sink values to where they are used", "function(sink)"));
        if job.settings.passes.is_empty() {
            found.push(Candidate::passes("inline and simplify first", "default<O2>"));
        } else {
            found.push(Candidate::flag("unroll no loop", "-unroll-count=1"));
            found.push(Candidate::flag("unroll loops twice at most", "-unroll-count=2"));
        }
    }
    found.extend(FLAGS.iter().map(|(change, flag)| Candidate::flag(change, flag)));
    if base.agprs > 0 {
        let change = "keep the results of matrix instructions in VGPRs";
        found.push(Candidate::flag(change, "-amdgpu-mfma-vgpr-form"));
    }
    found
}

fn tried(
    compiler: &Compiler,
    job: &Job,
    base: &KernelResources,
    candidate: Candidate,
    cancel: &Cancel,
) -> Trial {
    let mut job = job.clone();
    let mut options = Vec::new();
    let mut attribute = candidate.attribute.map(|(name, value)| Attribute {
        function: base.name.clone(),
        name: name.to_owned(),
        value,
    });
    if let Some(Attribute { function, name, value }) = &attribute {
        options.extend(["--attribute".to_owned(), format!("{function}:{name}={value}")]);
        job.settings.attributes.retain(|a| a.name != *name);
        job.settings.attributes.extend(attribute.clone());
    }
    if let Some(flag) = candidate.flag {
        options.push(format!("--llc-option={flag}"));
        job.add_flag(flag);
    }
    if let Some(passes) = candidate.passes {
        let all = [job.settings.passes.as_str(), passes].into_iter().filter(|p| !p.is_empty());
        job.settings.passes = all.collect::<Vec<_>>().join(",");
        options.extend(["--passes".to_owned(), job.settings.passes.clone()]);
    }
    if let Some(level) = candidate.opt_level {
        job.settings.opt_level = Some(level);
        options.extend(["--opt".to_owned(), level.to_string()]);
    }
    let found = resources(compiler, &job, cancel);
    let (resources, problem) = match found {
        Ok(kernels) => match kernels.into_iter().find(|k| k.name == base.name) {
            Some(kernel) if is_empty(&kernel) && !is_empty(base) => {
                (None, Some("the optimizer leaves no code in the kernel".to_owned()))
            }
            Some(kernel) => (Some(kernel), None),
            None => (None, Some("the kernel is gone".to_owned())),
        },
        Err(failure) => (None, Some(failure.sentence())),
    };
    let effect = resources.as_ref().map_or(Effect::Failed, |new| effect(base, new));
    if candidate.flag.is_some() {
        attribute = None;
    }
    let Candidate { change, condition, .. } = candidate;
    Trial { change, condition, options, attribute, effect, resources, problem }
}

/// Whether a kernel has no instruction or only the one that ends it: of a test whose code does nothing, or whose behavior is undefined.
fn is_empty(kernel: &KernelResources) -> bool {
    kernel.code_size <= 4
}

fn effect(base: &KernelResources, new: &KernelResources) -> Effect {
    // Scratch memory takes the place of registers too.
    let costs = |k: &KernelResources| (k.spills(), k.scratch);
    let (old_costs, new_costs) = (costs(base), costs(new));
    let no_worse = new_costs.0 <= old_costs.0 && new_costs.1 <= old_costs.1;
    match new.occupancy.cmp(&base.occupancy) {
        std::cmp::Ordering::Greater if no_worse => Effect::Gain,
        std::cmp::Ordering::Greater => Effect::Trade,
        std::cmp::Ordering::Equal if no_worse && new_costs.0 < old_costs.0 => Effect::Gain,
        std::cmp::Ordering::Less if no_worse && new_costs.0 < old_costs.0 => Effect::Trade,
        _ => Effect::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_costs_nothing() {
        let kernel = |occupancy, vgpr_spills, scratch| KernelResources {
            occupancy,
            vgpr_spills,
            scratch,
            ..KernelResources::default()
        };
        let base = kernel(5, 4, 16);
        assert_eq!(effect(&base, &kernel(6, 4, 16)), Effect::Gain);
        assert_eq!(effect(&base, &kernel(5, 0, 0)), Effect::Gain);
        assert_eq!(effect(&base, &kernel(6, 5, 20)), Effect::Trade);
        assert_eq!(effect(&base, &kernel(4, 0, 0)), Effect::Trade);
        assert_eq!(effect(&base, &kernel(5, 4, 16)), Effect::None);
        assert_eq!(effect(&base, &kernel(4, 4, 16)), Effect::None);
        assert_eq!(effect(&base, &kernel(5, 3, 20)), Effect::None);
    }

    #[test]
    fn a_kernel_without_code_is_empty() {
        let kernel = |code_size| KernelResources { code_size, ..KernelResources::default() };
        assert!(is_empty(&kernel(0)) && is_empty(&kernel(4)) && !is_empty(&kernel(8)));
    }

    #[test]
    fn only_what_is_limited_gets_advice() {
        let kernel =
            |limit, vgpr_spills| KernelResources { limit, vgpr_spills, ..KernelResources::default() };
        assert!(!is_limited(&kernel(Some(Limit::Hardware), 0)));
        assert!(!is_limited(&kernel(None, 0)));
        assert!(is_limited(&kernel(Some(Limit::Hardware), 1)));
        assert!(is_limited(&kernel(Some(Limit::Vgprs), 0)));
    }
}
