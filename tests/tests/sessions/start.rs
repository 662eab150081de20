//! `wavelens start`, which compilers start through: limits, and no end later than who started it.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

const MEMORY: &str = "1073741824";

fn started(program: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command.args(["start", &std::process::id().to_string(), MEMORY]).args(program);
    command
}

/// Whether the process of a number runs: not a zombie that nobody has waited for.
fn runs(number: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(number).join("stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z")
}

#[test]
fn what_a_process_leaves_behind_ends_with_it() {
    let script = "setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.2; exit 3";
    let output = started(&["sh", "-c", script]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
    let other = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(!other.is_empty() && !runs(&other), "{other}");
}

#[test]
fn only_temporary_files_can_be_written() {
    // Linux says what restricts programs; some builds have no landlock.
    if !std::fs::read_to_string("/proc/kallsyms").is_ok_and(|all| all.contains("landlock_restrict_self")) {
        eprintln!("skipped: no landlock");
        return;
    }
    let outside = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let temporary = outside.join(format!("wavelens-temporary-{}", std::process::id()));
    std::fs::create_dir_all(&temporary).expect("a folder can be made");
    let write = |folder: &Path| {
        let file = folder.join(format!("wavelens-written-{}", std::process::id()));
        let script = format!("echo > {}", file.display());
        let mut command = started(&["sh", "-c", &script]);
        let output = command.env("TMPDIR", &temporary).output().expect("the program starts");
        let _ = std::fs::remove_file(file);
        output.status.success()
    };
    let written = (write(&temporary), write(outside));
    let _ = std::fs::remove_dir_all(&temporary);
    assert_eq!(written, (true, false));
}

#[test]
fn a_crash_is_passed_on() {
    for signal in [6, 11, 15] {
        let output = started(&["sh", "-c", &format!("kill -{signal} $$")]).output().expect("it starts");
        assert_eq!(output.status.signal(), Some(signal));
    }
}

#[test]
fn a_process_whose_parent_is_gone_does_not_start() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    let output = command.args(["start", "1", MEMORY, "echo", "here"]).output().expect("the program starts");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(127), 0));
}

#[test]
fn memory_is_limited() {
    let output = started(&["sh", "-c", "ulimit -v"]).output().expect("the program starts");
    // Kibibytes.
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1048576\n");
}

#[test]
fn a_missing_program_says_so() {
    let output = started(&["/no/such/program", "--version"]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(127));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("No such file"), "{output:?}");
}

/// A server in a process of its own whose `llc` is a script.
struct Session {
    folder: PathBuf,
    server: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

const URI: &str = "file:///t/k.ll";

impl Session {
    /// `script` runs when something is compiled. `$pid` is a file that says by its being there that it does.
    fn start(name: &str, script: &str, process: Option<u32>) -> Session {
        let folder = std::env::temp_dir().join(format!("wavelens-{name}-{}", std::process::id()));
        Session::start_in(folder, script, process)
    }

