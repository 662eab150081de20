//! Where the commands of a test read and write. Folders are held open, and a path is resolved from the one that it is in, links
//! included, each time that it is used: whatever is made or replaced meanwhile, it does not leave that folder.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::Test;
use crate::folder::{self, Dir, OpenOptions};

/// A folder that is held open.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    dir: Dir,
}

impl Root {
    fn open(path: PathBuf) -> io::Result<Root> {
        let dir = folder::open(&path)?;
        Ok(Root { path, dir })
    }
}

/// What a word of a command leads to.
#[derive(Debug)]
pub(super) enum Place<'p> {
    /// `/dev/null`
    Nothing,
    /// A path below a folder, from that folder.
    Below(&'p Root, PathBuf),
}

/// What substitutions stand for, and the folders that commands may use.
#[derive(Debug)]
pub(super) struct Places {
    /// The private folder, which is where programs run and the only one that is written to.
    private: Root,
    /// Folders whose files may be read.
    roots: Vec<Root>,
    /// `%s`
    pub(super) test: PathBuf,
    /// `%t`
    temporary: PathBuf,
    /// `%S`, `%p`
    source: PathBuf,
}

/// Why a path is not used.
const OUTSIDE: &str = "it leads out of the folders that the test may use";

impl Places {
    /// `folder` is the private one.
    ///
    /// # Errors
    /// When it cannot be opened. A folder that does not exist has no files to read.
    pub(super) fn new(test: &Test, folder: &Path) -> io::Result<Places> {
        let name = match Path::new(&test.name).file_name() {
            Some(name) if !test.name.starts_with(['-', '@']) => name.to_owned(),
            _ => "test".into(),
        };
        Ok(Places {
            test: folder.join("test").join(&name),
            temporary: folder.join("out").join(&name).with_added_extension("tmp"),
            source: test.folder.clone().unwrap_or_else(|| folder.join("test")),
            private: Root::open(folder.to_owned())?,
            roots: test.roots.iter().filter_map(|root| Root::open(root.clone()).ok()).collect(),
        })
    }

    /// Where programs run.
    pub(super) fn folder(&self) -> &Path {
        &self.private.path
    }

