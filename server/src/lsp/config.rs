//! Settings, from `initializationOptions` and from the client's configuration below `wavelens`.

use std::path::PathBuf;
use std::time::Duration;

use crate::compile::installed_level;
use serde_json::Value;
use wavelens_base::Options;
use wavelens_base::configuration::{Known, Origin};
use wavelens_check::project::{INSTALLED, level};
use wavelens_codegen::tools::has_llc;
use wavelens_ide::codegen::{Settings, is_harmless_pipeline};
use wavelens_ide::formatting::{SpirvLayout, Style};
use wavelens_syntax::spelling::closest;

/// What the user can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Quiet time after an edit before its findings are computed; zero is at once.
    pub diagnostics_debounce: Duration,
    pub options: Options,
    /// Folders in which included assembly is looked for, in the workspace.
    pub include_paths: Vec<PathBuf>,
    pub llvm: LlvmTools,
    pub hints: Hints,
    /// How many of them.
    pub hint_preset: HintPreset,
    /// Starts of paths in debug information, and what they are here.
    pub source_files: Vec<(String, String)>,
    /// Names of the source for mangled symbols in outlines, symbol search and findings.
    pub demangle: bool,
    /// Tables in hovers as aligned text instead of Markdown.
    pub text_tables: bool,
    /// A lens with the registers and the occupancy over each kernel.
    pub resource_lens: bool,
    /// Lenses over RUN lines.
    pub test_lens: bool,
    /// RUN lines are run, when the user asks for it.
    pub runs_tests: bool,
    /// Compile what is looked at without being asked, for hints and lenses.
    pub background: bool,
    /// How machine code is generated.
    pub isa: Settings,
    /// A pipeline that is not run: it may come from a workspace that nobody trusts.
    pub refused_passes: Option<String>,
    pub memory: MemoryLimits,
    /// Names of files that are not open are known too.
    pub index: bool,
    /// How text is formatted.
    pub style: Style,
}

/// Mebibytes of memory; `None`: as fits the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryLimits {
    /// From here on caches are dropped.
    pub soft: Option<u64>,
    /// From here on a document is closed.
    pub hard: Option<u64>,
}

/// Where outside compilers are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LlvmTools {
    /// A folder with `llc`, or `llc` itself.
    pub path: Option<PathBuf>,
    /// A source tree, for the scripts that update tests.
    pub source: Option<PathBuf>,
}

impl LlvmTools {
    /// The folder; the setting may name `llc` itself.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        let path = self.path.as_deref()?;
        Some(path.parent().filter(|_| path.is_file()).unwrap_or(path).to_owned())
    }

    /// What is wrong with the setting.
    pub(super) fn complaint(&self) -> Option<String> {
        let folder = self.folder().filter(|folder| !has_llc(folder))?;
        Some(format!(
            "`llvm.path`: no `llc` in `{}`; nothing is compiled until the setting is right",
            folder.display()
        ))
    }
}

/// Which inlay hints are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// Types, and the numbers of what is numbered without being written.
    pub types: bool,
    pub parameters: bool,
    /// Values of constants, names of numbered ids, fields of waits.
    pub values: bool,
    /// Source lines from debug information.
    pub places: bool,
    /// Names of the source next to mangled symbols.
    pub demangled: bool,
    /// The field or element that an address selects.
    pub accesses: bool,
    /// How often something is executed.
    pub profile: bool,
    /// Values that an integer can have.
    pub ranges: bool,
    /// Types of accesses, for alias analysis.
    pub access_types: bool,
    /// Hints for loop transformations.
    pub loop_hints: bool,
    /// Predecessors of blocks, and their places in loops.
    pub blocks: bool,
    /// Decorations of ids in SPIR-V.
    pub decorations: bool,
    /// Live registers of kernels in assembly.
    pub live_registers: bool,
    /// Live registers of each line of assembly.
    pub live_counts: bool,
    /// Bytes of instructions in assembly.
    pub encoding: bool,
    /// How far branches in assembly go.
    pub branch_distance: bool,
    /// Machine instructions that a line compiled to.
    pub isa: bool,
    /// Registers that are live at a line's machine instructions.
    pub pressure: bool,
    /// The line of a kernel where most vector registers are live.
    pub peak: bool,
    /// What passes could not do with a line.
    pub remarks: bool,
}

