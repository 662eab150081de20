//! What a file is checked and compiled for: target, environment and versions, each with its origin.
//!
//! [`Stated`] is what the text says itself, [`Options`] what the user says. [`Configuration::decide`] joins them in one order of
//! precedence, and every feature asks it: the command line or the user's choice for the file; attributes of a function; RUN
//! lines, directives and triple of the file; the project file; the editor's setting; the default.

mod device_features;
pub mod environment;
mod listing;
mod options;
mod origin;
mod removed;
pub mod run_line;
mod stated;
mod target_id;

use smol_str::SmolStr;
use wavelens_isa::{
    Level, Target, WaveSize, agrees_with_triple, is_amdgpu, processor_of_triple, split_target_id,
};

pub use self::device_features::{DeviceFeature, DeviceFeatures};
pub use self::environment::Env;
pub use self::options::{Fallback, Options};
pub use self::origin::{Known, Origin};
pub use self::removed::{other_processor, removed_processor, unknown_processor};
pub use self::run_line::run_lines_of;
pub use self::run_line::{Invocation, Program, RunLine, run_lines, wave_size};
pub use self::stated::Stated;
use self::target_id::id_features;
pub use self::target_id::{AMDGPU_TRIPLE, Os, processor_name};
use crate::Dialect;
use wavelens_isa::processor::version as isa_version;

/// What a file is checked and compiled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    /// The language of the file.
    pub dialect: Dialect,
    /// The target triple.
    pub triple: Option<Known<SmolStr>>,
    /// `gfx1100`, or a processor of another target.
    pub processor: Option<Known<SmolStr>>,
    /// `+wavefrontsize64`, in order; a later one wins.
    pub features: Vec<Known<SmolStr>>,
    /// Lanes in a wave, for AMDGPU.
    pub wave_size: Option<Known<WaveSize>>,
    /// Of AMDGPU code objects.
    pub code_object_version: Option<Known<u32>>,
    /// The environment of SPIR-V.
    pub environment: Option<Known<Env>>,
    /// What the Vulkan device supports beyond the environment.
    pub device_features: DeviceFeatures,
    /// Version word of a SPIR-V module: `0x00010300` is 1.3.
    pub module_version: Option<Known<u32>>,
    /// The LLVM version whose rules apply.
    pub llvm_level: Known<u8>,
    /// The RUN line that is used.
    pub run: Option<Invocation>,
    /// Symbols that the build defines.
    pub defines: Vec<(String, String)>,
}

/// The LLVM whose tables and rules apply unless another version is chosen.
pub const LLVM_LEVEL: u8 = wavelens_syntax::llvm::NEWEST;

/// The LLVM versions that can be chosen.
pub const LLVM_VERSIONS: std::ops::RangeInclusive<u8> = 15..=LLVM_LEVEL;

impl Configuration {
    /// What a text is for, by what it says and what the user says.
    pub fn decide(dialect: Dialect, stated: &Stated, options: &Options) -> Configuration {
        let asked = || if options.is_chosen { Origin::Chosen } else { Origin::CommandLine };
        let run = stated.run(options);
        let of_run = |run: &Invocation| Origin::RunLine(run.number);
        let mut configuration = Configuration {
            dialect,
            triple: None,
            processor: None,
            features: Vec::new(),
            wave_size: None,
            code_object_version: None,
            environment: None,
            device_features: DeviceFeatures::named(&options.device_features),
            module_version: None,
            llvm_level: options
                .llvm_level
                .map_or(Known::default(LLVM_LEVEL), |level| Known::new(level, asked())),
            run: run.cloned(),
            defines: options.defines.clone(),
        };
        match dialect {
            Dialect::Spirv => {
                configuration.decide_environment(stated, run, options, asked());
                // What kernels are compiled for.
                configuration.decide_processor(stated, None, options, asked());
            }
            Dialect::Llvm | Dialect::Mir | Dialect::Amdgpu => {
                configuration.decide_triple(stated, run, options, asked());
                configuration.decide_processor(stated, run, options, asked());
                let version = run.and_then(|r| Some(Known::new(r.code_object_version?, of_run(r))));
                configuration.code_object_version = version;
                let defines = run.map_or(&[][..], |r| &r.defines).iter();
                let defines = defines.filter(|(name, _)| !options.defines.iter().any(|(n, _)| n == name));
                configuration.defines.extend(defines.map(|(n, v)| (n.to_string(), v.to_string())));
            }
        }
        configuration
    }

