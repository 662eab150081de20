//! A long session of random messages. Short by default; `WAVELENS_SOAK_MESSAGES=100000 WAVELENS_SOAK_FILES=200` makes it long, and
//! `WAVELENS_SOAK_PROGRAM=target/release/wavelens` asks a program in place of the server that is built into the test.

use serde_json::json;
use wavelens_tests::client::Client;
use wavelens_tests::soak::{Soak, resident};

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Bytes by which memory may grow after the first quarter, when all is warm.
const GROWTH: u64 = 512 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_session_goes_on_and_its_answers_have_their_types() {
    let messages = number("WAVELENS_SOAK_MESSAGES", 1500);
    let files = number("WAVELENS_SOAK_FILES", 12);
    let seed = number("WAVELENS_SOAK_SEED", 1) as u64;
    let options = json!({ "target": "gfx1030" });
    let client = match std::env::var_os("WAVELENS_SOAK_PROGRAM") {
        Some(program) => Client::of_program(program.as_ref(), &["utf-8"], options).await,
        None => Client::start(&["utf-8"], options).await,
    };
    let process = client.process;
    let mut soak = Soak::with(client, files, seed).await;
    let mut warm = 0;
    for message in 0..messages {
        soak.step().await;
        if message % (messages / 20).max(1) == 0 {
            eprintln!("{message} messages: {} MiB", resident(process) >> 20);
        }
        if message == messages / 4 {
            warm = resident(process);
        }
    }
    soak.compare().await;
    let end = resident(process);
    eprintln!("{messages} messages: {} MiB, at a quarter {} MiB; {:?}", end >> 20, warm >> 20, soak.results);
    assert!(end <= warm + GROWTH, "memory grows: {warm} {end}");
    assert!(soak.results.len() > 10, "{:?}", soak.results);
    assert!(soak.client.stop().await);
}
