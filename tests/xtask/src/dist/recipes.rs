//! Recipes of package managers: templates below `tests/xtask/dist`, with version and checksums of a release.

use std::path::{Path, PathBuf};

use super::{Release, sha256};
use crate::Outcome;
use crate::repository::{read, read_text, root, write};

/// Templates, relative to `tests/xtask/dist`; a file of the release is called `FOLDER-NAME`.
const TEMPLATES: [&str; 4] =
    ["homebrew/wavelens.rb", "aur/PKGBUILD", "scoop/wavelens.json", "mason/package.yaml"];

/// The filled templates, from the archives of all targets in the folder.
pub(crate) fn make(release: &Release, out: &Path) -> Outcome<Vec<PathBuf>> {
    let mut made = Vec::new();
    for template in TEMPLATES {
        let text = read_text(&root().join("tests/xtask/dist").join(template))?;
        let filled = filled(&text, &release.version, |target| {
            let archive = out.join(format!("wavelens-{}-{target}.tar.gz", release.version));
            Ok(sha256(&read(&archive)?))
        })?;
        let path = out.join(template.replace('/', "-"));
        write(&path, filled)?;
        made.push(path);
    }
    Ok(made)
}

/// Replaces `@VERSION@` and `@SHA256:TARGET@`.
pub(crate) fn filled(
    template: &str,
    version: &str,
    sum_of: impl Fn(&str) -> Outcome<String>,
) -> Outcome<String> {
    let text = template.replace("@VERSION@", version);
    let mut parts = text.split("@SHA256:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once('@').ok_or("a checksum's target does not end")?;
        out += &sum_of(target)?;
        out += rest;
    }
    Ok(out)
}
