//! Archives. The same files make the same bytes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use super::Release;
use super::payload::{File, Part, Payload};
use crate::Outcome;
use crate::repository::write;

/// `wavelens-VERSION-TARGET.tar.gz`, with everything in one folder: except on Windows with `bin` and `share`, so that
/// `tar -xzf ARCHIVE -C ~/.local --strip-components=1` installs it.
pub(crate) fn make(release: &Release, payload: &Payload, out: &Path) -> Outcome<PathBuf> {
    let folder = format!("wavelens-{}-{}", release.version, release.target);
    let is_flat = release.target.contains("windows");
    let mut files: Vec<_> = payload
        .files
        .iter()
        .map(|file| {
            let inside = if is_flat { flat_path(file) } else { installed_path(file) };
            (format!("{folder}/{inside}"), file.mode(), file.content.as_slice())
        })
        .collect();
    files.sort();
    let files = files.into_iter();
    let path = out.join(format!("{folder}.tar.gz"));
    write(&path, tar_gz(files, release.time)?)?;
    Ok(path)
}

fn flat_path(file: &File) -> String {
    let folder = match file.part {
        Part::Program | Part::Document => "",
        Part::Completion(_) => "completions/",
        Part::Man => "man/",
        Part::Editor => "editors/",
    };
    format!("{folder}{}", file.name)
}

/// The path below a prefix such as `~/.local`.
fn installed_path(file: &File) -> String {
    let path = file.system_path("site-functions");
    let path = path.unwrap_or_else(|| format!("/usr/share/doc/wavelens/{}", file.name));
    path.trim_start_matches("/usr/").to_owned()
}

/// An archive of files given as path, mode and content; folders come before what is in them.
pub(crate) fn tar_gz<'f>(
    files: impl Iterator<Item = (String, u32, &'f [u8])>,
    time: u64,
) -> Outcome<Vec<u8>> {
    let encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(encoder);
    let mut folders = BTreeSet::new();
    let text = |e: std::io::Error| e.to_string();
    for (path, mode, content) in files {
        let above: Vec<_> = path.match_indices('/').map(|(at, _)| path[..=at].to_owned()).collect();
        for folder in above.into_iter().filter(|folder| folder != "./") {
            if folders.insert(folder.clone()) {
                append(&mut archive, &folder, 0o755, &[], time).map_err(text)?;
            }
        }
        append(&mut archive, &path, mode, content, time).map_err(text)?;
    }
    archive.into_inner().and_then(|encoder| encoder.finish()).map_err(text)
}

/// Appends a file, or a folder if the path ends in `/`.
fn append<W: std::io::Write>(
    archive: &mut tar::Builder<W>,
    path: &str,
    mode: u32,
    content: &[u8],
    time: u64,
) -> std::io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(if path.ends_with('/') {
        tar::EntryType::Directory
    } else {
        tar::EntryType::Regular
    });
    header.set_size(content.len() as u64);
    header.set_mode(mode);
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root")?;
    header.set_groupname("root")?;
    archive.append_data(&mut header, path, content)
}
