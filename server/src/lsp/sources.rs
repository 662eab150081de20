//! Files that debug information names. They are looked for on disk, which can block: never while a snapshot is held.
//!
//! The document decides what is named, so only regular files that are named like source code are shown, and only from the folders of
//! the workspace, those that `sourceFileMap` names, and those that the user allowed when asked.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lsp_types::{Hover, HoverContents, Location, Position, Range};
use wavelens_ide::features::SourcePlace;
use wavelens_ide::markdown::{block, code, safe};

use super::permission::{Folder, Outside};
use super::source_lines::SourceLines;
use super::{runtime, uri};
use crate::input::open_below;

/// How long an answer waits for a disk.
const PATIENCE: Duration = Duration::from_millis(400);
/// A line is cut off here.
const COLUMNS: usize = 200;

/// A place in a file that may exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Where it may be, best first. Absolute.
    candidates: Vec<PathBuf>,
    /// Folders whose files may be shown.
    folders: Vec<PathBuf>,
    /// As debug information names it.
    name: String,
    line: u32,
    column: u32,
    /// The line, if debug information holds the text.
    text: Option<String>,
}

impl Source {
    /// `map` replaces the starts of paths; `document` is the file that holds the debug information; `workspace` has folders whose files
    /// may be shown, without one that of the document counts.
    pub(super) fn new(
        place: &SourcePlace,
        map: &[(String, String)],
        document: Option<&Path>,
        workspace: &[PathBuf],
    ) -> Source {
        let is_absolute =
            |path: &str| path.starts_with('/') || path.get(1..3).is_some_and(|p| p == ":\\" || p == ":/");
        let slash = if place.directory.contains('\\') { '\\' } else { '/' };
        let full = match is_absolute(&place.file) || place.directory.is_empty() {
            true => place.file.clone(),
            false => format!("{}{slash}{}", place.directory.trim_end_matches(['/', '\\']), place.file),
        };
        let mapped = map.iter().find_map(|(from, to)| {
            let rest = full.strip_prefix(from.as_str()).filter(|_| !from.is_empty())?;
            let whole = from.ends_with(['/', '\\']) || rest.is_empty() || rest.starts_with(['/', '\\']);
            whole.then(|| format!("{to}{}", rest.replace('\\', "/")))
        });
        let beside = document.and_then(Path::parent).filter(|_| !is_absolute(&full));
        let paths = mapped.into_iter().chain([full.clone()]).map(PathBuf::from);
        let mut candidates: Vec<PathBuf> = paths.collect();
        candidates.extend(beside.map(|folder| folder.join(&full)));
        // Names of other machines are not asked for: opening them can send credentials.
        candidates.retain(|path| {
            path.is_absolute()
                && !path.to_string_lossy().starts_with("//")
                && !path.to_string_lossy().starts_with("\\\\")
                && is_source(path)
        });
        let mut folders = workspace.to_vec();
        if folders.is_empty() {
            folders.extend(document.and_then(Path::parent).map(Path::to_owned));
        }
        folders.extend(map.iter().map(|(_, to)| PathBuf::from(to)));
        let text = place.text.as_ref().map(|text| text.line.clone());
        Source { candidates, folders, name: place.file.clone(), line: place.line, column: place.column, text }
    }

    /// Whether debug information can mean this file.
    pub(super) fn may_be(&self, path: &Path) -> bool {
        self.candidates.iter().any(|own| own == path)
    }

    /// The file, opened, and its path.
    fn find(&self, allowed: &[Folder]) -> Option<(&PathBuf, File)> {
        let open =
            |path: &PathBuf| open_below(&self.folders, path).ok().or_else(|| open_allowed(allowed, path));
        self.candidates.iter().find_map(|path| Some((path, open(path)?)))
    }

    /// The first file that exists and is shown after a question alone. Nothing of it is read.
    fn outside(&self) -> Option<Outside> {
        self.candidates.iter().find_map(|path| {
            let real = path.canonicalize().ok().filter(|real| is_source(real))?;
            let folder = Folder { named: path.parent()?.to_owned(), real: real.parent()?.to_owned() };
            let is_same = real.file_name() == path.file_name() && real.metadata().ok()?.is_file();
            let file = uri::uri(path).filter(|_| is_same)?;
            Some(Outside { folder, file, range: self.range() })
        })
    }

