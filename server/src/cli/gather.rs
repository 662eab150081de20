//! The files to check: those named, and those in the folders named.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use wavelens_base::Dialect;
use wavelens_check::project::Globs;

use super::output::{count, detail, note, say};
use super::target::{absolute, project_of};
use crate::input::{is_standard_input, name_standard_input};
use crate::shown;
use crate::source::decode;

/// Which files of folders are left out.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct FileArguments {
    /// Leave out files and folders in folders, as in .gitignore: build/, *.generated.ll.
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    exclude: Vec<String>,
    /// Name of standard input: its ending tells the language, and its folder the project file.
    #[arg(long, value_name = "PATH", help_heading = "Files")]
    stdin_filename: Option<PathBuf>,
    /// Work on at most so many files at the same time; default: one for each core.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Files")]
    jobs: Option<u16>,
}

impl FileArguments {
    /// The files of some paths; no path is the current folder.
    ///
    /// # Errors
    /// A wrong value; the message says which.
    pub(super) fn gather(&self, paths: &[PathBuf], dialect: Option<Dialect>) -> Result<Gathered, String> {
        let mut exclude = Globs::default();
        for glob in &self.exclude {
            exclude.add(glob).map_err(|problem| format!("`--exclude {glob}`: {problem}"))?;
        }
        if let Some(jobs) = self.jobs {
            // Fails only if threads run already.
            let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs.into()).build_global();
        }
        let gathered = match &self.stdin_filename {
            Some(name) if paths.iter().all(|path| path == Path::new("-")) => {
                name_standard_input(name);
                gather(std::slice::from_ref(name), dialect, &exclude)
            }
            Some(_) => {
                return Err("`--stdin-filename` names standard input, and there are other paths".to_owned());
            }
            None if paths.is_empty() => gather(&[PathBuf::from(".")], dialect, &exclude),
            None => gather(paths, dialect, &exclude),
        };
        gathered.report();
        Ok(gathered)
    }
}

/// Files in the order given; in a folder, in that of their names.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) files: Vec<PathBuf>,
    /// As they were named.
    paths: Vec<PathBuf>,
    /// Paths that could not be read.
    pub(super) unreadable: usize,
    /// Files in folders whose names belong to a dialect, and whose text does not look like it: `.s` files of another machine.
    unlike: BTreeMap<Dialect, usize>,
    /// Files in folders of another dialect than the one asked for.
    other_dialect: usize,
    /// Links in folders to files elsewhere.
    links: usize,
}

/// How much of a file tells its machine, in bytes.
const HEAD: u64 = 64 << 10;

/// `exclude` is relative to the current folder, and holds in folders only.
pub(super) fn gather(paths: &[PathBuf], dialect: Option<Dialect>, exclude: &Globs) -> Gathered {
    let mut gathered = Gathered { paths: paths.to_owned(), ..Gathered::default() };
    for path in paths {
        if is_standard_input(path) || !path.is_dir() {
            gathered.files.push(path.clone());
        } else {
            gathered.folder(path, dialect, exclude);
        }
    }
    gathered
}

impl Gathered {
    fn folder(&mut self, folder: &Path, dialect: Option<Dialect>, exclude: &Globs) {
        let mut walk = ignore::WalkBuilder::new(folder);
        walk.standard_filters(false).hidden(true).sort_by_file_path(Ord::cmp);
        let (globs, here) = (exclude.clone(), absolute(Path::new(".")));
        walk.filter_entry(move |entry| {
            let path = absolute(entry.path());
            entry.depth() == 0 || !globs.is_match(path.strip_prefix(&here).unwrap_or(&path))
        });
        // A link to a file counts as the file, if it stays here: whoever made a folder does not decide what else is shown or written.
        let roots: Vec<PathBuf> =
            [folder, Path::new(".")].iter().filter_map(|root| root.canonicalize().ok()).collect();
        let leads_out = |path: &Path| {
            path.canonicalize().is_ok_and(|real| !roots.iter().any(|root| real.starts_with(root)))
        };
        for entry in walk.build() {
            match entry {
                // Links to folders may lead in circles.
                Ok(entry) if entry.path().is_file() => {
                    // `.` is where paths start anyway.
                    let path = entry.path();
                    let is_elsewhere = entry.path_is_symlink() && leads_out(path);
                    self.candidate(path.strip_prefix(".").unwrap_or(path), dialect, is_elsewhere);
                }
                Ok(_) => {}
                Err(error) => {
                    self.unreadable += 1;
                    say(error);
                }
            }
        }
    }

