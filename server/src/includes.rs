//! Reads the files that an assembly file includes, as far as they may be read.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use wavelens_semantics::Dialect;
use wavelens_semantics::dialect::included_names;
use wavelens_semantics::includes::{Included, IncludedFile, Includes};

use crate::input;
use crate::source::decode;

/// Where files are looked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    /// Folders whose files may be read; nothing else is, whatever a path or a link says. Absolute.
    pub(crate) roots: Vec<PathBuf>,
    /// Folders in which names are looked up, after that of the main file. Absolute.
    pub(crate) paths: Vec<PathBuf>,
}

/// Files of one assembly, and bytes of one file: more is not read.
const FILES: usize = 1000;
const SIZE: u64 = 32 << 20;

impl Search {
    /// For a file named on the command line: below the working folder or next to the file, and in the folders asked for.
    pub(crate) fn beside(main: &Path, paths: &[PathBuf]) -> Search {
        let paths: Vec<PathBuf> = paths.iter().filter_map(|p| std::path::absolute(p).ok()).collect();
        let mut roots = paths.clone();
        roots.extend(std::env::current_dir());
        let main = std::path::absolute(main).ok();
        roots.extend(main.and_then(|m| Some(m.parent()?.to_owned())));
        Search { roots, paths }
    }

    /// All files that `text` includes, and those that they include. `open` gives the text of a file that is being edited.
    pub(crate) fn load(
        &self,
        dialect: Dialect,
        text: &str,
        main: &Path,
        open: impl Fn(&Path) -> Option<String>,
    ) -> Includes {
        let mut found: BTreeMap<String, Included> = BTreeMap::new();
        let folder = |file: &Path| file.parent().map(Path::to_owned).unwrap_or_default();
        let main = folder(main);
        let mut work: Vec<_> = included_names(dialect, text).into_iter().map(|n| (n, main.clone())).collect();
        while let Some((name, beside)) = work.pop() {
            if found.contains_key(&name.name) || found.len() >= FILES {
                continue;
            }
            let folders = std::iter::once(&main).chain(&self.paths).chain([&beside]);
            let included = self.find(&name.name, folders, name.is_binary, &open);
            if let Included::File(file) = &included {
                let folder = folder(&file.path);
                work.extend(included_names(dialect, &file.text).into_iter().map(|n| (n, folder.clone())));
            }
            found.insert(name.name, included);
        }
        found.into_iter().collect()
    }

    fn find<'p>(
        &self,
        name: &str,
        folders: impl Iterator<Item = &'p PathBuf>,
        is_binary: bool,
        open: &impl Fn(&Path) -> Option<String>,
    ) -> Included {
        let mut outside = false;
        for folder in folders {
            let path = plain(&folder.join(name));
            if !self.allows(&path, false) {
                outside = true;
                continue;
            }
            let Ok(real) = path.canonicalize() else { continue };
            // A link may lead anywhere.
            if !self.allows(&real, true) {
                outside = true;
                continue;
            }
            match read(path, &real, is_binary, open) {
                Some(file) => return Included::File(Arc::new(file)),
                None => return Included::Unread,
            }
        }
        if outside { Included::Unread } else { Included::Missing }
    }

    fn allows(&self, path: &Path, real: bool) -> bool {
        let inside = |root: &PathBuf| match real {
            true => root.canonicalize().is_ok_and(|root| path.starts_with(root)),
            false => path.starts_with(root),
        };
        self.roots.iter().any(inside)
    }
}

fn read(
    path: PathBuf,
    real: &Path,
    is_binary: bool,
    open: &impl Fn(&Path) -> Option<String>,
) -> Option<IncludedFile> {
    let size = std::fs::metadata(real).ok().filter(|m| m.is_file())?.len();
    if is_binary {
        return Some(IncludedFile { path, text: Arc::from(""), size });
    }
    if size > SIZE {
        return None;
    }
    let text = match open(&path) {
        Some(text) => text,
        None => decode(input::read_within(input::open(real).ok()?, SIZE).ok()?),
    };
    Some(IncludedFile { path, size: text.len() as u64, text: text.into() })
}

/// A path without `.` and `..`, so that what it says can be trusted.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(includes: &Includes) -> Vec<String> {
        includes.files().map(|(_, f)| f.text.trim().to_owned()).collect()
    }

    #[test]
    fn files_are_read_inside_the_roots_alone() -> std::io::Result<()> {
        let folder = std::env::temp_dir().join(format!("wavelens-includes-{}", std::process::id()));
        let root = folder.join("root");
        std::fs::create_dir_all(root.join("sub"))?;
        std::fs::write(folder.join("secret"), "secret")?;
        std::fs::write(root.join("a.inc"), ".include \"b.inc\"")?;
        std::fs::write(root.join("sub/b.inc"), "deep")?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("secret"), root.join("link"))?;
        let search = Search { roots: vec![root.clone()], paths: vec![root.join("sub")] };
        let load = |text: &str| search.load(Dialect::Amdgpu, text, &root.join("main.s"), |_| None);
        assert_eq!(shown(&load(".include \"a.inc\"")), [".include \"b.inc\"", "deep"]);
        for text in ["../secret", "link", "sub/../../secret", "/etc/passwd"] {
            let found = load(&format!(".include \"{text}\""));
            assert_eq!(shown(&found), Vec::<String>::new(), "{text}");
            assert_eq!(found, [(text.to_owned(), Included::Unread)].into_iter().collect(), "{text}");
        }
        let missing = load(".include \"sub/none\"");
        assert_eq!(missing, [("sub/none".to_owned(), Included::Missing)].into_iter().collect());
        let edited = search.load(Dialect::Amdgpu, ".include \"a.inc\"", &root.join("main.s"), |path| {
            path.ends_with("a.inc").then(|| "newer".to_owned())
        });
        assert_eq!(shown(&edited), ["newer"]);
        std::fs::remove_dir_all(folder)
    }
}
