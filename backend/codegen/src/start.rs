//! How processes start and end, in each operating system's way: none outlives this program, and all of what one started ends with it.
//!
//! On Unix a process starts through this program itself, which sets limits on itself that the other inherits ([`turn_into`]). What
//! Rust offers for code between `fork` and `exec` copies a large server's page tables for every compiler, and the server pays again
//! at each page it writes meanwhile; without such code a process starts in the server's own memory. On Linux the program in between
//! stays: it adopts orphaned descendants of the other, and ends all of them when the other or the server ends.

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

/// The only files that a program may use, where the system can enforce it (Linux with landlock). What it starts inherits that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Folders whose files may be read, created, changed and removed.
    pub write: Vec<PathBuf>,
    /// Folders and files that may be read.
    pub read: Vec<PathBuf>,
    /// Folders and files that may be read and executed.
    pub execute: Vec<PathBuf>,
}

impl Sandbox {
    /// For a program with the libraries that it loads, and the one folder that it may write to.
    pub(crate) fn around(program: &Path, folder: &Path) -> Sandbox {
        const LIBRARIES: [&str; 12] = [
            "/lib",
            "/lib32",
            "/lib64",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/local/lib",
            "/nix/store",
            "/gnu/store",
            "/etc/ld.so.cache",
            "/etc/ld.so.preload",
        ];
        let mut execute: Vec<PathBuf> = LIBRARIES.map(PathBuf::from).to_vec();
        execute.push(program.to_owned());
        let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
        // `bin/llc` loads `lib/libLLVM.so`.
        if let Some(prefix) = real.parent().and_then(Path::parent) {
            execute.extend([prefix.join("lib"), prefix.join("lib64")]);
        }
        let path = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        execute.extend(std::env::split_paths(&path).filter(|folder| folder.is_absolute()));
        // A wrapper is run by a shell, and runs others.
        let mut first = [0; 2];
        let is_script =
            std::fs::File::open(&real).and_then(|mut file| io::Read::read_exact(&mut file, &mut first));
        if is_script.is_ok() && first == *b"#!" {
            execute.extend(["/bin", "/usr/bin"].map(PathBuf::from));
        }
        execute.push(real);
        Sandbox { write: vec![folder.to_owned()], read: Vec::new(), execute }
    }

    /// As arguments of `wavelens start`.
    fn arguments(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let of = |name: &'static str, paths: &'_ [PathBuf]| paths.iter().map(|_| name).collect::<Vec<_>>();
        let names = [of("--write", &self.write), of("--read", &self.read), of("--execute", &self.execute)];
        names.into_iter().flatten().zip(self.write.iter().chain(&self.read).chain(&self.execute))
    }
}

/// Starts a process in a group of its own, with a pipe for input and a limit on its memory. It dies with this program, also when that is
/// killed.
pub(crate) fn spawn(
    command: &mut Command,
    memory: u64,
    sandbox: Option<&Sandbox>,
    stdout: Stdio,
    stderr: Stdio,
) -> io::Result<Child> {
    let piped = |command: &mut Command| {
        in_own_group(command).stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn()
    };
    match STARTER.get().filter(|_| cfg!(unix)) {
        Some(starter) => piped(&mut wrap(starter, command, memory, sandbox)),
        None => piped(command),
    }
}

