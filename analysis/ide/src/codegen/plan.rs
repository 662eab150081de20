//! What a document is compiled for and how: decided once for a text, and passed along.

use wavelens_base::configuration::{AMDGPU_TRIPLE, Configuration, Known, Origin, Os, Stated};
use wavelens_base::{Dialect, Options};
use wavelens_isa::{Target, WaveSize};
use wavelens_syntax::llvm::NEWER_SINCE;

use super::older::Older;
use super::processors::{Part, parts};
use super::run_line::{RunEnd, RunOptions, run_options};
use super::{DEFAULT_TARGET, Settings, has_passes, in_older_form};

/// What a document is compiled for and how, by its configuration and its RUN line.
#[derive(Debug)]
pub struct Plan<'t> {
    /// Its language.
    pub dialect: Dialect,
    pub(super) text: &'t str,
    /// What it is compiled with.
    pub options: Options,
    /// Triple, processor and features, with what commands that compile assume where nothing says otherwise.
    pub configuration: Configuration,
    /// The functions of each processor that functions of LLVM IR name. Empty if none does, or if the user asks for a processor.
    pub parts: Vec<Part>,
    /// The processor that the first function names which does.
    own: Option<String>,
    /// What the RUN line says; nothing where there is none.
    pub(super) said: RunOptions,
    /// Version of LLVM that compiles it; `None` where that is not known.
    pub llvm: Option<u32>,
}

impl<'t> Plan<'t> {
    /// Decides.
    pub fn of(dialect: Dialect, text: &'t str, options: Options) -> Plan<'t> {
        let mut configuration = Configuration::decide(dialect, &Stated::of(dialect, text), &options);
        let run = configuration.run.as_ref().filter(|_| has_passes(dialect));
        let said = run.and_then(|run| run_options(text, run.number)).unwrap_or_default();
        let parts = if dialect == Dialect::Llvm { parts(text, &configuration) } else { Vec::new() };
        let own = match dialect {
            Dialect::Mir if text.contains("\"target-cpu\"") => {
                crate::mir::start::setting(text, &options).processor
            }
            _ => parts.first().map(|part| part.processor.clone()),
        };
        if has_passes(dialect) {
            add_defaults(&mut configuration, &said, text, own.clone(), &options);
        }
        Plan { dialect, text, options, configuration, parts, own, said, llvm: None }
    }

    /// Names the version of LLVM that compiles it: only older ones get text and triple in the form that they read.
    pub fn compiled_by(mut self, llvm: Option<u32>) -> Plan<'t> {
        self.llvm = llvm;
        self
    }

    /// The text in the form for compilers before LLVM 23, where one of them compiles it and the text is newer.
    pub(super) fn older(&self, text: &str) -> Option<Older> {
        if self.reads_newer() { None } else { in_older_form(self.dialect, text) }
    }

