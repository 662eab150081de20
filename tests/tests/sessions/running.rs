//! What tests and their update may do to other files, watched with `strace`: hostile RUN lines and `UTC_ARGS:` write nothing outside of
//! the private folders and read nothing outside of the test suite and the tools.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output};

use wavelens_test_support::required;

/// Folders of a run: a suite with links out of it, a folder for temporary files, and what must not be touched.
struct World {
    root: PathBuf,
    /// Where the interpreter of update scripts is installed.
    python: Option<PathBuf>,
}

impl World {
    fn new(name: &str) -> World {
        let root = std::env::temp_dir().join(format!("running-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for folder in ["suite/test", "suite/Inputs", "victim/precious", "tmp", "private"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        let root = root.canonicalize().expect("it is there");
        let mut world = World { root, python: None };
        // The interpreter itself: `python3` may be a script that chooses one, and reads files of its own.
        let said = "import sys; print(sys.executable); print(sys.base_prefix)";
        if let Ok(output) = Command::new("python3").args(["-I", "-S", "-c", said]).output() {
            let paths = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut paths = paths.lines().map(PathBuf::from);
            fs::create_dir(world.path("bin")).expect("a folder");
            if let Some(executable) = paths.next() {
                symlink(executable, world.path("bin/python3")).expect("a link");
            }
            world.python = paths.next();
        }
        fs::write(world.path("suite/lit.cfg.py"), "").expect("a file");
        fs::write(world.path("suite/Inputs/other.ll"), MODULE).expect("a file");
        fs::write(world.path("victim/secret"), SECRET).expect("a file");
        let link = |to: &Path, name: &str| symlink(to, world.path("suite/test").join(name)).expect("a link");
        link(&world.path("victim/secret"), "link");
        link(&world.path("victim/secret"), "linked.ll");
        link(&world.path("victim"), "up");
        link(Path::new("/dev/zero"), "zero");
        link(Path::new("/proc/self/environ"), "environ");
        let pipe = Command::new("mkfifo").arg(world.path("suite/test/pipe")).status().expect("mkfifo runs");
        assert!(pipe.success());
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path("suite/test").join(name), text).expect("a file");
    }

    fn search_path(&self) -> std::ffi::OsString {
        let own = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.path("bin")).chain(std::env::split_paths(&own));
        std::env::join_paths(folders).unwrap_or(own)
    }

    /// Runs the program on the suite, and returns what it and its children did to files.
    fn trace(&self, arguments: &[&str]) -> (Output, String) {
        let log = self.path("log");
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-y", "-s", "4096", "-e", "trace=%file,ftruncate", "-o"]).arg(&log);
        command.arg(env!("CARGO_BIN_EXE_wavelens")).args(arguments).arg(self.path("suite/test"));
        command
            .current_dir(self.path("suite"))
            .env("TMPDIR", self.path("tmp"))
            .env("PATH", self.search_path())
            .env("HOME", self.path("victim"));
        let output = command.output().expect("strace starts");
        (output, fs::read_to_string(log).expect("a log"))
    }

