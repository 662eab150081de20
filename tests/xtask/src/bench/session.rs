//! A session with the server, from the keyboard's side of the protocol.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use wavelens_test_support::client::{Client, at};
use wavelens_test_support::random::Random;

use super::inputs::Dialect;
use super::process::resident;
use crate::Outcome;

pub(crate) struct Session {
    /// From opening the document to its first diagnostics.
    pub(crate) open: Duration,
    /// From an edit to the diagnostics of its version, sorted.
    pub(crate) keystrokes: Vec<Duration>,
    /// Sorted.
    pub(crate) hovers: Vec<Duration>,
    /// Resident memory in bytes at the end.
    pub(crate) memory: u64,
}

/// The value that a share of the sorted values does not exceed.
pub(crate) fn percentile(sorted: &[Duration], share: f64) -> Duration {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// Opens a text and types: each step puts one character into a word or takes it out again.
pub(crate) async fn run(program: &Path, dialect: &Dialect, text: &str, edits: usize) -> Outcome<Session> {
    let (mut client, mut server) = Client::of_process(program)?;
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": { "publishDiagnostics": { "versionSupport": true }, "hover": { "contentFormat": ["markdown"] } },
    });
    let options =
        if dialect.options.is_empty() { json!({}) } else { json!({ "target": dialect.options[1] }) };
    client.initialize(capabilities, options).await;

    let uri = format!("file:///bench/input.{}", dialect.extension);
    let start = Instant::now();
    client.open(&uri, dialect.id, text).await;
    client.published(&uri, 1).await;
    let open = start.elapsed();

    let lines: Vec<&str> = text.lines().collect();
    let (mut random, mut version) = (Random::new(2), 1);
    let (mut keystrokes, mut hovers) = (Vec::new(), Vec::new());
    while keystrokes.len() < edits {
        let line = random.below(lines.len());
        let Some(column) = word_end(lines[line], &mut random) else { continue };
        for (end, inserted) in [(column, "q"), (column + 1, "")] {
            version += 1;
            let start = Instant::now();
            client.change(&uri, version, (line, column, line, end), inserted).await;
            client.published(&uri, version).await;
            keystrokes.push(start.elapsed());
        }
        if keystrokes.len() % 20 == 0 {
            let start = Instant::now();
            client.ask("textDocument/hover", at(&uri, line, column)).await;
            hovers.push(start.elapsed());
        }
    }
    let memory = server.id().map_or(0, |id| resident(id, "VmRSS:"));
    client.shut_down().await;
    let _ = tokio::time::timeout(Duration::from_secs(10), server.wait()).await;
    keystrokes.sort();
    hovers.sort();
    Ok(Session { open, keystrokes, hovers, memory })
}

/// The end of some word of an indented line.
fn word_end(line: &str, random: &mut Random) -> Option<usize> {
    if !line.starts_with([' ', '\t']) {
        return None;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = line.as_bytes();
    let ends: Vec<usize> = (1..=bytes.len())
        .filter(|at| is_word(bytes[at - 1]) && !bytes.get(*at).is_some_and(|b| is_word(*b)))
        .collect();
    ends.get(random.below(ends.len())).copied()
}
