//! Sessions in which some bytes are not a message: each is answered, and the session continues.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use wavelens_tests::client::{Client, at, framed};

const URI: &str = "file:///t/a.ll";
const TEXT: &str = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

/// A session with an open document.
async fn session() -> Client {
    let mut client = Client::start(&["utf-16"], json!({})).await;
    client.open(URI, "llvm", TEXT).await;
    client.published(URI, 1).await;
    client
}

async fn answers_hover(client: &mut Client) {
    let hover = client.ask("textDocument/hover", at(URI, 0, 12)).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("@f")), "{hover}");
}

/// Sends bytes; the error that answers them, and a hover after that.
async fn check(bytes: &[u8], answer: Expect) {
    let mut client = session().await;
    client.send_bytes(bytes).await;
    // A frame that is cut off ends where the next one begins.
    answers_hover(&mut client).await;
    let error = client.wait(|m| m.get("error").is_some()).await;
    answer.assert_eq(&format!("{}: {}", error["id"], error["error"]));
    assert!(client.stop().await);
}

/// Sends bytes that are not answered with an error.
async fn check_taken(bytes: &[u8]) {
    let mut client = session().await;
    client.send_bytes(bytes).await;
    answers_hover(&mut client).await;
    assert!(client.unread().all(|m| m.get("error").is_none()));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_json() {
    let text =
        expect![[r#"null: {"code":-32700,"message":"invalid JSON: trailing comma at line 1 column 18"}"#]];
    check(framed(r#"{"jsonrpc":"2.0",}"#).as_bytes(), text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn truncated_json() {
    let text = expect![[
        r#"null: {"code":-32700,"message":"invalid JSON: EOF while parsing a value at line 1 column 17"}"#
    ]];
    check(framed(r#"{"jsonrpc":"2.0","#).as_bytes(), text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_shorter_than_announced() {
    let text = expect![[r#"null: {"code":-32700,"message":"the message ends before its `Content-Length`"}"#]];
    check(b"Content-Length: 50\r\n\r\n{\"jsonrpc\":", text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_float_id() {
    let text =
        expect![[r#"1.5: {"code":-32600,"message":"`id` must be an integer of 64 bits or a string"}"#]];
    let message =
        json!({ "jsonrpc": "2.0", "id": 1.5, "method": "textDocument/hover", "params": at(URI, 0, 12) });
    check(framed(&message.to_string()).as_bytes(), text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_version() {
    let text = expect![[r#"99: {"code":-32600,"message":"missing `\"jsonrpc\": \"2.0\"`"}"#]];
    let message = json!({ "id": 99, "method": "textDocument/hover", "params": at(URI, 0, 12) });
    check(framed(&message.to_string()).as_bytes(), text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_shapes() {
    let text = expect![[r#"null: {"code":-32600,"message":"expected an object"}"#]];
    check(framed("[1, 2]").as_bytes(), text).await;
    let text = expect![[r#"99: {"code":-32600,"message":"missing `method`"}"#]];
    check(framed(r#"{"jsonrpc":"2.0","id":99}"#).as_bytes(), text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parameters_of_another_type() {
    let text = expect![[r#"99: {"code":-32602,"message":"missing field `textDocument`"}"#]];
    let message = json!({ "jsonrpc": "2.0", "id": 99, "method": "textDocument/hover", "params": {} });
    check(framed(&message.to_string()).as_bytes(), text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frame_without_a_length() {
    let text = expect![[r#"null: {"code":-32700,"message":"missing `Content-Length` header"}"#]];
    check(b"Content-Type: text/plain\r\n\r\n", text).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_in_other_spellings() {
    let body = r#"{"jsonrpc":"2.0","method":"$/unknown"}"#;
    let length = body.len();
    check_taken(format!("content-length: {length}\r\n\r\n{body}").as_bytes()).await;
    check_taken(format!("CONTENT-LENGTH:{length}\n\n{body}").as_bytes()).await;
    check_taken(format!("\r\n\nContent-Length: {length}\r\n\r\n{body}\r\n").as_bytes()).await;
    let content_type = "Content-Type: application/vscode-jsonrpc";
    check_taken(format!("{content_type}\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes()).await;
    check_taken(
        format!("Content-Length: {length}\r\n{content_type}; charset=utf-8\r\nX: y\r\n\r\n{body}").as_bytes(),
    )
    .await;
}

/// JavaScript sends half of an emoji where an edit ends within it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lone_surrogates_in_an_edit() {
    let mut client = session().await;
    let range = r#"{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}"#;
    let change = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},"contentChanges":[{{"range":{range},"text":"; \ud83d\n"}}]}}}}"#
    );
    client.send_bytes(framed(&change).as_bytes()).await;
    assert_eq!(client.published(URI, 2).await, json!([]));
    let hover = client.ask("textDocument/hover", at(URI, 1, 12)).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("@f")), "{hover}");
    let tree = client.ask("wavelens/syntaxTree", at(URI, 0, 0)).await;
    assert!(tree.as_str().is_some_and(|t| t.contains("; \u{fffd}")), "{tree}");
    // The other half replaces it.
    let emoji = json!({
        "textDocument": { "uri": URI, "version": 3 },
        "contentChanges": [{
            "range": { "start": { "line": 0, "character": 2 }, "end": { "line": 0, "character": 3 } },
            "text": "\u{1f600}",
        }],
    });
    client.notify("textDocument/didChange", emoji).await;
    client.published(URI, 3).await;
    let tree = client.ask("wavelens/syntaxTree", at(URI, 0, 0)).await;
    assert!(tree.as_str().is_some_and(|t| t.contains("; \u{1f600}")), "{tree}");
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_of_it_in_one_session() {
    let mut client = session().await;
    let broken: [&[u8]; 6] = [
        b"Content-Length: 3\r\n\r\n{\"a\":1}",
        b"noise\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc",
        b"Content-Length: 900\r\n\r\n{\"jsonrpc\":\"2.0\",",
        b"Content-Length: 0\r\n\r\n",
    ];
    for _ in 0..3 {
        for bytes in broken {
            client.send_bytes(bytes).await;
        }
        answers_hover(&mut client).await;
    }
    let nulls = client.unread().filter(|m| m["id"] == Value::Null && m.get("error").is_some()).count();
    assert!(nulls >= 3 * 4, "{nulls}");
    assert!(client.stop().await);
}