/// The command that becomes another.
fn wrap(starter: &Path, command: &Command, memory: u64, sandbox: Option<&Sandbox>) -> Command {
    let mut wrapped = Command::new(starter);
    wrapped.arg("start");
    for (option, path) in sandbox.into_iter().flat_map(Sandbox::arguments) {
        wrapped.arg(option).arg(path);
    }
    wrapped.args([std::process::id().to_string(), memory.to_string()]);
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

/// In a browser nothing starts.
#[cfg(target_family = "wasm")]
fn in_own_group(command: &mut Command) -> &mut Command {
    command
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

    /// Stops it; after that it can only be killed.
    pub(crate) fn halt(&self) {
        // Elsewhere it runs until it is ended.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(self.leader, rustix::process::Signal::STOP);
    }
}

/// Ends a process, all of its group, and what it started in other groups.
pub(crate) fn kill(child: &mut Child) {
    // Once it was waited for its number may be another's.
    #[cfg(target_os = "linux")]
    let below = match child.try_wait() {
        Ok(None) => descendants(child.id()),
        _ => Vec::new(),
    };
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    #[cfg(target_os = "linux")]
    for process in below {
        let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    }
    // One that has ended is what was wanted.
    #[cfg(not(unix))]
    let _ = child.kill();
}

/// What makes a process, and those that it starts, use only the files of a sandbox and no network. Linux before 5.13 has no such
/// restriction, and before 6.7 none of the network.
#[cfg(target_os = "linux")]
fn confinement(sandbox: &Sandbox) -> Result<landlock::RulesetCreated, landlock::RulesetError> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, path_beneath_rules,
    };

    let all = AccessFs::from_all(ABI::V3);
    let execute = AccessFs::from_read(ABI::V3);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    // Files and folders alone: through a link or a device a later command could leave the folder.
    let write = all & !(AccessFs::Execute | AccessFs::MakeSym | AccessFs::MakeChar | AccessFs::MakeBlock);
    Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .create()?
        .add_rules(path_beneath_rules(&sandbox.execute, execute))?
        .add_rules(path_beneath_rules(&sandbox.read, read))?
        .add_rules(path_beneath_rules(&sandbox.write, write))?
        .add_rules(path_beneath_rules(["/dev/null"], read | AccessFs::WriteFile))
}

/// From now on this process and those that it starts change no files but temporary ones, and use no network. Linux before 5.13 has no
/// such restriction, and before 6.7 none of the network.
#[cfg(target_os = "linux")]
pub(crate) fn restrict() {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
        path_beneath_rules,
    };

    let writing = AccessFs::from_write(ABI::V3);
    let folders = [crate::private::temporary_folder(), PathBuf::from("/dev")];
    let restricted = || -> Result<_, RulesetError> {
        let rules = Ruleset::default().handle_access(writing)?.handle_access(AccessNet::from_all(ABI::V4))?;
        rules.create()?.add_rules(path_beneath_rules(folders, writing))?.restrict_self()
    };
    // One more defence: what is handed over names no files.
    let _ = restricted();
}

/// Processes that a process started, and those that these did. Empty where the kernel does not list them.
#[cfg(target_os = "linux")]
fn descendants(process: u32) -> Vec<rustix::process::Pid> {
    let mut found = Vec::new();
    let mut open = vec![process];
    while let Some(process) = open.pop() {
        let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            for child in children.split_whitespace().filter_map(|number| number.parse::<i32>().ok()) {
                found.extend(rustix::process::Pid::from_raw(child));
                open.push(child as u32);
            }
        }
    }
    found
}

/// Bytes of one file that a program in a sandbox writes.
#[cfg(unix)]
const FILE_SIZE: u64 = 256 << 20;