    /// In a folder in which there may have been another.
    fn start_in(folder: PathBuf, script: &str, process: Option<u32>) -> Session {
        std::fs::create_dir_all(folder.join("tmp")).expect("a folder");
        let llc = folder.join("llc");
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 'LLVM version 22.1.0'\npid={}\n{script}\n",
            folder.join("tmp/pid").display()
        );
        std::fs::write(&llc, script).expect("a file");
        std::fs::set_permissions(&llc, std::fs::Permissions::from_mode(0o755)).expect("permissions");
        let mut server = Command::new(env!("CARGO_BIN_EXE_wavelens"))
            .arg("lsp")
            .env("TMPDIR", folder.join("tmp"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = BufReader::new(server.stdout.take().expect("a pipe"));
        let stdin = server.stdin.take().expect("a pipe");
        let mut session = Session { folder, server, stdin, stdout };
        let text = "define amdgpu_kernel void @k() {\n  ret void\n}\n";
        let options = json!({ "llvm.path": session.folder, "target": "gfx1030", "isa.background": false });
        let params = json!({ "processId": process, "capabilities": {}, "initializationOptions": options });
        session.send("initialize", Some(1), params);
        // Before the answer nothing else counts.
        session.stdout.read_line(&mut String::new()).expect("an answer");
        session.send("initialized", None, json!({}));
        let document = json!({ "uri": URI, "languageId": "llvm", "version": 1, "text": text });
        session.send("textDocument/didOpen", None, json!({ "textDocument": document }));
        session
    }

    fn send(&mut self, method: &str, id: Option<i32>, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if let Some(id) = id {
            message["id"] = id.into();
        }
        let text = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
    }

    fn ask_for_code(&mut self) {
        self.send("wavelens/isa", Some(2), json!({ "textDocument": { "uri": URI } }));
    }

    /// The numbers of processes that the script wrote into a file.
    fn processes(&self) -> Vec<String> {
        let file = self.folder.join("tmp/pid");
        let text = until(|| std::fs::read_to_string(&file).ok());
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn ends(&mut self) -> std::process::ExitStatus {
        until(|| self.server.try_wait().expect("it can be waited for"))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts others, within its group and outside.
const FAMILY: &str =
    "sleep 1000 & a=$!\nsetsid sleep 1000 & b=$!\necho $$ $a $b > $pid.part; mv $pid.part $pid\nwait";

/// A server that is killed cannot clean up.
#[test]
fn a_compiler_ends_with_a_server_that_is_killed() {
    let mut session = Session::start("killed", FAMILY, None);
    session.ask_for_code();
    let processes = session.processes();
    assert!(processes.len() == 3 && processes.iter().all(|p| runs(p)));
    session.server.kill().expect("it runs");
    session.ends();
    until(|| processes.iter().all(|p| !runs(p)).then_some(()));
}

#[test]
fn a_question_that_is_taken_back_ends_the_compiler() {
    let mut session = Session::start("cancelled", FAMILY, None);
    session.ask_for_code();
    let processes = session.processes();
    session.send("$/cancelRequest", None, json!({ "id": 2 }));
    until(|| processes.iter().all(|p| !runs(p)).then_some(()));
}

#[test]
fn a_server_ends_with_its_client() {
    let mut client = Command::new("sleep").arg("1000").spawn().expect("it starts");
    let mut session = Session::start("client", FAMILY, Some(client.id()));
    session.ask_for_code();
    let processes = session.processes();
    client.kill().expect("it runs");
    // A zombie is as dead.
    assert_eq!(session.ends().code(), Some(1));
    client.wait().expect("it can be waited for");
    until(|| processes.iter().all(|p| !runs(p)).then_some(()));
}

/// The folders of sessions.
fn sessions(session: &Session) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(session.folder.join("tmp")).into_iter().flatten().flatten();
    entries.map(|e| e.path()).filter(|path| path.is_dir()).collect()
}

/// Waits for a folder with something in it.
fn shown(session: &mut Session) -> PathBuf {
    let argument = json!({ "command": "wavelens.showIsa", "arguments": [URI] });
    session.send("workspace/executeCommand", Some(3), argument);
    until(|| sessions(session).into_iter().find(|path| path.join("0").exists()))
}

#[test]
fn a_session_after_one_that_was_killed_removes_what_that_left() {
    let mut killed = Session::start("restarted", "echo s_endpgm", None);
    let left = shown(&mut killed);
    killed.server.kill().expect("it runs");
    killed.ends();
    assert!(left.exists());
    let mut next = Session::start_in(killed.folder.clone(), "echo s_endpgm", None);
    let found = until(|| {
        let argument = json!({ "command": "wavelens.showIsa", "arguments": [URI] });
        next.send("workspace/executeCommand", Some(4), argument);
        sessions(&next).into_iter().find(|path| *path != left && path.join("0").exists())
    });
    assert!(found.exists() && !left.exists());
}

#[test]
fn a_signal_removes_the_folder_of_the_session() {
    let mut session = Session::start("signal", "echo s_endpgm; echo > $pid", None);
    let folder = shown(&mut session);
    let mode = std::fs::metadata(&folder).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let signal = Command::new("kill").arg(session.server.id().to_string()).status().expect("it starts");
    assert!(signal.success());
    assert_eq!(session.ends().code(), Some(1));
    assert_eq!(sessions(&session), Vec::<PathBuf>::new());
}

fn until<T>(mut found: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1500 {
        if let Some(found) = found() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("it did not happen in 30 seconds");
}
