//! Sessions in which work hangs or panics, or memory runs out: other documents do not notice.

use serde_json::{Value, json};
use wavelens::lsp::testing::{HANG, PANIC};
use wavelens_tests::client::{Client, at};

const BAD: &str = "file:///t/bad.ll";
const GOOD: &str = "file:///t/good.ll";
const TEXT: &str = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

async fn start(options: Value) -> Client {
    HANG.get_or_init(|| "hang-here");
    PANIC.get_or_init(|| "panic-here");
    Client::start(&["utf-8"], options).await
}

async fn answers_hover(client: &mut Client, uri: &str) {
    let hover = client.ask("textDocument/hover", at(uri, 0, 12)).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("@f")), "{hover}");
}

/// Edits the good document until the bad one is left alone; the version of the good one.
async fn until_left_alone(client: &mut Client) -> i32 {
    let mut version = 1;
    loop {
        version += 1;
        client.change(GOOD, version, (1, 0, 1, 0), " ").await;
        client.published(GOOD, version).await;
        if client.unread().any(is_left_alone) {
            return version;
        }
        assert!(version < 100, "it is checked for ever");
    }
}

fn is_left_alone(message: &Value) -> bool {
    let found = &message["params"]["diagnostics"][0];
    message["params"]["uri"] == json!(BAD) && found["code"] == json!("not-checked")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_whose_check_does_not_end_is_left_alone() {
    let mut client = start(json!({})).await;
    client.open(GOOD, "llvm", TEXT).await;
    client.published(GOOD, 1).await;
    client.open(BAD, "llvm", &format!("; hang-here\n{TEXT}")).await;
    until_left_alone(&mut client).await;
    client.wait(is_left_alone).await;
    let shown = client.wait(|m| m["method"] == json!("window/showMessage")).await;
    assert!(shown["params"]["message"].as_str().is_some_and(|m| m.starts_with("bad.ll: ")), "{shown}");
    answers_hover(&mut client, GOOD).await;
    assert_eq!(client.ask("textDocument/hover", at(BAD, 1, 12)).await, Value::Null);
    // An edit is another try.
    client.change(BAD, 2, (0, 0, 1, 0), "").await;
    assert_eq!(client.published(BAD, 2).await, json!([]));
    answers_hover(&mut client, BAD).await;
    client.change(BAD, 3, (1, 0, 2, 0), "  ret i64 %x\n").await;
    assert_ne!(client.published(BAD, 3).await, json!([]));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_a_document_that_hangs_do_not_hang() {
    let mut client = start(json!({})).await;
    client.open(GOOD, "llvm", TEXT).await;
    client.open(BAD, "llvm", &format!("; hang-here\n{TEXT}")).await;
    for version in 2..20 {
        client.change(BAD, version, (0, 0, 0, 0), ";").await;
        answers_hover(&mut client, GOOD).await;
    }
    client.change(GOOD, 2, (1, 0, 1, 0), " ").await;
    client.published(GOOD, 2).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_hang_leave_threads_to_others_and_are_answered_after_an_edit() {
    let mut client = start(json!({ "diagnosticsDebounceMs": 10_000 })).await;
    client.open(GOOD, "llvm", TEXT).await;
    answers_hover(&mut client, GOOD).await;
    client.open(BAD, "llvm", &format!("; hang-here\n{TEXT}")).await;
    let mut hanging = Vec::new();
    for _ in 0..50 {
        hanging.push(client.request("textDocument/hover", at(BAD, 1, 12)).await);
    }
    for _ in 0..5 {
        answers_hover(&mut client, GOOD).await;
    }
    client.change(BAD, 2, (0, 0, 1, 0), "").await;
    for id in hanging {
        let response = client.response(id).await;
        assert_eq!(response["error"]["code"], json!(-32801), "{response}");
    }
    answers_hover(&mut client, BAD).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_that_are_asked_for_name_the_reason() {
    let capabilities = json!({ "textDocument": { "diagnostic": {} } });
    HANG.get_or_init(|| "hang-here");
    let mut client = Client::start_with(capabilities, json!({})).await;
    client.open(GOOD, "llvm", TEXT).await;
    client.open(BAD, "llvm", &format!("; hang-here\n{TEXT}")).await;
    let diagnostics = |uri: &str| json!({ "textDocument": { "uri": uri } });
    for version in 2..100 {
        let id = client.request("textDocument/diagnostic", diagnostics(BAD)).await;
        answers_hover(&mut client, GOOD).await;
        client.change(GOOD, version, (1, 0, 1, 0), " ").await;
        let response = client.response(id).await;
        if response.get("error").is_none() {
            assert_eq!(response["result"]["items"][0]["code"], json!("not-checked"), "{response}");
            break;
        }
        assert_eq!(response["error"]["code"], json!(-32801), "{response}");
    }
    answers_hover(&mut client, GOOD).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_of_the_owner_loses_nothing() {
    let mut client = start(json!({})).await;
    client.open(GOOD, "llvm", TEXT).await;
    client.open(BAD, "llvm", TEXT).await;
    client.published(BAD, 1).await;
    client.change(BAD, 2, (0, 0, 0, 0), "; panic-here\n").await;
    let is_told = |m: &Value| {
        let text = m["params"]["message"].as_str().unwrap_or_default();
        m["method"] == json!("window/logMessage") && text.contains("a test asked for this")
    };
    client.wait(is_told).await;
    client.published(BAD, 2).await;
    answers_hover(&mut client, GOOD).await;
    let hover = client.ask("textDocument/hover", at(BAD, 1, 12)).await;
    assert!(hover["contents"].is_object(), "{hover}");
    client.change(BAD, 3, (0, 0, 1, 0), "").await;
    assert_eq!(client.published(BAD, 3).await, json!([]));
    answers_hover(&mut client, BAD).await;
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_largest_document_goes_when_memory_runs_out() {
    let mut client = start(json!({})).await;
    client.open(GOOD, "llvm", TEXT).await;
    client.open(BAD, "llvm", &TEXT.replace("@f", "@g").repeat(100)).await;
    client.published(BAD, 1).await;
    let limits = json!({ "settings": { "wavelens": { "memory": { "hardLimitMiB": 1 } } } });
    client.notify("workspace/didChangeConfiguration", limits).await;
    client.wait(is_left_alone).await;
    let limits = json!({ "settings": { "wavelens": { "memory": { "hardLimitMiB": null } } } });
    client.notify("workspace/didChangeConfiguration", limits).await;
    answers_hover(&mut client, GOOD).await;
    client.change(BAD, 2, (0, 0, 0, 0), &TEXT.replace("@f", "@h")).await;
    assert_ne!(client.published(BAD, 2).await[0]["code"], json!("not-checked"));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_writes_before_it_reads_gets_all_answers() {
    let mut client = start(json!({})).await;
    client.open(GOOD, "llvm", TEXT).await;
    // More than the pipes hold.
    let mut asked = Vec::new();
    for version in 2..1000 {
        client.change(GOOD, version, (1, 0, 1, 0), " ").await;
        asked.push(client.request("textDocument/hover", at(GOOD, 0, 12)).await);
    }
    for id in asked {
        let response = client.response(id).await;
        let (result, error) = (&response["result"], &response["error"]["code"]);
        assert!(result.is_object() || *error == json!(-32801), "{response}");
    }
    assert_eq!(client.published(GOOD, 999).await, json!([]));
    answers_hover(&mut client, GOOD).await;
    assert!(client.stop().await);
}

/// A check of this takes a while, and looks for cancellation all the time.
fn slow() -> String {
    let (open, end) = (".rept 2\n".repeat(13), ".endr\n".repeat(13));
    format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{open}s_nop 0\n{end}s_foo\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_has_its_turn_while_another_is_edited_without_a_pause() {
    let mut client = start(json!({ "diagnosticsDebounceMs": 0 })).await;
    client.open(GOOD, "llvm", TEXT).await;
    client.published(GOOD, 1).await;
    let slow_uri = "file:///t/slow.s";
    client.open(slow_uri, "amdgpu", &slow()).await;
    let is_found = |m: &Value| {
        m["params"]["uri"] == json!(slow_uri) && m["params"]["diagnostics"][0]["message"].is_string()
    };
    for version in 2.. {
        let is_even = version % 2 == 0;
        let (end, text) = if is_even { (0, " ") } else { (1, "") };
        client.change(GOOD, version, (1, 0, 1, end), text).await;
        client.published(GOOD, version).await;
        if client.unread().any(is_found) {
            break;
        }
        assert!(version < 20_000, "it never has its turn");
    }
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_edits_in_one_message_are_the_text_that_they_make() {
    let mut client = start(json!({})).await;
    let lines: String = (0..2000).map(|i| format!("  %v{i} = add i32 %x, {i}\n")).collect();
    client.open(GOOD, "llvm", &format!("define i32 @f(i32 %x) {{\n{lines}  ret i32 %x\n}}\n")).await;
    client.published(GOOD, 1).await;
    // Lines from the first to the last and back: each use is one of an undefined value, but for the last line, which is right again.
    let edit = |line: usize, text: &str| {
        let place = |character: usize| json!({ "line": line, "character": character });
        let start = "  %v = add i32 %".len() + (line - 1).to_string().len();
        json!({ "range": { "start": place(start), "end": place(start + 1) }, "text": text })
    };
    let mut changes: Vec<Value> = (1..=1000).map(|n| edit(2 * n, "y")).collect();
    changes.extend((2..=1000).rev().map(|n| edit(2 * n, "x")));
    let document = json!({ "uri": GOOD, "version": 2 });
    let changed = json!({ "textDocument": document, "contentChanges": changes });
    client.notify("textDocument/didChange", changed).await;
    let found = client.published(GOOD, 2).await;
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(
        (&found[0]["code"], &found[0]["range"]["start"]["line"]),
        (&json!("undefined-value"), &json!(2))
    );
    // Texts of which only the last counts.
    let texts: Vec<Value> =
        (0..100).map(|n| json!({ "text": format!("define i32 @f() {{\n  ret i32 %v{n}\n}}\n") })).collect();
    let document = json!({ "uri": GOOD, "version": 3 });
    client
        .notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": texts }))
        .await;
    let found = client.published(GOOD, 3).await;
    assert!(found[0]["message"].as_str().is_some_and(|m| m.contains("%v99")), "{found}");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_open_documents_are_answered_each() {
    let mut client = start(json!({})).await;
    let uri = |n: usize| format!("file:///t/many/{n}.ll");
    for n in 0..300 {
        client.open(&uri(n), "llvm", TEXT).await;
    }
    let mut waiting = Vec::new();
    for n in 0..300 {
        waiting.push(client.request("textDocument/hover", at(&uri(n), 0, 12)).await);
    }
    for id in waiting {
        let response = client.response(id).await;
        assert!(
            response["result"]["contents"]["value"].as_str().is_some_and(|t| t.contains("@f")),
            "{response}"
        );
    }
    assert!(client.stop().await);
}
