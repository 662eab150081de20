//! Answers of the language server: hovers and completion of each word of the languages, and every feature at the places that
//! `tests/data/inputs/*-places.txt` names.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use wavelens_test_support::client::Client;
use wavelens_test_support::random::Random;
use wavelens_test_support::texts::vocabulary::places;
use wavelens_test_support::texts::{DIALECTS, Text, inputs::inputs, path};

use super::{Difference, sample};
use crate::Outcome;
use crate::repository::read_text;

/// Requests about a place.
const AT_PLACE: [&str; 7] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
];

/// Requests about a text.
const OF_TEXT: [&str; 4] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/formatting",
];

/// One word in so many is asked about, unless there is a sample.
const WORDS: usize = 4;
/// Longer answers are cut after the place in which they differ.
const LONGEST: usize = 600;

pub(super) struct Compared {
    pub(super) answers: usize,
    pub(super) differences: Vec<(Text, Difference)>,
}

struct Session {
    client: Client,
    _server: tokio::process::Child,
    opened: usize,
}

impl Session {
    async fn start(program: &Path, machine: &str) -> Outcome<Session> {
        let (mut client, server) = Client::of_process(program)?;
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8"] },
            "textDocument": { "hover": { "contentFormat": ["markdown"] } },
        });
        let options = match machine {
            "-" => json!({}),
            machine if machine.starts_with("gfx") => json!({ "target": machine }),
            machine => json!({ "targetEnv": machine }),
        };
        client.initialize(capabilities, options).await;
        Ok(Session { client, _server: server, opened: 0 })
    }

    /// The answers to some requests about a text, and a place in it.
    async fn ask(&mut self, text: &Text, at: usize, methods: &[&str]) -> Vec<Value> {
        self.opened += 1;
        let uri = format!("file:///diff/{}.{}", self.opened, text.extension);
        let language = language(text.extension);
        self.client.open(&uri, language, &text.text).await;
        let before = text.text.get(..at).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let position = json!({ "line": before.matches('\n').count(), "character": at - start });
        let mut answers = Vec::new();
        for method in methods {
            let parameters = json!({
                "textDocument": { "uri": uri },
                "position": position,
                "context": { "includeDeclaration": true },
                "options": { "tabSize": 2, "insertSpaces": true },
            });
            let id = self.client.request(method, parameters).await;
            let mut response = self.client.response(id).await;
            let answer =
                if response["error"].is_null() { &mut response["result"] } else { &mut response["error"] };
            answers.push(without_number(answer.take(), self.opened));
        }
        let document = json!({ "textDocument": { "uri": uri } });
        self.client.notify("textDocument/didClose", document).await;
        answers
    }
}

/// An answer without the number in its document's name.
fn without_number(answer: Value, number: usize) -> Value {
    let text = answer.to_string().replace(&format!("file:///diff/{number}."), "file:///diff/a.");
    serde_json::from_str(&text).unwrap_or_default()
}

fn language(extension: &str) -> &'static str {
    match extension {
        "ll" => "llvm",
        "mir" => "mir",
        "s" => "amdgpu",
        _ => "spirv",
    }
}

fn labels(completion: &Value) -> BTreeSet<String> {
    let items = completion["items"].as_array().or(completion.as_array());
    items.into_iter().flatten().filter_map(|item| Some(item["label"].as_str()?.to_owned())).collect()
}

