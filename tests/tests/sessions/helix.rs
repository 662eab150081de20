//! Helix itself against the built server, in a terminal of tmux. Debian 12 does not package Helix: `tests/editors/helix/install` gets it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use wavelens_test_support::features::{self, Features};
use wavelens_tests::{repository, required, server};

const PATIENCE: Duration = Duration::from_secs(60);

fn are_installed() -> bool {
    // tmux knows no `--version`.
    let tmux = Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success());
    required::program("hx") && required::some(tmux.then_some(()), "tmux").is_some()
}

/// A user's home with our configuration and the examples, and Helix in a terminal.
struct Helix {
    home: PathBuf,
    socket: String,
    seen: BTreeSet<&'static str>,
}

impl Helix {
    fn start(test: &str) -> Helix {
        let home = std::env::temp_dir().join(format!("wavelens-helix-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&home);
        for folder in ["helix", "bin", "work/broken"] {
            std::fs::create_dir_all(home.join(folder)).expect("a folder");
        }
        let root = repository();
        for (from, to) in [
            ("editors/helix/languages.toml", "helix/languages.toml"),
            ("editors/helix/config.toml", "helix/config.toml"),
            ("examples/saxpy.ll", "work/saxpy.ll"),
            ("examples-broken/saxpy.ll", "work/broken/saxpy.ll"),
            ("examples/saxpy.mir", "work/saxpy.mir"),
            ("examples/saxpy.spvasm", "work/saxpy.spvasm"),
            // Recognised by its name.
            ("examples/saxpy.s", "work/saxpy-gfx1100.s"),
        ] {
            std::fs::copy(root.join(from), home.join(to)).expect("a copy");
        }
        std::os::unix::fs::symlink(server(), home.join("bin/wavelens")).expect("a link");
        let helix =
            Helix { socket: format!("wavelens-{test}-{}", std::process::id()), home, seen: BTreeSet::new() };
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("PATH={}:{path}", helix.home.join("bin").display());
        let config = format!("XDG_CONFIG_HOME={}", helix.home.display());
        let cache = format!("XDG_CACHE_HOME={}", helix.home.join("cache").display());
        let work = helix.home.join("work");
        let words = ["-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "48", "-c"];
        let output = helix.tmux(words.into_iter().chain([
            &*work.to_string_lossy(),
            "env",
            &path,
            &config,
            &cache,
            "hx",
            "broken/saxpy.ll",
        ]));
        assert!(output.status.success(), "{output:?}");
        helix.wait("the editor", |screen| status(screen).contains("saxpy.ll"));
        helix
    }

    fn tmux<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(words).output().expect("tmux starts")
    }

    /// Presses keys, as tmux names them.
    fn keys(&self, keys: &str) {
        for key in keys.split(' ') {
            self.tmux(["send-keys", key]);
            // Escape and a key that arrive together are that key with Alt.
            std::thread::sleep(Duration::from_millis(if key == "Escape" { 300 } else { 60 }));
        }
    }

    fn write(&self, text: &str) {
        self.tmux(["send-keys", "-l", text]);
        std::thread::sleep(Duration::from_millis(100));
    }

    /// Runs a command of the editor's command line.
    fn run(&self, command: &str) {
        self.keys("Escape");
        self.write(&format!(":{command}"));
        self.keys("Enter");
    }

    fn open(&self, file: &str) {
        self.run(&format!("open {file}"));
        self.wait(file, |screen| status(screen).contains(file));
    }

    /// Puts the cursor on the next text.
    fn search(&self, text: &str) {
        self.keys("Escape");
        self.write(&format!("/{text}"));
        self.keys("Enter");
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(["capture-pane", "-p"]).stdout).into_owned()
    }

    fn wait(&self, what: &str, condition: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if condition(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "no {what} in:\n{screen}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// A row of `features.json` that works: a text appears.
    fn shows(&mut self, feature: &'static str, text: &str) {
        self.wait(&format!("{feature}: {text}"), |screen| screen.contains(text));
        self.seen.insert(feature);
    }

    /// A view opens in place of the source, whose file is opened again.
    fn view(&mut self, feature: &'static str, keys: &str, ending: &str, text: &str) {
        self.open("saxpy.ll");
        self.search("base");
        self.keys(keys);
        self.wait(feature, |screen| status(screen).contains("saxpy.ll.") && status(screen).contains(ending));
        self.shows(feature, text);
    }
}

impl Drop for Helix {
    fn drop(&mut self) {
        self.tmux(["kill-server"]);
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// The line with the name of the file.
fn status(screen: &str) -> &str {
    screen.trim_end().lines().rev().find(|line| line.contains(" sel")).unwrap_or_default()
}

/// Errors, and what one does about them.
fn mistakes(helix: &mut Helix) {
    helix.shows("diagnostics", "use of undefined value `%itme`; did you mean `%item`?");
    helix.search("itme");
    helix.keys("Space a");
    helix.shows("actions", "Replace with `%item`");
    helix.wait("a reduction", |screen| screen.contains("Reduce the file while `undefined-value` remains"));
    helix.keys("Enter");
    helix.wait("the correction", |screen| !screen.contains("itme"));
    helix.run("write");
    helix.keys("Space v d");
    helix.wait("the reduced file", |screen| status(screen).contains("saxpy.ll.reduced.ll"));
    helix.seen.insert("reduce");
    assert!(helix.screen().lines().count() > 3);
}

/// What is asked about a name.
fn names(helix: &mut Helix) {
    helix.open("saxpy.ll");
    helix.search("group = call");
    helix.keys("Space k");
    helix.shows("hover", "<callee>(<args>)");
    helix.search("i32 %base");
    helix.keys("g d");
    helix.wait("the definition", |screen| status(screen).contains(" 9:"));
    helix.seen.insert("definition");
    // Which end of a match the cursor is at depends on what was selected before.
    helix.search("base");
    helix.keys("g D");
    helix.wait("the declaration", |screen| status(screen).contains(" 9:"));
    helix.seen.insert("declaration");
    helix.keys("Space h");
    helix.wait("occurrences", |screen| status(screen).contains("1/2 sels"));
    helix.seen.insert("occurrences");
    helix.keys(", g r");
    helix.shows("references", "2/2");
    helix.keys("Escape Escape Space s");
    helix.shows("outline", "function @saxpy");
    helix.keys("Escape Escape Space S");
    helix.write("saxpy");
    helix.shows("symbols", "@saxpy");
    helix.keys("Escape Escape");
    helix.search("base");
    helix.keys("Space r C-u");
    helix.write("start");
    helix.keys("Enter");
    helix.shows("rename", "%i = add i32 %start, %item");
    helix.keys("u");
    helix.wait("the old name", |screen| screen.contains("%i = add i32 %base, %item"));
}

/// What helps to write.
fn writing(helix: &mut Helix) {
    helix.search("%base = shl");
    helix.write("o%new = add i32 %ba");
    helix.shows("completion", "%base variable");
    helix.keys("Escape u");
    helix.search("%base = shl");
    helix.write("o%new = call float @llvm.fmuladd.f32(");
    helix.shows("signature", "(float, float, float)");
    helix.keys("Escape Escape u");
    for (feature, command) in [("format", ":format"), ("range", "x=")] {
        helix.search("%base = shl");
        helix.write("I        ");
        helix.keys("Escape");
        helix.wait("white space", |screen| screen.contains("          %base = shl"));
        helix.write(command);
        helix.keys("Enter");
        helix.wait("less white space", |screen| !screen.contains("          %base = shl"));
        helix.seen.insert(feature);
    }
    helix.run("reload!");
}

/// Generated code; each view is asked for from the one before as well as from the source.
fn views(helix: &mut Helix) {
    helix.open("saxpy.ll");
    // Without an edit: Helix asks for hints once.
    helix.shows("hints", "▲");
    helix.view("isa", "Space v i", "ll.s ", "v_lshl_or_b32 v0, s13, 8, v0");
    helix.shows("target", "-mcpu=gfx1100");
    // Our mode, so that commands work there.
    helix.keys("Space v t");
    helix.wait("the comparison", |screen| status(screen).contains("targets.txt"));
    helix.shows("compare", "gfx1030");
    helix.open("saxpy.ll");
    helix.search("8$");
    helix.keys("g i");
    helix.wait("the instructions of a line", |screen| status(screen).contains("ll.s"));
    helix.shows("sides", "v_lshl_or_b32 v0, s13, 8, v0");
    helix.open("saxpy.ll");
    helix.search("8$");
    helix.keys("r 4 Space v i");
    helix.shows("isa", "v0, s13, 4, v0");
    helix.view("cfg", "Space v g", "cfg.txt", "@saxpy: 3 blocks");
    helix.view("dominators", "Space v G", "cfg.txt", "@saxpy: dominator tree");
    helix.view("passes", "Space v p", "passes.diff", "AMDGPU Lower Kernel Arguments");
    helix.view("trace", "Space v h", "history.txt", "%base in `saxpy`");
    helix.view("remarks", "Space v m", "remarks.txt", "saxpy.ll");
    helix.view("advise", "Space v a", "advice.txt", "saxpy");
}

#[test]
fn helix_shows_findings_and_views() {
    if !are_installed() {
        return;
    }
    let mut helix = Helix::start("tour");
    mistakes(&mut helix);
    names(&mut helix);
    writing(&mut helix);
    let compiles = required::program("llc-22");
    if compiles {
        views(&mut helix);
    }
    helix.open("broken/saxpy.ll");
    helix.run("lsp-restart");
    helix.wait("findings again", |screen| screen.contains("expected `i64`, found `%i` of type `i32`"));
    helix.seen.insert("restart");
    let text = std::fs::read_to_string(repository().join(features::FILE)).expect("the file is there");
    let features = Features::read(&text).expect("it is valid");
    let missing: Vec<&str> =
        features.required("Helix").into_iter().filter(|id| !helix.seen.contains(id)).collect();
    assert!(!compiles || missing.is_empty(), "features of the book that no test saw: {missing:?}");
}

#[test]
fn helix_knows_the_other_languages() {
    if !are_installed() {
        return;
    }
    let helix = Helix::start("languages");
    for (file, name, word) in [
        ("saxpy.mir", "G_SHL", "shift"),
        ("saxpy.spvasm", "OpAccessChain", "Base"),
        ("saxpy-gfx1100.s", "v_lshl_or_b32", "vdst"),
    ] {
        helix.open(file);
        helix.search(name);
        helix.keys("Space k");
        helix.wait(&format!("a hover in {file}"), |screen| screen.contains(word));
        // A misspelt word is an error.
        helix.keys("Escape");
        helix.write("cnonsense");
        helix.keys("Escape");
        helix.wait(&format!("an error in {file}"), |screen| status(screen).contains("●"));
        helix.run("reload!");
    }
}