    /// Folders that programs may read besides the private one.
    pub(super) fn readable(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| root.path.as_path())
    }

    /// The copy of the test that programs read, and the folder of `%t`.
    pub(super) fn write_test(&self, text: &str) -> io::Result<()> {
        self.private.dir.create_dir_all("test")?;
        self.private.dir.create_dir_all("out")?;
        let test = self.test.strip_prefix(self.folder()).map_err(io::Error::other)?;
        self.private.dir.write(test, text)
    }

    /// Where a word that may be read leads; its substitutions are expanded already.
    pub(super) fn find(&self, word: &str) -> Result<Place<'_>, String> {
        let outside = || Err(format!("`{word}`: {OUTSIDE}"));
        if word == "/dev/null" {
            return Ok(Place::Nothing);
        }
        // No program is given `~` by a shell, and some expand it themselves.
        if word.starts_with('~') || word.contains('\0') || cfg!(unix) && word.contains('\\') {
            return outside();
        }
        let path = self.folder().join(word);
        let roots = std::iter::once(&self.private).chain(&self.roots);
        // The longest one: the private folder may be in a folder of the user's.
        let found = roots.filter_map(|root| Some((root, path.strip_prefix(&root.path).ok()?)));
        let Some((root, rest)) = found.max_by_key(|(root, _)| root.path.as_os_str().len()) else {
            return outside();
        };
        // What exists is resolved with its links; of the rest, no part may go above the folder.
        let mut depth = 0i32;
        for part in rest.components() {
            depth += match part {
                std::path::Component::ParentDir => -1,
                std::path::Component::Normal(_) => 1,
                _ => 0,
            };
            if depth < 0 {
                return outside();
            }
        }
        if root.dir.canonicalize(rest).is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
            return outside();
        }
        // A program would wait for a named pipe.
        if root.dir.metadata(rest).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(format!("`{word}` is not a regular file"));
        }
        Ok(Place::Below(root, rest.to_owned()))
    }

    /// As [`Places::find`], for a word that is written.
    pub(super) fn find_written(&self, word: &str) -> Result<Place<'_>, String> {
        match self.find(word)? {
            Place::Below(root, path) if self.is_private(root) && path.components().next().is_some() => {
                Ok(Place::Below(root, path))
            }
            Place::Below(..) => Err(format!("`{word}` may be written outside the private folder")),
            Place::Nothing => Ok(Place::Nothing),
        }
    }

    fn is_private(&self, root: &Root) -> bool {
        std::ptr::eq(root, &self.private)
    }

    /// Whether a program that writes next to its input would stay in the private folder.
    pub(super) fn is_in_private(&self, word: &str) -> bool {
        self.find_written(word).is_ok()
    }

    /// The bytes of a regular file, at most so many.
    pub(super) fn read(&self, word: &str, limit: usize) -> Result<Vec<u8>, Problem> {
        let Place::Below(root, path) = self.find(word)? else { return Ok(Vec::new()) };
        let failed = |error: io::Error| Problem::Failed(format!("{word}: {error}"));
        let mut options = OpenOptions::new();
        options.read(true);
        // A named pipe without a writer would wait.
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let file = root.dir.open_with(&path, &options).map_err(failed)?;
        let found = file.metadata().map_err(failed)?;
        if !found.is_file() {
            return Err(Problem::Failed(format!("{word}: not a regular file")));
        }
        if found.len() > limit as u64 {
            return Err(Problem::TooMuch);
        }
        let mut bytes = Vec::new();
        file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > limit { Err(Problem::TooMuch) } else { Ok(bytes) }
    }

    /// Writes a file in the private folder.
    pub(super) fn write(&self, word: &str, append: bool, bytes: &[u8]) -> Result<(), String> {
        let Place::Below(root, path) = self.find_written(word)? else { return Ok(()) };
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(append).truncate(!append);
        let opened = root.dir.open_with(&path, &options);
        opened
            .and_then(|mut file| io::Write::write_all(&mut file, bytes))
            .map_err(|error| format!("{word}: {error}"))
    }

    /// Makes a folder and those above it.
    pub(super) fn make_folder(&self, word: &str) -> Result<(), String> {
        let Place::Below(root, path) = self.find_written(word)? else { return Ok(()) };
        root.dir.create_dir_all(path).map_err(|error| format!("{word}: {error}"))
    }

    /// Removes a file or a folder with all that is in it. What does not exist needs not be removed.
    pub(super) fn remove(&self, word: &str) -> Result<(), String> {
        let Place::Below(root, path) = self.find_written(word)? else { return Ok(()) };
        let removed = root.dir.remove_file(&path).or_else(|_| root.dir.remove_dir_all(&path));
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(format!("{word}: {error}")),
            _ => Ok(()),
        }
    }

    /// Bytes of all files in the private folder; links are not followed.
    pub(super) fn size(&self) -> u64 {
        fn size(folder: &Path) -> u64 {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let of = |entry: std::fs::DirEntry| match entry.metadata() {
                Ok(found) if found.is_dir() => size(&entry.path()),
                Ok(found) => found.len(),
                Err(_) => 0,
            };
            entries.map(of).sum()
        }
        size(self.folder())
    }

    /// A word with its substitutions.
    pub(super) fn expand(&self, word: &str) -> String {
        let mut expanded = String::new();
        let mut rest = word;
        while let Some(at) = rest.find('%') {
            let (before, after) = rest.split_at(at);
            expanded.push_str(before);
            let found = self.substitutions().into_iter().find(|(name, _)| after.starts_with(name));
            let (length, text) = match &found {
                Some((name, text)) => (name.len(), text.as_str()),
                None => (1, "%"),
            };
            expanded.push_str(text);
            rest = after.get(length..).unwrap_or("");
        }
        expanded + rest
    }

    /// Longer names first.
    fn substitutions(&self) -> [(&'static str, String); 16] {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let name =
            |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = self.test.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        [
            ("%{s:basename}", name(&self.test)),
            ("%{s:stem}", stem),
            ("%{t:stem}", name(&self.temporary.with_extension(""))),
            ("%{s:real}", text(&self.test)),
            ("%{t:real}", text(&self.temporary)),
            ("%basename_t", name(&self.temporary.with_extension(""))),
            ("%/s", text(&self.test)),
            ("%/t", text(&self.temporary)),
            ("%/S", text(&self.source)),
            ("%/p", text(&self.source)),
            ("%%", "%".to_owned()),
            ("%s", text(&self.test)),
            ("%t", text(&self.temporary)),
            ("%T", text(&self.folder().join("out"))),
            ("%S", text(&self.source)),
            ("%p", text(&self.source)),
        ]
    }
}

