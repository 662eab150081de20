//! What to ask of an outside compiler for a document, and what its answer means. Plain values: nothing is run here.

mod complete;
mod dialect;
mod legalization;
mod named;
mod processors;
mod reference;
mod run_line;

use wavelens_base::configuration::{AMDGPU_TRIPLE, Configuration, Env, Known, Origin, Os, Stated};
use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;
use wavelens_codegen::{Input, Request, Source};
use wavelens_isa::mir::Machine;
use wavelens_isa::{Target, WaveSize};
use wavelens_llvm::older::in_older_form;
use wavelens_spirv as spirv;

pub use self::complete::complete;
pub use self::dialect::{
    compile_options, compiled_for, definition, functions, has_passes, is_assembled, is_compiled,
    is_entry_point, is_for_one_processor, may_need_experiments, target_name,
};
pub use self::legalization::{legalization, legalization_note};
pub use self::named::named;
pub use self::processors::{Part, parts};
pub use self::reference::reference;
pub use self::run_line::{RunEnd, is_harmless_pipeline};
use self::run_line::{RunOptions, run_options};
pub use crate::assembly::Detail;
pub use crate::llvm::attributes::Attribute;
use crate::llvm::instrument::Keeps;
use crate::spirv::instrument;

/// Processor used when neither the user nor the file names one.
pub const DEFAULT_TARGET: &str = "gfx1100";

/// How to compile. What is left open here, a file's `RUN:` line may say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// 0 to 3.
    pub opt_level: Option<u8>,
    /// A pipeline for `opt` before `llc`; empty: none.
    pub passes: String,
    /// Flags for `llc` beyond the usual.
    pub flags: Vec<String>,
    /// Compile only these functions and what they reach, in SPIR-V the entry points that reach them; empty: all.
    pub functions: Vec<String>,
    /// LLVM IR: attributes that functions get in place of their own.
    pub attributes: Vec<Attribute>,
    /// SPIR-V for Vulkan: do without source lines, which take many compilations.
    pub no_experiments: bool,
}

/// Optimisation level when nothing says another.
const OPT_LEVEL: u8 = 2;

/// What a document is compiled for and how, by its configuration and its RUN line.
struct Plan {
    configuration: Configuration,
    /// What the RUN line says; nothing where there is none.
    said: RunOptions,
}

impl Plan {
    fn of(dialect: Dialect, text: &str, options: &Options) -> Plan {
        let mut configuration = Configuration::decide(dialect, &Stated::of(dialect, text), options);
        let run = configuration.run.as_ref().filter(|_| has_passes(dialect));
        let said = run.and_then(|run| run_options(text, run.number)).unwrap_or_default();
        if has_passes(dialect) {
            let own = own_processor(dialect, text, &configuration, options);
            add_defaults(&mut configuration, &said, text, own);
        }
        Plan { configuration, said }
    }

    /// The triple of a module that is not for AMDGPU.
    fn foreign(&self) -> Option<String> {
        let triple = self.configuration.triple.as_ref().map(|t| t.value.as_str());
        triple.filter(|t| !t.is_empty() && !wavelens_isa::is_amdgpu(t)).map(str::to_owned)
    }
}

/// What commands that compile assume where nothing says otherwise.
fn add_defaults(configuration: &mut Configuration, said: &RunOptions, text: &str, own: Option<String>) {
    let known = |value: &'static str| Some(Known::new(value.into(), Origin::CompilerDefault));
    let is_open = configuration.triple.as_ref().is_none_or(|triple| triple.origin == Origin::Default);
    if is_open {
        configuration.triple = known(if has_graphics(text) { GRAPHICS_TRIPLE } else { AMDGPU_TRIPLE });
    }
    let is_amdgpu = configuration.triple.as_ref().is_none_or(|triple| wavelens_isa::is_amdgpu(&triple.value));
    // A RUN line that names the target and no processor leaves the choice to `llc`.
    let is_chosen = said.is_compilation && !is_open;
    if configuration.processor.is_none() && is_amdgpu && !is_chosen {
        let own = own.map(|own| Known::new(own.into(), Origin::FunctionAttribute));
        configuration.processor = own.or_else(|| known(DEFAULT_TARGET));
    }
}

