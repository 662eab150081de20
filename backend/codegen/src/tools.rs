//! Finding LLVM's programs: the user's setting, `LLVM_BIN`, versioned names on `PATH`, ROCm's folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::cache::default_folder;
use crate::private;
use crate::process::{Cancel, Limits, run};

/// Oldest and newest LLVM whose output is understood.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 15..=22;

/// A program that was found, with its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Where the program is.
    pub path: PathBuf,
    /// LLVM's major version.
    pub major: u32,
    /// The version as the program says it (`22.1.0`); of one that was not asked the first number.
    pub version: String,
    /// Whether the AMDGPU target is built in.
    pub amdgpu: bool,
}

impl Tool {
    /// What changes with the program: a compiler built again has the same version.
    pub(crate) fn identity(&self) -> Option<String> {
        let (size, modified) = state(&self.path)?;
        Some(format!("{} {} {size} {modified:?}", self.path.display(), self.version))
    }

    /// The whole version, as the program says it.
    pub(crate) fn asked_version(&self) -> String {
        probe(&self.path).map_or_else(|| self.version.clone(), |tool| tool.version)
    }

    /// A call, as it could be typed.
    pub(crate) fn command(&self, arguments: &[String]) -> String {
        format!("{} {}", self.path.display(), arguments.join(" "))
    }
}

/// The programs of this machine. Each is searched, and asked for its version, when it is first needed.
#[derive(Debug, Default)]
pub struct Tools {
    folder: Option<PathBuf>,
    llc: OnceLock<Option<Tool>>,
    opt: OnceLock<Option<Tool>>,
    llvm_mc: OnceLock<Option<Tool>>,
    llvm_mca: OnceLock<Option<Tool>>,
    llvm_spirv: OnceLock<Option<Tool>>,
}

impl Tools {
    /// The programs in a folder, then those of the system.
    pub fn find(folder: Option<&Path>) -> Tools {
        Tools { folder: folder.map(Path::to_owned), ..Tools::default() }
    }

    fn tool<'t>(&self, tool: &'t OnceLock<Option<Tool>>, name: &str) -> Option<&'t Tool> {
        tool.get_or_init(|| find_tool(name, self.folder.as_deref(), self.llc.get().and_then(Option::as_ref)))
            .as_ref()
    }

    /// Compiles IR and Machine IR.
    pub fn llc(&self) -> Option<&Tool> {
        self.tool(&self.llc, "llc")
    }

    /// Runs passes over IR.
    pub fn opt(&self) -> Option<&Tool> {
        self.tool(&self.opt, "opt")
    }

    /// Assembles; confirms our encodings.
    pub fn llvm_mc(&self) -> Option<&Tool> {
        self.tool(&self.llvm_mc, "llvm-mc")
    }

    /// Tells cycles.
    pub fn llvm_mca(&self) -> Option<&Tool> {
        self.tool(&self.llvm_mca, "llvm-mca")
    }

    /// Khronos' translator between SPIR-V and LLVM IR.
    pub fn llvm_spirv(&self) -> Option<&Tool> {
        self.tool(&self.llvm_spirv, TRANSLATOR)
    }

    /// What to say when `llc` is missing.
    pub fn missing_llc(&self) -> String {
        missing("llc", " with the AMDGPU target", self.folder.as_deref())
    }

    /// What to say when Mesa's driver is missing.
    pub fn missing_radv() -> String {
        "SPIR-V for Vulkan is compiled by Mesa's RADV driver, and it was not found: install it (`apt-get install mesa-vulkan-drivers`)"
            .to_owned()
    }

    /// What to say when `opt` is missing.
    pub fn missing_opt(&self) -> String {
        missing("opt", "", self.folder.as_deref())
    }

    /// What to say when `llvm-mca` is missing.
    pub(crate) fn missing_llvm_mca(&self) -> String {
        missing("llvm-mca", "", self.folder.as_deref())
    }
}

/// What to say when a program is missing: in the folder that the user named, nothing else is asked.
pub(crate) fn missing(name: &str, kind: &str, folder: Option<&Path>) -> String {
    // An editor shows this up to the parenthesis and the remedy.
    const REMEDY: &str =
        "(`--llvm-path` on the command line): name another, or omit it to use the LLVM of the system";
    match folder {
        Some(folder) if !folder.is_dir() => {
            format!("`{}`, which `wavelens.llvm.path` names, is not a folder {REMEDY}", folder.display())
        }
        Some(folder) => format!(
            "no `{name}`{kind} is in `{}`, which `wavelens.llvm.path` names {REMEDY}",
            folder.display()
        ),
        None => format!(
            "no `{name}`{kind} was found: install LLVM (`apt-get install llvm`), or say which folder it is in \
             (`--llvm-path`, in editors `wavelens.llvm.path`)"
        ),
    }
}

