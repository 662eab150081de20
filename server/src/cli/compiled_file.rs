//! A file that a command compiles: arguments that `isa`, `compare` and `passes` share.

use std::path::PathBuf;

use wavelens_base::configuration::{Origin, Stated, run_lines};
use wavelens_base::finding::Finding;
use wavelens_base::parts::is_log;
use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;
use wavelens_codegen::{Compiler, NO_PASSES};
use wavelens_ide::codegen::{Attribute, DEFAULT_TARGET, Plan, Settings, has_passes, is_entry_point};
use wavelens_ide::db::{Database, View};
use wavelens_ide::{Document, features};

use super::cfg::{is_named, no_function};
use super::output::{is_verbose, say};
use super::{Format, Outcome, complain, shown};
use crate::LineIndex;
use crate::compile::{Job, causes, compiled_by, find_compiler, llvm_of};
use crate::source::{Source, read};

/// So many findings are shown next to what a compiler refuses.
const CAUSES: usize = 3;

/// What was compiled for what, and how: `target` is the processor that was used, if it is known, `foreign` the triple of other code.
pub(super) fn header(compiler: &Compiler, job: &Job, target: &str, foreign: &str, command: &str) -> String {
    if is_log(&job.text) {
        return "from the dump; nothing was compiled\n\n".to_owned();
    }
    let llvm = llvm_of(compiler, job.dialect).map(|llc| llc.major);
    let plan = Plan::of(job.dialect, &job.text, job.options.clone()).compiled_by(llvm);
    let named = plan.configuration.processor.as_ref().filter(|p| target.is_empty() || p.value == target);
    let own: Vec<&str> = plan.parts.iter().map(|part| &*part.processor).collect();
    let target = match (named, target) {
        (Some(named), _) if own.len() < 2 || named.origin != Origin::FunctionAttribute => {
            match named.origin {
                Origin::CompilerDefault => format!("{} (default)", named.value),
                _ => format!("{} ({})", named.value, named.origin),
            }
        }
        (_, "") if !own.is_empty() => format!("{} (function attribute)", own.join(", ")),
        (_, target) if !own.is_empty() => format!("{target} (function attribute)"),
        // RUN lines may leave the processor to the compiler.
        (_, target) if foreign.is_empty() && !target.is_empty() && has_passes(job.dialect) => {
            format!("{target} (default of the compiler)")
        }
        (_, target) if target == DEFAULT_TARGET => format!("{target} (default)"),
        (_, target) => target.to_owned(),
    };
    let triple = if foreign.is_empty() { String::new() } else { format!(" {foreign}") };
    let version = version(compiler, job);
    let note = match &plan.rewritten()[..] {
        [] => String::new(),
        words => format!("input: rewritten for older versions of LLVM: {}\n", words.join(", ")),
    };
    let command = if is_verbose() { format!("command: {command}\n") } else { String::new() };
    format!("target: {}\n{version}{note}{command}\n", format!("{target}{triple}").trim())
}

/// The line that names LLVM's version, where LLVM compiles.
pub(super) fn version(compiler: &Compiler, job: &Job) -> String {
    compiled_by(compiler, job).map(|name| format!("compiler: {name}\n")).unwrap_or_default()
}

/// How a command prints what one file was compiled to, and for which processor.
#[derive(Debug, clap::Args)]
pub(super) struct CodeArguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    pub(super) format: Format,
}

