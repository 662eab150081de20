//! Compiling a document with outside compilers and reading what they made: for the command line and for the server alike.

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use wavelens_base::configuration::{LLVM_LEVEL, Origin, run_lines};
use wavelens_base::finding::Finding;
use wavelens_base::parts::is_log;
use wavelens_base::{Dialect, LLVM_VERSIONS, Options, Severity};
use wavelens_check::check_text;
use wavelens_check::dialect::is_about_code_generation;
use wavelens_codegen::asm::{is_instruction, map_lines};
use wavelens_codegen::cache::Cache;
use wavelens_codegen::compare::{Comparison, Compiled, compare};
use wavelens_codegen::failed_run::FailedRun;
use wavelens_codegen::mc::Prepared;
use wavelens_codegen::passes::{PassChanges, PassFilter, changes_in_dump};
use wavelens_codegen::remarks::Remarks;
use wavelens_codegen::trace::History;
use wavelens_codegen::{
    Cancel, Compiler, Failure, Input, KernelResources, Limits, Message, NO_PASSES, Report, Request, Tool,
    Tools,
};
use wavelens_ide::codegen::{
    Detail, Plan, Settings, compile_options, complete, definition, function_at, has_passes, is_assembled,
    is_for_one_processor, named,
};
use wavelens_ide::trace::{Additions, TraceQuery, history, history_in_dump, prepare};

use crate::LineIndex;
use crate::clock::Instant;

/// Processors that are compared when none are named: one of each generation in use.
const COMPARED: &[&str] = &["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"];

/// What is compiled, and for what.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) dialect: Dialect,
    pub(crate) text: String,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
}

impl Job {
    /// What it is compiled for and how.
    pub(crate) fn plan(&self) -> Plan<'_> {
        Plan::of(self.dialect, &self.text, compile_options(self.dialect, &self.text, &self.options))
    }

    /// [`Job::plan`] for the LLVM that is there.
    pub(crate) fn plan_for(&self, compiler: &Compiler) -> Plan<'_> {
        self.plan().compiled_by(llvm_of(compiler, self.dialect).map(|llc| llc.major))
    }

    /// Adds an option of `llc`; those of the RUN line stay.
    pub(crate) fn add_flag(&mut self, flag: &str) {
        self.settings.flags.retain(|own| flag_name(own) != flag_name(flag));
        self.settings.flags.push(flag.to_owned());
    }
}

/// An option without its value.
fn flag_name(flag: &str) -> &str {
    flag.split('=').next().unwrap_or(flag)
}

/// The compilers of this machine; this program itself holds Vulkan drivers.
pub(crate) fn find_compiler(llvm: Option<&Path>, cache: Option<Cache>) -> Compiler {
    Compiler::find(llvm, std::env::current_exe().ok(), cache)
}

/// The machine code of a document, with encodings, live registers, resources, and cycles where they can be had.
pub(crate) fn machine_code(
    compiler: &Compiler,
    job: &Job,
    detail: Detail,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let mut whole = Report::default();
    let plan = job.plan_for(compiler);
    if let Some(report) = end_of_run(compiler, job, &plan, cancel)? {
        return Ok(report);
    }
    for_each_part(job, &plan, |job, plan| {
        let prepared = prepared_costs(compiler, plan, cancel);
        let mut report = without_cycles(compiler, job, plan, detail, cancel)?;
        compiler.add_costs(&mut report, prepared, &Limits::default(), cancel)?;
        whole.append(report);
        Ok(())
    })?;
    Ok(whole)
}

/// `llvm-mca`, started next to `llc` for the code that this will make.
fn prepared_costs(compiler: &Compiler, plan: &Plan<'_>, cancel: &Cancel) -> Option<Prepared> {
    let lanes = plan.expected_lanes()?;
    compiler.prepare_costs(&plan.code_target(), lanes, &Limits::default(), cancel)
}

