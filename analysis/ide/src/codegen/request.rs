//! The request that a plan makes of a compiler.

use wavelens_base::configuration::{AMDGPU_TRIPLE, Env, Origin};
use wavelens_base::parts::{assembly_of_log, is_log};
use wavelens_base::{Dialect, Severity};
use wavelens_check::check_text;
use wavelens_codegen::{Input, Request, Source};
use wavelens_isa::mir::Machine;
use wavelens_isa::{Target, WaveSize};
use wavelens_spirv as spirv;

use super::{DEFAULT_TARGET, Plan, Settings, has_passes};
use crate::llvm::instrument::Keeps;
use crate::spirv::instrument;

/// Optimisation level when nothing says another.
pub(super) const OPT_LEVEL: u8 = 2;

impl Plan<'_> {
    /// The request that compiles the document.
    ///
    /// # Errors
    /// One sentence, when the document cannot be handed to a compiler.
    pub fn request(&self, settings: &Settings) -> Result<Request, String> {
        if is_log(self.text) && self.dialect != Dialect::Amdgpu {
            return Err(
                "a dump of passes is not compiled; `wavelens passes` and `wavelens trace` read it".to_owned()
            );
        }
        let Settings { opt_level, passes, flags: asked, functions, attributes, no_experiments } = settings;
        let Plan { dialect, text, options, configuration, said, .. } = self;
        let (dialect, text) = (*dialect, *text);
        let foreign = self.foreign();
        let processor = options.target.as_ref().filter(|name| Target::of_id(name).is_some());
        if let (Some(triple), Some(asked)) = (foreign, processor) {
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
                let sliced =
                    if functions.is_empty() { None } else { crate::llvm::slice::slice(text, functions) };
                let text = sliced.as_deref().unwrap_or(text);
                let older = self.older(text);
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
                let sliced =
                    if functions.is_empty() { None } else { crate::mir::slice::slice(text, functions) };
                let text = wavelens_mir::without_schedule(sliced.as_deref().unwrap_or(text));
                let older = self.older(text);
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
            Dialect::Amdgpu => {
                let text = assembly_of_log(text).unwrap_or_else(|| text.to_owned());
                (Source::Assembly, Input::Text(text))
            }
            Dialect::Spirv => self.spirv_module(functions, !no_experiments)?,
        };
        let triple = if dialect == Dialect::Spirv { AMDGPU_TRIPLE.to_owned() } else { self.triple() };
        // LLVM writes a processor that is asked for into what it prints between passes; where the triple names it, it does not.
        let is_named =
            !target.ends_with("-generic") && wavelens_isa::processor_of_triple(&triple) == Some(&target);
        Ok(Request {
            source,
            input,
            target: match target {
                target if target.is_empty() && !has_passes(dialect) => DEFAULT_TARGET.to_owned(),
                _ if is_named => String::new(),
                target => target,
            },
            features: configuration.features.iter().map(|f| f.value.to_string()).collect(),
            triple,
            opt_level: opt_level.or(said.opt_level).unwrap_or(OPT_LEVEL),
            flags,
            passes,
            opt_flags: said.opt_flags.clone().filter(|_| own_passes && !configuration.is_asked()),
        })
    }

    /// A module without mistakes in the environment it is for, and which that is: drivers crash on others.
    fn spirv_module(&self, functions: &[String], with_lines: bool) -> Result<(Source, Input), String> {
        let text = self.text;
        let mut options = self.options.clone();
        let mut encoded = spirv::encode(text, &options);
        let is_open_cl = encoded.insts.iter().any(|i| matches!(i.words[..], [OP_MEMORY_MODEL, _, OPEN_CL]));
        let mut words = String::new();
        if !is_open_cl {
            // A module that names no environment and no version is one for the newest Vulkan. An older version has rules of its own.
            let known = self.configuration.environment.as_ref().filter(|env| env.origin != Origin::Default);
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
}

/// An option without its value.
fn flag_name(flag: &str) -> &str {
    flag.split('=').next().unwrap_or(flag)
}

/// First word of `OpMemoryModel`: three words, opcode 14.
const OP_MEMORY_MODEL: u32 = 3 << 16 | 14;
/// The memory model of kernels.
const OPEN_CL: u32 = 2;

#[cfg(test)]
mod tests {
    use wavelens_base::Options;

    use super::*;

    /// LLVM 24 has other defaults for `amdgcn` than for a triple with a processor, and will refuse the former.
    #[test]
    fn a_newer_compiler_gets_what_is_written() {
        let of = |text: &str, llvm: u32| {
            let plan = Plan::of(Dialect::Llvm, text, Options::default()).compiled_by(Some(llvm));
            let request = plan.request(&Settings::default()).expect("it can be compiled");
            let text = String::from_utf8_lossy(&request.input.bytes()).into_owned();
            (format!("{} {}", request.triple, request.target), text.contains("denormal_fpenv"))
        };
        let body = "define void @f() #0 {\n  ret void\n}\nattributes #0 = { denormal_fpenv(preservesign) }\n";
        let test = |line: &str| format!("; RUN: llc {line} < %s\n{body}");
        let named = |words: &str, newer: bool| (words.to_owned(), newer);
        assert_eq!(of(body, 22), named("amdgcn-amd-amdhsa gfx1100", false));
        assert_eq!(of(body, 24), named("amdgpu11.00-amd-amdhsa ", true));
        let newer = test("-mtriple=amdgpu9.00-amd-amdhsa");
        assert_eq!(of(&newer, 22), named("amdgcn-amd-amdhsa gfx900", false));
        assert_eq!(of(&newer, 24), named("amdgpu9.00-amd-amdhsa ", true));
        assert_eq!(of(&test("-mtriple=amdgcn -mcpu=tahiti"), 24), named("amdgcn tahiti", true));
    }

    #[test]
    fn a_module_is_compiled_for_what_it_names() {
        let of = |text: &str, target: Option<&str>| {
            let options = Options { target: target.map(str::to_owned), ..Options::default() };
            let request = Plan::of(Dialect::Llvm, text, options).request(&Settings::default());
            request.map(|r| format!("{} {} {}", r.triple, r.target, r.features.join(",")))
        };
        let body = "define void @f() #0 {\n  ret void\n}\nattributes #0 = { \"target-cpu\"=\"gfx942\" }\n";
        assert_eq!(of(body, None).as_deref(), Ok("amdgcn-amd-amdhsa gfx942 "));
        assert_eq!(of(body, Some("gfx900")).as_deref(), Ok("amdgcn-amd-amdhsa gfx900 "));
        // Attributes of functions go before what `llc` is given.
        let tested = format!("; RUN: llc -mtriple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s\n{body}");
        assert_eq!(of(&tested, None).as_deref(), Ok("amdgcn gfx1030 +wavefrontsize64"));
        assert_eq!(Plan::of(Dialect::Llvm, &tested, Options::default()).code_target(), "gfx942");
        assert_eq!(of(&tested, Some("gfx1100")).as_deref(), Ok("amdgcn gfx1100 "));
        let southern = "; RUN: llc -mtriple=amdgcn < %s\ndefine void @f() {\n  ret void\n}\n";
        assert_eq!(of(southern, None).as_deref(), Ok("amdgcn  "));
        assert_eq!(Plan::of(Dialect::Llvm, southern, Options::default()).code_target(), "generic");
        let graphics = "define amdgpu_ps void @f() {\n  ret void\n}\n";
        assert_eq!(of(graphics, None).as_deref(), Ok("amdgcn-amd-amdpal gfx1100 "));
        assert_eq!(of(graphics, Some("gfx900")).as_deref(), Ok("amdgcn-amd-amdpal gfx900 "));
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
            Plan::of(Dialect::Spirv, &text, Options::default())
                .request(&Settings::default())
                .map(|r| r.source)
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
