//! `wavelens passes`: what each pass of `opt` and `llc` changed.

use wavelens_codegen::Cancel;
use wavelens_codegen::passes::PassFilter;

use super::compiled_file::{CodeArguments, CompiledFile, header};
use super::fix::colored_diff;
use super::output::{is_colored, print_document};
use super::{Format, Outcome, complain, print, shown};
use crate::compile::{pass_changes, run_to};
use crate::tables;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    code: CodeArguments,
    /// Only passes with this in their name.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pass: String,
    /// Print only names of passes and numbers of changed lines.
    #[arg(long)]
    summary: bool,
    /// Print only the Machine IR after this pass of llc, such as machine-scheduler.
    #[arg(long, value_name = "PASS")]
    run_to: Option<String>,
    #[command(flatten)]
    input: CompiledFile,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let input = &arguments.input;
    let (compiler, job) = match input.open_whole().and_then(|o| input.with_passes(o)) {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let function = match arguments.input.function.as_slice() {
        [] => "",
        [function] => function,
        _ => return complain("`wavelens passes` takes one `--function`"),
    };
    if let Some(pass) = &arguments.run_to {
        let made = run_to(&compiler, &job, pass, &Cancel::default());
        return match made.problem {
            Some(problem) => arguments.input.complain(&job, &problem),
            None => {
                print_document(&made.text);
                Outcome::Clean
            }
        };
    }
    let filter =
        PassFilter { pass: arguments.pass.clone(), function: function.trim_start_matches('@').to_owned() };
    let found = pass_changes(&compiler, &job, &filter, &Cancel::default());
    if let Some(problem) = &found.problem
        && found.commands.is_empty()
    {
        return arguments.input.complain(&job, problem);
    }
    if found.changes.is_empty() && found.problem.is_none() {
        return arguments.input.complain(&job, &nothing_changed(&filter));
    }
    print(&match arguments.code.format {
        Format::Json => shown::json(&found) + "\n",
        Format::Human => {
            header(&compiler, &job, "", "", &found.commands.join("; "))
                + &colored(tables::pass_changes(&found, arguments.summary))
        }
    });
    match &found.problem {
        Some(problem) => arguments.input.complain(&job, problem),
        None => Outcome::Clean,
    }
}

/// Diffs with colors, where there are colors.
pub(super) fn colored(text: String) -> String {
    if is_colored(&std::io::stdout()) { colored_diff(&text) } else { text }
}

fn nothing_changed(filter: &PassFilter) -> String {
    let named =
        |what: &str, name: &str| if name.is_empty() { String::new() } else { format!(" {what} `{name}`") };
    let all = if *filter == PassFilter::default() { "" } else { "; `--summary` alone lists those that did" };
    format!(
        "no pass{} changed anything{}{all}",
        named("with the name", &filter.pass),
        named("in the function", &filter.function)
    )
}