/// A tool; it is asked for its version unless that is known from its place, or it is next to an `llc` whose version is known.
fn find_tool(name: &str, folder: Option<&Path>, llc: Option<&Tool>) -> Option<Tool> {
    let memory = Memory::of_user();
    let known = |path: &Path| match (packaged(path).or_else(|| beside(llc?, path)), &memory) {
        (Some(tool), _) => Some(tool),
        (None, Some(memory)) => memory.tool(path),
        (None, None) => probe(path),
    };
    let paths = match folder.filter(|_| name != TRANSLATOR) {
        Some(folder) => in_folder(name, folder),
        None => candidates(name, folder),
    };
    paths.into_iter().filter(|p| p.is_file()).find_map(|p| known(&p).filter(|t| t.amdgpu))
}

/// A program of LLVM's packages for Debian and Ubuntu, whose folder has the version in its name. They have all targets. To ask one
/// takes 25 ms, half of the compilation of a small kernel.
fn packaged(path: &Path) -> Option<Tool> {
    let (major, version) = packaged_at(&path.canonicalize().ok()?)?;
    Some(Tool { path: path.to_owned(), major, version, amdgpu: true })
}

/// The version in a program's path without links.
fn packaged_at(path: &Path) -> Option<(u32, String)> {
    let folder = path.parent()?.strip_prefix("/usr/lib").ok()?.to_str()?;
    let version = folder.strip_prefix("llvm-")?.strip_suffix("/bin")?;
    Some((version.parse().ok().filter(|major| VERSIONS.contains(major))?, version.to_owned()))
}

/// A program of the folder that `llc` is in, links followed: both belong to the same LLVM.
fn beside(llc: &Tool, path: &Path) -> Option<Tool> {
    let (own, of_llc) = (path.canonicalize().ok()?, llc.path.canonicalize().ok()?);
    // A folder may hold `llc-21` and `llc-22`.
    let version =
        |path: &Path| -> Option<u32> { path.file_name()?.to_str()?.rsplit_once('-')?.1.parse().ok() };
    let is_llvm = !path.file_name()?.to_str()?.starts_with(TRANSLATOR);
    let is_same = is_llvm && own.parent() == of_llc.parent() && version(&own) == version(&of_llc);
    is_same.then(|| Tool { path: path.to_owned(), ..llc.clone() })
}

/// Not part of LLVM: it is rarely in the same folder.
const TRANSLATOR: &str = "llvm-spirv";

/// Where a tool of LLVM can be in the folder that the user named. Another LLVM would not be what they asked for.
fn in_folder(name: &str, folder: &Path) -> Vec<PathBuf> {
    // Programs run in another folder than this one.
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let versions = VERSIONS.rev().map(|version| folder.join(format!("{name}-{version}")));
    std::iter::once(folder.join(name)).chain(versions).collect()
}

/// Whether a folder that the user named has `llc`.
pub fn has_llc(folder: &Path) -> bool {
    in_folder("llc", folder).iter().any(|path| path.is_file())
}

/// What programs answered to `--version`, kept for the next start: to ask takes 10 to 15 ms, a third of a small compilation.
struct Memory {
    folder: PathBuf,
}

/// A program that was asked, as it was then.
#[derive(Serialize, Deserialize)]
struct Asked {
    size: u64,
    modified: SystemTime,
    tool: Tool,
}

impl Memory {
    fn of_user() -> Option<Memory> {
        Some(Memory { folder: default_folder()?.with_file_name("tools") })
    }

    /// The program at a path; asked if it is not known or has changed.
    fn tool(&self, path: &Path) -> Option<Tool> {
        let Some((size, modified)) = state(path) else { return probe(path) };
        let file = self.file(path);
        if let Some(asked) = self.read(&file)
            && (asked.size, asked.modified, asked.tool.path.as_path()) == (size, modified, path)
        {
            return Some(asked.tool);
        }
        let tool = probe(path)?;
        self.write(&file, &Asked { size, modified, tool: tool.clone() });
        Some(tool)
    }

    fn file(&self, path: &Path) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        self.folder.join(format!("{:016x}.json", hasher.finish()))
    }

    /// What others could have written is not read.
    fn read(&self, file: &Path) -> Option<Asked> {
        private::check(&self.folder).ok()?;
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }

    /// A memory that cannot be written is none.
    fn write(&self, file: &Path, asked: &Asked) {
        let Ok(bytes) = serde_json::to_vec(asked) else { return };
        if private::folder(&self.folder).is_err() {
            return;
        }
        let aside = file.with_extension(format!("{}.part", std::process::id()));
        if std::fs::write(&aside, bytes).and_then(|()| std::fs::rename(&aside, file)).is_err() {
            let _ = std::fs::remove_file(&aside);
        }
    }
}

