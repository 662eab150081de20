//! The options, passes and features that LLVM's programs have.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Sections `[name]`, then one name a line.
const NAMES: &str = include_str!("tables/names.txt");

/// The names of a section of the table.
fn section(name: &str) -> &'static [&'static str] {
    static SECTIONS: OnceLock<FxHashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    let sections = SECTIONS.get_or_init(|| {
        let mut sections: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let mut current = "";
        for line in NAMES.lines() {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(name) => current = name,
                None => sections.entry(current).or_default().push(line),
            }
        }
        sections
    });
    sections.get(name).map_or(&[], Vec::as_slice)
}

/// The options of a program without dashes, its own and those of the libraries it is linked with, in alphabetical order each.
/// `None` for other programs.
fn option_sections(program: &str) -> Option<[&'static [&'static str]; 2]> {
    let (own, library) = match program {
        "llc" => ("options llc", true),
        "opt" => ("options opt", true),
        "llvm-mc" => ("options llvm-mc", true),
        "llvm-as" => ("options llvm-as", true),
        "FileCheck" => ("options FileCheck", false),
        _ => return None,
    };
    let library = if library { section("options") } else { &[] };
    Some([section(own), library])
}

/// The options of a program without dashes. `None` for other programs.
pub(super) fn options(program: &str) -> Option<impl Iterator<Item = &'static str> + Clone> {
    option_sections(program).map(|sections| sections.into_iter().flatten().copied())
}

/// Whether a program has an option.
pub(super) fn has_option(program: &str, option: &str) -> bool {
    option_sections(program).is_some_and(|all| all.iter().any(|s| s.binary_search(&option).is_ok()))
}

/// What an option takes a list of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// Passes over Machine IR, and those of the old pass manager.
    MachinePasses,
    /// Passes of `opt -passes=`.
    Passes,
    /// AMDGPU features, each after `+` or `-`.
    Features,
}

impl List {
    /// What an option of a program takes a list of.
    pub(super) fn of(program: &str, option: &str) -> Option<List> {
        match (program, option) {
            ("llc", "run-pass" | "start-after" | "start-before" | "stop-after" | "stop-before") => {
                Some(List::MachinePasses)
            }
            ("opt", "passes") => Some(List::Passes),
            ("llc" | "opt" | "llvm-mc", "mattr") => Some(List::Features),
            _ => None,
        }
    }

    /// As a message names one of the list.
    pub(super) fn item(self) -> &'static str {
        match self {
            List::MachinePasses | List::Passes => "pass",
            List::Features => "AMDGPU feature",
        }
    }

    /// In alphabetical order each.
    fn sections(self) -> [&'static [&'static str]; 2] {
        match self {
            List::MachinePasses => [section("passes llc"), &["none"]],
            List::Passes => [section("passes opt"), ADAPTORS],
            List::Features => [section("features amdgcn"), &[]],
        }
    }

    /// The known names.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        self.sections().into_iter().flatten().copied()
    }

    /// Whether a name is known. Case makes no difference in features.
    pub(super) fn has(self, name: &str) -> bool {
        let is_one = |name: &str| self.sections().iter().any(|s| s.binary_search(&name).is_ok());
        is_one(name) || self == List::Features && is_one(&name.to_ascii_lowercase())
    }
}

/// Names of features of AMDGPU, as LLVM 22 prints them.
pub fn amdgpu_features() -> impl Iterator<Item = &'static str> + Clone {
    List::Features.names()
}

/// Whether LLVM 22 has a feature of AMDGPU.
pub fn is_amdgpu_feature(name: &str) -> bool {
    List::Features.has(name)
}

/// Words of `-passes=` that are not passes.
const ADAPTORS: &[&str] = &[
    "cgscc",
    "coro-cond",
    "default",
    "devirt",
    "function",
    "loop",
    "loop-mssa",
    "lto",
    "lto-pre-link",
    "machine-function",
    "module",
    "repeat",
    "thinlto",
    "thinlto-pre-link",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_share_the_options_of_libraries() {
        let has =
            |program: &str, option: &str| options(program).is_some_and(|mut all| all.any(|o| o == option));
        assert!(has("llc", "mcpu") && has("llc", "amdgpu-function-calls") && has("llc", "run-pass"));
        assert!(has("opt", "passes") && has("opt", "unroll-count") && !has("opt", "run-pass"));
        assert!(
            has("llvm-mc", "show-encoding")
                && has("FileCheck", "check-prefixes")
                && !has("FileCheck", "mcpu")
        );
        assert!(options("rm").is_none());
        let names: Vec<_> = options("llc").into_iter().flatten().collect();
        assert!(names.iter().all(|name| has_option("llc", name)), "the table is sorted");
    }

    #[test]
    fn lists_have_names() {
        let has = List::has;
        for list in [List::MachinePasses, List::Passes, List::Features] {
            assert!(list.names().all(|name| list.has(name)), "the table is sorted");
        }
        assert!(has(List::MachinePasses, "si-fold-operands") && has(List::Passes, "instcombine"));
        assert!(has(List::Features, "wavefrontsize64") && !has(List::Passes, "[features amdgcn]"));
    }
}
