//! README and the book: what they show is what the program prints, every page is listed, and every link resolves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use wavelens_test_support::required;

/// Links to files of the repository that are not in the book.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the server has a workspace")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The Markdown files of a folder and the folders below it.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|path| match path.is_dir() {
            true if path.ends_with("node_modules") => Vec::new(),
            true => markdown(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    found.sort();
    found
}

/// Every page that people read, but not the changelog.
fn pages() -> Vec<PathBuf> {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    top.into_iter().chain(markdown(&root().join("docs"))).chain(markdown(&root().join("editors"))).collect()
}

fn wavelens() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavelens"));
    command.current_dir(root());
    command
}

/// Each `$ wavelens ...` of a page with the lines below it.
fn excerpts(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("```text\n$ wavelens ").skip(1).map(|part| {
        let (block, _) = part.split_once("\n```").expect("the excerpt ends");
        block.split_once('\n').unwrap_or((block, ""))
    })
}

#[test]
fn excerpts_are_what_the_program_prints() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        for (command, shown) in excerpts(&text) {
            count += 1;
            let needs_llc = ["isa", "compare", "passes"].iter().any(|name| command.starts_with(name));
            if needs_llc && !required::program("llc-22") {
                continue;
            }
            let output = wavelens().args(command.split(' ')).output().expect("the program starts");
            let printed = String::from_utf8_lossy(&output.stdout);
            let mut lines = printed.lines();
            // `[...]` stands for lines that are left out.
            for line in shown.lines().filter(|line| *line != "[...]") {
                assert!(
                    lines.any(|l| l == line),
                    "{} shows for {command}, in this order,\n{line}\nbut the program prints\n{printed}\n\
                    `cargo xtask docs` renews it",
                    page.display()
                );
            }
        }
    }
    assert!(count > 5, "only {count} excerpts were found");
}

#[test]
fn the_pages_of_codes_are_those_of_the_rules() {
    let folder = std::env::temp_dir().join(format!("wavelens-book-{}", std::process::id()));
    let status = wavelens().args(["explain", "--out"]).arg(&folder).status().expect("the program starts");
    assert!(status.success());
    let files = |folder: &Path| -> BTreeMap<PathBuf, String> {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().into();
        markdown(folder).iter().map(|path| (name(path), read(path))).collect()
    };
    let (made, committed) = (files(&folder), files(&root().join("docs/codes")));
    let _ = std::fs::remove_dir_all(&folder);
    let names = |files: &BTreeMap<PathBuf, String>| files.keys().cloned().collect::<BTreeSet<_>>();
    let advice = "`cargo xtask docs` writes the pages";
    assert_eq!(names(&made), names(&committed), "{advice}");
    for (name, text) in &made {
        assert!(committed.get(name) == Some(text), "{} is out of date; {advice}", name.display());
    }
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let docs = root().join("docs");
    let summary = read(&docs.join("SUMMARY.md"));
    let listed: Vec<PathBuf> = links(&summary).into_iter().map(|link| docs.join(link)).collect();
    let unique: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    let pages = markdown(&docs);
    let missing: Vec<&PathBuf> =
        pages.iter().filter(|page| !page.ends_with("SUMMARY.md") && !unique.contains(page)).collect();
    assert!(missing.is_empty(), "{missing:?} are not listed; `cargo xtask docs` lists codes");
}

/// The targets of Markdown links and pictures, outside code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        // Every second part is between backticks.
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        found.extend(plain.split("](").skip(1).filter_map(|part| Some(part.split_once(')')?.0.to_owned())));
        let pictures = plain.split("src=\"").skip(1).chain(plain.split("srcset=\"").skip(1));
        found.extend(pictures.filter_map(|part| Some(part.split_once('"')?.0.to_owned())));
    }
    found
}

/// The anchors of a page, as GitHub and mdBook make them from headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let headings = text.lines().filter(|line| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        !is_code && line.starts_with('#')
    });
    let anchor = |heading: &str| -> String {
        let kept = heading.trim_start_matches('#').trim().chars();
        let kept = kept.filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    headings.map(anchor).collect()
}

/// Why a link of a page leads nowhere.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (target, anchor) = link.split_once('#').map_or((link, None), |(t, a)| (t, Some(a)));
    let path = match target.strip_prefix(REPOSITORY) {
        Some(path) => root().join(path),
        None if target.contains("://") => return None,
        None if target.is_empty() => page.to_owned(),
        None => page.parent()?.join(target),
    };
    let docs = root().join("docs");
    if !path.exists() {
        return Some(format!("{}: {link} does not exist", page.display()));
    }
    let is_relative = !target.contains("://");
    if is_relative
        && page.starts_with(&docs)
        && !path.canonicalize().ok()?.starts_with(docs.canonicalize().ok()?)
    {
        return Some(format!("{}: {link} is not in the book; link to {REPOSITORY}", page.display()));
    }
    let anchor =
        anchor.filter(|a| path.extension().is_some_and(|e| e == "md") && !anchors(&read(&path)).contains(*a));
    anchor.map(|_| format!("{}: {link} names a heading that does not exist", page.display()))
}

