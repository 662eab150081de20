//! `wavelens report`: a text for the issue tracker about a file on which Wavelens and the reference tool disagree.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wavelens_base::{Dialect, Finding, Options, Severity};
use wavelens_check::check_text;
use wavelens_codegen::Cancel;
use wavelens_codegen::private::Temporary;
use wavelens_codegen::reference::{Reference, Verdict};
use wavelens_ide::codegen::reference;

use super::output::{note, print, save};
use super::reduce::progress;
use super::{Outcome, complain, shown, version};
use crate::LineIndex;
use crate::compile::Job;
use crate::reduce::{Bounds, shrink};
use crate::shown::fence;
use crate::source::read;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write the text here; default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// llvm, mir, spirv or amdgpu; without it, the file name decides, then the content.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// AMDGPU processor, for files that name none.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// SPIR-V environment, such as vulkan1.2.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Folder with LLVM's tools, searched first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
    /// End the reduction after so many seconds; 0: report the file as it is.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_limit: u64,
    /// The file; `-` is standard input.
    path: PathBuf,
}

/// What both sides say of a text.
struct Opinions {
    errors: Vec<Finding>,
    reference: Option<Verdict>,
}

impl Opinions {
    fn of(
        job: &Job,
        text: &str,
        reference: Option<&Reference>,
        folder: &Path,
        name: &str,
        cancel: &Cancel,
    ) -> Result<Self, String> {
        let mut errors = check_text(job.dialect, text, &job.options);
        errors.retain(|f| f.severity == Severity::Error || f.expected);
        let verdict = reference.map(|reference| reference.verdict(text, folder, name, cancel)).transpose()?;
        Ok(Opinions { errors, reference: verdict })
    }

    fn disagree(&self) -> bool {
        self.reference.as_ref().is_some_and(|verdict| verdict.accepts != self.errors.is_empty())
    }

    fn kind(&self) -> Option<&str> {
        self.reference.as_ref().map(|verdict| kind_of_error(&verdict.output))
    }

    /// Whether a smaller text shows the disagreement of `self`: no error of another code, or the same kind of error of the reference.
    fn is_kept_by(&self, other: &Opinions) -> bool {
        let codes = |opinions: &Opinions| opinions.errors.iter().map(|f| f.rule.code).collect::<Vec<_>>();
        let own = codes(self);
        other.disagree()
            && self.errors.is_empty() == other.errors.is_empty()
            && codes(other).iter().all(|code| own.contains(code))
            && (!self.errors.is_empty() || self.kind() == other.kind())
    }
}

/// The message of the first error.
fn first_error(output: &str) -> &str {
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let after = |line| str::split_once(line, "error: ").map(|(_, message)| message);
    lines().find_map(after).or_else(|| lines().nth(1)).or_else(|| lines().next()).unwrap_or("")
}

/// Its words up to the first name or number.
fn kind_of_error(output: &str) -> &str {
    let is_name = |c: char| c.is_ascii_digit() || "'\"`%@!$#<".contains(c);
    first_error(output).split(is_name).next().unwrap_or("").trim_end()
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let source = match read(&arguments.path, arguments.dialect) {
        Ok(source) => source,
        Err(message) => return complain(message),
    };
    let mut options = Options {
        target: arguments.mcpu.clone(),
        target_env: arguments.target_env.clone(),
        ..Options::default()
    };
    let options = super::known_values(&mut options)
        .and_then(|()| super::target::with_project(&options, &arguments.path));
    let options = match options {
        Ok(options) => options,
        Err(message) => return complain(message),
    };
    let job = Job { dialect: source.dialect, text: source.text, options, settings: Default::default() };
    let folder = match Temporary::new("report") {
        Ok(folder) => folder,
        Err(error) => return complain(error.to_string()),
    };
    let text = report(arguments, &job, folder.path());
    drop(folder);
    match (text, &arguments.output) {
        (Err(problem), _) => complain(format!("{}: {problem}", shown::path(&arguments.path))),
        // Both sides agree: there is nothing to report.
        (Ok(None), _) => Outcome::Clean,
        (Ok(Some(text)), None) => {
            print(&text);
            Outcome::ErrorsFound
        }
        (Ok(Some(text)), Some(output)) => save(output, text.as_bytes()).max(Outcome::ErrorsFound),
    }
}

