//! `cargo xtask dist`: everything that a release attaches, for one target.

mod archive;
mod deb;
mod extension;
mod payload;
mod recipes;
#[cfg(feature = "rpm")]
mod rpm;
mod sbom;
mod web;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use sha2::{Digest, Sha256};

use self::payload::Payload;
use crate::Outcome;
use crate::repository::{failed_at, names, output, read, root, show, target_folder, write};

const HOMEPAGE: &str = env!("CARGO_PKG_REPOSITORY");
const SUMMARY: &str = "language server and checker for LLVM IR, Machine IR, SPIR-V and AMDGPU assembly";
const DESCRIPTION: &str =
    "Wavelens finds what LLVM's verifier, llc's machine verifier, spirv-val and llvm-mc find,
while you type and in scripts, without any of them installed. With LLVM installed
it shows the machine code of GPU kernels, their registers and their occupancy.
";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to make; everything that the target has if nothing is named
    #[arg(value_enum)]
    kinds: Vec<Kind>,
    /// The target's triple; this machine's by default
    #[arg(long)]
    target: Option<String>,
    /// Package this binary instead of building one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Where the files go; target/dist by default
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// An archive with the program, licences, completions, man pages and editor files
    Archive,
    /// A package for Debian and Ubuntu
    Deb,
    /// A package for Fedora, RHEL and openSUSE
    Rpm,
    /// The VS Code extension: with the server inside, and a universal one
    Vsix,
    /// The playground, and the npm package
    Web,
    /// A bill of materials (CycloneDX)
    Sbom,
    /// Recipes of package managers, from the archives of all targets; only if named
    Recipes,
}

/// What is released, and for which machine.
pub(crate) struct Release {
    pub(crate) version: String,
    pub(crate) target: String,
    /// The time of the commit, in seconds since 1970: the same commit makes the same files.
    pub(crate) time: u64,
}

impl Release {
    fn new(target: Option<&str>) -> Outcome<Release> {
        let target = match target {
            Some(target) => target.to_owned(),
            None => host()?,
        };
        let time = std::env::var("SOURCE_DATE_EPOCH").ok().or_else(commit_time);
        let time = time.and_then(|time| time.trim().parse().ok()).unwrap_or(0);
        Ok(Release { version: env!("CARGO_PKG_VERSION").to_owned(), target, time })
    }

    /// The name of the processor, in the words of Debian and of RPM.
    pub(crate) fn architectures(&self) -> Outcome<(&'static str, &'static str)> {
        match self.target.split('-').next() {
            Some("x86_64") => Ok(("amd64", "x86_64")),
            Some("aarch64") => Ok(("arm64", "aarch64")),
            _ => Err(format!("no packages are made for {}", self.target)),
        }
    }

    pub(crate) fn is_linux(&self) -> bool {
        self.target.contains("-linux-")
    }

    /// The file name of the program.
    pub(crate) fn program(&self) -> &'static str {
        if self.target.contains("windows") { "wavelens.exe" } else { "wavelens" }
    }
}

fn host() -> Outcome<String> {
    let printed = output(Command::new("rustc").arg("-vV"))?;
    let text = String::from_utf8_lossy(&printed);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".to_owned())
}

fn commit_time() -> Option<String> {
    let printed = output(Command::new("git").current_dir(root()).args(["log", "-1", "--format=%ct"])).ok()?;
    String::from_utf8(printed).ok()
}

/// Builds the program; its path.
fn build(release: &Release, is_host: bool) -> Outcome<PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--release", "--locked", "--package", "wavelens"]);
    let mut folder = target_folder();
    if !is_host {
        cargo.args(["--target", &release.target]);
        folder.push(&release.target);
    }
    show(&mut cargo)?;
    Ok(folder.join("release").join(release.program()))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let release = Release::new(arguments.target.as_deref())?;
    let is_host = arguments.target.is_none() || host()? == release.target;
    let out = arguments.out.clone().unwrap_or_else(|| target_folder().join("dist"));
    std::fs::create_dir_all(&out).map_err(failed_at(&out))?;
    let kinds = match arguments.kinds.as_slice() {
        [] => Kind::of(&release),
        named => named.to_vec(),
    };
    let has_program = kinds.iter().any(|kind| kind.has_program());
    let binary = match &arguments.binary {
        Some(binary) => binary.clone(),
        None if has_program => build(&release, is_host)?,
        None => PathBuf::new(),
    };
    let payload = match has_program {
        true => Payload::collect(&release, &binary, is_host)?,
        false => Payload { files: Vec::new() },
    };
    for kind in kinds {
        let made = match kind {
            Kind::Archive => vec![archive::make(&release, &payload, &out)?],
            Kind::Deb => vec![deb::make(&release, &payload, &out)?],
            #[cfg(feature = "rpm")]
            Kind::Rpm => vec![rpm::make(&release, &payload, &out)?],
            #[cfg(not(feature = "rpm"))]
            Kind::Rpm => rpm_with_its_feature(&release, &binary, &out)?,
            Kind::Vsix => extension::make(&release, &binary, &out)?,
            Kind::Web => web::make(&release, &out)?,
            Kind::Sbom => vec![sbom::make(&release, &out)?],
            Kind::Recipes => recipes::make(&release, &out)?,
        };
        for path in made {
            println!("{}", path.display());
        }
    }
    write_sums(&out)
}

/// The packages come from this task with the feature, which says where they are.
#[cfg(not(feature = "rpm"))]
fn rpm_with_its_feature(release: &Release, binary: &Path, out: &Path) -> Outcome<Vec<PathBuf>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--package", "xtask", "--features", "rpm", "--"]);
    cargo.args(["dist", "rpm", "--target", &release.target, "--binary"]).arg(binary).arg("--out").arg(out);
    show(&mut cargo)?;
    Ok(Vec::new())
}

impl Kind {
    /// What is made for a target if nothing is named.
    fn of(release: &Release) -> Vec<Kind> {
        match release.is_linux() {
            true => vec![Kind::Archive, Kind::Deb, Kind::Rpm, Kind::Vsix, Kind::Web, Kind::Sbom],
            false => vec![Kind::Archive, Kind::Vsix, Kind::Sbom],
        }
    }

    fn has_program(self) -> bool {
        !matches!(self, Kind::Web | Kind::Sbom | Kind::Recipes)
    }
}

/// Writes the checksums of all files of the folder, as `sha256sum` does.
fn write_sums(out: &Path) -> Outcome {
    const SUMS: &str = "SHA256SUMS";
    let mut lines = String::new();
    for name in names(out)?.iter().filter(|name| *name != SUMS) {
        lines += &format!("{}  {name}\n", sha256(&read(&out.join(name))?));
    }
    write(&out.join(SUMS), lines)
}

/// A checksum in hexadecimal digits.
pub(crate) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