/// Compiles a document as it is written: what fails so fails without this program.
///
/// # Errors
/// When the compiler is missing, fails or refuses the text.
pub(crate) fn compile_as_written(compiler: &Compiler, job: &Job, cancel: &Cancel) -> Result<(), Failure> {
    let plan = job.plan_for(compiler);
    let is_whole = plan.parts.len() < 2 || plan.is_compilation();
    if !has_passes(job.dialect) || !is_whole {
        return machine_code(compiler, job, Detail::Costs, cancel).map(drop);
    }
    if end_of_run(compiler, job, &plan, cancel)?.is_some() {
        return Ok(());
    }
    let request = plain_request(&plan, &job.settings).map_err(Failure::NotCompiled)?;
    compiler.compile(&request, &Limits::default(), cancel).map(drop)
}

/// What the RUN line's `llc` prints that ends before assembly; `None` where it does not.
fn end_of_run(
    compiler: &Compiler,
    job: &Job,
    plan: &Plan<'_>,
    cancel: &Cancel,
) -> Result<Option<Report>, Failure> {
    let Some((_, end)) = plan.run_end(&job.settings) else { return Ok(None) };
    let start = Instant::now();
    let Ok(mut request) = plain_request(plan, &job.settings) else { return Ok(None) };
    request.flags.push(end.flag());
    let made = compiler.run_pass(&request, &Limits::default(), cancel)?;
    Ok(Some(Report {
        target: request.target,
        isa: made.text,
        ends_at: Some(end.flag()),
        messages: made
            .missing_stop
            .map(|text| Message { line: None, is_error: false, text })
            .into_iter()
            .collect(),
        command: made.command,
        milliseconds: start.elapsed().as_millis() as u64,
        ..Report::default()
    }))
}

/// The request with the text as it is: nothing tells where the lines went.
fn plain_request(plan: &Plan<'_>, settings: &Settings) -> Result<Request, String> {
    let request = plan.request(settings)?;
    let is_changed =
        !settings.functions.is_empty() || !settings.attributes.is_empty() || plan.options.target.is_some();
    match has_passes(plan.dialect) && !is_changed {
        true => Ok(Request { input: Input::Text(plan.plain_text()?), ..request }),
        false => Ok(request),
    }
}

/// Compiles the job, or a part of it for each processor that functions of the module name.
fn for_each_part(
    job: &Job,
    plan: &Plan<'_>,
    mut compile: impl FnMut(&Job, &Plan<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // A RUN line compiles the module as a whole.
    if plan.parts.len() < 2 || plan.is_compilation() {
        return compile(job, plan);
    }
    let wanted = &job.settings.functions;
    for part in &plan.parts {
        let is_wanted = |name: &&String| wanted.is_empty() || wanted.contains(name);
        let functions: Vec<String> = part.functions.iter().filter(is_wanted).cloned().collect();
        if !functions.is_empty() {
            let mut job = job.clone();
            job.options.target = Some(part.processor.clone());
            job.settings.functions = functions;
            compile(&job, &job.plan().compiled_by(plan.llvm))?;
        }
    }
    Ok(())
}

/// What the kernels of a document take.
pub(crate) fn resources(
    compiler: &Compiler,
    job: &Job,
    cancel: &Cancel,
) -> Result<Vec<KernelResources>, Failure> {
    let mut job = job.clone();
    job.settings.no_experiments = true;
    let mut kernels = Vec::new();
    for_each_part(&job, &job.plan_for(compiler), |job, plan| {
        kernels.extend(whole_pipeline(compiler, job, plan, cancel)?.kernels);
        Ok(())
    })?;
    Ok(kernels)
}

/// What a document is compiled to for comparisons: machine code.
fn whole_pipeline(
    compiler: &Compiler,
    job: &Job,
    plan: &Plan<'_>,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    if let Some((number, end)) = plan.run_end(&job.settings) {
        let why = format!("RUN line {number} ends with `{}`, before there is machine code", end.flag());
        return Err(Failure::NotCompiled(why));
    }
    without_cycles(compiler, job, plan, Detail::Costs, cancel)
}

