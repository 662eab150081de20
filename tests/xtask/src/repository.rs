//! Files of the repository and programs that tasks run.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Failure, Outcome};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// The folder that cargo builds into.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// How to build the program.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// The path of the program that was given, or of one that is built from this source.
pub(crate) fn program(given: Option<&Path>, profile: Profile) -> Outcome<PathBuf> {
    if let Some(program) = given {
        return std::path::absolute(program).map_err(failed_at(program));
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--locked", "--package", "wavelens"]);
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => {
            cargo.arg("--release");
            "release"
        }
    };
    show(&mut cargo)?;
    Ok(target_folder().join(folder).join("wavelens"))
}

/// A folder that is deleted with this value.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Outcome<Scratch> {
        let path = std::env::temp_dir().join(format!("wavelens-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(failed_at(&path))?;
        Ok(Scratch(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Words an error of the system about a file or folder.
pub(crate) fn failed_at<E: Display>(path: &Path) -> impl Fn(E) -> Failure {
    move |error| format!("{}: {error}", path.display())
}

/// The names of what is in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Outcome<Vec<String>> {
    let entries = std::fs::read_dir(folder).map_err(failed_at(folder))?;
    let mut names: Vec<_> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

pub(crate) fn read(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(failed_at(path))
}

pub(crate) fn read_text(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(failed_at(path))
}

/// Writes a file, and the folders above it.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder.and_then(|()| std::fs::write(path, content)).map_err(failed_at(path))
}

/// Runs a program to its end; what it printed on standard output.
pub(crate) fn output(command: &mut Command) -> Outcome<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().map_err(|e| format!("{name} cannot be started: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Runs a program whose output is shown as it comes.
pub(crate) fn show(command: &mut Command) -> Outcome {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|e| format!("{name} cannot be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
}