/// Runs another program that ends with `parent` and may use so many bytes of addresses, and ends as it does. Comes back only if that
/// cannot be: with the reason.
#[cfg(unix)]
#[allow(unsafe_code, reason = "what is done between fork and exec is promised to be safe there")]
pub fn turn_into(
    parent: u32,
    memory: u64,
    sandbox: Option<Sandbox>,
    program: &Path,
    arguments: &[OsString],
) -> io::Error {
    use rustix::process::{Resource, Rlimit, setrlimit};
    use std::os::unix::process::CommandExt;
    if std::env::current_exe().is_ok_and(|own| own != program) {
        // Our own workers live too long for it: what load there is will change.
        crate::priority::fill_gaps();
        // They do so themselves.
        #[cfg(target_os = "linux")]
        if sandbox.is_none() {
            restrict();
        }
    }
    // The words of the command were examined as well; without landlock that is all.
    #[cfg(target_os = "linux")]
    let mut confinement = sandbox.as_ref().and_then(|sandbox| confinement(sandbox).ok());
    let mut command = Command::new(program);
    command.args(arguments);
    let has_sandbox = sandbox.is_some();
    let limit = move || {
        let limit = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
        setrlimit(Resource::As, limit(memory))?;
        if has_sandbox {
            setrlimit(Resource::Fsize, limit(FILE_SIZE))?;
        }
        setrlimit(Resource::Core, limit(0))?;
        // This process itself looks for what the other leaves behind.
        #[cfg(target_os = "linux")]
        if let Some(rules) = confinement.take() {
            rules.restrict_self().map_err(io::Error::other)?;
        }
        Ok(())
    };
    // The limit is that of the program alone: this process may have reserved more addresses already.
    // SAFETY: all are system calls, which need no memory and no lock, and this process has one thread.
    unsafe { command.pre_exec(limit) };
    #[cfg(target_os = "linux")]
    match supervise(parent, &mut command) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(error) => return error,
        Ok(status) => end_like(status),
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    command.exec()
}

/// Runs a command until it ends or `parent` does; then all that it started ends too. `Unsupported` by Linux before 5.3: there the
/// command is not started; this program, which then executes it, will be killed with the thread that started it.
#[cfg(target_os = "linux")]
fn supervise(parent: u32, command: &mut Command) -> io::Result<std::process::ExitStatus> {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{
        Pid, PidfdFlags, Signal, getpid, getppid, kill_process, pidfd_open, set_child_subreaper,
        set_parent_process_death_signal,
    };

    let is_parent = |process: Pid| process.as_raw_nonzero().get() as u32 == parent;
    let opened = getppid().filter(|p| is_parent(*p)).map(|p| pidfd_open(p, PidfdFlags::empty()));
    let parent_end = match opened {
        // It died before this began.
        None => return Err(io::ErrorKind::BrokenPipe.into()),
        Some(Ok(end)) => end,
        Some(Err(_)) => {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            return Err(io::ErrorKind::Unsupported.into());
        }
    };
    if getppid().is_none_or(|p| !is_parent(p)) {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    set_child_subreaper(Some(getpid()))?;
    let mut child = command.spawn()?;
    let child_end = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?;
    let mut ends = [PollFd::new(&parent_end, PollFlags::IN), PollFd::new(&child_end, PollFlags::IN)];
    while let Err(rustix::io::Errno::INTR) = poll(&mut ends, None) {}
    if ends[1].revents().is_empty() {
        let _ = child.kill();
    }
    let status = child.wait()?;
    // Orphans become children of this process. One that starts others meanwhile is met again.
    for _ in 0..ROUNDS {
        let left = descendants(std::process::id());
        if left.is_empty() {
            break;
        }
        for process in left {
            let _ = kill_process(process, Signal::KILL);
        }
        while matches!(rustix::process::wait(rustix::process::WaitOptions::NOHANG), Ok(Some(_))) {}
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(status)
}

/// How often remaining descendants are looked for.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 100;

/// Ends this process as another has ended.
#[cfg(target_os = "linux")]
fn end_like(status: std::process::ExitStatus) -> ! {
    use std::os::unix::process::ExitStatusExt;
    if let Some(code) = status.code() {
        std::process::exit(code);
    }
    let number = status.signal().unwrap_or(0);
    // Rust handles some signals once.
    for _ in 0..2 {
        if let Some(signal) = rustix::process::Signal::from_named_raw(number) {
            let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
        }
    }
    std::process::exit(128 + number)
}

/// Not needed on this system: the limits are set otherwise, and the program is started directly.
#[cfg(not(unix))]
pub fn turn_into(_: u32, _: u64, _: Option<Sandbox>, _: &Path, _: &[OsString]) -> io::Error {
    io::ErrorKind::Unsupported.into()
}
