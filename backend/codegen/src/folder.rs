//! A folder that is held open: a path is resolved from it, and does not lead out of it, links included.

#[cfg(not(target_family = "wasm"))]
pub(crate) use cap_std::fs::{Dir, OpenOptions};
#[cfg(target_family = "wasm")]
pub(crate) use none::{Dir, OpenOptions};

use std::io;
use std::path::Path;

/// Opens a folder.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn open(path: &Path) -> io::Result<Dir> {
    Dir::open_ambient_dir(path, cap_std::ambient_authority())
}

/// A browser has no folders.
#[cfg(target_family = "wasm")]
pub(crate) fn open(_: &Path) -> io::Result<Dir> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There is none, so nothing can be asked of one.
#[cfg(target_family = "wasm")]
mod none {
    use std::fs::{File, Metadata};
    use std::io::Result;
    use std::path::{Path, PathBuf};

    pub(crate) use std::fs::OpenOptions;

    #[derive(Debug)]
    pub(crate) enum Dir {}

    impl Dir {
        pub(crate) fn canonicalize(&self, _: impl AsRef<Path>) -> Result<PathBuf> {
            match *self {}
        }

        pub(crate) fn create_dir_all(&self, _: impl AsRef<Path>) -> Result<()> {
            match *self {}
        }

        pub(crate) fn metadata(&self, _: impl AsRef<Path>) -> Result<Metadata> {
            match *self {}
        }

        pub(crate) fn open_with(&self, _: impl AsRef<Path>, _: &OpenOptions) -> Result<File> {
            match *self {}
        }

        pub(crate) fn remove_dir_all(&self, _: impl AsRef<Path>) -> Result<()> {
            match *self {}
        }

        pub(crate) fn remove_file(&self, _: impl AsRef<Path>) -> Result<()> {
            match *self {}
        }

        pub(crate) fn write(&self, _: impl AsRef<Path>, _: impl AsRef<[u8]>) -> Result<()> {
            match *self {}
        }
    }
}
