//! Real editors against the built server. An editor that is not installed is skipped, and says so.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use wavelens_test_support::features::{self, Features};
use wavelens_tests::{repository, required, server};

fn installed(program: &str) -> bool {
    if !server().exists() {
        required::skip("the server is not built");
        return false;
    }
    required::program(program)
}

/// What shows generated code is tested where there is a compiler.
fn has_llc() -> bool {
    required::program("llc-22")
}

fn has_eglot() -> bool {
    let found = Command::new("emacs")
        .args(["--batch", "--eval", "(progn (package-initialize) (require 'eglot))"])
        .output()
        .is_ok_and(|o| o.status.success());
    if !found {
        required::skip("Emacs has no Eglot (install elpa-eglot)");
    }
    found
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn features() -> Features {
    let text = std::fs::read_to_string(repository().join(features::FILE)).expect("the file is there");
    Features::read(&text).expect("it is valid")
}

/// Rows of the table of features that need a compiler.
const COMPILED: [&str; 12] = [
    "isa",
    "cfg",
    "dominators",
    "compare",
    "passes",
    "trace",
    "remarks",
    "advise",
    "target",
    "lenses",
    "hints",
    "restart",
];

/// Every feature that the book lists for the editor was seen to work.
fn assert_features(output: &Output, editor: &str) {
    let said = said(output);
    let found: BTreeSet<&str> = said.lines().filter_map(|line| line.strip_prefix("FEATURE ")).collect();
    let features = features();
    let required = features.required(editor);
    assert!(!required.is_empty(), "{editor} is not in the table");
    let is_expected = |id: &&str| has_llc() || !COMPILED.contains(id);
    let missing: Vec<_> = required.into_iter().filter(is_expected).filter(|id| !found.contains(id)).collect();
    assert!(missing.is_empty(), "{editor}: {missing:?} did not work:\n{said}");
}

#[test]
fn the_book_has_the_table_of_features() {
    let page = std::fs::read_to_string(repository().join("docs/editors.md")).expect("the page is there");
    assert!(page.contains(&features().table()), "`cargo xtask docs` writes the table");
}

/// A SPIR-V module as other programs write it.
fn binary(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("wavelens-{test}-{}.spv", std::process::id()));
    let mut encode = Command::new(server());
    encode.args(["encode", "-o"]).arg(&path).arg(repository().join("examples/saxpy.spvasm"));
    assert!(encode.status().is_ok_and(|status| status.success()), "the example is encoded");
    path
}

fn assert_steps(output: &Output, steps: &[&str]) {
    let said = said(output);
    for step in steps {
        assert!(said.contains(step), "no `{step}` in:\n{said}");
    }
    assert!(!said.contains("FAILED"), "{said}");
}

#[test]
fn neovim_shows_findings_and_follows_edits() {
    if !installed("nvim") {
        return;
    }
    let root = repository();
    let binary = binary("neovim");
    let output = Command::new("nvim")
        .args(["--clean", "--headless"])
        .arg("--cmd")
        .arg(format!("set rtp^={}", root.join("editors/neovim").display()))
        .args(["-c", "runtime! ftdetect/wavelens.lua"])
        .arg("-c")
        .arg(format!("luafile {}", root.join("tests/editors/neovim.lua").display()))
        .env("WAVELENS", server())
        .env("WAVELENS_BINARY", &binary)
        .env("WAVELENS_FILE", root.join("examples-broken/saxpy.ll"))
        .output()
        .expect("nvim starts");
    let mut steps = vec![
        "FILETYPE llvm",
        "DIAGNOSTIC",
        "HOVER yes",
        "DEFINITION",
        "FIXED one of",
        "COMPLETION yes",
        "SYNTAX Statement Identifier",
        "COMMENT ; %s",
        "LANGUAGE saxpy.mir mir",
        "LANGUAGE saxpy.spvasm spirv",
        "LANGUAGE saxpy.s amdgpu",
        "FOLDS closed, then open",
        "HINTS wavelens: inlay hints all",
        "HEALTH version tools",
        "HELP :WavelensTarget",
    ];
    if has_llc() {
        steps.extend([
            "ISA yes read-only",
            "CLIENTS 0 more, view amdgpu",
            "FOREIGN asm, 0 findings",
            "PICTURE 1",
            "FRESH yes",
            "TARGETS yes",
            "PASSES yes",
            "RESTARTED yes",
            "VIEWS 1 window, not wrapped",
        ]);
    }
    let _ = std::fs::remove_file(binary);
    assert_steps(&output, &steps);
    assert_features(&output, "Neovim 0.11 (0.7)");
}