fn without_cycles(
    compiler: &Compiler,
    job: &Job,
    plan: &Plan<'_>,
    detail: Detail,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let request = plan.request(&job.settings).map_err(Failure::NotCompiled)?;
    let mut report =
        compiler.compile(&request, &Limits::default(), cancel).map_err(|failure| named(failure, &request))?;
    if has_passes(job.dialect) && report.foreign.is_empty() {
        report.target = plan.code_target();
    }
    let is_assembly = is_assembled(job.dialect);
    // What an installed LLVM made is read and encoded as by its own version.
    let mut options = plan.options.clone();
    if !is_assembly {
        options.llvm_level = options.llvm_level.or(compiler.tools.llc().map(level));
    }
    let unread = is_assembly.then(|| report.clone());
    let findings = complete(&mut report, &options, detail);
    if let Some(unread) = unread {
        for line in &mut report.lines {
            line.source = Some(line.line);
        }
        let omitted = omitted(&job.text, findings);
        if omitted.is_empty() {
            report.messages.extend(second_opinion(compiler, unread, &report, &options, cancel)?);
        }
        report.messages.extend(omitted);
    }
    Ok(report)
}

/// The language level of the installed LLVM: of the programs in a folder, else those of the system.
pub(crate) fn installed_level(folder: Option<&Path>) -> Option<u8> {
    Tools::find(folder).llc().map(level)
}

/// The language level of an installed program.
fn level(tool: &Tool) -> u8 {
    let (oldest, newest) = LLVM_VERSIONS.into_inner();
    u8::try_from(tool.major).unwrap_or(newest).clamp(oldest, newest)
}

/// What `llvm-mc` has against the encodings of assembly. An older version neither reads nor encodes all as the newest: it is asked about
/// what it knows, encoded as by its version.
fn second_opinion(
    compiler: &Compiler,
    unread: Report,
    report: &Report,
    options: &Options,
    cancel: &Cancel,
) -> Result<Vec<Message>, Failure> {
    let Some(level) = compiler.tools.llvm_mc().map(level) else { return Ok(Vec::new()) };
    let mut own = if options.llvm_level.unwrap_or(LLVM_LEVEL) <= level {
        Report { messages: Vec::new(), ..report.clone() }
    } else {
        let options = Options { llvm_level: Some(level), ..options.clone() };
        let mut own = unread;
        let findings = complete(&mut own, &options, Detail::Costs);
        if findings.iter().any(|f| f.severity == Severity::Error) {
            return Ok(Vec::new());
        }
        own
    };
    compiler.confirm(&mut own, &Limits::default(), cancel)?;
    Ok(own.messages)
}

/// The errors in assembly, whose lines make no code.
fn omitted(text: &str, findings: Vec<Finding>) -> Vec<Message> {
    let index = LineIndex::new(text);
    let errors = findings.into_iter().filter(|f| f.severity == Severity::Error);
    errors
        .map(|f| Message {
            line: Some(index.position(f.range.start()).0),
            is_error: true,
            text: format!("left out: {}", f.message),
        })
        .collect()
}

/// A compilation that fails, run again for a report.
pub(crate) fn failed_run(compiler: &Compiler, job: &Job) -> Result<FailedRun, Failure> {
    let plan = job.plan_for(compiler);
    let mut request = plan.request(&job.settings).map_err(Failure::NotCompiled)?;
    // The report's reader has the text as it is.
    let plain = plan.plain_text().map_err(Failure::NotCompiled)?;
    let injected = std::mem::replace(&mut request.input, Input::Text(plain));
    compiler.failed_run(&request, &Limits::default()).or_else(|_| {
        request.input = injected;
        compiler.failed_run(&request, &Limits::default())
    })
}

