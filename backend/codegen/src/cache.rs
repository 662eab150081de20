//! Reports kept across restarts, by content, bounded.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::private;
use crate::report::{Report, Request};

/// A folder of reports. Every failure to read or write is a miss: a cache must not break the main thing.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// Bytes that the folder may hold.
    limit: u64,
}

impl Cache {
    /// A cache in a folder, of up to `limit` bytes. The folder is made when something is kept.
    pub fn new(folder: PathBuf, limit: u64) -> Self {
        Cache { folder, limit }
    }

    /// `tools` names what compiles, with its version.
    pub fn get(&self, request: &Request, tools: &str) -> Option<Report> {
        // What others could have written is not read.
        private::check(&self.folder).ok()?;
        let path = self.path(request, tools);
        let (stored, report): (Request, Report) = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
        // The hash finds the file; the request decides.
        (stored == *request).then_some(report)
    }

    /// Keeps a report for the next equal request with the same tools.
    pub fn put(&self, request: &Request, tools: &str, report: &Report) {
        let Ok(bytes) = serde_json::to_vec(&(request, report)) else { return };
        if private::folder(&self.folder).is_err() {
            return;
        }
        let path = self.path(request, tools);
        // Written aside and renamed, so that a reader never sees half a file.
        let aside = Self::aside(&path);
        if std::fs::write(&aside, bytes).and_then(|()| std::fs::rename(&aside, &path)).is_err() {
            let _ = std::fs::remove_file(&aside);
        }
        self.shrink();
    }

    fn aside(path: &Path) -> PathBuf {
        path.with_extension(format!("{}.part", std::process::id()))
    }

    fn path(&self, request: &Request, tools: &str) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        (request, tools).hash(&mut hasher);
        self.folder.join(format!("{:016x}.json", hasher.finish()))
    }

    /// Removes the oldest files until the folder is within its limit.
    fn shrink(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let now = SystemTime::now();
        // A time to come is from before the clock was set back.
        let written = |time: SystemTime| if time > now { SystemTime::UNIX_EPOCH } else { time };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|e| {
                let e = e.ok()?;
                let data = e.metadata().ok()?;
                Some((written(data.modified().ok()?), data.len(), e.path()))
            })
            .collect();
        files.sort();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in files {
            if total <= self.limit {
                break;
            }
            total -= size;
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The user's cache folder for this program.
pub fn default_folder() -> Option<PathBuf> {
    let home = |key: &str| std::env::var_os(key).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = home("XDG_CACHE_HOME").or_else(|| home("HOME").map(|h| h.join(".cache")))?;
    Some(base.join(Path::new("wavelens/codegen")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Input, Source};

    fn request(text: &str) -> Request {
        Request {
            source: Source::LlvmIr,
            input: Input::Text(text.to_owned()),
            target: "gfx900".to_owned(),
            features: Vec::new(),
            triple: String::new(),
            opt_level: 2,
            flags: Vec::new(),
            passes: String::new(),
            opt_flags: None,
        }
    }

    #[test]
    fn what_is_put_is_got_and_damage_is_a_miss() {
        let folder = std::env::temp_dir().join(format!("wavelens-cache-{}", std::process::id()));
        let cache = Cache::new(folder.clone(), 1 << 20);
        let tool = "llc 22.1";
        let report = Report { isa: "s_endpgm\n".to_owned(), ..Report::default() };
        assert_eq!(cache.get(&request("a"), tool), None);
        cache.put(&request("a"), tool, &report);
        assert_eq!(cache.get(&request("a"), tool), Some(report.clone()));
        assert_eq!(cache.get(&request("b"), tool), None);
        std::fs::write(cache.path(&request("a"), tool), b"{").expect("is writable");
        assert_eq!(cache.get(&request("a"), tool), None);
        let small = Cache::new(folder.clone(), 10);
        small.put(&request("c"), tool, &report);
        assert_eq!(small.get(&request("c"), tool), None);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn after_the_clock_was_set_back_new_reports_stay() {
        let folder = std::env::temp_dir().join(format!("wavelens-clock-{}", std::process::id()));
        let cache = Cache::new(folder.clone(), 1 << 20);
        cache.put(&request("old"), "llc", &Report::default());
        let old = std::fs::File::options().write(true).open(cache.path(&request("old"), "llc"));
        let old = old.expect("it is there");
        let later = SystemTime::now() + std::time::Duration::from_secs(1 << 20);
        old.set_modified(later).expect("it is ours");
        let size = old.metadata().expect("it is there").len();
        Cache::new(folder.clone(), size + size / 2).put(&request("new"), "llc", &Report::default());
        assert_eq!(cache.get(&request("old"), "llc"), None);
        assert_eq!(cache.get(&request("new"), "llc"), Some(Report::default()));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_others_can_write_is_not_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("wavelens-open-{}", std::process::id()));
        let cache = Cache::new(folder.clone(), 1 << 20);
        cache.put(&request("a"), "llc", &Report::default());
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).expect("it is ours");
        assert_eq!(cache.get(&request("a"), "llc"), None);
        cache.put(&request("b"), "llc", &Report::default());
        assert_eq!(cache.get(&request("b"), "llc"), Some(Report::default()));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_cache() {
        let file = std::env::temp_dir().join(format!("wavelens-no-folder-{}", std::process::id()));
        std::fs::write(&file, b"").expect("is writable");
        let cache = Cache::new(file.join("below"), 1 << 20);
        cache.put(&request("a"), "llc", &Report::default());
        assert_eq!(cache.get(&request("a"), "llc"), None);
        let _ = std::fs::remove_file(file);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_disk_that_is_full_keeps_what_was_there_and_no_halves() {
        let folder = std::env::temp_dir().join(format!("wavelens-full-{}", std::process::id()));
        let cache = Cache::new(folder.clone(), 1 << 20);
        cache.put(&request("kept"), "llc", &Report::default());
        let aside = Cache::aside(&cache.path(&request("new"), "llc"));
        std::os::unix::fs::symlink("/dev/full", &aside).expect("a link");
        cache.put(&request("new"), "llc", &Report::default());
        assert_eq!(cache.get(&request("new"), "llc"), None);
        assert_eq!(cache.get(&request("kept"), "llc"), Some(Report::default()));
        assert!(!aside.exists() && aside.symlink_metadata().is_err());
        let _ = std::fs::remove_dir_all(folder);
    }
}