    fn decide_environment(
        &mut self,
        stated: &Stated,
        run: Option<&Invocation>,
        options: &Options,
        asked: Origin,
    ) {
        let named = |name: &Option<String>| name.as_deref().and_then(Env::from_name);
        let fallback = options.fallback.target_env.as_ref();
        // The assembler writes the version that it is asked for, whatever a comment says.
        let of_run = run.filter(|_| options.target_env.is_none()).and_then(|run| {
            let environment = Env::from_name(run.environment.as_deref()?)?;
            Some(Known::new(environment, Origin::RunLine(run.number)))
        });
        let environment = named(&options.target_env)
            .map(|env| Known::new(env, asked))
            .or_else(|| Some(Known::new(stated.environment?, Origin::File("; target-env:"))))
            .or_else(|| of_run.clone())
            .or_else(|| fallback.and_then(|k| Some(Known::new(Env::from_name(&k.value)?, k.origin.clone()))))
            .or_else(|| Some(Known::new(stated.version?, Origin::File("; Version:"))))
            .unwrap_or(Known::default(Env::Universal16));
        let version = match (of_run, stated.version) {
            (Some(run), _) => Known::new(run.value.version(), run.origin),
            (None, Some(version)) => Known::new(version.version(), Origin::File("; Version:")),
            (None, None) => Known::new(environment.value.version(), environment.origin.clone()),
        };
        self.module_version = Some(version);
        self.environment = Some(environment);
    }

    fn decide_triple(&mut self, stated: &Stated, run: Option<&Invocation>, options: &Options, asked: Origin) {
        let of_run = run.and_then(|r| Some(Known::new(r.triple.clone()?, Origin::RunLine(r.number))));
        let of_file = || {
            let triple = stated.triple.clone().map(|t| Known::new(t, Origin::File("target triple")));
            let id = stated.target_id.as_deref().and_then(|id| split_target_id(id).0);
            let id = id.map(|triple| Known::new(triple.into(), Origin::File(".amdgcn_target")));
            triple.or(id)
        };
        let default = || {
            let origin = match self.dialect {
                Dialect::Mir | Dialect::Amdgpu => Origin::Default,
                // Who asks for a processor has the module compiled for it. An editor's setting is meant for other files too.
                Dialect::Llvm | Dialect::Spirv => {
                    let of_project = || Some(options.fallback.target.as_ref()?.origin.clone());
                    let asked = options.target.as_ref().map(|_| asked.clone());
                    asked.or_else(of_project).filter(|origin| *origin != Origin::Setting)?
                }
            };
            Some(Known::new(SmolStr::new_static(AMDGPU_TRIPLE), origin))
        };
        let of_user =
            options.triple.as_deref().map(|triple| Known::new(SmolStr::from(triple), asked.clone()));
        self.triple = of_user.or(of_run).or_else(of_file).or_else(default);
    }