/// The files and folders below a folder, relative to the root.
fn tree(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
    let mut found = vec![folder.to_owned()];
    for entry in entries.filter(|e| e.file_name() != "node_modules") {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() { found.extend(tree(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn paths_in_the_architecture_exist() {
    let folders = ["syntax", "backend", "analysis", "server", "editors", "tests"];
    let all: Vec<String> = folders.iter().flat_map(|folder| tree(folder)).collect();
    let exists = |path: &str| {
        all.iter().any(|p| p.strip_suffix(path).is_some_and(|p| p.is_empty() || p.ends_with('/')))
    };
    let text = read(&root().join("ARCHITECTURE.md"));
    // Every second part is between backticks.
    let words = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        word.chars().all(is_part) && (word.contains('/') || word.ends_with(".rs"))
    };
    let paths: Vec<&str> = words.filter(is_path).collect();
    assert!(paths.len() > 30, "only {} paths were found", paths.len());
    let missing: Vec<&&str> = paths.iter().filter(|path| !exists(path.trim_end_matches('/'))).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what does not exist: {missing:?}");
}

#[test]
fn links_resolve() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        for link in links(&read(&page)) {
            count += 1;
            problems.extend(broken(&page, &link));
        }
    }
    assert!(count > 300, "only {count} links were found");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn broken_links_are_found() {
    let page = root().join("docs/install.md");
    assert_eq!(broken(&page, "editors.md#settings"), None);
    assert_eq!(broken(&page, "https://llvm.org"), None);
    for link in ["nothing.md", "editors.md#nothing", "../README.md", &format!("{REPOSITORY}nothing.md")] {
        assert!(broken(&page, link).is_some(), "{link}");
    }
    assert_eq!(links("[a](b.md) `[c](d.md)` ![e](f.png)\n```\n[g](h.md)\n```\n"), ["b.md", "f.png"]);
    assert_eq!(
        links("  <source media=\"x\" srcset=\"a.png\">\n<img alt=\"y\" src=\"b.png\">"),
        ["a.png", "b.png"]
    );
}

/// A fenced block: the line before it, its language and its text.
fn blocks(page: &str) -> Vec<(String, String, String)> {
    let mut found: Vec<(String, String, String)> = Vec::new();
    let (mut before, mut is_open) = ("", false);
    for line in page.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(language), false) => found.push((before.to_owned(), language.to_owned(), String::new())),
            (None, true) => found.last_mut().expect("a block is open").2 += &format!("{line}\n"),
            _ => {}
        }
        is_open ^= line.starts_with("```");
        before = line;
    }
    found
}

/// README and the book without the pages of codes, whose examples have tests of their own.
fn book() -> Vec<PathBuf> {
    let own = std::fs::read_dir(root().join("docs")).into_iter().flatten().flatten().map(|e| e.path());
    let pages = own.filter(|path| path.extension().is_some_and(|e| e == "md"));
    pages.chain([root().join("README.md")]).collect()
}

