//! Packages of a small payload, read by other programs.

use std::process::Command;

use serde_json::json;
use wavelens_test_support::required;

use super::payload::{File, Part, Payload};
use super::{Release, archive, deb, recipes, sbom};
use crate::repository::{Scratch, output, read_text, root};

fn release() -> Release {
    Release {
        version: "1.2.3".to_owned(),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        time: 1_700_000_000,
    }
}

fn payload() -> Payload {
    let file =
        |part, name: &str, content: &str| File { part, name: name.to_owned(), content: content.into() };
    Payload {
        files: vec![
            file(Part::Program, "wavelens", "#!/bin/sh\necho wavelens\n"),
            file(Part::Document, "LICENSE-MIT", "MIT License"),
            file(Part::Document, "README.md", "# Wavelens"),
            file(Part::Completion("zsh"), "_wavelens", "#compdef wavelens"),
            file(Part::Man, "wavelens.1", ".TH wavelens 1"),
            file(Part::Editor, "neovim/lua/wavelens/init.lua", "return {}"),
            file(Part::Editor, "helix/languages.toml", "[language-server.wavelens]"),
        ],
    }
}

fn text(command: &mut Command) -> String {
    String::from_utf8_lossy(&output(command).expect("the program reads the package")).into_owned()
}

#[test]
fn an_archive_has_everything_in_one_folder() {
    let scratch = Scratch::new("test-archive").expect("a folder");
    let path = archive::make(&release(), &payload(), scratch.path()).expect("is made");
    let listed = text(Command::new("tar").arg("-tvzf").arg(&path));
    let files: Vec<_> = listed
        .lines()
        .filter(|line| line.starts_with('-'))
        .map(|line| (&line[..10], line.rsplit(' ').next().unwrap_or_default()))
        .collect();
    let folder = "wavelens-1.2.3-x86_64-unknown-linux-gnu";
    assert_eq!(files[0], ("-rwxr-xr-x", format!("{folder}/bin/wavelens").as_str()));
    let completion = format!("{folder}/share/zsh/site-functions/_wavelens");
    assert!(files.contains(&("-rw-r--r--", completion.as_str())), "{listed}");
    let plugin = format!("{folder}/share/nvim/site/pack/wavelens/start/wavelens/lua/wavelens/init.lua");
    assert!(files.contains(&("-rw-r--r--", plugin.as_str())), "{listed}");
    assert!(files.iter().all(|(_, name)| name.starts_with(folder)), "{listed}");
    assert_eq!(files.len(), payload().files.len());
    let again = archive::make(&release(), &payload(), &scratch.path().join("again")).expect("is made");
    assert!(std::fs::read(path).expect("is there") == std::fs::read(again).expect("is there"), "other bytes");
}

#[test]
fn an_archive_for_windows_has_the_program_on_top() {
    let scratch = Scratch::new("test-archive-windows").expect("a folder");
    let release = Release { target: "x86_64-pc-windows-msvc".to_owned(), ..release() };
    let path = archive::make(&release, &payload(), scratch.path()).expect("is made");
    let listed = text(Command::new("tar").arg("-tzf").arg(&path));
    assert!(listed.lines().any(|line| line == "wavelens-1.2.3-x86_64-pc-windows-msvc/wavelens"), "{listed}");
}

#[test]
fn debian_reads_the_package() {
    if !required::program("dpkg-deb") {
        return;
    }
    let scratch = Scratch::new("test-deb").expect("a folder");
    let path = deb::make(&release(), &payload(), scratch.path()).expect("is made");
    let fields = text(Command::new("dpkg-deb").arg("--field").arg(&path));
    for field in ["Package: wavelens", "Version: 1.2.3", "Architecture: amd64", "Installed-Size: 1"] {
        assert!(fields.lines().any(|line| line == field), "{field} in\n{fields}");
    }
    let root = scratch.path().join("root");
    output(Command::new("dpkg-deb").arg("--extract").arg(&path).arg(&root)).expect("is extracted");
    let program = root.join("usr/bin/wavelens");
    assert_eq!(text(&mut Command::new(program)), "wavelens\n");
    for file in [
        "usr/share/man/man1/wavelens.1.gz",
        "usr/share/zsh/vendor-completions/_wavelens",
        "usr/share/nvim/site/pack/wavelens/start/wavelens/lua/wavelens/init.lua",
        "usr/share/doc/wavelens/editors/helix/languages.toml",
    ] {
        assert!(root.join(file).is_file(), "{file}");
    }
    let copyright = std::fs::read_to_string(root.join("usr/share/doc/wavelens/copyright")).expect("is there");
    assert!(copyright.contains("MIT License"));
}

