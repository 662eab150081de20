//! The files that a package installs.

use std::path::Path;
use std::process::Command;

use super::Release;
use crate::Outcome;
use crate::repository::{Scratch, names, output, read, root};

/// What a file is for: a package decides where it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Program,
    /// Licences, README, changelog.
    Document,
    /// For the shell: `bash`, `zsh` or `fish`.
    Completion(&'static str),
    Man,
    /// Relative to `editors/`.
    Editor,
}

pub(crate) struct File {
    pub(crate) part: Part,
    pub(crate) name: String,
    pub(crate) content: Vec<u8>,
}

impl File {
    pub(crate) fn mode(&self) -> u32 {
        if self.part == Part::Program { 0o755 } else { 0o644 }
    }

    /// Where a system package installs the file; `None` for what it has in other words.
    pub(crate) fn system_path(&self, zsh: &str) -> Option<String> {
        let name = &self.name;
        Some(match self.part {
            Part::Program => format!("/usr/bin/{name}"),
            Part::Document if name.starts_with("LICENSE") => return None,
            Part::Document => format!("/usr/share/doc/wavelens/{name}"),
            Part::Completion("bash") => "/usr/share/bash-completion/completions/wavelens".to_owned(),
            Part::Completion("zsh") => format!("/usr/share/zsh/{zsh}/_wavelens"),
            Part::Completion(_) => "/usr/share/fish/vendor_completions.d/wavelens.fish".to_owned(),
            Part::Man => format!("/usr/share/man/man1/{name}"),
            // Neovim and Emacs find what is in these folders by themselves.
            Part::Editor => match name.split_once('/')? {
                ("neovim", rest) => format!("/usr/share/nvim/site/pack/wavelens/start/wavelens/{rest}"),
                ("emacs", rest) => format!("/usr/share/emacs/site-lisp/{rest}"),
                _ => format!("/usr/share/doc/wavelens/editors/{name}"),
            },
        })
    }
}

pub(crate) struct Payload {
    /// Sorted by name within a part.
    pub(crate) files: Vec<File>,
}

/// Folders of `editors/` that need no build; the extension of VS Code is a package of its own.
const NOT_COPIED: [&str; 1] = ["vscode"];

impl Payload {
    /// What the program says of itself is asked if it runs on this machine.
    pub(crate) fn collect(release: &Release, binary: &Path, runs_here: bool) -> Outcome<Payload> {
        let root = root();
        let mut files =
            vec![File { part: Part::Program, name: release.program().to_owned(), content: read(binary)? }];
        for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
            let content = read(&root.join(name))?;
            files.push(File { part: Part::Document, name: name.to_owned(), content });
        }
        if runs_here {
            files.extend(completions(binary));
            files.extend(man_pages(binary)?);
        }
        for name in names(&root.join("editors"))? {
            if !NOT_COPIED.contains(&name.as_str()) {
                add(&root.join("editors").join(&name), &name, &mut files)?;
            }
        }
        Ok(Payload { files })
    }
}

/// The completions that the program prints; none from one without that command.
fn completions(binary: &Path) -> Vec<File> {
    let shells = [("bash", "wavelens.bash"), ("zsh", "_wavelens"), ("fish", "wavelens.fish")];
    let print = |shell: &str| output(Command::new(binary).args(["completions", shell])).ok();
    let file = |(shell, name): (&'static str, &str)| {
        Some(File { part: Part::Completion(shell), name: name.to_owned(), content: print(shell)? })
    };
    shells.into_iter().filter_map(file).collect()
}

/// The pages that the program writes; none from one without that command.
fn man_pages(binary: &Path) -> Outcome<Vec<File>> {
    let scratch = Scratch::new("man")?;
    if output(Command::new(binary).args(["man", "--out"]).arg(scratch.path())).is_err() {
        return Ok(Vec::new());
    }
    let page = |name: String| Ok(File { part: Part::Man, content: read(&scratch.path().join(&name))?, name });
    names(scratch.path())?.into_iter().map(page).collect()
}

fn add(path: &Path, name: &str, files: &mut Vec<File>) -> Outcome {
    if path.is_dir() {
        for inner in names(path)? {
            add(&path.join(&inner), &format!("{name}/{inner}"), files)?;
        }
    } else {
        files.push(File { part: Part::Editor, name: name.to_owned(), content: read(path)? });
    }
    Ok(())
}