/// How many of the hints that are switched on are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HintPreset {
    Off,
    /// At most one at the end of a line, and none that repeats the text.
    #[default]
    Calm,
    All,
}

impl HintPreset {
    fn from_name(name: &str) -> Option<HintPreset> {
        [("off", HintPreset::Off), ("calm", HintPreset::Calm), ("all", HintPreset::All)]
            .into_iter()
            .find_map(|(own, preset)| (own == name).then_some(preset))
    }
}

impl Hints {
    const ALL: Hints = Hints {
        types: true,
        parameters: true,
        values: true,
        places: true,
        demangled: true,
        accesses: true,
        profile: true,
        ranges: true,
        access_types: true,
        loop_hints: true,
        blocks: true,
        decorations: true,
        live_registers: true,
        live_counts: true,
        encoding: true,
        branch_distance: true,
        isa: true,
        pressure: true,
        peak: true,
        remarks: true,
    };
    const NONE: Hints = Hints {
        types: false,
        parameters: false,
        values: false,
        places: false,
        demangled: false,
        accesses: false,
        profile: false,
        ranges: false,
        access_types: false,
        loop_hints: false,
        blocks: false,
        decorations: false,
        live_registers: false,
        live_counts: false,
        encoding: false,
        branch_distance: false,
        isa: false,
        pressure: false,
        peak: false,
        remarks: false,
    };

    /// Whether a compiler has to run for them.
    pub(super) fn need_costs(self) -> bool {
        self.isa || self.pressure || self.peak || self.remarks
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            diagnostics_debounce: Duration::from_millis(40),
            options: Options::default(),
            include_paths: Vec::new(),
            llvm: LlvmTools::default(),
            hints: Hints {
                access_types: false,
                decorations: false,
                pressure: false,
                live_counts: false,
                encoding: false,
                remarks: false,
                ..Hints::ALL
            },
            hint_preset: HintPreset::default(),
            source_files: Vec::new(),
            demangle: true,
            text_tables: false,
            resource_lens: true,
            test_lens: true,
            runs_tests: true,
            background: true,
            isa: Settings::default(),
            refused_passes: None,
            memory: MemoryLimits::default(),
            index: true,
            style: Style::default(),
        }
    }
}

/// A setting: its name below `wavelens`, what its value is, and how it is taken over. `None`: not such a value, which changes nothing.
type Setting = (&'static str, &'static str, fn(&mut Config, &Value) -> Option<()>);

/// The value of a setting that is on or off.
const SWITCH: &str = "`true` or `false`";

macro_rules! switch {
    ($name:literal, $($field:ident).+) => {
        ($name, SWITCH, |c, v| {
            c.$($field).+ = v.as_bool()?;
            Some(())
        })
    };
}