/// With `cargo test --package xtask --features rpm`.
#[cfg(feature = "rpm")]
#[test]
fn rpm_reads_the_package() {
    let scratch = Scratch::new("test-rpm").expect("a folder");
    let path = super::rpm::make(&release(), &payload(), scratch.path()).expect("is made");
    let package = ::rpm::Package::open(&path).expect("is a package");
    let files = package.metadata.get_file_paths().expect("has files");
    let names: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    assert!(names.contains(&"/usr/bin/wavelens".to_owned()), "{names:?}");
    assert!(names.contains(&"/usr/share/licenses/wavelens/LICENSE-MIT".to_owned()), "{names:?}");
    assert_eq!(package.metadata.get_arch().ok(), Some("x86_64"));
}

#[test]
fn a_bill_lists_what_is_linked() {
    let package = |name: &str, license: &str| json!({ "id": name, "name": name, "version": "1.0.0+x", "license": license });
    let needs = |name: &str, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
    let metadata = json!({
        "packages": [package("program", "MIT"), package("library", "MIT/Apache-2.0"), package("builder", "MIT"), package("other", "MIT")],
        "resolve": { "nodes": [
            { "id": "program", "deps": [needs("library", None), needs("builder", Some("build")), needs("other", Some("dev"))] },
            { "id": "library", "deps": [] },
            { "id": "builder", "deps": [] },
            { "id": "other", "deps": [] },
        ] },
    });
    let bill = sbom::bill(&metadata, "program").expect("has the program");
    assert_eq!(
        bill["components"],
        json!([{
            "type": "library", "bom-ref": "pkg:cargo/library@1.0.0%2Bx", "name": "library", "version": "1.0.0+x",
            "purl": "pkg:cargo/library@1.0.0%2Bx", "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        }])
    );
    assert_eq!(bill["dependencies"].as_array().map(Vec::len), Some(2));
}

#[test]
fn recipes_name_version_and_checksums() {
    let sum_of = |target: &str| Ok(format!("<{target}>"));
    let filled = recipes::filled("v@VERSION@ @SHA256:a-b@ @SHA256:c@.", "1.2.3", sum_of);
    assert_eq!(filled.as_deref(), Ok("v1.2.3 <a-b> <c>."));
    assert!(recipes::filled("@SHA256:a", "1.2.3", sum_of).is_err());
}

/// Workflows, the action and the hook, by the schemas that GitHub's and pre-commit's users check them with.
#[test]
fn workflows_follow_their_schemas() {
    if !required::program("check-jsonschema") {
        return;
    }
    let root = root();
    let checked = |schema: &str, file: &str| {
        let mut check = Command::new("check-jsonschema");
        let outcome = output(check.args(["--builtin-schema", schema]).arg(root.join(file)));
        assert!(outcome.is_ok(), "{file}: {outcome:?}");
    };
    checked("vendor.github-workflows", ".github/workflows/ci.yml");
    checked("vendor.github-workflows", ".github/workflows/nightly.yml");
    checked("vendor.github-workflows", ".github/workflows/release.yml");
    checked("vendor.github-actions", "action.yml");
}

/// An action of somebody else is named by a commit, which cannot be moved.
#[test]
fn actions_are_pinned() {
    for file in [
        ".github/workflows/ci.yml",
        ".github/workflows/nightly.yml",
        ".github/workflows/release.yml",
        "action.yml",
    ] {
        let text = read_text(&root().join(file)).expect("is there");
        for line in
            text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "))
        {
            let (commit, version) =
                line.split_once('@').and_then(|(_, pin)| pin.split_once(" # v")).expect(line);
            assert!(
                commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()) && !version.is_empty(),
                "{line}"
            );
        }
    }
}

/// Files that name the version and are not templates.
#[test]
fn versions_agree() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("editors/vscode/package.json", format!("\"version\": \"{version}\"")),
        ("editors/zed/extension.toml", format!("version = \"{version}\"")),
        ("editors/zed/Cargo.toml", format!("version = \"{version}\"")),
        ("docs/ci.md", format!("wavelens/wavelens@v{version}")),
        ("docs/ci.md", format!("rev: v{version}")),
        ("docs/install.md", format!("wavelens/wavelens@v{version}")),
        ("docs/install.md", format!("rev: v{version}")),
    ] {
        let text = read_text(&root().join(file)).expect("is there");
        assert!(text.contains(&line), "{file} does not contain {line}");
    }
}
