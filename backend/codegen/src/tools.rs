//! Finding LLVM's programs: the user's setting, `LLVM_BIN`, versioned names on `PATH`, ROCm's folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{Cancel, Limits, run};

/// Oldest and newest LLVM whose output is understood.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 15..=22;

/// A program that was found and asked for its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Where the program is.
    pub path: PathBuf,
    /// LLVM's major version.
    pub major: u32,
    /// The version as the program says it (`22.1.0`).
    pub version: String,
    /// AMD's own build, which names itself so.
    pub rocm: bool,
    /// Whether the AMDGPU target is built in.
    pub amdgpu: bool,
}

impl Tool {
    /// A call, as it could be typed.
    pub(crate) fn command(&self, arguments: &[String]) -> String {
        format!("{} {}", self.path.display(), arguments.join(" "))
    }
}

/// The programs that could be found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tools {
    /// Compiles IR and Machine IR.
    pub llc: Option<Tool>,
    /// Runs passes over IR.
    pub opt: Option<Tool>,
    /// Assembles; confirms our encodings.
    pub llvm_mc: Option<Tool>,
    /// Tells cycles.
    pub llvm_mca: Option<Tool>,
    /// Khronos' translator between SPIR-V and LLVM IR.
    pub llvm_spirv: Option<Tool>,
}

impl Tools {
    /// Searches and asks each program once for its version, all at the same time (about 10 ms each).
    pub fn find(folder: Option<&Path>) -> Tools {
        let names = ["llc", "opt", "llvm-mc", "llvm-mca", "llvm-spirv"];
        let [llc, opt, llvm_mc, llvm_mca, llvm_spirv] = std::thread::scope(|scope| {
            let searches = names.map(|name| scope.spawn(move || find_tool(name, folder)));
            searches.map(|search| search.join().ok().flatten())
        });
        Tools { llc, opt, llvm_mc, llvm_mca, llvm_spirv }
    }

    /// What to say when `llc` is missing.
    pub fn missing_llc() -> String {
        Tools::missing("llc", " with the AMDGPU target")
    }

    /// What to say when Mesa's driver is missing.
    pub fn missing_radv() -> String {
        "SPIR-V for Vulkan is compiled by Mesa's RADV driver, and it was not found: install it (`apt-get install mesa-vulkan-drivers`)"
            .to_owned()
    }

    /// What to say when `opt` is missing.
    pub fn missing_opt() -> String {
        Tools::missing("opt", "")
    }

    /// What to say when `llvm-dis` is missing.
    pub(crate) fn missing_llvm_dis() -> String {
        Tools::missing("llvm-dis", "")
    }

    fn missing(name: &str, kind: &str) -> String {
        format!(
            "no `{name}`{kind} was found: install LLVM (`apt-get install llvm`), or say which folder it is in \
             (`--llvm-path`, in editors `wavelens.llvm.path`)"
        )
    }
}

fn find_tool(name: &str, folder: Option<&Path>) -> Option<Tool> {
    candidates(name, folder).into_iter().filter(|p| p.is_file()).find_map(|p| probe(&p).filter(|t| t.amdgpu))
}

/// A program, by its name alone; not asked for anything. Relative folders on `PATH` are skipped: they lead elsewhere in another folder.
pub(crate) fn find_program(name: &str, folder: Option<&Path>) -> Option<PathBuf> {
    candidates(name, folder).into_iter().find(|path| path.is_absolute() && path.is_file())
}

/// Paths to try, best first.
fn candidates(name: &str, folder: Option<&Path>) -> Vec<PathBuf> {
    let environment = |key: &str| std::env::var_os(key).filter(|v| !v.is_empty());
    // Programs run in another folder than this one.
    let folder = folder.map(|f| std::path::absolute(f).unwrap_or_else(|_| f.to_owned()));
    let mut folders: Vec<PathBuf> = folder.into_iter().collect();
    folders.extend(environment("LLVM_BIN").map(PathBuf::from));
    let mut paths: Vec<PathBuf> = folders.iter().map(|f| f.join(name)).collect();
    let on_path: Vec<PathBuf> =
        environment("PATH").map(|p| std::env::split_paths(&p).collect()).unwrap_or_default();
    for version in VERSIONS.rev() {
        paths.extend(on_path.iter().map(|f| f.join(format!("{name}-{version}"))));
    }
    paths.extend(on_path.iter().map(|f| f.join(name)));
    let rocm = environment("ROCM_PATH").map_or_else(|| PathBuf::from("/opt/rocm"), PathBuf::from);
    paths.push(rocm.join("llvm/bin").join(name));
    paths
}

fn probe(path: &Path) -> Option<Tool> {
    let limits = Limits { time: Duration::from_secs(5), ..Limits::default() };
    let output = run(Command::new(path).arg("--version"), b"", &limits, &Cancel::default()).ok()?;
    parse_version(path, &String::from_utf8_lossy(&output.stdout))
}

fn parse_version(path: &Path, text: &str) -> Option<Tool> {
    let (_, rest) = text.split_once("LLVM version ")?;
    let version = rest.split_whitespace().next()?.to_owned();
    let major = version.split('.').next()?.parse().ok()?;
    let rocm = text.contains("AMD LLVM version") || path.to_string_lossy().contains("rocm");
    // `opt` and `llvm-mca` list no targets; they are taken at their word.
    let amdgpu = !text.contains("Registered Targets") || text.contains("amdgcn");
    Some(Tool { path: path.to_owned(), major, version, rocm, amdgpu })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let text =
            "Debian LLVM version 22.1.0\n  Optimized build.\n\n  Registered Targets:\n    amdgcn - AMD\n";
        let tool = parse_version(Path::new("/usr/bin/llc-22"), text).expect("a version");
        assert_eq!((tool.major, tool.version.as_str(), tool.amdgpu), (22, "22.1.0", true));
        let text =
            "LLVM (http://llvm.org/):\n  LLVM version 17.0.0git\n  Registered Targets:\n    x86 - X86\n";
        let tool = parse_version(Path::new("llc"), text).expect("a version");
        assert_eq!((tool.major, tool.amdgpu), (17, false));
        assert_eq!(parse_version(Path::new("llc"), "hello"), None);
    }
}
