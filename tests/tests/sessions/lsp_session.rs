//! Whole sessions with a server in the same process.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::timeout;
use wavelens_tests::client::{Client, at};
use wavelens_tests::random::{self, Random};
use wavelens_tests::required;

const URI: &str = "file:///t/a.ll";

fn broken_module(functions: usize) -> String {
    (0..functions)
        .map(|n| format!("define i32 @f{n}(i32 %x) {{\n  %y = add i32 %x, {n}\n  ret i32 %y\n}}\n\n"))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_are_applied_in_the_order_of_arrival() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", "").await;
    let mut text = String::new();
    for n in 0..3000 {
        // Order matters: each goes in front of what is there.
        let word = format!("; {n}\n");
        client.change(URI, n + 2, (0, 0, 0, 0), &word).await;
        text.insert_str(0, &word);
    }
    client.published(URI, 3001).await;
    let tree = client.ask("wavelens/syntaxTree", at(URI, 0, 0)).await;
    let tree = tree.as_str().unwrap_or_default().to_owned();
    let order = ["2999", "2998", "2997"].map(|n| tree.find(n));
    assert!(order[0].is_some() && order[0] < order[1] && order[1] < order[2], "{order:?}");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_carry_their_version_and_stale_ones_are_dropped() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &broken_module(20)).await;
    client.published(URI, 1).await;
    for version in 2..100 {
        client.change(URI, version, (0, 0, 0, 0), " ").await;
    }
    client.published(URI, 99).await;
    let versions: Vec<i64> = client
        .unread()
        .filter(|m| m["method"] == json!("textDocument/publishDiagnostics"))
        .filter_map(|m| m["params"]["version"].as_i64())
        .collect();
    assert!(versions.is_sorted(), "{versions:?}");
    // Nothing more comes for a version that has been settled.
    client.ask("textDocument/hover", at(URI, 0, 0)).await;
    assert!(client.unread().all(|m| m["params"]["version"] != json!(99)));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_version_without_findings_is_published_too() {
    let mut client = Client::start(&["utf-16"], json!({})).await;
    client.open(URI, "llvm", "").await;
    assert_eq!(client.published(URI, 1).await, json!([]));
    client.change(URI, 2, (0, 0, 0, 0), "; nothing\n").await;
    assert_eq!(client.published(URI, 2).await, json!([]));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } })).await;
    let closed = client.wait(|m| m["params"]["uri"] == json!(URI)).await;
    assert_eq!(closed["params"]["diagnostics"], json!([]));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_slow_requests_do_not_keep_edits_away() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &broken_module(4000)).await;
    client.published(URI, 1).await;
    let document = json!({ "textDocument": { "uri": URI } });
    let mut ids = Vec::new();
    for _ in 0..300 {
        ids.push(client.request("textDocument/documentSymbol", document.clone()).await);
    }
    let start = Instant::now();
    client.change(URI, 2, (0, 0, 0, 0), ";").await;
    client.published(URI, 2).await;
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    for id in ids {
        let response = client.response(id).await;
        let code = response["error"]["code"].as_i64();
        assert!(code.is_none() || code == Some(-32801), "{response}");
    }
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_writes_before_it_reads_does_not_stop_the_server() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &broken_module(200)).await;
    let document = json!({ "textDocument": { "uri": URI } });
    // Far more than the pipes hold, in both directions.
    let flood = async {
        let mut last = 0;
        for version in 2..2000 {
            client.change(URI, version, (0, 0, 0, 0), ";").await;
            last = client.request("textDocument/semanticTokens/full", document.clone()).await;
        }
        last
    };
    let last = timeout(Duration::from_secs(60), flood).await.expect("the server goes on reading");
    client.response(last).await;
    client.published(URI, 1999).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exit_works_while_the_pipe_stays_open() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &broken_module(2000)).await;
    client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })).await;
    assert!(client.stop().await, "an orderly end");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exit_without_shutdown_is_told_apart() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.notify("exit", Value::Null).await;
    let ended = timeout(Duration::from_secs(10), client.server).await;
    assert!(!ended.expect("in time").expect("without a panic"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_request_is_answered_and_the_server_goes_on() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &broken_module(2000)).await;
    let document = json!({ "textDocument": { "uri": URI } });
    let id = client.request("textDocument/documentSymbol", document.clone()).await;
    client.notify("$/cancelRequest", json!({ "id": id })).await;
    let response = client.response(id).await;
    let code = response["error"]["code"].as_i64();
    assert!(matches!(code, None | Some(-32800 | -32801)), "{response}");
    client.ask("textDocument/documentSymbol", document).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_documents_and_commands_are_answered() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    assert_eq!(client.ask("textDocument/hover", at("file:///nowhere.ll", 0, 0)).await, Value::Null);
    let id = client.request("workspace/executeCommand", json!({ "command": "no.such" })).await;
    assert!(client.response(id).await["error"].is_object());
    client.open("file:///t/x86.s", "asm", ".text\n.globl f\nf:\n\tret\n").await;
    assert_eq!(client.ask("textDocument/hover", at("file:///t/x86.s", 0, 0)).await, Value::Null);
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_without_an_argument_is_about_the_document_last_used() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open("file:///t/one.ll", "llvm", "define void @one() {\n  ret void\n}\n").await;
    client.open("file:///t/two.ll", "llvm", "define void @two() {\n  ret void\n}\n").await;
    for (document, function) in [("two.ll", "two"), ("one.ll", "one")] {
        client.ask("textDocument/hover", at(&format!("file:///t/{document}"), 0, 0)).await;
        let answer = client.ask("workspace/executeCommand", json!({ "command": "wavelens.cfg" })).await;
        let file = answer["file"].as_str().expect("a file").to_owned();
        let picture = std::fs::read_to_string(&file).expect("the file is there");
        assert!(picture.contains(&format!("@{function}")), "{file}");
    }
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_can_be_asked_for() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &broken_module(3)).await;
    let document = json!({ "textDocument": { "uri": URI } });
    let report = client.ask("textDocument/diagnostic", document).await;
    assert_eq!(report["kind"], json!("full"));
    let again = json!({ "textDocument": { "uri": URI }, "previousResultId": report["resultId"] });
    assert_eq!(client.ask("textDocument/diagnostic", again).await["kind"], json!("unchanged"));
    assert!(client.stop().await);
}

