//! Finding and reading the project file of a document.

use std::path::{Path, PathBuf};

use wavelens_check::project::{FILE_NAME, Mistake, Project};

use crate::LineIndex;
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
    if std::fs::metadata(&path).ok()?.len() > SIZE {
        return None;
    }
    let text = decode(std::fs::read(&path).ok()?);
    let (project, mistakes) = Project::read(&path, &text);
    Some(Found { path, text, project, mistakes })
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
}
