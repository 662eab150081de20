//! `cargo xtask damage`: variants of the files of a corpus that mostly parse and are wrong in meaning only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wavelens_test_support::damage::Corpus;
use wavelens_test_support::random::Random;

use crate::Outcome;
use crate::repository::{names, read, write};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders of the corpus
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Ends of the names of files to read
    #[arg(long, value_delimiter = ',', default_value = ".ll,.mir,.spvasm,.s")]
    suffixes: Vec<String>,
    /// The folder for the variants
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Variants to write
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// The same seed gives the same variants
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

struct Source {
    path: PathBuf,
    text: String,
}

/// Words and lines are exchanged among the files of a folder: in test suites these have one target.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut sources = Vec::new();
    for path in &arguments.paths {
        collect(path, &arguments.suffixes, &mut sources)?;
    }
    if sources.is_empty() {
        return Err(format!("no files end in {}", arguments.suffixes.join(" or ")));
    }
    let mut corpora: BTreeMap<&Path, Corpus> = BTreeMap::new();
    for source in &sources {
        corpora.entry(folder(source)).or_default().add(&source.text);
    }
    let mut random = Random::new(arguments.seed);
    let mut written = 0;
    for number in 0..arguments.count {
        let source = &sources[random.below(sources.len())];
        let variant = corpora.get(folder(source)).and_then(|c| c.variant(&source.text, &mut random));
        if let Some(variant) = variant {
            let name = source.path.file_name().unwrap_or_default().to_string_lossy();
            write(&arguments.out.join(format!("{number:06}_{name}")), variant)?;
            written += 1;
        }
    }
    println!("{written} variants of {} files in {}", sources.len(), arguments.out.display());
    Ok(())
}

fn folder(source: &Source) -> &Path {
    source.path.parent().unwrap_or(Path::new(""))
}

/// Files below a path in the order of their names. Those that are not UTF-8 are left out.
fn collect(path: &Path, suffixes: &[String], sources: &mut Vec<Source>) -> Outcome {
    if path.is_dir() {
        for name in names(path)? {
            let entry = path.join(&name);
            if entry.is_dir() || suffixes.iter().any(|suffix| name.ends_with(suffix)) {
                collect(&entry, suffixes, sources)?;
            }
        }
        return Ok(());
    }
    if let Ok(text) = String::from_utf8(read(path)?) {
        sources.push(Source { path: path.to_owned(), text });
    }
    Ok(())
}