/// Line and column of an offset in the units of an encoding.
fn position(text: &str, offset: usize, encoding: &str) -> (usize, usize) {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let column = &before[before.rfind('\n').map_or(0, |n| n + 1)..];
    let units = if encoding == "utf-8" { column.len() } else { column.encode_utf16().count() };
    (line, units)
}

async fn random_edits(encoding: &str) {
    let mut client = Client::start(&[encoding], json!({})).await;
    let start = broken_module(6).replace("%y", "%\"ä𝄞\"");
    let mut text = start.clone();
    client.open(URI, "llvm", &text).await;
    let mut random = Random::new(7);
    let mut version = 1;
    for _ in 0..400 {
        let edit = random::edit(&mut random, &text);
        if edit.text.contains('\r') {
            continue;
        }
        let (from, to) =
            (position(&text, edit.range.start, encoding), position(&text, edit.range.end, encoding));
        version += 1;
        client.change(URI, version, (from.0, from.1, to.0, to.1), &edit.text).await;
        text.replace_range(edit.range, &edit.text);
        if text.len() > 4 * start.len() {
            text.clone_from(&start);
            version += 1;
            let whole = json!({
                "textDocument": { "uri": URI, "version": version },
                "contentChanges": [{ "text": text }],
            });
            client.notify("textDocument/didChange", whole).await;
        }
    }
    let edited = client.published(URI, version).await;
    let other = "file:///t/b.ll";
    client.open(other, "llvm", &text).await;
    let fresh = client.published(other, 1).await;
    let plain = |v: &Value| v.to_string().replace(other, URI);
    assert_eq!(plain(&edited), plain(&fresh));
    let tokens = async |client: &mut Client, uri: &str| {
        let answer =
            client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } })).await;
        answer["data"].clone()
    };
    assert_eq!(tokens(&mut client, URI).await, tokens(&mut client, other).await);
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_in_utf_8_keep_the_texts_equal() {
    random_edits("utf-8").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_in_utf_16_keep_the_texts_equal() {
    random_edits("utf-16").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spirv_binaries_are_shown_as_text() {
    let folder = std::env::temp_dir().join(format!("wavelens binary {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join("a.spv");
    let words = [0x0723_0203, 0x10000, 0, 1, 0, 0x2_0011, 1u32];
    std::fs::write(&path, words.map(u32::to_le_bytes).concat()).expect("a file for the test");
    let uri = format!("file://{}", path.display()).replace(' ', "%20");
    let mut client = Client::start(&["utf-8"], json!({})).await;
    let answer = client.ask("wavelens/disassemble", json!({ "textDocument": { "uri": uri } })).await;
    assert!(answer["text"].as_str().is_some_and(|t| t.ends_with("OpCapability Shader\n")), "{answer}");
    std::fs::write(&path, b"no module").expect("a file for the test");
    let answer = client.ask("wavelens/disassemble", json!({ "textDocument": { "uri": uri } })).await;
    assert!(answer["problem"].as_str().is_some_and(|t| t.contains("neither a SPIR-V module")), "{answer}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_are_asked_for_and_count_when_they_change() {
    const URI: &str = "file:///t/settings.ll";
    let capabilities = json!({ "workspace": {
        "configuration": true,
        "codeLens": { "refreshSupport": true },
        "inlayHint": { "refreshSupport": true },
        "didChangeConfiguration": { "dynamicRegistration": true },
    } });
    let mut client = Client::start_with(capabilities, json!({})).await;
    let registered = client.serve("client/registerCapability", Value::Null).await;
    assert_eq!(registered["registrations"][0]["method"], "workspace/didChangeConfiguration");
    let asked = client.serve("workspace/configuration", json!([{ "allow": ["unreachable-block"] }])).await;
    assert_eq!(asked["items"][0]["section"], "wavelens");
    client.open(URI, "llvm", "define void @f() {\n  ret void\n\nlost:\n  ret void\n}\n").await;
    client.published_count(URI, 0).await;
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null })).await;
    client.serve("workspace/configuration", json!([{ "allow": [] }])).await;
    client.published_count(URI, 1).await;
    client.serve("workspace/inlayHint/refresh", Value::Null).await;
    client.serve("workspace/codeLens/refresh", Value::Null).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_an_included_file_count_for_those_that_include_it() {
    let folder = std::env::temp_dir().join(format!("wavelens-session-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("a.inc"), ".macro stop\ns_endpgm\n.endm\n").expect("a file");
    let uri = |name: &str| format!("file://{}/{name}", folder.display());
    let (main, included) = (uri("main.s"), uri("a.inc"));
    let mut client = Client::start(&["utf-8"], json!({ "target": "gfx900" })).await;
    client.open(&main, "amdgpu", ".include \"a.inc\"\nstop\n").await;
    client.published_count(&main, 0).await;
    client.open(&included, "amdgpu", ".macro stop\ns_endpgm\n.endm\n").await;
    client.change(&included, 2, (1, 0, 1, 8), "s_endpgn").await;
    client.published_count(&main, 1).await;
    client.change(&included, 3, (1, 0, 1, 8), "s_endpgm").await;
    client.published_count(&main, 0).await;
    let found = client.ask("textDocument/definition", at(&main, 1, 1)).await;
    assert_eq!(found[0]["uri"], json!(included));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 0, "character": 7 }));
    // What is closed counts as it is on disk.
    client.change(&included, 4, (1, 0, 1, 8), "s_endpgn").await;
    client.published_count(&main, 1).await;
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": included } })).await;
    client.published_count(&main, 0).await;
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_included_files_on_disk_count() {
    let folder = std::env::temp_dir().join(format!("wavelens-watch-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let uri = |name: &str| format!("file://{}/{name}", folder.display());
    let changed = |name: &str, kind: u32| json!({ "changes": [{ "uri": uri(name), "type": kind }] });
    const WATCHED: &str = "workspace/didChangeWatchedFiles";
    write("a.inc", ".macro stop\ns_endpgm\n.endm\n.include \"b.inc\"\n");
    write("b.inc", "");
    write("c.bin", "1234");
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut client = Client::start_with(capabilities, json!({ "target": "gfx900" })).await;
    let main = uri("main.s");
    let text = ".include \"a.inc\"\nstop\na:\n.incbin \"c.bin\"\nb:\n.if b - a != 4\n.err\n.endif\n";
    client.open(&main, "amdgpu", text).await;
    client.published_count(&main, 0).await;
    let globs =
        ["a.inc", "b.inc", "c.bin", "wavelens.toml"].map(|n| json!({ "globPattern": format!("**/{n}") }));
    // Files that are read later than the document are registered later.
    let registered = loop {
        let registered = client.serve("client/registerCapability", Value::Null).await;
        let registered = &registered["registrations"][0];
        assert_eq!(registered["method"], WATCHED);
        if registered["registerOptions"]["watchers"] == json!(globs) {
            break registered.clone();
        }
    };
    // A mistake in a file of a file.
    write("b.inc", "s_nop v0\n");
    client.notify(WATCHED, changed("b.inc", 2)).await;
    client.published_count(&main, 1).await;
    write("b.inc", "");
    client.notify(WATCHED, changed("b.inc", 2)).await;
    client.published_count(&main, 0).await;
    // Bytes that become more.
    write("c.bin", "12345");
    client.notify(WATCHED, changed("c.bin", 2)).await;
    client.published_count(&main, 1).await;
    write("c.bin", "1234");
    client.notify(WATCHED, changed("c.bin", 2)).await;
    client.published_count(&main, 0).await;
    // A file that goes and comes back.
    std::fs::remove_file(folder.join("b.inc")).expect("it goes");
    client.notify(WATCHED, changed("b.inc", 3)).await;
    client.published_count(&main, 1).await;
    write("b.inc", "");
    client.notify(WATCHED, changed("b.inc", 1)).await;
    client.published_count(&main, 0).await;
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": main } })).await;
    // An earlier registration may have gone before.
    while client.serve("client/unregisterCapability", Value::Null).await["unregisterations"][0]["id"]
        != registered["id"]
    {}
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_target_of_a_document_is_told_and_can_be_chosen() {
    let folder = std::env::temp_dir().join(format!("wavelens-target-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("wavelens.toml"), "target = \"gfx900\"\n").expect("a file");
    let uri = format!("file://{}/main.s", folder.display());
    let document = json!({ "textDocument": { "uri": uri } });
    let mut client = Client::start(&["utf-8"], json!({ "target": "gfx1100" })).await;
    // The project's processor has the instruction, that of the settings does not.
    client.open(&uri, "amdgpu", "v_add_u32 v0, v1, v2\n").await;
    client.published_count(&uri, 0).await;
    let told = client.ask("wavelens/configuration", document).await;
    assert_eq!(told["label"], "gfx900");
    assert!(told["origin"].as_str().is_some_and(|o| o.ends_with("wavelens.toml")), "{told}");
    let choice = json!({ "textDocument": { "uri": uri }, "target": "gfx1030" });
    let told = client.ask("wavelens/setConfiguration", choice).await;
    assert_eq!((&told["label"], &told["origin"]), (&json!("gfx1030"), &json!("chosen for this file")));
    client.published_count(&uri, 1).await;
    let told = client.ask("wavelens/setConfiguration", json!({ "textDocument": { "uri": uri } })).await;
    assert_eq!(told["label"], "gfx900");
    client.published_count(&uri, 0).await;
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(client.stop().await);
}

/// The commands are built in: no tool is needed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_lines_are_run_when_the_user_asks() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", "; RUN: cat %s | count 2\n; RUN: cat %s | count 3\n").await;
    client.published(URI, 1).await;
    let document = json!({ "textDocument": { "uri": URI } });
    let lenses = client.ask("textDocument/codeLens", document).await;
    let lenses: Vec<Value> = lenses.as_array().cloned().unwrap_or_default();
    let titles: Vec<&str> = lenses.iter().filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["Run test (2 RUN lines)", "Show output"]);
    let answer = client.ask("workspace/executeCommand", lenses[0]["command"].clone()).await;
    assert_eq!(answer["verdict"], "failed");
    let lines = json!([{ "line": 1, "passed": true }, { "line": 2, "passed": false }]);
    assert_eq!(answer["lines"], lines);
    let first = json!({ "uri": URI, "line": 1, "quiet": true });
    let first = json!({ "command": "wavelens.lit.run", "arguments": [first] });
    assert_eq!(client.ask("workspace/executeCommand", first).await["verdict"], "passed");
    let answer = client.ask("workspace/executeCommand", lenses[0]["command"].clone()).await;
    assert_eq!(answer["verdict"], "failed");
    client.published_count(URI, 1).await;
    // A finding goes with the text that it was found in.
    client.change(URI, 2, (0, 0, 0, 0), "\n").await;
    client.published_count(URI, 0).await;
    assert!(client.stop().await);
}

/// Of several RUN lines that compile, one is what the document is compiled for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_line_is_chosen_for_generated_code() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    let runs = ["gfx900", "gfx1100"].map(|cpu| format!("; RUN: llc -mtriple=amdgcn -mcpu={cpu} < %s\n"));
    client.open(URI, "llvm", &(runs.concat() + "define amdgpu_kernel void @k() {\n  ret void\n}\n")).await;
    client.published(URI, 1).await;
    let document = json!({ "textDocument": { "uri": URI } });
    let lenses = client.ask("textDocument/codeLens", document.clone()).await;
    let lenses: Vec<Value> = lenses.as_array().cloned().unwrap_or_default();
    let used = |lenses: &[Value]| -> Vec<String> {
        let titles = lenses.iter().filter_map(|lens| lens["command"]["title"].as_str());
        titles.filter(|title| title.contains("for ISA")).map(str::to_owned).collect()
    };
    assert_eq!(used(&lenses), ["Used for ISA", "Use for ISA"]);
    let second = lenses.iter().find(|lens| lens["command"]["title"] == "Use for ISA").expect("a lens");
    client.ask("workspace/executeCommand", second["command"].clone()).await;
    let lenses = client.ask("textDocument/codeLens", document.clone()).await;
    assert_eq!(used(lenses.as_array().map_or(&[], Vec::as_slice)), ["Use for ISA", "Used for ISA"]);
    let configuration = client.ask("wavelens/configuration", document).await;
    assert_eq!(configuration["label"], "gfx1100");
    assert!(client.stop().await);
}

/// A source tree with a script that writes the CHECK lines of any test in one way.
fn source_tree() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("wavelens-source-tree-{}", std::process::id()));
    let utils = folder.join("llvm").join("utils");
    std::fs::create_dir_all(&utils).expect("the folder is made");
    let script = "import sys\npath = sys.argv[-1]\nlines = open(path).read().splitlines(True)\n\
                  open(path, 'w').write(''.join('; CHECK: new\\n' if 'CHECK: old' in l else l for l in lines))\n";
    std::fs::write(utils.join("update_llc_test_checks.py"), script).expect("the script is written");
    folder
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_are_updated_by_the_script_of_a_source_tree() {
    if !required::program("python3") || !required::program("llc-22") {
        return;
    }
    let text =
        "; RUN: llc -mtriple=amdgcn < %s | FileCheck %s\n; CHECK: old\ndefine void @f() {\n  ret void\n}\n";
    let folder = source_tree();
    let update = json!({ "command": "wavelens.lit.update", "arguments": [{ "uri": URI }] });
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", text).await;
    client.published(URI, 1).await;
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).await;
    let lenses: Vec<Value> = lenses.as_array().cloned().unwrap_or_default();
    let titles: Vec<&str> = lenses.iter().filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert!(titles.contains(&"Update checks"), "{titles:?}");
    let id = client.request("workspace/executeCommand", update.clone()).await;
    let refused = client.response(id).await;
    assert!(
        refused["error"]["message"].as_str().is_some_and(|m| m.contains("wavelens.llvm.source")),
        "{refused}"
    );
    assert!(client.stop().await);
    let source = folder.to_string_lossy().replace('\\', "/");
    let mut client = Client::start(&["utf-8"], json!({ "llvm": { "source": source } })).await;
    client.open(URI, "llvm", text).await;
    client.published(URI, 1).await;
    let answer = client.ask("workspace/executeCommand", update).await;
    assert_eq!(answer["changes"], 1, "{answer}");
    let asked = client.serve("workspace/applyEdit", json!({ "applied": true })).await;
    let edit = &asked["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], 1);
    let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 2, "character": 0 } });
    assert_eq!(edit["edits"], json!([{ "range": range, "newText": "; CHECK: new\n" }]));
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_lines_are_not_run_where_that_is_switched_off() {
    let mut client = Client::start(&["utf-8"], json!({ "lit": { "enabled": false } })).await;
    client.open(URI, "llvm", "; RUN: cat %s\n").await;
    client.published(URI, 1).await;
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).await;
    assert!(lenses.as_array().is_none_or(Vec::is_empty), "{lenses}");
    let command = json!({ "command": "wavelens.lit.run", "arguments": [{ "uri": URI, "line": 1 }] });
    let id = client.request("workspace/executeCommand", command).await;
    let answer = client.response(id).await;
    assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains("not run")), "{answer}");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_setting_that_does_not_exist_is_reported_once() {
    let mut client = Client::start(&["utf-8"], json!({ "taget": "gfx1100" })).await;
    let is_message = |m: &Value| m["method"] == "window/showMessage";
    let shown = client.wait(is_message).await;
    assert_eq!(shown["params"]["message"], "unknown setting `taget`; did you mean `target`?");
    let same = json!({ "settings": { "wavelens": { "taget": "gfx1100", "demangle": "no" } } });
    client.notify("workspace/didChangeConfiguration", same).await;
    let shown = client.wait(is_message).await;
    assert_eq!(shown["params"]["message"], "setting `demangle`: expected `true` or `false`, found `\"no\"`");
    assert!(client.stop().await);
}