/// Why a file was not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Failed(String),
    /// It has more bytes than the test may still use.
    TooMuch,
}

impl From<String> for Problem {
    fn from(why: String) -> Problem {
        Problem::Failed(why)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A suite with links out of it, and a private folder next to it.
    fn places(parent: &Path) -> io::Result<Places> {
        let suite = parent.join("suite");
        std::fs::create_dir_all(suite.join("test"))?;
        std::fs::create_dir(parent.join("private"))?;
        std::fs::write(parent.join("secret"), "secret")?;
        std::fs::write(suite.join("input"), "input")?;
        symlink(parent.join("secret"), suite.join("test/link"))?;
        symlink(parent, suite.join("test/up"))?;
        symlink("../input", suite.join("test/inside"))?;
        symlink("/dev/zero", suite.join("test/zero"))?;
        let pipe = suite.join("test/pipe");
        rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
        let test = Test {
            name: "a.ll".to_owned(),
            folder: Some(suite.join("test")),
            roots: vec![suite],
            ..Test::default()
        };
        Places::new(&test, &parent.join("private"))
    }

    #[test]
    fn paths_do_not_leave_the_folders() -> io::Result<()> {
        let parent = crate::private::new_folder(&std::env::temp_dir(), "wavelens-places-")?;
        let places = places(&parent)?;
        places.write_test("text")?;
        let read = |word: &str| places.read(&places.expand(word), 100);
        assert_eq!(read("%S/../input"), Ok(b"input".to_vec()));
        assert_eq!(read("%S/inside"), Ok(b"input".to_vec()));
        assert_eq!(read("%s"), Ok(b"text".to_vec()));
        assert_eq!(read("/dev/null"), Ok(Vec::new()));
        for word in [
            "%S/link",
            "%S/up/secret",
            "%S/../../secret",
            "../secret",
            "../private/../secret",
            "%S/zero",
            "/dev/zero",
            "%S/pipe",
            "%S",
            "~/x",
        ] {
            assert!(matches!(read(word), Err(Problem::Failed(_))), "{word}: {:?}", read(word));
        }
        assert_eq!(places.read(&places.expand("%S/inside"), 3), Err(Problem::TooMuch));
        for word in
            ["../private/x", "../x", "%S/x", "%t/../../../x", "/private/x", ".", "out/../..", "%S/up/x"]
        {
            let word = places.expand(word);
            assert!(places.write(&word, false, b"x").is_err(), "{word}");
            assert!(places.make_folder(&word).is_err(), "{word}");
            assert!(places.remove(&word).is_err(), "{word}");
        }
        places.write(&places.expand("%t"), false, b"one").expect("it is private");
        places.write(&places.expand("%t"), true, b"two").expect("it is private");
        assert_eq!(read("out/../%t").ok(), None);
        assert_eq!(read("%t"), Ok(b"onetwo".to_vec()));
        assert_eq!(places.size(), 10);
        // A link that a program made.
        symlink(&parent, parent.join("private/out/up"))?;
        assert!(places.write(&places.expand("%T/up/secret"), false, b"x").is_err());
        assert_eq!(std::fs::read(parent.join("secret"))?, b"secret");
        places.remove("out").expect("it is private");
        assert!(parent.join("secret").exists() && !parent.join("private/out").exists());
        std::fs::remove_dir_all(parent)
    }
}
