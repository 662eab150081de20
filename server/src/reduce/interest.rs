//! What makes a text interesting.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use wavelens_base::{Finding, Severity};
use wavelens_check::{check_text, dialect};
use wavelens_codegen::process::{self, Stopped};
use wavelens_codegen::{Cancel, Compiler, Failure, Limits, private};

use super::CRASH;
use crate::compile::{Job, compile_as_written};

/// What keeps a text interesting.
pub(crate) enum Interest<'c> {
    Finding {
        code: String,
        /// What findings of the code are about; `None` if one of them is about more than a word, which gets smaller.
        words: Option<HashSet<String>>,
        errors: HashSet<&'static str>,
    },
    /// The first words of what the compiler says when it fails on the whole file.
    Crash { compiler: &'c Compiler, words: String },
    /// A command exits with 0.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "given on the command line"))]
    Command {
        words: Vec<String>,
        /// Where each test has a folder of its own, and what the text's file is called there.
        folder: PathBuf,
        name: OsString,
        wants_symbols: bool,
    },
}

impl<'c> Interest<'c> {
    /// What has a finding of a code about the same word and no errors of other codes than before, or crashes the compiler.
    ///
    /// # Errors
    /// One sentence if no rule has the code.
    pub(crate) fn of(condition: &str, compiler: &'c Compiler, job: &Job) -> Result<Self, String> {
        match condition {
            CRASH => Ok(Interest::Crash { compiler, words: String::new() }),
            code if dialect::rule(code).is_none() => {
                Err(format!("unknown code `{code}`; `wavelens explain` lists all codes"))
            }
            code => {
                let findings = check_text(job.dialect, &job.text, &job.options);
                let errors = findings.iter().filter(|f| f.severity == Severity::Error);
                let errors = errors.map(|f| f.rule.code).collect();
                let word = |f| Some(subject(&job.text, f)).filter(|s| !s.contains(char::is_whitespace));
                let own = findings.iter().filter(|f| f.rule.code == code);
                let words = own.map(|f| word(f).map(str::to_owned)).collect();
                Ok(Interest::Finding { code: code.to_owned(), words, errors })
            }
        }
    }

    /// Why a text is not interesting.
    pub(super) fn absence(&self) -> String {
        match self {
            Interest::Finding { code, .. } => format!("no finding of `{code}`"),
            Interest::Crash { .. } => "the compiler does not fail".to_owned(),
            Interest::Command { words, .. } => {
                format!("`{}` does not exit with 0", words.first().map_or("", String::as_str))
            }
        }
    }

    /// Whether the whole file is interesting. What is learned from it holds for the smaller texts.
    pub(super) fn begins(&mut self, job: &Job, cancel: &Cancel) -> Result<bool, String> {
        if let Interest::Crash { compiler, words } = self {
            let reason = crash(compiler, job, &job.text, cancel)?;
            *words = reason.as_deref().map(kind_of_crash).unwrap_or_default();
            let Some(reason) = reason else { return Ok(false) };
            // A wrong option fails on any text.
            let runs: String = job.text.split_inclusive('\n').filter(|line| line.contains("RUN:")).collect();
            return match crash(compiler, job, &runs, cancel)?.is_some_and(|of_none| of_none == reason) {
                true => Err(reason),
                false => Ok(true),
            };
        }
        if self.holds(job, &job.text, cancel)? {
            return Ok(true);
        }
        match self {
            Interest::Command { wants_symbols, .. } => *wants_symbols = true,
            _ => return Ok(false),
        }
        self.holds(job, &job.text, cancel)
    }

