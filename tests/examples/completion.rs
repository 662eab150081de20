//! Measures completion: `cargo run -p wavelens-tests --example completion -- DIALECT COUNT SEED FOLDER...`
//!
//! Prints the places where what was written is not among the first proposals, and how often it is.

use std::path::Path;

use wavelens_base::Dialect;
use wavelens_tests::completion::{SHOWN, is_accepted, probe};
use wavelens_tests::gather;
use wavelens_tests::random::Random;

/// Files larger than this take too long to check.
const LARGEST: u64 = 200_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let dialect: Dialect = match arguments.next().map(|d| d.parse()) {
        Some(Ok(dialect)) => dialect,
        _ => return eprintln!("usage: completion DIALECT COUNT SEED FOLDER..."),
    };
    let mut number = |default| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(300), number(1));
    let mut files = Vec::new();
    arguments.for_each(|folder| gather(Path::new(&folder), dialect, LARGEST, &mut files));
    files.sort();
    let mut random = Random::new(seed);
    let (mut tried, mut shown) = (0, 0);
    for _ in 0..count * 20 {
        if tried == count || files.is_empty() {
            break;
        }
        let path = &files[random.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if !is_accepted(dialect, &text) {
            continue;
        }
        let Some(probe) = probe(dialect, &text, &mut random) else { continue };
        tried += 1;
        let is_shown = probe.rank.is_some_and(|rank| rank < SHOWN);
        shown += u64::from(is_shown);
        if !is_shown {
            let place = probe.rank.map_or("absent".to_owned(), |rank| format!("at {}", rank + 1));
            println!("{}:{}: {place}: {}|{}|", path.display(), probe.line, probe.before, probe.token);
        }
    }
    println!("{dialect}: {shown} of {tried} ({} %)", 100 * shown / tried.max(1));
}