/// Size and time of a program's file.
fn state(path: &Path) -> Option<(u64, SystemTime)> {
    let data = path.metadata().ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// A program, by its name alone; not asked for anything. Relative folders on `PATH` are skipped: they lead elsewhere in another folder.
pub(crate) fn find_program(name: &str, folder: Option<&Path>) -> Option<PathBuf> {
    candidates(name, folder).into_iter().find(|path| path.is_absolute() && path.is_file())
}

/// A program by its name, and its version in its own words if it names one.
pub fn look_up(name: &str, folder: Option<&Path>, cancel: &Cancel) -> Option<(PathBuf, Option<String>)> {
    let path = find_program(name, folder)?;
    let limits = Limits { time: Duration::from_secs(5), ..Limits::default() };
    let said = run(Command::new(&path).arg("--version"), b"", &limits, cancel).ok();
    let version = said.and_then(|output| {
        let text = [output.stdout, output.stderr].concat();
        version_in(&String::from_utf8_lossy(&text))
    });
    Some((path, version))
}

/// `LLVM 22.1.8` of LLVM's programs, the first line of others.
fn version_in(text: &str) -> Option<String> {
    if let Some((_, rest)) = text.split_once("LLVM version ") {
        return Some(format!("LLVM {}", rest.split_whitespace().next()?));
    }
    let line = text.lines().map(str::trim).find(|line| line.contains(|c: char| c.is_ascii_digit()))?;
    // `SPIRV-Tools v2023.1 unknown hash, 2023-01-17T11:41:21`
    Some(line.split(" unknown hash").next()?.split(", ").next()?.chars().take(60).collect())
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
    // `opt` and `llvm-mca` list no targets; they are taken at their word.
    let amdgpu = !text.contains("Registered Targets") || text.contains("amdgcn");
    Some(Tool { path: path.to_owned(), major, version, amdgpu })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_folder_is_named() {
        let said = |folder: &str| missing("llc", "", Some(Path::new(folder)));
        assert!(
            said("/no/such").starts_with("`/no/such`, which `wavelens.llvm.path` names, is not a folder (")
        );
        assert!(said("/").starts_with("no `llc` is in `/`, which `wavelens.llvm.path` names ("));
        assert!(missing("llc", "", None).starts_with("no `llc` was found: install LLVM ("));
    }

    #[test]
    #[cfg(unix)]
    fn a_program_is_asked_again_only_when_it_has_changed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("wavelens-tools-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("is writable");
        let (program, memory) = (folder.join("llc"), Memory { folder: folder.join("tools") });
        let write = |version: &str| {
            let script =
                format!("#!/bin/sh\necho LLVM version {version}\necho asked >> {}/count\n", folder.display());
            std::fs::write(&program, script).expect("is writable");
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("it is ours");
        };
        let ask = || memory.tool(&program).map(|tool| tool.version).unwrap_or_default();
        let count = || std::fs::read_to_string(folder.join("count")).unwrap_or_default().lines().count();
        write("22.1");
        assert_eq!((ask(), ask(), count()), ("22.1".to_owned(), "22.1".to_owned(), 1));
        write("22.1.8");
        assert_eq!((ask(), ask(), count()), ("22.1.8".to_owned(), "22.1.8".to_owned(), 2));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_packaged_program_has_the_version_of_its_folder() {
        let version = |path: &str| packaged_at(Path::new(path));
        assert_eq!(version("/usr/lib/llvm-22/bin/llc"), Some((22, "22".to_owned())));
        let others = ["/usr/lib/llvm-99/bin/llc", "/usr/lib/llvm/22/bin/llc", "/opt/lib/llvm-22/bin/llc"];
        assert_eq!(others.map(version), [const { None }; 3]);
    }

    #[test]
    #[cfg(unix)]
    fn a_program_beside_llc_has_its_version() {
        let folder = std::env::temp_dir().join(format!("wavelens-beside-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("bin")).expect("is writable");
        let file = |name: &str| {
            let path = folder.join("bin").join(name);
            std::fs::write(&path, "").expect("is writable");
            path
        };
        let link = folder.join("llvm-mca-22");
        std::os::unix::fs::symlink(file("llvm-mca"), &link).expect("is writable");
        let text = "LLVM version 22.1.8\n";
        let llc = parse_version(&file("llc"), text).expect("a version");
        let version = |path: &Path| beside(&llc, path).map(|tool| (tool.path, tool.version));
        assert_eq!(version(&link), Some((link.clone(), "22.1.8".to_owned())));
        assert_eq!(
            [file("llvm-mca-21"), file("llvm-spirv"), folder.join("llvm-mca")].map(|p| version(&p)),
            [const { None }; 3]
        );
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn every_program_has_its_words_for_its_version() {
        let of = |text| version_in(text).unwrap_or_default();
        assert_eq!(of("Ubuntu LLVM version 22.1.8\n  Optimized build."), "LLVM 22.1.8");
        assert_eq!(of("SPIRV-Tools v2023.1 unknown hash, 2023-01-17\nTargets:"), "SPIRV-Tools v2023.1");
        assert_eq!(of("Python 3.11.7\n"), "Python 3.11.7");
        assert_eq!(version_in("hello"), None);
    }

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
