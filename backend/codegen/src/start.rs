//! How processes start and end, in each operating system's way: none outlives this program, and all of what one started ends with it.
//!
//! On Unix a process starts through this program itself, which sets limits on itself and becomes the other ([`turn_into`]). What
//! Rust offers for code between `fork` and `exec` copies a large server's page tables for every compiler, and the server pays again
//! at each page it writes meanwhile; without such code a process starts in the server's own memory.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// Exit status of a program that should have become another and could not: the shells' "not found".
pub const NOT_STARTED: u8 = 127;

/// How this program starts others; without one they have no limits, and outlive a server that is killed.
static STARTER: OnceLock<PathBuf> = OnceLock::new();

/// From now on processes start through `program start`, which calls [`turn_into`]. The first call counts.
pub fn start_through(program: PathBuf) {
    let _ = STARTER.set(program);
}

/// Starts a process in a group of its own, with pipes for input and output and a limit on its memory. It dies with the thread that
/// starts it, also when that is killed.
pub(crate) fn spawn(command: &mut Command, memory: u64, stderr: Stdio) -> io::Result<Child> {
    let piped = |command: &mut Command| {
        in_own_group(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn()
    };
    match STARTER.get().filter(|_| cfg!(unix)) {
        Some(starter) => piped(&mut wrap(starter, command, memory)),
        None => piped(command),
    }
}

/// The command that becomes another.
fn wrap(starter: &Path, command: &Command, memory: u64) -> Command {
    let mut wrapped = Command::new(starter);
    wrapped.args(["start".to_owned(), std::process::id().to_string(), memory.to_string()]);
    wrapped.arg(command.get_program()).args(command.get_args());
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(key, value),
            None => wrapped.env_remove(key),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        wrapped.current_dir(folder);
    }
    wrapped
}

#[cfg(unix)]
fn in_own_group(command: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, 0)
}

/// Windows has no groups that end as a whole, but no compiler there starts others.
#[cfg(windows)]
fn in_own_group(command: &mut Command) -> &mut Command {
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NO_WINDOW)
}

/// A process and what it started.
#[derive(Debug)]
pub(crate) struct Group {
    #[cfg(unix)]
    leader: rustix::process::Pid,
}

impl Group {
    /// The group of a process that was spawned as the leader of one.
    #[cfg_attr(not(unix), expect(unused_variables))]
    pub(crate) fn of(child: &Child) -> Group {
        Group {
            #[cfg(unix)]
            leader: rustix::process::Pid::from_child(child),
        }
    }

    /// Lets it stand still; all that can happen to it after that is its end.
    pub(crate) fn halt(&self) {
        // Elsewhere it runs until it is ended.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(self.leader, rustix::process::Signal::STOP);
    }
}

/// Ends a process and all of its group.
pub(crate) fn kill(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    // One that has ended is what was wanted.
    #[cfg(not(unix))]
    let _ = child.kill();
}

/// Becomes another program that dies with `parent` and may use so many bytes of addresses. Comes back only if that cannot be: with
/// the reason.
#[cfg(unix)]
pub fn turn_into(parent: u32, memory: u64, program: &Path, arguments: &[OsString]) -> io::Error {
    use rustix::process::{Resource, Rlimit, setrlimit};
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            return error.into();
        }
        // It may have died before that.
        if getppid().is_none_or(|p| p.as_raw_nonzero().get() as u32 != parent) {
            return io::ErrorKind::BrokenPipe.into();
        }
    }
    // Our own workers live too long for it: what load there is will change.
    if std::env::current_exe().is_ok_and(|own| own != program) {
        crate::priority::fill_gaps();
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    let memory = Some(memory);
    if let Err(error) = setrlimit(Resource::As, Rlimit { current: memory, maximum: memory }) {
        return error.into();
    }
    std::os::unix::process::CommandExt::exec(Command::new(program).args(arguments))
}

#[cfg(not(unix))]
pub fn turn_into(_: u32, _: u64, _: &Path, _: &[OsString]) -> io::Error {
    io::ErrorKind::Unsupported.into()
}
