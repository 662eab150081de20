//! Tries code actions: `cargo run -p wavelens-tests --example edits -- DIALECT COUNT SEED FOLDER...`
//!
//! Prints the actions at random places that leave a new error.

use std::path::{Path, PathBuf};

use wavelens_base::Dialect;
use wavelens_tests::edits::{place, try_actions};
use wavelens_tests::gather;
use wavelens_tests::random::Random;

/// Files larger than this take too long to check.
const LARGEST: u64 = 60_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let dialect: Dialect = match arguments.next().map(|d| d.parse()) {
        Some(Ok(dialect)) => dialect,
        _ => return eprintln!("usage: edits DIALECT COUNT SEED FOLDER..."),
    };
    let mut number = |default| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(200), number(1));
    let mut files: Vec<PathBuf> = Vec::new();
    arguments.for_each(|folder| gather(Path::new(&folder), dialect, LARGEST, &mut files));
    files.sort();
    let mut random = Random::new(seed);
    let (mut places, mut actions, mut problems) = (0, 0, 0);
    for _ in 0..count * 20 {
        if places == count || files.is_empty() {
            break;
        }
        let path = &files[random.below(files.len())];
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let tried = try_actions(dialect, &text, place(dialect, &text, &mut random));
        places += u64::from(tried.actions > 0);
        actions += tried.actions;
        problems += tried.problems.len();
        for problem in tried.problems {
            println!("{}:{}: {}: {}", path.display(), problem.line, problem.title, problem.error);
        }
    }
    println!("{dialect}: {places} places, {actions} actions, {problems} with a new error");
}
