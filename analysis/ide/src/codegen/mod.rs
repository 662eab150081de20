//! What to ask of an outside compiler for a document, and what its answer means. Plain values: nothing is run here.

mod complete;
mod dialect;
mod legalization;
mod named;
mod processors;
mod reference;
mod run_line;

use wavelens_codegen::{Input, Request, Source};
use wavelens_isa::mir::Machine;
use wavelens_isa::{Target, WaveSize};
use wavelens_semantics::configuration::{Configuration, Env, Origin, Os, Stated};
use wavelens_semantics::{Dialect, Options, Severity, check_text, spirv};

pub use self::complete::complete;
pub use self::dialect::{
    compile_options, compiled_for, definition, functions, has_passes, is_assembled, is_compiled,
    is_entry_point, is_for_one_processor, may_need_experiments, target_name,
};
pub use self::legalization::{legalization, legalization_note};
pub use self::named::named;
pub use self::processors::{Part, parts};
pub use self::reference::reference;
pub use self::run_line::{RunEnd, RunOptions, run_options};
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
    let Settings { opt_level, mut passes, mut flags, functions, attributes, no_experiments } =
        settings.clone();
    let configuration = configuration(dialect, text, options);
    let said = match dialect {
        Dialect::Llvm | Dialect::Mir => run_options(text, configuration.run.as_ref().map(|run| run.number)),
        Dialect::Spirv | Dialect::Amdgpu => RunOptions::default(),
    };
    let foreign = foreign_triple(&configuration);
    if let (Some(triple), Some(asked)) = (&foreign, options.target.as_ref()) {
        return Err(format!("the module is for `{triple}`, and `{asked}` is an AMDGPU processor"));
    }
    let named = configuration.processor.as_ref().map(|p| p.value.to_string());
    let default = if foreign.is_some() { "" } else { DEFAULT_TARGET };
    let mut target = named.unwrap_or_else(|| default.to_owned());
    let opt_level = opt_level.or(said.opt_level).unwrap_or(OPT_LEVEL);
    if passes.is_empty() {
        passes = said.passes;
    }
    if flags.is_empty() {
        flags = said.flags;
    }
    if configuration.is_asked() {
        // The features of a RUN line go with its processor.
        flags.retain(|flag| !flag.starts_with("-mattr"));
    }
    if dialect == Dialect::Llvm {
        let system = configuration.triple.as_ref().filter(|t| Os::of(&t.value) != Os::Unknown);
        flags.extend(triple_flag(system.map(|t| t.value.as_str()).or(foreign.as_deref())));
        if let Some(own) = parts(dialect, text, options).first().filter(|_| foreign.is_none()) {
            target.clone_from(&own.processor);
        }
    }
    let (source, input) = match dialect {
        Dialect::Llvm => {
            let sliced =
                if functions.is_empty() { None } else { crate::llvm::slice::slice(text, &functions) };
            let text = sliced.as_deref().unwrap_or(text);
            let text = &*crate::llvm::attributes::with_attributes(text, &attributes);
            let both = foreign.is_none()
                && Target::named(&target).is_some_and(|t| {
                    [WaveSize::W32, WaveSize::W64].iter().all(|w| t.with_wave_size(*w).is_some())
                });
            let keeps = if foreign.is_some() {
                Keeps::All
            } else if both {
                Keeps::WaveSize
            } else {
                Keeps::Nothing
            };
            (Source::LlvmIr, Input::Text(crate::llvm::instrument::with_line_locations(text, keeps)))
        }
        Dialect::Mir => {
            let sliced = if functions.is_empty() { None } else { crate::mir::slice::slice(text, &functions) };
            let text = sliced.as_deref().unwrap_or(text);
            let setting = crate::mir::start::setting(text, options);
            if setting.machine != Some(Machine::Amdgpu) {
                return Err("these machine functions are not for AMDGPU".to_owned());
            }
            target = setting.processor.unwrap_or(target);
            flags.extend(triple_flag(setting.triple.as_deref()));
            if !flags.iter().any(|f| f.starts_with("-start-")) {
                for flag in setting.stage.map(crate::mir::start::Stage::flags).unwrap_or_default() {
                    // No flag may come twice.
                    if !flags.iter().any(|f| f.split('=').next() == flag.split('=').next()) {
                        flags.push(flag);
                    }
                }
            }
            (Source::Mir, Input::Text(crate::mir::instrument::with_line_locations(text)))
        }
        Dialect::Amdgpu => (Source::Assembly, Input::Text(text.to_owned())),
        Dialect::Spirv => spirv_module(text, options, &functions, !no_experiments)?,
    };
    Ok(Request { source, input, target, opt_level, flags, passes })
}

/// What a document is for.
pub fn configuration(dialect: Dialect, text: &str, options: &Options) -> Configuration {
    Configuration::decide(dialect, &Stated::of(dialect, text), options)
}

/// Where the RUN line that is used ends before assembly, with its number. `None` if the user asks for other flags.
pub fn run_end(
    dialect: Dialect,
    text: &str,
    options: &Options,
    settings: &Settings,
) -> Option<(u32, RunEnd)> {
    if !matches!(dialect, Dialect::Llvm | Dialect::Mir) || !settings.flags.is_empty() {
        return None;
    }
    let number = configuration(dialect, text, options).run?.number;
    Some((number, run_options(text, Some(number)).end?))
}

/// The triple of a module that is not for AMDGPU.
fn foreign_triple(configuration: &Configuration) -> Option<String> {
    let triple = configuration.triple.as_ref().map(|t| t.value.as_str());
    triple.filter(|t| !t.is_empty() && !t.starts_with("amdgcn")).map(str::to_owned)
}

/// Code is for one operating system as for one processor: which registers hold what at the start depends on it.
fn triple_flag(triple: Option<&str>) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let triple = triple.filter(|t| t.chars().all(plain))?;
    Some(format!("-mtriple={triple}"))
}

/// Whether a document is compiled for a GPU, by its dialect and its first lines.
pub fn is_for_gpu(dialect: Dialect, head: &str) -> bool {
    match dialect {
        Dialect::Llvm => head.lines().any(|l| l.starts_with("target triple") && l.contains("\"amdgcn")),
        Dialect::Mir => {
            head.contains("amdgcn")
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
            request.map(|r| format!("{} {}", r.target, r.flags.join(" ")))
        };
        let body = "define void @f() #0 {\n  ret void\n}\nattributes #0 = { \"target-cpu\"=\"gfx942\" }\n";
        assert_eq!(of(body, None).as_deref(), Ok("gfx942 "));
        assert_eq!(of(body, Some("gfx900")).as_deref(), Ok("gfx900 "));
        let tested = format!("; RUN: llc -mtriple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s\n{body}");
        assert_eq!(of(&tested, None).as_deref(), Ok("gfx942 -mattr=+wavefrontsize64"));
        assert_eq!(of(&tested, Some("gfx1100")).as_deref(), Ok("gfx1100 "));
        let other = "target triple = \"x86_64-unknown-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n";
        assert_eq!(of(other, None).as_deref(), Ok(" -mtriple=x86_64-unknown-linux-gnu"));
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
