//! What a user does on the command line, one test for each task: arguments, streams, exit status. Behaviour follows ruff, clippy and ripgrep.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use expect_test::Expect;

mod checking;
mod choosing;
mod fixing;
mod help;
mod output;
mod paths;
mod values;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("wavelens-tasks-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        let folder = Folder(path);
        for (name, text) in files {
            let file = folder.0.join(name);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        folder
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
        command.args(arguments).current_dir(&self.0).env_clear();
        for name in ["PATH", "HOME", "SYSTEMROOT"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_on(arguments, "")
    }

    fn run_on(&self, arguments: &[&str], input: &str) -> Output {
        finish(self.command(arguments), input)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn finish(mut command: Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that refuses its arguments closes its input early.
    let _ = child.stdin.take().map(|mut s| s.write_all(input.as_bytes()));
    child.wait_with_output().expect("the program ends")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Exit status, standard output and standard error, as a user sees them.
fn shown(output: &Output) -> String {
    let code = output.status.code().map_or("killed".to_owned(), |c| c.to_string());
    format!("{}{}exit status {code}\n", out(output), err(output))
}

fn expect_run(folder: &Folder, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&shown(&folder.run(arguments)));
}

const GOOD: &str = "define void @f() {\n  ret void\n}\n";
const BAD: &str = "define i32 @f(i32 %value) {\n  %r = add i32 %valeu, 1\n  ret i32 %r\n}\n";
/// A warning: a store to a constant.
const WARNED: &str = "@c = constant i32 1\n\ndefine void @f() {\n  store i32 2, ptr @c\n  ret void\n}\n";
/// A mistake with a certain fix.
const FIXABLE: &str = "define f32 @f(u8 %x) {\n  %z = zext u8 %x to i64\n  ret f32 0.0\n}\n";
