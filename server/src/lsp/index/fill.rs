//! The thread that reads the workspace's files.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use wavelens_base::Dialect;
use wavelens_codegen::{cache, priority, private};

use super::entry::{self, Entry, Stamp};
use super::{Index, Workspace};
use crate::lsp::progress;

/// How long the thread waits for the first answers to be given.
const PAUSE: Duration = Duration::from_millis(300);
/// Files and folders that are looked at.
const ENTRIES: usize = 200_000;
/// Files that are read: the tests of LLVM have 47,000.
const FILES: usize = 60_000;
/// Progress is shown when at least so many files have to be read.
const SHOWN: usize = 100;
/// What is on disk is written again after so many changes; files that have changed since are read again in the next session.
const CHANGES: usize = 100;
/// What no session has used for so long is removed.
const UNUSED: Duration = Duration::from_secs(60 * 24 * 3600);

/// What is on disk.
#[derive(Serialize, Deserialize)]
struct Saved<F> {
    /// Of the program, and how columns are counted.
    version: String,
    files: F,
}

/// Reads the workspace, and then what changes, until the index is stopped.
pub(super) fn run(index: &Index, workspace: &Workspace, changes: &Receiver<Vec<PathBuf>>) {
    priority::step_back();
    std::thread::sleep(PAUSE);
    let disk = file_of(workspace);
    fill(index, workspace, disk.as_deref());
    let mut unsaved = 0;
    while let Ok(files) = changes.recv() {
        let is_ours = |path: &PathBuf| workspace.folders.iter().any(|folder| path.starts_with(folder));
        for path in files.into_iter().filter(|path| is_ours(path) && has_dialect(path)) {
            let stamp = path.metadata().ok().filter(|data| data.is_file()).map(|data| Stamp::of(&data));
            if stamp != index.stamp(&path) {
                let found = stamp.map(|stamp| entry::read(&path, stamp, workspace.encoding));
                index.set(path, found);
                unsaved += 1;
            }
        }
        if unsaved >= CHANGES && !index.is_stopped() {
            unsaved = 0;
            save(index, workspace, disk.as_deref());
        }
    }
}

/// Takes over what is on disk, and reads what has changed since.
pub(super) fn fill(index: &Index, workspace: &Workspace, disk: Option<&Path>) {
    let mut known = disk.and_then(|disk| load(disk, workspace)).unwrap_or_default();
    let mut missing = Vec::new();
    let before = known.len();
    for (path, stamp) in files(index, workspace) {
        match known.remove(&path).filter(|entry| entry.stamp == stamp) {
            Some(entry) => index.set(path, Some(entry)),
            None => missing.push((path, stamp)),
        }
    }
    let steps = workspace.progress.as_ref().filter(|_| missing.len() >= SHOWN);
    let steps = steps.map(|outbox| progress::begin_steps(outbox, "Indexing".to_owned(), String::new()));
    let count = missing.len();
    for (number, (path, stamp)) in missing.into_iter().enumerate() {
        if index.is_stopped() {
            return;
        }
        if let Some(steps) = &steps {
            steps.report(format!("{number} of {count} files"));
        }
        let found = entry::read(&path, stamp, workspace.encoding);
        index.set(path, Some(found));
    }
    if count > 0 || !known.is_empty() || before == 0 {
        save(index, workspace, disk);
    }
}

/// Whether a folder is one that a project is in: not a whole disk, and not all that a user has.
pub(super) fn is_project(folder: &Path) -> bool {
    folder.parent().is_some() && std::env::home_dir().is_none_or(|home| home != folder)
}

fn has_dialect(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| Dialect::from_file_name(name).is_some())
}

/// The files of the workspace that may have names.
fn files(index: &Index, workspace: &Workspace) -> BTreeMap<PathBuf, Stamp> {
    let mut found = BTreeMap::new();
    let Some((first, others)) = workspace.folders.split_first() else { return found };
    let mut walk = ignore::WalkBuilder::new(first);
    for folder in others {
        walk.add(folder);
    }
    // As `git status` and search in editors see the workspace.
    for file in walk.require_git(false).build().take(ENTRIES).flatten() {
        if index.is_stopped() || found.len() >= FILES {
            break;
        }
        if file.file_type().is_some_and(|kind| kind.is_file())
            && has_dialect(file.path())
            && let Ok(data) = file.metadata()
        {
            found.insert(file.into_path(), Stamp::of(&data));
        }
    }
    found
}

/// The file on disk for the folders of a workspace.
fn file_of(workspace: &Workspace) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    workspace.folders.hash(&mut hasher);
    let folder = cache::default_folder()?.parent()?.join("index");
    Some(folder.join(format!("{:016x}.json", hasher.finish())))
}

fn version(workspace: &Workspace) -> String {
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), workspace.encoding)
}

fn load(disk: &Path, workspace: &Workspace) -> Option<BTreeMap<PathBuf, Entry>> {
    // What others could have written is not read.
    private::check(disk.parent()?).ok()?;
    let saved: Saved<BTreeMap<PathBuf, Entry>> = serde_json::from_slice(&std::fs::read(disk).ok()?).ok()?;
    (saved.version == version(workspace)).then_some(saved.files)
}

/// Writes what is known. A session without it reads all files again.
fn save(index: &Index, workspace: &Workspace, disk: Option<&Path>) {
    let Some((disk, folder)) = disk.and_then(|disk| Some((disk, disk.parent()?))) else { return };
    let saved = Saved { version: version(workspace), files: &*index.files() };
    let Ok(json) = serde_json::to_vec(&saved) else { return };
    // Other sessions never see half of it.
    let part = disk.with_extension(format!("{}.part", std::process::id()));
    let written = private::folder(folder).and_then(|()| std::fs::write(&part, json));
    let _ = written.and_then(|()| std::fs::rename(&part, disk));
    remove_unused(folder);
}

fn remove_unused(folder: &Path) {
    let is_unused = |path: &Path| {
        let written = path.metadata().and_then(|data| data.modified());
        let age = written.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        age.is_some_and(|age| age > UNUSED)
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    for path in files.filter(|path| path.extension().is_some_and(|e| e == "json") && is_unused(path)) {
        let _ = std::fs::remove_file(path);
    }
}