    fn decide_processor(
        &mut self,
        stated: &Stated,
        run: Option<&Invocation>,
        options: &Options,
        asked: Origin,
    ) {
        // Processor and features of a RUN line are those of its own machine.
        let architecture = self.triple.as_ref().and_then(|triple| triple.value.split('-').next());
        let is_same = |run: &&Invocation| {
            options.triple.is_none() || run.architecture().is_none_or(|own| Some(own) == architecture)
        };
        let run = run.filter(is_same);
        // A target id has its features with it; those of a RUN line go with its own processor.
        let mut take = |target_id: &str, origin: Origin| {
            self.processor = Some(Known::new(processor_name(target_id).into(), origin.clone()));
            let features = id_features(target_id).map(|f| Known::new(f, origin.clone()));
            self.features.extend(features);
        };
        let of_run = |run: &&Invocation| run.own_processor().is_some() || self.dialect == Dialect::Amdgpu;
        let fallback = options.fallback.target.as_ref();
        let of_triple =
            self.triple.as_ref().and_then(|t| Some((processor_of_triple(&t.value)?, t.origin.clone())));
        let is_amdgpu = self.triple.as_ref().is_none_or(|t| is_amdgpu(&t.value));
        let is_possible = |target: &&String| is_amdgpu || Target::of_id(target).is_none();
        if let Some(target) = options.target.as_ref().filter(is_possible) {
            take(target, asked.clone());
        } else if let Some(run) = run.filter(of_run) {
            let origin = Origin::RunLine(run.number);
            self.processor = run.own_processor().map(|p| Known::new(p.into(), origin.clone()));
            self.features.extend(run.features.iter().map(|f| Known::new(f.clone(), origin.clone())));
        } else if let Some(id) = &stated.target_id {
            take(id, Origin::File(".amdgcn_target"));
        } else if let Some(id) = &stated.listed {
            take(id, Origin::File("asic"));
        } else if let Some((name, origin)) = of_triple {
            self.processor = Some(Known::new(name.into(), origin));
            let features = run.into_iter().flat_map(|run| run.features.iter().map(|f| (run.number, f)));
            self.features.extend(features.map(|(run, f)| Known::new(f.clone(), Origin::RunLine(run))));
        } else if let Some(id) = stated.reproduced.as_ref().filter(|_| is_amdgpu) {
            take(id, Origin::File("-mcpu"));
        } else if let Some(known) = fallback.filter(|_| is_amdgpu) {
            take(&known.value, known.origin.clone());
        } else if let Some(run) = run {
            let origin = Origin::RunLine(run.number);
            self.features.extend(run.features.iter().map(|f| Known::new(f.clone(), origin.clone())));
        }
        let of_user = options.features.iter().map(|f| Known::new(SmolStr::from(f.as_str()), asked.clone()));
        self.features.extend(of_user);
        let last = self.features.last().map(|f| f.origin.clone());
        let size = wave_size(self.features.iter().map(|f| f.value.as_str()));
        self.wave_size = size.zip(last).map(|(size, origin)| Known::new(size, origin)).or_else(|| {
            let target = self.target()?;
            Some(Known::default(target.wave_size()))
        });
    }

    /// Whether the processor is what the user asked for in place of what the file says.
    pub fn is_asked(&self) -> bool {
        self.processor.as_ref().is_some_and(|p| matches!(p.origin, Origin::CommandLine | Origin::Chosen))
    }

    /// The AMDGPU processor with its wave size; `None` if nothing names a known one.
    pub fn target(&self) -> Option<Target> {
        let name = match &self.processor {
            Some(processor) => processor.value.as_str(),
            // The assembler's own default.
            None if self.dialect == Dialect::Amdgpu && self.run.is_some() => ASSEMBLER_TARGET,
            None => return None,
        };
        let name = if self.ignored_processor().is_some() { ASSEMBLER_TARGET } else { name };
        let level = match self.llvm_level.origin {
            Origin::Default if self.llvm_level.value >= wavelens_syntax::llvm::NEWER_SINCE => Level::Any,
            _ => Level::of(self.llvm_level.value.into()),
        };
        let target = Target::named(name)?.at_level(level);
        let wave = wave_size(self.features.iter().map(|f| f.value.as_str()));
        let sizes = [self.feature("wavefrontsize32"), self.feature("wavefrontsize64")];
        let is_own_off = self.dialect == Dialect::Amdgpu && sizes == [Some(false), Some(true)];
        let sized = wave.and_then(|w| match target.with_wave_size(w) {
            None if is_own_off => target.with_other_wave_size(w),
            sized => sized,
        });
        let target = sized.unwrap_or(target);
        let halves = self.feature(REGISTER_HALVES).and_then(|has| target.with_register_halves(has));
        Some(halves.unwrap_or(target))
    }

    fn switches_both_wave_sizes_on(&self) -> bool {
        let waves = ["+wavefrontsize32", "+wavefrontsize64"];
        waves.iter().all(|w| self.features.iter().any(|f| f.value == **w))
    }

    /// The processor with the other wave size where LLVM 24's assembler takes operands of both: where both are switched on, or one that
    /// the processor does not have.
    pub fn other_wave_size(&self) -> Option<Target> {
        let target =
            self.target().filter(|t| self.dialect == Dialect::Amdgpu && t.level() != Level::Llvm22)?;
        let other = match target.wave_size() {
            WaveSize::W32 => WaveSize::W64,
            WaveSize::W64 => WaveSize::W32,
        };
        match target.with_wave_size(other) {
            None => {
                let sizes = [self.feature("wavefrontsize32"), self.feature("wavefrontsize64")];
                target
                    .with_other_wave_size(other)
                    .filter(|_| sizes[0] != Some(false) && sizes[1] == Some(true))
            }
            both => both.filter(|_| self.switches_both_wave_sizes_on()),
        }
    }

