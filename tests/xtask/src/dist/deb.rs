//! Packages for Debian and Ubuntu: an `ar` archive of two `tar` archives (deb(5)).

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

use super::archive::tar_gz;
use super::payload::{Part, Payload};
use super::{DESCRIPTION, HOMEPAGE, Release, SUMMARY};
use crate::Outcome;
use crate::repository::write;

/// `wavelens_VERSION_ARCHITECTURE.deb`.
pub(crate) fn make(release: &Release, payload: &Payload, out: &Path) -> Outcome<PathBuf> {
    let (architecture, _) = release.architectures()?;
    let mut files =
        vec![("./usr/share/doc/wavelens/copyright".to_owned(), 0o644, copyright(payload).into_bytes())];
    for file in &payload.files {
        let Some(path) = file.system_path("vendor-completions") else { continue };
        match file.part {
            Part::Man => files.push((format!(".{path}.gz"), 0o644, compressed(&file.content)?)),
            _ => files.push((format!(".{path}"), file.mode(), file.content.clone())),
        }
    }
    files.sort();
    let size: usize = files.iter().map(|(_, _, content)| content.len()).sum();
    let data = tar_gz(
        files.iter().map(|(path, mode, content)| (path.clone(), *mode, content.as_slice())),
        release.time,
    )?;
    let control = control(release, architecture, size.div_ceil(1024));
    let control = tar_gz(std::iter::once(("./control".to_owned(), 0o644, control.as_bytes())), release.time)?;
    let mut package = b"!<arch>\n".to_vec();
    for (name, content) in
        [("debian-binary", b"2.0\n".as_slice()), ("control.tar.gz", &control), ("data.tar.gz", &data)]
    {
        member(&mut package, name, content, release.time);
    }
    let path = out.join(format!("wavelens_{}_{architecture}.deb", release.version));
    write(&path, package)?;
    Ok(path)
}

/// One member of an `ar` archive; they begin at even offsets.
fn member(package: &mut Vec<u8>, name: &str, content: &[u8], time: u64) {
    let header = format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 100644, content.len());
    package.extend(header.bytes().chain(content.iter().copied()));
    if content.len() % 2 == 1 {
        package.push(b'\n');
    }
}

fn control(release: &Release, architecture: &str, kilobytes: usize) -> String {
    format!(
        "Package: wavelens\nVersion: {}\nArchitecture: {architecture}\nMaintainer: The Wavelens developers <wavelens@users.noreply.github.com>\n\
         Installed-Size: {kilobytes}\nDepends: libc6, libgcc-s1\nSuggests: llvm-22, mesa-vulkan-drivers, neovim, emacs\n\
         Section: devel\nPriority: optional\nHomepage: {}\nDescription: {}\n{}",
        release.version,
        HOMEPAGE,
        SUMMARY,
        DESCRIPTION.lines().map(|line| format!(" {line}\n")).collect::<String>(),
    )
}

fn copyright(payload: &Payload) -> String {
    let mut text = "MIT or Apache-2.0, at your option. The libraries inside the program are listed in the bill of materials of the release.\n".to_owned();
    for file in payload.files.iter().filter(|file| file.name.starts_with("LICENSE")) {
        text += &format!("\n{}\n\n{}", file.name, String::from_utf8_lossy(&file.content));
    }
    text
}

fn compressed(content: &[u8]) -> Outcome<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(content).and_then(|()| encoder.finish()).map_err(|e| e.to_string())
}
