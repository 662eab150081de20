//! `wavelens completions` and `wavelens man`: files for shells and for man, made from the commands' definitions.

use std::path::PathBuf;

use clap_complete::Shell;

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
    /// Print the page of this command; without it, that of the program.
    #[arg(conflicts_with = "out")]
    command: Option<String>,
}

pub(super) fn completions(arguments: &Completions) -> Outcome {
    let mut out = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "wavelens", &mut out);
    print(&String::from_utf8_lossy(&out));
    Outcome::Clean
}

pub(super) fn man(arguments: &Man) -> Outcome {
    let mut program = super::command();
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