/// Asks two servers the same, and keeps what differs.
pub(super) async fn compare(programs: [&Path; 2], count: Option<usize>, seed: u64) -> Outcome<Compared> {
    let mut compared = Compared { answers: 0, differences: Vec::new() };
    let mut random = Random::new(seed);
    let mut asked = read_places(count, &mut random)?;
    asked.sort_by(|(a, _), (b, _)| a.machine.cmp(&b.machine));
    let methods = [AT_PLACE.as_slice(), &OF_TEXT].concat();
    for chunk in asked.chunk_by(|(a, _), (b, _)| a.machine == b.machine) {
        let [mut old, mut new] = start(programs, &chunk[0].0.machine).await?;
        for (text, at) in chunk {
            compared.ask([&mut old, &mut new], text, *at, &methods).await;
        }
    }
    let places = places();
    let share = count.map(|count| count.div_ceil(places.len()));
    for place in places {
        let [mut old, mut new] = start(programs, place.machine).await?;
        let text = |before: &str| Text {
            name: format!("word after {:?}", place.before.lines().last().unwrap_or_default()),
            extension: place.extension,
            machine: place.machine.to_owned(),
            text: format!("{before}{}", place.after),
        };
        let mut words = BTreeSet::new();
        for start in place.starts {
            let before = format!("{}{start}", place.before);
            let answers = compared
                .ask([&mut old, &mut new], &text(&before), before.len(), &["textDocument/completion"])
                .await;
            words.extend(answers.iter().flat_map(labels));
        }
        let wanted = share.unwrap_or(words.len().div_ceil(WORDS));
        for word in sample(words.into_iter().collect(), Some(wanted), &mut random) {
            let before = format!("{}{word}", place.before);
            let hover = ["textDocument/hover", "textDocument/signatureHelp"];
            compared.ask([&mut old, &mut new], &text(&before), place.before.len(), &hover).await;
            let before = format!("{before} ");
            let next = ["textDocument/completion"];
            compared.ask([&mut old, &mut new], &text(&before), before.len(), &next).await;
        }
    }
    Ok(compared)
}

async fn start(programs: [&Path; 2], machine: &str) -> Outcome<[Session; 2]> {
    Ok([Session::start(programs[0], machine).await?, Session::start(programs[1], machine).await?])
}

/// The inputs with a place.
fn read_places(count: Option<usize>, random: &mut Random) -> Outcome<Vec<(Text, usize)>> {
    let mut all = Vec::new();
    for (name, extension) in DIALECTS {
        let file = read_text(&path(&format!("inputs/{name}-places.txt")))?;
        let places = inputs(&file).into_iter().enumerate().filter_map(|(number, input)| {
            let at = usize::try_from(input.offset()?).ok()?;
            let machine = input.machine().unwrap_or("-").to_owned();
            let name = format!("place {name} {number} at byte {at}");
            Some((Text { name, extension, machine, text: input.text }, at))
        });
        all.extend(sample(places.collect(), count, random));
    }
    Ok(all)
}

impl Compared {
    /// The answers of both servers.
    async fn ask(
        &mut self,
        [old, new]: [&mut Session; 2],
        text: &Text,
        at: usize,
        methods: &[&str],
    ) -> Vec<Value> {
        let (before, after) = tokio::join!(old.ask(text, at, methods), new.ask(text, at, methods));
        self.answers += methods.len();
        for ((method, before), after) in methods.iter().zip(&before).zip(&after) {
            if before == after {
                continue;
            }
            let group =
                format!("{}, {}", method.trim_start_matches("textDocument/"), language(text.extension));
            let line = text.text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            let (before, after) = shown(before, after);
            self.differences.push((text.clone(), Difference { group, line, before, after }));
        }
        before.into_iter().chain(after).collect()
    }
}

/// Words that only one completion has; of other answers, each from where they begin to differ.
fn shown(before: &Value, after: &Value) -> (Vec<String>, Vec<String>) {
    let (old, new) = (labels(before), labels(after));
    if old != new {
        return (old.difference(&new).cloned().collect(), new.difference(&old).cloned().collect());
    }
    let texts = [before.to_string(), after.to_string()];
    let same =
        texts[0].char_indices().zip(texts[1].chars()).find(|((_, a), b)| a != b).map_or(0, |((at, _), _)| at);
    let cut = |text: &String| {
        let from: String =
            text[..same].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
        vec![from + &text[same..].chars().take(LONGEST).collect::<String>()]
    };
    (cut(&texts[0]), cut(&texts[1]))
}
