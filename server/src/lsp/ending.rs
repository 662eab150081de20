//! When the server ends without being asked to by its client: by a signal, or because the client is gone.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::runtime::{Tasks, sleep};

/// Ends the session. Clones end the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending(Arc<Notify>);

/// How often the client's process is looked for.
const PAUSE: Duration = Duration::from_secs(2);

impl Ending {
    pub(super) fn end(&self) {
        self.0.notify_one();
    }

    #[cfg(not(target_family = "wasm"))]
    pub(super) async fn ended(&self) {
        self.0.notified().await;
    }

    /// Ends the session after the process of a number. One that is not there to begin with is in another container, and is not waited
    /// for.
    pub(super) fn end_with(&self, process: u32) {
        let Some(process) = Process::find(process) else { return };
        let ending = self.clone();
        Tasks::current().spawn(async move {
            while process.runs() {
                sleep(PAUSE).await;
            }
            ending.end();
        });
    }
}

/// A process; on Linux never another that got its number.
#[cfg(target_os = "linux")]
struct Process(std::os::fd::OwnedFd);

#[cfg(target_os = "linux")]
impl Process {
    fn find(number: u32) -> Option<Process> {
        use rustix::process::{Pid, PidfdFlags, pidfd_open};
        let process = Pid::from_raw(i32::try_from(number).ok()?)?;
        pidfd_open(process, PidfdFlags::empty()).ok().map(Process).filter(Process::runs)
    }

    /// Also one that has ended and that nobody has waited for does not run.
    fn runs(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut ended = [PollFd::new(&self.0, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        !matches!(poll(&mut ended, Some(&at_once)), Ok(1..))
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
struct Process(rustix::process::Pid);

#[cfg(all(unix, not(target_os = "linux")))]
impl Process {
    fn find(number: u32) -> Option<Process> {
        rustix::process::Pid::from_raw(i32::try_from(number).ok()?).map(Process).filter(Process::runs)
    }

    fn runs(&self) -> bool {
        rustix::process::test_kill_process(self.0) != Err(rustix::io::Errno::SRCH)
    }
}

/// There the end of a client closes the pipe.
#[cfg(not(unix))]
struct Process;

#[cfg(not(unix))]
impl Process {
    fn find(_: u32) -> Option<Process> {
        None
    }

    fn runs(&self) -> bool {
        true
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_runs_until_it_ends() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("it starts");
        let process = Process::find(child.id()).expect("it runs");
        assert!(process.runs());
        child.kill().expect("it can be killed");
        #[cfg(target_os = "linux")]
        while process.runs() {
            std::thread::yield_now();
        }
        child.wait().expect("it can be waited for");
        assert!(!process.runs());
        assert!(Process::find(u32::MAX).is_none() && Process::find(0).is_none());
    }
}