/// An older or newer extension has other settings, whose defaults it sends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_checks_settings_gets_no_messages_about_them() {
    let capabilities = json!({ "experimental": { "wavelens": { "checksSettings": true } } });
    let mut client = Client::start_with(capabilities, json!({ "llvm": { "newer": "" } })).await;
    client.open(URI, "llvm", "").await;
    client.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } })).await;
    assert!(!client.unread().any(|m| m["method"] == "window/showMessage"));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_formatted_is_said_once() {
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", "define   void @f(i32 %x) {\n %a = add   i32 %x\n  ret   void\n}\n").await;
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    let is_message = |m: &Value| m["method"] == "window/showMessage";
    let id = client.request("textDocument/formatting", params.clone()).await;
    let shown = client.wait(is_message).await;
    let message = shown["params"]["message"].as_str().unwrap_or_default();
    assert!(message.ends_with(": what has a syntax error is left as it is: line 2"), "{message}");
    let edits = client.response(id).await;
    assert!(
        edits["result"].as_array().is_some_and(|edits| !edits.is_empty()),
        "what is right is formatted: {edits}"
    );
    client.ask("textDocument/formatting", params).await;
    assert!(!client.unread().any(is_message));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lens_says_where_the_run_line_ends() {
    const TEST: &str = "file:///t/pass.mir";
    let mut client = Client::start(&["utf-8"], json!({ "isa": { "background": false } })).await;
    let run = "# RUN: llc -mtriple=amdgcn -run-pass=si-fold-operands -o - %s\n";
    let text = format!("{run}---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n");
    client.open(TEST, "mir", &text).await;
    client.open(URI, "mir", text.strip_prefix(run).unwrap_or_default()).await;
    for (uri, title) in [(TEST, "Show generated Machine IR"), (URI, "Show generated ISA")] {
        let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).await;
        assert_eq!(lenses[0]["command"]["title"], title, "{lenses}");
    }
    // Without a compiler the file says so, in a comment of YAML as well.
    let show = json!({ "command": "wavelens.showIsa", "arguments": [{ "uri": TEST }] });
    let shown = client.ask("workspace/executeCommand", show).await;
    let file = std::path::PathBuf::from(shown["file"].as_str().unwrap_or_default());
    assert!(file.ends_with("pass.mir.out.mir"), "{shown}");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(text.starts_with("# "), "{text}");
    assert!(client.stop().await);
}