/// The processor that the first function names which does.
fn own_processor(
    dialect: Dialect,
    text: &str,
    configuration: &Configuration,
    options: &Options,
) -> Option<String> {
    match dialect {
        Dialect::Llvm => Some(processors::parts_of(text, configuration).into_iter().next()?.processor),
        Dialect::Mir if text.contains("\"target-cpu\"") => {
            crate::mir::start::setting(text, options).processor
        }
        Dialect::Mir | Dialect::Amdgpu | Dialect::Spirv => None,
    }
}

/// Of modules with graphics functions: `llc` refuses these for HSA.
const GRAPHICS_TRIPLE: &str = "amdgcn-amd-amdpal";

/// Calling conventions of graphics functions.
const GRAPHICS: &[&str] = &[
    "amdgpu_cs",
    "amdgpu_cs_chain",
    "amdgpu_cs_chain_preserve",
    "amdgpu_es",
    "amdgpu_gfx",
    "amdgpu_gfx_whole_wave",
    "amdgpu_gs",
    "amdgpu_hs",
    "amdgpu_ls",
    "amdgpu_ps",
    "amdgpu_vs",
];

/// Whether a function of a module is for graphics.
fn has_graphics(text: &str) -> bool {
    let heads = text.lines().map(str::trim_start).filter(|line| line.starts_with("define "));
    let mut words = heads.flat_map(|head| head.split('@').next().unwrap_or("").split_whitespace());
    text.contains("amdgpu_") && words.any(|word| GRAPHICS.contains(&word))
}

/// The request that compiles a whole document.
///
/// # Errors
/// One sentence, when the document cannot be handed to a compiler.
pub fn request(
    dialect: Dialect,
    text: &str,
    options: &Options,
    settings: &Settings,
) -> Result<Request, String> {
    let Settings { opt_level, passes, flags: asked, functions, attributes, no_experiments } = settings;
    let plan = Plan::of(dialect, text, options);
    let Plan { configuration, said } = &plan;
    let foreign = plan.foreign();
    let processor = options.target.as_ref().filter(|name| Target::of_id(name).is_some());
    if let (Some(triple), Some(asked)) = (&foreign, processor) {
        return Err(format!("the module is for `{triple}`, and `{asked}` is an AMDGPU processor"));
    }
    let changed = said.text(text)?;
    let text = changed.as_deref().unwrap_or(text);
    let mut passes = passes.clone();
    let own_passes = passes.is_empty();
    if own_passes {
        if let Some(refusal) = said.refusal() {
            return Err(refusal);
        }
        passes.clone_from(&said.passes);
    }
    // What is asked for replaces what the RUN line says.
    let is_start = |flag: &str| flag.starts_with("-start-");
    let starts = asked.iter().any(|flag| is_start(flag));
    let is_kept = |own: &&String| {
        !asked.iter().any(|flag| flag_name(flag) == flag_name(own)) && !(starts && is_start(own))
    };
    let mut flags: Vec<String> = said.flags.iter().filter(is_kept).chain(asked).cloned().collect();
    let target = configuration.processor.as_ref().map_or_else(String::new, |p| p.value.to_string());
    let (source, input) = match dialect {
        Dialect::Llvm => {
            let sliced = if functions.is_empty() { None } else { crate::llvm::slice::slice(text, functions) };
            let text = sliced.as_deref().unwrap_or(text);
            let older = in_older_form(text);
            let text = older.as_ref().map_or(text, |older| older.text.as_str());
            let text = &*crate::llvm::attributes::with_attributes(text, attributes);
            let both = || {
                Target::named(&target).is_some_and(|t| {
                    [WaveSize::W32, WaveSize::W64].iter().all(|w| t.with_wave_size(*w).is_some())
                })
            };
            let keeps = match configuration.is_asked() {
                false => Keeps::All,
                true if foreign.is_none() && both() => Keeps::WaveSize,
                true => Keeps::Nothing,
            };
            (Source::LlvmIr, Input::Text(crate::llvm::instrument::with_line_locations(text, keeps)))
        }
        Dialect::Mir => {
            let sliced = if functions.is_empty() { None } else { crate::mir::slice::slice(text, functions) };
            let text = sliced.as_deref().unwrap_or(text);
            let older = crate::mir::older::in_older_form(text);
            let setting = crate::mir::start::setting(text, options);
            let text = older.as_ref().map_or(text, |older| older.text.as_str());
            if setting.machine != Some(Machine::Amdgpu) {
                return Err("these machine functions are not for AMDGPU".to_owned());
            }
            // A RUN line says itself where `llc` starts.
            if !said.is_compilation && !flags.iter().any(|f| is_start(f)) {
                for flag in setting.stage.map(crate::mir::start::Stage::flags).unwrap_or_default() {
                    // No flag may come twice.
                    if !flags.iter().any(|f| flag_name(f) == flag_name(&flag)) {
                        flags.push(flag);
                    }
                }
            }
            (Source::Mir, Input::Text(crate::mir::instrument::with_line_locations(text)))
        }
        Dialect::Amdgpu => (Source::Assembly, Input::Text(text.to_owned())),
        Dialect::Spirv => spirv_module(text, options, functions, !no_experiments)?,
    };
    let triple = if dialect == Dialect::Spirv { AMDGPU_TRIPLE.to_owned() } else { triple(configuration) };
    Ok(Request {
        source,
        input,
        target: if target.is_empty() && !has_passes(dialect) { DEFAULT_TARGET.to_owned() } else { target },
        features: configuration.features.iter().map(|f| f.value.to_string()).collect(),
        triple,
        opt_level: opt_level.or(said.opt_level).unwrap_or(OPT_LEVEL),
        flags,
        passes,
        opt_flags: said.opt_flags.clone().filter(|_| own_passes && !configuration.is_asked()),
    })
}