/// One processor of each generation, and the one that the file names: it may use instructions of that one alone.
fn compared(job: &Job) -> Vec<String> {
    let mut targets: Vec<String> = COMPARED.iter().map(|target| (*target).to_owned()).collect();
    let processor = job.plan().configuration.processor;
    let own = processor.filter(|own| own.origin != Origin::Default).map(|own| own.value.to_string());
    targets.extend(own.filter(|own| own.starts_with("gfx") && !COMPARED.contains(&own.as_str())));
    targets
}

/// What each kernel takes on several processors; without any named, on one of each generation. Without levels, at the job's own.
pub(crate) fn comparison(
    compiler: &Compiler,
    job: &Job,
    targets: &[String],
    levels: &[u8],
    cancel: &Cancel,
) -> Comparison {
    let targets = match targets {
        [] => compared(job),
        named => named.to_vec(),
    };
    let levels: Vec<Option<u8>> =
        if levels.is_empty() { vec![None] } else { levels.iter().copied().map(Some).collect() };
    let columns: Vec<(String, Option<u8>)> =
        targets.iter().flat_map(|target| levels.iter().map(|level| (target.clone(), *level))).collect();
    let fixed = is_for_one_processor(job.dialect);
    let results: Vec<Compiled> = columns
        .into_par_iter()
        .map(|(target, opt)| {
            let options = Options { target: Some(target.clone()), ..job.options.clone() };
            let mut job = Job { options, ..job.clone() };
            job.settings.opt_level = opt.or(job.settings.opt_level);
            job.settings.no_experiments = true;
            let result = match whole_pipeline(compiler, &job, &job.plan_for(compiler), cancel) {
                // Assembly and selected instructions are for the processor that they name.
                Ok(report) if fixed && report.target != target => {
                    Err(format!("the file is for {} alone", report.target))
                }
                other => other.map_err(|failure| first_cause(&failure, &job).unwrap_or(failure.sentence())),
            };
            Compiled { target, opt, result }
        })
        .collect();
    compare(&results)
}

/// What of a document code generation does not take, as far as the checker knows.
pub(crate) fn causes(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|f| f.severity == Severity::Warning && is_about_code_generation(f.rule))
}

/// The first of them, with its line, where the compiler says less: it names the last thing that it tried.
fn first_cause(failure: &Failure, job: &Job) -> Option<String> {
    if !matches!(failure, Failure::Rejected(_) | Failure::Crashed { .. }) {
        return None;
    }
    let found = check_text(job.dialect, &job.text, &job.options);
    let first = causes(&found).min_by_key(|finding| finding.range.start())?;
    let line = LineIndex::new(&job.text).position(first.range.start()).0 + 1;
    Some(format!("line {line}: {}", first.message))
}

/// Bytes of modules that passes are shown on as a whole.
const PRINTED_WHOLE: usize = 512 << 10;

/// What each pass changed.
pub(crate) fn pass_changes(
    compiler: &Compiler,
    job: &Job,
    filter: &PassFilter,
    cancel: &Cancel,
) -> PassChanges {
    if is_log(&job.text) {
        return changes_in_dump(&job.text, filter);
    }
    let problem = |problem: String| PassChanges { problem: Some(problem), ..PassChanges::default() };
    let mut settings = job.settings.clone();
    // Printing a large module after every pass takes too long; a small one is shown as it is compiled.
    if !filter.function.is_empty() && job.text.len() > PRINTED_WHOLE {
        settings.functions = vec![filter.function.clone()];
    }
    // Locations of the user's lines would fill the differences.
    let plan = job.plan_for(compiler);
    match plain_request(&plan, &settings) {
        Ok(mut request) => {
            if let Some((_, end)) = plan.run_end(&job.settings) {
                end.apply(&mut request.flags);
            }
            match compiler.pass_changes(&request, filter, &Limits::default(), cancel) {
                Ok(changes) => changes,
                Err(failure) => problem(failure.sentence()),
            }
        }
        Err(why) => problem(why),
    }
}

