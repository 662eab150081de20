//! The worker: a process that holds the driver and answers one request a line.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::device::Device;
use super::{PipelineReply, PipelineRequest, pipeline};

/// Pipelines after which a worker ends, so that what the driver leaks stays bounded.
const REQUESTS: usize = 2000;

/// Runs until standard input ends. The first line written is `ready` or what is wrong.
pub fn run(driver: &Path) -> ExitCode {
    let mut out = std::io::stdout().lock();
    // Before the driver starts threads: they inherit it.
    #[cfg(target_os = "linux")]
    crate::start::restrict();
    let device = match Device::open(driver) {
        Ok(device) => device,
        Err(problem) => {
            let _ = writeln!(out, "{problem}");
            return ExitCode::FAILURE;
        }
    };
    if writeln!(out, "ready").and_then(|()| out.flush()).is_err() {
        return ExitCode::FAILURE;
    }
    for line in std::io::stdin().lock().lines().take(REQUESTS) {
        let Ok(line) = line else { break };
        let reply = match serde_json::from_str::<PipelineRequest>(&line) {
            Ok(request) => match pipeline::compile(&device, &request) {
                Ok(executables) => PipelineReply::Compiled(executables),
                Err(problem) => PipelineReply::Refused(problem),
            },
            Err(error) => PipelineReply::Refused(error.to_string()),
        };
        let Ok(text) = serde_json::to_string(&reply) else { break };
        if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

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
