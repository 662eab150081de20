//! Packages for Fedora, RHEL and openSUSE.

use std::path::{Path, PathBuf};

use rpm::{BuildConfig, CompressionType, Dependency, FileOptions, PackageBuilder};

use super::payload::{Part, Payload};
use super::{DESCRIPTION, HOMEPAGE, Release, SUMMARY};
use crate::Outcome;
use crate::repository::failed_at;

/// `wavelens-VERSION-1.ARCHITECTURE.rpm`.
pub(crate) fn make(release: &Release, payload: &Payload, out: &Path) -> Outcome<PathBuf> {
    let (_, architecture) = release.architectures()?;
    let path = out.join(format!("wavelens-{}-1.{architecture}.rpm", release.version));
    package(release, payload, architecture)
        .and_then(|package| package.write_file(&path))
        .map_err(failed_at(&path))?;
    Ok(path)
}

fn package(release: &Release, payload: &Payload, architecture: &str) -> Result<rpm::Package, rpm::Error> {
    let time = u32::try_from(release.time).unwrap_or(0);
    let config = BuildConfig::v4().compression(CompressionType::Gzip).source_date(time);
    let mut builder =
        PackageBuilder::new("wavelens", &release.version, "MIT OR Apache-2.0", architecture, SUMMARY);
    builder.using_config(config).release("1").url(HOMEPAGE).description(DESCRIPTION).build_host("localhost");
    builder.requires(Dependency::any("glibc")).requires(Dependency::any("libgcc"));
    for file in &payload.files {
        let path = match file.part {
            Part::Document if file.name.starts_with("LICENSE") => {
                format!("/usr/share/licenses/wavelens/{}", file.name)
            }
            _ => match file.system_path("site-functions") {
                Some(path) => path,
                None => continue,
            },
        };
        let options = FileOptions::new(path).permissions(file.mode() as u16);
        builder.with_file_contents(file.content.clone(), options)?;
    }
    builder.build()
}
