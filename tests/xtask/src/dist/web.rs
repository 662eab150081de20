//! The playground as an archive, and the npm package.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use super::archive::tar_gz;
use crate::Outcome;
use crate::repository::{Scratch, failed_at, names, read, root, show, write};
use crate::web::{module, playground};

pub(crate) fn make(release: &Release, out: &Path) -> Outcome<Vec<PathBuf>> {
    let out = std::path::absolute(out).map_err(failed_at(out))?;
    module(false)?;
    let npm = root().join("editors/web/npm");
    show(Command::new("npm").current_dir(&npm).args(["pack", "--silent", "--pack-destination"]).arg(&out))?;
    let scratch = Scratch::new("playground")?;
    let name = format!("wavelens-{}-playground", release.version);
    let page = scratch.path().join(&name);
    playground(&page)?;
    let files: Vec<(String, Vec<u8>)> = names(&page)?
        .into_iter()
        .map(|file| read(&page.join(&file)).map(|content| (format!("{name}/{file}"), content)))
        .collect::<Outcome<_>>()?;
    let files = files.iter().map(|(file, content)| (file.clone(), 0o644, content.as_slice()));
    let archive = out.join(format!("{name}.tar.gz"));
    write(&archive, tar_gz(files, release.time)?)?;
    Ok(vec![out.join(format!("wavelens-{}.tgz", release.version)), archive])
}