#[derive(Debug, Clone, clap::Args)]
pub(super) struct CompiledFile {
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Target triple; default: that of the file or its RUN line, else AMDGPU's.
    #[arg(long, value_name = "TRIPLE")]
    triple: Option<String>,
    /// AMDGPU processor; default: what the file names, else gfx1100.
    #[arg(long, value_name = "gfxNNN")]
    pub(super) mcpu: Option<String>,
    /// Features in addition, such as +wavefrontsize64.
    #[arg(long, value_name = "+FEATURE,...", value_delimiter = ',', allow_hyphen_values = true)]
    mattr: Vec<String>,
    /// The RUN line that says how to compile, by its number; default: the first that compiles for AMDGPU.
    #[arg(long, value_name = "N")]
    run_line: Option<u32>,
    /// Optimization level; default: that of the file's RUN line, else 2.
    #[arg(short = 'O', long, value_name = "0..3", value_parser = clap::value_parser!(u8).range(0..=3))]
    opt: Option<u8>,
    /// Passes that `opt` runs first, such as 'default<O2>'.
    #[arg(long, value_name = "PIPELINE", default_value = "", hide_default_value = true)]
    passes: String,
    /// Only these functions, with commas; sigils may be omitted.
    #[arg(long, alias = "only", value_name = "NAME,...", value_delimiter = ',')]
    pub(super) function: Vec<String>,
    /// Machine IR: start before this pass; default: what the properties of the functions imply.
    #[arg(long, value_name = "PASS")]
    start_before: Option<String>,
    /// Machine IR: start after this pass.
    #[arg(long, value_name = "PASS", conflicts_with = "start_before")]
    start_after: Option<String>,
    /// Select instructions with GlobalISel.
    #[arg(long)]
    global_isel: bool,
    /// LLVM IR: a function attribute in place of the file's own, as NAME=VALUE for all kernels or FUNCTION:NAME=VALUE.
    #[arg(long, value_name = "NAME=VALUE", value_parser = attribute)]
    attribute: Vec<Attribute>,
    /// An option of llc, such as -misched=gcn-iterative-minreg; those that start with -unroll- go to opt.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    llc_option: Vec<String>,
    /// SPIR-V environment, such as vulkan1.2.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Folder with LLVM's tools, searched first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
    /// The file; `-` is standard input.
    pub(super) path: PathBuf,
}

