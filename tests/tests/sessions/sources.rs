//! Files that debug information names.

use serde_json::{Value, json};
use wavelens_tests::client::{Client, at};

const URI: &str = "file:///t/a.ll";

/// A folder of its own with a source file, and a module whose debug information names it.
fn module_with_source(name: &str) -> (std::path::PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("wavelens-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder is made");
    std::fs::write(folder.join("a.c"), "void f(void) {\n  g();\n}\n").expect("the file is written");
    let text = "define void @_Z1fv() !dbg !4 {\n  call void @g(), !dbg !6\n  ret void\n}\ndeclare void @g()\n\
                !llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!7}\n!0 = distinct !DICompileUnit(language: DW_LANG_C, \
                file: !1)\n!1 = !DIFile(filename: \"a.c\", directory: \"/build\")\n!4 = distinct \
                !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !0)\n!6 = !DILocation(line: 2, \
                column: 3, scope: !4)\n!7 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
    (folder, text.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instructions_lead_to_their_source() {
    let (folder, text) = module_with_source("source");
    let here = folder.to_string_lossy().replace('\\', "/");
    let mut client = Client::start(&["utf-8"], json!({ "sourceFileMap": { "/build": here } })).await;
    client.open(URI, "llvm", &text).await;
    let opcode = at(URI, 1, 3);
    let definition = client.ask("textDocument/definition", opcode.clone()).await;
    let hover = client.ask("textDocument/hover", opcode).await;
    let links = client.ask("textDocument/documentLink", json!({ "textDocument": { "uri": URI } })).await;
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })).await;
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    let target = definition["uri"].as_str().unwrap_or_default();
    assert!(target.ends_with("/a.c"), "{definition}");
    assert_eq!(definition["range"]["start"], json!({ "line": 1, "character": 2 }));
    let hover = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(hover.ends_with("`a.c:2`\n\n```c\ng();\n```\n"), "{hover}");
    assert_eq!(links[0]["target"].as_str(), Some(target));
    let line = json!({ "textDocument": { "uri": target }, "line": 1 });
    let code = client.ask("wavelens/codeOfLine", line).await;
    let range = json!({ "start": { "line": 1, "character": 2 }, "end": { "line": 1, "character": 25 } });
    assert_eq!(code, json!([{ "uri": URI, "range": range }]));
    assert_eq!(symbols[0]["name"], json!("f()"));
    assert!(client.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_source_file_is_not_an_error() {
    let (folder, text) = module_with_source("missing");
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    let mut client = Client::start(&["utf-8"], json!({})).await;
    client.open(URI, "llvm", &text).await;
    assert_eq!(client.ask("textDocument/definition", at(URI, 1, 3)).await, Value::Null);
    let links = client.ask("textDocument/documentLink", json!({ "textDocument": { "uri": URI } })).await;
    assert_eq!(links, json!([]));
    let hover = client.ask("textDocument/hover", at(URI, 1, 3)).await;
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| !text.contains("a.c:2")), "{hover}");
    assert!(client.stop().await);
}

/// A client that opens files on request, in an empty workspace; the module's source is in another folder, by this path.
async fn with_source_outside(name: &str) -> (Client, std::path::PathBuf, String) {
    let (folder, text) = module_with_source(name);
    let folder = folder.canonicalize().expect("the folder is there");
    let workspace = std::env::temp_dir().join("wavelens-no-such-workspace");
    let root = format!("file://{}", workspace.display());
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] }, "window": { "showDocument": { "support": true } },
    });
    let mut client = Client::start_in(json!(root), capabilities, json!({})).await;
    client.open(URI, "llvm", &text.replace("/build", &folder.to_string_lossy())).await;
    let source = format!("file://{}/a.c", folder.display());
    (client, folder, source)
}

async fn hover(client: &mut Client) -> String {
    let hover = client.ask("textDocument/hover", at(URI, 1, 3)).await;
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

const ASK: &str = "window/showMessageRequest";

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_outside_is_shown_when_the_user_allows_it() {
    let (mut client, folder, source) = with_source_outside("asked").await;
    let about = json!({ "textDocument": { "uri": URI } });
    assert!(!hover(&mut client).await.contains("g();"));
    assert_eq!(client.ask("textDocument/documentLink", about.clone()).await, json!([]));
    assert!(client.unread().all(|m| m["method"] != ASK), "a hover and a link ask nothing");
    assert_eq!(client.ask("textDocument/definition", at(URI, 1, 3)).await, Value::Null);
    let asked = client.serve(ASK, json!({ "title": "Show its source files" })).await;
    let message = asked["message"].as_str().unwrap_or_default();
    assert!(message.contains(&format!("`{}`", folder.display())), "{message}");
    let opened = client.serve("window/showDocument", json!({ "success": true })).await;
    assert_eq!(opened["uri"], json!(source));
    assert_eq!(opened["selection"]["start"], json!({ "line": 1, "character": 2 }));
    assert!(hover(&mut client).await.ends_with("`a.c:2`\n\n```c\ng();\n```\n"));
    assert_eq!(client.ask("textDocument/documentLink", about).await[0]["target"], json!(source));
    assert_eq!(client.ask("textDocument/definition", at(URI, 1, 3)).await["uri"], json!(source));
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(client.stop().await);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_outside_is_not_shown_when_the_user_refuses() {
    let (mut client, folder, _) = with_source_outside("refused").await;
    assert_eq!(client.ask("textDocument/definition", at(URI, 1, 3)).await, Value::Null);
    // Closed without an answer: the question comes again.
    client.serve(ASK, Value::Null).await;
    let mut asked = 1;
    while asked == 1 {
        assert_eq!(client.ask("textDocument/definition", at(URI, 1, 3)).await, Value::Null);
        asked += client.unread().filter(|m| m["method"] == ASK).count();
    }
    client.serve(ASK, json!({ "title": "Do not show them" })).await;
    for _ in 0..3 {
        assert!(!hover(&mut client).await.contains("g();"));
        assert_eq!(client.ask("textDocument/definition", at(URI, 1, 3)).await, Value::Null);
    }
    assert!(client.unread().all(|m| m["method"] != ASK), "it is not asked again");
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(client.stop().await);
}
