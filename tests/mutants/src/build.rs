//! A copy of the project that holds all drawn mutants, in one build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::mutant::Mutant;
use crate::{Outcome, schemata};

/// The project, and its copy.
pub(crate) struct Tree {
    pub(crate) project: PathBuf,
    pub(crate) copy: PathBuf,
}

/// A program with tests, and the folder they start in.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) folder: PathBuf,
}

impl Tree {
    /// Copies what git knows and does not ignore; files that did not change keep their time, so that cargo builds few crates again.
    /// The files with mutants are left out.
    pub(crate) fn copy(&self, without: &BTreeSet<&str>) -> Outcome {
        let mut git = Command::new("git");
        git.current_dir(&self.project).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output = git.output().map_err(|e| format!("git: {e}"))?;
        let names = String::from_utf8_lossy(&output.stdout);
        let names: BTreeSet<&str> = names.split_terminator('\0').collect();
        self.remove_others(&names)?;
        for name in names.iter().filter(|name| !without.contains(*name)) {
            let from = self.project.join(name);
            if from.is_file() && !name.ends_with("Cargo.toml") {
                let text = std::fs::read(&from).map_err(|e| format!("{name}: {e}"))?;
                write(&self.copy.join(name), &text)?;
                let permissions = std::fs::metadata(&from).map_err(|e| e.to_string())?.permissions();
                std::fs::set_permissions(self.copy.join(name), permissions).map_err(|e| e.to_string())?;
            } else if from.is_file() {
                self.manifest(name)?;
            }
        }
        Ok(())
    }

    /// Removes the files of an earlier copy that the project no longer has.
    fn remove_others(&self, names: &BTreeSet<&str>) -> Outcome {
        let mut folders = vec![self.copy.clone()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
                let name =
                    path.strip_prefix(&self.copy).ok().and_then(|name| name.to_str()).unwrap_or_default();
                if path.is_dir() && name != "target" {
                    folders.push(path);
                } else if path.is_file() && !names.contains(name) {
                    std::fs::remove_file(&path).map_err(|e| format!("{name}: {e}"))?;
                }
            }
        }
        Ok(())
    }

    /// Manifests of the copy depend on the switch.
    fn manifest(&self, name: &str) -> Outcome {
        let text = std::fs::read_to_string(self.project.join(name)).map_err(|e| format!("{name}: {e}"))?;
        let switch = self.project.join("tests/mutants/switch");
        let dependency = format!("[dependencies]\nmutant-switch = {{ path = {switch:?} }}\n");
        write(&self.copy.join(name), text.replacen("[dependencies]\n", &dependency, 1).as_bytes())
    }

    /// Writes the files with the mutants that are left into the copy; returns those that no place takes.
    pub(crate) fn mutate(
        &self,
        files: &BTreeSet<&str>,
        mutants: &BTreeMap<u32, Mutant>,
    ) -> Outcome<BTreeSet<u32>> {
        let mut files: BTreeMap<&str, Vec<(u32, &Mutant)>> =
            files.iter().map(|file| (*file, Vec::new())).collect();
        for (number, mutant) in mutants {
            files.entry(&mutant.file).or_default().push((*number, mutant));
        }
        let mut without_place = BTreeSet::new();
        for (file, drawn) in files {
            let text =
                std::fs::read_to_string(self.project.join(file)).map_err(|e| format!("{file}: {e}"))?;
            let (text, left) = schemata::write(&text, &drawn).map_err(|e| format!("{file}: {e}"))?;
            without_place.extend(left);
            write(&self.copy.join(file), text.as_bytes())?;
        }
        Ok(without_place)
    }

    /// The mutants that the compiler rejects.
    pub(crate) fn rejected(&self) -> Outcome<BTreeSet<u32>> {
        let mut rejected = BTreeSet::new();
        let mut unexplained = String::new();
        for message in self.cargo(&["check", "--workspace", "--exclude", "xtask"])? {
            let message = &message["message"];
            if message["level"] != "error" || message["spans"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            let spans = message["spans"].as_array().into_iter().flatten();
            let mut culprits = BTreeSet::new();
            let (primary, others): (Vec<&Value>, Vec<&Value>) =
                spans.partition(|span| span["is_primary"] == true);
            for span in primary.into_iter().chain(others) {
                if culprits.is_empty() {
                    culprits.extend(self.mutants_at(span));
                }
            }
            if culprits.is_empty() {
                unexplained += message["rendered"].as_str().unwrap_or_default();
            }
            rejected.extend(culprits);
        }
        match rejected.is_empty() && !unexplained.is_empty() {
            true => Err(format!("the copy does not compile:\n{unexplained}")),
            false => Ok(rejected),
        }
    }

    fn mutants_at(&self, span: &Value) -> Vec<u32> {
        let text =
            span["file_name"].as_str().and_then(|file| std::fs::read_to_string(self.copy.join(file)).ok());
        let offset = |name: &str| span[name].as_u64().and_then(|offset| usize::try_from(offset).ok());
        match (text, offset("byte_start"), offset("byte_end")) {
            (Some(text), Some(start), Some(end)) => schemata::mutants_at(&text, start..end),
            _ => Vec::new(),
        }
    }

    /// Builds the programs with tests: those of the crates, `fast` and `exhaustive`. `sessions` starts processes for minutes and tells
    /// little for its time.
    pub(crate) fn programs(&self) -> Outcome<Vec<Program>> {
        let mut programs = Vec::new();
        for message in
            self.cargo(&["test", "--workspace", "--exclude", "xtask", "--exclude", "wavelens", "--no-run"])?
        {
            let manifest = message["manifest_path"].as_str().map(Path::new);
            if let (Some(path), Some(manifest)) = (message["executable"].as_str(), manifest)
                && message["profile"]["test"] == true
            {
                let folder = manifest.parent().unwrap_or(&self.copy).to_owned();
                let target = &message["target"];
                let name = target["name"].as_str().unwrap_or_default().to_owned();
                let kind = target["kind"][0].as_str().unwrap_or_default();
                programs.push(Program { name: format!("{kind} {name}"), path: path.into(), folder });
            }
        }
        if programs.is_empty() {
            return Err("the copy has no tests, or does not compile".into());
        }
        Ok(programs)
    }

    fn cargo(&self, arguments: &[&str]) -> Outcome<Vec<Value>> {
        eprintln!("cargo {}", arguments.join(" "));
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.copy).args(arguments).args(["--quiet", "--message-format", "json"]);
        let output = cargo.stderr(Stdio::inherit()).output().map_err(|e| format!("cargo: {e}"))?;
        let lines = String::from_utf8_lossy(&output.stdout);
        Ok(lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|e| format!("{}: {e}", path.display()))
}
