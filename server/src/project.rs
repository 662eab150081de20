//! Finding and reading the project file of a document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wavelens_base::configuration::{Known, Origin};
use wavelens_check::project::{FILE_NAME, INSTALLED, Mistake, Project};
use wavelens_isa::Target;

use crate::LineIndex;
use crate::compile;
use crate::input;
use crate::source::decode;

/// A project file that was found, and what is wrong with it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) project: Option<Project>,
    pub(crate) mistakes: Vec<Mistake>,
}

/// A larger file is not a project file.
const SIZE: u64 = 1 << 20;

/// The project file of the nearest folder above a file.
pub(crate) fn find(file: &Path) -> Option<Found> {
    let file = std::path::absolute(file).ok()?;
    let path = file.ancestors().skip(1).map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file())?;
    read(&path).ok()
}

/// Reads a project file.
///
/// # Errors
/// It cannot be read, or is too large for one.
pub(crate) fn read(path: &Path) -> std::io::Result<Found> {
    if std::fs::metadata(path)?.len() > SIZE {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    let text = decode(std::fs::read(path)?);
    let (mut project, mut mistakes) = Project::read(path, &text);
    if let Some(project) = project.as_mut().filter(|project| project.follows_installed()) {
        match compile::installed_level(None) {
            Some(level) => project.set_level(level),
            None => mistakes.push(Mistake::warning(&text, INSTALLED, "no LLVM is installed")),
        }
    }
    Ok(Found { path: path.to_owned(), text, project, mistakes })
}

/// The processor that a compiler noted next to a file: Triton's cache has that of `KERNEL.llir` in `KERNEL.json`. It is for this file
/// alone, so it precedes that of the project.
pub(crate) fn noted_processor(file: &Path) -> Option<Known<String>> {
    file.extension().filter(|kind| *kind == "llir" || *kind == "amdgcn")?;
    let path = std::path::absolute(file).ok()?.with_extension("json");
    let note: serde_json::Value = serde_json::from_slice(&input::read_small(&path, SIZE).ok()?).ok()?;
    let processor = note["target"]["arch"].as_str().filter(|name| Target::of_id(name).is_some())?;
    Some(Known::new(processor.to_owned(), Origin::Project(Arc::from(path.to_string_lossy()))))
}

impl Found {
    /// One line for each mistake: place and message.
    pub(crate) fn complaints(&self) -> impl Iterator<Item = String> {
        let index = LineIndex::new(&self.text);
        self.mistakes.iter().map(move |mistake| {
            let (line, column) = index.position(mistake.range.start());
            format!("{}:{}:{}: {}", self.path.display(), line + 1, column + 1, mistake.message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_project_file_is_found() {
        let folder = std::env::temp_dir().join(format!("wavelens-project-{}", std::process::id()));
        let inner = folder.join("a/b");
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::write(folder.join(FILE_NAME), "target = \"gfx942\"\ncolour = 1\n").expect("a file");
        let found = find(&inner.join("x.s")).expect("a project file");
        let complaints: Vec<String> = found.complaints().collect();
        assert_eq!(found.path, folder.join(FILE_NAME));
        assert!(found.project.is_none());
        assert!(complaints[0].contains("wavelens.toml:2:1: unknown field `colour`"), "{complaints:?}");
        std::fs::write(folder.join("a").join(FILE_NAME), "target = \"gfx900\"\n").expect("a file");
        let found = find(&inner.join("x.s")).expect("a project file");
        assert_eq!((found.path, found.mistakes.len()), (folder.join("a").join(FILE_NAME), 0));
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }

    #[test]
    fn the_cache_of_triton_notes_the_processor() {
        let folder = std::env::temp_dir().join(format!("wavelens-noted-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let note = |text: &str| std::fs::write(folder.join("k.json"), text).expect("a file");
        let of = |name: &str| noted_processor(&folder.join(name)).map(|known| known.value);
        assert_eq!(of("k.llir"), None);
        note(r#"{"hash": "d6", "target": {"backend": "hip", "arch": "gfx1250", "warp_size": 32}}"#);
        assert_eq!(
            [of("k.llir"), of("k.amdgcn"), of("k.ll")],
            [Some("gfx1250".into()), Some("gfx1250".into()), None]
        );
        note(r#"{"target": {"backend": "cuda", "arch": 90}}"#);
        assert_eq!(of("k.llir"), None);
        note("not JSON");
        assert_eq!(of("k.llir"), None);
        // A device that has no end, and a pipe that nobody writes to.
        #[cfg(unix)]
        for make in ["ln -sf /dev/zero", "rm -f k.json; mkfifo"] {
            let mut shell = std::process::Command::new("sh");
            let made = shell.arg("-c").arg(format!("{make} k.json")).current_dir(&folder).status();
            assert!(made.is_ok_and(|status| status.success()), "{make}");
            assert_eq!(of("k.llir"), None, "{make}");
        }
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }
}
