//! A long session: random messages about many documents of all dialects, each answer checked against its type.

use std::collections::HashMap;

use lsp_types::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wavelens_base::Dialect;

use crate::client::{Client, at};
use crate::examples;
use crate::random::{self, Random};

/// A document as the client has it.
struct Open {
    uri: String,
    dialect: Dialect,
    text: String,
    version: i32,
    is_open: bool,
}

/// A session under way. Positions are in UTF-8.
pub struct Soak {
    pub client: Client,
    random: Random,
    documents: Vec<Open>,
    /// Requests without an answer, by id.
    waiting: HashMap<i64, &'static str>,
    /// How many answers of each method had a result.
    pub results: HashMap<&'static str, usize>,
}

/// Texts grow by pastes; larger ones begin again.
const LARGE: usize = 64 << 10;

/// Requests that may be unanswered.
const WAITING: usize = 40;

/// Requests about a position.
const AT_POSITION: &[&str] = &[
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/documentHighlight",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/prepareCallHierarchy",
];

/// Requests about a document.
const ABOUT_DOCUMENT: &[&str] = &[
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
];

impl Soak {
    /// Opens `files` documents, examples of each dialect in turn.
    pub async fn start(files: usize, seed: u64, options: Value) -> Soak {
        Soak::with(Client::start(&["utf-8"], options).await, files, seed).await
    }

    /// The same with a client that takes UTF-8 and has opened nothing.
    pub async fn with(client: Client, files: usize, seed: u64) -> Soak {
        let texts: Vec<(Dialect, String)> = Dialect::ALL
            .iter()
            .flat_map(|dialect| examples(*dialect).into_iter().map(move |text| (*dialect, text)))
            .filter(|(_, text)| text.len() < LARGE && !text.contains('\r'))
            .collect();
        assert!(!texts.is_empty(), "there are examples");
        let documents = (0..files).map(|n| {
            // So that few files hold all dialects.
            let (dialect, text) = &texts[(n * texts.len() / files.min(texts.len()).max(1)) % texts.len()];
            let uri = format!("file:///soak/{n}");
            Open { uri, dialect: *dialect, text: text.clone(), version: 0, is_open: false }
        });
        let documents: Vec<Open> = documents.collect();
        let mut soak = Soak {
            client,
            random: Random::new(seed),
            documents,
            waiting: HashMap::new(),
            results: HashMap::new(),
        };
        for index in 0..soak.documents.len() {
            soak.open(index).await;
        }
        soak
    }

    async fn open(&mut self, index: usize) {
        let document = &mut self.documents[index];
        document.version += 1;
        document.is_open = true;
        let item = json!({
            "uri": document.uri, "languageId": document.dialect.name(), "version": document.version, "text": document.text,
        });
        self.client.notify("textDocument/didOpen", json!({ "textDocument": item })).await;
    }

