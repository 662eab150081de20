//! `wavelens trace`: what each pass of `opt` and `llc` did to a value or a line.

use wavelens_codegen::Cancel;
use wavelens_codegen::trace::History;
use wavelens_ide::trace::TraceQuery;

use super::compiled_file::{CodeArguments, CompiledFile, header};
use super::passes::colored;
use super::{Format, Outcome, complain, print, shown};
use crate::compile::trace;
use crate::tables;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("traced").required(true))]
pub(super) struct Arguments {
    #[command(flatten)]
    code: CodeArguments,
    /// A value or virtual register, such as %sum; % may be omitted.
    #[arg(long, value_name = "NAME", group = "traced")]
    value: Option<String>,
    /// The line of an instruction, counted from 1.
    #[arg(long, value_name = "N", group = "traced", value_parser = clap::value_parser!(u32).range(1..))]
    line: Option<u32>,
    /// Only passes with this in their name.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pass: String,
    #[command(flatten)]
    input: CompiledFile,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let input = &arguments.input;
    let (compiler, mut job) = match input.open_whole().and_then(|o| input.with_passes(o)) {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    job.settings.functions = match arguments.input.function.as_slice() {
        [] => Vec::new(),
        [function] => vec![function.trim_start_matches('@').to_owned()],
        _ => return complain("`wavelens trace` takes one `--function`"),
    };
    let asked = match (&arguments.value, arguments.line) {
        (Some(value), _) => TraceQuery::Value(value.clone()),
        (None, line) => TraceQuery::Line(line.unwrap_or(1) - 1),
    };
    let mut history = match trace(&compiler, &job, &asked, &Cancel::default()) {
        Ok(history) => history,
        Err(problem) => return arguments.input.complain(&job, &problem),
    };
    let wanted = arguments.pass.to_lowercase();
    let has_name = |name: &str| name.to_lowercase().contains(&wanted);
    history.steps.retain(|s| has_name(&s.pass) || s.argument.as_deref().is_some_and(has_name));
    print(&match arguments.code.format {
        Format::Json => json(history.clone()),
        Format::Human => {
            header(&compiler, &job, "", "", &history.commands.join("; "))
                + &colored(tables::history(&history))
        }
    });
    match &history.problem {
        Some(problem) => arguments.input.complain(&job, problem),
        None => Outcome::Clean,
    }
}

/// One object; lines count from 1.
fn json(mut history: History) -> String {
    history.line = history.line.map(|line| line + 1);
    shown::json(&history) + "\n"
}