    /// The line that is meant, if the file exists and is text.
    fn read_line(&self, lines: &SourceLines, allowed: &[Folder]) -> Option<String> {
        let index = self.line.checked_sub(1)?;
        let (path, file) = self.find(allowed)?;
        let line = lines.read(path, file, index as usize)?;
        Some(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    fn range(&self) -> Range {
        let position = Position::new(self.line.saturating_sub(1), self.column.saturating_sub(1));
        Range::new(position, position)
    }

    fn location(&self, allowed: &[Folder]) -> Option<Location> {
        Some(Location::new(uri::uri(self.find(allowed)?.0)?, self.range()))
    }

    fn note(&self, lines: &SourceLines, allowed: &[Folder]) -> Option<String> {
        let line = self.text.clone().or_else(|| self.read_line(lines, allowed))?;
        let line: String = line.trim().chars().take(COLUMNS).collect();
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        // The language of the block is the ending.
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_plain = ending.bytes().all(|b| b.is_ascii_alphanumeric());
        let ending = if is_plain { ending } else { "" };
        let place = code(&format!("{name}:{}", self.line));
        (!line.is_empty()).then(|| safe(&format!("{place}\n\n{}", block(ending, &line))))
    }
}

/// Whether a file is named like source code that debug information describes.
fn is_source(path: &Path) -> bool {
    const KINDS: &[&str] = &[
        "ada", "adb", "ads", "asm", "c", "c++", "cc", "cl", "cl++", "clcpp", "comp", "cpp", "cr", "cs", "cu",
        "cuh", "cxx", "d", "def", "f", "f03", "f08", "f77", "f90", "f95", "for", "frag", "fs", "geom",
        "glsl", "go", "h", "h++", "hh", "hip", "hlsl", "hlsli", "hpp", "hs", "hxx", "inc", "inl", "ipp",
        "ispc", "java", "jl", "kt", "ll", "m", "mesh", "metal", "mir", "ml", "mlir", "mm", "mojo", "nim",
        "odin", "osl", "pas", "py", "rahit", "rcall", "rchit", "rgen", "rint", "rmiss", "rs", "s", "scala",
        "slang", "spvasm", "swift", "sycl", "task", "tcc", "td", "tesc", "tese", "tpp", "vert", "wgsl",
        "zig",
    ];
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| KINDS.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Opens a file in a folder that the user allowed.
fn open_allowed(allowed: &[Folder], path: &Path) -> Option<File> {
    allowed.iter().find_map(|Folder { named, real }| {
        let rest = path.strip_prefix(named).ok()?;
        open_below([real], &real.join(rest)).ok()
    })
}

/// Runs something that waits for a disk; `None` if it takes too long.
async fn on_disk<R: Send + 'static>(work: impl FnOnce() -> Option<R> + Send + 'static) -> Option<R> {
    runtime::timeout(PATIENCE, runtime::blocking(work)).await??
}

/// Adds the line of the source to a hover.
pub(super) async fn with_line(
    mut hover: Hover,
    source: Source,
    lines: Arc<SourceLines>,
    allowed: Vec<Folder>,
) -> Hover {
    if let Some(note) = on_disk(move || source.note(&lines, &allowed)).await
        && let HoverContents::Markup(markup) = &mut hover.contents
    {
        markup.value = format!("{}\n\n{note}\n", markup.value.trim_end());
    }
    hover
}

/// Where the place is, if its file exists and may be shown.
pub(super) async fn location(source: Source, allowed: Vec<Folder>) -> Option<Location> {
    on_disk(move || source.location(&allowed)).await
}

/// What to ask the user about, if the file exists where it is not shown.
pub(super) async fn outside(source: Source) -> Option<Outside> {
    on_disk(move || source.outside()).await
}

/// The places whose files exist.
pub(super) async fn existing(sources: Vec<(Range, Source)>, allowed: Vec<Folder>) -> Vec<(Range, Location)> {
    let find = move || {
        let found =
            sources.into_iter().filter_map(|(range, source)| Some((range, source.location(&allowed)?)));
        Some(found.collect())
    };
    on_disk(find).await.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use wavelens_base::TextRange;

    use super::*;

    fn place(directory: &str, file: &str) -> SourcePlace {
        SourcePlace {
            origin: TextRange::default(),
            directory: directory.to_owned(),
            file: file.to_owned(),
            line: 2,
            column: 3,
            text: None,
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_are_joined_and_mapped() {
        let map = [("/build/src".to_owned(), "/home/me/src".to_owned())];
        let document = Path::new("/dumps/a.ll");
        let candidates = |directory, file| {
            let source = Source::new(&place(directory, file), &map, Some(document), &[]);
            source.candidates.iter().map(|p| p.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(candidates("/build/src/", "lib/a.c"), "/home/me/src/lib/a.c /build/src/lib/a.c");
        assert_eq!(candidates("/build/srcs", "a.c"), "/build/srcs/a.c");
        assert_eq!(candidates("/build", "/usr/include/b.h"), "/usr/include/b.h");
        assert_eq!(candidates("", "a.frag"), "/dumps/a.frag");
        assert_eq!(candidates("", "//server/share/a.c"), "");
    }

    #[test]
    fn a_missing_file_is_not_an_error() {
        let source = Source::new(&place("/no/such/folder", "a.c"), &[], None, &[]);
        assert_eq!((source.location(&[]), source.note(&SourceLines::default(), &[])), (None, None));
    }

    #[test]
    fn a_line_is_read_from_disk() {
        let folder = std::env::temp_dir().join(format!("wavelens-sources-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder is made");
        std::fs::write(folder.join("a.c"), "int main() {\n  return 0;\n}\n").expect("the file is written");
        let workspace = [folder.clone()];
        let source = Source::new(&place(&folder.to_string_lossy(), "a.c"), &[], None, &workspace);
        let (note, location) = (source.note(&SourceLines::default(), &[]), source.location(&[]));
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
        assert_eq!(note.as_deref(), Some("`a.c:2`\n\n```c\nreturn 0;\n```"));
        assert_eq!(location.map(|l| l.range.start), Some(Position::new(1, 2)));
    }

    #[cfg(unix)]
    #[test]
    fn only_source_files_of_the_workspace_are_shown() -> std::io::Result<()> {
        let folder = std::env::temp_dir().join(format!("wavelens-shown-{}", std::process::id()));
        let (workspace, other) = (folder.join("workspace"), folder.join("other"));
        std::fs::create_dir_all(&workspace)?;
        std::fs::create_dir_all(&other)?;
        for file in ["workspace/a.c", "workspace/key", "workspace/.env", "other/a.c"] {
            std::fs::write(folder.join(file), "one\ntwo\n")?;
        }
        std::os::unix::fs::symlink(other.join("a.c"), workspace.join("link.c"))?;
        std::os::unix::fs::symlink("/dev/zero", workspace.join("zero.c"))?;
        let shown = |directory: &Path, file: &str, map: &[(String, String)]| {
            let place = place(&directory.to_string_lossy(), file);
            let source =
                Source::new(&place, map, Some(&workspace.join("x.ll")), std::slice::from_ref(&workspace));
            (source.note(&SourceLines::default(), &[]).is_some(), source.location(&[]).is_some())
        };
        assert_eq!(shown(&workspace, "a.c", &[]), (true, true));
        for (directory, file) in [
            (workspace.as_path(), "key"),
            (&workspace, ".env"),
            (&workspace, "link.c"),
            (&workspace, "zero.c"),
            (&workspace, "../other/a.c"),
            (&other, "a.c"),
            (Path::new("/etc"), "passwd"),
            (Path::new("/proc/self"), "environ"),
        ] {
            assert_eq!(shown(directory, file, &[]), (false, false), "{} {file}", directory.display());
        }
        let map = [("/build".to_owned(), other.to_string_lossy().into_owned())];
        assert_eq!(shown(Path::new("/build"), "a.c", &map), (true, true));
        std::fs::remove_dir_all(folder)
    }

    #[cfg(unix)]
    #[test]
    fn an_allowed_folder_is_the_one_that_was_shown() -> std::io::Result<()> {
        let folder = std::env::temp_dir().join(format!("wavelens-allowed-{}", std::process::id()));
        for name in ["workspace", "other/deep", "secret"] {
            std::fs::create_dir_all(folder.join(name))?;
        }
        for file in ["other/a.c", "other/deep/b.c", "other/key", "secret/a.c", "secret/key"] {
            std::fs::write(folder.join(file), "one\ntwo\n")?;
        }
        let (link, other) = (folder.join("link"), folder.join("other").canonicalize()?);
        std::os::unix::fs::symlink(&other, &link)?;
        std::os::unix::fs::symlink(folder.join("secret/key"), other.join("key.c"))?;
        let workspace = [folder.join("workspace")];
        let source = |file: &str| Source::new(&place(&folder.to_string_lossy(), file), &[], None, &workspace);
        let asked = source("link/a.c").outside().map(|outside| outside.folder);
        assert_eq!(asked, Some(Folder { named: link.clone(), real: other }));
        for file in ["link/key", "link/key.c", "link", "no.c"] {
            assert_eq!(source(file).outside(), None, "{file}");
        }
        let allowed: Vec<Folder> = asked.into_iter().collect();
        let is_shown = |file: &str| source(file).location(&allowed).is_some();
        assert!(is_shown("link/a.c") && is_shown("link/deep/b.c"));
        for file in ["secret/a.c", "link/../secret/a.c", "link/key.c", "other/a.c"] {
            assert!(!is_shown(file), "{file}");
        }
        // The link leads elsewhere now: the folder that was allowed is shown, not that.
        std::fs::remove_file(&link)?;
        std::os::unix::fs::symlink(folder.join("secret"), &link)?;
        std::fs::remove_file(folder.join("other/a.c"))?;
        assert!(!is_shown("link/a.c"));
        std::fs::remove_dir_all(folder)
    }
}