    /// The processor of a RUN line that LLVM no longer knows: it assembles for its default. One that it never knew may be newer than
    /// the tables.
    pub fn ignored_processor(&self) -> Option<&str> {
        let name = self.run.as_ref().filter(|_| self.dialect == Dialect::Amdgpu)?.processor.as_deref()?;
        let is_own = self.processor.as_ref().is_some_and(|own| own.value == name);
        (is_own && removed::is_removed(name, self.llvm_level.value)).then_some(name)
    }

    /// What replaces the processor of a RUN line that LLVM no longer knows.
    pub fn successor(&self) -> Option<Target> {
        removed::successor(self.ignored_processor()?)
    }

    /// Features other than the wave size that differ from the processor's own and change its instructions: the tables do not have
    /// such a processor.
    pub fn other_features(&self) -> impl Iterator<Item = &str> {
        let target = self.target();
        let is_own = move |name: &str| target.is_some_and(|t| t.has_feature(name));
        let both = self.switches_both_wave_sizes_on() && self.other_wave_size().is_none();
        self.features.iter().map(|f| f.value.as_str()).filter(move |feature| {
            let (sign, name) = feature.split_at_checked(1).unwrap_or(("", feature));
            match name {
                "wavefrontsize32" | "wavefrontsize64" => both,
                "xnack" | "sramecc" | "cumode" | "tgsplit" => false,
                name => is_own(name) != (sign == "+"),
            }
        })
    }

    /// Whether a feature was switched on or off.
    pub fn feature(&self, name: &str) -> Option<bool> {
        let set = self.features.iter().rev().find(|f| f.value.get(1..) == Some(name))?;
        Some(set.value.starts_with('+'))
    }

    /// The operating system of the triple.
    pub fn os(&self) -> Os {
        self.triple.as_ref().map_or(Os::Amdhsa, |t| Os::of(&t.value))
    }

    /// As `.amdgcn_target` names it: triple, processor, and the features that are set.
    pub fn target_id(&self) -> String {
        let triple = self.triple.as_ref().map_or(AMDGPU_TRIPLE, |t| t.value.as_str());
        let mut parts = triple.split('-').map(|part| if part.is_empty() { "unknown" } else { part });
        let mut part = |default: &'static str| parts.next().unwrap_or(default).to_owned();
        let (arch, vendor, os) = (part("amdgcn"), part("unknown"), part("unknown"));
        let processor = self.target().map_or("", |t| t.name());
        let processor = match isa_version(processor) {
            Some((major, minor, stepping)) if major < 9 => format!("gfx{major}{minor}{stepping:x}"),
            _ => processor.to_owned(),
        };
        // LLVM 24 writes all four parts of a triple.
        let environment = if arch == "amdgcn" { "" } else { "unknown" };
        let mut id = format!("{arch}-{vendor}-{os}-{environment}-{processor}");
        for name in ["sramecc", "xnack"] {
            if let Some(is_on) = self.feature(name).filter(|_| self.os() == Os::Amdhsa) {
                id.push_str(&format!(":{name}{}", if is_on { '+' } else { '-' }));
            }
        }
        id
    }

    /// Whether a target id names the target. Before LLVM 24 it was compared as text; since then the first part of the triple may name
    /// the processor or its family, or neither, and a feature that nothing sets is free.
    pub fn is_target_id(&self, id: &str) -> bool {
        let expected = self.target_id();
        // Where nothing sets them, the features XNACK and SRAMECC are free.
        let is_free = !self.is_asked() && self.run.is_none();
        let plain = |id: &'_ str| id.split(':').next().unwrap_or_default().to_owned();
        if id == expected || is_free && plain(id) == plain(&expected) {
            return true;
        }
        let (Some(triple), named) = split_target_id(id) else { return false };
        let (own, processor) = split_target_id(&expected);
        let system = |triple: &str| -> Vec<String> {
            let parts = triple.split('-').skip(1).filter(|part| !part.is_empty() && *part != "unknown");
            parts.map(str::to_owned).collect()
        };
        let is_set_so = |feature: SmolStr| {
            feature
                .get(1..)
                .and_then(|name| self.feature(name))
                .is_none_or(|is_on| feature.starts_with('+') == is_on)
        };
        self.llvm_level.value >= SUBARCHITECTURES
            && id.len() > triple.len()
            && plain(named) == plain(processor)
            && own.map(system) == Some(system(triple))
            && agrees_with_triple(triple, &plain(named))
            && is_known_architecture(triple)
            && (is_free || id_features(named).all(is_set_so))
    }

