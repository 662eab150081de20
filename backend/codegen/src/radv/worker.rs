//! The worker: a process that holds the driver and answers one request a line.

use std::io::{BufRead, Write};
use std::path::Path;
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