    /// What of a text is rewritten for a compiler before LLVM 23: `the triple`, `literals`, ...
    pub fn rewritten(&self) -> Vec<&'static str> {
        self.older(self.text).map_or_else(Vec::new, |older| older.rewritten)
    }

    /// Whether the compiler knows triples with a processor, and the rest of what LLVM 23 brought.
    fn reads_newer(&self) -> bool {
        self.llvm.is_some_and(|llvm| llvm >= u32::from(NEWER_SINCE))
    }

    /// The triple that the compiler is given.
    pub(super) fn triple(&self) -> String {
        if !self.reads_newer() {
            return older_triple(&self.configuration);
        }
        let triple = plain_triple(&self.configuration);
        let named = self.configuration.triple.as_ref();
        // LLVM 24 compiles for `amdgcn` with the defaults of old and says that this ends; whoever wrote that wants it.
        let is_ours = named.is_some_and(|t| t.origin == Origin::CompilerDefault);
        let processor = self.configuration.processor.as_ref().filter(|_| is_ours && self.parts.len() < 2);
        processor
            .and_then(|p| wavelens_isa::triple_with_processor(triple, p.value.as_ref()))
            .unwrap_or_else(|| triple.to_owned())
    }

    /// The triple of a module that is not for AMDGPU.
    pub(super) fn foreign(&self) -> Option<&str> {
        let triple = self.configuration.triple.as_ref().map(|t| t.value.as_str());
        triple.filter(|t| !t.is_empty() && !wavelens_isa::is_amdgpu(t))
    }

    /// The text as the compiler gets it, where no line locations are wanted.
    ///
    /// # Errors
    /// As [`Plan::request`].
    pub fn plain_text(&self) -> Result<String, String> {
        let text = self.said.text(self.text)?.unwrap_or_else(|| self.text.to_owned());
        Ok(self.older(&text).map_or(text, |older| older.text))
    }

    /// The processor whose instructions the code has, where the code does not say it.
    pub fn code_target(&self) -> String {
        let named = self.configuration.processor.as_ref().map(|p| p.value.to_string());
        // `llc` generates code for a processor that the system has.
        let default = if self.configuration.os() == Os::Amdhsa { "generic-hsa" } else { "generic" };
        self.own.clone().or(named).unwrap_or_else(|| default.to_owned())
    }

    /// Lanes of a wave of the code, as far as that is known before it is compiled: functions may choose another size. `None` where
    /// LLVM does not compile the text, or not for AMDGPU.
    pub fn expected_lanes(&self) -> Option<u32> {
        let is_amdgpu = has_passes(self.dialect) && self.foreign().is_none();
        let own = || Target::named(&self.code_target()).map(Target::wave_size);
        let size = self.configuration.wave_size.as_ref().map(|size| size.value);
        is_amdgpu.then(|| size.or_else(own))?.map(WaveSize::lanes)
    }

    /// Where the RUN line that is used ends before assembly, with its number. `None` if the user asks for another part of the pipeline.
    pub fn run_end(&self, settings: &Settings) -> Option<(u32, &RunEnd)> {
        let is_part = |flag: &String| {
            ["-start-", "-stop-", "-run-pass", "-passes="].iter().any(|p| flag.starts_with(p))
        };
        let end = self.said.end.as_ref().filter(|_| !settings.flags.iter().any(is_part))?;
        Some((self.configuration.run.as_ref()?.number, end))
    }

    /// Whether the RUN line generates code, and so says all of the compilation.
    pub fn is_compilation(&self) -> bool {
        self.said.is_compilation
    }

    /// The optimization level of the RUN line that is used.
    pub fn run_level(&self) -> Option<u8> {
        self.said.opt_level
    }
}

/// The triple of a document, in the form that all versions of LLVM read.
pub(super) fn older_triple(configuration: &Configuration) -> String {
    let triple = plain_triple(configuration);
    wavelens_isa::older_triple(triple).unwrap_or_else(|| triple.to_owned())
}

/// The triple of a document, if it may be an argument of a program.
fn plain_triple(configuration: &Configuration) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    configuration.triple.as_ref().map(|t| t.value.as_str()).filter(|t| t.chars().all(plain)).unwrap_or("")
}

/// What commands that compile assume where nothing says otherwise.
fn add_defaults(
    configuration: &mut Configuration,
    said: &RunOptions,
    text: &str,
    own: Option<String>,
    options: &Options,
) {
    let known = |value: &'static str| Some(Known::new(value.into(), Origin::CompilerDefault));
    let is_open = configuration.triple.as_ref().is_none_or(|triple| triple.origin == Origin::Default);
    if is_open {
        configuration.triple = known(if has_graphics(text) { GRAPHICS_TRIPLE } else { AMDGPU_TRIPLE });
    } else if has_graphics(text)
        && options.triple.is_none()
        && configuration.triple.as_ref().is_some_and(|triple| {
            triple.value == AMDGPU_TRIPLE && !matches!(triple.origin, Origin::RunLine(_) | Origin::File(_))
        })
    {
        // Who asks for a processor leaves the system open.
        configuration.triple = known(GRAPHICS_TRIPLE);
    }
    let is_amdgpu = configuration.triple.as_ref().is_none_or(|triple| wavelens_isa::is_amdgpu(&triple.value));
    // A RUN line that names the target and no processor leaves the choice to `llc`.
    let is_chosen = said.is_compilation && !is_open;
    if configuration.processor.is_none() && is_amdgpu && !is_chosen {
        let own = own.map(|own| Known::new(own.into(), Origin::FunctionAttribute));
        configuration.processor = own.or_else(|| known(DEFAULT_TARGET));
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