    /// The processor of a function: the user's choice, else the function's own, else the file's.
    pub fn processor_of<'c>(&'c self, own: Option<&'c str>) -> Option<&'c str> {
        let file = self.processor.as_ref().map(|p| p.value.as_str());
        if self.is_asked() { file } else { own.or(file) }
    }

    /// The wave size of a function with these `target-features`. Those of the command line come last, so they win.
    pub fn wave_size_of(&self, own: &str) -> Option<WaveSize> {
        let own = own.split(',').map(str::trim).filter(|_| !self.is_asked());
        wave_size(own.chain(self.features.iter().map(|f| f.value.as_str())))
    }

    /// Target and wave size as in messages: `gfx1030`, `gfx1030 wave64`, or the triple when no processor is named.
    pub fn name(&self) -> SmolStr {
        let Some(processor) = &self.processor else {
            return self.triple.as_ref().map_or(SmolStr::default(), |t| t.value.clone());
        };
        let default = Target::named(&processor.value).map(Target::wave_size);
        match self.target().map(Target::wave_size).filter(|w| Some(*w) != default) {
            Some(WaveSize::W32) => format!("{} wave32", processor.value).into(),
            Some(WaveSize::W64) => format!("{} wave64", processor.value).into(),
            None => processor.value.clone(),
        }
    }

    /// One line for each value: its name, the value, its origin.
    pub fn rows(&self) -> Vec<(&'static str, String, String)> {
        let mut rows = vec![("dialect", self.dialect.to_string(), String::new())];
        macro_rules! row {
            ($name:literal, $known:expr) => {
                if let Some(known) = $known {
                    rows.push(($name, known.value.to_string(), known.origin.to_string()));
                }
            };
        }
        row!("triple", &self.triple);
        row!("processor", &self.processor);
        for feature in &self.features {
            row!("feature", Some(feature));
        }
        let lanes = |w: &Known<WaveSize>| {
            Known::new(if w.value == WaveSize::W32 { 32 } else { 64 }, w.origin.clone())
        };
        row!("wave size", self.wave_size.as_ref().map(lanes));
        row!("code object version", &self.code_object_version);
        row!("environment", self.environment.as_ref().map(|e| Known::new(e.value.name(), e.origin.clone())));
        let version = |v: &Known<u32>| {
            Known::new(format!("{}.{}", v.value >> 16, v.value >> 8 & 0xff), v.origin.clone())
        };
        if self.dialect == Dialect::Spirv {
            let features = self.device_features.iter();
            rows.extend(features.map(|f| ("device feature", f.name.to_owned(), String::new())));
        }
        row!("module version", self.module_version.as_ref().map(version));
        if self.dialect != Dialect::Spirv {
            row!("LLVM version", Some(&self.llvm_level));
        }
        for (name, value) in &self.defines {
            rows.push(("symbol", format!("{name} = {value}"), String::new()));
        }
        if let Some(run) = &self.run {
            let command = format!("{} {}", run.program, run.arguments.join(" "));
            rows.push(("command", command, Origin::RunLine(run.number).to_string()));
        }
        rows
    }
}

/// LLVM's name for halves of vector registers as operands.
const REGISTER_HALVES: &str = "real-true16";

/// The first version of LLVM whose triples name processors.
const SUBARCHITECTURES: u8 = 24;

/// Whether the first part of an AMDGPU triple is one that LLVM 24 takes in a target id.
fn is_known_architecture(triple: &str) -> bool {
    triple.starts_with("amdgcn-") || processor_of_triple(triple).is_some()
}

/// What LLVM's assembler assumes when it is given no processor.
pub const ASSEMBLER_TARGET: &str = "generic";

#[cfg(test)]
mod tests;