/// What passes report that they did, or could not do, by line.
///
/// # Errors
/// One sentence, when passes do not compile the file, or it does not compile.
pub(crate) fn remarks(compiler: &Compiler, job: &Job, cancel: &Cancel) -> Result<Remarks, String> {
    if !has_passes(job.dialect) {
        return Err(NO_PASSES.to_owned());
    }
    let plan = job.plan_for(compiler);
    let mut request = plan.request(&job.settings)?;
    let end = plan.run_end(&job.settings);
    request.flags.extend(end.map(|(_, end)| end.flag()));
    let found = compiler.remarks(&request, &Limits::default(), cancel);
    let mut found = found.map_err(|failure| named(failure, &request).sentence())?;
    found.remarks.sort_by_key(|r| (r.line.is_none(), r.line));
    Ok(found)
}

/// What compiles a job, with its version.
pub(crate) fn compiled_by(compiler: &Compiler, job: &Job) -> Option<String> {
    Some(format!("LLVM {}", llvm_of(compiler, job.dialect)?.version))
}

/// The LLVM that compiles a dialect. For the others none is searched.
pub(crate) fn llvm_of(compiler: &Compiler, dialect: Dialect) -> Option<&Tool> {
    if has_passes(dialect) { compiler.tools.llc() } else { None }
}

/// What each pass did to a value or a line.
pub(crate) fn trace(
    compiler: &Compiler,
    job: &Job,
    asked: &TraceQuery,
    cancel: &Cancel,
) -> Result<History, String> {
    let mut settings = job.settings.clone();
    let function = settings.functions.first().cloned();
    if is_log(&job.text) {
        return history_in_dump(&job.text, asked, function.as_deref());
    }
    if function.is_none() && job.text.len() > PRINTED_WHOLE {
        settings.functions = match asked {
            TraceQuery::Line(line) => function_at(job.dialect, &job.text, *line).into_iter().collect(),
            TraceQuery::Value(_) => Vec::new(),
        };
    }
    let plan = job.plan_for(compiler);
    let plain = plan.request(&settings)?;
    if let Some((number, end)) = plan.run_end(&settings) {
        return Err(format!(
            "RUN line {number} ends with `{}`; `wavelens passes` shows what it does",
            end.flag()
        ));
    }
    let limits = Limits::default();
    // Printing takes longer than compiling.
    let printing = Limits { time: limits.time * 4, ..limits };
    let mut expected: Option<Vec<String>> = None;
    let mut notes = Vec::new();
    for additions in [Additions::All, Additions::Locations] {
        let subject = prepare(job.dialect, &plain, asked, function.as_deref(), additions)?;
        let request = Request { input: Input::Text(subject.text.clone()), ..plain.clone() };
        let states = || compiler.pass_states(&request, &subject.function, &printing, cancel);
        let (printed, plain_code) = match &expected {
            Some(_) => (states(), None),
            None => rayon::join(states, || Some(compiler.compile(&plain, &limits, cancel))),
        };
        if let Some(compiled) = plain_code {
            expected = Some(code(&compiled.map_err(|failure| failure.sentence())?.isa));
        }
        let printed = match printed {
            Ok(printed) => printed,
            // An older compiler may not read what was added.
            Err(Failure::Rejected(_)) if additions == Additions::All => continue,
            Err(failure) => return Err(failure.sentence()),
        };
        let is_same =
            printed.problem.is_some() || expected.as_ref() == Some(&code(&map_lines(&printed.assembly).text));
        if !is_same && additions == Additions::All {
            continue;
        }
        if !is_same {
            notes.push(
                "debug locations change the generated code: this is the history of a different compilation"
                    .to_owned(),
            );
        }
        let mut history = history(&subject, &printed);
        history.notes.splice(0..0, notes);
        return Ok(history);
    }
    Err("the compiler refuses the text with debug locations".to_owned())
}

/// The instructions of an assembly, without comments.
fn code(isa: &str) -> Vec<String> {
    let lines = isa.lines().map(str::trim_start).filter(|l| is_instruction(l));
    lines.map(|l| l.split(';').next().unwrap_or(l).trim_end().to_owned()).collect()
}

