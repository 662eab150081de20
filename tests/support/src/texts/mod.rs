//! Texts that many checks run over: the inputs of `tests/data/inputs`, damaged variants of them, and templates with each word at each
//! place. Tests look for what must hold for every text; `cargo xtask diff` compares what two programs find in them.

pub mod combinations;
pub mod families;
pub mod inputs;
mod instructions;
pub mod operands;
pub mod vocabulary;

use std::path::{Path, PathBuf};

use crate::damage::Corpus;
use crate::random::Random;

/// A text, with what it is checked for.
#[derive(Debug, Clone)]
pub struct Text {
    /// The kind of text, where it comes from and its number.
    pub name: String,
    /// Of its files: `ll`, `mir`, `spvasm` or `s`.
    pub extension: &'static str,
    /// A processor, a SPIR-V environment, or `-` for what the text says itself.
    pub machine: String,
    pub text: String,
}

/// The dialects, as the name of their file of inputs and the extension of their files.
pub const DIALECTS: [(&str, &str); 4] =
    [("llvm", "ll"), ("mir", "mir"), ("spirv", "spvasm"), ("amdgpu", "s")];

/// Processors for which the operands of instructions are tried: one of each generation.
pub const PROCESSORS: [&str; 10] =
    ["gfx600", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1150", "gfx1200", "gfx1250"];

/// A file or folder of `tests/data`.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
}

fn data(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{}: {error}", path(name).display()))
}

/// The inputs of a dialect.
pub fn inputs(extension: &'static str) -> Vec<Text> {
    let (name, _) = DIALECTS.into_iter().find(|(_, e)| *e == extension).expect("a dialect's extension");
    let file = data(&format!("inputs/{name}.txt"));
    let text = |(number, input): (usize, inputs::Input<'_>)| Text {
        name: format!("input {name} {number}"),
        extension,
        machine: input.machine().unwrap_or("-").to_owned(),
        text: input.text,
    };
    inputs::inputs(&file).into_iter().enumerate().map(text).collect()
}

/// Variants of each input of a dialect, in which a word, a number, a name or a line is another one. The first variants of an input do not
/// depend on how many are made.
pub fn damaged(extension: &'static str, variants: usize, seed: u64) -> Vec<Text> {
    let inputs = inputs(extension);
    let mut corpus = Corpus::default();
    inputs.iter().for_each(|input| corpus.add(&input.text));
    let mut texts = Vec::new();
    for (number, input) in (0u64..).zip(&inputs) {
        let mut random = Random::new(seed.wrapping_mul(100_003).wrapping_add(number + 1));
        for variant in 0..variants {
            if let Some(text) = corpus.variant(&input.text, &mut random) {
                texts.push(Text { name: format!("damaged {} {variant}", input.name), text, ..input.clone() });
            }
        }
    }
    texts
}
