//! Tries what completion proposes: `cargo run -p wavelens-tests --example proposals -- DIALECT COUNT SEED FOLDER...`
//!
//! Writes the proposals of values at random places of accepted files into the text, prints those that leave an error, and how
//! many errors have each code.

use std::collections::BTreeMap;
use std::path::Path;

use wavelens_base::Dialect;
use wavelens_tests::completion::{is_accepted, try_proposals};
use wavelens_tests::gather;
use wavelens_tests::random::Random;

/// Files larger than this take too long to check so often.
const LARGEST: u64 = 30_000;
/// Proposals at one place.
const MOST: usize = 40;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let dialect: Dialect = match arguments.next().map(|d| d.parse()) {
        Some(Ok(dialect)) => dialect,
        _ => return eprintln!("usage: proposals DIALECT COUNT SEED FOLDER..."),
    };
    let mut number = |default| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(100), number(1));
    let mut files = Vec::new();
    arguments.for_each(|folder| gather(Path::new(&folder), dialect, LARGEST, &mut files));
    files.sort();
    let mut random = Random::new(seed);
    let (mut places, mut proposals) = (0, 0);
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..count * 20 {
        if places == count || files.is_empty() {
            break;
        }
        let path = &files[random.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if !is_accepted(dialect, &text) {
            continue;
        }
        let Some(tried) = try_proposals(dialect, &text, MOST, &mut random) else { continue };
        places += 1;
        proposals += tried.proposals;
        for (proposal, error) in tried.errors {
            println!("{}:{}: {}|{proposal}|: {error}", path.display(), tried.line, tried.before);
            *codes.entry(error.split(':').next().unwrap_or_default().to_owned()).or_default() += 1;
        }
    }
    println!("{dialect}: {places} places, {proposals} proposals");
    codes.iter().for_each(|(code, count)| println!("  {count:5} {code}"));
}