/// Every setting. Editors' lists of settings are tested against this one.
pub const SETTINGS: &[Setting] = &[
    ("diagnosticsDebounceMs", "a number of milliseconds", |c, v| {
        c.diagnostics_debounce = Duration::from_millis(v.as_u64()?.min(10_000));
        Some(())
    }),
    ("target", "a processor, such as `\"gfx1100\"`", |c, v| set_known(&mut c.options.fallback.target, v)),
    ("targetEnv", "an environment, such as `\"vulkan1.3\"`", |c, v| {
        set_known(&mut c.options.fallback.target_env, v)
    }),
    ("deviceFeatures", "a list of features, such as `[\"scalar-block-layout\"]`", |c, v| {
        c.options.device_features =
            v.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Some(())
    }),
    ("defines", "an object of symbols and values", |c, v| {
        let spelled = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        c.options.defines = v.as_object()?.iter().map(|(k, v)| (k.clone(), spelled(v))).collect();
        Some(())
    }),
    ("includePaths", "a list of folders", |c, v| {
        c.include_paths = v.as_array()?.iter().filter_map(Value::as_str).map(PathBuf::from).collect();
        Some(())
    }),
    ("allow", "a list of codes", |c, v| {
        c.options.disabled = v.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Some(())
    }),
    ("severity", "an object of codes and levels: error, warning, info, hint or off", |c, v| {
        let levels = v.as_object()?.iter().map(|(code, word)| Some((code.clone(), level(word.as_str()?)?)));
        c.options.severities.clear();
        for (code, severity) in levels.collect::<Option<Vec<_>>>()? {
            match severity {
                Some(severity) => c.options.severities.push((code, severity)),
                None => c.options.disabled.push(code),
            }
        }
        Some(())
    }),
    switch!("pedantic", options.pedantic),
    ("llvm.path", "a folder", |c, v| {
        c.llvm.path = Some(PathBuf::from(v.as_str()?.trim())).filter(|p| !p.as_os_str().is_empty());
        Some(())
    }),
    ("llvm.source", "a folder", |c, v| {
        c.llvm.source = Some(PathBuf::from(v.as_str()?.trim())).filter(|p| !p.as_os_str().is_empty());
        Some(())
    }),
    ("llvm.level", "a version number, such as `22`, or `\"installed\"`", |c, v| {
        c.options.llvm_level = match v.as_str() {
            Some(INSTALLED) => installed_level(c.llvm.path.as_deref()),
            _ => u8::try_from(v.as_u64()?).ok().filter(|l| *l > 0),
        };
        Some(())
    }),
    // `null`: what the file says, else the usual.
    ("isa.optLevel", "a number from 0 to 3", |c, v| {
        c.isa.opt_level = match v.as_u64() {
            Some(level) => Some(level.min(3) as u8),
            None if v.is_null() => None,
            None => return None,
        };
        Some(())
    }),
    ("isa.passes", "a pipeline, such as `\"default<O3>\"`", |c, v| {
        let passes: String = v.as_str()?.split_whitespace().collect();
        (c.isa.passes, c.refused_passes) = match is_harmless(&passes) {
            true => (passes, None),
            false => (String::new(), Some(passes)),
        };
        Some(())
    }),
    // `null`: as fits the machine.
    ("memory.softLimitMiB", "a number of MiB", |c, v| set_limit(&mut c.memory.soft, v)),
    ("memory.hardLimitMiB", "a number of MiB", |c, v| set_limit(&mut c.memory.hard, v)),
    switch!("isa.background", background),
    switch!("index", index),
    switch!("demangle", demangle),
    ("sourceFileMap", "an object of paths", |c, v| {
        let pair = |(from, to): (&String, &Value)| Some((from.clone(), to.as_str()?.to_owned()));
        c.source_files = v.as_object()?.iter().filter_map(pair).collect();
        // The longest start wins.
        c.source_files.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        Some(())
    }),
    ("hover.tables", "`\"auto\"`, `\"markdown\"` or `\"text\"`", |c, v| {
        match v.as_str()? {
            // What the client's name suggests.
            "auto" => {}
            "markdown" => c.text_tables = false,
            "text" => c.text_tables = true,
            _ => return None,
        }
        Some(())
    }),
    ("format.spirvLayout", "`\"aligned\"`, `\"nested\"` or `\"plain\"`", |c, v| {
        c.style.spirv = SpirvLayout::from_name(v.as_str()?)?;
        Some(())
    }),
    switch!("codeLens.resources", resource_lens),
    switch!("codeLens.tests", test_lens),
    switch!("lit.enabled", runs_tests),
    // All hints at once; the names below it choose among them.
    ("inlayHints", SWITCH, |c, v| {
        if !v.is_object() {
            c.hints = if v.as_bool()? { Config::default().hints } else { Hints::NONE };
        }
        Some(())
    }),
    ("inlayHints.preset", "`\"off\"`, `\"calm\"` or `\"all\"`", |c, v| {
        c.hint_preset = HintPreset::from_name(v.as_str()?)?;
        Some(())
    }),
    switch!("inlayHints.types", hints.types),
    switch!("inlayHints.parameters", hints.parameters),
    switch!("inlayHints.values", hints.values),
    switch!("inlayHints.places", hints.places),
    switch!("inlayHints.demangled", hints.demangled),
    switch!("inlayHints.accesses", hints.accesses),
    switch!("inlayHints.profile", hints.profile),
    switch!("inlayHints.ranges", hints.ranges),
    switch!("inlayHints.accessTypes", hints.access_types),
    switch!("inlayHints.loopHints", hints.loop_hints),
    switch!("inlayHints.blocks", hints.blocks),
    switch!("inlayHints.decorations", hints.decorations),
    switch!("inlayHints.liveRegisters", hints.live_registers),
    switch!("inlayHints.liveCounts", hints.live_counts),
    switch!("inlayHints.encoding", hints.encoding),
    switch!("inlayHints.branchDistance", hints.branch_distance),
    switch!("inlayHints.isa", hints.isa),
    switch!("inlayHints.pressure", hints.pressure),
    switch!("inlayHints.peak", hints.peak),
    switch!("inlayHints.remarks", hints.remarks),
];

