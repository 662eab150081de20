//! `wavelens start`, which compilers start through: limits, and no end later than who started it.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const MEMORY: &str = "1073741824";

fn started(program: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command.args(["start", &std::process::id().to_string(), MEMORY]).args(program);
    command
}

#[test]
fn a_process_ends_with_the_thread_that_started_it() {
    let starter = std::thread::spawn(|| {
        let mut child = started(&["sh", "-c", "echo; exec sleep 60"]).stdout(Stdio::piped()).spawn()?;
        // By now it is the other program.
        child.stdout.take().map(|out| BufReader::new(out).read_line(&mut String::new()));
        Ok::<Child, std::io::Error>(child)
    });
    let mut child = starter.join().expect("the thread ends").expect("the program starts");
    assert_eq!(child.wait().expect("it can be waited for").signal(), Some(9));
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

/// A server that is killed cannot clean up.
#[test]
fn a_compiler_ends_with_a_server_that_is_killed() {
    let folder = std::env::temp_dir().join(format!("wavelens-killed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (llc, pid) = (folder.join("llc"), folder.join("pid"));
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 'LLVM version 22.1.0'\necho $$ > {0}.part; mv {0}.part {0}\nexec sleep 1000\n",
        pid.display()
    );
    std::fs::write(&llc, script).expect("a file");
    std::fs::set_permissions(&llc, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let mut server = Command::new(env!("CARGO_BIN_EXE_wavelens"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut stdout = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut stdin = server.stdin.take().expect("a pipe");
    let mut send = |message: serde_json::Value| {
        let text = message.to_string();
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
    };
    let uri = "file:///t/k.ll";
    let text = "define amdgpu_kernel void @k() {\n  ret void\n}\n";
    let options = serde_json::json!({ "llvm.path": folder, "target": "gfx1030" });
    for (method, id, params) in [
        ("initialize", Some(1), serde_json::json!({ "capabilities": {}, "initializationOptions": options })),
        ("initialized", None, serde_json::json!({})),
        (
            "textDocument/didOpen",
            None,
            serde_json::json!({ "textDocument": { "uri": uri, "languageId": "llvm", "version": 1, "text": text } }),
        ),
        ("wavelens/isa", Some(2), serde_json::json!({ "textDocument": { "uri": uri } })),
    ] {
        let mut message = serde_json::json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if let Some(id) = id {
            message["id"] = id.into();
        }
        send(message);
        if method == "initialize" {
            // Before the answer nothing else counts.
            stdout.read_line(&mut String::new()).expect("an answer");
        }
    }
    let compiler = until(|| std::fs::read_to_string(&pid).ok()).trim().to_owned();
    let process = Path::new("/proc").join(compiler);
    assert!(process.exists());
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    // Gone, or a zombie that nobody has waited for.
    until(|| {
        let state = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
        (state.is_empty() || state.contains(") Z")).then_some(())
    });
    let _ = std::fs::remove_dir_all(folder);
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
