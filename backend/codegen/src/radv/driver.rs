//! Where the driver is.

use std::path::{Path, PathBuf};

/// The driver library: the setting, else what the driver's manifest names, else the usual places.
pub fn find_driver(setting: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = setting {
        return path.is_file().then(|| path.to_owned());
    }
    let manifests = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
    let named =
        manifests.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten().find_map(
            |e| {
                let path = e.path();
                if !path.file_name()?.to_string_lossy().contains("radeon") {
                    return None;
                }
                let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
                Some(PathBuf::from(manifest.get("ICD")?.get("library_path")?.as_str()?))
            },
        );
    let usual = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];
    named
        .into_iter()
        .chain(usual.iter().map(|folder| Path::new(folder).join("libvulkan_radeon.so")))
        .find(|p| p.is_file())
}