/// Reads `amdgpu-waves-per-eu=8` or `kernel:amdgpu-waves-per-eu=8`.
fn attribute(text: &str) -> Result<Attribute, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let (function, name) = name.rsplit_once(':').unwrap_or(("", name));
    if [function, name, value].iter().any(|part| part.contains(['"', '\n', '\\'])) {
        return Err("quotes and escapes cannot be part of it".to_owned());
    }
    Ok(Attribute {
        function: function.trim_start_matches('@').to_owned(),
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

/// Whether a text has a RUN line.
///
/// # Errors
/// One line that names those that it has.
pub(super) fn is_run_line(text: &str, number: u32) -> Result<(), String> {
    let all: Vec<u32> = run_lines(text).iter().map(|run| run.number).collect();
    match &all[..] {
        all if all.contains(&number) => Ok(()),
        [] => Err(format!("no RUN line {number}: the file has no RUN lines")),
        all => Err(format!("no RUN line {number}: the file has {}", listed(all))),
    }
}

fn listed(numbers: &[u32]) -> String {
    let list: Vec<String> = numbers.iter().map(u32::to_string).collect();
    format!("RUN line{} {}", if list.len() == 1 { "" } else { "s" }, list.join(", "))
}

/// Whether a file has the RUN line that is asked for, and that line names a target.
pub(super) fn has_run_line(source: &Source, number: u32) -> Result<(), String> {
    let runs = Stated::of(source.dialect, &source.text).runs;
    if runs.iter().any(|run| run.number == number) {
        return Ok(());
    }
    is_run_line(&source.text, number)?;
    let named: Vec<u32> = runs.iter().map(|run| run.number).collect();
    Err(match &named[..] {
        [] => format!("RUN line {number} names no target, nor does another one"),
        named => format!("RUN line {number} names no target; use {}", listed(named)),
    })
}

impl CompiledFile {
    /// Whether there are the functions that are asked for.
    fn all_named(&self, job: &Job) -> Result<(), String> {
        if self.function.is_empty() {
            return Ok(());
        }
        let mut db = Database::default();
        let document = Document::new(&mut db, job.dialect, &job.text, job.options.clone());
        let flows = features::flows(View::new(&db, document.file()));
        let is_entry = |name: &str| is_entry_point(job.dialect, &job.text, name);
        match self.function.iter().find(|name| !is_entry(name) && !flows.iter().any(|f| is_named(f, name))) {
            Some(name) => Err(no_function(name, &flows)),
            None => Ok(()),
        }
    }

    /// Says why the file was not compiled: its own first mistake if there is one, else what of it code generation does not take, and the
    /// problem.
    pub(super) fn complain(&self, job: &Job, problem: &str) -> Outcome {
        let mut findings = check_text(job.dialect, &job.text, &job.options);
        findings.sort_by_key(|f| f.range.start());
        let path = shown::path(&self.path);
        let index = LineIndex::new(&job.text);
        let show = |finding: &Finding| {
            let (line, column) = index.position(finding.range.start());
            let (line, column, message) = (line + 1, column + 1, &finding.message);
            say(format!("{path}:{line}:{column}: {message} [{}]", finding.rule.code));
        };
        let is_error = |f: &Finding| f.severity == Severity::Error;
        if !findings.iter().any(is_error) {
            causes(&findings).take(CAUSES).for_each(show);
            return complain(format!("{path}: {problem}"));
        }
        findings.retain(is_error);
        findings.iter().take(1).for_each(show);
        let errors = match findings.len() {
            1 => "an error".to_owned(),
            n => format!("{n} errors"),
        };
        complain(format!("{path}: not compiled: it has {errors}; see `wavelens check {path}`"))
    }

    /// Reads the file and searches the compilers. Only the functions asked for, and what they reach, are compiled.
    pub(super) fn open(&self) -> Result<(Compiler, Job), String> {
        self.open_with(self.function.clone())
    }

    /// The same options for another file.
    pub(super) fn with_path(&self, path: PathBuf) -> CompiledFile {
        CompiledFile { path, ..self.clone() }
    }

    /// [`CompiledFile::open`] with the whole file compiled.
    pub(super) fn open_whole(&self) -> Result<(Compiler, Job), String> {
        self.open_with(Vec::new())
    }

    /// What was opened, if passes of LLVM compile it.
    pub(super) fn with_passes(&self, opened: (Compiler, Job)) -> Result<(Compiler, Job), String> {
        match has_passes(opened.1.dialect) {
            true => Ok(opened),
            false => Err(format!("{}: {NO_PASSES}", shown::path(&self.path))),
        }
    }

    /// The command that prints the code of a function with some more options, as it could be typed.
    pub(super) fn command(&self, function: &str, more: &[String]) -> String {
        let options = [
            ("--dialect", self.dialect.map(|d| d.to_string())),
            ("--triple", self.triple.clone()),
            ("--mcpu", self.mcpu.clone()),
            ("--mattr", Some(self.mattr.join(",")).filter(|features| !features.is_empty())),
            ("--run-line", self.run_line.map(|number| number.to_string())),
            ("--opt", self.opt.map(|level| level.to_string())),
            ("--passes", Some(self.passes.clone()).filter(|p| !p.is_empty())),
            ("--start-before", self.start_before.clone()),
            ("--start-after", self.start_after.clone()),
            ("--llvm-path", self.llvm_path.as_ref().map(|p| p.display().to_string())),
            ("--function", Some(function.to_owned())),
        ];
        let attributes = self.attribute.iter().flat_map(|attribute| {
            let colon = if attribute.function.is_empty() { "" } else { ":" };
            let value = format!("{}{colon}{}={}", attribute.function, attribute.name, attribute.value);
            ["--attribute".to_owned(), value]
        });
        let llc_options = self.llc_option.iter().map(|flag| format!("--llc-option={flag}"));
        let global_isel = self.global_isel.then(|| "--global-isel".to_owned());
        let more: Vec<String> =
            attributes.chain(llc_options).chain(global_isel).chain(more.iter().cloned()).collect();
        shown::isa_command(&options, &more, &self.path)
    }

    fn open_with(&self, functions: Vec<String>) -> Result<(Compiler, Job), String> {
        let source = read(&self.path, self.dialect)?;
        let options = Options {
            triple: self.triple.clone(),
            target: self.mcpu.clone(),
            features: self.mattr.iter().map(|feature| feature.to_ascii_lowercase()).collect(),
            run: self.run_line,
            target_env: self.target_env.clone(),
            ..Options::default()
        };
        let mut options = super::target::with_project(&options, &self.path)?;
        super::known_values(&mut options)?;
        if let Some(number) = self.run_line {
            has_run_line(&source, number)
                .map_err(|message| format!("{}: {message}", shown::path(&self.path)))?;
        }
        if let Some(folder) = self.llvm_path.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(format!("{}: not a folder", folder.display()));
        }
        let start = [("before", &self.start_before), ("after", &self.start_after)];
        let start = start.iter().filter_map(|(side, pass)| Some(format!("-start-{side}={}", pass.as_ref()?)));
        let isel = self.global_isel.then(|| "-global-isel".to_owned());
        let flags: Vec<String> = start.chain(isel).chain(self.llc_option.iter().cloned()).collect();
        let attributes = self.attribute.clone();
        let settings = Settings {
            opt_level: self.opt,
            passes: self.passes.clone(),
            flags,
            functions,
            attributes,
            no_experiments: false,
        };
        let job = Job { dialect: source.dialect, text: source.text, options, settings };
        let named = if is_log(&job.text) { Ok(()) } else { self.all_named(&job) };
        named.map_err(|message| format!("{}: {message}", shown::path(&self.path)))?;
        Ok((find_compiler(self.llvm_path.as_deref(), None), job))
    }
}
