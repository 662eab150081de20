//! The editor and the command line report the same for the same text: each document is opened in a server process, edited, and edited
//! back, and its findings and fixes are compared with those that a fresh process of `wavelens check` prints.
//!
//! A sample by default; all of some thousands of documents with `WAVELENS_EXHAUSTIVE` set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wavelens_base::Dialect;
use wavelens_check::dialect;
use wavelens_test_support::client::Client;
use wavelens_tests::random::{self, Random};
use wavelens_tests::{examples, server};

/// Documents of a sample.
const SAMPLE: usize = 80;

/// Documents that are checked by one process.
const BATCH: usize = 200;

/// Edits of each document before it is compared again.
const EDITS: usize = 20;

struct Sample {
    dialect: Dialect,
    text: String,
}

/// `(line, column, end line, end column)`, from 1, in UTF-16; severity, code, message.
type Shown = ((u64, u64, u64, u64), String, String, String);

fn comment(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Llvm | Dialect::Spirv => ";",
        Dialect::Mir => "#",
        Dialect::Amdgpu => "//",
    }
}

fn run_lines(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Llvm => &[
            "llc -mtriple=amdgcn -mcpu=gfx900 < %s | FileCheck --check-prefix=NOPE %s",
            "opt -passes=instcombin -S %s | FileCheck %s",
            "not llvm-as < %s",
        ],
        Dialect::Mir => &[
            "llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s -o - | FileCheck --check-prefix=NOPE %s",
            "llc -mtriple=amdgcn -mcpu=gfx1100 -run-pass=none %s",
        ],
        Dialect::Spirv => &["spirv-as --target-env spv1.3 %s", "not spirv-as %s | FileCheck %s"],
        Dialect::Amdgpu => &[
            "llvm-mc -triple=amdgcn -mcpu=gfx900 %s",
            "not llvm-mc -triple=amdgcn -mcpu=gfx1100 %s 2>&1 | FileCheck --check-prefix=NOPE %s",
        ],
    }
}

/// The text with an invisible character in some word.
fn with_invisible(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    text.insert(random.offset(&text), '\u{200b}');
    text
}

/// What a dialect repeats to be large: lines that can follow each other in any number.
fn repeated(dialect: Dialect, count: usize) -> String {
    let line = |n: usize| match dialect {
        Dialect::Llvm => format!("define i32 @r{n}(i32 %x) {{\n  %y = add i32 %x, {n}\n  ret i32 %y\n}}\n"),
        Dialect::Mir => format!("---\nname: r{n}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n"),
        Dialect::Spirv => format!("%r{n} = OpTypeStruct %r{}\n", n + 1),
        Dialect::Amdgpu => format!("r{n}:\n  v_add_f32 v{}, v1, v2\n  s_nop 0\n", n % 200),
    };
    (0..count).map(line).collect()
}

fn documents() -> Vec<Sample> {
    let mut all = Vec::new();
    let mut random = Random::new(45);
    for dialect in Dialect::ALL {
        let mut add = |text: String| all.push(Sample { dialect, text });
        examples(dialect).into_iter().for_each(&mut add);
        let mark = comment(dialect);
        for (number, rule) in dialect::rules(dialect).iter().enumerate() {
            for text in [rule.example, rule.fixed] {
                add(text.to_owned());
                add(with_invisible(&mut random, text));
            }
            let runs: String = run_lines(dialect)
                .iter()
                .take(1 + number % 3)
                .map(|run| format!("{mark} RUN: {run}\n"))
                .collect();
            add(format!("{runs}{}", rule.example));
            add(format!(
                "{mark} RUN: split-file %s %t\n{mark}--- a\n{}{mark}--- b\n{}",
                rule.example, rule.fixed
            ));
            let banner = format!("{mark} *** IR Dump After A on f ***\n");
            if number % 2 == 0 {
                add(format!("{banner}{}{banner}{}", rule.example, rule.fixed));
                add(format!("{}{mark} END.\n{mark} RUN: llc %s\n", rule.example));
            }
            // Larger than what is looked at as a whole after every edit.
            if number % 24 == 0 {
                add(format!("{runs}{}{}", rule.example, repeated(dialect, 4000)));
                add(with_invisible(&mut random, &format!("{}{}", rule.example, repeated(dialect, 4000))));
            }
        }
        add(format!("{}{}", dialect::rules(dialect)[0].example, repeated(dialect, 30_000)));
    }
    let includes = [".include \"included.inc\"\nuse_it v1\n", ".include \"missing.inc\"\nv_nop\n"];
    all.extend(includes.map(|text| Sample { dialect: Dialect::Amdgpu, text: text.to_owned() }));
    all
}

