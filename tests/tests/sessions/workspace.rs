//! Names in files of the workspace that are not open.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use wavelens_tests::client::{Client, at};

/// How often a question is asked again while the files are read.
const TRIES: usize = 600;

fn file_uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A workspace of some files, in a folder of its own.
fn workspace(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wavelens-workspace-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("is writable");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("is writable");
    }
    folder
}

async fn start(folder: &Path, options: Value) -> Client {
    let capabilities = json!({ "textDocument": { "publishDiagnostics": {} } });
    Client::start_in(json!(file_uri(folder)), capabilities, options).await
}

async fn open(client: &mut Client, path: &Path, language: &str) -> String {
    let text = std::fs::read_to_string(path).expect("it is there");
    let item = json!({ "uri": file_uri(path), "languageId": language, "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": item })).await;
    file_uri(path)
}

/// `file:line` of each location, or name and place of each symbol.
fn places(answer: &Value) -> Vec<String> {
    let place = |found: &Value| {
        let location = if found["location"].is_object() { &found["location"] } else { found };
        let file = location["uri"].as_str().and_then(|uri| uri.rsplit('/').next()).unwrap_or("").to_owned();
        let name = found["name"].as_str().map(|name| format!("{name} ")).unwrap_or_default();
        format!("{name}{file}:{}", location["range"]["start"]["line"].as_u64().unwrap_or(0) + 1)
    };
    let mut all: Vec<String> = answer.as_array().into_iter().flatten().map(place).collect();
    all.sort();
    all
}

/// Asks until the answer is what is expected.
async fn becomes(client: &mut Client, method: &str, params: Value, expected: &[&str]) {
    let mut found = Vec::new();
    for _ in 0..TRIES {
        found = places(&client.ask(method, params.clone()).await);
        if found == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(found, expected, "{method}");
}

const CALLER: &str =
    "declare void @callee(i32)\n\ndefine void @caller() {\n  call void @callee(i32 1)\n  ret void\n}\n";
const CALLEE: &str =
    "define void @callee(i32 %x) {\n  ret void\n}\n\ndefine internal void @caller() {\n  ret void\n}\n";

#[tokio::test(flavor = "multi_thread")]
async fn llvm_modules_lead_to_each_other() {
    let folder = workspace("llvm", &[("caller.ll", CALLER), ("callee.ll", CALLEE)]);
    let mut client = start(&folder, json!({})).await;
    let uri = open(&mut client, &folder.join("caller.ll"), "llvm").await;
    let definition = "textDocument/definition";
    becomes(&mut client, definition, at(&uri, 3, 14), &["callee.ll:1"]).await;
    let mut params = at(&uri, 3, 14);
    params["context"] = json!({ "includeDeclaration": true });
    let references = "textDocument/references";
    becomes(&mut client, references, params.clone(), &["callee.ll:1", "caller.ll:1", "caller.ll:4"]).await;
    params["context"] = json!({ "includeDeclaration": false });
    becomes(&mut client, references, params, &["caller.ll:4"]).await;
    let search = json!({ "query": "calle" });
    let symbols = "workspace/symbol";
    becomes(
        &mut client,
        symbols,
        search.clone(),
        &["@callee callee.ll:1", "@callee caller.ll:1", "@caller callee.ll:5", "@caller caller.ll:3"],
    )
    .await;
    // What is open counts as it is there: the function has another name now.
    let other = open(&mut client, &folder.join("callee.ll"), "llvm").await;
    let range = json!({ "start": { "line": 0, "character": 13 }, "end": { "line": 0, "character": 19 } });
    let change = json!({
        "textDocument": { "uri": other, "version": 2 }, "contentChanges": [{ "range": range, "text": "renamed" }],
    });
    client.notify("textDocument/didChange", change).await;
    becomes(&mut client, definition, at(&uri, 3, 14), &["caller.ll:1"]).await;
    // It was not saved.
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": other } })).await;
    becomes(&mut client, definition, at(&uri, 3, 14), &["callee.ll:1"]).await;
    // Files come, change and go.
    std::fs::write(folder.join("callee.ll"), "declare void @callee(i32)\n").expect("is writable");
    std::fs::write(folder.join("new.ll"), "\ndefine void @callee(i32 %x) {\n  ret void\n}\n")
        .expect("is writable");
    let changes: Vec<Value> =
        ["callee.ll", "new.ll"].map(|name| json!({ "uri": file_uri(&folder.join(name)), "type": 2 })).into();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes })).await;
    becomes(&mut client, definition, at(&uri, 3, 14), &["new.ll:2"]).await;
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn modules_of_the_other_languages_lead_to_each_other() {
    let mir = "---\nname: k\nbody: |\n  bb.0:\n    %0:sreg_64 = SI_PC_ADD_REL_OFFSET @callee, 0, implicit-def $scc\n    S_ENDPGM 0\n...\n";
    let assembly =
        "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n\t.globl callee\ncallee:\n\ts_setpc_b64 s[30:31]\n";
    let spirv = |linkage: &str, body: &str| {
        format!(
            "OpCapability Linkage\nOpDecorate %f LinkageAttributes \"shared\" {linkage}\n%void = OpTypeVoid\n%t = OpTypeFunction %void\n%f = OpFunction %void None %t\n{body}OpFunctionEnd\n"
        )
    };
    let (import, export) = (spirv("Import", ""), spirv("Export", "%l = OpLabel\nOpReturn\n"));
    let files = [("k.mir", mir), ("f.s", assembly), ("import.spvasm", &import), ("export.spvasm", &export)];
    let folder = workspace("others", &files);
    let mut client = start(&folder, json!({})).await;
    let definition = "textDocument/definition";
    let uri = open(&mut client, &folder.join("k.mir"), "mir").await;
    becomes(&mut client, definition, at(&uri, 4, 42), &["f.s:3"]).await;
    let uri = open(&mut client, &folder.join("import.spvasm"), "spirv").await;
    becomes(&mut client, definition, at(&uri, 4, 1), &["export.spvasm:5"]).await;
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_index_open_files_are_known() {
    let folder = workspace("off", &[("caller.ll", CALLER), ("callee.ll", CALLEE)]);
    let mut client = start(&folder, json!({ "index": false })).await;
    let uri = open(&mut client, &folder.join("caller.ll"), "llvm").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    becomes(&mut client, "textDocument/definition", at(&uri, 3, 14), &["caller.ll:1"]).await;
    open(&mut client, &folder.join("callee.ll"), "llvm").await;
    becomes(&mut client, "textDocument/definition", at(&uri, 3, 14), &["callee.ll:1"]).await;
    assert!(client.stop().await);
    let _ = std::fs::remove_dir_all(folder);
}