/// The text, if there is a disagreement, or no reference tool to ask.
fn report(arguments: &Arguments, job: &Job, folder: &Path) -> Result<Option<String>, String> {
    let name = match arguments.path.file_name() {
        Some(name) if arguments.path != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "input".to_owned(),
    };
    let steps = reference(job.dialect, &job.text, &job.options);
    let found = match Reference::find(steps, arguments.llvm_path.as_deref()) {
        Ok(found) => Some(found),
        Err(missing) => {
            note(format!("`{missing}` was not found: the report has only what Wavelens reports"));
            None
        }
    };
    let cancel = Cancel::default();
    let opinions =
        |text: &str, cancel: &Cancel| Opinions::of(job, text, found.as_ref(), folder, &name, cancel);
    let whole = opinions(&job.text, &cancel)?;
    let mut text = job.text.clone();
    if whole.disagree() && arguments.time_limit > 0 {
        let bar = progress();
        let show = |message| bar.set_message(message);
        let limit = Some(arguments.time_limit);
        let bounds =
            Bounds { valid: None, has_target: true, limit, jobs: 2, cancel: &cancel, progress: &show };
        let test = |text: &str, cancel: &Cancel| Ok(whole.is_kept_by(&opinions(text, cancel)?));
        let reduced = shrink(job, bounds, &test, &mut |_| Ok(()));
        bar.finish_and_clear();
        text = reduced?.text;
    } else if found.is_some() && !whole.disagree() {
        let verdict = if whole.errors.is_empty() { "accept" } else { "reject" };
        note(format!("{name}: both sides {verdict} the file: there is nothing to report"));
        return Ok(None);
    }
    let last = opinions(&text, &cancel)?;
    let report = Report { job, name: &name, text: &text, opinions: &last, reference: found.as_ref() };
    Ok(Some(report.to_markdown()))
}

struct Report<'r> {
    job: &'r Job,
    name: &'r str,
    text: &'r str,
    opinions: &'r Opinions,
    reference: Option<&'r Reference>,
}

impl Report<'_> {
    fn title(&self) -> String {
        let code = self.opinions.errors.first().map_or("", |f| f.rule.code);
        match &self.opinions.reference {
            Some(v) if v.accepts && !code.is_empty() => {
                format!("False alarm: `{code}` in a file that {} accepts", v.program)
            }
            Some(v) if !v.accepts && code.is_empty() => {
                format!("Missed error: {} reports \"{}\"", v.program, first_error(&v.output))
            }
            _ if code.is_empty() => format!("Report about `{}`", self.name),
            _ => format!("Report about `{code}`"),
        }
    }

    fn to_markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.title());
        let mut versions = vec![format!("wavelens: {}", version::LONG.replace('\n', ", "))];
        versions.extend(self.reference.map(Reference::versions).unwrap_or_default());
        for version in versions {
            let _ = writeln!(out, "- {version}");
        }
        if self.text.len() < self.job.text.len() {
            let _ = writeln!(out, "- reduced from {} to {} bytes", self.job.text.len(), self.text.len());
        }
        let _ = write!(out, "\n`{}`:\n\n{}", self.name, fence(self.text));
        let mut command = format!("wavelens check {}", self.name);
        let named = [("--mcpu", &self.job.options.target), ("--target-env", &self.job.options.target_env)];
        for (option, value) in named {
            if let Some(value) = value {
                let _ = write!(command, " {option} {value}");
            }
        }
        let _ = write!(out, "\n`{command}`:\n\n{}", fence(&self.findings()));
        if let (Some(reference), Some(verdict)) = (self.reference, &self.opinions.reference) {
            let commands = reference.commands(self.name);
            let output = if verdict.accepts { "no errors" } else { verdict.output.trim_end() };
            let _ = write!(out, "\n`{}`:\n\n{}", commands.join(" && "), fence(output));
        }
        out
    }

    fn findings(&self) -> String {
        if self.opinions.errors.is_empty() {
            return "no errors".to_owned();
        }
        let index = LineIndex::new(self.text);
        let line = |f: &Finding| {
            let (line, column) = index.position(f.range.start());
            format!("{}:{}:{}: error[{}]: {}", self.name, line + 1, column + 1, f.rule.code, f.message)
        };
        self.opinions.errors.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_known_by_its_words() {
        let output = "llvm-as: a.ll:3:8: error: use of undefined value '%x'\n  ret i32 %x\n";
        assert_eq!(kind_of_error(output), "use of undefined value");
        let output = "llvm-as: assembly parsed, but does not verify as correct!\nCall parameter type does not match function signature!\n";
        assert_eq!(kind_of_error(output), "Call parameter type does not match function signature");
    }
}