/// The output of the compiler after a pass.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct MachineIr {
    pub(crate) text: String,
    pub(crate) command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// The Machine IR after a pass. Files that already are Machine IR go on from where they are.
pub(crate) fn run_to(compiler: &Compiler, job: &Job, pass: &str, cancel: &Cancel) -> MachineIr {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ',');
    let result = if pass.is_empty() || !pass.chars().all(plain) {
        Err(format!("unknown pass `{pass}`"))
    } else {
        // The text goes in as it is: what comes out is for the user to read and to go on with.
        plain_request(&job.plan_for(compiler), &job.settings).and_then(|r| {
            compiler.run_to(&r, pass, &Limits::default(), cancel).map_err(|failure| failure.sentence())
        })
    };
    match result {
        Ok(made) => MachineIr { text: made.text, command: made.command, problem: None },
        Err(problem) => MachineIr { problem: Some(problem), ..MachineIr::default() },
    }
}

/// The line, counted from 0, on which a function is defined.
fn line_of_function(job: &Job, function: &str) -> Option<u32> {
    let at = definition(job.dialect, &job.text, function)?;
    Some(LineIndex::new(&job.text).position(at).0)
}

/// What a failure says about the text, by line: the compiler's errors, or the function that it crashed at.
pub(crate) fn complaints(failure: &Failure, job: &Job) -> Vec<Message> {
    // What a compiler says about a test is for its RUN lines to say: `not llc`, options of another version, a part of the pipeline.
    if !run_lines(&job.text).is_empty() {
        return Vec::new();
    }
    match failure {
        Failure::Rejected(messages) => {
            let mut found: Vec<Message> = Vec::new();
            for m in messages {
                // `in `f`: ...`
                let function = m.text.strip_prefix("in `").and_then(|rest| rest.split('`').next());
                let line = m.line.or_else(|| line_of_function(job, function?));
                let text = format!("the compiler refuses this: {}", m.text);
                // Without a place one stands for all.
                let is_reported = |seen: &Message| seen.line == line && (line.is_none() || seen.text == text);
                if !found.iter().any(is_reported) {
                    found.push(Message { line, text, ..m.clone() });
                }
            }
            found
        }
        Failure::Crashed { function, line, .. } => {
            let line = line.or_else(|| line_of_function(job, function.as_ref()?));
            vec![Message { line, is_error: false, text: failure.sentence() }]
        }
        Failure::Refused(_) | Failure::TimedOut | Failure::TooMuchOutput => {
            vec![Message { line: None, is_error: false, text: failure.sentence() }]
        }
        Failure::NoTool(_) | Failure::NotCompiled(_) | Failure::Cancelled | Failure::NotStarted { .. } => {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints_of(failure: Failure) -> Vec<(Option<u32>, String)> {
        let text = "; a comment\ndefine void @f() {\n  ret void\n}\n".to_owned();
        let (options, settings) = (Options::default(), Settings::default());
        let job = Job { dialect: wavelens_base::Dialect::Llvm, text, options, settings };
        complaints(&failure, &job).into_iter().map(|m| (m.line, m.text)).collect()
    }

    #[test]
    fn what_only_a_compiler_can_tell_is_said_in_the_document() {
        let refused = complaints_of(Failure::Refused("no 64-bit atomics".to_owned()));
        assert_eq!(refused, [(None, "the driver refuses the module: no 64-bit atomics".to_owned())]);
        let crashed = Failure::Crashed {
            reason: "cannot select".to_owned(),
            function: Some("f".to_owned()),
            line: None,
        };
        assert_eq!(
            complaints_of(crashed),
            [(Some(1), "the compiler crashed in `f`: cannot select".to_owned())]
        );
        assert_eq!(complaints_of(Failure::NoTool("install LLVM".to_owned())), []);
        assert_eq!(complaints_of(Failure::NotCompiled("no kernel".to_owned())), []);
    }
}
