//! A tiny protocol client.

use std::collections::VecDeque;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// Longer than any answer takes; a test that waits this long has failed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// One end of a session.
pub struct Client {
    to: Box<dyn AsyncWrite + Send + Unpin>,
    from: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    next_id: i64,
    /// Messages that came while another was waited for.
    seen: VecDeque<Value>,
}

/// What a server answers that gave up a request because the document changed or the request took too long.
const CONTENT_MODIFIED: i64 = -32801;

impl Client {
    /// A session over what goes to the server and what comes from it, not yet initialized.
    pub fn over(
        to: impl AsyncWrite + Send + Unpin + 'static,
        from: impl AsyncRead + Send + Unpin + 'static,
    ) -> Client {
        Client { to: Box::new(to), from: BufReader::new(Box::new(from)), next_id: 0, seen: VecDeque::new() }
    }

    /// A session with a program's server as a process of its own, which ends with what holds it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn of_process(program: &Path) -> Result<(Client, Child), String> {
        let mut server = Command::new(program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
        let (Some(to), Some(from)) = (server.stdin.take(), server.stdout.take()) else {
            return Err("the server has no pipes".to_owned());
        };
        Ok((Client::over(to, from), server))
    }

    /// Initializes the server for a client of some capabilities. Findings are computed without delay unless the options
    /// say otherwise.
    pub async fn initialize(&mut self, capabilities: Value, options: Value) {
        self.initialize_in(Value::Null, capabilities, options).await;
    }

    /// The same in the folder of a workspace, by its URI.
    pub async fn initialize_in(&mut self, root: Value, capabilities: Value, mut options: Value) {
        if options.get("diagnosticsDebounceMs").is_none() {
            options["diagnosticsDebounceMs"] = json!(0);
        }
        let parameters = json!({
            "processId": null, "rootUri": root, "capabilities": capabilities, "initializationOptions": options,
        });
        let answer = self.ask("initialize", parameters).await;
        assert!(answer["capabilities"].is_object(), "{answer}");
        self.notify("initialized", json!({})).await;
    }

    async fn send(&mut self, message: Value) {
        self.send_bytes(framed(&message.to_string()).as_bytes()).await;
    }

    /// Sends bytes as they are.
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).await.expect("the server reads");
        self.to.flush().await.expect("the server reads");
    }

    pub async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Sends a request without waiting; its id.
    pub async fn request(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })).await;
        self.next_id
    }

    async fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = timeout(PATIENCE, self.from.read_line(&mut line)).await.expect("an answer in time");
            assert!(read.expect("readable") > 0, "the server ended");
            match line.trim() {
                "" => break,
                header => {
                    if let Some(n) = header.strip_prefix("Content-Length:") {
                        length = n.trim().parse().expect("a number");
                    }
                }
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).await.expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// The first message, seen already or not, that `wanted` accepts.
    pub async fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.seen.iter().position(&wanted) {
            return self.seen.remove(index).expect("it is there");
        }
        loop {
            let message = self.read().await;
            if wanted(&message) {
                return message;
            }
            self.seen.push_back(message);
        }
    }

    /// The next message, seen already or not.
    pub async fn next(&mut self) -> Value {
        match self.seen.pop_front() {
            Some(message) => message,
            None => self.read().await,
        }
    }

    /// Waits for a request of the server and answers it; its parameters.
    pub async fn serve(&mut self, method: &str, result: Value) -> Value {
        let asked = self.wait(|m| m["method"] == json!(method) && m.get("id").is_some()).await;
        self.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result })).await;
        asked["params"].clone()
    }

    /// The whole response to a request.
    pub async fn response(&mut self, id: i64) -> Value {
        self.wait(|m| m["id"] == json!(id) && m.get("method").is_none()).await
    }

    /// The result of a request that must not fail. As editors do, it asks again if the server was too busy to answer for this version.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut response = Value::Null;
        for _ in 0..5 {
            let id = self.request(method, params.clone()).await;
            response = self.response(id).await;
            if response["error"]["code"].as_i64() != Some(CONTENT_MODIFIED) {
                break;
            }
        }
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    pub async fn open(&mut self, uri: &str, language: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item })).await;
    }

    /// Replaces a range given as `(line, character, line, character)`.
    pub async fn change(&mut self, uri: &str, version: i32, range: (usize, usize, usize, usize), text: &str) {
        let range = json!({
            "start": { "line": range.0, "character": range.1 },
            "end": { "line": range.2, "character": range.3 },
        });
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [{ "range": range, "text": text }],
            }),
        )
        .await;
    }

    /// The findings published for a version of a document.
    pub async fn published(&mut self, uri: &str, version: i32) -> Value {
        let message = self
            .wait(|m| {
                m["method"] == json!("textDocument/publishDiagnostics")
                    && m["params"]["uri"] == json!(uri)
                    && m["params"]["version"] == json!(version)
            })
            .await;
        message["params"]["diagnostics"].clone()
    }

    /// Waits until the findings of a document are that many. Those that came before are older and used up: a later call does not see
    /// them.
    pub async fn published_count(&mut self, uri: &str, count: usize) {
        loop {
            let message = self
                .wait(|m| {
                    m["method"] == json!("textDocument/publishDiagnostics")
                        && m["params"]["uri"] == json!(uri)
                })
                .await;
            if message["params"]["diagnostics"].as_array().is_some_and(|d| d.len() == count) {
                return;
            }
        }
    }

    /// Messages that came while others were waited for.
    pub fn unread(&self) -> impl Iterator<Item = &Value> {
        self.seen.iter()
    }

    /// Asks the server to shut down and exit, leaving the pipe open.
    pub async fn shut_down(&mut self) {
        self.ask("shutdown", Value::Null).await;
        self.notify("exit", Value::Null).await;
    }
}

/// A body with its header.
pub fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// `{"textDocument": ..., "position": ...}`.
pub fn at(uri: &str, line: usize, character: usize) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}
