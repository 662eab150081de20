//! Operands and modifiers of AMDGPU instructions with each word and with numbers around each limit.

use std::collections::HashMap;

use super::{Text, data};

/// Lines of one family: each `#` is replaced by each of the words of the list at its place.
pub struct Family {
    pub name: String,
    lines: Vec<String>,
    words: Vec<Vec<String>>,
}

/// Those of `data/operands.txt`.
pub fn families() -> Vec<Family> {
    let file = data("operands.txt");
    let mut lists: HashMap<&str, Vec<String>> = HashMap::new();
    let (mut families, mut list) = (Vec::new(), "");
    for line in file.lines() {
        if let Some(word) = line.strip_prefix('|') {
            lists.entry(list).or_default().push(word.to_owned());
        } else if let Some(name) = line.strip_prefix("list ") {
            list = name;
        } else if let Some((name, parts)) = line.strip_prefix("family ").and_then(|f| f.split_once(": ")) {
            let mut parts = parts.split(' ').map(|list| lists[list].clone());
            families.push(Family {
                name: name.to_owned(),
                lines: parts.next().unwrap_or_default(),
                words: parts.collect(),
            });
        }
    }
    families
}

impl Family {
    /// Every line with every combination of words.
    pub fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        for line in &self.lines {
            let mut texts = vec![line.clone()];
            for words in self.words.iter().take(line.matches('#').count()) {
                let each = |text: &String| words.iter().map(|word| text.replacen('#', word, 1)).collect();
                texts = texts.iter().flat_map(|text| -> Vec<String> { each(text) }).collect();
            }
            out.extend(texts);
        }
        out
    }
}

/// All lines of a family as one text, for a processor.
pub fn texts(processors: &[&str]) -> Vec<Text> {
    let mut texts = Vec::new();
    for family in families() {
        let text = family.lines().join("\n") + "\n";
        texts.extend(processors.iter().map(|processor| Text {
            name: format!("operands {} {processor}", family.name),
            extension: "s",
            machine: (*processor).to_owned(),
            text: text.clone(),
        }));
    }
    texts
}
