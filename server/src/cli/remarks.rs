//! `wavelens remarks`: what the passes of `opt` and `llc` report that they did, or could not do.

use std::io::IsTerminal;

use clap::ValueEnum;
use wavelens_codegen::Cancel;
use wavelens_codegen::remarks::{Remark, RemarkKind, Remarks};

use super::compiled_file::{CodeArguments, CompiledFile, header};
use super::output::{bold, is_colored, wrapped_after};
use super::{Format, Outcome, complain, print, shown};
use crate::compile::remarks;
use crate::tables;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    code: CodeArguments,
    /// Only passes with this in their name, such as loop-vectorize.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pass: String,
    /// Only these kinds, with commas.
    #[arg(long, value_enum, value_name = "KIND,...", value_delimiter = ',')]
    kind: Vec<Kind>,
    #[command(flatten)]
    input: CompiledFile,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Passed,
    Missed,
    Analysis,
    Failure,
}

impl From<Kind> for RemarkKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Passed => RemarkKind::Passed,
            Kind::Missed => RemarkKind::Missed,
            Kind::Analysis => RemarkKind::Analysis,
            Kind::Failure => RemarkKind::Failure,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let input = &arguments.input;
    let (compiler, job) = match input.open().and_then(|o| input.with_passes(o)) {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let path = shown::path(&input.path);
    let mut found = match remarks(&compiler, &job, &Cancel::default()) {
        Ok(found) => found,
        Err(problem) => return arguments.input.complain(&job, &problem),
    };
    let kinds: Vec<RemarkKind> = arguments.kind.iter().map(|k| (*k).into()).collect();
    let is_wanted =
        |r: &Remark| r.pass.contains(&arguments.pass) && (kinds.is_empty() || kinds.contains(&r.kind));
    found.remarks.retain(is_wanted);
    print(&match arguments.code.format {
        Format::Json => json(found),
        Format::Human => {
            header(&compiler, &job, "", "", &found.commands.join("; "))
                + &shown_remarks(&tables::remarks(&found, &path.to_string()))
        }
    });
    Outcome::Clean
}

/// Remarks as people read them: on a terminal in lines of 80 columns, and their kinds in colors.
fn shown_remarks(text: &str) -> String {
    let is_colored = is_colored(&std::io::stdout());
    let fold = |line: &str| {
        if std::io::stdout().is_terminal() { wrapped_after(4, line) } else { format!("{line}\n") }
    };
    text.lines().map(|line| if is_colored { colored(&fold(line)) } else { fold(line) }).collect()
}

fn colored(remark: &str) -> String {
    for (kind, color) in [("passed", 32), ("missed", 33), ("analysis", 36), ("failure", 31)] {
        let word = format!(": {kind}: ");
        if let Some((place, message)) = remark.split_once(&word) {
            return format!("{}: \u{1b}[{color}m{kind}\u{1b}[0m: {message}", bold(place, true));
        }
    }
    remark.to_owned()
}

/// One object; lines count from 1.
fn json(mut found: Remarks) -> String {
    found.remarks.iter_mut().filter_map(|r| r.line.as_mut()).for_each(|line| *line += 1);
    shown::json(&found) + "\n"
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn remarks_name_their_place() {
        let remark = |line, message: &str| Remark {
            kind: RemarkKind::Missed,
            tool: "opt".to_owned(),
            pass: "inline".to_owned(),
            name: "NoDefinition".to_owned(),
            function: "k".to_owned(),
            line,
            message: message.to_owned(),
        };
        let found = Remarks {
            remarks: vec![remark(Some(2), "ext will not be inlined"), remark(None, "too costly")],
            commands: Vec::new(),
        };
        expect![[r#"
            a.ll:3: missed: ext will not be inlined [opt inline]
            a.ll: in `k`: missed: too costly [opt inline]
        "#]]
        .assert_eq(&tables::remarks(&found, "a.ll"));
        assert_eq!(tables::remarks(&Remarks::default(), "a.ll"), "no remarks\n");
        let line = "a.ll:3: missed: ext will not be inlined [opt inline]\n";
        assert_eq!(
            colored(line),
            "\u{1b}[1ma.ll:3\u{1b}[0m: \u{1b}[33mmissed\u{1b}[0m: ext will not be inlined [opt inline]\n"
        );
    }
}