    /// Nothing was written outside the private folders, nothing read outside suite and tools, and nothing is left.
    fn assert_untouched(&self, log: &str) {
        let problems: BTreeSet<String> = log.lines().filter_map(|line| self.problem(line)).collect();
        assert!(problems.is_empty(), "{problems:#?}");
        let inside = |name: &str| -> BTreeSet<String> {
            let entries = fs::read_dir(self.path(name)).expect("a folder").flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(inside("victim"), BTreeSet::from(["precious".to_owned(), "secret".to_owned()]));
        assert_eq!(fs::read_to_string(self.path("victim/secret")).expect("a file"), SECRET);
        assert_eq!((inside("private").len(), inside("tmp").len()), (0, 0));
    }

    /// What is wrong with a system call that succeeded.
    fn problem(&self, line: &str) -> Option<String> {
        let call = line.split_once(' ')?.1.trim_start();
        let (name, rest) = call.split_once('(')?;
        let result = rest.rsplit_once(" = ")?.1;
        if result.starts_with('-') || result.starts_with('?') {
            return None;
        }
        let changes =
            ["mkdir", "rename", "unlink", "rmdir", "link", "symlink", "truncate", "mknod", "chmod", "chown"];
        let opens = name.starts_with("open") || name == "creat";
        let writes = name == "creat"
            || opens && ["O_WRONLY", "O_RDWR", "O_CREAT"].iter().any(|flag| rest.contains(flag));
        // A handle of a folder, through which nothing is read.
        if opens && rest.contains("O_PATH") {
            return None;
        }
        if opens {
            // The real path of what was opened.
            let opened = result.split_once('<').map(|(_, path)| path.trim_end_matches(['>', ' ']))?;
            let path = Path::new(opened.trim_end_matches(" (deleted)"));
            let is_fine = if writes { self.may_be_written(path) } else { self.may_be_read(path) };
            return (!is_fine).then(|| line.to_owned());
        }
        if name == "execve" || !changes.iter().any(|change| name.starts_with(change)) {
            return None;
        }
        // Programs run in a private folder.
        let paths = arguments(rest, &self.path("tmp/run"));
        (!paths.iter().all(|path| self.may_be_written(path))).then(|| line.to_owned())
    }

    fn may_be_written(&self, path: &Path) -> bool {
        path == Path::new("/dev/null") || path.starts_with(self.path("tmp"))
    }

    fn may_be_read(&self, path: &Path) -> bool {
        let own = Path::new(env!("CARGO_BIN_EXE_wavelens"));
        let tools = [
            "/usr",
            "/lib",
            "/lib64",
            "/bin",
            "/etc/ld.so.cache",
            "/etc/alternatives",
            "/etc/locale.alias",
            "/sys",
            "/dev/null",
            "/dev/urandom",
        ];
        // A folder on the way to a file is opened for its handle alone.
        let is_above = self.path("suite/test").starts_with(path) || self.path("tmp").starts_with(path);
        let of_process = path.starts_with("/proc") && !path.ends_with("environ");
        let python = self.python.as_ref().is_some_and(|python| path.starts_with(python));
        self.may_be_written(path)
            || python
            || is_above
            || of_process
            || path.starts_with(self.path("suite"))
            || path.starts_with(self.path("llvm"))
            || own.parent().is_some_and(|folder| path.starts_with(folder))
            || tools.iter().any(|tool| path.starts_with(tool))
            || path.to_string_lossy().starts_with("pipe:")
            || path.to_string_lossy().starts_with("anon_inode:")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The paths that a call names: each from the folder whose handle precedes it, or from `own`.
fn arguments(call: &str, own: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folder = own.to_owned();
    let mut rest = call.rsplit_once(" = ").map_or(call, |(before, _)| before);
    while let Some(at) = rest.find(['<', '"']) {
        let close = if rest.as_bytes()[at] == b'<' { '>' } else { '"' };
        let after = &rest[at + 1..];
        let Some(end) = after.find(close) else { break };
        let text = &after[..end];
        if close == '>' {
            folder = PathBuf::from(text);
        } else {
            found.push(plain(&folder.join(text)));
        }
        rest = &after[end + 1..];
    }
    found
}

fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

const SECRET: &str = "this_is_secret\n";
const MODULE: &str = "define void @f() {\n  ret void\n}\n";

/// Commands that write, with `@T` where the file is named.
const WRITES: &[&str] = &[
    "echo x > @T",
    "echo x >> @T",
    "echo x 2> @T",
    "mkdir -p @T",
    "rm -rf @T",
    "rm @T",
    "split-file %s @T",
    "sed s/a/b/ %s > @T",
    "llc -mtriple=amdgcn %s -o @T",
    "llc -mtriple=amdgcn %s -o=@T",
    "llc -mtriple=amdgcn %s --o @T",
    "llc -mtriple=amdgcn %s -split-dwarf-output=@T -o -",
    "opt %s -o @T",
    "opt -passes=lowertypetests -lowertypetests-write-summary @T %s -o /dev/null",
    "opt -passes=lowertypetests -lowertypetests-write-summary=@T %s -o /dev/null",
    "opt -passes=wholeprogramdevirt -wholeprogramdevirt-write-summary=@T %s -o /dev/null",
    "opt -passes=sroa -pass-remarks-output=@T %s -o /dev/null",
    "opt -passes=sroa -time-trace -time-trace-file=@T %s -o /dev/null",
    "opt -passes=sroa -stats -info-output-file=@T %s -o /dev/null",
    "opt -passes=dot-cfg -cfg-dot-filename-prefix=@T %s -o /dev/null",
    "opt -passes=sroa -print-after-all -ir-dump-directory=@T %s -o /dev/null",
    "opt -thinlto-bc -thin-link-bitcode-file=@T %s -o /dev/null",
    "llvm-as %s -o @T",
    "llvm-as @T",
    "llvm-mc -triple=amdgcn -filetype=obj %s -o @T",
    "FileCheck %s --input-file=%s -info-output-file=@T",
    "spirv-as %s -o @T",
    "spirv-as -oo @T %s",
];

/// Places that must not be written.
const TARGETS: &[&str] = &[
    "../private/x",
    "@R/private/x",
    "@R/victim/precious",
    "../../victim/precious",
    "%S/x",
    "%S/up/precious",
    "%S/link",
    "%t/../../../victim/x",
    "-passes=../../victim/x",
    "~/precious",
];

/// Commands that read.
const READS: &[&str] = &[
    "cat @T",
    "sed s/a/b/ @T",
    "cat < @T",
    "split-file @T %t",
    "llc -mtriple=amdgcn @T -o -",
    "llc -mtriple=amdgcn < @T",
    "llc -mtriple=amdgcn -x mir @T -o -",
    "opt -S @T",
    "opt -S -passes=lowertypetests -lowertypetests-read-summary=@T %s",
    "opt -S -passes=sample-profile -sample-profile-file @T %s",
    "opt -S -passes=memprof-use<profile-filename=@T> %s",
    "opt -S -internalize-public-api-file=@T -passes=internalize %s",
    "llvm-mc -triple=amdgcn -I @T %s",
    "llvm-mc -triple=amdgcn -I@T %s",
    "llvm-dis @T -o -",
    "FileCheck %s --input-file=@T",
    "FileCheck --input-file %s @T",
    "spirv-val @T",
];

/// Files that must not be read.
const SECRETS: &[&str] = &[
    "@R/victim/secret",
    "%S/link",
    "%S/up/secret",
    "%S/../../victim/secret",
    "../../victim/secret",
    "/etc/passwd",
    "/proc/self/environ",
    "%S/environ",
    "%S/zero",
    "%S/pipe",
];

#[test]
fn hostile_run_lines_touch_nothing() {
    if !required::program("strace") {
        return;
    }
    let world = World::new("lines");
    let root = world.root.to_string_lossy().into_owned();
    let combined = |commands: &[&str], targets: &[&str]| -> Vec<String> {
        let of = |command: &str| {
            targets.iter().map(|t| command.replace("@T", t).replace("@R", &root)).collect::<Vec<_>>()
        };
        commands.iter().flat_map(|command| of(command)).collect()
    };
    let lines: Vec<String> = combined(WRITES, TARGETS).into_iter().chain(combined(READS, SECRETS)).collect();
    assert!(lines.len() >= 200, "{}", lines.len());
    for (number, line) in lines.iter().enumerate() {
        // Folders that make a strange name a path.
        let prepare = "; RUN: mkdir -p ./-passes=.. .cfg.\n";
        world.write(&format!("{number}.ll"), &format!("{prepare}; RUN: {line}\n{MODULE}"));
    }
    // What the text itself asks the programs for.
    let secret = world.path("victim/secret");
    let secret = secret.display();
    world.write("asm.ll", &format!("; RUN: llc -mtriple=amdgcn %s -filetype=obj -o %t\nmodule asm \".incbin \\22{secret}\\22\"\n{MODULE}"));
    world.write(
        "asm.s",
        &format!("// RUN: llvm-mc -triple=amdgcn %s\n.include \"{secret}\"\n.incbin \"{secret}\"\n"),
    );
    world.write("gcov.ll", &format!("; RUN: opt -passes=gcov-profiling %s -o -\n{MODULE}!llvm.gcov = !{{!0}}\n!0 = !{{!\"{root}/victim/x.gcno\", !\"{root}/victim/x.gcda\", !1}}\n!1 = !{{}}\n"));
    world.write("dot.ll", "; RUN: mkdir .cfg.\n; RUN: opt -passes=dot-cfg %s -o /dev/null\ndefine void @\"/../../../victim/x\"() {\n  ret void\n}\n");
    world.write("next.ll", "; RUN: llc -mtriple=amdgcn %S/../Inputs/other.ll\n");
    world.write("sections.ll", "; RUN: split-file %s %t\n;--- ../../../../victim/x\na\n");
    // Good ones, which show that anything ran at all.
    world.write("good.ll", &format!("; RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s -o %t\n; RUN: FileCheck %s --input-file=%t\n; RUN: opt -S %S/../Inputs/other.ll | FileCheck %s --check-prefix=IR\n; CHECK: s_setpc\n; IR: define void @f\n{MODULE}"));
    let (output, log) = world.trace(&["lit"]);
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("this_is_secret") && !said.contains("root:"), "{said}");
    let problems = said.lines().filter(|line| line.contains("good.ll")).collect::<Vec<_>>().join("\n");
    if required::program("llc-22") {
        assert!(!problems.contains("fail") && !problems.contains("not run"), "{problems}");
    }
    world.assert_untouched(&log);
}

/// A stand-in that trusts the test even more than LLVM's script does.
const SCRIPT: &str = r#"
import shlex, subprocess, sys
test = sys.argv[-1]
binary = sys.argv[sys.argv.index("--llc-binary") + 1]
for line in open(test):
    if "UTC_ARGS:" in line:
        words = shlex.split(line.split("UTC_ARGS:")[1])
        for word, value in zip(words, words[1:] + [""]):
            if word.startswith("--llc-bin"):
                binary = word.split("=", 1)[1] if "=" in word else value
    if "RUN:" in line:
        command = line.split("RUN:")[1].split("|")[0].strip()
        subprocess.run(binary + " " + command.replace("%s", test), shell=True)
open("ran", "w").write("x")
open(test, "a").write("; updated\n")
"#;

#[test]
fn hostile_updates_touch_nothing() {
    if !required::program("strace") || !required::program("python3") {
        return;
    }
    let world = World::new("update");
    fs::create_dir_all(world.path("llvm/llvm/utils")).expect("a folder");
    fs::write(world.path("llvm/llvm/utils/update_llc_test_checks.py"), SCRIPT).expect("a file");
    let victim = world.path("victim/x");
    let victim = victim.display();
    let note = "; NOTE: Assertions have been autogenerated by utils/update_llc_test_checks.py UTC_ARGS: ";
    let run = "; RUN: llc -mtriple=amdgcn < %s | FileCheck %s\n";
    let options = [
        format!("--llc-binary=\"id > {victim}; true\""),
        format!("--llc-binary \"id > {victim}; true\""),
        format!("--llc-bin=\"cat /etc/hostname > {victim}; true\""),
        format!("--tool-binary=\"touch {victim}\""),
        format!("--version 5 {victim}"),
        "/etc/passwd".to_owned(),
    ];
    for (number, option) in options.iter().enumerate() {
        world.write(&format!("note{number}.ll"), &format!("{note}{option}\n{run}{MODULE}"));
        world.write(
            &format!("line{number}.ll"),
            &format!("{note}--version 5\n{run}{MODULE}; UTC_ARGS: {option}\n"),
        );
    }
    let runs = [
        format!("; RUN: llc -mtriple=amdgcn < %s | FileCheck %s; id > {victim}\n"),
        format!("{run}; END.\n; RUN: id > {victim} | FileCheck %s\n"),
        format!("; RUN: llc '-x=a | id > {victim} ; true ' < %s | FileCheck %s\n"),
        format!("{run}//RUN: id > {victim}\n"),
        format!("; RUN: llc -mtriple=amdgcn < %s | FileCheck %s\r; RUN: id > {victim}\n"),
        format!("; RUN: llc $(touch {victim}) < %s | FileCheck %s\n"),
        format!("; RUN: llc -o {victim} < %s | FileCheck %s\n"),
    ];
    for (number, run) in runs.iter().enumerate() {
        world.write(&format!("run{number}.ll"), &format!("{note}--version 5\n{run}{MODULE}"));
    }
    // What would happen if the examination were passed: the folder is all that is written.
    world.write("good.ll", &format!("{note}--version 5\n{run}{MODULE}"));
    let source = world.path("llvm").to_string_lossy().into_owned();
    let (output, log) = world.trace(&["lit", "--update-checks", "--llvm-source", &source]);
    let good = fs::read_to_string(world.path("suite/test/good.ll")).expect("a file");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(good.ends_with("; updated\n"), "{said}");
    // The test itself is replaced, after its private copy was.
    let log: String =
        log.lines().filter(|line| !line.contains("suite/test/good.ll")).map(|l| format!("{l}\n")).collect();
    world.assert_untouched(&log);
}

/// Chains of commands that double what they read, and files without an end.
#[test]
fn commands_without_an_end_are_stopped() {
    let world = World::new("bombs");
    let times = |n: usize, text: &str| vec![text; n].join(" ");
    let mut bomb = format!("; RUN: echo {} > %t0\n", "a".repeat(1000));
    for n in 0..9 {
        bomb += &format!("; RUN: cat {} > %t{}\n", times(20, &format!("%t{n}")), n + 1);
    }
    world.write("cat.ll", &bomb);
    let step = "sed s/a/aaaaaaaaaaaaaaaa/g";
    world.write("sed.ll", &format!("; RUN: echo a | {} | count 1\n", [step; 12].join(" | ")));
    world.write(
        "same.ll",
        &format!("; RUN: echo {} > %t\n{}", "a".repeat(1000), "; RUN: cat %t >> %t\n".repeat(40)),
    );
    for link in ["zero", "pipe"] {
        world.write(&format!("{link}.ll"), &format!("; RUN: cat %S/{link}\n"));
    }
    let mut command = Command::new("sh");
    // Kibibytes.
    command.args(["-c", "ulimit -v 6000000; exec \"$0\" lit \"$1\""]);
    let output = command
        .arg(env!("CARGO_BIN_EXE_wavelens"))
        .arg(world.path("suite/test"))
        .output()
        .expect("it starts");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    for test in ["cat.ll", "sed.ll", "same.ll", "zero.ll", "pipe.ll"] {
        assert!(said.lines().any(|line| line.contains(test)), "{test}: {said}");
    }
    assert!(output.status.code().is_some_and(|code| code != 0), "{said}");
}