/// The files that commands of the book are about.
fn files_of_commands(folder: &Path) {
    let copy = |example: &str, names: &[&str]| {
        for name in names {
            let file = folder.join(name);
            std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            std::fs::copy(root().join("examples").join(example), file).expect("a copy");
        }
    };
    copy("saxpy.ll", &["a.ll", "kernel.ll", "dump.ll", "out/b.ll"]);
    copy("saxpy.mir", &["big.mir"]);
    copy("saxpy.s", &["kernel.s", "a.s"]);
    copy("saxpy.spvasm", &["shader.spvasm"]);
    let kernel = read(&root().join("examples/saxpy.ll"));
    let run =
        "; RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s -o - | FileCheck %s\n; CHECK: s_endpgm\n";
    let fails = "define i32 @f() {\n  %r = call i32 @llvm.amdgcn.udot4(i32 1, i32 1, i32 1, i1 false)\n  ret i32 %r\n}\n\
        declare i32 @llvm.amdgcn.udot4(i32, i32, i32, i1)\n";
    let stage = |model: &str, storage: &str, mode: &str| {
        format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint {model} %main \"main\" %x\n{mode}OpDecorate %x Location 0\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%p = OpTypePointer {storage} %float\n\
             %x = OpVariable %p {storage}\n%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let fragment = stage("Fragment", "Input", "OpExecutionMode %main OriginUpperLeft\n");
    for (name, text) in [
        ("test.ll", format!("{run}{kernel}")),
        ("crash.ll", format!("{run}{fails}")),
        ("out.ll", "define i64 @f(i32 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n".to_owned()),
        ("fails.sh", "#!/bin/sh\ngrep -q G_FMA \"$1\"\n".to_owned()),
        ("shader.vert.spvasm", stage("Vertex", "Output", "")),
        ("shader.frag.spvasm", fragment),
    ] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    #[cfg(unix)]
    std::fs::set_permissions(folder.join("fails.sh"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("it is ours");
    for name in ["shader", "shader.vert", "shader.frag"] {
        let (text, binary) = (folder.join(format!("{name}.spvasm")), folder.join(format!("{name}.spv")));
        let made = wavelens().arg("encode").args([&text, Path::new("-o"), &binary]).status();
        assert!(made.expect("the program starts").success(), "{name}");
    }
}

/// Commands of the book that need what a test does not have, with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("isa shader.spv", "Mesa's driver; radv.rs runs it"),
    ("disassemble --code-object", "a program of HIP"),
];

#[test]
fn code_blocks_are_tried_or_say_why_not() {
    let folder = std::env::temp_dir().join(format!("wavelens-blocks-{}", std::process::id()));
    files_of_commands(&folder);
    let mut tried = 0;
    let compiles = required::program("llc-22") && required::program("FileCheck-22");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = Path::new(env!("CARGO_BIN_EXE_wavelens")).parent().expect("a folder").to_owned();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let mut run = |line: &str, page: &Path, text: &str| {
        tried += 1;
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&folder).env("PATH", &path);
        let output = command.output().expect("a shell starts");
        let said = String::from_utf8_lossy(&output.stderr);
        // A check of a file with a mistake ends with 1.
        let has_findings = output.status.code() == Some(1) && line.starts_with("wavelens check");
        assert!(output.status.success() || has_findings, "{}: {text}\n{said}", page.display());
    };
    for page in book() {
        for (before, language, text) in blocks(&read(&page)) {
            if let Some(reason) = before.strip_prefix("<!-- not run: ") {
                assert!(reason.trim_end_matches("-->").trim().len() > 4, "{}: {before}", page.display());
                continue;
            }
            match language.as_str() {
                // Other tests compare the output, and try the arguments of all commands.
                "text" => {}
                "sh" => {
                    for line in text.lines() {
                        let line = line.split(" #").next().unwrap_or("").trim();
                        let words: Vec<&str> = line.split_whitespace().collect();
                        assert_eq!(
                            words.first(),
                            Some(&"wavelens"),
                            "{}: {line} needs a reason",
                            page.display()
                        );
                        let is_own =
                            ["check", "fmt", "encode", "explain", "target", "interface"].contains(&words[1]);
                        let needs_more = NOT_RUN.iter().any(|(command, _)| line[9..].starts_with(command));
                        if !needs_more && (is_own || compiles) {
                            run(line, &page, line);
                        }
                    }
                }
                "toml" => {
                    std::fs::write(folder.join("try.toml"), &text).expect("a file");
                    run("wavelens check -q --config try.toml a.ll", &page, &text);
                }
                "llvm" | "mir" | "spirv" | "asm" => {
                    std::fs::write(folder.join("block"), &text).expect("a file");
                    let dialect = if language == "asm" { "amdgpu" } else { &language };
                    run(&format!("wavelens check -q --dialect {dialect} block"), &page, &text);
                }
                other => panic!("{}: a block of `{other}` without a reason", page.display()),
            }
        }
    }
    assert!(tried > 15, "only {tried} blocks were tried");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_first_command_finds_nothing() {
    let output = wavelens().args(["check", "examples"]).output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "5 files checked: no findings\n");
    assert_eq!(output.status.code(), Some(0));
}

/// Fields of JSON that programs read are described.
#[test]
fn every_field_of_json_is_described() {
    let page = read(&root().join("docs/json.md")) + &read(&root().join("docs/command-line.md"));
    let commands: &[&[&str]] = &[
        &["check", "--format", "json", "examples-broken/saxpy.ll"],
        &["check", "--statistics", "--format", "json", "examples-broken/saxpy.ll"],
        &["explain", "--format", "json", "undefined-value"],
        &["encode", "--format", "json", "examples/saxpy.s"],
        &["target", "--format", "json", "examples/saxpy.s"],
        &["doctor", "--format", "json"],
    ];
    for command in commands {
        let output = wavelens().args(*command).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let first = text.lines().next().unwrap_or("");
        let object: serde_json::Value =
            serde_json::from_str(first).unwrap_or_else(|e| panic!("{command:?}: {e}"));
        for field in object.as_object().expect("an object").keys() {
            assert!(page.contains(&format!("`{field}`")), "{command:?} prints `{field}`");
        }
    }
}
