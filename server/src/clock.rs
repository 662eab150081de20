//! The time: the system's, or in a browser that of the page.

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

#[cfg(target_family = "wasm")]
pub(crate) use page::Instant;
#[cfg(target_family = "wasm")]
pub use page::set_now;

#[cfg(target_family = "wasm")]
mod page {
    use std::ops::Add;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// Microseconds since the page was loaded.
    static NOW: AtomicU64 = AtomicU64::new(0);

    /// Sets the time; it stands still until the next call, so that work is never divided by time.
    pub fn set_now(now: Duration) {
        NOW.store(now.as_micros() as u64, Ordering::Relaxed);
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Instant {
            Instant(Duration::from_micros(NOW.load(Ordering::Relaxed)))
        }

        pub(crate) fn elapsed(self) -> Duration {
            Instant::now().saturating_duration_since(self)
        }

        pub(crate) fn saturating_duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, more: Duration) -> Instant {
            Instant(self.0 + more)
        }
    }
}