/// An option without its value.
fn flag_name(flag: &str) -> &str {
    flag.split('=').next().unwrap_or(flag)
}

/// The triple that a compiler is given.
fn triple(configuration: &Configuration) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let triple = configuration.triple.as_ref().map(|t| t.value.as_str());
    let triple = triple.filter(|t| t.chars().all(plain)).unwrap_or("");
    wavelens_isa::older_triple(triple).unwrap_or_else(|| triple.to_owned())
}

/// The text as the compiler of a document gets it, where no line locations are wanted.
///
/// # Errors
/// As [`request`].
pub fn plain_text(dialect: Dialect, text: &str, options: &Options) -> Result<String, String> {
    let changed = Plan::of(dialect, text, options).said.text(text)?;
    Ok(changed.unwrap_or_else(|| text.to_owned()))
}

/// What of a text is rewritten for compilers before LLVM 23: `the triple`, `literals`, ...
pub fn rewritten_for_older(dialect: Dialect, text: &str) -> Vec<&'static str> {
    let older = match dialect {
        Dialect::Llvm => in_older_form(text),
        Dialect::Mir => crate::mir::older::in_older_form(text),
        Dialect::Amdgpu | Dialect::Spirv => None,
    };
    older.map_or_else(Vec::new, |older| older.rewritten)
}

/// What a document is compiled for.
pub fn configuration(dialect: Dialect, text: &str, options: &Options) -> Configuration {
    Plan::of(dialect, text, options).configuration
}

/// The processor whose instructions the code of a document has, where the code does not say it.
pub fn code_target(dialect: Dialect, text: &str, options: &Options) -> String {
    let configuration = configuration(dialect, text, options);
    let own = own_processor(dialect, text, &configuration, options);
    let named = configuration.processor.as_ref().map(|p| p.value.to_string());
    // `llc` generates code for a processor that the system has.
    let default = if configuration.os() == Os::Amdhsa { "generic-hsa" } else { "generic" };
    own.or(named).unwrap_or_else(|| default.to_owned())
}

