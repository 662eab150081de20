//! How much memory the server uses, and how much it may.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::config::Config;
use super::event::Event;
use super::outbox::Outbox;
use super::runtime;
use crate::clock::Instant;

/// How often memory is looked at.
const PAUSE: Duration = Duration::from_secs(1);
/// Between two documents that are closed: what is freed takes a moment to show.
const BETWEEN: Duration = Duration::from_secs(5);

const GIB: u64 = 1 << 30;

/// Bytes of resident memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// From here on caches are dropped.
    pub(super) soft: u64,
    /// From here on a document is closed.
    pub(super) hard: u64,
}

impl Default for Limits {
    /// A quarter and half of the machine's memory, at most 4 and 8 GiB.
    fn default() -> Self {
        let physical = physical().unwrap_or(8 * GIB);
        Limits { soft: (physical / 4).min(4 * GIB), hard: (physical / 2).min(8 * GIB) }
    }
}

pub(super) struct Memory {
    default: Limits,
    /// Bytes from which the owner of the database gets an event.
    threshold: Arc<AtomicU64>,
    closed: Option<Instant>,
}

impl Memory {
    /// Watches until it is dropped.
    pub(super) fn start(outbox: &Outbox, mailbox: Sender<Event>) -> Memory {
        let default = Limits::default();
        let threshold = Arc::new(AtomicU64::new(default.soft));
        if resident().is_none() {
            return Memory { default, threshold, closed: None };
        }
        let watched = Arc::downgrade(&threshold);
        outbox.spawn(|_| async move {
            while let Some(threshold) = watched.upgrade() {
                if let Some(resident) = resident()
                    && resident >= threshold.load(Ordering::Relaxed)
                {
                    let _ = mailbox.send(Event::Memory(resident));
                }
                drop(threshold);
                runtime::sleep(PAUSE).await;
            }
        });
        Memory { default, threshold, closed: None }
    }

    pub(super) fn limits(&self, config: &Config) -> Limits {
        let mib = |setting: Option<u64>| setting.map(|mib| mib.saturating_mul(1 << 20));
        let hard = mib(config.memory.hard).unwrap_or(self.default.hard);
        Limits { soft: mib(config.memory.soft).unwrap_or(self.default.soft).min(hard), hard }
    }

    /// The owner gets an event from the soft limit on.
    pub(super) fn configured(&self, config: &Config) {
        self.threshold.store(self.limits(config).soft, Ordering::Relaxed);
    }

    /// The owner gets an event from so many bytes on.
    pub(super) fn expect(&self, bytes: u64) {
        self.threshold.store(bytes, Ordering::Relaxed);
    }

    /// Whether the last document was closed long enough ago; then one is closed now.
    pub(super) fn may_close(&mut self) -> bool {
        let may = self.closed.is_none_or(|at| at.elapsed() >= BETWEEN);
        if may {
            self.closed = Some(Instant::now());
        }
        may
    }
}

/// Bytes of memory that this process has. `None` where nobody says.
pub(super) fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    #[cfg(target_os = "linux")]
    let size = rustix::param::page_size() as u64;
    #[cfg(not(target_os = "linux"))]
    let size = 4096;
    Some(pages * size)
}

/// Bytes of memory that this machine has, or that a container may use.
fn physical() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total = total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10;
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    Some(container.and_then(|max| max.trim().parse().ok()).map_or(total, |max: u64| max.min(total)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_is_measured() {
        let before = resident().expect("Linux says it");
        let block = vec![1u8; 64 << 20];
        let with = resident().expect("Linux says it");
        assert!(with >= before + (32 << 20), "{before} {with}");
        drop(block);
        crate::allocator::give_back();
        let limits = Limits::default();
        assert!(limits.soft < limits.hard && limits.hard < physical().expect("Linux says it"));
    }
}