    async fn close(&mut self, index: usize) {
        self.documents[index].is_open = false;
        let uri = &self.documents[index].uri;
        self.client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })).await;
    }

    /// Sends one message, and reads some answers.
    pub async fn step(&mut self) {
        let index = self.random.below(self.documents.len());
        if !self.documents[index].is_open {
            self.open(index).await;
            return;
        }
        match self.random.below(100) {
            0..45 => self.edit(index).await,
            45..90 => self.ask(index).await,
            90..94 => self.cancel().await,
            94..96 => self.close(index).await,
            96..98 => self.replace(index).await,
            _ => self.configure().await,
        }
        // Sometimes before the next edit takes the question back.
        let most = if self.random.below(3) == 0 { 0 } else { WAITING };
        self.read(most).await;
    }

    async fn edit(&mut self, index: usize) {
        let document = &mut self.documents[index];
        if document.text.is_empty() || document.text.len() > LARGE {
            return self.replace(index).await;
        }
        let make = if self.random.below(2) == 0 { random::edit } else { random::slip };
        let edit = make(&mut self.random, &document.text);
        if edit.text.contains('\r') {
            return;
        }
        let (from, to) =
            (position(&document.text, edit.range.start), position(&document.text, edit.range.end));
        document.text.replace_range(edit.range, &edit.text);
        document.version += 1;
        let (uri, version) = (document.uri.clone(), document.version);
        self.client.change(&uri, version, (from.0, from.1, to.0, to.1), &edit.text).await;
    }

    /// Sends the whole text: that of another document of the dialect.
    async fn replace(&mut self, index: usize) {
        let dialect = self.documents[index].dialect;
        let texts = examples(dialect);
        let text = texts[self.random.below(texts.len())].replace('\r', "");
        let document = &mut self.documents[index];
        document.version += 1;
        document.text.clone_from(&text);
        let params = json!({
            "textDocument": { "uri": document.uri, "version": document.version },
            "contentChanges": [{ "text": text }],
        });
        self.client.notify("textDocument/didChange", params).await;
    }

    async fn ask(&mut self, index: usize) {
        let document = &self.documents[index];
        let uri = document.uri.clone();
        let (line, character) = position(&document.text, self.random.offset(&document.text));
        let about = json!({ "textDocument": { "uri": uri } });
        let range = json!({
            "start": { "line": line, "character": 0 }, "end": { "line": line + 40, "character": 0 },
        });
        let with = |key: &str, value: Value| {
            let mut params = at(&uri, line, character);
            params[key] = value;
            params
        };
        let (method, params) = match self.random.below(7) {
            0..3 => (
                AT_POSITION[self.random.below(AT_POSITION.len())],
                with("context", json!({ "triggerKind": 1, "isRetrigger": false })),
            ),
            3 => (ABOUT_DOCUMENT[self.random.below(ABOUT_DOCUMENT.len())], about),
            4 => ("textDocument/references", with("context", json!({ "includeDeclaration": true }))),
            5 => match self.random.below(3) {
                0 => ("textDocument/inlayHint", with("range", range)),
                1 => ("textDocument/semanticTokens/range", with("range", range)),
                _ => {
                    let mut params = with("range", range);
                    params["context"] = json!({ "diagnostics": [] });
                    ("textDocument/codeAction", params)
                }
            },
            _ => match self.random.below(3) {
                0 => ("textDocument/rename", with("newName", json!("renamed"))),
                1 => ("workspace/symbol", json!({ "query": "a" })),
                _ => (
                    "textDocument/selectionRange",
                    with("positions", json!([{ "line": line, "character": character }])),
                ),
            },
        };
        let id = self.client.request(method, params).await;
        self.waiting.insert(id, method);
    }

    async fn cancel(&mut self) {
        if let Some(id) = self.waiting.keys().max().copied() {
            self.client.notify("$/cancelRequest", json!({ "id": id })).await;
        }
    }

    async fn configure(&mut self) {
        let target = ["gfx900", "gfx1030", "gfx1100"][self.random.below(3)];
        let settings = json!({ "settings": { "wavelens": { "target": target } } });
        self.client.notify("workspace/didChangeConfiguration", settings).await;
    }

    /// Reads until at most so many requests are unanswered.
    pub async fn read(&mut self, most: usize) {
        while self.waiting.len() > most {
            let message = self.client.next().await;
            self.check(&message);
        }
    }

    fn check(&mut self, message: &Value) {
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => parses::<PublishDiagnosticsParams>(&message["params"]),
            Some("window/logMessage") => {
                parses::<LogMessageParams>(&message["params"]);
                let text = message["params"]["message"].as_str().unwrap_or_default();
                assert!(!text.contains("hit a bug"), "{text}");
            }
            Some("window/showMessage") => parses::<ShowMessageParams>(&message["params"]),
            Some(_) => {}
            None => {
                let Some(method) = message["id"].as_i64().and_then(|id| self.waiting.remove(&id)) else {
                    return;
                };
                if let Some(error) = message.get("error") {
                    // Cancelled; the document was changed; a name that cannot be renamed.
                    let code = error["code"].as_i64();
                    assert!(matches!(code, Some(-32800 | -32801 | -32602)), "{method}: {error}");
                } else {
                    check_result(method, &message["result"]);
                    *self.results.entry(method).or_default() += 1;
                }
            }
        }
    }

    /// All findings of a version.
    async fn findings(&mut self, uri: &str, version: i32) -> Value {
        let published = self.client.published(uri, version).await;
        if published.as_array().is_none_or(|list| list.len() < FIRST) {
            return published;
        }
        let document = json!({ "textDocument": { "uri": uri } });
        self.client.ask("textDocument/diagnostic", document).await["items"].clone()
    }

    /// Whether the server has the texts that the client has: each document has the findings that it has when opened anew.
    pub async fn compare(&mut self) {
        self.read(0).await;
        for index in 0..self.documents.len() {
            if !self.documents[index].is_open {
                continue;
            }
            let (line, character) = position(&self.documents[index].text, self.documents[index].text.len());
            let uri = self.documents[index].uri.clone();
            self.documents[index].version += 1;
            let version = self.documents[index].version;
            // Its end is where the client has it, or the insertion is elsewhere.
            self.client.change(&uri, version, (line, character, line, character), "\n; end").await;
            self.documents[index].text.push_str("\n; end");
            let edited = self.findings(&uri, version).await;
            self.close(index).await;
            self.open(index).await;
            let fresh = self.findings(&uri, self.documents[index].version).await;
            assert_eq!(edited, fresh, "{uri}:\n{}", self.documents[index].text);
        }
    }
}