#[test]
fn emacs_shows_findings_and_follows_edits() {
    if !installed("emacs") {
        return;
    }
    if !has_eglot() {
        return;
    }
    let root = repository();
    let binary = binary("emacs");
    let output = Command::new("emacs")
        .args(["--batch", "-l"])
        .arg(root.join("tests/editors/emacs.el"))
        .arg(root.join("examples-broken/saxpy.ll"))
        .env("WAVELENS", server())
        .env("WAVELENS_BINARY", &binary)
        .env("WAVELENS_EL", root.join("editors/emacs/wavelens.el"))
        .output()
        .expect("emacs starts");
    let mut steps = vec![
        "MODE wavelens-llvm-mode",
        "DIAGNOSTIC 10",
        "HOVER yes",
        "DEFINITION line 10",
        "FIXED one of",
        "MODE wavelens-mir-mode same server mir answers",
        "MODE wavelens-spirv-mode same server spirv answers",
        "MODE wavelens-amdgpu-mode same server amdgpu answers",
        "ELDOC eldoc-documentation-compose",
        "COLOUR font-lock-keyword-face",
        "COMMENT ;",
        "wavelens-is-missing",
        "SIGIL saxpy.ll: br label %",
        "SIGIL saxpy.mir: $vgpr0 = COPY $",
        "SIGIL saxpy.spvasm: OpName %",
        "BINARY answers",
        "SHUT DOWN",
    ];
    if has_llc() {
        steps.extend([
            "TARGETS yes",
            "ISA yes read-only wavelens-amdgpu-mode",
            "CHOSEN gfx1100",
            "FOREIGN asm-mode",
        ]);
    }
    let _ = std::fs::remove_file(binary);
    assert_steps(&output, &steps);
    assert_features(&output, "Emacs (Eglot)");
}

/// Assembly of AMD GPUs and of others; WAVELENS_ASSEMBLY names another folder with the subfolders `amdgpu` and `other`.
fn assembly() -> PathBuf {
    std::env::var_os("WAVELENS_ASSEMBLY")
        .map_or_else(|| repository().join("tests/editors/assembly"), PathBuf::from)
}

/// Each line of the output is a file and `amdgpu` or `other`: what the file's folder is called.
fn assert_recognised(output: &Output) {
    let said = String::from_utf8_lossy(&output.stdout);
    let mut files = 0;
    for line in said.lines() {
        if let Some((file, found)) = line.rsplit_once(' ').filter(|(file, _)| file.ends_with(".s")) {
            files += 1;
            assert!(file.contains(&format!("/{found}/")), "{file} was recognised as {found}");
        }
    }
    assert!(files > 10, "{}", self::said(output));
}

#[test]
fn neovim_recognises_assembly_by_its_content() {
    if !installed("nvim") {
        return;
    }
    let root = repository();
    let output = Command::new("nvim")
        .args(["--clean", "--headless"])
        .arg("--cmd")
        .arg(format!("set rtp^={}", root.join("editors/neovim").display()))
        .args(["-c", "runtime! ftdetect/wavelens.lua"])
        .arg("-c")
        .arg(format!("luafile {}", root.join("tests/editors/recognition.lua").display()))
        .env("WAVELENS_ASSEMBLY", assembly())
        .output()
        .expect("nvim starts");
    assert_recognised(&output);
}

#[test]
fn emacs_recognises_assembly_by_its_content() {
    if !installed("emacs") || !has_eglot() {
        return;
    }
    let root = repository();
    let output = Command::new("emacs")
        .args(["--batch", "-l"])
        .arg(root.join("tests/editors/recognition.el"))
        .env("WAVELENS_EL", root.join("editors/emacs/wavelens.el"))
        .env("WAVELENS_ASSEMBLY", assembly())
        .output()
        .expect("emacs starts");
    assert_recognised(&output);
}

#[test]
fn the_languages_of_helix_are_complete() {
    let file = repository().join("editors/helix/languages.toml");
    let text = std::fs::read_to_string(&file).expect("the file is there");
    let config: toml::Table = text.parse().expect("it is TOML");
    assert!(config["language-server"]["wavelens"]["args"][0].as_str() == Some("lsp"));
    let languages = config["language"].as_array().expect("languages");
    let ids: Vec<_> = languages
        .iter()
        .map(|l| l.get("language-id").unwrap_or(&l["name"]).as_str().unwrap_or_default())
        .collect();
    assert_eq!(ids, ["llvm", "mir", "spirv", "amdgpu"]);
    for language in languages {
        assert!(language["scope"].is_str() && language["file-types"].is_array(), "{language}");
        assert_eq!(language["language-servers"][0].as_str(), Some("wavelens"));
    }
}

/// It takes minutes and installs what it needs, so it runs only where `tests/run` asks for it.
#[test]
fn vs_code() {
    if std::env::var_os("WAVELENS_VSCODE").is_none() {
        println!("skipped: WAVELENS_VSCODE is not set");
        return;
    }
    let script = repository().join("tests/editors/vscode/run");
    let output = Command::new(script).env("WAVELENS", server()).output().expect("the script starts");
    println!("{}", said(&output));
    assert!(output.status.success(), "tests/editors/vscode/run failed: {}", output.status);
}