    fn candidate(&mut self, path: &Path, asked: Option<Dialect>, is_elsewhere: bool) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(found) = Dialect::from_file_name(&name) else { return };
        let project = project_of(path);
        let is_excluded = project.and_then(|found| Some(found.project.as_ref()?.excludes(&absolute(path))));
        let why = if is_excluded == Some(true) {
            "`exclude` of wavelens.toml"
        } else if is_elsewhere {
            self.links += 1;
            "a link to a file elsewhere"
        } else if asked.is_some_and(|asked| asked != found) {
            self.other_dialect += 1;
            "another dialect"
        } else if asked.is_none() && found.is_shared_name(&name) && !has_content_of(path, found) {
            *self.unlike.entry(found).or_default() += 1;
            return detail(|| {
                format!("{}: skipped: does not look like {}", shown::path(path), found.title())
            });
        } else {
            return self.files.push(path.to_owned());
        };
        detail(|| format!("{}: skipped: {why}", shown::path(path)));
    }

    /// Why files in folders were left out, if any were.
    fn skipped(&self) -> Option<String> {
        let mut parts = Vec::new();
        for (dialect, files) in &self.unlike {
            parts.push(format!(
                "{} that {} not look like {} (`--dialect {dialect}` checks them)",
                count(*files, "file"),
                if *files == 1 { "does" } else { "do" },
                dialect.title(),
            ));
        }
        if self.other_dialect > 0 {
            parts.push(format!("{} of another dialect", count(self.other_dialect, "file")));
        }
        if self.links > 0 {
            parts.push(format!("{} to files elsewhere (naming a file reads it)", count(self.links, "link")));
        }
        (!parts.is_empty()).then(|| format!("skipped {}", parts.join(" and ")))
    }

    /// Notes what was left out; with no file at all, one line says why.
    fn report(&self) {
        match self.skipped() {
            skipped if self.files.is_empty() => {
                let paths: Vec<String> = self.paths.iter().map(|p| shown::path(p)).collect();
                let skipped = skipped.map(|s| format!("; {s}")).unwrap_or_default();
                say(format!("no files to check in {}{skipped}", paths.join(", ")));
            }
            Some(skipped) => note(skipped),
            None => {}
        }
    }
}

fn has_content_of(path: &Path, dialect: Dialect) -> bool {
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    // A file that cannot be read is taken, so that checking it says so.
    read.is_err() || Dialect::from_content(&decode(head)) == Some(dialect)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_in_a_folder_do_not_lead_out_of_it() -> std::io::Result<()> {
        let parent = std::env::temp_dir().join(format!("wavelens-gather-{}", std::process::id()));
        let folder = parent.join("suite");
        std::fs::create_dir_all(folder.join("inner"))?;
        for file in ["secret.ll", "suite/a.ll"] {
            std::fs::write(parent.join(file), "")?;
        }
        symlink("../a.ll", folder.join("inner/b.ll"))?;
        symlink("../secret.ll", folder.join("c.ll"))?;
        symlink(&parent, folder.join("up"))?;
        let names = |found: &Gathered| -> Vec<String> {
            let name = |path: &PathBuf| path.strip_prefix(&parent).unwrap_or(path).display().to_string();
            found.files.iter().map(name).collect()
        };
        let found = gather(std::slice::from_ref(&folder), None, &Globs::default());
        assert_eq!(names(&found), ["suite/a.ll", "suite/inner/b.ll"]);
        let skipped = "skipped 1 link to files elsewhere (naming a file reads it)";
        assert_eq!(found.skipped().as_deref(), Some(skipped));
        // Who names a link wants its file.
        let found = gather(&[folder.join("c.ll")], None, &Globs::default());
        assert_eq!((names(&found), found.skipped()), (vec!["suite/c.ll".to_owned()], None));
        std::fs::remove_dir_all(parent)
    }
}
