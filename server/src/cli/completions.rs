//! `wavelens completions` and `wavelens man`: files for shells and for man, made from the commands' definitions.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use wavelens_base::Dialect;
use wavelens_base::configuration::Env;
use wavelens_check::dialect::codes;
use wavelens_isa::Target;

use super::{Outcome, complain, print, shown};

#[derive(Debug, clap::Args)]
pub(super) struct Completions {
    /// The shell to complete commands in.
    shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(super) struct Man {
    /// Write one page for each command into this folder.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print all commands and options as one page in Markdown.
    #[arg(long, conflicts_with_all = ["out", "command"])]
    markdown: bool,
    /// Print the page of this command; without it, that of the program.
    #[arg(conflicts_with = "out")]
    command: Option<String>,
}

pub(super) fn completions(arguments: &Completions) -> Outcome {
    let mut out = Vec::new();
    clap_complete::generate(arguments.shell, &mut with_values(super::command()), "wavelens", &mut out);
    print(&String::from_utf8_lossy(&out));
    Outcome::Clean
}

/// The commands with the values that a shell can offer: processors, environments, codes.
fn with_values(command: clap::Command) -> clap::Command {
    let codes = || codes().into_iter();
    command.mut_subcommands(|command| {
        command.mut_args(|arg| {
            let names: Vec<&str> = match arg.get_id().as_str() {
                "mcpu" | "targets" => Target::names().collect(),
                "target_env" => Env::names().collect(),
                "allowed" | "words" => codes().collect(),
                "condition" => codes().chain(["crash"]).collect(),
                "dialect" => Dialect::ALL.map(Dialect::name).to_vec(),
                _ => return arg,
            };
            arg.value_parser(PossibleValuesParser::new(names))
        })
    })
}

pub(super) fn man(arguments: &Man) -> Outcome {
    let mut program = super::command();
    if arguments.markdown {
        print(&markdown(program));
        return Outcome::Clean;
    }
    if let Some(folder) = &arguments.out {
        let written =
            std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder));
        return match written {
            Ok(()) => Outcome::Clean,
            Err(error) => complain(format!("{}: {error}", shown::path(folder))),
        };
    }
    // Gives commands their full names.
    program.build();
    let mut page = program.clone();
    if let Some(name) = &arguments.command {
        let found = program.get_subcommands().find(|c| c.get_name() == name && !c.is_hide_set());
        let Some(command) = found else { return complain(format!("unknown command `{name}`")) };
        page = command.clone().version(super::version::SHORT);
    }
    let mut out = Vec::new();
    match clap_mangen::Man::new(page).render(&mut out) {
        Ok(()) => {
            print(&String::from_utf8_lossy(&out));
            Outcome::Clean
        }
        Err(error) => complain(error),
    }
}

/// All commands with their options, as a page of the book.
fn markdown(mut program: clap::Command) -> String {
    program.build();
    let mut out = String::from(
        "# All commands and options\n\n`wavelens COMMAND --help` prints the same for one command. Options that every command has come first.\n",
    );
    let is_shared = |arg: &&clap::Arg| arg.is_global_set();
    let shared: Vec<&clap::Arg> = program.get_arguments().filter(is_shared).collect();
    out.push_str(&options("every command", &shared));
    for (_, names) in super::help::GROUPS {
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let mut own = command.clone();
            let usage = own.render_usage().to_string();
            let usage = usage.trim_start_matches("Usage: ");
            out.push_str(&format!("\n## {}\n\n{about}.\n\n```text\n{usage}\n```\n", command.get_name()));
            let args: Vec<&clap::Arg> = command
                .get_arguments()
                .filter(|arg| !arg.is_global_set() && arg.get_id() != "help")
                .collect();
            out.push_str(&options(command.get_name(), &args));
            if let Some(after) = command.get_after_help() {
                out.push_str(&format!("\n```text\n{}\n```\n", after.to_string().trim_end()));
            }
        }
    }
    out
}

