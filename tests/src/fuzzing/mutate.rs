//! Inputs for fuzzing: examples, changed at random.

use std::path::Path;

use wavelens_base::{Dialect, Options};
use wavelens_spirv as spirv;

use crate::random::{self, Random};

/// What inputs are made of.
pub struct Seeds {
    texts: Vec<(Dialect, String)>,
    binaries: Vec<Vec<u8>>,
}

/// Longer texts are cut: many small inputs find more than few large ones.
const LONGEST: usize = 16 << 10;

/// Values at which readers of numbers change their mind, and words that open something.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551616",
    "0x",
    "0xFFFFFFFFFFFFFFFFF",
    "1e400",
    "nan",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "[",
    "]",
    "\"",
    "\\",
    "%",
    "@",
    "!",
    "#",
    "$",
    ":",
    ",",
    ";",
    "/*",
    "*/",
    "---",
    "...",
    "\t",
    "\r\n",
    "\u{1d11e}",
    "\u{0}",
    ".rept 1000000",
    ".endr",
    ".macro m",
    ".endm",
    "define",
    "OpFunction",
    "bb.0:",
];

impl Seeds {
    /// The examples, and the files of some folders.
    pub fn read(folders: &[&Path]) -> Seeds {
        let mut texts: Vec<(Dialect, String)> = Vec::new();
        for dialect in Dialect::ALL {
            texts.extend(crate::examples(dialect).into_iter().map(|text| (dialect, text)));
        }
        folders.iter().for_each(|folder| collect(folder, &mut texts));
        let modules = texts.iter().filter(|(dialect, _)| *dialect == Dialect::Spirv);
        let words = modules.map(|(_, text)| spirv::encode(text, &Options::default()).words());
        let binaries = words.map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect());
        Seeds { binaries: binaries.collect(), texts }
    }

    /// A text of a dialect, or of any, changed at some places.
    pub fn text(&self, random: &mut Random, dialect: Option<Dialect>) -> (Dialect, String) {
        let mut wanted = self.texts.iter().filter(|(own, _)| dialect.is_none_or(|dialect| dialect == *own));
        let count = wanted.clone().count();
        let Some((dialect, text)) = wanted.nth(random.below(count)) else {
            return (dialect.unwrap_or(Dialect::Llvm), String::new());
        };
        let mut text = cut(random, text);
        for _ in 0..1 + random.below(6) {
            change(random, &mut text);
        }
        (*dialect, text)
    }

    /// A SPIR-V binary with some changed bytes.
    pub fn binary(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = match self.binaries.get(random.below(self.binaries.len())) {
            Some(bytes) => bytes.clone(),
            None => Vec::new(),
        };
        for _ in 0..random.below(8) {
            let (at, from) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
            match random.below(5) {
                0 => bytes.truncate(at),
                1 => bytes.splice(at..at, (0..4).map(|_| random.below(256) as u8)).for_each(drop),
                2 => {
                    let piece = bytes[from..(from + random.below(64)).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece).for_each(drop);
                }
                _ => {
                    let value = [0, 1, 0x7f, 0xff, random.below(256) as u8][random.below(5)];
                    bytes.get_mut(at).into_iter().for_each(|byte| *byte = value);
                }
            }
        }
        bytes
    }
}

fn collect(folder: &Path, texts: &mut Vec<(Dialect, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(dialect) = Dialect::from_file_name(&name)
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            texts.push((dialect, text));
        }
    }
}

/// Some lines of a long text.
fn cut(random: &mut Random, text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let start = random.offset(text);
    let start = text[..start].rfind('\n').map_or(0, |n| n + 1);
    let mut end = (start + LONGEST / 2).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    text[start..end].to_owned()
}

fn change(random: &mut Random, text: &mut String) {
    match random.below(8) {
        0..=2 => {
            let edit = random::slip(random, text);
            text.replace_range(edit.range, &edit.text);
        }
        3..=4 => {
            let edit = random::edit(random, text);
            text.replace_range(edit.range, &edit.text);
        }
        5..=6 => {
            let at = random.offset(text);
            text.insert_str(at, WORDS[random.below(WORDS.len())]);
        }
        _ => {
            // A line many times.
            let at = random.offset(text);
            let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
            let end = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
            let line = text[start..end].to_owned();
            if line.len() < 400 {
                text.insert_str(start, &line.repeat(1 << random.below(6)));
            }
        }
    }
}
