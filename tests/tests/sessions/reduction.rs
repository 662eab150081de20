//! `wavelens.reduce` through whole sessions, as an editor asks for it.

use serde_json::{Value, json};
use wavelens_tests::client::Client;
use wavelens_tests::required;

const URI: &str = "file:///t/kernel.ll";
const WRONG: &str = "define i32 @f(i32 %a) {
  %b = add i32 %a, 1
  %c = mul i32 %b, %missing
  ret i32 %c
}

define void @g() {
  ret void
}
";
/// Its instruction cannot be selected on gfx600.
const CRASHES: &str = "target triple = \"amdgcn-amd-amdhsa\"
define void @bad(i32 %a, ptr addrspace(1) %p) {
  %t = add i32 %a, 3
  %r = call i32 @llvm.amdgcn.sdot4(i32 %t, i32 %a, i32 1, i1 0)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)
";

async fn session(capabilities: Value, text: &str) -> Client {
    let mut client =
        Client::start_with(capabilities, json!({ "target": "gfx600", "diagnosticsDebounceMs": 0 })).await;
    client.open(URI, "llvm", text).await;
    client
}

fn progress() -> Value {
    json!({ "window": { "workDoneProgress": true } })
}

fn command(argument: Value) -> Value {
    json!({ "command": "wavelens.reduce", "arguments": [argument] })
}

/// The action that reduces the file, for the diagnostics that a client shows.
async fn action(client: &mut Client, diagnostics: &Value) -> Value {
    let range = diagnostics[0]["range"].clone();
    let context = json!({ "diagnostics": diagnostics });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
    let actions = client.ask("textDocument/codeAction", params).await;
    let all = actions.as_array().into_iter().flatten();
    let mut found =
        all.filter(|a| a["title"].as_str().is_some_and(|t| t.starts_with("Reduce the file"))).cloned();
    found.next().unwrap_or_default()
}

fn text_of(file: &Value) -> String {
    std::fs::read_to_string(file.as_str().unwrap_or_default()).expect("a file")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_reduces_the_file_to_a_diagnostic() {
    let mut client = session(json!({}), WRONG).await;
    let diagnostics = client.published(URI, 1).await;
    let action = action(&mut client, &diagnostics).await;
    assert_eq!(action["title"], "Reduce the file while `undefined-value` remains");
    assert_eq!(action["diagnostics"][0], diagnostics[0]);
    let found = client.ask("workspace/executeCommand", action["command"].clone()).await;
    assert!(found["file"].as_str().is_some_and(|f| f.ends_with("kernel.ll.reduced.ll")), "{found}");
    let text = text_of(&found["file"]);
    assert!(text.contains("%missing") && !text.contains("@g"), "{text}");
    assert_eq!((&found["before"], &found["after"]), (&json!(9), &json!(text.lines().count())));
    let report = text_of(&found["report"]);
    assert!(
        report.starts_with("# `undefined-value` in `kernel.ll`\n") && report.contains("%missing"),
        "{report}"
    );
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_condition_the_first_error_is_kept() {
    let mut client = session(json!({}), WRONG).await;
    client.published(URI, 1).await;
    let found = client.ask("workspace/executeCommand", command(json!({ "uri": URI }))).await;
    assert_eq!(found["while"], "undefined-value");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_file_does_not_have_is_not_kept() {
    let mut client = session(json!({}), WRONG).await;
    for (condition, problem) in [
        ("unreachable-block", "nothing to keep: no finding of `unreachable-block`"),
        ("nonsense", "unknown code `nonsense`; `wavelens explain` lists all codes"),
    ] {
        let params = command(json!({ "uri": URI, "while": condition }));
        let id = client.request("workspace/executeCommand", params).await;
        assert_eq!(client.response(id).await["error"]["message"], problem);
    }
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_is_reduced_with_a_report() {
    if !required::program("llc-22") {
        return;
    }
    let mut client = session(json!({}), CRASHES).await;
    let isa = client.ask("wavelens/isa", json!({ "textDocument": { "uri": URI } })).await;
    assert_eq!(isa["crashed"], true, "{isa}");
    let published = client
        .wait(|m| m["method"] == "textDocument/publishDiagnostics" && m.to_string().contains("Cannot select"))
        .await;
    // The rules foresee the crash: their finding is there as well, with a reduction of its own.
    let all = published["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
    let crash: Vec<Value> = all.into_iter().filter(|d| d.to_string().contains("Cannot select")).collect();
    let action = action(&mut client, &json!(crash)).await;
    assert_eq!(action["title"], "Reduce the file while the compiler crashes");
    let found = client.ask("workspace/executeCommand", action["command"].clone()).await;
    let report = text_of(&found["report"]);
    for part in
        ["# LLVM ERROR: Cannot select", "- failing pass: AMDGPU DAG->DAG", "Stack dump:", "-mcpu=gfx600"]
    {
        assert!(report.contains(part), "{part:?} in {report}");
    }
    assert!(!text_of(&found["file"]).contains("add i32"));
    assert!(client.stop().await);
}

/// A file whose reduction takes longer than a test waits.
fn long() -> String {
    let functions = (0..2000).map(|n| {
        let body = (1..40).map(|i| format!("  %v{i} = add i32 %a, {i}\n")).collect::<String>();
        format!("define i32 @f{n}(i32 %a) {{\n{body}  ret i32 %missing{n}\n}}\n")
    });
    functions.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_is_shown_and_cancelled() {
    let mut client = session(progress(), &long()).await;
    let argument = json!({ "uri": URI, "while": "undefined-value" });
    let id = client.request("workspace/executeCommand", command(argument)).await;
    let created = client.serve("window/workDoneProgress/create", Value::Null).await;
    let token = created["token"].clone();
    let is_own = |m: &Value, kind: &str| {
        m["method"] == "$/progress" && m["params"]["token"] == token && m["params"]["value"]["kind"] == kind
    };
    let begin = client.wait(|m| is_own(m, "begin")).await;
    let value = &begin["params"]["value"];
    assert_eq!(value["title"], "Reducing to `undefined-value`");
    assert_eq!(value["cancellable"], true);
    let report = client.wait(|m| is_own(m, "report")).await;
    let message = report["params"]["value"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(message.contains(" bytes after ") && message.ends_with(" tests"), "{message}");
    client.notify("window/workDoneProgress/cancel", json!({ "token": token })).await;
    assert_eq!(client.response(id).await["error"]["code"], -32800);
    client.wait(|m| is_own(m, "end")).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_ends_what_runs() {
    let mut client = session(json!({}), &long()).await;
    let argument = json!({ "uri": URI, "while": "undefined-value" });
    let id = client.request("workspace/executeCommand", command(argument)).await;
    let ended = client.ask("workspace/executeCommand", command(json!({ "uri": URI, "cancel": true }))).await;
    assert_eq!(ended, Value::Null);
    assert_eq!(client.response(id).await["error"]["code"], -32800);
    assert!(client.stop().await);
}