fn extension(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Llvm => "ll",
        Dialect::Mir => "mir",
        Dialect::Spirv => "spvasm",
        Dialect::Amdgpu => "s",
    }
}

/// What a fresh process prints about some files of a dialect, by their names. The titles of fixes are in the second place.
fn checked(folder: &Path, dialect: Dialect, names: &[String]) -> BTreeMap<String, (Vec<Shown>, Vec<String>)> {
    let output = std::process::Command::new(server())
        .args(["check", "--format", "json", "--dialect", dialect.name()])
        .args(names)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let file = |line: &str| {
        let file: Value = serde_json::from_str(line).expect("a line of JSON");
        let number = |d: &Value, name: &str| d[name].as_u64().unwrap_or(0);
        let word = |d: &Value, name: &str| d[name].as_str().unwrap_or_default().to_owned();
        let all = file["diagnostics"].as_array().cloned().unwrap_or_default();
        let mut shown: Vec<Shown> = all
            .iter()
            .map(|d| {
                // JSON has the place that the reference tool names, and then the mistake's, which people are shown.
                let is_mistake = |r: &&Value| r["message"] == "the mistake is here";
                let own = d["related"].as_array().and_then(|all| all.iter().find(is_mistake)).unwrap_or(d);
                let names = ["line", "utf16_column", "end_line", "utf16_end_column"];
                let place = names.map(|name| number(own, name));
                let place = (place[0], place[1], place[2], place[3]);
                let severity = if d["expected"] == true { "info".to_owned() } else { word(d, "severity") };
                (place, severity, word(d, "code"), word(d, "message"))
            })
            .collect();
        shown.sort();
        let fixes = all.iter().filter_map(|d| d["fixes"].as_array()).flatten();
        let fixes = fixes.filter_map(|fix| Some(fix["title"].as_str()?.to_owned())).collect();
        (word(&file, "file"), (shown, fixes))
    };
    lines.lines().map(file).collect()
}

/// What the server says about the current version of a document.
async fn pulled(client: &mut Client, uri: &str) -> Vec<Shown> {
    let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).await;
    let all = report["items"].as_array().cloned().unwrap_or_default();
    let show = |d: &Value| {
        let at = |end: &str, name: &str| d["range"][end][name].as_u64().unwrap_or(0) + 1;
        let place =
            (at("start", "line"), at("start", "character"), at("end", "line"), at("end", "character"));
        let severity = ["error", "warning", "info", "hint"]
            .get(d["severity"].as_u64().unwrap_or(1).saturating_sub(1) as usize)
            .copied()
            .unwrap_or_default();
        let word = |name: &str| d[name].as_str().unwrap_or_default().to_owned();
        (place, severity.to_owned(), word("code"), word("message"))
    };
    let mut shown: Vec<Shown> = all.iter().map(show).collect();
    shown.sort();
    shown
}

/// The titles of the fixes that the server offers for findings anywhere in a document.
async fn fixes(client: &mut Client, uri: &str, diagnostics: usize) -> Vec<String> {
    if diagnostics == 0 {
        return Vec::new();
    }
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1 << 20, "character": 0 } });
    let parameters = json!({
        "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    let actions = client.ask("textDocument/codeAction", parameters).await;
    let of_finding = |a: &&Value| a["diagnostics"].as_array().is_some_and(|d| !d.is_empty());
    let actions = actions.as_array().cloned().unwrap_or_default();
    actions.iter().filter(of_finding).filter_map(|a| Some(a["title"].as_str()?.to_owned())).collect()
}

fn changed(version: i32, uri: &str, text: &str) -> Value {
    json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }] })
}

