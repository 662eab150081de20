//! Templates of LLVM IR, Machine IR and assembly with each word at each place.
//!
//! In `tests/data/families/*.txt` a list has a name and lines that begin with `|`. `family NAME MACHINES: TEMPLATE LIST...` writes the lines of
//! a template for each combination of words: `#1` is the word of the first list, `#1b` and `#1c` are its parts after a `;`, and `#n` is the
//! number of the combination; `\n` ends a line. `before NAME` and `after NAME` are what precedes and follows all of them in that family.
//! `alone` is the same with each combination in a text of its own.

use std::collections::HashMap;

use super::{Text, data};

/// Many combinations go into one text, which takes less time; those of `alone` do not, as they have the same names.
const TOGETHER: usize = 400;

struct Family<'f> {
    name: &'f str,
    /// So many combinations go into one text.
    together: usize,
    machines: Vec<&'f str>,
    template: String,
    words: Vec<Vec<&'f str>>,
    before: String,
    after: String,
}

fn families<'f>(file: &'f str) -> Vec<Family<'f>> {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let (mut families, mut list): (Vec<(&str, usize)>, _) = (Vec::new(), "");
    for line in file.lines() {
        if let Some(word) = line.strip_prefix('|') {
            lists.entry(list).or_default().push(word);
        } else if let Some(family) = line.strip_prefix("family ") {
            families.push((family, TOGETHER));
        } else if let Some(family) = line.strip_prefix("alone ") {
            families.push((family, 1));
        } else if !line.starts_with('#') {
            list = line;
        }
    }
    let text = |name: &str| -> String {
        lists.get(name).into_iter().flatten().flat_map(|line| [*line, "\n"]).collect()
    };
    let family = |&(line, together): &(&'f str, usize)| {
        let (head, names) = line.split_once(": ").expect("a family has lists");
        let (name, machines) = head.split_once(' ').unwrap_or((head, "-"));
        let mut names = names.split(' ');
        Family {
            name,
            together,
            machines: machines.split(' ').collect(),
            template: text(names.next().unwrap_or_default()),
            words: names.map(|name| lists[name].clone()).collect(),
            before: text(&format!("before {name}")),
            after: text(&format!("after {name}")),
        }
    };
    families.iter().map(family).collect()
}

impl Family<'_> {
    /// The template with each combination of words.
    fn texts(&self) -> Vec<String> {
        let mut texts = vec![self.template.clone()];
        for (place, words) in (1..).zip(&self.words) {
            let with = |text: &String, word: &str| {
                let parts: Vec<&str> = word.split(';').collect();
                let part = |at: usize| parts.get(at).or(parts.first()).copied().unwrap_or_default();
                text.replace(&format!("#{place}b"), part(1))
                    .replace(&format!("#{place}c"), part(2))
                    .replace(&format!("#{place}"), part(0))
            };
            texts = texts.iter().flat_map(|text| words.iter().map(move |word| with(text, word))).collect();
        }
        let numbered =
            |(number, text): (i32, &String)| text.replace("#n", &number.to_string()).replace("\\n", "\n");
        (0..).zip(&texts).map(numbered).collect()
    }
}

/// The texts of all families of a dialect, named by its file extension.
pub fn texts(extension: &'static str) -> Vec<Text> {
    let name = match extension {
        "ll" => "llvm.txt",
        "mir" => "mir.txt",
        "s" => "amdgpu.txt",
        _ => return Vec::new(),
    };
    let file = data(&format!("families/{name}"));
    let mut texts = Vec::new();
    for family in families(&file) {
        for (number, part) in family.texts().chunks(family.together).enumerate() {
            let text = format!("{}{}{}", family.before, part.concat(), family.after);
            texts.extend(family.machines.iter().map(|machine| Text {
                name: format!("family {} {machine} {number}", family.name),
                extension,
                machine: (*machine).to_owned(),
                text: text.clone(),
            }));
        }
    }
    texts
}