/// Where the RUN line that is used ends before assembly, with its number. `None` if the user asks for another part of the pipeline.
pub fn run_end(
    dialect: Dialect,
    text: &str,
    options: &Options,
    settings: &Settings,
) -> Option<(u32, RunEnd)> {
    let is_part = |flag: &String| ["-start-", "-stop-", "-run-pass"].iter().any(|p| flag.starts_with(p));
    let plan = Plan::of(dialect, text, options);
    let end = plan.said.end.filter(|_| !settings.flags.iter().any(is_part))?;
    Some((plan.configuration.run?.number, end))
}

/// Whether the RUN line runs only part of code generation: what a compiler says about the text then is what its author expects.
pub fn is_partial(dialect: Dialect, text: &str, options: &Options) -> bool {
    Plan::of(dialect, text, options).said.is_partial()
}

/// Whether the RUN line generates code, and so says all of the compilation.
pub fn is_compilation(dialect: Dialect, text: &str, options: &Options) -> bool {
    Plan::of(dialect, text, options).said.is_compilation
}

/// The optimization level of the RUN line that is used.
pub fn run_level(dialect: Dialect, text: &str, options: &Options) -> Option<u8> {
    Plan::of(dialect, text, options).said.opt_level
}

/// Whether a document is compiled for a GPU, by its dialect and its first lines.
pub fn is_for_gpu(dialect: Dialect, head: &str) -> bool {
    match dialect {
        Dialect::Llvm => {
            let triple =
                Configuration::decide(dialect, &Stated::of(dialect, head), &Options::default()).triple;
            triple.is_some_and(|triple| wavelens_isa::is_amdgpu(&triple.value))
        }
        Dialect::Mir => {
            head.contains("amdgcn")
                || head.contains("triple = \"amdgpu")
                || crate::mir::start::setting(head, &Options::default()).machine == Some(Machine::Amdgpu)
        }
        Dialect::Spirv => true,
        Dialect::Amdgpu => false,
    }
}

/// The function that holds a line, counted from 0, by a name that [`Settings::functions`] takes.
pub fn function_at(dialect: Dialect, text: &str, line: u32) -> Option<String> {
    match dialect {
        Dialect::Llvm => crate::llvm::slice::function_at(text, line),
        Dialect::Mir => crate::mir::slice::function_at(text, line),
        Dialect::Spirv => crate::spirv::slice::function_at(text, line),
        Dialect::Amdgpu => None,
    }
}

/// A module without mistakes in the environment it is for, and which that is: drivers crash on others.
fn spirv_module(
    text: &str,
    options: &Options,
    functions: &[String],
    with_lines: bool,
) -> Result<(Source, Input), String> {
    let mut encoded = spirv::encode(text, options);
    let is_open_cl = encoded.insts.iter().any(|i| matches!(i.words[..], [OP_MEMORY_MODEL, _, OPEN_CL]));
    let mut options = options.clone();
    let mut words = String::new();
    if !is_open_cl {
        // A module that names no environment and no version is one for the newest Vulkan. An older version has rules of its own.
        let configuration = configuration(Dialect::Spirv, text, &options);
        let known = configuration.environment.filter(|env| env.origin != Origin::Default);
        let env = known.map_or(Env::Vulkan13, |env| env.value.for_vulkan()).name();
        options.target_env = Some(env.to_owned());
        words = format!(" for {env}");
    }
    let findings = check_text(Dialect::Spirv, text, &options);
    if let Some(first) = findings.iter().find(|f| f.severity == Severity::Error) {
        let before = text.get(..first.range.start().into()).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        return Err(format!(
            "the module has errors{words}, and compilers may crash on it: line {line}: {}",
            first.message
        ));
    }
    if encoded.is_refused {
        return Err("the module has instructions that could not be encoded".to_owned());
    }
    if !functions.is_empty() {
        crate::spirv::slice::keep_entry_points(&mut encoded, text, functions);
    }
    Ok(match (is_open_cl, with_lines) {
        (true, _) => (Source::OpenCl, Input::Words(instrument::with_line_locations(&encoded, text))),
        (false, true) => (Source::Vulkan, Input::Words(instrument::with_lines(&encoded, text))),
        (false, false) => (Source::Vulkan, Input::Words(instrument::without_debug_info(&encoded))),
    })
}

