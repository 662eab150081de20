//! Public corpora: a repository, a commit, and what of it is read.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::repository::{failed_at, names, read, show};

pub(super) struct Corpus {
    /// As options and tables name it.
    pub(super) name: &'static str,
    pub(super) dialect: &'static str,
    pub(super) url: &'static str,
    pub(super) commit: &'static str,
    /// The folders that are read.
    pub(super) folders: &'static [&'static str],
    /// The names of its files: `*` and an ending, or a part between two `*`.
    pub(super) named: &'static str,
    /// The names of files that those include.
    pub(super) included: &'static [&'static str],
    /// What the corpus is meant for: a part of a path, and the environment of SPIR-V or the processor. The first that fits; none where
    /// the files say it themselves.
    pub(super) targets: &'static [(&'static str, &'static str)],
    /// Symbols that the corpus's own build defines.
    pub(super) defines: &'static [&'static str],
}

/// As the folders and names of MIOpen's kernels say, which also run on other processors.
const OF_MIOPEN: &[(&str, &str)] = &[
    ("gfx1030", "gfx1030"),
    ("gfx940", "gfx942"),
    ("gfx90a", "gfx90a"),
    ("gfx908", "gfx908"),
    ("gfx906", "gfx906"),
    ("gfx900", "gfx900"),
    ("gfx803", "gfx803"),
    ("xdlops", "gfx908"),
    ("gtcx", "gfx908"),
    ("_gfx11_", "gfx1100"),
    ("_gfx10_", "gfx1030"),
    ("gfx8", "gfx803"),
    ("", "gfx906:xnack-"),
];

/// As SPIRV-Cross's `test_shaders.py` chooses.
const OF_SPIRV_CROSS: &[(&str, &str)] =
    &[(".spv16.", "spv1.6"), (".spv15.", "spv1.5"), (".spv14.", "vulkan1.1spv1.4"), ("", "vulkan1.1")];

const ROCM_LLVM: (&str, &str) =
    ("https://github.com/r-rocm/rocm-llvm", "e87f1121b112bdd6a47cf1578e7142f977862cac");

pub(super) const CORPORA: &[Corpus] = &[
    Corpus {
        name: "llvm-tests",
        dialect: "llvm",
        url: ROCM_LLVM.0,
        commit: ROCM_LLVM.1,
        folders: &["llvm/test"],
        named: "*.ll",
        included: &[],
        targets: &[],
        defines: &[],
    },
    Corpus {
        name: "mir-tests",
        dialect: "mir",
        url: ROCM_LLVM.0,
        commit: ROCM_LLVM.1,
        folders: &["llvm/test/CodeGen", "llvm/test/DebugInfo", "llvm/test/MachineVerifier"],
        named: "*.mir",
        included: &[],
        targets: &[],
        defines: &[],
    },
    Corpus {
        name: "assembly-tests",
        dialect: "amdgpu",
        url: ROCM_LLVM.0,
        commit: ROCM_LLVM.1,
        folders: &["llvm/test/MC/AMDGPU"],
        named: "*.s",
        included: &[],
        targets: &[],
        defines: &[],
    },
    Corpus {
        name: "hipblaslt-kernels",
        dialect: "amdgpu",
        url: "https://github.com/ROCm/hipBLASLt",
        commit: "7d9fb683db25941d38c5f89749a2c26acc493992",
        folders: &["tensilelite"],
        named: "*.s",
        included: &[],
        targets: &[],
        defines: &[],
    },
    Corpus {
        name: "miopen-kernels",
        dialect: "amdgpu",
        url: "https://github.com/ROCm/MIOpen",
        commit: "2d1fd997a6fcf801ac4ca7a63e0656ef1cb9f488",
        folders: &["src/kernels"],
        named: "*.s",
        included: &["*.inc"],
        targets: OF_MIOPEN,
        defines: &["ROCM_METADATA_VERSION=5"],
    },
    Corpus {
        name: "translator-tests",
        dialect: "spirv",
        url: "https://github.com/KhronosGroup/SPIRV-LLVM-Translator",
        commit: "cea7c0e5fa6114f2e3ae83a6652bda7a6bccbc2b",
        folders: &["test"],
        named: "*.spvasm",
        included: &[],
        targets: &[],
        defines: &[],
    },
    Corpus {
        name: "cross-tests",
        dialect: "spirv",
        url: "https://github.com/KhronosGroup/SPIRV-Cross",
        commit: "6c09849fe88c48eaed08413aa022aaa136a3a057",
        folders: &[
            "shaders",
            "shaders-no-opt",
            "shaders-msl",
            "shaders-msl-no-opt",
            "shaders-hlsl",
            "shaders-hlsl-no-opt",
        ],
        named: "*.asm.*",
        included: &[],
        targets: OF_SPIRV_CROSS,
        defines: &[],
    },
    Corpus {
        name: "dawn-tests",
        dialect: "spirv",
        url: "https://github.com/google/dawn",
        commit: "1e975e28f98a0285e44150a7f64b3bb89f27c719",
        folders: &["test/tint"],
        named: "*.spvasm",
        included: &[],
        // Of all versions that tint writes.
        targets: &[("", "vulkan1.1spv1.4")],
        defines: &[],
    },
];

