//! Reads the files that an assembly file includes, as far as they may be read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use wavelens_base::Dialect;
use wavelens_base::includes::{Included, IncludedFile, Includes};
use wavelens_check::dialect::included_names;

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

/// Names in one assembly, bytes of one file, and of all files of an assembly: more is not read.
const FILES: usize = 1000;
const SIZE: u64 = 32 << 20;
const TOTAL: u64 = 64 << 20;

/// Files that were read for one assembly. Each counts once, however it is named.
#[derive(Debug, Default)]
struct Loaded {
    /// By their real paths.
    files: BTreeMap<PathBuf, Arc<IncludedFile>>,
    bytes: u64,
}

impl Search {
    /// All files that `text` includes, and those that they include. `open` gives the text of a file that is being edited.
    pub(crate) fn load(
        &self,
        dialect: Dialect,
        text: &str,
        main: &Path,
        open: impl Fn(&Path) -> Option<String>,
    ) -> Includes {
        let mut found: BTreeMap<String, Included> = BTreeMap::new();
        let mut loaded = Loaded::default();
        let folder = |file: &Path| file.parent().map(Path::to_owned).unwrap_or_default();
        let main = folder(main);
        let mut work: Vec<_> = included_names(dialect, text).into_iter().map(|n| (n, main.clone())).collect();
        while let Some((name, beside)) = work.pop() {
            if found.contains_key(&name.name) || found.len() >= FILES {
                continue;
            }
            let folders = std::iter::once(&main).chain(&self.paths).chain([&beside]);
            let known = loaded.files.len();
            let included = self.find(&name.name, folders, &mut loaded, (name.is_binary, &open));
            if let Included::File(file) = &included
                && loaded.files.len() > known
            {
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
        loaded: &mut Loaded,
        (is_binary, open): (bool, &impl Fn(&Path) -> Option<String>),
    ) -> Included {
        let mut outside = false;
        for folder in folders {
            let path = plain(&folder.join(name));
            match input::open_below(&self.roots, &path) {
                Ok(file) => {
                    let file = loaded.read(path, file, is_binary, open);
                    return file.map_or(Included::Unread, Included::File);
                }
                Err(error) => match error.kind() {
                    ErrorKind::NotFound | ErrorKind::NotADirectory => {}
                    ErrorKind::PermissionDenied => outside = true,
                    _ => return Included::Unread,
                },
            }
        }
        if outside { Included::Unread } else { Included::Missing }
    }
}

impl Loaded {
    fn read(
        &mut self,
        path: PathBuf,
        file: File,
        is_binary: bool,
        open: &impl Fn(&Path) -> Option<String>,
    ) -> Option<Arc<IncludedFile>> {
        let size = file.metadata().ok()?.len();
        if is_binary {
            return Some(Arc::new(IncludedFile { path, text: Arc::from(""), size }));
        }
        let real = path.canonicalize().ok()?;
        if let Some(known) = self.files.get(&real) {
            return Some(known.clone());
        }
        let left = SIZE.min(TOTAL - self.bytes);
        if size > left {
            return None;
        }
        let text = match open(&path) {
            Some(text) => text,
            None => decode(input::read_within(file, left).ok()?),
        };
        let file = Arc::new(IncludedFile { path, size: text.len() as u64, text: text.into() });
        self.bytes = (self.bytes + file.size).min(TOTAL);
        self.files.insert(real, file.clone());
        Some(file)
    }
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

    #[test]
    fn a_file_counts_once_however_it_is_named() -> std::io::Result<()> {
        let folder = std::env::temp_dir().join(format!("wavelens-included-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub"))?;
        std::fs::write(folder.join("a.inc"), ".set x, 1\n")?;
        let large = File::create(folder.join("b.inc"))?;
        large.set_len(SIZE)?;
        std::fs::copy(folder.join("b.inc"), folder.join("c.inc"))?;
        std::fs::copy(folder.join("b.inc"), folder.join("d.inc"))?;
        let search = Search { roots: vec![folder.clone()], paths: Vec::new() };
        let load = |names: &[&str]| {
            let text: String = names.iter().map(|name| format!(".include \"{name}\"\n")).collect();
            search.load(Dialect::Amdgpu, &text, &folder.join("main.s"), |_| None)
        };
        let found = load(&["a.inc", "./a.inc", "sub/../a.inc", "././a.inc"]);
        let files: Vec<_> = found.files().map(|(_, file)| file.clone()).collect();
        assert_eq!(files.len(), 4);
        assert!(files.iter().all(|file| Arc::ptr_eq(file, &files[0])));
        // Three files are more than is read for one assembly, and the last one is read first.
        let found = load(&["b.inc", "./b.inc", "c.inc", "d.inc"]);
        assert_eq!(found.files().count(), 2);
        std::fs::remove_dir_all(folder)
    }
}