/// First word of `OpMemoryModel`: three words, opcode 14.
const OP_MEMORY_MODEL: u32 = 3 << 16 | 14;
/// The memory model of kernels.
const OPEN_CL: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_compiled_for_what_it_names() {
        let of = |text: &str, target: Option<&str>| {
            let options = Options { target: target.map(str::to_owned), ..Options::default() };
            let request = request(Dialect::Llvm, text, &options, &Settings::default());
            request.map(|r| format!("{} {} {}", r.triple, r.target, r.features.join(",")))
        };
        let body = "define void @f() #0 {\n  ret void\n}\nattributes #0 = { \"target-cpu\"=\"gfx942\" }\n";
        assert_eq!(of(body, None).as_deref(), Ok("amdgcn-amd-amdhsa gfx942 "));
        assert_eq!(of(body, Some("gfx900")).as_deref(), Ok("amdgcn-amd-amdhsa gfx900 "));
        // Attributes of functions go before what `llc` is given.
        let tested = format!("; RUN: llc -mtriple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s\n{body}");
        assert_eq!(of(&tested, None).as_deref(), Ok("amdgcn gfx1030 +wavefrontsize64"));
        assert_eq!(code_target(Dialect::Llvm, &tested, &Options::default()), "gfx942");
        assert_eq!(of(&tested, Some("gfx1100")).as_deref(), Ok("amdgcn gfx1100 "));
        let southern = "; RUN: llc -mtriple=amdgcn < %s\ndefine void @f() {\n  ret void\n}\n";
        assert_eq!(of(southern, None).as_deref(), Ok("amdgcn  "));
        assert_eq!(code_target(Dialect::Llvm, southern, &Options::default()), "generic");
        let graphics = "define amdgpu_ps void @f() {\n  ret void\n}\n";
        assert_eq!(of(graphics, None).as_deref(), Ok("amdgcn-amd-amdpal gfx1100 "));
        let other = "target triple = \"x86_64-unknown-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n";
        assert_eq!(of(other, None).as_deref(), Ok("x86_64-unknown-linux-gnu  "));
        let refused = "the module is for `x86_64-unknown-linux-gnu`, and `gfx900` is an AMDGPU processor";
        assert_eq!(of(other, Some("gfx900")), Err(refused.to_owned()));
    }

    #[test]
    fn spirv_goes_to_the_driver_by_the_rules_of_its_own_version() {
        // Only before 1.4 may variables that are neither input nor output be left out of the interface.
        let module = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
            OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 0\n\
            %ptr = OpTypePointer Private %int\n%v = OpVariable %ptr Private\n%one = OpConstant %int 1\n\
            %main = OpFunction %void None %fn\n%l = OpLabel\nOpStore %v %one\nOpReturn\nOpFunctionEnd\n";
        let source = |comment: &str| {
            let text = format!("{comment}{module}");
            request(Dialect::Spirv, &text, &Options::default(), &Settings::default()).map(|r| r.source)
        };
        assert_eq!(source("; Version: 1.3\n"), Ok(Source::Vulkan));
        assert_eq!(source("; target-env: vulkan1.1\n"), Ok(Source::Vulkan));
        let refused = |line: u32| {
            Err(format!(
                "the module has errors for vulkan1.3, and compilers may crash on it: line {line}: \
                 `%v` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists \
                 all global variables; this module is read as version 1.6"
            ))
        };
        assert_eq!(source(""), refused(3));
        assert_eq!(source("; Version: 1.6\n"), refused(4));
    }
}
