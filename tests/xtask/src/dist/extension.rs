//! Packages of the VS Code extension, made by its own build.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use crate::Outcome;
use crate::repository::{failed_at, read, root, show, write};

/// The platform's name in VS Code.
fn platform(release: &Release) -> Outcome<String> {
    let (system, architecture) = match release.target.split_once('-') {
        Some((architecture, rest)) => (rest, architecture),
        None => return Err(format!("{} is not a target", release.target)),
    };
    let system = match system {
        s if s.contains("windows") => "win32",
        s if s.contains("darwin") => "darwin",
        s if s.contains("musl") => "alpine",
        _ => "linux",
    };
    let architecture = match architecture {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => return Err(format!("VS Code has no platform for {other}")),
    };
    Ok(format!("{system}-{architecture}"))
}

/// The extension with the server inside, and the universal one, which uses a server on PATH or the one in WebAssembly.
pub(crate) fn make(release: &Release, binary: &Path, out: &Path) -> Outcome<Vec<PathBuf>> {
    let folder = root().join("editors/vscode");
    let out = std::path::absolute(out).map_err(failed_at(out))?;
    let server = folder.join("server");
    let platform = platform(release)?;
    if !folder.join("node_modules").is_dir() {
        show(Command::new("npm").current_dir(&folder).args(["ci", "--no-audit", "--no-fund", "--silent"]))?;
    }
    let package = |options: &[&str], path: &Path| {
        let mut npm = Command::new("npm");
        npm.current_dir(&folder).args(["run", "--silent", "package", "--", "--out"]).arg(path);
        show(npm.args(options))
    };
    let universal = out.join(format!("wavelens-{}.vsix", release.version));
    crate::web::module(false)?;
    clear(&server)?;
    package(&[], &universal)?;
    let own = out.join(format!("wavelens-{}-{platform}.vsix", release.version));
    write(&server.join(release.program()), read(binary)?)?;
    package(&["--target", &platform], &own)?;
    clear(&server)?;
    Ok(vec![universal, own])
}

fn clear(folder: &Path) -> Outcome {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(failed_at(folder)(e)),
        _ => Ok(()),
    }
}