/// So many findings, those closest to the edit, are published first.
const FIRST: usize = 128;

/// Line and byte in it.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count(), offset - start)
}

fn parses<T: DeserializeOwned>(value: &Value) {
    let parsed = serde_json::from_value::<T>(value.clone());
    assert!(parsed.is_ok(), "{:?}: {value}", parsed.err());
}

fn check_result(method: &str, result: &Value) {
    match method {
        "textDocument/hover" => parses::<Option<Hover>>(result),
        "textDocument/definition" | "textDocument/declaration" => {
            parses::<Option<GotoDefinitionResponse>>(result)
        }
        "textDocument/documentHighlight" => parses::<Option<Vec<DocumentHighlight>>>(result),
        "textDocument/completion" => parses::<Option<CompletionResponse>>(result),
        "textDocument/signatureHelp" => parses::<Option<SignatureHelp>>(result),
        "textDocument/prepareRename" => parses::<Option<PrepareRenameResponse>>(result),
        "textDocument/prepareCallHierarchy" => parses::<Option<Vec<CallHierarchyItem>>>(result),
        "textDocument/documentSymbol" => parses::<Option<DocumentSymbolResponse>>(result),
        "textDocument/foldingRange" => parses::<Option<Vec<FoldingRange>>>(result),
        "textDocument/codeLens" => parses::<Option<Vec<CodeLens>>>(result),
        "textDocument/semanticTokens/full" => parses::<Option<SemanticTokensResult>>(result),
        "textDocument/semanticTokens/range" => parses::<Option<SemanticTokensRangeResult>>(result),
        "textDocument/references" => parses::<Option<Vec<Location>>>(result),
        "textDocument/inlayHint" => parses::<Option<Vec<InlayHint>>>(result),
        "textDocument/codeAction" => parses::<Option<CodeActionResponse>>(result),
        "textDocument/rename" => parses::<Option<WorkspaceEdit>>(result),
        "workspace/symbol" => parses::<Option<WorkspaceSymbolResponse>>(result),
        "textDocument/selectionRange" => parses::<Option<Vec<SelectionRange>>>(result),
        other => panic!("{other} has no type here"),
    }
}

/// Bytes of memory of a process; 0 where the system does not say.
pub fn resident(process: u32) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: u64 = statm.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * 4096
}