    pub(super) fn holds(&self, job: &Job, text: &str, cancel: &Cancel) -> Result<bool, String> {
        match self {
            Interest::Finding { code, words, errors } => {
                let findings = check_text(job.dialect, text, &job.options);
                let is_new = |f: &Finding| f.severity == Severity::Error && !errors.contains(f.rule.code);
                let is_same =
                    |f: &Finding| words.as_ref().is_none_or(|words| words.contains(subject(text, f)));
                let is_kept = |f: &Finding| f.rule.code == *code && is_same(f);
                Ok(findings.iter().any(is_kept) && !findings.iter().any(is_new))
            }
            Interest::Crash { compiler, words } => {
                let reason = crash(compiler, job, text, cancel)?;
                Ok(reason.is_some_and(|reason| kind_of_crash(&reason) == *words))
            }
            Interest::Command { words, folder, name, wants_symbols } => {
                let at = |problem| format!("{}: {problem}", folder.display());
                let own = private::new_folder(folder, "").map_err(at)?;
                let succeeds = command_succeeds(words, &own.join(name), text, *wants_symbols, cancel);
                // What is left there is temporary.
                let _ = std::fs::remove_dir_all(&own);
                succeeds
            }
        }
    }
}

/// What a finding is about.
fn subject<'t>(text: &'t str, finding: &Finding) -> &'t str {
    text.get(std::ops::Range::<usize>::from(finding.range)).unwrap_or("")
}

/// What stays the same of a message when the text gets smaller: no addresses, no numbers of nodes (`t12:`), no registers or values
/// (`%1:vgpr(s32)`), nothing after the first `<`, neither the function nor the instruction that a verifier names.
fn kind_of_crash(reason: &str) -> String {
    let is_value = |text: &str| text.starts_with('%') && !text.starts_with("%llvm.");
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) || is_value(text);
    let reason = reason.split(" (in function: ").next().unwrap_or(reason);
    let reason = reason.split(" at `").next().unwrap_or(reason);
    let words = reason.split('<').next().unwrap_or(reason).split_whitespace();
    words.filter(|word| !is_number(word.trim_start_matches('t'))).collect::<Vec<_>>().join(" ")
}

/// What the compiler says when it crashes on a text, or refuses it.
fn crash(compiler: &Compiler, job: &Job, text: &str, cancel: &Cancel) -> Result<Option<String>, String> {
    let job = Job { text: text.to_owned(), ..job.clone() };
    match compile_as_written(compiler, &job, cancel) {
        Err(Failure::Crashed { reason, .. }) => Ok(Some(reason)),
        Err(Failure::Rejected(messages)) => Ok(messages.into_iter().next().map(|message| message.text)),
        Err(Failure::NoTool(problem)) => Err(problem),
        _ => Ok(None),
    }
}

fn command_succeeds(
    words: &[String],
    file: &Path,
    text: &str,
    wants_symbols: bool,
    cancel: &Cancel,
) -> Result<bool, String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    let Some((program, rest)) = words.split_first() else { return Ok(false) };
    let mut command = Command::new(program);
    let mut is_named = false;
    for word in rest {
        is_named |= word.contains("{}");
        command.arg(word.replace("{}", &file.to_string_lossy()));
    }
    if !is_named {
        command.arg(file);
    }
    if !wants_symbols {
        process::without_symbols(&mut command);
    }
    match process::run(&mut command, b"", &Limits::default(), cancel) {
        Ok(output) => Ok(output.status.success()),
        Err(Stopped::NotStarted(problem)) => Err(format!("{program}: {problem}")),
        Err(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_known_by_its_words() {
        let kind = |reason| kind_of_crash(reason);
        assert_eq!(
            kind("LLVM ERROR: Cannot select: 0x5651: ch = store<(store (s32) into `ptr poison`)> 0x56, 0x57"),
            "LLVM ERROR: Cannot select: ch = store"
        );
        assert_eq!(
            kind("LLVM ERROR: Cannot select: t12: i32 = add t3, t4"),
            "LLVM ERROR: Cannot select: i32 = add"
        );
        let verifier = |at: &str| kind_of_crash(&format!("Bad machine code: Illegal register at `{at}`"));
        assert_eq!(verifier("S_NOP 0"), verifier("S_ENDPGM 0"));
        let selected =
            |register| kind_of_crash(&format!("cannot select: {register} = G_FADD (in function: f)"));
        assert_eq!(selected("%1:vgpr(s32)"), selected("%7:vgpr(s32)"));
        let intrinsic = "LLVM ERROR: Cannot select: intrinsic %llvm.amdgcn.sdot4";
        assert_eq!(kind(intrinsic), intrinsic);
    }
}