/// A change of a range of the text before.
fn edited(version: i32, uri: &str, before: &str, range: std::ops::Range<usize>, text: &str) -> Value {
    let position = |offset: usize| {
        let before = &before[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        json!({ "line": before.matches('\n').count(), "character": before[start..].encode_utf16().count() })
    };
    let range = json!({ "start": position(range.start), "end": position(range.end) });
    json!({
        "textDocument": { "uri": uri, "version": version },
        "contentChanges": [{ "range": range, "text": text }],
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn editor_and_command_line_report_the_same() {
    let documents = documents();
    let is_exhaustive = std::env::var_os("WAVELENS_EXHAUSTIVE").is_some();
    assert!(documents.len() >= 2000, "{} documents", documents.len());
    let step = if is_exhaustive { 1 } else { documents.len() / SAMPLE };
    let documents: Vec<&Sample> = documents.iter().step_by(step).collect();
    let folder = std::env::temp_dir().join(format!("wavelens-agreement-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("included.inc"), ".macro use_it r\nv_mov_b32 \\r, 1\n.endm\n")
        .expect("a file");
    let root = format!("file://{}", folder.display());
    let (mut client, _server) = Client::of_process(&server()).expect("the server starts");
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": {
            "diagnostic": {},
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } } },
        },
    });
    client.initialize_in(json!(root), capabilities, json!({})).await;
    let mut random = Random::new(7);
    let mut differences = Vec::new();
    for (number, batch) in documents.chunks(BATCH).enumerate() {
        let mut names = Vec::new();
        let mut all = Vec::new();
        for (index, document) in batch.iter().enumerate() {
            let mut texts = vec![document.text.clone()];
            let mut edits = Vec::new();
            for _ in 0..EDITS {
                let before = texts.last().cloned().unwrap_or_default();
                let mut edit = random::edit(&mut random, &before);
                // The protocol ends lines at a `\r` too, which the places here do not count.
                edit.text.retain(|c| c != '\r');
                let mut after = before.clone();
                after.replace_range(edit.range.clone(), &edit.text);
                edits.push((before, edit));
                texts = vec![document.text.clone(), after];
            }
            let ending = extension(document.dialect);
            let own = ["a", "b"].map(|state| format!("{number}-{index}-{state}.{ending}"));
            for (name, text) in own.iter().zip(&texts) {
                std::fs::write(folder.join(name), text).expect("a file");
            }
            names.extend(own.clone());
            all.push((own, edits, texts));
        }
        let mut expected = BTreeMap::new();
        for dialect in Dialect::ALL {
            let is_own = |name: &&String| Dialect::from_file_name(name) == Some(dialect);
            let own: Vec<String> = names.iter().filter(is_own).cloned().collect();
            if !own.is_empty() {
                expected.extend(checked(&folder, dialect, &own));
            }
        }
        for (document, (own, edits, texts)) in batch.iter().zip(all) {
            let uri = format!("{root}/{}", own[0]);
            client.open(&uri, document.dialect.name(), &document.text).await;
            let mut compare = |state: &str, name: &str, shown: &[Shown], offered: &[String]| {
                let (wanted, titles) = expected.get(name).cloned().unwrap_or_default();
                let unknown: Vec<&String> = offered.iter().filter(|title| !titles.contains(title)).collect();
                if wanted != shown || !unknown.is_empty() {
                    let only = |a: &[Shown], b: &[Shown]| -> Vec<Shown> {
                        a.iter().filter(|f| !b.contains(f)).take(3).cloned().collect()
                    };
                    differences.push(format!(
                        "{name} {state}: only the command line: {:?}; only the editor: {:?}; other fixes: {unknown:?}",
                        only(&wanted, shown),
                        only(shown, &wanted)
                    ));
                }
            };
            let shown = pulled(&mut client, &uri).await;
            let offered = match document.text.len() < 1 << 16 {
                true => fixes(&mut client, &uri, shown.len()).await,
                false => Vec::new(),
            };
            compare("opened", &own[0], &shown, &offered);
            let mut version = 1;
            for (before, edit) in edits {
                version += 1;
                let change = edited(version, &uri, &before, edit.range, &edit.text);
                client.notify("textDocument/didChange", change).await;
            }
            compare("edited", &own[1], &pulled(&mut client, &uri).await, &[]);
            client.notify("textDocument/didChange", changed(version + 1, &uri, &texts[0])).await;
            compare("edited back", &own[0], &pulled(&mut client, &uri).await, &[]);
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })).await;
        }
        names.iter().for_each(|name| _ = std::fs::remove_file(folder.join(PathBuf::from(name))));
    }
    let _ = std::fs::remove_dir_all(&folder);
    let count = differences.len();
    assert!(differences.is_empty(), "{count} differences:\n{}", differences[..count.min(20)].join("\n"));
}