impl Corpus {
    /// Lays the corpus out below a folder, from a copy of its repository or from its address, and returns its files in order.
    pub(super) fn lay_out(&self, below: &Path, copy: Option<&Path>) -> Outcome<Vec<PathBuf>> {
        let folder = below.join(self.name);
        if !folder.is_dir() {
            let repository = match copy {
                Some(copy) => copy.to_owned(),
                None => self.fetch(below)?,
            };
            self.check_out(&repository, &folder)?;
        }
        let mut files = Vec::new();
        self.collect(&folder, &mut files)?;
        Ok(files)
    }

    /// The environment of SPIR-V or the processor that a file is meant for.
    pub(super) fn target(&self, path: &str) -> Option<&'static str> {
        self.targets.iter().find(|(part, _)| path.contains(part)).map(|(_, target)| *target)
    }

    /// Writes the files alone; nothing changes in the repository.
    fn check_out(&self, repository: &Path, folder: &Path) -> Outcome {
        std::fs::create_dir_all(folder).map_err(failed_at(folder))?;
        let mut git = Command::new("git");
        git.env("GIT_INDEX_FILE", folder.with_extension("index"));
        git.args(["-c", "core.bare=false", "--git-dir"]).arg(repository).arg("--work-tree").arg(folder);
        show(git.args(["checkout", "--quiet", self.commit, "--"]).args(self.patterns()))
    }

    /// The files as git's patterns.
    fn patterns(&self) -> impl Iterator<Item = String> {
        let names = || self.included.iter().copied().chain([self.named]);
        self.folders
            .iter()
            .flat_map(move |folder| names().map(move |name| format!(":(glob){folder}/**/{name}")))
    }

    /// Only the commit, without history.
    fn fetch(&self, below: &Path) -> Outcome<PathBuf> {
        let name = self.url.rsplit('/').next().unwrap_or(self.name);
        let repository = below.join(format!("{name}.git"));
        show(Command::new("git").args(["init", "--quiet", "--bare"]).arg(&repository))?;
        let mut git = Command::new("git");
        git.arg("--git-dir").arg(&repository);
        show(git.args(["fetch", "--depth=1", self.url, self.commit]))?;
        Ok(repository)
    }

    /// The files below a folder. One that a test gives to `split-file` is left out in favour of the files that come of it.
    fn collect(&self, folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
        for name in names(folder)? {
            let entry = folder.join(&name);
            if entry.is_dir() {
                self.collect(&entry, files)?;
            } else if fits(&name, self.named) {
                match is_split(&read(&entry)?) {
                    true => {
                        let parts = split(&entry)?;
                        self.collect(&parts, files)?;
                    }
                    false => files.push(entry),
                }
            }
        }
        Ok(())
    }
}

/// Whether a name is one of a corpus's.
fn fits(name: &str, named: &str) -> bool {
    let named = named.trim_start_matches('*');
    match named.strip_suffix('*') {
        Some(part) => name.contains(part),
        None => name.ends_with(named),
    }
}

/// Whether a test gives itself to `split-file`.
fn is_split(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let is_marker = |line: &str| line.trim_start_matches([';', '#', '/']).starts_with("--- ");
    text.contains("split-file") && text.lines().any(is_marker)
}

/// Replaces a file by a folder with what `split-file` writes.
fn split(file: &Path) -> Outcome<PathBuf> {
    let mut folder = file.as_os_str().to_owned();
    folder.push(".parts");
    let folder = PathBuf::from(folder);
    show(Command::new("split-file-22").arg(file).arg(&folder))?;
    std::fs::remove_file(file).map_err(failed_at(file))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcode_next_to_a_test_is_not_a_test() {
        assert!(fits("a.ll", "*.ll") && !fits("a.ll.bc", "*.ll"));
        assert!(fits("a.asm.frag", "*.asm.*") && !fits("a.frag", "*.asm.*"));
    }

    #[test]
    fn tests_with_sections_are_split() {
        assert!(is_split(b"; RUN: split-file %s %t\n;--- a.ll\n@g = global i32 0\n"));
        assert!(!is_split(b"; RUN: llvm-as %s\n--- |\n"));
    }

    #[test]
    fn the_first_part_of_a_path_that_fits_decides_the_target() {
        let corpus = CORPORA.iter().find(|corpus| corpus.name == "cross-tests");
        let of = |path| corpus.and_then(|corpus| corpus.target(path));
        assert_eq!(of("shaders/asm/comp/a.spv16.asm.comp"), Some("spv1.6"));
        assert_eq!(of("shaders/asm/comp/a.asm.comp"), Some("vulkan1.1"));
    }
}