/// A table of options, in the order of their headings.
fn options(command: &str, args: &[&clap::Arg]) -> String {
    if args.is_empty() {
        return String::new();
    }
    let mut out = format!("\n| options of {command} | |\n|---|---|\n");
    let rows = args.iter().filter(|arg| !arg.is_hide_set()).map(|arg| {
        let value = |arg: &clap::Arg| {
            let names = arg.get_value_names().unwrap_or_default();
            match names {
                [] => format!(" {}", arg.get_id().as_str().to_uppercase()),
                names => names.iter().map(|name| format!(" {name}")).collect::<String>(),
            }
        };
        let takes = arg.get_action().takes_values();
        let mut names: Vec<String> = arg.get_short().map(|short| format!("-{short}")).into_iter().collect();
        names.extend(arg.get_long().map(|long| format!("--{long}")));
        let name = match names.is_empty() {
            true => value(arg).trim().to_owned(),
            false => names.join(", ") + &if takes { value(arg) } else { String::new() },
        };
        let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let values: Vec<String> =
            arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        if takes && !values.is_empty() {
            help.push_str(&format!("; {}", values.join(", ")));
        }
        format!("| `{}` | {} |\n", name.replace('|', "\\|"), help.replace('|', "\\|"))
    });
    out.extend(rows);
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser as _;

    use super::super::{Arguments, command};

    /// The words of a command as a shell would split it, up to what the command does not see: a pipe, a redirection, a comment.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quote, mut is_open) = (Vec::new(), String::new(), None, false);
        for c in line.chars().chain([' ']) {
            match (quote, c) {
                (Some(q), c) if c == q => quote = None,
                (None, '\'' | '"') => (quote, is_open) = (Some(c), true),
                (None, c) if c.is_whitespace() => {
                    if !word.is_empty() || is_open {
                        words.push(std::mem::take(&mut word));
                    }
                    is_open = false;
                }
                _ => word.push(c),
            }
        }
        let end = words
            .iter()
            .position(|w| ["|", ">", "#", "||", "&&"].contains(&w.as_str()) || w.starts_with("2>"));
        words.truncate(end.unwrap_or(words.len()));
        words
    }

    fn is_accepted(line: &str, place: &str) {
        let result = Arguments::try_parse_from(words(line));
        if let Err(error) = result {
            assert!(!error.use_stderr(), "{place}: {line}\n{error}");
        }
    }

    #[test]
    fn examples_of_the_help_are_accepted() {
        let mut count = 0;
        for command in command().get_subcommands() {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in after.lines().filter_map(|line| line.strip_prefix("  ")) {
                // Of a sentence the command is quoted.
                let is_example = |at: &usize| !line.starts_with(' ') && *at < 60 && !line.contains('`');
                let Some(at) = line.find("wavelens ").filter(is_example) else {
                    continue;
                };
                // What it does follows after blanks.
                let call = line.get(at..).unwrap_or("").split("  ").next().unwrap_or("");
                is_accepted(call, command.get_name());
                count += 1;
            }
        }
        assert!(count > 50, "only {count} examples were found");
    }

    #[test]
    fn commands_of_the_book_are_accepted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let docs = std::fs::read_dir(root.join("docs")).expect("the book").flatten().map(|e| e.path());
        let own = [
            "README.md",
            "CONTRIBUTING.md",
            "action.yml",
            ".github/workflows/ci.yml",
            ".github/workflows/release.yml",
        ];
        let mut count = 0;
        for path in docs.chain(own.map(|name| root.join(name))) {
            // The examples of the help are tried above.
            let Some(text) = std::fs::read_to_string(&path).ok().filter(|_| !path.ends_with("commands.md"))
            else {
                continue;
            };
            let mut in_block = path.extension().is_some_and(|e| e == "yml");
            for line in text.lines() {
                if line.starts_with("```") {
                    in_block = !in_block;
                    continue;
                }
                let line = line
                    .trim()
                    .trim_start_matches("$ ")
                    .trim_start_matches("- run: ")
                    .trim_start_matches("- ");
                let line = line
                    .strip_prefix("cargo run --release -p wavelens -- ")
                    .map_or(line.to_owned(), |rest| format!("wavelens {rest}"));
                if in_block
                    && line.starts_with("wavelens ")
                    && !line.contains("COMMAND")
                    && !line.starts_with("wavelens 0")
                {
                    is_accepted(&line.replace("\"${paths[@]}\"", "a"), &path.display().to_string());
                    count += 1;
                }
            }
        }
        assert!(count > 40, "only {count} commands were found");
    }

    #[test]
    fn the_page_of_all_commands_is_up_to_date() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let page = std::fs::read_to_string(root.join("docs/commands.md")).unwrap_or_default();
        assert!(page == super::markdown(command()), "`cargo xtask docs` writes docs/commands.md");
    }
}