/// Names that settings had before: what is written below one counts.
const OLD_NAMES: [(&str, &str); 2] = [("disabledRules", "allow"), ("llvm.version", "llvm.level")];

/// Settings that editors read themselves, and options of the protocol.
const OF_EDITORS: [&str; 8] = [
    "server.path",
    "trace.server",
    "isa.heat",
    "isa.columns",
    "isa.hideComments",
    "isa.scroll",
    "isa.hideDirectives",
    // `initializationOptions`: findings are pushed or pulled.
    "diagnostics",
];

/// Whether a pipeline holds only passes that a file may ask for too, in its RUN line.
fn is_harmless(passes: &str) -> bool {
    is_harmless_pipeline(passes)
}

fn set_limit(field: &mut Option<u64>, value: &Value) -> Option<()> {
    if !value.is_null() && !value.is_u64() {
        return None;
    }
    *field = value.as_u64();
    Some(())
}

/// A setting is for files that say nothing themselves.
fn set_known(field: &mut Option<Known<String>>, value: &Value) -> Option<()> {
    let text = Some(value.as_str()?.trim().to_owned()).filter(|t| !t.is_empty());
    *field = text.map(|text| Known::new(text, Origin::Setting));
    Some(())
}

impl Config {
    /// The hints that are shown.
    pub(super) fn shown_hints(&self) -> Hints {
        if self.hint_preset == HintPreset::Off { Hints::NONE } else { self.hints }
    }

    /// Takes over the settings that `value` names, nested (`{"isa": {"optLevel": 3}}`) or with dots; `null` changes nothing
    /// but what can be left to the file.
    pub fn merge(&mut self, value: &Value) {
        let value = own(value);
        for (name, _, set) in SETTINGS {
            if let Some(value) = named(value, name) {
                // `complaints` reports what is not taken over.
                let _ = set(self, value);
            }
        }
        for (old, new) in OLD_NAMES {
            let setting = SETTINGS.iter().find(|(name, ..)| *name == new);
            if let (Some((_, _, set)), Some(value)) = (setting, named(value, old)) {
                let _ = set(self, value);
            }
        }
    }
}

/// The settings of this server among those of others.
fn own(value: &Value) -> &Value {
    value.get("wavelens").filter(|v| v.is_object()).unwrap_or(value)
}

/// The value of a setting, written nested or with dots.
fn named<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    name.split('.').try_fold(value, |v, key| v.get(key)).or_else(|| value.get(name))
}

/// What is wrong with settings that the user wrote: a sentence for each.
pub(super) fn complaints(value: &Value) -> Vec<String> {
    let value = own(value);
    let mut found = Vec::new();
    for (name, expected, set) in SETTINGS {
        if let Some(value) = named(value, name).filter(|v| !v.is_null())
            && set(&mut Config::default(), value).is_none()
        {
            found.push(format!("setting `{name}`: expected {expected}, found `{value}`"));
        }
    }
    let mut unknown = Vec::new();
    unknown_names(value, "", &mut unknown);
    for name in unknown {
        let similar = closest(&name, SETTINGS.iter().map(|(known, ..)| *known));
        let hint = similar.map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
        found.push(format!("unknown setting `{name}`{hint}"));
    }
    found
}

/// Adds the names that are not settings of the server, nor of an editor.
fn unknown_names(value: &Value, above: &str, unknown: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let name = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        let known = || {
            SETTINGS.iter().map(|(known, ..)| *known).chain(OF_EDITORS).chain(OLD_NAMES.map(|(old, _)| old))
        };
        let is_group = known().any(|known| is_below(known, &name));
        if is_group && value.is_object() {
            unknown_names(value, &name, unknown);
        } else if !is_group && !known().any(|known| known == name) {
            unknown.push(name);
        }
    }
}

fn is_below(name: &str, group: &str) -> bool {
    name.strip_prefix(group).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests;
