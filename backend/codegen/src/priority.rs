//! Who goes first: answers before compilers. All of it is a wish that an operating system may leave unheard.
#![allow(unsafe_code)] // The system call has no safe wrapper.

/// Lets everything else go before this thread and the processes that it starts. Elsewhere than on Linux, threads cannot step back
/// by themselves.
pub fn step_back() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

/// Lets this thread and those it starts have a core as soon as they wake, in short turns (Linux 6.12 and later). For threads that
/// answer: they work for a moment and wait for each other in between.
pub fn take_short_turns() {
    #[cfg(target_os = "linux")]
    schedule(libc::SCHED_OTHER, SHORT_TURN);
}

/// The number of this thread, for [`yield_to_all`]. 0 where threads cannot be named.
pub fn thread_id() -> u32 {
    #[cfg(target_os = "linux")]
    return rustix::thread::gettid().as_raw_nonzero().get() as u32;
    #[cfg(not(target_os = "linux"))]
    0
}

/// Lets everything else go before another thread of this process, for good.
pub fn yield_to_all(thread: u32) {
    #[cfg(target_os = "linux")]
    if let Some(thread) = rustix::process::Pid::from_raw(thread as i32) {
        // Linux counts niceness by thread.
        let _ = rustix::process::setpriority_process(Some(thread), 19);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = thread;
}

/// If a core has nothing else to do, makes this program one that gives its core up at once to whatever wakes. Where none is free it
/// would never come to its end like that.
#[cfg(unix)]
pub(crate) fn fill_gaps() {
    #[cfg(target_os = "linux")]
    for _ in 0..LOOKS {
        if let Ok(load) = std::fs::read_to_string("/proc/loadavg")
            && let Ok(cores) = std::thread::available_parallelism()
            && has_free_core(&load, cores.get())
        {
            schedule(libc::SCHED_IDLE, 0);
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// How often to look for a free core: threads that work for a moment do not count.
#[cfg(target_os = "linux")]
const LOOKS: usize = 4;

/// Nanoseconds; the shortest that Linux takes.
#[cfg(target_os = "linux")]
const SHORT_TURN: u64 = 100_000;

#[cfg(target_os = "linux")]
fn schedule(policy: i32, turn: u64) {
    let Ok(nice) = rustix::process::getpriority_process(None) else { return };
    let attributes = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: policy as u32,
        sched_flags: 0,
        sched_nice: nice,
        sched_priority: 0,
        sched_runtime: turn,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the kernel reads `size` bytes of a structure that lives through the call; it changes nothing but this thread's turns.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

/// Whether one of so many cores has nothing to do besides who asks, by Linux's `loadavg`: after three averages, how many threads run.
#[cfg(target_os = "linux")]
fn has_free_core(load: &str, cores: usize) -> bool {
    let running = load.split_whitespace().nth(3).and_then(|n| n.split('/').next()?.parse::<usize>().ok());
    running.is_some_and(|running| running <= cores)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_free_as_long_as_fewer_others_run() {
        assert!(has_free_core("0.00 0.01 0.05 2/123 456", 2));
        assert!(!has_free_core("0.00 0.01 0.05 3/123 456", 2));
        assert!(!has_free_core("", 2));
    }

    /// Field 41 of `/proc/self/stat`.
    fn policy() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux has it");
        let (_, fields) = stat.rsplit_once(')').expect("the name is in brackets");
        fields.split_whitespace().nth(38).and_then(|n| n.parse().ok()).expect("a number")
    }

    #[test]
    fn a_thread_that_fills_gaps_is_an_idle_one() {
        let thread = std::thread::spawn(|| {
            take_short_turns();
            let short = policy();
            schedule(libc::SCHED_IDLE, 0);
            (short, policy())
        });
        assert_eq!(thread.join().expect("no panic"), (libc::SCHED_OTHER, libc::SCHED_IDLE));
    }
}
